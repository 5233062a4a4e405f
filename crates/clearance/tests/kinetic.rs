//! Kinetic simulation in the plane: every collision at its time, and no other.

use clearance::glam::DVec2;
use clearance::kinetic::{
    Body, BodyId, Event, EventKind, HierarchyKind, Method, Motion, Plan, Plane, Simulation, Subscription,
};
use clearance::math::Random;
use std::collections::BTreeSet;

const METHODS: [Method; 7] = Method::ALL;

fn square() -> Vec<DVec2> {
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| DVec2::new(x, y)).to_vec()
}

fn body(points: &[DVec2], motion: Motion) -> Body {
    Body::hull_of(points, Plan::from_motion(0.0, motion).unwrap()).unwrap()
}

fn simulation(method: Method, bodies: &[Body]) -> Simulation {
    let mut simulation = Simulation::in_space(Plane { method, ..Plane::default() }, 0.0);
    simulation.subscribe(Subscription::Contacts);
    for body in bodies {
        simulation.add(body.clone());
    }
    simulation
}

/// Times at which collisions began and ended, each checked to be narrow.
fn times(simulation: &mut Simulation, until: f64) -> (Vec<f64>, Vec<f64>) {
    let (mut began, mut ended) = (Vec::new(), Vec::new());
    for event in simulation.run_until(until) {
        let time = event.time();
        assert!(time.lower <= time.upper && time.upper - time.lower <= 1e-9 * (1.0 + time.upper.abs()));
        match event {
            Event::Collision { .. } => began.push(time.upper),
            Event::Separation { .. } => ended.push(time.upper),
            Event::Certificate { .. } => {}
        }
    }
    (began, ended)
}

#[track_caller]
fn assert_times(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{found:?} for {expected:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{found} for {expected}");
    }
}

#[test]
fn a_square_passes_through_another() {
    for method in METHODS {
        let moving = Motion::linear(DVec2::new(-10.0, 0.5), DVec2::new(2.0, 0.0)).unwrap();
        let mut it = simulation(method, &[body(&square(), Motion::still()), body(&square(), moving)]);
        let (began, ended) = times(&mut it, 100.0);
        assert_times(&began, &[4.0]);
        assert_times(&ended, &[6.0]);
    }
}

#[test]
fn a_parabola_meets_three_times() {
    // A thrown point over a square: y = 4 - (t - 4)^2 ... crosses the box twice, the floor beside it once more.
    for method in METHODS {
        let thrown = Motion::translation(&[-4.0, 1.0], &[-12.0, 8.0, -1.0]).unwrap();
        let mut it = simulation(method, &[body(&square(), Motion::still()), body(&[DVec2::ZERO], thrown)]);
        // x = t - 4 in [-1, 1] means t in [3, 5]; y = 4 - (t - 4)^2 is 3 there: above, no contact.
        assert_times(&times(&mut it, 100.0).0, &[]);
        let thrown = Motion::translation(&[-4.0, 1.0], &[-15.5, 8.0, -1.0]).unwrap();
        let mut it = simulation(method, &[body(&square(), Motion::still()), body(&[DVec2::ZERO], thrown)]);
        // y = 0.5 - (t - 4)^2 >= -1 means |t - 4| <= sqrt(1.5), |x| <= 1: enters from the left at t = 3.
        let (began, ended) = times(&mut it, 100.0);
        assert_times(&began, &[3.0]);
        assert_times(&ended, &[5.0]);
    }
}

