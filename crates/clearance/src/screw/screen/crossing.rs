//! Edges that cross on the screen, where and when they do in space, and the contacts that they make [Buss04 §5, §9].

use super::drawing::Chord;
use super::extent::{least, most};
use super::raster::{BENT, OFF, SLACK};
use super::settle::{Settler, keep};
use crate::screw::contacts::{edge_name, part_of};
use crate::screw::properness::{self, EdgeProperness};
use crate::screw::record::{ContactKind, ScrewContact};
use crate::screw::resolve::{EVEN, Entity};
use glam::DVec3;
use wide::f64x2;

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

/// By how much a chord may be longer at an end, squared: where its edge ends, and elsewhere for rounding alone.
#[inline(always)]
pub(super) fn longer(is_end: bool) -> f64 {
    if is_end { OFF * OFF } else { 1e-18 }
}

/// Where two chords cross, and whether they do: each may be a little longer where its edge ends.
///
/// Both chords are treated alike, so each is a lane.
#[inline(always)]
pub(super) fn crossing(a: &Chord, b: &Chord) -> (Crossing, bool) {
    let both = |of: fn(&Chord) -> f64| f64x2::new([of(a), of(b)]);
    let (first_r, first_h) = (both(|chord| chord.from.r), both(|chord| chord.from.h));
    let (along_r, along_h) = (both(|chord| chord.to.r) - first_r, both(|chord| chord.to.h) - first_h);
    let ([ar, br], [ah, bh]) = (along_r.to_array(), along_h.to_array());
    let (wr, wh) = (b.from.r - a.from.r, b.from.h - a.from.h);
    let (area, squares) = (ar * bh - ah * br, along_r * along_r + along_h * along_h);
    let of_other = f64x2::splat(wr) * f64x2::new([bh, ah]) - f64x2::splat(wh) * f64x2::new([br, ar]);
    let at = of_other * f64x2::splat(1.0 / area);
    let (zero, one) = (f64x2::ZERO, f64x2::splat(1.0));
    let (before, past) = (zero.fast_max(-at), zero.fast_max(at - one));
    let is_within = (before * before * squares).simd_le(both(|chord| chord.longer[0]))
        & (past * past * squares).simd_le(both(|chord| chord.longer[1]));
    // Edges that lie on each other meet where one of them ends, and are found there with a face.
    let [square_a, square_b] = squares.to_array();
    let crosses = area * area > 1e-18 * square_a * square_b;
    let (first_s, first_t) = (both(|chord| chord.s[0]), both(|chord| chord.from.t));
    let shares = first_s + (both(|chord| chord.s[1]) - first_s) * at.fast_max(zero).fast_min(one);
    let [time_a, time_b] = (first_t + (both(|chord| chord.to.t) - first_t) * at).to_array();
    let found = Crossing {
        edges: [a.edge, b.edge],
        shares: shares.to_array(),
        r: a.from.r + ar * at.as_array()[0],
        t: time_a - time_b,
    };
    (found, crosses & is_within.all())
}

impl Settler<'_> {
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
            (found, !self.is_improper(found.edges, least(most(found.t, 0.0), 1.0)))
        });
        crossings[..left].iter().for_each(|found| self.edge_and_edge(found));
        count as u64
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
        let across = along_a.cross(along_b);
        if self.leaves([edge_a, edge_b], across, at, turn) {
            return;
        }
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
            let is_near = |share: f64| share * share * along.length_squared() <= SLACK * SLACK;
            match (is_near(share), is_near(1.0 - share)) {
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
                EdgeProperness::Six => least * across.length() / (along_a.length() * along_b.length()),
            },
        };
        self.found.push(self.record(ContactKind::EdgeEdge, t, entities, rest));
    }
}
