//! Whether two meshes are one and the same, in the same place.

use super::tree_mesh::TreeMesh;
use crate::Aabb;
use crate::exact::{Posed, Vector};
use crate::math::Pose;
use glam::DVec3;
use rustc_hash::FxHashMap;

/// Whether two meshes under two poses are proved to have the same triangles: one to one, each corner within a tolerance of
/// the other's; exactly equal corners for a tolerance of zero. The order of vertices, corners and triangles does not matter, nor
/// does it which side is in front.
///
/// True is proved. False is exact for a tolerance of zero; for others, a vertex goes with the one nearest to it, and meshes
/// with vertices as close to each other as the tolerance may be missed. `O(n log n)`, less for meshes of different size.
pub fn have_same_triangles(a: &TreeMesh, pose_a: &Pose, b: &TreeMesh, pose_b: &Pose, tolerance: f64) -> bool {
    let (mesh_a, mesh_b) = (a.mesh(), b.mesh());
    if mesh_a.triangles().len() != mesh_b.triangles().len() {
        return false;
    }
    let Some(partner) = partners(mesh_a.positions(), pose_a, mesh_b.positions(), pose_b, tolerance) else {
        return false;
    };
    let sorted = |mut triangle: [u32; 3]| {
        triangle.sort_unstable();
        triangle
    };
    let mut of_a: Vec<[u32; 3]> =
        mesh_a.triangles().iter().map(|t| sorted(t.map(|vertex| partner[vertex as usize]))).collect();
    let mut of_b: Vec<[u32; 3]> = mesh_b.triangles().iter().map(|&t| sorted(t)).collect();
    of_a.sort_unstable();
    of_b.sort_unstable();
    of_a == of_b
}

/// Whether two sets of points under two poses are proved to be the same: one to one, each within a tolerance of the other,
/// or equal for a tolerance of zero. What [`have_same_triangles`] asks, for convex bodies by their vertices.
pub fn have_same_points(a: &[DVec3], pose_a: &Pose, b: &[DVec3], pose_b: &Pose, tolerance: f64) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let Some(mut partner) = partners(a, pose_a, b, pose_b, tolerance) else { return false };
    partner.sort_unstable();
    partner.windows(2).all(|pair| pair[0] != pair[1])
}

/// For each point of A the nearest of B, if all have one that is near enough.
fn partners(a: &[DVec3], pose_a: &Pose, b: &[DVec3], pose_b: &Pose, tolerance: f64) -> Option<Vec<u32>> {
    let [(images_a, error_a), (images_b, error_b)] =
        [(a, pose_a), (b, pose_b)].map(|(p, pose)| images(p, pose));
    let (box_a, box_b) = (Aabb::around(images_a.iter().copied())?, Aabb::around(images_b.iter().copied())?);
    let reach = tolerance + error_a + error_b;
    let is_near = |x: DVec3, y: DVec3| (x - y).abs().max_element() <= reach * 1.5;
    if tolerance.is_nan()
        || tolerance < 0.0
        || !is_near(box_a.min, box_b.min)
        || !is_near(box_a.max, box_b.max)
    {
        return None;
    }
    // Cells so large that near points are in the same or in neighbouring ones, and numbers of cells fit.
    let side = (2.0 * reach).max(1e-15 * box_b.extent().max_element()).max(f64::MIN_POSITIVE);
    let cell = |point: DVec3| ((point - box_b.min) / side).floor().to_array().map(|x| x as i64);
    let mut cells: FxHashMap<[i64; 3], Vec<u32>> = FxHashMap::default();
    for (index, &point) in (0..).zip(&images_b) {
        cells.entry(cell(point)).or_default().push(index);
    }
    let around =
        |[x, y, z]: [i64; 3]| (0..27).map(move |i| [x + i % 3 - 1, y + i / 3 % 3 - 1, z + i / 9 - 1]);
    let find = |(&point, &image): (&DVec3, &DVec3)| {
        let near = around(cell(image)).filter_map(|cell| cells.get(&cell)).flatten().copied();
        let gap = |index: u32| images_b[index as usize].distance(image);
        let proved = |&index: &u32| {
            let other = Posed { pose: pose_b, point: b[index as usize] };
            let exactly = || Vector::Between(Posed { pose: pose_a, point }, other).is_zero();
            gap(index) * (1.0 + 1e-15) + error_a + error_b <= tolerance
                || gap(index) <= error_a + error_b && exactly()
        };
        near.filter(proved).min_by(|&i, &j| gap(i).total_cmp(&gap(j)).then(i.cmp(&j)))
    };
    a.iter().zip(&images_a).map(find).collect()
}

/// Rounded images, and how far they may be from the exact ones.
fn images(points: &[DVec3], pose: &Pose) -> (Vec<DVec3>, f64) {
    let images: Vec<DVec3> = points.iter().map(|&point| pose.apply(point)).collect();
    let largest = points.iter().fold(DVec3::ZERO, |largest, point| largest.max(point.abs()));
    (images, 16.0 * f64::EPSILON * (largest + pose.translation().abs()).element_sum())
}
