//! Where a line through zero enters the hull of a few points: a linear program of three rows, solved by trying.
//!
//! For points `m` and a direction `w != 0`: the least `s` with `-s w` in the hull, and a direction `n` that proves it,
//! `n . w < 0` and `n . m >= n . (-s w)` for all `m`; or a direction `d` with `d . w = 0` and `d . m > 0` for all `m`, which
//! proves that the line misses the hull. By duality of linear programs one of the two exists, however flat the hull is
//! and wherever the line grazes it; which candidates have to be tried:
//!
//! Seen along `w` the hull is a polygon, segment or point. If zero is in it, it is in a triangle of a polygon of the upper
//! hull, whose plane proves; for a segment or point an edge or a corner takes the place of the plane. If zero is not in
//! it, the nearest point is on an edge or is a corner, and the direction to it proves.

use super::integer::{Integer3, cross, dot, is_zero, minus, negated, sign};
use crate::exact::Sign;

/// Which points a direction is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Made {
    /// `(m1 - m0) x (m2 - m0)`.
    Facet([usize; 3]),
    /// `(w x e) x e` with `e = m1 - m0`: perpendicular to an edge, in its plane with the motion.
    Edge([usize; 2]),
    /// `-w`, at a point.
    Top(usize),
    /// `w x (m1 - m0)`.
    Across([usize; 2]),
    /// `(w x m) x w`.
    Away(usize),
}

impl Made {
    /// The direction itself.
    pub fn direction(self, points: &[Integer3], w: &Integer3) -> Integer3 {
        let edge = |[i, j]: [usize; 2]| minus(&points[j], &points[i]);
        match self {
            Made::Facet([i, j, k]) => cross(&edge([i, j]), &edge([i, k])),
            Made::Edge(ends) => cross(&cross(w, &edge(ends)), &edge(ends)),
            Made::Top(_) => negated(w),
            Made::Across(ends) => cross(w, &edge(ends)),
            Made::Away(i) => cross(&cross(w, &points[i]), w),
        }
    }

    /// A point in the plane that the direction is the normal of; any point for directions across the motion.
    pub fn point(self) -> usize {
        match self {
            Made::Facet([i, ..]) | Made::Edge([i, _]) | Made::Across([i, _]) => i,
            Made::Top(i) | Made::Away(i) => i,
        }
    }
}

/// The answer, and the direction that proves it.
pub(super) enum Solution {
    /// The line misses the hull.
    Beside(Made, Integer3),
    /// It enters through the plane with this normal.
    Through(Made, Integer3),
}

/// Solves for at least one point.
pub(super) fn solve(points: &[Integer3], w: &Integer3) -> Solution {
    let tried = Tried { points, w, shadows: points.iter().map(|m| cross(w, m)).collect() };
    let count = points.len();
    let pairs = || (0..count).flat_map(move |j| (0..j).map(move |i| [i, j]));
    let triples = pairs().flat_map(|[i, j]| (0..i).map(move |h| [h, i, j]));
    let through = (0..count).find_map(|i| tried.top(i));
    let through = through.or_else(|| pairs().find_map(|ends| tried.edge(ends)));
    let through = through.or_else(|| { triples }.find_map(|corners| tried.facet(corners)));
    if let Some((made, normal)) = through {
        return Solution::Through(made, normal);
    }
    let beside = pairs().flat_map(|[i, j]| [Made::Across([i, j]), Made::Across([j, i])]);
    let beside = beside.chain((0..count).map(Made::Away)).find_map(|made| tried.beside(made));
    let Some((made, direction)) = beside else {
        unreachable!("a line either meets a hull or is separated from it by an edge or a corner")
    };
    Solution::Beside(made, direction)
}

struct Tried<'a> {
    points: &'a [Integer3],
    w: &'a Integer3,
    /// `w x m`: the points seen along the motion, turned.
    shadows: Vec<Integer3>,
}

