//! The report for people in a terminal.

use crate::{
    answer::BracketFile,
    clash::model::{Accepted, ClashReport, Finding, Part, Status, Verdict},
    clash::rules::DEFAULT_RULE,
    output::{self, Column, between, count, counted, faint, short, strong},
};
use anstyle::{AnsiColor, Style};

/// How much of a long report is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The first findings of each verdict.
    Screen,
    /// All of it.
    Whole,
}

/// Parts whose repairs are told.
const NOTES: usize = 10;
/// Rows of one verdict that a screen shows; the rest is for files.
const SCREEN_ROWS: usize = 40;

pub fn table(report: &ClashReport, extent: Extent) -> String {
    let mut text = heading(report);
    for count in &report.summary.verdicts {
        text += &section(report, count.verdict, count.count as usize, extent);
    }
    text += &accepted(report, extent);
    text += &resolved(report, extent);
    text += &closing(report);
    text
}

fn heading(report: &ClashReport) -> String {
    let summary = &report.summary;
    let unit = match &report.unit {
        Some(unit) => format!("lengths in {unit}"),
        None => "unit not stated".into(),
    };
    let settings = &report.settings;
    let mut asked =
        format!("clearance {}, tolerance {}", short(settings.clearance), short(settings.tolerance));
    if let Some(rules) = &settings.rules {
        asked += &format!(", rules of {rules}");
    }
    let (parts, triangles) =
        (counted(summary.parts as usize, "part"), counted(summary.triangles as usize, "triangle"));
    let mut text = format!("{}  {parts}, {triangles}, {unit}\n{}\n", strong(&report.title), faint(asked));
    let (pairs, near) = (counted(summary.pairs as usize, "pair"), count(summary.candidates as usize));
    text += &format!("{}\n", faint(format_args!("{pairs} to check, {near} near enough to look at")));
    for skipped in &report.skipped {
        text += &format!("{BAD}skipped{BAD:#} {}\n", skipped.error);
    }
    let noted: Vec<&Part> = report.parts.iter().filter(|part| !part.notes.is_empty()).collect();
    for part in noted.iter().take(NOTES) {
        text += &(faint(format_args!("{}: {}", part.id, part.notes.join("; "))) + "\n");
    }
    if noted.len() > NOTES {
        let rest = counted(noted.len() - NOTES, "more part");
        text += &(faint(format_args!("{rest} with such notes; -o report.json has them")) + "\n");
    }
    text
}

const BAD: Style = AnsiColor::Red.on_default().bold();
const DOUBTFUL: Style = AnsiColor::Yellow.on_default().bold();
const FINE: Style = AnsiColor::Green.on_default().bold();

fn style_of(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Duplicate | Verdict::Enclosed | Verdict::Overlapping => BAD,
        Verdict::TooClose | Verdict::Undecided => DOUBTFUL,
        Verdict::Touching | Verdict::TouchingWithinTolerance => FINE,
    }
}

/// One verdict: how many pairs have it, what it means, and which.
fn section(report: &ClashReport, verdict: Verdict, total: usize, extent: Extent) -> String {
    if total == 0 {
        return String::new();
    }
    let style = style_of(verdict);
    let listed = report.settings.lists(verdict);
    let more = if listed { "" } else { "; --report-touching lists them" };
    let meaning = wrapped(&format!("{}{more}", verdict.meaning()));
    let mut text = format!("\n{style}{} {}{style:#}\n{}", count(total), verdict.words(), faint(meaning));
    if listed {
        let findings: Vec<&Finding> =
            report.findings.iter().filter(|finding| finding.verdict == verdict).collect();
        text += &rows(report, &findings, extent);
    }
    text
}

/// Indented lines of at most 98 characters.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::from(" ")];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        if lines[last].chars().count() + 1 + word.chars().count() > 98 {
            lines.push(format!("  {word}"));
        } else {
            lines[last] += &format!(" {word}");
        }
    }
    lines.join("\n") + "\n"
}

fn rows(report: &ClashReport, findings: &[&Finding], extent: Extent) -> String {
    let shown = if extent == Extent::Screen { findings.len().min(SCREEN_ROWS) } else { findings.len() };
    let findings_shown = &findings[..shown];
    let mut what: Vec<&'static str> = Vec::new();
    for (name, _) in findings_shown.iter().flat_map(|finding| sizes(report, finding)) {
        if !what.contains(&name) {
            what.push(name);
        }
    }
    let has_rules = findings.iter().any(|finding| finding.rule != DEFAULT_RULE);
    let mut columns = vec![Column::Text("part"), Column::Text("part")];
    columns.extend(what.iter().map(|what| Column::Number(what)));
    let has_places = findings_shown.iter().any(|finding| place(finding).is_some());
    if has_places {
        columns.push(Column::Text("at"));
    }
    if has_rules {
        columns.push(Column::Text("rule"));
    }
    if report.settings.baseline.is_some() {
        columns.push(Column::Text("status"));
    }
    let row = |finding: &&Finding| {
        let mut row: Vec<String> = finding.parts.map(|part| report.parts[part].id.clone()).to_vec();
        let sizes = sizes(report, finding);
        let size = |what: &&str| {
            sizes.iter().find(|(name, _)| name == what).map_or("-".into(), |(_, size)| size.clone())
        };
        row.extend(what.iter().map(size));
        if has_places {
            row.push(place(finding).map_or("-".into(), |point| point.map(short).join(" ")));
        }
        if has_rules {
            row.push(finding.rule.clone());
        }
        if let Some(status) = finding.status {
            row.push(status_name(status).into());
        }
        row
    };
    let mut text = output::table(&columns, findings_shown.iter().map(row));
    if shown < findings.len() {
        let rest = count(findings.len() - shown);
        text += &(faint(format_args!(" and {rest} more; -o report.html or -o report.txt has all of them"))
            + "\n");
    }
    text
}

