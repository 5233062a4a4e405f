//! Pictures of bodies: one [`Drawing`], written as SVG or as GLB.
//!
//! A drawing holds coloured bodies, lines, markers and labels. [`Drawing::to_svg`] gives a small vector
//! picture for reports and pages, [`Drawing::to_glb`] the same for a 3-D viewer.
//!
//! **Limits of the SVG.** Triangles are painted from back to front. Which of two triangles is in front
//! is sampled on a grid of picture cells. Triangles of two bodies that pass through each other are cut where they
//! do; where triangles overlap each other in a cycle, whole triangles win by the number of cells they cover. A
//! picture is for looking at: no verdict is read from it.

mod camera;
mod card;
mod colour;
mod crossing;
mod depth;
mod drawing;
mod facet;
mod frame;
mod glb;
mod hierarchies;
mod order;
mod outline;
mod pair;
mod planar;
mod planar_motion;
mod svg;
mod tessellate;

pub use camera::Camera;
pub use colour::{Colour, PALETTE};
pub use drawing::{Body, Drawing, Label, Legend, Line, Marker};
pub use hierarchies::{draw_hierarchy, draw_inflated, draw_mixed, draw_separation};
pub use pair::{PairBody, PairMarks, SHEET, draw_pair, sheet};
pub use planar::{Look, PlanarDrawing, PlanarPart, stacked};
pub use planar_motion::{PlanarAnimation, PlanarMover, PlanarSpell};
pub use tessellate::{Fineness, tessellate};
