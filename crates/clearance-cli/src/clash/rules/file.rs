//! The rules file as it is written, checked as far as that is possible without the parts.

use super::glob::Glob;
use crate::{
    clash::{length::Length, model::Verdict},
    output::Failure,
};
use clap::ValueEnum;
use clearance_io::{
    LengthUnit,
    scene::{SceneError, advised, similar},
};
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use std::{
    fmt,
    ops::Range,
    path::{Path, PathBuf},
};
use toml::Spanned;

/// What is in a rules file, and its text for errors that only the parts bring to light.
#[derive(Clone, Debug)]
pub struct RulesFile {
    file: PathBuf,
    text: String,
    pub clearance: Option<Located<Length>>,
    pub tolerance: Option<Located<Length>>,
    pub ignore_within: IgnoreWithin,
    /// In the order of the file.
    pub groups: Vec<GroupPatterns>,
    pub rules: Vec<RuleEntry>,
    pub by_design: Vec<ByDesignEntry>,
    pub excluded: Vec<[Located<Glob>; 2]>,
}

/// A value and where it stands, in bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located<T> {
    pub value: T,
    pub at: usize,
    /// As it was written, without quotes.
    pub text: String,
}

/// Which groups are not checked within themselves.
#[derive(Clone, Debug)]
pub enum IgnoreWithin {
    None,
    All,
    Groups(Vec<Located<()>>),
}

/// A group and what belongs to it.
#[derive(Clone, Debug)]
pub struct GroupPatterns {
    pub name: String,
    pub patterns: Vec<Located<Glob>>,
}

/// One side of a rule.
#[derive(Clone, Debug)]
pub enum Side {
    /// The parts of a group.
    Group,
    /// All parts that a pattern fits.
    Parts(Glob),
}

/// What is asked between two sides.
#[derive(Clone, Debug)]
pub struct RuleEntry {
    pub name: String,
    pub at: usize,
    pub between: [Located<Side>; 2],
    pub asked: Asked,
}

/// What a rule asks of a pair.
#[derive(Clone, Debug)]
pub enum Asked {
    /// The pair is not checked.
    Nothing,
    /// The defaults hold where a length is left out.
    Lengths { clearance: Option<Located<Length>>, tolerance: Option<Located<Length>> },
}

/// Findings that are accepted.
#[derive(Clone, Debug)]
pub struct ByDesignEntry {
    pub parts: [Located<Glob>; 2],
    /// All if there are none.
    pub verdicts: Vec<Verdict>,
    pub reason: String,
}

impl RulesFile {
    /// Reads a rules file.
    ///
    /// # Errors
    /// A file that cannot be read, and what is wrong in it, with line, column and advice.
    pub fn read(file: &Path) -> Result<RulesFile, Failure> {
        let text = std::fs::read_to_string(file)
            .map_err(|error| Failure::input(format_args!("{}: cannot be read: {error}", file.display())))?;
        RulesFile::parse(file, text)
    }

    /// Reads the text of a rules file; `file` stands for it in errors.
    pub fn parse(file: &Path, text: String) -> Result<RulesFile, Failure> {
        let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
        let refused = |(at, problem): Fault| Failure::from(SceneError::in_text(file, &text, at, problem));
        let written: WrittenFile = toml::from_str(&text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            refused((at, advised(error.message()) + advice(error.message())))
        })?;
        let checked = check(written).map_err(refused)?;
        Ok(RulesFile { file: file.to_path_buf(), text, ..checked })
    }

    /// The error for what is wrong at a place of the file.
    pub fn refused(&self, at: usize, problem: String) -> Failure {
        SceneError::in_text(&self.file, &self.text, at, problem).into()
    }

    /// `rules.toml:7`, for remarks.
    pub fn line(&self, at: usize) -> String {
        let line =
            1 + self.text.as_bytes()[..at.min(self.text.len())].iter().filter(|b| **b == b'\n').count();
        format!("{}:{line}", self.file.display())
    }
}

/// What to do about an error of the parser that does not say so itself.
fn advice(problem: &str) -> &'static str {
    match problem {
        "missing field `name`" => "; reports show it: name = \"bolts in the housing\"",
        "missing field `between`" => "; say which two sides: between = [\"bolts\", \"part:housing*\"]",
        "missing field `parts`" => "; say which two: parts = [\"*pin*\", \"*bore*\"]",
        "missing field `reason`" => "; say why this is by design: reason = \"press fit\"",
        "invalid type: map, expected a sequence" => {
            "; there may be several of these, so they stand in double brackets, such as [[rule]]"
        }
        _ if problem.starts_with("invalid type: string") && problem.ends_with("expected a sequence") => {
            "; put it in brackets, such as [\"*bolt*\"]"
        }
        _ => "",
    }
}

