//! Trackers: memory changes speed, never an answer.

use clearance::Pose;
use clearance::glam::{DQuat, DVec3};
use clearance::math::Random;
use clearance::oracle::cases::Family;
use clearance::pair::{Relation, Tracker, TrackerFrame, TrackerMode, distance, penetration, relation};
use clearance::shape::Polytope;
use clearance::shape::sample::{PolytopeKind, random_direction, random_polytope};
use clearance::support::SupportMap;

/// Bodies that wander through each other, in small steps and in jumps.
#[test]
fn every_mode_gives_the_relation_of_a_fresh_query() {
    let mut random = Random::new(3);
    for mode in [TrackerMode::SeparatingVector, TrackerMode::Gilbert, TrackerMode::Combined] {
        for kind in [PolytopeKind::Ellipsoid, PolytopeKind::Plate, PolytopeKind::ThinRod] {
            let [a, b] = [1, 2].map(|seed| SupportMap::new(random_polytope(kind, 30, seed).unwrap()));
            let mut tracker = Tracker::new(mode);
            let (mut turn, mut towards) = (DQuat::IDENTITY, DVec3::X);
            let mut seen = [0; 3];
            for frame in 0..600 {
                let jump = if frame % 50 == 49 { 1.0 } else { 0.06 };
                // In and out again every hundred frames, from changing sides.
                let wave = (frame % 100 - 50) as f64;
                towards = (towards + random_direction(&mut random) * jump).normalize();
                let at = towards * (wave.abs() * 0.044);
                turn *= DQuat::from_axis_angle(random_direction(&mut random), 0.2 * jump);
                let pose_b = Pose::from_quaternion(turn, at).unwrap();
                let truth = relation(&a, &Pose::IDENTITY, &b, &pose_b);
                let found = tracker.update(&a, &Pose::IDENTITY, &b, &pose_b);
                assert_eq!(found.relation(), truth, "{mode:?} {kind:?} frame {frame}");
                seen[truth as usize] += 1;
            }
            assert!(seen[0] > 20 && seen[2] > 20, "both occur: {seen:?}");
        }
    }
}

/// Asked before the tracker sees a frame, what it remembers is of another one: depths are the same in either case.
#[test]
fn depths_do_not_depend_on_what_is_remembered() {
    let mut random = Random::new(4);
    let (mut deep, mut apart) = (0, 0);
    for kind in [PolytopeKind::Ellipsoid, PolytopeKind::Plate, PolytopeKind::ThinRod] {
        let [a, b] = [1, 2].map(|seed| SupportMap::new(random_polytope(kind, 30, seed).unwrap()));
        let mut tracker = Tracker::default();
        for frame in 0..400 {
            let at = random_direction(&mut random) * if frame % 10 == 0 { 0.9 } else { 0.2 };
            let turn = DQuat::from_axis_angle(random_direction(&mut random), 0.3);
            let pose = Pose::from_quaternion(turn, at).unwrap();
            let truth = penetration(&a, &Pose::IDENTITY, &b, &pose);
            let before = tracker.penetration(&a, &Pose::IDENTITY, &b, &pose);
            tracker.relation(&a, &Pose::IDENTITY, &b, &pose);
            let after = tracker.penetration(&a, &Pose::IDENTITY, &b, &pose);
            for found in [before, after] {
                assert_eq!(found.is_some(), truth.is_some(), "{kind:?} frame {frame}");
                if let (Some(found), Some(truth)) = (found, truth) {
                    let are_one = found.lower <= truth.upper && truth.lower <= found.upper;
                    assert!(are_one, "{kind:?} frame {frame}: {found:?} {truth:?}");
                }
            }
            deep += usize::from(truth.is_some());
            apart += usize::from(truth.is_none());
        }
    }
    assert!(deep > 500 && apart > 50, "{deep} {apart}");
}

/// Ellipsoids around the bodies are asked while they are well apart: they must give way before bodies meet, also where
/// a body fills its ellipsoid, is flat, or is far from its own origin.
#[test]
fn slow_approaches_are_seen_whatever_proved_the_frame_before() {
    let mut random = Random::new(8);
    let (mut met, mut remembered) = (0, 0);
    for case in 0..60 {
        let (count, scale) = ([4, 8, 40, 400][case % 4], 2f64.powi([0, -20, 20][case % 3]));
        let flat = if case % 5 == 0 { DVec3::new(1.0, 1.0, 0.0) } else { DVec3::ONE };
        let shift = random_direction(&mut random) * [0.0, 1e6][case % 2];
        let mut body = || {
            let sample = random_polytope(PolytopeKind::Ellipsoid, count, random.below(1 << 30)).unwrap();
            let points: Vec<DVec3> = sample.vertices().iter().map(|v| (*v * flat + shift) * scale).collect();
            SupportMap::new(Polytope::hull(&points).unwrap())
        };
        let [a, b] = [body(), body()];
        let mut tracker = Tracker::default();
        let (axis, towards) = (random_direction(&mut random), random_direction(&mut random));
        for frame in 0..300 {
            let turn = DQuat::from_axis_angle(axis, 0.01 * frame as f64);
            // The shift is taken back, so that the bodies turn about their middles.
            let at = (towards * (2.4 - 0.008 * frame as f64) - turn * shift + shift) * scale;
            let pose = Pose::from_quaternion(turn, at).unwrap();
            let truth = relation(&a, &Pose::IDENTITY, &b, &pose);
            let found = tracker.relation(&a, &Pose::IDENTITY, &b, &pose);
            assert_eq!(found, truth, "case {case} frame {frame}");
            met += usize::from(truth != Relation::Disjoint);
        }
        remembered += tracker.stats().remembered;
    }
    println!("{met} frames of 18,000 in contact, {remembered} settled by memory");
    assert!((4000..14_000).contains(&met) && remembered > 12_000);
}

