//! The real binary: every verb, every exit code, every help text.

use clearance::shape::{Mesh, MeshConfig, Polytope};
use clearance_io::{ReadOptions, read};
use serde_json::Value;
use std::process::{Command, Stdio};

mod bench;
use bench::{Bench, clearance};

/// The square of a sheet with a fold: an open surface.
const OPEN: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 1\nf 1 2 3\nf 1 3 4\n";

#[test]
fn info_reports_what_is_there() {
    let bench = Bench::new();
    bench.fine("make gear --teeth 12 -o gear.ply");
    bench.fine("make box --x 2 --y 3 --z 4 -o box.obj");
    let report = bench.json("info gear.ply box.obj --unit mm --json");
    let part = |i: usize| &report["files"][i]["parts"][0];
    assert_eq!(report["files"][0]["unit"], "mm");
    assert_eq!(
        (&part(0)["kind"], &part(0)["convex"], &part(0)["closed"]),
        (&"solid".into(), &false.into(), &true.into())
    );
    assert_eq!(
        (&part(1)["convex"], &part(1)["volume"], &part(1)["triangles"]),
        (&true.into(), &24.0.into(), &12.into())
    );
    assert_eq!(part(1)["extents"], serde_json::json!([2.0, 3.0, 4.0]));
    assert_eq!(part(1)["problems"], serde_json::json!([]));
    let table = bench.fine("info box.obj --unit mm");
    assert!(table.contains("24 mm³") && table.contains("2 x 3 x 4 mm"), "{table}");
    assert!(bench.fine("info box.obj").contains("unit not stated"));
}

/// JSON numbers are the library's, bit for bit.
#[test]
fn json_numbers_survive_exactly() {
    let bench = Bench::new();
    bench.fine("make polytope --vertices 300 --seed 9 -o p.ply");
    let document = read(bench.path("p.ply"), &ReadOptions::default()).unwrap();
    let mesh = Mesh::build(&document.to_soup(), &MeshConfig::default()).unwrap();
    let report = bench.json("info p.ply --json");
    let part = &report["files"][0]["parts"][0];
    assert_eq!(part["volume"].as_f64().unwrap().to_bits(), mesh.volume().unwrap().to_bits());
    assert_eq!(part["area"].as_f64().unwrap().to_bits(), mesh.area().to_bits());
    for axis in 0..3 {
        assert_eq!(part["min"][axis].as_f64().unwrap().to_bits(), mesh.bounds().min[axis].to_bits());
    }
}

#[test]
fn fail_on_says_what_it_found_and_exits_with_one() {
    let bench = Bench::new();
    bench.write("open.obj", OPEN);
    bench.write("flat.obj", &format!("{OPEN}f 1 1 2\n"));
    bench.fine("make cube -o cube.stl");
    for (arguments, code) in [
        ("open.obj --fail-on open", 1),
        ("open.obj --fail-on surface", 1),
        ("open.obj --fail-on nonconvex", 1),
        ("open.obj --fail-on degenerate,duplicate,inverted,inconsistent,nonmanifold", 0),
        ("flat.obj --fail-on degenerate", 1),
        ("cube.stl --fail-on open,nonconvex,degenerate,surface", 0),
        ("cube.stl open.obj --fail-on open", 1),
        ("cube.stl none.obj --fail-on nonconvex", 3),
    ] {
        let (found, _, err) = bench.run(&format!("info {arguments}"));
        assert_eq!(found, code, "{arguments}\n{err}");
        if code == 1 {
            assert!(err.starts_with("note: found "), "{err}");
        }
    }
    let (_, out, _) = bench.run("info open.obj --fail-on open --json");
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        report["found"][0],
        serde_json::json!({ "condition": "open", "file": "open.obj", "part": "open" })
    );
}

#[test]
fn files_that_can_be_read_are_reported_beside_those_that_cannot() {
    let bench = Bench::new();
    bench.fine("make cube -o cube.stl");
    let (code, out, err) = bench.run("info cube.stl none.stl --json");
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(code, 3);
    assert_eq!(report["files"].as_array().unwrap().len(), 1);
    assert_eq!(report["errors"][0]["file"], "none.stl");
    assert!(err.contains("1 of 2 files could not be read"), "{err}");
}

#[test]
fn strict_refuses_what_would_be_repaired() {
    let bench = Bench::new();
    bench.write("flat.obj", &format!("{OPEN}f 1 1 2\n"));
    assert!(bench.fine("info flat.obj").contains("1 triangle without area (removed)"));
    assert!(bench.refused(3, "info flat.obj --strict").contains("has defects"));
}

