//! How long the plane along two edges, one of each convex body, separates the bodies, for sure.
//!
//! The plane turns with both edges, so near a contact of edges it is the one that separates longest. It does so while the volume
//! between the edges keeps its sign, and while each body stays on its side of the edge: while its two faces there do.

use super::fall::{Bounds, Fall, reaching_zero};
use super::motion::At;
use super::plane::{Hold, MovingBody, U};
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
    /// From the edge into its faces, if it has any.
    into: [DVec3; 2],
    has_faces: bool,
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
    /// Of the product of the edges, for that.
    sign: f64,
    /// Where on their edges the lines of the edges are nearest, from zero to one; anything for parallel edges.
    shares: [f64; 2],
}

impl<'a> MovingBody<'a> {
    #[inline]
    fn edge(&self, [from, to]: [u32; 2], at: &At) -> Edge {
        let polytope = self.map.polytope();
        let start = self.map.vertex(from);
        let vector = |v: u32| at.pose.apply_vector(self.map.vertex(v) - start);
        let along = vector(to);
        let [before, after] = around(polytope.neighbours(from as usize), to);
        Edge {
            from: at.pose.apply(start),
            along,
            length: along.length() * (1.0 + 1e-9),
            into: [vector(before), vector(after)],
            has_faces: before != to,
            turned: at.off.rotation + 8.0 * U,
        }
    }
}

/// The neighbours before and after one, in their cyclic order; that one itself if there is no other.
#[inline]
fn around(neighbours: &[u32], vertex: u32) -> [u32; 2] {
    let count = neighbours.len();
    match neighbours.iter().position(|&v| v == vertex) {
        Some(i) => [neighbours[(i + count - 1) % count], neighbours[(i + 1) % count]],
        None => [vertex; 2],
    }
}

