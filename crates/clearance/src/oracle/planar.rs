//! Planar polygons of many kinds, and slow, obvious answers about them and their hierarchies.

use super::compare::same;
use crate::kinetic::hierarchy::{Cell, EdgeId, Hierarchy, Mixed, MixedCell, TriangleId};
use crate::math::Random;
use crate::planar::{self, Line, Placement, Point, Polygon, Rational, Relation, sign};
use glam::DVec2;
use std::f64::consts::TAU;

/// Polygons of every kind that has its own trouble, with their names.
pub fn polygons(seed: u64) -> Vec<(String, Polygon)> {
    let mut random = Random::new(seed);
    let mut found = Vec::new();
    let mut add = |name: &str, points: Vec<DVec2>| {
        found.push((name.to_owned(), Polygon::hull(&points).expect("finite points")));
    };
    add("point", vec![DVec2::new(0.3, -0.7)]);
    add("upright segment", vec![DVec2::new(1.0, -1.0), DVec2::new(1.0, 2.0)]);
    add("segment", vec![DVec2::new(-0.25, 0.1), DVec2::new(1.3, 0.7)]);
    add("triangle", vec![DVec2::ZERO, DVec2::new(3.0, 0.1), DVec2::new(0.2, 1.0)]);
    add("needle", vec![DVec2::ZERO, DVec2::new(1.0, 1.0), DVec2::new(0.5, 0.5 + 1e-12)]);
    add("square", [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| DVec2::new(x, y)).to_vec());
    add(
        "diamond",
        [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)].map(|(x, y)| DVec2::new(x, y)).to_vec(),
    );
    for n in [3, 5, 8, 16, 33, 100] {
        add(&format!("regular {n}"), regular(n, 1.0));
    }
    for n in [7, 40] {
        add(&format!("random {n}"), (0..n).map(|_| square(&mut random)).collect());
        add(&format!("round {n}"), (0..n).map(|_| on_circle(random.range(0.0, TAU))).collect());
        let thin = |p: DVec2| DVec2::new(p.x, 1e-7 * p.y + 0.3 * p.x);
        add(&format!("thin {n}"), regular(n, 1.0).into_iter().map(thin).collect());
        add(&format!("flat arc {n}"), flat_arc(n, 1e-3));
        add(&format!("cap {n}"), cap(n));
    }
    let base = regular(12, 1.0);
    add("small", base.iter().map(|p| *p * 2f64.powi(-20)).collect());
    add("large", base.iter().map(|p| *p * 2f64.powi(20)).collect());
    add("far", base.iter().map(|p| *p + DVec2::new(1e9, -3e8)).collect());
    add("far and rounded", base.iter().map(|p| *p * 1e-6 + DVec2::new(1e9, -3e8)).collect());
    found
}

/// The vertices of a regular polygon about the origin, rounded.
pub fn regular(n: usize, radius: f64) -> Vec<DVec2> {
    (0..n).map(|k| radius * on_circle(TAU * (k as f64 + 0.3) / n as f64)).collect()
}

/// Vertices on a flat parabola: all edges but one have nearly the same direction.
pub fn flat_arc(n: usize, height: f64) -> Vec<DVec2> {
    let at = |k: usize| 2.0 * k as f64 / (n - 1) as f64 - 1.0;
    (0..n).map(|k| DVec2::new(at(k), height * (1.0 - at(k) * at(k)))).collect()
}

/// Vertices that crowd toward one point of an arc, each step half of the one before.
pub fn cap(n: usize) -> Vec<DVec2> {
    let angles = (0..n)
        .map(|k| 1.0 + 0.5f64.powi(k.min(20) as i32) * if k > 20 { 0.9f64.powi(k as i32) } else { 1.0 });
    angles.map(on_circle).chain([DVec2::new(-1.0, -1.0)]).collect()
}

fn on_circle(angle: f64) -> DVec2 {
    let at = crate::math::sin_cos(angle);
    DVec2::new(at.cos.middle(), at.sin.middle())
}

fn square(random: &mut Random) -> DVec2 {
    DVec2::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0))
}

/// Twice the area of a polygon given by its vertices, counter-clockwise.
pub fn double_area(points: &[Point]) -> Rational {
    let next = |i: usize| &points[(i + 1) % points.len()];
    points.iter().enumerate().fold(Rational::ZERO, |sum, (i, p)| sum + p.cross(next(i)))
}

/// All cells that hold a point, by trying each of them.
pub fn cells_of(hierarchy: &Hierarchy, p: &Point) -> Vec<Cell> {
    let is_outside = |edge: EdgeId| hierarchy.line(edge).side(p).is_positive();
    let mut cells = Vec::new();
    for (side, earlier) in [(0, vec![]), (2, vec![0]), (1, vec![0, 2]), (3, vec![0, 2, 1])] {
        if is_outside(EdgeId(side)) && !earlier.into_iter().any(|other| is_outside(EdgeId(other))) {
            cells.push(Cell::Outer(EdgeId(side)));
        }
    }
    for (i, triangle) in hierarchy.triangles().iter().enumerate() {
        if !is_outside(triangle.left()) && !is_outside(triangle.right()) && is_outside(triangle.cut()) {
            cells.push(Cell::Triangle(TriangleId(i as u32)));
        }
    }
    if !hierarchy.polygon().side(p).is_positive() {
        cells.push(Cell::Inside);
    }
    cells
}

