//! Curved bodies in motion by their relations at many times: no hit where they are apart, no miss where they overlap.

use super::solid::{Solid, any_pose};
use crate::body::{Body, BodyAnswer, relate};
use crate::math::round::power_of_two;
use crate::math::{Pose, Random};
use crate::pair::{ConvexRelation, Relation};
use crate::shape::sample::random_direction;
use crate::shape::{KindChoice, Mesh, MeshConfig, TriangleSoup};
use crate::spacetime::{Outcome, Translation, closest_approach, first_contact};
use glam::DVec3;

/// Times looked at.
const TIMES: usize = 16;

/// Two bodies of which B moves for one unit of time.
struct Case {
    a: Body,
    pose_a: Pose,
    b: Body,
    pose_b: Pose,
    velocity: DVec3,
    size: f64,
}

impl Case {
    /// Where B is at a time, rounded.
    fn pose_at(&self, t: f64) -> Pose {
        Pose::new(self.pose_b.rotation(), self.pose_b.translation() + self.velocity * t).expect("in range")
    }

    fn at(&self, t: f64) -> Result<BodyAnswer, String> {
        relate(&self.a, &self.pose_a, &self.b, &self.pose_at(t)).map_err(|error| error.to_string())
    }

    /// How fast they close in at a time; zero if that is not known.
    fn closing(&self, t: f64) -> Result<f64, String> {
        Ok(self.at(t)?.normal.map_or(0.0, |normal| -normal.dot(self.velocity)).max(0.0))
    }

    /// What rounding of places and answers may hide.
    fn blur(&self) -> f64 {
        let sizes = [self.pose_a.translation(), self.pose_b.translation(), self.velocity];
        1e-12 * sizes.iter().fold(self.size, |sum, v| sum + v.abs().element_sum())
    }

    fn check(&self) -> Result<(), String> {
        let motion = Translation::new(DVec3::ZERO, self.velocity, 0.0, 1.0).map_err(|e| e.to_string())?;
        let Case { a, pose_a, b, pose_b, .. } = self;
        let found = first_contact(a, pose_a, b, pose_b, &motion).map_err(|e| e.to_string())?;
        let back = first_contact(b, pose_b, a, pose_a, &motion.swapped()).map_err(|e| e.to_string())?;
        let near = closest_approach(a, pose_a, b, pose_b, &motion).map_err(|e| e.to_string())?;
        let blur = self.blur();
        let says = format!("{:?}, exchanged {:?}, {near:?}", found.outcome, back.outcome);
        let wrong = |what: &str, t: f64| Err(format!("{what} at {t}: {says}"));
        let (before, after) = match found.outcome {
            Outcome::None(_) => (1.0, f64::INFINITY),
            Outcome::HitBetween([lower, upper], _) => {
                // Wider only where rounding of places allows no less.
                let closing = self.closing(lower * (1.0 - 1e-6))?;
                if upper - lower > (1.1e-12 * upper).max((200.0 * blur / closing).min(1.1e-9)) {
                    return wrong("wide", upper);
                }
                (lower, upper)
            }
            Outcome::Hit(ref time, _) => time.bracket(),
            Outcome::Undecided(lower) => (lower, f64::INFINITY),
            Outcome::TouchingAtStart(_) | Outcome::OverlappingAtStart => (0.0, 0.0),
        };
        let (mut deepest, mut depth_known) = (0.0_f64, true);
        for i in 0..=TIMES {
            let t = i as f64 / TIMES as f64;
            let answer = self.at(t)?;
            let depth = answer.depth.map_or(0.0, |depth| depth.lower);
            let overlaps = answer.relation == ConvexRelation::Exact(Relation::Overlapping);
            depth_known &= !overlaps || answer.depth.is_some();
            deepest = deepest.max(depth);
            if overlaps && depth > blur && t < before {
                return wrong("a miss", t);
            }
            if answer.distance.upper + blur < near.distance.lower {
                return wrong("closer than told", t);
            }
        }
        if after.is_finite() && after > 0.0 {
            let answer = self.at(after)?;
            if answer.distance.lower > blur {
                return wrong("a false hit", after);
            }
            let early = self.at(before * (1.0 - 1e-6))?;
            if early.depth.is_some_and(|depth| depth.lower > blur) {
                return wrong("a late hit", before);
            }
        }
        let is_undecided = |outcome: &Outcome| matches!(outcome, Outcome::Undecided(_));
        if is_undecided(&found.outcome)
            && depth_known
            && deepest > 1e-4 * self.size
            && before > 0.0
            && self.closing(before * (1.0 - 1e-6))? > 1e-2 * self.velocity.length()
        {
            return wrong("undecided without grazing", before);
        }
        if std::mem::discriminant(&found.outcome) != std::mem::discriminant(&back.outcome)
            && !is_undecided(&found.outcome)
            && !is_undecided(&back.outcome)
        {
            return wrong("different if exchanged", before);
        }
        let distance = near.distance;
        if self.at(near.time)?.distance.lower > distance.upper + blur {
            return wrong("not so close then", near.time);
        }
        if distance.upper - distance.lower > 1e-9 * distance.upper + 10.0 * blur {
            return wrong("closest approach wide", near.time);
        }
        Ok(())
    }
}