#[test]
fn weld_merges_what_is_close() {
    let bench = Bench::new();
    bench.write("crack.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 0 0.0001\nv 1 1 0\nf 1 2 3\nf 3 4 5\n");
    let vertices = |arguments: &str| bench.json(arguments)["files"][0]["parts"][0]["vertices"].clone();
    assert_eq!(vertices("info crack.obj --json"), 5);
    assert_eq!(vertices("info crack.obj --json --weld 0.001"), 4);
}

#[test]
fn bad_input_is_refused_with_what_where_and_what_to_do() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("folder")).unwrap();
    std::fs::create_dir(bench.path("folder.json")).unwrap();
    bench.write("note.txt", "hello");
    bench.write("part.step", "ISO-10303-21;");
    bench.write("bad.obj", "v 0 0 0\nf 1 2 9\n");
    bench.write("empty.stl", "");
    bench.write(
        "bad.json",
        "{\n  \"parts\": [{ \"name\": \"a\", \"shape\": { \"sphere\": { \"raduis\": 1 } } }]\n}\n",
    );
    for (file, message) in [
        ("none.stl", "none.stl: cannot be read"),
        ("folder", "folder: is not a file"),
        ("folder.json", "folder.json: is a folder"),
        ("note.txt", "unknown extension; readable are .stl"),
        ("part.step", "convert the file"),
        ("bad.obj", "bad.obj:2:"),
        ("empty.stl", "empty.stl"),
        ("bad.json", "bad.json:2:51: unknown field `raduis`; did you mean \"radius\"?"),
    ] {
        let err = bench.refused(3, &format!("info {file}"));
        assert!(err.contains(message), "{err}");
        assert!(bench.refused(3, &format!("hull {file}")).contains(message));
    }
}

#[test]
fn wrong_usage_exits_with_two() {
    let bench = Bench::new();
    bench.fine("make cube -o cube.stl");
    for (arguments, message) in [
        ("", ""),
        ("nonsense", "unrecognized subcommand"),
        ("info", "required arguments"),
        ("info cube.stl --fail-on nonsense", "possible values: open"),
        ("info cube.stl --unit parsec", "use one of um, mm"),
        ("info cube.stl --weld -1", "not negative"),
        ("info cube.stl --picture cube.png", ".svg or .glb"),
        ("make", ""),
        ("make nonsense", "unrecognized subcommand"),
        ("make gear", "-o gear.stl"),
        ("make gear --teeth 2 -o gear.stl", "teeth is 2"),
        ("make gear --teeth many -o gear.stl", "invalid value 'many'"),
        ("make box --x -1 -o box.stl", "positive"),
        ("make box --rounding -1 -o box.stl", "radius is -1"),
        ("make gear -o gear.step", "written as .stl, .obj, .ply, .glb"),
        ("make gear -o gear", "written as .stl"),
        ("hull cube.stl -o hull.off", "written as .stl"),
        ("completions tcsh", "possible values: bash"),
    ] {
        let (code, _, err) = bench.run(arguments);
        assert_eq!(code, 2, "clearance {arguments}\n{err}");
        assert!(err.contains(message), "clearance {arguments}\n{err}");
    }
    assert!(!bench.path("gear.stl").exists());
}

#[test]
fn every_shape_can_be_made_and_is_sound() {
    let bench = Bench::new();
    let list = bench.json("make --list --json");
    let names: Vec<&str> =
        list.as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    assert!(names.len() >= 19, "{names:?}");
    for name in names {
        // Only placed, one part may lie where another is.
        let extension = if name == "gearbox" { "glb" } else { "ply" };
        let made = bench.json(&format!("make {name} -o {name}.{extension} --json"));
        let report = bench.json(&format!("info {name}.{extension} --json"));
        let triangles = |parts: &Value| -> u64 {
            parts.as_array().unwrap().iter().map(|part| part["triangles"].as_u64().unwrap()).sum()
        };
        assert_eq!(triangles(&made["parts"]), triangles(&report["files"][0]["parts"]), "{name}");
        for part in report["files"][0]["parts"].as_array().unwrap() {
            assert_eq!(part["problems"], serde_json::json!([]), "{name}: {part}");
        }
        assert!(bench.fine("make --list").contains(name));
    }
}

