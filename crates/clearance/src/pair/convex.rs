//! Any two convex bodies: rounded or not, bounded or not.
//!
//! A ball is a point and a radius, a capsule a segment and a radius, a rounded polytope a polytope and a radius. Their
//! distance is that of the cores minus the radii. The relation follows where the bracket of that number does not
//! contain zero; where it does, integers decide between polytopes with balls around, and with curved cores the answer says so with the
//! width, and never guesses.

use super::curved::{Curved, relate_curved};
use super::distance::distance_squared_exactly;
use super::normal::{apart_normal, rounded_direction, size_of};
use super::relation::{Relation, Witness, relation_with_witness};
use super::unbounded::{self, Unbounded};
use super::{Distance, DistanceConfig, GilbertCache, distance_with, penetration};
use crate::exact::{Clearing, Sign};
use crate::math::Pose;
use crate::math::round::add_up;
use crate::shape::{Mesh, MeshKind, Polytope, Primitive, RoundedCore, Shape};
use crate::support::SupportMap;
use crate::witness::PosedPair;
use glam::DVec3;

/// A convex body ready to be related to another: a core, and a ball that rounds it.
///
/// ```
/// use clearance::{Pose, glam::DVec3, pair::{Convex, ConvexRelation, Relation, relate}, shape::{Primitive, Shape, Sphere}};
/// let ball = Shape::from(Primitive::from(Sphere::new(1.0)?));
/// let ball = Convex::try_from(&ball)?;
/// let away = Pose::from_translation(DVec3::new(0.0, 3.0, 4.0))?;
/// let answer = relate(&ball, &Pose::IDENTITY, &ball, &away)?;
/// assert_eq!(answer.relation, ConvexRelation::Exact(Relation::Disjoint));
/// assert!(answer.distance.lower <= 3.0 && 3.0 <= answer.distance.upper);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Convex {
    core: Core,
    /// The core's own radius and the rounding, each zero if there is none; their sum is exact nowhere but in the mind.
    radii: [f64; 2],
    kind: &'static str,
}

#[derive(Clone, Debug)]
enum Core {
    Polytope(Box<SupportMap>),
    Unbounded(Unbounded),
    /// A cylinder, cone or ellipsoid.
    Curved(Primitive),
}

/// Why a shape cannot be related.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConvexError {
    /// A mesh that is no convex solid.
    #[error(
        "the {kind} is not convex; ask `body::relate`, which takes any mesh (see docs/meshes.md), or relate its convex hull"
    )]
    NotConvex {
        /// `solid` or `surface`.
        kind: &'static str,
    },
    /// Two bodies that cannot be related to each other because one is too large for hulls of points on it.
    #[error(
        "a {kind_a} and a {kind_b} cannot be related: one reaches beyond the largest coordinates, 2^300; choose a larger \
         unit of length"
    )]
    Pair {
        /// Body A.
        kind_a: &'static str,
        /// Body B.
        kind_b: &'static str,
    },
    /// A shape beyond the limits of coordinates.
    #[error("the {kind} reaches beyond the largest coordinates, 2^300; choose a larger unit of length")]
    TooLarge {
        /// Its kind.
        kind: &'static str,
    },
}

/// Numbers around the truth, both proved: `lower <= truth <= upper`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bracket {
    /// Never above the truth.
    pub lower: f64,
    /// Never below the truth.
    pub upper: f64,
}

impl Bracket {
    /// Zero, exactly.
    pub const ZERO: Bracket = Bracket { lower: 0.0, upper: 0.0 };
}

/// How two convex bodies lie to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ConvexRelation {
    /// Decided.
    Exact(Relation),
    /// Not decided: the bodies are disjoint by less than the width, touch, or overlap by less than it.
    TouchingWithin {
        /// A length.
        width: f64,
    },
}

/// What is known of two convex bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexAnswer {
    /// How they lie to each other.
    pub relation: ConvexRelation,
    /// How far apart they are; zero, exactly, if they touch or overlap.
    pub distance: Bracket,
    /// A point of A and one of B, world frame, rounded: the closest if the bodies are disjoint, a common one if they
    /// touch, those deepest in the other body if they overlap. `None` for two unbounded bodies.
    pub points: Option<[DVec3; 2]>,
    /// Unit normal from A to B of a plane that separates them, or along which moving B separates them soonest; rounded.
    pub normal: Option<DVec3>,
    /// How far they overlap, `None` if they do not or if no translation separates them; how narrow is told at [`relate`].
    pub depth: Option<Bracket>,
    /// The proof of the relation, for two polytopes.
    pub witness: Option<Witness>,
}

