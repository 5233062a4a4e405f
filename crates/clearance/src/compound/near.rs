//! The parts of a compound that are near to any other body.

use super::hierarchy::{Below, Compound};
use crate::support::SupportMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

impl Compound {
    /// Visits parts, near ones first. `at_least` gives a number that is not negative, and not above the distance of a hull; `visit`
    /// looks at a part and returns a limit: parts with hulls farther away than the last one are left out.
    ///
    /// # Errors
    /// Those of `visit`, which end the search.
    pub(crate) fn visit_near<E>(
        &self,
        at_least: impl Fn(&SupportMap) -> f64,
        mut visit: impl FnMut(usize) -> Result<f64, E>,
    ) -> Result<(), E> {
        // Bits of floats that are not negative are ordered as these are.
        let mut open = BinaryHeap::from([Reverse((0, self.root()))]);
        let mut limit = f64::INFINITY;
        while let Some(Reverse((bits, node))) = open.pop() {
            if f64::from_bits(bits) > limit {
                break;
            }
            match self.below(node) {
                Below::Part(part) => limit = visit(part as usize)?,
                Below::Nodes(children) => {
                    let gaps = children.map(|child| ((at_least(self.hull_at(child)) + 0.0).to_bits(), child));
                    open.extend(gaps.map(Reverse));
                }
            }
        }
        Ok(())
    }
}
