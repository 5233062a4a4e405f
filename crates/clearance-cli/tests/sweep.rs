//! `clearance sweep`: scenes and batches of bodies that translate or turn.

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

/// A lever that lies on a plate turns by a half turn: it hits a stop, passes a post, and a slide follows it.
const TURNING: &str = r#"{ "unit": "mm", "parts": [
  { "name": "plate", "shape": { "box": [20, 20, 2] } },
  { "name": "lever", "shape": { "box": [8, 1, 1] }, "pose": { "translation": [4, 0, 1.5] },
    "motion": { "to": { "translation": [-4, 0, 1.5], "quaternion_xyzw": [0, 0, 1, 0] }, "t0": 0, "t1": 2 } },
  { "name": "stop", "shape": { "box": [1, 1, 4] }, "pose": { "translation": [0, 6, 3] } },
  { "name": "post", "shape": { "box": [1, 1, 4] }, "pose": { "translation": [-6.5, 6.5, 3] } },
  { "name": "slide", "shape": { "box": [2, 2, 1] }, "pose": { "translation": [5, -4, 1.5] },
    "motion": { "translate": [0, 8, 0], "t0": 0, "t1": 2 } },
  { "name": "far", "shape": { "box": [1, 1, 1] }, "pose": { "translation": [50, 0, 1.5] } }
] }
"#;

/// The upper edge of the lever comes to the corner of the stop at (0.5, 5.5).
fn turning_truth() -> f64 {
    2.0 * (5.5f64.atan2(0.5) - (0.5 / 5.5f64.hypot(0.5)).asin()) / std::f64::consts::PI
}

fn pair<'a>(report: &'a serde_json::Value, names: [&str; 2]) -> Option<&'a serde_json::Value> {
    let pairs = report["pairs"].as_array().expect("pairs");
    pairs.iter().find(|pair| [&pair["name_a"], &pair["name_b"]] == names)
}

#[test]
fn a_scene_with_a_part_that_turns_tells_who_is_hit_who_is_passed_and_who_is_touched() {
    let bench = Bench::new();
    bench.write("turning.json", TURNING);
    let report = bench.json("sweep turning.json --json");
    assert!(pair(&report, ["lever", "far"]).is_none(), "the far part costs nothing: {report}");
    let stop = pair(&report, ["lever", "stop"]).expect("near");
    let [lower, upper] = ["lower", "upper"].map(|end| stop["time"][end].as_f64().expect("a time"));
    let truth = turning_truth();
    assert!(lower <= truth + 1e-12 && truth <= upper + 1e-12 && upper - lower <= 3e-9, "{stop} {truth}");
    let contacts = stop["contacts"].as_array().expect("contacts");
    assert!(contacts.iter().any(|contact| contact["time"]["lower"].as_f64() <= Some(upper)), "{stop}");
    assert!(contacts.iter().all(|contact| contact["properness"].as_f64() >= Some(-0.1)), "{stop}");
    // The corner of the post is 6 sqrt 2 from the axis, those of the lever are at most sqrt(8^2 + 0.5^2).
    let post = pair(&report, ["lever", "post"]).expect("near");
    let gap = 72f64.sqrt() - 8f64.hypot(0.5);
    let [lower, upper] =
        ["lower", "upper"].map(|end| post["closest_approach"]["distance"][end].as_f64().unwrap());
    assert!(post["contact"] == "none" && lower <= gap && gap <= upper && upper - lower < 2e-3, "{post}");
    assert_eq!(pair(&report, ["plate", "lever"]).expect("near")["contact"], "touching_at_start");
    let slide = pair(&report, ["lever", "slide"]).expect("near");
    assert!(
        slide["contact"] == "none"
            && slide["note"].as_str().is_some_and(|note| note.contains("both parts move"))
    );
    // Parts that do not turn keep their exact answers.
    assert_eq!(pair(&report, ["plate", "slide"]).expect("near")["contact"], "touching_at_start");
    let only_first = bench.json("sweep turning.json --json --first");
    let stop_again = pair(&only_first, ["lever", "stop"]).expect("near");
    assert_eq!(
        (&stop_again["time"], stop_again["contacts"].as_array().map(Vec::len)),
        (&stop["time"], Some(0))
    );
    let all = bench.json("sweep turning.json --json --all");
    let all = pair(&all, ["lever", "stop"]).expect("near")["contacts"].as_array().expect("contacts").len();
    assert!(all > contacts.len(), "{all}");
    let proper = bench.json("sweep turning.json --json --min-properness 0.5");
    assert_eq!(pair(&proper, ["lever", "stop"]).expect("near")["contacts"].as_array().map(Vec::len), Some(0));
}

#[test]
fn a_scene_with_a_part_that_turns_is_drawn_and_animated() {
    let bench = Bench::new();
    bench.write("turning.json", TURNING);
    bench.fine("sweep turning.json --picture contact.svg --glb motion.glb");
    let picture = std::fs::read_to_string(bench.path("contact.svg")).expect("a picture");
    assert!(picture.contains("lever meets stop, 1 contact"), "{picture}");
    let bytes = std::fs::read(bench.path("motion.glb")).expect("an animation");
    let text = String::from_utf8_lossy(&bytes);
    assert!(
        text.contains("\"animations\"") && text.contains("\"contacts\"") && text.contains("\"rotation\"")
    );
    // A frame for every three degrees or so: 80 degrees.
    let frames = text.matches("\"count\":29").count() + text.matches("\"count\":28").count();
    assert!(frames >= 3, "{}", &text[..text.len().min(4000)]);
}

