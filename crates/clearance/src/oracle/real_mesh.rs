//! Real meshes: robot links and FCL's pair, through their trees and by trying every pair of triangles.
//!
//! The files lie outside the repository; without them there is nothing to compare.

use super::compare::same;
use super::mesh_pair::{self, boxes};
use crate::math::{Pose, Random};
use crate::mesh::{self, MeshCache, TreeMesh};
use crate::pair::Relation;
use crate::shape::sample::random_direction;
use crate::shape::{Mesh, MeshConfig, TriangleSoup};
use crate::solid::{self, Body, Contact, EveryTriangle, MeshRelation};
use crate::triangle;
use glam::{DQuat, DVec3};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Where the files are, if they are there: `CLEARANCE_DATA`, or `shared/data` beside the repository.
pub fn folder() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("CLEARANCE_DATA").map_or_else(beside, PathBuf::from);
    folder.is_dir().then_some(folder)
}

/// The triangles of an OBJ or a binary STL, as plainly as these files allow; the reader for users is `clearance-io`.
pub fn read(path: &Path) -> Option<TriangleSoup> {
    let bytes = std::fs::read(path).ok()?;
    match path.extension()?.eq_ignore_ascii_case("obj") {
        true => obj(std::str::from_utf8(&bytes).ok()?),
        false => binary_stl(&bytes),
    }
}

/// Positions and fans of polygons.
fn obj(text: &str) -> Option<TriangleSoup> {
    let mut soup = TriangleSoup::default();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let mut number = || words.next()?.parse().ok();
                soup.positions.push(DVec3::new(number()?, number()?, number()?));
            }
            Some("f") => {
                let index = |word: &str| word.split('/').next()?.parse::<u32>().ok()?.checked_sub(1);
                let corners: Vec<u32> = words.map(index).collect::<Option<_>>()?;
                soup.triangles
                    .extend(corners.get(1..)?.windows(2).map(|pair| [corners[0], pair[0], pair[1]]));
            }
            _ => {}
        }
    }
    Some(soup)
}

fn binary_stl(bytes: &[u8]) -> Option<TriangleSoup> {
    let mut soup = TriangleSoup::default();
    for (t, record) in bytes.get(84..)?.chunks_exact(50).enumerate() {
        let number = |at: usize| f64::from(f32::from_le_bytes(std::array::from_fn(|k| record[at + k])));
        let corner = |at: usize| DVec3::new(number(at), number(at + 4), number(at + 8));
        soup.positions.extend([12, 24, 36].map(corner));
        soup.triangles.push([0, 1, 2].map(|k| 3 * t as u32 + k));
    }
    Some(soup)
}

/// Bodies that meet each other in a case.
const GROUPS: [&[&str]; 3] = [
    &["fcl/env.obj", "fcl/rob.obj"],
    &[
        "franka_panda/link0.stl",
        "franka_panda/link1.stl",
        "franka_panda/link2.stl",
        "franka_panda/link3.stl",
        "franka_panda/link4.stl",
        "franka_panda/link5.stl",
        "franka_panda/link6.stl",
        "franka_panda/link7.stl",
        "franka_panda/hand.stl",
    ],
    &[
        "ur5/base.stl",
        "ur5/shoulder.stl",
        "ur5/upperarm.stl",
        "ur5/forearm.stl",
        "ur5/wrist1.stl",
        "ur5/wrist2.stl",
        "ur5/wrist3.stl",
    ],
];

/// The groups, read once; `None` without the folder.
///
/// # Panics
/// The folder is there and a file is not, or is no mesh.
fn groups() -> Option<&'static [Vec<TreeMesh>; 3]> {
    static BODIES: OnceLock<Option<[Vec<TreeMesh>; 3]>> = OnceLock::new();
    let load = |folder: &Path, name: &str| {
        let soup = read(&folder.join("meshes").join(name)).unwrap_or_else(|| panic!("{name} is unreadable"));
        let mesh = Mesh::build(&soup, &MeshConfig::default());
        TreeMesh::new(mesh.unwrap_or_else(|error| panic!("{name}: {error}")))
    };
    let all = |folder: PathBuf| GROUPS.map(|names| names.iter().map(|name| load(&folder, name)).collect());
    BODIES.get_or_init(|| folder().map(all)).as_ref()
}

