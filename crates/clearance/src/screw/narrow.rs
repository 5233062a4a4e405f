//! Pairs of cells in windows of time that are narrowed until it is known which of their features may meet.

use super::cell_pair::{CellPair, Features};
use super::face::Face;
use super::pairs::Pairs;
use super::proper::{Attitude, Proper};
use super::record::ScrewStats;
use super::surface::{Cell, NONE};
use super::value::Value;
use crate::math::Interval;

/// Windows in which less than this angle is turned, in radians, are not halved.
const SHORT: f64 = 0.25;

/// Halvings that make a quarter turn shorter than that.
const DEPTH: usize = 6;

/// So few pairs of features are looked at without asking for sides of planes first.
const FEW: usize = 2;

/// A window of which no more than this is left is looked at again, others are halved.
const KEPT: f64 = 0.6;

impl Pairs<'_> {
    /// A pair of cells that may meet in a window, unless nothing of it is asked for.
    pub fn cell_pair(
        &self,
        (i, j): (u32, u32),
        window: Interval,
        stats: &mut ScrewStats,
        found: &mut Vec<CellPair>,
    ) {
        let (a, b) = (&self.a.surface.cells[i as usize], &self.b.surface.cells[j as usize]);
        let attitude = self.proper.as_ref().map(|proper| (proper, proper.attitude(window)));
        let is_asked = |(proper, at): &(&Proper<'_>, Attitude)| proper.cells(i, j, at);
        if !attitude.as_ref().is_none_or(is_asked) || !self.is_alive(i, j) {
            return;
        }
        let mut features = Features::of(a, b);
        if let Some((proper, at)) = &attitude {
            features = features.proper([a, b], proper, at);
            if features.is_empty() {
                return;
            }
        }
        stats.cells += 1;
        if attitude.is_some() && features.count() <= FEW {
            let moment = self.sight.middle(window.lower(), window.upper()).moment();
            found.push(CellPair { a: *a, b: *b, window, moment, features });
            return;
        }
        self.sided([a, b], features, window, found);
    }

    /// A pair of cells with the features that may meet, unless all corners of one stay on the same side of the other.
    ///
    /// A window that turns far is cut first, because sides are known for short ones only.
    fn sided(&self, [a, b]: [&Cell; 2], features: Features, window: Interval, found: &mut Vec<CellPair>) {
        let corners = [a.corners.map(|v| self.a.spot(v)), b.corners.map(|v| self.b.spot(v))];
        let [corners_a, corners_b] = corners;
        let [plane_a, plane_b] = corners.map(|corners| Face::new(corners, &self.sight).plane);
        let whole = window;
        let mut open = [window; DEPTH + 1];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let window = open[count];
            let middle = self.sight.middle(window.lower(), window.upper());
            let moment = middle.moment();
            let (mut over_a, mut over_b) = ([0; 3], [0; 3]);
            let (mut from, mut to) = (window.lower(), window.upper());
            let mut narrow = |values: &[Value; 3]| {
                let Some([first, last]) = Value::straddling(values) else { return false };
                from = from.max((middle.t() + first).next_down());
                to = to.min((middle.t() + last).next_up());
                from <= to
            };
            if a.triangle != NONE {
                let heights = corners_b.map(|p| middle.height(&middle.passing(p), &plane_a));
                if !narrow(&heights) {
                    continue;
                }
                over_a = heights.map(|height| height.sign());
            }
            if b.triangle != NONE {
                let back = self.inverse_sight.at(moment.inverse());
                let heights = corners_a.map(|p| back.height(&back.passing(p), &plane_b));
                if !narrow(&heights) {
                    continue;
                }
                over_b = heights.map(|height| height.sign());
            }
            // At most `DEPTH` halvings: a quarter turn is below the limit then.
            if self.frame.angle.abs() * window.width() <= SHORT || count + 2 > open.len() {
                let mut features = features.beside(over_a, over_b);
                if let Some(proper) = self.proper.as_ref().filter(|_| window != whole) {
                    features = features.proper([a, b], proper, &proper.attitude(window));
                }
                if !features.is_empty() {
                    found.push(CellPair { a: *a, b: *b, window, moment, features });
                }
                continue;
            }
            if to - from <= KEPT * (window.upper() - window.lower()) {
                open[count] = Interval::new(from, to);
                count += 1;
                continue;
            }
            let middle = 0.5 * (from + to);
            (open[count], open[count + 1]) = (Interval::new(middle, to), Interval::new(from, middle));
            count += 2;
        }
    }
}
