//! The way of a body during a frame: the screw from where it was to where it is.

use super::geometry::Geometry;
use super::narrow::At;
use super::world::{Record, World};
use crate::math::{Aabb, Pose, Screw};
use crate::screw::Motion;
use rayon::prelude::*;

/// Bodies that one task looks at, at least.
const TASK: usize = 256;

/// A body that is somewhere else at the end of the frame than at its beginning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub slot: u32,
    pub from: Pose,
    pub to: Pose,
    screw: Screw,
    /// How far the end of the screw may be from `to`, for the farthest point.
    pub off: f64,
    /// Around all places on the way.
    pub bound: Aabb,
}

impl Way {
    fn new(slot: u32, geometry: &Geometry, from: &Pose, to: &Pose) -> Way {
        let (screw, off) = Screw::between(from, to);
        let bound = geometry.swept_bound(from, to, &screw, &off);
        Way { slot, from: *from, to: *to, screw, off: off.within(geometry.radius()), bound }
    }

    /// Whether it does not turn: then it runs straight, exactly.
    pub fn is_straight(&self) -> bool {
        self.from.rotation() == self.to.rotation()
    }

    /// Where it is at a time from 0 to 1, rounded.
    pub fn pose_at(&self, t: f64) -> Pose {
        let (from, to) = (self.from.translation(), self.to.translation());
        if t <= 0.0 {
            self.from
        } else if self.is_straight() {
            // Between two places in range.
            Pose::new(self.from.rotation(), from + t * (to - from)).unwrap_or(self.from)
        } else {
            self.screw.pose_at(t, &self.from).map_or(self.from, |(pose, _)| pose)
        }
    }

    pub fn screw(&self) -> &Screw {
        &self.screw
    }
}

/// A body of a pair, where it starts, and its way if it has one.
#[derive(Clone, Copy)]
pub(super) struct Traveller<'a> {
    pub geometry: &'a Geometry,
    pub from: &'a Pose,
    pub way: Option<&'a Way>,
}

impl<'a> Traveller<'a> {
    pub fn motion(&self) -> Motion {
        self.way.map_or(Motion::AtRest, |way| Motion::Screw(way.screw))
    }

    pub fn to(&self) -> &'a Pose {
        self.way.map_or(self.from, |way| &way.to)
    }

    pub fn is_straight(&self) -> bool {
        self.way.is_none_or(Way::is_straight)
    }

    pub fn pose_at(&self, t: f64) -> Pose {
        self.way.map_or(*self.from, |way| way.pose_at(t))
    }

    pub fn start(&self) -> At<'a> {
        At { geometry: self.geometry, pose: self.from }
    }
}

impl World {
    /// The ways of all bodies that moved since the last step, by place. Those that came or were teleported have none.
    pub(super) fn ways(&self) -> Vec<Way> {
        let way = |(slot, record): (usize, &Option<Record>)| {
            let record = record.as_ref().filter(|record| record.has_moved(self.next_step))?;
            let from = record.at_before(self.next_step)?.pose;
            (*from != record.pose).then(|| Way::new(slot as u32, &record.shape.0, from, &record.pose))
        };
        self.bodies.par_iter().enumerate().with_min_len(TASK).filter_map(way).collect()
    }

    /// The body at a place, with its way if it is among these.
    pub(super) fn traveller<'a>(&'a self, slot: u32, ways: &'a [Way]) -> Traveller<'a> {
        let record = self.at(slot);
        let way = ways.binary_search_by_key(&slot, |way| way.slot).ok().map(|at| &ways[at]);
        Traveller { geometry: &record.shape.0, from: way.map_or(&record.pose, |way| &way.from), way }
    }
}
