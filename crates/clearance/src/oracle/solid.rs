//! Convex bodies as cores with balls around them, and how far apart they are along a direction, in rational numbers.

use super::primitive::{
    Bracket, ExactDirection, add, exact, max_over_along, norm_exact, single, times, true_extent_along,
};
use crate::math::round::power_of_two;
use crate::math::{Pose, Random};
use crate::pair::Convex;
use crate::shape::sample::random_direction;
use crate::shape::{
    Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Polytope, Primitive, Rounded, Shape, Sphere, SupportPoint,
};
use dashu::rational::RBig;
use glam::{DQuat, DVec3};

/// A bounded convex body. Spheres and capsules are points and segments with a ball around: the pose moves the core, and
/// the ball stays a ball.
#[derive(Clone, Debug)]
pub struct Solid {
    /// The body as users make it.
    pub shape: Shape,
    core: Core,
    radii: Vec<f64>,
}

#[derive(Clone, Debug)]
enum Core {
    Primitive(Primitive),
    Points(Vec<DVec3>),
}

impl Solid {
    /// A body of that size, one in three with a ball around it.
    pub fn random(random: &mut Random, size: f64) -> Solid {
        match random.below(6) {
            0 => Solid::sphere(size * random.range(0.5, 2.0)),
            1 => Solid::capsule(size * random.range(0.5, 2.0), size * random.range(0.1, 2.0)),
            2 => {
                let points = (0..4 + random.below(9)).map(|_| size * random_direction(random));
                let polytope = Polytope::hull(&points.collect::<Vec<_>>()).expect("finite points");
                Solid::rounded(polytope.into(), any_radius(random, size))
            }
            _ => Solid::random_curved(random, size),
        }
    }

    /// A cylinder, cone, ellipsoid or box, also a thin one, one in three with a ball around it.
    pub fn random_curved(random: &mut Random, size: f64) -> Solid {
        let kind = random.below(4);
        let mut length = || size * [1.0, 1.0, 1.0, 1e-3][random.below(4) as usize] * random.range(0.5, 2.0);
        let core = match kind {
            0 => primitive(Ellipsoid::new(DVec3::new(length(), length(), length()))),
            1 => primitive(Cylinder::new(length(), length())),
            2 => primitive(Cone::new(length(), length())),
            _ => primitive(Cuboid::new(DVec3::new(length(), length(), length()))),
        };
        Solid::rounded(core, any_radius(random, size))
    }

    /// A ball.
    pub fn sphere(radius: f64) -> Solid {
        let shape = primitive(Sphere::new(radius));
        Solid { shape, core: Core::Points(vec![DVec3::ZERO]), radii: vec![radius] }
    }

    /// A capsule.
    pub fn capsule(length: f64, radius: f64) -> Solid {
        let (shape, end) = (primitive(Capsule::new(length, radius)), DVec3::new(0.0, 0.0, 0.5 * length));
        Solid { shape, core: Core::Points(vec![-end, end]), radii: vec![radius] }
    }

    /// A polytope, box, cylinder, cone or ellipsoid with a ball around it; a radius of zero changes nothing.
    pub fn rounded(core: Shape, radius: f64) -> Solid {
        let inside = match &core {
            Shape::Polytope(polytope) => Core::Points(polytope.vertices().to_vec()),
            Shape::Primitive(primitive) => Core::Primitive(*primitive),
            Shape::Mesh(_) | Shape::Rounded(_) => panic!("not a core"),
        };
        let shape = match core {
            Shape::Polytope(polytope) if radius > 0.0 => Rounded::new(polytope, radius).map(Shape::from),
            Shape::Primitive(primitive) if radius > 0.0 => Rounded::new(primitive, radius).map(Shape::from),
            core => Ok(core),
        };
        Solid { shape: shape.expect("a radius in range"), core: inside, radii: vec![radius] }
    }

    /// The body for queries.
    pub fn convex(&self) -> Convex {
        Convex::try_from(&self.shape).expect("convex")
    }

    /// A point of the body that is nearly extreme, in its own frame; `None` for polytopes with sharp corners.
    pub fn support(&self, direction: DVec3) -> Option<SupportPoint> {
        match &self.shape {
            Shape::Primitive(body) => body.support(direction),
            Shape::Rounded(body) => body.support(direction),
            Shape::Polytope(_) | Shape::Mesh(_) => None,
        }
    }

