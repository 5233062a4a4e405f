//! A pair in the frame of A and in `f32`: where nearest points are proposed, for the world to prove.
//!
//! Vertices are taken from the middles of the bodies, so that offsets do not blur them; lengths are in units, a power of two near
//! the size of the pair. Corners err by about `2^-22` of the size of the pair.

use super::subdistance::{Nearest, Simplex};
use super::view::View;
use crate::math::Pose;
use crate::support::{Scan, SmallPair, SupportMap, in_single};
use glam::DVec3;
use wide::f32x4;

/// B as seen from A; matrices are given as their columns, vectors in the first three lanes.
pub(crate) struct Single<'a> {
    a: &'a SupportMap,
    b: &'a SupportMap,
    /// The opposite of a direction, from the frame of A to that of B.
    turn_back: [f32x4; 3],
    /// From the frame of B, in which vertices are given in the size of B, to that of A in units.
    turn: [f32x4; 3],
    /// The size of A in units.
    size_a: f32x4,
    /// From the middle of A to that of B, in units.
    between: f32x4,
}

impl<'a> Single<'a> {
    #[inline(always)]
    pub fn of(view: &View<'a>) -> Single<'a> {
        let unit = view.unit();
        Single::new((view.a, view.pose_a), (view.b, view.pose_b), view.offset() * unit, unit)
    }

    /// From the offset of the translations, in units.
    ///
    /// Corners, compared with the image of the exact ones under `R_a^T`, err by at most `120e` in length, `e = 2^-24`, where
    /// the reaches of both bodies and the largest coordinate of the offset sum to at most 2. Proof. What is computed in `f64`
    /// errs by less than `e / 1000`, and taking `R_a^T R_a` for one by less than `0.06e`, as it is within `1e-9` an entry. *From middle to middle*, at most 3.5 long: a product of a
    /// rounded matrix and vector errs by `5.1e` of that in each coordinate, `31e` in length. *B*: entries of the product of two
    /// rounded matrices err by `5.1e`, positions are rounded once, and from the middle they are at most twice the reach in `|x|_1`: a
    /// product errs by `(5.1 + 4.1)e * 2` reaches in each coordinate, `64e` in length. *A*: positions are rounded once, `4e`. *Two sums* of
    /// at most 5 in each coordinate: `17e`.
    #[inline(always)]
    pub fn new(
        (a, pose_a): (&'a SupportMap, &Pose),
        (b, pose_b): (&'a SupportMap, &Pose),
        offset: DVec3,
        unit: f64,
    ) -> Single<'a> {
        let columns = |pose: &Pose| {
            pose.rotation().to_cols_array_2d().map(|column| in_single(DVec3::from_array(column)))
        };
        let back = transposed(&columns(pose_a));
        let turn = columns(pose_b).map(|column| product(&back, column));
        let size_b = f32x4::splat((b.size() * unit) as f32);
        let middles = pose_b.apply_vector(b.middle()) - pose_a.apply_vector(a.middle());
        Single {
            a,
            b,
            turn_back: transposed(&turn.map(|column| f32x4::ZERO - column)),
            turn: turn.map(|column| column * size_b),
            size_a: f32x4::splat((a.size() * unit) as f32),
            between: product(&back, in_single(middles * unit + offset)),
        }
    }

    /// The first direction to try: the one that separates best two ellipsoids that have the centroids of the bodies and
    /// their spreads `P` and `Q`, `(P + Q)^-1 c` with `c` from centroid to centroid, in any length.
    #[inline(always)]
    pub fn first_direction(&self) -> f32x4 {
        self.direction_between(self.a.spread_in_single(), self.b.spread_in_single())
    }

    /// The same for nearest points of bodies that are apart.
    ///
    /// Nearest points of two ellipsoids are those along a direction `d` with `(1 + p P + q Q) d = c` for some `p` and `q`,
    /// which are smaller the farther apart they are. So a multiple of one is added to `P + Q`; a small one takes more than
    /// half a step off the search between rods, and adds a third of one where they are near each other.
    #[inline(always)]
    pub fn first_direction_apart(&self) -> f32x4 {
        self.direction_between(self.a.thickened_in_single(), self.b.thickened_in_single())
    }

    /// `(P + Q)^-1 c` for these spreads.
    #[inline(always)]
    fn direction_between(&self, spread_a: [f32x4; 3], spread_b: [f32x4; 3]) -> f32x4 {
        let moved = spread_b.map(|column| product(&self.turn, column));
        let square = self.size_a * self.size_a;
        let rows = transposed(&self.turn);
        let [p, q, r] = [0, 1, 2].map(|i| product(&moved, rows[i]) + spread_a[i] * square);
        let between = self.between_centroids();
        // The adjugate, which is symmetric, so that nothing is divided.
        let direction = product(&[cross(q, r), cross(r, p), cross(p, q)], between);
        // Not so for bodies without spread, such as two coplanar segments.
        if square_of(direction) > 0.0 { direction } else { between }
    }

    #[inline(always)]
    fn between_centroids(&self) -> f32x4 {
        self.corner(self.a.centroid_in_single(), self.b.centroid_in_single())
    }

    #[inline(always)]
    fn corner(&self, point_a: f32x4, point_b: f32x4) -> f32x4 {
        product(&self.turn, point_b) + (self.between - point_a * self.size_a)
    }

    /// Both bodies, if they have few vertices.
    #[inline(always)]
    pub fn scans(&self) -> Option<(&'a Scan, &'a Scan)> {
        Some((self.a.as_small()?, self.b.as_small()?))
    }

    /// All vertices in this frame.
    #[inline(always)]
    pub fn small(&self, scans: (&'a Scan, &'a Scan)) -> SmallPair<'a> {
        SmallPair::new(scans, &self.turn, self.between, self.size_a)
    }

    /// The vertex of `B - A` that comes from two vertices.
    #[inline]
    pub fn corner_of(&self, (vertex_a, vertex_b): (u32, u32)) -> (f32x4, (u32, u32)) {
        (self.corner(self.a.position(vertex_a), self.b.position(vertex_b)), (vertex_a, vertex_b))
    }
}

impl Single<'_> {
    /// The part nearest to zero of up to four vertices of `B - A`.
    #[inline]
    pub fn nearest_of(&self, vertices: &[(u32, u32)]) -> (Simplex, Nearest) {
        let mut simplex = Simplex::EMPTY;
        for &pair in vertices {
            let [x, y, z, _] = self.corner_of(pair).0.to_array().map(f64::from);
            simplex.push(DVec3::new(x, y, z), pair);
        }
        let nearest = simplex.nearest();
        simplex.keep(&nearest);
        (simplex, nearest)
    }
}

