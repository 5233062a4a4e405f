//! How close translating polytopes and meshes come, in integers: the point of a hull nearest to zero.

use super::cases::{Family, two_bodies};
use super::first_contact::{cross, dot, minus, motion, posed, rational};
use super::first_contact_mesh::{Case, convex_solids, surfaces};
use crate::body::Body;
use crate::math::{Pose, Random};
use crate::mesh::TreeMesh;
use crate::pair::{Bracket, Convex};
use crate::shape::Polytope;
use crate::spacetime::{ClosestApproach, Translation, closest_approach};
use dashu::integer::IBig;
use dashu::rational::RBig;
use glam::DVec3;

type Exact3 = [IBig; 3];

/// The difference of two bodies as integers over one scale, where they are at the start and how they move.
struct Difference {
    points: Vec<[RBig; 3]>,
    velocity: [RBig; 3],
}

impl Difference {
    fn new(
        (a, pose_a): (&[DVec3], &Pose),
        (b, pose_b): (&[DVec3], &Pose),
        velocities: [DVec3; 2],
    ) -> Difference {
        let minus = |p: &[RBig; 3], q: &[RBig; 3]| [0, 1, 2].map(|i| &p[i] - &q[i]);
        let at = |points: &[DVec3], pose| points.iter().map(|&v| posed(pose, v)).collect::<Vec<_>>();
        let (a, b) = (at(a, pose_a), at(b, pose_b));
        let points = a.iter().flat_map(|p| b.iter().map(move |q| minus(q, p))).collect();
        let [v_a, v_b] = velocities.map(|v| v.to_array().map(rational));
        Difference { points, velocity: minus(&v_b, &v_a) }
    }

    /// The square of the distance of zero from the hull of all points moved on by each of some times.
    fn distance_squared(&self, times: &[RBig]) -> RBig {
        let moved = |p: &[RBig; 3], s: &RBig| [0, 1, 2].map(|i| &p[i] + &self.velocity[i] * s);
        let all: Vec<[RBig; 3]> =
            times.iter().flat_map(|s| self.points.iter().map(move |p| moved(p, s))).collect();
        // All denominators are powers of two: the largest is a common one.
        let scale =
            all.iter().flatten().map(|x| IBig::from(x.denominator().clone())).max().expect("some number");
        let scale = RBig::from(scale);
        let integers: Vec<Exact3> =
            all.iter().map(|p| p.each_ref().map(|x| (x * &scale).numerator().clone())).collect();
        nearest_squared(&integers) / (&scale * &scale)
    }
}

/// A point of a hull over a positive denominator, and the vertices that it lies between.
struct Nearest {
    point: Exact3,
    denominator: IBig,
    vertices: Vec<Exact3>,
}

/// The square of the distance of zero from a hull: the nearest point of a few vertices, and then of one more that lies
/// before it, until there is none.
fn nearest_squared(points: &[Exact3]) -> RBig {
    let mut nearest = nearest_of(vec![points[0].clone()]);
    loop {
        let lowest = points.iter().min_by_key(|p| dot(&nearest.point, p)).expect("a point");
        // v . m < v . v with v = point / denominator.
        let is_before =
            dot(&nearest.point, lowest) * &nearest.denominator < dot(&nearest.point, &nearest.point);
        if !is_before {
            let square = &nearest.denominator * &nearest.denominator;
            return RBig::from(dot(&nearest.point, &nearest.point)) / RBig::from(square);
        }
        nearest.vertices.push(lowest.clone());
        nearest = nearest_of(nearest.vertices);
    }
}

/// The point nearest to zero of at most four: the nearest of all faces whose own nearest point lies inside them.
fn nearest_of(vertices: Vec<Exact3>) -> Nearest {
    let mut best: Option<Nearest> = None;
    for mask in 1..1usize << vertices.len() {
        let chosen: Vec<Exact3> =
            (0..vertices.len()).filter(|i| mask >> i & 1 == 1).map(|i| vertices[i].clone()).collect();
        let Some((point, denominator)) = foot(&chosen) else { continue };
        let found = Nearest { point, denominator, vertices: chosen };
        let square = |n: &Nearest| dot(&n.point, &n.point);
        let is_nearer = |old: &Nearest| {
            square(&found) * &old.denominator * &old.denominator
                < square(old) * &found.denominator * &found.denominator
        };
        if best.as_ref().is_none_or(is_nearer) {
            best = Some(found);
        }
    }
    best.expect("a vertex is a face")
}

