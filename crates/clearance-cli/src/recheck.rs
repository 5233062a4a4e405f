//! An answer held against the one that is computed anew: what it states must be true, and as narrow as promised.

use crate::{
    answer::{BracketFile, ContactFile, KindName, PairAnswer, Related},
    output::full,
};
use clearance::{
    Pose,
    body::{self, Body},
    glam::DVec3,
    pair::{Bracket, Convex, distance_lies_within},
    shape::{Polytope, Shape},
    witness::PosedPair,
};
use clearance_io::scene::{Case, CaseBody, CaseId, Number, to_vector};

/// Widths of brackets as a share of the upper end, where rounding and the bodies allow it.
const DISTANCE_WIDTH: f64 = 1e-12;
const DEPTH_WIDTH: f64 = 1e-9;

/// A width may be so many times that which is found anew: no two ways to prove a number end at the same float.
const SLACK: f64 = 2.0;

/// What may be left of a depth after a move by its rounded points, as a share of it: between curved bodies their difference is not
/// quite along the shortest way. Swapped points leave twice the depth.
const LEFT_OF_DEPTH: f64 = 1e-6;

/// How far a rounded point may lie off its body, in units in the last place of the largest coordinate.
const ROUNDING: f64 = 64.0;

/// What is wrong with the first field of an answer that does not hold; it begins with the name of the field.
pub fn first_wrong(answer: &PairAnswer, bodies: &Case, related: &Related) -> Option<String> {
    let anew = PairAnswer::new(CaseId::default(), &related.answer);
    wrong_relation(answer, &anew)
        .or_else(|| wrong_width(answer.width, anew.width))
        .or_else(|| {
            let distance = Stated { field: "distance", bracket: answer.distance, anew: anew.distance };
            distance.wrong(DISTANCE_WIDTH, |bracket| holds_exact_distance(bracket, bodies, related))
        })
        .or_else(|| {
            let depth = Stated { field: "depth", bracket: answer.depth, anew: anew.depth };
            depth.wrong(DEPTH_WIDTH, |_| None)
        })
        .or_else(|| wrong_points(answer, &anew, bodies, related))
        .or_else(|| {
            (answer.enclosed != anew.enclosed).then(|| differs("enclosed", &answer.enclosed, &anew.enclosed))
        })
}

/// A mesh is what it is in the case, and nothing else has a kind. In the line itself a solid that is convex is the hull of points: only
/// the case tells whether points were one.
pub fn wrong_kind(answer: &PairAnswer, bodies: &Case, asked: Option<&Case>) -> Option<String> {
    let of = asked.unwrap_or(bodies);
    let sides = [("kind_a", answer.kind_a, &of.a), ("kind_b", answer.kind_b, &of.b)];
    sides.into_iter().find_map(|(field, stated, body)| {
        let (stated, found) = (stated?, KindName::of(&body.shape));
        let may_be_mesh = asked.is_none() && matches!(body.shape, Shape::Polytope(_));
        if Some(stated) == found || (may_be_mesh && stated == KindName::Solid) {
            return None;
        }
        let stated = stated.name();
        Some(match found {
            Some(found) => format!("`{field}`: {stated}, the mesh is a {}", found.name()),
            None => format!("`{field}`: {stated}, the body is no {stated}"),
        })
    })
}

/// The unit is that in which the case is read.
pub fn wrong_unit(answer: &PairAnswer, asked: &Case) -> Option<String> {
    let (stated, read) = (answer.unit?.0, asked.unit);
    let found = read.map_or("none", |unit| unit.symbol());
    (Some(stated) != read).then(|| {
        format!("`unit`: {stated}, that of the case is {found}; read the case as `relate` did, with --unit {stated}")
    })
}

/// Triangles count as in the case; the bodies beside a witness may have others.
pub fn wrong_contacts(answer: &PairAnswer, asked: &Case, related: &Related) -> Option<String> {
    let stated = answer.contacts.as_ref()?;
    let anew = related.contacts(&asked.a, &asked.b);
    let anew: Option<Vec<ContactFile>> = anew.map(|all| all.iter().map(ContactFile::new).collect());
    (*stated != anew).then(|| "`contacts`: the pairs of triangles that meet are others, computed anew".into())
}