#[test]
fn the_hull_of_a_file_is_the_librarys() {
    let bench = Bench::new();
    bench.fine("make bumpy-sphere --frequency 6 -o b.ply");
    let points = read(bench.path("b.ply"), &ReadOptions::default()).unwrap().to_soup().positions;
    let hull = Polytope::hull(&points).unwrap();
    let report = bench.json("hull b.ply -o h.ply --unit mm --json");
    assert_eq!(report["points"], points.len());
    assert_eq!(
        (&report["vertices"], &report["faces"]),
        (&hull.vertices().len().into(), &hull.face_count().into())
    );
    assert_eq!(report["volume"].as_f64().unwrap().to_bits(), hull.volume().to_bits());
    let again = bench.json("info h.ply --json");
    assert_eq!(again["files"][0]["parts"][0]["convex"], true);
    assert!(bench.fine("hull b.ply").contains("points in"));
}

#[test]
fn scenes_are_reported_drawn_and_hulled() {
    let bench = Bench::new();
    bench.fine("make cube -o cube.stl");
    bench.write(
        "scene.json",
        r#"{ "unit": "cm", "parts": [
            { "name": "cube", "shape": { "mesh": "cube.stl" }, "group": "g" },
            { "name": "pin", "shape": { "segment": [[0, 0, 0], [0, 0, 5]] }, "pose": { "translation": [3, 0, 0] } },
            { "name": "floor", "shape": { "half-space": { "normal": [0, 0, 1], "offset": 0 } } }
        ] }"#,
    );
    let report = bench.json("info scene.json --json");
    let parts = report["files"][0]["parts"].as_array().unwrap();
    assert_eq!((&parts[0]["kind"], &parts[0]["group"]), (&"solid".into(), &"g".into()));
    assert_eq!((&parts[1]["dimension"], &parts[1]["pose"][3]), (&1.into(), &3.0.into()));
    assert_eq!((&parts[2]["extents"], &parts[2]["kind"]), (&Value::Null, &"half-space".into()));
    assert!(bench.fine("info scene.json --picture scene.svg").contains("picture written to scene.svg"));
    assert!(std::fs::read_to_string(bench.path("scene.svg")).unwrap().starts_with("<svg"));
    assert!(bench.refused(3, "hull scene.json").contains("`floor` is a half-space"));
}

#[test]
fn a_scene_may_not_read_outside_its_folder_unless_allowed() {
    let bench = Bench::new();
    bench.fine("make cube -o cube.stl");
    std::fs::create_dir(bench.path("inner")).unwrap();
    bench.write("inner/scene.json", r#"{ "parts": [{ "name": "a", "shape": { "mesh": "../cube.stl" } }] }"#);
    assert!(bench.refused(3, "info inner/scene.json").contains("leads out of the scene's folder"));
    bench.fine("info inner/scene.json --allow-outside");
}

#[test]
fn the_demo_finds_the_mistakes_of_its_gearbox() {
    let bench = Bench::new();
    let said = bench.fine("demo");
    assert!(said.contains("What to try next") && said.contains("clearance-demo.html"), "{said}");
    for file in ["clearance-demo.html", "clearance-demo-flight.glb", "clearance-demo/slide.ply"] {
        assert!(bench.path(file).exists(), "{file}");
    }
    let report = bench.json("demo -o out/deep --json");
    let findings: Vec<[&str; 3]> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| {
            let part = |side: usize| {
                let index = finding["parts"][side].as_u64().unwrap() as usize;
                report["parts"][index]["name"].as_str().unwrap()
            };
            [finding["verdict"].as_str().unwrap(), part(0), part(1)]
        })
        .collect();
    let expected = [
        ["duplicate", "washer 4", "washer 4 again"],
        ["enclosed", "bottom wall", "magnet"],
        ["overlapping", "end plate", "slide"],
        ["overlapping", "front plate", "wheel bearing front"],
        ["overlapping", "lever", "guard"],
        ["overlapping", "wheel shaft", "wheel bearing front"],
        ["too_close", "wheel", "sensor"],
    ];
    let mut sorted = findings.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, expected);
    let turning = report["findings"].as_array().unwrap().iter().find(|finding| {
        let [a, _] = [0, 1].map(|side| finding["parts"][side].as_u64().unwrap() as usize);
        report["parts"][a]["name"] == "lever"
    });
    let first = &turning.unwrap()["motion"]["first_contact"];
    let [lower, upper] = ["lower", "upper"].map(|end| first[end].as_f64().unwrap());
    let truth = ((26.0f64 / 46f64.hypot(8.0)).asin() - 8f64.atan2(46.0)) / std::f64::consts::FRAC_PI_3;
    assert!(lower <= truth + 1e-12 && truth <= upper + 1e-12 && upper - lower <= 1e-8, "{first} {truth}");
    bench.write("taken", "a file, no folder");
    bench.refused(3, "demo -o taken");
}

