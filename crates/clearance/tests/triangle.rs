//! Triangles: cases whose answers are plain to see, and what must not change them.

use clearance::glam::{DVec3, dvec3};
use clearance::math::Random;
use clearance::pair::{Feature, Relation};
use clearance::triangle::{distance, distance_below, intersection, locate, relation, within};
use clearance::{Pose, oracle};

type Triangle = [DVec3; 3];

const FLOOR: Triangle = [DVec3::ZERO, DVec3::new(4.0, 0.0, 0.0), DVec3::new(0.0, 4.0, 0.0)];
const FACE: Feature = Feature::Face([0, 1, 2]);

fn triangle(corners: [[f64; 3]; 3]) -> Triangle {
    corners.map(DVec3::from_array)
}

/// The other triangle, the relation and the number of corners of the intersection with the floor.
fn cases() -> Vec<(&'static str, Triangle, Relation, usize)> {
    use Relation::{Disjoint, Overlapping, Touching};
    let t = triangle;
    vec![
        ("pierces", t([[1., 1., -1.], [1., 1., 1.], [9., 9., 0.5]]), Overlapping, 2),
        ("pierces with an edge only", t([[1., 1., -1.], [1., 2., 1.], [1.5, 1., 1.]]), Overlapping, 2),
        ("crosses, a corner in the plane", t([[1., 1., 0.], [1., 3., 1.], [1., 3., -1.]]), Overlapping, 2),
        ("ends in the face", t([[1., 1., 0.], [1., 1., 1.], [2., 1., 1.]]), Touching, 1),
        ("ends on an edge", t([[2., 0., 0.], [2., 0., 1.], [2., -1., 1.]]), Touching, 1),
        ("ends on a corner", t([[4., 0., 0.], [5., 0., 1.], [5., 1., 1.]]), Touching, 1),
        ("stands on the face", t([[1., 1., 0.], [2., 1., 0.], [1., 1., 1.]]), Touching, 2),
        ("stands across an edge", t([[1., -1., 0.], [1., 1., 0.], [1., 0., 1.]]), Touching, 2),
        ("shares an edge", t([[0., 0., 0.], [4., 0., 0.], [0., 0., 4.]]), Touching, 2),
        ("shares a corner", t([[0., 0., 0.], [-4., 0., 0.], [0., 0., 4.]]), Touching, 1),
        ("edge over edge", t([[1., -1., 1.], [1., 1., -1.], [1., -2., -2.]]), Touching, 1),
        ("the same", FLOOR, Touching, 3),
        ("turned over", t([[0., 0., 0.], [0., 4., 0.], [4., 0., 0.]]), Touching, 3),
        ("inside it, in its plane", t([[1., 1., 0.], [2., 1., 0.], [1., 2., 0.]]), Touching, 3),
        ("a star with it", t([[3., 3., 0.], [-1., 2., 0.], [2., -1., 0.]]), Touching, 6),
        ("a corner of it, in its plane", t([[1., 1., 0.], [9., 1., 0.], [9., 9., 0.]]), Touching, 3),
        ("a quadrangle of it", t([[-1., 1., 0.], [9., 1., 0.], [9., 2., 0.]]), Touching, 4),
        (
            "beside it in its plane, along an edge",
            t([[1., 0., 0.], [9., 0., 0.], [1., -1., 0.]]),
            Touching,
            2,
        ),
        ("beside it in its plane, at a corner", t([[4., 0., 0.], [9., 0., 0.], [9., 1., 0.]]), Touching, 1),
        ("apart in its plane", t([[3., 3., 0.], [9., 1., 0.], [9., 9., 0.]]), Disjoint, 0),
        ("just above", t([[1., 1., 5e-324], [2., 1., 5e-324], [1., 2., 5e-324]]), Disjoint, 0),
        ("crosses the plane beside it", t([[3., 3., -1.], [3., 3., 1.], [9., 9., 0.]]), Disjoint, 0),
        ("crosses the line beside it", t([[5., 1., -1.], [5., 1., 1.], [9., 1., 0.]]), Disjoint, 0),
        ("a point of it, flat", t([[1., 1., 0.], [1., 1., 0.], [1., 1., 0.]]), Touching, 0),
        ("a needle through it, flat", t([[1., 1., -1.], [1., 1., 0.], [1., 1., 1.]]), Overlapping, 0),
        ("a needle in its plane, flat", t([[1., 1., 0.], [2., 2., 0.], [9., 9., 0.]]), Touching, 0),
        ("a needle beside it, flat", t([[5., 5., 0.], [6., 6., 0.], [9., 9., 0.]]), Disjoint, 0),
    ]
}

