//! Triangles as the picture sees them, and which of their edges deserve a line.

use super::{Body, Camera, frame::Frame, frame::Pixel};
use clearance::glam::DVec3;
use rustc_hash::FxHashMap;

/// How many steps of light a body is drawn in; equal steps merge into one outline.
pub const LIGHT_STEPS: f64 = 40.0;
/// Edges whose faces turn by more than 35 degrees get a line.
const SHARP_COSINE: f64 = 0.82;

/// A side of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The one that its corners run around counter-clockwise.
    Front,
    /// The other.
    Back,
}

/// What a facet is painted with: facets of equal style may share a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Style {
    /// Which body.
    pub body: u32,
    /// Light from 0 to [`LIGHT_STEPS`].
    pub light: u32,
    /// Which side is seen: a path covers a place once, and a back that shines through a front must count beside it.
    pub side: Side,
}

/// A triangle in the picture, counter-clockwise on the screen (positive doubled area with `y` down flipped).
#[derive(Clone, Copy, Debug)]
pub struct Facet {
    /// Corners in hundredths of a pixel.
    pub corners: [Pixel; 3],
    /// Nearness of the corners to the viewer.
    pub nearness: [f64; 3],
    /// What it is painted with.
    pub style: Style,
}

/// An edge that gets a line where nothing hides it.
#[derive(Clone, Copy, Debug)]
pub struct Crease {
    /// Its ends.
    pub ends: [Pixel; 2],
    /// Nearness of the ends to the viewer.
    pub nearness: [f64; 2],
}

/// All drawn facets and creases of all bodies.
#[derive(Debug, Default)]
pub struct Facets {
    /// In the order of bodies and their triangles.
    pub facets: Vec<Facet>,
    /// In the order of bodies and their edges.
    pub creases: Vec<Crease>,
}

/// A triangle of a body with corners welded by exact equality.
struct Corner3 {
    ids: [u32; 3],
    normal: DVec3,
    faces_viewer: bool,
    /// Whether it has a facet.
    drawn: bool,
}

impl Facets {
    /// Adds a body. Faces that look away are left out if the body is closed and turned round if not.
    pub fn add(&mut self, index: u32, body: &Body, frame: &Frame, camera: &Camera) {
        let points: Vec<DVec3> =
            body.soup.positions.iter().map(|&p| frame.shrunk(body.pose.apply(p))).collect();
        let ids = weld(&points);
        let mut triangles = Vec::with_capacity(body.soup.triangles.len());
        for triangle in &body.soup.triangles {
            let Some([a, b, c]) = corners_of(*triangle, &points) else { continue };
            let Some(normal) = (b - a).cross(c - a).try_normalize() else { continue };
            triangles.push((
                Corner3 {
                    ids: triangle.map(|i| ids[i as usize]),
                    normal,
                    faces_viewer: normal.dot(camera.back()) > 0.0,
                    drawn: false,
                },
                [a, b, c],
            ));
        }
        let beside = edges_of(&triangles);
        let closed = beside.iter().all(|(_, sides)| is_closed(sides));
        for (triangle, corners) in &mut triangles {
            if closed && body.opacity >= 1.0 && !triangle.faces_viewer {
                continue;
            }
            // An open surface shows its back; the light falls on the side one sees.
            let normal = if triangle.faces_viewer { triangle.normal } else { -triangle.normal };
            let side = if closed && !triangle.faces_viewer { Side::Back } else { Side::Front };
            let light = (LIGHT_STEPS * camera.light_on(normal)).round() as u32;
            triangle.drawn = self.push(Style { body: index, light, side }, *corners, frame);
        }
        self.add_edges(&triangles, &beside, &ids, &points, frame);
    }

