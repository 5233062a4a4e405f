//! What shares a pixel becomes contacts: times, places, normals and properness [Buss04 §5, §9].

use super::bounds::Scale;
use super::clip::normal;
use super::coordinates::Chart;
use super::drawing::{Chord, Dot, Drawing};
use super::early::{is_beside, is_beside_both};
use super::extent::{joined, least, most};
use super::facets::{Facet, Facets, Plane};
use super::newton::{Height, Way};
use super::raster::SLACK;
use super::spot::Spot;
use super::turn::Turn;
use crate::pair::Feature;
use crate::screw::contacts::{edge_name, on_triangle, part_of};
use crate::screw::primitive::Containment;
use crate::screw::properness::{self, EdgeProperness};
use crate::screw::record::{ContactKind, ContactsConfig, ScrewContact};
use crate::screw::resolve::EVEN;
use crate::screw::resolve::{Candidate, Entity};
use crate::screw::surface::{NONE, Surface};
use glam::DVec3;

/// Two edges that cross on the screen.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Crossing {
    edges: [u32; 2],
    shares: [f64; 2],
    pub r: f64,
    t: f64,
}

/// Where two chords cross, and whether they do: each may be a little longer where its edge ends.
#[inline(always)]
pub(super) fn crossing(a: &Chord, b: &Chord) -> (Crossing, bool) {
    let (ar, ah) = (a.to.r - a.from.r, a.to.h - a.from.h);
    let (br, bh) = (b.to.r - b.from.r, b.to.h - b.from.h);
    let (wr, wh) = (b.from.r - a.from.r, b.from.h - a.from.h);
    let area = ar * bh - ah * br;
    let (square_a, square_b) = (ar * ar + ah * ah, br * br + bh * bh);
    let inverse = 1.0 / area;
    let (x, y) = ((wr * bh - wh * br) * inverse, (wr * ah - wh * ar) * inverse);
    let longer = |is_end: bool| if is_end { SLACK * SLACK } else { 1e-18 };
    let reaches = |x: f64, chord: &Chord, square: f64| {
        let (before, past) = (most(-x, 0.0), most(x - 1.0, 0.0));
        (before * before * square <= longer(chord.is_end[0]))
            & (past * past * square <= longer(chord.is_end[1]))
    };
    // Edges that lie on each other meet where one of them ends, and are found there with a face.
    let crosses = area * area > 1e-18 * square_a * square_b;
    let share = |x: f64, s: [f64; 2]| s[0] + (s[1] - s[0]) * least(most(x, 0.0), 1.0);
    let time_a = a.from.t + (a.to.t - a.from.t) * x;
    let time_b = b.from.t + (b.to.t - b.from.t) * y;
    let found = Crossing {
        edges: [a.edge, b.edge],
        shares: [share(x, a.s), share(y, b.s)],
        r: a.from.r + ar * x,
        t: time_a - time_b,
    };
    (found, crosses & reaches(x, a, square_a) & reaches(y, b, square_b))
}

