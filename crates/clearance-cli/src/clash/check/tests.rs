use super::*;
use crate::clash::parts::AssembledPart;
use crate::path::Path;
use clearance::{
    Pose,
    body::Body,
    glam::DVec3,
    math::{Random, Screw},
    pair::{ConvexRelation, Relation},
    shape::{
        Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Mesh, MeshConfig, Primitive, Shape, Sphere, sample,
    },
};
use clearance_io::scene::{IgnoredPairs, Motion, Movement};
use std::sync::Arc;

fn assembly(parts: Vec<AssembledPart>) -> Assembly {
    Assembly {
        title: "test".into(),
        unit: None,
        parts,
        ignored: IgnoredPairs::default(),
        skipped: Vec::new(),
    }
}

fn part(shape: &Arc<Shape>, pose: Pose) -> AssembledPart {
    let body = Arc::new(Body::try_from(&**shape).unwrap());
    AssembledPart {
        id: String::new(),
        name: String::new(),
        file: String::new(),
        group: None,
        shape: body.as_mesh().is_none().then(|| Arc::clone(shape)),
        body,
        pose,
        motion: None,
        notes: Vec::new(),
    }
}

fn cuboid(x: f64, y: f64, z: f64) -> Arc<Shape> {
    Arc::new(Primitive::from(Cuboid::new(DVec3::new(x, y, z)).unwrap()).into())
}

fn ring() -> Arc<Shape> {
    let soup = sample::torus(1.0, 0.25, 24, 12).unwrap();
    Arc::new(Mesh::build(&soup, &MeshConfig::default()).unwrap().into())
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z)).unwrap()
}

fn moving(shape: &Arc<Shape>, pose: Pose, displacement: DVec3, t0: f64, t1: f64) -> AssembledPart {
    let motion = Motion { t0, t1, movement: Movement::Translate { displacement } };
    AssembledPart { motion: Some(motion), ..part(shape, pose) }
}

fn run(parts: Vec<AssembledPart>, clearance: f64, tolerance: f64) -> Checked {
    run_on(&assembly(parts), clearance, tolerance, None)
}

fn run_on(assembly: &Assembly, clearance: f64, tolerance: f64, threads: Option<usize>) -> Checked {
    let rule = PairRule { name: "default", clearance, tolerance };
    let options = CheckOptions { reach: clearance, list_touching: true, volume: false, threads };
    check(assembly, &|_, _| Some(rule), &options)
}

fn verdicts(checked: &Checked) -> Vec<(Verdict, [usize; 2])> {
    checked.findings.iter().map(|finding| (finding.verdict, finding.parts)).collect()
}

#[test]
fn boxes_that_share_a_face_touch_at_any_coordinates() {
    let cube = cuboid(1.0, 1.0, 1.0);
    for far in [0.0, 1e3, 1e6, 2f64.powi(40)] {
        let parts = vec![part(&cube, at(far, far, 0.0)), part(&cube, at(far + 1.0, far, 0.0))];
        let checked = run(parts, 0.5, 0.0);
        assert_eq!(verdicts(&checked), [(Verdict::Touching, [0, 1])], "{far}");
        assert_eq!(checked.findings[0].points.len(), 4, "the corners of the face");
    }
}

