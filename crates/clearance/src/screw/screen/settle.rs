//! What shares a pixel becomes contacts: times, places, normals and properness [Buss04 §5, §9].

use super::coordinates::Chart;
use super::drawing::{Chord, Drawing};
use super::extent::{least, most};
use super::facets::Facets;
use super::raster::{BENT, OFF, SLACK};
use super::turn::Turn;
use crate::pair::Feature;
use crate::screw::contacts::{edge_name, on_triangle, part_of};
use crate::screw::primitive::Containment;
use crate::screw::properness::{self, EdgeProperness};
use crate::screw::record::{ContactKind, ContactsConfig, ScrewContact};
use crate::screw::resolve::EVEN;
use crate::screw::resolve::{Candidate, Entity};
use crate::screw::surface::Surface;
use glam::DVec3;

/// Ridges with a larger squared sine are sharp enough for floats to tell their sides apart.
const SHARP: f64 = 1e-6;

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
    let longer = |is_end: bool| if is_end { OFF * OFF } else { 1e-18 };
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

/// What passes a test, which may change it, at the front; how many do.
#[inline(always)]
pub(super) fn keep<T: Copy>(items: &mut [T], mut test: impl FnMut(T) -> (T, bool)) -> usize {
    let mut count = 0;
    for at in 0..items.len() {
        let (item, is_kept) = test(items[at]);
        items[count] = item;
        count += usize::from(is_kept);
    }
    count
}

impl Settler<'_> {
    /// From a little before the step to a little after it.
    #[inline(always)]
    pub(super) fn step(&self) -> [f64; 2] {
        [-0.5 * self.time, 1.0 + 0.5 * self.time]
    }

    /// Whether curves may cross within the step whose chords cross.
    #[inline(always)]
    pub fn is_in_step(&self, crossing: &Crossing) -> bool {
        let ([first, last], off) = (self.step(), 2.0 * BENT * self.time);
        (first - off <= crossing.t) & (crossing.t <= last + off)
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

    /// A vertex that comes down to the plane of a triangle at a time: a contact if it is in the triangle there.
    pub(super) fn vertex_on_plane<const FACE_IS_A: bool>(
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

    /// How proper a contact of an edge is; where it is improper, or at a ridge, by what is known of its faces.
    ///
    /// At a ridge the ways into the solid are sums of ways into its faces, `a f + b g` with positive `a` and `b`. Such a normal
    /// cannot be against both, because `(a + b) (1 + f . g)` is positive: what properness asks of hollows is answered.
    fn of_edge(&self, which: usize, edge: u32, normal: DVec3) -> f64 {
        let (surface, matrix) = (self.surfaces[which], &self.drawings[which].matrix);
        let (wedge, seen) = (&surface.normals.edges[edge as usize], matrix.transpose() * normal);
        let [first, second] = wedge.across.map(|across| -wedge.along.cross(across).dot(seen));
        let faces = surface.triangles_at_edge.of(edge).len();
        let is_known = faces <= 2 && wedge.across[..faces].iter().all(|&across| across != DVec3::ZERO);
        let is_ridge = self.facets[which].sides[edge as usize].hollow < -SHARP;
        match least(first, second) {
            sine if is_known && (is_ridge || sine < -EVEN) => sine,
            _ => properness::of_edge(surface, matrix, edge, normal),
        }
    }

    /// From where chords cross to where the edges themselves do, by a step of Newton's method in space; `None` if they miss each
    /// other, or not in the step.
    ///
    /// With `p` on A, `q` on B as it is at the time, and its velocity `v`, the step solves `a dx - b dy - v dt = q - p`. Edges
    /// along which B slides are left where they are.
    #[inline(always)]
    fn sharpened(&self, [a, b]: [[DVec3; 2]; 2], crossing: &Crossing) -> Option<([f64; 2], f64)> {
        let Crossing { shares: [x, y], t, .. } = *crossing;
        let (along_a, turn) = (a[1] - a[0], self.turn(t));
        let along_b = turn.apply(b[1] - b[0]);
        let q = turn.apply(b[0] + (b[1] - b[0]) * y) + DVec3::Z * (self.chart.shift * t);
        let (w, v) = (q - (a[0] + along_a * x), self.chart.velocity(q));
        let across = along_a.cross(along_b);
        let later = -across.dot(w) / across.dot(v);
        let (off, inverse) = (w + v * later, 1.0 / across.length_squared());
        let (dx, dy) = (off.cross(along_b).dot(across) * inverse, off.cross(along_a).dot(across) * inverse);
        let squares = [along_a, along_b].map(DVec3::length_squared);
        let is_near =
            (later.abs() <= self.time) & (dx * dx * squares[0] <= 1.0) & (dy * dy * squares[1] <= 1.0);
        let (shares, t) = if is_near { ([x + dx, y + dy], t + later) } else { ([x, y], t) };
        let [first, last] = self.step();
        let is_on = |share: f64, square: f64| {
            let past = most(most(-share, share - 1.0), 0.0);
            past * past * square <= SLACK * SLACK
        };
        let is_told =
            is_on(shares[0], squares[0]) & is_on(shares[1], squares[1]) & (first <= t) & (t <= last);
        is_told.then_some((shares.map(|share| least(most(share, 0.0), 1.0)), least(most(t, 0.0), 1.0)))
    }

    pub fn edge_and_edge(&mut self, crossing: &Crossing) {
        let [edge_a, edge_b] = crossing.edges;
        let [a, b] = self.surfaces;
        let (ends_a, ends_b) = (a.edges[edge_a as usize], b.edges[edge_b as usize]);
        let place = |which: usize, ends: [u32; 2]| ends.map(|v| self.drawings[which].spots[v as usize].p);
        let (place_a, place_b) = (place(0, ends_a), place(1, ends_b));
        let Some((shares, t)) = self.sharpened([place_a, place_b], crossing) else { return };
        let turn = self.turn(t);
        let (along_a, along_b) = (place_a[1] - place_a[0], turn.apply(place_b[1] - place_b[0]));
        let at = place_a[0] + along_a * shares[0];
        if self.leaves([edge_a, edge_b], along_a.cross(along_b), at, turn) {
            return;
        }
        let across = along_a.normalize_or_zero().cross(along_b.normalize_or_zero());
        let Some(normal) = across.try_normalize() else { return };
        let proper = |normal: DVec3| {
            let back = turn.back().apply(-normal);
            self.of_edge(0, edge_a, normal).min(self.of_edge(1, edge_b, back))
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
