//! All cells of the faces of one body that contacts with another bound.

use super::body::{Body, Faces, between};
use super::contact::{Face, Sample, crossing};
use super::point::Point;
use super::probe::Toward;
use super::search::TriangleSearch;
use crate::exact::{Posed, Vector, vector_dot_sign};
use crate::math::Aabb;
use crate::pair::Feature;
use crate::triangle::Corner;
use rustc_hash::FxHashSet;

/// Two triangles that touch, with the corners of their intersection; features of the face come first.
pub(super) struct Touch {
    pub face: u32,
    pub other: u32,
    pub corners: Vec<(Feature, Feature)>,
}

impl Touch {
    pub fn new(face: u32, other: u32, corners: &[Corner]) -> Touch {
        let corners = corners.iter().map(|c| (c.feature_a, c.feature_b)).collect();
        Touch { face, other, corners }
    }

    pub fn swapped(&self) -> Touch {
        let corners = self.corners.iter().map(|&(a, b)| (b, a)).collect();
        Touch { face: self.other, other: self.face, corners }
    }
}

/// A corner and a ray of a face, so that none is looked at twice: the place on the face, the part of the other mesh, and
/// the ray.
type Key = (u8, u64, u64);

/// Looks at the cells of a body's faces until one is as wanted.
pub(super) struct Sampler<'s, 'a, S, T, W> {
    body: &'s Body<'a, S>,
    other: &'s Body<'a, T>,
    is_wanted: W,
    seen: FxHashSet<Key>,
    /// Components of which a cell was looked at.
    looked_at: Vec<bool>,
}

