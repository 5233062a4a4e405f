//! Animated pictures of the plane: bodies that move, lines that they carry for a while, and a time line of events.
//!
//! One SVG without scripts (SMIL): it plays in browsers, also as an image of a page.

use super::Colour;
use super::card::{WIDTH, card, escaped};
use super::planar::{Frame, HEADING, MARGIN, ROW, STYLE};
use clearance::glam::DVec2;
use std::fmt::Write;

/// Height of the time line.
const TRACK: f64 = 54.0;

/// A body and where it is at each sample.
#[derive(Clone, Debug)]
pub struct PlanarMover {
    /// For the legend.
    pub name: String,
    /// Its vertices in its own coordinates: one for a point, two for a segment.
    pub points: Vec<DVec2>,
    /// Its colour.
    pub colour: Colour,
    /// Where its origin is and by how many radians it is turned, at times at equal distance from start to end. Angles of
    /// neighbours that differ by more than a half turn are drawn so.
    pub track: Vec<(DVec2, f64)>,
}

/// Something that a body carries, or looks like, from a time to another.
#[derive(Clone, Debug)]
pub struct PlanarSpell {
    /// The body's index.
    pub body: usize,
    /// When it begins.
    pub from: f64,
    /// When it ends.
    pub until: f64,
}

/// An animated picture of the plane.
#[derive(Clone, Debug, Default)]
pub struct PlanarAnimation {
    /// The heading; none if empty.
    pub title: String,
    /// The first time shown.
    pub start: f64,
    /// The last time shown.
    pub end: f64,
    /// The bodies, in painting order.
    pub movers: Vec<PlanarMover>,
    /// Lines fixed to a body, by their ends in its own coordinates.
    pub lines: Vec<(PlanarSpell, [DVec2; 2])>,
    /// When a body is drawn with a strong outline.
    pub strong: Vec<PlanarSpell>,
    /// Marks on the time line.
    pub marks: Vec<(f64, Colour)>,
    /// What colours mean, below the picture, beside the names of the bodies.
    pub legend: Vec<(Colour, String)>,
    /// How long it takes, in seconds; then it begins again.
    pub seconds: f64,
}

/// Colour of lines and of strong outlines: none of the palette.
const ALERT: Colour = Colour::new(0xc6, 0x28, 0x28);

impl PlanarAnimation {
    /// The animation as an SVG of 960 pixels width. The same animation gives the same text.
    pub fn to_svg(&self) -> String {
        let top = if self.title.is_empty() { 0.0 } else { HEADING };
        let frame = Frame::around(self.movers.iter().flat_map(places));
        let named = self.movers.iter().map(|mover| (mover.colour, mover.name.clone()));
        let legend: Vec<(Colour, String)> = named.chain(self.legend.iter().cloned()).collect();
        let bottom = top + frame.height + TRACK;
        let height = (bottom + legend.len().div_ceil(3) as f64 * ROW + 14.0).ceil();
        let mut svg = card(height, STYLE);
        if !self.title.is_empty() {
            let title = escaped(&self.title);
            let _ = writeln!(svg, "<text class=\"h\" x=\"{MARGIN}\" y=\"32\">{title}</text>");
        }
        let _ = writeln!(svg, "<svg y=\"{top}\" width=\"{WIDTH}\" height=\"{:.2}\">", frame.height);
        for (i, mover) in self.movers.iter().enumerate() {
            self.write_mover(&mut svg, &frame, i, mover);
        }
        svg.push_str("</svg>\n");
        self.write_track(&mut svg, top + frame.height);
        super::planar::write_legend(&mut svg, &legend, bottom);
        svg.push_str("</svg>\n");
        svg
    }