/// Where corners are looked for.
pub(super) trait Corners {
    /// The lowest vertex of `B - A` along a direction, up to rounding, and where it comes from.
    fn lowest(&self, direction: f32x4) -> (f32x4, (u32, u32));

    /// Whether it is known that no vertex is lower than these by more than rounding, if they were found along this direction or
    /// one close to it.
    fn is_lowest(&self, direction: f32x4, vertices: (u32, u32)) -> bool;
}

impl Corners for SmallPair<'_> {
    #[inline(always)]
    fn lowest(&self, direction: f32x4) -> (f32x4, (u32, u32)) {
        self.lowest(direction)
    }

    /// All of them were looked at.
    #[inline(always)]
    fn is_lowest(&self, _: f32x4, _: (u32, u32)) -> bool {
        true
    }
}

impl Corners for Single<'_> {
    #[inline(always)]
    fn lowest(&self, direction: f32x4) -> (f32x4, (u32, u32)) {
        let (point_a, vertex_a) = self.a.find_in_single(direction);
        let (point_b, vertex_b) = self.b.find_in_single(product(&self.turn_back, direction));
        (self.corner(point_a, point_b), (vertex_a, vertex_b))
    }

    #[inline(always)]
    fn is_lowest(&self, direction: f32x4, (vertex_a, vertex_b): (u32, u32)) -> bool {
        self.a.is_highest_in_single(direction, vertex_a)
            && self.b.is_highest_in_single(product(&self.turn_back, direction), vertex_b)
    }
}

#[inline(always)]
pub(super) fn sum_of(vector: f32x4) -> f32 {
    let [x, y, z, _] = vector.to_array();
    x + y + z
}

#[inline(always)]
pub(super) fn square_of(vector: f32x4) -> f32 {
    sum_of(vector * vector)
}

#[inline(always)]
pub(super) fn cross(a: f32x4, b: f32x4) -> f32x4 {
    let next = |vector: f32x4| {
        let [x, y, z, w] = vector.to_array();
        f32x4::new([y, z, x, w])
    };
    next(a * next(b) - next(a) * b)
}

