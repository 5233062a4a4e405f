//! Every predicate of `exact` against exact rational arithmetic: a million cases, none wrong.
//!
//! The families are the ones that break float predicates: random input, exact degeneracies, degeneracies
//! pushed by one unit in the last place, tiny and huge coordinates, mixed magnitudes, subnormals.

use clearance::exact::{self, Axis, Posed, Sign, Vector};
use clearance::glam::{DQuat, DVec2, DVec3};
use clearance::oracle::signs as oracle;
use clearance::{Pose, math::Random};

/// Cases per family and predicate; `CLEARANCE_CASES` multiplies.
fn cases(base: usize) -> usize {
    let factor = std::env::var("CLEARANCE_CASES").ok().and_then(|v| v.parse().ok()).unwrap_or(1);
    base * factor
}

/// How coordinates are drawn.
#[derive(Clone, Copy, Debug)]
enum Family {
    Random,
    SmallIntegers,
    Ulps,
    Tiny,
    Huge,
    Mixed,
    Subnormal,
    Bits,
}

const FAMILIES: [Family; 8] = [
    Family::Random,
    Family::SmallIntegers,
    Family::Ulps,
    Family::Tiny,
    Family::Huge,
    Family::Mixed,
    Family::Subnormal,
    Family::Bits,
];

fn coordinate(family: Family, random: &mut Random) -> f64 {
    let unit = random.range(-1.0, 1.0);
    let small = (random.below(7) as f64) - 3.0;
    match family {
        Family::Random => unit,
        Family::SmallIntegers => small,
        Family::Ulps => nudge(0.1 * small + 0.3, random.below(3) as i64 - 1),
        Family::Tiny => nudge(small * 1e-150, random.below(3) as i64 - 1),
        Family::Huge => nudge(small * 1e150, random.below(3) as i64 - 1),
        Family::Mixed => unit * 10f64.powi(random.below(41) as i32 - 20),
        Family::Subnormal => f64::from_bits(random.below(50)) * small.signum(),
        Family::Bits => loop {
            let x = f64::from_bits(random.bits());
            if x.is_finite() {
                break x;
            }
        },
    }
}

/// Moves a number by whole units in the last place.
fn nudge(x: f64, ulps: i64) -> f64 {
    match ulps {
        0 => x,
        n if n > 0 => nudge(x.next_up(), n - 1),
        n => nudge(x.next_down(), n + 1),
    }
}

fn point(family: Family, random: &mut Random) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| coordinate(family, random)))
}

/// Three points and a fourth that is, more often than chance would have it, coplanar or nearly so.
fn four_points(family: Family, random: &mut Random) -> [DVec3; 4] {
    let [a, b, c] = std::array::from_fn(|_| point(family, random));
    let d = match random.below(3) {
        0 => point(family, random),
        1 => a + (b - a) * 0.5 + (c - a) * 0.25,
        _ => {
            let inside = a + (b - a) * random.range(0.0, 1.0) + (c - a) * random.range(0.0, 1.0);
            DVec3::from_array(inside.to_array().map(|x| nudge(x, random.below(3) as i64 - 1)))
        }
    };
    let d = if d.is_finite() { d } else { a };
    [a, b, c, d]
}

/// Identity, exact quarter turns and true rotations, with translations of every family.
fn pose(family: Family, random: &mut Random) -> Pose {
    let quaternion = match random.below(4) {
        0 => DQuat::IDENTITY,
        1 => DQuat::from_xyzw(0.0, 0.0, 1.0, 1.0),
        _ => DQuat::from_xyzw(
            random.range(-1.0, 1.0),
            random.range(-1.0, 1.0),
            random.range(-1.0, 1.0),
            random.range(0.1, 1.0),
        ),
    };
    let translation = point(family, random).clamp(DVec3::splat(-1e90), DVec3::splat(1e90));
    Pose::from_quaternion(quaternion, translation).expect("a rotation and a bounded translation")
}

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
fn orient2d_and_orient3d_are_exact() {
    for (seed, family) in FAMILIES.into_iter().enumerate() {
        let mut random = Random::new(seed as u64);
        let (mut flat, mut solid) = (Tally::default(), Tally::default());
        for _ in 0..cases(30_000) {
            let [a, b, c, d] = four_points(family, &mut random);
            let [e, f, g] = [a, b, d].map(DVec3::truncate);
            let planar = exact::orient2d(e, f, g);
            assert_eq!(planar, oracle::orient2d(e, f, g), "{family:?} {e} {f} {g}");
            flat.note(planar);
            let spatial = exact::orient3d(a, b, c, d);
            let [ea, eb, ec, ed] = [a, b, c, d].map(oracle::exact);
            assert_eq!(spatial, oracle::orient3d(&ea, &eb, &ec, &ed), "{family:?} {a} {b} {c} {d}");
            solid.note(spatial);
        }
        if !matches!(family, Family::Random | Family::Mixed | Family::Bits) {
            flat.assert_all_signs_occur(&format!("orient2d {family:?}"));
            solid.assert_all_signs_occur(&format!("orient3d {family:?}"));
        }
    }
}

