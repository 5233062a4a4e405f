//! A vertex and a face, or two edges, of which one moves: where they are, and whether a common point lies within both.

use super::course::Course;
use super::frame::Frame;
use crate::math::{Interval, Interval3, SinCos};
use std::ops::Deref;

/// Whether a common point of plane and line, or of two lines, lies within the features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Containment {
    Inside,
    Outside,
    /// On the border, or too close to tell: of the three sides of a triangle, or of the four ends of two edges, those that are
    /// not decided.
    Border([bool; 4]),
}

impl Containment {
    /// From numbers that are not negative inside.
    fn of<const N: usize>(sides: [Interval; N]) -> Containment {
        if sides.iter().any(|side| side.is_negative()) {
            return Containment::Outside;
        }
        if sides.iter().all(|side| side.lower() >= 0.0) {
            return Containment::Inside;
        }
        let mut open = [false; 4];
        (0..N).for_each(|i| open[i] = sides[i].lower() < 0.0);
        Containment::Border(open)
    }

    /// The same, but what is exactly on the border counts as border, so that features are named with all they touch.
    fn with_border<const N: usize>(sides: [Interval; N]) -> Containment {
        match Containment::of(sides) {
            Containment::Outside => Containment::Outside,
            _ if sides.iter().all(|side| side.is_positive()) => Containment::Inside,
            _ => {
                let mut open = [false; 4];
                (0..N).for_each(|i| open[i] = sides[i].lower() <= 0.0);
                Containment::Border(open)
            }
        }
    }
}

/// A vertex that moves and a face that rests.
pub(super) struct VertexAndFace<'a> {
    frame: &'a Frame,
    vertex: Interval3,
    face: [Interval3; 3],
    pub normal: Interval3,
}

/// The same with its function of time.
pub(super) struct VertexFace<'a> {
    features: VertexAndFace<'a>,
    pub course: Course,
}

impl<'a> Deref for VertexFace<'a> {
    type Target = VertexAndFace<'a>;

    fn deref(&self) -> &VertexAndFace<'a> {
        &self.features
    }
}

impl<'a> VertexFace<'a> {
    pub fn new(frame: &'a Frame, vertex: Interval3, face: [Interval3; 3]) -> VertexFace<'a> {
        let features = VertexAndFace::new(frame, vertex, face);
        let course = features.course();
        VertexFace { features, course }
    }
}

impl<'a> VertexAndFace<'a> {
    pub fn new(frame: &'a Frame, vertex: Interval3, face: [Interval3; 3]) -> VertexAndFace<'a> {
        let normal = (face[1] - face[0]).cross(&(face[2] - face[0]));
        VertexAndFace { frame, vertex, face, normal }
    }

    /// The function of time that is zero where they meet.
    pub fn course(&self) -> Course {
        Course::over(self.frame, &self.vertex, &self.face[0], &self.normal)
    }

    /// Its value at a time, from where the vertex is then.
    pub fn value(&self, t: f64) -> Interval {
        let t = Interval::point(t);
        // What lies between them at the start is small, and its rounding too.
        let between = (self.vertex - self.face[0]) + self.frame.change(&self.vertex, &self.frame.turn(t), t);
        self.normal.dot(&between)
    }

    /// Where the vertex is.
    pub fn place(&self, t: Interval) -> Interval3 {
        self.frame.moved(&self.vertex, &self.frame.turn(t), t)
    }

    /// How far the vertex is inside each side, as areas; side `k` joins corners `k` and `k + 1`.
    fn sides(&self, t: Interval) -> [Interval; 3] {
        let at = self.place(t);
        std::array::from_fn(|k| {
            let (from, to) = (self.face[k], self.face[(k + 1) % 3]);
            self.normal.dot(&(to - from).cross(&(at - from)))
        })
    }

    pub fn containment(&self, t: Interval) -> Containment {
        Containment::of(self.sides(t))
    }

    pub fn borders(&self, t: Interval) -> Containment {
        Containment::with_border(self.sides(t))
    }

    /// Containment and borders.
    pub fn both(&self, t: Interval) -> [Containment; 2] {
        let sides = self.sides(t);
        [Containment::of(sides), Containment::with_border(sides)]
    }
}

/// An edge that rests and one that moves.
pub(super) struct EdgeAndEdge<'a> {
    frame: &'a Frame,
    rests: [Interval3; 2],
    moves: [Interval3; 2],
}

/// The same with their function of time.
pub(super) struct EdgeEdge<'a> {
    features: EdgeAndEdge<'a>,
    pub course: Course,
}

impl<'a> Deref for EdgeEdge<'a> {
    type Target = EdgeAndEdge<'a>;

    fn deref(&self) -> &EdgeAndEdge<'a> {
        &self.features
    }
}