#[inline(always)]
fn product([of_x, of_y, of_z]: &[f32x4; 3], vector: f32x4) -> f32x4 {
    let [x, y, z, _] = vector.to_array().map(f32x4::splat);
    *of_x * x + *of_y * y + *of_z * z
}

#[inline(always)]
fn transposed(columns: &[f32x4; 3]) -> [f32x4; 3] {
    let [p, q, r] = columns.map(f32x4::to_array);
    [0, 1, 2].map(|i| f32x4::new([p[i], q[i], r[i], 0.0]))
}

#[cfg(test)]
mod tests {
    use super::super::difference::Difference;
    use super::super::relative::Relative;
    use super::*;
    use crate::math::Random;
    use crate::shape::Polytope;
    use crate::shape::sample::{PolytopeKind, random_direction, random_polytope};
    use glam::DQuat;

    fn body(kind: PolytopeKind, count: u32, scale: f64, offset: DVec3) -> SupportMap {
        let sample = random_polytope(kind, count, 4).expect("a sample");
        let points: Vec<DVec3> = sample.vertices().iter().map(|v| *v * scale + offset).collect();
        SupportMap::new(Polytope::hull(&points).expect("a hull"))
    }

    fn pose(random: &mut Random, size: f64) -> Pose {
        let turn = DQuat::from_axis_angle(random_direction(random), random.range(0.0, 3.0));
        Pose::from_quaternion(turn, random_direction(random) * size).expect("a pose")
    }

    /// Whether a corner is where it comes from, and as low as any, up to the rounding of `f32`.
    fn check(m: &Difference<'_>, direction: f32x4, (point, pair): (f32x4, (u32, u32))) {
        let [x, y, z] = [0, 1, 2].map(|i| f64::from(point.to_array()[i]));
        let at = m.pose_a.turn_back(m.corner(pair));
        assert!((DVec3::new(x, y, z) - at).length() < 2e-6, "{point:?} is not at {at}");
        let [x, y, z] = [0, 1, 2].map(|i| f64::from(direction.to_array()[i]));
        let along = m.pose_a.rotation() * DVec3::new(x, y, z);
        let lowest = m.lowest(along, pair);
        assert!(along.dot(m.corner(pair)) - lowest.height < 1e-4 * along.length(), "{pair:?} is not lowest");
    }

    #[test]
    fn corners_are_lowest_and_where_vertices_are_at_any_size_and_offset() {
        let mut random = Random::new(3);
        for (count_a, count_b) in [(4, 20), (20, 32), (20, 60), (60, 100), (300, 20), (5000, 100)] {
            for (scale, offset) in [(1.0, 0.0), (2f64.powi(-20), 1.0), (2f64.powi(200), 2f64.powi(210))] {
                let a = body(PolytopeKind::Ellipsoid, count_a, scale, DVec3::splat(offset));
                let b = body(PolytopeKind::Plate, count_b, scale, DVec3::new(0.0, -offset, offset));
                for _ in 0..20 {
                    let (pose_a, pose_b) = (pose(&mut random, scale), pose(&mut random, scale));
                    let m = Difference::new(&a, &pose_a, &b, &pose_b).expect("bodies of some size");
                    let pair = m.single();
                    let direction = in_single(random_direction(&mut random));
                    check(&m, direction, pair.lowest(direction));
                    assert_eq!(pair.scans().is_some(), count_a <= 32 && count_b <= 32);
                    if let Some(scans) = pair.scans() {
                        check(&m, direction, pair.small(scans).lowest(direction));
                    }
                }
            }
        }
    }

    #[test]
    fn the_first_direction_is_that_of_the_ellipsoids() {
        let mut random = Random::new(5);
        let (a, b) = (
            body(PolytopeKind::ThinRod, 50, 1.0, DVec3::ONE),
            body(PolytopeKind::Plate, 200, 0.5, DVec3::ZERO),
        );
        for _ in 0..100 {
            let (pose_a, pose_b) = (pose(&mut random, 1.0), pose(&mut random, 3.0));
            let m = Difference::new(&a, &pose_a, &b, &pose_b).expect("bodies of some size");
            let want = Relative::new(&View::new(&a, &pose_a, &b, &pose_b)).first_direction().normalize();
            let found = m.single().first_direction().to_array().map(f64::from);
            let found = DVec3::new(found[0], found[1], found[2]).normalize();
            assert!(found.distance(want) < 1e-3, "{found} {want}");
        }
    }
}
