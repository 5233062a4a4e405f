//! Convex polytopes of affine dimension 0 to 3.

mod error;
mod mass;
mod validate;

pub use error::{PolytopeDefect, PolytopeError};

use super::TriangleSoup;
use super::hull::{self, Skeleton};
use crate::Aabb;
use glam::DVec3;

/// The convex hull of a finite point set, with exact combinatorics.
///
/// Vertices are exactly the extreme points of the input, faces are whole (no two of them are coplanar), and
/// both hold in real arithmetic, not within a tolerance. The numbering depends on the set of points alone: vertex
/// 0 is the lexicographically smallest, the others follow breadth first, so neighbours are close in memory, and
/// permuting the input permutes [`original_index`](Polytope::original_index) and changes nothing else.
///
/// | dimension | vertices | edges | faces |
/// | --- | --- | --- | --- |
/// | 0, a point | 1 | 0 | 0 |
/// | 1, a segment | 2 | 1 | 0 |
/// | 2, a polygon | n | n | 2, opposite to each other |
/// | 3, a solid | V | E | F = 2 - V + E |
#[derive(Clone, Debug, PartialEq)]
pub struct Polytope {
    dimension: usize,
    vertices: Vec<DVec3>,
    original_indices: Vec<u32>,
    /// Where the corners of each face start, and one past the end; empty where every face is a triangle, as most are.
    face_starts: Vec<u32>,
    face_corners: Vec<u32>,
    neighbour_starts: Vec<u32>,
    neighbours: Vec<u32>,
    bounds: Aabb,
    volume: f64,
    centroid: DVec3,
}

impl Polytope {
    /// The exact convex hull of any point set: duplicates, collinear, coplanar and cospherical points included.
    ///
    /// Expected `O(n log n)`; quickhull in which every sign that a float filter leaves open is decided exactly.
    ///
    /// ```
    /// use clearance::{glam::dvec3, shape::Polytope};
    /// let corners = (0..8).map(|i| dvec3((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64));
    /// let cube = Polytope::hull(&corners.chain([dvec3(0.5, 0.5, 1.0)]).collect::<Vec<_>>())?;
    /// assert_eq!((cube.vertices().len(), cube.edge_count(), cube.face_count()), (8, 12, 6));
    /// assert_eq!(cube.volume(), 1.0);
    /// # Ok::<(), clearance::shape::PolytopeError>(())
    /// ```
    ///
    /// # Errors
    /// No points, too many points, or a coordinate that is not finite or larger than
    /// [`COORDINATE_LIMIT`](crate::tolerance::COORDINATE_LIMIT); the error names the first culprit.
    pub fn hull(points: &[DVec3]) -> Result<Polytope, PolytopeError> {
        error::check(points)?;
        Ok(Polytope::from_skeleton(points, hull::skeleton(points)))
    }

    fn from_skeleton(points: &[DVec3], skeleton: Skeleton) -> Polytope {
        // Adding zero turns -0.0 into 0.0 and changes nothing else.
        let vertices: Vec<DVec3> =
            skeleton.vertices.iter().map(|&i| points[i as usize] + DVec3::ZERO).collect();
        let bounds = Aabb::around(vertices.iter().copied()).expect("a hull has a vertex");
        let only_triangles = skeleton.face_starts.windows(2).all(|face| face[1] - face[0] == 3);
        let mut polytope = Polytope {
            dimension: skeleton.dimension,
            vertices,
            original_indices: finished(skeleton.vertices),
            face_starts: if only_triangles { Vec::new() } else { finished(skeleton.face_starts) },
            face_corners: finished(skeleton.face_corners),
            neighbour_starts: finished(skeleton.neighbour_starts),
            neighbours: finished(skeleton.neighbours),
            bounds,
            volume: 0.0,
            centroid: bounds.center(),
        };
        (polytope.volume, polytope.centroid) = mass::volume_and_centroid(&polytope);
        polytope
    }

    /// The affine dimension: 0 a point, 1 a segment, 2 a polygon, 3 a solid.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The extreme points, bit for bit as given (except that -0.0 becomes 0.0).
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The smallest index in the input at which the vertex occurs.
    pub fn original_index(&self, vertex: usize) -> usize {
        self.original_indices[vertex] as usize
    }

    /// How many faces there are; see the table at [`Polytope`].
    pub fn face_count(&self) -> usize {
        if self.face_starts.is_empty() { self.face_corners.len() / 3 } else { self.face_starts.len() - 1 }
    }

    /// The vertices of a face, counter-clockwise seen from outside, the smallest first.
    ///
    /// They are exactly coplanar and every corner is strictly convex. The two faces of a polygon are opposite.
    pub fn face(&self, face: usize) -> &[u32] {
        let start = |face: usize| match &self.face_starts[..] {
            [] => 3 * face,
            starts => starts[face] as usize,
        };
        let range = start(face)..start(face + 1);
        &self.face_corners[range]
    }

    /// All faces in order.
    pub fn faces(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.face_count()).map(|f| self.face(f))
    }

    /// The vertices that share an edge with this one, counter-clockwise around it seen from outside.
    pub fn neighbours(&self, vertex: usize) -> &[u32] {
        let range = self.neighbour_starts[vertex] as usize..self.neighbour_starts[vertex + 1] as usize;
        &self.neighbours[range]
    }

    /// How many edges there are; see the table at [`Polytope`].
    pub fn edge_count(&self) -> usize {
        self.neighbours.len() / 2
    }

    /// Every edge once, as the pair of its vertices, the smaller first.
    pub fn edges(&self) -> impl Iterator<Item = [u32; 2]> {
        (0..self.vertices.len()).flat_map(move |v| {
            self.neighbours(v).iter().filter(move |&&w| v < w as usize).map(move |&w| [v as u32, w])
        })
    }

    /// The smallest box around the polytope; exact.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// The centre of mass of a solid, polygon, segment or point, rounded.
    ///
    /// It lies in [`bounds`](Polytope::bounds), and is not proved to lie inside: a body one ulp thin may contain
    /// no point with `f64` coordinates besides its vertices.
    pub fn centroid(&self) -> DVec3 {
        self.centroid
    }

    /// The volume, rounded; 0 in dimensions 0 to 2, and for solids below the range of `f64` (edges near 1e-108).
    ///
    /// The error is below `2^-48 * t` times the volume of the bounding box, `t` the number of triangles the faces
    /// split into. That is the worst case: the tests see `2^-48` without the factor.
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let lists = [
            &self.original_indices,
            &self.face_starts,
            &self.face_corners,
            &self.neighbour_starts,
            &self.neighbours,
        ];
        let indices: usize = lists.into_iter().map(Vec::capacity).sum();
        self.vertices.capacity() * size_of::<DVec3>() + indices * size_of::<u32>()
    }

    /// The faces as triangles, each face split into a fan around its first vertex, in order.
    ///
    /// Points and segments give positions without triangles, a polygon both of its sides.
    pub fn to_soup(&self) -> TriangleSoup {
        let triangles = self.faces().flat_map(fan).collect();
        TriangleSoup { positions: self.vertices.clone(), triangles, parts: Vec::new() }
    }
}

/// A list that will not grow: what it was grown by beyond its length, up to half of it, is given back.
fn finished(mut list: Vec<u32>) -> Vec<u32> {
    list.shrink_to_fit();
    list
}

/// The triangles of a convex polygon around its first corner.
fn fan(face: &[u32]) -> impl Iterator<Item = [u32; 3]> {
    face[1..].windows(2).map(|pair| [face[0], pair[0], pair[1]])
}
