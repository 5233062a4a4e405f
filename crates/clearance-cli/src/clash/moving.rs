//! Two parts of which one moves: what happens to them, and when.
//!
//! Time is cut into legs where a part starts or stops; on each leg both move steadily, and one engine answers: that for
//! translations, which is exact, or that for screws.

mod turning;

use super::model::{Depth, DepthKind, Finding, Verdict, When};
use super::pair::{Answer, Found, Pair, plane_between};
use super::placed::Placed;
use super::swept::{Swept, rest};
use crate::answer::BracketFile;
use crate::path::Path;
use crate::sweep::QuotientFile;
use clearance::{
    Pose,
    body::{self, Body, BodyError},
    glam::DVec3,
    mesh::MeshCache,
    pair::{Bracket, ConvexRelation, Relation},
    screw::{Motion, Stretch, TurningBody, stretches},
    spacetime::{ExactTime, FirstOverlap, Outcome, Touch, Translation, closest_approach, first_contact},
};
use clearance_io::scene::Number;

/// So many times are looked at where the engine does not tell whether parts overlap.
const LOOKS: i32 = 32;

/// Those times are multiples of this part of a leg.
const SHARES: f64 = 1048576.0;

/// Whether two parts stay as they are to each other.
pub fn are_at_rest(a: &Placed<'_>, b: &Placed<'_>) -> bool {
    match (&a.path, &b.path) {
        (Path::Unknown, _) => false,
        // They end at different places, but on one screw.
        (Path::Turning(x), Path::Turning(y)) => (x.t0, x.t1, x.motion) == (y.t0, y.t1, y.motion),
        (x, y) => x == y,
    }
}

/// A stretch of time on which both parts move steadily.
struct Leg {
    t0: f64,
    t1: f64,
    poses: [Pose; 2],
    how: How,
}

/// What both do on a leg.
enum How {
    /// They are displaced by these vectors.
    Straight([DVec3; 2]),
    /// One of them turns.
    Turning(Box<Stretch>),
}

/// What happens on a leg, in the time of the scene.
struct LegAnswer {
    contact: Contact,
    overlap: Overlap,
    /// How close they come, and when; known if they do not meet.
    closest: Option<(Bracket, f64)>,
}

enum Contact {
    None,
    AtStart(Relation, Option<Met>),
    Hit {
        bracket: Bracket,
        exact: Option<ExactTime>,
        met: Met,
    },
    /// None before the first time, and one at or before the second if that is later.
    Undecided(Bracket),
}

impl Contact {
    fn undecided(lower: f64) -> Contact {
        Contact::Undecided(Bracket { lower, upper: lower })
    }
}

/// Where parts meet.
struct Met {
    normal: Option<DVec3>,
    points: Vec<DVec3>,
}

impl From<Touch> for Met {
    fn from(touch: Touch) -> Met {
        let points = touch.contacts.iter().flat_map(|contact| [Some(contact.point), contact.end]).flatten();
        Met { normal: Some(touch.normal), points: points.collect() }
    }
}

enum Overlap {
    Never,
    From(Bracket),
    Undecided,
}

