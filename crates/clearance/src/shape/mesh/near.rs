//! Welding within a distance: clusters of positions that chains of short steps connect.

use super::cluster::Clusters;
use crate::Aabb;
use glam::DVec3;
use std::ops::Range;

/// For each position the smallest index in its cluster.
///
/// Two positions are linked when their rounded distance is at most `distance`, which must be positive;
/// clusters are the connected components of that relation, so they do not depend on the order of
/// the positions. `O(n log n)` while few positions share a grid cell or all of a cell's neighbours are linked to it;
/// `O(n^2)` at worst. Best called with distinct positions.
pub(super) fn leaders(positions: &[DVec3], distance: f64) -> Vec<u32> {
    let grid = Grid::build(positions, distance);
    let mut clusters = Clusters::new(positions.len());
    (0..grid.cells.len()).for_each(|cell| grid.join_within(cell, &mut clusters));
    // Once adjacent cells are joined, most of those farther apart are in one cluster and need no comparison.
    for reach in [1, 2] {
        grid.for_each_pair(reach, |here, there| grid.join_across(here, there, &mut clusters));
    }
    (0..positions.len() as u32).map(|index| clusters.root(index)).collect()
}

/// Cells of half the distance: a cell's diagonal is shorter than the distance, so all of a cell is in one
/// cluster, and linked positions are at most two cells apart. For distances below `2^-31` of the extent
/// cells are larger, to keep their numbers small; then positions of one cell are compared one by one.
struct Grid<'a> {
    positions: &'a [DVec3],
    distance: f64,
    cell_is_cluster: bool,
    /// Cells with positions in lexicographic order, and where their members are.
    cells: Vec<([u32; 3], Range<usize>)>,
    members: Vec<u32>,
}

impl<'a> Grid<'a> {
    fn build(positions: &'a [DVec3], distance: f64) -> Grid<'a> {
        let bounds = Aabb::around(positions.iter().copied());
        let (min, extent) = bounds.map_or((DVec3::ZERO, 0.0), |b| (b.min, b.extent().max_element()));
        // A little more than half, so that rounding cannot put linked positions three cells apart.
        let half = 0.5 * distance * (1.0 + 1.0 / 1024.0);
        let width = half.max(extent / 2f64.powi(30));
        let cell = |i: u32| ((positions[i as usize] - min) / width).to_array().map(|c| c as u32);
        let mut keyed: Vec<_> = (0..positions.len() as u32).map(|i| (cell(i), i)).collect();
        keyed.sort_unstable();
        let mut cells: Vec<([u32; 3], Range<usize>)> = Vec::new();
        for (at, (cell, _)) in keyed.iter().enumerate() {
            match cells.last_mut() {
                Some((last, range)) if last == cell => range.end = at + 1,
                _ => cells.push((*cell, at..at + 1)),
            }
        }
        let members = keyed.into_iter().map(|(_, i)| i).collect();
        Grid { positions, distance, cell_is_cluster: width == half, cells, members }
    }

    fn members(&self, cell: usize) -> &[u32] {
        &self.members[self.cells[cell].1.clone()]
    }

    /// Calls `visit` for each pair of cells exactly `reach` apart, at most 2, the first before the second.
    ///
    /// Cells of a row differ in the last number only; each of the thirteen rows from a cell's own on is
    /// walked by a finger that only moves forward, as the cells are in order.
    fn for_each_pair(&self, reach: u32, mut visit: impl FnMut(usize, usize)) {
        let rows = (0..25).map(|n| [n / 5 - 2, n % 5 - 2]).filter(|&row| row >= [0, 0]);
        for row in rows {
            let mut finger = 0;
            for (here, &([x, y, z], _)) in self.cells.iter().enumerate() {
                let (Some(x), Some(y)) = (x.checked_add_signed(row[0]), y.checked_add_signed(row[1])) else {
                    continue;
                };
                while self.cells.get(finger).is_some_and(|(cell, _)| *cell < [x, y, z.saturating_sub(2)]) {
                    finger += 1;
                }
                for (there, (cell, _)) in self.cells.iter().enumerate().skip(finger.max(here + 1)) {
                    if *cell > [x, y, z + 2] {
                        break;
                    }
                    let apart = row[0].unsigned_abs().max(row[1].unsigned_abs()).max(cell[2].abs_diff(z));
                    if apart == reach {
                        visit(here, there);
                    }
                }
            }
        }
    }

    fn join_within(&self, cell: usize, clusters: &mut Clusters) {
        let members = self.members(cell);
        for (at, &a) in members.iter().enumerate() {
            if self.cell_is_cluster {
                clusters.join(a, members[0]);
            } else {
                let near = members[at + 1..].iter().filter(|&&b| self.linked(a, b));
                near.for_each(|&b| clusters.join(a, b));
            }
        }
    }

    fn join_across(&self, here: usize, there: usize, clusters: &mut Clusters) {
        let (members, others) = (self.members(here), self.members(there));
        if self.cell_is_cluster && clusters.root(members[0]) == clusters.root(others[0]) {
            return;
        }
        for &a in members {
            for &b in others {
                if self.linked(a, b) {
                    clusters.join(a, b);
                    if self.cell_is_cluster {
                        return;
                    }
                }
            }
        }
    }

    /// Divided by the distance first, so that squares neither overflow nor vanish.
    fn linked(&self, a: u32, b: u32) -> bool {
        let step = (self.positions[a as usize] - self.positions[b as usize]) / self.distance;
        step.length_squared() <= 1.0
    }
}
