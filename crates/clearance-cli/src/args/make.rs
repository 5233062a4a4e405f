//! Arguments of `make`.

use super::read::parse_unit;
use crate::recipe::MakeShape;
use clap::Args;
use clearance_io::LengthUnit;
use std::path::PathBuf;

/// Arguments of `make`.
#[derive(Debug, Args)]
#[command(
    arg_required_else_help = true,
    disable_help_subcommand = true,
    subcommand_value_name = "SHAPE",
    subcommand_help_heading = "Shapes",
    after_help = "\
`clearance make SHAPE --help` lists a shape's own options. Lengths have no unit;
--unit says what they mean, for formats that can hold it (GLB).

Examples:
  clearance make bolt --length 60 -o bolt.stl
  clearance make fastener --unit mm -o fastener.glb
  clearance make polytope --kind plate --vertices 500 --seed 7 -o plate.ply
  clearance make --list --json"
)]
pub struct MakeArguments {
    /// List all shapes with their options and defaults
    #[arg(long)]
    pub list: bool,
    /// Print JSON; its fields are those of `clearance schema make`
    #[arg(long, global = true, display_order = 503)]
    pub json: bool,
    /// Where to write the shape (stl, obj, ply or glb)
    #[arg(short, long, value_name = "FILE", global = true, display_order = 501)]
    pub output: Option<PathBuf>,
    /// Unit of the shape's lengths: um, mm, cm, in, ft, m
    #[arg(long, value_name = "UNIT", value_parser = parse_unit, global = true, display_order = 502)]
    pub unit: Option<LengthUnit>,
    #[command(subcommand)]
    pub shape: Option<MakeShape>,
}
