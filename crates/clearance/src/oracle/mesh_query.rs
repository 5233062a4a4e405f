//! Points and rays against meshes by trying every triangle, in rational numbers.

use super::cases::{Family, nudge};
use super::compare::same;
use super::distance::{Square, distance_squared};
use super::triangle::{Rational3, cross, dot, minus, normal, posed, rational};
use super::voxel::Voxels;
use crate::exact::Posed;
use crate::math::{Pose, Random};
use crate::mesh::{self, MeshPenetration, TreeMesh};
use crate::pair::{PointLocation, Ray, Relation};
use crate::shape::{Mesh, MeshConfig, MeshKind, Polytope, TriangleSoup, sample};
use crate::solid::{self, Body, EveryTriangle};
use crate::witness::{PosedPair, Side};
use dashu::rational::RBig;
use glam::{DQuat, DVec3};

/// The square of the exact distance of a point from a triangle, both under poses.
pub fn square_to_triangle(corners: [DVec3; 3], pose: &Pose, point: Posed<'_>) -> Square {
    let hull = |points: &[DVec3]| Polytope::hull(points).expect("bounded points");
    let (a, b) = (hull(&corners), hull(&[point.point]));
    distance_squared(&PosedPair { a: &a, pose_a: pose, b: &b, pose_b: point.pose })
}

/// The first `t` at which a ray meets a triangle under a pose, without its end.
pub fn first_t(corners: [DVec3; 3], pose: &Pose, origin: DVec3, direction: DVec3) -> Option<RBig> {
    let corners = corners.map(|corner| posed(pose, corner));
    let [origin, direction] = [origin, direction].map(|v| v.to_array().map(rational));
    let up = normal(&corners);
    let (slope, height) = (dot(&up, &direction), dot(&up, &minus(&corners[0], &origin)));
    if slope.is_zero() && !height.is_zero() {
        return None;
    }
    // All limits `slope t >= height`: beyond the start, inside of the edges, and on the plane.
    let mut limits = vec![(RBig::ONE, RBig::ZERO)];
    for k in 0..3 {
        let inward: Rational3 = cross(&up, &minus(&corners[(k + 1) % 3], &corners[k]));
        limits.push((dot(&inward, &direction), dot(&inward, &minus(&corners[k], &origin))));
    }
    limits.push((-&slope, -&height));
    limits.push((slope, height));
    let starts = limits.iter().filter(|(s, _)| !s.is_zero()).map(|(s, h)| h / s);
    let holds = |t: &RBig| limits.iter().all(|(s, h)| s * t >= *h);
    starts.filter(holds).min()
}

/// A mesh of one of several kinds, at one of several scales and places, and where it is.
struct Case {
    mesh: TreeMesh,
    pose: Pose,
}

impl Case {
    fn any(random: &mut Random) -> Option<Case> {
        let scale = [1.0, 1.0, 2f64.powi(-20), 2f64.powi(20)][random.below(4) as usize];
        let offset = [DVec3::ZERO, DVec3::ZERO, DVec3::new(1e6, -1e6, 3e6)][random.below(3) as usize] * scale;
        let map = |p: DVec3| p * scale + offset;
        let family = Family::any(random);
        let lattice = |cell: [i32; 3]| map(DVec3::from_array(cell.map(f64::from)));
        let mut soup = match random.below(6) {
            0 => Voxels::any(random).soup(lattice),
            1 => Voxels::hall(random).soup(lattice),
            2 => sample::torus(1.0, 0.3, 8, 5).ok()?,
            3 => sample::icosphere(1.0, 2).ok()?,
            4 => triangles(family, random),
            _ => {
                let points: Vec<DVec3> =
                    (0..4 + random.below(6)).map(|_| family.bounded_point(random)).collect();
                Polytope::hull(&points).ok()?.to_soup()
            }
        };
        if soup.positions.iter().all(|p| p.abs().max_element() < 4.0) {
            soup.positions.iter_mut().for_each(|p| *p = map(*p));
        }
        // Some triangles less: a surface.
        if random.below(4) == 0 {
            soup.triangles.truncate(1 + soup.triangles.len() / 2);
        }
        let mesh = Mesh::build(&soup, &MeshConfig::default()).ok()?;
        let quaternion = DQuat::from_array(std::array::from_fn(|_| random.range(0.1, 1.0)));
        let pose = match random.below(4) {
            0 | 1 => Pose::IDENTITY,
            2 => Pose::from_quaternion(quaternion, offset).expect("a rotation"),
            _ => family.pose(random),
        };
        Some(Case { mesh: TreeMesh::new(mesh), pose })
    }

    fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.mesh.mesh().triangle(triangle)
    }

    fn count(&self) -> usize {
        self.mesh.mesh().triangles().len()
    }

    /// A point of the world on, near or around the mesh.
    fn point(&self, random: &mut Random) -> DVec3 {
        let [p, q, r] = self.corners(random.below(self.count() as u64) as usize);
        let bounds = self.mesh.mesh().bounds();
        let around = |random: &mut Random, far: f64| {
            let part = DVec3::from_array(std::array::from_fn(|_| random.range(-far, far)));
            bounds.center() + bounds.extent() * part
        };
        let local = match random.below(8) {
            0 => p,
            1 => p * 0.5 + q * 0.5,
            2 => p * 0.5 + q * 0.25 + r * 0.25,
            3 => {
                let near = p * 0.5 + q * 0.25 + r * 0.25;
                DVec3::from_array(near.to_array().map(|x| nudge(x, random.below(3) as i64 - 1)))
            }
            4 => p + (around(random, 1.0) - p) * 1e-7,
            5 => around(random, 1000.0),
            _ => around(random, 0.75),
        };
        let limit = DVec3::splat(crate::tolerance::COORDINATE_LIMIT);
        self.pose.apply(local).clamp(-limit, limit)
    }

    fn ray(&self, random: &mut Random) -> Option<Ray> {
        let (origin, target) = (self.point(random), self.point(random));
        let [p, q, _] = self.corners(random.below(self.count() as u64) as usize);
        let direction = match random.below(5) {
            0 => DVec3::AXES[random.below(3) as usize],
            1 => self.pose.apply_vector(q - p),
            _ => (target - origin) * [1.0, 1.0, 0.25, 1e-30][random.below(4) as usize],
        };
        let max_t = [f64::INFINITY, f64::INFINITY, 1.0, 0.5, 0.0][random.below(5) as usize];
        Ray::new(origin, direction, max_t).ok()
    }

    fn tell(&self) -> String {
        format!("{:?} {:?}", self.mesh.mesh().to_soup(), self.pose)
    }
}

/// Triangles of a family, anyhow.
fn triangles(family: Family, random: &mut Random) -> TriangleSoup {
    let mut soup = TriangleSoup::default();
    soup.positions.extend((0..6 + random.below(20)).map(|_| family.bounded_point(random)));
    let mut corner = || random.below(soup.positions.len() as u64) as u32;
    soup.triangles.extend((0..3 + 2 * soup.positions.len() as u64).map(|_| [corner(), corner(), corner()]));
    soup
}