/// The foot of zero in the flat of a face if it lies inside the face, as a vector over a positive number.
fn foot(face: &[Exact3]) -> Option<(Exact3, IBig)> {
    let zero = IBig::ZERO;
    match face {
        [p] => Some((p.clone(), IBig::ONE)),
        [p, q] => {
            let e = minus(q, p);
            let (length, place) = (dot(&e, &e), -dot(p, &e));
            (place > zero && place < length)
                .then(|| ([0, 1, 2].map(|i| &p[i] * &length + &e[i] * &place), length.clone()))
        }
        [p, q, r] => {
            let n = cross(&minus(q, p), &minus(r, p));
            let square = dot(&n, &n);
            let is_inside = [(p, q), (q, r), (r, p)].iter().all(|(s, t)| dot(&n, &cross(s, t)) > zero);
            let height = dot(&n, p);
            (square > zero && is_inside).then(|| (n.each_ref().map(|x| x * &height), square.clone()))
        }
        [p, q, r, s] => {
            let volume = |x: &Exact3, y: &Exact3, z: &Exact3| dot(x, &cross(y, z));
            let signs = [volume(q, r, s), -volume(p, r, s), volume(p, q, s), -volume(p, q, r)];
            let is_inside = signs.iter().all(|v| *v > zero) || signs.iter().all(|v| *v < zero);
            is_inside.then(|| ([0, 0, 0].map(IBig::from), IBig::ONE))
        }
        _ => None,
    }
}

/// A motion over some time.
fn translation(velocities: [DVec3; 2], random: &mut Random) -> Result<Translation, String> {
    let t0 = [0.0, 0.0, 1.0, -0.5][random.below(4) as usize];
    let t1 = t0 + [1.0, 0.25, 4.0, 0.0][random.below(4) as usize];
    Translation::new(velocities[0], velocities[1], t0, t1).map_err(|error| error.to_string())
}

/// Whether a bracket holds the root of a square.
fn holds(bracket: Bracket, square: &RBig) -> bool {
    let below = |x: f64| rational(x) * rational(x);
    bracket.lower >= 0.0 && below(bracket.lower) <= *square && *square <= below(bracket.upper)
}

/// What an answer has to be.
struct Truth<'a> {
    pairs: &'a [Difference],
    motion: Translation,
    /// What rounding is relative to.
    size: f64,
}

impl Truth<'_> {
    fn check(&self, found: &ClosestApproach, is_narrow: bool) -> Result<(), String> {
        let duration = rational(self.motion.t1()) - rational(self.motion.t0());
        let least = |times: &[RBig]| self.pairs.iter().map(|pair| pair.distance_squared(times)).min();
        let square = least(&[RBig::ZERO, duration]).expect("a pair");
        let Bracket { lower, upper } = found.distance;
        if !holds(found.distance, &square) {
            return Err(format!("not in the bracket: {}", square.to_f64().value().sqrt()));
        }
        if square == RBig::ZERO && upper != 0.0 {
            return Err("they meet".into());
        }
        if is_narrow && upper - lower > 1e-9 * upper + 1e-13 * self.size {
            return Err("not narrow".into());
        }
        let then = least(&[rational(found.time) - rational(self.motion.t0())]).expect("a pair");
        // Times of contact are known to 1e-10.
        let allowed = upper * (1.0 + 1e-9) + 2e-10 * self.size;
        let is_then = then <= rational(allowed) * rational(allowed);
        if is_then || !is_narrow { Ok(()) } else { Err("not so close at that time".into()) }
    }
}

/// Families whose coordinates are all of about one size.
fn is_even(family: Family) -> bool {
    matches!(family, Family::Uniform | Family::SmallIntegers | Family::Ulps)
}

