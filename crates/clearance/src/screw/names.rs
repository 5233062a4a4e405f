//! What contacts lie on, and how features are called.

use super::features::Containment;
use super::pairs::Pairs;
use super::resolve::Entity;
use super::surface::{NONE, Surface};
use crate::pair::Feature;

pub(super) fn part_of(surface: &Surface, vertex: u32) -> u32 {
    surface.vertex_names[vertex as usize].0
}

pub(super) fn edge_name(surface: &Surface, edge: u32) -> Feature {
    Feature::Edge(surface.edges[edge as usize].map(|v| surface.vertex_names[v as usize].1))
}

/// The face, edge or vertex that a place on a triangle belongs to.
pub(super) fn on_triangle(surface: &Surface, triangle: u32, borders: Containment) -> Entity {
    let face = &surface.triangles[triangle as usize];
    let open = match borders {
        Containment::Border(open) => [open[0], open[1], open[2]],
        _ => [false; 3],
    };
    match open {
        [true, true, true] | [false, false, false] => Entity::Face(face.face),
        // Two sides meet in a corner.
        [true, false, true] => Entity::Vertex(face.corners[0]),
        [true, true, false] => Entity::Vertex(face.corners[1]),
        [false, true, true] => Entity::Vertex(face.corners[2]),
        _ => {
            let side = open.iter().position(|&is_open| is_open).unwrap_or(0);
            let edge = face.edges[side];
            if edge == NONE { Entity::Face(face.face) } else { Entity::Edge(edge) }
        }
    }
}

/// The edges or their ends that meet.
pub(super) fn on_edges(pairs: &Pairs<'_>, [edge_a, edge_b]: [u32; 2], borders: Containment) -> [Entity; 2] {
    let open = if let Containment::Border(open) = borders { open } else { [false; 4] };
    let end = |edge: u32, ends: [u32; 2], first: bool, last: bool| match (first, last) {
        (true, false) => Entity::Vertex(ends[0]),
        (false, true) => Entity::Vertex(ends[1]),
        _ => Entity::Edge(edge),
    };
    [
        end(edge_a, pairs.a.surface.edges[edge_a as usize], open[0], open[1]),
        end(edge_b, pairs.b.surface.edges[edge_b as usize], open[2], open[3]),
    ]
}