#[test]
fn the_first_contact_knows_the_frame_before_it() {
    let cube = cube();
    let poses = [2.0, 1.5, 0.9, 0.8, 3.0, 1.0].map(|x| Pose::from_translation(DVec3::X * x).unwrap());
    let mut tracker = Tracker::new(TrackerMode::Combined);
    let frames: Vec<TrackerFrame> =
        poses.iter().map(|pose| tracker.update(&cube, &Pose::IDENTITY, &cube, pose)).collect();
    let kinds: Vec<&str> = frames
        .iter()
        .map(|frame| match frame {
            TrackerFrame::Apart(_) => "apart",
            TrackerFrame::Began(_) => "began",
            TrackerFrame::Persists(_) => "persists",
        })
        .collect();
    assert_eq!(kinds, ["apart", "apart", "began", "persists", "apart", "began"]);
    let TrackerFrame::Began(first) = &frames[2] else { unreachable!() };
    assert_eq!(first.before, Some(distance(&cube, &Pose::IDENTITY, &cube, &poses[1])));
    let depth = first.penetration.expect("they overlap");
    assert!(depth.lower <= 0.1 + 1e-9 && 0.1 - 1e-9 <= depth.upper);
    let TrackerFrame::Began(second) = &frames[5] else { unreachable!() };
    assert_eq!((second.witness.relation(), second.penetration), (Relation::Touching, None));
}

/// What is remembered may come from other bodies, with more or fewer vertices.
/// Whatever is asked in between, a contact begins once, and the frame before it is of the same bodies.
#[test]
fn a_contact_begins_once_and_knows_its_own_bodies() {
    let at = |x: f64| Pose::from_translation(DVec3::X * x).unwrap();
    let (cube, other) = (cube(), cube());
    for mode in [TrackerMode::Combined, TrackerMode::Gilbert] {
        let mut tracker = Tracker::new(mode);
        tracker.update(&cube, &Pose::IDENTITY, &cube, &at(2.0));
        let TrackerFrame::Began(contact) = tracker.update(&cube, &Pose::IDENTITY, &cube, &at(0.5)) else {
            panic!("{mode:?}: they meet");
        };
        let before = contact.before.expect("they were apart");
        assert!(before.lower <= 1.0 && 1.0 <= before.upper, "{mode:?}: {before:?}");
        for _ in 0..3 {
            assert_eq!(tracker.relation(&cube, &Pose::IDENTITY, &cube, &at(0.4)), Relation::Overlapping);
            let found = tracker.update(&cube, &Pose::IDENTITY, &cube, &at(0.4));
            assert_eq!(found, TrackerFrame::Persists(Relation::Overlapping), "{mode:?}");
        }
        tracker.update(&cube, &Pose::IDENTITY, &cube, &at(2.0));
        let TrackerFrame::Began(contact) = tracker.update(&cube, &Pose::IDENTITY, &other, &at(0.5)) else {
            panic!("{mode:?}: they meet again");
        };
        assert_eq!(contact.before, None, "{mode:?}: another body was apart");
    }
}

#[test]
fn a_poisoned_memory_changes_no_answer() {
    let mut random = Random::new(9);
    let mut tracker = Tracker::new(TrackerMode::Combined);
    for _ in 0..3_000 {
        let family = [Family::Uniform, Family::SmallIntegers, Family::Ulps][random.below(3) as usize];
        let mut body = || {
            let count = 1 + random.below(9);
            let points: Vec<DVec3> = (0..count).map(|_| family.point(&mut random)).collect();
            SupportMap::new(Polytope::hull(&points).unwrap())
        };
        let (a, b) = (body(), body());
        let (pose_a, pose_b) = (family.pose(&mut random), family.pose(&mut random));
        let found = tracker.update(&a, &pose_a, &b, &pose_b);
        assert_eq!(found.relation(), relation(&a, &pose_a, &b, &pose_b));
    }
}

