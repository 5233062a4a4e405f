//! B as seen from A, in plain floats: where proposals are made.
//!
//! A search that only proposes need not know the world: in the frame of A one body is at rest, so a step turns
//! one direction and moves one vertex instead of two. Lengths are in units, a power of two near the size of the pair, so
//! directions made of several products stay far from the ends of the range of `f32` and `f64`, and scaled bodies take the
//! same steps. What is proposed here is proved in the world by [`View`].

use super::axes::{Axes, Symmetric};
use super::view::View;
use crate::math::Pose;
use crate::support::SupportMap;
use glam::{DMat3, DVec3};

/// What six times the volume of a tetrahedron of four corners, or of three and zero, may err by.
///
/// Proof. With the exact corner `m` in the world, `x = R_a^T m` has volumes of the same signs, because `det R_a > 0`. In
/// units `|x| <= 3.5`: the reaches of both bodies and the largest coordinate of the offset sum to less than 2. What is
/// computed takes `R_a^T R_a` for one, which errs by `1e-9` an entry for any accepted pose, so corners err by
/// `2.1e-9` a coordinate, rounding included: `3.7e-9` in length, edges by twice that. A volume of zero and three corners,
/// from one corner and two edges, errs by `3.7e-9 (7^2 + 4 * 3.5 * 7)`, one of three edges by `2 * 3 * 3.7e-9 * 7^2`, and
/// the last, their difference, by all of these together: below `2.8e-6`.
pub(super) const VOLUME_ERROR: f64 = 4e-6;

/// Centroids closer than this, in units, have no direction from one to the other that tells anything.
const CONCENTRIC: f64 = 1e-5;

/// The pair in the frame of A.
pub(crate) struct Relative<'a> {
    a: &'a SupportMap,
    b: &'a SupportMap,
    /// From the frame of A to the world.
    to_world: DMat3,
    /// From the frame of B to that of A.
    turn: DMat3,
    /// The same, into units.
    turn_to_units: DMat3,
    /// Where the origin of B's frame is, in units.
    shift: DVec3,
    /// Units in one length of the world.
    unit: f64,
}

/// A vertex of the Minkowski difference `B - A`, in units, and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Corner {
    pub point: DVec3,
    pub vertices: (u32, u32),
}