#[test]
fn plain_cases_are_as_they_look() {
    for (name, other, want, corners) in cases() {
        let found = intersection(FLOOR, &Pose::IDENTITY, other, &Pose::IDENTITY);
        assert_eq!((found.relation(), found.corners().len()), (want, corners), "{name}");
        let apart = distance(FLOOR, &Pose::IDENTITY, other, &Pose::IDENTITY);
        assert_eq!(apart.upper > 0.0, want == Relation::Disjoint, "{name}");
    }
}

/// The order of bodies and corners, the scale, where both are, and equal poses at two addresses change no answer.
#[test]
fn relations_do_not_depend_on_order_scale_and_place() {
    let turn = Pose::from_axis_angle(dvec3(1.0, -2.0, 0.5), 2.1, dvec3(3.0, 1e6, -7.0)).unwrap();
    for (name, other, want, corners) in cases() {
        for scale in [1.0, 2f64.powi(-20), 2f64.powi(20), 2f64.powi(-400), 2f64.powi(280)] {
            if name == "just above" && scale < 1.0 {
                continue;
            }
            let grown = |t: Triangle| t.map(|p| p * scale);
            for turns in 0..3 {
                let (mut a, mut b) = (grown(FLOOR), grown(other));
                a.rotate_left(turns);
                b.rotate_right(turns);
                for (pose_a, pose_b) in [(Pose::IDENTITY, Pose::IDENTITY), (turn, turn)] {
                    let found = intersection(a, &pose_a, b, &pose_b);
                    assert_eq!((found.relation(), found.corners().len()), (want, corners), "{name} {scale}");
                    assert_eq!(relation(b, &pose_b, a, &pose_a), want, "{name} {scale}");
                    b.swap(0, 1);
                }
            }
        }
    }
}

#[test]
fn corners_of_intersections_name_what_meets() {
    let features = |other: Triangle| -> Vec<(Feature, Feature, DVec3)> {
        let found = intersection(FLOOR, &Pose::IDENTITY, other, &Pose::IDENTITY);
        let mut named: Vec<_> =
            found.corners().iter().map(|c| (c.feature_a, c.feature_b, c.position)).collect();
        named.sort_by_key(|&(a, b, _)| (a, b));
        named
    };
    let standing = features(triangle([[1., -1., 0.], [1., 1., 0.], [1., 0., 1.]]));
    assert_eq!(
        standing,
        [
            (Feature::Edge([0, 1]), Feature::Edge([0, 1]), dvec3(1.0, 0.0, 0.0)),
            (FACE, Feature::Vertex(1), dvec3(1.0, 1.0, 0.0)),
        ]
    );
    let crossing = features(triangle([[1., 1., -1.], [1., 1., 1.], [9., 9., 0.5]]));
    assert_eq!(
        crossing.iter().map(|c| (c.0, c.1)).collect::<Vec<_>>(),
        [(Feature::Edge([1, 2]), FACE), (FACE, Feature::Edge([0, 1])),]
    );
    assert_eq!(crossing[1].2, dvec3(1.0, 1.0, 0.0));
}

#[test]
fn a_point_is_located_on_a_triangle_under_a_pose() {
    let turn = Pose::from_axis_angle(dvec3(1.0, -2.0, 0.5), 2.1, dvec3(3.0, 1e6, -7.0)).unwrap();
    let corners = FLOOR.map(|p| turn.at(p));
    let at = |x, y, z| locate(corners, turn.at(dvec3(x, y, z)));
    assert_eq!(at(1.0, 1.0, 0.0), Some(FACE));
    assert_eq!(at(2.0, 2.0, 0.0), Some(Feature::Edge([1, 2])));
    assert_eq!(at(0.0, 4.0, 0.0), Some(Feature::Vertex(2)));
    assert_eq!(at(2.0, 2.0f64.next_up(), 0.0), None);
    assert_eq!(at(1.0, 1.0, 1e-300), None);
    assert_eq!(locate([corners[0], corners[1], corners[1]], corners[0]), None, "flat");
}

