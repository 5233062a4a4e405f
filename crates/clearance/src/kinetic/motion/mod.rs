//! How bodies move: exact functions of time.
//!
//! A motion is a chain of rigid steps, each a turn about the origin and then a translation: polynomials of time for the
//! translation and for the tangent of half the angle of the turn, and a uniform turn. Stored floats are the truth: the
//! image of a float point at a float time is a rational point, or one with sines and cosines of rational angles.

pub(crate) mod frame;
mod plan;

pub use plan::{Plan, PlanError};

use crate::tolerance::COORDINATE_LIMIT;
use glam::DVec2;

/// Most coefficients of one polynomial of a motion.
///
/// A certificate's polynomial has up to five times this degree, and exact roots cost the cube of that.
pub const COEFFICIENT_LIMIT: usize = 17;

/// Most rigid steps of one motion.
pub const STEP_LIMIT: usize = 8;

/// Why numbers make no motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MotionError {
    /// A coefficient is infinite, not a number, or too large.
    #[error("coefficient {index} is {problem}: motions take finite numbers up to 2^300")]
    Coefficient {
        /// Its index in its polynomial.
        index: usize,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A polynomial has too many coefficients.
    #[error(
        "{count} coefficients in one polynomial: at most {COEFFICIENT_LIMIT}, split the motion into pieces"
    )]
    Degree {
        /// How many it has.
        count: usize,
    },
    /// Too many steps.
    #[error("more than {STEP_LIMIT} rigid steps in one motion")]
    Steps,
}

/// One turn about the origin and one translation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step {
    /// Polynomials of time for both coordinates, the lowest coefficient first.
    pub(crate) translation: [Vec<f64>; 2],
    /// The tangent of half the angle, as a polynomial of time.
    pub(crate) half_angle: Vec<f64>,
    /// A further turn in radians: at time zero, and in a unit of time.
    pub(crate) angle: f64,
    pub(crate) rate: f64,
}

impl Step {
    fn still() -> Step {
        Step { translation: [Vec::new(), Vec::new()], half_angle: Vec::new(), angle: 0.0, rate: 0.0 }
    }

    pub(crate) fn is_uniform_turn(&self) -> bool {
        self.angle != 0.0 || self.rate != 0.0
    }
}

/// A rigid motion of the plane as an exact function of time; time counts from the start of the plan's piece.
///
/// ```
/// use clearance::{glam::DVec2, kinetic::Motion};
/// // Starts at (0, 3), moves right, falls, and makes half a turn when the tangent 0.25 t of half its angle is infinite.
/// let thrown = Motion::translation(&[0.0, 2.0], &[3.0, 0.0, -4.9])?.turning(&[0.0, 0.25])?;
/// assert!((thrown.position_near(DVec2::X, 1.0) - DVec2::new(2.0 + 15.0 / 17.0, -1.9 + 8.0 / 17.0)).length() < 1e-12);
/// # Ok::<(), clearance::kinetic::MotionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// The first is applied first.
    pub(crate) steps: Vec<Step>,
}

impl Motion {
    /// No motion: the body stays where its coordinates say.
    pub fn still() -> Motion {
        Motion { steps: vec![Step::still()] }
    }

    /// A translation whose coordinates are polynomials of time, the lowest coefficient first.
    pub fn translation(x: &[f64], y: &[f64]) -> Result<Motion, MotionError> {
        let step = Step { translation: [coefficients(x)?, coefficients(y)?], ..Step::still() };
        Ok(Motion { steps: vec![step] })
    }

    /// A translation with constant velocity.
    pub fn linear(position: DVec2, velocity: DVec2) -> Result<Motion, MotionError> {
        Motion::translation(&[position.x, velocity.x], &[position.y, velocity.y])
    }

    /// A turn about the origin, the tangent of half its angle a polynomial of time. Exact at all float times.
    pub fn half_angle(tangent: &[f64]) -> Result<Motion, MotionError> {
        Motion::still().turning(tangent)
    }

