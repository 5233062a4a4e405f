//! Lattices of polygons, polytopes and meshes.

use super::build::edge;
use super::{Bound, FaceLattice, LatticeError, Sense};
use crate::Pose;
use crate::shape::{Mesh, MeshKind, Polytope};
use crate::spacetime::lattice::linear::{Rational, Vector, exact, number};
use glam::DVec3;
use rustc_hash::FxHashMap;

impl FaceLattice {
    /// A polygon in the plane, its corners counter-clockwise; convex or not.
    ///
    /// # Errors
    /// Less than three corners, some equal to their neighbours, clockwise, or a number that is not finite.
    pub fn from_polygon(corners: &[[f64; 2]]) -> Result<FaceLattice, LatticeError> {
        let vertices = all_exact(corners.iter().map(|c| &c[..]))?;
        let count = vertices.len() as u32;
        let edges: Vec<Vec<Bound>> = (0..count).map(|i| edge(i, (i + 1) % count)).collect();
        let around = (0..count).map(|face| Bound { face, sense: Sense::Along }).collect();
        FaceLattice::new(vertices, vec![edges, vec![around]])
    }

    /// A solid in space from its faces: cycles of vertices, counter-clockwise seen from outside.
    ///
    /// # Errors
    /// As for [`FaceLattice::new`]; faces must be flat, and two of them meet at each edge.
    pub fn from_faces<'a>(
        vertices: Vec<Vector>,
        cycles: impl IntoIterator<Item = &'a [u32]>,
    ) -> Result<FaceLattice, LatticeError> {
        let mut edges = Vec::new();
        let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut side = |from: u32, to: u32| {
            let ends = (from.min(to), from.max(to));
            let face = *numbers.entry(ends).or_insert_with(|| {
                edges.push(edge(ends.0, ends.1));
                edges.len() as u32 - 1
            });
            Bound { face, sense: if from < to { Sense::Along } else { Sense::Against } }
        };
        let sides = |cycle: &[u32]| -> Vec<Bound> {
            (0..cycle.len()).map(|i| side(cycle[i], cycle[(i + 1) % cycle.len()])).collect()
        };
        let faces: Vec<Vec<Bound>> = cycles.into_iter().map(sides).collect();
        let whole = (0..faces.len() as u32).map(|face| Bound { face, sense: Sense::Along }).collect();
        FaceLattice::new(vertices, vec![edges, faces, vec![whole]])
    }

    /// A convex solid under a pose, exactly. Its faces are whole: no two of them are coplanar.
    ///
    /// # Errors
    /// The polytope is flat.
    pub fn from_polytope(polytope: &Polytope, pose: &Pose) -> Result<FaceLattice, LatticeError> {
        if polytope.dimension() < 3 {
            return Err(LatticeError::NotSolid);
        }
        FaceLattice::from_faces(posed(polytope.vertices(), pose), polytope.faces())
    }

    /// A solid mesh under a pose, exactly. Every triangle is a face: coplanar ones are not merged.
    ///
    /// # Errors
    /// The mesh is a surface, or more than two of its triangles share an edge.
    pub fn from_mesh(mesh: &Mesh, pose: &Pose) -> Result<FaceLattice, LatticeError> {
        if mesh.kind() != MeshKind::Solid {
            return Err(LatticeError::NotSolid);
        }
        FaceLattice::from_faces(posed(mesh.positions(), pose), mesh.triangles().iter().map(|t| &t[..]))
    }
}

fn all_exact<'a>(points: impl Iterator<Item = &'a [f64]>) -> Result<Vec<Vector>, LatticeError> {
    points
        .enumerate()
        .map(|(vertex, p)| exact(p).ok_or(LatticeError::CoordinateNotFinite { vertex }))
        .collect()
}

/// The exact images `R p + t`.
fn posed(points: &[DVec3], pose: &Pose) -> Vec<Vector> {
    points.iter().map(|&p| posed_point(p, pose)).collect()
}

/// The exact image `R p + t` of a point.
pub(in crate::spacetime) fn posed_point(point: DVec3, pose: &Pose) -> Vector {
    let (r, t) = (pose.rotation(), pose.translation());
    let entry = |row: usize| {
        let terms = [0, 1, 2].map(|column| number(r.col(column)[row]) * number(point[column]));
        terms.into_iter().fold(number(t[row]), |sum: Rational, x| sum + x)
    };
    (0..3).map(entry).collect()
}
