//! `clearance sweep`: scenes and batches of translating bodies.

mod bench;

use bench::Bench;

const SCENE: &str = r#"{
  "unit": "mm",
  "parts": [
    { "name": "floor", "shape": { "box": [10, 10, 2] } },
    { "name": "pin", "shape": { "box": [1, 1, 1] }, "pose": { "translation": [0, 0, 4] },
      "motion": { "translate": [0, 0, -9], "t0": 2, "t1": 4 } },
    { "name": "far", "shape": { "box": [1, 1, 1] }, "pose": { "translation": [100, 0, 0] } }
  ]
}"#;

#[test]
fn a_scene_tells_the_first_contact_in_its_own_time() {
    let bench = Bench::new();
    bench.write("scene.json", SCENE);
    let report = bench.json("sweep scene.json --json");
    assert_eq!(report["pairs"].as_array().map(Vec::len), Some(1), "the far part costs nothing: {report}");
    let pair = &report["pairs"][0];
    assert_eq!((pair["name_a"].as_str(), pair["contact"].as_str()), (Some("floor"), Some("hit")));
    // 2.5 of 9 down, in 2 units of time: 2 + 5 / 9.
    assert_eq!((pair["exact"]["num"].as_str(), pair["exact"]["den"].as_str()), (Some("23"), Some("9")));
    assert_eq!(pair["contacts"].as_array().map(Vec::len), Some(4));
    assert_eq!(pair["normal"].to_string(), "[0.0,0.0,1.0]");
    assert_eq!((report["first"].as_u64(), report["unit"].as_str()), (Some(0), Some("mm")));
    assert!(bench.fine("sweep scene.json").contains("first contact at t = 2.55"));
}

/// The pin comes down first and stops beside the slide, which starts later and runs into it: in time 3 + 4.5 / 8.
#[test]
fn parts_that_move_at_different_times_meet_when_the_later_one_comes() {
    let bench = Bench::new();
    let scene = r#"{ "unit": "mm", "parts": [
      { "name": "pin", "shape": { "box": [1, 1, 1] }, "pose": { "translation": [0, 0, 8] },
        "motion": { "translate": [0, 0, -8], "t0": 0, "t1": 2 } },
      { "name": "slide", "shape": { "box": [2, 1, 1] }, "pose": { "translation": [-6, 0, 0] },
        "motion": { "translate": [8, 0, 0], "t0": 3, "t1": 4 } },
      { "name": "guard", "shape": { "sphere": { "radius": 1 } }, "pose": { "translation": [-7.75, 1.25, 0] } }
    ] }"#;
    bench.write("scene.json", scene);
    let report = bench.json("sweep scene.json --json");
    assert_eq!((report["t0"].as_f64(), report["t1"].as_f64()), (Some(0.0), Some(4.0)));
    let pair = &report["pairs"][0];
    assert_eq!((pair["name_b"].as_str(), pair["contact"].as_str()), (Some("slide"), Some("hit")), "{report}");
    assert_eq!((pair["exact"]["num"].as_str(), pair["exact"]["den"].as_str()), (Some("57"), Some("16")));
    // The slide starts beside the guard, a corner at (-7, 0.5) nearest, and leaves it.
    let guard = &report["pairs"][1];
    assert_eq!(
        (guard["name_b"].as_str(), guard["contact"].as_str()),
        (Some("guard"), Some("none")),
        "{report}"
    );
    let near = guard["closest_approach"]["distance"]["upper"].as_f64().expect("a distance");
    assert!((near - (0.75 * 2f64.sqrt() - 1.0)).abs() < 1e-10, "{near}");
    let text = bench.fine("sweep scene.json --glb motion.glb");
    assert!(
        text.contains("first contact at t = 3.5625") && text.contains("no contact, 0.0606602 apart"),
        "{text}"
    );
}

