//! Pairs of meshes through their trees: answers are those of trying every pair of triangles.

use clearance::Pose;
use clearance::glam::{DQuat, DVec3};
use clearance::math::Random;
use clearance::mesh::{self, MeshCache, TreeMesh};
use clearance::oracle::mesh_pair;
use clearance::pair::Relation;
use clearance::shape::sample::{bumpy_sphere, icosphere, random_direction, torus};
use clearance::shape::{KindChoice, Mesh, MeshConfig, MeshKind, TriangleSoup};
use clearance::solid::{self, Body, Contact, EveryTriangle, MeshRelation};
use clearance::triangle;

fn build(soup: &TriangleSoup, kind: KindChoice) -> TreeMesh {
    let config = MeshConfig { kind, ..MeshConfig::default() };
    TreeMesh::new(Mesh::build(soup, &config).expect("a mesh"))
}

fn solid(soup: &TriangleSoup) -> TreeMesh {
    build(soup, KindChoice::Detect)
}

/// An axis-aligned box between two corners, as twelve triangles facing outward.
fn cuboid(low: DVec3, high: DVec3) -> TriangleSoup {
    let positions = (0..8)
        .map(|i| {
            DVec3::from_array(std::array::from_fn(|axis| if i >> axis & 1 == 1 { high } else { low }[axis]))
        })
        .collect();
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    TriangleSoup { positions, triangles, parts: vec![] }
}

/// Two soups as one mesh.
fn both(a: &TriangleSoup, b: &TriangleSoup, turn_over: bool) -> TriangleSoup {
    let mut sum = a.clone();
    let first = sum.positions.len() as u32;
    sum.positions.extend(&b.positions);
    sum.triangles.extend(b.triangles.iter().map(|t| {
        let [p, q, r] = t.map(|v| v + first);
        if turn_over { [p, r, q] } else { [p, q, r] }
    }));
    sum
}

fn brute_contacts(a: &TreeMesh, pose_a: &Pose, b: &TreeMesh, pose_b: &Pose) -> Vec<Contact> {
    mesh_pair::contacts(a.mesh(), pose_a, b.mesh(), pose_b)
}

fn brute_relation(a: &TreeMesh, pose_a: &Pose, b: &TreeMesh, pose_b: &Pose) -> MeshRelation {
    let (search_a, search_b) = (EveryTriangle(a.mesh()), EveryTriangle(b.mesh()));
    let body_a = Body { mesh: a.mesh(), pose: pose_a, search: &search_a };
    let body_b = Body { mesh: b.mesh(), pose: pose_b, search: &search_b };
    solid::relation(&body_a, &body_b, &brute_contacts(a, pose_a, b, pose_b))
}

/// The least bracket over all pairs of triangles.
fn brute_distance(a: &TreeMesh, pose_a: &Pose, b: &TreeMesh, pose_b: &Pose) -> (f64, f64) {
    let mut least = (f64::INFINITY, f64::INFINITY);
    for t in 0..a.mesh().triangles().len() {
        for u in 0..b.mesh().triangles().len() {
            let (x, y) = (a.mesh().triangle(t), b.mesh().triangle(u));
            if let Some(found) = triangle::distance_below(x, pose_a, y, pose_b, least.1) {
                least = (least.0.min(found.lower), least.1.min(found.upper));
            }
        }
    }
    least
}

/// All queries of a pair agree with brute force and with each other, fresh and with a cache used before.
fn check(a: &TreeMesh, pose_a: &Pose, b: &TreeMesh, pose_b: &Pose, cache: &mut MeshCache) -> Relation {
    let want = brute_relation(a, pose_a, b, pose_b);
    assert_eq!(mesh::relation(a, pose_a, b, pose_b), want);
    assert_eq!(mesh::relation_with(a, pose_a, b, pose_b, cache), want);
    assert_eq!(mesh::relation(b, pose_b, a, pose_a).relation, want.relation, "swapped");
    let meet = want.relation != Relation::Disjoint;
    assert_eq!(mesh::collides(a, pose_a, b, pose_b, cache), meet);
    let contacts = mesh::contacts(a, pose_a, b, pose_b);
    assert_eq!(contacts, brute_contacts(a, pose_a, b, pose_b));
    let (lower, upper) = if meet { (0.0, 0.0) } else { brute_distance(a, pose_a, b, pose_b) };
    for found in [mesh::distance(a, pose_a, b, pose_b), mesh::distance_with(a, pose_a, b, pose_b, cache)] {
        assert!(found.lower <= upper && lower <= found.upper, "{found:?} beside [{lower}, {upper}]");
        assert!(found.upper - found.lower <= 1e-12 * found.upper, "{found:?}");
        let gap = (found.point_a - found.point_b).length();
        assert!(meet || (gap - upper).abs() <= 1e-9 * (upper + a.mesh().bounds().extent().length()));
    }
    if meet {
        assert!(mesh::within_with(a, pose_a, b, pose_b, 0.0, cache));
    } else {
        assert!(!mesh::within_with(a, pose_a, b, pose_b, lower * (1.0 - 1e-9), cache));
        assert!(mesh::within_with(a, pose_a, b, pose_b, upper * (1.0 + 1e-9), cache));
    }
    let bound = mesh::lower_bound(a, pose_a, b, pose_b, 100, cache);
    assert!((0.0..=upper).contains(&bound), "{bound} {upper}");
    want.relation
}

