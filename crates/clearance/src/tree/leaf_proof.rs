//! Directions that keep triangles of two leaves apart: one for all of them, or each for as many as possible.

use super::Bound;
use super::front::{Front, Line, Proof};
use super::lanes::each_lane;
use super::node::{Leaf, WIDTH};
use super::pair::Corners;
use super::part_proof::ball;
use super::parts::LeafParts;
use super::resume::{Resume, Visit};
use super::scratch::Room;
use super::tile::Measure;
use glam::DVec3;
use wide::f32x8;

/// Triangles that no direction keeps apart before the rest of their leaves is left as it is.
const MOST_CLOSE: usize = 2;

impl<M: Measure<f32x8>, V: Visit, B: Bound> Resume<'_, M, V, B> {
    /// A direction that keeps triangles of two leaves apart, of those that are cheap to guess.
    pub(super) fn prove_leaves(&self, parts: &LeafParts, kept: Option<DVec3>) -> Option<Proof> {
        let [(leaf_a, _), (leaf_b, _)] = self.leaves_of(parts);
        let (scale_a, scale_b) = (self.pair.scale_a, self.pair.scale_b);
        let (part_a, part_b) = (self.pair.a.part(parts.a), self.pair.b.part(parts.b));
        let across = self.view.turn * (scale_b * part_b.centre) + self.view.shift - scale_a * part_a.centre;
        let toward_b = |normal: DVec3| Some(if normal.dot(across) < 0.0 { -normal } else { normal });
        let normals = [toward_b(part_a.normal()), toward_b(self.view.turn * part_b.normal())];
        for direction in [kept, self.toward, normals[0], normals[1], Some(across)].into_iter().flatten() {
            let Some(line) = Line::new(&self.view, direction) else { continue };
            let reach = [
                greatest(heights(leaf_a, line.forth), parts.rows),
                greatest(heights(leaf_b, line.back), parts.lanes),
            ];
            let gap = line.between - scale_a * f64::from(reach[0]) - scale_b * f64::from(reach[1]);
            if gap > self.needed {
                return Some(self.leaf_proof(parts, &line, reach));
            }
        }
        None
    }

    fn leaf_proof(&self, parts: &LeafParts, line: &Line, reach: [f32; 2]) -> Proof {
        let part = self.pair.b.part(parts.b);
        let (centre, radius) = ball(part.centre - part.half, part.centre + part.half);
        Proof { forth: line.forth, back: line.back, reach, centre, radius }
    }

    /// Puts triangles of two leaves into the front, each time as many as the direction between the nearest two keeps apart;
    /// what is too close for that becomes close. Those that a look just found near are in `room`.
    pub(super) fn divide_leaves(&mut self, parts: LeafParts, front: &mut Front, room: &mut Room) {
        let Room { near, leaves, .. } = room;
        let [(leaf_a, _), (leaf_b, _)] = self.leaves_of(&parts);
        let mut close = 0;
        leaves.clear();
        leaves.push(parts);
        while let Some(parts) = leaves.pop() {
            if parts.is_empty() {
                continue;
            }
            let is_one_of = |(row, lane): &(usize, usize)| parts.rows >> row & parts.lanes >> lane & 1 == 1;
            let mut found = near.iter().filter_map(|entry| {
                let row = leaf_a.triangles.iter().position(|&triangle| triangle == entry.a)?;
                let lane = leaf_b.triangles.iter().position(|&triangle| triangle == entry.b)?;
                Some((row, lane))
            });
            let Some(nearest) = found.find(is_one_of).filter(|_| close < MOST_CLOSE) else {
                // Nothing near among them: they were told apart one by one.
                match self.prove_leaves(&parts, None) {
                    Some(proof) => front.push_divided(parts, &proof),
                    None => front.push_close(parts, 0.0),
                }
                continue;
            };
            let taken = match self.prove_around(&parts, nearest) {
                Some((taken, proof)) => {
                    front.push_divided(taken, &proof);
                    taken
                }
                None => {
                    close += 1;
                    let taken = LeafParts { rows: 1 << nearest.0, lanes: 1 << nearest.1, ..parts };
                    front.push_close(taken, 0.0);
                    taken
                }
            };
            leaves.extend(parts.without(&taken));
        }
    }

    /// A point of B in the frame of A.
    fn in_a(&self, point: DVec3) -> DVec3 {
        self.view.turn * (self.pair.scale_b * point) + self.view.shift
    }

    /// The direction between the nearest points of two triangles, if it keeps them apart, and others with them.
    fn prove_around(&self, parts: &LeafParts, (row, lane): (usize, usize)) -> Option<(LeafParts, Proof)> {
        let [(leaf_a, _), (leaf_b, _)] = self.leaves_of(parts);
        let (scale_a, scale_b) = (self.pair.scale_a, self.pair.scale_b);
        let a = corners_of(leaf_a, row).map(|corner| scale_a * corner);
        let b = corners_of(leaf_b, lane).map(|corner| self.in_a(corner));
        let nearest = Corners { a, b, error: 0.0 }.nearest();
        let line = Line::new(&self.view, nearest.point_b - nearest.point_a)?;
        let (of_a, of_b) = (heights(leaf_a, line.forth), heights(leaf_b, line.back));
        let [top_a, top_b] = [of_a.as_array()[row], of_b.as_array()[lane]].map(f64::from);
        let spare = line.between - scale_a * top_a - scale_b * top_b - self.needed;
        if spare.is_nan() || spare <= 0.0 {
            return None;
        }
        // What reaches a little farther is taken, too; a third of the room is left for the bodies to move.
        let below = |heights: f32x8, top: f64| heights.simd_le(f32x8::splat(top as f32)).to_bitmask() as u8;
        let rows = parts.rows & below(of_a, top_a + spare / (3.0 * scale_a)) | 1 << row;
        let lanes = parts.lanes & below(of_b, top_b + spare / (3.0 * scale_b)) | 1 << lane;
        let reach = [greatest(of_a, rows), greatest(of_b, lanes)];
        let gap = line.between - scale_a * f64::from(reach[0]) - scale_b * f64::from(reach[1]);
        let taken = LeafParts { rows, lanes, ..*parts };
        (gap > self.needed).then(|| (taken, self.leaf_proof(&taken, &line, reach)))
    }
}

/// How far each triangle of a leaf reaches along a direction.
#[inline(always)]
fn heights(leaf: &Leaf, along: [f32; 3]) -> f32x8 {
    let along = along.map(|x| f32x8::new([x; WIDTH]));
    let [p, q, r] = leaf.corners.each_ref().map(|c| along[0] * c[0] + along[1] * c[1] + along[2] * c[2]);
    p.fast_max(q).fast_max(r)
}

/// The greatest of some lanes.
#[inline(always)]
fn greatest(heights: f32x8, mask: u8) -> f32 {
    let mut greatest = f32::NEG_INFINITY;
    each_lane(u32::from(mask), |lane| greatest = greatest.max(heights.as_array()[lane]));
    greatest
}

fn corners_of(leaf: &Leaf, lane: usize) -> [DVec3; 3] {
    leaf.corners
        .each_ref()
        .map(|corner| DVec3::from_array(corner.each_ref().map(|x| f64::from(x.as_array()[lane]))))
}
