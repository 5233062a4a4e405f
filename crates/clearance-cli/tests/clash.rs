//! `clearance clash`: verdicts, rules, baselines, outputs and exit codes of the real binary.

mod bench;

use bench::{Bench, clearance};
use serde_json::{Value, json};
use std::process::{Command, Stdio};

/// A housing with a lid on it, a pin through the lid, a sensor too close with a chip inside, and a ball above.
const SCENE: &str = r#"{ "unit": "mm", "parts": [
  { "name": "housing", "shape": { "box": [20, 20, 10] }, "group": "fixed" },
  { "name": "lid", "shape": { "box": [20, 20, 2] }, "pose": { "translation": [0, 0, 6] }, "group": "fixed" },
  { "name": "pin", "shape": { "box": [2, 2, 8] }, "pose": { "translation": [5, 5, 9.5] } },
  { "name": "sensor", "shape": { "box": [4, 4, 4] }, "pose": { "translation": [13, 0, 0] }, "group": "sensors" },
  { "name": "ball", "shape": { "sphere": { "radius": 1 } }, "pose": { "translation": [0, 0, 8.5] } }
] }
"#;

const RULES: &str = r#"clearance = "1mm"
[groups]
pins = ["pin*"]
[[rule]]
name = "sensors keep away"
between = ["sensors", "fixed"]
clearance = "3mm"
[[by-design]]
parts = ["*pin", "*lid"]
verdicts = ["overlapping"]
reason = "the pin is pressed in"
[[exclude]]
parts = ["ball", "lid"]
"#;

/// A slide that hits a stop half way through its travel, and passes a rail closely.
const MOVING: &str = r#"{ "unit": "mm", "parts": [
  { "name": "slide", "shape": { "box": [4, 4, 4] }, "motion": { "translate": [20, 0, 0], "t0": 0, "t1": 2 } },
  { "name": "stop", "shape": { "box": [2, 4, 4] }, "pose": { "translation": [13, 0, 0] } },
  { "name": "rail", "shape": { "box": [40, 1, 4] }, "pose": { "translation": [0, 3, 0] } },
  { "name": "far", "shape": { "box": [1, 1, 1] }, "pose": { "translation": [0, 0, 50] } }
] }
"#;

fn scene(parts: &[(&str, &str, [f64; 3])]) -> String {
    let part = |(name, shape, [x, y, z]): &(&str, &str, [f64; 3])| {
        format!(
            r#"{{ "name": "{name}", "shape": {shape}, "pose": {{ "translation": [{x:?}, {y:?}, {z:?}] }} }}"#
        )
    };
    let parts: Vec<String> = parts.iter().map(part).collect();
    format!("{{ \"unit\": \"mm\", \"parts\": [\n{}\n] }}", parts.join(",\n"))
}

const CUBE: &str = r#"{ "box": [2, 2, 2] }"#;

/// Exit code and report of a run with `--json`.
fn report(bench: &Bench, arguments: &str) -> (i32, Value) {
    let (code, out, err) = bench.run(&format!("clash {arguments} --json"));
    let report = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}\n{out}\n{err}"));
    (code, report)
}

fn verdicts(report: &Value) -> Vec<&str> {
    report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["verdict"].as_str().unwrap())
        .collect()
}

fn count_of(report: &Value, verdict: &str) -> u64 {
    let counts = report["summary"]["verdicts"].as_array().unwrap();
    let count = counts.iter().find(|count| count["verdict"] == verdict);
    count.map_or(0, |count| count["count"].as_u64().unwrap())
}

