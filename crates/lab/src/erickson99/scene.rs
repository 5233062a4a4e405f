//! Shapes and motions: two bodies that pass each other at a known least distance.

use clearance::kinetic::{Motion, Shape};
use clearance::math::Random;
use clearance::planar::Polygon;
use glam::DVec2;
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

/// What moves past the polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    Point,
    Polygon,
}

/// How it moves, for `t` in `[0, 1]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// Along a straight line past a round polygon.
    Line,
    /// Along a parabola that bends away from it.
    Curve,
    /// Along eleven twelfths of a circle around it, as a rational translation.
    Orbit,
    /// Around it while turning: both polygons are rolled off.
    Roll,
    /// A regular polygon turns in place beside a tip that has as many edges as fit under one edge of the other.
    Tip,
    /// A regular polygon turns in place; many edges of the other have the last directions that a separating edge of the first goes through.
    Sweep,
    /// A regular polygon turns in place; many edges of the other have the directions between which an inner common tangent wavers.
    Waver,
    /// A line past a random polygon.
    RandomLine,
    /// A parabola of random bend past a random polygon.
    RandomCurve,
    /// A random polynomial translation of degree 6 past a random polygon.
    Wiggle,
    /// A random polynomial translation of degree 4 with a random rational turn.
    Tumble,
}

impl Path {
    /// Whether shapes and motion are those of the random family.
    pub fn is_random(self) -> bool {
        matches!(self, Path::RandomLine | Path::RandomCurve | Path::Wiggle | Path::Tumble)
    }
}

/// Two shapes and a motion of the second that is known up to the distance.
pub struct Scene {
    pub shapes: [Arc<Shape>; 2],
    /// The larger diameter.
    pub diameter: f64,
    course: Course,
}

enum Course {
    /// Along `along`, bending away; nearest to the polygon in the middle, where it is `s` beyond `through`.
    Bent { along: DVec2, through: DVec2, bend: f64 },
    /// Around the origin at `radius + s`; the body itself turns with this tangent of half its angle.
    Around { radius: f64, turn: [f64; 2] },
    /// Turns in place, `s` below `height`.
    Below { height: f64 },
    /// Coefficients in the directions across and along `away`; moved by `s` along it beyond touching.
    Free { across: Vec<f64>, away: Vec<f64>, turn: Vec<f64>, direction: DVec2 },
}

fn shape(points: &[DVec2]) -> Arc<Shape> {
    Arc::new(Shape::new(Polygon::hull(points).expect("points in range")))
}

/// Vertices on the unit circle, nearly regular.
fn round(n: usize, random: &mut Random) -> Vec<DVec2> {
    (0..n).map(|i| DVec2::from_angle(TAU * (i as f64 + random.range(0.0, 0.8)) / n as f64)).collect()
}

/// Vertices of a regular polygon, the first anywhere.
fn regular(n: usize, random: &mut Random) -> Vec<DVec2> {
    let start = random.range(0.0, TAU);
    (0..n).map(|i| DVec2::from_angle(start + TAU * i as f64 / n as f64)).collect()
}

/// Random vertices of a turned ellipse.
fn uneven(n: usize, random: &mut Random) -> Vec<DVec2> {
    let (aspect, axis) = (random.range(0.2, 1.0), DVec2::from_angle(random.range(0.0, TAU)));
    let mut vertex = || {
        let p = DVec2::from_angle(random.range(0.0, TAU));
        axis.rotate(DVec2::new(p.x, aspect * p.y))
    };
    (0..n).map(|_| vertex()).collect()
}

/// Vertices of a narrow arc of the unit circle about `-y`, and one far away.
fn tip(n: usize) -> Vec<DVec2> {
    let angle = |i: usize| -0.5 * PI + PI / n as f64 * (2.0 * i as f64 / (n - 2) as f64 - 1.0);
    (0..n - 1).map(|i| DVec2::from_angle(angle(i))).chain([DVec2::new(0.0, 1.0)]).collect()
}

/// How far below the first body a body turns in place at a distance, both of about unit radius.
const BELOW: f64 = 2.0;

