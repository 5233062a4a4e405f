//! Steps 4 to 6 of the paper: what of both bodies shares a place, and the contacts that it makes [Buss04 §9].

use super::bounds::Scale;
use super::crossing::crossing;
use super::drawing::{Drawing, Role};
use super::extent::{least, most};
use super::meeting::Lookup;
use super::plan::Plan;
use super::settle::Settler;
use super::{Screen, ScreenStats};
use crate::screw::record::ContactsConfig;
use crate::screw::surface::Surface;

impl Screen {
    /// Fills the list of candidates.
    pub(super) fn compare(&mut self, surfaces: [&Surface; 2], plan: &Plan<'_>, config: &ContactsConfig) {
        let Screen { drawings: [rests, moves], candidates, stats, .. } = self;
        let drawings = [&*rests, &*moves];
        let settler = Settler {
            chart: plan.view.chart,
            surfaces,
            facets: surfaces.map(Surface::facets),
            drawings,
            config,
            time: plan.grid.time,
            found: candidates,
        };
        let drawn = |drawing: &Drawing| match &plan.scale {
            Some(_) if self.meeting.lookup == Lookup::Tiled => {
                drawing.chords.len() + drawing.whole.facets.len() + drawing.whole.vertices.len()
            }
            _ => drawing.dots.len() + drawing.runs.len() + drawing.faces.len(),
        };
        stats.chords = (rests.chords.len() + moves.chords.len()) as u64;
        stats.pixels = (drawn(rests) + drawn(moves)) as u64;
        match &plan.scale {
            Some(scale) if self.meeting.lookup == Lookup::Tiled => {
                self.meeting.compare_boxes(plan, scale, settler, stats)
            }
            _ => self.meeting.compare_runs(plan, settler, stats),
        }
    }
}

impl super::Meeting {
    /// Of bodies that are drawn whole: every pair is seen once.
    fn compare_boxes(
        &mut self,
        plan: &Plan<'_>,
        scale: &Scale,
        mut settler: Settler<'_>,
        stats: &mut ScreenStats,
    ) {
        let [rests, moves] = settler.drawings;
        let (a, b) = (&rests.whole, &moves.whole);
        let [of_rests, of_moves] = [Role::Rests, Role::Moves].map(|role| scale.reach(plan.reach(role)));
        let (pairs, faces) = (self.nest.pairs(&b.vertex_keys, &a.facet_keys, of_rests), &mut self.faces);
        stats.pairs += pairs.len() as u64;
        if !pairs.is_empty() {
            faces.clear();
            faces.extend(a.facets.iter().map(|&facet| settler.face::<true>(facet, scale)));
            stats.candidates += settler.vertices_and_faces::<true>(pairs, &b.vertices, faces);
        }
        let pairs = self.nest.pairs(&a.vertex_keys, &b.facet_keys, of_moves);
        stats.pairs += pairs.len() as u64;
        if !pairs.is_empty() {
            faces.clear();
            faces.extend(b.facets.iter().map(|&facet| settler.face::<false>(facet, scale)));
            stats.candidates += settler.vertices_and_faces::<false>(pairs, &a.vertices, faces);
        }
        let pairs = self.nest.pairs(&a.chord_keys, &b.chord_keys, of_moves);
        stats.pairs += pairs.len() as u64;
        stats.candidates += settler.chords(pairs, &mut self.crossings);
    }

    /// By rows.
    fn compare_runs(&mut self, plan: &Plan<'_>, mut settler: Settler<'_>, stats: &mut ScreenStats) {
        let [rests, moves] = settler.drawings;
        let grid = &plan.grid;
        self.dots_in_faces(&moves.dots, &rests.faces, plan, Role::Rests, |dot, face| {
            stats.pairs += 1;
            stats.candidates += match &plan.scale {
                Some(scale) => {
                    let face = settler.face::<true>(face.active, scale);
                    settler.vertices_and_faces::<true>(&mut [[0; 2]], &[dot.vertex], &[face])
                }
                None => u64::from(settler.vertex_and_face::<true>(dot, face.active, face.slack, face.t)),
            };
        });
        self.dots_in_faces(&rests.dots, &moves.faces, plan, Role::Moves, |dot, face| {
            stats.pairs += 1;
            stats.candidates += match &plan.scale {
                Some(scale) => {
                    let face = settler.face::<false>(face.active, scale);
                    settler.vertices_and_faces::<false>(&mut [[0; 2]], &[dot.vertex], &[face])
                }
                None => u64::from(settler.vertex_and_face::<false>(dot, face.active, face.slack, face.t)),
            };
        });
        let slack = grid.time;
        let (low, high) = (grid.radii(0)[0], grid.radii(grid.rows as u32 - 1)[1] - 1e-3 / grid.inverse);
        self.edges(&rests.runs[..rests.crossing], &moves.runs[..moves.crossing], plan, |x, y| {
            stats.pairs += 1;
            if x.t[1] - y.t[0] < -slack || x.t[0] - y.t[1] > 1.0 + slack {
                return;
            }
            let (chord_a, chord_b) = (&rests.chords[x.chord as usize], &moves.chords[y.chord as usize]);
            let (found, crosses) = crossing(chord_a, chord_b);
            // In one of the rows that both are in.
            let r = least(most(found.r, low), high);
            if crosses && settler.is_in_step(&found) && grid.row(r) == Some(x.row) {
                stats.candidates += 1;
                settler.edge_and_edge(&found);
            }
        });
    }
}
