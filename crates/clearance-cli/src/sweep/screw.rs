//! Cases of bodies that turn while they move: from pose to pose, or on a screw.

use super::answer::{ApproachFile, ContactName, FeatureFile, feature_file};
use super::engine::Step;
use crate::{
    answer::{BracketFile, vector},
    args::SweepArguments,
};
use clearance::{
    body::Body,
    math::Screw,
    screw::{
        ContactKind, ContactsConfig, Kept, Motion, Moving, ScrewContact, ScrewOutcome, Surface, first_contact,
    },
};
use clearance_io::scene::{
    Case, CaseFile, CaseId, CaseReader, Number, PoseFile, SceneError, ScrewFile, ShapeFile,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Two bodies that move from pose to pose, or A on a screw while B rests; one line of a file of cases.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "clearance sweep case of bodies that turn")]
pub struct ScrewCase {
    /// Any JSON value; the answer repeats it.
    #[serde(default)]
    pub id: CaseId,
    /// Body A.
    pub a: ShapeFile,
    /// Body B.
    pub b: ShapeFile,
    /// Where A is at the start; the identity if left out.
    #[serde(default, alias = "pose_a")]
    pub from_a: Option<PoseFile>,
    /// Where A is at the end; where it started if left out.
    #[serde(default)]
    pub to_a: Option<PoseFile>,
    /// Where B is at the start; the identity if left out.
    #[serde(default, alias = "pose_b")]
    pub from_b: Option<PoseFile>,
    /// Where B is at the end; where it started if left out.
    #[serde(default)]
    pub to_b: Option<PoseFile>,
    /// How A moves while B rests, in place of poses at the end.
    #[serde(default)]
    pub screw_a: Option<ScrewFile>,
}

/// The answer for one pair that turns. Numbers read back to the same bits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct ScrewAnswer {
    /// That of the case.
    pub id: CaseId,
    /// What happens first; null if there is an error.
    pub contact: Option<ContactName>,
    /// No contact before lower, contact at or before upper. Undecided: no contact before lower, and one at or before upper
    /// if that is larger. Null if there is no contact.
    pub time: Option<BracketFile>,
    /// All entering contacts of polytopes and meshes, as if nothing stopped the motion, in order of time.
    pub contacts: Vec<ContactFile>,
    /// From A to B at the first contact, unit length, rounded; null if there is none.
    pub normal: Option<[Number; 3]>,
    /// Near where they first meet, rounded; null if they do not.
    pub point: Option<[Number; 3]>,
    /// In a scene: how close they come if they do not meet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closest_approach: Option<ApproachFile>,
    /// In a scene: why contacts after the first are not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Why there is no answer; null if there is one.
    pub error: Option<String>,
}

/// Two features that meet. Positions are in the frame in which A, or with `screw_a` B, stays where it starts.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ContactFile {
    /// `vertex-face`, `face-vertex` or `edge-edge`; the feature of A first.
    pub kind: &'static str,
    /// The feature of A.
    pub feature_a: FeatureFile,
    /// The feature of B.
    pub feature_b: FeatureFile,
    /// When they meet.
    pub time: BracketFile,
    /// When the contact ends, if it lasts; else left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Number>,
    /// Where, rounded.
    pub point: [Number; 3],
    /// From A to B, unit length, rounded.
    pub normal: [Number; 3],
    /// Below zero if the bodies overlap beside the contact already; rounded.
    pub properness: Number,
    /// Whether the bodies move toward each other there.
    pub entering: bool,
    /// Whether they meet for sure; if not, rounding hides whether they do.
    pub proved: bool,
}

impl ScrewCase {
    /// Whether a line speaks of poses at the end or of screws.
    pub fn is_meant(line: &Value) -> bool {
        ["from_a", "to_a", "from_b", "to_b", "screw_a"].iter().any(|key| line.get(key).is_some())
    }
}

impl ScrewAnswer {
    pub fn failed(id: CaseId, error: String) -> ScrewAnswer {
        ScrewAnswer { id, error: Some(error), ..ScrewAnswer::default() }
    }

    /// The first contact, without the list of all.
    pub fn of(id: CaseId, found: &ScrewOutcome) -> ScrewAnswer {
        let bracket =
            |lower: f64, upper: f64| Some(BracketFile { lower: Number(lower), upper: Number(upper) });
        let (contact, time) = match *found {
            ScrewOutcome::None => (ContactName::None, None),
            ScrewOutcome::TouchingAtStart => (ContactName::TouchingAtStart, None),
            ScrewOutcome::OverlappingAtStart => (ContactName::OverlappingAtStart, None),
            ScrewOutcome::Hit(impact) => (ContactName::Hit, bracket(impact.lower, impact.upper)),
            ScrewOutcome::Undecided { lower, upper } => {
                (ContactName::Undecided, bracket(lower, upper.unwrap_or(lower)))
            }
        };
        let impact = if let ScrewOutcome::Hit(impact) = found { Some(impact) } else { None };
        ScrewAnswer {
            id,
            contact: Some(contact),
            time,
            normal: impact.map(|impact| vector(impact.normal)),
            point: impact.map(|impact| vector(impact.point)),
            ..ScrewAnswer::default()
        }
    }
}