impl Pair<'_> {
    /// The gravest verdict of the motion, with when. Whether a part is a duplicate or enclosed is looked for at the start.
    pub fn look_moving(&self, cache: &mut MeshCache) -> Answer {
        let at_start = match self.look(cache) {
            Answer::Listed(found) => Some(found),
            Answer::Clear | Answer::Counted(_) => None,
        };
        let grave = [Verdict::Duplicate, Verdict::Enclosed];
        let found = self.over_time().unwrap_or_else(|| self.unknown());
        let Some((mut found, verdict)) = found else {
            return at_start
                .filter(|start| start.finding.verdict == Verdict::TooClose)
                .map_or(Answer::Clear, Answer::Listed);
        };
        if let Some(start) = at_start {
            let is_grave = grave.contains(&start.finding.verdict);
            found.finding.verdict = if is_grave { start.finding.verdict } else { verdict };
            // What is known of the start says more than times alone.
            if is_grave
                || matches!(found.finding.motion.as_ref(), Some(when) if when.contact == "overlapping_at_start")
            {
                let Finding { depth, volume, inside, points, contacts, .. } = start.finding;
                // The tolerance at which an overlap vanishes is known for the start only.
                let depth = found.finding.depth.or(depth.map(|depth| Depth { surface: None, ..depth }));
                found.finding = Finding { depth, volume, inside, points, contacts, ..found.finding };
                found.curve = start.curve;
            }
        }
        if found.finding.verdict.is_touching() && !self.wanted.touching {
            return Answer::Counted(found.finding.verdict);
        }
        Answer::Listed(Box::new(found))
    }

    fn blank(&self, verdict: Verdict) -> Found {
        let finding = Finding {
            verdict,
            rule: self.rule.name.into(),
            required: self.rule.clearance,
            ..Finding::default()
        };
        Found { finding, ..Found::default() }
    }

    /// No engine, or coordinates beyond all limits.
    fn unknown(&self) -> Option<(Found, Verdict)> {
        let mut found = self.blank(Verdict::Undecided);
        found.finding.motion = Some(When { contact: "undecided".into(), ..When::default() });
        Some((found, Verdict::Undecided))
    }

    /// The outer `None` if nothing is known, the inner one if nothing is to be told.
    fn over_time(&self) -> Option<Option<(Found, Verdict)>> {
        let mut when = When { contact: "none".into(), ..When::default() };
        let mut points = Vec::new();
        let (mut has_contact, mut is_undecided) = (false, false);
        let mut closest: Option<(Bracket, f64)> = None;
        let legs = self.legs()?;
        for (index, leg) in legs.iter().enumerate() {
            let answer = leg.answer(self).ok()?;
            if !has_contact && !is_undecided {
                points = tell_contact(&mut when, &answer.contact, index, leg.t0);
                has_contact = matches!(answer.contact, Contact::AtStart(..) | Contact::Hit { .. });
                is_undecided = matches!(answer.contact, Contact::Undecided(_));
            }
            match answer.overlap {
                Overlap::From(bracket) if when.first_overlap.is_none() => {
                    when.first_overlap = Some(bracket.into())
                }
                Overlap::Undecided if when.first_overlap.is_none() => is_undecided = true,
                _ => {}
            }
            if let Some((gap, _)) = answer.closest
                && closest.is_none_or(|(known, _)| gap.upper < known.upper)
            {
                let lower = closest.map_or(gap.lower, |(known, _)| known.lower.min(gap.lower));
                closest = answer.closest.map(|(gap, time)| (Bracket { lower, ..gap }, time));
            } else if let (Some((gap, _)), Some((known, _))) = (answer.closest, closest.as_mut()) {
                known.lower = known.lower.min(gap.lower);
            }
            if when.first_overlap.is_some() {
                break;
            }
        }
        let required = self.rule.clearance;
        let shallow = when.first_overlap.and_then(|_| self.shallow(&legs));
        let verdict = match (when.first_overlap.is_some(), is_undecided, has_contact, closest) {
            (true, ..) if shallow.is_some() => Verdict::TouchingWithinTolerance,
            (true, ..) => Verdict::Overlapping,
            (_, true, ..) => Verdict::Undecided,
            (_, _, true, _) => Verdict::Touching,
            (.., Some((gap, _))) if gap.upper < required => Verdict::TooClose,
            (.., Some((gap, _))) if gap.lower < required => match self.comes_within(&legs) {
                Some(true) => {
                    // Proved to be less, though rounding does not show it.
                    let upper = gap.upper.min(required.next_down()).max(gap.lower);
                    closest = closest.map(|(gap, time)| (Bracket { upper, ..gap }, time));
                    Verdict::TooClose
                }
                Some(false) => return Some(None),
                None => Verdict::Undecided,
            },
            _ => return Some(None),
        };
        let mut found = self.blank(verdict);
        found.finding.depth = shallow;
        found.finding.points = points;
        let meets = has_contact || when.first_overlap.is_some();
        found.finding.distance =
            if meets { Some(Bracket::ZERO.into()) } else { closest.map(|(gap, _)| gap.into()) };
        if let Some((_, time)) = closest.filter(|_| !meets) {
            when.closest_time = Some(time);
            self.add_closest(&mut found.finding, time);
        }
        found.finding.motion = Some(when);
        Some(Some((found, verdict)))
    }

    /// How deep polytopes overlap at most, if that is within the tolerance all along their way.
    fn shallow(&self, legs: &[Leg]) -> Option<Depth> {
        let tolerance = self.rule.tolerance;
        let depths = legs.iter().map(|leg| leg.swept(self)?.depth().filter(|&depth| depth <= tolerance));
        let upper = depths.collect::<Option<Vec<f64>>>()?.into_iter().fold(0.0, f64::max);
        let kind = DepthKind::Translation;
        (tolerance > 0.0).then_some(Depth { kind, lower: 0.0, upper, point: None, surface: Some(upper) })
    }

    /// Whether polytopes come closer than the clearance, where that is known exactly.
    fn comes_within(&self, legs: &[Leg]) -> Option<bool> {
        let limit = self.rule.clearance.next_down();
        let known = legs.iter().map(|leg| leg.swept(self)?.is_within(limit));
        Some(known.collect::<Option<Vec<bool>>>()?.contains(&true))
    }

    /// Where parts that do not meet are closest.
    fn add_closest(&self, finding: &mut Finding, time: f64) {
        let place = |part: &Placed<'_>| part.path.pose_at(time, part.pose);
        let Some((pose_a, pose_b)) = place(self.a).zip(place(self.b)) else { return };
        let (a, b) = (Placed { pose: &pose_a, ..self.a.clone() }, Placed { pose: &pose_b, ..self.b.clone() });
        let answer = body::relate(a.geometry.body, &pose_a, b.geometry.body, &pose_b);
        let Some(points) = answer.ok().and_then(|answer| answer.points) else { return };
        finding.closest = Some(points.map(|point| point.to_array()));
        finding.plane = plane_between(&a, &b, points);
    }

    /// `None` if a path has no engine, or leads beyond the limits.
    fn legs(&self) -> Option<Vec<Leg>> {
        let paths = [&self.a.path, &self.b.path];
        if paths.contains(&&Path::Unknown) {
            return None;
        }
        if paths.iter().any(|path| path.is_turning()) {
            return self.turning_legs();
        }
        let mut times: Vec<f64> = paths.iter().filter_map(|path| path.times()).flatten().collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        let parts = [self.a, self.b];
        let leg = |ends: &[f64]| {
            let (t0, t1) = (ends[0], ends[1]);
            let displacements = paths.map(|path| match path {
                // Bit for bit, where a motion is not cut.
                &Path::Straight { displacement, t0: from, t1: to } if from == t0 && to == t1 => displacement,
                other => other.moved(t1) - other.moved(t0),
            });
            let place = |k: usize| paths[k].pose_at(t0, parts[k].pose);
            Some(Leg { t0, t1, poses: [place(0)?, place(1)?], how: How::Straight(displacements) })
        };
        times.windows(2).map(leg).collect()
    }

    /// Legs on some of which a part turns.
    fn turning_legs(&self) -> Option<Vec<Leg>> {
        let [a, b] = [self.a, self.b].map(|part| TurningBody {
            body: part.geometry.body,
            pose: part.pose,
            journey: part.path.journey(part.pose),
        });
        let leg = |stretch: Stretch| {
            let [t0, t1] = stretch.times;
            let how = match stretch.motions.map(displacement) {
                [Some(of_a), Some(of_b)] => How::Straight([of_a, of_b]),
                _ => How::Turning(Box::new(stretch)),
            };
            Leg { t0, t1, poses: stretch.poses, how }
        };
        Some(stretches(&a, &b)?.into_iter().map(leg).collect())
    }
}