impl<'s, 'a, S, T, W> Sampler<'s, 'a, S, T, W>
where
    S: TriangleSearch,
    T: TriangleSearch,
    W: FnMut(&Sample<'a>) -> bool,
{
    pub fn new(body: &'s Body<'a, S>, other: &'s Body<'a, T>, is_wanted: W) -> Self {
        Sampler { body, other, is_wanted, seen: FxHashSet::default(), looked_at: Vec::new() }
    }

    /// Whether a cell is as wanted; `touches` are all with triangles of the other mesh that bound something.
    ///
    /// On the faces of a component the winding number of the other mesh changes only across contacts that are more than
    /// points. So each region between such contacts, and each component without any, needs one look.
    pub fn any(&mut self, faces: &Faces, mut touches: Vec<Touch>) -> bool {
        let first = faces.first_triangles(self.body.mesh);
        self.looked_at = vec![false; first.len()];
        touches.retain(|touch| !faces.is_membrane(touch.face));
        touches.sort_by_key(|touch| (touch.face, touch.other));
        for touches in touches.chunk_by(|s, t| s.face == t.face) {
            let component = faces.component_of(self.body.mesh, touches[0].face);
            if self.any_of_face(component, touches) {
                return true;
            }
        }
        let rest: Vec<usize> = (0..first.len()).filter(|&c| !self.looked_at[c]).collect();
        rest.into_iter().any(|component| {
            let face = Face::new(self.body, first[component]);
            face.and_then(|face| face.sample_anywhere()).is_some_and(|sample| (self.is_wanted)(&sample))
        })
    }

    fn any_of_face(&mut self, component: Option<u32>, touches: &[Touch]) -> bool {
        let Some(face) = Face::new(self.body, touches[0].face) else { return false };
        self.seen.clear();
        let mut samples = Vec::new();
        for touch in touches {
            self.collect(&face, touch, &mut samples);
        }
        self.collect_crossings(&face, touches, &mut samples);
        if let (Some(component), false) = (component, samples.is_empty()) {
            self.looked_at[component as usize] = true;
        }
        samples.iter().any(|sample| (self.is_wanted)(sample))
    }

    /// The cells at the corners of one contact.
    fn collect(&mut self, face: &Face<'a>, touch: &Touch, samples: &mut Vec<Sample<'a>>) {
        let parts = Parts { body: self.other, triangle: touch.other };
        for &(place, other_place) in &touch.corners {
            let mut at = None;
            let rays = face.own_ray(place).map(|ray| (0, ray)).into_iter().chain(parts.rays(face, other_place));
            for (name, ray) in rays {
                // At a corner of the face it does not matter what of the other mesh lies there.
                let there = if matches!(place, Feature::Vertex(_)) { 0 } else { parts.name(other_place) };
                if !self.seen.insert((local_name(place), there, name)) {
                    continue;
                }
                let at = at.get_or_insert_with(|| parts.point(face, place, other_place));
                samples.extend(at.as_ref().and_then(|at| face.sample(at.clone(), place, Toward::Along(ray))));
            }
        }
    }

    /// The cells where edges of the other mesh cross or touch each other in the plane of the face: only in meshes that
    /// meet themselves.
    fn collect_crossings(&mut self, face: &Face<'a>, touches: &[Touch], samples: &mut Vec<Sample<'a>>) {
        let mut edges: Vec<u32> = touches
            .iter()
            .flat_map(|touch| self.other.mesh.triangle_edges(touch.other as usize))
            .collect();
        edges.sort_unstable();
        edges.dedup();
        edges.retain(|&edge| self.other.edge(edge).into_iter().all(|end| face.is_level(end)));
        let edges: Vec<([Posed<'a>; 2], Aabb)> = edges
            .into_iter()
            .map(|edge| self.other.edge(edge))
            .map(|[from, to]| {
                let bounds = Aabb { min: from.point.min(to.point), max: from.point.max(to.point) };
                ([from, to], bounds)
            })
            .collect();
        for (i, (edge, bounds)) in edges.iter().enumerate() {
            for (other, other_bounds) in &edges[..i] {
                if bounds.meets(*other_bounds) {
                    meet(face, *edge, *other, samples);
                }
            }
        }
    }
}

/// Adds the cells around the point at which an edge crosses another, or at which the end of one lies inside the other.
fn meet<'a>(face: &Face<'a>, edge: [Posed<'a>; 2], other: [Posed<'a>; 2], samples: &mut Vec<Sample<'a>>) {
    let mut add = |at: Option<Point<'a>>, rays: &[[Posed<'a>; 2]]| {
        let placed = at.and_then(|at| face.place(&at).map(|place| (at, place)));
        if let Some((at, place)) = placed {
            for &[from, to] in rays {
                for ray in [between(from, to), between(to, from)] {
                    samples.extend(face.sample(at.clone(), place, Toward::Along(ray)));
                }
            }
        }
    };
    let side = |[from, to]: [Posed<'a>; 2], point: Posed<'a>| face.left_of(between(from, to), between(from, point));
    let (s0, s1) = (side(edge, other[0]), side(edge, other[1]));
    let (t0, t1) = (side(other, edge[0]), side(other, edge[1]));
    if (s0 * s1).is_negative() && (t0 * t1).is_negative() {
        return add(crossing(edge, other), &[edge, other]);
    }
    for (side, end, inside) in [(s0, other[0], edge), (s1, other[1], edge), (t0, edge[0], other), (t1, edge[1], other)] {
        if side.is_zero() && is_between(inside, end) {
            add(Some(Point::Vertex(end)), &[inside]);
        }
    }
}

/// Whether a point of the line of an edge lies strictly inside it.
fn is_between([from, to]: [Posed<'_>; 2], point: Posed<'_>) -> bool {
    vector_dot_sign(between(point, from), between(point, to)).is_negative()
}

/// Parts of a triangle of the other mesh.
pub(super) struct Parts<'s, 'a, T> {
    pub body: &'s Body<'a, T>,
    pub triangle: u32,
}

impl<'a, T: TriangleSearch> Parts<'_, 'a, T> {
    /// A name that triangles with a common part share.
    fn name(&self, place: Feature) -> u64 {
        let triangle = self.triangle as usize;
        let (kind, id) = match place {
            Feature::Vertex(corner) => (1, self.body.mesh.triangles()[triangle][corner as usize]),
            Feature::Edge(ends) => (2, self.body.mesh.triangle_edges(triangle)[edge_index(ends)]),
            Feature::Face(_) => (3, self.triangle),
        };
        kind << 32 | u64::from(id)
    }

    /// The edges of the triangle that leave a point of it and lie in the plane of a face, with names.
    pub fn rays(&self, face: &Face<'a>, place: Feature) -> impl Iterator<Item = (u64, Vector<'a>)> + use<'a, T> {
        let corners = self.body.mesh.triangles()[self.triangle as usize];
        let at = |corner: u32| self.body.pose.at(self.body.mesh.positions()[corners[corner as usize % 3] as usize]);
        let steps = match place {
            Feature::Vertex(corner) => [Some([corner, corner + 1]), Some([corner, corner + 2])],
            Feature::Edge([from, to]) => [Some([from, to]), Some([to, from])],
            Feature::Face(_) => [None, None],
        };
        let ray = |[from, to]: [u32; 2]| {
            let name = [from, to].map(|corner| u64::from(corners[corner as usize % 3]));
            let is_level = face.is_level(at(from)) && face.is_level(at(to));
            // Never the name of a ray of the face's own, zero: ends are different.
            is_level.then(|| (name[0] << 32 | name[1], between(at(from), at(to))))
        };
        steps.map(|step| step.and_then(ray)).into_iter().flatten()
    }

    /// The common point of a part of the face and a part of the triangle.
    fn point(&self, face: &Face<'a>, place: Feature, other_place: Feature) -> Option<Point<'a>> {
        let corners = self.body.triangle(self.triangle);
        match (place, other_place) {
            (Feature::Vertex(corner), _) => Some(Point::Vertex(face.corners[corner as usize])),
            (_, Feature::Vertex(corner)) => Some(Point::Vertex(corners[corner as usize])),
            (Feature::Edge(ends), Feature::Edge(other_ends)) => {
                crossing(ends.map(|c| face.corners[c as usize]), other_ends.map(|c| corners[c as usize]))
            }
            // Triangles that only touch have no such corner.
            _ => None,
        }
    }
}

/// Edge `k` of a triangle joins the corners `k` and `k + 1`.
fn edge_index([from, to]: [u32; 2]) -> usize {
    if (from, to) == (0, 2) { 2 } else { from as usize }
}

fn local_name(place: Feature) -> u8 {
    match place {
        Feature::Vertex(corner) => corner as u8,
        Feature::Edge(ends) => 3 + edge_index(ends) as u8,
        Feature::Face(_) => 6,
    }
}
