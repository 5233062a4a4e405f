//! Families of point sets, from harmless to vicious, for everything that takes points.

use crate::math::Random;
use crate::shape::sample::random_direction;
use crate::tolerance::COORDINATE_LIMIT;
use glam::{DVec3, dvec3};

/// A kind of point set and how to draw one.
pub struct PointFamily {
    /// What the points have in common.
    pub name: &'static str,
    /// Draws that many points.
    pub draw: fn(&mut Random, usize) -> Vec<DVec3>,
}

/// All families.
pub const FAMILIES: &[PointFamily] = &[
    PointFamily { name: "in a cube", draw: |r, n| (0..n).map(|_| in_cube(r)).collect() },
    PointFamily { name: "on a sphere", draw: |r, n| (0..n).map(|_| random_direction(r)).collect() },
    PointFamily { name: "on a lattice of three", draw: |r, n| (0..n).map(|_| lattice(r, 1)).collect() },
    PointFamily { name: "on a lattice of seven", draw: |r, n| (0..n).map(|_| lattice(r, 3)).collect() },
    PointFamily {
        name: "few distinct points",
        draw: |r, n| {
            let few: Vec<DVec3> = (0..1 + n / 3).map(|_| in_cube(r)).collect();
            (0..n).map(|_| few[pick(r, few.len())]).collect()
        },
    },
    PointFamily {
        name: "cospherical integers",
        draw: |r, n| {
            let pick = |r: &mut Random| {
                let mut p = [[1.0, 4.0, 8.0], [4.0, 4.0, 7.0], [0.0, 0.0, 9.0], [3.0, 6.0, 6.0]][pick(r, 4)];
                shuffle(r, &mut p);
                DVec3::from_array(p.map(|x| if pick(r, 2) == 0 { x } else { -x }))
            };
            (0..n).map(|_| pick(r)).collect()
        },
    },
    PointFamily {
        name: "collinear",
        draw: |r, n| {
            let (start, along) = (lattice(r, 100), lattice(r, 5));
            (0..n).map(|_| start + along * integer(r, 9)).collect()
        },
    },
    PointFamily {
        name: "nearly collinear",
        draw: |r, n| {
            let (start, along) = (in_cube(r), in_cube(r));
            (0..n).map(|_| start + along * r.range(-1.0, 1.0)).collect()
        },
    },
    PointFamily {
        name: "coplanar",
        draw: |r, n| {
            let (start, u, v) = (lattice(r, 100), lattice(r, 3), lattice(r, 3));
            (0..n).map(|_| start + u * integer(r, 4) + v * integer(r, 4)).collect()
        },
    },
    PointFamily {
        name: "nearly coplanar",
        draw: |r, n| {
            let (start, u, v) = (in_cube(r), in_cube(r), in_cube(r));
            (0..n).map(|_| start + u * r.range(-1.0, 1.0) + v * r.range(-1.0, 1.0)).collect()
        },
    },
    PointFamily {
        name: "two parallel planes",
        draw: |r, n| (0..n).map(|_| dvec3(integer(r, 3), integer(r, 3), pick(r, 2) as f64)).collect(),
    },
    PointFamily {
        name: "thin lens",
        draw: |r, n| (0..n).map(|_| random_direction(r) * dvec3(1.0, 1.0, 1e-3)).collect(),
    },
    PointFamily {
        name: "thinner than the last place",
        draw: |r, n| {
            (0..n)
                .map(|_| dvec3(integer(r, 3), integer(r, 3), integer(r, 2) * f64::EPSILON) + DVec3::ONE)
                .collect()
        },
    },
    PointFamily {
        name: "jittered lattice",
        draw: |r, n| {
            let points: Vec<DVec3> = (0..n).map(|_| lattice(r, 2) * 0.1).collect();
            jittered(r, &points)
        },
    },
    PointFamily {
        name: "far away",
        draw: |r, n| (0..n).map(|_| in_cube(r) * 1e-3 + DVec3::splat(1e6)).collect(),
    },
    PointFamily {
        name: "far away on a lattice",
        draw: |r, n| (0..n).map(|_| lattice(r, 2) + dvec3(1e6, -1e6, 3e6)).collect(),
    },
    PointFamily {
        name: "mixed magnitudes",
        draw: |r, n| {
            let mut wild = || r.range(-1.0, 1.0) * 2f64.powi(pick(r, 1300) as i32 - 1000);
            (0..n).map(|_| dvec3(wild(), wild(), wild())).collect()
        },
    },
    PointFamily {
        name: "subnormal beside huge",
        draw: |r, n| {
            let sizes = [f64::from_bits(1), 1.0, COORDINATE_LIMIT];
            let mut wild = || integer(r, 1) * sizes[pick(r, 3)];
            (0..n).map(|_| dvec3(wild(), wild(), wild())).collect()
        },
    },
    PointFamily {
        name: "signed zeros",
        draw: |r, n| {
            let mut zero = || [-1.0, -0.0, 0.0, 1.0][pick(r, 4)];
            (0..n).map(|_| dvec3(zero(), zero(), zero())).collect()
        },
    },
];

/// Factors that leave a set what it is: powers of two, and numbers that round it or bring it near underflow.
pub const SCALES: [f64; 7] = [1.0, 1.0 / 1048576.0, 1048576.0, 1e-150, 1e85, 7e-310, 0.1];

/// Points of any family, rescaled if they stay in range.
pub fn any(random: &mut Random, count: usize) -> Vec<DVec3> {
    let points = (FAMILIES[pick(random, FAMILIES.len())].draw)(random, count);
    let scale = SCALES[pick(random, SCALES.len())];
    let in_range = |p: &DVec3| (*p * scale).abs().max_element() <= COORDINATE_LIMIT;
    if points.iter().all(in_range) { points.iter().map(|&p| p * scale).collect() } else { points }
}

/// A uniform point with coordinates in [-1, 1), multiples of `2^-52`.
pub fn in_cube(random: &mut Random) -> DVec3 {
    let [x, y, z] = std::array::from_fn(|_| random.range(-1.0, 1.0));
    dvec3(x, y, z)
}

/// A point with whole coordinates of at most that size.
pub fn lattice(random: &mut Random, size: u64) -> DVec3 {
    let [x, y, z] = std::array::from_fn(|_| integer(random, size));
    dvec3(x, y, z)
}

/// A random order.
pub fn shuffle<T>(random: &mut Random, items: &mut [T]) {
    (1..items.len()).rev().for_each(|i| items.swap(i, pick(random, i + 1)));
}

/// Each point moved by at most one unit in the last place per coordinate.
pub fn jittered(random: &mut Random, points: &[DVec3]) -> Vec<DVec3> {
    let mut jitter = |x: f64| [x.next_down(), x, x.next_up()][pick(random, 3)];
    points.iter().map(|p| dvec3(jitter(p.x), jitter(p.y), jitter(p.z))).collect()
}

fn integer(random: &mut Random, size: u64) -> f64 {
    random.below(2 * size + 1) as f64 - size as f64
}

fn pick(random: &mut Random, count: usize) -> usize {
    random.below(count as u64) as usize
}
