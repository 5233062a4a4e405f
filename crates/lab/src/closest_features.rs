//! The rival of the time: a pair of features that walks to the closest one [Chung96 §6.2.2, there I_COLLIDE].
//!
//! A plain walk over Voronoi regions in the manner of Lin and Canny, with the clipping of edges against regions that
//! Mirtich found later, so that it also ends when bodies meet and needs no linear program. It follows the paper's account:
//! each feature on the way is transformed into the other body's frame. Floats only, nothing is proved. Where rounding
//! makes it run in a circle it says so.

use clearance::Pose;
use clearance::glam::{DMat3, DVec3};
use clearance::shape::Polytope;

/// A part of a body's boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    Vertex(u32),
    Edge(u32),
    Face(u32),
}

/// How two bodies lie to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Closest {
    /// Apart by that much.
    Apart(f64),
    Meet,
    /// The walk came back to where it was.
    Circle,
}

/// A pair followed from frame to frame.
#[derive(Clone, Copy, Debug)]
pub struct Walk {
    pub features: (Feature, Feature),
    /// Pairs of features looked at.
    pub steps: u64,
}

/// Vertices, edges and faces of a body with the planes of their Voronoi regions.
pub struct Boundary {
    points: Vec<DVec3>,
    /// The edges at a vertex, outward.
    fans: Vec<Vec<Spoke>>,
    edges: Vec<Edge>,
    faces: Vec<Face>,
}

#[derive(Clone, Copy)]
struct Spoke {
    edge: u32,
    outward: DVec3,
}

struct Edge {
    ends: [u32; 2],
    along: DVec3,
    faces: [u32; 2],
    /// Unit vectors within each face, away from the edge.
    into: [DVec3; 2],
}

struct Face {
    normal: DVec3,
    offset: f64,
    /// Its edges, and which of an edge's two faces it is.
    rim: Vec<(u32, usize)>,
}

impl Boundary {
    /// Of a polytope with an inside.
    pub fn new(polytope: &Polytope) -> Boundary {
        let points = polytope.vertices().to_vec();
        let mut boundary =
            Boundary { fans: vec![Vec::new(); points.len()], points, edges: vec![], faces: vec![] };
        let mut known = rustc_hash::FxHashMap::default();
        for (index, corners) in polytope.faces().enumerate() {
            let normal = boundary.normal(corners);
            let mut rim = Vec::with_capacity(corners.len());
            for (i, &tail) in corners.iter().enumerate() {
                let head = corners[(i + 1) % corners.len()];
                let along = boundary.points[head as usize] - boundary.points[tail as usize];
                let into = normal.cross(along).normalize();
                // Neighbours run along an edge in opposite directions.
                let (edge, side) = match known.get(&(head, tail)) {
                    Some(&edge) => (edge, 1),
                    None => (boundary.add_edge([tail, head], along), 0),
                };
                known.insert((tail, head), edge);
                boundary.edges[edge as usize].faces[side] = index as u32;
                boundary.edges[edge as usize].into[side] = into;
                rim.push((edge, side));
            }
            let offset =
                corners.iter().map(|&v| normal.dot(boundary.points[v as usize])).fold(f64::MIN, f64::max);
            boundary.faces.push(Face { normal, offset, rim });
        }
        boundary
    }

    fn add_edge(&mut self, ends: [u32; 2], along: DVec3) -> u32 {
        let edge = self.edges.len() as u32;
        self.edges.push(Edge { ends, along, faces: [0; 2], into: [DVec3::ZERO; 2] });
        self.fans[ends[0] as usize].push(Spoke { edge, outward: along });
        self.fans[ends[1] as usize].push(Spoke { edge, outward: -along });
        edge
    }

    fn normal(&self, corners: &[u32]) -> DVec3 {
        let at = |i: usize| self.points[corners[i % corners.len()] as usize];
        let fan = (1..corners.len() - 1).map(|i| (at(i) - at(0)).cross(at(i + 1) - at(0)));
        fan.sum::<DVec3>().normalize()
    }

    fn tail(&self, edge: &Edge) -> DVec3 {
        self.points[edge.ends[0] as usize]
    }

    fn head(&self, edge: &Edge) -> DVec3 {
        self.points[edge.ends[1] as usize]
    }
}

