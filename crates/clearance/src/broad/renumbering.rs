//! Other ids for the same bodies.

use super::IdPair;

/// No body any more.
const NOBODY: u32 = u32::MAX;

/// Bodies are given other ids, in the same order: so that lists by id are as long as there are bodies, or have room between some.
pub(crate) struct Renumbering {
    /// By new id what it was, and by old id what it is.
    from: Vec<Option<u32>>,
    to: Vec<u32>,
}

impl Renumbering {
    /// By new id the old one, ascending; none for an id that is free. All old ids are below `end`.
    pub fn new(from: Vec<Option<u32>>, end: usize) -> Renumbering {
        let mut to = vec![NOBODY; end];
        for (new, old) in (0..).zip(&from) {
            if let Some(old) = *old {
                to[old as usize] = new;
            }
        }
        Renumbering { from, to }
    }

    /// What an id is now. Those from the end on, which pairs of bodies that went may still have, stay above all others.
    pub fn id(&self, old: u32) -> u32 {
        let beyond = || old - self.to.len() as u32 + self.from.len() as u32;
        self.to.get(old as usize).copied().unwrap_or_else(beyond)
    }

    /// What a pair is now.
    pub fn pair(&self, old: IdPair) -> IdPair {
        IdPair::new(self.id(old.a()), self.id(old.b()))
    }

    /// Puts the items of a list by id where they belong now; what has no body gets this one.
    pub fn apply<T: Clone>(&self, list: &mut Vec<T>, nothing: T) {
        let mut take = |old: &Option<u32>| {
            let item = old.and_then(|old| list.get_mut(old as usize));
            item.map_or_else(|| nothing.clone(), |item| std::mem::replace(item, nothing.clone()))
        };
        *list = self.from.iter().map(&mut take).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_kept_and_lists_follow() {
        let renumbering = Renumbering::new(vec![Some(2), None, Some(5)], 6);
        assert_eq!([2, 5, 6, 9].map(|old| renumbering.id(old)), [0, 2, 3, 6]);
        assert_eq!(renumbering.pair(IdPair::new(5, 2)), IdPair::new(0, 2));
        let mut list: Vec<u32> = (10..14).collect();
        renumbering.apply(&mut list, 0);
        assert_eq!(list, [12, 0, 0], "the list had nothing for the last one");
    }
}
