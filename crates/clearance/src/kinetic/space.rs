//! What a simulation asks of a space: nothing here knows how many dimensions it has.

use super::roots::Bracket;
use super::stats::{EventKind, Statistics};

/// How a pair came to its state.
#[derive(Clone, Debug)]
pub enum Outcome<F> {
    /// As before: disjoint, or meeting, by a new or the same proof.
    Quiet(EventKind),
    /// The bodies have begun to meet, and the pair sleeps, unless they are disjoint again at the end of the bracket.
    Collision {
        /// When they began.
        time: Bracket,
        /// Where they meet.
        contact: F,
    },
    /// The bodies are disjoint again.
    Separation {
        /// When they were first so.
        time: Bracket,
    },
}

/// When a pair has to be examined again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Due {
    /// A condition of its proof fails in this bracket.
    Failure(Bracket),
    /// Nothing fails until here; then it is looked ahead again.
    Renewal(f64),
    /// A plan goes over to its next piece.
    Break(f64),
    /// Never.
    Never,
}

impl Due {
    /// When it has to be done.
    pub fn bracket(&self) -> Option<Bracket> {
        match *self {
            Due::Failure(bracket) => Some(bracket),
            Due::Renewal(t) | Due::Break(t) => Some(Bracket { lower: t, upper: t }),
            Due::Never => None,
        }
    }
}

/// Bodies with plans, and proofs about pairs of them that expire.
pub trait Space {
    /// A shape with its plan.
    type Body;
    /// What a body does.
    type Plan;
    /// A proof that two bodies are disjoint, or that they meet, and what is remembered of it: of constant size.
    type State;
    /// Where two bodies meet.
    type Contact: Clone + std::fmt::Debug;

    /// Gives a body another plan.
    fn set_plan(&self, body: &mut Self::Body, plan: Self::Plan);

    /// Looks at a pair at a time without knowing anything of it.
    fn begin(
        &self,
        bodies: [&Self::Body; 2],
        t: f64,
        stats: &mut Statistics,
    ) -> (Self::State, Outcome<Self::Contact>);

    /// When the state has to be examined again after a time.
    fn due(&self, bodies: [&Self::Body; 2], state: &mut Self::State, t: f64, stats: &mut Statistics) -> Due;

    /// Examines a pair because something is due.
    fn examine(
        &self,
        bodies: [&Self::Body; 2],
        state: Self::State,
        due: Due,
        stats: &mut Statistics,
    ) -> (Self::State, Outcome<Self::Contact>);

    /// Examines a pair of which a condition may have failed between two times; no outcome if none has.
    fn settle(
        &self,
        bodies: [&Self::Body; 2],
        state: Self::State,
        bracket: Bracket,
        stats: &mut Statistics,
    ) -> (Self::State, Option<Outcome<Self::Contact>>);

    /// Whether all conditions of the state hold at a time.
    fn holds(&self, bodies: [&Self::Body; 2], state: &Self::State, t: f64) -> bool;

    /// Whether the state says that the bodies meet.
    fn meets(&self, state: &Self::State) -> bool;
}