/// A body, and how points of the other come into its frame.
struct Side<'a> {
    body: &'a Boundary,
    rotation: DMat3,
    translation: DVec3,
}

impl Side<'_> {
    fn receive(&self, point: DVec3) -> DVec3 {
        self.rotation * point + self.translation
    }

    fn receive_edge(&self, from: &Boundary, edge: &Edge) -> Segment {
        let tail = self.receive(from.tail(edge));
        Segment { tail, along: self.receive(from.head(edge)) - tail }
    }
}

/// What one look at a pair of features says.
enum Step {
    First(Feature),
    Second(Feature),
    End(Closest),
}

impl Step {
    fn swapped(self) -> Step {
        match self {
            Step::First(feature) => Step::Second(feature),
            Step::Second(feature) => Step::First(feature),
            end => end,
        }
    }

    fn at(distance: f64) -> Step {
        Step::End(if distance > 0.0 { Closest::Apart(distance) } else { Closest::Meet })
    }
}

impl Walk {
    /// From two vertices.
    pub fn from_vertices(a: u32, b: u32) -> Walk {
        Walk { features: (Feature::Vertex(a), Feature::Vertex(b)), steps: 0 }
    }

    /// Walks to the closest features in the next frame.
    pub fn update(&mut self, a: &Boundary, pose_a: &Pose, b: &Boundary, pose_b: &Pose) -> Closest {
        let world_to_a = pose_a.rotation().transpose();
        let rotation = world_to_a * pose_b.rotation();
        let translation = world_to_a * (pose_b.translation() - pose_a.translation());
        let back = rotation.transpose();
        let side_a = Side { body: a, rotation, translation };
        let side_b = Side { body: b, rotation: back, translation: -(back * translation) };
        // A circle is noticed when the walk meets a mark, which is moved on after twice as many steps each time.
        let (mut mark, mut patience, mut since) = (self.features, 16, 0);
        loop {
            self.steps += 1;
            match step(&side_a, &side_b, self.features) {
                Step::First(feature) => self.features.0 = feature,
                Step::Second(feature) => self.features.1 = feature,
                Step::End(closest) => return closest,
            }
            since += 1;
            if self.features == mark {
                return Closest::Circle;
            }
            if since == patience {
                (mark, patience, since) = (self.features, 2 * patience, 0);
            }
        }
    }
}

fn step(a: &Side<'_>, b: &Side<'_>, features: (Feature, Feature)) -> Step {
    use Feature::{Edge, Face, Vertex};
    match features {
        (Vertex(v), Vertex(w)) => vertex_vertex(a, b, v, w),
        (Vertex(v), Edge(e)) => vertex_edge(a, b, v, e),
        (Edge(e), Vertex(v)) => vertex_edge(b, a, v, e).swapped(),
        (Vertex(v), Face(f)) => vertex_face(a, b, v, f),
        (Face(f), Vertex(v)) => vertex_face(b, a, v, f).swapped(),
        (Edge(e), Edge(g)) => edge_edge(a, b, e, g),
        (Edge(e), Face(f)) => edge_face(a, b, e, f),
        (Face(f), Edge(e)) => edge_face(b, a, e, f).swapped(),
        (Face(f), Face(_)) => Step::First(Edge(a.body.faces[f as usize].rim[0].0)),
    }
}

fn vertex_vertex(p: &Side<'_>, q: &Side<'_>, v: u32, w: u32) -> Step {
    let beyond = |side: &Side<'_>, vertex: u32, other: DVec3| {
        let offset = side.receive(other) - side.body.points[vertex as usize];
        let spoke = side.body.fans[vertex as usize].iter().find(|spoke| spoke.outward.dot(offset) > 0.0);
        spoke.map(|spoke| Feature::Edge(spoke.edge))
    };
    let (at_v, at_w) = (p.body.points[v as usize], q.body.points[w as usize]);
    if let Some(edge) = beyond(p, v, at_w) {
        return Step::First(edge);
    }
    if let Some(edge) = beyond(q, w, at_v) {
        return Step::Second(edge);
    }
    Step::at(p.receive(at_w).distance(at_v))
}

