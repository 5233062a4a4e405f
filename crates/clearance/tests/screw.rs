//! Bodies that turn: cases that others get wrong, motions that are hard, and bodies of every kind.

use clearance::Pose;
use clearance::body::Body;
use clearance::glam::{DQuat, DVec3};
use clearance::math::{Random, Screw, SteadyMotion};
use clearance::pair::Convex;
use clearance::screw::{
    ContactKind, ContactsConfig, Kept, Motion, Moving, ScrewOutcome, ScrewStats, Surface, contacts,
    contacts_with, first_contact, first_contact_of_surfaces, first_contact_with, simultaneous,
};
use clearance::shape::{
    Capsule, Cone, Cylinder, Ellipsoid, Mesh, MeshConfig, Polytope, Primitive, Rounded, Shape, Sphere,
    TriangleSoup, sample,
};
use std::f64::consts::{FRAC_PI_2, PI};

fn cuboid(half: DVec3) -> Body {
    let corner = |i: u32| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) * 2.0 - 1.0;
    let points: Vec<DVec3> = (0..8).map(|i| corner(i) * half).collect();
    Body::Convex(Convex::from_polytope(Polytope::hull(&points).unwrap()))
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z)).unwrap()
}

fn bracket(outcome: ScrewOutcome) -> [f64; 2] {
    outcome.bracket().unwrap_or_else(|| panic!("{outcome:?}"))
}

/// FCL's screw motion divides by the angle: without a turn it reports 0.02125.
#[test]
fn a_screw_without_a_turn_is_a_translation() {
    let cube = cuboid(DVec3::splat(0.5));
    let to = Pose::new(Pose::IDENTITY.rotation(), DVec3::new(-10.5, 0.0, 0.0)).unwrap();
    let from = at(9.5, 0.0, 0.0);
    let (screw, off) = Screw::between(&from, &to);
    assert!(off.within(1.0) < 1e-14);
    let found = first_contact(&cube, &Pose::IDENTITY, &Motion::AtRest, &cube, &from, &screw.into()).unwrap();
    let [lower, upper] = bracket(found);
    assert!(lower <= 0.425 && 0.425 <= upper && upper - lower <= 1e-9, "{lower} {upper}");
}

/// By separating axes with 40 digits, for the decimals below, quaternions normalised.
const TRUTH: f64 = 0.09393358396433704;

/// Boxes that parry's cast lets pass through each other: the corner that meets first turns away from the line of flight.
#[test]
fn large_boxes_that_spin_past_each_other_meet() {
    let moving = cuboid(DVec3::new(235.0, 105.0, 110.0));
    let resting = cuboid(DVec3::new(650.0, 330.0, 275.0));
    let quaternion = |w: f64, x: f64, y: f64, z: f64| DQuat::from_xyzw(x, y, z, w).normalize();
    let start = Pose::from_quaternion(
        quaternion(-0.542044, 5.3359954e-20, 9.459897e-20, -0.84035015),
        DVec3::new(6458.7905, -209.1331, 1014.52124),
    )
    .unwrap();
    let there = Pose::from_quaternion(
        quaternion(0.99999607, 0.002524775, -0.00026210435, -0.0012064485),
        DVec3::new(6079.4917, -849.3108, 853.8756),
    )
    .unwrap();
    let center = start.apply(DVec3::new(99.97085, -2.2888184e-05, -35.0));
    let linear = DVec3::new(588.2583, -553.06335, 471.54688);
    let motion = SteadyMotion::from_velocities(linear, DVec3::new(0.0, 0.0, -1.770823), center).unwrap();
    let found = first_contact(&moving, &start, &motion.into(), &resting, &there, &Motion::AtRest).unwrap();
    let [lower, upper] = bracket(found);
    assert!(lower <= TRUTH && TRUTH <= upper && upper - lower <= 1e-9, "{lower} {upper}");
    let found = first_contact(&resting, &there, &Motion::AtRest, &moving, &start, &motion.into()).unwrap();
    let [lower, upper] = bracket(found);
    assert!(lower <= TRUTH && TRUTH <= upper && upper - lower <= 1e-9, "{lower} {upper}");
}

