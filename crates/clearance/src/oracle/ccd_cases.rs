//! Moving features that are hostile to continuous collision detection.

use super::cases::nudge;
use crate::ccd::{ContactTime, MovingPoint, edge_edge, vertex_face};
use crate::math::Random;
use glam::DVec3;

/// Which two features four vertices are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A vertex, then the corners of a triangle.
    VertexFace,
    /// The ends of an edge, then those of another.
    EdgeEdge,
}

/// Two features whose vertices move on straight lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Case {
    /// Which features.
    pub kind: Kind,
    /// The vertices at time 0.
    pub start: [DVec3; 4],
    /// The vertices at time 1.
    pub end: [DVec3; 4],
}

impl Case {
    /// The answer of the fast code.
    pub fn ask(&self) -> Option<ContactTime> {
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| MovingPoint { start: self.start[i], end: self.end[i] });
        let answer = match self.kind {
            Kind::VertexFace => vertex_face(a, [b, c, d]),
            Kind::EdgeEdge => edge_edge([a, b], [c, d]),
        };
        answer.expect("coordinates within the limits")
    }

    /// The same features with their vertices, or both edges, in another order.
    pub fn renamed(&self) -> Vec<Case> {
        let orders: &[[usize; 4]] = match self.kind {
            Kind::VertexFace => &[[0, 2, 3, 1], [0, 3, 1, 2], [0, 1, 3, 2], [0, 2, 1, 3], [0, 3, 2, 1]],
            Kind::EdgeEdge => &[[1, 0, 2, 3], [0, 1, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]],
        };
        let renamed = |order: &[usize; 4]| Case {
            kind: self.kind,
            start: order.map(|i| self.start[i]),
            end: order.map(|i| self.end[i]),
        };
        orders.iter().map(renamed).collect()
    }

    /// From the end to the start.
    pub fn backwards(&self) -> Case {
        Case { kind: self.kind, start: self.end, end: self.start }
    }

    fn changed(self, mut change: impl FnMut(DVec3) -> DVec3) -> Case {
        Case { kind: self.kind, start: self.start.map(&mut change), end: self.end.map(&mut change) }
    }
}

fn whole(random: &mut Random, largest: u64) -> f64 {
    random.below(2 * largest + 1) as f64 - largest as f64
}

fn whole_point(random: &mut Random, largest: u64) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| whole(random, largest)))
}

fn four(mut point: impl FnMut() -> DVec3) -> [DVec3; 4] {
    std::array::from_fn(|_| point())
}

/// A case of a random family, moved, scaled or disturbed in ways that keep what is exact exact, or by single units in the
/// last place.
pub fn random_case(random: &mut Random) -> Case {
    let kind = if random.below(2) == 0 { Kind::VertexFace } else { Kind::EdgeEdge };
    let [start, end] = match random.below(10) {
        0 => uniform(random),
        1 => [2, 2].map(|largest| four(|| whole_point(random, largest))),
        2 => [1, 1].map(|largest| four(|| whole_point(random, largest))),
        3 => in_a_plane(random),
        4 => on_a_line(random),
        5 => sliding(kind, random),
        6 => twice_in_a_plane(random),
        7 => with_shared_vertices(random),
        _ => meeting(kind, random),
    };
    let case = Case { kind, start, end };
    let case = shuffled(case, random);
    match random.below(8) {
        0 => case.changed(|p| p * 0.5f64.powi(20)),
        1 => case.changed(|p| p * 2f64.powi(20)),
        2 => case.changed(|p| p + DVec3::new(1e6, -1e6, 1e6)),
        3 | 4 => disturbed(case, random),
        5 if random.below(8) == 0 => extreme(case, random),
        _ => case,
    }
}

fn uniform(random: &mut Random) -> [[DVec3; 4]; 2] {
    let mut draw = || four(|| DVec3::from_array(std::array::from_fn(|_| random.range(-1.0, 1.0))));
    [draw(), draw()]
}

/// Coplanar at all times: in one plane, or in one that moves with its points.
fn in_a_plane(random: &mut Random) -> [[DVec3; 4]; 2] {
    let mut frame = || [2, 2, 2].map(|largest| whole_point(random, largest));
    let frames = [frame(), frame()];
    let is_fixed = random.below(2) == 0;
    let mut weights = || [0, 1, 2, 3].map(|_| [whole(random, 2), whole(random, 2)]);
    let weights = [weights(), weights()];
    [0, 1].map(|time| {
        let ([origin, u, v], weights) =
            if is_fixed { (frames[0], weights[time]) } else { (frames[time], weights[0]) };
        weights.map(|[i, j]| origin + i * u + j * v)
    })
}

/// Collinear at all times, sometimes all in one point.
fn on_a_line(random: &mut Random) -> [[DVec3; 4]; 2] {
    let (origins, along) = ([0, 1].map(|_| whole_point(random, 2)), whole_point(random, 1));
    origins.map(|origin| [0, 1, 2, 3].map(|_| origin + whole(random, 4) * along))
}

