//! Draws the pictures of `docs/hulls.md`: `cargo xtask pictures`, or this with the folder to write into.

use clearance::{
    Aabb, Pose,
    bound::{FixedDirectionHull, Realignment},
    glam::DVec3,
    oracle::fixed_direction::Region,
    shape::{
        Mesh, MeshConfig, Polytope,
        sample::{PolytopeKind, random_ellipsoid_points, torus},
    },
    tree::Tree,
};
use clearance_io::picture::{Body, Camera, Colour, Drawing, Label, Legend, Line, Marker};
use std::{error::Error, path::PathBuf};

type Hull = FixedDirectionHull<14>;

const INK: Colour = Colour::new(0x2b, 0x34, 0x40);
const GLASS: Colour = Colour::new(0x6f, 0x8f, 0xb8);
const AMBER: Colour = Colour::new(0xe0, 0x9a, 0x2b);

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("name the folder to write into")?);
    std::fs::create_dir_all(&folder)?;
    let mut drawings = around_a_body()?;
    drawings.push(("hulls-shapes", shapes()?));
    drawings.extend(realignment()?);
    drawings.push(("hulls-pivots", pivots()?));
    drawings.push(("hulls-gap", gap()?));
    drawings.push(("hulls-tree-6", parts_of_a_tree::<6>()?));
    drawings.push(("hulls-tree-14", parts_of_a_tree::<14>()?));
    for (name, drawing) in drawings {
        let file = folder.join(format!("{name}.svg"));
        std::fs::write(&file, drawing.to_svg())?;
        println!("{}", file.display());
    }
    Ok(())
}