impl<'a, 'b> Crossing<'a, 'b> {
    #[inline]
    pub fn new([a, b]: [&'b MovingBody<'a>; 2], at: [&'b At; 2], names: Edges) -> Crossing<'a, 'b> {
        // Filled in where it is: edges are large.
        let edges = [a.edge(names.a, at[0]), b.edge(names.b, at[1])];
        let mut crossing = Crossing { a, b, at, edges, normal: DVec3::ZERO, sign: 1.0, shares: [0.0; 2] };
        let [Edge { from: x, along: u, .. }, Edge { from: y, along: w, .. }] = &crossing.edges;
        let (between, normal) = (y - x, u.cross(*w));
        let scale = normal.length_squared().recip();
        crossing.shares = [between.cross(*w).dot(normal) * scale, between.cross(*u).dot(normal) * scale];
        crossing.sign = if normal.dot(between) < 0.0 { -1.0 } else { 1.0 };
        crossing.normal = crossing.sign * normal;
        crossing
    }

    /// Whether the points at which the lines of the edges are nearest are on the edges.
    pub fn lines_are_nearest_inside(&self) -> bool {
        self.shares.iter().all(|share| (0.0..=1.0).contains(share))
    }

    /// How long they keep the bodies apart, up to a horizon.
    ///
    /// With `u`, `w` along the edges and `d` from a point of one to a point of the other the volume is `d . (u x w)`, whichever
    /// points are taken: near ones give small bounds. Its third derivative is at most
    /// `|u| |w| (|d'''| + 3 |d''| r + 3 |d'| r^2 + |d| r^3)` with `r` the sum of both rates, because `|u'| <= r_a |u|` and so on;
    /// the second likewise.
    pub fn hold(&self, horizon: f64) -> Hold {
        let (a, b, [edge_a, edge_b]) = (self.a, self.b, &self.edges);
        if a.radius + b.radius > 0.0 {
            return Hold::NONE;
        }
        let [x, y] = self.feet();
        let (d, n) = (y - x, self.normal);
        let product = 1.01 * edge_a.length * edge_b.length;
        let rate = (a.mover.rate + b.mover.rate) * (1.0 + 1e-12);
        let size = d.length() * (1.0 + 1e-9);
        let turned = edge_a.turned + edge_b.turned;
        let numbers = x.abs().element_sum() + y.abs().element_sum() + a.map.reach() + b.map.reach();
        let off = a.off(self.at[0]) + b.off(self.at[1]) + 32.0 * U * numbers;
        let value = n.dot(d) - product * (off + size * (turned + 8.0 * U));
        if value.is_nan() || value <= 0.0 {
            return Hold::NONE;
        }
        let [first, second] = self.turning();
        let velocity = b.velocity(y, self.at[1]) - a.velocity(x, self.at[0]);
        let pull = b.pull(y, self.at[1]) - a.pull(x, self.at[0]);
        let fast = velocity.length() * (1.0 + 1e-9);
        let bends = (a.acceleration + b.acceleration) * (1.0 + 1e-12);
        let speed_error = a.speed_error(x, self.at[0], a.map.reach(), off)
            + b.speed_error(y, self.at[1], b.map.reach(), off)
            + (fast + size * rate) * (turned + 64.0 * U)
            + off * rate;
        let bend_error = 4.0 * rate * speed_error + bends * (turned + 64.0 * U);
        let fall = Fall {
            value,
            speed: n.dot(velocity) + d.dot(first) - product * speed_error,
            bend: n.dot(pull) + 2.0 * velocity.dot(first) + d.dot(second) - product * bend_error,
        };
        // Within the time that is to be expected bounds of the way are small.
        let (estimate, limit) = (fall.expected_end().min(horizon), fall.outlook(horizon));
        let fastest = fast + speed_error + bends * limit;
        let farthest = size + off + fastest * limit;
        let jolts = a.mover.rate * a.acceleration + b.mover.rate * b.acceleration;
        let bounds = Bounds {
            bend: product * (bends + rate * (2.0 * fastest + rate * farthest)),
            jerk: product * (jolts + rate * (3.0 * bends + rate * (3.0 * fastest + rate * farthest))),
        };
        let time = self.sides_hold(first, fall.sure_end(limit, &bounds), rate);
        // Also if a side ends it: it does so sooner and sooner, until another plane is asked for.
        Hold { time: time * (1.0 - 1e-12), estimate }
    }

    /// A point of each edge, about where they are nearest.
    fn feet(&self) -> [DVec3; 2] {
        let foot = |k: usize| {
            let (edge, share) = (&self.edges[k], self.shares[k]);
            // Also if it is not a number.
            if share > 0.0 { edge.from + edge.along * share.min(1.0) } else { edge.from }
        };
        [foot(0), foot(1)]
    }

    /// Derivatives of the normal, the first and the second.
    fn turning(&self) -> [DVec3; 2] {
        let [u, w] = self.edges.each_ref().map(|edge| edge.along);
        let [rate_a, rate_b] = [self.a.mover.omega, self.b.mover.omega];
        let w1 = rate_b.cross(w);
        let (mut first, mut second) = (u.cross(w1), u.cross(rate_b.cross(w1)));
        if self.a.mover.rate > 0.0 {
            let u1 = rate_a.cross(u);
            first += u1.cross(w);
            second += rate_a.cross(u1).cross(w) + 2.0 * u1.cross(w1);
        }
        [self.sign * first, self.sign * second]
    }

    /// How long both bodies stay on their sides of the plane, up to a time: until a face of an edge may turn into it.
    ///
    /// Seen from the body of the face only the edge of the other turns. A product with three vectors bends by at most the square of
    /// the rate times their lengths.
    fn sides_hold(&self, turning: DVec3, limit: f64, rate: f64) -> f64 {
        let mut time = limit;
        let product = 1.01 * self.edges[0].length * self.edges[1].length;
        let turned = self.edges[0].turned + self.edges[1].turned;
        for (body, edge, side) in [(self.a, &self.edges[0], -1.0), (self.b, &self.edges[1], 1.0)] {
            let seen_turning = turning - body.mover.omega.cross(self.normal);
            let count = if edge.has_faces { 2 } else { 0 };
            for into in &edge.into[..count] {
                let size = product * into.length() * (1.0 + 1e-9);
                let error = size * (turned + edge.turned + 64.0 * U);
                let (value, speed) = (
                    side * self.normal.dot(*into) - error,
                    side * seen_turning.dot(*into) - 2.0 * rate * error,
                );
                if value.is_nan() || value <= 0.0 {
                    return 0.0;
                }
                let bend = -size * rate * rate;
                // Concave, so positive in between if at both ends.
                if value + (speed + 0.5 * bend * time) * time < 0.0 {
                    time = time.min(reaching_zero(value, speed, bend));
                }
            }
        }
        time
    }

    /// Whether a point of B's edge is inside A for sure: within the tetrahedron of A's edge and its faces; and that point.
    pub fn meets(&self) -> Option<DVec3> {
        let [edge_a, edge_b] = &self.edges;
        let [f, g] = edge_a.into;
        // Nearest to the line of A's edge.
        let share = self.shares[1];
        let is_inside = share > 0.0 && share < 1.0;
        if !is_inside || !edge_a.has_faces {
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

#[cfg(test)]
mod tests {
    use super::super::motion::{Motion, Mover};
    use super::*;
    use crate::math::{Pose, Random, Screw, SteadyMotion};
    use crate::pair::Convex;
    use crate::shape::Polytope;

    /// Edges of cubes that rest, turn, or turn and drift: at all times of a hold the plane along both separates the cubes.
    #[test]
    fn edges_separate_for_as_long_as_they_are_told_to() {
        let mut random = Random::new(3);
        let corners = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) - 0.5);
        let cube = Convex::from_polytope(Polytope::hull(&corners.collect::<Vec<_>>()).unwrap());
        let edges: Vec<[u32; 2]> = cube.core().unwrap().polytope().edges().collect();
        let (mut held, mut ended, mut long) = (0, 0, 0);
        for case in 0..40_000 {
            let mut vector =
                || DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0));
            let (toward, gap) = (vector().normalize(), [1.7, 1.5, 1.3][case % 3]);
            let [size_a, size_b] = [case / 3 % 3, case / 9 % 3].map(|k| [0.0, 1.0, 5.0][k]);
            let motion = |axis: DVec3, size: f64, center: DVec3, drift: DVec3| match case / 27 % 2 {
                0 => Screw::new(axis, center, size, drift.x).map(Motion::Screw).unwrap(),
                _ => Motion::Steady(SteadyMotion::from_velocities(drift, axis * size, center).unwrap()),
            };
            let motion_a = motion(vector(), size_a, vector(), vector());
            let motion_b = motion(vector(), size_b, vector() + toward, vector() - toward);
            let from_a = Pose::from_axis_angle(vector(), 2.0, 0.1 * vector()).unwrap();
            let from_b = Pose::from_axis_angle(vector(), 2.0, toward * gap).unwrap();
            let movers = [Mover::new(&from_a, &motion_a), Mover::new(&from_b, &motion_b)];
            let bodies = movers.each_ref().map(|mover| MovingBody::new((&cube, mover)).unwrap());
            let start = 0.5 * random.unit();
            let mut pick = || edges[random.below(edges.len() as u64) as usize];
            let names = Edges { a: pick(), b: pick() };
            let at = |t: f64| movers.each_ref().map(|mover| mover.at(t).unwrap());
            let now = at(start);
            let crossing = Crossing::new(bodies.each_ref(), now.each_ref(), names);
            let Hold { time, estimate } = crossing.hold(1.0 - start);
            if time == 0.0 {
                continue;
            }
            for k in 0..=16 {
                let then = at(start + time * f64::from(k) / 16.0);
                let along =
                    |i: usize, [v, w]: [u32; 2]| bodies[i].place(w, &then[i]) - bodies[i].place(v, &then[i]);
                let n = crossing.sign * along(0, names.a).cross(along(1, names.b));
                let least = |i: usize, sign: f64| {
                    let all = (0..8).map(|v| sign * n.dot(bodies[i].place(v, &then[i])));
                    all.fold(f64::INFINITY, f64::min)
                };
                let height = least(1, 1.0) + least(0, -1.0);
                assert!(height > -1e-12, "{case}: {height} of {time} {estimate}");
            }
            held += 1;
            ended += usize::from(time < 0.9 * (1.0 - start));
            long += usize::from(time < 1.0 - start && time > 0.9 * estimate);
        }
        assert!(held > 500 && ended > 200 && long > 50, "{held} {ended} {long}");
    }
}
