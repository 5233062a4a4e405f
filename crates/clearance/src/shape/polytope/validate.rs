//! The proof that a polytope is one.

use super::{Polytope, PolytopeDefect};
use crate::exact::{Sign, orient2d, orient3d};
use crate::shape::hull::{PROJECTIONS, lexicographic};
use PolytopeDefect::*;
use rustc_hash::FxHashMap;

/// Which face lies to the left of a directed edge.
type FaceOfEdge = FxHashMap<[u32; 2], u32>;

impl Polytope {
    /// Proves with exact predicates that this is the boundary of a convex body of its dimension, or names a defect.
    ///
    /// For a solid: faces are planar, strictly convex polygons; each edge lies on exactly two of them, in opposite
    /// directions; neighbours agree with the faces; vertices are connected along edges; `V - E + F = 2`; and the
    /// faces around each vertex bound a strictly convex cone. A closed connected surface that is locally convex
    /// everywhere is the boundary of a convex body (`vanHeijenoort52`), so nothing needs to be compared with
    /// distant vertices. Flatter bodies: a strictly convex planar polygon with two opposite faces, two distinct
    /// points, one point. Expected `O(n)`, about twenty exact signs per vertex.
    ///
    /// # Errors
    /// The first defect found; a polytope made by this library has none.
    pub fn validate(&self) -> Result<(), PolytopeDefect> {
        self.check_indices()?;
        self.check_counts()?;
        self.check_connected()?;
        match self.dimension {
            0 => Ok(()),
            1 if self.vertices[0] == self.vertices[1] => Err(NoLength),
            1 => Ok(()),
            2 => {
                self.check_polygon_sides()?;
                self.check_face(0)
            }
            _ => {
                self.check_closed()?;
                (0..self.face_count()).try_for_each(|face| self.check_face(face))?;
                (0..self.vertices.len()).try_for_each(|vertex| self.check_cone(vertex))
            }
        }
    }

    /// Every index and range points somewhere, and finite coordinates stand there.
    fn check_indices(&self) -> Result<(), PolytopeDefect> {
        let count = self.vertices.len();
        let known = |items: &[u32]| items.iter().all(|&i| (i as usize) < count);
        let ranges = |starts: &[u32], items: &[u32]| {
            starts.first() == Some(&0) && starts.last() == Some(&(items.len() as u32)) && starts.is_sorted()
        };
        let are_triangles = self.face_starts.is_empty() && self.face_corners.len().is_multiple_of(3);
        let fits = (are_triangles || ranges(&self.face_starts, &self.face_corners))
            && ranges(&self.neighbour_starts, &self.neighbours)
            && known(&self.face_corners)
            && known(&self.neighbours)
            && self.neighbour_starts.len() == count + 1
            && self.original_indices.len() == count
            && self.vertices.iter().all(|v| v.is_finite());
        if fits { Ok(()) } else { Err(BrokenIndices) }
    }

    /// The table at [`Polytope`]; Euler's formula for a solid.
    fn check_counts(&self) -> Result<(), PolytopeDefect> {
        let (vertices, edges, faces) = (self.vertices.len(), self.edge_count(), self.face_count());
        let possible = self.neighbours.len() == 2 * edges
            && match self.dimension {
                0 => (vertices, edges, faces) == (1, 0, 0),
                1 => (vertices, edges, faces) == (2, 1, 0),
                2 => vertices >= 3 && edges == vertices && faces == 2,
                3 => vertices >= 4 && vertices + faces == edges + 2,
                _ => false,
            };
        let dimension = self.dimension;
        if possible { Ok(()) } else { Err(Counts { dimension, vertices, edges, faces }) }
    }

    fn check_connected(&self) -> Result<(), PolytopeDefect> {
        let mut reached = vec![false; self.vertices.len()];
        let mut stack = vec![0];
        while let Some(vertex) = stack.pop() {
            if !std::mem::replace(&mut reached[vertex as usize], true) {
                stack.extend(self.neighbours(vertex as usize));
            }
        }
        if reached.into_iter().all(|r| r) { Ok(()) } else { Err(NotConnected) }
    }

    /// A polygon's second face is its first backwards, and each vertex knows the two beside it.
    fn check_polygon_sides(&self) -> Result<(), PolytopeDefect> {
        let (front, back) = (self.face(0), self.face(1));
        let n = front.len();
        if n != self.vertices.len() || back.len() != n {
            return Err(BrokenIndices);
        }
        for k in 0..n {
            let vertex = front[k] as usize;
            if back[(n - k) % n] != front[k]
                || self.neighbours(vertex) != [front[(k + 1) % n], front[(k + n - 1) % n]]
            {
                return Err(WrongNeighbours { vertex });
            }
        }
        Ok(())
    }

