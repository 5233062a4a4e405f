//! Positions become vertices: checked, and merged where equal.

use super::{Finding, MeshError, Weld, near};
use crate::shape::TriangleSoup;
use crate::tolerance::COORDINATE_LIMIT;
use glam::DVec3;

/// Vertices of the positions that triangles use, in the order of those positions.
pub(super) struct Welded {
    /// One position per vertex, without negative zeros.
    pub positions: Vec<DVec3>,
    /// The smallest used input position of each vertex.
    pub source_vertices: Vec<u32>,
    /// The input triangles with vertices for corners.
    pub triangles: Vec<[u32; 3]>,
    /// Used positions that went into an earlier one.
    pub welded: Finding,
    /// Positions without a triangle.
    pub unused: Finding,
}

const NONE: u32 = u32::MAX;

/// Checks indices and coordinates, then welds. `O(n)` expected time.
pub(super) fn weld(soup: &TriangleSoup, how: Weld) -> Result<Welded, MeshError> {
    let used = used_positions(soup)?;
    check_coordinates(&soup.positions)?;
    let vertices = match how {
        Weld::Exact | Weld::Within(0.0) => weld_equal(&soup.positions, &used),
        Weld::Within(distance) if distance > 0.0 && distance.is_finite() => {
            weld_near(&soup.positions, &used, distance)
        }
        Weld::Within(distance) => return Err(MeshError::BadWeldDistance { distance }),
    };
    let merged = |&p: &u32| {
        let vertex = vertices.vertex_of[p as usize];
        vertex != NONE && vertices.sources[vertex as usize] != p
    };
    let indices = 0..used.len() as u32;
    Ok(Welded {
        welded: indices.clone().filter(merged).collect(),
        unused: indices.filter(|&p| !used[p as usize]).collect(),
        triangles: soup
            .triangles
            .iter()
            .map(|corners| corners.map(|p| vertices.vertex_of[p as usize]))
            .collect(),
        positions: vertices.positions,
        source_vertices: vertices.sources,
    })
}

fn used_positions(soup: &TriangleSoup) -> Result<Vec<bool>, MeshError> {
    let positions = soup.positions.len();
    let mut used = vec![false; positions];
    for (triangle, corners) in soup.triangles.iter().enumerate() {
        for &index in corners {
            match used.get_mut(index as usize) {
                Some(flag) => *flag = true,
                None => return Err(MeshError::BadIndex { triangle, index, positions }),
            }
        }
    }
    Ok(used)
}

fn check_coordinates(positions: &[DVec3]) -> Result<(), MeshError> {
    let limit = DVec3::splat(COORDINATE_LIMIT);
    match positions.iter().position(|p| !p.abs().cmple(limit).all()) {
        None => Ok(()),
        Some(position) if positions[position].is_finite() => {
            Err(MeshError::CoordinateOutOfRange { position, at: positions[position].to_array() })
        }
        Some(position) => {
            Err(MeshError::CoordinateNotFinite { position, at: positions[position].to_array() })
        }
    }
}

/// Vertices in the order of their first position.
struct Vertices {
    positions: Vec<DVec3>,
    sources: Vec<u32>,
    /// Vertex of each position; [`NONE`] where not used.
    vertex_of: Vec<u32>,
}

impl Vertices {
    fn new(position_count: usize) -> Vertices {
        Vertices { positions: Vec::new(), sources: Vec::new(), vertex_of: vec![NONE; position_count] }
    }

    fn push(&mut self, position: DVec3, source: u32) {
        // Adding zero turns -0.0 into 0.0 and changes nothing else.
        self.positions.push(position + DVec3::ZERO);
        self.sources.push(source);
    }
}

/// Merges equal positions.
fn weld_equal(positions: &[DVec3], used: &[bool]) -> Vertices {
    let mut vertices = Vertices::new(positions.len());
    let mut table = VertexTable::with_capacity(positions.len() / 6 + 8);
    for (index, &position) in positions.iter().enumerate().filter(|&(index, _)| used[index]) {
        let vertex = table.find_or_insert(&vertices.positions, position);
        if vertex as usize == vertices.positions.len() {
            vertices.push(position, index as u32);
        }
        vertices.vertex_of[index] = vertex;
    }
    vertices
}

/// Merges clusters of close positions into their first; equal ones first, as files repeat each many times.
fn weld_near(positions: &[DVec3], used: &[bool], distance: f64) -> Vertices {
    let equal = weld_equal(positions, used);
    let mut vertices = Vertices::new(0);
    let mut merged: Vec<u32> = Vec::with_capacity(equal.positions.len());
    // A leader comes before its followers, so it has its vertex when they ask.
    for (index, leader) in near::leaders(&equal.positions, distance).into_iter().enumerate() {
        if leader as usize == index {
            merged.push(vertices.sources.len() as u32);
            vertices.push(equal.positions[index], equal.sources[index]);
        } else {
            merged.push(merged[leader as usize]);
        }
    }
    let renumber = |vertex: u32| if vertex == NONE { NONE } else { merged[vertex as usize] };
    vertices.vertex_of = equal.vertex_of.into_iter().map(renumber).collect();
    vertices
}

