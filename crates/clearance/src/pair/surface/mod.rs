//! A closed surface of triangles around zero inside the Minkowski difference, in `f32`: where a depth is proposed.
//!
//! The same expansion as in [`Expanding`](super::expanding::Expanding), but nothing here is exact, and the surface need not
//! be convex. Three things hold whatever is rounded, and are all that a proof needs:
//!
//! 1. It is closed: every directed edge has one triangle, and its opposite has one. What a new corner sees is replaced by
//!    the triangles between the corner and the rim of what it sees, so that stays so.
//! 2. It winds around zero, once it is known to ([`is_around`](Surface::is_around)). It does where every triangle is
//!    oriented so by more than rounding, and a replacement changes that only if zero lies in one of the tetrahedra between the
//!    corner and a triangle that it sees. But all four corners of those are on one side of a plane through zero, that with the
//!    triangle's normal, by more than rounding ([`LEAST_HEIGHT`]).
//! 3. No point of a triangle is nearer to zero than its lowest corner along its normal, whatever vector that is: so a
//!    triangle may be as thin as it likes.
//!
//! A closed surface in a convex set winds around no point outside, and winds equally often around all points of a ball that
//! it does not meet: so the ball around zero up to the nearest triangle lies in the Minkowski difference.
//!
//! So a surface may begin beside zero, and grows towards it: triangles that zero is not below are nearest.

mod near;
mod start;

use super::planes::{
    GONE, HEIGHT_BITS, LANES, LEAST_HEIGHT, MADE, NAMES, arrays, lowest, named, names, planes_of,
};
use super::relative::Corner;
use glam::{DVec3, Vec3};
use wide::{f32x4, f32x8};

/// Corners and triangles that there is room for, powers of two; bodies of 1000 vertices take about 30 and 60.
const CORNERS: usize = 64;
const TRIANGLES: usize = 128;

/// Edges of a rim that there is room for, a power of two.
const RIM: usize = 64;

const _: () = assert!(TRIANGLES + RIM <= NAMES as usize);

/// The names of all places, and after them of the edges of the rim: of triangles that were made last.
static LANE_NAMES: [[f32; LANES]; TRIANGLES / LANES] = names(0);
static RIM_NAMES: [[f32; MADE]; RIM / MADE] = names(TRIANGLES);

/// All places, the first on top.
const ALL_FREE: [u8; TRIANGLES] = {
    let mut all = [0; TRIANGLES];
    let mut i = 0;
    while i < TRIANGLES {
        all[i] = (TRIANGLES - 1 - i) as u8;
        i += 1;
    }
    all
};

/// A directed edge: where it starts, and times 256 where it ends.
type Edge = u16;

#[inline(always)]
fn edge(from: u8, to: u8) -> Edge {
    u16::from_le_bytes([from, to])
}

/// The edges of a triangle.
#[inline(always)]
fn edges(corners: u32) -> [Edge; 3] {
    [corners as Edge, (corners >> 8) as Edge, (corners >> 16) as Edge]
}

/// A place as a bit.
#[inline(always)]
fn bit(place: u8) -> [u64; 2] {
    let bit = 1 << (place % 64);
    if place < 64 { [bit, 0] } else { [0, bit] }
}

/// Directed edges that there are names for.
const EDGES: usize = 256 * CORNERS;

/// The surface. What is left of the last one changes nothing.
#[derive(Clone, Debug)]
pub(super) struct Surface {
    /// Positions in the frame of A, in units that make the Minkowski difference smaller than 1.
    points: [[f32; 4]; CORNERS],
    vertices: [(u32, u32); CORNERS],
    corner_count: usize,
    /// Normals of all triangles, by place, of any length: a step waits for the next direction, so no root is on the way to it.
    x: [f32; TRIANGLES],
    y: [f32; TRIANGLES],
    z: [f32; TRIANGLES],
    /// The product of each with its lowest corner, plus the tolerance: corners beyond that see it.
    limit: [f32; TRIANGLES],
    /// The square of the height of that corner over zero.
    square: [f32; TRIANGLES],
    /// Corners, counter-clockwise seen from outside, and the first again: any two bytes in turn are an edge.
    triangles: [u32; TRIANGLES],
    /// Places below this may have a triangle; no other limit or square is a number that counts.
    used: usize,
    /// Places without a triangle, a stack.
    free: [u8; TRIANGLES],
    free_count: usize,
    /// By directed edge, the triangle that has its opposite.
    across: [u8; EDGES],
    /// Edges between what the last corner sees and what it does not.
    rim: [Edge; RIM + MADE],
    nearest: u8,
    /// Whether it is known to wind around zero.
    is_around: bool,
}

