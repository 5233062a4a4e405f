//! Which facets can be seen, and an order that paints farther ones first.
//!
//! Both are sampled at the centres of pixels. Two facets are compared only where they share a sample, so
//! the order is no guess from their middles. Thin facets, which lie between the centres of pixels for most of
//! their length, are sampled along that length as well.

use super::{
    depth::{DepthGrid, Plane, centred, for_each_sample, strips_of},
    facet::{Facet, doubled_area},
};
use std::collections::BTreeSet;

/// Facets closer than this many pixels in depth are side by side, not one behind the other.
const SIDE_BY_SIDE: f64 = 1e-6;
/// Facets narrower than this many pixels are sampled along their length, too.
const THIN: f64 = 2.0;
/// Facets shorter than this many pixels that cover no centre of a pixel are too small to see.
const SHORT: f64 = 1.5;

/// What is painted.
#[derive(Debug)]
pub struct Painting {
    /// The visible facets, farther ones first; facets of equal style follow each other where possible.
    pub order: Vec<u32>,
    /// What lines are hidden by.
    pub depth: DepthGrid,
}

/// Finds what is visible and in which order to paint it.
///
/// A pair that is in front of each other at different samples is ordered by the majority; a cycle is cut
/// at the facet whose middle is farthest. Ties go by index, so the result depends on the facets only.
/// `O(samples + n log n)`.
pub fn painting(facets: &[Facet], opaque: impl Fn(&Facet) -> bool) -> Painting {
    let strips = strips_of(facets);
    let (mut visible, mut sampled) = (vec![false; facets.len()], vec![false; facets.len()]);
    let mut depth = DepthGrid::around(facets);
    for (top, members) in &strips {
        for_each_sample(facets, *top, members, |[column, row], layers| {
            layers.iter().for_each(|layer| sampled[layer.1 as usize] = true);
            for layer in layers.iter().rev() {
                visible[layer.1 as usize] = true;
                if opaque(&facets[layer.1 as usize]) {
                    depth.cover(column, row, *layer);
                    break;
                }
            }
        });
    }
    let mut votes = Vec::new();
    for f in 0..facets.len() {
        let seen = sample_along(facets, f as u32, sampled[f], &depth, &mut votes);
        visible[f] |= seen;
    }
    votes.retain(|vote| visible[vote.0 as usize] && visible[vote.1 as usize]);
    for (top, members) in &strips {
        let members: Vec<u32> = members.iter().copied().filter(|&f| visible[f as usize]).collect();
        for_each_sample(facets, *top, &members, |_, layers| {
            for pair in layers.windows(2) {
                if pair[1].0 - pair[0].0 > SIDE_BY_SIDE {
                    votes.push(vote(pair[0].1, pair[1].1));
                }
            }
        });
    }
    Painting { order: sort(facets, &visible, &majority(votes)), depth }
}

/// A pair, the smaller index first, and whether that one is the farther.
type Vote = (u32, u32, bool);

fn vote(far: u32, near: u32) -> Vote {
    (far.min(near), far.max(near), far < near)
}

/// Compares a thin facet with the nearest one at each pixel along its length; whether it can be seen anywhere.
fn sample_along(facets: &[Facet], f: u32, sampled: bool, depth: &DepthGrid, votes: &mut Vec<Vote>) -> bool {
    // The nearest facet was found at the centre of the pixel, so its plane is off by a little of its slope.
    const SLACK: f64 = 0.02;
    let facet = &facets[f as usize];
    let Some((start, end)) = length_of(facet, sampled) else { return false };
    let plane = Plane::of(facet);
    let steps = f64::hypot(end[0] - start[0], end[1] - start[1]).ceil().max(1.0);
    let mut seen = false;
    for i in 0..steps as u32 {
        let t = (f64::from(i) + 0.5) / steps;
        let [x, y] = [0, 1].map(|k| start[k] + t * (end[k] - start[k]));
        let Some((_, nearest)) = depth.at(x.round() as i32, y.round() as i32) else {
            seen = true;
            continue;
        };
        let ahead = plane.at(x, y) - Plane::of(&facets[nearest as usize]).at(x, y);
        seen |= nearest == f || ahead >= -SLACK;
        if nearest != f && ahead.abs() > SLACK {
            votes.push(if ahead > 0.0 { vote(nearest, f) } else { vote(f, nearest) });
        }
    }
    seen
}

