//! Questions about the world as it is now.

use super::cancel::{Cancel, NEVER};
use super::narrow::{At, Scratch, Separation, answer, collides, separation, within};
use super::world::{Record, World};
use super::{BodyId, WorldError};
use crate::body::{self, BodyAnswer};
use crate::broad::{Mobility, inflated};
use crate::math::{Aabb, Pose};
use crate::pair::{self, ContactPoint, Convex, Manifold, ManifoldConfig, Ray, RayHit};
use crate::shape::Polytope;
use glam::DVec3;
use rayon::prelude::*;

/// Bodies that one task of a question about all pairs takes at least.
const TASK: usize = 64;

/// Where a ray first meets a body of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldHit {
    /// The body; of several at the same `t` the first.
    pub body: BodyId,
    /// No point of the ray before this `t` is on a body.
    pub t_lower: f64,
    /// Some point at or before this `t` is.
    pub t_upper: f64,
    /// Zero if that is proved. Else the ray grazes the body, or passes it no farther than this away, as in
    /// [`RayHit::within`](crate::pair::RayHit::within).
    pub within: f64,
    /// The normal there, unit length, rounded; `None` if the ray starts in a convex body, and for segments and points.
    pub normal: Option<DVec3>,
}

/// A body near another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// Which.
    pub body: BodyId,
    /// How far, and where: a point of the body that was asked for, and one of the neighbour.
    pub separation: Separation,
}

impl World {
    /// All that is known of two bodies.
    ///
    /// # Errors
    /// An id names nothing, or both are one body; no method is known.
    pub fn relate(&self, a: BodyId, b: BodyId) -> Result<BodyAnswer, WorldError> {
        let [one, other] = self.two(a, b)?;
        answer(one.at(), other.at()).map_err(|error| WorldError::Pair { a, b, error })
    }

    /// How far apart two bodies are.
    ///
    /// # Errors
    /// An id names nothing, or both are one body; no method is known.
    pub fn distance(&self, a: BodyId, b: BodyId) -> Result<Separation, WorldError> {
        let [one, other] = self.two(a, b)?;
        separation(one.at(), other.at()).map_err(|error| WorldError::Pair { a, b, error })
    }

    /// The contact points of two bodies, each a polytope or one with a ball around it: spheres, capsules and rounded polytopes
    /// as well. Those of the cores, moved out by the radii; nothing is proved, as in [`pair::manifold`](crate::pair::manifold).
    ///
    /// `None` if one of them is anything else (meshes and compounds, also of one convex part; cylinders, cones, ellipsoids,
    /// half-spaces and planes), or if there is no contact normal, as for two spheres around one point.
    ///
    /// # Errors
    /// An id names nothing, or both are one body.
    pub fn manifold(
        &self,
        a: BodyId,
        b: BodyId,
        config: &ManifoldConfig,
    ) -> Result<Option<Manifold>, WorldError> {
        let [one, other] = self.two(a, b)?;
        let bodies = one.shape.0.body().as_convex().zip(other.shape.0.body().as_convex());
        Ok(bodies.and_then(|pair| manifold(pair, [&one.pose, &other.pose], config)))
    }

    /// Two bodies that are not one.
    fn two(&self, a: BodyId, b: BodyId) -> Result<[&Record; 2], WorldError> {
        let both = [self.record(a)?, self.record(b)?];
        if a == b { Err(WorldError::SameBody { body: a }) } else { Ok(both) }
    }

    /// All pairs that collide where they are now, in order; as [`step`](World::step) would find them.
    ///
    /// # Errors
    /// A pair for which no method is known.
    pub fn colliding_pairs(&self) -> Result<Vec<[BodyId; 2]>, WorldError> {
        self.colliding_pairs_until(&NEVER)
    }

    /// [`World::colliding_pairs`] that can be ended from outside.
    ///
    /// # Errors
    /// A pair for which no method is known; the flag is set.
    pub fn colliding_pairs_until(&self, cancel: &Cancel) -> Result<Vec<[BodyId; 2]>, WorldError> {
        self.all_pairs(0.0, cancel, |a, b, scratch| collides(self.at(a).at(), self.at(b).at(), scratch))
    }

    /// All pairs at most so far apart, in order; those that cannot collide (two static ones, ignored ones, by their groups)
    /// are left out.
    ///
    /// # Errors
    /// A distance that is negative, infinite or not a number; a pair for which no method is known.
    pub fn pairs_within(&self, distance: f64) -> Result<Vec<[BodyId; 2]>, WorldError> {
        self.pairs_within_until(distance, &NEVER)
    }

    /// [`World::pairs_within`] that can be ended from outside.
    ///
    /// # Errors
    /// As [`World::pairs_within`]; the flag is set.
    pub fn pairs_within_until(&self, distance: f64, cancel: &Cancel) -> Result<Vec<[BodyId; 2]>, WorldError> {
        check_length("distance", distance)?;
        self.all_pairs(distance, cancel, |a, b, _| within(self.at(a).at(), self.at(b).at(), distance))
    }

