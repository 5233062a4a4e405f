//! Rays against convex bodies of any kind.
//!
//! A body that is no polytope is a union of pieces, each given by linear constraints and a quadratic one, so the first `t`
//! of a ray in it is a root of a quadratic or a quotient. Intervals find it, or prove that a piece is missed, unless the
//! ray grazes; then exact numbers do. A cylinder, cone or ellipsoid with a ball around it has no such pieces: see [`offset`].

mod exact;
mod guess;
mod number;
mod offset;
mod piece;

use super::convex::{Convex, ConvexError};
use super::point::{PointLocation, contains_point};
use super::ray::{Ray, RayHit, ray_cast};
use super::unbounded::Unbounded;
use crate::exact::BigNumber;
use crate::math::{Interval, Pose};
use crate::shape::Primitive;
use crate::support::SupportMap;
use glam::DVec3;
use guess::{Guess, guess};
use number::Sight;
use piece::{Piece, Through};

/// Relative width of `t` that intervals must reach to be taken.
const RELATIVE_WIDTH: f64 = 1e-12;

/// Far more than a rotation stretches, and than a few roundings.
const SLACK: f64 = 1e-8;

/// Where a ray first meets a convex body of any kind under a pose; `None` if it is proved not to up to its end.
///
/// Exact for all but cylinders, cones and ellipsoids with a ball around them: a ray that only grazes the body hits it. For
/// those see [`RayHit::within`]. `O(faces)` intervals for rounded polytopes, and exact numbers where they leave something
/// open.
///
/// ```
/// use clearance::{Pose, glam::DVec3, pair::{Convex, Ray, ray_cast_convex}, shape::{Primitive, Shape, Sphere}};
/// let ball = Convex::try_from(&Shape::from(Primitive::from(Sphere::new(1.0)?)))?;
/// let cast = |height: f64| {
///     let ray = Ray::new(DVec3::new(-3.0, height, 0.0), DVec3::X, f64::INFINITY).expect("a ray");
///     ray_cast_convex(&ball, &Pose::IDENTITY, &ray)
/// };
/// let hit = cast(0.0)?.expect("through the middle");
/// assert_eq!((hit.t_lower, hit.t_upper, hit.normal), (2.0, 2.0, Some(-DVec3::X)));
/// assert!(cast(1.0)?.is_some_and(|hit| hit.t_lower == 3.0) && cast(1f64.next_up())?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A cylinder, cone or ellipsoid with a ball around it whose points lie beyond the largest coordinates.
pub fn ray_cast_convex(a: &Convex, pose_a: &Pose, ray: &Ray) -> Result<Option<RayHit>, ConvexError> {
    let is_rounded = a.radii() != [0.0; 2];
    if let Some(core) = a.core() {
        return Ok(if is_rounded { cast_rounded(a, core, pose_a, ray) } else { ray_cast(core, pose_a, ray) });
    }
    let pieces = match (a.curved_core(), a.unbounded_core()) {
        (Some(body), _) if is_rounded => return offset::cast(a, body, pose_a, ray),
        (Some(Primitive::Cylinder(body)), _) => vec![Piece::Cylinder(*body)],
        (Some(Primitive::Cone(body)), _) => vec![Piece::Cone(*body)],
        (Some(Primitive::Ellipsoid(body)), _) => vec![Piece::Ellipsoid(*body)],
        (_, Some(Unbounded::Plane(body))) => vec![Piece::Slab(body.normal(), body.offset())],
        (_, Some(Unbounded::HalfSpace(body))) => {
            let (normal, offset) = (body.normal(), body.offset());
            vec![Piece::Below(normal, offset), Piece::Slab(normal, offset)]
        }
        _ => Vec::new(),
    };
    let start = if a.is_unbounded() { 0.0 } else { nearest(ray, pose_a.translation()) };
    Ok(Cast { pose: pose_a, ray, radii: a.radii(), start }.first(&pieces))
}

/// A polytope with a ball around it.
fn cast_rounded(a: &Convex, core: &SupportMap, pose: &Pose, ray: &Ray) -> Option<RayHit> {
    // Deep inside there may be no piece, and the ray leaves the core through one.
    if contains_point(core, pose, ray.origin()).is_ok_and(|found| found != PointLocation::Outside) {
        return Some(RayHit::AT_START);
    }
    let polytope = core.polytope();
    let at = |v: u32| polytope.vertices()[v as usize];
    let balls = polytope.vertices().iter().map(|&vertex| Piece::Ball(vertex));
    let rods = polytope.edges().map(|ends| Piece::Rod(ends.map(at)));
    // Plates reach to both sides; a polygon has the same face twice.
    let plates = if polytope.dimension() == 2 { 1 } else { polytope.face_count() };
    let plates = (0..plates).map(|face| Piece::Plate(polytope, face));
    let cast = Cast { pose, ray, radii: a.radii(), start: nearest(ray, pose.apply(polytope.centroid())) };
    let pieces: Vec<Piece<'_>> =
        balls.chain(rods).chain(plates).filter(|piece| cast.is_near(piece)).collect();
    cast.first(&pieces)
}

