//! What a run adds up to.

use clearance::{
    body::BodyError,
    world::{Change, Frame},
};
use std::{collections::BTreeMap, time::Duration};

/// Counts over frames.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Steps of the world; one more than the frames that bodies moved in.
    pub steps: usize,
    /// Pairs whose boxes met and whose bodies had to be related, over all steps.
    pub pairs: usize,
    pub began: usize,
    pub ended: usize,
    /// Pairs that collide in the last frame.
    pub colliding: Vec<[usize; 2]>,
    /// Time for moving and stepping.
    pub elapsed: Duration,
    /// Pairs that cannot be related.
    pub refused: BTreeMap<[usize; 2], BodyError>,
}

impl Tally {
    pub fn add(&mut self, frame: &Frame<'_>, took: Duration) {
        self.steps += 1;
        self.pairs += frame.tested;
        self.elapsed += took;
        self.colliding.clear();
        for event in frame.events {
            let pair = [event.a.index(), event.b.index()];
            match event.change {
                Change::Began(_) => {
                    self.began += 1;
                    self.colliding.push(pair);
                }
                Change::Persists(_) => self.colliding.push(pair),
                Change::Ended(_) => self.ended += 1,
                Change::Approached | Change::Receded(_) => {}
            }
        }
        for failure in frame.failures {
            self.refused.insert([failure.a.index(), failure.b.index()], failure.error);
        }
    }

    /// Frames after the first.
    pub fn frames(&self) -> usize {
        self.steps.saturating_sub(1)
    }

    pub fn pairs_per_frame(&self) -> f64 {
        self.pairs as f64 / self.steps.max(1) as f64
    }

    pub fn milliseconds_per_frame(&self) -> f64 {
        1e3 * self.elapsed.as_secs_f64() / self.steps.max(1) as f64
    }
}
