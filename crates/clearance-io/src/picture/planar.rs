//! Pictures of the plane: regions, lines and dots on a card like those of [`Drawing`](super::Drawing).

use super::Colour;
use super::card::{WIDTH, card, escaped};
use clearance::glam::DVec2;
use std::fmt::Write;

/// The space around the picture, in pixels.
pub(super) const MARGIN: f64 = 28.0;
pub(super) const HEADING: f64 = 40.0;
pub(super) const ROW: f64 = 26.0;

pub(super) const STYLE: &str = "<style>text{font:14px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;fill:#2b3440}\
.h{font-size:18px;font-weight:600}path{stroke-linejoin:round;stroke-linecap:round}</style>";

/// What a region or a line looks like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Colour of the inside, and how opaque it is; none for an outline.
    pub fill: Option<(Colour, f64)>,
    /// Colour and width in pixels of the line; none for no line.
    pub stroke: Option<(Colour, f64)>,
    /// Whether the line is dashed.
    pub is_dashed: bool,
}

impl Look {
    /// An inside without a line.
    pub const fn filled(colour: Colour, opacity: f64) -> Look {
        Look { fill: Some((colour, opacity)), stroke: None, is_dashed: false }
    }

    /// A line without an inside.
    pub const fn line(colour: Colour, width: f64) -> Look {
        Look { fill: None, stroke: Some((colour, width)), is_dashed: false }
    }

    /// The same with a line around it.
    pub const fn outlined(self, colour: Colour, width: f64) -> Look {
        Look { stroke: Some((colour, width)), ..self }
    }

    /// The same with its line dashed.
    pub const fn dashed(self) -> Look {
        Look { is_dashed: true, ..self }
    }
}

/// A picture of the plane, painted in the order of its parts.
#[derive(Clone, Debug, Default)]
pub struct PlanarDrawing {
    /// The heading; none if empty.
    pub title: String,
    /// What must be seen: the frame fits these points. Empty for all points of all parts.
    pub view: Vec<DVec2>,
    /// Regions (closed) and lines, in order.
    pub parts: Vec<PlanarPart>,
    /// Points with a colour.
    pub dots: Vec<(DVec2, Colour)>,
    /// What colours mean, below the picture.
    pub legend: Vec<(Colour, String)>,
}

/// A region, or a line through points.
#[derive(Clone, Debug)]
pub struct PlanarPart {
    /// The vertices.
    pub points: Vec<DVec2>,
    /// Whether the last vertex is joined to the first.
    pub is_closed: bool,
    /// What it looks like.
    pub look: Look,
}

impl PlanarDrawing {
    /// Adds a region.
    pub fn region(&mut self, points: Vec<DVec2>, look: Look) {
        self.parts.push(PlanarPart { points, is_closed: true, look });
    }

    /// Adds a line through points.
    pub fn line(&mut self, points: Vec<DVec2>, look: Look) {
        self.parts.push(PlanarPart { points, is_closed: false, look });
    }

    /// The drawing as an SVG of 960 pixels width; parts beyond the view are clipped. The same drawing gives the same text. Points
    /// that are not finite are left out.
    pub fn to_svg(&self) -> String {
        self.svg_and_height().0
    }

    fn svg_and_height(&self) -> (String, f64) {
        let top = if self.title.is_empty() { 0.0 } else { HEADING };
        let frame = Frame::fit(self);
        let rows = self.legend.len().div_ceil(3) as f64;
        let height = (top + frame.height + rows * ROW + if rows > 0.0 { 14.0 } else { 0.0 }).ceil();
        let mut svg = card(height, STYLE);
        if !self.title.is_empty() {
            let _ =
                writeln!(svg, "<text class=\"h\" x=\"{MARGIN}\" y=\"32\">{}</text>", escaped(&self.title));
        }
        // An inner picture clips what reaches beyond the view.
        let _ = writeln!(svg, "<svg y=\"{top}\" width=\"{WIDTH}\" height=\"{:.2}\">", frame.height);
        for part in &self.parts {
            write_part(&mut svg, &frame, part);
        }
        for (point, colour) in self.dots.iter().filter(|(point, _)| point.is_finite()) {
            let at = frame.pixel(*point);
            let _ = writeln!(
                svg,
                "<circle cx=\"{:.2}\" cy=\"{:.2}\" r=\"5\" fill=\"{}\" stroke=\"#fff\" stroke-width=\"1.5\"/>",
                at.x,
                at.y,
                colour.to_hex()
            );
        }
        svg.push_str("</svg>\n");
        write_legend(&mut svg, &self.legend, top + frame.height);
        svg.push_str("</svg>\n");
        (svg, height)
    }
}

