//! Contestants that take turns over the same frames; shared by `broad` and `world`.

use crate::broad_rivals::Threads;
use std::time::Duration;

/// One that takes part: what it is, its least time for a turn, and what it found last.
pub struct Contestant<S: ?Sized, L> {
    pub name: &'static str,
    pub is_ours: bool,
    pub least: Duration,
    pub last: L,
    pub system: Box<S>,
}

impl<S: ?Sized, L: Default> Contestant<S, L> {
    pub fn new(name: &'static str, is_ours: bool, system: Box<S>) -> Contestant<S, L> {
        Contestant { name, is_ours, least: Duration::MAX, last: L::default(), system }
    }
}

/// All contestants after their turns of so many frames; ours by default comes first.
pub struct Outcome<S: ?Sized, L> {
    pub contestants: Vec<Contestant<S, L>>,
    pub frames: usize,
}

impl<S: ?Sized, L> Outcome<S, L> {
    /// The mean time of a frame in the least turn.
    pub fn milliseconds(&self, contestant: &Contestant<S, L>) -> f64 {
        contestant.least.as_secs_f64() * 1e3 / self.frames as f64
    }

    pub fn ours(&self) -> f64 {
        self.milliseconds(&self.contestants[0])
    }

    pub fn of(&self, name: &str) -> Option<&Contestant<S, L>> {
        self.contestants.iter().find(|contestant| contestant.name == name)
    }

    /// The fastest rival among those that count.
    pub fn fastest_rival(&self, counts: impl Fn(&Contestant<S, L>) -> bool) -> Option<(&'static str, f64)> {
        let rivals = self.contestants.iter().filter(|c| !c.is_ours && counts(c));
        rivals.map(|c| (c.name, self.milliseconds(c))).min_by(|a, b| a.1.total_cmp(&b.1))
    }
}

/// Measures every configuration on one thread and on two.
pub fn on_one_and_two<C: Copy + Send + Sync, T: Send>(
    configs: &[C],
    measure: impl Fn(C, Threads) -> T + Sync,
) -> [Vec<(C, T)>; 2] {
    [(1, Threads::One), (2, Threads::All)].map(|(threads, kind)| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| configs.iter().map(|&config| (config, measure(config, kind))).collect())
    })
}
