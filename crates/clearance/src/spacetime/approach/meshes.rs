//! The triangles of meshes as the pieces of bodies in motion.

use super::pieces::Pieces;
use super::{Approach, ClosestApproach, boxes, of_convex, of_polytopes_apart};
use crate::body::{BodyError, relate};
use crate::math::round::UNIT_ROUNDOFF;
use crate::math::{Aabb, Pose};
use crate::mesh::{MeshCache, TreeMesh, distance_with};
use crate::pair::{Bracket, Convex};
use crate::shape::Polytope;
use crate::spacetime::moved::Moved;
use crate::spacetime::translation::Translation;
use crate::support::SupportMap;
use crate::tree::MeshPair;
use glam::DVec3;
use std::ops::ControlFlow;

/// Two meshes.
pub(super) struct Meshes<'a> {
    pub a: &'a TreeMesh,
    pub pose_a: &'a Pose,
    pub b: &'a TreeMesh,
    pub pose_b: &'a Pose,
    pub motion: &'a Translation,
    pub moved: Moved<'a>,
    pub cache: MeshCache,
    /// The least upper bound so far and the direction from A to B that belongs to it, of unit length.
    pub towards: Option<(f64, DVec3)>,
}

/// Pairs that are this much nearer than the nearest so far are looked at.
const RELATIVE_WIDTH: f64 = 1e-13;

impl Meshes<'_> {
    /// A lower bound of how close two triangles come, from the direction that belongs to the nearest so far, if it is all
    /// that has to be known.
    fn apart(&self, (x, y): (u32, u32)) -> Option<f64> {
        let (upper, direction) = self.towards?;
        let corners =
            |mesh: &TreeMesh, pose: &Pose, t: u32| mesh.mesh().triangle(t as usize).map(|v| pose.apply(v));
        let (a, b) = (corners(self.a, self.pose_a, x), corners(self.b, self.pose_b, y));
        let highest = a.iter().fold(f64::NEG_INFINITY, |h, v| h.max(direction.dot(*v)));
        let lowest = b.iter().fold(f64::INFINITY, |h, v| h.min(direction.dot(*v)));
        let travel = self.moved.velocity * self.moved.duration;
        let size = a.iter().chain(&b).fold(travel.abs().element_sum(), |s, v| s.max(v.abs().element_sum()));
        let size = size + self.pose_a.translation().abs().max(self.pose_b.translation().abs()).element_sum();
        let gap = lowest - highest + direction.dot(travel).min(0.0) - 64.0 * UNIT_ROUNDOFF * size;
        (gap >= upper * (1.0 - RELATIVE_WIDTH)).then_some(gap)
    }
}

impl Pieces for Meshes<'_> {
    type Error = BodyError;

    fn distance(&mut self, s: f64) -> Result<Bracket, BodyError> {
        let Some((pose, off)) = self.moved.at(s) else { return Ok(ClosestApproach::UNKNOWN.distance) };
        let found = distance_with(self.a, self.pose_a, self.b, &pose, &mut self.cache);
        Ok(Bracket { lower: found.lower, upper: found.upper }.widened(off))
    }

    fn near(&mut self, s: f64, reach: f64, found: &mut Vec<(u32, u32)>) {
        let Some((pose, off)) = self.moved.at(s) else { return };
        let pair = MeshPair::new(self.a.placed(self.pose_a), self.b.placed(&pose));
        let flow = pair.trees().traverse(reach + off, &mut self.cache.scratch, |x, y| {
            found.push((x, y));
            ControlFlow::<()>::Continue(())
        });
        debug_assert!(flow.is_continue());
    }

    fn approach(&mut self, (x, y): (u32, u32)) -> Result<ClosestApproach, BodyError> {
        if let Some(lower) = self.apart((x, y)) {
            return Ok(ClosestApproach { distance: Bracket { lower, upper: f64::INFINITY }, time: 0.0 });
        }
        let [of_a, of_b] = [triangle(self.a, x), triangle(self.b, y)].map(SupportMap::new);
        let (found, direction) = of_polytopes_apart(&of_a, self.pose_a, &of_b, self.pose_b, self.motion)?;
        if self.towards.is_none_or(|(upper, _)| found.distance.upper < upper)
            && let Some(direction) = direction.and_then(DVec3::try_normalize)
        {
            self.towards = Some((found.distance.upper, direction));
        }
        Ok(found)
    }
}

/// A mesh, and a convex body that moves seen from it.
pub(super) struct MeshAndConvex<'a, 'b> {
    pub query: Approach<'a>,
    pub mesh: &'b TreeMesh,
    pub convex: &'b Convex,
    pub moved: Moved<'a>,
}

impl Pieces for MeshAndConvex<'_, '_> {
    type Error = BodyError;

    /// Of the whole bodies, of which mesh and convex body may be parts: all that has to be known.
    fn distance(&mut self, s: f64) -> Result<Bracket, BodyError> {
        let Some((pose, off)) = self.moved.at(s) else { return Ok(ClosestApproach::UNKNOWN.distance) };
        let Approach { a, pose_a, b, .. } = self.query;
        Ok(relate(a, pose_a, b, &pose)?.distance.widened(off))
    }

    fn near(&mut self, s: f64, reach: f64, found: &mut Vec<(u32, u32)>) {
        let Some((pose, off)) = self.moved.at(s) else { return };
        let around = boxes::of_convex(self.convex).map_or(boxes::EVERYWHERE, |bounds| bounds.posed(&pose));
        let room = DVec3::splat((reach + off) * (1.0 + 1e-12));
        let around = Aabb { min: around.min - room, max: around.max + room };
        for t in 0..self.mesh.mesh().triangles().len() {
            let corners = self.mesh.mesh().triangle(t).map(|v| self.query.pose_a.apply(v));
            let size = corners.iter().fold(0.0, |s: f64, v| s.max(v.abs().max_element()));
            let size = size + self.query.pose_a.translation().abs().max_element();
            let rounding = DVec3::splat(16.0 * UNIT_ROUNDOFF * size);
            let bounds = Aabb::around(corners).unwrap_or(boxes::EVERYWHERE);
            if around.meets(Aabb { min: bounds.min - rounding, max: bounds.max + rounding }) {
                found.push((t as u32, 0));
            }
        }
    }

    fn approach(&mut self, (t, _): (u32, u32)) -> Result<ClosestApproach, BodyError> {
        let Approach { pose_a, pose_b, motion, .. } = self.query;
        of_convex(&Convex::from_polytope(triangle(self.mesh, t)), pose_a, self.convex, pose_b, motion)
    }
}

fn triangle(mesh: &TreeMesh, t: u32) -> Polytope {
    match Polytope::hull(&mesh.mesh().triangle(t as usize)) {
        Ok(hull) => hull,
        Err(_) => unreachable!("vertices of a mesh are finite and not too large"),
    }
}
