//! `clearance simulate`: the real binary, its events, its files.

use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader, Read},
    process::{Command, Stdio},
};

mod bench;
use bench::{Bench, clearance};

fn lines(bench: &Bench, arguments: &str) -> Vec<Value> {
    let out = bench.fine(&format!("simulate {arguments} --json"));
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// All but the summary, which has times in it.
fn events(bench: &Bench, arguments: &str) -> Vec<Value> {
    let mut lines = lines(bench, arguments);
    assert_eq!(lines.pop().unwrap()["type"], "summary");
    lines
}

#[test]
fn every_collision_begins_before_it_ends() {
    let bench = Bench::new();
    let mut lines = lines(&bench, "sample:80 --frames 120 --density 20%");
    let summary = lines.pop().unwrap();
    let (mut open, mut last) = (BTreeSet::new(), 0);
    let (mut began, mut ended) = (0, 0);
    for event in &lines {
        let pair = [&event["a"], &event["b"]].map(|name| name.as_str().unwrap().to_owned());
        let frame = event["frame"].as_u64().unwrap();
        assert!(frame >= last && pair[0] != pair[1]);
        last = frame;
        match event["type"].as_str().unwrap() {
            "began" => {
                assert!(open.insert(pair), "begun twice: {event}");
                began += 1;
                let before = &event["before"];
                assert!(before["upper"].as_f64() > Some(0.0) && frame > 0, "{event}");
                if event["relation"] == "overlapping" {
                    let depth = &event["depth"];
                    assert!(depth["lower"].as_f64() <= depth["upper"].as_f64(), "{event}");
                }
            }
            "ended" => {
                assert!(open.remove(&pair), "ended without a beginning: {event}");
                ended += 1;
            }
            other => panic!("{other}"),
        }
    }
    assert!(began > 50, "{summary}");
    assert_eq!(
        (&summary["began"], &summary["ended"], &summary["colliding"]),
        (&began.into(), &ended.into(), &open.len().into())
    );
    assert_eq!((&summary["frames"], &summary["bodies"]), (&120.into(), &80.into()));
}

#[test]
fn the_seed_decides_and_threads_do_not() {
    let bench = Bench::new();
    let run = |seed: u32, threads: &str| {
        let arguments = format!("simulate sample:150 --frames 60 --seed {seed} --json");
        let mut command = clearance(bench.0.path());
        let output = command.args(arguments.split(' ')).env("RAYON_NUM_THREADS", threads).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().filter(|line| !line.contains("summary")).map(str::to_owned).collect::<Vec<_>>()
    };
    let first = run(7, "1");
    assert!(first.len() > 100);
    assert_eq!(first, run(7, "2"));
    assert_eq!(first, run(7, "5"));
    assert_ne!(first, run(8, "1"));
}

/// Oracle: a pin of half width 1 flies by 1 in each frame, from -10, towards a ball of radius 3 at the origin.
#[test]
fn stated_motions_are_flown() {
    let bench = Bench::new();
    let scene = |motion: &str| {
        format!(
            r#"{{ "parts": [
                {{ "name": "pin", "shape": {{ "box": [2, 2, 2] }}, "pose": {{ "translation": [-10, 0, 0] }}, "motion": {motion} }},
                {{ "name": "ball", "shape": {{ "sphere": {{ "radius": 3 }} }} }} ] }}"#
        )
    };
    for motion in [
        r#"{ "velocity": [25, 0, 0] }"#,
        r#"{ "translate": [50, 0, 0], "t0": 1, "t1": 3 }"#,
        r#"{ "to": { "translation": [15, 0, 0] } }"#,
    ] {
        bench.write("scene.json", &scene(motion));
        let events = events(&bench, "scene.json --frames 30");
        // At -5 they are 1 apart, at -4 they touch, and one frame later they are apart again.
        let [began, ended, ..] = events.as_slice() else { panic!("{events:?}") };
        assert_eq!(
            (&began["type"], &began["frame"], &began["a"]),
            (&"began".into(), &6.into(), &"pin".into())
        );
        assert_eq!((&ended["type"], &ended["frame"]), (&"ended".into(), &7.into()), "{motion}");
        let apart = began["before"]["upper"].as_f64().unwrap();
        assert!((apart - 1.0).abs() < 1e-9, "{motion}: {began}");
    }
    // Twice as many frames in a second: half the way in each.
    bench.write("scene.json", &scene(r#"{ "velocity": [25, 0, 0] }"#));
    assert_eq!(events(&bench, "scene.json --frames 30 --fps 50")[0]["frame"], 12);
}

#[test]
fn ignored_pairs_do_not_collide_and_what_rests_stays() {
    let bench = Bench::new();
    let scene = |ignore: &str| {
        format!(
            r#"{{ "parts": [
                {{ "name": "a", "shape": {{ "box": [2, 2, 2] }}, "motion": {{ "spin": [0, 0, 1] }} }},
                {{ "name": "b", "shape": {{ "box": [2, 2, 2] }}, "pose": {{ "translation": [1, 0, 0] }} }} ]{ignore} }}"#
        )
    };
    bench.write("scene.json", &scene(""));
    let began = events(&bench, "scene.json --frames 2");
    assert_eq!(
        (&began[0]["frame"], &began[0]["before"]),
        (&0.into(), &Value::Null),
        "they overlap from the start"
    );
    bench.write("scene.json", &scene(r#", "ignore": [["a", "b"]]"#));
    let lines = lines(&bench, "scene.json --frames 5");
    assert_eq!((lines.len(), &lines[0]["moving"]), (1, &1.into()), "{lines:?}");
}

#[test]
fn files_without_motions_fly_at_random_and_it_is_said() {
    let bench = Bench::new();
    bench.fine("make fastener -o f.glb --segments 12 --length 10");
    let said = bench.fine("simulate f.glb --frames 3 --quiet");
    assert!(said.contains("states no motion: random velocities from seed 1"), "{said}");
    assert!(said.contains("2 bodies in a box of") && said.contains(" m\n"), "{said}");
    bench.fine("make cube -o cube.stl");
    let said = bench.fine("simulate cube.stl --bodies 30 --frames 20 --unit mm");
    assert!(said.contains("copies of its only shape") && said.contains("30 bodies"), "{said}");
}

#[test]
fn the_animation_has_every_frame_of_every_body() {
    let bench = Bench::new();
    let summary = lines(&bench, "sample:20 --frames 33 --animation a.glb --picture last.svg --fps 50");
    let summary = summary.last().unwrap();
    assert_eq!(summary["written"], json!(["last.svg", "a.glb"]));
    let glb = std::fs::read(bench.path("a.glb")).unwrap();
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let root: Value = serde_json::from_slice(&glb[20..20 + length]).unwrap();
    let channels = root["animations"][0]["channels"].as_array().unwrap();
    let targets: BTreeSet<(u64, &str)> = channels
        .iter()
        .map(|channel| {
            let target = &channel["target"];
            (target["node"].as_u64().unwrap(), target["path"].as_str().unwrap())
        })
        .collect();
    assert_eq!((channels.len(), targets.len()), (40, 40));
    assert_eq!(
        root["meshes"].as_array().unwrap().len() - 1,
        20,
        "ten shapes in eight colours, and the walls"
    );
    for sampler in root["animations"][0]["samplers"].as_array().unwrap() {
        let accessor = |key: &str| &root["accessors"][sampler[key].as_u64().unwrap() as usize];
        assert_eq!((&accessor("input")["count"], &accessor("output")["count"]), (&34.into(), &34.into()));
        assert!((accessor("input")["max"][0].as_f64().unwrap() - 0.66).abs() < 1e-6);
    }
    // The first frame of the animation is the start, as other readers of the file see it.
    let parts = bench.json("info a.glb --json");
    assert_eq!(parts["files"][0]["parts"].as_array().unwrap().len(), 20);
    assert!(std::fs::read_to_string(bench.path("last.svg")).unwrap().contains("frame 33: 20 bodies"));
}

#[test]
fn pairs_that_cannot_be_related_are_told_and_the_others_go_on() {
    let bench = Bench::new();
    bench.fine("make gear --teeth 8 --bore-radius 3 -o gear.stl");
    bench.write(
        "scene.json",
        r#"{ "parts": [
            { "name": "gear", "shape": { "mesh": "gear.stl" }, "motion": { "spin": [0, 0, 1] } },
            { "name": "disc", "shape": { "cylinder": { "radius": 2.03e90, "height": 2 } } },
            { "name": "block", "shape": { "box": [1, 1, 1] }, "pose": { "translation": [6, 0, 0] } } ] }"#,
    );
    let (code, out, err) = bench.run("simulate scene.json --frames 5");
    assert_eq!(code, 3, "{out}{err}");
    assert!(
        err.contains("`gear` and `disc` have no events") && out.contains("gear, block  began"),
        "{out}{err}"
    );
}

