//! How far the surface of either of two solids gets into the other.
//!
//! The distance from a triangle is a convex function, so over a piece of a surface it is largest at a corner: if all corners of
//! a piece are near to *one* triangle of the other surface, so is the piece. Pieces for which no such triangle is found are
//! cut, where the nearest triangle ends or in halves; those that lie outside drop out; the deepest place found so far bounds
//! the answer from below.

use super::common::{box_in_frame, common_box, triangles_in};
use super::deepest::deepest;
use super::exit::way_out;
use super::foot::Feet;
use super::penetration::{LocalDepth, NotSolid, deeper, depth_of_hulls};
use super::tree_mesh::TreeMesh;
use crate::Aabb;
use crate::exact::Posed;
use crate::math::Pose;
use crate::math::round::UNIT_ROUNDOFF;
use crate::pair::{PointLocation, Relation};
use crate::shape::MeshKind;
use crate::solid;
use crate::triangle;
use crate::witness::Side;
use glam::DVec3;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// How far the surfaces of two solids get into each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceDepth {
    /// Some point of one surface is inside the other solid and proved to be at least this far from its surface.
    pub lower: f64,
    /// Every point of one surface inside the other solid is proved to be at most this far from its surface.
    pub upper: f64,
    /// The point of the lower end, rounded; `None` if none was found.
    pub point: Option<DVec3>,
}

/// A search for the deepest point that can be continued: first for one limit, then for another.
///
/// The depth is the largest distance of a point of either surface inside the other solid from the other's triangles;
/// zero if no point of a surface is inside. It is at most the shortest translation that separates the convex hulls. Unlike the
/// local depth of [`penetration`](super::penetration()) it is not blind to bars that cross without a vertex inside.
///
/// ```
/// use clearance::{Pose, glam::DVec3, mesh::{DepthSearch, TreeMesh}, shape::{Mesh, MeshConfig, sample}};
/// let ball = TreeMesh::new(Mesh::build(&sample::icosphere(1.0, 8)?, &MeshConfig::default())?);
/// let beside = Pose::from_translation(DVec3::X * 1.9)?;
/// let mut search = DepthSearch::new(&ball, &Pose::IDENTITY, &ball, &beside)?;
/// search.settle(0.2, 10_000);
/// assert!(search.found().upper <= 0.2);
/// search.settle(0.01, 10_000);
/// assert!(search.found().lower > 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DepthSearch<'a> {
    bodies: [(&'a TreeMesh, &'a Pose); 2],
    /// How far pieces may be from where they are meant to be.
    errors: [f64; 2],
    bounds: [Aabb; 2],
    open: BinaryHeap<Piece>,
    /// Not below the depth at pieces too small to be halved.
    settled: f64,
    /// Not below the depth for another reason.
    ceiling: f64,
    lower: f64,
    point: Option<DVec3>,
    vertex: Option<LocalDepth>,
    /// Whether triangles were taken apart already.
    has_pieces: bool,
    common: Option<Aabb>,
}

/// A part of a triangle.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// Not below the depth of any point of it.
    upper: f64,
    corners: [DVec3; 3],
    /// Whose it is.
    side: Side,
    /// The triangle of the other body that shows it.
    shown_by: u32,
    /// The triangle of the other body nearest to its centre.
    nearest: u32,
    /// How often it was cut since it was halved.
    cuts: u8,
}

/// So many cuts at the ends of triangles may follow each other.
const CUTS: u8 = 6;

/// A piece is cut no closer to a corner than by this part of its size.
const SLIVER: f64 = 1e-4;

/// More than lengths and sums of lengths round by.
const STRETCH: f64 = 1.0 + 1e-12;

