//! Meshes from the definitions: every pair is looked at, nothing is sorted or hashed.

use super::compare::same;
use super::signs;
use crate::exact::Sign;
use crate::math::Random;
use crate::shape::{Defects, Mesh, MeshConfig, MeshError, MeshKind, TriangleSoup, Weld};
use glam::DVec3;
use std::collections::BTreeMap;

/// The first position equal to each.
pub fn equal_leaders(positions: &[DVec3]) -> Vec<usize> {
    let first = |p: &DVec3| positions.iter().position(|q| q == p).unwrap_or(0);
    positions.iter().map(first).collect()
}

/// The first position that a chain of steps of at most `distance` leads to from each.
pub fn near_leaders(positions: &[DVec3], distance: f64) -> Vec<usize> {
    let mut leaders: Vec<usize> = (0..positions.len()).collect();
    settle(&mut leaders, |i, j| ((positions[i] - positions[j]) / distance).length_squared() <= 1.0);
    leaders
}

/// The triangles of each edge, the edge as its vertices in increasing order.
pub fn edges(triangles: &[[u32; 3]]) -> BTreeMap<[u32; 2], Vec<u32>> {
    let mut edges: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
    for (t, &[a, b, c]) in triangles.iter().enumerate() {
        for [p, q] in [[a, b], [b, c], [c, a]] {
            edges.entry([p.min(q), p.max(q)]).or_default().push(t as u32);
        }
    }
    edges
}

/// The first triangle of each triangle's component.
pub fn components(triangles: &[[u32; 3]]) -> Vec<usize> {
    let mut labels: Vec<usize> = (0..triangles.len()).collect();
    settle(&mut labels, |i, j| triangles[i].iter().filter(|v| triangles[j].contains(v)).count() >= 2);
    labels
}

/// Lowers labels across linked pairs until nothing changes.
fn settle(labels: &mut [usize], linked: impl Fn(usize, usize) -> bool) {
    let mut changed = true;
    while changed {
        changed = false;
        for i in 0..labels.len() {
            for j in 0..labels.len() {
                if labels[j] < labels[i] && linked(i, j) {
                    labels[i] = labels[j];
                    changed = true;
                }
            }
        }
    }
}

/// Whether a triangle has no area.
pub fn is_flat(corners: [DVec3; 3]) -> bool {
    let [a, b, c] = corners.map(signs::exact);
    let normal = signs::cross(&signs::minus(&b, &a), &signs::minus(&c, &a));
    normal.iter().all(|x| x.sign() == Sign::Zero)
}

/// The winding number by solid angles in floats, right for points not close to a triangle.
pub fn winding(point: DVec3, triangles: impl IntoIterator<Item = [DVec3; 3]>) -> i64 {
    let angle = |corners: [DVec3; 3]| {
        let [a, b, c] = corners.map(|p| p - point);
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        2.0 * a.dot(b.cross(c)).atan2(below)
    };
    (triangles.into_iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)).round() as i64
}

/// The corners of all triangles of a soup.
pub fn corners(soup: &TriangleSoup) -> Vec<[DVec3; 3]> {
    soup.triangles.iter().map(|t| t.map(|p| soup.positions[p as usize])).collect()
}

/// A point of a lattice with three points a side, at one of several scales and places; every step is exact.
struct Lattice {
    scale: f64,
    offset: f64,
}

impl Lattice {
    fn any(random: &mut Random) -> Lattice {
        let scale = 2f64.powi(random.below(3) as i32 * 20 - 20);
        Lattice { scale, offset: [0.0, 0.0, 1e6, -1.0][random.below(4) as usize] * scale }
    }

    fn point(&self, random: &mut Random) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| {
            let x = self.offset + random.below(3) as f64 * self.scale;
            if x == 0.0 && random.below(2) == 0 { -0.0 } else { x }
        }))
    }
}

/// Few positions, many of them equal, and triangles at random: every defect, often.
fn random_soup(random: &mut Random) -> TriangleSoup {
    let lattice = Lattice::any(random);
    let positions: Vec<_> = (0..3 + random.below(10)).map(|_| lattice.point(random)).collect();
    let corner = |random: &mut Random| random.below(positions.len() as u64) as u32;
    let triangles = (0..1 + random.below(14)).map(|_| std::array::from_fn(|_| corner(random))).collect();
    TriangleSoup { positions, triangles, parts: vec![] }
}

