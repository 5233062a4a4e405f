//! How close two bodies come while they turn, and whether they are seen to overlap.
//!
//! The distance of two bodies changes no faster than the sum of their largest speeds. So distances at the ends of an interval of
//! time bound it in between; the interval in which it may be smallest is cut next (Piyavskii 1972).

use super::axis_gap::gap_along_axis;
use super::motion::Motion;
use super::swept::OwnBox;
use crate::body::{Body, BodyError, relate};
use crate::math::Pose;
use crate::pair::{Bracket, ConvexRelation, Relation};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// What is asked of a closest approach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ApproachConfig {
    /// Whether they come closer than this is to be decided, if possible.
    pub limit: Option<f64>,
    /// The bracket is wide enough at this part of its upper end.
    pub relative_width: f64,
    /// So many distances are computed for a narrow bracket at most,
    pub looks: usize,
    /// and so many as long as the limit is not decided.
    pub looks_for_limit: usize,
}

impl Default for ApproachConfig {
    fn default() -> ApproachConfig {
        ApproachConfig { limit: None, relative_width: 1e-3, looks: 200, looks_for_limit: 4_000 }
    }
}

/// How close two bodies come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScrewApproach {
    /// The smallest distance: both ends are proved, however wide the bracket is.
    pub distance: Bracket,
    /// A time from 0 to 1 at which the distance is at most the upper end.
    pub time: f64,
}

/// How close two bodies come while they move from `t = 0` to `t = 1`.
///
/// The bracket holds the truth always; a limit inside it is one that was not decided, and exactly the limit is not closer. Bodies
/// that keep their distance all along need the most looks: about the way of their fastest points over the width.
///
/// # Errors
/// Coordinates beyond the limits, as [`crate::body::relate`] has them.
pub fn closest_approach(
    a: &Body,
    pose_a: &Pose,
    motion_a: &Motion,
    b: &Body,
    pose_b: &Pose,
    motion_b: &Motion,
    config: &ApproachConfig,
) -> Result<ScrewApproach, BodyError> {
    let pair = Pair::new((a, pose_a, motion_a), (b, pose_b, motion_b));
    let (start, end) = (pair.look(0.0)?, pair.look(1.0)?);
    let nearest = if end.distance.upper < start.distance.upper { end } else { start };
    let mut best = ScrewApproach { distance: nearest.distance, time: nearest.time };
    let floor = gap_along_axis(a, pose_a, motion_a, b, pose_b, motion_b).unwrap_or(0.0).max(0.0);
    let mut pieces = BinaryHeap::from([Piece::new(start, end, pair.speed, floor)]);
    let mut looks = 2;
    while let Some(piece) = pieces.peek().copied() {
        best.distance.lower = piece.bound.min(best.distance.upper);
        let Bracket { lower, upper } = best.distance;
        let is_decided = config.limit.is_none_or(|limit| upper < limit || lower >= limit);
        let is_narrow = upper - lower <= config.relative_width * upper || looks >= config.looks;
        let has_ended = !pair.speed.is_finite() || piece.split(pair.speed).is_none();
        if has_ended || (is_decided && is_narrow) || looks >= config.looks_for_limit.max(config.looks) {
            break;
        }
        let Some(t) = piece.split(pair.speed) else { break };
        let middle = pair.look(t)?;
        looks += 1;
        pieces.pop();
        pieces.push(Piece::new(piece.start, middle, pair.speed, floor));
        pieces.push(Piece::new(middle, piece.end, pair.speed, floor));
        if middle.distance.upper < best.distance.upper {
            best = ScrewApproach { distance: middle.distance, time: t };
        }
    }
    Ok(best)
}

/// A time from `from` to 1 at which two bodies are proved to overlap, deeper than places round by: the first of those that come
/// ever closer to `from`, or else one of some along the way. `None` proves nothing.
///
/// # Errors
/// As [`closest_approach`].
pub fn overlap_time(
    a: &Body,
    pose_a: &Pose,
    motion_a: &Motion,
    b: &Body,
    pose_b: &Pose,
    motion_b: &Motion,
    from: f64,
) -> Result<Option<f64>, BodyError> {
    let pair = Pair::new((a, pose_a, motion_a), (b, pose_b, motion_b));
    let rest = 1.0 - from;
    let mut seen = None;
    for halvings in 0..LOOKS_BACK {
        let t = from + rest * 0.5f64.powi(halvings);
        match pair.overlaps_at(t)? {
            true => seen = Some(t),
            false if seen.is_some() => return Ok(seen),
            false => {}
        }
    }
    if seen.is_some() {
        return Ok(seen);
    }
    for k in 0..LOOKS_ALONG {
        let t = from + rest * (f64::from(k) + 0.5) / f64::from(LOOKS_ALONG);
        if pair.overlaps_at(t)? {
            return Ok(Some(t));
        }
    }
    Ok(None)
}

/// Down to 1e-9 of the rest of the way.
const LOOKS_BACK: i32 = 30;
const LOOKS_ALONG: i32 = 32;

