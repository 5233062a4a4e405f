//! The claims of Joseph87 as tests, by section; where its errata say that a printed claim is wrong, that it is.

use clearance::Pose;
use clearance::glam::{DVec3, dvec3};
use clearance::math::Random;
use clearance::oracle::point_sets::lattice;
use clearance::oracle::prism::TranslatingPair;
use clearance::pair::{Relation, relation};
use clearance::shape::sample::{PolytopeKind, bipyramid, cone, cube, disc, random_polytope, torus};
use clearance::shape::{Mesh, MeshConfig, Polytope};
use clearance::spacetime::lattice::{
    AlgorithmOneStats, Bound, Decision, FaceId, FaceLattice, LatticeError, Location, LocationStats, Motion,
    PrismHierarchy, PrismPart, PrismVertex, Rational, SegmentMeeting, Sense, SeparationStats, TimeEnd,
    Vector, algorithm_one, first_collision, first_collision_among, point_in_polytope,
    point_in_polytope_by_cases, prism, prism_of_motion, prism_part, segment_meets_facet, separation,
};
use clearance::support::SupportMap;

fn whole(x: i64) -> Rational {
    Rational::from(x)
}

fn exact(p: &[f64]) -> Vector {
    p.iter().map(|&x| Rational::try_from(x).unwrap()).collect()
}

fn of(polytope: &Polytope) -> FaceLattice {
    FaceLattice::from_polytope(polytope, &Pose::IDENTITY).unwrap()
}

fn tetrahedron() -> FaceLattice {
    of(&Polytope::hull(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]).unwrap())
}

fn box_of(min: DVec3, max: DVec3) -> Polytope {
    let corner = |i: usize| {
        let pick = |axis: usize| if i >> axis & 1 == 1 { max[axis] } else { min[axis] };
        dvec3(pick(0), pick(1), pick(2))
    };
    Polytope::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap()
}

fn moving(base: &FaceLattice, velocity: DVec3) -> FaceLattice {
    prism_of_motion(base, &Motion::new(velocity, 0.0..1.0).unwrap()).unwrap()
}

fn locate(polytope: &FaceLattice, point: &[Rational]) -> Location {
    point_in_polytope(polytope, point, &mut LocationStats::default())
}

/// The hull of a few points of a small grid: many of them share faces, edges and planes.
fn lattice_solid(random: &mut Random, size: u64) -> Polytope {
    loop {
        let count = 4 + random.below(5) as usize;
        let hull = Polytope::hull(&(0..count).map(|_| lattice(random, size)).collect::<Vec<_>>()).unwrap();
        if hull.dimension() == 3 {
            return hull;
        }
    }
}

/// A star with `2 n` corners, every second one close to the middle: as far from convex as polygons get.
fn star(n: usize) -> FaceLattice {
    let corner = |i: usize| {
        let turn = clearance::shape::sample::circle_point(i as f64 / (2 * n) as f64);
        let radius = if i.is_multiple_of(2) { 8.0 } else { 2.0 };
        // Whole numbers.
        [(radius * turn.x).round(), (radius * turn.y).round()]
    };
    FaceLattice::from_polygon(&(0..2 * n).map(corner).collect::<Vec<_>>()).unwrap()
}

/// A U in space: two towers on a base.
fn u_shape() -> FaceLattice {
    let outline = [[0., 0.], [3., 0.], [3., 3.], [2., 3.], [2., 1.], [1., 1.], [1., 3.], [0., 3.]];
    prism(&FaceLattice::from_polygon(&outline).unwrap(), &whole(0), &[0, 0, 1].map(whole)).unwrap()
}

// ---------------------------------------------------------------------------------------------- §3.1 Representation

/// §3.1: "the size of a triangle is six".
#[test]
fn section_3_1_incidences_measure_size() {
    let triangle = FaceLattice::from_polygon(&[[0., 0.], [1., 0.], [0., 1.]]).unwrap();
    assert_eq!((triangle.incidence_count(), triangle.face_count()), (6, 7));
    assert_eq!((tetrahedron().incidence_count(), tetrahedron().face_count()), (24, 15));
    let cube = of(&Polytope::hull(&cube(1.0).positions).unwrap());
    assert_eq!((cube.incidence_count(), cube.face_count()), (48, 27));
    assert_eq!(cube.volume(), whole(1));
    let star = star(5);
    assert_eq!(star.incidence_count(), 20);
    assert!(!star.is_convex() && cube.is_convex());
}

/// §2 and §3.5: faces times 3, erratum 3: incidences times 8 (in general times 2 (d + 1)); volumes are base times time.
#[test]
fn section_2_prisms_have_three_times_the_faces_and_eight_times_the_incidences() {
    let mut random = Random::new(1);
    let mut bases = vec![tetrahedron(), u_shape()];
    bases.extend((0..20).map(|_| of(&lattice_solid(&mut random, 4))));
    let torus = Mesh::build(&torus(4.0, 1.0, 5, 4).unwrap(), &MeshConfig::default()).unwrap();
    bases.push(FaceLattice::from_mesh(&torus, &Pose::IDENTITY).unwrap());
    for base in &bases {
        let way: Vector = [3, -1, 2, 5].map(whole).to_vec();
        let prism = prism(base, &whole(7), &way).unwrap();
        assert_eq!(prism.face_count(), 3 * base.face_count());
        assert_eq!(prism.incidence_count(), 8 * base.incidence_count());
        assert_eq!(prism.volume(), base.volume() * whole(5));
        assert_eq!(prism.is_convex(), base.is_convex());
    }
    assert_eq!(moving(&tetrahedron(), DVec3::X).incidence_count(), 192);
    let star = star(4);
    let solid = prism(&star, &whole(0), &[0, 0, 1].map(whole)).unwrap();
    assert_eq!(
        (solid.face_count(), solid.incidence_count()),
        (3 * star.face_count(), 6 * star.incidence_count())
    );
}

