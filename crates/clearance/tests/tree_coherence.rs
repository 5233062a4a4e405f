//! What trees remember from frame to frame: it changes speed, never an answer.

use clearance::Pose;
use clearance::glam::{DQuat, DVec3, dvec3};
use clearance::math::Random;
use clearance::pair::Relation;
use clearance::shape::{Mesh, MeshConfig, sample};
use clearance::tree::{Bound, Coherence, Crossing, MeshPair, Placed, Scratch, Tree};

mod tree_bodies;
use tree_bodies::{Body, changed, point, pose, rotation, soup, torus_and_ball};

#[test]
fn what_is_remembered_changes_no_answer() {
    let [a, b] = torus_and_ball();
    let other = Body::new(&sample::cube(1.0).to_soup());
    let mut random = Random::new(12);
    let mut scratch = Scratch::default();
    let (mut met, mut apart) = (0, 0);
    for _ in 0..12 {
        let (turn, along) = (rotation(&mut random), point(&mut random).normalize());
        let pose_a = pose(&mut random, DVec3::ZERO);
        let start = random.range(1.5, 2.6);
        let [mut warm, mut poisoned] = [(); 2].map(|()| Coherence::default());
        let frames = 60;
        for frame in 0..frames {
            // Back and forth, at times far, at times not at all.
            let t = f64::from(frame) * 0.1;
            let speed = if frame % 20 < 15 { 0.3 } else { 0.0 };
            let translation = along * (start + speed * t.sin() + if frame == 30 { 3.0 } else { 0.0 });
            let pose_b =
                Pose::from_quaternion(turn * DQuat::from_rotation_z(0.01 * t), translation).expect("a pose");
            let pair = MeshPair::new(a.at(&pose_a), b.at(&pose_b));
            let stranger = MeshPair::new(other.at(&pose_a), b.at(&pose_b));
            for query in 0..3 {
                stranger.distance(&mut poisoned, &mut scratch, |_, _| true);
                let mut answer = |cache: &mut Coherence| match query {
                    0 => pair.meeting(cache, &mut scratch, |_, _| panic!("unclear")).is_some(),
                    1 => pair.within(0.1, cache, &mut scratch, |_, _| panic!("unclear")).is_some(),
                    _ => {
                        let fresh =
                            pair.distance(&mut Coherence::default(), &mut scratch, |_, _| panic!("unclear"));
                        let found = pair.distance(cache, &mut scratch, |_, _| panic!("unclear"));
                        assert!(found.gap.lower <= fresh.gap.upper && fresh.gap.lower <= found.gap.upper);
                        assert!((found.gap.upper == 0.0) == (fresh.gap.upper == 0.0));
                        found.gap.upper > 0.05
                    }
                };
                let fresh = answer(&mut Coherence::default());
                assert_eq!((answer(&mut warm), answer(&mut poisoned)), (fresh, fresh), "{query} at {frame}");
                if query == 0 {
                    *(if fresh { &mut met } else { &mut apart }) += 1;
                }
            }
        }
    }
    assert!(met > 100 && apart > 100, "{met} {apart}");
}

#[test]
fn bodies_that_stay_apart_are_not_looked_at_again() {
    let [a, b] = torus_and_ball();
    let mut coherence = Coherence::default();
    let mut scratch = Scratch::default();
    let mut steps = Vec::new();
    for frame in 0..100 {
        let t = f64::from(frame);
        let pose_b =
            Pose::from_axis_angle(DVec3::ONE, 0.001 * t, dvec3(3.0, 0.0005 * t, 0.0)).expect("a pose");
        let pair = MeshPair::new(a.at(&Pose::IDENTITY), b.at(&pose_b));
        let before = scratch.stats.steps;
        assert_eq!(pair.meeting(&mut coherence, &mut scratch, |_, _| true), None);
        steps.push(scratch.stats.steps - before);
    }
    let idle = steps.iter().filter(|&&steps| steps == 0).count();
    assert!(idle > 80, "{steps:?}");
}

