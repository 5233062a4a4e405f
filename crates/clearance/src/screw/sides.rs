//! On which side of a triangle's plane corners stay during a window, in floats: what most pairs of triangles are rejected by.

use super::frame::Frame;
use crate::math::{Interval, Turn};
use glam::DVec3;

/// Slack of heights, relative to the sizes they are computed from, `2^-40`: places are rounded to some units in the last place,
/// and a height takes fewer than 40 roundings.
const SLACK: f64 = 1.0 / (1u64 << 40) as f64;

/// What that slack is times this is more than `16u`: a part of an arm that counts as a size.
const TURNED: f64 = 1.0 / (1u64 << 9) as f64;

/// The middle of a window of a screw, in floats.
pub(super) struct Middle<'a> {
    frame: &'a Frame,
    arm: [f64; 2],
    t: f64,
    half: f64,
    sin: f64,
    versine: f64,
}

/// A place in the middle of a window, and bounds of its motion in the window.
struct Passing {
    place: DVec3,
    velocity: DVec3,
    /// Of the acceleration, which is across the axis.
    acceleration: f64,
    /// Of all numbers that the place is computed from.
    size: f64,
}

/// A plane: a point of it and a vector across it, which is off by rounding of numbers of a size.
#[derive(Clone, Copy)]
struct Plane {
    point: DVec3,
    normal: DVec3,
    size: f64,
}

impl<'a> Middle<'a> {
    pub fn new(frame: &'a Frame, window: Interval) -> Middle<'a> {
        let t = window.middle();
        let turn = Turn::of(frame.angle * t);
        Middle {
            frame,
            arm: frame.arm.map(|x| x.middle()),
            t,
            half: 0.5 * window.width() * (1.0 + 1e-9) + f64::EPSILON,
            sin: turn.sin,
            versine: turn.versine,
        }
    }

    fn passing(&self, p: DVec3) -> Passing {
        let (x, y, angle) = (p.x + self.arm[0], p.y + self.arm[1], self.frame.angle);
        let change = DVec3::new(
            -(self.versine * x + self.sin * y),
            self.sin * x - self.versine * y,
            self.frame.shift * self.t,
        );
        // Sine and versine of large angles are off by 10u, whatever their size, and the angle by as much as it is large.
        let turned = (x.abs() + y.abs()) * TURNED * (1.0 + (angle * self.t).abs());
        let (x, y) = (x + change.x, y + change.y);
        Passing {
            place: p + change,
            velocity: DVec3::new(-angle * y, angle * x, self.frame.shift),
            acceleration: angle * angle * (x.abs() + y.abs()),
            size: p.abs().element_sum() + change.abs().element_sum() + turned,
        }
    }

    /// 1 if a place stays above a plane throughout the window, -1 if below, 0 if that is not proved.
    fn side(&self, passing: &Passing, plane: &Plane) -> i8 {
        let height = self.height(passing, plane);
        match height.reach() {
            reach if height.value > reach => 1,
            reach if height.value < -reach => -1,
            _ => 0,
        }
    }

    /// The height of a place over a plane.
    ///
    /// By Taylor's theorem: it changes by its speed, and at most half the acceleration across the plane, times the time.
    fn height(&self, passing: &Passing, plane: &Plane) -> Value {
        let bend = (plane.normal.x.abs() + plane.normal.y.abs()) * passing.acceleration;
        let fast = passing.velocity.abs().element_sum() + passing.acceleration;
        let size = passing.size + plane.point.abs().element_sum() + fast * self.half;
        Value {
            value: plane.normal.dot(passing.place - plane.point),
            speed: plane.normal.dot(passing.velocity),
            bend,
            slack: SLACK * (plane.size + plane.normal.abs().element_sum()) * size,
            half: self.half,
        }
    }

    /// The part of the window in which something may be zero, if any.
    fn narrowed(&self, value: &Value) -> Option<Middle<'a>> {
        let [from, to] = value.zeros()?;
        let window = Interval::new((self.t + from).next_down(), (self.t + to).next_up());
        Some(Middle::new(self.frame, window))
    }

