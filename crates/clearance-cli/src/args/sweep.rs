//! Arguments of `sweep`.

use super::ReadArguments;
use clap::{Args, ValueEnum};
use clearance::screw::Resolution;
use std::path::PathBuf;

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
