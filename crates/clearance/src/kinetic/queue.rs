//! What comes next, in an order that depends on nothing but times and keys.

use super::roots::Bracket;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// A time with its key: earlier ends first, then earlier beginnings, then smaller keys.
#[derive(Clone, Copy, Debug)]
struct Entry<K> {
    time: Bracket,
    key: K,
}

impl<K: Ord> Ord for Entry<K> {
    fn cmp(&self, other: &Entry<K>) -> Ordering {
        let times = self.time.upper.total_cmp(&other.time.upper);
        times.then(self.time.lower.total_cmp(&other.time.lower)).then_with(|| self.key.cmp(&other.key))
    }
}

impl<K: Ord> PartialOrd for Entry<K> {
    fn partial_cmp(&self, other: &Entry<K>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Ord> PartialEq for Entry<K> {
    fn eq(&self, other: &Entry<K>) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<K: Ord> Eq for Entry<K> {}

/// Keys with the times at which something is to be done about them. It knows nothing of geometry.
///
/// An entry is due at the upper end of its bracket: what is examined then has happened, whatever the exact time was. Entries
/// with equal brackets come in the order of their keys.
#[derive(Clone, Debug)]
pub struct Queue<K> {
    entries: BTreeSet<Entry<K>>,
    /// No bracket was ever wider.
    widest: f64,
}

impl<K: Ord + Copy> Default for Queue<K> {
    fn default() -> Queue<K> {
        Queue { entries: BTreeSet::new(), widest: 0.0 }
    }
}

impl<K: Ord + Copy> Queue<K> {
    /// Adds an entry; the same entry twice is one.
    pub fn insert(&mut self, key: K, time: Bracket) {
        self.widest = self.widest.max((time.upper - time.lower).next_up());
        self.entries.insert(Entry { time, key });
    }

    /// Takes an entry out, if it is there.
    pub fn remove(&mut self, key: K, time: Bracket) -> bool {
        self.entries.remove(&Entry { time, key })
    }

    /// The entry that is due first.
    pub fn first(&self) -> Option<(K, Bracket)> {
        self.entries.first().map(|entry| (entry.key, entry.time))
    }

    /// The entries whose brackets have begun before a time and end after it, if none is due until then.
    pub fn begun_before(&self, t: f64) -> Vec<(K, Bracket)> {
        let near = self.entries.iter().take_while(|entry| entry.time.upper - self.widest <= t);
        near.filter(|entry| entry.time.lower < t).map(|entry| (entry.key, entry.time)).collect()
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing is due ever.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simultaneous_entries_come_in_the_order_of_their_keys() {
        let at = |lower: f64, upper: f64| Bracket { lower, upper };
        let entries =
            [(3, at(1.0, 2.0)), (1, at(1.5, 2.0)), (2, at(1.0, 2.0)), (9, at(0.0, 1.0)), (0, at(-1.0, 7.0))];
        for turn in 0..entries.len() {
            let mut queue = Queue::default();
            for i in 0..entries.len() {
                let (key, time) = entries[(i + turn) % entries.len()];
                queue.insert(key, time);
            }
            assert_eq!(queue.len(), entries.len());
            let mut order = Vec::new();
            while let Some((key, time)) = queue.first() {
                assert!(queue.remove(key, time));
                order.push(key);
            }
            assert_eq!(order, [9, 2, 3, 1, 0]);
            assert!(queue.is_empty());
        }
    }
}
