//! Arguments of `verify`.

use super::ReadArguments;
use clap::Args;
use std::path::PathBuf;

/// Arguments of `verify`.
#[derive(Debug, Args)]
#[command(mut_arg("unit", |unit| unit.help(super::read::UNIT_OF_ALL)))]
#[command(after_help = "\
Every witness is checked by exact signs over all corners, whatever found it. Then
the answer is computed anew, and each field must hold: the same relation, width
and enclosed body; brackets that are proved to hold the truth and are as narrow as
promised (1e-12 of a distance, 1e-9 of a depth, or twice what comes out where
rounding or solids that are not convex leave more); points on their bodies up to
rounding that are as far apart as they should be, and of convex bodies that overlap
the deepest. Each complaint names the line and the field. Of two polytopes without
their witness it is said that only the rest was checked.

A bracket is proved if it holds the one that is computed anew, which holds the truth.
The distance of polytopes and of rounded ones is also decided by integers: its bracket
is refused only if it is false or too wide. A bracket of a depth, or of a distance of
other bodies, with an end inside the one computed anew may be true, but nothing proves
it, and it is refused.

Lines that were written without --proof need the cases. With the cases, it is also
checked that each answer has the id of its case and speaks about its bodies, poses and
unit, that its contacts are right, and that what is said to have no answer has none.
Read them with the --unit that `relate` had.

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
