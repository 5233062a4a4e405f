//! Two meshes by trying every pair of triangles, and every cell of every triangle, in rational numbers.

use super::cases::{Family, two_bodies};
use super::compare::same;
use super::relation as convex;
use super::triangle::{
    Rational3, clip, cross, dot, is_zero, minus, moved, normal, posed, rational, relation_of,
};
use crate::Aabb;
use crate::math::{Pose, Random};
use crate::pair::Relation;
use crate::shape::{Mesh, MeshConfig, MeshKind, Polytope, TriangleSoup};
use crate::solid::{self, Body, Contact, EveryTriangle, MeshRelation};
use crate::triangle;
use crate::witness::PosedPair;
use dashu::rational::RBig;
use glam::{DQuat, DVec3};
use std::collections::BTreeSet;

/// Triangles with rational corners.
type Exact = Vec<[Rational3; 3]>;

/// The relation of two meshes from the definitions. `O(n^4)` rational numbers for solids.
pub fn relation(a: &Mesh, pose_a: &Pose, b: &Mesh, pose_b: &Pose) -> Relation {
    let mut strongest = Relation::Disjoint;
    for (t, u) in near_pairs(a, pose_a, b, pose_b) {
        let (t, u) = (a.triangle(t as usize), b.triangle(u as usize));
        strongest = strongest.max(relation_of(t, pose_a, u, pose_b));
    }
    let is_solid = |mesh: &Mesh| mesh.kind() == MeshKind::Solid;
    if !is_solid(a) && !is_solid(b) {
        return strongest;
    }
    let (exact_a, exact_b) = (exact_triangles(a, pose_a), exact_triangles(b, pose_b));
    let overlap = match (is_solid(a), is_solid(b)) {
        (true, true) => do_solids_overlap(&exact_a, &exact_b),
        (true, false) => is_surface_inside(&exact_b, &exact_a),
        _ => is_surface_inside(&exact_a, &exact_b),
    };
    if overlap { Relation::Overlapping } else { strongest.min(Relation::Touching) }
}

fn exact_triangles(mesh: &Mesh, pose: &Pose) -> Exact {
    (0..mesh.triangles().len()).map(|t| mesh.triangle(t).map(|p| posed(pose, p))).collect()
}

/// A box around each triangle in the world, with room for rounding.
pub(super) fn boxes(mesh: &Mesh, pose: &Pose) -> Vec<Aabb> {
    let size = mesh.bounds().min.abs().max(mesh.bounds().max.abs()).element_sum();
    let slack = 1e-14 * (size + pose.translation().abs().element_sum()) + f64::MIN_POSITIVE;
    let around = |t: usize| {
        let bounds = Aabb::around(mesh.triangle(t).map(|p| pose.apply(p))).expect("three corners");
        Aabb { min: bounds.min - slack, max: bounds.max + slack }
    };
    (0..mesh.triangles().len()).map(around).collect()
}

/// All pairs of triangles whose boxes in the world are not proved apart.
pub fn near_pairs(a: &Mesh, pose_a: &Pose, b: &Mesh, pose_b: &Pose) -> Vec<(u32, u32)> {
    let (boxes_a, boxes_b) = (boxes(a, pose_a), boxes(b, pose_b));
    let all = (0..boxes_a.len()).flat_map(|t| (0..boxes_b.len()).map(move |u| (t, u)));
    all.filter(|&(t, u)| boxes_a[t].meets(boxes_b[u])).map(|(t, u)| (t as u32, u as u32)).collect()
}

/// Whether a point off all triangles is inside both: some triangle has such points on a side of a cell.
fn do_solids_overlap(a: &Exact, b: &Exact) -> bool {
    let all: Exact = a.iter().chain(b).cloned().collect();
    all.iter().any(|face| {
        samples(face, &all).iter().any(|x| {
            let up = normal(face);
            [up.clone(), up.map(|x| -x)]
                .iter()
                .any(|side| winding(a, x, side) >= 1 && winding(b, x, side) >= 1)
        })
    })
}