impl Default for Surface {
    fn default() -> Surface {
        Surface {
            points: [[0.0; 4]; CORNERS],
            vertices: [(0, 0); CORNERS],
            corner_count: 0,
            x: [0.0; TRIANGLES],
            y: [0.0; TRIANGLES],
            z: [0.0; TRIANGLES],
            limit: [GONE; TRIANGLES],
            square: [GONE; TRIANGLES],
            triangles: [0; TRIANGLES],
            used: 0,
            free: ALL_FREE,
            free_count: TRIANGLES,
            across: [0; EDGES],
            rim: [0; RIM + MADE],
            nearest: 0,
            is_around: false,
        }
    }
}

/// Too little room, or zero too near or not inside, for `f32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OutOfReach;

impl Surface {
    /// The triangle that is nearest to zero, up to the bits that its name takes.
    #[inline(always)]
    pub fn nearest(&self) -> u8 {
        self.nearest
    }

    /// The outward normal of a triangle, in the frame of A and of any length.
    #[inline(always)]
    pub fn normal(&self, place: u8) -> DVec3 {
        let at = usize::from(place) % TRIANGLES;
        DVec3::new(self.x[at].into(), self.y[at].into(), self.z[at].into())
    }

    /// Whether a corner comes from these vertices.
    pub fn has(&self, vertices: (u32, u32)) -> bool {
        self.vertices[..self.corner_count].contains(&vertices)
    }

    /// Where the corners of a triangle come from.
    #[inline]
    pub fn vertices(&self, place: u8) -> [(u32, u32); 3] {
        let corners = self.triangles[usize::from(place) % TRIANGLES].to_le_bytes();
        std::array::from_fn(|i| self.vertices[usize::from(corners[i]) % CORNERS])
    }

    /// Whether a point lies beyond a triangle by more than rounding.
    #[inline(always)]
    pub fn sees(&self, place: u8, point: DVec3) -> bool {
        let (at, point) = (usize::from(place) % TRIANGLES, point.as_vec3());
        let along = self.x[at] * point.x + self.y[at] * point.y + self.z[at] * point.z;
        along > self.limit[at]
    }

    /// Whether the surface is known to wind around zero. That zero is below all triangles is not enough: the normals of thin
    /// ones may point anywhere.
    #[inline(always)]
    pub fn is_around(&self) -> bool {
        self.is_around
    }

    /// The places of all triangles.
    pub fn live(&self) -> impl Iterator<Item = u8> {
        (0..self.used as u8).filter(|&place| self.limit[usize::from(place) % TRIANGLES] < GONE)
    }

    /// Adds a corner: all triangles that it sees give way to triangles between their rim and the corner.
    #[inline(always)]
    pub fn expand(&mut self, corner: Corner) -> Result<(), OutOfReach> {
        if self.corner_count == CORNERS || self.free_count < 2 {
            return Err(OutOfReach);
        }
        let apex = self.push(corner);
        let (seen, least) = self.remove_seen(corner.point.as_vec3());
        self.close(seen, apex, least)
    }

    /// The same for a corner beyond a triangle that need not see it: it is beyond by less than `f32` can tell.
    #[cold]
    pub fn expand_over(&mut self, place: u8, corner: Corner) -> Result<(), OutOfReach> {
        if self.corner_count == CORNERS || self.free_count < 2 {
            return Err(OutOfReach);
        }
        let apex = self.push(corner);
        let at = usize::from(place) % TRIANGLES;
        (self.limit[at], self.square[at]) = (GONE, GONE);
        let ([low, high], least) = self.remove_seen(corner.point.as_vec3());
        let [also_low, also_high] = bit(place);
        self.close([low | also_low, high | also_high], apex, least)
    }

    /// Puts triangles between a corner and the rim of what was taken away.
    #[inline(always)]
    fn close(&mut self, seen: [u64; 2], apex: u8, least: f32x4) -> Result<(), OutOfReach> {
        // In half of all cases; what is to be made is known then before all triangles were looked at.
        let least = if seen == bit(self.nearest) {
            self.split(self.nearest, apex, least)
        } else {
            let count = self.find_rim(seen)?;
            self.span(count, apex, least)?
        };
        self.find_nearest(least);
        Ok(())
    }

