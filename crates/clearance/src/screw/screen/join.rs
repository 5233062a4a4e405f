//! Triangles that make up convex faces of four corners.

use super::facets::Side;
use crate::screw::surface::{NONE, Surface};

/// Corners of four that turn by a smaller sine than this are not joined.
const SHARP: f64 = 1e-6;

/// The triangle that each one makes a face with, or none.
///
/// Of several the one behind the longest side: quadrangles are given as two triangles each, with a diagonal between them.
pub(super) fn joined(surface: &Surface, sides: &[Side]) -> Vec<u32> {
    let mut partners = vec![NONE; surface.triangles.len()];
    let inside = inside_faces(surface);
    for t in 0..surface.triangles.len() {
        if partners[t] != NONE {
            continue;
        }
        let triangle = &surface.triangles[t];
        let behind = |k: usize| match triangle.edges[k] {
            NONE => inside(t as u32, [triangle.corners[k], triangle.corners[(k + 1) % 3]]),
            edge if sides[edge as usize].hollow == f64::INFINITY => {
                surface.triangles_at_edge.of(edge).iter().copied().find(|&other| other != t as u32)
            }
            _ => None,
        };
        let length = |k: usize| {
            let [v, w] = [k, (k + 1) % 3].map(|k| surface.positions[triangle.corners[k] as usize]);
            (w - v).length_squared()
        };
        let fits = |&(k, other): &(usize, u32)| {
            partners[other as usize] == NONE && is_convex(surface, [t as u32, other], k)
        };
        let all = (0..3).filter_map(|k| behind(k).map(|other| (k, other))).filter(fits);
        if let Some((_, other)) = all.max_by(|x, y| length(x.0).total_cmp(&length(y.0))) {
            (partners[t], partners[other as usize]) = (other, t as u32);
        }
    }
    partners
}

/// Finds the other triangle of a face of a polytope along a side: those of a face follow each other, all around one corner.
fn inside_faces(surface: &Surface) -> impl Fn(u32, [u32; 2]) -> Option<u32> {
    |t: u32, ends: [u32; 2]| {
        let face = surface.triangles[t as usize].face;
        [t.checked_sub(1), t.checked_add(1)].into_iter().flatten().find(|&other| {
            let other = surface.triangles.get(other as usize);
            other.is_some_and(|o| o.face == face && ends.iter().all(|v| o.corners.contains(v)))
        })
    }
}

/// Whether two triangles of a plane, of which the first has side `k` in common with the other, are convex together.
fn is_convex(surface: &Surface, [t, other]: [u32; 2], k: usize) -> bool {
    let [own, other] = [t, other].map(|t| surface.triangles[t as usize].corners);
    let [from, to, third] = [k, k + 1, k + 2].map(|k| own[k % 3]);
    let Some(fourth) = other.into_iter().find(|&v| v != from && v != to) else { return false };
    let at = |v: u32| surface.positions[v as usize];
    let corners = [from, fourth, to, third].map(at);
    let normal = (at(to) - at(from)).cross(at(third) - at(from)).normalize_or_zero();
    (0..4).all(|k| {
        let [p, q, s] = [corners[k], corners[(k + 1) % 4], corners[(k + 2) % 4]];
        let turn = (q - p).normalize_or_zero().cross((s - q).normalize_or_zero());
        turn.dot(normal) > SHARP
    })
}