    /// A uniform turn about the origin: `angle + rate t` in radians.
    pub fn spin(angle: f64, rate: f64) -> Result<Motion, MotionError> {
        Motion::still().spinning(angle, rate)
    }

    /// This motion, the body turned about its own origin before: the tangent of half the angle is a polynomial of time.
    pub fn turning(mut self, tangent: &[f64]) -> Result<Motion, MotionError> {
        let tangent = coefficients(tangent)?;
        match self.steps.first_mut() {
            Some(first) if first.half_angle.is_empty() => first.half_angle = tangent,
            _ => self.steps.insert(0, Step { half_angle: tangent, ..Step::still() }),
        }
        self.checked()
    }

    /// This motion, the body turned about its own origin before, by `angle + rate t` in radians.
    pub fn spinning(mut self, angle: f64, rate: f64) -> Result<Motion, MotionError> {
        coefficients(&[angle, rate])?;
        match self.steps.first_mut() {
            Some(first) if !first.is_uniform_turn() => (first.angle, first.rate) = (angle, rate),
            _ => self.steps.insert(0, Step { angle, rate, ..Step::still() }),
        }
        self.checked()
    }

    /// This motion and then another one, which carries it along.
    pub fn carried_by(mut self, outer: &Motion) -> Result<Motion, MotionError> {
        self.steps.extend(outer.steps.iter().cloned());
        self.checked()
    }

    /// This motion of a body whose coordinates are counted from `pivot`: turns go about that point of the body.
    pub fn about(mut self, pivot: DVec2) -> Result<Motion, MotionError> {
        let back = Motion::translation(&[-pivot.x], &[-pivot.y])?;
        self.steps.splice(0..0, back.steps);
        self.checked()
    }

    fn checked(self) -> Result<Motion, MotionError> {
        if self.steps.len() > STEP_LIMIT { Err(MotionError::Steps) } else { Ok(self) }
    }

    /// Whether sines and cosines are in it: no rational function of time.
    pub fn is_trigonometric(&self) -> bool {
        self.steps.iter().any(Step::is_uniform_turn)
    }

    /// Where a point of the body is at a time, rounded: for pictures.
    pub fn position_near(&self, point: DVec2, t: f64) -> DVec2 {
        self.steps.iter().fold(point, |p, step| {
            let value = |c: &[f64]| c.iter().rev().fold(0.0, |sum, c| sum * t + c);
            let h = value(&step.half_angle);
            let (cos, sin) = ((1.0 - h * h) / (1.0 + h * h), 2.0 * h / (1.0 + h * h));
            let p = DVec2::new(cos, sin).rotate(p);
            let turn = crate::math::sin_cos_of_product(step.rate, t);
            let spun = DVec2::new(turn.cos.middle(), turn.sin.middle()).rotate(p);
            let start = crate::math::sin_cos(step.angle);
            let spun = DVec2::new(start.cos.middle(), start.sin.middle()).rotate(spun);
            spun + DVec2::new(value(&step.translation[0]), value(&step.translation[1]))
        })
    }
}

/// A polynomial's coefficients without zeros at its end.
fn coefficients(given: &[f64]) -> Result<Vec<f64>, MotionError> {
    let count = given.len();
    if count > COEFFICIENT_LIMIT {
        return Err(MotionError::Degree { count });
    }
    let problem = |x: f64| match x.abs() {
        size if size <= COORDINATE_LIMIT => None,
        size if size.is_finite() => Some("too large"),
        _ => Some("not finite"),
    };
    if let Some((index, problem)) =
        given.iter().enumerate().find_map(|(index, &x)| Some((index, problem(x)?)))
    {
        return Err(MotionError::Coefficient { index, problem });
    }
    let length = given.iter().rposition(|&x| x != 0.0).map_or(0, |last| last + 1);
    Ok(given[..length].to_vec())
}
