//! Managers of many bodies in C++ libraries, behind shims (`cpp/broad.h`).
#![allow(unsafe_code)]

use crate::broad_rivals::Search;
use clearance::Aabb;
use clearance::broad::IdPair;
use std::ffi::{CStr, c_char, c_void};
use std::ptr::NonNull;

/// `BroadRival` of `cpp/broad.h`.
#[repr(C)]
#[allow(dead_code, reason = "never constructed where no rival is installed")]
struct Functions {
    name: *const c_char,
    manager: unsafe extern "C" fn(*const f64, usize) -> *mut c_void,
    drop_manager: unsafe extern "C" fn(*mut c_void),
    frame: unsafe extern "C" fn(*mut c_void, *const f64, *mut usize) -> *const u64,
}

unsafe extern "C" {
    #[cfg(rival_bullet)]
    fn broad_rivals_bullet(count: *mut usize) -> *const Functions;
    #[cfg(rival_fcl)]
    fn broad_rivals_fcl(count: *mut usize) -> *const Functions;
    #[cfg(rival_coal)]
    fn broad_rivals_coal(count: *mut usize) -> *const Functions;
}

/// Where a library's shim lists its functions.
type Lister = unsafe extern "C" fn(*mut usize) -> *const Functions;

const LIBRARIES: &[Lister] = &[
    #[cfg(rival_bullet)]
    broad_rivals_bullet,
    #[cfg(rival_fcl)]
    broad_rivals_fcl,
    #[cfg(rival_coal)]
    broad_rivals_coal,
];

/// A manager of one library.
pub struct Manager {
    functions: &'static Functions,
    raw: NonNull<c_void>,
    boxes: Vec<f64>,
}

// SAFETY: a manager owns all it points to, and is used by one thread at a time.
unsafe impl Send for Manager {}

/// All managers that are installed, with their names, over the boxes.
pub fn managers(bounds: &[Aabb]) -> Vec<(&'static str, Manager)> {
    let lists = LIBRARIES.iter().flat_map(|lister| {
        let mut count = 0;
        // SAFETY: a shim returns a static array of lists and writes its length.
        unsafe { std::slice::from_raw_parts(lister(&mut count), count) }
    });
    let boxes = flat(bounds);
    let made = lists.filter_map(|functions| {
        // SAFETY: a string literal of the shim.
        let name = unsafe { CStr::from_ptr(functions.name) }.to_str().unwrap_or("?");
        // SAFETY: six numbers for each of so many boxes, which the shim copies.
        let raw = NonNull::new(unsafe { (functions.manager)(boxes.as_ptr(), bounds.len()) })?;
        Some((name, Manager { functions, raw, boxes: Vec::new() }))
    });
    made.collect()
}

fn flat(bounds: &[Aabb]) -> Vec<f64> {
    bounds.iter().flat_map(|bound| bound.min.to_array().into_iter().chain(bound.max.to_array())).collect()
}

impl Search for Manager {
    fn prepare(&mut self, bounds: &[Aabb]) {
        self.boxes = flat(bounds);
    }

    fn frame(&mut self, bounds: &[Aabb], pairs: &mut Vec<IdPair>) {
        assert_eq!(self.boxes.len(), 6 * bounds.len(), "prepared for other boxes");
        let mut count = 0;
        // SAFETY: the manager is alive and has as many boxes as it was made with; `prepare` wrote them all.
        let found = unsafe { (self.functions.frame)(self.raw.as_ptr(), self.boxes.as_ptr(), &mut count) };
        pairs.clear();
        if !found.is_null() {
            // SAFETY: that many pairs, alive until the next call.
            let found = unsafe { std::slice::from_raw_parts(found, count) };
            pairs.extend(found.iter().map(|&key| IdPair::new((key >> 32) as u32, key as u32)));
        }
    }

    fn bytes(&self) -> usize {
        0
    }
}

impl Drop for Manager {
    fn drop(&mut self) {
        // SAFETY: made by `manager`, dropped once.
        unsafe { (self.functions.drop_manager)(self.raw.as_ptr()) }
    }
}
