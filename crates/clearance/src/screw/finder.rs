//! Contacts of the features of two cells: floats look first, intervals prove what is left.

use super::cell_pair::CellPair;
use super::course::{BESIDE, Course, Passage, Turns, Zero};
use super::face::Face;
use super::features::{Containment, EdgeAndEdge, VertexAndFace};
use super::glance::{EdgeOverEdge, Glance, Look, VertexOverFace};
use super::names::{edge_name, on_edges, on_triangle, part_of};
use super::pairs::Pairs;
use super::polish::polished;
use super::primitive::{ContactTime, times_at};
use super::properness::{self, EdgeProperness};
use super::record::{ContactKind, ContactsConfig, Kept, ScrewContact};
use super::resolve::{Candidate, EVEN, Entity};
use super::sight::Middle;
use crate::math::{Interval, Interval3};
use crate::pair::Feature;
use glam::DVec3;

/// Properness is told by floats but for less than this where directions are known to a tenth of it.
const MARGIN: f64 = 1e-5;

/// Whose vertex it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    A,
    B,
}

/// Finds contacts of the features of two cells.
pub(super) struct Finder<'p> {
    pairs: &'p Pairs<'p>,
    config: &'p ContactsConfig,
    zeros: Vec<Zero>,
    pub candidates: Vec<Candidate>,
    /// Pairs of features whose function of time was looked at, and those that floats left open.
    pub features: u64,
    pub open: u64,
}

/// How two edges meet in the middle of a window, rounded.
struct Crossed {
    place: DVec3,
    /// Unit length, across both, and the sine between them.
    normal: DVec3,
    sine: f64,
    /// How fast they come toward each other along the normal.
    closing: f64,
    speed: f64,
}

