//! Where two bodies touch: the contact polygon of their supporting faces.

use super::clip::{Corner, clip, clip_segment, nearest_on_rim};
use super::distance::distance;
use super::feature::Feature;
use super::normal::{apart_normal, rounded_direction, size_of, unit};
use super::penetration::penetration;
use super::relation::{Witness, relation_with_witness};
use super::supporting::{Supporting, supporting};
use crate::math::Pose;
use crate::support::SupportMap;
use crate::witness::PosedPair;
use glam::{DVec2, DVec3};

/// How contacts are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ManifoldConfig {
    /// Points at which the bodies are apart by no more than this along the normal belong to the contact.
    pub margin: f64,
    /// Faces and edges inclined to the contact plane by less than this (a sine) count as lying in it.
    pub flatness: f64,
}

impl Default for ManifoldConfig {
    /// Margin 0, flatness 0.02 (about one degree).
    fn default() -> ManifoldConfig {
        ManifoldConfig { margin: 0.0, flatness: 0.02 }
    }
}

/// One point of a contact, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// On A.
    pub point_a: DVec3,
    /// On B, straight along the normal from the point of A.
    pub point_b: DVec3,
    /// How deep they overlap there: `normal . (point_a - point_b)`, negative for a gap.
    pub depth: f64,
    /// What of A made the point.
    pub feature_a: Feature,
    /// What of B made the point; the two together name it from frame to frame.
    pub feature_b: Feature,
}

/// The contact of two bodies along a normal.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifold {
    /// From A to B, unit length.
    pub normal: DVec3,
    /// The corners of the contact polygon, counter-clockwise seen from the tip of the normal, the one with the
    /// smallest features first; one or two points where only vertices or edges meet.
    pub points: Vec<ContactPoint>,
}

/// The contact of two polytopes along a normal (from A to B, any length), such as [`contact_normal`] gives.
///
/// On each body the supporting feature is taken, the face, edge or vertex that lies in the contact plane, and one
/// is clipped against the other along the normal. Points with a gap of more than the margin are left out, so
/// disjoint bodies may have none; a normal that is zero or not finite gives none. Floats: positions are rounded,
/// and nothing is proved; bodies smaller than about `1e-70` may have one point where they should have a polygon.
/// `O(corners squared)` for the faces that meet, `O(faces)` comparisons to find them.
///
/// Names are stable: a vertex outside a face by less than `1e-9` of the smaller face's size, or by less than rounding
/// (`64` units in the last place of the largest coordinate), counts as inside, so bodies that are exactly aligned do not
/// flicker between one name and another when they move by rounding errors. Points lie on both faces within eight times that;
/// a vertex that is not over a face is paired with the nearest point of it.
pub fn manifold(
    a: &SupportMap,
    pose_a: &Pose,
    b: &SupportMap,
    pose_b: &Pose,
    normal: DVec3,
    config: &ManifoldConfig,
) -> Manifold {
    let Some(normal) = unit(normal) else { return Manifold { normal, points: Vec::new() } };
    let on_a = supporting(a, pose_a, normal, config.flatness);
    let on_b = supporting(b, pose_b, -normal, config.flatness);
    let mut points = Plane::new(normal).contact(&on_a, &on_b);
    points.retain(|point| point.depth >= -config.margin);
    let name = |point: &ContactPoint| (point.feature_a, point.feature_b);
    let first = (0..points.len()).min_by_key(|&i| name(&points[i])).unwrap_or(0);
    points.rotate_left(first);
    Manifold { normal, points }
}

/// A contact normal of two polytopes, from A to B, rounded: that of the penetration, of a plane between bodies that touch,
/// or from one closest point to the other; `None` if that has no direction in floats.
pub fn contact_normal(a: &SupportMap, pose_a: &Pose, b: &SupportMap, pose_b: &Pose) -> Option<DVec3> {
    let pair = PosedPair { a: a.polytope(), pose_a, b: b.polytope(), pose_b };
    match relation_with_witness(a, pose_a, b, pose_b) {
        Witness::Overlapping(_) => penetration(a, pose_a, b, pose_b).map(|found| found.normal),
        Witness::Touching(separation, _) => rounded_direction(&separation.direction, &pair),
        Witness::Disjoint(_) => {
            let size = size_of([a, b], [pose_a, pose_b]);
            apart_normal(&pair, size, &distance(a, pose_a, b, pose_b))
        }
    }
}

/// The contact plane: coordinates across the normal, and along it.
struct Plane {
    normal: DVec3,
    across: [DVec3; 2],
}

impl Plane {
    fn new(normal: DVec3) -> Plane {
        let first = normal.any_orthonormal_vector();
        Plane { normal, across: [first, normal.cross(first)] }
    }

    fn flat(&self, point: DVec3) -> DVec2 {
        DVec2::new(self.across[0].dot(point), self.across[1].dot(point))
    }

