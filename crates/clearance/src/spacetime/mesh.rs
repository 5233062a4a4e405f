//! First contact of two meshes.
//!
//! Meshes that share no point at the start first meet where triangles do. Trees find pairs of triangles in the order in which
//! their boxes may meet; floats bracket when triangles meet; the few pairs that may be first are settled in integers.

use super::outcome::{ContactTime, FirstContact, FirstOverlap, Impact, Outcome, Touch};
use super::time::{ExactTime, bracket, rational};
use super::translation::Translation;
use super::triangles::TriangleQuery;
use crate::math::Pose;
use crate::math::round::UNIT_ROUNDOFF;
use crate::mesh::{MeshCache, TreeMesh, contacts_with, is_nested, relation_with};
use crate::pair::Relation;
use crate::tree::{Course, Earlier, Encounter, MeshPair};
use crate::triangle::vector_size;
use dashu::rational::RBig;
use glam::DVec3;

/// Widest bracket of `s` that floats may answer with, as a part of `s`.
const RELATIVE_WIDTH: f64 = 1e-10;

/// When and where two translating meshes, solids or surfaces, first meet: exact.
pub fn first_contact_of_meshes(
    a: &TreeMesh,
    pose_a: &Pose,
    b: &TreeMesh,
    pose_b: &Pose,
    motion: &Translation,
    cache: &mut MeshCache,
) -> FirstContact {
    let query = MeshQuery { a, pose_a, b, pose_b, motion };
    if motion.relative_velocity().is_zero() {
        return query.at_rest(cache);
    }
    let found = query.search(Mode::UpToStart, cache);
    query.settle(&found, cache)
}

/// When two translating meshes first meet, as a proved bracket of floats.
///
/// The same answer as [`first_contact_of_meshes`], whose exact time lies in the bracket.
pub fn contact_time_of_meshes(
    a: &TreeMesh,
    pose_a: &Pose,
    b: &TreeMesh,
    pose_b: &Pose,
    motion: &Translation,
    cache: &mut MeshCache,
) -> ContactTime {
    let query = MeshQuery { a, pose_a, b, pose_b, motion };
    if motion.relative_velocity().is_zero() {
        return match relation_with(a, pose_a, b, pose_b, cache).relation {
            Relation::Disjoint => ContactTime::None,
            other => ContactTime::AtStart(other),
        };
    }
    let found = query.search(Mode::UpToStart, cache);
    let answer = query.in_floats(&found).unwrap_or_else(|| query.exactly(&found, cache));
    // For the next query to use its room.
    cache.scratch.candidates = found.candidates;
    answer
}

pub(super) struct MeshQuery<'a> {
    pub a: &'a TreeMesh,
    pub pose_a: &'a Pose,
    pub b: &'a TreeMesh,
    pub pose_b: &'a Pose,
    pub motion: &'a Translation,
}

/// Pairs of triangles that may be first.
pub(super) struct Search {
    /// An upper bound of `s`, with the direction across the triangles that meet then; `None` if none do.
    first: Option<Earlier>,
    /// Lower bounds of `s`.
    candidates: Vec<(f64, u32, u32)>,
}

/// When two triangles first meet, the direction from A to B then, and which they are.
type First = (RBig, DVec3, u32, u32);

/// How much a search collects.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Ends as soon as triangles are known to meet at the start.
    UpToStart,
    /// All pairs that meet first.
    All,
}

impl<'a> MeshQuery<'a> {
    pub(super) fn course(&self) -> Course {
        let velocity = self.motion.relative_velocity();
        Course { velocity: velocity.rounded(), error: 6.0 * UNIT_ROUNDOFF * vector_size(velocity) }
    }

    /// Not below the duration of the motion.
    pub(super) fn duration(&self) -> f64 {
        (self.motion.t1() - self.motion.t0()).next_up()
    }