/// How the bodies of a case lie to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    /// As chance has it: often one in the other.
    Anywhere,
    /// Apart, then B moved towards A until this share of the gap is left; below zero they meet a little.
    Near(f64),
}

impl Place {
    fn any(random: &mut Random) -> Place {
        match random.below(8) {
            0 => Place::Anywhere,
            1 => Place::Near(0.0),
            2 => Place::Near(random.range(-1e-15, 1e-15)),
            3 => Place::Near(random.range(0.0, 1.0)),
            _ => Place::Near(random.range(-1.0, 1.0) * 10f64.powf(random.range(-9.0, -1.0))),
        }
    }
}

/// Two bodies of a group under two poses.
struct Scene<'a> {
    a: &'a TreeMesh,
    b: &'a TreeMesh,
    pose_a: Pose,
    pose_b: Pose,
}

impl<'a> Scene<'a> {
    fn any([a, b]: [&'a TreeMesh; 2], place: Place, random: &mut Random) -> Scene<'a> {
        let turned = |random: &mut Random, at: DVec3| {
            let turn = DQuat::from_axis_angle(random_direction(random), random.range(0.0, 3.1));
            Pose::from_quaternion(turn, at).expect("a rotation")
        };
        let bounds = a.mesh().bounds();
        let offset = DVec3::splat([0.0, 1e3][random.below(2) as usize] * bounds.extent().length());
        let within = DVec3::from_array(std::array::from_fn(|k| random.range(bounds.min[k], bounds.max[k])));
        let pose_a = turned(random, offset);
        let mut scene = Scene { a, b, pose_a, pose_b: turned(random, DVec3::ZERO) };
        scene.move_b(scene.pose_a.apply(within) - scene.pose_b.apply(b.mesh().bounds().center()));
        if let Place::Near(rest) = place {
            let step = random_direction(random) * (0.2 * b.mesh().bounds().extent().length());
            while mesh::distance(a, &scene.pose_a, b, &scene.pose_b).upper == 0.0 {
                scene.move_b(step);
            }
            let [point_a, point_b] = mesh::closest_points(a, &scene.pose_a, b, &scene.pose_b);
            scene.move_b((point_a - point_b) * (1.0 - rest));
        }
        scene
    }

    fn move_b(&mut self, by: DVec3) {
        self.pose_b = Pose::from_translation(by).expect("a short way") * self.pose_b;
    }

    fn contacts(&self) -> Vec<Contact> {
        mesh_pair::contacts(self.a.mesh(), &self.pose_a, self.b.mesh(), &self.pose_b)
    }

    fn relation(&self, contacts: &[Contact]) -> MeshRelation {
        let (search_a, search_b) = (EveryTriangle(self.a.mesh()), EveryTriangle(self.b.mesh()));
        let body_a = Body { mesh: self.a.mesh(), pose: &self.pose_a, search: &search_a };
        let body_b = Body { mesh: self.b.mesh(), pose: &self.pose_b, search: &search_b };
        solid::relation(&body_a, &body_b, contacts)
    }

    /// The least bracket over all pairs of triangles; those whose boxes are farther apart are not measured.
    fn distance(&self) -> (f64, f64) {
        let (boxes_a, boxes_b) = (boxes(self.a.mesh(), &self.pose_a), boxes(self.b.mesh(), &self.pose_b));
        let mut least = (f64::INFINITY, f64::INFINITY);
        for (t, box_a) in boxes_a.iter().enumerate() {
            for (u, box_b) in boxes_b.iter().enumerate() {
                let gap = (box_a.min - box_b.max).max(box_b.min - box_a.max).max(DVec3::ZERO).length();
                // A rounded length is off by a few units in the last place.
                if gap * (1.0 - 1e-14) > least.1 {
                    continue;
                }
                let (x, y) = (self.a.mesh().triangle(t), self.b.mesh().triangle(u));
                if let Some(found) = triangle::distance_below(x, &self.pose_a, y, &self.pose_b, least.1) {
                    least = (least.0.min(found.lower), least.1.min(found.upper));
                }
            }
        }
        least
    }

    /// Every query about the pair beside brute force, fresh and with what a cache remembers.
    fn check(&self, cache: &mut MeshCache) -> Result<Relation, String> {
        let Scene { a, b, pose_a, pose_b } = self;
        let all = self.contacts();
        let want = self.relation(&all);
        let meet = want.relation != Relation::Disjoint;
        let tell = || format!("{pose_a:?} {pose_b:?}, {want:?}");
        let holds = |claim: bool, what: &str| if claim { Ok(()) } else { Err(format!("{what}: {}", tell())) };
        same(mesh::collides(a, pose_a, b, pose_b, cache), meet, tell)?;
        same(mesh::relation(a, pose_a, b, pose_b), want, tell)?;
        same(mesh::relation_with(a, pose_a, b, pose_b, cache), want, tell)?;
        holds(mesh::contacts(a, pose_a, b, pose_b) == all, "other contacts")?;
        let (lower, upper) = if meet { (0.0, 0.0) } else { self.distance() };
        for found in [mesh::distance(a, pose_a, b, pose_b), mesh::distance_with(a, pose_a, b, pose_b, cache)]
        {
            holds(found.lower <= upper && lower <= found.upper, &format!("{found:?}, not {lower} {upper}"))?;
            holds(found.upper - found.lower <= 1e-12 * found.upper, &format!("a wide {found:?}"))?;
        }
        for (limit, near) in [(0.0, meet), (lower * (1.0 - 1e-9), meet), (upper * (1.0 + 1e-9), true)] {
            let found = mesh::within_with(a, pose_a, b, pose_b, limit, cache);
            holds(found == near, &format!("within {limit} is {found}"))?;
        }
        let bound = mesh::lower_bound(a, pose_a, b, pose_b, 100, cache);
        holds((0.0..=upper).contains(&bound), &format!("a lower bound of {bound}"))?;
        Ok(want.relation)
    }
}

/// [`answered`] as one of the list of comparisons; nothing without the files.
pub fn compare(random: &mut Random) -> Result<(), String> {
    answered(random).map(drop)
}

/// Two real bodies, mostly near contact: every query agrees with trying every pair of triangles, also with a cache that
/// was used a little to the side and before that about another pair. Their relation; `None` without the files.
pub fn answered(random: &mut Random) -> Result<Option<Relation>, String> {
    let Some(groups) = groups() else { return Ok(None) };
    // FCL's pair in a quarter of all cases.
    let which = [0, 1, 1, 2][random.below(4) as usize];
    let (group, names) = (&groups[which], GROUPS[which]);
    let first = random.below(group.len() as u64) as usize;
    let second = (first + 1 + random.below(group.len() as u64 - 1) as usize) % group.len();
    let mut cache = MeshCache::default();
    let other = Scene::any([&groups[1][0], &groups[1][1]], Place::Anywhere, random);
    mesh::distance_with(other.a, &other.pose_a, other.b, &other.pose_b, &mut cache);
    let place = Place::any(random);
    let mut scene = Scene::any([&group[first], &group[second]], place, random);
    let aside = random_direction(random) * (1e-3 * scene.b.mesh().bounds().extent().length());
    scene.move_b(aside);
    mesh::collides(scene.a, &scene.pose_a, scene.b, &scene.pose_b, &mut cache);
    mesh::within_with(scene.a, &scene.pose_a, scene.b, &scene.pose_b, aside.length(), &mut cache);
    scene.move_b(-aside);
    let named = |what: String| format!("{}, {}, {place:?}: {what}", names[first], names[second]);
    scene.check(&mut cache).map(Some).map_err(named)
}