fn vertex_edge(p: &Side<'_>, q: &Side<'_>, v: u32, e: u32) -> Step {
    let (point, edge) = (p.body.points[v as usize], &q.body.edges[e as usize]);
    let seen = q.receive(point);
    let from_tail = seen - q.body.tail(edge);
    if from_tail.dot(edge.along) < 0.0 {
        return Step::Second(Feature::Vertex(edge.ends[0]));
    }
    if (seen - q.body.head(edge)).dot(edge.along) > 0.0 {
        return Step::Second(Feature::Vertex(edge.ends[1]));
    }
    let over = edge.into.map(|into| into.dot(from_tail));
    let side = usize::from(over[1] > over[0]);
    if over[side] > 0.0 {
        return Step::Second(Feature::Face(edge.faces[side]));
    }
    let segment = p.receive_edge(q.body, edge);
    let mut clip = Clip::new(segment);
    let mut last = None;
    for spoke in &p.body.fans[v as usize] {
        let beyond = Feature::Edge(spoke.edge);
        match clip.keep_below(spoke.outward, point, beyond) {
            Kept::Some => {}
            Kept::Beyond => return Step::First(beyond),
            Kept::Nothing => {
                last = Some(beyond);
                break;
            }
        }
    }
    match clip.slope_outside(|at| segment.along.dot(at - point)).or(last) {
        Some(edge) => Step::First(edge),
        None => Step::at(segment.distance_to(point)),
    }
}

fn vertex_face(p: &Side<'_>, q: &Side<'_>, v: u32, f: u32) -> Step {
    let (seen, face) = (q.receive(p.body.points[v as usize]), &q.body.faces[f as usize]);
    let inside = |&(e, side): &(u32, usize)| {
        let edge = &q.body.edges[e as usize];
        (e, edge.into[side].dot(seen - q.body.tail(edge)))
    };
    let least = face.rim.iter().map(inside).min_by(|x, y| x.1.total_cmp(&y.1));
    if let Some((edge, within)) = least
        && within < 0.0
    {
        return Step::Second(Feature::Edge(edge));
    }
    let height = face.normal.dot(seen) - face.offset;
    let normal = p.rotation * face.normal;
    let nearer = |spoke: &&Spoke| normal.dot(spoke.outward) * height < 0.0;
    if let Some(spoke) = p.body.fans[v as usize].iter().find(nearer) {
        return Step::First(Feature::Edge(spoke.edge));
    }
    if height >= 0.0 {
        return Step::at(height);
    }
    // Below the face: inside, or on the far side of the body.
    let heights = q.body.faces.iter().map(|face| face.normal.dot(seen) - face.offset).enumerate();
    match heights.max_by(|x, y| x.1.total_cmp(&y.1)) {
        Some((face, height)) if height > 0.0 => Step::Second(Feature::Face(face as u32)),
        _ => Step::End(Closest::Meet),
    }
}

fn edge_edge(p: &Side<'_>, q: &Side<'_>, e: u32, g: u32) -> Step {
    let (first, second) = (&p.body.edges[e as usize], &q.body.edges[g as usize]);
    let seen = p.receive_edge(q.body, second);
    if let Some(step) = leave_edge(p.body, first, seen) {
        return step;
    }
    if let Some(step) = leave_edge(q.body, second, q.receive_edge(p.body, first)) {
        return step.swapped();
    }
    Step::at(Segment { tail: p.body.tail(first), along: first.along }.distance(&seen))
}

/// Where to go from an edge if the closest point of a segment is not in its region: the planes at its ends first, as the
/// distance to the edge passes smoothly into that to a vertex there.
fn leave_edge(body: &Boundary, edge: &Edge, segment: Segment) -> Option<Step> {
    let (tail, head) = (body.tail(edge), body.head(edge));
    let ends = [
        (-edge.along, tail, Feature::Vertex(edge.ends[0])),
        (edge.along, head, Feature::Vertex(edge.ends[1])),
    ];
    let sides = [
        (edge.into[0], tail, Feature::Face(edge.faces[0])),
        (edge.into[1], tail, Feature::Face(edge.faces[1])),
    ];
    let mut clip = Clip::new(segment);
    for planes in [ends, sides] {
        let mut last = None;
        for (outward, point, beyond) in planes {
            match clip.keep_below(outward, point, beyond) {
                Kept::Some => {}
                Kept::Beyond => return Some(Step::First(beyond)),
                Kept::Nothing => {
                    last = Some(Step::First(beyond));
                    break;
                }
            }
        }
        let is_here = |bound: &Bound| planes.iter().any(|plane| bound.beyond == Some(plane.2));
        for (bound, sign) in [(clip.from, 1.0), (clip.to, -1.0)] {
            let Some(beyond) = bound.beyond.filter(|_| is_here(&bound)) else { continue };
            match slope(body, beyond, &segment, bound.at) {
                None => return Some(Step::End(Closest::Meet)),
                Some(slope) if sign * slope > 0.0 => return Some(Step::First(beyond)),
                Some(_) => {}
            }
        }
        if last.is_some() {
            return last;
        }
    }
    None
}

