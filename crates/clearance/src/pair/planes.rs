//! Planes of triangles in `f32`, several at a time, and how far they are from zero.

use wide::f32x4;

/// Triangles looked at together, and made together.
pub(super) const LANES: usize = 8;
pub(super) const MADE: usize = 4;

/// How far the lowest corner of a triangle may be below its computed height over zero along the normal, in units.
///
/// Proof, with `e = 2^-24` and all of `M` within 1. Take the exact corner `m` in the world, `x = R_a^T m`, and for the
/// computed normal `n`, which is not scaled, the direction `R_a n`: it has the product `n . x` with `m`, and is longer than
/// `n` by `1.5e-9` of it at most. A corner in the frame of A errs by `3.7e-9` before it is rounded (see `VOLUME_ERROR`), and
/// by `e` then; its product with `n` by `3.01e |n|`. The square of `|n|` errs by `3e` of it, that of the product by `e`, their
/// quotient by `e`: the height by half of these. Together below `8e`; `16e` leaves room for what heights are compared with.
pub(super) const HEIGHT_ERROR: f32 = 16.0 / (1 << 24) as f32;

/// Triangles nearer to zero than this are left to exact signs: twice the error of a height.
pub(super) const LEAST_HEIGHT: f32 = 2.0 * HEIGHT_ERROR;

/// How far beyond a triangle a corner must be to count: about what rounding alone may put it.
const TOLERANCE: f32 = HEIGHT_ERROR;

/// Squares of normals below this are taken for this, so that nothing is divided by zero; heights are too small then.
const LEAST_SQUARE: f32 = f32::from_bits((127 - 100) << 23);

/// What a place without a triangle has for a height: never seen, never nearest, and a number whatever its low bits are.
pub(super) const GONE: f32 = f32::from_bits(0x7f00_0000);

/// Low bits of the square of a height are given up for a name of its triangle below this, so that the least names it.
pub(super) const NAMES: u32 = 256;
pub(super) const HEIGHT_BITS: f32 = f32::from_bits(!(NAMES - 1));

/// Names in turn, as low bits.
pub(super) const fn names<const LANES: usize, const COUNT: usize>(first: usize) -> [[f32; LANES]; COUNT] {
    let mut all = [[0.0; LANES]; COUNT];
    let mut i = 0;
    while i < LANES * COUNT {
        all[i / LANES][i % LANES] = f32::from_bits((first + i) as u32);
        i += 1;
    }
    all
}

/// Squares of heights with names for low bits.
#[inline(always)]
pub(super) fn named(squares: f32x4, names: [f32; MADE]) -> f32x4 {
    squares & f32x4::splat(HEIGHT_BITS) | f32x4::new(names)
}

/// The normals of four triangles, the limits of what sees them, and the squares of their heights over zero, negative below it.
#[inline(always)]
pub(super) fn planes_of(a: [f32x4; 3], b: [f32x4; 3], c: [f32x4; 3]) -> [f32x4; 5] {
    let [ux, uy, uz] = [a[0] - c[0], a[1] - c[1], a[2] - c[2]];
    let [vx, vy, vz] = [b[0] - c[0], b[1] - c[1], b[2] - c[2]];
    let (x, y, z) = (uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
    let square = (x * x + y * y + z * z).fast_max(f32x4::splat(LEAST_SQUARE));
    let along = |p: [f32x4; 3]| x * p[0] + y * p[1] + z * p[2];
    let lowest = along(c).fast_min(along(a)).fast_min(along(b));
    [x, y, z, lowest + square.sqrt() * f32x4::splat(TOLERANCE), lowest * lowest.abs() / square]
}

#[inline(always)]
pub(super) fn arrays(made: [f32x4; 5]) -> [[f32; MADE]; 5] {
    [made[0].to_array(), made[1].to_array(), made[2].to_array(), made[3].to_array(), made[4].to_array()]
}

/// The least of four numbers.
#[inline(always)]
pub(super) fn lowest(numbers: f32x4) -> f32 {
    let [a, b, c, d] = numbers.to_array();
    let min = |a: f32, b: f32| if b < a { b } else { a };
    min(min(a, c), min(b, d))
}