    /// The point of a supporting face over a place of the contact plane.
    fn lift(&self, place: DVec2, on: &Supporting) -> DVec3 {
        let base = self.across[0] * place.x + self.across[1] * place.y;
        let height = on.normal.dot(on.points[0] - base) / on.normal.dot(self.normal);
        // The normal of a sliver is rounding, but no point of a face lies above or below all of its corners.
        let heights = on.points.iter().map(|&point| self.normal.dot(point));
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        let height = if height.is_nan() { low } else { height.clamp(low, high) };
        base + self.normal * height
    }

    fn contact(&self, on_a: &Supporting, on_b: &Supporting) -> Vec<ContactPoint> {
        let tolerance = self.tolerance(on_a, on_b);
        let (on_a, on_b) = (&self.without_width(on_a, tolerance), &self.without_width(on_b, tolerance));
        match (on_a.points.len(), on_b.points.len()) {
            (1, _) | (_, 1) => vec![self.vertex_contact(on_a, on_b, tolerance)],
            (2, 2) => self.edge_contact(on_a, on_b),
            _ => self.face_contact(on_a, on_b, tolerance),
        }
    }

    /// What counts as nothing: a part of the size of the smaller feature, as the common part is no larger whatever the size
    /// of the other, or rounding.
    fn tolerance(&self, on_a: &Supporting, on_b: &Supporting) -> f64 {
        let size = |on: &Supporting| {
            let flat = (0..on.points.len()).map(|i| self.flat(on.between(0, i)));
            let [low, high] = flat.fold([DVec2::ZERO; 2], |[l, h], at| [l.min(at), h.max(at)]);
            (high - low).max_element()
        };
        (TOLERANCE * size(on_a).min(size(on_b))).max(noise(on_a)).max(noise(on_b))
    }

    /// A face that is thinner than what counts as nothing, as the segment between its farthest corners: its sides do not
    /// say where it ends. A face or edge that is shorter than rounding, as a point.
    fn without_width(&self, on: &Supporting, tolerance: f64) -> Supporting {
        let flat: Vec<DVec2> = (0..on.points.len()).map(|i| self.flat(on.between(0, i))).collect();
        let pairs = (0..flat.len()).flat_map(|i| (0..i).map(move |j| (j, i)));
        let far =
            pairs.max_by(|&(i, j), &(k, l)| flat[i].distance(flat[j]).total_cmp(&flat[k].distance(flat[l])));
        let Some((i, j)) = far else { return on.clone() };
        let (along, length) = (flat[j] - flat[i], flat[i].distance(flat[j]));
        let width = flat.iter().map(|&at| (along / length).perp_dot(at - flat[i]).abs()).fold(0.0, f64::max);
        if length <= 2.0 * noise(on) {
            on.restricted_to(&[i], self.normal)
        } else if flat.len() > 2 && width <= 2.0 * tolerance {
            on.restricted_to(&[i, j], self.normal)
        } else {
            on.clone()
        }
    }

    fn point(&self, point_a: DVec3, point_b: DVec3, features: (Feature, Feature)) -> ContactPoint {
        let depth = self.normal.dot(point_a - point_b);
        ContactPoint { point_a, point_b, depth, feature_a: features.0, feature_b: features.1 }
    }

    /// One of the features is a vertex.
    fn vertex_contact(&self, on_a: &Supporting, on_b: &Supporting, tolerance: f64) -> ContactPoint {
        let features = (on_a.feature, on_b.feature);
        if on_a.points.len() == 1 {
            let corners = || self.corners(on_b, (0..on_b.points.len()).rev());
            self.point(on_a.points[0], self.opposite(on_a.points[0], on_b, corners, tolerance), features)
        } else {
            let corners = || self.corners(on_a, 0..on_a.points.len());
            self.point(self.opposite(on_b.points[0], on_a, corners, tolerance), on_b.points[0], features)
        }
    }

    /// The point of a feature over a vertex, or the nearest if there is none.
    fn opposite(
        &self,
        vertex: DVec3,
        on: &Supporting,
        corners: impl FnOnce() -> Vec<Corner>,
        tolerance: f64,
    ) -> DVec3 {
        match on.points[..] {
            [point] => point,
            [from, to] => {
                let share = (vertex - from).dot(to - from) / (to - from).length_squared();
                from + (to - from) * share.clamp(0.0, 1.0)
            }
            _ => {
                let (corners, place) = (corners(), self.flat(vertex));
                let inside = match nearest_on_rim(&corners, place, tolerance) {
                    Some((i, share)) => corners[i].at + corners[i].side * share,
                    None => place,
                };
                self.lift(inside, on)
            }
        }
    }