/// Vertices of an arc of the unit circle that ends where an inner common tangent of two unit circles, `2 + s` apart, touches the upper one,
/// and one far away: what an edge of a regular polygon of as many vertices sweeps before its line meets the arc.
fn swept(n: usize, s: f64) -> Vec<DVec2> {
    let end = -0.5 * PI + (2.0 / (BELOW + s)).acos();
    let angle = |i: usize| end - TAU / n as f64 * i as f64 / (n - 2) as f64;
    (0..n - 1).map(|i| DVec2::from_angle(angle(i))).chain([-DVec2::from_angle(end)]).collect()
}

/// Vertices along a nearly straight arc where an inner common tangent of two unit circles, `2 + s` apart, touches the upper one, and one far
/// away. As a regular polygon turns within the lower circle its support changes by up to `1 - cos(pi/n)`, and the tangent's direction by
/// that over its length: the arc has most of these directions.
fn wavering(n: usize, s: f64) -> Vec<DVec2> {
    let between = BELOW + s;
    let lean = (2.0 / between).acos();
    let spread = (1.0 - (PI / n as f64).cos()) / (between * lean.sin());
    let length = 0.1;
    // Normals turn by a share of the spread along the arc.
    let middle = DVec2::from_angle(-0.5 * PI - lean);
    let along = middle.perp();
    let vertex = |i: usize| {
        let x = length * (2.0 * i as f64 / (n - 2) as f64 - 1.0);
        let turn = |x: f64| 0.5 * spread * (0.6 * x / length);
        // Height of an arc whose normal turns so.
        middle + x * along - 0.5 * x * turn(x) * middle
    };
    // A smaller support leans the tangent away from the axis.
    let tilted = |p: DVec2| middle + DVec2::from_angle(-0.5 * spread).rotate(p - middle);
    (0..n - 1).map(|i| tilted(vertex(i))).chain([-middle]).collect()
}

impl Scene {
    pub fn new(path: Path, mover: Mover, n: usize, seed: u64) -> Scene {
        let mut random = Random::new(seed);
        let polygon =
            |random: &mut Random| if path.is_random() { uneven(n, random) } else { round(n, random) };
        let still = polygon(&mut random);
        let moving = match mover {
            Mover::Point => vec![DVec2::ZERO],
            Mover::Polygon => polygon(&mut random),
        };
        let mut shapes = [shape(&still), shape(&moving)];
        if path == Path::Tip {
            shapes = [shape(&tip(n)), shape(&regular(n, &mut random))];
        }
        if path == Path::Waver {
            // At a tenth of the diameter, which hardly depends on it.
            let distance = 0.1 * shape(&wavering(n, 0.2)).polygon().diameter();
            shapes = [shape(&wavering(n, distance)), shape(&regular(n, &mut random))];
        }
        if path == Path::Sweep {
            shapes = [shape(&swept(n, 0.2)), shape(&regular(n, &mut random))];
        }
        let course = Course::new(path, &shapes, &mut random);
        let diameter = shapes[0].polygon().diameter().max(shapes[1].polygon().diameter());
        Scene { shapes, diameter, course }
    }

    /// The motion that comes as near as `s`, or to penetration by `-s`.
    pub fn motion(&self, s: f64) -> Motion {
        let moved = |x: &[f64], y: &[f64]| Motion::translation(x, y).expect("coefficients in range");
        let made = match &self.course {
            Course::Bent { along, through, bend } => {
                let away = along.perp();
                let nearest = *through + s * away;
                // Position `nearest + 8 (t - 1/2) along + bend (8 (t - 1/2))^2 away`.
                let coefficients = [
                    nearest - 4.0 * *along + 16.0 * bend * away,
                    8.0 * *along - 64.0 * bend * away,
                    64.0 * bend * away,
                ];
                return moved(&coefficients.map(|c| c.x), &coefficients.map(|c| c.y));
            }
            Course::Around { radius, turn } => {
                let around = Motion::half_angle(&[-8.0, 16.0]).expect("a turn");
                moved(&[radius + s], &[]).turning(turn).and_then(|it| it.carried_by(&around))
            }
            Course::Below { height } => moved(&[], &[height - s]).turning(&[-8.0, 16.0]),
            Course::Free { across, away, turn, direction } => {
                let aside = DVec2::new(direction.y, -direction.x);
                let mut coefficients: Vec<DVec2> =
                    across.iter().zip(away).map(|(&x, &y)| x * aside + y * *direction).collect();
                coefficients[0] += s * *direction;
                let [x, y] = [0, 1].map(|i| coefficients.iter().map(|c| c[i]).collect::<Vec<f64>>());
                if turn.is_empty() {
                    return moved(&x, &y);
                }
                moved(&x, &y).turning(turn)
            }
        };
        made.expect("few steps")
    }

