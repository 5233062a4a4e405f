//! Draws the pictures of `docs/screws.md`: `cargo xtask pictures`, or this with the folder to write into.
//!
//! Every number in them is computed by the library when they are drawn.

use clearance::{
    Pose,
    body::{self, Body as Solid},
    glam::{DVec3, dvec3},
    math::Screw,
    pair::Convex,
    screw::{
        ContactsConfig, EdgeProperness, Kept, Motion, Moving, ScrewContact, Surface, contacts, first_contact,
        split_by_facing,
    },
    shape::{Polytope, TriangleSoup},
};
use clearance_io::picture::{Body, Camera, Colour, Drawing, Label, Legend, Line, Marker};
use std::{error::Error, f64::consts::TAU, path::PathBuf};

/// Heads of arrows are not longer than this.
const HEAD: f64 = 0.18;

const INK: Colour = Colour::new(0x2b, 0x34, 0x40);
const GREY: Colour = Colour::new(0x9a, 0xa3, 0xaf);
const BLUE: Colour = Colour::of_index(0);
const ORANGE: Colour = Colour::of_index(1);
const GREEN: Colour = Colour::of_index(2);
const RED: Colour = Colour::of_index(3);

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("name the folder to write into")?);
    std::fs::create_dir_all(&folder)?;
    for (name, drawing) in [
        ("screws-between", between()?),
        ("screws-facing", facing()?),
        ("screws-vertex-face", vertex_face()?),
        ("screws-edge-edge", edge_edge()?),
        ("screws-tilted", tilted()?),
        ("screws-slab", slab()?),
        ("screws-bracket", bracket()?),
    ] {
        let file = folder.join(format!("{name}.svg"));
        std::fs::write(&file, drawing.to_svg())?;
        println!("{}", file.display());
    }
    Ok(())
}

fn text(point: DVec3, text: impl Into<String>) -> Label {
    Label { point, text: text.into() }
}

