//! Pairs of bodies of a lattice: their relation is that of sets of cubes and squares.

use super::compare::same;
use super::mesh_pair::{near_pairs, relation, tested};
use super::voxel::{Cell, Square, Voxels};
use crate::math::{Pose, Random};
use crate::pair::{PointLocation, Relation};
use crate::shape::{KindChoice, Mesh, MeshConfig, MeshKind};
use crate::solid::{self, Body, EveryTriangle, MeshRelation};
use crate::witness::Side;
use glam::{DMat3, DQuat, DVec3};
use std::collections::BTreeSet;

/// The other way round.
fn swapped(found: MeshRelation) -> MeshRelation {
    let enclosed = found.enclosed.map(|side| if side == Side::A { Side::B } else { Side::A });
    MeshRelation { enclosed, ..found }
}

/// How a lattice is mapped into the world, exactly.
struct World {
    matrix: DMat3,
    scale: f64,
    offset: DVec3,
}

impl World {
    fn any(random: &mut Random) -> World {
        let shear = DMat3::from_cols_array(&[2.0, 1.0, 0.0, -1.0, 1.0, 3.0, 0.0, -1.0, 1.0]);
        let thin = DMat3::from_cols_array(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 64.0, -32.0, 1.0 / 1024.0]);
        let matrix = [DMat3::IDENTITY, DMat3::IDENTITY, shear, thin][random.below(4) as usize];
        let scale = [1.0, 1.0, 2f64.powi(-20), 2f64.powi(20)][random.below(4) as usize];
        let offset = [DVec3::ZERO, DVec3::new(1e6, -1e6, 3e6)][random.below(2) as usize] * scale;
        World { matrix, scale, offset }
    }

    /// The image of half a lattice point: coordinates are halves.
    fn halves(&self, point: Cell) -> DVec3 {
        let point = DVec3::from_array(point.map(|x| 0.5 * f64::from(x)));
        self.matrix * point * self.scale + self.offset
    }

    fn point(&self, point: Cell) -> DVec3 {
        self.halves(point.map(|x| 2 * x))
    }
}

/// Exact quarter and third turns with an exact translation.
fn exact_turn(world: &World, random: &mut Random) -> Pose {
    let (x, y, z) = (DVec3::X, DVec3::Y, DVec3::Z);
    let turns = [[x, y, z], [y, -x, z], [-x, -y, z], [y, z, x], [x, z, -y]];
    let [x, y, z] = turns[random.below(5) as usize];
    let whole = |random: &mut Random| random.below(9) as f64 - 4.0;
    let translation = DVec3::new(whole(random), whole(random), whole(random)) * world.scale + world.offset;
    Pose::new(DMat3::from_cols(x, y, z), translation).expect("a rotation")
}

/// The body coordinates of a point of the world under an exact turn.
fn back(pose: &Pose, point: DVec3) -> DVec3 {
    pose.rotation().transpose() * (point - pose.translation())
}

/// Two bodies of a lattice under exact poses, or both under one rotation.
struct Placed {
    voxels: [Voxels; 2],
    meshes: [Mesh; 2],
    poses: [Pose; 2],
    world: World,
    /// Whether coordinates of the world are known.
    is_exact: bool,
}

impl Placed {
    /// `None` for bodies that repair has changed.
    fn any(random: &mut Random) -> Option<Placed> {
        let first = Voxels::any(random);
        let small: Cell = std::array::from_fn(|_| random.below(5) as i32 - 2);
        let (first, second) = match random.below(8) {
            0 => (first.clone(), first),
            1 => (first.shifted(small), first),
            2 => (Voxels::hall(random), Voxels::any(random)),
            _ => (first, Voxels::any(random)),
        };
        let world = World::any(random);
        let is_exact = random.below(3) > 0;
        let poses = if is_exact {
            [exact_turn(&world, random), exact_turn(&world, random)]
        } else {
            let quaternion = DQuat::from_array(std::array::from_fn(|_| random.range(0.1, 1.0)));
            let pose = Pose::from_quaternion(quaternion, world.offset).expect("a rotation");
            [pose, pose]
        };
        let voxels = [first, second];
        let build = |which: usize, random: &mut Random| {
            let map = |cell| {
                let point = world.point(cell);
                if is_exact { back(&poses[which], point) } else { point }
            };
            let kind = if random.below(5) == 0 { KindChoice::Surface } else { KindChoice::Detect };
            let config = MeshConfig { kind, ..MeshConfig::default() };
            let mesh = Mesh::build(&voxels[which].soup(map), &config).ok()?;
            (mesh.kind() == MeshKind::Surface || mesh.report().flipped.is_empty()).then_some(mesh)
        };
        let meshes = [build(0, random)?, build(1, random)?];
        Some(Placed { voxels, meshes, poses, world, is_exact })
    }