/// Polytopes of every family and dimension, also scaled, with their bodies exchanged and moved along together.
pub fn compare_polytopes(random: &mut Random) -> Result<(), String> {
    // Numbers of all sizes at once take integers of thousands of digits.
    let even = [Family::Uniform, Family::SmallIntegers, Family::Ulps][random.below(3) as usize];
    let family = if random.below(16) == 0 { Family::any(random) } else { even };
    let ((a, pose_a), (b, pose_b)) = two_bodies(family, 4, random);
    let world = |p: &Polytope, pose: &Pose| p.vertices().iter().map(|&v| pose.apply(v)).collect::<Vec<_>>();
    let (world_a, world_b) = (world(&a, &pose_a), world(&b, &pose_b));
    let velocities = motion(family, &world_a, &world_b, random);
    let moved = translation(velocities, random)?;
    let pairs = [Difference::new((a.vertices(), &pose_a), (b.vertices(), &pose_b), velocities)];
    let [body_a, body_b] = [&a, &b].map(|p| Body::Convex(Convex::from_polytope(p.clone())));
    let truth = Truth { pairs: &pairs, motion: moved, size: size(world_a.iter().chain(&world_b), &moved) };
    let context = |what: String| {
        let (v, w) = (a.vertices(), b.vertices());
        format!(
            "{what}: {family:?} {v:?} {pose_a:?} {w:?} {pose_b:?} {velocities:?} {}..{}",
            moved.t0(),
            moved.t1()
        )
    };
    let forth = closest_approach(&body_a, &pose_a, &body_b, &pose_b, &moved).map_err(|e| e.to_string())?;
    let back =
        closest_approach(&body_b, &pose_b, &body_a, &pose_a, &moved.swapped()).map_err(|e| e.to_string())?;
    for found in [forth, back] {
        truth.check(&found, is_even(family)).map_err(|what| context(format!("{what}, {found:?}")))?;
    }
    Ok(())
}

fn size<'a>(points: impl Iterator<Item = &'a DVec3>, motion: &Translation) -> f64 {
    let largest = points.fold(0.0, |size: f64, p| size.max(p.abs().element_sum()));
    let velocity = motion.velocity_a().abs() + motion.velocity_b().abs();
    largest + velocity.element_sum() * (motion.t1() - motion.t0())
}

/// Surfaces of a few triangles, by all pairs of these.
pub fn compare_surfaces(random: &mut Random) -> Result<(), String> {
    let Some(case) = surfaces(random) else { return Ok(()) };
    let count = |mesh: &TreeMesh| mesh.mesh().triangles().len();
    let all = (0..count(&case.a)).flat_map(|t| (0..count(&case.b)).map(move |u| (t, u)));
    let of = |(t, u): (usize, usize)| {
        let (x, y) = (case.a.mesh().triangle(t), case.b.mesh().triangle(u));
        Difference::new((&x, &case.pose_a), (&y, &case.pose_b), case.velocities)
    };
    compare_meshes(&case, &all.map(of).collect::<Vec<_>>(), random)
}

/// Convex solids as meshes, by their vertices.
pub fn compare_solids(random: &mut Random) -> Result<(), String> {
    let Some((case, x, y)) = convex_solids(random)? else { return Ok(()) };
    let pair = Difference::new((x.vertices(), &case.pose_a), (y.vertices(), &case.pose_b), case.velocities);
    compare_meshes(&case, &[pair], random)
}

fn compare_meshes(case: &Case, pairs: &[Difference], random: &mut Random) -> Result<(), String> {
    let Case { a, pose_a, b, pose_b, velocities } = case;
    let moved = translation(*velocities, random)?;
    let points = |mesh: &TreeMesh, pose: &Pose| {
        mesh.mesh().positions().iter().map(|&v| pose.apply(v)).collect::<Vec<_>>()
    };
    let (world_a, world_b) = (points(a, pose_a), points(b, pose_b));
    let truth = Truth { pairs, motion: moved, size: size(world_a.iter().chain(&world_b), &moved) };
    let [body_a, body_b] = [a, b].map(|mesh| Body::Mesh(Box::new(mesh.clone())));
    let forth = closest_approach(&body_a, pose_a, &body_b, pose_b, &moved).map_err(|e| e.to_string())?;
    let back =
        closest_approach(&body_b, pose_b, &body_a, pose_a, &moved.swapped()).map_err(|e| e.to_string())?;
    for found in [forth, back] {
        truth.check(&found, true).map_err(|what| {
            let mesh = |m: &TreeMesh| format!("{:?} {:?}", m.mesh().positions(), m.mesh().triangles());
            format!("{what}, {found:?}: {} {pose_a:?} {} {pose_b:?} {moved:?}", mesh(a), mesh(b))
        })?;
    }
    Ok(())
}