/// One feature at rest in the plane `z = 0`, the other moves in it or ends there.
fn sliding(kind: Kind, random: &mut Random) -> [[DVec3; 4]; 2] {
    let flat = |p: DVec3| p.with_z(0.0);
    let rests = four(|| flat(whole_point(random, 3)));
    let moving: &[usize] = if kind == Kind::VertexFace { &[0] } else { &[0, 1] };
    let mut both = [rests, rests];
    for &i in moving {
        both[0][i] += flat(whole_point(random, 4));
        both[1][i] += flat(whole_point(random, 4));
        if random.below(3) == 0 {
            both[random.below(2) as usize][i].z = whole(random, 1);
        }
    }
    both
}

/// Coplanar at a double root `b / a` of the cubic: the vertices come into a plane and leave it again on the same side.
///
/// With `x`, `y + t c z` for the sides of a triangle and `(.., y0 + y1 t, z0 + z1 t)` for the vertex the volume is
/// `z0 + (z1 - c y0) t - c y1 t^2`; it is made `(a t - b)^2`.
fn twice_in_a_plane(random: &mut Random) -> [[DVec3; 4]; 2] {
    let (a, b) = (1.0 + random.below(4) as f64, whole(random, 3));
    let (c, y0) = ([1.0, -1.0][random.below(2) as usize], whole(random, 3));
    let (y1, z0, z1) = (-a * a / c, b * b, c * y0 - 2.0 * a * b);
    let size = [1.0, 4.0, 16.0][random.below(3) as usize];
    let x = whole(random, 3);
    let start = [DVec3::new(x, y0, z0), DVec3::ZERO, size * DVec3::X, size * DVec3::Y];
    let end = [DVec3::new(x, y0 + y1, z0 + z1), DVec3::ZERO, size * DVec3::X, size * DVec3::new(0.0, 1.0, c)];
    [start, end]
}

/// Vertices that are equal at one or both times.
fn with_shared_vertices(random: &mut Random) -> [[DVec3; 4]; 2] {
    let mut both = if random.below(2) == 0 {
        uniform(random)
    } else {
        [3, 3].map(|largest| four(|| whole_point(random, largest)))
    };
    for _ in 0..1 + random.below(2) {
        let [from, to] = [0, 1].map(|_| random.below(4) as usize);
        let times = random.below(3);
        for time in 0..2 {
            if times != time {
                both[time as usize][to] = both[time as usize][from];
            }
        }
    }
    both
}

/// Features that certainly share a point at a time of eighths: inside, on an edge, in a corner.
fn meeting(kind: Kind, random: &mut Random) -> [[DVec3; 4]; 2] {
    let time = random.below(9) as f64 / 8.0;
    let mut at = four(|| 4.0 * whole_point(random, 3));
    let mut share = || random.below(5) as f64 / 4.0;
    let (s, r) = (share(), share());
    match kind {
        Kind::VertexFace => at[0] = at[1] + s * (at[2] - at[1]) + (1.0 - s) * r * (at[3] - at[1]),
        // The second edge goes through a point of the first.
        Kind::EdgeEdge => {
            let common = at[0] + s * (at[1] - at[0]);
            let along = at[3] - at[2];
            at[2] = common - r * along;
            at[3] = common + (1.0 - r) * along;
        }
    }
    let velocities = four(|| 8.0 * whole_point(random, 2));
    [-time, 1.0 - time].map(|t| std::array::from_fn(|i| at[i] + t * velocities[i]))
}

/// Axes in another order, some mirrored.
fn shuffled(case: Case, random: &mut Random) -> Case {
    let turn = random.below(3) as usize;
    let signs = DVec3::from_array(std::array::from_fn(|_| if random.below(2) == 0 { 1.0 } else { -1.0 }));
    case.changed(|p| signs * DVec3::new(p[turn], p[(turn + 1) % 3], p[(turn + 2) % 3]))
}

/// A coordinate or two moved by one unit in the last place.
fn disturbed(mut case: Case, random: &mut Random) -> Case {
    for _ in 0..1 + random.below(2) {
        let points = if random.below(2) == 0 { &mut case.start } else { &mut case.end };
        let coordinate = &mut points[random.below(4) as usize][random.below(3) as usize];
        let step = if random.below(2) == 0 { 1 } else { -1 };
        // The neighbours of zero are so small that the oracle would take for ever.
        *coordinate =
            if *coordinate == 0.0 { step as f64 * 0.5f64.powi(60) } else { nudge(*coordinate, step) };
    }
    case
}

/// Near the limits of what is accepted: products overflow or vanish.
fn extreme(case: Case, random: &mut Random) -> Case {
    let scale = [2f64.powi(290), 2f64.powi(-300), 2f64.powi(-1000), f64::from_bits(1)];
    let scale = scale[random.below(4) as usize];
    if random.below(4) > 0 {
        return case.changed(|p| p * scale);
    }
    let mut count = 0;
    case.changed(|p| {
        count += 1;
        if count % 2 == 0 { p } else { p * 0.5f64.powi(100) }
    })
}