/// The faces of random tetrahedra with corners on a small lattice, each facing either way: closed whatever happens,
/// with flat, duplicate, opposite and crossing triangles.
fn closed_soup(random: &mut Random) -> TriangleSoup {
    let lattice = Lattice::any(random);
    let mut soup = TriangleSoup::default();
    for _ in 0..1 + random.below(5) {
        let first = soup.positions.len() as u32;
        soup.positions.extend((0..4).map(|_| lattice.point(random)));
        let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        soup.triangles.extend(faces.map(|face: [u32; 3]| face.map(|corner| first + corner)));
    }
    soup
}

/// A built mesh lists what the oracle finds in its soup, and its edges and components are the oracle's.
pub fn findings(random: &mut Random) -> Result<(), String> {
    let soup = random_soup(random);
    let tell = || format!("{soup:?}");
    let flat: Vec<_> = corners(&soup).into_iter().map(is_flat).collect();
    let mesh = match Mesh::build(&soup, &MeshConfig::default()) {
        Ok(mesh) => mesh,
        Err(error) => return same(error, MeshError::OnlyDegenerate { triangles: flat.len() }, tell),
    };
    same(mesh.validate(), Ok(()), tell)?;
    let report = mesh.report();
    same(report.degenerate.count, flat.iter().filter(|&&flat| flat).count(), tell)?;
    let used: Vec<_> = (0..soup.positions.len())
        .map(|p| soup.triangles.iter().flatten().any(|&q| q as usize == p))
        .collect();
    same(report.unused.count, used.iter().filter(|&&used| !used).count(), tell)?;
    let used_positions: Vec<_> = (0..used.len()).filter(|&p| used[p]).map(|p| soup.positions[p]).collect();
    let leaders = equal_leaders(&used_positions);
    same(report.welded.count, (0..leaders.len()).filter(|&i| leaders[i] != i).count(), tell)?;
    compare_topology(&mesh, tell)?;
    compare_triangles(&soup, &flat, &mesh, tell)?;
    compare_choices(&soup, &mesh, tell)
}

fn compare_topology(mesh: &Mesh, tell: impl Fn() -> String + Copy) -> Result<(), String> {
    let got: BTreeMap<_, _> =
        (0..mesh.edge_count()).map(|e| (mesh.edge(e), mesh.edge_triangles(e).to_vec())).collect();
    let edges = edges(mesh.triangles());
    same(&got, &edges, tell)?;
    same(mesh.edge_count(), edges.len(), tell)?;
    let open = edges.values().filter(|triangles| triangles.len() % 2 == 1).count();
    same(mesh.report().open_edges.count, open, tell)?;
    let leaders = components(mesh.triangles());
    let first: Vec<_> = mesh.components().map(|triangles| triangles[0] as usize).collect();
    let got: Vec<_> = (0..mesh.triangles().len()).map(|t| first[mesh.component_of(t) as usize]).collect();
    same(got, leaders, tell)
}

/// Each triangle comes from its source, and no triangle with area is lost.
fn compare_triangles(
    soup: &TriangleSoup,
    flat: &[bool],
    mesh: &Mesh,
    tell: impl Fn() -> String + Copy,
) -> Result<(), String> {
    let sorted = |corners: [DVec3; 3]| {
        // Adding zero makes negative zeros positive, so that equal positions have equal keys.
        let mut keys = corners.map(|p| (p + DVec3::ZERO).to_array().map(f64::to_bits));
        keys.sort_unstable();
        keys
    };
    let input = corners(soup);
    let split = |source: usize| mesh.report().split.examples.contains(&(source as u32));
    let built: Vec<_> = (0..mesh.triangles().len()).map(|t| sorted(mesh.triangle(t))).collect();
    for (t, key) in built.iter().enumerate() {
        let source = mesh.source_triangle(t);
        same(split(source) || *key == sorted(input[source]), true, tell)?;
    }
    for source in (0..input.len()).filter(|&source| !flat[source] && !split(source)) {
        same(built.contains(&sorted(input[source])), true, tell)?;
    }
    let mut distinct = built.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let copies = built.len() - distinct.len();
    same(copies, mesh.report().duplicate_kept.count, tell)?;
    same(mesh.kind() == MeshKind::Solid || copies == 0, true, tell)
}