/// The way of a part that does not turn; `None` if it does.
fn displacement(motion: Motion) -> Option<DVec3> {
    match motion {
        Motion::AtRest => Some(DVec3::ZERO),
        Motion::Steady(steady) if steady.rate().magnitude() == 0.0 => Some(steady.drift().middle()),
        Motion::Screw(_) | Motion::Steady(_) => None,
    }
}

impl Leg {
    fn answer(&self, pair: &Pair<'_>) -> Result<LegAnswer, BodyError> {
        match &self.how {
            How::Straight(displacements) => self.answer_straight(pair, *displacements),
            How::Turning(stretch) => turning::answer(stretch, pair),
        }
    }

    fn answer_straight(&self, pair: &Pair<'_>, ways: [DVec3; 2]) -> Result<LegAnswer, BodyError> {
        let (a, b) = (pair.a.geometry.body, pair.b.geometry.body);
        let [pose_a, pose_b] = &self.poses;
        // Displacements are over the whole leg, so time is counted from 0 to 1 and told in the scene's.
        let Ok(motion) = Translation::new(ways[0], ways[1], 0.0, 1.0) else {
            return Ok(LegAnswer {
                contact: Contact::undecided(self.t0),
                overlap: Overlap::Undecided,
                closest: None,
            });
        };
        let found = first_contact(a, pose_a, b, pose_b, &motion)?;
        let exactly = |time: &ExactTime| {
            let (lower, upper) = time.bracket();
            Bracket { lower, upper }
        };
        let contact = match found.outcome {
            Outcome::None(_) => Contact::None,
            Outcome::TouchingAtStart(touch) => Contact::AtStart(Relation::Touching, Some(touch.into())),
            Outcome::OverlappingAtStart => Contact::AtStart(Relation::Overlapping, None),
            Outcome::Hit(time, touch) => {
                let time = time.between(self.t0, self.t1);
                Contact::Hit { bracket: exactly(&time), exact: Some(time), met: touch.into() }
            }
            Outcome::HitBetween([lower, upper], touch) => {
                let bracket = Bracket { lower: self.at(lower).next_down(), upper: self.at(upper).next_up() };
                Contact::Hit { bracket, exact: None, met: touch.into() }
            }
            Outcome::Undecided(lower) => Contact::undecided(self.at(lower).next_down()),
        };
        let first = match &contact {
            Contact::Hit { bracket, .. } => bracket.lower,
            Contact::Undecided(bracket) => bracket.lower,
            Contact::None | Contact::AtStart(..) => self.t0,
        };
        let overlap = match (&contact, found.first_overlap) {
            (Contact::AtStart(Relation::Overlapping, _), _) => {
                Overlap::From(Bracket { lower: self.t0, upper: self.t0 })
            }
            (_, FirstOverlap::From(time)) => Overlap::From(exactly(&time.between(self.t0, self.t1))),
            (Contact::None, _) | (_, FirstOverlap::Never) => Overlap::Never,
            (_, FirstOverlap::Undecided) => match self.seen_overlap(a, b, ways, first) {
                Some(upper) => Overlap::From(Bracket { lower: first, upper }),
                None => Overlap::Undecided,
            },
        };
        let closest = match contact {
            Contact::None if pair.rule.clearance > 0.0 => {
                let found = closest_approach(a, pose_a, b, pose_b, &motion)?;
                Some((found.distance, self.at(found.time)))
            }
            _ => None,
        };
        Ok(LegAnswer { contact, overlap, closest })
    }

