//! First contact of translating polytopes by every direction that could separate them, in integers.
//!
//! With `M = B - A` and the relative velocity `w`, bodies meet at `s` iff `n . (-s w) >= min n . m` for every direction `n`
//! that a facet of `M` may have: faces, edges across edges, and for flat `M` edges across axes, edges and axes. Each is a
//! limit of `s`; all together are the interval of contact, and with `>` that of overlap.

use super::cases::{Family, two_bodies};
use super::compare::same;
use crate::math::{Pose, Random};
use crate::pair::{Feature, Relation, relation};
use crate::shape::Polytope;
use crate::shape::sample::{PolytopeKind, random_polytope};
use crate::spacetime::{
    Contact, ContactTime, ExactTime, FirstContact, FirstOverlap, Outcome, Translation, contact_time,
    first_contact_of_polytopes,
};
use crate::support::SupportMap;
use crate::witness::PosedPair;
use dashu::integer::IBig;
use dashu::rational::RBig;
use glam::DVec3;
use std::collections::BTreeSet;

type Exact3 = [IBig; 3];

/// Two bodies and their relative velocity as integers over one scale.
pub struct Scaled {
    a: Vec<Exact3>,
    b: Vec<Exact3>,
    w: Exact3,
}

/// The times `s` at which bodies meet, closed, and at which they overlap, open; `None` if there are none. Infinite ends
/// (bodies that keep their relation) are `None` as well.
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    /// The least time, unless it is minus infinity.
    pub from: Option<RBig>,
    /// The greatest time, unless it is infinity.
    pub to: Option<RBig>,
}

/// What the truth is.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    /// At `t0`.
    pub at_start: Relation,
    /// The first contact if it is after `t0`, at most `t1`.
    pub time: Option<ExactTime>,
    /// The infimum of times of overlap.
    pub first_overlap: FirstOverlap,
}

pub(super) fn rational(x: f64) -> RBig {
    RBig::try_from(x).expect("finite")
}

pub(super) fn posed(pose: &Pose, point: DVec3) -> [RBig; 3] {
    let rotation = pose.rotation();
    [0, 1, 2].map(|i| {
        let term = |j: usize| rational(rotation.col(j)[i]) * rational(point[j]);
        term(0) + term(1) + term(2) + rational(pose.translation()[i])
    })
}

pub(super) fn minus(u: &Exact3, v: &Exact3) -> Exact3 {
    [0, 1, 2].map(|i| &u[i] - &v[i])
}

pub(super) fn dot(u: &Exact3, v: &Exact3) -> IBig {
    &u[0] * &v[0] + &u[1] * &v[1] + &u[2] * &v[2]
}

pub(super) fn cross(u: &Exact3, v: &Exact3) -> Exact3 {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &u[i] * &v[j] - &u[j] * &v[i])
}

pub(super) fn is_zero(u: &Exact3) -> bool {
    u.iter().all(IBig::is_zero)
}

/// Points of two bodies and the relative velocity over one scale.
pub(super) fn scaled(
    (points_a, pose_a): (&[DVec3], &Pose),
    (points_b, pose_b): (&[DVec3], &Pose),
    velocities: [DVec3; 2],
) -> Scaled {
    let a: Vec<[RBig; 3]> = points_a.iter().map(|&v| posed(pose_a, v)).collect();
    let b: Vec<[RBig; 3]> = points_b.iter().map(|&v| posed(pose_b, v)).collect();
    let [v_a, v_b] = velocities.map(|v| v.to_array().map(rational));
    let w = [0, 1, 2].map(|i| &v_b[i] - &v_a[i]);
    // All denominators are powers of two: the largest is a common one.
    let all = a.iter().chain(&b).chain([&w]).flatten();
    let scale = all.map(|x| x.denominator().clone()).max().expect("some number");
    let integer = |x: &RBig| -> IBig { (x * RBig::from(IBig::from(scale.clone()))).numerator().clone() };
    let integers = |points: &[[RBig; 3]]| points.iter().map(|p| p.each_ref().map(integer)).collect();
    Scaled { a: integers(&a), b: integers(&b), w: w.each_ref().map(integer) }
}