    fn is_solid(&self, which: usize) -> bool {
        self.meshes[which].kind() == MeshKind::Solid
    }

    /// All lattice points of a body.
    fn points(&self, which: usize) -> BTreeSet<Cell> {
        let mut points = self.voxels[which].points_of_squares();
        if self.is_solid(which) {
            points.append(&mut self.voxels[which].points_of_cubes());
        }
        points
    }

    /// Whether all of a body, and whether any of what counts for it, is inside a solid: cubes of a solid, squares of a
    /// surface.
    fn inside(&self, which: usize, other: usize) -> (bool, bool) {
        if !self.is_solid(other) {
            return (false, false);
        }
        let (voxels, cubes) = (&self.voxels[which], &self.voxels[other].cubes);
        let is_held = |&square: &Square| Voxels::beside(square).iter().all(|cell| cubes.contains(cell));
        let is_any = match self.is_solid(which) {
            true => !voxels.cubes.is_disjoint(cubes),
            false => voxels.squares.iter().any(is_held),
        };
        (voxels.squares.iter().all(is_held), is_any)
    }

    /// The truth; `None` for two surfaces.
    fn relation(&self) -> Option<MeshRelation> {
        if !self.is_solid(0) && !self.is_solid(1) {
            return None;
        }
        let ((all_a, any_a), (all_b, any_b)) = (self.inside(0, 1), self.inside(1, 0));
        if any_a || any_b {
            let rims = [0, 1].map(|which| self.voxels[which].points_of_squares());
            let enclosed = match rims[0].is_disjoint(&rims[1]) {
                true if all_a => Some(Side::A),
                true if all_b => Some(Side::B),
                _ => None,
            };
            return Some(MeshRelation { relation: Relation::Overlapping, enclosed });
        }
        let apart = self.points(0).is_disjoint(&self.points(1));
        let relation = if apart { Relation::Disjoint } else { Relation::Touching };
        Some(MeshRelation { relation, enclosed: None })
    }

    /// Where a point, given in halves, lies with respect to a body.
    fn location(&self, which: usize, point: Cell) -> PointLocation {
        self.location_of_parts(which, point.map(i64::from), 1)
    }

    /// Where a point, given in parts of halves, lies with respect to a body.
    fn location_of_parts(&self, which: usize, point: [i64; 3], parts: i64) -> PointLocation {
        let voxels = &self.voxels[which];
        let cells = around(point, 2 * parts);
        let filled = cells.iter().filter(|cell| voxels.cubes.contains(*cell)).count();
        let is_on_square = || {
            voxels.squares.iter().any(|&(corner, axis)| {
                (0..3).all(|k| {
                    let low = i64::from(corner[k]) * 2 * parts;
                    let high = low + if k == axis { 0 } else { 2 * parts };
                    (low..=high).contains(&point[k])
                })
            })
        };
        match self.is_solid(which) {
            true if filled == cells.len() => PointLocation::Inside,
            true if filled > 0 || is_on_square() => PointLocation::Boundary,
            false if is_on_square() => PointLocation::Boundary,
            _ => PointLocation::Outside,
        }
    }

    fn tell(&self) -> String {
        format!(
            "{:?} {:?} kinds {:?} {:?} poses {:?} scale {}",
            self.voxels[0].triangles,
            self.voxels[1].triangles,
            self.meshes[0].kind(),
            self.meshes[1].kind(),
            self.poses,
            self.world.scale
        )
    }
}

/// The unit cubes around a point given in parts of the unit.
fn around(point: [i64; 3], unit: i64) -> Vec<Cell> {
    let range = |x: i64| {
        let cell = x.div_euclid(unit) as i32;
        if x.rem_euclid(unit) == 0 { cell - 1..=cell } else { cell..=cell }
    };
    let mut cells = Vec::new();
    for x in range(point[0]) {
        for y in range(point[1]) {
            cells.extend(range(point[2]).map(|z| [x, y, z]));
        }
    }
    cells
}

