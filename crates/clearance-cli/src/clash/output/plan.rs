//! Where reports go: checked before any work is done.

use super::OutputFormat;
use crate::output::Failure;
use std::{
    fs::OpenOptions,
    path::{Path, PathBuf},
};

/// The files to write, each in the format of its extension.
#[derive(Debug)]
pub struct Outputs(pub Vec<(PathBuf, OutputFormat)>);

impl Outputs {
    /// # Errors
    /// A file with another extension, given twice, that is an input, or that cannot be written.
    pub fn plan(files: &[PathBuf], inputs: &[PathBuf]) -> Result<Outputs, Failure> {
        let mut planned: Vec<(PathBuf, OutputFormat)> = Vec::new();
        for file in files {
            let format = format_of(file)?;
            let usage = |problem: &str| Failure::Usage(format!("{}: {problem}", file.display()));
            if planned.iter().any(|(other, _)| other == file) {
                return Err(usage("is given twice; leave one out"));
            }
            if inputs.iter().any(|input| is_same(input, file)) {
                return Err(usage("is read and would be overwritten; choose another name"));
            }
            let folder =
                file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            if format == OutputFormat::Glb
                && inputs.iter().any(|input| input.is_dir() && is_same(input, folder))
            {
                return Err(usage(
                    "lies in the folder that is read, and the next run would take it for a part; choose another folder",
                ));
            }
            probe(file)?;
            planned.push((file.clone(), format));
        }
        Ok(Outputs(planned))
    }
}

fn format_of(file: &Path) -> Result<OutputFormat, Failure> {
    let extension = file.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    Ok(match extension.as_str() {
        "html" | "htm" => OutputFormat::Html,
        "json" => OutputFormat::Json,
        "jsonl" | "ndjson" => OutputFormat::Jsonl,
        "csv" => OutputFormat::Csv,
        "xml" => OutputFormat::Junit,
        "glb" => OutputFormat::Glb,
        "txt" => OutputFormat::Table,
        _ => {
            return Err(Failure::Usage(format!(
                "{}: reports are written as .html, .json, .jsonl, .csv, .xml (JUnit), .glb or .txt; use one of \
                 these extensions",
                file.display()
            )));
        }
    })
}

fn is_same(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

/// Opens the file for writing and leaves it as it was.
fn probe(file: &Path) -> Result<(), Failure> {
    let was_there = file.exists();
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(file)
        .map_err(|error| Failure::input(format_args!("{}: cannot be written: {error}", file.display())))?;
    if !was_there {
        // What was made only for the probe must not stay if the run fails; that it can be removed is not needed.
        let _ = std::fs::remove_file(file);
    }
    Ok(())
}
