//! What `simulate --kinetic` takes beside the arguments of `simulate`.

use crate::output::Failure;
use clap::{Args, ValueEnum};
use clearance::kinetic::{HierarchyKind, Method};

/// Arguments of `simulate --kinetic`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Kinetic simulation of a planar scene")]
pub struct KineticArguments {
    /// SCENE is planar: keep a proof of separation of each pair and act only when one expires
    #[arg(
        long,
        requires = "until",
        conflicts_with_all = [
            "frames", "seed", "bodies", "shape", "vertices", "density", "speed", "spin", "fps", "unit", "strict", "weld",
            "allow_outside",
        ],
    )]
    pub kinetic: bool,
    /// Up to which time, from 0 on
    #[arg(long, value_name = "TIME", requires = "kinetic", value_parser = parse_time, allow_negative_numbers = true)]
    pub until: Option<f64>,
    /// How pairs are certified [default: lazy]
    #[arg(long, requires = "kinetic")]
    pub method: Option<MethodName>,
    /// Which envelopes polygons get [default: compass]
    #[arg(long, value_name = "KIND", requires = "kinetic")]
    pub hierarchy: Option<HierarchyName>,
    /// Print what happens to certificates, too
    #[arg(long, requires = "kinetic")]
    pub certificates: bool,
    /// Draw the picture of this time [default: that of --until]
    #[arg(long, value_name = "TIME", requires_all = ["kinetic", "picture"], value_parser = parse_time, allow_negative_numbers = true)]
    pub at: Option<f64>,
}

impl KineticArguments {
    /// Refuses what would be ignored; the parser lets it pass where another argument is there that excludes --kinetic.
    pub fn expect_none(&self) -> Result<(), Failure> {
        let given = [
            ("--until", self.until.is_some()),
            ("--method", self.method.is_some()),
            ("--hierarchy", self.hierarchy.is_some()),
            ("--certificates", self.certificates),
            ("--at", self.at.is_some()),
        ];
        match given.into_iter().find(|(_, is_given)| *is_given) {
            Some((name, _)) => Err(Failure::Usage(format!(
                "{name} is for runs with --kinetic; add that and leave out what is for frames (--frames, --seed, ...), or \
                 leave out {name}"
            ))),
            None => Ok(()),
        }
    }
}

/// How pairs are certified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum MethodName {
    // Closest features: changes as often as they do
    ClosestFeatures,
    // An inner common tangent
    CommonTangent,
    // An edge of one polygon and the nearest vertex of the other
    SeparatingEdge,
    // The triangle around a polygon that holds a point
    ActiveTriangle,
    // The cell of the mixed hierarchy that holds the placement
    ActiveCell,
    // An edge of an envelope, as coarse as the distance allows
    #[default]
    Lazy,
    // The same with a margin: after an event there is time until the next
    Inflated,
}

impl From<MethodName> for Method {
    fn from(name: MethodName) -> Method {
        match name {
            MethodName::ClosestFeatures => Method::ClosestFeatures,
            MethodName::CommonTangent => Method::CommonTangent,
            MethodName::SeparatingEdge => Method::SeparatingEdge,
            MethodName::ActiveTriangle => Method::ActiveTriangle,
            MethodName::ActiveCell => Method::ActiveCell,
            MethodName::Lazy => Method::Lazy,
            MethodName::Inflated => Method::Inflated,
        }
    }
}

/// Which envelopes polygons get.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum HierarchyName {
    // Regular directions, the same for all polygons
    #[default]
    Compass,
    // Toward regular points of a circle
    Dudley,
}

impl From<HierarchyName> for HierarchyKind {
    fn from(name: HierarchyName) -> HierarchyKind {
        match name {
            HierarchyName::Compass => HierarchyKind::Compass,
            HierarchyName::Dudley => HierarchyKind::Dudley,
        }
    }
}

/// The name as it is typed.
pub fn typed(name: impl ValueEnum) -> String {
    name.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

fn parse_time(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
        _ => Err("give a finite time that is not before 0, such as 12.5".into()),
    }
}
