//! A flag that ends long calls.

use super::WorldError;
#[cfg(feature = "oracle")]
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set by one thread, seen by a long call of another, which then ends with [`WorldError::Cancelled`].
///
/// Calls look at it at each pair of bodies that they relate, and once at the end: between two looks lies no more than one pair,
/// or the search for bounds that meet.
#[derive(Debug, Default)]
pub struct Cancel {
    is_set: AtomicBool,
    /// Looks until it sets itself; never, if it is none.
    #[cfg(feature = "oracle")]
    looks_left: Option<AtomicUsize>,
}

impl Cancel {
    /// A flag that is not set.
    pub const fn new() -> Cancel {
        Cancel {
            is_set: AtomicBool::new(false),
            #[cfg(feature = "oracle")]
            looks_left: None,
        }
    }

    /// A flag that sets itself when it was looked at so often, for tests of calls that end in the middle.
    #[cfg(feature = "oracle")]
    pub const fn after(looks: usize) -> Cancel {
        Cancel { is_set: AtomicBool::new(false), looks_left: Some(AtomicUsize::new(looks)) }
    }

    /// Sets it.
    pub fn cancel(&self) {
        self.is_set.store(true, Ordering::Relaxed);
    }

    /// Whether it is set.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        #[cfg(feature = "oracle")]
        self.count();
        self.is_set.load(Ordering::Relaxed)
    }

    #[cfg(feature = "oracle")]
    #[inline]
    fn count(&self) {
        let Some(left) = &self.looks_left else { return };
        let less = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        if less.is_err() {
            self.cancel();
        }
    }

    #[inline]
    pub(super) fn check(&self) -> Result<(), WorldError> {
        if self.is_cancelled() { Err(WorldError::Cancelled) } else { Ok(()) }
    }
}

/// Never set.
pub(super) static NEVER: Cancel = Cancel::new();
