//! The relation of two polytopes by exact signs alone: slow, total, and what settles the rest.
//!
//! Whether they meet is told by the point of the Minkowski difference `M = B - A` nearest to zero ([`exact_distance`]). Whether
//! they touch or overlap then, and what separates them, is told by the directions that are non-negative on some vertices of `M`
//! ([`Cone`]). Each generating ray is tried: if a vertex of `M` lies below it, that vertex is added and the cone
//! shrinks; if none does, the ray belongs to the cone of all of `M`. `M` has finitely many vertices and each is
//! added at most once, so this ends: with no ray left (overlapping), or with the exact cone of `M`. It ends soon where the cone
//! starts from corners that hold zero in their hull: it is then a plane, a line or nothing.
//!
//! This is the hemisphere method [Chung96 §4.2.1] and the half-plane intersection [§4.2.2] at once, without
//! their degeneracies: the paper's projections divide by zero where this has a sign of zero.

use super::exact_distance;
use super::relation::{Relation, Witness};
use super::separating_vector::Candidate;
use crate::exact::{Axis, Cone, Ray, Sign, Vector};
use crate::shape::Polytope;
use crate::witness::{CommonPoint, Direction, Overlap, PosedPair, Separation, Side};
use glam::DVec3;
use rustc_hash::FxHashSet;

/// Corners of a supporting face that name a direction.
const NAMING: usize = 3;

/// Decides the relation; `seeds` are up to four vertex pairs that are likely to matter, and change speed only.
///
/// The point of `M` nearest to zero tells whether the bodies meet. If they do, the corners around it leave few directions to try.
pub(super) fn decide<'a>(pair: PosedPair<'a>, seeds: &[(u32, u32)]) -> Decided<'a> {
    let seeds = if seeds.is_empty() { &[(0, 0)] } else { seeds };
    let nearest = exact_distance::nearest(&pair, seeds);
    let mut search = Search::new(pair, &nearest.pairs);
    let relation = match nearest.is_common() {
        true => search.relation_of_meeting(),
        false => Relation::Disjoint,
    };
    Decided { relation, nearest: nearest.pairs, search }
}

/// A relation, and what decided it: what a witness is made of, for those who ask for one.
#[derive(Clone, Debug)]
pub(super) struct Decided<'a> {
    relation: Relation,
    /// Corners of the simplex that holds the point of `M` nearest to zero.
    nearest: Vec<(u32, u32)>,
    search: Search<'a>,
}

impl Decided<'_> {
    pub fn relation(&self) -> Relation {
        self.relation
    }

    /// The proof.
    pub fn into_witness(self) -> Witness {
        let Decided { relation, nearest, mut search } = self;
        match relation {
            Relation::Disjoint => Witness::Disjoint(search.separation()),
            Relation::Touching => {
                Witness::Touching(search.weak_separation_of_rays(), CommonPoint { pairs: nearest })
            }
            Relation::Overlapping => Witness::Overlapping(search.overlap()),
        }
    }

    /// The proof that the bodies overlap, if they do.
    pub fn into_overlap(self) -> Option<Overlap> {
        (self.relation == Relation::Overlapping).then(|| self.search.overlap())
    }
}

/// A separating direction found by floats, with vertices that support the bodies exactly.
pub(super) fn supported(pair: &PosedPair<'_>, found: Candidate) -> Separation {
    let direction = Direction::Vector(found.direction);
    let at = (found.vertex_a, found.vertex_b);
    let (vertex_a, vertex_b) = lowest(pair, at, |v| direction.dot_sign(pair, v));
    Separation { direction, vertex_a, vertex_b }
}

/// The vertex pair that supports `M` from below along a direction, exactly, walking from another.
fn lowest(pair: &PosedPair<'_>, at: (u32, u32), sign: impl Fn(Vector<'_>) -> Sign) -> (u32, u32) {
    let up = |from, to| sign(Vector::Between(pair.at_a(from), pair.at_a(to)));
    let down = |from, to| -sign(Vector::Between(pair.at_b(from), pair.at_b(to)));
    (climb(pair.a, at.0, up), climb(pair.b, at.1, down))
}

