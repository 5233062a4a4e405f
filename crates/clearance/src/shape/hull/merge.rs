//! From a triangulated surface to vertices, whole faces and adjacency in canonical numbering.

use super::frame::Frame;
use super::quickhull::Surface;
use super::{Skeleton, lexicographic};
use std::cmp::Ordering;

const NONE: u32 = u32::MAX;

/// Unites coplanar triangles, drops vertices inside faces and edges, and renumbers.
///
/// A vertex with three or more edges that are not flat is a vertex of the hull, one with two lies inside an edge,
/// one with none inside a face. `O(n)`.
pub(super) fn merge(frame: &Frame<'_>, surface: &Surface) -> Skeleton {
    let mut walk = Walk::new(frame, surface);
    walk.number_vertices();
    walk.collect_faces();
    let Walk { mut skeleton, places, .. } = walk;
    skeleton.vertices = places.into_iter().map(|place| frame.order[place as usize]).collect();
    skeleton
}

struct Walk<'a> {
    frame: &'a Frame<'a>,
    surface: &'a Surface,
    /// Per place: how many edges that are not flat leave it.
    degree: Vec<u32>,
    /// Per place: its number in the result.
    number: Vec<u32>,
    /// Per numbered vertex: its place, and the half-edge at which the walk around it starts.
    places: Vec<u32>,
    starts: Vec<u32>,
    skeleton: Skeleton,
}

impl<'a> Walk<'a> {
    fn new(frame: &'a Frame<'a>, surface: &'a Surface) -> Walk<'a> {
        let mut degree = vec![0; frame.order.len()];
        for (half_edge, &from) in surface.corners.iter().enumerate() {
            degree[from as usize] += !surface.flat[half_edge] as u32;
        }
        Walk {
            frame,
            surface,
            number: vec![NONE; degree.len()],
            degree,
            places: Vec::new(),
            starts: Vec::new(),
            skeleton: Skeleton {
                dimension: 3,
                vertices: Vec::new(),
                face_starts: vec![0],
                face_corners: Vec::new(),
                neighbour_starts: vec![0],
                neighbours: Vec::new(),
            },
        }
    }

    /// Breadth first from the smallest vertex; around each vertex from the neighbour that led to it.
    fn number_vertices(&mut self) {
        self.number_vertex(self.root());
        let mut vertex = 0;
        while vertex < self.starts.len() {
            let start = self.starts[vertex];
            let mut half_edge = start;
            loop {
                if !self.surface.flat[half_edge as usize] {
                    let last = self.chain_end(half_edge);
                    let to = self.head(last);
                    if self.number[to as usize] == NONE {
                        self.number_vertex(self.surface.twins[last as usize]);
                    }
                    self.skeleton.neighbours.push(self.number[to as usize]);
                }
                half_edge = self.turn(half_edge);
                if half_edge == start {
                    break;
                }
            }
            self.skeleton.neighbour_starts.push(self.skeleton.neighbours.len() as u32);
            vertex += 1;
        }
    }

    /// Numbers the vertex from which the half-edge runs.
    fn number_vertex(&mut self, start: u32) {
        let place = self.surface.corners[start as usize];
        self.number[place as usize] = self.places.len() as u32;
        self.places.push(place);
        self.starts.push(start);
    }

    /// The half-edge from the lexicographically smallest vertex to its smallest neighbour.
    fn root(&self) -> u32 {
        let key = |h: u32| {
            let end = self.head(self.chain_end(h));
            (self.frame.exact(self.surface.corners[h as usize]), self.frame.exact(end))
        };
        let smallest = |best: Option<u32>, h: u32| {
            let best = best.unwrap_or(h);
            let from = |h: u32| self.frame.exact(self.surface.corners[h as usize]);
            let smaller = match lexicographic(from(h), from(best)) {
                Ordering::Equal => lexicographic(key(h).1, key(best).1) == Ordering::Less,
                order => order == Ordering::Less,
            };
            Some(if smaller { h } else { best })
        };
        let edges = (0..self.surface.corners.len() as u32)
            .filter(|&h| !self.surface.flat[h as usize] && self.is_vertex(self.surface.corners[h as usize]));
        edges.fold(None, smallest).expect("a solid has a vertex")
    }

    /// Every face from its smallest vertex, faces in the order of that vertex and of the edges around it.
    fn collect_faces(&mut self) {
        let mut done = vec![false; self.surface.corners.len()];
        for vertex in 0..self.starts.len() {
            let start = self.starts[vertex];
            let mut half_edge = start;
            loop {
                if !self.surface.flat[half_edge as usize] && !done[half_edge as usize] {
                    self.collect_face(half_edge, &mut done);
                }
                half_edge = self.turn(half_edge);
                if half_edge == start {
                    break;
                }
            }
        }
    }

    fn collect_face(&mut self, first: u32, done: &mut [bool]) {
        let mut half_edge = first;
        loop {
            done[half_edge as usize] = true;
            let from = self.surface.corners[half_edge as usize];
            if self.is_vertex(from) {
                self.skeleton.face_corners.push(self.number[from as usize]);
            }
            half_edge = self.along_border(half_edge);
            if half_edge == first {
                break;
            }
        }
        self.skeleton.face_starts.push(self.skeleton.face_corners.len() as u32);
    }

    fn is_vertex(&self, place: u32) -> bool {
        self.degree[place as usize] > 2
    }

    fn head(&self, half_edge: u32) -> u32 {
        self.surface.corners[next(half_edge) as usize]
    }

    /// The next half-edge around the same vertex, counter-clockwise seen from outside.
    fn turn(&self, half_edge: u32) -> u32 {
        self.surface.twins[next(next(half_edge)) as usize]
    }

    /// The next half-edge on the border of the same whole face.
    fn along_border(&self, half_edge: u32) -> u32 {
        let mut following = next(half_edge);
        while self.surface.flat[following as usize] {
            following = next(self.surface.twins[following as usize]);
        }
        following
    }

    /// The last half-edge of the straight chain that ends at a vertex of the hull.
    fn chain_end(&self, mut half_edge: u32) -> u32 {
        while !self.is_vertex(self.head(half_edge)) {
            half_edge = self.along_border(half_edge);
        }
        half_edge
    }
}

/// The next half-edge of the same triangle.
fn next(half_edge: u32) -> u32 {
    if half_edge % 3 == 2 { half_edge - 2 } else { half_edge + 1 }
}
