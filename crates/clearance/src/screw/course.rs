//! Functions of time that screws make of planes and lines, and all their zeros, each in a proved bracket.
//!
//! The height of a vertex over a plane is `P + Q cos + S sin + U t`, the volume spanned by two edges is
//! `P + Q cos + S sin + t (T cos + W sin)`, of an angle that grows evenly with `t`. Both are written with `1 - cos` instead of
//! the cosine, so that their value at the start is a term of its own and small angles lose nothing.

use super::frame::Frame;
use super::search::Search;
use crate::math::{Interval, Interval3, SinCos, sin_cos_of_products};

/// Largest width of the bracket of a zero that counts as known.
pub(super) const KNOWN: f64 = 1e-9;

/// So much, `2^-30`, is looked at beside a window: features often meet right at its end, where their boxes do.
pub(super) const BESIDE: f64 = 1.0 / (1u64 << 30) as f64;

/// `constant + versine (1 - cos) + sine sin + t (linear + linear_cosine cos + linear_sine sin)` of the angle `rate t`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    constant: Interval,
    versine: Interval,
    sine: Interval,
    linear: Interval,
    linear_cosine: Interval,
    linear_sine: Interval,
    pub(super) rate: f64,
}

/// Sines and cosines in a window, for all functions that are searched in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turns {
    pub(super) window: Interval,
    pub(super) at_middle: SinCos,
    pub(super) all: SinCos,
}

impl Turns {
    /// Of the angle `rate t` in a window and right beside it.
    pub fn new(rate: f64, window: Interval) -> Turns {
        let wider = Interval::new(window.lower() - BESIDE, window.upper() + BESIDE);
        Turns::within(rate, wider.intersection(Interval::UNIT).unwrap_or(window))
    }

    pub(super) fn within(rate: f64, window: Interval) -> Turns {
        let middle = Interval::point(window.middle());
        Turns { window, at_middle: sin_cos_of_products(rate, middle), all: sin_cos_of_products(rate, window) }
    }
}

/// How a function passes through zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passage {
    /// From below to above: once, for sure unless `is_proved` says otherwise.
    Rising,
    /// From above to below.
    Falling,
    /// It touches zero, stays there, or comes too close to tell.
    Unresolved,
}

/// All zeros of a function between two times, or none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Zero {
    pub lower: f64,
    pub upper: f64,
    pub passage: Passage,
    /// Whether there is one.
    pub is_proved: bool,
}

impl Zero {
    pub fn bracket(&self) -> Interval {
        Interval::new(self.lower, self.upper)
    }
}

impl Course {
    /// Six times the volume of a triangle and a vertex that moves: positive above the triangle.
    #[cfg(test)]
    pub fn vertex_face(frame: &Frame, vertex: &Interval3, face: &[Interval3; 3]) -> Course {
        let normal = (face[1] - face[0]).cross(&(face[2] - face[0]));
        Course::over(frame, vertex, &face[0], &normal)
    }

    /// The height of a vertex that moves over a plane, by a point of it and a vector across it.
    pub fn over(frame: &Frame, vertex: &Interval3, point: &Interval3, normal: &Interval3) -> Course {
        let [x, y] = frame.arm_of(vertex);
        Course {
            constant: normal.dot(&(*vertex - *point)),
            versine: -(normal.0[0] * x + normal.0[1] * y),
            sine: normal.0[1] * x - normal.0[0] * y,
            linear: normal.0[2].times(frame.shift),
            linear_cosine: Interval::ZERO,
            linear_sine: Interval::ZERO,
            rate: frame.angle,
        }
    }

    /// Six times the volume of an edge at rest and one that moves, `(q - p) . (u x w)`.
    ///
    /// With `p`, `q` seen from the axis it is `u . R (w x q) - (p x u) . R w + shift t (z x u) . R w`, and
    /// `a . R b = a . b - (a . b across) (1 - cos) + (a_y b_x - a_x b_y) sin`.
    pub fn edge_edge(frame: &Frame, rests: &[Interval3; 2], moves: &[Interval3; 2]) -> Course {
        let (u, w) = (rests[1] - rests[0], moves[1] - moves[0]);
        let seen = |place: &Interval3| {
            let [x, y] = frame.arm_of(place);
            Interval3([x, y, place.0[2]])
        };
        let (p, q) = (seen(&rests[0]), seen(&moves[0]));
        let (m, k) = (w.cross(&q), p.cross(&u));
        let across = |a: &Interval3, b: &Interval3| a.0[0] * b.0[0] + a.0[1] * b.0[1];
        let turned = |a: &Interval3, b: &Interval3| a.0[1] * b.0[0] - a.0[0] * b.0[1];
        Course {
            constant: (moves[0] - rests[0]).dot(&u.cross(&w)),
            versine: across(&k, &w) - across(&u, &m),
            sine: turned(&u, &m) - turned(&k, &w),
            linear: Interval::ZERO,
            linear_cosine: -turned(&u, &w).times(frame.shift),
            linear_sine: across(&u, &w).times(frame.shift),
            rate: frame.angle,
        }
    }

