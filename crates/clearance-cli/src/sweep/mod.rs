//! `clearance sweep`: when and where bodies that translate or turn first meet.

mod answer;
mod batch;
mod engine;
mod picture;
mod scene;
mod screen_picture;
mod screw;
mod turning;

pub use answer::QuotientFile;
pub use batch::SweepCase;
pub use scene::SweepReport;
pub use screw::ScrewCase;

use crate::{
    args::SweepArguments,
    output::{Failure, Verdict},
};

pub fn run(arguments: &SweepArguments) -> Result<Verdict, Failure> {
    match (&arguments.batch, &arguments.scene) {
        (Some(file), _) => batch::run(file, arguments),
        (None, Some(file)) => scene::run(file, arguments),
        (None, None) => Err(Failure::Usage("name a scene, or cases with --batch".into())),
    }
}
