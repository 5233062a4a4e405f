//! Vertices in boxes of faces: what is left out before anything is solved, and when the others meet [Buss04 §9, step 4].

use super::bounds::Scale;
use super::clip::normal;
use super::drawing::Dot;
use super::early::{is_beside, is_beside_both};
use super::extent::{least, most};
use super::newton::{Height, Way, falls_evenly};
use super::raster::SLACK;
use super::settle::{Settler, keep};
use crate::screw::surface::NONE;
use glam::DVec3;

/// A face that is drawn whole: what is asked of it for every vertex in its box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    facet: u32,
    is_two_sided: bool,
    /// Outward, as the axis sees it.
    normal: DVec3,
    /// How far it may be from the lines between its corners, in pixels and in time.
    slack: f64,
    late: f64,
    /// When it comes to the screen.
    times: [f64; 2],
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

impl Settler<'_> {
    /// A face of one of the bodies.
    #[inline(always)]
    pub fn face<const FACE_IS_A: bool>(&self, facet: u32, scale: &Scale) -> Face {
        let of_face = usize::from(!FACE_IS_A);
        let (drawing, facets) = (self.drawings[of_face], self.facets[of_face]);
        let (own, plane) = (&facets.facets[facet as usize], &facets.planes[facet as usize]);
        let [place, time] = scale.widths(drawing.whole.room(own));
        let late = time + self.time;
        let [a, b, c, d] = own.corners.map(|v| drawing.spots[v as usize].screen.t);
        let (first, last) = (least(least(a, b), least(c, d)), most(most(a, b), most(c, d)));
        Face {
            facet,
            is_two_sided: plane.bias > 0.0,
            normal: drawing.matrix * plane.normal,
            slack: place + SLACK,
            late,
            times: [first - late, last + late],
        }
    }

    /// Vertices in boxes of faces, by their places in both lists; how many of them were solved.
    ///
    /// What is left out cannot be foretold: all are tested in the same way, one test after the other.
    #[inline(never)]
    pub fn vertices_and_faces<const FACE_IS_A: bool>(
        &mut self,
        pairs: &mut [[u32; 2]],
        vertices: &[u32],
        faces: &[Face],
    ) -> u64 {
        let (of_face, of_vertex) = if FACE_IS_A { (0, 1) } else { (1, 0) };
        let spots = &self.drawings[of_vertex].spots;
        // Most are inside the other body by then.
        let count = keep(pairs, |pair| {
            let (vertex, face) = (vertices[pair[0] as usize], &faces[pair[1] as usize]);
            let window = window::<FACE_IS_A>(self.step(), spots[vertex as usize].screen.t, face.times);
            let is_below = !face.is_two_sided & self.is_below::<FACE_IS_A>(vertex, face.normal, window);
            (pair, (window[0] <= window[1]) & !is_below)
        });
        let mut solved = 0;
        for pair in &pairs[..count] {
            let (vertex, face) = (vertices[pair[0] as usize], &faces[pair[1] as usize]);
            let spot = &spots[vertex as usize].screen;
            let facet = &self.facets[of_face].facets[face.facet as usize];
            let corners = facet.corners.map(|v| &self.drawings[of_face].spots[v as usize]);
            let outline = corners.map(|corner| &corner.screen);
            if is_beside_both(outline, facet.triangles[1] == NONE, spot, face.slack) {
                continue;
            }
            let all = window::<FACE_IS_A>(self.step(), spot.t, face.times);
            let (plane, places) = ((face.normal, face.is_two_sided), corners.map(|corner| corner.p));
            let aim = self.aim::<FACE_IS_A>(vertex, plane, places, all);
            solved += u64::from(aim.triangles != [false; 2]);
            for ((triangle, own), _) in facet.each_triangle().zip(aim.triangles).filter(|all| all.1) {
                let [a, b, c] = own.map(|k| outline[k].t);
                let times = [least(least(a, b), c) - face.late, most(most(a, b), c) + face.late];
                let window = window::<FACE_IS_A>(self.step(), spot.t, times);
                if window[0] <= window[1] {
                    // That of the first triangle; another one may be bent by a rounding.
                    let known = (triangle == facet.triangles[0]).then_some(face.normal);
                    self.solve::<FACE_IS_A>(vertex, triangle, known, window, aim.start);
                }
            }
        }
        solved
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
            self.solve::<FACE_IS_A>(dot.vertex, active.triangle, None, window, aim.start);
        }
        aim.triangles[0]
    }

    /// A vertex that may come down to a triangle, whose normal may be known, in a window of time.
    fn solve<const FACE_IS_A: bool>(
        &mut self,
        vertex: u32,
        triangle: u32,
        known: Option<DVec3>,
        window: [f64; 2],
        start: Option<f64>,
    ) {
        let (of_face, of_vertex) = if FACE_IS_A { (0, 1) } else { (1, 0) };
        let face = &self.surfaces[of_face].triangles[triangle as usize];
        let corners = face.corners.map(|v| self.drawings[of_face].spots[v as usize].p);
        let Some(normal) = known.or_else(|| normal(corners).try_normalize()) else { return };
        if normal == DVec3::ZERO {
            return;
        }
        let spot = self.drawings[of_vertex].spots[vertex as usize];
        let way = if FACE_IS_A { Way::Along } else { Way::Against };
        let even =
            |start: f64| falls_evenly(self.chart, spot.p, normal, normal.dot(corners[0]), way, start, window);
        if let Some(t) = start.and_then(even) {
            if (window[0]..=window[1]).contains(&t) {
                self.vertex_on_plane::<FACE_IS_A>(vertex, triangle, corners, normal, 1.0, t);
            }
            return;
        }
        let sides: &[f64] = if face.is_two_sided { &[1.0, -1.0] } else { &[1.0] };
        for &side in sides {
            let normal = normal * side;
            let height = Height::new(self.chart, spot.p, &spot.at(), normal, normal.dot(corners[0]), way);
            height.falls(window, |t| {
                self.vertex_on_plane::<FACE_IS_A>(vertex, triangle, corners, normal, side, t);
            });
        }
    }
}
