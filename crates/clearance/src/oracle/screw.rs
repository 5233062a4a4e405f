//! First contacts and contacts on screws against many places of the step, each with an exact static relation, and against all
//! pairs of features without a tree.
//!
//! A place of the motion is no pose of floats; the pose next to it is off by a proved length. Bodies that overlap there by more
//! than that meet in truth, bodies that are farther apart do not, and what is between tells nothing.

use crate::body::{Body, relate};
use crate::math::{Pose, Random, Screw};
use crate::pair::{Convex, ConvexRelation, Feature, Relation};
use crate::screw::{
    ContactKind, ContactTime, ContactsConfig, Kept, Motion, Moving, ScrewContact, ScrewOutcome, ScrewStats,
    Surface, contacts, edge_edge_times, first_contact, first_contact_of_surfaces, vertex_face_times,
};
use crate::shape::sample::{PolytopeKind, random_polytope};
use crate::shape::{Mesh, MeshConfig, MeshKind, Polytope, Shape, TriangleSoup};
use glam::DVec3;

/// Places of a step that are looked at.
const SAMPLES: u32 = 64;

fn vector(random: &mut Random) -> DVec3 {
    DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0))
}

/// Two bodies, where they start, and a screw: axes through a body, far away, small angles, several turns, no pitch, no angle.
pub struct ScrewCase {
    /// The two bodies.
    pub bodies: [Body; 2],
    /// Where they start.
    pub poses: [Pose; 2],
    /// How B moves.
    pub screw: Screw,
}

fn cuboid(half: DVec3) -> Polytope {
    let corner = |i: u32| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) * 2.0 - 1.0;
    Polytope::hull(&(0..8).map(|i| corner(i) * half).collect::<Vec<_>>()).expect("a box")
}

fn polytope(random: &mut Random) -> Polytope {
    match random.below(6) {
        0 | 1 => cuboid(vector(random).abs() + 0.1),
        2 => Polytope::hull(&[(); 4].map(|()| vector(random))).expect("four points"),
        3 => Polytope::hull(&[(); 3].map(|()| vector(random))).expect("three points"),
        4 => Polytope::hull(&[(); 2].map(|()| vector(random))).expect("two points"),
        _ => random_polytope(PolytopeKind::Ellipsoid, 8 + random.below(12) as u32, random.below(100))
            .expect("a sample"),
    }
}

/// A surface of some triangles, or a solid that is not convex: two boxes in one mesh.
fn mesh(random: &mut Random) -> Body {
    let mut soup = TriangleSoup::default();
    if random.below(2) == 0 {
        for _ in 0..2 + random.below(5) {
            let (start, middle) = (soup.positions.len() as u32, vector(random));
            soup.positions.extend([(); 3].map(|()| middle + 0.7 * vector(random)));
            soup.triangles.push([start, start + 1, start + 2]);
        }
    } else {
        for shift in [-1.0, 1.0] {
            let start = soup.positions.len() as u32;
            let part = cuboid(DVec3::new(0.3, 0.5, 0.4)).to_soup();
            soup.positions.extend(part.positions.iter().map(|&p| p + DVec3::new(shift, 0.2 * shift, 0.0)));
            soup.triangles.extend(part.triangles.iter().map(|t| t.map(|v| v + start)));
        }
    }
    let mesh = Mesh::build(&soup, &MeshConfig::default()).expect("triangles with an area");
    Body::try_from(&Shape::from(mesh)).expect("a mesh")
}

