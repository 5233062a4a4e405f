//! Looks at every pair of parts that a rule asks about.

use super::model::{Finding, PairRule, Verdict, VerdictCount};
use super::moving::are_at_rest;
use super::pair::{Answer, Found, Pair, Wanted};
use super::parts::Assembly;
use super::placed::{Placed, geometries, place};
use crate::interrupt;
use clap::ValueEnum;
use clearance::broad::{BroadPhase, IdPair, Mobility, Partition};
use clearance::mesh::MeshCache;
use rayon::prelude::*;
use std::time::{Duration, Instant};

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
    /// Pairs that rules ask about; where there are very many, pairs that no rule asks about are left out only if they are
    /// near each other.
    pub pairs: u64,
    /// Pairs that came near enough.
    pub candidates: u64,
    /// Candidates not looked at because of Ctrl-C.
    pub unchecked: u64,
    /// Pairs of each verdict, also those that are not listed.
    pub verdicts: Vec<VerdictCount>,
    /// Overlaps proved shallower than 1e-3 of the smaller part's size.
    pub vanish_at_one_in_a_thousand: u64,
    /// Which of the findings these are.
    pub vanishing: Vec<bool>,
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

/// A rule for each two parts, by index.
type RuleOf<'f, 'r> = &'f (dyn Fn(usize, usize) -> Option<PairRule<'r>> + Sync);

/// So many pairs are asked for one by one to count them.
const COUNTED: u64 = 4_000_000;

/// Checks every pair for which there is a rule. The result does not depend on the number of threads.
pub fn check<'r>(assembly: &Assembly, rule_of: RuleOf<'_, 'r>, options: &CheckOptions) -> Checked {
    let run = || check_here(assembly, rule_of, options);
    match rayon::ThreadPoolBuilder::new().num_threads(options.threads.unwrap_or(0)).build() {
        Ok(pool) => pool.install(run),
        Err(_) => run(),
    }
}

fn check_here<'r>(assembly: &Assembly, rule_of: RuleOf<'_, 'r>, options: &CheckOptions) -> Checked {
    let start = Instant::now();
    let (geometries, indices) = geometries(assembly);
    let parts = place(assembly, &geometries, &indices);
    let (candidates, refused) = candidates(&parts, rule_of, options.reach);
    let broad = start.elapsed();
    let bar = interrupt::step_bar(candidates.len() as u64, "checking");
    let wanted = Wanted { touching: options.list_touching, volume: options.volume };
    let look = |cache: &mut MeshCache, &(ids, rule): &(IdPair, PairRule<'r>)| {
        if interrupt::requested() {
            return None;
        }
        let (a, b) = (&parts[ids.a() as usize], &parts[ids.b() as usize]);
        let pair = Pair { a, b, rule, wanted };
        let answer = if are_at_rest(a, b) { pair.look(cache) } else { pair.look_moving(cache) };
        bar.inc(1);
        Some(answer)
    };
    let answers: Vec<Option<Answer>> = candidates.par_iter().map_init(MeshCache::default, look).collect();
    bar.finish_and_clear();
    let mut checked = Checked {
        pairs: count_pairs(parts.len(), rule_of, refused),
        candidates: candidates.len() as u64,
        interrupted: interrupt::requested(),
        ..Checked::default()
    };
    let mut counts = [0; 7];
    let mut found: Vec<Found> = Vec::new();
    for ((ids, _), answer) in candidates.iter().zip(answers) {
        match answer {
            None => checked.unchecked += 1,
            Some(Answer::Clear) => {}
            Some(Answer::Counted(verdict)) => counts[verdict as usize] += 1,
            Some(Answer::Listed(mut one)) => {
                counts[one.finding.verdict as usize] += 1;
                checked.vanish_at_one_in_a_thousand += u64::from(one.vanishes);
                let parts = [ids.a() as usize, ids.b() as usize];
                // Until here sides of the pair.
                one.finding.inside = one.finding.inside.map(|side| parts[side]);
                one.finding.parts = parts;
                found.push(*one);
            }
        }
    }
    found.sort_by(|x, y| order(&x.finding, &y.finding));
    checked.vanishing = found.iter().map(|one| one.vanishes).collect();
    (checked.findings, checked.curves) = found.into_iter().map(|one| (one.finding, one.curve)).unzip();
    let count = |&verdict: &Verdict| VerdictCount { verdict, count: counts[verdict as usize] };
    checked.verdicts = Verdict::value_variants().iter().map(count).collect();
    if std::env::var_os(TIMES).is_some() {
        tell_times(&checked, broad, start.elapsed() - broad);
    }
    checked
}

