//! From what was checked to what is reported.

use super::{
    baseline::Baseline,
    check::Checked,
    drawn::{bounds_of, kind_of, motion_of, triangles_of},
    ids::finding_id,
    model::{Accepted, Cell, ClashReport, Group, Part, Settings, Summary, VERSION, Verdict},
    parts::{AssembledPart, Assembly},
    rules::Rules,
};
use clearance_io::LengthUnit;
use std::collections::BTreeMap;

/// A segment from point to point.
pub type Segment = [[f64; 3]; 2];

/// A report, and what pictures need beside it.
#[derive(Debug)]
pub struct Reported {
    pub report: ClashReport,
    /// Where the surfaces of each finding meet, in the order of the findings.
    pub curves: Vec<Vec<Segment>>,
}

/// Makes the report.
pub fn report(
    assembly: &Assembly,
    rules: &Rules<'_>,
    checked: Checked,
    settings: Settings,
    baseline: Option<&Baseline>,
) -> Reported {
    let mut report = ClashReport {
        version: VERSION,
        program: concat!("clearance ", env!("CARGO_PKG_VERSION")).into(),
        title: assembly.title.clone(),
        unit: assembly.unit.map(|unit| LengthUnit::symbol(unit).to_owned()),
        settings,
        meanings: Verdict::meanings(),
        summary: Summary {
            parts: assembly.parts.len() as u64,
            triangles: assembly.parts.iter().map(triangles_of).sum(),
            pairs: checked.pairs,
            candidates: checked.candidates,
            unchecked: checked.unchecked,
            verdicts: checked.verdicts.clone(),
            vanish_at_one_in_a_thousand: checked.vanish_at_one_in_a_thousand,
            ..Summary::default()
        },
        groups: groups_of(rules),
        parts: assembly.parts.iter().zip(&rules.group_of).map(part_of).collect(),
        skipped: assembly.skipped.clone(),
        interrupted: checked.interrupted,
        ..ClashReport::default()
    };
    let curves = take_findings(&mut report, checked, rules);
    report.matrix = matrix_of(&report, rules);
    if let Some(baseline) = baseline {
        baseline.compare(&mut report);
    }
    Reported { report, curves }
}

/// Sorts findings into those that are listed and those that are by design; returns the curves of the former.
fn take_findings(report: &mut ClashReport, checked: Checked, rules: &Rules<'_>) -> Vec<Vec<Segment>> {
    let mut listed_curves = Vec::new();
    let beside = checked.curves.into_iter().zip(checked.vanishing);
    for (mut finding, (curve, vanishes)) in checked.findings.into_iter().zip(beside) {
        let [a, b] = finding.parts.map(|part| report.parts[part].id.as_str());
        finding.id = finding_id(&finding.rule, a, b);
        if let Some(reason) = rules.accepted(finding.parts, finding.verdict) {
            let count = report.summary.verdicts.iter_mut().find(|count| count.verdict == finding.verdict);
            if let Some(count) = count {
                count.count = count.count.saturating_sub(1);
            }
            report.summary.vanish_at_one_in_a_thousand -= u64::from(vanishes);
            report.accepted.push(Accepted { finding, reason: reason.to_owned() });
        } else if report.settings.lists(finding.verdict) {
            report.findings.push(finding);
            listed_curves.push(curve);
        }
    }
    report.summary.accepted = report.accepted.len() as u64;
    listed_curves
}

fn part_of((part, group): (&AssembledPart, &usize)) -> Part {
    Part {
        id: part.id.clone(),
        name: part.name.clone(),
        file: part.file.clone(),
        group: *group,
        kind: kind_of(part).into(),
        triangles: triangles_of(part),
        bounds: bounds_of(part).map(|bounds| [bounds.min.to_array(), bounds.max.to_array()]),
        motion: motion_of(part),
        notes: part.notes.clone(),
    }
}

fn groups_of(rules: &Rules<'_>) -> Vec<Group> {
    let mut groups: Vec<Group> =
        rules.groups.iter().map(|name| Group { name: name.clone(), parts: 0 }).collect();
    rules.group_of.iter().for_each(|&group| groups[group].parts += 1);
    groups
}

fn matrix_of(report: &ClashReport, rules: &Rules<'_>) -> Vec<Cell> {
    let mut cells: BTreeMap<[usize; 2], Cell> = BTreeMap::new();
    for a in 0..report.groups.len() {
        for b in a..report.groups.len() {
            // One part has no pair within its group.
            if a != b || report.groups[a].parts > 1 {
                let required = rules.required_between(a, b);
                cells.insert([a, b], Cell { groups: [a, b], required, findings: 0, worst: None });
            }
        }
    }
    for finding in &report.findings {
        let [a, b] = finding.parts.map(|part| report.parts[part].group);
        if let Some(cell) = cells.get_mut(&[a.min(b), a.max(b)]) {
            cell.findings += 1;
            cell.worst = Some(cell.worst.map_or(finding.verdict, |worst| worst.min(finding.verdict)));
        }
    }
    cells.into_values().collect()
}
