//! `relate` and `verify` by the real binary: one pair, batches, proofs that hold and proofs that do not.

use serde_json::{Value, json};

mod bench;
use bench::Bench;

const STILL: &str = "1 0 0 0 0 1 0 0 0 0 1 0";

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn cube_at(x: f64) -> Value {
    json!([1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0])
}

/// Good cases of all relations and shapes, with the relation that they have.
fn good_cases() -> Vec<(Value, &'static str)> {
    let cube = json!({ "box": [1, 1, 1] });
    let corners: Vec<[f64; 3]> =
        (0..8).map(|i| [f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)]).collect();
    vec![
        (json!({ "id": "apart", "a": cube, "b": cube, "pose_b": cube_at(3.0) }), "disjoint"),
        (json!({ "id": "face", "a": cube, "b": cube, "pose_b": cube_at(1.0) }), "touching"),
        (json!({ "id": "ulp", "a": cube, "b": cube, "pose_b": cube_at(1.0f64.next_up()) }), "disjoint"),
        (json!({ "id": "less", "a": cube, "b": cube, "pose_b": cube_at(1.0f64.next_down()) }), "overlapping"),
        (
            json!({ "id": 5, "a": { "points": corners }, "b": cube,
                "pose_b": { "translation": [0.5, 2, 0.5], "quaternion_xyzw": [0.1, 0.2, 0.3, 0.9] } }),
            "disjoint",
        ),
        (
            json!({ "id": null, "a": { "triangle": [[0, 0, 0], [1, 0, 0], [0, 1, 0]] },
                "b": { "segment": [[0.25, 0.25, -1], [0.25, 0.25, 1]] } }),
            "overlapping",
        ),
        (
            json!({ "id": "flat", "a": { "triangle": [[0, 0, 0], [1, 0, 0], [0, 1, 0]] },
                "b": { "triangle": [[2, 0, 0], [3, 0, 0], [2, 1, 0]] } }),
            "disjoint",
        ),
        (json!({ "id": [1], "a": { "point": [1, 2, 3] }, "b": { "point": [1, 2, 3] } }), "touching"),
        (json!({ "id": "mesh", "a": { "mesh": "cube.stl" }, "b": { "mesh": "cube.stl" } }), "overlapping"),
        (
            json!({ "id": "balls", "a": { "sphere": { "radius": 2 } }, "b": { "capsule": { "radius": 1, "length": 4 } },
                "pose_b": { "translation": [3, 0, 0] } }),
            "touching",
        ),
        (
            json!({ "id": "floor", "a": { "half-space": { "normal": [0, 0, 1], "offset": "0x1p-1" } }, "b": cube,
                "pose_b": { "translation": [0, 0, 1] } }),
            "touching",
        ),
    ]
}

fn bench_with_cases() -> Bench {
    let bench = Bench::new();
    bench.fine("make cube -o cube.stl");
    let text: String = good_cases().iter().map(|(case, _)| format!("{case}\n")).collect();
    bench.write("cases.jsonl", &text);
    bench
}

#[test]
fn batches_answer_in_order_with_the_right_relations() {
    let bench = bench_with_cases();
    let answers = lines(&bench.fine("relate --batch cases.jsonl"));
    assert_eq!(answers.len(), good_cases().len());
    for (answer, (case, relation)) in answers.iter().zip(good_cases()) {
        assert_eq!((&answer["id"], &answer["relation"]), (&case["id"], &relation.into()), "{answer}");
        assert_eq!(answer["error"], Value::Null);
        let keys: Vec<&String> = answer.as_object().unwrap().keys().collect();
        let expected = "depth distance error id kind_a kind_b point_a point_b relation unit width";
        assert_eq!(keys, expected.split(' ').collect::<Vec<_>>());
        assert_eq!(answer["depth"].is_object(), relation == "overlapping", "{answer}");
        let (lower, upper) = (answer["distance"]["lower"].as_f64(), answer["distance"]["upper"].as_f64());
        assert!(lower <= upper && (upper > Some(0.0)) == (relation == "disjoint"), "{answer}");
    }
    let gap = 1.0f64.next_up() - 1.0;
    assert_eq!(
        (answers[2]["distance"]["lower"].as_f64(), answers[2]["distance"]["upper"].as_f64()),
        (Some(gap), Some(gap))
    );
}

