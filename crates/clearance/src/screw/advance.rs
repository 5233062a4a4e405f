//! First contact of two convex bodies by certified conservative advancement.
//!
//! At a time at which a plane separates the bodies it does so until the first vertex, or the first pair of edges, may reach it.
//! Another plane is taken there, and so on: no contact is passed. A plane moves along with the face or the edges that it comes
//! from, so near the contact the steps are those of Newton's method. That the bodies have met is proved by a vertex or a point
//! of an edge inside the other body, or by an overlap deeper than what rounding does.

use super::crossing::{Crossing, Edges};
use super::motion::{At, Mover};
use super::outcome::{ScrewImpact, ScrewOutcome};
use super::plane::{Carried, Hold, MovingBody, WIDTH};
use super::pyramid::Below;
use super::record::ScrewStats;
use crate::math::Pose;
use crate::pair::{
    Convex, ConvexError, ConvexRelation, Distance, DistanceConfig, Feature, GilbertCache, Nearest, Relation,
    distance, distance_with, relate, seemingly_nearest,
};
use glam::DVec3;

/// Steps before the case is left undecided; bodies that do not graze need about ten.
const ROUNDS: usize = 500;

/// How long after the time that is to be expected bodies are looked at for a contact.
const SOON: f64 = 1e-12;

/// Distances only propose planes.
const COARSE: DistanceConfig = DistanceConfig { relative_width: 0.02 };

/// Two bodies.
pub(super) struct Advance<'a> {
    a: MovingBody<'a>,
    b: MovingBody<'a>,
}

/// Which of the bodies carries a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Carrier {
    A,
    B,
}

impl Carrier {
    /// A direction away from the carrier, from A to B.
    fn from_a(self, direction: DVec3) -> DVec3 {
        match self {
            Carrier::A => direction,
            Carrier::B => -direction,
        }
    }
}

/// What separates the bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Plane {
    /// Across a direction from the carrier to the other body, in the frame of the carrier; of a face, perhaps. A vertex of the
    /// other body is likely to come to it first.
    Carried { carrier: Carrier, local: DVec3, face: Option<[u32; 3]>, vertex: u32 },
    /// Along two edges.
    Edges(Edges),
}

/// A plane, its direction from A to B in the world, and how long it separates.
#[derive(Clone, Copy, Debug)]
struct Step {
    plane: Plane,
    direction: DVec3,
    hold: Hold,
    /// Whether bodies that go on as now may meet where it is.
    may_meet: bool,
}

impl Step {
    /// The same plane when it holds no longer.
    fn used_up(self) -> Step {
        Step { hold: Hold::NONE, may_meet: false, ..self }
    }

    /// The one that holds longer.
    fn or_longer(self, other: Step) -> Step {
        if other.hold.time > self.hold.time { other } else { self }
    }
}

/// Whether bodies have met where a plane has led to.
enum Met {
    /// They share this point.
    At { point: DVec3, normal: DVec3 },
    /// What has come through the plane of a face is beside the face.
    Beside,
    /// Not proved.
    Unknown,
}

/// Whether a plane leads to a contact.
enum Meeting {
    /// To this one.
    Proved(ScrewImpact),
    /// What comes to a face first passes beside it.
    Beside,
    /// Not known, or not asked yet.
    Unknown,
}

/// Bodies at a time.
struct Moment {
    at: [At; 2],
}