/// A hash table from positions to vertices that stores vertex numbers only, by open addressing in a table at most
/// half full: a few megabytes for a million triangles.
struct VertexTable {
    slots: Vec<u32>,
    count: u32,
    shift: u32,
    /// The vertex last found for each value of the low bits of the hash. Neighbouring triangles share corners, and
    /// these few entries stay in the fastest cache.
    recent: Vec<u32>,
}

impl VertexTable {
    const RECENT: usize = 4096;

    fn with_capacity(count: usize) -> VertexTable {
        let size = (2 * count).next_power_of_two();
        let recent = vec![NONE; VertexTable::RECENT];
        VertexTable { slots: vec![NONE; size], count: 0, shift: 64 - size.trailing_zeros(), recent }
    }

    /// The vertex at a position; a new one, the number of those before it, if there is none.
    fn find_or_insert(&mut self, positions: &[DVec3], position: DVec3) -> u32 {
        let hash = hash(position);
        let recent = hash as usize % VertexTable::RECENT;
        if positions.get(self.recent[recent] as usize) == Some(&position) {
            return self.recent[recent];
        }
        let slot = self.slot(hash, |vertex| positions[vertex as usize] == position);
        if self.slots[slot] == NONE {
            self.slots[slot] = self.count;
            self.count += 1;
        }
        let vertex = self.slots[slot];
        self.recent[recent] = vertex;
        if 2 * self.count as usize > self.slots.len() {
            self.grow(positions, position);
        }
        vertex
    }

    /// The slot of the vertex that is meant, or the free slot where it belongs.
    fn slot(&self, hash: u64, is_meant: impl Fn(u32) -> bool) -> usize {
        let mut slot = (hash >> self.shift) as usize;
        while self.slots[slot] != NONE && !is_meant(self.slots[slot]) {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }

    /// Doubles the table; the last vertex is not among the positions yet.
    fn grow(&mut self, positions: &[DVec3], last: DVec3) {
        let mut larger = VertexTable::with_capacity(self.slots.len());
        for (vertex, &position) in positions.iter().chain([&last]).enumerate() {
            let slot = larger.slot(hash(position), |_| false);
            larger.slots[slot] = vertex as u32;
        }
        larger.count = self.count;
        *self = larger;
    }
}

/// Equal for equal positions. Coordinates often differ in few high bits only (grids, single precision
/// files), so the high half of each full product is folded back into the low half.
fn hash(position: DVec3) -> u64 {
    let [x, y, z] = (position + DVec3::ZERO).to_array().map(f64::to_bits);
    let mix = |state: u64, factor: u64| {
        let product = u128::from(state) * u128::from(factor);
        (product >> 64) as u64 ^ product as u64
    };
    let first = mix(x ^ 0xa076_1d64_78bd_642f, y ^ 0xe703_7ed1_a0b4_28db);
    mix(first ^ z, 0x8ebc_6af0_9c88_c6e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_positions_have_equal_hashes() {
        assert_eq!(hash(DVec3::new(0.0, -0.0, 1.0)), hash(DVec3::new(-0.0, 0.0, 1.0)));
    }

    /// Coordinates of a lattice differ in few bits; a hash that ignores them makes welding quadratic.
    #[test]
    fn lattices_spread_over_the_table() {
        for scale in [1.0, 0.1, 2f64.powi(-20), 2f64.powi(20)] {
            let point =
                |k: u32| DVec3::new(f64::from(k % 32), f64::from(k / 32 % 32), f64::from(k / 1024)) * scale;
            let mut buckets = vec![0; 1 << 15];
            (0..1 << 15).for_each(|k| buckets[(hash(point(k)) >> 49) as usize] += 1);
            let fullest = buckets.iter().max().copied().unwrap_or(0);
            assert!(fullest <= 12, "{fullest} of 32768 points in one of as many buckets at scale {scale}");
        }
    }

    #[test]
    fn a_growing_table_forgets_nothing() {
        let positions: Vec<_> = (0..20_000).map(|k| DVec3::new(f64::from(k % 5000), 0.0, 1.0)).collect();
        let vertices = weld_equal(&positions, &vec![true; positions.len()]);
        assert_eq!(vertices.positions.len(), 5000);
        assert!((0..20_000).all(|k| vertices.vertex_of[k] == k as u32 % 5000));
    }
}
