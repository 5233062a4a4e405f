//! The answer for one pair in motion, as JSON says it.

use crate::answer::{BracketFile, vector};
use clearance::{
    Pose,
    body::Body,
    pair::{Bracket, Feature},
    spacetime::{
        ClosestApproach, Contact, ExactTime, FirstContact, FirstOverlap, Outcome, Touch, Translation,
        closest_approach, first_contact,
    },
};
use clearance_io::scene::{CaseId, Number};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The answer for one pair. Numbers read back to the same bits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct SweepAnswer {
    /// That of the case.
    pub id: CaseId,
    /// What happens first; null if there is an error.
    pub contact: Option<ContactName>,
    /// Floats around the time of first contact, neighbours or equal for polytopes and meshes. Undecided: no contact before
    /// lower. Null if there is no contact.
    pub time: Option<BracketFile>,
    /// The time as a quotient of integers in decimal digits; null for curved bodies.
    pub exact: Option<QuotientFile>,
    /// All pairs of features that meet then.
    pub contacts: Vec<SweepContact>,
    /// From A to B, unit length, rounded; null if there is no contact.
    pub normal: Option<[Number; 3]>,
    /// When they begin to overlap; null if they do not before the end, or if it is not known.
    pub first_overlap: Option<MomentFile>,
    /// Whether it is not known when they begin to overlap; left out if it is.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub first_overlap_undecided: bool,
    /// How close they come, and when.
    pub closest_approach: Option<ApproachFile>,
    /// Why there is no answer; null if there is one.
    pub error: Option<String>,
}

/// What happens first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ContactName {
    /// They share no point during the motion; proved.
    None,
    /// They touch at t0.
    TouchingAtStart,
    /// They overlap at t0.
    OverlappingAtStart,
    /// They meet after t0.
    Hit,
    /// Curved bodies that graze, or nearly so.
    Undecided,
}

/// A quotient of integers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuotientFile {
    /// The numerator, in decimal digits.
    pub num: String,
    /// The denominator, in decimal digits; positive.
    pub den: String,
}

/// A time.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MomentFile {
    /// Never above it.
    pub lower: Number,
    /// Never below it.
    pub upper: Number,
    /// The time itself.
    pub exact: QuotientFile,
}

/// Two features that meet.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SweepContact {
    /// The feature of A.
    pub a: FeatureFile,
    /// The feature of B.
    pub b: FeatureFile,
    /// Where, rounded.
    pub point: [Number; 3],
    /// The other end of the segment that two edges on one line share; left out otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<[Number; 3]>,
}

/// A vertex, edge or face.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FeatureFile {
    /// `vertex`, `edge` or `face`.
    pub kind: &'static str,
    /// One, two or three of its vertices, counted from 0 in the order of the input.
    pub vertices: Vec<usize>,
}

/// How close two bodies come.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ApproachFile {
    /// The smallest distance: lower <= truth <= upper, both proved.
    pub distance: BracketFile,
    /// A time at which the distance is at most upper, rounded.
    pub time: Number,
}

/// A body where it is at t0.
#[derive(Clone, Copy)]
pub struct Placed<'a> {
    pub body: &'a Body,
    pub pose: &'a Pose,
}

/// The answer for a pair.
pub fn answer(id: CaseId, a: Placed<'_>, b: Placed<'_>, motion: &Translation) -> SweepAnswer {
    let found = match first_contact(a.body, a.pose, b.body, b.pose, motion) {
        Ok(found) => found,
        Err(error) => return SweepAnswer::failed(id, error.to_string()),
    };
    let approach = met(&found, motion).map_or_else(
        || closest_approach(a.body, a.pose, b.body, b.pose, motion).ok(),
        |time| Some(ClosestApproach { distance: Bracket::ZERO, time }),
    );
    SweepAnswer {
        closest_approach: approach.map(ApproachFile::from),
        ..SweepAnswer::new(id, &found, a.body, b.body)
    }
}