/// Parts of a prism lead back to its base.
#[test]
fn section_2_faces_of_a_prism_are_copies_or_swept() {
    let base = tetrahedron();
    let prism = moving(&base, DVec3::Y);
    for k in 0..=4 {
        for face in prism.faces(k) {
            let corners = prism.corners(face);
            let part = prism_part(&base, face);
            let of_base: Vec<u32> = base.corners(part.face());
            let end = |c: &u32| c + base.vertices().len() as u32;
            let ends: Vec<u32> = of_base.iter().map(end).collect();
            let want = match part {
                PrismPart::Start(_) => of_base,
                PrismPart::End(_) => ends,
                PrismPart::Swept(_) => [of_base, ends].concat(),
            };
            assert_eq!(corners, want);
        }
    }
}

/// What is no polytope is refused, with the culprit.
#[test]
fn section_3_1_the_constructor_refuses() {
    let points = |list: &[[i64; 2]]| list.iter().map(|p| p.map(whole).to_vec()).collect::<Vec<Vector>>();
    let square = points(&[[0, 0], [1, 0], [1, 1], [0, 1]]);
    let along = |face| Bound { face, sense: Sense::Along };
    let against = |face| Bound { face, sense: Sense::Against };
    let edges: Vec<Vec<Bound>> = (0..4).map(|i| vec![against(i), along((i + 1) % 4)]).collect();
    let around: Vec<Bound> = (0..4).map(along).collect();
    let face = |dimension, index| FaceId { dimension, index };
    assert!(FaceLattice::new(square.clone(), vec![edges.clone(), vec![around.clone()]]).is_ok());
    let refused = |vertices: &[Vector], lists: Vec<Vec<Vec<Bound>>>| {
        FaceLattice::new(vertices.to_vec(), lists).expect_err("not a polytope")
    };
    let open = around[..3].to_vec();
    assert_eq!(refused(&square, vec![edges.clone()]), LatticeError::NotOneWhole { count: 4 });
    let ridge = face(0, 0);
    assert_eq!(
        refused(&square, vec![edges.clone(), vec![open]]),
        LatticeError::RidgeNotShared { face: face(2, 0), ridge }
    );
    let turned = vec![along(0), along(1), against(2), along(3)];
    assert!(matches!(
        refused(&square, vec![edges.clone(), vec![turned]]),
        LatticeError::RidgeNotShared { .. }
    ));
    let clockwise: Vec<Bound> = (0..4).map(against).collect();
    assert_eq!(refused(&square, vec![edges.clone(), vec![clockwise]]), LatticeError::InsideOut);
    assert_eq!(
        refused(&square, vec![vec![vec![along(0), along(1)]], vec![vec![along(0)]]]),
        LatticeError::NotAnEdge { edge: 0 }
    );
    let line = points(&[[0, 0], [1, 1], [2, 2], [3, 3]]);
    assert_eq!(
        refused(&line, vec![edges.clone(), vec![around.clone()]]),
        LatticeError::NotFlat { face: face(2, 0), found: 1 }
    );
    let bow = points(&[[0, 0], [1, 1], [1, 0], [0, 1]]);
    assert_eq!(
        refused(&bow, vec![edges.clone(), vec![around.clone()]]),
        LatticeError::NoContent { face: face(2, 0) }
    );
    let five = [square.clone(), points(&[[5, 5]])].concat();
    assert_eq!(
        refused(&five, vec![edges.clone(), vec![around.clone()]]),
        LatticeError::Unused { face: face(0, 4) }
    );
    let beyond = vec![along(0), along(1), along(2), along(9)];
    assert_eq!(
        refused(&square, vec![edges.clone(), vec![beyond]]),
        LatticeError::BadBound { face: face(2, 0), bound: 9 }
    );
    let flat: Vec<Vector> = square.iter().map(|p| p[..1].to_vec()).collect();
    assert_eq!(
        refused(&flat, vec![edges, vec![around]]),
        LatticeError::CoordinateCount { vertex: 0, found: 1, dimension: 2 }
    );
    assert_eq!(
        FaceLattice::from_polygon(&[[0., 0.], [f64::NAN, 0.], [0., 1.]]).unwrap_err(),
        LatticeError::CoordinateNotFinite { vertex: 1 }
    );
    let flat = Polytope::hull(&[DVec3::ZERO, DVec3::X, DVec3::Y]).unwrap();
    assert_eq!(FaceLattice::from_polytope(&flat, &Pose::IDENTITY).unwrap_err(), LatticeError::NotSolid);
}

/// A face may have a hole: a square frame.
#[test]
fn section_3_1_faces_with_holes() {
    let frame = frame();
    assert_eq!(frame.volume(), whole(16 - 4));
    for (x, y) in (-1..=5).flat_map(|x| (-1..=5).map(move |y| (x, y))) {
        let is_in = |low: i64, high: i64| (low..=high).contains(&x) && (low..=high).contains(&y);
        let want = match (is_in(0, 4), is_in(1, 3), x == 2 && y == 2) {
            (false, ..) => Location::Outside,
            (_, true, true) => Location::Outside,
            // The hole is `[1, 3]^2`, and all whole points but its middle are on an edge.
            _ => Location::Boundary,
        };
        assert_eq!(locate(&frame, &[x, y].map(whole)), want, "{x} {y}");
    }
    assert_eq!(locate(&frame, &exact(&[0.5, 2.0])), Location::Inside);
}

fn frame() -> FaceLattice {
    let square = |low: i64, high: i64| [[low, low], [high, low], [high, high], [low, high]];
    let vertices: Vec<Vector> =
        [square(0, 4), square(1, 3)].concat().iter().map(|p| p.map(whole).to_vec()).collect();
    let against = |face| Bound { face, sense: Sense::Against };
    let along = |face| Bound { face, sense: Sense::Along };
    let cycle = |first: u32| (0..4).map(move |i| vec![against(first + i), along(first + (i + 1) % 4)]);
    let around = (0..4).map(along).chain((4..8).map(against)).collect();
    FaceLattice::new(vertices, vec![cycle(0).chain(cycle(4)).collect(), vec![around]]).unwrap()
}

// ------------------------------------------------------------------------------------- §3.3 and §3.4 Points, segments