    #[inline(always)]
    fn push(&mut self, corner: Corner) -> u8 {
        let number = self.corner_count % CORNERS;
        let Vec3 { x, y, z } = corner.point.as_vec3();
        self.points[number] = [x, y, z, 0.0];
        self.vertices[number] = corner.vertices;
        self.corner_count += 1;
        number as u8
    }

    /// Takes away all triangles that a point sees: these, as bits, and the least heights of the others, with their names.
    #[inline(always)]
    fn remove_seen(&mut self, point: Vec3) -> ([u64; 2], f32x4) {
        let blocks = self.used.div_ceil(LANES);
        let point = point.to_array().map(f32x8::splat);
        let mut least = f32x8::splat(GONE);
        let low = self.remove_seen_in(0, blocks.min(8), point, &mut least);
        let high = if blocks > 8 { self.remove_seen_in(8, blocks.min(16), point, &mut least) } else { 0 };
        let [a, b, c, d, e, f, g, h] = least.to_array();
        ([low, high], f32x4::new([a, b, c, d]).fast_min(f32x4::new([e, f, g, h])))
    }

    #[inline(always)]
    fn remove_seen_in(&mut self, first: usize, end: usize, [x, y, z]: [f32x8; 3], least: &mut f32x8) -> u64 {
        let [all_x, all_y, all_z] = [&self.x, &self.y, &self.z].map(|all| all.as_chunks::<LANES>().0);
        let limits = self.limit.as_chunks_mut::<LANES>().0;
        let squares = self.square.as_chunks_mut::<LANES>().0;
        let mut seen = 0;
        for block in first..end {
            let limit = f32x8::new(limits[block]);
            let normal = (f32x8::new(all_x[block]), f32x8::new(all_y[block]), f32x8::new(all_z[block]));
            let is_seen = (normal.0 * x + normal.1 * y + normal.2 * z).simd_gt(limit);
            let gone = is_seen & f32x8::splat(GONE);
            limits[block] = limit.fast_max(gone).to_array();
            let square = f32x8::new(squares[block]).fast_max(gone);
            squares[block] = square.to_array();
            let named = square & f32x8::splat(HEIGHT_BITS) | f32x8::new(LANE_NAMES[block]);
            *least = least.fast_min(named);
            seen |= u64::from(is_seen.to_bitmask()) << (LANES * (block - first));
        }
        seen
    }

    /// Frees the places that triangles were taken from, and finds their edges whose other side still has one; how many.
    #[inline(always)]
    fn find_rim(&mut self, seen: [u64; 2]) -> Result<usize, OutOfReach> {
        let mut count = 0;
        for (mut seen, first) in seen.into_iter().zip([0, 64]) {
            while seen != 0 {
                let place = first + seen.trailing_zeros() as usize;
                seen &= seen - 1;
                self.free[self.free_count % TRIANGLES] = place as u8;
                self.free_count += 1;
                let corners = self.triangles[place % TRIANGLES];
                for edge in edges(corners) {
                    let across = usize::from(self.across[usize::from(edge) % EDGES]);
                    self.rim[count % RIM] = edge;
                    count += usize::from(self.limit[across % TRIANGLES] < GONE);
                }
            }
        }
        if count < RIM { Ok(count) } else { Err(OutOfReach) }
    }

    /// Puts three triangles between a triangle and a corner that sees it alone. The least heights, as in `span`.
    #[inline(always)]
    fn split(&mut self, place: u8, apex: u8, least: f32x4) -> f32x4 {
        let corners = self.triangles[usize::from(place) % TRIANGLES];
        let [first, second, third] = edges(corners);
        self.free[self.free_count % TRIANGLES] = place;
        self.free_count -= 2;
        self.used = self.used.max(TRIANGLES - self.free_count);
        let made = self.planes_over([first, second, third, first], self.lanes_of(apex));
        let lanes = arrays(made);
        for (lane, edge) in [first, second, third].into_iter().enumerate() {
            let place = self.free[(self.free_count + lane) % TRIANGLES];
            self.put(place, edge, apex, &lanes, lane);
        }
        least.fast_min(named(made[4], RIM_NAMES[0]))
    }

