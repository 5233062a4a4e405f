//! The vertex, edge or face with which a polytope meets a plane.

use super::feature::Feature;
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
}

/// The feature at the extreme vertex along a unit direction: the incident face most parallel to the supporting
/// plane if it is inclined by less than `flatness` (a sine), else the edge if one is, else the vertex.
pub(super) fn supporting(map: &SupportMap, pose: &Pose, direction: DVec3, flatness: f64) -> Supporting {
    let polytope = map.polytope();
    let along = pose.rotation().transpose() * direction;
    let vertex = map.climb(along, map.start(along)).vertex;
    let here = |feature, vertices: Vec<u32>| {
        let local: Vec<DVec3> = vertices.iter().map(|&v| map.vertex(v)).collect();
        let points = local.iter().map(|&point| pose.apply(point)).collect();
        Supporting { feature, vertices, points, local, rotation: pose.rotation(), normal: direction }
    };
    if let Some(face) = flattest_face(polytope, vertex, along, flatness) {
        let mut found = here(Feature::face(face), face.to_vec());
        found.normal = found.rotation * area_normal(&found.local);
        return found;
    }
    match flattest_edge(polytope, vertex, along, flatness) {
        Some(to) => here(Feature::edge(vertex, to), vec![vertex.min(to), vertex.max(to)]),
        None => here(Feature::Vertex(vertex), vec![vertex]),
    }
}

/// Neighbours come counter-clockwise, so each and the next span the corner of a face.
fn flattest_face(polytope: &Polytope, vertex: u32, along: DVec3, flatness: f64) -> Option<&[u32]> {
    let at = |v: u32| polytope.vertices()[v as usize];
    let neighbours = polytope.neighbours(vertex as usize);
    if polytope.dimension() < 2 {
        return None;
    }
    let next = |i: usize| neighbours[(i + 1) % neighbours.len()];
    let inclined = |i: usize| {
        let normal = (at(neighbours[i]) - at(vertex)).cross(at(next(i)) - at(vertex));
        let unit = normal.try_normalize().unwrap_or(DVec3::ZERO);
        // The cosine orders the faces; the sine, which is exact for small angles, admits them.
        (unit.dot(along), unit.cross(along).length())
    };
    let corners = (0..neighbours.len()).map(|i| (i, inclined(i)));
    let (best, (cosine, sine)) = corners.max_by(|x, y| x.1.0.total_cmp(&y.1.0))?;
    if cosine <= 0.0 || sine > flatness {
        return None;
    }
    let (out, back) = (neighbours[best], next(best));
    // The face runs `back, vertex, out`.
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
    points[1..].windows(2).map(|edge| (edge[0] - points[0]).cross(edge[1] - points[0])).sum()
}
