//! Pairs that are remembered from frame to frame.

use super::balls::{Ball, Balls};
use super::bodies::shrink;
use super::grid::Grid;
use super::margins::{LOOSENESS, Margins, RESTLESS, are_many};
use super::tree::{DynamicTree, covers, widened};
use super::{BroadPhase, IdPair, Mobility, Renumbering, is_finite, proper};
use crate::math::Aabb;
use rayon::prelude::*;

/// Margins, as multiples of how far a body moved in its last frame, and as parts of its largest extent.
const FRAMES: f64 = 8.0;
/// The box in which a body can turn is large already, and a margin adds less to it.
const TURNING_FRAMES: f64 = 10.0;
const LEAST_MARGIN: f64 = 0.02;
const LARGEST_MARGIN: f64 = 0.25;

/// The same for balls, which grow less where a body moves along a diagonal.
const BALL_FRAMES: f64 = 11.0;
const LARGEST_BALL_MARGIN: f64 = 0.3;

/// The margin in the tree while pairs are searched for without: only queries see it.
const LOOSE_MARGIN: f64 = LOOSENESS as f64 * LARGEST_MARGIN;

/// Searches without margins after which the tree is made to fit.
const SETTLE: u32 = 8;

/// Growth of the tree's boxes since it was built after which it is built anew.
const WORN: f64 = 2.5;

/// Candidates from which on they are compared by several threads.
const PARALLEL: usize = 1 << 13;

/// The default search: boxes with a margin in a tree, and all pairs of those boxes, which are kept until a body leaves its
/// margin.
///
/// In most frames each body costs one comparison with its margin and each pair one of bounds; bodies that are not updated
/// cost nothing but their pairs. Of bodies that left their margins, few ask the tree for new pairs; if many did, or clearly
/// more than in the frames before, all margins are renewed and one sorted grid finds all pairs, as
/// [`Partition`](super::Partition) does. Margins follow speeds; where bodies leave them nearly as soon as they have them and
/// fewer boxes are compared without, none are used, as in [`Partition`](super::Partition), and the tree is given boxes so
/// large that it is rarely touched. Counts decide, never a
/// clock. From 320 to 510 bytes a body with up to three neighbours, as lists have room to grow.
#[derive(Clone, Debug, Default)]
pub struct Coherent {
    tree: DynamicTree,
    /// Pairs of boxes with margins, ascending.
    candidates: Vec<IdPair>,
    /// Bodies that came, went or left their margin since the last frame, each once; flags by id.
    changed: Vec<u32>,
    is_changed: Vec<bool>,
    /// Bodies that left their margins, and how they moved; a buffer.
    left: Vec<(u32, [f32; 3])>,
    /// How bodies moved in the frame in which they last left their margin.
    motion: Vec<Motion>,
    /// Balls in which bodies stay that are known to be held by some.
    balls: Balls,
    grid: Grid,
    fresh: Vec<IdPair>,
    /// Candidates of a frame before; a buffer.
    spare: Vec<IdPair>,
    built_girth: f64,
    /// Searches without margins since the tree was made to fit.
    unfitted: u32,
    found: Vec<Vec<IdPair>>,
    margins: Margins,
    /// Whether all margins were renewed since the last frame.
    are_renewed: bool,
    stats: CoherentStats,
}

/// How a body moved in a frame, and how it may go on.
#[derive(Clone, Copy, Debug, Default)]
struct Motion {
    /// Of the corners of its bound, and of the centre of it, on the axis on which it is largest.
    corners: f32,
    centre: f32,
    /// Of the centre, in length.
    way: f32,
    /// Bounds with this half extent around the centre hold it however it turns; zero if that is not known.
    reach: f32,
}

/// Whether a frame has other candidates than the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Candidates {
    AsBefore,
    Changed,
}

/// What was done, added up over frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoherentStats {
    /// Frames.
    pub frames: u64,
    /// Boxes compared: candidates in each frame, and what grids compared.
    pub tests: u64,
    /// Searches over all bodies.
    pub searches: u64,
    /// Bodies that asked the tree for their pairs.
    pub asked: u64,
    /// Bodies that left their boxes in the tree.
    pub left: u64,
}

impl Coherent {
    /// What was done so far.
    pub fn stats(&self) -> CoherentStats {
        self.stats
    }

    /// The tree over all bodies, up to date at any time: for queries.
    pub fn tree(&self) -> &DynamicTree {
        &self.tree
    }

