//! A closed surface of triangles around zero inside the Minkowski difference, in `f32`: where a depth is proposed.
//!
//! The same expansion as in [`Expanding`](super::expanding::Expanding), but nothing here is exact, and the surface need not
//! be convex. Three things hold whatever is rounded, and are all that a proof needs:
//!
//! 1. It is closed: every directed edge has one triangle, and its opposite has one. What a new corner sees is replaced by
//!    the triangles between the corner and the rim of what it sees, so that stays so.
//! 2. It winds around zero once. It does at the start, and a replacement changes that only if zero lies in one of the
//!    tetrahedra between the corner and a triangle that it sees. But all four corners of those are on one side of a plane
//!    through zero, that with the triangle's normal, by more than rounding ([`HEIGHT_ERROR`], [`LEAST_HEIGHT`]).
//! 3. No point of a triangle is nearer to zero than its lowest corner along its normal, whatever vector that is: so a
//!    triangle may be as thin as it likes.
//!
//! A closed surface in a convex set winds around no point outside, and winds equally often around all points of a ball that
//! it does not meet: so the ball around zero up to the nearest triangle lies in the Minkowski difference.

use super::relative::Corner;
use glam::{DVec3, Vec3};
use wide::{f32x4, f32x8};

/// Corners and triangles that there is room for, powers of two; bodies of 1000 vertices take about 30 and 60.
const CORNERS: usize = 64;
const TRIANGLES: usize = 128;

/// Triangles looked at together.
const LANES: usize = 8;

/// Edges of a rim that there is room for, a power of two.
const RIM: usize = 64;

/// How far a corner of `M` may be below its computed height over zero along the normal of a triangle, scaled to length one.
///
/// Proof, with `e = 2^-24` and all of `M` within 1. Take the exact corner `m` in the world, `x = R_a^T m`, and for the
/// computed normal `n` the direction `R_a n`, which has the product `n . x` with `m` and is longer than `n` by `1.5e-9` of it
/// at most. A corner in the frame of A errs by `3.7e-9` before it is rounded (see `VOLUME_ERROR`), and by `e` then; its
/// product with `n` by `3.01e |n|`. The square of the length errs by `3e` of it, so its root, the quotient and the product
/// with that make `n` no longer than `1 + 5e`. Together below `10e`; `16e` leaves room for the sums that heights are
/// compared by.
pub(super) const HEIGHT_ERROR: f32 = 16.0 / (1 << 24) as f32;

/// Triangles nearer to zero than this are left to exact signs: twice the error of a height.
const LEAST_HEIGHT: f32 = 2.0 * HEIGHT_ERROR;

/// How far beyond a triangle a corner must be to count: about what rounding alone may put it.
const TOLERANCE: f32 = HEIGHT_ERROR;

/// Squares of lengths below this are taken for this, so that nothing is divided by zero: the height is too small then.
const LEAST_SQUARE: f32 = f32::from_bits((127 - 100) << 23);

/// Height of a place without a triangle: never seen, never nearest, and a number whatever its low bits are.
const GONE: f32 = f32::from_bits(0x7f00_0000);

/// Low bits of a height that are given up for the place of its triangle, so that the least height names it. Numbers past the
/// places are lanes of the rim: triangles that were made last.
const NAMES: u32 = (TRIANGLES + RIM).next_power_of_two() as u32;
const HEIGHT_BITS: f32x8 = f32x8::new([f32::from_bits(!(NAMES - 1)); LANES]);

/// The names of all lanes, as low bits.
static LANE_NAMES: [f32x8; (TRIANGLES + RIM) / LANES] = lane_names();

const fn lane_names() -> [f32x8; (TRIANGLES + RIM) / LANES] {
    let mut all = [f32x8::new([0.0; LANES]); (TRIANGLES + RIM) / LANES];
    let mut block = 0;
    while block < all.len() {
        let mut lanes = [0.0; LANES];
        let mut lane = 0;
        while lane < LANES {
            lanes[lane] = f32::from_bits((block * LANES + lane) as u32);
            lane += 1;
        }
        all[block] = f32x8::new(lanes);
        block += 1;
    }
    all
}

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

