//! Pairs of sample polytopes at chosen separations, for every experiment with convex pairs.

use clearance::Pose;
use clearance::glam::{DQuat, DVec3};
use clearance::math::Random;
use clearance::pair::{Relation, relation};
use clearance::shape::sample::{PolytopeKind, random_polytope};
use clearance::support::SupportMap;

/// How two bodies lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regime {
    /// A gap of 0.05 to 0.3 of the size, boxes overlapping.
    Separated,
    /// A gap of at most 1e-3.
    Near,
    /// Overlapping by up to half of the size.
    Overlapping,
}

impl Regime {
    pub const ALL: [Regime; 3] = [Regime::Separated, Regime::Near, Regime::Overlapping];

    pub fn name(self) -> &'static str {
        match self {
            Regime::Separated => "separated",
            Regime::Near => "near",
            Regime::Overlapping => "overlapping",
        }
    }

    /// How far past first touch, along the line on which B approaches.
    pub fn offset(self, random: &mut Random) -> f64 {
        match self {
            Regime::Separated => random.range(0.05, 0.3),
            Regime::Near => 1e-3,
            Regime::Overlapping => random.range(-0.3, -0.02),
        }
    }
}

/// The three shapes of [Chung96 §6.2].
pub const KINDS: [(&str, PolytopeKind); 3] =
    [("ellipsoid", PolytopeKind::Ellipsoid), ("rod", PolytopeKind::ThinRod), ("plate", PolytopeKind::Plate)];

/// A pose as rotation and translation, for libraries that want quaternions.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    pub rotation: DQuat,
    pub translation: DVec3,
    pub pose: Pose,
}

impl Placement {
    pub fn new(rotation: DQuat, translation: DVec3) -> Placement {
        let pose = Pose::from_quaternion(rotation, translation).expect("a rotation");
        Placement { rotation, translation, pose }
    }
}

/// Two bodies (by index) and where they are.
pub struct Scene {
    pub bodies: (usize, usize),
    pub a: Placement,
    pub b: Placement,
}

/// Bodies of one kind and size.
pub fn bodies(kind: PolytopeKind, vertices: u32, count: u64) -> Vec<SupportMap> {
    (0..count).map(|seed| SupportMap::new(random_polytope(kind, vertices, seed).expect("a sample"))).collect()
}

/// `count` scenes of a regime.
pub fn scenes(bodies: &[SupportMap], regime: Regime, count: usize, seed: u64) -> Vec<Scene> {
    let mut random = Random::new(seed);
    let mut found = Vec::with_capacity(count);
    while found.len() < count {
        let pick = (random.below(bodies.len() as u64) as usize, random.below(bodies.len() as u64) as usize);
        let scene = approach(bodies, pick, regime, &mut random);
        let wanted = match regime {
            Regime::Overlapping => Relation::Overlapping,
            _ => Relation::Disjoint,
        };
        let (a, b) = (&bodies[scene.bodies.0], &bodies[scene.bodies.1]);
        let fits = regime != Regime::Separated || boxes_meet(a, &scene.a.pose, b, &scene.b.pose);
        if fits && relation(a, &scene.a.pose, b, &scene.b.pose) == wanted {
            found.push(scene);
        }
    }
    found
}

/// Whether the tightest boxes of the posed bodies overlap: what a broad phase would pass on.
pub fn boxes_meet(a: &SupportMap, pose_a: &Pose, b: &SupportMap, pose_b: &Pose) -> bool {
    let around = |map: &SupportMap, pose: &Pose| {
        clearance::Aabb::around(map.polytope().vertices().iter().map(|&v| pose.apply(v))).expect("vertices")
    };
    around(a, pose_a).meets(around(b, pose_b))
}

/// Moves B along a random line until it touches A, and then by the offset of the regime.
fn approach(bodies: &[SupportMap], pick: (usize, usize), regime: Regime, random: &mut Random) -> Scene {
    let (turn, along) = ([rotation(random), rotation(random)], direction(random));
    let touch = touch(bodies, pick, turn, along);
    let a = Placement::new(turn[0], DVec3::ZERO);
    Scene { bodies: pick, a, b: Placement::new(turn[1], along * (touch + regime.offset(random))) }
}

/// How far B must be moved along a line to be just apart from A.
pub fn touch(bodies: &[SupportMap], pick: (usize, usize), turn: [DQuat; 2], along: DVec3) -> f64 {
    let a = Placement::new(turn[0], DVec3::ZERO);
    let at = |t: f64| Placement::new(turn[1], along * t);
    let (mut inside, mut outside) = (0.0, 4.0);
    for _ in 0..40 {
        let middle = 0.5 * (inside + outside);
        let found = relation(&bodies[pick.0], &a.pose, &bodies[pick.1], &at(middle).pose);
        if found == Relation::Disjoint { outside = middle } else { inside = middle }
    }
    outside
}

pub fn direction(random: &mut Random) -> DVec3 {
    loop {
        let v = DVec3::from_array(std::array::from_fn(|_| random.range(-1.0, 1.0)));
        if (0.01..1.0).contains(&v.length_squared()) {
            return v.normalize();
        }
    }
}

pub fn rotation(random: &mut Random) -> DQuat {
    DQuat::from_axis_angle(direction(random), random.range(0.0, std::f64::consts::PI))
}
