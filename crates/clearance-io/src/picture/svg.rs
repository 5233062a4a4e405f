//! Writes a drawing as SVG: a card with the picture, its heading and its legend.

use super::{
    Drawing, Legend,
    card::{WIDTH, card, escaped},
    crossing::cut_apart,
    facet::{Facets, LIGHT_STEPS, Style},
    frame::{Frame, MARGIN, Pixel},
    order::painting,
    outline::{line_path, union_path, write_hundredths},
};
use clearance::glam::DVec3;
use std::fmt::Write;

/// Height of the heading and of one row of the legend.
const HEADING: f64 = 34.0;
const ROW: f64 = 26.0;
/// A character of the legend is about this wide; only column widths depend on it.
const CHARACTER: f64 = 7.4;

/// Bodies that the legend names; of more it says how many.
const LEGEND_LIMIT: usize = 24;

const STYLE: &str = "<style>text{font:14px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;fill:#2b3440}\
.h{font-size:18px;font-weight:600}.n{fill:#66717f}.a{font-size:11px;fill:#8a94a1}\
.s{stroke:currentColor;stroke-width:.9;stroke-linejoin:round}\
.e{fill:none;stroke:#18202b;stroke-opacity:.62;stroke-width:.9;stroke-linecap:round;stroke-linejoin:round}\
.l{fill:none;stroke:currentColor;stroke-width:2.2;stroke-linecap:round;stroke-linejoin:round}\
.t{paint-order:stroke;stroke:#f7f8fa;stroke-width:4px;stroke-linejoin:round}</style>";