/// About where a ray is nearest to a point: to look from there, so any number will do.
fn nearest(ray: &Ray, point: DVec3) -> f64 {
    let t = (point - ray.origin()).dot(ray.direction()) / ray.direction().length_squared();
    if t.is_finite() { t.clamp(0.0, ray.max_t().min(f64::MAX)) } else { 0.0 }
}

struct Cast<'a> {
    pose: &'a Pose,
    ray: &'a Ray,
    radii: [f64; 2],
    /// From where on the ray intervals look at the body.
    start: f64,
}

/// A piece that the ray meets, at a `t` between two numbers.
#[derive(Clone, Copy)]
struct Meeting {
    lower: f64,
    upper: f64,
    piece: usize,
    through: Through,
}

impl Cast<'_> {
    /// The first point of the ray in any of some pieces.
    fn first(&self, pieces: &[Piece<'_>]) -> Option<RayHit> {
        let sight = Sight::<Interval>::new(self.pose, self.ray, self.start);
        let start = Interval::point(self.start);
        let ends = [Interval::ZERO - start, Interval::point(self.ray.max_t()) - start];
        let (mut met, mut open) = (Vec::new(), Vec::new());
        for (piece, body) in pieces.iter().enumerate() {
            match guess(&body.constraint(&sight, self.radii), ends) {
                Guess::Missed => {}
                Guess::Unclear(s) => open.push(((Interval::point(s) + start).lower(), piece)),
                Guess::Met(s, through) => {
                    let t = s + start;
                    let (lower, upper) = (t.lower().max(0.0), t.upper());
                    match upper - lower <= RELATIVE_WIDTH * upper {
                        true => met.push(Meeting { lower, upper, piece, through }),
                        false => open.push((lower, piece)),
                    }
                }
            }
        }
        let end = |met: &[Meeting]| met.iter().map(|one| one.upper).fold(f64::INFINITY, f64::min);
        open.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (lower, piece) in open {
            if lower <= end(&met) {
                met.extend(self.exactly(&pieces[piece], piece));
            }
        }
        let order = |a: &&Meeting, b: &&Meeting| a.upper.total_cmp(&b.upper).then(a.piece.cmp(&b.piece));
        let first = met.iter().min_by(order)?;
        let t_lower = met.iter().map(|one| one.lower).fold(first.lower, f64::min);
        if first.upper == 0.0 {
            return Some(RayHit::AT_START);
        }
        let s = 0.5 * (first.lower - self.start) + 0.5 * (first.upper.min(f64::MAX) - self.start);
        let normal = pieces[first.piece].normal(&sight, s, first.through);
        let normal = (normal / normal.abs().max_element()).try_normalize();
        Some(RayHit { t_lower, t_upper: first.upper, within: 0.0, normal, face: None })
    }

    #[cold]
    #[inline(never)]
    fn exactly(&self, body: &Piece<'_>, piece: usize) -> Option<Meeting> {
        let sight = Sight::<BigNumber>::new(self.pose, self.ray, 0.0);
        let ([lower, upper], through) = exact::first(&body.constraint(&sight, self.radii), self.ray.max_t())?;
        Some(Meeting { lower, upper, piece, through })
    }

    /// False proves that the line of the ray misses a piece of a polytope, by a ball around it.
    fn is_near(&self, piece: &Piece<'_>) -> bool {
        let (middle, size) = match *piece {
            Piece::Ball(vertex) => (vertex, 0.0),
            Piece::Rod([from, to]) => (from, from.distance(to)),
            Piece::Plate(polytope, face) => {
                let corners = polytope.face(face).iter().map(|&v| polytope.vertices()[v as usize]);
                let first = polytope.vertices()[polytope.face(face)[0] as usize];
                (first, corners.map(|corner| corner.distance(first)).fold(0.0, f64::max))
            }
            _ => return true,
        };
        let direction = self.ray.direction() / self.ray.direction().abs().max_element();
        let to = self.pose.apply(middle) - self.ray.origin();
        let size = size + self.radii[0] + self.radii[1];
        // Where the origin is far away, so is rounding.
        let scale = middle.abs() + self.pose.translation().abs() + self.ray.origin().abs();
        let size = size + SLACK * size + 64.0 * f64::EPSILON * scale.element_sum();
        let size_squared = size * size * direction.length_squared() * (1.0 + SLACK);
        // Written so that NaN is near.
        let is_far = to.cross(direction).length_squared() > size_squared;
        !is_far
    }
}
