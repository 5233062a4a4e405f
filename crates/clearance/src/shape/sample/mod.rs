//! Sample bodies: the papers' test bodies and machine parts, used by tests, the lab and the demo alike.
//!
//! Every generator is a function of its parameters and, where one is given, a seed: the same bits on
//! every platform, because only sums, products, quotients and square roots are used. Meshes are closed
//! and consistently oriented, counter-clockwise seen from outside.
//!
//! | Family | Functions |
//! |---|---|
//! | convex | [`random_polytope`], [`cone`], [`bipyramid`], [`disc`] |
//! | polygons | [`cube`], [`car`], [`rectangle_torus`] |
//! | round | [`icosphere`], [`bumpy_sphere`], [`torus`], [`prism`], [`lathe`] |
//! | machine parts | [`plate`], [`gear`], [`bolt`], [`nut`] |
//! | assemblies | [`fastener`], [`four_bar_linkage`], [`gearbox`] |

mod car;
mod circle;
mod direction;
mod error;
mod fan;
mod gear;
mod gearbox;
mod grid;
mod lathe;
mod linkage;
mod part;
mod plate;
mod polygon_mesh;
mod polytope;
mod prism;
mod sphere;
mod thread;
mod torus;

pub use car::{car, cube};
pub use circle::circle_point;
pub use direction::random_direction;
pub use error::SampleError;
pub use fan::{bipyramid, cone, disc};
pub use gear::{GearConfig, gear};
pub use gearbox::{LEVER_PIVOT, gearbox};
pub use lathe::lathe;
pub use linkage::{FourBarConfig, four_bar_linkage};
pub use part::SamplePart;
pub use plate::{PlateCell, plate};
pub use polygon_mesh::PolygonMesh;
pub use polytope::{PolytopeKind, random_ellipsoid_points, random_polytope};
pub use prism::prism;
pub use sphere::{bumpy_sphere, icosphere};
pub use thread::{ThreadConfig, bolt, fastener, nut};
pub use torus::{rectangle_torus, torus};
