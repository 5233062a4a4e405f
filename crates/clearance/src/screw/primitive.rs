//! All times at which a vertex meets a triangle, or an edge an edge, while one of them moves on a screw.

use super::course::{Course, KNOWN, Passage, Turns, Zero};
use super::frame::Frame;
use crate::math::{Interval, Interval3, Pose, Screw};
use crate::tolerance::COORDINATE_LIMIT;
use glam::DVec3;

/// Parts of a contact that lasts along a border are cut so often, the first ones first; what is left is told as one.
const SPLITS: usize = 256;

/// Which of two features moves; the other rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moving {
    /// The first argument.
    First,
    /// The second argument.
    Second,
}

/// When two features share a point.
///
/// All times of contact lie between the `lower` and the `until` of some record. If `is_proved`, there is a contact at or before
/// `upper`; then, unless contact lasts, `until` equals `upper`, and the two times differ by at most `1e-9`. If not, the features
/// come so close that rounding hides whether they meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactTime {
    /// No contact between the record before this and this time.
    pub lower: f64,
    /// A time at or before which there is contact, if that is proved.
    pub upper: f64,
    /// No contact between this time and the record after this.
    pub until: f64,
    /// Whether they meet for sure.
    pub is_proved: bool,
}

/// Why a question about features was refused.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("point {point} has the coordinate {value:e}; coordinates must be finite and at most 2^300 in size")]
pub struct FeatureError {
    /// In the order of the arguments, from 0.
    pub point: usize,
    /// As given.
    pub value: f64,
}

/// All times from 0 to 1 at which a vertex is on a triangle, in order.
///
/// The triangle is closed; it must have an area, or nothing is proved about it. Points are in the world at the start.
///
/// ```
/// use clearance::{glam::DVec3, math::Screw, screw::{Moving, vertex_face_times}};
/// // Up and down through a table twice in two turns about a level axis.
/// let wheel = Screw::new(DVec3::X, DVec3::ZERO, 4.0 * std::f64::consts::PI, 0.1)?;
/// let table = [DVec3::new(-5.0, -5.0, 0.5), DVec3::new(5.0, -5.0, 0.5), DVec3::new(0.0, 9.0, 0.5)];
/// let times = vertex_face_times(DVec3::Y, table, &wheel, Moving::First)?;
/// assert_eq!(times.len(), 4);
/// assert!(times.iter().all(|time| time.is_proved && time.upper - time.lower < 1e-14));
/// assert!((times[0].lower - 1.0 / 24.0).abs() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A coordinate that is not finite or too large.
pub fn vertex_face_times(
    vertex: DVec3,
    face: [DVec3; 3],
    screw: &Screw,
    moving: Moving,
) -> Result<Vec<ContactTime>, FeatureError> {
    let [a, b, c] = face;
    let (frame, [vertex, a, b, c]) = placed(screw, [vertex, a, b, c])?;
    let frame = if moving == Moving::First { frame } else { frame.inverse() };
    let pair = VertexFace::new(&frame, vertex, [a, b, c]);
    Ok(times(&pair.course, &Turns::new(frame.angle, Interval::UNIT), |t| pair.containment(t)))
}

/// All times from 0 to 1 at which two edges share a point, in order.
///
/// Edges are closed. Those that come to lie on one line are told, not proved. Points are in the world at the start.
///
/// # Errors
/// A coordinate that is not finite or too large.
pub fn edge_edge_times(
    edge_a: [DVec3; 2],
    edge_b: [DVec3; 2],
    screw: &Screw,
    moving: Moving,
) -> Result<Vec<ContactTime>, FeatureError> {
    let ([a, b], [c, d]) = (edge_a, edge_b);
    let (frame, [a, b, c, d]) = placed(screw, [a, b, c, d])?;
    let frame = if moving == Moving::Second { frame } else { frame.inverse() };
    let pair = EdgeEdge::new(&frame, [a, b], [c, d]);
    Ok(times(&pair.course, &Turns::new(frame.angle, Interval::UNIT), |t| pair.containment(t)))
}

fn placed(screw: &Screw, points: [DVec3; 4]) -> Result<(Frame, [Interval3; 4]), FeatureError> {
    for (point, position) in points.iter().enumerate() {
        let bad = position.to_array().into_iter().find(|x| x.is_nan() || x.abs() > COORDINATE_LIMIT);
        if let Some(value) = bad {
            return Err(FeatureError { point, value });
        }
    }
    let frame = Frame::new(screw, points[0]);
    Ok((frame, points.map(|p| frame.place(&Pose::IDENTITY, p))))
}

