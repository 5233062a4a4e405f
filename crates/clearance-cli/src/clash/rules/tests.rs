use super::*;
use crate::clash::parts::AssembledPart;
use clearance::{
    Pose,
    body::Body,
    shape::{Primitive, Shape, Sphere},
};
use std::{path::Path, sync::Arc};

fn assembly(parts: &[(&str, Option<&str>)]) -> Assembly {
    let body = Arc::new(
        Body::try_from(&Shape::from(Primitive::from(Sphere::new(1.0).expect("a sphere")))).expect("a body"),
    );
    let part = |&(id, group): &(&str, Option<&str>)| AssembledPart {
        id: id.into(),
        name: id.into(),
        file: "f.stl".into(),
        group: group.map(str::to_owned),
        body: Arc::clone(&body),
        shape: None,
        pose: Pose::IDENTITY,
        motion: None,
        notes: Vec::new(),
    };
    Assembly {
        title: "test".into(),
        unit: Some(LengthUnit::Millimetre),
        parts: parts.iter().map(part).collect(),
        ignored: IgnoredPairs::default(),
        skipped: Vec::new(),
    }
}

fn file(text: &str) -> Result<RulesFile, Failure> {
    RulesFile::parse(Path::new("rules.toml"), text.into())
}

fn message(failure: Failure) -> String {
    match failure {
        Failure::Input(message) => message,
        other => panic!("{other:?}"),
    }
}

const TEXT: &str = r#"
unit = "cm"
clearance = 0.2
tolerance = "0.05mm"
ignore-within-group = ["fasteners"]
[groups]
pins = ["*pin*"]
fasteners = ["*bolt*", "*PIN*", "*nut"]
[[rule]]
name = "bolts in the housing"
between = ["fasteners", "housing"]
clearance = 0
[[rule]]
name = "long bolts"
between = ["part:*long*", "housing"]
clearance = "3mm"
tolerance = "0.1mm"
[[rule]]
name = "no pins"
between = ["pins", "pins"]
check = false
[[by-design]]
parts = ["*pin*", "housing"]
verdicts = ["overlapping", "touching_within_tolerance"]
reason = "press fit"
[[exclude]]
parts = ["cable*", "*"]
"#;

#[test]
fn the_last_rule_that_fits_decides() {
    let parts = [
        ("housing", Some("housing")), // 0
        ("bolt", None),               // 1: fasteners
        ("long bolt", None),          // 2: fasteners
        ("PIN a", Some("housing")),   // 3: pins, the first group that fits
        ("pin b", None),              // 4: pins
        ("cable", None),              // 5: ""
        ("lid", None),                // 6: ""
        ("lid-2", None),              // 7: ""
    ];
    let (assembly, file) = (assembly(&parts), file(TEXT).expect("good rules"));
    let rules = Rules::new(Some(&file), &AskedLengths::default(), &assembly).expect("good rules");
    assert_eq!(rules.groups, ["", "fasteners", "housing", "pins"]);
    assert_eq!(rules.group_of, [2, 1, 1, 3, 3, 0, 0, 0]);
    let expected = |i: usize, j: usize| match (i.min(j), i.max(j)) {
        (_, 5) | (5, _) | (3, 4) | (1, 2) => None,
        (0, 1) => Some(("bolts in the housing", 0.0, 0.05)),
        (0, 2) => Some(("long bolts", 3.0, 0.1)),
        _ => Some(("default", 2.0, 0.05)),
    };
    for i in 0..parts.len() {
        for j in (0..parts.len()).filter(|j| *j != i) {
            let found = rules.rule_of(i, j).map(|rule| (rule.name, rule.clearance, rule.tolerance));
            assert_eq!(found, expected(i, j), "{i} {j}");
        }
    }
    assert_eq!(rules.reach(), 3.0);
    assert_eq!(rules.pair_count(), Some(asked_one_by_one(&rules)));
    assert_eq!(rules.accepted([0, 3], Verdict::Overlapping), Some("press fit"));
    assert_eq!(rules.accepted([3, 0], Verdict::TouchingWithinTolerance), Some("press fit"));
    assert_eq!(rules.accepted([0, 3], Verdict::Touching), None);
    assert_eq!(rules.accepted([0, 1], Verdict::Overlapping), None);
    assert_eq!(rules.required_between(1, 1), None);
    assert_eq!((rules.required_between(1, 2), rules.required_between(0, 2)), (Some(0.0), Some(2.0)));
    let expected = ["rules.toml:8: the pattern \"*PIN*\"", "rules.toml:8: the pattern \"*nut\""];
    assert_eq!(rules.warnings.len(), expected.len(), "{:?}", rules.warnings);
    for (warning, start) in rules.warnings.iter().zip(expected) {
        assert!(warning.starts_with(start), "{warning}");
    }
}

#[test]
fn the_command_line_comes_before_the_file() {
    let (assembly, file) =
        (assembly(&[("a", None), ("b", None)]), file("clearance = 1").expect("good rules"));
    let lengths = AskedLengths { clearance: Some("1cm".parse().expect("a length")), tolerance: None };
    let rules = Rules::new(Some(&file), &lengths, &assembly).expect("good rules");
    assert_eq!((rules.clearance, rules.tolerance), (10.0, 0.0));
    let rules = Rules::new(None, &AskedLengths::default(), &assembly).expect("no rules");
    assert_eq!(rules.rule_of(0, 1).map(|rule| rule.clearance), Some(0.0));
    assert_eq!(rules.groups, [""]);
    assert_eq!(rules.pair_count(), Some(1));
}