/// What is wrong, and where.
type Fault = (usize, String);

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct WrittenFile {
    unit: Option<Spanned<String>>,
    clearance: Option<Spanned<WrittenLength>>,
    tolerance: Option<Spanned<WrittenLength>>,
    ignore_within_group: Option<WrittenIgnore>,
    #[serde(default)]
    groups: WrittenGroups,
    #[serde(default)]
    rule: Vec<WrittenRule>,
    #[serde(default)]
    by_design: Vec<WrittenByDesign>,
    #[serde(default)]
    exclude: Vec<WrittenExclude>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRule {
    name: Spanned<String>,
    between: Spanned<Vec<Spanned<String>>>,
    clearance: Option<Spanned<WrittenLength>>,
    tolerance: Option<Spanned<WrittenLength>>,
    check: Option<Spanned<bool>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenByDesign {
    parts: Spanned<Vec<Spanned<String>>>,
    verdicts: Option<Spanned<Vec<Spanned<String>>>>,
    reason: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenExclude {
    parts: Spanned<Vec<Spanned<String>>>,
    /// For whoever reads the file.
    #[serde(rename = "reason")]
    _reason: Option<String>,
}

/// A number or a text.
struct WrittenLength(String);

impl<'de> Deserialize<'de> for WrittenLength {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<WrittenLength, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = WrittenLength;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a length such as \"2mm\" or a number")
            }

            fn visit_str<E>(self, text: &str) -> Result<WrittenLength, E> {
                Ok(WrittenLength(text.into()))
            }

            fn visit_i64<E>(self, number: i64) -> Result<WrittenLength, E> {
                Ok(WrittenLength(number.to_string()))
            }

            /// The shortest text that reads back is what was written, unless that had digits to spare.
            fn visit_f64<E>(self, number: f64) -> Result<WrittenLength, E> {
                Ok(WrittenLength(format!("{number:e}")))
            }
        }
        deserializer.deserialize_any(Text)
    }
}

/// `true`, `false` or names of groups.
enum WrittenIgnore {
    All(bool),
    Groups(Vec<Spanned<String>>),
}

