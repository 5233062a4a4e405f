//! Where bodies are, rounded: for pictures and words.

use clearance::{
    glam::DVec2,
    kinetic::{Body, Plane, SeparatingLine, Simulation, Which},
};
use clearance_io::scene::PlanarBody;

/// Where a body's own origin is at a time, and by how many radians it is turned.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub origin: DVec2,
    pub angle: f64,
}

impl Place {
    pub fn of(body: &Body, t: f64) -> Place {
        let origin = body.plan().position_near(DVec2::ZERO, t);
        let axis = body.plan().position_near(DVec2::X, t) - origin;
        Place { origin, angle: axis.to_angle() }
    }

    pub fn apply(&self, point: DVec2) -> DVec2 {
        self.origin + DVec2::from_angle(self.angle).rotate(point)
    }

    pub fn apply_inverse(&self, point: DVec2) -> DVec2 {
        DVec2::from_angle(-self.angle).rotate(point - self.origin)
    }
}

/// The line by which a pair of bodies, by their numbers, is separated now.
pub fn separating_line(
    simulation: &Simulation,
    bodies: &[PlanarBody],
    [a, b]: [usize; 2],
) -> Option<SeparatingLine> {
    let ids: Vec<_> = simulation.bodies().map(|(id, _)| id).collect();
    let state = simulation.state(ids[a], ids[b])?;
    let plane: &Plane = simulation.space();
    plane.separating_line([&bodies[a].body, &bodies[b].body], state, simulation.now())
}

/// The body of a pair whose line it is, and the other one.
pub fn owner_first([a, b]: [usize; 2], owner: Which) -> [usize; 2] {
    match owner {
        Which::A => [a, b],
        Which::B => [b, a],
    }
}

/// The nearest point of the other body in the coordinates of the line's owner, and how far it is from the line.
pub fn nearest(line: &SeparatingLine, owner: Place, other: Place) -> (DVec2, f64) {
    let point = owner.apply_inverse(other.apply(line.point));
    (point, (line.normal.dot(point) + line.offset) / line.normal.length())
}

/// A part of a line around the foot of a point, in the owner's coordinates.
pub fn across(line: &SeparatingLine, point: DVec2, length: f64) -> [DVec2; 2] {
    let foot = point - line.normal * ((line.normal.dot(point) + line.offset) / line.normal.length_squared());
    let along = line.normal.perp().normalize_or_zero() * (0.5 * length);
    [foot - along, foot + along]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinetic::run::Scene;
    use clearance::kinetic::{HierarchyKind, Method};
    use clearance_io::scene::parse_planar;

    /// Oracle: all vertices of both bodies. The line that a proof names has its owner on one side and the other body on the
    /// other; the point that it names is no farther from it than any vertex there, or, with a margin, next to such a one.
    #[test]
    fn separating_lines_separate() {
        let bodies = parse_planar(include_str!("demo-plane.json"), "demo".as_ref()).unwrap();
        let mut seen = 0;
        for (method, hierarchy) in Method::ALL
            .into_iter()
            .flat_map(|method| [(method, HierarchyKind::Compass), (method, HierarchyKind::Dudley)])
        {
            let scene =
                Scene { name: String::new(), bodies: bodies.clone(), plane: Plane { method, hierarchy } };
            let mut simulation = scene.begin();
            for step in 0..=64 {
                let t = 0.25 * f64::from(step);
                while simulation.advance_to(t).is_some() {}
                for pair in scene.pairs() {
                    let Some(line) = separating_line(&simulation, &bodies, pair) else { continue };
                    let [owner, other] = owner_first(pair, line.owner);
                    let places = [owner, other].map(|body| Place::of(&bodies[body].body, t));
                    let (_, gap) = nearest(&line, places[0], places[1]);
                    let least = if method == Method::Inflated { 0.0 } else { gap };
                    let value = |p: DVec2| (line.normal.dot(p) + line.offset) / line.normal.length();
                    let inside = bodies[owner].body.polygon().vertices().iter().all(|v| value(*v) < 1e-9);
                    let outside = bodies[other]
                        .body
                        .polygon()
                        .vertices()
                        .iter()
                        .all(|v| value(places[0].apply_inverse(places[1].apply(*v))) > least - 1e-9);
                    assert!(inside && outside && gap > -1e-9, "{method:?} {hierarchy:?} {pair:?} t = {t}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 3_000, "{seen}");
    }
}
