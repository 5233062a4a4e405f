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
    let leaders = match how {
        Weld::Exact | Weld::Within(0.0) => equal_leaders(&soup.positions, &used),
        Weld::Within(distance) if distance > 0.0 && distance.is_finite() => {
            near::leaders(&soup.positions, &used, distance)
        }
        Weld::Within(distance) => return Err(MeshError::BadWeldDistance { distance }),
    };
    Ok(number_vertices(soup, &used, leaders))
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

/// For each used position the first used one with equal coordinates; itself if there is none before.
///
/// Open addressing over bare indices, at most half full: the table of a mesh with a million
/// triangles is a few megabytes, and neighbouring triangles find their corners in the cache.
fn equal_leaders(positions: &[DVec3], used: &[bool]) -> Vec<u32> {
    let mut leaders = vec![NONE; positions.len()];
    let mut table = LeaderTable::with_capacity(positions.len() / 4 + 8);
    for (index, &position) in positions.iter().enumerate() {
        if used[index] {
            leaders[index] = table.find_or_insert(positions, position, index as u32);
        }
    }
    leaders
}

struct LeaderTable {
    slots: Vec<u32>,
    count: usize,
    shift: u32,
}

impl LeaderTable {
    fn with_capacity(count: usize) -> LeaderTable {
        let size = (2 * count).next_power_of_two();
        LeaderTable { slots: vec![NONE; size], count: 0, shift: 64 - size.trailing_zeros() }
    }

    fn find_or_insert(&mut self, positions: &[DVec3], position: DVec3, index: u32) -> u32 {
        let mut slot = self.slot(position);
        loop {
            match self.slots[slot] {
                NONE => break,
                leader if positions[leader as usize] == position => return leader,
                _ => slot = (slot + 1) & (self.slots.len() - 1),
            }
        }
        self.slots[slot] = index;
        self.count += 1;
        if 2 * self.count > self.slots.len() {
            self.grow(positions);
        }
        index
    }

    fn slot(&self, position: DVec3) -> usize {
        (hash(position) >> self.shift) as usize
    }

    fn grow(&mut self, positions: &[DVec3]) {
        let old = std::mem::replace(self, LeaderTable::with_capacity(self.slots.len()));
        self.count = old.count;
        for leader in old.slots.into_iter().filter(|&leader| leader != NONE) {
            let mut slot = self.slot(positions[leader as usize]);
            while self.slots[slot] != NONE {
                slot = (slot + 1) & (self.slots.len() - 1);
            }
            self.slots[slot] = leader;
        }
    }
}

/// Equal for equal positions. Coordinates often differ in few high bits only (grids, single precision
/// files), so the high half of each full product is folded back into the low half.
fn hash(position: DVec3) -> u64 {
    // Adding zero turns -0.0 into 0.0 and changes nothing else.
    let [x, y, z] = (position + DVec3::ZERO).to_array().map(f64::to_bits);
    let mix = |state: u64, factor: u64| {
        let product = u128::from(state) * u128::from(factor);
        (product >> 64) as u64 ^ product as u64
    };
    let first = mix(x ^ 0xa076_1d64_78bd_642f, y ^ 0xe703_7ed1_a0b4_28db);
    mix(first ^ z, 0x8ebc_6af0_9c88_c6e3)
}

fn number_vertices(soup: &TriangleSoup, used: &[bool], mut leaders: Vec<u32>) -> Welded {
    let mut positions = Vec::new();
    let mut source_vertices = Vec::new();
    let (mut welded, mut unused) = (Finding::default(), Finding::default());
    // A leader comes before its followers, so its entry already holds its vertex when they ask.
    for index in 0..leaders.len() {
        if !used[index] {
            unused.add(index as u32);
        } else if leaders[index] == index as u32 {
            leaders[index] = positions.len() as u32;
            positions.push(soup.positions[index] + DVec3::ZERO);
            source_vertices.push(index as u32);
        } else {
            leaders[index] = leaders[leaders[index] as usize];
            welded.add(index as u32);
        }
    }
    let triangles = soup.triangles.iter().map(|corners| corners.map(|c| leaders[c as usize])).collect();
    Welded { positions, source_vertices, triangles, welded, unused }
}
