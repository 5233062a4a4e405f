//! Vertices in boxes of faces: what is left out before anything is solved, and when the others meet [Buss04 §9, step 4].

use super::bounds::Scale;
use super::clip::normal;
use super::drawing::Dot;
use super::early::{is_beside, is_beside_both};
use super::extent::{joined, least, most};
use super::facets::{Facet, Plane};
use super::newton::{Height, Way, falls_evenly};
use super::raster::SLACK;
use super::settle::{Settler, keep};
use super::spot::Spot;
use crate::screw::surface::NONE;

/// A vertex and a face as they are on the screen.
struct Sight<'a> {
    facet: &'a Facet,
    plane: &'a Plane,
    corners: [&'a Spot; 4],
    spot: &'a Spot,
    /// How far the face may be from the lines between its corners, in pixels and in time.
    slack: f64,
    late: f64,
}

impl Sight<'_> {
    #[inline(always)]
    fn is_beside(&self) -> bool {
        let outline = self.corners.map(|corner| &corner.screen);
        is_beside_both(outline, self.facet.triangles[1] == NONE, &self.spot.screen, self.slack)
    }

    /// Times of the step at which the vertex may meet the part of the face between some of its corners.
    #[inline(always)]
    fn window<const FACE_IS_A: bool>(&self, step: [f64; 2], corners: &[usize]) -> [f64; 2] {
        let range = |all: [f64; 2], &k: &usize| joined(all, [self.corners[k].screen.t; 2]);
        let [first, last] = corners.iter().fold([f64::INFINITY, f64::NEG_INFINITY], range);
        window::<FACE_IS_A>(step, self.spot.screen.t, [first - self.late, last + self.late])
    }
}

/// Times of the step at which a vertex may meet a face that comes to the screen at some times.
#[inline(always)]
fn window<const FACE_IS_A: bool>([first, last]: [f64; 2], vertex: f64, face: [f64; 2]) -> [f64; 2] {
    let [low, high] = match FACE_IS_A {
        true => [face[0] - vertex, face[1] - vertex],
        false => [vertex - face[1], vertex - face[0]],
    };
    [most(low, first), least(high, last)]
}

impl<'a> Settler<'a> {
    /// Vertices in boxes of faces that are drawn whole; how many of them were solved.
    ///
    /// What is left out cannot be foretold: all are tested in the same way, one test after the other.
    #[inline(always)]
    pub fn vertices_and_facets<const FACE_IS_A: bool>(
        &mut self,
        pairs: &mut [[u32; 2]],
        names: impl Fn([u32; 2]) -> [u32; 2],
        scale: &Scale,
    ) -> u64 {
        let of_face = usize::from(!FACE_IS_A);
        // Most are inside the other body by then.
        let count = keep(pairs, |pair| {
            let pair = names(pair);
            let sight = self.sight::<FACE_IS_A>(pair, scale);
            let (plane, window) = (sight.plane, sight.window::<FACE_IS_A>(self.step(), &[0, 1, 2, 3]));
            let normal = self.drawings[of_face].matrix * plane.normal;
            let is_below = (plane.bias == 0.0) & self.is_below::<FACE_IS_A>(pair[0], normal, window);
            (pair, (window[0] <= window[1]) & !is_below)
        });
        let mut solved = 0;
        for &[vertex, facet] in &pairs[..count] {
            let sight = self.sight::<FACE_IS_A>([vertex, facet], scale);
            if sight.is_beside() {
                continue;
            }
            let window = sight.window::<FACE_IS_A>(self.step(), &[0, 1, 2, 3]);
            let face = (self.drawings[of_face].matrix * sight.plane.normal, sight.plane.bias > 0.0);
            let aim = self.aim::<FACE_IS_A>(vertex, face, sight.corners.map(|spot| spot.p), window);
            solved += u64::from(aim.triangles != [false; 2]);
            for ((triangle, own), _) in sight.facet.each_triangle().zip(aim.triangles).filter(|all| all.1) {
                let window = sight.window::<FACE_IS_A>(self.step(), &own);
                if window[0] <= window[1] {
                    self.solve::<FACE_IS_A>(vertex, triangle, window, aim.start);
                }
            }
        }
        solved
    }

