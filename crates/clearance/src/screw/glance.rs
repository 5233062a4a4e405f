//! What floats prove about a vertex and a face, or two edges, in a window: that they do not meet, or when and how.
//!
//! Most pairs that are looked at do not meet, and most that do leave each other or overlap already. Floats with bounds of their
//! errors tell all this; what they leave open is left to intervals.

use super::course::BESIDE;
use super::face::Face;
use super::sight::Middle;
use super::value::Value;
use crate::math::Interval;
use glam::DVec3;

/// Largest width of a window in which a function counts as known, and the largest angle turned in it.
const KNOWN: f64 = 1e-7;

/// A window that tells nothing is halved so often.
const DEPTH: u32 = 4;

/// Times at which functions are proved to be zero start from multiples of this, `2^-34`.
const GRID: f64 = 1.0 / (1u64 << 34) as f64;

/// The multiple of [`GRID`] for a time. What lies beside the border between two of them is near no number that motions often
/// have, so that rounding of the time seldom matters.
fn settled(t: f64) -> f64 {
    (t / GRID + 0.381_966).floor() * GRID
}

/// Two features that meet once at most, in a narrow window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glance<'a> {
    /// Their function passes through zero nowhere else in the window they were looked at in.
    pub there: Middle<'a>,
    /// Near the zero, if there is one: on a grid, so that it does not depend on the window that was looked at.
    pub t: f64,
    /// About that time.
    pub window: Option<Interval>,
    /// Of the function, throughout it.
    pub slopes: Interval,
    pub is_rising: bool,
    /// Whether a zero there is a contact that is not at a border of the features, for sure.
    pub is_inside: bool,
}

/// What two features may do in a window.
#[derive(Clone, Copy, Debug)]
pub(super) enum Look<'a> {
    Once(Glance<'a>),
    /// They may meet, and more is not known.
    Open,
}

/// Two features.
trait Pair {
    /// Zero wherever the features meet.
    fn value(&self, there: &Middle<'_>) -> Value;

    /// Whether features whose function is zero meet inside throughout a window; `None` if they do not meet at all.
    fn is_inside(&self, there: &Middle<'_>) -> Option<bool>;
}

/// Tells when two features may meet in a window: every time at which they may meet once, and then what is left open.
fn look<'a>(pair: &impl Pair, window: &Middle<'a>, mut tell: impl FnMut(Look<'a>)) {
    let mut stack = [*window; DEPTH as usize + 2];
    let (mut depths, mut count) = ([0u32; DEPTH as usize + 2], 1);
    let mut is_open = false;
    while count > 0 {
        count -= 1;
        let depth = depths[count];
        let Some((there, course)) = narrowest(stack[count], |there| pair.value(there)) else { continue };
        let Some(is_inside) = pair.is_inside(&there) else { continue };
        let value = pair.value(&there);
        let t = there.t() - value.value / value.speed;
        match course {
            Some(course) if t.is_finite() => {
                let t = settled(t);
                let around = there.around(t, 2.0 * GRID);
                let slopes = pair.value(&around).slopes();
                let window = around.within_unit();
                tell(Look::Once(Glance { there, t, slopes, window, is_rising: course > 0, is_inside }));
            }
            _ if depth < DEPTH => {
                let [first, last] = there.halves(BESIDE);
                (stack[count], stack[count + 1]) = (last, first);
                (depths[count], depths[count + 1]) = (depth + 1, depth + 1);
                count += 2;
            }
            _ => is_open = true,
        }
    }
    if is_open {
        tell(Look::Open);
    }
}

/// The part of a window in which a function may be zero, narrower and narrower until it is known how it passes.
fn narrowest<'a>(
    mut there: Middle<'a>,
    value_at: impl Fn(&Middle<'a>) -> Value,
) -> Option<(Middle<'a>, Option<i8>)> {
    loop {
        let value = value_at(&there);
        if value.sign() != 0 {
            return None;
        }
        let next = there.narrowed(&value)?;
        let is_narrow = 2.0 * next.half() * next.rate().max(1.0) <= KNOWN;
        match value.course() {
            course if course != 0 && is_narrow => return Some((next, Some(course))),
            // The rest is hidden by rounding, or the function is bent.
            _ if next.half() > 0.5 * there.half() => return Some((next, None)),
            _ => there = next,
        }
    }
}

/// A vertex that moves and a face at rest.
pub(super) struct VertexOverFace<'f> {
    pub face: &'f Face,
    pub place: DVec3,
}

impl Pair for VertexOverFace<'_> {
    fn value(&self, there: &Middle<'_>) -> Value {
        there.height(&there.passing(self.place), &self.face.plane)
    }

    fn is_inside(&self, there: &Middle<'_>) -> Option<bool> {
        let (passing, mut is_inside) = (there.passing(self.place), true);
        for side in 0..3 {
            match there.height(&passing, &self.face.inward(side)).sign() {
                -1 => return None,
                sign => is_inside &= sign == 1,
            }
        }
        Some(is_inside)
    }
}

impl VertexOverFace<'_> {
    pub fn look<'a>(&self, window: &Middle<'a>, tell: impl FnMut(Look<'a>)) {
        look(self, window, tell);
    }

    pub fn may_meet(&self, window: &Middle<'_>) -> bool {
        let mut may_meet = false;
        look(self, window, |_| may_meet = true);
        may_meet
    }
}

/// An edge at rest and one that moves.
pub(super) struct EdgeOverEdge {
    pub rests: [DVec3; 2],
    pub moves: [DVec3; 2],
}

impl Pair for EdgeOverEdge {
    fn value(&self, there: &Middle<'_>) -> Value {
        let [from, to] = self.moves.map(|p| there.passing(p));
        there.volume(self.rests, [&from, &to])
    }