/// A ball on an arm meets what a closed form says, in every kind of body.
#[test]
fn curved_bodies_meet_when_closed_forms_say() {
    let primitive = |p: Primitive| Body::try_from(&Shape::from(p)).unwrap();
    // At the end of an arm of length 3, turning from the first axis to the second, where a wall of height 2 rests at y = 1.
    let wall = cuboid(DVec3::new(5.0, 1.0, 5.0));
    let below = at(0.0, 3.0, 0.0);
    let turn = Screw::new(DVec3::Z, DVec3::ZERO, FRAC_PI_2, 0.0).unwrap();
    let start = at(3.0, 0.0, 0.0);
    let balls: [(Body, f64); 4] = [
        (primitive(Sphere::new(0.5).unwrap().into()), 0.5),
        (primitive(Ellipsoid::new(DVec3::splat(0.5)).unwrap().into()), 0.5),
        (primitive(Capsule::new(2.0, 0.5).unwrap().into()), 0.5),
        (primitive(Cylinder::new(2.0, 0.5).unwrap().into()), 0.5),
    ];
    let soup = sample::torus(9.0, 2.0, 24, 12).unwrap();
    let ring = Body::try_from(&Shape::from(Mesh::build(&soup, &MeshConfig::default()).unwrap())).unwrap();
    for (ball, radius) in &balls {
        // The axis of capsule and cylinder is the one it turns about: round about it, all are discs.
        let time = ((2.0 - radius) / 3.0_f64).asin() / FRAC_PI_2;
        let found = first_contact(&wall, &below, &Motion::AtRest, ball, &start, &turn.into()).unwrap();
        let [lower, upper] = bracket(found);
        assert!(
            lower <= time && time <= upper && upper - lower <= 1e-9,
            "{}: {lower} {time}",
            ball.kind_name()
        );
        let found = first_contact(ball, &start, &turn.into(), &wall, &below, &Motion::AtRest).unwrap();
        assert!(bracket(found)[0] <= time && time <= bracket(found)[1]);
        // In the hole of a ring of radius 9 and tube 2 nothing is met.
        let tilt = Pose::from_axis_angle(DVec3::X, FRAC_PI_2, DVec3::new(6.0, 0.0, 0.0)).unwrap();
        let wide = Screw::new(DVec3::Z, DVec3::ZERO, 0.5, 0.0).unwrap();
        let inside =
            first_contact(&ring, &tilt, &Motion::AtRest, ball, &at(6.0, 0.0, 0.0), &wide.into()).unwrap();
        assert_eq!(inside, ScrewOutcome::None, "{}", ball.kind_name());
    }
    let cone = primitive(Cone::new(1.0, 0.5).unwrap().into());
    let found = first_contact(&wall, &below, &Motion::AtRest, &cone, &start, &turn.into()).unwrap();
    bracket(found);
    let rounded = Rounded::new(Polytope::hull(&[DVec3::ZERO, DVec3::Z]).unwrap(), 0.5).unwrap();
    let rounded = Body::try_from(&Shape::from(rounded)).unwrap();
    let found = first_contact(&wall, &below, &Motion::AtRest, &rounded, &start, &turn.into()).unwrap();
    let time = (1.5 / 3.0_f64).asin() / FRAC_PI_2;
    assert!(bracket(found)[0] <= time && time <= bracket(found)[1]);
}

#[test]
fn a_half_space_may_be_the_one_that_turns() {
    let floor = Body::try_from(&Shape::from(Primitive::from(
        clearance::shape::HalfSpace::new(DVec3::Y, 0.0).unwrap(),
    )))
    .unwrap();
    let cube = cuboid(DVec3::splat(0.5));
    // The floor is tipped up about the third axis until it meets a cube of which the near corner is at (1.5, 1.5).
    let tip = Screw::new(DVec3::Z, DVec3::ZERO, FRAC_PI_2, 0.0).unwrap();
    let there = at(2.0, 2.0, 0.0);
    let found = first_contact(&floor, &Pose::IDENTITY, &tip.into(), &cube, &there, &Motion::AtRest).unwrap();
    let time = (1.5_f64 / 2.5).atan() / FRAC_PI_2;
    let [lower, upper] = bracket(found);
    assert!(lower <= time && time <= upper && upper - lower <= 1e-9, "{lower} {time} {upper}");
}