    /// The faces around each vertex form one cycle, in the order of its neighbours, and no edge occurs elsewhere.
    ///
    /// Counter-clockwise, the face between neighbours `a` and `b` of `v` runs `b`, `v`, `a`. So the cycle visits
    /// as many corners as `v` has neighbours; that there are no others follows from the total number of corners.
    fn check_closed(&self) -> Result<(), PolytopeDefect> {
        let face_of = self.faces_of_edges()?;
        let mut last_seen_from = vec![u32::MAX; self.vertices.len()];
        for v in 0..self.vertices.len() as u32 {
            let around = self.neighbours(v as usize);
            for (i, &a) in around.iter().enumerate() {
                let b = around[(i + 1) % around.len()];
                let seen_before = std::mem::replace(&mut last_seen_from[a as usize], v) == v;
                let face = face_of.get(&[v, a]);
                if seen_before || face.is_none() || face != face_of.get(&[b, v]) {
                    return Err(WrongNeighbours { vertex: v as usize });
                }
            }
        }
        Ok(())
    }

    /// Fails where two faces run along an edge in the same direction, or corners and neighbours differ in number.
    fn faces_of_edges(&self) -> Result<FaceOfEdge, PolytopeDefect> {
        let mut face_of = FaceOfEdge::default();
        face_of.reserve(self.face_corners.len());
        for (f, face) in self.faces().enumerate() {
            for (k, &from) in face.iter().enumerate() {
                let to = face[(k + 1) % face.len()];
                if face_of.insert([from, to], f as u32).is_some() {
                    return Err(WrongNeighbours { vertex: from as usize });
                }
            }
        }
        if face_of.len() == self.neighbours.len() { Ok(face_of) } else { Err(BrokenIndices) }
    }

    /// The corners are coplanar, turn strictly to one side, and go around once.
    fn check_face(&self, face: usize) -> Result<(), PolytopeDefect> {
        let corners = self.face(face);
        let n = corners.len();
        let at = |k: usize| self.vertices[corners[k % n] as usize];
        if n < 3 {
            return Err(FaceNotConvex { face });
        }
        if let Some(k) = (3..n).find(|&k| !orient3d(at(0), at(1), at(2), at(k)).is_zero()) {
            return Err(FaceNotPlanar { face, vertex: corners[k] as usize });
        }
        let strictly_convex = PROJECTIONS.iter().any(|project| {
            let turn = |k: usize| orient2d(project(at(k)), project(at(k + 1)), project(at(k + 2)));
            !turn(0).is_zero() && (1..n).all(|k| turn(k) == turn(0))
        });
        // A closed curve that always turns left and reverses twice along a direction goes around once.
        let reversals = (0..n)
            .filter(|&k| lexicographic(at(k), at(k + 1)) != lexicographic(at(k + 1), at(k + 2)))
            .count();
        if strictly_convex && reversals == 2 { Ok(()) } else { Err(FaceNotConvex { face }) }
    }

