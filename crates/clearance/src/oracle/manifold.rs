//! Contact polygons: the common part of two faces in one plane, clipped in rational numbers.

use super::cases::{Family, two_bodies};
use super::primitive::exact;
use crate::exact::orient2d;
use crate::math::{Pose, Random};
use crate::pair::{ManifoldConfig, contact_normal, distance, manifold};
use crate::shape::Polytope;
use crate::support::SupportMap;
use dashu::rational::RBig;
use glam::{DQuat, DVec2, DVec3};

/// An exact point of the plane.
type Exact2 = [RBig; 2];

/// Twice the area of a triangle, positive if it is counter-clockwise.
fn turn(a: &Exact2, b: &Exact2, c: &Exact2) -> RBig {
    (&b[0] - &a[0]) * (&c[1] - &a[1]) - (&b[1] - &a[1]) * (&c[0] - &a[0])
}

/// The common part of two convex polygons, counter-clockwise: what lies left of every side of `clipper`, by a margin, exactly.
/// Corners may repeat; none if the polygons are disjoint.
pub fn common_part(clipper: &[Exact2], subject: &[Exact2], margin: f64) -> Vec<Exact2> {
    let mut part = subject.to_vec();
    for (i, from) in clipper.iter().enumerate() {
        let to = &clipper[(i + 1) % clipper.len()];
        let length = [0, 1].map(|axis| (&to[axis] - &from[axis]).to_f64().value());
        let least = exact(margin * DVec2::from_array(length).length());
        let mut kept = Vec::new();
        for (k, here) in part.iter().enumerate() {
            let next = &part[(k + 1) % part.len()];
            let (start, stop) = (turn(from, to, here) - &least, turn(from, to, next) - &least);
            if start >= RBig::ZERO {
                kept.push(here.clone());
            }
            if (start > RBig::ZERO && stop < RBig::ZERO) || (start < RBig::ZERO && stop > RBig::ZERO) {
                let share = &start / (&start - &stop);
                kept.push([0, 1].map(|axis| &here[axis] + (&next[axis] - &here[axis]) * &share));
            }
        }
        part = kept;
    }
    part
}

/// A convex polygon, counter-clockwise.
struct Polygon {
    corners: Vec<DVec2>,
    /// It was pressed flat: where its sides cross others is what rounding makes of them.
    is_pressed: bool,
}

impl Polygon {
    /// The hull of points of a family, pressed flat now and then, scaled and moved; `None` if it has no area.
    fn random(random: &mut Random, size: f64, place: DVec2) -> Option<Polygon> {
        let family = [Family::Uniform, Family::SmallIntegers, Family::Ulps][random.below(3) as usize];
        let count = 3 + random.below(6);
        let (along, thickness) = match random.below(3) {
            0 => (DVec2::from_angle(random.range(-3.2, 3.2)), 0.5f64.powi(random.below(50) as i32)),
            _ => (DVec2::X, 1.0),
        };
        let points = (0..count).map(|_| {
            let at = DVec2::new(family.coordinate(random), thickness * family.coordinate(random));
            (place + size * along.rotate(at)).extend(0.0)
        });
        let hull = Polytope::hull(&points.collect::<Vec<_>>()).ok()?;
        // Of the two opposite faces that which is counter-clockwise from above.
        let faces = hull.faces().map(|face| -> Vec<DVec2> {
            face.iter().map(|&v| hull.vertices()[v as usize].truncate()).collect()
        });
        let mut faces = faces.filter(|corners| area(corners) > 0.0);
        let corners = (hull.dimension() == 2).then(|| faces.next()).flatten()?;
        Some(Polygon { corners, is_pressed: thickness < 1.0 })
    }

    fn size(&self) -> f64 {
        let of =
            |pick: fn(DVec2, DVec2) -> DVec2| self.corners.iter().copied().reduce(pick).unwrap_or_default();
        (of(DVec2::max) - of(DVec2::min)).max_element()
    }

