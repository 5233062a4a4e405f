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

/// How far beyond a triangle a corner must be to count: what rounding mostly puts it. Corners that count by mistake take a
/// step and break nothing; those that do not are left to `f64`.
const TOLERANCE: f32 = 2.0 / (1 << 24) as f32;

/// What six times the volume of zero and a triangle must be, as computed, to be positive.
///
/// Proof, with `e = 2^-24` and all of `M` within 1, for the volume `(u x v) . c` with `u = a - c`, `v = b - c`. Corners err by
/// `1.07e` (see `HEIGHT_ERROR`), edges, of length 2 at most, by `4.2e`. The normal errs by `4 * 4.2e` from these and by
/// `2e sqrt(3) |u| |v| <= 14e` from products and differences: `31e`. Its product with a corner errs by `31e` from it,
/// `4 * 1.07e` from the corner, `3e * 4` from three products: below `48e`. What is compared is the square of the least of three
/// such products, made and unmade to a height, which errs by less than `16e` of it.
pub(super) const LEAST_VOLUME: f32 = 64.0 / (1 << 24) as f32;

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

/// The normals of four triangles, the limits of what sees them, and the squares of their heights over zero: zero if it is not below.
#[inline(always)]
pub(super) fn planes_of(a: [f32x4; 3], b: [f32x4; 3], c: [f32x4; 3]) -> [f32x4; 5] {
    let [ux, uy, uz] = [a[0] - c[0], a[1] - c[1], a[2] - c[2]];
    let [vx, vy, vz] = [b[0] - c[0], b[1] - c[1], b[2] - c[2]];
    let (x, y, z) = (uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
    let square = (x * x + y * y + z * z).fast_max(f32x4::splat(LEAST_SQUARE));
    let along = |p: [f32x4; 3]| x * p[0] + y * p[1] + z * p[2];
    let [a, b, c] = [along(a), along(b), along(c)];
    // A triangle that zero is not below is seen from beyond zero alone: nothing less is of use.
    let [lowest, highest] = [c.fast_min(a).fast_min(b), c.fast_max(a).fast_max(b)]
        .map(|height| height.fast_max(f32x4::splat(0.0)));
    // The corners of a triangle never see it, however thin it is.
    [x, y, z, highest + square.sqrt() * f32x4::splat(TOLERANCE), lowest * lowest / square]
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
