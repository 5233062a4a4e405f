//! Compounds: the strongest over all pairs of parts, by brute force; caches change speed, never an answer.

use clearance::Pose;
use clearance::compound::{
    Compound, CompoundCache, CompoundError, Part, collides, collides_with, distance, distance_with, relation,
    relation_with, within, within_with,
};
use clearance::glam::{DQuat, DVec3};
use clearance::math::Random;
use clearance::oracle::compound::{
    angle, any_compound, any_pose, as_mesh, brute_force, chain, compound, cuboid, fork, grid_pose, polytope,
    ring, ring_mesh,
};
use clearance::pair::{self, Relation};
use clearance::shape::sample::{circle_point, random_direction};
use clearance::shape::{Polytope, SoupPart, TriangleSoup};
use clearance::support::SupportMap;

/// All queries, with a cache of any content, against brute force.
fn check(a: &Compound, pose_a: &Pose, b: &Compound, pose_b: &Pose, cache: &mut CompoundCache) -> Relation {
    let (truth, [lower, upper]) = brute_force(a, pose_a, b, pose_b);
    assert_eq!(relation_with(a, pose_a, b, pose_b, cache), truth);
    assert_eq!(collides_with(a, pose_a, b, pose_b, cache), truth != Relation::Disjoint);
    let found = distance_with(a, pose_a, b, pose_b, cache);
    assert!(found.lower <= upper && lower <= found.upper, "{found:?} against {lower:e} to {upper:e}");
    assert!(found.lower <= found.upper && found.upper - found.lower <= 1.01e-12 * found.upper, "{found:?}");
    assert_eq!(found.upper == 0.0, truth != Relation::Disjoint);
    let between = (found.point_a - found.point_b).length();
    assert!((between - found.upper).abs() <= 1e-9 * (between + found.point_a.abs().max_element()));
    assert!(within_with(a, pose_a, b, pose_b, upper, cache));
    assert!(upper == 0.0 || !within_with(a, pose_a, b, pose_b, lower * (1.0 - 1e-11), cache));
    assert!(!within_with(a, pose_a, b, pose_b, -1.0, cache) && !within(a, pose_a, b, pose_b, f64::NAN));
    truth
}

#[test]
fn random_compounds_have_the_relation_of_their_strongest_parts() {
    let mut random = Random::new(11);
    // Used for all pairs: nothing in it ever fits.
    let mut poisoned = CompoundCache::default();
    let mut small = CompoundCache::with_limit(3);
    let mut seen = [0; 3];
    for case in 0..240 {
        let scale = 2f64.powi([0, -20, 20][case % 3]);
        let (a, b) = (any_compound(&mut random, scale), any_compound(&mut random, scale));
        let place = if random.below(3) == 0 { any_pose } else { grid_pose };
        let (pose_a, pose_b) = (place(&mut random, scale), place(&mut random, scale));
        let mut warm = CompoundCache::default();
        let truth = check(&a, &pose_a, &b, &pose_b, &mut warm);
        for cache in [&mut warm, &mut poisoned, &mut small] {
            check(&a, &pose_a, &b, &pose_b, cache);
        }
        assert_eq!(relation(&b, &pose_b, &a, &pose_a), truth, "swapped");
        seen[truth as usize] += 1;
    }
    assert!(seen.iter().all(|&count| count > 12), "all relations occur: {seen:?}");
    assert!(small.pairs() <= 3);
}

