//! Draws the pictures of `docs/space-time.md`: `cargo xtask pictures`, or this with the folder to write into.
//!
//! Bodies in the plane, time upwards: what is in four dimensions for solids can be looked at in three.

use clearance::{
    Pose,
    glam::{DVec3, dvec3},
    shape::{Polytope, TriangleSoup, sample::disc},
    spacetime::lattice::{
        FaceLattice, Motion, PrismHierarchy, PrismVertex, Rational, SeparationStats, TimeEnd, Vector,
        first_collision, prism,
    },
};
use clearance_io::picture::{Body, Camera, Colour, Drawing, Label, Legend, Line, Marker};
use std::{error::Error, path::PathBuf};

const INK: Colour = Colour::new(0x2b, 0x34, 0x40);

/// How long the motions take.
const DURATION: f64 = 4.0;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("name the folder to write into")?);
    std::fs::create_dir_all(&folder)?;
    for (name, drawing) in [
        ("space-time-prism", one_prism()?),
        ("space-time-contact", contact()?),
        ("space-time-levels", levels()?),
    ] {
        let file = folder.join(format!("{name}.svg"));
        std::fs::write(&file, drawing.to_svg())?;
        println!("{}", file.display());
    }
    Ok(())
}

/// A polygon and its velocity. Its first corner sees all others: triangles around it fill the polygon.
struct Moving {
    corners: &'static [[f64; 2]],
    velocity: [f64; 2],
}

const ANGLE: Moving = Moving {
    corners: &[[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]],
    velocity: [0.5, 0.0],
};

const DART: Moving =
    Moving { corners: &[[5.0, 4.0], [6.5, 4.5], [6.0, 5.5], [4.5, 5.25]], velocity: [-0.5, -0.75] };

impl Moving {
    fn prism(&self) -> Result<FaceLattice, Box<dyn Error>> {
        let number = |x: f64| Rational::try_from(x).map_err(|_| "a number");
        let [x, y] = self.velocity.map(|v| v * DURATION);
        let way = [number(x)?, number(y)?, number(DURATION)?];
        Ok(prism(&FaceLattice::from_polygon(self.corners)?, &Rational::ZERO, &way)?)
    }

    /// The body in the picture: the polygon at the start, at the end, and what it sweeps.
    fn soup(&self) -> Result<TriangleSoup, Box<dyn Error>> {
        let positions = self.prism()?.vertices().iter().map(rounded).collect();
        let n = self.corners.len() as u32;
        let ends = (1..n - 1).flat_map(|i| [[0, i + 1, i], [n, n + i, n + i + 1]]);
        let sides = (0..n).flat_map(|i| {
            let j = (i + 1) % n;
            [[i, j, n + j], [i, n + j, n + i]]
        });
        Ok(TriangleSoup { positions, triangles: ends.chain(sides).collect(), parts: Vec::new() })
    }

    /// Its outline at a time.
    fn outline(&self, time: f64, colour: Colour) -> Line {
        let at = |c: &[f64; 2]| dvec3(c[0] + time * self.velocity[0], c[1] + time * self.velocity[1], time);
        let points = self.corners.iter().chain(self.corners.first()).map(at).collect();
        Line { points, colour }
    }
}

fn rounded(point: &Vector) -> DVec3 {
    let at = |axis: usize| point[axis].to_f64().value();
    dvec3(at(0), at(1), at(2))
}

fn view() -> Camera {
    Camera::looking(dvec3(-0.55, 1.0, -0.55), DVec3::Z)
}

fn text(point: DVec3, text: impl Into<String>) -> Label {
    Label { point, text: text.into() }
}

