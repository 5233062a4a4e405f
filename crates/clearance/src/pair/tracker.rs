//! A pair followed from frame to frame: the paper's combined algorithm [Chung96 §5.5].
//!
//! While the bodies are apart, the separating direction and its two supporting vertices are remembered; in the next
//! frame they are checked first, which is all that most frames need. Only when the bodies meet for the first time are
//! the closest points computed, for the last frame in which they were apart. While they overlap, four vertex pairs
//! whose differences surround zero are remembered and checked first.
//!
//! Differs from the paper: 1. every answer is proved, as in [`super::relation`]; 2. overlaps are remembered too;
//! 3. what is remembered is not trusted: it changes speed, never an answer; 4. ellipsoids around the bodies prove that a
//! direction separates bodies which are well apart, without their vertices; 5. so do balls, without a direction, for several
//! frames.

use super::balls::{Enclosure, Look};
use super::distance::{Distance, DistanceConfig, GilbertCache, distance, distance_with};
use super::hint::{Frame, Hint};
use super::penetration::{Penetration, penetration_from};
use super::relation::{Relation, Settled, Witness, settle, settle_again, settle_apart, surrounds_zero};
use super::separating_vector::Candidate;
use super::subdistance::VertexPairs;
use super::view::{Along, Proof, View};
use crate::math::{Patience, Pose};
use crate::support::{Identity, Scan, SupportMap};
use glam::DVec3;

/// What a tracker computes in every frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TrackerMode {
    /// Only whether the bodies meet.
    SeparatingVector,
    /// The closest points in every frame.
    Gilbert,
    /// Whether they meet, and at the first frame in which they do, the closest points of the frame before.
    #[default]
    Combined,
}

/// How a pair lies in the current frame.
#[derive(Clone, Debug, PartialEq)]
pub enum TrackerFrame {
    /// No common point. With [`TrackerMode::Gilbert`], how far apart.
    Apart(Option<Distance>),
    /// The first frame in which they meet.
    Began(Box<Contact>),
    /// They met in the frame before, and still do.
    Persists(Relation),
}

impl TrackerFrame {
    /// How the bodies lie to each other.
    pub fn relation(&self) -> Relation {
        match self {
            TrackerFrame::Apart(_) => Relation::Disjoint,
            TrackerFrame::Began(contact) => contact.witness.relation(),
            TrackerFrame::Persists(relation) => *relation,
        }
    }
}

/// All about the first frame in which two bodies meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// The proof that they meet: touching or overlapping.
    pub witness: Witness,
    /// How deep, if they overlap.
    pub penetration: Option<Penetration>,
    /// The closest points in the last frame in which [`Tracker::update`] found these bodies apart; `None` if there was none, if one
    /// of them is another body than in that frame, or with [`TrackerMode::SeparatingVector`].
    pub before: Option<Distance>,
}

/// What a tracker did, added up over frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrackerStats {
    /// Frames seen.
    pub frames: u64,
    /// Frames that what was remembered settled at once.
    pub remembered: u64,
    /// Directions tried, the paper's `k`, in all.
    pub steps: u64,
    /// Vertices visited: for a direction that is remembered its two vertices and those that walks go on to from them, or all of bodies with up
    /// to 32, and for one that is searched for all those that are looked at to find its supporting vertices, which is all of a small body. Directions that
    /// balls or ellipsoids prove visit none. Not counted: the walks of a search, which are a few steps where a direction that seems to
    /// separate is proved, and, for bodies of more than 4000 vertices, the way from a table to each supporting vertex.
    pub vertices: u64,
    /// Frames that exact arithmetic had to decide.
    pub exact: u64,
}

