//! Pictures of the outer approximation hierarchies of planar polygons, with the cell that is active.

use super::Colour;
use super::planar::{Look, PlanarDrawing};
use clearance::glam::DVec2;
use clearance::kinetic::hierarchy::{
    Body, Cell, Hierarchy, Inflated, InflatedCell, Mixed, MixedCell, TriangleId,
};
use clearance::planar::{Line, Point};

const INK: Colour = Colour::new(0x2b, 0x34, 0x40);
const BODY: Colour = Colour::new(0x4e, 0x8f, 0xd6);
const OTHER: Colour = Colour::new(0x3f, 0xb0, 0x8f);
const MIXED: Colour = Colour::new(0xd9, 0xb8, 0x3a);
const ACTIVE: Colour = Colour::new(0xe0, 0x6c, 0x75);
const PALE: Colour = Colour::new(0xff, 0xff, 0xff);

/// Fainter from level to level outward.
fn opacity(level: u32, depth: u32) -> f64 {
    0.12 + 0.5 * f64::from(level + 1) / f64::from(depth.max(1))
}

fn near(points: &[Point]) -> Vec<DVec2> {
    points.iter().map(Point::near).collect()
}

/// A line as far as a view of that size shows it, about the foot of a point.
fn across(line: &Line, about: DVec2, size: f64) -> Vec<DVec2> {
    let [_, _, c] = line.near();
    let normal = line.normal();
    let foot = about - normal * ((normal.dot(about) + c) / normal.length_squared());
    let along = normal.perp().normalize_or_zero() * size;
    vec![foot - along, foot + along]
}

/// The triangles of a hierarchy; with a point, also the cell that holds it and the edge that separates it.
pub fn draw_hierarchy(title: &str, hierarchy: &Hierarchy, point: Option<&Point>) -> PlanarDrawing {
    let mut drawing = PlanarDrawing { title: title.to_owned(), ..PlanarDrawing::default() };
    let corners = [0, 1, 2, 3].map(|quarter| hierarchy.vertex(&hierarchy.quarter(quarter)).near());
    drawing.view = corners.into_iter().chain(point.map(Point::near)).collect();
    for (i, triangle) in hierarchy.triangles().iter().enumerate() {
        let look = Look::filled(MIXED, opacity(triangle.level(), hierarchy.depth())).outlined(PALE, 1.0);
        drawing.region(near(&hierarchy.outline(TriangleId(i as u32))), look);
    }
    drawing.region(corners.to_vec(), Look::line(INK, 1.2));
    drawing.region(hierarchy.polygon().vertices().to_vec(), Look::filled(BODY, 1.0).outlined(INK, 1.2));
    if let Some(point) = point {
        let cell = hierarchy.locate(point);
        if let Cell::Triangle(id) = cell {
            drawing.region(near(&hierarchy.outline(id)), Look::filled(ACTIVE, 0.55));
        }
        if let Some(edge) = hierarchy.separating_edge(cell) {
            let line = across(hierarchy.line(edge), point.near(), hierarchy.diameter());
            drawing.line(line, Look::line(ACTIVE, 1.8).dashed());
        }
        drawing.dots.push((point.near(), ACTIVE));
        drawing.legend = vec![
            (BODY, "the polygon".to_owned()),
            (MIXED, "triangles, darker inward".to_owned()),
            (ACTIVE, "point, its cell, separating edge".to_owned()),
        ];
    }
    drawing
}

/// The cells of a mixed hierarchy around the sum of one polygon and the other turned about, with the cell of the placement.
pub fn draw_mixed(title: &str, mixed: &Mixed<'_>) -> PlanarDrawing {
    let mut drawing = PlanarDrawing { title: title.to_owned(), ..PlanarDrawing::default() };
    let depth = mixed.steps() / 2;
    for cell in mixed.cells() {
        let level = mixed.step_of(&cell) / 2;
        let colour = match cell {
            MixedCell::Triangle { body: Body::A, .. } => BODY,
            MixedCell::Triangle { .. } => OTHER,
            _ => MIXED,
        };
        drawing.region(
            near(&mixed.outline(&cell)),
            Look::filled(colour, opacity(level, depth)).outlined(PALE, 1.0),
        );
    }
    drawing.view = drawing.parts.iter().flat_map(|part| part.points.clone()).collect();
    let shift = mixed.pair().b_to_a().shift();
    drawing.view.push(shift.near());
    let cell = mixed.locate();
    drawing.region(near(&mixed.outline(&cell)), Look::filled(ACTIVE, 0.7).outlined(ACTIVE, 1.5));
    drawing.dots.push((shift.near(), ACTIVE));
    drawing.legend = vec![
        (BODY, "triangles of the first polygon".to_owned()),
        (OTHER, "triangles of the second".to_owned()),
        (MIXED, "parallelograms of both".to_owned()),
        (ACTIVE, "the placement and its cell".to_owned()),
    ];
    drawing
}

