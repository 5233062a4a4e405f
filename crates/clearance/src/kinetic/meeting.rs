//! Why two bodies meet, as conditions that say until when: a vertex of one inside the other, or two chords that cross.

use super::baseline::Outlines;
use super::condition::{Condition, FailureKind};
use super::course::Moment;
use super::feature::{LineRef, Which};
use super::outline::Outline;

/// A common point of two bodies by their features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meeting {
    /// A vertex of the other body lies in a triangle of vertices of `owner`.
    InTriangle { owner: Which, corners: [usize; 3], vertex: usize },
    /// A vertex of the other body lies on `owner`, which is a point or a segment.
    OnThin { owner: Which, vertex: usize },
    /// A chord of A and one of B cross: B's from the outer to the inner side of A's, and A's the other way around.
    Chords { a: [usize; 2], b: [usize; 2] },
}

impl Meeting {
    pub(crate) fn conditions(&self, outlines: &Outlines<'_>, all: &mut Vec<Condition<'_>>) {
        let inside = |owner, line, point| {
            Condition::outside(owner, line, point).inside().weakly().kind(FailureKind::Meeting)
        };
        match *self {
            Meeting::InTriangle { owner, corners, vertex } => {
                let outline = outlines[owner as usize];
                let point = outlines[owner.other() as usize].point(vertex);
                for i in 0..3 {
                    all.push(inside(owner, chord(outline, [corners[i], corners[(i + 1) % 3]]), point));
                }
            }
            Meeting::OnThin { owner, vertex } => {
                let outline = outlines[owner as usize];
                let point = outlines[owner.other() as usize].point(vertex);
                all.extend((0..outline.sides().len()).map(|side| inside(owner, outline.line(side), point)));
            }
            Meeting::Chords { a, b } => {
                for (owner, mine, theirs) in [(Which::A, a, b), (Which::B, b, [a[1], a[0]])] {
                    let line = chord(outlines[owner as usize], mine);
                    let points = theirs.map(|vertex| outlines[owner.other() as usize].point(vertex));
                    let outer = inside(owner, line, points[0]);
                    all.push(Condition { factor: 1.0, ..outer });
                    all.push(inside(owner, line, points[1]));
                }
            }
        }
    }

    /// A vertex of one body in the other, if there is one. `O(n log m)` signs.
    pub(crate) fn find_vertex(moment: &Moment<'_>, outlines: &Outlines<'_>) -> Option<Meeting> {
        [Which::A, Which::B].into_iter().find_map(|owner| {
            let count = outlines[owner.other() as usize].vertices().len();
            let inside: Vec<Meeting> =
                (0..count).filter_map(|vertex| holding(moment, outlines, owner, vertex)).collect();
            // They come in a row, and the middle ones are the deepest.
            inside.get(inside.len() / 2).copied()
        })
    }

    /// A reason why two bodies meet, if they do. `O(n m)` signs if no vertex of one lies in the other.
    pub(crate) fn find(moment: &Moment<'_>, outlines: &Outlines<'_>) -> Option<Meeting> {
        Meeting::find_vertex(moment, outlines).or_else(|| crossing(moment, outlines))
    }
}

fn chord(outline: &Outline, [from, to]: [usize; 2]) -> LineRef<'static> {
    LineRef::Edge(outline.vertices()[from], outline.vertices()[to])
}

/// Where a vertex of the other body lies in one, if it does.
fn holding(moment: &Moment<'_>, outlines: &Outlines<'_>, owner: Which, vertex: usize) -> Option<Meeting> {
    let outline = outlines[owner as usize];
    let point = outlines[owner.other() as usize].point(vertex);
    if !outline.is_solid() {
        let is_on = (0..outline.sides().len())
            .all(|side| !moment.side(owner, outline.line(side), point).is_positive());
        return is_on.then_some(Meeting::OnThin { owner, vertex });
    }
    let is_outside = |ends: [usize; 2]| moment.side(owner, chord(outline, ends), point).is_positive();
    let last = outline.vertices().len() - 1;
    if is_outside([0, 1]) || is_outside([last, 0]) {
        return None;
    }
    // Left of the chord to `low`, not left of the one to `high`.
    let (mut low, mut high) = (1, last);
    while high - low > 1 {
        let middle = low.midpoint(high);
        if is_outside([0, middle]) { high = middle } else { low = middle }
    }
    let corners = [0, low, high];
    (!is_outside([low, high])).then_some(Meeting::InTriangle { owner, corners, vertex })
}

/// Two edges that cross properly.
fn crossing(moment: &Moment<'_>, outlines: &Outlines<'_>) -> Option<Meeting> {
    let [a, b] = outlines;
    let side = |owner: Which, line: [usize; 2], vertex: usize| {
        let point = outlines[owner.other() as usize].point(vertex);
        moment.side(owner, chord(outlines[owner as usize], line), point)
    };
    let edges = |outline: &Outline| -> Vec<[usize; 2]> {
        (0..outline.vertices().len()).map(|i| [i, outline.next(i)]).filter(|[i, j]| i != j).collect()
    };
    let edges_b = edges(b);
    for ends_a in edges(a) {
        for &ends_b in &edges_b {
            let of_b = ends_b.map(|vertex| side(Which::A, ends_a, vertex));
            if (of_b[0] * of_b[1]).is_negative() {
                let of_a = ends_a.map(|vertex| side(Which::B, ends_b, vertex));
                if (of_a[0] * of_a[1]).is_negative() {
                    return oriented(ends_a, ends_b, moment, outlines);
                }
            }
        }
    }
    None
}

/// The same chords in the directions that the conditions want.
fn oriented(a: [usize; 2], b: [usize; 2], moment: &Moment<'_>, outlines: &Outlines<'_>) -> Option<Meeting> {
    let turned = |[from, to]: [usize; 2]| [to, from];
    let all = [(a, b), (turned(a), b)];
    let holds = |meeting: &Meeting| {
        let mut conditions = Vec::with_capacity(4);
        meeting.conditions(outlines, &mut conditions);
        conditions.iter().all(|condition| condition.is_met(moment))
    };
    all.into_iter().map(|(a, b)| Meeting::Chords { a, b }).find(holds)
}
