//! How many directions the separating vector algorithm tries [Chung96 §6.2.1], beside what the paper's text states.
//! Its figures are not in the text; the curves are ours.

use crate::plot::{self, Series};
use crate::table::Table;
use clearance::oracle::environment::{Environment, EnvironmentConfig, StepCounts};
use clearance::pair::{HemisphereMethod, SeparatingVectorConfig, StartRule, StepRule};
use clearance::shape::sample::PolytopeKind;

const FRAMES: usize = 60;

fn counts(kind: PolytopeKind, vertices: u32, config: &SeparatingVectorConfig) -> StepCounts {
    let environment =
        EnvironmentConfig { kind, vertices, bodies: 200, side: 14.0, speed: 0.05, degrees: 10.0, seed: 3 };
    let mut environment = Environment::new(&environment).expect("samples of this size exist");
    environment.count_steps(FRAMES, config)
}

fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

pub fn run() -> Vec<Table> {
    vec![shapes(), rules(), growth()]
}

fn shapes() -> Table {
    let mut table = Table::new(
        "Steps k, 500 vertices, 5 % of the radius and 10 degrees a frame, 200 bodies, 60 frames. The text says: \
         apart within 3 more than 95 %, ellipsoids within 4 more than 99 %, all within 3 more than 80 %, recurrences \
         below 0.1 %",
        &["shape", "pairs apart", "k = 1", "k <= 3", "k <= 4", "all, k <= 3", "recurrences", "largest k"],
    );
    let mut curves = Vec::new();
    for kind in PolytopeKind::ALL {
        let found = counts(kind, 500, &SeparatingVectorConfig::default());
        let apart = |k| percent(StepCounts::share_within(&found.apart, k));
        let total: usize = found.apart.iter().sum();
        table.row([
            format!("{kind:?}"),
            total.to_string(),
            apart(1),
            apart(3),
            apart(4),
            percent(StepCounts::share_within(&found.all(), 3)),
            percent(found.recurrences as f64 / total as f64),
            found.most().to_string(),
        ]);
        let share = |k: usize| (k as f64, 100.0 * StepCounts::share_within(&found.apart, k));
        curves.push(Series { name: format!("{kind:?}"), points: (1..=12).map(share).collect() });
    }
    table.attach(
        "chung96-steps.svg",
        plot::lines("Pairs apart settled within k steps", "k", "per cent", &curves),
    );
    table
}

fn rules() -> Table {
    let mut table = Table::new(
        "Mean k of pairs apart and of pairs that meet, by rule; 500 vertices",
        &["shape", "step", "start", "hemisphere", "mean k apart", "mean k meeting", "largest k"],
    );
    let base = SeparatingVectorConfig::default();
    let variants = [
        base,
        SeparatingVectorConfig { step: StepRule::Conservative, ..base },
        SeparatingVectorConfig { step: StepRule::Blend(0.5), ..base },
        SeparatingVectorConfig { step: StepRule::Adaptive, ..base },
        SeparatingVectorConfig { start: StartRule::Boxes, ..base },
        SeparatingVectorConfig { start: StartRule::LeastOverlap, ..base },
        SeparatingVectorConfig { hemisphere: HemisphereMethod::HalfPlanes, ..base },
    ];
    for kind in [PolytopeKind::Ellipsoid, PolytopeKind::Plate, PolytopeKind::ThinRod] {
        for config in variants {
            let found = counts(kind, 500, &config);
            table.row([
                format!("{kind:?}"),
                format!("{:?}", config.step),
                format!("{:?}", config.start),
                format!("{:?}", config.hemisphere),
                format!("{:.3}", mean(&found.apart)),
                format!("{:.2}", mean(&found.meeting)),
                found.most().to_string(),
            ]);
        }
    }
    table
}

fn growth() -> Table {
    let mut table = Table::new(
        "Largest k by number of vertices. The text says: around 22 (ellipsoids), 20 to 40 (plates), 25 to 55 (rods)",
        &["vertices", "ellipsoid", "plate", "thin rod"],
    );
    let kinds = [PolytopeKind::Ellipsoid, PolytopeKind::Plate, PolytopeKind::ThinRod];
    let mut curves = kinds.map(|kind| Series { name: format!("{kind:?}"), points: Vec::new() });
    for vertices in [10, 20, 50, 100, 200, 500, 1000] {
        let most = kinds.map(|kind| counts(kind, vertices, &SeparatingVectorConfig::default()).most());
        for (curve, k) in curves.iter_mut().zip(most) {
            curve.points.push((f64::from(vertices), k as f64));
        }
        let most = most.map(|k| k.to_string());
        table.row([vertices.to_string()].into_iter().chain(most));
    }
    table.attach("chung96-largest-k.svg", plot::lines("Largest number of steps", "vertices", "k", &curves));
    table
}

fn mean(counts: &[usize]) -> f64 {
    let total: usize = counts.iter().sum();
    let steps: usize = counts.iter().enumerate().map(|(k, n)| k * n).sum();
    steps as f64 / total.max(1) as f64
}
