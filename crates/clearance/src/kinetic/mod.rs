//! Events instead of time steps: proofs of separation that say when they expire [Erickson99].

mod circle;
mod course;
mod dyadic;
mod feature;
mod motion;
mod ring;
mod roots;

pub use feature::Which;
pub use motion::{COEFFICIENT_LIMIT, Motion, MotionError, Plan, PlanError, STEP_LIMIT};
pub use roots::Bracket;