impl<'a> Advance<'a> {
    /// `None` if a core is no polytope.
    pub fn new(a: (&'a Convex, &'a Mover<'a>), b: (&'a Convex, &'a Mover<'a>)) -> Option<Advance<'a>> {
        Some(Advance { a: MovingBody::new(a)?, b: MovingBody::new(b)? })
    }

    /// From `t = 0` on: the relation there is exact.
    #[inline(never)]
    pub fn run(&self, stats: &mut ScrewStats) -> Result<ScrewOutcome, ConvexError> {
        let mut cache = GilbertCache::default();
        // No contact up to here.
        let mut t = 0.0_f64;
        // First of all across the line between their middles: often that is enough to come nearer.
        let direction = (self.b.middle() - self.a.middle()).normalize_or_zero();
        let local = self.a.mover.from.turn_back(direction);
        let vertex = self.b.map.find(-self.b.mover.from.turn_back(direction));
        let plane = Plane::Carried { carrier: Carrier::A, local, face: None, vertex };
        let mut last = Step { plane, direction, hold: Hold::NONE, may_meet: false };
        let mut is_used_up = false;
        let [mut moment, mut ahead] = [self.start(), self.start()];
        for round in 0..ROUNDS {
            if round > 0 && !self.go_to(t, &mut moment) {
                break;
            }
            stats.steps += 1;
            let horizon = (1.0 - t) * (1.0 + 1e-9) + f64::EPSILON;
            let mut best = if is_used_up { last.used_up() } else { self.step(last.plane, &moment, horizon) };
            // The relation at the start is exact, and comes first.
            if round > 0 && !is_used_up {
                match self.meeting(&best, t, &mut ahead) {
                    Meeting::Proved(impact) => return Ok(ScrewOutcome::Hit(impact)),
                    Meeting::Beside => best.may_meet = false,
                    Meeting::Unknown => {}
                }
            }
            if !best.hold.is_efficient() && (round > 0 || best.hold.time > 0.0) {
                best = self.quickly_proposed(&moment, best, horizon);
            }
            if best.hold.time < WIDTH || best.hold.is_creeping(horizon) {
                let found = self.distance(&moment, &mut cache);
                if round == 0
                    && found.lower <= (self.a.radius + self.b.radius) * (1.0 + 1e-12)
                    && let Some(met) = self.met_at_start()?
                {
                    return Ok(met);
                }
                let (found, kept) = (Nearest::from(&found), best);
                best = self.proposed(&found, &moment, best, horizon);
                if is_used_up && !best.hold.is_efficient() {
                    best = best.or_longer(self.step(last.plane, &moment, horizon));
                }
                if best.hold.time < WIDTH {
                    if best.plane != kept.plane
                        && let Meeting::Proved(impact) = self.meeting(&best, t, &mut ahead)
                    {
                        return Ok(ScrewOutcome::Hit(impact));
                    }
                    // So close the direction between the closest points is rounded too much for faces that are nearly flush.
                    best = self.best_around(&found, &moment, best, horizon);
                    let reached = later(t, best.hold.time);
                    // Not at every step: a proof of overlap costs more than one.
                    let is_due = round % 8 == 0 || best.hold.time < 0.01 * WIDTH;
                    if reached < 1.0 && best.hold.time < 0.3 * WIDTH && is_due {
                        let upper = (reached + WIDTH).min(1.0);
                        if self.meets_at(upper)? {
                            let point = 0.5 * (found.point_a + found.point_b);
                            let normal = self.normal(&best, &found, &moment, horizon);
                            return Ok(ScrewOutcome::Hit(ScrewImpact {
                                lower: reached,
                                upper,
                                point,
                                normal,
                            }));
                        }
                    }
                }
            }
            let reached = later(t, best.hold.time);
            if reached >= 1.0 {
                return Ok(ScrewOutcome::None);
            }
            if reached <= t {
                break;
            }
            // Where they do not meet the rest of its time is not worth a step.
            is_used_up = !best.may_meet && best.hold.estimate < 1.25 * best.hold.time;
            last = best;
            t = reached;
        }
        Ok(ScrewOutcome::Undecided { lower: t, upper: None })
    }

    /// Whether they stay within the range of coordinates.
    fn go_to(&self, t: f64, moment: &mut Moment) -> bool {
        let [at_a, at_b] = &mut moment.at;
        self.a.mover.go_to(t, at_a) && self.b.mover.go_to(t, at_b)
    }

    fn start(&self) -> Moment {
        Moment { at: [self.a.mover.start(), self.b.mover.start()] }
    }

    fn distance(&self, moment: &Moment, cache: &mut GilbertCache) -> Distance {
        let [at_a, at_b] = &moment.at;
        distance_with(self.a.map, &at_a.pose, self.b.map, &at_b.pose, &COARSE, cache)
    }

    /// What the exact relation at the start tells, unless it is that they are disjoint.
    #[cold]
    #[inline(never)]
    fn met_at_start(&self) -> Result<Option<ScrewOutcome>, ConvexError> {
        let (a, b) = (&self.a, &self.b);
        Ok(at_start(relate(a.convex, a.mover.from, b.convex, b.mover.from)?.relation))
    }

    /// How long a plane separates the bodies from a time on.
    fn step(&self, plane: Plane, moment: &Moment, horizon: f64) -> Step {
        match plane {
            Plane::Carried { carrier, local, face, vertex } => {
                let carried = self.carried(carrier, local, moment);
                let (hold, vertex) = carried.hold(horizon, vertex);
                let plane = Plane::Carried { carrier, local, face, vertex };
                Step { plane, direction: carrier.from_a(carried.normal), hold, may_meet: face.is_some() }
            }
            Plane::Edges(edges) => {
                let crossing = Crossing::new([&self.a, &self.b], moment.at.each_ref(), edges);
                let (direction, hold) = (crossing.normal.normalize_or_zero(), crossing.hold(horizon));
                Step { plane, direction, hold, may_meet: crossing.lines_are_nearest_inside() }
            }
        }
    }

    /// Of a plane at a time, from A to B.
    fn direction(&self, plane: Plane, moment: &Moment) -> DVec3 {
        match plane {
            Plane::Carried { carrier, local, .. } => {
                carrier.from_a(self.carried(carrier, local, moment).normal)
            }
            Plane::Edges(edges) => {
                Crossing::new([&self.a, &self.b], moment.at.each_ref(), edges).normal.normalize_or_zero()
            }
        }
    }

    fn carried<'b>(&'b self, carrier: Carrier, local: DVec3, moment: &'b Moment) -> Carried<'a, 'b> {
        let ([at_a, at_b], (a, b)) = (&moment.at, (&self.a, &self.b));
        let (carrier, other, at_carrier, at_other) = match carrier {
            Carrier::A => (a, b, at_a, at_b),
            Carrier::B => (b, a, at_b, at_a),
        };
        let normal = at_carrier.pose.apply_vector(local).normalize_or_zero();
        Carried { carrier, other, at_carrier, at_other, normal }
    }

    /// Planes of features that seem to be nearest: most often one of them is as good as any.
    fn quickly_proposed(&self, moment: &Moment, kept: Step, horizon: f64) -> Step {
        let [at_a, at_b] = &moment.at;
        let found = seemingly_nearest(self.a.map, &at_a.pose, self.b.map, &at_b.pose);
        found.map_or(kept, |found| self.proposed(&found, moment, kept, horizon))
    }

    /// The plane that separates longest, of those that the closest features and the last step propose.
    fn proposed(&self, found: &Nearest, moment: &Moment, kept: Step, horizon: f64) -> Step {
        let [at_a, at_b] = &moment.at;
        let between = (found.point_b - found.point_a).try_normalize();
        let mut best = kept;
        let mut offer = |plane: Plane| {
            let step = self.step(plane, moment, horizon);
            best = best.or_longer(step);
            step.hold.is_efficient()
        };
        let [vertex_a, vertex_b] = [found.feature_a, found.feature_b].map(|feature| feature.vertices()[0]);
        let face = |body: &MovingBody<'_>, feature: &Feature, carrier: Carrier, vertex: u32| match feature {
            Feature::Face(name) => face_normal(body, *name).map(|local| Plane::Carried {
                carrier,
                local,
                face: Some(*name),
                vertex,
            }),
            _ => None,
        };
        let features = match (found.feature_a, found.feature_b) {
            (Feature::Edge(a), Feature::Edge(b)) => [Some(Plane::Edges(Edges { a, b })), None],
            (a, b) => [face(&self.a, &a, Carrier::A, vertex_b), face(&self.b, &b, Carrier::B, vertex_a)],
        };
        // The first that is as good as can be expected.
        if features.into_iter().flatten().any(&mut offer) {
            return best;
        }
        if let Some(n) = between {
            let (local_a, local_b) = (at_a.pose.turn_back(n), at_b.pose.turn_back(-n));
            let is_enough =
                offer(Plane::Carried { carrier: Carrier::A, local: local_a, face: None, vertex: vertex_b });
            if !is_enough {
                offer(Plane::Carried { carrier: Carrier::B, local: local_b, face: None, vertex: vertex_a });
            }
        }
        best
    }

    /// The best of the planes of all faces around the closest features, and of all pairs of edges there.
    #[cold]
    #[inline(never)]
    fn best_around(&self, found: &Nearest, moment: &Moment, known: Step, horizon: f64) -> Step {
        let mut best = known;
        let mut offer = |plane: Plane| {
            best = best.or_longer(self.step(plane, moment, horizon));
        };
        let [at_a, _] = &moment.at;
        for plane in self.planes_around(found) {
            offer(plane);
            if let Plane::Edges(edges) = plane {
                // Also as a plane that does not turn with B: edges may be too short to tell.
                let crossing = Crossing::new([&self.a, &self.b], moment.at.each_ref(), edges);
                if let Some(n) = crossing.normal.try_normalize() {
                    let n = if n.dot(known.direction) < 0.0 { -n } else { n };
                    let local = at_a.pose.turn_back(n);
                    offer(Plane::Carried { carrier: Carrier::A, local, face: None, vertex: edges.b[0] });
                }
            }
        }
        best
    }

    /// Planes of all faces around the closest features, and of all pairs of edges there.
    fn planes_around(&self, found: &Nearest) -> Vec<Plane> {
        let mut planes = Vec::new();
        for (body, feature, carrier) in
            [(&self.a, &found.feature_a, Carrier::A), (&self.b, &found.feature_b, Carrier::B)]
        {
            let polytope = body.map.polytope();
            for corners in polytope.faces().filter(|face| feature.vertices().iter().any(|v| face.contains(v)))
            {
                let name = [corners[0], corners[1], corners[2]];
                let plane = |local: DVec3| Plane::Carried { carrier, local, face: Some(name), vertex: 0 };
                planes.extend(face_normal(body, name).map(plane));
            }
        }
        let edges_b = edges_around(&self.b, &found.feature_b);
        for a in edges_around(&self.a, &found.feature_a) {
            planes.extend(edges_b.iter().map(|&b| Plane::Edges(Edges { a, b })));
        }
        planes
    }

    /// The direction from A to B of a contact that follows a step.
    ///
    /// Directions between closest points only propose planes, and lean. So it is that of the face or the pair of edges that keeps
    /// the bodies apart longest, if one does; between rounded bodies it is that of their cores, which are well apart.
    fn normal(&self, last: &Step, found: &Nearest, moment: &Moment, horizon: f64) -> DVec3 {
        if self.a.radius + self.b.radius > 0.0 {
            return self.between_cores(moment).unwrap_or(last.direction);
        }
        if !matches!(last.plane, Plane::Carried { face: None, .. }) {
            return last.direction;
        }
        let steps = self.planes_around(found).into_iter().map(|plane| self.step(plane, moment, horizon));
        let longest = steps.max_by(|x, y| x.hold.time.total_cmp(&y.hold.time));
        longest.filter(|step| step.hold.time > 0.0).map_or(last.direction, |step| step.direction)
    }

    /// From the core of A to that of B.
    fn between_cores(&self, moment: &Moment) -> Option<DVec3> {
        let [at_a, at_b] = &moment.at;
        let found = distance(self.a.map, &at_a.pose, self.b.map, &at_b.pose);
        (found.point_b - found.point_a).try_normalize()
    }

    /// The contact that a plane leads to, if it is so near that the bodies are proved to have met by then.
    fn meeting(&self, step: &Step, t: f64, ahead: &mut Moment) -> Meeting {
        let (lower, radii) = (later(t, step.hold.time), self.a.radius + self.b.radius);
        let is_on_features = !matches!(step.plane, Plane::Carried { face: None, .. });
        if lower >= 1.0 || !(is_on_features || radii > 0.0) {
            return Meeting::Unknown;
        }
        // What is left of the time that is to be expected.
        let (rest, is_ending) = (step.hold.estimate - step.hold.time, step.hold.time < WIDTH);
        let soon =
            if step.hold.is_about_to_end() { Some(SOON + 2.0 * rest) } else { is_ending.then_some(SOON) };
        for later in [soon, is_ending.then_some(WIDTH)].into_iter().flatten() {
            let upper = (lower + later).min(1.0);
            if !self.go_to(upper, ahead) {
                break;
            }
            match self.met(step.plane, ahead) {
                Met::At { point, normal } => {
                    // On the same side as before.
                    let normal = if normal.dot(step.direction) < 0.0 { -normal } else { normal };
                    return Meeting::Proved(ScrewImpact { lower, upper, point, normal });
                }
                Met::Beside => return Meeting::Beside,
                Met::Unknown => {}
            }
        }
        Meeting::Unknown
    }

    /// A point that the bodies are proved to share where a plane has led to, and the direction of the plane.
    fn met(&self, plane: Plane, moment: &Moment) -> Met {
        let at = |point: Option<DVec3>, normal: DVec3| {
            point.map_or(Met::Unknown, |point| Met::At { point, normal })
        };
        match plane {
            _ if self.a.radius + self.b.radius > 0.0 => {
                let normal = || self.between_cores(moment).unwrap_or_else(|| self.direction(plane, moment));
                self.rounded_meeting(moment).map_or(Met::Unknown, |point| Met::At { point, normal: normal() })
            }
            Plane::Edges(edges) => {
                let crossing = Crossing::new([&self.a, &self.b], moment.at.each_ref(), edges);
                at(crossing.meets(), crossing.normal.normalize_or_zero())
            }
            Plane::Carried { face: None, .. } => Met::Unknown,
            Plane::Carried { carrier, local, face: Some(face), vertex } => {
                self.vertex_inside(&self.carried(carrier, local, moment), face, vertex)
            }
        }
    }

    /// A vertex that is inside the body of a face, right below it: most often the one that was expected, or another below the plane.
    fn vertex_inside(&self, carried: &Carried<'_, '_>, face: [u32; 3], expected: u32) -> Met {
        let off = carried.other.off(carried.at_other);
        let look = |vertex: u32| {
            let place = carried.other.place(vertex, carried.at_other);
            (carried.carrier.below_face(face, place, off, carried.at_carrier), place)
        };
        let (below, point) = look(expected);
        if below == Below::Inside {
            return Met::At { point, normal: carried.normal };
        }
        let others = carried.below().filter(|&vertex| vertex != expected).map(look);
        match others.filter(|(below, _)| *below == Below::Inside).map(|(_, point)| point).next() {
            Some(point) => Met::At { point, normal: carried.normal },
            None if below == Below::Beside => Met::Beside,
            None => Met::Unknown,
        }
    }

    /// Cores that are nearer than the radii around them.
    fn rounded_meeting(&self, moment: &Moment) -> Option<DVec3> {
        let [at_a, at_b] = &moment.at;
        let found = distance(self.a.map, &at_a.pose, self.b.map, &at_b.pose);
        let off = self.a.off(&moment.at[0]) + self.b.off(&moment.at[1]);
        let radii = (self.a.radius + self.b.radius) * (1.0 - 1e-15);
        (found.upper + 1.01 * off < radii).then(|| {
            // On the surface of A, or about there.
            let share = if radii > 0.0 { self.a.radius / radii } else { 0.5 };
            found.point_a + (found.point_b - found.point_a) * share
        })
    }

    /// Whether they overlap by more than rounding of their places may do.
    #[cold]
    #[inline(never)]
    fn meets_at(&self, t: f64) -> Result<bool, ConvexError> {
        let mut moment = self.start();
        if !self.go_to(t, &mut moment) {
            return Ok(false);
        }
        let [at_a, at_b] = moment.at;
        let off = self.a.off(&at_a) + self.b.off(&at_b);
        overlap_by(self.a.convex, &at_a.pose, self.b.convex, &at_b.pose, 1.01 * off)
    }
}

