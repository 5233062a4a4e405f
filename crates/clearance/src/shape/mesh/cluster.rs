//! Disjoint sets.

/// Disjoint sets of `0..n`; the root of each is its smallest member.
pub(super) struct Clusters {
    parent: Vec<u32>,
}

impl Clusters {
    /// Every number on its own.
    pub fn new(count: usize) -> Clusters {
        Clusters { parent: (0..count as u32).collect() }
    }

    /// The smallest member of an item's set.
    pub fn root(&mut self, mut item: u32) -> u32 {
        while self.parent[item as usize] != item {
            let above = self.parent[self.parent[item as usize] as usize];
            self.parent[item as usize] = above;
            item = above;
        }
        item
    }

    /// Makes one set of two.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    /// The set of each item, sets numbered by smallest member.
    pub fn labels(mut self) -> Vec<u32> {
        let mut labels: Vec<u32> = Vec::with_capacity(self.parent.len());
        let mut count = 0;
        for item in 0..self.parent.len() as u32 {
            let root = self.root(item);
            if root == item {
                labels.push(count);
                count += 1;
            } else {
                labels.push(labels[root as usize]);
            }
        }
        labels
    }
}
