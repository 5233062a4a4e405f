//! The scene file as it is written, before anything in it is checked.

use super::number::{Number, Vector, to_vector};
use crate::LengthUnit;
use clearance::math::{Screw, ScrewError};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{borrow::Cow, fmt};

/// The JSON schema of scene files, pretty-printed with a final newline.
pub fn schema() -> String {
    let mut text = serde_json::to_string_pretty(&schemars::schema_for!(SceneFile)).unwrap_or_default();
    text.push('\n');
    text
}

/// A scene: parts with shapes and poses.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, remote = "Self")]
#[schemars(title = "clearance scene")]
pub struct SceneFile {
    /// The address of this schema; for editors, not read.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The unit of every length in this file, and of mesh files that do not state their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<UnitSymbol>,
    /// The bodies; their names must differ.
    pub parts: Vec<PartFile>,
    /// Pairs of names that are not checked against each other; the name of a group stands for all its parts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<[String; 2]>,
}

/// One body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct PartFile {
    /// Its name; not empty, not that of another part or group.
    pub name: String,
    /// What it looks like, in its own frame.
    pub shape: ShapeFile,
    /// From its own frame to the scene; the identity if left out. With a motion: the pose at its start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pose: Option<PoseFile>,
    /// How it moves; at rest if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<MotionFile>,
    /// The group it belongs to, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

/// A shape: exactly one of mesh, points, triangles, indexed or a primitive, with options beside it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, remote = "Self")]
#[schemars(transform = exactly_one_shape)]
pub struct ShapeFile {
    /// A mesh file (STL, OBJ, PLY, OFF, glTF, GLB, 3MF), relative to the scene's folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mesh: Option<String>,
    /// The convex hull of these points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Vec<Vector>>,
    /// Triangles, each by its three corners, counter-clockwise seen from outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub triangles: Option<Vec<[Vector; 3]>>,
    /// Triangles by indices into a list of positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub indexed: Option<IndexedTriangles>,
    /// A box by its full edge lengths, centred at the origin.
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    pub cuboid: Option<Vector>,
    /// A ball around the origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sphere: Option<SphereDimensions>,
    /// An ellipsoid around the origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ellipsoid: Option<EllipsoidDimensions>,
    /// A capsule along z, centred at the origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capsule: Option<CapsuleDimensions>,
    /// A cylinder along z, centred at the origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cylinder: Option<RoundDimensions>,
    /// A cone along z, centred at the origin at half its height, with its tip up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cone: Option<RoundDimensions>,
    /// All points x with normal . x <= offset.
    #[serde(rename = "half-space", default, skip_serializing_if = "Option::is_none")]
    pub half_space: Option<PlaneDimensions>,
    /// All points x with normal . x = offset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plane: Option<PlaneDimensions>,
    /// A triangle by its corners.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub triangle: Option<[Vector; 3]>,
    /// A segment by its ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub segment: Option<[Vector; 2]>,
    /// A point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Vector>,
    /// What triangles stand for; found out if left out: a solid if closed and consistently oriented, else a surface.
    #[serde(rename = "as", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ShapeKind>,
    /// Everything within this distance of the shape belongs to it, too; for convex shapes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounding: Option<Number>,
    /// The unit of the mesh file's lengths, in place of what the file or the scene says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<UnitSymbol>,
}

/// The fields of [`ShapeFile`] of which exactly one is given.
pub(super) const SHAPE_FIELDS: [&str; 15] = [
    "mesh",
    "points",
    "triangles",
    "indexed",
    "box",
    "sphere",
    "ellipsoid",
    "capsule",
    "cylinder",
    "cone",
    "half-space",
    "plane",
    "triangle",
    "segment",
    "point",
];

fn exactly_one_shape(schema: &mut Schema) {
    let choices: Vec<_> =
        SHAPE_FIELDS.iter().map(|field| serde_json::json!({ "required": [field] })).collect();
    schema.insert("oneOf".into(), choices.into());
}

/// What the triangles of a mesh stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ShapeKind {
    /// The convex hull of all corners.
    Convex,
    /// What the closed triangles enclose.
    Solid,
    /// The triangles themselves.
    Surface,
}

/// Triangles by indices into a list of positions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct IndexedTriangles {
    /// Corner positions.
    pub positions: Vec<Vector>,
    /// Three indices each, from 0, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// A ball.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct SphereDimensions {
    /// Its radius.
    pub radius: Number,
}

/// An ellipsoid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct EllipsoidDimensions {
    /// Half its extents along x, y and z.
    pub semi_axes: Vector,
}

/// A capsule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct CapsuleDimensions {
    /// Radius of the caps and the tube.
    pub radius: Number,
    /// Length of its core segment, without the caps.
    pub length: Number,
}

/// A cylinder or a cone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct RoundDimensions {
    /// Radius of its base.
    pub radius: Number,
    /// Its full height.
    pub height: Number,
}

/// A plane or a half-space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct PlaneDimensions {
    /// Its normal; any length but zero.
    pub normal: Vector,
    /// normal . x on the plane.
    pub offset: Number,
}

/// A turn about an axis with a shift along it, both at constant speed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct ScrewFile {
    /// Along the axis; any length but zero.
    pub axis: Vector,
    /// A point of the axis.
    pub center: Vector,
    /// The whole turn, in radians, by the right-hand rule; any number of turns.
    #[serde(default)]
    pub angle: Number,
    /// The whole way along the axis.
    #[serde(default)]
    pub shift: Number,
}

