//! The vertex, edge or face with which a polytope meets a plane.

use super::feature::Feature;
use crate::exact::{Sign, Vector, det_sign, dot_sign, vector_dot_sign};
use crate::math::Pose;
use crate::shape::Polytope;
use crate::support::SupportMap;
use glam::{DMat3, DVec3};

/// A supporting feature, in the world.
#[derive(Clone, Debug)]
pub(super) struct Supporting {
    pub feature: Feature,
    /// Its vertices: one, two, or those of a face in order, counter-clockwise seen from outside.
    pub vertices: Vec<u32>,
    pub points: Vec<DVec3>,
    /// The same in the frame of the body, where their differences are not rounded by the place of the body.
    pub local: Vec<DVec3>,
    pub rotation: DMat3,
    /// The outward normal of a face, any length; the direction asked for otherwise.
    pub normal: DVec3,
}

impl Supporting {
    /// From one of its points to another, in the world.
    pub fn between(&self, from: usize, to: usize) -> DVec3 {
        self.rotation * (self.local[to] - self.local[from])
    }

    /// With some of its points only, under the same name.
    pub fn restricted_to(&self, kept: &[usize], normal: DVec3) -> Supporting {
        let vertices = kept.iter().map(|&i| self.vertices[i]).collect();
        let points = kept.iter().map(|&i| self.points[i]).collect();
        let local = kept.iter().map(|&i| self.local[i]).collect();
        Supporting { vertices, points, local, normal, ..*self }
    }
}

/// The feature at the extreme vertex along a unit direction: the incident face most parallel to the supporting
/// plane if it is inclined by less than `flatness` (a sine), else the edge if one is, else the vertex.
///
/// Where more vertices than its own reach the supporting plane up to rounding, as on a face that rounding has broken into
/// several, it is all of these.
pub(super) fn supporting(map: &SupportMap, pose: &Pose, direction: DVec3, flatness: f64) -> Supporting {
    let polytope = map.polytope();
    let along = pose.rotation().transpose() * direction;
    let vertex = map.climb(along, map.start(along)).vertex;
    let here = |feature, vertices: Vec<u32>| {
        let local: Vec<DVec3> = vertices.iter().map(|&v| map.vertex(v)).collect();
        let points = local.iter().map(|&point| pose.apply(point)).collect();
        Supporting { feature, vertices, points, local, rotation: pose.rotation(), normal: direction }
    };
    let (face, level) =
        (flattest_face(polytope, vertex, along, flatness), level_vertices(map, along, vertex));
    let edge = flattest_edge(polytope, vertex, along, flatness).map(|to| [vertex.min(to), vertex.max(to)]);
    let single = [vertex];
    let found = face.or(edge.as_ref().map(|edge| &edge[..])).unwrap_or(&single);
    if level.iter().any(|v| !found.contains(v)) {
        let corners = outline(map, along, &level);
        let name =
            face.map(Feature::face).unwrap_or_else(|| Feature::of(polytope, corners.iter().take(4).copied()));
        return here(name, corners);
    }
    match (face, edge) {
        (Some(face), _) => {
            let mut found = here(Feature::face(face), face.to_vec());
            found.normal = found.rotation * area_normal(&found.local);
            found
        }
        (_, Some(edge)) => here(Feature::Edge(edge), edge.to_vec()),
        _ => here(Feature::Vertex(vertex), vec![vertex]),
    }
}

/// The vertices around an extreme one that are as high up to rounding.
fn level_vertices(map: &SupportMap, along: DVec3, vertex: u32) -> Vec<u32> {
    let lowest = along.dot(map.vertex(vertex)) - 64.0 * f64::EPSILON * map.reach();
    let (mut level, mut searched) = (vec![vertex], 0);
    while searched < level.len() {
        for &neighbour in map.polytope().neighbours(level[searched] as usize) {
            if along.dot(map.vertex(neighbour)) >= lowest && !level.contains(&neighbour) {
                level.push(neighbour);
            }
        }
        searched += 1;
    }
    level
}