impl Convex {
    /// A polytope with sharp corners.
    pub fn from_polytope(polytope: Polytope) -> Convex {
        Convex::from(SupportMap::new(polytope))
    }

    /// The polytope inside; `None` for half-spaces, planes, cylinders, cones and ellipsoids.
    pub fn core(&self) -> Option<&SupportMap> {
        match &self.core {
            Core::Polytope(map) => Some(map),
            Core::Unbounded(_) | Core::Curved(_) => None,
        }
    }

    /// The radius of the ball around the core, rounded upward; zero if there is no core.
    pub fn radius(&self) -> f64 {
        add_up(self.radii[0], self.radii[1])
    }

    /// Floats around the radius of the ball around the core.
    pub(crate) fn radius_bracket(&self) -> [f64; 2] {
        radius_bracket(&[self.radii[0], self.radii[1], 0.0, 0.0])
    }

    /// The cylinder, cone or ellipsoid inside, if it is one.
    pub(crate) fn curved_core(&self) -> Option<&Primitive> {
        match &self.core {
            Core::Curved(body) => Some(body),
            Core::Polytope(_) | Core::Unbounded(_) => None,
        }
    }

    /// The half-space or plane inside, if it is one.
    pub(super) fn unbounded_core(&self) -> Option<&Unbounded> {
        match &self.core {
            Core::Unbounded(plane) => Some(plane),
            Core::Polytope(_) | Core::Curved(_) => None,
        }
    }

    /// The radii whose sum is that of the ball around the core.
    pub(super) fn radii(&self) -> [f64; 2] {
        self.radii
    }

    /// Whether it is a half-space or a plane.
    pub fn is_unbounded(&self) -> bool {
        matches!(self.core, Core::Unbounded(_))
    }

    /// The kind in words: `polytope`, `solid`, or a primitive's name.
    pub fn kind_name(&self) -> &'static str {
        self.kind
    }

    /// Whether it is a polytope and nothing else: then its relation to another one is exact and has a witness.
    pub fn is_polytope(&self) -> bool {
        self.core().is_some() && self.radii == [0.0; 2]
    }
}

impl From<SupportMap> for Convex {
    /// A polytope with sharp corners.
    fn from(map: SupportMap) -> Convex {
        Convex { core: Core::Polytope(Box::new(map)), radii: [0.0; 2], kind: "polytope" }
    }
}

impl TryFrom<&Shape> for Convex {
    type Error = ConvexError;

    /// # Errors
    /// A mesh that is no convex solid.
    fn try_from(shape: &Shape) -> Result<Convex, ConvexError> {
        let kind = shape.kind_name();
        let convex = match shape {
            Shape::Polytope(polytope) => Ok(Convex::from_polytope(polytope.clone())),
            Shape::Mesh(mesh) => of_mesh(mesh),
            Shape::Primitive(primitive) => of_primitive(primitive),
            Shape::Rounded(rounded) => {
                let mut convex = match rounded.core() {
                    RoundedCore::Primitive(primitive) => of_primitive(primitive)?,
                    RoundedCore::Polytope(polytope) => Convex::from_polytope(polytope.clone()),
                };
                convex.radii[1] = rounded.radius();
                Ok(convex)
            }
        };
        Ok(Convex { kind, ..convex? })
    }
}

fn of_mesh(mesh: &Mesh) -> Result<Convex, ConvexError> {
    let kind = match mesh.kind() {
        MeshKind::Solid => "solid",
        MeshKind::Surface => "surface",
    };
    // A closed surface has no inside: its hull is another body.
    let hull = (mesh.kind() == MeshKind::Solid && mesh.is_convex()).then(|| Polytope::hull(mesh.positions()));
    match hull {
        Some(Ok(hull)) => Ok(Convex::from_polytope(hull)),
        _ => Err(ConvexError::NotConvex { kind }),
    }
}

