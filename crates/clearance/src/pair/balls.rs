//! Two balls, one around each body: the cheapest proof that bodies which turn little from frame to frame are apart.
//!
//! Balls that were disjoint are looked at again in later frames, and nothing else is: two centers are moved. They need no
//! direction, because that from center to center is the best one in every frame.

use super::view::{Along, View};
use crate::math::Pose;
use crate::math::round::power_of_two;
use crate::support::{Identity, SupportMap};
use glam::DVec3;

/// How much of a gap the balls may take.
const SHARE: f64 = 0.2;

/// The least gap, by the radii of the bodies, that is worth it.
const LEAST_GAP: f64 = 1.0 / 128.0;

/// What a pose stretches a ball by at most, `1.5e-9`, and all that is relative to the radii.
const STRETCH: f64 = power_of_two(-28);

/// More than the rounding of centers that are moved, relative to how far out they are.
const ROUNDING: f64 = power_of_two(-40);

/// Squares in this range have lost nothing to underflow or overflow.
const SAFE: std::ops::Range<f64> = power_of_two(-600)..power_of_two(600);

/// Balls around two bodies, in their frames.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Balls {
    /// What the balls are around; nothing is proved of others.
    a: Option<Identity>,
    b: Option<Identity>,
    center_a: DVec3,
    center_b: DVec3,
    /// Centers that are farther apart than this, squared, prove that the bodies are.
    square: f64,
}

/// Where directions are going.
pub(super) struct Lead<'a> {
    /// A unit direction of a frame before.
    pub last: &'a Along,
    /// How far ahead of it balls are to fit best, in times the way gone since.
    pub ahead: f64,
}

impl Lead<'_> {
    #[inline(always)]
    fn of(&self, now: DVec3, last: DVec3, length: f64) -> DVec3 {
        now * (1.0 + self.ahead) - last * (self.ahead * length)
    }
}

impl Balls {
    /// Around two bodies that are apart along a direction, or seem to be.
    ///
    /// With `S` the sum of the radii and `C` that of the distances of the centers from the origins, in frames of their bodies:
    /// under a pose `R^T R` is one up to `1e-9` an entry, so lengths grow by less than `1.51e-9`, and bodies are apart if
    /// the centers are by more than `S (1 + 1.51e-9)`. The difference `w` of the centers is computed with an error of
    /// `10u C + 3u |w|` (each is turned with `5.4u` of its length, the offset is not longer than `|w| + C`), its square with
    /// `3u`: all that is below `STRETCH S + ROUNDING C`.
    #[inline(always)]
    pub fn around(view: &View<'_>, along: &Along, lead: &Lead<'_>) -> Option<Balls> {
        let square = along.world.length_squared();
        if !SAFE.contains(&square) {
            return None;
        }
        let length = square.sqrt();
        let (along_a, along_b) = (lead.of(along.a, lead.last.a, length), lead.of(along.b, lead.last.b, length));
        let unit = view.unit();
        let vertices = (view.a.top_for_ball(along_a * unit), view.b.top_for_ball(along_b * unit));
        let lift = SHARE * view.gap(along, vertices) / length;
        let ball_a = view.a.ball(along_a, vertices.0, lift)?;
        let ball_b = view.b.ball(along_b, vertices.1, lift)?;
        let sum = ball_a.radius + ball_b.radius;
        let distance = sum * (1.0 + STRETCH)
            + ROUNDING * (ball_a.center.abs().element_sum() + ball_b.center.abs().element_sum());
        let square = distance * distance;
        SAFE.contains(&square).then(|| Balls {
            a: Some(view.a.identity()),
            b: Some(view.b.identity()),
            center_a: ball_a.center,
            center_b: ball_b.center,
            square,
        })
    }

    /// Whether a gap along a direction is wide enough for balls.
    #[inline]
    pub fn have_room(view: &View<'_>, along: &Along, gap: f64) -> bool {
        gap > LEAST_GAP * along.world.abs().element_sum() * (view.a.radius() + view.b.radius())
    }

    /// Whether they prove two bodies disjoint.
    #[inline(always)]
    pub fn are_apart(&self, a: &SupportMap, pose_a: &Pose, b: &SupportMap, pose_b: &Pose) -> bool {
        self.are_around(a, b) && self.between(pose_a, pose_b).length_squared() > self.square
    }

    #[inline(always)]
    pub fn are_around(&self, a: &SupportMap, b: &SupportMap) -> bool {
        self.a == Some(a.identity()) && self.b == Some(b.identity())
    }

    /// From center to center.
    #[inline(always)]
    pub fn between(&self, pose_a: &Pose, pose_b: &Pose) -> DVec3 {
        let offset = pose_b.translation() - pose_a.translation();
        offset + (pose_b.rotation() * self.center_b - pose_a.rotation() * self.center_a)
    }
}