#[test]
fn boxes_that_share_a_face_touch_and_do_not_clash_at_any_coordinates() {
    let bench = Bench::new();
    for offset in [0.0, 1e6, 1e6 + 1.0 / 3.0, 1e12] {
        let next = offset + 2.0;
        bench.write("scene.json", &scene(&[("a", CUBE, [offset; 3]), ("b", CUBE, [next, offset, offset])]));
        let (code, found) = report(&bench, "scene.json");
        // Sums that are rounded leave a gap or an overlap, and then that is the truth.
        if next - offset == 2.0 {
            assert_eq!((code, count_of(&found, "touching")), (0, 1), "{offset}: {found}");
            assert_eq!(verdicts(&found), [""; 0]);
            let (code, found) = report(&bench, "scene.json --report-touching");
            assert_eq!((code, verdicts(&found)), (1, vec!["touching"]));
            assert_eq!(report(&bench, "scene.json --report-touching --fail-on overlapping").0, 0);
            assert_eq!(verdicts(&report(&bench, "scene.json --fail-on touching").1), ["touching"]);
        }
    }
    bench.write("scene.json", &scene(&[("a", CUBE, [1e6; 3]), ("b", CUBE, [1e6 + 2.0 - 1e-9, 1e6, 1e6])]));
    assert_eq!(verdicts(&report(&bench, "scene.json").1), ["overlapping"]);
}

#[test]
fn duplicates_and_enclosed_parts_are_told_apart_from_overlaps() {
    let bench = Bench::new();
    bench.fine("make gear --teeth 12 -o gear.ply");
    bench.write(
        "scene.json",
        r#"{ "unit": "mm", "parts": [
          { "name": "gear", "shape": { "mesh": "gear.ply" } },
          { "name": "gear again", "shape": { "mesh": "gear.ply" } },
          { "name": "case", "shape": { "box": [500, 500, 500] }, "pose": { "translation": [1000, 0, 0] } },
          { "name": "inner", "shape": { "mesh": "gear.ply" }, "pose": { "translation": [1000, 0, 0] } }
        ] }"#,
    );
    let (code, found) = report(&bench, "scene.json");
    assert_eq!((code, verdicts(&found)), (1, vec!["duplicate", "enclosed"]));
    assert_eq!(found["findings"][1]["inside"], 3);
    assert_eq!(report(&bench, "scene.json --fail-on overlapping,too-close").0, 0);
    assert_eq!(report(&bench, "scene.json --fail-on none").0, 0);
    assert_eq!(report(&bench, "scene.json --fail-on enclosed").0, 1);
}

#[test]
fn exactly_the_clearance_is_not_too_close_and_one_bit_less_is() {
    let bench = Bench::new();
    bench.write("scene.json", &scene(&[("a", CUBE, [0.0; 3]), ("b", CUBE, [4.0, 0.0, 0.0])]));
    let (code, found) = report(&bench, "scene.json --clearance 2mm");
    assert_eq!((code, verdicts(&found)), (0, vec![]));
    let (code, found) = report(&bench, &format!("scene.json --clearance {}mm", 2.0f64.next_up()));
    assert_eq!((code, verdicts(&found)), (1, vec!["too_close"]));
    assert_eq!(found["findings"][0]["required"].as_f64(), Some(2.0f64.next_up()));
    // The same with a gap of one bit less, and in other units.
    let nearer = 4.0f64.next_down();
    bench.write("scene.json", &scene(&[("a", CUBE, [0.0; 3]), ("b", CUBE, [nearer, 0.0, 0.0])]));
    for clearance in ["2mm", "0.2cm", "2e-3 m", "2000um", "2"] {
        let output = clearance_with(&bench, &["clash", "scene.json", "--json", "--clearance", clearance]);
        let found: Value = serde_json::from_slice(&output).unwrap();
        assert_eq!(verdicts(&found), ["too_close"], "{clearance}");
    }
}

fn clearance_with(bench: &Bench, arguments: &[&str]) -> Vec<u8> {
    clearance(bench.0.path()).args(arguments).output().unwrap().stdout
}

