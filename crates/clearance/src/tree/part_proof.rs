//! Directions that keep parts of trees apart, as many as possible with one.

use super::front::{Front, Line, Proof};
use super::guide::Toward;
use super::lanes::{Lanes, each_lane};
use super::node::{Child, Node, WIDTH};
use super::parts::{LaneParts, Of, Parts};
use super::resume::{Resume, Visit};
use super::tile::Measure;
use super::{Bound, Tree};
use glam::DVec3;
use wide::f32x8;

impl<M: Measure<f32x8>, V: Visit, B: Bound> Resume<'_, M, V, B> {
    /// The children of the larger of two parts, not both leaves.
    pub(super) fn split(&self, a: u32, b: u32) -> LaneParts {
        let all = |lanes_of: Of, tree: &Tree<B>, node: u32, place: u32| {
            let mask = tree.nodes[node as usize].mask() as u8;
            LaneParts { lanes_of, node, mask, place }
        };
        let of_a = |node: u32| all(Of::A, self.pair.a, node, b);
        let of_b = |node: u32| all(Of::B, self.pair.b, node, a);
        match (self.pair.a.at(a), self.pair.b.at(b)) {
            (Child::Node(node_a), Child::Node(node_b)) => {
                let size_a = self.pair.scale_a * self.pair.a.part(a).half.length();
                let size_b = self.pair.scale_b * self.pair.b.part(b).half.length();
                if size_a >= size_b { of_a(node_a) } else { of_b(node_b) }
            }
            (Child::Node(node), Child::Leaf { .. }) => of_a(node),
            (_, Child::Node(node)) => of_b(node),
            (Child::Leaf { .. }, Child::Leaf { .. }) => unreachable!("leaves are not split"),
        }
    }

    /// Puts lanes that some direction keeps apart into the front, as many as possible at once, the others among the work.
    pub(super) fn divide(
        &mut self,
        mut parts: LaneParts,
        kept: Option<DVec3>,
        front: &mut Front,
        work: &mut Vec<(u32, u32)>,
    ) {
        for direction in [kept, self.toward].into_iter().flatten() {
            self.prove_lanes(&mut parts, direction, front);
        }
        if parts.mask.count_ones() > 1 {
            for direction in self.common_directions(&parts) {
                self.prove_lanes(&mut parts, direction, front);
            }
        }
        while parts.mask != 0 {
            let lane = parts.mask.trailing_zeros() as usize;
            let (a, b) = parts.pair(lane);
            if let Some(direction) = self.direction(parts.lanes_of, a, b) {
                self.prove_lanes(&mut parts, direction, front);
            }
            if parts.mask & (1 << lane) != 0 {
                parts.mask &= !(1 << lane);
                work.push((a, b));
            }
        }
    }

    /// Directions that may separate many lanes: the normal of the slab of the other part, and the line from its centre to that of
    /// all lanes.
    fn common_directions(&self, parts: &LaneParts) -> [DVec3; 2] {
        let (scale_a, scale_b, turn) = (self.pair.scale_a, self.pair.scale_b, self.view.turn);
        let in_a = |centre: DVec3| scale_a * centre;
        let in_b = |centre: DVec3| turn * (scale_b * centre) + self.view.shift;
        let (normal, across) = match parts.lanes_of {
            Of::A => {
                let b = self.pair.b.part(parts.place);
                (turn * b.normal(), in_b(b.centre) - in_a(middle(&self.pair.a.nodes[parts.node as usize])))
            }
            Of::B => {
                let a = self.pair.a.part(parts.place);
                (a.normal(), in_b(middle(&self.pair.b.nodes[parts.node as usize])) - in_a(a.centre))
            }
        };
        [if normal.dot(across) < 0.0 { -normal } else { normal }, across]
    }

    /// The direction that separates two parts best, if it suffices: the line through the centres or the normal of a slab, that
    /// of the part with lanes, as the other's was tried before.
    fn direction(&self, lanes_of: Of, a: u32, b: u32) -> Option<DVec3> {
        let (scale_a, scale_b, turn) = (self.pair.scale_a, self.pair.scale_b, self.view.turn);
        let (a, b) = (self.pair.a.part(a), self.pair.b.part(b));
        let across = turn * (scale_b * b.centre) + self.view.shift - scale_a * a.centre;
        let normal = if lanes_of == Of::A { a.normal() } else { turn * b.normal() };
        let (mut best, mut best_gap) = (None, self.needed);
        for direction in [across, if normal.dot(across) < 0.0 { -normal } else { normal }] {
            let back = -(turn.transpose() * direction);
            let reach = scale_a * a.reach(direction) + scale_b * b.reach(back);
            let gap = (direction.dot(across) - reach) / direction.length();
            if gap > best_gap {
                (best, best_gap) = (Some(direction), gap);
            }
        }
        best
    }

    /// Takes out the lanes that a direction keeps apart, with a proof in the front for all of them.
    fn prove_lanes(&self, parts: &mut LaneParts, direction: DVec3, front: &mut Front) {
        if parts.mask != 0
            && let Some((proof, proved)) = self.proof(parts, direction)
        {
            front.push(Parts::Lanes(LaneParts { mask: proved, ..*parts }), &proof);
            parts.mask &= !proved;
        }
    }

    /// The lanes that a direction keeps apart, if any, and the proof for all of them.
    pub(super) fn proof(&self, parts: &LaneParts, direction: DVec3) -> Option<(Proof, u8)> {
        let line = Line::new(&self.view, direction)?;
        let (scale_a, scale_b) = (self.pair.scale_a, self.pair.scale_b);
        let (tree, other, along, across, scale, other_scale) = match parts.lanes_of {
            Of::A => (self.pair.a, self.pair.b, line.forth, line.back, scale_a, scale_b),
            Of::B => (self.pair.b, self.pair.a, line.back, line.forth, scale_b, scale_a),
        };
        let node = &tree.nodes[parts.node as usize];
        let part = other.part(parts.place);
        let across = DVec3::from_array(across.map(f64::from));
        let other_reach = part.centre.dot(across) + part.reach(across);
        let room = line.between - other_scale * other_reach - self.needed;
        let reach = Toward::<f32x8, B>::along(along).reach(node);
        // A reach of this or more is too much.
        let proved = u32::from(parts.mask) & !<f32x8 as Lanes>::splat(room / scale).at_most(reach);
        if proved == 0 {
            return None;
        }
        let mut largest = f32::NEG_INFINITY;
        each_lane(proved, |lane| largest = largest.max(reach.as_array()[lane]));
        let other_reach = other_reach as f32;
        let (reach, (centre, radius)) = match parts.lanes_of {
            Of::A => ([largest, other_reach], ball(part.centre - part.half, part.centre + part.half)),
            Of::B => ([other_reach, largest], ball_of_lanes(node, proved)),
        };
        Some((Proof { forth: line.forth, back: line.back, reach, centre, radius }, proved as u8))
    }
}

/// A ball around a box, whatever rounding does.
#[inline(always)]
pub(super) fn ball(low: DVec3, high: DVec3) -> ([f32; 3], f32) {
    let radius = 0.5 * (high - low).length();
    ((0.5 * (low + high)).to_array().map(|x| x as f32), (radius * (1.0 + f32x8::SLACK) + f32x8::SLACK) as f32)
}

/// The mean of the centres of the boxes of a node.
fn middle<B>(node: &Node<B>) -> DVec3 {
    let sum = |axis: usize| f64::from((node.low[axis] + node.high[axis]).reduce_add());
    DVec3::new(sum(0), sum(1), sum(2)) / (2 * WIDTH) as f64
}

/// A ball around some boxes of a node.
fn ball_of_lanes<B>(node: &Node<B>, mask: u32) -> ([f32; 3], f32) {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    each_lane(mask, |lane| {
        let vector = |x: &[f32x8; 3]| DVec3::from_array(x.each_ref().map(|x| f64::from(x.as_array()[lane])));
        (low, high) = (low.min(vector(&node.low)), high.max(vector(&node.high)));
    });
    ball(low, high)
}
