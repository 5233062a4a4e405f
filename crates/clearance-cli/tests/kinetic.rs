//! `clearance simulate --kinetic`: the real binary, its events, its pictures, and what its page shows.

use serde_json::{Value, json};
use std::{collections::BTreeSet, path::Path};

mod bench;
use bench::Bench;

/// A triangle flies into a square: its tip is on the square's left side at t = 3.5.
const COLLISION: &str = r#"{ "bodies": [
  { "name": "square", "points": [[-1, -1], [1, -1], [1, 1], [-1, 1]] },
  { "name": "arrow", "points": [[0, 0], [-2, -1], [-2, 1]], "plan": [{ "x": [-8, 2], "y": [0.25] }] }
] }
"#;

/// The same, higher: it passes by.
const PASSING: &str = r#"{ "bodies": [
  { "name": "square", "points": [[-1, -1], [1, -1], [1, 1], [-1, 1]] },
  { "name": "arrow", "points": [[0, 0], [-2, -1], [-2, 1]], "plan": [{ "x": [-8, 2], "y": [2.5] }] }
] }
"#;

/// A wedge turns about its tip, a radian in a unit of time: its edges pass a point at (0, 2) after an eighth and a quarter of a turn.
const SPIN: &str = r#"{ "bodies": [
  { "name": "wedge", "points": [[5, 5], [8, 5], [8, 8]],
    "plan": [{ "x": [-5], "y": [-5], "spin": { "rate": 1 }, "centre": [5, 5] }] },
  { "name": "mote", "points": [[0, 2]] }
] }
"#;

/// Falls, lies for a while on what is under it, is lifted, and put elsewhere.
const PIECES: &str = r#"{ "bodies": [
  { "name": "floor", "points": [[-9, -1], [9, -1], [9, 0], [-9, 0]] },
  { "name": "crate", "points": [[-1, 0], [1, 0], [1, 2], [-1, 2]],
    "plan": [{ "y": [4, 0, -1] }, { "start": 2 }, { "start": 5, "y": [0, 0.5], "half-angle": [0, 0.25] },
             { "start": 8, "x": [20] }] }
] }
"#;

