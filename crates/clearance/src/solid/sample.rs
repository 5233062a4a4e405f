//! The cells into which contacts cut the faces of a body.
//!
//! Triangles that only touch meet in points, along edges, and in polygons of a plane. So a face is cut along edges of the
//! other mesh alone, each of which runs through it from one corner of a contact to another, and each cell of a face that
//! is cut has a piece of such a cut on its rim. Points infinitely close to both ends of each cut are looked at, from
//! either end the one to the left.
//!
//! Cuts may cross each other, if the other mesh crosses itself, so that a cell reaches no end of a cut. Such a cell need
//! not be looked at: the winding number changes by the same amount all along a cut, as the same triangles cause it, and is
//! nowhere negative. So if it is positive in a cell, and more than beyond one of its cuts, it is positive at the ends of
//! that cut, too, on the same side.

use super::body::{Body, Faces, between};
use super::face::{Face, Sample, crossing};
use super::point::Point;
use super::probe::Toward;
use super::search::TriangleSearch;
use crate::exact::{Posed, Vector};
use crate::pair::Feature;
use crate::triangle::{Intersection, closed_edges};
use rustc_hash::FxHashSet;

/// Where a corner of a contact lies on the face and on the other triangle.
type Places = (Feature, Feature);

/// A face that touches another triangle, with the corners of their intersection.
#[derive(Clone, Debug)]
pub(super) struct Touch {
    pub face: u32,
    pub other: u32,
    corners: [Places; 6],
    count: usize,
}

impl Touch {
    pub fn new([face, other]: [u32; 2], intersection: &Intersection) -> Touch {
        let found = intersection.corners();
        let mut corners = [(Feature::Vertex(0), Feature::Vertex(0)); 6];
        corners.iter_mut().zip(found).for_each(|(place, c)| *place = (c.feature_a, c.feature_b));
        Touch { face, other, corners, count: found.len() }
    }

    pub fn swapped(&self) -> Touch {
        let corners = self.corners.map(|(face, other)| (other, face));
        Touch { face: self.other, other: self.face, corners, count: self.count }
    }

    /// The corners, in order around the common points.
    pub fn corners(&self) -> &[Places] {
        &self.corners[..self.count]
    }

    /// Pairs of corners between which an edge of the other triangle runs through the inside of the face, with the
    /// corners of the other triangle that it joins.
    fn cuts(&self) -> impl Iterator<Item = (Places, [usize; 2])> {
        let pairs = (0..self.count).flat_map(|i| [(i, (i + 1) % self.count), ((i + 1) % self.count, i)]);
        pairs.filter_map(|(from, to)| {
            let ((face, other), (next_face, next_other)) = (self.corners[from], self.corners[to]);
            let common = closed_edges(other) & closed_edges(next_other);
            let is_cut = from != to && common != 0 && closed_edges(face) & closed_edges(next_face) == 0;
            // The edge with bit `k` is opposite to corner `k`.
            let opposite = common.trailing_zeros() as usize;
            is_cut.then_some((self.corners[from], [(opposite + 1) % 3, (opposite + 2) % 3]))
        })
    }
}

/// What a cell shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Look {
    /// It is not inside the other solid.
    Outside,
    /// It is, but with nothing of its own body behind it: the bodies share points.
    Hollow,
    /// It is, and so is its own body: an overlap.
    Overlap,
}

/// Looks at the cells of a body's faces.
pub(super) struct Sampler<'s, 'a, S, T, L> {
    pub body: &'s Body<'a, S>,
    pub other: &'s Body<'a, T>,
    pub look: L,
}

