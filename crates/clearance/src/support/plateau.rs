//! Ties: when several vertices are extreme up to rounding, as on a face seen along its normal.

use super::SupportMap;
use glam::DVec3;

/// Plateaus larger than this are left to exact signs; faces of common bodies have fewer corners.
const LARGEST: usize = 24;

impl SupportMap {
    /// Whether the exact maximum of `d . v` over all vertices is proved to exceed that of a vertex by no more than
    /// `20u D reach` (`D` the largest coordinate of the direction).
    ///
    /// Proof. From the vertex a path of exactly increasing heights leads along edges to the exact maximum. None of
    /// its vertices is lower than the first, so none is computed lower by more than the slack of [`SupportMap::climb_in_f64`].
    /// Hence the path stays within the connected set of vertices computed no lower than that, which is searched here
    /// until it is closed; if none of the set is computed higher than the given vertex, the claim follows.
    pub fn is_top_of_plateau(&self, direction: DVec3, vertex: u32) -> bool {
        let slack = self.slack(direction);
        let top = direction.dot(self.vertex(vertex));
        let mut plateau = [vertex; LARGEST];
        let (mut known, mut searched) = (1, 0);
        while searched < known {
            for &neighbour in self.polytope.neighbours(plateau[searched] as usize) {
                let height = direction.dot(self.vertex(neighbour));
                if height < top - slack || plateau[..known].contains(&neighbour) {
                    continue;
                }
                if height > top || known == LARGEST {
                    return false;
                }
                plateau[known] = neighbour;
                known += 1;
            }
            searched += 1;
        }
        super::climb::is_trusted(slack)
    }
}
