//! Extreme vertices of polytopes, found fast and remembered.
//!
//! A [`SupportMap`] is a polytope prepared for queries: a start table over directions and adjacency to walk on.
//! Every search ends at a vertex none of whose neighbours lies farther along the direction; because the
//! polytope is convex, no other vertex does either [Chung96 §3.3].

mod ball;
mod block;
mod candidates;
mod cells;
mod climb;
mod cube_map;
mod hierarchy;
mod identity;
mod memory;
mod plateau;
mod quad;
mod scan;
mod shell;
mod small;
mod stamp;
mod stats;
mod table;

pub(crate) use ball::Ball;
pub use climb::Extreme;
pub(crate) use hierarchy::View;
pub use hierarchy::{HWalk, Hierarchy, HierarchyStats};
pub(crate) use identity::Identity;
pub(crate) use plateau::Plateau;
pub(crate) use scan::Scan;
pub(crate) use shell::Shell;
pub(crate) use small::SmallPair;
pub use stamp::StampedWalk;
pub use stats::SupportStats;
pub use table::DirectionTable;

use crate::math::round::norm_up;
use crate::shape::Polytope;
use block::Blocks;
use candidates::Candidates;
use cube_map::CubeMap;
use glam::{DMat3, DVec3};
use wide::f32x4;

/// Up to this many vertices a search starts by looking at all of them: lists would take too much memory.
const SCAN_LIMIT: usize = 64;

/// Up to this many at those that may be extreme, if their lists are short enough. Distances of bodies of 2000 vertices: 785 ns by
/// the cube map, 609 by lists, rods 1175 and 870; of 4000 vertices 914 and 788, rods 1258 and 1035. First contacts of 100
/// vertices: 791 ns by a scan, 867 by the cube map, 649 by lists.
const CANDIDATE_LIMIT: usize = 4000;

/// The part of the trace of a spread that is added to it for bodies that are apart; from a half of it to twice it serve
/// about as well.
const THICKENED_BY: f64 = 1.0 / 100.0;

/// Where a search without a hint starts; the default is chosen by measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartKind {
    /// Look at every vertex: fastest up to some dozens of them.
    Scan,
    /// Look at those that may be extreme in one of 24 to 296 sets of directions; where they are too many, as `CubeMap`.
    Candidates,
    /// Look into a table over directions, with about one cell for each vertex.
    CubeMap,
}

#[derive(Clone, Debug)]
enum Starts {
    /// Every vertex is looked at.
    Scan(Scan),
    /// Every vertex is looked at that may be extreme.
    Candidates(Candidates),
    /// A table over directions is looked up.
    CubeMap(CubeMap),
}

/// A polytope and what makes its support function fast.
///
/// Built in `O(n)`; directions and points are in the body's own frame. Every structure that queries use is in it, the polytope as well,
/// and `tests/support_memory.rs` holds what the allocator gave against these bytes a vertex:
///
/// | | 100 vertices and more | on random bodies | fewer than 100 |
/// | --- | --- | --- | --- |
/// | `SupportMap` ([`bytes`](SupportMap::bytes)) | at most 250 | 249 (100), 231 (500), 229 (1000), 211 (4000), 188 (5000 and more) | 250, and the value itself, below 1 kB |
/// | and a [`Hierarchy`] | at most 278, from 4000 on 250 | 277, 259, 257, 239, 215 | 290, and both values |
/// | and an [`HWalk`] | at most 386 | 384, 364, 364, 345, 322 | 386, and both values |
///
/// What is below 250 up to 4000 vertices goes to finer lists of those that may be extreme.
#[derive(Clone, Debug)]
pub struct SupportMap {
    polytope: Polytope,
    identity: Identity,
    blocks: Blocks,
    starts: Starts,
    shell: Shell,
    reach: f64,
    radius: f64,
    spread: DMat3,
    middle: DVec3,
    size: f64,
    inverse_size: f64,
    /// From the middle, in units of the size.
    centroid_in_single: f32x4,
    spread_in_single: [f32x4; 3],
    thickened_in_single: [f32x4; 3],
}

