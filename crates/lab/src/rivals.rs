//! Rival libraries written in C++, behind shims (`cpp/`) with one list of functions each. All `unsafe` of the lab is
//! here, in `mesh_rivals.rs`, in `broad_cpp.rs` and in `world_cpp.rs`.
#![allow(unsafe_code)]

use clearance::Pose;
use clearance::support::SupportMap;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::marker::PhantomData;
use std::ptr::NonNull;

/// `RivalBody` of `cpp/rival.h`.
#[repr(C)]
pub struct RawBody {
    points: *const f64,
    point_count: usize,
    starts: *const u32,
    neighbours: *const u32,
    triangles: *const u32,
    triangle_count: usize,
}

/// `Rival` of `cpp/rival.h`.
#[repr(C)]
#[allow(dead_code, reason = "never constructed where no rival is installed")]
struct Functions {
    name: *const c_char,
    world: unsafe extern "C" fn(*const RawBody, usize) -> *mut c_void,
    drop_world: unsafe extern "C" fn(*mut c_void),
    pair: unsafe extern "C" fn(*mut c_void, usize, *const f64, usize, *const f64) -> *mut c_void,
    drop_pair: unsafe extern "C" fn(*mut c_void),
    meets: Option<unsafe extern "C" fn(*mut c_void) -> c_int>,
    meets_again: Option<unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int>,
    memory: Option<unsafe extern "C" fn() -> *mut c_void>,
    drop_memory: Option<unsafe extern "C" fn(*mut c_void)>,
    distance: Option<unsafe extern "C" fn(*mut c_void) -> f64>,
    depth: Option<unsafe extern "C" fn(*mut c_void) -> f64>,
}

unsafe extern "C" {
    #[cfg(rival_ccd)]
    fn rivals_ccd(count: *mut usize) -> *const Functions;
    #[cfg(rival_fcl)]
    fn rivals_fcl(count: *mut usize) -> *const Functions;
    #[cfg(rival_coal)]
    fn rivals_coal(count: *mut usize) -> *const Functions;
    #[cfg(rival_mujoco)]
    fn rivals_mujoco(count: *mut usize) -> *const Functions;
    #[cfg(rival_bullet)]
    fn rivals_bullet(count: *mut usize) -> *const Functions;
    #[cfg(rival_jolt)]
    fn rivals_jolt(count: *mut usize) -> *const Functions;
}

/// Where a library's shim lists its functions.
type Lister = unsafe extern "C" fn(*mut usize) -> *const Functions;

/// All libraries there are shims for; `None` for those that are not installed.
const LIBRARIES: &[(&str, Option<Lister>)] = &[
    #[cfg(rival_ccd)]
    ("libccd", Some(rivals_ccd)),
    #[cfg(not(rival_ccd))]
    ("libccd", None),
    #[cfg(rival_fcl)]
    ("FCL", Some(rivals_fcl)),
    #[cfg(not(rival_fcl))]
    ("FCL", None),
    #[cfg(rival_coal)]
    ("coal", Some(rivals_coal)),
    #[cfg(not(rival_coal))]
    ("coal", None),
    #[cfg(rival_mujoco)]
    ("MuJoCo", Some(rivals_mujoco)),
    #[cfg(not(rival_mujoco))]
    ("MuJoCo", None),
    #[cfg(rival_bullet)]
    ("Bullet", Some(rivals_bullet)),
    #[cfg(not(rival_bullet))]
    ("Bullet", None),
    #[cfg(rival_jolt)]
    ("Jolt", Some(rivals_jolt)),
    #[cfg(not(rival_jolt))]
    ("Jolt", None),
];

/// Says which libraries are left out, if they were asked for.
pub fn report_missing() {
    let missing = LIBRARIES.iter().filter(|(_, lister)| cfg!(feature = "rivals-cpp") && lister.is_none());
    for (name, _) in missing {
        eprintln!("skipped: {name} is not installed; `cargo xtask rivals` installs it");
    }
}

fn installed() -> impl Iterator<Item = &'static Functions> {
    LIBRARIES.iter().filter_map(|(_, lister)| *lister).flat_map(|lister| {
        let mut count = 0;
        // SAFETY: a shim returns a static array of lists and writes its length.
        unsafe { std::slice::from_raw_parts(lister(&mut count), count) }
    })
}

/// Bodies in the form of each rival; rivals that refuse them are missing, with a printed line.
pub struct Worlds(Vec<World>);

struct World {
    functions: &'static Functions,
    raw: NonNull<c_void>,
}

/// Two bodies of a world, by index, and where they are.
pub struct Placed {
    pub bodies: (usize, usize),
    pub poses: [Pose; 2],
}

impl Worlds {
    /// Copies the bodies into every rival that is installed.
    pub fn new<'a>(bodies: impl IntoIterator<Item = &'a SupportMap>) -> Worlds {
        let bodies: Vec<Body> = bodies.into_iter().map(Body::new).collect();
        let raw: Vec<RawBody> = bodies.iter().map(Body::raw).collect();
        let worlds = installed().filter_map(|functions| {
            // SAFETY: the arrays live until the call returns, and the shim copies them.
            let world = NonNull::new(unsafe { (functions.world)(raw.as_ptr(), raw.len()) });
            if world.is_none() {
                eprintln!("skipped: {} refuses the bodies", name(functions));
            }
            world.map(|raw| World { functions, raw })
        });
        Worlds(worlds.collect())
    }

    /// The pairs in the form of each rival, in the order of the rivals.
    pub fn stages(&self, pairs: &[Placed]) -> Vec<Stage<'_>> {
        self.0.iter().map(|world| world.stage(pairs)).collect()
    }
}

