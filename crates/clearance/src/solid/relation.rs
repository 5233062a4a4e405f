//! Disjoint, touching or overlapping, and which is inside.

use super::body::{Body, Faces};
use super::face::{Face, Sample};
use super::sample::{Look, Sampler, Touch};
use super::search::TriangleSearch;
use crate::pair::Relation;
use crate::triangle::Intersection;
use crate::witness::Side;

/// How two meshes lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MeshRelation {
    /// *Solids* overlap when some points are inside both, also by containment; a solid and a surface when points of
    /// the surface are inside the solid; surfaces when triangles of them overlap. Else they touch if they share a
    /// point.
    pub relation: Relation,
    /// The mesh that lies inside the other, of meshes that overlap and whose triangles have no common point.
    pub enclosed: Option<Side>,
}

impl MeshRelation {
    fn of(relation: Relation) -> MeshRelation {
        MeshRelation { relation, enclosed: None }
    }
}

/// Two triangles that meet, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The triangle of A and that of B.
    pub triangles: [u32; 2],
    /// Their common points, by features of the triangles and in the world.
    pub intersection: Intersection,
}

/// The relation of two meshes under their poses, exact, from the pairs of triangles that meet.
///
/// `contacts` are **all** pairs that touch or overlap; pairs that do not meet do no harm. One pair that overlaps is enough
/// if neither of its triangles is a [membrane](super::is_membrane): then the rest need not be found.
///
/// The answer is exact for meshes with their inside behind every face but membranes. All that do not cross themselves are
/// such meshes, and unions of them: components may overlap, touch and be nested, as cavities or not, and membranes may
/// stand inside and outside. Where a mesh crosses itself so that some region is wound around backwards, or is folded
/// onto itself with nothing between, crossing triangles may be taken for an overlap, and an overlap may be missed; what lies
/// in such a region without meeting its walls is told to be outside. [`self_intersections`](super::self_intersections) finds
/// out whether a mesh can have one.
///
/// Costs a winding number for each side of a cut through a face and for each face touched along a line, and one for each
/// component without such contacts; a winding number costs a look at the triangles in a small box.
pub fn relation<S, T>(a: &Body<'_, S>, b: &Body<'_, T>, contacts: &[Contact]) -> MeshRelation
where
    S: TriangleSearch,
    T: TriangleSearch,
{
    let (faces_a, faces_b) = (Faces::new(a.mesh), Faces::new(b.mesh));
    let mut touches = Vec::new();
    let mut share_a_point = false;
    for &Contact { triangles, intersection } in contacts {
        share_a_point |= intersection.relation() != Relation::Disjoint;
        let is_bounding = !faces_a.is_membrane(triangles[0]) && !faces_b.is_membrane(triangles[1]);
        match intersection.relation() {
            Relation::Overlapping if is_bounding => return MeshRelation::of(Relation::Overlapping),
            Relation::Touching if is_bounding => touches.push(Touch::new(triangles, &intersection)),
            _ => {}
        }
    }
    let swapped = if a.is_solid() { touches.iter().map(Touch::swapped).collect() } else { Vec::new() };
    let look = look_around(a, &faces_a, b, touches).max(look_around(b, &faces_b, a, swapped));
    match look {
        Look::Overlap => {
            let enclosed = if share_a_point { None } else { enclosed(a, &faces_a, b, &faces_b) };
            MeshRelation { relation: Relation::Overlapping, enclosed }
        }
        Look::Hollow => MeshRelation::of(Relation::Touching),
        Look::Outside if share_a_point => MeshRelation::of(Relation::Touching),
        Look::Outside => MeshRelation::of(Relation::Disjoint),
    }
}

/// Whether the point behind a sample's face is inside a solid.
fn is_behind_inside<S: TriangleSearch>(body: &Body<'_, S>, sample: &Sample<'_>) -> bool {
    sample.behind.winding(body) >= 1
}

/// Whether some cell of the faces of a body lies inside a solid: with the body's own inside behind it, if it is a solid,
/// or on both sides, if it is a surface.
fn look_around<'a, S, T>(body: &Body<'a, S>, faces: &Faces, solid: &Body<'a, T>, touches: Vec<Touch>) -> Look
where
    S: TriangleSearch,
    T: TriangleSearch,
{
    if !solid.is_solid() {
        return Look::Outside;
    }
    let look = |sample: &Sample<'a>| {
        if !is_behind_inside(solid, sample) {
            return Look::Outside;
        }
        let is_overlap = match body.is_solid() {
            true => is_behind_inside(body, sample),
            false => sample.in_front.winding(solid) >= 1,
        };
        match is_overlap {
            true => Look::Overlap,
            false if body.is_solid() => Look::Hollow,
            false => Look::Outside,
        }
    };
    Sampler { body, other: solid, look }.look_around(faces, touches)
}

/// Which of two meshes without a common point of their triangles lies inside the other.
fn enclosed<S, T>(a: &Body<'_, S>, faces_a: &Faces, b: &Body<'_, T>, faces_b: &Faces) -> Option<Side>
where
    S: TriangleSearch,
    T: TriangleSearch,
{
    if is_enclosed(a, b, faces_b) {
        Some(Side::A)
    } else if is_enclosed(b, a, faces_a) {
        Some(Side::B)
    } else {
        None
    }
}

/// Whether every component of a body lies inside a solid, and no wall of the solid inside the body.
fn is_enclosed<S, T>(body: &Body<'_, S>, solid: &Body<'_, T>, faces: &Faces) -> bool
where
    S: TriangleSearch,
    T: TriangleSearch,
{
    let is_inside = |triangle: u32| sample_of(body, triangle).is_some_and(|s| is_behind_inside(solid, &s));
    // A wall with the solid on both sides is none.
    let is_wall_inside = |triangle: u32| {
        sample_of(solid, triangle)
            .is_some_and(|s| is_behind_inside(body, &s) && s.in_front.winding(solid) < 1)
    };
    solid.is_solid()
        && body.mesh.components().all(|triangles| is_inside(triangles[0]))
        && !(body.is_solid() && faces.first_triangles(solid.mesh).into_iter().any(is_wall_inside))
}

/// A point close to a triangle.
fn sample_of<'a, S: TriangleSearch>(body: &Body<'a, S>, triangle: u32) -> Option<Sample<'a>> {
    Face::new(body, triangle).map(|face| face.sample_near(0))
}