    /// For each of three places that move: the side of the plane of a triangle that it stays on, or 0; and whether it may meet
    /// the triangle itself, which it does not if it stays beyond one of its sides.
    pub fn sides(&self, face: &[DVec3; 3], places: &[DVec3; 3]) -> ([i8; 3], [bool; 3]) {
        let edges: [DVec3; 3] = std::array::from_fn(|k| face[(k + 1) % 3] - face[k]);
        let normal = edges[0].cross(-edges[2]);
        // A sliver's normal is small, and off by rounding of the product of its edges all the same.
        let size = edges[0].abs().element_sum() * edges[2].abs().element_sum();
        let plane = Plane { point: face[0], normal, size };
        let mut may_meet = [false; 3];
        let over = std::array::from_fn(|i| {
            let passing = self.passing(places[i]);
            let side = self.side(&passing, &plane);
            // It is in the plane for a part of the window only.
            let there = if side == 0 { self.narrowed(&self.height(&passing, &plane)) } else { None };
            may_meet[i] = there.is_some_and(|there| {
                let passing = there.passing(places[i]);
                (0..3).all(|k| {
                    let beyond = edges[k].abs().element_sum();
                    let inward =
                        Plane { point: face[k], normal: normal.cross(edges[k]), size: size * beyond };
                    there.side(&passing, &inward) >= 0
                })
            });
            side
        });
        (over, may_meet)
    }

    /// The volume between an edge at rest and one that moves: while it keeps its sign, they share no plane.
    ///
    /// It is `d . (u x w)`. It changes at the rate of `d' . (u x w) + d . (u x w')`, and by a second derivative of at most
    /// `|d''| |u| |w| + 2 |d'| |u| |w'| + |d| |u| |w''|`, where a turn makes `|w'| <= angle |w|`. Sizes are sums of entries, which
    /// are not below lengths; those of `d` and `d'` grow within the window, too.
    fn volume(&self, [p, q]: [DVec3; 2], [from, to]: [&Passing; 2]) -> Value {
        let angle = self.frame.angle;
        let (u, w, d) = (q - p, to.place - from.place, from.place - p);
        let across = u.cross(w);
        let turning = DVec3::new(-angle * w.y, angle * w.x, 0.0);
        let (value, speed) = (d.dot(across), from.velocity.dot(across) + d.dot(u.cross(turning)));
        let [u, w, rate] = [u.abs().element_sum(), w.abs().element_sum(), angle.abs()];
        let fastest = from.velocity.abs().element_sum() + from.acceleration * self.half;
        let farthest = d.abs().element_sum() + fastest * self.half;
        let bend = u * w * (1.5 * from.acceleration + 2.0 * fastest * rate + farthest * rate * rate);
        let size = from.size + to.size + p.abs().element_sum() + q.abs().element_sum();
        // Edges are differences of rounded places: each is off by rounding of places.
        let slack = SLACK * ((u * w * size) + farthest * size * (u + w) + u * w * fastest * self.half);
        Value { value, speed, bend, slack, half: self.half }
    }

    /// Whether an edge at rest and one that moves share no point in the window: the volume between them keeps its sign, or while it
    /// may be zero they are apart along one of two directions in their common plane.
    pub fn keeps_edges_apart(&self, rests: [DVec3; 2], moves: [DVec3; 2]) -> bool {
        let [from, to] = moves.map(|p| self.passing(p));
        let volume = self.volume(rests, [&from, &to]);
        if volume.value.abs() > volume.reach() {
            return true;
        }
        let Some(there) = self.narrowed(&volume) else { return true };
        let [from, to] = moves.map(|p| there.passing(p));
        let (u, w) = (rests[1] - rests[0], to.place - from.place);
        let across = u.cross(w);
        [w.cross(across), u.cross(across)].into_iter().any(|m| there.are_apart(m, rests, [&from, &to]))
    }

    /// Whether edges are apart along a direction throughout the window: both ends of one beyond both of the other.
    fn are_apart(&self, m: DVec3, rests: [DVec3; 2], moves: [&Passing; 2]) -> bool {
        let over = |passing: &Passing, rest: DVec3| {
            let height = self.height(passing, &Plane { point: rest, normal: m, size: 0.0 });
            let reach = height.reach();
            [height.value - reach, height.value + reach]
        };
        let ranges = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(i, j)| over(moves[i], rests[j]));
        ranges.iter().all(|range| range[0] > 0.0) || ranges.iter().all(|range| range[1] < 0.0)
    }
}