/// Every direction that matters.
fn directions(a: &Polytope, b: &Polytope, points: &Scaled) -> Vec<Exact3> {
    let edges = |p: &Polytope, at: &[Exact3]| -> Vec<Exact3> {
        p.edges().map(|[i, j]| minus(&at[j as usize], &at[i as usize])).collect()
    };
    let normals = |p: &Polytope, at: &[Exact3]| -> Vec<Exact3> {
        let normal = |face: &[u32]| {
            let [u, v, w] = [0, 1, 2].map(|i| &at[face[i] as usize]);
            cross(&minus(v, u), &minus(w, u))
        };
        p.faces().map(normal).collect()
    };
    let (edges_a, edges_b) = (edges(a, &points.a), edges(b, &points.b));
    let mut all = [normals(a, &points.a), normals(b, &points.b)].concat();
    all.extend(edges_a.iter().flat_map(|e| edges_b.iter().map(move |f| cross(e, f))));
    if a.dimension() < 3 && b.dimension() < 3 {
        let axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(|axis: [i32; 3]| axis.map(IBig::from));
        let both: Vec<&Exact3> = edges_a.iter().chain(&edges_b).collect();
        all.extend(both.iter().flat_map(|e| axes.iter().map(move |axis| cross(e, axis))));
        all.extend(both.into_iter().cloned());
        all.extend(axes);
    }
    let opposite: Vec<Exact3> = all.iter().map(|n| n.each_ref().map(|x| -x)).collect();
    all.extend(opposite);
    all.retain(|n| !is_zero(n));
    all
}

/// The times of contact and of overlap.
pub fn intervals(a: &Polytope, b: &Polytope, points: &Scaled) -> [Option<Interval>; 2] {
    let mut limits = [Some(Interval { from: None, to: None }), Some(Interval { from: None, to: None })];
    for n in directions(a, b, points) {
        let low_b = points.b.iter().map(|p| dot(&n, p)).min().expect("a vertex");
        let high_a = points.a.iter().map(|p| dot(&n, p)).max().expect("a vertex");
        // -s (n . w) >= gap, or > for overlap.
        let (gap, slope) = (low_b - high_a, -dot(&n, &points.w));
        if slope.is_zero() {
            if gap > IBig::ZERO {
                limits[0] = None;
            }
            if gap >= IBig::ZERO {
                limits[1] = None;
            }
            continue;
        }
        let limit = RBig::from(gap) / RBig::from(slope.clone());
        for interval in limits.iter_mut().flatten() {
            if slope > IBig::ZERO {
                interval.from = Some(interval.from.take().map_or(limit.clone(), |x| x.max(limit.clone())));
            } else {
                interval.to = Some(interval.to.take().map_or(limit.clone(), |x| x.min(limit.clone())));
            }
        }
    }
    let [contact, overlap] = limits;
    let contact = contact.filter(|i| !matches!((&i.from, &i.to), (Some(from), Some(to)) if from > to));
    let overlap = overlap.filter(|i| !matches!((&i.from, &i.to), (Some(from), Some(to)) if from >= to));
    [contact, overlap]
}

/// What the intervals say about a motion from `t0` to `t1`.
pub fn truth([contact, overlap]: &[Option<Interval>; 2], t0: f64, t1: f64) -> Truth {
    let (start, duration) = (rational(t0), rational(t1) - rational(t0));
    let zero = RBig::ZERO;
    let begins = |i: &Interval| i.from.clone().filter(|from| *from > zero).unwrap_or(RBig::ZERO);
    let at = |s: RBig| ExactTime::from_quotient(&(&start + s));
    let holds_start = |i: &Interval, strict: bool| {
        let (from, to) = (i.from.as_ref(), i.to.as_ref());
        let after = from.is_none_or(|from| if strict { *from < zero } else { *from <= zero });
        after && to.is_none_or(|to| if strict { zero < *to } else { zero <= *to })
    };
    let at_start = match (contact, overlap) {
        (_, Some(interval)) if holds_start(interval, true) => Relation::Overlapping,
        (Some(interval), _) if holds_start(interval, false) => Relation::Touching,
        _ => Relation::Disjoint,
    };
    let later = contact
        .as_ref()
        .filter(|i| at_start == Relation::Disjoint && i.to.as_ref().is_none_or(|to| *to > zero));
    let time = later.map(begins).filter(|s| *s <= duration).map(at);
    let first = overlap.as_ref().filter(|i| i.to.as_ref().is_none_or(|to| *to > zero)).map(begins);
    let first_overlap = first.filter(|s| *s < duration || at_start == Relation::Overlapping).map(at);
    let first_overlap = first_overlap.map_or(FirstOverlap::Never, FirstOverlap::From);
    Truth { at_start, time, first_overlap }
}

