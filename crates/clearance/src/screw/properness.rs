//! How well bodies face each other where they meet [Buss04 §5].
//!
//! Properness is negative exactly where the bodies already overlap beside the contact. For a vertex and a face it is the least
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

/// The smallest `e . n` over all edges `e` of a vertex, with `n` the outward normal of the face it meets; 1 if it has none.
pub(super) fn of_vertex(surface: &Surface, matrix: &DMat3, vertex: u32, normal: DVec3) -> f64 {
    let at = surface.positions[vertex as usize];
    let edges = surface.edges_at_vertex.of(vertex).iter().map(|&e| {
        let [v, w] = surface.edges[e as usize];
        let other = surface.positions[if v == vertex { w } else { v } as usize];
        (*matrix * (other - at)).normalize_or_zero().dot(normal)
    });
    edges.fold(1.0, f64::min)
}

/// The smallest `-n . f` over all faces of an edge, with `n` pointing to the other body; 1 if it has none.
pub(super) fn of_edge(surface: &Surface, matrix: &DMat3, edge: u32, normal: DVec3) -> f64 {
    let [from, to] = surface.edges[edge as usize].map(|v| surface.positions[v as usize]);
    let along = (to - from).normalize_or_zero();
    let faces = surface.triangles_at_edge.of(edge).iter().map(|&t| {
        let triangle = &surface.triangles[t as usize];
        let third = triangle.corners.iter().find(|v| !surface.edges[edge as usize].contains(v));
        let into = third.map_or(DVec3::ZERO, |&v| surface.positions[v as usize] - from);
        -(*matrix * (into - along * into.dot(along)).normalize_or_zero()).dot(normal)
    });
    faces.fold(1.0, f64::min)
}