fn screw(random: &mut Random, toward: DVec3, start: DVec3) -> Screw {
    // Of a fixed list now and then: the third axis exactly, no pitch, no turn.
    let axis = if random.below(4) == 0 { DVec3::Z } else { vector(random) };
    let (angle, center, shift) = match random.below(8) {
        // A translation, often one that hits.
        0 => {
            return Screw::new(toward + 0.3 * vector(random), DVec3::ZERO, 0.0, 1.5 * toward.length())
                .expect("a screw");
        }
        1 => (1e-9, start + 1e9 * toward.cross(axis), 0.0),
        2 => (random.range(0.0, 3.0) * 1e-4, start + 1e4 * toward.cross(axis), random.range(-1.0, 1.0)),
        3 => (random.range(10.0, 20.0), start + vector(random), random.range(-3.0, 3.0)),
        4 => (random.range(-3.0, 3.0), start, random.range(-3.0, 3.0)),
        5 => (random.range(-3.0, 3.0), start + vector(random) * 2.0, 0.0),
        6 => (std::f64::consts::PI, start + 0.5 * toward, 0.0),
        _ => (random.range(-3.0, 3.0), start + vector(random) * 3.0, random.range(-3.0, 3.0)),
    };
    Screw::new(axis, center, angle, shift).expect("a screw")
}

impl ScrewCase {
    /// Draws one.
    pub fn draw(random: &mut Random, with_meshes: bool) -> ScrewCase {
        let mut body = || match with_meshes && random.below(2) == 0 {
            true => mesh(random),
            false => Body::Convex(Convex::from_polytope(polytope(random))),
        };
        let bodies = [body(), body()];
        let scale = [1.0, 1.0, 1.0, 100.0][random.below(4) as usize];
        let offset = vector(random) * scale;
        let mut pose = |at: DVec3| match random.below(3) {
            0 => Pose::from_translation(at).expect("a place"),
            _ => Pose::from_axis_angle(vector(random), random.range(-3.0, 3.0), at).expect("a pose"),
        };
        let apart = DVec3::new(1.0, 0.4, -0.2);
        let pose_a = pose(offset);
        let pose_b = pose(offset + apart * 2.5);
        let toward = -apart * 2.5;
        ScrewCase { bodies, poses: [pose_a, pose_b], screw: screw(random, toward, pose_b.translation()) }
    }

    /// All of it, for messages.
    pub fn describe(&self) -> String {
        let points = |body: &Body| match body {
            Body::Convex(convex) => convex.core().map(|map| map.polytope().vertices().to_vec()),
            Body::Mesh(mesh) => Some(mesh.mesh().positions().to_vec()),
            Body::Compound(_) => None,
        };
        format!(
            "{:?} {:?} {:?} {:?}",
            points(&self.bodies[0]),
            points(&self.bodies[1]),
            self.poses,
            self.screw
        )
    }
}

/// What is known at a time: that they meet, that they are so far apart, or nothing.
enum Known {
    Meet,
    Apart(f64),
    Nothing,
}

fn reach(body: &Body) -> f64 {
    let far = |points: &[DVec3]| points.iter().map(|p| p.length()).fold(0.0, f64::max) * 1.001;
    match body {
        Body::Convex(convex) => {
            convex.core().map_or(f64::INFINITY, |map| far(map.polytope().vertices())) + convex.radius()
        }
        Body::Mesh(mesh) => far(mesh.mesh().positions()),
        Body::Compound(compound) => far(compound.hull().polytope().vertices()),
    }
}

fn known(case: &ScrewCase, t: f64) -> Result<Known, String> {
    let [a, b] = &case.bodies;
    let Some((pose, off)) = case.screw.pose_at(t, &case.poses[1]) else { return Ok(Known::Nothing) };
    let off = 2.0 * off.within(reach(b));
    let answer = relate(a, &case.poses[0], b, &pose).map_err(|e| e.to_string())?;
    Ok(match answer.relation {
        ConvexRelation::Exact(Relation::Disjoint) if answer.distance.lower > off => {
            Known::Apart(answer.distance.lower - off)
        }
        ConvexRelation::Exact(Relation::Overlapping)
            if answer.depth.is_some_and(|depth| depth.lower > off) =>
        {
            Known::Meet
        }
        // Surfaces have no depth: an overlap that is there for every small move.
        ConvexRelation::Exact(Relation::Overlapping)
            if answer.depth.is_none() && overlaps_nearby(case, &pose, off) =>
        {
            Known::Meet
        }
        _ => Known::Nothing,
    })
}

