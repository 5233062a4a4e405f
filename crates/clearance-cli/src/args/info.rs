//! Arguments of `info`.

use super::ReadArguments;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Arguments of `info`.
#[derive(Debug, Args)]
#[command(after_help = "\
Each part is one row. Dimension is that of the smallest flat that holds the
part: 3 for a body, 2 for a flat sheet. A part is solid if its mesh is closed
and consistently oriented, else a surface. Extents are in the part's own frame.

Conditions for --fail-on, separated by commas:
  open          open edges
  nonmanifold   edges with more than two triangles
  nonconvex     not convex
  surface       not a solid
  degenerate    triangles without area
  duplicate     triangles given twice
  inconsistent  neighbours that disagree about the outside
  inverted      closed shells inside out

Examples:
  clearance info housing.stl --unit mm
  clearance info parts/*.stl --fail-on open,degenerate
  clearance info scene.json --json | jq '.files[].parts[].volume'
  clearance info bolt.stl --picture bolt.svg")]
pub struct InfoArguments {
    /// Mesh files (stl, obj, ply, off, gltf, glb, 3mf) and scene files (json)
    #[arg(required = true, value_name = "FILES")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub read: ReadArguments,
    /// Exit with code 1 if any part has one of these
    #[arg(long, value_name = "CONDITIONS", value_delimiter = ',', hide_possible_values = true)]
    pub fail_on: Vec<Condition>,
    /// Draw the parts into this file (svg or glb)
    #[arg(long, value_name = "FILE")]
    pub picture: Option<PathBuf>,
    /// Print JSON instead of a table; its fields are those of `clearance schema info`
    #[arg(long)]
    pub json: bool,
}

/// What `--fail-on` may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
#[value(rename_all = "lowercase")]
pub enum Condition {
    Open,
    NonManifold,
    NonConvex,
    Degenerate,
    Duplicate,
    Inconsistent,
    Inverted,
    Surface,
}
