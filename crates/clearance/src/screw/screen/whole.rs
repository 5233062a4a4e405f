//! Bodies of which nothing is seen around the axis: every edge is drawn once and whole, every face as a box.

use super::bounds::{Key, Room, Scale};
use super::coordinates::{Chart, OnScreen};
use super::crossing::longer;
use super::curvature::Bend;
use super::drawing::{Chord, Dot, Drawing, FACING, FaceRun, Run, View};
use super::extent::joined;
use super::facets::{Facet, Facets};
use super::pick::Picked;
use super::raster::{BENT, Grid, MARGIN, SLACK, divide, fill, parts};
use super::spot::{Four, Spot};
use crate::screw::surface::{NONE, Surface};
use wide::f64x4;

/// What is drawn of such a body; the lists are kept from drawing to drawing.
#[derive(Clone, Debug, Default)]
pub(super) struct Whole {
    /// Faces that look at the other body.
    pub picked: Vec<Picked>,
    /// Their sides.
    pub sides: Vec<u32>,
    pub side_marks: Vec<bool>,
    /// While they are picked.
    pub facet_marks: Vec<bool>,
    /// Of vertices.
    keys: Vec<Key>,
    /// How far sides are off the line between their ends.
    rooms: Vec<Room>,
    /// Sides that may cross others: those that are one chord, and those that are more, with their middles and how many chords.
    straight: Vec<u32>,
    bent: Vec<u32>,
    middles: Vec<(Spot, usize)>,
    /// What may meet the other body, with boxes: faces,
    pub facets: Vec<u32>,
    pub facet_keys: Vec<Key>,
    /// vertices,
    pub vertices: Vec<u32>,
    pub vertex_keys: Vec<Key>,
    /// and chords, which are in a list of their own.
    pub chord_keys: Vec<Key>,
}

impl Whole {
    /// How far any part of a face is from its corners, at most.
    #[inline(always)]
    pub fn room(&self, facet: &Facet) -> Room {
        room(&self.rooms, facet)
    }
}

#[inline(always)]
fn room(rooms: &[Room], facet: &Facet) -> Room {
    let [a, b, c, d] = facet.sides.map(|side| rooms[side as usize]);
    a.most(b).most(c.most(d))
}

/// Middles of four sides, and how far they are from those of chords: in pixels and in time.
#[inline(always)]
fn bends(chart: &Chart, from: [&Spot; 4], to: [&Spot; 4]) -> (Four, [f64; 4], [f64; 4]) {
    let half = |of: fn(&Spot) -> f64x4| {
        f64x4::transpose(std::array::from_fn(|i| f64x4::splat(0.5) * (of(from[i]) + of(to[i]))))
    };
    let ([x, y, z, _], [r, h, t, _]) = (half(Spot::place), half(Spot::shown));
    let middles = chart.four([x, y, z]);
    let (off_r, off_h) = ((middles.radius - r).abs(), (middles.h - h).abs());
    let off_t = (middles.t - t).abs();
    (middles, off_r.fast_max(off_h).to_array(), off_t.to_array())
}

impl Drawing {
    /// Boxes of faces; one around all of them.
    pub(super) fn draw_faces(
        &mut self,
        surface: &Surface,
        view: &View<'_>,
        grid: &Grid,
        scale: &Scale,
    ) -> Key {
        let facets = surface.facets();
        self.whole.keys.resize(surface.positions.len(), Key::default());
        let (spots, keys) = (&self.spots[..], &mut self.whole.keys[..]);
        for &vertex in &self.placed {
            keys[vertex as usize] = scale.key_of(spots[vertex as usize].shown());
        }
        self.bend_sides(facets, view, grid, scale);
        let Whole { picked, keys, rooms, facets: drawn, facet_keys, .. } = &mut self.whole;
        drawn.resize(picked.len(), 0);
        facet_keys.resize(picked.len(), Key::default());
        let (margin, mut all) = (scale.room(SLACK, grid.time), Key::NOWHERE);
        let (keys, rooms) = (&keys[..], &rooms[..]);
        for ((picked, drawn), own) in picked.iter().zip(drawn).zip(facet_keys) {
            let facet = &facets.facets[picked.facet as usize];
            let [a, b, c, d] = facet.corners.map(|v| keys[v as usize]);
            // A side is nowhere farther from its chord than this, and neither is the line at which a face turns away.
            let key = a.joined(b).joined(c.joined(d)).wider(room(rooms, facet)).wider(margin);
            (*drawn, *own) = (picked.facet, key);
            all = all.joined(key);
        }
        all
    }

