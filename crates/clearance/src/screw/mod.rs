//! Bodies that turn while they move, on screws: when and where they meet [Buss04 §3-5].
//!
//! A [`Screw`](crate::math::Screw) turns about an axis and shifts along it, both evenly. Seen from the body at rest every point
//! of the other runs on a helix, so heights over planes and volumes between edges are sums of sines, cosines and `t`: their
//! zeros are bracketed by interval arithmetic, and no contact is missed.
//!
//! Where to find what:
//!
//! - First contact of convex bodies: `advance` (the loop), `proposals` (planes to try), `plane` and `crossing` (how long a plane
//!   separates, by `fall`), `meeting` and `pyramid` (proofs that bodies have met).
//! - First contact of surfaces: `earliest`; of many bodies: `scene`, `swept`; how close they come: `closest`, `approach`.
//! - All contacts: `contacts` calls `blocks` (pairs of nodes in wide trees: `wide_tree`, `pack`, `sweep`), `narrow` (pairs of cells,
//!   windows cut by planes), `finder` (pairs of features: `glance` looks in floats, `polish` and `course` prove), `resolve`
//!   (vertices on edges and the like told once). What cannot be proper is left out by `normals` and `proper`.
//! - A body in the frame of the screw: `frame`, `surface`, `placed`, `placement`, `slab`, `room`; floats with errors about a
//!   moment: `sight`, `value`.
//! - The collision screen: `screen`.

mod advance;
mod approach;
mod axis_gap;
mod blocks;
mod cell_pair;
mod closest;
mod contacts;
mod course;
mod crossing;
mod earliest;
mod face;
mod facing;
mod fall;
mod features;
mod finder;
mod first_contact;
mod frame;
mod glance;
mod meeting;
mod motion;
mod names;
mod narrow;
mod normals;
mod outcome;
mod pack;
mod pairs;
mod placed;
mod placement;
mod plane;
mod polish;
mod primitive;
mod proper;
mod properness;
mod proposals;
mod pyramid;
mod record;
mod resolve;
mod room;
mod scene;
mod screen;
mod search;
mod sight;
mod slab;
mod surface;
mod sweep;
mod swept;
mod value;
mod wide_tree;

pub use axis_gap::gap_along_axis;
pub use closest::{ApproachConfig, ScrewApproach, closest_approach, overlap_time};
pub use contacts::{contacts, contacts_with};
pub use facing::{FacingParts, facing, split_by_facing};
pub use first_contact::{first_contact, first_contact_of_surfaces, first_contact_with};
pub use motion::Motion;
pub use outcome::{ScrewImpact, ScrewOutcome};
pub use primitive::{ContactTime, FeatureError, Moving, edge_edge_times, vertex_face_times};
pub use properness::EdgeProperness;
pub use record::{ContactKind, ContactsConfig, Kept, ScrewContact, ScrewStats, simultaneous};
pub use scene::{
    Journey, Stretch, TurningBody, TurningContact, first_contact_on_journeys, first_contacts, near_pairs,
    stretches,
};
pub use screen::{
    Engine, Lookup, Resolution, ResolutionError, Screen, ScreenStats, Stroke, contacts_after_screen,
    contacts_by,
};
pub use surface::Surface;
pub use swept::swept_box;
