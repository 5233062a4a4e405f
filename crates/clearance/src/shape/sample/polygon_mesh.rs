//! Closed surfaces made of polygons, before they are cut into triangles.

use crate::shape::TriangleSoup;
use glam::DVec3;

/// Positions and convex polygons, counter-clockwise seen from outside.
///
/// Papers count faces of their test bodies as polygons; meshes are made of triangles. This keeps both:
/// [`PolygonMesh::to_soup`] cuts polygon after polygon into a fan from its first corner.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PolygonMesh {
    /// Corner positions.
    pub positions: Vec<DVec3>,
    /// Corner indices of each polygon.
    pub polygons: Vec<Vec<u32>>,
}

impl PolygonMesh {
    /// The triangles: `k - 2` in a row for a polygon of `k` corners, in the order of the polygons.
    pub fn to_soup(&self) -> TriangleSoup {
        let triangles = self.fans().map(|(_, triangle)| triangle).collect();
        TriangleSoup { positions: self.positions.clone(), triangles, parts: Vec::new() }
    }

    /// For each triangle of [`PolygonMesh::to_soup`] the polygon it was cut from.
    pub fn polygon_of_triangle(&self) -> Vec<u32> {
        self.fans().map(|(polygon, _)| polygon).collect()
    }

    /// Half the number of sides: the number of edges if the surface is closed.
    pub fn edge_count(&self) -> usize {
        self.polygons.iter().map(Vec::len).sum::<usize>() / 2
    }

    fn fans(&self) -> impl Iterator<Item = (u32, [u32; 3])> {
        self.polygons.iter().zip(0u32..).flat_map(|(corners, polygon)| {
            let first = corners.first().copied().unwrap_or(0);
            corners.windows(2).skip(1).map(move |side| (polygon, [first, side[0], side[1]]))
        })
    }
}
