//! Parts of an assembly: everything that was named, read and placed, with an id each.

use super::model::Skipped;
use crate::{args::ReadArguments, output::Failure};
use clearance::{Pose, body::Body};
use clearance_io::{LengthUnit, scene::IgnoredPairs, scene::Motion};
use std::{path::PathBuf, sync::Arc};

/// All parts to be checked.
#[derive(Debug)]
pub struct Assembly {
    /// For people: the name of the scene, folder or first file.
    pub title: String,
    /// The unit of all lengths; all files are brought to it.
    pub unit: Option<LengthUnit>,
    /// In the order in which they were read; folders in the order of their names.
    pub parts: Vec<AssembledPart>,
    /// Pairs that a scene asks to leave alone.
    pub ignored: IgnoredPairs,
    /// Files that could not be read, with --keep-going.
    pub skipped: Vec<Skipped>,
}

/// One placed part.
#[derive(Clone, Debug)]
pub struct AssembledPart {
    /// Names it in every run: the file's stem and the part's name, with a number if that occurs again.
    pub id: String,
    /// Its name in the file.
    pub name: String,
    /// The file as it was named.
    pub file: String,
    /// Its group in the scene, if any; rules may put it into another.
    pub group: Option<String>,
    /// Shared by all placements of one geometry.
    pub body: Arc<Body>,
    /// Where it is; at the start, if it moves.
    pub pose: Pose,
    /// How it moves, if it does.
    pub motion: Option<Motion>,
    /// What was repaired or skipped while it was read.
    pub notes: Vec<String>,
}

/// Reads files, folders (every mesh file in them, by name) and scenes.
pub fn load(inputs: &[PathBuf], read: &ReadArguments, keep_going: bool) -> Result<Assembly, Failure> {
    let _ = (inputs, read, keep_going);
    todo!("owned by clash-core")
}
