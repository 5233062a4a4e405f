//! The vertex of one solid that is deepest inside another, by boxes of vertices.
//!
//! Distances from triangles change by no more than the way from point to point. So if some triangle is near to the centre of a
//! box, no vertex of the box is deep; and if none is as near as the box reaches, all its vertices are inside or all outside, as
//! the centre is. Both questions end at the first triangle that answers them.

use super::nearest::{is_farther, is_nearer, nearest};
use super::penetration::LocalDepth;
use super::tree_mesh::TreeMesh;
use crate::Aabb;
use crate::exact::Posed;
use crate::math::Pose;
use crate::pair::PointLocation;
use crate::solid;
use crate::witness::Side;
use glam::DVec3;
use std::ops::Range;

/// Boxes of so many vertices are not split.
const FEW: usize = 4;

/// So many vertices are looked at first: what is known then keeps most boxes closed.
const FIRST: usize = 64;

/// More than lengths and sums of lengths round by.
const STRETCH: f64 = 1.0 + 1e-12;

/// A search for the deepest vertex.
struct Search<'a> {
    own: (&'a TreeMesh, &'a Pose),
    other: (&'a TreeMesh, &'a Pose),
    side: Side,
    /// How far rounded images may lie from exact ones.
    error: f64,
    /// Vertices that may be inside, with their rounded images; boxes are runs of them.
    vertices: Vec<(u32, DVec3)>,
    best: Option<LocalDepth>,
}

/// The vertex of the first body that is deepest inside the second, if one is; it lies in a box. The first of equal ones.
pub(super) fn deepest(
    side: Side,
    [own, other]: [(&TreeMesh, &Pose); 2],
    common: Aabb,
    error: f64,
) -> Option<LocalDepth> {
    let images = own.0.mesh().positions().iter().map(|&point| own.1.apply(point));
    let vertices: Vec<(u32, DVec3)> = (0..).zip(images).filter(|&(_, at)| common.contains(at)).collect();
    let all = 0..vertices.len();
    let mut search = Search { own, other, side, error, vertices, best: None };
    all.clone().step_by(1 + all.len() / FIRST).for_each(|index| search.look(index));
    search.open(all);
    search.best
}

impl Search<'_> {
    /// Whether some vertex is known to be deeper than all points within reach of one.
    fn is_shallow(&self, at: Posed<'_>, reach: f64) -> bool {
        let (mesh, pose) = self.other;
        let limit = self.best.map_or(0.0, |best| best.lower / STRETCH - reach);
        limit > 0.0 && is_nearer(mesh, pose, at, limit)
    }

    fn is_inside(&self, at: Posed<'_>) -> bool {
        let (mesh, pose) = self.other;
        solid::location(&mesh.at(pose), at) == PointLocation::Inside
    }

    /// Looks at the vertices of a box, unless all are outside or not deep enough; boxes of many are split across their longest
    /// side.
    fn open(&mut self, run: Range<usize>) {
        if run.len() <= FEW {
            return run.for_each(|index| self.look(index));
        }
        let vertices = &mut self.vertices[run.clone()];
        let Some(bounds) = Aabb::around(vertices.iter().map(|&(_, point)| point)) else { return };
        let (center, (mesh, pose)) = (bounds.center(), self.other);
        let half = (bounds.max - center).max(center - bounds.min);
        let reach = (half.length() + self.error + f64::MIN_POSITIVE) * STRETCH;
        let at = Pose::IDENTITY.at(center);
        if self.is_shallow(at, reach) || is_farther(mesh, pose, at, reach) && !self.is_inside(at) {
            return;
        }
        let (axis, middle) = (bounds.extent().max_position(), run.len() / 2);
        let vertices = &mut self.vertices[run.clone()];
        vertices.select_nth_unstable_by(middle, |x, y| x.1[axis].total_cmp(&y.1[axis]).then(x.0.cmp(&y.0)));
        self.open(run.start..run.start + middle);
        self.open(run.start + middle..run.end);
    }

    fn look(&mut self, index: usize) {
        let (vertex, vertex_point) = self.vertices[index];
        let at = self.own.1.at(self.own.0.mesh().positions()[vertex as usize]);
        if self.is_shallow(at, 0.0) || !self.is_inside(at) {
            return;
        }
        let found = nearest(self.other.0, self.other.1, at);
        let found = LocalDepth {
            lower: found.lower,
            upper: found.upper,
            side: self.side,
            vertex,
            vertex_point,
            surface_point: found.point,
            triangle: found.triangle,
        };
        self.best = Some(match self.best {
            None => found,
            Some(best) => {
                let is_better = (found.lower, best.vertex) > (best.lower, found.vertex);
                let (lower, upper) = (best.lower.max(found.lower), best.upper.max(found.upper));
                LocalDepth { lower, upper, ..if is_better { found } else { best } }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::shape::{Mesh, MeshConfig, TriangleSoup, sample};

    /// Looks at every vertex.
    fn brute(own: (&TreeMesh, &Pose), (mesh, pose): (&TreeMesh, &Pose)) -> Option<(f64, f64)> {
        let depths = own.0.mesh().positions().iter().filter_map(|&point| {
            let at = own.1.at(point);
            let is_inside = solid::location(&mesh.at(pose), at) == PointLocation::Inside;
            is_inside.then(|| nearest(mesh, pose, at)).map(|found| (found.lower, found.upper))
        });
        depths.reduce(|x, y| (x.0.max(y.0), x.1.max(y.1)))
    }

    fn meshes(scale: f64) -> Vec<TreeMesh> {
        let soups =
            [sample::torus(1.0, 0.25, 20, 9), sample::icosphere(0.8, 3), sample::torus(0.5, 0.4, 7, 5)];
        let grown = |soup: TriangleSoup| {
            let positions = soup.positions.iter().map(|&point| point * scale).collect();
            TreeMesh::new(Mesh::build(&TriangleSoup { positions, ..soup }, &MeshConfig::default()).unwrap())
        };
        soups.into_iter().map(|soup| grown(soup.unwrap())).collect()
    }

    #[test]
    fn the_deepest_vertex_is_that_of_a_look_at_all() {
        let mut random = Random::new(3);
        let (mut inside, everywhere) = (0, Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY });
        for scale in [2f64.powi(-20), 1.0, 2f64.powi(20)] {
            let meshes = meshes(scale);
            for case in 0..36 {
                let (own, other) = (&meshes[case % 3], &meshes[case / 3 % 3]);
                let axis = sample::random_direction(&mut random);
                let shift = sample::random_direction(&mut random) * scale * random.range(0.0, 1.2);
                let turned = Pose::from_axis_angle(axis, random.range(0.0, 3.0), shift).unwrap();
                let pose = if case < 9 { Pose::IDENTITY } else { turned };
                let pair = [(own, &pose), (other, &Pose::IDENTITY)];
                let found = deepest(Side::A, pair, everywhere, 1e-14 * scale);
                let wanted = brute(pair[0], pair[1]);
                assert_eq!(found.map(|depth| (depth.lower, depth.upper)), wanted, "{case} {scale}");
                inside += usize::from(wanted.is_some());
            }
        }
        assert!(inside > 30, "{inside}");
    }
}
