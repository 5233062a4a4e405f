//! First contacts of features whose vertices move on straight lines: cases with known answers, and published queries.

use clearance::ccd::{ContactTime, MovingPoint, edge_edge, vertex_face};
use clearance::glam::DVec3;
use clearance::oracle::{ccd, ccd_data, real_mesh};
use dashu::rational::RBig;

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn moving(start: DVec3, end: DVec3) -> MovingPoint {
    MovingPoint { start, end }
}

fn face() -> [MovingPoint; 3] {
    [v(0.0, 0.0, 0.0), v(4.0, 0.0, 0.0), v(0.0, 4.0, 0.0)].map(MovingPoint::at_rest)
}

fn exactly(time: f64) -> Option<ContactTime> {
    Some(ContactTime { lower: time, upper: time })
}

fn against_face(start: DVec3, end: DVec3) -> Option<ContactTime> {
    vertex_face(moving(start, end), face()).expect("small coordinates")
}

#[test]
fn a_vertex_meets_a_resting_triangle_inside_on_sides_and_at_corners_and_nowhere_else() {
    let falls = |x: f64, y: f64| against_face(v(x, y, 1.0), v(x, y, -3.0));
    for (x, y) in [(1.0, 1.0), (0.0, 1.0), (2.0, 2.0), (0.0, 0.0), (4.0, 0.0), (0.0, 4.0)] {
        assert_eq!(falls(x, y), exactly(0.25), "{x} {y}");
    }
    for (x, y) in [(-5e-324, 1.0), (2.0, 2f64.next_up()), (4f64.next_up(), 0.0), (0.0, -5e-324)] {
        assert_eq!(falls(x, y), None, "{x} {y}");
    }
}

#[test]
fn contacts_at_the_ends_of_time_count() {
    assert_eq!(against_face(v(1.0, 1.0, 0.0), v(1.0, 1.0, 5.0)), exactly(0.0));
    assert_eq!(against_face(v(1.0, 1.0, 5.0), v(1.0, 1.0, 0.0)), exactly(1.0));
    assert_eq!(against_face(v(1.0, 1.0, 5.0), v(1.0, 1.0, 5e-324)), None);
    assert_eq!(against_face(v(5.0, 5.0, 0.0), v(1.0, 1.0, 5.0)), None);
}

#[test]
fn motion_in_the_plane_of_a_triangle_meets_its_sides() {
    assert_eq!(against_face(v(-1.0, 1.0, 0.0), v(3.0, 1.0, 0.0)), exactly(0.25));
    // Along the line of a side, and just beside it.
    assert_eq!(against_face(v(-2.0, 0.0, 0.0), v(6.0, 0.0, 0.0)), exactly(0.25));
    assert_eq!(against_face(v(-2.0, -5e-324, 0.0), v(6.0, -5e-324, 0.0)), None);
    // Past a corner.
    assert_eq!(against_face(v(-1.0, 1.0, 0.0), v(1.0, -1.0, 0.0)), exactly(0.5));
    // One third is no float.
    let third: f64 = 1.0 / 3.0;
    let time = against_face(v(-1.0, 1.0, 0.0), v(2.0, 1.0, 0.0));
    assert_eq!(time, Some(ContactTime { lower: third, upper: third.next_up() }));
}

#[test]
fn a_plane_that_is_touched_and_left_again_counts_if_the_vertex_is_on_the_triangle() {
    // The volume is (2t - 1)^2 times a number: vertices are coplanar at 1/2 only, without crossing.
    let flat = |x: f64, y0: f64| {
        let size = 64.0;
        let face = [
            MovingPoint::at_rest(DVec3::ZERO),
            MovingPoint::at_rest(v(size, 0.0, 0.0)),
            moving(v(0.0, size, 0.0), v(0.0, size, size)),
        ];
        let vertex = moving(v(x, y0, 1.0), v(x, y0 - 4.0, 1.0 + y0 - 4.0));
        vertex_face(vertex, face).expect("small coordinates")
    };
    assert_eq!(flat(1.0, 6.0), exactly(0.5));
    assert_eq!(flat(-1.0, 6.0), None);
    assert_eq!(flat(1.0, -6.0), None);
}

