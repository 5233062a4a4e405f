//! Primitives against textbook formulas in rational arithmetic; roots are bracketed to `2^-200`.

use crate::math::Random;
use crate::shape::sample::random_direction;
use crate::shape::{
    Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Point, Primitive, PrimitiveError, Rounded, Segment, Sphere,
    SupportPoint, Triangle,
};
use dashu::base::{Abs, SquareRoot, UnsignedAbs};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use glam::DVec3;

/// Lower and upper end of a number that need not be rational.
pub type Bracket = [RBig; 2];

/// The exact value of a finite `f64`; panics on others.
pub fn exact(x: f64) -> RBig {
    match RBig::try_from(x) {
        Ok(value) => value,
        Err(_) => panic!("{x} has no exact value"),
    }
}

/// The exact dot product.
pub fn dot(a: DVec3, b: DVec3) -> RBig {
    exact(a.x) * exact(b.x) + exact(a.y) * exact(b.y) + exact(a.z) * exact(b.z)
}

/// An exact direction.
pub type ExactDirection = [RBig; 3];

/// The true maximum of `d·x` over a bounded body; panics on half-spaces and planes.
pub fn true_extent(body: &Primitive, d: DVec3) -> Bracket {
    true_extent_along(body, &d.to_array().map(exact))
}

/// [`true_extent`] along a direction that need not consist of floats.
pub fn true_extent_along(body: &Primitive, d: &ExactDirection) -> Bracket {
    let up = |height: f64| exact(0.5 * height) * d[2].clone().abs();
    let squares = |factors: DVec3| {
        let square = |i: usize| (exact(factors[i]) * &d[i]).sqr();
        root(&(square(0) + square(1) + square(2)))
    };
    let across = |radius: f64| squares(DVec3::new(radius, radius, 0.0));
    match body {
        Primitive::Cuboid(b) => {
            let half = 0.5 * b.edges();
            single(dot_exact(half, &d.clone().map(|x| x.abs())))
        }
        Primitive::Sphere(b) => squares(DVec3::splat(b.radius())),
        Primitive::Ellipsoid(b) => squares(b.semi_axes()),
        Primitive::Capsule(b) => add(single(up(b.length())), squares(DVec3::splat(b.radius()))),
        Primitive::Cylinder(b) => add(single(up(b.height())), across(b.radius())),
        Primitive::Cone(b) => {
            let apex = exact(0.5 * b.height()) * &d[2];
            larger(single(apex.clone()), add(single(-apex), across(b.radius())))
        }
        Primitive::Triangle(b) => max_over_along(&b.corners(), d),
        Primitive::Segment(b) => max_over_along(&b.ends(), d),
        Primitive::Point(b) => max_over_along(&[b.position()], d),
        Primitive::HalfSpace(_) | Primitive::Plane(_) => panic!("unbounded"),
    }
}

/// The largest exact dot product; panics without points.
pub fn max_over(points: &[DVec3], d: DVec3) -> Bracket {
    max_over_along(points, &d.to_array().map(exact))
}

/// [`max_over`] along a direction that need not consist of floats.
pub fn max_over_along(points: &[DVec3], d: &ExactDirection) -> Bracket {
    points.iter().map(|&p| single(dot_exact(p, d))).reduce(larger).expect("points")
}

fn dot_exact(p: DVec3, d: &ExactDirection) -> RBig {
    exact(p.x) * &d[0] + exact(p.y) * &d[1] + exact(p.z) * &d[2]
}

/// Whether a support point lies within `error` of a bounded body. Exact, but for ellipsoids and cones
/// only sufficient: the first must lie in a copy grown about the centre, the second be apex or rim.
pub fn is_within(body: &Primitive, p: DVec3, error: f64) -> bool {
    let flat = DVec3::new(p.x, p.y, 0.0);
    let in_ball = |square: RBig, radius: f64| {
        let reach = exact(radius) + exact(error);
        square <= &reach * &reach
    };
    match body {
        Primitive::Cuboid(b) => b.bounds().contains(p),
        Primitive::Sphere(b) => in_ball(dot(p, p), b.radius()),
        Primitive::Ellipsoid(b) => {
            let share = |p: f64, s: f64| exact(p) * exact(p) / (exact(s) * exact(s));
            let (s, grow) = (b.semi_axes(), exact(3.5 * f64::EPSILON));
            let factor = exact(1.0) + &grow;
            let inside = share(p.x, s.x) + share(p.y, s.y) + share(p.z, s.z) <= &factor * &factor;
            inside && in_ball(&grow * &grow * dot(p, p), 0.0)
        }
        Primitive::Capsule(b) => {
            let over = (exact(p.z).abs() - exact(0.5 * b.length())).max(RBig::ZERO);
            in_ball(dot(flat, flat) + &over * &over, b.radius())
        }
        Primitive::Cylinder(b) => p.z.abs() <= 0.5 * b.height() && in_ball(dot(flat, flat), b.radius()),
        Primitive::Cone(b) => {
            let half = 0.5 * b.height();
            p == DVec3::new(0.0, 0.0, half) || (p.z == -half && in_ball(dot(flat, flat), b.radius()))
        }
        Primitive::Triangle(b) => b.corners().contains(&p),
        Primitive::Segment(b) => b.ends().contains(&p),
        Primitive::Point(b) => b.position() == p,
        Primitive::HalfSpace(_) | Primitive::Plane(_) => panic!("unbounded"),
    }
}