    /// A feature seen along the normal, its points in some order.
    fn corners(&self, on: &Supporting, order: impl Iterator<Item = usize>) -> Vec<Corner> {
        let order: Vec<usize> = order.collect();
        let next = |k: usize| order[(k + 1) % order.len()];
        let corner = |(k, &i): (usize, &usize)| Corner {
            at: self.flat(on.points[i]),
            vertex: on.vertices[i],
            side: self.flat(on.between(i, next(k))),
        };
        order.iter().enumerate().map(corner).collect()
    }

    /// Two edges: where they cross, or the common part of parallel ones.
    fn edge_contact(&self, on_a: &Supporting, on_b: &Supporting) -> Vec<ContactPoint> {
        let ([a0, a1], [b0, b1]) = (ends(on_a), ends(on_b));
        let (along_a, along_b) = (self.flat(a1 - a0), self.flat(b1 - b0));
        let turn = along_a.perp_dot(along_b);
        if turn.abs() <= PARALLEL * along_a.length() * along_b.length() {
            return self.parallel_edges(on_a, on_b);
        }
        let apart = self.flat(b0 - a0);
        let s = (apart.perp_dot(along_b) / turn).clamp(0.0, 1.0);
        let t = (apart.perp_dot(along_a) / turn).clamp(0.0, 1.0);
        vec![self.point(a0 + (a1 - a0) * s, b0 + (b1 - b0) * t, (on_a.feature, on_b.feature))]
    }

    fn parallel_edges(&self, on_a: &Supporting, on_b: &Supporting) -> Vec<ContactPoint> {
        let ([a0, a1], [b0, b1]) = (ends(on_a), ends(on_b));
        let along = a1 - a0;
        let on = |from: DVec3, to: DVec3, p: DVec3| (p - from).dot(to - from) / (to - from).length_squared();
        let slack = 1e-9;
        let inside = |x: f64| (-slack..=1.0 + slack).contains(&x);
        let from_b = [0, 1].into_iter().filter_map(|i| {
            let (end, vertex) = (on_b.points[i], on_b.vertices[i]);
            let s = on(a0, a1, end);
            let features = (on_a.feature, Feature::Vertex(vertex));
            inside(s).then(|| self.point(a0 + along * s.clamp(0.0, 1.0), end, features))
        });
        let mut points: Vec<ContactPoint> = from_b.collect();
        for i in [0, 1] {
            let (end, vertex) = (on_a.points[i], on_a.vertices[i]);
            let t = on(b0, b1, end);
            // Ends that coincide with one of B are there already.
            let place = self.flat(end);
            let is_new = points.iter().all(|p| self.flat(p.point_a).distance(place) > slack * along.length());
            if inside(t) && is_new && points.len() < 2 {
                let features = (Feature::Vertex(vertex), on_b.feature);
                points.push(self.point(end, b0 + (b1 - b0) * t.clamp(0.0, 1.0), features));
            }
        }
        points
    }

    /// A face and an edge, or two faces: one is clipped against the sides of the other.
    fn face_contact(&self, on_a: &Supporting, on_b: &Supporting, tolerance: f64) -> Vec<ContactPoint> {
        // B's face looks the other way.
        let corners_a = self.corners(on_a, 0..on_a.points.len());
        let corners_b = self.corners(on_b, (0..on_b.points.len()).rev());
        let lift = |place: DVec2, on: &Supporting| match on.points[..] {
            [from, to] => {
                let along = self.flat(to - from);
                from + (to - from) * ((place - self.flat(from)).dot(along) / along.length_squared())
            }
            _ => self.lift(place, on),
        };
        let clipped = match (&corners_a[..], &corners_b[..]) {
            (_, &[from, to]) => clip_segment([from, to], on_b.feature, &corners_a, on_a.feature, tolerance),
            (&[from, to], _) => clip_segment([from, to], on_a.feature, &corners_b, on_b.feature, tolerance)
                .into_iter()
                .map(|point| point.swapped())
                .collect(),
            _ => clip(&corners_a, on_a.feature, &corners_b, on_b.feature, tolerance),
        };
        let points = clipped.into_iter();
        points.map(|p| self.point(lift(p.at, on_a), lift(p.at, on_b), (p.of_clipper, p.of_subject))).collect()
    }
}

/// What rounding moves points by: posing a vertex, laying it flat and the normal that it is laid flat along cost less than
/// 64 units in the last place of the largest coordinate.
fn noise(on: &Supporting) -> f64 {
    64.0 * f64::EPSILON * on.points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max)
}

/// Points outside a side by less than this part of the smaller feature's size count as inside.
const TOLERANCE: f64 = 1e-9;

/// Edges at a smaller angle (its sine) are taken as parallel.
const PARALLEL: f64 = 1e-3;

fn ends(on: &Supporting) -> [DVec3; 2] {
    [on.points[0], on.points[1]]
}