#[test]
fn shallow_overlaps_are_told_apart_by_the_tolerance_and_counted() {
    let cube = cuboid(1.0, 1.0, 1.0);
    let pair = |gap: f64| vec![part(&cube, at(0.0, 0.0, 0.0)), part(&cube, at(1.0 - gap, 0.25, 0.0))];
    let found = run(pair(1e-4), 0.0, 0.0);
    assert_eq!(verdicts(&found), [(Verdict::Overlapping, [0, 1])]);
    assert_eq!(found.vanish_at_one_in_a_thousand, 1);
    let depth = found.findings[0].depth.unwrap();
    assert!(depth.lower <= 1.0001e-4 && depth.upper >= 0.9999e-4 && depth.surface.unwrap() < 1.001e-4);
    let found = run(pair(1e-4), 0.0, 1.1e-4);
    assert_eq!(verdicts(&found), [(Verdict::TouchingWithinTolerance, [0, 1])]);
    assert_eq!(found.vanish_at_one_in_a_thousand, 0);
    let found = run(pair(0.1), 0.0, 0.05);
    assert_eq!((verdicts(&found)[0].0, found.vanish_at_one_in_a_thousand), (Verdict::Overlapping, 0));
    // A plate as thin as the tolerance inside a block is no touch.
    let thin = 2f64.powi(-10);
    let plate = cuboid(0.5, 0.5, thin);
    let found = run(vec![part(&cube, at(0.0, 0.0, 0.0)), part(&plate, at(0.0, 0.0, 0.5 - thin))], 0.0, 0.1);
    assert_eq!(verdicts(&found)[0].0, Verdict::Enclosed);
    let found =
        run(vec![part(&cube, at(0.0, 0.0, 0.0)), part(&plate, at(0.0, 0.0, 0.5 - 0.5 * thin))], 0.0, 0.1);
    assert_eq!(verdicts(&found)[0].0, Verdict::Overlapping, "flush with a face");
}

#[test]
fn copies_are_duplicates_and_what_is_inside_is_enclosed() {
    let (cube, ring) = (cuboid(1.0, 1.0, 1.0), ring());
    let turned = Pose::from_rows([0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]).unwrap();
    let found = run(vec![part(&cube, at(0.0, 0.0, 0.0)), part(&cube, turned)], 0.0, 0.0);
    assert_eq!(verdicts(&found), [(Verdict::Duplicate, [0, 1])], "a cube after a quarter turn");
    let found = run(vec![part(&ring, at(5.0, 0.0, 0.0)), part(&ring, at(5.0, 0.0, 0.0))], 0.0, 0.0);
    assert_eq!(verdicts(&found), [(Verdict::Duplicate, [0, 1])]);
    let near = vec![part(&ring, at(5.0, 0.0, 0.0)), part(&ring, at(5.0, 1e-4, 0.0))];
    assert_eq!(verdicts(&run(near.clone(), 0.0, 1e-3))[0].0, Verdict::Duplicate);
    assert_eq!(verdicts(&run(near, 0.0, 1e-5))[0].0, Verdict::Overlapping);
    let small = cuboid(0.1, 0.1, 0.1);
    let found = run(vec![part(&small, at(1.0, 0.0, 0.0)), part(&ring, at(0.0, 0.0, 0.0))], 0.0, 0.0);
    assert_eq!((verdicts(&found)[0].0, found.findings[0].inside), (Verdict::Enclosed, Some(0)));
    let found = run(vec![part(&cube, at(0.0, 0.0, 0.0)), part(&small, at(0.0, 0.0, 0.1))], 0.0, 0.0);
    assert_eq!((verdicts(&found)[0].0, found.findings[0].inside), (Verdict::Enclosed, Some(1)));
}

#[test]
fn parts_at_exactly_the_clearance_are_not_too_close_and_planes_prove_gaps() {
    let (cube, ring) = (cuboid(1.0, 1.0, 1.0), ring());
    let pair = |gap: f64| vec![part(&cube, at(0.0, 0.0, 0.0)), part(&cube, at(1.0 + gap, 0.0, 0.0))];
    assert!(run(pair(0.25), 0.25, 0.0).findings.is_empty());
    let found = run(pair(0.25), 0.25f64.next_up(), 0.0);
    assert_eq!(verdicts(&found)[0].0, Verdict::TooClose);
    let plane = found.findings[0].plane.unwrap();
    assert_eq!((plane.normal, found.findings[0].required), ([1.0, 0.0, 0.0], 0.25f64.next_up()));
    assert!(plane.offset > 0.5 && plane.offset < 0.75);
    // In the hole of a ring: close, and no plane is between them.
    let post = cuboid(1.0, 1.0, 4.0);
    let found = run(vec![part(&ring, at(0.0, 0.0, 0.0)), part(&post, at(0.0, 0.0, 0.0))], 0.2, 0.0);
    assert_eq!((verdicts(&found)[0].0, found.findings[0].plane), (Verdict::TooClose, None));
    let distance = found.findings[0].distance.unwrap();
    assert!(distance.lower.0 > 0.03 && distance.upper.0 < 0.06, "{distance:?}");
}