#[test]
fn a_spinning_square_hits_a_wall_when_its_corner_is_there() {
    for method in METHODS {
        let wall = [(1.2, -9.0), (3.0, -9.0), (3.0, 9.0), (1.2, 9.0)].map(|(x, y)| DVec2::new(x, y));
        let spin = Motion::spin(0.0, 1.0).unwrap();
        let mut it = simulation(method, &[body(&square(), spin), body(&wall, Motion::still())]);
        let (began, ended) = times(&mut it, 3.0);
        // The corner at angle pi/4 reaches x = 1.2 when cos(angle) = 1.2 / sqrt(2).
        let half = (1.2 / 2f64.sqrt()).acos();
        let quarter = std::f64::consts::FRAC_PI_4;
        assert_times(&began, &[quarter - half, 3.0 * quarter - half]);
        assert_times(&ended, &[quarter + half, 3.0 * quarter + half]);
    }
}

#[test]
fn a_rational_turn_agrees_with_its_angle() {
    for method in METHODS {
        let wall = [(1.2, -9.0), (3.0, -9.0), (3.0, 9.0), (1.2, 9.0)].map(|(x, y)| DVec2::new(x, y));
        let turn = Motion::half_angle(&[0.0, 1.0]).unwrap();
        let mut it = simulation(method, &[body(&square(), turn), body(&wall, Motion::still())]);
        let (began, ended) = times(&mut it, 10.0);
        let half = (1.2 / 2f64.sqrt()).acos();
        let at = |angle: f64| (0.5 * angle).tan();
        let quarter = std::f64::consts::FRAC_PI_4;
        assert_times(&began, &[at(quarter - half), at(3.0 * quarter - half)]);
        assert_times(&ended, &[at(quarter + half), at(3.0 * quarter + half)]);
    }
}

#[test]
fn sliding_and_resting_contact_is_told_once() {
    for method in METHODS {
        let lower = body(&square(), Motion::still());
        let slides = Motion::linear(DVec2::new(-10.0, 2.0), DVec2::new(1.0, 0.0)).unwrap();
        let mut it = simulation(method, &[lower.clone(), body(&square(), slides)]);
        let (began, ended) = times(&mut it, 100.0);
        assert_times(&began, &[8.0]);
        assert_times(&ended, &[12.0]);
        assert!(it.statistics().events.iter().sum::<u64>() < 40, "{:?}", it.statistics());
        let rests = Motion::translation(&[0.0], &[2.0]).unwrap();
        let mut it = simulation(method, &[lower, body(&square(), rests)]);
        assert_times(&times(&mut it, 1e6).0, &[0.0]);
        assert!(it.statistics().events.iter().sum::<u64>() < 10, "{:?}", it.statistics());
    }
}

#[test]
fn grazing_is_a_collision_that_is_over_at_once() {
    for method in METHODS {
        // A corner passes a corner at one point in time, exactly.
        let diamond = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)].map(|(x, y)| DVec2::new(x, y));
        let passes = Motion::linear(DVec2::new(2.0, -7.0), DVec2::new(0.0, 3.0)).unwrap();
        let mut it = simulation(method, &[body(&diamond, Motion::still()), body(&diamond, passes)]);
        let (began, _) = times(&mut it, 100.0);
        assert_times(&began, &[7.0 / 3.0]);
        // A parabola that touches the floor at one irrational time.
        let dips = Motion::translation(&[0.0], &[3.0, -4.0, 2.0]).unwrap();
        let mut it = simulation(method, &[body(&square(), Motion::still()), body(&square(), dips)]);
        assert_times(&times(&mut it, 100.0).0, &[1.0 - 0.5f64.sqrt()]);
        let touches = Motion::translation(&[0.0], &[5.0, -6.0, 3.0]).unwrap();
        let mut it = simulation(method, &[body(&square(), Motion::still()), body(&square(), touches)]);
        assert_times(&times(&mut it, 100.0).0, &[1.0]);
        assert!(it.statistics().count(EventKind::Collision) == 1);
    }
}

fn diamond() -> Vec<DVec2> {
    [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)].map(|(x, y)| DVec2::new(x, y)).to_vec()
}

