//! One step with all that happens on the way: bodies do not tunnel, however fast they are.

use super::WorldError;
use super::cancel::{Cancel, NEVER};
use super::event::{Failure, Frame};
use super::narrow::{At, Scratch, collides, separation, within};
use super::pairs::BLOCK;
use super::swept_event::{SweptConfig, SweptContact, SweptEnd, SweptFrame};
use super::swept_pair::{Meeting, meeting};
use super::way::Way;
use super::world::World;
use crate::broad::{BroadPhase, IdPair, Mobility, Partition};
use crate::math::Pose;
use rayon::prelude::*;

/// How long before the first contact a frame ends that is to end free, at least: as long as the bracket of a contact is wide.
const BEFORE: f64 = 1e-9;

/// Of a distance below the gap at the beginning so much is kept: rounding does not stop a body that slides.
const KEPT: f64 = 1.0 - 1e-6;

/// Ways that one task looks around, at least.
const TASK: usize = 16;

/// What is known of a frame before it ends.
struct Sweep {
    ways: Vec<Way>,
    contacts: Vec<SweptContact>,
    failures: Vec<Failure>,
    /// Pairs that were asked for and are apart at the beginning; of those that meet, how far.
    apart: Vec<(IdPair, Option<f64>)>,
    swept: usize,
    tested: usize,
}

