//! Outer approximations of convex polygons that become simpler with the distance [Erickson99 §3, §4, §6].
//!
//! | question | function |
//! |---|---|
//! | the hierarchy of one polygon | [`Hierarchy::compass`], [`Hierarchy::dudley`] |
//! | the edges and vertices of an envelope | [`Hierarchy::envelope`], [`Hierarchy::next_edge`], [`Hierarchy::vertex`], [`Hierarchy::support`] |
//! | which cell holds a point, what separates it from the polygon? | [`Hierarchy::locate`], [`Hierarchy::separating_edge`] |
//! | which cell of the sum of two polygons holds a placement? | [`Mixed::locate`], [`Mixed::walk_from`], [`Mixed::separation`] |
//! | an edge that will separate a point for a while | [`Inflated::locate`], [`Inflation::beta`] |
//!
//! All lines and points are exact and in the polygon's own frame.

mod boomerang;
mod build;
mod compass;
mod dudley;
mod envelope;
mod inflated;
mod locate;
mod mixed;
mod mixed_cell;
mod pair;
mod tiling;
mod walk;

pub use boomerang::{Corner, Edge, EdgeId, Hierarchy, Triangle, TriangleId};
pub use inflated::{Inflated, InflatedCell, Inflation, Layer};
pub use locate::{Cell, SearchCount};
pub use mixed::{Mixed, MixedCount};
pub use mixed_cell::{Boundary, BoundaryKind, End, MixedCell, RotationEvent, RotationLimit};
pub use pair::{Body, Contact, HierarchyPair, SideOf};
pub(super) use tiling::Tiling;
pub(super) use walk::{Signs, Walk};
