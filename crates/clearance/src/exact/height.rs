//! Heights over a plane under a pose: exact numbers that leave this module as signs and as brackets of floats.
//!
//! A plane `n . x = c` with `f64` entries contains no `f64` point in general, and its image under a pose is a plane
//! through rational points: signs of posed points alone do not reach it. So heights are rational here, and slow
//! (tens of microseconds); callers ask for the few vertices that a float filter leaves.

use super::{Posed, Sign};
use crate::math::Pose;
use dashu::base::Abs;
use dashu::rational::RBig;
use glam::DVec3;

/// The image of `normal . x = offset` under a pose, exactly.
#[derive(Clone, Debug)]
pub(crate) struct PosedPlane {
    /// `det(R) R^-T n`: outward in the world, of any length.
    pub(super) normal: [RBig; 3],
    pub(super) norm_squared: RBig,
    /// `normal . y` on the plane.
    level: RBig,
}

/// A height over a plane times the length of the plane's normal, exactly.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Height(pub(super) RBig);

impl PosedPlane {
    /// From finite numbers, the normal not zero.
    pub fn new(normal: DVec3, offset: f64, pose: &Pose) -> PosedPlane {
        let [x, y, z] = [0, 1, 2].map(|i| exact_vector(pose.rotation().col(i)));
        let n = exact_vector(normal);
        let cofactors = [cross(&y, &z), cross(&z, &x), cross(&x, &y)];
        let determinant = dot(&x, &cofactors[0]);
        let normal =
            [0, 1, 2].map(|i| &n[0] * &cofactors[0][i] + &n[1] * &cofactors[1][i] + &n[2] * &cofactors[2][i]);
        let level = determinant * exact(offset) + dot(&normal, &exact_vector(pose.translation()));
        PosedPlane { norm_squared: dot(&normal, &normal), normal, level }
    }

    /// The same plane with its normal turned around.
    pub fn flipped(&self) -> PosedPlane {
        let normal = self.normal.clone().map(|x| -x);
        PosedPlane { normal, norm_squared: self.norm_squared.clone(), level: -self.level.clone() }
    }

    /// The unit normal, each entry wrong by at most `6u`.
    pub fn unit_normal(&self) -> DVec3 {
        let largest = self.normal.iter().map(|x| x.clone().abs()).max().unwrap_or(RBig::ONE);
        let entry = |x: &RBig| (x / &largest).to_f64().value();
        let [x, y, z] = &self.normal;
        DVec3::new(entry(x), entry(y), entry(z)).normalize()
    }

    /// The height of a posed point.
    pub fn height(&self, point: Posed<'_>) -> Height {
        let [x, y, z] = [0, 1, 2].map(|i| exact_vector(point.pose.rotation().col(i)));
        let (p, t) = (exact_vector(point.point), exact_vector(point.pose.translation()));
        let world = [0, 1, 2].map(|i| &x[i] * &p[0] + &y[i] * &p[1] + &z[i] * &p[2] + &t[i]);
        Height(dot(&self.normal, &world) - &self.level)
    }

    /// The height of another plane if it is exactly parallel, and whether its normal points the same way
    /// (`Positive`) or the other.
    pub fn height_of_plane(&self, other: &PosedPlane) -> Option<(Height, Sign)> {
        if cross(&self.normal, &other.normal).iter().any(|x| !x.is_zero()) {
            return None;
        }
        // other.normal = multiple * normal.
        let multiple = dot(&self.normal, &other.normal) / &self.norm_squared;
        let sign = if multiple > RBig::ZERO { Sign::Positive } else { Sign::Negative };
        Some((Height(&other.level / multiple - &self.level), sign))
    }
}

impl std::ops::Neg for Height {
    type Output = Height;

    fn neg(self) -> Height {
        Height(-self.0)
    }
}

pub(super) fn sign_of(x: &RBig) -> Sign {
    match x.cmp(&RBig::ZERO) {
        std::cmp::Ordering::Less => Sign::Negative,
        std::cmp::Ordering::Equal => Sign::Zero,
        std::cmp::Ordering::Greater => Sign::Positive,
    }
}

pub(super) fn power_of_two(exponent: isize) -> RBig {
    let power = RBig::from(dashu::integer::IBig::ONE << exponent.unsigned_abs());
    if exponent < 0 { RBig::ONE / power } else { power }
}

/// The sum, exactly.
pub(super) fn total(radii: &[f64]) -> RBig {
    radii.iter().fold(RBig::ZERO, |sum, &radius| sum + exact(radius))
}

/// The largest float not above; numbers are far from overflow.
pub(super) fn down(x: &RBig) -> f64 {
    let near = x.to_f64().value();
    if exact(near) <= *x { near } else { near.next_down() }
}

/// The smallest float not below.
pub(super) fn up(x: &RBig) -> f64 {
    let near = x.to_f64().value();
    if exact(near) >= *x { near } else { near.next_up() }
}

