//! `clearance info`: what is in these files, and is it sound?

use crate::{
    args::{Condition, InfoArguments},
    bodies::{Opened, drawing_of, open, picture_format, write_picture},
    output::{self, Failure, Verdict, counted, strong},
    report::{FileReport, name_of, note_lines, part_table},
};
use clearance_io::LengthUnit;
use schemars::JsonSchema;
use serde::Serialize;

/// What `info --json` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "clearance info --json")]
pub struct InfoReport {
    /// One entry per file that could be read, in the order given.
    pub files: Vec<FileReport>,
    /// Files that could not be read.
    pub errors: Vec<FileError>,
    /// What --fail-on found.
    pub found: Vec<Match>,
}

/// A file that could not be read.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FileError {
    /// The file as it was named.
    pub file: String,
    /// What is wrong with it, where, and what to do.
    pub error: String,
}

/// A part that meets a condition of --fail-on.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Match {
    /// The condition.
    pub condition: String,
    /// The file.
    pub file: String,
    /// The part.
    pub part: String,
}

pub fn run(arguments: &InfoArguments) -> Result<Verdict, Failure> {
    if let Some(picture) = &arguments.picture {
        picture_format(picture)?;
    }
    let mut report = InfoReport { files: Vec::new(), errors: Vec::new(), found: Vec::new() };
    let mut opened = Vec::new();
    for file in &arguments.files {
        match open(file, &arguments.read) {
            Ok(found) => {
                report.files.push(FileReport::new(&found));
                if !arguments.json {
                    print_file(&found, report.files.last());
                }
                opened.push(found);
            }
            Err(Failure::Input(error)) => {
                output::print_error(&Failure::Input(error.clone()));
                report.errors.push(FileError { file: file.display().to_string(), error });
            }
            Err(other) => return Err(other),
        }
    }
    report.found = matches(&report.files, &arguments.fail_on);
    if arguments.json {
        output::print_json(&report);
    }
    draw(arguments, &opened)?;
    finish(&report)
}

fn print_file(opened: &Opened, report: Option<&FileReport>) {
    let Some(report) = report else { return };
    let unit = match opened.unit {
        Some(unit) => format!("lengths in {unit}"),
        None => "unit not stated (say it with --unit)".to_owned(),
    };
    let parts = counted(report.parts.len(), "part");
    let heading = format!("{}  {parts}, {unit}\n", strong(&report.file));
    output::print(&(heading + &part_table(&report.parts, opened.unit) + &note_lines(report) + "\n"));
}

fn matches(files: &[FileReport], conditions: &[Condition]) -> Vec<Match> {
    let mut found = Vec::new();
    for file in files {
        for part in &file.parts {
            let met = conditions.iter().filter(|condition| part.meets(**condition));
            found.extend(met.map(|condition| Match {
                condition: name_of(*condition),
                file: file.file.clone(),
                part: part.name.clone(),
            }));
        }
    }
    found
}

fn draw(arguments: &InfoArguments, opened: &[Opened]) -> Result<(), Failure> {
    let Some(picture) = &arguments.picture else { return Ok(()) };
    let mut title: Vec<String> = opened.iter().map(file_name).collect();
    if title.len() > 3 {
        title = vec![counted(opened.len(), "file")];
    }
    let drawing = drawing_of(&title.join(", "), common_unit(opened), opened.iter().flat_map(|o| &o.bodies));
    write_picture(&drawing, picture)?;
    if opened.iter().any(|o| o.unit.is_some()) && common_unit(opened).is_none() {
        output::print_warning(
            "the files are in different units; the picture draws their numbers as they are",
        );
    }
    if !arguments.json {
        output::print(&format!("picture written to {}\n", picture.display()));
    }
    Ok(())
}

fn file_name(opened: &Opened) -> String {
    opened.file.file_name().unwrap_or(opened.file.as_os_str()).to_string_lossy().into_owned()
}

/// The unit that all files state, if they all do.
fn common_unit(opened: &[Opened]) -> Option<LengthUnit> {
    let unit = opened.first()?.unit?;
    opened.iter().all(|o| o.unit == Some(unit)).then_some(unit)
}

/// Bad input outweighs a finding: what could not be read was not checked.
fn finish(report: &InfoReport) -> Result<Verdict, Failure> {
    for Match { condition, file, part } in &report.found {
        output::print_warning(&format!("found {condition}: part `{part}` of {file}"));
    }
    match (report.errors.len(), report.found.is_empty()) {
        (0, true) => Ok(Verdict::Fine),
        (0, false) => Ok(Verdict::Found),
        (1, _) if report.files.is_empty() => Ok(Verdict::BadInput),
        (failed, _) => {
            let all = report.files.len() + failed;
            output::print_warning(&format!("{failed} of {} could not be read", counted(all, "file")));
            Ok(Verdict::BadInput)
        }
    }
}