    /// Pairs that may collide, whose bounds are at most so far apart, and that pass a test.
    fn all_pairs(
        &self,
        distance: f64,
        cancel: &Cancel,
        test: impl Fn(u32, u32, &mut Scratch) -> Result<bool, crate::body::BodyError> + Sync,
    ) -> Result<Vec<[BodyId; 2]>, WorldError> {
        let of_body = |(slot, record): (usize, &Option<Record>), scratch: &mut Scratch| {
            let mut found = Vec::new();
            let (a, Some(record)) = (slot as u32, record) else { return Ok(found) };
            if record.mobility == Mobility::Static {
                return Ok(found);
            }
            cancel.check()?;
            let region = inflated(&self.bound_at(a), distance);
            let mut others = self.near(&region, a, |b| self.may_collide(a, b));
            // Two that move find each other twice.
            others.retain(|&b| b > a || self.at(b).mobility == Mobility::Static);
            for b in others {
                cancel.check()?;
                let [a, b] = if a < b { [a, b] } else { [b, a] };
                let [id_a, id_b] = [self.id(a), self.id(b)];
                let failed = |error| WorldError::Pair { a: id_a, b: id_b, error };
                if test(a, b, scratch).map_err(failed)? {
                    found.push([id_a, id_b]);
                }
            }
            Ok(found)
        };
        let lists: Vec<Result<Vec<[BodyId; 2]>, WorldError>> = self
            .bodies
            .par_iter()
            .enumerate()
            .with_min_len(TASK)
            .map_init(Scratch::default, |scratch, body| of_body(body, scratch))
            .collect();
        let mut all = Vec::new();
        for list in lists {
            all.extend(list?);
        }
        all.sort_unstable();
        cancel.check()?;
        Ok(all)
    }

    /// The places of other bodies that pass a test and whose bounds meet a region, ascending.
    pub(super) fn near(&self, region: &Aabb, of: u32, test: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut found = Vec::new();
        self.broad.tree().visit(region, |slot| {
            if slot != of && test(slot) && self.bound_at(slot).meets(*region) {
                found.push(slot);
            }
        });
        found.sort_unstable();
        found
    }

    /// The bodies nearest to one, the nearest first, whatever their groups; equally near ones by id. Fewer if there are not so
    /// many.
    ///
    /// Best first by bounds: only bodies whose bounds are nearer than what is known are measured.
    ///
    /// # Errors
    /// The id names nothing; a pair for which no method is known.
    pub fn nearest(&self, body: BodyId, count: usize) -> Result<Vec<Neighbour>, WorldError> {
        self.nearest_until(body, count, &NEVER)
    }

    /// [`World::nearest`] that can be ended from outside.
    ///
    /// # Errors
    /// As [`World::nearest`]; the flag is set.
    pub fn nearest_until(
        &self,
        body: BodyId,
        count: usize,
        cancel: &Cancel,
    ) -> Result<Vec<Neighbour>, WorldError> {
        let own = self.slot(body)?;
        let record = self.at(own);
        let mut best: Vec<Neighbour> = Vec::new();
        let mut failure = None;
        if count == 0 {
            return Ok(best);
        }
        self.broad.tree().visit_near(&self.bound_at(own), f64::INFINITY, |slot, _| {
            let limit = |best: &[Neighbour]| match best.get(count - 1) {
                Some(last) => last.separation.upper,
                None => f64::INFINITY,
            };
            if slot == own {
                return limit(&best);
            }
            if cancel.is_cancelled() {
                return f64::NEG_INFINITY;
            }
            let other = self.id(slot);
            match separation(record.at(), self.at(slot).at()) {
                Ok(separation) => {
                    let key = |one: &Neighbour| (one.separation.upper, one.body);
                    let found = Neighbour { body: other, separation };
                    let place = best.partition_point(|known| key(known) < key(&found));
                    best.insert(place, found);
                    best.truncate(count);
                    limit(&best)
                }
                Err(error) => {
                    failure.get_or_insert(WorldError::Pair { a: body, b: other, error });
                    f64::NEG_INFINITY
                }
            }
        });
        cancel.check()?;
        failure.map_or(Ok(best), Err)
    }

    /// Bodies whose bounds meet a region, in the order of ids: a superset of [`World::region`], for any box.
    pub fn bounds_in(&self, region: &Aabb) -> Vec<BodyId> {
        self.slots_in(region).into_iter().map(|slot| self.id(slot)).collect()
    }

    fn slots_in(&self, region: &Aabb) -> Vec<u32> {
        let mut found = Vec::new();
        self.broad.tree().visit(region, |slot| found.push(slot));
        found.retain(|&slot| self.bound_at(slot).meets(*region));
        found.sort_unstable();
        found
    }

