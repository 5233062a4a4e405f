//! Rival libraries written in C++ that know meshes, behind shims (`cpp/*_mesh.cpp`) with one list of functions for each
//! of their kinds of trees. `unsafe` as in `rivals.rs`, and nowhere else.
#![allow(unsafe_code)]

use crate::rivals::entries;
use clearance::Pose;
use clearance::shape::TriangleSoup;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::marker::PhantomData;
use std::ptr::NonNull;

/// `MeshRival` of `cpp/mesh_rival.h`.
#[repr(C)]
#[allow(dead_code, reason = "never constructed where no rival is installed")]
pub struct Functions {
    name: *const c_char,
    body: unsafe extern "C" fn(*const f64, usize, *const u32, usize) -> *mut c_void,
    drop_body: unsafe extern "C" fn(*mut c_void),
    pair: unsafe extern "C" fn(*mut c_void, *const f64, *mut c_void, *const f64) -> *mut c_void,
    drop_pair: unsafe extern "C" fn(*mut c_void),
    meets: Option<unsafe extern "C" fn(*mut c_void) -> c_int>,
    within: Option<unsafe extern "C" fn(*mut c_void, f64) -> c_int>,
    distance: Option<unsafe extern "C" fn(*mut c_void) -> f64>,
    contacts: Option<unsafe extern "C" fn(*mut c_void) -> i64>,
}

unsafe extern "C" {
    #[cfg(rival_fcl)]
    fn mesh_rivals_fcl(count: *mut usize) -> *const Functions;
    #[cfg(rival_coal)]
    fn mesh_rivals_coal(count: *mut usize) -> *const Functions;
}

/// Where a library's shim lists its functions.
type Lister = unsafe extern "C" fn(*mut usize) -> *const Functions;

const LIBRARIES: &[Lister] = &[
    #[cfg(rival_coal)]
    mesh_rivals_coal,
    #[cfg(rival_fcl)]
    mesh_rivals_fcl,
];

/// The kinds of trees of all libraries that are installed.
pub fn installed() -> Vec<&'static Functions> {
    let lists = LIBRARIES.iter().flat_map(|lister| {
        let mut count = 0;
        // SAFETY: a shim returns a static array of lists and writes its length.
        unsafe { std::slice::from_raw_parts(lister(&mut count), count) }
    });
    lists.collect()
}

impl Functions {
    /// The name in the tables.
    pub fn name(&self) -> &'static str {
        // SAFETY: a string literal of the shim.
        unsafe { CStr::from_ptr(self.name) }.to_str().unwrap_or("?")
    }

    /// A mesh with its tree; `None`, with a printed line, if the rival refuses it.
    pub fn body(&'static self, soup: &TriangleSoup) -> Option<Body> {
        let points: Vec<f64> = soup.positions.iter().flat_map(|p| p.to_array()).collect();
        let triangles = soup.triangles.as_flattened();
        // SAFETY: the arrays are as long as said and live until the call returns; the shim copies them.
        let raw = unsafe {
            (self.body)(points.as_ptr(), soup.positions.len(), triangles.as_ptr(), soup.triangles.len())
        };
        if raw.is_null() {
            eprintln!("skipped: {} refuses a mesh", self.name());
        }
        NonNull::new(raw).map(|raw| Body { functions: self, raw })
    }
}

/// A mesh in the form of a rival.
pub struct Body {
    functions: &'static Functions,
    raw: NonNull<c_void>,
}

impl Body {
    /// This body and another one of the same rival, where they are.
    pub fn with<'a>(&'a self, pose_a: &Pose, other: &'a Body, pose_b: &Pose) -> Pair<'a> {
        assert!(std::ptr::eq(self.functions, other.functions), "the body of another rival");
        let (a, b) = (entries(pose_a), entries(pose_b));
        // SAFETY: both bodies were made by the rival and outlive the pair; poses have twelve entries.
        let raw =
            unsafe { (self.functions.pair)(self.raw.as_ptr(), a.as_ptr(), other.raw.as_ptr(), b.as_ptr()) };
        Pair { functions: self.functions, raw: NonNull::new(raw).expect("a pair"), bodies: PhantomData }
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        // SAFETY: made by `body`, dropped once; pairs borrow it and are gone.
        unsafe { (self.functions.drop_body)(self.raw.as_ptr()) }
    }
}

/// Two bodies of a rival, where they are. Answers are numbers: one for yes, zero for no; `None` if the rival has no such
/// question or no answer.
pub struct Pair<'a> {
    functions: &'static Functions,
    raw: NonNull<c_void>,
    bodies: PhantomData<&'a Body>,
}

impl Pair<'_> {
    /// Whether triangles meet.
    pub fn meets(&self) -> Option<f64> {
        // SAFETY: the pair was made by the rival and is alive; so in all that follow.
        self.functions.meets.map(|ask| unsafe { ask(self.raw.as_ptr()) }).and_then(count)
    }

    /// Whether triangles are at most so far apart.
    pub fn within(&self, distance: f64) -> Option<f64> {
        // SAFETY: as above.
        self.functions.within.map(|ask| unsafe { ask(self.raw.as_ptr(), distance) }).and_then(count)
    }

    /// How far apart the triangles are, zero if they meet.
    pub fn distance(&self) -> Option<f64> {
        // SAFETY: as above.
        let found = self.functions.distance.map(|ask| unsafe { ask(self.raw.as_ptr()) });
        found.filter(|distance| !distance.is_nan()).map(|distance| distance.max(0.0))
    }

    /// How many pairs of triangles meet.
    pub fn contacts(&self) -> Option<f64> {
        // SAFETY: as above.
        let found = self.functions.contacts.map(|ask| unsafe { ask(self.raw.as_ptr()) });
        found.filter(|count| *count >= 0).map(|count| count as f64)
    }
}

impl Drop for Pair<'_> {
    fn drop(&mut self) {
        // SAFETY: made by `pair`, dropped once.
        unsafe { (self.functions.drop_pair)(self.raw.as_ptr()) }
    }
}

fn count(code: c_int) -> Option<f64> {
    (code >= 0).then_some(f64::from(code))
}
