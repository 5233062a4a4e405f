//! The command line as people type it.

mod ccd;
mod clash;
mod demo;
mod hull;
mod info;
mod make;
mod manual;
mod pose;
mod read;
mod relate;
mod simulate;
mod sweep;
mod verify;

pub use ccd::CcdArguments;
pub use clash::ClashArguments;
pub use demo::DemoArguments;
pub use hull::HullArguments;
pub use info::{Condition, InfoArguments};
pub use make::MakeArguments;
pub use manual::{CompletionsArguments, ManArguments, SchemaArguments, SchemaOf};
pub use pose::with_joined_poses;
pub use read::ReadArguments;
pub use relate::{RelateArguments, RelationName};
pub use simulate::{SampleShape, SimulateArguments};
pub use sweep::{EngineName, SweepArguments};
pub use verify::VerifyArguments;

use anstyle::{AnsiColor, Style};
use clap::{Parser, Subcommand, ValueEnum, builder::Styles};

const STYLES: Styles = Styles::styled()
    .header(Style::new().bold())
    .usage(Style::new().bold())
    .literal(AnsiColor::Cyan.on_default())
    .placeholder(Style::new().dimmed());

/// Exact collision detection for parts: look at them, make them, take their hulls, relate them, check
/// assemblies for clashes, let them fly.
#[derive(Debug, Parser)]
#[command(
    name = "clearance", version, styles = STYLES, max_term_width = 100, arg_required_else_help = true,
    after_help = "\
Examples:
  clearance demo                               see what it does
  clearance info bolt.stl nut.stl --unit mm    what is in there, and is it sound?
  clearance make gear --teeth 24 -o gear.stl   a sample part
  clearance hull bolt.stl -o hull.ply          the exact convex hull
  clearance relate hull.ply nut-hull.ply       disjoint, touching or overlapping, with the proof
  clearance clash parts/ -o report.html        every pair that collides or comes too close
  clearance sweep scene.json                   when and where moving parts first meet
  clearance simulate sample:500 --frames 200   many bodies, every collision

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
    /// Say how two bodies lie to each other, with the proof
    Relate(RelateArguments),
    /// Check an assembly: every pair of parts that collide or come closer than asked
    Clash(ClashArguments),
    /// Say when and where translating bodies first meet, exactly
    Sweep(SweepArguments),
    /// Check a file of answers of `relate --batch` again
    Verify(VerifyArguments),
    /// Say when moving vertices and triangles, or moving edges, first meet
    Ccd(CcdArguments),
    /// Let many bodies fly in a closed box and tell every collision
    Simulate(SimulateArguments),
    /// Check a gearbox with mistakes in it, and write the report
    Demo(DemoArguments),
    /// Print the completion script for a shell
    Completions(CompletionsArguments),
    /// Print the JSON schema of scene files or of a verb's --json output
    Schema(SchemaArguments),
    /// Print the manual page, or write those of all verbs
    Man(ManArguments),
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