    /// Bodies that share a point with a box, exactly, in the order of ids.
    ///
    /// # Errors
    /// A box that is none, or with coordinates beyond the limits; a body for which no method is known.
    pub fn region(&self, region: &Aabb) -> Result<Vec<BodyId>, WorldError> {
        self.region_until(region, &NEVER)
    }

    /// [`World::region`] that can be ended from outside.
    ///
    /// # Errors
    /// As [`World::region`]; the flag is set.
    pub fn region_until(&self, region: &Aabb, cancel: &Cancel) -> Result<Vec<BodyId>, WorldError> {
        let corner = |i: usize| {
            let pick = |axis: usize| if i >> axis & 1 == 1 { region.max[axis] } else { region.min[axis] };
            DVec3::new(pick(0), pick(1), pick(2))
        };
        if !region.min.cmple(region.max).all() {
            return Err(WorldError::BadRegion);
        }
        let corners: Vec<DVec3> = (0..8).map(corner).collect();
        let hull = Polytope::hull(&corners).map_err(|_| WorldError::BadRegion)?;
        let shape = super::ShapeHandle::from(hull);
        let at = At { geometry: &shape.0, pose: &Pose::IDENTITY };
        let mut scratch = Scratch::default();
        let mut found = Vec::new();
        for slot in self.slots_in(region) {
            cancel.check()?;
            let body = self.id(slot);
            let failed = |error| WorldError::Body { body, error };
            if collides(at, self.at(slot).at(), &mut scratch).map_err(failed)? {
                found.push(body);
            }
        }
        cancel.check()?;
        Ok(found)
    }

    /// Where a ray first meets a body of any kind; `None` if it is proved to meet none up to its end.
    ///
    /// # Errors
    /// A body for which no method is known (one as large as the largest coordinates) lies before the first hit, by its bound.
    pub fn ray_cast(&self, ray: &Ray) -> Result<Option<WorldHit>, WorldError> {
        self.ray_cast_until(ray, &NEVER)
    }

    /// [`World::ray_cast`] that can be ended from outside.
    ///
    /// # Errors
    /// As [`World::ray_cast`]; the flag is set.
    pub fn ray_cast_until(&self, ray: &Ray, cancel: &Cancel) -> Result<Option<WorldHit>, WorldError> {
        let mut first: Option<WorldHit> = None;
        let mut failure: Option<(f64, WorldError)> = None;
        self.broad.tree().visit_along(ray.origin(), ray.direction(), ray.max_t(), |slot, enters| {
            if cancel.is_cancelled() {
                return f64::NEG_INFINITY;
            }
            let (record, body) = (self.at(slot), self.id(slot));
            match body::ray_cast(record.shape.0.body(), &record.pose, ray) {
                Err(error) => {
                    if failure.is_none_or(|known| enters < known.0) {
                        failure = Some((enters, WorldError::Body { body, error }));
                    }
                }
                Ok(Some(RayHit { t_lower, t_upper, within, normal, .. })) => {
                    let hit = WorldHit { body, t_lower, t_upper, within, normal };
                    let key = |hit: &WorldHit| (hit.t_upper, hit.t_lower, hit.body);
                    first = first.filter(|known| key(known) < key(&hit)).or(Some(hit));
                }
                Ok(None) => {}
            }
            first.map_or(f64::INFINITY, |hit| hit.t_upper)
        });
        cancel.check()?;
        match failure {
            Some((enters, error)) if first.is_none_or(|hit| enters <= hit.t_upper) => Err(error),
            _ => Ok(first),
        }
    }
}

fn check_length(what: &'static str, value: f64) -> Result<(), WorldError> {
    if (0.0..f64::INFINITY).contains(&value) { Ok(()) } else { Err(WorldError::BadLength { what, value }) }
}

/// The contact of two bodies with polytopes inside: that of these, moved out.
fn manifold((a, b): (&Convex, &Convex), poses: [&Pose; 2], config: &ManifoldConfig) -> Option<Manifold> {
    let (core_a, core_b) = a.core().zip(b.core())?;
    let radii = [a.radius(), b.radius()];
    let normal = pair::contact_normal(core_a, poses[0], core_b, poses[1])?;
    let around = ManifoldConfig { margin: config.margin + radii[0] + radii[1], ..*config };
    let mut found = pair::manifold(core_a, poses[0], core_b, poses[1], normal, &around);
    if radii != [0.0; 2] {
        let move_out = |point: &mut ContactPoint| {
            point.point_a += radii[0] * found.normal;
            point.point_b -= radii[1] * found.normal;
            point.depth += radii[0] + radii[1];
        };
        found.points.iter_mut().for_each(move_out);
    }
    Some(found)
}