#[test]
fn json_output_has_the_fields_of_its_schema() {
    let bench = Bench::new();
    bench.fine("make cube -o cube.stl");
    bench.write("case.jsonl", r#"{"a":{"mesh":"cube.stl"},"b":{"mesh":"cube.stl"}}"#);
    for (verb, run) in [
        ("info", "info cube.stl --json"),
        ("make", "make cube -o c.stl --json"),
        ("hull", "hull cube.stl --json"),
        ("relate", "relate cube.stl cube.stl --json --proof --contacts"),
        ("relate-line", "relate --batch case.jsonl --proof --contacts"),
    ] {
        let schema = bench.json(&format!("schema {verb}"));
        let mut described: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        let output = bench.json(run);
        let mut printed: Vec<&String> = output.as_object().unwrap().keys().collect();
        // Said only where one body lies inside the other.
        described.retain(|field| *field != "enclosed");
        described.sort();
        printed.sort();
        assert_eq!(described, printed, "{verb}");
        let mut required = schema["required"].as_array().into_iter().flatten();
        assert!(required.all(|field| output.get(field.as_str().unwrap()).is_some()), "{verb}");
    }
    assert_eq!(bench.json("schema"), bench.json("schema scene"));
    assert_eq!(bench.fine("schema scene"), clearance_io::scene::schema());
}

#[test]
fn completions_name_the_verbs() {
    let bench = Bench::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = bench.fine(&format!("completions {shell}"));
        assert!(script.contains("hull") && script.contains("bumpy-sphere"), "{shell}");
        assert!(script.contains("clash") && script.contains("report-touching"), "{shell}");
    }
}

#[test]
fn no_colours_off_a_terminal_and_colours_when_asked() {
    let bench = Bench::new();
    bench.fine("make cube -o cube.stl");
    assert!(!bench.fine("info cube.stl").contains('\u{1b}'));
    assert!(bench.fine("info cube.stl --color always").contains('\u{1b}'));
    let forced = clearance(bench.0.path()).args(["info", "none.stl"]).env("NO_COLOR", "1").output().unwrap();
    assert!(!forced.stderr.contains(&0x1b));
}

