//! Draws two bodies with their closest points and a plane between them.

use super::{Body, Camera, Colour, Drawing, Fineness, Line, Marker, tessellate};
use clearance::{
    Aabb, Pose,
    glam::DVec3,
    shape::{Primitive, RoundedCore, Shape, TriangleSoup},
};

const INK: Colour = Colour::new(0x2b, 0x34, 0x40);
const CONTACT: Colour = Colour::new(0xc0, 0x1c, 0x28);
const GLASS: Colour = Colour::new(0x8c, 0x9a, 0xab);
/// Opacity of sheets that stand for half-spaces and planes.
pub const SHEET: f64 = 0.6;
/// Planes reach this much beyond the bodies.
const OVERHANG: f64 = 1.25;

/// One body of a pair: its name, its shape and where it is.
#[derive(Clone, Copy, Debug)]
pub struct PairBody<'a> {
    /// In the legend.
    pub name: &'a str,
    /// In its own frame.
    pub shape: &'a Shape,
    /// From its own frame to the world.
    pub pose: Pose,
}

/// What a picture of a pair shows besides the bodies; all in the world frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct PairMarks<'a> {
    /// A point of A and one of B, joined by a line.
    pub points: Option<[DVec3; 2]>,
    /// A point and the normal of a plane between the bodies.
    pub plane: Option<(DVec3, DVec3)>,
    /// Opacity of the bodies; zero stands for 1.
    pub opacity: f64,
    /// Curves along which the bodies meet, piece by piece.
    pub curves: &'a [Vec<DVec3>],
}

