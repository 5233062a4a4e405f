//! Unites facets of one style into closed outlines, written as an SVG path.

use super::frame::Pixel;
use std::{collections::BTreeMap, fmt::Write};

/// The path data of the union of counter-clockwise triangles.
///
/// Edges that two triangles run along in opposite directions cancel, the rest is chained into loops. The
/// winding number of a point depends on the edges alone, not on how they are chained, so with the
/// `nonzero` rule exactly the triangles' points are filled. `O(n log n)`.
pub fn union_path(triangles: &[[Pixel; 3]]) -> String {
    let mut net: BTreeMap<(Pixel, Pixel), i32> = BTreeMap::new();
    for corners in triangles {
        for k in 0..3 {
            let (p, q) = (corners[k], corners[(k + 1) % 3]);
            *net.entry((p.min(q), p.max(q))).or_default() += if p < q { 1 } else { -1 };
        }
    }
    let mut leaving: BTreeMap<Pixel, Vec<Pixel>> = BTreeMap::new();
    for ((low, high), count) in net {
        let (from, to) = if count > 0 { (low, high) } else { (high, low) };
        for _ in 0..count.abs() {
            leaving.entry(from).or_default().push(to);
        }
    }
    let mut path = String::new();
    while let Some((start, mut ends)) = leaving.pop_first() {
        let Some(mut point) = ends.pop() else { continue };
        leaving.insert(start, ends);
        let mut outline = vec![start];
        // As many edges enter a point as leave it, so the chain can only end where it began.
        while point != start {
            outline.push(point);
            let Some(next) = leaving.get_mut(&point).and_then(Vec::pop) else { break };
            point = next;
        }
        write_loop(&mut path, &straightened(&outline));
    }
    path
}

/// Without the points that lie on the straight way from the one before to the one after.
fn straightened(points: &[Pixel]) -> Vec<Pixel> {
    let mut kept: Vec<Pixel> = Vec::with_capacity(points.len());
    for (i, &point) in points.iter().enumerate() {
        let (Some(&before), after) = (kept.last(), points[(i + 1) % points.len()]) else {
            kept.push(point);
            continue;
        };
        let [ux, uy] = [point[0] - before[0], point[1] - before[1]].map(i64::from);
        let [vx, vy] = [after[0] - point[0], after[1] - point[1]].map(i64::from);
        if ux * vy != uy * vx || ux * vx + uy * vy < 0 {
            kept.push(point);
        }
    }
    kept
}

fn write_loop(path: &mut String, points: &[Pixel]) {
    let Some((&first, rest)) = points.split_first() else { return };
    path.push('M');
    write_pair(path, first);
    let mut last = first;
    path.push('l');
    for (i, &point) in rest.iter().enumerate() {
        let step = [point[0] - last[0], point[1] - last[1]];
        if i > 0 && step[0] >= 0 {
            path.push(' ');
        }
        write_pair(path, step);
        last = point;
    }
    path.push('z');
}

/// The path data of a polyline.
pub fn line_path(points: &[Pixel]) -> String {
    let mut path = String::new();
    write_loop(&mut path, points);
    path.pop();
    path
}

/// Two coordinates, with a separator only where the sign does not separate.
fn write_pair(path: &mut String, [x, y]: Pixel) {
    write_hundredths(path, x);
    if y >= 0 {
        path.push(' ');
    }
    write_hundredths(path, y);
}