impl<'p> Finder<'p> {
    pub fn new(pairs: &'p Pairs<'p>, config: &'p ContactsConfig) -> Finder<'p> {
        Finder { pairs, config, zeros: Vec::new(), candidates: Vec::new(), features: 0, open: 0 }
    }

    pub fn cells(&mut self, pair: &CellPair) {
        let pairs = self.pairs;
        let window = pair.moment.widened(BESIDE);
        let (here, back) = (pairs.sight.at(window), pairs.inverse_sight.at(window.inverse()));
        let seen = |corners: [DVec3; 3]| Face::new(corners, &pairs.sight);
        let mut face = None;
        for vertex in pair.vertices_b() {
            let face = face.get_or_insert_with(|| seen(pair.a.corners.map(|v| pairs.a.spot(v))));
            VertexOverFace { face, place: pairs.b.spot(vertex) }
                .look(&here, |look| self.vertex_face(Owner::B, vertex, pair, face, &look));
        }
        let mut face = None;
        for vertex in pair.vertices_a() {
            let face = face.get_or_insert_with(|| seen(pair.b.corners.map(|v| pairs.b.spot(v))));
            VertexOverFace { face, place: pairs.a.spot(vertex) }
                .look(&back, |look| self.vertex_face(Owner::A, vertex, pair, face, &look));
        }
        for edges in pair.edges() {
            let [rests, moves] = pairs.edge_spots(edges);
            EdgeOverEdge { rests, moves }
                .look(&here, |look| self.edge_edge(edges, [rests, moves], &look, pair.window));
        }
    }

    /// The zero that floats have found, if one step proves it.
    fn known(look: &Look<'_>, value: impl Fn(f64) -> Interval) -> Option<Zero> {
        let Look::Once(glance) = look else { return None };
        let (window, looked_at) = (glance.window?, glance.there.within_unit()?);
        let t = glance.t.clamp(window.lower(), window.upper());
        // Beside what was looked at there may be another zero, of which nothing else is known.
        polished(t, value(t), glance.slopes, window).filter(|zero| looked_at.holds(zero.bracket()))
    }

    /// All zeros in the window of a pair of which floats leave a part open: the same brackets as those of a first contact, which
    /// are wide where features graze. The list is used again: no allocation.
    fn search(&mut self, course: &Course, window: Interval, containment: impl Fn(Interval) -> Containment) {
        self.zeros.clear();
        self.open += 1;
        let turns = Turns::new(course.rate, window);
        course.zeros(&turns, |t| containment(t) != Containment::Outside, &mut self.zeros);
    }

    /// A vertex of one body and a triangle of the other; as the triangle sees it, the vertex moves.
    fn vertex_face(
        &mut self,
        owner: Owner,
        vertex: u32,
        cells: &CellPair,
        seen_face: &Face,
        look: &Look<'_>,
    ) {
        self.features += 1;
        let pairs = self.pairs;
        let triangle = if owner == Owner::A { cells.b.triangle } else { cells.a.triangle };
        let (of_vertex, of_face, moving, sight) = match owner {
            Owner::A => (&pairs.a, &pairs.b, &pairs.inverse, &pairs.inverse_sight),
            Owner::B => (&pairs.b, &pairs.a, &pairs.frame, &pairs.sight),
        };
        let face = &of_face.surface.triangles[triangle as usize];
        let is_below = |normal: DVec3, most: f64| {
            properness::is_vertex_below(of_vertex.surface, of_vertex.matrix(), vertex, normal, most)
        };
        let is_inside = match self.clear(look) {
            Some(glance) if self.leaves_out_vertex(glance, seen_face, face.is_two_sided, is_below) => return,
            clear => clear.is_some(),
        };
        let corners = of_face.places(face.corners, &pairs.frame);
        let place = of_vertex.place(vertex, &pairs.frame);
        let pair = VertexAndFace::new(moving, place, corners);
        let tell = |found: &mut Vec<Candidate>, time: ContactTime, passage: Passage, borders: Containment| {
            let normal = pair.normal.middle();
            let Some((outward, is_entering)) = oriented(normal, face.is_two_sided, passage) else { return };
            let at = sight.middle(time.lower, time.lower);
            // The normal of the face as the body of the vertex sees it then.
            let seen = at.turned_back(outward);
            let properness = properness::of_vertex(of_vertex.surface, of_vertex.matrix(), vertex, seen);
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
                    point: pairs.frame.world(&place),
                    normal: pairs.frame.world_vector(-seen),
                    ..record(ContactKind::VertexFace, time, is_entering, properness)
                },
            };
            found.push(match owner {
                Owner::A => told,
                // The triangle rests in the world, and the vertex is where it has moved.
                Owner::B => Candidate {
                    entities: [on_face, Entity::Vertex(vertex)],
                    contact: ScrewContact {
                        point: pairs.frame.world_place(at.passing(place.middle()).place),
                        normal: pairs.frame.world_vector(outward),
                        ..told.contact.swapped()
                    },
                },
            });
        };
        if let Some(zero) = Finder::known(look, |t| pair.value(t)) {
            let both = if is_inside { INSIDE } else { pair.both(zero.bracket()) };
            if let Some((time, borders)) = met(&zero, both) {
                tell(&mut self.candidates, time, zero.passage, borders);
            }
            return;
        }
        self.search(&pair.course(), cells.window, |t| pair.containment(t));
        for k in 0..self.zeros.len() {
            let zero = self.zeros[k];
            for time in times_at(&zero, |t| pair.containment(t)) {
                let borders = pair.borders(Interval::new(time.lower, time.until));
                tell(&mut self.candidates, time, zero.passage, borders);
            }
        }
    }

    /// A zero that is a contact inside for sure.
    ///
    /// Only those are left out by floats, because contacts at borders are told together with others.
    fn clear<'l, 'a>(&self, look: &'l Look<'a>) -> Option<&'l Glance<'a>> {
        match look {
            Look::Once(glance) if glance.is_inside => Some(glance),
            _ => None,
        }
    }

    /// Whether floats prove that a vertex passes through a face as is not asked for: leaving, or not proper enough.
    fn leaves_out_vertex(
        &self,
        glance: &Glance<'_>,
        face: &Face,
        is_two_sided: bool,
        is_below: impl Fn(DVec3, f64) -> bool,
    ) -> bool {
        if self.config.kept == Kept::All {
            return false;
        }
        if glance.is_rising && !is_two_sided {
            return true;
        }
        let normal = face.plane.normal.normalize_or_zero();
        let outward = if glance.is_rising { -normal } else { normal };
        face.is_clear() && is_below(glance.there.turned_back(outward), self.config.min_properness - MARGIN)
    }

    fn edge_edge(&mut self, edges: [u32; 2], spots: [[DVec3; 2]; 2], look: &Look<'_>, window: Interval) {
        self.features += 1;
        let (pairs, [edge_a, edge_b]) = (self.pairs, edges);
        let is_inside = match self.clear(look) {
            Some(glance) if self.leaves_out_edges(edges, spots, glance) => return,
            clear => clear.is_some(),
        };
        let (a, b) = (pairs.a.surface, pairs.b.surface);
        let (ends_a, ends_b) = (a.edges[edge_a as usize], b.edges[edge_b as usize]);
        let (rests, moves) = (pairs.a.places(ends_a, &pairs.frame), pairs.b.places(ends_b, &pairs.frame));
        let pair = EdgeAndEdge::new(&pairs.frame, rests, moves);
        let config = self.config;
        let tell = |found: &mut Vec<Candidate>, time: ContactTime, passage: Passage, borders: Containment| {
            let middles = |edge: [Interval3; 2]| edge.map(|place| place.middle());
            let there = pairs.sight.middle(time.lower, time.lower);
            let Some(crossed) = crossed(&there, [middles(rests), middles(moves)]) else { return };
            let proper = |normal: DVec3| {
                let of_a = properness::of_edge(a, pairs.a.matrix(), edge_a, normal);
                let back = there.turned_back(-normal);
                of_a.min(properness::of_edge(b, pairs.b.matrix(), edge_b, back))
            };
            // From A to B: the more proper way, or if both are equal against the motion.
            let (up, down) = (proper(crossed.normal), proper(-crossed.normal));
            let is_even = (up - down).abs() <= EVEN;
            let is_up = if is_even { crossed.closing >= 0.0 } else { up > down };
            let (normal, least, closing) = match is_up {
                true => (crossed.normal, up, crossed.closing),
                false => (-crossed.normal, down, -crossed.closing),
            };
            let properness = measured(config, least, crossed.sine);
            let is_entering = passage == Passage::Unresolved || closing >= 0.0;
            let contact = record(ContactKind::EdgeEdge, time, is_entering, properness);
            found.push(Candidate {
                entities: on_edges(pairs, edges, borders),
                contact: ScrewContact {
                    feature_a: edge_name(a, edge_a),
                    feature_b: edge_name(b, edge_b),
                    parts: [part_of(a, ends_a[0]), part_of(b, ends_b[0])],
                    point: pairs.frame.world_place(crossed.place),
                    normal: pairs.frame.world_vector(normal),
                    ..contact
                },
            });
        };
        // An end of one is on the other where they are parallel, and found with the faces there.
        let have_faces =
            !a.triangles_at_edge.of(edge_a).is_empty() && !b.triangles_at_edge.of(edge_b).is_empty();
        let is_told = |time: &ContactTime| !have_faces || pair.is_crossing(Interval::point(time.lower));
        if let Some(zero) = Finder::known(look, |t| pair.value(t)) {
            let both = if is_inside { INSIDE } else { pair.both(zero.bracket()) };
            if let Some((time, borders)) = met(&zero, both).filter(|(time, _)| is_inside || is_told(time)) {
                tell(&mut self.candidates, time, zero.passage, borders);
            }
            return;
        }
        self.search(&pair.course(), window, |t| pair.containment(t));
        for k in 0..self.zeros.len() {
            let zero = self.zeros[k];
            for time in times_at(&zero, |t| pair.containment(t)).into_iter().filter(is_told) {
                let borders = pair.borders(Interval::new(time.lower, time.until));
                tell(&mut self.candidates, time, zero.passage, borders);
            }
        }
    }

    /// Whether floats prove that edges cross as is not asked for: whichever way the normal is taken, leaving or not proper enough.
    ///
    /// Taken against the motion they come toward each other, and are not proper enough; taken the other way they leave.
    fn leaves_out_edges(&self, edges: [u32; 2], spots: [[DVec3; 2]; 2], glance: &Glance<'_>) -> bool {
        let pairs = self.pairs;
        if self.config.kept == Kept::All {
            return false;
        }
        let Some(crossed) = crossed(&glance.there, spots) else { return false };
        let [short_a, short_b] = spots.map(|[from, to]| (to - from).length());
        let is_clear = glance.there.place_error(spots) <= 0.01 * MARGIN * crossed.sine * short_a.min(short_b)
            && crossed.closing.abs() > MARGIN * crossed.speed;
        if !is_clear {
            return false;
        }
        let against = if crossed.closing > 0.0 { crossed.normal } else { -crossed.normal };
        let of_a = properness::least_of_edge(pairs.a.surface, pairs.a.matrix(), edges[0], against);
        let back = glance.there.turned_back(-against);
        let of_b = properness::least_of_edge(pairs.b.surface, pairs.b.matrix(), edges[1], back);
        measured(self.config, of_a.min(of_b), crossed.sine) < self.config.min_properness - MARGIN
    }
}

