//! Pairs of parts: convex ones by [`pair`], all others as meshes: a polytope against a mesh is its faces cut into triangles,
//! as a solid if it has an inside, else as a surface.

use super::cache::CompoundCache;
use super::hierarchy::Part;
use super::polygon::without_cuts;
use super::query::Query;
use crate::mesh::{self, MeshCache, TreeMesh};
use crate::pair::{self, DistanceConfig, Relation};
use crate::support::SupportMap;
use glam::DVec3;

/// A pair of parts, told apart by what decides it.
enum Parts<'a> {
    Convex(&'a SupportMap, &'a SupportMap),
    Meshes(&'a TreeMesh, &'a TreeMesh),
}

/// A bracket of the distance of two parts, and points that realise it.
pub(super) struct Gap {
    pub lower: f64,
    pub upper: f64,
    pub points: [DVec3; 2],
}

impl<'a> Query<'a> {
    fn parts(&self, (p, q): (u32, u32)) -> Parts<'a> {
        match (&self.a.parts()[p as usize], &self.b.parts()[q as usize]) {
            (Part::Polytope(a), Part::Polytope(b)) => Parts::Convex(a, b),
            _ => Parts::Meshes(self.a.surface(p as usize), self.b.surface(q as usize)),
        }
    }

    /// The relation of two parts, of which the hulls have that relation; at least `enough` may stand for more.
    pub fn relation_of_parts(
        &self,
        nodes: (u32, u32),
        parts: (u32, u32),
        hulls: Relation,
        enough: Relation,
        cache: &mut CompoundCache,
    ) -> Relation {
        let Parts::Meshes(a, b) = self.parts(parts) else { return hulls };
        let memory = mesh_memory(nodes, cache);
        let relation = match enough {
            Relation::Overlapping => {
                let found = mesh::relation_with(a, self.pose_a, b, self.pose_b, memory).relation;
                match (&self.a.parts()[parts.0 as usize], &self.b.parts()[parts.1 as usize]) {
                    (Part::Polytope(map), _) => without_cuts(found, map, self.pose_a, a, b, self.pose_b),
                    (_, Part::Polytope(map)) => without_cuts(found, map, self.pose_b, b, a, self.pose_a),
                    _ => found,
                }
            }
            _ => match mesh::collides(a, self.pose_a, b, self.pose_b, memory) {
                true => enough,
                false => Relation::Disjoint,
            },
        };
        memory.trim();
        relation
    }

    pub fn distance_of_parts(&self, nodes: (u32, u32), parts: (u32, u32), cache: &mut CompoundCache) -> Gap {
        match self.parts(parts) {
            Parts::Convex(a, b) => {
                let (config, memory) = (DistanceConfig::default(), &mut cache.of(nodes).gilbert);
                let found = pair::distance_with(a, self.pose_a, b, self.pose_b, &config, memory);
                Gap { lower: found.lower, upper: found.upper, points: [found.point_a, found.point_b] }
            }
            Parts::Meshes(a, b) => {
                let memory = mesh_memory(nodes, cache);
                let found = mesh::distance_with(a, self.pose_a, b, self.pose_b, memory);
                Gap { lower: found.lower, upper: found.upper, points: [found.point_a, found.point_b] }
            }
        }
    }

    /// Whether parts whose hulls are within a limit are so themselves.
    pub fn parts_within(
        &self,
        nodes: (u32, u32),
        parts: (u32, u32),
        limit: f64,
        cache: &mut CompoundCache,
    ) -> bool {
        let Parts::Meshes(a, b) = self.parts(parts) else { return true };
        mesh::within_with(a, self.pose_a, b, self.pose_b, limit, mesh_memory(nodes, cache))
    }
}

fn mesh_memory(nodes: (u32, u32), cache: &mut CompoundCache) -> &mut MeshCache {
    cache.stats.mesh_pairs += 1;
    cache.of(nodes).mesh.get_or_insert_default()
}
