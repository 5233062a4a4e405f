//! Random numbers that are the same everywhere.

use glam::DVec3;

/// The splitmix64 generator (Steele, Lea and Flood 2014): one addition and a mix per number.
///
/// The same seed gives the same bits on every platform and in every version of this crate.
///
/// ```
/// use clearance::shape::sample::Random;
/// assert_eq!(Random::new(7).next_u64(), Random::new(7).next_u64());
/// ```
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A generator for a seed; every seed is fine.
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// 64 uniform bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in `[0, 1)`, a multiple of `2^-53`.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (f64::EPSILON / 2.0)
    }

    /// Uniform in `[low, high)`, up to rounding.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Uniform in `0..count`, with a bias below `count / 2^64`; zero if `count` is zero.
    pub fn below(&mut self, count: usize) -> usize {
        ((self.next_u64() as u128 * count as u128) >> 64) as usize
    }

    /// Uniform on the unit sphere, within a few units in the last place.
    pub fn direction(&mut self) -> DVec3 {
        loop {
            let [x, y, z] = std::array::from_fn(|_| self.between(-1.0, 1.0));
            let v = DVec3::new(x, y, z);
            let square = v.length_squared();
            // Rejection from the cube; short vectors would lose digits.
            if (1e-4..=1.0).contains(&square) {
                return v / square.sqrt();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_are_those_of_the_reference_implementation() {
        let mut random = Random::new(1_234_567);
        let numbers = [(); 3].map(|()| random.next_u64());
        assert_eq!(numbers, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }

    #[test]
    fn numbers_stay_in_their_range() {
        let mut random = Random::new(3);
        for _ in 0..1000 {
            assert!((0.0..1.0).contains(&random.unit()));
            assert!(random.below(7) < 7);
            assert!((random.direction().length() - 1.0).abs() < 1e-15);
        }
        assert_eq!(random.below(0), 0);
    }
}