#[test]
fn bodies_that_meet_at_the_start_are_told_so() {
    let cube = cuboid(DVec3::splat(0.5));
    let screw = Motion::Screw(Screw::new(DVec3::Z, DVec3::ZERO, 1.0, 0.3).unwrap());
    let ask = |x: f64| {
        first_contact(&cube, &Pose::IDENTITY, &Motion::AtRest, &cube, &at(x, 0.0, 0.0), &screw).unwrap()
    };
    assert_eq!(ask(1.0), ScrewOutcome::TouchingAtStart);
    assert_eq!(ask(0.5), ScrewOutcome::OverlappingAtStart);
    assert_eq!(ask(1.0 + f64::EPSILON), ask(1.0 + f64::EPSILON));
}

/// Corner to corner: cubes turned onto their corners that pass each other by a hair, or meet by one.
#[test]
fn boxes_passing_corner_to_corner_are_told_apart_by_a_hair() {
    let cube = cuboid(DVec3::splat(0.5));
    let surface = Surface::new(&cube).unwrap();
    // About an axis in the plane of a face: half a diagonal.
    let reach = 0.5_f64.sqrt();
    let turned = Pose::from_axis_angle(DVec3::Z, PI / 4.0, DVec3::ZERO).unwrap();
    for (gap, meets) in [(1e-12, false), (-1e-12, true)] {
        let there = Pose::new(turned.rotation(), DVec3::new(2.0 * reach + gap, -3.0, 0.1)).unwrap();
        let up = Screw::new(DVec3::Y, DVec3::ZERO, 0.0, 6.0).unwrap();
        let found = first_contact(&cube, &turned, &Motion::AtRest, &cube, &there, &up.into()).unwrap();
        let by_features =
            first_contact_of_surfaces(&surface, &turned, &surface, &there, &up, &mut ScrewStats::default());
        for found in [found, by_features] {
            match found {
                ScrewOutcome::None => assert!(!meets, "missed"),
                ScrewOutcome::Hit(impact) => {
                    assert!(meets && (impact.lower - 0.5).abs() < 1e-9, "{impact:?}")
                }
                ScrewOutcome::Undecided { lower, .. } => assert!((lower - 0.5).abs() < 1e-6, "{lower}"),
                other => panic!("{other:?}"),
            }
        }
    }
}

/// Boxes with parallel sides, of which faces and edges are flush: nearly all of them are decided.
#[test]
fn boxes_that_are_lined_up_are_decided() {
    let mut random = Random::new(3);
    let mut undecided = 0;
    for _ in 0..400 {
        let mut whole = |least: u64, most: u64| (least + random.below(most - least + 1)) as f64;
        let [half_a, half_b] = [(); 2].map(|()| DVec3::new(whole(1, 3), whole(1, 3), whole(1, 3)) * 0.5);
        let start = at(whole(4, 6), whole(0, 2), whole(0, 1));
        let center = DVec3::new(whole(0, 3), whole(0, 3) + 1.0, 0.0);
        let axis = [DVec3::Z, -DVec3::Z, DVec3::Y][random.below(3) as usize];
        let turn = [FRAC_PI_2, PI, 1.0][random.below(3) as usize];
        let shift = [0.0, 0.0, 1.0][random.below(3) as usize];
        let screw = Screw::new(axis, center, turn, shift).unwrap();
        let (a, b) = (cuboid(half_a), cuboid(half_b));
        let found = first_contact(&a, &Pose::IDENTITY, &Motion::AtRest, &b, &start, &screw.into()).unwrap();
        undecided += usize::from(matches!(found, ScrewOutcome::Undecided { .. }));
    }
    // Those that slide along each other before they part, or touch in passing.
    assert!(undecided <= 20, "{undecided}");
}

/// The first contact of a step is the first of all contacts, and the same from every view.
#[test]
fn scales_and_places_do_not_matter() {
    let mut random = Random::new(7);
    for _ in 0..20 {
        let mut vector =
            || DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0));
        let (axis, center) = (vector(), vector());
        let [half_a, half_b] = [vector().abs() + 0.1, vector().abs() + 0.1];
        let start = Pose::from_axis_angle(vector(), 2.0, DVec3::new(3.0, 0.0, 0.0)).unwrap();
        let mut answers = Vec::new();
        for scale in [1.0, 2f64.powi(20), 2f64.powi(-20)] {
            let screw = Screw::new(axis, center * scale, 5.0, 1.0 * scale).unwrap();
            let there = Pose::new(start.rotation(), start.translation() * scale).unwrap();
            let (a, b) = (cuboid(half_a * scale), cuboid(half_b * scale));
            let found =
                first_contact(&a, &Pose::IDENTITY, &Motion::AtRest, &b, &there, &screw.into()).unwrap();
            answers.push(found.bracket());
        }
        let overlap = |x: Option<[f64; 2]>, y: Option<[f64; 2]>| match (x, y) {
            (Some(x), Some(y)) => x[0] <= y[1] && y[0] <= x[1],
            (x, y) => x == y,
        };
        assert!(overlap(answers[0], answers[1]) && overlap(answers[0], answers[2]), "{answers:?}");
    }
}