    /// Along one direction both ends at rest lie between those that move, along the other it is the other way round: in a common
    /// plane segments that do so cross, as two ways between opposite sides of a square do.
    fn is_inside(&self, there: &Middle<'_>) -> Option<bool> {
        let ends = self.moves.map(|p| there.passing(p));
        let (u, w) = (self.rests[1] - self.rests[0], ends[1].place - ends[0].place);
        let across = u.cross(w);
        let signs = |along: DVec3| there.sides(along, self.rests, &ends);
        let is_apart = |[[a, b], [c, d]]: [[i8; 2]; 2]| a != 0 && a == b && a == c && a == d;
        let beside_u = signs(u.cross(across));
        if is_apart(beside_u) {
            return None;
        }
        let beside_w = signs(w.cross(across));
        if is_apart(beside_w) {
            return None;
        }
        let [[a, b], [c, d]] = beside_u;
        let is_between_moving = a != 0 && a == b && c == -a && c == d;
        let [[a, b], [c, d]] = beside_w;
        let is_between_resting = a != 0 && a == c && b == -a && b == d;
        Some(is_between_moving && is_between_resting)
    }
}

impl EdgeOverEdge {
    pub fn look<'a>(&self, window: &Middle<'a>, tell: impl FnMut(Look<'a>)) {
        look(self, window, tell);
    }

    pub fn may_meet(&self, window: &Middle<'_>) -> bool {
        let mut may_meet = false;
        look(self, window, |_| may_meet = true);
        may_meet
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Pose, Random, Screw};
    use crate::screw::course::Turns;
    use crate::screw::features::{EdgeEdge, VertexFace};
    use crate::screw::frame::Frame;
    use crate::screw::primitive::{ContactTime, times};
    use crate::screw::sight::Sight;

    /// Every contact that intervals find is in what floats tell, and those told to be inside are.
    #[test]
    fn floats_miss_nothing_and_tell_how_features_pass() {
        let (mut random, mut once, mut inside, mut nothing) = (Random::new(1), 0, 0, 0);
        for case in 0..6_000 {
            let mut vector =
                || DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0));
            let angle: f64 = [0.0, 1e-9, 1e-3, 1.0, -3.0][case % 5];
            let center = vector() * if angle == 0.0 { 1.0 } else { [1.0, 1.0 / angle.abs()][case / 5 % 2] };
            // Far along the axis, so that the arm is known less well.
            let axis = vector();
            let is_far = case / 10 % 2 == 1;
            let center = if is_far { center + 1e6 * axis } else { center };
            let screw = Screw::new(axis, center, angle, vector().x).unwrap();
            let frame = Frame::new(&screw, DVec3::ZERO);
            let sight = Sight::new(&frame, 1e-15);
            // Corners on a lattice meet at borders.
            let is_even = case % 3 == 0;
            let point = |v: DVec3| if is_even { (v * 2.0).round() * 0.5 } else { v };
            let [p, q, r, s, t, u] = [(); 6].map(|()| frame.place(&Pose::IDENTITY, point(vector())));
            let start = random.unit();
            let window = Interval::new(start, (start + random.unit() * 0.2).min(1.0));
            let middle = sight.middle(window.lower(), window.upper());
            let turns = Turns::new(frame.angle, window);
            let check = |met: Vec<ContactTime>, told: Vec<Look<'_>>| {
                for time in &met {
                    let is_told = told.iter().any(|look| {
                        let part = match look {
                            Look::Once(glance) => glance.there.within_unit(),
                            Look::Open => Some(window),
                        };
                        part.is_some_and(|part| part.lower() <= time.until && time.lower <= part.upper())
                    });
                    let is_within = time.until >= window.lower() && time.lower <= window.upper();
                    assert!(is_told || !is_within, "{case}: {time:?} {told:?}");
                }
                let clear = told.iter().filter(|look| matches!(look, Look::Once(glance) if glance.is_inside));
                for look in clear {
                    let Look::Once(glance) = look else { continue };
                    let near =
                        |time: &&ContactTime| time.lower - 1e-6 < glance.t && glance.t < time.until + 1e-6;
                    let is_deep = glance.t > window.lower() + 1e-6 && glance.t < window.upper() - 1e-6;
                    // Where the arm is known less well intervals may leave open what they meet.
                    let is_right = |time: &ContactTime| time.is_proved || is_far;
                    assert!(
                        !is_deep || met.iter().find(near).is_some_and(is_right),
                        "{case}: {glance:?} {met:?}"
                    );
                }
                let counts = |look: &Look<'_>| matches!(look, Look::Once(glance) if glance.is_inside);
                (told.iter().any(counts), told.len(), met.is_empty())
            };
            let mut told = Vec::new();
            let face = Face::new([p, q, r].map(|x| x.middle()), &sight);
            VertexOverFace { face: &face, place: s.middle() }.look(&middle, |look| told.push(look));
            let pair = VertexFace::new(&frame, s, [p, q, r]);
            let found = times(&pair.course, &turns, |t| pair.containment(t));
            let first = check(found, std::mem::take(&mut told));
            let (rests, moves) = ([p, q], [t, u]);
            let edges = EdgeOverEdge { rests: rests.map(|x| x.middle()), moves: moves.map(|x| x.middle()) };
            edges.look(&middle, |look| told.push(look));
            let pair = EdgeEdge::new(&frame, rests, moves);
            let found = times(&pair.course, &turns, |t| pair.containment(t));
            for (is_inside, count, is_empty) in [first, check(found, told)] {
                once += usize::from(count == 1);
                inside += usize::from(is_inside);
                nothing += usize::from(count == 0 && is_empty);
            }
        }
        assert!(nothing > 8_000 && once > 100 && inside > 40, "{nothing} {once} {inside}");
    }
}