/// §3.3 on convex polytopes, where half-spaces tell: `D = 2, 3, 4`.
#[test]
fn section_3_3_points_of_convex_polytopes() {
    let mut random = Random::new(2);
    let mut found = [0; 3];
    for round in 0..60 {
        let solid = of(&lattice_solid(&mut random, 3));
        let polytope = match round % 3 {
            0 => FaceLattice::from_polygon(&[[-3., -2.], [2., -3.], [3., 1.], [-1., 3.]]).unwrap(),
            1 => solid,
            _ => moving(&solid, lattice(&mut random, 2)),
        };
        for anywhere in [true, false].repeat(6) {
            let half = |random: &mut Random| Rational::from(random.below(13) as i64 - 6) / whole(2);
            let mut corner = || &polytope.vertices()[random.below(polytope.vertices().len() as u64) as usize];
            let (u, v) = (corner(), corner());
            let middle = u.iter().zip(v).map(|(x, y)| (x + y) / whole(2));
            let point: Vector = if anywhere {
                (0..polytope.dimension()).map(|_| half(&mut random)).collect()
            } else {
                middle.collect()
            };
            // A point of the hull of the vertices, exactly: a linear program by its dual, the facets.
            let want = half_spaces(&polytope, &point);
            assert_eq!(locate(&polytope, &point), want, "{point:?}");
            found[want as usize] += 1;
            let direction: Vector =
                (0..polytope.dimension()).map(|_| whole(random.below(3) as i64 - 1)).collect();
            let cases =
                point_in_polytope_by_cases(&polytope, &point, &direction, &mut LocationStats::default());
            let is_ray = direction.iter().any(|x| *x != whole(0));
            assert_eq!(cases.is_proved, is_ray || want == Location::Boundary, "convex: every rule holds");
            assert!(!cases.is_proved || cases.location == want, "{point:?} {direction:?}");
        }
    }
    assert!(found.iter().all(|&count| count > 30), "{found:?}");
}

/// Where a point lies with respect to a convex polytope: the largest volume of a simplex over a facet and the point
/// that has the wrong sign; spelled out with determinants over corners.
fn half_spaces(polytope: &FaceLattice, point: &[Rational]) -> Location {
    let dimension = polytope.dimension();
    let mut location = Location::Inside;
    for facet in polytope.faces(dimension - 1) {
        let corners = polytope.corners(facet);
        let at = |v: u32| polytope.vertices()[v as usize].clone();
        let minus =
            |a: &[Rational], b: &[Rational]| -> Vector { a.iter().zip(b).map(|(x, y)| x - y).collect() };
        let origin = at(corners[0]);
        // As many corners as make a simplex: greedily, by Gram determinants.
        let mut span: Vec<Vector> = Vec::new();
        for &corner in &corners[1..] {
            span.push(minus(&at(corner), &origin));
            let gram: Vec<Vector> = span.iter().map(|u| span.iter().map(|v| dot(u, v)).collect()).collect();
            if expanded(&gram) == whole(0) {
                span.pop();
            }
        }
        let side = |x: &[Rational]| {
            let rows: Vec<Vector> = [minus(x, &origin)].into_iter().chain(span.iter().cloned()).collect();
            expanded(&rows)
        };
        let inner = polytope.vertices().iter().map(|v| side(v)).find(|s| *s != whole(0)).unwrap();
        let here = side(point) * inner;
        if here < whole(0) {
            return Location::Outside;
        } else if here == whole(0) {
            location = Location::Boundary;
        }
    }
    location
}

fn dot(a: &[Rational], b: &[Rational]) -> Rational {
    a.iter().zip(b).fold(whole(0), |sum, (x, y)| sum + x * y)
}

/// A determinant by expansion.
fn expanded(rows: &[Vector]) -> Rational {
    let Some((first, rest)) = rows.split_first() else { return whole(1) };
    let minor = |skip: usize| -> Vec<Vector> {
        rest.iter().map(|row| [&row[..skip], &row[skip + 1..]].concat()).collect()
    };
    (0..first.len()).fold(whole(0), |sum, i| {
        let term = &first[i] * expanded(&minor(i));
        if i.is_multiple_of(2) { sum + term } else { sum - term }
    })
}

/// §3.3 on polytopes that are not convex, where cells of a grid tell.
#[test]
fn section_3_3_points_of_a_u() {
    let u = u_shape();
    let solid = |x: i64, y: i64, z: i64| {
        // Cells by their lower corners.
        (0..3).contains(&x) && (0..3).contains(&y) && z == 0 && !(x == 1 && y >= 1)
    };
    let mut random = Random::new(3);
    let mut wrong = 0;
    for (x, y, z) in (-1..=7).flat_map(|x| (-1..=7).flat_map(move |y| (-1..=3).map(move |z| (x, y, z)))) {
        // Halves: cells at a point are those on either side.
        let sides = |c: i64| if c % 2 == 0 { vec![c / 2 - 1, c / 2] } else { vec![(c - 1) / 2] };
        let floor = |c: i64| sides(c);
        let cells: Vec<bool> = floor(x)
            .iter()
            .flat_map(|&i| {
                floor(y).into_iter().flat_map(move |j| floor(z).into_iter().map(move |k| (i, j, k)))
            })
            .map(|(i, j, k)| solid(i, j, k))
            .collect();
        let want = match (cells.iter().all(|c| *c), cells.iter().any(|c| *c)) {
            (true, _) => Location::Inside,
            (_, true) => Location::Boundary,
            _ => Location::Outside,
        };
        let point: Vector = [x, y, z].iter().map(|&c| whole(c) / whole(2)).collect();
        assert_eq!(locate(&u, &point), want, "{x} {y} {z}");
        for _ in 0..3 {
            let direction: Vector = (0..3).map(|_| whole(random.below(5) as i64 - 2)).collect();
            let cases = point_in_polytope_by_cases(&u, &point, &direction, &mut LocationStats::default());
            assert!(!cases.is_proved || cases.location == want, "{x} {y} {z} {direction:?}");
            wrong += u32::from(cases.location != want);
        }
    }
    assert!(wrong > 0, "rays along edges of re-entrant corners are not what the rule was made for");
}

/// Erratum 4: at a vertex of a polytope that is not convex, a ray may cross although senses are mixed, and "mixed senses
/// count two" puts the point on the wrong side.
#[test]
fn section_3_3_mixed_senses_may_cross() {
    // A cube with a notch in the middle of its upper edge: at the notch's lower corner facets look both ways.
    let solid = monkey();
    let apex: Vector = vec![whole(0); 3];
    let below = exact(&[0.0, 0.0, -0.5]);
    assert_eq!((locate(&solid, &below), locate(&solid, &apex)), (Location::Inside, Location::Boundary));
    let up = [0, 0, 1].map(whole);
    let cases = point_in_polytope_by_cases(&solid, &below, &up, &mut LocationStats::default());
    assert!(!cases.is_proved, "the case is recognised");
    assert_eq!(cases.location, Location::Outside, "the rule of the paper is wrong here");
}