impl<'a> EdgeEdge<'a> {
    pub fn new(frame: &'a Frame, rests: [Interval3; 2], moves: [Interval3; 2]) -> EdgeEdge<'a> {
        let features = EdgeAndEdge::new(frame, rests, moves);
        let course = features.course();
        EdgeEdge { features, course }
    }
}

/// Places on both lines nearest to each other, as parts of the edges, each over `length`.
struct Shares {
    on_rests: Interval,
    on_moves: Interval,
    length: Interval,
}

impl Shares {
    /// In the order: first and second end of the resting edge, first and second of the moving one.
    fn ends(&self) -> [Interval; 4] {
        let Shares { on_rests, on_moves, length } = *self;
        [on_rests, length - on_rests, on_moves, length - on_moves]
    }
}

impl<'a> EdgeAndEdge<'a> {
    pub fn new(frame: &'a Frame, rests: [Interval3; 2], moves: [Interval3; 2]) -> EdgeAndEdge<'a> {
        EdgeAndEdge { frame, rests, moves }
    }

    /// The function of time that is zero where they meet.
    pub fn course(&self) -> Course {
        Course::edge_edge(self.frame, &self.rests, &self.moves)
    }

    /// Its value at a time, from where the edge is then.
    pub fn value(&self, t: f64) -> Interval {
        let t = Interval::point(t);
        let turn = self.frame.turn(t);
        let along = self.frame.turned(&(self.moves[1] - self.moves[0]), &turn);
        let between = (self.moves[0] - self.rests[0]) + self.frame.change(&self.moves[0], &turn, t);
        between.dot(&(self.rests[1] - self.rests[0]).cross(&along))
    }

    fn moved(&self, turn: &SinCos, t: Interval) -> [Interval3; 2] {
        self.moves.map(|end| self.frame.moved(&end, turn, t))
    }

    /// The direction of the moving edge.
    pub fn direction(&self, t: Interval) -> Interval3 {
        self.frame.turned(&(self.moves[1] - self.moves[0]), &self.frame.turn(t))
    }

    /// With `n = u x w`, the lines `p + s u` and `q + r w` are nearest at `s = (d x w) . n / n.n` and `r = (d x u) . n / n.n`,
    /// `d = q - p`.
    fn shares(&self, turn: &SinCos, t: Interval) -> Shares {
        let (u, w) =
            (self.rests[1] - self.rests[0], self.frame.turned(&(self.moves[1] - self.moves[0]), turn));
        let (normal, between) = (u.cross(&w), self.frame.moved(&self.moves[0], turn, t) - self.rests[0]);
        Shares {
            on_rests: between.cross(&w).dot(&normal),
            on_moves: between.cross(&u).dot(&normal),
            length: normal.length_squared(),
        }
    }

    /// Whether they are not parallel at any of some times.
    pub fn is_crossing(&self, t: Interval) -> bool {
        self.shares(&self.frame.turn(t), t).length.is_positive()
    }

    /// Whether the moving edge stays away from the line of the other, because along some axis its ends are on one side of it; or
    /// from its box, as edges on one line do.
    fn is_beside(&self, turn: &SinCos, t: Interval) -> bool {
        let u = self.rests[1] - self.rests[0];
        let moved = self.moved(turn, t);
        let [p, q] = moved.map(|end| (end - self.rests[0]).cross(&u));
        let (here, there) = (self.rests[0].hull(&self.rests[1]), moved[0].hull(&moved[1]));
        (0..3).any(|i| {
            let (p, q) = (p.0[i], q.0[i]);
            (p.is_positive() && q.is_positive())
                || (p.is_negative() && q.is_negative())
                || here.0[i].intersection(there.0[i]).is_none()
        })
    }

    /// Where edges are parallel, perhaps, places on their lines mean nothing, and where they nearly are, little.
    fn classified<const N: usize>(
        &self,
        t: Interval,
        by_ends: [fn([Interval; 4]) -> Containment; N],
    ) -> [Containment; N] {
        let turn = self.frame.turn(t);
        let shares = self.shares(&turn, t);
        let found = by_ends.map(|by_ends| match shares.length.is_positive() {
            true => by_ends(shares.ends()),
            false => Containment::Border([true; 4]),
        });
        let is_border = found.iter().any(|one| matches!(one, Containment::Border(_)));
        let is_beside = is_border && self.is_beside(&turn, t);
        found.map(|one| match one {
            Containment::Border(_) if is_beside => Containment::Outside,
            other => other,
        })
    }

    pub fn containment(&self, t: Interval) -> Containment {
        self.classified(t, [Containment::of])[0]
    }

    pub fn borders(&self, t: Interval) -> Containment {
        self.classified(t, [Containment::with_border])[0]
    }

    /// Containment and borders.
    pub fn both(&self, t: Interval) -> [Containment; 2] {
        self.classified(t, [Containment::of, Containment::with_border])
    }

    /// A place on the resting edge near the other, rounded.
    pub fn place(&self, t: Interval) -> Interval3 {
        let Shares { on_rests, length, .. } = self.shares(&self.frame.turn(t), t);
        let share = (on_rests.middle() / length.middle()).clamp(0.0, 1.0);
        let share = if share.is_nan() { 0.5 } else { share };
        self.rests[0] + (self.rests[1] - self.rests[0]).scaled(Interval::point(share))
    }
}
