//! `clearance clash` on real parts: the mechanisms and robot links of the sample data, with the verdicts its notes state.

mod bench;

use bench::Bench;
use serde_json::{Value, json};
use std::path::PathBuf;

/// The sample data, if it is there.
fn data() -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("CLEARANCE_DATA").map_or_else(beside, PathBuf::from);
    let folder = folder.canonicalize().ok().filter(|folder| folder.join("mechanisms").is_dir());
    if folder.is_none() {
        println!("skipped: no sample data; set CLEARANCE_DATA to its folder");
    }
    folder
}

/// A mechanism as a scene, as `mechanisms.json` places it; `change` may place parts elsewhere.
fn scene(data: &std::path::Path, name: &str, change: impl Fn(&str, &mut [f64; 12])) -> Value {
    let text = std::fs::read_to_string(data.join("mechanisms/mechanisms.json")).expect("readable");
    let mechanisms: Value = serde_json::from_str(&text).expect("JSON");
    let number = |value: &Value| value.as_f64().expect("a number");
    let part = |body: &Value| {
        let name = body["name"].as_str().expect("a name");
        let mut pose = [0.0; 12];
        for i in 0..3 {
            for j in 0..3 {
                pose[4 * i + j] = number(&body["rotation_matrix"][i][j]);
            }
            pose[4 * i + 3] = number(&body["position"][i]);
        }
        change(name, &mut pose);
        // A scale is a unit here.
        let unit = match number(&body["scale"]) {
            1.0 => "m",
            0.001 => "mm",
            0.01 => "cm",
            other => panic!("scale {other}"),
        };
        let mesh = data.join("mechanisms").join(body["mesh"].as_str().expect("a file"));
        json!({ "name": name, "shape": { "mesh": mesh, "unit": unit }, "pose": pose })
    };
    let bodies = mechanisms[name]["bodies"].as_array().expect("bodies");
    json!({ "unit": "m", "parts": bodies.iter().map(part).collect::<Vec<_>>() })
}

/// Verdicts and the names of their parts.
fn verdicts(bench: &Bench, scene: &Value, options: &str) -> Vec<(String, [String; 2])> {
    bench.write("scene.json", &scene.to_string());
    let command = format!("clash scene.json --allow-outside --json --fail-on none {options}");
    let report = bench.json(&command);
    let name =
        |part: &Value| report["parts"][part.as_u64().unwrap() as usize]["name"].as_str().unwrap().to_owned();
    let of = |finding: &Value| {
        let parts = [name(&finding["parts"][0]), name(&finding["parts"][1])];
        (finding["verdict"].as_str().unwrap().to_owned(), parts)
    };
    report["findings"].as_array().unwrap().iter().map(of).collect()
}

fn without_pins(mut scene: Value) -> Value {
    let parts = scene["parts"].as_array_mut().unwrap();
    parts.retain(|part| !part["name"].as_str().unwrap().starts_with("pin"));
    scene
}

#[test]
fn gears_mesh_without_a_clash_and_clash_when_one_is_turned_back() {
    let (Some(data), bench) = (data(), Bench::new()) else { return };
    let placed = without_pins(scene(&data, "gear_chain", |_, _| {}));
    assert_eq!(verdicts(&bench, &placed, ""), []);
    // Turned back by 15 degrees: as gear_0.
    let back = without_pins(scene(&data, "gear_chain", |name, pose| {
        if name == "gear_1" {
            let x = pose[3];
            *pose = [1.0, 0.0, 0.0, x, 0.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0];
        }
    }));
    let found = verdicts(&bench, &back, "");
    let pair = |a: &str, b: &str| [a.to_owned(), b.to_owned()];
    assert_eq!(found.len(), 2, "{found:?}");
    for parts in [pair("gear_0", "gear_1"), pair("gear_1", "gear_2")] {
        assert!(found.contains(&("overlapping".into(), parts)), "{found:?}");
    }
}

#[test]
fn the_piston_is_free_as_placed() {
    let (Some(data), bench) = (data(), Bench::new()) else { return };
    assert_eq!(verdicts(&bench, &scene(&data, "piston", |_, _| {}), ""), []);
    // All of it is closer than five metres.
    let found = verdicts(&bench, &scene(&data, "piston", |_, _| {}), "--clearance 5m");
    assert_eq!(found.len(), 6, "{found:?}");
    assert!(found.iter().all(|(verdict, _)| verdict == "too_close"));
}

#[test]
fn the_screw_is_free_in_the_nut_and_shifts_without_turning_collide() {
    let (Some(data), bench) = (data(), Bench::new()) else { return };
    // In mesh units, of which 100 are a metre.
    for (shift, collides) in [(0.0, false), (0.05, false), (-0.05, true), (0.1, true)] {
        let moved = scene(&data, "screw_nut", |name, pose| {
            if name == "screw" {
                pose[7] += 0.01 * shift;
            }
        });
        let found = verdicts(&bench, &moved, "");
        let wanted: &[&str] = if collides { &["overlapping"] } else { &[] };
        assert_eq!(found.iter().map(|(verdict, _)| verdict.as_str()).collect::<Vec<_>>(), wanted, "{shift}");
    }
}

#[test]
fn robot_links_are_solids_and_a_link_given_twice_is_a_duplicate() {
    let (Some(data), bench) = (data(), Bench::new()) else { return };
    for (robot, links) in [("franka_panda", 9), ("ur5", 7)] {
        let folder = data.join("meshes").join(robot);
        let report = bench.json(&format!("clash {} --unit m --json --fail-on none", folder.display()));
        let parts = report["parts"].as_array().unwrap();
        assert_eq!(parts.len(), links, "{robot}");
        assert!(parts.iter().all(|part| part["kind"] == "solid"), "{robot}");
        let file = parts[0]["file"].as_str().unwrap();
        let twice = bench.json(&format!("clash {file} {file} --unit m --json --fail-on none"));
        assert_eq!(twice["findings"][0]["verdict"], "duplicate");
        assert_eq!(
            twice["parts"][1]["id"],
            json!(format!("{}#2", twice["parts"][0]["id"].as_str().unwrap()))
        );
    }
}
