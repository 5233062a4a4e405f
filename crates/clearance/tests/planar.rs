//! Convex polygons in the plane and their hierarchies, against the definitions.

use clearance::exact::Sign;
use clearance::glam::DVec2;
use clearance::kinetic::hierarchy::{
    Body, Boundary, Cell, EdgeId, Hierarchy, Inflated, InflatedCell, Inflation, Mixed, MixedCell, MixedCount,
    RotationEvent, RotationLimit, SearchCount, TriangleId,
};
use clearance::math::Random;
use clearance::oracle::planar::{
    cells_of, double_area, envelope_vertices, polygons, regular, relation_by_difference, sum_hull,
};
use clearance::planar::{
    Placement, Point, Polygon, PolygonError, Rational, Relation, distance, distance_squared_of, exact,
    relation, relation_of,
};

type Build = fn(Polygon) -> Hierarchy;
const KINDS: [(&str, Build); 2] = [("compass", Hierarchy::compass), ("dudley", Hierarchy::dudley)];

fn point(x: f64, y: f64) -> Point {
    Point::from(DVec2::new(x, y))
}

#[test]
fn hulls_are_strict_and_counter_clockwise() {
    for (name, polygon) in polygons(1) {
        let n = polygon.vertices().len();
        for (i, edge) in polygon.edges().iter().enumerate() {
            for (k, p) in polygon.points().iter().enumerate() {
                let is_end = k == i || k == polygon.next(i);
                assert_eq!(edge.side(p), if is_end { Sign::Zero } else { Sign::Negative }, "{name}: {i} {k}");
            }
        }
        assert_eq!(polygon.edges().len(), if n == 1 { 0 } else { n }, "{name}");
    }
}

#[test]
fn duplicates_and_collinear_points_vanish() {
    let grid: Vec<DVec2> = (0..25).map(|i| DVec2::new((i % 5) as f64, (i / 5) as f64)).collect();
    let square = Polygon::hull(&[grid.clone(), grid].concat()).unwrap();
    assert_eq!(square.vertices().len(), 4);
    let line: Vec<DVec2> = (0..9).map(|i| DVec2::new(0.1 * f64::from(i), 0.1 * f64::from(i))).collect();
    assert_eq!(Polygon::hull(&line).unwrap().dimension(), 1);
    assert_eq!(Polygon::hull(&[DVec2::ONE, DVec2::ONE]).unwrap().dimension(), 0);
    assert_eq!(Polygon::hull(&[DVec2::new(0.0, -0.0), DVec2::ZERO]).unwrap().vertices().len(), 1);
}

#[test]
fn bad_points_are_refused() {
    assert_eq!(Polygon::hull(&[]).unwrap_err(), PolygonError::Empty);
    let bad = [DVec2::ZERO, DVec2::new(f64::NAN, 0.0)];
    assert_eq!(Polygon::hull(&bad).unwrap_err(), PolygonError::NotFinite { point: 1 });
    let large = [DVec2::new(0.0, 1e300)];
    assert_eq!(Polygon::hull(&large).unwrap_err(), PolygonError::TooLarge { point: 0 });
}

#[test]
fn supports_are_the_first_farthest_vertices() {
    let mut random = Random::new(2);
    for (name, polygon) in polygons(2) {
        let n = polygon.vertices().len();
        let mut directions: Vec<DVec2> =
            (0..40).map(|_| DVec2::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0))).collect();
        directions.extend([DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y]);
        directions.extend(polygon.edges().iter().map(|edge| edge.normal()));
        for d in directions {
            let along = |k: usize| point(d.x, d.y).dot(&polygon.points()[k]);
            let found = polygon.support(d);
            assert!((0..n).all(|k| along(k) <= along(found)), "{name}: {d}");
            let before = polygon.previous(found);
            assert!(n <= 2 || along(before) < along(found), "{name}: {d} not the first");
        }
    }
}

