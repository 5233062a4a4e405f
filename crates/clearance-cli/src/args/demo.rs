//! Arguments of `demo`.

use clap::Args;
use std::path::PathBuf;

/// Arguments of `demo`.
#[derive(Debug, Args)]
#[command(after_help = "\
Writes clearance-demo.html, the report (open it in a browser; it needs no network),
the folder clearance-demo with the parts, the scenes, the rules and linkage.glb, the
motion up to the first contact, clearance-demo-flight.glb, polytopes flying in a box
(both for any glTF viewer), and clearance-demo-events.svg, polygons in the plane with
their proofs of separation (for a browser). Takes some seconds.")]
pub struct DemoArguments {
    /// Folder to write into; made if it is not there
    #[arg(short, long, value_name = "FOLDER", default_value = ".")]
    pub output: PathBuf,
    /// Print the report of the check as JSON; its fields are those of `clearance schema clash`
    #[arg(long)]
    pub json: bool,
}
