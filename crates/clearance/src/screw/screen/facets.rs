//! What the screen asks of a body's shape in every step, found once: faces of up to four corners, and its edges.
//!
//! Two triangles of one plane that are convex together are one face, as in the paper: half as many face the other body or not, have
//! a box, and are compared with vertices.

use super::join::joined;
use crate::screw::surface::{NONE, Surface};
use glam::DVec3;

/// Triangles whose normals differ by less than this are one face, whatever their sides are called: an edge between them meets
/// nothing properly that does not meet a side of the face, or that has no vertex in it.
const FLAT: f64 = 1e-9;

/// A face of a body; or an edge or a vertex that belongs to none, which has no triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::screw) struct Facet {
    /// The third twice of a triangle.
    pub corners: [u32; 4],
    /// Side `k` joins corners `k` and `k + 1`.
    pub sides: [u32; 4],
    /// Of its corners 0, 1 and 2, and if there is another of 0, 2 and 3.
    pub triangles: [u32; 2],
}

impl Facet {
    /// Its triangles with their corners as numbers of its own.
    pub fn each_triangle(&self) -> impl Iterator<Item = (u32, [usize; 3])> + use<> {
        self.triangles.into_iter().zip([[0, 1, 2], [0, 2, 3]]).filter(|&(triangle, _)| triangle != NONE)
    }
}

/// Which way a face looks: while its body moves with the velocity `glide + spin x p`, its middle moves outward with
/// `normal . glide + moment . spin`, and no part of it does so faster or slower by more than `radius |spin|`.
#[derive(Clone, Copy, Debug)]
pub(in crate::screw) struct Plane {
    /// Unit length.
    pub normal: DVec3,
    pub moment: DVec3,
    pub radius: f64,
    /// Zero, or infinite if both sides are outside: it always looks at the other body.
    pub bias: f64,
}

/// An edge, or a side between two faces of one plane.
#[derive(Clone, Copy, Debug)]
pub(in crate::screw) struct Side {
    pub ends: [u32; 2],
    pub length_squared: f64,
    /// The squared sine between both faces if they make a hollow, infinite if they lie in a plane: nothing proper meets a side for
    /// which this is large. Negative at a ridge of a solid, and zero if it is none of these.
    pub hollow: f64,
}

/// Faces and sides of a body.
#[derive(Clone, Debug)]
pub(in crate::screw) struct Facets {
    /// In the order of the tree.
    pub facets: Vec<Facet>,
    pub planes: Vec<Plane>,
    /// Edges by their numbers, then sides inside of faces; the last one is none.
    pub sides: Vec<Side>,
    /// The face that a cell belongs to.
    pub of_cell: Vec<u32>,
    /// Directions of edges from each vertex, but for those inside of faces, one vertex after the other.
    spokes: Vec<DVec3>,
    first_spokes: Vec<u32>,
    /// No vertex is farther from the origin, along all axes.
    pub reach: f64,
}

impl Facets {
    /// `O(n)` but for a sort of sides inside of faces.
    pub fn new(surface: &Surface) -> Facets {
        let mut sides: Vec<Side> = (0..surface.edges.len() as u32).map(|e| side(surface, e)).collect();
        let inner = inner_sides(surface);
        let first_inner = sides.len() as u32;
        sides.extend(inner.iter().map(|&ends| Side {
            ends,
            length_squared: length_squared(surface, ends),
            hollow: f64::INFINITY,
        }));
        let none = sides.len() as u32;
        sides.push(Side { ends: [0; 2], length_squared: 0.0, hollow: f64::INFINITY });
        let number = |edge: u32, ends: [u32; 2]| match edge {
            NONE => inner.binary_search(&sorted(ends)).map_or(none, |at| first_inner + at as u32),
            edge => edge,
        };
        let partners = joined(surface, &sides);
        let mut of_triangle = vec![NONE; surface.triangles.len()];
        let (mut facets, mut of_cell) = (Vec::new(), Vec::with_capacity(surface.cells.len()));
        for cell in &surface.cells {
            let known = of_triangle.get(cell.triangle as usize).copied().unwrap_or(NONE);
            if known != NONE {
                of_cell.push(known);
                continue;
            }
            let own = facets.len() as u32;
            of_cell.push(own);
            let Some(&partner) = partners.get(cell.triangle as usize) else {
                let sides = cell.edges.map(|edge| if edge == NONE { none } else { edge });
                let [a, b, c] = cell.corners;
                facets.push(Facet {
                    corners: [a, b, c, c],
                    sides: [sides[0], none, none, none],
                    triangles: [NONE; 2],
                });
                continue;
            };
            of_triangle[cell.triangle as usize] = own;
            if let Some(other) = of_triangle.get_mut(partner as usize) {
                *other = own;
            }
            facets.push(facet(surface, [cell.triangle, partner], none, number));
        }
        let planes = facets.iter().map(|facet| plane(surface, facet)).collect();
        let reach = surface.positions.iter().map(|p| p.abs().element_sum()).fold(0.0, f64::max);
        let (spokes, first_spokes) = spokes(surface, &sides);
        Facets { facets, planes, sides, of_cell, spokes, first_spokes, reach }
    }