/// A time at which they share a point, if they do.
fn met(found: &FirstContact, motion: &Translation) -> Option<f64> {
    match &found.outcome {
        Outcome::TouchingAtStart(_) | Outcome::OverlappingAtStart => Some(motion.t0()),
        Outcome::Hit(time, _) => Some(time.rounded()),
        Outcome::HitBetween([_, upper], _) => Some(*upper),
        Outcome::None(_) | Outcome::Undecided(_) => None,
    }
}

impl SweepAnswer {
    pub fn failed(id: CaseId, error: String) -> SweepAnswer {
        SweepAnswer { id, error: Some(error), ..SweepAnswer::default() }
    }

    /// Without the closest approach.
    pub fn new(id: CaseId, found: &FirstContact, a: &Body, b: &Body) -> SweepAnswer {
        let bracket =
            |lower: f64, upper: f64| Some(BracketFile { lower: Number(lower), upper: Number(upper) });
        let (contact, time, touch) = match &found.outcome {
            Outcome::None(_) => (ContactName::None, None, None),
            Outcome::TouchingAtStart(touch) => (ContactName::TouchingAtStart, None, Some(touch)),
            Outcome::OverlappingAtStart => (ContactName::OverlappingAtStart, None, None),
            Outcome::Hit(time, touch) => {
                let (lower, upper) = time.bracket();
                (ContactName::Hit, bracket(lower, upper), Some(touch))
            }
            Outcome::HitBetween([lower, upper], touch) => {
                (ContactName::Hit, bracket(*lower, *upper), Some(touch))
            }
            Outcome::Undecided(lower) => (ContactName::Undecided, bracket(*lower, *lower), None),
        };
        let contacts = touch.map_or(&[][..], |touch: &Touch| &touch.contacts);
        SweepAnswer {
            id,
            contact: Some(contact),
            time,
            exact: found.time().map(QuotientFile::from),
            contacts: contacts.iter().map(|contact| contact_file(contact, a, b)).collect(),
            normal: touch.map(|touch| vector(touch.normal)),
            first_overlap: match &found.first_overlap {
                FirstOverlap::From(time) => Some(MomentFile::from(time)),
                FirstOverlap::Never | FirstOverlap::Undecided => None,
            },
            first_overlap_undecided: found.first_overlap == FirstOverlap::Undecided,
            closest_approach: None,
            error: None,
        }
    }
}

impl From<&ExactTime> for QuotientFile {
    fn from(time: &ExactTime) -> QuotientFile {
        QuotientFile { num: time.numerator(), den: time.denominator() }
    }
}

impl From<&ExactTime> for MomentFile {
    fn from(time: &ExactTime) -> MomentFile {
        let (lower, upper) = time.bracket();
        MomentFile { lower: Number(lower), upper: Number(upper), exact: time.into() }
    }
}

impl From<ClosestApproach> for ApproachFile {
    fn from(approach: ClosestApproach) -> ApproachFile {
        ApproachFile { distance: approach.distance.into(), time: Number(approach.time) }
    }
}

fn contact_file(contact: &Contact, a: &Body, b: &Body) -> SweepContact {
    SweepContact {
        a: feature_file(contact.feature_a, a),
        b: feature_file(contact.feature_b, b),
        point: vector(contact.point),
        end: contact.end.map(vector),
    }
}

pub fn feature_file(feature: Feature, body: &Body) -> FeatureFile {
    let source = |&vertex: &u32| match body {
        Body::Convex(convex) => {
            convex.core().map_or(vertex as usize, |core| core.polytope().original_index(vertex as usize))
        }
        Body::Mesh(mesh) => mesh.mesh().source_vertex(vertex as usize),
        Body::Compound(_) => vertex as usize,
    };
    let kind = match feature {
        Feature::Vertex(_) => "vertex",
        Feature::Edge(_) => "edge",
        Feature::Face(_) => "face",
    };
    FeatureFile { kind, vertices: feature.vertices().iter().map(source).collect() }
}
