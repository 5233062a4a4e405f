//! The envelopes of a hierarchy: neighbours, vertices, supports.

use super::boomerang::{Corner, EdgeId, Hierarchy, TriangleId};
use crate::planar::{Line, Point, Rational, sign};
use glam::DVec2;

/// Where something lies as seen from an edge of an envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Before the edge, counter-clockwise.
    Before,
    /// At the edge.
    Here,
    /// After it.
    After,
}

/// Where a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// At an edge.
    Edge(EdgeId),
    /// Between the two edges of a corner.
    Corner(Corner),
}

impl Hierarchy {
    /// Finds something by asking edges of the envelope of a level where it lies. Exactly one pair of neighbouring sides of the
    /// rectangle must answer "after" and "before", unless it is at one of them. `O(level)` questions.
    pub(super) fn search(&self, level: u32, mut order: impl FnMut(EdgeId) -> Order) -> Found {
        let sides = [0, 1, 2, 3].map(|side| order(EdgeId(side)));
        if let Some(here) = sides.iter().position(|order| *order == Order::Here) {
            return Found::Edge(EdgeId(here as u32));
        }
        let quarter = (0..4).find(|&q| sides[q] == Order::After && sides[(q + 1) % 4] == Order::Before);
        self.search_below(self.quarter(quarter.unwrap_or(0)), level, order)
    }

    /// The same, known to lie between the edges of a corner of some coarser level or of this one.
    pub(super) fn search_below(
        &self,
        mut corner: Corner,
        level: u32,
        mut order: impl FnMut(EdgeId) -> Order,
    ) -> Found {
        while let Some(id) = corner.below.filter(|&id| self.triangle(id).level() < level) {
            corner = match order(self.triangle(id).cut()) {
                Order::Before => self.finer(&corner)[0],
                Order::Here => return Found::Edge(self.triangle(id).cut()),
                Order::After => self.finer(&corner)[1],
            };
        }
        Found::Corner(corner)
    }

    /// A corner of the rectangle: 0 lies between the right side and the top.
    pub fn quarter(&self, quarter: usize) -> Corner {
        let [left, right] = [quarter, (quarter + 1) % 4].map(|side| EdgeId(side as u32));
        Corner { left, right, below: self.root(quarter) }
    }

    /// The edges of the envelope of a level, counter-clockwise from the right side of the rectangle on.
    pub fn envelope(&self, level: u32) -> Vec<EdgeId> {
        let mut edges = vec![EdgeId(0)];
        let mut edge = self.next_edge(EdgeId(0), level);
        while edge != EdgeId(0) {
            edges.push(edge);
            edge = self.next_edge(edge, level);
        }
        edges
    }

    /// The edge after another in the envelope of a level, which must not be before the birth of the edge. `O(1)`.
    pub fn next_edge(&self, edge: EdgeId, level: u32) -> EdgeId {
        self.corner_after(edge, level).right
    }

    /// The edge before another in the envelope of a level.
    pub fn previous_edge(&self, edge: EdgeId, level: u32) -> EdgeId {
        self.corner_before(edge, level).left
    }

    /// The vertex at the end of an edge in the envelope of a level, which must not be before its birth. `O(1)`.
    pub fn corner_after(&self, edge: EdgeId, level: u32) -> Corner {
        let (spine, below) = self.spine_at(self.spine_after(edge), edge, level);
        let right = spine.map_or(self.first_neighbours(edge)[1], |id| self.triangle(id).cut());
        Corner { left: edge, right, below }
    }

    /// The vertex at the start of an edge in the envelope of a level.
    pub fn corner_before(&self, edge: EdgeId, level: u32) -> Corner {
        let (spine, below) = self.spine_at(self.spine_before(edge), edge, level);
        let left = spine.map_or(self.first_neighbours(edge)[0], |id| self.triangle(id).cut());
        Corner { left, right: edge, below }
    }

    /// The last cut at this end of an edge before a level, and the cut of the level.
    fn spine_at(
        &self,
        spine: &[TriangleId],
        edge: EdgeId,
        level: u32,
    ) -> (Option<TriangleId>, Option<TriangleId>) {
        debug_assert!(level >= self.edge(edge).birth(), "{edge:?} is not an edge of level {level}");
        let done = spine.len().min(level.saturating_sub(self.edge(edge).birth()) as usize);
        (done.checked_sub(1).map(|last| spine[last]), spine.get(done).copied())
    }

