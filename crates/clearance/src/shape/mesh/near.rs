//! Welding within a distance: clusters of positions that chains of short steps connect.

use super::cluster::Clusters;
use glam::DVec3;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// For each used position the smallest used index in its cluster; `u32::MAX` where not used.
///
/// Two positions are linked when their rounded distance is at most `distance`, which must be positive;
/// clusters are the connected components of that relation, so they do not depend on the order of
/// the positions. `O(n)` while few positions share a grid cell; `O(n^2)` at worst.
pub(super) fn leaders(positions: &[DVec3], used: &[bool], distance: f64) -> Vec<u32> {
    let grid = Grid::build(positions, used, distance);
    let mut clusters = Clusters::new(positions.len());
    for (cell, range) in &grid.cells {
        let members = &grid.members[range.clone()];
        grid.join_within(members, &mut clusters);
        for neighbour in following_neighbours(*cell) {
            if let Some(other) = grid.range_of.get(&neighbour) {
                grid.join_across(members, &grid.members[other.clone()], &mut clusters);
            }
        }
    }
    let leader = |(index, &used): (usize, &bool)| if used { clusters.root(index as u32) } else { u32::MAX };
    used.iter().enumerate().map(leader).collect()
}

/// Cells of half the distance: a cell's diagonal is shorter than the distance, so all of a cell is in one
/// cluster, and linked positions are at most two cells apart. For distances below `2^-31` of the extent
/// cells are larger, to keep their numbers small; then positions of one cell are compared one by one.
struct Grid<'a> {
    positions: &'a [DVec3],
    distance: f64,
    cell_is_cluster: bool,
    cells: Vec<([u32; 3], Range<usize>)>,
    range_of: FxHashMap<[u32; 3], Range<usize>>,
    members: Vec<u32>,
}

impl<'a> Grid<'a> {
    fn build(positions: &'a [DVec3], used: &[bool], distance: f64) -> Grid<'a> {
        let indices = (0..positions.len() as u32).filter(|&i| used[i as usize]);
        let bounds = crate::Aabb::around(indices.clone().map(|i| positions[i as usize]));
        let (min, extent) = bounds.map_or((DVec3::ZERO, 0.0), |b| (b.min, b.extent().max_element()));
        // A little more than half, so that rounding cannot put linked positions three cells apart.
        let half = 0.5 * distance * (1.0 + 1.0 / 1024.0);
        let width = half.max(extent / 2f64.powi(30));
        let cell = |i: u32| ((positions[i as usize] - min) / width).to_array().map(|c| c as u32);
        let mut keyed: Vec<_> = indices.map(|i| (cell(i), i)).collect();
        keyed.sort_unstable();
        let mut cells: Vec<([u32; 3], Range<usize>)> = Vec::new();
        for (at, (cell, _)) in keyed.iter().enumerate() {
            match cells.last_mut() {
                Some((last, range)) if last == cell => range.end = at + 1,
                _ => cells.push((*cell, at..at + 1)),
            }
        }
        let range_of = cells.iter().cloned().collect();
        let members = keyed.into_iter().map(|(_, i)| i).collect();
        Grid { positions, distance, cell_is_cluster: width == half, cells, range_of, members }
    }

    fn join_within(&self, members: &[u32], clusters: &mut Clusters) {
        for (at, &a) in members.iter().enumerate() {
            if self.cell_is_cluster {
                clusters.join(a, members[0]);
            } else {
                let near = members[at + 1..].iter().filter(|&&b| self.linked(a, b));
                near.for_each(|&b| clusters.join(a, b));
            }
        }
    }

    fn join_across(&self, members: &[u32], others: &[u32], clusters: &mut Clusters) {
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

/// The cells at most two away that come after a cell in lexicographic order.
fn following_neighbours(cell: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    let offsets =
        (0..125).map(|n| [n / 25 - 2, n / 5 % 5 - 2, n % 5 - 2]).filter(|&offset| offset > [0, 0, 0]);
    offsets.filter_map(move |offset: [i32; 3]| {
        let along = |axis: usize| cell[axis].checked_add_signed(offset[axis]);
        Some([along(0)?, along(1)?, along(2)?])
    })
}
