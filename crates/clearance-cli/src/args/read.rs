//! How mesh files are read.

use clap::Args;
use clearance_io::LengthUnit;

/// What `--unit` does where several files come together.
pub const UNIT_OF_ALL: &str = "Unit of all lengths: files that state another are converted to it, those that state none (STL, OBJ, \
                               PLY, OFF) are in it: um, mm, cm, in, ft, m";

/// How meshes are read.
#[derive(Debug, Default, Args)]
pub struct ReadArguments {
    /// Unit of files that do not state it (STL, OBJ, PLY, OFF): um, mm, cm, in, ft, m
    #[arg(long, value_name = "UNIT", value_parser = parse_unit)]
    pub unit: Option<LengthUnit>,
    /// Refuse meshes that need repair (degenerate, duplicate or inverted triangles)
    #[arg(long)]
    pub strict: bool,
    /// Merge vertices up to this far apart; without it, only equal ones
    #[arg(long, value_name = "DISTANCE", value_parser = parse_distance, allow_negative_numbers = true)]
    pub weld: Option<f64>,
    /// Let scenes name mesh files outside their own folder
    #[arg(long)]
    pub allow_outside: bool,
}

pub(super) fn parse_unit(text: &str) -> Result<LengthUnit, String> {
    let known = LengthUnit::ALL.map(LengthUnit::symbol).join(", ");
    LengthUnit::from_symbol(text).ok_or_else(|| format!("use one of {known}"))
}

fn parse_distance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
        _ => Err("give a distance that is not negative, such as 1e-6".into()),
    }
}
