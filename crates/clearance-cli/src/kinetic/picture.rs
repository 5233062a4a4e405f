//! The bodies at a time, with the proof of the closest pair.

use super::{
    Scene,
    place::{Place, across, nearest, owner_first, separating_line},
};
use crate::output::short;
use clearance::{
    glam::DVec2,
    kinetic::{
        HierarchyKind, Method, SeparatingLine,
        hierarchy::{Hierarchy, Mixed, TriangleId},
    },
    planar::{Placement, Point},
};
use clearance_io::picture::{Colour, Look, PlanarDrawing, draw_hierarchy, draw_mixed, stacked};

const INK: Colour = Colour::new(0x2b, 0x34, 0x40);
const ACTIVE: Colour = Colour::new(0xc6, 0x28, 0x28);
const PALE: Colour = Colour::new(0xff, 0xff, 0xff);
/// Cells of a mixed hierarchy of more vertices are smaller than pixels.
const MOST_VERTICES: usize = 400;

/// The pair that is drawn with its proof.
struct Shown {
    pair: [usize; 2],
    line: SeparatingLine,
    gap: f64,
}

/// An SVG of the bodies; where two are apart, with the hierarchies, the envelopes that the certificate uses, the separating
/// edge, and below them the active cell.
pub fn draw(scene: &Scene, at: f64) -> String {
    let mut simulation = scene.begin();
    while simulation.advance_to(at).is_some() {}
    let places: Vec<Place> = scene.bodies.iter().map(|body| Place::of(&body.body, at)).collect();
    let shown = scene.pairs().filter_map(|pair| {
        let line = separating_line(&simulation, &scene.bodies, pair)?;
        let [owner, other] = owner_first(pair, line.owner);
        let (_, gap) = nearest(&line, places[owner], places[other]);
        Some(Shown { pair, line, gap })
    });
    let shown = shown.min_by(|one, other| one.gap.total_cmp(&other.gap));
    let mut drawing = PlanarDrawing { title: title(scene, at, shown.as_ref()), ..PlanarDrawing::default() };
    if let Some(Shown { pair, line, .. }) = &shown {
        for (i, body) in pair.iter().enumerate() {
            let level = line.levels.map(|levels| levels[i]);
            add_hierarchy(&mut drawing, scene, *body, places[*body], level);
        }
    }
    for (i, body) in scene.bodies.iter().enumerate() {
        let outline: Vec<DVec2> =
            body.body.polygon().vertices().iter().map(|v| places[i].apply(*v)).collect();
        drawing.view.extend(&outline);
        match outline[..] {
            [point] => drawing.dots.push((point, Colour::of_index(i))),
            _ => drawing.region(outline, Look::filled(Colour::of_index(i), 0.9).outlined(INK, 1.2)),
        }
        drawing.legend.push((Colour::of_index(i), body.name.clone()));
    }
    let Some(Shown { pair, line, .. }) = shown else { return stacked(&[drawing]) };
    let [owner, other] = owner_first(pair, line.owner);
    let (point, _) = nearest(&line, places[owner], places[other]);
    let length = pair.iter().map(|body| scene.bodies[*body].body.polygon().diameter()).sum::<f64>();
    let ends = across(&line, point, 1.5 * length).map(|end| places[owner].apply(end));
    drawing.line(ends.to_vec(), Look::line(ACTIVE, 1.8).dashed());
    drawing.dots.push((places[owner].apply(point), ACTIVE));
    drawing.legend.push((ACTIVE, "separating edge, nearest vertex".to_owned()));
    let cells = cells(scene, pair, &places);
    stacked(&[drawing].into_iter().chain(cells).collect::<Vec<_>>())
}

fn title(scene: &Scene, at: f64, shown: Option<&Shown>) -> String {
    let proof = match shown {
        Some(Shown { pair: [a, b], line, .. }) => {
            let level = match line.levels {
                Some([a, b]) if a == b => format!(" on level {a}"),
                Some([a, b]) => format!(" on levels {a} and {b}"),
                None => String::new(),
            };
            format!(": {} and {} are apart{level}", scene.bodies[*a].name, scene.bodies[*b].name)
        }
        None if scene.bodies.len() == 1 => String::new(),
        None => ": no pair has a separating line".to_owned(),
    };
    format!("t = {}{proof}", short(at))
}

/// The hierarchy that certificates of the scene use.
fn hierarchy_of(scene: &Scene, body: usize) -> &Hierarchy {
    let kind = match scene.plane.method {
        Method::Inflated => HierarchyKind::Compass,
        _ => scene.plane.hierarchy,
    };
    scene.bodies[body].body.shape().hierarchy(kind)
}

/// The triangles around a polygon, and its envelope of a level.
fn add_hierarchy(drawing: &mut PlanarDrawing, scene: &Scene, body: usize, place: Place, level: Option<u32>) {
    let hierarchy = hierarchy_of(scene, body);
    if hierarchy.polygon().vertices().len() == 1 {
        return;
    }
    let colour = Colour::of_index(body);
    let placed = |point: &Point| place.apply(point.near());
    for (i, triangle) in hierarchy.triangles().iter().enumerate() {
        let opacity = 0.08 + 0.25 * f64::from(triangle.level() + 1) / f64::from(hierarchy.depth().max(1));
        let outline = hierarchy.outline(TriangleId(i as u32)).iter().map(placed).collect();
        drawing.region(outline, Look::filled(colour, opacity).outlined(PALE, 0.8));
    }
    let corners: Vec<DVec2> = (0..4).map(|i| placed(hierarchy.vertex(&hierarchy.quarter(i)))).collect();
    drawing.view.extend(&corners);
    if let Some(level) = level.map(|level| level.min(hierarchy.depth())) {
        let corners = hierarchy.envelope(level).into_iter().map(|edge| hierarchy.corner_after(edge, level));
        let envelope = corners.map(|corner| placed(hierarchy.vertex(&corner))).collect();
        drawing.region(envelope, Look::line(colour, 2.0));
    }
}

/// The cells around one body, with the one in which the other is.
fn cells(scene: &Scene, [a, b]: [usize; 2], places: &[Place]) -> Option<PlanarDrawing> {
    let names = [a, b].map(|body| scene.bodies[body].name.as_str());
    let hierarchies = [a, b].map(|body| hierarchy_of(scene, body));
    let counts = hierarchies.map(|hierarchy| hierarchy.polygon().vertices().len());
    if counts[0] + counts[1] > MOST_VERTICES {
        return None;
    }
    let heading =
        |of: &str, seen_from: &str| format!("where {of} is as seen from {seen_from}: the active cell");
    let around = |solid: usize, point: usize| {
        let bodies = [a, b];
        let place = places[bodies[point]].apply(hierarchies[point].polygon().vertices()[0]);
        let place = Point::from(places[bodies[solid]].apply_inverse(place));
        draw_hierarchy(&heading(names[point], names[solid]), hierarchies[solid], Some(&place))
    };
    match counts {
        [1, 1] => None,
        [_, 1] => Some(around(0, 1)),
        [1, _] => Some(around(1, 0)),
        _ => {
            let shift = Point::from(places[a].apply_inverse(places[b].origin));
            let placement = Placement::turn(places[b].angle - places[a].angle, shift);
            let mixed = Mixed::new(hierarchies[0], hierarchies[1], placement);
            Some(draw_mixed(&heading(names[1], names[0]), &mixed))
        }
    }
}
