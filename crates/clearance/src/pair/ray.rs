//! The first point of a ray in a polytope.
//!
//! A polytope is where all its constraints `m . x <= m . v` hold; along `o + t d` each reads
//! `(m . d) t <= m . (v - o)`, an upper or a lower limit of `t` [Cyrus and Beck 1978]. Floats with error bounds
//! sort out all but a few limits, exact quotients decide among these.

use crate::exact::{BigNumber, BigQuotient, BigVector, Sign, Vector};
use crate::math::Pose;
use crate::math::round::power_of_two;
use crate::support::SupportMap;
use crate::tolerance::COORDINATE_LIMIT;
use glam::DVec3;

/// The points `origin + t * direction`, `0 <= t <= max_t`, as real numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    origin: DVec3,
    direction: DVec3,
    max_t: f64,
}

/// Why three numbers are no ray.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum RayError {
    /// The origin or the direction.
    #[error("the {what} is {value}; its coordinates must be finite and at most 2^300 in size")]
    OutOfRange {
        /// "origin" or "direction".
        what: &'static str,
        /// As given.
        value: DVec3,
    },
    /// The direction is zero.
    #[error("the direction is zero; use `contains_point` for a single point")]
    ZeroDirection,
    /// The end.
    #[error("max_t is {0}; it must be a number from 0 to infinity")]
    BadEnd(f64),
}

/// Where a ray first meets a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// No point of the ray before this `t` is in the body.
    pub t_lower: f64,
    /// Some point at or before this `t` is. The bracket has a relative width of at most `1e-12`; it is `0, 0` if
    /// the ray starts in the body.
    pub t_upper: f64,
    /// Zero if that is proved. Else the ray grazes a body so closely that it is not decided whether they share a point: at
    /// `t_upper` it is at most this far away. Only cylinders, cones and ellipsoids with a ball around them have such rays.
    pub within: f64,
    /// The outward normal (unit length, rounded) of the face, of the side of a polygon, or of the curved surface that the
    /// ray enters through; of a plane the one that faces the ray. `None` if it starts in the body, and for segments and
    /// points.
    pub normal: Option<DVec3>,
    /// The face of a polytope that it enters through, if there is one.
    pub face: Option<u32>,
}

impl RayHit {
    /// That of a ray that starts in the body.
    pub(super) const AT_START: RayHit =
        RayHit { t_lower: 0.0, t_upper: 0.0, within: 0.0, normal: None, face: None };
}

impl Ray {
    /// A ray with an end; `max_t` may be infinite.
    pub fn new(origin: DVec3, direction: DVec3, max_t: f64) -> Result<Ray, RayError> {
        for (what, value) in [("origin", origin), ("direction", direction)] {
            if !value.is_finite() || value.abs().max_element() > COORDINATE_LIMIT {
                return Err(RayError::OutOfRange { what, value });
            }
        }
        if direction == DVec3::ZERO {
            return Err(RayError::ZeroDirection);
        }
        // Written so that NaN is refused as well.
        if max_t >= 0.0 { Ok(Ray { origin, direction, max_t }) } else { Err(RayError::BadEnd(max_t)) }
    }

    /// Where it starts.
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// Where it goes, and how far while `t` grows by one.
    pub fn direction(&self) -> DVec3 {
        self.direction
    }

    /// Where it ends; may be infinite.
    pub fn max_t(&self) -> f64 {
        self.max_t
    }
}

/// Where a ray first meets a polytope of any dimension under a pose; `None` if it does not up to its end.
///
/// Exact signs decide: a ray that only grazes the body hits it. `O(faces)` floats, and exact numbers for the few
/// faces that they leave open; for points, segments and polygons exact numbers throughout.
///
/// ```
/// use clearance::{Pose, glam::DVec3, pair::{Ray, ray_cast}, shape::Polytope, support::SupportMap};
/// let corners = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64));
/// let cube = SupportMap::new(Polytope::hull(&corners.collect::<Vec<_>>())?);
/// let grazing = Ray::new(DVec3::new(-1.0, 1.0, 0.5), DVec3::X, f64::INFINITY)?;
/// let hit = ray_cast(&cube, &Pose::IDENTITY, &grazing).expect("it runs along a face");
/// assert_eq!((hit.t_lower, hit.t_upper, hit.normal), (1.0, 1.0, Some(-DVec3::X)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ray_cast(a: &SupportMap, pose_a: &Pose, ray: &Ray) -> Option<RayHit> {
    let cast = Cast { map: a, pose: pose_a, ray, direction: BigVector::from(Vector::Literal(ray.direction)) };
    match a.polytope().dimension() {
        3 => cast.solid(),
        2 => cast.polygon(),
        _ => cast.thin(),
    }
}

