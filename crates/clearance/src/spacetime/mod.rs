//! Bodies in straight translation, with time as one more dimension [Joseph87].

pub mod lattice;
