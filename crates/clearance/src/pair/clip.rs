//! Clipping convex polygons in a plane, remembering what made each corner [Sutherland and Hodgman 1974].

use super::feature::Feature;
use glam::DVec2;

/// Points outside a side by less than this part of the smaller polygon's size count as inside: the common part is no
/// larger, whatever the size of the other.
pub(super) const TOLERANCE: f64 = 1e-9;

/// A corner of a polygon before clipping.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub at: DVec2,
    pub vertex: u32,
    /// To the next corner: more precise than the difference of their places.
    pub side: DVec2,
}

/// A corner of the common part, and what of each polygon it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clipped {
    pub at: DVec2,
    pub of_clipper: Feature,
    pub of_subject: Feature,
    /// The side from here to the next corner.
    side: Side,
}

impl Clipped {
    /// With the roles exchanged.
    pub fn swapped(self) -> Clipped {
        Clipped { of_clipper: self.of_subject, of_subject: self.of_clipper, ..self }
    }
}

/// Whose a side of the common part is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Side {
    Clipper([u32; 2]),
    Subject([u32; 2]),
}

/// The common part of two polygons, both counter-clockwise; `face_*` name their insides. Corners err by `noise`.
pub(super) fn clip(
    clipper: &[Corner],
    face_clipper: Feature,
    subject: &[Corner],
    face_subject: Feature,
    noise: f64,
) -> Vec<Clipped> {
    let tolerance = tolerance(clipper, subject, noise);
    let mut part: Vec<Clipped> = (0..subject.len())
        .map(|i| Clipped {
            at: subject[i].at,
            of_clipper: face_clipper,
            of_subject: Feature::Vertex(subject[i].vertex),
            side: Side::Subject([subject[i].vertex, subject[(i + 1) % subject.len()].vertex]),
        })
        .collect();
    for (i, &from) in clipper.iter().enumerate() {
        part = cut(&part, from, clipper[(i + 1) % clipper.len()], face_subject, tolerance);
    }
    merge(part, tolerance)
}

/// The part of a segment inside a polygon: none, one or two points; `inside` names what is between its ends. Corners err
/// by `noise`.
pub(super) fn clip_segment(
    segment: [Corner; 2],
    inside: Feature,
    clipper: &[Corner],
    face: Feature,
    noise: f64,
) -> Vec<Clipped> {
    let tolerance = tolerance(clipper, &segment, noise);
    let [from, to] = segment;
    let name = [from.vertex, to.vertex];
    let end = |corner: Corner| Clipped {
        at: corner.at,
        of_clipper: face,
        of_subject: Feature::Vertex(corner.vertex),
        side: Side::Subject(name),
    };
    let (mut first, mut last) = (end(from), end(to));
    // Whichever way the polygon runs, its inside is where its area is.
    let area: f64 = (0..clipper.len())
        .map(|i| {
            (clipper[i].at - clipper[0].at).perp_dot(clipper[(i + 1) % clipper.len()].at - clipper[0].at)
        })
        .sum();
    for i in 0..clipper.len() {
        let (p, q) = (clipper[i], clipper[(i + 1) % clipper.len()]);
        let sign = if area < 0.0 { -1.0 } else { 1.0 };
        let (start, stop) = (sign * depth(p, first.at), sign * depth(p, last.at));
        if start < -tolerance && stop < -tolerance {
            return Vec::new();
        }
        let cross = Clipped {
            at: first.at + (last.at - first.at) * (start / (start - stop)).clamp(0.0, 1.0),
            of_clipper: Feature::edge(p.vertex, q.vertex),
            of_subject: inside,
            side: Side::Subject(name),
        };
        if start < -tolerance {
            first = cross;
        } else if stop < -tolerance {
            last = cross;
        }
    }
    merge(vec![first, last], tolerance)
}

/// What counts as nothing: a part of the smaller polygon's size, or rounding.
fn tolerance(clipper: &[Corner], subject: &[Corner], noise: f64) -> f64 {
    let size = |corners: &[Corner]| {
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        corners.iter().for_each(|corner| (low, high) = (low.min(corner.at), high.max(corner.at)));
        (high - low).max_element()
    };
    (TOLERANCE * size(clipper).min(size(subject))).max(noise)
}

/// How far a point lies inside the side that starts at a corner.
fn depth(p: Corner, at: DVec2) -> f64 {
    (p.side / p.side.abs().max_element()).normalize_or_zero().perp_dot(at - p.at)
}

/// Cuts away what lies outside one side.
fn cut(part: &[Clipped], p: Corner, q: Corner, face_subject: Feature, tolerance: f64) -> Vec<Clipped> {
    let mut kept = Vec::with_capacity(part.len() + 1);
    for (i, here) in part.iter().enumerate() {
        let next = &part[(i + 1) % part.len()];
        let (start, stop) = (depth(p, here.at), depth(p, next.at));
        let (is_inside, stays_inside) = (start >= -tolerance, stop >= -tolerance);
        if is_inside {
            kept.push(*here);
        }
        if is_inside != stays_inside {
            let (of_clipper, of_subject) = crossing(here.side, [p.vertex, q.vertex], face_subject);
            let at = match of_clipper {
                // Two sides of the clipper meet in its corner, however small their angle.
                Feature::Vertex(v) if v == p.vertex => p.at,
                Feature::Vertex(v) if v == q.vertex => q.at,
                _ => here.at + (next.at - here.at) * (start / (start - stop)).clamp(0.0, 1.0),
            };
            // Going out, the polygon goes on along the side that cuts; coming in, along its own.
            let side = if is_inside { Side::Clipper([p.vertex, q.vertex]) } else { here.side };
            kept.push(Clipped { at, of_clipper, of_subject, side });
        }
    }
    kept
}