#[test]
fn a_bad_line_gets_an_error_and_the_others_go_on() {
    let bench = bench_with_cases();
    let cube = r#"{"box":[1,1,1]}"#;
    bench.fine("make torus -o torus.stl");
    let bad = [
        (
            "a name in double quotes is expected here; a case is one line of JSON such as {",
            "{nonsense",
            Value::Null,
        ),
        ("no JSON value begins here; a case is one line", "nonsense", Value::Null),
        ("expected a case: an object in braces; a case is one line", "[1]", Value::Null),
        (
            "no JSON value begins here",
            &format!(r#"{{"id":"late","a":{cube},"b":{cube},"pose_a":!}}"#),
            json!("late"),
        ),
        (
            "rounding is -0.1; it must not be negative",
            &format!(r#"{{"id":1,"a":{{"box":[1,1,1],"rounding":-0.1}},"b":{cube}}}"#),
            json!(1),
        ),
        (
            "unknown field `pose`; a pose stands beside the shape: `pose` in a scene, `pose_a` and `pose_b` in a case",
            &format!(r#"{{"id":2,"a":{{"box":[1,1,1],"pose":[]}},"b":{cube}}}"#),
            json!(2),
        ),
        ("unknown field `c`", &format!(r#"{{"id":7,"a":{cube},"c":{cube}}}"#), json!(7)),
        ("missing field `b`", &format!(r#"{{"id":8,"a":{cube}}}"#), json!(8)),
        ("edges.y", r#"{"id":9,"a":{"box":[1,-1,1]},"b":{"point":[0,0,0]}}"#, json!(9)),
        ("out of range", r#"{"id":10,"a":{"points":[[1e400,0,0]]},"b":{"point":[0,0,0]}}"#, json!(10)),
        ("at least one point", r#"{"id":11,"a":{"points":[]},"b":{"point":[0,0,0]}}"#, json!(11)),
        (
            "no rotation",
            &format!(r#"{{"id":12,"a":{cube},"b":{cube},"pose_a":[1,0,0,0,0,1.01,0,0,0,0,1,0]}}"#),
            json!(12),
        ),
        ("12 numbers", &format!(r#"{{"id":13,"a":{cube},"b":{cube},"pose_a":[1,0,0]}}"#), json!(13)),
        (
            "of a solid and a cylinder",
            r#"{"id":14,"a":{"mesh":"torus.stl"},"b":{"cylinder":{"radius":2.03e90,"height":1}}}"#,
            json!(14),
        ),
        ("cannot be opened", &format!(r#"{{"id":16,"a":{{"mesh":"none.stl"}},"b":{cube}}}"#), json!(16)),
        ("leads out of", &format!(r#"{{"id":17,"a":{{"mesh":"../none.stl"}},"b":{cube}}}"#), json!(17)),
    ];
    let good = format!(r#"{{"id":"good","a":{cube},"b":{cube}}}"#);
    let text: String = bad.iter().map(|(_, line, _)| format!("{line}\n\n{good}\r\n")).collect();
    bench.write("mixed.jsonl", &text);
    let (code, out, err) = bench.run("relate --batch mixed.jsonl");
    assert_eq!(code, 3, "{err}");
    assert!(err.contains("16 of 32 cases could not be answered"), "{err}");
    let answers = lines(&out);
    assert_eq!(answers.len(), 32);
    for (i, (message, line, id)) in bad.iter().enumerate() {
        let (wrong, right) = (&answers[2 * i], &answers[2 * i + 1]);
        let error = wrong["error"].as_str().unwrap();
        let number = format!("mixed.jsonl:{}:", 3 * i + 1);
        assert!(
            error.contains(&number) || error.starts_with("body ") || error.starts_with("the relation of"),
            "{error}"
        );
        assert!(
            error.contains(message) && !error.contains("struct") && !error.contains("ident"),
            "{line}: {error}"
        );
        assert_eq!((&wrong["id"], &wrong["relation"], &wrong["distance"]), (id, &Value::Null, &Value::Null));
        assert_eq!((&right["id"], &right["relation"]), (&"good".into(), &"overlapping".into()));
    }
    bench.refused(3, "relate --batch none.jsonl");
    std::fs::write(bench.path("bytes.jsonl"), b"\xff\xfe\n").unwrap();
    let (code, out, _) = bench.run("relate --batch bytes.jsonl");
    assert!(code == 3 && out.contains("not UTF-8"), "{out}");
}

/// Answers come as soon as their case is there: a program may ask one at a time.
#[test]
fn standard_input_is_answered_line_by_line() {
    let bench = Bench::new();
    let cases =
        [0, 1, 2].map(|i| format!(r#"{{"id":{i},"a":{{"point":[0,0,0]}},"b":{{"point":[0,0,{i}]}}}}"#));
    for (i, answer) in bench.converse("relate", &cases).iter().enumerate() {
        assert_eq!((&answer["id"], &answer["distance"]["upper"]), (&json!(i), &json!(i as f64)));
    }
}

#[test]
fn proofs_are_checked_again_with_and_without_the_cases() {
    let bench = bench_with_cases();
    bench.write("proved.jsonl", &bench.fine("relate --batch cases.jsonl --proof"));
    bench.write("plain.jsonl", &bench.fine("relate --batch cases.jsonl"));
    for run in ["proved.jsonl", "proved.jsonl --cases cases.jsonl"] {
        let report = bench.json(&format!("verify {run} --json"));
        assert_eq!((&report["proved"], &report["recomputed"]), (&json!(9), &json!(2)), "{report}");
    }
    let report = bench.json("verify plain.jsonl --cases cases.jsonl --json");
    assert_eq!((&report["proved"], &report["recomputed"]), (&json!(0), &json!(11)));
    let (code, out, _) = bench.run("verify plain.jsonl");
    assert!(code == 3 && out.contains("write answers with --proof, or give the --cases"), "{out}");
    // The lines are cases themselves: what is asked again is answered the same.
    for (line, answer) in lines(&std::fs::read_to_string(bench.path("proved.jsonl")).unwrap()).iter().zip(0..)
    {
        let case = json!({ "id": line["id"], "a": line["a"], "b": line["b"], "pose_a": line["pose_a"], "pose_b": line["pose_b"] });
        bench.write("again.jsonl", &format!("{case}\n"));
        let mut again = lines(&bench.fine("relate --batch again.jsonl --proof"));
        // A mesh that is convex has become the hull of points.
        (again[0]["kind_a"], again[0]["kind_b"]) = (line["kind_a"].clone(), line["kind_b"].clone());
        assert_eq!(&again[0], line, "{answer}");
    }
}

#[test]
fn a_tampered_answer_is_found() {
    let bench = bench_with_cases();
    let proved = bench.fine("relate --batch cases.jsonl --proof");
    let answers = lines(&proved);
    type Change = fn(&mut Value);
    let changes: [(usize, Change, &str); 13] = [
        (0, |a| a["relation"] = json!("touching"), "relation"),
        (0, |a| a["witness"]["separation"]["vertex_a"] = json!(0), "`witness`: it fails"),
        (0, |a| a["witness"]["separation"]["vertex_b"] = json!(99), "not a corner"),
        (
            0,
            |a| a["witness"]["separation"]["direction"] = json!({ "vector": [0, 1, 0] }),
            "`witness`: it fails",
        ),
        (
            0,
            |a| a["witness"]["separation"]["direction"] = json!({ "vector": [0, 0, 0] }),
            "direction is zero",
        ),
        (0, |a| a["witness"] = json!({ "overlap": [[0, 0], [1, 1], [2, 2], [3, 3]] }), "overlapping"),
        (1, |a| a["witness"]["common_point"] = json!([[0, 0]]), "zero is not in"),
        (3, |a| a["witness"]["overlap"] = json!([[0, 0], [1, 1], [2, 2], [3, 3]]), "zero is not in"),
        (0, |a| a["distance"]["lower"] = json!(2.5), "distance"),
        (0, |a| a["distance"] = json!({ "lower": 1.0, "upper": 1.5 }), "distance"),
        (3, |a| a["depth"] = json!({ "lower": 0.5, "upper": 0.6 }), "depth"),
        (3, |a| a["depth"] = Value::Null, "depth"),
        (2, |a| a["pose_b"][3] = json!(1.0), "relation"),
    ];
    for (i, change, message) in changes {
        let mut answer = answers[i].clone();
        change(&mut answer);
        assert_ne!(answer, answers[i], "the test changes something");
        bench.write("one.jsonl", &format!("{answer}\n"));
        let (code, out, _) = bench.run("verify one.jsonl");
        assert_eq!(code, 1, "{message}: {out}");
        assert!(out.contains(message) && out.contains("1 wrong"), "{message}: {out}");
    }
    // A true proof about other bodies than the case's is caught by the case alone.
    let other = good_cases()[0].0.to_string().replace("3.0", "3.5");
    bench.write("other-cases.jsonl", &format!("{other}\n"));
    bench.write("other.jsonl", &bench.fine("relate --batch other-cases.jsonl --proof"));
    bench.write("first.jsonl", &format!("{}\n", good_cases()[0].0));
    assert_eq!(bench.run("verify other.jsonl").0, 0);
    let (code, out, _) = bench.run("verify other.jsonl --cases first.jsonl");
    assert!(code == 1 && out.contains("`pose_b`: a pose is not that of the case"), "{out}");
    bench.write("short.jsonl", &proved.lines().take(3).map(|line| format!("{line}\n")).collect::<String>());
    let (code, out, _) = bench.run("verify short.jsonl --cases cases.jsonl");
    assert!(
        code == 3
            && out.contains("line 4 (id \"less\"): cannot be checked: there are more cases than answers"),
        "{out}"
    );
    assert!(out.contains("that of cases.jsonl:4 has none"), "{out}");
    bench.write("junk.jsonl", "{}\nnonsense\n{\"a\": {\"point\": [0,0,0]}}\n");
    assert_eq!(bench.run("verify junk.jsonl").0, 3);
}

/// Pairs of all kinds of bodies, most of them without a witness.
fn more_cases() -> Vec<Value> {
    let cube = json!({ "box": [1, 1, 1] });
    let turned =
        |x: f64, y: f64, z: f64| json!({ "translation": [x, y, z], "quaternion_xyzw": [0.1, 0.2, 0.3, 0.9] });
    vec![
        json!({ "id": "apart", "a": cube, "b": cube, "pose_b": cube_at(3.0) }),
        json!({ "id": "deep", "a": cube, "b": cube, "pose_a": turned(0.3, 0.2, 0.1) }),
        json!({ "id": "barely", "a": { "sphere": { "radius": 1.5 } }, "b": { "sphere": { "radius": "0x1.6a09e667f3bcdp0" } },
            "pose_b": { "translation": [2, 2, 0.5] } }),
        json!({ "id": "near", "a": { "cylinder": { "radius": 1, "height": 2 } }, "b": { "sphere": { "radius": 1 } },
            "pose_b": { "translation": [1.2, 1.6, 0] } }),
        json!({ "id": "ring", "a": { "mesh": "torus.stl" }, "b": { "box": [0.01, 0.01, 0.01] }, "pose_b": cube_at(TUBE) }),
        json!({ "id": "rings", "a": { "mesh": "torus.stl" }, "b": { "mesh": "torus.stl" }, "pose_b": turned(TUBE, 0.0, 0.0) }),
        json!({ "id": "can", "a": { "cylinder": { "radius": 1, "height": 2 } }, "b": { "cone": { "radius": 2, "height": 3 } },
            "pose_b": turned(4.0, 1.0, 0.5) }),
        json!({ "id": "in can", "a": { "cylinder": { "radius": 1, "height": 2 } }, "b": { "ellipsoid": { "semi_axes": [1, 2, 3] } },
            "pose_b": turned(1.0, 1.0, 0.5) }),
        json!({ "id": "can on ring", "a": { "mesh": "torus.stl" }, "b": { "cylinder": { "radius": 1, "height": 2 }, "rounding": 0.1 },
            "pose_b": turned(4.0, 1.0, 0.5) }),
        json!({ "id": "floor", "a": { "half-space": { "normal": [1, 2, 3], "offset": 1 } }, "b": { "cylinder": { "radius": 1, "height": 2 } },
            "pose_b": turned(4.0, 1.0, 0.5) }),
        json!({ "id": "floors", "a": { "half-space": { "normal": [0, 0, 1], "offset": 1 } }, "b": { "plane": { "normal": [0, 0, 1], "offset": 3 } } }),
    ]
}

/// Where the tube of the sample torus runs.
const TUBE: f64 = 2.0;

/// Changes a field.
fn put(value: Value, answer: &mut Value, field: &str) -> Option<()> {
    answer[field] = value;
    Some(())
}

/// Every field that an answer states is checked: what is changed is found, with its line and its name.
#[test]
fn every_field_of_an_answer_is_checked() {
    let bench = Bench::new();
    bench.fine("make torus -o torus.stl");
    let text = |lines: &[Value]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    bench.write("cases.jsonl", &text(&more_cases()));
    let proved = bench.fine("relate --batch cases.jsonl --proof");
    bench.write("proved.jsonl", &proved);
    let answers = lines(&proved);
    let found: Vec<_> = answers.iter().map(|answer| answer["relation"].as_str().unwrap()).collect();
    for relation in ["disjoint", "overlapping", "undecided"] {
        assert!(found.contains(&relation), "{found:?}");
    }
    assert!(answers.iter().any(|answer| answer["enclosed"] == "b"), "{proved}");
    for run in ["proved.jsonl", "proved.jsonl --cases cases.jsonl"] {
        bench.fine(&format!("verify {run}"));
    }
    type Change = fn(&mut Value) -> Option<()>;
    let changes: [(&str, Change); 23] = [
        ("relation", |a| put(json!("touching"), a, "relation")),
        ("relation", |a| put(json!(null), a, "relation")),
        ("distance", |a| put(json!({ "lower": 0, "upper": 1e300 }), a, "distance")),
        ("distance", |a| put(json!({ "lower": -5, "upper": a["distance"]["upper"] }), a, "distance")),
        ("distance", |a| put(json!({ "lower": 5, "upper": 3 }), a, "distance")),
        ("distance", |a| {
            (a["relation"] != "undecided")
                .then(|| a["distance"] = json!({ "lower": 1e-300, "upper": 1e-300 }))
        }),
        ("distance", |a| put(json!(null), a, "distance")),
        ("distance", |a| {
            let upper = a["distance"]["upper"].as_f64().filter(|upper| *upper > 1e-9)?;
            put(json!(upper * (1.0 - 1e-11)), &mut a["distance"], "lower")
        }),
        ("depth", |a| a["depth"].is_object().then(|| a["depth"] = json!({ "lower": 0, "upper": 100 }))),
        ("depth", |a| a["depth"].is_object().then(|| a["depth"]["lower"] = json!(-1))),
        ("depth", |a| a["depth"].is_object().then(|| a["depth"] = json!(null))),
        ("depth", |a| a["depth"].is_null().then(|| a["depth"] = json!({ "lower": 0, "upper": 0 }))),
        ("point_a", |a| put(json!([900, 900, 900]), a, "point_a")),
        ("point_b", |a| put(json!([900, 900, 900]), a, "point_b")),
        ("point_b", |a| put(json!([1e300, 900, 900]), a, "point_b")),
        ("point_a", |a| a["point_a"].is_array().then(|| a["point_a"] = json!(null))),
        ("point_b", |a| a["point_b"].is_array().then(|| a["point_b"] = json!(null))),
        // A point of the body, and not the right one.
        ("point_b", |a| (a["id"] == "apart").then(|| a["point_b"] = json!([3.5, 0.5, 0.5]))),
        ("width", |a| put(json!(1e6), a, "width")),
        ("width", |a| put(json!(0), a, "width")),
        ("enclosed", |a| put(json!("a"), a, "enclosed")),
        ("enclosed", |a| (a["enclosed"] == "b").then(|| a["enclosed"] = json!(null))),
        ("witness", |a| (a["id"] == "can").then(|| a["witness"] = json!({ "overlap": [[0, 0]] }))),
    ];
    for (field, change) in changes {
        let mut tampered = answers.clone();
        let changed: Vec<usize> =
            (0..answers.len()).filter(|&i| change(&mut tampered[i]).is_some()).collect();
        assert!(!changed.is_empty() && changed.iter().all(|&i| tampered[i] != answers[i]), "{field}");
        bench.write("tampered.jsonl", &text(&tampered));
        for run in ["tampered.jsonl", "tampered.jsonl --cases cases.jsonl"] {
            let (code, out, _) = bench.run(&format!("verify {run}"));
            assert_eq!((code, out.matches(": wrong: ").count()), (1, changed.len()), "{field}: {out}");
            for i in &changed {
                let place = format!("line {} (id {}): wrong: ", i + 1, answers[*i]["id"]);
                let line = out.lines().find(|line| line.starts_with(&place)).unwrap();
                assert!(line.contains(&format!("`{field}`")), "{field}: {line}");
            }
        }
    }
}

#[test]
fn a_missing_witness_and_a_false_error_are_told() {
    let bench = bench_with_cases();
    let mut answers = lines(&bench.run("relate --batch cases.jsonl --proof --contacts").1);
    let write = |name: &str, answers: &[Value]| {
        bench.write(name, &answers.iter().map(|answer| format!("{answer}\n")).collect::<String>());
    };
    answers[1].as_object_mut().unwrap().remove("witness");
    write("bare.jsonl", &answers);
    let (code, out, _) = bench.run("verify bare.jsonl --cases cases.jsonl");
    assert!(
        code == 0 && out.contains("line 2 (id \"face\"): computed anew, not proved by a witness"),
        "{out}"
    );
    assert!(out.contains("8 proved by their witness, 3 computed anew"), "{out}");
    let report = bench.json("verify bare.jsonl --json");
    assert_eq!((&report["recomputed"], &report["without_witness"][0]["line"]), (&json!(3), &json!(2)));
    answers[3]["contacts"].as_array_mut().unwrap().pop();
    write("contacts.jsonl", &answers);
    let (code, out, _) = bench.run("verify contacts.jsonl --cases cases.jsonl");
    assert!(code == 1 && out.contains("line 4 (id \"less\"): wrong: `contacts`"), "{out}");
    answers[2] = json!({ "id": "ulp", "error": "gave up" });
    write("gave-up.jsonl", &answers);
    let (code, out, _) = bench.run("verify gave-up.jsonl --cases cases.jsonl");
    assert!(
        code == 1 && out.contains("line 3 (id \"ulp\"): wrong: `error`: the case has an answer: disjoint"),
        "{out}"
    );
    // What has no answer may say so, with the cases and without.
    bench.write(
        "bad.jsonl",
        "{\"id\": 1, \"a\": {\"point\": [0,0,0]}}\n{\"id\": 2, \"a\": {\"point\": [0,0,0]}, !\n",
    );
    bench.write("errors.jsonl", &bench.run("relate --batch bad.jsonl").1);
    for run in ["errors.jsonl", "errors.jsonl --cases bad.jsonl"] {
        assert!(bench.fine(&format!("verify {run}")).contains("2 without an answer, 0 wrong"));
    }
}

#[test]
fn one_pair_is_told_in_words_json_and_pictures() {
    let bench = bench_with_cases();
    let away = "--pose-b 1 0 0 3 0 1 0 0 0 0 1 0";
    let said = bench.fine(&format!("relate cube.stl cube.stl --unit mm {away} --picture pair.svg"));
    for part in [
        "disjoint, 2 mm apart",
        "distance  2 mm",
        "closest",
        "the gap is positive",
        "picture written to pair.svg",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let svg = std::fs::read_to_string(bench.path("pair.svg")).unwrap();
    assert!(svg.contains("separating plane") && svg.matches("<circle").count() == 2, "{svg}");
    bench.fine(&format!("relate cube.stl cube.stl {away} --picture pair.glb"));
    let names = bench.json("info pair.glb --json");
    let names: Vec<&str> = names["files"][0]["parts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| part["name"].as_str().unwrap())
        .collect();
    assert!(names.iter().any(|name| name.starts_with("separating plane")), "{names:?}");
    let report = bench.json(&format!("relate cube.stl cube.stl {away} --json --proof"));
    assert_eq!((&report["relation"], &report["unit"]), (&"disjoint".into(), &Value::Null));
    assert!(report["witness"]["separation"].is_object());
    for (shape, file) in [
        (r#"{"half-space":{"normal":[0,0,1],"offset":-1}}"#, "half.svg"),
        (r#"{"plane":{"normal":[0,1,1],"offset":0}}"#, "plane.svg"),
        (r#"{"segment":[[0,0,0],[0,0,3]]}"#, "segment.svg"),
        (r#"{"point":[0,0,3]}"#, "point.glb"),
        (r#"{"capsule":{"radius":1,"length":2}}"#, "capsule.glb"),
        (r#"{"cone":{"radius":1,"height":2},"rounding":0.5}"#, "cone.svg"),
    ] {
        bench.fine(&format!("relate cube.stl {shape} --picture {file}"));
        assert!(bench.path(file).exists());
    }
}

#[test]
fn fail_on_and_usage_have_their_exit_codes() {
    let bench = bench_with_cases();
    bench.write(
        "scene.json",
        r#"{ "unit": "cm", "parts": [ { "name": "pin", "shape": { "box": [1, 1, 1] }, "pose": { "translation": [5, 0, 0] } },
            { "name": "nut", "shape": { "sphere": { "radius": 1 } } } ] }"#,
    );
    for (arguments, code, message) in [
        ("cube.stl cube.stl --fail-on overlapping", 1, ""),
        ("cube.stl cube.stl --fail-on disjoint,touching,undecided", 0, ""),
        ("--batch cases.jsonl --fail-on touching", 1, "found what --fail-on asks for in 4 of 11 cases"),
        ("cube.stl", 2, "required"),
        ("cube.stl cube.stl --batch cases.jsonl", 2, "cannot be used with"),
        ("cube.stl cube.stl --pose-a 1 0 0", 2, "it has 3 of 12 entries"),
        ("--pose-a 1,0,0,-3,0,1,0,0,0,0,1,0 cube.stl cube.stl --fail-on disjoint", 1, ""),
        ("--pose-a 1 0 0 -3 0 1 0 0 0 0 1 0 cube.stl cube.stl --fail-on disjoint", 1, ""),
        ("--pose-a {\"translation\":[3,0,0]} cube.stl cube.stl --fail-on disjoint", 1, ""),
        (
            "cube.stl cube.stl --pose-b {\"translation\":[3,0,0],\"quaternion_xyzw\":[0,0,0,1]} --fail-on disjoint",
            1,
            "",
        ),
        (
            "--pose-a 1 0 0 0 0 1 0 0 0 0 1 cube.stl cube.stl",
            2,
            "'--pose-a <POSE>': entry 12 is `cube.stl`, which is no number",
        ),
        (
            "cube.stl cube.stl --pose-b 1 0 0 0 0 1 0 0 0 0 1 cube.stl",
            2,
            "entry 12 is `cube.stl`, which is no number",
        ),
        (
            "cube.stl cube.stl --pose-b nan 0 0 0 0 1 0 0 0 0 1 0",
            2,
            "'--pose-b <POSE>': entry 1 is nan, which is not finite",
        ),
        ("cube.stl cube.stl --pose-a 1,0,0,-3,0,1,0,-2e1,0,0,1,0 --fail-on overlapping", 0, ""),
        ("cube.stl cube.stl --pose-a 1 0 0 0 0 2 0 0 0 0 1 0", 2, "no rotation"),
        ("cube.stl cube.stl --fail-on nonsense", 2, "possible values: disjoint"),
        ("cube.stl cube.stl --picture pair.png", 2, ".svg or .glb"),
        ("cube.stl none.stl", 3, "no such file"),
        ("cube.stl {\"box\":[1,1]}", 3, "shape:1:"),
        ("cube.stl scene.json", 3, "scene.json#pin, scene.json#nut"),
        ("cube.stl scene.json#bolt", 3, "name one of its parts"),
        ("cube.stl scene.json#pin", 0, ""),
    ] {
        let (found, out, err) = bench.run(&format!("relate {arguments}"));
        assert_eq!(found, code, "{arguments}\n{out}{err}");
        assert!(err.contains(message), "{arguments}: {err}");
    }
    assert!(bench.fine("relate cube.stl scene.json#pin").contains("cm apart"));
    let moved = bench.fine(&format!("relate scene.json#nut scene.json#pin --pose-b {STILL}"));
    assert!(moved.contains("overlapping"), "{moved}");
    let schema = bench.json("schema case");
    assert!(schema["properties"]["pose_a"].is_object());
    let report = bench.json("schema verify");
    assert!(report["properties"]["wrong"].is_object());
}

/// Runs a batch of these lines and gives its answers.
fn batch(bench: &Bench, options: &str, cases: &[&str]) -> Vec<Value> {
    bench.write("batch.jsonl", &cases.iter().map(|case| format!("{case}\n")).collect::<String>());
    lines(&bench.run(&format!("relate --batch batch.jsonl {options}")).1)
}

/// What `verify` says of one answer that was changed; it must be wrong.
fn refused(bench: &Bench, answer: &Value, options: &str) -> String {
    bench.write("changed.jsonl", &format!("{answer}\n"));
    let (code, out, _) = bench.run(&format!("verify changed.jsonl {options}"));
    assert_eq!(code, 1, "{out}");
    out
}

#[test]
fn a_case_has_its_unit_for_itself() {
    let bench = Bench::new();
    bench.fine("make cube -o cube.stl");
    bench.fine("make cube -o cube.glb");
    let metres =
        r#"{"id":"m","a":{"mesh":"cube.glb"},"b":{"box":[1,1,1]},"pose_b":{"translation":[1e308,0,0]}}"#;
    let millimetres = r#"{"id":"mm","a":{"mesh":"cube.stl","unit":"mm"},"b":{"box":[1,1,1]},"pose_b":{"translation":[9,0,0]}}"#;
    let both = r#"{"id":"both","a":{"mesh":"cube.stl","unit":"mm"},"b":{"mesh":"cube.glb"}}"#;
    let neither = r#"{"id":"none","a":{"mesh":"cube.stl"},"b":{"box":[1,1,1]}}"#;
    let all = batch(&bench, "", &[metres, millimetres, both, neither, &metres.replace("1e308", "9"), both]);
    let units: Vec<&Value> = all.iter().map(|answer| &answer["unit"]).collect();
    let null = &Value::Null;
    assert_eq!(units, [null, &json!("mm"), null, null, &json!("m"), null], "{all:?}");
    assert_eq!((&all[1]["relation"], &all[3]["relation"]), (&json!("disjoint"), &json!("overlapping")));
    for i in [2, 5] {
        let error = all[i]["error"].as_str().unwrap();
        assert!(
            error.contains("this file is in m, an earlier one in mm") && error.contains("--unit mm"),
            "{error}"
        );
    }
    // The advice works, here and in `relate` and `verify`.
    let converted = batch(&bench, "--unit mm", &[both]);
    assert_eq!((&converted[0]["unit"], &converted[0]["relation"]), (&json!("mm"), &json!("overlapping")));
    bench.write("answers.jsonl", &format!("{}\n", converted[0]));
    bench.fine("verify answers.jsonl --cases batch.jsonl --unit mm");
    let out = refused(&bench, &converted[0], "--cases batch.jsonl --unit m");
    assert!(out.contains("`unit`: mm, that of the case is m") && out.contains("--unit mm"), "{out}");
    assert!(bench.fine("relate cube.glb cube.stl --unit mm").contains("mm deep"));
    bench.write(
        "scene.json",
        r#"{ "unit": "cm", "parts": [ { "name": "pin", "shape": { "box": [1, 1, 1] } } ] }"#,
    );
    let error = bench.refused(3, "relate scene.json#pin cube.glb");
    assert!(error.contains("one body is in cm, the other in m") && error.contains("--unit"), "{error}");
    assert!(bench.fine("relate scene.json#pin cube.glb --unit cm").contains("cm deep"));
    assert!(bench.fine("relate scene.json#pin scene.json#pin --unit mm").contains("cm deep"));
}

#[test]
fn a_bracket_beside_the_truth_is_refused() {
    let bench = Bench::new();
    let cases = [
        r#"{"id":1,"a":{"point":[0,0,0]},"b":{"point":[1,1,0]}}"#,
        r#"{"id":2,"a":{"sphere":{"radius":0.25}},"b":{"box":[1,1,1],"rounding":0.125},"pose_b":{"translation":[3,2,2]}}"#,
        r#"{"id":3,"a":{"box":[2,2,2]},"b":{"box":[2,2,2]},"pose_b":{"translation":[1.3,0.1,0.2]}}"#,
        r#"{"id":4,"a":{"ellipsoid":{"semi_axes":[1,1,1]}},"b":{"ellipsoid":{"semi_axes":[1,1,1]}},"pose_b":{"translation":[3,0,0]}}"#,
    ];
    let answers = batch(&bench, "--proof", &cases);
    for (answer, field) in answers.iter().zip(["distance", "distance", "depth", "distance"]) {
        let ends = ["lower", "upper"].map(|end| answer[field][end].as_f64().unwrap());
        for (end, value) in [("upper", ends[0]), ("lower", ends[1])] {
            let mut changed = answer.clone();
            changed[field][end] = json!(value);
            assert_ne!(&changed, answer, "the ends differ: {answer}");
            assert!(refused(&bench, &changed, "").contains(&format!("`{field}`:")), "{changed}");
        }
    }
    // What is true of polytopes and rounded ones may be wider than what comes out, or narrower.
    let mut wider = answers[0].clone();
    wider["distance"]["lower"] = json!(2f64.sqrt().next_down().next_down());
    bench.write("wider.jsonl", &format!("{wider}\n"));
    bench.fine("verify wider.jsonl");
}

#[test]
fn the_deepest_points_are_not_swapped() {
    let bench = Bench::new();
    let boxes = r#"{"a":{"box":[2,2,2]},"b":{"box":[2,2,2]},"pose_b":{"translation":[1.3,0.1,0.2]}}"#;
    let mut answers = batch(&bench, "--proof", &[boxes]);
    // Both points lie in both boxes.
    let [point_a, point_b] = ["point_a", "point_b"].map(|point| answers[0][point].clone());
    (answers[0]["point_a"], answers[0]["point_b"]) = (point_b, point_a);
    for options in ["", "--cases batch.jsonl"] {
        let out = refused(&bench, &answers[0], options);
        assert!(out.contains("they are not the deepest"), "{out}");
    }
}

#[test]
fn an_error_says_nothing_else_and_has_the_id_of_its_case() {
    let bench = Bench::new();
    let answers = batch(&bench, "", &[r#"{"id":"x","a":{"point":[0,0,0]},"b":!}"#]);
    bench.write("answers.jsonl", &format!("{}\n", answers[0]));
    bench.fine("verify answers.jsonl --cases batch.jsonl");
    let put = |field: &str, value: Value| {
        let mut changed = answers[0].clone();
        changed[field] = value;
        changed
    };
    let out = refused(&bench, &put("id", json!("y")), "--cases batch.jsonl");
    assert!(out.contains("`id`: the case has the id \"x\", the answer \"y\""), "{out}");
    for (field, value) in [
        ("distance", json!({ "lower": 1, "upper": 1 })),
        ("depth", json!({ "lower": 1, "upper": 1 })),
        ("width", json!(1)),
        ("point_a", json!([0, 0, 0])),
        ("point_b", json!([0, 0, 0])),
        ("enclosed", json!("a")),
        ("contacts", json!([])),
        ("relation", json!("disjoint")),
    ] {
        for options in ["", "--cases batch.jsonl"] {
            let out = refused(&bench, &put(field, value.clone()), options);
            assert!(out.contains(&format!("`error`: there is a `{field}`, too")), "{out}");
        }
    }
}

#[test]
fn answers_say_what_a_mesh_stands_for() {
    let bench = Bench::new();
    bench.fine("make cube -o cube.stl");
    bench.fine("make torus -o torus.stl");
    bench.write("sheet.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let case = |a: &str, b: &str| format!(r#"{{"a":{{"mesh":"{a}"}},"b":{b}}}"#);
    let cases = [case("cube.stl", r#"{"mesh":"sheet.obj"}"#), case("torus.stl", r#"{"box":[1,1,1]}"#)];
    let answers = batch(&bench, "--proof", &cases.each_ref().map(String::as_str));
    let kinds = |answer: &Value| [answer["kind_a"].clone(), answer["kind_b"].clone()];
    assert_eq!(kinds(&answers[0]), [json!("solid"), json!("surface")]);
    assert_eq!(kinds(&answers[1]), [json!("solid"), Value::Null]);
    assert_eq!(kinds(&bench.json("relate cube.stl sheet.obj --json")), [json!("solid"), json!("surface")]);
    let said = bench.fine("relate cube.stl sheet.obj");
    assert!(said.contains("convex solid, 8 vertices") && said.contains("surface of 1 triangle"), "{said}");
    bench.write("batch.jsonl", &(cases[0].clone() + "\n"));
    let mut changed = answers[0].clone();
    changed["kind_a"] = json!("surface");
    assert!(
        refused(&bench, &changed, "--cases batch.jsonl").contains("`kind_a`: surface, the mesh is a solid")
    );
    changed = answers[0].clone();
    changed["kind_b"] = json!("solid");
    assert!(refused(&bench, &changed, "").contains("`kind_b`: solid, the mesh is a surface"));
}

#[test]
fn what_is_no_mesh_has_no_kind() {
    let bench = Bench::new();
    let boxes = r#"{"a":{"box":[1,1,1]},"b":{"sphere":{"radius":1}}}"#;
    let answers = batch(&bench, "--proof", &[boxes]);
    for (field, kind, options) in [
        ("kind_b", "solid", ""),
        ("kind_b", "surface", "--cases batch.jsonl"),
        ("kind_a", "solid", "--cases batch.jsonl"),
        // The corners of a box may be those of a mesh that is a convex solid, never those of a surface.
        ("kind_a", "surface", ""),
    ] {
        let mut changed = answers[0].clone();
        changed[field] = json!(kind);
        let out = refused(&bench, &changed, options);
        assert!(out.contains(&format!("`{field}`: {kind}, the body is no {kind}")), "{out}");
    }
}

#[test]
fn a_pose_that_is_stated_without_bodies_is_that_of_the_case() {
    let bench = Bench::new();
    let cubes = r#"{"a":{"box":[1,1,1]},"b":{"box":[1,1,1]},"pose_b":{"translation":[3,0,0]}}"#;
    let mut answers = batch(&bench, "", &[cubes]);
    answers[0]["pose_b"] = cube_at(3.0);
    bench.write("posed.jsonl", &format!("{}\n", answers[0]));
    bench.fine("verify posed.jsonl --cases batch.jsonl");
    for (field, pose) in
        [("pose_b", cube_at(4.0)), ("pose_a", cube_at(4.0)), ("pose_a", json!(vec![0.0; 12]))]
    {
        let mut changed = answers[0].clone();
        changed[field] = pose;
        let out = refused(&bench, &changed, "--cases batch.jsonl");
        assert!(out.contains(&format!("`{field}`: a pose is not that of the case")), "{out}");
    }
}

/// Shells of some systems put a byte order mark before what a program prints.
#[test]
fn answers_are_read_as_cases_are() {
    let bench = Bench::new();
    let case = r#"{"id":7,"a":{"box":[1,1,1]},"b":{"box":[1,1,1]}}"#;
    let answers = batch(&bench, "--proof", &[case]);
    bench.write("marked.jsonl", &format!("\u{feff}{}\r\n", answers[0]));
    bench.fine("verify marked.jsonl");
    bench.write("broken.jsonl", &format!("{}\n{{\"id\": 8, !\n", answers[0]));
    let (code, out, _) = bench.run("verify broken.jsonl");
    assert!(
        code == 3
            && out.contains(
                "line 2 (id 8): cannot be checked: no answer: broken.jsonl:2:11: a name in double quotes"
            ),
        "{out}"
    );
}

#[test]
fn ids_come_back_digit_by_digit() {
    let bench = Bench::new();
    let ids = ["12345678901234567890123", "1.50", r#"{"b": 1, "a": [2]}"#, "1e400"];
    let cases = ids.map(|id| format!(r#"{{"id":{id},"a":{{"point":[0,0,0]}},"b":{{"point":[0,0,1]}}}}"#));
    let bad = ids.map(|id| format!(r#"{{"id":{id},"a":{{"point":[0,0,0]}}}}"#));
    for (texts, code) in [(&cases, 0), (&bad, 3)] {
        bench.write("ids.jsonl", &texts.iter().map(|case| format!("{case}\n")).collect::<String>());
        for run in ["relate --batch ids.jsonl --proof", "sweep --batch ids.jsonl"] {
            let (found, out, _) = bench.run(run);
            assert_eq!(found, code, "{out}");
            for (line, id) in out.lines().zip(ids) {
                assert!(line.starts_with(&format!("{{\"id\":{id},")), "{id}: {line}");
            }
        }
        let answers = bench.run("relate --batch ids.jsonl").1;
        bench.write("answers.jsonl", &answers);
        bench.fine("verify answers.jsonl --cases ids.jsonl");
        bench.write("answers.jsonl", &answers.replace("90123,", "90124,"));
        assert_eq!(bench.run("verify answers.jsonl --cases ids.jsonl").0, 1);
    }
}

#[test]
fn messages_speak_of_what_is_there() {
    let bench = Bench::new();
    bench.write("cube.off", "OFF\n");
    std::fs::create_dir(bench.path("inner")).unwrap();
    bench.write("inner/cases.jsonl", r#"{"a":{"mesh":"../cube.stl"},"b":{"mesh":"none.stl"}}"#);
    let (_, out, _) = bench.run("relate --batch inner/cases.jsonl");
    assert!(
        out.contains("leads out of the folder inner; move") && out.contains("(--allow-outside)"),
        "{out}"
    );
    assert!(!out.contains("scene"), "{out}");
    let err = bench.refused(3, r#"relate {"mesh":"none.stl"} {"box":[1,1,1]}"#);
    assert!(err.contains("names are relative to the current folder"), "{err}");
    let err = bench.refused(3, r#"relate {"half-space":{"normal":[1e-300,0,0],"offset":1}} {"box":[1,1,1]}"#);
    assert!(err.contains("normal is (1e-300, 0.0, 0.0), too short"), "{err}");
    let err = bench.refused(3, r#"relate {"points":[[1e300,0,0]]} {"box":[1,1,1]}"#);
    assert!(err.contains("larger than 2^300 in size"), "{err}");
    let err = bench.refused(2, "verify - --cases -");
    assert!(err.contains("cannot both come from standard input"), "{err}");
    bench.write("cases.jsonl", r#"{"a":{"sphere":{"radius":1}},"b":{"box":[1,1,1]}}"#);
    let (code, out, err) = bench.run("relate --batch cases.jsonl --contacts");
    assert!(code == 0 && out.contains("\"contacts\":null"), "{out}");
    assert!(err.contains("`contacts` is null in 1 answer, where a body has none"), "{err}");
    // Points are polytopes, and have no triangles.
    for (shape, bodies) in [
        (r#"{"point":[0,0,0]}"#, "body A (point)"),
        (r#"{"plane":{"normal":[0,0,1],"offset":1}}"#, "body A (plane)"),
    ] {
        let err = bench.refused(2, &format!(r#"relate {shape} {{"sphere":{{"radius":1}}}} --contacts"#));
        assert!(err.contains(&format!("there are none in {bodies} and body B (sphere)")), "{err}");
    }
}

/// Cause: points were held against the size of their own body alone, and planes have none; beyond the largest coordinates nothing was
/// looked at. Cases: the nearest point of a plane that goes by the origin, of one beyond `2^300`, and a small part on a wide floor.
#[test]
fn points_of_planes_and_of_bodies_of_very_different_size_are_not_refused() {
    let bench = Bench::new();
    let cases = [
        r#"{"a":{"plane":{"normal":[0.7069789344899362,-0.13691781329080985,-0.693854666764689],"offset":1e-6}},
            "b":{"point":[7.069789344899362,-1.3691781329080985,-6.93854666764689]}}"#,
        r#"{"a":{"plane":{"normal":[0,0,1e-30],"offset":1e75}},"b":{"point":[1,2,3]}}"#,
        r#"{"a":{"points":[[-1e12,-3e11,0],[7e11,-9e11,0],[2e11,1.1e12,0],[0,0,-1e12]]},
            "b":{"points":[[0.1,0.2,0],[0.3,0.1,1],[0.1,0.4,1],[0.2,0.3,2]]}}"#,
    ];
    let cases = cases.map(|case| case.replace('\n', ""));
    let answers = batch(&bench, "--proof", &cases.each_ref().map(String::as_str));
    bench.write("answers.jsonl", &answers.iter().map(|answer| format!("{answer}\n")).collect::<String>());
    bench.fine("verify answers.jsonl --cases batch.jsonl");
}