/// Drawings one below the other, as one SVG.
pub fn stacked(drawings: &[PlanarDrawing]) -> String {
    const GAP: f64 = 12.0;
    if let [only] = drawings {
        return only.to_svg();
    }
    let (mut inner, mut top) = (String::new(), 0.0);
    for (svg, height) in drawings.iter().map(PlanarDrawing::svg_and_height) {
        inner += &svg.replacen("<svg ", &format!("<svg y=\"{top}\" "), 1);
        top += height + GAP;
    }
    let height = (top - GAP).max(0.0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\">\n{inner}</svg>\n"
    )
}

/// Rows of three below a picture.
pub(super) fn write_legend(svg: &mut String, legend: &[(Colour, String)], top: f64) {
    for (i, (colour, text)) in legend.iter().enumerate() {
        let x = MARGIN + (i % 3) as f64 * (WIDTH - 2.0 * MARGIN) / 3.0;
        let y = top + (i / 3) as f64 * ROW;
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"14\" height=\"14\" rx=\"3\" fill=\"{}\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            y + 2.0,
            colour.to_hex(),
            x + 22.0,
            y + 14.0,
            escaped(text)
        );
    }
}

/// From the plane to pixels; the second axis points up.
pub(super) struct Frame {
    low: DVec2,
    high: DVec2,
    scale: f64,
    pub(super) height: f64,
}

impl Frame {
    fn fit(drawing: &PlanarDrawing) -> Frame {
        let all =
            drawing.parts.iter().flat_map(|part| &part.points).chain(drawing.dots.iter().map(|(p, _)| p));
        match drawing.view.is_empty() {
            true => Frame::around(all.copied()),
            false => Frame::around(drawing.view.iter().copied()),
        }
    }

    /// So that all finite points are seen.
    pub(super) fn around(points: impl Iterator<Item = DVec2>) -> Frame {
        let mut finite = points.filter(|p| p.is_finite());
        let (low, high) = match finite.next() {
            Some(first) => finite.fold((first, first), |(low, high), p| (low.min(p), high.max(p))),
            None => (DVec2::ZERO, DVec2::ONE),
        };
        let size = (high - low).max(DVec2::splat(1e-300));
        let (wide, tall) = (WIDTH - 2.0 * MARGIN, 620.0);
        let scale = (wide / size.x).min(tall / size.y);
        // A flat view is a single point or line: show it in the middle.
        let scale = if scale.is_finite() { scale } else { 1.0 };
        Frame { low, high, scale, height: scale * (high.y - low.y) + 2.0 * MARGIN }
    }

    pub(super) fn pixel(&self, p: DVec2) -> DVec2 {
        let middle = 0.5 * (self.low + self.high);
        let from_middle = (p - middle) * self.scale;
        DVec2::new(0.5 * WIDTH + from_middle.x, 0.5 * self.height - from_middle.y)
    }

    /// A vector in pixels.
    pub(super) fn vector(&self, v: DVec2) -> DVec2 {
        DVec2::new(v.x, -v.y) * self.scale
    }
}

fn write_part(svg: &mut String, frame: &Frame, part: &PlanarPart) {
    let mut path = String::new();
    for (i, p) in part.points.iter().filter(|p| p.is_finite()).enumerate() {
        let at = frame.pixel(*p).clamp(DVec2::splat(-1e5), DVec2::splat(1e5));
        let _ = write!(path, "{}{:.2} {:.2}", if i == 0 { 'M' } else { 'L' }, at.x, at.y);
    }
    if part.is_closed {
        path.push('Z');
    }
    let fill = match part.look.fill {
        Some((colour, opacity)) => format!("fill=\"{}\" fill-opacity=\"{opacity:.2}\"", colour.to_hex()),
        None => "fill=\"none\"".to_owned(),
    };
    let stroke = match part.look.stroke {
        Some((colour, width)) => format!(" stroke=\"{}\" stroke-width=\"{width}\"", colour.to_hex()),
        None => String::new(),
    };
    let dashes = if part.look.is_dashed { " stroke-dasharray=\"6 5\"" } else { "" };
    let _ = writeln!(svg, "<path {fill}{stroke}{dashes} d=\"{path}\"/>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_fits_its_view_and_skips_what_is_not_finite() {
        let mut drawing = PlanarDrawing { title: "a < b".to_owned(), ..PlanarDrawing::default() };
        drawing.region(vec![DVec2::ZERO, DVec2::X, DVec2::Y], Look::filled(Colour::of_index(0), 0.5));
        drawing.line(
            vec![DVec2::ZERO, DVec2::splat(f64::NAN), DVec2::ONE],
            Look::line(Colour::of_index(1), 2.0).dashed(),
        );
        drawing.dots.push((DVec2::splat(f64::INFINITY), Colour::of_index(2)));
        let svg = drawing.to_svg();
        assert!(svg.contains("a &lt; b") && !svg.contains("NaN") && !svg.contains("inf"));
        assert_eq!(svg, drawing.to_svg());
        assert!(PlanarDrawing::default().to_svg().ends_with("</svg>\n"));
    }
}
