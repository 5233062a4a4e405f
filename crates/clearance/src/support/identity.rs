//! Which body is which.

use std::sync::atomic::{AtomicU64, Ordering};

/// How many bodies were told apart so far.
static COUNT: AtomicU64 = AtomicU64::new(0);

/// A number that no other body of this run of the program has; clones of a body, which never changes, share it. The default is
/// that of no body.
///
/// What is proved of a body and kept elsewhere is tied to it by this, as addresses are given again. Numbers are compared for
/// equality alone: nothing depends on the order in which bodies were made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Identity(u64);

impl Identity {
    pub(super) fn new() -> Identity {
        Identity(1 + COUNT.fetch_add(1, Ordering::Relaxed))
    }
}