#[test]
fn diameters_are_bounds_and_tight() {
    for (name, polygon) in polygons(3) {
        let vertices = polygon.points();
        let squares = vertices.iter().flat_map(|p| vertices.iter().map(|q| p.minus(q))).map(|d| d.dot(&d));
        let true_square = squares.max().unwrap();
        let found = polygon.diameter();
        assert!(exact(found) * exact(found) >= true_square, "{name}");
        let below = exact(found * (1.0 - 1e-14));
        assert!(found < 1e-300 || &below * &below <= true_square, "{name}: {found} is not tight");
    }
}

/// Pairs in general and in special position: shared vertices, edges on edges, vertices on edges.
fn placements(polygon_a: &Polygon, polygon_b: &Polygon, random: &mut Random) -> Vec<Placement> {
    let mut found = vec![Placement::identity()];
    for _ in 0..2 {
        let (va, vb) = (
            &polygon_a.points()[random.below(polygon_a.vertices().len() as u64) as usize],
            &polygon_b.points()[random.below(polygon_b.vertices().len() as u64) as usize],
        );
        let onto_vertex = va.minus(vb);
        found.push(Placement::translation(onto_vertex.clone()));
        let next = &polygon_a.points()[polygon_a.next(0)];
        found.push(Placement::translation(polygon_a.points()[0].middle(next).minus(vb)));
        let tangent = Rational::from_parts((random.below(41) as i64 - 20).into(), 7u8.into());
        let turned = Placement::half_angle(&tangent, point(0.0, 0.0));
        found.push(Placement::half_angle(&tangent, va.minus(&turned.apply(vb))));
        let nudge = point(random.range(-1e-9, 1e-9), random.range(-1e-9, 1e-9));
        found.push(Placement::translation(onto_vertex.plus(&nudge)));
    }
    found
}