    /// Directions of edges from a vertex, unit length. Those inside of faces, which are nowhere lower than the others, are left out.
    #[inline(always)]
    pub fn spokes(&self, vertex: u32) -> &[DVec3] {
        let [first, last] = [vertex, vertex + 1].map(|v| self.first_spokes[v as usize] as usize);
        &self.spokes[first..last]
    }
}

/// A triangle, and another one if there is one.
fn facet(surface: &Surface, triangles: [u32; 2], none: u32, number: impl Fn(u32, [u32; 2]) -> u32) -> Facet {
    let first = &surface.triangles[triangles[0] as usize];
    let side = |t: u32, k: usize| {
        let triangle = &surface.triangles[t as usize];
        number(triangle.edges[k], [triangle.corners[k], triangle.corners[(k + 1) % 3]])
    };
    let Some(second) = surface.triangles.get(triangles[1] as usize) else {
        let [a, b, c] = first.corners;
        let [x, y, z] = [0, 1, 2].map(|k| side(triangles[0], k));
        return Facet { corners: [a, b, c, c], sides: [x, y, none, z], triangles };
    };
    // Turned until the side that both have is the last one of the first and the first one of the second.
    let start = (0..3).find(|&k| !second.corners.contains(&first.corners[(k + 1) % 3])).unwrap_or(0);
    let other = (0..3).find(|&k| second.corners[k] == first.corners[start]).unwrap_or(0);
    let own = |k: usize| (start + k) % 3;
    let its = |k: usize| (other + k) % 3;
    Facet {
        corners: [
            first.corners[own(0)],
            first.corners[own(1)],
            first.corners[own(2)],
            second.corners[its(2)],
        ],
        sides: [
            side(triangles[0], own(0)),
            side(triangles[0], own(1)),
            side(triangles[1], its(1)),
            side(triangles[1], its(2)),
        ],
        triangles,
    }
}

fn plane(surface: &Surface, facet: &Facet) -> Plane {
    let corners = facet.corners.map(|v| surface.positions[v as usize]);
    let [p, q, s, t] = corners;
    let middle = 0.25 * p + 0.25 * q + 0.25 * s + 0.25 * t;
    let Some(triangle) = surface.triangles.get(facet.triangles[0] as usize) else {
        return Plane { normal: DVec3::ZERO, moment: DVec3::ZERO, radius: 0.0, bias: f64::INFINITY };
    };
    let normal = (q - p).cross(s - p).normalize_or_zero();
    let radius = corners.map(|corner| (corner - middle).length()).into_iter().fold(0.0, f64::max);
    let bias = if triangle.is_two_sided { f64::INFINITY } else { 0.0 };
    Plane { normal, moment: middle.cross(normal), radius: radius * (1.0 + 1e-9), bias }
}

fn side(surface: &Surface, edge: u32) -> Side {
    let ends = surface.edges[edge as usize];
    Side { ends, length_squared: length_squared(surface, ends), hollow: hollow(surface, edge) }
}

fn length_squared(surface: &Surface, [v, w]: [u32; 2]) -> f64 {
    (surface.positions[w as usize] - surface.positions[v as usize]).length_squared()
}

fn sorted([v, w]: [u32; 2]) -> [u32; 2] {
    if v < w { [v, w] } else { [w, v] }
}

fn spokes(surface: &Surface, sides: &[Side]) -> (Vec<DVec3>, Vec<u32>) {
    let (mut spokes, mut first) = (Vec::new(), vec![0]);
    for vertex in 0..surface.positions.len() as u32 {
        let edges =
            surface.edges_at_vertex.of(vertex).iter().filter(|&&e| sides[e as usize].hollow.is_finite());
        spokes.extend(edges.map(|&edge| {
            let along = surface.normals.edges[edge as usize].along;
            if surface.edges[edge as usize][0] == vertex { along } else { -along }
        }));
        first.push(spokes.len() as u32);
    }
    (spokes, first)
}