impl World {
    /// A step that looks at the ways of bodies, not at their ends alone: the first contact of every pair within the frame.
    ///
    /// The frame begins where the step before left the bodies, and every body that was [moved](World::move_to) since runs on
    /// the screw to its new pose, [`Screw::between`](crate::math::Screw::between): evenly, turning by half a turn at most.
    /// Bodies that were not moved rest, and so do those that came or were teleported, at their new poses. Pairs that are
    /// not told are proved to be apart all the way; no contact is told late or missed ([`screw::first_contact`]). Where no
    /// body of a pair turns times are exact quotients, rounded to a bracket ([`spacetime::first_contact`]).
    ///
    /// All pairs see the same motion. So up to the earliest `lower` of all contacts every pair that was apart is apart:
    /// the paper's bodies move on a screw relative to each other, another one for each pair, and two of them stopped
    /// halfway may be inside each other [Buss04 §10]. With [`SweptEnd::LastFree`] the frame ends there, at the last poses
    /// that are known to be free, proved by exact relations of all pairs that were near. The next frame begins from them.
    ///
    /// Pairs that share a point at the beginning are told as such in every frame, and do not hold it: a box on the floor
    /// would stop the world. Bodies that a response keeps at their last free poses are never in such a pair.
    ///
    /// Beside [`step`](World::step), which ends the frame, costs the search for swept boxes that meet and a question for
    /// each such pair that was not known to be farther apart than it moved; on all threads of the current pool. If
    /// nothing moved, it costs nothing. The same bits for any number of threads.
    ///
    /// ```
    /// use clearance::{Pose, glam::DVec3, shape::{Cuboid, Primitive, Shape}};
    /// use clearance::world::{NewBody, ShapeHandle, SweptConfig, SweptEnd, SweptOutcome, World};
    ///
    /// let shape = |x, y, z| -> Result<ShapeHandle, Box<dyn std::error::Error>> {
    ///     Ok(ShapeHandle::new(&Shape::from(Primitive::from(Cuboid::new(DVec3::new(x, y, z))?)))?)
    /// };
    /// let at = |x: f64| Pose::from_translation(DVec3::new(x, 0.0, 0.0));
    /// let mut world = World::default();
    /// let wall = world.add(NewBody::fixed(&shape(0.001, 10.0, 10.0)?, at(0.0)?));
    /// let bullet = world.add(NewBody::moving(&shape(0.1, 0.1, 0.1)?, at(-100.0)?));
    /// world.step();
    ///
    /// world.move_to(bullet, at(100.0)?)?;
    /// let config = SweptConfig { end: SweptEnd::LastFree { gap: 1e-6 }, ..SweptConfig::default() };
    /// let frame = world.step_swept(&config)?;
    /// assert!(frame.end.events.is_empty(), "nothing is seen at the ends");
    /// let met = frame.first().expect("the bullet flies through the wall");
    /// let SweptOutcome::Hit(hit) = &met.outcome else { panic!("{met:?}") };
    /// assert_eq!([met.a, met.b], [wall, bullet]);
    /// assert!((hit.lower - 0.4997475).abs() < 1e-12 && hit.upper - hit.lower < 1e-9);
    /// assert!(frame.reached < hit.lower);
    /// assert!(world.pose(bullet)?.translation().x < -0.05, "it waits in front of the wall");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A gap that is negative, infinite or not a number.
    ///
    /// [`screw::first_contact`]: crate::screw::first_contact
    /// [`spacetime::first_contact`]: crate::spacetime::first_contact
    pub fn step_swept(&mut self, config: &SweptConfig) -> Result<SweptFrame<'_>, WorldError> {
        self.step_swept_until(config, &NEVER)
    }

    /// [`World::step_swept`] that can be ended from outside.
    ///
    /// # Errors
    /// As [`World::step_swept`]; the flag is set. Then nothing has changed, and the frame goes on.
    pub fn step_swept_until(
        &mut self,
        config: &SweptConfig,
        cancel: &Cancel,
    ) -> Result<SweptFrame<'_>, WorldError> {
        if let SweptEnd::LastFree { gap: value } = config.end
            && !(0.0..f64::INFINITY).contains(&value)
        {
            return Err(WorldError::BadLength { what: "gap", value });
        }
        let sweep = self.sweep(config, cancel)?;
        let reached = match config.end {
            SweptEnd::Targets => 1.0,
            SweptEnd::LastFree { gap } => self.hold(&sweep, gap, cancel)?,
        };
        let Sweep { contacts, failures, swept, tested, .. } = sweep;
        let Frame { pairs, tested: related, .. } = self.step();
        (self.swept_contacts, self.swept_failures) = (contacts, failures);
        let end = Frame { events: &self.events, failures: &self.failures, pairs, tested: related };
        let (contacts, failures) = (&self.swept_contacts, &self.swept_failures);
        Ok(SweptFrame { contacts, failures, reached, end, swept, tested })
    }

    fn sweep(&self, config: &SweptConfig, cancel: &Cancel) -> Result<Sweep, WorldError> {
        let ways = self.ways();
        let pairs = self.swept_pairs(&ways);
        let asked: Vec<IdPair> =
            pairs.iter().copied().filter(|&pair| !self.is_known_apart(pair, &ways)).collect();
        let ask = |&pair: &IdPair| {
            cancel.check()?;
            let [a, b] = [pair.a(), pair.b()].map(|slot| self.traveller(slot, &ways));
            Ok(meeting(a, b, &config.detail))
        };
        let answers: Vec<Result<_, WorldError>> = asked.par_iter().map(ask).collect();
        let (swept, tested) = (pairs.len(), asked.len());
        let (contacts, failures, apart) = (Vec::new(), Vec::new(), Vec::new());
        let mut sweep = Sweep { ways, contacts, failures, apart, swept, tested };
        for (&pair, answer) in asked.iter().zip(answers) {
            let [a, b] = [pair.a(), pair.b()].map(|slot| self.id(slot));
            let answer = answer?;
            match &answer {
                Ok(None) => sweep.apart.push((pair, None)),
                Ok(Some(Meeting { outcome, .. })) if outcome.free_until().is_some() => {
                    let [a, b] = [pair.a(), pair.b()].map(|slot| self.traveller(slot, &sweep.ways).start());
                    // A pair that was asked for has a method.
                    let start = separation(a, b).map_or(0.0, |found| found.lower);
                    sweep.apart.push((pair, Some(start)));
                }
                _ => {}
            }
            match answer {
                Ok(None) => {}
                Ok(Some(Meeting { outcome, all })) => {
                    sweep.contacts.push(SweptContact { a, b, outcome, all })
                }
                Err(error) => sweep.failures.push(Failure { a, b, error }),
            }
        }
        Ok(sweep)
    }

    /// The pairs of which one moves whose swept boxes meet, ascending.
    fn swept_pairs(&self, ways: &[Way]) -> Vec<IdPair> {
        let mut among = Partition::default();
        (0..).zip(ways).for_each(|(number, way)| among.insert(number, way.bound, Mobility::Moving));
        let mut pairs = Vec::new();
        among.pairs(&mut pairs);
        let slot = |number: u32| ways[number as usize].slot;
        pairs.iter_mut().for_each(|pair| *pair = IdPair::new(slot(pair.a()), slot(pair.b())));
        pairs.retain(|pair| self.may_collide(pair.a(), pair.b()));
        if ways.len() < self.len() {
            let rests = |slot: u32| ways.binary_search_by_key(&slot, |way| way.slot).is_err();
            let around = |way: &Way| -> Vec<IdPair> {
                let near = self
                    .near(&way.bound, way.slot, |other| self.may_collide(way.slot, other))
                    .into_iter()
                    .filter(|&other| rests(other));
                near.map(|other| IdPair::new(way.slot, other)).collect()
            };
            pairs.par_extend(ways.par_iter().with_min_len(TASK).flat_map_iter(around));
        }
        pairs.par_sort_unstable();
        pairs
    }

    /// Whether the last step knew a pair to be farther apart than it moves in this frame.
    ///
    /// On a screw of at most half a turn a point stays in the ball of which its chord is a diameter, so it is never farther
    /// from its start than at the end; and that is what the sums of travels bound, but for how far the end is off. The
    /// middle of a box is such a point, up to a part of its slack.
    fn is_known_apart(&self, pair: IdPair, ways: &[Way]) -> bool {
        let is_new = |slot: u32| self.at(slot).is_new(self.next_step);
        let Some(block) = self.blocks.get(pair.a() as usize / BLOCK) else { return false };
        let Ok(at) = block.watched.binary_search_by_key(&pair, |watched| watched.pair) else { return false };
        let off = |slot: u32| {
            let way = ways.binary_search_by_key(&slot, |way| way.slot).ok().map(|at| &ways[at]);
            way.map_or(0.0, |way| 2.0 * way.off)
        };
        let [a, b] = self.travels_of(pair);
        block.watched[at].apart.holds(a, b, off(pair.a()) + off(pair.b()))
            && !is_new(pair.a())
            && !is_new(pair.b())
    }

    /// Puts all bodies where they are at the last time known to be free, and tells it.
    fn hold(&mut self, sweep: &Sweep, gap: f64, cancel: &Cancel) -> Result<f64, WorldError> {
        let holders = sweep.contacts.iter().filter_map(|contact| contact.outcome.holds_at());
        let Some(first) = holders.min_by(f64::total_cmp) else { return Ok(1.0) };
        let mut before = BEFORE;
        let reached = loop {
            let t = (first - before).max(0.0);
            if t == 0.0 || self.is_free_at(sweep, t, gap, cancel)? {
                break t;
            }
            before *= 2.0;
        };
        for way in &sweep.ways {
            let body = self.id(way.slot);
            self.place(body, &way.pose_at(reached))?;
        }
        Ok(reached)
    }

    /// Whether all pairs that were apart are, exactly, at the rounded poses of a time, and those that will meet have the gap
    /// between them, or what was there at the beginning.
    fn is_free_at(&self, sweep: &Sweep, t: f64, gap: f64, cancel: &Cancel) -> Result<bool, WorldError> {
        let is_apart = |scratch: &mut Scratch, &(pair, start): &(IdPair, Option<f64>)| {
            cancel.check()?;
            let [a, b] = [pair.a(), pair.b()].map(|slot| self.traveller(slot, &sweep.ways));
            let [pose_a, pose_b]: [Pose; 2] = [a, b].map(|body| body.pose_at(t));
            let at_a = At { geometry: a.geometry, pose: &pose_a };
            let at_b = At { geometry: b.geometry, pose: &pose_b };
            // A pair without a method was told to have failed.
            Ok(match start.map(|start| f64::min(gap, start * KEPT)) {
                Some(least) if least > 0.0 => !within(at_a, at_b, least).unwrap_or(false),
                _ => !collides(at_a, at_b, scratch).unwrap_or(false),
            })
        };
        let all: Vec<Result<bool, WorldError>> =
            sweep.apart.par_iter().map_init(Scratch::default, is_apart).collect();
        all.into_iter().try_fold(true, |all, one| Ok(all && one?))
    }
}
