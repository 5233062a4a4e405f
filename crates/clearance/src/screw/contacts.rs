//! All contacts of a step: every vertex with every face and every edge with every edge, as far as their boxes may meet.

use super::course::{Course, Passage, Turns, Zero};
use super::pairs::{CellPair, Pairs};
use super::primitive::{ContactTime, Containment, EdgeEdge, Moving, VertexFace, times_at};
use super::properness::{self, EdgeProperness};
use super::record::{ContactKind, ContactsConfig, Kept, ScrewContact, ScrewStats};
use super::resolve::{Candidate, Entity, resolved};
use super::surface::{NONE, Surface};
use crate::math::{Interval, Pose, Screw, SinCos};
use crate::pair::Feature;
use glam::DVec3;

/// All contacts of two bodies while one of them moves on a screw through the other, as if nothing stopped it [Buss04 §3-5].
///
/// Every time at which two features meet is in a record: none is missed. Sorted by `lower`; ties in the order of
/// [`ScrewContact`], so the same input gives the same list, and exchanged bodies the same list exchanged. A vertex that meets an edge or a vertex is told once, with the face that makes it most proper.
/// Points and segments have no faces: between two of them only edges are told. `O(n log n + m)` for `m` pairs of triangles
/// whose boxes may meet.
///
/// Differs from the paper: no screen is drawn; zeros of functions of time are bracketed instead, so the times are proved.
///
/// ```
/// use clearance::{Pose, body::Body, glam::DVec3, math::Screw, pair::Convex, shape::Polytope};
/// use clearance::screw::{ContactKind, ContactsConfig, Moving, Surface, contacts};
/// let corners = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) - 0.5);
/// let cube = Body::Convex(Convex::from_polytope(Polytope::hull(&corners.collect::<Vec<_>>())?));
/// let cube = Surface::new(&cube).expect("it is a polytope");
/// // One cube falls onto a corner of the other, which is turned.
/// let turned = Pose::from_axis_angle(DVec3::new(1.0, 0.7, 0.2), 0.8, DVec3::new(0.1, 0.0, 3.0))?;
/// let fall = Screw::new(-DVec3::Z, DVec3::ZERO, 0.0, 2.0)?;
/// let found = contacts(&cube, &Pose::IDENTITY, &cube, &turned, &fall, Moving::Second, &ContactsConfig::default());
/// assert_eq!(found[0].kind, ContactKind::FaceVertex);
/// assert_eq!(found[0].normal, DVec3::Z);
/// assert!(found[0].is_proved && found[0].properness > 0.0 && found[0].upper - found[0].lower < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contacts(
    a: &Surface,
    pose_a: &Pose,
    b: &Surface,
    pose_b: &Pose,
    screw: &Screw,
    moving: Moving,
    config: &ContactsConfig,
) -> Vec<ScrewContact> {
    contacts_with(a, pose_a, b, pose_b, screw, moving, config, &mut ScrewStats::default())
}

/// As [`contacts`], counting what was looked at.
#[expect(
    clippy::too_many_arguments,
    reason = "two bodies, two poses, a motion, what is asked and what is counted"
)]
pub fn contacts_with(
    a: &Surface,
    pose_a: &Pose,
    b: &Surface,
    pose_b: &Pose,
    screw: &Screw,
    moving: Moving,
    config: &ContactsConfig,
    stats: &mut ScrewStats,
) -> Vec<ScrewContact> {
    contacts_among(None, a, pose_a, b, pose_b, screw, moving, config, stats)
}

/// The same among some cells of the body at rest and of the one that moves, all if none are given.
#[expect(
    clippy::too_many_arguments,
    reason = "two bodies, two poses, a motion, what is asked and what is counted"
)]
pub(super) fn contacts_among(
    alive: Option<[Vec<bool>; 2]>,
    a: &Surface,
    pose_a: &Pose,
    b: &Surface,
    pose_b: &Pose,
    screw: &Screw,
    moving: Moving,
    config: &ContactsConfig,
    stats: &mut ScrewStats,
) -> Vec<ScrewContact> {
    let pairs = match moving {
        Moving::Second => Pairs::new(a, pose_a, b, pose_b, screw),
        Moving::First => Pairs::new(b, pose_b, a, pose_a, screw),
    };
    in_order(of_moving_b(pairs.among(alive), config, stats), moving)
}

