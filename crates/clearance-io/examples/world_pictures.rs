//! Draws two pictures of `docs/many-bodies.md`: `cargo xtask pictures`, or this with the folder to write into.

use clearance::{
    Pose,
    glam::DVec3,
    shape::{
        Shape,
        sample::{PolytopeKind, random_polytope},
    },
    world::{Contact, NewBody, ShapeHandle, World},
};
use clearance_io::picture::{Camera, Drawing, PairBody, PairMarks, draw_pair};
use std::{error::Error, path::PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("name the folder to write into")?);
    std::fs::create_dir_all(&folder)?;
    for (name, drawing) in collision()? {
        let file = folder.join(format!("{name}.svg"));
        std::fs::write(&file, drawing.to_svg())?;
        println!("{}", file.display());
    }
    Ok(())
}

/// Where two bodies are in a frame: one falls and turns, the other lies below it.
fn poses(frame: u32) -> Result<[Pose; 2], Box<dyn Error>> {
    let t = f64::from(frame);
    let falling =
        Pose::from_axis_angle(DVec3::ONE.normalize(), 0.35 * t, DVec3::new(0.2, 0.1, 2.5 - 0.35 * t))?;
    Ok([Pose::from_axis_angle(DVec3::X, 0.3, DVec3::ZERO)?, falling])
}

/// The last frame in which they are apart, and the first in which they are not.
fn collision() -> Result<[(&'static str, Drawing); 2], Box<dyn Error>> {
    let shapes = [(PolytopeKind::Plate, 40, 3), (PolytopeKind::Ellipsoid, 40, 4)]
        .map(|(kind, vertices, seed)| random_polytope(kind, vertices, seed).map(Shape::from));
    let [plate, stone] = shapes;
    let shapes = [plate?, stone?];
    let mut world = World::default();
    let start = poses(0)?;
    let lying = world.add(NewBody::fixed(&ShapeHandle::new(&shapes[0])?, start[0]));
    let falling = world.add(NewBody::moving(&ShapeHandle::new(&shapes[1])?, start[1]));
    world.step();
    for frame in 1.. {
        world.move_to(falling, poses(frame)?[1])?;
        let found = world.step();
        if let Some((a, b, contact)) = found.began().next() {
            assert_eq!([a, b], [lying, falling]);
            return Ok([
                ("many-bodies-before", before(&shapes, poses(frame - 1)?, contact)?),
                ("many-bodies-began", began(&shapes, poses(frame)?, contact)?),
            ]);
        }
    }
    unreachable!("the stone falls through the plate")
}

fn before(shapes: &[Shape; 2], poses: [Pose; 2], contact: &Contact) -> Result<Drawing, Box<dyn Error>> {
    let separation = contact.before.ok_or("they were apart")?;
    let title = format!("the frame before: {:.3} apart", separation.upper);
    let marks = PairMarks { points: separation.points, ..PairMarks::default() };
    Ok(from_the_side(draw_pair(&title, bodies(shapes, poses), &marks)))
}

fn began(shapes: &[Shape; 2], poses: [Pose; 2], contact: &Contact) -> Result<Drawing, Box<dyn Error>> {
    let depth = contact.depth.ok_or("they overlap")?;
    let marks = PairMarks { points: contact.points, opacity: 0.65, ..PairMarks::default() };
    let title = format!("a collision began: {:.3} deep", depth.upper);
    Ok(from_the_side(draw_pair(&title, bodies(shapes, poses), &marks)))
}

/// The gap between the bodies is to be seen.
fn from_the_side(drawing: Drawing) -> Drawing {
    Drawing { camera: Camera::looking(DVec3::new(-1.0, 0.35, -0.1), DVec3::Z), ..drawing }
}

fn bodies(shapes: &[Shape; 2], poses: [Pose; 2]) -> [PairBody<'_>; 2] {
    [("plate", 0), ("stone", 1)].map(|(name, i)| PairBody { name, shape: &shapes[i], pose: poses[i] })
}
