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

    fn push(&mut self, position: DVec3, source: usize) -> u32 {
        // Adding zero turns -0.0 into 0.0 and changes nothing else.
        self.positions.push(position + DVec3::ZERO);
        self.sources.push(source as u32);
        self.sources.len() as u32 - 1
    }
}

/// Merges equal positions. Open addressing over vertex numbers, at most half full, so that the table of a mesh
/// with a million triangles is a few megabytes and neighbouring triangles find their corners in the cache.
fn weld_equal(positions: &[DVec3], used: &[bool]) -> Vertices {
    let mut vertices = Vertices::new(positions.len());
    let mut slots = Slots::with_capacity(positions.len() / 6 + 8);
    for (index, &position) in positions.iter().enumerate() {
        if !used[index] {
            continue;
        }
        let slot = slots.find(&vertices.positions, position);
        vertices.vertex_of[index] = match slots.vertex[slot] {
            NONE => {
                let vertex = vertices.push(position, index);
                slots.fill(slot, vertex, &vertices.positions);
                vertex
            }
            vertex => vertex,
        };
    }
    vertices
}

/// Merges clusters of close positions into their first.
fn weld_near(positions: &[DVec3], used: &[bool], distance: f64) -> Vertices {
    let mut vertices = Vertices::new(positions.len());
    // A leader comes before its followers, so it has its vertex when they ask.
    for (index, leader) in near::leaders(positions, used, distance).into_iter().enumerate() {
        if leader == index as u32 {
            vertices.vertex_of[index] = vertices.push(positions[index], index);
        } else if leader != NONE {
            vertices.vertex_of[index] = vertices.vertex_of[leader as usize];
        }
    }
    vertices
}

/// A hash table from positions to vertices that stores vertices only.
struct Slots {
    vertex: Vec<u32>,
    count: usize,
    shift: u32,
}

impl Slots {
    fn with_capacity(count: usize) -> Slots {
        let size = (2 * count).next_power_of_two();
        Slots { vertex: vec![NONE; size], count: 0, shift: 64 - size.trailing_zeros() }
    }

    /// The slot of the vertex at a position, or the free slot where it belongs.
    fn find(&self, positions: &[DVec3], position: DVec3) -> usize {
        let mut slot = (hash(position) >> self.shift) as usize;
        while self.vertex[slot] != NONE && positions[self.vertex[slot] as usize] != position {
            slot = (slot + 1) & (self.vertex.len() - 1);
        }
        slot
    }

    fn fill(&mut self, slot: usize, vertex: u32, positions: &[DVec3]) {
        self.vertex[slot] = vertex;
        self.count += 1;
        if 2 * self.count > self.vertex.len() {
            let mut larger = Slots::with_capacity(self.vertex.len());
            for vertex in 0..self.count as u32 {
                let slot = larger.find(positions, positions[vertex as usize]);
                larger.vertex[slot] = vertex;
            }
            larger.count = self.count;
            *self = larger;
        }
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
