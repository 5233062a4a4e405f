//! Two bodies with their ways: when they first meet in a frame.

use super::narrow::{self, At};
use super::swept_event::{StartContact, SweptDetail, SweptHit, SweptOutcome, SweptOverlap};
use super::way::Traveller;
use crate::body::BodyError;
use crate::math::{Pose, Screw};
use crate::mesh;
use crate::pair::{self, ConvexRelation, Feature, Relation};
use crate::screw::{self, Moving, ScrewContact, ScrewImpact, ScrewOutcome};
use crate::spacetime::{self, FirstContact, FirstOverlap, Outcome, Touch, Translation};
use glam::DVec3;

/// A pair that does not stay apart.
pub(super) struct Meeting {
    pub outcome: SweptOutcome,
    pub all: Option<Vec<ScrewContact>>,
}

/// What happens to a pair, and all its contacts if asked for; `None` if it is proved to stay apart.
///
/// # Errors
/// No method is known.
pub(super) fn meeting(
    a: Traveller<'_>,
    b: Traveller<'_>,
    detail: &SweptDetail,
) -> Result<Option<Meeting>, BodyError> {
    let Some(outcome) = first(a, b)? else { return Ok(None) };
    let all = match detail {
        SweptDetail::First => None,
        SweptDetail::All(config) => one_screw(a, b).and_then(|(screw, moving)| {
            let (x, y) = (a.geometry.features()?, b.geometry.features()?);
            Some(screw::contacts(x, a.from, y, b.from, &screw, moving, config))
        }),
    };
    Ok(Some(Meeting { outcome, all }))
}

fn first(a: Traveller<'_>, b: Traveller<'_>) -> Result<Option<SweptOutcome>, BodyError> {
    if a.is_straight()
        && b.is_straight()
        && let Ok(motion) = Translation::between([a.from, a.to()], [b.from, b.to()])
    {
        let found = spacetime::first_contact(a.geometry.body(), a.from, b.geometry.body(), b.from, &motion)?;
        return of_translation(a, b, found);
    }
    let (motion_a, motion_b) = (a.motion(), b.motion());
    let found =
        screw::first_contact(a.geometry.body(), a.from, &motion_a, b.geometry.body(), b.from, &motion_b)?;
    Ok(match found {
        ScrewOutcome::None => None,
        ScrewOutcome::TouchingAtStart => Some(at_start(Relation::Touching, SweptOverlap::NotKnown)),
        ScrewOutcome::OverlappingAtStart => Some(at_start(Relation::Overlapping, ALREADY)),
        ScrewOutcome::Hit(ScrewImpact { lower, upper, point, normal }) => {
            let poses = [a, b].map(|body| body.pose_at(lower));
            let features = closest_features(a, b, &poses);
            let normal = features.map_or(normal, |features| normal_of(a, b, &poses, features, normal));
            let hit = SweptHit { lower, upper, point, normal, features, poses };
            Some(SweptOutcome::Hit(Box::new(hit)))
        }
        ScrewOutcome::Undecided { lower, upper } => Some(undecided(a, b, lower, upper)?),
    })
}

const ALREADY: SweptOverlap = SweptOverlap::From { lower: 0.0, upper: 0.0 };

fn at_start(relation: Relation, overlap: SweptOverlap) -> SweptOutcome {
    SweptOutcome::AtStart(StartContact { relation: ConvexRelation::Exact(relation), overlap })
}

/// Undecided, unless that is because of how they lie at the beginning.
fn undecided(
    a: Traveller<'_>,
    b: Traveller<'_>,
    lower: f64,
    upper: Option<f64>,
) -> Result<SweptOutcome, BodyError> {
    if lower <= 0.0 {
        let relation = narrow::answer(a.start(), b.start())?.relation;
        if let ConvexRelation::TouchingWithin { .. } = relation {
            return Ok(SweptOutcome::AtStart(StartContact { relation, overlap: SweptOverlap::NotKnown }));
        }
    }
    Ok(SweptOutcome::Undecided { lower, upper })
}

fn of_translation(
    a: Traveller<'_>,
    b: Traveller<'_>,
    found: FirstContact,
) -> Result<Option<SweptOutcome>, BodyError> {
    let overlap = match &found.first_overlap {
        FirstOverlap::Never => SweptOverlap::Never,
        FirstOverlap::From(time) => {
            let (lower, upper) = time.bracket();
            SweptOverlap::From { lower, upper }
        }
        FirstOverlap::Undecided => SweptOverlap::NotKnown,
    };
    let hit = |[lower, upper]: [f64; 2], touch: &Touch| -> Result<SweptOutcome, BodyError> {
        let poses = [a, b].map(|body| body.pose_at(lower));
        let contact = touch.contacts.first();
        let point = match contact {
            Some(contact) => contact.point,
            None => closest_point(a, b, &poses)?,
        };
        let named = contact.filter(|_| !a.geometry.is_compound() && !b.geometry.is_compound());
        let features = named.map(|contact| [contact.feature_a, contact.feature_b]);
        let hit = SweptHit { lower, upper, point, normal: touch.normal, features, poses };
        Ok(SweptOutcome::Hit(Box::new(hit)))
    };
    Ok(match &found.outcome {
        Outcome::None(_) => None,
        Outcome::TouchingAtStart(_) => Some(at_start(Relation::Touching, overlap)),
        Outcome::OverlappingAtStart => Some(at_start(Relation::Overlapping, ALREADY)),
        Outcome::Hit(time, touch) => {
            let (lower, upper) = time.bracket();
            Some(hit([lower, upper], touch)?)
        }
        Outcome::HitBetween(times, touch) => Some(hit(*times, touch)?),
        Outcome::Undecided(lower) => Some(undecided(a, b, *lower, None)?),
    })
}

