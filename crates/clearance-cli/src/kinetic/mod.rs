//! `clearance simulate --kinetic`: planar bodies with motion plans, and events instead of frames (Erickson 1999).

mod animation;
mod arguments;
mod demo;
mod picture;
mod place;
mod report;
mod run;

pub use arguments::KineticArguments;
pub use demo::demonstrate;
pub use report::KineticLine;
use run::Scene;
pub use run::run;