fn wrong_relation(answer: &PairAnswer, anew: &PairAnswer) -> Option<String> {
    let (stated, found) = (answer.relation?.name(), anew.relation?.name());
    (stated != found).then(|| format!("`relation`: {stated}, computed anew {found}"))
}

/// Whatever is narrower than what can be proved is not proved.
fn wrong_width(stated: Option<Number>, anew: Option<Number>) -> Option<String> {
    let holds = match (stated, anew) {
        (Some(Number(stated)), Some(Number(found))) => found <= stated && stated <= SLACK * found,
        (stated, found) => stated == found,
    };
    (!holds).then(|| differs("width", &stated, &anew))
}

/// A bracket as an answer has it, and as it comes out.
struct Stated {
    field: &'static str,
    bracket: Option<BracketFile>,
    anew: Option<BracketFile>,
}

impl Stated {
    /// What is wrong unless the bracket is narrow and proved to hold the truth: because it holds the bracket that comes out, or
    /// by `holds_truth`, which is `None` where it cannot tell.
    fn wrong(
        &self,
        relative_width: f64,
        holds_truth: impl Fn(BracketFile) -> Option<bool>,
    ) -> Option<String> {
        let field = self.field;
        let (Some(stated), Some(anew)) = (self.bracket, self.anew) else {
            return match (self.bracket, self.anew) {
                (None, Some(anew)) => {
                    Some(format!("`{field}`: there is none, computed anew it is {}", between(anew)))
                }
                (Some(_), None) => Some(format!("`{field}`: there is one, computed anew there is none")),
                _ => None,
            };
        };
        let [lower, upper] = ends(stated);
        if !(0.0 <= lower && lower <= upper && upper.is_finite()) {
            return Some(format!("`{field}`: {} is no bracket of a length", between(stated)));
        }
        let [found_lower, found_upper] = ends(anew);
        let widest = (relative_width * upper).max(SLACK * (found_upper - found_lower));
        let wrong = if upper < found_lower || found_upper < lower {
            "said to be"
        } else if upper - lower > widest {
            "promised to be narrower than"
        } else if lower <= found_lower && found_upper <= upper {
            return None;
        } else {
            match holds_truth(stated) {
                Some(true) => return None,
                Some(false) => "said to be",
                None => "not proved to be",
            }
        };
        Some(format!("`{field}`: {wrong} {}, computed anew it is {}", between(stated), between(anew)))
    }
}

/// Whether the distance lies in a bracket, decided by integers; `None` unless both bodies are polytopes or rounded ones.
fn holds_exact_distance(bracket: BracketFile, bodies: &Case, related: &Related) -> Option<bool> {
    let polytope = |body: &Body| {
        let convex = body.as_convex()?;
        Some((convex.core()?.polytope().clone(), convex.radius()))
    };
    let ((a, radius_a), (b, radius_b)) = polytope(&related.a).zip(polytope(&related.b))?;
    let pair = PosedPair { a: &a, pose_a: &bodies.a.pose, b: &b, pose_b: &bodies.b.pose };
    let [lower, upper] = ends(bracket);
    Some(distance_lies_within(&pair, [radius_a, radius_b], Bracket { lower, upper }))
}