/// Whether a cell of a surface has the inside of a solid on both sides.
fn is_surface_inside(surface: &Exact, solid: &Exact) -> bool {
    surface.iter().any(|face| {
        samples(face, solid).iter().any(|x| {
            let up = normal(face);
            [up.clone(), up.map(|x| -x)].iter().all(|side| winding(solid, x, side) >= 1)
        })
    })
}

/// How often triangles wind around the point infinitely close to `x` on a side of a face through it. A ray that meets
/// a rim is tried again in another direction.
fn winding(triangles: &Exact, x: &Rational3, side: &Rational3) -> i64 {
    let mut random = Random::new(1);
    loop {
        let mut tilt = || RBig::from(random.below(2001) as i64 - 1000);
        let by: Rational3 = [tilt(), tilt(), tilt()];
        let ray = moved(&by, side, &RBig::from(1 + random.below(1000)));
        if dot(&ray, side) > RBig::ZERO
            && let Some(winding) = winding_along(triangles, x, &ray)
        {
            return winding;
        }
    }
}

fn winding_along(triangles: &Exact, x: &Rational3, ray: &Rational3) -> Option<i64> {
    let mut winding = 0;
    for corners in triangles {
        let up = normal(corners);
        let (speed, height) = (dot(&up, ray), dot(&up, &minus(x, &corners[0])));
        if speed.is_zero() {
            return None;
        }
        let time = -height / &speed;
        // At time zero the face itself, and what coincides with it, is left behind.
        if time <= RBig::ZERO {
            continue;
        }
        let hit = moved(x, ray, &time);
        let side = |k: usize| {
            let along = minus(&corners[(k + 1) % 3], &corners[k]);
            dot(&up, &cross(&along, &minus(&hit, &corners[k])))
        };
        let sides = [side(0), side(1), side(2)];
        if sides.iter().any(|s| *s < RBig::ZERO) {
            continue;
        }
        if sides.iter().any(RBig::is_zero) {
            return None;
        }
        winding += if speed > RBig::ZERO { 1 } else { -1 };
    }
    Some(winding)
}

/// A point in each cell into which the planes of triangles, and the edges of those in its plane, cut a face.
fn samples(face: &[Rational3; 3], triangles: &Exact) -> Vec<Rational3> {
    let [p, q, r] = face;
    let (u, v) = (minus(q, p), minus(r, p));
    let up = normal(face);
    let mut lines: BTreeSet<[RBig; 3]> = BTreeSet::new();
    let mut add = |direction: &Rational3, at: &Rational3| {
        // direction . (p + s u + t v - at) = 0, scaled so that equal lines are equal.
        let line = [dot(direction, &u), dot(direction, &v), dot(direction, &minus(p, at))];
        let ends = [line[2].clone(), &line[2] + &line[0], &line[2] + &line[1]];
        let cuts = ends.iter().any(|x| *x > RBig::ZERO) && ends.iter().any(|x| *x < RBig::ZERO);
        if cuts && let Some(first) = line.iter().find(|x| !x.is_zero()).cloned() {
            lines.insert(line.map(|x| x / &first));
        }
    };
    for other in triangles {
        let direction = normal(other);
        let is_coplanar = is_zero(&cross(&up, &direction)) && dot(&up, &minus(&other[0], p)).is_zero();
        if !is_coplanar {
            add(&direction, &other[0]);
        } else {
            (0..3).for_each(|k| add(&cross(&up, &minus(&other[(k + 1) % 3], &other[k])), &other[k]));
        }
    }
    let lines: Vec<[RBig; 3]> = lines.into_iter().collect();
    let middles = |marks: BTreeSet<RBig>| -> Vec<RBig> {
        let marks: Vec<RBig> = marks.into_iter().collect();
        marks.windows(2).map(|pair| (&pair[0] + &pair[1]) / RBig::from(2)).collect()
    };
    let mut found = Vec::new();
    for s in middles(abscissas(&lines)) {
        let top = RBig::ONE - &s;
        let crossings = lines.iter().filter(|[_, b, _]| !b.is_zero()).map(|[a, b, c]| -(a * &s + c) / b);
        let inside = crossings.filter(|t| *t > RBig::ZERO && *t < top);
        let marks: BTreeSet<RBig> = inside.chain([RBig::ZERO, top.clone()]).collect();
        found.extend(middles(marks).into_iter().map(|t| moved(&moved(p, &u, &s), &v, &t)));
    }
    found
}