/// What was proved of two bodies says nothing of others in the same places, nor of what began between them.
#[test]
fn other_bodies_in_the_same_places_are_looked_at() {
    let small = |seed| SupportMap::new(random_polytope(PolytopeKind::Ellipsoid, 20, seed).unwrap());
    let larger = |map: &SupportMap| {
        let points: Vec<DVec3> = map.polytope().vertices().iter().map(|v| *v * 2.0).collect();
        SupportMap::new(Polytope::hull(&points).unwrap())
    };
    let (a, b) = (small(1), small(2));
    let (large_a, large_b) = (larger(&a), larger(&b));
    for mode in [TrackerMode::SeparatingVector, TrackerMode::Combined] {
        let mut tracker = Tracker::new(mode);
        let pose = |frame: usize| {
            let turn = DQuat::from_axis_angle(DVec3::Z, 0.001 * frame as f64);
            Pose::from_quaternion(turn, DVec3::X * 2.3).unwrap()
        };
        for frame in 0..60 {
            let is_apart = frame % 20 < 17;
            let (a, b) = if is_apart { (&a, &b) } else { (&large_a, &large_b) };
            let found = tracker.update(a, &Pose::IDENTITY, b, &pose(frame));
            assert_eq!(found.relation() == Relation::Disjoint, is_apart, "frame {frame}");
            let begins = matches!(found, TrackerFrame::Began(_));
            assert_eq!(begins, frame % 20 == 17, "frame {frame}");
        }
        assert!(tracker.stats().remembered > 40, "{:?}", tracker.stats());
    }
}

#[test]
fn slow_frames_are_settled_by_memory() {
    let [a, b] =
        [1, 2].map(|seed| SupportMap::new(random_polytope(PolytopeKind::Ellipsoid, 100, seed).unwrap()));
    for (gap, least) in [(2.2, 0.95), (0.5, 0.95)] {
        let mut tracker = Tracker::new(TrackerMode::SeparatingVector);
        for frame in 0..200 {
            let turn = DQuat::from_axis_angle(DVec3::new(0.3, 0.5, 0.8).normalize(), 0.01 * frame as f64);
            let pose_b = Pose::from_quaternion(turn, DVec3::X * gap).unwrap();
            tracker.update(&a, &Pose::IDENTITY, &b, &pose_b);
        }
        let stats = tracker.stats();
        assert!(stats.remembered as f64 > least * stats.frames as f64, "{gap}: {stats:?}");
        assert_eq!(stats.exact, 0);
    }
}

/// All vertices of small bodies are looked at for each direction, searched for or remembered; balls look at none.
#[test]
fn frames_directions_and_vertices_are_counted() {
    let [a, b] =
        [1, 2].map(|seed| SupportMap::new(random_polytope(PolytopeKind::Ellipsoid, 20, seed).unwrap()));
    for mode in [TrackerMode::SeparatingVector, TrackerMode::Gilbert] {
        let mut tracker = Tracker::new(mode);
        for frame in 0..50 {
            let turn = DQuat::from_axis_angle(DVec3::Z, 0.001 * f64::from(frame));
            let pose_b = Pose::from_quaternion(turn, DVec3::X * 2.3).unwrap();
            tracker.update(&a, &Pose::IDENTITY, &b, &pose_b);
            let stats = tracker.stats();
            assert_eq!(stats.frames, frame as u64 + 1);
            if frame == 0 {
                assert!(stats.steps > 0 && stats.vertices == 40 * stats.steps, "{stats:?}");
            }
            assert!(stats.vertices <= 40 * stats.steps && stats.remembered < stats.frames, "{stats:?}");
        }
        let stats = tracker.stats();
        if mode == TrackerMode::SeparatingVector {
            assert!(stats.vertices < 200 && stats.remembered == 49, "{stats:?}");
        }
    }
}

/// A remembered vertex that is no longer extreme is walked on from.
#[test]
fn walks_from_remembered_vertices_are_counted() {
    let [a, b] =
        [1, 2].map(|seed| SupportMap::new(random_polytope(PolytopeKind::Ellipsoid, 500, seed).unwrap()));
    let mut tracker = Tracker::new(TrackerMode::SeparatingVector);
    let (mut stayed, mut walked) = (0, 0);
    for frame in 0..400 {
        let turn = DQuat::from_axis_angle(DVec3::new(0.3, 0.5, 0.8).normalize(), 0.1 * frame as f64);
        let pose_b = Pose::from_quaternion(turn, DVec3::X * (1.5 + 0.001 * frame as f64)).unwrap();
        let before = tracker.stats();
        tracker.update(&a, &Pose::IDENTITY, &b, &pose_b);
        let after = tracker.stats();
        // One direction, remembered, and no search.
        if (after.remembered - before.remembered, after.steps - before.steps) == (1, 1) {
            match after.vertices - before.vertices {
                0 | 2 => stayed += 1,
                _ => walked += 1,
            }
        }
    }
    assert!(stayed > 50 && walked > 5, "{stayed} {walked}");
}

fn cube() -> SupportMap {
    let corners = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64));
    SupportMap::new(Polytope::hull(&corners.collect::<Vec<_>>()).unwrap())
}
