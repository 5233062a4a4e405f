//! First contact of polytopes, meshes and compounds on a screw: the earliest of all pairs of features, found best first.

use super::cell_pair::CellPair;
use super::course::Turns;
use super::outcome::{ScrewImpact, ScrewOutcome};
use super::pairs::Pairs;
use super::primitive::{ContactTime, EdgeEdge, VertexFace, times};
use super::record::ScrewStats;
use super::surface::{NONE, Surface, Triangle};
use crate::math::{Interval, Interval3, Pose, Screw};
use glam::DVec3;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Width of the bracket of a first contact.
const WIDTH: f64 = 1e-9;

/// A pair of nodes, by the earliest time at which they may meet.
struct Open {
    window: Interval,
    nodes: (u32, u32),
}

impl Ord for Open {
    fn cmp(&self, other: &Open) -> Ordering {
        self.window.lower().total_cmp(&other.window.lower()).then(self.nodes.cmp(&other.nodes))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Open) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Open) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Open {}

/// What is known so far.
struct Earliest {
    /// No contact before this among the pairs looked at.
    lower: f64,
    /// Contact at or before this.
    upper: f64,
    point: DVec3,
    normal: DVec3,
}

/// From a time up to which they are disjoint; B moves.
///
/// Every time at which two features may meet lies in the window of their boxes, and in the record of the features; so what is
/// before the first record, and before every window that is still open, is free.
pub(super) fn first_contact(
    a: &Surface,
    pose_a: &Pose,
    b: &Surface,
    pose_b: &Pose,
    screw: &Screw,
    from: f64,
    stats: &mut ScrewStats,
) -> ScrewOutcome {
    let mut pairs = Pairs::new(a, pose_a, b, pose_b, screw).enclosed();
    let mut outcome = ScrewOutcome::None;
    let rest = Interval::new(from.min(1.0), 1.0);
    for step in pairs.steps().filter_map(|step| step.intersection(rest)) {
        let best = search(&mut pairs, step);
        if best.lower < f64::INFINITY {
            outcome = settled(&mut pairs, &best);
            break;
        }
    }
    *stats += pairs.stats;
    outcome
}

/// The earliest contact in a window of at most a quarter turn.
fn search(pairs: &mut Pairs<'_>, step: Interval) -> Earliest {
    let mut best =
        Earliest { lower: f64::INFINITY, upper: f64::INFINITY, point: DVec3::ZERO, normal: DVec3::ZERO };
    let (mut heap, mut cells) = (BinaryHeap::new(), Vec::new());
    let root = pairs.node_window((0, 0), step);
    heap.extend(root.map(|window| Reverse(Open { window, nodes: (0, 0) })));
    while let Some(Reverse(Open { window, nodes })) = heap.pop() {
        if window.lower() > best.upper {
            break;
        }
        match pairs.children(nodes) {
            Some(children) => {
                for nodes in children {
                    let window = pairs.node_window(nodes, window);
                    heap.extend(window.map(|window| Reverse(Open { window, nodes })));
                }
            }
            None => {
                pairs.leaves(nodes, window, &mut cells);
                cells.iter().for_each(|pair| look(pairs, pair, &mut best));
            }
        }
    }
    best
}

/// All features of two cells.
fn look(pairs: &mut Pairs<'_>, cells: &CellPair, best: &mut Earliest) {
    let (frame, inverse) = (pairs.frame, pairs.inverse);
    // They come toward each other.
    let against_motion = |normal: DVec3, place: &Interval3| {
        if normal.dot(frame.velocity(place).middle()) <= 0.0 { normal } else { -normal }
    };
    // What of the window is early enough to matter.
    let early = |best: &Earliest| cells.window.intersection(Interval::new(0.0, best.upper.min(1.0)));
    for vertex in cells.vertices_b() {
        let Some(window) = early(best) else { return };
        let Triangle { corners, is_two_sided, .. } = pairs.a.surface.triangles[cells.a.triangle as usize];
        let pair = VertexFace::new(&frame, pairs.b.place(vertex, &frame), pairs.a.places(corners, &frame));
        pairs.stats.features += 1;
        best.take(times(&pair.course, &Turns::new(frame.angle, window), |t| pair.containment(t)), |t| {
            let (place, normal) = (pair.place(t), pair.normal.middle());
            let normal = if is_two_sided { against_motion(normal, &place) } else { normal };
            (frame.world(&place), frame.world_vector(normal))
        });
    }
    for vertex in cells.vertices_a() {
        let Some(window) = early(best) else { return };
        let Triangle { corners, is_two_sided, .. } = pairs.b.surface.triangles[cells.b.triangle as usize];
        let place = pairs.a.place(vertex, &frame);
        let pair = VertexFace::new(&inverse, place, pairs.b.places(corners, &frame));
        pairs.stats.features += 1;
        best.take(times(&pair.course, &Turns::new(inverse.angle, window), |t| pair.containment(t)), |t| {
            let normal = -frame.turned(&pair.normal, &frame.turn(t)).middle();
            let normal = if is_two_sided { against_motion(normal, &place) } else { normal };
            (frame.world(&place), frame.world_vector(normal))
        });
    }
    for edges in cells.edges() {
        let Some(window) = early(best) else { return };
        let Some([rests, moves]) = pairs.edge_places(edges, window) else { continue };
        let pair = EdgeEdge::new(&frame, rests, moves);
        pairs.stats.features += 1;
        best.take(times(&pair.course, &Turns::new(frame.angle, window), |t| pair.containment(t)), |t| {
            let place = pair.place(t);
            let normal = (rests[1] - rests[0]).cross(&pair.direction(t)).middle();
            (frame.world(&place), frame.world_vector(against_motion(normal, &place)))
        });
    }
}