#[test]
fn the_same_question_has_the_same_bits_and_groups_are_runs() {
    let soup = sample::torus(2.0, 0.6, 20, 12).unwrap();
    let ring = Body::try_from(&Shape::from(Mesh::build(&soup, &MeshConfig::default()).unwrap())).unwrap();
    let ring = Surface::new(&ring).unwrap();
    let start = Pose::from_axis_angle(DVec3::X, 1.0, DVec3::new(6.0, 0.3, 0.2)).unwrap();
    let screw = Screw::new(DVec3::new(-1.0, 0.1, 0.2), DVec3::ZERO, 0.7, 2.0).unwrap();
    let all = ContactsConfig { kept: Kept::All, ..ContactsConfig::default() };
    let ask = |config: &ContactsConfig| {
        contacts(&ring, &Pose::IDENTITY, &ring, &start, &screw, Moving::Second, config)
    };
    let every = ask(&all);
    assert_eq!(every, ask(&all));
    assert!(every.len() > 100 && every.is_sorted_by(|x, y| x.lower <= y.lower), "{}", every.len());
    let groups = simultaneous(&every, 0.01);
    assert!(groups.len() > 1 && groups.len() < every.len());
    assert!(groups.iter().all(|group| every[group.end - 1].lower <= every[group.start].upper + 0.01));
    let found = ask(&ContactsConfig::default());
    assert!(found.len() < every.len());
    assert!(found.iter().all(|contact| contact.is_entering && contact.properness >= -0.1));
    let [x, y] = [&every[0], &found[0]];
    assert_eq!((x.lower, x.feature_a, x.feature_b), (y.lower, y.feature_a, y.feature_b));
    assert!(y.properness >= 0.0, "the first contact is proper: {y:?}");
}

/// A bolt that turns in its nut does not meet it; pulled straight out it jams once the clearance is used up.
#[test]
fn a_bolt_turns_in_its_nut_and_jams_if_it_is_pulled() {
    let config = sample::ThreadConfig { length: 10.0, segments: 36, ..sample::ThreadConfig::default() };
    let [bolt, nut] = [sample::bolt(&config).unwrap(), sample::nut(&config).unwrap()].map(|soup| {
        Body::try_from(&Shape::from(Mesh::build(&soup, &MeshConfig::default()).unwrap())).unwrap()
    });
    let ask = |angle: f64, shift: f64| {
        let screw = Screw::new(DVec3::Z, DVec3::ZERO, angle, shift).unwrap();
        first_contact(&nut, &Pose::IDENTITY, &Motion::AtRest, &bolt, &Pose::IDENTITY, &screw.into()).unwrap()
    };
    let angle = 0.2;
    assert_eq!(ask(angle, config.pitch * angle / std::f64::consts::TAU), ScrewOutcome::None);
    for shift in [config.pitch, -config.pitch] {
        let [lower, _] = bracket(ask(0.0, shift));
        assert!(lower > 0.0 && lower < 0.25, "{lower}");
    }
}

/// Planes that move with faces and edges come to the contact as Newton's method does: few steps for a bracket of `1e-9`.
#[test]
fn boxes_meet_after_few_steps() {
    let mut random = Random::new(5);
    let (mut stats, mut hits, cases) = (ScrewStats::default(), 0, 400);
    for _ in 0..cases {
        let mut vector =
            || DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0));
        let (a, b) = (cuboid(vector().abs() + 0.1), cuboid(vector().abs() + 0.1));
        let start = Pose::from_axis_angle(vector(), 2.0, DVec3::new(4.0, 0.0, 0.0)).unwrap();
        let turn = Pose::from_axis_angle(vector(), 0.8, 0.5 * vector()).unwrap();
        let end = Pose::new(turn.rotation() * start.rotation(), turn.translation()).unwrap();
        let motion = Motion::Screw(Screw::between(&start, &end).0);
        let found = first_contact_with(&a, &Pose::IDENTITY, &Motion::AtRest, &b, &start, &motion, &mut stats)
            .unwrap();
        hits += usize::from(found.bracket().is_some());
    }
    assert!(hits > cases * 9 / 10, "{hits}");
    assert!(stats.steps < 12 * cases as u64, "{stats:?}");
}