#[test]
fn contacts_are_read_off_a_collision_screen() {
    let bench = Bench::new();
    bench.write("turning.json", TURNING);
    let contacts = |options: &str| {
        let report = bench.json(&format!("sweep turning.json --json --min-properness 0 {options}"));
        pair(&report, ["lever", "stop"]).expect("near")["contacts"].clone()
    };
    let exact = contacts("");
    assert_eq!(contacts("--engine filtered --resolution 1"), exact);
    let (exact, seen) = (exact.as_array().unwrap(), contacts("--engine screen --resolution medium"));
    // As wide as a cell of time; the first one is there.
    let [lower, upper] = ["lower", "upper"].map(|end| seen[0]["time"][end].as_f64().expect("a time"));
    let truth = exact[0]["time"]["lower"].as_f64().expect("a time");
    assert!(lower <= truth && truth <= upper && upper - lower > 1e-6, "{seen} {truth}");
    bench.fine("sweep turning.json --engine screen --resolution low --picture screen.svg");
    let picture = std::fs::read_to_string(bench.path("screen.svg")).expect("a picture");
    assert!(picture.contains("contacts by time") && picture.contains("<circle"), "{picture}");
}

/// Real files: a nut turns along the thread of its bolt and meets nothing; without the shift it does at once.
#[test]
fn a_nut_turns_on_its_bolt() {
    let bench = Bench::new();
    bench.fine("make bolt --segments 36 --length 14 -o bolt.stl");
    bench.fine("make nut --segments 36 --length 14 -o nut.stl");
    let scene = |shift: f64| {
        format!(
            r#"{{ "unit": "mm", "parts": [
              {{ "name": "bolt", "shape": {{ "mesh": "bolt.stl" }} }},
              {{ "name": "nut", "shape": {{ "mesh": "nut.stl" }}, "pose": {{ "translation": [0, 0, 1.5] }},
                "motion": {{ "screw": {{ "axis": [0, 0, 1], "center": [0, 0, 0], "angle": 3.14159, "shift": {shift} }} }} }}
            ] }}"#
        )
    };
    bench.write("along.json", &scene(0.25 * 3.0));
    bench.write("still.json", &scene(0.0));
    let still = bench.json("sweep still.json --json --first");
    assert_eq!(still["pairs"][0]["contact"], "hit", "{still}");
    assert!(still["pairs"][0]["time"]["upper"].as_f64() < Some(0.5), "{still}");
    let found = |file: &str| bench.run(&format!("clash {file} --json --unit mm"));
    let (code, report, _) = found("along.json");
    assert_eq!(code, 0, "{report}");
    let (code, report, _) = found("still.json");
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!((code, &report["findings"][0]["verdict"]), (1, &"overlapping".into()), "{report}");
}

/// Two parts on one screw stay as they are to each other; motions without an end are refused.
#[test]
fn parts_on_one_screw_move_together_and_flights_are_refused() {
    let bench = Bench::new();
    let scene = |motion: &str| {
        format!(
            r#"{{ "unit": "mm", "parts": [
              {{ "name": "arm", "shape": {{ "box": [4, 1, 1] }}, "pose": {{ "translation": [2, 0, 0] }}, "motion": {motion} }},
              {{ "name": "pin", "shape": {{ "box": [1, 1, 1] }}, "pose": {{ "translation": [3, 0, 1] }}, "motion": {motion} }}
            ] }}"#
        )
    };
    bench.write(
        "together.json",
        &scene(r#"{ "screw": { "axis": [1, 2, 3], "center": [0, 1, 0], "angle": 20, "shift": 7 } }"#),
    );
    let report = bench.json("sweep together.json --json");
    assert_eq!(report["pairs"][0]["contact"], "touching_at_start", "{report}");
    bench.fine("clash together.json");
    bench.write("flight.json", &scene(r#"{ "velocity": [1, 0, 0], "spin": [0, 0, 1] }"#));
    for verb in ["sweep", "clash"] {
        let error = bench.refused(3, &format!("{verb} flight.json"));
        assert!(error.contains("arm") && error.contains("`to`"), "{error}");
    }
}

/// What is said, and shown in the docs.
#[test]
fn transcripts_are_as_recorded() {
    let bench = Bench::new();
    bench.write("turning.json", TURNING);
    let transcripts = [
        ("sweep-turning", "sweep turning.json --picture contact.svg --glb motion.glb"),
        ("clash-turning", "clash turning.json --clearance 1mm --report-touching"),
    ];
    bench.compare_transcripts(&transcripts, bench::without_brackets);
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |file: &str| std::fs::read_to_string(here.join(file)).unwrap().replace("\r\n", "\n");
    for (docs, shown) in [("screws.md", "sweep-turning"), ("clash.md", "clash-turning")] {
        let (text, recorded) =
            (read(&format!("../../docs/{docs}")), read(&format!("tests/golden/{shown}.txt")));
        let said = recorded.trim_end_matches("[exit code 0]\n");
        assert!(
            bench::without_brackets(&text).contains(said),
            "docs/{docs} shows {shown} as it was:\n{recorded}"
        );
    }
    assert!(read("../../docs/screws.md").contains(TURNING.trim_end()));
}