/// Sides of triangles inside faces of polytopes, once each.
fn inner_sides(surface: &Surface) -> Vec<[u32; 2]> {
    let sides = surface.triangles.iter().flat_map(|triangle| {
        let ends = |k: usize| sorted([triangle.corners[k], triangle.corners[(k + 1) % 3]]);
        (0..3).filter(|&k| triangle.edges[k] == NONE).map(ends)
    });
    let mut sides: Vec<[u32; 2]> = sides.collect();
    sides.sort_unstable();
    sides.dedup();
    sides
}

/// As that of a [`Side`]: of edges between two triangles of a solid; others may be rims, whatever their normals are.
fn hollow(surface: &Surface, edge: u32) -> f64 {
    let &[first, second] = surface.triangles_at_edge.of(edge) else { return 0.0 };
    let triangles = [first, second].map(|t| &surface.triangles[t as usize]);
    if triangles.iter().any(|triangle| triangle.is_two_sided) {
        return 0.0;
    }
    let ends = surface.edges[edge as usize];
    let [x, y] = triangles.map(|triangle| {
        let [p, q, s] = triangle.corners.map(|v| surface.positions[v as usize]);
        (q - p).cross(s - p)
    });
    let third = triangles[1].corners.into_iter().find(|v| !ends.contains(v)).unwrap_or(ends[0]);
    // The third corner over the plane of the other triangle: as a sine between both, times lengths.
    let height = x.dot(surface.positions[third as usize] - surface.positions[ends[0] as usize]);
    let square = height * height * length_squared(surface, ends);
    let size = x.length_squared() * y.length_squared();
    let is_flat = square <= FLAT * FLAT * size && x.dot(y) > 0.0;
    match () {
        () if is_flat => f64::INFINITY,
        () if height > 0.0 => square / size,
        () => -square / size,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::shape::{Mesh, MeshConfig, Shape, TriangleSoup, sample};

    fn surface(soup: &TriangleSoup) -> Surface {
        let mesh = Mesh::build(soup, &MeshConfig::default()).unwrap();
        Surface::new(&Body::try_from(&Shape::from(mesh)).unwrap()).unwrap()
    }

    /// Every triangle is in one face, with its corners in their order, and all sides are what they join.
    fn check(surface: &Surface) -> Facets {
        let facets = Facets::new(surface);
        let mut seen = vec![0; surface.triangles.len()];
        for facet in &facets.facets {
            for (triangle, corners) in facet.each_triangle() {
                seen[triangle as usize] += 1;
                let mut own = surface.triangles[triangle as usize].corners;
                let first = own.iter().position(|&v| v == facet.corners[corners[0]]).unwrap();
                own.rotate_left(first);
                assert_eq!(own, corners.map(|k| facet.corners[k]));
            }
            for (k, &side) in
                facet.sides.iter().enumerate().filter(|&(_, &s)| s as usize + 1 < facets.sides.len())
            {
                let ends = [facet.corners[k], facet.corners[(k + 1) % 4]];
                assert_eq!(facets.sides[side as usize].ends, sorted(ends));
            }
        }
        assert!(seen.iter().all(|&count| count == 1));
        assert_eq!(facets.of_cell.len(), surface.cells.len());
        facets
    }

    #[test]
    fn rectangles_are_one_face_each() {
        let torus = surface(&sample::rectangle_torus().to_soup());
        let facets = check(&torus);
        assert_eq!((torus.triangles.len(), facets.facets.len()), (600, 300));
        assert!(facets.facets.iter().all(|facet| facet.triangles[1] != NONE));
        // Diagonals lie in planes; outside a torus is convex, and its inner half is hollow along one way.
        assert_eq!(facets.sides.iter().filter(|side| side.hollow == f64::INFINITY).count(), 301);
        let cube = check(&surface(&sample::cube(1.0).to_soup()));
        assert_eq!((cube.facets.len(), cube.sides.len()), (6, 12 + 6 + 1));
        assert!(cube.sides[..12].iter().all(|side| side.hollow < 0.0 && side.length_squared == 1.0));
        // Twelve polygons: two of six corners and ten of four.
        let car = check(&surface(&sample::car().to_soup()));
        assert!((14..=16).contains(&car.facets.len()), "{}", car.facets.len());
        let round = surface(&sample::icosphere(1.0, 3).unwrap());
        assert_eq!(check(&round).facets.len(), round.triangles.len());
    }
}
