//! Bodies in straight translation: when and where they first meet, exactly [Joseph87 §1].
//!
//! Two translating bodies meet at `t = t0 + s` iff `-s w` is in the Minkowski difference `M = B - A`, where `w` is the
//! velocity of B seen from A. Everything follows from where that line runs through `M`. The paper's own picture, with time as
//! one more dimension, is in [`lattice`].

mod advance;
mod approach;
mod body;
mod boxes;
mod by_pieces;
mod contact;
mod convex;
mod crossing;
mod facet;
mod integer;
pub mod lattice;
mod legs;
mod mesh;
mod model;
mod moved;
mod outcome;
mod overlap;
mod passage;

mod portal;
mod program;
mod scene;
mod settle;
mod swept;
mod time;
mod translation;
mod triangles;

pub use approach::{ClosestApproach, closest_approach};
pub use body::first_contact;
pub use contact::Contact;
pub use convex::{contact_time, first_contact_of_polytopes};
pub use legs::{Leg, LegContact, TravellingBody, first_contacts_on_legs};
pub use mesh::{contact_time_of_meshes, first_contact_of_meshes};
pub use outcome::{ContactTime, FirstContact, FirstOverlap, Impact, Outcome, Touch};
pub use scene::{MovingBody, PairContact, SceneContacts, first_contacts};
pub use swept::{SweptDirection, SweptSeparation};
pub use time::ExactTime;
pub use translation::{Translation, TranslationError};
