//! Pairs of planar bodies: when their proofs expire, and what follows.

use super::baseline::{SeparatingEdge, widest_separation};
use super::body::{Body, HierarchyKind};
use super::certificate::{Certificate, Certified, Method};
use super::closest::slab;
use super::condition::{Condition, FailureKind};
use super::course::{Course, Leg, Legs, Moment};
use super::feature::Which;
use super::meeting::Meeting;
use super::motion::Plan;
use super::roots::{AtRoot, Bracket, first_failure, horizon, signs_at_first_root};
use super::space::{Due, Outcome, Space};
use super::stats::{EventKind, Statistics};
use crate::tolerance::COORDINATE_LIMIT;

/// The plane, its pairs certified by one method.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plane {
    /// How pairs are certified.
    pub method: Method,
    /// With which hierarchy, if the method has a choice.
    pub hierarchy: HierarchyKind,
}

/// A vertex that meets an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// Whose edge it is.
    pub edge_of: Which,
    /// The edge: from the vertex of this number to the next one; of a point or segment also its caps.
    pub edge: usize,
    /// The vertex of the other body.
    pub vertex: usize,
}

/// Whether a collision is certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// By exact signs.
    Proved,
    /// Neither proved nor refuted: the bodies are disjoint at both ends of the bracket, which are neighbouring floats, and no
    /// certificate holds between them. Bodies that graze each other in uniform rotation end up here.
    Unresolved,
}

/// Where two bodies meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contact {
    /// The features that were closest along the last separating line; none where bodies met as soon as they were compared.
    pub features: Option<Features>,
    /// Whether it is certain.
    pub proof: Proof,
}

/// A proof about a pair, with what is remembered of it.
#[derive(Clone, Debug)]
pub struct PairState {
    proof: PairProof,
    /// Of the condition that fails next.
    failing: FailureKind,
    /// How far it is looked ahead where no horizon is known.
    window: f64,
}

#[derive(Clone, Copy, Debug)]
enum PairProof {
    Apart(Certificate),
    Meeting(Meeting),
}

/// Parts of a bracket after which a passage is unresolved.
const MOST_PARTS: usize = 4_096;

/// How a stretch of time in which a certificate failed went.
enum Passage {
    Apart,
    Met { time: Bracket, contact: Contact },
}

impl PairState {
    fn new(proof: PairProof) -> PairState {
        PairState { proof, failing: FailureKind::Crossing, window: 0.0 }
    }

    /// The proof of separation; none of bodies that meet.
    pub(super) fn certificate(&self) -> Option<&Certificate> {
        match &self.proof {
            PairProof::Apart(certificate) => Some(certificate),
            PairProof::Meeting(_) => None,
        }
    }

    fn conditions<'a>(&self, pair: &Certified<'a>) -> Vec<Condition<'a>> {
        let mut conditions = Vec::with_capacity(6);
        match &self.proof {
            PairProof::Apart(certificate) => certificate.conditions(pair, &mut conditions),
            PairProof::Meeting(meeting) => meeting.conditions(&pair.outlines(), &mut conditions),
        }
        conditions
    }
}

pub(super) fn legs<'a>(pair: &Certified<'a>, t: f64) -> Legs<'a> {
    pair.bodies.map(|body| {
        let (start, motion) = &body.plan().pieces()[body.plan().piece_at(t)];
        Leg { start: *start, motion }
    })
}

fn count(moment: &Moment<'_>, stats: &mut Statistics) {
    stats.signs += moment.asked();
    stats.exact_signs += moment.asked_exactly();
}

impl Space for Plane {
    type Body = Body;
    type Plan = Plan;
    type State = PairState;
    type Contact = Contact;

    fn set_plan(&self, body: &mut Body, plan: Plan) {
        body.set_plan(plan);
    }

    fn begin(&self, bodies: [&Body; 2], t: f64, stats: &mut Statistics) -> (PairState, Outcome<Contact>) {
        let pair = self.certified(bodies);
        let moment = Moment::new(legs(&pair, t), t);
        let state = self.anew(&moment, &pair, stats);
        count(&moment, stats);
        let outcome = match state.proof {
            PairProof::Apart(_) => Outcome::Quiet(EventKind::Change),
            PairProof::Meeting(_) => met_at(t),
        };
        (state, outcome)
    }

