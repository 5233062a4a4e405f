//! Facets of different bodies that pass through each other are cut where they do: each piece is in front of or behind all
//! of the other, as painting in order needs it.

use super::{
    depth::{Plane, centred, for_each_sample, strips_of},
    facet::{Facet, doubled_area},
    frame::Pixel,
};
use std::collections::{BTreeMap, BTreeSet};

/// Pieces of one facet, beyond which it stays as it is.
const MOST: usize = 64;
/// Corners nearer to the plane of the other facet than so many pixels lie on it.
const FLAT: f64 = 1e-3;

/// The facets, cut; those that cross nothing as they are and in their order.
pub fn cut_apart(facets: Vec<Facet>) -> Vec<Facet> {
    let crossed = crossings(&facets);
    if crossed.is_empty() {
        return facets;
    }
    let mut apart = Vec::with_capacity(facets.len());
    for (f, facet) in facets.iter().enumerate() {
        let mut pieces = vec![*facet];
        for &other in crossed.get(&(f as u32)).into_iter().flatten() {
            let other = &facets[other as usize];
            if pieces.len() < MOST {
                pieces = pieces.iter().flat_map(|piece| cut(piece, other)).collect();
            }
        }
        apart.extend(pieces);
    }
    apart
}

/// For each facet those of other bodies that are before it at one sample of the picture and behind it at another.
fn crossings(facets: &[Facet]) -> BTreeMap<u32, BTreeSet<u32>> {
    let mut behind = BTreeSet::new();
    for (top, members) in &strips_of(facets) {
        for_each_sample(facets, *top, members, |_, layers| {
            for pair in layers.windows(2) {
                let [far, near] = [pair[0].1, pair[1].1];
                if pair[1].0 - pair[0].0 > FLAT
                    && facets[far as usize].style.body != facets[near as usize].style.body
                {
                    behind.insert((far, near));
                }
            }
        });
    }
    let mut crossed: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for &(far, near) in behind.iter().filter(|(far, near)| behind.contains(&(*near, *far))) {
        crossed.entry(far).or_default().insert(near);
    }
    crossed
}

/// A facet along the plane of another; whole where both do not share a part of the picture.
fn cut(facet: &Facet, other: &Facet) -> Vec<Facet> {
    let plane = Plane::of(other);
    let heights: [f64; 3] = std::array::from_fn(|k| {
        let [x, y] = centred(facet.corners[k]);
        let height = facet.nearness[k] - plane.at(x, y);
        if height.abs() > FLAT { height } else { 0.0 }
    });
    let is_cut = heights.iter().any(|h| *h > 0.0) && heights.iter().any(|h| *h < 0.0);
    if !is_cut || !overlap(facet.corners, other.corners) {
        return vec![*facet];
    }
    [1.0, -1.0].into_iter().flat_map(|sign| on_side(facet, heights.map(|h| sign * h))).collect()
}

fn overlap(a: [Pixel; 3], b: [Pixel; 3]) -> bool {
    let range = |corners: [Pixel; 3], axis: usize| {
        let [p, q, r] = corners.map(|corner| corner[axis]);
        (p.min(q).min(r), p.max(q).max(r))
    };
    (0..2).all(|axis| {
        let ((low_a, high_a), (low_b, high_b)) = (range(a, axis), range(b, axis));
        low_a <= high_b && low_b <= high_a
    })
}

/// The part of a facet with heights that are not negative.
fn on_side(facet: &Facet, heights: [f64; 3]) -> Vec<Facet> {
    let mut outline: Vec<(Pixel, f64)> = Vec::new();
    for k in 0..3 {
        let next = (k + 1) % 3;
        if heights[k] >= 0.0 {
            outline.push((facet.corners[k], facet.nearness[k]));
        }
        if heights[k] * heights[next] < 0.0 {
            let t = heights[k] / (heights[k] - heights[next]);
            let between = |p: i32, q: i32| (f64::from(p) + t * (f64::from(q) - f64::from(p))).round() as i32;
            let pixel = [0, 1].map(|axis| between(facet.corners[k][axis], facet.corners[next][axis]));
            outline.push((pixel, facet.nearness[k] + t * (facet.nearness[next] - facet.nearness[k])));
        }
    }
    let piece = |i: usize| {
        let [a, b, c] = [outline[0], outline[i], outline[i + 1]];
        Facet { corners: [a.0, b.0, c.0], nearness: [a.1, b.1, c.1], style: facet.style }
    };
    let pieces = (1..outline.len().saturating_sub(1)).map(piece);
    pieces.filter(|piece| doubled_area(piece.corners) > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::facet::{Side, Style};

    fn facet(corners: [Pixel; 3], nearness: [f64; 3], body: u32) -> Facet {
        assert!(doubled_area(corners) > 0);
        Facet { corners, nearness, style: Style { body, light: 1, side: Side::Front } }
    }

    /// Two large triangles that cross along a vertical line: no piece has the other body before it and behind it.
    #[test]
    fn pieces_are_before_or_behind_the_other_body() {
        let corners = [[0, 0], [0, 8000], [8000, 0]];
        let level = facet(corners, [2.0; 3], 0);
        let steep = facet(corners, [0.0, 0.0, 8.0], 1);
        let pieces = cut_apart(vec![level, steep]);
        assert!(pieces.len() > 4, "{}", pieces.len());
        let area = |body: u32| -> i64 {
            pieces.iter().filter(|p| p.style.body == body).map(|p| doubled_area(p.corners)).sum()
        };
        assert_eq!([area(0), area(1)], [8000 * 8000; 2]);
        for piece in &pieces {
            let other = Plane::of(if piece.style.body == 0 { &steep } else { &level });
            let heights: Vec<f64> = (0..3)
                .map(|k| {
                    let [x, y] = centred(piece.corners[k]);
                    piece.nearness[k] - other.at(x, y)
                })
                .collect();
            let (low, high) = heights.iter().fold((0.0f64, 0.0f64), |(l, h), z| (l.min(*z), h.max(*z)));
            assert!(low.abs() < 0.01 || high < 0.01, "{heights:?}");
        }
    }

    #[test]
    fn facets_of_one_body_and_facets_that_do_not_cross_stay() {
        let corners = [[0, 0], [0, 8000], [8000, 0]];
        let (level, steep) = ([2.0; 3], [0.0, 0.0, 8.0]);
        assert_eq!(cut_apart(vec![facet(corners, level, 0), facet(corners, steep, 0)]).len(), 2);
        assert_eq!(cut_apart(vec![facet(corners, level, 0), facet(corners, [3.0, 4.0, 8.0], 1)]).len(), 2);
    }
}
