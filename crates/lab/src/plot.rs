//! Line plots as SVG, stored beside the tables.

use std::fmt::Write;

/// One line of a plot.
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

const COLOURS: [&str; 6] = ["#2563eb", "#ea580c", "#059669", "#dc2626", "#7c3aed", "#a16207"];
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 50.0;
/// Of the part with the lines.
const INNER_WIDTH: f64 = 520.0;
/// Names are no closer to each other.
const LINE_HEIGHT: f64 = 16.0;
const LETTER_WIDTH: f64 = 7.0;

/// What is shown of both axes, and where.
struct Frame {
    x: Axis,
    y: Axis,
}

/// A part of the number line between two round numbers.
struct Axis {
    low: f64,
    high: f64,
    step: f64,
}

impl Axis {
    /// Around two numbers, with four to ten steps of 1, 2 or 5 times a power of ten.
    fn around(low: f64, high: f64) -> Axis {
        let high = if high > low { high } else { low + 1.0 };
        let width = high - low;
        let power = 10f64.powf((width / 5.0).log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|s| s * power).into_iter().find(|s| width / s <= 6.0);
        let step = step.unwrap_or(width);
        Axis { low: (low / step).floor() * step, high: (high / step * (1.0 - 1e-6)).ceil() * step, step }
    }

    fn part(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }

    /// The round numbers, and how they are written.
    fn ticks(&self) -> impl Iterator<Item = (f64, String)> {
        let count = ((self.high - self.low) / self.step).round() as usize;
        let digits = (-self.step.log10().floor()).max(0.0) as usize;
        (0..=count).map(move |i| {
            let value = self.low + self.step * i as f64;
            (value, format!("{value:.digits$}"))
        })
    }
}

impl Frame {
    fn x(&self, value: f64) -> f64 {
        LEFT + INNER_WIDTH * self.x.part(value)
    }

    fn y(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * self.y.part(value)
    }
}

/// A plot with linear axes from zero in x; the name of each line stands at its end.
pub fn lines(title: &str, x_label: &str, y_label: &str, series: &[Series]) -> String {
    let all = || series.iter().flat_map(|s| s.points.iter().copied());
    let most_x = all().map(|p| p.0).fold(1.0, f64::max);
    let (low_y, high_y) = all().map(|p| p.1).fold((f64::INFINITY, 0.0_f64), |(l, h), y| (l.min(y), h.max(y)));
    let low_y = if low_y > 0.5 * high_y { low_y } else { 0.0 };
    let frame = Frame { x: Axis::around(0.0, most_x), y: Axis::around(low_y, high_y) };
    let longest = series.iter().map(|s| s.name.chars().count()).max().unwrap_or(0);
    let width = LEFT + INNER_WIDTH + 24.0 + LETTER_WIDTH * longest as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"{width}\" height=\"{HEIGHT}\" rx=\"8\" fill=\"#f8fafc\"/>\n\
         <text x=\"{LEFT}\" y=\"26\" font-size=\"16\" font-weight=\"bold\" fill=\"#1e293b\">{title}</text>\n"
    );
    draw_axes(&mut svg, &frame);
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#475569\">{x_label}</text>\n\
         <text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\" fill=\"#475569\">{y_label}</text>",
        LEFT + INNER_WIDTH / 2.0,
        HEIGHT - 12.0,
        HEIGHT / 2.0
    );
    let names = name_heights(series, &frame);
    for (i, line) in series.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        // Colours that come again are dashed.
        let dashes = if i < COLOURS.len() { "" } else { " stroke-dasharray=\"6 3\"" };
        let points: Vec<String> =
            line.points.iter().map(|&(x, y)| format!("{:.1},{:.1}", frame.x(x), frame.y(y))).collect();
        let _ = writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dashes} points=\"{}\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{}</text>",
            points.join(" "),
            LEFT + INNER_WIDTH + 8.0,
            names[i] + 4.0,
            line.name
        );
    }
    svg + "</svg>\n"
}

/// Where names stand: beside the ends of their lines, pushed apart from the lowest up.
fn name_heights(series: &[Series], frame: &Frame) -> Vec<f64> {
    let mut heights: Vec<f64> =
        series.iter().map(|s| s.points.last().map_or(HEIGHT - BOTTOM, |p| frame.y(p.1))).collect();
    let mut order: Vec<usize> = (0..series.len()).collect();
    order.sort_by(|&i, &j| heights[j].total_cmp(&heights[i]));
    for pair in 1..order.len() {
        let [below, above] = [order[pair - 1], order[pair]];
        heights[above] = heights[above].min(heights[below] - LINE_HEIGHT);
    }
    // Back down where there were too many at the top.
    let mut least = TOP;
    for &i in order.iter().rev() {
        heights[i] = heights[i].max(least);
        least = heights[i] + LINE_HEIGHT;
    }
    heights
}

fn draw_axes(svg: &mut String, frame: &Frame) {
    let (left, right) = (LEFT, LEFT + INNER_WIDTH);
    for (value, name) in frame.x.ticks() {
        let x = frame.x(value);
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{0}\" stroke=\"#e2e8f0\"/>\
             <text x=\"{x:.1}\" y=\"{1}\" text-anchor=\"middle\" fill=\"#64748b\">{name}</text>",
            HEIGHT - BOTTOM,
            HEIGHT - BOTTOM + 18.0
        );
    }
    for (value, name) in frame.y.ticks() {
        let y = frame.y(value);
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#e2e8f0\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#64748b\">{name}</text>",
            left - 8.0,
            y + 4.0
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_hold_all_values() {
        for (low, high) in
            [(0.0, 6.0), (0.0, 3.7), (0.0, 51.0), (12.0, 17.5), (0.0, 0.031), (0.0, 2e6), (3.0, 3.0)]
        {
            let axis = Axis::around(low, high);
            let ticks: Vec<(f64, String)> = axis.ticks().collect();
            assert!((2..=9).contains(&ticks.len()), "{low} to {high}: {ticks:?}");
            assert!(axis.low <= low && axis.high >= high);
            for (value, name) in &ticks {
                assert!((name.parse::<f64>().unwrap() - value).abs() <= 1e-9 * high, "{ticks:?}");
            }
        }
    }

    #[test]
    fn names_do_not_cover_each_other() {
        let line = |y: f64| Series { name: "a".into(), points: vec![(0.0, 0.0), (1.0, y)] };
        let series: Vec<Series> = [1.0, 1.0, 0.99, 0.0, 0.0, 0.5].map(line).into();
        let frame = Frame { x: Axis::around(0.0, 1.0), y: Axis::around(0.0, 1.0) };
        let mut heights = name_heights(&series, &frame);
        heights.sort_by(f64::total_cmp);
        assert!(heights.windows(2).all(|w| w[1] - w[0] >= LINE_HEIGHT - 1e-9), "{heights:?}");
    }
}