#[test]
fn relations_and_distances_follow_the_definition() {
    let mut random = Random::new(4);
    let all: Vec<(String, Polygon)> =
        polygons(4).into_iter().filter(|(_, polygon)| polygon.vertices().len() <= 5).collect();
    let mut seen = [0; 3];
    for (name_a, a) in &all {
        for (name_b, b) in &all {
            for placement in placements(a, b, &mut random) {
                let (pa, pb) = (a.points().to_vec(), b.placed(&placement));
                let want = relation_by_difference(&pa, &pb);
                let here = Placement::identity();
                assert_eq!(
                    relation_of(a, &here, b, &placement),
                    want,
                    "{name_a} and {name_b}: {placement:?}"
                );
                assert_eq!(
                    relation_of(b, &placement, a, &here),
                    want,
                    "{name_b} and {name_a}: {placement:?}"
                );
                seen[want as usize] += 1;
                let square = distance_squared_of(a, &here, b, &placement);
                assert_eq!(square.is_zero(), want != Relation::Disjoint, "{name_a} and {name_b}");
                let least = pa.iter().flat_map(|p| pb.iter().map(|q| p.minus(q))).map(|d| d.dot(&d)).min();
                assert!(Some(square) <= least);
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}

#[test]
fn distances_are_bracketed_by_neighbours() {
    let unit = Polygon::hull(&regular(4, 1.0)).unwrap();
    let far = Polygon::hull(&[DVec2::new(5.0, 0.0), DVec2::new(5.0, 1.0)]).unwrap();
    let found = distance(&unit, &far);
    assert!(found.lower <= found.upper && found.upper <= found.lower.next_up());
    let one = Polygon::hull(&[DVec2::ZERO]).unwrap();
    let other = Polygon::hull(&[DVec2::new(3.0, 4.0)]).unwrap();
    let found = distance(&one, &other);
    assert_eq!((found.lower, found.upper), (5.0, 5.0));
    assert_eq!(relation(&one, &one), Relation::Touching);
}

#[test]
fn placements_map_lines_with_their_points() {
    let line = clearance::planar::Line::through(&point(0.0, 1.0), &point(2.0, 0.5)).unwrap();
    for placement in [Placement::turn(2.5, point(1.0, -3.0)), Placement::turn(-0.1, point(0.25, 7.0))] {
        let one = placement.cos() * placement.cos() + placement.sin() * placement.sin();
        assert_eq!(one, Rational::ONE);
        let moved = placement.apply_to_line(&line);
        for p in [point(0.0, 1.0), point(5.0, 5.0), point(-3.0, 0.0)] {
            assert_eq!(moved.side(&placement.apply(&p)), line.side(&p));
            assert_eq!(placement.apply_inverse(&placement.apply(&p)), p);
        }
    }
    let turned = Placement::turn(2.5, point(0.0, 0.0)).apply(&point(1.0, 0.0)).near();
    assert!((turned - DVec2::new(2.5f64.cos(), 2.5f64.sin())).length() < 1e-15);
}

#[test]
fn envelopes_are_the_intersections_of_their_half_planes() {
    for (kind, build) in KINDS {
        for (name, polygon) in polygons(5).into_iter().filter(|(_, p)| p.vertices().len() <= 16) {
            let hierarchy = build(polygon);
            for level in 0..=hierarchy.depth() {
                let edges = hierarchy.envelope(level);
                let born = hierarchy.edges().iter().filter(|edge| edge.birth() <= level).count();
                assert_eq!(edges.len(), born, "{kind} {name} {level}");
                let mut found: Vec<Point> = Vec::new();
                for (i, &edge) in edges.iter().enumerate() {
                    let next = edges[(i + 1) % edges.len()];
                    assert_eq!(hierarchy.next_edge(edge, level), next);
                    assert_eq!(hierarchy.previous_edge(next, level), edge);
                    assert!(hierarchy.line(edge).turn(hierarchy.line(next)).is_positive(), "{kind} {name}");
                    let corner = hierarchy.corner_after(edge, level);
                    assert_eq!(corner, hierarchy.corner_before(next, level));
                    let vertex = hierarchy.vertex(&corner);
                    let crossing = hierarchy.line(edge).crossing(hierarchy.line(next)).unwrap();
                    assert_eq!(*vertex, crossing, "{kind} {name} {level}");
                    if level > 0 {
                        let coarser = hierarchy.coarser(&corner, level);
                        assert!(coarser == corner || hierarchy.finer(&coarser).contains(&corner));
                        assert_eq!(hierarchy.corner_after(coarser.left, level - 1), coarser);
                    }
                    if !found.contains(vertex) {
                        found.push(vertex.clone());
                    }
                }
                let want = envelope_vertices(&hierarchy, level);
                assert!(want.len() == found.len() && want.iter().all(|p| found.contains(p)), "{kind} {name}");
            }
        }
    }
}

#[test]
fn triangles_fill_what_lies_between_the_rectangle_and_the_polygon() {
    for (kind, build) in KINDS {
        for (name, polygon) in polygons(6) {
            let hierarchy = build(polygon);
            let edges = hierarchy.envelope(0);
            let rectangle: Vec<Point> =
                edges.iter().map(|&e| hierarchy.vertex(&hierarchy.corner_after(e, 0)).clone()).collect();
            let mut sum = double_area(hierarchy.polygon().points());
            for triangle in hierarchy.triangles() {
                let [l, c, r] =
                    [triangle.left(), triangle.cut(), triangle.right()].map(|e| hierarchy.line(e));
                let outline = hierarchy.outline(hierarchy.edge(triangle.cut()).owner().unwrap());
                assert_eq!(outline, [l.crossing(c).unwrap(), l.crossing(r).unwrap(), c.crossing(r).unwrap()]);
                let area = double_area(&outline);
                assert!(area >= Rational::ZERO, "{kind} {name}");
                sum += area;
            }
            assert_eq!(sum, double_area(&rectangle), "{kind} {name}");
            let whole = hierarchy.envelope(hierarchy.depth());
            let last: Vec<Point> = whole
                .iter()
                .map(|&e| hierarchy.vertex(&hierarchy.corner_after(e, hierarchy.depth())).clone())
                .collect();
            assert_eq!(double_area(&last), double_area(hierarchy.polygon().points()), "{kind} {name}");
        }
    }
}

/// Points far and near, on lines, at vertices of envelopes, just beside edges.
fn probes(hierarchy: &Hierarchy, random: &mut Random) -> Vec<Point> {
    let d = hierarchy.diameter().max(1e-3);
    let vertices = hierarchy.polygon().vertices();
    let pick = |random: &mut Random, n: usize| random.below(n as u64) as usize;
    let mut found = Vec::new();
    for _ in 0..30 {
        let v = vertices[pick(random, vertices.len())];
        let reach = d * 0.1f64.powi(pick(random, 6) as i32) * 3.0;
        found.push(point(v.x + random.range(-reach, reach), v.y + random.range(-reach, reach)));
        let edge = &hierarchy.edges()[pick(random, hierarchy.edges().len())];
        let other = &hierarchy.edges()[pick(random, hierarchy.edges().len())];
        if let Some(p) = edge.line().crossing(other.line()) {
            let [a, b] = edge.contact().map(|v| &hierarchy.polygon().points()[v]);
            found.extend([p.middle(a), p.middle(b), p]);
        }
        let inner = &hierarchy.polygon().points()[pick(random, vertices.len())];
        found.push(inner.middle(&Point::from(v)));
    }
    found
}

#[test]
fn points_are_found_in_the_one_cell_that_holds_them() {
    let mut random = Random::new(7);
    let (mut inside, mut below) = (0, 0);
    for (kind, build) in KINDS {
        for (name, polygon) in polygons(7) {
            let hierarchy = build(polygon);
            for p in probes(&hierarchy, &mut random) {
                let cell = hierarchy.locate(&p);
                assert_eq!(cells_of(&hierarchy, &p), [cell], "{kind} {name} {:?}", p.near());
                inside += u32::from(cell == Cell::Inside);
                match hierarchy.separating_edge(cell) {
                    Some(edge) => assert!(hierarchy.line(edge).side(&p).is_positive()),
                    None => assert!(!hierarchy.polygon().side(&p).is_positive()),
                }
                for id in 0..hierarchy.triangles().len().min(20) {
                    let id = TriangleId(id as u32);
                    assert_eq!(
                        hierarchy.locate_below(id, &p, &mut SearchCount::default()),
                        cell,
                        "{kind} {name}"
                    );
                    below += 1;
                }
            }
        }
    }
    assert!(inside > 100 && below > 1000);
}

#[test]
fn the_cell_across_an_outer_edge_holds_the_points_beyond_it() {
    for (kind, build) in KINDS {
        for (name, polygon) in polygons(8) {
            let hierarchy = build(polygon);
            for triangle in hierarchy.triangles() {
                for edge in [triangle.left(), triangle.right()] {
                    let [line, cut] = [edge, triangle.cut()].map(|e| hierarchy.line(e));
                    let on = triangle.apex().middle(&line.crossing(cut).unwrap());
                    if on == *triangle.apex() {
                        continue;
                    }
                    // So little beyond the edge that no other line is passed.
                    let nudge = exact(2f64.powi(-400));
                    let beyond = Point::new(on.x() + line.a() * &nudge, on.y() + line.b() * &nudge);
                    assert_eq!(hierarchy.locate(&beyond), hierarchy.cell_across(edge), "{kind} {name}");
                    assert_ne!(hierarchy.cell_across(edge), Cell::Outer(EdgeId(9)));
                }
            }
        }
    }
}

#[test]
fn supports_of_envelopes_are_their_farthest_vertices() {
    let mut random = Random::new(9);
    for (kind, build) in KINDS {
        for (name, polygon) in polygons(9).into_iter().filter(|(_, p)| p.vertices().len() <= 40) {
            let hierarchy = build(polygon);
            for level in 0..=hierarchy.depth() {
                let edges = hierarchy.envelope(level);
                let corners: Vec<_> = edges.iter().map(|&e| hierarchy.corner_after(e, level)).collect();
                for k in 0..6 {
                    let angle = if k < 4 { random.range(0.0, 6.3) } else { 0.0 };
                    let far = point(angle.cos(), angle.sin());
                    let random_edge =
                        &hierarchy.edges()[random.below(hierarchy.edges().len() as u64) as usize];
                    let along = if k < 4 {
                        clearance::planar::Line::new(far.x().clone(), far.y().clone(), Rational::ZERO)
                            .unwrap()
                    } else {
                        random_edge.line().clone()
                    };
                    let found = hierarchy.support(level, &along);
                    assert!(corners.contains(&found), "{kind} {name}");
                    let best = along.value(hierarchy.vertex(&found));
                    assert!(
                        corners.iter().all(|c| along.value(hierarchy.vertex(c)) <= best),
                        "{kind} {name}"
                    );
                }
            }
        }
    }
}

/// Rotations in general position, and those that make directions equal.
fn rotations(random: &mut Random) -> Vec<Placement> {
    let zero = point(0.0, 0.0);
    let quarter = Placement::half_angle(&Rational::ONE, zero.clone());
    let tangent = Rational::from_parts(1.into(), 3u8.into());
    let general = Placement::turn(random.range(0.0, 6.3), zero.clone());
    vec![Placement::identity(), quarter, Placement::half_angle(&tangent, zero), general]
}

fn at(rotation: &Placement, shift: Point) -> Placement {
    Placement::new(rotation.cos().clone(), rotation.sin().clone(), shift).unwrap()
}

fn small_hierarchies(build: Build) -> Vec<(String, Hierarchy)> {
    let small = polygons(11).into_iter().filter(|(_, p)| p.vertices().len() <= 8);
    small.map(|(name, polygon)| (name, build(polygon))).collect()
}

#[test]
fn cells_of_the_mixed_hierarchy_fill_what_lies_between_the_sums() {
    let mut random = Random::new(11);
    for (kind, build) in KINDS {
        let all = small_hierarchies(build);
        for (name_a, a) in &all {
            let (name_b, b) = &all[random.below(all.len() as u64) as usize];
            for rotation in rotations(&mut random) {
                let mixed = Mixed::new(a, b, rotation.clone());
                let vertices = |h: &Hierarchy, level: u32| -> Vec<Point> {
                    h.envelope(level).iter().map(|&e| h.vertex(&h.corner_after(e, level)).clone()).collect()
                };
                let sum = |level: u32| {
                    let [level_a, level_b] = [a, b].map(|h| level.min(h.depth()));
                    let turned: Vec<Point> =
                        vertices(b, level_b).iter().map(|p| rotation.rotated(p).negated()).collect();
                    double_area(&sum_hull(&vertices(a, level_a), &turned))
                };
                let cells = mixed.cells();
                let area =
                    cells.iter().fold(Rational::ZERO, |sum, cell| sum + double_area(&mixed.outline(cell)));
                assert_eq!(area, sum(0) - sum(99), "{kind} {name_a} {name_b} {rotation:?}");
                let triangles = cells.iter().filter(|c| matches!(c, MixedCell::Triangle { .. })).count();
                assert_eq!(triangles, a.triangles().len() + b.triangles().len());
            }
        }
    }
}

#[test]
fn placements_are_found_in_the_one_mixed_cell_that_holds_them() {
    let mut random = Random::new(12);
    let mut seen = [0; 4];
    for (kind, build) in KINDS {
        let all = small_hierarchies(build);
        for (name_a, a) in &all {
            for _ in 0..4 {
                let (name_b, b) = &all[random.below(all.len() as u64) as usize];
                for rotation in rotations(&mut random) {
                    check_mixed(
                        a,
                        b,
                        &rotation,
                        &mut random,
                        &mut seen,
                        &format!("{kind} {name_a} {name_b}"),
                    );
                }
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}

/// Rotation flattens a parallelogram only after it has squeezed the placement out: while its boundaries hold, so does that order.
#[test]
fn parallelograms_do_not_collapse_around_a_placement() {
    let mut random = Random::new(17);
    let (mut kept, mut collapsed) = (0, 0);
    for (kind, build) in KINDS {
        let all = small_hierarchies(build);
        for _ in 0..1500 {
            let [a, b] = [0, 1].map(|_| &all[random.below(all.len() as u64) as usize].1);
            let angle = random.range(0.0, 6.3);
            let va = &a.polygon().points()[random.below(a.polygon().vertices().len() as u64) as usize];
            let reach = 0.5 * a.diameter().max(1e-3);
            let nudge = point(random.range(-reach, reach), random.range(-reach, reach));
            let shift = va.minus(&Placement::turn(angle, point(0.0, 0.0)).rotated(&b.polygon().points()[0]));
            let shift = shift.plus(&nudge);
            let cell = Mixed::new(a, b, Placement::turn(angle, shift.clone())).locate();
            let further = angle + random.range(-1.0, 1.0) * random.unit();
            let later = Mixed::new(a, b, Placement::turn(further, shift));
            let is_inside = |b: &Boundary| later.pair().side(&b.contact).is_positive() == b.is_outside;
            let is_in_order = |limit: &RotationLimit| later.pair().is_before(limit.first, limit.second);
            let limits = later.rotation_limits(&cell);
            for limit in limits.iter().filter(|limit| limit.event == RotationEvent::Collapse) {
                let holds = later.boundaries(&cell).iter().all(is_inside);
                assert!(!holds || is_in_order(limit), "{kind} {cell:?}");
                kept += u32::from(holds);
                collapsed += u32::from(!is_in_order(limit));
            }
        }
    }
    assert!(kept > 50 && collapsed > 20, "{kept} {collapsed}");
}

/// Points and segments have sums without inside.
#[test]
fn placements_of_flat_bodies_are_found_in_mixed_cells() {
    let mut random = Random::new(16);
    let mut seen = [0; 4];
    for (kind, build) in KINDS {
        let all = polygons(16).into_iter().filter(|(_, polygon)| polygon.vertices().len() <= 3);
        let all: Vec<(String, Hierarchy)> = all.map(|(name, polygon)| (name, build(polygon))).collect();
        for (name_a, a) in &all {
            for (name_b, b) in &all {
                for rotation in rotations(&mut random) {
                    check_mixed(
                        a,
                        b,
                        &rotation,
                        &mut random,
                        &mut seen,
                        &format!("{kind} {name_a} {name_b}"),
                    );
                }
            }
        }
    }
}

/// A multiple of an edge, or of an axis, turned for the second body: sums whose lines run through the placement.
fn along_an_edge(hierarchy: &Hierarchy, k: i32, rotation: &Placement, random: &mut Random) -> Point {
    let edge = &hierarchy.edges()[random.below(hierarchy.edges().len() as u64) as usize];
    let line = edge.line();
    let direction = Point::new(line.b().clone(), -line.a().clone());
    let direction = if k % 2 == 1 { rotation.rotated(&direction) } else { direction };
    let factor = exact([-2.0, -0.5, 0.25, 3.0][random.below(4) as usize]);
    Point::new(direction.x() * &factor, direction.y() * &factor)
}

fn check_mixed(
    a: &Hierarchy,
    b: &Hierarchy,
    rotation: &Placement,
    random: &mut Random,
    seen: &mut [u32; 4],
    what: &str,
) {
    let cells = Mixed::new(a, b, rotation.clone()).cells();
    let size = a.diameter() + b.diameter();
    let mut last: Option<MixedCell> = None;
    for k in 0..14 {
        let va = &a.polygon().points()[random.below(a.polygon().vertices().len() as u64) as usize];
        let vb = &b.polygon().points()[random.below(b.polygon().vertices().len() as u64) as usize];
        let reach = size * 0.2f64.powi(k % 5);
        let nudge = point(random.range(-reach, reach), random.range(-reach, reach));
        let base = va.minus(&rotation.rotated(vb));
        let shift = match k {
            0..7 => base.plus(&nudge),
            7 => base,
            _ => base.plus(&along_an_edge([a, b][k as usize % 2], k, rotation, random)),
        };
        let placed = at(rotation, shift);
        let mixed = Mixed::new(a, b, placed.clone());
        let cell = mixed.locate();
        let holding: Vec<&MixedCell> = cells.iter().filter(|cell| mixed.holds(cell)).collect();
        let want = relation_of(a.polygon(), &Placement::identity(), b.polygon(), &placed);
        match cell {
            MixedCell::Inside => {
                assert_ne!(want, Relation::Disjoint, "{what}");
                assert!(holding.is_empty(), "{what}: {holding:?}");
                seen[0] += 1;
            }
            MixedCell::Outer(contact) => {
                assert!(mixed.pair().side(&contact).is_positive() && holding.is_empty(), "{what}");
                seen[1] += 1;
            }
            _ => {
                assert_eq!(holding, [&cell], "{what} {k}");
                seen[if matches!(cell, MixedCell::Triangle { .. }) { 2 } else { 3 }] += 1;
            }
        }
        if let Some(contact) = mixed.separation(&cell) {
            assert_eq!(want, Relation::Disjoint, "{what}");
            assert!(mixed.pair().side(&contact).is_positive(), "{what}");
            // The vertex is the nearest one of its envelope: the edge separates the bodies.
            let other = mixed.pair().hierarchy(contact.body.other());
            for p in other.polygon().points() {
                let p = match contact.body {
                    Body::A => placed.apply(p),
                    Body::B => placed.apply_inverse(p),
                };
                let line = mixed.pair().hierarchy(contact.body).line(contact.edge);
                assert!(line.side(&p).is_positive(), "{what}");
            }
        }
        for step in [1, mixed.steps() / 2, mixed.steps()] {
            let from = mixed.locate_from(step, &mut MixedCount::default());
            let is_outer = matches!(cell, MixedCell::Outer(_)) && matches!(from, MixedCell::Outer(_));
            assert!(from == cell || is_outer, "{what}");
        }
        if let Some(last) = last.filter(|last| *last != MixedCell::Inside) {
            let walked = mixed.walk_from(&last, &mut MixedCount::default());
            let is_outer = matches!(walked, MixedCell::Outer(_)) && mixed.holds(&walked);
            assert!(
                walked == cell || is_outer && matches!(cell, MixedCell::Outer(_)),
                "{what} from {last:?}"
            );
        }
        last = Some(cell);
    }
}

const INFLATIONS: [Inflation; 4] = [
    Inflation { ratio: 0.5, refinement: 0 },
    Inflation { ratio: 0.5, refinement: 2 },
    Inflation { ratio: 0.8, refinement: 1 },
    Inflation { ratio: 0.2, refinement: 0 },
];

fn float_area(points: &[DVec2]) -> f64 {
    let n = points.len();
    (0..n).map(|i| (points[i] - points[0]).perp_dot(points[(i + 1) % n] - points[0])).sum()
}

/// How far inside a convex polygon a point is; negative outside.
fn depth_in(outline: &[DVec2], p: DVec2) -> f64 {
    let n = outline.len();
    let sides = (0..n).map(|i| (outline[i], outline[(i + 1) % n])).filter(|(from, to)| from != to);
    sides
        .map(|(from, to)| (to - from).perp_dot(p - from) / (to - from).length())
        .fold(f64::INFINITY, f64::min)
}

#[test]
fn cells_of_the_inflated_complex_fill_what_lies_between_its_layers() {
    for (name, polygon) in polygons(13).into_iter().filter(|(name, _)| !name.contains("far")) {
        for inflation in INFLATIONS {
            let inflated = Inflated::new(Hierarchy::compass(polygon.clone()), 0.0, inflation);
            let mut sum = 0.0;
            for (j, layer) in inflated.layers().iter().enumerate().skip(1) {
                let outlines = inflated.hierarchy().envelope(layer.level).into_iter();
                for outline in outlines.map(|edge| inflated.outline(j as u32, edge)) {
                    let area = float_area(&outline);
                    assert!(area >= 0.0, "{name} {inflation:?}: {area}");
                    sum += area;
                }
            }
            let [first, last] =
                [0, inflated.layers().len() as u32 - 1].map(|j| float_area(&inflated.layer_outline(j)));
            assert!(
                (sum - (first - last)).abs() <= 1e-9 * first,
                "{name} {inflation:?}: {sum} {first} {last}"
            );
        }
    }
}

#[test]
fn points_are_found_in_the_inflated_cell_that_holds_them() {
    let mut random = Random::new(14);
    let mut seen = [0; 3];
    for (name, polygon) in polygons(14).into_iter().filter(|(name, _)| !name.contains("far")) {
        for inflation in INFLATIONS {
            let inflated = Inflated::new(Hierarchy::compass(polygon.clone()), 0.0, inflation);
            let margin = 1e-9 * inflated.hierarchy().diameter();
            let outlines: Vec<(InflatedCell, Vec<DVec2>)> = (1..inflated.layers().len() as u32)
                .flat_map(|layer| {
                    let level = inflated.layers()[layer as usize].level;
                    inflated.hierarchy().envelope(level).into_iter().map(move |edge| (layer, edge))
                })
                .map(|(layer, edge)| (InflatedCell::Between { layer, edge }, inflated.outline(layer, edge)))
                .collect();
            for p in probes(inflated.hierarchy(), &mut random) {
                let cell = inflated.locate(&p);
                let holding: Vec<InflatedCell> = outlines
                    .iter()
                    .filter(|(_, outline)| depth_in(outline, p.near()) > margin)
                    .map(|(cell, _)| *cell)
                    .collect();
                assert!(holding.len() <= 1, "{name} {inflation:?}");
                match cell {
                    InflatedCell::Outer(_) => seen[0] += 1,
                    InflatedCell::Between { layer, edge } => {
                        seen[1] += 1;
                        let depth = depth_in(&inflated.outline(layer, edge), p.near());
                        assert!(depth >= -margin, "{name} {inflation:?}: {cell:?} {depth}");
                        assert!(inflated.line(layer, edge).side(&p).is_positive());
                    }
                    InflatedCell::Near(cell) => {
                        seen[2] += 1;
                        assert_eq!(cell, inflated.hierarchy().locate(&p));
                    }
                }
                assert!(
                    holding.is_empty() || holding == [cell],
                    "{name} {inflation:?}: {cell:?} {holding:?}"
                );
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 300), "{seen:?}");
}

#[test]
fn edges_of_inflated_cells_separate_far_from_the_origin_too() {
    let mut random = Random::new(15);
    for (name, polygon) in polygons(15) {
        for scale in [0.0, 3.0] {
            let inflated = Inflated::new(Hierarchy::compass(polygon.clone()), scale, Inflation::default());
            for p in probes(inflated.hierarchy(), &mut random) {
                match inflated.separating_edge(inflated.locate(&p)) {
                    Some(edge) => assert!(inflated.hierarchy().line(edge).side(&p).is_positive(), "{name}"),
                    None => assert!(!inflated.hierarchy().polygon().side(&p).is_positive(), "{name}"),
                }
            }
        }
    }
}

/// From subnormal numbers to the largest coordinates that are taken; floats decide nothing there, rational numbers all.
#[test]
fn scales_at_the_ends_of_the_range_are_as_good_as_any() {
    let mut random = Random::new(18);
    for exponent in [-1060, -600, 299] {
        let scale = 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
        let vertices: Vec<DVec2> = regular(7, 1.0).into_iter().map(|p| p * scale).collect();
        for (kind, build) in KINDS {
            let hierarchy = build(Polygon::hull(&vertices).unwrap());
            let inflated = Inflated::new(hierarchy.clone(), 0.0, Inflation::default());
            for _ in 0..12 {
                let p = DVec2::new(random.range(-2.0, 2.0), random.range(-2.0, 2.0)) * scale;
                let p = Point::from(p);
                assert_eq!(cells_of(&hierarchy, &p), [hierarchy.locate(&p)], "{kind} 2^{exponent}");
                let edge = inflated.separating_edge(inflated.locate(&p));
                let is_outside = edge.map(|edge| hierarchy.line(edge).side(&p).is_positive());
                assert_eq!(is_outside.unwrap_or(false), hierarchy.polygon().side(&p).is_positive());
                let placed = Placement::turn(0.3, p.plus(&p));
                let cell = Mixed::new(&hierarchy, &hierarchy, placed.clone()).locate();
                let want =
                    relation_of(hierarchy.polygon(), &Placement::identity(), hierarchy.polygon(), &placed);
                assert_eq!(cell == MixedCell::Inside, want != Relation::Disjoint, "{kind} 2^{exponent}");
            }
        }
    }
}
