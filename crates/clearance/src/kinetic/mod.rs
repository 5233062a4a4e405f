//! Events instead of time steps: proofs of separation that say when they expire [Erickson99].
//!
//! Between two moving bodies a certificate is kept: conditions, each a function of time that is positive, that together prove
//! that the bodies are disjoint. When the first of them fails is computed, and nothing is done until then. See [`Simulation`].

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