/// The end of a step, rounded down.
fn later(t: f64, step: f64) -> f64 {
    (t + step).next_down().max(t)
}

/// What an exact relation at the start tells, unless bodies are disjoint then.
pub(super) fn at_start(relation: ConvexRelation) -> Option<ScrewOutcome> {
    match relation {
        ConvexRelation::Exact(Relation::Overlapping) => Some(ScrewOutcome::OverlappingAtStart),
        ConvexRelation::Exact(Relation::Touching) => Some(ScrewOutcome::TouchingAtStart),
        ConvexRelation::TouchingWithin { .. } => Some(ScrewOutcome::Undecided { lower: 0.0, upper: None }),
        ConvexRelation::Exact(Relation::Disjoint) => None,
    }
}

/// Whether two bodies overlap by more than a length.
pub(super) fn overlap_by(
    a: &Convex,
    pose_a: &Pose,
    b: &Convex,
    pose_b: &Pose,
    length: f64,
) -> Result<bool, ConvexError> {
    let answer = relate(a, pose_a, b, pose_b)?;
    let is_overlap = answer.relation == ConvexRelation::Exact(Relation::Overlapping);
    Ok(is_overlap && answer.depth.is_some_and(|depth| depth.lower > length))
}

/// The outward normal of a face, in the frame of the body.
fn face_normal(body: &MovingBody<'_>, name: [u32; 3]) -> Option<DVec3> {
    let [p, q, r] = name.map(|v| body.map.vertex(v));
    let normal = (q - p).cross(r - p).try_normalize()?;
    // Three of its vertices in any order: the body is on the other side.
    let is_inward = normal.dot(body.map.polytope().centroid() - p) > 0.0;
    Some(if is_inward { -normal } else { normal })
}

/// All edges at the vertices of a feature.
fn edges_around(body: &MovingBody<'_>, feature: &Feature) -> Vec<[u32; 2]> {
    let polytope = body.map.polytope();
    let from = |v: u32| polytope.neighbours(v as usize).iter().map(move |&w| [v, w]);
    feature.vertices().iter().flat_map(|&v| from(v)).collect()
}
