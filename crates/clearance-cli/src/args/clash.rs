//! Arguments of `clash`.

use super::ReadArguments;
use crate::clash::{FailOn, OutputFormat, length::Length};
use clap::{Args, value_parser};
use std::path::PathBuf;

/// Arguments of `clash`.
#[derive(Debug, Args)]
#[command(after_help = "\
Verdicts, the gravest first:
  duplicate                  both parts have the same triangles in the same place
  enclosed                   one part lies inside the other without touching its surface
  overlapping                the interiors of the parts meet
  touching-within-tolerance  the interiors meet, but nowhere deeper than the tolerance
  touching                   the parts share a point and no interior
  too-close                  the distance is less than the required clearance
  undecided                  curved parts that cannot be told apart within a stated width
They are exact: two boxes that share a face are touching, at any coordinates, and a
pair at exactly the required clearance is not too close. Parts of a scene that move
are checked all along their way.

Lengths have a unit (2mm, 0.1in, 1e-3m) or are in that of the parts. The files say
which (3MF, glTF, scenes), or --unit does.

Exit codes: 1 if a verdict of --fail-on was found that no rule accepts; by default
all but the touching ones, and these, too, with --report-touching. Else 3 if files
were skipped, else 0. After Ctrl-C 130; what is done until then is kept and written.

Examples:
  clearance clash parts/ --unit mm --clearance 2mm -o report.html
  clearance clash assembly.glb --tolerance 0.05mm --rules rules.toml -o report.html
  clearance clash scene.json --json | jq '.findings[] | {verdict, parts}'
  clearance clash parts/ --unit mm --baseline last.json --fail-on new -o clash.xml -o last.json
  clearance clash assembly.3mf --dry-run")]
pub struct ClashArguments {
    /// Mesh files (stl, obj, ply, off, gltf, glb, 3mf), folders of them, and scenes (json)
    #[arg(required = true, value_name = "FILES")]
    pub files: Vec<PathBuf>,
    /// Parts closer than this are too close, where no rule says otherwise [default: 0]
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true)]
    pub clearance: Option<Length>,
    /// Overlaps nowhere deeper than this count as touching within tolerance [default: 0]
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true)]
    pub tolerance: Option<Length>,
    /// List touching pairs, too; they are counted always
    #[arg(long)]
    pub report_touching: bool,
    /// Groups, clearances from group to group, exclusions and what is by design (toml)
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,
    /// A previous report (json): says what is new, persistent and resolved
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write a report, as often as given: .html, .json, .jsonl, .csv, .xml (JUnit), .glb or .txt
    #[arg(short, long, value_name = "FILE")]
    pub output: Vec<PathBuf>,
    /// What goes to standard output: table, json, jsonl, csv, junit, none
    #[arg(long, value_name = "FORMAT", default_value = "table", hide_possible_values = true)]
    pub format: OutputFormat,
    /// The same as --format json; the fields are those of `clearance schema clash`
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Bound the volume of each intersection
    #[arg(long)]
    pub volume: bool,
    /// Exit with code 1 on these verdicts, separated by commas; none for never, new for those not in the baseline
    #[arg(long, value_name = "VERDICTS", value_delimiter = ',', hide_possible_values = true)]
    pub fail_on: Vec<FailOn>,
    /// Skip files that cannot be read, and list them in the report
    #[arg(long)]
    pub keep_going: bool,
    /// Say how many pairs would be looked at and how much memory that takes, and do nothing
    #[arg(long)]
    pub dry_run: bool,
    /// How many threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Size of an HTML report that geometry must not exceed; parts without findings become boxes first
    #[arg(long, value_name = "SIZE", default_value = "30MB", value_parser = parse_size)]
    pub html_size: u64,
    #[command(flatten)]
    pub read: ReadArguments,
}

/// A number of bytes such as 30MB.
fn parse_size(text: &str) -> Result<u64, String> {
    let advice = || "give a size such as 30MB, 500kB or 1GB".to_owned();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = (text[..end].parse::<f64>().map_err(|_| advice())?, text[end..].trim_start());
    let bytes = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "kb" | "k" => 1e3,
        "mb" | "m" => 1e6,
        "gb" | "g" => 1e9,
        _ => return Err(advice()),
    };
    Ok((number * bytes) as u64)
}
