//! Pairs of meshes: do they meet, are they near, how far apart are they, where do they meet; beside parry3d-f64 and, with
//! the feature `rivals-cpp`, coal and FCL.

mod build;
mod coherent;
mod cold;
mod growth;
mod proof;
mod query;
mod scene;
pub mod trees;

use crate::table::Table;
pub use scene::Bodies;

pub fn run() -> Vec<Table> {
    let pairs = Bodies::all();
    let mut tables = vec![cold::table(&pairs)];
    tables.extend(coherent::tables(&pairs));
    tables.extend(proof::tables(&pairs));
    tables.push(build::table(&pairs));
    tables.push(growth::table());
    tables
}
