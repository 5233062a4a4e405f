//! The sample gearbox has the mistakes it says it has, and no others.

use clearance::body::Body;
use clearance::glam::DVec3;
use clearance::math::Screw;
use clearance::mesh::{DepthSearch, TreeMesh, distance, penetration, relation};
use clearance::screw;
use clearance::shape::sample::{LEVER_PIVOT, SamplePart, gearbox};
use clearance::shape::{Mesh, MeshConfig, MeshKind};
use clearance::spacetime::{Translation, first_contact};

fn parts() -> Vec<(SamplePart, TreeMesh)> {
    let build = |part: SamplePart| {
        let mesh = Mesh::build(&part.soup, &MeshConfig::default()).unwrap();
        assert_eq!(mesh.kind(), MeshKind::Solid, "{}", part.name);
        assert!(mesh.volume() > Some(0.0));
        (part, TreeMesh::new(mesh))
    };
    gearbox().unwrap().into_iter().map(build).collect()
}

fn named<const N: usize>(names: [&str; N]) -> [(SamplePart, TreeMesh); N] {
    let parts = parts();
    names.map(|name| parts.iter().find(|part| part.0.name == name).unwrap().clone())
}

#[test]
fn parts_overlap_where_announced_and_else_share_faces_or_nothing() {
    let parts = parts();
    assert_eq!(parts.len(), 35);
    let mut pairs = [const { Vec::new() }; 3];
    for (j, (b, mesh_b)) in parts.iter().enumerate() {
        for (a, mesh_a) in &parts[..j] {
            let found = relation(mesh_a, &a.pose, mesh_b, &b.pose);
            pairs[found.relation as usize].push((a.name.as_str(), b.name.as_str()));
        }
    }
    let [disjoint, touching, overlapping] = pairs;
    let expected = [
        ("wheel", "wheel shaft"),
        ("pinion", "pinion shaft"),
        ("front plate", "wheel bearing front"),
        ("wheel shaft", "wheel bearing front"),
        ("washer 4", "washer 4 again"),
        ("bottom wall", "magnet"),
    ];
    assert_eq!(overlapping, expected);
    assert_eq!(touching.len(), 35);
    for pair in [
        ("back plate", "top wall"),
        ("wheel shaft", "wheel bearing back"),
        ("back plate", "wheel bearing back"),
        ("bolt 3", "washer 3"),
        ("back plate", "nut 2"),
        ("rail", "slide"),
        ("pivot washer", "lever"),
        ("lever", "lever pin"),
    ] {
        assert!(touching.contains(&pair), "{pair:?}");
    }
    for pair in [("wheel", "pinion"), ("bolt 1", "nut 1"), ("front plate", "bolt 1")] {
        assert!(disjoint.contains(&pair), "{pair:?}");
    }
}

#[test]
fn gears_sit_tight_on_their_shafts() {
    for (gear, shaft) in [("wheel", "wheel shaft"), ("pinion", "pinion shaft")] {
        let [a, b] = named([gear, shaft]);
        let depth = penetration(&a.1, &a.0.pose, &b.1, &b.0.pose).unwrap().unwrap();
        assert!(depth.local.is_none_or(|local| local.upper < 0.02), "{depth:?}");
        let mut search = DepthSearch::new(&a.1, &a.0.pose, &b.1, &b.0.pose).unwrap();
        search.settle(0.02, 20_000);
        assert!(search.found().upper <= 0.02, "{:?}", search.found());
    }
}

#[test]
fn the_sensor_is_close_to_the_wheel() {
    let [wheel, sensor] = named(["wheel", "sensor"]);
    let found = distance(&wheel.1, &wheel.0.pose, &sensor.1, &sensor.0.pose);
    assert!(found.lower > 0.3 && found.upper < 0.35, "{found:?}");
}

#[test]
fn the_slide_hits_the_end_plate_halfway() {
    let [plate, slide] = named(["end plate", "slide"]);
    let motion = Translation::new(DVec3::ZERO, DVec3::new(-40.0, 0.0, 0.0), 0.0, 1.0).unwrap();
    let [a, b] = [plate.1, slide.1].map(|mesh| Body::Mesh(Box::new(mesh)));
    let found = first_contact(&a, &plate.0.pose, &b, &slide.0.pose, &motion).unwrap();
    let time = found.time().unwrap();
    assert_eq!((time.numerator(), time.denominator()), ("1".into(), "2".into()));
}

/// Its corner, 46 along and 8 across from the pivot, comes down to the guard, 26 below the pivot.
#[test]
fn the_lever_hits_the_guard_and_passes_behind_the_slide() {
    let sixth = std::f64::consts::FRAC_PI_3;
    let swing = screw::Motion::from(Screw::new(-DVec3::Z, LEVER_PIVOT, sixth, 0.0).unwrap());
    let travel = Screw::new(-DVec3::X, DVec3::ZERO, 0.0, 40.0).unwrap().into();
    let parts = named(["lever", "guard", "slide", "rail", "lever pin"]);
    let [lever, guard, slide, rail, pin] = parts.map(|(part, mesh)| (part, Body::Mesh(Box::new(mesh))));
    let ask = |(a, body_a): &(SamplePart, Body), (b, body_b): &(SamplePart, Body), motion: &screw::Motion| {
        screw::first_contact(body_a, &a.pose, &swing, body_b, &b.pose, motion).unwrap()
    };
    let at_rest = screw::Motion::AtRest;
    let [lower, upper] = ask(&lever, &guard, &at_rest).bracket().unwrap();
    let truth = ((26.0f64 / 46f64.hypot(8.0)).asin() - 8f64.atan2(46.0)) / sixth;
    assert!(
        lower <= truth + 1e-12 && truth <= upper + 1e-12 && upper - lower <= 1e-9,
        "{lower} {truth} {upper}"
    );
    for (a, b, motion) in [
        (&lever, &slide, &travel),
        (&lever, &rail, &at_rest),
        (&pin, &guard, &at_rest),
        (&pin, &slide, &travel),
    ] {
        assert_eq!(ask(a, b, motion), screw::ScrewOutcome::None, "{} {}", a.0.name, b.0.name);
    }
    // Had the slide stayed, it would be in the way.
    assert!(ask(&lever, &slide, &at_rest).bracket().is_some());
}