impl Earliest {
    /// The first of some times, with its place and normal.
    fn take(&mut self, times: Vec<ContactTime>, place: impl Fn(Interval) -> (DVec3, DVec3)) {
        for time in times {
            if time.lower < self.lower {
                let (point, normal) = place(Interval::point(time.lower));
                (self.lower, self.point, self.normal) = (time.lower, point, normal.normalize_or_zero());
            }
            if time.is_proved {
                self.upper = self.upper.min(time.upper);
            }
        }
    }
}

/// The answer from the earliest record; where it is not proved, because features meet at their borders, by an edge that pierces
/// a triangle soon after.
fn settled(pairs: &mut Pairs<'_>, best: &Earliest) -> ScrewOutcome {
    let Earliest { lower, mut upper, point, normal } = *best;
    for share in [0.5, 0.95] {
        let later = (lower + share * WIDTH).min(1.0);
        if upper - lower > WIDTH && is_pierced(pairs, later) {
            upper = later;
        }
    }
    if upper - lower <= WIDTH {
        return ScrewOutcome::Hit(ScrewImpact { lower, upper, point, normal });
    }
    ScrewOutcome::Undecided { lower, upper: (upper <= 1.0).then_some(upper) }
}

/// Whether an edge of one body passes through the inside of a triangle of the other at a time, for sure.
fn is_pierced(pairs: &mut Pairs<'_>, t: f64) -> bool {
    let at = Interval::point(t);
    let (frame, turn) = (pairs.frame, pairs.frame.turn(at));
    let (mut open, mut cells) = (vec![(0, 0)], Vec::new());
    while let Some(nodes) = open.pop() {
        if pairs.node_window(nodes, at).is_none() {
            continue;
        }
        if let Some(children) = pairs.children(nodes) {
            open.extend(children);
            continue;
        }
        pairs.leaves(nodes, at, &mut cells);
        for CellPair { a: cell_a, b: cell_b, .. } in &cells {
            let corners_a = pairs.a.places(cell_a.corners, &frame);
            let corners_b = pairs.b.places(cell_b.corners, &frame).map(|p| frame.moved(&p, &turn, at));
            let a_through_b = cell_b.triangle != NONE && sides(&corners_a).any(|e| pierces(&e, &corners_b));
            if a_through_b || (cell_a.triangle != NONE && sides(&corners_b).any(|e| pierces(&e, &corners_a)))
            {
                return true;
            }
        }
    }
    false
}

fn sides(corners: &[Interval3; 3]) -> impl Iterator<Item = [Interval3; 2]> {
    (0..3).map(|k| [corners[k], corners[(k + 1) % 3]])
}

/// Whether a segment has its ends on different sides of a triangle and passes all three of its sides on the same one.
fn pierces(segment: &[Interval3; 2], triangle: &[Interval3; 3]) -> bool {
    let [p, q] = segment;
    let [a, b, c] = triangle;
    let normal = (*b - *a).cross(&(*c - *a));
    let (from, to) = (normal.dot(&(*p - *a)), normal.dot(&(*q - *a)));
    let crosses = (from.is_positive() && to.is_negative()) || (from.is_negative() && to.is_positive());
    let along = *q - *p;
    let side = |u: &Interval3, v: &Interval3| along.dot(&(*u - *p).cross(&(*v - *p)));
    let passes = [side(a, b), side(b, c), side(c, a)];
    crosses && (passes.iter().all(|x| x.is_positive()) || passes.iter().all(|x| x.is_negative()))
}