impl<'s, 'a, S, T, L> Sampler<'s, 'a, S, T, L>
where
    S: TriangleSearch,
    T: TriangleSearch,
    L: Fn(&Sample<'a>) -> Look,
{
    /// The most that a cell shows; `touches` are all with triangles of the other mesh that bound something.
    ///
    /// Over the faces of a component the winding number of the other mesh changes only across contacts that are more
    /// than points. So faces with such contacts are looked at, and of each component without any, one face.
    pub fn look_around(&self, faces: &Faces, mut touches: Vec<Touch>) -> Look {
        let first = faces.first_triangles(self.body.mesh);
        let mut is_done = vec![false; first.len()];
        let mut strongest = Look::Outside;
        touches.retain(|touch| touch.count > 1 && !faces.is_membrane(touch.face));
        touches.sort_by_key(|touch| (touch.face, touch.other));
        for touches in touches.chunk_by(|s, t| s.face == t.face) {
            if let Some(component) = faces.component_of(self.body.mesh, touches[0].face) {
                is_done[component as usize] = true;
            }
            strongest = self.looks(touches[0].face, touches).fold(strongest, Look::max);
            if strongest == Look::Overlap {
                return strongest;
            }
        }
        let rest =
            (0..first.len()).filter(|&component| !is_done[component]).map(|component| first[component]);
        strongest = rest.flat_map(|face| self.looks(face, &[])).fold(strongest, Look::max);
        if strongest == Look::Outside { self.look_at_membranes(faces) } else { strongest }
    }

    /// What components show that start with a membrane, if they are not touched: a fin may float inside the other solid.
    fn look_at_membranes(&self, faces: &Faces) -> Look {
        let first = self.body.mesh.components().map(|triangles| triangles[0]);
        let membranes = first.filter(|&triangle| faces.is_membrane(triangle));
        membranes.flat_map(|triangle| self.looks(triangle, &[])).max().unwrap_or(Look::Outside)
    }

    /// What the cells of a face show.
    fn looks(&self, triangle: u32, touches: &[Touch]) -> impl Iterator<Item = Look> {
        let face = Face::new(self.body, triangle);
        let samples = face.map_or(Vec::new(), |face| {
            let samples = self.samples(&face, touches);
            if samples.is_empty() { vec![face.sample_near(0)] } else { samples }
        });
        samples.into_iter().map(|sample| (self.look)(&sample))
    }

    /// Points to both sides of all cuts; none if the face is not cut.
    fn samples(&self, face: &Face<'a>, touches: &[Touch]) -> Vec<Sample<'a>> {
        let mut samples = Vec::new();
        let mut seen: FxHashSet<(u8, u64, u32)> = FxHashSet::default();
        for touch in touches {
            let triangle = OtherTriangle::new(self.other, touch.other);
            for ((place, other_place), ends) in touch.cuts() {
                // Triangles that share the edge share the cut.
                let edge = triangle.edges[edge_index(ends)];
                if seen.insert((local_name(place), triangle.name(other_place), edge)) {
                    let ray = triangle.ray(face, place, other_place, ends);
                    let at = triangle.point(face, place, other_place);
                    samples.extend(at.map(|at| face.sample(at, Toward::Along(ray))));
                }
            }
        }
        samples
    }
}

/// A triangle of the other mesh.
pub(super) struct OtherTriangle<'a> {
    id: u32,
    vertices: [u32; 3],
    edges: [u32; 3],
    corners: [Posed<'a>; 3],
}

impl<'a> OtherTriangle<'a> {
    pub fn new<T: TriangleSearch>(body: &Body<'a, T>, id: u32) -> OtherTriangle<'a> {
        let vertices = body.mesh.triangles()[id as usize];
        let edges = body.mesh.triangle_edges(id as usize);
        OtherTriangle { id, vertices, edges, corners: body.triangle(id) }
    }

    /// A name that triangles with a common part share.
    fn name(&self, place: Feature) -> u64 {
        let (kind, id) = match place {
            Feature::Vertex(corner) => (1, self.vertices[corner as usize]),
            Feature::Edge(ends) => (2, self.edges[edge_index(ends.map(|end| end as usize))]),
            Feature::Face(_) => (3, self.id),
        };
        kind << 32 | u64::from(id)
    }

    /// From an end of a cut along the edge between two corners into the face.
    fn ray(
        &self,
        face: &Face<'a>,
        place: Feature,
        other_place: Feature,
        [from, to]: [usize; 2],
    ) -> Vector<'a> {
        let (forward, backward) =
            (between(self.corners[from], self.corners[to]), between(self.corners[to], self.corners[from]));
        let is_forward = match other_place {
            Feature::Vertex(corner) => corner as usize == from,
            // A cut that does not end with its edge ends at the rim, from where it leads inward.
            _ => face.own_ray(place).is_none_or(|rim| face.left_of(rim, forward).is_positive()),
        };
        if is_forward { forward } else { backward }
    }

    /// The common point of a part of the face and a part of the triangle.
    pub fn point(&self, face: &Face<'a>, place: Feature, other_place: Feature) -> Option<Point<'a>> {
        match (place, other_place) {
            // The vertices of the mesh that will be asked come first: its triangles know them.
            (_, Feature::Vertex(corner)) => Some(Point::Vertex(self.corners[corner as usize])),
            (Feature::Vertex(corner), _) => Some(Point::Vertex(face.corners[corner as usize])),
            (Feature::Edge(ends), Feature::Edge(other_ends)) => {
                crossing(ends.map(|c| face.corners[c as usize]), other_ends.map(|c| self.corners[c as usize]))
            }
            // Triangles that only touch have no such corners.
            (Feature::Face(_), Feature::Edge(ends)) => {
                let plane = [face.along(0, 1), face.along(0, 2)];
                Some(Point::crossing(ends.map(|c| self.corners[c as usize]), plane, face.corners[0]))
            }
            (Feature::Edge(ends), Feature::Face(_)) => {
                let [p, q, r] = self.corners;
                let ends = ends.map(|c| face.corners[c as usize]);
                Some(Point::crossing(ends, [between(p, q), between(p, r)], p))
            }
            (Feature::Face(_), Feature::Face(_)) => None,
        }
    }
}

/// Edge `k` of a triangle joins the corners `k` and `k + 1`.
fn edge_index(ends: [usize; 2]) -> usize {
    match ends {
        [0, 1] | [1, 0] => 0,
        [1, 2] | [2, 1] => 1,
        _ => 2,
    }
}

fn local_name(place: Feature) -> u8 {
    match place {
        Feature::Vertex(corner) => corner as u8,
        Feature::Edge(ends) => 3 + edge_index(ends.map(|end| end as usize)) as u8,
        Feature::Face(_) => 6,
    }
}
