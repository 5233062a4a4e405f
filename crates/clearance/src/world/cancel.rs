//! A flag that ends long calls.

use super::WorldError;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set by one thread, seen by a long call of another, which then ends with [`WorldError::Cancelled`].
#[derive(Debug, Default)]
pub struct Cancel(AtomicBool);

impl Cancel {
    /// A flag that is not set.
    pub const fn new() -> Cancel {
        Cancel(AtomicBool::new(false))
    }

    /// Sets it.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it is set.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn check(&self) -> Result<(), WorldError> {
        if self.is_cancelled() { Err(WorldError::Cancelled) } else { Ok(()) }
    }
}

/// Never set.
pub(super) static NEVER: Cancel = Cancel::new();
