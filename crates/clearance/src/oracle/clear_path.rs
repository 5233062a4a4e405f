//! How many clear disks cover a path: what the number of events of a structure with hysteresis is compared with.
//!
//! A disk is `kappa`-clear if its radius is at most `1 / kappa` of the distance of its centre from the polygon
//! [Erickson99 §6]. A path is decomposed into pieces that each lie in one such disk.

use glam::DVec2;

/// Bounds of the size of the smallest `kappa`-clear decomposition of a path, given by many points of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClearDecomposition {
    /// No decomposition has fewer pieces.
    pub lower: usize,
    /// The greedy one has as many: each piece as long as the disk about the centre of its smallest circle is clear.
    pub upper: usize,
}

/// Decomposes a path. `distance` tells how far a point is from the polygon; where that is zero no disk is clear, and each point
/// is a piece of its own.
///
/// Lower bound: a piece in a disk of radius `r` about `c` has `r <= d(c)/kappa <= (d(x) + r)/kappa` for each of its points `x`, so the
/// radius of its smallest circle is at most `min d(x) / (kappa - 1)`. Parts of a piece with this property have it, too: taking
/// the longest pieces with it gives the fewest.
pub fn clear_decomposition(
    path: &[DVec2],
    kappa: f64,
    distance: impl Fn(DVec2) -> f64,
) -> ClearDecomposition {
    let heights: Vec<f64> = path.iter().map(|&p| distance(p)).collect();
    let lower = greedy(path.len(), |from, to| {
        let least = heights[from..to].iter().copied().fold(f64::INFINITY, f64::min);
        smallest_circle(&path[from..to]).1 <= least / (kappa - 1.0)
    });
    let upper = greedy(path.len(), |from, to| {
        let (centre, radius) = smallest_circle(&path[from..to]);
        radius * kappa <= distance(centre)
    });
    ClearDecomposition { lower, upper }
}

/// Pieces that each go as far as they fit, found by doubling and halving.
fn greedy(count: usize, fits: impl Fn(usize, usize) -> bool) -> usize {
    let (mut from, mut pieces) = (0, 0);
    while from < count {
        let mut length = 1;
        while from + 2 * length <= count && fits(from, from + 2 * length) {
            length *= 2;
        }
        let (mut low, mut high) = (from + length, (from + 2 * length).min(count + 1));
        while high - low > 1 {
            let middle = low.midpoint(high);
            if fits(from, middle) { low = middle } else { high = middle }
        }
        (from, pieces) = (low, pieces + 1);
    }
    pieces
}

/// The centre and the radius of the smallest circle around points, at least one, to rounding (Welzl's idea, one point after another).
fn smallest_circle(points: &[DVec2]) -> (DVec2, f64) {
    let holds = |(centre, radius): (DVec2, f64), p: DVec2| centre.distance(p) <= radius * (1.0 + 1e-12);
    let mut circle = (points[0], 0.0);
    for i in 1..points.len() {
        if holds(circle, points[i]) {
            continue;
        }
        circle = (points[i], 0.0);
        for j in 0..i {
            if holds(circle, points[j]) {
                continue;
            }
            circle = around_two(points[i], points[j]);
            for k in 0..j {
                if !holds(circle, points[k]) {
                    circle = around_three(points[i], points[j], points[k]).unwrap_or(circle);
                }
            }
        }
    }
    circle
}

fn around_two(p: DVec2, q: DVec2) -> (DVec2, f64) {
    (p.midpoint(q), 0.5 * p.distance(q))
}

/// None for points on a line.
fn around_three(p: DVec2, q: DVec2, r: DVec2) -> Option<(DVec2, f64)> {
    let (a, b) = (q - p, r - p);
    let double_area = 2.0 * a.perp_dot(b);
    let from_p = DVec2::new(
        b.y * a.length_squared() - a.y * b.length_squared(),
        a.x * b.length_squared() - b.x * a.length_squared(),
    ) / double_area;
    from_p.is_finite().then(|| (p + from_p, from_p.length()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_past_a_point_takes_logarithmically_many_disks() {
        let count = |least: f64| {
            let path: Vec<DVec2> = (0..4000).map(|k| DVec2::new(k as f64 / 1000.0 - 2.0, least)).collect();
            clear_decomposition(&path, 5.0, |p| p.length())
        };
        let found = [0.5, 0.25, 0.125, 0.0625].map(count);
        assert!(found.iter().all(|f| 0 < f.lower && f.lower <= f.upper), "{found:?}");
        // Halving the distance adds as many each time.
        let steps: Vec<usize> = found.windows(2).map(|w| w[1].upper - w[0].upper).collect();
        assert!(steps.iter().all(|&s| (2..=8).contains(&s)), "{found:?}");
    }

    #[test]
    fn smallest_circles_hold_their_points() {
        let mut random = crate::math::Random::new(3);
        for n in 1..40 {
            let points: Vec<DVec2> =
                (0..n).map(|_| DVec2::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0))).collect();
            let (centre, radius) = smallest_circle(&points);
            assert!(points.iter().all(|p| p.distance(centre) <= radius * (1.0 + 1e-9)));
            let widest =
                points.iter().flat_map(|p| points.iter().map(|q| p.distance(*q))).fold(0.0, f64::max);
            assert!(2.0 * radius >= widest * (1.0 - 1e-9) && radius <= widest / 3f64.sqrt() * (1.0 + 1e-9));
        }
    }
}
