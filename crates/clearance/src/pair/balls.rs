//! Two balls, one around each body: the cheapest proof that bodies which turn little from frame to frame are apart.
//!
//! Balls that were disjoint are looked at again in later frames, and nothing else is: two centers are moved. They need no
//! direction, because that from center to center is the best one in every frame.

use super::view::{Along, View};
use crate::math::round::power_of_two;
use crate::math::{Patience, Pose};
use crate::support::{Ball, Identity, SupportMap};
use glam::{DMat3, DVec3};
use wide::f64x2;

/// How much of a gap the balls may take.
const SHARE: f64 = 0.2;

/// The least gap that is worth it, in units of its error.
const LEAST_ROOM: f64 = 1.0 / 400.0 / (15.0 * f64::EPSILON);

/// How far ahead balls fit best, in times the way of the direction while the last ones stood, and in the last frame.
const AHEAD_OF_BALLS: f64 = 0.6;
const AHEAD_OF_FRAME: f64 = 2.0;

/// What is added to the radii, relative to them and to the reaches of the bodies: what balls ask for, and as much again for poses.
const GROWTH: f64 = 2.0 * Ball::ROUNDING;

/// Squares in this range have lost nothing to underflow or overflow.
const SAFE: std::ops::Range<f64> = power_of_two(-600)..power_of_two(600);

/// After how many frames balls are tried again at most.
const MOST_FRAMES_WITHOUT: u32 = 31;

/// Balls around two bodies while they are apart, put up anew where they are not for long.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Enclosure {
    balls: Balls,
    /// Frames that balls settled.
    frames: u64,
    patience: Patience<MOST_FRAMES_WITHOUT>,
    /// Whether there are balls, or are to be in the next frame.
    is_due: bool,
    /// The gap in the last frame without balls, times the length of the direction remembered; see [`Balls::around`].
    room: f64,
}

impl Enclosure {
    /// Frames that balls settled.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Whether balls prove the bodies disjoint. Nothing but a counter is written, so that frames do not wait for each other.
    #[inline(always)]
    pub fn look(&mut self, a: &SupportMap, pose_a: &Pose, b: &SupportMap, pose_b: &Pose) -> Look {
        if !self.balls.are_around(a, b) {
            return Look::NoBalls;
        }
        let between = self.balls.between(pose_a, pose_b);
        if between.length_squared() > self.balls.square {
            self.frames += 1;
            return Look::Apart;
        }
        Look::Between(between)
    }

    /// Takes the balls away.
    #[inline(always)]
    pub fn end(&mut self) {
        (self.balls.bodies, self.is_due) = (Default::default(), false);
    }

    /// Whether balls are to be put up in this frame.
    #[inline(always)]
    pub fn is_due(&self) -> bool {
        self.is_due
    }

    /// Hears that the bodies are apart by a gap that may err by so much: whether the next frame is worth balls.
    #[inline(always)]
    pub fn expect(&mut self, gap: f64, error: f64) {
        self.room = gap;
        self.is_due = gap > LEAST_ROOM * error && !self.patience.is_waiting();
    }

    /// From ball to ball, if there are any: a direction that separates the bodies they were put around, if they do.
    pub fn direction(&self, pose_a: &Pose, pose_b: &Pose) -> Option<DVec3> {
        (self.balls.bodies != [Identity::default(); 2]).then(|| self.balls.between(pose_a, pose_b))
    }

    /// Puts up balls along a direction, that from ball to ball if there are any around these bodies; whether they prove the bodies
    /// disjoint. The last direction tells where it is going.
    #[inline(always)]
    pub fn renew(&mut self, view: &View<'_>, along: &Along, last: &Along, had_balls: bool) -> bool {
        let (ahead, square) = match had_balls {
            // Balls that are not apart any more only just touch.
            true => (AHEAD_OF_BALLS, self.balls.square),
            false => (AHEAD_OF_FRAME, along.world.length_squared()),
        };
        let squares = [square, last.world.length_squared()];
        let balls = Balls::around(view, [along, last], squares, ahead, &mut self.room);
        self.is_due = balls.is_some();
        let Some(balls) = balls else {
            self.balls = Balls::default();
            self.patience.failed();
            return false;
        };
        self.balls = balls;
        if had_balls {
            self.patience.succeeded();
        }
        true
    }
}

/// What balls tell of a frame.
pub(super) enum Look {
    NoBalls,
    /// The bodies are apart.
    Apart,
    /// They touch: the way from one center to the other.
    Between(DVec3),
}

