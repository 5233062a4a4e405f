//! Bodies on screws: every hard family of motions against adaptive samples, curved bodies, and a real bolt in its nut.

use clearance::Pose;
use clearance::body::Body;
use clearance::glam::DVec3;
use clearance::math::{Random, Screw};
use clearance::oracle::real_mesh;
use clearance::oracle::screw::{ScrewFamily, compare_curved_case, compare_family};
use clearance::screw::{
    ContactsConfig, Kept, Motion, Moving, ScrewOutcome, Surface, contacts, edge_edge_times, first_contact,
    vertex_face_times,
};
use clearance::shape::{Mesh, MeshConfig, Polytope, Shape, sample};
use std::f64::consts::TAU;
use std::sync::atomic::{AtomicU64, Ordering};

/// How often each kind of answer came.
#[derive(Debug, Default)]
struct Counts {
    none: AtomicU64,
    at_start: AtomicU64,
    hit: AtomicU64,
    undecided: AtomicU64,
}

impl Counts {
    fn add(&self, outcome: &ScrewOutcome) {
        let counter = match outcome {
            ScrewOutcome::None => &self.none,
            ScrewOutcome::TouchingAtStart | ScrewOutcome::OverlappingAtStart => &self.at_start,
            ScrewOutcome::Hit(_) => &self.hit,
            ScrewOutcome::Undecided { .. } => &self.undecided,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    fn all(&self) -> [u64; 4] {
        [&self.none, &self.at_start, &self.hit, &self.undecided].map(|count| count.load(Ordering::Relaxed))
    }
}

/// Runs cases on all cores, each with its own generator.
fn run(seed: u64, cases: u64, case: impl Fn(&mut Random) -> Result<ScrewOutcome, String> + Sync) -> [u64; 4] {
    let (counts, next) = (Counts::default(), AtomicU64::new(0));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= cases {
                return;
            }
            match case(&mut Random::new(Random::new(seed).bits() ^ number)) {
                Ok(outcome) => counts.add(&outcome),
                Err(what) => panic!("case {number} of seed {seed}: {what}"),
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    counts.all()
}

/// Every family, with how often it was decided which way: none is empty, and only those that graze are ever undecided much.
#[test]
fn every_family_of_motions_agrees_with_samples_of_the_step() {
    for (number, family) in ScrewFamily::ALL.into_iter().enumerate() {
        let (cases, start) = (600, std::time::Instant::now());
        let [none, at_start, hit, undecided] =
            run(number as u64 + 20, cases, |random| compare_family(family, random));
        println!(
            "{family:?}: {none} none, {at_start} at start, {hit} hit, {undecided} undecided, {:.1?}",
            start.elapsed()
        );
        assert_eq!(none + at_start + hit + undecided, cases);
        match family {
            ScrewFamily::StartInContact => assert!(at_start > cases / 2, "{family:?}: {at_start}"),
            ScrewFamily::Grazing => assert!(hit > cases / 10 && undecided < cases / 2, "{family:?}"),
            ScrewFamily::CornerToCorner => assert!(hit > cases / 10 && undecided < cases / 2, "{family:?}"),
            _ => assert!(hit > cases / 20 && undecided <= cases / 50, "{family:?}: {hit} {undecided}"),
        }
    }
}

#[test]
fn spheres_capsules_and_cylinders_agree_with_samples_of_the_step() {
    let cases = 800;
    let [none, at_start, hit, undecided] = run(40, cases, compare_curved_case);
    println!("curved: {none} none, {at_start} at start, {hit} hit, {undecided} undecided");
    assert!(none > cases / 10 && hit > cases / 10 && undecided <= cases / 20, "{none} {hit} {undecided}");
}

/// What meets exactly halfway, where intervals of time are cut, or right where boxes do, is proved as well as all else.
#[test]
fn a_contact_halfway_is_proved() {
    let wall = [DVec3::new(0.0, -4.0, -4.0), DVec3::new(0.0, 4.0, -4.0), DVec3::new(0.0, 0.0, 8.0)];
    // The point is at (-1, ...) at the start and at (1, ...) at the end, on an arc that is symmetric to the wall.
    let start = DVec3::new(-1.0, 0.1, 0.1);
    for angle in [0.3, 1.0, 3.0_f64] {
        let center = DVec3::new(0.0, 0.1 + 1.0 / (0.5 * angle).tan(), 0.0);
        let screw = Screw::new(DVec3::Z, center, angle, 0.0).unwrap();
        let times = vertex_face_times(start, wall, &screw, Moving::First).unwrap();
        assert!(times.len() == 1 && times[0].is_proved, "{angle}: {times:?}");
        assert!((times[0].lower - 0.5).abs() < 1e-14 && (times[0].upper - 0.5).abs() < 1e-14);
        let edges = edge_edge_times(
            [start - DVec3::Z, start + DVec3::Z],
            [DVec3::new(0.0, -9.0, 0.0), DVec3::new(0.0, 9.0, 0.5)],
            &screw,
            Moving::First,
        );
        assert!(edges.unwrap().iter().any(|time| time.is_proved && (time.lower - 0.5).abs() < 1e-14));
        // As bodies, of which the boxes meet at the same time as the features.
        let body = |points: &[DVec3]| Body::try_from(&Shape::from(Polytope::hull(points).unwrap())).unwrap();
        let (sheet, point) = (body(&wall), body(&[start]));
        let found = first_contact(
            &sheet,
            &Pose::IDENTITY,
            &Motion::AtRest,
            &point,
            &Pose::IDENTITY,
            &Motion::Screw(screw),
        );
        let [lower, upper] = found.unwrap().bracket().expect("it is proved");
        assert!(lower <= 0.5 + 1e-14 && 0.5 <= upper + 1e-14 && upper - lower <= 1e-9);
    }
}

fn body(soup: &clearance::shape::TriangleSoup) -> Body {
    Body::try_from(&Shape::from(Mesh::build(soup, &MeshConfig::default()).unwrap())).unwrap()
}

/// Made to fit with next to no play, a bolt and its nut are in contact as soon as they turn; with some they turn.
#[test]
fn a_thread_without_clearance_is_in_contact_at_once() {
    let ask = |clearance: f64| {
        let config = sample::ThreadConfig { length: 10.0, segments: 24, clearance, ..Default::default() };
        let (bolt, nut) = (body(&sample::bolt(&config).unwrap()), body(&sample::nut(&config).unwrap()));
        let angle = 0.1;
        let screw = Screw::new(DVec3::Z, DVec3::ZERO, angle, config.pitch * angle / TAU).unwrap();
        first_contact(&nut, &Pose::IDENTITY, &Motion::AtRest, &bolt, &Pose::IDENTITY, &screw.into()).unwrap()
    };
    // Of flat faces: the corners of one lift the faces of the other.
    let jammed = ask(1e-7);
    let [lower, _] = jammed.bracket().unwrap_or_else(|| panic!("{jammed:?}"));
    assert!(lower < 1e-3, "{lower}");
    assert_eq!(ask(sample::ThreadConfig::default().clearance), ScrewOutcome::None);
}

/// The screw and nut of the sample data: axis and pitch as measured there.
#[test]
fn the_real_screw_turns_in_its_nut() {
    let Some(folder) = real_mesh::folder() else {
        println!("skipped: no sample data; set CLEARANCE_DATA to its folder");
        return;
    };
    let [screw, nut] = ["screw-big.obj", "nut-big.obj"]
        .map(|name| body(&real_mesh::read(&folder.join("mechanisms/screw_nut").join(name)).unwrap()));
    let center = DVec3::new(-0.0625308, 0.0, -0.0277859);
    let pitch = 1.32848;
    let ask = |from: &Pose, angle: f64, shift: f64| {
        let motion = Screw::new(DVec3::Y, center, angle, shift).unwrap();
        first_contact(&nut, &Pose::IDENTITY, &Motion::AtRest, &screw, from, &motion.into()).unwrap()
    };
    // With its clearance it turns in its thread, both ways, a whole turn.
    for turns in [0.25, -0.25, 1.0, -1.0] {
        assert_eq!(ask(&Pose::IDENTITY, turns * TAU, turns * pitch), ScrewOutcome::None, "{turns} turns");
    }
    // Pulled or pushed without a turn it jams where the notes of the data say.
    let [pushed, pulled] =
        [-0.05, 0.1].map(|shift| ask(&Pose::IDENTITY, 0.0, shift).bracket().expect("it jams"));
    assert!(pulled[0] > 0.5, "{pushed:?} {pulled:?}");
    // From there the clearance is used up: turned against its thread it is in contact at once.
    let jammed = Pose::from_translation(DVec3::Y * (0.1 * (pulled[0] - 1e-6))).unwrap();
    let [lower, _] = ask(&jammed, 0.5, 0.5 * pitch).bracket().expect("it jams");
    assert!(lower < 1e-4, "{lower}");
    // Of all contacts of that step the first is this one, and it is proper.
    let surfaces = [&nut, &screw].map(|body| Surface::new(body).unwrap());
    let motion = Screw::new(DVec3::Y, center, 0.05, 0.05 * pitch).unwrap();
    let config = ContactsConfig { kept: Kept::Entering, ..ContactsConfig::default() };
    let all =
        contacts(&surfaces[0], &Pose::IDENTITY, &surfaces[1], &jammed, &motion, Moving::Second, &config);
    let first = ask(&jammed, 0.05, 0.05 * pitch).bracket().expect("it jams");
    assert!(all.len() > 10 && (all[0].lower - first[0]).abs() < 1e-8, "{} {first:?}", all.len());
    assert!(all[0].normal.y.abs() > 0.3, "flanks meet flanks: {:?}", all[0]);
}