/// A pyramid upside down, whose top is a fan around the middle: one of its triangles overhangs, seen from above.
fn monkey() -> FaceLattice {
    let top = [[4, 0, 1], [0, 4, 1], [-4, 0, 1], [-1, -1, 4], [-2, -2, 2], [0, -4, 1]];
    let mut points: Vec<[i64; 3]> = top.to_vec();
    points.extend([[0, 0, 0], [0, 0, -4]]);
    let vertices = points.iter().map(|p| p.map(whole).to_vec()).collect();
    let ring = top.len() as u32;
    let (apex, foot) = (ring, ring + 1);
    let fan = |centre: u32, turned: bool| {
        (0..ring).map(move |i| {
            let next = (i + 1) % ring;
            if turned { [centre, next, i] } else { [centre, i, next] }
        })
    };
    let triangles: Vec<[u32; 3]> = fan(apex, false).chain(fan(foot, true)).collect();
    FaceLattice::from_faces(vertices, triangles.iter().map(|t| &t[..])).unwrap()
}

/// §3.4 beside the definition: a segment meets a facet if a point of a fine subdivision does; both in small numbers.
#[test]
fn section_3_4_segments_and_facets() {
    let u = u_shape();
    let mut random = Random::new(4);
    let mut found = [0; 3];
    for _ in 0..1_500 {
        let mut end =
            || -> Vector { (0..3).map(|i| whole(random.below(if i == 2 { 2 } else { 4 }) as i64)).collect() };
        let (p, q) = (end(), end());
        let facet = random.below(u.count(2) as u64) as u32;
        let meeting = segment_meets_facet(&u, facet, [&p, &q], &mut LocationStats::default());
        let back = segment_meets_facet(&u, facet, [&q, &p], &mut LocationStats::default());
        assert_eq!(meeting, back);
        // Facets are axis-aligned: the segment is clipped to the plane of the facet, then to unit cells in it.
        let want = clipped(&u, facet, &p, &q);
        assert_eq!(meeting != SegmentMeeting::Nowhere, want, "facet {facet}: {p:?} {q:?} {meeting:?}");
        match meeting {
            SegmentMeeting::Nowhere => found[0] += 1,
            SegmentMeeting::Point(point) => {
                found[1] += 1;
                assert_eq!(locate(&u, &point), Location::Boundary);
            }
            SegmentMeeting::Along => found[2] += 1,
        }
    }
    assert!(found.iter().all(|&count| count > 50), "{found:?}");
}

/// Whether a segment meets a facet of the U: the facet is cut into axis-aligned rectangles by hand.
fn clipped(u: &FaceLattice, facet: u32, p: &[Rational], q: &[Rational]) -> bool {
    let corners: Vec<Vector> = u
        .corners(FaceId { dimension: 2, index: facet })
        .iter()
        .map(|&v| u.vertices()[v as usize].clone())
        .collect();
    let low = |axis: usize| corners.iter().map(|c| c[axis].clone()).min().unwrap();
    let high = |axis: usize| corners.iter().map(|c| c[axis].clone()).max().unwrap();
    let boxes: Vec<[Vector; 2]> = if corners.len() == 4 {
        vec![[(0..3).map(low).collect(), (0..3).map(high).collect()]]
    } else {
        // The U itself, at the bottom or at the top.
        let rectangle = |a: i64, b: i64, c: i64, d: i64| {
            [vec![whole(a), whole(b), low(2)], vec![whole(c), whole(d), low(2)]]
        };
        vec![rectangle(0, 0, 3, 1), rectangle(0, 0, 1, 3), rectangle(2, 0, 3, 3)]
    };
    // Clipping the interval of the parameter at six planes.
    boxes.iter().any(|[low, high]| {
        let mut interval = (whole(0), whole(1));
        (0..3).all(|axis| {
            let way = &q[axis] - &p[axis];
            if way == whole(0) {
                return low[axis] <= p[axis] && p[axis] <= high[axis];
            }
            let [s, t] = [&low[axis], &high[axis]].map(|bound| (bound - &p[axis]) / &way);
            let (s, t) = if s < t { (s, t) } else { (t, s) };
            interval = (s.max(interval.0.clone()), t.min(interval.1.clone()));
            interval.0 <= interval.1
        })
    })
}

/// Lemma 7: the work of the point-polytope algorithm is proportional to `I(P)`.
#[test]
fn lemma_7_points_take_linear_work() {
    for n in [4_u32, 8, 16, 32] {
        let star = star(n.min(8) as usize);
        let polytopes =
            [of(&bipyramid(n, 4.0, 4.0).unwrap()), moving(&of(&disc(n, 4.0, 1.0).unwrap()), DVec3::X)];
        for polytope in polytopes.iter().chain([&star]) {
            let mut stats = LocationStats::default();
            let mut random = Random::new(5);
            let rounds = 10;
            for _ in 0..rounds {
                let point: Vector = (0..polytope.dimension())
                    .map(|_| Rational::try_from(random.range(-3.0, 3.0)).unwrap())
                    .collect();
                point_in_polytope(polytope, &point, &mut stats);
            }
            let each = stats.facets / rounds;
            assert!(
                each <= 3 * polytope.incidence_count(),
                "{each} for I(P) = {}",
                polytope.incidence_count()
            );
        }
    }
}

// --------------------------------------------------------------------------------------------------- §3.2 Separation

