//! Which parts of a surface face the way it moves [Buss04 §4.2].

use crate::math::Screw;
use glam::DVec3;

/// The two parts of a polygon that moves on a screw; each may be empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FacingParts {
    /// Where the outward normal points along the motion.
    pub forward: Vec<DVec3>,
    /// Where it points against it.
    pub backward: Vec<DVec3>,
}

/// `n . w(x)`, how fast a piece of surface at a point moves along its normal; rounded.
///
/// The same at every time for a piece that moves along, because the screw turns normal and velocity alike. Positive where the
/// piece faces forward.
pub fn facing(screw: &Screw, point: DVec3, normal: DVec3) -> f64 {
    normal.dot(screw.velocity_at(point))
}

/// A convex polygon, counter-clockwise seen from outside, cut where it moves along itself; corners are rounded.
///
/// The facing is linear on a plane, so the cut is straight. Points of the cut are in both parts; a polygon that moves along
/// itself throughout counts as forward and as backward.
pub fn split_by_facing(screw: &Screw, polygon: &[DVec3]) -> FacingParts {
    let normal = area_vector(polygon);
    let values: Vec<f64> = polygon.iter().map(|&p| facing(screw, p, normal)).collect();
    FacingParts { forward: clip(polygon, &values, 1.0), backward: clip(polygon, &values, -1.0) }
}

/// Twice the area, along the normal.
fn area_vector(polygon: &[DVec3]) -> DVec3 {
    let Some(&first) = polygon.first() else { return DVec3::ZERO };
    let pairs = polygon.iter().zip(polygon.iter().skip(1));
    pairs.map(|(&p, &q)| (p - first).cross(q - first)).sum()
}

/// The part of a polygon where a linear function, given at its corners, has a sign or is zero; nothing if that is a line only.
fn clip(polygon: &[DVec3], values: &[f64], sign: f64) -> Vec<DVec3> {
    if !values.iter().any(|v| v * sign > 0.0) && values.iter().any(|v| v * sign < 0.0) {
        return Vec::new();
    }
    let mut kept = Vec::new();
    for i in 0..polygon.len() {
        let j = (i + 1) % polygon.len();
        let (here, next) = (values[i] * sign, values[j] * sign);
        if here >= 0.0 {
            kept.push(polygon[i]);
        }
        if here * next < 0.0 {
            kept.push(polygon[i] + (polygon[j] - polygon[i]) * (here / (here - next)));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Pose, Random};

    fn area(polygon: &[DVec3]) -> f64 {
        0.5 * area_vector(polygon).length()
    }

    #[test]
    fn facing_does_not_change_while_a_body_moves() {
        let mut random = Random::new(1);
        for _ in 0..2_000 {
            let mut vector =
                || DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0));
            let (axis, center, point, normal) = (vector(), vector() * 3.0, vector(), vector().normalize());
            let screw = Screw::new(axis, center, random.range(-9.0, 9.0), random.range(-3.0, 3.0)).unwrap();
            let start = facing(&screw, point, normal);
            let (pose, _) = screw.pose_at(random.unit(), &Pose::IDENTITY).unwrap();
            let later = facing(&screw, pose.apply(point), pose.apply_vector(normal));
            assert!(
                (start - later).abs() < 1e-13 * (1.0 + start.abs() + screw.angle().abs()),
                "{start} {later}"
            );
        }
    }

    #[test]
    fn parts_cover_a_polygon_and_face_their_way() {
        let mut random = Random::new(2);
        let mut cut = 0;
        for _ in 0..2_000 {
            let mut vector =
                || DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0));
            let polygon = [vector(), vector(), vector()];
            let screw = Screw::new(vector(), vector(), 2.0, 0.3).unwrap();
            let parts = split_by_facing(&screw, &polygon);
            let whole = area(&polygon);
            assert!((area(&parts.forward) + area(&parts.backward) - whole).abs() < 1e-14);
            let normal = area_vector(&polygon);
            assert!(parts.forward.iter().all(|&p| facing(&screw, p, normal) > -1e-14));
            assert!(parts.backward.iter().all(|&p| facing(&screw, p, normal) < 1e-14));
            cut += usize::from(!parts.forward.is_empty() && !parts.backward.is_empty());
        }
        assert!(cut > 300, "{cut}");
    }
}
