//! The command line as people type it.

mod clash;
mod pose;

pub use clash::ClashArguments;
use pose::parse_pose;
pub use pose::with_joined_poses;

use crate::{kinetic::KineticArguments, recipe::MakeShape};
use anstyle::{AnsiColor, Style};
use clap::{Args, Parser, Subcommand, ValueEnum, builder::Styles, value_parser};
use clap_complete::Shell;
use clearance::{Pose, screw::Resolution};
use clearance_io::LengthUnit;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

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

/// Arguments of `relate`.
#[derive(Debug, Args)]
#[command(after_help = "\
A body is a mesh file, a part of a scene (scene.json#pin) or a shape as scenes
write it ('{\"box\": [1, 2, 3]}'). A mesh is a solid if it is closed, else a surface.
The relation of meshes and polytopes (points, boxes, triangles, segments), and of
half-spaces and planes with these or rounded ones, is exact. With spheres,
capsules, rounded shapes, cylinders, cones and ellipsoids it may be `undecided`:
touching within a stated width. Distance and depth are brackets that are proved
to hold the truth.

A pose is 12 numbers, row-major 3x4: r11 r12 r13 x  r21 r22 r23 y  r31 r32 r33 z,
with spaces or commas between them, or
'{\"translation\": [x, y, z], \"quaternion_xyzw\": [x, y, z, w]}'.

A case of --batch is one line of JSON, its poses optional:
  {\"id\": 1, \"a\": {\"points\": [[0,0,0], ...]}, \"b\": {\"sphere\": {\"radius\": 2}},
   \"pose_a\": [12 numbers], \"pose_b\": {\"translation\": [x,y,z], \"quaternion_xyzw\": [...]}}
Each case gets one line of answer, in order:
  {\"id\", \"relation\", \"width\", \"distance\": {\"lower\", \"upper\"}, \"point_a\", \"point_b\",
   \"depth\": {\"lower\", \"upper\"}, \"error\"}
A bad line gets an error and the others go on; the exit code is 3 then.

Examples:
  clearance relate bolt.stl nut.stl --unit mm --proof
  clearance relate '{\"box\": [1, 1, 1]}' '{\"sphere\": {\"radius\": 1}}' --json
  clearance relate pin.stl plate.stl --contacts --picture pair.svg
  clearance relate --batch cases.jsonl --proof > answers.jsonl && clearance verify answers.jsonl")]
pub struct RelateArguments {
    /// Body A
    #[arg(value_name = "A", required_unless_present = "batch", conflicts_with = "batch")]
    pub a: Option<String>,
    /// Body B
    #[arg(value_name = "B", required_unless_present = "batch", conflicts_with = "batch")]
    pub b: Option<String>,
    /// Where A is: 12 numbers, or a translation and a quaternion; in place of what its file says
    #[arg(long, value_name = "POSE", value_parser = parse_pose, conflicts_with = "batch")]
    pub pose_a: Option<Pose>,
    /// Where B is: 12 numbers, or a translation and a quaternion; in place of what its file says
    #[arg(long, value_name = "POSE", value_parser = parse_pose, conflicts_with = "batch")]
    pub pose_b: Option<Pose>,
    /// Answer the cases in this file, one per line; - for standard input
    #[arg(long, value_name = "FILE")]
    pub batch: Option<PathBuf>,
    /// Add the proof of the relation, and the bodies it speaks about
    #[arg(long)]
    pub proof: bool,
    #[command(flatten)]
    pub read: ReadArguments,
    /// List all pairs of triangles that meet, and where
    #[arg(long)]
    pub contacts: bool,
    /// Exit with code 1 on one of these: disjoint, touching, overlapping, undecided
    #[arg(long, value_name = "RELATIONS", value_delimiter = ',', hide_possible_values = true)]
    pub fail_on: Vec<RelationName>,
    /// Draw the pair with its closest points and separating plane, or its contact curves, into this file (svg or glb)
    #[arg(long, value_name = "FILE", conflicts_with = "batch")]
    pub picture: Option<PathBuf>,
    /// Print JSON; its fields are those of `clearance schema relate`. Batches always do
    #[arg(long)]
    pub json: bool,
}

/// A relation as it is named in JSON and by `--fail-on`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum RelationName {
    /// No common point.
    Disjoint,
    /// A common point, but no common interior.
    Touching,
    /// They still meet after every sufficiently small translation.
    Overlapping,
    /// Too close to touching to tell, by less than the stated width.
    Undecided,
}

impl RelationName {
    /// As JSON writes it.
    pub fn name(self) -> &'static str {
        match self {
            RelationName::Disjoint => "disjoint",
            RelationName::Touching => "touching",
            RelationName::Overlapping => "overlapping",
            RelationName::Undecided => "undecided",
        }
    }
}

/// Arguments of `sweep`.
#[derive(Debug, Args)]
#[command(after_help = "\
Parts of the scene move as their motion says, the others rest:
  {\"translate\": [x, y, z]}                  straight ahead by this vector
  {\"to\": pose}                              turning to this pose, along a screw
  {\"screw\": {\"axis\": [0, 0, 1], \"center\": [0, 0, 0], \"angle\": 6.28, \"shift\": 1}}
each with \"t0\" and \"t1\" if it does not last from 0 to 1. Of parts that do not turn
the time of first contact of meshes and polytopes is an exact quotient; a grazing
touch is a touch, a miss by one unit in the last place is a miss. With curved bodies
it is a bracket of relative width 1e-12, and may be `undecided` where they graze. If
a part turns, it is a proved bracket of at most 1e-9 of its motion, or undecided.

A case of --batch is one line of JSON; poses, velocities and times are optional:
  {\"id\": 1, \"a\": {\"box\": [1, 1, 1]}, \"b\": {\"mesh\": \"nut.stl\"}, \"pose_a\": [12 numbers],
   \"pose_b\": [12 numbers], \"velocity_a\": [x, y, z], \"velocity_b\": [x, y, z], \"t0\": 0, \"t1\": 1}
Each case gets one line of answer, in order:
  {\"id\", \"contact\": none|touching_at_start|overlapping_at_start|hit|undecided,
   \"time\": {\"lower\", \"upper\"}, \"exact\": {\"num\", \"den\"}, \"contacts\": [...], \"normal\",
   \"first_overlap\", \"closest_approach\": {\"distance\": {\"lower\", \"upper\"}, \"time\"}, \"error\"}
Bodies that turn move from pose to pose along a screw, or A on a given one:
  {\"id\": 2, \"a\": {...}, \"b\": {...}, \"from_a\": [12 numbers], \"to_a\": [12 numbers],
   \"from_b\": [12 numbers], \"to_b\": [12 numbers]}
  {\"id\": 3, \"a\": {...}, \"b\": {...}, \"screw_a\": {\"axis\": [0, 0, 1], \"center\": [0, 0, 0],
   \"angle\": 6.28, \"shift\": 1}}
Their contacts are all entering ones, as if nothing stopped the motion:
  {\"id\", \"contact\", \"time\", \"contacts\": [{\"kind\", \"feature_a\", \"feature_b\", \"time\",
   \"point\", \"normal\", \"properness\", ...}], \"normal\", \"point\", \"error\"}
A bad line gets an error and the others go on; the exit code is 3 then.

Examples:
  clearance sweep scene.json
  clearance sweep scene.json --picture contact.svg --glb motion.glb
  clearance sweep scene.json --json
  clearance sweep lever.json --min-properness 0 --json
  clearance sweep lever.json --all
  clearance sweep lever.json --engine screen --resolution medium --picture screen.svg
  clearance sweep --batch motions.jsonl > answers.jsonl")]
pub struct SweepArguments {
    /// A scene whose parts translate or turn
    #[arg(value_name = "SCENE", required_unless_present = "batch", conflicts_with = "batch")]
    pub scene: Option<PathBuf>,
    /// Answer the cases in this file, one per line; - for standard input
    #[arg(long, value_name = "FILE")]
    pub batch: Option<PathBuf>,
    #[command(flatten)]
    pub read: ReadArguments,
    /// Print JSON; its fields are those of `clearance schema sweep`. Batches always do
    #[arg(long)]
    pub json: bool,
    /// Draw the parts where the first two meet after the start, or at the end if none do (.svg or .glb)
    #[arg(long, value_name = "FILE", conflicts_with = "batch")]
    pub picture: Option<PathBuf>,
    /// Write the motion up to that moment as an animation
    #[arg(long, value_name = "FILE", conflicts_with = "batch")]
    pub glb: Option<PathBuf>,
    /// Of bodies that turn, tell the first contact only
    #[arg(long, conflicts_with = "all")]
    pub first: bool,
    /// Of bodies that turn, list every contact, also those that leave or are less proper
    #[arg(long)]
    pub all: bool,
    /// Of bodies that turn, leave out contacts less proper than this
    #[arg(long, value_name = "NUMBER", default_value = "-0.1", allow_negative_numbers = true)]
    pub min_properness: f64,
    /// How all contacts of bodies that turn are found; a screen is as fine as its pixels, and --picture draws it
    #[arg(long, value_name = "ENGINE", default_value = "analytic")]
    pub engine: EngineName,
    /// Of a collision screen: low, medium or high, or how many pixels a typical short edge is to have
    #[arg(long, value_name = "RESOLUTION", default_value = "high", value_parser = parse_resolution)]
    pub resolution: f64,
}

/// How all contacts of bodies that turn are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    // Every contact, with a proved bracket of its time.
    Analytic,
    // Read off a collision screen: as fine as its pixels; --picture draws it.
    Screen,
    // The analytic engine, for what a collision screen leaves.
    Filtered,
}

/// Pixels of a typical short edge.
fn parse_resolution(text: &str) -> Result<f64, String> {
    match text {
        "low" => return Ok(Resolution::LOW),
        "medium" => return Ok(Resolution::MEDIUM),
        "high" => return Ok(Resolution::HIGH),
        _ => {}
    }
    let pixels = text.parse::<f64>().ok().filter(|pixels| (1e-3..=1e6).contains(pixels));
    pixels.ok_or_else(|| "low, medium, high or a number of pixels between 0.001 and 1000000".into())
}

/// Arguments of `verify`.
#[derive(Debug, Args)]
#[command(after_help = "\
Every witness is checked by exact signs over all corners, whatever found it. Then
the answer is computed anew, and each field must hold: the same relation, width
and enclosed body; brackets that hold the truth and are as narrow as promised
(1e-12 of a distance, 1e-9 of a depth, or twice what comes out where rounding or
solids that are not convex leave more); points on their bodies up to rounding that
are as far apart as they should be. Each complaint names the line and the field. Of
two polytopes without their witness it is said that only the rest was checked.

Lines that were written without --proof need the cases. With the cases, it is also
checked that each answer speaks about the bodies and poses of its case, that its
contacts are right, and that what is said to have no answer has none.

Exit codes: 0 if all is right, 1 if an answer is wrong, 3 if a line cannot be read.

Examples:
  clearance relate --batch cases.jsonl --proof > answers.jsonl
  clearance verify answers.jsonl
  clearance verify answers.jsonl --cases cases.jsonl --json")]
pub struct VerifyArguments {
    /// Answers of `relate --batch`, one per line; - for standard input
    pub file: PathBuf,
    /// The cases that were answered, in the same order
    #[arg(long, value_name = "FILE")]
    pub cases: Option<PathBuf>,
    #[command(flatten)]
    pub read: ReadArguments,
    /// Print JSON; its fields are those of `clearance schema verify`
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `ccd`.
#[derive(Debug, Args)]
#[command(after_help = "\
Every vertex moves on a straight line from its place at time 0 to that at time 1.
The answer is exact, touching counts, and the time is bracketed by the floats next
to it; both are the same if it is a float.

A case is one line of JSON: a vertex and the corners of a triangle, or the ends of
one edge and of another, at both times:
  {\"id\": 1, \"kind\": \"vertex-face\", \"start\": [[0,0,1], [0,0,0], [1,0,0], [0,1,0]],
   \"end\": [[0,0,-1], [0,0,0], [1,0,0], [0,1,0]]}
  {\"id\": 2, \"kind\": \"edge-edge\", \"start\": [4 points], \"end\": [4 points]}
Each case gets one line of answer, in order; the time is null without a hit:
  {\"id\", \"hit\", \"time\": {\"lower\", \"upper\"}}
One of the features may move on a screw instead, a turn about an axis with a shift
along it; the answer then has all times of contact, proved brackets of at most 1e-9:
  {\"id\": 3, \"kind\": \"edge-edge\", \"points\": [4 points], \"moving\": \"second\",
   \"screw\": {\"axis\": [0,0,1], \"center\": [0,0,0], \"angle\": 6.28, \"shift\": 0}}
  {\"id\", \"hit\", \"time\", \"times\": [{\"lower\", \"upper\"}, ...]}
A bad line gets an \"error\" and the others go on; the exit code is 3 then.

Examples:
  clearance ccd --batch queries.jsonl > answers.jsonl
  clearance ccd --batch - < queries.jsonl | jq -c 'select(.hit)'")]
pub struct CcdArguments {
    /// Answer the cases in this file, one per line; - for standard input
    #[arg(long, value_name = "FILE")]
    pub batch: PathBuf,
}

/// Arguments of `simulate`.
#[derive(Debug, Args)]
#[command(after_help = "\
Bodies fly straight and turn at a constant rate. Both bodies of a pair that
begins to collide turn back the way they came; walls reflect. The walls are a
closed box: around random bodies as large as --density says, around those of a
file with room to fly. Same seed, same events, for any number of threads.

SCENE is one of
  sample, sample:500   random polytopes, the experiment of Chung (1996), section 6.2
  scene.json           each part where it is. Parts with a \"motion\" move, others rest;
                       if no part has one, all get random velocities. Free flight is
                       {\"velocity\": [x, y, z], \"spin\": [x, y, z]}, in lengths and
                       radians per second, the spin along its axis
  part.stl, car.glb    as a scene without motions; --bodies strews copies
  plane.json           with --kinetic: convex polygons and points in the plane with motion
                       plans, see `clearance schema planar-scene`

Each event is one line: a collision began, with its depth and how far apart the
bodies were the frame before, or ended. Frame 0 is the start.

With --kinetic there are no frames. Each pair keeps a proof that it is apart, and the
time at which that expires; between those times nothing is computed. No collision is
missed, and its time is bracketed by two floats. --picture draws one time, with the
proof of the closest pair; --animation writes the whole run as an animated svg.

Exit codes: 0 if all frames are done, 3 also if a pair came near that cannot be
related (coordinates beyond the largest), 130 after Ctrl-C; what is done until
then is kept.

Examples:
  clearance simulate sample:500 --frames 200 --picture last.svg
  clearance simulate sample --shape plate --vertices 100 --speed 20% --spin 40deg --quiet
  clearance simulate gear.stl --bodies 40 --animation gears.glb
  clearance simulate scene.json --frames 250 --json | jq -c 'select(.type == \"began\")'
  clearance simulate plane.json --kinetic --until 20 --certificates --animation run.svg")]
pub struct SimulateArguments {
    /// A scene (json), a mesh file, or sample:N
    pub scene: String,
    /// How many frames to move on
    #[arg(
        long,
        value_name = "N",
        default_value = "100",
        value_parser = value_parser!(u32).range(1..),
        allow_negative_numbers = true
    )]
    pub frames: u32,
    /// Seed of the random numbers [default: 1]
    #[arg(long, value_name = "N", value_parser = parse_seed, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// How many bodies, at random places; the shapes of a file take turns [for sample: 100]
    #[arg(
        long,
        value_name = "N",
        value_parser = value_parser!(u32).range(1..=1_000_000),
        allow_negative_numbers = true
    )]
    pub bodies: Option<u32>,
    /// Shape of the sample's bodies: ellipsoid, rod, plate [for sample: ellipsoid]
    #[arg(long, value_name = "KIND", hide_possible_values = true)]
    pub shape: Option<SampleShape>,
    /// Vertices of each of the sample's bodies [for sample: 20]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub vertices: Option<u32>,
    /// Share of the box that balls around random bodies take [default: 10%]
    #[arg(long, value_name = "SHARE", value_parser = parse_density)]
    pub density: Option<f64>,
    /// Random velocities: share of a body's radius per frame, 200% at most [default: 5%]
    #[arg(long, value_name = "SHARE", value_parser = parse_speed)]
    pub speed: Option<f64>,
    /// Random velocities: degrees turned per frame [default: 10deg]
    #[arg(long, value_name = "ANGLE", value_parser = parse_degrees)]
    pub spin: Option<f64>,
    /// Frames per second, for velocities in a file and times of an animation
    #[arg(
        long,
        value_name = "N",
        default_value = "25",
        value_parser = value_parser!(u32).range(1..=10_000),
        allow_negative_numbers = true
    )]
    pub fps: u32,
    #[command(flatten)]
    pub read: ReadArguments,
    /// Draw the last frame into this file (svg or glb)
    #[arg(long, value_name = "FILE")]
    pub picture: Option<PathBuf>,
    /// Write all frames as an animation (glb)
    #[arg(long, value_name = "FILE")]
    pub animation: Option<PathBuf>,
    /// Print the summary only, no events
    #[arg(short, long)]
    pub quiet: bool,
    /// Print one JSON object per line: events, then the summary; see `clearance schema simulate`
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub kinetic: KineticArguments,
}

/// The shapes of the sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SampleShape {
    Ellipsoid,
    Rod,
    Plate,
}

/// Arguments of `demo`.
#[derive(Debug, Args)]
#[command(after_help = "\
Writes clearance-demo.html, the report (open it in a browser; it needs no network),
the folder clearance-demo with the parts, the scenes, the rules and linkage.glb, the
motion up to the first contact, clearance-demo-flight.glb, polytopes flying in a box
(both for any glTF viewer), and clearance-demo-events.svg, polygons in the plane with
their proofs of separation (for a browser). Takes some seconds.")]
pub struct DemoArguments {
    /// Folder to write into; made if it is not there
    #[arg(short, long, value_name = "FOLDER", default_value = ".")]
    pub output: PathBuf,
    /// Print the report of the check as JSON; its fields are those of `clearance schema clash`
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
    /// Scene files, cases of `relate --batch` or of `ccd --batch`, or the verb whose --json output to describe
    #[arg(default_value = "scene", value_name = "WHAT")]
    pub of: SchemaOf,
}

/// Arguments of `man`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearance man | man -l -
  clearance man -o ~/.local/share/man/man1    (then: man clearance-clash)")]
pub struct ManArguments {
    /// Write a page for the program and for each verb into this folder; made if it is not there
    #[arg(short, long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
}

/// What there is a schema of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    Scene,
    PlanarScene,
    Info,
    Make,
    Hull,
    Case,
    Relate,
    Sweep,
    SweepCase,
    ScrewCase,
    Clash,
    ClashLine,
    Verify,
    CcdCase,
    Ccd,
    Simulate,
    SimulateKinetic,
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

/// A share such as 5%, as a number.
fn parse_share(text: &str) -> Result<f64, String> {
    let percent = text.strip_suffix('%').and_then(|number| number.trim_end().parse::<f64>().ok());
    match percent {
        Some(percent) if (0.0..=1e6).contains(&percent) => Ok(percent / 100.0),
        _ => Err("give a share that is not negative, such as 5%".into()),
    }
}

/// Whoever moves by more than its size jumps over others, and out of the box.
fn parse_speed(text: &str) -> Result<f64, String> {
    let share = parse_share(text)?;
    if share <= 2.0 {
        return Ok(share);
    }
    Err("a body would move by more than its own size in a frame; give at most 200%, and more --frames".into())
}

fn parse_seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("give a whole number from 0 to {}", u64::MAX))
}

fn parse_density(text: &str) -> Result<f64, String> {
    let share = parse_share(text).ok().filter(|share| *share > 0.0 && *share < 1.0);
    share.ok_or_else(|| "give a share above 0 and below 100%, such as 10%".into())
}

fn parse_degrees(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix("deg").or(text.strip_suffix('°')).unwrap_or(text);
    match number.trim_end().parse::<f64>() {
        Ok(value) if (0.0..=180.0).contains(&value) => Ok(value),
        _ => Err("give an angle from 0 to 180 degrees, such as 10deg".into()),
    }
}
