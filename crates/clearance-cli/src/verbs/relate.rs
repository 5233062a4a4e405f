//! `clearance relate`: how two bodies lie to each other, with the proof.

use crate::{
    answer::{ContactFile, KindName, PairAnswer, ProofFile, Related, has_triangles, name_of, relate},
    args::{RelateArguments, RelationName},
    bodies::{is_scene, open, picture_format, write_picture},
    interrupt,
    output::{self, Failure, Verdict, counted, faint, full, plain, short, strong, with_unit},
    proof::WitnessFile,
    verbs::batch,
};
use clearance::{
    Pose,
    body::Body,
    glam::DVec3,
    mesh::Contact,
    pair::{Bracket, Convex},
    shape::{Mesh, Shape},
    witness::Side,
};
use clearance_io::{
    LengthUnit, ReadOptions,
    picture::{PairBody, PairMarks, draw_pair},
    scene::{CaseBody, CaseId, CaseReader, SceneOptions, ShapeFile},
};
use schemars::JsonSchema;
use serde::Serialize;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// What `relate --json` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "clearance relate --json")]
pub struct RelateReport {
    /// Body A as it was named.
    pub name_a: String,
    /// Body B as it was named.
    pub name_b: String,
    /// The answer; a line of a batch holds the same.
    #[serde(flatten)]
    pub answer: PairAnswer,
}

/// Two bodies with their names.
struct Pair {
    names: [String; 2],
    bodies: [CaseBody; 2],
    unit: Option<LengthUnit>,
}

pub fn run(arguments: &RelateArguments) -> Result<Verdict, Failure> {
    if let Some(file) = &arguments.batch {
        return batch::run(file, arguments);
    }
    if let Some(picture) = &arguments.picture {
        picture_format(picture)?;
    }
    let pair = interrupt::with_progress(Path::new(""), |read| open_pair(arguments, read))?;
    let [a, b] = &pair.bodies;
    let related = relate(a, b).map_err(|error| named(&error, &pair))?;
    let mut answer = PairAnswer::new(CaseId::default(), &related.answer).about([a, b], pair.unit);
    // A picture shows them too.
    let contacts = match arguments.contacts || arguments.picture.is_some() {
        true => related.contacts(a, b),
        false => None,
    };
    if arguments.contacts {
        let listed = contacts.as_ref().ok_or_else(|| {
            let bodies = [("A", a), ("B", b)].into_iter().filter(|(_, body)| !has_triangles(&body.shape));
            let none = bodies.map(|(side, body)| format!("body {side} ({})", body.shape.kind_name()));
            let none = none.collect::<Vec<_>>().join(" and ");
            Failure::Usage(format!("--contacts lists triangles that meet, and there are none in {none}"))
        })?;
        answer.contacts = Some(Some(listed.iter().map(ContactFile::new).collect()));
    }
    if arguments.proof {
        answer.proof = ProofFile::new(&related, a, b);
    }
    if let Some(picture) = &arguments.picture {
        write_picture(&drawing(&pair, &related, contacts.as_deref().unwrap_or_default()), picture)?;
    }
    if arguments.json {
        let [name_a, name_b] = pair.names.clone();
        output::print_json(&RelateReport { name_a, name_b, answer });
    } else {
        print_report(&pair, &related, &answer, arguments);
    }
    let (relation, _) = name_of(related.answer.relation);
    Ok(if arguments.fail_on.contains(&relation) { Verdict::Found } else { Verdict::Fine })
}

fn named(error: &str, pair: &Pair) -> Failure {
    let [a, b] = &pair.names;
    let error = error.replacen("body a:", &format!("{a}:"), 1);
    Failure::Input(error.replacen("body b:", &format!("{b}:"), 1))
}

fn open_pair(arguments: &RelateArguments, read: ReadOptions<'_>) -> Result<Pair, Failure> {
    // What the user names on the command line may be anywhere.
    let options = SceneOptions { allow_outside: true, ..batch::options(arguments, read) };
    let mut reader = CaseReader::new(Path::new("."), Path::new("shape"), &options)?;
    let texts = [&arguments.a, &arguments.b].map(|text| text.clone().unwrap_or_default());
    let poses = [arguments.pose_a, arguments.pose_b];
    let mut bodies = Vec::new();
    let mut units = Vec::new();
    for (text, pose) in texts.iter().zip(poses) {
        let (mut body, of_scene) = open_body(text, &mut reader, arguments)?;
        units.extend(of_scene);
        body.pose = pose.unwrap_or(body.pose);
        bodies.push(body);
    }
    let [a, b] = <[CaseBody; 2]>::try_from(bodies).map_err(|_| Failure::Usage("name two bodies".into()))?;
    let names = [0, 1].map(|i| display_name(&texts[i], [&a, &b][i]));
    if texts.iter().any(|text| scene_and_part(text).is_none()) {
        units.extend(reader.unit());
    }
    Ok(Pair { names, bodies: [a, b], unit: common_unit(&units)? })
}