impl ScrewFile {
    /// The screw of these numbers.
    ///
    /// # Errors
    /// A number that is too large, an axis without a direction.
    pub fn build(&self) -> Result<Screw, ScrewError> {
        Screw::new(to_vector(self.axis), to_vector(self.center), self.angle.0, self.shift.0)
    }
}

/// A motion: exactly one of translate, to, screw, and velocity with spin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct MotionFile {
    /// The displacement from t0 to t1, at constant velocity, without turning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translate: Option<Vector>,
    /// The pose at t1, reached along the screw that leads there, by the shorter turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<PoseFile>,
    /// A turn about an axis of the scene with a shift along it, from t0 to t1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screw: Option<ScrewFile>,
    /// Free flight, for `clearance simulate`: the velocity of the middle of its box, in lengths per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Vector>,
    /// Free flight: the axis it turns around through the middle of its box, times radians per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spin: Option<Vector>,
    /// When it starts; 0 if left out. Not for free flight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub t0: Option<Number>,
    /// When it ends; 1 if left out. Not for free flight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub t1: Option<Number>,
}

/// Reads a struct from an object only: by itself serde also takes an array of its fields in order, which
/// nobody writes on purpose.
macro_rules! only_from_object {
    ($($name:ident: $what:literal),* $(,)?) => {$(
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                struct Object;

                impl<'de> de::Visitor<'de> for Object {
                    type Value = $name;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str(concat!($what, ": an object in braces"))
                    }

                    fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<$name, A::Error> {
                        $name::deserialize(de::value::MapAccessDeserializer::new(map))
                    }
                }

                deserializer.deserialize_map(Object)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $name::serialize(self, serializer)
            }
        }
    )*};
}
pub(super) use only_from_object;

only_from_object!(
    SceneFile: "a scene",
    PartFile: "a part",
    ShapeFile: "a shape",
    IndexedTriangles: "indexed triangles",
    SphereDimensions: "a sphere",
    EllipsoidDimensions: "an ellipsoid",
    CapsuleDimensions: "a capsule",
    RoundDimensions: "a cylinder or a cone",
    PlaneDimensions: "a plane",
    ScrewFile: "a screw",
    MotionFile: "a motion",
);

/// A pose: 12 numbers, row-major 3x4, or a translation and a quaternion.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum PoseFile {
    /// Three rows of rotation and translation.
    Rows([Number; 12]),
    /// By its parts; what is left out does nothing.
    Parts {
        /// The translation.
        translation: Option<Vector>,
        /// The rotation as x, y, z, w; any length but zero.
        #[serde(skip_serializing_if = "Option::is_none")]
        quaternion_xyzw: Option<[Number; 4]>,
    },
}

/// The second form of [`PoseFile`], read on its own so that a wrong field is named.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PoseParts {
    /// Where the part's origin goes.
    #[serde(default)]
    translation: Option<Vector>,
    /// The rotation as x, y, z, w; any length but zero.
    #[serde(default)]
    quaternion_xyzw: Option<[Number; 4]>,
}

impl<'de> Deserialize<'de> for PoseFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PoseFile, D::Error> {
        deserializer.deserialize_any(PoseVisitor)
    }
}

struct PoseVisitor;

impl<'de> de::Visitor<'de> for PoseVisitor {
    type Value = PoseFile;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a pose: 12 numbers (row-major 3x4) or {\"translation\": [x, y, z], \"quaternion_xyzw\": [x, y, z, w]}")
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut sequence: A) -> Result<PoseFile, A::Error> {
        let mut rows = [Number(0.0); 12];
        for (i, entry) in rows.iter_mut().enumerate() {
            *entry = sequence.next_element()?.ok_or_else(|| de::Error::invalid_length(i, &self))?;
        }
        match sequence.next_element::<de::IgnoredAny>()? {
            None => Ok(PoseFile::Rows(rows)),
            Some(_) => Err(de::Error::invalid_length(13, &self)),
        }
    }

    fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<PoseFile, A::Error> {
        let parts = PoseParts::deserialize(de::value::MapAccessDeserializer::new(map))?;
        Ok(PoseFile::Parts { translation: parts.translation, quaternion_xyzw: parts.quaternion_xyzw })
    }
}

impl JsonSchema for PoseFile {
    fn schema_name() -> Cow<'static, str> {
        "Pose".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let number = generator.subschema_for::<Number>();
        let parts = generator.subschema_for::<PoseParts>();
        json_schema!({
            "description": "A pose: 12 numbers, row-major 3x4, or a translation and a quaternion.",
            "anyOf": [{ "type": "array", "items": number, "minItems": 12, "maxItems": 12 }, parts]
        })
    }
}

/// A unit of length by its symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitSymbol(pub LengthUnit);

impl Serialize for UnitSymbol {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.symbol())
    }
}

impl<'de> Deserialize<'de> for UnitSymbol {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<UnitSymbol, D::Error> {
        deserializer.deserialize_str(UnitVisitor)
    }
}

struct UnitVisitor;

impl de::Visitor<'_> for UnitVisitor {
    type Value = UnitSymbol;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a unit of length: {}", unit_symbols().join(", "))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<UnitSymbol, E> {
        LengthUnit::from_symbol(text).map(UnitSymbol).ok_or_else(|| {
            E::custom(format_args!("unknown unit \"{text}\": use one of {}", unit_symbols().join(", ")))
        })
    }
}

impl JsonSchema for UnitSymbol {
    fn schema_name() -> Cow<'static, str> {
        "Unit".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": "A unit of length.", "type": "string", "enum": unit_symbols() })
    }
}

fn unit_symbols() -> [&'static str; 6] {
    LengthUnit::ALL.map(LengthUnit::symbol)
}