/// Whether the distance to a vertex or a face grows along a segment, as a sign; `None` on the plane of the face.
fn slope(body: &Boundary, feature: Feature, segment: &Segment, at: f64) -> Option<f64> {
    let point = segment.at(at);
    match feature {
        Feature::Vertex(v) => Some(segment.along.dot(point - body.points[v as usize])),
        Feature::Edge(_) => Some(0.0),
        Feature::Face(f) => {
            let face = &body.faces[f as usize];
            let height = face.normal.dot(point) - face.offset;
            (height != 0.0).then(|| height.signum() * face.normal.dot(segment.along))
        }
    }
}

fn edge_face(p: &Side<'_>, q: &Side<'_>, e: u32, f: u32) -> Step {
    let (edge, face) = (&p.body.edges[e as usize], &q.body.faces[f as usize]);
    let segment = q.receive_edge(p.body, edge);
    let mut clip = Clip::new(segment);
    for &(rim, side) in &face.rim {
        let border = &q.body.edges[rim as usize];
        if clip.keep_below(-border.into[side], q.body.tail(border), Feature::Edge(rim)) != Kept::Some {
            return Step::Second(Feature::Edge(nearest_rim(q.body, face, &segment)));
        }
    }
    let height = |at: f64| face.normal.dot(segment.at(at)) - face.offset;
    let (low, high) = (height(clip.from.at), height(clip.to.at));
    if low * high <= 0.0 {
        return Step::End(Closest::Meet);
    }
    let (bound, end) = match low.signum() * face.normal.dot(segment.along) >= 0.0 {
        true => (clip.from, edge.ends[0]),
        false => (clip.to, edge.ends[1]),
    };
    match bound.beyond {
        Some(rim) => Step::Second(rim),
        None => Step::First(Feature::Vertex(end)),
    }
}

/// The edge of a face that is nearest to a segment that does not pass over the face.
fn nearest_rim(body: &Boundary, face: &Face, segment: &Segment) -> u32 {
    let distance = |e: u32| {
        let edge = &body.edges[e as usize];
        Segment { tail: body.tail(edge), along: edge.along }.distance(segment)
    };
    let rim = face.rim.iter().map(|&(e, _)| (e, distance(e)));
    rim.min_by(|x, y| x.1.total_cmp(&y.1)).map_or(0, |(e, _)| e)
}

#[derive(Clone, Copy)]
struct Segment {
    tail: DVec3,
    along: DVec3,
}

impl Segment {
    fn at(&self, parameter: f64) -> DVec3 {
        self.tail + self.along * parameter
    }

    fn distance_to(&self, point: DVec3) -> f64 {
        let parameter = (point - self.tail).dot(self.along) / self.along.length_squared();
        self.at(parameter.clamp(0.0, 1.0)).distance(point)
    }

    fn distance(&self, other: &Segment) -> f64 {
        let ends = [0.0, 1.0];
        let to_ends = ends.map(|t| self.distance_to(other.at(t)).min(other.distance_to(self.at(t))));
        let least = to_ends[0].min(to_ends[1]);
        let (between, across) = (other.tail - self.tail, self.along.cross(other.along));
        let size = across.length_squared();
        let parameters = [other.along, self.along].map(|along| between.cross(along).dot(across) / size);
        match parameters.iter().all(|t| (0.0..=1.0).contains(t)) {
            true => least.min(between.dot(across).abs() / size.sqrt()),
            false => least,
        }
    }
}

/// The part of a segment within some planes, and which feature lies beyond each of its ends.
#[derive(Clone, Copy)]
struct Clip {
    segment: Segment,
    from: Bound,
    to: Bound,
}