fn lines(bench: &Bench, arguments: &str) -> Vec<Value> {
    let out = bench.fine(&format!("simulate {arguments} --kinetic --json"));
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Type and time of all lines but the summary, which is the last.
fn events(bench: &Bench, arguments: &str) -> Vec<(String, [f64; 2])> {
    let mut lines = lines(bench, arguments);
    assert_eq!(lines.pop().unwrap()["type"], "summary");
    let time = |line: &Value, end: &str| line["time"][end].as_f64().unwrap();
    let told = lines
        .iter()
        .map(|line| (line["type"].as_str().unwrap().to_owned(), [time(line, "lower"), time(line, "upper")]));
    told.collect()
}

fn written() -> Bench {
    let bench = Bench::new();
    let scenes = [("hit", COLLISION), ("miss", PASSING), ("spin", SPIN), ("pieces", PIECES)];
    scenes.iter().for_each(|(name, text)| bench.write(&format!("{name}.json"), text));
    bench
}

/// Oracle: times by hand. All methods and hierarchies agree on them.
#[test]
fn brackets_hold_the_true_times_whatever_the_method() {
    let bench = written();
    let quarter = std::f64::consts::FRAC_PI_2;
    for method in [
        "closest-features",
        "common-tangent",
        "separating-edge",
        "active-triangle",
        "active-cell",
        "lazy",
        "inflated",
    ] {
        for hierarchy in ["compass", "dudley"] {
            let how = format!("--until 9 --method {method} --hierarchy {hierarchy}");
            for (scene, expected) in [
                ("hit", vec![("collision", 3.5), ("separation", 5.5)]),
                ("miss", vec![]),
                (
                    "spin",
                    vec![
                        ("collision", 0.5 * quarter),
                        ("separation", quarter),
                        ("collision", 4.5 * quarter),
                        ("separation", 5.0 * quarter),
                    ],
                ),
                ("pieces", vec![("collision", 2.0), ("separation", 5.0)]),
            ] {
                let found = events(&bench, &format!("{scene}.json {how}"));
                let told: Vec<&str> = found.iter().map(|(kind, _)| kind.as_str()).collect();
                let kinds: Vec<&str> = expected.iter().map(|(kind, _)| *kind).collect();
                assert_eq!(told, kinds, "{scene} {how}");
                for ((_, [lower, upper]), (_, t)) in found.iter().zip(expected) {
                    // A quarter turn is no float: its neighbours hold it.
                    let slack = f64::EPSILON * t;
                    assert!(
                        *lower <= t + slack && t - slack <= *upper && upper - lower < 1e-12,
                        "{scene} {how}"
                    );
                }
            }
        }
    }
}

#[test]
fn features_are_those_of_the_file() {
    let bench = written();
    let lines = lines(&bench, "hit.json --until 9");
    assert_eq!(lines[0]["features"]["edge_of"], "square");
    assert_eq!(lines[0]["features"]["edge"], json!([3, 0]));
    assert_eq!(
        (&lines[0]["features"]["vertex_of"], &lines[0]["features"]["vertex"]),
        (&"arrow".into(), &0.into())
    );
    let summary = lines.last().unwrap();
    assert_eq!(
        (&summary["collisions"], &summary["meeting"], &summary["until"]),
        (&1.into(), &0.into(), &9.0.into())
    );
    // While they meet the last line says so.
    let lines = self::lines(&bench, "hit.json --until 4");
    assert_eq!(lines.last().unwrap()["meeting"], 1);
}

#[test]
fn certificates_are_told_when_asked_for() {
    let bench = written();
    let all = lines(&bench, "miss.json --until 9 --certificates");
    let failed = all.iter().filter(|line| line["type"] == "certificate" && line["kind"] != "change").count();
    let summary = all.last().unwrap();
    assert!(failed > 0, "{summary}");
    assert_eq!(summary["certificate_failures"], failed);
    assert_eq!(lines(&bench, "miss.json --until 9").len(), 1);
    assert_eq!(lines(&bench, "hit.json --until 9 --certificates --quiet").len(), 1);
}

#[test]
fn pictures_show_the_proof_and_animations_the_run() {
    let bench = written();
    let text = |name: &str| std::fs::read_to_string(bench.path(name)).unwrap();
    for scene in ["hit", "miss", "spin", "pieces"] {
        for at in ["0", "3.5", "9"] {
            bench.fine(&format!("simulate {scene}.json --kinetic --until 9 --picture p.svg --at {at}"));
            let picture = text("p.svg");
            assert!(picture.contains(&format!("t = {at}")) && !picture.contains("NaN"), "{scene} {at}");
            assert_eq!(picture.matches("<svg").count(), picture.matches("</svg").count());
        }
    }
    bench.fine("simulate miss.json --kinetic --until 9 --picture p.svg --at 3");
    let picture = text("p.svg");
    assert!(picture.contains("square and arrow are apart on level") && picture.contains("the active cell"));
    let said = bench.fine("simulate hit.json --kinetic --until 9 --animation run.svg --quiet");
    assert!(said.ends_with("run.svg written\n"), "{said}");
    let run = text("run.svg");
    // One body moves, both are outlined while they meet, from 3.5 to 5.5 of 9.
    assert_eq!(run.matches("keyTimes=\"0;0.38889;0.61111\"").count(), 2, "{run}");
    assert!(run.contains("animateTransform") && !run.contains("<script") && !run.contains("NaN"));
    let last = lines(&bench, "hit.json --until 9 --animation run.svg --picture p.svg");
    assert_eq!(last.last().unwrap()["written"], json!(["p.svg", "run.svg"]));
}

#[test]
fn wrong_usage_and_bad_scenes_are_refused() {
    let bench = written();
    bench
        .write("one.json", r#"{ "bodies": [{ "name": "a", "points": [[0, 0]], "plan": [{ "rate": 1 }] }] }"#);
    bench.write(
        "twice.json",
        r#"{ "bodies": [{ "name": "a", "points": [[0, 0]] }, { "name": "a", "points": [[0, 0]] }] }"#,
    );
    bench.write("space.json", r#"{ "parts": [] }"#);
    for (code, arguments, message) in [
        (2, "hit.json --kinetic", "--until"),
        (2, "hit.json --until 3", "--kinetic"),
        (2, "hit.json --kinetic --until -1", "not before 0"),
        (2, "hit.json --kinetic --until inf", "finite time"),
        (2, "hit.json --kinetic --until 3 --at 4 --picture p.svg", "after --until"),
        (2, "hit.json --kinetic --until 3 --at 2", "--picture"),
        (2, "hit.json --kinetic --until 3 --frames 7", "cannot be used with"),
        (2, "hit.json --kinetic --until 3 --picture p.glb", "as .svg"),
        (2, "hit.json --kinetic --until 3 --animation a.glb", "as .svg"),
        (2, "hit.json --kinetic --until 3 --method guess", "possible values"),
        (3, "none.json --kinetic --until 3", "cannot be read"),
        (3, "one.json --kinetic --until 3", "unknown field `rate`"),
        (3, "twice.json --kinetic --until 3", "taken by an earlier body"),
        (3, "space.json --kinetic --until 3", "unknown field `parts`"),
        (3, "hit.json --kinetic --until 3 --picture none/p.svg", "cannot be written"),
    ] {
        let (found, out, err) = bench.run(&format!("simulate {arguments}"));
        assert_eq!(found, code, "{arguments}\n{out}{err}");
        assert!(err.contains(message), "{arguments}\n{err}");
    }
}

#[test]
fn lines_have_the_fields_of_the_schema() {
    let bench = written();
    let schema = bench.json("schema simulate-kinetic");
    let kinds = schema["oneOf"].as_array().unwrap();
    let mut seen = BTreeSet::new();
    for line in lines(&bench, "pieces.json --until 9 --certificates") {
        let kind = kinds.iter().find(|kind| kind["properties"]["type"]["const"] == line["type"]).unwrap();
        let mut described: BTreeSet<&String> = kind["properties"].as_object().unwrap().keys().collect();
        if let Some(name) = kind["$ref"].as_str().map(|name| name.trim_start_matches("#/$defs/")) {
            described.extend(schema["$defs"][name]["properties"].as_object().unwrap().keys());
        }
        assert_eq!(described, line.as_object().unwrap().keys().collect::<BTreeSet<_>>());
        seen.insert(line["type"].as_str().unwrap().to_owned());
    }
    assert_eq!(seen.len(), kinds.len(), "every kind of line: {seen:?}");
}

/// `docs/planar-scene.schema.json` is what the code says.
#[test]
fn the_schema_of_scenes_is_published() {
    let schema = Bench::new().fine("schema planar-scene");
    let path = docs("planar-scene.schema.json");
    if std::env::var_os("CLEARANCE_BLESS").is_some() {
        std::fs::write(&path, &schema).unwrap();
    }
    let published = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert_eq!(published, schema, "run `CLEARANCE_BLESS=1 cargo test -p clearance-cli` and commit {path}");
}

fn docs(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name).display().to_string()
}

#[test]
fn transcripts_are_as_recorded() {
    let bench = written();
    bench.write(
        "bad.json",
        "{ \"bodies\": [\n  { \"name\": \"crate\", \"points\": [[0, 0], [1, 0]],\n    \"plan\": [{ \"start\": 3, \"x\": [1] }, { \"start\": 2, \"x\": [2] }] }\n] }\n",
    );
    let transcripts = [
        ("kinetic-collision", "simulate hit.json --kinetic --until 9"),
        ("kinetic-passing", "simulate miss.json --kinetic --until 9 --certificates"),
        ("kinetic-spin", "simulate spin.json --kinetic --until 9"),
        ("kinetic-pieces", "simulate pieces.json --kinetic --until 9 --certificates"),
        ("kinetic-json", "simulate hit.json --kinetic --until 9 --json"),
        ("kinetic-invalid", "simulate bad.json --kinetic --until 9"),
    ];
    bench.compare_transcripts(&transcripts, str::to_owned);
}

/// The scene of `docs/certificates.md` and each command there that begins with `$ clearance`, with what it says.
#[test]
fn the_page_shows_what_is_said() {
    let read = |name: &str| std::fs::read_to_string(docs(name)).unwrap().replace("\r\n", "\n");
    let mut page = read("certificates.md");
    let blocks = |kind: &str| -> Vec<String> {
        let fence = format!("```{kind}\n");
        page.split(&fence).skip(1).map(|part| part.split("```").next().unwrap().to_owned()).collect()
    };
    let (scenes, mut transcripts) = (blocks("json"), blocks("text"));
    assert_eq!(scenes, [read("plane.json")]);
    let bench = Bench::new();
    bench.write("plane.json", &scenes[0]);
    transcripts.retain(|text| text.starts_with("$ clearance "));
    assert!(transcripts.len() >= 3);
    let mut differs = Vec::new();
    for transcript in transcripts {
        let command = transcript["$ clearance ".len()..].lines().next().unwrap().to_owned();
        let found = format!("$ clearance {command}\n{}", bench.fine(&command));
        if found != transcript {
            page = page.replace(&transcript, &found);
            differs.push(command);
        }
    }
    if std::env::var_os("CLEARANCE_BLESS").is_some() && !differs.is_empty() {
        std::fs::write(docs("certificates.md"), &page).unwrap();
        differs.clear();
    }
    assert!(
        differs.is_empty(),
        "docs/certificates.md shows {differs:?} as they were; CLEARANCE_BLESS=1 records them anew"
    );
}
