//! Shapes that bodies share.

use super::around::Around;
use super::bound::LocalBound;
use crate::body::{Body, BodyError};
use crate::compound::{Compound, Part};
use crate::math::{Aabb, Pose, PoseDeviation, Screw};
use crate::mesh::TreeMesh;
use crate::pair::Convex;
use crate::screw::Surface;
use crate::shape::{Polytope, Primitive, Shape};
use crate::support::SupportMap;
use std::sync::{Arc, OnceLock};

/// A shape prepared for queries, shared by any number of bodies; cloning copies a pointer.
#[derive(Clone, Debug)]
pub struct ShapeHandle(pub(super) Arc<Geometry>);

/// A shape in the forms that pairs need; those that are not its own are made when first needed.
#[derive(Debug)]
pub(super) struct Geometry {
    body: Body,
    bound: LocalBound,
    surface: OnceLock<Option<Box<TreeMesh>>>,
    compound: OnceLock<Option<Box<Compound>>>,
    features: OnceLock<Option<Box<Surface>>>,
}

impl ShapeHandle {
    /// Any shape.
    ///
    /// # Errors
    /// A shape beyond the limits of coordinates.
    pub fn new(shape: &Shape) -> Result<ShapeHandle, BodyError> {
        let body = Body::try_from(shape)?;
        let bound = match (shape, shape.bounds()) {
            (Shape::Primitive(Primitive::HalfSpace(half_space)), _) => LocalBound::HalfSpace(*half_space),
            (Shape::Primitive(Primitive::Plane(plane)), _) => LocalBound::Plane(*plane),
            (_, Some(bounds)) => bound_of(&body).unwrap_or_else(|| LocalBound::new(bounds, &[], 0.0)),
            // A rounded half-space or plane: its bound is all of space.
            (_, None) => LocalBound::new(crate::broad::EVERYWHERE, &[], 0.0),
        };
        Ok(ShapeHandle::of(body, bound))
    }

    fn of(body: Body, bound: LocalBound) -> ShapeHandle {
        let (surface, compound, features) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        ShapeHandle(Arc::new(Geometry { body, bound, surface, compound, features }))
    }

    /// The kind in words: `polytope`, `solid`, `surface`, `compound`, or a primitive's name.
    pub fn kind_name(&self) -> &'static str {
        self.0.kind_name()
    }

    /// A box around the shape under a pose, rounded outward.
    #[inline]
    pub fn bound(&self, pose: &Pose) -> Aabb {
        self.0.bound(pose)
    }

    /// Whether two handles share one shape.
    pub fn is_same(&self, other: &ShapeHandle) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Tight bounds of bodies with a polytope inside, and of meshes.
fn bound_of(body: &Body) -> Option<LocalBound> {
    match body {
        Body::Convex(convex) => {
            let core = convex.core()?.polytope();
            Some(LocalBound::new(core.bounds(), core.vertices(), convex.radius()))
        }
        Body::Mesh(mesh) => Some(LocalBound::new(mesh.mesh().bounds(), mesh.mesh().positions(), 0.0)),
        Body::Compound(compound) => {
            let hull = compound.hull().polytope();
            Some(LocalBound::new(hull.bounds(), hull.vertices(), 0.0))
        }
    }
}

impl From<Polytope> for ShapeHandle {
    fn from(polytope: Polytope) -> ShapeHandle {
        let bound = LocalBound::new(polytope.bounds(), polytope.vertices(), 0.0);
        ShapeHandle::of(Body::Convex(Convex::from_polytope(polytope)), bound)
    }
}

impl From<TreeMesh> for ShapeHandle {
    /// The mesh as it is, also if it is convex.
    fn from(mesh: TreeMesh) -> ShapeHandle {
        let bound = LocalBound::new(mesh.mesh().bounds(), mesh.mesh().positions(), 0.0);
        ShapeHandle::of(Body::Mesh(Box::new(mesh)), bound)
    }
}

impl From<Compound> for ShapeHandle {
    fn from(compound: Compound) -> ShapeHandle {
        let hull = compound.hull().polytope();
        let bound = LocalBound::new(hull.bounds(), hull.vertices(), 0.0);
        ShapeHandle::of(Body::from(compound), bound)
    }
}

impl Geometry {
    pub fn kind_name(&self) -> &'static str {
        self.body.kind_name()
    }

    pub fn bound(&self, pose: &Pose) -> Aabb {
        self.bound.at(pose, 0.0)
    }

    /// A box around the shape under a pose with this much around it, rounded outward, and what else keeps it apart from others.
    #[inline(always)]
    pub fn place(&self, pose: &Pose, margin: f64) -> (Aabb, Around) {
        self.bound.place(pose, margin)
    }

    /// Balls of this radius around the middles of boxes around it hold it, however it turns; infinite for what has no end.
    pub fn ball_radius(&self) -> f64 {
        self.bound.ball_radius()
    }

    /// Not less than how far any point of it moves from one pose to another.
    #[inline(always)]
    pub fn motion(&self, from: &Pose, to: &Pose) -> f64 {
        self.bound.motion(from, to)
    }

    /// A box around all its places on a screw from one pose to about another.
    pub fn swept_bound(&self, from: &Pose, to: &Pose, screw: &Screw, off: &PoseDeviation) -> Aabb {
        self.bound.swept(from, to, screw, off)
    }

    /// Not less than the distance of its points from the origin of its frame, but for the ball that rounds it.
    pub fn radius(&self) -> f64 {
        self.bound.radius()
    }

    pub fn body(&self) -> &Body {
        &self.body
    }

    /// Its faces, edges and vertices, if it has no curved part.
    pub fn features(&self) -> Option<&Surface> {
        self.features.get_or_init(|| Surface::new(&self.body).map(Box::new)).as_deref()
    }

    /// The polytope, if it is nothing else.
    pub fn as_polytope(&self) -> Option<&SupportMap> {
        let convex = self.body.as_convex()?;
        if convex.is_polytope() { convex.core() } else { None }
    }

    pub fn is_compound(&self) -> bool {
        self.body.as_compound().is_some()
    }

    /// As a mesh: itself, or the surface of a polytope with an area.
    pub fn as_mesh(&self) -> Option<&TreeMesh> {
        match &self.body {
            Body::Mesh(mesh) => Some(mesh),
            Body::Convex(_) => {
                let polytope = self.as_polytope()?.polytope();
                let make = || TreeMesh::from_polytope(polytope).ok().map(Box::new);
                (polytope.dimension() >= 2).then(|| self.surface.get_or_init(make).as_deref()).flatten()
            }
            Body::Compound(_) => None,
        }
    }

    /// As a compound: itself, or one with a single part.
    pub fn as_compound(&self) -> Option<&Compound> {
        let part = || match &self.body {
            Body::Mesh(mesh) => Some(Part::from((**mesh).clone())),
            Body::Convex(_) => {
                let polytope = self.as_polytope()?.polytope();
                (polytope.dimension() >= 2).then(|| Part::from(polytope.clone()))
            }
            Body::Compound(_) => None,
        };
        let make = || Some(Box::new(Compound::new(vec![part()?]).ok()?));
        self.body.as_compound().or_else(|| self.compound.get_or_init(make).as_deref())
    }
}