/// Bodies of a lattice, solids and surfaces, with cavities, walls and fins, in every kind of contact.
pub fn compare_relations(random: &mut Random) -> Result<(), String> {
    let Some(placed) = Placed::any(random) else { return Ok(()) };
    let ([a, b], [pose_a, pose_b]) = (&placed.meshes, &placed.poses);
    let found = tested(a, pose_a, b, pose_b);
    same(swapped(tested(b, pose_b, a, pose_a)), found, || placed.tell())?;
    match placed.relation() {
        Some(want) => same(found, want, || placed.tell()),
        // Rational numbers are slow.
        None if near_pairs(a, pose_a, b, pose_b).len() > 100 => Ok(()),
        None => same(found.relation, relation(a, pose_a, b, pose_b), || placed.tell()),
    }
}

/// Points of half a lattice in and around bodies of the lattice.
pub fn compare_points(random: &mut Random) -> Result<(), String> {
    let Some(placed) = Placed::any(random).filter(|placed| placed.is_exact) else { return Ok(()) };
    for which in [0, 1] {
        let (mesh, pose) = (&placed.meshes[which], &placed.poses[which]);
        let search = EveryTriangle(mesh);
        let body = Body { mesh, pose, search: &search };
        for _ in 0..10 {
            let point: Cell = std::array::from_fn(|_| random.below(24) as i32 - 6);
            let found = solid::contains_point(&body, placed.world.halves(point));
            let want = placed.location(which, point);
            same(found, Ok(want), || format!("{point:?} in body {which} of {}", placed.tell()))?;
        }
    }
    Ok(())
}

/// Segments between points of half a lattice: pieces between planes of the lattice lie in one cell of it each.
pub fn compare_segments(random: &mut Random) -> Result<(), String> {
    let Some(placed) = Placed::any(random).filter(|placed| placed.is_exact) else { return Ok(()) };
    for _ in 0..2 {
        let mut end = || -> Cell { std::array::from_fn(|_| random.below(16) as i32 - 5) };
        let (from, mut to) = (end(), end());
        if random.below(2) == 0 {
            let axis = random.below(3) as usize;
            to[axis] = from[axis];
        }
        let turn = exact_turn(&placed.world, random);
        let ends = [from, to].map(|end| back(&turn, placed.world.halves(end)));
        let (mesh, pose) = (&placed.meshes[0], &placed.poses[0]);
        let search = EveryTriangle(mesh);
        let found = solid::segment_relation(&Body { mesh, pose, search: &search }, ends, &turn);
        let places =
            pieces(from, to).into_iter().map(|(point, parts)| placed.location_of_parts(0, point, parts));
        let places: Vec<PointLocation> = places.collect();
        let want = if places.contains(&PointLocation::Inside) {
            Relation::Overlapping
        } else if places.contains(&PointLocation::Boundary) {
            Relation::Touching
        } else {
            Relation::Disjoint
        };
        // How a segment meets the triangles of a surface depends on how squares are cut.
        let is_same = placed.is_solid(0) || want == Relation::Disjoint || found == Relation::Disjoint;
        if is_same {
            same(found, want, || format!("{from:?} {to:?} in {}", placed.tell()))?;
        }
    }
    Ok(())
}

/// Points of a segment, given in halves: its ends, those in planes of the lattice, and one between each two of them; as
/// multiples of `1 / parts` of a half.
fn pieces(from: Cell, to: Cell) -> Vec<([i64; 3], i64)> {
    let span = (0..3).map(|k| (to[k] - from[k]).unsigned_abs()).product::<u32>();
    let span = i64::from(span).max((0..3).map(|k| i64::from((to[k] - from[k]).abs()).max(1)).product());
    // Times of planes are multiples of `1 / span`, middles of `1 / (2 span)`.
    let parts = 2 * span;
    let at = |time: i64| -> [i64; 3] {
        std::array::from_fn(|k| i64::from(from[k]) * parts + i64::from(to[k] - from[k]) * time)
    };
    let mut marks = BTreeSet::from([0, parts]);
    for k in 0..3 {
        let step = i64::from(to[k] - from[k]);
        for plane in (from[k].min(to[k])..=from[k].max(to[k])).filter(|x| x % 2 == 0 && step != 0) {
            marks.insert(i64::from(plane - from[k]) * parts / step);
        }
    }
    let marks: Vec<i64> = marks.into_iter().collect();
    let middles = marks.windows(2).map(|pair| (pair[0] + pair[1]) / 2);
    marks.iter().copied().chain(middles).map(|time| (at(time), parts)).collect()
}
