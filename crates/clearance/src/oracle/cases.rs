//! Hostile input: the coordinate families that break float predicates.

use crate::math::round::power_of_two;
use crate::math::{Pose, Random};
use crate::shape::Polytope;
use glam::{DMat3, DQuat, DVec3};

/// How coordinates are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Uniform in `[-1, 1)`.
    Uniform,
    /// `-3 ..= 3`: duplicates, collinear and coplanar points all the time.
    SmallIntegers,
    /// Multiples of 0.1, moved by at most one unit in the last place.
    Ulps,
    /// Multiples of 1e-150, moved by at most one unit in the last place.
    Tiny,
    /// Multiples of 1e150, moved by at most one unit in the last place.
    Huge,
    /// Magnitudes from 1e-20 to 1e20 side by side.
    Mixed,
    /// A few units of the smallest subnormal number.
    Subnormal,
    /// Any finite bit pattern.
    Bits,
}

impl Family {
    /// All families.
    pub const ALL: [Family; 8] = [
        Family::Uniform,
        Family::SmallIntegers,
        Family::Ulps,
        Family::Tiny,
        Family::Huge,
        Family::Mixed,
        Family::Subnormal,
        Family::Bits,
    ];

    /// One of them.
    pub fn any(random: &mut Random) -> Family {
        Family::ALL[random.below(Family::ALL.len() as u64) as usize]
    }

    /// A coordinate.
    pub fn coordinate(self, random: &mut Random) -> f64 {
        let unit = random.range(-1.0, 1.0);
        let small = random.below(7) as f64 - 3.0;
        let ulps = random.below(3) as i64 - 1;
        match self {
            Family::Uniform => unit,
            Family::SmallIntegers => small,
            Family::Ulps => nudge(0.1 * small + 0.3, ulps),
            Family::Tiny => nudge(small * 1e-150, ulps),
            Family::Huge => nudge(small * 1e150, ulps),
            Family::Mixed => unit * 10f64.powi(random.below(41) as i32 - 20),
            Family::Subnormal => f64::from_bits(random.below(10)) * small.signum(),
            Family::Bits => any_finite(random),
        }
    }

    /// A point.
    pub fn point(self, random: &mut Random) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| self.coordinate(random)))
    }

    /// A point within the limits of constructors.
    pub fn bounded_point(self, random: &mut Random) -> DVec3 {
        let limit = DVec3::splat(crate::tolerance::COORDINATE_LIMIT);
        self.point(random).clamp(-limit, limit)
    }

    /// Three points and a fourth that is, more often than chance would have it, coplanar or nearly so.
    pub fn four_points(self, random: &mut Random) -> [DVec3; 4] {
        let [a, b, c] = std::array::from_fn(|_| self.point(random));
        let d = match random.below(3) {
            0 => self.point(random),
            1 => a + (b - a) * 0.5 + (c - a) * 0.25,
            _ => {
                let inside = a + (b - a) * random.unit() + (c - a) * random.unit();
                DVec3::from_array(inside.to_array().map(|x| nudge(x, random.below(3) as i64 - 1)))
            }
        };
        [a, b, c, if d.is_finite() { d } else { a }]
    }

    /// Identity, exact quarter turns and true rotations, with a translation of this family.
    pub fn pose(self, random: &mut Random) -> Pose {
        let quaternion = match random.below(4) {
            0 => DQuat::IDENTITY,
            1 => DQuat::from_xyzw(0.0, 0.0, 1.0, 1.0),
            _ => {
                DQuat::from_array(std::array::from_fn(|i| random.range(if i == 3 { 0.1 } else { -1.0 }, 1.0)))
            }
        };
        Pose::from_quaternion(quaternion, self.bounded_point(random))
            .expect("a rotation and a bounded translation")
    }
}

/// Moves a number by whole units in the last place.
pub fn nudge(x: f64, ulps: i64) -> f64 {
    (0..ulps.abs()).fold(x, |x, _| if ulps > 0 { x.next_up() } else { x.next_down() })
}

fn any_finite(random: &mut Random) -> f64 {
    loop {
        let x = f64::from_bits(random.bits());
        if x.is_finite() {
            return x;
        }
    }
}

/// A polytope and where it is.
pub type Body = (Polytope, Pose);

/// Small polytopes of every dimension and family, often in contact: under no, one or two poses.
pub fn two_bodies(family: Family, most: u64, random: &mut Random) -> (Body, Body) {
    let mut body = || {
        let count = 1 + random.below(most);
        let points: Vec<DVec3> = (0..count).map(|_| family.bounded_point(random)).collect();
        (Polytope::hull(&points).expect("finite points"), family.pose(random))
    };
    let ((a, pose_a), (b, pose_b)) = (body(), body());
    match random.below(3) {
        0 => ((a, Pose::IDENTITY), (b, Pose::IDENTITY)),
        1 => ((a, pose_a), (b, pose_a)),
        _ => ((a, pose_a), (b, pose_b)),
    }
}

/// Small polytopes with a common point by construction, so small that rounding errors and their bounds underflow, under a true
/// rotation: their points are whole multiples of `2^-1060` to `2^-990`.
///
/// A point of A is a point or a middle of two points of B. Half of the bodies have one pose; of the others A is moved along an axis
/// of its frame, and its pose back along the image of that axis, exactly.
pub fn two_tiny_bodies(random: &mut Random) -> (Body, Body) {
    // Smaller than any power whose inverse is a float.
    let unit = power_of_two(-1000) * power_of_two(random.below(71) as i32 - 60);
    let most = [1u64 << 10, 3][random.below(2) as usize];
    let mut points = |count: u64| -> Vec<DVec3> {
        let mut point =
            || DVec3::from_array(std::array::from_fn(|_| random.below(2 * most + 1) as f64 - most as f64));
        (0..count).map(|_| 2.0 * point()).collect()
    };
    let (mut points_a, points_b) = (points(4), points(4));
    points_a.truncate(1 + random.below(4) as usize);
    points_a[0] = 0.5 * (points_b[0] + points_b[random.below(4) as usize]);
    let points_b = &points_b[..1 + random.below(4) as usize];
    let rotation = coarse_rotation(random);
    let axis = random.below(3) as usize;
    let shift = if random.below(2) == 0 { (1u64 << 40) as f64 * unit } else { 0.0 };
    let pose = |by: f64| Pose::new(rotation, rotation.col(axis) * by).expect("nearly a rotation");
    let hull = |points: &[DVec3], by: f64| {
        let placed = points.iter().map(|point| *point * unit + DVec3::AXES[axis] * by);
        Polytope::hull(&placed.collect::<Vec<_>>()).expect("finite points")
    };
    ((hull(&points_a, shift), pose(-shift)), (hull(points_b, 0.0), pose(0.0)))
}

/// A rotation with entries of few bits, so that products with powers of two are exact among the smallest numbers.
fn coarse_rotation(random: &mut Random) -> DMat3 {
    const BITS: f64 = (1u64 << 34) as f64;
    let quaternion = DQuat::from_array(std::array::from_fn(|_| random.range(-1.0, 1.0)));
    let entries = DMat3::from_quat(quaternion.normalize()).to_cols_array();
    DMat3::from_cols_array(&entries.map(|entry| (entry * BITS).round() / BITS))
}
