//! How a part of a scene moves: what `sweep`, `clash` and their pictures share.

use clearance::{
    Pose,
    glam::DVec3,
    math::{Screw, SteadyMotion},
    screw, spacetime,
};
use clearance_io::scene::{Motion, Movement};

/// The path of a part.
#[derive(Clone, Debug, PartialEq)]
pub enum Path {
    /// It stays where it is.
    Rest,
    /// By this vector between two times.
    Straight { displacement: DVec3, t0: f64, t1: f64 },
    /// On a screw.
    Turning(Box<screw::Journey>),
    /// Free flight, which has no end, or a way beyond the range of coordinates.
    Unknown,
}

/// An animation has a frame for every so many radians,
const FRAME: f64 = 0.05;
/// and not more than these for one part.
const MOST_FRAMES: f64 = 2000.0;

impl Path {
    /// The path of a part that is at a pose before it moves.
    pub fn of(pose: &Pose, motion: Option<Motion>) -> Path {
        let Some(Motion { t0, t1, movement }) = motion else { return Path::Rest };
        match movement {
            Movement::Translate { displacement } => Path::straight(pose, displacement, t0, t1),
            Movement::To { pose: to } if to.rotation() == pose.rotation() => {
                Path::straight(pose, to.translation() - pose.translation(), t0, t1)
            }
            Movement::To { pose: end } => {
                let (screw, _) = Screw::between(pose, &end);
                Path::Turning(Box::new(screw::Journey { t0, t1, motion: screw.into(), end }))
            }
            Movement::Screw { screw } if screw.angle() == 0.0 && screw.shift() == 0.0 => Path::Rest,
            Movement::Screw { screw } => match screw.pose_at(1.0, pose) {
                Some((end, _)) => {
                    Path::Turning(Box::new(screw::Journey { t0, t1, motion: screw.into(), end }))
                }
                None => Path::Unknown,
            },
            Movement::Fly { .. } => Path::Unknown,
        }
    }

    fn straight(pose: &Pose, displacement: DVec3, t0: f64, t1: f64) -> Path {
        let ends = [displacement, pose.translation() + displacement].map(Pose::from_translation);
        match ends.iter().all(Result::is_ok) {
            _ if displacement == DVec3::ZERO => Path::Rest,
            true => Path::Straight { displacement, t0, t1 },
            false => Path::Unknown,
        }
    }

    pub fn is_turning(&self) -> bool {
        matches!(self, Path::Turning(_))
    }

    /// From when to when; `None` at rest.
    pub fn times(&self) -> Option<[f64; 2]> {
        match self {
            &Path::Straight { t0, t1, .. } => Some([t0, t1]),
            Path::Turning(journey) => Some([journey.t0, journey.t1]),
            Path::Rest | Path::Unknown => None,
        }
    }

    /// As a displacement, if it is one.
    pub fn leg(&self) -> Option<spacetime::Leg> {
        match *self {
            Path::Straight { displacement, t0, t1 } => Some(spacetime::Leg { t0, t1, displacement }),
            Path::Rest | Path::Turning(_) | Path::Unknown => None,
        }
    }

    /// As a journey of a part that is at a pose before it, turning or not; `None` at rest.
    pub fn journey(&self, pose: &Pose) -> Option<screw::Journey> {
        match self {
            Path::Turning(journey) => Some(**journey),
            &Path::Straight { displacement, t0, t1 } => {
                let motion =
                    SteadyMotion::from_velocities(displacement, DVec3::ZERO, pose.translation()).ok()?;
                let end = Pose::new(pose.rotation(), pose.translation() + displacement).ok()?;
                Some(screw::Journey { t0, t1, motion: motion.into(), end })
            }
            Path::Rest | Path::Unknown => None,
        }
    }

    /// How far a straight path has led at a time; exact at the start and the end, rounded in between.
    pub fn moved(&self, t: f64) -> DVec3 {
        match *self {
            Path::Straight { t0, .. } if t <= t0 => DVec3::ZERO,
            Path::Straight { displacement, t1, .. } if t >= t1 => displacement,
            Path::Straight { displacement, t0, t1 } => displacement * ((t - t0) / (t1 - t0)),
            Path::Rest | Path::Turning(_) | Path::Unknown => DVec3::ZERO,
        }
    }