/// Two bodies followed from frame to frame.
///
/// ```
/// use clearance::{Pose, glam::DVec3, shape::Polytope, support::SupportMap};
/// use clearance::pair::{Tracker, TrackerFrame};
/// let corners = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64));
/// let cube = SupportMap::new(Polytope::hull(&corners.collect::<Vec<_>>())?);
/// let mut tracker = Tracker::default();
/// for step in 0..4 {
///     let pose_b = Pose::from_translation(DVec3::X * (2.5 - 0.5 * step as f64))?;
///     match tracker.update(&cube, &Pose::IDENTITY, &cube, &pose_b) {
///         TrackerFrame::Apart(_) => assert!(step < 3),
///         TrackerFrame::Began(contact) => {
///             let before = contact.before.expect("they were apart");
///             assert!(step == 3 && before.lower <= 0.5 && 0.5 <= before.upper);
///         }
///         TrackerFrame::Persists(_) => unreachable!("they meet in the last frame"),
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tracker {
    mode: TrackerMode,
    remembered: Remembered,
    /// A direction that separates, while one is remembered.
    separation: Kept,
    /// The corners that it comes from if it was not the first one tried, or those around zero.
    corners: VertexPairs,
    carriers: Patience<MOST_FRAMES_WITHOUT_CARRIERS>,
    /// Balls around the bodies that were apart; none unless a direction is remembered.
    enclosure: Enclosure,
    before: Option<Box<Apart>>,
    /// Only with [`TrackerMode::Gilbert`].
    gilbert: Option<Box<GilbertCache>>,
    stats: TrackerStats,
}

/// Remembered corners from which a search goes on; with fewer the first direction is the better start.
const FEWEST_CORNERS: usize = 3;

/// Carriers that do not help are tried again after so many frames at most.
const MOST_FRAMES_WITHOUT_CARRIERS: u32 = 15;

/// The last frame in which bodies were apart.
#[derive(Clone, Copy, Debug)]
struct Apart {
    bodies: [Identity; 2],
    poses: [Pose; 2],
}

/// What settled the last frame.
#[derive(Clone, Copy, Debug, Default)]
enum Remembered {
    #[default]
    Nothing,
    /// A direction that separates.
    Separation,
    /// Corners around zero.
    Surrounding,
    Touching,
}

/// A direction that separated the bodies, in all frames, and the vertices that supported them.
#[derive(Clone, Copy, Debug, Default)]
struct Kept {
    along: Along,
    vertices: (u32, u32),
    carrier: Carrier,
    proof: Proof,
}

/// What a remembered direction moves with.
///
/// A separating face moves with its body, and an edge of each with both; a gap that is wide against the motion is best
/// left alone. So none is right for every pair, and the one that was right last is tried first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Carrier {
    #[default]
    World,
    A,
    B,
    Both,
}

impl Carrier {
    const ALL: [Carrier; 4] = [Carrier::World, Carrier::A, Carrier::B, Carrier::Both];

    /// Where it takes a direction of the frame before.
    #[inline]
    fn carry(self, along: &Along, view: &View<'_>) -> DVec3 {
        let with_a = || view.pose_a.rotation() * along.a;
        let with_b = || -(view.pose_b.rotation() * along.b);
        match self {
            Carrier::World => along.world,
            Carrier::A => with_a(),
            Carrier::B => with_b(),
            Carrier::Both => with_a() + with_b() - along.world,
        }
    }
}

impl Tracker {
    /// A tracker that has seen nothing.
    pub fn new(mode: TrackerMode) -> Tracker {
        Tracker { mode, ..Tracker::default() }
    }

    /// Bytes of memory that it holds on to beside its own.
    pub(crate) fn bytes(&self) -> usize {
        let gilbert = self.gilbert.as_deref().map_or(0, |cache| size_of::<GilbertCache>() + cache.bytes());
        gilbert + self.before.as_ref().map_or(0, |_| size_of::<Apart>())
    }

    /// What the tracker did so far.
    pub fn stats(&self) -> TrackerStats {
        let (balls, stats) = (self.enclosure.frames(), self.stats);
        TrackerStats {
            frames: stats.frames + balls,
            remembered: stats.remembered + balls,
            steps: stats.steps + balls,
            ..stats
        }
    }

