//! Writes a drawing as GLB: bodies with their colours, lines, and a small octahedron per marker.

use super::{Body, Colour, Drawing};
use crate::{Document, DrawnAbout, GlbStyle, LineSet, WriteError, write_glb_bytes};
use clearance::{Aabb, Pose, glam::DVec3, shape::TriangleSoup};
use std::ops::RangeInclusive;

/// Markers are this fraction of the drawing's largest extent across.
const MARKER_SIZE: f64 = 0.01;

/// What lies farther from the origin than so many times its extent is put about its middle: `f32` and viewers, which compute in
/// it, would round it by more than a quarter of a millionth of its extent.
const FAR: f64 = 64.0;

/// Extents in metres that are drawn as they are; the squares of smaller and larger ones are nearly beyond `f32`.
const DRAWABLE: RangeInclusive<f64> = 1e-12..=1e12;

impl Drawing {
    /// The drawing as a binary glTF for 3-D viewers; a body is a named node with its pose and colour.
    ///
    /// Labels, the heading and the legend are not part of it. glTF is in metres: a drawing without a unit
    /// is written as it is, one with a unit is scaled. What is far from the origin is drawn about its middle, and what is
    /// smaller than a picometre or larger than a billion kilometres in another size: the name of the scene says so, and its
    /// extras `origin` and `scale`.
    ///
    /// # Errors
    /// A triangle with an index out of range, or a coordinate that is not finite.
    pub fn to_glb(&self) -> Result<Vec<u8>, WriteError> {
        let mut document = Document { unit: self.unit, ..Document::default() };
        let bounds = self.bounds();
        let about = About::of(bounds, self.unit.map_or(1.0, |unit| unit.metres()));
        let mut colours = Vec::new();
        for body in self.bodies.iter().filter(|body| !body.soup.triangles.is_empty()) {
            let (soup, pose) = about.placed(&body.soup, &body.pose);
            document.place(&body.name, soup, pose);
            colours.push(Some(rgba(body.colour, body.opacity)));
        }
        let radius = 0.5 * MARKER_SIZE * extent(bounds) * about.scale;
        for (i, marker) in self.markers.iter().enumerate() {
            let soup = octahedron(about.point(marker.point), radius);
            document.place(&format!("marker {}", i + 1), soup, Pose::IDENTITY);
            colours.push(Some(rgba(marker.colour, 1.0)));
        }
        let lines = self.lines.iter().enumerate().map(|(i, line)| LineSet {
            name: format!("line {}", i + 1),
            segments: line.points.windows(2).map(|ends| [ends[0], ends[1]].map(|p| about.point(p))).collect(),
            colour: rgba(line.colour, 1.0),
        });
        let lines = lines.filter(|l| !l.segments.is_empty()).collect();
        let style = GlbStyle { colours, lines, about: about.told(), animation: None };
        write_glb_bytes(&document, &style)
    }

    fn bounds(&self) -> Option<Aabb> {
        let of_body = |body: &Body| {
            let points = body.soup.positions.iter().map(|&p| body.pose.apply(p));
            Aabb::around(points.filter(|p| p.is_finite()))
        };
        let of_markers = self.markers.iter().map(|m| m.point);
        let of_lines = self.lines.iter().flat_map(|line| line.points.iter().copied());
        let others = Aabb::around(of_markers.chain(of_lines).filter(|p| p.is_finite()));
        self.bodies.iter().filter_map(of_body).chain(others).reduce(Aabb::join)
    }
}

/// The largest extent; of a single point, 1.
fn extent(bounds: Option<Aabb>) -> f64 {
    bounds.map(|bounds| bounds.extent().max_element()).filter(|extent| *extent > 0.0).unwrap_or(1.0)
}

/// What is at the origin of the file, and how much larger things are there.
struct About {
    origin: DVec3,
    scale: f64,
}

impl About {
    fn of(bounds: Option<Aabb>, metres: f64) -> About {
        let extent = extent(bounds);
        let centre = bounds.map_or(DVec3::ZERO, |bounds| bounds.center());
        let size = extent * metres;
        // A power of two: nothing is rounded by it.
        let scale = if DRAWABLE.contains(&size) { 1.0 } else { (-size.log2().round()).exp2() };
        About { origin: far_centre(centre, extent), scale }
    }

    fn told(&self) -> Option<DrawnAbout> {
        let About { origin, scale } = *self;
        (origin != DVec3::ZERO || scale != 1.0).then_some(DrawnAbout { origin, scale })
    }

    fn point(&self, point: DVec3) -> DVec3 {
        (point - self.origin) * self.scale
    }

    /// Triangles far from the origin of their body are put about their own middle: their pose is in `f64`, they are not.
    fn placed(&self, soup: &TriangleSoup, pose: &Pose) -> (TriangleSoup, Pose) {
        let bounds = Aabb::around(soup.positions.iter().copied().filter(|p| p.is_finite()));
        let centre = bounds.map_or(DVec3::ZERO, |bounds| bounds.center());
        let centre = far_centre(centre, extent(bounds));
        let positions = soup.positions.iter().map(|&p| (p - centre) * self.scale).collect();
        // No translation is larger than the drawing, which is of a size that poses take.
        let placed = Pose::new(pose.rotation(), self.point(pose.apply(centre))).unwrap_or(*pose);
        (TriangleSoup { positions, ..soup.clone() }, placed)
    }
}

/// The centre of what is far away for its size; else the origin.
fn far_centre(centre: DVec3, extent: f64) -> DVec3 {
    if centre.abs().max_element() > FAR * extent { centre } else { DVec3::ZERO }
}

fn rgba(colour: Colour, opacity: f64) -> [f32; 4] {
    let linear = colour.linear();
    [linear.x as f32, linear.y as f32, linear.z as f32, opacity.clamp(0.0, 1.0) as f32]
}

fn octahedron(center: DVec3, radius: f64) -> TriangleSoup {
    let positions =
        [DVec3::X, DVec3::Y, DVec3::NEG_X, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z].map(|d| center + radius * d);
    let side = |i: u32| [[i, (i + 1) % 4, 4], [(i + 1) % 4, i, 5]];
    TriangleSoup {
        positions: positions.to_vec(),
        triangles: (0..4).flat_map(side).collect(),
        parts: Vec::new(),
    }
}
