//! One HTML file with everything in it: the page of `web/dist`, the report, and the geometry that fits.

mod geometry;

use crate::clash::{parts::Assembly, report::Reported};
use geometry::Scene;

/// The page, with four places to fill.
const TEMPLATE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/dist/report.html"));

/// The report as a page; geometry is left out as far as the page would become larger than `size` bytes.
pub fn page(reported: &Reported, assembly: &Assembly, size: u64) -> String {
    // Reports hold only strings, integers and finite numbers, so this cannot fail.
    let report = in_script(&serde_json::to_string(&reported.report).unwrap_or_default());
    // However long the report is, its gravest findings are worth a picture.
    let rest = size.saturating_sub((TEMPLATE.len() + report.len()) as u64).max(size / 4);
    let scene = Scene::new(reported, assembly, rest);
    filled(
        TEMPLATE,
        &[
            ("%CLEARANCE_TITLE%", &in_element(&format!("{} - clearance clash", reported.report.title))),
            ("%CLEARANCE_REPORT%", &report),
            ("%CLEARANCE_SCENE%", &in_script(&serde_json::to_string(&scene.file).unwrap_or_default())),
            ("%CLEARANCE_GEOMETRY%", &scene.base64()),
        ],
    )
}

/// The template with each place filled where it first occurs; what is filled in is not looked at again.
fn filled(template: &str, places: &[(&str, &str)]) -> String {
    let mut found: Vec<(usize, &str, &str)> =
        places.iter().filter_map(|(place, text)| Some((template.find(place)?, *place, *text))).collect();
    found.sort_unstable();
    let mut page =
        String::with_capacity(template.len() + places.iter().map(|(_, text)| text.len()).sum::<usize>());
    let mut at = 0;
    for (start, place, text) in found {
        page += &template[at..start];
        page += text;
        at = start + place.len();
    }
    page + &template[at..]
}

/// JSON that cannot end the script it stands in.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

fn in_element(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_not_filled_again() {
        let page = filled("a %B% c %A% d", &[("%A%", "x %B% x"), ("%B%", "y %A% y")]);
        assert_eq!(page, "a y %A% y c x %B% x d");
        assert_eq!(in_script("\"</script>\u{2028}\""), "\"\\u003c/script>\\u2028\"");
    }

    #[test]
    fn the_template_has_each_place_once() {
        for place in ["TITLE", "REPORT", "SCENE", "GEOMETRY"] {
            assert_eq!(TEMPLATE.matches(&format!("%CLEARANCE_{place}%")).count(), 1, "{place}");
        }
    }
}