impl SupportMap {
    /// Prepares a polytope.
    pub fn new(polytope: Polytope) -> SupportMap {
        let count = polytope.vertices().len();
        let kind = if count <= SCAN_LIMIT {
            StartKind::Scan
        } else if count <= CANDIDATE_LIMIT {
            StartKind::Candidates
        } else {
            StartKind::CubeMap
        };
        SupportMap::with_start(polytope, kind)
    }

    /// Prepares a polytope with a given way to start; for experiments.
    pub fn with_start(polytope: Polytope, kind: StartKind) -> SupportMap {
        let reach = polytope.vertices().iter().map(|v| v.abs().element_sum()).fold(0.0, f64::max);
        let blocks = Blocks::build(&polytope);
        let left = memory::left_for_starts(&polytope, &blocks);
        let starts = match kind {
            StartKind::Scan => Starts::Scan(Scan::build(&polytope, left)),
            StartKind::Candidates => match Candidates::build(&polytope, left) {
                Some(lists) => Starts::Candidates(lists),
                None => Starts::CubeMap(CubeMap::build(&polytope)),
            },
            StartKind::CubeMap => Starts::CubeMap(CubeMap::build(&polytope)),
        };
        let spread = spread(&polytope);
        let far = polytope.vertices().iter().map(|&v| norm_up(v - polytope.centroid())).fold(0.0, f64::max);
        let (reach, radius) = (reach * (1.0 + 4.0 * f64::EPSILON), far * (1.0 + 8.0 * f64::EPSILON));
        let shell = Shell::around(&polytope, reach);
        let (middle, size) = (polytope.bounds().center(), quad::size(&polytope));
        let centroid_in_single = in_single((polytope.centroid() - middle) / size);
        let columns_in_single = |spread: DMat3| [0, 1, 2].map(|i| in_single(spread.col(i) / size / size));
        SupportMap {
            polytope,
            identity: Identity::new(),
            blocks,
            starts,
            shell,
            reach,
            radius,
            spread,
            middle,
            size,
            inverse_size: size.recip(),
            centroid_in_single,
            spread_in_single: columns_in_single(spread),
            thickened_in_single: columns_in_single(thickened(spread)),
        }
    }

    /// The polytope itself.
    pub fn polytope(&self) -> &Polytope {
        &self.polytope
    }

    /// What tells this body from all others.
    #[inline]
    pub(crate) fn identity(&self) -> Identity {
        self.identity
    }

    /// The position of a vertex.
    #[inline]
    pub fn vertex(&self, vertex: u32) -> DVec3 {
        self.polytope.vertices()[vertex as usize]
    }

    #[inline(always)]
    pub(crate) fn vertex_ref(&self, vertex: u32) -> &DVec3 {
        &self.polytope.vertices()[vertex as usize]
    }

    /// Never below `|x| + |y| + |z|` of any vertex: the scale of all rounding errors.
    #[inline]
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// Not below the distance of any vertex from the centroid, up to the rounding of coordinates.
    #[inline]
    pub(crate) fn radius(&self) -> f64 {
        self.radius
    }

    /// How far the vertices lie from the centroid, by direction: the mean of `(v - c) (v - c)^T`.
    #[inline]
    pub(crate) fn spread(&self) -> DMat3 {
        self.spread
    }

    /// A vertex close to extreme or extreme, for searches without a hint; costs a scan of few vertices or one
    /// look-up in a table.
    #[inline]
    pub fn start(&self, direction: DVec3) -> u32 {
        match &self.starts {
            Starts::Scan(scan) => scan.look_up(direction),
            Starts::Candidates(lists) => lists.look_up(direction),
            Starts::CubeMap(table) => table.look_up(direction),
        }
    }
}

impl SupportMap {
    /// How many vertices [`find`](SupportMap::find) looks at, the same along every direction: a part of a large body. Where it
    /// walks from a table, only the first vertex is counted.
    pub fn looked_at(&self) -> u64 {
        match &self.starts {
            Starts::Scan(scan) => u64::from(scan.last) + 1,
            Starts::Candidates(lists) => lists.looked_at(),
            Starts::CubeMap(_) => 1,
        }
    }

    /// A vertex that is extreme up to the rounding of `f32`, from nothing: a proposal, for searches that prove only
    /// their last step.
    #[inline]
    pub fn find(&self, direction: DVec3) -> u32 {
        match &self.starts {
            Starts::Scan(scan) => scan.look_up(direction),
            Starts::Candidates(lists) => lists.look_up(direction),
            Starts::CubeMap(table) => self.climb_in_f64(direction, table.look_up(direction)).vertex,
        }
    }