struct Pair<'a> {
    a: (&'a Body, &'a Pose, &'a Motion),
    b: (&'a Body, &'a Pose, &'a Motion),
    /// Not below the rate at which the distance changes.
    speed: f64,
}

/// A distance at a time.
#[derive(Clone, Copy, Debug)]
struct Look {
    time: f64,
    distance: Bracket,
}

impl<'a> Pair<'a> {
    fn new(a: (&'a Body, &'a Pose, &'a Motion), b: (&'a Body, &'a Pose, &'a Motion)) -> Pair<'a> {
        let speed = |(body, pose, motion): (&Body, &Pose, &Motion)| match OwnBox::of(body) {
            _ if *motion == Motion::AtRest => 0.0,
            Some(own) => own.speed(pose, motion),
            None => f64::INFINITY,
        };
        Pair { a, b, speed: (speed(a) + speed(b)) * (1.0 + 1e-12) }
    }

    /// Both where they are at a time, and how far rounding may have moved them to each other.
    fn places(&self, t: f64) -> Option<([Pose; 2], f64)> {
        let place = |(body, pose, motion): (&Body, &Pose, &Motion)| {
            let (at, off) = motion.pose_at(t, pose)?;
            let reach = OwnBox::of(body).map_or(f64::INFINITY, |own| own.reach());
            Some((at, if *motion == Motion::AtRest { 0.0 } else { off.within(reach) }))
        };
        let ((pose_a, off_a), (pose_b, off_b)) = (place(self.a)?, place(self.b)?);
        Some(([pose_a, pose_b], 1.01 * (off_a + off_b)))
    }

    fn look(&self, t: f64) -> Result<Look, BodyError> {
        let unknown = Look { time: t, distance: Bracket { lower: 0.0, upper: f64::INFINITY } };
        let Some(([pose_a, pose_b], off)) = self.places(t) else { return Ok(unknown) };
        let found = relate(self.a.0, &pose_a, self.b.0, &pose_b)?.distance;
        let distance = match off {
            0.0 => found,
            off => Bracket {
                lower: (found.lower - off).next_down().max(0.0),
                upper: (found.upper + off).next_up(),
            },
        };
        Ok(Look { time: t, distance })
    }

    fn overlaps_at(&self, t: f64) -> Result<bool, BodyError> {
        let Some(([pose_a, pose_b], off)) = self.places(t) else { return Ok(false) };
        let found = relate(self.a.0, &pose_a, self.b.0, &pose_b)?;
        let overlaps = found.relation == ConvexRelation::Exact(Relation::Overlapping);
        Ok(overlaps && (off == 0.0 || found.depth.is_some_and(|depth| depth.lower > off)))
    }
}

/// An interval of time, and a bound of the distances in it.
#[derive(Clone, Copy, Debug)]
struct Piece {
    start: Look,
    end: Look,
    bound: f64,
}

impl Piece {
    fn new(start: Look, end: Look, speed: f64, floor: f64) -> Piece {
        let (before, after) = (start.distance.lower, end.distance.lower);
        let way = speed * (end.time - start.time) * (1.0 + 1e-12);
        // Where both ends fall to as fast as they may; three roundings.
        let least = 0.5 * (before + after - way) - 4.0 * f64::EPSILON * (before + after + way);
        // An unbounded way makes it minus infinity; where nothing is known of an end it is not a number.
        let least = if least.is_nan() { 0.0 } else { least.min(before).min(after) };
        Piece { start, end, bound: least.max(floor) }
    }

    /// Where the distance may be smallest; `None` if there is no time in between.
    fn split(&self, speed: f64) -> Option<f64> {
        let (from, to) = (self.start.time, self.end.time);
        let lean = (self.start.distance.lower - self.end.distance.lower) / speed;
        let share = if lean.is_finite() { (0.5 + 0.5 * lean / (to - from)).clamp(0.1, 0.9) } else { 0.5 };
        let t = from + share * (to - from);
        (t > from && t < to).then_some(t)
    }
}

