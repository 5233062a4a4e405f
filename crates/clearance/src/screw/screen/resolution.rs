//! How fine the screen is: the knob of the engine.

use crate::math::{Pose, Screw};
use crate::screw::surface::Surface;

/// The size of a pixel of the screen, a length, and the resolution in time, a part of the step.
///
/// Cost grows with the number of pixels that edges cover, that is with the inverse of the pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolution {
    pixel: f64,
    time: f64,
}

/// Why a resolution was refused.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "a resolution of {pixel:e} and {time:e}: the pixel must be a length between 1e-250 and 1e250, the time between 1e-12 and 1"
)]
pub struct ResolutionError {
    /// As given.
    pub pixel: f64,
    /// As given.
    pub time: f64,
}

impl Resolution {
    /// Pixels of a typical short edge at the paper's low resolution.
    pub const LOW: f64 = 6.0;
    /// At its medium resolution.
    pub const MEDIUM: f64 = 12.0;
    /// At its high resolution.
    pub const HIGH: f64 = 24.0;

    /// A pixel and a part of the step.
    ///
    /// # Errors
    /// Sizes that are not positive, or out of range.
    pub fn new(pixel: f64, time: f64) -> Result<Resolution, ResolutionError> {
        let fits = (1e-250..=1e250).contains(&pixel) && (1e-12..=1.0).contains(&time);
        if fits { Ok(Resolution { pixel, time }) } else { Err(ResolutionError { pixel, time }) }
    }

    /// So many pixels on a typical short edge of two bodies, and a time in which nothing of the moving body goes farther than a
    /// pixel [Buss04 §9.1].
    ///
    /// Typical is the edge that a quarter of all edges are not longer than. `O(n)`: meant to be kept from step to step.
    ///
    /// # Errors
    /// A number of pixels that is not positive, or bodies without any edge.
    pub fn per_short_edge(
        pixels: f64,
        bodies: [&Surface; 2],
        moving: &Surface,
        pose: &Pose,
        screw: &Screw,
    ) -> Result<Resolution, ResolutionError> {
        let length = |surface: &Surface, [v, w]: [u32; 2]| {
            (surface.positions[v as usize] - surface.positions[w as usize]).length()
        };
        let edges = bodies.iter().flat_map(|&s| s.edges.iter().map(move |&edge| length(s, edge)));
        let mut lengths: Vec<f64> = edges.collect();
        if lengths.is_empty() {
            return Err(ResolutionError { pixel: 0.0, time: 0.0 });
        }
        let quarter = lengths.len() / 4;
        let (_, &mut short, _) = lengths.select_nth_unstable_by(quarter, f64::total_cmp);
        let pixel = short / pixels;
        let speeds = moving.positions.iter().map(|&p| screw.velocity_at(pose.apply(p)).length());
        let fastest = speeds.fold(0.0, f64::max);
        Resolution::new(pixel, (pixel / fastest).clamp(1e-12, 1.0))
    }

    /// The side of a pixel.
    pub fn pixel(&self) -> f64 {
        self.pixel
    }

    /// The resolution in time, as a part of the step.
    pub fn time(&self) -> f64 {
        self.time
    }
}
