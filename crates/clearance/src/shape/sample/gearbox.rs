//! A small gearbox, with mistakes in it.

use super::circle::circle_point;
use super::part::{moved, turned};
use super::plate::PlateCell::{Bore, Full, Open};
use super::{GearConfig, PlateCell, SampleError, SamplePart, ThreadConfig, bolt, gear, lathe, nut, plate};
use crate::Pose;
use crate::shape::TriangleSoup;
use glam::{DMat3, DVec2, DVec3};

/// Between the axes of wheel and pinion: the sum of their pitch radii.
const AXES_APART: f64 = 42.0;
/// Inner and outer faces of the two plates, from the middle.
const INNER: f64 = 16.0;
const OUTER: f64 = 24.0;
const WASHER: f64 = 1.0;
/// Corners of bearings and their bores, and of everything smaller.
const FINE: u32 = 48;
const COARSE: u32 = 24;

/// What the lever of the sample gearbox turns about, along z.
pub const LEVER_PIVOT: DVec3 = DVec3::new(92.0, 62.0, 0.0);
/// From the pivot of the lever to its pin.
const ARM: f64 = 38.0;

/// A gearbox of 35 parts in millimetres, with a slide and a lever beside it: what a clash check is for.
///
/// Plates, walls, washers, bolt heads and nuts share faces exactly, and so does the first bearing with its bore and shaft.
/// Gears sit on shafts of the same radius but other corners, so they overlap by 0.02 at most. `lever` lies on `pivot washer`, and
/// `lever pin` fills its bore. Six things are wrong:
///
/// 1. `wheel bearing front` is not seated: 0.4 off and tilted, it cuts into plate and shaft.
/// 2. `slide`, moved by -40 along x, passes the window of `end plate` with its tip and hits it with its collar halfway.
/// 3. `sensor` is 0.3 from the teeth of the wheel.
/// 4. `washer 4` is there twice.
/// 5. `magnet` lies inside `bottom wall`, which has no pocket for it.
/// 6. `lever`, with its pin, turned clockwise by 60 degrees about the axis along z through [`LEVER_PIVOT`], comes behind the
///    slide, which has made room by then, and hits `guard` with its corner on the way.
///
/// ```
/// let parts = clearance::shape::sample::gearbox()?;
/// assert!(parts.iter().any(|part| part.name == "slide"));
/// # Ok::<(), clearance::shape::sample::SampleError>(())
/// ```
pub fn gearbox() -> Result<Vec<SamplePart>, SampleError> {
    let mut parts = housing()?;
    parts.extend(train()?);
    parts.extend(fasteners()?);
    parts.extend([
        part("sensor", block([-6.0, 6.0], [30.3, 32.0], 8.0)?, Pose::IDENTITY),
        part("magnet", block([0.0, 8.0], [-38.0, -34.0], 6.0)?, Pose::IDENTITY),
    ]);
    parts.extend(slide()?);
    parts.extend(linkage()?);
    Ok(parts)
}

fn part(name: &str, soup: TriangleSoup, pose: Pose) -> SamplePart {
    SamplePart { name: name.into(), soup, pose }
}

fn at_height(z: f64) -> Pose {
    moved(DVec3::new(0.0, 0.0, z))
}

/// A box by its extents in x and y, centred in z.
fn block(x: [f64; 2], y: [f64; 2], thickness: f64) -> Result<TriangleSoup, SampleError> {
    plate(&x, &y, thickness, &[Full])
}

/// Turns z to x, x to y, y to z; exactly.
fn lying(translation: DVec3) -> Pose {
    let rotation = DMat3::from_cols(DVec3::Y, DVec3::Z, DVec3::X);
    Pose::new(rotation, translation).unwrap_or(Pose::IDENTITY)
}

fn hole(radius: f64) -> PlateCell {
    Bore { radius, segments: COARSE }
}