    /// The edges from a vertex, in their cyclic order, span a strictly convex cone.
    ///
    /// With `n0, n1, ...` around `v`: all others lie below the face of `n0` and `n1`, and seen along the edge to `n0`
    /// each lies further around than the one before, so the fan of cones from `n0` does not overlap itself; every
    /// edge is convex, so no corner of it is reflex. A simple spherical polygon in a half-space without reflex
    /// corners is convex. (Convex edges alone are not enough: the faces of a great icosahedron go around its
    /// vertices twice.)
    fn check_cone(&self, vertex: usize) -> Result<(), PolytopeDefect> {
        let around = self.neighbours(vertex);
        let n = around.len();
        let v = self.vertices[vertex];
        let at = |k: usize| self.vertices[around[k % n] as usize];
        let below = |i: usize, j: usize, k: usize| orient3d(v, at(i), at(j), at(k)) == Sign::Negative;
        let convex = n >= 3
            && (2..n).all(|k| below(0, 1, k))
            && (2..n - 1).all(|k| below(0, k, k + 1))
            && (1..n - 1).all(|k| below(k, k + 1, k + 2));
        if convex { Ok(()) } else { Err(VertexNotConvex { vertex }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DVec3, dvec3};

    fn cube() -> Polytope {
        let corner = |i: i32| dvec3((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64);
        Polytope::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn a_moved_vertex_bends_its_faces() {
        let mut solid = cube();
        assert_eq!(solid.validate(), Ok(()));
        solid.vertices[7] += DVec3::splat(f64::EPSILON);
        assert!(matches!(solid.validate(), Err(FaceNotPlanar { .. })));
    }

    #[test]
    fn a_dented_solid_is_not_convex() {
        let octahedron =
            |x: f64| [dvec3(x, 0., 0.), dvec3(-1., 0., 0.), DVec3::Y, -DVec3::Y, DVec3::Z, -DVec3::Z];
        let mut solid = Polytope::hull(&octahedron(1.0)).unwrap();
        let tip = solid.vertices.iter().position(|v| v.x == 1.0).unwrap();
        solid.vertices[tip].x = f64::from_bits(1);
        assert_eq!(solid.validate(), Ok(()), "still convex by the smallest number there is");
        solid.vertices[tip].x = 0.0;
        assert!(matches!(solid.validate(), Err(VertexNotConvex { .. })), "a flat cap");
        solid.vertices[tip].x = -0.5;
        assert!(matches!(solid.validate(), Err(VertexNotConvex { .. })), "a dent");
    }

    #[test]
    fn an_inside_out_solid_is_refused() {
        let mut solid = cube();
        solid.vertices.iter_mut().for_each(|v| v.x = -v.x);
        assert!(matches!(solid.validate(), Err(VertexNotConvex { .. })));
    }

    #[test]
    fn wrong_adjacency_is_found() {
        let mut solid = cube();
        solid.neighbours[..3].reverse();
        assert_eq!(solid.validate(), Err(WrongNeighbours { vertex: 0 }));
        let mut solid = cube();
        solid.neighbours.swap(0, 3);
        assert!(solid.validate().is_err());
        let mut solid = cube();
        solid.face_corners[..4].reverse();
        assert!(matches!(solid.validate(), Err(WrongNeighbours { .. })));
        let mut solid = cube();
        solid.face_corners[0] = 8;
        assert_eq!(solid.validate(), Err(BrokenIndices));
        let mut solid = cube();
        solid.dimension = 2;
        assert!(matches!(solid.validate(), Err(Counts { dimension: 2, .. })));
    }

    /// The great icosahedron: Euler characteristic 2, planar convex faces, every edge convex, and yet not convex.
    /// Its vertices and edges are those of the icosahedron's complement; only the cone test tells.
    #[test]
    fn a_star_polyhedron_is_refused() {
        let phi = (1.0 + 5f64.sqrt()) / 2.0;
        let mut points = Vec::new();
        for (s, t) in [(1.0, phi), (-1.0, phi), (1.0, -phi), (-1.0, -phi)] {
            points.extend([dvec3(0.0, s, t), dvec3(s, t, 0.0), dvec3(t, 0.0, s)]);
        }
        let mut solid = Polytope::hull(&points).unwrap();
        assert_eq!((solid.face_count(), solid.validate()), (20, Ok(())));
        // The algebraic conjugate phi -> -1/phi keeps the combinatorics and makes the star.
        for v in &mut solid.vertices {
            *v = DVec3::from_array(v.to_array().map(|x| if x.abs() > 1.5 { -x / phi / phi } else { x }));
        }
        let orient = |f: &[u32]| {
            let [a, b, c] = [f[0], f[1], f[2]].map(|v| solid.vertices[v as usize]);
            orient3d(a, b, c, DVec3::ZERO)
        };
        let first = orient(solid.face(0));
        assert!(solid.faces().all(|f| orient(f) == first), "all faces turn the same side to the centre");
        assert!(matches!(solid.validate(), Err(VertexNotConvex { .. })));
        if first == Sign::Positive {
            solid.vertices.iter_mut().for_each(|v| *v = -*v);
        }
        for (v, around) in (0..12).map(|v| (solid.vertices[v], solid.neighbours(v))) {
            let at = |k: usize| solid.vertices[around[k % 5] as usize];
            let convex_edge = |k: usize| orient3d(v, at(k), at(k + 1), at(k + 2)) == Sign::Negative;
            assert!((0..5).all(convex_edge), "edges alone look fine");
        }
        assert!(matches!(solid.validate(), Err(VertexNotConvex { .. })));
    }

    #[test]
    fn polygons_and_segments_are_checked_too() {
        let square = [dvec3(0., 0., 0.), dvec3(1., 0., 0.), dvec3(1., 1., 1.), dvec3(0., 1., 1.)];
        let mut polygon = Polytope::hull(&square).unwrap();
        assert_eq!(polygon.validate(), Ok(()));
        polygon.vertices[2].z += f64::EPSILON;
        assert!(polygon.validate().is_err());
        let mut polygon = Polytope::hull(&square).unwrap();
        polygon.vertices.swap(1, 2);
        assert_eq!(polygon.validate(), Err(FaceNotConvex { face: 0 }), "crossed");
        let mut segment = Polytope::hull(&square[..2]).unwrap();
        segment.vertices[1] = segment.vertices[0];
        assert_eq!(segment.validate(), Err(NoLength));
    }

    #[test]
    fn a_pentagram_is_not_a_face() {
        let corner = |k: f64| {
            dvec3((k * 0.4 * std::f64::consts::PI).cos(), (k * 0.4 * std::f64::consts::PI).sin(), 0.0)
        };
        let mut polygon = Polytope::hull(&(0..5).map(|k| corner(k as f64)).collect::<Vec<_>>()).unwrap();
        assert_eq!(polygon.validate(), Ok(()));
        let old = polygon.vertices.clone();
        (0..5).for_each(|k| polygon.vertices[k] = old[2 * k % 5]);
        assert_eq!(polygon.validate(), Err(FaceNotConvex { face: 0 }));
    }
}