/// A velocity: towards A, beside it, so that they graze, or any.
fn velocity(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose, size: f64, random: &mut Random) -> DVec3 {
    let towards = pose_a.translation() - pose_b.translation();
    let aside = random_direction(random) * size;
    match random.below(6) {
        0 => towards * 2.0,
        1 => towards + aside * random.range(0.0, 4.0),
        2 => -towards,
        3 => DVec3::ZERO,
        4 => {
            // Along the plane between them: they keep their distance, or nearly so.
            let normal =
                relate(a, pose_a, b, pose_b).ok().and_then(|answer| answer.normal).unwrap_or(DVec3::X);
            normal.any_orthonormal_vector() * size * 4.0
                - normal * size * [0.0, 1e-9, 1e-3][random.below(3) as usize]
        }
        _ => aside * random.range(0.0, 8.0),
    }
}

fn size(random: &mut Random) -> f64 {
    power_of_two([0, 0, -20, 20][random.below(4) as usize])
}

/// Spheres, capsules, cylinders, cones, ellipsoids, boxes and rounded bodies.
pub fn compare_convex(random: &mut Random) -> Result<(), String> {
    let size = size(random);
    let (solid_a, solid_b) = (Solid::random(random, size), Solid::random(random, size));
    let [a, b] = [&solid_a, &solid_b].map(|solid| Body::Convex(solid.convex()));
    let (pose_a, pose_b) = (any_pose(random, size), any_pose(random, 2.0 * size));
    let velocity = velocity(&a, &pose_a, &b, &pose_b, size, random);
    let case = Case { a, pose_a, b, pose_b, velocity, size };
    case.check().map_err(|what| {
        format!("{what}: {:?} at {pose_a:?}, {:?} at {pose_b:?}, {velocity:?}", solid_a.shape, solid_b.shape)
    })
}

/// A surface of a few triangles and a curved body.
pub fn compare_with_mesh(random: &mut Random) -> Result<(), String> {
    let size = size(random);
    let count = 1 + random.below(4) as u32;
    let positions: Vec<DVec3> =
        (0..count + 2).map(|_| random_direction(random) * (size * random.range(0.5, 2.0))).collect();
    let triangles = (0..count).map(|i| [i, i + 1, i + 2]).collect();
    let soup = TriangleSoup { positions: positions.clone(), triangles, parts: vec![] };
    let config = MeshConfig { kind: KindChoice::Surface, ..MeshConfig::default() };
    let Ok(mesh) = Mesh::build(&soup, &config) else { return Ok(()) };
    let solid = Solid::random(random, size);
    let a = Body::Mesh(Box::new(crate::mesh::TreeMesh::new(mesh)));
    let b = Body::Convex(solid.convex());
    let (pose_a, pose_b) = (any_pose(random, size), any_pose(random, 2.0 * size));
    let velocity = velocity(&a, &pose_a, &b, &pose_b, size, random);
    let case = Case { a, pose_a, b, pose_b, velocity, size };
    case.check().map_err(|what| {
        format!("{what}: {positions:?} at {pose_a:?}, {:?} at {pose_b:?}, {velocity:?}", solid.shape)
    })
}