#[test]
fn curved_parts_are_judged_by_brackets() {
    let ball: Arc<Shape> = Arc::new(Primitive::from(Sphere::new(1.0).unwrap()).into());
    let cube = cuboid(1.0, 1.0, 1.0);
    let verdict = |x: f64| {
        let found = run(vec![part(&ball, at(0.0, 0.0, 0.0)), part(&cube, at(x, 0.0, 0.0))], 0.25, 0.0);
        verdicts(&found).first().map(|found| found.0)
    };
    assert_eq!(verdict(3.0), None);
    assert_eq!(verdict(1.7), Some(Verdict::TooClose));
    assert_eq!(verdict(1.4), Some(Verdict::Overlapping));
    assert!(matches!(verdict(1.5), Some(Verdict::Touching | Verdict::Undecided)));
}

#[test]
fn moving_parts_are_judged_all_along_their_way() {
    let (cube, ring) = (cuboid(1.0, 1.0, 1.0), ring());
    let rest = part(&cube, at(0.0, 0.0, 0.0));
    let flies = |from: Pose, by: DVec3| vec![rest.clone(), moving(&cube, from, by, 2.0, 4.0)];
    // Into it: 4 of 8 to go.
    let found = run(flies(at(5.0, 0.0, 0.0), DVec3::X * -8.0), 0.1, 0.0);
    let finding = &found.findings[0];
    let when = finding.motion.as_ref().unwrap();
    assert_eq!((finding.verdict, when.contact.as_str()), (Verdict::Overlapping, "hit"));
    let exact = when.exact.as_ref().unwrap();
    assert_eq!((exact.num.as_str(), exact.den.as_str()), ("3", "1"));
    assert_eq!(when.first_overlap.unwrap().lower.0, 3.0);
    // Along a face: touching, never more.
    let found = run(flies(at(5.0, 1.0, 0.0), DVec3::X * -8.0), 0.1, 0.0);
    assert_eq!(
        (found.findings[0].verdict, &*found.findings[0].motion.as_ref().unwrap().contact),
        (Verdict::Touching, "hit")
    );
    // Past it.
    let found = run(flies(at(5.0, 1.25, 0.0), DVec3::X * -8.0), 0.5, 0.0);
    let finding = &found.findings[0];
    assert_eq!(finding.verdict, Verdict::TooClose);
    let gap = finding.distance.unwrap();
    assert!(gap.lower.0 <= 0.25 && 0.25 <= gap.upper.0 && gap.upper.0 < 0.26 && finding.plane.is_some());
    assert!(run(flies(at(5.0, 1.25, 0.0), DVec3::X * -8.0), 0.2, 0.0).findings.is_empty());
    // Two that move together do not meet; one that leaves while the other is gone does not, either.
    let side_by_side = vec![
        moving(&cube, at(0.0, 0.0, 0.0), DVec3::X * 9.0, 0.0, 1.0),
        moving(&cube, at(1.5, 0.0, 0.0), DVec3::X * 9.0, 0.0, 1.0),
    ];
    assert!(run(side_by_side, 0.25, 0.0).findings.is_empty());
    let in_turn = |t0: f64| {
        let first = moving(&cube, at(0.0, 0.0, 0.0), DVec3::Y * 8.0, 0.0, 1.0);
        vec![first, moving(&ring, at(6.0, 0.0, 0.0), DVec3::X * -6.0, t0, t0 + 1.0)]
    };
    assert!(run(in_turn(1.0), 0.25, 0.0).findings.is_empty(), "the first is away when the second comes");
    let both = run(in_turn(0.0), 0.25, 0.0);
    assert!(both.findings.iter().all(|finding| finding.verdict >= Verdict::TooClose), "{both:?}");
    let found = run(in_turn(-1.0), 0.0, 0.0);
    let when = found.findings[0].motion.clone().unwrap();
    assert_eq!((found.findings[0].verdict, when.contact.as_str()), (Verdict::Overlapping, "hit"));
    assert!(when.first_contact.unwrap().upper.0 < 0.0);
}