/// Makes records of what may have met.
pub(super) struct Settler<'a> {
    pub chart: &'a Chart,
    pub surfaces: [&'a Surface; 2],
    pub facets: [&'a Facets; 2],
    pub drawings: [&'a Drawing; 2],
    pub config: &'a ContactsConfig,
    /// The resolution in time: records reach so far before and after what was found.
    pub time: f64,
    pub found: &'a mut Vec<Candidate>,
}

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

/// What passes a test, which may change it, at the front; how many do.
#[inline(always)]
fn keep<T: Copy>(items: &mut [T], mut test: impl FnMut(T) -> (T, bool)) -> usize {
    let mut count = 0;
    for at in 0..items.len() {
        let (item, is_kept) = test(items[at]);
        items[count] = item;
        count += usize::from(is_kept);
    }
    count
}

impl<'a> Settler<'a> {
    /// From a little before the step to a little after it.
    fn step(&self) -> [f64; 2] {
        [-0.5 * self.time, 1.0 + 0.5 * self.time]
    }

    /// The time of a crossing, if it is within the step.
    #[inline(always)]
    pub fn is_in_step(&self, crossing: &Crossing) -> bool {
        let [first, last] = self.step();
        (first <= crossing.t) & (crossing.t <= last)
    }

    /// Chords whose boxes meet; how many of them cross.
    pub fn chords(&mut self, pairs: &[[u32; 2]], crossings: &mut Vec<Crossing>) -> u64 {
        let [a, b] = self.drawings.map(|drawing| &drawing.chords);
        crossings.resize(pairs.len().max(crossings.len()), Crossing::default());
        let mut count = 0;
        for &[x, y] in pairs {
            let (found, crosses) = crossing(&a[x as usize], &b[y as usize]);
            crossings[count] = found;
            count += usize::from(crosses & self.is_in_step(&found));
        }
        let left = keep(&mut crossings[..count], |found| {
            (found, !self.is_improper(found.edges, self.turn(least(most(found.t, 0.0), 1.0))))
        });
        crossings[..left].iter().for_each(|found| self.edge_and_edge(found));
        count as u64
    }

    #[inline(always)]
    fn turn(&self, t: f64) -> Turn {
        Turn::by(self.chart.angle * t)
    }

    fn record(&self, kind: ContactKind, t: f64, entities: [Entity; 2], rest: ScrewContact) -> Candidate {
        let t = t.clamp(0.0, 1.0);
        let (lower, upper) = ((t - self.time).max(0.0), (t + self.time).min(1.0));
        Candidate {
            entities,
            contact: ScrewContact { kind, lower, upper, until: upper, is_proved: false, ..rest },
        }
    }

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
        let count = keep(pairs, |pair| {
            let pair = names(pair);
            (pair, !self.sight::<FACE_IS_A>(pair, scale).is_beside())
        });
        let pairs = &mut pairs[..count];
        let count = keep(pairs, |pair| {
            let sight = self.sight::<FACE_IS_A>(pair, scale);
            let (plane, window) = (sight.plane, sight.window::<FACE_IS_A>(self.step(), &[0, 1, 2, 3]));
            let normal = self.drawings[of_face].matrix * plane.normal;
            let is_below = (plane.bias == 0.0) & self.is_below::<FACE_IS_A>(pair[0], normal, window);
            (pair, (window[0] <= window[1]) & !is_below)
        });
        let mut solved = 0;
        for &[vertex, facet] in &pairs[..count] {
            let sight = self.sight::<FACE_IS_A>([vertex, facet], scale);
            let window = sight.window::<FACE_IS_A>(self.step(), &[0, 1, 2, 3]);
            let face = (self.drawings[of_face].matrix * sight.plane.normal, sight.plane.bias > 0.0);
            let corners = sight.corners.map(|spot| spot.p);
            if self.misses::<FACE_IS_A, 4>(vertex, face, &corners, window) {
                continue;
            }
            solved += 1;
            for (triangle, own) in sight.facet.each_triangle() {
                let window = sight.window::<FACE_IS_A>(self.step(), &own);
                if window[0] <= window[1] {
                    self.solve::<FACE_IS_A>(vertex, triangle, window);
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
        let corners = triangle.corners.map(|v| self.drawings[of_face].spots[v as usize].p);
        let face = (active.normal, triangle.is_two_sided);
        let is_below =
            || !face.1 && self.is_below::<FACE_IS_A>(dot.vertex, active.normal, window);
        if is_below() || self.misses::<FACE_IS_A, 3>(dot.vertex, face, &corners, window) {
            return false;
        }
        self.solve::<FACE_IS_A>(dot.vertex, active.triangle, window);
        true
    }

    /// A vertex that may come down to a triangle in a window of time.
    fn solve<const FACE_IS_A: bool>(&mut self, vertex: u32, triangle: u32, window: [f64; 2]) {
        let (of_face, of_vertex) = if FACE_IS_A { (0, 1) } else { (1, 0) };
        let face = &self.surfaces[of_face].triangles[triangle as usize];
        let corners = face.corners.map(|v| self.drawings[of_face].spots[v as usize].p);
        let Some(normal) = normal(corners).try_normalize() else { return };
        let spot = self.drawings[of_vertex].spots[vertex as usize];
        let way = if FACE_IS_A { Way::Along } else { Way::Against };
        let sides: &[f64] = if face.is_two_sided { &[1.0, -1.0] } else { &[1.0] };
        for &side in sides {
            let normal = normal * side;
            let height = Height::new(self.chart, spot.p, &spot.at, normal, normal.dot(corners[0]), way);
            let mut times = [0.0; 8];
            let mut count = 0;
            height.falls(window, |t| {
                if count < times.len() {
                    times[count] = t;
                    count += 1;
                }
            });
            for &t in &times[..count] {
                self.vertex_on_plane::<FACE_IS_A>(vertex, triangle, corners, normal, side, t);
            }
        }
    }

    /// A vertex that comes down to the plane of a triangle at a time: a contact if it is in the triangle there.
    fn vertex_on_plane<const FACE_IS_A: bool>(
        &mut self,
        vertex: u32,
        triangle: u32,
        corners: [DVec3; 3],
        normal: DVec3,
        side: f64,
        t: f64,
    ) {
        let (of_face, of_vertex) = if FACE_IS_A { (0, 1) } else { (1, 0) };
        let own = self.drawings[of_vertex].spots[vertex as usize].p;
        let turn = self.turn(t);
        let shift = DVec3::Z * self.chart.shift * t;
        let at = if FACE_IS_A { turn.apply(own) + shift } else { turn.back().apply(own) - shift };
        let mut open = [false; 4];
        for k in 0..3 {
            let along = corners[(k + 1) % 3] - corners[k];
            let inside = (normal * side).cross(along).dot(at - corners[k]) / along.length();
            if inside < -SLACK {
                return;
            }
            open[k] = inside <= SLACK;
        }
        let (faces, vertices) = (self.surfaces[of_face], self.surfaces[of_vertex]);
        let matrix = &self.drawings[of_vertex].matrix;
        // Where the vertex's body is at the start, and where the face's body is then.
        let (seen, outward) = match FACE_IS_A {
            true => (turn.back().apply(normal), normal),
            false => (turn.apply(normal), turn.apply(normal)),
        };
        let properness = properness::of_vertex(vertices, matrix, vertex, seen);
        let face = &faces.triangles[triangle as usize];
        let entity = on_triangle(faces, triangle, Containment::Border(open));
        let (face_feature, vertex_feature) =
            (Feature::Face(face.name), Feature::Vertex(vertices.vertex_names[vertex as usize].1));
        let parts = [part_of(faces, face.corners[0]), part_of(vertices, vertex)];
        let rest = ScrewContact {
            kind: ContactKind::FaceVertex,
            feature_a: if FACE_IS_A { face_feature } else { vertex_feature },
            feature_b: if FACE_IS_A { vertex_feature } else { face_feature },
            parts: if FACE_IS_A { parts } else { [parts[1], parts[0]] },
            lower: t,
            upper: t,
            until: t,
            is_proved: false,
            is_entering: true,
            point: self.chart.world(if FACE_IS_A { at } else { own }),
            normal: self.chart.world_vector(if FACE_IS_A { outward } else { -outward }),
            properness,
        };
        let (kind, entities) = match FACE_IS_A {
            true => (ContactKind::FaceVertex, [entity, Entity::Vertex(vertex)]),
            false => (ContactKind::VertexFace, [Entity::Vertex(vertex), entity]),
        };
        self.found.push(self.record(kind, t, entities, rest));
    }

    pub fn edge_and_edge(&mut self, crossing: &Crossing) {
        let Crossing { edges: [edge_a, edge_b], shares, t, .. } = *crossing;
        let t = t.clamp(0.0, 1.0);
        let [a, b] = self.surfaces;
        let (ends_a, ends_b) = (a.edges[edge_a as usize], b.edges[edge_b as usize]);
        let place = |which: usize, ends: [u32; 2]| ends.map(|v| self.drawings[which].spots[v as usize].p);
        let (place_a, place_b) = (place(0, ends_a), place(1, ends_b));
        let turn = self.turn(t);
        let (along_a, along_b) = (place_a[1] - place_a[0], turn.apply(place_b[1] - place_b[0]));
        let at = place_a[0] + along_a * shares[0];
        if self.leaves([edge_a, edge_b], along_a.cross(along_b), at, turn) {
            return;
        }
        let across = along_a.normalize_or_zero().cross(along_b.normalize_or_zero());
        let Some(normal) = across.try_normalize() else { return };
        let proper = |normal: DVec3| {
            let of_a = properness::of_edge(a, &self.drawings[0].matrix, edge_a, normal);
            let back = turn.back().apply(-normal);
            of_a.min(properness::of_edge(b, &self.drawings[1].matrix, edge_b, back))
        };
        let closing = |normal: DVec3| -self.chart.velocity(at).dot(normal);
        // From A to B: the more proper way, or if both are equal, but for rounding, against the motion.
        let (up, down) = (proper(normal), proper(-normal));
        let is_up = if (up - down).abs() <= EVEN { closing(normal) >= 0.0 } else { up > down };
        let (normal, least) = if is_up { (normal, up) } else { (-normal, down) };
        let entity = |edge: u32, ends: [u32; 2], share: f64, along: DVec3| {
            let near = SLACK / along.length();
            match (share <= near, share >= 1.0 - near) {
                (true, false) => Entity::Vertex(ends[0]),
                (false, true) => Entity::Vertex(ends[1]),
                _ => Entity::Edge(edge),
            }
        };
        let entities =
            [entity(edge_a, ends_a, shares[0], along_a), entity(edge_b, ends_b, shares[1], along_b)];
        let rest = ScrewContact {
            kind: ContactKind::EdgeEdge,
            feature_a: edge_name(a, edge_a),
            feature_b: edge_name(b, edge_b),
            parts: [part_of(a, ends_a[0]), part_of(b, ends_b[0])],
            lower: t,
            upper: t,
            until: t,
            is_proved: false,
            is_entering: closing(normal) >= 0.0,
            point: self.chart.world(at),
            normal: self.chart.world_vector(normal),
            properness: match self.config.edges {
                EdgeProperness::Seven => least,
                EdgeProperness::Six => least * across.length(),
            },
        };
        self.found.push(self.record(ContactKind::EdgeEdge, t, entities, rest));
    }
}