/// What is left of a segment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    Some,
    /// All of it lies beyond one plane.
    Beyond,
    /// Several planes together leave nothing.
    Nothing,
}

#[derive(Clone, Copy)]
struct Bound {
    at: f64,
    beyond: Option<Feature>,
}

impl Clip {
    fn new(segment: Segment) -> Clip {
        Clip { segment, from: Bound { at: 0.0, beyond: None }, to: Bound { at: 1.0, beyond: None } }
    }

    /// Cuts off what is above a plane through a point.
    fn keep_below(&mut self, outward: DVec3, point: DVec3, beyond: Feature) -> Kept {
        let low = outward.dot(self.segment.tail - point);
        let high = low + outward.dot(self.segment.along);
        let crossing = Bound { at: low / (low - high), beyond: Some(beyond) };
        match (low > 0.0, high > 0.0) {
            (true, true) => return Kept::Beyond,
            (true, false) if crossing.at > self.from.at => self.from = crossing,
            (false, true) if crossing.at < self.to.at => self.to = crossing,
            _ => {}
        }
        if self.from.at <= self.to.at { Kept::Some } else { Kept::Nothing }
    }

    /// The feature beyond an end towards which the distance, of this derivative, still falls.
    fn slope_outside(&self, derivative: impl Fn(DVec3) -> f64) -> Option<Feature> {
        let falls = |bound: Bound, sign: f64| {
            bound.beyond.filter(|_| sign * derivative(self.segment.at(bound.at)) > 0.0)
        };
        falls(self.from, 1.0).or_else(|| falls(self.to, -1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{self, KINDS, Regime};
    use clearance::pair::{Relation, distance, relation};

    /// Cold starts at vertices that are far from the answer, for every shape and regime.
    #[test]
    fn the_walk_ends_at_the_distance() {
        let (mut circles, mut cases) = (0, 0);
        for (_, kind) in KINDS {
            for vertices in [4, 20, 200] {
                let bodies = scenario::bodies(kind, vertices, 6);
                let boundaries: Vec<Boundary> = bodies.iter().map(|b| Boundary::new(b.polytope())).collect();
                for regime in Regime::ALL {
                    for scene in scenario::scenes(&bodies, regime, 60, 7) {
                        let (i, j) = scene.bodies;
                        let (a, b) = (&scene.a.pose, &scene.b.pose);
                        let found = Walk::from_vertices(0, 1).update(&boundaries[i], a, &boundaries[j], b);
                        cases += 1;
                        let truth = distance(&bodies[i], a, &bodies[j], b);
                        match found {
                            Closest::Apart(d) => assert!((d - truth.upper).abs() < 1e-9, "{d} {truth:?}"),
                            Closest::Meet => {
                                assert_eq!(relation(&bodies[i], a, &bodies[j], b), Relation::Overlapping)
                            }
                            Closest::Circle => circles += 1,
                        }
                    }
                }
            }
        }
        assert!(circles * 1000 <= cases, "{circles} of {cases}");
    }

    #[test]
    fn a_walk_goes_on_from_frame_to_frame() {
        let bodies = scenario::bodies(clearance::shape::sample::PolytopeKind::Ellipsoid, 100, 2);
        let boundaries: Vec<Boundary> = bodies.iter().map(|b| Boundary::new(b.polytope())).collect();
        let mut walk = Walk::from_vertices(0, 0);
        for frame in 0..200 {
            let pose =
                |turn: f64, x: f64| Pose::from_axis_angle(DVec3::new(0.6, 0.8, 0.0), turn, DVec3::X * x);
            let a = pose(0.05 * f64::from(frame), 0.0).expect("a pose");
            let b = pose(-0.03 * f64::from(frame), 2.5 - 0.005 * f64::from(frame)).expect("a pose");
            let truth = distance(&bodies[0], &a, &bodies[1], &b).upper;
            match walk.update(&boundaries[0], &a, &boundaries[1], &b) {
                Closest::Apart(d) => assert!((d - truth).abs() < 1e-9),
                Closest::Meet => assert!(truth < 1e-9),
                Closest::Circle => {}
            }
        }
        assert!(walk.steps < 200 * 8, "{} steps in 200 frames", walk.steps);
    }
}