fn turning(shape: &Arc<Shape>, pose: Pose, screw: Screw, t0: f64, t1: f64) -> AssembledPart {
    let motion = Motion { t0, t1, movement: Movement::Screw { screw } };
    AssembledPart { motion: Some(motion), ..part(shape, pose) }
}

#[test]
fn turning_parts_are_judged_all_along_their_way() {
    let (plate, lever, stop) = (cuboid(20.0, 20.0, 2.0), cuboid(8.0, 1.0, 1.0), cuboid(1.0, 1.0, 4.0));
    let about_z = |angle: f64, shift: f64| Screw::new(DVec3::Z, DVec3::ZERO, angle, shift).unwrap();
    let swing = |z: f64, screw: Screw| turning(&lever, at(4.0, 0.0, z), screw, 2.0, 4.0);
    let judged = |parts: Vec<AssembledPart>, clearance: f64| {
        let found = run(parts, clearance, 0.0);
        found.findings.first().map(|finding| (finding.verdict, finding.motion.clone().unwrap()))
    };
    // On a plate: touching for sure, because nothing sinks; with a shift into it, overlapping from the start.
    let on_plate =
        |shift: f64| judged(vec![part(&plate, at(0.0, 0.0, 0.0)), swing(1.5, about_z(2.0, shift))], 0.0);
    let (verdict, when) = on_plate(0.0).unwrap();
    assert_eq!(
        (verdict, when.contact.as_str(), when.first_overlap),
        (Verdict::Touching, "touching_at_start", None)
    );
    assert_eq!(on_plate(0.5).unwrap().0, Verdict::Touching);
    let (verdict, when) = on_plate(-0.5).unwrap();
    assert_eq!((verdict, when.contact.as_str()), (Verdict::Overlapping, "touching_at_start"));
    assert!(when.first_overlap.unwrap().upper.0 < 2.001);
    // Above it by exactly the clearance, and by less.
    let above = |z: f64| judged(vec![part(&plate, at(0.0, 0.0, 0.0)), swing(z, about_z(2.0, 0.0))], 0.5);
    assert_eq!(above(2.0), None);
    assert_eq!(above(2.0f64.next_down()).unwrap().0, Verdict::TooClose);
    // Into a stop: its corner is met by the upper edge of the lever, in half of the time at 2 radians.
    let (verdict, when) =
        judged(vec![part(&stop, at(0.0, 6.0, 1.0)), swing(0.0, about_z(2.0, 0.0))], 0.1).unwrap();
    let truth = 2.0 + 5.5f64.atan2(0.5) - (0.5 / 5.5f64.hypot(0.5)).asin();
    let first = when.first_contact.unwrap();
    assert_eq!((verdict, when.contact.as_str(), when.exact), (Verdict::Overlapping, "hit", None));
    assert!(
        first.lower.0 <= truth + 1e-12
            && truth <= first.upper.0 + 1e-12
            && first.upper.0 - first.lower.0 < 3e-9
    );
    // Past a post: 6 sqrt 2 from the axis, the lever reaches to sqrt(8^2 + 0.5^2).
    let past = |clearance: f64| {
        judged(
            vec![part(&stop, at(-6.5, 6.5, 1.0)), swing(0.0, about_z(std::f64::consts::PI, 0.0))],
            clearance,
        )
    };
    assert_eq!((past(0.0), past(0.4)), (None, None));
    assert_eq!(past(0.5).unwrap().0, Verdict::TooClose);
    // Together on one screw: as at rest.
    let screw = about_z(7.0, 1.0);
    let together = vec![swing(1.5, screw), turning(&stop, at(3.0, 0.0, 4.0), screw, 2.0, 4.0)];
    let found = run(together, 0.1, 0.0);
    assert_eq!((found.findings[0].verdict, found.findings[0].motion.is_none()), (Verdict::Touching, true));
    // When the slide has gone the lever may come.
    let in_turn = |t0: f64| {
        let slide = moving(&stop, at(0.0, 6.0, 1.0), DVec3::Y * 9.0, t0, t0 + 1.0);
        run(vec![slide, swing(0.0, about_z(2.0, 0.0))], 0.1, 0.0)
    };
    assert!(in_turn(1.0).findings.is_empty() && in_turn(4.0).findings[0].verdict == Verdict::Overlapping);
}