/// Points are located as without a tree; their distances lie in brackets, which are narrow and have the right sign.
pub fn compare_points(random: &mut Random) -> Result<(), String> {
    let Some(case) = Case::any(random) else { return Ok(()) };
    let (mesh, pose) = (&case.mesh, &case.pose);
    let point = case.point(random);
    let tell = || format!("{point:?} {}", case.tell());
    let search = EveryTriangle(mesh.mesh());
    let body = Body { mesh: mesh.mesh(), pose, search: &search };
    let location = solid::contains_point(&body, point).map_err(|e| e.to_string())?;
    same(mesh::contains_point(mesh, pose, point), Ok(location), tell)?;
    let found = mesh::distance_to_point(mesh, pose, point).map_err(|e| e.to_string())?;
    let is_solid = mesh.mesh().kind() == MeshKind::Solid;
    let is_inside = location == PointLocation::Inside;
    if is_inside {
        same((found.lower, found.upper, found.triangle), (0.0, 0.0, None), tell)?;
    }
    if !is_solid {
        same(mesh::signed_distance(mesh, pose, point).is_err(), true, tell)?;
        return check_distance(&case, point, found.lower, found.upper, found.triangle.unwrap_or(0));
    }
    let signed = mesh::signed_distance(mesh, pose, point).map_err(|e| e.to_string())?;
    let is_negative = signed.lower < 0.0;
    let (lower, upper) =
        if is_negative { (-signed.upper, -signed.lower) } else { (signed.lower, signed.upper) };
    // Triangles inside of a solid have distance zero and no sign.
    same(is_negative, is_inside && upper > 0.0, tell)?;
    if !is_inside {
        same((found.lower, found.upper), (lower, upper), tell)?;
    }
    check_distance(&case, point, lower, upper, signed.triangle)
}

/// Whether a bracket holds for every triangle, and for one of them is met.
fn check_distance(case: &Case, point: DVec3, lower: f64, upper: f64, triangle: u32) -> Result<(), String> {
    let error = |what: &str| Err(format!("{what}: {lower:e} {upper:e} {triangle} {point:?} {}", case.tell()));
    let mut is_zero = false;
    for t in 0..case.count() {
        let square = square_to_triangle(case.corners(t), &case.pose, Pose::IDENTITY.at(point));
        is_zero |= square.is_zero();
        if square.compare(lower).is_positive() {
            return error("a triangle is nearer");
        }
        if t == triangle as usize && upper.is_finite() && square.compare(upper).is_negative() {
            return error("the triangle is farther");
        }
    }
    if is_zero != (upper == 0.0) {
        return error("zero only on a triangle");
    }
    let is_narrow = upper - lower <= 1e-12 * upper || upper - lower <= f64::from_bits(1);
    if is_narrow { Ok(()) } else { error("wide") }
}

/// Rays hit the first triangle of all, at the right time.
pub fn compare_rays(random: &mut Random) -> Result<(), String> {
    let Some(case) = Case::any(random) else { return Ok(()) };
    let Some(ray) = case.ray(random) else { return Ok(()) };
    let tell = || format!("{ray:?} {}", case.tell());
    let end = (ray.max_t() < f64::INFINITY).then(|| rational(ray.max_t()));
    let mut first: Option<(RBig, u32)> = None;
    for t in 0..case.count() {
        let found = first_t(case.corners(t), &case.pose, ray.origin(), ray.direction());
        let found = found.filter(|s| end.as_ref().is_none_or(|end| s <= end)).map(|s| (s, t as u32));
        first = [first, found].into_iter().flatten().min();
    }
    let hit = mesh::ray_cast(&case.mesh, &case.pose, &ray);
    same(hit.map(|hit| hit.triangle), first.as_ref().map(|first| first.1), tell)?;
    if let (Some(hit), Some((t, _))) = (hit, first) {
        let holds = rational(hit.t_lower) <= t && (hit.t_upper.is_infinite() || t <= rational(hit.t_upper));
        let is_narrow = hit.t_upper - hit.t_lower <= 1e-12 * hit.t_upper
            || hit.t_upper - hit.t_lower <= f64::from_bits(1)
            || hit.t_upper.is_infinite();
        same((holds, is_narrow), (true, true), || format!("{hit:?} {}", tell()))?;
        let length = hit.normal.length();
        same((length - 1.0).abs() < 1e-9, true, || format!("{hit:?} {}", tell()))?;
        let [p, q, r] = case.corners(hit.triangle as usize).map(|corner| posed(&case.pose, corner));
        let up = normal(&[p, q, r]);
        let along = dot(&up, &hit.normal.to_array().map(rational));
        // The normal is right to 1e-6: cos^2 of the angle.
        let square = dot(&up, &up);
        let is_right = along > RBig::ZERO && along.sqr() >= square * rational(1.0 - 1e-12);
        same(is_right, true, || format!("normal {hit:?} {}", tell()))?;
    }
    Ok(())
}

