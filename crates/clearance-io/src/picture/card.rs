//! What every picture lies on: a light card of one width, readable on any page.

/// Width of every picture in pixels.
pub const WIDTH: f64 = 960.0;

/// The beginning of a picture of some height.
pub fn card(height: f64, style: &str) -> String {
    let (width, inner_width, inner_height) = (WIDTH, WIDTH - 1.0, height - 1.0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         {style}\n<rect x=\".5\" y=\".5\" width=\"{inner_width}\" height=\"{inner_height}\" rx=\"14\" fill=\"#f7f8fa\" \
         stroke=\"#d5dae1\"/>\n"
    )
}

/// Text that cannot end an element or an attribute; control characters, which XML forbids, are dropped.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}
