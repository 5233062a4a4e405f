//! Named cases with answers that people worked out, through every query, at several scales, turned, in both orders.

use clearance::Pose;
use clearance::glam::{DMat3, DVec3};
use clearance::oracle::distance::distance_squared;
use clearance::oracle::primitive::exact;
use clearance::pair::{
    GilbertCache, PenetrationCache, Relation, Tracker, TrackerMode, distance, distance_with, penetration,
    penetration_with, relation, relation_with_witness,
};
use clearance::shape::Polytope;
use clearance::support::SupportMap;
use clearance::witness::PosedPair;
use dashu::rational::RBig;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Corpus {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    /// Why the case is there, or why its answer is right.
    #[serde(default)]
    #[expect(dead_code, reason = "for readers")]
    reason: String,
    a: Body,
    b: Body,
    relation: Expected,
    /// Squares of what must lie in the brackets, as quotients of integers.
    distance_squared: Option<String>,
    depth_squared: Option<String>,
    /// Powers of two by which everything is scaled.
    #[serde(default = "usual_scales")]
    scales: Vec<i32>,
}

fn usual_scales() -> Vec<i32> {
    vec![-20, 0, 20]
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    points: Option<Vec<[f64; 3]>>,
    /// Full edge lengths, centred.
    #[serde(rename = "box")]
    edges: Option<[f64; 3]>,
    #[serde(default)]
    at: [f64; 3],
    /// Twelve numbers by rows, instead of `at`.
    pose: Option<[f64; 12]>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Expected {
    Disjoint,
    Touching,
    Overlapping,
}

impl From<Expected> for Relation {
    fn from(expected: Expected) -> Relation {
        match expected {
            Expected::Disjoint => Relation::Disjoint,
            Expected::Touching => Relation::Touching,
            Expected::Overlapping => Relation::Overlapping,
        }
    }
}

/// A body scaled by a power of two and turned by an exact quarter turn.
struct Placed {
    map: SupportMap,
    pose: Pose,
}

impl Body {
    fn placed(&self, scale: f64, turn: DMat3) -> Placed {
        let points: Vec<DVec3> = match (&self.points, self.edges) {
            (Some(points), None) => points.iter().map(|&p| DVec3::from_array(p)).collect(),
            (None, Some(edges)) => {
                let half = 0.5 * DVec3::from_array(edges);
                let sign = |i: usize, axis: usize| if i >> axis & 1 == 1 { 1.0 } else { -1.0 };
                (0..8).map(|i| half * DVec3::new(sign(i, 0), sign(i, 1), sign(i, 2))).collect()
            }
            _ => panic!("a body has either `points` or `box`"),
        };
        let rows = self.pose.unwrap_or_else(|| {
            let [x, y, z] = self.at;
            [1.0, 0.0, 0.0, x, 0.0, 1.0, 0.0, y, 0.0, 0.0, 1.0, z]
        });
        let row = |i: usize| DVec3::new(rows[4 * i], rows[4 * i + 1], rows[4 * i + 2]);
        let rotation = DMat3::from_cols(row(0), row(1), row(2)).transpose();
        let translation = DVec3::new(rows[3], rows[7], rows[11]);
        // Signed permutations and powers of two: nothing is rounded.
        let pose = Pose::new(turn * rotation, turn * translation * scale).expect("a rotation");
        let scaled: Vec<DVec3> = points.iter().map(|&p| p * scale).collect();
        Placed { map: SupportMap::new(Polytope::hull(&scaled).expect("points")), pose }
    }
}

fn cases() -> Vec<(String, Case)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let mut cases = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|e| e == "toml")) {
        let text = std::fs::read_to_string(file).unwrap();
        let corpus: Corpus =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
        cases.extend(corpus.case.into_iter().map(|case| (format!("{stem}: {}", case.name), case)));
    }
    cases
}

/// No turn, and two that mix all axes.
fn turns() -> [DMat3; 3] {
    [
        DMat3::IDENTITY,
        DMat3::from_cols(DVec3::Y, DVec3::Z, DVec3::X),
        DMat3::from_cols(DVec3::NEG_Y, DVec3::X, DVec3::Z),
    ]
}