    /// Leaves out faces that meet nothing of the other body; a box around the others.
    pub(super) fn keep_faces(&mut self, surface: &Surface, asked: &Key) -> Key {
        let (facets, whole) = (&surface.facets().facets, &mut self.whole);
        let (drawn, keys) = (&mut whole.facets[..], &mut whole.facet_keys[..]);
        let (mut count, mut all) = (0, Key::NOWHERE);
        for at in 0..drawn.len() {
            let (facet, key) = (drawn[at], keys[at]);
            let meets = key.meets(asked);
            all = all.joined(if meets { key } else { Key::NOWHERE });
            (drawn[count], keys[count]) = (facet, key);
            count += usize::from(meets & (facets[facet as usize].triangles[0] != NONE));
        }
        whole.facets.truncate(count);
        whole.facet_keys.truncate(count);
        all
    }

    /// How far sides are off their chords. Most are so short that their middles need not be known.
    fn bend_sides(&mut self, facets: &Facets, view: &View<'_>, grid: &Grid, scale: &Scale) {
        let whole = &mut self.whole;
        let straight = scale.room(2.0 * BENT, 2.0 * BENT * grid.time);
        whole.rooms.resize(facets.sides.len(), Room::default());
        if let Some(none) = whole.rooms.last_mut() {
            *none = Room::default();
        }
        whole.straight.resize(whole.sides.len() + 1, 0);
        whole.bent.resize(whole.sides.len() + 1, 0);
        let longest =
            self.curvature.longest(BENT, BENT * grid.time) * view.chart.pixel() * view.chart.pixel();
        whole.middles.clear();
        // Slices of their own: where they lie is not asked for again at each side.
        let (spots, sides) = (&self.spots[..], &facets.sides[..]);
        let (rooms, singles, others) = (&mut whole.rooms[..], &mut whole.straight[..], &mut whole.bent[..]);
        let (mut count, mut kept) = (0, 0);
        for chunk in whole.sides.chunks(4) {
            let four: [u32; 4] = std::array::from_fn(|i| chunk[i.min(chunk.len() - 1)]);
            let own = four.map(|number| &sides[number as usize]);
            // What crosses nothing only tells how far faces reach.
            let is_drawn = |i: usize| own[i].hollow <= view.hollow;
            if own.iter().all(|side| side.length_squared <= longest) {
                for i in 0..chunk.len() {
                    rooms[four[i] as usize] = straight;
                    singles[count] = four[i];
                    count += usize::from(is_drawn(i));
                }
                continue;
            }
            let [from, to] = [0, 1].map(|end| own.map(|side| &spots[side.ends[end] as usize]));
            let (middles, places, times) = bends(view.chart, from, to);
            for i in 0..chunk.len() {
                let bend = Bend { place: places[i], time: times[i] };
                let chords = parts(view.chart, grid, bend, to[i].angle - from[i].angle);
                if chords == 1 {
                    rooms[four[i] as usize] = straight;
                    singles[count] = four[i];
                    count += usize::from(is_drawn(i));
                    continue;
                }
                rooms[four[i] as usize] = scale.room(2.0 * bend.place, 2.0 * bend.time);
                if is_drawn(i) {
                    others[kept] = four[i];
                    kept += 1;
                    whole.middles.push((middles.spot(i), chords));
                }
            }
        }
        whole.straight.truncate(count);
        whole.bent.truncate(kept);
    }

