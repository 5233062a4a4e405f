//! How well bodies face each other where they meet [Buss04 §5].
//!
//! Properness is negative exactly where the bodies already overlap beside the contact, also in hollows. For a vertex and a face it is the least
//! sine between an edge of the vertex and the face, for two edges formula (7) of the paper. Written here without left and right:
//! with `f` the unit vector from an edge into one of its faces, at a right angle to it, `(n x e) . n_face` is `-n . f` on either
//! side, so open and non-manifold edges need no rule of their own.

use super::surface::Surface;
use glam::{DMat3, DVec3};

/// How properness of two edges is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EdgeProperness {
    /// Formula (7): the least sine between a face and the plane across the contact normal.
    #[default]
    Seven,
    /// Formula (6): that, times the sine between the edges. Equal to the geometric minimum only for edges at right angles.
    Six,
}

/// Properness of bodies that overlap all around a contact: the normal points into one of them.
const INSIDE: f64 = -1.0;

/// Sines above this are not negative but for rounding: poses are orthonormal to as much.
const LEVEL: f64 = -1e-9;

/// The smallest `e . n` over all edges `e` of a vertex, with `n` the outward normal of the face it meets; 1 if it has none.
///
/// Differs from the paper: at the bottom of a pit no edge goes into the face, but all of the solid around the pit does. If no edge
/// is below the plane, all directions below it are inside the solid or none is. The way straight down from the lowest edge meets no
/// face, because the directions in a face are nowhere lower than at its edges; so that edge tells.
pub(super) fn of_vertex(surface: &Surface, matrix: &DMat3, vertex: u32, normal: DVec3) -> f64 {
    let at = surface.positions[vertex as usize];
    let (mut least, mut lowest) = (1.0, None);
    for &edge in surface.edges_at_vertex.of(vertex) {
        let [v, w] = surface.edges[edge as usize];
        let other = surface.positions[if v == vertex { w } else { v } as usize];
        let sine = (*matrix * (other - at)).normalize_or_zero().dot(normal);
        if sine <= least {
            (least, lowest) = (sine, Some(edge));
        }
    }
    match lowest {
        Some(edge) if least > LEVEL && is_into_solid(surface, matrix, edge, -normal) => INSIDE,
        _ => least,
    }
}

/// Whether an edge of a vertex goes into a face by a sine below `most`, which is negative: [`of_vertex`] is less than that then.
pub(super) fn is_vertex_below(
    surface: &Surface,
    matrix: &DMat3,
    vertex: u32,
    normal: DVec3,
    most: f64,
) -> bool {
    let (at, normal) = (surface.positions[vertex as usize], matrix.transpose() * normal);
    most < 0.0
        && surface.edges_at_vertex.of(vertex).iter().any(|&edge| {
            let [v, w] = surface.edges[edge as usize];
            let along = surface.positions[if v == vertex { w } else { v } as usize] - at;
            let height = along.dot(normal);
            height < 0.0 && height * height > most * most * along.length_squared()
        })
}

/// The smallest `-n . f` over all faces of an edge, with `n` pointing to the other body; 1 if it has none.
///
/// Differs from the paper: along the bottom of a hollow both faces are on the right side of the plane if the normal points into the
/// solid, where the other body cannot be. Formula (7) calls that proper, but whatever crosses such an edge is inside the solid on
/// one side of it at least.
pub(super) fn of_edge(surface: &Surface, matrix: &DMat3, edge: u32, normal: DVec3) -> f64 {
    let least = least_of_edge(surface, matrix, edge, normal);
    if least > LEVEL && is_into_solid(surface, matrix, edge, normal) { INSIDE } else { least }
}

/// The same without what the paper does not say of hollows: not below it.
pub(super) fn least_of_edge(surface: &Surface, matrix: &DMat3, edge: u32, normal: DVec3) -> f64 {
    let faces = surface.triangles_at_edge.of(edge).iter();
    faces.map(|&t| -(*matrix * into_face(surface, edge, t)).dot(normal)).fold(1.0, f64::min)
}

/// The unit vector from an edge into one of its faces, at a right angle to it.
fn into_face(surface: &Surface, edge: u32, triangle: u32) -> DVec3 {
    let ends = surface.edges[edge as usize];
    let [from, to] = ends.map(|v| surface.positions[v as usize]);
    let along = (to - from).normalize_or_zero();
    let third = surface.triangles[triangle as usize].corners.into_iter().find(|v| !ends.contains(v));
    let into = third.map_or(DVec3::ZERO, |v| surface.positions[v as usize] - from);
    (into - along * into.dot(along)).normalize_or_zero()
}

/// Whether a direction from an edge leads into the solid: it is behind the face that is nearest to it, about the edge.
fn is_into_solid(surface: &Surface, matrix: &DMat3, edge: u32, direction: DVec3) -> bool {
    let faces = surface.triangles_at_edge.of(edge).iter();
    let near = |t: u32| (*matrix * into_face(surface, edge, t)).dot(direction);
    let nearest = faces.copied().max_by(|&s, &t| near(s).total_cmp(&near(t)));
    nearest.is_some_and(|t| {
        let face = &surface.triangles[t as usize];
        let [a, b, c] = face.corners.map(|v| surface.positions[v as usize]);
        !face.is_two_sided && (*matrix * (b - a).cross(c - a)).dot(direction) < 0.0
    })
}
