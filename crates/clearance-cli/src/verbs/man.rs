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
    let details = command.get_after_help().map(ToString::to_string);
    let has_verbs = command.has_subcommands();
    let man = Man::new(command).date("").source(concat!("clearance ", env!("CARGO_PKG_VERSION")));
    let mut page = Vec::new();
    let render = |page: &mut Vec<u8>| {
        man.render_title(page)?;
        man.render_name_section(page)?;
        man.render_synopsis_section(page)?;
        man.render_description_section(page)?;
        man.render_options_section(page)?;
        if has_verbs { man.render_subcommands_section(page) } else { Ok(()) }
    };
    render(&mut page).map_err(Failure::input)?;
    let page = String::from_utf8_lossy(&page).into_owned();
    Ok(details.map_or(page.clone(), |details| page + &as_it_stands(&details)))
}

/// The text below the options, line by line: it is set by hand.
fn as_it_stands(details: &str) -> String {
    let line = |line: &str| {
        let escaped = line.replace('\\', "\\e").replace('-', "\\-");
        // A dot or a quote at the start would be a command.
        if escaped.starts_with(['.', '\'']) { format!("\\&{escaped}\n") } else { escaped + "\n" }
    };
    format!(".SH DETAILS\n.nf\n{}.fi\n", details.lines().map(line).collect::<String>())
}

fn save(folder: &Path, name: &str, page: &str) -> Result<(), Failure> {
    let file = folder.join(format!("{name}.1"));
    std::fs::write(&file, page)
        .map_err(|error| Failure::input(format_args!("{}: cannot be written: {error}", file.display())))
}
