//! The answer for one pair, as JSON says it.

use crate::{args::RelationName, proof::WitnessFile};
use clearance::{
    Pose,
    body::{self, Body, BodyAnswer},
    glam::DVec3,
    mesh::{Contact, TreeMesh, contacts},
    pair::{self, Convex, ConvexRelation, Relation},
    shape::{MeshKind, Shape},
    witness::Side,
};
use clearance_io::{
    LengthUnit,
    scene::{CaseBody, CaseId, Number, PoseFile, ShapeFile, UnitSymbol},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The answer for one pair. Lengths are in the unit of the bodies; numbers read back to the same bits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "a line of clearance relate --batch")]
pub struct PairAnswer {
    /// That of the case.
    #[serde(default)]
    pub id: CaseId,
    /// Unit of all lengths: that of --unit, else that which the mesh files of the case state; null if nobody stated one.
    #[serde(default)]
    pub unit: Option<UnitSymbol>,
    /// What a mesh stands for; null for other bodies.
    #[serde(default)]
    pub kind_a: Option<KindName>,
    /// What a mesh stands for; null for other bodies.
    #[serde(default)]
    pub kind_b: Option<KindName>,
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
    /// How far to move one of them until they do not overlap; null if they do not overlap, if one of them is a mesh that is a
    /// surface, or if no translation does it.
    #[serde(default)]
    pub depth: Option<BracketFile>,
    /// The body that lies inside the other without touching it, of solids of which one does; else left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enclosed: Option<SideName>,
    /// With --contacts: all pairs of triangles that meet; null if a body has none (points, segments, and what is rounded, curved or
    /// unbounded). Else left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contacts: Option<Option<Vec<ContactFile>>>,
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

/// What a mesh stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum KindName {
    /// What its triangles enclose.
    Solid,
    /// Its triangles alone.
    Surface,
}

impl KindName {
    /// Of meshes, also of those that are convex.
    pub fn of(shape: &Shape) -> Option<KindName> {
        match shape {
            Shape::Mesh(mesh) if mesh.kind() == MeshKind::Solid => Some(KindName::Solid),
            Shape::Mesh(_) => Some(KindName::Surface),
            _ => None,
        }
    }

    /// As JSON writes it.
    pub fn name(self) -> &'static str {
        match self {
            KindName::Solid => "solid",
            KindName::Surface => "surface",
        }
    }
}

/// One of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SideName {
    /// Body A.
    A,
    /// Body B.
    B,
}

/// Two triangles that meet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContactFile {
    /// The triangle of A and that of B, counted from 0 in the order of their files.
    pub triangles: [u32; 2],
    /// Whether they touch or cross; exact.
    pub relation: RelationName,
    /// Their common points, rounded: one, the ends of a segment, or the corners of a convex polygon in order.
    pub points: Vec<[Number; 3]>,
}

impl ContactFile {
    pub fn new(contact: &Contact) -> ContactFile {
        ContactFile {
            triangles: contact.triangles,
            relation: name_of(ConvexRelation::Exact(contact.intersection.relation())).0,
            points: contact.intersection.corners().iter().map(|corner| vector(corner.position)).collect(),
        }
    }
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
    pub answer: BodyAnswer,
    pub a: Body,
    pub b: Body,
}

/// Two bodies as the library sees them; the error says which one is not taken.
pub fn bodies(a: &CaseBody, b: &CaseBody) -> Result<[Body; 2], String> {
    let body = |body: &CaseBody, name: &str| {
        Body::try_from(&body.shape).map_err(|error| format!("body {name}: {error}"))
    };
    Ok([body(a, "a")?, body(b, "b")?])
}

/// Relates two bodies; the error says which one is not taken.
pub fn relate(a: &CaseBody, b: &CaseBody) -> Result<Related, String> {
    let [body_a, body_b] = bodies(a, b)?;
    let answer = body::relate(&body_a, &a.pose, &body_b, &b.pose).map_err(|error| error.to_string())?;
    Ok(Related { answer, a: body_a, b: body_b })
}

impl Related {
    /// Whether both are polytopes and nothing else: then there is a witness.
    pub fn has_witness(&self) -> bool {
        [&self.a, &self.b].iter().all(|body| body.as_convex().is_some_and(|convex| convex.is_polytope()))
    }

    /// All pairs of triangles that meet; `None` unless both bodies have a surface of triangles.
    pub fn contacts(&self, a: &CaseBody, b: &CaseBody) -> Option<Vec<Contact>> {
        let (mesh_a, mesh_b) = (surface(&a.shape)?, surface(&b.shape)?);
        Some(contacts(&mesh_a, &a.pose, &mesh_b, &b.pose))
    }
}

/// Whether a body has a surface of triangles: not points, segments, and what is rounded, curved or unbounded.
pub fn has_triangles(shape: &Shape) -> bool {
    surface(shape).is_some()
}

/// The triangles of a mesh or polytope; boxes and triangles are polytopes here.
fn surface(shape: &Shape) -> Option<TreeMesh> {
    match shape {
        Shape::Mesh(mesh) => Some(TreeMesh::new(mesh.clone())),
        other => {
            let convex = Convex::try_from(other).ok().filter(Convex::is_polytope)?;
            TreeMesh::from_polytope(convex.core()?.polytope()).ok()
        }
    }
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
    pub fn new(id: CaseId, answer: &BodyAnswer) -> PairAnswer {
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
            enclosed: answer.enclosed.map(|side| match side {
                Side::A => SideName::A,
                Side::B => SideName::B,
            }),
            ..PairAnswer::default()
        }
    }

    /// The same with what is said of the bodies themselves.
    pub fn about(self, bodies: [&CaseBody; 2], unit: Option<LengthUnit>) -> PairAnswer {
        let [kind_a, kind_b] = bodies.map(|body| KindName::of(&body.shape));
        PairAnswer { unit: unit.map(UnitSymbol), kind_a, kind_b, ..self }
    }

    pub fn failed(id: CaseId, error: String) -> PairAnswer {
        PairAnswer { id, error: Some(error), ..PairAnswer::default() }
    }
}

impl ProofFile {
    pub fn new(related: &Related, a: &CaseBody, b: &CaseBody) -> ProofFile {
        ProofFile {
            a: Some(body_file(&related.a, &a.shape)),
            b: Some(body_file(&related.b, &b.shape)),
            pose_a: Some(rows(&a.pose)),
            pose_b: Some(rows(&b.pose)),
            witness: related.answer.witness.as_ref().map(WitnessFile::from),
        }
    }
}

/// The body as a file writes it, the vertices of a polytope in the order in which witnesses count them.
fn body_file(body: &Body, shape: &Shape) -> ShapeFile {
    match body.as_convex().filter(|convex| convex.is_polytope()).and_then(Convex::core) {
        Some(core) => ShapeFile::of_points(core.polytope().vertices()),
        None => ShapeFile::of_shape(shape),
    }
}

fn rows(pose: &Pose) -> PoseFile {
    PoseFile::Rows(pose.to_rows().map(Number))
}

/// A vector as files write it.
pub fn vector(v: DVec3) -> [Number; 3] {
    v.to_array().map(Number)
}