/// A screw keeps radius and rise of every point, so a thread in its own thread is rejected by its profile: far fewer pairs of
/// triangles than triangles are left.
#[test]
fn threads_that_turn_in_each_other_are_told_apart_by_their_profiles() {
    let config = sample::ThreadConfig { length: 10.0, segments: 36, ..sample::ThreadConfig::default() };
    let [bolt, nut] = [sample::bolt(&config).unwrap(), sample::nut(&config).unwrap()].map(|soup| {
        let mesh = Mesh::build(&soup, &MeshConfig::default()).unwrap();
        Surface::new(&Body::try_from(&Shape::from(mesh)).unwrap()).unwrap()
    });
    let angle = 0.5;
    let screw = Screw::new(DVec3::Z, DVec3::ZERO, angle, config.pitch * angle / (2.0 * PI)).unwrap();
    let (at, config, mut stats) = (Pose::IDENTITY, ContactsConfig::default(), ScrewStats::default());
    let found = contacts_with(&nut, &at, &bolt, &at, &screw, Moving::Second, &config, &mut stats);
    assert!(found.is_empty(), "{found:?}");
    let triangles = (bolt.triangle_count() + nut.triangle_count()) as u64;
    assert!(stats.cells < triangles && stats.nodes + stats.slabs < 60 * triangles, "{triangles} {stats:?}");
}

/// Faces that land on each other in a lattice meet in vertices and edges at once: whichever body is called A, in the same order.
#[test]
fn ties_come_in_the_same_order_if_bodies_are_exchanged() {
    let cube = Surface::new(&cuboid(DVec3::splat(0.5))).unwrap();
    let (here, there) = (Pose::IDENTITY, at(0.25, 0.25, 3.0));
    let fall = Screw::new(-DVec3::Z, DVec3::ZERO, 0.0, 4.0).unwrap();
    let all = ContactsConfig { kept: Kept::All, ..ContactsConfig::default() };
    let found = contacts(&cube, &here, &cube, &there, &fall, Moving::Second, &all);
    let swapped = contacts(&cube, &there, &cube, &here, &fall, Moving::First, &all);
    assert_eq!(found.len(), swapped.len());
    for (x, y) in found.iter().zip(&swapped) {
        assert_eq!((x.lower, x.feature_a, x.feature_b), (y.lower, y.feature_b, y.feature_a));
        assert_eq!((x.point, x.normal, x.properness), (y.point, -y.normal, y.properness));
    }
    let first: Vec<_> =
        found.iter().filter(|contact| contact.lower == found[0].lower).map(|c| c.kind).collect();
    assert!(first.len() >= 2 && first.contains(&ContactKind::VertexFace), "{found:#?}");
    assert!(first.contains(&ContactKind::FaceVertex) && first.is_sorted(), "{first:?}");
}

/// What spins on its own axis over a floor does not come nearer to it, however near it is and however fast it spins.
#[test]
fn a_box_that_spins_above_a_floor_does_not_meet_it() {
    let (floor, cube) = (cuboid(DVec3::new(5.0, 5.0, 1.0)), cuboid(DVec3::splat(0.5)));
    let tilt = Pose::from_axis_angle(DVec3::new(1.0, 2.0, -0.5), 0.7, DVec3::new(0.3, -4.0, 2.0)).unwrap();
    for gap in [1e-3, 1e-6, 1e-9, 1e-12] {
        for angle in [1e-3, 1.0, 30.0] {
            for frame in [Pose::IDENTITY, tilt] {
                let start = at(0.3, 0.2, 1.5 + gap);
                let placed = |pose: Pose| {
                    Pose::nearest((frame * pose).rotation(), (frame * pose).translation()).unwrap()
                };
                let center = frame.apply(DVec3::new(0.3, 0.2, 0.0));
                let spin = Screw::new(frame.apply_vector(DVec3::Z), center, angle, 0.0).unwrap();
                let (a, b) = (placed(Pose::IDENTITY), placed(start));
                for found in [
                    first_contact(&floor, &a, &Motion::AtRest, &cube, &b, &spin.into()).unwrap(),
                    first_contact(&cube, &b, &spin.into(), &floor, &a, &Motion::AtRest).unwrap(),
                    first_contact(&cube, &b, &Motion::AtRest, &floor, &a, &spin.into()).unwrap(),
                ] {
                    assert_eq!(found, ScrewOutcome::None, "{gap} {angle}");
                }
            }
        }
    }
}

