//! Scenes: what they may say, what they load, and how they are refused.

use clearance::{
    Pose,
    glam::{DMat3, DVec3},
    math::Screw,
    shape::{Defects, MeshKind, Primitive, Shape},
};
use clearance_io::{
    LengthUnit,
    scene::{LoadedScene, Movement, Number, SceneError, SceneFile, SceneOptions, load, parse, schema},
};
use std::path::{Path, PathBuf};

/// A closed tetrahedron as OBJ text.
const TETRAHEDRON: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/// A folder with a scene and the mesh files it may name.
struct Folder(tempfile::TempDir);

impl Folder {
    fn with(scene: &str) -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        folder.write("scene.json", scene);
        folder.write("tetrahedron.obj", TETRAHEDRON);
        folder
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    fn load(&self) -> Result<LoadedScene, SceneError> {
        self.load_with(&SceneOptions::default())
    }

    fn load_with(&self, options: &SceneOptions<'_>) -> Result<LoadedScene, SceneError> {
        load(self.0.path().join("scene.json"), options)
    }
}

/// A scene of one part with this shape.
fn with_shape(shape: &str) -> String {
    format!(r#"{{ "parts": [{{ "name": "p", "shape": {shape} }}] }}"#)
}

/// Line, column and text of a refusal.
fn refusal(folder: &Folder) -> (usize, usize, String) {
    match folder.load() {
        Err(SceneError::Invalid { line, column, problem, .. }) => (line, column, problem),
        other => panic!("expected a refusal, got {other:?}"),
    }
}

#[test]
fn every_kind_of_shape_loads() {
    let shapes = [
        (r#"{ "mesh": "tetrahedron.obj" }"#, "solid"),
        (r#"{ "mesh": "tetrahedron.obj", "as": "surface" }"#, "surface"),
        (r#"{ "mesh": "tetrahedron.obj", "as": "convex", "rounding": 0.5 }"#, "rounded"),
        (r#"{ "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0]] }"#, "polytope"),
        (r#"{ "points": [[0, 0, 0]], "as": "convex" }"#, "polytope"),
        (r#"{ "triangles": [[[0, 0, 0], [1, 0, 0], [0, 1, 0]]] }"#, "surface"),
        (r#"{ "indexed": { "positions": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,2]] } }"#, "surface"),
        (r#"{ "box": [1, 2, 3] }"#, "box"),
        (r#"{ "sphere": { "radius": 1 } }"#, "sphere"),
        (r#"{ "ellipsoid": { "semi_axes": [1, 2, 3] } }"#, "ellipsoid"),
        (r#"{ "capsule": { "radius": 1, "length": 2 } }"#, "capsule"),
        (r#"{ "cylinder": { "radius": 1, "height": 2 } }"#, "cylinder"),
        (r#"{ "cone": { "radius": 1, "height": 2 } }"#, "cone"),
        (r#"{ "half-space": { "normal": [0, 0, 1], "offset": 0 } }"#, "half-space"),
        (r#"{ "plane": { "normal": [0, 0, 1], "offset": 0 } }"#, "plane"),
        (r#"{ "triangle": [[0, 0, 0], [1, 0, 0], [0, 1, 0]] }"#, "triangle"),
        (r#"{ "segment": [[0, 0, 0], [1, 0, 0]] }"#, "segment"),
        (r#"{ "point": [1, 2, 3] }"#, "point"),
    ];
    for (shape, kind) in shapes {
        let scene =
            Folder::with(&with_shape(shape)).load().unwrap_or_else(|error| panic!("{shape}: {error}"));
        assert_eq!(scene.parts[0].shape.kind_name(), kind, "{shape}");
    }
}

#[test]
fn dimensions_reach_the_right_fields() {
    let of = |shape: &str| {
        std::sync::Arc::unwrap_or_clone(
            Folder::with(&with_shape(shape)).load().unwrap().parts.remove(0).shape,
        )
    };
    let Shape::Primitive(Primitive::Capsule(capsule)) = of(r#"{ "capsule": { "radius": 1, "length": 2 } }"#)
    else {
        panic!("no capsule");
    };
    assert_eq!((capsule.radius(), capsule.length()), (1.0, 2.0));
    let Shape::Primitive(Primitive::Cone(cone)) = of(r#"{ "cone": { "radius": 1, "height": 2 } }"#) else {
        panic!("no cone");
    };
    assert_eq!((cone.radius(), cone.height()), (1.0, 2.0));
    let Shape::Primitive(Primitive::Cuboid(cuboid)) = of(r#"{ "box": [1, 2, "0x1.8p1"] }"#) else {
        panic!("no box");
    };
    assert_eq!(cuboid.edges(), DVec3::new(1.0, 2.0, 3.0));
}

#[test]
fn poses_have_two_forms_and_keep_their_bits() {
    let text = r#"{ "parts": [
        { "name": "rest", "shape": { "point": [0, 0, 0] } },
        { "name": "rows", "shape": { "point": [0, 0, 0] }, "pose": [0,-1,0,1, 1,0,0,2, 0,0,1,"0x1.999999999999ap-4"] },
        { "name": "parts", "shape": { "point": [0, 0, 0] },
          "pose": { "translation": [1, 2, 3], "quaternion_xyzw": [0, 0, 2, 2] } },
        { "name": "moved", "shape": { "point": [0, 0, 0] }, "pose": { "translation": [1, 2, 3] } }
    ] }"#;
    let scene = Folder::with(text).load().unwrap();
    assert_eq!(scene.parts[0].pose, Pose::IDENTITY);
    let quarter_turn = DMat3::from_cols(DVec3::Y, DVec3::NEG_X, DVec3::Z);
    assert_eq!(scene.parts[1].pose, Pose::new(quarter_turn, DVec3::new(1.0, 2.0, 0.1)).unwrap());
    assert!((scene.parts[2].pose.rotation() * DVec3::X - DVec3::Y).length() < 1e-15);
    assert_eq!(scene.parts[3].pose.translation(), DVec3::new(1.0, 2.0, 3.0));
}

#[test]
fn motions_groups_and_ignored_pairs_load() {
    let text = r#"{ "parts": [
        { "name": "a", "shape": { "point": [0,0,0] }, "group": "g", "motion": { "translate": [1,0,0], "t0": 2, "t1": 5 } },
        { "name": "b", "shape": { "point": [0,0,0] }, "group": "g", "motion": { "to": { "translation": [0,0,9] } } },
        { "name": "c", "shape": { "point": [0,0,0] } },
        { "name": "d", "shape": { "point": [0,0,0] }, "motion": { "velocity": [0,2,0], "spin": [0,0,3] } },
        { "name": "e", "shape": { "point": [0,0,0] }, "motion": { "spin": [0,0,3] } },
        { "name": "f", "shape": { "point": [0,0,0] },
          "motion": { "screw": { "axis": [0,0,2], "center": [1,0,0], "angle": 20, "shift": -1 }, "t1": 3 } }
    ], "ignore": [["g", "c"]] }"#;
    let scene = Folder::with(text).load().unwrap();
    let flight = |velocity: DVec3| Movement::Fly { velocity, spin: DVec3::new(0.0, 0.0, 3.0) };
    assert_eq!(scene.parts[3].motion.unwrap().movement, flight(DVec3::new(0.0, 2.0, 0.0)));
    assert_eq!(scene.parts[4].motion.unwrap().movement, flight(DVec3::ZERO));
    let screw = Screw::new(DVec3::Z * 2.0, DVec3::X, 20.0, -1.0).unwrap();
    assert_eq!(scene.parts[5].motion.unwrap().movement, Movement::Screw { screw });
    let motion = scene.parts[0].motion.unwrap();
    assert_eq!((motion.t0, motion.t1), (2.0, 5.0));
    assert_eq!(motion.movement, Movement::Translate { displacement: DVec3::X });
    let to = Pose::from_translation(DVec3::new(0.0, 0.0, 9.0)).unwrap();
    assert_eq!(scene.parts[1].motion.unwrap().movement, Movement::To { pose: to });
    assert_eq!(scene.parts[1].motion.unwrap().t1, 1.0);
    assert!(scene.ignored.contains(0, 2) && scene.ignored.contains(2, 1) && !scene.ignored.contains(0, 1));
}

/// Line and column of the character behind the mark.
fn place_of_mark(marked: &str) -> (usize, usize) {
    let before = &marked[..marked.find('§').unwrap()];
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// Every refusal names its place, marked here by §: the start of a value, or where the parser gave up.
#[test]
fn refusals_name_line_column_and_advice() {
    let part = |rest: &str| format!("{{\n  \"parts\": [\n    {{ \"name\": \"p\", {rest} }}\n  ]\n}}");
    let cases: Vec<(String, &str)> = vec![
        (r#"{ "parts": [ §}"#.into(), "no JSON value begins here"),
        (r#"§[]"#.into(), "a scene: an object in braces"),
        (part(r#""shape": { "sphere":§ [1] }"#), "a sphere: an object in braces"),
        (r#"§"#.into(), "the text ends where a value is expected"),
        (r#"{ "$schema": "éé", "unit": §"é" }"#.into(), "unknown unit"),
        (r#"{§}"#.into(), "missing field `parts`"),
        (part(r#"§"shap": { "point": [0,0,0] }"#), "unknown field `shap`; did you mean \"shape\"?"),
        (part(r#""shape": { "sphere": { "radius": §"big" } }"#), "not a hexadecimal float"),
        (part(r#""shape": { "sphere": §{ "radius": -1 } }"#), "part `p`: radius is -1"),
        (part(r#""shape": { "sphere": { "radius": §1e400 } }"#), "the number is out of range"),
        (part(r#""shape": §{ }"#), "no shape is given"),
        (part(r#""shape": { "box": [1,1,1], "point": §[0,0,0] }"#), "two shapes are given"),
        (part(r#""shape": { "box": [1, 1§] }"#), "invalid length 2"),
        (part(r#""shape": { "points": [[0,0,0], §[1,0,1e200]] }"#), "point 1"),
        (part(r#""shape": { "points": §[] }"#), "at least one point"),
        (part(r#""shape": { "box": [1,1,1], "as": §"solid" }"#), "`as`"),
        (part(r#""shape": { "box": [1,1,1], "unit": §"mm" }"#), "unit"),
        (part(r#""shape": { "mesh": "tetrahedron.obj", "rounding": §1 }"#), "\"as\": \"convex\""),
        (part(r#""shape": { "mesh": §"none.stl" }"#), "\"none.stl\" cannot be opened"),
        (part(r#""shape": { "mesh": §"scene.json" }"#), "unknown extension"),
        (part(r#""shape": { "point": [0,0,0] }, "pose": [1,0,0,0, 0,1,0,0, 0,0,1§]"#), "12 numbers"),
        (part(r#""shape": { "point": [0,0,0] }, "pose": §[1,0,0,0, 0,1,0,0, 0,0,2,0]"#), "no rotation"),
        (
            part(r#""shape": { "point": [0,0,0] }, "pose": { "translation": [0,0,0], §"rotation": 1 }"#),
            "rotation",
        ),
        (part(r#""shape": { "point": [0,0,0] }, "pose": §{ "quaternion_xyzw": [0,0,0,0] }"#), "length zero"),
        (part(r#""shape": { "point": [0,0,0] }, "motion": §{ "t1": 2 }"#), "`translate`, `to` or `screw`"),
        (
            part(
                r#""shape": { "point": [0,0,0] }, "motion": { "screw": §{ "axis": [0,0,0], "center": [0,0,0] } }"#,
            ),
            "the axis must be",
        ),
        (
            part(
                r#""shape": { "point": [0,0,0] }, "motion": { "translate": [0,0,1], "screw": §{ "axis": [0,0,1], "center": [0,0,0] } }"#,
            ),
            "one of `translate`, `to` and `screw`",
        ),
        (part(r#""shape": { "point": [0,0,0] }, "motion": { "translate": [1,0,0], "t1": §0 }"#), "t1 = 0"),
        (part(r#""shape": { "point": [0,0,0] }, "motion": { "spin": [1,0,0], "t1": §2 }"#), "free flight"),
        (
            part(
                r#""shape": { "point": [0,0,0] }, "motion": { "translate": §[1,0,0], "velocity": [1,0,0] }"#,
            ),
            "free flight",
        ),
        (part(r#""shape": { "point": [0,0,0] }, "motion": { "velocity": §[1,0,1e300] }"#), "2^300"),
        (part(r#""shape": { "point": [0,0,0] }, "group": §"""#), "group needs a name"),
        (part(r#""shape": { "point": [0,0,0] }, "group": §"p""#), "name of a part"),
        (part(r#""shape": { "point": [0,0,0] }, §"name": "q""#), "duplicate field"),
        (r#"{ "unit": §"miles", "parts": [] }"#.into(), "use one of um, mm"),
        (r#"{ "parts": [{ "name": §"", "shape": { "point": [0,0,0] } }] }"#.into(), "needs a name"),
        (r#"{ "parts": [], "ignore": [[§"a", "b"]] }"#.into(), "no part or group is named \"a\""),
    ];
    let mut wrong = Vec::new();
    for (marked, message) in cases {
        let place = place_of_mark(&marked);
        let text = marked.replace('§', "");
        let (line, column, problem) = refusal(&Folder::with(&text));
        if !problem.contains(message) || (line, column) != place {
            wrong.push(format!(
                "{text}\nexpected {place:?} {message}\nfound    {:?} {problem}",
                (line, column)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_refusal_prints_the_line_with_a_caret() {
    let text = "{ \"parts\": [\n  { \"name\": \"ball\", \"shape\": { \"sphere\": { \"radius\": 0 } } }\n] }";
    let folder = Folder::with(text);
    let printed = folder.load().unwrap_err().to_string();
    let lines: Vec<&str> = printed.lines().collect();
    assert!(lines[0].contains("scene.json:2:42: part `ball`: radius is 0"), "{printed}");
    assert_eq!(lines[1].chars().nth(lines[2].find('^').unwrap()), Some('{'), "{printed}");
}

#[test]
fn names_must_differ() {
    let part = r#"{ "name": "a", "shape": { "point": [0, 0, 0] } }"#;
    let (line, column, problem) = refusal(&Folder::with(&format!("{{ \"parts\": [{part},\n{part}] }}")));
    assert_eq!((line, column), (2, 11));
    assert!(problem.contains("taken by an earlier part"), "{problem}");
}

#[test]
fn files_outside_the_folder_need_permission() {
    let folder = Folder::with(&with_shape(r#"{ "mesh": "tetrahedron.obj" }"#));
    let outside = folder.write("tetrahedron.obj", TETRAHEDRON);
    let absolute = outside.to_str().unwrap().replace('\\', "/");
    for name in ["../tetrahedron.obj", "./../inner/../tetrahedron.obj", absolute.as_str()] {
        let inner = folder.write("inner/scene.json", &with_shape(&format!(r#"{{ "mesh": "{name}" }}"#)));
        let error = load(&inner, &SceneOptions::default()).unwrap_err().to_string();
        assert!(error.contains("leads out of the scene's folder"), "{name}: {error}");
        let trusted = SceneOptions { allow_outside: true, ..SceneOptions::default() };
        assert!(load(&inner, &trusted).is_ok(), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out_unseen() {
    let folder = Folder::with("{}");
    let inner = folder.write("inner/scene.json", &with_shape(r#"{ "mesh": "link.obj" }"#));
    std::os::unix::fs::symlink(folder.0.path().join("tetrahedron.obj"), inner.with_file_name("link.obj"))
        .unwrap();
    let error = load(&inner, &SceneOptions::default()).unwrap_err().to_string();
    assert!(error.contains("is a link out of the scene's folder"), "{error}");
    // A link that stays inside is fine, and so is a scene that is reached through a link to its folder.
    folder.write("inner/real.obj", TETRAHEDRON);
    folder.write("inner/scene.json", &with_shape(r#"{ "mesh": "inside.obj" }"#));
    std::os::unix::fs::symlink("real.obj", inner.with_file_name("inside.obj")).unwrap();
    std::os::unix::fs::symlink(folder.0.path().join("inner"), folder.0.path().join("alias")).unwrap();
    assert!(load(folder.0.path().join("alias/scene.json"), &SceneOptions::default()).is_ok());
}

#[test]
fn units_of_files_are_converted_to_the_scene() {
    let volume_of = |text: &str| {
        let scene = Folder::with(text).load().unwrap();
        let Shape::Mesh(mesh) = &*scene.parts[0].shape else { panic!("no mesh") };
        (scene.unit, mesh.bounds().max, scene.parts[0].source.notes.clone())
    };
    let (unit, size, notes) = volume_of(
        r#"{ "unit": "mm", "parts": [{ "name": "p", "shape": { "mesh": "tetrahedron.obj", "unit": "in" } }] }"#,
    );
    assert_eq!((unit, size), (Some(LengthUnit::Millimetre), DVec3::splat(25.4)));
    assert_eq!(notes, ["converted from in to mm"]);
    // What no one states stays as it is; what one file states is taken over.
    let (unit, size, notes) = volume_of(&with_shape(r#"{ "mesh": "tetrahedron.obj" }"#));
    assert_eq!((unit, size, notes.len()), (None, DVec3::ONE, 0));
    let (unit, ..) = volume_of(&with_shape(r#"{ "mesh": "tetrahedron.obj", "unit": "ft" }"#));
    assert_eq!(unit, Some(LengthUnit::Foot));
    let two = r#"{ "parts": [{ "name": "p", "shape": { "mesh": "tetrahedron.obj", "unit": "ft" } },
                             { "name": "q", "shape": { "mesh": "tetrahedron.obj", "unit": "m" } }] }"#;
    assert!(refusal(&Folder::with(two)).2.contains("state the unit of the scene"));
}

#[test]
fn strict_scenes_refuse_defective_meshes() {
    let folder = Folder::with(&with_shape(r#"{ "mesh": "flat.obj" }"#));
    folder.write("flat.obj", &format!("{TETRAHEDRON}f 1 1 2\n"));
    assert!(folder.load().is_ok());
    let strict = SceneOptions { defects: Defects::Refuse, ..SceneOptions::default() };
    let error = folder.load_with(&strict).unwrap_err().to_string();
    assert!(error.contains("has defects"), "{error}");
}

#[test]
fn solids_that_are_not_closed_are_refused_when_asked_for() {
    let triangle = r#"{ "triangles": [[[0,0,0],[1,0,0],[0,1,0]]], "as": "solid" }"#;
    assert!(refusal(&Folder::with(&with_shape(triangle))).2.contains("does not bound a solid"));
    let scene = Folder::with(&with_shape(r#"{ "mesh": "tetrahedron.obj", "as": "solid" }"#)).load().unwrap();
    let Shape::Mesh(mesh) = &*scene.parts[0].shape else { panic!("no mesh") };
    assert_eq!(mesh.kind(), MeshKind::Solid);
}

#[test]
fn a_byte_order_mark_is_no_obstacle() {
    let text = format!("\u{feff}{}", with_shape(r#"{ "sphere": { "radius": 0 } }"#));
    let (line, column, _) = refusal(&Folder::with(&text));
    assert_eq!((line, column), (1, 49));
}

#[test]
fn missing_files_and_folders_are_said() {
    let error = load("no/such/scene.json", &SceneOptions::default()).unwrap_err().to_string();
    assert!(error.starts_with("no/such/scene.json: cannot be read"), "{error}");
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(load(folder.path(), &SceneOptions::default()), Err(SceneError::Io { .. })));
}

/// Written and read back, a scene is the same, bit for bit.
#[test]
fn scenes_survive_a_round_trip() {
    let text = r#"{
        "$schema": "scene.schema.json", "unit": "in",
        "parts": [
            { "name": "a", "group": "g", "shape": { "mesh": "a.stl", "as": "solid", "unit": "mm" },
              "pose": [1,0,0,0.1, 0,1,0,1e-300, 0,0,1,-0.0], "motion": { "translate": [1,2,3], "t0": 0.1, "t1": 7 } },
            { "name": "b", "shape": { "box": [0.1, 0.2, 0.30000000000000004], "rounding": 5e-324 },
              "pose": { "translation": [1,2,3], "quaternion_xyzw": [0,0,0,1] },
              "motion": { "to": { "translation": [0,0,1] } } },
            { "name": "turned", "shape": { "point": [0,0,0] },
              "motion": { "screw": { "axis": [0,0.1,1], "center": [1,0,0], "angle": 7, "shift": 0.3 } } },
            { "name": "c", "shape": { "point": [0,0,0] }, "motion": { "velocity": [0.1,-0.0,1e-300], "spin": [0.2,0,0] } }
        ],
        "ignore": [["a", "b"]]
    }"#;
    let scene = parse(text, Path::new("s")).unwrap();
    let again: SceneFile = parse(&serde_json::to_string(&scene).unwrap(), Path::new("s")).unwrap();
    assert_eq!(scene, again);
    assert_eq!(again.parts[1].shape.rounding.map(|n| n.0.to_bits()), Some(1));
    assert_eq!(scene.parts[0].shape.mesh.as_deref(), Some("a.stl"));
    assert_ne!(scene.parts[1].shape.cuboid, Some([Number(0.1), Number(0.2), Number(0.3)]));
}

/// Random damage to a scene gives an error or a scene, never a panic.
#[test]
fn damaged_scenes_do_not_panic() {
    let text = r#"{ "unit": "mm", "parts": [{ "name": "é", "shape": { "box": [1, 2, "0x1p3"] }, "pose": [1,0,0,0, 0,1,0,0, 0,0,1,0],
        "motion": { "translate": [1, 0, 0] } }, { "name": "b", "shape": { "points": [[0,0,0],[1,1,1]] } }], "ignore": [["é", "b"]] }"#;
    let mut state = 1u64;
    let mut random = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    let folder = Folder::with(text);
    let alphabet: Vec<char> = "{}[],:\"\\ 019.eé-xp\n".chars().collect();
    for case in 0..3000 {
        let mut damaged: Vec<char> = text.chars().collect();
        for _ in 0..=random(3) {
            let at = random(damaged.len());
            match random(3) {
                0 => drop(damaged.remove(at)),
                1 => damaged.insert(at, alphabet[random(alphabet.len())]),
                _ => damaged[at] = alphabet[random(alphabet.len())],
            }
        }
        let damaged: String = damaged.into_iter().collect();
        if let Err(error) = parse(&damaged, Path::new("s")) {
            assert!(error.to_string().starts_with("s:"), "{error}");
        } else if case % 10 == 0 {
            folder.write("scene.json", &damaged);
            let _ = folder.load();
        }
    }
}

/// `docs/scene.schema.json` is what the code says. To write it anew: `CLEARANCE_BLESS=1 cargo test -p clearance-io`.
#[test]
fn the_published_schema_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scene.schema.json");
    if std::env::var_os("CLEARANCE_BLESS").is_some() {
        std::fs::write(&path, schema()).unwrap();
    }
    let published = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        published,
        schema(),
        "run `CLEARANCE_BLESS=1 cargo test -p clearance-io` and commit docs/scene.schema.json"
    );
}
