//! Which facets can be seen, and an order that paints farther ones first.
//!
//! Both are sampled at the centres of pixels. Two facets are compared only where they share a sample, so
//! the order is no guess from their middles; facets without a sample of their own are too small to see.

use super::facet::Facet;
use std::collections::{BTreeMap, BTreeSet};

/// Rows of pixels handled at a time; bounds the memory to a strip of the picture.
const STRIP: i32 = 16;
/// Facets closer than this many pixels in depth are side by side, not one behind the other.
const SIDE_BY_SIDE: f64 = 1e-6;

/// A facet over a sample: how near, and which.
type Layer = (f64, u32);

/// The visible facets, farther ones first; facets of equal style follow each other where possible.
///
/// A pair that is in front of each other at different samples is ordered by the majority; a cycle is cut
/// at the facet whose middle is farthest. Ties go by index, so the order depends on the facets only.
/// `O(samples + n log n)`.
pub fn painting_order(facets: &[Facet], opaque: impl Fn(&Facet) -> bool) -> Vec<u32> {
    let strips = strips_of(facets);
    let mut visible = vec![false; facets.len()];
    for (top, members) in &strips {
        for_each_sample(facets, *top, members, |layers| {
            for layer in layers.iter().rev() {
                visible[layer.1 as usize] = true;
                if opaque(&facets[layer.1 as usize]) {
                    break;
                }
            }
        });
    }
    let mut votes = Vec::new();
    for (top, members) in &strips {
        let members: Vec<u32> = members.iter().copied().filter(|&f| visible[f as usize]).collect();
        for_each_sample(facets, *top, &members, |layers| {
            for pair in layers.windows(2) {
                if pair[1].0 - pair[0].0 > SIDE_BY_SIDE {
                    let (far, near) = (pair[0].1, pair[1].1);
                    votes.push((far.min(near), far.max(near), far < near));
                }
            }
        });
    }
    sort(facets, &visible, &majority(votes))
}

/// Per strip its first row and the facets that reach into it.
fn strips_of(facets: &[Facet]) -> BTreeMap<i32, Vec<u32>> {
    let mut strips: BTreeMap<i32, Vec<u32>> = BTreeMap::new();
    for (i, facet) in facets.iter().enumerate() {
        let rows = facet.corners.map(|c| c[1].div_euclid(100 * STRIP));
        let (low, high) = (rows[0].min(rows[1]).min(rows[2]), rows[0].max(rows[1]).max(rows[2]));
        for strip in low..=high {
            strips.entry(strip * STRIP).or_default().push(i as u32);
        }
    }
    strips
}

/// Calls back with the layers over each sample of a strip, farthest first.
fn for_each_sample(facets: &[Facet], top: i32, members: &[u32], mut seen: impl FnMut(&[Layer])) {
    let columns = members.iter().flat_map(|&f| facets[f as usize].corners.map(|c| c[0]));
    let (left, right) = columns.fold((i32::MAX, i32::MIN), |(l, r), x| (l.min(x), r.max(x)));
    if members.is_empty() {
        return;
    }
    let (left, right) = (left.div_euclid(100), right.div_euclid(100) + 1);
    let width = (right - left + 1) as usize;
    let mut samples: Vec<Vec<Layer>> = vec![Vec::new(); width * STRIP as usize];
    for &f in members {
        cover(&facets[f as usize], top, |row, columns, nearness_at| {
            for column in columns {
                let sample = &mut samples[(row - top) as usize * width + (column - left) as usize];
                sample.push((nearness_at(column), f));
            }
        });
    }
    for sample in &mut samples {
        sample.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
        seen(sample);
    }
}

/// Calls back per row of the strip with the columns whose centres the facet covers and its nearness there.
fn cover(facet: &Facet, top: i32, mut span: impl FnMut(i32, std::ops::Range<i32>, &dyn Fn(i32) -> f64)) {
    let [a, b, c] = facet.corners.map(|p| p.map(|v| f64::from(v) / 100.0 - 0.5));
    let rows = [a[1], b[1], c[1]];
    let low = rows.iter().copied().fold(f64::INFINITY, f64::min).ceil() as i32;
    let high = rows.iter().copied().fold(f64::NEG_INFINITY, f64::max).floor() as i32;
    let plane = Plane::through([a, b, c], facet.nearness);
    for row in low.max(top)..=high.min(top + STRIP - 1) {
        let y = f64::from(row);
        let (mut left, mut right) = (f64::INFINITY, f64::NEG_INFINITY);
        for (p, q) in [(a, b), (b, c), (c, a)] {
            let (p, q) = if p[1] <= q[1] { (p, q) } else { (q, p) };
            if p[1] <= y && y <= q[1] && p[1] < q[1] {
                let x = p[0] + (q[0] - p[0]) * ((y - p[1]) / (q[1] - p[1]));
                (left, right) = (left.min(x), right.max(x));
            }
        }
        if left <= right {
            span(row, left.ceil() as i32..right.floor() as i32 + 1, &|column| plane.at(f64::from(column), y));
        }
    }
}

/// Nearness as an affine function of the picture.
struct Plane {
    origin: [f64; 2],
    nearness: f64,
    slope: [f64; 2],
}

impl Plane {
    fn through([a, b, c]: [[f64; 2]; 3], [za, zb, zc]: [f64; 3]) -> Plane {
        let (u, v) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
        let area = u[0] * v[1] - u[1] * v[0];
        let (du, dv) = (zb - za, zc - za);
        let slope = [(du * v[1] - dv * u[1]) / area, (dv * u[0] - du * v[0]) / area];
        Plane { origin: a, nearness: za, slope }
    }

    fn at(&self, x: f64, y: f64) -> f64 {
        self.nearness + self.slope[0] * (x - self.origin[0]) + self.slope[1] * (y - self.origin[1])
    }
}

/// Per pair that shares samples, `(far, near)` as most samples say.
fn majority(mut votes: Vec<(u32, u32, bool)>) -> Vec<(u32, u32)> {
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
        facet::{Style, doubled_area},
        frame::Pixel,
    };
    use super::*;

    fn facet(corners: [Pixel; 3], nearness: [f64; 3], light: u32) -> Facet {
        assert!(doubled_area(corners) > 0);
        Facet { corners, nearness, style: Style { body: 0, light } }
    }

    /// A right triangle of `size` pixels with its right angle at the given pixel.
    fn wedge(x: i32, y: i32, size: i32, nearness: f64, light: u32) -> Facet {
        let corners = [[100 * x, 100 * y], [100 * x, 100 * (y + size)], [100 * (x + size), 100 * y]];
        facet(corners, [nearness; 3], light)
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
        let long = facet([[0, 0], [0, 40_00], [300_00, 20_00]], [100.0, 100.0, 0.0], 1);
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
            bar([0, 0], [0, 20_00], [200_00, 10_00], [0.0, 0.0, 9.0], 1),
            bar([180_00, 0], [200_00, 0], [100_00, 180_00], [0.0, 0.0, 9.0], 2),
            bar([90_00, 180_00], [110_00, 180_00], [10_00, 0], [0.0, 0.0, 9.0], 3),
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
                        let corners = [0; 3].map(|_| [random(120_00), random(90_00)]);
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
