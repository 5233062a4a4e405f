//! One line of JSON per finding, each complete in itself.

use crate::clash::model::{ClashReport, Finding};
use schemars::JsonSchema;
use serde::Serialize;

/// A finding with the names of its parts.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "a line of clearance clash --format jsonl")]
pub struct FindingLine<'r> {
    /// Ids of the parts, in the order of `parts`.
    pub ids: [&'r str; 2],
    /// Their files.
    pub files: [&'r str; 2],
    /// Their groups.
    pub groups: [&'r str; 2],
    /// Unit of all lengths; null if nobody stated it.
    pub unit: Option<&'r str>,
    /// Why it is accepted as by design; null if it is not.
    pub accepted: Option<&'r str>,
    /// What was found.
    #[serde(flatten)]
    pub finding: &'r Finding,
}

/// Findings with the reason why they are accepted, if they are.
pub fn all_findings(report: &ClashReport) -> impl Iterator<Item = (&Finding, Option<&str>)> {
    let listed = report.findings.iter().map(|finding| (finding, None));
    listed.chain(report.accepted.iter().map(|accepted| (&accepted.finding, Some(accepted.reason.as_str()))))
}

pub fn lines(report: &ClashReport) -> String {
    let mut text = String::new();
    for (finding, accepted) in all_findings(report) {
        let parts = finding.parts.map(|part| &report.parts[part]);
        let line = FindingLine {
            ids: parts.map(|part| part.id.as_str()),
            files: parts.map(|part| part.file.as_str()),
            groups: parts.map(|part| report.groups[part.group].name.as_str()),
            unit: report.unit.as_deref(),
            accepted,
            finding,
        };
        text += &(serde_json::to_string(&line).unwrap_or_default() + "\n");
    }
    text
}