fn posed(random: &mut Random, along: DVec3) -> Pose {
    let turn = DQuat::from_axis_angle(random_direction(random), random.range(0.0, 3.1));
    Pose::from_quaternion(turn, along).expect("a pose")
}

#[test]
fn random_poses_of_solids_and_surfaces_agree_with_brute_force() {
    let mut random = Random::new(1);
    let mut seen = [0; 3];
    for scale in [1.0, 2f64.powi(-20), 2f64.powi(20)] {
        let scaled = |mut soup: TriangleSoup| {
            soup.positions.iter_mut().for_each(|p| *p *= scale);
            soup
        };
        let ring = scaled(torus(1.0, 0.3, 12, 6).unwrap());
        let ball = scaled(bumpy_sphere(0.5, 0.1, 3, 3).unwrap());
        let open = TriangleSoup { triangles: ring.triangles[..90].to_vec(), ..ring.clone() };
        let bodies = [solid(&ring), solid(&ball), build(&open, KindChoice::Surface)];
        for a in &bodies {
            for b in &bodies {
                let mut cache = MeshCache::default();
                for _ in 0..6 {
                    let along = random_direction(&mut random) * (random.range(0.0, 2.2) * scale);
                    let pose_a = posed(&mut random, DVec3::splat(1e3 * scale));
                    let pose_b = posed(&mut random, DVec3::splat(1e3 * scale) + along);
                    seen[check(a, &pose_a, b, &pose_b, &mut cache) as usize] += 1;
                }
            }
        }
    }
    assert!(seen[0] > 20 && seen[2] > 20, "{seen:?}");
}

#[test]
fn degenerate_contacts_are_decided() {
    let unit = solid(&cuboid(DVec3::ZERO, DVec3::ONE));
    let large = solid(&cuboid(DVec3::ZERO, DVec3::splat(3.0)));
    let shell = both(
        &cuboid(DVec3::splat(-2.0), DVec3::splat(3.0)),
        &cuboid(DVec3::splat(-1.0), DVec3::splat(2.0)),
        true,
    );
    let shell = solid(&shell);
    assert_eq!(shell.mesh().kind(), MeshKind::Solid);
    let cases: &[(&TreeMesh, &TreeMesh, DVec3, Relation)] = &[
        (&unit, &unit, DVec3::ZERO, Relation::Overlapping),
        (&unit, &unit, DVec3::X, Relation::Touching),
        (&unit, &unit, DVec3::new(1.0, 1.0, 0.0), Relation::Touching),
        (&unit, &unit, DVec3::ONE, Relation::Touching),
        (&unit, &unit, DVec3::new(1.0, 0.5, 0.25), Relation::Touching),
        (&unit, &unit, DVec3::new(0.5, 0.0, 0.0), Relation::Overlapping),
        (&unit, &unit, DVec3::new(1.0 + f64::EPSILON, 0.0, 0.0), Relation::Disjoint),
        (&large, &unit, DVec3::ZERO, Relation::Overlapping),
        (&large, &unit, DVec3::ONE, Relation::Overlapping),
        (&large, &unit, DVec3::new(2.0, 1.0, 1.0), Relation::Overlapping),
        (&large, &unit, DVec3::new(3.0, 1.0, 1.0), Relation::Touching),
        (&shell, &unit, DVec3::ZERO, Relation::Disjoint),
        (&shell, &unit, DVec3::X, Relation::Touching),
        (&shell, &unit, DVec3::splat(-1.0), Relation::Touching),
        (&shell, &unit, DVec3::new(1.5, 0.0, 0.0), Relation::Overlapping),
    ];
    let quarter = Pose::from_rows([0., -1., 0., 0., 1., 0., 0., 0., 0., 0., 1., 0.]).unwrap();
    for (i, &(a, b, by, want)) in cases.iter().enumerate() {
        for offset in [0.0, 1048576.0] {
            let pose_a = Pose::from_translation(DVec3::splat(offset)).unwrap();
            let pose_b = Pose::from_translation(DVec3::splat(offset) + by).unwrap();
            if offset > 0.0 && by.x.fract() != 0.0 && by.x.fract() < 0.1 {
                continue;
            }
            assert_eq!(check(a, &pose_a, b, &pose_b, &mut MeshCache::default()), want, "case {i}");
        }
        let (pose_a, pose_b) = (quarter, quarter * Pose::from_translation(by).unwrap());
        assert_eq!(check(a, &pose_a, b, &pose_b, &mut MeshCache::default()), want, "case {i} turned");
    }
    let enclosed =
        mesh::relation(&large, &Pose::IDENTITY, &unit, &Pose::from_translation(DVec3::ONE).unwrap());
    assert_eq!(enclosed.enclosed, Some(clearance::witness::Side::B));
}

