//! Growth of counts: local slopes with bootstrap intervals, and models compared [limits of what may be claimed].

use clearance::math::Random;

/// One run: how close it was (`x`, the diameter over the least distance, or a number of vertices), and what it cost.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub x: f64,
    pub events: f64,
    pub steps: f64,
}

/// Runs by point of the sweep, then by seed; none where the bodies met.
pub type Runs = Vec<Vec<Option<Run>>>;

/// What is fitted of a run.
pub type Count = fn(&Run) -> f64;

/// A number with its 95 % interval.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl std::fmt::Display for Estimate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.2} [{:.2}, {:.2}]", self.value, self.low, self.high)
    }
}

/// How a slope is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// The logarithm of the count against that of `x`: an exponent.
    Exponent,
    /// The count itself against `log10 x`: a number for each decade.
    PerDecade,
}

/// The mean of a point's runs and the logarithm of where it is, of these seeds.
fn mean(point: &[Option<Run>], seeds: &[usize], count: Count) -> Option<(f64, f64)> {
    let runs: Vec<Run> = seeds.iter().filter_map(|&seed| point[seed]).collect();
    let number = runs.len() as f64;
    (number > 0.0).then(|| {
        (
            runs.iter().map(|run| run.x.ln()).sum::<f64>() / number,
            runs.iter().map(count).sum::<f64>() / number,
        )
    })
}

/// Means by point: `log10 x` and the count.
pub fn means(runs: &Runs, count: Count) -> Vec<(f64, f64)> {
    let all: Vec<usize> = (0..runs.first().map_or(0, Vec::len)).collect();
    let points = runs.iter().filter_map(|point| mean(point, &all, count));
    points.map(|(x, y)| (x / std::f64::consts::LN_10, y)).collect()
}

fn slope(points: &[&[Option<Run>]], seeds: &[usize], count: Count, scale: Scale) -> f64 {
    let points: Vec<(f64, f64)> = points
        .iter()
        .filter_map(|point| mean(point, seeds, count))
        .map(|(x, y)| match scale {
            Scale::Exponent => (x, y.max(0.1).ln()),
            Scale::PerDecade => (x / std::f64::consts::LN_10, y),
        })
        .collect();
    line(&points).1
}

/// Intercept and slope of the least-squares line.
fn line(points: &[(f64, f64)]) -> (f64, f64) {
    let number = points.len() as f64;
    let (mx, my) = points.iter().fold((0.0, 0.0), |(a, b), p| (a + p.0 / number, b + p.1 / number));
    let across: f64 = points.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum();
    let spread: f64 = points.iter().map(|p| (p.0 - mx).powi(2)).sum();
    (my - across / spread * mx, across / spread)
}

/// The slope of some points of the sweep.
///
/// Points are drawn again as well as seeds: counts are stairs, and where seeds agree it matters most where the steps lie.
pub fn local_slope(points: &[Vec<Option<Run>>], count: Count, scale: Scale) -> Estimate {
    bootstrapped(points, Drawn::SeedsAndPoints, |points, seeds| slope(points, seeds, count, scale))
}

/// The largest ratio of the mean count to a bound among points of the sweep.
pub fn largest_ratio(points: &[Vec<Option<Run>>], count: Count, bound: impl Fn(f64) -> f64) -> Estimate {
    bootstrapped(points, Drawn::Seeds, |points, seeds| {
        let means = points.iter().filter_map(|point| mean(point, seeds, count));
        means.map(|(x, y)| y / bound(x.exp())).fold(f64::NEG_INFINITY, f64::max)
    })
}

/// What is drawn again, with replacement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Drawn {
    Seeds,
    SeedsAndPoints,
}

/// A number made of the runs of some seeds: seeds are drawn again, each with all of its runs.
fn bootstrapped(
    points: &[Vec<Option<Run>>],
    what: Drawn,
    number: impl Fn(&[&[Option<Run>]], &[usize]) -> f64,
) -> Estimate {
    const DRAWS: usize = 400;
    let seeds = points.first().map_or(0, Vec::len);
    let points: Vec<&[Option<Run>]> = points.iter().map(Vec::as_slice).collect();
    let mut random = Random::new(1);
    let mut draw =
        |number: usize| -> Vec<usize> { (0..number).map(|_| random.below(number as u64) as usize).collect() };
    let mut drawn: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let chosen = draw(seeds);
            match what {
                Drawn::Seeds => number(&points, &chosen),
                Drawn::SeedsAndPoints => {
                    let some: Vec<_> = draw(points.len()).into_iter().map(|i| points[i]).collect();
                    number(&some, &chosen)
                }
            }
        })
        .filter(|number| number.is_finite())
        .collect();
    drawn.sort_by(f64::total_cmp);
    let at = |share: f64| drawn.get((share * drawn.len() as f64) as usize).copied().unwrap_or(f64::NAN);
    let all: Vec<usize> = (0..seeds).collect();
    Estimate { value: number(&points, &all), low: at(0.025), high: at(0.975) }
}

/// Two models of two parameters each, on the same runs.
#[derive(Clone, Copy, Debug)]
pub struct Models {
    /// `a + b log10 x`: b.
    pub per_decade: f64,
    /// `a x^p`: p.
    pub exponent: f64,
    /// Akaike's number of the power less that of the logarithm: positive where the logarithm fits better.
    pub power_less_log: f64,
}

/// Fits both by least squares of the counts.
pub fn models(runs: &Runs, count: Count) -> Models {
    let all: Vec<(f64, f64)> = runs.iter().flatten().flatten().map(|run| (run.x.ln(), count(run))).collect();
    let number = all.len() as f64;
    let (a, b) = line(&all);
    let logarithm: f64 = all.iter().map(|(x, y)| (y - a - b * x).powi(2)).sum();
    let power = |p: f64| {
        let (top, bottom) = all.iter().fold((0.0, 0.0), |(top, bottom), (x, y)| {
            (top + y * (p * x).exp(), bottom + (2.0 * p * x).exp())
        });
        let factor = top / bottom;
        all.iter().map(|(x, y)| (y - factor * (p * x).exp()).powi(2)).sum::<f64>()
    };
    let exponents = (0..400).map(|k| -0.2 + 0.005 * f64::from(k));
    let best = exponents.map(|p| (p, power(p))).min_by(|p, q| p.1.total_cmp(&q.1)).unwrap_or((0.0, 0.0));
    // Counts that are all the same fit both: rounding must not decide.
    let least = 1e-12 * all.iter().map(|(_, y)| y * y).sum::<f64>();
    Models {
        per_decade: b * std::f64::consts::LN_10,
        exponent: best.0,
        power_less_log: number * (best.1.max(least) / logarithm.max(least)).ln(),
    }
}