impl<'a> DepthSearch<'a> {
    /// Two solids under two poses. Looks at vertices and hulls; pieces of surfaces come with [`settle`](DepthSearch::settle).
    ///
    /// # Errors
    /// A mesh is a surface.
    pub fn new(
        a: &'a TreeMesh,
        pose_a: &'a Pose,
        b: &'a TreeMesh,
        pose_b: &'a Pose,
    ) -> Result<DepthSearch<'a>, NotSolid> {
        for (mesh, side) in [(a, Side::A), (b, Side::B)] {
            if mesh.mesh().kind() != MeshKind::Solid {
                return Err(NotSolid(side));
            }
        }
        let bodies = [(a, pose_a), (b, pose_b)];
        let common = common_box(bodies);
        let errors = common.map_or([0.0; 2], |(_, errors)| errors);
        let mut search = DepthSearch {
            bodies,
            // An image errs by less than a hundredth of this, and cutting a piece some hundred times adds as much.
            errors: errors.map(|error| 64.0 * error),
            bounds: bodies.map(|(mesh, pose)| super::penetration::bounds(mesh, pose).0),
            open: BinaryHeap::new(),
            settled: 0.0,
            ceiling: 0.0,
            lower: 0.0,
            point: None,
            vertex: None,
            has_pieces: false,
            common: common.map(|(common, _)| common),
        };
        let overlap = common.is_some()
            && crate::pair::relation(a.hull(), pose_a, b.hull(), pose_b) == Relation::Overlapping;
        match overlap {
            true => search.ceiling = depth_of_hulls(a, pose_a, b, pose_b).0,
            false => search.common = None,
        }
        search.vertex = search.search_vertices(errors);
        if let Some(deep) = search.vertex {
            (search.lower, search.point) = (deep.lower, Some(deep.vertex_point));
        }
        Ok(search)
    }

    fn search_vertices(&self, errors: [f64; 2]) -> Option<LocalDepth> {
        let (common, [a, b]) = (self.common?, self.bodies);
        deeper(deepest(Side::A, [a, b], common, errors[0]), deepest(Side::B, [b, a], common, errors[1]))
    }

    /// The vertex that is deepest inside the other solid: the local depth of [`penetration`](super::penetration()). `None`
    /// if no vertex of either is inside the other.
    pub fn deepest_vertex(&self) -> Option<LocalDepth> {
        self.vertex
    }

    /// What is known so far.
    pub fn found(&self) -> SurfaceDepth {
        let pieces = match (self.common, self.has_pieces) {
            (None, _) => 0.0,
            (_, false) => f64::INFINITY,
            _ => self.open.peek().map_or(0.0, |piece| piece.upper).max(self.settled),
        };
        // Vertices of surfaces that lie on each other may be counted twice by rounding: the ends never cross.
        let upper = pieces.min(self.ceiling).max(self.lower);
        SurfaceDepth { lower: self.lower, upper, point: self.point }
    }

    /// Goes on until the depth is proved to be at most the limit, or to be above it, or about so many pieces were looked at:
    /// then neither is known. A few microseconds for each piece.
    pub fn settle(&mut self, limit: f64, pieces: usize) {
        let mut left = pieces;
        if !self.is_open(limit) {
            return;
        }
        if !self.has_pieces {
            self.has_pieces = true;
            for side in [Side::A, Side::B] {
                left = left.saturating_sub(self.take_apart(side));
            }
        }
        while left > 0 && self.is_open(limit) {
            let Some(piece) = self.open.pop() else { return };
            if let Some(parts) = self.cut(&piece) {
                parts.into_iter().for_each(|part| self.look(part));
            } else if let Some(halves) = piece.halves() {
                halves.into_iter().for_each(|half| self.look(half));
            } else {
                self.settled = self.settled.max(piece.upper);
            }
            left = left.saturating_sub(2);
        }
    }

    fn is_open(&self, limit: f64) -> bool {
        let found = self.found();
        found.lower <= limit && found.upper > limit
    }

    /// All triangles of a body that may be inside the other.
    fn take_apart(&mut self, side: Side) -> usize {
        let Some(common) = self.common else { return 0 };
        let (mesh, pose) = self.bodies[side as usize];
        let triangles = triangles_in(mesh, pose, common);
        for &triangle in &triangles {
            let corners = mesh.mesh().triangle(triangle as usize).map(|corner| pose.apply(corner));
            let (shown_by, nearest) = (u32::MAX, u32::MAX);
            self.look(Piece { upper: f64::INFINITY, corners, side, shown_by, nearest, cuts: 0 });
        }
        triangles.len()
    }

    /// Cut where the nearest triangle ends, across the edge that the piece reaches beyond most: both sides are near to a
    /// triangle of their own, most often. Any cut is right; this one saves many.
    fn cut(&self, piece: &Piece) -> Option<[Piece; 3]> {
        let (mesh, pose) = self.bodies[1 - piece.side as usize];
        if piece.cuts >= CUTS || piece.nearest == u32::MAX {
            return None;
        }
        let [p, q, r] = mesh.mesh().triangle(piece.nearest as usize).map(|corner| pose.apply(corner));
        let size = |[a, b, c]: [DVec3; 3]| a.distance(b).max(b.distance(c)).max(c.distance(a));
        let own = size(piece.corners);
        if size([p, q, r]) < 0.5 * own {
            return None;
        }
        let normal = (q - p).cross(r - p);
        let mut best: Option<[f64; 3]> = None;
        for [from, to] in [[p, q], [q, r], [r, p]] {
            let Some(outward) = (to - from).cross(normal).try_normalize() else { continue };
            let beyond = piece.corners.map(|corner| outward.dot(corner - from));
            let most = |sides: [f64; 3]| sides.into_iter().fold(f64::NEG_INFINITY, f64::max);
            let is_across = most(beyond) > SLIVER * own && most(beyond.map(|x| -x)) > SLIVER * own;
            if is_across && best.is_none_or(|known| most(known) < most(beyond)) {
                best = Some(beyond);
            }
        }
        piece.cut_at_zero(best?)
    }

    /// Keeps a piece that may be deeper than what was found, with a better bound.
    fn look(&mut self, mut piece: Piece) {
        let (own, other) = (piece.side as usize, 1 - piece.side as usize);
        let error = self.errors[own];
        let around = piece.bounds(error);
        if !around.meets(self.bounds[other]) {
            return;
        }
        let (mesh, pose) = self.bodies[other];
        let [p, q, r] = piece.corners;
        let center = (p + q + r) / 3.0;
        let at = REST.at(center);
        let near = Near::of(mesh, pose, at);
        let radius = piece.corners.map(|corner| corner.distance(center)).into_iter().fold(0.0, f64::max);
        let (reach, gap) = ((radius + error) * STRETCH, near.lower / STRETCH - error);
        for triangle in [near.triangle, piece.shown_by].into_iter().filter(|&triangle| triangle != u32::MAX) {
            let corners = mesh.mesh().triangle(triangle as usize);
            let upper = |corner: &DVec3| Feet::new(pose, REST.at(*corner)).bracket(corners).upper;
            let upper = (piece.corners.iter().map(upper).fold(0.0, f64::max) + error) * STRETCH;
            if upper < piece.upper {
                (piece.upper, piece.shown_by) = (upper, triangle);
            }
        }
        piece.nearest = near.triangle;
        // From the centre to the nearest triangle, and as far as the piece reaches.
        piece.upper = piece.upper.min((near.upper + reach) * STRETCH);
        if piece.upper > self.lower
            && let Some(direction) = outward(mesh.mesh().triangle(near.triangle as usize), pose)
        {
            let room = 2.0 * (self.errors[own] + self.errors[other]);
            let out = way_out(piece.corners, direction, piece.upper, room, (mesh, pose));
            piece.upper = out.map_or(piece.upper, |out| piece.upper.min(out * STRETCH));
        }
        if piece.upper <= self.lower {
            return;
        }
        let is_on_one_side = gap > reach || self.is_free(&piece, around);
        if is_on_one_side || gap > self.lower {
            match solid::location(&mesh.at(pose), at) {
                PointLocation::Outside if is_on_one_side => return,
                PointLocation::Inside if gap > self.lower => {
                    (self.lower, self.point) = (gap, Some(center));
                }
                _ => {}
            }
        }
        self.open.push(piece);
    }

    /// Whether no triangle of the other body meets a piece, wherever within its error that is.
    fn is_free(&self, piece: &Piece, around: Aabb) -> bool {
        let (mesh, pose) = self.bodies[1 - piece.side as usize];
        let room = 2.0 * self.errors[piece.side as usize];
        let mut is_free = true;
        let mut look_at = |triangle: u32| {
            let corners = mesh.mesh().triangle(triangle as usize);
            is_free = is_free && !triangle::within(piece.corners, &REST, corners, pose, room);
        };
        look_at(piece.nearest);
        mesh.tree().visit(box_in_frame(pose, around), look_at);
        is_free
    }
}

