//! First contacts and contacts on screws against many places of the step, each with an exact static relation, and against all
//! pairs of features without a tree.
//!
//! A place of the motion is no pose of floats; the pose next to it is off by a proved length. Bodies that overlap there by more
//! than that meet in truth, bodies that are farther apart do not, and what is between tells nothing.

use crate::body::{Body, relate};
use crate::math::{Aabb, Pose, Random, Screw};
use crate::pair::{Convex, ConvexRelation, Feature, Relation};
use crate::screw::{
    ContactKind, ContactTime, ContactsConfig, Kept, Motion, Moving, ScrewContact, ScrewOutcome, ScrewStats,
    Surface, contacts, edge_edge_times, first_contact, first_contact_of_surfaces, vertex_face_times,
};
use crate::shape::sample::{PolytopeKind, random_polytope};
use crate::shape::{
    Capsule, Cylinder, Mesh, MeshConfig, MeshKind, Polytope, Primitive, Shape, Sphere, TriangleSoup,
};
use glam::DVec3;

/// Where bodies are close to each other, places of a step so close together are looked at.
const CLOSEST: f64 = 1.0 / 256.0;

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

/// How a case is special.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScrewFamily {
    /// The axis runs through the body.
    AxisThrough,
    /// It is ten thousand away.
    AxisFar,
    /// An angle of `1e-9`, the axis farther still.
    TinyAngle,
    /// Several turns.
    SeveralTurns,
    /// A turn without a shift.
    ZeroPitch,
    /// A shift without a turn.
    ZeroAngle,
    /// Half a turn that brings one body to the other's place.
    HalfTurn,
    /// Bodies that touch or overlap at the start.
    StartInContact,
    /// A corner on a circle that touches a face, or by a hair does not.
    Grazing,
    /// Two corners that meet halfway, or by a hair do not.
    CornerToCorner,
    /// Any.
    Any,
}

impl ScrewFamily {
    /// All of them.
    pub const ALL: [ScrewFamily; 11] = [
        ScrewFamily::AxisThrough,
        ScrewFamily::AxisFar,
        ScrewFamily::TinyAngle,
        ScrewFamily::SeveralTurns,
        ScrewFamily::ZeroPitch,
        ScrewFamily::ZeroAngle,
        ScrewFamily::HalfTurn,
        ScrewFamily::StartInContact,
        ScrewFamily::Grazing,
        ScrewFamily::CornerToCorner,
        ScrewFamily::Any,
    ];

    /// A screw for a body at `start`, of which the other lies `toward`.
    fn screw(self, random: &mut Random, toward: DVec3, start: DVec3) -> Screw {
        // Of a fixed list now and then: the third axis exactly.
        let axis = if random.below(4) == 0 { DVec3::Z } else { vector(random) };
        let (angle, center, shift) = match self {
            ScrewFamily::ZeroAngle => {
                let way = toward + 0.3 * vector(random);
                return Screw::new(way, DVec3::ZERO, 0.0, 1.5 * toward.length()).expect("a screw");
            }
            // So far that the way is nearly straight, and leads to the other body or past it.
            ScrewFamily::TinyAngle | ScrewFamily::AxisFar => {
                let angle = if self == ScrewFamily::TinyAngle { 1e-9 } else { 1e-4 * random.range(0.5, 2.0) };
                let (far, unit) = (if angle == 1e-9 { 1e9 } else { 1e4 }, axis.normalize());
                let center = start + far * unit.cross(toward + 0.5 * vector(random));
                let shift = unit.dot(toward) + 0.5 * vector(random).x;
                return Screw::new(unit, center, 1.2 * angle, shift).expect("a screw");
            }
            ScrewFamily::SeveralTurns => {
                (random.range(10.0, 20.0), start + vector(random), random.range(-3.0, 3.0))
            }
            ScrewFamily::AxisThrough => {
                // One that shifts toward the other, often.
                let along = if random.below(2) == 0 { toward + 0.5 * vector(random) } else { axis };
                let shift = random.range(-1.5, 1.5) * toward.length();
                return Screw::new(along, start, random.range(-3.0, 3.0), shift).expect("a screw");
            }
            ScrewFamily::ZeroPitch => (random.range(-3.0, 3.0), start + vector(random) * 2.0, 0.0),
            ScrewFamily::HalfTurn => (std::f64::consts::PI, start + 0.5 * toward, 0.0),
            _ => (random.range(-3.0, 3.0), start + vector(random) * 3.0, random.range(-3.0, 3.0)),
        };
        Screw::new(axis, center, angle, shift).expect("a screw")
    }
}