#[test]
fn wrong_usage_is_refused_before_any_work() {
    let bench = Bench::new();
    bench.fine("make cube -o cube.stl");
    bench.write(
        "floor.json",
        r#"{ "parts": [{ "name": "floor", "shape": { "plane": { "normal": [0, 0, 1], "offset": 0 } } }] }"#,
    );
    for (code, arguments, message) in [
        (2, "sample:0", "N from 1 to"),
        (2, "sample:many", "N from 1 to"),
        (2, "sample:5 --bodies 7", "leave out --bodies"),
        (2, "sample --frames 0", "1.."),
        (2, "sample --speed 5", "such as 5%"),
        (2, "sample --speed -5%", ""),
        (2, "sample --spin 200deg", "180 degrees"),
        (2, "sample --density 0%", "above 0"),
        (2, "sample --density 99%", "make --density smaller"),
        (2, "sample --vertices 3", "4 to 1,000,000"),
        (2, "sample --shape cube", "possible values: ellipsoid"),
        (2, "sample --picture last.png", ".svg or .glb"),
        (2, "sample --animation last.svg", "as .glb"),
        (2, "sample:9 --frames 20000000 --animation a.glb", "make --frames smaller"),
        (2, "cube.stl --vertices 20", "for the sample"),
        (3, "none.stl", "there is no such file"),
        (3, "floor.json", "nothing in it is bounded"),
        (3, "floor.json --bodies 3", "nothing in it has bounds"),
    ] {
        let (found, out, err) = bench.run(&format!("simulate {arguments}"));
        assert_eq!((found, out.as_str()), (code, ""), "{arguments}\n{err}");
        assert!(err.contains(message), "{arguments}\n{err}");
    }
}

