//! Extreme vertices of polytopes, found fast and remembered.
//!
//! A [`SupportMap`] is a polytope prepared for queries: a start table over directions and adjacency to walk on.
//! Every search ends at a vertex none of whose neighbours lies farther along the direction; because the
//! polytope is convex, no other vertex does either [Chung96 §3.3].

mod climb;
mod cube_map;
mod plateau;

pub use climb::Extreme;

use crate::shape::Polytope;
use cube_map::CubeMap;
use glam::DVec3;

/// A polytope and what makes its support function fast.
///
/// Built in `O(n)`; directions and points are in the body's own frame.
#[derive(Clone, Debug)]
pub struct SupportMap {
    polytope: Polytope,
    starts: CubeMap,
    reach: f64,
}

impl SupportMap {
    /// Prepares a polytope.
    pub fn new(polytope: Polytope) -> SupportMap {
        let reach = polytope.vertices().iter().map(|v| v.abs().element_sum()).fold(0.0, f64::max);
        let starts = CubeMap::build(&polytope);
        SupportMap { polytope, starts, reach: reach * (1.0 + 4.0 * f64::EPSILON) }
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

    /// A vertex close to extreme, from a table; costs one look-up.
    #[inline]
    pub fn start(&self, direction: DVec3) -> u32 {
        self.starts.look_up(direction)
    }
}

impl From<Polytope> for SupportMap {
    fn from(polytope: Polytope) -> SupportMap {
        SupportMap::new(polytope)
    }
}
