//! Several bodies of which some turn, each at its own time: who may meet at all, and when each two first do.
//!
//! A body rests before and after its journey. The time of a pair is cut where one of them starts or stops; on each stretch both
//! rest or move steadily, and time is counted from 0 to 1.

use super::first_contact::first_contact;
use super::motion::Motion;
use super::outcome::{ScrewImpact, ScrewOutcome};
use super::swept::swept_box;
use crate::body::{Body, BodyError, relate};
use crate::broad::{BroadPhase, EVERYWHERE, Mobility, Partition};
use crate::math::{Aabb, Pose, Screw, SteadyMotion};
use glam::DVec3;

/// A motion from `t0` to `t1`; before and after it the body rests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Journey {
    /// When it starts.
    pub t0: f64,
    /// When it stops, after the start.
    pub t1: f64,
    /// How it moves in between.
    pub motion: Motion,
    /// Where it rests afterwards: the pose that the motion leads to, but for rounding.
    pub end: Pose,
}

/// A body, where it is before it moves, and how it moves if it does.
#[derive(Clone, Copy, Debug)]
pub struct TurningBody<'a> {
    /// The body.
    pub body: &'a Body,
    /// Where it is before its journey.
    pub pose: &'a Pose,
    /// How it moves.
    pub journey: Option<Journey>,
}

/// Two bodies of a scene, the smaller index first, and when they first meet.
#[derive(Clone, Debug)]
pub struct TurningContact {
    /// The bodies.
    pub bodies: [usize; 2],
    /// Their answer with times of the scene, or why there is none. At the start means before any of the two moves.
    pub found: Result<ScrewOutcome, BodyError>,
}

/// A part of the time of a pair, and what both do in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// From when to when, in the time of the scene.
    pub times: [f64; 2],
    /// Where they are then; rounded, if one of them is on its way.
    pub poses: [Pose; 2],
    /// How they move, from 0 to 1.
    pub motions: [Motion; 2],
}

impl Stretch {
    /// A time from 0 to 1 as one of the scene, never late.
    pub fn earliest(&self, share: f64) -> f64 {
        let [t0, t1] = self.times;
        if share <= 0.0 { t0 } else { (t0 + share * (t1 - t0) - self.rounding()).clamp(t0, t1) }
    }

    /// A time from 0 to 1 as one of the scene, never early.
    pub fn latest(&self, share: f64) -> f64 {
        let [t0, t1] = self.times;
        if share <= 0.0 { t0 } else { (t0 + share * (t1 - t0) + self.rounding()).clamp(t0, t1) }
    }

    /// More than four roundings of numbers that are not larger than both times together.
    fn rounding(&self) -> f64 {
        2.5 * f64::EPSILON * (self.times[0].abs() + self.times[1].abs())
    }

    /// When two bodies first meet on it, from 0 to 1.
    ///
    /// # Errors
    /// As [`first_contact`].
    pub fn first_contact(&self, a: &Body, b: &Body) -> Result<ScrewOutcome, BodyError> {
        let [motion_a, motion_b] = self.for_engines();
        first_contact(a, &self.poses[0], &motion_a, b, &self.poses[1], &motion_b)
    }

    /// A translation beside a body at rest is a screw too, and meshes on a screw are searched feature by feature.
    fn for_engines(&self) -> [Motion; 2] {
        let as_screw = |k: usize| match self.motions[k] {
            Motion::Steady(steady) if steady.rate().magnitude() == 0.0 => {
                let way = steady.drift().middle();
                Screw::new(way, steady.center(), 0.0, way.length()).map_or(self.motions[k], Motion::Screw)
            }
            other => other,
        };
        match self.motions {
            [Motion::AtRest, _] => [Motion::AtRest, as_screw(1)],
            [_, Motion::AtRest] => [as_screw(0), Motion::AtRest],
            both => both,
        }
    }
}

impl Journey {
    /// Where a body that was at `from` before is at a time of the scene, rounded; `None` out of the range of coordinates.
    pub fn pose_at(&self, t: f64, from: &Pose) -> Option<Pose> {
        match self.share(t) {
            share if share <= 0.0 => Some(*from),
            share if share >= 1.0 => Some(self.end),
            share => self.motion.pose_at(share, from).map(|(pose, _)| pose),
        }
    }

    fn share(&self, t: f64) -> f64 {
        ((t - self.t0) / (self.t1 - self.t0)).clamp(0.0, 1.0)
    }

