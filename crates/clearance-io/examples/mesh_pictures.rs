//! Draws the pictures of `docs/meshes.md`: `cargo xtask pictures`, or this with the folder to write into.

use clearance::{
    Aabb, Pose,
    glam::DVec3,
    mesh::{self, TreeMesh},
    shape::{
        Mesh, MeshConfig, TriangleSoup,
        sample::{icosphere, torus},
    },
};
use clearance_io::picture::{Body, Camera, Colour, Drawing, Label, Legend, Line, Marker};
use std::{error::Error, path::PathBuf};

const INK: Colour = Colour::new(0x2b, 0x34, 0x40);
const CONTACT: Colour = Colour::new(0xc0, 0x1c, 0x28);

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("name the folder to write into")?);
    std::fs::create_dir_all(&folder)?;
    let mut drawings = vec![
        ("meshes-contacts".to_string(), contact_curves()?),
        ("meshes-closest".to_string(), ball_in_ring()?),
        ("meshes-relations".to_string(), relations()?),
    ];
    drawings.extend(levels()?);
    for (name, drawing) in drawings {
        let file = folder.join(format!("{name}.svg"));
        std::fs::write(&file, drawing.to_svg())?;
        println!("{}", file.display());
    }
    Ok(())
}

fn prepared(soup: &TriangleSoup) -> Result<TreeMesh, Box<dyn Error>> {
    Ok(TreeMesh::new(Mesh::build(soup, &MeshConfig::default())?))
}

fn placed(name: &str, soup: &TriangleSoup, pose: Pose, colour: usize, opacity: f64) -> Body {
    Body { opacity, ..Body::new(name, soup.clone()).at(pose).coloured(Colour::of_index(colour)) }
}

/// Two rings that cross, and every segment in which their triangles meet.
fn contact_curves() -> Result<Drawing, Box<dyn Error>> {
    let soup = torus(1.0, 0.3, 40, 20)?;
    let ring = prepared(&soup)?;
    let other = Pose::from_axis_angle(DVec3::X, 1.2, DVec3::new(0.4, 0.0, 0.05))?;
    let contacts = mesh::contacts(&ring, &Pose::IDENTITY, &ring, &other);
    let segment = |contact: &mesh::Contact| Line {
        points: contact.intersection.corners().iter().map(|corner| corner.position).collect(),
        colour: CONTACT,
    };
    Ok(Drawing {
        title: format!("{} pairs of triangles meet, of {}", contacts.len(), soup.triangles.len().pow(2)),
        bodies: vec![placed("A", &soup, Pose::IDENTITY, 0, 1.0), placed("B", &soup, other, 1, 1.0)],
        lines: contacts.iter().map(segment).filter(|line| line.points.len() > 1).collect(),
        legend: Legend::Hidden,
        ..Drawing::default()
    })
}

/// A ball in the hole of a ring, and the points where they are closest.
fn ball_in_ring() -> Result<Drawing, Box<dyn Error>> {
    let (ring_soup, ball_soup) = (torus(1.0, 0.25, 40, 20)?, icosphere(0.4, 6)?);
    let (ring, ball) = (prepared(&ring_soup)?, prepared(&ball_soup)?);
    let at = Pose::from_translation(DVec3::new(-0.12, -0.1, 0.3))?;
    let found = mesh::distance(&ring, &Pose::IDENTITY, &ball, &at);
    Ok(Drawing {
        title: format!(
            "distance {:.4}, proved to within {:.0e}",
            found.upper,
            (found.upper - found.lower).max(1e-16)
        ),
        bodies: vec![
            placed("ring", &ring_soup, Pose::IDENTITY, 0, 1.0),
            placed("ball", &ball_soup, at, 1, 1.0),
        ],
        lines: vec![Line { points: vec![found.point_a, found.point_b], colour: INK }],
        markers: vec![
            Marker { point: found.point_a, colour: Colour::of_index(0) },
            Marker { point: found.point_b, colour: Colour::of_index(1) },
        ],
        legend: Legend::Hidden,
        ..Drawing::default()
    })
}

fn cuboid(bounds: Aabb) -> TriangleSoup {
    let Aabb { min, max } = bounds;
    let positions = (0..8)
        .map(|i| DVec3::from_array(std::array::from_fn(|k| if i >> k & 1 == 1 { max[k] } else { min[k] })));
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    TriangleSoup { positions: positions.collect(), triangles, parts: vec![] }
}

