//! Time, measured so that two candidates can be compared within one run.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Least time of `rounds` runs, candidates taking turns so that all see the same load.
pub fn least_times<const N: usize>(rounds: usize, mut candidates: [&mut dyn FnMut(); N]) -> [Duration; N] {
    let mut least = [Duration::MAX; N];
    for _ in 0..rounds {
        for (candidate, best) in candidates.iter_mut().zip(&mut least) {
            let start = Instant::now();
            candidate();
            *best = (*best).min(start.elapsed());
        }
    }
    least
}

/// The least time of some passes, and what the last one gave.
pub fn least<T>(passes: usize, pass: &mut (impl FnMut() -> T + ?Sized)) -> (Duration, T) {
    let mut timed = || {
        let start = Instant::now();
        let found = black_box(pass());
        (start.elapsed(), found)
    };
    let (mut least, mut last) = timed();
    for _ in 1..passes {
        let (time, found) = timed();
        (least, last) = (least.min(time), found);
    }
    (least, last)
}

/// The clock of the processor as it runs now, about, in GHz: results beside times of another machine depend on it.
///
/// A chain of multiplications of which each waits for the one before: three cycles on current processors.
pub fn clock() -> f64 {
    const LINKS: u32 = 1 << 18;
    let chain = || (0..LINKS).fold(black_box(3u64), |x, _| x.wrapping_mul(x));
    let (time, _) = least(20, &mut || black_box(chain()));
    3.0 * f64::from(LINKS) / time.as_secs_f64() * 1e-9
}

/// Nanoseconds for one of `count` operations.
pub fn nanoseconds_each(time: Duration, count: usize) -> f64 {
    time.as_secs_f64() * 1e9 / count as f64
}

/// A duration in a unit that keeps three or four digits.
pub fn human(time: Duration) -> String {
    let ns = time.as_secs_f64() * 1e9;
    match ns {
        n if n < 1e4 => format!("{n:.0} ns"),
        n if n < 1e7 => format!("{:.1} us", n / 1e3),
        n if n < 1e10 => format!("{:.1} ms", n / 1e6),
        n => format!("{:.2} s", n / 1e9),
    }
}

/// Numbers of bodies to run with: those in `LAB_BODIES`, separated by commas, or all.
pub fn numbers_of_bodies(all: &[usize]) -> Vec<usize> {
    match std::env::var("LAB_BODIES") {
        Ok(list) => list.split(',').filter_map(|number| number.trim().parse().ok()).collect(),
        Err(_) => all.to_vec(),
    }
}