/// What the answer says.
pub fn told(answer: &FirstContact) -> Truth {
    Truth {
        at_start: answer.at_start(),
        time: answer.time().cloned(),
        first_overlap: answer.first_overlap.clone(),
    }
}

/// A pair of features that meet; 1 if they share a segment.
pub(super) type Named = (Feature, Feature, usize);

/// Every elementary contact at `s`, by trying all pairs of features.
pub(super) fn contacts(a: &Polytope, b: &Polytope, points: &Scaled, s: &RBig) -> BTreeSet<Named> {
    // Times the denominator of s all is integer.
    let (n, d) = (s.numerator().clone(), IBig::from(s.denominator().clone()));
    let times = |p: &Exact3, k: &IBig| -> Exact3 { p.each_ref().map(|x| x * k) };
    let at_a: Vec<Exact3> = points.a.iter().map(|p| times(p, &d)).collect();
    let travel = times(&points.w, &n);
    let at_b: Vec<Exact3> =
        points.b.iter().map(|p| [0, 1, 2].map(|i| &times(p, &d)[i] + &travel[i])).collect();
    let mut found = BTreeSet::new();
    for (i, p) in at_a.iter().enumerate() {
        found.extend(feature(b, &at_b, p).map(|f| (Feature::Vertex(i as u32), f, 0)));
    }
    for (i, p) in at_b.iter().enumerate() {
        found.extend(feature(a, &at_a, p).map(|f| (f, Feature::Vertex(i as u32), 0)));
    }
    for edge_a in a.edges() {
        for edge_b in b.edges() {
            let [p, q] = edge_a.map(|v| &at_a[v as usize]);
            let [r, t] = edge_b.map(|v| &at_b[v as usize]);
            found.extend(
                meet([p, q], [r, t]).map(|kind| (Feature::Edge(edge_a), Feature::Edge(edge_b), kind)),
            );
        }
    }
    found
}

/// The smallest feature of a polytope that a point lies on; `None` off its vertices, edges and faces.
fn feature(polytope: &Polytope, at: &[Exact3], point: &Exact3) -> Option<Feature> {
    if let Some(vertex) = at.iter().position(|p| p == point) {
        return Some(Feature::Vertex(vertex as u32));
    }
    let on_edge = |&[i, j]: &[u32; 2]| {
        let (p, q) = (&at[i as usize], &at[j as usize]);
        let (along, to) = (minus(q, p), minus(point, p));
        is_zero(&cross(&along, &to))
            && dot(&along, &to) > IBig::ZERO
            && dot(&along, &to) < dot(&along, &along)
    };
    if let Some(edge) = polytope.edges().find(on_edge) {
        return Some(Feature::Edge(edge));
    }
    let on_face = |face: &&[u32]| {
        let corner = |i: usize| &at[face[i % face.len()] as usize];
        let normal = cross(&minus(corner(1), corner(0)), &minus(corner(2), corner(0)));
        let inside = |i: usize| {
            let side = cross(&minus(corner(i + 1), corner(i)), &minus(point, corner(i)));
            dot(&side, &normal) > IBig::ZERO
        };
        dot(&normal, &minus(point, corner(0))).is_zero() && (0..face.len()).all(inside)
    };
    polytope.faces().find(on_face).map(|face| {
        let mut sorted = face.to_vec();
        sorted.sort_unstable();
        Feature::Face([sorted[0], sorted[1], sorted[2]])
    })
}

/// Whether two edges cross inside (0) or share a segment (1).
fn meet([p, q]: [&Exact3; 2], [r, t]: [&Exact3; 2]) -> Option<usize> {
    let (u, v, across) = (minus(q, p), minus(t, r), minus(r, p));
    let normal = cross(&u, &v);
    if is_zero(&normal) {
        if !is_zero(&cross(&u, &across)) {
            return None;
        }
        let place = |x: &Exact3| dot(&u, &minus(x, p));
        let (first, last) = (place(r).min(place(t)), place(r).max(place(t)));
        return (first < dot(&u, &u) && last > IBig::ZERO).then_some(1);
    }
    if !dot(&normal, &across).is_zero() {
        return None;
    }
    let length = dot(&normal, &normal);
    let along = |x: &Exact3| dot(&cross(&across, x), &normal);
    let inside = |k: IBig| k > IBig::ZERO && k < length;
    (inside(along(&v)) && inside(along(&u))).then_some(0)
}

pub(super) fn named(contacts: &[Contact]) -> BTreeSet<Named> {
    contacts.iter().map(|c| (c.feature_a, c.feature_b, usize::from(c.end.is_some()))).collect()
}

