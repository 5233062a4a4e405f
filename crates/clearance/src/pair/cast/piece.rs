//! Convex pieces whose union is a body: each is where some linear constraints and at most one quadratic one hold.
//!
//! A polytope with a ball around it is the polytope, a plate for each face, a rod for each edge and a ball for each vertex:
//! the point of a polytope that is nearest to one outside lies within a face, within an edge, or is a vertex.

use super::number::{Number, Sight, Vector3};
use crate::math::Interval;
use crate::shape::{Cone, Cylinder, Ellipsoid, Polytope};
use glam::DVec3;

/// A piece of a body; those that are rounded are so by the radius that comes with them.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece<'a> {
    /// What is no farther than the radius from a vertex.
    Ball(DVec3),
    /// ... from an edge, between the planes across its ends.
    Rod([DVec3; 2]),
    /// ... from a face, straight above or below it.
    Plate(&'a Polytope, usize),
    /// One side of a plane, given by normal and offset.
    Below(DVec3, f64),
    /// What is no farther than the radius from a plane.
    Slab(DVec3, f64),
    /// Without a ball around it.
    Cylinder(Cylinder),
    /// Without a ball around it.
    Cone(Cone),
    /// Without a ball around it.
    Ellipsoid(Ellipsoid),
}

/// Where along a ray a piece is, if at all: where all of this holds.
#[derive(Debug)]
pub(super) struct Constraint<N> {
    /// `slope * s <= height` for each.
    pub limits: Vec<[N; 2]>,
    pub quadratic: Option<Quadratic<N>>,
}

/// `square s^2 + 2 half s + constant <= 0`; between the limits this holds on an interval.
#[derive(Debug)]
pub(super) struct Quadratic<N> {
    pub square: N,
    pub half: N,
    pub constant: N,
    /// `half^2 - square constant`, without what cancels in it.
    pub discriminant: N,
}

/// What a ray goes through as it enters a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Through {
    /// It starts inside.
    Nothing,
    /// The limit with this number.
    Limit(usize),
    /// Where the quadratic is zero.
    Surface,
}

impl Piece<'_> {
    /// The radius is the sum of two.
    pub fn constraint<N: Number>(&self, sight: &Sight<N>, radii: [f64; 2]) -> Constraint<N> {
        let radius_squared = N::of(radii[0]).plus(&N::of(radii[1])).square();
        match *self {
            Piece::Ball(vertex) => {
                let (along, to) = (&sight.direction, sight.point(vertex));
                let quadratic =
                    Quadratic::within(along, &to, &radius_squared, along.cross(&to).length_squared());
                Constraint { limits: Vec::new(), quadratic: Some(quadratic) }
            }
            Piece::Rod(ends) => rod(sight, ends, &radius_squared),
            Piece::Plate(polytope, face) => plate(sight, polytope, face, &radius_squared),
            Piece::Below(normal, offset) => {
                let (normal, level) = plane(sight, normal, offset);
                let limits = vec![[normal.dot(&sight.direction), level]];
                Constraint { limits, quadratic: None }
            }
            Piece::Slab(normal, offset) => {
                let (normal, level) = plane(sight, normal, offset);
                let thick = radius_squared.product(&normal.length_squared());
                let quadratic = Quadratic::slab(&normal.dot(&sight.direction), &level, &thick);
                Constraint { limits: Vec::new(), quadratic: Some(quadratic) }
            }
            Piece::Cylinder(body) => cylinder(&Local::new(sight), body),
            Piece::Cone(body) => cone(&Local::new(sight), body),
            Piece::Ellipsoid(body) => ellipsoid(&Local::new(sight), body),
        }
    }

    /// The outward normal, of any length, at the point of the ray at `s`.
    pub fn normal(&self, sight: &Sight<Interval>, s: f64, through: Through) -> DVec3 {
        let place = sight.direction.middle() * s;
        let [x, y, z] = sight.rows().map(|row| row.middle());
        // What is entered from outside faces the ray; along it the side of the point says more.
        let facing = |normal: DVec3, height: f64| {
            let slope = normal.dot(sight.direction.middle());
            if slope > 0.0 || (slope == 0.0 && height < 0.0) { -normal } else { normal }
        };
        match *self {
            Piece::Ball(vertex) => place - sight.point(vertex).middle(),
            Piece::Rod([from, to]) => {
                let (edge, from) = (sight.between(from, to).middle(), sight.point(from).middle());
                (place - from).reject_from(edge)
            }
            Piece::Plate(polytope, face) => {
                let [from, edge, other] = corners(sight, polytope, face);
                let normal = edge.cross(&other).middle();
                facing(normal, normal.dot(place - from.middle()))
            }
            Piece::Below(normal, _) => Rows([x, y, z]).transposed(normal),
            Piece::Slab(normal, offset) => {
                let (normal, level) = plane(sight, normal, offset);
                facing(normal.middle(), normal.middle().dot(place) - level.middle())
            }
            Piece::Cylinder(_) | Piece::Cone(_) | Piece::Ellipsoid(_) => {
                let rows = Rows([x, y, z]);
                let place = rows.times(place - sight.offset.middle()) / sight.determinant().middle();
                rows.transposed(self.local_normal(place, through))
            }
        }
    }

    /// The same in the body's frame, for bodies that are given there.
    fn local_normal(&self, place: DVec3, through: Through) -> DVec3 {
        let radial = place.with_z(0.0);
        match (self, through) {
            // Of the apex any direction between these is one.
            (_, Through::Limit(0)) => DVec3::Z,
            (_, Through::Limit(_)) => -DVec3::Z,
            (Piece::Cone(body), _) => {
                let slope = body.radius() / body.height();
                radial.normalize_or(DVec3::Z) + slope * DVec3::Z
            }
            (Piece::Ellipsoid(body), _) => {
                let scaled = body.semi_axes() / body.semi_axes().max_element();
                place / scaled / scaled
            }
            _ => radial,
        }
    }
}