/// Algorithm 2 in space beside the proved brackets of `pair::distance`; Lemmas 3, 4 and 6 for what it returns.
#[test]
fn algorithm_2_finds_the_distance_of_solids() {
    let mut random = Random::new(6);
    let mut found = [0; 2];
    for _ in 0..40 {
        let offset = lattice(&mut random, 4);
        let (a, b) = (lattice_solid(&mut random, 3), lattice_solid(&mut random, 3));
        let place = Pose::from_translation(offset).unwrap();
        let lattices = [of(&a), FaceLattice::from_polytope(&b, &place).unwrap()];
        let mut stats = SeparationStats::default();
        let found_here = separation(&lattices[0], &lattices[1], &mut stats);
        let truth = clearance::pair::distance(
            &SupportMap::new(a.clone()),
            &Pose::IDENTITY,
            &SupportMap::new(b.clone()),
            &place,
        );
        let square = |x: f64| Rational::try_from(x).unwrap() * Rational::try_from(x).unwrap();
        let distance = &found_here.distance_squared;
        assert!(square(truth.lower) <= *distance && *distance <= square(truth.upper), "{truth:?} {distance}");
        found[usize::from(*distance == whole(0))] += 1;
        lemmas_3_and_4(&lattices, &found_here);
        let swapped = separation(&lattices[1], &lattices[0], &mut SeparationStats::default());
        assert_eq!(swapped.distance_squared, *distance);
        let sizes = lattices[0].incidence_count() * lattices[1].incidence_count();
        assert!(stats.pairs + stats.location.facets <= 4 * sizes, "Lemma 8: {stats:?} for {sizes}");
    }
    assert!(found.iter().all(|&count| count > 8), "{found:?}");
}

/// Lemma 3: the points are interior to the faces. Lemma 4: their difference is normal to both faces.
fn lemmas_3_and_4(lattices: &[FaceLattice; 2], found: &clearance::spacetime::lattice::Separation) {
    let way: Vector = found.points[0].iter().zip(&found.points[1]).map(|(x, y)| x - y).collect();
    assert_eq!(dot(&way, &way), found.distance_squared);
    for i in 0..2 {
        let (lattice, face) = (&lattices[i], found.faces[i]);
        let corners = lattice.corners(face);
        let at = |v: u32| &lattice.vertices()[v as usize];
        for pair in corners.windows(2) {
            let edge: Vector = at(pair[0]).iter().zip(at(pair[1])).map(|(x, y)| x - y).collect();
            assert_eq!(dot(&edge, &way), whole(0), "Lemma 4");
        }
        // Interior: in the face, and in none that bounds it. Bodies are convex: every side of a face has the point
        // strictly within, which a whole face of a small lattice tells by its location.
        let on_lower = lattice.bounds(face).iter().any(|b| {
            let side = FaceId { dimension: face.dimension - 1, index: b.face };
            is_in_hull(lattice, side, &found.points[i])
        });
        assert!(!on_lower, "Lemma 3");
    }
}

/// Whether a point is a mean of the corners of a vertex or an edge; for faces of higher dimension nothing is said.
fn is_in_hull(lattice: &FaceLattice, face: FaceId, point: &Vector) -> bool {
    let corners = lattice.corners(face);
    let at = |v: u32| &lattice.vertices()[v as usize];
    match corners[..] {
        [v] => at(v) == point,
        [u, v] => {
            let way: Vector = at(v).iter().zip(at(u)).map(|(x, y)| x - y).collect();
            let here: Vector = point.iter().zip(at(u)).map(|(x, y)| x - y).collect();
            let t = dot(&here, &way) / dot(&way, &way);
            whole(0) <= t && t <= whole(1) && here.iter().zip(&way).all(|(h, w)| *h == &t * w)
        }
        _ => false,
    }
}

/// Algorithm 2 for bodies that are not convex, in the plane, in space and in space-time.
#[test]
fn algorithm_2_separates_bodies_that_are_not_convex() {
    let mut stats = SeparationStats::default();
    let mut apart = |a: &FaceLattice, b: &FaceLattice| separation(a, b, &mut stats).distance_squared;
    let pin = |x: i64, y: i64| {
        let c = [x as f64 / 4.0, y as f64 / 4.0];
        let s = 0.25;
        FaceLattice::from_polygon(&[[c[0], c[1]], [c[0] + s, c[1]], [c[0], c[1] + s]]).unwrap()
    };
    // In the hole of the frame, at the distance of its sides; inside the frame's body; outside.
    assert_eq!(apart(&frame(), &pin(7, 7)), whole(9) / whole(16));
    assert_eq!(apart(&frame(), &pin(1, 1)), whole(0));
    assert_eq!(apart(&pin(1, 1), &frame()), whole(0));
    assert_eq!(apart(&frame(), &pin(20, 8)), whole(1));
    // A box between the towers of the U.
    let between = of(&box_of(dvec3(1.25, 1.5, 0.25), dvec3(1.75, 5.0, 0.5)));
    assert_eq!(apart(&u_shape(), &between), whole(1) / whole(16));
    let wider = of(&box_of(dvec3(1.0, 1.5, 0.25), dvec3(1.75, 5.0, 0.5)));
    assert_eq!(apart(&u_shape(), &wider), whole(0));
    let deeper = of(&box_of(dvec3(0.25, 0.25, 0.25), dvec3(0.5, 0.5, 0.5)));
    assert_eq!(apart(&u_shape(), &deeper), whole(0), "one inside the other");
    // In space-time: two boxes pass the same place, one second after the other.
    let cube = |x: f64| of(&box_of(dvec3(x, 0., 0.), dvec3(x + 1.0, 1., 1.)));
    let (first, second) = (moving(&cube(0.0), 4.0 * DVec3::X), moving(&cube(-3.0), 4.0 * DVec3::X));
    // Worldlines of the facing sides, x = 4 t and x = 4 t - 2, are 2 / sqrt(17) apart.
    assert_eq!(apart(&first, &second), whole(4) / whole(17));
}

/// Lemma 5: leaving out partly parallel pairs loses nothing, also where nearly all are: boxes along the axes.
#[test]
fn lemma_5_boxes_along_the_axes() {
    let mut random = Random::new(7);
    for _ in 0..25 {
        let mut corner = || lattice(&mut random, 4);
        let mut span = || {
            let (p, q) = (corner(), corner());
            (p.min(q), p.max(q) + DVec3::ONE)
        };
        let (a, b) = (span(), span());
        let gap = (b.0 - a.1).max(a.0 - b.1).max(DVec3::ZERO);
        let mut stats = SeparationStats::default();
        let found = separation(&of(&box_of(a.0, a.1)), &of(&box_of(b.0, b.1)), &mut stats);
        assert_eq!(found.distance_squared, Rational::try_from(gap.length_squared()).unwrap());
        assert!(stats.parallel * 5 > stats.pairs, "{stats:?}");
    }
}

