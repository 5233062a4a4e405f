//! Separation certificates in the plane that fail only when something happens [Erickson99].

pub mod hierarchy;