/// The rows of a matrix, as floats.
struct Rows([DVec3; 3]);

impl Rows {
    fn times(&self, v: DVec3) -> DVec3 {
        DVec3::from_array(self.0.map(|row| row.dot(v)))
    }

    fn transposed(&self, v: DVec3) -> DVec3 {
        self.0[0] * v.x + self.0[1] * v.y + self.0[2] * v.z
    }
}

impl<N: Number> Quadratic<N> {
    /// `|s along - to|^2 <= bound`, given `|along x to|^2`.
    fn within(along: &Vector3<N>, to: &Vector3<N>, bound: &N, area_squared: N) -> Quadratic<N> {
        let square = along.length_squared();
        Quadratic {
            half: N::of(0.0).minus(&along.dot(to)),
            constant: to.length_squared().minus(bound),
            discriminant: bound.product(&square).minus(&area_squared),
            square,
        }
    }

    /// `(slope s - level)^2 <= bound`.
    fn slab(slope: &N, level: &N, bound: &N) -> Quadratic<N> {
        let square = slope.square();
        Quadratic {
            half: N::of(0.0).minus(&slope.product(level)),
            constant: level.square().minus(bound),
            discriminant: square.product(bound),
            square,
        }
    }
}

fn rod<N: Number>(sight: &Sight<N>, [from, to]: [DVec3; 2], radius_squared: &N) -> Constraint<N> {
    let (edge, start) = (sight.between(from, to), sight.point(from));
    let (slope, height, length_squared) =
        (edge.dot(&sight.direction), edge.dot(&start), edge.length_squared());
    let zero = N::of(0.0);
    let limits =
        vec![[slope.clone(), height.plus(&length_squared)], [zero.minus(&slope), zero.minus(&height)]];
    let (along, to) = (edge.cross(&sight.direction), edge.cross(&start));
    // Both are across the edge e, so their vector product is e times e . (d x v).
    let volume = edge.dot(&sight.direction.cross(&start));
    let area_squared = length_squared.product(&volume.square());
    let bound = radius_squared.product(&length_squared);
    Constraint { limits, quadratic: Some(Quadratic::within(&along, &to, &bound, area_squared)) }
}

/// The first corner of a face, and the edges from it to the next two.
fn corners<N: Number>(sight: &Sight<N>, polytope: &Polytope, face: usize) -> [Vector3<N>; 3] {
    let [a, b, c] = [0, 1, 2].map(|i| polytope.vertices()[polytope.face(face)[i] as usize]);
    [sight.point(a), sight.between(a, b), sight.between(a, c)]
}

