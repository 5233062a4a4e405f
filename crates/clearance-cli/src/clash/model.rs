//! What a clash check found, as data: every output is written from this, and it is what `--output report.json` holds.

use crate::{answer::BracketFile, sweep::QuotientFile};
use clap::ValueEnum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The layout of [`ClashReport`]; it changes when a field changes its meaning or goes.
pub const VERSION: u32 = 1;

/// All that a check found. Lengths are in `unit`, times in those of the scene; numbers read back to the same bits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "clearance clash report")]
pub struct ClashReport {
    /// The layout of this file: 1.
    pub version: u32,
    /// The program and its version.
    pub program: String,
    /// What was checked, for people: the name of the scene, folder or first file.
    pub title: String,
    /// Unit of all lengths: um, mm, cm, in, ft or m; null if nobody stated it.
    pub unit: Option<String>,
    /// What was asked.
    pub settings: Settings,
    /// What each verdict means, in the order in which they are listed.
    pub meanings: Vec<Meaning>,
    /// How many there are of what.
    pub summary: Summary,
    /// The groups of parts, by name; parts without one are in the group "".
    pub groups: Vec<Group>,
    /// Required clearances and findings from group to group; both names in the order of `groups`.
    pub matrix: Vec<Cell>,
    /// The parts, in the order in which they were read.
    pub parts: Vec<Part>,
    /// Every pair with a verdict, the gravest first, then by size, then by the order of the parts.
    pub findings: Vec<Finding>,
    /// Findings that the rules accept as by design, in the same order.
    pub accepted: Vec<Accepted>,
    /// Findings of the baseline that are no more, as they stood there.
    pub resolved: Vec<Resolved>,
    /// Files that could not be read, with --keep-going.
    pub skipped: Vec<Skipped>,
    /// Whether Ctrl-C came: then pairs are missing, and the summary says how many.
    pub interrupted: bool,
}

/// What was asked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Settings {
    /// Clearance required where no rule says otherwise.
    pub clearance: f64,
    /// Overlaps proved shallower than this are told apart as touching within tolerance.
    pub tolerance: f64,
    /// Whether touching pairs are listed.
    pub report_touching: bool,
    /// Whether volumes of intersections were asked for.
    pub volume: bool,
    /// Verdicts that make the exit code 1; none for never.
    pub fail_on: Vec<Verdict>,
    /// Whether only findings that are not in the baseline do.
    pub fail_on_new_only: bool,
    /// The rules file, as it was named.
    pub rules: Option<String>,
    /// The previous report, as it was named.
    pub baseline: Option<String>,
}

/// What a verdict means.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Meaning {
    /// The verdict.
    pub verdict: Verdict,
    /// In words.
    pub text: String,
}

/// How two parts lie to each other; at some time of their motion, if they move. The gravest first.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    ValueEnum,
)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Equal triangles in the same place: one part given twice.
    Duplicate,
    /// One lies inside the other without touching its surface.
    Enclosed,
    /// Their interiors meet.
    #[default]
    Overlapping,
    /// Their interiors meet, and the overlap is proved to be shallower than the tolerance.
    TouchingWithinTolerance,
    /// They share a point and no interior.
    Touching,
    /// They share no point and are closer than the required clearance.
    TooClose,
    /// Not proved either way: curved parts that nearly touch, or a moving pair that grazes, slides or stays very near the
    /// clearance.
    Undecided,
}

/// How many there are of what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// Parts that were checked.
    pub parts: u64,
    /// Triangles of all parts as placed.
    pub triangles: u64,
    /// Pairs that the rules ask about.
    pub pairs: u64,
    /// Pairs whose boxes came near enough to be looked at.
    pub candidates: u64,
    /// Candidates that were not looked at because of Ctrl-C.
    pub unchecked: u64,
    /// Pairs of each verdict; touching pairs are counted also when they are not listed.
    pub verdicts: Vec<VerdictCount>,
    /// Overlapping pairs whose overlap is proved to be shallower than 1e-3 of the smaller part's size.
    pub vanish_at_one_in_a_thousand: u64,
    /// Findings that the rules accept as by design; they are in none of the other counts.
    pub accepted: u64,
    /// With a baseline: findings that are not in it.
    pub new: u64,
    /// With a baseline: findings that are in it.
    pub persistent: u64,
    /// With a baseline: findings of it that are no more.
    pub resolved: u64,
}

/// How many pairs have a verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VerdictCount {
    /// The verdict.
    pub verdict: Verdict,
    /// How many.
    pub count: u64,
}

/// A group of parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// How many parts it has.
    pub parts: u64,
}

/// Two groups, or one with itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cell {
    /// Indices into `groups`, the smaller first.
    pub groups: [usize; 2],
    /// The clearance that is required between them; null if their pairs are not checked.
    pub required: Option<f64>,
    /// Listed findings between them.
    pub findings: u64,
    /// The gravest verdict among those; null if there are none.
    pub worst: Option<Verdict>,
}