#[test]
fn triangles_may_collapse() {
    // To a segment that the vertex waits on, at time 1/2 only.
    let corner = |x: f64| moving(v(x, 0.0, -1.0), v(x, 0.0, 1.0));
    let face = [corner(-2.0), corner(2.0), moving(v(0.0, 1.0, -1.0), v(0.0, -1.0, 1.0))];
    let waits = |x: f64| vertex_face(MovingPoint::at_rest(v(x, 0.0, 0.0)), face).expect("small");
    assert_eq!(waits(1.0), exactly(0.5));
    assert_eq!(waits(2.0), exactly(0.5));
    assert_eq!(waits(2f64.next_up()), None);
    // Always a point: two vertices that meet, or pass each other.
    let point = [moving(v(1.0, 0.0, 0.0), v(-1.0, 0.0, 0.0)); 3];
    let meets = |y: f64| vertex_face(moving(v(0.0, y, -1.0), v(0.0, 0.0, 1.0)), point).expect("small");
    assert_eq!(meets(0.0), exactly(0.5));
    assert_eq!(meets(5e-324), None);
}

#[test]
fn edges_meet_when_they_cross_touch_or_slide_into_each_other() {
    let rests = |a: DVec3, b: DVec3| [a, b].map(MovingPoint::at_rest);
    let along_x = rests(v(-1.0, 0.0, 0.0), v(1.0, 0.0, 0.0));
    let shifted = |a: DVec3, b: DVec3, from: DVec3, to: DVec3| [a, b].map(|p| moving(p + from, p + to));
    let ask = |edge| edge_edge(along_x, edge).expect("small coordinates");
    let (down, up) = (v(0.0, 0.0, 1.0), v(0.0, 0.0, -1.0));
    // Across the middle, at an end, past an end.
    for (x, expected) in [(0.0, exactly(0.5)), (1.0, exactly(0.5)), (1f64.next_up(), None)] {
        assert_eq!(ask(shifted(v(x, -1.0, 0.0), v(x, 1.0, 0.0), down, up)), expected, "{x}");
    }
    // Parallel: onto each other, side by side, along one line.
    let parallel = |y: f64| shifted(v(0.0, y, 0.0), v(3.0, y, 0.0), down, up);
    assert_eq!(ask(parallel(0.0)), exactly(0.5));
    assert_eq!(ask(parallel(5e-324)), None);
    let line = |y: f64| shifted(v(3.0, y, 0.0), v(4.0, y, 0.0), DVec3::ZERO, v(-4.0, 0.0, 0.0));
    assert_eq!(ask(line(0.0)), exactly(0.5));
    assert_eq!(ask(line(5e-324)), None);
    // A point as an edge, and two points.
    let point = v(0.5, 0.0, 0.0);
    assert_eq!(ask(shifted(point, point, down, up)), exactly(0.5));
    assert_eq!(edge_edge(rests(point, point), rests(point, point)), Ok(exactly(0.0)));
}

#[test]
fn nothing_moves() {
    assert_eq!(against_face(v(1.0, 1.0, 0.0), v(1.0, 1.0, 0.0)), exactly(0.0));
    assert_eq!(against_face(v(1.0, 1.0, 1.0), v(1.0, 1.0, 1.0)), None);
    assert_eq!(against_face(v(9.0, 1.0, 0.0), v(9.0, 1.0, 0.0)), None);
}

/// Times next to 0 are as exact as others.
#[test]
fn tiny_times_have_tight_brackets() {
    let time = against_face(v(1.0, 1.0, 1e-300), v(1.0, 1.0, -3.0)).expect("a contact");
    assert!(time.lower < 1e-300 / 3.0 * (1.0 + 1e-15) && time.upper > 1e-300 / 3.0 * (1.0 - 1e-15));
    assert!(time.lower == time.upper || time.lower.next_up() == time.upper);
}

#[test]
fn published_queries_have_neither_false_positives_nor_false_negatives() {
    let Some(data) = real_mesh::folder().filter(|folder| folder.join("ccd").is_dir()) else {
        println!("skipped: no sample data; set CLEARANCE_DATA to its folder");
        return;
    };
    let queries = ccd_data::queries(&data);
    assert_eq!(queries.len(), 1889);
    for query in &queries {
        let answer = query.case.ask();
        assert_eq!(answer.is_some(), query.truth.is_some(), "{}", query.name);
        ccd::check(&query.case, answer).unwrap_or_else(|error| panic!("{}: {error}", query.name));
        if let (Some(ContactTime { lower, upper }), Some([from, to])) = (answer, &query.truth) {
            let [lower, upper] = [lower, upper].map(|x| RBig::try_from(x).expect("a finite number"));
            assert!(lower <= *to && *from <= upper, "{}: {answer:?}", query.name);
            // Exact times are floats here; a bracket that is one float is exact.
            assert!(from < to || (lower == upper && lower == *from), "{}: {answer:?}", query.name);
        }
    }
}