/// A motion of the family, often towards a contact, often of special kinds.
pub(super) fn motion(family: Family, a: &[DVec3], b: &[DVec3], random: &mut Random) -> [DVec3; 2] {
    let limit = DVec3::splat(crate::tolerance::COORDINATE_LIMIT);
    let bounded = |v: DVec3| if v.is_finite() { v.clamp(-limit, limit) } else { DVec3::X };
    let pick = |points: &[DVec3], random: &mut Random| points[random.below(points.len() as u64) as usize];
    let (from, to) = (pick(b, random), pick(a, random));
    let common = family.bounded_point(random);
    match random.below(8) {
        0 => [common, common],
        1 => [DVec3::ZERO, DVec3::AXES[random.below(3) as usize]],
        // A vertex of B to one of A; in floats, so next to it as well.
        2 => [DVec3::ZERO, bounded(to - from)],
        3 => [bounded((from - to) * 0.5), bounded((to - from) * 0.25)],
        4 => [DVec3::ZERO, bounded((to - from) * 2f64.powi(-40))],
        5 => [common, bounded(common + (to - from))],
        _ => [family.bounded_point(random), common],
    }
}

/// First contact of small polytopes of every family and dimension, with its proof and its contacts.
pub fn compare(random: &mut Random) -> Result<(), String> {
    let family = Family::any(random);
    let ((a, pose_a), (b, pose_b)) = two_bodies(family, 5, random);
    let world = |p: &Polytope, pose: &Pose| p.vertices().iter().map(|&v| pose.apply(v)).collect::<Vec<_>>();
    let velocities = motion(family, &world(&a, &pose_a), &world(&b, &pose_b), random);
    let points = scaled((a.vertices(), &pose_a), (b.vertices(), &pose_b), velocities);
    let intervals = intervals(&a, &b, &points);
    let (t0, t1) = times(&intervals[0], random);
    let context = || {
        format!(
            "{family:?} {:?} {pose_a:?} {:?} {pose_b:?} {velocities:?} {t0:e}..{t1:e}",
            a.vertices(),
            b.vertices()
        )
    };
    let moved =
        Translation::new(velocities[0], velocities[1], t0, t1).map_err(|e| format!("{e}: {}", context()))?;
    let (map_a, map_b) = (SupportMap::new(a.clone()), SupportMap::new(b.clone()));
    let answer = first_contact_of_polytopes(&map_a, &pose_a, &map_b, &pose_b, &moved);
    let want = truth(&intervals, t0, t1);
    same(told(&answer), want.clone(), context)?;
    let in_floats = contact_time(&map_a, &pose_a, &map_b, &pose_b, &moved);
    check_floats(&in_floats, &want)
        .map_err(|what| format!("{what}: {in_floats:?}, {want:?} for {}", context()))?;
    let pair = PosedPair { a: &a, pose_a: &pose_a, b: &b, pose_b: &pose_b };
    match &answer.outcome {
        Outcome::None(None) => return Err(format!("no proof for {}", context())),
        Outcome::None(Some(proof)) => {
            proof.check(&pair, &moved).map_err(|defect| format!("{defect}: {proof:?} for {}", context()))?;
        }
        Outcome::Hit(time, touch) => {
            let s = time.to_quotient() - rational(t0);
            same(named(&touch.contacts), contacts(&a, &b, &points, &s), context)?;
        }
        Outcome::TouchingAtStart(touch) => {
            same(named(&touch.contacts), contacts(&a, &b, &points, &RBig::ZERO), context)?;
        }
        Outcome::OverlappingAtStart | Outcome::HitBetween(..) | Outcome::Undecided(_) => {}
    }
    let swapped = first_contact_of_polytopes(&map_b, &pose_b, &map_a, &pose_a, &moved.swapped());
    same(told(&swapped), told(&answer), || format!("bodies exchanged: {}", context()))
}

