//! Slow and obvious reference implementations, used by every test.