    /// Looks at the next frame. The bodies may change from call to call: that costs speed, and [`Contact::before`] is of the same
    /// bodies or none; whether a contact begins is told by whether the last two met.
    #[inline]
    pub fn update(&mut self, a: &SupportMap, pose_a: &Pose, b: &SupportMap, pose_b: &Pose) -> TrackerFrame {
        let view = View::new(a, pose_a, b, pose_b);
        match self.mode {
            TrackerMode::Gilbert => self.update_distance(&view),
            _ => self.update_relation(&view),
        }
    }

    /// Whether the bodies meet, and nothing else: no contact data even at the first frame, and [`Contact::before`] does not hear of it.
    #[inline(always)]
    pub fn relation(&mut self, a: &SupportMap, pose_a: &Pose, b: &SupportMap, pose_b: &Pose) -> Relation {
        let between = match self.enclosure.look(a, pose_a, b, pose_b) {
            Look::Apart => return Relation::Disjoint,
            Look::Between(between) => Some(between),
            Look::NoBalls => None,
        };
        self.settle(&View::new(a, pose_a, b, pose_b), between)
    }

    /// How far the bodies overlap, `None` if they do not: as [`penetration`](super::penetration()), but their relation is not
    /// searched for where they overlapped in the last frame and lie as they did then, or nearly so.
    pub fn penetration(
        &self,
        a: &SupportMap,
        pose_a: &Pose,
        b: &SupportMap,
        pose_b: &Pose,
    ) -> Option<Penetration> {
        self.penetration_of(&View::new(a, pose_a, b, pose_b))
    }

    fn penetration_of(&self, view: &View<'_>) -> Option<Penetration> {
        let is_of_use = matches!(self.remembered, Remembered::Surrounding) && self.corners.exist_in(view);
        penetration_from(view, if is_of_use { self.corners.as_slice() } else { &[] })
    }

    /// A direction that separates the bodies in the frame just settled, by its poses.
    pub(crate) fn hint(&self, pose_a: &Pose, pose_b: &Pose) -> Hint {
        if let Some(direction) = self.enclosure.direction(pose_a, pose_b) {
            return Hint::new(direction, Frame::World, self.separation.vertices);
        }
        let Kept { along, vertices, carrier, .. } = self.separation;
        match (self.remembered, carrier) {
            (Remembered::Separation, Carrier::World | Carrier::Both) => {
                Hint::new(along.world, Frame::World, vertices)
            }
            (Remembered::Separation, Carrier::A) => Hint::new(along.a, Frame::A, vertices),
            (Remembered::Separation, Carrier::B) => Hint::new(-along.b, Frame::B, vertices),
            _ => Hint::NOTHING,
        }
    }

    #[inline]
    fn update_relation(&mut self, view: &View<'_>) -> TrackerFrame {
        let met = self.met();
        match self.relation(view.a, view.pose_a, view.b, view.pose_b) {
            Relation::Disjoint => {
                if self.mode == TrackerMode::Combined {
                    self.keep_poses(view);
                }
                TrackerFrame::Apart(None)
            }
            relation if met => TrackerFrame::Persists(relation),
            _ => TrackerFrame::Began(Box::new(self.contact(view))),
        }
    }

    fn met(&self) -> bool {
        matches!(self.remembered, Remembered::Surrounding | Remembered::Touching)
    }

    /// The poses of the last frame apart live in one place that is written over: nothing is allocated in a frame.
    #[inline]
    fn keep_poses(&mut self, view: &View<'_>) {
        let apart =
            Apart { bodies: [view.a.identity(), view.b.identity()], poses: [*view.pose_a, *view.pose_b] };
        match &mut self.before {
            Some(before) => **before = apart,
            None => self.before = Some(Box::new(apart)),
        }
    }