/// The one unit of scenes and mesh files; what a scene states is not converted.
fn common_unit(units: &[LengthUnit]) -> Result<Option<LengthUnit>, Failure> {
    let first = units.first().copied();
    match units.iter().find(|unit| Some(**unit) != first).zip(first) {
        Some((other, first)) => Err(Failure::input(format_args!(
            "one body is in {first}, the other in {other}: --unit converts mesh files, not what scenes state; give --unit with the \
             unit of the scene, or state one unit in both scenes"
        ))),
        None => Ok(first),
    }
}

fn display_name(text: &str, body: &CaseBody) -> String {
    if text.trim_start().starts_with('{') { body.shape.kind_name().to_owned() } else { text.to_owned() }
}

type Opened = (CaseBody, Option<LengthUnit>);

/// A shape in JSON, a part of a scene, or a mesh file.
fn open_body(
    text: &str,
    reader: &mut CaseReader<'_>,
    arguments: &RelateArguments,
) -> Result<Opened, Failure> {
    if text.trim_start().starts_with('{') {
        let (shape, source) = reader.read_shape(text)?;
        return Ok((CaseBody { shape, pose: Pose::IDENTITY, source }, None));
    }
    if let Some((file, part)) = scene_and_part(text) {
        return part_of_scene(file, part, arguments);
    }
    let file = text;
    if !Path::new(file).exists() {
        return Err(Failure::input(format_args!(
            "{file}: there is no such file; a shape is written in braces, as '{{\"box\": [1, 1, 1]}}'"
        )));
    }
    let mesh = ShapeFile { mesh: Some(file.to_owned()), ..ShapeFile::default() };
    // Faults of the file name it already; the place in a text that nobody wrote would only confuse.
    let (shape, source) = reader.build_shape(&mesh).map_err(|error| match error {
        clearance_io::scene::SceneError::Invalid { problem, .. } if problem.contains(file) => {
            Failure::Input(problem)
        }
        clearance_io::scene::SceneError::Invalid { problem, .. } => {
            Failure::Input(format!("{file}: {problem}"))
        }
        other => Failure::from(other),
    })?;
    Ok((CaseBody { shape, pose: Pose::IDENTITY, source }, None))
}

/// A scene and the part of it that is meant, if the text names one.
fn scene_and_part(text: &str) -> Option<(&Path, Option<&str>)> {
    let named = |file: &str| !file.trim_start().starts_with('{') && is_scene(Path::new(file));
    match text.rsplit_once('#') {
        Some((file, part)) if named(file) => Some((Path::new(file), Some(part))),
        _ => named(text).then_some((Path::new(text), None)),
    }
}

fn part_of_scene(file: &Path, part: Option<&str>, arguments: &RelateArguments) -> Result<Opened, Failure> {
    let opened = open(file, &arguments.read)?;
    let names: Vec<String> = opened.bodies.iter().map(|body| body.name.clone()).collect();
    let found = match part {
        Some(name) => opened.bodies.into_iter().find(|body| body.name == name),
        None if names.len() == 1 => opened.bodies.into_iter().next(),
        None => None,
    };
    let body = found.ok_or_else(|| {
        let known = names.iter().take(8).map(|name| format!("{}#{name}", file.display()));
        let known = known.collect::<Vec<_>>().join(", ");
        let more = if names.len() > 8 { ", ..." } else { "" };
        Failure::input(format_args!("{}: name one of its parts: {known}{more}", file.display()))
    })?;
    let shape = Arc::unwrap_or_clone(body.shape);
    Ok((CaseBody { shape, pose: body.pose, source: Default::default() }, opened.unit))
}

