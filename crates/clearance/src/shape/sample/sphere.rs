//! Geodesic and bumpy spheres.

use super::SampleError;
use super::circle::circle_point_at;
use super::error::Check;
use crate::shape::TriangleSoup;
use glam::DVec3;

/// Golden ratio.
const PHI: f64 = 1.618_033_988_749_895;

/// The corners of the icosahedron before they are scaled to length one.
const CORNERS: [DVec3; 12] = [
    DVec3::new(-1.0, PHI, 0.0),
    DVec3::new(1.0, PHI, 0.0),
    DVec3::new(-1.0, -PHI, 0.0),
    DVec3::new(1.0, -PHI, 0.0),
    DVec3::new(0.0, -1.0, PHI),
    DVec3::new(0.0, 1.0, PHI),
    DVec3::new(0.0, -1.0, -PHI),
    DVec3::new(0.0, 1.0, -PHI),
    DVec3::new(PHI, 0.0, -1.0),
    DVec3::new(PHI, 0.0, 1.0),
    DVec3::new(-PHI, 0.0, -1.0),
    DVec3::new(-PHI, 0.0, 1.0),
];

/// Its faces, counter-clockwise from outside.
const FACES: [[u32; 3]; 20] = [
    [0, 11, 5],
    [0, 5, 1],
    [0, 1, 7],
    [0, 7, 10],
    [0, 10, 11],
    [1, 5, 9],
    [5, 11, 4],
    [11, 10, 2],
    [10, 7, 6],
    [7, 1, 8],
    [3, 9, 4],
    [3, 4, 2],
    [3, 2, 6],
    [3, 6, 8],
    [3, 8, 9],
    [4, 9, 5],
    [2, 4, 11],
    [6, 2, 10],
    [8, 6, 7],
    [9, 8, 1],
];

/// A sphere from the icosahedron with every edge cut into `frequency` parts: `20 f^2` triangles and
/// `10 f^2 + 2` vertices, which lie on the sphere.
///
/// Frequency 1 is the icosahedron, a power of two the usual repeated halving, 224 the first above a
/// million triangles; at most 512.
///
/// ```
/// let sphere = clearance::shape::sample::icosphere(1.0, 8)?;
/// assert_eq!(sphere.triangles.len(), 1280);
/// # Ok::<(), clearance::shape::sample::SampleError>(())
/// ```
pub fn icosphere(radius: f64, frequency: u32) -> Result<TriangleSoup, SampleError> {
    let check = Check("icosphere");
    check.length("radius", radius)?;
    check.count("frequency", frequency, 1..=512, "cut each edge into 1 to 512 parts")?;
    Ok(geodesic(frequency, |direction| radius * direction))
}

/// A sphere with bumps: an [`icosphere`] whose radius varies by the share `amplitude` up and down.
///
/// A ray from the centre meets the surface once, whatever the amplitude below one: the radius is
/// `1 + amplitude sin(w x) sin(w y) sin(w z)` (scaled) with `w = pi waves`, for a direction `(x, y, z)`.
///
/// ```
/// let ball = clearance::shape::sample::bumpy_sphere(1.0, 0.3, 4, 16)?;
/// assert_eq!(ball.triangles.len(), 5120);
/// # Ok::<(), clearance::shape::sample::SampleError>(())
/// ```
pub fn bumpy_sphere(
    radius: f64,
    amplitude: f64,
    waves: u32,
    frequency: u32,
) -> Result<TriangleSoup, SampleError> {
    let check = Check("bumpy sphere");
    check.length("radius", radius)?;
    check.that(|| (0.0..=0.9).contains(&amplitude), "amplitude", amplitude, "give a share from 0 to 0.9")?;
    check.count("waves", waves, 1..=1000, "give 1 to 1000 waves")?;
    check.count("frequency", frequency, 1..=512, "cut each edge into 1 to 512 parts")?;
    let sine = |x: f64| circle_point_at(std::f64::consts::PI * f64::from(waves) * x).y;
    Ok(geodesic(frequency, |d| radius * (1.0 + amplitude * sine(d.x) * sine(d.y) * sine(d.z)) * d))
}