/// By so much, of the size of the bodies, things that are to touch are off.
fn hair(random: &mut Random) -> f64 {
    let size = [0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3][random.below(6) as usize];
    if random.below(2) == 0 { size } else { -size }
}

impl ScrewCase {
    /// Draws one of any family.
    pub fn draw(random: &mut Random, with_meshes: bool) -> ScrewCase {
        let family = ScrewFamily::ALL[random.below(ScrewFamily::ALL.len() as u64) as usize];
        ScrewCase::of_family(family, random, with_meshes)
    }

    /// Draws one of a family.
    pub fn of_family(family: ScrewFamily, random: &mut Random, with_meshes: bool) -> ScrewCase {
        match family {
            ScrewFamily::Grazing => ScrewCase::grazing(random),
            ScrewFamily::CornerToCorner => ScrewCase::corner_to_corner(random),
            _ => ScrewCase::at_random(family, random, with_meshes),
        }
    }

    fn at_random(family: ScrewFamily, random: &mut Random, with_meshes: bool) -> ScrewCase {
        let mut body = || match with_meshes && random.below(2) == 0 {
            true => mesh(random),
            false => Body::Convex(Convex::from_polytope(polytope(random))),
        };
        let mut bodies = [body(), body()];
        let scale = [1.0, 1.0, 1.0, 100.0][random.below(4) as usize];
        let offset = vector(random) * scale;
        let mut pose = |at: DVec3| match random.below(3) {
            0 => Pose::from_translation(at).expect("a place"),
            _ => Pose::from_axis_angle(vector(random), random.range(-3.0, 3.0), at).expect("a pose"),
        };
        let apart = DVec3::new(1.0, 0.4, -0.2);
        let mut poses = [pose(offset), pose(offset + apart * 2.5)];
        let toward = -apart * 2.5;
        if family == ScrewFamily::StartInContact {
            // Inside each other, or boxes of a lattice side by side.
            poses[1] = Pose::new(poses[1].rotation(), offset + 0.3 * vector(random)).expect("a place");
            if random.below(2) == 0 {
                let cube = || Body::Convex(Convex::from_polytope(cuboid(DVec3::splat(0.5))));
                bodies = [cube(), cube()];
                let mut whole = || random.below(3) as f64 - 1.0;
                let (y, z) = (whole(), whole());
                let at =
                    |x: f64, y: f64, z: f64| Pose::from_translation(DVec3::new(x, y, z)).expect("a place");
                poses = [at(0.0, 0.0, 0.0), at(1.0, y, z)];
            }
        }
        let screw = family.screw(random, toward, poses[1].translation());
        ScrewCase { bodies, poses, screw }
    }

    /// A box that turns, seen along the axis as a disc, in front of a wall: its corner touches the wall, but for a hair.
    fn grazing(random: &mut Random) -> ScrewCase {
        let half = vector(random).abs() + 0.1;
        let arm = vector(random) * 2.0;
        let far = half.truncate() + arm.truncate().abs();
        let reach = far.length();
        let distance = reach * (1.0 + hair(random));
        let wall = cuboid(DVec3::new(0.5, 4.0 + reach, 4.0));
        let turn = [-1.0, 1.0][random.below(2) as usize] * random.range(1.0, 6.3);
        let shift = [0.0, random.range(-1.0, 1.0)][random.below(2) as usize];
        let screw = Screw::new(DVec3::Z, DVec3::ZERO, turn, shift).expect("a screw");
        let at = |p: DVec3| Pose::from_translation(p).expect("a place");
        // All of it turned, so that no number is a round one.
        let tilt = match random.below(2) {
            0 => Pose::IDENTITY,
            _ => Pose::from_axis_angle(vector(random), 2.0, vector(random)).expect("a pose"),
        };
        let placed = |pose: Pose| {
            Pose::nearest(tilt.rotation() * pose.rotation(), tilt.apply(pose.translation())).expect("a pose")
        };
        let screw =
            Screw::new(tilt.apply_vector(screw.axis()), tilt.translation(), turn, shift).expect("a screw");
        let body = |polytope: Polytope| Body::Convex(Convex::from_polytope(polytope));
        ScrewCase {
            bodies: [body(wall), body(cuboid(half))],
            poses: [placed(at(DVec3::new(distance + 0.5, 0.0, 0.0))), placed(at(arm))],
            screw,
        }
    }

