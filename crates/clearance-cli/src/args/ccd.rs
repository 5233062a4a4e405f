//! Arguments of `ccd`.

use clap::Args;
use std::path::PathBuf;

/// Arguments of `ccd`.
#[derive(Debug, Args)]
#[command(after_help = "\
Every vertex moves on a straight line from its place at time 0 to that at time 1.
The answer is exact, touching counts, and the time is bracketed by the floats next
to it; both are the same if it is a float.

A case is one line of JSON: a vertex and the corners of a triangle, or the ends of
one edge and of another, at both times:
  {\"id\": 1, \"kind\": \"vertex-face\", \"start\": [[0,0,1], [0,0,0], [1,0,0], [0,1,0]],
   \"end\": [[0,0,-1], [0,0,0], [1,0,0], [0,1,0]]}
  {\"id\": 2, \"kind\": \"edge-edge\", \"start\": [4 points], \"end\": [4 points]}
Each case gets one line of answer, in order; the time is null without a hit:
  {\"id\", \"hit\", \"time\": {\"lower\", \"upper\"}}
One of the features may move on a screw instead, a turn about an axis with a shift
along it; the answer then has all times of contact, proved brackets of at most 1e-9:
  {\"id\": 3, \"kind\": \"edge-edge\", \"points\": [4 points], \"moving\": \"second\",
   \"screw\": {\"axis\": [0,0,1], \"center\": [0,0,0], \"angle\": 6.28, \"shift\": 0}}
  {\"id\", \"hit\", \"time\", \"times\": [{\"lower\", \"upper\"}, ...]}
A bad line gets an \"error\" and the others go on; the exit code is 3 then.

Examples:
  clearance ccd --batch queries.jsonl > answers.jsonl
  clearance ccd --batch - < queries.jsonl | jq -c 'select(.hit)'")]
pub struct CcdArguments {
    /// Answer the cases in this file, one per line; - for standard input
    #[arg(long, value_name = "FILE")]
    pub batch: PathBuf,
}