fn drawing(pair: &Pair, related: &Related, contacts: &[Contact]) -> clearance_io::picture::Drawing {
    let answer = &related.answer;
    let (relation, _) = name_of(answer.relation);
    let middle = answer.points.map(|[a, b]| a.midpoint(b));
    let plane = middle.zip(answer.normal);
    let overlapping = relation == RelationName::Overlapping;
    let curves: Vec<Vec<DVec3>> = contacts.iter().map(curve).collect();
    let is_convex = [&related.a, &related.b].iter().all(|body| body.as_convex().is_some());
    let marks = PairMarks {
        // Where meshes overlap, the curves say more than one common point.
        points: answer.points.filter(|_| !overlapping || is_convex),
        plane: if overlapping { None } else { plane },
        opacity: if overlapping { 0.65 } else { 1.0 },
        curves: if is_convex { &[] } else { &curves },
    };
    let bodies = [0, 1].map(|i| PairBody {
        name: &pair.names[i],
        shape: &pair.bodies[i].shape,
        pose: pair.bodies[i].pose,
    });
    let mut drawing = draw_pair(&sentence(pair, related), bodies, &marks);
    drawing.unit = pair.unit;
    drawing
}

/// The common points of two triangles as a line, closed around a polygon.
fn curve(contact: &Contact) -> Vec<DVec3> {
    let corners = contact.intersection.corners();
    let mut points: Vec<DVec3> = corners.iter().map(|corner| corner.position).collect();
    if points.len() > 2 {
        points.push(points[0]);
    }
    points
}

/// The relation with its number, in a line.
fn sentence(pair: &Pair, related: &Related) -> String {
    let answer = &related.answer;
    let length = |value: f64| with_unit(&plain(value), pair.unit);
    match name_of(answer.relation) {
        (RelationName::Disjoint, _) => format!("disjoint, {} apart", length(answer.distance.upper)),
        (RelationName::Touching, _) => "touching".into(),
        (RelationName::Overlapping, _) => match answer.depth {
            Some(depth) if is_wide(depth) => {
                format!("overlapping, {} to {} deep", plain(depth.lower), length(depth.upper))
            }
            Some(depth) => format!("overlapping, {} deep", length(depth.upper)),
            None => match answer.enclosed {
                Some(Side::A) => "overlapping: A lies inside B".into(),
                Some(Side::B) => "overlapping: B lies inside A".into(),
                None => "overlapping".into(),
            },
        },
        (RelationName::Undecided, width) => format!("touching within {}", length(width.unwrap_or(0.0))),
    }
}

fn print_report(pair: &Pair, related: &Related, file: &PairAnswer, arguments: &RelateArguments) {
    let answer = &related.answer;
    let unit = pair.unit;
    let mut text = String::new();
    for (i, (label, body)) in [("A", &related.a), ("B", &related.b)].into_iter().enumerate() {
        let (name, shape) = (&pair.names[i], &pair.bodies[i].shape);
        text += &format!("{label}  {name}  {}\n", faint(described(body, shape, pair.unit)));
    }
    text += &format!("{}\n", strong(sentence(pair, related)));
    let (relation, _) = name_of(answer.relation);
    if matches!(relation, RelationName::Disjoint | RelationName::Undecided) {
        text += &format!("  distance  {}\n", bracket(answer.distance, unit));
    }
    if let Some(depth) = answer.depth {
        text += &format!("  depth     {}\n", bracket(depth, unit));
    }
    if let Some([a, b]) = answer.points {
        text += &match relation {
            RelationName::Touching => format!("  point     {} common to both\n", point(a)),
            RelationName::Overlapping if a == b => format!("  point     {} common to both\n", point(a)),
            RelationName::Overlapping => format!("  deepest   {} of A, {} of B\n", point(a), point(b)),
            _ => format!("  closest   {} of A, {} of B\n", point(a), point(b)),
        };
    }
    let proof = answer.witness.as_ref().map(|witness| WitnessFile::from(witness).in_words());
    text += &format!("  proof     {}\n", proof.unwrap_or_else(|| unproved(related).into()));
    if arguments.proof && answer.witness.is_some() {
        for (label, body) in [("A", &related.a), ("B", &related.b)] {
            text += &vertex_list(label, body);
        }
    }
    if let Some(Some(contacts)) = &file.contacts {
        text += &contact_lines(contacts);
    }
    if let Some(picture) = &arguments.picture {
        text += &format!("picture written to {}\n", PathBuf::from(picture).display());
    }
    output::print(&text);
}