/// A regular polygon, its vertices rounded.
fn regular(count: usize, radius: f64) -> Vec<DVec2> {
    let angle = |i: usize| std::f64::consts::TAU * (i as f64 + 0.3) / count as f64;
    (0..count).map(|i| DVec2::from_angle(angle(i)) * radius).collect()
}

fn total(simulation: &Simulation) -> u64 {
    simulation.statistics().events.iter().sum()
}

#[test]
fn a_new_plan_counts_from_when_it_is_given() {
    for method in METHODS {
        let right = Motion::linear(DVec2::new(-10.0, 0.5), DVec2::new(2.0, 0.0)).unwrap();
        let mut it = simulation(method, &[body(&square(), Motion::still()), body(&square(), right)]);
        let id = it.bodies().nth(1).unwrap().0;
        let event = it.next_event().expect("the collision");
        assert!(matches!(event, Event::Collision { .. }) && (it.now() - 4.0).abs() < 1e-12);
        // Bounce: back to the left, from where it is now.
        let back = Motion::linear(DVec2::new(-2.0, 0.5), DVec2::new(-1.0, 0.0)).unwrap();
        it.set_plan(id, Plan::from_motion(4.0, back).unwrap()).unwrap();
        let (began, ended) = times(&mut it, 7.25);
        assert_eq!((began.len(), ended.len()), (0, 1));
        assert_eq!(it.now(), 7.25);
        // And again to the right, twice as fast, through the other one: at 7.25 it is at -5.25.
        let again = Motion::linear(DVec2::new(-5.25, 0.5), DVec2::new(4.0, 0.0)).unwrap();
        it.set_plan(id, Plan::from_motion(7.25, again).unwrap()).unwrap();
        let (began, ended) = times(&mut it, 100.0);
        assert_times(&began, &[7.25 + 3.25 / 4.0]);
        assert_times(&ended, &[7.25 + 7.25 / 4.0]);
        assert!(it.remove(id).is_ok() && it.remove(id).is_err() && it.next_event().is_none());
    }
}

#[test]
fn pieces_of_a_plan_follow_each_other_and_jumps_are_examined() {
    for method in METHODS {
        let piece =
            |x: f64, y: f64, u: f64, v: f64| Motion::linear(DVec2::new(x, y), DVec2::new(u, v)).unwrap();
        // Down beside the square, a jump to its other side, then through it.
        let pieces = vec![
            (0.0, piece(5.0, 5.0, 0.0, -1.0)),
            (10.0, piece(-5.0, 0.0, 0.0, 0.0)),
            (12.0, piece(-5.0, 0.0, 1.0, 0.0)),
        ];
        let moving = Body::hull_of(&square(), Plan::from_pieces(pieces).unwrap()).unwrap();
        let mut it = simulation(method, &[body(&square(), Motion::still()), moving]);
        let (began, ended) = times(&mut it, 100.0);
        assert_times(&began, &[15.0]);
        assert_times(&ended, &[19.0]);
        // A jump into the square and out of it.
        let pieces = vec![
            (0.0, piece(5.0, 5.0, 0.0, -1.0)),
            (10.0, Motion::still()),
            (12.0, piece(9.0, 0.0, 1.0, 0.0)),
        ];
        let moving = Body::hull_of(&square(), Plan::from_pieces(pieces).unwrap()).unwrap();
        let mut it = simulation(method, &[body(&square(), Motion::still()), moving]);
        let (began, ended) = times(&mut it, 100.0);
        assert_times(&began, &[10.0]);
        assert_times(&ended, &[12.0]);
    }
}

#[test]
fn three_collisions_at_once_come_in_the_order_of_ids() {
    for method in METHODS {
        let towards = |x: f64, y: f64| {
            body(&square(), Motion::linear(DVec2::new(6.0 * x, 6.0 * y), DVec2::new(-x, -y)).unwrap())
        };
        let bodies =
            [body(&square(), Motion::still()), towards(1.0, 0.0), towards(-1.0, 0.0), towards(0.0, 1.0)];
        let mut it = simulation(method, &bodies);
        let events = it.run_until(4.0f64.next_up().next_up());
        let pairs: Vec<[u32; 2]> = events.iter().map(|event| event.bodies().map(|id| id.number())).collect();
        assert_eq!(pairs[..3], [[0, 1], [0, 2], [0, 3]], "{method:?}");
        assert!(events.iter().all(|event| event.time().lower <= 4.0 && 4.0 <= event.time().upper));
    }
}

