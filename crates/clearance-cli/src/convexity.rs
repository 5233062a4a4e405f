//! Whether a solid mesh is convex, decided exactly.

use clearance::{
    exact::{Sign, orient3d},
    shape::{Mesh, MeshKind, Polytope},
};

/// Whether the mesh fills exactly the convex hull of its vertices; `None` for a flat surface, where this is not decided.
///
/// A solid does when each of its triangles lies in a supporting plane of the hull: it then winds a constant
/// number of times around everything inside. By convexity a plane through a hull vertex supports the hull
/// when no neighbour of that vertex is outside. A surface of dimension 3 never does.
pub fn is_convex(mesh: &Mesh, hull: &Polytope) -> Option<bool> {
    if hull.dimension() < 3 {
        return None;
    }
    if mesh.kind() == MeshKind::Surface {
        return Some(false);
    }
    let mut hull_vertex = vec![None; mesh.positions().len()];
    for vertex in 0..hull.vertices().len() {
        hull_vertex[hull.original_index(vertex)] = Some(vertex);
    }
    Some(mesh.triangles().iter().all(|triangle| {
        let [a, b, c] = triangle.map(|i| mesh.positions()[i as usize]);
        let inside = |&v: &u32| orient3d(a, b, c, hull.vertices()[v as usize]) != Sign::Positive;
        match triangle.iter().find_map(|&i| hull_vertex[i as usize]) {
            Some(vertex) => hull.neighbours(vertex).iter().all(inside),
            None => (0..hull.vertices().len() as u32).all(|v| inside(&v)),
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearance::shape::{MeshConfig, TriangleSoup, sample};

    fn convex(soup: &TriangleSoup) -> Option<bool> {
        let mesh = Mesh::build(soup, &MeshConfig::default()).unwrap();
        is_convex(&mesh, &Polytope::hull(mesh.positions()).unwrap())
    }

    #[test]
    fn convex_bodies_are_and_others_are_not() {
        assert_eq!(convex(&sample::cube(1.0).to_soup()), Some(true));
        assert_eq!(convex(&sample::prism(7, 1.0, 3.0).unwrap()), Some(true));
        assert_eq!(convex(&sample::car().to_soup()), Some(false));
        assert_eq!(convex(&sample::torus(2.0, 1.0, 24, 12).unwrap()), Some(false));
        let polytope = sample::random_polytope(sample::PolytopeKind::Plate, 200, 3).unwrap();
        assert_eq!(convex(&polytope.to_soup()), Some(true));
    }

    #[test]
    fn one_vertex_pushed_in_by_one_ulp_is_seen() {
        // A cube whose top has a vertex in the middle.
        let mut soup = sample::cube(2.0).to_soup();
        let top = |t: &[u32; 3]| t.iter().all(|&i| soup.positions[i as usize].z > 0.0);
        let rim: Vec<[u32; 3]> = soup.triangles.iter().copied().filter(|t| top(t)).collect();
        soup.triangles.retain(|t| !rim.contains(t));
        let middle = soup.positions.len() as u32;
        soup.positions.push([0.0, 0.0, 1.0].into());
        // The square's border edges, fanned to the middle.
        let edges: Vec<[u32; 2]> = rim.iter().flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]]).collect();
        for &[i, j] in edges.iter().filter(|&&[i, j]| !edges.contains(&[j, i])) {
            soup.triangles.push([i, j, middle]);
        }
        assert_eq!(convex(&soup), Some(true), "the middle lies in the face");
        soup.positions[middle as usize].z = 1.0f64.next_down();
        assert_eq!(convex(&soup), Some(false));
        soup.positions[middle as usize].z = 1.0f64.next_up();
        assert_eq!(convex(&soup), Some(true));
    }

    #[test]
    fn two_cubes_apart_are_not_convex() {
        let one = sample::cube(1.0).to_soup();
        let mut both = one.clone();
        both.positions.extend(one.positions.iter().map(|&p| p + clearance::glam::DVec3::X * 5.0));
        both.triangles.extend(one.triangles.iter().map(|t| t.map(|i| i + one.positions.len() as u32)));
        assert_eq!(convex(&both), Some(false));
    }

    #[test]
    fn a_triangle_is_flat() {
        let soup = TriangleSoup {
            positions: vec![[0., 0., 0.].into(), [1., 0., 0.].into(), [0., 1., 0.].into()],
            triangles: vec![[0, 1, 2]],
            parts: vec![],
        };
        assert_eq!(convex(&soup), None);
    }
}