/// Oracle of the number of pairs.
fn asked_one_by_one(rules: &Rules<'_>) -> u64 {
    let parts = rules.group_of.len();
    (0..parts).map(|i| (0..i).filter(|&j| rules.rule_of(i, j).is_some()).count() as u64).sum()
}

/// Sixty-five sets need a second word.
#[test]
fn many_patterns_are_told_apart() {
    let names: Vec<String> = (0..70).map(|i| format!("p{i}")).collect();
    let parts: Vec<(&str, Option<&str>)> = names.iter().map(|name| (name.as_str(), None)).collect();
    let text: String =
        (0..70).map(|i| format!("[[exclude]]\nparts = [\"p{i}\", \"p{}\"]\n", (i + 1) % 70)).collect();
    let (assembly, file) = (assembly(&parts), file(&text).expect("good rules"));
    let rules = Rules::new(Some(&file), &AskedLengths::default(), &assembly).expect("good rules");
    for i in 0..70 {
        for j in 0..i {
            assert_eq!(rules.rule_of(i, j).is_none(), i - j == 1 || i - j == 69, "{i} {j}");
        }
    }
    assert_eq!(rules.pair_count(), Some(asked_one_by_one(&rules)));
}

#[test]
fn bad_rules_are_refused_with_their_place_and_advice() {
    for (text, start, advice) in [
        ("unit = \"parsec\"", "rules.toml:1:8: ", "use one of um, mm"),
        ("\nclearence = 1", "rules.toml:2:1: ", "did you mean \"clearance\"?"),
        ("clearance = \"2 parsec\"", "rules.toml:1:13: ", "`parsec` is no unit"),
        ("clearance = -1", "rules.toml:1:13: ", "is negative"),
        ("clearance = true", "rules.toml:1:13: ", "a length such as \"2mm\" or a number"),
        ("clearance = nan", "rules.toml:1:13: ", "is no length"),
        ("[groups]\nbolts = \"*bolt*\"", "rules.toml:2:9: ", "put it in brackets"),
        ("[rule]\nname = \"a\"", "rules.toml:1:1: ", "in double brackets"),
        ("[groups]\nbolts = [\"a[b\"]", "rules.toml:2:10: ", "is not closed"),
        ("[[rule]]\nname = \"a\"\nbetween = [\"part:a\"]", "rules.toml:3:11: ", "a pair has two"),
        ("[[rule]]\nname = \"a\"\nbetween = [\"part:a\", \"part:\"]", "rules.toml:3:22: ", "write * for all"),
        (
            "[[rule]]\nbetween = [\"part:a\", \"part:b\"]",
            "rules.toml:1:1: ",
            "missing field `name`; reports show it",
        ),
        (
            "[[rule]]\nname = \"a\"\nbetween = [\"part:a\", \"part:b\"]\nclearance = 1\ncheck = false",
            "rules.toml:4:13: ",
            "leave one of both out",
        ),
        (
            "[[rule]]\nname = \"a\"\nbetween = [\"part:a\", \"part:b\"]\n[[rule]]\nname = \"a\"\nbetween = [\"part:a\", \"part:b\"]",
            "rules.toml:5:8: ",
            "taken by an earlier rule",
        ),
        ("[[by-design]]\nparts = [\"a\", \"b\"]", "rules.toml:1:1: ", "missing field `reason`; say why"),
        (
            "[[by-design]]\nparts = [\"a\", \"b\"]\nverdicts = []\nreason = \"x\"",
            "rules.toml:3:12: ",
            "leave it out to accept all",
        ),
        ("[[by-design]]\nparts = [\"a\", \"b\"]\nreason = \" \"", "rules.toml:3:10: ", "say why"),
        (
            "[[by-design]]\nparts = [\"a\", \"b\"]\nverdicts = [\"overlaping\"]\nreason = \"x\"",
            "rules.toml:3:13: ",
            "did you mean \"overlapping\"?",
        ),
        ("[[exclude]]\nparts = [\"a\" \"b\"]", "rules.toml:2:", ""),
        ("ignore-within-group = \"all\"", "rules.toml:1:23: ", "true, false or a list of groups"),
    ] {
        let error = message(file(text).expect_err(text));
        assert!(error.starts_with(start) && error.contains(advice), "{text}\n{error}");
        assert!(error.contains(" | "), "the line is shown: {error}");
    }
    let assembly = assembly(&[("bolt", Some("screws")), ("nut", None)]);
    for (text, start, advice) in [
        (
            "[[rule]]\nname = \"a\"\nbetween = [\"screw\", \"part:*\"]",
            "rules.toml:3:12: ",
            "did you mean \"screws\"?",
        ),
        (
            "[[rule]]\nname = \"a\"\nbetween = [\"part:*\", \"bolt*\"]",
            "rules.toml:3:22: ",
            "write \"part:bolt*\"",
        ),
        (
            "ignore-within-group = [\"screws\", \"x\"]",
            "rules.toml:1:34: ",
            "no group is named \"x\"; name it under [groups]\n",
        ),
    ] {
        let rules = Rules::new(Some(&file(text).expect("good text")), &AskedLengths::default(), &assembly);
        let error = message(rules.err().unwrap_or_else(|| panic!("{text}")));
        assert!(error.starts_with(start) && error.contains(advice), "{text}\n{error}");
    }
}
