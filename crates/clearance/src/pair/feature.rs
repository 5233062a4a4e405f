//! The vertex, edge or face on which a point lies.

use super::subdistance::Simplex;
use crate::shape::Polytope;
use glam::DVec3;

/// A part of the boundary of a polytope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// A vertex.
    Vertex(u32),
    /// The inside of an edge between two vertices, the smaller first.
    Edge([u32; 2]),
    /// The inside of a face (also of a diagonal of it), named by three of its vertices in ascending order.
    ///
    /// No three vertices of a face are on a line, so they determine it.
    Face([u32; 3]),
}

impl Feature {
    /// The smallest feature that holds the vertices of a simplex, which lie on a common face up to rounding.
    ///
    /// Where rounding names vertices that share no face, it is a face that holds the first and as many others as any.
    pub(super) fn of(polytope: &Polytope, vertices: impl Iterator<Item = u32>) -> Feature {
        let mut named = [0; 4];
        let mut len = 0;
        for vertex in vertices {
            if !named[..len].contains(&vertex) {
                named[len] = vertex;
                len += 1;
            }
        }
        let joined = |i: usize, j: usize| polytope.neighbours(named[i] as usize).contains(&named[j]);
        match len {
            1 => Feature::Vertex(named[0]),
            2 if joined(0, 1) => Feature::Edge([named[0].min(named[1]), named[0].max(named[1])]),
            3 if are_successive(polytope.neighbours(named[0] as usize), named[1], named[2]) => {
                Feature::Face(ascending([named[0], named[1], named[2]]))
            }
            _ => face_with(polytope, &named[..len]).0,
        }
    }

    /// The same for up to three vertices, some of them repeated, and a point between them: where they share no face, because
    /// rounding cannot tell faces from each other that are inclined by as little, it is the face that holds the point.
    #[inline(always)]
    pub(super) fn of_three(
        polytope: &Polytope,
        [first, second, third]: [u32; 3],
        point: impl FnOnce() -> DVec3,
    ) -> Feature {
        let other = if second == first { third } else { second };
        if other == first {
            return Feature::Vertex(first);
        }
        let around = polytope.neighbours(first as usize);
        let is_edge = third == first || third == other;
        if is_edge && around.contains(&other) {
            return Feature::edge(first, other);
        }
        if !is_edge && are_successive(around, second, third) {
            return Feature::Face(ascending([first, second, third]));
        }
        let named = [first, second, third];
        let named = if is_edge { &[first, other][..] } else { &named };
        match face_with(polytope, named) {
            (face, shared) if shared == named.len() => face,
            _ => nearest_face(polytope, point()),
        }
    }

    /// The edge between two vertices, in either order.
    pub(super) fn edge(from: u32, to: u32) -> Feature {
        Feature::Edge([from.min(to), from.max(to)])
    }

    /// A face by its vertices (three or more): always under the same name, that of the three smallest.
    pub(super) fn face(vertices: &[u32]) -> Feature {
        let mut sorted = vertices.to_vec();
        sorted.sort_unstable();
        Feature::Face([sorted[0], sorted[1], sorted[2]])
    }

    /// Its vertices.
    pub fn vertices(&self) -> &[u32] {
        match self {
            Feature::Vertex(vertex) => std::slice::from_ref(vertex),
            Feature::Edge(vertices) => vertices,
            Feature::Face(vertices) => vertices,
        }
    }
}

/// Whether two vertices follow each other around a vertex: the three are then corners of one face.
#[inline]
fn are_successive(around: &[u32], v: u32, w: u32) -> bool {
    let Some(mut last) = around.last().copied() else { return false };
    for &next in around {
        if (last == v && next == w) || (last == w && next == v) {
            return true;
        }
        last = next;
    }
    false
}

#[inline]
fn ascending([a, b, c]: [u32; 3]) -> [u32; 3] {
    let (low, high) = (a.min(b), a.max(b));
    [low.min(c), high.min(c.max(low)), high.max(c)]
}

/// The face nearest to a point, which lies on it up to rounding. `O(n)`, for what is rare.
#[cold]
#[inline(never)]
fn nearest_face(polytope: &Polytope, point: DVec3) -> Feature {
    // Scaled, so that squares stay in range.
    let size = polytope.bounds().extent().max_element();
    let corner = |vertex: u32| (polytope.vertices()[vertex as usize] - point) / size;
    let off = |face: &[u32]| {
        let triangles = face[1..].windows(2).map(|next| {
            let mut simplex = Simplex::EMPTY;
            [face[0], next[0], next[1]].into_iter().for_each(|v| simplex.push(corner(v), (v, 0)));
            simplex.nearest().point().length_squared()
        });
        triangles.fold(f64::INFINITY, f64::min)
    };
    let nearest = polytope.faces().map(|face| (off(face), face)).min_by(|a, b| a.0.total_cmp(&b.0));
    nearest.map_or(Feature::Vertex(0), |(_, face)| Feature::face(face))
}

