//! A mesh and a cylinder, cone or ellipsoid, with a ball around it or not.
//!
//! A polytope inside the body and one around it bound everything: what overlaps the inner one overlaps the body, and only
//! triangles near the outer one can be the nearest. Those are related to the body itself, one by one.
//!
//! If no triangle meets the body, it lies inside a solid or outside as a whole, and so does the polytope inside it. A triangle
//! inside the body overlaps it. So nothing beyond the inner polytope and the triangles has to be looked at.

use super::mixed::unknown;
use super::shell::Shell;
use super::{BodyAnswer, BodyError};
use crate::math::Pose;
use crate::math::round::add_up;
use crate::mesh::{self, MeshCache, TreeMesh};
use crate::pair::{Bracket, Convex, ConvexAnswer, ConvexRelation, Relation, relate_below};
use crate::shape::{Polytope, Primitive};
use crate::solid;
use crate::tree::{Nearer, Scratch, TreePair};
use crate::witness::Side;
use rustc_hash::FxHashSet;

/// Relative width of distances beyond that of one triangle.
const RELATIVE_WIDTH: f64 = 1e-13;

/// More than poses stretch lengths by.
const STRETCH: f64 = 1e-8;

pub(super) fn relate(
    mesh: &TreeMesh,
    pose_mesh: &Pose,
    convex: &Convex,
    core: &Primitive,
    pose: &Pose,
) -> Result<BodyAnswer, BodyError> {
    let shell = Shell::around(core).ok_or_else(|| unknown(mesh, convex))?;
    let mut cache = MeshCache::default();
    let inside = mesh::relation_with(mesh, pose_mesh, &shell.inner, pose, &mut cache);
    let apart = mesh::distance_with(mesh, pose_mesh, &shell.inner, pose, &mut cache);
    let mut search = Search::new(mesh, pose_mesh, convex, pose, shell.thickness);
    if inside.relation != Relation::Overlapping {
        search.bound(apart.upper);
    }
    if inside.relation != Relation::Overlapping || inside.enclosed == Some(Side::B) {
        search.run(&shell.outer)?;
    }
    let found = search.answer();
    let overlap = inside.relation == Relation::Overlapping;
    if !overlap && found.relation != ConvexRelation::Exact(Relation::Overlapping) {
        return Ok(found);
    }
    let enclosed = match inside.enclosed {
        // The polytope floats in the solid; the body does unless it meets a triangle.
        Some(Side::B) if found.relation != ConvexRelation::Exact(Relation::Disjoint) => None,
        enclosed => enclosed,
    };
    let depth = depth(mesh, pose_mesh, &shell, pose, convex.radius());
    let points = if overlap { Some([apart.point_a, apart.point_b]) } else { found.points };
    Ok(BodyAnswer { depth, points, enclosed, ..BodyAnswer::of(Relation::Overlapping) })
}

/// As deep as the inner polytope at least, and as the hulls of the outer one and the mesh, with the ball, at most.
fn depth(mesh: &TreeMesh, pose_mesh: &Pose, shell: &Shell, pose: &Pose, radius: f64) -> Option<Bracket> {
    let outer = mesh::penetration(mesh, pose_mesh, &shell.outer, pose).ok()?;
    let inner = mesh::penetration(mesh, pose_mesh, &shell.inner, pose).ok()?;
    let upper = (outer?.upper + radius).next_up();
    Some(Bracket { lower: inner.map_or(0.0, |inner| inner.lower), upper })
}

/// What is known of the triangles of a mesh and a curved body; gaps are negative where they overlap.
struct Search<'a> {
    mesh: &'a TreeMesh,
    pose_mesh: &'a Pose,
    convex: &'a Convex,
    pose: &'a Pose,
    thickness: f64,
    /// Not above the gap of any triangle looked at.
    lower: f64,
    /// Not below the least gap.
    upper: f64,
    /// The same for triangles that bound something: others are touched at most.
    walls: [f64; 2],
    /// The triangle with the least upper end.
    nearest: Option<ConvexAnswer>,
    seen: FxHashSet<u32>,
    failed: bool,
}

