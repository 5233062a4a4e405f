//! The names of verdicts and what they mean.

use super::model::{Meaning, Verdict};
use clap::ValueEnum;

impl Verdict {
    /// As the command line and rules write it: `too-close`.
    pub fn name(self) -> String {
        self.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned())
    }

    /// As people read it: `too close`.
    pub fn words(self) -> String {
        self.name().replace('-', " ")
    }

    /// Whether the parts share points, but no more than the tolerance allows.
    pub fn is_touching(self) -> bool {
        matches!(self, Verdict::Touching | Verdict::TouchingWithinTolerance)
    }

    /// What it means.
    pub fn meaning(self) -> &'static str {
        match self {
            Verdict::Duplicate => {
                "both parts have the same triangles in the same place, exactly or within the tolerance"
            }
            Verdict::Enclosed => "one part lies inside the other without touching its surface",
            Verdict::Overlapping => "the interiors of the parts meet",
            Verdict::TouchingWithinTolerance => {
                "the interiors meet, but every point of either surface inside the other part is within the \
                 tolerance of the other's surface, and every closed shell of either has a point outside the other"
            }
            Verdict::Touching => "the parts share a point and no interior",
            Verdict::TooClose => {
                "the parts share no point, and their distance is less than the required clearance"
            }
            Verdict::Undecided => {
                "not proved either way: curved parts that nearly touch, or a motion that grazes, slides along, or \
                 stays very near the clearance"
            }
        }
    }

    /// All verdicts with their meanings, the gravest first.
    pub fn meanings() -> Vec<Meaning> {
        let meaning = |&verdict: &Verdict| Meaning { verdict, text: verdict.meaning().to_owned() };
        Verdict::value_variants().iter().map(meaning).collect()
    }
}
