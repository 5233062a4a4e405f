//! An answer held against the one that is computed anew: what it states must be true, and as narrow as promised.

use crate::{
    answer::{BracketFile, ContactFile, PairAnswer, Related},
    output::full,
};
use clearance::{
    Pose,
    body::{self, Body},
    glam::DVec3,
    pair::Convex,
    shape::Polytope,
};
use clearance_io::scene::{Case, CaseBody, Number, to_vector};
use serde_json::Value;

/// Widths of brackets as a share of the upper end, where rounding and the bodies allow it.
const DISTANCE_WIDTH: f64 = 1e-12;
const DEPTH_WIDTH: f64 = 1e-9;

/// A width may be so many times that which is found anew: no two ways to prove a number end at the same float.
const SLACK: f64 = 2.0;

/// How far a rounded point may lie off its body, in units in the last place of the largest coordinate.
const ROUNDING: f64 = 64.0;

/// What is wrong with the first field of an answer that does not hold; it begins with the name of the field.
pub fn first_wrong(answer: &PairAnswer, bodies: &Case, related: &Related) -> Option<String> {
    let anew = PairAnswer::new(Value::Null, &related.answer);
    wrong_relation(answer, &anew)
        .or_else(|| wrong_width(answer.width, anew.width))
        .or_else(|| wrong_bracket("distance", answer.distance, anew.distance, DISTANCE_WIDTH))
        .or_else(|| wrong_bracket("depth", answer.depth, anew.depth, DEPTH_WIDTH))
        .or_else(|| wrong_points(answer, &anew, bodies, related))
        .or_else(|| {
            (answer.enclosed != anew.enclosed).then(|| differs("enclosed", &answer.enclosed, &anew.enclosed))
        })
}

/// Triangles count as in the case; the bodies beside a witness may have others.
pub fn wrong_contacts(answer: &PairAnswer, asked: &Case, related: &Related) -> Option<String> {
    let stated = answer.contacts.as_ref()?;
    let anew = related.contacts(&asked.a, &asked.b);
    let anew: Option<Vec<ContactFile>> = anew.map(|all| all.iter().map(ContactFile::new).collect());
    (Some(stated) != anew.as_ref())
        .then(|| "`contacts`: the pairs of triangles that meet are others, computed anew".into())
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

fn wrong_bracket(
    field: &str,
    stated: Option<BracketFile>,
    anew: Option<BracketFile>,
    relative_width: f64,
) -> Option<String> {
    let (Some(stated), Some(anew)) = (stated, anew) else {
        return match (stated, anew) {
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
    let is_true = lower <= found_upper && found_lower <= upper;
    let widest = (relative_width * upper).max(SLACK * (found_upper - found_lower));
    let wrong = match (is_true, upper - lower <= widest) {
        (true, true) => return None,
        (false, _) => "said to be",
        (true, false) => "promised to be narrower than",
    };
    Some(format!("`{field}`: {wrong} {}, computed anew it is {}", between(stated), between(anew)))
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
        let allowed = rounding_of(point, placed);
        rounding += allowed;
        match off(point, body, &placed.pose) {
            Some(distance) if distance <= allowed => {}
            Some(distance) => return Some(format!("`{field}`: it lies {} off its body", full(distance))),
            None => return Some(format!("`{field}`: it is out of range")),
        }
    }
    let gap = |answer: &PairAnswer| Some(to_vector(answer.point_a?).distance(to_vector(answer.point_b?)));
    let (stated, found) = gap(answer).zip(gap(anew))?;
    let widths = [answer.distance, answer.depth]
        .into_iter()
        .flatten()
        .map(|bracket| ends(bracket)[1] - ends(bracket)[0]);
    ((stated - found).abs() > rounding + widths.sum::<f64>()).then(|| {
        format!("`point_a` and `point_b`: they are {} apart, computed anew {}", full(stated), full(found))
    })
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
    ROUNDING * f64::EPSILON * all.into_iter().map(DVec3::max_element).fold(0.0, f64::max)
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