    /// Two bodies with a corner each that meet halfway, or are a hair apart then.
    fn corner_to_corner(random: &mut Random) -> ScrewCase {
        let [a, b] = [(); 2].map(|()| match random.below(3) {
            0 => cuboid(DVec3::splat(0.5)),
            1 => cuboid(vector(random).abs() + 0.1),
            _ => random_polytope(PolytopeKind::Ellipsoid, 8 + random.below(8) as u32, random.below(100))
                .expect("a sample"),
        });
        let [turn_a, turn_b] = [(); 2].map(|()| {
            Pose::from_axis_angle(vector(random), random.range(-3.0, 3.0), DVec3::ZERO).expect("a pose")
        });
        let direction = vector(random).normalize();
        let top = |polytope: &Polytope, turn: &Pose, along: DVec3| {
            let places = polytope.vertices().iter().map(|&v| turn.apply(v));
            places.max_by(|x, y| x.dot(along).total_cmp(&y.dot(along))).expect("vertices")
        };
        let (corner_a, corner_b) = (top(&a, &turn_a, direction), top(&b, &turn_b, -direction));
        let middle = corner_a - corner_b + direction * hair(random);
        let halfway = Pose::new(turn_b.rotation(), middle).expect("a pose");
        // The corner runs across the direction then: the axis is in the plane of both, or far away.
        let across = direction.any_orthonormal_vector();
        let screw = match random.below(3) {
            0 => Screw::new(across, corner_a, 0.0, 4.0),
            1 => Screw::new(direction, corner_a + 3.0 * across, random.range(0.5, 2.0), 0.0),
            _ => Screw::new(across, corner_a + direction * random.range(-2.0, 2.0), 1.0, 4.0),
        };
        let screw = screw.expect("a screw");
        let start = screw.inverse().pose_at(0.5, &halfway).expect("in range").0;
        let body = |polytope: Polytope| Body::Convex(Convex::from_polytope(polytope));
        ScrewCase { bodies: [body(a), body(b)], poses: [turn_a, start], screw }
    }

