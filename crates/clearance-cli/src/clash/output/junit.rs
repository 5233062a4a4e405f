//! JUnit XML, as CI systems read it: a suite for each two groups, a failed test for each finding that makes the exit
//! code 1, and a passed one where there is none.

use super::{
    json_lines::all_findings,
    table::{place, sizes},
};
use crate::{
    clash::model::{ClashReport, Finding},
    output::short,
};
use std::{collections::BTreeMap, fmt::Write};

pub fn document(report: &ClashReport) -> String {
    let mut suites: Vec<Suite> = Vec::new();
    let of_cells = findings_by_groups(report);
    for cell in &report.matrix {
        let [a, b] = cell.groups.map(|group| match report.groups[group].name.as_str() {
            "" => "no group",
            name => name,
        });
        let mut suite = Suite::new(format!("{a} / {b}"));
        for (finding, accepted) in of_cells.get(&cell.groups).into_iter().flatten() {
            match accepted {
                Some(reason) => {
                    suite.add(&test_name(report, finding), Outcome::Skipped(&format!("by design: {reason}")));
                }
                None => suite.finding(report, finding),
            }
        }
        if suite.tests == 0 && cell.required.is_some() {
            suite.add("no finding", Outcome::Passed(""));
        }
        suites.extend((suite.tests > 0).then_some(suite));
    }
    suites.extend(troubles(report));
    let total = |count: fn(&Suite) -> u64| suites.iter().map(count).sum::<u64>();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"clearance clash {}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n",
        escaped(&report.title),
        total(|suite| suite.tests),
        total(|suite| suite.failures),
        total(|suite| suite.errors),
        total(|suite| suite.skipped),
    );
    suites.iter().for_each(|suite| text += &suite.element());
    text + "</testsuites>\n"
}

/// Files that were skipped and pairs that were not looked at: a check that is not whole must not look green.
fn troubles(report: &ClashReport) -> Option<Suite> {
    let mut suite = Suite::new("completeness".into());
    for skipped in &report.skipped {
        suite.add(&skipped.file, Outcome::Error(&skipped.error));
    }
    if report.interrupted {
        let message = format!("interrupted: {} pairs were not looked at", report.summary.unchecked);
        suite.add("all pairs", Outcome::Error(&message));
    }
    (suite.tests > 0).then_some(suite)
}

/// Findings, also accepted ones, by the groups of their parts.
fn findings_by_groups(report: &ClashReport) -> BTreeMap<[usize; 2], Vec<(&Finding, Option<&str>)>> {
    let mut of_cells: BTreeMap<[usize; 2], Vec<(&Finding, Option<&str>)>> = BTreeMap::new();
    for (finding, accepted) in all_findings(report) {
        let [a, b] = finding.parts.map(|part| report.parts[part].group);
        of_cells.entry([a.min(b), a.max(b)]).or_default().push((finding, accepted));
    }
    of_cells
}

fn test_name(report: &ClashReport, finding: &Finding) -> String {
    let [a, b] = finding.parts.map(|part| report.parts[part].id.as_str());
    format!("{a} and {b}")
}

struct Suite {
    name: String,
    body: String,
    tests: u64,
    failures: u64,
    errors: u64,
    skipped: u64,
}

enum Outcome<'a> {
    Passed(&'a str),
    Failed { kind: &'a str, message: &'a str, details: &'a str },
    Skipped(&'a str),
    Error(&'a str),
}

impl Suite {
    fn new(name: String) -> Suite {
        Suite { name, body: String::new(), tests: 0, failures: 0, errors: 0, skipped: 0 }
    }

    fn finding(&mut self, report: &ClashReport, finding: &Finding) {
        let unit = report.unit.as_deref().unwrap_or("units");
        let sizes: Vec<String> =
            sizes(report, finding).into_iter().map(|(what, size)| format!("{what} {size}")).collect();
        let message = match sizes.is_empty() {
            true => finding.verdict.words(),
            false => format!("{}: {} (lengths in {unit})", finding.verdict.words(), sizes.join(", ")),
        };
        let mut details =
            format!("{}\nrule: {}\nid: {}\n", finding.verdict.meaning(), finding.rule, finding.id);
        if let Some(point) = place(finding) {
            let _ = writeln!(details, "at: {}", point.map(short).join(" "));
        }
        for part in finding.parts.map(|part| &report.parts[part]) {
            let _ = writeln!(details, "part: {} in {}", part.id, part.file);
        }
        let name = test_name(report, finding);
        match report.settings.fails(finding) {
            true => self.add(
                &name,
                Outcome::Failed { kind: &finding.verdict.name(), message: &message, details: &details },
            ),
            false => self.add(&name, Outcome::Passed(&format!("{message}\n{details}"))),
        }
    }

    fn add(&mut self, name: &str, outcome: Outcome<'_>) {
        self.tests += 1;
        let inner = match outcome {
            Outcome::Passed("") => String::new(),
            Outcome::Passed(said) => format!("<system-out>{}</system-out>", escaped(said)),
            Outcome::Failed { kind, message, details } => {
                self.failures += 1;
                let (kind, message, details) = (escaped(kind), escaped(message), escaped(details));
                format!("<failure type=\"{kind}\" message=\"{message}\">{details}</failure>")
            }
            Outcome::Skipped(message) => {
                self.skipped += 1;
                format!("<skipped message=\"{}\"/>", escaped(message))
            }
            Outcome::Error(message) => {
                self.errors += 1;
                format!("<error message=\"{}\"/>", escaped(message))
            }
        };
        let (class, name) = (escaped(&self.name), escaped(name));
        let _ = match inner.is_empty() {
            true => writeln!(self.body, "    <testcase classname=\"clash.{class}\" name=\"{name}\"/>"),
            false => writeln!(
                self.body,
                "    <testcase classname=\"clash.{class}\" name=\"{name}\">{inner}</testcase>"
            ),
        };
    }

    fn element(&self) -> String {
        format!(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n{}  </testsuite>\n",
            escaped(&self.name),
            self.tests,
            self.failures,
            self.errors,
            self.skipped,
            self.body
        )
    }
}

/// Text for an element or an attribute; what XML cannot hold is replaced.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\n' => escaped += "&#10;",
            '\t' => escaped += "&#9;",
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}