/// The unit normal of a triangle under a pose; `None` for one without area.
fn outward(triangle: [DVec3; 3], pose: &Pose) -> Option<DVec3> {
    let [p, q, r] = triangle.map(|corner| pose.apply(corner));
    (q - p).cross(r - p).try_normalize()
}

static REST: Pose = Pose::IDENTITY;

/// How far a point is from the nearest triangle, as floats know it.
struct Near {
    lower: f64,
    upper: f64,
    triangle: u32,
}

impl Near {
    fn of(mesh: &TreeMesh, pose: &Pose, at: Posed<'_>) -> Near {
        let feet = Feet::new(pose, at);
        let mut near = Near { lower: f64::INFINITY, upper: f64::INFINITY, triangle: u32::MAX };
        let size = at.point.abs().element_sum();
        mesh.tree().visit_around(pose, at.point, 8.0 * UNIT_ROUNDOFF * size, |triangle| {
            let bracket = feet.bracket(mesh.mesh().triangle(triangle as usize));
            near.lower = near.lower.min(bracket.lower);
            let is_nearer = (bracket.upper, triangle) < (near.upper, near.triangle);
            if is_nearer {
                (near.upper, near.triangle) = (bracket.upper, triangle);
            }
            is_nearer.then_some((bracket.upper, bracket.foot))
        });
        near
    }
}