fn block(low: DVec3, high: DVec3) -> Result<Polytope, Box<dyn Error>> {
    let corner = |i: u32| dvec3((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64);
    Ok(Polytope::hull(&(0..8).map(|i| low + corner(i) * (high - low)).collect::<Vec<_>>())?)
}

fn solid(polytope: &Polytope) -> Solid {
    Solid::Convex(Convex::from_polytope(polytope.clone()))
}

fn surface(polytope: &Polytope) -> Result<Surface, Box<dyn Error>> {
    Ok(Surface::new(&solid(polytope)).ok_or("a polytope has a surface")?)
}

fn posed(screw: &Screw, t: f64, from: &Pose) -> Result<Pose, Box<dyn Error>> {
    Ok(screw.pose_at(t, from).ok_or("in range")?.0)
}

/// A line with a head.
fn arrow(from: DVec3, to: DVec3, across: DVec3, colour: Colour) -> Line {
    let back = ((from - to) * 0.25).clamp_length_max(HEAD);
    let side = across.normalize_or_zero() * back.length() * 0.4;
    Line { points: vec![from, to, to + back + side, to, to + back - side], colour }
}

/// The screw that takes a body from one pose to another, with places in between and the helices of two corners.
fn between() -> Result<Drawing, Box<dyn Error>> {
    let body = block(DVec3::ZERO, dvec3(1.0, 0.6, 0.4))?;
    let from = Pose::from_translation(dvec3(1.0, -0.4, 0.0))?;
    let to = Pose::from_axis_angle(dvec3(0.1, -0.15, 1.0), 2.3, dvec3(-1.0, 1.5, 1.6))?;
    let (screw, _) = Screw::between(&from, &to);
    let axis = screw.axis().normalize();
    let soup = body.to_soup();
    let ghost = |t: f64, colour: Colour, opacity: f64| -> Result<Body, Box<dyn Error>> {
        Ok(Body { opacity, ..Body::new("body", soup.clone()).at(posed(&screw, t, &from)?).coloured(colour) })
    };
    let mut bodies = vec![ghost(0.0, BLUE, 1.0)?, ghost(1.0, ORANGE, 1.0)?];
    for k in 1..6 {
        bodies.push(ghost(f64::from(k) / 6.0, GREY, 0.25)?);
    }
    let path = |corner: DVec3| -> Result<Line, Box<dyn Error>> {
        let at = |k: u32| Ok(posed(&screw, f64::from(k) / 60.0, &from)?.apply(corner));
        let points = (0..=60).map(at).collect::<Result<Vec<_>, Box<dyn Error>>>()?;
        Ok(Line { points, colour: GREEN })
    };
    let corner = dvec3(1.0, 0.6, 0.4);
    let height = |p: DVec3| screw.center() + axis * axis.dot(p - screw.center());
    let (low, high) = (height(from.apply(corner)), height(to.apply(corner)));
    let ends = [low - axis * 0.6, high + axis * 0.6];
    let spoke = |foot: DVec3, p: DVec3| Line { points: vec![foot, p], colour: GREY };
    Ok(Drawing {
        title: format!(
            "the screw between two poses: {:.0} degrees about the axis, {:.2} along it",
            screw.angle().to_degrees(),
            screw.shift()
        ),
        bodies,
        lines: vec![
            Line { points: ends.to_vec(), colour: INK },
            path(corner)?,
            path(DVec3::ZERO)?,
            spoke(low, from.apply(corner)),
            spoke(high, to.apply(corner)),
            arrow(low, high, axis.cross(dvec3(-1.0, 1.0, -1.0)), RED),
        ],
        markers: [from, to]
            .iter()
            .flat_map(|pose| [corner, DVec3::ZERO].map(|p| Marker { point: pose.apply(p), colour: GREEN }))
            .collect(),
        labels: vec![
            text(ends[1], "axis a"),
            text(low.lerp(high, 0.5), "shift"),
            text(from.apply(dvec3(0.5, 0.0, 0.0)), "t = 0"),
            text(to.apply(dvec3(1.0, 0.0, 0.2)), "t = 1"),
        ],
        legend: Legend::Hidden,
        ..Drawing::default()
    })
}

/// A fan of triangles around the first corner of each polygon.
fn fans(polygons: &[Vec<DVec3>]) -> TriangleSoup {
    let mut soup = TriangleSoup::default();
    for polygon in polygons.iter().filter(|polygon| polygon.len() > 2) {
        let first = soup.positions.len() as u32;
        soup.positions.extend(polygon);
        soup.triangles.extend((1..polygon.len() as u32 - 1).map(|i| [first, first + i, first + i + 1]));
    }
    soup
}

/// A box on a turntable, cut where its surface moves along itself.
fn facing() -> Result<Drawing, Box<dyn Error>> {
    let body = block(dvec3(-1.2, -0.5, 0.0), dvec3(1.2, 1.1, 0.8))?;
    let screw = Screw::new(DVec3::Z, dvec3(0.2, 0.0, 0.0), 1.0, 0.25)?;
    let (mut forward, mut backward) = (Vec::new(), Vec::new());
    for face in body.faces() {
        let polygon: Vec<DVec3> = face.iter().map(|&v| body.vertices()[v as usize]).collect();
        let parts = split_by_facing(&screw, &polygon);
        forward.push(parts.forward);
        backward.push(parts.backward);
    }
    // One corner is behind all others.
    let seen = body.vertices().iter().filter(|v| v.dot(dvec3(-1.0, 1.0, -1.0)) < 2.0);
    let arrows = seen.map(|&v| {
        let velocity = screw.velocity_at(v);
        arrow(v, v + 0.4 * velocity, velocity.cross(dvec3(-1.0, 1.0, -1.0)), INK)
    });
    let axis = Line { points: vec![dvec3(0.2, 0.0, -0.5), dvec3(0.2, 0.0, 1.6)], colour: GREY };
    Ok(Drawing {
        title: "where a turning body faces forward (arrows: velocities of corners)".into(),
        bodies: vec![
            Body::new("forward", fans(&forward)).coloured(ORANGE).noted("moves out along its normal"),
            Body::new("backward", fans(&backward)).coloured(BLUE).noted("moves in"),
        ],
        lines: arrows.chain([axis]).collect(),
        labels: vec![text(dvec3(0.2, 0.0, 1.6), "axis")],
        ..Drawing::default()
    })
}

/// All contacts of a body that falls onto another.
fn falling(
    below: &Polytope,
    falls: &Polytope,
    start: &Pose,
    way: f64,
) -> Result<(Vec<ScrewContact>, Screw), Box<dyn Error>> {
    let down = Screw::new(-DVec3::Z, DVec3::ZERO, 0.0, way)?;
    let config = ContactsConfig { min_properness: -1.0, kept: Kept::Entering, edges: EdgeProperness::Seven };
    let (x, y) = (surface(below)?, surface(falls)?);
    Ok((contacts(&x, &Pose::IDENTITY, &y, start, &down, Moving::Second, &config), down))
}

/// What is seen of a body above the plate: painters cannot draw bodies that cut each other.
fn above(body: &Polytope, pose: &Pose) -> Result<Polytope, Box<dyn Error>> {
    let places: Vec<DVec3> = body.vertices().iter().map(|&v| pose.apply(v)).collect();
    let mut seen: Vec<DVec3> = places.iter().copied().filter(|p| p.z >= 0.0).collect();
    for [v, w] in body.edges() {
        let (p, q) = (places[v as usize], places[w as usize]);
        if p.z * q.z < 0.0 {
            seen.push(p.lerp(q, p.z / (p.z - q.z)));
        }
    }
    Ok(Polytope::hull(&seen)?)
}

/// Three boxes at the time at which one of their corners meets a plate.
fn vertex_face() -> Result<Drawing, Box<dyn Error>> {
    let plate = block(dvec3(-2.6, -1.3, -0.3), dvec3(2.6, 1.3, 0.0))?;
    let cube = block(DVec3::splat(-0.5), DVec3::splat(0.5))?;
    let mut drawing = Drawing {
        title: "a corner meets a face: how proper that is".into(),
        bodies: vec![Body::new("A", plate.to_soup()).coloured(BLUE)],
        legend: Legend::Hidden,
        camera: Camera::looking(dvec3(-0.35, 1.0, -0.28), DVec3::Z),
        ..Drawing::default()
    };
    // On its corner; a little tilted, the corner that comes first; the same, the corner that comes last.
    let tilts = [
        (dvec3(1.0, -1.0, 0.0), 0.9, false),
        (dvec3(0.3, 1.0, 0.0), 0.12, false),
        (dvec3(0.3, 1.0, 0.0), 0.12, true),
    ];
    for (k, (axis, angle, is_last)) in tilts.into_iter().enumerate() {
        let start = Pose::from_axis_angle(axis, angle, dvec3(1.7 * (k as f64 - 1.0), 0.0, 2.0))?;
        let (found, down) = falling(&plate, &cube, &start, 3.0)?;
        let first = found.first().ok_or("it falls onto the plate")?;
        // Corners of the face below; those of the face above come much later.
        let last = found.iter().rfind(|contact| contact.lower < first.lower + 0.15).unwrap_or(first);
        let contact = if is_last { last } else { first };
        let pose = posed(&down, contact.lower, &start)?;
        drawing.bodies.push(Body::new("B", above(&cube, &pose)?.to_soup()).coloured(ORANGE));
        drawing.markers.push(Marker { point: contact.point, colour: RED });
        drawing.lines.push(arrow(contact.point, contact.point + DVec3::Z * 0.7, DVec3::X, INK));
        let sign = if contact.properness < 0.0 { "improper" } else { "proper" };
        drawing
            .labels
            .push(text(contact.point - DVec3::Z * 0.62, format!("{sign}: {:+.2}", contact.properness)));
    }
    drawing.labels.push(text(dvec3(-1.7, 0.0, 0.7), "n"));
    Ok(drawing)
}

/// Two roofs whose ridges cross; then the same with one of them leaning over.
fn edge_edge() -> Result<Drawing, Box<dyn Error>> {
    let roof = Polytope::hull(&[
        dvec3(-0.9, -0.8, -0.6),
        dvec3(-0.9, 0.8, -0.6),
        dvec3(0.9, -0.8, -0.6),
        dvec3(0.9, 0.8, -0.6),
        dvec3(-0.9, 0.0, 0.0),
        dvec3(0.9, 0.0, 0.0),
    ])?;
    let mut drawing = Drawing {
        title: "an edge meets an edge".into(),
        legend: Legend::Hidden,
        camera: Camera::looking(dvec3(-0.9, 1.0, -0.35), DVec3::Z),
        ..Drawing::default()
    };
    for (k, lean) in [(0.0, 0.0), (1.0, 1.0)] {
        let place = dvec3(2.6, 2.2, 0.0) * k;
        let below = Pose::from_translation(place)?;
        // Upside down, its ridge across the other's, leaning about its ridge.
        let turned = Pose::from_axis_angle(DVec3::X, std::f64::consts::PI, DVec3::ZERO)?;
        let across = Pose::from_axis_angle(DVec3::Z, 0.25 * TAU, DVec3::ZERO)?;
        let leaning = Pose::from_axis_angle(DVec3::Y, lean, DVec3::ZERO)?;
        let start = Pose::nearest(
            leaning.rotation() * across.rotation() * turned.rotation(),
            place + DVec3::Z * 1.5,
        )?;
        let down = Screw::new(-DVec3::Z, DVec3::ZERO, 0.0, 3.0)?;
        let config = ContactsConfig { min_properness: -1.0, ..ContactsConfig::default() };
        let side = surface(&roof)?;
        let found = contacts(&side, &below, &side, &start, &down, Moving::Second, &config);
        let ridges =
            found.iter().find(|contact| (contact.point - place).length() < 1e-6).ok_or("ridges meet")?;
        let pose = posed(&down, ridges.lower, &start)?;
        drawing.bodies.push(Body::new("A", roof.to_soup()).at(below).coloured(BLUE));
        drawing
            .bodies
            .push(Body { opacity: 0.75, ..Body::new("B", roof.to_soup()).at(pose).coloured(ORANGE) });
        drawing.markers.push(Marker { point: ridges.point, colour: RED });
        drawing.lines.push(arrow(ridges.point, ridges.point + ridges.normal * 0.8, DVec3::Y, INK));
        let sign = if ridges.properness < 0.0 { "improper" } else { "proper" };
        drawing
            .labels
            .push(text(place + dvec3(-0.2, -0.2, -1.25), format!("{sign}: {:+.2}", ridges.properness)));
    }
    Ok(drawing)
}

/// Figure 2 (b) of the paper: a tilted box has two contacts with a wall, one after the other.
fn tilted() -> Result<Drawing, Box<dyn Error>> {
    let wall = block(dvec3(-0.6, -0.8, -1.8), dvec3(0.0, 0.8, 1.8))?;
    let body = block(dvec3(-1.0, -0.5, -1.0), dvec3(1.0, 0.5, 1.0))?;
    let start = Pose::from_axis_angle(DVec3::Y, 0.09, dvec3(2.6, 0.0, 0.0))?;
    let left = Screw::new(-DVec3::X, DVec3::ZERO, 0.0, 2.0)?;
    let config = ContactsConfig { min_properness: -0.1, ..ContactsConfig::default() };
    let (x, y) = (surface(&wall)?, surface(&body)?);
    let found = contacts(&x, &Pose::IDENTITY, &y, &start, &left, Moving::Second, &config);
    let first = found.first().ok_or("they meet")?;
    let second = found.iter().find(|c| c.point.z * first.point.z < 0.0).ok_or("they meet twice")?;
    let ghost = |t: f64, colour: Colour, opacity: f64| -> Result<Body, Box<dyn Error>> {
        Ok(Body { opacity, ..Body::new("B", body.to_soup()).at(posed(&left, t, &start)?).coloured(colour) })
    };
    let label = |contact: &ScrewContact, name: &str| {
        let place = contact.point + dvec3(0.15, -0.5, -0.12 * contact.point.z.signum());
        text(place, format!("{name}: t = {:.3}, properness {:+.3}", contact.lower, contact.properness))
    };
    Ok(Drawing {
        title: "the tilted rectangle: one step, two contacts".into(),
        bodies: vec![
            Body::new("A", wall.to_soup()).coloured(BLUE),
            ghost(0.0, GREY, 0.3)?,
            ghost(first.lower, ORANGE, 0.75)?,
            ghost(second.lower, RED, 0.3)?,
        ],
        lines: vec![arrow(dvec3(3.2, -0.5, 0.0), dvec3(2.4, -0.5, 0.0), DVec3::Z, INK)],
        markers: [first, second].map(|c| Marker { point: c.point, colour: INK }).to_vec(),
        labels: vec![label(first, "first"), label(second, "second"), text(dvec3(2.5, -0.5, 0.15), "motion")],
        camera: Camera::looking(dvec3(-0.12, 1.0, -0.08), DVec3::Z),
        legend: Legend::Hidden,
        ..Drawing::default()
    })
}

fn rectangle([x, z]: [f64; 2], [width, height]: [f64; 2], colour: Colour) -> Line {
    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)];
    Line { points: corners.map(|(u, v)| dvec3(x + u * width, 0.0, z + v * height)).to_vec(), colour }
}

