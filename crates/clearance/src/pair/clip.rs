//! Clipping convex polygons in a plane, remembering what made each corner [Sutherland and Hodgman 1974].

use super::feature::Feature;
use glam::DVec2;

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

/// A line along a side of the clipper, or past a sharp corner of it; what is left of it stays.
#[derive(Clone, Copy, Debug)]
struct Cutting {
    along: DVec2,
    name: Feature,
    /// Both ends of the side; twice the corner.
    ends: [Corner; 2],
}

impl Cutting {
    /// How far a point lies inside.
    fn depth(&self, at: DVec2) -> f64 {
        self.along.perp_dot(at - self.ends[0].at)
    }

    fn vertices(&self) -> [u32; 2] {
        self.ends.map(|end| end.vertex)
    }
}

/// The lines that bound a polygon, counter-clockwise: its sides, then a line across each corner of less than a right angle.
///
/// What is outside a side by a tolerance stays, which beyond a sharp corner is far away from it; the lines across cut that
/// off. They come last: then all that they cut is close to their corner.
fn lines(polygon: &[Corner]) -> impl Iterator<Item = Cutting> {
    let side = |i: usize| direction(polygon[i].side);
    let previous = |i: usize| (i + polygon.len() - 1) % polygon.len();
    let along = move |i: usize| {
        let (from, to) = (polygon[i], polygon[(i + 1) % polygon.len()]);
        Cutting { along: side(i), name: Feature::edge(from.vertex, to.vertex), ends: [from, to] }
    };
    let across = move |i: usize| {
        let (before, after, name) = (side(previous(i)), side(i), Feature::Vertex(polygon[i].vertex));
        let along = direction((before - after).perp());
        (before.dot(after) < 0.0).then_some(Cutting { along, name, ends: [polygon[i]; 2] })
    };
    (0..polygon.len()).map(along).chain((0..polygon.len()).filter_map(across))
}

/// Of length one, or zero.
fn direction(vector: DVec2) -> DVec2 {
    (vector / vector.abs().max_element()).normalize_or_zero()
}

/// The common part of two polygons, both counter-clockwise; `face_*` name their insides. Points outside a side by less than
/// the tolerance count as inside.
pub(super) fn clip(
    clipper: &[Corner],
    face_clipper: Feature,
    subject: &[Corner],
    face_subject: Feature,
    tolerance: f64,
) -> Vec<Clipped> {
    let mut part: Vec<Clipped> = (0..subject.len())
        .map(|i| Clipped {
            at: subject[i].at,
            of_clipper: face_clipper,
            of_subject: Feature::Vertex(subject[i].vertex),
            side: Side::Subject([subject[i].vertex, subject[(i + 1) % subject.len()].vertex]),
        })
        .collect();
    for line in lines(clipper) {
        part = cut(&part, line, face_subject, tolerance);
    }
    merge(part, tolerance)
}

/// The part of a segment inside a polygon, counter-clockwise: none, one or two points; `inside` names what is between its
/// ends. Points outside a side by less than the tolerance count as inside.
pub(super) fn clip_segment(
    segment: [Corner; 2],
    inside: Feature,
    clipper: &[Corner],
    face: Feature,
    tolerance: f64,
) -> Vec<Clipped> {
    let [from, to] = segment;
    let side = Side::Subject([from.vertex, to.vertex]);
    let end = |corner: Corner| {
        let of_subject = Feature::Vertex(corner.vertex);
        Clipped { at: corner.at, of_clipper: face, of_subject, side }
    };
    let (mut first, mut last) = (end(from), end(to));
    for line in lines(clipper) {
        let (start, stop) = (line.depth(first.at), line.depth(last.at));
        if start < -tolerance && stop < -tolerance {
            return Vec::new();
        }
        let at = first.at + (last.at - first.at) * (start / (start - stop)).clamp(0.0, 1.0);
        let cross = Clipped { at, of_clipper: line.name, of_subject: inside, side };
        if start < -tolerance {
            first = cross;
        } else if stop < -tolerance {
            last = cross;
        }
    }
    merge(vec![first, last], tolerance)
}

