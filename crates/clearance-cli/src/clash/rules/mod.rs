//! What is asked of which pair of parts.
//!
//! In this order: pairs that the scene ignores and those of `[[exclude]]` are left alone; then the last `[[rule]]` that
//! fits decides; then `ignore-within-group`; and what is left has the default clearance and tolerance.

mod file;
mod glob;
mod parts;

pub use file::{DEFAULT_RULE, RulesFile};

use super::{
    length::Length,
    model::{Accepted, PairRule, Verdict},
    parts::Assembly,
};
use crate::output::Failure;
use clearance_io::{
    LengthUnit,
    scene::{IgnoredPairs, similar},
};
use file::{Asked, IgnoreWithin, Located, RuleEntry, Side};
use parts::{Fit, PartSets};
use std::collections::BTreeMap;

/// Pairs of so many kinds of parts are asked for in no time.
const MANY_KINDS: usize = 2000;

/// Lengths of the command line, which come before those of the file.
#[derive(Clone, Debug, Default)]
pub struct AskedLengths {
    pub clearance: Option<Length>,
    pub tolerance: Option<Length>,
}

/// Rules made ready for the parts of one assembly.
#[derive(Debug)]
pub struct Rules<'a> {
    /// Names of the groups that have parts, sorted; "" for parts without one.
    pub groups: Vec<String>,
    /// Group of each part.
    pub group_of: Vec<usize>,
    /// Where no rule fits.
    pub clearance: f64,
    pub tolerance: f64,
    /// Patterns and groups that fit nothing, in words.
    pub warnings: Vec<String>,
    rules: Vec<Resolved>,
    /// The last rule that names both groups, from group to group.
    matrix: Vec<Option<usize>>,
    /// Rules with a pattern in them, the last first.
    with_patterns: Vec<usize>,
    /// Groups that are not checked within themselves.
    ignored_within: Vec<bool>,
    excluded: Vec<[Fit; 2]>,
    by_design: Vec<ByDesign>,
    sets: PartSets,
    ignored: &'a IgnoredPairs,
}

#[derive(Debug)]
struct Resolved {
    name: String,
    /// Clearance and tolerance; `None` if the pair is not checked.
    asked: Option<[f64; 2]>,
    /// For rules with patterns.
    between: [Fit; 2],
}

#[derive(Debug)]
struct ByDesign {
    parts: [Fit; 2],
    verdicts: Vec<Verdict>,
    reason: String,
    /// Where it stands, for remarks.
    line: String,
}

impl ByDesign {
    fn accepts(&self, sets: &PartSets, [i, j]: [usize; 2], verdict: Verdict) -> bool {
        (self.verdicts.is_empty() || self.verdicts.contains(&verdict)) && sets.fits(&self.parts, i, j)
    }
}

