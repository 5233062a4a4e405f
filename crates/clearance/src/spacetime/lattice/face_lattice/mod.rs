//! Polytopes of any dimension as faces with their bounding faces [Joseph87 §3.1].

mod build;
mod error;
mod from_shape;

pub(in crate::spacetime) use from_shape::posed_point;

pub use error::LatticeError;

use super::flat::Flat;
use super::linear::{Rational, Vector, minus};
use crate::exact::Sign;

/// A polytope in `E^D`, convex or not: for every dimension its faces, each as the list of the faces that bound it.
///
/// Vertices are exact rational points. Faces of dimension 1 to `D` are flat sets with an inside, the last of them the
/// polytope itself; none need be convex, and any may have holes. Lists are kept end to end, so the space is
/// proportional to the incidences of faces with the faces that bound them. Neighbouring faces may lie in one flat:
/// the algorithms do not mind.
///
/// Made for `D = 4`, where the fourth coordinate is time, and nothing here depends on that: obstacles of a
/// configuration space, say `(x, y, angle)` or the joint angles of an arm, are polytopes of this kind once their
/// curved sides are replaced by flat ones, and [`point_in_polytope`](super::point_in_polytope) then asks whether
/// a configuration is forbidden, [`separation`](super::separation) how far it is from being so.
///
/// A lattice is valid by construction: see [`FaceLattice::new`]. What is *not* checked, because it takes a separation
/// algorithm: that faces do not cross each other.
///
/// ```
/// use clearance::spacetime::lattice::FaceLattice;
/// let triangle = FaceLattice::from_polygon(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])?;
/// assert_eq!(triangle.incidence_count(), 6, "[Joseph87 §3.1]");
/// assert_eq!(triangle.face_count(), 3 + 3 + 1);
/// # Ok::<(), clearance::spacetime::lattice::LatticeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FaceLattice {
    vertices: Vec<Vector>,
    /// The faces of dimension 1, 2, ..., `D`.
    ranks: Vec<Rank>,
}

/// All faces of one dimension.
#[derive(Clone, Debug)]
struct Rank {
    /// Where the bounds of each face start; one more than there are faces.
    starts: Vec<u32>,
    bounds: Vec<Bound>,
    /// The outward normal at each bound, within the flat of the face that is bounded and on its axes.
    normals: Vec<Vector>,
    flats: Vec<Flat>,
}

/// A face as part of the boundary of a face one dimension higher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Its number among the faces of its dimension.
    pub face: u32,
    /// How its own orientation goes with that of the boundary.
    pub sense: Sense,
}

/// Whether an oriented face is taken as it is or the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// As it is; the end of an edge.
    Along,
    /// The other way round; the start of an edge.
    Against,
}

impl Sense {
    fn sign(self) -> Sign {
        match self {
            Sense::Along => Sign::Positive,
            Sense::Against => Sign::Negative,
        }
    }

    /// The other sense.
    pub fn opposite(self) -> Sense {
        match self {
            Sense::Along => Sense::Against,
            Sense::Against => Sense::Along,
        }
    }
}

/// A face of a [`FaceLattice`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FaceId {
    /// 0 for a vertex, 1 for an edge, ..., `D` for the polytope itself.
    pub dimension: u32,
    /// Its number among the faces of its dimension.
    pub index: u32,
}

/// A face that bounds another one, seen from within the flat of that one.
pub(super) struct Facet<'a> {
    pub face: FaceId,
    normal: &'a [Rational],
    axes: &'a [usize],
    origin: &'a [Rational],
}

impl Facet<'_> {
    /// Positive outside, zero on the hyperplane of the facet, negative inside; for points of the larger flat.
    pub fn height(&self, point: &[Rational]) -> Rational {
        self.slope(&minus(point, self.origin))
    }

    /// How fast the height grows along a direction of the larger flat.
    pub fn slope(&self, direction: &[Rational]) -> Rational {
        let mut sum = Rational::ZERO;
        for (n, &axis) in self.normal.iter().zip(self.axes) {
            sum += n * &direction[axis];
        }
        sum
    }
}

impl FaceLattice {
    /// `D`, the dimension of the polytope and of the space it lies in.
    pub fn dimension(&self) -> usize {
        self.ranks.len()
    }

    /// The vertices, `D` coordinates each.
    pub fn vertices(&self) -> &[Vector] {
        &self.vertices
    }

    /// How many faces of a dimension there are; one of dimension `D`, the polytope itself, and none above.
    pub fn count(&self, dimension: usize) -> usize {
        match dimension {
            0 => self.vertices.len(),
            k => self.ranks.get(k - 1).map_or(0, |rank| rank.starts.len() - 1),
        }
    }

    /// How many faces there are of all dimensions, the polytope itself among them.
    pub fn face_count(&self) -> usize {
        (0..=self.dimension()).map(|k| self.count(k)).sum()
    }

    /// The faces of a dimension.
    pub fn faces(&self, dimension: usize) -> impl Iterator<Item = FaceId> + use<> {
        (0..self.count(dimension) as u32).map(move |index| FaceId { dimension: dimension as u32, index })
    }