    /// Spheres, capsules, cylinders and their kin, one against a polytope at times.
    pub fn curved(random: &mut Random) -> ScrewCase {
        let mut body = || {
            let mut length = || random.range(0.2, 1.0);
            let (x, y) = (length(), length());
            let primitive = |shape: Primitive| Body::try_from(&Shape::from(shape)).expect("within limits");
            match random.below(6) {
                0 | 1 => primitive(Sphere::new(x).expect("a size").into()),
                2 | 3 => primitive(Capsule::new(x, y).expect("sizes").into()),
                4 => primitive(Cylinder::new(x, y).expect("sizes").into()),
                _ => Body::Convex(Convex::from_polytope(polytope(random))),
            }
        };
        let bodies = [body(), body()];
        let family = ScrewFamily::ALL[random.below(7) as usize];
        ScrewCase { bodies, ..ScrewCase::at_random(family, random, false) }
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
            let corners = |bounds: Aabb| far(&[bounds.min.abs().max(bounds.max.abs())]);
            let curved = || convex.curved_core().and_then(Primitive::bounds).map_or(f64::INFINITY, corners);
            convex.core().map_or_else(curved, |map| far(map.polytope().vertices())) + convex.radius()
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

impl ScrewCase {
    /// Not below the speed of any point of B.
    fn speed(&self) -> f64 {
        let radius = (self.poses[1].translation() - self.screw.center()).length() + reach(&self.bodies[1]);
        (self.screw.angle().abs() * radius + self.screw.shift().abs()) * (1.0 + 1e-9)
    }

    /// Looks at times up to `end`: where bodies are apart, as far on as they cannot meet before, and if that is not far, a
    /// little farther. Fails where they meet; if no step is a little one, there is no contact for sure.
    fn sample(&self, end: f64) -> Result<(), String> {
        let (speed, mut t) = (self.speed(), 0.0);
        while t < end {
            t += match known(self, t)? {
                Known::Meet => return Err(format!("they meet at {t}")),
                Known::Apart(distance) => (distance / speed).max(CLOSEST),
                Known::Nothing => CLOSEST,
            };
        }
        // Closer and closer to the end.
        for before in [1e-3, 1e-5, 1e-7].into_iter().filter(|before| end <= 1.0 && *before < end) {
            if matches!(known(self, end - before)?, Known::Meet) {
                return Err(format!("they meet {before} before {end}"));
            }
        }
        Ok(())
    }
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
    let is_blurred = matches!(start, ConvexRelation::TouchingWithin { .. })
        && matches!(outcome, ScrewOutcome::Undecided { lower: 0.0, .. });
    if start != ConvexRelation::Exact(told) && !is_blurred {
        return Err(format!("starts {start:?}"));
    }
    let free_until = match outcome {
        ScrewOutcome::None => 1.0,
        ScrewOutcome::Hit(impact) => impact.lower,
        ScrewOutcome::Undecided { lower, .. } => *lower,
        _ => return Ok(()),
    };
    case.sample(free_until)?;
    if *outcome == ScrewOutcome::None && matches!(known(case, 1.0)?, Known::Meet) {
        return Err("they meet at the end".into());
    }
    if let ScrewOutcome::Hit(impact) = outcome {
        if !(impact.lower <= impact.upper && impact.upper - impact.lower <= 1e-9 && impact.upper <= 1.0) {
            return Err("a wide bracket".into());
        }
        // From a contact in the bracket they are not farther than they move in it.
        if let Known::Apart(distance) = known(case, impact.upper)?
            && distance > case.speed() * 1.1e-9
        {
            return Err(format!("{distance} apart at the end of the bracket"));
        }
        if !(impact.normal.length() - 1.0).abs().lt(&1e-9) || !impact.point.is_finite() {
            return Err("no normal".into());
        }
    }
    Ok(())
}

/// First contact against samples of the step; polytopes by both engines, which must agree.
pub fn compare_first_contact(random: &mut Random) -> Result<(), String> {
    let with_meshes = random.below(3) == 0;
    let case = ScrewCase::draw(random, with_meshes);
    compare_case(&case).map(|_| ())
}

/// First contact of a case of a family, compared as all others are.
pub fn compare_family(family: ScrewFamily, random: &mut Random) -> Result<ScrewOutcome, String> {
    let with_meshes = random.below(3) == 0;
    compare_case(&ScrewCase::of_family(family, random, with_meshes))
}

/// First contact of curved bodies against samples of the step, and with the bodies exchanged.
pub fn compare_curved(random: &mut Random) -> Result<(), String> {
    compare_curved_case(random).map(|_| ())
}

/// The same, with what was found.
pub fn compare_curved_case(random: &mut Random) -> Result<ScrewOutcome, String> {
    let case = ScrewCase::curved(random);
    let ([a, b], [pose_a, pose_b]) = (&case.bodies, &case.poses);
    let kinds = || format!("{} {} {}", a.kind_name(), b.kind_name(), case.describe());
    let found = first_contact(a, pose_a, &Motion::AtRest, b, pose_b, &case.screw.into());
    let found = found.map_err(|e| e.to_string())?;
    check(&case, &found).map_err(|what| format!("{what}: {found:?} for {}", kinds()))?;
    let other = first_contact(b, pose_b, &case.screw.into(), a, pose_a, &Motion::AtRest);
    let other = other.map_err(|e| e.to_string())?;
    agree(&found, &other)
        .map_err(|what| format!("{what}: {found:?}, exchanged {other:?} for {}", kinds()))?;
    Ok(found)
}

fn compare_case(case: &ScrewCase) -> Result<ScrewOutcome, String> {
    let [a, b] = &case.bodies;
    let [pose_a, pose_b] = &case.poses;
    let tell = |what: String, found: &ScrewOutcome| format!("{what}: {found:?} for {}", case.describe());
    let found = first_contact(a, pose_a, &Motion::AtRest, b, pose_b, &case.screw.into())
        .map_err(|e| e.to_string())?;
    check(case, &found).map_err(|what| tell(what, &found))?;
    if matches!(found, ScrewOutcome::TouchingAtStart | ScrewOutcome::OverlappingAtStart) {
        return Ok(found);
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
        check(case, &other).map_err(|what| tell(what, &other))?;
        agree(&found, &other).map_err(|what| tell(format!("{what}, by features {other:?}"), &found))?;
        // Of all contacts the first is this one.
        let config = ContactsConfig { kept: Kept::All, ..ContactsConfig::default() };
        let all = contacts(x, pose_a, y, pose_b, &case.screw, Moving::Second, &config);
        let first = all.first().map(|contact| contact.lower);
        let near = match (first, &other) {
            (first, ScrewOutcome::None) => first.is_none(),
            (first, ScrewOutcome::Hit(impact)) => first.is_some_and(|x| (x - impact.lower).abs() <= 1e-9),
            // From its time on anything may be, also nothing.
            (first, ScrewOutcome::Undecided { lower, .. }) => first.is_none_or(|x| x >= lower - 1e-9),
            _ => true,
        };
        if !near {
            return Err(tell(format!("all contacts begin at {first:?}"), &other));
        }
    }
    Ok(found)
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
    let exchanged = |x: &ScrewContact| ScrewContact {
        kind: match x.kind {
            ContactKind::VertexFace => ContactKind::FaceVertex,
            ContactKind::FaceVertex => ContactKind::VertexFace,
            ContactKind::EdgeEdge => ContactKind::EdgeEdge,
        },
        feature_a: x.feature_b,
        feature_b: x.feature_a,
        parts: [x.parts[1], x.parts[0]],
        normal: -x.normal,
        ..*x
    };
    // Bit for bit, and in the same order.
    if !swapped.iter().map(exchanged).eq(found.iter().copied()) {
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
