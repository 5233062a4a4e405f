//! Moving bodies where they first meet, and the way there as an animation.

use crate::{
    bodies::{self, Opened},
    output::{Failure, counted, short},
    path::{Path as Way, frames},
};
use clearance::{Pose, glam::DVec3, shape::TriangleSoup};
use clearance_io::{
    Animation, Document, Geometry, GlbStyle, LineSet, Placement, Track,
    picture::{Body, Camera, Colour, Drawing, Fineness, Line, Marker, tessellate},
    write_glb,
};
use std::path::Path;

const AT_REST: Colour = Colour::new(0xb4, 0xbc, 0xc6);
const CONTACT: Colour = Colour::new(0xd6, 0x3a, 0x3a);
const WAY: Colour = Colour::new(0x8c, 0x9a, 0xab);

/// Where a motion is shown.
#[derive(Clone, Debug)]
pub struct Moment {
    /// In the scene's time.
    pub time: f64,
    /// Which two bodies meet then, if any.
    pub pair: Option<[usize; 2]>,
    /// Where they meet.
    pub contacts: Vec<DVec3>,
    /// From one to the other; zero if none meet.
    pub normal: DVec3,
}

/// A scene in motion: each body with how it moves, and when the first one does.
pub struct Moving<'a> {
    pub opened: &'a Opened,
    pub ways: &'a [Way],
    pub start: f64,
}

/// A body with its triangles.
struct Shown<'a> {
    index: usize,
    body: &'a bodies::Body,
    way: &'a Way,
    soup: TriangleSoup,
}

impl Shown<'_> {
    fn pose_at(&self, t: f64) -> Result<Pose, Failure> {
        self.way.pose_at(t, &self.body.pose).ok_or_else(|| {
            Failure::input(format_args!("{}: it moves beyond the largest coordinates", self.body.name))
        })
    }

    /// The way of a point of it from the start on: of its middle, or of the point farthest from the axis it turns about.
    fn trace(&self, start: f64, end: f64) -> Result<Vec<DVec3>, Failure> {
        let point = match self.way.screw() {
            None => middle(&self.soup),
            Some(screw) => {
                let axis = screw.axis().normalize();
                let arm = |p: &DVec3| axis.cross(self.body.pose.apply(*p) - screw.center()).length();
                corners(&self.soup).max_by(|p, q| arm(p).total_cmp(&arm(q))).unwrap_or(DVec3::ZERO)
            }
        };
        frames([self.way], start, end).into_iter().map(|t| Ok(self.pose_at(t)?.apply(point))).collect()
    }
}

impl Moving<'_> {
    fn bodies(&self) -> impl Iterator<Item = Shown<'_>> {
        let all = self.opened.bodies.iter().zip(self.ways).enumerate();
        all.filter_map(|(index, (body, way))| {
            Some(Shown { index, body, way, soup: tessellate(&body.shape, Fineness::default())? })
        })
    }

    /// The bodies at a moment, with their ways and the points of contact.
    pub fn drawing(&self, moment: &Moment) -> Result<Drawing, Failure> {
        let mut drawing =
            Drawing { unit: self.opened.unit, camera: camera(moment.normal), ..Drawing::default() };
        drawing.title = self.title(moment);
        for shown in self.bodies() {
            let pose = shown.pose_at(moment.time)?;
            if shown.way.times().is_some_and(|[t0, _]| t0 < moment.time) {
                let points = shown.trace(self.start, moment.time)?;
                drawing.lines.push(Line { points, colour: WAY });
            }
            let meets = moment.pair.is_some_and(|pair| pair.contains(&shown.index));
            let note = if meets { "first contact" } else { "" };
            let colour = colour(shown.index, shown.way);
            let drawn = Body::new(&shown.body.name, shown.soup).at(pose).coloured(colour).noted(note);
            let opacity = if meets || moment.pair.is_none() { 1.0 } else { BYSTANDER };
            drawing.bodies.push(Body { opacity, ..drawn });
        }
        drawing.markers = moment.contacts.iter().map(|&point| Marker { point, colour: CONTACT }).collect();
        Ok(drawing)
    }

    fn title(&self, moment: &Moment) -> String {
        let name = |i: usize| &self.opened.bodies[i].name;
        match moment.pair {
            Some([a, b]) => {
                let contacts = counted(moment.contacts.len(), "contact");
                format!("t = {}: {} meets {}, {contacts}", short(moment.time), name(a), name(b))
            }
            None => format!("t = {}: no contact after the start", short(moment.time)),
        }
    }

    /// An animated GLB from the start up to a moment, with the points of contact as small stars.
    pub fn write_animation(&self, moment: &Moment, shortest: f64, file: &Path) -> Result<(), Failure> {
        let mut document = Document { unit: self.opened.unit, ..Document::default() };
        let mut style = GlbStyle::default();
        let mut tracks = Vec::new();
        let mut size: f64 = 0.0;
        let mut times = frames(self.ways, self.start, moment.time);
        if times.len() == 1 {
            times.push(times[0] + shortest);
        }
        for shown in self.bodies() {
            let mut track = Track::default();
            for &t in &times {
                track.push(&shown.pose_at(t)?);
            }
            let Shown { index, body, way, soup } = shown;
            size = size.max(extent(&soup).max_element());
            document.geometries.push(Geometry { name: body.name.clone(), soup });
            let geometry = document.geometries.len() - 1;
            document.placements.push(Placement { name: body.name.clone(), geometry, pose: body.pose });
            style.colours.push(Some(colour(index, way).rgba()));
            tracks.push((*way != Way::Rest).then_some(track));
        }
        let seconds = times.iter().map(|t| t - self.start).collect();
        style.animation = Some(Animation { name: "motion".into(), seconds, tracks });
        let segments = moment.contacts.iter().flat_map(|&point| star(point, 0.02 * size)).collect();
        style.lines.push(LineSet { name: "contacts".into(), segments, colour: CONTACT.rgba() });
        Ok(write_glb(file, &document, &style)?)
    }
}

/// Opacity of bodies that stand beside.
const BYSTANDER: f64 = 0.4;

/// Looks along the plane of contact, so that one body does not hide the other.
fn camera(normal: DVec3) -> Camera {
    match normal.cross(DVec3::Z).try_normalize() {
        Some(side) => Camera::looking(side - 0.3 * normal - 0.5 * DVec3::Z, DVec3::Z),
        None => Camera::default(),
    }
}

fn colour(body: usize, way: &Way) -> Colour {
    if *way == Way::Rest { AT_REST } else { Colour::of_index(body) }
}

fn corners(soup: &TriangleSoup) -> impl Iterator<Item = DVec3> {
    soup.positions.iter().copied().filter(|p| p.is_finite())
}

fn bounds(soup: &TriangleSoup) -> (DVec3, DVec3) {
    corners(soup).fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)))
}

fn extent(soup: &TriangleSoup) -> DVec3 {
    let (low, high) = bounds(soup);
    (high - low).max(DVec3::ZERO)
}

fn middle(soup: &TriangleSoup) -> DVec3 {
    let (low, high) = bounds(soup);
    0.5 * (low + high)
}

/// Three crossing segments.
fn star(point: DVec3, size: f64) -> impl Iterator<Item = [DVec3; 2]> {
    DVec3::AXES.into_iter().map(move |axis| [point - axis * size, point + axis * size])
}