/// The cut icosahedron; `place` moves each unit vector to its place.
///
/// Vertices: the 12 corners, then `f - 1` per edge in order of its corners' numbers, then the inner
/// ones of each face. Shared vertices exist once, so neighbours agree to the last bit.
fn geodesic(frequency: u32, place: impl Fn(DVec3) -> DVec3) -> TriangleSoup {
    let edges = edges();
    let (count, square) = (frequency, (frequency * frequency) as usize);
    let mut positions: Vec<DVec3> = Vec::with_capacity(10 * square + 2);
    positions.extend(CORNERS);
    for &[low, high] in &edges {
        let (start, end) = (CORNERS[low as usize], CORNERS[high as usize]);
        positions.extend((1..count).map(|i| blend(count, [(count - i, start), (i, end), (0, end)])));
    }
    let mut triangles = Vec::with_capacity(20 * square);
    for face in FACES {
        let inner = positions.len() as u32;
        let corners = face.map(|corner| CORNERS[corner as usize]);
        for i in 1..count {
            positions.extend(
                (1..count - i)
                    .map(|j| blend(count, [(count - i - j, corners[0]), (i, corners[1]), (j, corners[2])])),
            );
        }
        cut_face(count, &|i, j| vertex_of_face(face, &edges, count, inner, i, j), &mut triangles);
    }
    let positions = positions.into_iter().map(|v| place(v / v.length_squared().sqrt())).collect();
    TriangleSoup { positions, triangles, parts: Vec::new() }
}

/// The 30 edges, the lower corner first, in increasing order.
fn edges() -> Vec<[u32; 2]> {
    let sides = FACES.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut edges: Vec<[u32; 2]> = sides.filter(|[a, b]| a < b).collect();
    edges.sort_unstable();
    edges
}

/// A weighted mean; weights are whole numbers that sum to `total`.
fn blend(total: u32, terms: [(u32, DVec3); 3]) -> DVec3 {
    let sum: DVec3 = terms.iter().map(|&(weight, corner)| f64::from(weight) * corner).sum();
    sum / f64::from(total)
}

/// The triangles of one face over the lattice `i + j <= count`.
fn cut_face(count: u32, vertex: &impl Fn(u32, u32) -> u32, triangles: &mut Vec<[u32; 3]>) {
    for i in 0..count {
        for j in 0..count - i {
            triangles.push([vertex(i, j), vertex(i + 1, j), vertex(i, j + 1)]);
            if i + j + 1 < count {
                triangles.push([vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)]);
            }
        }
    }
}

/// The index of the lattice vertex `i` steps towards the face's second and `j` towards its third corner.
fn vertex_of_face(face: [u32; 3], edges: &[[u32; 2]], count: u32, inner: u32, i: u32, j: u32) -> u32 {
    let [a, b, c] = face;
    match (count - i - j, i, j) {
        (_, 0, 0) => a,
        (0, _, 0) => b,
        (0, 0, _) => c,
        (_, _, 0) => vertex_of_edge(edges, count, a, b, i),
        (_, 0, _) => vertex_of_edge(edges, count, a, c, j),
        (0, _, _) => vertex_of_edge(edges, count, b, c, j),
        // Rows before row `i` hold count - 2, count - 3, ... vertices.
        _ => inner + (i - 1) * (2 * count - i - 2) / 2 + (j - 1),
    }
}

/// The index of the vertex `steps` from `from` towards `to`.
fn vertex_of_edge(edges: &[[u32; 2]], count: u32, from: u32, to: u32, steps: u32) -> u32 {
    let key = [from.min(to), from.max(to)];
    let edge = edges.partition_point(|&edge| edge < key) as u32;
    let along = if from < to { steps } else { count - steps };
    12 + edge * (count - 1) + along - 1
}
