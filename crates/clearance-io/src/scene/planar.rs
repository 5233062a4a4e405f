//! Planar scenes: convex polygons and points with motion plans, for kinetic simulations.
//!
//! ```json
//! { "bodies": [
//!   { "name": "anvil", "points": [[-1, -1], [1, -1], [1, 1], [-1, 1]] },
//!   { "name": "hammer", "points": [[-1, -1], [1, -1], [0, 1]],
//!     "plan": [{ "x": [-10, 2], "y": [0.5], "spin": { "rate": 1.5 } }, { "start": 20, "x": [30], "y": [0.5] }] }
//! ] }
//! ```

use super::{
    SceneError,
    error::Fault,
    format::only_from_object,
    load::{parse_json, place},
    number::Number,
};
use clearance::{
    glam::DVec2,
    kinetic::{Body, Motion, MotionError, Plan, PlanError},
    planar::PolygonError,
};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{fmt, path::Path};

/// A planar scene: bodies with motion plans.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, remote = "Self")]
#[schemars(title = "clearance planar scene")]
pub struct PlanarSceneFile {
    /// The address of this schema; for editors, not read.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The bodies; their names must differ.
    pub bodies: Vec<PlanarBodyFile>,
}

/// One body: the convex hull of its points, and what it does.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct PlanarBodyFile {
    /// Its name; not empty, not that of another body.
    pub name: String,
    /// Points in its own coordinates, in any order; their convex hull is the body. One point and two are allowed, too.
    pub points: Vec<[Number; 2]>,
    /// What it does, piece after piece; at rest where its points say if left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plan: Vec<PieceFile>,
}

/// A piece of a plan: a turn about a point of the body, then a translation. In its formulas time counts from its start.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct PieceFile {
    /// When it starts; the piece before ends there. Must ascend from piece to piece; 0 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Number>,
    /// Translation along x: coefficients of a polynomial of time, the constant first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub x: Vec<Number>,
    /// Translation along y: coefficients of a polynomial of time, the constant first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub y: Vec<Number>,
    /// The tangent of half the angle turned: coefficients of a polynomial of time, the constant first. Not with "spin".
    #[serde(rename = "half-angle", default, skip_serializing_if = "Vec::is_empty")]
    pub half_angle: Vec<Number>,
    /// A uniform turn. Not with "half-angle".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spin: Option<SpinFile>,
    /// The point of the body, in its own coordinates, that it turns about; the origin if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub centre: Option<[Number; 2]>,
}

/// A uniform turn by `angle + rate t`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct SpinFile {
    /// At the start of the piece, in radians; 0 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle: Option<Number>,
    /// Radians in a unit of time, counter-clockwise positive.
    pub rate: Number,
}

only_from_object! {
    PlanarSceneFile: "a planar scene",
    PlanarBodyFile: "a body",
    PieceFile: "a piece of a plan",
    SpinFile: "a spin",
}

/// The JSON schema of planar scenes, pretty-printed with a final newline.
pub fn planar_schema() -> String {
    serde_json::to_string_pretty(&schemars::schema_for!(PlanarSceneFile)).unwrap_or_default() + "\n"
}

/// A body of a planar scene.
#[derive(Clone, Debug)]
pub struct PlanarBody {
    /// Its name; no other body has it.
    pub name: String,
    /// Its points as the file has them.
    pub points: Vec<DVec2>,
    /// Their hull with its plan.
    pub body: Body,
}

impl PlanarBody {
    /// Which point of the file a vertex of the hull is: the first that lies there.
    pub fn point_of(&self, vertex: usize) -> usize {
        let corner = self.body.polygon().vertices()[vertex];
        self.points.iter().position(|point| *point == corner).unwrap_or(vertex)
    }
}

/// Loads a planar scene.
///
/// # Errors
/// The first problem in the order of the file, with its line and column.
pub fn load_planar(path: impl AsRef<Path>) -> Result<Vec<PlanarBody>, SceneError> {
    let path = path.as_ref();
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|source| SceneError::Io { file: path.to_path_buf(), source })?;
    parse_planar(&text, path)
}

