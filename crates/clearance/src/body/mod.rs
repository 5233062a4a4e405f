//! Any two bodies: convex ones, meshes and compounds, told apart once.
//!
//! ```
//! use clearance::{Pose, body::{Body, relate}, glam::DVec3, pair::{ConvexRelation, Relation}};
//! use clearance::shape::{Mesh, MeshConfig, Primitive, Shape, Sphere, sample};
//! let ring = Shape::from(Mesh::build(&sample::torus(1.0, 0.25, 64, 32)?, &MeshConfig::default())?);
//! let ball = Shape::from(Primitive::from(Sphere::new(0.5)?));
//! let (ring, ball) = (Body::try_from(&ring)?, Body::try_from(&ball)?);
//! // In the hole of the ring.
//! let answer = relate(&ring, &Pose::IDENTITY, &ball, &Pose::IDENTITY)?;
//! assert_eq!(answer.relation, ConvexRelation::Exact(Relation::Disjoint));
//! assert!(answer.distance.lower > 0.24 && answer.distance.upper < 0.26);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod around;
mod curved;
mod mixed;
mod ray;
mod relate;
mod shell;
mod thin;
mod united;
mod walls;
mod within;

pub use ray::ray_cast;
pub use relate::{BodyAnswer, relate};
pub use within::{Within, within};

use crate::compound::Compound;
use crate::mesh::TreeMesh;
use crate::pair::{Convex, ConvexError};
use crate::shape::{MeshKind, Shape};

/// A body ready to be related to another.
#[derive(Clone, Debug)]
pub enum Body {
    /// A convex one: polytopes, primitives, rounded bodies, and solids that are convex.
    Convex(Convex),
    /// Any other mesh, with its tree.
    Mesh(Box<TreeMesh>),
    /// A union of parts, with its tree of hulls.
    Compound(Box<Compound>),
}

/// Why two bodies cannot be related.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// A convex body that is not taken.
    #[error(transparent)]
    Convex(#[from] ConvexError),
    /// A pair of which one is too large for polytopes around it.
    #[error(
        "the {query} of a {kind_a} and a {kind_b} is not known: one reaches beyond the largest coordinates, 2^300; choose a \
         larger unit of length"
    )]
    Pair {
        /// What was asked.
        query: &'static str,
        /// Body A.
        kind_a: &'static str,
        /// Body B.
        kind_b: &'static str,
    },
}

impl Body {
    /// The kind in words: `polytope`, `solid`, `surface`, `compound`, or a primitive's name.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Body::Convex(convex) => convex.kind_name(),
            Body::Mesh(mesh) => match mesh.mesh().kind() {
                MeshKind::Solid => "solid",
                MeshKind::Surface => "surface",
            },
            Body::Compound(_) => "compound",
        }
    }

    /// The convex body, if it is one.
    pub fn as_convex(&self) -> Option<&Convex> {
        match self {
            Body::Convex(convex) => Some(convex),
            Body::Mesh(_) | Body::Compound(_) => None,
        }
    }

    /// The mesh, if it is one that is not convex.
    pub fn as_mesh(&self) -> Option<&TreeMesh> {
        match self {
            Body::Convex(_) | Body::Compound(_) => None,
            Body::Mesh(mesh) => Some(mesh),
        }
    }

    /// The compound, if it is one.
    pub fn as_compound(&self) -> Option<&Compound> {
        match self {
            Body::Convex(_) | Body::Mesh(_) => None,
            Body::Compound(compound) => Some(compound),
        }
    }
}

impl From<Compound> for Body {
    fn from(compound: Compound) -> Body {
        Body::Compound(Box::new(compound))
    }
}

impl TryFrom<&Shape> for Body {
    type Error = BodyError;

    /// # Errors
    /// A shape beyond the limits of coordinates.
    fn try_from(shape: &Shape) -> Result<Body, BodyError> {
        match (Convex::try_from(shape), shape) {
            (Ok(convex), _) => Ok(Body::Convex(convex)),
            (Err(ConvexError::NotConvex { .. }), Shape::Mesh(mesh)) => {
                Ok(Body::Mesh(Box::new(TreeMesh::new(mesh.clone()))))
            }
            (Err(error), _) => Err(error.into()),
        }
    }
}