/// Between the closest points of two bodies.
fn closest_point(a: Traveller<'_>, b: Traveller<'_>, poses: &[Pose; 2]) -> Result<DVec3, BodyError> {
    let at = |geometry, pose| At { geometry, pose };
    let found = narrow::separation(at(a.geometry, &poses[0]), at(b.geometry, &poses[1]))?;
    Ok(found.points.map_or(DVec3::ZERO, |[p, q]| 0.5 * (p + q)))
}

/// The features that are closest where they are apart, or nearly so.
fn closest_features(
    a: Traveller<'_>,
    b: Traveller<'_>,
    [pose_a, pose_b]: &[Pose; 2],
) -> Option<[Feature; 2]> {
    let (x, y) = (a.geometry, b.geometry);
    if let (Some(x), Some(y)) = (x.as_polytope(), y.as_polytope()) {
        let found = pair::distance(x, pose_a, y, pose_b);
        return Some([found.feature_a, found.feature_b]);
    }
    let (x, y) = (x.as_mesh()?, y.as_mesh()?);
    let ([t, u], found) = mesh::distance(x, pose_a, y, pose_b).nearest?;
    let named = |feature: Feature, corners: [u32; 3]| match feature {
        Feature::Vertex(v) => Feature::Vertex(corners[v as usize]),
        Feature::Edge(ends) => {
            let mut ends = ends.map(|v| corners[v as usize]);
            ends.sort_unstable();
            Feature::Edge(ends)
        }
        Feature::Face(_) => {
            let mut corners = corners;
            corners.sort_unstable();
            Feature::Face(corners)
        }
    };
    let (corners_a, corners_b) = (x.mesh().triangles()[t as usize], y.mesh().triangles()[u as usize]);
    Some([named(found.feature_a, corners_a), named(found.feature_b, corners_b)])
}

/// The normal that the features have, from A to B, if it is near the one that is known: that of a plane that separated the
/// bodies a little before may lean.
fn normal_of(
    a: Traveller<'_>,
    b: Traveller<'_>,
    [pose_a, pose_b]: &[Pose; 2],
    features: [Feature; 2],
    known: DVec3,
) -> DVec3 {
    let places = |body: Traveller<'_>, pose: &Pose, vertices: &[u32]| -> Vec<DVec3> {
        let polytope = body.geometry.as_polytope().map(|map| map.polytope().vertices());
        let positions = polytope.or_else(|| body.geometry.as_mesh().map(|mesh| mesh.mesh().positions()));
        vertices.iter().filter_map(|&v| positions?.get(v as usize)).map(|&p| pose.apply_vector(p)).collect()
    };
    let [at_a, at_b] = [places(a, pose_a, features[0].vertices()), places(b, pose_b, features[1].vertices())];
    let across = match (&at_a[..], &at_b[..]) {
        ([p, q, r], _) | (_, [p, q, r]) => (q - p).cross(r - p),
        ([p, q], [r, s]) => (q - p).cross(s - r),
        _ => return known,
    };
    let Some(normal) = across.try_normalize() else { return known };
    let toward_b = if normal.dot(known) < 0.0 { -normal } else { normal };
    if toward_b.dot(known) > 0.99 { toward_b } else { known }
}

/// The motion of a pair as one screw of one body, if it is one.
fn one_screw(a: Traveller<'_>, b: Traveller<'_>) -> Option<(Screw, Moving)> {
    match (a.way, b.way) {
        (None, Some(way)) => Some((*way.screw(), Moving::Second)),
        (Some(way), None) => Some((*way.screw(), Moving::First)),
        (Some(one), Some(other)) if one.is_straight() && other.is_straight() => {
            let gone = |to: &Pose, from: &Pose| to.translation() - from.translation();
            let seen = gone(&other.to, &other.from) - gone(&one.to, &one.from);
            // A pair that keeps its distance has no direction.
            let screw = Screw::new(seen, other.from.translation(), 0.0, seen.length());
            Some((screw.ok()?, Moving::Second))
        }
        _ => None,
    }
}