/// Two plates with bores for bearings and bolts, two walls between them, and an end with a window.
fn housing() -> Result<Vec<SamplePart>, SampleError> {
    let bolt_hole = hole(2.8);
    let bearing = |radius| Bore { radius, segments: FINE };
    let columns = [-40.0, -32.0, -16.0, 16.0, 30.0, 54.0, 62.0, 70.0];
    let rows = [-40.0, -32.0, -16.0, 16.0, 32.0, 40.0];
    let mut cells = [Full; 35];
    for corner in [0, 6, 28, 34] {
        cells[corner] = bolt_hole;
    }
    (cells[16], cells[18]) = (bearing(13.0), bearing(9.0));
    let bearing_plate = plate(&columns, &rows, OUTER - INNER, &cells)?;
    let wall =
        |y: [f64; 2]| plate(&[-40.0, -32.0, 62.0, 70.0], &y, 2.0 * INNER, &[bolt_hole, Full, bolt_hole]);
    let mut window = [Full; 9];
    window[4] = Open;
    let end = plate(&[-40.0, 14.0, 30.0, 40.0], &[-24.0, -8.0, 8.0, 24.0], 6.0, &window)?;
    let middle = 0.5 * (OUTER + INNER);
    Ok(vec![
        part("back plate", bearing_plate.clone(), at_height(-middle)),
        part("front plate", bearing_plate, at_height(middle)),
        part("top wall", wall([32.0, 40.0])?, Pose::IDENTITY),
        part("bottom wall", wall([-40.0, -32.0])?, Pose::IDENTITY),
        part("end plate", end, lying(DVec3::new(73.0, 0.0, 0.0))),
    ])
}

/// Wheel and pinion on their shafts, in their bearings.
fn train() -> Result<Vec<SamplePart>, SampleError> {
    let wheel = GearConfig { teeth: 28, bore_radius: 9.0, ..GearConfig::default() };
    let pinion = GearConfig { teeth: 14, bore_radius: 5.0, ..GearConfig::default() };
    let half_a_tooth = circle_point(0.5 / f64::from(pinion.teeth));
    let beside = DVec3::new(AXES_APART, 0.0, 0.0);
    let (middle, half) = (0.5 * (OUTER + INNER), 0.5 * (OUTER - INNER));
    let bearing = |inner: f64, outer: f64| {
        lathe(&[(outer, -half), (outer, half), (inner, half), (inner, -half)].map(DVec2::from), FINE)
    };
    let (large, small) = (bearing(7.0, 13.0)?, bearing(4.0, 8.98)?);
    let at = |z: f64| moved(DVec3::new(AXES_APART, 0.0, z));
    Ok(vec![
        part("wheel", gear(&wheel)?, Pose::IDENTITY),
        part("pinion", gear(&pinion)?, turned(half_a_tooth, beside)),
        part("wheel shaft", shaft(7.0, 9.0, 40.0)?, Pose::IDENTITY),
        part("pinion shaft", shaft(4.0, 5.0, 30.0)?, at(0.0)),
        part("wheel bearing back", large.clone(), at_height(-middle)),
        part("wheel bearing front", large, tilted(DVec3::new(0.4, 0.0, middle + 0.6))),
        part("pinion bearing back", small.clone(), at(-middle)),
        part("pinion bearing front", small, at(middle)),
    ])
}

/// A shaft with its seat in the middle and one end longer than the other.
fn shaft(journal: f64, seat: f64, end: f64) -> Result<TriangleSoup, SampleError> {
    let (start, shoulder) = (-28.0, 14.0);
    let profile = [
        (0.0, start),
        (journal, start),
        (journal, -shoulder),
        (seat, -shoulder),
        (seat, shoulder),
        (journal, shoulder),
        (journal, end),
        (0.0, end),
    ];
    lathe(&profile.map(DVec2::from), FINE)
}