/// Answers a line; only Ctrl-C ends the batch.
pub fn answer_line(
    text: &str,
    number: usize,
    reader: &mut CaseReader<'_>,
    arguments: &SweepArguments,
) -> Result<ScrewAnswer, SceneError> {
    let file: ScrewCase = match reader.parse(text, number) {
        Ok(file) => file,
        Err(error) => return Ok(ScrewAnswer::failed(crate::lines::id_of(text), error.to_string())),
    };
    let id = file.id.clone();
    match built(file, text, number, reader) {
        Ok((case, motion)) => Ok(answer(&case, &motion, arguments)
            .unwrap_or_else(|error| ScrewAnswer::failed(id, format!("line {number}: {error}")))),
        Err(Refusal::Scene(error @ SceneError::Cancelled { .. })) => Err(error),
        Err(Refusal::Scene(error)) => Ok(ScrewAnswer::failed(id, error.to_string())),
        Err(Refusal::Motion(error)) => Ok(ScrewAnswer::failed(id, format!("line {number}: {error}"))),
    }
}

enum Refusal {
    Scene(SceneError),
    Motion(String),
}

/// One body rests, the other moves on a screw.
struct Course {
    screw: Screw,
    moving: Moving,
}

fn built(
    file: ScrewCase,
    text: &str,
    number: usize,
    reader: &mut CaseReader<'_>,
) -> Result<(Case, Course), Refusal> {
    let ScrewCase { id, a, b, from_a, to_a, from_b, to_b, screw_a } = file;
    let of_case = CaseFile { id, a, b, pose_a: from_a, pose_b: from_b };
    let case = reader.build(of_case, text, number).map_err(Refusal::Scene)?;
    let end = |pose: Option<PoseFile>, field, start| match pose {
        Some(pose) => reader.build_pose(pose, field, text, number).map_err(Refusal::Scene),
        None => Ok(start),
    };
    let course = match screw_a {
        Some(_) if to_a.is_some() || to_b.is_some() => {
            return Err(Refusal::Motion("give `screw_a`, or poses `to_a` and `to_b`, not both".into()));
        }
        Some(screw) => {
            let screw = screw.build().map_err(|error| Refusal::Motion(format!("screw_a: {error}")))?;
            Course { screw, moving: Moving::First }
        }
        None => {
            let (to_a, to_b) = (end(to_a, "to_a", case.a.pose)?, end(to_b, "to_b", case.b.pose)?);
            // The truth is this screw: see the definitions.
            let (screw, _) = Screw::of_pair(&case.a.pose, &to_a, &case.b.pose, &to_b);
            Course { screw, moving: Moving::Second }
        }
    };
    Ok((case, course))
}

fn answer(case: &Case, course: &Course, arguments: &SweepArguments) -> Result<ScrewAnswer, String> {
    let a = Body::try_from(&case.a.shape).map_err(|error| format!("body a: {error}"))?;
    let b = Body::try_from(&case.b.shape).map_err(|error| format!("body b: {error}"))?;
    let (pose_a, pose_b) = (&case.a.pose, &case.b.pose);
    let motion = Motion::Screw(course.screw);
    let (motion_a, motion_b) = match course.moving {
        Moving::First => (&motion, &Motion::AtRest),
        Moving::Second => (&Motion::AtRest, &motion),
    };
    let found =
        first_contact(&a, pose_a, motion_a, &b, pose_b, motion_b).map_err(|error| error.to_string())?;
    let surfaces = Surface::new(&a).zip(Surface::new(&b)).filter(|_| !arguments.first);
    let contacts = match &surfaces {
        None => Vec::new(),
        Some((x, y)) => {
            Step { surfaces: [x, y], poses: [pose_a, pose_b], screw: &course.screw, moving: course.moving }
                .contacts(arguments)?
        }
    };
    Ok(ScrewAnswer {
        contacts: contacts.iter().map(|contact| contact_file(contact, &a, &b)).collect(),
        ..ScrewAnswer::of(case.id.clone(), &found)
    })
}

/// Which contacts are to be told.
pub fn asked(arguments: &SweepArguments) -> ContactsConfig {
    ContactsConfig {
        min_properness: arguments.min_properness,
        kept: if arguments.all { Kept::All } else { Kept::Entering },
        ..ContactsConfig::default()
    }
}

pub fn contact_file(contact: &ScrewContact, a: &Body, b: &Body) -> ContactFile {
    ContactFile {
        kind: match contact.kind {
            ContactKind::VertexFace => "vertex-face",
            ContactKind::FaceVertex => "face-vertex",
            ContactKind::EdgeEdge => "edge-edge",
        },
        feature_a: feature_file(contact.feature_a, a),
        feature_b: feature_file(contact.feature_b, b),
        time: BracketFile { lower: Number(contact.lower), upper: Number(contact.upper) },
        until: (contact.until > contact.upper).then_some(Number(contact.until)),
        point: vector(contact.point),
        normal: vector(contact.normal),
        properness: Number(contact.properness),
        entering: contact.is_entering,
        proved: contact.is_proved,
    }
}