    /// Where the part is at a time, rounded; `None` beyond the range of coordinates.
    pub fn pose_at(&self, t: f64, pose: &Pose) -> Option<Pose> {
        match self {
            Path::Turning(journey) => journey.pose_at(t, pose),
            straight => match straight.moved(t) {
                DVec3::ZERO => Some(*pose),
                by => Pose::new(pose.rotation(), pose.translation() + by).ok(),
            },
        }
    }

    /// The screw of a part that turns.
    pub fn screw(&self) -> Option<Screw> {
        match self {
            Path::Turning(journey) => match journey.motion {
                screw::Motion::Screw(screw) => Some(screw),
                _ => None,
            },
            _ => None,
        }
    }

    /// Times between which straight lines and even turns look like the motion.
    fn frames(&self) -> Vec<f64> {
        let Some([t0, t1]) = self.times() else { return Vec::new() };
        let angle = self.screw().map_or(0.0, |screw| screw.angle().abs());
        let count = (angle / FRAME).ceil().clamp(1.0, MOST_FRAMES);
        (0..=count as u32).map(|k| t0 + (t1 - t0) * (f64::from(k) / count)).collect()
    }
}

/// The times of an animation of several parts from a start to an end, increasing also in single precision; at least the start.
pub fn frames<'a>(paths: impl IntoIterator<Item = &'a Path>, start: f64, end: f64) -> Vec<f64> {
    let near = 1e-5 * (end - start);
    let mut times: Vec<f64> = paths.into_iter().flat_map(Path::frames).collect();
    times.retain(|&t| t > start + near && t < end - near);
    times.sort_by(f64::total_cmp);
    times.insert(0, start);
    times.dedup_by(|next, kept| *next - *kept <= near);
    if end > start {
        times.push(end);
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rotations_are_translations_and_others_screws() {
        let pose =
            |angle: f64, x: f64| Pose::from_axis_angle(DVec3::Z, angle, DVec3::new(x, 0.0, 0.0)).unwrap();
        let to = |pose| Some(Motion { t0: 1.0, t1: 3.0, movement: Movement::To { pose } });
        let start = pose(0.3, 1.0);
        assert_eq!(Path::of(&start, None), Path::Rest);
        assert_eq!(Path::of(&start, to(start)), Path::Rest);
        let straight = Path::Straight { displacement: DVec3::new(4.0, 0.0, 0.0), t0: 1.0, t1: 3.0 };
        assert_eq!(Path::of(&start, to(pose(0.3, 5.0))), straight);
        let end = pose(1.3, 5.0);
        let turning = Path::of(&start, to(end));
        assert!((turning.screw().unwrap().angle() - 1.0).abs() < 1e-12);
        assert_eq!(turning.pose_at(0.0, &start), Some(start));
        assert_eq!(turning.pose_at(3.0, &start), Some(end));
        let half = turning.pose_at(2.0, &start).unwrap().rotation() * DVec3::X;
        assert!((half - DVec3::new(0.8f64.cos(), 0.8f64.sin(), 0.0)).length() < 1e-12);
    }

    #[test]
    fn frames_are_fine_enough_for_the_turn_and_increase_in_single_precision() {
        let screw = Screw::new(DVec3::Z, DVec3::ZERO, 3.0, 0.0).unwrap();
        let path =
            Path::of(&Pose::IDENTITY, Some(Motion { t0: 0.0, t1: 1.0, movement: Movement::Screw { screw } }));
        let slide = Path::Straight { displacement: DVec3::X, t0: 0.5 + 1e-12, t1: 7.0 };
        for end in [0.5, 0.7, 0.7 + 1e-9, 7.0] {
            let times = frames([&path, &slide, &Path::Rest], 0.0, end);
            assert!(times.windows(2).all(|t| (t[0] as f32) < t[1] as f32), "{times:?}");
            assert_eq!((times[0], *times.last().unwrap()), (0.0, end));
            let turning = times.windows(2).filter(|t| t[1] <= 1.0).map(|t| 3.0 * (t[1] - t[0]));
            assert!(turning.fold(0.0, f64::max) <= 0.06, "{times:?}");
        }
        assert_eq!(frames([&path], 2.0, 2.0), [2.0]);
    }
}
