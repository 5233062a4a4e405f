//! Many bodies, frame after frame [Chung96 §3.1].
//!
//! The paper's four steps: a search for bounds that meet ([`broad`](crate::broad)), a check of the separating vector that
//! each pair remembers, closest points of the step before for pairs that begin to collide. Bodies share shapes by handle.
//!
//! ```
//! use clearance::{Pose, glam::DVec3, shape::{Primitive, Cuboid, Shape}};
//! use clearance::world::{Change, NewBody, ShapeHandle, World};
//!
//! let cube = ShapeHandle::new(&Shape::from(Primitive::from(Cuboid::new(DVec3::ONE)?)))?;
//! let at = |x: f64| Pose::from_translation(DVec3::new(x, 0.0, 0.0));
//! let mut world = World::default();
//! let wall = world.add(NewBody::fixed(&cube, at(0.0)?));
//! let ball = world.add(NewBody::moving(&cube, at(3.0)?));
//! assert!(world.step().events.is_empty());
//!
//! world.move_to(ball, at(1.25)?)?;
//! assert!(world.step().events.is_empty());
//! assert!(world.would_collide(ball, &at(0.5)?)?);
//!
//! world.move_to(ball, at(0.75)?)?;
//! let frame = world.step();
//! let (a, b, contact) = frame.began().next().expect("they overlap");
//! assert_eq!([a, b], [wall, ball]);
//! assert!(contact.depth.is_some_and(|depth| depth.lower <= 0.25 && 0.25 <= depth.upper));
//! let before = contact.before.expect("they were apart in the step before");
//! assert!(before.lower <= 0.25 && 0.25 <= before.upper);
//!
//! world.remove(ball)?;
//! assert!(matches!(world.step().events[0].change, Change::Ended(_)));
//! assert!(world.pose(ball).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What counts as a collision
//!
//! Bodies that share a point, as [`pair::Relation`](crate::pair::Relation) and its kin define it. Where the relation of
//! curved bodies ends as touching within a width, the pair counts as colliding and the event carries the width. Pairs for
//! which there is no method (bodies as large as the largest coordinates) have no events and are listed as [`Failure`]s of the step.

mod around;
mod bound;
mod cancel;
mod error;
mod event;
mod geometry;
mod id;
mod narrow;
mod pairs;
mod places;
mod plan;
mod query;
mod step;
mod swept;
mod swept_event;
mod swept_pair;
mod travel;
mod way;
#[expect(clippy::module_inception, reason = "a file for each concept, and the world is one")]
mod world;

pub use crate::broad::Mobility;
pub use cancel::Cancel;
pub use error::WorldError;
pub use event::{Change, Contact, Ending, Event, Failure, Frame};
pub use geometry::ShapeHandle;
pub use id::BodyId;
pub use narrow::Separation;
pub use query::{Neighbour, WorldHit};
pub use swept_event::{
    StartContact, SweptConfig, SweptContact, SweptDetail, SweptEnd, SweptFrame, SweptHit, SweptOutcome,
    SweptOverlap,
};
pub use world::{Detail, Groups, Ignored, Memory, NewBody, Snapshot, World, WorldConfig};
