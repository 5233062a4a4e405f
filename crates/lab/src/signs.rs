//! What exact signs cost beside the naive float expression, where the filter passes and where it cannot.

use crate::measure::{least_times, nanoseconds_each};
use crate::table::Table;
use clearance::exact::{self, Posed, Sign};
use clearance::glam::DVec3;
use clearance::math::Random;
use clearance::{Pose, oracle::signs as oracle};
use std::hint::black_box;

const CASES: usize = 4096;
const ROUNDS: usize = 40;

/// Three points of body A and one of body B.
struct Case {
    pose_a: Pose,
    pose_b: Pose,
    points: [DVec3; 4],
}

/// Draws a case.
type Family = fn(&mut Random) -> Case;

pub fn run() -> Vec<Table> {
    let mut table = Table::new(
        "Signs: 3-D orientation, nanoseconds each, least of 40 rounds of 4096 cases",
        &["input", "naive float", "ours", "ratio", "naive wrong"],
    );
    let families: [(&str, Family); 3] = [
        ("under two poses, random", random_case),
        ("under two poses, coplanar, 53-bit coordinates", coplanar_case),
        ("under two poses, coplanar, small integers", integer_case),
    ];
    for (name, family) in families {
        let mut random = Random::new(1);
        let cases: Vec<Case> = (0..CASES).map(|_| family(&mut random)).collect();
        table.row(posed_row(name, &cases));
    }
    let mut random = Random::new(2);
    let plain: Vec<[DVec3; 4]> = (0..CASES).map(|_| std::array::from_fn(|_| in_cube(&mut random))).collect();
    table.row(plain_row("one frame, random", &plain));
    let flat: Vec<[DVec3; 4]> = plain.iter().map(|p| p.map(|q| DVec3::new(q.x, q.y, 0.1))).collect();
    table.row(plain_row("one frame, z equal", &flat));
    let tilted: Vec<[DVec3; 4]> = plain.iter().map(|p| p.map(|q| DVec3::new(q.x, q.y, q.x + q.y))).collect();
    table.row(plain_row("one frame, z = fl(x + y)", &tilted));
    vec![table, side_table()]
}

/// Points of two bodies compared along a direction: the test a separating vector makes.
fn side_table() -> Table {
    let mut table = Table::new(
        "Signs: side of a plane with an f64 normal, points under two poses",
        &["input", "naive float", "ours", "ratio", "naive wrong"],
    );
    let mut random = Random::new(3);
    let cases: Vec<Case> = (0..CASES).map(|_| random_case(&mut random)).collect();
    table.row(side_row("random", &cases));
    let resting = (0..CASES).map(|_| integer_case(&mut random));
    let resting: Vec<Case> =
        resting.map(|c| Case { points: [c.points[0], c.points[1], DVec3::Z, c.points[3]], ..c }).collect();
    table.row(side_row("resting on the plane", &resting));
    table
}

/// The third point of a case serves as the normal.
fn side_row(name: &str, cases: &[Case]) -> [String; 5] {
    let normal = |case: &Case| case.points[2];
    let naive = |case: &Case| {
        let along = case.pose_b.apply(case.points[3]) - case.pose_a.apply(case.points[0]);
        sign_of_float(normal(case).dot(along))
    };
    let ours = |case: &Case| {
        exact::plane_side(normal(case), case.pose_a.at(case.points[0]), case.pose_b.at(case.points[3]))
    };
    let truth = |case: &Case| {
        let (a, b) =
            (oracle::posed(&case.pose_a, case.points[0]), oracle::posed(&case.pose_b, case.points[3]));
        oracle::dot(&oracle::exact(normal(case)), &oracle::minus(&b, &a)).sign()
    };
    row(name, cases, naive, ours, truth)
}