#[test]
fn angles_touch_face_to_face_and_forks_interlock_without_contact() {
    for exponent in [-20, 0, 20] {
        let scale = 2f64.powi(exponent);
        let at = |x: f64, y: f64| Pose::from_translation(DVec3::new(x, y, 0.0) * scale).unwrap();
        // A half turn about z, exactly.
        let turned = |x: f64, y: f64| {
            Pose::from_rows([-1., 0., 0., x * scale, 0., -1., 0., y * scale, 0., 0., 1., 0.]).unwrap()
        };
        let (angle, fork) = (angle(scale), fork(scale));
        let of =
            |b: &Compound, pose: &Pose| check(b, &Pose::IDENTITY, b, pose, &mut CompoundCache::default());
        // The arms of each lie in the corner of the other.
        assert_eq!(of(&angle, &turned(4.0, 2.0)), Relation::Touching);
        assert_eq!(of(&angle, &turned(4.0, 2.0 - f64::EPSILON)), Relation::Overlapping);
        assert_eq!(of(&angle, &at(3.0, 0.0)), Relation::Touching);
        assert_eq!(of(&angle, &at(1.0, 1.0)), Relation::Touching);
        assert_eq!(of(&angle, &at(1.0, 1.0 + f64::EPSILON)), Relation::Touching);
        assert_eq!(of(&angle, &at(1.5, 1.5)), Relation::Disjoint);
        // Prongs as wide as the gaps fill them; beside each other they hook without contact.
        assert_eq!(of(&fork, &turned(4.0, 5.5)), Relation::Touching);
        let slim = compound(vec![
            cuboid([0.0; 3], [3.0, 0.5, 1.0], scale),
            cuboid([0.0; 3], [0.5, 4.0, 1.0], scale),
            cuboid([2.5, 0.0, 0.0], [3.0, 4.0, 1.0], scale),
        ]);
        let hooked = turned(4.5, 5.0);
        assert_eq!(of(&slim, &hooked), Relation::Disjoint);
        assert_eq!(pair::relation(slim.hull(), &Pose::IDENTITY, slim.hull(), &hooked), Relation::Overlapping);
    }
}

/// A chain link through a torus, not touching it; then a box that lies in its tube.
#[test]
fn meshes_take_part_with_their_own_trees() {
    let ring = compound(vec![ring_mesh(1.0), cuboid([3.0, 0.0, 0.0], [4.0, 1.0, 1.0], 1.0)]);
    let post = compound(vec![cuboid([-0.1, -0.1, -2.0], [0.1, 0.1, 2.0], 1.0)]);
    let mut cache = CompoundCache::default();
    let at = |x: f64| Pose::from_translation(DVec3::X * x).unwrap();
    assert_eq!(check(&ring, &Pose::IDENTITY, &post, &at(0.0), &mut cache), Relation::Disjoint);
    assert_eq!(distance(&ring, &Pose::IDENTITY, &post, &at(0.0)).parts, [0, 0]);
    assert_eq!(check(&ring, &Pose::IDENTITY, &post, &at(1.0), &mut cache), Relation::Overlapping);
    let crumb = compound(vec![cuboid([0.95, -0.05, -0.05], [1.05, 0.05, 0.05], 1.0)]);
    assert_eq!(check(&ring, &Pose::IDENTITY, &crumb, &at(0.0), &mut cache), Relation::Overlapping);
    assert!(collides(&ring, &Pose::IDENTITY, &crumb, &at(2.0)));
    assert!(cache.stats().mesh_pairs > 0);
}

#[test]
fn the_tree_does_not_depend_on_chance_and_refuses_what_it_cannot_take() {
    assert!(matches!(Compound::new(vec![]), Err(CompoundError::NoParts)));
    let segment = polytope(&[DVec3::ZERO, DVec3::X]);
    let refused = Compound::new(vec![cuboid([0.0; 3], [1.0; 3], 1.0), segment]);
    assert_eq!(refused.err(), Some(CompoundError::TooThin { part: 1, dimension: 1 }));
    // The same part many times.
    let same = compound(vec![cuboid([0.0; 3], [1.0; 3], 1.0); 9]);
    assert_eq!(relation(&same, &Pose::IDENTITY, &same, &Pose::IDENTITY), Relation::Overlapping);
    let beside = Pose::from_translation(DVec3::X).unwrap();
    assert_eq!(relation(&same, &Pose::IDENTITY, &same, &beside), Relation::Touching);
    let (one, two) = (angle(1.0), angle(1.0));
    assert_eq!(one.hull().polytope(), two.hull().polytope());
    assert_eq!(one.parts().len(), 2);
}