#[test]
fn bodies_that_do_not_move_cost_nothing() {
    for method in METHODS {
        let apart = Motion::translation(&[3.0], &[1e-300]).unwrap();
        let mut it = simulation(method, &[body(&square(), Motion::still()), body(&square(), apart)]);
        assert!(it.next_event().is_none() && it.next_failure().is_none());
        let same = body(&square(), Motion::still());
        let mut it = simulation(method, &[same.clone(), same]);
        assert_times(&times(&mut it, 1e9).0, &[0.0]);
        assert!(it.next_failure().is_none());
    }
}

#[test]
fn a_turn_about_a_vertex_in_contact_is_one_contact() {
    for method in METHODS {
        // The vertex (-1, -1) rests on the floor while the square turns about it, until its edge lies down and goes through.
        let floor = [(-9.0, -3.0), (9.0, -3.0), (9.0, 0.0), (-9.0, 0.0)].map(|(x, y)| DVec2::new(x, y));
        for turn in [Motion::half_angle(&[0.125, -0.125]).unwrap(), Motion::spin(0.25, -0.25).unwrap()] {
            let turns = turn.about(DVec2::new(-1.0, -1.0)).unwrap();
            let mut it = simulation(method, &[body(&floor, Motion::still()), body(&square(), turns)]);
            let (began, ended) = times(&mut it, 3.0);
            assert_times(&began, &[0.0]);
            assert_times(&ended, &[]);
            assert!(total(&it) < 60, "{method:?} {:?}", it.statistics());
        }
    }
}

#[test]
fn what_grazes_again_and_again_makes_no_storm() {
    for method in METHODS {
        // Each vertex of the diamond touches the wall at one point in time, at irrational times but for the first.
        let wall = [(1.0, -9.0), (3.0, -9.0), (3.0, 9.0), (1.0, 9.0)].map(|(x, y)| DVec2::new(x, y));
        let spin = Motion::spin(0.0, 1.0).unwrap();
        let mut it = simulation(method, &[body(&diamond(), spin), body(&wall, Motion::still())]);
        let (began, _) = times(&mut it, 6.0);
        let quarter = std::f64::consts::FRAC_PI_2;
        assert_times(&began, &[0.0, quarter, 2.0 * quarter, 3.0 * quarter]);
        assert!(total(&it) < 200, "{method:?} {:?}", it.statistics());
        // A point that swings through the line of an edge of the diamond, beside it, and back.
        let orbit = Motion::spin(0.0, 5.0).unwrap();
        let swings = Motion::translation(&[0.25], &[]).unwrap().carried_by(&orbit).unwrap();
        let swings = swings.carried_by(&Motion::translation(&[2.0], &[-1.0]).unwrap()).unwrap();
        let mut it = simulation(method, &[body(&diamond(), Motion::still()), body(&[DVec2::ZERO], swings)]);
        assert_times(&times(&mut it, 60.0).0, &[]);
        assert!(total(&it) < 600, "{method:?} {:?}", it.statistics());
    }
}

