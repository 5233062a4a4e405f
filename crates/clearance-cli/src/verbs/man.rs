//! `clearance man`: manual pages, made from the same texts as `--help`.

use crate::{
    args::{Cli, ManArguments},
    output::{self, Failure, Verdict},
};
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use std::path::Path;

pub fn run(arguments: &ManArguments) -> Result<Verdict, Failure> {
    let mut program = Cli::command();
    program.build();
    let Some(folder) = &arguments.output else {
        output::print(&page(program)?);
        return Ok(Verdict::Fine);
    };
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::input(format_args!("{}: cannot be made: {error}", folder.display())))?;
    let mut written = 0;
    for verb in program.get_subcommands().filter(|verb| verb.get_name() != "help") {
        let name = format!("clearance-{}", verb.get_name());
        save(folder, &name, &page(verb.clone())?)?;
        written += 1;
    }
    save(folder, "clearance", &page(program)?)?;
    let pages = output::counted(written + 1, "manual page");
    output::print(&format!(
        "{pages} written to {}; try: man {}\n",
        folder.display(),
        folder.join("clearance.1").display()
    ));
    Ok(Verdict::Fine)
}

/// A page in the language of `man`. The date is left out, so that the same program gives the same page.
fn page(command: Command) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    Man::new(command).date("").render(&mut bytes).map_err(Failure::input)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn save(folder: &Path, name: &str, page: &str) -> Result<(), Failure> {
    let file = folder.join(format!("{name}.1"));
    std::fs::write(&file, page)
        .map_err(|error| Failure::input(format_args!("{}: cannot be written: {error}", file.display())))
}