#[test]
fn lines_have_the_fields_of_the_schema() {
    let bench = Bench::new();
    let schema = bench.json("schema simulate");
    let kinds = schema["oneOf"].as_array().unwrap();
    for line in lines(&bench, "sample:60 --frames 30 --density 20%") {
        let kind = kinds.iter().find(|kind| kind["properties"]["type"]["const"] == line["type"]).unwrap();
        let reference = kind["$ref"].as_str().map(|name| name.trim_start_matches("#/$defs/").to_owned());
        let mut described: BTreeSet<&String> = kind["properties"].as_object().unwrap().keys().collect();
        if let Some(name) = reference {
            described.extend(schema["$defs"][name]["properties"].as_object().unwrap().keys());
        }
        assert_eq!(described, line.as_object().unwrap().keys().collect::<BTreeSet<_>>());
    }
}

/// What was done until Ctrl-C is counted and written.
#[cfg(unix)]
#[test]
fn an_interrupted_flight_keeps_what_is_done() {
    let bench = Bench::new();
    let arguments = "simulate sample:50 --frames 2000000 --picture last.svg --animation flight.glb --quiet";
    let mut child = clearance(bench.0.path())
        .args(arguments.split(' '))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The heading is there: from now on the run sees to its end.
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    out.read_line(&mut text).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    out.read_to_string(&mut text).unwrap();
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{text}{err}");
    assert!(err.starts_with("note: interrupted after") && err.contains("is kept"), "{err}");
    let row = text.lines().find(|line| line.ends_with("kB")).unwrap();
    let frames = row.split_whitespace().next().unwrap().replace(',', "");
    assert!(bench.path("flight.glb").exists());
    assert!(std::fs::read_to_string(bench.path("last.svg")).unwrap().contains(&format!("frame {frames}:")));
}

