//! Events and the summary, in words and as lines of JSON.

use super::{Environment, Tally};
use crate::{
    answer::{BracketFile, name_of, vector},
    args::RelationName,
    output::{self, Column, count, faint, short, strong, with_unit},
};
use clearance::world::{Change, Contact, Ending, Event, Separation};
use clearance_io::{LengthUnit, scene::Number};
use schemars::JsonSchema;
use serde::Serialize;

/// One line of `simulate --json`. Lengths are in the unit of the summary; numbers read back to the same bits.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "a line of clearance simulate --json")]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum SimulateLine {
    /// Two bodies share a point, and did not in the frame before.
    Began {
        /// From 0.
        frame: usize,
        /// The body that comes first in the file.
        a: String,
        /// The other.
        b: String,
        /// How they lie to each other.
        relation: RelationName,
        /// If undecided: they are disjoint by less than this, touch, or overlap by less than this. Else null.
        width: Option<Number>,
        /// How far to move one of them until they do not overlap; null if they do not, or if it is not known.
        depth: Option<BracketFile>,
        /// A point of A, rounded: common with B, or deepest in B.
        point_a: Option<[Number; 3]>,
        /// A point of B, rounded: common with A, or deepest in A.
        point_b: Option<[Number; 3]>,
        /// Unit normal from A to B; for convex bodies.
        normal: Option<[Number; 3]>,
        /// The closest points in the frame before; null in the first frame.
        before: Option<ApartFile>,
    },
    /// Two bodies share no point any more.
    Ended {
        /// From 0.
        frame: usize,
        /// The body that comes first in the file.
        a: String,
        /// The other.
        b: String,
    },
    /// The last line.
    Summary(Summary),
}

/// How far apart two bodies were.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ApartFile {
    /// Never above the distance.
    pub lower: Number,
    /// Never below the distance.
    pub upper: Number,
    /// A point of A, rounded.
    pub point_a: Option<[Number; 3]>,
    /// A point of B, rounded.
    pub point_b: Option<[Number; 3]>,
}

/// What a run was and what it came to.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Summary {
    /// The scene as it was named.
    pub scene: String,
    /// Unit of all lengths; null if nobody stated it.
    pub unit: Option<&'static str>,
    /// Of the random numbers.
    pub seed: u64,
    /// What was chosen for the user, one sentence each.
    pub notes: Vec<String>,
    /// Edge lengths of the closed box.
    pub extents: [f64; 3],
    /// All bodies.
    pub bodies: usize,
    /// Those that move.
    pub moving: usize,
    /// Frames that were done.
    pub frames: usize,
    /// Whether Ctrl-C ended the run before all frames were done.
    pub interrupted: bool,
    /// Pairs whose boxes met and that were tested, in the mean.
    pub pairs_per_frame: f64,
    /// Collisions that began.
    pub began: usize,
    /// Collisions that ended.
    pub ended: usize,
    /// Pairs that collide in the last frame.
    pub colliding: usize,
    /// Time to move all bodies and find all events, in the mean.
    pub milliseconds_per_frame: f64,
    /// Memory of the world beside the shapes, in bytes.
    pub memory: usize,
    /// Pairs of bodies that came near each other and that cannot be related.
    pub undecided_pairs: Vec<[String; 2]>,
    /// The files that were written.
    pub written: Vec<String>,
}

impl Summary {
    /// Fills in what the run came to.
    pub fn count(&mut self, environment: &Environment, tally: &Tally) {
        let name = |body: usize| environment.flyers[body].name.clone();
        self.extents = environment.walls.extent().to_array();
        self.bodies = environment.flyers.len();
        self.moving = environment.flyers.iter().filter(|flyer| flyer.moves()).count();
        self.frames = tally.frames();
        self.pairs_per_frame = tally.pairs_per_frame();
        (self.began, self.ended, self.colliding) = (tally.began, tally.ended, tally.colliding.len());
        self.milliseconds_per_frame = tally.milliseconds_per_frame();
        self.memory = environment.world.memory().total();
        self.undecided_pairs = tally.refused.keys().map(|pair| pair.map(name)).collect();
    }
}

