//! The answer for one pair, as JSON says it.

use crate::{args::RelationName, proof::WitnessFile};
use clearance::{
    Pose,
    glam::DVec3,
    pair::{self, Convex, ConvexAnswer, ConvexRelation, Relation},
    shape::Shape,
};
use clearance_io::scene::{CaseBody, Number, PoseFile, ShapeFile};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The answer for one pair. Lengths are in the unit of the bodies; numbers read back to the same bits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PairAnswer {
    /// That of the case.
    #[serde(default)]
    pub id: Value,
    /// How the bodies lie to each other; null if there is an error.
    pub relation: Option<RelationName>,
    /// If undecided: they are disjoint by less than this, touch, or overlap by less than this. Else null.
    #[serde(default)]
    pub width: Option<Number>,
    /// How far apart they are: lower <= truth <= upper, both proved; zeros if they touch or overlap.
    pub distance: Option<BracketFile>,
    /// A point of A, rounded: nearest to B, common with B, or deepest in B.
    #[serde(default)]
    pub point_a: Option<[Number; 3]>,
    /// A point of B, rounded: nearest to A, common with A, or deepest in A.
    #[serde(default)]
    pub point_b: Option<[Number; 3]>,
    /// How far to move one of them until they do not overlap; null if they do not, or if no translation does it.
    #[serde(default)]
    pub depth: Option<BracketFile>,
    /// Why there is no answer; null if there is one.
    #[serde(default)]
    pub error: Option<String>,
    /// With --proof: the bodies that the witness speaks about, and the witness.
    #[serde(flatten)]
    pub proof: ProofFile,
}

/// What --proof adds: with it, a line of answers is checked without anything else.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProofFile {
    /// Body A, without names of files; a polytope by its points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub a: Option<ShapeFile>,
    /// Body B, without names of files; a polytope by its points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub b: Option<ShapeFile>,
    /// Where A is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pose_a: Option<PoseFile>,
    /// Where B is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pose_b: Option<PoseFile>,
    /// The proof of the relation of two polytopes; null for other bodies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<WitnessFile>,
}

/// Numbers around the truth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BracketFile {
    /// Never above the truth.
    pub lower: Number,
    /// Never below the truth.
    pub upper: Number,
}

impl From<pair::Bracket> for BracketFile {
    fn from(bracket: pair::Bracket) -> BracketFile {
        BracketFile { lower: Number(bracket.lower), upper: Number(bracket.upper) }
    }
}

/// What was found for a pair: the answer and the bodies as the library saw them.
pub struct Related {
    pub answer: ConvexAnswer,
    pub a: Convex,
    pub b: Convex,
}

/// Relates two bodies; the error says which one is not taken.
pub fn relate(a: &CaseBody, b: &CaseBody) -> Result<Related, String> {
    let convex = |body: &CaseBody, name: &str| {
        Convex::try_from(&body.shape).map_err(|error| format!("body {name}: {error}"))
    };
    let (convex_a, convex_b) = (convex(a, "a")?, convex(b, "b")?);
    let answer = pair::relate(&convex_a, &a.pose, &convex_b, &b.pose).map_err(|error| error.to_string())?;
    Ok(Related { answer, a: convex_a, b: convex_b })
}

/// The relation by its name, and the width if it is not decided.
pub fn name_of(relation: ConvexRelation) -> (RelationName, Option<f64>) {
    match relation {
        ConvexRelation::Exact(Relation::Disjoint) => (RelationName::Disjoint, None),
        ConvexRelation::Exact(Relation::Touching) => (RelationName::Touching, None),
        ConvexRelation::Exact(Relation::Overlapping) => (RelationName::Overlapping, None),
        ConvexRelation::TouchingWithin { width } => (RelationName::Undecided, Some(width)),
    }
}

impl PairAnswer {
    pub fn new(id: Value, answer: &ConvexAnswer) -> PairAnswer {
        let (relation, width) = name_of(answer.relation);
        let point = |i: usize| answer.points.map(|points| vector(points[i]));
        PairAnswer {
            id,
            relation: Some(relation),
            width: width.map(Number),
            distance: Some(answer.distance.into()),
            point_a: point(0),
            point_b: point(1),
            depth: answer.depth.map(BracketFile::from),
            error: None,
            proof: ProofFile::default(),
        }
    }

    pub fn failed(id: Value, error: String) -> PairAnswer {
        PairAnswer { id, error: Some(error), ..PairAnswer::default() }
    }
}

impl ProofFile {
    pub fn new(related: &Related, a: &CaseBody, b: &CaseBody) -> ProofFile {
        ProofFile {
            a: Some(body(&related.a, &a.shape)),
            b: Some(body(&related.b, &b.shape)),
            pose_a: Some(rows(&a.pose)),
            pose_b: Some(rows(&b.pose)),
            witness: related.answer.witness.as_ref().map(WitnessFile::from),
        }
    }
}

/// The body as a file writes it, the vertices of a polytope in the order in which witnesses count them.
fn body(convex: &Convex, shape: &Shape) -> ShapeFile {
    match convex.core() {
        Some(core) if convex.is_polytope() => ShapeFile::of_points(core.polytope().vertices()),
        _ => ShapeFile::of_shape(shape),
    }
}

fn rows(pose: &Pose) -> PoseFile {
    PoseFile::Rows(pose.to_rows().map(Number))
}

fn vector(v: DVec3) -> [Number; 3] {
    v.to_array().map(Number)
}