/// A reader that goes away early (`clearance completions bash | head -1`) is no reason to panic.
#[test]
fn broken_pipes_are_quiet() {
    let bench = Bench::new();
    let mut child = clearance(bench.0.path())
        .args(["completions", "bash"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

/// A million triangles keep the tool busy long enough to be interrupted.
#[cfg(unix)]
#[test]
fn an_interrupted_run_exits_with_130() {
    let bench = Bench::new();
    let mut bytes = vec![0u8; 80];
    let count = 1_000_000u32;
    bytes.extend(count.to_le_bytes());
    for i in 0..count {
        let (x, y) = ((i % 1000) as f32, (i / 1000) as f32);
        for value in [0.0, 0.0, 1.0, x, y, 0.0, x + 1.0, y, 0.0, x, y + 1.0, (i % 7) as f32] {
            bytes.extend(value.to_le_bytes());
        }
        bytes.extend([0, 0]);
    }
    std::fs::write(bench.path("large.stl"), bytes).unwrap();
    // On a fast machine the run may end before the signal: then a shorter wait is tried.
    for milliseconds in [120, 40, 10] {
        let child = clearance(bench.0.path())
            .args(["info", "large.stl"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        let child = child.unwrap();
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().is_ok());
        let output = child.wait_with_output().unwrap();
        match output.status.code() {
            Some(130) => return,
            Some(0) => {}
            other => panic!("{other:?}: {}", String::from_utf8_lossy(&output.stderr)),
        }
    }
    panic!("no run could be interrupted");
}

/// A pin that flies against a ball at rest and back, above a floor.
const SCENE: &str = r#"{ "unit": "mm", "parts": [
  { "name": "pin", "shape": { "box": [2, 2, 8] }, "pose": { "translation": [-10, 0, 0] },
    "motion": { "velocity": [25, 0, 0] } },
  { "name": "ball", "shape": { "sphere": { "radius": 3 } } },
  { "name": "floor", "shape": { "half-space": { "normal": [0, 0, 1], "offset": -4 } } }
], "ignore": [["pin", "floor"]] }
"#;

/// Times and memory differ from run to run and from build to build.
fn without_measurements(text: &str) -> String {
    let is_summary = |line: &str| line.ends_with("kB") && line.starts_with(' ');
    let mask = |line: &str| {
        if let Some((before, rest)) = line.split_once("\"milliseconds_per_frame\":") {
            let rest = rest.split_once("\"undecided_pairs\"").map_or("", |(_, rest)| rest);
            return format!(
                "{before}\"milliseconds_per_frame\":...,\"memory\":...,\"undecided_pairs\"{rest}"
            );
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        match is_summary(line) {
            true => format!(" {}   (time and memory)", words[..words.len() - 3].join("   ")),
            false => line.to_owned(),
        }
    };
    text.lines().map(|line| mask(line) + "\n").collect()
}

/// Help texts and outputs as files.
#[test]
fn transcripts_are_as_recorded() {
    let bench = Bench::new();
    bench.fine("make gear --teeth 8 --flank-points 2 --bore-radius 3 -o gear.stl");
    bench.fine("make box --x 20 --y 20 --z 4 -o box.ply");
    bench.write(
        "cases.jsonl",
        "{\"id\": 1, \"a\": {\"point\": [0, 0, 0]}, \"b\": {\"sphere\": {\"radius\": 1}}}\n\
         {\"id\": 2, \"a\": {\"point\": [0, 0, 0]}, \"b\": {\"box\": [1, 0, 1]}}\n\
         {\"id\": 3, \"a\": {\"segment\": [[0, 0, 0], [1, 0, 0]]}, \"b\": {\"point\": [0, 3, 4]}}\n",
    );
    bench.write(
        "tampered.jsonl",
        "{\"id\":3,\"relation\":\"touching\",\"distance\":{\"lower\":0,\"upper\":0},\
         \"a\":{\"point\":[0,0,0]},\"b\":{\"point\":[1,0,0]}}\n",
    );
    bench.write("open.obj", OPEN);
    bench.write("bad.json", "{\n  \"parts\": [{ \"name\": \"pin\", \"shape\": { \"cylinder\": { \"radius\": 0, \"height\": 2 } } }]\n}\n");
    bench.write("scene.json", SCENE);
    let transcripts = [
        ("help", "--help"),
        ("help-info", "info --help"),
        ("help-make", "make --help"),
        ("help-make-gear", "make gear --help"),
        ("help-hull", "hull --help"),
        ("help-relate", "relate --help"),
        ("help-sweep", "sweep --help"),
        ("help-clash", "clash --help"),
        ("help-man", "man --help"),
        ("help-verify", "verify --help"),
        ("help-ccd", "ccd --help"),
        ("help-simulate", "simulate --help"),
        ("help-demo", "demo --help"),
        ("help-completions", "completions --help"),
        ("help-schema", "schema --help"),
        ("make-list", "make --list"),
        ("info", "info gear.stl open.obj --unit mm --fail-on open"),
        ("hull", "hull gear.stl -o hull.ply"),
        ("relate", "relate box.ply hull.ply --unit mm --pose-b 1 0 0 30 0 1 0 0 0 0 1 0"),
        (
            "relate-touching",
            "relate {\"box\":[2,2,2]} {\"segment\":[[1,0,0],[3,0,0]]} --proof --fail-on touching",
        ),
        ("relate-overlapping", "relate box.ply hull.ply --unit mm --picture pair.svg"),
        (
            "relate-rounded",
            "relate {\"sphere\":{\"radius\":2}} {\"box\":[2,2,2],\"rounding\":0.5} --pose-b 1 0 0 5 0 1 0 5 0 0 1 5",
        ),
        (
            "relate-cylinder",
            "relate gear.stl {\"cylinder\":{\"height\":2,\"radius\":1}} --pose-b 1 0 0 30 0 1 0 0 0 0 1 0",
        ),
        ("relate-refused", "relate gear.stl {\"cylinder\":{\"height\":2,\"radius\":2.03e90}}"),
        ("relate-meshes", "relate gear.stl box.ply --contacts"),
        ("relate-batch", "relate --batch cases.jsonl --proof"),
        ("verify", "verify tampered.jsonl"),
        (
            "simulate",
            "simulate sample:12 --frames 40 --density 20% --picture last.svg --animation flight.glb",
        ),
        ("simulate-scene", "simulate scene.json --frames 20"),
        ("simulate-json", "simulate scene.json --frames 12 --json"),
        ("demo", "demo"),
        ("bad-scene", "info bad.json"),
        ("usage", "make gear"),
    ];
    bench.compare_transcripts(&transcripts, |out| bench::without_brackets(&without_measurements(out)));
}
