//! The triangles in a region of one body.

use super::Tree;
use super::node::{Child, LocalBox, Node, WIDTH};
use crate::Aabb;
use wide::{f32x4, f32x8};

/// Farther from the origin of the frame than any point of the mesh.
const OUTSIDE: f32x4 = f32x4::new([4.0; 4]);

impl Tree {
    /// Calls `visit` for every triangle whose box meets a box in the frame of the body; others near it may come as
    /// well. The box may reach to infinity. No allocation.
    pub fn visit(&self, within: Aabb, mut visit: impl FnMut(u32)) {
        let local = |point| self.frame.rounded(point).fast_max(-OUTSIDE).fast_min(OUTSIDE);
        let region = LocalBox::outward(local(within.min), local(within.max));
        self.visit_below(0, &region, &mut visit);
    }

    fn visit_below(&self, node: u32, region: &LocalBox, visit: &mut impl FnMut(u32)) {
        let node = &self.nodes[node as usize];
        let mut met = lanes_that_meet(node, region) & node.mask();
        while met != 0 {
            let lane = met.trailing_zeros() as usize;
            met &= met - 1;
            match node.child(lane) {
                Child::Node(below) => self.visit_below(below, region, visit),
                Child::Leaf { index, size } => {
                    let leaf = &self.leaves[index as usize];
                    leaf.triangles[..usize::from(size).min(WIDTH)]
                        .iter()
                        .for_each(|&triangle| visit(triangle));
                }
            }
        }
    }
}

#[inline]
fn lanes_that_meet(node: &Node, region: &LocalBox) -> u32 {
    (0..3).fold(u32::MAX, |met, axis| {
        let (low, high) = (f32x8::splat(region.low[axis]), f32x8::splat(region.high[axis]));
        met & node.low[axis].simd_le(high).to_bitmask() & node.high[axis].simd_ge(low).to_bitmask()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::shape::{Mesh, MeshConfig, TriangleSoup, sample};
    use glam::DVec3;

    fn torus(move_by: DVec3, scale: f64) -> Mesh {
        let mut soup: TriangleSoup = sample::torus(1.0, 0.3, 24, 12).unwrap();
        soup.positions.iter_mut().for_each(|p| *p = *p * scale + move_by);
        Mesh::build(&soup, &MeshConfig::default()).unwrap()
    }

    #[test]
    fn every_triangle_whose_box_meets_the_region_is_visited_once() {
        let mut random = Random::new(5);
        for (scale, by) in [(1.0, 0.0), (2f64.powi(-20), 0.0), (2f64.powi(20), 1e6), (1.0, 1e6)] {
            let mesh = torus(DVec3::splat(by), scale);
            let tree = Tree::build(&mesh);
            for case in 0..300 {
                let mut corner = || {
                    let along = sample::random_direction(&mut random);
                    DVec3::splat(by) + along * (random.range(0.0, 1.6) * scale)
                };
                let (p, q) = (corner(), corner());
                let mut within = Aabb { min: p.min(q), max: p.max(q) };
                if case % 5 == 0 {
                    within.max.x = f64::INFINITY;
                }
                if case % 7 == 0 {
                    within.min.z = f64::NEG_INFINITY;
                }
                let mut seen = vec![0; mesh.triangles().len()];
                tree.visit(within, |triangle| seen[triangle as usize] += 1);
                for (triangle, &count) in seen.iter().enumerate() {
                    let [a, b, c] = mesh.triangle(triangle);
                    let meets = within.meets(Aabb { min: a.min(b).min(c), max: a.max(b).max(c) });
                    assert!(count == 1 || (count == 0 && !meets), "{count} {meets} case {case}");
                }
            }
        }
    }
}
