//! Placing shapes by affine maps: rotations become poses, anything else goes into copies of the vertices.

use crate::document::{Document, Geometry, Placement};
use crate::error::Position;
use crate::fault::{Fault, accept};
use crate::meter::Budget;
use clearance::Pose;
use clearance::exact::orient3d;
use clearance::glam::{DAffine3, DMat3, DVec3};
use clearance::shape::TriangleSoup;
use rustc_hash::FxHashMap;

/// Largest `|M^T M / s^2 - I|` at which a matrix counts as a rotation times a scale: entries in single
/// precision are off by 6e-8 each, a few of them multiplied by less than this.
const SINGLE_PRECISION_DEFECT: f64 = 1e-6;

/// Collects shapes and where they go.
pub(crate) struct Assembly {
    document: Document,
    shapes: Vec<Shape>,
    /// Geometry of the document for each variant of a shape in use.
    variants: FxHashMap<(usize, Variant), usize>,
    budget: Budget,
    straightened: u64,
    baked: u64,
}

struct Shape {
    name: String,
    soup: TriangleSoup,
    /// The geometry of the document that is this shape unchanged.
    geometry: Option<usize>,
}

/// What of a transform is not in the pose, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Variant {
    /// A scale, without its last twelve bits, so that rounding on the way does not give two.
    Scaled(u64),
    Mapped([u64; 9]),
}

impl Assembly {
    pub fn new(budget: Budget) -> Assembly {
        Assembly {
            document: Document::default(),
            shapes: Vec::new(),
            variants: FxHashMap::default(),
            budget,
            straightened: 0,
            baked: 0,
        }
    }

    /// The document under construction, for its unit and notes.
    pub fn document(&mut self) -> &mut Document {
        &mut self.document
    }

    /// Takes memory for copies out of the file's budget.
    pub fn budget(&mut self) -> &mut Budget {
        &mut self.budget
    }

    /// Adds a shape that is nowhere yet.
    pub fn add_shape(&mut self, name: String, soup: TriangleSoup) -> usize {
        self.shapes.push(Shape { name, soup, geometry: None });
        self.shapes.len() - 1
    }

    /// The name of a shape.
    pub fn shape_name(&self, shape: usize) -> &str {
        &self.shapes[shape].name
    }

    /// Places a shape; shapes without triangles are nowhere.
    pub fn place(
        &mut self,
        name: String,
        shape: usize,
        transform: DAffine3,
        position: impl Fn() -> Position,
    ) -> Result<(), Fault> {
        if self.shapes[shape].soup.triangles.is_empty() {
            return Ok(());
        }
        let bytes = (size_of::<Placement>() + name.len()) as u64;
        self.budget.spend(bytes, &position)?;
        let (geometry, pose) = self.settle(shape, transform, &position)?;
        self.document.placements.push(Placement { name, geometry, pose });
        Ok(())
    }

    fn settle(
        &mut self,
        shape: usize,
        DAffine3 { matrix3, translation }: DAffine3,
        position: &impl Fn() -> Position,
    ) -> Result<(usize, Pose), Fault> {
        let refused = |error| Fault::malformed(position(), format!("a transform cannot be used: {error}"));
        if let Ok(pose) = Pose::new(matrix3, translation) {
            return Ok((self.unchanged(shape), pose));
        }
        if !matrix3.is_finite() {
            return Err(Fault::malformed(position(), "a transform has entries that are not finite"));
        }
        let Some(scale) = uniform_scale(matrix3) else {
            let key = Variant::Mapped(matrix3.to_cols_array().map(f64::to_bits));
            let geometry = self.variant(shape, key, matrix3, position)?;
            return Ok((geometry, Pose::from_translation(translation).map_err(refused)?));
        };
        let rotation = matrix3 * scale.recip();
        let pose = Pose::new(rotation, translation).or_else(|_| {
            self.straightened += 1;
            Pose::nearest(rotation, translation)
        });
        let pose = pose.map_err(refused)?;
        if (scale - 1.0).abs() <= SINGLE_PRECISION_DEFECT {
            return Ok((self.unchanged(shape), pose));
        }
        let key = Variant::Scaled(scale.to_bits().wrapping_add(1 << 11) >> 12);
        let geometry = self.variant(shape, key, DMat3::from_diagonal(DVec3::splat(scale)), position)?;
        Ok((geometry, pose))
    }