    /// Begins a frame: afterwards all pairs are among the candidates, which changed if this says so.
    pub(crate) fn refresh(&mut self) -> Candidates {
        self.stats.frames += 1;
        let is_as_before = self.changed.is_empty() && !self.margins.are_missing;
        if !is_as_before {
            self.search();
            self.forget_changes();
        }
        self.stats.tests += self.candidates.len() as u64;
        self.margins.add_frame(self.candidates.len());
        if is_as_before { Candidates::AsBefore } else { Candidates::Changed }
    }

    /// Finds candidates in the way that promises to cost least; by counts, never by time.
    fn search(&mut self) {
        let (left, count) = (self.changed.len(), self.tree.bodies.count());
        let is_restless = left * RESTLESS >= count;
        if self.margins.are_missing {
            match self.margins.are_still_left(left, count) {
                true => self.search_exactly(),
                false => self.search_all(),
            }
        } else if self.margins.are_left_by_few(left, count) {
            self.ask_tree();
        } else if is_restless && self.margins.are_doubtful() {
            let tests = self.margins.tests_per_frame();
            self.search_exactly();
            self.margins.compare(tests, self.grid.tests);
        } else {
            self.search_all();
        }
    }

    /// Pairs of boxes with margins, ascending.
    pub(crate) fn candidates(&self) -> &[IdPair] {
        &self.candidates
    }

    /// A bound that is known to be there.
    #[inline]
    pub(crate) fn known_bound(&self, id: u32) -> &Aabb {
        self.tree.bodies.bound(id)
    }

    /// Updates bodies one after the other.
    fn update_each(&mut self, bounds: &[Aabb]) {
        let mut left = std::mem::take(&mut self.left);
        left.clear();
        let end = self.tree.bodies.end();
        for (id, &bound) in (0..end).zip(bounds) {
            left.extend(self.replace(id, bound).map(|moved| (id, moved)));
        }
        self.leave_together(&left);
        self.left = left;
    }

    /// Gives a body, if it is there, a new bound; how it moved if it left its margin.
    #[inline(always)]
    fn replace(&mut self, id: u32, bound: Aabb) -> Option<[f32; 3]> {
        if !self.tree.bodies.has(id) {
            return None;
        }
        replace(self.tree.bodies.bound_mut(id), bound, &self.tree.wide[id as usize], |bound| {
            self.balls.is_left(id, bound)
        })
    }

    /// Updates many bodies at once: `bodies` has an item for each id from zero on, in order, and `bound` gives what it is
    /// updated to, if it is.
    pub(crate) fn update_all<I: IndexedParallelIterator>(
        &mut self,
        bodies: I,
        bound: impl Fn(I::Item) -> Option<Aabb> + Sync,
    ) {
        let (DynamicTree { bodies: known, wide, .. }, balls) = (&mut self.tree, &self.balls);
        let (known, is_there) = known.parts_mut();
        let known = known.par_iter_mut().zip(is_there).zip(wide.par_iter());
        let left = bodies.zip(known).enumerate().filter_map(|(id, (body, ((known, is_there), wide)))| {
            is_there.as_ref()?;
            let (id, new) = (id as u32, bound(body)?);
            replace(known, new, wide, |bound| balls.is_left(id, bound)).map(|moved| (id, moved))
        });
        let left: Vec<(u32, [f32; 3])> = left.collect();
        self.leave_together(&left);
    }

    /// Gives all bodies other ids; what is known of them, and the candidates, stay what they are. Costs as much as a search over
    /// all bodies.
    pub(crate) fn renumber(&mut self, renumbering: &Renumbering) {
        self.tree.renumber(renumbering);
        self.built_girth = self.tree.refit();
        renumbering.apply(&mut self.motion, Motion::default());
        self.balls.renumber(renumbering);
        self.candidates.iter_mut().for_each(|pair| *pair = renumbering.pair(*pair));
        self.changed.iter_mut().for_each(|id| *id = renumbering.id(*id));
        let end = renumbering.id(self.is_changed.len() as u32);
        self.is_changed = vec![false; end as usize];
        self.changed.iter().for_each(|&id| self.is_changed[id as usize] = true);
        // Buffers, as large as they ever had to be.
        (self.fresh, self.spare, self.found) = (Vec::new(), Vec::new(), Vec::new());
        (self.left, self.grid) = (Vec::new(), Grid::default());
    }