#[test]
fn orientation_under_two_poses_is_exact() {
    for (seed, family) in FAMILIES.into_iter().enumerate() {
        let mut random = Random::new(100 + seed as u64);
        for _ in 0..cases(20_000) {
            let poses = [pose(family, &mut random), pose(family, &mut random)];
            let points = four_points(family, &mut random);
            let owner: [usize; 4] = std::array::from_fn(|_| random.below(2) as usize);
            let at: [Posed<'_>; 4] = std::array::from_fn(|i| poses[owner[i]].at(points[i]));
            let truth: [_; 4] = std::array::from_fn(|i| oracle::posed(&poses[owner[i]], points[i]));
            let [a, b, c, d] = &truth;
            let context = || format!("{family:?} {points:?} {owner:?} {poses:?}");
            assert_eq!(
                exact::orient3d_posed(at[0], at[1], at[2], at[3]),
                oracle::orient3d(a, b, c, d),
                "{}",
                context()
            );
            let normal = oracle::cross(&oracle::minus(b, a), &oracle::minus(c, a));
            for axis in Axis::ALL {
                let got = exact::orient2d_posed(axis, at[0], at[1], at[2]);
                assert_eq!(got, normal[axis as usize].sign(), "{axis:?} {}", context());
            }
        }
    }
}

/// Four points that are coplanar in the world although they come from two bodies: the images differ by an
/// exact quarter turn and a translation in which every sum is exact.
#[test]
fn exact_contact_between_bodies_is_recognised() {
    let mut random = Random::new(7);
    let mut tally = Tally::default();
    for _ in 0..cases(50_000) {
        let [a, b, c, d]: [DVec3; 4] = std::array::from_fn(|_| point(Family::SmallIntegers, &mut random));
        let shift = point(Family::SmallIntegers, &mut random) * 1024.0;
        let quarter =
            Pose::from_rows([0., -1., 0., shift.x, 1., 0., 0., shift.y, 0., 0., 1., shift.z]).unwrap();
        let home = quarter.inverse().apply(d);
        assert_eq!(quarter.apply(home), d, "every sum is exact");
        let still = Pose::IDENTITY;
        let got = exact::orient3d_posed(still.at(a), still.at(b), still.at(c), quarter.at(home));
        assert_eq!(got, exact::orient3d(a, b, c, d));
        tally.note(got);
        assert_eq!(
            exact::orient3d_posed(quarter.at(home), still.at(b), still.at(c), still.at(a)),
            exact::orient3d(d, b, c, a)
        );
    }
    tally.assert_all_signs_occur("integer points of two bodies");
}

#[test]
fn dot_products_and_determinants_of_exact_vectors_are_exact() {
    for (seed, family) in FAMILIES.into_iter().enumerate() {
        let mut random = Random::new(200 + seed as u64);
        for _ in 0..cases(20_000) {
            let poses = [pose(family, &mut random), pose(family, &mut random)];
            let points = four_points(family, &mut random);
            let direction = point(family, &mut random);
            let at = |i: usize| poses[i % 2].at(points[i]);
            let truth = |i: usize| oracle::posed(&poses[i % 2], points[i]);
            let across = oracle::minus(&truth(1), &truth(0));
            let along = oracle::minus(&truth(2), &truth(0));
            let literal = oracle::exact(direction);
            let context = || format!("{family:?} {direction:?} {points:?} {poses:?}");
            let got = exact::dot_sign(direction, Vector::Between(at(0), at(1)));
            assert_eq!(got, oracle::dot(&literal, &across).sign(), "{}", context());
            assert_eq!(exact::plane_side(direction, at(0), at(1)), got);
            let got = exact::dot_sign(direction, Vector::Between(at(0), at(2)));
            assert_eq!(got, oracle::dot(&literal, &along).sign(), "{}", context());
            let got = exact::det_sign(
                Vector::Between(at(0), at(1)),
                Vector::Literal(direction),
                Vector::Between(at(0), at(2)),
            );
            assert_eq!(got, oracle::det_sign(&across, &literal, &along), "{}", context());
        }
    }
}

#[test]
fn signs_do_not_depend_on_scale_or_on_the_order_of_points() {
    let mut random = Random::new(3);
    for _ in 0..cases(20_000) {
        let [a, b, c, d] = four_points(Family::Ulps, &mut random);
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

/// The filter must not be the only stage that is tested, nor the exact one: both are reached.
#[test]
fn the_smallest_and_largest_numbers_are_taken() {
    let tiny = 5e-324;
    let huge = f64::MAX;
    assert_eq!(exact::orient2d(DVec2::ZERO, DVec2::new(tiny, 0.0), DVec2::new(0.0, tiny)), Sign::Positive);
    assert_eq!(exact::orient2d(DVec2::splat(-huge), DVec2::splat(huge), DVec2::new(1.0, 1.0)), Sign::Zero);
    assert_eq!(
        exact::orient2d(DVec2::splat(-huge), DVec2::splat(huge), DVec2::new(1.0, 1.0 + f64::EPSILON)),
        Sign::Positive
    );
    let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z];
    assert_eq!(exact::orient3d(DVec3::ZERO, x * tiny, y * huge, z * tiny), Sign::Positive);
    assert_eq!(exact::orient3d(x * huge, y * huge, z * huge, -DVec3::ONE * huge), Sign::Negative);
}
