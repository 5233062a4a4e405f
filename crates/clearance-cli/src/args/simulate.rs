//! Arguments of `simulate`.

use super::ReadArguments;
use crate::kinetic::KineticArguments;
use clap::{Args, ValueEnum, value_parser};
use std::path::PathBuf;

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
