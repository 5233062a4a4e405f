//! Bodies that fly in a closed box and turn back when they collide [Chung96 §6.2].

mod environment;
mod picture;
mod placed;
mod report;
mod setup;
mod strewn;
mod tally;

pub use environment::{Environment, Flyer};
pub use picture::{Recorder, last_frame};
pub use report::{SimulateLine, Summary, event_lines, json_lines, summary_table};
pub use setup::Setup;
pub use strewn::Fill;
pub use tally::Tally;