/// Oracle: exact relations at many times. No verdict is contradicted, and few are missing.
#[test]
fn verdicts_of_turning_parts_are_those_of_many_looks() {
    let mut random = Random::new(17);
    let (mut undecided, mut counts) = (0, [0; 7]);
    for case in 0..60 {
        let mut vector = |size: f64| {
            DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0)) * size
        };
        let sizes = vector(2.0).abs() + 0.1;
        let shapes = [cuboid(sizes.x, sizes.y, sizes.z), ring(), primitive(Sphere::new(0.7).unwrap())];
        let pose = |axis: DVec3, place: DVec3| Pose::from_axis_angle(axis, 1.0, place).unwrap();
        let screw = Screw::new(vector(1.0), vector(1.5), 2.5, vector(1.0).x).unwrap();
        let [place_a, place_b] =
            [pose(vector(1.0), vector(1.0)), pose(vector(1.0), vector(1.0).normalize() * 2.5)];
        let other = match case % 4 {
            0 => moving(&shapes[case % 3], place_a, vector(2.0), 0.0, 1.0),
            _ => part(&shapes[case % 3], place_a),
        };
        let parts = vec![other, turning(&shapes[(case / 3) % 2], place_b, screw, 0.0, 1.0)];
        let places: Vec<_> = parts.iter().map(|part| Path::of(&part.pose, part.motion)).collect();
        let relations = (0..=200).map(|k| {
            let place = |i: usize| places[i].pose_at(f64::from(k) / 200.0, &parts[i].pose).unwrap();
            clearance::body::relate(&parts[0].body, &place(0), &parts[1].body, &place(1)).unwrap()
        });
        let looks: Vec<_> = relations.collect();
        let overlaps = looks.iter().any(|look| look.relation == ConvexRelation::Exact(Relation::Overlapping));
        let nearest = looks.iter().map(|look| look.distance.upper).fold(f64::INFINITY, f64::min);
        const REQUIRED: f64 = 0.3;
        let found = run(parts, REQUIRED, 0.0);
        let verdict = found.findings.first().map(|finding| finding.verdict);
        match verdict {
            None => assert!(!overlaps && nearest >= REQUIRED, "{case}"),
            Some(Verdict::TooClose) => {
                let gap = found.findings[0].distance.unwrap();
                assert!(!overlaps && gap.lower.0 <= nearest && gap.upper.0 < REQUIRED, "{case}");
            }
            Some(Verdict::Overlapping | Verdict::Enclosed) => assert!(nearest < 0.05, "{case}"),
            Some(Verdict::Undecided) => undecided += 1,
            Some(other) => panic!("{case}: {other:?}"),
        }
        assert!(!overlaps || matches!(verdict, Some(v) if v != Verdict::TooClose), "{case}: {verdict:?}");
        counts[verdict.map_or(6, |verdict| verdict as usize)] += 1;
    }
    // Those without a verdict are counted with the undecided.
    let clear = counts[6] - undecided;
    let overlapping = counts[Verdict::Overlapping as usize];
    assert!(undecided <= 10 && overlapping >= 6 && clear >= 6, "{counts:?}, {undecided} undecided");
}

fn primitive(body: impl Into<Primitive>) -> Arc<Shape> {
    Arc::new(body.into().into())
}

fn sphere(radius: f64) -> Arc<Shape> {
    primitive(Sphere::new(radius).unwrap())
}

