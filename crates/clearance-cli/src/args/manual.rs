//! Arguments of the verbs that tell about the command: `completions`, `schema`, `man`.

use clap::{Args, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;

/// Arguments of `completions`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearance completions bash > ~/.local/share/bash-completion/completions/clearance
  clearance completions zsh  > ~/.zfunc/_clearance          (with ~/.zfunc in fpath)
  clearance completions fish > ~/.config/fish/completions/clearance.fish")]
pub struct CompletionsArguments {
    /// The shell
    pub shell: Shell,
}

/// Arguments of `schema`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearance schema > scene.schema.json   (in a scene: \"$schema\": \"scene.schema.json\")
  clearance schema info                  (the fields of `clearance info --json`)")]
pub struct SchemaArguments {
    /// Scene files, cases of `relate --batch` or of `ccd --batch`, or the verb whose --json output to describe
    #[arg(default_value = "scene", value_name = "WHAT")]
    pub of: SchemaOf,
}

/// Arguments of `man`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearance man | man -l -
  clearance man -o ~/.local/share/man/man1    (then: man clearance-clash)")]
pub struct ManArguments {
    /// Write a page for the program and for each verb into this folder; made if it is not there
    #[arg(short, long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
}

/// What there is a schema of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    Scene,
    PlanarScene,
    Info,
    Make,
    Hull,
    Case,
    Relate,
    RelateLine,
    Sweep,
    SweepCase,
    ScrewCase,
    Clash,
    ClashLine,
    Verify,
    CcdCase,
    Ccd,
    Simulate,
    SimulateKinetic,
}