/// The vertices of an envelope from its definition: all points where two lines of the level or a coarser one cross and that
/// lie outside none of these lines, each once, in no order.
pub fn envelope_vertices(hierarchy: &Hierarchy, level: u32) -> Vec<Point> {
    let lines: Vec<&Line> =
        hierarchy.edges().iter().filter(|e| e.birth() <= level).map(|e| e.line()).collect();
    let mut vertices: Vec<Point> = Vec::new();
    for (i, a) in lines.iter().enumerate() {
        for b in &lines[..i] {
            let Some(p) = a.crossing(b) else { continue };
            if lines.iter().all(|line| !line.side(&p).is_positive()) && !vertices.contains(&p) {
                vertices.push(p);
            }
        }
    }
    vertices
}

/// The relation of two polygons from the definition: the difference of all vertices, its hull, and zero.
pub fn relation_by_difference(a: &[Point], b: &[Point]) -> Relation {
    let differences: Vec<Point> = a.iter().flat_map(|p| b.iter().map(|q| q.minus(p))).collect();
    let zero = Point::from(DVec2::ZERO);
    // Zero is outside or on the boundary exactly if some half-plane through it holds all differences; the half-planes to
    // try have a difference on their boundary, or are those of a flat set.
    if differences.contains(&zero) && differences.iter().all(|d| *d == zero) {
        return Relation::Touching;
    }
    let mut touches = false;
    for d in differences.iter().filter(|d| **d != zero) {
        for along in [d.clone(), d.negated()] {
            let sides: Vec<_> = differences.iter().map(|e| sign(&along.cross(e))).collect();
            if sides.iter().any(|s| s.is_negative()) {
                continue;
            }
            // All to the left of the line along d. Strictly ahead of zero where on it: a slightly turned line parts them.
            let is_ahead = |e: &Point| sign(&along.dot(e)).is_positive();
            let on_line = differences.iter().zip(&sides).filter(|(_, s)| s.is_zero());
            if on_line.into_iter().all(|(e, _)| is_ahead(e)) {
                return Relation::Disjoint;
            }
            touches = true;
        }
    }
    if touches { Relation::Touching } else { Relation::Overlapping }
}

/// The sum of two sets of points as a convex hull, counter-clockwise, exactly.
pub fn sum_hull(a: &[Point], b: &[Point]) -> Vec<Point> {
    let mut sums: Vec<Point> = a.iter().flat_map(|p| b.iter().map(|q| p.plus(q))).collect();
    sums.sort_by(|p, q| p.x().cmp(q.x()).then(p.y().cmp(q.y())));
    sums.dedup();
    if sums.len() < 3 {
        return sums;
    }
    let chain = |points: &mut dyn Iterator<Item = &Point>| {
        let mut hull: Vec<Point> = Vec::new();
        for p in points {
            while let [.., a, b] = &hull[..]
                && !sign(&b.minus(a).cross(&p.minus(a))).is_positive()
            {
                hull.pop();
            }
            hull.push(p.clone());
        }
        hull.pop();
        hull
    };
    let mut hull = chain(&mut sums.iter());
    hull.extend(chain(&mut sums.iter().rev()));
    hull
}

/// A polygon of a random kind with at most about that many vertices, at a random scale and place.
fn random_polygon(random: &mut Random, most: u64) -> Polygon {
    let n = 1 + random.below(most) as usize;
    let base: Vec<DVec2> = match random.below(5) {
        0 => (0..n).map(|_| square(random)).collect(),
        1 => regular(n, 1.0),
        2 => flat_arc(n + 1, 2f64.powi(-(random.below(40) as i32))),
        3 => cap(n),
        // Whole numbers: many parallel edges and equal directions.
        _ => (0..n).map(|_| DVec2::new(random.below(5) as f64, random.below(5) as f64)).collect(),
    };
    let scale = 2f64.powi(if random.below(2) == 0 { 0 } else { random.below(41) as i32 - 20 });
    let offset = if random.below(3) == 0 { 2f64.powi(random.below(30) as i32) } else { 0.0 };
    let points: Vec<DVec2> = base.iter().map(|p| scale * *p + DVec2::new(offset, -offset)).collect();
    Polygon::hull(&points).expect("finite points")
}

fn random_hierarchy(random: &mut Random, most: u64) -> Hierarchy {
    let polygon = random_polygon(random, most);
    if random.below(2) == 0 { Hierarchy::compass(polygon) } else { Hierarchy::dudley(polygon) }
}