/// What cannot be done is said before anything flies, with what can be done instead.
#[test]
fn what_would_be_ignored_or_lost_is_refused() {
    let bench = Bench::new();
    bench.write("empty.json", r#"{ "parts": [] }"#);
    bench.write("notes.txt", "");
    std::fs::create_dir(bench.path("folder")).unwrap();
    let moving = |velocity: f64| {
        format!(
            r#"{{ "parts": [ {{ "name": "pin", "shape": {{ "box": [1, 1, 1] }}, "motion": {{ "velocity": [{velocity}, 0, 0] }} }} ] }}"#
        )
    };
    bench.write("moving.json", &moving(1.0));
    bench.write("fast.json", &moving(1e4));
    for (arguments, code, message) in [
        ("sample --until 5 --frames 3", 2, "--until is for runs with --kinetic"),
        ("sample --until 5 --seed 3", 2, "--until is for runs with --kinetic"),
        ("sample:5 --picture none/last.svg", 3, "none/last.svg: cannot be written"),
        ("sample:5 --animation folder/none/all.glb", 3, "all.glb: cannot be written"),
        ("empty.json", 3, "empty.json: it has no parts"),
        ("Sample", 3, "there is no such file; give a scene (.json), a mesh file (.stl"),
        ("Sample", 3, "did you mean `sample`?"),
        ("samples:5", 3, "did you mean `sample:5`?"),
        ("folder", 3, "is a folder; give a scene (.json), a mesh file (.stl"),
        ("notes.txt", 3, "unknown extension; give a scene (.json)"),
        ("sample --seed -1", 2, "give a whole number from 0"),
        ("sample --speed 1000000%", 2, "give at most 200%, and more --frames"),
        ("moving.json --speed 50%", 2, "--speed is for random velocities, and the file states motions"),
        ("moving.json --density 50%", 2, "--density is for bodies at random places"),
        ("fast.json", 2, "`pin` would move by 400 in a frame and leave the box"),
        ("sample --strict", 2, "--strict is for files"),
    ] {
        let error = bench.refused(code, &format!("simulate {arguments}"));
        assert!(error.contains(message), "{arguments}: {error}");
    }
    let lines = lines(&bench, "sample:5 --frames 1 --unit mm");
    assert_eq!(lines.last().unwrap()["unit"], "mm");
}

/// A floor without end is drawn as a large sheet.
#[test]
fn floors_are_in_both_pictures() {
    let bench = Bench::new();
    bench.write(
        "scene.json",
        r#"{ "parts": [
            { "name": "pin", "shape": { "box": [1, 1, 1] }, "pose": { "translation": [0, 0, 3] }, "motion": { "velocity": [0, 0, -1] } },
            { "name": "floor", "shape": { "half-space": { "normal": [0, 0, 1], "offset": 0 } } } ] }"#,
    );
    bench.fine("simulate scene.json --frames 4 --quiet --picture last.svg --animation all.glb");
    let svg = std::fs::read_to_string(bench.path("last.svg")).unwrap();
    assert!(svg.contains(">floor<"), "{svg}");
    let report = bench.json("info all.glb --json");
    let parts = report["files"][0]["parts"].as_array().unwrap();
    let floor = parts.iter().find(|part| part["name"] == "floor").unwrap();
    assert_eq!((&floor["triangles"], &floor["min"][2]), (&2.into(), &0.0.into()));
    // What is not read of the walls is told of the file, not of a body.
    let (_, out, _) = bench.run("clash all.glb");
    assert!(out.contains("its file: ") && out.contains("of mesh `walls`"), "{out}");
}
