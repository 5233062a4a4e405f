//! Events instead of time steps: proofs of separation that say when they expire (Erickson 1999).
//!
//! Between two moving bodies a certificate is kept: conditions, each a function of time that is positive, that together prove
//! that the bodies are disjoint. When the first of them fails is computed, and nothing is done until then. See [`Simulation`].
//!
//! | question | function |
//! |---|---|
//! | how does a body move? | [`Motion`], [`Plan`] |
//! | who collides, when and where? | [`Simulation::next_event`], [`Simulation::advance_to`], [`Simulation::run_until`] |
//! | what if a body does something else now? | [`Simulation::set_plan`] |
//! | how are pairs certified? | [`Plane`], [`Method`], [`HierarchyKind`] |
//! | what did it cost? | [`Simulation::statistics`], [`Statistics`] |
//! | what does a proof look like? | [`Plane::separating_line`], [`Simulation::state`] |
//! | which envelopes does a polygon have? | [`Shape::hierarchy`], [`hierarchy`] |
//!
//! Every condition is one function: the value of a line of one body at a point, or direction, of the other. It is a polynomial of time if
//! turns are rational, and a sum of polynomials times sines and cosines of linear angles if they are uniform. Its sign at a
//! float time is exact in both cases; where it first fails is bracketed by floats. A failure that is not refuted counts: an event may
//! be spurious, none is missed. Collisions are settled by exact signs; what grazes in uniform rotation is told as unresolved.
//!
//! Differs from the paper: 1. Events are examined at a float time at the end of their brackets, with exact signs there, and the gap must be
//! larger than all that moves within the bracket, or the passage is settled on the polygons themselves. 2. Bodies that meet keep a proof,
//! too, that they do: so their separation is noticed, and the next collision. 3. See [`Method`] for each certificate.

pub mod hierarchy;

mod baseline;
mod body;
mod cell;
mod certificate;
mod circle;
mod closest;
mod condition;
mod course;
mod dyadic;
mod eager;
mod event;
mod feature;
mod lazy;
mod meeting;
mod motion;
mod outline;
mod plane;
mod queue;
mod ring;
mod roots;
mod simulation;
mod space;
mod stats;
mod view;

pub use body::{Body, HierarchyKind, Shape};
pub use certificate::Method;
pub use event::{Event, Subscription};
pub use feature::Which;
pub use motion::{COEFFICIENT_LIMIT, Motion, MotionError, Plan, PlanError, STEP_LIMIT};
pub use plane::{Contact, Features, PairState, Plane, Proof};
pub use queue::Queue;
pub use roots::Bracket;
pub use simulation::{BodyId, Simulation, UnknownBody};
pub use space::{Due, Outcome, Space};
pub use stats::{EventKind, Statistics};
pub use view::SeparatingLine;