impl<'de> Deserialize<'de> for WrittenIgnore {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<WrittenIgnore, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = WrittenIgnore;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("true, false or a list of groups")
            }

            fn visit_bool<E>(self, all: bool) -> Result<WrittenIgnore, E> {
                Ok(WrittenIgnore::All(all))
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut list: A) -> Result<WrittenIgnore, A::Error> {
                let mut groups = Vec::new();
                while let Some(group) = list.next_element()? {
                    groups.push(group);
                }
                Ok(WrittenIgnore::Groups(groups))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// Groups in the order of the file, since the first that fits wins.
#[derive(Default)]
struct WrittenGroups(Vec<(Spanned<String>, Vec<Spanned<String>>)>);

impl<'de> Deserialize<'de> for WrittenGroups {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<WrittenGroups, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = WrittenGroups;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("groups with a list of patterns each, such as bolts = [\"*bolt*\"]")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<WrittenGroups, A::Error> {
                let mut groups: Vec<(Spanned<String>, Vec<Spanned<String>>)> = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    groups.push(entry);
                }
                // The parser sorts tables by name.
                groups.sort_by_key(|(name, _)| name.span().start);
                Ok(WrittenGroups(groups))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

fn check(written: WrittenFile) -> Result<RulesFile, Fault> {
    let unit = written.unit.as_ref().map(unit_of).transpose()?;
    let length = |length: &Option<Spanned<WrittenLength>>| {
        length.as_ref().map(|length| length_of(length, unit)).transpose()
    };
    let mut rules: Vec<RuleEntry> = Vec::with_capacity(written.rule.len());
    for rule in &written.rule {
        let entry = rule_of(rule, length(&rule.clearance)?, length(&rule.tolerance)?)?;
        if rules.iter().any(|earlier| earlier.name == entry.name) {
            let problem = format!("the name \"{}\" is taken by an earlier rule: choose another", entry.name);
            return Err((entry.at, problem));
        }
        rules.push(entry);
    }
    Ok(RulesFile {
        file: PathBuf::new(),
        text: String::new(),
        clearance: length(&written.clearance)?,
        tolerance: length(&written.tolerance)?,
        ignore_within: match written.ignore_within_group {
            None | Some(WrittenIgnore::All(false)) => IgnoreWithin::None,
            Some(WrittenIgnore::All(true)) => IgnoreWithin::All,
            Some(WrittenIgnore::Groups(groups)) => {
                IgnoreWithin::Groups(groups.iter().map(|group| located(group, ())).collect())
            }
        },
        groups: written.groups.0.iter().map(group_of).collect::<Result<_, _>>()?,
        rules,
        by_design: written.by_design.iter().map(by_design_of).collect::<Result<_, _>>()?,
        excluded: written.exclude.iter().map(|entry| two_patterns(&entry.parts)).collect::<Result<_, _>>()?,
    })
}

fn start(span: Range<usize>) -> usize {
    span.start
}

fn located<T>(text: &Spanned<String>, value: T) -> Located<T> {
    Located { value, at: start(text.span()), text: text.get_ref().clone() }
}

fn unit_of(unit: &Spanned<String>) -> Result<LengthUnit, Fault> {
    LengthUnit::from_symbol(unit.get_ref()).ok_or_else(|| {
        let known = LengthUnit::ALL.map(LengthUnit::symbol).join(", ");
        (start(unit.span()), format!("\"{}\" is no unit of length; use one of {known}", unit.get_ref()))
    })
}

fn length_of(length: &Spanned<WrittenLength>, unit: Option<LengthUnit>) -> Result<Located<Length>, Fault> {
    let (at, text) = (start(length.span()), length.get_ref().0.clone());
    let value: Length = text.parse().map_err(|problem| (at, problem))?;
    Ok(Located { value: value.or_unit(unit), at, text })
}

fn group_of((name, patterns): &(Spanned<String>, Vec<Spanned<String>>)) -> Result<GroupPatterns, Fault> {
    if name.get_ref().is_empty() {
        return Err((start(name.span()), "a group needs a name".into()));
    }
    let patterns = patterns.iter().map(pattern_of).collect::<Result<_, _>>()?;
    Ok(GroupPatterns { name: name.get_ref().clone(), patterns })
}

fn pattern_of(pattern: &Spanned<String>) -> Result<Located<Glob>, Fault> {
    let glob = Glob::new(pattern.get_ref()).map_err(|problem| (start(pattern.span()), problem))?;
    Ok(located(pattern, glob))
}

fn two<'a>(list: &'a Spanned<Vec<Spanned<String>>>, what: &str) -> Result<[&'a Spanned<String>; 2], Fault> {
    match list.get_ref().as_slice() {
        [a, b] => Ok([a, b]),
        [_] => Err((start(list.span()), format!("there is 1 {what} here; a pair has two"))),
        other => Err((start(list.span()), format!("there are {} {what}s here; a pair has two", other.len()))),
    }
}

fn two_patterns(list: &Spanned<Vec<Spanned<String>>>) -> Result<[Located<Glob>; 2], Fault> {
    let [a, b] = two(list, "pattern")?;
    Ok([pattern_of(a)?, pattern_of(b)?])
}

fn rule_of(
    rule: &WrittenRule,
    clearance: Option<Located<Length>>,
    tolerance: Option<Located<Length>>,
) -> Result<RuleEntry, Fault> {
    let (name, at) = (rule.name.get_ref().clone(), start(rule.name.span()));
    if name.is_empty() || name == DEFAULT_RULE {
        let problem = format!("a rule needs a name of its own, other than \"{DEFAULT_RULE}\"");
        return Err((at, problem));
    }
    let [a, b] = two(&rule.between, "side")?;
    let asked = match &rule.check {
        Some(check) if !check.get_ref() => match clearance.or(tolerance) {
            Some(length) => {
                let problem = "with `check = false` there is nothing to measure: leave one of both out";
                return Err((length.at, problem.into()));
            }
            None => Asked::Nothing,
        },
        _ => Asked::Lengths { clearance, tolerance },
    };
    Ok(RuleEntry { name, at, between: [side_of(a)?, side_of(b)?], asked })
}

/// The name of what is asked where no rule of a file fits.
pub const DEFAULT_RULE: &str = "default";

fn side_of(side: &Spanned<String>) -> Result<Located<Side>, Fault> {
    match side.get_ref().strip_prefix("part:") {
        Some(pattern) => {
            let glob = Glob::new(pattern).map_err(|problem| (start(side.span()), problem))?;
            Ok(located(side, Side::Parts(glob)))
        }
        None => Ok(located(side, Side::Group)),
    }
}

fn by_design_of(entry: &WrittenByDesign) -> Result<ByDesignEntry, Fault> {
    if entry.reason.get_ref().trim().is_empty() {
        return Err((start(entry.reason.span()), "say why this is by design: reason = \"press fit\"".into()));
    }
    let verdicts = entry.verdicts.as_ref().map_or(&[][..], |verdicts| verdicts.get_ref());
    // None at all stand for every one, which an empty list does not look like.
    if let Some(list) = entry.verdicts.as_ref().filter(|list| list.get_ref().is_empty()) {
        let problem = "the list is empty; name the verdicts that are accepted, or leave it out to accept all";
        return Err((start(list.span()), problem.into()));
    }
    Ok(ByDesignEntry {
        parts: two_patterns(&entry.parts)?,
        verdicts: verdicts.iter().map(verdict_of).collect::<Result<_, _>>()?,
        reason: entry.reason.get_ref().clone(),
    })
}

fn verdict_of(name: &Spanned<String>) -> Result<Verdict, Fault> {
    let written = name.get_ref().replace(['_', ' '], "-");
    Verdict::from_str(&written, true).map_err(|_| {
        let known: Vec<String> = Verdict::value_variants().iter().map(|verdict| verdict.name()).collect();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let hint = match similar(&written, known.iter()) {
            hint if hint.is_empty() => format!("; use some of {}", known.join(", ")),
            hint => hint,
        };
        (start(name.span()), format!("\"{}\" is no verdict{hint}", name.get_ref()))
    })
}