/// Unrolled about the axis: boxes are rectangles in angle and height, and a screw moves them straight.
fn slab() -> Result<Drawing, Box<dyn Error>> {
    let (a, size_a) = ([3.4, 1.5], [1.1, 0.9]);
    let (b, size_b) = ([0.4, 0.3], [0.8, 0.7]);
    let way = [4.6_f64, 2.2];
    // The window in which both intervals meet.
    let window = |axis: usize| -> [f64; 2] {
        let enter = (a[axis] - b[axis] - size_b[axis]) / way[axis];
        let leave = (a[axis] + size_a[axis] - b[axis]) / way[axis];
        [enter, leave]
    };
    let [angle, height] = [window(0), window(1)];
    let (from, to) = (angle[0].max(height[0]), angle[1].min(height[1]));
    let at = |t: f64| [b[0] + t * way[0], b[1] + t * way[1]];
    let corner = |t: f64, u: f64, v: f64| dvec3(at(t)[0] + u * size_b[0], 0.0, at(t)[1] + v * size_b[1]);
    let band = |u: f64, v: f64| Line { points: vec![corner(0.0, u, v), corner(1.0, u, v)], colour: GREY };
    Ok(Drawing {
        title: "unrolled about its axis a screw is a straight line".into(),
        lines: vec![
            arrow(DVec3::ZERO, dvec3(6.6, 0.0, 0.0), DVec3::Z, INK),
            arrow(DVec3::ZERO, dvec3(0.0, 0.0, 3.4), DVec3::X, INK),
            band(0.0, 1.0),
            band(1.0, 0.0),
            rectangle(at(1.0), size_b, GREY),
            rectangle(at(from), size_b, ORANGE),
            rectangle(at(to), size_b, ORANGE),
            rectangle(b, size_b, ORANGE),
            rectangle(a, size_a, BLUE),
            arrow(corner(0.0, 0.5, 0.5), corner(0.22, 0.5, 0.5), dvec3(-0.4, 0.0, 1.0), RED),
        ],
        labels: vec![
            text(dvec3(5.9, 0.0, -0.3), "angle"),
            text(dvec3(0.05, 0.0, 3.3), "height"),
            text(dvec3(a[0] + 0.7, 0.0, a[1] - 0.28), "box of A, which rests"),
            text(dvec3(b[0], 0.0, b[1] - 0.28), "box of B, t = 0"),
            text(corner(from, -0.6, 1.15), format!("t = {from:.2}: they may meet from here")),
            text(corner(to, 0.3, 1.1), format!("t = {to:.2}: to here")),
            text(corner(0.1, 1.2, 0.3), "(angle, shift)"),
        ],
        camera: Camera::looking(DVec3::Y, DVec3::Z),
        legend: Legend::Hidden,
        ..Drawing::default()
    })
}