    /// The derivative, a function of the same kind.
    pub(super) fn derivative(&self) -> Course {
        let rate = self.rate;
        let turning = self.sine.times(rate) + self.linear_cosine;
        Course {
            constant: turning + self.linear,
            versine: -turning,
            sine: self.versine.times(rate) + self.linear_sine,
            linear: Interval::ZERO,
            linear_cosine: self.linear_sine.times(rate),
            linear_sine: -self.linear_cosine.times(rate),
            rate,
        }
    }

    pub(super) fn value(&self, t: Interval, turn: &SinCos) -> Interval {
        let linear = match self.linear_cosine == Interval::ZERO && self.linear_sine == Interval::ZERO {
            true => self.linear,
            false => self.linear + self.linear_cosine * turn.cos + self.linear_sine * turn.sin,
        };
        self.constant + self.versine * turn.versine + self.sine * turn.sin + t * linear
    }

    /// The value at some time of an interval.
    #[cfg(test)]
    pub fn at(&self, t: Interval) -> Interval {
        self.value(t, &sin_cos_of_products(self.rate, t))
    }

    /// All zeros in a window, in order, but for those at which the features cannot meet; what is between them has none.
    pub fn zeros(&self, turns: &Turns, may_meet: impl Fn(Interval) -> bool, found: &mut Vec<Zero>) {
        Search::new(self).run(turns, may_meet, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Pose, Random, Screw};
    use glam::DVec3;

    fn random_vector(random: &mut Random) -> DVec3 {
        DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0))
    }

    fn random_frame(random: &mut Random, case: usize) -> Frame {
        let angle = [0.0, 1e-9, 0.3, 3.0, 25.0, -2.0][case % 6];
        let far = if angle == 1e-9 { 1e9 } else { [0.0, 1.0, 1e4][case / 6 % 3] };
        let shift = if case.is_multiple_of(4) { 0.0 } else { random.range(-2.0, 2.0) };
        let screw = Screw::new(random_vector(random), random_vector(random) * far, angle, shift).unwrap();
        Frame::new(&screw, DVec3::ZERO)
    }

    /// Both functions are determinants of moved places, at every time.
    #[test]
    fn courses_are_the_determinants_of_moved_places() {
        let mut random = Random::new(1);
        for case in 0..2_000 {
            let frame = random_frame(&mut random, case);
            let mut place = || frame.place(&Pose::IDENTITY, random_vector(&mut random));
            let [a, b, c, d] = [place(), place(), place(), place()];
            let t = Interval::point(random.unit());
            let turn = frame.turn(t);
            let [moved_c, moved_d] = [frame.moved(&c, &turn, t), frame.moved(&d, &turn, t)];
            let far = 1.0 + frame.arm[0].magnitude() + frame.arm[1].magnitude();
            let scale = 1e-13 * (1.0 + frame.angle.abs() * far);
            let face = Course::vertex_face(&frame, &d, &[a, b, c]).at(t);
            let direct = (b - a).cross(&(c - a)).dot(&(moved_d - a));
            assert!(
                face.intersection(direct).is_some() && face.width() < scale,
                "{case} {face:?} {direct:?}"
            );
            let edges = Course::edge_edge(&frame, &[a, b], &[c, d]).at(t);
            let direct = (moved_c - a).dot(&(b - a).cross(&(moved_d - moved_c)));
            assert!(
                edges.intersection(direct).is_some() && edges.width() < scale,
                "{case} {edges:?} {direct:?}"
            );
        }
    }

    /// Signs at many times agree with the brackets: each change lies in one, and a proved one has a change.
    #[test]
    fn every_change_of_sign_is_in_a_bracket_and_every_proved_bracket_has_one() {
        let (mut random, mut zeros) = (Random::new(2), Vec::new());
        let mut count = 0;
        for case in 0..3_000 {
            let frame = random_frame(&mut random, case);
            let mut place = || frame.place(&Pose::IDENTITY, random_vector(&mut random));
            let [a, b, c, d] = [place(), place(), place(), place()];
            let course = match case % 2 {
                0 => Course::vertex_face(&frame, &d, &[a, b, c]),
                _ => Course::edge_edge(&frame, &[a, b], &[c, d]),
            };
            zeros.clear();
            course.zeros(&Turns::new(frame.angle, Interval::UNIT), |_| true, &mut zeros);
            assert!(zeros.is_sorted_by(|a, b| a.upper <= b.lower), "{zeros:?}");
            let at = |t: f64| course.at(Interval::point(t));
            for zero in &zeros {
                assert!(zero.upper - zero.lower <= 1e-6, "{case}: {zero:?}");
                if zero.is_proved && zero.lower > 0.0 && zero.upper < 1.0 {
                    let (before, after) = (at(zero.lower), at(zero.upper));
                    let (low, high) =
                        if zero.passage == Passage::Rising { (before, after) } else { (after, before) };
                    assert!(!low.is_positive() && !high.is_negative(), "{case}: {zero:?} {low:?} {high:?}");
                    assert!(zero.upper - zero.lower < 1e-11, "{case}: {zero:?}");
                    count += 1;
                }
            }
            // Between brackets the sign does not change.
            let mut last: Option<(f64, bool)> = None;
            for k in 0..=512 {
                let t = f64::from(k) / 512.0;
                let value = at(t);
                if value.contains(0.0) {
                    continue;
                }
                if let Some((before, _)) = last.filter(|(_, sign)| *sign != value.is_positive()) {
                    let inside = |zero: &&Zero| zero.lower >= before && zero.upper <= t;
                    assert!(zeros.iter().find(inside).is_some(), "{case}: from {before} to {t}, {zeros:?}");
                }
                last = Some((t, value.is_positive()));
            }
        }
        assert!(count > 1_000, "{count}");
    }

    /// A circle about the axis that just touches a plane: told as unresolved, close to the touch.
    #[test]
    fn grazing_is_unresolved_and_narrow_and_a_hair_beside_is_decided() {
        let screw = Screw::new(DVec3::Z, DVec3::ZERO, 1.5, 0.0).unwrap();
        let frame = Frame::new(&screw, DVec3::ZERO);
        let place = |p: DVec3| frame.place(&Pose::IDENTITY, p);
        let vertex = place(DVec3::new(0.8, -0.6, 0.0));
        for (x, count) in [(1.0, 1), (1.0 + 1e-12, 0), (1.0 - 1e-12, 2)] {
            let wall =
                [DVec3::new(x, -9.0, -9.0), DVec3::new(x, 9.0, -9.0), DVec3::new(x, 0.0, 9.0)].map(place);
            let mut zeros = Vec::new();
            Course::vertex_face(&frame, &vertex, &wall).zeros(
                &Turns::new(frame.angle, Interval::UNIT),
                |_| true,
                &mut zeros,
            );
            assert_eq!(zeros.len(), count, "{zeros:?}");
            let touch = 0.6f64.atan2(0.8) / 1.5;
            assert!(zeros.iter().all(|zero| (zero.lower - touch).abs() < 2e-6));
            if count == 1 {
                assert_eq!(zeros[0].passage, Passage::Unresolved);
                assert!(
                    zeros[0].lower <= touch
                        && touch <= zeros[0].upper
                        && zeros[0].upper - zeros[0].lower < 1e-6
                );
            }
        }
    }

    /// A vertex that turns in the plane of a face stays at zero: one answer, not millions.
    #[test]
    fn what_stays_at_zero_is_one_unresolved_zero() {
        for axis in [DVec3::Z, DVec3::new(1.0, 2.0, 3.0)] {
            let screw = Screw::new(axis, DVec3::ZERO, 3.0, 0.0).unwrap();
            let frame = Frame::new(&screw, DVec3::ZERO);
            let [u, v] = [axis.any_orthogonal_vector(), axis.cross(axis.any_orthogonal_vector())];
            let place = |p: DVec3| frame.place(&Pose::IDENTITY, p);
            let face = [u, v, -u - v].map(place);
            let mut zeros = Vec::new();
            Course::vertex_face(&frame, &place(0.1 * u), &face).zeros(
                &Turns::new(frame.angle, Interval::UNIT),
                |_| true,
                &mut zeros,
            );
            assert_eq!(zeros.len(), 1);
            assert_eq!((zeros[0].lower, zeros[0].upper, zeros[0].passage), (0.0, 1.0, Passage::Unresolved));
        }
    }
}
