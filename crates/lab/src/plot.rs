//! Line plots as SVG, stored beside the tables.

use std::fmt::Write;

/// One line of a plot.
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

const COLOURS: [&str; 6] = ["#2563eb", "#ea580c", "#059669", "#dc2626", "#7c3aed", "#a16207"];
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const MARGIN: (f64, f64) = (70.0, 50.0);

/// A plot with linear axes that start at zero in x and end at the largest values.
pub fn lines(title: &str, x_label: &str, y_label: &str, series: &[Series]) -> String {
    let all = || series.iter().flat_map(|s| s.points.iter().copied());
    let most_x = all().map(|p| p.0).fold(1.0, f64::max);
    let (low_y, high_y) = all().map(|p| p.1).fold((f64::INFINITY, 0.0_f64), |(l, h), y| (l.min(y), h.max(y)));
    let low_y = if low_y > 0.5 * high_y { low_y - 0.1 * (high_y - low_y) } else { 0.0 };
    let x = |v: f64| MARGIN.0 + v / most_x * (WIDTH - MARGIN.0 - 20.0);
    let y =
        |v: f64| HEIGHT - MARGIN.1 - (v - low_y) / (high_y - low_y).max(1e-300) * (HEIGHT - MARGIN.1 - 50.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"8\" fill=\"#f8fafc\"/>\n\
         <text x=\"{}\" y=\"26\" font-size=\"16\" font-weight=\"bold\" fill=\"#1e293b\">{title}</text>\n",
        MARGIN.0
    );
    axes(&mut svg, most_x, (low_y, high_y), &x, &y);
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#475569\">{x_label}</text>\n\
         <text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\" fill=\"#475569\">{y_label}</text>",
        WIDTH / 2.0,
        HEIGHT - 12.0,
        HEIGHT / 2.0
    );
    for (i, line) in series.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        let points: Vec<String> =
            line.points.iter().map(|&(px, py)| format!("{:.1},{:.1}", x(px), y(py))).collect();
        let legend = 60.0 + 18.0 * i as f64;
        let _ = writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"/>\n\
             <text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"{colour}\">{}</text>",
            points.join(" "),
            WIDTH - 30.0,
            HEIGHT / 2.0 + legend,
            line.name
        );
    }
    svg + "</svg>\n"
}

fn axes(svg: &mut String, most_x: f64, span: (f64, f64), x: &dyn Fn(f64) -> f64, y: &dyn Fn(f64) -> f64) {
    for tick in 0..=4 {
        let (vx, vy) = (most_x * tick as f64 / 4.0, span.0 + (span.1 - span.0) * tick as f64 / 4.0);
        let _ = writeln!(
            svg,
            "<line x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"{1:.1}\" y2=\"{2:.1}\" stroke=\"#e2e8f0\"/>\
             <text x=\"{0:.1}\" y=\"{3:.1}\" text-anchor=\"middle\" fill=\"#64748b\">{vx:.0}</text>\n\
             <line x1=\"{4:.1}\" x2=\"{5:.1}\" y1=\"{6:.1}\" y2=\"{6:.1}\" stroke=\"#e2e8f0\"/>\
             <text x=\"{7:.1}\" y=\"{8:.1}\" text-anchor=\"end\" fill=\"#64748b\">{vy:.2}</text>",
            x(vx),
            y(span.0),
            y(span.1),
            y(span.0) + 18.0,
            x(0.0),
            x(most_x),
            y(vy),
            x(0.0) - 8.0,
            y(vy) + 4.0
        );
    }
}
