//! What a mesh promises, on shapes whose answers are known and on random ones against the oracle.

use clearance::glam::DVec3;
use clearance::math::Random;
use clearance::oracle::compare::Comparison;
use clearance::oracle::mesh as oracle;
use clearance::shape::{
    Defects, KindChoice, Mesh, MeshConfig, MeshError, MeshKind, SoupPart, TriangleSoup, Weld,
};

/// Triangles of an axis-aligned box, facing outward; corner `i` has the bits of `i` for coordinates.
fn cuboid(min: DVec3, max: DVec3) -> TriangleSoup {
    let corner = |i: usize| {
        DVec3::from_array([0, 1, 2].map(|axis| if i >> axis & 1 == 0 { min[axis] } else { max[axis] }))
    };
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    TriangleSoup { positions: (0..8).map(corner).collect(), triangles, parts: vec![] }
}

fn unit_cube() -> TriangleSoup {
    cuboid(DVec3::ZERO, DVec3::ONE)
}

fn inside_out(mut soup: TriangleSoup) -> TriangleSoup {
    soup.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    soup
}

fn join(soups: &[TriangleSoup]) -> TriangleSoup {
    let mut all = TriangleSoup::default();
    for soup in soups {
        let first = all.positions.len() as u32;
        all.positions.extend(&soup.positions);
        all.triangles.extend(soup.triangles.iter().map(|triangle| triangle.map(|p| p + first)));
    }
    all
}

fn scaled(mut soup: TriangleSoup, scale: f64, offset: DVec3) -> TriangleSoup {
    soup.positions.iter_mut().for_each(|p| *p = *p * scale + offset);
    soup
}

/// Every corner its own position, as in an STL file.
fn unwelded(soup: &TriangleSoup) -> TriangleSoup {
    let positions: Vec<_> = oracle::corners(soup).into_iter().flatten().collect();
    let triangles = (0..soup.triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    TriangleSoup { positions, triangles, parts: soup.parts.clone() }
}

/// A box of `n` by `n` quads a side: many vertices, flat regions, exactly convex.
fn gridded_cube(n: u32) -> TriangleSoup {
    let mut soup = TriangleSoup::default();
    let step = 1.0 / f64::from(n);
    for axis in 0..3 {
        let (along, up) = (DVec3::AXES[(axis + 1) % 3] * step, DVec3::AXES[(axis + 2) % 3] * step);
        for (i, j) in (0..n * n).map(|k| (f64::from(k / n), f64::from(k % n))) {
            for (side, flip) in [(DVec3::AXES[axis], false), (DVec3::ZERO, true)] {
                let at = |u: f64, v: f64| side + along * (i + u) + up * (j + v);
                let quad = [at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)];
                let first = soup.positions.len() as u32;
                soup.positions.extend(quad);
                let faces = if flip { [[0, 2, 1], [0, 3, 2]] } else { [[0, 1, 2], [0, 2, 3]] };
                soup.triangles.extend(faces.map(|face: [u32; 3]| face.map(|corner| corner + first)));
            }
        }
    }
    soup
}

fn build(soup: &TriangleSoup) -> Mesh {
    build_with(soup, MeshConfig::default()).expect("a mesh")
}

fn build_with(soup: &TriangleSoup, config: MeshConfig) -> Result<Mesh, MeshError> {
    let mesh = Mesh::build(soup, &config)?;
    mesh.validate().expect("a sound structure");
    Ok(mesh)
}

fn solid() -> MeshConfig {
    MeshConfig { kind: KindChoice::Solid, ..MeshConfig::default() }
}

fn strict() -> MeshConfig {
    MeshConfig { defects: Defects::Refuse, ..MeshConfig::default() }
}

fn cases() -> u64 {
    std::env::var("CLEARANCE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(1)
}

fn compare(name: &'static str, case: fn(&mut Random) -> Result<(), String>) {
    if let Err(mismatch) = (Comparison { name, case }).run(2, 0..30_000 * cases()) {
        panic!("{mismatch}");
    }
}

#[test]
fn random_triangles_give_what_the_oracle_finds() {
    compare("a mesh has the edges, components and defects of its triangles", oracle::findings);
}

#[test]
fn random_closed_triangles_stay_closed() {
    compare("repair leaves closed meshes closed", oracle::closed_stays_closed);
}

#[test]
fn random_clusters_are_welded() {
    compare("welding within a distance merges clusters", oracle::welding);
}