/// A random bounded body: any kind, also thin or far from the origin, at scales from `2^-460` to `2^270`.
pub fn any_bounded(random: &mut Random) -> Primitive {
    let exponent = [0, 0, -20, 20, -332, 265, 270, -460][random.below(8) as usize];
    bounded(random, crate::math::round::power_of_two(exponent)).expect("sizes in range")
}

fn bounded(random: &mut Random, scale: f64) -> Result<Primitive, PrimitiveError> {
    let kind = random.below(9);
    let mut size = || scale * [1.0, 1.0, 1e-3, 1e-9][random.below(4) as usize] * random.range(0.5, 2.0);
    Ok(match kind {
        0 => Cuboid::new(DVec3::new(size(), size(), size()))?.into(),
        1 => Sphere::new(size())?.into(),
        2 => Ellipsoid::new(DVec3::new(size(), size(), size()))?.into(),
        3 => Capsule::new(size(), size())?.into(),
        4 => Cylinder::new(size(), size())?.into(),
        5 => Cone::new(size(), size())?.into(),
        _ => {
            let offset = [0.0, 1.0, 1e6][random.below(3) as usize];
            let [a, b, c] = [(); 3].map(|()| scale * (random_direction(random) + DVec3::splat(offset)));
            match kind {
                6 => Triangle::new(a, b, c)?.into(),
                7 => Segment::new(a, b)?.into(),
                _ => Point::new(a)?.into(),
            }
        }
    })
}

/// A random direction: a small integer one, one near an axis, or any, of length `1e-300` to `1e180`.
pub fn any_direction(random: &mut Random) -> DVec3 {
    let mut integer = || random.below(5) as f64 - 2.0;
    let integers = DVec3::new(integer(), integer(), integer());
    match random.below(5) {
        0 => integers,
        1 => DVec3::new(1.0, 1e-9, -1e-200),
        2 => DVec3::new(1e-12, 0.0, -1.0),
        3 => [1e-300, 1e-20, 1e180][random.below(3) as usize] * random_direction(random),
        _ => random_direction(random),
    }
}

/// An extent is never below the truth and within 8 units in the last place of it.
pub fn extent(random: &mut Random) -> Result<(), String> {
    let (body, d) = (any_bounded(random), any_direction(random));
    let extent = body.extent(d);
    let [low, high] = true_extent(&body, d);
    let cancels = matches!(
        body,
        Primitive::Triangle(_) | Primitive::Segment(_) | Primitive::Point(_) | Primitive::Cone(_)
    );
    // Sums of terms of both signs are tight relative to the terms, the others to the extent itself.
    let size = if cancels { size(&body) * exact(d.abs().max_element()) } else { high.clone() };
    let slack = exact(8.0 * f64::EPSILON) * size + exact(8.0 * f64::from_bits(1));
    check(exact(extent) >= low, || format!("{body:?} along {d:?}: extent {extent:e} is too small"))?;
    check(exact(extent) <= high + slack, || format!("{body:?} along {d:?}: extent {extent:e} is not tight"))
}

/// A support point lies within its error of the body, which reaches no further than the error beyond it.
pub fn support(random: &mut Random) -> Result<(), String> {
    let (body, d) = (any_bounded(random), any_direction(random));
    let support = body.support(d).ok_or("a bounded body has support points")?;
    let context = || format!("{body:?} along {d:?}: {support:?}");
    let limit = size(&body) * exact(12.0 * f64::EPSILON) + exact(f64::MIN_POSITIVE);
    check(exact(support.error) <= limit, || format!("the error is large: {}", context()))?;
    check(is_within(&body, support.point, support.error), || format!("off the body: {}", context()))?;
    check(reaches(support, true_extent(&body, d), size(&body), d), || format!("short: {}", context()))
}

