//! The volume that two solids have in common: a proved bracket.
//!
//! Space is cut into cells until few planes hold all triangles in a cell. These planes cut the cell into convex regions, and
//! no triangle gets into a region; so one point of it says whether all of it is inside both solids. Cells with too many
//! planes, around vertices, stay open, and count between nothing and all.

use super::common::{common_box, triangles_in};
use super::penetration::NotSolid;
use super::tree_mesh::TreeMesh;
use crate::Aabb;
use crate::math::Pose;
use crate::pair::{Bracket, PointLocation};
use crate::shape::MeshKind;
use crate::solid;
use crate::witness::Side;
use glam::DVec3;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Cells with at most so many planes are cut by them.
const PLANES: usize = 6;

/// A cell of which only this part or less may be a region is not looked at closer; far more than rounding takes away.
const CRUMB: f64 = 1e-9;

/// Cells are no smaller than this part of their coordinates, so that rounding stays far below a crumb.
const SMALLEST: f64 = 1e-6;

/// The volume of the intersection of two solids under two poses, both ends proved: within `relative_width` of the upper end
/// if about so many cells are enough for that.
///
/// Inside a solid are the points around which it winds at least once. Cost: some microseconds for each cell; their number
/// grows with that of the triangles where the solids meet, not with their size.
///
/// ```
/// use clearance::{Pose, glam::DVec3, mesh::{TreeMesh, intersection_volume}, shape::{Polytope, sample}};
/// let corners = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64));
/// let cube = TreeMesh::from_polytope(&Polytope::hull(&corners.collect::<Vec<_>>())?)?;
/// let beside = Pose::from_translation(DVec3::new(0.75, 0.5, 0.0))?;
/// let volume = intersection_volume(&cube, &Pose::IDENTITY, &cube, &beside, 1e-2, 10_000)?;
/// assert!(volume.lower <= 0.125 && 0.125 <= volume.upper && volume.upper < 1.01 * volume.lower);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A mesh is a surface.
pub fn intersection_volume(
    a: &TreeMesh,
    pose_a: &Pose,
    b: &TreeMesh,
    pose_b: &Pose,
    relative_width: f64,
    cells: usize,
) -> Result<Bracket, NotSolid> {
    for (mesh, side) in [(a, Side::A), (b, Side::B)] {
        if mesh.mesh().kind() != MeshKind::Solid {
            return Err(NotSolid(side));
        }
    }
    let bodies = [(a, pose_a), (b, pose_b)];
    let Some((common, errors)) = common_box(bodies) else { return Ok(Bracket::ZERO) };
    let corners = |(mesh, pose): (&TreeMesh, &Pose)| -> Vec<[DVec3; 3]> {
        let found = triangles_in(mesh, pose, common);
        let placed = |t: u32| mesh.mesh().triangle(t as usize).map(|corner| pose.apply(corner));
        found.into_iter().map(placed).collect()
    };
    let triangles = bodies.map(corners);
    let size = common.min.abs().max(common.max.abs()).max_element();
    let slack = 2.0 * errors[0].max(errors[1]) + 32.0 * f64::EPSILON * size;
    let mut sum = Sum { bodies, slack, sure: 0.0, unsure: 0.0 };
    let all = [0, 1].map(|k| (0..triangles[k].len() as u32).collect());
    let mut open = BinaryHeap::new();
    let mut waiting = 0.0;
    let mut look =
        |bounds: Aabb, inherited: &[Vec<u32>; 2], open: &mut BinaryHeap<Cell>, waiting: &mut f64| {
            if let Some(cell) = sum.look(bounds, inherited, &triangles) {
                *waiting += cell.volume;
                open.push(cell);
            }
            sum.bracket(*waiting)
        };
    let mut found = look(common, &all, &mut open, &mut waiting);
    let mut looked = 1;
    while found.upper - found.lower > relative_width * found.upper && looked < cells {
        let Some(cell) = open.pop() else { break };
        waiting -= cell.volume;
        for half in halves(cell.bounds) {
            found = look(half, &cell.triangles, &mut open, &mut waiting);
        }
        looked += 2;
    }
    // Added up anew: what was added and taken away again left rounding behind.
    waiting = open.into_sorted_vec().iter().map(|cell| cell.volume).sum();
    Ok(sum.bracket(waiting))
}

/// A box that too many planes run through.
#[derive(Clone, Debug)]
struct Cell {
    volume: f64,
    bounds: Aabb,
    /// Those of each body that may meet it.
    triangles: [Vec<u32>; 2],
}

/// What cells added up to so far.
struct Sum<'a> {
    bodies: [(&'a TreeMesh, &'a Pose); 2],
    /// How far computed corners and planes may be from where they are.
    slack: f64,
    /// Volume of what is inside both, up to `unsure`.
    sure: f64,
    unsure: f64,
}

