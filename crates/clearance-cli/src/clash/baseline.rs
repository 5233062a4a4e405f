//! A previous report to compare with: what is new, what persists, what is resolved.

use super::model::{ClashReport, Resolved, Status, VERSION, Verdict};
use crate::output::Failure;
use clearance_io::scene::SceneError;
use serde::Deserialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

/// What a previous run found.
#[derive(Debug)]
pub struct Baseline {
    /// By id.
    findings: BTreeMap<String, Resolved>,
    /// Whether Ctrl-C came, so that findings may be missing in it.
    pub interrupted: bool,
}

/// As much of a report as is needed.
#[derive(Deserialize)]
struct Previous {
    findings: Vec<PreviousFinding>,
    parts: Vec<PreviousPart>,
    interrupted: bool,
}

#[derive(Deserialize)]
struct PreviousFinding {
    id: String,
    verdict: Verdict,
    parts: [usize; 2],
}

#[derive(Deserialize)]
struct PreviousPart {
    id: String,
}

/// What any version of a report has.
#[derive(Deserialize)]
struct AnyReport {
    version: u32,
    program: String,
}

impl Baseline {
    /// Reads a report of `clearance clash`.
    ///
    /// # Errors
    /// A file that cannot be read, is no report, or one of another version.
    pub fn read(file: &Path) -> Result<Baseline, Failure> {
        let refused =
            |problem: &dyn std::fmt::Display| Failure::input(format_args!("{}: {problem}", file.display()));
        let text = std::fs::read_to_string(file)
            .map_err(|error| refused(&format_args!("cannot be read: {error}")))?;
        let wrong = |error: serde_json::Error| -> Failure {
            let problem = format!("this is no report of `clearance clash -o report.json`: {error}");
            let at = offset_of(&text, error.line(), error.column());
            SceneError::in_text(file, &text, at, problem).into()
        };
        let any: AnyReport = serde_json::from_str(&text).map_err(wrong)?;
        if any.version != VERSION {
            return Err(refused(&format_args!(
                "the report has version {} (by {}), but this program compares with version {VERSION}; write the \
                 baseline anew with this program",
                any.version, any.program
            )));
        }
        let previous: Previous = serde_json::from_str(&text).map_err(wrong)?;
        let name = |part: usize| match previous.parts.get(part) {
            Some(part) => Ok(part.id.clone()),
            None => Err(refused(&format_args!(
                "a finding names part {part}, but there are {}",
                previous.parts.len()
            ))),
        };
        let mut findings = BTreeMap::new();
        for PreviousFinding { id, verdict, parts: [a, b] } in previous.findings {
            findings.insert(id.clone(), Resolved { id, verdict, parts: [name(a)?, name(b)?] });
        }
        Ok(Baseline { findings, interrupted: previous.interrupted })
    }

    /// Marks the findings of a report, and lists those of the baseline that are no more.
    ///
    /// What this run could not have found is not resolved: pairs that Ctrl-C cut off, those of files that were skipped,
    /// touching ones if they are not listed, and what is accepted by now.
    pub fn compare(&self, report: &mut ClashReport) {
        let mut seen: BTreeSet<&str> =
            report.accepted.iter().map(|accepted| accepted.finding.id.as_str()).collect();
        for finding in &mut report.findings {
            let status = match self.findings.contains_key(&finding.id) {
                true => Status::Persistent,
                false => Status::New,
            };
            match status {
                Status::New => report.summary.new += 1,
                Status::Persistent => report.summary.persistent += 1,
            }
            finding.status = Some(status);
        }
        seen.extend(report.findings.iter().map(|finding| finding.id.as_str()));
        let parts: BTreeSet<&str> = report.parts.iter().map(|part| part.id.as_str()).collect();
        let is_resolved = |old: &&Resolved| {
            let could_be_found =
                report.skipped.is_empty() || old.parts.iter().all(|part| parts.contains(part.as_str()));
            !report.interrupted
                && could_be_found
                && report.settings.lists(old.verdict)
                && !seen.contains(old.id.as_str())
        };
        let mut resolved: Vec<Resolved> = self.findings.values().filter(is_resolved).cloned().collect();
        resolved.sort_by(|a, b| (a.verdict, &a.parts, &a.id).cmp(&(b.verdict, &b.parts, &b.id)));
        report.summary.resolved = resolved.len() as u64;
        report.resolved = resolved;
    }
}

/// The byte at a line and a column, both from 1.
fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let mut offset = (start + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}