/// Contacts of a body at rest with one that moves, sorted by time and by kind and features in that order, told of A and B.
pub(super) fn in_order(mut found: Vec<ScrewContact>, moving: Moving) -> Vec<ScrewContact> {
    let key = |contact: &ScrewContact| {
        let names = |feature: &Feature| {
            let mut name = [u32::MAX; 3];
            name[..feature.vertices().len()].copy_from_slice(feature.vertices());
            name
        };
        (contact.kind, contact.parts, names(&contact.feature_a), names(&contact.feature_b))
    };
    found.sort_by(|x, y| x.lower.total_cmp(&y.lower).then_with(|| key(x).cmp(&key(y))));
    if moving == Moving::First {
        found.iter_mut().for_each(|contact| *contact = contact.swapped());
    }
    found
}

fn of_moving_b(mut pairs: Pairs<'_>, config: &ContactsConfig, stats: &mut ScrewStats) -> Vec<ScrewContact> {
    let mut finder = Finder { config, zeros: Vec::new(), candidates: Vec::new() };
    pairs.visit(|pairs, pair| finder.cells(pairs, pair));
    *stats += pairs.stats;
    let is_kept = |contact: &ScrewContact| match config.kept {
        Kept::All => true,
        Kept::Entering => contact.is_entering && contact.properness >= config.min_properness,
    };
    // Edges only if there is nothing else.
    let has_face = |contact: &ScrewContact| contact.kind != ContactKind::EdgeEdge;
    resolved(&mut finder.candidates, has_face).into_iter().filter(is_kept).collect()
}

/// Whose vertex it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    A,
    B,
}

/// Finds contacts of the features of two cells.
struct Finder<'c> {
    config: &'c ContactsConfig,
    zeros: Vec<Zero>,
    candidates: Vec<Candidate>,
}

