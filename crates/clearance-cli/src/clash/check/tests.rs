use super::*;
use crate::clash::parts::AssembledPart;
use clearance::{
    Pose,
    body::Body,
    glam::DVec3,
    math::Random,
    pair::{ConvexRelation, Relation},
    shape::{Cuboid, Mesh, MeshConfig, Primitive, Shape, Sphere, sample},
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
