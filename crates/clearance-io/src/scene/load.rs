//! Reads a scene file and everything it names.

use super::{
    IgnoredPairs, MotionFile, PoseFile, SceneError, SceneFile,
    error::{Fault, excerpt},
    file_access::FileAccess,
    format::SHAPE_FIELDS,
    ignored::Member,
    locate::{TextPosition, locate, token_at},
    number::{Vector, to_vector},
    shape::{ShapeBuilder, UnitScope},
};
use crate::{LengthUnit, ReadOptions};
use clearance::{
    Pose,
    glam::{DQuat, DVec3},
    math::{PoseError, Screw},
    shape::{Defects, Shape, Weld},
    tolerance::ROTATION_DEFECT_LIMIT,
};
use serde::de::DeserializeOwned;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

/// How to load a scene.
#[derive(Clone, Copy, Debug, Default)]
pub struct SceneOptions<'a> {
    /// Whether mesh files outside the scene's folder may be opened.
    pub allow_outside: bool,
    /// The unit of scenes that state none.
    pub default_unit: Option<LengthUnit>,
    /// Which positions of meshes become one vertex.
    pub weld: Weld,
    /// What happens to defects of meshes that can be repaired.
    pub defects: Defects,
    /// How mesh files are read.
    pub read: ReadOptions<'a>,
}

/// A scene with everything it names read and checked.
#[derive(Clone, Debug)]
pub struct LoadedScene {
    /// The unit of all lengths: as the scene states, else as its mesh files agree, else unknown.
    pub unit: Option<LengthUnit>,
    /// The bodies in the order of the file.
    pub parts: Vec<ScenePart>,
    /// Which pairs of parts are not to be checked.
    pub ignored: IgnoredPairs,
}

/// One body of a scene.
#[derive(Clone, Debug)]
pub struct ScenePart {
    /// Its name; no other part has it.
    pub name: String,
    /// Its shape in its own frame; one for all parts that name the same mesh file in the same way.
    pub shape: Arc<Shape>,
    /// From its own frame to the scene; with a motion, at its start.
    pub pose: Pose,
    /// Its group, if any.
    pub group: Option<String>,
    /// How it moves, if it does.
    pub motion: Option<Motion>,
    /// Where its shape comes from.
    pub source: Source,
}

/// Where a shape comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The mesh file, if it comes from one.
    pub file: Option<PathBuf>,
    /// What the reader skipped, converted or united, one sentence each.
    pub notes: Vec<String>,
}

/// A motion over an interval of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Start; 0 for free flight.
    pub t0: f64,
    /// End, after the start; 1 for free flight, which has none.
    pub t1: f64,
    /// What happens in between.
    pub movement: Movement,
}

/// What a moving part does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Movement {
    /// It is displaced by `displacement * (t - t0) / (t1 - t0)`.
    Translate {
        /// The displacement at `t1`.
        displacement: DVec3,
    },
    /// It moves along the screw that leads from its pose to this one.
    To {
        /// The pose at `t1`.
        pose: Pose,
    },
    /// It moves along this screw.
    Screw {
        /// From `t0` to `t1`, in the frame of the scene.
        screw: Screw,
    },
    /// It flies on from its pose for ever.
    Fly {
        /// Of the middle of its box, in lengths per second.
        velocity: DVec3,
        /// The axis through the middle of its box, times radians per second.
        spin: DVec3,
    },
}

/// Loads the scene file at this path and the mesh files it names.
///
/// Cost: that of reading each mesh file once and building each part. What is relative is relative to the
/// folder of the scene file.
///
/// # Errors
/// The first problem in the order of the file, with its line and column in the scene; problems of mesh files
/// are placed where the scene names the file.
pub fn load(path: impl AsRef<Path>, options: &SceneOptions<'_>) -> Result<LoadedScene, SceneError> {
    let path = path.as_ref();
    let failed = |source| SceneError::Io { file: path.to_path_buf(), source };
    let text = std::fs::read_to_string(path).map_err(failed)?;
    let file = parse(&text, path)?;
    let files = FileAccess::beside(path, options.allow_outside).map_err(failed)?;
    let unit = file.unit.map(|unit| unit.0).or(options.default_unit);
    let builder = ShapeBuilder::new(files, unit, UnitScope::Scene, options);
    build(&file, builder).map_err(|fault| place(fault, &text, path))
}