    /// Bodies left their margins: if they are many all margins are renewed, which looks at every node of the tree once.
    fn leave_together(&mut self, left: &[(u32, [f32; 3])]) {
        if !are_many(left.len(), self.tree.bodies.count()) {
            return left.iter().for_each(|&(id, moved)| self.leave(id, moved));
        }
        left.iter().for_each(|&(id, moved)| self.note_leaving(id, moved));
        self.renew_margins();
        self.are_renewed = true;
    }

    fn note_leaving(&mut self, id: u32, [corners, centre, way]: [f32; 3]) {
        let motion = &mut self.motion[id as usize];
        *motion = Motion { corners, centre, way, ..*motion };
        self.stats.left += 1;
        self.mark(id);
    }

    /// A body left its margin.
    #[inline(never)]
    fn leave(&mut self, id: u32, moved: [f32; 3]) {
        self.note_leaving(id, moved);
        let wide = self.with_margin(id);
        self.renew_ball(id);
        if self.tree.is_placed(id) && is_finite(&wide) {
            self.tree.grow(id, wide);
        } else {
            self.tree.detach(id);
            self.tree.attach(id, wide);
        }
    }

    fn mark(&mut self, id: u32) {
        let at = id as usize;
        if at >= self.is_changed.len() {
            self.is_changed.resize(at + 1, false);
        }
        if !std::mem::replace(&mut self.is_changed[at], true) {
            self.changed.push(id);
        }
    }

    /// The box of a body that moves, with a margin for some frames of its motion that is not too small or large for its
    /// size; with a large one while pairs are searched for without. For one that turns fast it is the box in which it can
    /// turn.
    fn with_margin(&self, id: u32) -> Aabb {
        let bound = self.tree.bodies.bound(id);
        if !is_finite(bound) || self.tree.bodies.is_static(id) {
            return *bound;
        }
        let Motion { corners, centre, reach, .. } = self.motion.get(id as usize).copied().unwrap_or_default();
        let size = bound.extent().max_element();
        let margin = |motion: f64, size: f64| match self.margins.are_missing {
            true => LOOSE_MARGIN * size,
            false => motion.clamp(LEAST_MARGIN * size, LARGEST_MARGIN * size),
        };
        let (reach, corners) = (f64::from(reach), FRAMES * f64::from(corners));
        let turns_fast = 3.0 * 2.0 * (reach + FRAMES * f64::from(centre))
            < bound.extent().element_sum() + 3.0 * 2.0 * corners;
        if !turns_fast || reach == 0.0 {
            return widened(bound, margin(corners, size));
        }
        let middle = bound.center();
        let all = Aabb { min: middle - reach, max: middle + reach };
        widened(&all.join(*bound), margin(TURNING_FRAMES * f64::from(centre), 2.0 * reach))
    }

    /// The middle of a body that moves may go on for some frames, as far as its box, until it leaves its ball.
    fn renew_ball(&mut self, id: u32) {
        let margin = self.ball_margin(id);
        self.balls.renew(id, self.tree.bodies.bound(id), margin);
    }

    fn ball_margin(&self, id: u32) -> f64 {
        let Motion { reach, way, .. } = self.motion.get(id as usize).copied().unwrap_or_default();
        let (size, way) = (2.0 * f64::from(reach), BALL_FRAMES * f64::from(way));
        match (self.tree.bodies.is_static(id), self.margins.are_missing) {
            (true, _) => 0.0,
            (_, true) => LOOSE_MARGIN * size,
            _ => way.clamp(LEAST_MARGIN * size, LARGEST_BALL_MARGIN * size),
        }
    }

    /// Says that a ball of this radius around the centre of its bound holds a body however it turns, but for a part of its
    /// coordinates of `2^-44`. Candidates are then only those pairs that balls do not keep apart; [`BroadPhase::pairs`] is for
    /// those of whom that is not said.
    pub(crate) fn set_ball(&mut self, id: u32, radius: f64) {
        if let Some(motion) = self.motion.get_mut(id as usize) {
            motion.reach = if radius.is_finite() { radius as f32 } else { 0.0 };
            self.balls.set(id, radius, self.tree.bodies.bound(id));
        }
    }