/// The three queries about a pair, each with what is remembered, against each with nothing remembered.
struct Frames {
    coherence: Coherence,
    scratch: Scratch,
    met: u32,
    apart: u32,
}

impl Frames {
    fn new() -> Frames {
        Frames { coherence: Coherence::default(), scratch: Scratch::default(), met: 0, apart: 0 }
    }

    fn check(&mut self, (a, pose_a): (&Body, &Pose), (b, pose_b): (&Body, &Pose), limit: f64, what: &str) {
        self.check_with((a, &a.tree, pose_a), (b, &b.tree, pose_b), limit, what);
    }

    fn check_with<B: Bound>(
        &mut self,
        (a, tree_a, pose_a): (&Body, &Tree<B>, &Pose),
        (b, tree_b, pose_b): (&Body, &Tree<B>, &Pose),
        limit: f64,
        what: &str,
    ) {
        let pair = MeshPair::new(
            Placed { mesh: &a.mesh, tree: tree_a, pose: pose_a },
            Placed { mesh: &b.mesh, tree: tree_b, pose: pose_b },
        );
        let corners = |x: u32, y: u32| (a.corners(x), b.corners(y));
        let mut meeting = |coherence: &mut Coherence| {
            let meet = |x, y| {
                let (x, y) = corners(x, y);
                clearance::triangle::relation(x, pose_a, y, pose_b) != Relation::Disjoint
            };
            pair.meeting(coherence, &mut self.scratch, meet)
        };
        let (fresh, warm) = (meeting(&mut Coherence::default()), meeting(&mut self.coherence));
        assert_eq!(fresh.is_some(), warm.is_some(), "{what}: meeting");
        assert!(warm.is_none_or(|found| pair.crossing(found) != Crossing::Apart), "{what}: {warm:?}");
        *(if fresh.is_some() { &mut self.met } else { &mut self.apart }) += 1;
        let mut within = |coherence: &mut Coherence| {
            let within = |x, y| {
                let (x, y) = corners(x, y);
                clearance::triangle::within(x, pose_a, y, pose_b, limit)
            };
            pair.within(limit, coherence, &mut self.scratch, within)
        };
        let (fresh, warm) = (within(&mut Coherence::default()), within(&mut self.coherence));
        assert_eq!(fresh.is_some(), warm.is_some(), "{what}: within {limit}");
        let mut distance = |coherence: &mut Coherence| {
            let meet = |x, y| {
                let (x, y) = corners(x, y);
                clearance::triangle::relation(x, pose_a, y, pose_b) != Relation::Disjoint
            };
            pair.distance(coherence, &mut self.scratch, meet).gap
        };
        let (fresh, warm) = (distance(&mut Coherence::default()), distance(&mut self.coherence));
        assert!(warm.lower <= fresh.upper && fresh.lower <= warm.upper, "{what}: {warm:?} {fresh:?}");
        let wide = 1e-11 * warm.upper + 1e-13 * (a.size() + b.size());
        assert!(warm.upper - warm.lower <= wide, "{what}: {warm:?}");
        assert_eq!(fresh.upper == 0.0, warm.upper == 0.0, "{what}: {warm:?} {fresh:?}");
        assert!(self.coherence.bytes() <= 92_000, "{what}: {} bytes", self.coherence.bytes());
    }
}

/// A walk near contact: most steps small, some large, at times a jump or a rest.
fn walk(random: &mut Random, count: usize, mut visit: impl FnMut(usize, &Pose, f64)) {
    let (mut turn, mut at) = (rotation(random).normalize(), 1.9 * point(random).normalize());
    for frame in 0..count {
        let step = match random.below(12) {
            0 => 0.0,
            1 => 0.3,
            2 => 1e-9,
            _ => 0.01,
        };
        if random.below(25) == 0 {
            (turn, at) = (rotation(random).normalize(), random.range(0.5, 3.0) * point(random).normalize());
        }
        // Drawn to where the bodies almost touch.
        at += step * (point(random) + 0.3 * (2.0 - at.length()) * at.normalize_or(DVec3::X));
        turn = (DQuat::from_scaled_axis(step * point(random)) * turn).normalize();
        visit(frame, &Pose::from_quaternion(turn, at).expect("a pose"), random.range(0.0, 0.2));
    }
}