    fn exact(&self) -> Vec<Exact2> {
        self.corners.iter().map(|corner| corner.to_array().map(exact)).collect()
    }

    /// A pyramid with this face at a height, its apex on one side.
    fn pyramid(&self, height: f64, apex: f64) -> SupportMap {
        let middle = self.corners.iter().sum::<DVec2>() / self.corners.len() as f64;
        let base = self.corners.iter().map(|corner| corner.extend(height));
        let points: Vec<DVec3> = base.chain([middle.extend(height + apex)]).collect();
        SupportMap::new(Polytope::hull(&points).expect("finite points"))
    }
}

fn area(corners: &[DVec2]) -> f64 {
    (1..corners.len() - 1).map(|i| (corners[i] - corners[0]).perp_dot(corners[i + 1] - corners[0])).sum()
}

/// How far a point is from the hull of one corner or more, in the order of a convex polygon up to rounding.
fn distance_from(corners: &[DVec2], point: DVec2) -> f64 {
    let sides = (0..corners.len()).map(|i| (corners[i], corners[(i + 1) % corners.len()]));
    let to_side = |(p, q): (DVec2, DVec2)| {
        let share = (point - p).dot(q - p) / (q - p).length_squared().max(f64::MIN_POSITIVE);
        (p + (q - p) * share.clamp(0.0, 1.0)).distance(point)
    };
    if is_in_hull(corners, point) { 0.0 } else { sides.map(to_side).fold(f64::INFINITY, f64::min) }
}

/// Whether a point lies in a triangle of some of the corners that has area: no side as short as rounding can mislead it.
fn is_in_hull(corners: &[DVec2], point: DVec2) -> bool {
    let is_in = |p: DVec2, q: DVec2, r: DVec2| {
        let area = orient2d(p, q, r);
        let sides = [(p, q), (q, r), (r, p)].map(|(from, to)| orient2d(from, to, point));
        !area.is_zero() && sides.iter().all(|&side| side.is_zero() || side == area)
    };
    (2..corners.len()).any(|k| (1..k).any(|j| (0..j).any(|i| is_in(corners[i], corners[j], corners[k]))))
}

/// Two pyramids with faces in parallel planes, looking at each other, under one pose: the contact is the common part of
/// the faces, at the depth between the planes.
pub fn compare(random: &mut Random) -> Result<(), String> {
    let size_b = [1.0, 1.0, 1e-3, 1e-7, 1e5][random.below(5) as usize];
    let far = [0.0, 0.0, 0.0, 1e3][random.below(4) as usize];
    let place = DVec2::new(far, random.range(-0.5, 0.5) * size_b);
    let faces =
        Polygon::random(random, 1.0, DVec2::new(far, 0.0)).zip(Polygon::random(random, size_b, place));
    let Some((face_a, face_b)) = faces else { return Ok(()) };
    let depth = [0.0, 0.0, 0.125, 1e-9][random.below(4) as usize];
    // Steep sides, so that no other face counts as lying in the plane.
    let (a, b) = (face_a.pyramid(0.0, -4.0 * face_a.size()), face_b.pyramid(-depth, 4.0 * face_b.size()));
    let turn = match random.below(3) {
        0 => DQuat::IDENTITY,
        _ => DQuat::from_array(std::array::from_fn(|i| random.range(if i == 3 { 0.1 } else { -1.0 }, 1.0))),
    };
    let translation = DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), far);
    let pose = Pose::from_quaternion(turn, translation).map_err(|error| error.to_string())?;
    let normal = pose.rotation() * DVec3::Z;
    let config = ManifoldConfig { margin: 1.0, flatness: 1e-6 };
    let found = manifold(&a, &pose, &b, &pose, normal, &config);
    let context = |what: String| {
        format!("{what}: {found:?} for {:?} and {:?} at {pose:?}", face_a.corners, face_b.corners)
    };
    let coordinates = face_a.corners.iter().chain(&face_b.corners).map(|c| c.abs().max_element());
    let largest = coordinates.fold(translation.abs().max_element(), f64::max);
    let bound = 8.0 * (1e-9 * face_a.size().min(face_b.size())).max(128.0 * f64::EPSILON * largest);
    let back = |point: DVec3| pose.rotation().transpose() * (point - translation);
    let common = common_part(&face_a.exact(), &face_b.exact(), 0.0);
    for point in &found.points {
        let (on_a, on_b) = (back(point.point_a), back(point.point_b));
        let off = [
            on_a.z.abs(),
            (on_b.z + depth).abs(),
            (point.depth - depth).abs(),
            // Faces that do not meet across the normal have no points straight above each other.
            if common.is_empty() { 0.0 } else { (on_a - on_b).truncate().length() },
            distance_from(&face_a.corners, on_a.truncate()),
            distance_from(&face_b.corners, on_b.truncate()),
        ];
        if !off.iter().all(|&off| off <= bound) {
            return Err(context(format!("{point:?} is off by {off:?}, more than {bound:e}")));
        }
    }
    let shown: Vec<DVec2> = found.points.iter().map(|point| back(point.point_a).truncate()).collect();
    // Of pressed faces only what lies well inside both is the same whatever rounding does.
    let required = match face_a.is_pressed || face_b.is_pressed {
        true => {
            let inside_a = common_part(&face_a.exact(), &face_b.exact(), bound);
            common_part(&face_b.exact(), &inside_a, bound)
        }
        false => common,
    };
    for corner in required {
        let corner = DVec2::from_array(corner.map(|x| x.to_f64().value()));
        if shown.is_empty() || distance_from(&shown, corner) > bound {
            return Err(context(format!("the corner {corner:?} is missing")));
        }
    }
    Ok(())
}