    /// A few bodies ask the tree.
    fn ask_tree(&mut self) {
        self.stats.asked += self.changed.len() as u64;
        self.margins.add_asked(self.changed.len());
        for at in 0..self.changed.len() {
            let id = self.changed[at];
            if self.tree.bodies.has(id) {
                let wide = self.with_margin(id);
                self.renew_ball(id);
                self.tree.detach(id);
                self.tree.attach(id, wide);
            }
        }
        let mut fresh = std::mem::take(&mut self.fresh);
        fresh.clear();
        for &id in self.changed.iter().filter(|&&id| self.tree.bodies.has(id)) {
            let wide = self.tree.wide[id as usize];
            let mut add = |other: u32| {
                let both_ask = self.is_changed.get(other as usize).copied().unwrap_or(false);
                let both_rest = self.tree.bodies.is_static(id) && self.tree.bodies.is_static(other);
                let is_met_twice = other == id || both_ask && other < id;
                if !(is_met_twice || both_rest || self.balls.are_apart(id, other)) {
                    fresh.push(IdPair::new(id, other));
                }
            };
            self.tree.unbounded.iter().copied().for_each(&mut add);
            match is_finite(&wide) {
                true => self.tree.visit_wide(&wide, &mut add),
                false => {
                    let placed = |other: &u32| self.tree.is_placed(*other);
                    self.tree.bodies.ids().filter(placed).for_each(&mut add);
                }
            }
        }
        fresh.sort_unstable();
        exchange(&mut self.candidates, &self.is_changed, &fresh, &mut self.spare);
        self.fresh = fresh;
    }

    /// One search over everything, with new margins for all that moves.
    fn search_all(&mut self) {
        self.stats.searches += 1;
        let were_missing = std::mem::replace(&mut self.margins.are_missing, false);
        if were_missing || !self.are_renewed {
            self.renew_margins();
        }
        self.grid.find(self.tree.bodies.with_bounds(&self.tree.wide, &self.balls), &mut self.candidates);
        self.stats.tests += self.grid.tests;
        self.margins.were_renewed(self.grid.tests);
    }

    /// New margins for all that moves, and a tree that fits them.
    fn renew_margins(&mut self) {
        let (mut wide, mut balls) = (std::mem::take(&mut self.tree.wide), std::mem::take(&mut self.balls));
        let renew = |(id, (wide, ball)): (usize, (&mut Aabb, &mut Ball))| {
            let (id, bodies) = (id as u32, &self.tree.bodies);
            if !bodies.has(id) {
                return;
            }
            ball.renew(bodies.bound(id), self.ball_margin(id));
            if self.tree.is_placed(id) {
                *wide = self.with_margin(id);
            }
        };
        let all = balls.all(wide.len());
        match wide.len() < PARALLEL / 4 {
            true => wide.iter_mut().zip(all).enumerate().for_each(renew),
            false => wide.par_iter_mut().zip(all).enumerate().with_min_len(PARALLEL / 16).for_each(renew),
        }
        (self.tree.wide, self.balls) = (wide, balls);
        self.place_changed();
        self.refit_tree();
    }

    /// One search over everything without margins; it is of no use for the next frame.
    fn search_exactly(&mut self) {
        self.stats.searches += 1;
        self.place_changed();
        // Its boxes hold all bodies in any case; now and then they are made to fit.
        self.unfitted += 1;
        if self.unfitted >= SETTLE {
            self.refit_tree();
        }
        self.grid.find(self.tree.bodies.view(), &mut self.candidates);
        self.stats.tests += self.grid.tests;
        self.margins.are_missing = true;
    }

    /// Bodies that became, or were, without end are placed one by one.
    fn place_changed(&mut self) {
        for at in 0..self.changed.len() {
            let id = self.changed[at];
            if self.tree.bodies.has(id)
                && (!self.tree.is_placed(id) || !is_finite(self.tree.bodies.bound(id)))
            {
                let wide = self.with_margin(id);
                self.tree.detach(id);
                self.tree.attach(id, wide);
            }
        }
    }

    /// Makes the tree fit after many bodies changed.
    fn refit_tree(&mut self) {
        self.unfitted = 0;
        if self.tree.refit() > WORN * self.built_girth {
            self.tree.rebuild();
            self.built_girth = self.tree.refit();
        }
    }

    /// The candidates whose bounds meet.
    fn filter(&mut self, out: &mut Vec<IdPair>) {
        let bodies = &self.tree.bodies;
        out.clear();
        if self.margins.are_missing {
            return out.extend_from_slice(&self.candidates);
        }
        if self.candidates.len() < PARALLEL {
            return bodies.append_meeting(&self.candidates, out);
        }
        let tasks = self.candidates.len().div_ceil(PARALLEL / 4);
        self.found.resize_with(tasks, Vec::new);
        self.found.par_iter_mut().zip(self.candidates.par_chunks(PARALLEL / 4)).for_each(|(found, some)| {
            found.clear();
            bodies.append_meeting(some, found);
        });
        self.found.iter().for_each(|found| out.extend_from_slice(found));
    }

