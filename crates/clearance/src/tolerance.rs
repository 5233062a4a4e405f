//! Every named tolerance and limit: its unit, its meaning and the test that forced it.

/// Largest size of a coordinate that a constructor accepts, `2^300`.
///
/// Products of three such numbers stay finite in `f64`, so float filters of cubic predicates
/// never overflow on accepted input.
pub const COORDINATE_LIMIT: f64 = f64::from_bits(((1023 + 300) as u64) << 52);

/// Most points that one polytope accepts, `2^28`.
///
/// A triangulated hull of `n` points has at most `6n` half-edges, and these are counted in `u32`.
pub const POINT_COUNT_LIMIT: usize = 1 << 28;

/// Smallest positive size (an edge, a radius, a normal's largest entry) that a primitive accepts, `2^-500`.
///
/// Squares of accepted sizes are normal floats, so the stated relative errors of support functions
/// hold without a term for underflow.
pub const SIZE_MINIMUM: f64 = f64::from_bits(((1023 - 500) as u64) << 52);

/// Largest accepted `max |R^T R - I|` of a rotation matrix; coarser input goes through `Pose::nearest`.
pub const ROTATION_DEFECT_LIMIT: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_the_powers_of_two_they_name() {
        assert_eq!(COORDINATE_LIMIT, 2f64.powi(300));
        assert_eq!(SIZE_MINIMUM, 2f64.powi(-500));
    }
}