/// Balls around two bodies, in their frames.
#[derive(Clone, Copy, Debug, Default)]
struct Balls {
    /// What the balls are around, if anything; nothing is proved of other bodies.
    bodies: [Identity; 2],
    /// What the numbers of a pose are multiplied by to move the centers: a frame reads them as they are, and spreads nothing.
    of_a: [f64x2; 5],
    of_b: [f64x2; 5],
    /// Centers that are farther apart than this, squared, prove that the bodies are.
    square: f64,
}

impl Balls {
    /// Around two bodies that are apart along a direction, or seem to be: balls that prove it, if there are.
    ///
    /// With `S` the sum of the radii, `r` that of the reaches and `C` that of the distances of the centers from the origins, in frames of
    /// their bodies, `C <= S + r`: under a pose `R^T R` is one up to `1e-9` an entry, so lengths grow by less than `1.51e-9`, and
    /// bodies are apart if the centers are by more than `S (1 + 1.51e-9)`. The difference `w` of the centers is a sum of four terms for
    /// each coordinate, at most `1.74 C + C + |w|` in length, with an error of `4u` of that, and its square errs by `3u`: all that is
    /// below half of [`GROWTH`], and the other half is what balls ask for.
    ///
    /// That direction and the last one are given with the squares of their lengths, about, and with the gap, which becomes that along
    /// this one, about: times the length of the direction, or of the way from center to center, which is the next one.
    #[inline(always)]
    fn around(
        view: &View<'_>,
        [along, last]: [&Along; 2],
        squares: [f64; 2],
        ahead: f64,
        room: &mut f64,
    ) -> Option<Balls> {
        if !squares.iter().all(|square| SAFE.contains(square)) {
            return None;
        }
        let [now, before] = squares.map(inverse_root);
        // Ahead by so much of the way from the last direction, which is known early: this one waits for two operations.
        let (of_this, of_last) = (now * (1.0 + ahead), before * ahead);
        let ahead = |along: DVec3, last: DVec3| along * of_this - last * of_last;
        // Both tops come before both balls: the processor does not see far enough ahead to look for them side by side else, and takes
        // 11 % longer with bodies of 20 vertices.
        let (top_a, top_b) = (view.a.top(ahead(along.a, last.a)), view.b.top(ahead(along.b, last.b)));
        let lift = SHARE * *room * now;
        let (ball_a, ball_b) = (view.a.ball(&top_a, lift)?, view.b.ball(&top_b, lift)?);
        let reaches = view.a.reach() + view.b.reach();
        let distance = (ball_a.radius + ball_b.radius) * (1.0 + GROWTH) + reaches * GROWTH;
        let balls = Balls {
            bodies: [view.a.identity(), view.b.identity()],
            of_a: factors(ball_a.center),
            of_b: factors(ball_b.center),
            square: distance * distance,
        };
        let square = balls.between(view.pose_a, view.pose_b).length_squared();
        let are_apart = SAFE.contains(&balls.square) && square > balls.square;
        *room = 0.5 * (square - balls.square) + 2.0 * lift * distance;
        are_apart.then_some(balls)
    }

    /// Whether they prove two bodies disjoint.
    #[cfg(test)]
    fn are_apart(&self, a: &SupportMap, pose_a: &Pose, b: &SupportMap, pose_b: &Pose) -> bool {
        self.are_around(a, b) && self.between(pose_a, pose_b).length_squared() > self.square
    }

    #[inline(always)]
    fn are_around(&self, a: &SupportMap, b: &SupportMap) -> bool {
        self.bodies == [a.identity(), b.identity()]
    }

    /// From center to center.
    ///
    /// The twelve numbers of a pose are read two by two as they lie, and no lane is filled from two places.
    #[inline(always)]
    fn between(&self, pose_a: &Pose, pose_b: &Pose) -> DVec3 {
        let (terms_a, terms_b) = (terms(pose_a, &self.of_a), terms(pose_b, &self.of_b));
        let between: [f64x2; 6] = std::array::from_fn(|i| terms_b[i] - terms_a[i]);
        let [[x, y], [z, other_x], [other_y, other_z]] =
            [0, 1, 2].map(|i| (between[i] + between[i + 3]).to_array());
        DVec3::new(x + other_x, y + other_y, z + other_z)
    }
}

/// The inverse of a root within 3.5 %, some thirty cycles sooner than by a root and a quotient, for which everything else would wait.
///
/// Read as an integer, a float is about `2^52` times its logarithm and 1023. So half of it is taken from `2^52` times three halves of 1023,
/// less what makes errors of both signs equal.
#[inline(always)]
fn inverse_root(square: f64) -> f64 {
    f64::from_bits(0x5fe6_eb50_c7b5_37a9 - (square.to_bits() >> 1))
}

