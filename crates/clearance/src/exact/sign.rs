//! The answer of every predicate.

/// The exact sign of a real number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    /// Below zero.
    Negative = -1,
    /// Exactly zero.
    Zero = 0,
    /// Above zero.
    Positive = 1,
}

impl Sign {
    /// Whether the number is below zero.
    pub const fn is_negative(self) -> bool {
        matches!(self, Sign::Negative)
    }

    /// Whether the number is exactly zero.
    pub const fn is_zero(self) -> bool {
        matches!(self, Sign::Zero)
    }

    /// Whether the number is above zero.
    pub const fn is_positive(self) -> bool {
        matches!(self, Sign::Positive)
    }
}

impl std::ops::Neg for Sign {
    type Output = Sign;

    fn neg(self) -> Sign {
        match self {
            Sign::Negative => Sign::Positive,
            Sign::Zero => Sign::Zero,
            Sign::Positive => Sign::Negative,
        }
    }
}

/// The sign of a product.
impl std::ops::Mul for Sign {
    type Output = Sign;

    fn mul(self, other: Sign) -> Sign {
        match (self, other) {
            (Sign::Zero, _) | (_, Sign::Zero) => Sign::Zero,
            (a, b) if a == b => Sign::Positive,
            _ => Sign::Negative,
        }
    }
}