/// As it stands in tables.
fn status_name(status: Status) -> &'static str {
    match status {
        Status::New => "new",
        Status::Persistent => "persistent",
    }
}

/// What there is to measure at a finding: the name of each number, and the number for people.
pub fn sizes(report: &ClashReport, finding: &Finding) -> Vec<(&'static str, String)> {
    let mut sizes = Vec::new();
    match finding.verdict {
        Verdict::Duplicate => {}
        Verdict::Enclosed => {
            let inside = finding.inside.map_or("-".into(), |part| report.parts[part].id.clone());
            sizes.push(("inside", inside));
        }
        Verdict::Overlapping | Verdict::TouchingWithinTolerance => {
            if let Some(depth) = finding.depth {
                sizes.push(("depth", between(depth.lower, depth.upper)));
            }
            // The tolerance at which it would be touching within tolerance.
            if let Some(surface) = finding.depth.and_then(|depth| depth.surface) {
                sizes.push(("vanishes at", short(surface)));
            }
        }
        // Contacts are those of triangles: curved and moving parts have none.
        Verdict::Touching if finding.contacts == 0 => {}
        Verdict::Touching => sizes.push(("contacts", count(finding.contacts as usize))),
        Verdict::TooClose | Verdict::Undecided => {
            sizes.push(("distance", finding.distance.map_or("-".into(), bracket)));
            sizes.push(("required", short(finding.required)));
        }
    }
    if let Some(volume) = finding.volume {
        sizes.push(("volume", bracket(volume)));
    }
    if let Some(when) = &finding.motion {
        let contact = when.first_contact.map(|time| ("first contact", bracket(time)));
        sizes.extend(contact.or(when.closest_time.map(|time| ("closest at", short(time)))));
    }
    sizes
}

/// A point to look at: where it is deepest, a common one, or the middle of the gap.
pub fn place(finding: &Finding) -> Option<[f64; 3]> {
    let deepest = finding.depth.and_then(|depth| depth.point);
    let middle = |[a, b]: [[f64; 3]; 2]| [0, 1, 2].map(|axis| 0.5 * a[axis] + 0.5 * b[axis]);
    deepest.or(finding.points.first().copied()).or(finding.closest.map(middle))
}

fn bracket(bracket: BracketFile) -> String {
    between(bracket.lower.0, bracket.upper.0)
}

fn accepted(report: &ClashReport, extent: Extent) -> String {
    if report.accepted.is_empty() {
        return String::new();
    }
    let total = report.accepted.len();
    let shown = if extent == Extent::Screen { total.min(SCREEN_ROWS) } else { total };
    let columns =
        [Column::Text("part"), Column::Text("part"), Column::Text("verdict"), Column::Text("reason")];
    let row = |accepted: &Accepted| {
        let [a, b] = accepted.finding.parts.map(|part| report.parts[part].id.clone());
        vec![a, b, accepted.finding.verdict.words(), accepted.reason.clone()]
    };
    let mut text =
        format!("\n{FINE}{} accepted{FINE:#}\n{}\n", count(total), faint("  by design, as the rules say"));
    text += &output::table(&columns, report.accepted[..shown].iter().map(row));
    if shown < total {
        text += &(faint(format_args!(" and {} more", count(total - shown))) + "\n");
    }
    text
}

fn resolved(report: &ClashReport, extent: Extent) -> String {
    if report.resolved.is_empty() {
        return String::new();
    }
    let total = report.resolved.len();
    let shown = if extent == Extent::Screen { total.min(SCREEN_ROWS) } else { total };
    let columns = [Column::Text("part"), Column::Text("part"), Column::Text("was")];
    let rows = report.resolved[..shown].iter().map(|old| {
        let [a, b] = old.parts.clone();
        vec![a, b, old.verdict.words()]
    });
    format!("\n{FINE}{} resolved{FINE:#}\n{}\n", count(total), faint("  in the baseline, and no more"))
        + &output::table(&columns, rows)
}

/// What it comes to, and what to do next.
fn closing(report: &ClashReport) -> String {
    let summary = &report.summary;
    let mut text = String::from("\n");
    if summary.verdicts.iter().all(|count| count.count == 0) && !report.interrupted {
        text += &format!("{FINE}nothing found{FINE:#}\n");
    }
    if let Some(baseline) = &report.settings.baseline {
        let [new, persistent, resolved] =
            [summary.new, summary.persistent, summary.resolved].map(|number| count(number as usize));
        text +=
            &format!("compared with {baseline}: {new} new, {persistent} persistent, {resolved} resolved\n");
    }
    if summary.vanish_at_one_in_a_thousand > 0 {
        let clashes =
            counted(summary.vanish_at_one_in_a_thousand as usize, "clash").replace("clashs", "clashes");
        text += &format!(
            "{clashes} would vanish at 1e-3 of the part size: proved to be that shallow, as between tessellated \
             parts; --tolerance tells them apart\n"
        );
    }
    if report.interrupted {
        let rest = counted(summary.unchecked as usize, "pair");
        text += &format!("{DOUBTFUL}interrupted{DOUBTFUL:#}: {rest} near enough were not looked at\n");
    }
    if text == "\n" { String::new() } else { text }
}