    fn unchanged(&mut self, shape: usize) -> usize {
        let next = self.document.geometries.len();
        let Shape { name, geometry, .. } = &mut self.shapes[shape];
        *geometry.get_or_insert_with(|| {
            // Its triangles follow at the end: other variants may still need them.
            self.document.geometries.push(Geometry { name: name.clone(), soup: TriangleSoup::default() });
            next
        })
    }

    fn variant(
        &mut self,
        shape: usize,
        key: Variant,
        map: DMat3,
        position: &impl Fn() -> Position,
    ) -> Result<usize, Fault> {
        if let Some(&geometry) = self.variants.get(&(shape, key)) {
            return Ok(geometry);
        }
        let Shape { name, soup, .. } = &self.shapes[shape];
        let bytes = size_of_val(&*soup.positions) + size_of_val(&*soup.triangles) + name.len();
        self.budget.spend(bytes as u64 + 128 + 64 * soup.parts.len() as u64, position)?;
        let soup = mapped(soup, map, position)?;
        let geometry = self.document.geometries.len();
        self.document.geometries.push(Geometry { name: name.clone(), soup });
        self.variants.insert((shape, key), geometry);
        self.baked += 1;
        Ok(geometry)
    }

    /// The document, with what happened to transforms in its notes.
    pub fn finish(mut self) -> Document {
        for shape in self.shapes {
            if let Some(geometry) = shape.geometry {
                self.document.geometries[geometry].soup = shape.soup;
            }
        }
        let notes = &mut self.document.notes;
        if self.baked > 0 {
            let count = self.baked;
            notes
                .push(format!("{count} copies of shapes hold a scale, shear or mirroring in their vertices"));
        }
        if self.straightened > 0 {
            let count = self.straightened;
            notes.push(format!(
                "{count} rotations in single precision were replaced by the nearest true rotation"
            ));
        }
        self.document
    }
}

/// The factor of a matrix that is a rotation times a positive scale, up to single precision.
fn uniform_scale(matrix: DMat3) -> Option<f64> {
    let largest = matrix.to_cols_array().into_iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let scaled = matrix * largest.recip();
    let gram = scaled.transpose() * scaled;
    let square = (gram.x_axis.x + gram.y_axis.y + gram.z_axis.z) / 3.0;
    let defect = (gram * square.recip() - DMat3::IDENTITY).to_cols_array();
    let rigid = defect.into_iter().all(|x| x.abs() <= SINGLE_PRECISION_DEFECT);
    let scale = square.sqrt() * largest;
    (rigid && scale.is_normal() && scale.recip().is_normal() && !mirrors(matrix)).then_some(scale)
}

fn mirrors(matrix: DMat3) -> bool {
    orient3d(DVec3::ZERO, matrix.x_axis, matrix.y_axis, matrix.z_axis).is_negative()
}

/// A mirrored triangle would face inward, so it is turned around.
fn mapped(soup: &TriangleSoup, map: DMat3, position: &impl Fn() -> Position) -> Result<TriangleSoup, Fault> {
    let image = |(vertex, &p): (usize, &DVec3)| accept(map * p, vertex, position);
    let positions = soup.positions.iter().enumerate().map(image).collect::<Result<_, Fault>>()?;
    let triangles = match mirrors(map) {
        true => soup.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect(),
        false => soup.triangles.clone(),
    };
    Ok(TriangleSoup { positions, triangles, parts: soup.parts.clone() })
}
