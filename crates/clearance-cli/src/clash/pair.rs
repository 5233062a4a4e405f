//! Two parts at rest: their verdict, and what is known about it.

use super::inside;
use super::model::{Depth, DepthKind, Finding, PairRule, Plane, Verdict};
use super::placed::Placed;
use crate::answer::BracketFile;
use clearance::{
    Pose,
    body::{self, Within},
    glam::DVec3,
    mesh::{self, Contact, DepthSearch, MeshCache, TreeMesh},
    pair::{self, Bracket, ConvexRelation, Relation},
    witness::Side,
};

/// So many points of a contact are told.
const POINTS: usize = 32;

/// So many segments of a curve where surfaces meet are kept.
const SEGMENTS: usize = 2000;

/// So many pieces of surfaces are looked at before a depth stays undecided.
const PIECES: usize = 20_000;

/// So many cells of space are looked at for a volume, and how narrow its bracket is to be.
const CELLS: usize = 50_000;
const VOLUME_WIDTH: f64 = 1e-2;

/// Overlaps that are shallower than this part of the smaller part are counted.
const ONE_IN_A_THOUSAND: f64 = 1e-3;

/// What was found about a pair.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Without id and status.
    pub finding: Finding,
    /// Where surfaces meet.
    pub curve: Vec<[[f64; 3]; 2]>,
    /// Whether it is an overlap proved to be shallower than a thousandth of the smaller part.
    pub vanishes: bool,
}

/// What is wanted beside the verdict.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    pub touching: bool,
    pub volume: bool,
}

/// Two parts and what is asked of them.
pub struct Pair<'a> {
    pub a: &'a Placed<'a>,
    pub b: &'a Placed<'a>,
    pub rule: PairRule<'a>,
    pub wanted: Wanted,
}

/// What there is to say about a pair.
pub enum Answer {
    /// Nothing.
    Clear,
    /// A verdict that is only counted.
    Counted(Verdict),
    Listed(Box<Found>),
}

/// How two parts meet.
enum Meeting {
    Exactly(Relation, Option<Side>),
    /// Curved parts: what is known instead.
    Roughly(Box<body::BodyAnswer>),
}

