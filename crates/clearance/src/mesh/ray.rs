//! Where a ray first meets the triangles of a mesh.

use super::tree_mesh::TreeMesh;
use crate::exact::{BigNumber, BigQuotient, BigVector, Posed, Sign, Vector, det_sign};
use crate::math::Pose;
use crate::math::round::{UNIT_ROUNDOFF, power_of_two};
use crate::pair::Ray;
use glam::DVec3;

/// Where a ray first meets a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshRayHit {
    /// No point of the ray before this `t` is on a triangle.
    pub t_lower: f64,
    /// Some point at or before this `t` is. The bracket has a relative width of at most `1e-12`.
    pub t_upper: f64,
    /// The point, rounded.
    pub point: DVec3,
    /// The triangle; of several at the same `t` the first.
    pub triangle: u32,
    /// The normal of the triangle, unit length, rounded: outward for a solid, whichever way the ray goes.
    pub normal: DVec3,
}

/// Where a ray of the world first meets the triangles of a mesh under a pose; `None` if it does not up to its end.
///
/// Exact signs decide: a ray that grazes an edge or a vertex, or runs along a face, hits it. A ray that starts inside a
/// solid hits it from inside. Cost: the boxes that the ray meets up to the hit; exact numbers only for triangles on the
/// rim of which, or in the plane of which, the ray runs within rounding.
///
/// ```
/// use clearance::{Pose, glam::DVec3, mesh::{TreeMesh, ray_cast}, pair::Ray};
/// use clearance::shape::{Mesh, MeshConfig, sample};
/// let torus = TreeMesh::new(Mesh::build(&sample::torus(1.0, 0.25, 64, 32)?, &MeshConfig::default())?);
/// let through_the_hole = Ray::new(DVec3::new(0.0, 0.0, 5.0), -DVec3::Z, f64::INFINITY)?;
/// assert_eq!(ray_cast(&torus, &Pose::IDENTITY, &through_the_hole), None);
/// let sideways = Ray::new(DVec3::ZERO, DVec3::X, f64::INFINITY)?;
/// let hit = ray_cast(&torus, &Pose::IDENTITY, &sideways).expect("the inner side");
/// assert!(hit.t_lower <= 0.76 && hit.t_upper >= 0.74 && hit.normal.x < 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ray_cast(mesh: &TreeMesh, pose: &Pose, ray: &Ray) -> Option<MeshRayHit> {
    let cast = Cast::new(mesh, pose, ray);
    let mut first: Option<Meeting> = None;
    mesh.tree().visit_along(pose, [ray.origin(), ray.direction()], ray.max_t(), |triangle| {
        let limit = first.map_or(ray.max_t(), |known| known.high);
        let found = cast.meeting(triangle, limit)?;
        if first.is_none_or(|known| cast.is_before(&found, &known)) {
            first = Some(found);
        }
        first.map(|known| known.high)
    });
    first.map(|found| cast.report(found))
}

/// Relative width of `t` that floats must reach to be taken.
const RELATIVE_WIDTH: f64 = 1e-12;

/// Sizes of which no product of three comes close to under- or overflow.
const SAFE: std::ops::Range<f64> = power_of_two(-250)..power_of_two(250);

/// The frame of the world.
static REST: Pose = Pose::IDENTITY;

/// A triangle that the ray meets, at a `t` between two numbers.
#[derive(Clone, Copy)]
struct Meeting {
    low: f64,
    high: f64,
    triangle: u32,
}

/// What floats say.
enum Guess {
    Missed,
    Met { low: f64, high: f64 },
    Unclear,
}

struct Cast<'a> {
    mesh: &'a TreeMesh,
    pose: &'a Pose,
    ray: &'a Ray,
    /// From the origin of the ray to that of the body.
    offset: DVec3,
}