    fn at(&self, share: f64) -> f64 {
        self.t0 + share * (self.t1 - self.t0)
    }

    /// Both as polytopes, if that is what they are and they do not turn.
    fn swept<'a>(&'a self, pair: &Pair<'a>) -> Option<Swept<'a>> {
        let How::Straight(displacements) = self.how else { return None };
        let maps = [pair.a.geometry.polytope()?, pair.b.geometry.polytope()?];
        let [pose_a, pose_b] = &self.poses;
        Some(Swept { maps, poses: [pose_a, pose_b], displacements })
    }

    /// A time at which parts are seen to overlap, deeper than their places round by: the first of those that come ever closer
    /// to the first contact, or else one of some along the way.
    fn seen_overlap(&self, a: &Body, b: &Body, ways: [DVec3; 2], first: f64) -> Option<f64> {
        let start = ((first - self.t0) / (self.t1 - self.t0)).clamp(0.0, 1.0);
        // With few digits, so that places are likely to be floats.
        let few_digits = |share: f64| ((share * SHARES).ceil() / SHARES).min(1.0);
        let mut seen = None;
        for halvings in 0..LOOKS {
            let share = few_digits(start + (1.0 - start) * 0.5f64.powi(halvings));
            match self.overlaps_at(share, a, b, ways) {
                true => seen = Some(share),
                false if seen.is_some() => break,
                false => {}
            }
        }
        let along = |k: i32| few_digits(start + (1.0 - start) * (f64::from(k) + 0.5) / f64::from(LOOKS));
        let seen = seen.or_else(|| (0..LOOKS).map(along).find(|&share| self.overlaps_at(share, a, b, ways)));
        seen.map(|share| self.at(share).next_up().min(self.t1))
    }