#[test]
fn times_do_not_depend_on_scale_or_names() {
    for method in METHODS {
        let mut found = Vec::new();
        for scale in [1.0, 2f64.powi(-20), 2f64.powi(20)] {
            for swapped in [false, true] {
                let scaled = |points: Vec<DVec2>| points.into_iter().map(|p| p * scale).collect::<Vec<_>>();
                let motion =
                    Motion::translation(&[-3.0 * scale, scale], &[4.0 * scale, -scale, 0.125 * scale])
                        .unwrap()
                        .turning(&[0.0, 0.25])
                        .unwrap();
                let mut bodies =
                    [body(&scaled(regular(9, 1.0)), Motion::still()), body(&scaled(regular(7, 1.5)), motion)];
                if swapped {
                    bodies.reverse();
                }
                found.push(times(&mut simulation(method, &bodies), 20.0));
            }
        }
        assert!(found.iter().all(|times| !times.0.is_empty()));
        for other in &found {
            assert_times(&other.0, &found[0].0);
            assert_times(&other.1, &found[0].1);
        }
        assert_eq!(found[0], found[2]);
        assert_eq!(found[0], found[4]);
    }
}

#[test]
fn far_from_the_origin_nothing_is_lost() {
    for method in METHODS {
        let far = 2f64.powi(30);
        let moving = Motion::linear(DVec2::new(far - 10.0, far + 0.5), DVec2::new(2.0, 0.0)).unwrap();
        let still = Motion::translation(&[far], &[far]).unwrap();
        let mut it = simulation(method, &[body(&square(), still), body(&square(), moving)]);
        let (began, ended) = times(&mut it, 100.0);
        assert_times(&began, &[4.0]);
        assert_times(&ended, &[6.0]);
    }
}

#[test]
fn envelopes_change_less_often_than_features() {
    // Along a slanted line past a polygon with 200 edges, at a hundredth and at a thousandth of its size.
    let many = regular(200, 1.0);
    let failures = |method: Method, distance: f64| {
        let along = DVec2::new(0.8, 0.6);
        let from = -4.0 * along + along.perp() * (2.0 + distance);
        let moving = Motion::linear(from, along).unwrap();
        let mut it = simulation(method, &[body(&many, Motion::still()), body(&many, moving)]);
        assert!(it.run_until(8.0).is_empty());
        it.statistics().certificate_failures()
    };
    for distance in [0.01, 0.001] {
        let lazy = failures(Method::Lazy, distance);
        assert!(lazy <= 20, "{lazy}");
        for method in [Method::ClosestFeatures, Method::CommonTangent, Method::SeparatingEdge] {
            assert!(failures(method, distance) > lazy, "{method:?}");
        }
        assert!(failures(Method::ClosestFeatures, distance) > 100);
    }
}

#[test]
fn a_pair_takes_constant_space() {
    assert!(size_of::<clearance::kinetic::PairState>() <= 96);
}

#[test]
fn the_same_run_twice_is_the_same() {
    for method in METHODS {
        let run = || {
            let motion = |i: f64| {
                Motion::linear(
                    DVec2::new(7.0 * (i * 1.7).cos(), 7.0 * (i * 1.7).sin()),
                    DVec2::new(-(i * 1.7).cos(), 0.3 - (i * 1.7).sin()),
                )
                .unwrap()
                .spinning(i, 0.5)
                .unwrap()
            };
            let bodies: Vec<Body> = (0..5).map(|i| body(&regular(5 + i, 1.0), motion(i as f64))).collect();
            let mut it = simulation(method, &bodies);
            it.subscribe(Subscription::Certificates);
            let events = it.run_until(20.0);
            (format!("{events:?}"), *it.statistics())
        };
        assert_eq!(run(), run());
    }
}

