//! A scan of those vertices alone that may be extreme: one short list for each of many sets of directions.
//!
//! The list of a cell has every vertex whose normal cone meets it, so the highest vertex of the list is extreme, and no walk
//! follows. Lists lie one after the other, and as many vertices as the longest has are looked at from the start of any: what
//! lies behind a list are vertices too, and a loop of fixed length is no branch to mispredict.
//!
//! Beside 24 cells and blocks of eight, the smallest cells that fit take a fifth off cold distances of bodies of 1000
//! vertices (702 to 543 ns, plates 1143 to 887), a seventh of 500 (626 to 533), a twelfth of 200 (530 to 491).

use super::cells::{Cells, Cut};
use super::quad::{LANES, MOST_QUADS, Quad, highest_lane, inverse_size, points};
use crate::shape::Polytope;
use glam::DVec3;
use rustc_hash::FxHashMap;
use wide::f32x4;

/// The lists, as quads of positions in `f32`.
#[derive(Clone, Debug)]
pub(super) struct Candidates {
    cells: Cells,
    /// The quad with which the list of each cell starts.
    starts: Vec<u16>,
    /// Quads that are looked at from there.
    length: usize,
    quads: Vec<Quad>,
    /// Of every lane.
    vertices: Vec<u16>,
}

impl Candidates {
    /// With the smallest cells whose lists take no more bytes than are left; `None` if there are none, and for what is flat.
    pub(super) fn build(polytope: &Polytope, bytes: usize) -> Option<Candidates> {
        if polytope.dimension() < 3 || polytope.vertices().len() > usize::from(u16::MAX) {
            return None;
        }
        let fits = |lists: &Candidates| lists.length <= MOST_QUADS && lists.bytes() <= bytes;
        let is_hopeful = |cut: &Cut| likely_bytes(*cut, polytope.vertices().len()) <= 1.05 * bytes as f64;
        let cuts = Cut::ALL.into_iter().filter(is_hopeful);
        cuts.filter_map(|cut| Candidates::with_cut(polytope, cut)).find(fits)
    }

    fn with_cut(polytope: &Polytope, cut: Cut) -> Option<Candidates> {
        let cells = Cells::new(polytope, cut);
        let lists = cells.lists(polytope, cut);
        let length = lists.iter().map(|list| list.len().div_ceil(LANES)).max()?;
        let (starts, vertices) = laid_out(&lists, length)?;
        let points = points(polytope);
        let quad = |chunk: &[u16]| Quad::new(std::array::from_fn(|lane| points[usize::from(chunk[lane])]));
        let quads = vertices.chunks_exact(LANES).map(quad).collect();
        Some(Candidates { cells, starts, length, quads, vertices })
    }

    pub(super) fn bytes(&self) -> usize {
        let indices = self.starts.capacity() + self.vertices.capacity();
        indices * size_of::<u16>() + self.quads.capacity() * size_of::<Quad>()
    }

    /// Vertices that a look-up looks at, the same in every cell.
    pub(super) fn looked_at(&self) -> u64 {
        (LANES * self.length) as u64
    }

    /// As [`Scan::look_up`](super::scan::Scan::look_up).
    #[inline]
    pub(super) fn look_up(&self, direction: DVec3) -> u32 {
        self.look_up_scaled(direction * inverse_size(direction))
    }

    /// The same for a direction whose size is far from both ends of the range of `f32`.
    #[inline(always)]
    pub(super) fn look_up_scaled(&self, direction: DVec3) -> u32 {
        let (_, vertex) = self.highest(self.cells.find(direction), direction.as_vec3().to_array());
        vertex
    }

    /// The same for a direction in the first three lanes, with its position.
    #[inline(always)]
    pub(super) fn look_up_in_single(&self, direction: f32x4) -> (f32x4, u32) {
        let [x, y, z, _] = direction.to_array();
        let (lane, vertex) = self.highest(self.cells.find_in_single(direction), [x, y, z]);
        (self.quads.get(lane / LANES).unwrap_or(&Quad::ZERO).point(lane), vertex)
    }

    /// The highest vertex of the list of a cell, and its lane.
    #[inline(always)]
    fn highest(&self, cell: usize, direction: [f32; 3]) -> (usize, u32) {
        let start = usize::from(self.starts[cell]);
        // NaN may leave any bits.
        let lane = LANES * start + highest_lane(&self.quads[start..start + self.length], direction);
        (lane, self.vertices.get(lane).map_or(0, |&vertex| u32::from(vertex)))
    }
}

/// What lists on a ball take, but for their starts: a look before lists are made in vain, which takes longer than the hull.
fn likely_bytes(cut: Cut, vertices: usize) -> f64 {
    let padded = cut.likely_entries(vertices) + 1.5 * cut.cells() as f64;
    padded * (size_of::<Quad>() / LANES + size_of::<u16>()) as f64
}

