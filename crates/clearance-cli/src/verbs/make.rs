//! `clearance make`: writes a sample shape.

use crate::{
    args::MakeArguments,
    output::{self, Failure, Verdict, counted, faint, strong},
    recipe::{Choice, Kind, RECIPES, Recipe},
};
use clearance::{Aabb, shape::sample::SamplePart};
use clearance_io::{Document, Format, LengthUnit, write};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;

/// What `make --json` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "clearance make --json")]
pub struct MakeReport {
    /// The file that was written.
    pub file: String,
    /// Unit of all lengths; null if it was not stated.
    pub unit: Option<&'static str>,
    /// The shape that was made.
    pub shape: &'static str,
    /// Its parts.
    pub parts: Vec<MadePart>,
}

/// One part that was made.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MadePart {
    /// Its name.
    pub name: String,
    /// Its vertices.
    pub vertices: usize,
    /// Its triangles.
    pub triangles: usize,
    /// Edge lengths of its box, in its own frame.
    pub extents: [f64; 3],
}

pub fn run(arguments: &MakeArguments) -> Result<Verdict, Failure> {
    if arguments.list {
        print_list(arguments);
        return Ok(Verdict::Fine);
    }
    let Some(shape) = &arguments.shape else {
        return Err(Failure::Usage("no shape is given; `clearance make --list` shows all of them".into()));
    };
    let Some(file) = &arguments.output else {
        let name = shape.name();
        return Err(Failure::Usage(format!("where to? Add `-o {name}.stl`, or .obj, .ply, .glb")));
    };
    check_extension(file)?;
    let parts = shape.build()?;
    let report = MakeReport {
        file: file.display().to_string(),
        unit: arguments.unit.map(LengthUnit::symbol),
        shape: shape.name(),
        parts: parts.iter().map(made).collect(),
    };
    let mut document = Document { unit: arguments.unit, ..Document::default() };
    for SamplePart { name, soup, pose } in parts {
        document.place(&name, soup, pose);
    }
    write(file, &document)?;
    if arguments.json {
        output::print_json(&report);
    } else {
        print_report(&report, arguments.unit);
    }
    Ok(Verdict::Fine)
}

/// Refuses an extension without a writer before any work is done.
pub fn check_extension(file: &Path) -> Result<(), Failure> {
    let writable = Format::ALL.into_iter().filter(|format| format.is_writable());
    if Format::from_path(file).is_some_and(Format::is_writable) {
        return Ok(());
    }
    let known: Vec<String> = writable.map(|format| format!(".{}", format.extension())).collect();
    Err(Failure::Usage(format!(
        "{}: meshes are written as {}; use one of these extensions",
        file.display(),
        known.join(", ")
    )))
}

fn made(part: &SamplePart) -> MadePart {
    let bounds = Aabb::around(part.soup.positions.iter().copied());
    MadePart {
        name: part.name.clone(),
        vertices: part.soup.positions.len(),
        triangles: part.soup.triangles.len(),
        extents: bounds.map_or([0.0; 3], |bounds| bounds.extent().to_array()),
    }
}

fn print_report(report: &MakeReport, unit: Option<LengthUnit>) {
    let lines = report.parts.iter().map(|part| {
        let (vertices, triangles) = (counted(part.vertices, "vertex"), counted(part.triangles, "triangle"));
        let vertices = vertices.replace("vertexs", "vertices");
        format!("  {}: {vertices}, {triangles}, {}\n", part.name, output::extents(part.extents, unit))
    });
    output::print(&(format!("{} written\n", report.file) + &lines.collect::<String>()));
}

/// A shape as the list shows it.
#[derive(Debug, Serialize)]
struct Entry {
    name: &'static str,
    about: &'static str,
    options: Vec<OptionEntry>,
}

#[derive(Debug, Serialize)]
struct OptionEntry {
    name: &'static str,
    default: &'static str,
    help: &'static str,
    values: Vec<&'static str>,
}

fn print_list(arguments: &MakeArguments) {
    if !arguments.json {
        let line = |recipe: &Recipe| {
            let option = |choice: &Choice| format!(" --{} {}", choice.name, choice.default);
            let options: String = recipe.options.iter().map(option).collect();
            let rest =
                if options.is_empty() { String::new() } else { faint(format_args!("{:16}{options}\n", "")) };
            format!("{}{}\n{rest}", strong(format_args!("{:17}", recipe.name)), recipe.about)
        };
        let lines: String = RECIPES.iter().map(line).collect();
        output::print(
            &(lines
                + "\nOptions are shown with their defaults; `clearance make SHAPE --help` explains them.\n"),
        );
        return;
    }
    let option = |choice: &Choice| OptionEntry {
        name: choice.name,
        default: choice.default,
        help: choice.help,
        values: if let Kind::Word(words) = choice.kind { words.to_vec() } else { Vec::new() },
    };
    let entries: Vec<Entry> = RECIPES
        .iter()
        .map(|recipe| Entry {
            name: recipe.name,
            about: recipe.about,
            options: recipe.options.iter().map(option).collect(),
        })
        .collect();
    output::print_json(&entries);
}
