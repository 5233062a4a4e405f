//! What a picture shows.

use super::{Camera, Colour};
use crate::LengthUnit;
use clearance::{Pose, glam::DVec3, shape::TriangleSoup};

/// Bodies, lines, markers and labels, seen by a camera.
///
/// ```
/// use clearance::shape::TriangleSoup;
/// use clearance_io::picture::{Body, Drawing};
/// let soup = TriangleSoup {
///     positions: vec![[0., 0., 0.].into(), [1., 0., 0.].into(), [0., 1., 0.].into()],
///     triangles: vec![[0, 1, 2]],
///     parts: vec![],
/// };
/// let drawing = Drawing { bodies: vec![Body::new("triangle", soup)], ..Drawing::default() };
/// assert!(drawing.to_svg().starts_with("<svg"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// A heading above the picture; none if empty.
    pub title: String,
    /// What there is to see.
    pub bodies: Vec<Body>,
    /// Drawn over all bodies.
    pub lines: Vec<Line>,
    /// Drawn over all bodies and lines.
    pub markers: Vec<Marker>,
    /// Drawn last.
    pub labels: Vec<Label>,
    /// Where one looks from.
    pub camera: Camera,
    /// The unit of its coordinates, if known; the GLB is scaled to metres by it.
    pub unit: Option<LengthUnit>,
    /// Whether names of bodies are listed below the picture.
    pub legend: Legend,
}

/// Whether a drawing lists the names of its bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Legend {
    /// One line per body: its colour, its name and its note.
    #[default]
    Shown,
    /// No list.
    Hidden,
}

/// Triangles with a colour and a place.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its name in the legend and in the GLB.
    pub name: String,
    /// A few words behind the name in the legend; may be empty.
    pub note: String,
    /// Its triangles; those with an index or a coordinate that is no good are left out.
    pub soup: TriangleSoup,
    /// Where it is.
    pub pose: Pose,
    /// Its colour in full light.
    pub colour: Colour,
    /// 1 for a solid look; less lets what is behind shine through.
    pub opacity: f64,
}

impl Body {
    /// A body at the origin in the first colour of the palette, opaque.
    pub fn new(name: impl Into<String>, soup: TriangleSoup) -> Body {
        Body {
            name: name.into(),
            note: String::new(),
            soup,
            pose: Pose::IDENTITY,
            colour: Colour::of_index(0),
            opacity: 1.0,
        }
    }

    /// The same at a pose.
    pub fn at(self, pose: Pose) -> Body {
        Body { pose, ..self }
    }

    /// The same in a colour.
    pub fn coloured(self, colour: Colour) -> Body {
        Body { colour, ..self }
    }

    /// The same with a note for the legend.
    pub fn noted(self, note: impl Into<String>) -> Body {
        Body { note: note.into(), ..self }
    }
}

/// A polyline in world coordinates.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its corners.
    pub points: Vec<DVec3>,
    /// Its colour.
    pub colour: Colour,
}

/// A dot in world coordinates.
#[derive(Clone, Copy, Debug)]
pub struct Marker {
    /// Its place.
    pub point: DVec3,
    /// Its colour.
    pub colour: Colour,
}

/// A few words at a place in world coordinates.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its place.
    pub point: DVec3,
    /// What it says.
    pub text: String,
}