impl PartialEq for Piece {
    fn eq(&self, other: &Piece) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Piece {}

impl PartialOrd for Piece {
    fn partial_cmp(&self, other: &Piece) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Piece {
    /// The least bound on top of the heap, the earlier one first.
    fn cmp(&self, other: &Piece) -> Ordering {
        other.bound.total_cmp(&self.bound).then(other.start.time.total_cmp(&self.start.time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Random, Screw};
    use crate::pair::Convex;
    use crate::screw::{ScrewOutcome, first_contact};
    use crate::shape::{Mesh, MeshConfig, Polytope, Primitive, Shape, Sphere, sample};
    use glam::DVec3;
    use std::f64::consts::PI;

    fn ball(radius: f64) -> Body {
        Body::try_from(&Shape::from(Primitive::from(Sphere::new(radius).unwrap()))).unwrap()
    }

    fn ring() -> Body {
        let soup = sample::torus(0.8, 0.2, 12, 8).unwrap();
        Body::try_from(&Shape::from(Mesh::build(&soup, &MeshConfig::default()).unwrap())).unwrap()
    }

    /// Oracle: distances at many times. None is below the bracket, the smallest is not much above it, and what comes to a contact
    /// comes to zero.
    #[test]
    fn distances_at_many_times_are_never_below_the_bracket() {
        let mut random = Random::new(11);
        let mut passing = 0;
        for case in 0..60 {
            let mut vector = |size: f64| {
                DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0)) * size
            };
            let a = if case % 3 == 0 { ball(0.7) } else { ring() };
            let corners: Vec<DVec3> = (0..9).map(|_| vector(1.0)).collect();
            let b = Body::Convex(Convex::from_polytope(Polytope::hull(&corners).unwrap()));
            let pose_a = Pose::from_axis_angle(vector(1.0), 1.0, vector(1.0)).unwrap();
            let pose_b = Pose::from_axis_angle(vector(1.0), 1.0, vector(1.0).normalize() * 4.0).unwrap();
            let screw = |v: DVec3, c: DVec3, angle: f64| Motion::from(Screw::new(v, c, angle, 1.0).unwrap());
            let motion_b = screw(vector(1.0), vector(2.0), PI);
            let motion_a = if case % 2 == 0 { Motion::AtRest } else { screw(vector(1.0), vector(2.0), -0.7) };
            let outcome = first_contact(&a, &pose_a, &motion_a, &b, &pose_b, &motion_b).unwrap();
            let config = ApproachConfig::default();
            let found = closest_approach(&a, &pose_a, &motion_a, &b, &pose_b, &motion_b, &config).unwrap();
            let Bracket { lower, upper } = found.distance;
            assert!(lower <= upper && lower >= 0.0);
            let at = |t: f64| {
                let place = |motion: &Motion, pose: &Pose| motion.pose_at(t, pose).unwrap().0;
                relate(&a, &place(&motion_a, &pose_a), &b, &place(&motion_b, &pose_b)).unwrap()
            };
            let sampled =
                (0..=400).map(|k| at(f64::from(k) / 400.0).distance.upper).fold(f64::INFINITY, f64::min);
            assert!(sampled >= lower - 1e-12, "{case}: {found:?}, {sampled}");
            assert!((at(found.time).distance.upper - upper).abs() <= 1e-9, "{case}: {found:?}");
            match outcome {
                ScrewOutcome::None => {
                    passing += 1;
                    assert!(upper <= sampled * 1.02 + 1e-12, "{case}: {found:?}, {sampled}");
                    // A limit on either side is decided, and the decision is right.
                    for limit in [0.99 * lower, 1.01 * upper] {
                        let config = ApproachConfig { limit: Some(limit), ..config };
                        let again = closest_approach(&a, &pose_a, &motion_a, &b, &pose_b, &motion_b, &config);
                        let again = again.unwrap().distance;
                        assert!(
                            if limit > upper { again.upper < limit } else { again.lower >= limit },
                            "{case}"
                        );
                    }
                    let overlap = overlap_time(&a, &pose_a, &motion_a, &b, &pose_b, &motion_b, 0.0).unwrap();
                    assert_eq!(overlap, None);
                }
                ScrewOutcome::Hit(impact) => {
                    assert!(lower < 1e-6, "{case}: {found:?}");
                    let seen =
                        overlap_time(&a, &pose_a, &motion_a, &b, &pose_b, &motion_b, impact.lower).unwrap();
                    if let Some(seen) = seen {
                        assert!(seen >= impact.lower && seen <= 1.0, "{case}: {seen}");
                        assert_eq!(at(seen).relation, ConvexRelation::Exact(Relation::Overlapping));
                    }
                }
                _ => {}
            }
        }
        assert!(passing > 10, "{passing}");
    }

    /// A ball that turns about a post keeps its distance: as wide as the looks allow, and a limit below is decided.
    #[test]
    fn bodies_that_keep_their_distance_are_bracketed_honestly() {
        let ball = ball(1.0);
        let at = Pose::from_translation(DVec3::new(2.5, 0.0, 0.0)).unwrap();
        let turn = Motion::from(Screw::new(DVec3::Z, DVec3::ZERO, PI, 0.0).unwrap());
        let ask = |limit: Option<f64>| {
            let config = ApproachConfig { limit, ..ApproachConfig::default() };
            closest_approach(&ball, &Pose::IDENTITY, &Motion::AtRest, &ball, &at, &turn, &config)
                .unwrap()
                .distance
        };
        let free = ask(None);
        assert!(free.lower < 0.5 && free.upper >= 0.5 && free.lower > 0.4, "{free:?}");
        assert!(ask(Some(0.495)).lower >= 0.495 && ask(Some(0.505)).upper < 0.505);
        let exactly = ask(Some(0.5));
        assert!(exactly.lower < 0.5 && exactly.upper >= 0.5, "{exactly:?}");
    }
}
