//! Writes a drawing as GLB: bodies with their colours, lines, and a small octahedron per marker.

use super::{Body, Colour, Drawing};
use crate::{Document, GlbStyle, LineSet, WriteError, write_glb_bytes};
use clearance::{Aabb, Pose, glam::DVec3, shape::TriangleSoup};

/// Markers are this fraction of the drawing's largest extent across.
const MARKER_SIZE: f64 = 0.01;

impl Drawing {
    /// The drawing as a binary glTF for 3-D viewers; a body is a named node with its pose and colour.
    ///
    /// Labels, the heading and the legend are not part of it. glTF is in metres: a drawing without a unit
    /// is written as it is, one with a unit is scaled.
    ///
    /// # Errors
    /// A triangle with an index out of range, or a coordinate that `f32` cannot hold.
    pub fn to_glb(&self) -> Result<Vec<u8>, WriteError> {
        let mut document = Document { unit: self.unit, ..Document::default() };
        let mut colours = Vec::new();
        for body in self.bodies.iter().filter(|body| !body.soup.triangles.is_empty()) {
            document.place(&body.name, body.soup.clone(), body.pose);
            colours.push(Some(rgba(body.colour, body.opacity)));
        }
        let radius = 0.5 * MARKER_SIZE * self.extent();
        for (i, marker) in self.markers.iter().enumerate() {
            document.place(&format!("marker {}", i + 1), octahedron(marker.point, radius), Pose::IDENTITY);
            colours.push(Some(rgba(marker.colour, 1.0)));
        }
        let lines = self.lines.iter().enumerate().map(|(i, line)| LineSet {
            name: format!("line {}", i + 1),
            segments: line.points.windows(2).map(|ends| [ends[0], ends[1]]).collect(),
            colour: rgba(line.colour, 1.0),
        });
        let lines = lines.filter(|l| !l.segments.is_empty()).collect();
        let style = GlbStyle { colours, lines, animation: None };
        write_glb_bytes(&document, &style)
    }

    fn extent(&self) -> f64 {
        let of_body = |body: &Body| {
            let points = body.soup.positions.iter().map(|&p| body.pose.apply(p));
            Aabb::around(points.filter(|p| p.is_finite()))
        };
        let of_markers = Aabb::around(self.markers.iter().map(|m| m.point));
        let all = self.bodies.iter().filter_map(of_body).chain(of_markers).reduce(Aabb::join);
        all.map_or(1.0, |bounds| bounds.extent().max_element()).max(f64::MIN_POSITIVE)
    }
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
