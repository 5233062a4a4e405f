use super::*;
use clearance::shape::{Cuboid, Primitive};
use clearance_io::picture::{Fineness, tessellate};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A cube of this edge, placed at these distances along x.
    fn cube(&self, name: &str, edge: f64, places: &[f64]) -> PathBuf {
        let shape = Shape::from(Primitive::from(Cuboid::new(DVec3::splat(edge)).unwrap()));
        let mut document = Document::default();
        let soup = tessellate(&shape, Fineness::default()).unwrap();
        let geometry = document.place("cube", soup, Pose::IDENTITY);
        document.placements.clear();
        for &x in places {
            let pose = Pose::from_translation(DVec3::X * x).unwrap();
            document.placements.push(clearance_io::Placement { name: "cube".into(), geometry, pose });
        }
        clearance_io::write(self.path(name), &document).unwrap();
        self.path(name)
    }

    fn text(&self, name: &str, text: &str) -> PathBuf {
        std::fs::write(self.path(name), text).unwrap();
        self.path(name)
    }
}

fn arguments(unit: Option<LengthUnit>) -> ReadArguments {
    ReadArguments { unit, strict: false, weld: None, allow_outside: false }
}

fn edge(part: &AssembledPart) -> f64 {
    part.shape.as_ref().unwrap().bounds().unwrap().extent().x
}

#[test]
fn ids_are_unique_and_do_not_depend_on_later_parts() {
    let mut names = Names::default();
    let given = [("bolt", "bolt"), ("bolt", ""), ("bolt", "head"), ("bolt", "bolt"), ("x/bolt", "bolt")];
    let ids = given.map(|(base, name)| names.unique(base, name));
    assert_eq!(ids, ["bolt", "bolt#2", "bolt/head", "bolt#3", "x/bolt"]);
    // A name that looks like a number given before.
    assert_eq!(names.unique("bolt#2", ""), "bolt#2#2");
}

#[test]
fn files_with_a_unit_are_brought_to_the_common_one_and_silent_ones_need_a_word() {
    let folder = Folder::new();
    let (glb, ply) = (folder.cube("a.glb", 1.0, &[0.0, 2.0]), folder.cube("b.ply", 1.0, &[0.0]));
    let load = |files: &[&PathBuf], unit| {
        let files: Vec<PathBuf> = files.iter().map(|&file| file.clone()).collect();
        super::load(&files, &arguments(unit), false)
    };
    let alone = load(&[&glb], None).unwrap();
    assert_eq!((alone.unit, alone.title.as_str()), (Some(LengthUnit::Metre), "a.glb"));
    assert!(Arc::ptr_eq(&alone.parts[0].body, &alone.parts[1].body), "one geometry, placed twice");
    assert_eq!(load(&[&ply], None).unwrap().unit, None);
    let Err(Failure::Input(error)) = load(&[&glb, &ply], None) else { panic!("taken") };
    assert!(error.contains("b.ply") && error.contains("--unit"), "{error}");
    let both = load(&[&glb, &ply], Some(LengthUnit::Millimetre)).unwrap();
    assert_eq!(both.unit, Some(LengthUnit::Millimetre));
    assert_eq!(both.parts.iter().map(edge).collect::<Vec<_>>(), [1000.0, 1000.0, 1.0]);
    assert_eq!(both.parts[1].pose.translation(), DVec3::X * 2000.0);
    let ids: Vec<&str> = both.parts.iter().map(|part| part.id.as_str()).collect();
    assert_eq!(ids, ["a/cube", "a/cube#2", "b"]);
}

#[test]
fn scenes_share_what_they_read_keep_their_groups_and_lead_the_unit() {
    let folder = Folder::new();
    folder.cube("cube.ply", 1.0, &[0.0]);
    let glb = folder.cube("other.glb", 1.0, &[0.0]);
    let scene = folder.text(
        "scene.json",
        r#"{ "unit": "cm", "parts": [
            { "name": "p", "shape": { "mesh": "cube.ply" }, "group": "g" },
            { "name": "q", "shape": { "mesh": "cube.ply" }, "pose": { "translation": [3, 0, 0] } },
            { "name": "r", "shape": { "mesh": "cube.ply", "as": "convex" }, "motion": { "translate": [1, 0, 0] } }
        ], "ignore": [["p", "q"]] }"#,
    );
    let read = |files: &[PathBuf]| load(files, &arguments(Some(LengthUnit::Millimetre)), false);
    let found = read(&[glb, scene]).unwrap();
    assert_eq!(found.unit, Some(LengthUnit::Centimetre));
    assert_eq!(edge(&found.parts[0]), 100.0);
    assert!(Arc::ptr_eq(&found.parts[1].body, &found.parts[2].body));
    assert!(!Arc::ptr_eq(&found.parts[1].body, &found.parts[3].body), "read as something else");
    assert_eq!((found.parts[1].group.as_deref(), found.parts[1].id.as_str()), (Some("g"), "scene/p"));
    assert!(found.ignored.contains(1, 2) && !found.ignored.contains(0, 1) && found.parts[3].motion.is_some());
    let turning = folder.text(
        "turning.json",
        r#"{ "parts": [{ "name": "t", "shape": { "box": [1, 1, 1] }, "motion": { "velocity": [0, 0, 1] } }] }"#,
    );
    let Err(Failure::Input(error)) = read(&[turning]) else { panic!("taken") };
    assert!(error.contains("part `t`") && error.contains("translate"), "{error}");
}

#[test]
fn files_that_fail_end_the_run_or_are_listed() {
    let folder = Folder::new();
    folder.cube("good.ply", 1.0, &[0.0]);
    folder.text("bad.off", "OFF\n3 1 0\n0 0 0\n1 0");
    folder.text("worse.step", "ISO-10303-21;");
    let inputs = [folder.0.path().to_path_buf()];
    assert!(matches!(load(&inputs, &arguments(None), false), Err(Failure::Input(_))));
    let found = load(&inputs, &arguments(None), true).unwrap();
    assert_eq!(found.parts.len(), 1);
    let names: Vec<String> = found.skipped.iter().map(|skipped| skipped.file.clone()).collect();
    assert_eq!(names, ["bad.off", "worse.step"].map(|name| folder.path(name).display().to_string()));
}
