//! Why a primitive was refused.

use crate::tolerance::{COORDINATE_LIMIT, SIZE_MINIMUM};
use glam::DVec3;

/// A number that no primitive accepts: which field, its value, the limit and what to do.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PrimitiveError {
    /// A NaN or an infinity.
    #[error("{field} is {value}; give a finite number")]
    NotFinite {
        /// The field, such as `radius` or `corner_a.x`.
        field: &'static str,
        /// What was given.
        value: f64,
    },
    /// Larger than [`COORDINATE_LIMIT`].
    #[error("{field} is {value:e}, above the limit of 2^300 in size; choose a larger unit of length")]
    TooLarge {
        /// The field.
        field: &'static str,
        /// What was given.
        value: f64,
    },
    /// A size that is zero or negative.
    #[error("{field} is {value}; a size must be positive (use a segment, triangle or point for a flat body)")]
    NotPositive {
        /// The field.
        field: &'static str,
        /// What was given.
        value: f64,
    },
    /// A positive size below [`SIZE_MINIMUM`].
    #[error("{field} is {value:e}, below the limit of 2^-500 for a size; choose a smaller unit of length")]
    TooSmall {
        /// The field.
        field: &'static str,
        /// What was given.
        value: f64,
    },
    /// A normal whose entries are all below [`SIZE_MINIMUM`] in size, or zero.
    #[error("normal is ({:?}, {:?}, {:?}), too short to have a direction; multiply normal and offset by the same number", .normal.x, .normal.y, .normal.z)]
    NoDirection {
        /// What was given.
        normal: DVec3,
    },
}

/// A finite number of size at most the coordinate limit.
pub(crate) fn coordinate(field: &'static str, value: f64) -> Result<f64, PrimitiveError> {
    if !value.is_finite() {
        Err(PrimitiveError::NotFinite { field, value })
    } else if value.abs() > COORDINATE_LIMIT {
        Err(PrimitiveError::TooLarge { field, value })
    } else {
        Ok(value)
    }
}

/// A coordinate that is a positive size.
pub(crate) fn size(field: &'static str, value: f64) -> Result<f64, PrimitiveError> {
    coordinate(field, value)?;
    if value <= 0.0 {
        Err(PrimitiveError::NotPositive { field, value })
    } else if value < SIZE_MINIMUM {
        Err(PrimitiveError::TooSmall { field, value })
    } else {
        Ok(value)
    }
}

/// Three sizes.
pub(crate) fn sizes(fields: [&'static str; 3], value: DVec3) -> Result<DVec3, PrimitiveError> {
    for (field, value) in fields.into_iter().zip(value.to_array()) {
        size(field, value)?;
    }
    Ok(value)
}

/// Three coordinates.
pub(crate) fn position(fields: [&'static str; 3], value: DVec3) -> Result<DVec3, PrimitiveError> {
    for (field, value) in fields.into_iter().zip(value.to_array()) {
        coordinate(field, value)?;
    }
    Ok(value)
}