/// What the answer rests on where there is no witness.
fn unproved(related: &Related) -> &'static str {
    let bodies = [&related.a, &related.b];
    let any = |is: fn(&Convex) -> bool| bodies.iter().any(|body| body.as_convex().is_some_and(is));
    let is_curved = |convex: &Convex| convex.core().is_none() && !convex.is_unbounded();
    let is_round = |convex: &Convex| convex.radius() > 0.0;
    let has_mesh = bodies.iter().any(|body| body.as_convex().is_none());
    if bodies.iter().all(|body| body.as_convex().is_some_and(Convex::is_unbounded)) {
        "exact signs of what the normals and offsets differ by"
    } else if any(Convex::is_unbounded) && any(is_curved) {
        "the exact sign of the height of the curved body's lowest point over the plane"
    } else if any(Convex::is_unbounded) && any(is_round) {
        "exact heights of the core's corners over the plane, compared with the radius"
    } else if any(Convex::is_unbounded) {
        "exact heights of the corners over the plane"
    } else if has_mesh && any(is_curved) {
        "polytopes inside and around the curved body, a proved bracket for each triangle near it"
    } else if has_mesh && any(is_round) {
        "the bracket of the distance of the mesh from the core, less the radius"
    } else if has_mesh {
        "exact signs of the triangles near each other, trees for the others"
    } else if any(is_curved) {
        "hulls inside the bodies from one side, extents of the bodies from the other"
    } else {
        "the bracket of the distance of the cores, less the radii"
    }
}

fn described(body: &Body, shape: &Shape, unit: Option<LengthUnit>) -> String {
    let body = match body {
        Body::Convex(convex) => convex,
        Body::Mesh(mesh) => {
            let mesh: &Mesh = mesh.mesh();
            let kind = KindName::of(shape).map_or("surface", KindName::name);
            return format!("{kind} of {}", counted(mesh.triangles().len(), "triangle"));
        }
        Body::Compound(compound) => {
            return format!("compound of {}", counted(compound.parts().len(), "part"));
        }
    };
    // Meshes that are convex are related as polytopes, and are solids all the same.
    let kind = KindName::of(shape).map_or(String::new(), |kind| format!("convex {}, ", kind.name()));
    let core = match body.core() {
        Some(core) => counted(core.polytope().vertices().len(), "vertex").replace("vertexs", "vertices"),
        None if shape.bounds().is_none() => "unbounded".into(),
        None => "curved".into(),
    };
    let core = kind + &core;
    let radius = body.radius();
    if radius > 0.0 { format!("{core}, radius {}", with_unit(&plain(radius), unit)) } else { core }
}

/// A number with its bracket; all digits, since the last ones are what the proof is about.
fn bracket(bracket: Bracket, unit: Option<LengthUnit>) -> String {
    let Bracket { lower, upper } = bracket;
    let ends = [full(lower), full(upper)];
    if lower == upper {
        return format!("{}, exactly", with_unit(&ends[1], unit));
    }
    if is_wide(bracket) {
        return format!("proved between {} and {}", ends[0], with_unit(&ends[1], unit));
    }
    format!("{}, proved between {} and {}", with_unit(&plain(upper), unit), ends[0], ends[1])
}

/// Whether the ends differ in digits that people read: solids that are not convex have such depths.
fn is_wide(bracket: Bracket) -> bool {
    bracket.upper - bracket.lower > 1e-6 * bracket.upper
}

fn point(point: DVec3) -> String {
    let [x, y, z] = point.to_array().map(short);
    format!("({x}, {y}, {z})")
}

/// The vertices that a witness counts, if they are few.
fn vertex_list(label: &str, body: &Body) -> String {
    const MOST: usize = 24;
    let Some(core) = body.as_convex().and_then(|convex| convex.core()) else { return String::new() };
    let vertices = core.polytope().vertices();
    let lines = vertices.iter().take(MOST).enumerate().map(|(i, v)| format!("    {label}{i} = {}\n", v));
    let more = vertices.len().saturating_sub(MOST);
    let rest = if more > 0 { format!("    and {more} more; --json has all\n") } else { String::new() };
    lines.collect::<String>() + &rest
}

/// The pairs of triangles that meet, if they are few.
fn contact_lines(contacts: &[ContactFile]) -> String {
    const MOST: usize = 24;
    let mut text = format!("  contacts  {} of triangles\n", counted(contacts.len(), "pair"));
    for ContactFile { triangles: [a, b], relation, points } in contacts.iter().take(MOST) {
        let crosses = if *relation == RelationName::Overlapping { "crosses" } else { "touches" };
        let points: Vec<String> = points.iter().map(|p| point(DVec3::from_array(p.map(|x| x.0)))).collect();
        text += &format!("    A{a} {crosses} B{b}  {}\n", points.join(" "));
    }
    let more = contacts.len().saturating_sub(MOST);
    if more > 0 {
        text += &format!("    and {more} more; --json has all\n");
    }
    text
}