impl<'a> Rules<'a> {
    /// Rules for an assembly.
    ///
    /// # Errors
    /// A rule for a group that neither the file nor a scene knows, a length with a unit where the parts have none.
    pub fn new(
        file: Option<&RulesFile>,
        lengths: &AskedLengths,
        assembly: &'a Assembly,
    ) -> Result<Rules<'a>, Failure> {
        let mut sets = PartSets::new(assembly, file);
        let unit = assembly.unit;
        let default = |asked: &Option<Length>, written: Option<&Located<Length>>| match (asked, written, file)
        {
            (Some(length), ..) => length.in_unit(unit).map_err(Failure::Input),
            (None, Some(length), Some(file)) => converted(length, unit, file),
            _ => Ok(0.0),
        };
        let clearance = default(&lengths.clearance, file.and_then(|file| file.clearance.as_ref()))?;
        let tolerance = default(&lengths.tolerance, file.and_then(|file| file.tolerance.as_ref()))?;
        let groups = sets.groups.len();
        let mut rules = Rules {
            clearance,
            tolerance,
            warnings: Vec::new(),
            rules: Vec::new(),
            matrix: vec![None; groups * groups],
            with_patterns: Vec::new(),
            ignored_within: vec![false; groups],
            excluded: Vec::new(),
            by_design: Vec::new(),
            ignored: &assembly.ignored,
            groups: Vec::new(),
            group_of: Vec::new(),
            sets: PartSets::default(),
        };
        if let Some(file) = file {
            rules.take(file, &mut sets, unit)?;
        }
        rules.warnings.append(&mut sets.warnings);
        rules.groups = std::mem::take(&mut sets.groups);
        rules.group_of = std::mem::take(&mut sets.group_of);
        rules.sets = sets;
        Ok(rules)
    }

    fn take(
        &mut self,
        file: &RulesFile,
        sets: &mut PartSets,
        unit: Option<LengthUnit>,
    ) -> Result<(), Failure> {
        for (index, rule) in file.rules.iter().enumerate() {
            let resolved = self.resolve(rule, file, sets, unit)?;
            self.rules.push(resolved);
            let groups = rule.between.each_ref().map(|side| match side.value {
                Side::Group => Some(sets.group_index(&side.text)),
                Side::Parts(_) => None,
            });
            match groups {
                [Some(a), Some(b)] => {
                    if let (Some(a), Some(b)) = (a, b) {
                        self.matrix[a * sets.groups.len() + b] = Some(index);
                        self.matrix[b * sets.groups.len() + a] = Some(index);
                    }
                }
                _ => self.with_patterns.insert(0, index),
            }
        }
        match &file.ignore_within {
            IgnoreWithin::None => {}
            // Parts without a group have nothing in common.
            IgnoreWithin::All => {
                self.ignored_within = sets.groups.iter().map(|name| !name.is_empty()).collect()
            }
            IgnoreWithin::Groups(names) => {
                for name in names {
                    known_group(name, Patterns::Refused, file, sets)?;
                    if let Some(group) = sets.group_index(&name.text) {
                        self.ignored_within[group] = true;
                    }
                }
            }
        }
        for parts in &file.excluded {
            self.excluded.push(parts.each_ref().map(|pattern| sets.pattern(pattern, file)));
        }
        for entry in &file.by_design {
            let parts = entry.parts.each_ref().map(|pattern| sets.pattern(pattern, file));
            self.by_design.push(ByDesign {
                parts,
                verdicts: entry.verdicts.clone(),
                reason: entry.reason.clone(),
                line: file.line(entry.parts[0].at),
            });
        }
        Ok(())
    }

    fn resolve(
        &self,
        rule: &RuleEntry,
        file: &RulesFile,
        sets: &mut PartSets,
        unit: Option<LengthUnit>,
    ) -> Result<Resolved, Failure> {
        let asked = match &rule.asked {
            Asked::Nothing => None,
            Asked::Lengths { clearance, tolerance } => {
                let length = |length: &Option<Located<Length>>, default: f64| match length {
                    Some(length) => converted(length, unit, file),
                    None => Ok(default),
                };
                Some([length(clearance, self.clearance)?, length(tolerance, self.tolerance)?])
            }
        };
        let mut between = [Fit::default(); 2];
        for (fit, side) in between.iter_mut().zip(&rule.between) {
            *fit = match &side.value {
                Side::Parts(glob) => {
                    let pattern = Located { value: glob.clone(), at: side.at, text: side.text.clone() };
                    sets.pattern(&pattern, file)
                }
                Side::Group => {
                    known_group(side, Patterns::Taken, file, sets)?;
                    sets.group(&side.text)
                }
            };
        }
        Ok(Resolved { name: rule.name.clone(), asked, between })
    }

    /// What is asked of two parts, in either order; `None` if they are left alone. A lookup, and a few bits for each
    /// rule with a pattern.
    pub fn rule_of(&self, i: usize, j: usize) -> Option<PairRule<'_>> {
        if !self.ignored.is_empty() && self.ignored.contains(i, j) {
            return None;
        }
        if self.excluded.iter().any(|parts| self.sets.fits(parts, i, j)) {
            return None;
        }
        let groups = [self.group_of[i], self.group_of[j]];
        let by_groups = self.matrix[groups[0] * self.groups.len() + groups[1]];
        let later = self.with_patterns.iter().copied().take_while(|rule| Some(*rule) > by_groups);
        let by_pattern = { later }.find(|rule| self.sets.fits(&self.rules[*rule].between, i, j));
        match by_pattern.or(by_groups).map(|rule| &self.rules[rule]) {
            Some(rule) => {
                rule.asked.map(|[clearance, tolerance]| PairRule { name: &rule.name, clearance, tolerance })
            }
            None if groups[0] == groups[1] && self.ignored_within[groups[0]] => None,
            None => Some(self.default_rule()),
        }
    }

    fn default_rule(&self) -> PairRule<'_> {
        PairRule { name: DEFAULT_RULE, clearance: self.clearance, tolerance: self.tolerance }
    }

    /// The clearance that is asked between two groups where no pattern says otherwise; `None` if nothing is.
    pub fn required_between(&self, group_a: usize, group_b: usize) -> Option<f64> {
        match self.matrix[group_a * self.groups.len() + group_b] {
            Some(rule) => self.rules[rule].asked.map(|[clearance, _]| clearance),
            None if group_a == group_b && self.ignored_within[group_a] => None,
            None => Some(self.clearance),
        }
    }

    /// The largest clearance of any rule.
    pub fn reach(&self) -> f64 {
        self.rules
            .iter()
            .filter_map(|rule| rule.asked)
            .map(|[clearance, _]| clearance)
            .fold(self.clearance, f64::max)
    }

    /// How many pairs something is asked of; `None` if only asking for each could tell.
    ///
    /// Parts in the same group that the same patterns fit are all treated alike, so one of each kind is asked.
    pub fn pair_count(&self) -> Option<u64> {
        if !self.ignored.is_empty() {
            return None;
        }
        let mut kinds: BTreeMap<(usize, &[u64]), (usize, u64)> = BTreeMap::new();
        for (part, &group) in self.group_of.iter().enumerate() {
            kinds.entry((group, self.sets.row(part))).or_insert((part, 0)).1 += 1;
        }
        let kinds: Vec<(usize, u64)> = kinds.into_values().collect();
        if kinds.len() > MANY_KINDS {
            return None;
        }
        let mut pairs = 0;
        for (i, &(a, count_a)) in kinds.iter().enumerate() {
            let within = count_a * (count_a - 1) / 2;
            pairs += if within > 0 && self.rule_of(a, a).is_some() { within } else { 0 };
            for &(b, count_b) in &kinds[..i] {
                pairs += if self.rule_of(a, b).is_some() { count_a * count_b } else { 0 };
            }
        }
        Some(pairs)
    }

    /// Why a finding is accepted, if it is.
    pub fn accepted(&self, parts: [usize; 2], verdict: Verdict) -> Option<&str> {
        let entry = self.by_design.iter().find(|entry| entry.accepts(&self.sets, parts, verdict));
        entry.map(|entry| entry.reason.as_str())
    }

    /// Remarks on what was by design once: entries that accept none of these findings.
    pub fn idle(&self, accepted: &[Accepted]) -> Vec<String> {
        let is_idle = |entry: &&ByDesign| {
            let accepts = |Accepted { finding, .. }: &Accepted| {
                entry.accepts(&self.sets, finding.parts, finding.verdict)
            };
            !accepted.iter().any(accepts)
        };
        let remark =
            |entry: &ByDesign| format!("{}: nothing is left to accept as \"{}\"", entry.line, entry.reason);
        self.by_design.iter().filter(is_idle).map(remark).collect()
    }

    /// Whether some verdict of this kind may be accepted.
    pub fn may_accept(&self, verdict: Verdict) -> bool {
        self.by_design.iter().any(|entry| entry.verdicts.is_empty() || entry.verdicts.contains(&verdict))
    }
}

fn converted(length: &Located<Length>, unit: Option<LengthUnit>, file: &RulesFile) -> Result<f64, Failure> {
    length.value.in_unit(unit).map_err(|problem| file.refused(length.at, problem))
}

/// Whether patterns of parts may stand where a group does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Patterns {
    Taken,
    Refused,
}

fn known_group<T>(
    name: &Located<T>,
    patterns: Patterns,
    file: &RulesFile,
    sets: &PartSets,
) -> Result<(), Failure> {
    let known: Vec<&str> = sets.known_groups().collect();
    if known.contains(&name.text.as_str()) {
        return Ok(());
    }
    let hint = match similar(&name.text, known.iter()) {
        hint if hint.is_empty() && patterns == Patterns::Refused => "; name it under [groups]".into(),
        hint if hint.is_empty() => {
            format!("; name it under [groups], or write \"part:{}\" for a pattern of parts", name.text)
        }
        hint => hint,
    };
    Err(file.refused(name.at, format!("no group is named \"{}\"{hint}", name.text)))
}

#[cfg(test)]
mod tests;