/// The normal of a first contact is that of the face, or across the edges, that meet: as all pairs of features say.
#[test]
fn normals_of_first_contacts_are_those_of_faces_and_edges() {
    let mut random = Random::new(6);
    let mut compared = 0;
    for case in 0..400 {
        let mut vector =
            || DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0));
        let (a, b) = (cuboid(vector().abs() + 0.1), cuboid(vector().abs() + 0.1));
        let start = match case % 2 {
            0 => Pose::from_axis_angle(vector(), 2.0, DVec3::new(4.0, 0.0, 0.0)).unwrap(),
            _ => at(4.0, 0.3, 0.2),
        };
        let turn = Pose::from_axis_angle(vector(), 0.8, 0.5 * vector()).unwrap();
        let end = Pose::new(turn.rotation() * start.rotation(), turn.translation()).unwrap();
        let screw = match case % 4 {
            // Face on face.
            3 => Screw::new(-DVec3::X, start.translation(), [0.0, 0.5][case / 4 % 2], 4.0).unwrap(),
            _ => Screw::between(&start, &end).0,
        };
        let found = first_contact(&a, &Pose::IDENTITY, &Motion::AtRest, &b, &start, &screw.into()).unwrap();
        let [x, y] = [&a, &b].map(|body| Surface::new(body).unwrap());
        let truth =
            first_contact_of_surfaces(&x, &Pose::IDENTITY, &y, &start, &screw, &mut ScrewStats::default());
        if let (ScrewOutcome::Hit(found), ScrewOutcome::Hit(truth)) = (found, truth) {
            let want = if case % 4 == 3 { DVec3::X } else { truth.normal };
            assert!((found.normal - want).length() < 1e-7, "{case}: {found:?} {truth:?}");
            compared += 1;
        }
    }
    assert!(compared > 300, "{compared}");
}

/// A triangle has two sides: the normal is that of the one that is met, whatever the order of its corners.
#[test]
fn normals_of_surfaces_are_those_of_the_side_that_is_met() {
    let cube = Surface::new(&cuboid(DVec3::splat(0.5))).unwrap();
    let turned = Pose::from_axis_angle(DVec3::new(1.0, 0.7, 0.2), 0.8, DVec3::ZERO).unwrap();
    for (up, order) in [(1.0, [0, 1, 2]), (1.0, [0, 2, 1]), (-1.0, [0, 1, 2]), (-1.0, [0, 2, 1])] {
        let corners = [DVec3::new(-9.0, -9.0, 0.0), DVec3::new(9.0, -9.0, 0.0), DVec3::new(0.0, 9.0, 0.0)];
        let soup = TriangleSoup { positions: corners.to_vec(), triangles: vec![order], ..Default::default() };
        let sheet = Mesh::build(&soup, &MeshConfig::default()).unwrap();
        let sheet = Surface::new(&Body::try_from(&Shape::from(sheet)).unwrap()).unwrap();
        let start = Pose::new(turned.rotation(), DVec3::Z * 3.0 * up).unwrap();
        let (fall, still) = (Screw::new(-DVec3::Z * up, DVec3::ZERO, 0.0, 4.0).unwrap(), Pose::IDENTITY);
        let rise = Screw::new(DVec3::Z * up, DVec3::ZERO, 0.0, 4.0).unwrap();
        let mut stats = ScrewStats::default();
        for (found, want) in [
            (first_contact_of_surfaces(&sheet, &still, &cube, &start, &fall, &mut stats), up),
            (first_contact_of_surfaces(&cube, &start, &sheet, &still, &rise, &mut stats), -up),
        ] {
            let ScrewOutcome::Hit(impact) = found else { panic!("{found:?}") };
            assert!((impact.normal - DVec3::Z * want).length() < 1e-12, "{impact:?}");
        }
    }
}