/// The corners of the hull of vertices seen along a direction, counter-clockwise from its tip: exactly convex, because
/// sides as short as rounding would else lie any way. Gift wrapping, for few vertices.
fn outline(map: &SupportMap, along: DVec3, vertices: &[u32]) -> Vec<u32> {
    let still = Pose::IDENTITY;
    let between = |from: u32, to: u32| Vector::Between(still.at(map.vertex(from)), still.at(map.vertex(to)));
    let across = along.any_orthonormal_vector();
    let is_first = |v: u32, best: u32| match dot_sign(across, between(best, v)) {
        Sign::Zero => dot_sign(along.cross(across), between(best, v)).is_negative(),
        sign => sign.is_negative(),
    };
    let first = vertices.iter().copied().reduce(|best, v| if is_first(v, best) { v } else { best });
    let Some(first) = first else { return Vec::new() };
    let mut corners = vec![first];
    while corners.len() <= vertices.len() {
        let here = corners[corners.len() - 1];
        // All others are left of the way to the next; of those straight ahead the farthest.
        let is_better =
            |v: u32, next: u32| match det_sign(between(here, next), between(here, v), Vector::Literal(along))
            {
                Sign::Zero => vector_dot_sign(between(next, v), between(here, next)).is_positive(),
                sign => sign.is_negative(),
            };
        let others = vertices.iter().copied().filter(|&v| v != here);
        match others.reduce(|next, v| if is_better(v, next) { v } else { next }) {
            Some(next) if next != first => corners.push(next),
            _ => break,
        }
    }
    corners.truncate(vertices.len());
    corners
}

/// Corners with a smaller angle than this (its sine), or nearly straight ones, do not say how their face lies.
const CORNER: f64 = 1e-4;

/// Neighbours come counter-clockwise, so each and the next span the corner of a face.
fn flattest_face(polytope: &Polytope, vertex: u32, along: DVec3, flatness: f64) -> Option<&[u32]> {
    let at = |v: u32| polytope.vertices()[v as usize];
    let neighbours = polytope.neighbours(vertex as usize);
    if polytope.dimension() < 2 {
        return None;
    }
    let next = |i: usize| neighbours[(i + 1) % neighbours.len()];
    let inclined = |i: usize| {
        let (out, back) = (at(neighbours[i]) - at(vertex), at(next(i)) - at(vertex));
        let mut normal = out.cross(back);
        if normal.length() <= CORNER * out.length() * back.length() {
            let face = face_at(polytope, vertex, neighbours[i], next(i)).unwrap_or_default();
            normal = area_normal(&face.iter().map(|&v| at(v)).collect::<Vec<_>>());
        }
        let unit = normal.try_normalize().unwrap_or(DVec3::ZERO);
        // The cosine orders the faces; the sine, which is exact for small angles, admits them.
        (unit.dot(along), unit.cross(along).length())
    };
    let corners = (0..neighbours.len()).map(|i| (i, inclined(i)));
    let (best, (cosine, sine)) = corners.max_by(|x, y| x.1.0.total_cmp(&y.1.0))?;
    if cosine <= 0.0 || sine > flatness {
        return None;
    }
    face_at(polytope, vertex, neighbours[best], next(best))
}

/// The face that runs `back, vertex, out`.
fn face_at(polytope: &Polytope, vertex: u32, out: u32, back: u32) -> Option<&[u32]> {
    let runs = |face: &[u32]| {
        let i = face.iter().position(|&v| v == vertex)?;
        let n = face.len();
        Some(face[(i + 1) % n] == out && face[(i + n - 1) % n] == back)
    };
    polytope.faces().find(|face| runs(face) == Some(true))
}

fn flattest_edge(polytope: &Polytope, vertex: u32, along: DVec3, flatness: f64) -> Option<u32> {
    let at = |v: u32| polytope.vertices()[v as usize];
    let incline = |to: u32| (at(to) - at(vertex)).try_normalize().map_or(1.0, |e| e.dot(along).abs());
    let edges = polytope.neighbours(vertex as usize).iter().map(|&to| (to, incline(to)));
    let (to, sine) = edges.min_by(|x, y| x.1.total_cmp(&y.1).then(x.0.cmp(&y.0)))?;
    (sine <= flatness).then_some(to)
}

/// Twice the area vector of a polygon.
fn area_normal(points: &[DVec3]) -> DVec3 {
    points
        .get(1..)
        .unwrap_or_default()
        .windows(2)
        .map(|edge| (edge[0] - points[0]).cross(edge[1] - points[0]))
        .sum()
}