#[test]
fn after_an_event_an_inflated_certificate_lasts() {
    // A point circles a polygon at a fifth of its radius: it moves at least distance / beta from event to event (Lemma 6.1).
    let (distance, radius) = (0.2, 1.2);
    let orbit = Motion::spin(0.0, 1.0).unwrap();
    let circles = Motion::translation(&[radius], &[]).unwrap().carried_by(&orbit).unwrap();
    let mut it = simulation(
        Method::Inflated,
        &[body(&regular(256, 1.0), Motion::still()), body(&[DVec2::ZERO], circles)],
    );
    it.subscribe(Subscription::Certificates);
    let mut last = None;
    let beta = 2.0 * (1.0 + 2f64.sqrt());
    for event in it.run_until(6.25) {
        let Event::Certificate { kind, time, .. } = event else { panic!("no contact") };
        if kind.is_certificate_failure() {
            if let Some(last) = last {
                assert!((time.lower - last) * radius >= distance / beta, "{last} {time:?}");
            }
            last = Some(time.upper);
        }
    }
    assert!(last.is_some() && it.statistics().certificate_failures() < 40);
}

#[test]
fn a_contact_that_grazes_at_the_start_is_left_behind() {
    // Values and slopes are zero at the start: looked at float by float, times near zero would never end.
    let shapes = [
        [(-2.0, -1.0), (2.0, -1.0), (3.0, 3.0), (-1.0, 3.0)],
        [(-2.0, -2.0), (3.0, -1.0), (1.0, 0.0), (-2.0, -1.0)],
    ];
    let moon = |rate: f64| {
        let turning = Motion::translation(&[2.0], &[]).unwrap().spinning(0.0, 2.0).unwrap();
        turning.carried_by(&Motion::spin(0.0, rate).unwrap()).unwrap()
    };
    for method in METHODS {
        let bodies = [0, 1].map(|i| {
            let points = shapes[i].map(|(x, y)| DVec2::new(x, y));
            body(&points, moon([-1.759906335129066, 1.2495180989519472][i]))
        });
        let mut it = simulation(method, &bodies);
        assert_times(&times(&mut it, 0.5).0, &[0.0]);
        assert!(total(&it) < 40, "{method:?} {:?}", it.statistics());
    }
}

#[test]
fn updates_do_not_look_at_all_of_the_polygons() {
    let many = regular(500, 1.0);
    // A line, a circle around, rolling around, turning uniformly: as far as a hundredth of the size.
    let line = Motion::linear(DVec2::new(-3.2, 2.01), DVec2::new(6.4, 0.0)).unwrap();
    let around = Motion::half_angle(&[-8.0, 16.0]).unwrap();
    let beside = || Motion::translation(&[2.02], &[]).unwrap();
    let orbit = beside().turning(&[8.0, -16.0]).unwrap().carried_by(&around).unwrap();
    let roll = beside().turning(&[-1.0, 2.0]).unwrap().carried_by(&around).unwrap();
    let spin = beside().spinning(0.0, 6.0).unwrap();
    let still = body(&many, Motion::still());
    for (name, motion) in [("line", line), ("orbit", orbit), ("roll", roll), ("spin", spin)] {
        let moving = Body::of_shape(still.shape().clone(), Plan::from_motion(0.0, motion).unwrap());
        for method in METHODS {
            let mut it = simulation(method, &[still.clone(), moving.clone()]);
            let before = *it.statistics();
            assert!(it.run_until(1.0).is_empty(), "{method:?} {name}");
            let after = it.statistics();
            let (signs, events) = (after.signs - before.signs, after.certificate_failures());
            assert_eq!(after.rebuilds, before.rebuilds, "{method:?} {name}");
            let lazily = after.count(EventKind::Push) + after.count(EventKind::Stab);
            assert!(method != Method::ActiveCell || lazily == 0, "no cell: {name}");
            // Events once around, and each within O(log n): two hierarchies of 18 levels, a few edges of each.
            assert!(signs <= 420 * events, "{method:?} {name}: {signs} signs of {events} events");
            let mean = after.update_steps as f64 / events.max(1) as f64;
            println!(
                "{method:?} {name}: {events} events, {:.1} signs, {mean:.1} steps each",
                signs as f64 / events.max(1) as f64
            );
        }
    }
}