/// A number of hundredths as the shortest decimal.
pub fn write_hundredths(text: &mut String, value: i32) {
    let (sign, size) = (if value < 0 { "-" } else { "" }, value.unsigned_abs());
    let (whole, fraction) = (size / 100, size % 100);
    let _ = match (whole, fraction) {
        (_, 0) => write!(text, "{sign}{whole}"),
        (0, f) if f % 10 == 0 => write!(text, "{sign}.{}", f / 10),
        (0, f) => write!(text, "{sign}.{f:02}"),
        (w, f) if f % 10 == 0 => write!(text, "{sign}{w}.{}", f / 10),
        (w, f) => write!(text, "{sign}{w}.{f:02}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_triangles_of_a_square_become_one_outline() {
        let (a, b, c, d) = ([0, 0], [0, 1000], [1000, 1000], [1000, 0]);
        assert_eq!(union_path(&[[a, b, c], [a, c, d]]), "M0 0l0 10 10 0 0-10z");
    }

    #[test]
    fn a_ring_keeps_its_hole() {
        let (outer, inner) =
            ([[0, 0], [0, 900], [900, 900], [900, 0]], [[300, 300], [300, 600], [600, 600], [600, 300]]);
        let mut triangles = Vec::new();
        for k in 0..4 {
            let n = (k + 1) % 4;
            triangles.push([outer[k], outer[n], inner[n]]);
            triangles.push([outer[k], inner[n], inner[k]]);
        }
        let path = union_path(&triangles);
        assert_eq!(path.matches('M').count(), 2, "{path}");
    }

    #[test]
    fn hundredths_are_written_short() {
        let written = |v| {
            let mut text = String::new();
            write_hundredths(&mut text, v);
            text
        };
        assert_eq!([0, 5, -50, 100, -123, 1230].map(written), ["0", ".05", "-.5", "1", "-1.23", "12.3"]);
    }

    /// Oracle: the winding number of the path at random points equals the number of triangles over them.
    #[test]
    fn the_outline_winds_as_often_as_triangles_cover() {
        let mut state = 11u64;
        let mut random = move |n: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state >> 33) % n) as i32
        };
        for _ in 0..200 {
            // A coarse grid, so that edges coincide and cancel.
            let mut triangles: Vec<[Pixel; 3]> = Vec::new();
            while triangles.len() < 12 {
                let t = [0; 3].map(|_| [300 * random(5), 300 * random(5)]);
                if super::super::facet::doubled_area(t) > 0 {
                    triangles.push(t);
                }
            }
            let loops = parse(&union_path(&triangles));
            for _ in 0..50 {
                let point = [1 + 2 * random(600), 2 * random(600) + 1];
                if triangles.iter().any(|t| on_boundary(t, point)) {
                    continue;
                }
                let expected: i32 = triangles.iter().map(|t| winding(t, point)).sum();
                let found: i32 = loops.iter().map(|l| winding(l, point)).sum();
                assert_eq!(found, expected, "{point:?}");
            }
        }
    }

    fn parse(path: &str) -> Vec<Vec<Pixel>> {
        let spaced = path.replace('-', " -").replace(['M', 'l'], " ");
        spaced
            .split('z')
            .filter(|part| !part.trim().is_empty())
            .map(|part| {
                let numbers: Vec<i32> = part
                    .split_whitespace()
                    .map(|n| (n.parse::<f64>().unwrap() * 100.0).round() as i32)
                    .collect();
                let mut at = [0, 0];
                numbers
                    .chunks(2)
                    .map(|d| {
                        at = [at[0] + d[0], at[1] + d[1]];
                        at
                    })
                    .collect()
            })
            .collect()
    }

    fn side(p: Pixel, q: Pixel, r: Pixel) -> i64 {
        let [ux, uy] = [q[0] - p[0], q[1] - p[1]].map(i64::from);
        let [vx, vy] = [r[0] - p[0], r[1] - p[1]].map(i64::from);
        ux * vy - uy * vx
    }

    fn on_boundary(points: &[Pixel], r: Pixel) -> bool {
        (0..points.len()).any(|k| side(points[k], points[(k + 1) % points.len()], r) == 0)
    }

    fn winding(points: &[Pixel], r: Pixel) -> i32 {
        let mut turns = 0;
        for k in 0..points.len() {
            let (p, q) = (points[k], points[(k + 1) % points.len()]);
            if p[1] <= r[1] && r[1] < q[1] && side(p, q, r) > 0 {
                turns += 1;
            } else if q[1] <= r[1] && r[1] < p[1] && side(p, q, r) < 0 {
                turns -= 1;
            }
        }
        turns
    }
}