/// Two polygons, their envelopes at the active cell's level, and the line that separates them there.
pub fn draw_separation(title: &str, mixed: &Mixed<'_>) -> PlanarDrawing {
    let mut drawing = PlanarDrawing { title: title.to_owned(), ..PlanarDrawing::default() };
    let cell = mixed.locate();
    // A bounded cell lies outside the sum after its step: there the envelopes are apart.
    let sum = if matches!(cell, MixedCell::Outer(_)) { 0 } else { mixed.step_of(&cell) + 1 };
    for (body, colour, level) in [(Body::A, BODY, sum.div_ceil(2)), (Body::B, OTHER, sum / 2)] {
        let hierarchy = mixed.pair().hierarchy(body);
        let place = |p: &Point| if body == Body::A { p.clone() } else { mixed.pair().b_to_a().apply(p) };
        let envelope = hierarchy.envelope(level.min(hierarchy.depth()));
        let corners = envelope.iter().map(|&edge| hierarchy.corner_after(edge, level.min(hierarchy.depth())));
        let outline: Vec<DVec2> = corners.map(|corner| place(hierarchy.vertex(&corner)).near()).collect();
        drawing.region(outline, Look::filled(colour, 0.18).outlined(colour, 1.2));
        let polygon = hierarchy.polygon().points().iter().map(|p| place(p).near()).collect();
        drawing.region(polygon, Look::filled(colour, 0.9).outlined(INK, 1.2));
    }
    drawing.view = drawing.parts.iter().flat_map(|part| part.points.clone()).collect();
    if let Some(contact) = mixed.separation(&cell) {
        let [this, other] = [contact.body, contact.body.other()].map(|body| mixed.pair().hierarchy(body));
        let to_a = mixed.pair().b_to_a();
        let (line, vertex) = match contact.body {
            Body::A => (this.line(contact.edge).clone(), to_a.apply(other.vertex(&contact.corner))),
            Body::B => (to_a.apply_to_line(this.line(contact.edge)), other.vertex(&contact.corner).clone()),
        };
        let size = 2.0 * (this.diameter() + other.diameter());
        drawing.line(across(&line, vertex.near(), size), Look::line(ACTIVE, 1.8).dashed());
        drawing.dots.push((vertex.near(), ACTIVE));
    }
    drawing.legend = vec![
        (BODY, "first polygon in its envelope".to_owned()),
        (OTHER, "the second".to_owned()),
        (ACTIVE, "separating edge, nearest vertex".to_owned()),
    ];
    drawing
}

/// The cells between inflated envelopes; with a point, also its cell and the edge that separates it for a while.
pub fn draw_inflated(title: &str, inflated: &Inflated, point: Option<&Point>) -> PlanarDrawing {
    let hierarchy = inflated.hierarchy();
    let mut drawing = PlanarDrawing { title: title.to_owned(), ..PlanarDrawing::default() };
    let count = inflated.layers().len() as u32;
    drawing.view = inflated.layer_outline(0);
    drawing.view.extend(point.map(Point::near));
    for layer in 1..count {
        let level = inflated.layers()[layer as usize].level;
        for edge in hierarchy.envelope(level) {
            let look = Look::filled(MIXED, opacity(layer - 1, count)).outlined(PALE, 1.0);
            drawing.region(inflated.outline(layer, edge), look);
        }
    }
    drawing.region(inflated.layer_outline(0), Look::line(INK, 1.2));
    for layer in 0..count {
        let level = inflated.layers()[layer as usize].level;
        let vertex = |edge| hierarchy.vertex(&hierarchy.corner_after(edge, level)).near();
        let envelope = hierarchy.envelope(level).into_iter().map(vertex).collect();
        drawing.region(envelope, Look::line(BODY, 0.8).dashed());
    }
    drawing.region(hierarchy.polygon().vertices().to_vec(), Look::filled(BODY, 1.0).outlined(INK, 1.2));
    if let Some(point) = point {
        let cell = inflated.locate(point);
        if let InflatedCell::Between { layer, edge } = cell {
            drawing.region(inflated.outline(layer, edge), Look::filled(ACTIVE, 0.55));
        }
        if let Some(edge) = inflated.separating_edge(cell) {
            let line = across(hierarchy.line(edge), point.near(), hierarchy.diameter());
            drawing.line(line, Look::line(ACTIVE, 1.8).dashed());
        }
        drawing.dots.push((point.near(), ACTIVE));
    }
    drawing.legend = vec![
        (BODY, "polygon, its envelopes dashed".to_owned()),
        (MIXED, "cells between inflated envelopes".to_owned()),
        (ACTIVE, "point, its cell, separating edge".to_owned()),
    ];
    drawing
}
