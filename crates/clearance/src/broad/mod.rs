//! Which of many bodies may meet: bounds and ids, nothing else.
//!
//! All searches answer alike: the pairs of ids whose closed boxes share a point, exactly, in ascending order.
//!
//! | search | is | best for |
//! |---|---|---|
//! | [`Coherent`] | boxes with a margin, and the pairs of those, kept until a body leaves its margin | the default |
//! | [`Partition`] | a grid sorted anew in every frame, a level for each size [Chung96 §3.1] | bodies that jump |
//! | [`SweepAndPrune`] | three sorted axes, kept sorted [Chung96 §3.1] | few hundred bodies that move little |
//! | [`DynamicTree`] | a wide tree over boxes with a margin | queries; few bodies that move among many |
//!
//! ```
//! use clearance::{Aabb, broad::{BroadPhase, Coherent, IdPair, Mobility}, glam::DVec3};
//! let cube = |x: f64| Aabb { min: DVec3::new(x, 0.0, 0.0), max: DVec3::new(x + 1.0, 1.0, 1.0) };
//! let mut broad = Coherent::default();
//! for id in 0..3 {
//!     broad.insert(id, cube(2.0 * f64::from(id)), Mobility::Moving);
//! }
//! let mut pairs = Vec::new();
//! broad.pairs(&mut pairs);
//! assert!(pairs.is_empty());
//! broad.update(1, cube(3.0));
//! broad.pairs(&mut pairs);
//! assert_eq!(pairs, [IdPair::new(1, 2)]);
//! ```

mod balls;
mod bodies;
mod coherent;
mod compare;
mod grid;
mod lanes;
mod margins;
mod order;
mod partition;
mod renumbering;
mod scale;
mod sweep;
mod tree;
mod tree_build;
mod tree_query;

pub(crate) use coherent::Candidates;
pub use coherent::{Coherent, CoherentStats};
pub use partition::Partition;
pub(crate) use renumbering::Renumbering;
pub use sweep::SweepAndPrune;
pub use tree::DynamicTree;
pub use tree_query::inflated;

use crate::math::Aabb;

/// Two ids, the smaller first; ordered by the first, then by the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdPair(u64);

impl IdPair {
    /// Of two ids in any order.
    pub fn new(one: u32, other: u32) -> IdPair {
        let (a, b) = if one < other { (one, other) } else { (other, one) };
        IdPair(u64::from(a) << 32 | u64::from(b))
    }

    /// The smaller id.
    pub fn a(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The larger id.
    pub fn b(self) -> u32 {
        self.0 as u32
    }
}

/// Whether a body moves. Two that do not are no pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mobility {
    /// Pairs with everything.
    #[default]
    Moving,
    /// Pairs with what moves. It may still be updated now and then.
    Static,
}

/// Finds the pairs of bodies whose bounds share a point, frame after frame.
///
/// Ids are small numbers that the caller chooses, at most `2^31 - 1`: memory grows with the largest one. A bound may be
/// infinite. One with `min > max` or NaN is taken for all of space: it meets everything, never nothing.
pub trait BroadPhase {
    /// Adds a body; one with the same id is replaced.
    fn insert(&mut self, id: u32, bound: Aabb, mobility: Mobility);

    /// Removes a body; an id that is not there is ignored.
    fn remove(&mut self, id: u32);

    /// Gives a body a new bound; an id that is not there is ignored.
    fn update(&mut self, id: u32, bound: Aabb);

    /// Gives the bodies with ids from zero on new bounds, as [`update`](BroadPhase::update) does for one after the other.
    fn update_many(&mut self, bounds: &[Aabb]) {
        (0..).zip(bounds).for_each(|(id, &bound)| self.update(id, bound));
    }

    /// All pairs whose closed bounds share a point and of which one moves, in ascending order; `out` is written over.
    fn pairs(&mut self, out: &mut Vec<IdPair>);

    /// Bytes of memory held.
    fn bytes(&self) -> usize;
}

/// All of space.
pub const EVERYWHERE: Aabb =
    Aabb { min: glam::DVec3::splat(f64::NEG_INFINITY), max: glam::DVec3::splat(f64::INFINITY) };

/// The bound itself, or all of space for what is none.
#[inline(always)]
fn proper(bound: Aabb) -> Aabb {
    if bound.min.cmple(bound.max).all() { bound } else { EVERYWHERE }
}

/// Whether all six coordinates are finite.
fn is_finite(bound: &Aabb) -> bool {
    bound.min.is_finite() && bound.max.is_finite()
}