impl Piece {
    /// A box that holds it wherever within an error it is.
    fn bounds(&self, error: f64) -> Aabb {
        let [p, q, r] = self.corners;
        Aabb { min: p.min(q).min(r) - error, max: p.max(q).max(r) + error }
    }

    /// Cut through the longest edge; `None` for a piece too small for that.
    fn halves(&self) -> Option<[Piece; 2]> {
        let [p, q, r] = self.corners;
        let lengths = [p.distance_squared(q), q.distance_squared(r), r.distance_squared(p)];
        let longest = (0..3).max_by(|&i, &j| lengths[i].total_cmp(&lengths[j]).then(j.cmp(&i)))?;
        let [from, to, rest] = [0, 1, 2].map(|k| self.corners[(longest + k) % 3]);
        let middle = 0.5 * from + 0.5 * to;
        if middle == from || middle == to {
            return None;
        }
        let with = |corners| Piece { corners, cuts: 0, ..*self };
        Some([with([from, middle, rest]), with([middle, to, rest])])
    }

    /// Cut where a linear function, given at the corners, is zero; its signs differ.
    fn cut_at_zero(&self, at: [f64; 3]) -> Option<[Piece; 3]> {
        let is_alone =
            |i: usize| (at[i] < 0.0) != (at[(i + 1) % 3] < 0.0) && (at[i] < 0.0) != (at[(i + 2) % 3] < 0.0);
        let i = (0..3).find(|&i| is_alone(i))?;
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let between = |to: usize| {
            let share = (at[i] / (at[i] - at[to])).clamp(0.0, 1.0);
            self.corners[i] * (1.0 - share) + self.corners[to] * share
        };
        let ([x, y, z], [u, v]) = ([i, j, k].map(|index| self.corners[index]), [between(j), between(k)]);
        let with = |corners| Piece { corners, cuts: self.cuts + 1, ..*self };
        Some([with([x, u, v]), with([u, y, z]), with([u, z, v])])
    }

    /// By bound; of equal ones by place, so that there is one order.
    fn key(&self) -> (f64, [f64; 9], u8) {
        let [p, q, r] = self.corners;
        (self.upper, [p.x, p.y, p.z, q.x, q.y, q.z, r.x, r.y, r.z], self.side as u8)
    }
}

impl Ord for Piece {
    fn cmp(&self, other: &Piece) -> Ordering {
        let ((x, corners_x, side_x), (y, corners_y, side_y)) = (self.key(), other.key());
        let corners = corners_x.iter().zip(&corners_y).map(|(a, b)| a.total_cmp(b));
        x.total_cmp(&y).then(corners.fold(Ordering::Equal, Ordering::then)).then(side_x.cmp(&side_y))
    }
}

impl PartialOrd for Piece {
    fn partial_cmp(&self, other: &Piece) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Piece {
    fn eq(&self, other: &Piece) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Piece {}

/// Whether every component of a mesh under a pose is proved to have a point outside a solid: a vertex, exactly. False proves
/// nothing.
pub fn reaches_outside(mesh: &TreeMesh, pose: &Pose, solid: &TreeMesh, pose_solid: &Pose) -> bool {
    let bounds = super::penetration::bounds(solid, pose_solid).0;
    // Rounded images lie as near to the exact ones as this, and boxes of solids have as much room.
    let is_far = |point: DVec3| {
        let error = 8.0 * f64::EPSILON * (point.abs() + pose.translation().abs()).element_sum();
        let at = pose.apply(point);
        !(Aabb { min: at - 2.0 * error, max: at + 2.0 * error }).meets(bounds)
    };
    let vertex = |vertex: u32| mesh.mesh().positions()[vertex as usize];
    let is_outside =
        |point: DVec3| solid::location(&solid.at(pose_solid), pose.at(point)) == PointLocation::Outside;
    mesh.mesh().components().zip(&mesh.extremes).all(|(triangles, extremes)| {
        let corners = || triangles.iter().flat_map(|&t| mesh.mesh().triangles()[t as usize]);
        extremes.iter().any(|&v| is_far(vertex(v)))
            || extremes.iter().any(|&v| is_outside(vertex(v)))
            || corners().any(|v| is_outside(vertex(v)))
    })
}