/// A mesh meets itself in the same places with and without a tree.
pub fn compare_self_intersections(random: &mut Random) -> Result<(), String> {
    let Some(case) = Case::any(random) else { return Ok(()) };
    let mesh = case.mesh.mesh();
    let count = mesh.triangles().len() as u32;
    let pairs = (0..count).flat_map(|t| (t + 1..count).map(move |u| (t, u)));
    let want: Vec<solid::SelfIntersection> = solid::self_intersections(mesh, pairs).collect();
    same(mesh::self_intersections(&case.mesh), want, || case.tell())
}

/// A body close to another: of a lattice, a small ball or a ring, mostly turned.
fn solid_case(scale: f64, offset: DVec3, random: &mut Random) -> Option<Case> {
    let mut soup = match random.below(4) {
        0 => sample::torus(2.0, 0.75, 7, 5).ok()?,
        1 => sample::icosphere(2.0, 2).ok()?,
        _ => Voxels::any(random).soup(|cell| DVec3::from_array(cell.map(f64::from))),
    };
    soup.positions.iter_mut().for_each(|p| *p *= scale);
    let mesh = Mesh::build(&soup, &MeshConfig::default()).ok()?;
    let quaternion = match random.below(3) {
        0 => DQuat::IDENTITY,
        _ => DQuat::from_array(std::array::from_fn(|_| random.range(0.1, 1.0))),
    };
    let by = DVec3::from_array(std::array::from_fn(|_| 0.5 * random.below(5) as f64 - 1.0));
    let pose = Pose::from_quaternion(quaternion, by * scale + offset).expect("a rotation");
    (mesh.kind() == MeshKind::Solid).then(|| Case { mesh: TreeMesh::new(mesh), pose })
}

/// Depths hold for every vertex, balls are inside both solids, and the translation separates.
pub fn compare_penetration(random: &mut Random) -> Result<(), String> {
    let scale = [1.0, 1.0, 2f64.powi(-20), 2f64.powi(20)][random.below(4) as usize];
    let offset = [DVec3::ZERO, DVec3::ZERO, DVec3::new(1e6, -1e6, 3e6)][random.below(3) as usize] * scale;
    let mut case = || solid_case(scale, offset, random);
    let (Some(a), Some(b)) = (case(), case()) else { return Ok(()) };
    let tell = || format!("{} {}", a.tell(), b.tell());
    let overlap =
        |pose_b: &Pose| mesh::relation(&a.mesh, &a.pose, &b.mesh, pose_b).relation == Relation::Overlapping;
    let found = mesh::penetration(&a.mesh, &a.pose, &b.mesh, &b.pose).map_err(|e| e.to_string())?;
    same(found.is_some(), overlap(&b.pose), tell)?;
    let Some(found) = found else { return Ok(()) };
    let tell = || format!("{found:?} {}", tell());
    let by = b.pose.translation() + found.normal * found.upper * (1.0 + 1e-8);
    let apart = Pose::new(b.pose.rotation(), by).expect("a rotation");
    same((overlap(&apart), found.lower <= found.upper), (false, true), tell)?;
    if let Some(center) = found.center {
        let center = Pose::IDENTITY.at(center);
        let radius = 0.5 * found.lower;
        same([&a, &b].iter().all(|case| case.holds_ball(center, radius)), true, tell)?;
    }
    check_local(&found, [&a, &b]).map_err(|what| format!("{what}: {}", tell()))
}