impl Drawing {
    /// The drawing as an SVG of 960 pixels width on its own light card, readable on any page.
    ///
    /// Only what can be seen is written, and neighbours in the same light are united, so the size follows
    /// the picture rather than the meshes. The same drawing gives the same text, byte for byte.
    /// `O(n log n + pixels)` for `n` triangles; see [`crate::picture`] for what painting order cannot do.
    pub fn to_svg(&self) -> String {
        let top = if self.title.is_empty() { 0.0 } else { HEADING };
        let frame = Frame::fit(self, top);
        let picture_end = top + frame.height + 2.0 * MARGIN;
        let legend = if self.legend == Legend::Shown { self.legend_rows() } else { Vec::new() };
        let height =
            (picture_end + ROW * legend.len() as f64 + if legend.is_empty() { 0.0 } else { 16.0 }).ceil();
        let mut svg = card(height, STYLE);
        if !self.title.is_empty() {
            let _ = writeln!(
                svg,
                "<text class=\"h\" x=\"{MARGIN}\" y=\"{MARGIN}\">{}</text>",
                escaped(&self.title)
            );
        }
        self.write_bodies(&mut svg, &frame);
        self.write_overlay(&mut svg, &frame);
        self.write_axes(&mut svg, picture_end);
        for (row, line) in legend.iter().enumerate() {
            let _ =
                writeln!(svg, "<g transform=\"translate(0 {})\">{line}</g>", picture_end + ROW * row as f64);
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn write_bodies(&self, svg: &mut String, frame: &Frame) {
        let mut seen = Facets::default();
        for (index, body) in self.bodies.iter().enumerate() {
            seen.add(index as u32, body, frame, &self.camera);
        }
        let facets = cut_apart(std::mem::take(&mut seen.facets));
        let opaque = |style: Style| self.bodies[style.body as usize].opacity >= 1.0;
        let painting = painting(&facets, |facet| opaque(facet.style));
        let mut runs: Vec<(Style, Vec<[Pixel; 3]>)> = Vec::new();
        for &facet in &painting.order {
            let found = facets[facet as usize];
            match runs.last_mut() {
                Some((style, triangles)) if *style == found.style => triangles.push(found.corners),
                _ => runs.push((found.style, vec![found.corners])),
            }
        }
        svg.push_str("<g fill=\"currentColor\">\n");
        for (style, triangles) in &runs {
            self.write_run(svg, *style, triangles);
        }
        svg.push_str("</g>\n");
        let pieces = seen.creases.iter().flat_map(|c| painting.depth.visible_pieces(c.ends, c.nearness));
        let path: String = pieces.map(|piece| line_path(&piece)).collect();
        if !path.is_empty() {
            let _ = writeln!(svg, "<path class=\"e\" d=\"{path}\"/>");
        }
    }

    fn write_run(&self, svg: &mut String, style: Style, triangles: &[[Pixel; 3]]) {
        let body = &self.bodies[style.body as usize];
        let colour = body.colour.lit(f64::from(style.light) / LIGHT_STEPS).to_hex();
        let look = if body.opacity >= 1.0 {
            // A thin line of the same colour closes the hairline gaps between neighbours.
            "class=\"s\"".to_owned()
        } else {
            format!("fill-opacity=\"{:.2}\"", body.opacity.clamp(0.0, 1.0))
        };
        let _ = writeln!(svg, "<path {look} color=\"{colour}\" d=\"{}\"/>", union_path(triangles));
    }

    fn write_overlay(&self, svg: &mut String, frame: &Frame) {
        for line in self.lines.iter().filter(|l| l.points.iter().all(|p| p.is_finite())) {
            let points: Vec<Pixel> = line.points.iter().map(|&p| frame.pixel_of_world(p)).collect();
            let (colour, path) = (line.colour.to_hex(), line_path(&points));
            let _ = writeln!(svg, "<path class=\"l\" color=\"{colour}\" d=\"{path}\"/>");
        }
        for marker in self.markers.iter().filter(|m| m.point.is_finite()) {
            let [x, y] = coordinates(frame.pixel_of_world(marker.point));
            let colour = marker.colour.to_hex();
            let _ = writeln!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"4.5\" fill=\"{colour}\" stroke=\"#fff\" stroke-width=\"1.5\"/>"
            );
        }
        for label in self.labels.iter().filter(|l| l.point.is_finite()) {
            let [x, y] = frame.pixel_of_world(label.point);
            let [x, y] = coordinates([x + 800, y - 600]);
            let _ = writeln!(svg, "<text class=\"t\" x=\"{x}\" y=\"{y}\">{}</text>", escaped(&label.text));
        }
    }

    /// A little cross of axes in the lower right corner.
    fn write_axes(&self, svg: &mut String, bottom: f64) {
        if self.bodies.is_empty() {
            return;
        }
        let origin = [100.0 * (WIDTH - 52.0), 100.0 * (bottom - 40.0)];
        for (axis, name, colour) in
            [(DVec3::X, "x", "#d1495b"), (DVec3::Y, "y", "#3a9d6e"), (DVec3::Z, "z", "#3d7cc9")]
        {
            let seen = self.camera.project(axis).0;
            let at = |length: f64| {
                let tip = [origin[0] + 100.0 * length * seen.x, origin[1] - 100.0 * length * seen.y];
                tip.map(|c| c.round() as i32)
            };
            let path = line_path(&[at(0.0), at(26.0)]);
            let [x, y] = coordinates([at(36.0)[0], at(36.0)[1] + 400]);
            let _ = writeln!(
                svg,
                "<path d=\"{path}\" stroke=\"{colour}\" stroke-width=\"2\" stroke-linecap=\"round\"/>\
                 <text class=\"a\" text-anchor=\"middle\" x=\"{x}\" y=\"{y}\">{name}</text>"
            );
        }
    }

    /// The entries of the legend, as many columns as fit.
    fn legend_rows(&self) -> Vec<String> {
        let width = |text: &str| CHARACTER * text.chars().count() as f64;
        let mut entries: Vec<(String, f64)> = self
            .bodies
            .iter()
            .take(LEGEND_LIMIT)
            .map(|body| {
                let (name, note) = (escaped(&body.name), escaped(&body.note));
                let text = format!("{name}<tspan class=\"n\" dx=\"8\">{note}</tspan>");
                let swatch = body.colour.lit(0.8).to_hex();
                let entry = format!(
                    "<rect y=\"-11\" width=\"14\" height=\"14\" rx=\"3\" fill=\"{swatch}\"/><text x=\"22\" y=\"1\">{text}</text>"
                );
                (entry, width(&body.name) + width(&body.note) + 66.0)
            })
            .collect();
        if let more @ 1.. = self.bodies.len().saturating_sub(LEGEND_LIMIT) {
            entries.push((format!("<text class=\"n\" y=\"1\">and {more} more</text>"), 0.0));
        }
        let widest = entries.iter().map(|(_, w)| *w).fold(1.0, f64::max);
        let columns = (((WIDTH - 2.0 * MARGIN) / widest).floor() as usize).clamp(1, 4);
        let step = ((WIDTH - 2.0 * MARGIN) / columns as f64).floor();
        entries
            .chunks(columns)
            .map(|row| {
                let place = |(i, (entry, _)): (usize, &(String, f64))| {
                    format!("<g transform=\"translate({} 0)\">{entry}</g>", MARGIN + step * i as f64)
                };
                row.iter().enumerate().map(place).collect()
            })
            .collect()
    }
}

fn coordinates(pixel: Pixel) -> [String; 2] {
    pixel.map(|value| {
        let mut text = String::new();
        write_hundredths(&mut text, value);
        text
    })
}