/// Reads the text of a planar scene; `name` stands for the file in errors.
///
/// # Errors
/// As [`load_planar`].
///
/// ```
/// let text = r#"{ "bodies": [{ "name": "dot", "points": [] }] }"#;
/// let error = clearance_io::scene::parse_planar(text, "scene.json".as_ref()).unwrap_err();
/// assert!(error.to_string().starts_with("scene.json:1:41: body `dot`: no points"));
/// ```
pub fn parse_planar(text: &str, name: &Path) -> Result<Vec<PlanarBody>, SceneError> {
    let file: PlanarSceneFile = parse_json(text, name)?;
    bodies_of(&file).map_err(|fault| place(fault, text, name))
}

fn bodies_of(file: &PlanarSceneFile) -> Result<Vec<PlanarBody>, Fault> {
    if file.bodies.is_empty() {
        return Err(Fault::here("no bodies: a planar scene needs at least one").within("bodies"));
    }
    let mut bodies: Vec<PlanarBody> = Vec::with_capacity(file.bodies.len());
    for (i, body) in file.bodies.iter().enumerate() {
        let here = |fault: Fault| fault.within(i).within("bodies");
        let name = &body.name;
        let unnamed = name.is_empty().then(|| "a body needs a name".to_owned());
        let taken = || format!("the name \"{name}\" is taken by an earlier body: choose another");
        let taken = bodies.iter().any(|other| other.name == *name).then(taken);
        if let Some(problem) = unnamed.or(taken) {
            return Err(here(Fault::here(problem).within("name")));
        }
        let named = |fault: Fault| match fault {
            Fault::Problem { path, problem } => {
                here(Fault::Problem { path, problem: format!("body `{name}`: {problem}") })
            }
            Fault::Cancelled => Fault::Cancelled,
        };
        bodies.push(body_of(body).map_err(named)?);
    }
    Ok(bodies)
}

fn body_of(file: &PlanarBodyFile) -> Result<PlanarBody, Fault> {
    let points: Vec<DVec2> = file.points.iter().map(|[x, y]| DVec2::new(x.0, y.0)).collect();
    let mut pieces = Vec::with_capacity(file.plan.len().max(1));
    for (i, piece) in file.plan.iter().enumerate() {
        let motion = motion_of(piece).map_err(|fault| fault.within(i).within("plan"))?;
        pieces.push((piece.start.map_or(0.0, |start| start.0), motion));
    }
    if pieces.is_empty() {
        pieces.push((0.0, Motion::still()));
    }
    let plan = Plan::from_pieces(pieces).map_err(|error| match error {
        PlanError::Start { piece, start } => {
            // A start that was left out has no place of its own.
            let fault = Fault::here(format_args!(
                "this piece starts at {start}: starts are at most 2^300 and ascend; give it a \"start\" after that of the piece before"
            ));
            fault.within("start").within(piece).within("plan")
        }
        other => Fault::here(other).within("plan"),
    })?;
    let body = Body::hull_of(&points, plan).map_err(|error| {
        let fault = Fault::here(error);
        let fault = match error {
            PolygonError::Empty => fault,
            PolygonError::NotFinite { point } | PolygonError::TooLarge { point } => fault.within(point),
        };
        fault.within("points")
    })?;
    Ok(PlanarBody { name: file.name.clone(), points, body })
}

