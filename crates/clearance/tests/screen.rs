//! The collision screen against the analytic engine: what it finds, and how far off it is, by resolution.

use clearance::Pose;
use clearance::body::Body;
use clearance::glam::DVec3;
use clearance::math::{Random, Screw};
use clearance::screw::{
    ContactKind, ContactsConfig, Moving, Resolution, Screen, ScrewContact, Surface, contacts,
};
use clearance::shape::sample::{GearConfig, car, cube, gear, rectangle_torus};
use clearance::shape::{Mesh, MeshConfig, Shape, TriangleSoup};

fn vector(random: &mut Random) -> DVec3 {
    DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0))
}

fn surface(soup: &TriangleSoup) -> Surface {
    let mesh = Mesh::build(soup, &MeshConfig::default()).unwrap();
    Surface::new(&Body::try_from(&Shape::from(mesh)).unwrap()).unwrap()
}

/// A body and its radius.
struct Sample {
    name: &'static str,
    surface: Surface,
    radius: f64,
}

fn samples() -> Vec<Sample> {
    let sample = |name, soup: TriangleSoup| {
        let radius = soup.positions.iter().map(|p| p.length()).fold(0.0, f64::max);
        Sample { name, surface: surface(&soup), radius }
    };
    vec![
        sample("cubes", cube(1.0).to_soup()),
        sample("cars", car().to_soup()),
        sample("tori", rectangle_torus().to_soup()),
        sample("gears", gear(&GearConfig::default()).unwrap()),
    ]
}

/// Two places and a screw from one side of the other body to beyond its middle, or past its rim.
struct Step {
    from_a: Pose,
    from_b: Pose,
    screw: Screw,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Random,
    Grazing,
}

fn step(random: &mut Random, radius: f64, kind: Kind) -> Step {
    let mut pose = |at: DVec3| Pose::from_axis_angle(vector(random), random.range(-3.0, 3.0), at).unwrap();
    let (turned_a, turned_b, turned_c) = (pose(DVec3::ZERO), pose(DVec3::ZERO), pose(DVec3::ZERO));
    let mut direction = || loop {
        let v = vector(random);
        if (0.01..1.0).contains(&v.length_squared()) {
            break v.normalize();
        }
    };
    let (along, side) = (direction(), direction());
    let across = (side - along * side.dot(along)).normalize();
    let miss = radius * match kind {
        Kind::Random => random.range(0.0, 1.2),
        Kind::Grazing => random.range(1.4, 1.7),
    };
    let start = across * miss - along * 2.2 * radius;
    let end = across * miss + along * random.range(-1.0, 1.0) * radius;
    let from_b = Pose::new(turned_b.rotation(), start).unwrap();
    // Turned by up to a third of a turn on the way, or by a little.
    let turn = Pose::from_axis_angle(side, random.range(-2.0, 2.0) * random.unit(), DVec3::ZERO).unwrap();
    let _ = turned_c;
    let to_b = Pose::new(turn.rotation() * from_b.rotation(), end).unwrap();
    let (screw, _) = Screw::between(&from_b, &to_b);
    Step { from_a: turned_a, from_b, screw }
}

/// How the screen did on some steps.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    proper: usize,
    found: usize,
    told: usize,
    worst_time: f64,
    sum_time: f64,
    sum_place: f64,
    worst_place: f64,
    edges: usize,
}

/// Proper contacts that are proved and over at once: there is something to find.
fn proper(contacts: &[ScrewContact]) -> impl Iterator<Item = &ScrewContact> {
    contacts.iter().filter(|c| c.is_proved && c.until == c.upper && c.properness >= 0.0)
}

fn compare(sample: &Sample, step: &Step, pixels: f64, screen: &mut Screen, tally: &mut Tally, print: bool) {
    let s = &sample.surface;
    let resolution = Resolution::per_short_edge(pixels, [s, s], s, &step.from_b, &step.screw).unwrap();
    let config = ContactsConfig::default();
    let truth = contacts(s, &step.from_a, s, &step.from_b, &step.screw, Moving::Second, &config);
    let told = screen.contacts(s, &step.from_a, s, &step.from_b, &step.screw, Moving::Second, &config, resolution);
    tally.told += told.iter().filter(|c| c.properness >= 0.0).count();
    for contact in proper(&truth) {
        tally.proper += 1;
        let off = |c: &ScrewContact| {
            let time = 0.5 * (contact.lower + contact.upper);
            (c.lower - time).max(time - c.upper).max(0.0) / resolution.time()
        };
        let place = |c: &ScrewContact| (c.point - contact.point).length() / resolution.pixel();
        let same = |c: &&ScrewContact| {
            (c.kind, c.feature_a, c.feature_b) == (contact.kind, contact.feature_a, contact.feature_b)
        };
        let near = |c: &&ScrewContact| place(c) < 1.0 && off(c) < 1.0;
        let best = told.iter().filter(|c| (same(c) || near(c)) && off(c) < 9.0).min_by(|x, y| off(x).total_cmp(&off(y)));
        match best {
            None => {
                if print {
                    println!("  lost {contact:?}");
                }
            }
            Some(c) => {
                tally.found += 1;
                tally.worst_time = tally.worst_time.max(off(c));
                tally.sum_time += off(c);
                tally.worst_place = tally.worst_place.max(place(c));
                tally.sum_place += place(c);
                tally.edges += usize::from(c.kind == ContactKind::EdgeEdge);
            }
        }
    }
}

#[test]
fn look() {
    let mut screen = Screen::default();
    for sample in &samples() {
        for kind in [Kind::Random, Kind::Grazing] {
            for pixels in [6.0, 12.0, 24.0, 96.0] {
                let mut tally = Tally::default();
                let mut random = Random::new(7);
                let count = if sample.surface.triangle_count() > 100 { 40 } else { 400 };
                for case in 0..count {
                    let step = step(&mut random, sample.radius, kind);
                    let before = tally.proper - tally.found;
                    compare(sample, &step, pixels, &mut screen, &mut tally, pixels == 96.0);
                    if pixels == 96.0 && tally.proper - tally.found > before {
                        println!("  case {case} {:?}", step.screw);
                    }
                }
                println!("{} {kind:?} {pixels}: {tally:?}", sample.name);
            }
        }
    }
}
