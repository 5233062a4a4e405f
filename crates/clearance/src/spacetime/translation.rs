//! Two bodies that move without turning: who goes where, and when.

use crate::exact::{Approximation, Vector};
use crate::math::Pose;
use crate::tolerance::COORDINATE_LIMIT;
use glam::DVec3;

/// Where velocities live.
static REST: Pose = Pose::IDENTITY;

/// Two bodies in straight translation from `t0` to `t1`.
///
/// The poses that a query takes are those at `t0`; at `t` a body has moved by its velocity times `t - t0`, as real
/// numbers. Velocities are exact: three `f64`, or the difference of two translations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Translation {
    moves: [Move; 2],
    /// Where both velocities come from two poses: what the relative velocity is a difference of.
    ends: Option<[Pose; 2]>,
    t0: f64,
    t1: f64,
}

/// A velocity `to - from`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Move {
    from: DVec3,
    to: DVec3,
}

/// Why numbers are no translation in time.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum TranslationError {
    /// A velocity is not finite or too large.
    #[error("the velocity of {body} is {value}; its coordinates must be finite and at most 2^300 in size")]
    Velocity {
        /// 'A' or 'B'.
        body: char,
        /// As given.
        value: DVec3,
    },
    /// A time is not finite or too large.
    #[error("{name} is {value}; it must be finite and at most 2^300 in size")]
    Time {
        /// "t0" or "t1".
        name: &'static str,
        /// As given.
        value: f64,
    },
    /// The end comes first.
    #[error("the motion ends at {t1}, before it begins at {t0}; swap t0 and t1")]
    Order {
        /// The start.
        t0: f64,
        /// The end.
        t1: f64,
    },
    /// The body turns.
    #[error(
        "body {body} turns between its poses: their rotations differ; translation needs equal rotations, bit for bit, \
         and for a motion that turns use the screw query"
    )]
    Turns {
        /// 'A' or 'B'.
        body: char,
    },
}

impl Translation {
    /// From two velocities and two times, `t0 <= t1`, all finite and at most `2^300` in size.
    pub fn new(
        velocity_a: DVec3,
        velocity_b: DVec3,
        t0: f64,
        t1: f64,
    ) -> Result<Translation, TranslationError> {
        for (body, value) in [('A', velocity_a), ('B', velocity_b)] {
            if !value.is_finite() || value.abs().max_element() > COORDINATE_LIMIT {
                return Err(TranslationError::Velocity { body, value });
            }
        }
        for (name, value) in [("t0", t0), ("t1", t1)] {
            if !value.is_finite() || value.abs() > COORDINATE_LIMIT {
                return Err(TranslationError::Time { name, value });
            }
        }
        if t0 > t1 {
            return Err(TranslationError::Order { t0, t1 });
        }
        let moves = [velocity_a, velocity_b].map(|to| Move { from: DVec3::ZERO, to });
        // -0.0 would be written back as such.
        Ok(Translation { moves, ends: None, t0: t0 + 0.0, t1: t1 + 0.0 })
    }

    /// From the poses at `t0 = 0` and at `t1 = 1`. The velocities are the exact differences of the translations.
    ///
    /// # Errors
    /// A body whose rotations differ: it turns, and the query for that is the screw one. A body that goes too far.
    pub fn between(a: [&Pose; 2], b: [&Pose; 2]) -> Result<Translation, TranslationError> {
        for (body, [from, to]) in [('A', a), ('B', b)] {
            let bits = |pose: &Pose| pose.rotation().to_cols_array().map(f64::to_bits);
            if bits(from) != bits(to) {
                return Err(TranslationError::Turns { body });
            }
        }
        let moves = [a, b].map(|[from, to]| Move { from: from.translation(), to: to.translation() });
        let end = |body, moved: Move| {
            let refused = TranslationError::Velocity { body, value: moved.to - moved.from };
            Pose::from_translation(moved.to).map_err(|_| refused)
        };
        let ends = Some([end('A', moves[0])?, end('B', moves[1])?]);
        Ok(Translation { moves, ends, t0: 0.0, t1: 1.0 })
    }

    /// When it begins.
    pub fn t0(&self) -> f64 {
        self.t0
    }

    /// When it ends.
    pub fn t1(&self) -> f64 {
        self.t1
    }

    /// The velocity of A, rounded if it comes from poses.
    pub fn velocity_a(&self) -> DVec3 {
        self.moves[0].to - self.moves[0].from
    }

    /// The velocity of B, rounded if it comes from poses.
    pub fn velocity_b(&self) -> DVec3 {
        self.moves[1].to - self.moves[1].from
    }

    /// The velocity of B seen from A, exactly.
    #[inline]
    pub fn relative_velocity(&self) -> Vector<'_> {
        let [a, b] = &self.moves;
        match &self.ends {
            None => Vector::Between(REST.at(a.to), REST.at(b.to)),
            // (to_b - from_b) - (to_a - from_a), as a difference of two moved points.
            Some([end_a, end_b]) => Vector::Between(end_a.at(b.from), end_b.at(a.from)),
        }
    }

    /// The same in floats.
    #[inline]
    pub(crate) fn approximate_velocity(&self) -> Approximation {
        match self.ends {
            None => {
                let value = self.moves[1].to - self.moves[0].to;
                Approximation { value, size: value.abs().element_sum() }
            }
            Some(_) => self.relative_velocity().approximate(),
        }
    }

    /// The same motion with the bodies exchanged.
    pub fn swapped(&self) -> Translation {
        let ([a, b], ends) = (self.moves, self.ends.map(|[a, b]| [b, a]));
        Translation { moves: [b, a], ends, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_motion_is_refused_by_name() {
        let new = |v: f64, t0: f64, t1: f64| Translation::new(DVec3::ZERO, DVec3::splat(v), t0, t1);
        assert!(new(1.0, 0.0, 0.0).is_ok());
        assert!(matches!(new(f64::NAN, 0.0, 1.0), Err(TranslationError::Velocity { body: 'B', .. })));
        assert!(matches!(new(1e100, 0.0, 1.0), Err(TranslationError::Velocity { .. })));
        assert!(matches!(new(1.0, f64::INFINITY, 1.0), Err(TranslationError::Time { name: "t0", .. })));
        assert!(matches!(new(1.0, 1.0, 0.5), Err(TranslationError::Order { .. })));
        let turned = Pose::from_axis_angle(DVec3::X, 0.1, DVec3::ZERO).unwrap();
        let error = Translation::between([&Pose::IDENTITY; 2], [&Pose::IDENTITY, &turned]).unwrap_err();
        assert!(error.to_string().contains("screw"), "{error}");
    }

    #[test]
    fn velocities_between_poses_are_exact() {
        let at = |x: f64| Pose::from_translation(DVec3::new(x, 0.0, 0.0)).unwrap();
        let motion = Translation::between([&at(1.0), &at(1.0)], [&at(1e-30), &at(1.0)]).unwrap();
        let slower = Translation::new(DVec3::ZERO, DVec3::X, 0.0, 1.0).unwrap();
        // 1 - 1e-30 rounds to 1 and is less.
        let (exact, one) = (motion.relative_velocity(), slower.relative_velocity());
        assert_eq!(motion.velocity_b(), DVec3::X);
        let gap = crate::exact::BigVector::from(one).minus(&crate::exact::BigVector::from(exact));
        assert!(gap.coordinate(0).sign().is_positive());
        let swapped = motion.swapped();
        let back = swapped.relative_velocity();
        assert!(crate::exact::BigVector::from(back).coordinate(0).sign().is_negative());
    }
}