#[test]
fn what_is_inside_a_curved_part_or_curved_inside_another_is_enclosed() {
    let cylinder = |height: f64, radius: f64| primitive(Cylinder::new(height, radius).unwrap());
    let ellipsoid = primitive(Ellipsoid::new(DVec3::new(1.0, 1.0, 1.9)).unwrap());
    let cone = |radius: f64, height: f64| primitive(Cone::new(height, radius).unwrap());
    let verdict = |outer: &Arc<Shape>, inner: &Arc<Shape>, place: Pose| {
        let turned = |pose: &Pose| {
            let turn = Pose::from_axis_angle(DVec3::new(1.0, 2.0, 3.0), 1.0, DVec3::splat(100.0)).unwrap();
            Pose::new(turn.rotation(), turn.apply(pose.translation())).unwrap()
        };
        let found = [at(0.0, 0.0, 0.0), place].map(|pose| turned(&pose));
        let found = run(vec![part(outer, found[0]), part(inner, found[1])], 0.0, 0.0);
        let again = run(vec![part(inner, place), part(outer, at(0.0, 0.0, 0.0))], 0.0, 0.0);
        assert_eq!(found.findings[0].verdict, again.findings[0].verdict);
        let is_inner = (found.findings[0].inside, again.findings[0].inside) == (Some(1), Some(0));
        assert_eq!(is_inner, found.findings[0].verdict == Verdict::Enclosed);
        found.findings[0].verdict
    };
    let centre = at(0.0, 0.0, 0.0);
    let inside = [
        (&sphere(1.0), &sphere(0.2), at(0.79, 0.0, 0.0)),
        (&cuboid(4.0, 4.0, 4.0), &sphere(1.999), centre),
        (&sphere(1.0), &cuboid(1.0, 1.0, 1.0), centre),
        (&cylinder(4.0, 2.0), &cylinder(3.99, 1.99), centre),
        (&cylinder(4.0, 2.0), &ellipsoid, centre),
        (&cylinder(4.0, 2.0), &cone(1.9, 3.9), centre),
        (&cone(2.0, 4.0), &sphere(0.5), at(0.0, 0.0, -1.0)),
        (&ring(), &sphere(0.2), at(1.0, 0.0, 0.0)),
        (&sphere(2.0), &ring(), centre),
    ];
    for (k, (outer, inner, place)) in inside.into_iter().enumerate() {
        assert_eq!(verdict(outer, inner, place), Verdict::Enclosed, "{k}");
    }
    let not_inside = [
        (&sphere(1.0), &sphere(0.25), at(0.75, 0.0, 0.0)),
        (&sphere(1.0), &sphere(0.25), at(0.76, 0.0, 0.0)),
        (&cuboid(4.0, 4.0, 4.0), &sphere(2.0), centre),
        (&cylinder(4.0, 2.0), &cylinder(3.0, 2.0), centre),
        (&sphere(1.0), &cuboid(1.2, 1.2, 1.2), centre),
        (&cone(2.0, 4.0), &sphere(0.5), at(0.0, 0.0, 1.0)),
        (&ring(), &sphere(0.26), at(1.0, 0.0, 0.0)),
        (&sphere(1.2), &ring(), centre),
    ];
    for (k, (outer, inner, place)) in not_inside.into_iter().enumerate() {
        assert_eq!(verdict(outer, inner, place), Verdict::Overlapping, "{k}");
    }
    let twins = vec![part(&sphere(1.0), centre), part(&sphere(1.0), centre)];
    assert_eq!(verdicts(&run(twins, 0.0, 0.0)), [(Verdict::Duplicate, [0, 1])]);
}