/// Runs a check on every case, scale, turn and order.
fn every_way(mut check: impl FnMut(&str, &Case, f64, &Placed, &Placed)) {
    let cases = cases();
    assert!(cases.len() > 80, "{} cases", cases.len());
    for (name, case) in &cases {
        for &exponent in &case.scales {
            for (i, turn) in turns().into_iter().enumerate() {
                let scale = 2f64.powi(exponent);
                let [a, b] = [&case.a, &case.b].map(|body| body.placed(scale, turn));
                let name = format!("{name} (scale 2^{exponent}, turn {i})");
                check(&name, case, scale, &a, &b);
                check(&format!("{name}, swapped"), case, scale, &b, &a);
            }
        }
    }
}

#[test]
fn relations_are_as_written_and_their_witnesses_hold() {
    // One tracker sees all cases: its memory is always that of other bodies.
    let modes = [TrackerMode::SeparatingVector, TrackerMode::Gilbert, TrackerMode::Combined];
    let mut poisoned = modes.map(Tracker::new);
    every_way(|name, case, _, a, b| {
        let expected = Relation::from(case.relation);
        assert_eq!(relation(&a.map, &a.pose, &b.map, &b.pose), expected, "{name}");
        let pair = PosedPair { a: a.map.polytope(), pose_a: &a.pose, b: b.map.polytope(), pose_b: &b.pose };
        let witness = relation_with_witness(&a.map, &a.pose, &b.map, &b.pose);
        assert_eq!(witness.relation(), expected, "{name}");
        assert_eq!(witness.check(&pair), Ok(()), "{name}");
        for (mode, poisoned) in modes.into_iter().zip(&mut poisoned) {
            let mut fresh = Tracker::new(mode);
            for state in ["fresh", "warm"] {
                let found = fresh.relation(&a.map, &a.pose, &b.map, &b.pose);
                assert_eq!(found, expected, "{name}: {state} {mode:?}");
            }
            let found = poisoned.relation(&a.map, &a.pose, &b.map, &b.pose);
            assert_eq!(found, expected, "{name}: poisoned {mode:?}");
            let found = poisoned.update(&a.map, &a.pose, &b.map, &b.pose).relation();
            assert_eq!(found, expected, "{name}: updated {mode:?}");
        }
    });
}

#[test]
fn distances_are_as_written() {
    let mut poisoned = GilbertCache::default();
    every_way(|name, case, scale, a, b| {
        let fresh = distance(&a.map, &a.pose, &b.map, &b.pose);
        let warm = distance_with(&a.map, &a.pose, &b.map, &b.pose, &Default::default(), &mut poisoned);
        let pair = PosedPair { a: a.map.polytope(), pose_a: &a.pose, b: b.map.polytope(), pose_b: &b.pose };
        let truth = distance_squared(&pair);
        for found in [fresh, warm] {
            let is_disjoint = Relation::from(case.relation) == Relation::Disjoint;
            assert_eq!(found.upper > 0.0, is_disjoint, "{name}: {found:?}");
            assert!(truth.compare(found.lower) <= clearance::exact::Sign::Zero, "{name}: {found:?}");
            assert!(truth.compare(found.upper) >= clearance::exact::Sign::Zero, "{name}: {found:?}");
            if let Some(square) = &case.distance_squared {
                assert_brackets(found.lower, found.upper, square, scale, name);
            }
        }
    });
}

#[test]
fn depths_are_as_written() {
    let mut poisoned = PenetrationCache::default();
    every_way(|name, case, scale, a, b| {
        let fresh = penetration(&a.map, &a.pose, &b.map, &b.pose);
        let used = penetration_with(&a.map, &a.pose, &b.map, &b.pose, &mut poisoned);
        assert_eq!(fresh, used, "{name}: a used cache changes the answer");
        assert_eq!(fresh.is_some(), Relation::from(case.relation) == Relation::Overlapping, "{name}");
        if let (Some(found), Some(square)) = (fresh, &case.depth_squared) {
            assert_brackets(found.lower, found.upper, square, scale, name);
        }
    });
}

/// Whether the root of a quotient, scaled, lies between two floats, at most `1e-9` of it apart.
fn assert_brackets(lower: f64, upper: f64, square: &str, scale: f64, name: &str) {
    let number = |text: &str| text.trim().parse::<RBig>().unwrap_or_else(|_| panic!("{name}: `{text}`"));
    let truth = number(square) * exact(scale).sqr();
    assert!(exact(lower).sqr() <= truth && truth <= exact(upper).sqr(), "{name}: {lower:e} {upper:e}");
    assert!(upper - lower <= 1.000_001e-9 * upper, "{name}: {lower:e} {upper:e}");
}
