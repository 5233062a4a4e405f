//! Arguments of `relate`.

use super::{ReadArguments, pose::parse_pose};
use clap::{Args, ValueEnum};
use clearance::Pose;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Arguments of `relate`.
#[derive(Debug, Args)]
#[command(mut_arg("unit", |unit| unit.help(super::read::UNIT_OF_ALL)))]
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
Mesh files of a case are looked for in the folder of the file of cases (for -, in
the current one), and only below it without --allow-outside. A case has its unit for
itself: that of --unit, else that which its mesh files state.
Each case gets one line of answer, in order:
  {\"id\", \"unit\", \"kind_a\", \"kind_b\", \"relation\", \"width\", \"distance\": {\"lower\",
   \"upper\"}, \"point_a\", \"point_b\", \"depth\": {\"lower\", \"upper\"}, \"error\"}
A kind is `solid` or `surface` for a mesh, null for other bodies.
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
    /// Print JSON; its fields are those of `clearance schema relate`. Batches always do, lines of `clearance schema relate-line`
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
