//! Which triangles of a surface a proof must look at.

use super::Surface;
use crate::pair::planes::{HEIGHT_ERROR, LANES};
use wide::f32x8;

impl Surface {
    /// All triangles that may be nearer to zero than this, in units; the others are proved not to be.
    #[inline]
    pub fn nearer_than(&self, distance: f64) -> Near<'_> {
        let limit = distance as f32 + HEIGHT_ERROR;
        let squares = &self.square.as_chunks().0[..self.used.div_ceil(LANES)];
        Near { squares, limit: f32x8::splat(limit * limit), block: 0, bits: 0 }
    }
}

/// Places of triangles below a height, in order.
pub(in crate::pair) struct Near<'s> {
    squares: &'s [[f32; LANES]],
    limit: f32x8,
    block: usize,
    bits: u32,
}

impl Iterator for Near<'_> {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        while self.bits == 0 {
            let &squares = self.squares.get(self.block)?;
            self.bits = f32x8::new(squares).simd_lt(self.limit).to_bitmask();
            self.block += 1;
        }
        let lane = self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        Some(((self.block - 1) * LANES) as u8 + lane as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::super::GONE;
    use super::super::tests::{TETRAHEDRON, corner};
    use super::*;
    use crate::math::Random;
    use crate::shape::sample::random_direction;

    #[test]
    fn the_nearest_triangle_is_named() {
        let mut surface = Surface::default();
        surface.start(TETRAHEDRON.map(corner));
        let mut random = Random::new(4);
        for _ in 0..20 {
            let normal = surface.normal(surface.nearest()).normalize();
            let least = surface.live().map(|place| surface.square[usize::from(place)]).fold(GONE, f32::min);
            let square = surface.square[usize::from(surface.nearest())];
            assert!(square <= least * (1.0 + 1.0 / 16384.0));
            assert!(surface.nearer_than(f64::from(square).sqrt()).any(|place| place == surface.nearest()));
            let point = (normal + random_direction(&mut random) * 0.1).normalize() * 0.9;
            surface.expand(corner(point)).expect("room");
        }
    }
}