impl<'a> Cast<'a> {
    fn new(mesh: &'a TreeMesh, pose: &'a Pose, ray: &'a Ray) -> Cast<'a> {
        Cast { mesh, pose, ray, offset: pose.translation() - ray.origin() }
    }

    /// Where the ray meets a triangle, if it does, and not after a limit.
    #[inline]
    fn meeting(&self, triangle: u32, limit: f64) -> Option<Meeting> {
        match self.guess(self.mesh.mesh().triangle(triangle as usize), limit) {
            Guess::Missed => None,
            Guess::Met { low, high } => Some(Meeting { low, high, triangle }),
            Guess::Unclear => {
                let (low, high) = self.exact_t(triangle)?.bracket();
                (low <= limit).then_some(Meeting { low, high, triangle })
            }
        }
    }

    /// What determinants with error bounds tell.
    ///
    /// Corners seen from the origin are at most `size` and err by `8u size`, edges by `4.1u` of theirs, the direction is
    /// exact: a determinant of six products errs by `6 (8 + 4.1 + 5)u`, or `6 (4.1 + 4.1 + 8 + 5)u` with the height, of
    /// its factors: below `150u`.
    #[inline]
    fn guess(&self, [p, q, r]: [DVec3; 3], limit: f64) -> Guess {
        let direction = self.ray.direction();
        let local = [q - p, r - q, p - r];
        let lengths = local.map(|edge| edge.abs().element_sum());
        let edges = local.map(|edge| self.pose.apply_vector(edge));
        let first = self.pose.apply_vector(p) + self.offset;
        let corners = [first, first + edges[0], first - edges[2]];
        let size = self.offset.abs().element_sum() + p.abs().element_sum() + lengths[0] + lengths[2];
        let speed = direction.abs().max_element();
        let is_safe = |x: f64| SAFE.contains(&x);
        // Written so that NaN is left to exact numbers.
        if !(is_safe(size) && is_safe(speed) && lengths.into_iter().all(is_safe)) {
            return Guess::Unclear;
        }
        let error = 150.0 * UNIT_ROUNDOFF * size;
        // Which side of the ray each edge is on.
        let (mut is_left, mut is_right) = ([false; 3], [false; 3]);
        for k in 0..3 {
            let side = edges[k].cross(corners[k]).dot(direction);
            (is_left[k], is_right[k]) =
                (side > error * speed * lengths[k], side < -error * speed * lengths[k]);
        }
        if is_left.contains(&true) && is_right.contains(&true) {
            return Guess::Missed;
        }
        let normal = edges[0].cross(edges[1]);
        let area = lengths[0] * lengths[1];
        let (height, slope) = (normal.dot(first), normal.dot(direction));
        let slope_error = 150.0 * UNIT_ROUNDOFF * area * speed;
        if slope.abs() <= slope_error {
            return Guess::Unclear;
        }
        let (low, high) = quotient(height, error * area, slope, slope_error);
        if high < 0.0 || low > limit {
            return Guess::Missed;
        }
        let is_inside = is_left == [true; 3] || is_right == [true; 3];
        if is_inside && low > 0.0 && high <= self.ray.max_t() {
            Guess::Met { low, high }
        } else {
            Guess::Unclear
        }
    }

    fn corners(&self, triangle: u32) -> [Posed<'a>; 3] {
        self.mesh.mesh().triangle(triangle as usize).map(|corner| self.pose.at(corner))
    }

    /// The exact `t` at which the ray first meets a triangle; `None` if it does not.
    #[cold]
    #[inline(never)]
    fn exact_t(&self, triangle: u32) -> Option<BigQuotient> {
        let corners = self.corners(triangle);
        let edge = |k: usize| Vector::Between(corners[k], corners[(k + 1) % 3]);
        let direction = Vector::Literal(self.ray.direction());
        let to_corner = |k: usize| Vector::Between(REST.at(self.ray.origin()), corners[k]);
        let sides = [0, 1, 2].map(|k| det_sign(edge(k), to_corner(k), direction));
        if sides.contains(&Sign::Positive) && sides.contains(&Sign::Negative) {
            return None;
        }
        let big = BigVector::from;
        let (normal, along) = (big(edge(0)).cross(&big(edge(1))), big(direction));
        let (height, slope) = (normal.dot(&big(to_corner(0))), normal.dot(&along));
        let t = match slope.sign() {
            Sign::Positive => BigQuotient { numerator: height, denominator: slope },
            Sign::Negative => BigQuotient { numerator: height.negated(), denominator: slope.negated() },
            Sign::Zero if height.sign().is_zero() => {
                let limits = [0, 1, 2].map(|k| {
                    let inward = normal.cross(&big(edge(k)));
                    (inward.dot(&along), inward.dot(&big(to_corner(k))))
                });
                first_within(limits)?
            }
            Sign::Zero => return None,
        };
        let is_early = || {
            self.ray.max_t() == f64::INFINITY
                || !t.compare(&BigNumber::from(self.ray.max_t()).into()).is_positive()
        };
        (!t.numerator.sign().is_negative() && is_early()).then_some(t)
    }

    /// Whether one triangle is met before another, or at the same time and is the first of them.
    fn is_before(&self, one: &Meeting, other: &Meeting) -> bool {
        if one.high < other.low || other.high < one.low {
            return one.high < other.low;
        }
        let order = match (self.exact_t(one.triangle), self.exact_t(other.triangle)) {
            (Some(t), Some(s)) => t.compare(&s),
            // Both are met.
            _ => Sign::Zero,
        };
        order.is_negative() || (order.is_zero() && one.triangle < other.triangle)
    }

    fn report(&self, Meeting { low, high, triangle }: Meeting) -> MeshRayHit {
        let is_narrow = high - low <= RELATIVE_WIDTH * high;
        let exact = if is_narrow { None } else { self.exact_t(triangle) };
        let (t_lower, t_upper) = exact.map_or((low, high), |t| t.bracket());
        let corners = self.mesh.mesh().triangle(triangle as usize).map(|corner| self.pose.apply(corner));
        let [p, q, r] = corners;
        let point = self.ray.origin() + self.ray.direction() * t_lower;
        // A `t` beyond all floats leads nowhere near.
        let point = point.clamp(p.min(q).min(r), p.max(q).max(r));
        MeshRayHit { t_lower, t_upper, point, triangle, normal: unit_normal(self.corners(triangle)) }
    }
}

/// The range of `(a ± da) / (b ± db)`, for `|b| > db`.
fn quotient(a: f64, da: f64, b: f64, db: f64) -> (f64, f64) {
    let a = if b < 0.0 { -a } else { a };
    let (steep, shallow) = (b.abs() + db, b.abs() - db);
    let (low, high) = (a - da, a + da);
    let low = low / if low >= 0.0 { steep } else { shallow };
    let high = high / if high >= 0.0 { shallow } else { steep };
    // The last three roundings.
    (low - 4.0 * f64::EPSILON * low.abs(), high + 4.0 * f64::EPSILON * high.abs())
}

/// The least `t`, not negative, with `slope t >= height` for all three.
fn first_within(limits: [(BigNumber, BigNumber); 3]) -> Option<BigQuotient> {
    let mut first = BigQuotient::from(BigNumber::from(0.0));
    let mut last: Option<BigQuotient> = None;
    for (slope, height) in limits {
        match slope.sign() {
            Sign::Zero if height.sign().is_positive() => return None,
            Sign::Zero => {}
            Sign::Positive => {
                let limit = BigQuotient { numerator: height, denominator: slope };
                if limit.compare(&first).is_positive() {
                    first = limit;
                }
            }
            Sign::Negative => {
                let limit = BigQuotient { numerator: height.negated(), denominator: slope.negated() };
                if last.as_ref().is_none_or(|last| limit.compare(last).is_negative()) {
                    last = Some(limit);
                }
            }
        }
    }
    let is_late = last.is_some_and(|last| first.compare(&last).is_positive());
    (!is_late).then_some(first)
}

/// The normal of a triangle with area, unit length, rounded.
fn unit_normal([p, q, r]: [Posed<'_>; 3]) -> DVec3 {
    let edges = [Vector::Between(p, q), Vector::Between(p, r)];
    let rounded = edges.map(|edge| edge.rounded());
    let sizes = rounded.map(|edge| edge.abs().max_element());
    let normal = (rounded[0] / sizes[0]).cross(rounded[1] / sizes[1]);
    // Far above what cancellation leaves, and far from underflow.
    if normal.length_squared() > 1e-6 && sizes[0].min(sizes[1]) > power_of_two(-900) {
        return normal.normalize();
    }
    let [u, v] = edges.map(BigVector::from);
    u.cross(&v).direction().normalize()
}
