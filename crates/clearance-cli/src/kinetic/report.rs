//! Events and the summary, in words and as lines of JSON.

use crate::output::{self, Column, count, faint, short, strong};
use clearance::kinetic::{Bracket, Contact, Event, EventKind, Features, Proof, Statistics, Which};
use clearance_io::scene::{Number, PlanarBody};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// One line of `simulate --kinetic --json`. Numbers read back to the same bits.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "a line of clearance simulate --kinetic --json")]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum KineticLine {
    /// Two bodies began to meet. Told once until they are disjoint again.
    Collision {
        /// They are disjoint at the lower time and meet at or before the upper one. Equal: they met when first compared.
        time: TimeFile,
        /// The body that comes first in the file.
        a: String,
        /// The other.
        b: String,
        /// What met; null where they met when first compared.
        features: Option<FeaturesFile>,
        /// "proved", or "unresolved" for bodies that graze each other in uniform rotation.
        proof: &'static str,
    },
    /// Two bodies that met are disjoint again.
    Separation {
        /// They meet at the lower time and are disjoint at the upper one.
        time: TimeFile,
        /// The body that comes first in the file.
        a: String,
        /// The other.
        b: String,
    },
    /// A proof expired and was replaced, or was made (with --certificates).
    Certificate {
        /// When it expired.
        time: TimeFile,
        /// The body that comes first in the file.
        a: String,
        /// The other.
        b: String,
        /// Why.
        kind: &'static str,
    },
    /// The last line.
    Summary(Summary),
}

/// The true time lies between these.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct TimeFile {
    /// Not after it.
    pub lower: Number,
    /// Not before it.
    pub upper: Number,
}

impl From<Bracket> for TimeFile {
    fn from(time: Bracket) -> TimeFile {
        TimeFile { lower: Number(time.lower), upper: Number(time.upper) }
    }
}

/// A vertex of one body on an edge of the other.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FeaturesFile {
    /// Whose edge it is.
    pub edge_of: String,
    /// Its ends: numbers of points in the file, from 0. Equal where a single point is all of the edge.
    pub edge: [usize; 2],
    /// Whose vertex it is.
    pub vertex_of: String,
    /// Its number in the file, from 0.
    pub vertex: usize,
    /// Where the vertex is, rounded.
    pub point: [Number; 2],
}

/// What a run was and what it came to.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Summary {
    /// The scene as it was named.
    pub scene: String,
    /// How pairs were certified.
    pub method: String,
    /// With which envelopes, if the method has a choice.
    pub hierarchy: String,
    /// The time up to which everything is known, from 0 on.
    pub until: f64,
    /// Whether Ctrl-C ended the run before.
    pub interrupted: bool,
    /// All bodies.
    pub bodies: usize,
    /// All pairs.
    pub pairs: usize,
    /// Collisions that began.
    pub collisions: u64,
    /// Collisions that ended.
    pub separations: u64,
    /// Pairs that meet at the end.
    pub meeting: usize,
    /// Proofs of separation that expired, with those by collisions.
    pub certificate_failures: u64,
    /// Events by kind; those that did not happen are left out.
    pub events: BTreeMap<&'static str, u64>,
    /// Proofs made from the whole polygons, not from the one before.
    pub rebuilds: u64,
    /// Levels, features and sides that updates went over.
    pub update_steps: u64,
    /// The largest number of them in one update.
    pub worst_update: u64,
    /// Signs that updates asked for.
    pub signs: u64,
    /// Those that floats did not decide.
    pub exact_signs: u64,
    /// Functions of time whose first failure was looked for.
    pub functions: u64,
    /// The deepest level of a hierarchy in use.
    pub depth: u32,
    /// The files that were written.
    pub written: Vec<String>,
}

impl Summary {
    /// Fills in what was counted.
    pub fn count(&mut self, counted: &Statistics) {
        self.collisions = counted.count(EventKind::Collision);
        self.separations = counted.count(EventKind::Separation);
        self.certificate_failures = counted.certificate_failures();
        let happened = EventKind::ALL.into_iter().map(|kind| (kind_name(kind), counted.count(kind)));
        self.events = happened.filter(|(_, number)| *number > 0).collect();
        (self.rebuilds, self.functions, self.depth) = (counted.rebuilds, counted.functions, counted.depth);
        (self.update_steps, self.worst_update) = (counted.update_steps, counted.worst_update);
        (self.signs, self.exact_signs) = (counted.signs, counted.exact_signs);
    }
}

fn kind_name(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Stab => "stab",
        EventKind::Push => "push",
        EventKind::Roll => "roll",
        EventKind::Feature => "feature",
        EventKind::Outer => "outer",
        EventKind::Inner => "inner",
        EventKind::Collision => "collision",
        EventKind::Separation => "separation",
        EventKind::Contact => "contact",
        EventKind::Renewal => "renewal",
        EventKind::Break => "break",
        EventKind::Change => "change",
    }
}