/// The exact value of a finite float.
pub(super) fn exact(x: f64) -> RBig {
    RBig::try_from(x).unwrap_or(RBig::ZERO)
}

pub(super) fn exact_vector(v: DVec3) -> [RBig; 3] {
    v.to_array().map(exact)
}

pub(super) fn dot(u: &[RBig; 3], v: &[RBig; 3]) -> RBig {
    &u[0] * &v[0] + &u[1] * &v[1] + &u[2] * &v[2]
}

fn cross(u: &[RBig; 3], v: &[RBig; 3]) -> [RBig; 3] {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &u[i] * &v[j] - &u[j] * &v[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turned() -> Pose {
        Pose::from_axis_angle(DVec3::new(1.0, -2.0, 0.5), 2.1, DVec3::new(3.0, 1e6, -7.0)).unwrap()
    }

    #[test]
    fn a_point_of_the_plane_has_height_zero_under_any_pose() {
        let pose = turned();
        let plane = PosedPlane::new(DVec3::new(0.5, -3.0, 0.25), 0.5 * 0.1 - 3.0 * 7.25 + 0.5, &pose);
        // 0.05 is not 0.5 * 0.1 exactly, but halving is exact; the offset above is one rounding away from exact.
        let offset = plane.height(pose.at(DVec3::new(0.1, 7.25, 2.0)));
        let (low, high) = plane.above(&offset, &[]).bracket();
        assert!(low <= 0.0 && high >= 0.0 || high.max(-low) < 1e-14, "{low} {high}");
        let on = PosedPlane::new(DVec3::new(0.5, -3.0, 0.25), 0.5 - 3.0 + 1.0, &pose);
        assert_eq!(on.height(pose.at(DVec3::new(1.0, 1.0, 4.0))), Height(RBig::ZERO));
    }

    #[test]
    fn brackets_hold_the_truth_at_every_size_and_are_tight() {
        for exponent in [-480, -60, 0, 60, 290] {
            let size = crate::math::round::power_of_two(exponent);
            let plane = PosedPlane::new(DVec3::new(1.0, 1.0, 1.0), 0.0, &Pose::IDENTITY);
            let height = plane.height(Pose::IDENTITY.at(DVec3::new(size, 0.0, 0.0)));
            let (low, high) = plane.above(&height, &[]).bracket();
            assert!(
                3.0 * (low / size) * (low / size) <= 1.0 + 1e-15 && low.next_up() >= high,
                "{low:e} {high:e}"
            );
            let exactly = exact(size) * exact(size);
            assert!(exact(low) * exact(low) * RBig::from(3) <= exactly);
            assert!(exact(high) * exact(high) * RBig::from(3) >= exactly);
        }
    }

    #[test]
    fn rationals_are_rounded_to_neighbours_at_every_size() {
        let third = RBig::ONE / RBig::from(3);
        for exponent in [-1074isize, -1073, -1060, -1022, -1000, -500, -1, 0, 1, 500, 900] {
            for x in [
                &third * power_of_two(exponent),
                RBig::ONE * power_of_two(exponent),
                RBig::from(3) * power_of_two(exponent),
            ] {
                let (low, high) = (down(&x), up(&x));
                assert!(exact(low) <= x && x <= exact(high), "{exponent}: {low:e} {high:e}");
                assert!(low == high || low.next_up() == high, "{exponent}: {low:e} {high:e}");
            }
        }
    }

    #[test]
    fn what_is_a_float_is_met_exactly() {
        let plane = PosedPlane::new(DVec3::new(0.0, 3.0, 4.0), 10.0, &Pose::IDENTITY);
        let height = plane.height(Pose::IDENTITY.at(DVec3::new(0.0, 4.0, 3.0)));
        let (low, high) = plane.above(&height, &[]).bracket();
        assert!(low.next_up() == high && (low == 2.8 || high == 2.8), "14 / 5 is no float");
        let height = plane.height(Pose::IDENTITY.at(DVec3::new(9.0, 5.0, 5.0)));
        assert_eq!(plane.above(&height, &[]).bracket(), (5.0, 5.0));
        assert_eq!(plane.above(&height, &[3.0, 2.0]).bracket(), (0.0, 0.0));
        assert_eq!(plane.above(&height, &[5.0, 1e-300]).sign(), Sign::Negative);
        assert_eq!(plane.above(&-height, &[1.0]).bracket(), (-6.0, -6.0));
    }

    #[test]
    fn parallel_planes_are_known_and_others_are_not() {
        let pose = turned();
        let plane = PosedPlane::new(DVec3::new(0.1, 0.2, 0.7), 1.0, &pose);
        let (same, sign) =
            plane.height_of_plane(&PosedPlane::new(DVec3::new(-0.2, -0.4, -1.4), -2.0, &pose)).unwrap();
        assert_eq!((same, sign), (Height(RBig::ZERO), Sign::Negative));
        let near = PosedPlane::new(DVec3::new(0.1f64.next_up(), 0.2, 0.7), 1.0, &pose);
        assert!(plane.height_of_plane(&near).is_none());
    }
}
