//! Spur gears.

use super::SampleError;
use super::circle::{circle_point, circle_point_at};
use super::error::Check;
use super::grid::Grid;
use crate::shape::TriangleSoup;
use glam::DVec2;
use std::f64::consts::PI;

/// Pressure angle in turns: 20 degrees.
const PRESSURE_TURNS: f64 = 20.0 / 360.0;

/// Parameters of a spur gear with involute teeth and a bore. Lengths are in one unit of your choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GearConfig {
    /// Number of teeth, 6 to 1000.
    pub teeth: u32,
    /// Pitch diameter per tooth. Teeth reach one module above the pitch circle and 1.25 below.
    pub module: f64,
    /// Extent along z.
    pub width: f64,
    /// Radius of the bore; at most 0.9 of the root radius.
    pub bore_radius: f64,
    /// How much thinner a tooth is than half the pitch, along the pitch circle.
    pub backlash: f64,
    /// Points per flank, 2 to 1000.
    pub flank_points: u32,
}

impl Default for GearConfig {
    /// 20 teeth of module 2, 10 wide, bore radius 5.
    fn default() -> GearConfig {
        GearConfig { teeth: 20, module: 2.0, width: 10.0, bore_radius: 5.0, backlash: 0.1, flank_points: 6 }
    }
}

impl GearConfig {
    /// Radius of the pitch circle; two gears mesh when their axes are the sum of these apart.
    pub fn pitch_radius(&self) -> f64 {
        0.5 * self.module * f64::from(self.teeth)
    }

    /// Radius of the tips.
    pub fn tip_radius(&self) -> f64 {
        self.pitch_radius() + self.module
    }

    /// Radius of the gaps.
    pub fn root_radius(&self) -> f64 {
        self.pitch_radius() - 1.25 * self.module
    }

    fn check(&self) -> Result<(), SampleError> {
        let check = Check("gear");
        check.count("teeth", self.teeth, 6..=1000, "give 6 to 1000 teeth")?;
        check.length("module", self.module)?;
        check.length("width", self.width)?;
        check.length("bore_radius", self.bore_radius)?;
        check.count("flank_points", self.flank_points, 2..=1000, "give 2 to 1000 points")?;
        let fits = || self.bore_radius <= 0.9 * self.root_radius();
        let need = "it must be at most 0.9 of the root radius, (teeth / 2 - 1.25) module";
        check.that(fits, "bore_radius", self.bore_radius, need)?;
        let thin = || (0.0..=0.5 * self.module).contains(&self.backlash);
        check.that(thin, "backlash", self.backlash, "give a length from 0 to half the module")
    }
}

/// A spur gear around the z axis, centred, with a tooth at `+x`: a solid with one hole.
///
/// The flanks are involutes of a 20 degree rack; below the base circle, where no involute exists, a
/// straight line leads to the root. Every ray from the axis meets the outline once, so the solid does
/// not meet itself. Turning a gear of `z` teeth by `1 / (2z)` of a turn puts a gap at `+x`.
///
/// ```
/// use clearance::shape::sample::{GearConfig, gear};
/// let soup = gear(&GearConfig { teeth: 12, flank_points: 4, ..GearConfig::default() })?;
/// assert_eq!(soup.triangles.len(), 8 * 12 * (2 * 4 + 2));
/// # Ok::<(), clearance::shape::sample::SampleError>(())
/// ```
pub fn gear(config: &GearConfig) -> Result<TriangleSoup, SampleError> {
    config.check()?;
    let outline = outline(config, &tooth(config)?);
    let bore: Vec<DVec2> = outline.iter().map(|p| p * (config.bore_radius / p.length())).collect();
    let half = 0.5 * config.width;
    let mut grid = Grid::new(outline.len() as u32, 4);
    for (ring, z) in [(&outline, -half), (&outline, half), (&bore, half), (&bore, -half)] {
        grid.push(|column| ring[column as usize].extend(z));
    }
    Ok(grid.into_torus())
}

/// The left flank of the tooth at `+x`, from the tip to the root; all angles positive.
fn tooth(config: &GearConfig) -> Result<Vec<DVec2>, SampleError> {
    let teeth = f64::from(config.teeth);
    let pressure = circle_point(PRESSURE_TURNS);
    let base_radius = config.pitch_radius() * pressure.x;
    let thickness = PI / (2.0 * teeth) - config.backlash / (2.0 * config.pitch_radius());
    // The involute leaves the base circle at the angle where the tooth would be thickest.
    let base_angle = thickness + pressure.y / pressure.x - 2.0 * PI * PRESSURE_TURNS;
    let roll = |radius: f64| {
        let ratio = radius / base_radius;
        (ratio * ratio - 1.0).max(0.0).sqrt()
    };
    let (roll_tip, roll_root) = (roll(config.tip_radius()), roll(config.root_radius()));
    let steps = config.flank_points - 1;
    let mut flank: Vec<DVec2> = (0..=steps)
        .map(|i| {
            let t = roll_tip + (roll_root - roll_tip) * f64::from(i) / f64::from(steps);
            let DVec2 { x: cos, y: sin } = circle_point_at(t);
            let involute = base_radius * DVec2::new(cos + t * sin, t * cos - sin);
            involute.rotate(circle_point_at(base_angle))
        })
        .collect();
    let tip_width = flank.first().map_or(0.0, |tip| 2.0 * tip.y);
    let need = "the teeth come to a point; use more teeth or less backlash";
    Check("gear").that(|| tip_width > 0.05 * config.module, "teeth", teeth, need)?;
    // The foot of the flank: a little into the gap, so that angles grow strictly along the outline.
    let foot = if roll_root > 0.0 { base_angle - (roll_root - arc_tangent(roll_root)) } else { base_angle };
    let middle = PI / teeth;
    flank.push(config.root_radius() * circle_point_at(foot + 0.15 * (middle - foot)));
    Ok(flank)
}

/// All teeth, counter-clockwise from the first tooth's right root.
fn outline(config: &GearConfig, left_flank: &[DVec2]) -> Vec<DVec2> {
    let right = left_flank.iter().rev().map(|p| DVec2::new(p.x, -p.y));
    let tooth: Vec<DVec2> = right.chain(left_flank.iter().copied()).collect();
    (0..config.teeth)
        .flat_map(|i| {
            let turn = circle_point(f64::from(i) / f64::from(config.teeth));
            tooth.iter().map(move |p| p.rotate(turn))
        })
        .collect()
}

/// The series of the arc tangent for `0 <= x < 1`, halved once; within `1e-12`.
fn arc_tangent(x: f64) -> f64 {
    let y = x / (1.0 + (1.0 + x * x).sqrt());
    let square = y * y;
    let series = (0..20).rev().fold(0.0, |sum, k| 1.0 / f64::from(2 * k + 1) - square * sum);
    2.0 * y * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arc_tangent_agrees_with_the_platform() {
        for i in 0..=100 {
            let x = f64::from(i) / 100.0;
            assert!((arc_tangent(x) - x.atan()).abs() < 1e-12, "{x}");
        }
    }
}
