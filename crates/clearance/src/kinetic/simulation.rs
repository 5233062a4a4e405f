//! Many bodies, their certificates in one queue. Nothing here knows the dimension.

use super::event::{Event, Subscription};
use super::plane::Plane;
use super::queue::Queue;
use super::roots::Bracket;
use super::space::{Due, Outcome, Space};
use super::stats::{EventKind, Statistics};
use std::collections::{BTreeMap, VecDeque};

/// A body of a simulation; never given to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(u32);

impl BodyId {
    /// Its number: bodies are numbered as they are added.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// No body has this id, or it was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("body {0:?} is not in the simulation")]
pub struct UnknownBody(pub BodyId);

/// A pair of bodies, the one with the smaller id first.
type Key = (BodyId, BodyId);

#[derive(Clone, Debug)]
struct Pair<T> {
    state: T,
    due: Due,
}

/// Bodies with motion plans: their collisions, found by certificates that expire and not by steps of time.
///
/// For every pair a proof is kept, that the bodies are disjoint or that they meet, and the time at which it expires; between
/// those times nothing is computed. No collision is missed; its bracket contains the true time. A pair that collided sleeps
/// and is not told again until it is disjoint again, which is noticed, too. Events of equal time come in the order of ids.
///
/// ```
/// use clearance::glam::DVec2;
/// use clearance::kinetic::{Body, Event, Motion, Plan, Simulation};
/// let square = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| DVec2::new(x, y));
/// let still = Plan::from_motion(0.0, Motion::still())?;
/// let right = Plan::from_motion(0.0, Motion::linear(DVec2::new(-10.0, 0.5), DVec2::new(2.0, 0.0))?)?;
/// let mut simulation = Simulation::starting_at(0.0);
/// simulation.add(Body::hull_of(&square, still)?);
/// simulation.add(Body::hull_of(&square, right)?);
/// let events = simulation.run_until(100.0);
/// let [Event::Collision { time, .. }] = &events[..] else { panic!("one collision") };
/// assert!(time.lower <= 4.0 && 4.0 <= time.upper && time.upper - time.lower < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Simulation<S: Space = Plane> {
    space: S,
    now: f64,
    bodies: BTreeMap<BodyId, S::Body>,
    next_id: u32,
    pairs: BTreeMap<Key, Pair<S::State>>,
    queue: Queue<Key>,
    subscription: Subscription,
    told: VecDeque<Event<S::Contact>>,
    stats: Statistics,
}

impl Simulation<Plane> {
    /// An empty plane at a finite time, with the default method.
    pub fn starting_at(now: f64) -> Simulation<Plane> {
        Simulation::in_space(Plane::default(), now)
    }
}

impl<S: Space> Simulation<S> {
    /// An empty space at a finite time; a time that is not finite counts as zero.
    pub fn in_space(space: S, now: f64) -> Simulation<S> {
        Simulation {
            space,
            now: if now.is_finite() { now } else { 0.0 },
            bodies: BTreeMap::new(),
            next_id: 0,
            pairs: BTreeMap::new(),
            queue: Queue::default(),
            subscription: Subscription::default(),
            told: VecDeque::new(),
            stats: Statistics::default(),
        }
    }

    /// How pairs are certified.
    pub fn space(&self) -> &S {
        &self.space
    }

    /// Which events are told from now on.
    pub fn subscribe(&mut self, subscription: Subscription) {
        self.subscription = subscription;
    }

    /// The time up to which everything is known.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// What was counted so far.
    pub fn statistics(&self) -> &Statistics {
        &self.stats
    }

