//! How many directions the separating vector algorithm tries [Chung96 §6.2.1], beside what the paper's text states.
//! Its figures are not in the text; the curves are ours.

use crate::plot::{self, Series};
use crate::table::Table;
use clearance::oracle::environment::{Environment, EnvironmentConfig, StepCounts};
use clearance::pair::{HemisphereMethod, SeparatingVectorConfig, StartRule, StepRule};
use clearance::shape::sample::PolytopeKind;

/// A reversed body goes back the way it came: frames of one room say less and less, so there are several rooms.
const ROOMS: u64 = 5;
const FRAMES: usize = 120;
const DENSITY: f64 = 0.3;
const KINDS: [PolytopeKind; 4] =
    [PolytopeKind::Ellipsoid, PolytopeKind::Plate, PolytopeKind::ThickRod, PolytopeKind::ThinRod];

fn counts(kind: PolytopeKind, vertices: u32, density: f64, config: &SeparatingVectorConfig) -> StepCounts {
    let mut counts = StepCounts::default();
    for seed in 0..ROOMS {
        let room =
            EnvironmentConfig { kind, vertices, bodies: 500, density, speed: 0.05, degrees: 10.0, seed };
        let mut environment = Environment::new(&room).expect("samples of this size exist");
        // Bodies meet as often in a room that is less dense, if it is looked at for longer.
        counts += environment.count_steps((FRAMES as f64 * DENSITY / density) as usize, config);
    }
    counts
}

fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// Three digits, for what is about a thousandth.
fn rare(share: f64) -> String {
    format!("{:.3} %", 100.0 * share)
}

/// The paper's search, and ours, with their names.
fn searches() -> [(&'static str, SeparatingVectorConfig); 2] {
    [("greedy", SeparatingVectorConfig::CHUNG), ("mirrored", SeparatingVectorConfig::default())]
}

pub fn run() -> Vec<Table> {
    let mut tables = vec![shapes(), densities()];
    tables.extend(searches().map(|(name, config)| growth(name, &config)));
    tables.push(rules());
    tables
}

fn shapes() -> Table {
    let mut table = Table::new(
        "Steps k, 500 vertices, 5 % of the radius and 10 degrees a frame; 500 bodies in each of 5 rooms, which balls around them \
         would fill to 30 %, 120 frames each. The text says: apart within 3 more than 95 %, ellipsoids within 4 more than 99 %, all within 3 more than 80 %, recurrences \
         below 0.1 %",
        &[
            "shape",
            "steps",
            "pairs apart",
            "k = 1",
            "k <= 3",
            "k <= 4",
            "all, k <= 3",
            "recurrences",
            "largest k",
        ],
    );
    let mut curves = Vec::new();
    for (kind, (name, config)) in KINDS.iter().flat_map(|&kind| searches().map(|search| (kind, search))) {
        let found = counts(kind, 500, DENSITY, &config);
        let apart = |k| percent(StepCounts::share_within(&found.apart, k));
        table.row([
            format!("{kind:?}"),
            name.into(),
            found.apart.iter().sum::<usize>().to_string(),
            apart(1),
            apart(3),
            apart(4),
            percent(StepCounts::share_within(&found.all(), 3)),
            rare(found.recurrence_share()),
            found.most().to_string(),
        ]);
        let share = |k: usize| (k as f64, 100.0 * StepCounts::share_within(&found.apart, k));
        if config == SeparatingVectorConfig::CHUNG {
            curves.push(Series { name: format!("{kind:?}"), points: (1..=12).map(share).collect() });
        }
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
    let base = SeparatingVectorConfig::CHUNG;
    let variants = [
        base,
        SeparatingVectorConfig { step: StepRule::Mirrored, ..base },
        SeparatingVectorConfig { step: StepRule::Conservative, ..base },
        SeparatingVectorConfig { step: StepRule::Blend(0.25), ..base },
        SeparatingVectorConfig { step: StepRule::Blend(0.5), ..base },
        SeparatingVectorConfig { step: StepRule::Blend(0.75), ..base },
        SeparatingVectorConfig { step: StepRule::Adaptive, ..base },
        SeparatingVectorConfig { start: StartRule::Boxes, ..base },
        SeparatingVectorConfig { start: StartRule::LeastOverlap, ..base },
        SeparatingVectorConfig { hemisphere: HemisphereMethod::HalfPlanes, ..base },
    ];
    for kind in KINDS {
        for config in variants {
            let found = counts(kind, 500, DENSITY, &config);
            table.row([
                format!("{kind:?}"),
                format!("{:?}", config.step),
                format!("{:?}", config.start),
                format!("{:?}", config.hemisphere),
                format!("{:.4}", mean(&found.apart)),
                format!("{:.3}", mean(&found.meeting)),
                found.most().to_string(),
            ]);
        }
    }
    table
}

fn densities() -> Table {
    let mut table = Table::new(
        "The same with greedy steps, by density: the part of the room that balls around the bodies would fill. The text gives none",
        &["shape", "density", "pairs apart", "k = 1", "k <= 3", "all, k <= 3", "recurrences", "largest k"],
    );
    for kind in KINDS {
        for density in [0.5, 0.3, 0.1, 0.03, 0.01] {
            let found = counts(kind, 500, density, &SeparatingVectorConfig::CHUNG);
            table.row([
                format!("{kind:?}"),
                density.to_string(),
                found.apart.iter().sum::<usize>().to_string(),
                percent(StepCounts::share_within(&found.apart, 1)),
                percent(StepCounts::share_within(&found.apart, 3)),
                percent(StepCounts::share_within(&found.all(), 3)),
                rare(found.recurrence_share()),
                found.most().to_string(),
            ]);
        }
    }
    table
}

fn growth(steps: &str, config: &SeparatingVectorConfig) -> Table {
    let title = format!(
        "Largest k and recurrences by number of vertices, {steps} steps. The text says: around 22 (ellipsoids), 20 to 40 (plates), 25 to 55 (rods); \
         below 0.1 %"
    );
    let mut table = Table::new(
        &title,
        &[
            "vertices",
            "ellipsoid",
            "plate",
            "thick rod",
            "thin rod",
            "ellipsoid",
            "plate",
            "thick rod",
            "thin rod",
        ],
    );
    let mut curves = KINDS.map(|kind| Series { name: format!("{kind:?}"), points: Vec::new() });
    for vertices in [10, 20, 50, 100, 200, 500, 1000, 2000] {
        let found = KINDS.map(|kind| counts(kind, vertices, DENSITY, config));
        for (curve, found) in curves.iter_mut().zip(&found) {
            curve.points.push((f64::from(vertices), found.most() as f64));
        }
        let most = found.iter().map(|found| found.most().to_string());
        let recurrences = found.iter().map(|found| rare(found.recurrence_share()));
        table.row([vertices.to_string()].into_iter().chain(most).chain(recurrences));
    }
    let file = &format!("chung96-largest-k-{steps}.svg");
    table.attach(file, plot::lines("Largest number of steps", "vertices", "k", &curves));
    table
}

fn mean(counts: &[usize]) -> f64 {
    let total: usize = counts.iter().sum();
    let steps: usize = counts.iter().enumerate().map(|(k, n)| k * n).sum();
    steps as f64 / total.max(1) as f64
}