fn cube(low: f64, high: f64) -> TriangleSoup {
    cuboid(Aabb { min: DVec3::splat(low), max: DVec3::splat(high) })
}

/// A large cube with a cavity: the inner cube faces inward.
fn hollow() -> TriangleSoup {
    let (mut soup, inner) = (cube(-1.5, 1.5), cube(-1.0, 1.0));
    soup.positions.extend(inner.positions);
    soup.triangles.extend(inner.triangles.iter().map(|&[a, b, c]| [a + 8, c + 8, b + 8]));
    soup
}

/// Solids side by side, one in another with a common face, and one in a cavity.
fn relations() -> Result<Drawing, Box<dyn Error>> {
    let (large, small) = (cube(-1.5, 1.5), cube(-0.5, 0.5));
    let cases = [
        (&large, DVec3::new(2.0, 0.0, 0.0)),
        (&large, DVec3::new(1.0, 0.0, 0.0)),
        (&large, DVec3::ZERO),
        (&hollow(), DVec3::ZERO),
        (&hollow(), DVec3::new(0.5, 0.0, 0.0)),
    ];
    let along = DVec3::new(-0.35, 1.0, -0.4);
    let right = along.cross(DVec3::Z).normalize();
    let mut drawing = Drawing {
        title: "solids: what their insides and surfaces share decides".into(),
        camera: Camera::looking(along, DVec3::Z),
        legend: Legend::Hidden,
        ..Drawing::default()
    };
    for (i, (outer, by)) in cases.into_iter().enumerate() {
        let place = right * (5.4 * i as f64 + if i == 0 { -1.0 } else { 0.0 });
        let (pose_a, pose_b) = (Pose::from_translation(place)?, Pose::from_translation(place + by)?);
        // Asked at the origin: the way to the place in the picture is rounded.
        let at = Pose::from_translation(by)?;
        let found = mesh::relation(&prepared(outer)?, &Pose::IDENTITY, &prepared(&small)?, &at);
        let enclosed = if found.enclosed.is_some() { ", enclosed" } else { "" };
        drawing.bodies.push(placed("A", outer, pose_a, 0, 0.25));
        drawing.bodies.push(placed("B", &small, pose_b, 1, 0.6));
        let text = format!("{:?}{enclosed}", found.relation).to_lowercase();
        drawing.labels.push(Label { point: place - 1.6 * right - 2.9 * DVec3::Z, text });
    }
    Ok(drawing)
}

/// The boxes of a tree, level by level, down to the leaves.
fn levels() -> Result<Vec<(String, Drawing)>, Box<dyn Error>> {
    let ring = prepared(&torus(1.0, 0.4, 48, 24)?)?;
    let groups = (1..).map(|level| ring.tree().level(level)).take_while(|groups| !groups.is_empty());
    let drawing =
        |(i, groups): (usize, Vec<Vec<u32>>)| Ok((format!("meshes-level-{}", i + 1), drawn(&ring, &groups)?));
    groups.enumerate().map(drawing).collect()
}

/// The triangles of each box in a colour, and the boxes while they are few.
fn drawn(ring: &TreeMesh, groups: &[Vec<u32>]) -> Result<Drawing, Box<dyn Error>> {
    let title = format!("{} boxes over {} triangles", groups.len(), ring.tree().triangle_count());
    let mut drawing = Drawing { title, legend: Legend::Hidden, ..Drawing::default() };
    for (i, group) in groups.iter().enumerate() {
        let colour = Colour::of_index(i);
        let triangles = group.iter().map(|&t| ring.mesh().triangles()[t as usize]).collect();
        let patch = TriangleSoup { positions: ring.mesh().positions().to_vec(), triangles, parts: vec![] };
        drawing.bodies.push(Body::new("patch", patch).coloured(colour));
        let corners = group.iter().flat_map(|&t| ring.mesh().triangle(t as usize));
        if groups.len() <= 8 {
            drawing.lines.extend(edges(Aabb::around(corners).ok_or("a box of nothing")?, colour));
        }
    }
    Ok(drawing)
}

/// The twelve edges of a box.
fn edges(bounds: Aabb, colour: Colour) -> impl Iterator<Item = Line> {
    let corners = cuboid(bounds).positions;
    let pairs = (0..8_usize).flat_map(|i| [1, 2, 4].map(|bit| (i, i | bit))).filter(|(i, j)| i != j);
    pairs.map(move |(i, j)| Line { points: vec![corners[i], corners[j]], colour })
}