    /// The bodies in the order of their ids.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &S::Body)> {
        self.bodies.iter().map(|(&id, body)| (id, body))
    }

    /// A body.
    pub fn body(&self, id: BodyId) -> Option<&S::Body> {
        self.bodies.get(&id)
    }

    /// Whether two bodies are known to meet now.
    pub fn meet(&self, a: BodyId, b: BodyId) -> Option<bool> {
        self.pairs.get(&key(a, b)).map(|pair| self.space.meets(&pair.state))
    }

    /// The proof of a pair.
    pub fn state(&self, a: BodyId, b: BodyId) -> Option<&S::State> {
        self.pairs.get(&key(a, b)).map(|pair| &pair.state)
    }

    /// Whether all conditions of the proof of a pair hold now, exactly: for tests.
    pub fn proof_holds(&self, a: BodyId, b: BodyId) -> Option<bool> {
        let key = key(a, b);
        let pair = self.pairs.get(&key)?;
        Some(self.space.holds([&self.bodies[&key.0], &self.bodies[&key.1]], &pair.state, self.now))
    }

    /// When the next certificate expires.
    pub fn next_failure(&self) -> Option<Bracket> {
        self.queue.first().map(|(_, time)| time)
    }

    /// Adds a body at the current time. Bodies that it meets already are told as collisions.
    pub fn add(&mut self, body: S::Body) -> BodyId {
        let id = BodyId(self.next_id);
        self.next_id += 1;
        let others: Vec<BodyId> = self.bodies.keys().copied().collect();
        self.bodies.insert(id, body);
        for other in others {
            let bodies = [&self.bodies[&other], &self.bodies[&id]];
            let (state, outcome) = self.space.begin(bodies, self.now, &mut self.stats);
            let now = Bracket { lower: self.now, upper: self.now };
            self.tell((other, id), outcome, now);
            self.schedule((other, id), state);
        }
        id
    }

    /// Takes a body out, with its pairs.
    pub fn remove(&mut self, id: BodyId) -> Result<S::Body, UnknownBody> {
        let body = self.bodies.remove(&id).ok_or(UnknownBody(id))?;
        for other in self.bodies.keys().copied().collect::<Vec<_>>() {
            self.take(key(id, other));
        }
        Ok(body)
    }

    /// Gives a body another plan from the current time on. The body may jump: what it meets where it arrives is told.
    pub fn set_plan(&mut self, id: BodyId, plan: S::Plan) -> Result<(), UnknownBody> {
        if !self.bodies.contains_key(&id) {
            return Err(UnknownBody(id));
        }
        let others: Vec<BodyId> = self.bodies.keys().copied().filter(|&other| other != id).collect();
        let mut states = Vec::with_capacity(others.len());
        for other in others {
            let key = key(id, other);
            if let Some(pair) = self.take(key) {
                states.push((key, self.settled(key, pair)));
            }
        }
        if let Some(body) = self.bodies.get_mut(&id) {
            self.space.set_plan(body, plan);
        }
        for (key, state) in states {
            let bodies = [&self.bodies[&key.0], &self.bodies[&key.1]];
            let (state, outcome) = self.space.examine(bodies, state, Due::Break(self.now), &mut self.stats);
            let outcome = match outcome {
                Outcome::Quiet(_) => Outcome::Quiet(EventKind::Change),
                other => other,
            };
            self.tell(key, outcome, Bracket { lower: self.now, upper: self.now });
            self.schedule(key, state);
        }
        Ok(())
    }

    /// The state of a pair now, of which a condition may fail while its bracket has begun but not ended.
    fn settled(&mut self, key: Key, pair: Pair<S::State>) -> S::State {
        match pair.due {
            Due::Failure(bracket) if bracket.lower < self.now => {
                let bracket = Bracket { lower: bracket.lower, upper: self.now };
                let bodies = [&self.bodies[&key.0], &self.bodies[&key.1]];
                let (state, outcome) = self.space.settle(bodies, pair.state, bracket, &mut self.stats);
                if let Some(outcome) = outcome {
                    self.tell(key, outcome, bracket);
                }
                state
            }
            _ => pair.state,
        }
    }

    /// Goes on to the next event that is told, and no further. `None` if no certificate expires any more.
    ///
    /// Bodies that move for ever without colliding, and whose certificates fail for ever, keep this going for ever: use
    /// [`advance_to`](Simulation::advance_to) where that may be.
    pub fn next_event(&mut self) -> Option<Event<S::Contact>> {
        self.advance_within(f64::INFINITY)
    }

    /// Goes on to a time, or to the first event that is told, which may be earlier; then the current time is that of the event.
    pub fn advance_to(&mut self, t: f64) -> Option<Event<S::Contact>> {
        let event = self.advance_within(t);
        if event.is_none() && t.is_finite() {
            self.now = self.now.max(t);
        }
        event
    }

    /// Goes on to a time and tells all that happens until then.
    pub fn run_until(&mut self, t: f64) -> Vec<Event<S::Contact>> {
        std::iter::from_fn(|| self.advance_to(t)).collect()
    }

    fn advance_within(&mut self, t: f64) -> Option<Event<S::Contact>> {
        loop {
            if let Some(event) = self.told.pop_front() {
                return Some(event);
            }
            match self.queue.first() {
                Some((key, time)) if time.upper <= t => {
                    self.now = self.now.max(time.upper);
                    self.process(key, time);
                }
                Some(_) if t.is_finite() && self.settle_at(t) => {}
                _ => return None,
            }
        }
    }

    /// Settles what has begun before a time and is not due until then; whether there was anything to tell.
    fn settle_at(&mut self, t: f64) -> bool {
        self.now = self.now.max(t);
        for (key, _) in self.queue.begun_before(t) {
            if let Some(pair) = self.take(key) {
                let state = self.settled(key, pair);
                self.schedule(key, state);
            }
        }
        !self.told.is_empty()
    }

    fn process(&mut self, key: Key, time: Bracket) {
        let Some(pair) = self.take(key) else { return };
        let bodies = [&self.bodies[&key.0], &self.bodies[&key.1]];
        let (state, outcome) = self.space.examine(bodies, pair.state, pair.due, &mut self.stats);
        self.tell(key, outcome, time);
        self.schedule(key, state);
    }

    fn tell(&mut self, key: Key, outcome: Outcome<S::Contact>, time: Bracket) {
        let bodies = [key.0, key.1];
        let (kind, event) = match outcome {
            Outcome::Quiet(kind) => (kind, Event::Certificate { bodies, time, kind }),
            Outcome::Collision { time, contact } => {
                (EventKind::Collision, Event::Collision { bodies, time, contact })
            }
            Outcome::Separation { time } => (EventKind::Separation, Event::Separation { bodies, time }),
        };
        self.stats.add(kind);
        if event.is_told(self.subscription) {
            self.told.push_back(event);
        }
    }

    fn schedule(&mut self, key: Key, mut state: S::State) {
        let bodies = [&self.bodies[&key.0], &self.bodies[&key.1]];
        let due = self.space.due(bodies, &mut state, self.now, &mut self.stats);
        if let Some(time) = due.bracket() {
            self.queue.insert(key, time);
        }
        self.pairs.insert(key, Pair { state, due });
    }

    fn take(&mut self, key: Key) -> Option<Pair<S::State>> {
        let pair = self.pairs.remove(&key)?;
        if let Some(time) = pair.due.bracket() {
            self.queue.remove(key, time);
        }
        Some(pair)
    }
}

fn key(a: BodyId, b: BodyId) -> Key {
    (a.min(b), a.max(b))
}
