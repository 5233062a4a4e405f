//! Assemblies of many placed parts, checked end to end: the `clearance` command runs on generated files.
//!
//! Parts stand on a grid and touch those beside, above and below them by flat pads or by points, exactly; one place in
//! seven is empty, so that a part touches five others on average. Every fiftieth part is pushed a little, into one
//! neighbour and away from another.

use crate::measure::{human, numbers_of_bodies};
use crate::table::Table;
use clearance::glam::DVec3;
use clearance::math::Random;
use clearance::shape::{Polytope, TriangleSoup};
use clearance_io::{Document, write};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Different geometries; each is placed again and again.
const GEOMETRIES: usize = 40;
/// Half the width of a pad, of parts that are one wide.
const PAD: f64 = 0.125;
/// How far some parts are pushed.
const PUSH: f64 = 1.0 / 1024.0;

/// One table; a row for each number of parts.
pub fn run() -> Vec<Table> {
    let folder = std::env::temp_dir().join(format!("clearance-assembly-{}", std::process::id()));
    let tables = std::fs::create_dir_all(&folder).map(|()| vec![check(&folder)]);
    let _ = std::fs::remove_dir_all(&folder);
    tables.unwrap_or_else(|error| panic!("no folder for sample files: {error}"))
}

fn check(folder: &Path) -> Table {
    let columns = [
        "parts",
        "triangles",
        "candidates",
        "touching",
        "overlapping",
        "too close",
        "scene",
        "total",
        "reading",
        "broad phase",
        "looks",
        "broad share",
        "peak MB",
        "MB said before",
    ];
    let title = "Assemblies checked by `clearance clash` with two threads; goal for 100,000 parts: at most 10 minutes and 8 GB";
    let mut table = Table::new(title, &columns);
    let binary = binary();
    let triangles = write_geometries(folder);
    for parts in numbers_of_bodies(&[1_000, 10_000, 100_000]) {
        let placed = write_scene(folder, parts, &triangles);
        let size = std::fs::metadata(folder.join("scene.json")).map_or(0, |metadata| metadata.len());
        let said = said_before(&binary, folder);
        let run = run_clash(&binary, folder);
        let reading = run.total.saturating_sub(run.broad + run.looks);
        let share = run.broad.as_secs_f64() / run.total.as_secs_f64();
        let [_, _, overlapping, shallow, touching, close, _] = run.verdicts;
        table.row([
            parts.to_string(),
            placed.to_string(),
            run.candidates.to_string(),
            touching.to_string(),
            format!("{overlapping} + {shallow} shallow"),
            close.to_string(),
            format!("{:.1} MB", size as f64 / 1e6),
            human(run.total),
            human(reading),
            human(run.broad),
            human(run.looks),
            format!("{:.1} %", 100.0 * share),
            format!("{:.0}", run.peak as f64 / 1e6),
            said,
        ]);
    }
    table
}

/// The command, built as users build it.
fn binary() -> PathBuf {
    if let Some(binary) = std::env::var_os("CLEARANCE_BINARY") {
        return binary.into();
    }
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--quiet", "--package", "clearance-cli"])
        .status();
    assert!(status.is_ok_and(|status| status.success()), "the command was not built");
    let own = std::env::current_exe().unwrap_or_else(|error| panic!("{error}"));
    let target = own.ancestors().nth(2).unwrap_or(&own);
    target.join("release").join("clearance")
}

/// What a run told.
struct Run {
    total: Duration,
    broad: Duration,
    looks: Duration,
    candidates: u64,
    verdicts: [u64; 7],
    /// Bytes.
    peak: u64,
}