/// A drawing of two bodies, seen across the plane between them.
///
/// Half-spaces and planes are drawn as a square of their border, segments as lines, points as markers. `plane` is a
/// translucent square.
pub fn draw_pair(title: &str, bodies: [PairBody<'_>; 2], marks: &PairMarks<'_>) -> Drawing {
    let mut drawing = Drawing { title: title.into(), ..Drawing::default() };
    let reach = reach_of(&bodies, marks);
    for (i, body) in bodies.iter().enumerate() {
        let colour = Colour::of_index(i);
        let opacity = if marks.opacity > 0.0 { marks.opacity } else { 1.0 };
        add_body(&mut drawing, body, colour, opacity, reach);
    }
    if let Some((point, normal)) = marks.plane {
        let soup = square(point, normal, reach);
        drawing.bodies.push(Body { opacity: 0.3, ..Body::new("separating plane", soup).coloured(GLASS) });
    }
    let curves = marks.curves.iter().filter(|curve| curve.len() > 1);
    drawing.lines.extend(curves.map(|curve| Line { points: curve.clone(), colour: CONTACT }));
    if let Some([point_a, point_b]) = marks.points {
        drawing.lines.push(Line { points: vec![point_a, point_b], colour: INK });
        drawing.markers.push(Marker { point: point_a, colour: Colour::of_index(0) });
        drawing.markers.push(Marker { point: point_b, colour: Colour::of_index(1) });
    }
    if let Some(normal) = marks.plane.and_then(|(_, normal)| normal.try_normalize()) {
        drawing.camera = across(normal);
    }
    drawing
}

/// The usual view, turned until one looks along the plane more than onto it.
fn across(normal: DVec3) -> Camera {
    const MOST: f64 = 0.3;
    let usual = -Camera::default().back();
    let along = usual.dot(normal);
    let kept = along.clamp(-MOST, MOST);
    Camera::looking(usual - (along - kept) * normal, DVec3::Z)
}

/// A ball around everything bounded: centre and radius.
fn reach_of(bodies: &[PairBody<'_>; 2], marks: &PairMarks<'_>) -> (DVec3, f64) {
    let of_body = |body: &PairBody<'_>| {
        let bounds = body.shape.bounds()?;
        let corner =
            |i: u32, axis: usize| if i >> axis & 1 == 1 { bounds.max[axis] } else { bounds.min[axis] };
        Aabb::around((0..8).map(|i| body.pose.apply(DVec3::new(corner(i, 0), corner(i, 1), corner(i, 2)))))
    };
    let points = marks.points.into_iter().flatten().filter(|p| p.is_finite());
    let all = bodies.iter().filter_map(of_body).chain(Aabb::around(points)).reduce(Aabb::join);
    all.map_or((DVec3::ZERO, 1.0), |bounds| {
        let radius = 0.5 * bounds.extent().length();
        (bounds.center(), if radius > 0.0 { radius } else { 1.0 })
    })
}

fn add_body(drawing: &mut Drawing, body: &PairBody<'_>, colour: Colour, opacity: f64, reach: (DVec3, f64)) {
    let place = |point: DVec3| body.pose.apply(point);
    match body.shape {
        Shape::Primitive(Primitive::Segment(segment)) => {
            drawing.lines.push(Line { points: segment.ends().map(place).to_vec(), colour });
        }
        Shape::Primitive(Primitive::Point(point)) => {
            drawing.markers.push(Marker { point: place(point.position()), colour });
        }
        Shape::Polytope(polytope) if polytope.dimension() < 2 => {
            let points: Vec<DVec3> = polytope.vertices().iter().map(|&v| place(v)).collect();
            drawing.markers.extend(points.iter().map(|&point| Marker { point, colour }));
            drawing.lines.push(Line { points, colour });
        }
        shape => {
            let drawn = match sheet(shape, &body.pose, reach) {
                Some(soup) => Some(Body { opacity: SHEET, ..Body::new(body.name, soup) }),
                None => tessellate(shape, Fineness::default())
                    .map(|soup| Body { opacity, ..Body::new(body.name, soup).at(body.pose) }),
            };
            drawing.bodies.extend(drawn.map(|drawn| drawn.coloured(colour)));
            return;
        }
    }
    // Without triangles, for the legend.
    drawing.bodies.push(Body::new(body.name, TriangleSoup::default()).coloured(colour));
}

/// A large square of the border of a half-space or of a plane, in the world, around a ball by its centre and radius; `None`
/// for other shapes.
pub fn sheet(shape: &Shape, pose: &Pose, around: (DVec3, f64)) -> Option<TriangleSoup> {
    let (normal, offset, rounding) = match shape {
        Shape::Primitive(Primitive::HalfSpace(half)) => (half.normal(), half.offset(), 0.0),
        Shape::Primitive(Primitive::Plane(plane)) => (plane.normal(), plane.offset(), 0.0),
        Shape::Rounded(rounded) => match rounded.core() {
            RoundedCore::Primitive(Primitive::HalfSpace(half)) => {
                (half.normal(), half.offset(), rounded.radius())
            }
            RoundedCore::Primitive(Primitive::Plane(plane)) => (plane.normal(), plane.offset(), 0.0),
            _ => return None,
        },
        _ => return None,
    };
    let (point, normal) = border(normal, offset);
    Some(square(pose.apply(point + rounding * normal), pose.apply_vector(normal), around))
}

/// A point of a plane and its unit normal.
fn border(normal: DVec3, offset: f64) -> (DVec3, DVec3) {
    let scale = normal.abs().max_element();
    let unit = (normal / scale).normalize_or(DVec3::Z);
    (unit * (offset / scale / (normal / scale).length()), unit)
}

/// A square in the plane through `point`, in the middle of everything.
fn square(point: DVec3, normal: DVec3, (center, radius): (DVec3, f64)) -> TriangleSoup {
    let normal = normal.normalize_or(DVec3::Z);
    let middle = center - (center - point).dot(normal) * normal;
    let (u, v) = normal.any_orthonormal_pair();
    // The edges of the square run level where they can: it reads as a plane then.
    let level = DVec3::Z.cross(normal).try_normalize();
    let (u, v) = level.map_or((u, v), |level| (level, normal.cross(level)));
    let half = 0.75 * OVERHANG * radius;
    let corner = |x: f64, y: f64| middle + half * (x * u + y * v);
    TriangleSoup {
        positions: vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        parts: Vec::new(),
    }
}
