//! Arguments of `verify`.

use super::ReadArguments;
use clap::Args;
use std::path::PathBuf;

/// Arguments of `verify`.
#[derive(Debug, Args)]
#[command(after_help = "\
Every witness is checked by exact signs over all corners, whatever found it. Then
the answer is computed anew, and each field must hold: the same relation, width
and enclosed body; brackets that hold the truth and are as narrow as promised
(1e-12 of a distance, 1e-9 of a depth, or twice what comes out where rounding or
solids that are not convex leave more); points on their bodies up to rounding that
are as far apart as they should be. Each complaint names the line and the field. Of
two polytopes without their witness it is said that only the rest was checked.

Lines that were written without --proof need the cases. With the cases, it is also
checked that each answer speaks about the bodies and poses of its case, that its
contacts are right, and that what is said to have no answer has none.

Exit codes: 0 if all is right, 1 if an answer is wrong, 3 if a line cannot be read.

Examples:
  clearance relate --batch cases.jsonl --proof > answers.jsonl
  clearance verify answers.jsonl
  clearance verify answers.jsonl --cases cases.jsonl --json")]
pub struct VerifyArguments {
    /// Answers of `relate --batch`, one per line; - for standard input
    pub file: PathBuf,
    /// The cases that were answered, in the same order
    #[arg(long, value_name = "FILE")]
    pub cases: Option<PathBuf>,
    #[command(flatten)]
    pub read: ReadArguments,
    /// Print JSON; its fields are those of `clearance schema verify`
    #[arg(long)]
    pub json: bool,
}
