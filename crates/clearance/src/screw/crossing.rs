//! How long the plane along two edges, one of each convex body, separates the bodies, for sure.
//!
//! The plane turns with both edges, so near a contact of edges it is the one that separates longest. It does so while the volume
//! between the edges keeps its sign, and while each body stays on its side of the edge: while its two faces there do.

use super::motion::At;
use super::plane::{Hold, MovingBody, U, reaching_zero};
use glam::DVec3;

/// Two edges by their vertices: those of A, then those of B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edges {
    pub a: [u32; 2],
    pub b: [u32; 2],
}

/// An edge in the world, and vertices of the two faces there.
struct Edge {
    from: DVec3,
    along: DVec3,
    length: f64,
    /// From the edge into its faces; `None` where it has none.
    into: [Option<DVec3>; 2],
    /// How far `along` and `into` are off, relative to their lengths.
    turned: f64,
}

/// Two edges at a time.
pub(super) struct Crossing<'a, 'b> {
    a: &'b MovingBody<'a>,
    b: &'b MovingBody<'a>,
    at: [&'b At; 2],
    edges: [Edge; 2],
    /// Across both edges, from A to B; not of unit length.
    pub normal: DVec3,
    /// From the start of A's edge to that of B's.
    between: DVec3,
}

impl<'a> MovingBody<'a> {
    fn edge(&self, [from, to]: [u32; 2], at: &At) -> Edge {
        let polytope = self.map.polytope();
        let start = self.map.vertex(from);
        let vector = |v: u32| at.pose.apply_vector(self.map.vertex(v) - start);
        let along = vector(to);
        let [before, after] = around(polytope.neighbours(from as usize), to);
        let into = |v: u32| (v != to).then(|| vector(v));
        Edge {
            from: at.pose.apply(start),
            along,
            length: along.length() * (1.0 + 1e-9),
            into: [into(before), into(after)],
            turned: at.off.rotation + 8.0 * U,
        }
    }
}

/// The neighbours before and after one, in their cyclic order.
fn around(neighbours: &[u32], vertex: u32) -> [u32; 2] {
    let count = neighbours.len();
    match neighbours.iter().position(|&v| v == vertex) {
        Some(i) => [neighbours[(i + count - 1) % count], neighbours[(i + 1) % count]],
        None => [vertex; 2],
    }
}

impl<'a, 'b> Crossing<'a, 'b> {
    pub fn new([a, b]: [&'b MovingBody<'a>; 2], at: [&'b At; 2], names: Edges) -> Crossing<'a, 'b> {
        let edges = [a.edge(names.a, at[0]), b.edge(names.b, at[1])];
        let between = edges[1].from - edges[0].from;
        let normal = edges[0].along.cross(edges[1].along);
        let normal = if normal.dot(between) < 0.0 { -normal } else { normal };
        Crossing { a, b, at, edges, normal, between }
    }

    /// How long they keep the bodies apart, up to a horizon.
    ///
    /// With `u`, `w` along the edges and `d` between them the volume is `d . (u x w)`. Its second derivative is at most
    /// `|u| |w| (|d''| + 2 |d'| r + |d| r^2)` with `r` the sum of both rates, because `|u'| <= r_a |u|` and so on.
    pub fn hold(&self, horizon: f64) -> Hold {
        let (a, b, [edge_a, edge_b]) = (self.a, self.b, &self.edges);
        if a.radius + b.radius > 0.0 {
            return Hold::NONE;
        }
        let (d, n) = (self.between, self.normal);
        let product = edge_a.length * edge_b.length;
        let rate = (a.mover.rate + b.mover.rate) * (1.0 + 1e-12);
        let size = d.length() * (1.0 + 1e-9);
        let turned = edge_a.turned + edge_b.turned;
        let numbers =
            edge_a.from.abs().element_sum() + edge_b.from.abs().element_sum() + a.map.reach() + b.map.reach();
        let off = a.off(self.at[0]) + b.off(self.at[1]) + 16.0 * U * numbers;
        let volume = n.dot(d) - 1.01 * product * (off + size * (turned + 8.0 * U));
        if volume.is_nan() || volume <= 0.0 {
            return Hold::NONE;
        }
        let sides = self.sides_hold(product, turned, rate);
        if sides <= 0.0 {
            return Hold::NONE;
        }
        let velocity = b.velocity(edge_b.from, self.at[1]) - a.velocity(edge_a.from, self.at[0]);
        let sign = if n.dot(edge_a.along.cross(edge_b.along)) < 0.0 { -1.0 } else { 1.0 };
        let turning = a.mover.omega.cross(edge_a.along).cross(edge_b.along)
            + edge_a.along.cross(b.mover.omega.cross(edge_b.along));
        let fast = velocity.length() * (1.0 + 1e-9);
        let speed_error = a.speed_error(edge_a.from, self.at[0], a.map.reach(), off)
            + b.speed_error(edge_b.from, self.at[1], b.map.reach(), off)
            + (fast + size * rate) * (turned + 64.0 * U)
            + off * rate;
        let speed = n.dot(velocity) + sign * d.dot(turning) - 1.01 * product * speed_error;
        // Within the time that is to be expected bounds of the way are small.
        let estimate = if speed < 0.0 { volume / -speed } else { f64::INFINITY };
        let expected = estimate.min(horizon);
        let horizon = horizon.min(sides).min(2.0 * estimate);
        let bends = (a.acceleration + b.acceleration) * (1.0 + 1e-12);
        let fastest = fast + speed_error + bends * horizon;
        let farthest = size + off + fastest * horizon;
        let acceleration = 1.01 * product * (bends + 2.0 * fastest * rate + farthest * rate * rate);
        let time = horizon.min(reaching_zero(volume, speed, acceleration));
        // Also if a side ends it: it does so sooner and sooner, until another plane is asked for.
        Hold { time: time * (1.0 - 1e-12), estimate: expected }
    }

    /// Whether the points at which the lines of the edges are nearest are on the edges.
    pub fn lines_are_nearest_inside(&self) -> bool {
        let ([u, w], n) = (self.edges.each_ref().map(|edge| edge.along), self.normal);
        let whole = n.length_squared();
        let is_share = |part: f64| part >= 0.0 && part <= whole;
        let upright = if u.cross(w).dot(n) < 0.0 { -n } else { n };
        is_share(self.between.cross(w).dot(upright)) && is_share(self.between.cross(u).dot(upright))
    }

    /// How long both bodies stay on their sides of the plane: until a face of an edge may turn into it.
    fn sides_hold(&self, product: f64, turned: f64, rate: f64) -> f64 {
        let mut time = f64::INFINITY;
        for (edge, side) in self.edges.iter().zip([-1.0, 1.0]) {
            for into in edge.into.into_iter().flatten() {
                let size = product * into.length() * (1.0 + 1e-9);
                let margin = side * self.normal.dot(into) - 1.01 * size * (turned + edge.turned + 16.0 * U);
                if margin.is_nan() || margin <= 0.0 {
                    return 0.0;
                }
                time = time.min(margin / (size * rate));
            }
        }
        time
    }

    /// Whether a point of B's edge is inside A for sure: within the tetrahedron of A's edge and its faces; and that point.
    pub fn meets(&self) -> Option<DVec3> {
        let [edge_a, edge_b] = &self.edges;
        let [Some(f), Some(g)] = edge_a.into else { return None };
        // Nearest to the line of A's edge.
        let normal = edge_a.along.cross(edge_b.along);
        let share = self.between.cross(edge_a.along).dot(normal) / normal.length_squared();
        let is_inside = share > 0.0 && share < 1.0;
        if !is_inside {
            return None;
        }
        let place = edge_b.from + edge_b.along * share;
        let x = place - edge_a.from;
        let u = edge_a.along;
        let numbers = edge_a.from.abs().element_sum()
            + edge_b.from.abs().element_sum()
            + self.a.map.reach()
            + self.b.map.reach();
        let off = 1.01 * (self.a.off(self.at[0]) + self.b.off(self.at[1]) + 32.0 * U * numbers);
        is_in_tetrahedron(x, [u, f, g], off, edge_a.turned).then_some(place)
    }
}

/// Whether a point that is off by at most `off` is inside the tetrahedron of zero and three vectors, which are off by `turned`
/// of their lengths.
///
/// `x = (alpha u + beta f + gamma g) / det(u, f, g)` with `alpha = det(x, f, g)` and so on: none is negative, and their sum is
/// at most the whole.
fn is_in_tetrahedron(x: DVec3, [u, f, g]: [DVec3; 3], off: f64, turned: f64) -> bool {
    let (whole, shares) = (u.dot(f.cross(g)), [x.dot(f.cross(g)), u.dot(x.cross(g)), u.dot(f.cross(x))]);
    let [lu, lf, lg] = [u, f, g].map(|v| v.length() * (1.0 + 1e-9));
    let size = x.length() * (1.0 + 1e-9) + off;
    let relative = 3.0 * turned + 16.0 * U;
    let errors = [lf * lg, lu * lg, lu * lf].map(|area| 1.01 * area * (off + size * relative));
    let sign = if whole < 0.0 { -1.0 } else { 1.0 };
    let total: f64 = shares.iter().sum();
    let slack = errors.iter().sum::<f64>() + 1.01 * lu * lf * lg * relative;
    shares.iter().zip(errors).all(|(share, error)| sign * share > error) && sign * (whole - total) > slack
}
