//! Do two convex bodies meet? Ours with its proof beside parry, cold: nothing is remembered between queries.

use crate::measure::{least_times, nanoseconds_each};
use crate::scenario::{self, KINDS, Placement, Regime, Scene};
use crate::table::Table;
use clearance::pair::{Relation, relation};
use clearance::support::SupportMap;
use parry3d_f64::math::{Pose3, Vec3};
use parry3d_f64::query::details::intersection_test_support_map_support_map;
use parry3d_f64::shape::ConvexPolyhedron;
use std::hint::black_box;

const SIZES: [u32; 6] = [8, 20, 100, 500, 1000, 5000];
const SCENES: usize = 300;
const ROUNDS: usize = 15;

pub fn run() -> Vec<Table> {
    let mut table = Table::new(
        "Convex boolean, cold, nanoseconds a query (least of 15 rounds over 300 pairs)",
        &["shape", "vertices", "regime", "clearance", "parry f64", "parry / clearance", "parry wrong"],
    );
    for (name, kind) in KINDS {
        for vertices in SIZES {
            let bodies = scenario::bodies(kind, vertices, 12);
            let rivals: Vec<ConvexPolyhedron> = bodies.iter().map(parry_shape).collect();
            for regime in Regime::ALL {
                let scenes = scenario::scenes(&bodies, regime, SCENES, 7);
                let cells = row(&bodies, &rivals, &scenes);
                let head = [name.to_string(), vertices.to_string(), regime.name().to_string()];
                table.row(head.into_iter().chain(cells));
            }
        }
    }
    vec![table]
}

fn row(bodies: &[SupportMap], rivals: &[ConvexPolyhedron], scenes: &[Scene]) -> [String; 4] {
    let ours = |s: &Scene| {
        relation(&bodies[s.bodies.0], &s.a.pose, &bodies[s.bodies.1], &s.b.pose) != Relation::Disjoint
    };
    let relative: Vec<Pose3> = scenes.iter().map(|s| parry_pose(&s.a).inv_mul(&parry_pose(&s.b))).collect();
    let theirs = |(s, pose): (&Scene, &Pose3)| {
        intersection_test_support_map_support_map(pose, &rivals[s.bodies.0], &rivals[s.bodies.1])
    };
    let wrong = scenes.iter().zip(&relative).filter(|&(s, p)| ours(s) != theirs((s, p))).count();
    let times = least_times(
        ROUNDS,
        [
            &mut || {
                scenes.iter().for_each(|s| {
                    black_box(ours(black_box(s)));
                })
            },
            &mut || {
                scenes.iter().zip(&relative).for_each(|s| {
                    black_box(theirs(black_box(s)));
                })
            },
        ],
    );
    let [ours, theirs] = times.map(|t| nanoseconds_each(t, scenes.len()));
    [format!("{ours:.0}"), format!("{theirs:.0}"), format!("{:.1}", theirs / ours), wrong.to_string()]
}

pub fn parry_pose(placement: &Placement) -> Pose3 {
    Pose3::from_parts(placement.translation, placement.rotation)
}

pub fn parry_shape(map: &SupportMap) -> ConvexPolyhedron {
    let points: Vec<Vec3> = map.polytope().vertices().to_vec();
    ConvexPolyhedron::from_convex_hull(&points).expect("parry builds the hull of a sample")
}