    pub(super) fn triangles(&self, x: u32, y: u32) -> TriangleQuery<'a> {
        let (corners_a, corners_b) = (self.a.mesh().triangle(x as usize), self.b.mesh().triangle(y as usize));
        TriangleQuery::new((corners_a, self.pose_a), (corners_b, self.pose_b), self.motion)
    }

    fn search(&self, mode: Mode, cache: &mut MeshCache) -> Search {
        let pair = MeshPair::new(self.a.placed(self.pose_a), self.b.placed(self.pose_b));
        let (course, trees) = (self.course(), pair.trees());
        let mut search = Search { first: None, candidates: std::mem::take(&mut cache.scratch.candidates) };
        search.candidates.clear();
        trees.earliest(&course, self.duration(), &mut cache.scratch, |x, y, limit| {
            let corners = (self.a.mesh().triangle(x as usize), self.b.mesh().triangle(y as usize));
            let (lower, found) = match trees.encounter(corners.0, corners.1, &course, limit) {
                Encounter::Never => return None,
                Encounter::Meet { lower, upper, normal } => (lower, Earlier { s: upper, direction: normal }),
                Encounter::Unclear { .. } => {
                    let (s, normal) = self.triangles(x, y).first()?;
                    let (lower, upper) = bracket(&s);
                    (lower, Earlier { s: upper, direction: normal })
                }
            };
            if lower <= limit {
                search.candidates.push((lower, x, y));
            }
            if found.s == 0.0 && mode == Mode::UpToStart {
                // They meet at the start: how is for the relation to say.
                search.first = Some(found);
                return Some(Earlier { s: -1.0, ..found });
            }
            let is_earlier = search.first.is_none_or(|first| found.s < first.s);
            (is_earlier && found.s <= limit).then(|| {
                search.first = Some(found);
                found
            })
        });
        if let Some(first) = search.first {
            search.candidates.retain(|candidate| candidate.0 <= first.s);
        }
        search
    }

    /// The answer if floats suffice.
    fn in_floats(&self, search: &Search) -> Option<ContactTime> {
        let (t0, t1) = (self.motion.t0(), self.motion.t1());
        let nested = || is_nested(self.a, self.pose_a, self.b, self.pose_b);
        let apart = || if nested() { None } else { Some(ContactTime::None) };
        let first = match search.first {
            Some(first) => first,
            None if search.candidates.is_empty() => return apart(),
            // Perhaps at the very end.
            None => return None,
        };
        let lower = search.candidates.iter().fold(first.s, |least, candidate| least.min(candidate.0));
        let is_narrow = lower > 0.0 && first.s - lower <= RELATIVE_WIDTH * first.s;
        let (lower, upper) = ((t0 + lower).next_down(), (t0 + first.s).next_up());
        if !is_narrow || (upper > t1 && lower <= t1) {
            return None;
        }
        if lower > t1 {
            return apart();
        }
        let (&(_, x, y), normal) = (search.candidates.first()?, first.direction.try_normalize()?);
        if nested() {
            return None;
        }
        let point = self.point(x, y, first.s);
        Some(ContactTime::Hit(Impact { lower: lower.max(t0), upper, normal, point }))
    }

    /// Where two triangles that meet at `s` are closest then, rounded.
    fn point(&self, x: u32, y: u32, s: f64) -> DVec3 {
        let pair = MeshPair::new(self.a.placed(self.pose_a), self.b.placed(self.pose_b));
        let shift = self.pose_b.turn_back(self.course().velocity * s);
        let corners_b = self.b.mesh().triangle(y as usize).map(|corner| corner + shift);
        let gap = pair.trees().gap(self.a.mesh().triangle(x as usize), corners_b);
        pair.trees().origin() + gap.point_a + self.motion.velocity_a() * s
    }

    #[cold]
    #[inline(never)]
    fn exactly(&self, search: &Search, cache: &mut MeshCache) -> ContactTime {
        self.first_touch(search, cache).0.outcome.contact_time()
    }

    /// Nothing changes.
    fn at_rest(&self, cache: &mut MeshCache) -> FirstContact {
        let never = |outcome| FirstContact { outcome, first_overlap: FirstOverlap::Never };
        match relation_with(self.a, self.pose_a, self.b, self.pose_b, cache).relation {
            Relation::Disjoint => never(Outcome::None(None)),
            Relation::Overlapping => {
                let start = ExactTime::new(rational(self.motion.t0()));
                FirstContact {
                    outcome: Outcome::OverlappingAtStart,
                    first_overlap: FirstOverlap::From(start),
                }
            }
            Relation::Touching => {
                let pairs = contacts_with(self.a, self.pose_a, self.b, self.pose_b, cache);
                let first = pairs.iter().filter_map(|contact| {
                    let [x, y] = contact.triangles;
                    let (s, normal) = self.triangles(x, y).first()?;
                    Some((s, normal, x, y))
                });
                never(Outcome::TouchingAtStart(self.touch(&RBig::ZERO, &first.collect::<Vec<First>>())))
            }
        }
    }

    fn settle(&self, search: &Search, cache: &mut MeshCache) -> FirstContact {
        let (found, first) = self.first_touch(search, cache);
        let first_overlap = super::overlap::first_overlap(self, &found, &first, cache);
        FirstContact { first_overlap, ..found }
    }

    /// The answer without the first overlap, and the pairs of triangles that meet first.
    fn first_touch(&self, search: &Search, cache: &mut MeshCache) -> (FirstContact, Vec<(u32, u32)>) {
        let of = |outcome, first: &[First]| {
            let pairs = first.iter().map(|found| (found.2, found.3)).collect();
            (FirstContact { outcome, first_overlap: FirstOverlap::Undecided }, pairs)
        };
        let exact = self.exact(search);
        let first = exact.iter().map(|found| &found.0).min().cloned();
        let duration = rational(self.motion.t1()) - rational(self.motion.t0());
        let first = first.filter(|s| *s <= duration);
        if first.as_ref().is_none_or(|s| *s > RBig::ZERO) {
            // No triangles meet at the start.
            if is_nested(self.a, self.pose_a, self.b, self.pose_b) {
                return of(Outcome::OverlappingAtStart, &[]);
            }
            let Some(s) = first else { return of(Outcome::None(None), &[]) };
            let time = ExactTime::new(rational(self.motion.t0()) + &s);
            let exact: Vec<First> = exact.into_iter().filter(|found| found.0 == s).collect();
            return of(Outcome::Hit(time, self.touch(&s, &exact)), &exact);
        }
        match relation_with(self.a, self.pose_a, self.b, self.pose_b, cache).relation {
            Relation::Overlapping => of(Outcome::OverlappingAtStart, &[]),
            _ => {
                let all = self.search(Mode::All, cache);
                let mut exact = self.exact(&all);
                exact.retain(|found| found.0.is_zero());
                of(Outcome::TouchingAtStart(self.touch(&RBig::ZERO, &exact)), &exact)
            }
        }
    }

    /// When candidates meet, exactly, and along which direction.
    fn exact(&self, search: &Search) -> Vec<First> {
        let exact = search.candidates.iter().filter_map(|&(_, x, y)| {
            let (s, normal) = self.triangles(x, y).first()?;
            Some((s, normal, x, y))
        });
        exact.collect()
    }

    fn touch(&self, s: &RBig, first: &[First]) -> Touch {
        let mut first: Vec<&First> = first.iter().collect();
        first.sort_by_key(|found| (found.2, found.3));
        let normal = first.first().map_or(DVec3::ZERO, |found| found.1);
        let mut contacts = Vec::new();
        for &&(_, _, x, y) in &first {
            let names = [&self.a.mesh().triangles()[x as usize], &self.b.mesh().triangles()[y as usize]];
            for contact in self.triangles(x, y).contacts(s, names) {
                let is_known = |known: &super::Contact| {
                    (known.feature_a, known.feature_b) == (contact.feature_a, contact.feature_b)
                };
                if !contacts.iter().any(is_known) {
                    contacts.push(contact);
                }
            }
        }
        Touch { normal, contacts }
    }
}