    /// The least distance of that motion: `s` itself where it is known, else the least of many, to rounding.
    pub fn least_distance(&self, s: f64) -> f64 {
        let Course::Free { turn, .. } = &self.course else { return s };
        let motion = self.motion(s);
        let fixed = turn.is_empty().then(|| sum(&self.shapes, &motion, 0.0));
        least(|t| {
            let origin = motion.position_near(DVec2::ZERO, t);
            match &fixed {
                Some(sum) => distance(sum, origin),
                None => distance(&sum(&self.shapes, &motion, t), origin),
            }
        })
        .1
    }
}

impl Course {
    fn new(path: Path, shapes: &[Arc<Shape>; 2], random: &mut Random) -> Course {
        let along = DVec2::from_angle(random.range(0.0, TAU));
        let bent = |bend: f64| {
            let [a, b] = shapes.each_ref().map(|shape| shape.polygon());
            let away = along.perp();
            let through = a.vertices()[a.support(away)] - b.vertices()[b.support(-away)];
            Course::Bent { along, through, bend }
        };
        match path {
            Path::Line | Path::RandomLine => bent(0.0),
            Path::Curve => bent(0.25),
            Path::RandomCurve => bent(random.range(0.0, 1.0)),
            Path::Orbit | Path::Roll => {
                let farthest = |points: Vec<DVec2>| points.iter().map(|p| p.length()).fold(0.0, f64::max);
                match path {
                    Path::Orbit => {
                        let radius = farthest(sum(shapes, &Motion::still(), 0.0));
                        Course::Around { radius, turn: [8.0, -16.0] }
                    }
                    _ => {
                        let radii = shapes.each_ref().map(|it| farthest(it.polygon().vertices().to_vec()));
                        let turn = random.range(2.0, 4.0);
                        Course::Around { radius: radii[0] + radii[1], turn: [-0.5 * turn, turn] }
                    }
                }
            }
            Path::Tip | Path::Sweep | Path::Waver => Course::Below { height: -BELOW },
            Path::Wiggle => free(shapes, 6, false, along, random),
            Path::Tumble => free(shapes, 4, true, along, random),
        }
    }
}

/// A random polynomial motion, pushed along `direction` until it only touches.
fn free(
    shapes: &[Arc<Shape>; 2],
    degree: usize,
    turns: bool,
    direction: DVec2,
    random: &mut Random,
) -> Course {
    let mut series = |scale: f64| {
        let weights: Vec<f64> =
            (0..=degree).map(|k| scale * random.range(-1.0, 1.0) / (1.0 + k as f64)).collect();
        from_chebyshev(&weights)
    };
    let (mut across, mut away) = (series(2.0), series(1.0));
    // From one side to the other, so that it passes over the polygon: the constant goes, and the linear part is large.
    across[0] = -3.0 - 0.5 * across[1..].iter().sum::<f64>();
    across[1] += 6.0;
    let turn = if turns {
        vec![random.range(-2.0, 2.0), random.range(-3.0, 3.0), random.range(-2.0, 2.0)]
    } else {
        vec![]
    };
    let scene = |away: &[f64]| Scene {
        shapes: shapes.clone(),
        diameter: 1.0,
        course: Course::Free { across: across.clone(), away: away.to_vec(), turn: turn.clone(), direction },
    };
    let motion = scene(&away).motion(0.0);
    let fixed = (!turns).then(|| sum(shapes, &motion, 0.0));
    let spare = least(|t| {
        let origin = motion.position_near(DVec2::ZERO, t);
        match &fixed {
            Some(sum) => room(sum, origin, direction),
            None => room(&sum(shapes, &motion, t), origin, direction),
        }
    });
    away[0] -= spare.1;
    Course::Free { across, away, turn, direction }
}

/// Coefficients in powers of `t` of a sum of Chebyshev polynomials of `2 t - 1`.
fn from_chebyshev(weights: &[f64]) -> Vec<f64> {
    let mut all = vec![vec![1.0], vec![-1.0, 2.0]];
    while all.len() < weights.len() {
        let (last, before) = (&all[all.len() - 1], &all[all.len() - 2]);
        let mut next = vec![0.0; last.len() + 1];
        for (k, c) in last.iter().enumerate() {
            next[k] -= 2.0 * c;
            next[k + 1] += 4.0 * c;
        }
        for (k, c) in before.iter().enumerate() {
            next[k] -= c;
        }
        all.push(next);
    }
    let mut total = vec![0.0; weights.len()];
    for (weight, polynomial) in weights.iter().zip(&all) {
        for (sum, c) in total.iter_mut().zip(polynomial) {
            *sum += weight * c;
        }
    }
    total
}