    #[inline(always)]
    fn sight<const FACE_IS_A: bool>(&self, [vertex, facet]: [u32; 2], scale: &Scale) -> Sight<'a> {
        let (of_face, of_vertex) = if FACE_IS_A { (0, 1) } else { (1, 0) };
        let (drawing, facets) = (self.drawings[of_face], self.facets[of_face]);
        let number = facet as usize;
        let facet = &facets.facets[number];
        let [place, time] = scale.widths(drawing.whole.room(facet));
        Sight {
            facet,
            plane: &facets.planes[number],
            corners: facet.corners.map(|v| &drawing.spots[v as usize]),
            spot: &self.drawings[of_vertex].spots[vertex as usize],
            slack: place + SLACK,
            late: time + self.time,
        }
    }

    /// A vertex in the pixels of a triangle; whether their times agree so that it was solved.
    pub fn vertex_and_face<const FACE_IS_A: bool>(
        &mut self,
        dot: &Dot,
        active: u32,
        slack: f64,
        times: [f64; 2],
    ) -> bool {
        let (of_face, of_vertex) = if FACE_IS_A { (0, 1) } else { (1, 0) };
        let active = &self.drawings[of_face].active[active as usize];
        let spot = &self.drawings[of_vertex].spots[dot.vertex as usize];
        let window = window::<FACE_IS_A>(self.step(), dot.t, times);
        if window[0] > window[1] {
            return false;
        }
        let triangle = &self.surfaces[of_face].triangles[active.triangle as usize];
        let outline = triangle.corners.map(|v| &self.drawings[of_face].spots[v as usize].screen);
        if is_beside(outline, &spot.screen, slack) {
            return false;
        }
        let face = (active.normal, triangle.is_two_sided);
        if !face.1 && self.is_below::<FACE_IS_A>(dot.vertex, active.normal, window) {
            return false;
        }
        let [p, q, s] = triangle.corners.map(|v| self.drawings[of_face].spots[v as usize].p);
        let aim = self.aim::<FACE_IS_A>(dot.vertex, face, [p, q, s, s], window);
        if aim.triangles[0] {
            self.solve::<FACE_IS_A>(dot.vertex, active.triangle, window, aim.start);
        }
        aim.triangles[0]
    }

    /// A vertex that may come down to a triangle in a window of time.
    fn solve<const FACE_IS_A: bool>(
        &mut self,
        vertex: u32,
        triangle: u32,
        window: [f64; 2],
        start: Option<f64>,
    ) {
        let (of_face, of_vertex) = if FACE_IS_A { (0, 1) } else { (1, 0) };
        let face = &self.surfaces[of_face].triangles[triangle as usize];
        let corners = face.corners.map(|v| self.drawings[of_face].spots[v as usize].p);
        let Some(normal) = normal(corners).try_normalize() else { return };
        let spot = self.drawings[of_vertex].spots[vertex as usize];
        let way = if FACE_IS_A { Way::Along } else { Way::Against };
        let even = |start: f64| falls_evenly(self.chart, spot.p, normal, normal.dot(corners[0]), way, start);
        if let Some(t) = start.and_then(even) {
            if (window[0]..=window[1]).contains(&t) {
                self.vertex_on_plane::<FACE_IS_A>(vertex, triangle, corners, normal, 1.0, t);
            }
            return;
        }
        let sides: &[f64] = if face.is_two_sided { &[1.0, -1.0] } else { &[1.0] };
        for &side in sides {
            let normal = normal * side;
            let height = Height::new(self.chart, spot.p, &spot.at, normal, normal.dot(corners[0]), way);
            height.falls(window, |t| {
                self.vertex_on_plane::<FACE_IS_A>(vertex, triangle, corners, normal, side, t);
            });
        }
    }
}
