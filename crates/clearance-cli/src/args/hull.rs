//! Arguments of `hull`.

use super::read::parse_unit;
use clap::Args;
use clearance_io::LengthUnit;
use std::path::PathBuf;

/// Arguments of `hull`.
#[derive(Debug, Args)]
#[command(after_help = "\
The hull is exact: every point is inside or on it, and no vertex of it lies
inside a face or an edge. PLY and OBJ keep every bit of the vertices, STL and
GLB round them to 32 bits.

Examples:
  clearance hull bolt.stl -o hull.ply
  clearance hull scan.ply --json")]
pub struct HullArguments {
    /// A mesh file, or a scene of meshes and points
    pub file: PathBuf,
    /// Where to write the hull (stl, obj, ply or glb); else it is only reported
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Unit of files that do not state it (STL, OBJ, PLY, OFF): um, mm, cm, in, ft, m
    #[arg(long, value_name = "UNIT", value_parser = parse_unit)]
    pub unit: Option<LengthUnit>,
    /// Let scenes name mesh files outside their own folder
    #[arg(long)]
    pub allow_outside: bool,
    /// Print JSON; its fields are those of `clearance schema hull`
    #[arg(long)]
    pub json: bool,
}
