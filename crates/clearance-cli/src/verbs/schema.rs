//! `clearance schema`: what may stand in a scene, and what `--json` prints.

use crate::{
    answer::PairAnswer,
    args::{SchemaArguments, SchemaOf},
    clash::{FindingLine, model::ClashReport},
    kinetic::KineticLine,
    output::{self, Failure, Verdict},
    simulate::SimulateLine,
    sweep::{ScrewCase, SweepCase, SweepReport},
    verbs::{
        ccd::{CcdAnswer, CcdCase},
        hull::HullReport,
        info::InfoReport,
        make::MakeReport,
        relate::RelateReport,
        verify::VerifyReport,
    },
};
use clearance_io::scene::CaseFile;
use schemars::schema_for;

pub fn run(arguments: &SchemaArguments) -> Result<Verdict, Failure> {
    match arguments.of {
        SchemaOf::Scene => output::print(&clearance_io::scene::schema()),
        SchemaOf::PlanarScene => output::print(&clearance_io::scene::planar_schema()),
        SchemaOf::Info => output::print_json(&schema_for!(InfoReport)),
        SchemaOf::Make => output::print_json(&schema_for!(MakeReport)),
        SchemaOf::Hull => output::print_json(&schema_for!(HullReport)),
        SchemaOf::Case => output::print_json(&schema_for!(CaseFile)),
        SchemaOf::Relate => output::print_json(&schema_for!(RelateReport)),
        SchemaOf::RelateLine => output::print_json(&schema_for!(PairAnswer)),
        SchemaOf::Sweep => output::print_json(&schema_for!(SweepReport)),
        SchemaOf::SweepCase => output::print_json(&schema_for!(SweepCase)),
        SchemaOf::ScrewCase => output::print_json(&schema_for!(ScrewCase)),
        SchemaOf::Clash => output::print_json(&schema_for!(ClashReport)),
        SchemaOf::ClashLine => output::print_json(&schema_for!(FindingLine<'_>)),
        SchemaOf::Verify => output::print_json(&schema_for!(VerifyReport)),
        SchemaOf::CcdCase => output::print_json(&schema_for!(CcdCase)),
        SchemaOf::Ccd => output::print_json(&schema_for!(CcdAnswer)),
        SchemaOf::Simulate => output::print_json(&schema_for!(SimulateLine)),
        SchemaOf::SimulateKinetic => output::print_json(&schema_for!(KineticLine)),
    }
    Ok(Verdict::Fine)
}
