//! Ties: when several vertices are extreme up to rounding, as on a face seen along its normal.

use super::SupportMap;
use glam::DVec3;

/// Plateaus larger than this are left to exact signs; faces of common bodies have fewer corners.
const LARGEST: usize = 24;

/// All vertices that rounding cannot tell from the highest along a direction, at most `ROOM` of them.
///
/// Proof that the highest is among them: from the first vertex a path of edges of exactly increasing heights leads to
/// the exact maximum. None of its vertices is lower than the first, so none is computed lower by more than the slack of
/// [`SupportMap::climb_in_f64`]. Hence the path stays within the connected set of vertices computed no lower than that,
/// which is searched until it is closed.
pub(crate) struct Plateau<const ROOM: usize> {
    vertices: [u32; ROOM],
    len: usize,
    /// The largest height computed.
    pub height: f64,
}

impl<const ROOM: usize> Plateau<ROOM> {
    /// The plateau around a vertex; `None` if there are too many vertices.
    ///
    /// A slack so small that it hides underflow is for the caller to exclude.
    pub fn around(map: &SupportMap, direction: DVec3, vertex: u32) -> Option<Plateau<ROOM>> {
        Plateau::below(map, direction, vertex, f64::INFINITY)
    }

    /// The same from up to three vertices that may be tied, some of them repeated: these alone where blocks prove it, which is
    /// faster.
    #[inline(always)]
    pub fn at(map: &SupportMap, direction: DVec3, vertices: [u32; 3]) -> Option<Plateau<ROOM>> {
        if !map.are_proved(direction, vertices) {
            return Plateau::around(map, direction, vertices[0]);
        }
        let [first, second, third] = vertices;
        let mut plateau =
            Plateau { vertices: [first; ROOM], len: 1, height: direction.dot(map.vertex(first)) };
        if second != first {
            plateau.add(map, direction, second);
        }
        if third != first && third != second {
            plateau.add(map, direction, third);
        }
        Some(plateau)
    }

    /// The height of [`Plateau::at`] alone.
    #[inline(always)]
    pub fn top(map: &SupportMap, direction: DVec3, vertices: [u32; 3]) -> Option<f64> {
        if !map.are_proved(direction, vertices) {
            return Some(Plateau::<ROOM>::around(map, direction, vertices[0])?.height);
        }
        let [first, second, third] = vertices.map(|vertex| direction.dot(map.vertex(vertex)));
        Some(first.max(second).max(third))
    }

    #[inline(always)]
    fn add(&mut self, map: &SupportMap, direction: DVec3, vertex: u32) {
        self.vertices[self.len] = vertex;
        self.len += 1;
        self.height = self.height.max(direction.dot(map.vertex(vertex)));
    }

    pub fn vertices(&self) -> &[u32] {
        &self.vertices[..self.len]
    }

    /// [`Plateau::around`], `None` also as soon as a vertex is computed higher than a ceiling.
    fn below(map: &SupportMap, direction: DVec3, vertex: u32, ceiling: f64) -> Option<Plateau<ROOM>> {
        let height = direction.dot(map.vertex(vertex));
        let lowest = height - map.slack(direction);
        let mut plateau = Plateau { vertices: [vertex; ROOM], len: 1, height };
        let mut searched = 0;
        while searched < plateau.len {
            for &neighbour in map.polytope.neighbours(plateau.vertices[searched] as usize) {
                let there = direction.dot(map.vertex(neighbour));
                if there < lowest || plateau.vertices().contains(&neighbour) {
                    continue;
                }
                if there > ceiling {
                    return None;
                }
                *plateau.vertices.get_mut(plateau.len)? = neighbour;
                plateau.len += 1;
                plateau.height = plateau.height.max(there);
            }
            searched += 1;
        }
        Some(plateau)
    }
}