#[test]
fn active_cells_follow_uniform_turns() {
    let many = regular(60, 1.0);
    let turns =
        Motion::linear(DVec2::new(-3.0, 2.01), DVec2::new(2.0, 0.0)).unwrap().spinning(0.0, 2.0).unwrap();
    let mut it = simulation(Method::ActiveCell, &[body(&many, Motion::still()), body(&many, turns)]);
    assert!(it.run_until(3.0).is_empty());
    let count = |kind: EventKind| it.statistics().count(kind);
    // Page turns, and boundaries crossed both ways: no other method has all of them.
    let kinds = [EventKind::Roll, EventKind::Inner, EventKind::Outer].map(count);
    assert!(kinds.iter().all(|&count| count > 2), "{kinds:?}");
    assert_eq!(count(EventKind::Push) + count(EventKind::Stab), 0);
    assert_eq!(it.statistics().rebuilds, 1);
}

#[test]
fn a_body_that_is_not_convex_takes_part_through_its_hull() {
    // An angle of two arms, open to the upper right, and a small square that flies into the opening without touching an arm.
    let angle = [(0.0, 0.0), (6.0, 0.0), (6.0, 1.0), (1.0, 1.0), (1.0, 6.0), (0.0, 6.0)];
    let angle = angle.map(|(x, y)| DVec2::new(x, y));
    let small: Vec<DVec2> = square().into_iter().map(|p| p * 0.25).collect();
    for method in METHODS {
        let flies = Motion::linear(DVec2::new(10.0, 10.0), DVec2::new(-1.0, -1.0)).unwrap();
        let mut it = simulation(method, &[body(&angle, Motion::still()), body(&small, flies)]);
        assert_eq!(it.body(it.bodies().next().unwrap().0).unwrap().polygon().vertices().len(), 5);
        // The hull's slanted side is x + y = 7; the square's corner is there when 2 (10 - t) - 0.5 = 7.
        let (began, _) = times(&mut it, 8.0);
        assert_times(&began, &[6.25]);
        // At middle distance nothing is lost: past the hull there is no collision.
        let passes = Motion::linear(DVec2::new(10.0, -2.0), DVec2::new(-1.0, 0.9)).unwrap();
        let mut it = simulation(method, &[body(&angle, Motion::still()), body(&small, passes)]);
        let gap = |t: f64| 10.0 - t - 2.0 + 0.9 * t - 0.5 - 7.0;
        assert!(gap(4.0) > 0.0 && gap(6.0) < 0.0);
        assert_eq!(times(&mut it, 4.0).0.len(), 0);
    }
}

#[test]
fn after_an_event_inflated_certificates_of_two_polygons_last() {
    // Translational and rotational hysteresis: between events the bodies move by a part of their distance d, or turn by a part of d/D.
    let (n, diameter) = (256, 2.0);
    let many = regular(n, 1.0);
    let around = Motion::half_angle(&[-8.0, 16.0]).unwrap();
    for distance in [0.4, 0.1, 0.04] {
        let beside = || Motion::translation(&[2.0 + distance], &[]).unwrap();
        let rolls = beside().turning(&[-1.0, 2.5]).unwrap().carried_by(&around).unwrap();
        let turns = beside().turning(&[-6.0, 12.0]).unwrap();
        for (name, motion) in [("rolls", rolls), ("turns", turns)] {
            let mut it =
                simulation(Method::Inflated, &[body(&many, Motion::still()), body(&many, motion.clone())]);
            it.subscribe(Subscription::Certificates);
            let place = |t: f64| {
                let at = motion.position_near(DVec2::ZERO, t);
                (at, (motion.position_near(DVec2::X, t) - at).to_angle())
            };
            let (mut last, mut least): (Option<(DVec2, f64)>, f64) = (None, f64::INFINITY);
            for event in it.run_until(1.0) {
                let Event::Certificate { kind, time, .. } = event else { panic!("no contact") };
                if !kind.is_certificate_failure() {
                    continue;
                }
                let now = place(time.upper);
                if let Some((at, angle)) = last {
                    let turn = (now.1 - angle).sin().abs();
                    least = least.min((now.0.distance(at) + diameter * turn) / distance);
                }
                last = Some(now);
            }
            println!(
                "{name} {distance}: {} events, at least {least:.3} d",
                it.statistics().certificate_failures()
            );
            assert!(least >= 1.0, "{name} {distance}: {least}");
        }
    }
}