/// Points lie on their bodies, and are as far apart as those that are found anew, which realise the upper end.
fn wrong_points(answer: &PairAnswer, anew: &PairAnswer, bodies: &Case, related: &Related) -> Option<String> {
    let sides = [
        ("point_a", answer.point_a, anew.point_a, &bodies.a, &related.a),
        ("point_b", answer.point_b, anew.point_b, &bodies.b, &related.b),
    ];
    let mut rounding = 0.0;
    for (field, stated, anew, placed, body) in sides {
        let Some(point) = stated.filter(|_| anew.is_some()).map(to_vector) else {
            if stated == anew {
                continue;
            }
            return Some(differs(field, &stated, &anew));
        };
        // The points of planes are those of the other body, moved.
        let allowed = match placed.shape.bounds() {
            Some(_) => rounding_of(point, placed),
            None => [(answer.point_a, &bodies.a), (answer.point_b, &bodies.b)]
                .into_iter()
                .filter_map(|(point, placed)| Some(rounding_of(to_vector(point?), placed)))
                .fold(0.0, f64::max),
        };
        rounding += allowed;
        match off(point, body, &placed.pose) {
            Some(distance) if distance <= allowed => {}
            Some(distance) => return Some(format!("`{field}`: it lies {} off its body", full(distance))),
            // Planes reach beyond the largest coordinates, and have points there that are nearest.
            None if Some(point) == anew.map(to_vector) => {}
            None => return Some(format!("`{field}`: it is out of range")),
        }
    }
    let apart = |answer: &PairAnswer| Some(to_vector(answer.point_a?) - to_vector(answer.point_b?));
    let (stated, found) = apart(answer).zip(apart(anew))?;
    let widths = [answer.distance, answer.depth]
        .into_iter()
        .flatten()
        .map(|bracket| ends(bracket)[1] - ends(bracket)[0]);
    let allowed = rounding + widths.sum::<f64>();
    let [stated_gap, found_gap] = [stated, found].map(DVec3::length);
    if (stated_gap - found_gap).abs() > allowed {
        let [stated, found] = [stated_gap, found_gap].map(full);
        return Some(format!("`point_a` and `point_b`: they are {stated} apart, computed anew {found}"));
    }
    let allowed = allowed.max(LEFT_OF_DEPTH * stated_gap);
    let left = depth_after(stated, bodies, related).filter(|left| *left > allowed)?;
    Some(format!(
        "`point_a` and `point_b`: they are not the deepest: B, moved by the difference from its point to that of A, is still {} deep in A",
        full(left)
    ))
}

/// What is left of an overlap of convex bodies for sure when B is moved from its deepest point to that of A. Swapped points are as
/// far apart as right ones, and lead deeper.
fn depth_after(shift: DVec3, bodies: &Case, related: &Related) -> Option<f64> {
    let has_depth = [&related.a, &related.b].iter().all(|body| body.as_convex().is_some());
    related.answer.depth.filter(|_| has_depth)?;
    let pose = bodies.b.pose;
    let moved = Pose::new(pose.rotation(), pose.translation() + shift).ok()?;
    let left = body::relate(&related.a, &bodies.a.pose, &related.b, &moved).ok()?;
    Some(left.depth?.lower)
}

/// Proved up to the rounding of one difference: a point is no farther from a body; `None` beyond the largest coordinates.
///
/// Seen from the body's origin: far away from it all, curved bodies are as hard to tell from the point as rounding makes them.
fn off(point: DVec3, body: &Body, pose: &Pose) -> Option<f64> {
    let point = Polytope::hull(&[point - pose.translation()]).ok()?;
    let point = Body::Convex(Convex::from_polytope(point));
    let turned = Pose::new(pose.rotation(), DVec3::ZERO).ok()?;
    Some(body::relate(&point, &Pose::IDENTITY, body, &turned).ok()?.distance.upper)
}

/// What a point of a body may be off by, rounded as it is.
fn rounding_of(point: DVec3, placed: &CaseBody) -> f64 {
    let bounds = placed.shape.bounds().map_or(DVec3::ZERO, |bounds| bounds.min.abs().max(bounds.max.abs()));
    let all = [point.abs(), placed.pose.translation().abs(), bounds];
    let size = all.into_iter().map(DVec3::max_element).fold(0.0, f64::max);
    // The smallest floats have a last place of their own.
    ROUNDING * (f64::EPSILON * size).max(f64::from_bits(1))
}

fn ends(bracket: BracketFile) -> [f64; 2] {
    [bracket.lower.0, bracket.upper.0]
}

fn between(bracket: BracketFile) -> String {
    let [lower, upper] = ends(bracket).map(full);
    format!("between {lower} and {upper}")
}

fn differs(field: &str, stated: &impl serde::Serialize, anew: &impl serde::Serialize) -> String {
    let [stated, anew] =
        [serde_json::to_string(stated), serde_json::to_string(anew)].map(Result::unwrap_or_default);
    format!("`{field}`: {stated}, computed anew {anew}")
}
