//! The proof that a polytope is one.

use super::{Polytope, PolytopeDefect};

impl Polytope {
    /// placeholder
    pub fn validate(&self) -> Result<(), PolytopeDefect> {
        Ok(())
    }
}