fn of_primitive(primitive: &Primitive) -> Result<Convex, ConvexError> {
    let (points, radius) = match primitive {
        Primitive::Cuboid(body) => (corners(body.bounds().min, body.bounds().max), 0.0),
        Primitive::Triangle(body) => (body.corners().to_vec(), 0.0),
        Primitive::Segment(body) => (body.ends().to_vec(), 0.0),
        Primitive::Point(body) => (vec![body.position()], 0.0),
        Primitive::Sphere(body) => (vec![DVec3::ZERO], body.radius()),
        Primitive::Capsule(body) => {
            let end = DVec3::new(0.0, 0.0, 0.5 * body.length());
            (vec![-end, end], body.radius())
        }
        Primitive::HalfSpace(body) => return Ok(Convex::unbounded(Unbounded::HalfSpace(*body))),
        Primitive::Plane(body) => return Ok(Convex::unbounded(Unbounded::Plane(*body))),
        Primitive::Ellipsoid(_) | Primitive::Cylinder(_) | Primitive::Cone(_) => {
            let core = Core::Curved(*primitive);
            return Ok(Convex { core, radii: [0.0; 2], kind: primitive.kind_name() });
        }
    };
    // Primitives are checked by their constructors: the hull of their corners exists.
    let hull = Polytope::hull(&points).map_err(|_| ConvexError::TooLarge { kind: primitive.kind_name() })?;
    Ok(Convex { radii: [radius, 0.0], ..Convex::from_polytope(hull) })
}

impl Convex {
    /// Whether two are the same body, bit for bit, in whatever order their points were given.
    pub fn is_same_body(&self, other: &Convex) -> bool {
        let cores = match (&self.core, &other.core) {
            (Core::Polytope(a), Core::Polytope(b)) => a.polytope().vertices() == b.polytope().vertices(),
            (Core::Unbounded(a), Core::Unbounded(b)) => a == b,
            (Core::Curved(a), Core::Curved(b)) => a == b,
            _ => false,
        };
        cores && self.radii == other.radii
    }

    /// The core by its support function; `None` if it is unbounded.
    fn as_curved(&self) -> Option<Curved> {
        match &self.core {
            Core::Curved(body) => Some(Curved::Primitive(*body)),
            Core::Polytope(map) => Some(Curved::Polytope(map.polytope().clone())),
            Core::Unbounded(_) => None,
        }
    }

    fn unbounded(core: Unbounded) -> Convex {
        Convex { core: Core::Unbounded(core), radii: [0.0; 2], kind: "unbounded" }
    }
}

fn corners(min: DVec3, max: DVec3) -> Vec<DVec3> {
    let pick = |i: u32, axis: usize| if i >> axis & 1 == 1 { max[axis] } else { min[axis] };
    (0..8).map(|i| DVec3::new(pick(i, 0), pick(i, 1), pick(i, 2))).collect()
}

/// How two convex bodies under two poses lie to each other, how far apart they are, or how far they overlap.
///
/// Brackets of distances are neighbouring floats, or equal where the distance is one; those of gaps between rounded polytopes are at most
/// two floats wide, those of depths have a relative width of `1e-9`. With a cylinder, cone or ellipsoid distances have `1e-12`, and
/// depths `1e-9` where few ways out are shortest or both bodies turn about parallel axes; where many are nearly as short they may be left
/// wider, by what 20,000 directions leave: up to `1e-5` in the symmetric poses of `tests/curved_depths.rs`. All are proved. The relation is exact for two polytopes with or without balls around, spheres and capsules among them, and for a
/// half-space or plane against anything. With cylinders, cones and ellipsoids it may end as touching within a stated width, about
/// `1e-14` of the size of everything.
///
/// # Errors
/// A curved body whose points lie beyond the largest coordinates, with another bounded body.
pub fn relate(a: &Convex, pose_a: &Pose, b: &Convex, pose_b: &Pose) -> Result<ConvexAnswer, ConvexError> {
    relate_below(a, pose_a, b, pose_b, f64::INFINITY)
}

/// [`relate`], which may end with a wide bracket as soon as bodies with a cylinder, cone or ellipsoid are proved to be
/// farther apart than a limit.
pub(crate) fn relate_below(
    a: &Convex,
    pose_a: &Pose,
    b: &Convex,
    pose_b: &Pose,
    limit: f64,
) -> Result<ConvexAnswer, ConvexError> {
    let radii = radii_of(a, b);
    let error = ConvexError::Pair { kind_a: a.kind, kind_b: b.kind };
    Ok(match (&a.core, &b.core) {
        (Core::Unbounded(plane), Core::Curved(body)) => {
            let body = Curved::Primitive(*body);
            let answer = unbounded::against_curved(plane, pose_a, &body, pose_b, [a.radii, b.radii]);
            answer.ok_or(error)?
        }
        (Core::Curved(body), Core::Unbounded(plane)) => {
            let body = Curved::Primitive(*body);
            let answer = unbounded::against_curved(plane, pose_b, &body, pose_a, [b.radii, a.radii]);
            answer.ok_or(error)?.swapped()
        }
        (Core::Curved(_), _) | (_, Core::Curved(_)) => {
            let cores = a.as_curved().zip(b.as_curved()).ok_or(error)?;
            relate_curved([&cores.0, &cores.1], [pose_a, pose_b], [a.radii, b.radii], limit).ok_or(error)?
        }
        (Core::Polytope(map_a), Core::Polytope(map_b)) => {
            relate_rounded(a, [map_a, map_b], [pose_a, pose_b], b)
        }
        (Core::Unbounded(plane), Core::Polytope(map)) => {
            unbounded::against_polytope(plane, pose_a, map, pose_b, &radii, [a.radius(), b.radius()])
        }
        (Core::Polytope(map), Core::Unbounded(plane)) => {
            let rounding = [b.radius(), a.radius()];
            unbounded::against_polytope(plane, pose_b, map, pose_a, &radii, rounding).swapped()
        }
        (Core::Unbounded(plane_a), Core::Unbounded(plane_b)) => {
            unbounded::against_unbounded(plane_a, pose_a, plane_b, pose_b, &radii)
        }
    })
}

