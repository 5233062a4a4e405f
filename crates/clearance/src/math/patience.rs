//! When to try again what failed of late.

/// How often something is tried that may fail: less often with every failure in a row, at least once in `MOST + 1` times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Patience<const MOST: u32> {
    wait: u32,
    last_wait: u32,
}

impl<const MOST: u32> Patience<MOST> {
    /// Whether to leave it out this time.
    #[inline]
    pub fn is_waiting(&mut self) -> bool {
        let waits = self.wait > 0;
        self.wait -= u32::from(waits);
        waits
    }

    pub fn succeeded(&mut self) {
        self.last_wait = 0;
    }

    pub fn failed(&mut self) {
        self.last_wait = (2 * self.last_wait + 1).min(MOST);
        self.wait = self.last_wait;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_make_it_wait_longer_and_success_does_not() {
        let mut patience = Patience::<5>::default();
        let waits = |patience: &mut Patience<5>| (0..9).take_while(|_| patience.is_waiting()).count();
        for want in [1, 3, 5, 5] {
            patience.failed();
            assert_eq!(waits(&mut patience), want);
        }
        patience.succeeded();
        patience.failed();
        assert_eq!(waits(&mut patience), 1);
    }
}