    /// A time as a part of the run.
    fn part(&self, t: f64) -> f64 {
        let part = (t - self.start) / (self.end - self.start);
        if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 }
    }

    fn write_mover(&self, svg: &mut String, frame: &Frame, index: usize, mover: &PlanarMover) {
        let mut shifts = String::new();
        let mut turns = String::new();
        let rests = mover.track.windows(2).all(|pair| pair[0] == pair[1]);
        for (origin, angle) in mover.track.iter().take(if rests { 1 } else { usize::MAX }) {
            let at = frame.pixel(*origin);
            let _ = write!(shifts, "{:.2},{:.2};", at.x, at.y);
            let _ = write!(turns, "{:.3};", -angle.to_degrees());
        }
        let seconds = self.seconds;
        let moving = |kind: &str, values: &str, sum: &str| {
            format!(
                "<animateTransform attributeName=\"transform\" type=\"{kind}\" dur=\"{seconds}s\" repeatCount=\"indefinite\"{sum} values=\"{}\"/>",
                values.trim_end_matches(';')
            )
        };
        let _ = writeln!(
            svg,
            "<g>{}{}",
            moving("translate", &shifts, ""),
            moving("rotate", &turns, " additive=\"sum\"")
        );
        for (spell, ends) in self.lines.iter().filter(|(spell, _)| spell.body == index) {
            let [a, b] = ends.map(|end| frame.vector(end));
            let _ = writeln!(
                svg,
                "<path fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" stroke-dasharray=\"6 5\" d=\"M{:.2} {:.2}L{:.2} {:.2}\" visibility=\"hidden\">{}</path>",
                ALERT.to_hex(),
                a.x,
                a.y,
                b.x,
                b.y,
                self.visible(spell)
            );
        }
        let outline = path(frame, &mover.points);
        let fill = mover.colour.to_hex();
        let _ =
            writeln!(svg, "<path fill=\"{fill}\" stroke=\"#2b3440\" stroke-width=\"1.2\" d=\"{outline}\"/>");
        for spell in self.strong.iter().filter(|spell| spell.body == index) {
            let _ = writeln!(
                svg,
                "<path fill=\"none\" stroke=\"{}\" stroke-width=\"4\" d=\"{outline}\" visibility=\"hidden\">{}</path>",
                ALERT.to_hex(),
                self.visible(spell)
            );
        }
        svg.push_str("</g>\n");
    }

    /// Shows what is hidden for a while.
    fn visible(&self, spell: &PlanarSpell) -> String {
        let [from, until] = [spell.from, spell.until].map(|t| self.part(t));
        let (mut values, mut times) = ("hidden".to_owned(), "0".to_owned());
        for (value, time) in [("visible", from), ("hidden", until)] {
            if time <= 0.0 {
                values = value.to_owned();
            } else if time < 1.0 {
                let _ = write!(values, ";{value}");
                let _ = write!(times, ";{time:.5}");
            }
        }
        format!(
            "<animate attributeName=\"visibility\" calcMode=\"discrete\" dur=\"{}s\" repeatCount=\"indefinite\" values=\"{values}\" keyTimes=\"{times}\"/>",
            self.seconds
        )
    }

    /// Time runs from left to right; each mark is an event.
    fn write_track(&self, svg: &mut String, top: f64) {
        let (left, right, y) = (MARGIN, WIDTH - MARGIN, top + 18.0);
        let x = |t: f64| left + self.part(t) * (right - left);
        let _ = writeln!(svg, "<path stroke=\"#8c9aab\" stroke-width=\"1.2\" d=\"M{left} {y}H{right}\"/>");
        for (t, colour) in &self.marks {
            let _ = writeln!(
                svg,
                "<path stroke=\"{}\" stroke-width=\"1.5\" d=\"M{:.2} {}V{}\"/>",
                colour.to_hex(),
                x(*t),
                y - 8.0,
                y + 8.0
            );
        }
        let _ = writeln!(
            svg,
            "<circle cy=\"{y}\" cx=\"{left}\" r=\"5\" fill=\"#2b3440\"><animate attributeName=\"cx\" dur=\"{}s\" repeatCount=\"indefinite\" values=\"{left};{right}\"/></circle>\n\
             <text x=\"{left}\" y=\"{}\">t = {}</text><text x=\"{right}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            self.seconds,
            y + 26.0,
            self.start,
            y + 26.0,
            self.end
        );
    }
}

/// Where the vertices of a body come by.
fn places(mover: &PlanarMover) -> impl Iterator<Item = DVec2> + '_ {
    mover.track.iter().flat_map(|(origin, angle)| {
        let turn = DVec2::from_angle(*angle);
        mover.points.iter().map(move |point| *origin + turn.rotate(*point))
    })
}

/// An outline about its own origin; a point becomes a dot.
fn path(frame: &Frame, points: &[DVec2]) -> String {
    if let [point] = points {
        let at = frame.vector(*point);
        return format!("M{:.2} {:.2}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0Z", at.x - 5.0, at.y);
    }
    let mut path = String::new();
    for (i, point) in points.iter().enumerate() {
        let at = frame.vector(*point);
        let _ = write!(path, "{}{:.2} {:.2}", if i == 0 { 'M' } else { 'L' }, at.x, at.y);
    }
    path + "Z"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn animation(from: f64, until: f64) -> PlanarAnimation {
        let mover = PlanarMover {
            name: "a & b".to_owned(),
            points: vec![DVec2::ZERO, DVec2::X, DVec2::Y],
            colour: Colour::of_index(0),
            track: vec![(DVec2::ZERO, 0.0), (DVec2::new(4.0, 0.0), 1.0)],
        };
        PlanarAnimation {
            title: "run".to_owned(),
            start: 0.0,
            end: 2.0,
            movers: vec![mover],
            lines: vec![(PlanarSpell { body: 0, from, until }, [DVec2::ZERO, DVec2::X])],
            seconds: 4.0,
            ..PlanarAnimation::default()
        }
    }

    #[test]
    fn lines_are_seen_from_their_beginning_to_their_end() {
        for (from, until, expected) in [
            (0.5, 1.5, "values=\"hidden;visible;hidden\" keyTimes=\"0;0.25000;0.75000\""),
            (0.0, 1.0, "values=\"visible;hidden\" keyTimes=\"0;0.50000\""),
            (1.0, 2.0, "values=\"hidden;visible\" keyTimes=\"0;0.50000\""),
            (0.0, 2.0, "values=\"visible\" keyTimes=\"0\""),
        ] {
            let svg = animation(from, until).to_svg();
            assert!(svg.contains(expected), "{from} {until}\n{svg}");
        }
        let svg = animation(0.0, 1.0).to_svg();
        assert!(svg.contains("a &amp; b") && !svg.contains("NaN") && svg == animation(0.0, 1.0).to_svg());
    }

    #[test]
    fn a_run_without_duration_or_bodies_is_a_picture() {
        let still = PlanarAnimation { end: 0.0, ..animation(0.0, 0.0) };
        assert!(!still.to_svg().contains("NaN"));
        assert!(PlanarAnimation::default().to_svg().ends_with("</svg>\n"));
    }
}