/// Reads the text of a scene; `name` stands for the file in errors. Mesh files are not opened.
///
/// # Errors
/// Text that is not JSON, a field that is not known, twice there, missing or of the wrong type.
///
/// ```
/// let text = r#"{ "parts": [{ "name": "ball", "shape": { "sphere": { "raduis": 2 } } }] }"#;
/// let error = clearance_io::scene::parse(text, "scene.json".as_ref()).unwrap_err();
/// assert!(error.to_string().starts_with("scene.json:1:54: unknown field `raduis`"));
/// ```
pub fn parse(text: &str, name: &Path) -> Result<SceneFile, SceneError> {
    parse_json(text, name)
}

/// Reads a value of a format of one value per line from its text, the `line`-th of the file `name`.
///
/// # Errors
/// As [`parse`], with the place in the file.
pub fn parse_line<T: DeserializeOwned>(text: &str, name: &Path, line: usize) -> Result<T, SceneError> {
    parse_json(text, name).map_err(|error| error.on_line(line))
}

/// Reads a value of a file format from its text, with the place of what is wrong.
pub(super) fn parse_json<T: DeserializeOwned>(text: &str, name: &Path) -> Result<T, SceneError> {
    // A byte order mark is not JSON, but editors leave it there.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str(text).map_err(|error| {
        let position = token_at(text, error.line(), error.column());
        let full = error.to_string();
        let problem = full.rsplit_once(" at line ").map_or(full.as_str(), |(problem, _)| problem);
        invalid(name, text, position, in_words(problem).map_or_else(|| advised(problem), str::to_owned))
    })
}

/// What serde_json says of text that is not JSON, in words that need no parser to be understood.
fn in_words(problem: &str) -> Option<&'static str> {
    Some(match problem {
        "expected ident" | "expected value" => "no JSON value begins here",
        "key must be a string" => "a name in double quotes is expected here",
        "expected `:`" => "a colon is expected here",
        "expected `,` or `}`" => "a comma or a closing brace is expected here",
        "expected `,` or `]`" => "a comma or a closing bracket is expected here",
        "trailing comma" => "nothing follows this comma",
        "trailing characters" => "something follows the end of the value",
        "EOF while parsing an object" => "the text ends within an object",
        "EOF while parsing a list" => "the text ends within a list",
        "EOF while parsing a string" => "the text ends within a string",
        "EOF while parsing a value" => "the text ends where a value is expected",
        "number out of range" => "the number is out of range",
        _ => return None,
    })
}

/// A message of serde about an unknown field, with the field that was meant; other messages as they are.
///
/// serde lists all fields; whoever mistyped one wants to see that one.
pub fn advised(problem: &str) -> String {
    let names = |list: &str| list.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    match problem.split_once(", expected ") {
        Some((wrong, known))
            if wrong.starts_with("unknown field") || wrong.starts_with("unknown variant") =>
        {
            let (wrong_names, known) = (names(wrong), names(known));
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let is_beside = |name: &str| ["pose", "motion", "name", "group"].contains(&name);
            let hint = wrong_names.first().map_or(String::new(), |name| {
                match known.contains(&SHAPE_FIELDS[0]) && known.contains(&SHAPE_FIELDS[1]) && is_beside(name)
                {
                    true if name == "pose" => {
                        "; a pose stands beside the shape: `pose` in a scene, `pose_a` and `pose_b` in a case"
                            .into()
                    }
                    true => "; it stands beside the shape, not in it".into(),
                    false => similar(name, known.iter()),
                }
            });
            if hint.is_empty() { problem.to_owned() } else { format!("{wrong}{hint}") }
        }
        _ => problem.to_owned(),
    }
}

pub(super) fn place(fault: Fault, text: &str, file: &Path) -> SceneError {
    match fault {
        Fault::Cancelled => SceneError::Cancelled { file: file.to_path_buf() },
        Fault::Problem { path, problem } => {
            let text = text.strip_prefix('\u{feff}').unwrap_or(text);
            invalid(file, text, locate(text, &path), problem)
        }
    }
}