fn posed_row(name: &str, cases: &[Case]) -> [String; 5] {
    let naive = |case: &Case| {
        let [a, b, c] = [0, 1, 2].map(|i| case.pose_a.apply(case.points[i]));
        naive_orient3d(a, b, c, case.pose_b.apply(case.points[3]))
    };
    let ours = |case: &Case| {
        let [a, b, c]: [Posed<'_>; 3] = [0, 1, 2].map(|i| case.pose_a.at(case.points[i]));
        exact::orient3d_posed(a, b, c, case.pose_b.at(case.points[3]))
    };
    let truth = |case: &Case| {
        let [a, b, c] = [0, 1, 2].map(|i| oracle::posed(&case.pose_a, case.points[i]));
        oracle::orient3d(&a, &b, &c, &oracle::posed(&case.pose_b, case.points[3]))
    };
    row(name, cases, naive, ours, truth)
}

fn plain_row(name: &str, cases: &[[DVec3; 4]]) -> [String; 5] {
    row(
        name,
        cases,
        |[a, b, c, d]| naive_orient3d(*a, *b, *c, *d),
        |[a, b, c, d]| exact::orient3d(*a, *b, *c, *d),
        |p| {
            let [a, b, c, d] = p.map(oracle::exact);
            oracle::orient3d(&a, &b, &c, &d)
        },
    )
}

fn row<C>(
    name: &str,
    cases: &[C],
    naive: impl Fn(&C) -> Sign,
    ours: impl Fn(&C) -> Sign,
    truth: impl Fn(&C) -> Sign,
) -> [String; 5] {
    let wrong = cases.iter().filter(|c| naive(c) != truth(c)).count();
    assert!(cases.iter().all(|c| ours(c) == truth(c)), "{name}: an exact sign is wrong");
    let times = least_times(ROUNDS, [&mut || sum(cases, &naive), &mut || sum(cases, &ours)]);
    let [naive, ours] = times.map(|t| nanoseconds_each(t, cases.len()));
    [
        name.to_string(),
        format!("{naive:.1}"),
        format!("{ours:.1}"),
        format!("{:.2}", ours / naive),
        format!("{:.1} %", 100.0 * wrong as f64 / cases.len() as f64),
    ]
}

fn sum<C>(cases: &[C], sign: impl Fn(&C) -> Sign) {
    let total: i64 = cases.iter().map(|c| sign(black_box(c)) as i64).sum();
    black_box(total);
}

fn naive_orient3d(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Sign {
    sign_of_float((b - a).cross(c - a).dot(d - a))
}

fn sign_of_float(x: f64) -> Sign {
    if x > 0.0 {
        Sign::Positive
    } else if x < 0.0 {
        Sign::Negative
    } else {
        Sign::Zero
    }
}

fn in_cube(random: &mut Random) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| random.range(-1.0, 1.0)))
}

fn random_pose(random: &mut Random) -> Pose {
    Pose::from_axis_angle(in_cube(random), random.range(-3.0, 3.0), in_cube(random)).expect("a pose")
}

fn random_case(random: &mut Random) -> Case {
    let (pose_a, pose_b) = (random_pose(random), random_pose(random));
    Case { pose_a, pose_b, points: std::array::from_fn(|_| in_cube(random)) }
}

/// Both bodies under the same true rotation, all points in one plane of it: exactly zero, with every
/// coordinate and every matrix entry of 53 bits.
fn coplanar_case(random: &mut Random) -> Case {
    let pose_a = random_pose(random);
    let points = std::array::from_fn(|_| in_cube(random).with_z(0.1));
    Case { pose_a, pose_b: pose_a, points }
}

fn integer_case(random: &mut Random) -> Case {
    let quarter = [0., -1., 0., 40., 1., 0., 0., -8., 0., 0., 1., 2.];
    let pose_b = Pose::from_rows(quarter).expect("a quarter turn");
    let mut whole = || random.below(100) as f64 - 50.0;
    let mut points: [DVec3; 4] = std::array::from_fn(|_| DVec3::new(whole(), whole(), 3.0));
    points[3].z = 1.0;
    Case { pose_a: Pose::IDENTITY, pose_b, points }
}
