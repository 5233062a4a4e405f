//! Changing the unit of coordinates with as little rounding as possible.

use crate::LengthUnit;
use clearance::glam::DVec3;

/// From coordinates in one unit to the same lengths in another.
///
/// All units are whole numbers of micrometres, so one unit is mostly a whole multiple of the other, and
/// then each coordinate is rounded once (and not at all towards the smaller unit, within 53 bits).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conversion {
    times: f64,
    over: f64,
}

impl Conversion {
    /// The conversion between two units.
    pub fn between(from: LengthUnit, to: LengthUnit) -> Conversion {
        let [from, to] = [from, to].map(|unit| (unit.metres() * 1e6).round() as u64);
        let common = greatest_common_divisor(from, to);
        Conversion { times: (from / common) as f64, over: (to / common) as f64 }
    }

    /// The vector in the other unit.
    pub fn apply(self, vector: DVec3) -> DVec3 {
        vector * self.times / self.over
    }
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_units_convert_without_noise() {
        let one = |from, to| Conversion::between(from, to).apply(DVec3::ONE).x;
        assert_eq!(one(LengthUnit::Metre, LengthUnit::Millimetre), 1000.0);
        assert_eq!(one(LengthUnit::Millimetre, LengthUnit::Metre), 0.001);
        assert_eq!(one(LengthUnit::Inch, LengthUnit::Millimetre), 25.4);
        assert_eq!(one(LengthUnit::Foot, LengthUnit::Inch), 12.0);
        assert_eq!(one(LengthUnit::Micrometre, LengthUnit::Metre), 1e-6);
        for unit in LengthUnit::ALL {
            assert_eq!(Conversion::between(unit, unit), Conversion { times: 1.0, over: 1.0 });
        }
    }
}