/// Rounding adds a ball to extent, support point and box.
pub fn rounding(random: &mut Random) -> Result<(), String> {
    let (core, d) = (any_bounded(random), any_direction(random));
    let core_box = core.bounds().ok_or("a bounded body has a box")?;
    let radius = core_box.extent().max_element() * [0.0, 0.3, 1e9][random.below(3) as usize];
    let radius = radius.min(crate::tolerance::COORDINATE_LIMIT);
    let rounded = Rounded::new(core, radius).map_err(|error| error.to_string())?;
    let context = || format!("{rounded:?} along {d:?}");
    let (inner, outer) = (core.support(d).ok_or("bounded")?, rounded.support(d).ok_or("bounded")?);
    let truth = add(true_extent(&core, d), times(radius, norm(d)));
    let size = size(&core) + exact(radius) + exact(radius) + exact(radius);
    let slack =
        exact(10.0 * f64::EPSILON) * &size * exact(d.abs().max_element()) + exact(8.0 * f64::from_bits(1));
    let extent = exact(rounded.extent(d));
    check(extent >= truth[0] && extent <= &truth[1] + slack, || format!("extent of {}", context()))?;
    check(reaches(outer, truth, size, d), || format!("short: {}", context()))?;
    // The core has a point within its error of `inner`; the rest must be in the ball.
    let reach = exact(radius) + exact(outer.error) - exact(inner.error);
    let square = |k: usize| (exact(outer.point[k]) - exact(inner.point[k])).sqr();
    check(square(0) + square(1) + square(2) <= reach.sqr(), || format!("off: {}", context()))?;
    let bounds = rounded.bounds().ok_or("a bounded body has a box")?;
    let contains = |k: usize| {
        exact(bounds.max[k]) >= exact(core_box.max[k]) + exact(radius)
            && exact(bounds.min[k]) <= exact(core_box.min[k]) - exact(radius)
    };
    check((0..3).all(contains), || format!("box of {}", context()))
}

/// Whether the body reaches at most `error` beyond the point; `2^-190` of the size is the oracle's own.
fn reaches(support: SupportPoint, [_, high]: Bracket, size: RBig, d: DVec3) -> bool {
    let own = size * exact(d.abs().max_element()) * exact(crate::math::round::power_of_two(-190));
    let short = high - dot(support.point, d) - own;
    short <= RBig::ZERO || short.sqr() <= exact(support.error).sqr() * dot(d, d)
}

/// A bound on coordinates of the body, which errors are relative to.
fn size(body: &Primitive) -> RBig {
    body.bounds().map_or(RBig::ZERO, |b| exact(b.min.abs().max(b.max.abs()).element_sum()))
}

fn check(holds: bool, context: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(context()) }
}

fn norm(v: DVec3) -> Bracket {
    root(&dot(v, v))
}

/// The length of a direction.
pub(super) fn norm_exact(d: &ExactDirection) -> Bracket {
    root(&(d[0].sqr() + d[1].sqr() + d[2].sqr()))
}

/// Rational numbers around a square root, at most `2^-200` of it apart.
fn root(square: &RBig) -> Bracket {
    // sqrt(p / q) = sqrt(p q) / q, shifted so that the integer root has more than 200 bits.
    const SHIFT: usize = 200;
    if square.is_zero() {
        return single(RBig::ZERO);
    }
    let (p, q) = (square.numerator().unsigned_abs(), square.denominator().clone());
    let root: UBig = ((p * &q) << (2 * SHIFT)).sqrt();
    let over = RBig::from(IBig::from(q << SHIFT));
    [RBig::from(IBig::from(root.clone())) / &over, RBig::from(IBig::from(root + UBig::ONE)) / over]
}

pub(super) fn single(x: RBig) -> Bracket {
    [x.clone(), x]
}

pub(super) fn add([a_low, a_high]: Bracket, [b_low, b_high]: Bracket) -> Bracket {
    [a_low + b_low, a_high + b_high]
}

/// A bracket times a factor that is not negative.
pub(super) fn times(factor: f64, [low, high]: Bracket) -> Bracket {
    [exact(factor) * low, exact(factor) * high]
}

fn larger([a_low, a_high]: Bracket, [b_low, b_high]: Bracket) -> Bracket {
    [a_low.max(b_low), a_high.max(b_high)]
}