    /// Adds a facet unless it is seen edge-on; whether it did.
    fn push(&mut self, style: Style, corners: [DVec3; 3], frame: &Frame) -> bool {
        let [a, b, c] = corners.map(|p| frame.pixel(p));
        let area = doubled_area([a.0, b.0, c.0]);
        let facet = |p: (Pixel, f64), q: (Pixel, f64), r: (Pixel, f64)| Facet {
            corners: [p.0, q.0, r.0],
            nearness: [p.1, q.1, r.1],
            style,
        };
        let facet = match area.signum() {
            1 => facet(a, b, c),
            -1 => facet(a, c, b),
            _ => return false,
        };
        self.facets.push(facet);
        true
    }

    fn add_edges(
        &mut self,
        triangles: &[(Corner3, [DVec3; 3])],
        beside: &[(EdgeKey, Vec<(u32, bool)>)],
        ids: &[u32],
        points: &[DVec3],
        frame: &Frame,
    ) {
        let mut place = vec![DVec3::ZERO; points.len()];
        for (id, point) in ids.iter().zip(points) {
            place[*id as usize] = *point;
        }
        for (edge, sides) in beside {
            let drawn = sides.iter().any(|(t, _)| triangles[*t as usize].0.drawn);
            if !drawn || !is_crease(sides, triangles) {
                continue;
            }
            let [p, q] = [edge.0, edge.1].map(|i| frame.pixel(place[i as usize]));
            if p.0 != q.0 {
                self.creases.push(Crease { ends: [p.0, q.0], nearness: [p.1, q.1] });
            }
        }
    }
}

type EdgeKey = (u32, u32);

/// Twice the area on the screen, positive when counter-clockwise as seen (the picture's `y` points down).
pub fn doubled_area([a, b, c]: [Pixel; 3]) -> i64 {
    let [ux, uy] = [b[0] - a[0], b[1] - a[1]].map(i64::from);
    let [vx, vy] = [c[0] - a[0], c[1] - a[1]].map(i64::from);
    uy * vx - ux * vy
}

/// The smallest index with the same coordinates, per point.
fn weld(points: &[DVec3]) -> Vec<u32> {
    let mut first = FxHashMap::default();
    let key = |p: &DVec3| p.to_array().map(|c| (c + 0.0).to_bits());
    points.iter().enumerate().map(|(i, p)| *first.entry(key(p)).or_insert(i as u32)).collect()
}

fn corners_of(triangle: [u32; 3], points: &[DVec3]) -> Option<[DVec3; 3]> {
    let [a, b, c] = triangle.map(|i| points.get(i as usize).copied());
    let corners = [a?, b?, c?];
    corners.iter().all(|p| p.is_finite()).then_some(corners)
}

/// Per edge in increasing order the triangles beside it, with whether they run from the smaller id to the larger.
fn edges_of(triangles: &[(Corner3, [DVec3; 3])]) -> Vec<(EdgeKey, Vec<(u32, bool)>)> {
    let mut half_edges = Vec::with_capacity(3 * triangles.len());
    for (t, (triangle, _)) in triangles.iter().enumerate() {
        for k in 0..3 {
            let (i, j) = (triangle.ids[k], triangle.ids[(k + 1) % 3]);
            half_edges.push(((i.min(j), i.max(j)), t as u32, i < j));
        }
    }
    half_edges.sort_unstable();
    half_edges
        .chunk_by(|p, q| p.0 == q.0)
        .map(|sides| (sides[0].0, sides.iter().map(|&(_, t, forward)| (t, forward)).collect()))
        .collect()
}

/// As many triangles run along the edge one way as the other.
fn is_closed(sides: &[(u32, bool)]) -> bool {
    2 * sides.iter().filter(|(_, forward)| *forward).count() == sides.len()
}

/// A border, a sharp fold or the edge of what one sees of a body.
fn is_crease(sides: &[(u32, bool)], triangles: &[(Corner3, [DVec3; 3])]) -> bool {
    let [(s, _), (t, _)] = sides else { return true };
    let (s, t) = (&triangles[*s as usize].0, &triangles[*t as usize].0);
    !is_closed(sides) || s.faces_viewer != t.faces_viewer || s.normal.dot(t.normal) < SHARP_COSINE
}