fn run_clash(binary: &Path, folder: &Path) -> Run {
    let start = Instant::now();
    let mut child = Command::new(binary)
        .args([
            "clash",
            "scene.json",
            "--unit",
            "mm",
            "--clearance",
            "0.002",
            "--tolerance",
            "0.0005",
            "--threads",
            "2",
        ])
        .args(["--format", "none", "--fail-on", "none"])
        .env("CLEARANCE_TIMES", "1")
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{}: {error}", binary.display()));
    let mut peak = 0;
    while child.try_wait().unwrap_or_else(|error| panic!("{error}")).is_none() {
        peak = peak.max(peak_of(child.id()));
        std::thread::sleep(Duration::from_millis(5));
    }
    let total = start.elapsed();
    let output = child.wait_with_output().unwrap_or_else(|error| panic!("{error}"));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}");
    let line = text.lines().find(|line| line.starts_with("times:")).unwrap_or_else(|| panic!("{text}"));
    let words: Vec<&str> = line.split_whitespace().collect();
    let seconds = |at: usize| Duration::from_secs_f64(words[at].parse().unwrap_or(0.0));
    let verdicts = std::array::from_fn(|k| words[8 + k].parse().unwrap_or(0));
    Run {
        total,
        broad: seconds(2),
        looks: seconds(4),
        candidates: words[6].parse().unwrap_or(0),
        verdicts,
        peak,
    }
}

/// The most memory that a process had so far, in bytes; 0 where the system does not tell.
fn peak_of(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok()).map_or(0, |kib| 1024 * kib)
}

/// Megabytes that `--dry-run` states.
fn said_before(binary: &Path, folder: &Path) -> String {
    let arguments = ["clash", "scene.json", "--unit", "mm", "--clearance", "0.002", "--dry-run"];
    let output = Command::new(binary).args(arguments).current_dir(folder).output();
    let text = output.map_or(String::new(), |output| String::from_utf8_lossy(&output.stdout).into_owned());
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(2).find(|pair| pair[1] == "MB").map_or("?".into(), |pair| pair[0].replace(',', ""))
}

/// Writes the geometries; how many triangles each has.
fn write_geometries(folder: &Path) -> Vec<usize> {
    let mut random = Random::new(1);
    let mut counts = Vec::new();
    for index in 0..GEOMETRIES {
        let soup = match index % 4 {
            0 => crystal(1 + index / 4, &mut random),
            1 => barrel(8 << (index / 8), &mut random),
            _ => knob(1 + index as u32 / 8, &mut random),
        };
        counts.push(soup.triangles.len());
        let path = folder.join(format!("part{index}.obj"));
        write(&path, &Document::from_soup("part", soup)).unwrap_or_else(|error| panic!("{error}"));
    }
    counts
}

/// Six points in the middle of the faces of a cube, and some within: touches its neighbours in points.
fn crystal(inner: usize, random: &mut Random) -> TriangleSoup {
    let mut points: Vec<DVec3> = DVec3::AXES.into_iter().flat_map(|axis| [0.5 * axis, -0.5 * axis]).collect();
    points.extend((0..inner).map(|_| direction(random) * 0.35));
    hull(&points)
}

/// Six square pads and points between them: convex.
fn barrel(points: usize, random: &mut Random) -> TriangleSoup {
    let mut all: Vec<DVec3> = pads();
    all.extend((0..points).map(|_| direction(random) * 0.6).filter(|point| point.abs().max_element() < 0.48));
    hull(&all)
}

fn pads() -> Vec<DVec3> {
    let corner = |axis: usize, i: usize| {
        let sign = |bit: usize| if i >> bit & 1 == 0 { 1.0 } else { -1.0 };
        let mut point = DVec3::ZERO;
        (point[axis], point[(axis + 1) % 3], point[(axis + 2) % 3]) =
            (0.5 * sign(0), PAD * sign(1), PAD * sign(2));
        point
    };
    (0..3).flat_map(|axis| (0..8).map(move |i| corner(axis, i))).collect()
}