/// One polygon and its prism.
fn one_prism() -> Result<Drawing, Box<dyn Error>> {
    let body = Body { opacity: 0.55, ..Body::new("prism", ANGLE.soup()?).coloured(Colour::of_index(0)) };
    let lattice = ANGLE.prism()?;
    let times = [0.0, 0.5 * DURATION, DURATION];
    let end = |t: f64| dvec3(3.0 + t * ANGLE.velocity[0], 0.0, t);
    Ok(Drawing {
        title: format!(
            "a hexagon moving to the right: {} faces, {} incidences, 3 and 6 times its own",
            lattice.face_count(),
            lattice.incidence_count()
        ),
        bodies: vec![body],
        lines: times
            .map(|t| ANGLE.outline(t, if t == times[1] { Colour::of_index(1) } else { INK }))
            .to_vec(),
        labels: vec![
            text(end(0.0), "start copy, t = 0"),
            text(end(times[1]), "the body at t = 2: a section"),
            text(end(DURATION), "end copy, t = 4"),
        ],
        camera: view(),
        legend: Legend::Hidden,
        ..Drawing::default()
    })
}

/// Two prisms, and the lowest point that they share.
fn contact() -> Result<Drawing, Box<dyn Error>> {
    let prisms = [ANGLE.prism()?, DART.prism()?];
    let found =
        first_collision(&prisms[0], &prisms[1], &mut SeparationStats::default()).ok_or("they meet")?;
    let time = found.time.to_f64().value();
    let place = dvec3(found.place[0].to_f64().value(), found.place[1].to_f64().value(), time);
    let glass = |moving: &Moving, name: &str, i: usize| {
        Ok::<_, Box<dyn Error>>(Body {
            opacity: 0.4,
            ..Body::new(name, moving.soup()?).coloured(Colour::of_index(i))
        })
    };
    Ok(Drawing {
        title: format!("the first contact is the lowest common point: t = {}", found.time),
        bodies: vec![glass(&ANGLE, "A", 0)?, glass(&DART, "B", 1)?],
        lines: vec![
            ANGLE.outline(0.0, INK),
            DART.outline(0.0, INK),
            ANGLE.outline(time, Colour::of_index(0)),
            DART.outline(time, Colour::of_index(1)),
        ],
        markers: vec![Marker { point: place, colour: Colour::of_index(3) }],
        labels: vec![text(place, format!("t = {}", found.time))],
        camera: view(),
        legend: Legend::Hidden,
        ..Drawing::default()
    })
}

/// Levels of the hierarchy over an octagon: whole, without start copies, without their end copies either.
fn levels() -> Result<Drawing, Box<dyn Error>> {
    let octagon = disc(8, 1.0, 0.0)?;
    let motion = Motion::new(dvec3(0.15, 0.0, 0.0), 0.0..2.0).ok_or("a motion")?;
    let hierarchy = PrismHierarchy::build(&octagon, &Pose::IDENTITY, &motion).ok_or("a hierarchy")?;
    let camera = view();
    let right = dvec3(1.0, 0.55, 0.0).normalize();
    let mut drawing = Drawing {
        title: "from level to level: start copies go first, then the end copies of the same vertices".into(),
        camera,
        legend: Legend::Hidden,
        ..Drawing::default()
    };
    for level in 0..hierarchy.level_count() {
        let copies = |vertex| [TimeEnd::Start, TimeEnd::End].map(|end| PrismVertex { vertex, end });
        let all = (0..octagon.vertices().len() as u32).flat_map(copies);
        let place = 2.6 * level as f64 * right;
        let points: Vec<DVec3> = all
            .filter(|&v| hierarchy.has(level, v))
            .map(|v| {
                let p = hierarchy.point(v);
                // The body is flat: its third coordinate is nothing, the fourth is time.
                place + dvec3(p[0].to_f64().value(), p[1].to_f64().value(), p[3].to_f64().value())
            })
            .collect();
        drawing.labels.push(text(place + dvec3(-0.4, -0.4, -1.0), format!("{} vertices", points.len())));
        let hull = Polytope::hull(&points)?;
        drawing.bodies.push(Body::new("level", hull.to_soup()).coloured(Colour::of_index(level % 2)));
    }
    Ok(drawing)
}