/// Whether a common point of plane and line, or of two lines, lies within the features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Containment {
    Inside,
    Outside,
    /// On the border, or too close to tell: of the three sides of a triangle, or of the four ends of two edges, those that are
    /// not decided.
    Border([bool; 4]),
}

impl Containment {
    /// From numbers that are not negative inside.
    fn of<const N: usize>(sides: [Interval; N]) -> Containment {
        if sides.iter().any(|side| side.is_negative()) {
            return Containment::Outside;
        }
        if sides.iter().all(|side| side.lower() >= 0.0) {
            return Containment::Inside;
        }
        let mut open = [false; 4];
        (0..N).for_each(|i| open[i] = sides[i].lower() < 0.0);
        Containment::Border(open)
    }

    /// The same, but what is exactly on the border counts as border, so that features are named with all they touch.
    fn with_border<const N: usize>(sides: [Interval; N]) -> Containment {
        match Containment::of(sides) {
            Containment::Outside => Containment::Outside,
            _ if sides.iter().all(|side| side.is_positive()) => Containment::Inside,
            _ => {
                let mut open = [false; 4];
                (0..N).for_each(|i| open[i] = sides[i].lower() <= 0.0);
                Containment::Border(open)
            }
        }
    }
}

/// A vertex that moves and a face that rests.
pub(super) struct VertexFace<'a> {
    frame: &'a Frame,
    vertex: Interval3,
    face: [Interval3; 3],
    pub normal: Interval3,
    pub course: Course,
}

impl<'a> VertexFace<'a> {
    pub fn new(frame: &'a Frame, vertex: Interval3, face: [Interval3; 3]) -> VertexFace<'a> {
        let normal = (face[1] - face[0]).cross(&(face[2] - face[0]));
        VertexFace { frame, vertex, face, normal, course: Course::vertex_face(frame, &vertex, &face) }
    }

    /// Where the vertex is.
    pub fn place(&self, t: Interval) -> Interval3 {
        self.frame.moved(&self.vertex, &self.frame.turn(t), t)
    }

    /// How far the vertex is inside each side, as areas; side `k` joins corners `k` and `k + 1`.
    fn sides(&self, t: Interval) -> [Interval; 3] {
        let at = self.place(t);
        std::array::from_fn(|k| {
            let (from, to) = (self.face[k], self.face[(k + 1) % 3]);
            self.normal.dot(&(to - from).cross(&(at - from)))
        })
    }

    pub fn containment(&self, t: Interval) -> Containment {
        Containment::of(self.sides(t))
    }

    pub fn borders(&self, t: Interval) -> Containment {
        Containment::with_border(self.sides(t))
    }
}

/// An edge that rests and one that moves.
pub(super) struct EdgeEdge<'a> {
    frame: &'a Frame,
    rests: [Interval3; 2],
    moves: [Interval3; 2],
    pub course: Course,
}