/// The point of the rim of a polygon, counter-clockwise, that is nearest to a point outside: the corner that its side starts
/// at, and the share of the side; `None` if the point is inside up to the tolerance.
pub(super) fn nearest_on_rim(polygon: &[Corner], at: DVec2, tolerance: f64) -> Option<(usize, f64)> {
    if lines(polygon).all(|line| line.depth(at) >= -tolerance) {
        return None;
    }
    let nearest = |i: usize| {
        let Corner { at: from, side, .. } = polygon[i];
        let share = (at - from).dot(side) / side.length_squared();
        let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
        (i, share, (from + side * share).distance(at))
    };
    let sides = (0..polygon.len()).map(nearest);
    sides.min_by(|x, y| x.2.total_cmp(&y.2)).map(|(i, share, _)| (i, share))
}

/// Cuts away what lies outside one line.
fn cut(part: &[Clipped], line: Cutting, face_subject: Feature, tolerance: f64) -> Vec<Clipped> {
    let mut kept = Vec::with_capacity(part.len() + 1);
    for (i, here) in part.iter().enumerate() {
        let next = &part[(i + 1) % part.len()];
        let (start, stop) = (line.depth(here.at), line.depth(next.at));
        let (is_inside, stays_inside) = (start >= -tolerance, stop >= -tolerance);
        if is_inside {
            kept.push(*here);
        }
        if is_inside != stays_inside {
            let (of_clipper, of_subject) = crossing(here.side, line, face_subject);
            let corner = line.ends.into_iter().find(|end| of_clipper == Feature::Vertex(end.vertex));
            // Two sides of the clipper meet in its corner, however small their angle; if they reach it.
            let is_reached = |corner: &Corner| {
                let along = next.at - here.at;
                let (at, slack) = (along.dot(corner.at - here.at), tolerance * along.length());
                -slack <= at && at <= along.length_squared() + slack
            };
            let at = match corner.filter(is_reached) {
                Some(corner) => corner.at,
                None => here.at + (next.at - here.at) * (start / (start - stop)).clamp(0.0, 1.0),
            };
            // Going out, the polygon goes on along the side that cuts; coming in, along its own.
            let side = if is_inside { Side::Clipper(line.vertices()) } else { here.side };
            kept.push(Clipped { at, of_clipper, of_subject, side });
        }
    }
    kept
}

/// What the crossing of a side of the part with a line is.
fn crossing(side: Side, line: Cutting, face_subject: Feature) -> (Feature, Feature) {
    match side {
        Side::Subject([from, to]) => (line.name, Feature::edge(from, to)),
        Side::Clipper(other) => {
            let shared = line.vertices().into_iter().find(|v| other.contains(v));
            (shared.map_or(line.name, Feature::Vertex), face_subject)
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
                1e-9,
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
        let part =
            clip_segment(segment, Feature::Edge([8, 9]), &square(0.0, 1.0, 0), Feature::Face([3, 5, 6]), 0.0);
        assert_eq!(part.iter().map(|c| c.at.x).collect::<Vec<_>>(), [0.0, 1.0]);
        assert_eq!(part[0].of_clipper, Feature::Edge([0, 3]));
        assert_eq!(part[0].of_subject, Feature::Edge([8, 9]));
        let outside = segment.map(|c| Corner { at: c.at + DVec2::Y, ..c });
        assert!(
            clip_segment(outside, Feature::Edge([8, 9]), &square(0.0, 1.0, 0), Feature::Face([3, 5, 6]), 0.0)
                .is_empty()
        );
    }

    #[test]
    fn what_lies_beyond_a_sharp_corner_is_outside_however_near_it_is_to_both_sides() {
        let needle = polygon(&[(0.0, -1e-9), (1.0, 0.0), (0.0, 1e-9)].map(DVec2::from), 0);
        let part =
            clip(&needle, Feature::Face([0, 1, 2]), &square(-3.0, 1.5, 4), Feature::Face([4, 5, 6]), 1e-9);
        assert!(part.iter().all(|c| c.at.x < 1.0 + 4e-9), "{part:?}");
        assert!(part.iter().any(|c| c.of_clipper == Feature::Vertex(1) && c.at == DVec2::X));
        assert_eq!(nearest_on_rim(&needle, DVec2::new(1.25, 0.0), 1e-9), Some((0, 1.0)));
        assert_eq!(nearest_on_rim(&needle, DVec2::new(0.5, 0.0), 1e-9), None);
    }
}
