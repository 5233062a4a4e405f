//! Published queries of continuous collision detection with exact answers, from files outside the repository.

use super::ccd_cases::{Case, Kind};
use dashu::rational::RBig;
use glam::DVec3;
use std::path::{Path, PathBuf};

/// A query and what is true about it.
pub struct Query {
    /// Where it is from, for messages.
    pub name: String,
    /// The query.
    pub case: Case,
    /// The times between which the first contact is, equal if it is exactly there; `None` if there is none.
    pub truth: Option<[RBig; 2]>,
}

/// All queries below a data folder, in the order of the files' names.
pub fn queries(data: &Path) -> Vec<Query> {
    let mut files: Vec<PathBuf> = Vec::new();
    for family in entries(&data.join("ccd")) {
        for kind in entries(&family) {
            files.extend(entries(&kind).into_iter().filter(|file| !file.to_string_lossy().contains("_toi")));
        }
    }
    files.iter().filter(|file| file.extension().is_some_and(|e| e == "csv")).flat_map(|f| read(f)).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}

/// Eight rows a query; the answers are in the file beside it.
fn read(file: &Path) -> Vec<Query> {
    let text = std::fs::read_to_string(file).expect("a readable file");
    let answers = std::fs::read_to_string(file.to_string_lossy().replace(".csv", "_toi.csv"));
    let answers = answers.expect("a file of answers");
    let kind = match file.to_string_lossy().contains("vertex-face") {
        true => Kind::VertexFace,
        false => Kind::EdgeEdge,
    };
    let rows: Vec<(DVec3, bool)> = text.lines().map(row).collect();
    let mut answers = answers.lines().skip(1);
    let query = |(i, rows): (usize, &[(DVec3, bool)])| {
        let truth = answers.next().map(answer).expect("an answer for each query");
        assert_eq!(truth.is_some(), rows[0].1, "{} {i}: both files agree", file.display());
        let case =
            Case { kind, start: [0, 1, 2, 3].map(|k| rows[k].0), end: [4, 5, 6, 7].map(|k| rows[k].0) };
        Query { name: format!("{} {i}", file.display()), case, truth }
    };
    rows.chunks_exact(8).enumerate().map(query).collect()
}

/// A position, and whether the query collides.
fn row(line: &str) -> (DVec3, bool) {
    // Numerators of up to 53 bits and powers of two: all are floats, and so are the quotients.
    let numbers: Vec<f64> = line.split(',').map(|word| word.trim().parse().expect("a number")).collect();
    let [x, x_den, y, y_den, z, z_den, truth] = numbers[..] else { panic!("seven columns, not {line}") };
    (DVec3::new(x / x_den, y / y_den, z / z_den), truth != 0.0)
}

/// `query, collides, coplanar_forever, toi_num, toi_exact`.
fn answer(line: &str) -> Option<[RBig; 2]> {
    let words: Vec<&str> = line.trim().split(',').collect();
    let [_, collides, _, numerator, is_exact] = words[..] else { panic!("five columns, not {line}") };
    (collides == "1").then(|| {
        let numerator: u64 = numerator.parse().expect("a whole number");
        let upper = if is_exact == "1" { numerator } else { numerator + 1 };
        [numerator, upper].map(|n| RBig::from(n) / RBig::from(1u64 << 60))
    })
}