fn invalid(file: &Path, text: &str, position: TextPosition, problem: String) -> SceneError {
    let TextPosition { line, column } = position;
    SceneError::Invalid { file: file.to_path_buf(), line, column, problem, excerpt: excerpt(text, position) }
}

fn build(file: &SceneFile, mut builder: ShapeBuilder<'_>) -> Result<LoadedScene, Fault> {
    let members = names_of(file)?;
    let mut parts = Vec::with_capacity(file.parts.len());
    for (i, part) in file.parts.iter().enumerate() {
        let here = |fault: Fault| fault.within(i).within("parts");
        let named = |fault: Fault| match fault {
            Fault::Problem { path, problem } => {
                Fault::Problem { path, problem: format!("part `{}`: {problem}", part.name) }
            }
            Fault::Cancelled => Fault::Cancelled,
        };
        let (shape, source) =
            builder.build(&part.shape).map_err(|fault| here(named(fault).within("shape")))?;
        let pose = part.pose.map_or(Ok(Pose::IDENTITY), pose_of);
        let pose = pose.map_err(|fault| here(named(fault).within("pose")))?;
        let motion = part.motion.map(motion_of).transpose();
        let motion = motion.map_err(|fault| here(named(fault).within("motion")))?;
        parts.push(ScenePart {
            name: part.name.clone(),
            shape,
            pose,
            group: part.group.clone(),
            motion,
            source,
        });
    }
    Ok(LoadedScene { unit: builder.unit, parts, ignored: ignored_of(file, &members)? })
}

/// Every name a pair may use, and what it stands for.
fn names_of(file: &SceneFile) -> Result<BTreeMap<&str, Member>, Fault> {
    let mut members = BTreeMap::new();
    for (i, part) in file.parts.iter().enumerate() {
        let here = |problem: String| Fault::here(problem).within("name").within(i).within("parts");
        if part.name.is_empty() {
            return Err(here("a part needs a name".into()));
        }
        if members.insert(part.name.as_str(), Member::Part(i as u32)).is_some() {
            return Err(here(format!(
                "the name \"{}\" is taken by an earlier part: choose another",
                part.name
            )));
        }
    }
    let mut groups = 0;
    for (i, part) in file.parts.iter().enumerate() {
        let Some(group) = part.group.as_deref() else { continue };
        let here = |problem: String| Fault::here(problem).within("group").within(i).within("parts");
        if group.is_empty() {
            return Err(here("a group needs a name: give one or leave the group out".into()));
        }
        let member = *members.entry(group).or_insert_with(|| {
            groups += 1;
            Member::Group(groups - 1)
        });
        if matches!(member, Member::Part(_)) {
            return Err(here(format!("the group \"{group}\" has the name of a part: choose another")));
        }
    }
    Ok(members)
}

fn ignored_of(file: &SceneFile, members: &BTreeMap<&str, Member>) -> Result<IgnoredPairs, Fault> {
    let group_of = |name: &Option<String>| match members.get(name.as_deref()?) {
        Some(Member::Group(group)) => Some(*group),
        _ => None,
    };
    let mut ignored = IgnoredPairs::new(file.parts.iter().map(|part| group_of(&part.group)).collect());
    for (i, pair) in file.ignore.iter().enumerate() {
        let mut found = [Member::Part(0); 2];
        for (k, name) in pair.iter().enumerate() {
            found[k] = *members.get(name.as_str()).ok_or_else(|| {
                let problem =
                    format!("no part or group is named \"{name}\"{}", similar(name, members.keys()));
                Fault::here(problem).within(k).within(i).within("ignore")
            })?;
        }
        if found[0] == found[1] && matches!(found[0], Member::Part(_)) {
            let problem = format!("\"{}\" is paired with itself: name two parts, or a group", pair[0]);
            return Err(Fault::here(problem).within(1).within(i).within("ignore"));
        }
        ignored.add(found[0], found[1]);
    }
    Ok(ignored)
}