/// One and a half degrees about y.
fn tilted(translation: DVec3) -> Pose {
    let DVec2 { x: cos, y: sin } = circle_point(1.5 / 360.0);
    let rotation = DMat3::from_cols(DVec3::new(cos, 0.0, -sin), DVec3::Y, DVec3::new(sin, 0.0, cos));
    Pose::new(rotation, translation).unwrap_or(Pose::IDENTITY)
}

/// Four bolts through everything, with washers under their heads and nuts; one washer too many.
fn fasteners() -> Result<Vec<SamplePart>, SampleError> {
    // Whole pitches from the tip to the nut, and a nut four pitches high: heads and nuts end on faces.
    let thread = ThreadConfig { diameter: 5.0, pitch: 1.0, length: 55.0, segments: 12, clearance: 0.1 };
    let (bolt, nut) = (bolt(&thread)?, nut(&thread)?);
    let ring = [(5.0, 0.0), (5.0, WASHER), (2.8, WASHER), (2.8, 0.0)].map(DVec2::from);
    let washer = lathe(&ring, COARSE)?;
    let tip = OUTER + WASHER - thread.length;
    let mut parts = Vec::new();
    for (i, (x, y)) in [(-36.0, -36.0), (66.0, -36.0), (66.0, 36.0), (-36.0, 36.0)].into_iter().enumerate() {
        let place = |z: f64| moved(DVec3::new(x, y, z));
        let number = i + 1;
        parts.push(part(&format!("bolt {number}"), bolt.clone(), place(tip)));
        parts.push(part(&format!("washer {number}"), washer.clone(), place(OUTER)));
        parts.push(part(&format!("nut {number}"), nut.clone(), place(-OUTER - 4.0 * thread.pitch)));
        if number == 4 {
            parts.push(part("washer 4 again", washer.clone(), place(OUTER)));
        }
    }
    Ok(parts)
}

/// A rod with a collar, lying on a rail in front of the window.
fn slide() -> Result<Vec<SamplePart>, SampleError> {
    let (rod, collar) = (5.0, 9.25);
    let profile = [
        (0.0, 0.0),
        (rod, 0.0),
        (rod, 16.0),
        (collar, 16.0),
        (collar, 24.0),
        (rod, 24.0),
        (rod, 60.0),
        (0.0, 60.0),
    ];
    Ok(vec![
        part("rail", block([76.0, 150.0], [4.0, 12.75], 20.0)?, Pose::IDENTITY),
        part("slide", lathe(&profile.map(DVec2::from), COARSE)?, lying(DVec3::new(80.0, 22.0, 0.0))),
    ])
}

/// A lever on a pivot, with a pin that turns with it, and a guard in its way.
fn linkage() -> Result<Vec<SamplePart>, SampleError> {
    let (half_width, half_height) = (8.0, 4.0);
    // About the pin, which shares its corners with its bore.
    let columns = [-half_width - ARM, half_width - ARM, -half_width, half_width];
    let cells = [Bore { radius: 4.6, segments: FINE }, Full, hole(3.0)];
    let lever = plate(&columns, &[-half_width, half_width], 2.0 * half_height, &cells)?;
    let rod = |radius: f64, z: [f64; 2]| {
        lathe(&[(0.0, z[0]), (radius, z[0]), (radius, z[1]), (0.0, z[1])].map(DVec2::from), COARSE)
    };
    let ring = [(9.0, -1.0), (9.0, 0.0), (5.0, 0.0), (5.0, -1.0)].map(DVec2::from);
    let at_pin = moved(LEVER_PIVOT + DVec3::new(ARM, 0.0, 0.0));
    Ok(vec![
        part("pivot", rod(4.0, [-24.0, 8.0])?, moved(LEVER_PIVOT)),
        part("pivot washer", lathe(&ring, COARSE)?, moved(LEVER_PIVOT - DVec3::new(0.0, 0.0, half_height))),
        part("lever", lever, at_pin),
        part("lever pin", rod(3.0, [-half_height, 12.0])?, at_pin),
        part("guard", block([126.0, 138.0], [30.0, 36.0], 12.0)?, Pose::IDENTITY),
    ])
}