#[test]
fn moving_curved_and_unbounded_parts_that_pass_through_others_overlap() {
    let ball = sphere(1.0);
    let hits = |other: &Arc<Shape>, place: Pose, from: Pose| {
        let found = run(vec![part(other, place), moving(&ball, from, DVec3::X * 10.0, 2.0, 4.0)], 0.0, 0.0);
        let finding = found.findings[0].clone();
        assert_eq!(finding.verdict, Verdict::Overlapping);
        finding.motion.unwrap().first_overlap.unwrap()
    };
    // From 5 to 2 apart: 3 of 10 in 2 seconds.
    let first = hits(&ball, at(5.0, 0.0, 0.0), at(0.0, 0.0, 0.0));
    assert!(first.lower.0 <= 2.6 && 2.6 <= first.upper.0 && first.upper.0 < 2.6001, "{first:?}");
    let far = 1e6;
    hits(&cuboid(0.01, 4.0, 4.0), at(far + 5.0, 0.0, 0.0), at(far, 0.0, 0.0));
    let wall = primitive(HalfSpace::new(-DVec3::X, -5.0).unwrap());
    let first = hits(&wall, at(0.0, 0.0, 0.0), at(0.0, 0.0, 0.0));
    assert!(first.lower.0 <= 2.8 && 2.8 <= first.upper.0 && first.upper.0 < 2.8001, "{first:?}");
    // Along a ring, a little too low: the depth of a ball in a mesh is not known, but places of few digits are.
    let low = at(-5.0, 0.0, 1.2);
    let first = hits(&ring(), at(0.0, 0.0, 0.0), low);
    assert!(first.lower.0 > 2.5 && first.upper.0 < 3.5, "{first:?}");
    // A ball that slides along a wall never overlaps it.
    let floor = primitive(HalfSpace::new(DVec3::Z, 0.0).unwrap());
    let slides = vec![part(&floor, at(0.0, 0.0, 0.0)), moving(&ball, at(0.0, 0.0, 1.0), DVec3::X, 0.0, 1.0)];
    assert!(run(slides, 0.0, 0.0).findings.iter().all(|finding| finding.verdict != Verdict::Overlapping));
}

#[test]
fn sliding_at_exactly_the_clearance_is_not_too_close() {
    let (slide, rail) = (cuboid(2.0, 2.0, 2.0), cuboid(40.0, 2.0, 2.0));
    for far in [0.0, 1e6] {
        let pair = || {
            let moves = moving(&slide, at(far, 0.0, 0.0), DVec3::new(10.0, 0.0, 0.0), 0.0, 1.0);
            vec![moves, part(&rail, at(far, 2.5, 0.0))]
        };
        assert!(run(pair(), 0.5, 0.0).findings.is_empty());
        let found = run(pair(), 0.5f64.next_up(), 0.0);
        assert_eq!(verdicts(&found), [(Verdict::TooClose, [0, 1])]);
        assert!(found.findings[0].distance.unwrap().upper.0 <= 0.5);
        // Both move, and in turn.
        let mut both = pair();
        both[1] = moving(&rail, at(far, 2.5, 0.0), DVec3::new(-8.0, 0.0, 0.0), 0.5, 2.0);
        assert!(run(both, 0.5, 0.0).findings.iter().all(|finding| finding.verdict == Verdict::Undecided));
    }
}

#[test]
fn the_tolerance_holds_for_convex_parts_all_along_their_way() {
    let (slide, rail) = (cuboid(2.0, 2.0, 2.0), cuboid(40.0, 2.0, 2.0));
    let turn = |angle: f64| Pose::from_axis_angle(DVec3::Z, angle, DVec3::ZERO).unwrap();
    let pair = |angle: f64, deep: f64, by: DVec3| {
        let turn = turn(angle);
        let place = |x: f64, y: f64| Pose::new(turn.rotation(), turn.apply(DVec3::new(x, y, 0.0))).unwrap();
        let moves = moving(&slide, place(0.0, 0.0), turn.apply_vector(by), 0.0, 1.0);
        vec![moves, part(&rail, place(0.0, 2.0 - deep))]
    };
    for angle in [0.0, 0.3] {
        let verdict = |deep: f64, by: DVec3| run(pair(angle, deep, by), 0.0, 0.05).findings[0].verdict;
        assert_eq!(verdict(0.01, DVec3::X * 10.0), Verdict::TouchingWithinTolerance, "slides");
        assert_eq!(verdict(0.01, DVec3::Y * -10.0), Verdict::TouchingWithinTolerance, "leaves");
        assert_eq!(verdict(0.01, DVec3::Y * 0.03), Verdict::TouchingWithinTolerance, "goes deeper");
        assert_eq!(verdict(0.01, DVec3::Y * 0.05), Verdict::Overlapping, "goes too deep");
        assert_eq!(verdict(0.01, DVec3::Y * 10.0), Verdict::Overlapping, "goes through");
        assert_eq!(verdict(0.06, DVec3::X * 10.0), Verdict::Overlapping);
    }
    // What vanishes at the start need not later.
    let found = run(pair(0.0, 0.01, DVec3::Y), 0.0, 0.0);
    assert_eq!(found.findings[0].depth.unwrap().surface, None);
    // A plate thinner than the tolerance that enters a block is no touch.
    let plate = cuboid(1.0, 0.01, 1.0);
    let enters =
        vec![moving(&plate, at(0.0, 1.01, 0.0), DVec3::Y * -0.02, 0.0, 1.0), part(&slide, at(0.0, 0.0, 0.0))];
    assert_eq!(run(enters, 0.0, 0.05).findings[0].verdict, Verdict::Overlapping);
}

