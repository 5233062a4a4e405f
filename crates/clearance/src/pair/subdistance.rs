//! The point of a simplex nearest to zero in floats, by signed volumes.
//!
//! Weights are volumes, areas and lengths; each face whose weight is not positive is looked at, and the nearest
//! answer wins. That is Johnson's subalgorithm with its backup procedure built in, better conditioned: cross products
//! instead of Gram determinants (`tests::at_least_as_accurate_as_johnson`). Where a simplex has collapsed no weight is
//! positive, so lower faces answer then.
//!
//! A search waits for each direction, so nothing is divided on the way to it: the direction is the nearest point times
//! some positive number, and squares of distances are compared as quotients.

use super::view::View;
use glam::DVec3;

/// Up to four corners of the Minkowski difference, where they come from, and the weights of the nearest point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simplex {
    pub points: [DVec3; 4],
    pub pairs: [(u32, u32); 4],
    /// Not negative, their sum one up to rounding.
    pub weights: [f64; 4],
    pub len: usize,
}

impl Simplex {
    pub const EMPTY: Simplex =
        Simplex { points: [DVec3::ZERO; 4], pairs: [(0, 0); 4], weights: [0.0; 4], len: 0 };

    /// Of one corner.
    #[inline(always)]
    pub fn new(point: DVec3, pair: (u32, u32)) -> Simplex {
        Simplex { points: [point; 4], pairs: [pair; 4], weights: [1.0, 0.0, 0.0, 0.0], len: 1 }
    }

    /// Adds a corner; there must be room.
    #[inline(always)]
    pub fn push(&mut self, point: DVec3, pair: (u32, u32)) {
        self.points[self.len] = point;
        self.pairs[self.len] = pair;
        self.weights[self.len] = 0.0;
        self.len += 1;
    }

    #[inline]
    pub fn has(&self, pair: (u32, u32)) -> bool {
        self.pairs[..self.len].contains(&pair)
    }

    pub fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs[..self.len]
    }

    pub fn weights(&self) -> &[f64] {
        &self.weights[..self.len]
    }

    /// Where its first three corners come from, the first one repeated where there are fewer.
    #[inline]
    pub fn three(&self) -> [(u32, u32); 3] {
        let [first, second, third, _] = self.pairs;
        match self.len {
            1 => [first; 3],
            2 => [first, second, first],
            _ => [first, second, third],
        }
    }

    /// Where its corners come from.
    pub fn vertices(&self) -> VertexPairs {
        VertexPairs { pairs: self.pairs, len: self.len }
    }

    /// The weighted sum of the corners.
    #[inline]
    pub fn combination(&self) -> DVec3 {
        let mut sum = self.points[0] * self.weights[0];
        for i in 1..self.len {
            sum += self.points[i] * self.weights[i];
        }
        sum
    }

    /// The smallest face that holds the point nearest to zero; all corners if zero is inside a tetrahedron.
    #[inline(always)]
    pub fn nearest(&self) -> Nearest {
        match self.len {
            1 => Nearest::corner(&self.points, 0),
            2 => segment(&self.points, [0, 1]),
            3 => triangle(&self.points, [0, 1, 2]),
            _ => tetrahedron(&self.points),
        }
    }

    /// Keeps the corners of a face.
    #[inline(always)]
    pub fn keep(&mut self, face: &Nearest) {
        // Corners are ascending: all of them are where they are, and nothing is overwritten before it is moved.
        if face.len == self.len {
            return;
        }
        for i in 0..face.len {
            let from = face.corners[i] & 3;
            self.points[i] = self.points[from];
            self.pairs[i] = self.pairs[from];
        }
        self.len = face.len;
    }

    /// Keeps the corners of a face, with the weights of its nearest point.
    #[inline(always)]
    pub fn keep_with_weights(&mut self, face: &Nearest) {
        self.keep(face);
        let sum = face.weights[..face.len].iter().sum::<f64>();
        self.weights = face.weights.map(|weight| weight / sum);
    }
}

/// The vertex pairs of a simplex: what is kept from frame to frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct VertexPairs {
    pairs: [(u32, u32); 4],
    len: usize,
}

impl VertexPairs {
    pub fn as_slice(&self) -> &[(u32, u32)] {
        &self.pairs[..self.len]
    }

    /// Adds a pair that is not there yet, if there is room.
    pub fn with(mut self, vertices: (u32, u32)) -> VertexPairs {
        if self.len < 4 && !self.as_slice().contains(&vertices) {
            self.pairs[self.len] = vertices;
            self.len += 1;
        }
        self
    }

    /// Whether the vertices exist: what is remembered may come from other bodies.
    #[inline]
    pub fn exist_in(&self, view: &View<'_>) -> bool {
        self.as_slice().iter().all(|&vertices| view.has_vertices(vertices))
    }
}