    /// What it does between two times at which nobody starts or stops.
    fn motion_between(&self, [from, to]: [f64; 2]) -> Motion {
        let (before, after) = (self.share(from), self.share(to));
        if from >= self.t1 || to <= self.t0 {
            return Motion::AtRest;
        }
        if before <= 0.0 && after >= 1.0 {
            return self.motion;
        }
        let share = after - before;
        let part = match self.motion {
            Motion::AtRest => return Motion::AtRest,
            Motion::Screw(screw) => {
                let (angle, shift) = (screw.angle() * share, screw.shift() * share);
                Screw::new(screw.axis(), screw.center(), angle, shift).map(Motion::Screw)
            }
            Motion::Steady(steady) => {
                let (drift, turn) =
                    (steady.drift().middle(), steady.axis().middle() * steady.rate().middle());
                let center = steady.center() + drift * before;
                SteadyMotion::from_velocities(drift * share, turn * share, center).map(Motion::Steady)
            }
        };
        // A part of numbers that were accepted is.
        part.unwrap_or(self.motion)
    }
}

impl TurningBody<'_> {
    /// A box around it at all times; `None` if it is unbounded or leaves the range of coordinates.
    pub fn swept_box(&self) -> Option<Aabb> {
        let Some(journey) = self.journey else { return swept_box(self.body, self.pose, &Motion::AtRest) };
        let way = swept_box(self.body, self.pose, &journey.motion)?;
        Some(way.join(swept_box(self.body, &journey.end, &Motion::AtRest)?))
    }
}

/// The time of a pair, cut where one of them starts or stops; from 0 to 1 if both rest. `None` if one leaves the range of
/// coordinates.
///
/// Whole journeys are as given. Where one is cut, places are the nearest floats, and turns and ways are rounded.
pub fn stretches(a: &TurningBody<'_>, b: &TurningBody<'_>) -> Option<Vec<Stretch>> {
    let mut times: Vec<f64> =
        [a, b].iter().filter_map(|body| body.journey).flat_map(|j| [j.t0, j.t1]).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    if times.is_empty() {
        times = vec![0.0, 1.0];
    }
    let stretch = |ends: &[f64]| {
        let times = [ends[0], ends[1]];
        let place = |body: &TurningBody<'_>| {
            body.journey.map_or(Some(*body.pose), |journey| journey.pose_at(times[0], body.pose))
        };
        let motion = |body: &TurningBody<'_>| {
            body.journey.map_or(Motion::AtRest, |journey| journey.motion_between(times))
        };
        Some(Stretch { times, poses: [place(a)?, place(b)?], motions: [motion(a), motion(b)] })
    };
    times.windows(2).map(stretch).collect()
}

/// When two bodies first meet, from before any of them moves until none moves any more; times are those of the scene.
///
/// # Errors
/// As [`first_contact`], or a way that leaves the range of coordinates.
pub fn first_contact_on_journeys(
    a: &TurningBody<'_>,
    b: &TurningBody<'_>,
) -> Result<ScrewOutcome, BodyError> {
    let (kind_a, kind_b) = (a.body.kind_name(), b.body.kind_name());
    let beyond = BodyError::Pair { query: "first contact", kind_a, kind_b };
    let stretches = stretches(a, b).ok_or(beyond)?;
    // No contact before this time, and none known after it so far.
    let mut doubt: Option<f64> = None;
    for (index, stretch) in stretches.iter().enumerate() {
        let found = match stretch.first_contact(a.body, b.body)? {
            ScrewOutcome::None => continue,
            ScrewOutcome::TouchingAtStart | ScrewOutcome::OverlappingAtStart if index > 0 => {
                rounded_into_contact(stretch, a.body, b.body)?
            }
            ScrewOutcome::Hit(impact) => ScrewOutcome::Hit(ScrewImpact {
                lower: stretch.earliest(impact.lower),
                upper: stretch.latest(impact.upper),
                ..impact
            }),
            ScrewOutcome::Undecided { lower, upper } => ScrewOutcome::Undecided {
                lower: stretch.earliest(lower),
                upper: upper.map(|upper| stretch.latest(upper)),
            },
            at_start => at_start,
        };
        match (found, doubt) {
            (ScrewOutcome::Undecided { lower, upper: None }, _) => doubt = doubt.or(Some(lower)),
            (ScrewOutcome::Undecided { upper, .. }, Some(lower)) => {
                return Ok(ScrewOutcome::Undecided { lower, upper });
            }
            (ScrewOutcome::Hit(impact), Some(lower)) => {
                return Ok(ScrewOutcome::Undecided { lower, upper: Some(impact.upper) });
            }
            (found, _) => return Ok(found),
        }
    }
    Ok(doubt.map_or(ScrewOutcome::None, |lower| ScrewOutcome::Undecided { lower, upper: None }))
}