#[test]
fn overlaps_within_the_tolerance_are_counted_apart() {
    let bench = Bench::new();
    bench.write("scene.json", &scene(&[("a", CUBE, [0.0; 3]), ("b", CUBE, [1.96875, 0.0, 0.0])]));
    assert_eq!(verdicts(&report(&bench, "scene.json").1), ["overlapping"]);
    let (code, found) = report(&bench, "scene.json --tolerance 0.05mm");
    assert_eq!((code, count_of(&found, "touching_within_tolerance")), (0, 1), "{found}");
    assert_eq!(count_of(&found, "overlapping"), 0);
    assert_eq!(verdicts(&report(&bench, "scene.json --tolerance 0.03mm").1), ["overlapping"]);
}

#[test]
fn rules_decide_what_is_asked_and_what_is_by_design() {
    let bench = Bench::new();
    bench.write("scene.json", SCENE);
    bench.write("rules.toml", RULES);
    let (code, found) = report(&bench, "scene.json --rules rules.toml");
    assert_eq!((code, verdicts(&found)), (1, vec!["too_close", "too_close"]));
    let rules: Vec<&Value> =
        found["findings"].as_array().unwrap().iter().map(|finding| &finding["rule"]).collect();
    assert!(rules.contains(&&json!("default")) && rules.contains(&&json!("sensors keep away")), "{found}");
    assert_eq!(found["accepted"][0]["reason"], "the pin is pressed in");
    assert_eq!((count_of(&found, "overlapping"), &found["summary"]["accepted"]), (0, &json!(1)));
    let names: Vec<&str> =
        found["groups"].as_array().unwrap().iter().map(|group| group["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["", "fixed", "pins", "sensors"]);
    let cell =
        found["matrix"].as_array().unwrap().iter().find(|cell| cell["groups"] == json!([1, 3])).unwrap();
    assert_eq!(
        (&cell["required"], &cell["findings"], &cell["worst"]),
        (&json!(3.0), &json!(1), &json!("too_close"))
    );
    // A length of the command line comes before that of the file.
    assert_eq!(verdicts(&report(&bench, "scene.json --rules rules.toml --clearance 0").1).len(), 1);
    // What fits nothing is worth a remark.
    bench.write("typo.toml", "[groups]\nbolts = [\"*bolt*\"]\n[[exclude]]\nparts = [\"lid\", \"nowhere\"]\n[[by-design]]\nparts = [\"ball\", \"*\"]\nreason = \"old\"\n");
    let (_, _, err) = bench.run("clash scene.json --rules typo.toml");
    assert!(
        err.contains("typo.toml:2: the pattern \"*bolt*\"")
            && err.contains("typo.toml:4: no part fits")
            && err.contains("typo.toml:6: nothing is left to accept as \"old\""),
        "{err}"
    );
}

#[test]
fn bad_rules_are_refused_with_their_place_before_any_part_is_read() {
    let bench = Bench::new();
    bench.write("scene.json", SCENE);
    for (text, message) in [
        ("clearence = 1\n", "rules.toml:1:1: unknown field `clearence`; did you mean \"clearance\"?"),
        ("clearance = \"2 parsec\"\n", "rules.toml:1:13: `parsec` is no unit of length; use one of um, mm"),
        ("[[exclude]]\nparts = [\"a\"]\n", "rules.toml:2:9: there is 1 pattern here; a pair has two"),
        ("[groups\n", "rules.toml:1:"),
    ] {
        bench.write("rules.toml", text);
        assert!(bench.refused(3, "clash none.stl --rules rules.toml").contains(message), "{text}");
    }
    bench.write("rules.toml", "[[rule]]\nname = \"x\"\nbetween = [\"fixd\", \"sensors\"]\n");
    let error = bench.refused(3, "clash scene.json --rules rules.toml");
    assert!(
        error.contains("rules.toml:3:12: no group is named \"fixd\"; did you mean \"fixed\"?"),
        "{error}"
    );
    assert!(error.contains(" 3 | between = [\"fixd\", \"sensors\"]\n   |            ^"), "{error}");
    assert!(bench.refused(3, "clash scene.json --rules none.toml").contains("none.toml: cannot be read"));
}

#[test]
fn a_second_run_says_what_is_new_persistent_and_resolved() {
    let bench = Bench::new();
    let parts = |x: f64, y: f64| {
        scene(&[("a", CUBE, [0.0; 3]), ("b", CUBE, [x, 0.0, 0.0]), ("c", CUBE, [0.0, y, 0.0])])
    };
    bench.write("scene.json", &parts(1.5, 9.0));
    assert_eq!(bench.run("clash scene.json -o first.json").0, 1);
    // The same again: all is known.
    let (code, again) = report(&bench, "scene.json --baseline first.json --fail-on new");
    assert_eq!((code, &again["findings"][0]["status"]), (0, &json!("persistent")));
    assert_eq!((&again["summary"]["new"], &again["summary"]["persistent"]), (&json!(0), &json!(1)));
    // One is repaired, another breaks.
    bench.write("scene.json", &parts(9.0, 1.5));
    let (code, changed) = report(&bench, "scene.json --baseline first.json --fail-on new");
    assert_eq!((code, &changed["findings"][0]["status"]), (1, &json!("new")));
    assert_eq!(changed["resolved"][0]["parts"], json!(["a", "b"]));
    assert_eq!(changed["resolved"][0]["id"], again["findings"][0]["id"]);
    let table = bench.run("clash scene.json --baseline first.json").1;
    assert!(table.contains("compared with first.json: 1 new, 0 persistent, 1 resolved"), "{table}");
    // The report may take the place of the baseline.
    assert_eq!(bench.run("clash scene.json --baseline first.json -o first.json").0, 1);
    assert_eq!(report(&bench, "scene.json --baseline first.json --fail-on new").0, 0);
    for (text, message) in [
        ("{", "old.json:1:"),
        ("{\"parts\": []}", "no report of `clearance clash"),
        ("{\"version\": 7, \"program\": \"clearance 9.0.0\"}", "has version 7 (by clearance 9.0.0)"),
    ] {
        bench.write("old.json", text);
        let error = bench.refused(3, "clash scene.json --baseline old.json");
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn lengths_with_a_unit_ask_for_the_unit_of_the_parts() {
    let bench = Bench::new();
    bench.fine("make cube -o a.stl");
    bench.fine("make cube -o b.stl");
    let error = bench.refused(3, "clash a.stl b.stl --clearance 2mm");
    assert!(error.contains("the length `2mm` has a unit") && error.contains("add --unit mm"), "{error}");
    bench.write("rules.toml", "clearance = \"2mm\"\n");
    assert!(
        bench
            .refused(3, "clash a.stl b.stl --rules rules.toml")
            .contains("rules.toml:1:13: the length `2mm`")
    );
    let (_, found) = report(&bench, "a.stl b.stl --clearance 2mm --unit in");
    assert_eq!(
        (found["unit"].as_str(), found["settings"]["clearance"].as_f64()),
        (Some("in"), Some(2.0 / 25.4))
    );
    let (code, _, err) = bench.run("clash a.stl b.stl --clearance 2");
    assert!(code == 1 && err.contains("no file states a unit"), "{code} {err}");
}

#[test]
fn wrong_usage_is_refused_before_any_work() {
    let bench = Bench::new();
    bench.write("scene.json", SCENE);
    std::fs::create_dir(bench.path("parts")).unwrap();
    bench.fine("make cube -o parts/a.glb");
    for (code, arguments, message) in [
        (2, "scene.json --clearance -1mm", "`-1mm` is negative"),
        (2, "scene.json --clearance 2furlong", "`furlong` is no unit of length"),
        (2, "scene.json --fail-on nonsense", "possible values: none, new, duplicate"),
        (2, "scene.json --fail-on none,touching", "stands alone"),
        (2, "scene.json --fail-on new", "add --baseline FILE"),
        (2, "scene.json --threads 0", "0"),
        (2, "scene.json --html-size huge", "such as 30MB"),
        (2, "scene.json --json --format csv", "cannot be used with"),
        (2, "none.json -o report.pdf", ".html, .json, .jsonl, .csv, .xml (JUnit), .glb or .txt"),
        (2, "none.json -o a.json -o a.json", "given twice"),
        (2, "scene.json -o scene.json", "would be overwritten"),
        (2, "parts -o parts/clash.glb", "take it for a part"),
        (3, "none.json -o missing/report.html", "missing/report.html: cannot be written"),
        (3, "none.json -o report.html", "none.json: cannot be read"),
        (2, "", "required arguments"),
    ] {
        let (found, _, err) = bench.run(&format!("clash {arguments}"));
        assert!(found == code && err.contains(message), "clash {arguments}: {found}\n{err}");
    }
    assert!(!bench.path("report.html").exists(), "a run that fails leaves no empty report");
}

/// Both recipes were run as they stand here, on files made for that, with cascadio 0.1.1 and ifcopenshell 0.9.0.
#[test]
fn step_and_ifc_files_come_with_a_recipe() {
    let bench = Bench::new();
    bench.write("my part.step", "ISO-10303-21;");
    bench.write("house.ifc", "ISO-10303-21;");
    bench.fine("make cube -o cube.stl");
    let output = clearance(bench.0.path()).args(["clash", "my part.step"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: my part.step: STEP files hold curved or parametric shapes, not triangles; convert the file to GLB, which \
         keeps part names and placements, or to 3MF or STL with a CAD program, and read that:\n  \
         pip install cascadio\n  \
         python -c \"import sys, cascadio; sys.exit(cascadio.step_to_glb(*sys.argv[1:]))\" \"my part.step\" \"my part.glb\"\n"
    );
    let error = bench.refused(3, "clash cube.stl house.ifc");
    assert!(
        error.ends_with(
            "  pip install \"ifcopenshell>=0.9\"\n  \
             python -c \"import sys, ifcopenshell as i, ifcopenshell.geom as g; f = i.open(sys.argv[1]); \
             s = g.settings(); s.set('use-element-names', True); w = g.serializers.gltf(sys.argv[2], s); \
             w.setFile(f); w.writeHeader(); [w.write(e) for e in g.iterate(s, f)]; w.finalize()\" house.ifc house.glb\n"
        ),
        "{error}"
    );
}

#[test]
fn files_that_cannot_be_read_are_skipped_only_if_asked_and_then_listed() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("parts")).unwrap();
    bench.fine("make cube -o parts/a.stl");
    bench.fine("make cube -o parts/c.stl");
    bench.write("parts/b.obj", "v 0 0 0\nf 1 2 9\n");
    bench.refused(3, "clash parts --unit mm");
    let (code, found) = report(&bench, "parts --unit mm --keep-going --fail-on none");
    assert_eq!(code, 3, "a check that is not whole is no success");
    assert_eq!(found["skipped"][0]["file"], "parts/b.obj");
    assert_eq!(report(&bench, "parts --unit mm --keep-going").0, 1, "a finding comes first");
    let (_, table, _) = bench.run("clash parts --unit mm --keep-going -o out.xml");
    assert!(table.contains("skipped parts/b.obj:2:"), "{table}");
    let junit = std::fs::read_to_string(bench.path("out.xml")).unwrap();
    assert!(junit.contains("errors=\"1\"") && junit.contains("<error message=\"parts/b.obj:2:"), "{junit}");
}

#[test]
fn every_output_says_the_same() {
    let bench = Bench::new();
    bench.write("scene.json", &SCENE.replace("\"name\": \"pin\"", "\"name\": \"pin, \\\"long\\\" <1>\""));
    bench.write("rules.toml", RULES);
    let arguments = "scene.json --clearance 1mm";
    let (_, found) = report(&bench, arguments);
    let findings = found["findings"].as_array().unwrap().len();
    let outputs = "-o r.html -o r.json -o r.jsonl -o r.csv -o r.xml -o r.glb -o r.txt";
    let (code, table, _) = bench.run(&format!("clash {arguments} {outputs}"));
    assert_eq!(code, 1);
    assert!(table.contains("r.html written: open it in a browser"), "{table}");
    let text = |name: &str| std::fs::read_to_string(bench.path(name)).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&text("r.json")).unwrap(), found);
    assert_eq!(text("r.jsonl").lines().count(), findings);
    let csv = text("r.csv");
    assert_eq!(csv.matches("\r\n").count(), findings + 1);
    assert!(csv.contains("\"pin, \"\"long\"\" <1>\""), "{csv}");
    let xml = text("r.xml");
    assert_eq!(xml.matches("<failure").count(), findings);
    assert!(xml.contains("pin, &quot;long&quot; &lt;1&gt;"), "{xml}");
    assert!(table.starts_with(text("r.txt").trim_end()), "{table}");
    let glb = bench.json("info r.glb --json");
    assert!(glb["files"][0]["parts"].as_array().unwrap().len() >= 2, "{glb}");
    // The page holds the report, and nothing in it ends the script early.
    let page = text("r.html");
    let start = page.find("id=\"clearance-report\">").unwrap() + "id=\"clearance-report\">".len();
    let end = start + page[start..].find("</script>").unwrap();
    assert_eq!(serde_json::from_str::<Value>(&page[start..end]).unwrap(), found);
    assert!(!page[start..end].contains('<') && !page.contains("%CLEARANCE_"));
    for format in ["json", "jsonl", "csv", "junit"] {
        let name = if format == "junit" { "r.xml".to_owned() } else { format!("r.{format}") };
        assert_eq!(bench.run(&format!("clash {arguments} --format {format}")).1, text(&name), "{format}");
    }
    assert_eq!(bench.run(&format!("clash {arguments} --format none")).1, "");
    let schema = bench.json("schema clash");
    let mut described: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    let mut printed: Vec<&String> = found.as_object().unwrap().keys().collect();
    described.sort();
    printed.sort();
    assert_eq!(described, printed);
}

/// `docs/clash.schema.json` is what the code says.
#[test]
fn the_schema_is_published() {
    let schema = Bench::new().fine("schema clash");
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/clash.schema.json");
    if std::env::var_os("CLEARANCE_BLESS").is_some() {
        std::fs::write(&path, &schema).unwrap();
    }
    let published = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert_eq!(
        published, schema,
        "run `CLEARANCE_BLESS=1 cargo test -p clearance-cli` and commit docs/clash.schema.json"
    );
}

/// The buffer of a page is found again where the scene says, and parts without findings become boxes first.
#[test]
fn a_page_has_the_geometry_that_fits() {
    let bench = Bench::new();
    bench.fine("make bumpy-sphere --frequency 20 -o large.ply");
    bench.write(
        "scene.json",
        r#"{ "unit": "mm", "parts": [
          { "name": "large", "shape": { "mesh": "large.ply" }, "pose": { "translation": [100, 0, 0] } },
          { "name": "a", "shape": { "box": [2, 2, 2] } },
          { "name": "b", "shape": { "box": [2, 2, 2] }, "pose": { "translation": [1, 0, 0] } }
        ] }"#,
    );
    let scene_of = |arguments: &str| -> Value {
        assert_eq!(bench.run(&format!("clash scene.json -o r.html {arguments}")).0, 1);
        let page = std::fs::read_to_string(bench.path("r.html")).unwrap();
        let start = page.find("id=\"clearance-scene\">").unwrap() + "id=\"clearance-scene\">".len();
        let end = start + page[start..].find("</script>").unwrap();
        serde_json::from_str(&page[start..end]).unwrap()
    };
    let whole = scene_of("");
    assert_eq!(whole["simplified"], false);
    assert!(whole["parts"].as_array().unwrap().iter().all(|part| part["geometry"].is_u64()), "{whole}");
    let page = std::fs::metadata(bench.path("r.html")).unwrap().len();
    let small = scene_of(&format!("--html-size {}", page - 40_000));
    let geometries: Vec<bool> =
        small["parts"].as_array().unwrap().iter().map(|part| part["geometry"].is_u64()).collect();
    assert_eq!((small["simplified"].as_bool(), geometries), (Some(true), vec![false, true, true]));
    assert!(small["parts"][0]["bounds"].is_array());
}

