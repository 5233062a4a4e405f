//! The outputs of a check, each written from the report; pictures also need the parts.

mod csv;
mod glb;
mod html;
mod json_lines;
mod junit;
mod plan;
mod table;

pub use json_lines::FindingLine;
pub use plan::Outputs;
pub use table::{Extent, table};

use super::{parts::Assembly, report::Reported};
use crate::output::Failure;
use clap::ValueEnum;

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    Table,
    Json,
    Jsonl,
    Csv,
    Junit,
    None,
    /// Only into files.
    #[value(skip)]
    Html,
    #[value(skip)]
    Glb,
}

/// The report as bytes of a file; `None` for [`OutputFormat::None`].
pub fn bytes(
    format: OutputFormat,
    reported: &Reported,
    assembly: &Assembly,
    html_size: u64,
) -> Result<Option<Vec<u8>>, Failure> {
    let report = &reported.report;
    let text = match format {
        OutputFormat::None => return Ok(None),
        OutputFormat::Glb => return glb::bytes(reported, assembly).map(Some),
        OutputFormat::Html => return Ok(Some(html::page(reported, assembly, html_size).into_bytes())),
        OutputFormat::Table => anstream::adapter::strip_str(&table(report, Extent::Whole)).to_string(),
        // Reports hold only strings, integers and finite numbers, so this cannot fail.
        OutputFormat::Json => serde_json::to_string_pretty(report).unwrap_or_default() + "\n",
        OutputFormat::Jsonl => json_lines::lines(report),
        OutputFormat::Csv => csv::table(report),
        OutputFormat::Junit => junit::document(report),
    };
    Ok(Some(text.into_bytes()))
}