// ---------------------------------------------------------------------------------------------- §3.2, 3.5 Collisions

/// The relation of two convex bodies at a time `n / d`: everything times `d` is whole.
fn relation_at(a: &Polytope, b: &Polytope, velocities: [DVec3; 2], n: f64, d: f64) -> Relation {
    let at = |body: &Polytope, velocity: DVec3| {
        let points: Vec<DVec3> = body.vertices().iter().map(|&v| d * v + n * velocity).collect();
        SupportMap::new(Polytope::hull(&points).unwrap())
    };
    relation(&at(a, velocities[0]), &Pose::IDENTITY, &at(b, velocities[1]), &Pose::IDENTITY)
}

/// The first collision of convex bodies: they touch then, they do not before, and if there is none, the body that
/// is swept by the relative motion misses the other. Lemma 2: faces of dimension at most 2 meet in one point.
#[test]
fn lemma_2_the_first_collision() {
    let mut random = Random::new(8);
    let (mut hits, mut misses, mut at_start) = (0, 0, 0);
    for round in 0..26 {
        let (a, b) = (lattice_solid(&mut random, 2), lattice_solid(&mut random, 2));
        let offset = lattice(&mut random, 4);
        let b = Polytope::hull(&b.vertices().iter().map(|&v| v + offset).collect::<Vec<_>>()).unwrap();
        let aimed = if round % 3 == 0 { lattice(&mut random, 4) } else { offset };
        let velocities = [aimed, lattice(&mut random, 1)];
        let bases = [of(&a), of(&b)];
        let prisms = [moving(&bases[0], velocities[0]), moving(&bases[1], velocities[1])];
        let mut stats = SeparationStats::default();
        let found = first_collision(&prisms[0], &prisms[1], &mut stats);
        let sizes = prisms[0].incidence_count() * prisms[1].incidence_count();
        assert!(stats.pairs + stats.location.facets <= 4 * sizes, "Lemma 8: {stats:?} for {sizes}");
        // A common velocity changes nothing: A swept by its velocity relative to B.
        let way = velocities[0] - velocities[1];
        let swept: Vec<DVec3> = a.vertices().iter().flat_map(|&v| [v, v + way]).collect();
        let swept = SupportMap::new(Polytope::hull(&swept).unwrap());
        let meets = relation(&swept, &Pose::IDENTITY, &SupportMap::new(b.clone()), &Pose::IDENTITY)
            != Relation::Disjoint;
        assert_eq!(found.is_some(), meets);
        let Some(collision) = found else {
            misses += 1;
            continue;
        };
        let is_at_start = relation_at(&a, &b, velocities, 0.0, 1.0) != Relation::Disjoint;
        assert_eq!(collision.time == whole(0), is_at_start);
        let point: Vector = collision.place.iter().cloned().chain([collision.time.clone()]).collect();
        assert!(prisms.iter().all(|p| locate(p, &point) == Location::Boundary));
        if is_at_start {
            at_start += 1;
            continue;
        }
        hits += 1;
        let (n, d) =
            (collision.time.numerator().to_f64().value(), collision.time.denominator().to_f64().value());
        assert_eq!(relation_at(&a, &b, velocities, n, d), Relation::Touching);
        for earlier in 0..8 {
            assert_eq!(relation_at(&a, &b, velocities, n * f64::from(earlier), 8.0 * d), Relation::Disjoint);
        }
        let dimensions = [0, 1].map(|i| prism_part(&bases[i], collision.faces[i]).face().dimension);
        assert!(
            dimensions[0] <= 2 && dimensions[1] <= 2 && dimensions[0] + dimensions[1] <= 2 + 1,
            "{dimensions:?}"
        );
        assert!(collision.faces[0].dimension + collision.faces[1].dimension <= 4);
    }
    assert!(hits > 5 && misses > 3 && at_start > 0, "{hits} {misses} {at_start}");
}

/// Erratum 4: Lemma 2 needs disjointness at the start. A body inside another one collides at once, and the faces that
/// meet are a vertex and a solid.
#[test]
fn lemma_2_needs_disjointness_at_the_start() {
    let bases = [of(&box_of(DVec3::ZERO, DVec3::splat(4.0))), of(&box_of(DVec3::ONE, 2.0 * DVec3::ONE))];
    let prisms = [moving(&bases[0], DVec3::X), moving(&bases[1], DVec3::Y)];
    let found = first_collision(&prisms[0], &prisms[1], &mut SeparationStats::default()).unwrap();
    assert_eq!(found.time, whole(0));
    let parts = [0, 1].map(|i| prism_part(&bases[i], found.faces[i]).face().dimension);
    assert_eq!(parts, [3, 0]);
}

/// §3.5: the first collision among several, one of them not convex.
#[test]
fn section_3_5_several_bodies() {
    let bullet = |x: f64, y: f64| of(&box_of(dvec3(x, y, 0.25), dvec3(x + 0.5, y + 0.5, 0.75)));
    let down = |body: &FaceLattice, speed: f64| moving(body, dvec3(0.0, -speed, 0.0));
    // Between the towers to the base of the U: 4 down. Onto the left tower: 3 down, but slowly. Beside: never.
    let bodies = [
        moving(&u_shape(), DVec3::ZERO),
        down(&bullet(0.25, 6.0), 4.0),
        down(&bullet(1.25, 5.0), 6.0),
        down(&bullet(8.0, 5.0), 9.0),
    ];
    let (pair, collision) = first_collision_among(&bodies, &mut SeparationStats::default()).unwrap();
    assert_eq!((pair, collision.time), ([0, 2], whole(4) / whole(6)));
    assert_eq!(collision.place[1], whole(1));
    let mut stats = SeparationStats::default();
    assert_eq!(first_collision(&bodies[0], &bodies[1], &mut stats).unwrap().time, whole(3) / whole(4));
    assert!(first_collision(&bodies[0], &bodies[3], &mut stats).is_none());
}

// ------------------------------------------------------------------------------------------- §2 Hierarchy, Algorithm 1

fn motion(velocity: DVec3) -> Motion {
    Motion::new(velocity, 0.0..1.0).unwrap()
}

