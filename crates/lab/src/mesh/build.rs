//! From triangles to something that answers, beside rivals.

use super::scene::{Bodies, Body, parry_mesh};
use crate::measure::{human, least_times};
use crate::mesh_rivals;
use crate::table::Table;
use clearance::tree::Tree;
use std::hint::black_box;
use std::time::Duration;

pub fn table(pairs: &[Bodies]) -> Table {
    let head = ["mesh", "triangles", "Tree::build", "from bytes", "refit", "TriMesh::new"];
    let rivals = mesh_rivals::installed().into_iter().map(|rival| rival.name());
    let tail = ["fastest / build", "bytes each", "stored bytes each"];
    let columns = head.into_iter().chain(rivals).chain(tail).map(String::from).collect();
    let mut table =
        Table::with_columns("Building trees (ours on all threads), beside parry and others", columns);
    let large = Bodies::torus_and_ball(512, 320, 128);
    for bodies in pairs.iter().chain([&large]) {
        for (which, body) in [&bodies.a, &bodies.b].into_iter().enumerate() {
            let name = bodies.name.split([':', ',']).nth(which).unwrap_or("?").trim();
            table.row(row(name, body));
        }
    }
    table
}

fn row(name: &str, body: &Body) -> Vec<String> {
    let (mesh, tree) = (body.mesh.mesh(), body.mesh.tree());
    let (count, bytes) = (mesh.triangles().len(), tree.to_bytes());
    let rounds = if count < 100_000 { 15 } else { 4 };
    let mut refitted = tree.clone();
    let [build, load, refit, parry] = least_times(
        rounds,
        [
            &mut || drop(black_box(Tree::build(mesh))),
            &mut || drop(black_box(Tree::from_bytes(&bytes, mesh).expect("just stored"))),
            &mut || refitted.refit(mesh).expect("the same mesh"),
            &mut || drop(black_box(parry_mesh(&body.soup))),
        ],
    );
    let rivals: Vec<Duration> = mesh_rivals::installed()
        .into_iter()
        .map(|rival| least_times(2, [&mut || drop(black_box(rival.body(&body.soup)))])[0])
        .collect();
    let fastest = rivals.iter().copied().fold(parry, Duration::min);
    let ours = [name.into(), count.to_string(), human(build), human(load), human(refit), human(parry)];
    let tail = [
        format!("{:.1}", fastest.as_secs_f64() / build.as_secs_f64()),
        format!("{:.1}", tree.bytes() as f64 / count as f64),
        format!("{:.1}", bytes.len() as f64 / count as f64),
    ];
    ours.into_iter().chain(rivals.into_iter().map(human)).chain(tail).collect()
}