/// A face and the point of it nearest to zero.
#[derive(Clone, Copy)]
pub(crate) struct Nearest {
    /// The point times some positive number; zero if zero is in the face.
    pub direction: DVec3,
    /// The square of its distance, as a quotient of numbers that are not negative.
    pub square: Quotient,
    /// Ascending.
    corners: [usize; 4],
    /// Positive, of any sum.
    weights: [f64; 4],
    pub len: usize,
}

/// A quotient that is not negative.
#[derive(Clone, Copy)]
pub(crate) struct Quotient {
    numerator: f64,
    denominator: f64,
}

impl Quotient {
    /// Numerator and denominator.
    pub fn parts(self) -> (f64, f64) {
        (self.numerator, self.denominator)
    }

    #[inline(always)]
    pub fn is_below(self, other: Quotient) -> bool {
        self.numerator * other.denominator < other.numerator * self.denominator
    }
}

impl Nearest {
    #[inline(always)]
    fn corner(points: &[DVec3; 4], i: usize) -> Nearest {
        let point = points[i];
        let square = Quotient { numerator: point.length_squared(), denominator: 1.0 };
        Nearest { direction: point, square, corners: [i, 0, 0, 0], weights: [1.0, 0.0, 0.0, 0.0], len: 1 }
    }

    #[inline(always)]
    fn or_nearer(self, other: Nearest) -> Nearest {
        if other.square.is_below(self.square) { other } else { self }
    }

    /// Whether zero is inside a tetrahedron, and would be if volumes were smaller by this.
    #[inline(always)]
    pub fn surrounds_by(&self, volume: f64) -> bool {
        self.len == 4 && self.weights.iter().all(|&weight| weight > volume)
    }

    /// Whether the point is not too close to zero, nor its direction too short, for products of the two.
    #[inline]
    pub fn is_beyond(&self, square: f64) -> bool {
        self.square.numerator > square * self.square.denominator && self.direction.length_squared() > square
    }

    /// The nearest point itself.
    #[inline]
    pub fn point(&self) -> DVec3 {
        let length = self.direction.length_squared();
        let Quotient { numerator, denominator } = self.square;
        if length > 0.0 { self.direction * (numerator / (denominator * length)).sqrt() } else { DVec3::ZERO }
    }
}

#[inline(always)]
fn segment(points: &[DVec3; 4], [i, j]: [usize; 2]) -> Nearest {
    let (p, q) = (points[i], points[j]);
    let along = q - p;
    let length = along.length_squared();
    let weight = -p.dot(along);
    let (is_after_p, is_before_q) = (weight > 0.0, weight < length);
    if !is_after_p {
        return Nearest::corner(points, i);
    }
    if !is_before_q {
        return Nearest::corner(points, j);
    }
    let moment = along.cross(p);
    Nearest {
        // Perpendicular to the edge by construction, which `p + weight * along` is only up to cancellation.
        direction: moment.cross(along),
        square: Quotient { numerator: moment.length_squared(), denominator: length },
        corners: [i, j, 0, 0],
        weights: [length - weight, weight, 0.0, 0.0],
        len: 2,
    }
}

#[inline(always)]
pub(super) fn triangle(points: &[DVec3; 4], [i, j, k]: [usize; 3]) -> Nearest {
    let (p, q, r) = (points[i], points[j], points[k]);
    let (pq, pr) = (q - p, r - p);
    let normal = pq.cross(pr);
    let area = normal.length_squared();
    // Areas seen along the normal; taken from p, so that they are small where the triangle is.
    let weight_q = normal.dot(pr.cross(p));
    let weight_r = normal.dot(p.cross(pq));
    let weight_p = area - weight_q - weight_r;
    if weight_p > 0.0 && weight_q > 0.0 && weight_r > 0.0 {
        let height = normal.dot(p);
        return Nearest {
            direction: if height < 0.0 { -normal } else { normal },
            square: Quotient { numerator: height * height, denominator: area },
            corners: [i, j, k, 0],
            weights: [weight_p, weight_q, weight_r, 0.0],
            len: 3,
        };
    }
    let mut best: Option<Nearest> = None;
    for (weight, edge) in [(weight_p, [j, k]), (weight_q, [i, k]), (weight_r, [i, j])] {
        let is_inside = weight > 0.0;
        if !is_inside {
            let found = segment(points, edge);
            best = Some(best.map_or(found, |known| known.or_nearer(found)));
        }
    }
    best.unwrap_or_else(|| Nearest::corner(points, i))
}

#[inline(always)]
fn tetrahedron(points: &[DVec3; 4]) -> Nearest {
    let [p, q, r, s] = *points;
    let (pq, pr, ps) = (q - p, r - p, s - p);
    let volume = pq.cross(pr).dot(ps);
    // Zero for a flat one: then no weight is positive.
    let side = if volume == 0.0 { 0.0 } else { volume.signum() };
    let weight_q = -p.dot(pr.cross(ps)) * side;
    let weight_r = -p.dot(ps.cross(pq)) * side;
    let weight_s = -p.dot(pq.cross(pr)) * side;
    let weight_p = volume.abs() - weight_q - weight_r - weight_s;
    let weights = [weight_p, weight_q, weight_r, weight_s];
    if weights.iter().all(|w| *w > 0.0) {
        let square = Quotient { numerator: 0.0, denominator: 1.0 };
        return Nearest { direction: DVec3::ZERO, square, corners: [0, 1, 2, 3], weights, len: 4 };
    }
    let mut best: Option<Nearest> = None;
    for (weight, face) in weights.into_iter().zip([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]) {
        let is_inside = weight > 0.0;
        if !is_inside {
            let found = triangle(points, face);
            best = Some(best.map_or(found, |known| known.or_nearer(found)));
        }
    }
    best.unwrap_or_else(|| Nearest::corner(points, 0))
}