/// Two rings of wedges, linked like those of a chain, that swing against each other without contact.
#[test]
fn coherent_frames_are_settled_by_what_is_remembered() {
    let (a, b) = (compound(ring(24, 1.0)), compound(ring(24, 1.0)));
    let mut cache = CompoundCache::default();
    let frames = 400;
    let mut fresh_pairs = 0;
    for frame in 0..frames {
        let swing = circle_point(f64::from(frame) / f64::from(frames)).y;
        let turn = DQuat::from_rotation_x(1.5 + 0.1 * swing) * DQuat::from_rotation_z(0.05 * swing);
        let pose_b = Pose::from_quaternion(turn, DVec3::new(1.0, 0.02 * swing, 0.0)).unwrap();
        let found = relation_with(&a, &Pose::IDENTITY, &b, &pose_b, &mut cache);
        assert_eq!(found, Relation::Disjoint, "frame {frame}");
        if frame % 50 == 0 {
            let mut fresh = CompoundCache::default();
            assert_eq!(relation_with(&a, &Pose::IDENTITY, &b, &pose_b, &mut fresh), found);
            fresh_pairs = fresh_pairs.max(fresh.stats().node_pairs);
        }
    }
    let stats = cache.stats();
    println!("{stats:?}, {} pairs, {} bytes, {fresh_pairs} pairs fresh", cache.pairs(), cache.bytes());
    assert!(stats.remembered * 100 >= stats.node_pairs * 95, "{stats:?}");
    // Far fewer than all pairs of parts.
    assert!(fresh_pairs < 24 * 24 / 2, "{fresh_pairs}");
    // Pairs that are no longer looked at are forgotten.
    let far = Pose::from_translation(DVec3::X * 9.0).unwrap();
    for _ in 0..200 {
        relation_with(&a, &Pose::IDENTITY, &b, &far, &mut cache);
    }
    assert_eq!(cache.pairs(), 1);
}

/// Hulls are measured to a hundredth only: parts nearer to each other than that must still be told apart.
#[test]
fn the_nearest_of_many_parts_at_almost_the_same_distance_is_found() {
    let mut random = Random::new(31);
    let (around, post) = (compound(ring(24, 1.0)), compound(ring(24, 0.25)));
    let mut cache = CompoundCache::default();
    for _ in 0..40 {
        let turn = DQuat::from_axis_angle(random_direction(&mut random), 0.01);
        let pose = Pose::from_quaternion(turn, random_direction(&mut random) * 1e-3).unwrap();
        check(&around, &Pose::IDENTITY, &post, &pose, &mut CompoundCache::default());
        check(&around, &Pose::IDENTITY, &post, &pose, &mut cache);
    }
}

/// Into each other and out again, in small steps and jumps: one memory for all frames.
#[test]
fn a_warm_memory_gives_the_answers_of_brute_force_in_every_frame() {
    let mut random = Random::new(23);
    let mut parts = chain(&mut random, 6, 1.0);
    parts.push(ring_mesh(1.0));
    let (a, b) = (compound(parts), compound(ring(7, 1.0).into_iter().chain([ring_mesh(0.5)]).collect()));
    let mut cache = CompoundCache::default();
    let (mut turn, mut towards, mut seen) = (DQuat::IDENTITY, DVec3::X, [0; 3]);
    for frame in 0..160 {
        let jump = if frame % 40 == 39 { 1.0 } else { 0.03 };
        towards = (towards + random_direction(&mut random) * jump).normalize();
        turn *= DQuat::from_axis_angle(random_direction(&mut random), jump);
        let at = towards * f64::from((frame % 80 - 40i32).abs()) * 0.09;
        let pose_b = Pose::from_quaternion(turn, at).unwrap();
        seen[check(&a, &Pose::IDENTITY, &b, &pose_b, &mut cache) as usize] += 1;
    }
    assert!(seen[0] > 20 && seen[2] > 20, "{seen:?}");
    let stats = cache.stats();
    assert!(stats.mesh_pairs > 0 && stats.remembered > 0, "{stats:?}");
}