    /// The relation, by what is remembered if possible; with the way from ball to ball, if these touch.
    #[inline(never)]
    fn settle(&mut self, view: &View<'_>, between: Option<DVec3>) -> Relation {
        self.stats.frames += 1;
        match self.remembered {
            Remembered::Separation if view.has_vertices(self.separation.vertices) => {
                self.stats.steps += 1;
                let known = &mut self.separation;
                let direction = match self.enclosure.is_due() {
                    false => known.carrier.carry(&known.along, view),
                    true => match self.enclose(view, between) {
                        Ok(()) => return Relation::Disjoint,
                        Err(direction) => direction,
                    },
                };
                if let Some(scans) = view.scans() {
                    return self.settle_by_scans(view, scans, direction);
                }
                let known = &mut self.separation;
                let last = known.proof;
                if last == Proof::Shells
                    && let Some((along, gap)) = view.along_if_shells_apart(direction)
                {
                    self.enclosure.expect(gap, view.error(direction));
                    known.along = along;
                    self.stats.remembered += 1;
                    return Relation::Disjoint;
                }
                let along = view.along(direction);
                let walked = &mut self.stats.vertices;
                let support = view.support_if_apart(&along, known.vertices, Some(&mut known.proof), walked);
                self.stats.vertices += 2;
                if support.proves_disjoint || last == Proof::Shells {
                    known.vertices = (support.vertex_a, support.vertex_b);
                }
                if support.proves_disjoint {
                    self.enclosure.expect(support.gap, view.error(direction));
                    known.along = along;
                    self.stats.remembered += 1;
                    return Relation::Disjoint;
                }
                self.try_others(view, |known, along, vertices| {
                    let support =
                        view.support_if_apart(along, known.vertices, Some(&mut known.proof), vertices);
                    *vertices += 2;
                    support.proves_disjoint.then(|| {
                        known.vertices = (support.vertex_a, support.vertex_b);
                        support.gap
                    })
                })
            }
            Remembered::Surrounding if self.corners.exist_in(view) => {
                if surrounds_zero(&view.pair(), self.corners.as_slice()) {
                    self.stats.remembered += 1;
                    return Relation::Overlapping;
                }
                self.search(view, self.corners)
            }
            _ => self.search(view, VertexPairs::default()),
        }
    }

    /// The relation of bodies of few vertices, by a direction that seems to separate them and by others.
    #[inline(always)]
    fn settle_by_scans(&mut self, view: &View<'_>, scans: (&Scan, &Scan), direction: DVec3) -> Relation {
        let along = view.along(direction);
        self.stats.vertices += looked_at(view);
        let Some(gap) = view.gap_of_scans(scans, &along) else {
            return self.try_others(view, |_, along, vertices| {
                *vertices += looked_at(view);
                view.gap_of_scans(scans, along)
            });
        };
        self.enclosure.expect(gap, view.error(direction));
        self.separation.along = along;
        self.stats.remembered += 1;
        Relation::Disjoint
    }

    /// Puts balls around bodies that seem to be apart, or the direction that they seem to be apart along if that is not proved.
    #[inline(never)]
    fn enclose(&mut self, view: &View<'_>, between: Option<DVec3>) -> Result<(), DVec3> {
        let known = &mut self.separation;
        let direction = match between {
            Some(direction) => direction,
            None => known.carrier.carry(&known.along, view),
        };
        let along = view.along(direction);
        if !self.enclosure.renew(view, &along, &known.along, between.is_some()) {
            return Err(direction);
        }
        known.along = along;
        self.stats.remembered += 1;
        Ok(())
    }

    /// Asks about the remembered direction as other carriers move it, and searches if that does not help. `gap` is that of a direction, if it
    /// is proved to separate; it raises the number of vertices visited.
    #[inline(never)]
    fn try_others(
        &mut self,
        view: &View<'_>,
        gap: impl Fn(&mut Kept, &Along, &mut u64) -> Option<f64>,
    ) -> Relation {
        let mut known = self.separation;
        if self.carriers.is_waiting() {
            return self.search(view, self.corners.with(known.vertices));
        }
        for carrier in Carrier::ALL.into_iter().filter(|&c| c != self.separation.carrier) {
            let along = view.along(carrier.carry(&known.along, view));
            self.stats.steps += 1;
            if let Some(gap) = gap(&mut known, &along, &mut self.stats.vertices) {
                self.separation = Kept { along, carrier, ..known };
                self.enclosure.expect(gap, view.error(along.world));
                self.stats.remembered += 1;
                self.carriers.succeeded();
                return Relation::Disjoint;
            }
        }
        self.carriers.failed();
        self.search(view, self.corners.with(known.vertices))
    }

