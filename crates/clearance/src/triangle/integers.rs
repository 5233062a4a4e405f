//! The distance of two triangles by integers, given the parts that hold the nearest points: those are checked, not searched.

use super::pair::TrianglePair;
use crate::exact::{BigDirection, BigNumber, BigQuotient, BigVector, Vector};
use crate::pair::Feature;
use crate::witness::Side;

/// A distance that is known exactly.
pub(super) struct Checked {
    /// The floats next to it.
    pub ends: (f64, f64),
    /// Of the corners of each triangle, rounded.
    pub weights: [[f64; 3]; 2],
    /// From A to B, between the nearest points.
    pub direction: BigDirection,
    /// One corner of each that is as near as the nearest points along the direction.
    pub corners: [usize; 2],
}

/// The distance if these are the parts that hold the nearest points in their insides; `None` if not, or if a corner and an
/// inside, or two insides of edges, do not make up both.
///
/// The direction is the one perpendicular to both parts. All corners lie behind the planes through the parts across it, so
/// the triangles are at least as far apart as the planes; the feet of the perpendicular lie in the parts, so they are no
/// farther.
#[cold]
#[inline(never)]
pub(super) fn checked(pair: &TrianglePair<'_>, [part_a, part_b]: [Feature; 2]) -> Option<Checked> {
    let corners = [part_a, part_b].map(|part| part.vertices()[0] as usize);
    let between = Vector::Between(pair.at_a(corners[0]), pair.at_b(corners[1]));
    let (edges_a, edges_b) = (edges(pair, Side::A, part_a), edges(pair, Side::B, part_b));
    let across = BigVector::from(between);
    let (mut normal, shares_a, shares_b) = match (&edges_a[..], &edges_b[..]) {
        ([], []) => (across.clone(), vec![], vec![]),
        ([e], []) => (e.cross(&across.cross(e)), vec![foot(e, &across)?], vec![]),
        ([], [f]) => (f.cross(&across.cross(f)), vec![], vec![foot(f, &across.negated())?]),
        ([e], [f]) => {
            let normal = e.cross(f);
            let square = normal.dot(&normal);
            let s = share(across.dot(&f.cross(&normal)), &square)?;
            let t = share(across.dot(&e.cross(&normal)), &square)?;
            (normal, vec![s], vec![t])
        }
        ([e, f], []) => {
            let normal = e.cross(f);
            let feet = feet(&across, e, f, &normal)?;
            (normal, feet, vec![])
        }
        ([], [e, f]) => {
            let normal = e.cross(f);
            let feet = feet(&across.negated(), e, f, &normal)?;
            (normal, vec![], feet)
        }
        _ => return None,
    };
    let mut height = normal.dot(&across);
    if height.sign().is_negative() {
        (normal, height) = (normal.negated(), height.negated());
    }
    if height.sign().is_zero() {
        return None;
    }
    let square = normal.dot(&normal);
    let direction = BigDirection::from(normal);
    let is_down = |vector: Vector<'_>| !direction.dot_sign(vector).is_positive();
    let all_behind = (0..3).all(|k| k == corners[0] || is_down(pair.along(Side::A, corners[0], k)));
    let all_beyond = (0..3).all(|k| k == corners[1] || is_down(pair.along(Side::B, k, corners[1])));
    let ends = BigQuotient { numerator: height.squared(), denominator: square }.root_bracket();
    let weights = [spread(part_a, &shares_a), spread(part_b, &shares_b)];
    (all_behind && all_beyond).then_some(Checked { ends, weights, direction, corners })
}

/// From the first corner of a part to its others.
fn edges(pair: &TrianglePair<'_>, side: Side, part: Feature) -> Vec<BigVector> {
    let corners = part.vertices();
    let edge = |&to: &u32| BigVector::from(pair.along(side, corners[0] as usize, to as usize));
    corners[1..].iter().map(edge).collect()
}

/// `part / whole`, rounded, if it is between zero and one; `whole` is positive.
fn share(part: BigNumber, whole: &BigNumber) -> Option<f64> {
    let is_share =
        !part.sign().is_negative() && whole.sign().is_positive() && !part.compare(whole).is_positive();
    is_share.then(|| BigQuotient { numerator: part, denominator: whole.clone() }.bracket().0)
}

/// Where on an edge the foot of a point is, seen from its first corner.
fn foot(edge: &BigVector, point: &BigVector) -> Option<f64> {
    share(edge.dot(point), &edge.dot(edge))
}

/// The weights of the second and third corner for the foot of a point on a face, seen from the first corner.
fn feet(point: &BigVector, e: &BigVector, f: &BigVector, normal: &BigVector) -> Option<Vec<f64>> {
    let square = normal.dot(normal);
    let (second, third) = (point.cross(f).dot(normal), e.cross(point).dot(normal));
    // Of the first corner: what is left.
    let first = f.minus(point).cross(&e.minus(point)).dot(&normal.negated());
    share(first, &square)?;
    Some(vec![share(second, &square)?, share(third, &square)?])
}

/// Weights by corner, from those of all corners of a part but the first.
fn spread(part: Feature, shares: &[f64]) -> [f64; 3] {
    let (corners, mut weights) = (part.vertices(), [0.0; 3]);
    weights[corners[0] as usize] = (1.0 - shares.iter().sum::<f64>()).max(0.0);
    corners[1..].iter().zip(shares).for_each(|(&corner, &share)| weights[corner as usize] = share);
    weights
}
