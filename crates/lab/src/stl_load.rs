//! Loading mesh files beside the least that any loader does: read the bytes and weld corners in a hash map.

use crate::measure::{human, least_times};
use crate::table::Table;
use clearance::glam::DVec3;
use clearance::shape::{Mesh, MeshConfig, TriangleSoup};
use clearance_io::{Document, Encoding, ReadOptions, read, write_encoded};
use std::collections::HashMap;
use std::hint::black_box;
use std::path::{Path, PathBuf};

/// Rows and columns of the sample grid on a sphere: two triangles a cell.
const ROWS: u32 = 500;
const COLUMNS: u32 = 1000;
const ROUNDS: usize = 3;

/// One table: time of the baseline on the binary STL, and of each format as a multiple of it.
pub fn run() -> Vec<Table> {
    let folder = std::env::temp_dir().join(format!("clearance-lab-{}", std::process::id()));
    let tables = std::fs::create_dir_all(&folder).map(|()| vec![compare(&folder)]);
    let _ = std::fs::remove_dir_all(&folder);
    tables.unwrap_or_else(|error| panic!("no folder for sample files: {error}"))
}

fn compare(folder: &Path) -> Table {
    let document = Document::from_soup("sphere", sphere());
    let triangles = document.placed_triangle_count();
    let title =
        format!("Loading {triangles} triangles (least of {ROUNDS}); goal for the binary STL: at most 3");
    let mut table =
        Table::new(&title, &["file", "MiB", "what", "time", "ratio to welding the STL by HashMap"]);
    let stl = save(folder, "sphere.stl", &document, Encoding::Binary);
    let files = [
        stl.clone(),
        save(folder, "text.stl", &document, Encoding::Text),
        save(folder, "sphere.obj", &document, Encoding::Text),
        save(folder, "sphere.ply", &document, Encoding::Binary),
        save(folder, "text.ply", &document, Encoding::Text),
        save(folder, "sphere.glb", &document, Encoding::Binary),
    ];
    for file in &files {
        let [baseline, soup, mesh] = least_times(
            ROUNDS,
            [
                &mut || drop(black_box(weld_with_hash_map(&stl))),
                &mut || drop(black_box(load(file))),
                &mut || drop(black_box(build(file))),
            ],
        );
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let size = std::fs::metadata(file).map_or(0, |metadata| metadata.len());
        let rows =
            [("read + HashMap of the STL", baseline), ("to a soup", soup), ("to a checked mesh", mesh)];
        for (what, time) in rows {
            let ratio = time.as_secs_f64() / baseline.as_secs_f64();
            let size = format!("{:.1}", size as f64 / f64::from(1 << 20));
            table.row([name.clone(), size, what.into(), human(time), format!("{ratio:.2}")]);
        }
    }
    table
}

fn save(folder: &Path, name: &str, document: &Document, encoding: Encoding) -> PathBuf {
    let path = folder.join(name);
    write_encoded(&path, document, encoding).unwrap_or_else(|error| panic!("{error}"));
    path
}

fn load(path: &Path) -> Document {
    read(path, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn build(path: &Path) -> Mesh {
    let document = load(path);
    Mesh::build(&document.geometries[0].soup, &MeshConfig::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The baseline: no check of anything, positions as bits of `f32`.
fn weld_with_hash_map(path: &Path) -> (Vec<[u32; 3]>, Vec<[u32; 3]>) {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{error}"));
    let mut places: HashMap<[u32; 3], u32> = HashMap::new();
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for record in bytes[84..].chunks_exact(50) {
        let corner = |at: usize| {
            let word =
                |at: usize| u32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]]);
            [word(at), word(at + 4), word(at + 8)]
        };
        triangles.push([12, 24, 36].map(|at| {
            *places.entry(corner(at)).or_insert_with_key(|bits| {
                positions.push(*bits);
                positions.len() as u32 - 1
            })
        }));
    }
    (positions, triangles)
}

/// A closed sphere with irregular coordinates, like a scanned or machined part; positions in `f32`, since
/// that is what STL holds.
fn sphere() -> TriangleSoup {
    let ring = |row: u32, column: u32| {
        let (v, u) = (f64::from(row) / f64::from(ROWS), f64::from(column % COLUMNS) / f64::from(COLUMNS));
        let (polar, azimuth) = (v * std::f64::consts::PI, u * std::f64::consts::TAU);
        let point = DVec3::new(polar.sin() * azimuth.cos(), polar.sin() * azimuth.sin(), polar.cos());
        (point * 123.456).as_vec3().as_dvec3()
    };
    let mut positions = vec![ring(0, 0)];
    positions.extend((1..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| ring(row, column))));
    positions.push(ring(ROWS, 0));
    let last = positions.len() as u32 - 1;
    let index = |row: u32, column: u32| match row {
        0 => 0,
        ROWS => last,
        _ => 1 + (row - 1) * COLUMNS + column % COLUMNS,
    };
    let mut triangles = Vec::new();
    for (row, column) in (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (row, column))) {
        let [a, b] = [index(row, column), index(row, column + 1)];
        let [c, d] = [index(row + 1, column), index(row + 1, column + 1)];
        triangles.extend(
            [[a, c, b], [b, c, d]].into_iter().filter(|t| t[0] != t[1] && t[1] != t[2] && t[2] != t[0]),
        );
    }
    TriangleSoup { positions, triangles, parts: Vec::new() }
}
