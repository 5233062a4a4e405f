//! Placements that move.

use crate::error::WriteError;
use clearance::Pose;
use clearance::glam::{DQuat, DVec3};

/// Placements on their way.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Animation {
    /// As viewers list it.
    pub name: String,
    /// The times of the frames, strictly increasing, from 0 or later.
    pub seconds: Vec<f64>,
    /// The way of each placement, `None` if it stays where it is; may be shorter than the placements.
    pub tracks: Vec<Option<Track>>,
}

/// Where a placement is in every frame; straight in between, turned along the shorter way.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    pub(crate) translations: Vec<DVec3>,
    /// Unit quaternions x, y, z, w.
    pub(crate) rotations: Vec<[f32; 4]>,
}

impl Track {
    /// Adds the pose in the next frame.
    pub fn push(&mut self, pose: &Pose) {
        let turned = DQuat::from_mat3(&pose.rotation()).normalize();
        // A quaternion and its negative are one rotation; neighbours are to be near each other.
        let far = self.rotations.last().is_some_and(|last| {
            let last = last.map(f64::from);
            turned.to_array().iter().zip(last).map(|(x, y)| x * y).sum::<f64>() < 0.0
        });
        let turned = if far { -turned } else { turned };
        self.translations.push(pose.translation());
        self.rotations.push(turned.to_array().map(|x| x as f32));
    }

    /// Frames so far.
    pub fn len(&self) -> usize {
        self.translations.len()
    }

    /// Whether there is none yet.
    pub fn is_empty(&self) -> bool {
        self.translations.is_empty()
    }
}

impl Animation {
    /// Times are checked as they are written: in `f32`.
    pub(crate) fn check(&self) -> Result<(), WriteError> {
        let seconds: Vec<f32> = self.seconds.iter().map(|&t| t as f32).collect();
        let starts = seconds.first().is_none_or(|&t| t >= 0.0);
        let increases =
            seconds.windows(2).all(|t| t[0] < t[1]) && seconds.last().is_none_or(|t| t.is_finite());
        if !starts || !increases {
            return Err(WriteError::BadTimes);
        }
        let tracks = self.tracks.iter().enumerate().filter_map(|(i, track)| Some((i, track.as_ref()?)));
        for (placement, track) in tracks {
            if track.len() != seconds.len() {
                return Err(WriteError::BadTrack { placement, frames: track.len(), count: seconds.len() });
            }
        }
        Ok(())
    }
}
