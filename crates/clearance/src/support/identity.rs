//! Which body is which.

use std::num::NonZeroU64;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many bodies were told apart so far.
static COUNT: AtomicU64 = AtomicU64::new(0);

/// A number that no other body of this run of the program has; clones of a body, which never changes, share it.
///
/// What is proved of a body and kept elsewhere is tied to it by this, as addresses are given again. Numbers are compared for
/// equality alone: nothing depends on the order in which bodies were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity(NonZeroU64);

impl Identity {
    pub(super) fn new() -> Identity {
        Identity(NonZeroU64::MIN.saturating_add(COUNT.fetch_add(1, Ordering::Relaxed)))
    }
}