#[test]
fn the_report_does_not_depend_on_the_number_of_threads() {
    let bench = Bench::new();
    bench.fine("make gear --teeth 12 -o gear.ply");
    let mut parts = Vec::new();
    for i in 0..9 {
        let (x, y) = (f64::from(i % 3) * 14.0, f64::from(i / 3) * 17.0);
        parts.push(format!(
            r#"{{ "name": "g{i}", "shape": {{ "mesh": "gear.ply" }}, "pose": {{ "translation": [{x}, {y}, 0] }} }}"#
        ));
    }
    bench.write("scene.json", &format!("{{ \"unit\": \"mm\", \"parts\": [{}] }}", parts.join(",")));
    let run =
        |threads: u32| bench.run(&format!("clash scene.json --clearance 3mm --json --threads {threads}"));
    let (code, one, _) = run(1);
    assert!(code == 1 && one.contains("\"overlapping\""), "{code}");
    for threads in [2, 3] {
        assert_eq!(run(threads).1, one, "{threads} threads");
    }
}

#[test]
fn a_dry_run_says_what_it_would_take_and_writes_nothing() {
    let bench = Bench::new();
    bench.write("scene.json", SCENE);
    let said = bench.fine("clash scene.json --clearance 1mm --dry-run -o report.html");
    assert!(said.contains("5 parts") && said.contains("of memory; nothing was done"), "{said}");
    assert!(!bench.path("report.html").exists());
}