    /// Where the edges of a corner meet.
    pub fn vertex(&self, corner: &Corner) -> &Point {
        match corner.below {
            Some(id) => self.triangle(id).apex(),
            None => &self.polygon().points()[self.edge(corner.left).contact()[1]],
        }
    }

    /// The vertices of a triangle, counter-clockwise: the start of its cut, its apex, the end of its cut.
    pub fn outline(&self, id: TriangleId) -> [Point; 3] {
        let triangle = self.triangle(id);
        let corner = Corner { left: triangle.left(), right: triangle.right(), below: Some(id) };
        let [first, last] = self.finer(&corner);
        [self.vertex(&first).clone(), triangle.apex().clone(), self.vertex(&last).clone()]
    }

    /// The corner of the next finer envelope on either side of the cut; the corner itself if it stays.
    pub fn finer(&self, corner: &Corner) -> [Corner; 2] {
        let Some(id) = corner.below else { return [*corner; 2] };
        let triangle = self.triangle(id);
        let [left, right] = triangle.children();
        [
            Corner { left: corner.left, right: triangle.cut(), below: left },
            Corner { left: triangle.cut(), right: corner.right, below: right },
        ]
    }

    /// The corner of the envelope before `level` that holds a corner of `level`.
    pub fn coarser(&self, corner: &Corner, level: u32) -> Corner {
        for edge in [corner.left, corner.right] {
            let edge = self.edge(edge);
            if edge.birth() == level
                && let Some(id) = edge.owner()
            {
                let triangle = self.triangle(id);
                return Corner { left: triangle.left(), right: triangle.right(), below: Some(id) };
            }
        }
        *corner
    }

    /// The corner of the rectangle that lies farthest along an exact direction, not zero. At most one of the corners has it
    /// strictly inside its angle; a direction of a side counts for the corner after the side.
    pub fn root_corner(&self, x: &Rational, y: &Rational) -> Corner {
        let (x, y) = (sign(x), sign(y));
        let quarter = if x.is_positive() && !y.is_negative() {
            0
        } else if y.is_positive() {
            1
        } else if x.is_negative() {
            2
        } else {
            3
        };
        self.quarter(quarter)
    }

    /// The vertex of the envelope of a level that lies farthest along the outer normal of a line of the same frame; of two,
    /// the last one counter-clockwise. `O(level)`.
    pub fn support(&self, level: u32, along: &Line) -> Corner {
        let mut corner = self.root_corner(along.a(), along.b());
        while let Some(id) = corner.below {
            let triangle = self.triangle(id);
            if triangle.level() >= level {
                break;
            }
            let is_right = !self.line(triangle.cut()).turn(along).is_negative();
            corner = self.finer(&corner)[usize::from(is_right)];
        }
        corner
    }

    /// A point of the polygon, not on its boundary if it has an inside.
    pub(super) fn inner_point(&self) -> Point {
        let points = self.polygon().points();
        let n = points.len();
        if n < 3 {
            return points[0].middle(&points[n - 1]);
        }
        points[0].middle(&points[n / 3]).middle(&points[2 * n / 3])
    }

    /// The height of the boomerang that a triangle tops: the distance of its apex from the polygon. `O(vertices in the
    /// boomerang)`; a float near the truth, for counts.
    pub fn height(&self, id: TriangleId) -> f64 {
        let triangle = self.triangle(id);
        let n = self.polygon().vertices().len();
        let first = self.edge(triangle.left()).contact()[1];
        let last = self.edge(triangle.right()).contact()[0];
        let last = if last < first { last + n } else { last };
        // Differences are taken exactly, so that far from the origin nothing is lost.
        let at = |v: usize| self.polygon().points()[v % n].minus(triangle.apex()).near();
        let least = (first..last).map(|v| origin_to_segment(at(v), at(v + 1)));
        least.fold(at(first).length(), f64::min)
    }
}

/// The distance of the origin from a segment.
fn origin_to_segment(from: DVec2, to: DVec2) -> f64 {
    let along = to - from;
    let t = (-from.dot(along) / along.length_squared()).clamp(0.0, 1.0);
    (from + t * along).length()
}