impl Sum<'_> {
    fn bracket(&self, waiting: f64) -> Bracket {
        // Sums of some ten thousand numbers round by far less.
        let rounding = 1e-11 * (self.sure + self.unsure + waiting);
        let lower = (self.sure - self.unsure - rounding).max(0.0);
        Bracket { lower, upper: self.sure + self.unsure + waiting + rounding }
    }

    /// Adds a cell, or gives it back if it must be halved.
    fn look(
        &mut self,
        bounds: Aabb,
        inherited: &[Vec<u32>; 2],
        triangles: &[Vec<[DVec3; 3]>; 2],
    ) -> Option<Cell> {
        let room = Aabb { min: bounds.min - self.slack, max: bounds.max + self.slack };
        let own = [0, 1].map(|k: usize| {
            let may_meet = |&&t: &&u32| may_meet(&triangles[k][t as usize], room);
            inherited[k].iter().filter(may_meet).copied().collect::<Vec<u32>>()
        });
        let edges = bounds.extent();
        let volume = edges.x * edges.y * edges.z;
        // Without triangles of a body the cell is inside of it or outside.
        for k in 0..2 {
            if own[k].is_empty() && !self.is_inside(k, bounds.center()) {
                return None;
            }
        }
        let met = (0..2).flat_map(|k| own[k].iter().map(move |&t| &triangles[k][t as usize]));
        let Some(planes) = planes(met, self.slack) else {
            let smallest = SMALLEST * bounds.min.abs().max(bounds.max.abs()).max_element();
            if edges.max_element() < smallest {
                self.unsure += volume;
                return None;
            }
            return Some(Cell { volume, bounds, triangles: own });
        };
        let has = own.map(|list| !list.is_empty());
        self.cut(bounds, volume, &planes, has);
        None
    }

    fn is_inside(&self, body: usize, point: DVec3) -> bool {
        let (mesh, pose) = self.bodies[body];
        solid::location(&mesh.at(pose), Pose::IDENTITY.at(point)) == PointLocation::Inside
    }

    /// Adds the regions into which planes cut a cell.
    fn cut(&mut self, bounds: Aabb, volume: f64, planes: &[Slab], has: [bool; 2]) {
        let (center, edges) = (bounds.center(), bounds.extent());
        let mut regions = vec![tetrahedra(bounds, center)];
        for plane in planes {
            let mut next = Vec::with_capacity(2 * regions.len());
            for region in regions {
                let (below, above) = split(region, plane, center);
                next.extend([below, above].into_iter().filter(|region| !region.is_empty()));
            }
            regions = next;
        }
        for region in regions {
            let inside: f64 = region.iter().map(volume_of).sum();
            if inside <= CRUMB * volume {
                self.unsure += inside;
                continue;
            }
            let largest = region.iter().fold((0.0, DVec3::ZERO), |best, tetrahedron| {
                let volume = volume_of(tetrahedron);
                let middle = || tetrahedron.iter().sum::<DVec3>() * 0.25;
                if volume > best.0 { (volume, middle()) } else { best }
            });
            let sample = center + largest.1;
            if planes.iter().any(|plane| plane.height(sample).abs() <= plane.half_width + self.slack) {
                self.unsure += inside;
            } else if (0..2).all(|k| !has[k] || self.is_inside(k, sample)) {
                self.sure += inside;
            }
        }
        // Around each plane, and around the sides of the cell, lies a layer that is on either side.
        let section = edges.x * edges.y + edges.y * edges.z + edges.z * edges.x;
        let layers: f64 = planes.iter().map(|plane| 2.0 * (plane.half_width + self.slack)).sum();
        self.unsure += section * (layers + self.slack) + CRUMB * volume;
    }
}

/// All points at most so far from a plane.
#[derive(Clone, Copy, Debug)]
struct Slab {
    normal: DVec3,
    point: DVec3,
    half_width: f64,
}

impl Slab {
    fn height(&self, at: DVec3) -> f64 {
        self.normal.dot(at - self.point)
    }
}

/// Few slabs that hold all triangles; `None` if there are too many.
fn planes<'t>(triangles: impl Iterator<Item = &'t [DVec3; 3]>, slack: f64) -> Option<Vec<Slab>> {
    let mut planes: Vec<Slab> = Vec::with_capacity(PLANES);
    for corners in triangles {
        let farthest =
            |plane: &Slab| corners.iter().map(|&corner| plane.height(corner).abs()).fold(0.0, f64::max);
        if let Some(plane) = planes.iter_mut().find(|plane| farthest(plane) <= slack) {
            plane.half_width = plane.half_width.max(farthest(plane));
            continue;
        }
        let [p, q, r] = *corners;
        // A thin triangle has a poor normal; its slab is as wide as it must be.
        let normal = (q - p).cross(r - p).try_normalize()?;
        let mut plane = Slab { normal, point: p, half_width: 0.0 };
        plane.half_width = farthest(&plane);
        if planes.len() == PLANES {
            return None;
        }
        planes.push(plane);
    }
    Some(planes)
}

