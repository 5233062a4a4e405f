//! Cases: two shapes with poses on one line of JSON, in the spelling of scene files.

use super::{
    CaseId, PoseFile, SceneError, SceneOptions, ShapeFile,
    error::Fault,
    file_access::FileAccess,
    format::only_from_object,
    load::{Source, parse_json, parse_line, place, pose_of},
    shape::{ShapeBuilder, UnitScope},
};
use crate::LengthUnit;
use clearance::{Pose, shape::Shape};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value};
use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Two shapes with poses; one line of a file of cases.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, remote = "Self")]
#[schemars(title = "clearance case")]
pub struct CaseFile {
    /// Any JSON value; the answer repeats it.
    #[serde(default)]
    pub id: CaseId,
    /// Body A.
    pub a: ShapeFile,
    /// Body B.
    pub b: ShapeFile,
    /// Where A is; the identity if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pose_a: Option<PoseFile>,
    /// Where B is; the identity if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pose_b: Option<PoseFile>,
}

only_from_object!(CaseFile: "a case");

/// What a line that is no object at all is told.
const FORM: &str =
    r#"a case is one line of JSON such as {"id": 1, "a": {"box": [1, 1, 1]}, "b": {"mesh": "nut.stl"}}"#;

/// A case with everything it names read and checked.
#[derive(Clone, Debug)]
pub struct Case {
    /// As given.
    pub id: CaseId,
    /// Body A and where it is.
    pub a: CaseBody,
    /// Body B and where it is.
    pub b: CaseBody,
    /// The unit of all its lengths: as the options say, else as its mesh files agree, else unknown.
    pub unit: Option<LengthUnit>,
}

/// One body of a case.
#[derive(Clone, Debug)]
pub struct CaseBody {
    /// Its shape in its own frame.
    pub shape: Shape,
    /// Where it is.
    pub pose: Pose,
    /// Where its shape comes from.
    pub source: Source,
}

/// Reads cases one by one; mesh files that several name are read once.
pub struct CaseReader<'a> {
    builder: ShapeBuilder<'a>,
    name: PathBuf,
}

impl<'a> CaseReader<'a> {
    /// For cases whose mesh files are relative to a folder; `name` stands for the text in errors.
    ///
    /// # Errors
    /// A folder that is not there.
    pub fn new(
        folder: &Path,
        name: &Path,
        options: &'a SceneOptions<'a>,
    ) -> Result<CaseReader<'a>, SceneError> {
        let files = FileAccess::within(folder, options.allow_outside)
            .map_err(|source| SceneError::Io { file: folder.to_path_buf(), source })?;
        Ok(CaseReader {
            builder: ShapeBuilder::new(files, options.default_unit, UnitScope::Case, options),
            name: name.to_path_buf(),
        })
    }

    /// The unit of the shapes since the last case: as the options say, else as their mesh files agree.
    pub fn unit(&self) -> Option<LengthUnit> {
        self.builder.unit
    }

    /// Reads a case from the text of its line, the `line`-th of the file.
    ///
    /// # Errors
    /// Text that is no case, or shapes and poses that are refused; with the place in the file.
    pub fn read(&mut self, text: &str, line: usize) -> Result<Case, SceneError> {
        let file: CaseFile = parse_line(text, &self.name, line).map_err(|error| advised_form(error, text))?;
        self.build(file, text, line)
    }

    /// Reads what the text of a line says.
    ///
    /// # Errors
    /// Text that says something else; with the place in the file.
    pub fn parse<T: serde::de::DeserializeOwned>(&self, text: &str, line: usize) -> Result<T, SceneError> {
        parse_line(text, &self.name, line)
    }

    /// Builds a pose that stands in a field of a line.
    ///
    /// # Errors
    /// As [`CaseReader::read`].
    pub fn build_pose(
        &self,
        file: PoseFile,
        field: &'static str,
        text: &str,
        line: usize,
    ) -> Result<Pose, SceneError> {
        pose_of(file).map_err(|fault| place(fault.within(field), text, &self.name).on_line(line))
    }

    /// Builds a case that was parsed from a larger object; `text` is that object's, for places in errors.
    ///
    /// # Errors
    /// As [`CaseReader::read`].
    pub fn build(&mut self, file: CaseFile, text: &str, line: usize) -> Result<Case, SceneError> {
        self.bodies(file).map_err(|fault| place(fault, text, &self.name).on_line(line))
    }

    /// Reads a shape from its text alone.
    ///
    /// # Errors
    /// As [`CaseReader::read`].
    pub fn read_shape(&mut self, text: &str) -> Result<(Shape, Source), SceneError> {
        let file: ShapeFile = parse_json(text, &self.name)?;
        let built = self.builder.build(&file).map_err(|fault| place(fault, text, &self.name))?;
        Ok(owned(built))
    }

    /// Builds a shape that is not written in a file.
    ///
    /// # Errors
    /// As [`CaseReader::read`].
    pub fn build_shape(&mut self, file: &ShapeFile) -> Result<(Shape, Source), SceneError> {
        let text = serde_json::to_string(file).unwrap_or_default();
        let built = self.builder.build(file).map_err(|fault| place(fault, &text, &self.name))?;
        Ok(owned(built))
    }

    fn bodies(&mut self, file: CaseFile) -> Result<Case, Fault> {
        let CaseFile { id, a, b, pose_a, pose_b } = file;
        self.builder.begin_case();
        let a = self.body(&a, pose_a, "a", "pose_a")?;
        let b = self.body(&b, pose_b, "b", "pose_b")?;
        Ok(Case { id, a, b, unit: self.builder.unit })
    }

    fn body(
        &mut self,
        shape: &ShapeFile,
        pose: Option<PoseFile>,
        at: &'static str,
        pose_at: &'static str,
    ) -> Result<CaseBody, Fault> {
        let (shape, source) = owned(self.builder.build(shape).map_err(|fault| fault.within(at))?);
        let pose = pose.map_or(Ok(Pose::IDENTITY), pose_of).map_err(|fault| fault.within(pose_at))?;
        Ok(CaseBody { shape, pose, source })
    }
}

/// The same error with the form of a case, if the text is no object.
fn advised_form(error: SceneError, text: &str) -> SceneError {
    match error {
        SceneError::Invalid { file, line, column, problem, excerpt }
            if serde_json::from_str::<Map<String, Value>>(text.trim_start_matches('\u{feff}')).is_err() =>
        {
            SceneError::Invalid { file, line, column, problem: format!("{problem}; {FORM}"), excerpt }
        }
        other => other,
    }
}

/// A case has its shapes for itself.
fn owned((shape, source): (Arc<Shape>, Source)) -> (Shape, Source) {
    (Arc::unwrap_or_clone(shape), source)
}