#[cfg(unix)]
#[test]
fn an_interrupted_check_keeps_what_is_done_and_says_so() {
    let bench = Bench::new();
    bench.fine("make bumpy-sphere --frequency 24 -o ball.ply");
    let mut parts = Vec::new();
    for i in 0..400 {
        let shift = f64::from(i) * 1e-3;
        parts.push(format!(
            r#"{{ "name": "b{i}", "shape": {{ "mesh": "ball.ply" }}, "pose": {{ "translation": [{shift}, 0, 0] }} }}"#
        ));
    }
    bench.write("scene.json", &format!("{{ \"unit\": \"mm\", \"parts\": [{}] }}", parts.join(",")));
    // Under load reading may take longer than the first wait.
    for milliseconds in [1500, 4000, 12_000] {
        let child = clearance(bench.0.path())
            .args(["clash", "scene.json", "-o", "report.json", "--format", "none"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().is_ok());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(130), "{said}");
        let Ok(text) = std::fs::read_to_string(bench.path("report.json")) else { continue };
        let report: Value = serde_json::from_str(&text).unwrap();
        let number = |field: &str| report["summary"][field].as_u64().unwrap();
        assert_eq!(report["interrupted"], true);
        assert!(
            number("unchecked") > 0 && number("unchecked") <= number("candidates"),
            "{}",
            report["summary"]
        );
        assert!(said.contains("what was done until then is kept"), "{said}");
        if number("unchecked") < number("candidates") {
            return;
        }
    }
    panic!("no run was interrupted half way");
}