#[test]
fn a_batch_answers_line_by_line_and_goes_on_after_errors() {
    let bench = Bench::new();
    let lines = [
        r#"{"id": 1, "a": {"box": [1,1,1]}, "b": {"box": [1,1,1]}, "pose_b": {"translation": [3,0,0]}, "velocity_b": [-1,0,0], "t1": 5}"#,
        r#"{"id": 2, "a": {"box": [1,1,1]}, "b": {"box": [1,1,1]}, "pose_b": {"translation": [3,0,0]}, "velocity_b": [0,1,0]}"#,
        r#"{"id": 3, "a": {"box": [1,1,1]}, "b": {"sphere": {"radius": 0.5}}, "pose_b": {"translation": [3,0,0]}, "velocity_a": [1,0,0], "t1": 5}"#,
        r#"{"id": 4, "a": {"box": [1,1,1]}, "b": {"box": [1,1,1]}, "t0": 2, "t1": 1}"#,
        r#"{"id": 5, "a": {"box": [1,1,1]}}"#,
        r#"{"id": 6, "a": {"box": [1,1,1]}, "b": {"box": [1,1,1]}, "pose_b": {"translation": [1,0,0]}}"#,
    ];
    bench.write("cases.jsonl", &lines.join("\n"));
    let (code, out, _) = bench.run("sweep --batch cases.jsonl");
    assert_eq!(code, 3);
    let answers: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let contact = |i: usize| answers[i]["contact"].as_str();
    assert_eq!((contact(0), answers[0]["time"]["lower"].as_f64()), (Some("hit"), Some(2.0)));
    assert_eq!(answers[0]["first_overlap"]["exact"]["num"].as_str(), Some("2"));
    assert_eq!(answers[0]["closest_approach"]["distance"]["upper"].as_f64(), Some(0.0));
    let apart = answers[1]["closest_approach"]["distance"]["lower"].as_f64().expect("a distance");
    assert!(contact(1) == Some("none") && (apart - 2.0).abs() < 1e-11, "{apart}");
    let time = answers[2]["time"]["upper"].as_f64().expect("a time");
    assert!(
        contact(2) == Some("hit") && (time - 2.0).abs() < 1e-11 && answers[2]["exact"].is_null(),
        "{time}"
    );
    assert!(answers[3]["error"].as_str().is_some_and(|error| error.contains("swap t0 and t1")));
    assert!(answers[4]["error"].as_str().is_some_and(|error| error.contains("`b`")));
    assert_eq!((contact(5), answers[5]["id"].as_u64()), (Some("touching_at_start"), Some(6)));
}

#[test]
fn a_scene_is_drawn_where_its_parts_meet_and_animated_up_to_there() {
    let bench = Bench::new();
    bench.write("scene.json", SCENE);
    let out = bench.fine("sweep scene.json --picture contact.svg --glb motion.glb");
    assert!(out.contains("contact.svg written") && out.contains("motion.glb written"), "{out}");
    let picture = std::fs::read_to_string(bench.path("contact.svg")).expect("a picture");
    assert!(picture.contains("floor meets pin, 4 contacts"), "{picture}");
    let bytes = std::fs::read(bench.path("motion.glb")).expect("an animation");
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.starts_with("glTF") && text.contains("\"animations\"") && text.contains("\"contacts\""));
    let (code, _, error) = bench.run("sweep scene.json --glb motion.svg");
    assert!(code == 2 && error.contains("written as .glb"), "{code} {error}");
}

/// From poses to poses, and on a screw; two cases in which other programs are wrong.
#[test]
fn batches_of_bodies_that_turn() {
    let bench = Bench::new();
    let cases = [
        // A pure translation as a screw: unit cubes, a gap of 0.85 closed at a speed of 2.
        r#"{ "id": "straight", "a": { "box": [1, 1, 1] }, "b": { "box": [1, 1, 1] },
            "from_b": { "translation": [1.85, 0, 0] }, "to_b": { "translation": [-0.15, 0, 0] } }"#,
        // A bar turns about z by a quarter and meets a post at the angle whose sine is 1 / 2.
        r#"{ "id": "screw", "a": { "points": [[0, 0, -1], [4, 0, -1], [0, 0, 1], [4, 0, 1]] },
            "b": { "segment": [[2.598076211353316, 1.5, -5], [2.598076211353316, 1.5, 5]] },
            "screw_a": { "axis": [0, 0, 2], "center": [0, 0, 0], "angle": 1.5707963267948966, "shift": 0 } }"#,
        r#"{ "id": "free", "a": { "box": [1, 1, 1] }, "b": { "box": [1, 1, 1] }, "from_b": { "translation": [3, 0, 0] },
            "to_b": { "translation": [3, 0, 0], "quaternion_xyzw": [0, 0, 1, 1] } }"#,
        r#"{ "id": "both", "a": { "box": [1, 1, 1] }, "b": { "box": [1, 1, 1] }, "to_a": { "translation": [1, 0, 0] },
            "screw_a": { "axis": [0, 0, 1], "center": [0, 0, 0] } }"#,
    ];
    let text: String = cases.iter().map(|case| case.replace('\n', " ") + "\n").collect();
    bench.write("cases.jsonl", &text);
    let (_, out, _) = bench.run("sweep --batch cases.jsonl");
    let answers: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let bracket = |answer: &serde_json::Value| {
        (answer["time"]["lower"].as_f64().unwrap(), answer["time"]["upper"].as_f64().unwrap())
    };
    let [straight, screw, free, both] = &answers[..] else { panic!("{answers:?}") };
    for (answer, truth) in [(straight, 0.425), (screw, 1.0 / 3.0)] {
        let (lower, upper) = bracket(answer);
        assert_eq!(answer["contact"], "hit", "{answer}");
        assert!(lower <= truth + 1e-12 && truth <= upper + 1e-12 && upper - lower <= 1e-9, "{answer}");
    }
    assert!(straight["contacts"].as_array().is_some_and(|contacts| !contacts.is_empty()), "{straight}");
    assert_eq!((&free["contact"], &free["time"]), (&"none".into(), &serde_json::Value::Null));
    assert!(both["error"].as_str().is_some_and(|error| error.contains("not both")), "{both}");
}
