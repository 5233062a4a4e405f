//! Why a sample could not be made.

/// A parameter no sample of this family accepts.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{sample}: {parameter} is {value}; {need}")]
pub struct SampleError {
    /// The family, such as `gear`.
    pub sample: &'static str,
    /// The parameter.
    pub parameter: &'static str,
    /// What was given.
    pub value: f64,
    /// What is needed, as advice.
    pub need: &'static str,
}

/// Checks of one family's parameters.
#[derive(Clone, Copy)]
pub(super) struct Check(pub &'static str);

impl Check {
    /// The error, if the condition does not hold.
    pub fn that(
        self,
        condition: impl FnOnce() -> bool,
        parameter: &'static str,
        value: f64,
        need: &'static str,
    ) -> Result<(), SampleError> {
        if condition() { Ok(()) } else { Err(SampleError { sample: self.0, parameter, value, need }) }
    }

    /// A length between `1e-60` and `1e60`, which every sample accepts.
    pub fn length(self, parameter: &'static str, value: f64) -> Result<(), SampleError> {
        let need = "give a positive length between 1e-60 and 1e60";
        self.that(|| (1e-60..=1e60).contains(&value), parameter, value, need)
    }

    /// A count between a smallest and a largest one.
    pub fn count(
        self,
        parameter: &'static str,
        value: u32,
        range: std::ops::RangeInclusive<u32>,
        need: &'static str,
    ) -> Result<(), SampleError> {
        self.that(|| range.contains(&value), parameter, f64::from(value), need)
    }
}