/// An event as a line of JSON.
pub fn line_of(event: &Event<Contact>, bodies: &[PlanarBody]) -> KineticLine {
    let [a, b] = event.bodies().map(|id| bodies[id.number() as usize].name.clone());
    let time = TimeFile::from(event.time());
    match event {
        Event::Collision { contact, .. } => KineticLine::Collision {
            time,
            a,
            b,
            features: contact.features.map(|features| features_of(event, &features, bodies)),
            proof: match contact.proof {
                Proof::Proved => "proved",
                Proof::Unresolved => "unresolved",
            },
        },
        Event::Separation { .. } => KineticLine::Separation { time, a, b },
        Event::Certificate { kind, .. } => KineticLine::Certificate { time, a, b, kind: kind_name(*kind) },
    }
}

fn features_of(event: &Event<Contact>, features: &Features, bodies: &[PlanarBody]) -> FeaturesFile {
    let [a, b] = event.bodies().map(|id| &bodies[id.number() as usize]);
    let (owner, other) = if features.edge_of == Which::A { (a, b) } else { (b, a) };
    let corner = other.body.polygon().vertices()[features.vertex];
    let point = other.body.plan().position_near(corner, event.time().upper);
    FeaturesFile {
        edge_of: owner.name.clone(),
        edge: edge_ends(owner.body.polygon().vertices().len(), features.edge).map(|v| owner.point_of(v)),
        vertex_of: other.name.clone(),
        vertex: other.point_of(features.vertex),
        point: point.to_array().map(Number),
    }
}

/// The vertices at the ends of an edge of a hull of so many vertices. Points have four caps, segments a cap after each edge.
fn edge_ends(vertices: usize, edge: usize) -> [usize; 2] {
    match vertices {
        1 => [0, 0],
        2 => [[0, 1], [1, 1], [1, 0], [0, 0]][edge % 4],
        _ => [edge, (edge + 1) % vertices],
    }
}

/// An event in words.
pub fn words(event: &Event<Contact>, bodies: &[PlanarBody]) -> String {
    let Bracket { lower, upper } = event.time();
    let [a, b] = event.bodies().map(|id| bodies[id.number() as usize].name.as_str());
    let start = format!("t = {}  {a}, {b}  ", moment(upper));
    let within = if lower < upper { format!(" within {}", width(upper - lower)) } else { String::new() };
    match event {
        Event::Collision { contact, .. } => {
            let details = match contact.features {
                None => ", met when first compared".to_owned(),
                Some(features) => said(&features_of(event, &features, bodies)),
            };
            let doubt = match contact.proof {
                Proof::Proved => "",
                Proof::Unresolved => " (they graze: not decided)",
            };
            format!("{start}{}{within}{details}{doubt}\n", strong("collision"))
        }
        Event::Separation { .. } => format!("{start}separation{within}\n"),
        Event::Certificate { kind, .. } => {
            faint(format_args!("{start}certificate{within}: {}", kind_name(*kind))) + "\n"
        }
    }
}

fn said(features: &FeaturesFile) -> String {
    let FeaturesFile { edge_of, edge: [from, to], vertex_of, vertex, point: [x, y] } = features;
    let edge = if from == to { format!("point {from}") } else { format!("edge {from}-{to}") };
    // What rounding leaves of a zero beside a larger coordinate is zero for people.
    let size = 1e-12 * x.0.abs().max(y.0.abs());
    let [x, y] = [x.0, y.0].map(|x| if x.abs() < size { "0".to_owned() } else { short(x) });
    format!(": point {vertex} of {vertex_of} on {edge} of {edge_of}, at ({x}, {y})")
}

/// A time; the first floats after zero are zero for people.
fn moment(t: f64) -> String {
    if t.is_subnormal() { "0".to_owned() } else { short(t) }
}

fn width(value: f64) -> String {
    format!("{value:.0e}")
}

const COLUMNS: [Column; 8] = [
    Column::Number("bodies"),
    Column::Number("pairs"),
    Column::Number("collisions"),
    Column::Number("separations"),
    Column::Number("certificates failed"),
    Column::Number("deepest level"),
    Column::Number("steps per update"),
    Column::Number("signs"),
];

/// The summary as a table of one row, and events by kind.
pub fn summary_table(summary: &Summary) -> String {
    let whole = |value: u64| count(usize::try_from(value).unwrap_or(usize::MAX));
    let updates = summary.certificate_failures.max(1) as f64;
    let row = vec![
        count(summary.bodies),
        count(summary.pairs),
        whole(summary.collisions),
        whole(summary.separations),
        whole(summary.certificate_failures),
        summary.depth.to_string(),
        format!("{:.1}, at most {}", summary.update_steps as f64 / updates, whole(summary.worst_update)),
        format!("{}, {} exact", whole(summary.signs), whole(summary.exact_signs)),
    ];
    let kinds: Vec<String> =
        summary.events.iter().map(|(kind, number)| format!("{kind} {}", whole(*number))).collect();
    let kinds = if kinds.is_empty() { "none".to_owned() } else { kinds.join(", ") };
    output::table(&COLUMNS, [row]) + &faint(format_args!("events: {kinds}")) + "\n"
}