/// parry answers "intersecting" and "distance 0" here.
#[test]
fn fine_spheres_a_hundredth_apart_are_apart() {
    for (frequency, least) in [(41, 32_512), (81, 130_560)] {
        let ball = solid(&icosphere(1.0, frequency).unwrap());
        assert!(ball.mesh().triangles().len() >= least);
        let away = Pose::from_translation(DVec3::new(2.01, 0.0, 0.0)).unwrap();
        let (a, b) = (Pose::IDENTITY, away);
        assert_eq!(mesh::relation(&ball, &a, &ball, &b).relation, Relation::Disjoint);
        let found = mesh::distance(&ball, &a, &ball, &b);
        assert!(found.lower >= 0.0099 && found.upper <= 0.0125, "{found:?}");
        assert!(mesh::within(&ball, &a, &ball, &b, found.upper));
        assert!(!mesh::within(&ball, &a, &ball, &b, found.lower * (1.0 - 1e-9)));
    }
}

#[test]
fn a_cache_of_another_pair_changes_nothing() {
    let (ring, ball) = (solid(&torus(1.0, 0.3, 12, 6).unwrap()), solid(&icosphere(0.5, 2).unwrap()));
    let mut cache = MeshCache::default();
    let near = Pose::from_translation(DVec3::X).unwrap();
    check(&ring, &Pose::IDENTITY, &ring, &near, &mut cache);
    check(&ball, &Pose::IDENTITY, &ring, &near, &mut cache);
    check(&ring, &Pose::IDENTITY, &ball, &Pose::IDENTITY, &mut cache);
}

/// Slow enough that the nearest triangles stay the same for some frames, at every size of a gap.
#[test]
fn distances_of_slow_motion_agree_with_brute_force() {
    let ring = solid(&torus(1.0, 0.3, 12, 6).unwrap());
    let block = solid(&cuboid(DVec3::splat(-0.4), DVec3::new(0.4, 0.5, 0.6)));
    let mut random = Random::new(9);
    let [mut cold, mut warm] = [0, 0];
    for (a, b) in [(&ring, &block), (&block, &block), (&ring, &ring)] {
        for wanted in [0.3, 1e-3, 1e-9, 0.0] {
            let (pose_a, along) = (posed(&mut random, DVec3::ZERO), random_direction(&mut random));
            let turn = posed(&mut random, DVec3::ZERO).rotation();
            let at = |t: f64| Pose::new(turn, along * t).expect("a pose");
            // From afar as near as is wanted.
            let mut t = 5.0;
            for _ in 0..200 {
                t -= (mesh::distance(a, &pose_a, b, &at(t)).upper - wanted).max(0.0);
            }
            let mut cache = MeshCache::default();
            for frame in 0..16 {
                let step = [0.0, 1e-6, 1e-3][frame / 4 % 3] * (frame % 4) as f64;
                let spin = DQuat::from_axis_angle(along, step);
                let pose_b = Pose::from_quaternion(spin * DQuat::from_mat3(&turn), along * (t + 0.1 * step));
                let pose_b = pose_b.expect("a pose");
                let before = cache.stats().visits;
                let found = mesh::distance_with(a, &pose_a, b, &pose_b, &mut cache);
                warm += cache.stats().visits - before;
                let mut fresh = MeshCache::default();
                mesh::distance_with(a, &pose_a, b, &pose_b, &mut fresh);
                cold += fresh.stats().visits;
                let meet = !brute_contacts(a, &pose_a, b, &pose_b).is_empty();
                let (lower, upper) = if meet { (0.0, 0.0) } else { brute_distance(a, &pose_a, b, &pose_b) };
                assert!(found.lower <= upper && lower <= found.upper, "{found:?} beside [{lower}, {upper}]");
                assert!(found.upper - found.lower <= 1e-12 * found.upper, "{found:?}");
            }
        }
    }
    assert!(3 * warm < 2 * cold, "{warm} beside {cold}");
}

#[test]
fn the_mesh_of_a_polytope_has_its_relations() {
    use clearance::pair;
    use clearance::shape::sample::{PolytopeKind, random_polytope};
    use clearance::support::SupportMap;
    let mut random = Random::new(4);
    for seed in 0..12 {
        let polytopes = [1, 2].map(|k| random_polytope(PolytopeKind::Plate, 16, 10 * seed + k).unwrap());
        let meshes = [0, 1].map(|k| TreeMesh::from_polytope(&polytopes[k]).unwrap());
        let maps = polytopes.map(SupportMap::new);
        for _ in 0..8 {
            let along = random_direction(&mut random) * random.range(0.0, 2.0);
            let (pose_a, pose_b) = (posed(&mut random, DVec3::ZERO), posed(&mut random, along));
            let want = pair::relation(&maps[0], &pose_a, &maps[1], &pose_b);
            assert_eq!(mesh::relation(&meshes[0], &pose_a, &meshes[1], &pose_b).relation, want);
            let far = pair::distance(&maps[0], &pose_a, &maps[1], &pose_b);
            let found = mesh::distance(&meshes[0], &pose_a, &meshes[1], &pose_b);
            assert!(found.lower <= far.upper && far.lower <= found.upper, "{found:?} {far:?}");
        }
    }
}