    fn due(&self, bodies: [&Body; 2], state: &mut PairState, t: f64, stats: &mut Statistics) -> Due {
        let until = bodies[0].plan().next_break(t).min(bodies[1].plan().next_break(t));
        let limit = until.min(COORDINATE_LIMIT);
        let pair = self.certified(bodies);
        let legs = legs(&pair, t);
        let course = Course::new(legs, t);
        let (mut first, mut seen): (Option<Bracket>, f64) = (None, limit);
        for condition in state.conditions(&pair) {
            let f = condition.function(&course);
            stats.functions += 1;
            let mut end = first.map_or(limit, |bracket| bracket.upper);
            if f.is_polynomial() {
                end = horizon(&f, end);
            } else {
                if state.window == 0.0 {
                    state.window = initial_window(f.rate(), t);
                }
                end = end.min(t + state.window);
                seen = seen.min(end);
            }
            if let Some(found) = first_failure(&f, condition.holds, t, end)
                && first.is_none_or(|first| found.lower < first.lower)
            {
                (first, state.failing) = (Some(found), condition.kind);
            }
        }
        match first {
            Some(bracket) => Due::Failure(bracket),
            None if seen < limit => Due::Renewal(seen),
            None if until < COORDINATE_LIMIT => Due::Break(until),
            None => Due::Never,
        }
    }

    fn examine(
        &self,
        bodies: [&Body; 2],
        state: PairState,
        due: Due,
        stats: &mut Statistics,
    ) -> (PairState, Outcome<Contact>) {
        let pair = self.certified(bodies);
        match due {
            Due::Failure(bracket) => {
                let result = self.failed(&pair, state, bracket, stats);
                let pieces = |t: f64| bodies.map(|body| body.plan().piece_at(t));
                match pieces(bracket.lower) == pieces(bracket.upper) {
                    true => result,
                    false => self.also_changed(&pair, result, bracket.upper, stats),
                }
            }
            Due::Renewal(_) => {
                let window = 2.0 * state.window;
                (PairState { window, ..state }, Outcome::Quiet(EventKind::Renewal))
            }
            Due::Break(t) => self.changed(&pair, state, t, stats),
            Due::Never => (state, Outcome::Quiet(EventKind::Renewal)),
        }
    }

    fn settle(
        &self,
        bodies: [&Body; 2],
        state: PairState,
        bracket: Bracket,
        stats: &mut Statistics,
    ) -> (PairState, Option<Outcome<Contact>>) {
        let pair = self.certified(bodies);
        let course = Course::new(legs(&pair, bracket.lower), bracket.lower);
        let holds = state.conditions(&pair).iter().all(|condition| {
            let f = condition.function(&course);
            first_failure(&f, condition.holds, bracket.lower, bracket.upper).is_none()
        });
        if holds {
            return (state, None);
        }
        let (state, outcome) = self.examine(bodies, state, Due::Failure(bracket), stats);
        (state, Some(outcome))
    }

    fn holds(&self, bodies: [&Body; 2], state: &PairState, t: f64) -> bool {
        let pair = self.certified(bodies);
        let moment = Moment::new(legs(&pair, t), t);
        state.conditions(&pair).iter().all(|condition| condition.is_met(&moment))
    }

    fn meets(&self, state: &PairState) -> bool {
        matches!(state.proof, PairProof::Meeting(_))
    }
}

/// Bodies that met when they were first compared.
fn met_at(t: f64) -> Outcome<Contact> {
    let time = Bracket { lower: t, upper: t };
    Outcome::Collision { time, contact: Contact { features: None, proof: Proof::Proved } }
}

/// One turn, or where nothing turns as much time again as has passed.
fn initial_window(rate: f64, t: f64) -> f64 {
    if rate > 0.0 {
        (std::f64::consts::TAU / rate).max(4.0 * f64::EPSILON * t.abs())
    } else {
        t.abs().max(1.0)
    }
}