/// Whether a triangle may meet a box: no axis of the box, normal of the triangle or product of edges separates them beyond
/// rounding, which the box has room for.
fn may_meet(corners: &[DVec3; 3], bounds: Aabb) -> bool {
    let center = bounds.center();
    let half = bounds.max - center;
    let corners = corners.map(|corner| corner - center);
    let [p, q, r] = corners;
    let is_apart = |axis: DVec3| {
        let reach = axis.abs().dot(half) * (1.0 + 1e-9);
        let [x, y, z] = corners.map(|corner| axis.dot(corner));
        let rounding = 1e-15 * axis.abs().dot(p.abs() + q.abs() + r.abs());
        x.min(y).min(z) > reach + rounding || x.max(y).max(z) < -reach - rounding
    };
    let edges = [q - p, r - q, p - r];
    !(DVec3::AXES.into_iter().any(is_apart)
        || is_apart(edges[0].cross(edges[1]))
        || edges.iter().any(|edge| DVec3::AXES.iter().any(|axis| is_apart(axis.cross(*edge)))))
}

/// A box cut across its longest edge.
fn halves(bounds: Aabb) -> [Aabb; 2] {
    let axis = bounds.extent().max_position();
    let middle = bounds.center()[axis];
    let (mut low, mut high) = (bounds, bounds);
    (low.max[axis], high.min[axis]) = (middle, middle);
    [low, high]
}

/// Corners as seen from the centre of the cell.
type Tetrahedron = [DVec3; 4];

/// Six around the diagonal of a box.
fn tetrahedra(bounds: Aabb, center: DVec3) -> Vec<Tetrahedron> {
    let ends = [bounds.min - center, bounds.max - center];
    let corner = |i: usize| DVec3::new(ends[i & 1].x, ends[i >> 1 & 1].y, ends[i >> 2].z);
    let ways = [[1, 3], [1, 5], [2, 3], [2, 6], [4, 5], [4, 6]];
    ways.map(|[i, j]| [corner(0), corner(i), corner(j), corner(7)]).to_vec()
}

fn volume_of([a, b, c, d]: &Tetrahedron) -> f64 {
    (*b - *a).cross(*c - *a).dot(*d - *a).abs() / 6.0
}

/// What lies below a plane, and what lies above.
fn split(region: Vec<Tetrahedron>, plane: &Slab, center: DVec3) -> (Vec<Tetrahedron>, Vec<Tetrahedron>) {
    let (mut below, mut above) = (Vec::new(), Vec::new());
    for mut corners in region {
        corners.sort_by(|x, y| plane.height(center + *x).total_cmp(&plane.height(center + *y)));
        let heights = corners.map(|corner| plane.height(center + corner));
        let between = |i: usize, j: usize| {
            let share = (heights[i] / (heights[i] - heights[j])).clamp(0.0, 1.0);
            corners[i] * (1.0 - share) + corners[j] * share
        };
        let [a, b, c, d] = corners;
        // Three edges, from a triangle to another: three tetrahedra.
        let prism = |[p, q, r]: [DVec3; 3], [x, y, z]: [DVec3; 3]| [[p, q, r, x], [q, r, x, y], [r, x, y, z]];
        match heights.iter().filter(|height| **height < 0.0).count() {
            0 => above.push(corners),
            4 => below.push(corners),
            1 => {
                let cut = [between(0, 1), between(0, 2), between(0, 3)];
                below.push([a, cut[0], cut[1], cut[2]]);
                above.extend(prism(cut, [b, c, d]));
            }
            3 => {
                let cut = [between(0, 3), between(1, 3), between(2, 3)];
                above.push([d, cut[0], cut[1], cut[2]]);
                below.extend(prism(cut, [a, b, c]));
            }
            _ => {
                let [ac, ad, bc, bd] = [between(0, 2), between(0, 3), between(1, 2), between(1, 3)];
                below.extend(prism([a, ac, ad], [b, bc, bd]));
                above.extend(prism([c, ac, bc], [d, ad, bd]));
            }
        }
    }
    (below, above)
}

impl Ord for Cell {
    /// By volume; of equal ones by place.
    fn cmp(&self, other: &Cell) -> Ordering {
        let [x, y] = [self, other].map(|cell| cell.bounds.min.to_array());
        let place = x.iter().zip(&y).map(|(a, b)| a.total_cmp(b)).fold(Ordering::Equal, Ordering::then);
        self.volume.total_cmp(&other.volume).then(place)
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Cell) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Cell {
    fn eq(&self, other: &Cell) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Cell {}
