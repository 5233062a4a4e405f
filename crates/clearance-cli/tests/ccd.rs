//! `ccd --batch` by the real binary: answers, bad lines, exact numbers.

use serde_json::{Value, json};

mod bench;
use bench::Bench;

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A vertex that falls from a height of `height` to `-3 * height` on a triangle at rest.
fn falling(id: Value, x: Value, height: f64) -> Value {
    let face = [[0, 0, 0], [4, 0, 0], [0, 4, 0]];
    let points = |z: f64| json!([[x, 2, z], face[0], face[1], face[2]]);
    json!({ "id": id, "kind": "vertex-face", "start": points(height), "end": points(-3.0 * height) })
}

#[test]
fn hits_and_misses_are_told_with_their_times() {
    let bench = Bench::new();
    let edges = json!({ "id": "edges", "kind": "edge-edge",
        "start": [[-1, 0, 0], [1, 0, 0], [0, -1, 1], [0, 1, 1]], "end": [[-1, 0, 0], [1, 0, 0], [0, -1, -2], [0, 1, -2]] });
    let cases = [
        falling(json!(1), json!(1), 1.0),
        falling(json!("side"), json!(2), 8.0),
        falling(json!([2]), json!(2f64.next_up()), 8.0),
        // The same numbers as hexadecimal floats.
        falling(Value::Null, json!("0x1p1"), 8.0),
        falling(json!("hex"), json!("0x1.0000000000001p1"), 8.0),
        edges,
    ];
    bench.write("cases.jsonl", &cases.iter().map(|case| format!("{case}\n")).collect::<String>());
    let answers = lines(&bench.fine("ccd --batch cases.jsonl"));
    let quarter = json!({ "lower": 0.25, "upper": 0.25 });
    let third = 1.0f64 / 3.0;
    let expected = [
        json!({ "id": 1, "hit": true, "time": quarter }),
        json!({ "id": "side", "hit": true, "time": quarter }),
        json!({ "id": [2], "hit": false, "time": null }),
        json!({ "id": null, "hit": true, "time": quarter }),
        json!({ "id": "hex", "hit": false, "time": null }),
        json!({ "id": "edges", "hit": true, "time": { "lower": third, "upper": third.next_up() } }),
    ];
    assert_eq!(answers, expected);
}

#[test]
fn features_on_screws_tell_all_their_times() {
    let bench = Bench::new();
    // A vertex on a wheel of radius 1 about x: twice a turn through the plane z = 0.5.
    let table = [[-5, -5, 0], [5, -5, 0], [0, 9, 0]].map(|[x, y, _]| json!([x, y, 0.5]));
    let wheel = |angle: f64| json!({ "axis": [2, 0, 0], "center": [0, 0, 0], "angle": angle, "shift": 0.1 });
    let case = |id: &str, moving: &str, angle: f64| {
        json!({ "id": id, "kind": "vertex-face", "points": [[0, 1, 0], table[0], table[1], table[2]],
            "moving": moving, "screw": wheel(angle) })
    };
    let turn = 2.0 * std::f64::consts::PI;
    let cases = [case("two turns", "first", 2.0 * turn), case("short", "first", 0.05 * turn)];
    bench.write("cases.jsonl", &cases.iter().map(|case| format!("{case}\n")).collect::<String>());
    let answers = lines(&bench.fine("ccd --batch cases.jsonl"));
    let times = answers[0]["times"].as_array().unwrap();
    for (time, expected) in times.iter().zip([1.0, 5.0, 13.0, 17.0]) {
        let (lower, upper) = (time["lower"].as_f64().unwrap(), time["upper"].as_f64().unwrap());
        assert!(lower <= expected / 24.0 + 1e-15 && expected / 24.0 <= upper + 1e-15, "{time} {expected}");
        assert!(upper - lower <= 1e-9 && time["undecided"].is_null());
    }
    assert_eq!((times.len(), &answers[0]["hit"]), (4, &json!(true)));
    assert_eq!((&answers[1]["hit"], &answers[1]["times"]), (&json!(false), &json!([])));
    bench.write("mixed.jsonl", r#"{ "kind": "edge-edge", "points": [[0,0,0],[1,0,0],[0,0,1],[0,1,1]] }"#);
    let (code, out, _) = bench.run("ccd --batch mixed.jsonl");
    assert!(code == 3 && out.contains("give `start` and `end`, or `points`"), "{out}");
}

#[test]
fn a_bad_line_gets_an_error_and_the_others_go_on() {
    let bench = Bench::new();
    let good = falling(json!("good"), json!(1), 1.0);
    let bad = |change: &dyn Fn(&mut Value)| {
        let mut case = falling(json!(7), json!(1), 1.0);
        change(&mut case);
        case.to_string()
    };
    let cases = [
        (bad(&|case| case["kind"] = json!("vertex-edge")), json!(7), "unknown variant"),
        (bad(&|case| case["begin"] = json!(1)), json!(7), "unknown field `begin`"),
        (bad(&|case| case["end"] = json!([[0, 0, 0]])), json!(7), "array of length 4"),
        (
            bad(&|case| case["start"][2][1] = json!(1e91)),
            json!(7),
            "point 2 at time 0 has the coordinate 1e91",
        ),
        (bad(&|case| case["start"][2][1] = json!("two")), json!(7), "hexadecimal"),
        ("{nonsense".to_owned(), Value::Null, "a name in double quotes is expected"),
    ];
    let text: String = cases.iter().map(|(line, _, _)| format!("{line}\n\n{good}\r\n")).collect();
    bench.write("mixed.jsonl", &text);
    let (code, out, err) = bench.run("ccd --batch mixed.jsonl");
    assert_eq!(code, 3, "{err}");
    assert!(err.contains("6 of 12 cases could not be answered"), "{err}");
    let answers = lines(&out);
    assert_eq!(answers.len(), 12);
    for (i, (_, id, message)) in cases.iter().enumerate() {
        let (wrong, right) = (&answers[2 * i], &answers[2 * i + 1]);
        let error = wrong["error"].as_str().unwrap();
        assert!(error.starts_with(&format!("mixed.jsonl:{}:", 3 * i + 1)), "{error}");
        assert!(error.contains(message), "{error}");
        assert_eq!((&wrong["id"], &wrong["hit"], &wrong["time"]), (id, &Value::Null, &Value::Null));
        assert_eq!((&right["id"], &right["hit"]), (&"good".into(), &true.into()));
        assert!(right.get("error").is_none());
    }
    bench.refused(3, "ccd --batch none.jsonl");
    let (code, _, err) = bench.run("ccd");
    assert!(code == 2 && err.contains("--batch"), "{err}");
    std::fs::write(bench.path("bytes.jsonl"), b"\xff\xfe\n").unwrap();
    let (code, out, _) = bench.run("ccd --batch bytes.jsonl");
    assert!(code == 3 && out.contains("not UTF-8"), "{out}");
}

/// Answers come as soon as their case is there: a program may ask one at a time.
#[test]
fn standard_input_is_answered_line_by_line() {
    let bench = Bench::new();
    let cases = [0, 1, 2].map(|i| falling(json!(i), json!(i), 1.0).to_string());
    for (i, answer) in bench.converse("ccd", &cases).iter().enumerate() {
        assert_eq!((&answer["id"], &answer["hit"]), (&json!(i), &json!(true)));
    }
}

#[test]
fn cases_and_answers_have_schemas() {
    let bench = Bench::new();
    let case = bench.json("schema ccd-case");
    assert_eq!(case["required"], json!(["kind"]));
    assert!(bench.json("schema ccd")["properties"]["time"].is_object());
}
