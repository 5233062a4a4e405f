//! Parts as the check sees them: geometry that placements share, and boxes in the world.

use super::parts::{AssembledPart, Assembly};
use crate::path::Path;
use clearance::{
    Aabb, Pose,
    body::Body,
    glam::DVec3,
    mesh::TreeMesh,
    screw::TurningBody,
    shape::{MeshKind, Shape},
    support::SupportMap,
};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

/// One geometry, however often it is placed.
pub struct Geometry<'a> {
    pub body: &'a Body,
    /// What the body does not tell: bounds of curved ones.
    shape: Option<&'a Shape>,
    /// The surface of a polytope, made when first needed.
    surface: OnceLock<Option<Box<TreeMesh>>>,
}

impl Geometry<'_> {
    /// The polytope, if it is one and nothing else.
    pub fn polytope(&self) -> Option<&SupportMap> {
        let convex = self.body.as_convex()?;
        convex.core().filter(|_| convex.is_polytope())
    }

    /// The shape, where the body does not tell all.
    pub fn shape(&self) -> Option<&Shape> {
        self.shape
    }

    /// Its triangles with their tree; `None` for what is curved, unbounded, a point or a segment.
    pub fn surface(&self) -> Option<&TreeMesh> {
        if let Some(mesh) = self.body.as_mesh() {
            return Some(mesh);
        }
        let make = || TreeMesh::from_polytope(self.polytope()?.polytope()).ok().map(Box::new);
        self.surface.get_or_init(make).as_deref()
    }

    /// The surface, if it bounds a solid.
    pub fn solid(&self) -> Option<&TreeMesh> {
        self.surface().filter(|surface| surface.mesh().kind() == MeshKind::Solid)
    }

    /// Points whose hull holds it; none for what is curved.
    pub fn points(&self) -> Option<&[DVec3]> {
        match self.body.as_mesh() {
            Some(mesh) => Some(mesh.mesh().positions()),
            None => Some(self.polytope()?.polytope().vertices()),
        }
    }

    fn own_bounds(&self) -> Option<Aabb> {
        match (self.body.as_mesh(), self.polytope()) {
            (Some(mesh), _) => Some(mesh.mesh().bounds()),
            (_, Some(map)) => Some(map.polytope().bounds()),
            _ => self.shape?.bounds(),
        }
    }

    /// Bytes of its vertices, triangles and tree, roughly.
    pub fn bytes(&self) -> u64 {
        match self.body.as_mesh() {
            Some(mesh) => {
                let (vertices, triangles) = (mesh.mesh().positions().len(), mesh.mesh().triangles().len());
                (32 * vertices + 72 * triangles + mesh.tree().bytes()) as u64
            }
            None => 400 * self.polytope().map_or(1, |map| map.polytope().vertices().len() as u64),
        }
    }
}

/// One part.
#[derive(Clone)]
pub struct Placed<'a> {
    pub geometry: &'a Geometry<'a>,
    /// Which one that is.
    pub index: usize,
    pub pose: &'a Pose,
    pub path: Path,
    /// Around it at the start; `None` if it is unbounded.
    pub bounds: Option<Aabb>,
    /// Around it at all times; `None` if it is unbounded.
    pub whole: Option<Aabb>,
}

impl Placed<'_> {
    /// Around it at all times, made larger on all sides.
    pub fn swept(&self, by: f64) -> Aabb {
        let everywhere = clearance::broad::EVERYWHERE;
        let Some(Aabb { min, max }) = self.whole else { return everywhere };
        let size = min.abs().max(max.abs()).max_element() + by;
        let room = DVec3::splat(by + 16.0 * f64::EPSILON * size);
        Aabb { min: min - room, max: max + room }
    }

    /// The diagonal of its box; infinite if it is unbounded.
    pub fn size(&self) -> f64 {
        self.bounds.map_or(f64::INFINITY, |bounds| bounds.extent().length())
    }
}

/// The distinct geometries of an assembly, and which one each part has.
pub fn geometries(assembly: &Assembly) -> (Vec<Geometry<'_>>, Vec<usize>) {
    let mut known: FxHashMap<*const Body, usize> = FxHashMap::default();
    let (mut distinct, mut indices) = (Vec::new(), Vec::with_capacity(assembly.parts.len()));
    for part in &assembly.parts {
        indices.push(*known.entry(Arc::as_ptr(&part.body)).or_insert_with(|| {
            distinct.push(geometry(part));
            distinct.len() - 1
        }));
    }
    (distinct, indices)
}

fn geometry(part: &AssembledPart) -> Geometry<'_> {
    Geometry { body: &part.body, shape: part.shape.as_deref(), surface: OnceLock::new() }
}

/// All parts with their boxes.
pub fn place<'a>(
    assembly: &'a Assembly,
    geometries: &'a [Geometry<'a>],
    indices: &[usize],
) -> Vec<Placed<'a>> {
    let parts = assembly.parts.par_iter().zip(indices);
    let placed = parts.map(|(part, &index)| {
        let geometry = &geometries[index];
        let bounds = bounds(geometry, &part.pose);
        let path = Path::of(&part.pose, part.motion);
        let whole = whole(part, &path, bounds);
        Placed { geometry, index, pose: &part.pose, path, bounds, whole }
    });
    placed.collect()
}

/// Around a part at all times.
fn whole(part: &AssembledPart, path: &Path, bounds: Option<Aabb>) -> Option<Aabb> {
    match path {
        Path::Rest => bounds,
        Path::Straight { displacement, .. } => {
            let Aabb { min, max } = bounds?;
            // More than the sums round by.
            let size = (min.abs().max(max.abs()) + displacement.abs()).max_element();
            let room = DVec3::splat(4.0 * f64::EPSILON * size);
            let (back, ahead) = (displacement.min(DVec3::ZERO), displacement.max(DVec3::ZERO));
            Some(Aabb { min: min + back - room, max: max + ahead + room })
        }
        Path::Turning(journey) => {
            TurningBody { body: &part.body, pose: &part.pose, journey: Some(**journey) }.swept_box()
        }
        Path::Unknown => None,
    }
}

/// A box of the world around a geometry.
fn bounds(geometry: &Geometry<'_>, pose: &Pose) -> Option<Aabb> {
    let own = geometry.own_bounds()?;
    let around = match geometry.points() {
        Some(points) => Aabb::around(points.iter().map(|&point| pose.apply(point)))?,
        None => {
            let ends = [own.min, own.max];
            let corner = |i: usize| pose.apply(DVec3::new(ends[i & 1].x, ends[i >> 1 & 1].y, ends[i >> 2].z));
            Aabb::around((0..8).map(corner))?
        }
    };
    // More than images round by; a pose that is orthonormal to 1e-9 may also stretch what is curved.
    let size = own.min.abs().max(own.max.abs()).element_sum() + pose.translation().abs().element_sum();
    let stretch = if geometry.points().is_some() { 0.0 } else { 1e-8 * own.extent().length() };
    let slack = DVec3::splat(16.0 * f64::EPSILON * size + stretch);
    let found = Aabb { min: around.min - slack, max: around.max + slack };
    (found.min.is_finite() && found.max.is_finite()).then_some(found)
}