impl Finder<'_> {
    fn cells(&mut self, pairs: &mut Pairs<'_>, pair: &CellPair) {
        let turns = Turns::new(pairs.frame.angle, pair.window);
        let mirrored = turns.mirrored();
        pair.vertices_b().for_each(|v| self.vertex_face(pairs, Owner::B, v, pair.a.triangle, &turns));
        pair.vertices_a().for_each(|v| self.vertex_face(pairs, Owner::A, v, pair.b.triangle, &mirrored));
        pair.edges().for_each(|edges| self.edge_edge(pairs, edges, pair.window, &turns));
    }

    /// Zeros of a function, taken from a list that is used again.
    fn zeros(
        &mut self,
        pairs: &mut Pairs<'_>,
        course: &Course,
        turns: &Turns,
        containment: impl Fn(Interval) -> Containment,
    ) -> Vec<Zero> {
        pairs.stats.features += 1;
        self.zeros.clear();
        course.zeros(turns, |t| containment(t) != Containment::Outside, &mut self.zeros);
        // Nearly always empty: no allocation.
        std::mem::take(&mut self.zeros)
    }

    /// A vertex of one body and a triangle of the other; as the triangle sees it, the vertex moves.
    fn vertex_face(
        &mut self,
        pairs: &mut Pairs<'_>,
        owner: Owner,
        vertex: u32,
        triangle: u32,
        turns: &Turns,
    ) {
        let frame = pairs.frame;
        let (of_vertex, of_face, moving) = match owner {
            Owner::A => (&mut pairs.a, &mut pairs.b, pairs.inverse),
            Owner::B => (&mut pairs.b, &mut pairs.a, frame),
        };
        let face = of_face.surface.triangles[triangle as usize];
        let (corners, place) = (of_face.places(face.corners, &frame), of_vertex.place(vertex, &frame));
        let pair = VertexFace::new(&moving, place, corners);
        for zero in self.zeros(pairs, &pair.course, turns, |t| pair.containment(t)) {
            for time in times_at(&zero, |t| pair.containment(t)) {
                let Some((outward, is_entering)) =
                    oriented(pair.normal.middle(), face.is_two_sided, zero.passage)
                else {
                    continue;
                };
                let (of_vertex, of_face) = match owner {
                    Owner::A => (&pairs.a, &pairs.b),
                    Owner::B => (&pairs.b, &pairs.a),
                };
                let at = Interval::point(time.lower);
                // The normal of the face as the body of the vertex sees it then.
                let seen = turned_back(outward, &moving.turn(at));
                let properness = properness::of_vertex(of_vertex.surface, of_vertex.matrix(), vertex, seen);
                let borders = pair.borders(Interval::new(time.lower, time.until));
                let on_face = on_triangle(of_face.surface, triangle, borders);
                let vertex_name = Feature::Vertex(of_vertex.surface.vertex_names[vertex as usize].1);
                let parts = [part_of(of_vertex.surface, vertex), part_of(of_face.surface, face.corners[0])];
                // Of the body of the vertex first: that is A, or the other way round.
                let told = Candidate {
                    entities: [Entity::Vertex(vertex), on_face],
                    contact: ScrewContact {
                        feature_a: vertex_name,
                        feature_b: Feature::Face(face.name),
                        parts,
                        point: frame.world(&place),
                        normal: frame.world_vector(-seen),
                        ..record(ContactKind::VertexFace, time, is_entering, properness)
                    },
                };
                self.candidates.push(match owner {
                    Owner::A => told,
                    // The triangle rests in the world, and the vertex is where it has moved.
                    Owner::B => Candidate {
                        entities: [on_face, Entity::Vertex(vertex)],
                        contact: ScrewContact {
                            point: frame.world(&pair.place(at)),
                            normal: frame.world_vector(outward),
                            ..told.contact.swapped()
                        },
                    },
                });
            }
        }
    }

    fn edge_edge(
        &mut self,
        pairs: &mut Pairs<'_>,
        [edge_a, edge_b]: [u32; 2],
        window: Interval,
        turns: &Turns,
    ) {
        let frame = pairs.frame;
        let (ends_a, ends_b) =
            (pairs.a.surface.edges[edge_a as usize], pairs.b.surface.edges[edge_b as usize]);
        let Some([rests, moves]) = pairs.edge_places([edge_a, edge_b], window) else { return };
        let pair = EdgeEdge::new(&frame, rests, moves);
        for zero in self.zeros(pairs, &pair.course, turns, |t| pair.containment(t)) {
            for time in times_at(&zero, |t| pair.containment(t)) {
                let (t, at) = (Interval::new(time.lower, time.until), Interval::point(time.lower));
                // An end of one is on the other then, and found with the faces there.
                let have_faces = !pairs.a.surface.triangles_at_edge.of(edge_a).is_empty()
                    && !pairs.b.surface.triangles_at_edge.of(edge_b).is_empty();
                if have_faces && !pair.is_crossing(at) {
                    continue;
                }
                let entities = on_edges(pairs, [edge_a, edge_b], pair.borders(t));
                let (along_a, along_b) = ((rests[1] - rests[0]).middle(), pair.direction(at).middle());
                let across = along_a.normalize_or_zero().cross(along_b.normalize_or_zero());
                let Some(normal) = across.try_normalize() else { continue };
                let turn = frame.turn(at);
                let proper = |normal: DVec3| {
                    let of_a = properness::of_edge(pairs.a.surface, pairs.a.matrix(), edge_a, normal);
                    let back = turned_back(-normal, &turn);
                    of_a.min(properness::of_edge(pairs.b.surface, pairs.b.matrix(), edge_b, back))
                };
                let place = pair.place(at);
                let closing = |normal: DVec3| -frame.velocity(&place).middle().dot(normal);
                // From A to B: the more proper way, or if both are equal against the motion.
                let (up, down) = (proper(normal), proper(-normal));
                let (normal, least) = match up.total_cmp(&down) {
                    std::cmp::Ordering::Greater => (normal, up),
                    std::cmp::Ordering::Less => (-normal, down),
                    std::cmp::Ordering::Equal if closing(normal) >= 0.0 => (normal, up),
                    std::cmp::Ordering::Equal => (-normal, down),
                };
                let properness = match self.config.edges {
                    EdgeProperness::Seven => least,
                    EdgeProperness::Six => least * across.length(),
                };
                let is_entering = zero.passage == Passage::Unresolved || closing(normal) >= 0.0;
                let contact = record(ContactKind::EdgeEdge, time, is_entering, properness);
                self.candidates.push(Candidate {
                    entities,
                    contact: ScrewContact {
                        feature_a: edge_name(pairs.a.surface, edge_a),
                        feature_b: edge_name(pairs.b.surface, edge_b),
                        parts: [part_of(pairs.a.surface, ends_a[0]), part_of(pairs.b.surface, ends_b[0])],
                        point: frame.world(&place),
                        normal: frame.world_vector(normal),
                        ..contact
                    },
                });
            }
        }
    }
}