/// Where each list starts, in quads, and the vertices of all lanes. Equal lists are one.
fn laid_out(lists: &[Vec<u16>], length: usize) -> Option<(Vec<u16>, Vec<u16>)> {
    let (mut starts, mut vertices, mut known) = (vec![], vec![], FxHashMap::default());
    for list in lists {
        let end = vertices.len() / LANES;
        let start = *known.entry(&list[..]).or_insert(end);
        starts.push(u16::try_from(start).ok()?);
        for chunk in list.chunks(LANES).filter(|_| start == end) {
            vertices.extend((0..LANES).map(|lane| chunk[lane.min(chunk.len() - 1)]));
        }
    }
    // Any start is followed by as many quads as are looked at.
    let most = LANES * (usize::from(*starts.iter().max()?) + length);
    vertices.resize(most.max(vertices.len()), 0);
    vertices.shrink_to_fit();
    starts.shrink_to_fit();
    Some((starts, vertices))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::shape::sample::{PolytopeKind, bipyramid, cone, disc, random_direction, random_polytope};

    /// By every cut, up to `2^-16` of the size for each coordinate of the direction.
    fn check(polytope: &Polytope, directions: &[DVec3]) {
        let vertices = polytope.vertices();
        let size = polytope.bounds().extent().max_element();
        for cut in Cut::ALL {
            let lists = Candidates::with_cut(polytope, cut).expect("few vertices");
            if lists.length > MOST_QUADS {
                continue;
            }
            for &direction in directions {
                let height = |v: u32| direction.dot(vertices[v as usize]);
                let best = (0..vertices.len() as u32).map(height).fold(f64::MIN, f64::max);
                let found = height(lists.look_up(direction));
                let slack = size * direction.abs().element_sum() * 2f64.powi(-16);
                assert!(best - found <= slack, "{cut:?} {direction}: {best} {found}");
                for scale in [-900, 2, 900].map(|exponent| 2f64.powi(exponent)) {
                    assert_eq!(lists.look_up(direction * scale), lists.look_up(direction), "{direction}");
                }
            }
        }
    }

    /// Random ones, and all with these coordinates: axes, ties and borders among them, for some moved a little.
    fn directions(random: &mut Random) -> Vec<DVec3> {
        let mut all: Vec<DVec3> = (0..500).map(|_| random_direction(random)).collect();
        let sizes = [0.0, 1.0, -1.0, 0.5, -0.3, 0.2, 0.75];
        for x in sizes {
            all.extend(sizes.iter().flat_map(|&y| sizes.map(|z| DVec3::new(x, y, z))));
        }
        all.retain(|&d| d != DVec3::ZERO);
        let moved: Vec<DVec3> = all.iter().map(|&d| d + random_direction(random) * 1e-12).collect();
        all.extend(moved);
        all
    }

    #[test]
    fn the_highest_of_a_list_is_the_highest_of_all() {
        let mut random = Random::new(3);
        for kind in PolytopeKind::ALL {
            for count in [8, 100, 128, 129, 300, 1000] {
                check(&random_polytope(kind, count, 1).expect("a polytope"), &directions(&mut random));
            }
        }
    }

    /// Their normals lie on borders of cells, and many vertices are tied.
    #[test]
    fn so_it_is_of_boxes_prisms_and_cones() {
        let mut random = Random::new(4);
        let corners: Vec<DVec3> =
            (0..8).map(|i| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2))).collect();
        for sides in [DVec3::ONE, DVec3::new(1.0, 2.0, 4.0), DVec3::new(1.0, 1e-3, 1e-6)] {
            let around: Vec<DVec3> = corners.iter().map(|&c| c * sides + 5.0).collect();
            check(&Polytope::hull(&around).expect("a box"), &directions(&mut random));
        }
        for count in [4, 8, 60, 100] {
            for made in [
                disc(count, 1.0, 0.5),
                disc(count, 1.0, 1e-3),
                cone(count, 1.0, 1.0),
                bipyramid(count, 1.0, 0.2),
            ] {
                check(&made.expect("a solid"), &directions(&mut random));
            }
        }
    }

    #[test]
    fn cells_are_as_small_as_memory_allows() {
        let polytope = random_polytope(PolytopeKind::Plate, 500, 1).expect("a polytope");
        let lengths = [usize::MAX, 25_000, 16_000, 12_800].map(|bytes| {
            let lists = Candidates::build(&polytope, bytes).expect("lists that fit");
            assert!(lists.bytes() <= bytes);
            lists.length
        });
        assert!(lengths.is_sorted() && lengths[0] <= 4 && lengths[3] > 8, "{lengths:?}");
        assert!(Candidates::build(&polytope, 2000).is_none());
    }
}