/// Two edges in the middle of a window; `None` if they are parallel.
fn crossed(there: &Middle<'_>, [rests, moves]: [[DVec3; 2]; 2]) -> Option<Crossed> {
    let [from, to] = moves.map(|p| there.passing(p).place);
    let (u, w, between) = (rests[1] - rests[0], to - from, from - rests[0]);
    let normal = u.cross(w);
    let share = (between.cross(w).dot(normal) / normal.length_squared()).clamp(0.0, 1.0);
    let place = rests[0] + u * if share.is_nan() { 0.5 } else { share };
    let across = u.normalize_or_zero().cross(w.normalize_or_zero());
    let (normal, velocity) = (across.try_normalize()?, there.velocity(place));
    let (closing, speed) = (-velocity.dot(normal), velocity.length());
    Some(Crossed { place, normal, sine: across.length(), closing, speed })
}

/// The properness of edges as it is asked for.
fn measured(config: &ContactsConfig, least: f64, sine: f64) -> f64 {
    match config.edges {
        EdgeProperness::Seven => least,
        EdgeProperness::Six => least * sine,
    }
}

/// Containment and borders of what meets inside.
const INSIDE: [Containment; 2] = [Containment::Inside; 2];

/// When features meet at a zero, and at which borders.
fn met(zero: &Zero, [containment, borders]: [Containment; 2]) -> Option<(ContactTime, Containment)> {
    let Zero { lower, upper, .. } = *zero;
    let is_proved = zero.is_proved && containment == Containment::Inside;
    let time = ContactTime { lower, upper, until: upper, is_proved };
    (containment != Containment::Outside).then_some((time, borders))
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
