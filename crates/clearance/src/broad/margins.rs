//! When boxes with a margin are worth it.

use crate::math::Patience;

/// Of so many bodies one must have left its margin in a frame for a search without margins to be worth a thought.
pub(super) const RESTLESS: usize = 4;

/// How many times as large as the largest margin those are that only the tree has.
pub(super) const LOOSENESS: usize = 4;

/// A search over all bodies costs as much as asking the tree for one in so many.
const MANY: usize = 16;

/// Whether so many of all bodies that a search over all costs less than asking for each.
pub(super) fn are_many(some: usize, count: usize) -> bool {
    some * MANY >= count
}

/// Frames that margins hold at most to be doubted, frames after which their absence is, and windows until they are doubted
/// again. Bodies that would leave a margin in every `RESTLESS`th frame leave one that is so much larger once in the second.
const DOUBTFUL: u32 = 2;
const WATCHED: usize = RESTLESS * LOOSENESS;
const MOST_WINDOWS: u32 = 63;

/// Whether margins pay: boxes compared with them and without.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Margins {
    /// The candidates were found without.
    pub are_missing: bool,
    /// When last compared, clearly more boxes were compared with margins than without.
    do_not_pay: bool,
    /// How often all were renewed, up to two: the first margins of bodies know nothing of their motion.
    renewals: u32,
    /// Frames since all margins were renewed, and boxes compared for and in them.
    frames: u32,
    tests: u64,
    /// Bodies that asked the tree since then.
    asked: usize,
    patience: Patience<MOST_WINDOWS>,
    /// While there are none: frames, and bodies that left the boxes of the tree in them.
    watched: usize,
    left: usize,
}

impl Margins {
    pub fn were_renewed(&mut self, tests: u64) {
        (self.are_missing, self.frames, self.tests, self.asked) = (false, 0, tests, 0);
        self.renewals = (self.renewals + 1).min(2);
        (self.watched, self.left) = (0, 0);
    }

    /// Whether to go on without: bodies would leave them nearly as soon as they have them. Judged over some frames, as
    /// bodies that were given margins at the same time leave them at the same time.
    pub fn are_still_left(&mut self, left: usize, count: usize) -> bool {
        (self.watched, self.left) = (self.watched + 1, self.left + left);
        if self.watched < WATCHED {
            return self.do_not_pay;
        }
        let is_restless = self.left * RESTLESS * LOOSENESS >= self.watched * count;
        (self.watched, self.left) = (0, 0);
        self.do_not_pay && is_restless
    }

    /// Whether the bodies that left their margins should ask the tree; else all margins are renewed.
    ///
    /// Margins that were renewed together are left together, so a frame in which more leave than before is followed by worse
    /// ones. They are renewed when asking costs twice as much as a frame did on average since they last were, that search
    /// included: not for a few that leave now and then.
    pub fn are_left_by_few(&self, left: usize, count: usize) -> bool {
        let frames = self.frames.max(1) as usize;
        !are_many(left, count) && frames.saturating_mul(left * MANY) < 2 * (count + MANY * self.asked)
    }

    pub fn add_asked(&mut self, bodies: usize) {
        self.asked = self.asked.saturating_add(bodies);
    }

    pub fn add_frame(&mut self, candidates: usize) {
        self.frames = self.frames.saturating_add(1);
        self.tests += candidates as u64;
    }

    pub fn tests_per_frame(&self) -> u64 {
        self.tests / u64::from(self.frames.max(1))
    }

    /// Whether they held for so short a time that a search without should be tried.
    pub fn are_doubtful(&mut self) -> bool {
        self.renewals == 2 && (1..=DOUBTFUL).contains(&self.frames) && !self.patience.is_waiting()
    }

    pub fn compare(&mut self, tests_with: u64, tests_without: u64) {
        // Boxes of the tree are kept up beside: a small gain is none.
        self.do_not_pay = 4 * tests_without < 3 * tests_with;
        match self.do_not_pay {
            true => self.patience.succeeded(),
            false => self.patience.failed(),
        }
    }
}