/// Relative width of `t` that floats must reach to be taken.
const RELATIVE_WIDTH: f64 = 1e-12;

/// Below this, bounds may hide what underflow has lost.
const UNDERFLOW_GUARD: f64 = power_of_two(-900);

/// The frame of the world.
static REST: Pose = Pose::IDENTITY;

struct Cast<'a> {
    map: &'a SupportMap,
    pose: &'a Pose,
    ray: &'a Ray,
    direction: BigVector,
}

/// A limit of `t`, as floats know it.
#[derive(Clone, Copy)]
enum Limit {
    /// `t` is at least a number in this range.
    Above(f64, f64),
    /// `t` is at most a number in this range.
    Below(f64, f64),
    /// Not known.
    Open,
}

impl Cast<'_> {
    /// From the origin to a vertex.
    fn to_vertex(&self, vertex: u32) -> Vector<'_> {
        Vector::Between(REST.at(self.ray.origin), self.pose.at(self.map.vertex(vertex)))
    }

    fn edge(&self, from: u32, to: u32) -> BigVector {
        let at = |v: u32| self.pose.at(self.map.vertex(v));
        BigVector::from(Vector::Between(at(from), at(to)))
    }

    fn face_normal(&self, face: usize) -> BigVector {
        let corners = self.map.polytope().face(face);
        self.edge(corners[0], corners[1]).cross(&self.edge(corners[0], corners[2]))
    }

    fn solid(&self) -> Option<RayHit> {
        let faces = self.map.polytope().face_count();
        let (mut entry, mut exit) = (f64::NEG_INFINITY, f64::INFINITY);
        for face in 0..faces {
            match self.limit(face) {
                Limit::Above(low, _) => entry = entry.max(low),
                Limit::Below(_, high) => exit = exit.min(high),
                Limit::Open => {}
            }
        }
        if entry > exit || exit < 0.0 || entry > self.ray.max_t {
            return None;
        }
        self.settle(entry, exit)
    }

    /// Looks at the faces that floats cannot rule out as first entry or first exit.
    fn settle(&self, entry: f64, exit: f64) -> Option<RayHit> {
        let mut open: Vec<usize> = Vec::new();
        let mut entries: Vec<(usize, f64, f64)> = Vec::new();
        let mut earliest_exit = f64::INFINITY;
        for face in 0..self.map.polytope().face_count() {
            match self.limit(face) {
                Limit::Above(low, high) if high >= entry => entries.push((face, low, high)),
                Limit::Below(low, _) if low <= exit => {
                    earliest_exit = earliest_exit.min(low);
                    open.push(face);
                }
                Limit::Open => {
                    earliest_exit = f64::NEG_INFINITY;
                    open.push(face);
                }
                _ => {}
            }
        }
        if let [(face, low, high)] = entries[..]
            && low > 0.0
            && high < earliest_exit
            && high <= self.ray.max_t
            && high - low <= RELATIVE_WIDTH * low
        {
            let normal = self.float_plane(face).0.try_normalize();
            return Some(RayHit {
                t_lower: low,
                t_upper: high,
                within: 0.0,
                normal,
                face: Some(face as u32),
            });
        }
        let mut limits = Limits::default();
        for face in entries.iter().map(|e| e.0).chain(open) {
            let corner = self.map.polytope().face(face)[0];
            limits.add(self, self.face_normal(face), corner, Through::Face(face as u32))?;
        }
        limits.conclude(self.ray.max_t)
    }

    /// The normal of a face and its first corner seen from the origin, rounded, and its longer edge.
    fn float_plane(&self, face: usize) -> (DVec3, DVec3, f64) {
        let offset = self.pose.translation() - self.ray.origin;
        let corners = self.map.polytope().face(face);
        let [a, b, c] = [0, 1, 2].map(|i| self.pose.apply_vector(self.map.vertex(corners[i])) + offset);
        let (ab, ac) = (b - a, c - a);
        (ab.cross(ac), a, ab.length().max(ac.length()))
    }

    /// Proof of the errors, with `s >= reach + |offset|`: corners err by `6u s` a coordinate, edges by `23u s`, the
    /// normal by `60u s L`, `L` the longer edge; hence `m . v` by `90u s^2 L` and `m . d` by `70u s L |d|_1`.
    fn limit(&self, face: usize) -> Limit {
        let (normal, corner, longer) = self.float_plane(face);
        let offset = self.pose.translation() - self.ray.origin;
        let scale = (self.map.reach() + offset.abs().element_sum()) * (1.0 + 1e-8);
        let size = self.ray.direction.abs().element_sum();
        let (height, slope) = (normal.dot(corner), normal.dot(self.ray.direction));
        let height_error = 50.0 * f64::EPSILON * scale * scale * longer;
        let slope_error = 40.0 * f64::EPSILON * scale * longer * size;
        let is_sound = height_error > UNDERFLOW_GUARD && slope_error > UNDERFLOW_GUARD;
        if !is_sound || slope.is_nan() || slope.abs() <= slope_error {
            return Limit::Open;
        }
        let height = if slope < 0.0 { -height } else { height };
        let (steep, shallow) = (slope.abs() + slope_error, slope.abs() - slope_error);
        let (low, high) = (height - height_error, height + height_error);
        let low = low / if low >= 0.0 { steep } else { shallow };
        let high = high / if high >= 0.0 { shallow } else { steep };
        // The last three roundings.
        let (low, high) = (low - 4.0 * f64::EPSILON * low.abs(), high + 4.0 * f64::EPSILON * high.abs());
        if slope < 0.0 { Limit::Above(low, high) } else { Limit::Below(low, high) }
    }

    /// Between two opposite faces, and inside of every side.
    fn polygon(&self) -> Option<RayHit> {
        let polytope = self.map.polytope();
        let mut limits = Limits::default();
        for face in 0..2 {
            limits.add(self, self.face_normal(face), polytope.face(face)[0], Through::Face(face as u32))?;
        }
        let (normal, corners) = (self.face_normal(0), polytope.face(0));
        for (i, &from) in corners.iter().enumerate() {
            let outward = self.edge(from, corners[(i + 1) % corners.len()]).cross(&normal);
            limits.add(self, outward, from, Through::Side)?;
        }
        limits.conclude(self.ray.max_t)
    }

    /// Points and segments: on the line of the segment, and between its ends.
    fn thin(&self) -> Option<RayHit> {
        let mut limits = Limits::default();
        let axes = DVec3::AXES.map(|axis| BigVector::from(Vector::Literal(axis)));
        let is_point = self.map.polytope().vertices().len() == 1;
        for axis in axes {
            let across = if is_point { axis } else { self.edge(0, 1).cross(&axis) };
            limits.add(self, across.negated(), 0, Through::Nothing)?;
            limits.add(self, across, 0, Through::Nothing)?;
        }
        if !is_point {
            limits.add(self, self.edge(0, 1), 1, Through::Nothing)?;
            limits.add(self, self.edge(1, 0), 0, Through::Nothing)?;
        }
        limits.conclude(self.ray.max_t)
    }
}