/// A hint at the known name closest to a wrong one: `; did you mean "pin"?`, or nothing.
pub fn similar<'a>(name: &str, known: impl Iterator<Item = &'a &'a str>) -> String {
    let best = known.map(|k| (edit_distance(name, k), *k)).min();
    match best {
        Some((distance, k)) if distance <= 1 + k.chars().count() / 4 => format!("; did you mean \"{k}\"?"),
        _ => String::new(),
    }
}

/// Fewest insertions, deletions and replacements of characters from one to the other.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

pub(super) fn pose_of(file: PoseFile) -> Result<Pose, Fault> {
    file.build().map_err(Fault::here)
}

impl PoseFile {
    /// The pose of these numbers.
    ///
    /// # Errors
    /// No rotation, or a number that is too large; in words.
    pub fn build(self) -> Result<Pose, String> {
        let pose = match self {
            PoseFile::Rows(rows) => Pose::from_rows(rows.map(|n| n.0)),
            PoseFile::Parts { translation, quaternion_xyzw } => {
                let translation = to_vector(translation.unwrap_or_default());
                match quaternion_xyzw {
                    Some(xyzw) => Pose::from_quaternion(DQuat::from_array(xyzw.map(|n| n.0)), translation),
                    None => Pose::from_translation(translation),
                }
            }
        };
        pose.map_err(|error| match error {
            PoseError::NotOrthonormal { defect } => format!(
                "the nine entries are no rotation: max |R^T R - I| is {defect:.1e}, allowed is {ROTATION_DEFECT_LIMIT:e}; \
                 give more digits, or \"quaternion_xyzw\" of any length"
            ),
            other => other.to_string(),
        })
    }
}

fn motion_of(file: MotionFile) -> Result<Motion, Fault> {
    if file.velocity.is_some() || file.spin.is_some() {
        return flight_of(file);
    }
    let (t0, t1) = (file.t0.map_or(0.0, |t| t.0), file.t1.map_or(1.0, |t| t.0));
    if t0 >= t1 {
        let step = if file.t1.is_some() { "t1" } else { "t0" };
        return Err(Fault::here(format_args!("it ends at t1 = {t1}, not after t0 = {t0}")).within(step));
    }
    let movement = match (file.translate, file.to, file.screw) {
        (Some(displacement), None, None) => {
            Movement::Translate { displacement: bounded(displacement, "translate")? }
        }
        (None, Some(to), None) => Movement::To { pose: pose_of(to).map_err(|fault| fault.within("to"))? },
        (None, None, Some(screw)) => {
            Movement::Screw { screw: screw.build().map_err(|error| Fault::here(error).within("screw"))? }
        }
        (None, None, None) => {
            let problem = "a motion needs `translate`, `to` or `screw`, or `velocity` and `spin`";
            return Err(Fault::here(problem));
        }
        (_, to, screw) => {
            let step = if screw.is_some() { "screw" } else { "to" };
            let problem = match (to, screw) {
                (_, None) => "a motion has `translate` or `to`, not both: `to` can translate, too",
                (_, Some(_)) => "a motion has one of `translate`, `to` and `screw`: leave out the others",
            };
            return Err(Fault::here(problem).within(step));
        }
    };
    Ok(Motion { t0, t1, movement })
}

fn flight_of(file: MotionFile) -> Result<Motion, Fault> {
    let others = [
        ("translate", file.translate.is_some()),
        ("to", file.to.is_some()),
        ("screw", file.screw.is_some()),
        ("t0", file.t0.is_some()),
        ("t1", file.t1.is_some()),
    ];
    if let Some((other, _)) = others.iter().find(|(_, given)| *given) {
        let problem = format!("`velocity` and `spin` are free flight, which has no `{other}`: leave one out");
        return Err(Fault::here(problem).within(*other));
    }
    let velocity = bounded(file.velocity.unwrap_or_default(), "velocity")?;
    let spin = bounded(file.spin.unwrap_or_default(), "spin")?;
    Ok(Motion { t0: 0.0, t1: 1.0, movement: Movement::Fly { velocity, spin } })
}

/// The limits of a vector are those of a translation.
fn bounded(vector: Vector, field: &'static str) -> Result<DVec3, Fault> {
    let pose = Pose::from_translation(to_vector(vector));
    Ok(pose.map_err(|error| Fault::here(error).within(field))?.translation())
}