impl SupportMap {
    /// Whether the exact maximum of `d . v` over all vertices is proved to exceed that of a vertex by no more than
    /// `22u D reach` (`D` the largest coordinate of the direction).
    ///
    /// It is so if none of the vertices that rounding cannot tell from the highest is computed higher.
    pub fn is_top_of_plateau(&self, direction: DVec3, vertex: u32) -> bool {
        let top = direction.dot(self.vertex(vertex));
        Plateau::<LARGEST>::below(self, direction, vertex, top).is_some()
            && super::climb::is_trusted(self.slack(direction))
            && direction.abs().max_element() > super::climb::LEAST_DIRECTION
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Polytope;
    use crate::shape::sample::{PolytopeKind, random_polytope};

    fn cube() -> SupportMap {
        let corners = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64));
        SupportMap::new(Polytope::hull(&corners.collect::<Vec<_>>()).unwrap())
    }

    fn vertex(map: &SupportMap, at: DVec3) -> u32 {
        map.polytope().vertices().iter().position(|&v| v == at).unwrap() as u32
    }

    #[test]
    fn a_face_seen_along_its_normal_is_a_plateau() {
        let (cube, direction) = (cube(), DVec3::new(1.0, 1e-17, 0.0));
        let low = vertex(&cube, DVec3::X);
        let plateau = Plateau::<12>::around(&cube, direction, low).unwrap();
        let mut found = plateau.vertices().to_vec();
        found.sort_unstable();
        let face = (0..8).filter(|&v| cube.vertex(v).x == 1.0);
        assert_eq!(found, face.collect::<Vec<u32>>());
        assert_eq!(plateau.height, 1.0);
        assert!(Plateau::<3>::around(&cube, direction, low).is_none());
    }

    #[test]
    fn tied_vertices_that_blocks_prove_are_the_plateau() {
        let body = random_polytope(PolytopeKind::Ellipsoid, 60, 1).unwrap();
        let map = SupportMap::new(body);
        let (polytope, mut proved) = (map.polytope(), 0);
        for face in polytope.faces() {
            let [p, q, r] = [face[0], face[1], face[2]];
            let [a, b, c] = [p, q, r].map(|v| map.vertex(v));
            let normal = (b - a).cross(c - a);
            let middle = 0.5 * (a + b) - polytope.centroid();
            let edge = middle - (b - a) * (middle.dot(b - a) / (b - a).length_squared());
            for (direction, vertices) in [
                (normal, [p, q, r]),
                (normal, [p, q, p]),
                (edge, [p, q, q]),
                (edge, [p, p, q]),
                (a - polytope.centroid(), [p, p, p]),
                (a - polytope.centroid(), [q, q, q]),
            ] {
                if map.are_proved(direction, vertices) {
                    proved += 1;
                    let highest = (0..60).map(|v| direction.dot(map.vertex(v))).fold(f64::MIN, f64::max);
                    let around = Plateau::<12>::around(&map, direction, vertices[0]).unwrap();
                    let at = Plateau::<12>::at(&map, direction, vertices).unwrap();
                    assert_eq!(at.height, highest);
                    assert_eq!(Plateau::<12>::top(&map, direction, vertices), Some(highest));
                    assert!(around.vertices().iter().all(|v| at.vertices().contains(v)));
                }
            }
            let fit = [p, q, r].iter().all(|&v| polytope.neighbours(v as usize).len() <= 8);
            assert_eq!(map.are_proved(normal, [p, q, r]), fit, "a face along its normal");
            assert!(!map.are_proved(normal, [p, q, p]), "a corner of the face is left out");
        }
        assert!(proved > polytope.face_count() * 3 / 2, "{proved}");
    }

    #[test]
    fn only_the_vertex_computed_highest_is_the_top() {
        let (cube, direction) = (cube(), DVec3::new(1.0, f64::EPSILON, 0.0));
        assert!(cube.is_top_of_plateau(direction, vertex(&cube, DVec3::new(1.0, 1.0, 0.0))));
        assert!(!cube.is_top_of_plateau(direction, vertex(&cube, DVec3::X)));
        assert!(!cube.is_top_of_plateau(direction * 1e-300, vertex(&cube, DVec3::new(1.0, 1.0, 0.0))));
    }
}