/// No vertex, middle of an edge or of a triangle is deeper in the other solid than the upper end of the depth of surfaces, and
/// the point of the lower end is as deep as that.
pub fn compare_surface_depth(random: &mut Random) -> Result<(), String> {
    let scale = [1.0, 1.0, 2f64.powi(-20), 2f64.powi(20)][random.below(4) as usize];
    let offset = [DVec3::ZERO, DVec3::ZERO, DVec3::new(1e6, -1e6, 3e6)][random.below(3) as usize] * scale;
    let limit = [0.0, 1e-3, 0.1, 0.5, 1.0][random.below(5) as usize] * scale;
    let mut case = || solid_case(scale, offset, random);
    let (Some(a), Some(b)) = (case(), case()) else { return Ok(()) };
    let mut search = mesh::DepthSearch::new(&a.mesh, &a.pose, &b.mesh, &b.pose).map_err(|e| e.to_string())?;
    search.settle(limit, 2000);
    let found = search.found();
    let tell = || format!("{found:?} at {limit:?} {} {}", a.tell(), b.tell());
    // Middles are rounded, and so is the point.
    let slack = 1e-12 * (8.0 * scale + offset.length());
    for (own, other) in [(&a, &b), (&b, &a)] {
        for triangle in 0..own.count() {
            let [p, q, r] = own.corners(triangle);
            for point in [p, q, r, 0.5 * p + 0.5 * q, 0.5 * q + 0.5 * r, 0.5 * r + 0.5 * p, (p + q + r) / 3.0]
            {
                let at = own.pose.at(point);
                let is_deeper = !other.is_at_most(at, found.upper + slack);
                same(is_deeper && other.location(at) == PointLocation::Inside, false, tell)?;
            }
        }
    }
    let Some(point) = found.point else { return same(found.lower, 0.0, tell) };
    let at = Pose::IDENTITY.at(point);
    let holds =
        |case: &Case| case.location(at) == PointLocation::Inside && case.is_at_least(at, found.lower - slack);
    let is_on = |case: &Case| case.is_at_most(at, slack);
    let is_shown = is_on(&a) && holds(&b) || is_on(&b) && holds(&a);
    same(is_shown || found.lower <= slack, true, tell)
}

impl Case {
    fn location(&self, at: Posed<'_>) -> PointLocation {
        let search = EveryTriangle(self.mesh.mesh());
        solid::location(&Body { mesh: self.mesh.mesh(), pose: &self.pose, search: &search }, at)
    }

    /// Whether all triangles are at least as far from a point as a number.
    fn is_at_least(&self, at: Posed<'_>, distance: f64) -> bool {
        let far = |t| !square_to_triangle(self.corners(t), &self.pose, at).compare(distance).is_positive();
        (0..self.count()).all(far)
    }

    /// Whether some triangle is at most as far from a point as a number.
    fn is_at_most(&self, at: Posed<'_>, distance: f64) -> bool {
        let near = |t| !square_to_triangle(self.corners(t), &self.pose, at).compare(distance).is_negative();
        (0..self.count()).any(near)
    }

    fn holds_ball(&self, center: Posed<'_>, radius: f64) -> bool {
        self.location(center) == PointLocation::Inside && self.is_at_least(center, radius)
    }
}

fn check_local(found: &MeshPenetration, bodies: [&Case; 2]) -> Result<(), &'static str> {
    let mut is_any_inside = false;
    for (side, own, other) in [(Side::A, bodies[0], bodies[1]), (Side::B, bodies[1], bodies[0])] {
        for (vertex, &point) in own.mesh.mesh().positions().iter().enumerate() {
            let at = own.pose.at(point);
            if other.location(at) != PointLocation::Inside {
                continue;
            }
            is_any_inside = true;
            let Some(local) = found.local else { return Err("a vertex is inside") };
            if !other.is_at_most(at, local.upper) {
                return Err("a vertex is deeper");
            }
            if (local.side, local.vertex as usize) == (side, vertex) && !other.is_at_least(at, local.lower) {
                return Err("the vertex is not so deep");
            }
        }
    }
    if is_any_inside == found.local.is_some() { Ok(()) } else { Err("no vertex is inside") }
}