impl<'a> Relative<'a> {
    #[inline]
    pub fn new(view: &View<'a>) -> Relative<'a> {
        let unit = view.unit();
        Relative::with_offset((view.a, view.pose_a), (view.b, view.pose_b), view.offset() * unit, unit)
    }

    /// From the offset of the translations, in units.
    #[inline]
    pub fn with_offset(
        (a, pose_a): (&'a SupportMap, &Pose),
        (b, pose_b): (&'a SupportMap, &Pose),
        offset: DVec3,
        unit: f64,
    ) -> Relative<'a> {
        let to_world = pose_a.rotation();
        let back = to_world.transpose();
        let turn = back * pose_b.rotation();
        Relative { a, b, to_world, turn, turn_to_units: turn * unit, shift: back * offset, unit }
    }

    /// From the frame of B to that of A.
    #[inline]
    pub fn turn(&self) -> DMat3 {
        self.turn
    }

    #[inline]
    pub fn to_world(&self, direction: DVec3) -> DVec3 {
        self.to_world * direction
    }

    /// The first direction to try: the one that separates best two ellipsoids that have the centroids of the bodies and
    /// their spreads `P` and `Q`, `(P + Q)^-1 c` with `c` from centroid to centroid, in any length.
    ///
    /// On round bodies that is `c`, the paper's choice [Chung96 §3.4]; on rods and plates, where `c` rarely separates, it
    /// takes the place of a step or two.
    #[inline]
    pub fn first_direction(&self) -> DVec3 {
        let between = self.between_centroids();
        let direction = self.spread().adjugate_times(between);
        // Not so for bodies without spread, such as two coplanar segments.
        if direction.length_squared() > 0.0 { direction } else { between }
    }

    /// Both spreads, `P + Q`.
    #[inline]
    fn spread(&self) -> Symmetric {
        let (DMat3 { x_axis: p, y_axis: q, z_axis: r }, square) = (self.a.spread(), self.unit * self.unit);
        let turn = self.turn.transpose();
        let moved = self.turn * self.b.spread();
        // What is symmetric is computed once.
        let of = |i: usize, row: f64, column: DVec3| {
            let moved = DVec3::new(moved.x_axis[i], moved.y_axis[i], moved.z_axis[i]);
            (row + moved.dot(column)) * square
        };
        Symmetric {
            xx: of(0, p.x, turn.x_axis),
            xy: of(0, p.y, turn.y_axis),
            xz: of(0, p.z, turn.z_axis),
            yy: of(1, q.y, turn.y_axis),
            yz: of(1, q.z, turn.z_axis),
            zz: of(2, r.z, turn.z_axis),
        }
    }

    /// Where to look first for a depth.
    #[inline]
    pub(super) fn axes(&self) -> Axes {
        let between = self.between_centroids();
        let is_apart = between.length_squared() > CONCENTRIC * CONCENTRIC;
        let between = if is_apart { between } else { DVec3::new(0.5, 0.3, 0.2) };
        let spread = self.spread();
        Axes { first: spread.adjugate_times(between), between, spread }
    }

    /// From the centroid of A to that of B: a point of `B - A`.
    #[inline]
    pub fn between_centroids(&self) -> DVec3 {
        let (from, to) = (self.a.polytope().centroid(), self.b.polytope().centroid());
        self.turn_to_units * to + (self.shift - from * self.unit)
    }

    /// The lowest corner along a direction, up to the rounding of `f32`.
    #[inline(always)]
    pub fn lowest(&self, direction: DVec3) -> Corner {
        let vertex_a = self.a.find_scaled(direction);
        let vertex_b = self.b.find_scaled(-(self.turn.transpose() * direction));
        self.corner((vertex_a, vertex_b))
    }

    #[inline(always)]
    pub fn corner(&self, vertices: (u32, u32)) -> Corner {
        let (from, to) = (self.a.vertex(vertices.0), self.b.vertex(vertices.1));
        let point = self.turn_to_units * to + (self.shift - from * self.unit);
        Corner { point, vertices }
    }
}

#[cfg(test)]
mod tests {
    use super::super::relation::surrounds_zero;
    use super::super::subdistance::Simplex;
    use super::*;
    use crate::math::Random;
    use crate::shape::Polytope;

    fn vector(random: &mut Random, size: f64) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| random.range(-size, size)))
    }

    #[test]
    fn volumes_beyond_their_error_surround_zero() {
        let mut random = Random::new(5);
        let (mut beyond, mut within) = (0, 0);
        for round in 0..20_000 {
            let height = [1e-4, 1e-6, 1e-8, 1e-9][round % 4];
            let flat = [[1., 1., 0.], [-1., 1., height], [0., -1., 0.], [0., 0.2, -height]];
            let corners = flat.map(|c| DVec3::from_array(c) + vector(&mut random, height));
            let a = SupportMap::new(Polytope::hull(&corners).expect("four points"));
            let b = SupportMap::new(Polytope::hull(&[DVec3::ZERO]).expect("a point"));
            let place = vector(&mut random, 1.0);
            let pose_a = Pose::skew(&mut random, place);
            let weights: [f64; 4] = std::array::from_fn(|_| random.range(-0.05, 1.0));
            let sum: f64 = weights.iter().sum();
            let inside: DVec3 = corners.iter().zip(weights).map(|(c, w)| *c * (w / sum)).sum();
            let pose_b = Pose::skew(&mut random, pose_a.apply(inside));
            let view = View::new(&a, &pose_a, &b, &pose_b);
            let pair = Relative::new(&view);
            let mut simplex = Simplex::EMPTY;
            for vertex in 0..a.polytope().vertices().len() as u32 {
                let Corner { point, vertices } = pair.corner((vertex, 0));
                simplex.push(point, vertices);
            }
            let nearest = simplex.nearest();
            let is_around = surrounds_zero(&view.pair(), simplex.pairs());
            assert!(is_around || !nearest.surrounds_by(VOLUME_ERROR), "round {round}");
            beyond += usize::from(nearest.surrounds_by(VOLUME_ERROR));
            within += usize::from(!is_around && nearest.surrounds_by(0.0));
        }
        println!("{beyond} beyond the error; {within} within it, where floats alone were wrong");
        assert!(beyond > 1000 && within > 10);
    }
}