#[test]
fn fronts_of_walks_with_jumps_change_no_answer() {
    let [a, b] = torus_and_ball();
    let mut random = Random::new(21);
    let mut frames = Frames::new();
    for _ in 0..6 {
        let pose_a = pose(&mut random, point(&mut Random::new(22)));
        walk(&mut random, 45, |frame, pose_b, limit| {
            let there = Pose::from_rows(pose_b.to_rows()).expect("a pose");
            frames.check((&a, &pose_a), (&b, &there), limit, &format!("frame {frame}"));
            // What the other way round is remembered is about other trees.
            if frame % 20 == 19 {
                frames.check((&b, &there), (&a, &pose_a), limit, "swapped");
            }
        });
    }
    assert!(frames.met > 30 && frames.apart > 100, "{} {}", frames.met, frames.apart);
    assert!(frames.scratch.stats.proofs > 10_000, "{:?}", frames.scratch.stats);
}

#[test]
fn fronts_over_every_kind_of_bound_change_no_answer() {
    let [a, b] = torus_and_ball();
    let mut random = Random::new(21);
    let [mut hulls, mut oriented, mut boxes] = [(); 3].map(|()| Frames::new());
    for _ in 0..4 {
        let pose_a = pose(&mut random, point(&mut Random::new(22)));
        walk(&mut random, 40, |frame, pose_b, limit| {
            let what = format!("frame {frame}");
            hulls.check_with((&a, &a.hulls, &pose_a), (&b, &b.hulls, pose_b), limit, &what);
            oriented.check_with((&a, &a.oriented, &pose_a), (&b, &b.oriented, pose_b), limit, &what);
            boxes.check_with((&a, &a.boxes, &pose_a), (&b, &b.boxes, pose_b), limit, &what);
        });
    }
    for frames in [hulls, oriented, boxes] {
        assert!(frames.met > 10 && frames.apart > 20, "{} {}", frames.met, frames.apart);
        assert!(frames.scratch.stats.proofs > 1_000, "{:?}", frames.scratch.stats);
    }
}

/// So few triangles, and so large, that boxes hardly tell them apart.
#[test]
fn walks_of_few_large_triangles_change_no_answer() {
    // Two triangles for each side of a box.
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let bar = |at: DVec3, size: DVec3| {
        let corner =
            move |k: usize| at + size * dvec3((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2 & 1) as f64);
        faces.into_iter().flat_map(move |[p, q, r, s]| [[p, q, r], [p, r, s]].map(|t| t.map(corner)))
    };
    let comb = |scale: f64| {
        let teeth =
            (0..5).flat_map(|k| bar(dvec3(0.4 * f64::from(k) - 1.0, -0.6, -0.2), dvec3(0.15, 1.3, 0.3)));
        Body::new(&changed(soup(&teeth.collect::<Vec<_>>()), |p| scale * p))
    };
    for exponent in [0, -20, 20] {
        let scale = 2f64.powi(exponent);
        let body = comb(scale);
        let (mut random, mut frames) = (Random::new(29), Frames::new());
        for _ in 0..3 {
            let pose_a = pose(&mut random, scale * point(&mut Random::new(30)));
            walk(&mut random, 60, |frame, pose_b, limit| {
                let there = Pose::new(pose_b.rotation(), 0.7 * scale * pose_b.translation()).expect("a pose");
                frames.check((&body, &pose_a), (&body, &there), scale * limit, &format!("frame {frame}"));
            });
        }
        assert!(frames.met > 10 && frames.apart > 40, "{} {}", frames.met, frames.apart);
    }
}

