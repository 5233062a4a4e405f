//! Whole steps in C++ libraries, behind shims (`cpp/world.h`).
#![allow(unsafe_code)]

use crate::rivals::{Body, RawBody, entries};
use crate::world_rivals::{Found, Place, Step};
use clearance::support::SupportMap;
use clearance::{Aabb, Pose};
use std::ffi::{CStr, c_char, c_void};
use std::ptr::NonNull;

/// `WorldFound` of `cpp/world.h`.
#[repr(C)]
struct RawFound {
    pairs: usize,
    meeting: usize,
    contacts: usize,
}

/// `WorldRival` of `cpp/world.h`.
#[repr(C)]
#[allow(dead_code, reason = "never constructed where no rival is installed")]
struct Functions {
    name: *const c_char,
    world: unsafe extern "C" fn(*const RawBody, usize, *const f64, usize) -> *mut c_void,
    drop_world: unsafe extern "C" fn(*mut c_void),
    step: unsafe extern "C" fn(*mut c_void, *const f64) -> RawFound,
}

unsafe extern "C" {
    #[cfg(rival_bullet)]
    fn world_rivals_bullet(count: *mut usize) -> *const Functions;
    #[cfg(rival_fcl)]
    fn world_rivals_fcl(count: *mut usize) -> *const Functions;
    #[cfg(rival_coal)]
    fn world_rivals_coal(count: *mut usize) -> *const Functions;
}

/// Where a library's shim lists its functions.
type Lister = unsafe extern "C" fn(*mut usize) -> *const Functions;

const LIBRARIES: &[Lister] = &[
    #[cfg(rival_bullet)]
    world_rivals_bullet,
    #[cfg(rival_fcl)]
    world_rivals_fcl,
    #[cfg(rival_coal)]
    world_rivals_coal,
];

/// A world of one library.
pub struct World {
    functions: &'static Functions,
    raw: NonNull<c_void>,
    bodies: usize,
    poses: Vec<f64>,
}

// SAFETY: a world owns all it points to, and is used by one thread at a time.
unsafe impl Send for World {}

/// Worlds of all libraries that are installed, with their names. Body `i` has shape `i` modulo their number.
pub fn worlds(shapes: &[SupportMap], places: &[Place]) -> Vec<(&'static str, World)> {
    let lists = LIBRARIES.iter().flat_map(|lister| {
        let mut count = 0;
        // SAFETY: a shim returns a static array of lists and writes its length.
        unsafe { std::slice::from_raw_parts(lister(&mut count), count) }
    });
    let shapes: Vec<Body> = shapes.iter().map(Body::new).collect();
    let raw: Vec<RawBody> = shapes.iter().map(Body::raw).collect();
    let poses = flat(places);
    let made = lists.filter_map(|functions| {
        // SAFETY: a string literal of the shim.
        let name = unsafe { CStr::from_ptr(functions.name) }.to_str().unwrap_or("?");
        // SAFETY: the arrays live until the call returns, and the shim copies them.
        let world = unsafe { (functions.world)(raw.as_ptr(), raw.len(), poses.as_ptr(), places.len()) };
        let Some(raw) = NonNull::new(world) else {
            eprintln!("skipped: {name} refuses the bodies");
            return None;
        };
        Some((name, World { functions, raw, bodies: places.len(), poses: Vec::new() }))
    });
    made.collect()
}

fn flat(places: &[Place]) -> Vec<f64> {
    let pose = |place: &Place| Pose::from_quaternion(place.0, place.1).expect("a unit quaternion");
    places.iter().flat_map(|place| entries(&pose(place))).collect()
}

impl Step for World {
    fn prepare(&mut self, places: &[Place]) {
        self.poses = flat(places);
    }

    fn step(&mut self, _: &(dyn Fn(usize) -> Aabb + Sync)) -> Found {
        assert_eq!(self.poses.len(), 12 * self.bodies, "prepared for other bodies");
        // SAFETY: the world is alive, and `prepare` wrote twelve numbers for each of its bodies.
        let found = unsafe { (self.functions.step)(self.raw.as_ptr(), self.poses.as_ptr()) };
        std::hint::black_box(found.contacts);
        Found { pairs: found.pairs, meeting: found.meeting, began: 0 }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // SAFETY: made by `world`, dropped once.
        unsafe { (self.functions.drop_world)(self.raw.as_ptr()) }
    }
}