/// What all kinds have in common.
fn record(kind: ContactKind, time: ContactTime, is_entering: bool, properness: f64) -> ScrewContact {
    ScrewContact {
        kind,
        feature_a: Feature::Vertex(0),
        feature_b: Feature::Vertex(0),
        parts: [0; 2],
        lower: time.lower,
        upper: time.upper,
        until: time.until,
        is_proved: time.is_proved,
        is_entering,
        point: DVec3::ZERO,
        normal: DVec3::ZERO,
        properness,
    }
}

/// The unit normal on the side of a triangle that a vertex comes from, and whether it enters there; `None` without an area.
fn oriented(normal: DVec3, is_two_sided: bool, passage: Passage) -> Option<(DVec3, bool)> {
    let normal = normal.try_normalize()?;
    Some(match passage {
        Passage::Falling | Passage::Unresolved => (normal, true),
        Passage::Rising if is_two_sided => (-normal, true),
        Passage::Rising => (normal, false),
    })
}

/// A direction before a turn.
fn turned_back(v: DVec3, turn: &SinCos) -> DVec3 {
    let (sin, cos) = (turn.sin.middle(), turn.cos.middle());
    DVec3::new(cos * v.x + sin * v.y, cos * v.y - sin * v.x, v.z)
}

pub(super) fn part_of(surface: &Surface, vertex: u32) -> u32 {
    surface.vertex_names[vertex as usize].0
}

pub(super) fn edge_name(surface: &Surface, edge: u32) -> Feature {
    Feature::Edge(surface.edges[edge as usize].map(|v| surface.vertex_names[v as usize].1))
}

/// The face, edge or vertex that a place on a triangle belongs to.
pub(super) fn on_triangle(surface: &Surface, triangle: u32, borders: Containment) -> Entity {
    let face = &surface.triangles[triangle as usize];
    let open = match borders {
        Containment::Border(open) => [open[0], open[1], open[2]],
        _ => [false; 3],
    };
    match open {
        [true, true, true] | [false, false, false] => Entity::Face(face.face),
        // Two sides meet in a corner.
        [true, false, true] => Entity::Vertex(face.corners[0]),
        [true, true, false] => Entity::Vertex(face.corners[1]),
        [false, true, true] => Entity::Vertex(face.corners[2]),
        _ => {
            let side = open.iter().position(|&is_open| is_open).unwrap_or(0);
            let edge = face.edges[side];
            if edge == NONE { Entity::Face(face.face) } else { Entity::Edge(edge) }
        }
    }
}

/// The edges or their ends that meet.
fn on_edges(pairs: &Pairs<'_>, [edge_a, edge_b]: [u32; 2], borders: Containment) -> [Entity; 2] {
    let open = if let Containment::Border(open) = borders { open } else { [false; 4] };
    let end = |edge: u32, ends: [u32; 2], first: bool, last: bool| match (first, last) {
        (true, false) => Entity::Vertex(ends[0]),
        (false, true) => Entity::Vertex(ends[1]),
        _ => Entity::Edge(edge),
    };
    [
        end(edge_a, pairs.a.surface.edges[edge_a as usize], open[0], open[1]),
        end(edge_b, pairs.b.surface.edges[edge_b as usize], open[2], open[3]),
    ]
}
