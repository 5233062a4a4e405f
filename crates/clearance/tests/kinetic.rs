//! Kinetic simulation in the plane: every collision at its time, and no other.

use clearance::glam::DVec2;
use clearance::kinetic::{Body, Event, EventKind, Method, Motion, Plan, Plane, Simulation, Subscription};

const METHODS: [Method; 3] = [Method::SeparatingEdge, Method::CommonTangent, Method::ClosestFeatures];

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