/// A polytope is the same part as its surface as a solid mesh, alone or against anything with an inside.
#[test]
fn a_polytope_part_and_its_mesh_give_the_same_answers() {
    let mut random = Random::new(5);
    let block: Part = cuboid([-0.5; 3], [0.5; 3], 1.0);
    let as_polytope = compound(vec![block.clone()]);
    let as_solid = compound(vec![as_mesh(&block).into()]);
    let sheet = [DVec3::X, DVec3::Y, -DVec3::X, -DVec3::Y].map(|p| p * 0.5);
    let others = [angle(0.25), compound(vec![polytope(&sheet)]), compound(ring(5, 0.5))];
    let mut seen = [0; 3];
    for _ in 0..200 {
        for other in &others {
            let place = if random.below(2) == 0 { any_pose } else { grid_pose };
            let pose = place(&mut random, 0.5);
            let expected = relation(&as_polytope, &Pose::IDENTITY, other, &pose);
            assert_eq!(relation(&as_solid, &Pose::IDENTITY, other, &pose), expected);
            seen[expected as usize] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
}

#[test]
fn hulls_that_can_do_no_more_than_touch_are_not_opened_again() {
    let map = SupportMap::new(Polytope::hull(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]).unwrap());
    let many = compound(vec![map.into(); 64]);
    let mut cache = CompoundCache::default();
    let near = Pose::from_translation(DVec3::splat(0.5)).unwrap();
    assert_eq!(relation_with(&many, &Pose::IDENTITY, &many, &near, &mut cache), Relation::Disjoint);
    assert_eq!(cache.pairs(), 1);
    let touching = Pose::from_translation(DVec3::X).unwrap();
    assert_eq!(relation_with(&many, &Pose::IDENTITY, &many, &touching, &mut cache), Relation::Touching);
    // Down to the first parts, and their neighbours on the way: of 127 nodes each.
    assert!(cache.pairs() < 30, "{}", cache.pairs());
    assert!(cache.bytes() <= 1024 * cache.pairs(), "{} for {}", cache.bytes(), cache.pairs());
}

/// The definition: strongest over pairs of parts, and each box only touches what lies in its face.
#[test]
fn a_polygon_in_the_seam_of_two_parts_touches() {
    let boxes =
        compound(vec![cuboid([0.0; 3], [1.0; 3], 1.0), cuboid([1.0, 0.0, 0.0], [2.0, 1.0, 1.0], 1.0)]);
    let corners = [[0.25, 0.25], [0.75, 0.25], [0.5, 0.75]].map(|[y, z]| DVec3::new(1.0, y, z));
    let sheet = compound(vec![polytope(&corners)]);
    let of = |x: f64| {
        let pose = Pose::from_translation(DVec3::X * x).unwrap();
        check(&boxes, &Pose::IDENTITY, &sheet, &pose, &mut CompoundCache::default())
    };
    assert_eq!((of(0.0), of(f64::EPSILON)), (Relation::Touching, Relation::Overlapping));
}

#[test]
fn named_parts_of_a_soup_become_hulls() {
    let mut soup = TriangleSoup::default();
    for part in angle(1.0).parts() {
        let Part::Polytope(map) = part else { unreachable!("an angle is made of boxes") };
        let (one, first) = (map.polytope().to_soup(), soup.positions.len() as u32);
        let start = soup.triangles.len() as u32;
        soup.positions.extend(one.positions);
        soup.triangles.extend(one.triangles.iter().map(|corners| corners.map(|corner| corner + first)));
        let triangles = start..soup.triangles.len() as u32;
        soup.parts.push(SoupPart { name: String::new(), triangles });
    }
    let read = Compound::from_convex_parts(&soup).unwrap();
    assert_eq!(read.parts().len(), 2);
    let corner = Pose::from_translation(DVec3::new(1.5, 1.5, 0.0)).unwrap();
    assert_eq!(relation(&read, &Pose::IDENTITY, &angle(1.0), &corner), Relation::Disjoint);
    // Without names it is one convex body.
    let whole = Compound::from_convex_parts(&TriangleSoup { parts: vec![], ..soup.clone() }).unwrap();
    assert_eq!(relation(&whole, &Pose::IDENTITY, &angle(1.0), &corner), Relation::Overlapping);
    let refused = |change: fn(&mut TriangleSoup)| {
        let mut soup = soup.clone();
        change(&mut soup);
        Compound::from_convex_parts(&soup).err()
    };
    let bad = Some(CompoundError::BadTriangles { part: 1 });
    assert_eq!(refused(|soup| soup.parts[1].triangles.end += 1), bad);
    assert_eq!(refused(|soup| soup.parts[1].triangles.end = soup.parts[1].triangles.start), bad);
    assert_eq!(refused(|soup| soup.parts[1].triangles.end = 1), bad, "reversed");
    assert_eq!(refused(|soup| soup.triangles[13][2] = 99), bad);
    assert!(matches!(refused(|soup| soup.positions[0].x = f64::NAN), Some(CompoundError::Hull(_))));
}