/// The events of a frame as lines of JSON.
pub fn json_lines(events: &[Event], frame: usize, environment: &Environment) -> String {
    let names = |event: &Event| [event.a, event.b].map(|body| environment.flyer(body).name.clone());
    let line = |event: &Event| {
        let [a, b] = names(event);
        let line = match &event.change {
            Change::Began(contact) => began(contact, frame, a, b),
            Change::Ended(_) => SimulateLine::Ended { frame, a, b },
            Change::Persists(_) | Change::Approached | Change::Receded(_) => return None,
        };
        Some(serde_json::to_string(&line).unwrap_or_default() + "\n")
    };
    events.iter().filter_map(line).collect()
}

fn began(contact: &Contact, frame: usize, a: String, b: String) -> SimulateLine {
    let (relation, width) = name_of(contact.relation);
    let point = |i: usize| contact.points.map(|points| vector(points[i]));
    let apart = |Separation { lower, upper, points }: &Separation| ApartFile {
        lower: Number(*lower),
        upper: Number(*upper),
        point_a: points.map(|points| vector(points[0])),
        point_b: points.map(|points| vector(points[1])),
    };
    SimulateLine::Began {
        frame,
        a,
        b,
        relation,
        width: width.map(Number),
        depth: contact.depth.map(BracketFile::from),
        point_a: point(0),
        point_b: point(1),
        normal: contact.normal.map(vector),
        before: contact.before.as_ref().map(apart),
    }
}

/// The events of a frame in words, one line each; frames are set flush right in `width` digits.
pub fn event_lines(
    events: &[Event],
    frame: usize,
    width: usize,
    environment: &Environment,
    unit: Option<LengthUnit>,
) -> String {
    let line = |event: &Event| {
        let [a, b] = [event.a, event.b].map(|body| environment.flyer(body).name.as_str());
        match &event.change {
            Change::Began(contact) => Some(format!(
                "frame {frame:>width$}  {a}, {b}  {} {}\n",
                strong("began"),
                details(contact, unit)
            )),
            Change::Ended(ending) => {
                let why = if *ending == Ending::Apart { "ended" } else { "ended: no longer looked at" };
                Some(faint(format_args!("frame {frame:>width$}  {a}, {b}  {why}")) + "\n")
            }
            Change::Persists(_) | Change::Approached | Change::Receded(_) => None,
        }
    };
    events.iter().filter_map(line).collect()
}

fn details(contact: &Contact, unit: Option<LengthUnit>) -> String {
    let length = |value: f64| with_unit(&short(value), unit);
    let mut text = match (name_of(contact.relation), contact.depth) {
        ((RelationName::Undecided, Some(width)), _) => format!("touching within {}", length(width)),
        ((RelationName::Touching, _), _) => "touching".into(),
        (_, Some(depth)) => format!("overlapping, {} deep", length(depth.upper)),
        (_, None) => "overlapping".into(),
    };
    if let Some(before) = contact.before {
        text += &format!(", {} apart the frame before", length(before.upper));
    }
    text
}

const COLUMNS: [Column; 8] = [
    Column::Number("frames"),
    Column::Number("bodies"),
    Column::Number("pairs per frame"),
    Column::Number("began"),
    Column::Number("ended"),
    Column::Number("colliding"),
    Column::Number("ms per frame"),
    Column::Number("memory"),
];

/// The summary as a table of one row.
pub fn summary_table(summary: &Summary) -> String {
    let row = vec![
        count(summary.frames),
        count(summary.bodies),
        format!("{:.1}", summary.pairs_per_frame),
        count(summary.began),
        count(summary.ended),
        count(summary.colliding),
        format!("{:.3}", summary.milliseconds_per_frame),
        bytes(summary.memory),
    ];
    output::table(&COLUMNS, [row])
}

fn bytes(value: usize) -> String {
    let size = value as f64;
    match value {
        0..1_000_000 => format!("{:.0} kB", size / 1e3),
        _ => format!("{:.1} MB", size / 1e6),
    }
}