/// A cube whose faces are cut into squares and pushed in by waves, but for a pad in the middle of each: not convex.
fn knob(squares: u32, random: &mut Random) -> TriangleSoup {
    let cuts = 2 * squares + 1;
    let coordinate = |i: u32| match i {
        i if i <= squares => -0.5 + (0.5 - PAD) * f64::from(i) / f64::from(squares),
        i => PAD + (0.5 - PAD) * f64::from(i - squares - 1) / f64::from(squares),
    };
    let (wave, phase) = (random.range(4.0, 9.0), random.range(0.0, 6.0));
    let place = |point: DVec3| {
        let beyond = point.abs().to_array().into_iter().filter(|x| *x > PAD + 1e-9).count();
        let push = 0.78 + 0.12 * (wave * point.element_sum() + phase).sin();
        if beyond > 1 { point * push } else { point }
    };
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for (axis, side) in (0..3).flat_map(|axis| [(axis, 0.5), (axis, -0.5)]) {
        let first = positions.len() as u32;
        for (i, j) in (0..=cuts).flat_map(|i| (0..=cuts).map(move |j| (i, j))) {
            let mut point = DVec3::ZERO;
            (point[axis], point[(axis + 1) % 3], point[(axis + 2) % 3]) =
                (side, coordinate(i), coordinate(j));
            positions.push(place(point));
        }
        for (i, j) in (0..cuts).flat_map(|i| (0..cuts).map(move |j| (i, j))) {
            let at = |i: u32, j: u32| first + i * (cuts + 1) + j;
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            let both = if side > 0.0 { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] };
            triangles.extend(both);
        }
    }
    TriangleSoup { positions, triangles, parts: Vec::new() }
}

fn hull(points: &[DVec3]) -> TriangleSoup {
    let hull = Polytope::hull(points).unwrap_or_else(|error| panic!("{error}"));
    let fan = |face: &[u32]| -> Vec<[u32; 3]> {
        (1..face.len() - 1).map(|i| [face[0], face[i], face[i + 1]]).collect()
    };
    let triangles = hull.faces().flat_map(fan).collect();
    TriangleSoup { positions: hull.vertices().to_vec(), triangles, parts: Vec::new() }
}

fn direction(random: &mut Random) -> DVec3 {
    clearance::shape::sample::random_direction(random)
}

/// The 24 rotations of a cube: exact, and pads fall on pads.
fn rotations() -> Vec<[[i32; 3]; 3]> {
    let mut all = Vec::new();
    for order in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]] {
        for signs in 0..8 {
            let mut rows = [[0; 3]; 3];
            for k in 0..3 {
                rows[k][order[k]] = if signs >> k & 1 == 0 { 1 } else { -1 };
            }
            let [a, b, c] = rows.map(|row| DVec3::from_array(row.map(f64::from)));
            if a.cross(b).dot(c) > 0.0 {
                all.push(rows);
            }
        }
    }
    all
}

/// Writes a scene of so many parts; how many triangles they have.
fn write_scene(folder: &Path, parts: usize, triangles: &[usize]) -> usize {
    let (mut random, rotations) = (Random::new(2), rotations());
    let side = (parts as f64 * 7.0 / 6.0).cbrt().ceil() as usize;
    let (mut text, mut count, mut placed) = (String::from("{\"unit\":\"mm\",\"parts\":["), 0, 0);
    for place in 0.. {
        if count == parts {
            break;
        }
        // One in seven is empty, while enough places are left.
        if random.range(0.0, 7.0) < 1.0 {
            continue;
        }
        let [x, y, z] = [place % side, place / side % side, place / side / side].map(|x| x as f64);
        let geometry = (random.range(0.0, GEOMETRIES as f64) as usize).min(GEOMETRIES - 1);
        let rotation = rotations[(random.range(0.0, 24.0) as usize).min(23)];
        let push = if count % 50 == 7 { PUSH } else { 0.0 };
        let separator = if count == 0 { "" } else { "," };
        let [a, b, c] = rotation;
        let _ = write!(
            text,
            "{separator}\n{{\"name\":\"p{count}\",\"shape\":{{\"mesh\":\"part{geometry}.obj\"}},\"pose\":[{},{},{},{},{},{},{},{},{},{},{},{}]}}",
            a[0],
            a[1],
            a[2],
            x + push,
            b[0],
            b[1],
            b[2],
            y,
            c[0],
            c[1],
            c[2],
            z
        );
        placed += triangles[geometry];
        count += 1;
    }
    text += "\n]}\n";
    std::fs::write(folder.join("scene.json"), text).unwrap_or_else(|error| panic!("{error}"));
    placed
}