impl Plane {
    pub(super) fn certified<'a>(&self, bodies: [&'a Body; 2]) -> Certified<'a> {
        Certified { bodies, method: self.method, hierarchy: self.hierarchy }
    }

    /// The proof of a pair of which nothing is known.
    fn anew(&self, moment: &Moment<'_>, pair: &Certified<'_>, stats: &mut Statistics) -> PairState {
        let outlines = pair.outlines();
        if let Some(edge) = widest_separation(moment, &outlines) {
            return PairState::new(PairProof::Apart(Certificate::from_edge(edge, moment, pair, stats)));
        }
        // Closed convex bodies that no side separates share a point: a vertex of one in the other, or crossing edges.
        let meeting = Meeting::find(moment, &outlines).unwrap_or(Meeting::Chords { a: [0, 0], b: [0, 0] });
        PairState::new(PairProof::Meeting(meeting))
    }

    /// Under other motions from a time on: the proof may hold still.
    fn changed(
        &self,
        pair: &Certified<'_>,
        state: PairState,
        t: f64,
        stats: &mut Statistics,
    ) -> (PairState, Outcome<Contact>) {
        let moment = Moment::new(legs(pair, t), t);
        let holds = state.conditions(pair).iter().all(|condition| condition.is_met(&moment));
        let quiet = Outcome::Quiet(EventKind::Break);
        let result = if holds {
            (PairState { window: 0.0, ..state }, quiet)
        } else {
            let met = self.meets(&state);
            let state = self.anew(&moment, pair, stats);
            let outcome = match (met, self.meets(&state)) {
                (false, true) => met_at(t),
                (true, false) => Outcome::Separation { time: Bracket { lower: t, upper: t } },
                _ => quiet,
            };
            (state, outcome)
        };
        count(&moment, stats);
        result
    }

    /// A condition failed just when the motions change.
    fn also_changed(
        &self,
        pair: &Certified<'_>,
        (state, outcome): (PairState, Outcome<Contact>),
        t: f64,
        stats: &mut Statistics,
    ) -> (PairState, Outcome<Contact>) {
        let (state, then) = self.changed(pair, state, t, stats);
        match outcome {
            Outcome::Quiet(_) => (state, then),
            _ => (state, outcome),
        }
    }

    fn failed(
        &self,
        pair: &Certified<'_>,
        state: PairState,
        bracket: Bracket,
        stats: &mut Statistics,
    ) -> (PairState, Outcome<Contact>) {
        // At the end of a piece the motions before it are what failed.
        let legs = legs(pair, bracket.lower);
        let moment = Moment::new(legs, bracket.upper);
        let result = match state.proof {
            PairProof::Apart(certificate) => {
                self.separation_failed(certificate, state.failing, &moment, pair, bracket, stats)
            }
            PairProof::Meeting(_) => {
                let meeting = Meeting::find_vertex(&moment, &pair.outlines());
                let state = match meeting {
                    Some(meeting) => PairState::new(PairProof::Meeting(meeting)),
                    None => self.anew(&moment, pair, stats),
                };
                let outcome = match self.meets(&state) {
                    true => Outcome::Quiet(EventKind::Contact),
                    false => Outcome::Separation { time: bracket },
                };
                (state, outcome)
            }
        };
        count(&moment, stats);
        let (state, outcome) = result;
        (PairState { window: state.window, ..state }, outcome)
    }

    fn separation_failed(
        &self,
        certificate: Certificate,
        failing: FailureKind,
        moment: &Moment<'_>,
        pair: &Certified<'_>,
        bracket: Bracket,
        stats: &mut Statistics,
    ) -> (PairState, Outcome<Contact>) {
        let repaired = certificate.repaired(failing, moment, pair, stats);
        if let Some((next, kind)) = repaired
            && (next.proves_since(bracket.lower, moment, pair)
                || certificate.still_proves_since(bracket.lower, moment, pair))
        {
            return (PairState::new(PairProof::Apart(next)), Outcome::Quiet(kind));
        }
        let passage = passage(moment.legs(), pair, bracket, stats);
        let state = match repaired {
            Some((certificate, _)) => PairState::new(PairProof::Apart(certificate)),
            None => self.anew(moment, pair, stats),
        };
        let kind = repaired.map_or(EventKind::Stab, |(_, kind)| kind);
        match passage {
            Passage::Met { time, contact } => (state, Outcome::Collision { time, contact }),
            Passage::Apart if self.meets(&state) => (state, met_at(bracket.upper)),
            Passage::Apart => (state, Outcome::Quiet(kind)),
        }
    }
}