    fn overlaps_at(&self, share: f64, a: &Body, b: &Body, ways: [DVec3; 2]) -> bool {
        let moved = |k: usize| {
            let (pose, by) = (&self.poses[k], share * ways[k]);
            Pose::new(pose.rotation(), pose.translation() + by).ok()
        };
        let Some((pose_a, pose_b)) = moved(0).zip(moved(1)) else { return false };
        let Ok(found) = body::relate(a, &pose_a, b, &pose_b) else { return false };
        let size = |k: usize| (self.poses[k].translation().abs() + ways[k].abs()).element_sum();
        let room = 8.0 * f64::EPSILON * (size(0) + size(1));
        found.depth.is_some_and(|depth| depth.lower > room)
            || (found.relation == ConvexRelation::Exact(Relation::Overlapping)
                && self.is_exact_at(share, ways))
    }

    /// Whether the places at that time are floats.
    fn is_exact_at(&self, share: f64, ways: [DVec3; 2]) -> bool {
        let is_exact = |from: f64, by: f64| {
            let product = share * by;
            share.mul_add(by, -product) == 0.0 && rest(from, product) == 0.0
        };
        (0..6).all(|i| {
            let (k, axis) = (i / 3, i % 3);
            is_exact(self.poses[k].translation()[axis], ways[k][axis])
        })
    }
}

/// Writes down the first contact; its points.
fn tell_contact(when: &mut When, contact: &Contact, leg: usize, t0: f64) -> Vec<[f64; 3]> {
    let bracket = |lower: f64, upper: f64| Some(BracketFile { lower: Number(lower), upper: Number(upper) });
    let met = match contact {
        Contact::None => return Vec::new(),
        Contact::Undecided(at) => {
            when.contact = "undecided".into();
            when.first_contact = Some((*at).into());
            return Vec::new();
        }
        Contact::AtStart(relation, met) => {
            // On a later leg: what was apart before begins to meet where poses were rounded.
            when.contact = match (leg, relation) {
                (0, Relation::Overlapping) => "overlapping_at_start".into(),
                (0, _) => "touching_at_start".into(),
                _ => "hit".into(),
            };
            when.first_contact = if leg == 0 { None } else { bracket(t0.next_down(), t0.next_up()) };
            met.as_ref()
        }
        Contact::Hit { bracket: at, exact, met } => {
            when.contact = "hit".into();
            when.first_contact = Some((*at).into());
            when.exact = exact.as_ref().map(QuotientFile::from);
            Some(met)
        }
    };
    when.normal = met.and_then(|met| met.normal).map(|normal| normal.to_array());
    let mut points: Vec<[f64; 3]> =
        met.map_or(Vec::new(), |met| met.points.iter().map(|point| point.to_array()).collect());
    points.sort_by(|x, y| x[0].total_cmp(&y[0]).then(x[1].total_cmp(&y[1])).then(x[2].total_cmp(&y[2])));
    points.dedup();
    points.truncate(32);
    points
}
