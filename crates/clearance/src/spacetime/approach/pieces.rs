//! How close bodies come of which one is not convex: their convex pieces, those of each other that may be nearest.
//!
//! The motion is cut into parts. No distance falls faster than the bodies move, so few parts can hold the minimum; for those,
//! all pairs of pieces that are near enough in the middle are looked at over the whole motion.

use super::ClosestApproach;
use crate::pair::Bracket;
use std::cmp::Ordering;
use std::collections::{BTreeSet, BinaryHeap};

/// Two bodies made of convex pieces, in motion.
pub(super) trait Pieces {
    type Error;

    /// The distance of the bodies after `s`.
    fn distance(&mut self, s: f64) -> Result<Bracket, Self::Error>;

    /// Every pair of pieces that may be at most `reach` apart after `s`.
    fn near(&mut self, s: f64, reach: f64, found: &mut Vec<(u32, u32)>);

    /// How close two pieces come during the whole motion.
    fn approach(&mut self, pieces: (u32, u32)) -> Result<ClosestApproach, Self::Error>;
}

/// A part of the motion: its middle and half its duration, and a lower bound of the distance in it; the least comes first.
struct Part {
    least: f64,
    middle: f64,
    half: f64,
}

/// Parts are halved while bodies move by more than this share of the least distance known in them.
const SHARE: f64 = 0.5;

/// Halvings after which pieces are looked at all the same: there are more of them, then. Bodies that slide along each other
/// would be cut into as many parts as their gap fits into the way.
const HALVINGS: usize = 64;

/// The closest approach over a motion from `s = 0` to a duration, at most so fast. Zero if a distance is.
pub(super) fn closest<P: Pieces>(
    pieces: &mut P,
    duration: f64,
    speed: f64,
) -> Result<ClosestApproach, P::Error> {
    let mut best =
        ClosestApproach { distance: Bracket { lower: f64::INFINITY, upper: f64::INFINITY }, time: 0.0 };
    for time in [0.0, duration] {
        let distance = pieces.distance(time)?;
        best.take_upper(ClosestApproach { distance, time });
        // Out of range; so is no place between two that are not.
        if distance.upper.is_infinite() {
            best.distance.lower = 0.0;
            return Ok(best);
        }
    }
    let mut parts = BinaryHeap::new();
    let part = |pieces: &mut P, middle: f64, half: f64| {
        let distance = pieces.distance(middle)?;
        let least = distance.lower - speed * half * (1.0 + 1e-12);
        Ok((Part { least, middle, half }, ClosestApproach { distance, time: middle }))
    };
    let (first, found) = part(pieces, 0.5 * duration, 0.5 * duration)?;
    best.take_upper(found);
    parts.push(first);
    let (mut seen, mut near, mut halvings) = (BTreeSet::new(), Vec::new(), 0);
    while let Some(Part { least, middle, half }) = parts.pop() {
        let upper = best.distance.upper;
        if upper == 0.0 {
            return Ok(ClosestApproach { distance: Bracket::ZERO, ..best });
        }
        if least >= upper {
            break;
        }
        if speed * half > SHARE * upper && halvings < HALVINGS {
            halvings += 1;
            for middle in [middle - 0.5 * half, middle + 0.5 * half] {
                let (next, found) = part(pieces, middle, 0.5 * half)?;
                best.take_upper(found);
                parts.push(next);
            }
            continue;
        }
        near.clear();
        pieces.near(middle, (upper + speed * half) * (1.0 + 1e-12), &mut near);
        for &pair in &near {
            if seen.insert(pair) {
                best.take(pieces.approach(pair)?);
            }
        }
    }
    best.distance.lower = best.distance.lower.min(best.distance.upper);
    Ok(best)
}

impl ClosestApproach {
    /// The closer of both.
    pub(in super::super) fn take(&mut self, other: ClosestApproach) {
        self.distance.lower = self.distance.lower.min(other.distance.lower);
        self.take_upper(other);
    }

    pub(super) fn take_upper(&mut self, other: ClosestApproach) {
        if other.distance.upper < self.distance.upper {
            (self.distance.upper, self.time) = (other.distance.upper, other.time);
        }
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Part) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Part {}

impl Ord for Part {
    fn cmp(&self, other: &Part) -> Ordering {
        other.least.total_cmp(&self.least).then(other.middle.total_cmp(&self.middle))
    }
}

impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Part) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