    /// Makes the triangles between the first edges of the rim and a corner. The least heights, these included; those of the
    /// new ones have the names of their edges.
    #[inline(always)]
    fn span(&mut self, count: usize, apex: u8, mut least: f32x4) -> Result<f32x4, OutOfReach> {
        let Some(free) = self.free_count.checked_sub(count) else { return Err(OutOfReach) };
        self.free_count = free;
        // Places are taken in order when they are taken first.
        self.used = self.used.max(TRIANGLES - free);
        // The first edge fills the lanes that remain: of equal heights the first has the lower name.
        let first = self.rim[0];
        self.rim[count..count + MADE].fill(first);
        let tip = self.lanes_of(apex);
        let (mut starts, mut twice) = (0u64, 0);
        for done in (0..count).step_by(MADE) {
            let edge = |lane: usize| self.rim[done % RIM + lane];
            let made = self.planes_over([edge(0), edge(1), edge(2), edge(3)], tip);
            least = least.fast_min(named(made[4], RIM_NAMES[done / MADE]));
            let made = arrays(made);
            for lane in 0..MADE.min(count - done) {
                let edge = self.rim[(done + lane) % RIM];
                let start = 1 << (edge % 64);
                twice |= starts & start;
                starts |= start;
                let place = self.free[(free + done + lane) % TRIANGLES];
                self.put(place, edge, apex, &made, lane);
            }
        }
        // Else two triangles would have the same edge to the apex.
        if twice == 0 { Ok(least) } else { Err(OutOfReach) }
    }

    /// The planes of four edges and a corner.
    #[inline(always)]
    fn planes_over(&self, [a, b, c, d]: [Edge; 4], tip: [f32x4; 3]) -> [f32x4; 5] {
        let [a, b, c, d] = [a.to_le_bytes(), b.to_le_bytes(), c.to_le_bytes(), d.to_le_bytes()];
        let from = self.transposed([a[0], b[0], c[0], d[0]]);
        let to = self.transposed([a[1], b[1], c[1], d[1]]);
        planes_of(from, to, tip)
    }

    /// A corner in all lanes, coordinate by coordinate.
    #[inline(always)]
    fn lanes_of(&self, corner: u8) -> [f32x4; 3] {
        let [x, y, z, _] = self.points[usize::from(corner) % CORNERS];
        [f32x4::splat(x), f32x4::splat(y), f32x4::splat(z)]
    }

    /// Four corners, coordinate by coordinate.
    #[inline(always)]
    fn transposed(&self, corners: [u8; 4]) -> [f32x4; 3] {
        let rows = corners.map(|corner| f32x4::new(self.points[usize::from(corner) % CORNERS]));
        let [x, y, z, _] = f32x4::transpose(rows);
        [x, y, z]
    }

    /// Puts the triangle between an edge and a corner into a place, with its plane from a lane.
    #[inline(always)]
    fn put(&mut self, place: u8, edge: Edge, apex: u8, made: &[[f32; MADE]; 5], lane: usize) {
        let at = usize::from(place) % TRIANGLES;
        self.x[at] = made[0][lane];
        self.y[at] = made[1][lane];
        self.z[at] = made[2][lane];
        self.limit[at] = made[3][lane];
        self.square[at] = made[4][lane];
        self.join(place, edge, apex);
    }

    /// Makes the triangle in a place that between an edge and a corner.
    #[inline(always)]
    fn join(&mut self, place: u8, edge: Edge, apex: u8) {
        let apex = u16::from(apex);
        self.triangles[usize::from(place) % TRIANGLES] =
            u32::from(edge) | u32::from(apex) << 16 | u32::from(edge) << 24;
        for opposite in [edge.swap_bytes(), edge & 0xff00 | apex, edge & 0xff | apex << 8] {
            self.across[usize::from(opposite) % EDGES] = place;
        }
    }