/// The face around the first vertex that holds most of the others, and how many it holds with the first.
fn face_with(polytope: &Polytope, named: &[u32]) -> (Feature, usize) {
    let first = named[0];
    let (mut best, mut most) = (Feature::Vertex(first), 0);
    for &next in polytope.neighbours(first as usize) {
        // Those that are named come first.
        let (mut three, mut shared, mut len) = ([u32::MAX; 3], 0, 0);
        for vertex in face_left_of(polytope, first, next) {
            if named.contains(&vertex) {
                if shared < 3 {
                    three[len.min(2)] = three[shared];
                    three[shared] = vertex;
                }
                shared += 1;
            } else if len < 3 {
                three[len] = vertex;
            }
            len += 1;
        }
        // Of several the last, as long as they hold as many.
        if len > 2 && shared >= most {
            (best, most) = (Feature::Face(ascending(three)), shared);
        }
    }
    (best, most)
}

/// The vertices of the face to the left of a directed edge, seen from outside. Neighbours are listed
/// counter-clockwise, so the face turns into the neighbour before the one it came from.
fn face_left_of(polytope: &Polytope, from: u32, to: u32) -> impl Iterator<Item = u32> {
    let next = move |&(previous, at): &(u32, u32)| {
        let around = polytope.neighbours(at as usize);
        let came = around.iter().position(|&v| v == previous).unwrap_or(0);
        let next = (at, around[(came + around.len() - 1) % around.len()]);
        (next.1 != from).then_some(next)
    };
    let rest = std::iter::successors(Some((from, to)), next).map(|(_, at)| at);
    std::iter::once(from).chain(rest).take(polytope.vertices().len() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn cube() -> Polytope {
        let corners = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64));
        Polytope::hull(&corners.collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn walks_around_faces_give_the_faces() {
        let cube = cube();
        for face in cube.faces() {
            for (i, &from) in face.iter().enumerate() {
                let mut walked: Vec<u32> = face_left_of(&cube, from, face[(i + 1) % face.len()]).collect();
                walked.rotate_right(i);
                assert_eq!(walked, face);
            }
        }
    }

    /// A square that is bent along one diagonal by one unit in the last place: the other diagonal is in no face.
    #[test]
    fn a_point_between_vertices_of_no_common_face_is_on_the_face_that_holds_it() {
        let bent = [
            (0.0, 0.0, 1.0),
            (1.0, 0.0, 1.0f64.next_down()),
            (1.0, 1.0, 1.0),
            (0.0, 1.0, 1.0),
            (0.5, 0.5, 0.0),
        ];
        let points = bent.map(|(x, y, z)| DVec3::new(x, y, z));
        let body = Polytope::hull(&points).unwrap();
        let number = |at: DVec3| body.vertices().iter().position(|&v| v == at).unwrap() as u32;
        let [p, q, r, s, _] = points.map(number);
        for (named, at, corner) in [
            ([q, s, q], points[1] * 0.75 + points[3] * 0.25, q),
            ([q, s, s], points[1] * 0.25 + points[3] * 0.75, s),
            ([q, s, p], points[1] * 0.7 + points[3] * 0.2 + points[0] * 0.1, q),
        ] {
            let [low, middle, high] = ascending([p, r, corner]);
            assert_eq!(Feature::of_three(&body, named, || at), Feature::Face([low, middle, high]));
        }
    }

    #[test]
    fn vertices_edges_diagonals_and_faces_are_named() {
        let cube = cube();
        for face in cube.faces() {
            let [p, q, r, s] = [face[0], face[1], face[2], face[3]];
            let holds = |feature: Feature| matches!(feature, Feature::Face(vs) if vs.iter().all(|v| face.contains(v)) && vs.is_sorted());
            assert_eq!(Feature::of(&cube, [p, p].into_iter()), Feature::Vertex(p));
            assert_eq!(Feature::of(&cube, [q, p].into_iter()), Feature::Edge([p.min(q), p.max(q)]));
            assert!(holds(Feature::of(&cube, [p, r].into_iter())));
            assert!(holds(Feature::of(&cube, [q, r, s].into_iter())));
            assert!(holds(Feature::of(&cube, [s, r, q, p].into_iter())));
        }
    }
}