#[test]
fn fronts_of_identical_flat_and_scaled_bodies_change_no_answer() {
    let mut random = Random::new(23);
    let [_, ball] = torus_and_ball();
    let sheet = |at: f64| {
        let grid = |i: u32, j: u32| dvec3(f64::from(i), f64::from(j), at) / 10.0 - dvec3(1.0, 1.0, 0.0);
        let halves = |(i, j)| {
            [
                [grid(i, j), grid(i + 1, j), grid(i + 1, j + 1)],
                [grid(i, j), grid(i + 1, j + 1), grid(i, j + 1)],
            ]
        };
        let cells = (0..20).flat_map(|i| (0..20).map(move |j| (i, j)));
        Body::new(&soup(&cells.flat_map(halves).collect::<Vec<_>>()))
    };
    for exponent in [-20, 0, 20] {
        let scale = 2f64.powi(exponent);
        let scaled = |body: &Body| Body::new(&changed(body.mesh.to_soup(), |p| scale * p));
        let (ball, flat) = (scaled(&ball), scaled(&sheet(0.0)));
        let mut frames = Frames::new();
        for frame in 0..16 {
            // Above each other, in contact now and then, sliding.
            let height = [0.0, 1e-12, 1e-3, -1e-3][frame % 4];
            let slide = dvec3(0.01 * frame as f64, 0.02 * point(&mut random).x, height);
            let there = Pose::from_translation(scale * slide).expect("a pose");
            frames.check((&flat, &Pose::IDENTITY), (&flat, &there), 1e-3 * scale, &format!("sheets {frame}"));
            let there = Pose::from_translation(scale * (slide + dvec3(2.0, 0.0, 0.0))).expect("a pose");
            frames.check((&ball, &Pose::IDENTITY), (&ball, &there), 1e-3 * scale, &format!("balls {frame}"));
        }
    }
}

#[test]
fn a_front_is_not_used_with_a_tree_of_another_structure() {
    let [mut a, b] = torus_and_ball();
    // The same mesh with a tree that was built for another one: same fingerprint, other nodes.
    let squashed = changed(a.mesh.to_soup(), |p| p * dvec3(1.0, 0.2, 1.7));
    let mut other = Body::new(&squashed);
    other.mesh = a.mesh.clone();
    other.tree.refit(&other.mesh).expect("as many triangles");
    other.tree.validate(&other.mesh).expect("a tree");
    let plain = a.mesh.clone();
    let bent = changed(plain.to_soup(), |p| p + 0.1 * p.x * p.x * DVec3::Z);
    let bent = Mesh::build(&bent, &MeshConfig::default()).expect("a mesh");
    let mut random = Random::new(24);
    let mut frames = Frames::new();
    walk(&mut random, 120, |frame, pose_b, limit| {
        if frame % 30 == 29 {
            a.mesh = if frame % 60 == 29 { bent.clone() } else { plain.clone() };
            a.tree.refit(&a.mesh).expect("as many triangles");
        }
        let body = if frame % 7 == 6 { &other } else { &a };
        frames.check((body, &Pose::IDENTITY), (&b, pose_b), limit, &format!("frame {frame}"));
    });
    assert!(frames.met > 5 && frames.apart > 20, "{} {}", frames.met, frames.apart);
}

#[test]
fn memory_of_a_front_is_bounded_however_much_is_near() {
    // Waves that follow each other at a small distance: thousands of leaves are close.
    let waves = |lift: f64| {
        let count = 70;
        let at = |i: u32, j: u32| {
            let (x, y) = (0.1 * f64::from(i), 0.1 * f64::from(j));
            dvec3(x, y, lift + 0.3 * (x * 3.0).sin() * (y * 2.0).cos())
        };
        let cells = (0..count).flat_map(|i| (0..count).map(move |j| (i, j)));
        let halves =
            |(i, j)| [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]];
        Body::new(&soup(&cells.flat_map(halves).collect::<Vec<_>>()))
    };
    let (a, b) = (waves(0.0), waves(0.02));
    let mut frames = Frames::new();
    let mut most = 0;
    for frame in 0..12 {
        let slide = dvec3(0.002 * f64::from(frame), 0.0, 0.0);
        let there = Pose::from_translation(slide).expect("a pose");
        frames.check((&a, &Pose::IDENTITY), (&b, &there), 0.001, &format!("frame {frame}"));
        most = most.max(frames.coherence.bytes());
    }
    assert!(frames.apart > 6 && most > 10_000, "{} {most}", frames.apart);
}