/// Whether bodies overlap at a pose and moved a thousand times as far as it is off to each of six sides: then by far more than it.
fn overlaps_nearby(case: &ScrewCase, pose: &Pose, off: f64) -> bool {
    let moved = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]).map(|side| {
        let place = pose.translation() + side * (1e3 * off + 1e-9);
        let pose = Pose::new(pose.rotation(), place).expect("near a pose");
        relate(&case.bodies[0], &case.poses[0], &case.bodies[1], &pose)
    });
    moved.into_iter().all(|answer| {
        answer.is_ok_and(|answer| answer.relation == ConvexRelation::Exact(Relation::Overlapping))
    })
}

/// Whether an answer agrees with all samples.
fn check(case: &ScrewCase, outcome: &ScrewOutcome) -> Result<(), String> {
    let [a, b] = &case.bodies;
    let start = relate(a, &case.poses[0], b, &case.poses[1]).map_err(|e| e.to_string())?.relation;
    let told = match outcome {
        ScrewOutcome::TouchingAtStart => Relation::Touching,
        ScrewOutcome::OverlappingAtStart => Relation::Overlapping,
        _ => Relation::Disjoint,
    };
    if start != ConvexRelation::Exact(told) {
        return Err(format!("starts {start:?}"));
    }
    let free_until = match outcome {
        ScrewOutcome::None => 2.0,
        ScrewOutcome::Hit(impact) => impact.lower,
        ScrewOutcome::Undecided { lower, .. } => *lower,
        _ => return Ok(()),
    };
    for k in 0..=SAMPLES {
        let t = f64::from(k) / f64::from(SAMPLES);
        if t < free_until && matches!(known(case, t)?, Known::Meet) {
            return Err(format!("they meet at {t}"));
        }
    }
    if let ScrewOutcome::Hit(impact) = outcome {
        if !(impact.lower <= impact.upper && impact.upper - impact.lower <= 1e-9 && impact.upper <= 1.0) {
            return Err("a wide bracket".into());
        }
        // From a contact in the bracket they are not farther than they move in it.
        let radius = (case.poses[1].translation() - case.screw.center()).length() + reach(b);
        let speed = case.screw.angle().abs() * radius + case.screw.shift().abs();
        if let Known::Apart(distance) = known(case, impact.upper)?
            && distance > speed * 1.1e-9
        {
            return Err(format!("{distance} apart at the end of the bracket"));
        }
    }
    Ok(())
}

/// First contact against samples of the step; polytopes by both engines, which must agree.
pub fn compare_first_contact(random: &mut Random) -> Result<(), String> {
    let with_meshes = random.below(3) == 0;
    let case = ScrewCase::draw(random, with_meshes);
    let [a, b] = &case.bodies;
    let [pose_a, pose_b] = &case.poses;
    let tell = |what: String, found: &ScrewOutcome| format!("{what}: {found:?} for {}", case.describe());
    let found = first_contact(a, pose_a, &Motion::AtRest, b, pose_b, &case.screw.into())
        .map_err(|e| e.to_string())?;
    check(&case, &found).map_err(|what| tell(what, &found))?;
    if matches!(found, ScrewOutcome::TouchingAtStart | ScrewOutcome::OverlappingAtStart) {
        return Ok(());
    }
    // The other way round, and by the other engine.
    let other = first_contact(b, pose_b, &case.screw.into(), a, pose_a, &Motion::AtRest)
        .map_err(|e| e.to_string())?;
    agree(&found, &other).map_err(|what| tell(format!("{what}, other way {other:?}"), &found))?;
    let surfaces = [a, b].map(|body| Surface::new(body).expect("no curved body"));
    let has_faces = surfaces.iter().any(|surface| surface.triangle_count() > 0);
    if has_faces {
        let [x, y] = &surfaces;
        let other = first_contact_of_surfaces(x, pose_a, y, pose_b, &case.screw, &mut ScrewStats::default());
        check(&case, &other).map_err(|what| tell(what, &other))?;
        agree(&found, &other).map_err(|what| tell(format!("{what}, by features {other:?}"), &found))?;
        // Of all contacts the first is this one.
        let config = ContactsConfig { kept: Kept::All, ..ContactsConfig::default() };
        let all = contacts(x, pose_a, y, pose_b, &case.screw, Moving::Second, &config);
        let first = all.first().map(|contact| contact.lower);
        let lower = match other {
            ScrewOutcome::None => None,
            ScrewOutcome::Hit(impact) => Some(impact.lower),
            ScrewOutcome::Undecided { lower, .. } => Some(lower),
            _ => first,
        };
        let near = match (first, lower) {
            (Some(x), Some(y)) => (x - y).abs() <= 1e-9,
            (x, y) => x.is_none() && y.is_none(),
        };
        if !near {
            return Err(tell(format!("all contacts begin at {first:?}"), &other));
        }
    }
    Ok(())
}

