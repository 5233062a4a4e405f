//! A four-bar linkage.

use super::circle::{circle_point, regular_polygon};
use super::error::Check;
use super::part::{moved, turned};
use super::prism::prism;
use super::{SampleError, SamplePart};
use crate::shape::TriangleSoup;
use glam::{DVec2, DVec3};

/// Parameters of a four-bar linkage. Bar lengths are from pin to pin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FourBarConfig {
    /// The bar that rests, from the origin along `+x`.
    pub ground: f64,
    /// The bar that turns about the origin.
    pub crank: f64,
    /// The bar between crank and rocker.
    pub coupler: f64,
    /// The bar that turns about the far end of the ground bar.
    pub rocker: f64,
    /// Angle of the crank from `+x`, in turns.
    pub crank_turns: f64,
    /// Width of all bars; at most each bar's length, at least 2.4 times the hole's radius.
    pub width: f64,
    /// Thickness of all bars.
    pub thickness: f64,
    /// Radius of the pins.
    pub pin_radius: f64,
    /// Distance kept between neighbouring layers and between pin and hole.
    pub clearance: f64,
    /// Corners per pin and hole, a multiple of 8 from 8 to 1024.
    pub segments: u32,
}

impl Default for FourBarConfig {
    /// A crank-rocker: the crank can turn all the way round.
    fn default() -> FourBarConfig {
        FourBarConfig {
            ground: 4.0,
            crank: 1.0,
            coupler: 3.5,
            rocker: 2.5,
            crank_turns: 0.125,
            width: 0.5,
            thickness: 0.2,
            pin_radius: 0.12,
            clearance: 0.02,
            segments: 32,
        }
    }
}

impl FourBarConfig {
    /// Radius of the corners of a hole: its sides stay `clearance` away from the pin in any position.
    fn hole_radius(&self) -> f64 {
        let apothem = circle_point(0.5 / f64::from(self.segments)).x;
        (self.pin_radius + self.clearance) / apothem
    }

    fn check(&self) -> Result<(), SampleError> {
        let check = Check("four-bar linkage");
        let bars = [
            ("ground", self.ground),
            ("crank", self.crank),
            ("coupler", self.coupler),
            ("rocker", self.rocker),
        ];
        for (bar, length) in bars {
            check.length(bar, length)?;
            let need = "a bar must be at least as long as it is wide";
            check.that(|| length >= self.width, bar, length, need)?;
        }
        check.length("width", self.width)?;
        check.length("thickness", self.thickness)?;
        check.length("pin_radius", self.pin_radius)?;
        check.length("clearance", self.clearance)?;
        check.that(
            || self.crank_turns.abs() <= 1e6,
            "crank_turns",
            self.crank_turns,
            "give up to 1e6 turns",
        )?;
        let segments = || (8..=1024).contains(&self.segments) && self.segments.is_multiple_of(8);
        check.that(segments, "segments", f64::from(self.segments), "give a multiple of 8 from 8 to 1024")?;
        let need =
            "it must be at least 2.4 times the radius of a hole, pin_radius + clearance or a little more";
        check.that(|| self.width >= 2.4 * self.hole_radius(), "width", self.width, need)
    }
}

/// A four-bar linkage: bars `ground`, `crank`, `coupler`, `rocker` and four pins, none touching another.
///
/// The ground bar lies in the layer around `z = 0`, crank and rocker in the next, the coupler above;
/// each pin fills the holes of two neighbouring layers. The coupler's far end lies to the left of the
/// line from the crank's end to the ground's. Bars have two holes each (genus 2). Crank and rocker
/// share a layer: whether they pass each other depends on their lengths; the default ones do.
///
/// ```
/// use clearance::shape::sample::{FourBarConfig, four_bar_linkage};
/// let parts = four_bar_linkage(&FourBarConfig { crank_turns: 0.3, ..FourBarConfig::default() })?;
/// assert_eq!(parts.len(), 8);
/// # Ok::<(), clearance::shape::sample::SampleError>(())
/// ```
pub fn four_bar_linkage(config: &FourBarConfig) -> Result<Vec<SamplePart>, SampleError> {
    config.check()?;
    let (origin, far) = (DVec2::ZERO, DVec2::new(config.ground, 0.0));
    let crank_end = config.crank * circle_point(config.crank_turns);
    let joint = joint(config, crank_end, far)?;
    let layer = config.thickness + config.clearance;
    let bar_between = |name: &str, length: f64, start: DVec2, end: DVec2, level: f64| SamplePart {
        name: name.into(),
        soup: bar(config, length),
        pose: turned((end - start) / (end - start).length(), start.extend(level * layer)),
    };
    let mut parts = vec![
        bar_between("ground", config.ground, origin, far, 0.0),
        bar_between("crank", config.crank, origin, crank_end, 1.0),
        bar_between("coupler", config.coupler, crank_end, joint, 2.0),
        bar_between("rocker", config.rocker, far, joint, 1.0),
    ];
    let pin = prism(config.segments, config.pin_radius, config.thickness + layer)?;
    let pins = [
        ("pin ground-crank", origin, 0.5),
        ("pin crank-coupler", crank_end, 1.5),
        ("pin coupler-rocker", joint, 1.5),
        ("pin ground-rocker", far, 0.5),
    ];
    parts.extend(pins.into_iter().map(|(name, at, level)| SamplePart {
        name: name.into(),
        soup: pin.clone(),
        pose: moved(at.extend(level * layer)),
    }));
    Ok(parts)
}