    fn forget_changes(&mut self) {
        self.are_renewed = false;
        let end = self.tree.bodies.end() as usize;
        self.changed.iter().for_each(|&id| self.is_changed[id as usize] = false);
        self.changed.clear();
        self.is_changed.truncate(end);
        self.motion.truncate(end);
        self.balls.truncate(end);
        shrink(&mut self.is_changed);
        shrink(&mut self.motion);
        shrink(&mut self.candidates);
        shrink(&mut self.spare);
        shrink(&mut self.changed);
        shrink(&mut self.left);
        self.grid.shrink(self.tree.count());
        if self.candidates.is_empty() {
            (self.fresh, self.spare, self.found) = (Vec::new(), Vec::new(), Vec::new());
        }
    }
}

/// Gives a body a new bound; how far its corners and its centre moved, if it left its margin or its ball.
#[inline(always)]
fn replace(
    known: &mut Aabb,
    bound: Aabb,
    margin: &Aabb,
    left_ball: impl FnOnce(&Aabb) -> bool,
) -> Option<[f32; 3]> {
    let before = *known;
    *known = proper(bound);
    // NaN is covered by nothing.
    if covers(margin, &bound) && !left_ball(&bound) {
        return None;
    }
    let (low, high) = (known.min - before.min, known.max - before.max);
    let (corners, centre) = (low.abs().max(high.abs()), 0.5 * (low + high).abs());
    Some([corners.max_element() as f32, centre.max_element() as f32, centre.length() as f32])
}

/// Leaves out the pairs of bodies that changed and puts new ones in, all ascending, in one run; without a jump for each that
/// is kept. The spare list holds what was.
fn exchange(pairs: &mut Vec<IdPair>, is_changed: &[bool], new: &[IdPair], spare: &mut Vec<IdPair>) {
    let Some(&any) = new.first().or(pairs.first()) else { return };
    // One more than can be kept: what is left out is written, too.
    let most = pairs.len() + new.len() + 1;
    spare.resize(spare.len().max(most), any);
    let (mut kept, mut from, out) = (0, 0, &mut spare[..]);
    for at in 0..=new.len() {
        let next = new.get(at);
        let end = next.map_or(pairs.len(), |next| from + pairs[from..].partition_point(|old| old < next));
        for &pair in &pairs[from..end] {
            out[kept] = pair;
            kept += usize::from(!(is_changed[pair.a() as usize] | is_changed[pair.b() as usize]));
        }
        if let Some(&next) = next {
            out[kept] = next;
            kept += 1;
        }
        from = end;
    }
    spare.truncate(kept);
    std::mem::swap(pairs, spare);
}

impl BroadPhase for Coherent {
    fn insert(&mut self, id: u32, bound: Aabb, mobility: Mobility) {
        self.tree.insert(id, bound, mobility);
        let at = id as usize;
        if at >= self.motion.len() {
            self.motion.resize(at + 1, Motion::default());
        }
        self.motion[at] = Motion::default();
        self.balls.forget(id);
        self.mark(id);
    }

    fn remove(&mut self, id: u32) {
        if self.tree.bodies.has(id) {
            self.tree.remove(id);
            self.mark(id);
        }
    }

    #[inline]
    fn update(&mut self, id: u32, bound: Aabb) {
        if let Some(moved) = self.replace(id, bound) {
            self.leave(id, moved);
        }
    }

    /// On all threads of the current pool.
    fn update_many(&mut self, bounds: &[Aabb]) {
        match bounds.len() < PARALLEL / 8 || rayon::current_num_threads() == 1 {
            true => self.update_each(bounds),
            false => self.update_all(bounds.par_iter().with_min_len(PARALLEL / 16), |bound| Some(*bound)),
        }
    }

    fn pairs(&mut self, out: &mut Vec<IdPair>) {
        self.refresh();
        self.filter(out);
    }

    fn bytes(&self) -> usize {
        let found: usize = self.found.iter().map(Vec::capacity).sum();
        let pairs = self.candidates.capacity() + self.fresh.capacity() + self.spare.capacity() + found;
        self.tree.bytes()
            + self.grid.bytes()
            + self.balls.bytes()
            + pairs * size_of::<IdPair>()
            + self.changed.capacity() * size_of::<u32>()
            + self.is_changed.capacity()
            + self.left.capacity() * size_of::<(u32, [f32; 3])>()
            + self.motion.capacity() * size_of::<Motion>()
    }
}