/// Two answers that may both be true.
fn agree(x: &ScrewOutcome, y: &ScrewOutcome) -> Result<(), String> {
    let range = |outcome: &ScrewOutcome| match outcome {
        ScrewOutcome::Hit(impact) => Some([impact.lower, impact.upper]),
        // From its time on anything may be.
        ScrewOutcome::Undecided { lower, upper } => Some([*lower, upper.unwrap_or(2.0)]),
        ScrewOutcome::None => Some([1.0, 2.0]),
        _ => None,
    };
    match (range(x), range(y)) {
        (Some(p), Some(q)) if p[0] <= q[1] && q[0] <= p[1] => Ok(()),
        (None, None) => Ok(()),
        _ => Err("they differ".into()),
    }
}

/// All contacts against all pairs of features, one by one, without a tree.
pub fn compare_contacts(random: &mut Random) -> Result<(), String> {
    let case = ScrewCase::draw(random, true);
    let config = ContactsConfig { kept: Kept::All, ..ContactsConfig::default() };
    let surfaces = case.bodies.each_ref().map(|body| Surface::new(body).expect("no curved body"));
    let [pose_a, pose_b] = &case.poses;
    let found = contacts(&surfaces[0], pose_a, &surfaces[1], pose_b, &case.screw, Moving::Second, &config);
    let in_order = found.is_sorted_by(|x, y| x.lower <= y.lower);
    if !in_order {
        return Err(format!("not sorted: {found:?}"));
    }
    let swapped = contacts(&surfaces[1], pose_b, &surfaces[0], pose_a, &case.screw, Moving::First, &config);
    if swapped.len() != found.len()
        || swapped.iter().zip(&found).any(|(x, y)| x.normal != -y.normal && x.kind != y.kind)
    {
        return Err(format!("{} contacts, swapped {}, for {}", found.len(), swapped.len(), case.describe()));
    }
    let one_by_one = by_features(&case)?;
    let near = |contact: &ScrewContact, time: &ContactTime| {
        contact.lower <= time.until + 1e-9 && time.lower <= contact.until + 1e-9
    };
    for (kind, names, times) in &one_by_one {
        for time in times.iter().filter(|time| time.is_proved) {
            // At a border another face stands for it: then something is told at that time.
            let is_told = found.iter().any(|contact| near(contact, time));
            let is_named = |contact: &ScrewContact| {
                contact.kind == *kind
                    && [contact.feature_a, contact.feature_b] == *names
                    && near(contact, time)
            };
            let is_at_border =
                found.iter().filter(|contact| near(contact, time)).any(|contact| !contact.is_proved)
                    || one_by_one
                        .iter()
                        .flat_map(|(.., times)| times)
                        .filter(|other| overlap(other, time))
                        .count()
                        > 1;
            if !is_told || !(is_at_border || found.iter().any(is_named)) {
                return Err(format!("{kind:?} {names:?} at {time:?} is missed for {}", case.describe()));
            }
        }
    }
    let all = || one_by_one.iter().flat_map(|(.., times)| times);
    match found.iter().find(|contact| contact.is_proved && !all().any(|time| near(contact, time))) {
        Some(contact) => Err(format!("{contact:?} is invented for {}", case.describe())),
        None => Ok(()),
    }
}

