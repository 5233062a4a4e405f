//! What was drawn, for pictures of the screen as in Figure 14.

use super::Screen;
use super::coordinates::Cylindrical;
use crate::math::Pose;
use crate::screw::record::ScrewContact;
use std::f64::consts::TAU;

/// A straight piece of an edge on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Whether it belongs to the body that moves.
    pub is_moving: bool,
    /// Radius and height of its ends, as lengths.
    pub from: [f64; 2],
    /// The other end.
    pub to: [f64; 2],
}

impl Screen {
    /// Edges of the last step: what faces the other body and has radii that both bodies reach.
    pub fn strokes(&self) -> impl Iterator<Item = Stroke> + '_ {
        let pixel = self.chart.map_or(0.0, |chart| chart.pixel());
        let of = move |is_moving: bool| {
            self.drawings[usize::from(is_moving)].chords.iter().map(move |chord| Stroke {
                is_moving,
                from: [chord.from.r * pixel, chord.from.h * pixel],
                to: [chord.to.r * pixel, chord.to.h * pixel],
            })
        };
        of(false).chain(of(true))
    }

    /// Where a contact of the last step is on the screen: radius and height, as lengths.
    pub fn place_of(&self, contact: &ScrewContact) -> Option<[f64; 2]> {
        let chart = self.chart?;
        let (matrix, offset) = chart.placement(&Pose::IDENTITY);
        let at = chart.cylindrical(matrix * contact.point + offset);
        let [low, high] = self.drawings[0].extent.angle;
        let turns = [0.0, TAU, -TAU].into_iter().find(|turns| (low..=high).contains(&(at.angle + turns)));
        let turns = if chart.is_straight { 0.0 } else { turns.unwrap_or(0.0) };
        let place = chart.project(Cylindrical { angle: at.angle + turns, ..at });
        Some([place.r * chart.pixel(), place.h * chart.pixel()])
    }
}
