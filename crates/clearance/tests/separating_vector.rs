//! The separating vector algorithm against the oracle, with every start, step and hemisphere method and any memory.

use clearance::Pose;
use clearance::glam::{DMat3, DVec3};
use clearance::math::Random;
use clearance::oracle::cases::{Family, nudge, two_bodies, two_tiny_bodies};
use clearance::oracle::relation::relation;
use clearance::pair::{
    Candidate, HemisphereMethod, Relation, SeparatingVectorConfig, SeparatingVectorOutcome, StartRule,
    StepRule, distance, separating_vector,
};
use clearance::shape::Polytope;
use clearance::support::SupportMap;
use clearance::witness::PosedPair;

const HEMISPHERES: [HemisphereMethod; 2] = [HemisphereMethod::Bisector, HemisphereMethod::HalfPlanes];
const STARTS: [StartRule; 3] = [StartRule::Centroids, StartRule::Boxes, StartRule::LeastOverlap];
const STEPS: [StepRule; 5] =
    [StepRule::Greedy, StepRule::Conservative, StepRule::Blend(0.5), StepRule::Adaptive, StepRule::Mirrored];

fn configs() -> Vec<SeparatingVectorConfig> {
    let mut all = Vec::new();
    for hemisphere in HEMISPHERES {
        for start in STARTS {
            all.extend(STEPS.map(|step| SeparatingVectorConfig { step, start, hemisphere }));
        }
    }
    all
}

/// Nothing, vertices that are not there, directions of any size, zero and not numbers.
fn memories(random: &mut Random) -> [Option<Candidate>; 3] {
    let any = |random: &mut Random| {
        let direction =
            Family::any(random).point(random) * [1.0, 1e-300, 1e218, 1e300][random.below(4) as usize];
        let direction = [direction, direction, DVec3::ZERO, DVec3::NAN][random.below(4) as usize];
        let [vertex_a, vertex_b] = [(); 2].map(|()| random.below(9) as u32);
        Some(Candidate { direction, vertex_a, vertex_b })
    };
    [None, any(random), any(random)]
}

/// What was found of pairs.
#[derive(Debug, Default)]
struct Counts {
    separated: u64,
    surrounded: u64,
    open: u64,
    /// Surrounded, so far as floats can tell, but apart by this part of the size of the pair at most.
    wrong: u64,
    farthest_wrong: f64,
    /// Open, but not touching.
    given_up: u64,
}

type Placed = (SupportMap, Pose);

/// One pair through one search. `Separated` must be true. `Surrounded` is a proposal: hemispheres are floats.
fn check(
    (a, b): (&Placed, &Placed),
    truth: Relation,
    config: &SeparatingVectorConfig,
    remembered: Option<Candidate>,
    counts: &mut Counts,
) {
    let found = separating_vector(&a.0, &a.1, &b.0, &b.1, config, remembered);
    let pair = PosedPair { a: a.0.polytope(), pose_a: &a.1, b: b.0.polytope(), pose_b: &b.1 };
    let what = || format!("{config:?} {remembered:?} {found:?}");
    let differences = pair.a.vertices().len() * pair.b.vertices().len();
    // Every second step at least finds a new difference.
    assert!(found.steps <= 2 * differences + 2, "{}", what());
    match &found.outcome {
        SeparatingVectorOutcome::Separated(witness) => {
            counts.separated += 1;
            assert_eq!(truth, Relation::Disjoint, "{}", what());
            assert!(witness.check(&pair).is_ok_and(|gap| gap.is_positive()), "{}", what());
        }
        SeparatingVectorOutcome::Surrounded(_) => {
            counts.surrounded += 1;
            if truth == Relation::Disjoint {
                let size =
                    a.0.reach() + b.0.reach() + (b.1.translation() - a.1.translation()).abs().max_element();
                let part = distance(&a.0, &a.1, &b.0, &b.1).lower / size;
                counts.wrong += 1;
                counts.farthest_wrong = counts.farthest_wrong.max(part);
            }
        }
        SeparatingVectorOutcome::Open(_) => {
            counts.open += 1;
            counts.given_up += u64::from(truth != Relation::Touching);
        }
    }
}

