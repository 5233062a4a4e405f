//! How a surface begins, and how it is known to wind around zero.

use super::{ALL_FREE, Corner, Surface, TRIANGLES, edge};
use crate::pair::planes::{GONE, LANES, LEAST_VOLUME, MADE, arrays, named, names, planes_of};
use wide::{f32x4, f32x8};

/// The names of the first places.
static FIRST_NAMES: [[f32; MADE]; 2] = names(0);

/// The sides of an octahedron whose corners are the ends of three axes in turn.
const OCTAHEDRON: [[[u8; 3]; MADE]; 2] =
    [[[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4]], [[2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]];

impl Surface {
    /// A tetrahedron; whether zero is below all of its sides, by more than rounding.
    #[inline(always)]
    pub fn start(&mut self, corners: [Corner; 4]) -> bool {
        let [a, b, c, d] = corners.map(|corner| corner.point);
        let is_outward = (b - a).cross(c - a).dot(d - a) < 0.0;
        let [a, b] = if is_outward { [0, 1] } else { [1, 0] };
        self.put_all(corners, [[[a, b, 2], [b, a, 3], [2, b, 3], [a, 2, 3]]])
    }

    /// An octahedron, from the ends of three right-handed axes in turn, the positive one first; zero anywhere.
    #[inline(always)]
    pub fn start_anywhere(&mut self, corners: [Corner; 6]) {
        self.put_all(corners, OCTAHEDRON);
    }

    /// The first corners, and all triangles between them.
    #[inline(always)]
    fn put_all<const COUNT: usize, const GROUPS: usize>(
        &mut self,
        corners: [Corner; COUNT],
        groups: [[[u8; 3]; MADE]; GROUPS],
    ) -> bool {
        self.corner_count = 0;
        for corner in corners {
            self.push(corner);
        }
        let blocks = self.used.div_ceil(LANES);
        self.limit.as_chunks_mut().0[..blocks].fill([GONE; LANES]);
        self.square.as_chunks_mut().0[..blocks].fill([GONE; LANES]);
        self.used = MADE * GROUPS;
        self.free = ALL_FREE;
        self.free_count = TRIANGLES - self.used;
        let mut least = f32x4::splat(GONE);
        for (group, sides) in groups.into_iter().enumerate() {
            let lanes = |corner: usize| self.transposed(sides.map(|side| side[corner]));
            let made = planes_of(lanes(0), lanes(1), lanes(2));
            least = least.fast_min(named(made[4], FIRST_NAMES[group]));
            let all = [&mut self.x, &mut self.y, &mut self.z, &mut self.limit, &mut self.square];
            for (all, made) in all.into_iter().zip(arrays(made)) {
                all.as_chunks_mut().0[group] = made;
            }
            for (lane, [from, to, apex]) in sides.into_iter().enumerate() {
                self.join((MADE * group + lane) as u8, edge(from, to), apex);
            }
        }
        self.is_around = false;
        self.find_nearest(least)
    }

    /// Whether zero sees every triangle from its inner side by more than rounding: then each covers a positive angle of what zero
    /// sees, and a closed surface covers all of it once for every time that it winds around zero.
    pub(super) fn is_oriented(&self) -> bool {
        (0..self.used.div_ceil(LANES)).all(|block| {
            let of = |all: &[f32; TRIANGLES]| f32x8::new(all.as_chunks().0[block]);
            let (x, y, z) = (of(&self.x), of(&self.y), of(&self.z));
            // The height of a triangle times the length of its normal is a volume.
            let volumes = (x * x + y * y + z * z) * of(&self.square);
            let is_gone = of(&self.limit).simd_ge(f32x8::splat(GONE));
            (volumes.simd_gt(f32x8::splat(LEAST_VOLUME * LEAST_VOLUME)) | is_gone).all()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{TETRAHEDRON, corner};
    use super::*;
    use glam::DVec3;

    #[test]
    fn a_tetrahedron_beside_zero_or_with_zero_on_its_side_is_not_around_it() {
        let mut surface = Surface::default();
        for shift in [DVec3::splat(0.5), DVec3::splat(0.2) / 3.0] {
            assert!(!surface.start(TETRAHEDRON.map(|p| corner(p + shift))));
            assert!(!surface.is_around());
        }
        assert!(!surface.start([TETRAHEDRON[0]; 4].map(corner)));
        assert!(!surface.is_around());
    }

    #[test]
    fn an_octahedron_is_around_zero_if_zero_is_inside() {
        let mut surface = Surface::default();
        let ends = DVec3::AXES.map(|axis| [corner(axis * 0.5), corner(axis * -0.5)]);
        let at = |shift: DVec3| ends.as_flattened().iter().map(move |end| corner(end.point + shift));
        for (shift, is_inside) in [(0.0, true), (0.16, true), (0.17, false), (0.4, false)] {
            let corners: Vec<Corner> = at(DVec3::splat(shift)).collect();
            surface.start_anywhere(corners.try_into().expect("six corners"));
            assert_eq!(surface.is_around(), is_inside, "{shift}");
        }
    }
}
