//! Which engine answers.

use super::{Resolution, Screen};
use crate::math::{Pose, Screw};
use crate::screw::contacts::{contacts_among, contacts_with};
use crate::screw::primitive::Moving;
use crate::screw::record::{ContactsConfig, ScrewContact, ScrewStats};
use crate::screw::surface::Surface;

/// How contacts of a step are found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Engine {
    /// Proved times of all features that may meet, [`contacts`](crate::screw::contacts).
    #[default]
    Analytic,
    /// Read off a collision screen, [`Screen::contacts`].
    Screen(Resolution),
    /// The analytic engine after a screen of such pixels, whose cells are so wide that no contact is lost: the same answer, bit
    /// for bit. One pixel for a short edge is fine enough.
    Filtered(Resolution),
}

/// All contacts of two bodies while one of them moves on a screw, by an engine.
///
/// ```
/// use clearance::{Pose, body::Body, glam::DVec3, math::Screw, shape::{Mesh, MeshConfig, Shape, sample}};
/// use clearance::screw::{ContactsConfig, Engine, Moving, Resolution, Surface, contacts, contacts_by};
/// let car = Mesh::build(&sample::car().to_soup(), &MeshConfig::default())?;
/// let car = Surface::new(&Body::try_from(&Shape::from(car))?).expect("it is a mesh");
/// let start = Pose::from_translation(DVec3::new(-7.0, 0.5, 0.1))?;
/// let skid = Screw::new(DVec3::Z, DVec3::new(-7.0, 30.5, 0.0), 0.25, 0.0)?;
/// let (at, config) = (Pose::IDENTITY, ContactsConfig::default());
/// let ask = |engine| contacts_by(engine, &car, &at, &car, &start, &skid, Moving::Second, &config);
/// let exact = contacts(&car, &at, &car, &start, &skid, Moving::Second, &config);
/// let coarse = Resolution::per_short_edge(1.0, [&car, &car], &car, &start, &skid)?;
/// assert_eq!(ask(Engine::Filtered(coarse)), exact);
/// let fine = Resolution::per_short_edge(Resolution::HIGH, [&car, &car], &car, &start, &skid)?;
/// let seen = ask(Engine::Screen(fine));
/// assert!((seen[0].lower..=seen[0].upper).contains(&exact[0].lower));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[expect(clippy::too_many_arguments, reason = "two bodies, two poses, a motion, what is asked and how")]
pub fn contacts_by(
    engine: Engine,
    a: &Surface,
    pose_a: &Pose,
    b: &Surface,
    pose_b: &Pose,
    screw: &Screw,
    moving: Moving,
    config: &ContactsConfig,
) -> Vec<ScrewContact> {
    let stats = &mut ScrewStats::default();
    match engine {
        Engine::Analytic => contacts_with(a, pose_a, b, pose_b, screw, moving, config, stats),
        Engine::Screen(resolution) => {
            Screen::default().contacts(a, pose_a, b, pose_b, screw, moving, config, resolution)
        }
        Engine::Filtered(resolution) => {
            contacts_after_screen(a, pose_a, b, pose_b, screw, moving, config, resolution, stats)
        }
    }
}

/// [`Engine::Filtered`], counting what was looked at.
#[expect(clippy::too_many_arguments, reason = "two bodies, two poses, a motion, what is asked and how")]
pub fn contacts_after_screen(
    a: &Surface,
    pose_a: &Pose,
    b: &Surface,
    pose_b: &Pose,
    screw: &Screw,
    moving: Moving,
    config: &ContactsConfig,
    resolution: Resolution,
    stats: &mut ScrewStats,
) -> Vec<ScrewContact> {
    let alive = match moving {
        Moving::Second => super::filter::alive([a, b], [pose_a, pose_b], screw, resolution),
        Moving::First => super::filter::alive([b, a], [pose_b, pose_a], screw, resolution),
    };
    contacts_among(alive, a, pose_a, b, pose_b, screw, moving, config, stats)
}