#[cfg(test)]
mod tests {
    use super::super::johnson;
    use super::*;
    use crate::exact::{BigNumber, BigQuotient, BigVector, Vector, over_one_power};
    use crate::math::Random;
    use dashu::integer::IBig;

    fn simplex(points: &[DVec3]) -> Simplex {
        let mut simplex = Simplex::EMPTY;
        points.iter().enumerate().for_each(|(i, p)| simplex.push(*p, (i as u32, 0)));
        simplex
    }

    /// The true distance of zero, as the float below it.
    fn truth(points: &[DVec3]) -> f64 {
        let vectors: Vec<Vector<'_>> = points.iter().map(|p| Vector::Literal(*p)).collect();
        let (exact, exponent) = over_one_power(&vectors);
        let weights = johnson::nearest(&exact).unwrap();
        let divisor = weights.iter().fold(IBig::ZERO, |sum, w| sum + w);
        let v: [IBig; 3] = std::array::from_fn(|axis| {
            exact.iter().zip(&weights).fold(IBig::ZERO, |sum, (p, w)| sum + w * &p[axis])
        });
        let v = BigVector::new(v, exponent);
        let denominator = BigNumber::from(divisor).squared();
        BigQuotient { numerator: v.dot(&v), denominator }.root_bracket().0
    }

    /// Simplices of all sizes and shapes, slivers among them, at a distance of about one.
    fn random_simplex(random: &mut Random) -> Vec<DVec3> {
        let mut number = |size: f64| random.range(-size, size);
        let center = DVec3::new(number(1.0), number(1.0), 1.0 + number(0.5));
        let thin = [1.0, 1e-2, 1e-4, 1e-6][(number(2.0).abs() * 2.0) as usize % 4];
        let count = 2 + (number(1.5).abs() * 2.0) as usize % 3;
        (0..count).map(|_| center + DVec3::new(number(2.0), number(2.0 * thin), number(0.2 * thin))).collect()
    }

    #[test]
    fn at_least_as_accurate_as_johnson() {
        let mut random = Random::new(8);
        let (mut worst, mut worst_johnson, mut sum, mut sum_johnson) = (0.0, 0.0, 0.0, 0.0);
        for _ in 0..20_000 {
            let points = random_simplex(&mut random);
            let distance = truth(&points);
            if distance < 1e-3 {
                continue;
            }
            let mut reduced = simplex(&points);
            reduced.keep_with_weights(&reduced.nearest());
            let error = (reduced.combination().length() - distance).abs() / distance;
            let weights = johnson::nearest_in_floats(&points);
            let combination: DVec3 = points.iter().zip(weights).map(|(p, w)| *p * w).sum();
            let error_johnson = (combination.length() - distance).abs() / distance;
            (worst, worst_johnson) = (f64::max(worst, error), f64::max(worst_johnson, error_johnson));
            (sum, sum_johnson) = (sum + error, sum_johnson + error_johnson);
        }
        println!(
            "signed volumes: worst {worst:e}, sum {sum:e}; Johnson: worst {worst_johnson:e}, sum {sum_johnson:e}"
        );
        assert!(worst <= worst_johnson && sum <= sum_johnson);
    }

    #[test]
    fn collapsed_simplices_are_answered_by_their_faces() {
        let (x, y) = (DVec3::new(1.0, -1.0, 0.0), DVec3::new(1.0, 1.0, 0.0));
        for points in [vec![x, x], vec![x, x, x], vec![x, y, x], vec![x, y, y, x], vec![x, x, x, x]] {
            let mut reduced = simplex(&points);
            let point = reduced.nearest().point();
            reduced.keep_with_weights(&reduced.nearest());
            let want = if points.contains(&y) { 1.0 } else { 2f64.sqrt() };
            assert!((point.length() - want).abs() < 1e-15, "{points:?}");
            assert!((reduced.weights().iter().sum::<f64>() - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn zero_inside_a_tetrahedron_is_seen() {
        let corners = [[1., 1., 1.], [1., -1., -1.], [-1., 1., -1.], [-1., -1., 1.]].map(DVec3::from_array);
        let mut inside = simplex(&corners);
        let nearest = inside.nearest();
        assert_eq!(nearest.point(), DVec3::ZERO);
        inside.keep_with_weights(&nearest);
        assert_eq!((inside.len, inside.weights), (4, [0.25; 4]));
    }
}