fn hierarchy<'a>(polytope: &'a Polytope, pose: &Pose, velocity: DVec3) -> PrismHierarchy<'a> {
    PrismHierarchy::build(polytope, pose, &motion(velocity)).unwrap()
}

fn families(k: u32) -> Vec<(&'static str, Polytope)> {
    let n = 1 << k;
    let random = |kind| random_polytope(kind, n, u64::from(k)).unwrap();
    vec![
        ("cone", cone(n, 1.0, 1.0).unwrap()),
        ("bipyramid", bipyramid(n, 1.0, 0.5).unwrap()),
        ("disc", disc(n / 2, 1.0, 0.01).unwrap()),
        ("ellipsoid", random(PolytopeKind::Ellipsoid)),
        ("rod", random(PolytopeKind::ThinRod)),
        ("plate", random(PolytopeKind::Plate)),
    ]
}

/// Lemma 1: levels grow with the logarithm, all of them together are linear, degrees are bounded; the coarsest is a prism
/// over a tetrahedron (erratum 3).
#[test]
fn lemma_1_height_size_and_degree() {
    for k in 3..=12 {
        for (name, polytope) in families(k) {
            let n = polytope.vertices().len();
            let hierarchy = hierarchy(&polytope, &Pose::IDENTITY, DVec3::X);
            let levels = hierarchy.levels();
            assert_eq!(levels.len(), hierarchy.level_count());
            assert!(
                levels.len() as f64 <= 4.0 * (n as f64).log2() + 1.0,
                "{name} {n}: {} levels",
                levels.len()
            );
            let size: usize = levels.iter().map(|level| level.vertices).sum();
            eprintln!(
                "{name} {n}: {} levels {:.2} per log, size {:.2} n",
                levels.len(),
                levels.len() as f64 / (n as f64).log2(),
                size as f64 / n as f64
            );
            assert!(size <= 7 * 2 * n, "{name} {n}: {size} vertices in all");
            let removed = || levels.iter().flat_map(|level| &level.removed);
            assert!(removed().all(|(_, degree)| *degree <= 16), "{name}");
            assert_eq!((levels[0].vertices, levels.last().unwrap().vertices), (2 * n, 8));
            for pair in levels.windows(2) {
                // Two levels lose at least one vertex in 18 of the body; one in 40 is the paper's.
                assert!(40 * pair[0].removed.len() >= pair[0].vertices, "{name} {n}");
                assert_eq!(pair[0].vertices - pair[0].removed.len(), pair[1].vertices);
            }
        }
    }
}

/// Lemma 1 as corrected by erratum 3, by brute force in four dimensions: what is removed from a level is independent in
/// its skeleton, and of no higher degree than said.
#[test]
fn lemma_1_removed_vertices_are_independent() {
    let mut random = Random::new(9);
    for _ in 0..6 {
        let body = loop {
            let body = lattice_solid(&mut random, 3);
            if (6..=7).contains(&body.vertices().len()) {
                break body;
            }
        };
        let hierarchy = hierarchy(&body, &Pose::IDENTITY, lattice(&mut random, 2));
        for (number, level) in hierarchy.levels().iter().enumerate() {
            let copies = |vertex| [TimeEnd::Start, TimeEnd::End].map(|end| PrismVertex { vertex, end });
            let all: Vec<PrismVertex> = (0..body.vertices().len() as u32)
                .flat_map(copies)
                .filter(|&v| hierarchy.has(number, v))
                .collect();
            assert_eq!(all.len(), level.vertices);
            let points: Vec<Vector> = all.iter().map(|&v| hierarchy.point(v)).collect();
            let neighbours = skeleton(&points);
            let at = |v: PrismVertex| all.iter().position(|w| *w == v).unwrap();
            for (vertex, degree) in &level.removed {
                let around = &neighbours[at(*vertex)];
                assert!(around.len() <= *degree, "{} neighbours, said {degree}", around.len());
                assert!(level.removed.iter().all(|(other, _)| !around.contains(&at(*other))), "independent");
            }
        }
    }
}

/// The neighbours of each vertex of a hull in four dimensions: hyperplanes through any four points with all others on one
/// side are facets; two vertices are joined if the facets that have both meet in their line alone.
fn skeleton(points: &[Vector]) -> Vec<Vec<usize>> {
    let minus = |a: &Vector, b: &Vector| -> Vector { a.iter().zip(b).map(|(x, y)| x - y).collect() };
    let count = points.len();
    let mut facets: Vec<Vec<usize>> = Vec::new();
    for (i, j) in (0..count).flat_map(|j| (0..j).map(move |i| (i, j))) {
        for (k, l) in (j + 1..count).flat_map(|k| (k + 1..count).map(move |l| (k, l))) {
            let span = [j, k, l].map(|m| minus(&points[m], &points[i]));
            let side = |x: &Vector| expanded(&[&[minus(x, &points[i])], &span[..]].concat());
            let sides: Vec<Rational> = points.iter().map(side).collect();
            let (up, down) = (sides.iter().any(|s| *s > whole(0)), sides.iter().any(|s| *s < whole(0)));
            let on: Vec<usize> = (0..count).filter(|&m| sides[m] == whole(0)).collect();
            if up != down && !facets.contains(&on) {
                facets.push(on);
            }
        }
    }
    // The smallest face that has both vertices is the common part of all facets that have: an edge if it has no other.
    let joined = |u: usize, v: usize| {
        let having: Vec<&Vec<usize>> = facets.iter().filter(|f| f.contains(&u) && f.contains(&v)).collect();
        let common = (0..count).filter(|m| having.iter().all(|f| f.contains(m)));
        !having.is_empty() && common.count() == 2
    };
    (0..count).map(|u| (0..count).filter(|&v| v != u && joined(u, v)).collect()).collect()
}

