//! Extreme vertices of polytopes, found fast and remembered.
//!
//! A [`SupportMap`] is a polytope prepared for queries: a start table over directions and adjacency to walk on.
//! Every search ends at a vertex none of whose neighbours lies farther along the direction; because the
//! polytope is convex, no other vertex does either [Chung96 §3.3].

mod block;
mod climb;
mod cube_map;
mod hierarchy;
mod memory;
mod plateau;
mod scan;
mod stamp;
mod stats;
mod table;

pub use climb::Extreme;
pub use hierarchy::{HWalk, Hierarchy, HierarchyStats};
pub use stamp::StampedWalk;
pub use stats::SupportStats;
pub use table::DirectionTable;

use crate::shape::Polytope;
use block::Blocks;
use cube_map::CubeMap;
use glam::DVec3;
use scan::Scan;

/// Up to this many vertices a search starts by looking at all of them; `lab support` shows the crossing.
const SCAN_LIMIT: usize = 48;

/// Where a search without a hint starts; the default is chosen by measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartKind {
    /// Look at every vertex: fastest up to some dozens of them.
    Scan,
    /// Look into a table over directions, with about one cell for each vertex.
    CubeMap,
}

#[derive(Clone, Debug)]
enum Starts {
    /// Every vertex is looked at.
    Scan(Scan),
    /// A table over directions is looked up.
    CubeMap(CubeMap),
}

/// A polytope and what makes its support function fast.
///
/// Built in `O(n)`; directions and points are in the body's own frame.
#[derive(Clone, Debug)]
pub struct SupportMap {
    polytope: Polytope,
    blocks: Blocks,
    starts: Starts,
    reach: f64,
}

impl SupportMap {
    /// Prepares a polytope.
    pub fn new(polytope: Polytope) -> SupportMap {
        let small = polytope.vertices().len() <= SCAN_LIMIT;
        SupportMap::with_start(polytope, if small { StartKind::Scan } else { StartKind::CubeMap })
    }

    /// Prepares a polytope with a given way to start; for experiments.
    pub fn with_start(polytope: Polytope, kind: StartKind) -> SupportMap {
        let reach = polytope.vertices().iter().map(|v| v.abs().element_sum()).fold(0.0, f64::max);
        let starts = match kind {
            StartKind::Scan => Starts::Scan(Scan::build(&polytope)),
            StartKind::CubeMap => Starts::CubeMap(CubeMap::build(&polytope)),
        };
        let blocks = Blocks::build(&polytope);
        SupportMap { polytope, blocks, starts, reach: reach * (1.0 + 4.0 * f64::EPSILON) }
    }

    /// The polytope itself.
    pub fn polytope(&self) -> &Polytope {
        &self.polytope
    }

    /// The position of a vertex.
    #[inline]
    pub fn vertex(&self, vertex: u32) -> DVec3 {
        self.polytope.vertices()[vertex as usize]
    }

    /// Never below `|x| + |y| + |z|` of any vertex: the scale of all rounding errors.
    #[inline]
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// A vertex close to extreme or extreme, for searches without a hint; costs a scan of few vertices or one
    /// look-up in a table.
    #[inline]
    pub fn start(&self, direction: DVec3) -> u32 {
        match &self.starts {
            Starts::Scan(scan) => scan.look_up(direction),
            Starts::CubeMap(table) => table.look_up(direction),
        }
    }
}

impl From<Polytope> for SupportMap {
    fn from(polytope: Polytope) -> SupportMap {
        SupportMap::new(polytope)
    }
}