impl<'a> EdgeEdge<'a> {
    pub fn new(frame: &'a Frame, rests: [Interval3; 2], moves: [Interval3; 2]) -> EdgeEdge<'a> {
        EdgeEdge { frame, rests, moves, course: Course::edge_edge(frame, &rests, &moves) }
    }

    /// The direction of the moving edge.
    pub fn direction(&self, t: Interval) -> Interval3 {
        self.frame.turned(&(self.moves[1] - self.moves[0]), &self.frame.turn(t))
    }

    /// Places on both lines nearest to each other, as parts of the edges, each over `length`: `(on rests, on moves, length)`.
    ///
    /// With `n = u x w`, the lines `p + s u` and `q + r w` are nearest at `s = (d x w) . n / n.n` and `r = (d x u) . n / n.n`,
    /// `d = q - p`.
    fn shares(&self, t: Interval) -> (Interval, Interval, Interval) {
        let turn = self.frame.turn(t);
        let (u, w) =
            (self.rests[1] - self.rests[0], self.frame.turned(&(self.moves[1] - self.moves[0]), &turn));
        let (normal, between) = (u.cross(&w), self.frame.moved(&self.moves[0], &turn, t) - self.rests[0]);
        (between.cross(&w).dot(&normal), between.cross(&u).dot(&normal), normal.length_squared())
    }

    /// Ends in the order: first and second of the resting edge, first and second of the moving one.
    fn ends(&self, t: Interval) -> [Interval; 4] {
        let (s, r, length) = self.shares(t);
        [s, length - s, r, length - r]
    }

    /// Whether they are not parallel at any of some times.
    pub fn is_crossing(&self, t: Interval) -> bool {
        self.shares(t).2.is_positive()
    }

    /// Whether the moving edge stays away from the line of the other, because along some axis its ends are on one side of it; or
    /// from its box, as edges on one line do.
    fn is_beside(&self, t: Interval) -> bool {
        let (turn, u) = (self.frame.turn(t), self.rests[1] - self.rests[0]);
        let moved = self.moves.map(|end| self.frame.moved(&end, &turn, t));
        let [p, q] = moved.map(|end| (end - self.rests[0]).cross(&u));
        let (here, there) = (self.rests[0].hull(&self.rests[1]), moved[0].hull(&moved[1]));
        (0..3).any(|i| {
            let (p, q) = (p.0[i], q.0[i]);
            (p.is_positive() && q.is_positive())
                || (p.is_negative() && q.is_negative())
                || here.0[i].intersection(there.0[i]).is_none()
        })
    }

    /// Where edges are parallel, perhaps, places on their lines mean nothing, and where they nearly are, little.
    fn classified(&self, t: Interval, by_ends: impl Fn([Interval; 4]) -> Containment) -> Containment {
        let found = match self.is_crossing(t) {
            true => by_ends(self.ends(t)),
            false => Containment::Border([true; 4]),
        };
        match found {
            Containment::Border(_) if self.is_beside(t) => Containment::Outside,
            other => other,
        }
    }

    pub fn containment(&self, t: Interval) -> Containment {
        self.classified(t, Containment::of)
    }

    pub fn borders(&self, t: Interval) -> Containment {
        self.classified(t, Containment::with_border)
    }

    /// A place on the resting edge near the other, rounded.
    pub fn place(&self, t: Interval) -> Interval3 {
        let (s, _, length) = self.shares(t);
        let share = (s.middle() / length.middle()).clamp(0.0, 1.0);
        let share = if share.is_nan() { 0.5 } else { share };
        self.rests[0] + (self.rests[1] - self.rests[0]).scaled(Interval::point(share))
    }
}

/// Times at which a function is zero and the features reach there.
pub(super) fn times(
    course: &Course,
    turns: &Turns,
    containment: impl Fn(Interval) -> Containment,
) -> Vec<ContactTime> {
    let mut zeros = Vec::new();
    course.zeros(turns, |t| containment(t) != Containment::Outside, &mut zeros);
    zeros.iter().flat_map(|zero| times_at(zero, &containment)).collect()
}

/// Times of contact at a zero.
pub(super) fn times_at(zero: &Zero, containment: impl Fn(Interval) -> Containment) -> Vec<ContactTime> {
    let Zero { lower, upper, passage, is_proved } = *zero;
    match (containment(zero.bracket()), passage) {
        (Containment::Outside, _) => Vec::new(),
        (inside, Passage::Rising | Passage::Falling) => {
            let is_proved = is_proved && inside == Containment::Inside;
            vec![ContactTime { lower, upper, until: upper, is_proved }]
        }
        (_, Passage::Unresolved) => parts_inside(zero, containment),
    }
}

/// Those parts of the bracket of an unresolved zero in which the features may meet.
fn parts_inside(zero: &Zero, containment: impl Fn(Interval) -> Containment) -> Vec<ContactTime> {
    let mut found: Vec<ContactTime> = Vec::new();
    let mut open = vec![zero.bracket()];
    let mut splits = 0;
    while let Some(t) = open.pop() {
        let inside = containment(t);
        let middle = t.middle();
        let can_split =
            splits < SPLITS && t.width() > 0.25 * KNOWN && t.lower() < middle && middle < t.upper();
        match inside {
            Containment::Outside => {}
            Containment::Border(_) if can_split => {
                splits += 1;
                open.push(Interval::new(middle, t.upper()));
                open.push(Interval::new(t.lower(), middle));
            }
            _ => match found.last_mut() {
                Some(last) if last.until >= t.lower() => last.until = t.upper(),
                _ => found.push(ContactTime {
                    lower: t.lower(),
                    upper: t.upper(),
                    until: t.upper(),
                    is_proved: false,
                }),
            },
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    fn vector(random: &mut Random) -> DVec3 {
        DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0))
    }

    fn screw(random: &mut Random, case: usize) -> Screw {
        let angle = [0.0, 1e-9, 0.5, 3.0, 20.0][case % 5];
        let far = if angle == 1e-9 { 1e9 } else { [0.0, 1.0, 1e4][case / 5 % 3] };
        // Far axes need small angles, or everything is swept away.
        let angle = if far == 1e4 { angle * 1e-4 } else { angle };
        Screw::new(vector(random), vector(random) * far, angle, random.range(-2.0, 2.0)).unwrap()
    }

    /// Features move together: the same times whichever moves, the other way.
    #[test]
    fn it_does_not_matter_who_moves() {
        let mut random = Random::new(1);
        for case in 0..2_000 {
            let screw = screw(&mut random, case);
            let mut p = || vector(&mut random);
            let [a, b, c, d] = [p(), p(), p(), p()];
            let pairs = [
                (
                    vertex_face_times(a, [b, c, d], &screw, Moving::First).unwrap(),
                    vertex_face_times(a, [b, c, d], &screw.inverse(), Moving::Second).unwrap(),
                ),
                (
                    edge_edge_times([a, b], [c, d], &screw, Moving::First).unwrap(),
                    edge_edge_times([c, d], [b, a], &screw, Moving::Second).unwrap(),
                ),
            ];
            for (one, other) in pairs {
                assert_eq!(one.len(), other.len(), "{case}: {one:?} {other:?}");
                let meet = |(x, y): (&ContactTime, &ContactTime)| x.lower <= y.until && y.lower <= x.until;
                assert!(one.iter().zip(&other).all(meet), "{case}: {one:?} {other:?}");
            }
        }
    }

    /// A vertex made to lie in a triangle at a known time is found there.
    #[test]
    fn planted_contacts_are_found() {
        let (mut random, mut proved) = (Random::new(2), 0);
        for case in 0..3_000 {
            let screw = screw(&mut random, case);
            let t = random.unit();
            let [a, b, c] = [vector(&mut random), vector(&mut random), vector(&mut random)];
            let (u, v) = (random.unit(), random.unit());
            let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
            let inside = a + (b - a) * u + (c - a) * v;
            let back = screw.inverse().pose_at(t, &Pose::IDENTITY).unwrap().0;
            let times = vertex_face_times(back.apply(inside), [a, b, c], &screw, Moving::First).unwrap();
            let near = |time: &ContactTime| time.lower - 1e-5 <= t && t <= time.until + 1e-5;
            assert!(times.iter().any(near), "{case}: {times:?} without {t}");
            proved += times.iter().filter(|time| time.is_proved).count();
            let onto = |from: DVec3, to: DVec3| from + (to - from) * random_share(u);
            let (p, q) = (onto(a, b), vector(&mut random));
            // An edge through that place.
            let ends = [p + 0.4 * q, p - 0.6 * q].map(|x| back.apply(x));
            let times = edge_edge_times([a, b], ends, &screw, Moving::Second).unwrap();
            assert!(times.iter().any(near), "{case}: {times:?} without {t}");
            proved += times.iter().filter(|time| time.is_proved).count();
        }
        assert!(proved > 5_500, "{proved}");
    }

    fn random_share(u: f64) -> f64 {
        0.1 + 0.8 * u
    }

    /// Turning in its own plane a vertex enters through one side and leaves through another.
    #[test]
    fn sliding_in_the_plane_of_a_face_is_one_record_with_start_and_end() {
        let screw = Screw::new(DVec3::Z, DVec3::ZERO, std::f64::consts::PI, 0.0).unwrap();
        let face = [DVec3::new(-9.0, 1.0, 0.0), DVec3::new(9.0, 1.0, 0.0), DVec3::new(0.0, 9.0, 0.0)];
        let times = vertex_face_times(DVec3::X * 2.0, face, &screw, Moving::First).unwrap();
        assert_eq!(times.len(), 1, "{times:?}");
        let (enter, leave) = (1.0 / 6.0, 5.0 / 6.0);
        assert!((times[0].lower - enter).abs() < 1e-9 && (times[0].until - leave).abs() < 1e-9, "{times:?}");
        assert!(times[0].lower <= enter && times[0].until >= leave);
    }

    #[test]
    fn what_is_out_of_range_is_refused() {
        let screw = Screw::new(DVec3::Z, DVec3::ZERO, 1.0, 0.0).unwrap();
        let bad = [DVec3::X, DVec3::Y, DVec3::new(0.0, f64::NAN, 0.0)];
        let error = vertex_face_times(DVec3::Z, bad, &screw, Moving::First).unwrap_err();
        assert_eq!(error.point, 3);
    }
}