/// The distance over the time of a step, how safe steps come closer, and where the bracket is.
fn bracket() -> Result<Drawing, Box<dyn Error>> {
    let cube = block(DVec3::splat(-0.5), DVec3::splat(0.5))?;
    let (a, b) = (solid(&cube), solid(&cube));
    let there = Pose::from_translation(dvec3(0.3, 3.2, 0.0))?;
    let start = Pose::from_axis_angle(dvec3(0.2, 0.5, 1.0), 0.4, dvec3(3.0, 0.0, 0.0))?;
    let swing = Screw::new(DVec3::Z, DVec3::ZERO, 0.25 * TAU, 0.0)?;
    let found = first_contact(&a, &there, &Motion::AtRest, &b, &start, &swing.into())?;
    let [lower, upper] = found.bracket().ok_or("they meet")?;
    let distance = |t: f64| -> Result<f64, Box<dyn Error>> {
        Ok(body::relate(&a, &there, &b, &posed(&swing, t, &start)?)?.distance.upper)
    };
    // Picture coordinates: time to the right, distance upward.
    let (width, height) = (10.0, 1.2);
    let place = |t: f64, d: f64| dvec3(width * t, 0.0, height * d);
    let mut curve = Vec::new();
    for k in 0..=100 {
        let t = f64::from(k) / 100.0 * lower;
        curve.push(place(t, distance(t)?));
    }
    // No point of B is faster than this.
    let speed = swing.angle() * (3.0 + 0.75f64.sqrt());
    let (mut steps, mut markers, mut t) = (Vec::new(), Vec::new(), 0.0);
    for _ in 0..5 {
        let now = distance(t)?;
        let next = t + now / speed;
        steps.push(Line {
            points: vec![place(t, now), place(next, 0.0), place(next, distance(next)?)],
            colour: ORANGE,
        });
        markers.push(Marker { point: place(t, now), colour: ORANGE });
        t = next;
    }
    markers.push(Marker { point: place(lower, 0.0), colour: RED });
    let mut lines = vec![
        arrow(DVec3::ZERO, place(1.05, 0.0), DVec3::Z, INK),
        arrow(DVec3::ZERO, dvec3(0.0, 0.0, height * (distance(0.0)? + 0.4)), DVec3::X, INK),
        Line { points: curve, colour: BLUE },
        Line { points: vec![place(lower, -0.15), place(lower, 0.8)], colour: RED },
    ];
    lines.extend(steps);
    Ok(Drawing {
        title: "a first contact is a bracket: proved apart before, proved to have met after".into(),
        lines,
        markers,
        labels: vec![
            text(place(0.98, -0.35), "t"),
            text(place(0.01, distance(0.0)? + 0.25), "distance"),
            text(place(0.02, -0.42), "proved apart: no point is faster than the slope of the steps"),
            text(place(lower, 0.75), format!("contact between {lower:.10}")),
            text(place(lower, 0.5), format!("and {upper:.10}")),
        ],
        camera: Camera::looking(DVec3::Y, DVec3::Z),
        legend: Legend::Hidden,
        ..Drawing::default()
    })
}