/// What the crossing of a side of the part with a side of the clipper is.
fn crossing(side: Side, cutting: [u32; 2], face_subject: Feature) -> (Feature, Feature) {
    let edge = Feature::edge(cutting[0], cutting[1]);
    match side {
        Side::Subject([from, to]) => (edge, Feature::edge(from, to)),
        Side::Clipper(other) => {
            let shared = cutting.into_iter().find(|v| other.contains(v));
            (shared.map_or(edge, Feature::Vertex), face_subject)
        }
    }
}

/// Corners closer than the tolerance are one; a vertex names it rather than a crossing.
fn merge(part: Vec<Clipped>, tolerance: f64) -> Vec<Clipped> {
    let is_vertex = |c: &Clipped| {
        matches!(c.of_subject, Feature::Vertex(_)) || matches!(c.of_clipper, Feature::Vertex(_))
    };
    let mut kept: Vec<Clipped> = Vec::with_capacity(part.len());
    for corner in part {
        match kept.iter_mut().find(|k| k.at.distance(corner.at) <= 4.0 * tolerance) {
            Some(same) if is_vertex(&corner) && !is_vertex(same) => *same = corner,
            Some(_) => {}
            None => kept.push(corner),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polygon(places: &[DVec2], base: u32) -> Vec<Corner> {
        let side = |i: usize| places[(i + 1) % places.len()] - places[i];
        (0..places.len()).map(|i| Corner { at: places[i], vertex: base + i as u32, side: side(i) }).collect()
    }

    fn square(low: f64, high: f64, base: u32) -> Vec<Corner> {
        polygon(&[(low, low), (high, low), (high, high), (low, high)].map(DVec2::from), base)
    }

    #[test]
    fn the_common_part_of_shifted_squares_has_a_corner_of_each_and_two_crossings() {
        let part = clip(
            &square(0.0, 2.0, 0),
            Feature::Face([0, 5, 6]),
            &square(1.0, 3.0, 10),
            Feature::Face([1, 5, 6]),
            0.0,
        );
        let mut names: Vec<_> = part.iter().map(|c| (c.of_clipper, c.of_subject)).collect();
        names.sort();
        assert_eq!(
            names,
            [
                (Feature::Vertex(2), Feature::Face([1, 5, 6])),
                (Feature::Edge([1, 2]), Feature::Edge([10, 11])),
                (Feature::Edge([2, 3]), Feature::Edge([10, 13])),
                (Feature::Face([0, 5, 6]), Feature::Vertex(10)),
            ]
        );
        assert!(part.iter().all(|c| (1.0..=2.0).contains(&c.at.x) && (1.0..=2.0).contains(&c.at.y)));
    }

    #[test]
    fn equal_squares_keep_the_names_of_vertices_when_moved_by_rounding() {
        for shift in [0.0, 1e-12, -1e-12] {
            let part = clip(
                &square(0.0, 1.0, 0),
                Feature::Face([0, 5, 6]),
                &square(shift, 1.0 + shift, 4),
                Feature::Face([1, 5, 6]),
                0.0,
            );
            assert_eq!(part.len(), 4);
            assert!(part.iter().all(|c| matches!(c.of_subject, Feature::Vertex(_))), "{part:?}");
        }
    }

    #[test]
    fn a_grain_on_a_field_keeps_its_corners() {
        let part = clip(
            &square(-1e9, 1e9, 0),
            Feature::Face([0, 5, 6]),
            &square(1.0, 1.001, 4),
            Feature::Face([1, 5, 6]),
            0.0,
        );
        assert_eq!(part.len(), 4, "{part:?}");
    }

    #[test]
    fn a_segment_across_a_square_is_cut_at_both_sides() {
        let ends = polygon(&[DVec2::new(-1.0, 0.5), DVec2::new(3.0, 0.5)], 8);
        let segment = [ends[0], ends[1]];
        let mut places: Vec<DVec2> = square(0.0, 1.0, 0).iter().map(|corner| corner.at).collect();
        places.reverse();
        let clockwise: Vec<Corner> =
            polygon(&places, 0).iter().map(|c| Corner { vertex: 3 - c.vertex, ..*c }).collect();
        for polygon in [square(0.0, 1.0, 0), clockwise] {
            let part = clip_segment(segment, Feature::Edge([8, 9]), &polygon, Feature::Face([3, 5, 6]), 0.0);
            assert_eq!(part.iter().map(|c| c.at.x).collect::<Vec<_>>(), [0.0, 1.0]);
            assert_eq!(part[0].of_clipper, Feature::Edge([0, 3]));
            assert_eq!(part[0].of_subject, Feature::Edge([8, 9]));
        }
        let outside = segment.map(|c| Corner { at: c.at + DVec2::Y, ..c });
        assert!(
            clip_segment(outside, Feature::Edge([8, 9]), &square(0.0, 1.0, 0), Feature::Face([3, 5, 6]), 0.0)
                .is_empty()
        );
    }
}