/// All `s` between 0 and 1 at which lines `a s + b t + c = 0` meet each other or the sides `t = 0` and `s + t = 1`.
fn abscissas(lines: &[[RBig; 3]]) -> BTreeSet<RBig> {
    let sides = [[RBig::ZERO, RBig::ONE, RBig::ZERO], [RBig::ONE, RBig::ONE, -RBig::ONE]];
    let mut found = BTreeSet::from([RBig::ZERO, RBig::ONE]);
    for (i, [a, b, c]) in lines.iter().enumerate() {
        for [d, e, f] in lines[..i].iter().chain(&sides) {
            let determinant = a * e - b * d;
            if !determinant.is_zero() {
                let s = (b * f - c * e) / determinant;
                if s > RBig::ZERO && s < RBig::ONE {
                    found.insert(s);
                }
            }
        }
        if b.is_zero() {
            found.insert(-c / a);
        }
    }
    found.retain(|s| *s >= RBig::ZERO && *s <= RBig::ONE);
    found
}

/// All contacts of two meshes, by trying every pair.
pub fn contacts(a: &Mesh, pose_a: &Pose, b: &Mesh, pose_b: &Pose) -> Vec<Contact> {
    let pairs = near_pairs(a, pose_a, b, pose_b).into_iter();
    let all = pairs.map(|(t, u)| Contact {
        triangles: [t, u],
        intersection: triangle::intersection(a.triangle(t as usize), pose_a, b.triangle(u as usize), pose_b),
    });
    all.filter(|contact| contact.intersection.relation() != Relation::Disjoint).collect()
}

/// What is tested: the contacts, then the relation.
pub(super) fn tested(a: &Mesh, pose_a: &Pose, b: &Mesh, pose_b: &Pose) -> MeshRelation {
    let (search_a, search_b) = (EveryTriangle(a), EveryTriangle(b));
    let body_a = Body { mesh: a, pose: pose_a, search: &search_a };
    let body_b = Body { mesh: b, pose: pose_b, search: &search_b };
    solid::relation(&body_a, &body_b, &contacts(a, pose_a, b, pose_b))
}

/// Convex solids and polygons, whose relation as polytopes is known.
pub fn compare_convex(random: &mut Random) -> Result<(), String> {
    let family = Family::any(random);
    let ((a, pose_a), (b, pose_b)) = two_bodies(family, 7, random);
    let mesh = |soup: TriangleSoup| Mesh::build(&soup, &MeshConfig::default()).ok();
    let (Some(mesh_a), Some(mesh_b)) = (mesh(a.to_soup()), mesh(b.to_soup())) else { return Ok(()) };
    if mesh_a.kind() == MeshKind::Surface && mesh_b.kind() == MeshKind::Surface {
        return Ok(());
    }
    let want = convex::relation(&PosedPair { a: &a, pose_a: &pose_a, b: &b, pose_b: &pose_b });
    let context = || format!("{family:?} {:?} {pose_a:?} {:?} {pose_b:?}", a.vertices(), b.vertices());
    same(tested(&mesh_a, &pose_a, &mesh_b, &pose_b).relation, want, context)
}

/// Convex solids and segments.
pub fn compare_convex_and_segments(random: &mut Random) -> Result<(), String> {
    let family = Family::any(random);
    let ((a, pose_a), (_, pose_b)) = two_bodies(family, 7, random);
    let Ok(mesh) = Mesh::build(&a.to_soup(), &MeshConfig::default()) else { return Ok(()) };
    if mesh.kind() == MeshKind::Surface {
        return Ok(());
    }
    let vertex = |random: &mut Random| a.vertices()[random.below(a.vertices().len() as u64) as usize];
    let mut end = || match random.below(3) {
        0 => family.bounded_point(random),
        1 => vertex(random),
        _ => 0.5 * vertex(random) + 0.5 * vertex(random),
    };
    let ends = [end(), end()];
    let segment = Polytope::hull(&ends).expect("bounded points");
    let want = convex::relation(&PosedPair { a: &a, pose_a: &pose_a, b: &segment, pose_b: &pose_b });
    let search = EveryTriangle(&mesh);
    let body = Body { mesh: &mesh, pose: &pose_a, search: &search };
    let context = || format!("{family:?} {:?} {pose_a:?} {ends:?} {pose_b:?}", a.vertices());
    same(solid::segment_relation(&body, ends, &pose_b), want, context)
}

