//! Looks at every pair of parts that a rule asks about.

use super::model::{Finding, PairRule, VerdictCount};
use super::parts::Assembly;

/// What a check needs to know beside the rules.
#[derive(Clone, Copy, Debug)]
pub struct CheckOptions {
    /// The largest clearance of any rule: pairs farther apart are not looked at.
    pub reach: f64,
    /// Whether touching pairs are listed; they are counted always.
    pub list_touching: bool,
    /// Whether to bound the volume of each intersection.
    pub volume: bool,
    /// How many threads; none for all.
    pub threads: Option<usize>,
}

/// What was found. `id` and `status` of findings are still empty.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// In the order of the report.
    pub findings: Vec<Finding>,
    /// Where the surfaces of each finding meet, as segments, in the order of the findings; for pictures.
    pub curves: Vec<Vec<[[f64; 3]; 2]>>,
    /// Pairs that rules ask about.
    pub pairs: u64,
    /// Pairs that came near enough.
    pub candidates: u64,
    /// Candidates not looked at because of Ctrl-C.
    pub unchecked: u64,
    /// Pairs of each verdict, also those that are not listed.
    pub verdicts: Vec<VerdictCount>,
    /// Overlaps proved shallower than 1e-3 of the smaller part's size.
    pub vanish_at_one_in_a_thousand: u64,
    /// Whether Ctrl-C came.
    pub interrupted: bool,
}

/// What a check would need.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// Pairs whose boxes come near enough.
    pub candidates: u64,
    /// Memory for geometry, trees and candidates, in bytes.
    pub bytes: u64,
}

/// Checks every pair for which there is a rule. The result does not depend on the number of threads.
pub fn check<'r>(
    assembly: &Assembly,
    rule_of: &(dyn Fn(usize, usize) -> Option<PairRule<'r>> + Sync),
    options: &CheckOptions,
) -> Checked {
    let _ = (assembly, rule_of, options);
    todo!("owned by clash-core")
}

/// What `check` would need, without doing it.
pub fn estimate<'r>(
    assembly: &Assembly,
    rule_of: &(dyn Fn(usize, usize) -> Option<PairRule<'r>> + Sync),
    options: &CheckOptions,
) -> Estimate {
    let _ = (assembly, rule_of, options);
    todo!("owned by clash-core")
}
