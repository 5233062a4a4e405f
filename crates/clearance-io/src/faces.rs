//! Polygons as they come from OBJ, PLY and OFF, and the soup they become.

use crate::polygon::{POLYGON_CORNER_LIMIT, Triangulator};
use clearance::glam::DVec3;
use clearance::shape::{SoupPart, TriangleSoup};

/// Polygons over common positions; corners may refer to positions that come later.
#[derive(Default)]
pub(crate) struct Faces {
    pub positions: Vec<DVec3>,
    corners: Vec<u32>,
    /// End of each polygon's run in `corners`.
    ends: Vec<u32>,
    /// The largest index so far and where it was.
    largest: Option<(u32, usize)>,
    /// Polygons with fewer than three corners.
    too_short: u64,
}

impl Faces {
    /// Adds a corner to the polygon that is being read at `offset`.
    #[inline]
    pub fn corner(&mut self, index: u32, offset: usize) {
        if self.largest.is_none_or(|(largest, _)| index > largest) {
            self.largest = Some((index, offset));
        }
        self.corners.push(index);
    }

    /// Corners of the polygon that is being read.
    pub fn open_corners(&self) -> usize {
        self.corners.len() - self.ends.last().map_or(0, |&end| end as usize)
    }

    /// Ends the polygon that is being read; one with fewer than three corners is left out.
    pub fn close(&mut self) -> Result<(), String> {
        let count = self.open_corners();
        if count < 3 {
            self.too_short += 1;
            self.corners.truncate(self.corners.len() - count);
            return Ok(());
        }
        if count > POLYGON_CORNER_LIMIT {
            return Err(format!(
                "a polygon has {count} corners, the limit is {POLYGON_CORNER_LIMIT}; triangulate it before"
            ));
        }
        let end = u32::try_from(self.corners.len());
        self.ends.push(end.map_err(|_| "more than 2^32 - 1 corners in one file; split it".to_string())?);
        Ok(())
    }

    /// Polygons so far.
    pub fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    /// The offset and the value of an index without a position, if there is one.
    pub fn missing_position(&self) -> Option<(usize, u32)> {
        let (largest, offset) = self.largest?;
        (largest as usize >= self.positions.len()).then_some((offset, largest))
    }

    /// Triangles of all polygons in order; `parts` come as runs of polygons and leave as runs of triangles.
    ///
    /// Call only when [`Faces::missing_position`] finds nothing. Three corners are kept as they are, even when
    /// two of them coincide: judging triangles is the mesh's business. What was left out is added to the notes.
    pub fn into_soup(self, mut parts: Vec<SoupPart>, notes: &mut Vec<String>) -> TriangleSoup {
        let Faces { positions, corners, ends, too_short, .. } = self;
        let mut collapsed = 0;
        let mut triangles: Vec<[u32; 3]> = Vec::with_capacity(corners.len() - 2 * ends.len());
        let mut triangulator = Triangulator::default();
        let mut start = 0;
        let mut part = 0;
        for (polygon, &end) in ends.iter().enumerate() {
            while parts.get(part).is_some_and(|p| p.triangles.start == polygon as u32) {
                // A part whose faces were all skipped starts where the next one does.
                parts[part].triangles.start = triangles.len() as u32;
                part += 1;
            }
            match &corners[start..end as usize] {
                &[a, b, c] => triangles.push([a, b, c]),
                polygon => {
                    let before = triangles.len();
                    triangulator.triangulate(&positions, polygon, &mut triangles);
                    collapsed += u64::from(triangles.len() == before);
                }
            }
            start = end as usize;
        }
        for part in &mut parts[part..] {
            part.triangles.start = triangles.len() as u32;
        }
        close_parts(&mut parts, triangles.len() as u32);
        if too_short > 0 {
            notes.push(format!("{too_short} faces with fewer than three corners were skipped"));
        }
        if collapsed > 0 {
            notes.push(format!("{collapsed} polygons with fewer than three different corners were skipped"));
        }
        TriangleSoup { positions, triangles, parts }
    }
}

/// Parts follow each other without gaps: each ends where the next begins.
fn close_parts(parts: &mut Vec<SoupPart>, triangle_count: u32) {
    let mut end = triangle_count;
    for part in parts.iter_mut().rev() {
        part.triangles.end = end;
        end = part.triangles.start;
    }
    parts.retain(|part| !part.triangles.is_empty());
}
