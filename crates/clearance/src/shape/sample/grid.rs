//! Grids of vertices bent into closed surfaces.

use crate::shape::TriangleSoup;
use glam::DVec3;

/// Rings of equally many vertices, stacked; ring follows ring in `positions`.
///
/// Quads between neighbouring vertices and rings face outward when the rings turn counter-clockwise
/// around an axis and follow each other along it, as on a cylinder.
pub(super) struct Grid {
    columns: u32,
    positions: Vec<DVec3>,
}

impl Grid {
    /// An empty grid for rings of `columns` vertices, with room for `rings` of them.
    pub fn new(columns: u32, rings: u32) -> Grid {
        Grid { columns, positions: Vec::with_capacity(columns as usize * rings as usize + 2) }
    }

    /// Adds a ring, the vertex of each column in turn.
    pub fn push(&mut self, vertex: impl FnMut(u32) -> DVec3) {
        self.positions.extend((0..self.columns).map(vertex));
    }

    /// Joins the last ring to the first: the surface of a torus, `2 columns rings` triangles.
    ///
    /// Quad `ring * columns + column` becomes triangles `2q` and `2q + 1`.
    pub fn into_torus(self) -> TriangleSoup {
        let rings = self.rings();
        let mut triangles = Vec::with_capacity(2 * self.positions.len());
        for ring in 0..rings {
            self.join(ring, (ring + 1) % rings, &mut triangles);
        }
        TriangleSoup { positions: self.positions, triangles, parts: Vec::new() }
    }

    /// Closes the first and the last ring by fans to the given centres: the surface of a ball.
    pub fn into_ball(mut self, first_centre: DVec3, last_centre: DVec3) -> TriangleSoup {
        let rings = self.rings();
        let (below, above) = (rings * self.columns, rings * self.columns + 1);
        let mut triangles = Vec::with_capacity(2 * self.positions.len());
        for column in 0..self.columns {
            triangles.push([below, self.index(0, column + 1), self.index(0, column)]);
        }
        for ring in 1..rings {
            self.join(ring - 1, ring, &mut triangles);
        }
        for column in 0..self.columns {
            triangles.push([above, self.index(rings - 1, column), self.index(rings - 1, column + 1)]);
        }
        self.positions.extend([first_centre, last_centre]);
        TriangleSoup { positions: self.positions, triangles, parts: Vec::new() }
    }

    fn rings(&self) -> u32 {
        self.positions.len() as u32 / self.columns
    }

    fn index(&self, ring: u32, column: u32) -> u32 {
        ring * self.columns + column % self.columns
    }

    /// Two triangles per quad, cut along the diagonal that rises with the columns.
    fn join(&self, ring: u32, next: u32, triangles: &mut Vec<[u32; 3]>) {
        for column in 0..self.columns {
            let (a, b) = (self.index(ring, column), self.index(ring, column + 1));
            let (c, d) = (self.index(next, column + 1), self.index(next, column));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
}