/// A point near a vertex of a polygon, at any distance, or where two lines of its hierarchy cross.
fn random_probe(hierarchy: &Hierarchy, random: &mut Random) -> Point {
    let pick = |random: &mut Random, n: usize| random.below(n as u64) as usize;
    let edges = hierarchy.edges();
    let [a, b] = [0, 1].map(|_| edges[pick(random, edges.len())].line());
    if random.below(4) == 0
        && let Some(crossing) = a.crossing(b)
    {
        return crossing;
    }
    let points = hierarchy.polygon().points();
    let reach = 4.0 * hierarchy.diameter() * 2f64.powi(-(random.below(30) as i32));
    points[pick(random, points.len())].plus(&Point::from(reach * square(random)))
}

fn random_placement(random: &mut Random) -> Placement {
    let zero = Point::from(DVec2::ZERO);
    match random.below(3) {
        0 => Placement::identity(),
        1 => Placement::half_angle(
            &Rational::from_parts((random.below(9) as i64 - 4).into(), 3u8.into()),
            zero,
        ),
        _ => Placement::turn(random.range(0.0, TAU), zero),
    }
}

/// Points around a polygon are in the one cell that holds them.
pub fn compare_cells(random: &mut Random) -> Result<(), String> {
    let hierarchy = random_hierarchy(random, 30);
    for _ in 0..8 {
        let p = random_probe(&hierarchy, random);
        let case = || format!("{:?} and {:?}", hierarchy.polygon().vertices(), p.near());
        same(vec![hierarchy.locate(&p)], cells_of(&hierarchy, &p), case)?;
    }
    Ok(())
}

/// Polygons under placements are related as the differences of their vertices say.
pub fn compare_relations(random: &mut Random) -> Result<(), String> {
    let (a, b) = (random_hierarchy(random, 6), random_hierarchy(random, 6));
    let placement = onto(&a, &b, random);
    let here = Placement::identity();
    let got = planar::relation_of(a.polygon(), &here, b.polygon(), &placement);
    let want = relation_by_difference(a.polygon().points(), &b.polygon().placed(&placement));
    let case = || format!("{:?} and {:?}", a.polygon().vertices(), b.polygon().vertices());
    same(got, want, case)?;
    let got = planar::distance_squared_of(a.polygon(), &here, b.polygon(), &placement);
    let apart = least_square(a.polygon().points(), &b.polygon().placed(&placement));
    same(got, if want == Relation::Disjoint { apart } else { Rational::ZERO }, case)
}

/// The least square of the distance of a vertex of one polygon and a side of the other.
fn least_square(a: &[Point], b: &[Point]) -> Rational {
    let mut least: Option<Rational> = None;
    for (mine, other) in [(a, b), (b, a)] {
        for p in mine {
            for (i, from) in other.iter().enumerate() {
                let (along, off) = (other[(i + 1) % other.len()].minus(from), p.minus(from));
                let whole = along.dot(&along);
                let t = if whole.is_zero() { Rational::ZERO } else { off.dot(&along) / whole };
                let t = t.clamp(Rational::ZERO, Rational::ONE);
                let rest = Point::new(off.x() - &t * along.x(), off.y() - &t * along.y());
                let square = rest.dot(&rest);
                least = Some(least.map_or(square.clone(), |known| known.min(square)));
            }
        }
    }
    least.unwrap_or(Rational::ZERO)
}

/// A placement that brings a vertex of the second near or onto one of the first.
fn onto(a: &Hierarchy, b: &Hierarchy, random: &mut Random) -> Placement {
    let rotation = random_placement(random);
    let vertex = &b.polygon().points()[random.below(b.polygon().vertices().len() as u64) as usize];
    let target = if random.below(4) == 0 {
        a.polygon().points()[random.below(a.polygon().vertices().len() as u64) as usize].clone()
    } else {
        random_probe(a, random)
    };
    let shift = target.minus(&rotation.rotated(vertex));
    Placement::new(rotation.cos().clone(), rotation.sin().clone(), shift).unwrap_or(rotation)
}

/// Placements of two polygons are in the one mixed cell that holds them, or meet.
pub fn compare_mixed_cells(random: &mut Random) -> Result<(), String> {
    let (a, b) = (random_hierarchy(random, 20), random_hierarchy(random, 20));
    let placement = onto(&a, &b, random);
    let want = planar::relation_of(a.polygon(), &Placement::identity(), b.polygon(), &placement);
    let mixed = Mixed::new(&a, &b, placement);
    let cell = mixed.locate();
    let case = || format!("{:?} and {:?}", a.polygon().vertices(), b.polygon().vertices());
    same(cell == MixedCell::Inside, want != Relation::Disjoint, case)?;
    if let Some(contact) = mixed.separation(&cell) {
        same(mixed.pair().side(&contact).is_positive(), true, case)?;
    }
    let holding: Vec<MixedCell> = mixed.cells().into_iter().filter(|cell| mixed.holds(cell)).collect();
    let is_bounded = !matches!(cell, MixedCell::Inside | MixedCell::Outer(_));
    same(holding, if is_bounded { vec![cell] } else { Vec::new() }, case)
}