#[test]
fn manual_pages_are_made_for_all_verbs() {
    let bench = Bench::new();
    assert!(bench.fine("man").contains(".TH clearance 1"));
    bench.fine("man -o pages/man1");
    let page = std::fs::read_to_string(bench.path("pages/man1/clearance-clash.1")).unwrap();
    assert!(page.contains("report\\-touching") && page.contains("Exit codes: 1 if a verdict"), "{page}");
    for verb in ["info", "make", "hull", "relate", "sweep", "verify", "ccd", "simulate", "demo", "man"] {
        assert!(bench.path(&format!("pages/man1/clearance-{verb}.1")).exists(), "{verb}");
    }
}

/// Outputs and errors as files; memory differs from build to build.
#[test]
fn transcripts_are_as_recorded() {
    let bench = Bench::new();
    bench.write("scene.json", SCENE);
    bench.write("rules.toml", RULES);
    bench.write(
        "bad-rules.toml",
        "clearance = \"2mm\"\n[[rule]]\nname = \"pins\"\nbetween = [\"pin\", \"fixed\"]\n",
    );
    bench.write("typo.toml", "[[rule]]\nnmae = \"pins\"\n");
    bench.write("moving.json", MOVING);
    bench.write("part.step", "ISO-10303-21;");
    bench.fine("make cube -o a.stl");
    bench.fine("make cube -o b.stl");
    bench.run("clash scene.json --clearance 3mm -o previous.json");
    let transcripts = [
        ("clash", "clash scene.json --clearance 1mm"),
        ("clash-rules", "clash scene.json --rules rules.toml --tolerance 0.05mm"),
        ("clash-baseline", "clash scene.json --clearance 1mm --baseline previous.json --fail-on new"),
        ("clash-touching", "clash scene.json --report-touching --volume"),
        ("clash-moving", "clash moving.json --clearance 1mm"),
        ("clash-json", "clash scene.json --clearance 1mm --json"),
        ("clash-csv", "clash scene.json --clearance 1mm --format csv"),
        ("clash-junit", "clash scene.json --rules rules.toml --format junit"),
        ("clash-jsonl", "clash moving.json --clearance 1mm --format jsonl"),
        ("clash-nothing", "clash scene.json --fail-on none --rules nothing.toml"),
        ("clash-dry-run", "clash scene.json --clearance 1mm --dry-run"),
        ("clash-duplicate", "clash a.stl b.stl"),
        ("clash-bad-rules", "clash scene.json --rules bad-rules.toml"),
        ("clash-typo", "clash scene.json --rules typo.toml"),
        ("clash-unit", "clash a.stl b.stl --clearance 2mm"),
        ("clash-step", "clash part.step"),
    ];
    bench.write("nothing.toml", "[[exclude]]\nparts = [\"*\", \"*\"]\n");
    bench.compare_transcripts(&transcripts, |out| {
        let mask = |line: &str| match line.split_once(" near enough to look at, about ") {
            Some((pairs, _)) => format!("{pairs} near enough to look at, about (memory)\n"),
            None => format!("{line}\n"),
        };
        out.lines().map(mask).collect()
    });
    // What the docs show is what is said.
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = std::fs::read_to_string(here.join("../../docs/clash.md")).unwrap().replace("\r\n", "\n");
    for shown in ["clash-rules", "clash-moving", "clash-bad-rules"] {
        let recorded = std::fs::read_to_string(here.join(format!("tests/golden/{shown}.txt"))).unwrap();
        assert!(
            docs.contains(&recorded.replace("\r\n", "\n")),
            "docs/clash.md shows {shown} as it was:\n{recorded}"
        );
    }
    assert!(docs.contains(SCENE) && docs.contains(RULES) && docs.contains(MOVING));
}

#[test]
fn names_with_line_ends_stay_in_their_row_and_a_lone_part_is_remarked() {
    let bench = Bench::new();
    let odd = r"a\nb\u001b[31m";
    bench.write("scene.json", &scene(&[(odd, CUBE, [0.0; 3]), ("c", CUBE, [1.0, 0.0, 0.0])]));
    let (_, table, _) = bench.run("clash scene.json");
    assert!(table.lines().any(|line| line.starts_with(" a\u{fffd}b\u{fffd}[31m   c ")), "{table}");
    bench.write("one.json", &scene(&[("a", CUBE, [0.0; 3])]));
    let (code, _, remark) = bench.run("clash one.json");
    assert_eq!((code, remark.trim_end()), (0, "note: 1 part: there is no pair to check"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_report_that_does_not_fit_on_the_disk_is_an_error() {
    let bench = Bench::new();
    bench.write("scene.json", SCENE);
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = clearance(bench.0.path());
    let ended = command.args(["clash", "scene.json", "--json"]).stdout(full).output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(ended.status.code() == Some(3) && said.contains("standard output: cannot be written"), "{said}");
}