/// Eight triangles: their unit normals, and how high their lowest corner is over zero along them.
#[derive(Clone, Copy, Debug)]
struct Planes {
    x: [f32; LANES],
    y: [f32; LANES],
    z: [f32; LANES],
    height: [f32; LANES],
}

const NO_PLANES: Planes =
    Planes { x: [0.0; LANES], y: [0.0; LANES], z: [0.0; LANES], height: [GONE; LANES] };

/// The surface. No content is ever more than room: a new one starts without a look at the last.
#[derive(Clone, Debug)]
pub(super) struct Surface {
    /// Positions in the frame of A, in units that make the Minkowski difference smaller than 1.
    points: [[f32; 4]; CORNERS],
    vertices: [(u32, u32); CORNERS],
    corner_count: usize,
    planes: [Planes; TRIANGLES / LANES],
    /// Corners, counter-clockwise seen from outside.
    triangles: [[u8; 4]; TRIANGLES],
    /// Places below this may have a triangle.
    used: usize,
    /// Places without a triangle, a stack.
    free: [u8; TRIANGLES],
    free_count: usize,
    /// The triangle of the directed edge from one corner to another.
    owners: [u8; CORNERS * CORNERS],
    /// Edges between what the last corner sees and what it does not.
    rim: [[u8; 2]; RIM + LANES],
    nearest: u8,
}

impl Default for Surface {
    fn default() -> Surface {
        Surface {
            points: [[0.0; 4]; CORNERS],
            vertices: [(0, 0); CORNERS],
            corner_count: 0,
            planes: [NO_PLANES; TRIANGLES / LANES],
            triangles: [[0; 4]; TRIANGLES],
            used: 0,
            free: ALL_FREE,
            free_count: TRIANGLES,
            owners: [0; CORNERS * CORNERS],
            rim: [[0; 2]; RIM + LANES],
            nearest: 0,
        }
    }
}

/// Too little room, or too near to zero, for `f32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OutOfReach;

impl Surface {
    /// A tetrahedron around zero.
    pub fn start(&mut self, corners: [Corner; 4]) -> Result<(), OutOfReach> {
        self.corner_count = 0;
        self.free = ALL_FREE;
        self.free_count = TRIANGLES;
        self.used = 0;
        for planes in &mut self.planes {
            planes.height = [GONE; LANES];
        }
        let [a, b, c, d] = corners.map(|corner| corner.point);
        // Where that is wrong, heights are negative.
        let is_outward = (b - a).cross(c - a).dot(d - a) < 0.0;
        let [a, b] = if is_outward { [0, 1] } else { [1, 0] };
        for corner in corners {
            self.push(corner);
        }
        self.rim[0] = [a, b];
        self.span(1, 2, f32x8::splat(GONE))?;
        self.rim[..3].copy_from_slice(&[[b, a], [2, b], [a, 2]]);
        self.span(3, 3, f32x8::splat(GONE))?;
        self.find_nearest(f32x8::new(self.planes[0].height) & HEIGHT_BITS | LANE_NAMES[0])
    }

    /// The triangle that is nearest to zero, up to the bits that its name takes.
    #[inline(always)]
    pub fn nearest(&self) -> u8 {
        self.nearest
    }

    /// The outward normal of a triangle, in the frame of A.
    #[inline(always)]
    pub fn normal(&self, place: u8) -> DVec3 {
        let (planes, lane) = self.at(place);
        DVec3::new(planes.x[lane].into(), planes.y[lane].into(), planes.z[lane].into())
    }

    /// Where the corners of a triangle come from.
    pub fn vertices(&self, place: u8) -> [(u32, u32); 3] {
        let [a, b, c, _] = self.triangles[usize::from(place) % TRIANGLES];
        [a, b, c].map(|corner| self.vertices[usize::from(corner) % CORNERS])
    }

    /// Whether a point lies beyond a triangle by more than rounding.
    #[inline(always)]
    pub fn sees(&self, place: u8, point: DVec3) -> bool {
        let (planes, lane) = self.at(place);
        let point = point.as_vec3();
        let along = planes.x[lane] * point.x + planes.y[lane] * point.y + planes.z[lane] * point.z;
        along - TOLERANCE > planes.height[lane]
    }

