//! Which findings make the exit code 1.

use super::model::{Finding, Settings, Status, Verdict};
use crate::output::Failure;
use clap::ValueEnum;

/// What `--fail-on` may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Nothing.
    None,
    /// Of the verdicts that are named, those that the baseline does not have.
    New,
    Duplicate,
    Enclosed,
    Overlapping,
    TouchingWithinTolerance,
    Touching,
    TooClose,
    Undecided,
}

impl FailOn {
    fn verdict(self) -> Option<Verdict> {
        match self {
            FailOn::None | FailOn::New => None,
            FailOn::Duplicate => Some(Verdict::Duplicate),
            FailOn::Enclosed => Some(Verdict::Enclosed),
            FailOn::Overlapping => Some(Verdict::Overlapping),
            FailOn::TouchingWithinTolerance => Some(Verdict::TouchingWithinTolerance),
            FailOn::Touching => Some(Verdict::Touching),
            FailOn::TooClose => Some(Verdict::TooClose),
            FailOn::Undecided => Some(Verdict::Undecided),
        }
    }
}

impl Settings {
    /// Takes over what `--fail-on` says. Without it, everything that is listed fails.
    pub fn set_fail_on(&mut self, asked: &[FailOn]) -> Result<(), Failure> {
        if asked.contains(&FailOn::None) {
            return match asked.iter().all(|entry| *entry == FailOn::None) {
                true => Ok(()),
                false => {
                    Err(Failure::Usage("--fail-on none stands alone: leave out the others, or none".into()))
                }
            };
        }
        self.fail_on_new_only = asked.contains(&FailOn::New);
        if self.fail_on_new_only && self.baseline.is_none() {
            return Err(Failure::Usage(
                "--fail-on new needs a report to compare with: add --baseline FILE".into(),
            ));
        }
        self.fail_on = asked.iter().filter_map(|entry| entry.verdict()).collect();
        if self.fail_on.is_empty() {
            let touching = self.report_touching;
            self.fail_on = Verdict::value_variants()
                .iter()
                .copied()
                .filter(|verdict| touching || !verdict.is_touching())
                .collect();
        }
        self.fail_on.sort();
        self.fail_on.dedup();
        Ok(())
    }

    /// Whether a finding makes the exit code 1.
    pub fn fails(&self, finding: &Finding) -> bool {
        self.fail_on.contains(&finding.verdict)
            && !(self.fail_on_new_only && finding.status == Some(Status::Persistent))
    }

    /// Whether touching pairs of this kind are listed: those that make the exit code 1 are.
    pub fn lists(&self, verdict: Verdict) -> bool {
        !verdict.is_touching() || self.report_touching || self.fail_on.contains(&verdict)
    }
}