/// Where coupler and rocker meet: the left one of the two crossings of their circles.
fn joint(config: &FourBarConfig, crank_end: DVec2, far: DVec2) -> Result<DVec2, SampleError> {
    let line = far - crank_end;
    let distance = line.length();
    let (coupler, rocker) = (config.coupler, config.rocker);
    let along = (distance * distance + coupler * coupler - rocker * rocker) / (2.0 * distance);
    let across_squared = coupler * coupler - along * along;
    let need = "coupler and rocker do not reach each other at this crank angle; change it or the lengths";
    let reach = || across_squared > 0.0;
    Check("four-bar linkage").that(reach, "crank_turns", config.crank_turns, need)?;
    let unit = line / distance;
    Ok(crank_end + along * unit + across_squared.sqrt() * unit.perp())
}

/// A bar along `+x` with round ends and a hole at the origin and at `length`, centred in z.
///
/// Each half is a ring of quads between its hole and its outline; the halves share the middle line.
fn bar(config: &FourBarConfig, length: f64) -> TriangleSoup {
    let half = Half::new(config, length);
    let mut soup = TriangleSoup::default();
    let z = 0.5 * config.thickness;
    let levels = [-z, z].map(|z| {
        let left = half.push(&mut soup.positions, z, None, length);
        let right = half.push(&mut soup.positions, z, Some(&left), length);
        [left, right]
    });
    let [below, above] = &levels;
    for side in 0..2 {
        half.connect(&below[side], &above[side], side, &mut soup.triangles);
    }
    soup
}

/// The left half of a bar, seen from above: corners of the hole and the outline's point of each.
struct Half {
    hole: Vec<DVec2>,
    outline: Vec<DVec2>,
}

/// Vertex numbers of one half on one level.
struct Ring {
    hole: Vec<u32>,
    outline: Vec<u32>,
}

impl Half {
    fn new(config: &FourBarConfig, length: f64) -> Half {
        let (n, eighth) = (config.segments, config.segments / 8);
        let (half_width, middle) = (0.5 * config.width, 0.5 * length);
        let directions: Vec<DVec2> = regular_polygon(n).collect();
        let point = |i: u32| {
            // Steps from +x, and the side of the x axis the point lies on.
            let (steps, sign) = if i <= n / 2 { (i, 1.0) } else { (n - i, -1.0) };
            let share = f64::from(steps) / f64::from(eighth);
            if steps <= eighth {
                DVec2::new(middle, sign * share * half_width)
            } else if steps < 2 * eighth {
                DVec2::new((2.0 - share) * middle, sign * half_width)
            } else {
                half_width * directions[i as usize]
            }
        };
        let hole = directions.iter().map(|direction| config.hole_radius() * direction).collect();
        Half { hole, outline: (0..n).map(point).collect() }
    }

    /// Whether the outline's point lies on the line that both halves share.
    fn is_shared(&self, column: usize) -> bool {
        let eighth = self.hole.len() / 8;
        column <= eighth || column >= 7 * eighth
    }

    /// Adds the vertices of one level; the right half is the mirror image of the `left` one.
    fn push(&self, positions: &mut Vec<DVec3>, z: f64, left: Option<&Ring>, length: f64) -> Ring {
        let mut add = |p: DVec2| {
            positions.push(DVec3::new(if left.is_some() { length - p.x } else { p.x }, p.y, z));
            positions.len() as u32 - 1
        };
        let hole = self.hole.iter().map(|&p| add(p)).collect();
        let outline = (0..self.outline.len())
            .map(|column| match left {
                Some(left) if self.is_shared(column) => left.outline[column],
                _ => add(self.outline[column]),
            })
            .collect();
        Ring { hole, outline }
    }

    /// Floor, ceiling, the hole's wall and the outer wall of one half; side 1 is mirrored.
    fn connect(&self, below: &Ring, above: &Ring, side: usize, triangles: &mut Vec<[u32; 3]>) {
        let n = self.hole.len();
        let mut quad = |[a, b, c, d]: [u32; 4]| {
            triangles.extend(if side == 0 { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] });
        };
        for i in 0..n {
            let j = (i + 1) % n;
            quad([above.hole[i], above.outline[i], above.outline[j], above.hole[j]]);
            quad([below.hole[i], below.hole[j], below.outline[j], below.outline[i]]);
            quad([below.hole[j], below.hole[i], above.hole[i], above.hole[j]]);
            if !(self.is_shared(i) && self.is_shared(j)) {
                quad([below.outline[i], below.outline[j], above.outline[j], above.outline[i]]);
            }
        }
    }
}
