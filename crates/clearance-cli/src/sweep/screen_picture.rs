//! A picture of a collision screen: both bodies as they are drawn on it, and where they meet, as in Figure 14 of Buss 2004.

use clearance::screw::{Screen, ScrewContact, Stroke};
use std::fmt::Write;

/// The longer side of the picture.
const SIZE: f64 = 720.0;

/// Around the drawing, with room for the legend below.
const MARGIN: f64 = 40.0;

const RESTS: &str = "#2563eb";
const MOVES: &str = "#ea580c";
const MEETS: &str = "#dc2626";

/// The screen of the last step of `screen`, with contacts of that step marked; numbered in their order.
pub fn svg(screen: &Screen, contacts: &[ScrewContact]) -> String {
    let strokes: Vec<Stroke> = screen.strokes().collect();
    let marks: Vec<[f64; 2]> = contacts.iter().filter_map(|contact| screen.place_of(contact)).collect();
    let points = || strokes.iter().flat_map(|stroke| [stroke.from, stroke.to]).chain(marks.iter().copied());
    // Height to the right, radius upward.
    let [left, right] = range(points().map(|p| p[1]));
    let [low, high] = range(points().map(|p| p[0]));
    let scale = (SIZE - 2.0 * MARGIN) / (right - left).max(high - low);
    let (width, height) = ((right - left) * scale + 2.0 * MARGIN, (high - low) * scale + 3.0 * MARGIN);
    let place = |[r, h]: [f64; 2]| (MARGIN + (h - left) * scale, MARGIN + (high - r) * scale);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"{width:.0}\" height=\"{height:.0}\" rx=\"8\" fill=\"#f8fafc\"/>\n"
    );
    for (is_moving, colour) in [(false, RESTS), (true, MOVES)] {
        let _ = write!(svg, "<path fill=\"none\" stroke=\"{colour}\" stroke-width=\"1\" d=\"");
        for stroke in strokes.iter().filter(|stroke| stroke.is_moving == is_moving) {
            let ((x1, y1), (x2, y2)) = (place(stroke.from), place(stroke.to));
            let _ = write!(svg, "M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}");
        }
        svg.push_str("\"/>\n");
    }
    for (i, &mark) in marks.iter().enumerate() {
        let (x, y) = place(mark);
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6\" fill=\"none\" stroke=\"{MEETS}\" stroke-width=\"2\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{MEETS}\" font-weight=\"bold\">{}</text>",
            x + 9.0,
            y - 5.0,
            i + 1
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{MARGIN}\" y=\"{:.0}\" fill=\"#475569\">h to the right, r upward; \
         <tspan fill=\"{RESTS}\">at rest, facing backward</tspan>; \
         <tspan fill=\"{MOVES}\">moving, facing forward</tspan>; \
         <tspan fill=\"{MEETS}\">contacts by time</tspan></text>",
        height - MARGIN
    );
    svg + "</svg>\n"
}

/// The least and the largest, never the same.
fn range(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let [low, high] =
        values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)]);
    match low < high {
        true => [low, high],
        false if low.is_finite() => [low - 0.5, low + 0.5],
        false => [0.0, 1.0],
    }
}
