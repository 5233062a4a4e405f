//! All times at which a vertex meets a triangle, or an edge an edge, while one of them moves on a screw.

use super::course::{Course, KNOWN, Passage, Turns, Zero};
pub(super) use super::features::{Containment, EdgeEdge, VertexFace};
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