/// What [`terms`] multiplies the first ten numbers of a pose by.
#[inline(always)]
fn factors(center: DVec3) -> [f64x2; 5] {
    let DVec3 { x, y, z } = center;
    [[x, x], [x, y], [y, y], [z, z], [z, 1.0]].map(f64x2::new)
}

/// Four terms of each coordinate of a point under a pose: xy, zx, yz, xy, zx, yz.
#[inline(always)]
fn terms(pose: &Pose, [xx, xy, yy, zz, z1]: &[f64x2; 5]) -> [f64x2; 6] {
    let (DMat3 { x_axis: x, y_axis: y, z_axis: z }, at) = (pose.rotation_ref(), pose.translation_ref());
    let two = |first: &f64, second: &f64| f64x2::new([*first, *second]);
    [
        two(&x.x, &x.y) * *xx,
        two(&x.z, &y.x) * *xy,
        two(&y.y, &y.z) * *yy,
        two(&z.x, &z.y) * *zz,
        two(&z.z, &at.x) * *z1,
        two(&at.y, &at.z),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::{Relation, relation};
    use super::*;
    use crate::math::Random;
    use crate::shape::sample::{PolytopeKind, random_direction, random_polytope};

    fn balls_around(view: &View<'_>, along: &Along) -> Option<Balls> {
        let squares = [along.world.length_squared(); 2];
        Balls::around(view, [along; 2], squares, 0.0, &mut view.gap(along, view.starts(along.world)))
    }

    /// Where balls only just prove it, the bodies are apart exactly: B is moved until the balls touch.
    #[test]
    fn what_balls_prove_is_true_up_to_where_they_touch() {
        let mut random = Random::new(12);
        let mut put_up = 0;
        for round in 0..600 {
            let kind = [PolytopeKind::Ellipsoid, PolytopeKind::ThinRod, PolytopeKind::Plate][round % 3];
            let count = [4, 20, 64, 100][round % 4];
            let [a, b] = [(); 2].map(|()| {
                SupportMap::new(random_polytope(kind, count, random.below(1 << 30)).expect("a sample"))
            });
            let (pose_a, towards) = (Pose::skew(&mut random, DVec3::ONE), random_direction(&mut random));
            let mut pose_b = Pose::skew(&mut random, DVec3::ONE + towards * 2.2);
            let view = View::new(&a, &pose_a, &b, &pose_b);
            let along = view.along(view.between_centroids());
            let Some(balls) = balls_around(&view, &along) else { continue };
            put_up += 1;
            // Newton along the line of the centers, then by the last bits.
            for _ in 0..4 {
                let between = balls.between(&pose_a, &pose_b);
                let closer = between * (balls.square.sqrt() * (1.0 + 1e-14) / between.length() - 1.0);
                pose_b = Pose::new(pose_b.rotation(), pose_b.translation() + closer).expect("a pose");
            }
            let is_proved = balls.are_apart(&a, &pose_a, &b, &pose_b);
            assert!(!is_proved || relation(&a, &pose_a, &b, &pose_b) == Relation::Disjoint, "round {round}");
            assert!(is_proved, "moved too far in round {round}");
        }
        assert!(put_up > 500, "{put_up}");
    }

    #[test]
    fn inverse_roots_are_good_to_a_few_parts_in_a_hundred() {
        let mut random = Random::new(13);
        let worst = (-600..600).map(|exponent| {
            let square = random.range(1.0, 2.0) * 2f64.powi(exponent);
            (inverse_root(square) * square.sqrt() - 1.0).abs()
        });
        let worst = worst.fold(0.0, f64::max);
        assert!((0.03..0.035).contains(&worst), "{worst}");
    }

    #[test]
    fn balls_prove_nothing_of_other_bodies() {
        let sample =
            |seed| SupportMap::new(random_polytope(PolytopeKind::Ellipsoid, 20, seed).expect("a sample"));
        let (a, b) = (sample(1), sample(2));
        let (pose_a, pose_b) = (Pose::IDENTITY, Pose::from_translation(DVec3::X * 2.5).expect("a pose"));
        let view = View::new(&a, &pose_a, &b, &pose_b);
        let along = view.along(DVec3::X);
        let balls = balls_around(&view, &along).expect("balls");
        assert!(balls.are_apart(&a, &pose_a, &b, &pose_b));
        assert!(balls.are_apart(&a.clone(), &pose_a, &b.clone(), &pose_b), "a clone is the same body");
        assert!(!balls.are_apart(&b, &pose_a, &a, &pose_b));
        assert!(!balls.are_apart(&sample(1), &pose_a, &b, &pose_b));
        assert!(!Balls::default().are_apart(&a, &pose_a, &b, &pose_b));
    }
}