    /// The polytope itself, as the face of dimension `D`.
    pub fn whole(&self) -> FaceId {
        FaceId { dimension: self.dimension() as u32, index: 0 }
    }

    /// The faces that bound a face, one dimension lower; none for a vertex. Panics if there is no such face.
    pub fn bounds(&self, face: FaceId) -> &[Bound] {
        match face.dimension {
            0 => &[],
            k => {
                let rank = &self.ranks[k as usize - 1];
                &rank.bounds[rank.range(face.index)]
            }
        }
    }

    /// The vertices of a face, ascending. Panics if there is no such face.
    pub fn corners(&self, face: FaceId) -> Vec<u32> {
        let mut level = vec![face.index];
        for dimension in (1..=face.dimension).rev() {
            let below = |&index: &u32| self.bounds(FaceId { dimension, index }).iter().map(|b| b.face);
            level = level.iter().flat_map(below).collect();
            level.sort_unstable();
            level.dedup();
        }
        level
    }

    /// `I(P)`: how many chains of incident faces `[P, facet, ..., edge, vertex]` there are [Joseph87 §3.1].
    ///
    /// The paper's measure of size: that of a polytope is the sum of those of its facets. 6 for a triangle, 24 for a
    /// tetrahedron, 192 for the 4-prism over it.
    pub fn incidence_count(&self) -> u64 {
        let mut counts = vec![1; self.vertices.len()];
        for rank in &self.ranks {
            let sum = |face: u32| rank.bounds[rank.range(face)].iter().map(|b| counts[b.face as usize]).sum();
            counts = (0..rank.starts.len() as u32 - 1).map(sum).collect();
        }
        counts[0]
    }

    /// The volume in `D` dimensions, exactly.
    pub fn volume(&self) -> Rational {
        let factorial = (1..=self.dimension() as u64).product::<u64>();
        self.flat(self.whole()).map_or(Rational::ZERO, |flat| &flat.content / Rational::from(factorial))
    }

    /// Whether no vertex lies outside the hyperplane of a facet. `O(vertices * facets)`.
    pub fn is_convex(&self) -> bool {
        let is_inside = |facet: &Facet<'_>, v: &Vector| facet.height(v) <= Rational::ZERO;
        self.facets(self.whole()).all(|facet| self.vertices.iter().all(|v| is_inside(&facet, v)))
    }

    /// The faces that bound a face, with their hyperplanes in its flat; none for a vertex.
    pub(super) fn facets(&self, face: FaceId) -> impl Iterator<Item = Facet<'_>> {
        let dimension = face.dimension.saturating_sub(1);
        let rank = self.ranks.get(dimension as usize).filter(|_| face.dimension > 0);
        rank.into_iter().flat_map(move |rank| {
            rank.range(face.index).map(move |at| {
                let face_id = FaceId { dimension, index: rank.bounds[at].face };
                Facet {
                    face: face_id,
                    normal: &rank.normals[at],
                    axes: &rank.flats[face.index as usize].axes,
                    origin: self.origin(face_id),
                }
            })
        })
    }

    /// A vertex of a face.
    pub(super) fn origin(&self, face: FaceId) -> &Vector {
        let vertex = self.flat(face).map_or(face.index, |flat| flat.origin);
        &self.vertices[vertex as usize]
    }

    /// Vectors that span the flat of a face from its origin: `Aff(f) = origin + span`.
    pub(super) fn span(&self, face: FaceId) -> &[Vector] {
        self.flat(face).map_or(&[], |flat| &flat.span)
    }

    /// The flat of a face that is not a vertex.
    fn flat(&self, face: FaceId) -> Option<&Flat> {
        let rank = self.ranks.get((face.dimension as usize).checked_sub(1)?)?;
        rank.flats.get(face.index as usize)
    }

    /// Whether one face is another or lies in its boundary.
    pub(super) fn has(&self, face: FaceId, part: FaceId) -> bool {
        let dimension = face.dimension.wrapping_sub(1);
        let below = |b: &Bound| self.has(FaceId { dimension, index: b.face }, part);
        face == part || (face.dimension > part.dimension && self.bounds(face).iter().any(below))
    }

    /// The same polytope with every vertex mapped by an affine map of a positive determinant. Facets, senses and
    /// dimensions stay; flats and normals are computed anew.
    ///
    /// # Errors
    /// The map is none of these: it flattens or mirrors the polytope, or bends a face.
    pub fn mapped(&self, map: impl Fn(&Vector) -> Vector) -> Result<FaceLattice, LatticeError> {
        let lists = |rank: &Rank| {
            (0..rank.starts.len() as u32 - 1).map(|face| rank.bounds[rank.range(face)].to_vec()).collect()
        };
        FaceLattice::new(self.vertices.iter().map(map).collect(), self.ranks.iter().map(lists).collect())
    }
}

impl Rank {
    fn range(&self, face: u32) -> std::ops::Range<usize> {
        self.starts[face as usize] as usize..self.starts[face as usize + 1] as usize
    }
}
