//! All contacts of two bodies of which one is on a screw, by the engine that was asked for.

use super::{screen_picture, screw::asked};
use crate::args::{EngineName, SweepArguments};
use clearance::{
    Pose,
    math::Screw,
    screw::{Engine, Moving, Resolution, Screen, ScrewContact, Surface, contacts_by},
};

/// Two surfaces, of which one moves.
pub struct Step<'a> {
    pub surfaces: [&'a Surface; 2],
    pub poses: [&'a Pose; 2],
    pub screw: &'a Screw,
    pub moving: Moving,
}

impl Step<'_> {
    /// All that are asked for.
    pub fn contacts(&self, arguments: &SweepArguments) -> Result<Vec<ScrewContact>, String> {
        let engine = match arguments.engine {
            EngineName::Analytic => Engine::Analytic,
            EngineName::Screen => Engine::Screen(self.resolution(arguments)?),
            EngineName::Filtered => Engine::Filtered(self.resolution(arguments)?),
        };
        let ([a, b], [pose_a, pose_b]) = (self.surfaces, self.poses);
        Ok(contacts_by(engine, a, pose_a, b, pose_b, self.screw, self.moving, &asked(arguments)))
    }

    /// The collision screen as a picture.
    pub fn picture(&self, arguments: &SweepArguments) -> Result<String, String> {
        let ([a, b], [pose_a, pose_b]) = (self.surfaces, self.poses);
        let (mut screen, resolution) = (Screen::default(), self.resolution(arguments)?);
        let config = asked(arguments);
        let found = screen.contacts(a, pose_a, b, pose_b, self.screw, self.moving, &config, resolution);
        Ok(screen_picture::svg(&screen, &found))
    }

    fn resolution(&self, arguments: &SweepArguments) -> Result<Resolution, String> {
        let moving = match self.moving {
            Moving::First => 0,
            Moving::Second => 1,
        };
        let (surface, pose) = (self.surfaces[moving], self.poses[moving]);
        Resolution::per_short_edge(arguments.resolution, self.surfaces, surface, pose, self.screw)
            .map_err(|error| format!("--resolution {}: {error}", arguments.resolution))
    }
}