/// Extreme vertices of every level, beside all vertices of the level.
#[test]
fn section_2_extreme_vertices_of_levels() {
    let mut random = Random::new(10);
    for (name, polytope) in families(5) {
        let pose = Pose::from_axis_angle(dvec3(1., 2., 3.), 0.7, dvec3(1., -2., 0.5)).unwrap();
        let hierarchy = hierarchy(&polytope, &pose, dvec3(0.3, -0.2, 0.9));
        for level in 0..hierarchy.level_count() {
            for _ in 0..4 {
                let direction: Vector = (0..4)
                    .map(|_| Rational::from(random.below(7) as i64 - 3) / whole(1 + random.below(4) as i64))
                    .collect();
                let found = hierarchy.extreme(level, &direction, &mut Default::default());
                assert!(hierarchy.has(level, found), "{name}");
                let height = |v| dot(&direction, &hierarchy.point(v));
                let top = height(found);
                let copies = |vertex| [TimeEnd::Start, TimeEnd::End].map(|end| PrismVertex { vertex, end });
                let all = (0..polytope.vertices().len() as u32).flat_map(copies);
                assert!(
                    all.filter(|&v| hierarchy.has(level, v)).all(|v| height(v) <= top),
                    "{name} {direction:?}"
                );
            }
        }
    }
}

/// Algorithm 1 beside Algorithm 2: the same separation of the prisms, exactly.
#[test]
fn algorithm_1_finds_the_separation_of_algorithm_2() {
    let mut random = Random::new(11);
    let mut found = [0; 2];
    for _ in 0..16 {
        let (a, b) = (lattice_solid(&mut random, 2), lattice_solid(&mut random, 2));
        let place = Pose::from_translation(lattice(&mut random, 4)).unwrap();
        let velocities = [lattice(&mut random, 3), lattice(&mut random, 3)];
        let decision = algorithm_one(
            &hierarchy(&a, &Pose::IDENTITY, velocities[0]),
            &hierarchy(&b, &place, velocities[1]),
            &mut AlgorithmOneStats::default(),
        );
        let prisms = [
            moving(&of(&a), velocities[0]),
            moving(&FaceLattice::from_polytope(&b, &place).unwrap(), velocities[1]),
        ];
        let truth = separation(&prisms[0], &prisms[1], &mut SeparationStats::default());
        match decision {
            Decision::Collide { point } => {
                found[0] += 1;
                assert_eq!(truth.distance_squared, whole(0));
                assert!(prisms.iter().all(|p| locate(p, &point) != Location::Outside));
            }
            Decision::Free { points, distance_squared } => {
                found[1] += 1;
                assert_eq!(truth.distance_squared, distance_squared);
                let pairs = prisms.iter().zip(&points);
                assert!(pairs.into_iter().all(|(p, point)| locate(p, point) == Location::Boundary));
            }
        }
    }
    assert!(found.iter().all(|&count| count > 2), "{found:?}");
}

/// Algorithm 1 beside the body that is swept by the relative motion; among them bodies that graze, rest, are flat, huge,
/// tiny or far from the origin.
#[test]
fn algorithm_1_decides_as_the_swept_body_does() {
    let mut random = Random::new(12);
    let mut found = [0; 3];
    for round in 0..1_500 {
        let pair = TranslatingPair::random(&mut random);
        let truth = pair.swept_relation();
        assert_eq!(pair.collides(), truth != Relation::Disjoint, "round {round}: {pair:?}");
        found[truth as usize] += 1;
    }
    assert!(found.iter().all(|&count| count > 40), "{found:?}");
}

/// A grazing touch is a touch, a miss by one unit in the last place a miss; under poses that turn.
#[test]
fn algorithm_1_sees_one_unit_in_the_last_place() {
    let cube = box_of(DVec3::ZERO, DVec3::ONE);
    let decide = |y: f64| {
        let place = Pose::from_translation(dvec3(5.0, y, 0.0)).unwrap();
        let fast = hierarchy(&cube, &Pose::IDENTITY, 8.0 * DVec3::X);
        let resting = hierarchy(&cube, &place, DVec3::ZERO);
        matches!(algorithm_one(&fast, &resting, &mut AlgorithmOneStats::default()), Decision::Collide { .. })
    };
    assert!(decide(1.0) && decide(1.0_f64.next_down()) && !decide(1.0_f64.next_up()));
    let turn = Pose::from_axis_angle(dvec3(1.0, 0.2, -0.4), 0.9, DVec3::ZERO).unwrap();
    let body = random_polytope(PolytopeKind::Ellipsoid, 60, 1).unwrap();
    let (moving, same) =
        (hierarchy(&body, &turn, dvec3(0.1, 0.7, 0.3)), hierarchy(&body, &turn, DVec3::ZERO));
    let decision = algorithm_one(&moving, &same, &mut AlgorithmOneStats::default());
    assert!(matches!(decision, Decision::Collide { .. }), "they share their place at the start");
}

/// The work of Algorithm 1 for `n = 2^k`: levels grow with the logarithm, steps in a level do not, and each search looks
/// at 4 vertices in a layer at most.
#[test]
fn algorithm_1_takes_bounded_work_in_each_level() {
    let mut random = Random::new(13);
    let mut most = 0;
    for k in [4, 6, 8, 10, 12] {
        for (name, polytope) in families(k) {
            for round in 0..3 {
                let turn = |random: &mut Random| {
                    let axis = clearance::shape::sample::random_direction(random);
                    Pose::from_axis_angle(axis, random.range(0.0, 3.0), DVec3::ZERO).unwrap()
                };
                let here = turn(&mut random);
                let there = turn(&mut random);
                let far = [3.0, 2.2, 1.5][round] * clearance::shape::sample::random_direction(&mut random);
                let there = Pose::new(there.rotation(), far).unwrap();
                let velocity = if round == 1 { DVec3::ZERO } else { 0.3 * far.any_orthonormal_vector() };
                let prisms = [hierarchy(&polytope, &here, velocity), hierarchy(&polytope, &there, -velocity)];
                let mut stats = AlgorithmOneStats::default();
                algorithm_one(&prisms[0], &prisms[1], &mut stats);
                let levels = prisms[0].level_count() as u64;
                let what = format!("{name}, 2^{k}, round {round}: {stats:?}");
                assert!(stats.levels <= levels, "{what}");
                assert!(stats.most_steps <= 12, "{what}");
                assert!(stats.steps <= 4 * levels, "{what}");
                assert!(stats.search.most_candidates <= 4 && stats.search.most_spokes <= 32, "{what}");
                most = most.max(stats.most_steps);
            }
        }
    }
    assert!(most >= 3, "some levels do move the points: {most}");
}
