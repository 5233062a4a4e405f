//! The parts that have findings, for any 3-D viewer: coloured by the gravest verdict, with the curves where surfaces
//! meet and the segments between closest points. Parts that move are where they start, and an animation moves them.

use crate::{
    clash::{
        drawn::soup_of,
        model::{Finding, Verdict},
        parts::Assembly,
        report::Reported,
    },
    output::Failure,
    path::{Path as Way, frames},
};
use clearance::{Pose, glam::DVec3};
use clearance_io::{
    Animation, Document, Geometry, GlbStyle, LineSet, Placement, Track, picture::Colour, write_glb_bytes,
};
use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

const CLASH: Colour = Colour::new(0xd6, 0x3a, 0x3a);
const CLOSE: Colour = Colour::new(0xf0, 0x9a, 0x3e);
const CONTACT: Colour = Colour::new(0x4e, 0x8f, 0xd6);
const CURVE: Colour = Colour::new(0x2b, 0x0a, 0x0a);
const GAP: Colour = Colour::new(0x2b, 0x34, 0x40);
/// Parts that clash are seen through, so that the curves inside are seen.
const OPACITY: f32 = 0.75;

pub fn bytes(reported: &Reported, assembly: &Assembly) -> Result<Vec<u8>, Failure> {
    let findings = &reported.report.findings;
    let mut worst: BTreeMap<usize, Verdict> = BTreeMap::new();
    for finding in findings {
        for part in finding.parts {
            worst
                .entry(part)
                .and_modify(|verdict| *verdict = finding.verdict.min(*verdict))
                .or_insert(finding.verdict);
        }
    }
    let mut document = Document { unit: assembly.unit, ..Document::default() };
    let mut style = GlbStyle::default();
    let mut shared: HashMap<*const clearance::body::Body, Option<usize>> = HashMap::new();
    let mut moving: Vec<(Way, Pose)> = Vec::new();
    for (&index, &verdict) in &worst {
        let part = &assembly.parts[index];
        let geometry = *shared.entry(Arc::as_ptr(&part.body)).or_insert_with(|| {
            let soup = soup_of(part)?;
            document.geometries.push(Geometry { name: part.name.clone(), soup });
            Some(document.geometries.len() - 1)
        });
        if let Some(geometry) = geometry {
            document.placements.push(Placement { name: part.id.clone(), geometry, pose: part.pose });
            let [red, green, blue, _] = colour_of(verdict).rgba();
            style.colours.push(Some([red, green, blue, OPACITY]));
            moving.push((Way::of(&part.pose, part.motion), part.pose));
        }
    }
    style.animation = animation(&moving);
    let curves: Vec<[DVec3; 2]> =
        reported.curves.iter().flatten().map(|ends| ends.map(DVec3::from_array)).collect();
    let gaps: Vec<[DVec3; 2]> = findings.iter().filter_map(gap_of).collect();
    for (name, segments, colour) in [("contact curves", curves, CURVE), ("gaps", gaps, GAP)] {
        if !segments.is_empty() {
            style.lines.push(LineSet { name: name.into(), segments, colour: colour.rgba() });
        }
    }
    Ok(write_glb_bytes(&document, &style)?)
}

/// The motions of parts, in the order of their placements; `None` if all rest.
fn animation(parts: &[(Way, Pose)]) -> Option<Animation> {
    let spans = || parts.iter().filter_map(|(way, _)| way.times());
    let start = spans().map(|[t0, _]| t0).reduce(f64::min)?;
    let end = spans().map(|[_, t1]| t1).reduce(f64::max)?;
    let times = frames(parts.iter().map(|(way, _)| way), start, end);
    let track = |(way, pose): &(Way, Pose)| {
        let mut track = Track::default();
        times.iter().for_each(|&t| track.push(&way.pose_at(t, pose).unwrap_or(*pose)));
        way.times().map(|_| track)
    };
    let tracks = parts.iter().map(track).collect();
    Some(Animation { name: "motion".into(), seconds: times.iter().map(|t| t - start).collect(), tracks })
}

fn colour_of(verdict: Verdict) -> Colour {
    match verdict {
        Verdict::Duplicate | Verdict::Enclosed | Verdict::Overlapping => CLASH,
        Verdict::TooClose | Verdict::Undecided => CLOSE,
        Verdict::Touching | Verdict::TouchingWithinTolerance => CONTACT,
    }
}

fn gap_of(finding: &Finding) -> Option<[DVec3; 2]> {
    let ends = finding.closest.filter(|_| finding.verdict == Verdict::TooClose)?;
    Some(ends.map(DVec3::from_array))
}