    /// Searches on from remembered corners, which say more than a direction that no longer separates; from nothing if
    /// there are too few.
    #[inline(never)]
    fn search(&mut self, view: &View<'_>, corners: VertexPairs) -> Relation {
        let mut steps = 0;
        let are_enough = corners.as_slice().len() >= FEWEST_CORNERS && corners.exist_in(view);
        let settled = match self.remembered {
            Remembered::Surrounding if are_enough => settle_again(view, &corners, &mut steps),
            _ if are_enough => settle_apart(view, &corners, &mut steps),
            _ => settle(view, &mut steps),
        };
        self.stats.steps += steps as u64;
        self.stats.vertices += steps as u64 * looked_at(view);
        self.stats.exact += u64::from(matches!(settled, Settled::Exactly(_)));
        let relation = settled.relation();
        self.enclosure.end();
        self.remembered = match settled {
            Settled::Disjoint(Candidate { direction, vertex_a, vertex_b }, corners) => {
                let (along, vertices) = (view.along(direction), (vertex_a, vertex_b));
                // The first direction tried separates bodies that are well apart.
                let is_first = corners.as_slice().is_empty();
                let gap = if is_first { view.gap(&along, vertices) } else { 0.0 };
                let proof = view.likely_proof(&along, gap);
                self.separation = Kept { along, vertices, carrier: Carrier::World, proof };
                self.enclosure.expect(gap, view.error(direction));
                self.corners = corners;
                Remembered::Separation
            }
            Settled::Overlapping(corners) => {
                self.corners = corners;
                Remembered::Surrounding
            }
            Settled::Exactly(_) if relation == Relation::Disjoint => Remembered::Nothing,
            Settled::Exactly(_) => Remembered::Touching,
        };
        relation
    }

    fn contact(&mut self, view: &View<'_>) -> Contact {
        let View { a, pose_a, b, pose_b, .. } = *view;
        let bodies = [a.identity(), b.identity()];
        let before = self.before.take().filter(|before| before.bodies == bodies);
        Contact {
            witness: super::relation_with_witness(a, pose_a, b, pose_b),
            penetration: self.penetration_of(view),
            before: before.map(|before| distance(a, &before.poses[0], b, &before.poses[1])),
        }
    }

    fn update_distance(&mut self, view: &View<'_>) -> TrackerFrame {
        let View { a, pose_a, b, pose_b, .. } = *view;
        let config = DistanceConfig::default();
        self.enclosure.end();
        let cache = self.gilbert.get_or_insert_default();
        let before = cache.stats();
        let found = distance_with(a, pose_a, b, pose_b, &config, cache);
        let after = cache.stats();
        let supports = after.supports - before.supports;
        self.stats.frames += 1;
        self.stats.steps += supports;
        self.stats.vertices += supports * looked_at(view);
        self.stats.remembered += u64::from(supports == 0);
        self.stats.exact += after.exact - before.exact;
        if found.upper > 0.0 {
            self.remembered = Remembered::Nothing;
            self.keep_poses(view);
            return TrackerFrame::Apart(Some(found));
        }
        let met = self.met();
        self.remembered = Remembered::Touching;
        match met {
            true => TrackerFrame::Persists(super::relation(a, pose_a, b, pose_b)),
            false => TrackerFrame::Began(Box::new(self.contact(view))),
        }
    }
}

/// Vertices of both bodies that are looked at along one direction of a search.
fn looked_at(view: &View<'_>) -> u64 {
    view.a.looked_at() + view.b.looked_at()
}