    /// The maximum of `d . x` over the posed body, rounded: for searches.
    pub fn rough_extent(&self, pose: &Pose, d: DVec3) -> f64 {
        let turned = pose.rotation().transpose() * d;
        let own = match &self.shape {
            Shape::Primitive(body) => body.extent(turned),
            Shape::Rounded(body) => body.extent(turned),
            Shape::Polytope(body) => body.vertices().iter().map(|v| v.dot(turned)).fold(f64::MIN, f64::max),
            Shape::Mesh(_) => f64::INFINITY,
        };
        own + d.dot(pose.translation())
    }

    /// The true maximum of `d . x` over the posed body, as exact as roots allow.
    pub fn extent(&self, pose: &Pose, d: &ExactDirection) -> Bracket {
        let column = |i: usize| pose.rotation().col(i).to_array().map(exact);
        let turned = [0, 1, 2].map(|i| dot(&column(i), d));
        let core = match &self.core {
            Core::Primitive(body) => true_extent_along(body, &turned),
            Core::Points(points) => max_over_along(points, &turned),
        };
        let place = dot(&pose.translation().to_array().map(exact), d);
        let ball = self.radii.iter().map(|&radius| times(radius, norm_exact(d))).reduce(add);
        add(add(core, single(place)), ball.unwrap_or(single(RBig::ZERO)))
    }
}

fn primitive<T: Into<Primitive>, E: std::fmt::Debug>(body: Result<T, E>) -> Shape {
    Shape::from(body.expect("sizes in range").into())
}

fn any_radius(random: &mut Random, size: f64) -> f64 {
    if random.below(3) == 0 { size * random.range(0.01, 1.0) } else { 0.0 }
}

/// The dot product.
pub fn dot(u: &ExactDirection, v: &ExactDirection) -> RBig {
    &u[0] * &v[0] + &u[1] * &v[1] + &u[2] * &v[2]
}

/// `(min d . b - max d . a) / |d|`: never above the distance of disjoint bodies, and minus the depth of overlapping ones is
/// never below it.
pub fn gap_along(a: (&Solid, &Pose), b: (&Solid, &Pose), d: DVec3) -> Bracket {
    let d = d.to_array().map(exact);
    let back = d.clone().map(|x| -x);
    let [a_low, a_high] = a.0.extent(a.1, &d);
    let [b_low, b_high] = b.0.extent(b.1, &back);
    over([-a_high - b_high, -a_low - b_low], norm_exact(&d))
}

/// A bracket divided by one of positive numbers.
pub fn over([low, high]: Bracket, [norm_low, norm_high]: Bracket) -> Bracket {
    let by = |x: RBig, wide: &RBig, narrow: &RBig| if x > RBig::ZERO { x / wide } else { x / narrow };
    [by(low, &norm_high, &norm_low), by(high, &norm_low, &norm_high)]
}

/// A size: one, or far from it.
pub fn any_size(random: &mut Random) -> f64 {
    power_of_two([0, 0, 0, -20, 20, -200, 200][random.below(7) as usize])
}

/// A pose with a translation of that order: turned in any way, by quarters, or not at all.
pub fn any_pose(random: &mut Random, size: f64) -> Pose {
    let turn = match random.below(4) {
        0 => DQuat::IDENTITY,
        1 => DQuat::from_xyzw(0.0, 0.0, 1.0, 1.0),
        _ => DQuat::from_axis_angle(random_direction(random), random.range(0.0, 3.0)),
    };
    let place = match random.below(3) {
        0 => DVec3::from_array(std::array::from_fn(|_| random.below(5) as f64 - 2.0)),
        _ => random_direction(random) * random.range(0.0, 4.0),
    };
    let pose = Pose::from_quaternion(turn, size * place).expect("a rotation");
    match random.below(4) {
        // As far from a rotation as poses may be: what is around a core must stay a ball.
        0 => Pose::new(pose.rotation() * (1.0 - 4e-10), pose.translation()).expect("nearly a rotation"),
        _ => pose,
    }
}
