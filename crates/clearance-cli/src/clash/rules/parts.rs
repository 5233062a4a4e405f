//! Which parts are in which group and which patterns fit them, as bits per part.

use super::file::{Located, RulesFile};
use super::glob::{Glob, lowered};
use crate::clash::parts::Assembly;
use std::collections::BTreeMap;

/// The bit of a set of parts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fit(usize);

/// Sets of parts: those of groups, and those that patterns fit.
#[derive(Debug, Default)]
pub struct PartSets {
    /// Names of groups that have parts, sorted.
    pub groups: Vec<String>,
    /// Group of each part.
    pub group_of: Vec<usize>,
    /// What fits nothing, in words.
    pub warnings: Vec<String>,
    /// Groups of the file that have no part.
    empty: Vec<String>,
    /// One row of `words` words per part; bit `k` says whether the part is in set `k`.
    bits: Vec<u64>,
    words: usize,
    sets: usize,
    /// Ids and names as patterns see them; only kept while rules are read.
    names: Vec<[Vec<char>; 2]>,
}

impl PartSets {
    pub fn new(assembly: &Assembly, file: Option<&RulesFile>) -> PartSets {
        let names: Vec<[Vec<char>; 2]> = match file {
            Some(_) => assembly.parts.iter().map(|part| [lowered(&part.id), lowered(&part.name)]).collect(),
            None => Vec::new(),
        };
        let mut sets = PartSets { names, ..PartSets::default() };
        let of_parts = sets.assigned(assembly, file);
        let mut index: BTreeMap<&str, usize> = of_parts.iter().map(|name| (name.as_str(), 0)).collect();
        index.values_mut().enumerate().for_each(|(i, group)| *group = i);
        sets.group_of = of_parts.iter().map(|name| index[name.as_str()]).collect();
        sets.groups = index.keys().map(|&name| name.to_owned()).collect();
        if let Some(file) = file {
            let empty = file.groups.iter().filter(|group| !sets.groups.contains(&group.name));
            sets.empty = empty.map(|group| group.name.clone()).collect();
        }
        sets
    }

    /// The name of the group of each part: the first of the file that fits, else that of the scene, else "".
    fn assigned(&mut self, assembly: &Assembly, file: Option<&RulesFile>) -> Vec<String> {
        let groups = file.map_or(&[][..], |file| &file.groups);
        let mut used: Vec<Vec<bool>> = groups.iter().map(|group| vec![false; group.patterns.len()]).collect();
        let mut of_parts = Vec::with_capacity(assembly.parts.len());
        for (i, part) in assembly.parts.iter().enumerate() {
            let mut found = None;
            for (group, used) in groups.iter().zip(&mut used) {
                let fits =
                    |pattern: &Located<Glob>| self.names[i].iter().any(|name| pattern.value.matches(name));
                if let Some(pattern) = group.patterns.iter().position(fits) {
                    used[pattern] = true;
                    found = Some(group.name.clone());
                    break;
                }
            }
            of_parts.push(found.or_else(|| part.group.clone()).unwrap_or_default());
        }
        for (group, used) in groups.iter().zip(&used) {
            for (pattern, _) in group.patterns.iter().zip(used).filter(|(_, used)| !**used) {
                let line = file.map_or(String::new(), |file| file.line(pattern.at));
                let (pattern, name) = (&pattern.text, &group.name);
                self.warnings.push(format!(
                    "{line}: the pattern \"{pattern}\" brings no part into the group \"{name}\""
                ));
            }
        }
        of_parts
    }

    /// The names of all groups, also of those without parts.
    pub fn known_groups(&self) -> impl Iterator<Item = &str> {
        self.groups.iter().chain(&self.empty).map(String::as_str).filter(|name| !name.is_empty())
    }

    pub fn group_index(&self, name: &str) -> Option<usize> {
        self.groups.iter().position(|group| group == name)
    }

    /// The parts of a group.
    pub fn group(&mut self, name: &str) -> Fit {
        let group = self.group_index(name);
        let members: Vec<bool> = self.group_of.iter().map(|of| Some(*of) == group).collect();
        self.add(&members)
    }

    /// The parts whose id or name a pattern fits; a warning if there are none.
    pub fn pattern(&mut self, pattern: &Located<Glob>, file: &RulesFile) -> Fit {
        let fits = |names: &[Vec<char>; 2]| names.iter().any(|name| pattern.value.matches(name));
        let members: Vec<bool> = self.names.iter().map(fits).collect();
        if !members.contains(&true) {
            let line = file.line(pattern.at);
            self.warnings.push(format!("{line}: no part fits the pattern \"{}\"", pattern.text));
        }
        self.add(&members)
    }

    fn add(&mut self, members: &[bool]) -> Fit {
        let set = self.sets;
        self.sets += 1;
        if set == 64 * self.words {
            self.widen(members.len());
        }
        for (part, _) in members.iter().enumerate().filter(|(_, member)| **member) {
            self.bits[part * self.words + set / 64] |= 1 << (set % 64);
        }
        Fit(set)
    }

    fn widen(&mut self, parts: usize) {
        let old = self.words;
        let mut bits = vec![0; parts * (old + 1)];
        for part in 0..parts {
            bits[part * (old + 1)..][..old].copy_from_slice(&self.bits[part * old..][..old]);
        }
        (self.bits, self.words) = (bits, old + 1);
    }

    /// All sets that a part is in.
    pub fn row(&self, part: usize) -> &[u64] {
        &self.bits[part * self.words..][..self.words]
    }

    fn contains(&self, Fit(set): Fit, part: usize) -> bool {
        self.bits[part * self.words + set / 64] >> (set % 64) & 1 == 1
    }

    /// Whether one of two parts is in the first set and the other in the second.
    pub fn fits(&self, [a, b]: &[Fit; 2], i: usize, j: usize) -> bool {
        (self.contains(*a, i) && self.contains(*b, j)) || (self.contains(*a, j) && self.contains(*b, i))
    }
}