#[test]
fn distances_know_their_points_and_features() {
    let found = |other: Triangle| {
        let found = distance(FLOOR, &Pose::IDENTITY, other, &Pose::IDENTITY);
        assert!(found.upper - found.lower <= 1e-12 * found.upper);
        found
    };
    let over = found(triangle([[1., 1., 2.], [1., 1., 3.], [2., 1., 3.]]));
    assert_eq!((over.feature_a, over.feature_b), (FACE, Feature::Vertex(0)));
    assert!(over.lower <= 2.0 && 2.0 <= over.upper && (over.point_a - dvec3(1., 1., 0.)).length() < 1e-15);
    let across = found(triangle([[2., -2., 1.], [2., -2., -1.], [2., -9., 0.]]));
    assert_eq!((across.feature_a, across.feature_b), (Feature::Edge([0, 1]), Feature::Edge([0, 1])));
    let corner = found(triangle([[7., 0., 4.], [9., 0., 9.], [9., 1., 9.]]));
    assert_eq!((corner.feature_a, corner.feature_b), (Feature::Vertex(1), Feature::Vertex(0)));
    assert!(corner.lower <= 5.0 && 5.0 <= corner.upper);
}

/// Every stage is passed through: floats, twice the precision, integers.
#[test]
fn distances_stay_narrow_down_to_contact() {
    let pose = Pose::from_axis_angle(dvec3(1.0, 2.0, 3.0), 1.0, dvec3(1e6, 2e6, -3e6)).unwrap();
    for exponent in [0, -5, -12, -20, -30, -45, -60, -200, -1000] {
        let gap = 2f64.powi(exponent);
        let other = triangle([[1., 1., gap], [1., 2., 1.], [2., 1., 1.]]);
        let plain = distance(FLOOR, &Pose::IDENTITY, other, &Pose::IDENTITY);
        assert!(plain.lower <= gap && gap <= plain.upper, "2^{exponent}");
        let posed = distance(FLOOR, &pose, other, &pose);
        for found in [plain, posed] {
            assert!(found.upper - found.lower <= 1e-12 * found.upper, "2^{exponent}: {found:?}");
        }
        assert!(within(FLOOR, &Pose::IDENTITY, other, &Pose::IDENTITY, gap), "2^{exponent}");
        assert!(!within(FLOOR, &Pose::IDENTITY, other, &Pose::IDENTITY, gap.next_down()), "2^{exponent}");
    }
}

#[test]
fn a_limit_ends_the_search_early_and_never_hides_a_nearer_pair() {
    let other = triangle([[1., 1., 2.], [1., 1., 3.], [2., 1., 3.]]);
    let below = |limit| distance_below(FLOOR, &Pose::IDENTITY, other, &Pose::IDENTITY, limit);
    assert_eq!(below(1.999), None);
    assert_eq!(below(2.0), Some(distance(FLOOR, &Pose::IDENTITY, other, &Pose::IDENTITY)));
    assert_eq!(below(-1.0), None);
    assert_eq!(below(f64::NAN), None);
}

/// Not the input of any mesh, but nothing to fall over either.
#[test]
fn numbers_that_are_none_give_no_information_and_no_panic() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX] {
        let broken = triangle([[bad, 0., 0.], [1., bad, 0.], [0., 1., 1.]]);
        let _ = intersection(FLOOR, &Pose::IDENTITY, broken, &Pose::IDENTITY);
        let found = distance(FLOOR, &Pose::IDENTITY, broken, &Pose::IDENTITY);
        assert_eq!((found.lower, found.upper), (0.0, f64::INFINITY));
        assert!(!within(FLOOR, &Pose::IDENTITY, broken, &Pose::IDENTITY, 1.0));
    }
}

/// The families that the comparisons draw from reach every kind of contact.
#[test]
fn random_triangles_meet_in_every_way() {
    let mut counts = std::collections::BTreeMap::new();
    for seed in 0..3_000 {
        let (_, a, pose_a, b, pose_b) = oracle::triangle::two_triangles(&mut Random::new(seed));
        let found = intersection(a, &pose_a, b, &pose_b);
        *counts.entry((found.relation(), found.corners().len())).or_insert(0) += 1;
    }
    for (relation, corners) in [
        (Relation::Disjoint, 0),
        (Relation::Overlapping, 2),
        (Relation::Touching, 1),
        (Relation::Touching, 2),
        (Relation::Touching, 3),
        (Relation::Touching, 4),
    ] {
        assert!(
            counts.get(&(relation, corners)).is_some_and(|&n| n >= 5),
            "{relation:?} {corners}: {counts:?}"
        );
    }
}