fn check_all(
    ((a, pose_a), (b, pose_b)): ((Polytope, Pose), (Polytope, Pose)),
    random: &mut Random,
    counts: &mut Counts,
) {
    let truth = relation(&PosedPair { a: &a, pose_a: &pose_a, b: &b, pose_b: &pose_b });
    let (a, b) = ((SupportMap::new(a), pose_a), (SupportMap::new(b), pose_b));
    for config in configs() {
        for remembered in memories(random) {
            check((&a, &b), truth, &config, remembered, counts);
        }
    }
}

/// B as it is, but so that it touches A, or nearly so, where it is closest to A.
fn closer(
    (a, b): ((Polytope, Pose), (Polytope, Pose)),
    random: &mut Random,
) -> ((Polytope, Pose), (Polytope, Pose)) {
    let (map_a, map_b) = (SupportMap::new(a.0.clone()), SupportMap::new(b.0.clone()));
    let found = distance(&map_a, &a.1, &map_b, &b.1);
    let way = (found.point_a - found.point_b)
        * (1.0 - random.range(-1.0, 1.0) * 10f64.powi(-(random.below(17) as i32)));
    let place = (b.1.translation() + way).to_array().map(|x| nudge(x, random.below(3) as i64 - 1));
    let pose_b = Pose::new(b.1.rotation(), DVec3::from_array(place)).unwrap_or(b.1);
    (a, (b.0, pose_b))
}

#[test]
fn what_is_separated_is_disjoint_and_what_is_surrounded_nearly_always_meets() {
    let mut random = Random::new(17);
    let mut families: [(&str, Counts); 4] =
        ["moderate", "closer", "of all families", "tiny"].map(|name| (name, Counts::default()));
    for round in 0..10_000 {
        let moderate = [Family::Uniform, Family::SmallIntegers, Family::Ulps][round / 4 % 3];
        let pair = match round % 4 {
            0 => two_bodies(moderate, 7, &mut random),
            1 => closer(two_bodies(moderate, 7, &mut random), &mut random),
            2 => two_bodies(Family::any(&mut random), 7, &mut random),
            _ => two_tiny_bodies(&mut random),
        };
        check_all(pair, &mut random, &mut families[round % 4].1);
    }
    for (name, counts) in &families {
        println!("{name}: {counts:?}");
        // Differences are rounded before a half-space is looked for, so that of bodies apart by less none may be found.
        assert!(
            counts.farthest_wrong < 4.0 * f64::EPSILON && counts.wrong * 50 < counts.surrounded.max(50),
            "{name}"
        );
        assert!(counts.separated > 1000 && counts.open > 1000, "{name}");
    }
    assert_eq!(families[0].1.wrong, 0, "gaps that are no smaller than coordinates");
}

/// Two points that are one, far out; B is turned. A gap that overflows on the way is infinite against an error that is not:
/// it is no proof, and neither is one along a direction so small that turning it loses bits.
#[test]
fn an_absurd_direction_proves_nothing() {
    let (point, far) = (|p: DVec3| SupportMap::new(Polytope::hull(&[p]).expect("a point")), 2f64.powi(300));
    let pose_b =
        Pose::new(DMat3::from_cols(DVec3::Y, DVec3::Z, DVec3::X), DVec3::splat(far)).expect("a turn");
    let (a, b) = ((point(DVec3::ZERO), Pose::IDENTITY), (point(DVec3::splat(-far)), pose_b));
    for size in [2f64.powi(723), 1e300, 1.0, 1e-300, 5e-324] {
        // The sum of two products overflows, and would not in the order that B takes them in.
        for direction in [DVec3::new(1.0, 1.0, -1.5), DVec3::X, DVec3::new(-1.0, 1e-9, 0.5)] {
            let remembered = Some(Candidate { direction: direction * size, vertex_a: 0, vertex_b: 0 });
            for config in configs() {
                let found = separating_vector(&a.0, &a.1, &b.0, &b.1, &config, remembered);
                let is_separated = matches!(found.outcome, SeparatingVectorOutcome::Separated(_));
                assert!(!is_separated, "{config:?} {direction} {size}");
            }
        }
    }
}