/// A function of time about the middle of a window: its value and speed there, a bound of its second derivative, and the slack of
/// all this.
struct Value {
    value: f64,
    speed: f64,
    bend: f64,
    slack: f64,
    half: f64,
}

impl Value {
    /// How far it may be from its value in the middle.
    fn reach(&self) -> f64 {
        self.speed.abs() * self.half * (1.0 + 1e-9) + self.bent()
    }

    /// How far it may be from a straight line.
    fn bent(&self) -> f64 {
        0.5 * self.bend * self.half * self.half * (1.0 + 1e-9) + self.slack
    }

    /// Between which times from the middle it may be zero.
    fn zeros(&self) -> Option<[f64; 2]> {
        let (from, to) = ((-self.value - self.bent()) / self.speed, (-self.value + self.bent()) / self.speed);
        let (from, to) = (from.min(to), from.max(to));
        if !(from.is_finite() && to.is_finite()) {
            return Some([-self.half, self.half]);
        }
        let grown = 1e-12 * (from.abs() + to.abs());
        let (from, to) = ((from - grown).max(-self.half), (to + grown).min(self.half));
        (from <= to).then_some([from, to])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Pose, Random, Screw};
    use crate::screw::course::Turns;
    use crate::screw::primitive::{EdgeEdge, VertexFace, times};

    /// Places told to stay on a side are on it at every time of the window; most of those far away are told.
    #[test]
    fn places_stay_on_the_side_told() {
        let (mut random, mut told, mut edges) = (Random::new(1), 0, 0);
        for case in 0..4_000 {
            let mut vector =
                || DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0));
            let angle: f64 = [0.0, 1e-9, 1e-3, 1.0, -3.0][case % 5];
            let center = vector() * if angle == 0.0 { 1.0 } else { [1.0, 1.0 / angle.abs()][case / 5 % 2] };
            let screw = Screw::new(vector(), center, angle, vector().x).unwrap();
            let frame = Frame::new(&screw, DVec3::ZERO);
            let mut places = || [(); 3].map(|()| frame.place(&Pose::IDENTITY, vector()));
            let (face, moves) = (places(), places());
            let start = random.unit();
            let window = Interval::new(start, (start + random.unit() * 0.2).min(1.0));
            let [near, far] = [face, moves].map(|places| places.map(|p| p.middle()));
            let (found, may_meet) = Middle::new(&frame, window).sides(&near, &far);
            let apart = Middle::new(&frame, window).keeps_edges_apart([near[0], near[1]], [far[0], far[1]]);
            if apart {
                let pair = EdgeEdge::new(&frame, [face[0], face[1]], [moves[0], moves[1]]);
                let met = times(&pair.course, &Turns::new(frame.angle, window), |t| pair.containment(t));
                assert!(met.is_empty(), "{case}: edges {met:?}");
                edges += 1;
            }
            for (place, may_meet) in moves.iter().zip(may_meet) {
                let pair = VertexFace::new(&frame, *place, face);
                let met = times(&pair.course, &Turns::new(frame.angle, window), |t| pair.containment(t));
                assert!(may_meet || met.is_empty(), "{case}: {met:?}");
            }
            let normal = (face[1] - face[0]).cross(&(face[2] - face[0]));
            for (side, place) in found.into_iter().zip(moves) {
                for share in [0.0, 0.3, 0.5, 1.0] {
                    let t = window.lower() + share * (window.upper() - window.lower());
                    let t = Interval::point(t.min(window.upper()));
                    let height = normal.dot(&(frame.moved(&place, &frame.turn(t), t) - face[0]));
                    assert!(side != 1 || !height.is_negative(), "{case}");
                    assert!(side != -1 || !height.is_positive(), "{case}");
                }
                told += usize::from(side != 0);
            }
        }
        assert!(told > 6_000 && edges > 2_000, "{told} {edges}");
    }
}