#[derive(Clone, Debug)]
struct Search<'a> {
    pair: PosedPair<'a>,
    /// The vertex pairs whose differences were pushed, in order.
    pairs: Vec<(u32, u32)>,
    cone: Cone<'a>,
    /// Where the last searches ended.
    at: (u32, u32),
    /// A vertex pair that coincides, if one was added: what `M` is around zero, its neighbours tell.
    common: Option<(u32, u32)>,
    /// Whether floats still propose something new.
    proposing: bool,
}

impl<'a> Search<'a> {
    fn new(pair: PosedPair<'a>, seeds: &[(u32, u32)]) -> Search<'a> {
        let at = seeds.first().copied().unwrap_or((0, 0));
        let mut search =
            Search { pair, pairs: Vec::new(), cone: Cone::default(), at, common: None, proposing: true };
        seeds.iter().for_each(|&seed| {
            search.add(seed);
        });
        search
    }

    /// Adds a vertex of `M`; false if it was there already.
    fn add(&mut self, pair: (u32, u32)) -> bool {
        if self.pairs.contains(&pair) {
            return false;
        }
        let difference = self.pair.difference(pair);
        if self.common.is_none() && difference.is_zero() {
            self.common = Some(pair);
        }
        self.pairs.push(pair);
        self.cone.push(difference);
        true
    }

    /// The vertex pair that supports `M` from below along a direction, exactly.
    fn lowest(&mut self, sign: impl Fn(Vector<'_>) -> Sign) -> (u32, u32) {
        self.at = lowest(&self.pair, self.at, sign);
        self.at
    }

    /// Whether bodies that have a common point touch or overlap.
    ///
    /// They touch if one ray belongs to the cone of all of `M`. If that is across two differences, which span a facet with zero, the
    /// others need not be tried. The last one lies beside the last cut: so two cuts are closed in on, and a vertex of `n` neighbours
    /// takes about `log n` of them.
    fn relation_of_meeting(&mut self) -> Relation {
        while let Some(&ray) = self.cone.rays().last() {
            let is_cut = match self.cone.rank() {
                3 => self.try_ray(&ray),
                _ => self.try_rays(),
            };
            if !is_cut {
                return Relation::Touching;
            }
        }
        Relation::Overlapping
    }

    /// A separation of bodies that have no common point.
    fn separation(&mut self) -> Separation {
        loop {
            if let Some(separation) = self.try_interior() {
                return separation;
            }
            if !self.try_rays() {
                return self.strict_separation();
            }
        }
    }

    /// Tries the middle of the cone, as floats: nearly always this separates disjoint bodies.
    fn try_interior(&mut self) -> Option<Separation> {
        if !self.proposing {
            return None;
        }
        let unit = |v: DVec3| v.try_normalize().unwrap_or(DVec3::ZERO);
        let middle = self.cone.rays().iter().map(|ray| unit(ray.rounded())).sum::<DVec3>();
        let (pair, direction) = (self.pair, Direction::Vector(unit(middle)));
        let lowest = self.lowest(|v| direction.dot_sign(&pair, v));
        let (vertex_a, vertex_b) = lowest;
        if direction.dot_sign(&pair, pair.difference(lowest)).is_positive() {
            return Some(Separation { direction, vertex_a, vertex_b });
        }
        // A vertex that is known already: rounding has carried the middle out of the cone.
        self.proposing = self.add(lowest);
        None
    }

    /// Tries every generating ray; true if one of them cut the cone down.
    fn try_rays(&mut self) -> bool {
        let rays = self.cone.rays().to_vec();
        rays.iter().any(|ray| self.try_ray(ray))
    }

    /// The same for one ray; if it did not, the ray belongs to the cone of all of `M`.
    fn try_ray(&mut self, ray: &Ray<'a>) -> bool {
        match self.common {
            Some(common) => self.below(common, ray).is_some_and(|beside| self.add(beside)),
            None => {
                let lowest = self.lowest(|v| ray.dot_sign(v));
                let below = ray.dot_sign(self.pair.difference(lowest)).is_negative();
                below && self.add(lowest)
            }
        }
    }

    /// A neighbour of a vertex of `M` that lies below it along a ray: if there is none, nothing does. The steepest so far as floats
    /// can tell, which cuts off most: a vertex may have thousands of neighbours.
    fn below(&self, (a, b): (u32, u32), ray: &Ray<'a>) -> Option<(u32, u32)> {
        let pair = &self.pair;
        let to_a = |&to: &u32| (Vector::Between(pair.at_a(to), pair.at_a(a)), (to, b));
        let to_b = |&to: &u32| (Vector::Between(pair.at_b(b), pair.at_b(to)), (a, to));
        let beside = || {
            let beside_a = pair.a.neighbours(a as usize).iter().map(to_a);
            beside_a.chain(pair.b.neighbours(b as usize).iter().map(to_b))
        };
        let is_below = |(edge, _): &(Vector<'_>, _)| ray.dot_sign(*edge).is_negative();
        let direction = ray.rounded();
        let slope = |(edge, _): &(Vector<'_>, _)| direction.dot(edge.rounded().normalize_or_zero());
        let steepest = beside().min_by(|one, other| slope(one).total_cmp(&slope(other)));
        steepest.filter(is_below).or_else(|| beside().find(is_below)).map(|(_, beside)| beside)
    }

    /// Up to three vertices of A and of B in which a ray supports them, the highest of A and the lowest of B.
    fn supporting_faces(&mut self, ray: &Ray<'a>) -> (Vec<u32>, Vec<u32>) {
        let pair = self.pair;
        let (top, bottom) = self.lowest(|v| ray.dot_sign(v));
        let level_a = |to| ray.dot_sign(Vector::Between(pair.at_a(top), pair.at_a(to))).is_zero();
        let level_b = |to| ray.dot_sign(Vector::Between(pair.at_b(bottom), pair.at_b(to))).is_zero();
        (part_of_plateau(pair.a, top, NAMING, level_a), part_of_plateau(pair.b, bottom, NAMING, level_b))
    }

    /// The fewest pairs, dropped one by one from the front, that still have a property. Carathéodory and
    /// Steinitz bound them: four hold zero in their hull, six strictly inside.
    fn reduced(&self, holds: impl Fn(&Cone<'a>) -> bool) -> Vec<(u32, u32)> {
        let mut kept = self.pairs.clone();
        let mut at = 0;
        while at < kept.len() {
            let without =
                kept.iter().enumerate().filter(|&(i, _)| i != at).map(|(_, &p)| self.pair.difference(p));
            if holds(&without.collect()) {
                kept.remove(at);
            } else {
                at += 1;
            }
        }
        kept
    }

    fn overlap(&self) -> Overlap {
        Overlap { pairs: self.reduced(|cone| cone.is_zero()) }
    }

    /// The separation along a ray of a cone that has no interior: an extreme ray at a boundary point is the normal of a facet. The last
    /// ray is known to be one, or all are.
    fn weak_separation_of_rays(&mut self) -> Separation {
        let rays = self.cone.rays().to_vec();
        let separation = rays.iter().rev().find_map(|ray| self.name(ray));
        separation.expect("an extreme ray at a boundary point is the normal of a facet")
    }

    /// A ray as a direction that a witness may name: the ray supports `M` in a face, and vertices of that
    /// face span the direction.
    fn name(&mut self, ray: &Ray<'a>) -> Option<Separation> {
        let (face_a, face_b) = self.supporting_faces(ray);
        let named = directions_across(&face_a, &face_b);
        named.into_iter().find_map(|direction| self.weak_separation(direction))
    }

    /// The separation along a direction, unless the bodies overlap along it or it is zero.
    fn weak_separation(&mut self, direction: Direction) -> Option<Separation> {
        let pair = self.pair;
        if DVec3::AXES.iter().all(|&axis| direction.dot_sign(&pair, Vector::Literal(axis)).is_zero()) {
            return None;
        }
        let (vertex_a, vertex_b) = self.lowest(|v| direction.dot_sign(&pair, v));
        let gap = direction.dot_sign(&pair, pair.difference((vertex_a, vertex_b)));
        (!gap.is_negative()).then_some(Separation { direction, vertex_a, vertex_b })
    }

    /// A separation with a positive gap, for disjoint bodies that no `f64` direction was found for.
    ///
    /// Every extreme ray touches `M` in a silhouette edge seen from zero, and the facet on the near side of that
    /// edge separates strictly. Its direction is spanned by edges at the vertices of the silhouette; should none
    /// of them do, all facets of `M` are tried, one of which must (separating axis theorem).
    fn strict_separation(&mut self) -> Separation {
        let pair = self.pair;
        let silhouette_a: Vec<u32> = distinct(self.pairs.iter().map(|p| p.0));
        let silhouette_b: Vec<u32> = distinct(self.pairs.iter().map(|p| p.1));
        let near = |polytope: &Polytope, vertices: &[u32]| -> Vec<[u32; 2]> {
            let edges =
                vertices.iter().flat_map(|&v| polytope.neighbours(v as usize).iter().map(move |&w| [v, w]));
            edges.collect()
        };
        let (near_a, near_b) = (near(pair.a, &silhouette_a), near(pair.b, &silhouette_b));
        let known = self.pairs.clone();
        let local = self.first_strict(candidates(&known, &near_a, &near_b));
        local.unwrap_or_else(|| {
            let (all_a, all_b) = (pair.a.edges().collect::<Vec<_>>(), pair.b.edges().collect::<Vec<_>>());
            let every = (0..pair.a.vertices().len() as u32)
                .flat_map(|a| (0..pair.b.vertices().len() as u32).map(move |b| (a, b)))
                .collect::<Vec<_>>();
            let found = self.first_strict(candidates(&every, &all_a, &all_b));
            found.expect("disjoint polytopes are strictly separated by a face, an edge pair or a vertex pair")
        })
    }

    fn first_strict(&mut self, mut directions: impl Iterator<Item = Direction>) -> Option<Separation> {
        let (pair, known) = (self.pair, self.pairs.clone());
        directions.find_map(|direction| {
            // Most are no use already for the vertices that are known: no walk is needed to see that.
            let is_ahead = |named| direction.dot_sign(&pair, pair.difference(named)).is_positive();
            let found =
                known.iter().all(|&named| is_ahead(named)).then(|| self.weak_separation(direction))??;
            is_ahead((found.vertex_a, found.vertex_b)).then_some(found)
        })
    }
}

/// The vertex that no neighbour exceeds; `sign(from, to)` tells whether `to` is higher than `from`.
pub(crate) fn climb(polytope: &Polytope, from: u32, sign: impl Fn(u32, u32) -> Sign) -> u32 {
    let mut at = from;
    while let Some(&next) = polytope.neighbours(at as usize).iter().find(|&&to| sign(at, to).is_positive()) {
        at = next;
    }
    at
}

/// All vertices that can be reached from one over vertices of the same height: a face is connected. `O(f)` signs for a face of
/// `f` corners and its neighbours.
pub(crate) fn plateau(polytope: &Polytope, from: u32, is_level: impl Fn(u32) -> bool) -> Vec<u32> {
    part_of_plateau(polytope, from, usize::MAX, is_level)
}

/// The first so many of them.
fn part_of_plateau(polytope: &Polytope, from: u32, most: usize, is_level: impl Fn(u32) -> bool) -> Vec<u32> {
    let (mut found, mut seen) = (vec![from], FxHashSet::default());
    seen.insert(from);
    let mut next = 0;
    while next < found.len() {
        for &to in polytope.neighbours(found[next] as usize) {
            if found.len() >= most {
                return found;
            }
            if seen.insert(to) && is_level(to) {
                found.push(to);
            }
        }
        next += 1;
    }
    found
}

/// Directions that vertices of two supporting faces span, each with its opposite.
fn directions_across(face_a: &[u32], face_b: &[u32]) -> Vec<Direction> {
    if let [v0, v1, v2, ..] = *face_a {
        return both_normals(Side::A, [v0, v1, v2]).to_vec();
    }
    if let [v0, v1, v2, ..] = *face_b {
        return both_normals(Side::B, [v0, v1, v2]).to_vec();
    }
    let axes = |side, [v0, v1]: [u32; 2]| {
        Axis::ALL.into_iter().flat_map(move |axis| {
            [Direction::EdgeAxis(side, [v0, v1], axis), Direction::EdgeAxis(side, [v1, v0], axis)]
        })
    };
    match (face_a, face_b) {
        (&[a0, a1], &[b0, b1]) => {
            let crosses =
                [Direction::EdgeCross([a0, a1], [b0, b1]), Direction::EdgeCross([a1, a0], [b0, b1])];
            crosses.into_iter().chain(axes(Side::A, [a0, a1])).collect()
        }
        (&[a0, a1], _) => axes(Side::A, [a0, a1]).collect(),
        (_, &[b0, b1]) => axes(Side::B, [b0, b1]).collect(),
        _ => vec![Direction::Vector(DVec3::X)],
    }
}

fn both_normals(side: Side, [v0, v1, v2]: [u32; 3]) -> [Direction; 2] {
    [Direction::FaceNormal(side, [v0, v1, v2]), Direction::FaceNormal(side, [v0, v2, v1])]
}

/// Every direction that a witness may name, from these vertex pairs and edges.
fn candidates<'c>(
    pairs: &'c [(u32, u32)],
    edges_a: &'c [[u32; 2]],
    edges_b: &'c [[u32; 2]],
) -> impl Iterator<Item = Direction> + 'c {
    let differences = pairs.iter().map(|&(a, b)| Direction::Difference(a, b));
    let normals = [(Side::A, edges_a), (Side::B, edges_b)].into_iter().flat_map(|(side, edges)| {
        let corners = edges.iter().flat_map(move |&e| edges.iter().filter_map(move |&f| corner(e, f)));
        corners.map(move |corner| Direction::FaceNormal(side, corner))
    });
    let crosses = edges_a.iter().flat_map(move |&[a0, a1]| {
        edges_b.iter().flat_map(move |&edge_b| {
            [Direction::EdgeCross([a0, a1], edge_b), Direction::EdgeCross([a1, a0], edge_b)]
        })
    });
    let flat = [(Side::A, edges_a), (Side::B, edges_b)].into_iter().flat_map(|(side, edges)| {
        let turned = edges.iter().flat_map(|&[v0, v1]| [[v0, v1], [v1, v0]]);
        turned.flat_map(move |edge| Axis::ALL.map(|axis| Direction::EdgeAxis(side, edge, axis)))
    });
    differences.chain(normals).chain(crosses).chain(flat)
}

/// The three vertices of two edges that start at the same vertex, if they differ.
fn corner([v0, v1]: [u32; 2], [w0, w1]: [u32; 2]) -> Option<[u32; 3]> {
    let (shared, v, w) = if v0 == w0 {
        (v0, v1, w1)
    } else if v0 == w1 {
        (v0, v1, w0)
    } else if v1 == w0 {
        (v1, v0, w1)
    } else if v1 == w1 {
        (v1, v0, w0)
    } else {
        return None;
    };
    (v != w).then_some([shared, v, w])
}

fn distinct(vertices: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut vertices: Vec<u32> = vertices.collect();
    vertices.sort_unstable();
    vertices.dedup();
    vertices
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Pose;
    use crate::shape::sample::{cone, disc};
    use std::cell::RefCell;

    /// Corners shared in a plane full of others: the neighbours of the corner decide, however many vertices there are.
    #[test]
    fn a_common_corner_needs_its_neighbours_only() {
        let rim = |i: i32| DVec3::new(f64::from(i), f64::from(i * i), 0.0);
        let points = (-200..=200).flat_map(|i| [rim(i), rim(i) + DVec3::Z]);
        let body = Polytope::hull(&points.collect::<Vec<_>>()).unwrap();
        let number = |at: DVec3| body.vertices().iter().position(|&v| v == at).unwrap() as u32;
        for (to, relation) in [
            (DVec3::new(0.0, 0.0, 1.0), Relation::Touching),
            (DVec3::new(0.0, 0.0, 0.5), Relation::Overlapping),
            (DVec3::new(200.0, 40000.0, 1.0), Relation::Touching),
        ] {
            let pose_b = Pose::from_translation(to).unwrap();
            let pair = PosedPair { a: &body, pose_a: &Pose::IDENTITY, b: &body, pose_b: &pose_b };
            let decided = decide(pair, &[(number(rim(0)), number(rim(7)))]);
            assert_eq!(decided.relation(), relation);
            assert!(decided.search.pairs.len() <= 16, "{}", decided.search.pairs.len());
            let witness = decided.into_witness();
            assert_eq!((witness.relation(), witness.check(&pair)), (relation, Ok(())));
        }
    }

    /// Of thousands of neighbours of a common vertex, a few tell how the bodies lie. (All of them took seconds: the cone of so many
    /// vectors costs the cube of their number.)
    #[test]
    fn a_common_corner_needs_few_of_its_neighbours() {
        let body = cone(3000, 1.0, 1.0).unwrap();
        let number = |at: DVec3| body.vertices().iter().position(|&v| v == at).unwrap() as u32;
        let top = body.vertices().iter().copied().max_by(|v, w| v.z.total_cmp(&w.z)).unwrap();
        let mirrored = |signs: DVec3| {
            Polytope::hull(&body.vertices().iter().map(|&v| v * signs).collect::<Vec<_>>()).unwrap()
        };
        for (signs, relation) in [(DVec3::NEG_ONE, Relation::Touching), (DVec3::ONE, Relation::Overlapping)] {
            let other = mirrored(signs);
            let to = top - top * signs;
            let at = other.vertices().iter().position(|&v| v + to == top).unwrap() as u32;
            let pose_b = Pose::from_translation(to).unwrap();
            let pair = PosedPair { a: &body, pose_a: &Pose::IDENTITY, b: &other, pose_b: &pose_b };
            let decided = decide(pair, &[(number(top), at)]);
            assert_eq!(decided.relation(), relation);
            assert!(decided.search.pairs.len() <= 40, "{}", decided.search.pairs.len());
            let witness = decided.into_witness();
            assert_eq!((witness.relation(), witness.check(&pair)), (relation, Ok(())));
        }
    }

    /// A face of thousands of corners is searched with one sign for each vertex beside it, and three corners with a handful.
    #[test]
    fn plateaus_ask_about_no_vertex_twice() {
        let disc = disc(2000, 1.0, 0.1).unwrap();
        let top = disc.bounds().max.z;
        let from = disc.vertices().iter().position(|v| v.z == top).unwrap() as u32;
        for (most, found, asked_at_most) in [(usize::MAX, 2000, 4000), (NAMING, 3, 9)] {
            let asked = RefCell::new(Vec::new());
            let level = part_of_plateau(&disc, from, most, |to| {
                asked.borrow_mut().push(to);
                disc.vertices()[to as usize].z == top
            });
            assert_eq!(level.len(), found);
            let mut asked = asked.into_inner();
            asked.sort_unstable();
            assert!(asked.len() <= asked_at_most && asked.windows(2).all(|two| two[0] < two[1]));
        }
    }
}