/// The median of a thin facet from the middle of its shortest side; none if it is wide or too small to see.
fn length_of(facet: &Facet, sampled: bool) -> Option<([f64; 2], [f64; 2])> {
    let corners = facet.corners.map(centred);
    let side = |k: usize| {
        let (p, q) = (corners[(k + 1) % 3], corners[(k + 2) % 3]);
        f64::hypot(q[0] - p[0], q[1] - p[1])
    };
    let longest = side(0).max(side(1)).max(side(2));
    let width = doubled_area(facet.corners) as f64 / 1e4 / longest;
    if width > THIN || (!sampled && longest < SHORT) {
        return None;
    }
    let tip = (0..3).min_by(|&j, &k| side(j).total_cmp(&side(k)))?;
    let (p, q) = (corners[(tip + 1) % 3], corners[(tip + 2) % 3]);
    Some(([0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])], corners[tip]))
}

/// Per pair that shares samples, `(far, near)` as most samples say.
fn majority(mut votes: Vec<Vote>) -> Vec<(u32, u32)> {
    votes.sort_unstable();
    let pairs = votes.chunk_by(|p, q| (p.0, p.1) == (q.0, q.1));
    pairs
        .map(|pair| {
            let low_is_far = 2 * pair.iter().filter(|vote| vote.2).count() >= pair.len();
            if low_is_far { (pair[0].0, pair[0].1) } else { (pair[0].1, pair[0].0) }
        })
        .collect()
}