impl Pair<'_> {
    /// The verdict with all that is wanted.
    pub fn look(&self, cache: &mut MeshCache) -> Answer {
        cache.forget();
        if self.is_duplicate() {
            return self.listed(Verdict::Duplicate, |found| self.measure_volume(&mut found.finding));
        }
        match self.meeting(cache) {
            None => self.listed(Verdict::Undecided, |_| {}),
            Some(Meeting::Roughly(answer)) => self.of_curved(&answer),
            Some(Meeting::Exactly(Relation::Disjoint, _)) => self.apart(cache),
            Some(Meeting::Exactly(Relation::Touching, _)) => match self.wanted.touching {
                true => self.listed(Verdict::Touching, |found| self.add_contacts(found, cache)),
                false => Answer::Counted(Verdict::Touching),
            },
            Some(Meeting::Exactly(Relation::Overlapping, enclosed)) => self.overlapping(enclosed, cache),
        }
    }

    fn listed(&self, verdict: Verdict, fill: impl FnOnce(&mut Found)) -> Answer {
        let finding = Finding {
            verdict,
            rule: self.rule.name.into(),
            required: self.rule.clearance,
            distance: Some(Bracket::ZERO.into()),
            ..Finding::default()
        };
        let mut found = Found { finding, ..Found::default() };
        fill(&mut found);
        Answer::Listed(Box::new(found))
    }

    /// Convex parts are the same if their corners or their few numbers are; others if their triangles are.
    pub fn is_duplicate(&self) -> bool {
        let (a, b, tolerance) = (self.a, self.b, self.rule.tolerance);
        if a.index == b.index && a.pose == b.pose {
            return true;
        }
        let convex = a.geometry.body.as_convex().zip(b.geometry.body.as_convex());
        if a.pose == b.pose && convex.is_some_and(|(x, y)| x.is_same_body(y)) {
            return true;
        }
        let (Some(box_a), Some(box_b)) = (a.bounds, b.bounds) else { return false };
        let room = tolerance + 1e-12 * (box_a.min.abs().max(box_a.max.abs()).max_element());
        let is_near = |x: DVec3, y: DVec3| (x - y).abs().max_element() <= 2.0 * room;
        if !is_near(box_a.min, box_b.min) || !is_near(box_a.max, box_b.max) {
            return false;
        }
        match (
            a.geometry.polytope(),
            b.geometry.polytope(),
            a.geometry.body.as_mesh(),
            b.geometry.body.as_mesh(),
        ) {
            (Some(x), Some(y), ..) => {
                let (x, y) = (x.polytope().vertices(), y.polytope().vertices());
                mesh::have_same_points(x, a.pose, y, b.pose, tolerance)
            }
            (_, _, Some(x), Some(y)) => mesh::have_same_triangles(x, a.pose, y, b.pose, tolerance),
            _ => false,
        }
    }

    /// `None` if coordinates are beyond the limits of what can be related.
    fn meeting(&self, cache: &mut MeshCache) -> Option<Meeting> {
        let (a, b) = (self.a, self.b);
        if let (Some(x), Some(y)) = (a.geometry.polytope(), b.geometry.polytope()) {
            let relation = pair::relation(x, a.pose, y, b.pose);
            if relation != Relation::Overlapping || !self.may_be_enclosed() {
                return Some(Meeting::Exactly(relation, None));
            }
        }
        if let (Some(x), Some(y)) = (a.geometry.surface(), b.geometry.surface()) {
            let found = mesh::relation_with(x, a.pose, y, b.pose, cache);
            return Some(Meeting::Exactly(found.relation, found.enclosed));
        }
        let answer = body::relate(a.geometry.body, a.pose, b.geometry.body, b.pose).ok()?;
        Some(Meeting::Roughly(Box::new(answer)))
    }

    fn may_be_enclosed(&self) -> bool {
        let (Some(x), Some(y)) = (self.a.bounds, self.b.bounds) else { return false };
        (x.contains(y.min) && x.contains(y.max)) || (y.contains(x.min) && y.contains(x.max))
    }

    /// Parts that share no point. Too close are those at most as far apart as the float below the required clearance: so
    /// parts at exactly the clearance are not.
    fn apart(&self, cache: &mut MeshCache) -> Answer {
        let (a, b) = (self.a, self.b);
        let limit = self.rule.clearance.next_down();
        if self.rule.clearance <= 0.0 {
            return Answer::Clear;
        }
        let (distance, points) = match (a.geometry.polytope(), b.geometry.polytope()) {
            (Some(x), Some(y)) => {
                if !pair::within(x, a.pose, y, b.pose, limit) {
                    return Answer::Clear;
                }
                let found = pair::distance(x, a.pose, y, b.pose);
                (Bracket { lower: found.lower, upper: found.upper }, [found.point_a, found.point_b])
            }
            _ => {
                let Some((x, y)) = a.geometry.surface().zip(b.geometry.surface()) else {
                    return Answer::Clear;
                };
                if !mesh::within_with(x, a.pose, y, b.pose, limit, cache) {
                    return Answer::Clear;
                }
                let found = mesh::distance_with(x, a.pose, y, b.pose, cache);
                (Bracket { lower: found.lower, upper: found.upper }, [found.point_a, found.point_b])
            }
        };
        self.listed(Verdict::TooClose, |found| self.add_gap(&mut found.finding, distance, points))
    }

    fn add_gap(&self, finding: &mut Finding, distance: Bracket, points: [DVec3; 2]) {
        // Where the distance is the clearance up to rounding, it was proved to be less all the same.
        let upper = distance.upper.min(self.rule.clearance.next_down()).max(distance.lower);
        finding.distance = Some(Bracket { upper, ..distance }.into());
        finding.closest = Some(points.map(|point| point.to_array()));
        finding.plane = plane_between(self.a, self.b, points);
    }

    fn overlapping(&self, enclosed: Option<Side>, cache: &mut MeshCache) -> Answer {
        let mut found = Found::default();
        let mut verdict = if enclosed.is_some() { Verdict::Enclosed } else { Verdict::Overlapping };
        if let Some((x, y)) = self.a.geometry.solid().zip(self.b.geometry.solid()) {
            let (depth, shallow) = self.depth(x, y);
            found.finding.depth = depth;
            if verdict == Verdict::Overlapping && shallow == Shallow::WithinTolerance {
                verdict = Verdict::TouchingWithinTolerance;
            }
            found.vanishes = verdict == Verdict::Overlapping && shallow == Shallow::OneInAThousand;
        }
        if verdict == Verdict::TouchingWithinTolerance && !self.wanted.touching {
            return Answer::Counted(verdict);
        }
        self.listed(verdict, |listed| {
            (listed.finding.depth, listed.vanishes) = (found.finding.depth, found.vanishes);
            listed.finding.inside = enclosed.map(|side| side as usize);
            if verdict != Verdict::Enclosed {
                self.add_contacts(listed, cache);
            }
            self.measure_volume(&mut listed.finding);
        })
    }

    /// How deep two solids overlap, and whether that is little.
    fn depth(&self, x: &TreeMesh, y: &TreeMesh) -> (Option<Depth>, Shallow) {
        let (pose_a, pose_b, tolerance) = (self.a.pose, self.b.pose, self.rule.tolerance);
        let Ok(mut search) = DepthSearch::new(x, pose_a, y, pose_b) else { return (None, Shallow::No) };
        let reach_outside =
            || mesh::reaches_outside(x, pose_a, y, pose_b) && mesh::reaches_outside(y, pose_b, x, pose_a);
        let mut is_within = |limit: f64| {
            search.settle(limit, PIECES);
            search.found().upper <= limit
        };
        let little = ONE_IN_A_THOUSAND * self.a.size().min(self.b.size());
        let shallow = if tolerance > 0.0 && is_within(tolerance) && reach_outside() {
            Shallow::WithinTolerance
        } else if is_within(little) && reach_outside() {
            Shallow::OneInAThousand
        } else {
            Shallow::No
        };
        // Where it is not little, a tenth more or less is enough to know.
        search.settle(search.found().lower * 1.1, PIECES);
        let (surface, vertex) = (search.found(), search.deepest_vertex());
        let convex = self.a.geometry.polytope().zip(self.b.geometry.polytope());
        let translation = convex.and_then(|(x, y)| pair::penetration(x, pose_a, y, pose_b));
        let (kind, lower, upper, point) = match (translation, vertex) {
            (Some(found), _) => {
                let point = 0.5 * found.point_a + 0.5 * found.point_b;
                (DepthKind::Translation, found.lower, found.upper, Some(point))
            }
            (None, Some(deep)) => (DepthKind::Local, deep.lower, deep.upper, Some(deep.vertex_point)),
            (None, None) => (DepthKind::Surface, surface.lower, surface.upper, surface.point),
        };
        let point = point.map(|point| point.to_array());
        let depth = Depth { kind, lower, upper, point, surface: Some(surface.upper) };
        (Some(depth), shallow)
    }

    fn measure_volume(&self, finding: &mut Finding) {
        let solids = self.a.geometry.solid().zip(self.b.geometry.solid()).filter(|_| self.wanted.volume);
        let volume = solids.and_then(|(x, y)| {
            mesh::intersection_volume(x, self.a.pose, y, self.b.pose, VOLUME_WIDTH, CELLS).ok()
        });
        finding.volume = volume.map(BracketFile::from);
    }

    fn add_contacts(&self, found: &mut Found, cache: &mut MeshCache) {
        let surfaces = self.a.geometry.surface().zip(self.b.geometry.surface());
        let Some((x, y)) = surfaces else { return };
        let contacts = mesh::contacts_with(x, self.a.pose, y, self.b.pose, cache);
        found.finding.contacts = contacts.len() as u64;
        found.finding.points = some_points(&contacts);
        found.curve = contacts.iter().flat_map(outline).take(SEGMENTS).collect();
    }

    /// Curved parts: what brackets prove, and undecided where they do not.
    fn of_curved(&self, answer: &body::BodyAnswer) -> Answer {
        let closest = answer.points.map(|points| points.map(|point| point.to_array()));
        let overlaps = answer.relation == ConvexRelation::Exact(Relation::Overlapping);
        let enclosed =
            answer.enclosed.or_else(|| overlaps.then(|| inside::enclosed(self.a, self.b)).flatten());
        let verdict = match answer.relation {
            ConvexRelation::Exact(Relation::Overlapping) if enclosed.is_some() => Verdict::Enclosed,
            // Whether shells reach outside is not known here, so none of these is within a tolerance.
            ConvexRelation::Exact(Relation::Overlapping) => Verdict::Overlapping,
            ConvexRelation::Exact(Relation::Touching) => Verdict::Touching,
            ConvexRelation::TouchingWithin { .. } => Verdict::Undecided,
            ConvexRelation::Exact(Relation::Disjoint) => {
                let (a, b, limit) = (self.a, self.b, self.rule.clearance.next_down());
                if self.rule.clearance <= 0.0 {
                    return Answer::Clear;
                }
                match body::within(a.geometry.body, a.pose, b.geometry.body, b.pose, limit) {
                    Ok(Within::No) => return Answer::Clear,
                    Ok(Within::Yes) => Verdict::TooClose,
                    Ok(Within::Undecided { .. }) | Err(_) => Verdict::Undecided,
                }
            }
        };
        if verdict.is_touching() && !self.wanted.touching {
            return Answer::Counted(verdict);
        }
        self.listed(verdict, |found| {
            let finding = &mut found.finding;
            finding.distance = Some(answer.distance.into());
            finding.closest = closest.filter(|_| answer.distance.upper > 0.0);
            finding.points = answer
                .points
                .filter(|_| answer.distance.upper == 0.0)
                .map_or(Vec::new(), |points| vec![(0.5 * points[0] + 0.5 * points[1]).to_array()]);
            finding.inside = enclosed.map(|side| side as usize);
            finding.depth = answer.depth.map(|depth| Depth {
                kind: DepthKind::Translation,
                lower: depth.lower,
                upper: depth.upper,
                point: finding.points.first().copied(),
                surface: Some(depth.upper),
            });
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shallow {
    WithinTolerance,
    OneInAThousand,
    No,
}

/// Some corners of contacts, sorted; all if there are few.
fn some_points(contacts: &[Contact]) -> Vec<[f64; 3]> {
    let corners = contacts.iter().flat_map(|contact| contact.intersection.corners());
    let mut points: Vec<[f64; 3]> =
        corners.map(|corner| (corner.position + DVec3::ZERO).to_array()).collect();
    let order = |x: &[f64; 3], y: &[f64; 3]| {
        x[0].total_cmp(&y[0]).then(x[1].total_cmp(&y[1])).then(x[2].total_cmp(&y[2]))
    };
    points.sort_by(order);
    points.dedup();
    let step = points.len().div_ceil(POINTS).max(1);
    points.into_iter().step_by(step).collect()
}

/// The segment that two triangles share, or the rim of the polygon.
fn outline(contact: &Contact) -> impl Iterator<Item = [[f64; 3]; 2]> + '_ {
    let corners = contact.intersection.corners();
    let count = if corners.len() == 2 {
        1
    } else if corners.len() > 2 {
        corners.len()
    } else {
        0
    };
    (0..count).map(|i| [i, (i + 1) % corners.len()].map(|k| corners[k].position.to_array()))
}

/// The plane across the middle of the closest points, if floats prove that it has one part on each side.
pub fn plane_between(a: &Placed<'_>, b: &Placed<'_>, [from, to]: [DVec3; 2]) -> Option<Plane> {
    let normal = (to - from).try_normalize()?;
    let reach = |part: &Placed<'_>, normal: DVec3| -> Option<f64> {
        let points = part.geometry.points()?;
        let highest =
            points.iter().map(|&point| normal.dot(part.pose.apply(point))).fold(f64::NEG_INFINITY, f64::max);
        Some(highest + rounding(points, part.pose))
    };
    let (below, above) = (reach(a, normal)?, -reach(b, -normal)?);
    (below < above).then(|| Plane { normal: normal.to_array(), offset: 0.5 * below + 0.5 * above })
}

/// More than a product of a unit vector and an image of one of the points rounds by.
fn rounding(points: &[DVec3], pose: &Pose) -> f64 {
    let largest = points.iter().fold(DVec3::ZERO, |largest, point| largest.max(point.abs()));
    16.0 * f64::EPSILON * (largest + pose.translation().abs()).element_sum()
}
