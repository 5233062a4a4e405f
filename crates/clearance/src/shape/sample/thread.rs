//! A bolt and a nut with a helical thread.

use super::circle::{circle_point, regular_polygon};
use super::error::Check;
use super::grid::Grid;
use super::{SampleError, SamplePart};
use crate::Pose;
use crate::shape::TriangleSoup;
use glam::{DVec2, DVec3};

/// Depth of the thread in pitches: flanks of 5/16 pitch at 30 degrees to the plane across.
const DEPTH: f64 = 0.541_265_877_365_274;
/// Hexagon across flats, head height and nut height, in diameters.
const ACROSS_FLATS: f64 = 1.6;
const HEAD_HEIGHT: f64 = 0.65;
const NUT_HEIGHT: f64 = 0.8;

/// Parameters of a bolt and its nut. Lengths are in one unit of your choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThreadConfig {
    /// Outer diameter of the bolt's thread; at least twice the pitch.
    pub diameter: f64,
    /// Advance per turn of the right-handed thread.
    pub pitch: f64,
    /// Length of the bolt without its head, rounded to whole steps of `pitch / segments`.
    pub length: f64,
    /// Vertices per turn, a multiple of 6 from 12 to 960. Multiples of 48 hit every corner of the profile.
    pub segments: u32,
    /// How much larger the nut's thread is in radius.
    pub clearance: f64,
}

impl Default for ThreadConfig {
    /// A bolt of metric size M10, 40 long.
    fn default() -> ThreadConfig {
        ThreadConfig { diameter: 10.0, pitch: 1.5, length: 40.0, segments: 48, clearance: 0.1 }
    }
}

impl ThreadConfig {
    /// Vertical distance of two rings.
    fn step(&self) -> f64 {
        self.pitch / f64::from(self.segments)
    }

    fn steps(&self, length: f64) -> u32 {
        ((length / self.step()).round() as u32).max(1)
    }

    fn check(&self) -> Result<(), SampleError> {
        let check = Check("thread");
        check.length("diameter", self.diameter)?;
        check.length("pitch", self.pitch)?;
        check.length("length", self.length)?;
        check.length("clearance", self.clearance)?;
        let fine = || self.diameter >= 2.0 * self.pitch && self.diameter <= 100.0 * self.pitch;
        check.that(fine, "pitch", self.pitch, "it must be 1/100 to 1/2 of the diameter")?;
        let short = || self.length >= self.pitch && self.length <= 1000.0 * self.pitch;
        check.that(short, "length", self.length, "it must be 1 to 1000 pitches")?;
        let segments = || (12..=960).contains(&self.segments) && self.segments.is_multiple_of(6);
        let need = "give a multiple of 6 from 12 to 960";
        check.that(segments, "segments", f64::from(self.segments), need)?;
        let loose = || self.clearance <= 0.5 * self.pitch;
        check.that(loose, "clearance", self.clearance, "it must be at most half the pitch")
    }

    /// Radius of the bolt's thread `step` rings above a point `column` segments around.
    ///
    /// It depends on `step - column` only: that is the helix. Per pitch: 2/16 crest, 5/16 flank,
    /// 4/16 root, 5/16 flank (the basic profile of ISO 68-1).
    fn radius(&self, column: u32, step: u32) -> f64 {
        let n = i64::from(self.segments);
        let sixteenths = (i64::from(step) - i64::from(column)).rem_euclid(n) as f64 * 16.0 / n as f64;
        let depth = match sixteenths {
            s if s <= 2.0 => 0.0,
            s if s <= 7.0 => (s - 2.0) / 5.0,
            s if s <= 11.0 => 1.0,
            s => (16.0 - s) / 5.0,
        };
        0.5 * self.diameter - depth * DEPTH * self.pitch
    }

    fn minor_radius(&self) -> f64 {
        0.5 * self.diameter - DEPTH * self.pitch
    }

    /// A corner of a hexagon or a point on its sides, `column` segments around.
    fn hexagon(&self, column: u32) -> DVec2 {
        let side = self.segments / 6;
        let from_middle = f64::from(column % side) / f64::from(self.segments) - 1.0 / 12.0;
        let radius = 0.5 * ACROSS_FLATS * self.diameter / circle_point(from_middle).x;
        radius * circle_point(f64::from(column) / f64::from(self.segments))
    }
}