/// Topological order of the visible facets; stays with a style as long as one of its facets is ready.
fn sort(facets: &[Facet], visible: &[bool], behind: &[(u32, u32)]) -> Vec<u32> {
    let mut by_depth: Vec<u32> = (0..facets.len() as u32).filter(|&f| visible[f as usize]).collect();
    let middle = |f: u32| facets[f as usize].nearness.iter().sum::<f64>();
    by_depth.sort_by(|&f, &g| middle(f).total_cmp(&middle(g)).then(f.cmp(&g)));
    let mut rank = vec![u32::MAX; facets.len()];
    for (r, &f) in by_depth.iter().enumerate() {
        rank[f as usize] = r as u32;
    }
    let mut nearer: Vec<Vec<u32>> = vec![Vec::new(); by_depth.len()];
    let mut waiting = vec![0u32; by_depth.len()];
    for &(far, near) in behind {
        nearer[rank[far as usize] as usize].push(rank[near as usize]);
        waiting[rank[near as usize] as usize] += 1;
    }
    let style = |r: u32| facets[by_depth[r as usize] as usize].style;
    let mut ready: BTreeSet<_> = BTreeSet::new();
    for r in 0..by_depth.len() as u32 {
        if waiting[r as usize] == 0 {
            ready.insert((style(r), r));
        }
    }
    let (mut order, mut done, mut oldest) =
        (Vec::with_capacity(by_depth.len()), vec![false; by_depth.len()], 0);
    let mut farthest: BTreeSet<u32> = ready.iter().map(|&(_, r)| r).collect();
    let mut current = None;
    while order.len() < by_depth.len() {
        let same = current.and_then(|s| ready.range((s, 0)..=(s, u32::MAX)).next().map(|&(_, r)| r));
        let next = same.or_else(|| farthest.first().copied()).unwrap_or_else(|| {
            // Only cycles are left: cut at the farthest.
            while done[oldest] {
                oldest += 1;
            }
            oldest as u32
        });
        ready.remove(&(style(next), next));
        farthest.remove(&next);
        done[next as usize] = true;
        current = Some(style(next));
        order.push(by_depth[next as usize]);
        for &r in &nearer[next as usize] {
            waiting[r as usize] -= 1;
            if waiting[r as usize] == 0 && !done[r as usize] {
                ready.insert((style(r), r));
                farthest.insert(r);
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::super::{
        depth::{STRIP, cover},
        facet::{Side, Style},
        frame::Pixel,
    };
    use super::*;
    use std::collections::BTreeMap;

    fn facet(corners: [Pixel; 3], nearness: [f64; 3], light: u32) -> Facet {
        assert!(doubled_area(corners) > 0);
        Facet { corners, nearness, style: Style { body: 0, light, side: Side::Front } }
    }

    /// A right triangle of `size` pixels with its right angle at the given pixel.
    fn wedge(x: i32, y: i32, size: i32, nearness: f64, light: u32) -> Facet {
        let corners = [[100 * x, 100 * y], [100 * x, 100 * (y + size)], [100 * (x + size), 100 * y]];
        facet(corners, [nearness; 3], light)
    }

    fn painting_order(facets: &[Facet], opaque: impl Fn(&Facet) -> bool) -> Vec<u32> {
        painting(facets, opaque).order
    }

    /// A sliver of a fifth of a pixel between two columns of centres, beside, behind and before a wide facet.
    #[test]
    fn slivers_are_seen_and_ordered() {
        let sliver = |x: i32, near: f64| facet([[x, 100], [x, 2000], [x + 20, 2000]], [near; 3], 2);
        let wide = wedge(0, 0, 50, 3.0, 1);
        assert_eq!(painting_order(&[sliver(-340, 3.0), wide], |_| true), [0, 1]);
        assert_eq!(painting_order(&[sliver(560, 1.0), wide], |_| true), [1]);
        assert_eq!(painting_order(&[sliver(560, 5.0), wide], |_| true), [1, 0]);
        // Visible above the wide facet's border and hidden below it: it must not be painted over it.
        let diving = facet([[560, -3000], [560, 2000], [580, 2000]], [1.0; 3], 2);
        assert_eq!(painting_order(&[wide, diving], |_| true), [1, 0]);
    }

    #[test]
    fn what_is_hidden_is_left_out_and_the_rest_goes_from_far_to_near() {
        let facets = [wedge(0, 0, 50, 3.0, 1), wedge(5, 5, 10, 1.0, 2), wedge(-10, -10, 90, 2.0, 3)];
        assert_eq!(painting_order(&facets, |_| true), [2, 0]);
        assert_eq!(painting_order(&facets, |_| false), [1, 2, 0]);
    }

    /// A long triangle whose middle is nearer than a small one that stands in front of its far end.
    #[test]
    fn the_order_is_not_that_of_middles() {
        let long = facet([[0, 0], [0, 4000], [30000, 2000]], [100.0, 100.0, 0.0], 1);
        let small = wedge(250, 16, 10, 40.0, 2);
        assert!(long.nearness.iter().sum::<f64>() > small.nearness.iter().sum());
        assert_eq!(painting_order(&[small, long], |_| true), [1, 0]);
    }

    #[test]
    fn equal_styles_follow_each_other_where_nothing_forbids_it() {
        let facets: Vec<Facet> =
            (0..20).map(|i| wedge(30 * i, 0, 20, f64::from(i % 7), i as u32 % 2)).collect();
        let order = painting_order(&facets, |_| true);
        let changes = order.windows(2).filter(|w| facets[w[0] as usize].style != facets[w[1] as usize].style);
        assert_eq!(changes.count(), 1);
    }

    #[test]
    fn a_cycle_is_cut_and_every_facet_painted_once() {
        // Three long triangles, each over the next.
        let bar = |a: Pixel, b: Pixel, c: Pixel, near: [f64; 3], light| {
            if doubled_area([a, b, c]) > 0 {
                facet([a, b, c], near, light)
            } else {
                facet([a, c, b], [near[0], near[2], near[1]], light)
            }
        };
        let facets = [
            bar([0, 0], [0, 2000], [20000, 1000], [0.0, 0.0, 9.0], 1),
            bar([18000, 0], [20000, 0], [10000, 18000], [0.0, 0.0, 9.0], 2),
            bar([9000, 18000], [11000, 18000], [1000, 0], [0.0, 0.0, 9.0], 3),
        ];
        let mut order = painting_order(&facets, |_| true);
        order.sort_unstable();
        assert_eq!(order, [0, 1, 2]);
    }

    /// Oracle: a picture painted in the order equals a depth buffer at every sample.
    #[test]
    fn painting_in_order_equals_a_depth_buffer() {
        let mut state = 5u64;
        let mut random = move |n: i32| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state >> 33) % n as u64) as i32
        };
        for _ in 0..30 {
            // Parallel to the picture at different depths: no cycles, so the order must be perfect.
            let facets: Vec<Facet> = (0..60)
                .map(|_| {
                    loop {
                        let corners = [0; 3].map(|_| [random(12000), random(9000)]);
                        if doubled_area(corners) > 0 {
                            break facet(corners, [f64::from(random(1000)); 3], random(4) as u32);
                        }
                    }
                })
                .collect();
            let mut painted: BTreeMap<(i32, i32), f64> = BTreeMap::new();
            let mut nearest: BTreeMap<(i32, i32), f64> = BTreeMap::new();
            let rows = |f: &Facet, touch: &mut dyn FnMut((i32, i32), f64)| {
                for top in (0..96).step_by(STRIP as usize) {
                    cover(f, top, |row, columns, at| columns.for_each(|c| touch((row, c), at(c))));
                }
            };
            for f in painting_order(&facets, |_| true) {
                rows(&facets[f as usize], &mut |p, z| {
                    painted.insert(p, z);
                });
            }
            for f in &facets {
                rows(f, &mut |p, z| {
                    let best = nearest.entry(p).or_insert(z);
                    *best = best.max(z);
                });
            }
            assert_eq!(painted, nearest);
        }
    }
}