/// Set, times go to standard error: reports hold none, so that two runs write the same bytes.
const TIMES: &str = "CLEARANCE_TIMES";

/// One line that `lab assembly` reads.
fn tell_times(checked: &Checked, broad: Duration, looks: Duration) {
    let counts: Vec<String> = checked.verdicts.iter().map(|of| of.count.to_string()).collect();
    eprintln!(
        "times: broad {} looks {} candidates {} verdicts {}",
        broad.as_secs_f64(),
        looks.as_secs_f64(),
        checked.candidates,
        counts.join(" ")
    );
}

/// The gravest first; the deepest, or closest, first; in the order of the parts.
fn order(x: &Finding, y: &Finding) -> std::cmp::Ordering {
    let depth = |finding: &Finding| finding.depth.map_or(0.0, |depth| depth.lower);
    let gap = |finding: &Finding| finding.distance.map_or(0.0, |distance| distance.lower.0);
    (x.verdict.cmp(&y.verdict))
        .then(depth(y).total_cmp(&depth(x)))
        .then(gap(x).total_cmp(&gap(y)))
        .then(x.parts.cmp(&y.parts))
}

/// Pairs whose boxes come as near as their rules ask, ascending, and how many near ones no rule asks about.
fn candidates<'r>(
    parts: &[Placed<'_>],
    rule_of: RuleOf<'_, 'r>,
    reach: f64,
) -> (Vec<(IdPair, PairRule<'r>)>, u64) {
    let mut broad = Partition::default();
    let boxes: Vec<_> = parts.par_iter().map(|part| part.swept(0.5 * reach)).collect();
    for (id, &bounds) in (0..).zip(&boxes) {
        broad.insert(id, bounds, Mobility::Moving);
    }
    let mut near = Vec::new();
    broad.pairs(&mut near);
    drop(broad);
    let asked = |&pair: &IdPair| {
        let (i, j) = (pair.a() as usize, pair.b() as usize);
        let rule = rule_of(i, j);
        let is_near = |rule: &PairRule<'_>| {
            rule.clearance >= reach
                || parts[i].swept(0.5 * rule.clearance).meets(parts[j].swept(0.5 * rule.clearance))
        };
        (rule.is_none(), rule.filter(is_near).map(|rule| (pair, rule)))
    };
    let asked: Vec<_> = near.par_iter().map(asked).collect();
    let refused = asked.iter().filter(|(is_refused, _)| *is_refused).count() as u64;
    (asked.into_iter().filter_map(|(_, candidate)| candidate).collect(), refused)
}

/// How many pairs rules ask about.
fn count_pairs<'r>(parts: usize, rule_of: RuleOf<'_, 'r>, refused: u64) -> u64 {
    let all = parts as u64 * (parts as u64).saturating_sub(1) / 2;
    if all > COUNTED {
        return all - refused;
    }
    let of_part = |i: usize| (i + 1..parts).filter(|&j| rule_of(i, j).is_some()).count() as u64;
    (0..parts).into_par_iter().map(of_part).sum()
}

/// What `check` would need, without doing it.
pub fn estimate<'r>(assembly: &Assembly, rule_of: RuleOf<'_, 'r>, options: &CheckOptions) -> Estimate {
    let (geometries, indices) = geometries(assembly);
    let parts = place(assembly, &geometries, &indices);
    let (candidates, _) = candidates(&parts, rule_of, options.reach);
    let of_geometries: u64 = geometries.iter().map(|geometry| geometry.bytes()).sum();
    let bytes = PROGRAM
        + of_geometries
        + parts.len() as u64 * BYTES_OF_PART
        + candidates.len() as u64 * BYTES_OF_CANDIDATE;
    Estimate { candidates: candidates.len() as u64, bytes }
}

/// The program itself, its threads and buffers.
const PROGRAM: u64 = 16 << 20;

/// A part, its names and its box.
const BYTES_OF_PART: u64 = 900;

/// A pair, its rule, its answer, and what is told about some of them.
const BYTES_OF_CANDIDATE: u64 = 160;

#[cfg(test)]
mod tests;