/// First contact of bodies with some dozens of vertices, checked by what it claims: the motion cut off just before the
/// contact has a proof of no contact, and at the time itself features meet.
pub fn compare_round(random: &mut Random) -> Result<(), String> {
    let kinds = [PolytopeKind::Ellipsoid, PolytopeKind::ThinRod, PolytopeKind::Plate];
    let mut body = || {
        let (kind, count) = (kinds[random.below(3) as usize], 8 + random.below(25) as u32);
        SupportMap::new(random_polytope(kind, count, random.below(1000)).expect("a sample"))
    };
    let (map_a, map_b) = (body(), body());
    let (pose_a, mut pose_b) = (Family::Uniform.pose(random), Family::Uniform.pose(random));
    let away = (pose_b.translation() - pose_a.translation()).normalize_or(DVec3::X);
    let offset = away * random.range(0.5, 5.0);
    pose_b = Pose::new(pose_b.rotation(), pose_a.translation() + offset).expect("a rotation");
    let aside = Family::Uniform.point(random) * [0.0, 0.5, 2.0][random.below(3) as usize];
    let velocities = [Family::Uniform.point(random), aside - offset];
    let (t0, t1) = (0.0, [0.5, 1.0, 4.0][random.below(3) as usize]);
    let context = || {
        format!(
            "{:?} {pose_a:?} {:?} {pose_b:?} {velocities:?} {t1}",
            map_a.polytope().vertices(),
            map_b.polytope().vertices()
        )
    };
    let moved = |t1: f64| Translation::new(velocities[0], velocities[1], t0, t1).expect("a motion");
    let ask = |t1: f64| first_contact_of_polytopes(&map_a, &pose_a, &map_b, &pose_b, &moved(t1));
    let pair = PosedPair { a: map_a.polytope(), pose_a: &pose_a, b: map_b.polytope(), pose_b: &pose_b };
    let no_contact = |found: &FirstContact, t1: f64| match &found.outcome {
        Outcome::None(None) => Err(format!("no proof for {}", context())),
        Outcome::None(Some(proof)) => {
            proof.check(&pair, &moved(t1)).map_err(|d| format!("{d}: {proof:?} for {}", context()))
        }
        other => Err(format!("contact before its time: {other:?} for {}", context())),
    };
    let answer = ask(t1);
    let in_floats = contact_time(&map_a, &pose_a, &map_b, &pose_b, &moved(t1));
    check_floats(&in_floats, &told(&answer))
        .map_err(|what| format!("{what}: {in_floats:?}, {answer:?} for {}", context()))?;
    same(answer.at_start(), relation(&map_a, &pose_a, &map_b, &pose_b), context)?;
    match &answer.outcome {
        Outcome::None(_) => no_contact(&answer, t1),
        Outcome::Hit(time, touch) => {
            let before = time.bracket().0.next_down();
            no_contact(&ask(before), before)?;
            let points = scaled((pair.a.vertices(), &pose_a), (pair.b.vertices(), &pose_b), velocities);
            let met = contacts(pair.a, pair.b, &points, &(time.to_quotient() - rational(t0)));
            same(named(&touch.contacts), met.clone(), context)?;
            if met.is_empty() { Err(format!("nothing meets for {}", context())) } else { Ok(()) }
        }
        _ => Ok(()),
    }
}

/// Whether the answer in floats is the truth.
pub(super) fn check_floats(answer: &ContactTime, truth: &Truth) -> Result<(), &'static str> {
    let is_so = match (answer, &truth.time) {
        (ContactTime::None, None) => truth.at_start == Relation::Disjoint,
        (ContactTime::AtStart(relation), None) => truth.at_start == *relation,
        (ContactTime::Hit(impact), Some(time)) => {
            let holds = ExactTime::of_float(impact.lower).is_some_and(|lower| lower <= *time)
                && ExactTime::of_float(impact.upper).is_some_and(|upper| *time <= upper);
            holds && (impact.normal.length() - 1.0).abs() < 1e-12
        }
        _ => false,
    };
    is_so.then_some(()).ok_or("the answer in floats is wrong")
}

/// A time span that often ends exactly at the contact, or one float before or after it.
pub(super) fn times(contact: &Option<Interval>, random: &mut Random) -> (f64, f64) {
    let t0 = [0.0, 0.0, 1.0, -0.5, 1e10][random.below(5) as usize];
    let begins = contact.as_ref().and_then(|i| i.from.clone());
    let exact = begins.map(|s| ExactTime::from_quotient(&(rational(t0) + s)).bracket());
    let t1 = match (exact, random.below(6)) {
        (Some((lower, _)), 0) => lower,
        (Some((_, upper)), 1) => upper,
        (Some((lower, _)), 2) => lower.next_down(),
        (_, 3) => t0,
        (_, 4) => t0 + 1.0,
        _ => t0 + 1e6,
    };
    let limit = crate::tolerance::COORDINATE_LIMIT;
    (t0, if t1 >= t0 && t1 <= limit { t1 } else { t0 + 2.0 })
}
