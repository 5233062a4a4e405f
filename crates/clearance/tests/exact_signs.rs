//! What the predicates of `exact` promise beyond agreeing with rationals (which `comparisons.rs` tests).

use clearance::Pose;
use clearance::exact::{self, Sign};
use clearance::glam::{DVec2, DVec3};
use clearance::math::Random;
use clearance::oracle::cases::Family;

/// Counts how often each sign occurred, so that a family that never degenerates is noticed.
#[derive(Default)]
struct Tally([usize; 3]);

impl Tally {
    fn note(&mut self, sign: Sign) {
        self.0[(sign as i8 + 1) as usize] += 1;
    }

    fn assert_all_signs_occur(&self, what: &str) {
        assert!(self.0.iter().all(|&n| n > 20), "{what}: negative, zero, positive {:?}", self.0);
    }
}

#[test]
fn degenerate_families_degenerate() {
    let families = [Family::SmallIntegers, Family::Ulps, Family::Tiny, Family::Huge, Family::Subnormal];
    for family in families {
        let (mut random, mut flat, mut solid) = (Random::new(1), Tally::default(), Tally::default());
        for _ in 0..5_000 {
            let [a, b, c, d] = family.four_points(&mut random);
            solid.note(exact::orient3d(a, b, c, d));
            flat.note(exact::orient2d(a.truncate(), b.truncate(), d.truncate()));
        }
        solid.assert_all_signs_occur(&format!("orient3d {family:?}"));
        flat.assert_all_signs_occur(&format!("orient2d {family:?}"));
    }
}

/// Four points that are coplanar in the world although they come from two bodies: the images differ by an
/// exact quarter turn and a translation in which every sum is exact.
#[test]
fn exact_contact_between_bodies_is_recognised() {
    let (mut random, mut tally) = (Random::new(7), Tally::default());
    for _ in 0..20_000 {
        let [a, b, c, d]: [DVec3; 4] = std::array::from_fn(|_| Family::SmallIntegers.point(&mut random));
        let shift = Family::SmallIntegers.point(&mut random) * 1024.0;
        let rows = [0., -1., 0., shift.x, 1., 0., 0., shift.y, 0., 0., 1., shift.z];
        let quarter = Pose::from_rows(rows).unwrap();
        let home = quarter.inverse().apply(d);
        assert_eq!(quarter.apply(home), d, "every sum is exact");
        let still = Pose::IDENTITY;
        let got = exact::orient3d_posed(still.at(a), still.at(b), still.at(c), quarter.at(home));
        assert_eq!(got, exact::orient3d(a, b, c, d));
        tally.note(got);
        let moved = exact::orient3d_posed(quarter.at(home), still.at(b), still.at(c), still.at(a));
        assert_eq!(moved, exact::orient3d(d, b, c, a));
    }
    tally.assert_all_signs_occur("integer points of two bodies");
}

#[test]
fn signs_do_not_depend_on_scale_or_on_the_order_of_points() {
    let mut random = Random::new(3);
    for _ in 0..20_000 {
        let [a, b, c, d] = Family::Ulps.four_points(&mut random);
        let sign = exact::orient3d(a, b, c, d);
        assert_eq!(exact::orient3d(b, c, a, d), sign);
        assert_eq!(exact::orient3d(b, a, c, d), -sign);
        assert_eq!(exact::orient3d(a, b, d, c), -sign);
        for power in [-20, 20, -300, 300] {
            let [e, f, g, h] = [a, b, c, d].map(|p| p * 2f64.powi(power));
            assert_eq!(exact::orient3d(e, f, g, h), sign);
        }
    }
}

#[test]
fn the_smallest_and_largest_numbers_are_taken() {
    let (tiny, huge) = (5e-324, f64::MAX);
    assert_eq!(exact::orient2d(DVec2::ZERO, DVec2::new(tiny, 0.0), DVec2::new(0.0, tiny)), Sign::Positive);
    assert_eq!(exact::orient2d(DVec2::splat(-huge), DVec2::splat(huge), DVec2::new(1.0, 1.0)), Sign::Zero);
    let beside = DVec2::new(1.0, 1.0 + f64::EPSILON);
    assert_eq!(exact::orient2d(DVec2::splat(-huge), DVec2::splat(huge), beside), Sign::Positive);
    let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z];
    assert_eq!(exact::orient3d(DVec3::ZERO, x * tiny, y * huge, z * tiny), Sign::Positive);
    assert_eq!(exact::orient3d(x * huge, y * huge, z * huge, -DVec3::ONE * huge), Sign::Negative);
}
