//! Questions about the world as it is now.

use super::cancel::{Cancel, NEVER};
use super::geometry::Geometry;
use super::narrow::{At, Scratch, Separation, answer, collides, separation, within};
use super::world::{Record, World};
use super::{BodyId, WorldError};
use crate::body::{Body, BodyAnswer};
use crate::broad::{Mobility, inflated};
use crate::math::{Aabb, Pose};
use crate::mesh;
use crate::pair::{self, Manifold, ManifoldConfig, Ray};
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
    /// An id names nothing; no method is known.
    pub fn relate(&self, a: BodyId, b: BodyId) -> Result<BodyAnswer, WorldError> {
        let (one, other) = (self.record(a)?, self.record(b)?);
        answer(one.at(), other.at()).map_err(|error| WorldError::Pair { a, b, error })
    }

    /// How far apart two bodies are.
    ///
    /// # Errors
    /// An id names nothing; no method is known.
    pub fn distance(&self, a: BodyId, b: BodyId) -> Result<Separation, WorldError> {
        let (one, other) = (self.record(a)?, self.record(b)?);
        separation(one.at(), other.at()).map_err(|error| WorldError::Pair { a, b, error })
    }

    /// The contact points of two polytopes; `None` for other bodies, or without a contact normal.
    ///
    /// # Errors
    /// An id names nothing.
    pub fn manifold(
        &self,
        a: BodyId,
        b: BodyId,
        config: &ManifoldConfig,
    ) -> Result<Option<Manifold>, WorldError> {
        let (one, other) = (self.record(a)?, self.record(b)?);
        let maps = one.shape.0.as_polytope().zip(other.shape.0.as_polytope());
        Ok(maps.and_then(|(map_a, map_b)| {
            let normal = pair::contact_normal(map_a, &one.pose, map_b, &other.pose)?;
            Some(pair::manifold(map_a, &one.pose, map_b, &other.pose, normal, config))
        }))
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
            let mut others = self.near(&region, a);
            // Two that move find each other twice.
            others.retain(|&b| b > a || self.at(b).mobility == Mobility::Static);
            for b in others {
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
        Ok(all)
    }

    /// The places of bodies that a body may collide with and whose bounds meet a region, ascending.
    pub(super) fn near(&self, region: &Aabb, of: u32) -> Vec<u32> {
        let mut found = Vec::new();
        self.broad.tree().visit(region, |slot| {
            if slot != of && self.may_collide(of, slot) && self.bound_at(slot).meets(*region) {
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
        let record = self.record(body)?;
        let mut best: Vec<Neighbour> = Vec::new();
        let mut failure = None;
        if count == 0 {
            return Ok(best);
        }
        self.broad.tree().visit_near(&self.bound_at(body.slot), f64::INFINITY, |slot, _| {
            let limit = |best: &[Neighbour]| match best.get(count - 1) {
                Some(last) => last.separation.upper,
                None => f64::INFINITY,
            };
            if slot == body.slot {
                return limit(&best);
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
        failure.map_or(Ok(best), Err)
    }

    /// Bodies whose bounds meet a region, in the order of ids: a superset of [`World::region`], for any box.
    pub fn bounds_in(&self, region: &Aabb) -> Vec<BodyId> {
        let mut found = Vec::new();
        self.broad.tree().visit(region, |slot| found.push(slot));
        found.retain(|&slot| self.bound_at(slot).meets(*region));
        found.sort_unstable();
        found.into_iter().map(|slot| self.id(slot)).collect()
    }

    /// Bodies that share a point with a box, exactly, in the order of ids.
    ///
    /// # Errors
    /// A box that is none, or with coordinates beyond the limits; a body for which no method is known.
    pub fn region(&self, region: &Aabb) -> Result<Vec<BodyId>, WorldError> {
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
        for body in self.bounds_in(region) {
            let failed = |error| WorldError::Body { body, error };
            if collides(at, self.at(body.slot).at(), &mut scratch).map_err(failed)? {
                found.push(body);
            }
        }
        Ok(found)
    }

    /// Where a ray first meets a body; `None` if it meets none up to its end.
    ///
    /// # Errors
    /// A body without a test for rays (those with curved surfaces, half-spaces and planes) lies before the first hit, by its
    /// bound.
    pub fn ray_cast(&self, ray: &Ray) -> Result<Option<WorldHit>, WorldError> {
        let mut first: Option<WorldHit> = None;
        let mut failure: Option<(f64, BodyId)> = None;
        self.broad.tree().visit_along(ray.origin(), ray.direction(), ray.max_t(), |slot, enters| {
            let (record, body) = (self.at(slot), self.id(slot));
            match cast(&record.shape.0, &record.pose, ray, body) {
                Err(NoMethod) if failure.is_none_or(|known| (enters, body) < known) => {
                    failure = Some((enters, body));
                }
                Ok(Some(hit)) => {
                    let key = |hit: &WorldHit| (hit.t_upper, hit.t_lower, hit.body);
                    first = first.filter(|known| key(known) < key(&hit)).or(Some(hit));
                }
                _ => {}
            }
            first.map_or(f64::INFINITY, |hit| hit.t_upper)
        });
        match failure {
            Some((enters, body)) if first.is_none_or(|hit| enters <= hit.t_upper) => {
                Err(WorldError::Ray { body, kind: self.at(body.slot).shape.kind_name() })
            }
            _ => Ok(first),
        }
    }
}

fn check_length(what: &'static str, value: f64) -> Result<(), WorldError> {
    if (0.0..f64::INFINITY).contains(&value) { Ok(()) } else { Err(WorldError::BadLength { what, value }) }
}

/// No test is known.
struct NoMethod;

/// The first hit of a ray on any part of a shape.
fn cast(geometry: &Geometry, pose: &Pose, ray: &Ray, body: BodyId) -> Result<Option<WorldHit>, NoMethod> {
    let mut first: Option<WorldHit> = None;
    for part in geometry.parts() {
        let found = match part {
            Body::Mesh(part) => {
                mesh::ray_cast(part, pose, ray).map(|hit| (hit.t_lower, hit.t_upper, Some(hit.normal)))
            }
            Body::Convex(part) => {
                let map = part.core().filter(|_| part.is_polytope()).ok_or(NoMethod)?;
                pair::ray_cast(map, pose, ray).map(|hit| (hit.t_lower, hit.t_upper, hit.normal))
            }
            Body::Compound(_) => return Err(NoMethod),
        };
        let Some((t_lower, t_upper, normal)) = found else { continue };
        if first.is_none_or(|known| t_upper < known.t_upper) {
            first = Some(WorldHit { body, t_lower, t_upper, normal });
        }
    }
    Ok(first)
}