#[test]
fn bodies_that_almost_touch_take_few_steps_a_frame() {
    let torus = Body::new(&sample::torus(1.0, 0.4, 64, 40).expect("a sample"));
    let ball = Body::new(&sample::bumpy_sphere(1.0, 0.3, 4, 16).expect("a sample"));
    let (mut cold, mut warm, mut scratch) = (Scratch::default(), Scratch::default(), Scratch::default());
    let (mut booleans, mut distances) = (Coherence::default(), Coherence::default());
    for frame in 0..60 {
        let t = (0.1 * f64::from(frame)).sin();
        let turned = |at: f64| Pose::from_axis_angle(DVec3::ONE, 0.05 * t, dvec3(at, 0.02 * t, 0.0));
        // As near as they come without a touch.
        let far = (0..200).map(|k| 1.5 + 0.01 * f64::from(k)).find(|&at| {
            let pose = turned(at).expect("a pose");
            let pair = MeshPair::new(torus.at(&Pose::IDENTITY), ball.at(&pose));
            pair.meeting(&mut Coherence::default(), &mut scratch, |_, _| true).is_none()
        });
        let pose = turned(far.expect("apart at last")).expect("a pose");
        let pair = MeshPair::new(torus.at(&Pose::IDENTITY), ball.at(&pose));
        for (coherence, scratch) in [(&mut Coherence::default(), &mut cold), (&mut booleans, &mut warm)] {
            assert_eq!(pair.meeting(coherence, scratch, |_, _| true), None);
        }
        pair.distance(&mut Coherence::default(), &mut cold, |_, _| true);
        pair.distance(&mut distances, &mut warm, |_, _| true);
    }
    let (cold, warm) = (cold.stats, warm.stats);
    assert!(2 * warm.steps < cold.steps && 2 * warm.leaf_pairs < cold.leaf_pairs, "{cold:?} {warm:?}");
}

#[test]
fn triangles_that_were_told_apart_are_hardly_asked_about_again() {
    // Large triangles at almost the distance that is asked about, so that neither boxes nor planes tell the near ones apart.
    let torus = Body::new(&sample::torus(1.0, 0.4, 24, 10).expect("a sample"));
    let ball = Body::new(&sample::bumpy_sphere(1.0, 0.3, 4, 6).expect("a sample"));
    let (mut cold, mut warm, mut scratch) = (Scratch::default(), Scratch::default(), Scratch::default());
    for side in 0..6 {
        let mut coherence = Coherence::default();
        let axis = dvec3(1.0, f64::from(side), -2.0);
        for frame in 0..40 {
            let t = (0.1 * f64::from(frame)).sin();
            let turn = DQuat::from_axis_angle(axis.normalize(), f64::from(side) + 0.02 * t);
            let pose = Pose::from_quaternion(turn, dvec3(2.8, 0.3, 0.02 * t)).expect("a pose");
            let pair = MeshPair::new(torus.at(&Pose::IDENTITY), ball.at(&pose));
            let gap = pair.distance(&mut Coherence::default(), &mut scratch, |_, _| true).gap;
            let limit = 0.98 * gap.lower;
            for (coherence, scratch) in [(&mut Coherence::default(), &mut cold), (&mut coherence, &mut warm)]
            {
                assert_eq!(pair.within(limit, coherence, scratch, |_, _| true), None, "{side} {frame}");
            }
            if gap.lower > 0.0 {
                let found =
                    pair.within(1.01 * gap.upper, &mut Coherence::default(), &mut scratch, |_, _| true);
                assert!(found.is_some(), "{side} {frame}");
            }
        }
    }
    let (cold, warm) = (cold.stats, warm.stats);
    assert!(cold.visits > 100 && 2 * warm.visits < cold.visits, "{cold:?} {warm:?}");
}