/// What a constraint belongs to.
#[derive(Clone, Copy)]
enum Through {
    Face(u32),
    Side,
    Nothing,
}

/// The largest lower and the smallest upper limit of `t` so far.
#[derive(Default)]
struct Limits {
    entry: Option<(BigQuotient, BigVector, Through)>,
    exit: Option<BigQuotient>,
}

impl Limits {
    /// Adds the constraint `normal . x <= normal . vertex`; `None` if no `t` meets it.
    fn add(&mut self, cast: &Cast<'_>, normal: BigVector, vertex: u32, through: Through) -> Option<()> {
        let height = normal.dot(&BigVector::from(cast.to_vertex(vertex)));
        let slope = normal.dot(&cast.direction);
        match slope.sign() {
            Sign::Zero => return (!height.sign().is_negative()).then_some(()),
            Sign::Positive => {
                let limit = BigQuotient { numerator: height, denominator: slope };
                if self.exit.as_ref().is_none_or(|exit| limit.compare(exit).is_negative()) {
                    self.exit = Some(limit);
                }
            }
            Sign::Negative => {
                let limit = BigQuotient { numerator: height.negated(), denominator: slope.negated() };
                if self.entry.as_ref().is_none_or(|entry| limit.compare(&entry.0).is_positive()) {
                    self.entry = Some((limit, normal, through));
                }
            }
        }
        Some(())
    }

    fn conclude(self, max_t: f64) -> Option<RayHit> {
        if self.exit.as_ref().is_some_and(|exit| exit.numerator.sign().is_negative()) {
            return None;
        }
        let Some((entry, normal, through)) = self.entry.filter(|e| e.0.numerator.sign().is_positive()) else {
            return Some(RayHit::AT_START);
        };
        let is_late = self.exit.is_some_and(|exit| entry.compare(&exit).is_positive());
        let is_beyond = max_t < f64::INFINITY && {
            let end = BigQuotient::from(BigNumber::from(max_t));
            entry.compare(&end).is_positive()
        };
        if is_late || is_beyond {
            return None;
        }
        let (t_lower, t_upper) = entry.bracket();
        let unit = normal.direction().try_normalize();
        let (normal, face) = match through {
            Through::Face(face) => (unit, Some(face)),
            Through::Side => (unit, None),
            Through::Nothing => (None, None),
        };
        Some(RayHit { t_lower, t_upper, within: 0.0, normal, face })
    }
}
