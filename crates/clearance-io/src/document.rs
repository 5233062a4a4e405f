//! What a mesh file holds: geometries, and where they are placed.

use clearance::Pose;
use clearance::glam::DVec3;
use clearance::shape::{SoupPart, TriangleSoup};

/// The content of one mesh file.
///
/// A geometry may be placed several times (glTF and 3MF share shapes) and then is stored once. Formats
/// without placements give one placement at [`Pose::IDENTITY`] for each geometry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// The length of 1 in this file, if the format says so (3MF, glTF); `None` for STL, OBJ, PLY and OFF.
    pub unit: Option<LengthUnit>,
    /// Triangles in their own frames; a reader returns only geometries that have at least one triangle.
    pub geometries: Vec<Geometry>,
    /// Where the geometries are, in the order of the file.
    pub placements: Vec<Placement>,
    /// What the reader skipped, ignored or changed, one sentence each.
    pub notes: Vec<String>,
}

/// A named soup of triangles in its own frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Geometry {
    /// The name in the file, else the file's stem; may be empty or repeat.
    pub name: String,
    /// Its triangles; a reader's indices are all in range and its positions all acceptable.
    pub soup: TriangleSoup,
}

/// One occurrence of a geometry.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// The name in the file, else that of the geometry; may be empty or repeat.
    pub name: String,
    /// Index into [`Document::geometries`].
    pub geometry: usize,
    /// From the geometry's frame to the document's.
    pub pose: Pose,
}

/// The length of 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LengthUnit {
    /// 1e-6 m.
    Micrometre,
    /// 1e-3 m.
    Millimetre,
    /// 1e-2 m.
    Centimetre,
    /// 1 m.
    Metre,
    /// 0.0254 m.
    Inch,
    /// 0.3048 m.
    Foot,
}

impl LengthUnit {
    /// Every unit, smallest first.
    pub const ALL: [LengthUnit; 6] = [
        LengthUnit::Micrometre,
        LengthUnit::Millimetre,
        LengthUnit::Centimetre,
        LengthUnit::Inch,
        LengthUnit::Foot,
        LengthUnit::Metre,
    ];

    /// Its length in metres.
    pub const fn metres(self) -> f64 {
        match self {
            LengthUnit::Micrometre => 1e-6,
            LengthUnit::Millimetre => 1e-3,
            LengthUnit::Centimetre => 1e-2,
            LengthUnit::Metre => 1.0,
            LengthUnit::Inch => 0.0254,
            LengthUnit::Foot => 0.3048,
        }
    }

    /// Its sign beside a number: `um`, `mm`, `cm`, `m`, `in`, `ft`.
    pub const fn symbol(self) -> &'static str {
        match self {
            LengthUnit::Micrometre => "um",
            LengthUnit::Millimetre => "mm",
            LengthUnit::Centimetre => "cm",
            LengthUnit::Metre => "m",
            LengthUnit::Inch => "in",
            LengthUnit::Foot => "ft",
        }
    }

    /// The unit with this symbol.
    pub fn from_symbol(symbol: &str) -> Option<LengthUnit> {
        LengthUnit::ALL.into_iter().find(|unit| unit.symbol() == symbol)
    }
}

impl std::fmt::Display for LengthUnit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.symbol())
    }
}

impl Document {
    /// A document with one geometry, placed where it is.
    pub fn from_soup(name: &str, soup: TriangleSoup) -> Document {
        let mut document = Document::default();
        document.place(name, soup, Pose::IDENTITY);
        document
    }

    /// Adds a placement, and its geometry unless one with the same triangles is there; returns the geometry's index.
    pub fn place(&mut self, name: &str, soup: TriangleSoup, pose: Pose) -> usize {
        let known = self.geometries.iter().position(|geometry| geometry.soup == soup);
        let geometry = known.unwrap_or(self.geometries.len());
        if known.is_none() {
            self.geometries.push(Geometry { name: name.into(), soup });
        }
        self.placements.push(Placement { name: name.into(), geometry, pose });
        geometry
    }

    /// Triangles over all placements: a geometry placed twice counts twice.
    pub fn placed_triangle_count(&self) -> usize {
        let count = |placement: &Placement| {
            self.geometries.get(placement.geometry).map_or(0, |geometry| geometry.soup.triangles.len())
        };
        self.placements.iter().map(count).sum()
    }

    /// All placements in one soup in the document's frame; one part per placement, or per part of it.
    ///
    /// Positions under the identity are kept bit for bit, others are rounded once per coordinate. A document
    /// of one placement keeps its parts as they are; of several, parts are named `placement/part`.
    /// Placements of geometries that do not exist are left out.
    ///
    /// # Panics
    /// When the positions or triangles together exceed `u32`.
    pub fn to_soup(&self) -> TriangleSoup {
        let mut all = TriangleSoup::default();
        for placement in &self.placements {
            if let Some(geometry) = self.geometries.get(placement.geometry) {
                append(&mut all, &geometry.soup, placement, self.placements.len());
            }
        }
        all
    }
}

fn append(all: &mut TriangleSoup, soup: &TriangleSoup, placement: &Placement, placements: usize) {
    let too_many = "more than u32::MAX positions or triangles in one soup";
    let first_position = u32::try_from(all.positions.len()).expect(too_many);
    let first_triangle = u32::try_from(all.triangles.len()).expect(too_many);
    all.positions.extend(soup.positions.iter().map(|&p| placed(&placement.pose, p)));
    let shift = |i: u32| first_position.checked_add(i).expect(too_many);
    all.triangles.extend(soup.triangles.iter().map(|t| t.map(shift)));
    let last_triangle = u32::try_from(all.triangles.len()).expect(too_many);
    if placements == 1 {
        all.parts = soup.parts.clone();
    } else if soup.parts.is_empty() {
        let name = placement.name.clone();
        all.parts.push(SoupPart { name, triangles: first_triangle..last_triangle });
    } else {
        all.parts.extend(soup.parts.iter().map(|part| SoupPart {
            name: format!("{}/{}", placement.name, part.name),
            triangles: first_triangle + part.triangles.start..first_triangle + part.triangles.end,
        }));
    }
}

/// The image of a point; the identity changes no bit (not even the sign of a zero).
pub(crate) fn placed(pose: &Pose, point: DVec3) -> DVec3 {
    if *pose == Pose::IDENTITY { point } else { pose.apply(point) }
}