/// The fuzz target `kinetic` with random numbers: bodies come and go and change their plans; every proof holds, and what meets was told.
#[test]
fn bodies_come_and_go_and_change_their_plans() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let method = METHODS[seed as usize % METHODS.len()];
        let hierarchy = [HierarchyKind::Compass, HierarchyKind::Dudley][random.below(2) as usize];
        let mut it = Simulation::in_space(Plane { method, hierarchy }, 0.0);
        it.subscribe(Subscription::Contacts);
        let (mut ids, mut met) = (Vec::new(), BTreeSet::<[BodyId; 2]>::new());
        for _ in 0..16 {
            let which = random.below(ids.len().max(1) as u64) as usize;
            match random.below(6) {
                0 | 1 if ids.len() < 4 => {
                    let points: Vec<DVec2> = (0..=random.below(7)).map(|_| any_point(&mut random)).collect();
                    let plan = any_plan(&mut random, it.now());
                    ids.push(it.add(Body::hull_of(&points, plan).unwrap()));
                }
                2 if !ids.is_empty() => {
                    let id = ids.remove(which);
                    assert!(it.remove(id).is_ok() && it.remove(id).is_err());
                    met.retain(|&[a, b]| a != id && b != id);
                }
                3 if !ids.is_empty() => it.set_plan(ids[which], any_plan(&mut random, it.now())).unwrap(),
                _ => {}
            }
            for event in it.run_until(it.now() + random.below(256) as f64 / 64.0) {
                match event {
                    Event::Collision { bodies, .. } => drop(met.insert(bodies)),
                    Event::Separation { bodies, .. } => {
                        assert!(met.remove(&bodies), "{seed}: not told before")
                    }
                    Event::Certificate { .. } => panic!("not subscribed"),
                }
            }
            for (i, &a) in ids.iter().enumerate() {
                for &b in &ids[i + 1..] {
                    assert_eq!(it.proof_holds(a, b), Some(true), "{seed} {method:?}");
                    let meets = it.meet(a, b) == Some(true);
                    assert!(!meets || met.contains(&[a.min(b), a.max(b)]), "{seed} {method:?}: not told");
                }
            }
            assert!(total(&it) < 20_000, "{seed} {method:?}: {:?}", it.statistics());
        }
    }
}

/// Often of few bits, so that things touch.
fn any_number(random: &mut Random) -> f64 {
    match random.below(3) {
        0 => random.below(9) as f64 - 4.0,
        1 => random.below(65) as f64 / 8.0 - 4.0,
        _ => random.range(-4.0, 4.0),
    }
}

fn any_point(random: &mut Random) -> DVec2 {
    DVec2::new(any_number(random), any_number(random))
}

fn any_plan(random: &mut Random, now: f64) -> Plan {
    let piece = |i: u64, random: &mut Random| {
        let degree = random.below(3);
        let [x, y] = [0, 1].map(|_| (0..=degree).map(|_| any_number(random)).collect::<Vec<f64>>());
        let motion = Motion::translation(&x, &y).unwrap();
        let turn = [0, 1].map(|_| any_number(random) / 2.0);
        let motion = match random.below(4) {
            0 | 1 => motion,
            2 => motion.turning(&turn).unwrap(),
            _ => motion.spinning(turn[0], turn[1]).unwrap(),
        };
        (now + i as f64 / 2.0, motion)
    };
    Plan::from_pieces((0..=random.below(2)).map(|i| piece(i, random)).collect()).unwrap()
}
