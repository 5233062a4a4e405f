//! Cuts toward regularly spaced points of a far circle [Erickson99 §3.2].

use super::boomerang::Hierarchy;
use super::build::{Cut, OpenCorner, Strategy};
use crate::exact::Sign;
use crate::planar::{Line, Point, Polygon, sign};
use glam::DVec2;
use std::f64::consts::TAU;

impl Hierarchy {
    /// The Dudley hierarchy of a polygon with `n` edges. `O(n log n)`.
    ///
    /// Each of `n` regular points on a circle of radius `2D` about a point of the polygon has a nearest point on the polygon. At
    /// a vertex this gives an edge of length zero there, its outer normal toward the far point; inside an edge it makes the edge
    /// count once more. Every corner is then cut through its median edge. At most `ceil(log2 2n)` levels, and the height of a
    /// level-`i` boomerang is `O(D / 4^i)`.
    ///
    /// Differs from the paper: 1. The outer normal is `x - n(x)`. 2. Points of the circle are floats about an exact centre,
    /// regular to rounding, and normals are rounded to floats where that keeps their order; both are then taken as exact.
    pub fn dudley(polygon: Polygon) -> Hierarchy {
        let dudley = Dudley { at: far_points(&polygon) };
        Hierarchy::build(polygon, &dudley, 0)
    }
}

/// What the far points give at a vertex and on the edge after it.
#[derive(Clone, Debug, Default)]
struct Around {
    /// Lines through the vertex, counter-clockwise, strictly between the directions of its edges.
    lines: Vec<Line>,
    /// How often the edge counts beyond once.
    splits: usize,
}

struct Dudley {
    at: Vec<Around>,
}

/// An edge of a corner: an edge of the polygon, or a line through a vertex.
#[derive(Clone, Copy, Debug)]
enum Item {
    Edge(usize),
    AtVertex(usize, usize),
}

impl Strategy for Dudley {
    /// The edges strictly inside the corner, counter-clockwise, those of the polygon as often as they count.
    type State = Vec<Item>;

    fn root(&self, quarter: usize, polygon: &Polygon, corner: OpenCorner) -> Vec<Item> {
        let n = polygon.vertices().len();
        let is_inside = |line: &Line| {
            let signs = (sign(line.a()), sign(line.b()));
            use Sign::{Negative, Positive};
            let own = match signs {
                (Positive, Positive) => 0,
                (Negative, Positive) => 1,
                (Negative, Negative) => 2,
                (Positive, Negative) => 3,
                _ => 4,
            };
            own == quarter
        };
        let mut items = Vec::new();
        for vertex in corner.first..=corner.last {
            let v = vertex % n;
            let lines = self.at[v].lines.iter().enumerate().filter(|(_, line)| is_inside(line));
            items.extend(lines.map(|(k, _)| Item::AtVertex(v, k)));
            if vertex < corner.last {
                items.extend(std::iter::repeat_n(Item::Edge(v), 1 + self.at[v].splits));
            }
        }
        items
    }

    fn cut(&self, polygon: &Polygon, _corner: OpenCorner, items: Vec<Item>) -> Option<(Cut, [Vec<Item>; 2])> {
        let middle = items.len() / 2;
        match *items.get(middle)? {
            Item::Edge(edge) => {
                let is_edge = |item: &Item| matches!(item, Item::Edge(other) if *other == edge);
                let first = items.iter().position(is_edge).unwrap_or(middle);
                let after = first + items[first..].iter().take_while(|item| is_edge(item)).count();
                let cut = Cut { line: polygon.edges()[edge].clone(), contact: [edge, polygon.next(edge)] };
                Some((cut, [items[..first].to_vec(), items[after..].to_vec()]))
            }
            Item::AtVertex(vertex, k) => {
                let cut = Cut { line: self.at[vertex].lines[k].clone(), contact: [vertex, vertex] };
                Some((cut, [items[..middle].to_vec(), items[middle + 1..].to_vec()]))
            }
        }
    }
}

/// For each vertex, the lines that far points give there and on the edge after it. `O(n)`: as the far point goes around, so
/// does the nearest one.
fn far_points(polygon: &Polygon) -> Vec<Around> {
    let n = polygon.vertices().len();
    let mut around = vec![Around::default(); n];
    if n == 1 {
        return around;
    }
    let radius = 2.0 * polygon.diameter();
    let far_vertex = polygon.support(DVec2::X);
    let centre = polygon.points()[0].middle(&polygon.points()[far_vertex]);
    let mut feature = 0;
    for k in 0..n {
        let angle = crate::math::sin_cos(TAU * k as f64 / n as f64);
        let offset = radius * DVec2::new(angle.cos.middle(), angle.sin.middle());
        let x = centre.plus(&Point::from(offset));
        // Each far point has a nearest feature, and every feature is tried once around.
        for _ in 0..2 * n {
            if is_nearest(polygon, feature, &x) {
                break;
            }
            feature = (feature + 1) % (2 * n);
        }
        let vertex = feature / 2;
        if feature % 2 == 1 {
            around[vertex].splits += 1;
        } else {
            add_line(polygon, vertex, &x, &mut around);
        }
    }
    around
}

/// Whether the nearest point of the polygon to a point outside is a vertex (`feature = 2 i`), or inside an edge (`2 i + 1`).
fn is_nearest(polygon: &Polygon, feature: usize, x: &Point) -> bool {
    let points = polygon.points();
    let vertex = feature / 2;
    let along = |from: usize, to: usize| sign(&x.minus(&points[from]).dot(&points[to].minus(&points[from])));
    let next = polygon.next(vertex);
    if feature % 2 == 1 {
        along(vertex, next).is_positive()
            && along(next, vertex).is_positive()
            && polygon.edges()[vertex].side(x).is_positive()
    } else {
        !along(vertex, next).is_positive() && !along(vertex, polygon.previous(vertex)).is_positive()
    }
}

/// Adds the line through a vertex whose outer normal points to a far point. One along an edge counts that edge instead.
fn add_line(polygon: &Polygon, vertex: usize, x: &Point, around: &mut [Around]) {
    let at = &polygon.points()[vertex];
    let before = polygon.previous(vertex);
    let [edge_before, edge_after] = [before, vertex].map(|edge| &polygon.edges()[edge]);
    let normal = x.minus(at);
    let exact = Line::at(normal.x().clone(), normal.y().clone(), at);
    // The two edges of a segment are parallel: a normal in between turns left of the first one all the same.
    if exact.turn(edge_before).is_zero() && turns_alike(&exact, edge_before) {
        around[before].splits += 1;
        return;
    }
    if exact.turn(edge_after).is_zero() && turns_alike(&exact, edge_after) {
        around[vertex].splits += 1;
        return;
    }
    let rounded = Line::with_normal(normal.near(), at);
    let lines = &mut around[vertex].lines;
    // Far points come counter-clockwise, but the first vertex may be met again at the end of the round.
    let place = lines.partition_point(|line| line.turn(&exact).is_positive());
    let neighbours = [
        if place == 0 { edge_before } else { &lines[place - 1] },
        if place == lines.len() { edge_after } else { &lines[place] },
    ];
    let keeps_order = neighbours[0].turn(&rounded).is_positive() && rounded.turn(neighbours[1]).is_positive();
    lines.insert(place, if keeps_order { rounded } else { exact });
}

/// Whether parallel normals have the same sense.
fn turns_alike(a: &Line, b: &Line) -> bool {
    sign(&(a.a() * b.a() + a.b() * b.b())).is_positive()
}