    /// Finds the nearest triangle; whether zero is below it, by more than rounding.
    #[inline(always)]
    fn find_nearest(&mut self, least: f32x4) -> bool {
        let least = lowest(least).to_bits();
        let name = (least % NAMES) as usize;
        let of_rim = self.free[(self.free_count + name) % TRIANGLES];
        self.nearest = if name < TRIANGLES { name as u8 } else { of_rim };
        let is_inside = f32::from_bits(least) > LEAST_HEIGHT * LEAST_HEIGHT;
        self.is_around = is_inside && (self.is_around || self.is_oriented());
        is_inside
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::shape::sample::random_direction;
    use std::collections::HashSet;

    impl Surface {
        /// Checks what a proof rests on: every directed edge has one triangle, and its opposite has one.
        fn check_closed(&self) {
            let all: Vec<Edge> =
                self.live().flat_map(|place| edges(self.triangles[usize::from(place)])).collect();
            let set: HashSet<Edge> = all.iter().copied().collect();
            assert_eq!(set.len(), all.len(), "an edge of two triangles");
            assert!(set.iter().all(|edge| set.contains(&edge.swap_bytes())), "an open edge");
            for place in self.live() {
                let is_there = |edge: Edge| self.across[usize::from(edge.swap_bytes())] == place;
                assert!(edges(self.triangles[usize::from(place)]).into_iter().all(is_there));
                assert!(!self.free[..self.free_count].contains(&place));
            }
            assert!(
                self.limit[self.used..].iter().chain(&self.square[self.used..]).all(|&gone| gone == GONE)
            );
            assert_eq!(self.live().count() + self.free_count, TRIANGLES);
        }

        /// The solid angle around zero that the triangles cover, in turns.
        fn winding(&self) -> f64 {
            let angle = |place: u8| {
                let [a, b, c, _] = self.triangles[usize::from(place)].to_le_bytes().map(|corner| {
                    let [x, y, z, _] = self.points[usize::from(corner)].map(f64::from);
                    DVec3::new(x, y, z)
                });
                let (la, lb, lc) = (a.length(), b.length(), c.length());
                let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
                2.0 * a.dot(b.cross(c)).atan2(below)
            };
            self.live().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
        }
    }

    pub fn corner(point: DVec3) -> Corner {
        Corner { point, vertices: (0, 0) }
    }

    pub const TETRAHEDRON: [DVec3; 4] = [
        DVec3::new(0.2, 0.2, 0.2),
        DVec3::new(0.2, -0.2, -0.2),
        DVec3::new(-0.2, 0.2, -0.2),
        DVec3::new(-0.2, -0.2, 0.2),
    ];

    /// Corners anywhere, also such that no convex body has: exactly what rounding may make of a surface. It begins around zero,
    /// or anywhere, and may be found to wind around it later.
    #[test]
    fn a_surface_stays_closed_and_winds_around_zero_where_it_says_so() {
        let mut random = Random::new(3);
        let mut surface = Surface::default();
        let (mut expanded, mut ended, mut around, mut later) = (0, 0, 0, 0);
        for round in 0..6000 {
            let mut anywhere = || corner(random_direction(&mut random) * random.range(0.1, 0.9));
            let octahedron = [(); 6].map(|()| anywhere());
            match round % 2 {
                0 => assert!(surface.start(TETRAHEDRON.map(corner))),
                _ => surface.start_anywhere(octahedron),
            }
            let mut was_around = surface.is_around();
            assert!(was_around || round % 2 == 1);
            loop {
                surface.check_closed();
                let winding = surface.winding();
                assert!(!surface.is_around() || winding > 1.0 - 1e-6, "{winding}");
                later += usize::from(surface.is_around() && !was_around);
                (was_around, around) = (surface.is_around(), around + usize::from(surface.is_around()));
                let sizes = [0.3, 0.8, 0.99];
                let points =
                    (0..1000).map(|_| random_direction(&mut random) * sizes[random.below(3) as usize]);
                let point = points.into_iter().find(|&point| surface.sees(surface.nearest(), point));
                if point.is_none_or(|point| surface.expand(corner(point)).is_err()) {
                    ended += 1;
                    break;
                }
                expanded += 1;
            }
        }
        println!("{expanded} corners, {ended} surfaces, {around} around zero, {later} found to be later");
        assert!(expanded > 10 * ended && around > expanded / 4 && later > 100);
    }

    /// A corner may be put over any triangle, if it is on the same side of zero.
    #[test]
    fn a_triangle_may_be_split_by_a_corner_that_does_not_see_it() {
        let mut surface = Surface::default();
        surface.start(TETRAHEDRON.map(corner));
        for _ in 0..20 {
            let place = surface.nearest();
            let [a, b, c] = surface.triangles[usize::from(place)].to_le_bytes().as_chunks::<3>().0[0]
                .map(|corner| Vec3::from_slice(&surface.points[usize::from(corner)][..3]).as_dvec3());
            let middle = (a + b + c) / 3.0;
            assert!(!surface.sees(place, middle));
            surface.expand_over(place, corner(middle)).expect("room");
            surface.check_closed();
            assert!(surface.is_around() && (surface.winding() - 1.0).abs() < 1e-6);
        }
    }
}