/// Two polytopes with their radii.
fn relate_rounded(a: &Convex, maps: [&SupportMap; 2], poses: [&Pose; 2], b: &Convex) -> ConvexAnswer {
    let cores = relate_polytopes(maps[0], poses[0], maps[1], poses[1]);
    let radii = radii_of(a, b);
    if radii == [0.0; 4] {
        return cores;
    }
    let gap = Gap::coarse(cores.distance, &radii);
    if gap.is_enough() { rounded(cores, &gap, a, b) } else { closely(cores, gap, maps, poses, a, b) }
}

impl ConvexAnswer {
    /// The answer for B and A; only of use without a witness.
    fn swapped(self) -> ConvexAnswer {
        let points = self.points.map(|[a, b]| [b, a]);
        ConvexAnswer { points, normal: self.normal.map(|normal| -normal), witness: None, ..self }
    }
}

fn relate_polytopes(a: &SupportMap, pose_a: &Pose, b: &SupportMap, pose_b: &Pose) -> ConvexAnswer {
    let witness = relation_with_witness(a, pose_a, b, pose_b);
    let pair = PosedPair { a: a.polytope(), pose_a, b: b.polytope(), pose_b };
    let relation = witness.relation();
    let mut answer = ConvexAnswer {
        relation: ConvexRelation::Exact(relation),
        distance: Bracket::ZERO,
        points: None,
        normal: None,
        depth: None,
        witness: None,
    };
    match &witness {
        Witness::Disjoint(_) => {
            let found = best_distance(a, pose_a, b, pose_b);
            answer.distance = Bracket { lower: found.lower, upper: found.upper };
            answer.points = Some([found.point_a, found.point_b]);
            answer.normal = apart_normal(&pair, size_of([a, b], [pose_a, pose_b]), &found);
        }
        Witness::Touching(separation, _) => {
            let found = best_distance(a, pose_a, b, pose_b);
            answer.points = Some([found.point_a, found.point_b]);
            answer.normal = rounded_direction(&separation.direction, &pair);
        }
        Witness::Overlapping(_) => {
            let found = penetration(a, pose_a, b, pose_b);
            answer.depth = found.map(|found| Bracket { lower: found.lower, upper: found.upper });
            answer.points = found.map(|found| [found.point_a, found.point_b]);
            answer.normal = found.map(|found| found.normal);
        }
    }
    ConvexAnswer { witness: Some(witness), ..answer }
}

/// The distance between neighbouring floats: a few microseconds for numbers that people read and radii are taken off.
pub(super) fn best_distance(a: &SupportMap, pose_a: &Pose, b: &SupportMap, pose_b: &Pose) -> Distance {
    let config = DistanceConfig { relative_width: 0.0 };
    distance_with(a, pose_a, b, pose_b, &config, &mut GilbertCache::default())
}

/// Relative width of a distance up to which floats are enough.
const RELATIVE_WIDTH: f64 = 1e-12;

/// The distance of the cores minus all radii, as floats around it.
struct Gap {
    lower: f64,
    upper: f64,
    relation: ConvexRelation,
}

impl Gap {
    /// With float sums, rounded outward: enough unless the bodies nearly touch.
    fn coarse(cores: Bracket, radii: &[f64; 4]) -> Gap {
        let [low, high] = radius_bracket(radii);
        let (lower, upper) = (sub_down(cores.lower, high), sub_up(cores.upper, low));
        // Rounded outward, a bound of zero says nothing: it goes to the exact sums as undecided.
        let sign_lower = if lower > 0.0 { Sign::Positive } else { Sign::Negative };
        let sign_upper = if upper < 0.0 { Sign::Negative } else { Sign::Positive };
        Gap { lower, upper, relation: Gap::relation(lower, upper, sign_lower, sign_upper) }
    }

