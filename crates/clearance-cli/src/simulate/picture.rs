//! The last frame as a picture, all frames as an animation.

use super::{Environment, Tally};
use crate::output::Failure;
use clearance::{
    Aabb, Pose,
    glam::DVec3,
    shape::{Shape, TriangleSoup},
};
use clearance_io::{
    Animation, Document, Geometry, GlbStyle, LengthUnit, LineSet, Placement, Track,
    picture::{Body, Camera, Colour, Drawing, Fineness, Legend, Line, PALETTE, SHEET, sheet, tessellate},
    write_glb,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::Arc,
};

/// Up to so many bodies each has a colour of its own and is named.
const NAMED: usize = PALETTE.len();
const COLLIDING: Colour = Colour::new(0xd6, 0x3a, 0x3a);
const AT_REST: Colour = Colour::new(0xb4, 0xbc, 0xc6);
const WALLS: Colour = Colour::new(0x8c, 0x9a, 0xab);

/// A drawing of the bodies where they are; those that collide are red where there are many, noted where there are few.
pub fn last_frame(environment: &Environment, tally: &Tally, unit: Option<LengthUnit>) -> Drawing {
    let colliding: BTreeSet<usize> = tally.colliding.iter().flatten().copied().collect();
    let few = environment.flyers.len() <= NAMED;
    let mut soups = Soups::default();
    // Not along a diagonal of the box, on which its nearest and its farthest corner would be one.
    let camera = Camera::looking(DVec3::new(-0.5, 1.0, -0.45), DVec3::Z);
    let mut drawing = Drawing { unit, camera, ..Drawing::default() };
    drawing.legend = if few { Legend::Shown } else { Legend::Hidden };
    for (i, (flyer, pose)) in environment.flyers.iter().zip(environment.poses()).enumerate() {
        let flat = sheet(&flyer.shape, &pose, around(environment.walls));
        let Some(soup) = flat.as_ref().or_else(|| soups.of(&flyer.shape)) else { continue };
        let (pose, opacity) = if flat.is_some() { (Pose::IDENTITY, SHEET) } else { (pose, 1.0) };
        let (collides, colour) = (colliding.contains(&i), colour_of(environment, i));
        let colour = match (few, collides) {
            (false, true) => COLLIDING,
            (false, false) if flyer.moves() => Colour::of_index(0),
            _ => colour,
        };
        let note = if collides { "collides" } else { "" };
        let body = Body::new(&flyer.name, soup.clone()).at(pose).coloured(colour).noted(note);
        drawing.bodies.push(Body { opacity, ..body });
    }
    let pairs = match tally.colliding.len() {
        0 => "no pair collides".to_owned(),
        1 => "one pair collides".to_owned(),
        more => format!("{more} pairs collide"),
    };
    let pairs = if few || colliding.is_empty() { pairs } else { pairs + " (red)" };
    drawing.title = format!("frame {}: {} bodies, {pairs}", tally.frames(), environment.flyers.len());
    let walls: Vec<Line> = front_edges(environment.walls, &drawing).collect();
    drawing.lines.extend(walls);
    drawing
}

/// A ball around the box.
fn around(walls: Aabb) -> (DVec3, f64) {
    (walls.center(), 0.5 * walls.extent().length())
}

fn colour_of(environment: &Environment, body: usize) -> Colour {
    if environment.flyers[body].moves() { Colour::of_index(body) } else { AT_REST }
}

/// Triangles of each shape, made once.
#[derive(Default)]
struct Soups(BTreeMap<*const Shape, Option<TriangleSoup>>);

impl Soups {
    fn of(&mut self, shape: &Arc<Shape>) -> Option<&TriangleSoup> {
        let make = || tessellate(shape, Fineness::default());
        self.0.entry(Arc::as_ptr(shape)).or_insert_with(make).as_ref()
    }
}