/// Refusing refuses exactly what repairing would mend, and a built mesh builds itself.
fn compare_choices(soup: &TriangleSoup, mesh: &Mesh, tell: impl Fn() -> String + Copy) -> Result<(), String> {
    let strict = MeshConfig { defects: Defects::Refuse, ..MeshConfig::default() };
    match Mesh::build(soup, &strict) {
        Ok(same_mesh) => same(mesh.report().is_clean() && same_mesh == *mesh, true, tell)?,
        Err(error) => same(error, MeshError::Defects { report: Box::new(mesh.report().clone()) }, tell)?,
    }
    let again = Mesh::build(&mesh.to_soup(), &MeshConfig::default())
        .map_err(|error| format!("{error} for {}", tell()))?;
    same(again.triangles(), mesh.triangles(), tell)?;
    same(again.positions(), mesh.positions(), tell)?;
    same(again.kind(), mesh.kind(), tell)
}

/// Closed triangles give a closed mesh, with the same winding numbers unless something was turned or given twice.
pub fn closed_stays_closed(random: &mut Random) -> Result<(), String> {
    let soup = closed_soup(random);
    let tell = || format!("{soup:?}");
    let Ok(mesh) = Mesh::build(&soup, &MeshConfig::default()) else {
        return same(corners(&soup).into_iter().all(is_flat), true, tell);
    };
    same(mesh.validate(), Ok(()), tell)?;
    if mesh.kind() == MeshKind::Surface {
        // Only sheets given from both sides and pancakes: nothing is inside.
        return same(winding_somewhere(&soup, random, 20), false, tell);
    }
    same((mesh.report().closed, mesh.report().consistently_oriented), (true, true), tell)?;
    if mesh.report().flipped.is_empty() && mesh.report().duplicate.is_empty() {
        for point in generic_points(mesh.bounds(), random, 5) {
            same(winding(point, corners(&mesh.to_soup())), winding(point, corners(&soup)), tell)?;
        }
    }
    Ok(())
}

fn winding_somewhere(soup: &TriangleSoup, random: &mut Random, tries: usize) -> bool {
    let Some(bounds) = crate::Aabb::around(soup.positions.iter().copied()) else { return false };
    generic_points(bounds, random, tries).into_iter().any(|point| winding(point, corners(soup)) != 0)
}

/// Points in and around a box; none lies on a lattice plane except by a chance of less than `2^-30`.
fn generic_points(bounds: crate::Aabb, random: &mut Random, count: usize) -> Vec<DVec3> {
    let margin = 0.25 * bounds.extent().max_element();
    let near =
        |random: &mut Random, axis: usize| random.range(bounds.min[axis] - margin, bounds.max[axis] + margin);
    (0..count).map(|_| DVec3::from_array(std::array::from_fn(|axis| near(random, axis)))).collect()
}

/// Welding within a distance gives the oracle's clusters.
pub fn welding(random: &mut Random) -> Result<(), String> {
    let scale = 2f64.powi(random.below(3) as i32 * 20 - 20);
    let spread = [1.0, 30.0, 1e12][random.below(3) as usize];
    let offset = [0.0, 1e6][random.below(2) as usize] * scale;
    let coordinate = |random: &mut Random| {
        let cell = (random.below(3) as f64) * spread;
        offset + scale * (cell + [random.range(0.0, 4.0), random.below(4) as f64][random.below(2) as usize])
    };
    let count = 3 * (1 + random.below(12)) as u32;
    let positions: Vec<_> =
        (0..count).map(|_| DVec3::from_array(std::array::from_fn(|_| coordinate(random)))).collect();
    let triangles = (0..count / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let soup = TriangleSoup { positions, triangles, parts: vec![] };
    let distance = scale * [1.0, 0.5, 1e-9, 3.0][random.below(4) as usize];
    let leaders = near_leaders(&soup.positions, distance);
    let tell = || format!("{distance} {soup:?}");
    let config = MeshConfig { weld: Weld::Within(distance), ..MeshConfig::default() };
    let merged = |i: usize| soup.triangles[i].map(|p| soup.positions[leaders[p as usize]]);
    let expected = (0..soup.triangles.len()).filter(|&i| is_flat(merged(i))).count();
    match Mesh::build(&soup, &config) {
        Ok(mesh) => {
            same(mesh.validate(), Ok(()), tell)?;
            let moved = (0..leaders.len()).filter(|&i| leaders[i] != i).count();
            same(mesh.report().welded.count, moved, tell)?;
            same(mesh.report().degenerate.count, expected, tell)?;
            let from_leader =
                (0..mesh.positions().len()).all(|v| leaders[mesh.source_vertex(v)] == mesh.source_vertex(v));
            same(from_leader, true, tell)
        }
        Err(error) => same(error, MeshError::OnlyDegenerate { triangles: expected }, tell),
    }
}
