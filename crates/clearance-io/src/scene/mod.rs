//! Scene files: named parts with shapes, poses, motions, groups and ignored pairs, as JSON.
//!
//! ```json
//! {
//!   "unit": "mm",
//!   "parts": [
//!     { "name": "housing", "shape": { "mesh": "housing.stl", "as": "solid" }, "group": "fixed" },
//!     { "name": "pin", "shape": { "cylinder": { "radius": 4, "height": 30 } },
//!       "pose": { "translation": [0, 0, 10] }, "motion": { "translate": [0, 0, -20] } }
//!   ],
//!   "ignore": [["housing", "pin"]]
//! }
//! ```
//!
//! A motion is `translate`, `to` (a pose) or `screw` over an interval of time, or free flight by `velocity` and `spin`
//! (`{ "velocity": [0, 0, 5], "spin": [0, 3.14, 0] }`: lengths and radians per second).
//!
//! A pose is 12 numbers, row-major 3x4, or a translation with a quaternion; every number may also be a
//! hexadecimal float in a string. Fields that are not known are refused, so that a typing error cannot
//! drop a pose silently. [`schema`] gives the JSON schema for editors.
//!
//! Mesh files are opened only below the scene's own folder unless [`SceneOptions::allow_outside`] says
//! otherwise: a scene from elsewhere cannot make the tool read what it should not.

mod case;
mod error;
mod express;
mod file_access;
mod format;
mod hex_float;
mod id;
mod ignored;
mod load;
mod locate;
mod number;
mod planar;
mod shape;
mod unit;

pub use case::{Case, CaseBody, CaseFile, CaseReader};
pub use error::SceneError;
pub use format::{
    CapsuleDimensions, EllipsoidDimensions, IndexedTriangles, MotionFile, PartFile, PlaneDimensions,
    PoseFile, RoundDimensions, SceneFile, ScrewFile, ShapeFile, ShapeKind, SphereDimensions, UnitSymbol,
    schema,
};
pub use hex_float::{HexFloatError, parse_hex_float};
pub use id::CaseId;
pub use ignored::IgnoredPairs;
pub use load::{
    LoadedScene, Motion, Movement, SceneOptions, ScenePart, Source, advised, load, parse, parse_line, similar,
};
pub use number::{Number, Vector, to_vector};
pub use planar::{
    PieceFile, PlanarBody, PlanarBodyFile, PlanarSceneFile, SpinFile, load_planar, parse_planar,
    planar_schema,
};
pub use unit::Conversion;
