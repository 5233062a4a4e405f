//! One row per finding, for spreadsheets (RFC 4180).

use super::json_lines::all_findings;
use crate::{
    answer::BracketFile,
    clash::model::{ClashReport, DepthKind, Finding, Status},
};

const HEADER: [&str; 31] = [
    "id",
    "verdict",
    "status",
    "accepted",
    "part_a",
    "part_b",
    "file_a",
    "file_b",
    "group_a",
    "group_b",
    "rule",
    "unit",
    "required",
    "distance_lower",
    "distance_upper",
    "depth_kind",
    "depth_lower",
    "depth_upper",
    "depth_surface",
    "volume_lower",
    "volume_upper",
    "inside",
    "contacts",
    "x",
    "y",
    "z",
    "first_contact_lower",
    "first_contact_upper",
    "first_overlap_lower",
    "first_overlap_upper",
    "closest_time",
];

pub fn table(report: &ClashReport) -> String {
    let mut text = row(&HEADER.map(str::to_owned));
    for (finding, accepted) in all_findings(report) {
        text += &row(&cells(report, finding, accepted));
    }
    text
}

fn cells(report: &ClashReport, finding: &Finding, accepted: Option<&str>) -> [String; HEADER.len()] {
    let [a, b] = finding.parts.map(|part| &report.parts[part]);
    let group = |group: usize| report.groups[group].name.clone();
    let [distance_lower, distance_upper] = ends(finding.distance);
    let [volume_lower, volume_upper] = ends(finding.volume);
    let depth = finding.depth;
    let when = finding.motion.as_ref();
    let [contact_lower, contact_upper] = ends(when.and_then(|when| when.first_contact));
    let [overlap_lower, overlap_upper] = ends(when.and_then(|when| when.first_overlap));
    let [x, y, z] =
        super::table::place(finding).map_or([const { String::new() }; 3], |p| p.map(|c| c.to_string()));
    let status = finding.status.map_or("", |status| match status {
        Status::New => "new",
        Status::Persistent => "persistent",
    });
    let kind = depth.map_or("", |depth| match depth.kind {
        DepthKind::Translation => "translation",
        DepthKind::Local => "local",
        DepthKind::Surface => "surface",
    });
    [
        finding.id.clone(),
        finding.verdict.name().replace('-', "_"),
        status.to_owned(),
        accepted.unwrap_or_default().to_owned(),
        a.id.clone(),
        b.id.clone(),
        a.file.clone(),
        b.file.clone(),
        group(a.group),
        group(b.group),
        finding.rule.clone(),
        report.unit.clone().unwrap_or_default(),
        finding.required.to_string(),
        distance_lower,
        distance_upper,
        kind.to_owned(),
        number(depth.map(|depth| depth.lower)),
        number(depth.map(|depth| depth.upper)),
        number(depth.and_then(|depth| depth.surface)),
        volume_lower,
        volume_upper,
        finding.inside.map_or(String::new(), |part| report.parts[part].id.clone()),
        finding.contacts.to_string(),
        x,
        y,
        z,
        contact_lower,
        contact_upper,
        overlap_lower,
        overlap_upper,
        number(when.and_then(|when| when.closest_time)),
    ]
}

/// A number with all its digits, or nothing.
fn number(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

fn ends(bracket: Option<BracketFile>) -> [String; 2] {
    [number(bracket.map(|bracket| bracket.lower.0)), number(bracket.map(|bracket| bracket.upper.0))]
}

/// Cells with commas between them; quoted where they hold a comma, a quote or the end of a line.
fn row(cells: &[String]) -> String {
    let quoted = |cell: &String| match cell.contains([',', '"', '\r', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.clone(),
    };
    cells.iter().map(quoted).collect::<Vec<_>>().join(",") + "\r\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_need_it_are_quoted() {
        let cells = ["plain", "a,b", "say \"no\"", "two\nlines", ""].map(str::to_owned);
        assert_eq!(row(&cells), "plain,\"a,b\",\"say \"\"no\"\"\",\"two\nlines\",\r\n");
    }
}