type Drawings = Vec<(&'static str, Drawing)>;

/// The points of the body that all pictures show: an ellipsoid that lies askew.
fn body_points() -> Result<Vec<DVec3>, Box<dyn Error>> {
    let askew = Pose::from_axis_angle(DVec3::new(0.3, 1.0, 0.5), 0.7, DVec3::ZERO)?;
    Ok(random_ellipsoid_points(PolytopeKind::Ellipsoid, 90, 4).into_iter().map(|p| askew.apply(p)).collect())
}

fn solid(name: &str, points: &[DVec3], colour: Colour) -> Result<Body, Box<dyn Error>> {
    Ok(Body::new(name, Polytope::hull(points)?.to_soup()).coloured(colour))
}

fn glass(body: Body, opacity: f64) -> Body {
    Body { opacity, ..body }
}

fn region<const K: usize>(
    name: &str,
    hull: &FixedDirectionHull<K>,
    colour: Colour,
) -> Result<Body, Box<dyn Error>> {
    solid(name, &Region::new(hull).rounded_corners(), colour)
}

/// Empty labels at the corners of a hull's box: pictures that share them share a scale.
fn frame(hull: &Hull) -> Vec<Label> {
    box_corners(box_of(hull)).map(|point| Label { point, text: String::new() }).to_vec()
}

fn box_of(hull: &Hull) -> Aabb {
    let s = hull.supports();
    Aabb { min: -DVec3::new(s[7], s[8], s[9]), max: DVec3::new(s[0], s[1], s[2]) }
}

/// The bits of the index say which coordinates are the greater ones.
fn box_corners(bounds: Aabb) -> [DVec3; 8] {
    std::array::from_fn(|i| {
        let pick = |axis: usize| if i >> axis & 1 == 1 { bounds.max[axis] } else { bounds.min[axis] };
        DVec3::new(pick(0), pick(1), pick(2))
    })
}

/// One body in its hulls with 6, 14 and 26 directions.
fn around_a_body() -> Result<Drawings, Box<dyn Error>> {
    let points = body_points()?;
    fn inside<const K: usize>(points: &[DVec3]) -> Result<Drawing, Box<dyn Error>> {
        let hull = FixedDirectionHull::<K>::around(points.iter().copied());
        let ratio = Polytope::hull(&Region::new(&hull).rounded_corners())?.volume()
            / Polytope::hull(points)?.volume();
        Ok(Drawing {
            title: format!("{K} directions: {ratio:.2} times the volume"),
            bodies: vec![
                solid("body", points, Colour::of_index(0))?,
                glass(region("hull", &hull, GLASS)?, 0.3),
            ],
            labels: frame(&Hull::around(points.iter().copied())),
            legend: Legend::Hidden,
            ..Drawing::default()
        })
    }
    Ok(vec![
        ("hulls-6", inside::<6>(&points)?),
        ("hulls-14", inside::<14>(&points)?),
        ("hulls-26", inside::<26>(&points)?),
    ])
}

/// The parts of one level of a tree over a ring, each in its hull.
fn parts_of_a_tree<const K: usize>() -> Result<Drawing, Box<dyn Error>> {
    let mesh = Mesh::build(&torus(1.0, 0.4, 48, 24)?, &MeshConfig::default())?;
    let mut drawing = Drawing { legend: Legend::Hidden, ..Drawing::default() };
    let mut volume = 0.0;
    for (i, part) in Tree::build(&mesh).level(1).iter().enumerate() {
        let corners = part.iter().flat_map(|&triangle| mesh.triangle(triangle as usize));
        let region =
            Polytope::hull(&Region::new(&FixedDirectionHull::<K>::around(corners)).rounded_corners())?;
        volume += region.volume();
        let colour = Colour::of_index(i);
        drawing.bodies.push(glass(Body::new("part", region.to_soup()).coloured(colour), 0.75));
    }
    let parts = drawing.bodies.len();
    drawing.title = format!("{parts} parts of a ring, {K} directions: volume {volume:.2} in all");
    Ok(drawing)
}

/// From a cube to an octahedron while the octahedral planes move in.
fn shapes() -> Result<Drawing, Box<dyn Error>> {
    let along = DVec3::new(-0.5, 1.0, -0.45);
    // Side by side in the picture: to the right of one who looks along.
    let right = along.cross(DVec3::Z).normalize();
    let mut drawing = Drawing {
        title: "one box, octahedral planes at 3, 2.5, 2, 1.5 and 1".into(),
        camera: Camera::looking(along, DVec3::Z),
        legend: Legend::Hidden,
        ..Drawing::default()
    };
    for (i, level) in [3.0, 2.5, 2.0, 1.5, 1.0].into_iter().enumerate() {
        let supports = Hull::DIRECTIONS.map(|d| if d.contains(&0) { 1.0 } else { level });
        let hull = Hull::from_supports(supports).ok_or("numbers")?;
        let place = Pose::from_translation(2.9 * i as f64 * right)?;
        drawing.bodies.push(region("hull", &hull, Colour::of_index(i))?.at(place));
    }
    Ok(drawing)
}

/// The body turned, in the hull that turned along, in that one's own hull, and in a new one.
fn realignment() -> Result<Drawings, Box<dyn Error>> {
    let points = body_points()?;
    let turn = Pose::from_axis_angle(DVec3::new(0.4, -0.2, 1.0), 0.6, DVec3::ZERO)?;
    let turned: Vec<DVec3> = points.iter().map(|&p| turn.apply(p)).collect();
    let hull = Hull::around(points.iter().copied());
    let (moved, anew) = (Realignment::new(&turn).apply(&hull), Hull::around(turned.iter().copied()));
    let volume =
        |hull: &Hull| Ok::<_, Box<dyn Error>>(Polytope::hull(&Region::new(hull).rounded_corners())?.volume());
    let of_body = Polytope::hull(&points)?.volume();
    let times = |hull: &Hull| Ok::<_, Box<dyn Error>>(volume(hull)? / of_body);
    let drawing = |title: String, bodies: Vec<Body>| Drawing {
        title,
        bodies,
        labels: frame(&moved),
        legend: Legend::Hidden,
        ..Drawing::default()
    };
    let body = || solid("body", &turned, Colour::of_index(0));
    let old = || Ok::<_, Box<dyn Error>>(region("turned hull", &hull, AMBER)?.at(turn));
    Ok(vec![
        (
            "hulls-turned",
            drawing(
                format!("the hull turned along: {:.2}", times(&hull)?),
                vec![body()?, glass(old()?, 0.35)],
            ),
        ),
        (
            "hulls-realigned",
            drawing(
                format!("its hull, realigned: {:.2}", times(&moved)?),
                vec![body()?, glass(old()?, 0.3), glass(region("realigned", &moved, GLASS)?, 0.25)],
            ),
        ),
        (
            "hulls-anew",
            drawing(
                format!("a hull computed anew: {:.2}", times(&anew)?),
                vec![body()?, glass(region("anew", &anew, GLASS)?, 0.3)],
            ),
        ),
    ])
}

/// The corner of the box and the two pivots that lead from it to the solution of the linear program.
fn pivots() -> Result<Drawing, Box<dyn Error>> {
    // Supports chosen so that the second pivot is the one that is feasible.
    let points = [
        [-1., -1., -1.],
        [1., 0.05, 0.1],
        [0.0, 1.0, -0.5],
        [-0.45, 0.3, 1.0],
        [0.5, -0.3, 0.9],
        [0.2, 0.75, 0.55],
    ];
    let hull = Hull::around(points.map(DVec3::from_array));
    let support = |d: [i8; 3]| {
        let number = Hull::DIRECTIONS.iter().position(|x| *x == d).ok_or("a direction")?;
        Ok::<f64, Box<dyn Error>>(hull.supports()[number])
    };
    let (b1, b2, b3) = (support([1, 0, 0])?, support([0, 1, 0])?, support([0, 0, 1])?);
    let (b4, b5) = (support([1, 1, 1])?, support([-1, 1, 1])?);
    let start = DVec3::new(b1, b2, b3);
    let first = DVec3::new(b4 - b2 - b3, b2, b3);
    let second = DVec3::new(0.5 * (b4 - b5), 0.5 * (b4 + b5) - b3, b3);
    let mark = |point: DVec3, i: usize| Marker { point, colour: Colour::of_index(i) };
    let label =
        |point: DVec3, text: &str| Label { point: point + DVec3::new(0.0, 0.0, 0.07), text: text.into() };
    Ok(Drawing {
        title: "two pivots: from the corner of the box to the farthest point".into(),
        bodies: vec![region("hull", &hull, GLASS)?],
        lines: box_edges(box_of(&hull))
            .into_iter()
            .chain([Line { points: vec![start, first, second], colour: Colour::of_index(1) }])
            .collect(),
        markers: vec![mark(start, 3), mark(first, 1), mark(second, 2)],
        labels: vec![label(start, "x0"), label(first, "x1"), label(second, "x2")],
        camera: Camera::looking(DVec3::new(-0.75, -0.9, -0.75), DVec3::Z),
        legend: Legend::Hidden,
        ..Drawing::default()
    })
}

fn box_edges(bounds: Aabb) -> Vec<Line> {
    let corners = box_corners(bounds);
    let edges = (0..8)
        .flat_map(|i| (0..3).filter(move |axis| i >> axis & 1 == 0).map(move |axis| (i, i | 1 << axis)));
    edges.map(|(i, j)| Line { points: vec![corners[i], corners[j]], colour: INK }).collect()
}

/// Two hulls with the direction along which their gap is widest.
fn gap() -> Result<Drawing, Box<dyn Error>> {
    let points = body_points()?;
    let far = Pose::from_axis_angle(DVec3::new(1.0, 0.2, 0.4), 1.1, DVec3::new(1.5, -1.25, 1.2))?;
    let other: Vec<DVec3> = points.iter().map(|&p| far.apply(p)).collect();
    let (a, b) = (Hull::around(points.iter().copied()), Hull::around(other.iter().copied()));
    let lengths = Hull::DIRECTIONS.map(|d| DVec3::from_array(d.map(f64::from)).length());
    let gaps = a.oriented_distances(&b);
    let best =
        (0..14).max_by(|&i, &j| (gaps[i] / lengths[i]).total_cmp(&(gaps[j] / lengths[j]))).unwrap_or(0);
    let unit = DVec3::from_array(Hull::DIRECTIONS[best].map(f64::from)) / lengths[best];
    // The foot lies on the plane of A, near the middle between the bodies.
    let middle = 0.5 * far.translation();
    let foot = middle + (a.supports()[best] / lengths[best] - unit.dot(middle)) * unit;
    let tip = foot + unit * (gaps[best] / lengths[best]);
    Ok(Drawing {
        title: format!(
            "delta = {:.3} along {:?}: no points are closer",
            a.fixed_direction_distance(&b),
            Hull::DIRECTIONS[best]
        ),
        bodies: vec![
            solid("A", &points, Colour::of_index(0))?,
            glass(region("hull of A", &a, Colour::of_index(0))?, 0.3),
            solid("B", &other, Colour::of_index(1))?,
            glass(region("hull of B", &b, Colour::of_index(1))?, 0.3),
        ],
        lines: vec![Line { points: vec![foot, tip], colour: INK }],
        markers: vec![
            Marker { point: foot, colour: Colour::of_index(0) },
            Marker { point: tip, colour: Colour::of_index(1) },
        ],
        camera: Camera::looking(unit.cross(DVec3::new(0.2, -0.5, 1.0)), DVec3::Z),
        legend: Legend::Hidden,
        ..Drawing::default()
    })
}