#[test]
fn bodies_that_slide_through_each_other_are_hardly_looked_at_again() {
    let [torus, ball] = torus_and_ball();
    let (mut cold, mut warm, mut coherence) = (Scratch::default(), Scratch::default(), Coherence::default());
    let mut again = 0;
    for frame in 0..200 {
        let t = 0.01 * f64::from(frame);
        let pose =
            Pose::from_axis_angle(DVec3::ONE, 0.5 * t, dvec3(1.5 - 0.2 * t, 0.1 * t, 0.0)).expect("a pose");
        let pair = MeshPair::new(torus.at(&Pose::IDENTITY), ball.at(&pose));
        let before = warm.stats.steps;
        for (coherence, scratch) in [(&mut Coherence::default(), &mut cold), (&mut coherence, &mut warm)] {
            let found = pair.meeting(coherence, scratch, |_, _| true).expect("they overlap");
            assert_ne!(pair.crossing(found), Crossing::Apart);
        }
        again += u32::from(warm.stats.steps > before);
    }
    // Triangles that meet are left every few frames; most often others of the same leaves meet.
    assert!(
        again < 40 && 5 * warm.stats.steps < cold.stats.steps,
        "{again} {:?} {:?}",
        warm.stats,
        cold.stats
    );
}

/// Triangles of leaves that no direction keeps apart are looked at again only after the bodies moved as far as they were apart; and
/// bodies that met for a moment are still told apart by what was known before.
#[test]
fn leaves_that_are_close_are_looked_at_again_only_after_a_motion() {
    let torus = Body::new(&sample::torus(1.0, 0.4, 24, 10).expect("a sample"));
    let ball = Body::new(&sample::bumpy_sphere(1.0, 0.3, 4, 6).expect("a sample"));
    let (mut cold, mut warm, mut scratch) = (Scratch::default(), Scratch::default(), Scratch::default());
    let (mut met, mut apart) = (0, 0);
    for side in 0..6 {
        let (mut coherence, mut distances) = (Coherence::default(), Coherence::default());
        let axis = dvec3(1.0, f64::from(side), -2.0).normalize();
        let placed = |far: f64, t: f64| {
            let turn = DQuat::from_axis_angle(axis, f64::from(side) + 0.004 * t);
            Pose::from_quaternion(turn, dvec3(far, 0.3, 0.002 * t)).expect("a pose")
        };
        // Just where they begin to touch, so that they meet now and then.
        let touch = (0..400).map(|k| 1.2 + 0.005 * f64::from(k)).find(|&far| {
            let pose = placed(far, 0.0);
            let pair = MeshPair::new(torus.at(&Pose::IDENTITY), ball.at(&pose));
            pair.meeting(&mut Coherence::default(), &mut scratch, |_, _| true).is_none()
        });
        for frame in 0..100 {
            let t = (0.3 * f64::from(frame)).sin();
            let pose = placed(touch.expect("apart at last") - 0.002 + 0.006 * t, t);
            let pair = MeshPair::new(torus.at(&Pose::IDENTITY), ball.at(&pose));
            let fresh = pair.meeting(&mut Coherence::default(), &mut cold, |_, _| true).is_some();
            let found = pair.meeting(&mut coherence, &mut warm, |_, _| true).is_some();
            assert_eq!(found, fresh, "{side} {frame}");
            *(if fresh { &mut met } else { &mut apart }) += 1;
            let truth = pair.distance(&mut Coherence::default(), &mut scratch, |_, _| true).gap;
            let gap = pair.distance(&mut distances, &mut scratch, |_, _| true).gap;
            assert!(gap.lower <= truth.upper && truth.lower <= gap.upper, "{side} {frame}");
        }
    }
    let (cold, warm) = (cold.stats, warm.stats);
    assert!(met > 50 && apart > 50, "{met} {apart}");
    assert!(5 * warm.triangle_pairs < cold.triangle_pairs, "{cold:?} {warm:?}");
    assert!(5 * warm.visits < cold.visits && 10 * warm.steps < cold.steps, "{cold:?} {warm:?}");
}
