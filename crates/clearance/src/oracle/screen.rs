//! The collision screen in front of the analytic engine: it must change nothing.

use super::compare::same;
use super::screw::ScrewCase;
use crate::math::Random;
use crate::screw::{ContactsConfig, Engine, Kept, Moving, Resolution, Surface, contacts, contacts_by};

/// The filtered answer is the unfiltered one, bit for bit, whatever the pixels.
///
/// # Errors
/// A case in which it is not.
pub fn compare_filter(random: &mut Random) -> Result<(), String> {
    let case = ScrewCase::draw(random, true);
    let surfaces = [&case.bodies[0], &case.bodies[1]].map(Surface::new);
    let [Some(a), Some(b)] = surfaces else { return Ok(()) };
    let pixel = [0.02, 0.1, 0.5, 3.0][random.below(4) as usize];
    let resolution = Resolution::new(pixel, 0.1).map_err(|e| e.to_string())?;
    let moving = [Moving::First, Moving::Second][random.below(2) as usize];
    let kept = [Kept::All, Kept::Entering][random.below(2) as usize];
    let config = ContactsConfig { kept, ..ContactsConfig::default() };
    let [from_a, from_b] = &case.poses;
    let expected = contacts(&a, from_a, &b, from_b, &case.screw, moving, &config);
    let engine = Engine::Filtered(resolution);
    let found = contacts_by(engine, &a, from_a, &b, from_b, &case.screw, moving, &config);
    same(found, expected, || format!("pixels of {pixel}, {moving:?}: {}", case.describe()))
}