/// The twelve edges of a box.
fn edges(walls: Aabb) -> impl Iterator<Item = [DVec3; 2]> {
    let corner = move |i: usize| {
        let pick = |axis: usize| if i >> axis & 1 == 1 { walls.max[axis] } else { walls.min[axis] };
        DVec3::new(pick(0), pick(1), pick(2))
    };
    let edge =
        move |(i, axis): (usize, usize)| (i >> axis & 1 == 0).then(|| [corner(i), corner(i | 1 << axis)]);
    (0..8).flat_map(|i| (0..3).map(move |axis| (i, axis))).filter_map(edge)
}

/// Lines are drawn over bodies, so the edges behind them, at the far corner, are left out.
fn front_edges(walls: Aabb, drawing: &Drawing) -> impl Iterator<Item = Line> {
    let camera = drawing.camera;
    let back = camera.back();
    let far = DVec3::select(back.cmpgt(DVec3::ZERO), walls.min, walls.max);
    edges(walls)
        .filter(move |ends| !ends.contains(&far))
        .map(|ends| Line { points: ends.to_vec(), colour: WALLS })
}

/// Keeps where all bodies were.
#[derive(Debug, Default)]
pub struct Recorder {
    tracks: Vec<Track>,
    frames: usize,
}

impl Recorder {
    /// For as many bodies and frames as a GLB holds: refused before they fly, not after.
    pub fn new(environment: &Environment, frames: u32) -> Result<Recorder, Failure> {
        /// Of a translation and a rotation.
        const BYTES: u64 = 4 * (3 + 4);
        let moving = environment.flyers.iter().filter(|flyer| flyer.moves()).count() as u64;
        let most = u64::from(u32::MAX) / (BYTES * moving.max(1));
        if u64::from(frames) >= most {
            return Err(Failure::Usage(format!(
                "an animation of {moving} bodies holds less than {most} frames; make --frames smaller"
            )));
        }
        Ok(Recorder::default())
    }

    /// Adds the frame that the environment is in.
    pub fn record(&mut self, environment: &Environment) {
        self.tracks.resize_with(environment.flyers.len(), Track::default);
        for (track, (flyer, pose)) in
            self.tracks.iter_mut().zip(environment.flyers.iter().zip(environment.poses()))
        {
            if flyer.moves() {
                track.push(&pose);
            }
        }
        self.frames += 1;
    }

    /// Writes an animated GLB.
    pub fn write(
        self,
        environment: &Environment,
        unit: Option<LengthUnit>,
        frames_per_second: f64,
        file: &Path,
    ) -> Result<(), Failure> {
        let mut document = Document { unit, ..Document::default() };
        let mut style = GlbStyle::default();
        let mut tracks = Vec::new();
        let mut known: BTreeMap<*const Shape, Option<usize>> = BTreeMap::new();
        let flyers = environment.flyers.iter().zip(environment.poses()).zip(self.tracks);
        for (i, ((flyer, pose), track)) in flyers.enumerate() {
            let colour = colour_of(environment, i).rgba();
            if let Some(soup) = sheet(&flyer.shape, &pose, around(environment.walls)) {
                document.place(&flyer.name, soup, Pose::IDENTITY);
                style.colours.push(Some([colour[0], colour[1], colour[2], SHEET as f32]));
                tracks.push(None);
                continue;
            }
            let add = || {
                let soup = tessellate(&flyer.shape, Fineness::default())?;
                document.geometries.push(Geometry { name: flyer.name.clone(), soup });
                Some(document.geometries.len() - 1)
            };
            let geometry = *known.entry(Arc::as_ptr(&flyer.shape)).or_insert_with(add);
            let Some(geometry) = geometry else { continue };
            document.placements.push(Placement { name: flyer.name.clone(), geometry, pose });
            style.colours.push(Some(colour));
            tracks.push(flyer.moves().then_some(track));
        }
        let seconds = (0..self.frames).map(|frame| frame as f64 / frames_per_second).collect();
        style.animation = Some(Animation { name: "simulation".into(), seconds, tracks });
        let segments = edges(environment.walls).collect();
        style.lines.push(LineSet { name: "walls".into(), segments, colour: WALLS.rgba() });
        Ok(write_glb(file, &document, &style)?)
    }
}
