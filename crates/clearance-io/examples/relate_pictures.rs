//! Draws the pictures of `docs/relate.md`: `cargo xtask pictures`, or this with the folder to write into.

use clearance::{
    Pose,
    glam::{DVec2, DVec3},
    pair::{Convex, StepRule, relate},
    shape::{Polytope, Shape},
    support::SupportMap,
};
use clearance_io::picture::{
    Body, Camera, Colour, Drawing, Label, Legend, Line, Marker, PairBody, PairMarks, draw_pair,
};
use std::{error::Error, f64::consts::TAU, path::PathBuf};

const INK: Colour = Colour::new(0x2b, 0x34, 0x40);
const DIRECTION: Colour = Colour::new(0xc0, 0x39, 0x4b);

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("name the folder to write into")?);
    std::fs::create_dir_all(&folder)?;
    for (name, drawing) in relations()?.into_iter().chain(steps()?) {
        let file = folder.join(format!("{name}.svg"));
        std::fs::write(&file, drawing.to_svg())?;
        println!("{}", file.display());
    }
    Ok(())
}

/// A wedge and a gem, apart, in touch and in each other.
fn relations() -> Result<Vec<(String, Drawing)>, Box<dyn Error>> {
    let wedge = [[0., 0., 0.], [2., 0., 0.], [0., 1.6, 0.], [2., 1.6, 0.], [0., 0., 1.4], [0., 1.6, 1.4]];
    let gem = [[-0.8, 0., 0.], [0.8, 0., 0.], [0., -0.8, 0.], [0., 0.8, 0.], [0., 0., -1.], [0., 0., 1.]];
    let shapes = [&wedge, &gem].map(|points| Polytope::hull(&points.map(DVec3::from_array)));
    let [wedge, gem] = shapes.map(|shape| shape.map(Shape::from));
    let (wedge, gem) = (wedge?, gem?);
    let mut drawings = Vec::new();
    // The gem's lowest corner stands 1 below its middle; the slope of the wedge is at height 0.7 above x = 1.
    for (name, place) in [
        ("disjoint", DVec3::new(1.75, 0.8, 2.25)),
        ("touching", DVec3::new(1.0, 0.8, 1.7)),
        ("overlapping", DVec3::new(1.0, 0.8, 1.25)),
    ] {
        let pose = Pose::from_translation(place)?;
        let answer = relate(&Convex::try_from(&wedge)?, &Pose::IDENTITY, &Convex::try_from(&gem)?, &pose)?;
        let middle = answer.points.map(|[a, b]| a.midpoint(b));
        let overlaps = answer.depth.is_some();
        let marks = PairMarks {
            points: answer.points,
            plane: middle.zip(answer.normal).filter(|_| !overlaps),
            opacity: if overlaps { 0.6 } else { 1.0 },
            ..PairMarks::default()
        };
        let bodies = [
            PairBody { name: "A", shape: &wedge, pose: Pose::IDENTITY },
            PairBody { name: "B", shape: &gem, pose },
        ];
        drawings.push((format!("relate-{name}"), draw_pair(name, bodies, &marks)));
    }
    Ok(drawings)
}

/// Two long plates, seen from above, until a direction separates them.
fn steps() -> Result<Vec<(String, Drawing)>, Box<dyn Error>> {
    let corner = |i: u32| {
        let angle = TAU * f64::from(i) / 18.0;
        DVec3::new(3.0 * angle.cos(), 0.6 * angle.sin(), 0.0)
    };
    let plate = SupportMap::new(Polytope::hull(&(0..18).map(corner).collect::<Vec<_>>())?);
    let pose = Pose::from_axis_angle(DVec3::Z, 0.12, DVec3::new(2.6, 1.45, 0.0))?;
    let mut direction = pose.translation();
    let mut drawings = Vec::new();
    for step in 1..=6 {
        let p = plate.vertex(plate.climb(direction, 0).vertex);
        let against = -(pose.rotation().transpose() * direction);
        let q = pose.apply(plate.vertex(plate.climb(against, 0).vertex));
        let gap = direction.normalize().dot(q - p);
        let verdict = if gap > 0.0 { "a gap: the plates are apart" } else { "no gap yet" };
        let title = format!("step {step}: S·(q − p) = {gap:.3}, {verdict}");
        drawings.push((format!("relate-step-{step}"), picture(&title, &plate, &pose, direction, [p, q])));
        if gap > 0.0 {
            break;
        }
        direction = StepRule::Greedy.next(direction, &[q - p]).ok_or("no direction is left")?;
    }
    Ok(drawings)
}

fn picture(title: &str, plate: &SupportMap, pose: &Pose, direction: DVec3, [p, q]: [DVec3; 2]) -> Drawing {
    // A little thickness, so that the plate is a solid with flat faces.
    let corners = plate.polytope().vertices().iter().flat_map(|&v| [v, v - 0.02 * DVec3::Z]);
    let solid = Polytope::hull(&corners.collect::<Vec<_>>());
    let solid = solid.as_ref().unwrap_or(plate.polytope()).to_soup();
    let body = |name: &str, pose: Pose, i: usize| Body {
        opacity: 0.8,
        ..Body::new(name, solid.clone()).at(pose).coloured(Colour::of_index(i))
    };
    let unit = direction.normalize();
    let across = DVec2::new(-unit.y, unit.x).extend(0.0);
    let supporting = |at: DVec3, i: usize| Line {
        points: vec![at - 1.7 * across, at + 1.7 * across],
        colour: Colour::of_index(i),
    };
    let tail = DVec3::new(-2.2, 2.2, 0.0);
    let tip = tail + 1.1 * unit;
    let arrow = vec![tail, tip, tip - 0.2 * unit + 0.1 * across, tip, tip - 0.2 * unit - 0.1 * across];
    let label = |point: DVec3, text: &str| Label { point, text: text.into() };
    Drawing {
        title: title.into(),
        bodies: vec![body("A", Pose::IDENTITY, 0), body("B", *pose, 1)],
        lines: vec![
            supporting(p, 0),
            supporting(q, 1),
            Line { points: vec![p, q], colour: INK },
            Line { points: arrow, colour: DIRECTION },
        ],
        markers: vec![
            Marker { point: p, colour: Colour::of_index(0) },
            Marker { point: q, colour: Colour::of_index(1) },
        ],
        labels: vec![
            // Nothing, in two corners: all steps are drawn at one scale.
            label(DVec3::new(-4.6, -1.6, 0.0), ""),
            label(DVec3::new(7.0, 3.3, 0.0), ""),
            label(p, "p"),
            label(q, "q"),
            label(tip, "S"),
            label(DVec3::new(-1.4, -0.1, 0.0), "A"),
            label(pose.apply(DVec3::new(1.2, 0.0, 0.0)), "B"),
        ],
        camera: Camera::looking(DVec3::NEG_Z, DVec3::Y),
        legend: Legend::Hidden,
        ..Drawing::default()
    }
}