/// Whether bodies that are disjoint at the first of two times stay so up to the second one, by exact signs.
fn passage(legs: &Legs<'_>, pair: &Certified<'_>, bracket: Bracket, stats: &mut Statistics) -> Passage {
    let outlines = pair.outlines();
    let mut waiting = vec![bracket];
    let (mut last, mut parts) = (None, 0);
    while let Some(part) = waiting.pop() {
        parts += 1;
        let Bracket { lower, upper } = part;
        let moments = [lower, upper].map(|t| Moment::new(*legs, t));
        // What separated last, or a neighbour, separates again as a rule: all sides are tried only where not.
        let mut separation = |moment: &Moment<'_>| {
            let near = last.and_then(|edge: SeparatingEdge| edge.repaired(moment, &outlines));
            let found = near.or_else(|| widest_separation(moment, &outlines));
            count(moment, stats);
            last = found.or(last);
            found
        };
        let ends = [separation(&moments[0]), separation(&moments[1])];
        // A bracket is a few floats wide, unless nothing could be proved for long.
        let is_short = lower.next_up() >= upper || parts > MOST_PARTS;
        let [Some(before), after] = ends else {
            // Disjoint until here by the certificate; this happens only if nothing was proved.
            return Passage::Met { time: part, contact: contact(None, Proof::Proved) };
        };
        let survives = after.is_some_and(|edge| {
            let radius = outlines[edge.owner.other() as usize].radius();
            let (line, point) = (edge.line(&outlines), edge.point(&outlines));
            moments[1].survives_since(lower, edge.owner, line, point, radius)
        });
        let mut edges = [Some(before), after].into_iter().flatten();
        if survives || edges.any(|edge| holds_through(&edge, legs, pair, part)) {
            continue;
        }
        if !is_short {
            let middle = (0.5 * lower + 0.5 * upper).clamp(lower.next_up(), upper.next_down());
            waiting.push(Bracket { lower: middle, upper });
            waiting.push(Bracket { lower, upper: middle });
            continue;
        }
        let proof = match after {
            None => Proof::Proved,
            Some(_) => grazing(&before, legs, pair, part),
        };
        return Passage::Met { time: part, contact: contact(Some(before), proof) };
    }
    Passage::Apart
}

fn contact(edge: Option<SeparatingEdge>, proof: Proof) -> Contact {
    let features = edge.map(|e| Features { edge_of: e.owner, edge: e.side, vertex: e.vertex });
    Contact { features, proof }
}

/// Whether a side separates all the time.
fn holds_through(edge: &SeparatingEdge, legs: &Legs<'_>, pair: &Certified<'_>, part: Bracket) -> bool {
    let course = Course::new(*legs, part.lower);
    let mut conditions = Vec::with_capacity(3);
    edge.conditions(&pair.outlines(), &mut conditions);
    conditions.iter().all(|condition| {
        let f = condition.function(&course);
        condition.holds.accepts(f.sign_at(part.lower))
            && first_failure(&f, condition.holds, part.lower, part.upper).is_none()
    })
}

/// Whether the vertex is on the edge when it is on its line, between two times at which the bodies are disjoint.
fn grazing(edge: &SeparatingEdge, legs: &Legs<'_>, pair: &Certified<'_>, part: Bracket) -> Proof {
    let course = Course::new(*legs, part.lower);
    let outlines = pair.outlines();
    let outside = Condition::outside(edge.owner, edge.line(&outlines), edge.point(&outlines));
    let f = outside.function(&course);
    if !f.is_polynomial() {
        return Proof::Unresolved;
    }
    let others = slab(edge, &outlines).map(|condition| condition.function(&course));
    match signs_at_first_root(&f, &others, part) {
        AtRoot::AllHold => Proof::Proved,
        AtRoot::OneFails | AtRoot::NoRoot => Proof::Unresolved,
    }
}