/// One placed part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// Names it in every run: its name, after that of its file if there are several, with a number if that occurs again.
    pub id: String,
    /// Its name in the file.
    pub name: String,
    /// The file it comes from, as it was named.
    pub file: String,
    /// Index into `groups`.
    pub group: usize,
    /// solid, surface, polytope, rounded or the name of a primitive.
    pub kind: String,
    /// Triangles; 0 for shapes that are not meshes.
    pub triangles: u64,
    /// The box around it, in the world, at the start of its motion; null if it is unbounded.
    pub bounds: Option<[[f64; 3]; 2]>,
    /// How it moves; null if it does not.
    pub motion: Option<Motion>,
    /// What was repaired or skipped while it was read.
    pub notes: Vec<String>,
}

/// How a part moves between two times.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Motion {
    /// When it begins.
    pub t0: f64,
    /// When it ends.
    pub t1: f64,
    /// How.
    #[serde(flatten)]
    pub path: Path,
}

/// The path of a motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Path {
    /// Straight ahead by this vector, at constant speed.
    Displacement([f64; 3]),
    /// A turn about an axis with a shift along it, both at constant speed; these numbers are the truth.
    Screw {
        /// Along the axis, of a length from 1 to 2 along its largest entry.
        axis: [f64; 3],
        /// A point of the axis.
        center: [f64; 3],
        /// The whole turn, in radians.
        angle: f64,
        /// The whole shift along the axis.
        shift: f64,
    },
}

impl Default for Path {
    fn default() -> Path {
        Path::Displacement([0.0; 3])
    }
}

/// One pair of parts with its verdict.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The same in every run: a hash of the rule and the two part ids.
    pub id: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Indices into `parts`, the smaller first.
    pub parts: [usize; 2],
    /// The rule that asked about this pair; "default" where no rule of a file did.
    pub rule: String,
    /// The clearance the rule requires.
    pub required: f64,
    /// With a baseline: whether it was there.
    pub status: Option<Status>,
    /// How far apart they are: lower <= truth <= upper, both proved; zeros if they meet. Moving: the smallest distance.
    pub distance: Option<BracketFile>,
    /// Points of both that realise the upper end of the distance, rounded. Moving: where they are then.
    pub closest: Option<[[f64; 3]; 2]>,
    /// A plane with one part on each side, if one was found that proves the gap.
    pub plane: Option<Plane>,
    /// How deep they overlap; null if they do not, or if a surface is involved.
    pub depth: Option<Depth>,
    /// Volume of the intersection, with --volume: lower <= truth <= upper, both proved.
    pub volume: Option<BracketFile>,
    /// Enclosed: the index (in `parts`) of the one inside. Duplicate: none.
    pub inside: Option<usize>,
    /// Some points that they share, rounded; all corners of the contact if there are few.
    pub points: Vec<[f64; 3]>,
    /// How many pairs of triangles meet.
    pub contacts: u64,
    /// Of a pair that moves: when.
    pub motion: Option<When>,
}

/// A finding that is by design.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Accepted {
    /// What was found.
    #[serde(flatten)]
    pub finding: Finding,
    /// Why it is accepted, from the rules file.
    pub reason: String,
}

/// Whether a finding is in the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It is not.
    New,
    /// It is.
    Persistent,
}

/// All points x with normal . x = offset; the first part lies below, the second above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Plane {
    /// From the first part to the second, unit length, rounded.
    pub normal: [f64; 3],
    /// In the middle of the gap.
    pub offset: f64,
}

/// How deep two parts overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Depth {
    /// What is measured.
    pub kind: DepthKind,
    /// Proved to be at most the depth.
    pub lower: f64,
    /// Proved to be at least the depth.
    pub upper: f64,
    /// Where it is deepest, rounded.
    pub point: Option<[f64; 3]>,
    /// Every point of either surface inside the other part is at most this far from the other's surface; null if no
    /// bound was proved. It is what the tolerance is compared with.
    pub surface: Option<f64>,
}

/// What a depth measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DepthKind {
    /// Of convex parts: the shortest translation that separates them.
    Translation,
    /// Of solids: the largest distance from a vertex of one inside the other to the other's surface.
    #[default]
    Local,
    /// Of solids without a vertex of one inside the other: the largest distance from a point of either surface inside the
    /// other to the other's surface.
    Surface,
}

/// What happens to a pair that moves, and when.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct When {
    /// none, touching_at_start, overlapping_at_start, hit or undecided.
    pub contact: String,
    /// Floats around the time of first contact.
    pub first_contact: Option<BracketFile>,
    /// That time as a quotient, where it is exact.
    pub exact: Option<QuotientFile>,
    /// When they begin to overlap; null if they do not.
    pub first_overlap: Option<BracketFile>,
    /// When they are closest, for pairs that do not meet.
    pub closest_time: Option<f64>,
    /// From the first part to the second at the contact, unit length.
    pub normal: Option<[f64; 3]>,
}

/// A finding of the baseline that is no more.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Resolved {
    /// Its id.
    pub id: String,
    /// What it was.
    pub verdict: Verdict,
    /// The ids of the parts.
    pub parts: [String; 2],
}

/// A file that could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Skipped {
    /// The file as it was named.
    pub file: String,
    /// Why.
    pub error: String,
}

/// What a rule asks of one pair of parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairRule<'r> {
    /// Its name in the rules file, or "default".
    pub name: &'r str,
    /// Closer than this is too close; zero asks for collisions only.
    pub clearance: f64,
    /// Overlaps proved shallower than this are touching within tolerance; zero for none.
    pub tolerance: f64,
}