/// A bolt along z: its flat tip at the origin, its hexagon head beyond `z = length`.
///
/// The thread is a function of angle and height, so every horizontal ray from the axis meets the
/// surface once and the solid does not meet itself. Vertices lie on a lattice of `segments` columns
/// and as many rings per pitch; the lattice diagonals follow the helix, so crest and root are edges
/// of the mesh. A chamfer of 45 degrees leads to the tip. About `2 segments^2` triangles per turn.
///
/// ```
/// use clearance::shape::sample::{ThreadConfig, bolt};
/// let soup = bolt(&ThreadConfig { length: 6.0, segments: 24, ..ThreadConfig::default() })?;
/// assert_eq!(soup.triangles.len(), 2 * 24 * (24 * 4 + 3));
/// # Ok::<(), clearance::shape::sample::SampleError>(())
/// ```
pub fn bolt(config: &ThreadConfig) -> Result<TriangleSoup, SampleError> {
    config.check()?;
    let steps = config.steps(config.length);
    let directions: Vec<DVec2> = regular_polygon(config.segments).collect();
    let mut grid = Grid::new(config.segments, steps + 3);
    let height = |step: u32| config.step() * f64::from(step);
    for step in 0..=steps {
        let chamfer = config.minor_radius() + height(step);
        grid.push(|i| (config.radius(i, step).min(chamfer) * directions[i as usize]).extend(height(step)));
    }
    let top = height(steps) + HEAD_HEIGHT * config.diameter;
    for z in [height(steps), top] {
        grid.push(|i| config.hexagon(i).extend(z));
    }
    Ok(grid.into_ball(DVec3::ZERO, DVec3::new(0.0, 0.0, top)))
}

/// The hexagon nut of a [`bolt`]: the bolt's thread, `clearance` larger in radius, from `z = 0` up.
///
/// Moved along z by whole pitches it sits on the bolt, lattice on lattice, and nowhere touches it; the
/// flanks are then half the clearance apart. Countersunk by 45 degrees on both sides.
///
/// ```
/// use clearance::shape::sample::{ThreadConfig, nut};
/// assert!(nut(&ThreadConfig::default())?.triangles.len() > 20_000);
/// # Ok::<(), clearance::shape::sample::SampleError>(())
/// ```
pub fn nut(config: &ThreadConfig) -> Result<TriangleSoup, SampleError> {
    config.check()?;
    let steps = config.steps(NUT_HEIGHT * config.diameter);
    let directions: Vec<DVec2> = regular_polygon(config.segments).collect();
    let mut grid = Grid::new(config.segments, steps + 3);
    let height = |step: u32| config.step() * f64::from(step);
    for step in 0..=steps {
        let countersink = 0.5 * config.diameter - height(step.min(steps - step));
        grid.push(|i| {
            let radius = config.radius(i, step).max(countersink) + config.clearance;
            (radius * directions[i as usize]).extend(height(step))
        });
    }
    for z in [height(steps), 0.0] {
        grid.push(|i| config.hexagon(i).extend(z));
    }
    let mut soup = grid.into_torus();
    // The rings rise along the inside, where they turn the surface's outside to the axis: turn it over.
    soup.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    Ok(soup)
}

/// The bolt, and the nut seated half-way along it without touching.
///
/// The bolt must be at least as long as the nut is high (0.8 diameters).
///
/// ```
/// use clearance::shape::sample::{ThreadConfig, fastener};
/// let [bolt, nut] = fastener(&ThreadConfig::default())?;
/// assert_eq!((bolt.name.as_str(), nut.name.as_str()), ("bolt", "nut"));
/// # Ok::<(), clearance::shape::sample::SampleError>(())
/// ```
pub fn fastener(config: &ThreadConfig) -> Result<[SamplePart; 2], SampleError> {
    config.check()?;
    let steps = [config.length, NUT_HEIGHT * config.diameter].map(|length| config.steps(length));
    let free = steps[0].checked_sub(steps[1] + 1);
    let need = "the nut does not fit below the head; it must exceed 0.8 diameters";
    Check("fastener").that(|| free.is_some(), "length", config.length, need)?;
    let turns = free.unwrap_or(0) / config.segments / 2;
    // As the bolt computes its heights, so that the lattices agree to the last bit or nearly.
    let height = config.step() * f64::from(turns * config.segments);
    let bolt = SamplePart { name: "bolt".into(), soup: bolt(config)?, pose: Pose::IDENTITY };
    let pose = super::part::moved(DVec3::new(0.0, 0.0, height));
    Ok([bolt, SamplePart { name: "nut".into(), soup: nut(config)?, pose }])
}
