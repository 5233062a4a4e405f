//! Poses, screws, boxes, intervals, sine and cosine with an enclosure, and seeded random numbers.

mod aabb;
pub(crate) mod double;
mod enclosed_pose;
mod interval;
mod patience;
mod pose;
mod random;
pub(crate) mod round;
mod screw;
mod steady;
pub(crate) mod trig;
mod turn;

pub use aabb::Aabb;
pub use enclosed_pose::{EnclosedPose, PoseDeviation};
pub use interval::{Interval, Interval3};
pub(crate) use patience::Patience;
pub use pose::{Pose, PoseError};
pub use random::Random;
pub use screw::{ANGLE_LIMIT, Screw, ScrewError};
pub use steady::SteadyMotion;
pub use trig::{SinCos, angle_of, angles_of, sin_cos, sin_cos_of_product, sin_cos_of_products, sin_cos_over};
pub(crate) use turn::{Turn, coarse_angle};