#[test]
fn many_parts_have_the_verdicts_of_a_look_at_all_pairs_for_any_number_of_threads() {
    let shapes = [cuboid(1.0, 2.0, 1.0), ring(), cuboid(0.5, 0.5, 4.0)];
    let mut random = Random::new(5);
    let mut parts = Vec::new();
    for i in 0..120 {
        let shift = DVec3::new(random.range(0.0, 9.0), random.range(0.0, 9.0), random.range(0.0, 9.0));
        // Half of them on a grid, so that faces touch.
        let pose = match i % 2 {
            0 => Pose::from_translation(shift.round()).unwrap(),
            _ => Pose::from_axis_angle(sample::random_direction(&mut random), 1.0, shift).unwrap(),
        };
        parts.push(part(&shapes[i % 3], pose));
    }
    let (assembly, clearance) = (assembly(parts), 0.125);
    let checked = run_on(&assembly, clearance, 0.0, Some(1));
    let mut counts = [0u64; 3];
    for (i, a) in assembly.parts.iter().enumerate() {
        for b in &assembly.parts[i + 1..] {
            let answer = clearance::body::relate(&a.body, &a.pose, &b.body, &b.pose).unwrap();
            match answer.relation {
                ConvexRelation::Exact(Relation::Overlapping) => counts[0] += 1,
                ConvexRelation::Exact(Relation::Touching) => counts[1] += 1,
                _ => counts[2] += u64::from(answer.distance.upper < clearance),
            }
        }
    }
    let of = |wanted: &[Verdict]| {
        checked.verdicts.iter().filter(|c| wanted.contains(&c.verdict)).map(|c| c.count).sum::<u64>()
    };
    let overlapping = of(&[Verdict::Duplicate, Verdict::Enclosed, Verdict::Overlapping]);
    assert_eq!([overlapping, of(&[Verdict::Touching]), of(&[Verdict::TooClose])], counts);
    assert!(counts.iter().all(|&count| count > 3), "{counts:?}");
    assert_eq!(checked.pairs, 120 * 119 / 2);
    let again = run_on(&assembly, clearance, 0.0, Some(3));
    assert_eq!((&again.findings, &again.curves), (&checked.findings, &checked.curves));
}

#[test]
fn pairs_that_no_rule_asks_about_are_left_alone() {
    let cube = cuboid(1.0, 1.0, 1.0);
    let parts = (0..4).map(|i| part(&cube, at(0.5 * f64::from(i), 0.0, 0.0))).collect();
    let rule = PairRule { name: "odd", clearance: 0.0, tolerance: 0.0 };
    let options = CheckOptions { reach: 0.0, list_touching: false, volume: true, threads: None };
    let found = check(&assembly(parts), &|i, j| ((i + j) % 2 == 1).then_some(rule), &options);
    assert_eq!((found.pairs, found.candidates), (4, 3));
    assert_eq!(verdicts(&found).len(), 3);
    let volume = found.findings[0].volume.unwrap();
    assert!(volume.lower.0 <= 0.5 && 0.5 <= volume.upper.0);
    let guess = estimate(
        &assembly((0..4).map(|i| part(&cube, at(0.5 * f64::from(i), 0.0, 0.0))).collect()),
        &|_, _| Some(rule),
        &options,
    );
    assert_eq!(guess.candidates, 5);
}