/// Tetrahedra on a small lattice, one to three in a mesh, crossing and touching as they like.
pub fn compare_tetrahedra(random: &mut Random) -> Result<(), String> {
    // One case in sixteen: rational numbers are slow.
    if random.below(16) != 0 {
        return Ok(());
    }
    let (Some(a), Some(b)) = (tetrahedra(random), tetrahedra(random)) else { return Ok(()) };
    let quaternion = DQuat::from_array(std::array::from_fn(|_| random.range(0.1, 1.0)));
    let pose = Pose::from_quaternion(quaternion, DVec3::ONE).expect("a rotation");
    let pose = [Pose::IDENTITY, pose][random.below(2) as usize];
    let context = || format!("{:?} {:?} {pose:?}", a.to_soup(), b.to_soup());
    same(tested(&a, &pose, &b, &pose).relation, relation(&a, &pose, &b, &pose), context)
}

/// Tetrahedra that all face outward; `None` if repair changed something.
fn tetrahedra(random: &mut Random) -> Option<Mesh> {
    let mut soup = TriangleSoup::default();
    let number = |random: &mut Random| random.below(4) as f64;
    for _ in 0..1 + random.below(3) {
        let [p, q, r, s] =
            std::array::from_fn(|_| DVec3::new(number(random), number(random), number(random)));
        let volume = (q - p).cross(r - p).dot(s - p);
        let corners = if volume > 0.0 { [p, r, q, s] } else { [p, q, r, s] };
        if volume != 0.0 {
            let first = soup.positions.len() as u32;
            soup.positions.extend(corners);
            let faces = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]];
            soup.triangles.extend(faces.map(|face: [u32; 3]| face.map(|corner| first + corner)));
        }
    }
    let mesh = Mesh::build(&soup, &MeshConfig::default()).ok()?;
    (mesh.kind() == MeshKind::Solid && mesh.report().flipped.is_empty()).then_some(mesh)
}

/// Pairs of triangles of a mesh that meet beyond their common vertices, by clipping.
pub fn compare_self_intersections(random: &mut Random) -> Result<(), String> {
    let mut soup = TriangleSoup::default();
    soup.positions.extend((0..5 + random.below(4)).map(|_| {
        DVec3::from_array(std::array::from_fn(|_| {
            random.below(3) as f64 + [0.0, 1e6][random.below(2) as usize]
        }))
    }));
    let mut corner = || random.below(soup.positions.len() as u64) as u32;
    soup.triangles.extend((0..6).map(|_| [corner(), corner(), corner()]));
    let Ok(mesh) = Mesh::build(&soup, &MeshConfig::default()) else { return Ok(()) };
    let count = mesh.triangles().len() as u32;
    let pairs: Vec<(u32, u32)> = (0..count).flat_map(|t| (0..t).map(move |u| (t, u))).collect();
    let found: Vec<[u32; 2]> =
        solid::self_intersections(&mesh, pairs.iter().copied()).map(|found| found.triangles).collect();
    let want: Vec<[u32; 2]> =
        pairs.into_iter().filter(|&(t, u)| meet_beyond(&mesh, t, u)).map(|(t, u)| [t, u]).collect();
    same(found, want, || format!("{:?}", mesh.to_soup()))
}

fn meet_beyond(mesh: &Mesh, t: u32, u: u32) -> bool {
    let exact = |t: u32| mesh.triangle(t as usize).map(|p| p.to_array().map(rational));
    let (a, b) = (mesh.triangles()[t as usize], mesh.triangles()[u as usize]);
    let shared = a.iter().filter(|vertex| b.contains(vertex)).count();
    shared == 3 || clip(&exact(t), &exact(u)).len() > shared
}