fn motion_of(piece: &PieceFile) -> Result<Motion, Fault> {
    let numbers = |given: &[Number]| given.iter().map(|n| n.0).collect::<Vec<f64>>();
    let (x, y, tangent) = (numbers(&piece.x), numbers(&piece.y), numbers(&piece.half_angle));
    if !tangent.is_empty() && piece.spin.is_some() {
        let problem =
            "\"half-angle\" and \"spin\" are both given: a piece turns in one way, leave one of them out";
        return Err(Fault::here(problem).within("spin"));
    }
    Motion::translation(&x, &[]).map_err(|error| at(error, "x"))?;
    let translation = Motion::translation(&x, &y).map_err(|error| at(error, "y"))?;
    let turns = !tangent.is_empty() || piece.spin.is_some();
    let centre = piece.centre.map_or(DVec2::ZERO, |[x, y]| DVec2::new(x.0, y.0));
    if !turns && piece.centre.is_some() {
        let problem = "a centre without a turn: give \"half-angle\" or \"spin\", too, or leave it out";
        return Err(Fault::here(problem).within("centre"));
    }
    let turned = |motion: Motion| match piece.spin {
        Some(SpinFile { angle, rate }) => {
            let angle = angle.map_or(0.0, |angle| angle.0);
            motion.spinning(angle, rate.0).map_err(|error| Fault::here(error).within("spin"))
        }
        None => motion.turning(&tangent).map_err(|error| at(error, "half-angle")),
    };
    if !turns || centre == DVec2::ZERO {
        return if turns { turned(translation) } else { Ok(translation) };
    }
    // Back to the centre by a step of its own: a sum of coefficients would be rounded.
    let around = Motion::linear(centre, DVec2::ZERO).map_err(|error| at(error, "centre"))?;
    let whole = turned(around)?.about(centre).and_then(|motion| motion.carried_by(&translation));
    whole.map_err(Fault::here)
}

/// A problem of a polynomial, at its coefficient.
fn at(error: MotionError, field: &str) -> Fault {
    match error {
        MotionError::Coefficient { index, .. } => Fault::here(error).within(index).within(field),
        _ => Fault::here(error).within(field),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<PlanarBody>, String> {
        parse_planar(text, "s.json".as_ref()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_body_turns_about_its_centre_and_is_then_carried() {
        let text = r#"{ "bodies": [{ "name": "a", "points": [[3, 1], [4, 1], [3, 1], [3, 2]],
            "plan": [{ "start": 2, "x": [0, 1], "half-angle": [0, 1], "centre": [3, 1] },
                     { "start": 5, "y": [7], "spin": { "angle": 3.141592653589793, "rate": 0 } }] }] }"#;
        let [body] = &read(text).unwrap()[..] else { panic!("one body") };
        let plan = body.body.plan();
        // One unit of time after the start: a quarter turn about (3, 1), moved by 1.
        let found = plan.position_near(DVec2::new(4.0, 1.0), 3.0);
        assert!((found - DVec2::new(4.0, 2.0)).length() < 1e-12, "{found}");
        let found = plan.position_near(DVec2::new(4.0, 1.0), 9.0);
        assert!((found - DVec2::new(-4.0, 6.0)).length() < 1e-12, "{found}");
        let names: Vec<usize> = (0..3).map(|vertex| body.point_of(vertex)).collect();
        assert_eq!(names, [0, 1, 3], "the first of equal points");
    }

    #[test]
    fn what_is_wrong_is_told_where_it_is() {
        let body = |rest: &str| format!(r#"{{ "bodies": [{{ "name": "a", "points": [[0, 0]]{rest} }}] }}"#);
        for (text, expected) in [
            (r#"{ "bodies": [] }"#.to_owned(), "s.json:1:13: no bodies"),
            (r#"{ "bodies": [{ "name": "", "points": [[0, 0]] }] }"#.to_owned(), "needs a name"),
            (
                r#"{ "bodies": [{ "name": "a", "points": [[0, 1e99]] }] }"#.to_owned(),
                "s.json:1:40: body `a`: point 0 has a coordinate beyond",
            ),
            (body(r#", "plan": [{ "x": [1], "z": [2] }]"#), "unknown field `z`"),
            (body(r#", "plan": [{ "x": [1, 1e99] }]"#), "s.json:1:69: body `a`: coefficient 1 is too large"),
            (body(r#", "plan": [{}, {}]"#), "give it a \"start\" after"),
            (body(r#", "plan": [{ "centre": [1, 2] }]"#), "without a turn"),
            (body(r#", "plan": [{ "half-angle": [1], "spin": { "rate": 1 } }]"#), "in one way"),
            (body(r#", "plan": [{ "y": [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1] }]"#), "18 coefficients"),
        ] {
            let error = read(&text).unwrap_err();
            assert!(error.contains(expected), "{text}\n{error}");
        }
    }
}