/// Where a function of `[0, 1]` is least, and its value there: the best of 200, refined between its neighbours.
fn least(f: impl Fn(f64) -> f64) -> (f64, f64) {
    const PARTS: usize = 200;
    let at = |i: usize| i as f64 / PARTS as f64;
    let values: Vec<f64> = (0..=PARTS).map(|i| f(at(i))).collect();
    let best = (0..=PARTS).min_by(|&i, &j| values[i].total_cmp(&values[j])).unwrap_or(0);
    let (mut low, mut high) = (at(best.saturating_sub(1)), at((best + 1).min(PARTS)));
    let mut found = (at(best), values[best]);
    for _ in 0..40 {
        let [left, right] = [0.382, 0.618].map(|share| low + share * (high - low));
        let [l, r] = [left, right].map(&f);
        for (t, value) in [(left, l), (right, r)] {
            if value < found.1 {
                found = (t, value);
            }
        }
        if l < r { high = right } else { low = left }
    }
    found
}

/// The Minkowski sum of the first polygon and the second one, turned as at `t` and reflected; counter-clockwise, in floats.
fn sum(shapes: &[Arc<Shape>; 2], motion: &Motion, t: f64) -> Vec<DVec2> {
    let turn = motion.position_near(DVec2::X, t) - motion.position_near(DVec2::ZERO, t);
    let from_lowest = |mut points: Vec<DVec2>| {
        let lowest = (0..points.len())
            .min_by(|&i, &j| points[i].y.total_cmp(&points[j].y).then(points[i].x.total_cmp(&points[j].x)));
        points.rotate_left(lowest.unwrap_or(0));
        points
    };
    let a = from_lowest(shapes[0].polygon().vertices().to_vec());
    let b = from_lowest(shapes[1].polygon().vertices().iter().map(|&p| -turn.rotate(p)).collect());
    let edge = |points: &[DVec2], i: usize| points[(i + 1) % points.len()] - points[i % points.len()];
    let (mut i, mut j) = (0, 0);
    let mut all = Vec::with_capacity(a.len() + b.len());
    while i < a.len() || j < b.len() {
        all.push(a[i % a.len()] + b[j % b.len()]);
        let cross = edge(&a, i).perp_dot(edge(&b, j));
        if j >= b.len() || b.len() == 1 || (i < a.len() && cross > 0.0) {
            i += 1;
            if b.len() == 1 && i >= a.len() {
                break;
            }
        } else {
            j += 1;
        }
    }
    all
}

/// The distance of two shapes, the second moved, at a time.
pub fn gap(shapes: &[Arc<Shape>; 2], motion: &Motion, t: f64) -> f64 {
    distance(&sum(shapes, motion, t), motion.position_near(DVec2::ZERO, t))
}

/// The distance of a point outside a convex polygon.
pub fn distance(polygon: &[DVec2], p: DVec2) -> f64 {
    let to_edge = |(i, &from): (usize, &DVec2)| {
        let edge = polygon[(i + 1) % polygon.len()] - from;
        let share = ((p - from).dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
        if share.is_nan() { p.distance_squared(from) } else { p.distance_squared(from + share * edge) }
    };
    polygon.iter().enumerate().map(to_edge).fold(f64::INFINITY, f64::min).sqrt()
}

/// How far a point may move against `direction` until it enters a convex polygon: infinite if it never does, negative inside.
fn room(polygon: &[DVec2], p: DVec2, direction: DVec2) -> f64 {
    let aside = DVec2::new(direction.y, -direction.x);
    let mut top = f64::NEG_INFINITY;
    for (i, &from) in polygon.iter().enumerate() {
        let to = polygon[(i + 1) % polygon.len()];
        let [x, y, at] = [from, to, p].map(|q| q.dot(aside));
        if (x - at) * (y - at) <= 0.0 && x != y {
            top = top.max(from.lerp(to, (at - x) / (y - x)).dot(direction));
        }
    }
    p.dot(direction) - top
}