impl World {
    fn stage(&self, pairs: &[Placed]) -> Stage<'_> {
        let pair = |placed: &Placed| {
            let [a, b] = placed.poses.each_ref().map(entries);
            // SAFETY: the world is alive, the indices are those of its bodies, poses have twelve entries.
            let raw = unsafe {
                (self.functions.pair)(
                    self.raw.as_ptr(),
                    placed.bodies.0,
                    a.as_ptr(),
                    placed.bodies.1,
                    b.as_ptr(),
                )
            };
            NonNull::new(raw).expect("a pair")
        };
        Stage { functions: self.functions, pairs: pairs.iter().map(pair).collect(), world: PhantomData }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // SAFETY: made by `world`, dropped once; stages borrow it and are gone.
        unsafe { (self.functions.drop_world)(self.raw.as_ptr()) }
    }
}

/// Pairs that one rival can be asked about.
pub struct Stage<'w> {
    functions: &'static Functions,
    pairs: Vec<NonNull<c_void>>,
    world: PhantomData<&'w World>,
}

/// What a rival keeps of the frame before.
pub struct Memory {
    functions: &'static Functions,
    raw: NonNull<c_void>,
}

impl Stage<'_> {
    /// The name in the tables.
    pub fn name(&self) -> &'static str {
        name(self.functions)
    }

    /// Whether the bodies of a pair meet; `None` if the rival gives no answer or cannot be asked.
    pub fn meets(&self, pair: usize) -> Option<bool> {
        // SAFETY: the pair was made by the same rival and lives as long as `self`.
        self.functions.meets.map(|ask| unsafe { ask(self.pairs[pair].as_ptr()) }).and_then(answer)
    }

    /// The same with a memory of this rival, `None` also if it keeps none.
    pub fn meets_again(&self, pair: usize, memory: &mut Memory) -> Option<bool> {
        assert!(std::ptr::eq(self.functions, memory.functions), "the memory of another rival");
        let ask = self.functions.meets_again?;
        // SAFETY: pair and memory were made by the same rival and live as long as their owners.
        answer(unsafe { ask(self.pairs[pair].as_ptr(), memory.raw.as_ptr()) })
    }

    /// An empty memory; `None` if the rival keeps nothing.
    pub fn memory(&self) -> Option<Memory> {
        // SAFETY: takes nothing, returns an object of its own or null.
        let raw = NonNull::new(unsafe { self.functions.memory?() })?;
        Some(Memory { functions: self.functions, raw })
    }

    /// How far apart disjoint bodies are, not a number if the rival has no answer; `None` if it cannot be asked.
    pub fn distance(&self, pair: usize) -> Option<f64> {
        // SAFETY: the pair was made by the same rival and lives as long as `self`.
        self.functions.distance.map(|ask| unsafe { ask(self.pairs[pair].as_ptr()) })
    }

    /// How deep overlapping bodies overlap, not a number if the rival has no answer; `None` if it cannot be asked.
    pub fn depth(&self, pair: usize) -> Option<f64> {
        // SAFETY: the pair was made by the same rival and lives as long as `self`.
        self.functions.depth.map(|ask| unsafe { ask(self.pairs[pair].as_ptr()) })
    }
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        for pair in &self.pairs {
            // SAFETY: made by `pair`, dropped once.
            unsafe { (self.functions.drop_pair)(pair.as_ptr()) }
        }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Some(drop_memory) = self.functions.drop_memory {
            // SAFETY: made by `memory`, dropped once.
            unsafe { drop_memory(self.raw.as_ptr()) }
        }
    }
}

fn answer(code: c_int) -> Option<bool> {
    (code >= 0).then_some(code != 0)
}

fn name(functions: &'static Functions) -> &'static str {
    // SAFETY: a string literal of the shim.
    unsafe { CStr::from_ptr(functions.name) }.to_str().unwrap_or("?")
}

/// A pose as the shims take it: rotation by rows, then translation.
pub fn entries(pose: &Pose) -> [f64; 12] {
    let (rows, t) = (pose.rotation().transpose().to_cols_array(), pose.translation());
    std::array::from_fn(|i| if i < 9 { rows[i] } else { t[i - 9] })
}

/// A body as flat arrays.
pub struct Body {
    points: Vec<f64>,
    starts: Vec<u32>,
    neighbours: Vec<u32>,
    triangles: Vec<u32>,
}

impl Body {
    pub fn new(map: &SupportMap) -> Body {
        let polytope = map.polytope();
        let (mut starts, mut neighbours) = (vec![0], Vec::new());
        for vertex in 0..polytope.vertices().len() {
            neighbours.extend_from_slice(polytope.neighbours(vertex));
            starts.push(neighbours.len() as u32);
        }
        Body {
            points: polytope.vertices().iter().flat_map(|v| v.to_array()).collect(),
            starts,
            neighbours,
            triangles: polytope.to_soup().triangles.concat(),
        }
    }

    /// Points to the arrays: alive as long as they are.
    pub fn raw(&self) -> RawBody {
        RawBody {
            points: self.points.as_ptr(),
            point_count: self.points.len() / 3,
            starts: self.starts.as_ptr(),
            neighbours: self.neighbours.as_ptr(),
            triangles: self.triangles.as_ptr(),
            triangle_count: self.triangles.len() / 3,
        }
    }
}