fn plate<N: Number>(sight: &Sight<N>, polytope: &Polytope, face: usize, radius_squared: &N) -> Constraint<N> {
    let [first, edge, other] = corners(sight, polytope, face);
    let (normal, around) = (edge.cross(&other), polytope.face(face));
    let side = |i: usize| {
        let [from, to] = [i, i + 1].map(|i| polytope.vertices()[around[i % around.len()] as usize]);
        let outward = sight.between(from, to).cross(&normal);
        [outward.dot(&sight.direction), outward.dot(&sight.point(from))]
    };
    let thick = radius_squared.product(&normal.length_squared());
    let quadratic = Quadratic::slab(&normal.dot(&sight.direction), &normal.dot(&first), &thick);
    Constraint { limits: (0..around.len()).map(side).collect(), quadratic: Some(quadratic) }
}

/// The outward normal of a plane of the body's frame, and `normal . y` for the points `y` on it.
fn plane<N: Number>(sight: &Sight<N>, normal: DVec3, offset: f64) -> (Vector3<N>, N) {
    let [x, y, z] = sight.rows();
    let normal = x.times(&N::of(normal.x)).plus(&y.times(&N::of(normal.y))).plus(&z.times(&N::of(normal.z)));
    let level = sight.determinant().product(&N::of(offset)).plus(&normal.dot(&sight.offset));
    (normal, level)
}

/// The ray in the body's frame, all lengths times the determinant `scale`: at `s along - to`.
struct Local<N> {
    along: Vector3<N>,
    to: Vector3<N>,
    scale: N,
}

impl<N: Number> Local<N> {
    fn new(sight: &Sight<N>) -> Local<N> {
        let rows = sight.rows();
        let seen = |v: &Vector3<N>| Vector3([0, 1, 2].map(|i: usize| rows[i].dot(v)));
        Local { along: seen(&sight.direction), to: seen(&sight.offset), scale: sight.determinant() }
    }

    /// Between two heights `-half` and `half`; the upper limit first.
    fn between_caps(&self, half: f64) -> Vec<[N; 2]> {
        let ([_, _, slope], [_, _, to]) = (&self.along.0, &self.to.0);
        let (half, zero) = (self.scale.product(&N::of(half)), N::of(0.0));
        vec![[slope.clone(), to.plus(&half)], [zero.minus(slope), half.minus(to)]]
    }

    /// The ray seen along the axis: products `along . along`, `along . to`, `to . to`, and the area that they span.
    fn across(&self) -> [N; 4] {
        let ([x, y, _], [u, v, _]) = (&self.along.0, &self.to.0);
        [
            x.square().plus(&y.square()),
            x.product(u).plus(&y.product(v)),
            u.square().plus(&v.square()),
            x.product(v).minus(&y.product(u)),
        ]
    }
}

fn cylinder<N: Number>(local: &Local<N>, body: Cylinder) -> Constraint<N> {
    let [square, mixed, far, area] = local.across();
    let bound = local.scale.product(&N::of(body.radius())).square();
    let quadratic = Quadratic {
        half: N::of(0.0).minus(&mixed),
        constant: far.minus(&bound),
        discriminant: bound.product(&square).minus(&area.square()),
        square,
    };
    Constraint { limits: local.between_caps(0.5 * body.height()), quadratic: Some(quadratic) }
}

/// `height^2 (x^2 + y^2) <= radius^2 (height / 2 - z)^2` below the apex.
fn cone<N: Number>(local: &Local<N>, body: Cone) -> Constraint<N> {
    let limits = local.between_caps(0.5 * body.height());
    let [square, mixed, far, _] = local.across();
    let [wide, high] = [body.radius(), body.height()].map(|x| N::of(x).square());
    // From the apex down: `top - s fall`.
    let (fall, top) = (&local.along.0[2], &limits[0][1]);
    let square = high.product(&square).minus(&wide.product(&fall.square()));
    let half = wide.product(&fall.product(top)).minus(&high.product(&mixed));
    let constant = high.product(&far).minus(&wide.product(&top.square()));
    let discriminant = half.square().minus(&square.product(&constant));
    Constraint { limits, quadratic: Some(Quadratic { square, half, constant, discriminant }) }
}

fn ellipsoid<N: Number>(local: &Local<N>, body: Ellipsoid) -> Constraint<N> {
    let [x, y, z] = body.semi_axes().to_array().map(N::of);
    let opposite = Vector3([y.product(&z), z.product(&x), x.product(&y)]);
    let bound = local.scale.product(&opposite.0[0].product(&x)).square();
    let (along, to) = (local.along.stretched(&opposite), local.to.stretched(&opposite));
    let area_squared = along.cross(&to).length_squared();
    Constraint { limits: Vec::new(), quadratic: Some(Quadratic::within(&along, &to, &bound, area_squared)) }
}