    /// Floats next to each other, or two steps apart.
    fn exact(clearing: Clearing) -> Gap {
        let (lower, upper) = clearing.bracket();
        let sign = clearing.sign();
        Gap { lower, upper, relation: Gap::relation(lower, upper, sign, sign) }
    }

    /// A body with a radius has an inside, so a negative gap is an overlap.
    fn relation(lower: f64, upper: f64, sign_lower: Sign, sign_upper: Sign) -> ConvexRelation {
        match (sign_lower, sign_upper) {
            (Sign::Positive, _) => ConvexRelation::Exact(Relation::Disjoint),
            (_, Sign::Negative) => ConvexRelation::Exact(Relation::Overlapping),
            (Sign::Zero, Sign::Zero) => ConvexRelation::Exact(Relation::Touching),
            _ => ConvexRelation::TouchingWithin { width: upper.max(-lower) },
        }
    }

    /// Whether it is decided, and known as well as distances are. Of lengths that nearly cancel floats leave few digits.
    fn is_enough(&self) -> bool {
        let size = self.lower.abs().min(self.upper.abs());
        matches!(self.relation, ConvexRelation::Exact(_)) && self.upper - self.lower <= RELATIVE_WIDTH * size
    }
}

/// From the answer for two cores to that for the rounded bodies.
///
/// With `r` the sum of the radii, the difference of the bodies is `M` plus a ball of radius `r`. Its distance from zero is
/// that of `M` minus `r`. Zero lies `r - d` deep inside it if it is `d < r` away from `M`, and `r` deeper than in `M` if
/// it is inside `M`.
fn rounded(cores: ConvexAnswer, gap: &Gap, a: &Convex, b: &Convex) -> ConvexAnswer {
    let [low, high] = radius_bracket(&radii_of(a, b));
    let depth = match cores.depth {
        Some(depth) => Bracket { lower: add_down(depth.lower, low), upper: add_up(depth.upper, high) },
        None => Bracket { lower: (-gap.upper).max(0.0), upper: (-gap.lower).max(0.0) },
    };
    let normal = cores.normal.unwrap_or(DVec3::ZERO);
    let points = cores.points.map(|[p, q]| [p + a.radius() * normal, q - b.radius() * normal]);
    let apart = Bracket { lower: gap.lower.max(0.0), upper: gap.upper };
    let (distance, depth) = match gap.relation {
        ConvexRelation::Exact(Relation::Disjoint) => (apart, None),
        ConvexRelation::Exact(Relation::Touching) => (Bracket::ZERO, None),
        ConvexRelation::Exact(Relation::Overlapping) => (Bracket::ZERO, Some(depth)),
        ConvexRelation::TouchingWithin { .. } => (apart, Some(depth)),
    };
    ConvexAnswer { relation: gap.relation, distance, depth, points, witness: None, ..cores }
}

/// [`rounded`] for bodies close to touching: with the square of the distance of the cores as a quotient of integers, the gap has one root,
/// whose sign two squarings decide.
#[cold]
#[inline(never)]
fn closely(
    cores: ConvexAnswer,
    coarse: Gap,
    maps: [&SupportMap; 2],
    poses: [&Pose; 2],
    a: &Convex,
    b: &Convex,
) -> ConvexAnswer {
    let square = distance_squared_exactly(maps[0], poses[0], maps[1], poses[1]);
    // Cores that meet: the gap is minus the sum of the radii, and known.
    let gap = Clearing::between(&square, &radii_of(a, b)).map_or(coarse, Gap::exact);
    rounded(cores, &gap, a, b)
}

fn radii_of(a: &Convex, b: &Convex) -> [f64; 4] {
    [a.radii[0], a.radii[1], b.radii[0], b.radii[1]]
}

/// Floats around the sum of all radii.
pub(super) fn radius_bracket(radii: &[f64]) -> [f64; 2] {
    [radii.iter().copied().fold(0.0, add_down), radii.iter().copied().fold(0.0, add_up)]
}

/// The largest float not above `a + b`.
fn add_down(a: f64, b: f64) -> f64 {
    -add_up(-a, -b)
}

/// The largest float not above `a - b`.
pub(super) fn sub_down(a: f64, b: f64) -> f64 {
    add_down(a, -b)
}

/// The smallest float not below `a - b`.
pub(super) fn sub_up(a: f64, b: f64) -> f64 {
    add_up(a, -b)
}