/// Whether two records share a time, nearly.
fn overlap(x: &ContactTime, y: &ContactTime) -> bool {
    x.lower <= y.until + 1e-9 && y.lower <= x.until + 1e-9
}

type Found = (ContactKind, [Feature; 2], Vec<ContactTime>);

/// Times of all pairs of features of two meshes or polytopes.
fn by_features(case: &ScrewCase) -> Result<Vec<Found>, String> {
    let [features_a, features_b] = [0, 1].map(|k| Features::of(&case.bodies[k], &case.poses[k]));
    let mut all = Vec::new();
    let error = |e: crate::screw::FeatureError| e.to_string();
    for (name_a, face) in &features_a.faces {
        for (v, &vertex) in features_b.vertices.iter().enumerate() {
            let times = vertex_face_times(vertex, *face, &case.screw, Moving::First).map_err(error)?;
            all.push((ContactKind::FaceVertex, [*name_a, Feature::Vertex(v as u32)], times));
        }
    }
    for (name_b, face) in &features_b.faces {
        for (v, &vertex) in features_a.vertices.iter().enumerate() {
            let times = vertex_face_times(vertex, *face, &case.screw, Moving::Second).map_err(error)?;
            all.push((ContactKind::VertexFace, [Feature::Vertex(v as u32), *name_b], times));
        }
    }
    for (name_a, edge_a) in &features_a.edges {
        for (name_b, edge_b) in &features_b.edges {
            let times = edge_edge_times(*edge_a, *edge_b, &case.screw, Moving::Second).map_err(error)?;
            all.push((ContactKind::EdgeEdge, [*name_a, *name_b], times));
        }
    }
    Ok(all)
}

/// The name of a face and the corners of one of its triangles.
type NamedFace = ([u32; 3], [u32; 3]);

struct Features {
    vertices: Vec<DVec3>,
    edges: Vec<(Feature, [DVec3; 2])>,
    faces: Vec<(Feature, [DVec3; 3])>,
}

impl Features {
    /// Places are rounded: features that meet by less than that are not compared.
    fn of(body: &Body, pose: &Pose) -> Features {
        let (positions, edges, faces): (&[DVec3], Vec<[u32; 2]>, Vec<NamedFace>) = match body {
            Body::Mesh(mesh) => {
                let mesh = mesh.mesh();
                debug_assert!(mesh.kind() == MeshKind::Surface || mesh.volume() > Some(0.0));
                let edges = (0..mesh.edge_count()).map(|e| mesh.edge(e)).collect();
                (mesh.positions(), edges, mesh.triangles().iter().map(|&t| (t, t)).collect())
            }
            Body::Convex(convex) => {
                let polytope = convex.core().expect("a polytope").polytope();
                let faces = polytope.faces().flat_map(|face| {
                    let mut sorted = face.to_vec();
                    sorted.sort_unstable();
                    (1..face.len() - 1)
                        .map(move |i| ([sorted[0], sorted[1], sorted[2]], [face[0], face[i], face[i + 1]]))
                });
                (polytope.vertices(), polytope.edges().collect(), faces.collect())
            }
            Body::Compound(_) => (&[], Vec::new(), Vec::new()),
        };
        let vertices: Vec<DVec3> = positions.iter().map(|&p| pose.apply(p)).collect();
        Features {
            edges: edges.iter().map(|&e| (Feature::Edge(e), e.map(|v| vertices[v as usize]))).collect(),
            faces: faces
                .iter()
                .map(|&(name, f)| (Feature::Face(name), f.map(|v| vertices[v as usize])))
                .collect(),
            vertices,
        }
    }
}