/// Contacts of any two bodies along their contact normal: every point lies on its body, and on the side that the normal
/// points to, as far as faces may be inclined.
pub fn compare_anywhere(random: &mut Random) -> Result<(), String> {
    let family = [Family::Uniform, Family::SmallIntegers, Family::Ulps][random.below(3) as usize];
    let ((a, pose_a), (b, pose_b)) = two_bodies(family, 9, random);
    let size = |polytope: &Polytope| polytope.bounds().extent().max_element();
    let smaller = size(&a).min(size(&b));
    let far = pose_a.translation().abs().max(pose_b.translation().abs()).max_element();
    let (a, b) = (SupportMap::new(a), SupportMap::new(b));
    let bound = 1e-8 * smaller + 1e-13 * (a.reach() + b.reach() + far);
    let Some(normal) = contact_normal(&a, &pose_a, &b, &pose_b) else { return Ok(()) };
    let config = ManifoldConfig { margin: f64::INFINITY, ..ManifoldConfig::default() };
    let found = manifold(&a, &pose_a, &b, &pose_b, normal, &config);
    let context = |what: &str| {
        let vertices = (a.polytope().vertices(), b.polytope().vertices());
        format!("{what}: {found:?} for {vertices:?} at {pose_a:?} and {pose_b:?}")
    };
    if found.points.is_empty() {
        return Err(context("no contact"));
    }
    for point in &found.points {
        for (map, pose, at, normal) in
            [(&a, &pose_a, point.point_a, normal), (&b, &pose_b, point.point_b, -normal)]
        {
            let spot = SupportMap::new(Polytope::hull(&[at]).map_err(|error| error.to_string())?);
            if distance(&spot, &Pose::IDENTITY, map, pose).upper > bound {
                return Err(context("a point is off its body"));
            }
            let vertices = map.polytope().vertices().iter();
            let top = vertices.map(|&v| normal.dot(pose.apply(v))).fold(f64::NEG_INFINITY, f64::max);
            if normal.dot(at) < top - config.flatness * 2.0 * size(map.polytope()) - bound {
                return Err(context("a point is not on the side of the contact"));
            }
        }
        if (point.depth - normal.dot(point.point_a - point.point_b)).abs() > bound {
            return Err(context("a depth is not that between the points"));
        }
    }
    Ok(())
}
