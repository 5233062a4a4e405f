//! Moving bodies where they first meet, and the way there as an animation.

use crate::{
    bodies::{self, Opened},
    output::{Failure, counted, short},
};
use clearance::{Pose, glam::DVec3, shape::TriangleSoup, spacetime::Leg};
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
    pub legs: &'a [Option<Leg>],
    pub start: f64,
}

/// What a body has been moved by at a time, rounded.
fn displaced(leg: &Option<Leg>, t: f64) -> DVec3 {
    leg.map_or(DVec3::ZERO, |leg| leg.displacement * ((t - leg.t0) / (leg.t1 - leg.t0)).clamp(0.0, 1.0))
}

impl Moving<'_> {
    fn bodies(&self) -> impl Iterator<Item = (usize, &bodies::Body, &Option<Leg>, TriangleSoup)> {
        let all = self.opened.bodies.iter().zip(self.legs).enumerate();
        all.filter_map(|(i, (body, leg))| Some((i, body, leg, tessellate(&body.shape, Fineness::default())?)))
    }

    /// The times up to a moment at which a body starts or stops, in order.
    fn times(&self, moment: &Moment) -> Vec<f64> {
        let ends = self.legs.iter().flatten().flat_map(|leg| [leg.t0, leg.t1]);
        let mut times: Vec<f64> = ends.filter(|t| *t > self.start && *t < moment.time).collect();
        times.extend([self.start, moment.time.max(self.start)]);
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }

    /// The bodies at a moment, with their ways and the points of contact.
    pub fn drawing(&self, moment: &Moment) -> Result<Drawing, Failure> {
        let mut drawing =
            Drawing { unit: self.opened.unit, camera: camera(moment.normal), ..Drawing::default() };
        drawing.title = self.title(moment);
        for (i, body, leg, soup) in self.bodies() {
            let way = displaced(leg, moment.time);
            let pose = moved(&body.pose, way)?;
            if way != DVec3::ZERO {
                let start = middle(&soup, &body.pose);
                let points = vec![start, start + way];
                drawing.lines.push(Line { points, colour: WAY });
            }
            let meets = moment.pair.is_some_and(|pair| pair.contains(&i));
            let note = if meets { "first contact" } else { "" };
            let drawn = Body::new(&body.name, soup).at(pose).coloured(colour(i, leg)).noted(note);
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
        let mut times = self.times(moment);
        if times.len() == 1 {
            times.push(times[0] + shortest);
        }
        for (i, body, leg, soup) in self.bodies() {
            let mut track = Track::default();
            for &t in &times {
                track.push(&moved(&body.pose, displaced(leg, t))?);
            }
            size = size.max(extent(&soup).max_element());
            document.geometries.push(Geometry { name: body.name.clone(), soup });
            let geometry = document.geometries.len() - 1;
            document.placements.push(Placement { name: body.name.clone(), geometry, pose: body.pose });
            style.colours.push(Some(colour(i, leg).rgba()));
            tracks.push(leg.map(|_| track));
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

fn colour(body: usize, leg: &Option<Leg>) -> Colour {
    if leg.is_none() { AT_REST } else { Colour::of_index(body) }
}

fn moved(pose: &Pose, by: DVec3) -> Result<Pose, Failure> {
    Pose::new(pose.rotation(), pose.translation() + by).map_err(Failure::input)
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

fn middle(soup: &TriangleSoup, pose: &Pose) -> DVec3 {
    let (low, high) = bounds(soup);
    pose.apply(0.5 * (low + high))
}

/// Three crossing segments.
fn star(point: DVec3, size: f64) -> impl Iterator<Item = [DVec3; 2]> {
    DVec3::AXES.into_iter().map(move |axis| [point - axis * size, point + axis * size])
}