impl<'a> Search<'a> {
    fn new(
        mesh: &'a TreeMesh,
        pose_mesh: &'a Pose,
        convex: &'a Convex,
        pose: &'a Pose,
        thickness: f64,
    ) -> Search<'a> {
        Search {
            mesh,
            pose_mesh,
            convex,
            pose,
            thickness,
            lower: f64::INFINITY,
            upper: f64::INFINITY,
            walls: [f64::INFINITY; 2],
            nearest: None,
            seen: FxHashSet::default(),
            failed: false,
        }
    }

    /// Takes note that some triangle is so near to the core of the body.
    fn bound(&mut self, upper: f64) {
        self.upper = self.upper.min((upper - self.convex.radius_bracket()[0]).next_up());
    }

    /// Triangles at least so far from the faces of the outer polytope are not nearer to the body than what is known.
    ///
    /// Outside of the outer polytope that is so because the core is in it. A point between the polytopes is no farther from
    /// the faces of the outer one than these are apart: on the way out from the nearest point of the inner one, the distance
    /// from that grows as the way does. And no triangle reaches into the inner one.
    fn reach(&self) -> f64 {
        let near = add_up(self.upper.max(0.0), self.convex.radius());
        near.max(self.thickness * (1.0 + STRETCH))
    }

    /// Looks at all triangles that may be nearest.
    fn run(&mut self, outer: &TreeMesh) -> Result<(), BodyError> {
        let pair = TreePair::new(self.mesh.tree(), self.pose_mesh, outer.tree(), self.pose);
        let toward = self.pose.translation() - self.pose_mesh.translation();
        let start = Nearer { distance: self.reach(), direction: toward };
        let start = self.upper.is_finite().then_some(start);
        let mut scratch = Scratch::default();
        pair.nearest(start, RELATIVE_WIDTH, &mut scratch, |triangle, _, limit| {
            self.look(triangle);
            let direction = self.nearest.as_ref().and_then(|near| near.normal).unwrap_or(toward);
            let distance = if self.is_settled() { 0.0 } else { self.reach() };
            (distance < limit).then_some(Nearer { distance, direction })
        });
        if self.failed { Err(unknown(self.mesh, self.convex)) } else { Ok(()) }
    }

    fn is_settled(&self) -> bool {
        self.failed || self.walls[1] < 0.0
    }

    fn look(&mut self, triangle: u32) {
        if !self.seen.insert(triangle) || self.is_settled() {
            return;
        }
        let corners =
            Polytope::hull(&self.mesh.mesh().triangle(triangle as usize)).map(Convex::from_polytope);
        // How deep a fin is says nothing of walls.
        let limit = if self.upper > 0.0 { self.upper } else { self.walls[1] };
        let found =
            corners.ok().and_then(|t| relate_below(&t, self.pose_mesh, self.convex, self.pose, limit).ok());
        let Some(found) = found else { return self.failed = true };
        let [lower, upper] = ends(&found);
        if !solid::is_membrane(self.mesh.mesh(), triangle) {
            self.walls = [self.walls[0].min(lower), self.walls[1].min(upper)];
        }
        self.lower = self.lower.min(lower);
        if upper < self.upper || self.nearest.is_none() {
            self.nearest = Some(found);
        }
        self.upper = self.upper.min(upper);
    }

    fn answer(&self) -> BodyAnswer {
        let (points, normal) = self.nearest.as_ref().map_or((None, None), |near| (near.points, near.normal));
        let apart = Bracket { lower: self.lower.max(0.0), upper: self.upper.max(0.0) };
        let within = |[lower, upper]: [f64; 2]| ConvexRelation::TouchingWithin { width: upper.max(-lower) };
        let (relation, distance) = if self.walls[1] < 0.0 {
            (ConvexRelation::Exact(Relation::Overlapping), Bracket::ZERO)
        } else if self.lower > 0.0 {
            (ConvexRelation::Exact(Relation::Disjoint), apart)
        } else if self.walls[0] <= 0.0 {
            (within(self.walls), apart)
        } else if self.upper < 0.0 {
            (ConvexRelation::Exact(Relation::Touching), Bracket::ZERO)
        } else {
            (within([self.lower, self.upper]), apart)
        };
        let depth = None;
        BodyAnswer { relation, distance, points, normal, depth, witness: None, enclosed: None }
    }
}

/// Numbers around the gap, which is negative where bodies overlap.
fn ends(answer: &ConvexAnswer) -> [f64; 2] {
    let deep = answer.depth.unwrap_or(Bracket::ZERO);
    match answer.relation {
        ConvexRelation::Exact(Relation::Disjoint) => [answer.distance.lower, answer.distance.upper],
        ConvexRelation::Exact(Relation::Touching) => [0.0, 0.0],
        ConvexRelation::Exact(Relation::Overlapping) => [-deep.upper, -deep.lower],
        ConvexRelation::TouchingWithin { .. } => [-deep.upper, answer.distance.upper],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::sample::icosphere;
    use crate::shape::{Ellipsoid, Mesh, MeshConfig, Shape};
    use glam::DVec3;

    /// Lengths were once stretched by a part of the distance before triangles were left out: with a mesh small against its
    /// distance that left out none.
    #[test]
    fn few_triangles_of_a_mesh_far_away_are_looked_at() {
        let soup = icosphere(1.0, 16).unwrap();
        let count = soup.triangles.len();
        let mesh = TreeMesh::new(Mesh::build(&soup, &MeshConfig::default()).unwrap());
        let body = Primitive::from(Ellipsoid::new(DVec3::new(1.0, 2.0, 3.0)).unwrap());
        let (convex, shell) = (Convex::try_from(&Shape::from(body)).unwrap(), Shell::around(&body).unwrap());
        for distance in [10.0, 1e6, 1e9] {
            let pose = Pose::from_translation(DVec3::new(1.0, 0.3, 0.2) * distance).unwrap();
            let mut search = Search::new(&mesh, &Pose::IDENTITY, &convex, &pose, shell.thickness);
            search.bound(mesh::distance(&mesh, &Pose::IDENTITY, &shell.inner, &pose).upper);
            search.run(&shell.outer).unwrap();
            assert!(search.seen.len() < count / 20, "{distance}: {} of {count}", search.seen.len());
        }
    }
}