impl Tried<'_> {
    /// The sign of `det[w, m_i, m_j]`: which way zero, `m_i` and `m_j` turn, seen along the motion.
    fn turn(&self, i: usize, j: usize) -> Sign {
        sign(&dot(&self.shadows[i], &self.points[j]))
    }

    /// The direction if no point lies below the plane through its own.
    fn supporting(&self, made: Made, normal: Integer3) -> Option<(Made, Integer3)> {
        let level = dot(&normal, &self.points[made.point()]);
        self.points.iter().all(|m| dot(&normal, m) >= level).then_some((made, normal))
    }

    fn top(&self, i: usize) -> Option<(Made, Integer3)> {
        let made = Made::Top(i);
        if !is_zero(&self.shadows[i]) {
            return None;
        }
        self.supporting(made, made.direction(self.points, self.w))
    }

    fn edge(&self, [i, j]: [usize; 2]) -> Option<(Made, Integer3)> {
        let is_between = || !sign(&dot(&self.shadows[i], &self.shadows[j])).is_positive();
        if !self.turn(i, j).is_zero() || !is_between() {
            return None;
        }
        let made = Made::Edge([i, j]);
        let normal = made.direction(self.points, self.w);
        // Zero if the edge is along the motion: one of its ends is a top then.
        if is_zero(&normal) { None } else { self.supporting(made, normal) }
    }

    fn facet(&self, [i, j, k]: [usize; 3]) -> Option<(Made, Integer3)> {
        let turns = [self.turn(i, j), self.turn(j, k), self.turn(k, i)];
        if turns.contains(&Sign::Positive) && turns.contains(&Sign::Negative) {
            return None;
        }
        let normal = Made::Facet([i, j, k]).direction(self.points, self.w);
        match sign(&dot(&normal, self.w)) {
            Sign::Zero => None,
            Sign::Negative => self.supporting(Made::Facet([i, j, k]), normal),
            Sign::Positive => self.supporting(Made::Facet([i, k, j]), negated(&normal)),
        }
    }

    fn beside(&self, made: Made) -> Option<(Made, Integer3)> {
        let direction = made.direction(self.points, self.w);
        let is_beside = self.points.iter().all(|m| sign(&dot(&direction, m)).is_positive());
        is_beside.then_some((made, direction))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use dashu::integer::IBig;

    fn vector(v: [i64; 3]) -> Integer3 {
        v.map(IBig::from)
    }

    /// Small integers: flat, thin, coincident and collinear sets all the time. What is returned is a proof, so it is
    /// enough that it is one, and that something is returned.
    #[test]
    fn every_set_of_points_has_a_proof() {
        let mut random = Random::new(3);
        let mut kinds = [0usize; 5];
        for _ in 0..20_000 {
            let mut number = || random.below(5) as i64 - 2;
            let w = [number(), number(), number()];
            if w == [0; 3] {
                continue;
            }
            let w = vector(w);
            let count = 1 + (number().unsigned_abs() * 3 + number().unsigned_abs()) as usize;
            let points: Vec<Integer3> = (0..count).map(|_| vector([number(), number(), number()])).collect();
            match solve(&points, &w) {
                Solution::Beside(made, d) => {
                    kinds[if matches!(made, Made::Away(_)) { 0 } else { 1 }] += 1;
                    assert!(dot(&d, &w).is_zero());
                    assert!(points.iter().all(|m| dot(&d, m) > IBig::ZERO));
                }
                Solution::Through(made, n) => {
                    kinds[match made {
                        Made::Top(_) => 2,
                        Made::Edge(_) => 3,
                        _ => 4,
                    }] += 1;
                    assert!(dot(&n, &w) < IBig::ZERO);
                    let level = dot(&n, &points[made.point()]);
                    assert!(points.iter().all(|m| dot(&n, m) >= level));
                }
            }
        }
        assert!(kinds.iter().all(|&count| count > 100), "{kinds:?}");
    }
}