/// What was apart before meets where places are rounded: at this time, as well as floats can tell.
fn rounded_into_contact(stretch: &Stretch, a: &Body, b: &Body) -> Result<ScrewOutcome, BodyError> {
    let found = relate(a, &stretch.poses[0], b, &stretch.poses[1])?;
    let time = stretch.times[0];
    Ok(ScrewOutcome::Hit(ScrewImpact {
        lower: time.next_down(),
        upper: time,
        point: found.points.map_or(DVec3::ZERO, |[p, q]| 0.5 * (p + q)),
        normal: found.normal.unwrap_or(DVec3::ZERO),
    }))
}

/// Pairs of bodies whose boxes, swept over their journeys, meet, in the order of the bodies: all others do not meet.
pub fn near_pairs(bodies: &[TurningBody<'_>]) -> Vec<[usize; 2]> {
    let mut broad = Partition::default();
    for (id, body) in (0..).zip(bodies) {
        broad.insert(id, body.swept_box().unwrap_or(EVERYWHERE), Mobility::Moving);
    }
    let mut pairs = Vec::new();
    broad.pairs(&mut pairs);
    pairs.into_iter().map(|pair| [pair.a() as usize, pair.b() as usize]).collect()
}

/// When each two of several bodies first meet. Pairs whose boxes, swept over their journeys, are apart are left out and cost
/// nothing: a grid finds the others.
///
/// ```
/// use clearance::{Pose, body::Body, glam::DVec3, math::Screw, pair::Convex, shape::Polytope};
/// use clearance::screw::{Journey, ScrewOutcome, TurningBody, first_contacts};
/// let corners = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) - 0.5);
/// let cube = Body::Convex(Convex::from_polytope(Polytope::hull(&corners.collect::<Vec<_>>())?));
/// let place = |x: f64, y: f64| Pose::from_translation(DVec3::new(x, y, 0.0));
/// // A cube turns about z by a quarter; one of the others is in its way, the third is far off.
/// let (start, end) = (place(3.0, 0.0)?, Pose::from_axis_angle(DVec3::Z, 1.5707963267948966, DVec3::new(0.0, 3.0, 0.0))?);
/// let motion = Screw::between(&start, &end).0.into();
/// let turning = TurningBody { body: &cube, pose: &start, journey: Some(Journey { t0: 2.0, t1: 4.0, motion, end }) };
/// let rests = |pose| TurningBody { body: &cube, pose, journey: None };
/// let (near, far) = (place(0.0, 3.2)?, place(0.0, -9.0)?);
/// let found = first_contacts(&[turning, rests(&near), rests(&far)]);
/// assert_eq!(found.len(), 1);
/// assert!(matches!(found[0].found, Ok(ScrewOutcome::Hit(impact)) if impact.lower > 3.0 && impact.upper < 4.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn first_contacts(bodies: &[TurningBody<'_>]) -> Vec<TurningContact> {
    let answer = |[i, j]: [usize; 2]| TurningContact {
        bodies: [i, j],
        found: first_contact_on_journeys(&bodies[i], &bodies[j]),
    };
    near_pairs(bodies).into_iter().map(answer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::pair::Convex;
    use crate::shape::{Mesh, MeshConfig, Polytope, Shape, sample};

    fn vector(random: &mut Random, size: f64) -> DVec3 {
        DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0)) * size
    }

    fn random_body(random: &mut Random) -> Body {
        match random.below(3) {
            0 => {
                let soup = sample::torus(0.6, 0.2, 8, 6).unwrap();
                Body::try_from(&Shape::from(Mesh::build(&soup, &MeshConfig::default()).unwrap())).unwrap()
            }
            _ => {
                let points: Vec<DVec3> = (0..8).map(|_| vector(random, 0.7)).collect();
                Body::Convex(Convex::from_polytope(Polytope::hull(&points).unwrap()))
            }
        }
    }

    fn random_journey(random: &mut Random, pose: &Pose) -> Option<Journey> {
        let [t0, t1] = [(0.0, 1.0), (1.0, 2.0), (0.5, 3.0)].map(|(x, y)| [x, y])[random.below(3) as usize];
        let motion = match random.below(4) {
            0 => return None,
            1 => Motion::Steady(
                SteadyMotion::from_velocities(vector(random, 3.0), DVec3::ZERO, DVec3::ZERO).unwrap(),
            ),
            _ => {
                let center = pose.translation() + vector(random, 2.0);
                Motion::Screw(Screw::new(vector(random, 1.0), center, random.range(-3.0, 3.0), 0.5).unwrap())
            }
        };
        let end = motion.pose_at(1.0, pose).unwrap().0;
        Some(Journey { t0, t1, motion, end })
    }

    /// Oracle: all pairs, one by one, and static relations at many times.
    #[test]
    fn pairs_that_are_left_out_do_not_meet_and_the_others_are_those_of_all_pairs() {
        let mut random = Random::new(5);
        let (mut left_out, mut hits) = (0, 0);
        for _ in 0..5 {
            let bodies: Vec<Body> = (0..9).map(|_| random_body(&mut random)).collect();
            let mut place =
                || Pose::from_axis_angle(vector(&mut random, 1.0), 1.0, vector(&mut random, 2.0)).unwrap();
            let poses: Vec<Pose> = (0..9).map(|_| place()).collect();
            let scene: Vec<TurningBody<'_>> = bodies
                .iter()
                .zip(&poses)
                .map(|(body, pose)| TurningBody { body, pose, journey: random_journey(&mut random, pose) })
                .collect();
            let found = first_contacts(&scene);
            for j in 0..9 {
                for i in 0..j {
                    let (a, b) = (&scene[i], &scene[j]);
                    let all = first_contact_on_journeys(a, b).unwrap();
                    match found.iter().find(|pair| pair.bodies == [i, j]) {
                        Some(pair) => assert_eq!(pair.found, Ok(all)),
                        None => {
                            left_out += 1;
                            assert_eq!(all, ScrewOutcome::None);
                        }
                    }
                    hits += usize::from(matches!(all, ScrewOutcome::Hit(_)));
                    compare_with_samples(a, b, all);
                }
            }
        }
        assert!(left_out > 20 && hits > 5, "{left_out} {hits}");
    }

    fn compare_with_samples(a: &TurningBody<'_>, b: &TurningBody<'_>, found: ScrewOutcome) {
        use crate::pair::{ConvexRelation, Relation};
        let at = |body: &TurningBody<'_>, t: f64| {
            body.journey.map_or(*body.pose, |j| j.pose_at(t, body.pose).unwrap())
        };
        let meets = |t: f64| {
            let relation = relate(a.body, &at(a, t), b.body, &at(b, t)).unwrap().relation;
            relation != ConvexRelation::Exact(Relation::Disjoint)
        };
        let first = (0..=60).map(|k| f64::from(k) / 20.0).find(|&t| meets(t));
        match found {
            ScrewOutcome::None => assert_eq!(first, None),
            ScrewOutcome::Hit(impact) => {
                assert!(first.is_none_or(|t| t >= impact.lower - 1e-12), "{found:?} {first:?}");
                assert!(impact.upper - impact.lower <= 4e-9);
                assert!(meets(impact.upper + 1e-7) || meets(impact.upper), "{found:?}");
            }
            ScrewOutcome::Undecided { lower, upper } => {
                assert!(first.is_none_or(|t| t >= lower - 1e-12), "{found:?} {first:?}");
                assert!(upper.is_none_or(|upper| upper >= lower));
            }
            ScrewOutcome::TouchingAtStart | ScrewOutcome::OverlappingAtStart => assert!(meets(0.0)),
        }
    }

    /// Cut in three by another body's journey, a quarter turn is still the same turn.
    #[test]
    fn journeys_that_are_cut_lead_to_the_same_places() {
        let mut random = Random::new(9);
        let body = random_body(&mut random);
        for _ in 0..50 {
            let start =
                Pose::from_axis_angle(vector(&mut random, 1.0), 1.0, vector(&mut random, 3.0)).unwrap();
            let Some(journey) = random_journey(&mut random, &start) else { continue };
            let (start, whole) = (&start, Journey { t0: 0.0, t1: 4.0, ..journey });
            let other = Journey { t0: 1.0, t1: 3.0, ..journey };
            let [a, b] = [whole, other].map(|journey| TurningBody {
                body: &body,
                pose: start,
                journey: Some(journey),
            });
            let parts = stretches(&a, &b).unwrap();
            assert_eq!(
                parts.iter().map(|part| part.times).collect::<Vec<_>>(),
                [[0.0, 1.0], [1.0, 3.0], [3.0, 4.0]]
            );
            assert_eq!((parts[0].motions[1], parts[2].poses[1]), (Motion::AtRest, journey.end));
            assert_eq!(parts[1].motions[1], journey.motion);
            for (part, next) in parts.iter().zip(&parts[1..]) {
                let (end, _) = part.motions[0].pose_at(1.0, &part.poses[0]).unwrap();
                let apart = (end.apply(DVec3::ONE) - next.poses[0].apply(DVec3::ONE)).length();
                assert!(apart < 1e-14 * 100.0, "{apart}");
            }
        }
    }
}