    /// All triangles that may be nearer to zero than this, in units; the others are proved not to be.
    pub fn nearer_than(&self, distance: f64) -> impl Iterator<Item = u8> {
        let limit = distance as f32 + HEIGHT_ERROR;
        let heights = self.planes[..self.used.div_ceil(LANES)].iter().flat_map(|planes| planes.height);
        (0..).zip(heights).filter(move |&(_, height)| height < limit).map(|(place, _)| place)
    }

    /// Adds a corner: all triangles that it sees give way to triangles between their rim and the corner.
    #[inline(always)]
    pub fn expand(&mut self, corner: Corner) -> Result<(), OutOfReach> {
        if self.corner_count == CORNERS {
            return Err(OutOfReach);
        }
        let apex = self.push(corner);
        let kept = self.free_count;
        let least = self.remove_seen(corner.point.as_vec3());
        let count = self.find_rim(kept)?;
        let least = self.span(count, apex, least)?;
        self.find_nearest(least)
    }

    #[inline(always)]
    fn at(&self, place: u8) -> (&Planes, usize) {
        (&self.planes[usize::from(place) / LANES % (TRIANGLES / LANES)], usize::from(place) % LANES)
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

    /// Frees the places of all triangles that a point sees; the least heights of the others, with their names.
    #[inline(always)]
    fn remove_seen(&mut self, point: Vec3) -> f32x8 {
        let [x, y, z] = point.to_array().map(f32x8::splat);
        let mut least = f32x8::splat(GONE);
        let blocks = self.used.div_ceil(LANES).min(TRIANGLES / LANES);
        let (planes, names) = (&mut self.planes[..blocks], LANE_NAMES.as_chunks::<LANES>().0);
        // Eight blocks have one bit each of a mask.
        for (group, (planes, names)) in planes.chunks_mut(LANES).zip(names).enumerate() {
            let mut seen = 0;
            for (i, (planes, &names)) in planes.iter_mut().zip(names).enumerate() {
                let height = f32x8::new(planes.height);
                let along = f32x8::new(planes.x) * x + f32x8::new(planes.y) * y + f32x8::new(planes.z) * z;
                let is_seen = (along - f32x8::splat(TOLERANCE)).simd_gt(height);
                let height = height.fast_max(is_seen & f32x8::splat(GONE));
                planes.height = height.to_array();
                least = least.fast_min(height & HEIGHT_BITS | names);
                seen |= u64::from(is_seen.to_bitmask()) << (LANES * i);
            }
            while seen != 0 {
                let place = group * LANES * LANES + seen.trailing_zeros() as usize;
                self.free[self.free_count % TRIANGLES] = place as u8;
                self.free_count += 1;
                seen &= seen - 1;
            }
        }
        least
    }

    /// The edges of the triangles that were freed last whose other side was not; how many.
    #[inline(always)]
    fn find_rim(&mut self, kept: usize) -> Result<usize, OutOfReach> {
        let mut count = 0;
        for i in kept..self.free_count {
            let place = self.free[i % TRIANGLES];
            let [a, b, c, _] = self.triangles[usize::from(place) % TRIANGLES];
            for [from, to] in [[a, b], [b, c], [c, a]] {
                let (across, lane) = self.at(self.owners[edge(to, from)]);
                let is_rim = across.height[lane] < GONE;
                self.rim[count % RIM] = [from, to];
                count += usize::from(is_rim);
            }
        }
        if count < RIM { Ok(count) } else { Err(OutOfReach) }
    }

    /// Makes the triangles between the first edges of the rim and a corner. The least heights, these included; those of the
    /// new ones have the names of their edges.
    #[inline(always)]
    fn span(&mut self, count: usize, apex: u8, mut least: f32x8) -> Result<f32x8, OutOfReach> {
        let Some(free) = self.free_count.checked_sub(count) else { return Err(OutOfReach) };
        // The first edge fills the lanes that remain: of equal heights the first has the lower name.
        let first = self.rim[0];
        self.rim[count..count + LANES].fill(first);
        self.free_count = free;
        let mut starts = 0u64;
        let mut is_simple = true;
        for (i, names) in (0..count).step_by(LANES).zip(&LANE_NAMES[TRIANGLES / LANES..]) {
            let made = self.planes_over(i, apex);
            least = least.fast_min(f32x8::new(made.height) & HEIGHT_BITS | *names);
            for lane in 0..LANES.min(count - i) {
                let [from, to] = self.rim[(i + lane) % RIM];
                let start = 1 << (from % 64);
                is_simple &= starts & start == 0;
                starts |= start;
                let place = self.free[(free + i + lane) % TRIANGLES];
                self.put(place, [from, to, apex], &made, lane);
            }
        }
        // Else an edge to the apex has two triangles.
        if is_simple { Ok(least) } else { Err(OutOfReach) }
    }

    /// The planes of eight edges of the rim and a corner.
    #[inline(always)]
    fn planes_over(&self, first: usize, apex: u8) -> Planes {
        let apex = self.points[usize::from(apex) % CORNERS];
        let point = |corner: u8| f32x4::new(self.points[usize::from(corner) % CORNERS]);
        let four = |first: usize| {
            let edges: [[u8; 2]; 4] = std::array::from_fn(|lane| self.rim[first + lane]);
            let from = f32x4::transpose(edges.map(|[from, _]| point(from)));
            let to = f32x4::transpose(edges.map(|[_, to]| point(to)));
            planes_of([from[0], from[1], from[2]], [to[0], to[1], to[2]], [apex[0], apex[1], apex[2]])
        };
        let [low, high] = [four(first), four(first + 4)];
        let join = |i: usize| {
            let ([a, b, c, d], [e, f, g, h]) = (low[i].to_array(), high[i].to_array());
            [a, b, c, d, e, f, g, h]
        };
        Planes { x: join(0), y: join(1), z: join(2), height: join(3) }
    }

    #[inline(always)]
    fn put(&mut self, place: u8, [from, to, apex]: [u8; 3], made: &Planes, lane: usize) {
        let planes = &mut self.planes[usize::from(place) / LANES % (TRIANGLES / LANES)];
        let there = usize::from(place) % LANES;
        planes.x[there] = made.x[lane];
        planes.y[there] = made.y[lane];
        planes.z[there] = made.z[lane];
        planes.height[there] = made.height[lane];
        self.triangles[usize::from(place) % TRIANGLES] = [from, to, apex, 0];
        self.owners[edge(from, to)] = place;
        self.owners[edge(to, apex)] = place;
        self.owners[edge(apex, from)] = place;
        self.used = self.used.max(usize::from(place) + 1);
    }

    #[inline(always)]
    fn find_nearest(&mut self, least: f32x8) -> Result<(), OutOfReach> {
        let least = lowest(least).to_bits();
        let name = (least % NAMES) as usize;
        let of_rim = self.free[(self.free_count + name.wrapping_sub(TRIANGLES)) % TRIANGLES];
        self.nearest = if name < TRIANGLES { name as u8 } else { of_rim };
        if f32::from_bits(least) > LEAST_HEIGHT { Ok(()) } else { Err(OutOfReach) }
    }
}

#[inline(always)]
fn edge(from: u8, to: u8) -> usize {
    usize::from(from) % CORNERS * CORNERS + usize::from(to) % CORNERS
}

/// The unit normals of four triangles, and the heights of their lowest corners along them.
#[inline(always)]
fn planes_of(from: [f32x4; 3], to: [f32x4; 3], apex: [f32; 3]) -> [f32x4; 4] {
    let apex = apex.map(f32x4::splat);
    let [ux, uy, uz] = std::array::from_fn(|i| from[i] - apex[i]);
    let [vx, vy, vz] = std::array::from_fn(|i| to[i] - apex[i]);
    let cross = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    let square = cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2];
    let inverse = f32x4::splat(1.0) / square.fast_max(f32x4::splat(LEAST_SQUARE)).sqrt();
    let [x, y, z] = cross.map(|c| c * inverse);
    let along = |p: [f32x4; 3]| x * p[0] + y * p[1] + z * p[2];
    [x, y, z, along(apex).fast_min(along(from)).fast_min(along(to))]
}

/// The least of eight numbers.
#[inline(always)]
fn lowest(numbers: f32x8) -> f32 {
    let all = numbers.to_array();
    let min = |a: f32, b: f32| if b < a { b } else { a };
    let four: [f32; 4] = std::array::from_fn(|i| min(all[i], all[i + 4]));
    min(min(four[0], four[2]), min(four[1], four[3]))
}
