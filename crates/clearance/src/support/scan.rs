//! Looking at every vertex: the fastest start on small polytopes.

use super::quad::{LANES, Quad, greatest, highest_lane, inverse_size, points, size};
use super::{Ball, in_single};
use crate::shape::Polytope;
use glam::DVec3;
use wide::f32x4;

/// More than how far from its vertex a stored point is, scaled: each coordinate is rounded to `f32` once.
const PLACE_ERROR: f64 = 1.0 / (1 << 16) as f64;

/// What the height of a point below the top of a ball errs by at most: lengths of up to `2.2` along up to `1.42` and four roundings.
const HEIGHT_ERROR: f32 = 1.0 / (1 << 20) as f32;

/// Half of a quotient, and what it errs by.
const HALF_AND_ERROR: f64 = 0.5 * (1.0 + 4.0 * HEIGHT_ERROR as f64);

/// Squares of directions that are about as long as one.
const SQUARES: [f64; 2] = [0.5, 2.0];

/// How far a ball rises above the highest vertex, in sizes of the body: less is of no use, more does not make it smaller.
const LIFTS: [f64; 2] = [1.0 / 1024.0, 0.25];

/// All vertices in `f32`, four at a time: eight at a time would look at more of them twice, and distances of bodies of 20
/// vertices take 3 % longer.
///
/// Positions are taken from the middle of the bounding box, so that offsets do not blur them. What is found is a start,
/// not a proof.
#[derive(Clone, Debug)]
pub(crate) struct Scan {
    pub(super) last: u32,
    middle: DVec3,
    scale: f64,
    /// One length when scaled, `1 / scale`.
    unit: f64,
    pub(super) quads: Vec<Quad>,
    /// The same for each lane, all coordinates of a vertex in one look; nothing where that would take too much memory.
    places: Vec<f32x4>,
}

impl Scan {
    /// With places if all takes no more than so many bytes.
    pub(super) fn build(polytope: &Polytope, most_bytes: usize) -> Scan {
        let points = points(polytope);
        let quads = points.len().div_ceil(LANES);
        let has_room = quads * (size_of::<Quad>() + LANES * size_of::<f32x4>()) <= most_bytes;
        let places = if has_room { LANES * quads } else { 0 };
        let place = |lane: usize| {
            let [x, y, z] = points[lane.min(points.len() - 1)];
            f32x4::new([x, y, z, 0.0])
        };
        let quad = |four: &[[f32; 3]]| Quad::new(std::array::from_fn(|lane| four[lane.min(four.len() - 1)]));
        let (middle, unit) = (polytope.bounds().center(), size(polytope));
        Scan {
            last: points.len() as u32 - 1,
            middle,
            scale: unit.recip(),
            unit,
            quads: points.chunks(LANES).map(quad).collect(),
            places: (0..places).map(place).collect(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.quads.capacity() * size_of::<Quad>() + self.places.capacity() * size_of::<f32x4>()
    }

    /// A vertex that is extreme up to `2^-16` of the size; any vertex for a direction that is zero or not finite.
    ///
    /// The direction is scaled by a power of two first, so that the vertex does not depend on its length.
    /// One maximum for each lane and quad, none of them a branch.
    #[inline]
    pub(super) fn look_up(&self, direction: DVec3) -> u32 {
        self.look_up_scaled(direction * inverse_size(direction))
    }

    /// The same for a direction whose size is far from both ends of the range of `f32`.
    #[inline(always)]
    pub(super) fn look_up_scaled(&self, direction: DVec3) -> u32 {
        self.vertex(highest_lane(&self.quads, direction.as_vec3().to_array()))
    }

    /// The lane of such a vertex.
    #[inline(always)]
    pub(super) fn top_lane(&self, direction: DVec3) -> usize {
        highest_lane(&self.quads, direction.as_vec3().to_array())
    }

    /// The same for a direction in the first three lanes, with its position.
    #[inline(always)]
    pub(super) fn look_up_in_single(&self, direction: f32x4) -> (f32x4, u32) {
        let [x, y, z, _] = direction.to_array();
        let lane = highest_lane(&self.quads, [x, y, z]);
        let place = self.places.get(lane).copied();
        // NaN may leave any bits.
        let place = place.unwrap_or_else(|| self.quads.get(lane / LANES).unwrap_or(&Quad::ZERO).point(lane));
        (place, self.vertex(lane))
    }

    /// How high the highest vertex is above the middle, times the scale. It errs by `2.6e |d|_1`, `e = 2^-24`, for directions far from both
    /// ends of the range of `f32`: positions are at most a half in each coordinate, and these, the direction, a product and two sums
    /// round once each.
    #[inline(always)]
    pub(crate) fn height(&self, direction: DVec3) -> f32 {
        let direction = direction.as_vec3().to_array().map(f32x4::splat);
        let heights = self.quads.iter().map(|quad| quad.heights(direction));
        greatest(heights.fold(f32x4::splat(f32::NEG_INFINITY), f32x4::fast_max))
    }

    /// Lanes beyond the last vertex repeat it, and NaN may leave any bits.
    #[inline(always)]
    fn vertex(&self, lane: usize) -> u32 {
        (lane as u32).min(self.last)
    }

    /// A ball around all vertices whose top along a direction is higher by `lift` than the vertex in a lane, the highest one along that
    /// direction: the smallest one with the top straight above it. `None` if the lift is too small, the direction is not about
    /// as long as one, or there are no places.
    ///
    /// With the top `t`, a point `q` lies in the ball around `t - s d` that touches `t` if `|q - t|^2 <= 2 s d . (t - q)`. All that is
    /// computed from `t` and `d` as they are in `f32`: squares err by `2^-21`, heights by [`HEIGHT_ERROR`], quotients then by
    /// `2^-20`. No height is zero or less: the least lift is half of `2^-10` high, and lanes are told apart up to `2^-16` of heights below
    /// 2. The rest is in `f64`, and left to the caller.
    #[inline(always)]
    pub(super) fn ball(&self, direction: DVec3, lane: usize, lift: f64) -> Option<Ball> {
        let (lift, square) = ((lift * self.scale).min(LIFTS[1]), direction.length_squared());
        // False for NaN.
        let is_sound = lift >= LIFTS[0] && square > SQUARES[0] && square < SQUARES[1];
        let (true, Some(&place)) = (is_sound, self.places.get(lane)) else { return None };
        let along = in_single(direction);
        let top = place + along * f32x4::splat(lift as f32);
        let ([top_x, top_y, top_z, _], [x, y, z, _]) = (top.to_array(), along.to_array());
        let mut largest = f32x4::splat(1.0 / 256.0);
        for quad in &self.quads {
            let (square, height) = quad.from([top_x, top_y, top_z], [x, y, z]);
            let height = height - f32x4::splat(HEIGHT_ERROR);
            largest = largest.fast_max(square / height);
        }
        // What does not wait for the loop is done before it.
        let (top, down) = (in_double([top_x, top_y, top_z]), in_double([x, y, z]) * self.unit);
        let (top, length) = (self.middle + top * self.unit, square.sqrt() * self.unit);
        let times = f64::from(greatest(largest)) * HALF_AND_ERROR;
        Some(Ball { center: top - down * times, radius: times * length + PLACE_ERROR * self.unit })
    }
}

#[inline(always)]
fn in_double(vector: [f32; 3]) -> DVec3 {
    DVec3::from_array(vector.map(f64::from))
}