    /// Chords and vertices that may meet the other body.
    pub(super) fn draw_edges_and_vertices(
        &mut self,
        surface: &Surface,
        view: &View<'_>,
        grid: &Grid,
        scale: &Scale,
        asked: &Key,
    ) {
        let Drawing { whole, chords, spots, placed, marks, .. } = self;
        let (sides, spots, keys) = (&surface.facets().sides[..], &spots[..], &whole.keys[..]);
        chords.clear();
        whole.chord_keys.clear();
        let margin = scale.room(MARGIN, 0.0);
        let mut push = |key: Key, edge: u32, from: &OnScreen, to: &OnScreen, s: [f64; 2]| {
            let key = key.wider(margin);
            if key.meets(asked) {
                whole.chord_keys.push(key);
                let longer = [longer(s[0] == 0.0), longer(s[1] == 1.0)];
                chords.push(Chord { from: *from, to: *to, s, edge, longer });
            }
        };
        for &number in &whole.straight {
            let [v, w] = sides[number as usize].ends.map(|v| v as usize);
            let key = keys[v].joined(keys[w]);
            push(key, number, &spots[v].screen, &spots[w].screen, [0.0, 1.0]);
        }
        for (&number, (middle, count)) in whole.bent.iter().zip(&whole.middles) {
            let [v, w] = sides[number as usize].ends.map(|v| v as usize);
            let all = keys[v].joined(keys[w]).wider(whole.rooms[number as usize]).wider(margin);
            if !all.meets(asked) {
                continue;
            }
            let mut last = keys[v];
            divide(view.chart, grid, [&spots[v], middle, &spots[w]], *count, |from, to, s| {
                let next = if s[1] == 1.0 { keys[w] } else { scale.key(to) };
                push(last.joined(next), number, from, to, s);
                last = next;
            });
        }
        whole.vertices.resize(placed.len() + 1, 0);
        whole.vertex_keys.resize(placed.len() + 1, Key::default());
        let mut count = 0;
        let (vertices, vertex_keys) = (&mut whole.vertices[..], &mut whole.vertex_keys[..]);
        let marks = &marks[..];
        for &vertex in &*placed {
            let key = keys[vertex as usize];
            (vertices[count], vertex_keys[count]) = (vertex, key);
            count += usize::from((marks[vertex as usize] & FACING != 0) & key.meets(asked));
        }
        whole.vertices.truncate(count);
        whole.vertex_keys.truncate(count);
    }

    /// The same as runs of pixels, for the paper's ways to bring them together.
    pub(super) fn rasterise(&mut self, surface: &Surface, grid: &Grid, scale: &Scale) {
        let Drawing { whole, chords, spots, runs, faces, dots, crossing, .. } = self;
        runs.clear();
        faces.clear();
        dots.clear();
        for (chord, number) in chords.iter().zip(0..) {
            fill(grid, &chord.from, &chord.to, |row, h, t| runs.push(Run { row, chord: number, h, t }));
        }
        *crossing = runs.len();
        dots.extend(whole.vertices.iter().map(|&vertex| {
            let OnScreen { r, h, t } = spots[vertex as usize].screen;
            Dot { row: grid.row(r).unwrap_or(0), vertex, h, t }
        }));
        for &active in &whole.facets {
            let facet = &surface.facets().facets[active as usize];
            let [place, time] = scale.widths(whole.room(facet));
            let (slack, late) = (place + SLACK, time + grid.time);
            let corners = facet.corners.map(|v| spots[v as usize].screen);
            let range = |of: fn(&OnScreen) -> f64, off: f64| {
                let all = corners
                    .iter()
                    .map(of)
                    .fold([f64::INFINITY, f64::NEG_INFINITY], |all, x| joined(all, [x; 2]));
                [all[0] - off, all[1] + off]
            };
            let (r, h, t) = (range(|at| at.r, slack), range(|at| at.h, slack), range(|at| at.t, late));
            let [first, last] = grid.rows_between(r[0], r[1]).unwrap_or([1, 0]);
            faces.extend((first..=last).map(|row| FaceRun { row, active, slack, h, t }));
        }
    }
}