    /// [`find_scaled`](SupportMap::find_scaled) where that is a scan of few vertices.
    #[inline]
    pub(crate) fn scan(&self, direction: DVec3) -> Option<u32> {
        match &self.starts {
            Starts::Scan(scan) => Some(scan.look_up_scaled(direction)),
            Starts::Candidates(lists) => Some(lists.look_up_scaled(direction)),
            Starts::CubeMap(_) => None,
        }
    }

    /// [`find`](SupportMap::find) for a direction whose size is far from both ends of the range of `f32`.
    #[inline(always)]
    pub(crate) fn find_scaled(&self, direction: DVec3) -> u32 {
        match &self.starts {
            Starts::Scan(scan) => scan.look_up_scaled(direction),
            Starts::Candidates(lists) => lists.look_up_scaled(direction),
            Starts::CubeMap(table) => self.climb_in_f64(direction, table.look_up(direction)).vertex,
        }
    }
}

impl SupportMap {
    /// [`find_scaled`](SupportMap::find_scaled) for a direction in the first three lanes, with the position of the vertex from
    /// [`middle`](SupportMap::middle) in units of [`size`](SupportMap::size).
    #[inline(always)]
    pub(crate) fn find_in_single(&self, direction: f32x4) -> (f32x4, u32) {
        match &self.starts {
            Starts::Scan(scan) => scan.look_up_in_single(direction),
            Starts::Candidates(lists) => lists.look_up_in_single(direction),
            Starts::CubeMap(table) => {
                let [x, y, z, _] = direction.to_array().map(f64::from);
                let direction = DVec3::new(x, y, z);
                let vertex = self.climb_in_f64(direction, table.look_up(direction)).vertex;
                (self.position(vertex), vertex)
            }
        }
    }

    /// Where a vertex is in single precision, as told by [`find_in_single`](SupportMap::find_in_single).
    #[inline]
    pub(crate) fn position(&self, vertex: u32) -> f32x4 {
        in_single((self.vertex(vertex) - self.middle) * self.inverse_size)
    }

    /// The centroid from the middle, in units of the size.
    #[inline]
    pub(crate) fn centroid_in_single(&self) -> f32x4 {
        self.centroid_in_single
    }

    /// [`spread`](SupportMap::spread) in units of the size, as columns.
    #[inline]
    pub(crate) fn spread_in_single(&self) -> [f32x4; 3] {
        self.spread_in_single
    }

    /// The same of a body that is a little thicker where it is thin.
    #[inline(always)]
    pub(crate) fn thickened_in_single(&self) -> [f32x4; 3] {
        self.thickened_in_single
    }

    /// The middle of the bounding box.
    #[inline]
    pub(crate) fn middle(&self) -> DVec3 {
        self.middle
    }

    /// A power of two that is at least the size of the bounding box.
    #[inline]
    pub(crate) fn size(&self) -> f64 {
        self.size
    }
}

impl From<Polytope> for SupportMap {
    fn from(polytope: Polytope) -> SupportMap {
        SupportMap::new(polytope)
    }
}

/// A vector in `f32`; the last lane is zero.
#[inline(always)]
pub(crate) fn in_single(vector: DVec3) -> f32x4 {
    let [x, y, z] = vector.as_vec3().to_array();
    f32x4::new([x, y, z, 0.0])
}

/// A spread with a part of its trace added on each axis.
fn thickened(spread: DMat3) -> DMat3 {
    let trace = spread.x_axis.x + spread.y_axis.y + spread.z_axis.z;
    spread + DMat3::from_diagonal(DVec3::splat(THICKENED_BY * trace))
}

fn spread(polytope: &Polytope) -> DMat3 {
    let (center, vertices) = (polytope.centroid(), polytope.vertices());
    let outer = |v: DVec3| DMat3::from_cols(v * v.x, v * v.y, v * v.z);
    let sum = vertices.iter().fold(DMat3::ZERO, |sum, &v| sum + outer(v - center));
    sum * (vertices.len() as f64).recip()
}
