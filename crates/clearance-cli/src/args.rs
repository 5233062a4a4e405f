//! The command line as people type it.

use crate::recipe::MakeShape;
use anstyle::{AnsiColor, Style};
use clap::{Args, Parser, Subcommand, ValueEnum, builder::Styles};
use clap_complete::Shell;
use clearance_io::LengthUnit;
use std::path::PathBuf;

const STYLES: Styles = Styles::styled()
    .header(Style::new().bold())
    .usage(Style::new().bold())
    .literal(AnsiColor::Cyan.on_default())
    .placeholder(Style::new().dimmed());

/// Exact collision detection for parts: look at them, make them, take their hulls.
#[derive(Debug, Parser)]
#[command(
    name = "clearance", version, styles = STYLES, max_term_width = 100, arg_required_else_help = true,
    after_help = "\
Examples:
  clearance demo                               see what it does
  clearance info bolt.stl nut.stl --unit mm    what is in there, and is it sound?
  clearance make gear --teeth 24 -o gear.stl   a sample part
  clearance hull bolt.stl -o hull.ply          the exact convex hull

Files:
  Meshes: stl, obj, ply, off, gltf, glb, 3mf (written: stl, obj, ply, glb).
  Scenes: json, see `clearance schema scene`.

Exit codes:
  0    fine
  1    found something you asked to be told of (--fail-on)
  2    wrong usage
  3    bad input: a file that cannot be read, is refused or cannot be written
  130  interrupted by Ctrl-C"
)]
pub struct Cli {
    /// When to use colours; auto means on a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true, display_order = 900)]
    pub color: ColorChoice,
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Say what is in mesh and scene files, and whether it is sound
    Info(InfoArguments),
    /// Write a sample shape or a primitive to a mesh file
    Make(MakeArguments),
    /// Write the exact convex hull of all points in a file
    Hull(HullArguments),
    /// Build sample parts, report on them and draw them
    Demo(DemoArguments),
    /// Print the completion script for a shell
    Completions(CompletionsArguments),
    /// Print the JSON schema of scene files or of a verb's --json output
    Schema(SchemaArguments),
}

/// When to use colours.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ColorChoice {
    Auto,
    Always,
    Never,
}

impl ColorChoice {
    /// Makes all later output follow the choice.
    pub fn apply(self) {
        match self {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::AlwaysAnsi,
            ColorChoice::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// How meshes are read.
#[derive(Debug, Default, Args)]
pub struct ReadArguments {
    /// Unit of files that do not state it (STL, OBJ, PLY, OFF): um, mm, cm, in, ft, m
    #[arg(long, value_name = "UNIT", value_parser = parse_unit)]
    pub unit: Option<LengthUnit>,
    /// Refuse meshes that need repair (degenerate, duplicate or inverted triangles)
    #[arg(long)]
    pub strict: bool,
    /// Merge vertices up to this far apart; without it, only equal ones
    #[arg(long, value_name = "DISTANCE", value_parser = parse_distance, allow_negative_numbers = true)]
    pub weld: Option<f64>,
    /// Let scenes name mesh files outside their own folder
    #[arg(long)]
    pub allow_outside: bool,
}

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

/// Arguments of `demo`.
#[derive(Debug, Args)]
#[command(after_help = "\
Writes clearance-demo.svg (open it in a browser) and clearance-demo.glb (drop it
on any 3-D viewer). Takes about a second.")]
pub struct DemoArguments {
    /// Folder to write into; made if it is not there
    #[arg(short, long, value_name = "FOLDER", default_value = ".")]
    pub output: PathBuf,
    /// Print JSON; its fields are those of `clearance schema demo`
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearance completions bash > ~/.local/share/bash-completion/completions/clearance
  clearance completions zsh  > ~/.zfunc/_clearance          (with ~/.zfunc in fpath)
  clearance completions fish > ~/.config/fish/completions/clearance.fish")]
pub struct CompletionsArguments {
    /// The shell
    pub shell: Shell,
}

/// Arguments of `schema`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearance schema > scene.schema.json   (in a scene: \"$schema\": \"scene.schema.json\")
  clearance schema info                  (the fields of `clearance info --json`)")]
pub struct SchemaArguments {
    /// Scene files, or the verb whose --json output to describe
    #[arg(default_value = "scene", value_name = "WHAT")]
    pub of: SchemaOf,
}

/// What there is a schema of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    Scene,
    Info,
    Make,
    Hull,
    Demo,
}

fn parse_unit(text: &str) -> Result<LengthUnit, String> {
    let known = LengthUnit::ALL.map(LengthUnit::symbol).join(", ");
    LengthUnit::from_symbol(text).ok_or_else(|| format!("use one of {known}"))
}

fn parse_distance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
        _ => Err("give a distance that is not negative, such as 1e-6".into()),
    }
}
