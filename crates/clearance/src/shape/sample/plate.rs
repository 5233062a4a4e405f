//! Plates with holes.

use super::SampleError;
use super::circle::regular_polygon;
use super::error::Check;
use crate::shape::TriangleSoup;
use glam::{DVec2, DVec3};

/// What is in one cell of a [`plate`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum PlateCell {
    /// Material.
    #[default]
    Full,
    /// Nothing.
    Open,
    /// Material with a round hole in its middle.
    Bore {
        /// Less than half of the cell's edges.
        radius: f64,
        /// Corners of the hole, a multiple of 4, the first towards `+x`.
        segments: u32,
    },
}

/// A plate along z, centred there: a grid of rectangular cells, `columns` and `rows` their lines, `cells` row by row.
///
/// ```
/// use clearance::shape::sample::{PlateCell, plate};
/// let bore = PlateCell::Bore { radius: 1.0, segments: 24 };
/// let frame = plate(&[0.0, 4.0, 6.0], &[0.0, 4.0], 1.0, &[bore, PlateCell::Full])?;
/// assert_eq!(frame.triangles.len(), 2 * (24 + 4) + 2 * 24 + 2 * 2 + 6 * 2);
/// # Ok::<(), clearance::shape::sample::SampleError>(())
/// ```
///
/// # Errors
/// Lines that do not rise, a number of cells that does not fit them, or a hole that does not fit its cell.
pub fn plate(
    columns: &[f64],
    rows: &[f64],
    thickness: f64,
    cells: &[PlateCell],
) -> Result<TriangleSoup, SampleError> {
    let check = Check("plate");
    check.length("thickness", thickness)?;
    for lines in [columns, rows] {
        let rising = |pair: &[f64]| pair[0] < pair[1] && pair[0].abs() <= 1e60 && pair[1].abs() <= 1e60;
        let good = lines.len() >= 2 && lines.windows(2).all(rising);
        check.that(|| good, "lines", lines.len() as f64, "give at least two, rising")?;
    }
    let (wide, high) = (columns.len() - 1, rows.len() - 1);
    check.that(
        || cells.len() == wide * high,
        "cells",
        cells.len() as f64,
        "give one per cell of the grid",
    )?;
    let mut plate = Plate { columns, rows, cells, half: 0.5 * thickness, soup: TriangleSoup::default() };
    plate.push_corners();
    for row in 0..high {
        for column in 0..wide {
            plate.push_cell(column, row)?;
        }
    }
    Ok(plate.soup)
}

struct Plate<'a> {
    columns: &'a [f64],
    rows: &'a [f64],
    cells: &'a [PlateCell],
    half: f64,
    soup: TriangleSoup,
}

/// A place of the plate: its two vertices, below and above.
type Place = [u32; 2];

impl Plate<'_> {
    fn push_corners(&mut self) {
        for &y in self.rows {
            for &x in self.columns {
                self.push_place(DVec2::new(x, y));
            }
        }
    }

    fn push_place(&mut self, at: DVec2) -> Place {
        let next = self.soup.positions.len() as u32;
        self.soup.positions.extend([-self.half, self.half].map(|z| DVec3::new(at.x, at.y, z)));
        [next, next + 1]
    }

    fn corner(&self, column: usize, row: usize) -> Place {
        let below = 2 * (row * self.columns.len() + column) as u32;
        [below, below + 1]
    }

    fn is_open(&self, column: usize, row: usize) -> bool {
        let (wide, high) = (self.columns.len() - 1, self.rows.len() - 1);
        column >= wide || row >= high || self.cells[row * wide + column] == PlateCell::Open
    }

    fn push_cell(&mut self, column: usize, row: usize) -> Result<(), SampleError> {
        if self.is_open(column, row) {
            return Ok(());
        }
        // Counter-clockwise, from the one at largest x and y.
        let corners = [(1, 1), (0, 1), (0, 0), (1, 0)].map(|(x, y)| self.corner(column + x, row + y));
        match self.cells[row * (self.columns.len() - 1) + column] {
            PlateCell::Bore { radius, segments } => self.push_bore(column, row, corners, radius, segments)?,
            _ => {
                self.push_faces(corners[0], corners[1], corners[2]);
                self.push_faces(corners[0], corners[2], corners[3]);
            }
        }
        // A column or row before the first is as open as one past the last.
        let beyond = usize::MAX;
        let neighbours = [
            (column, row + 1),
            (column.checked_sub(1).unwrap_or(beyond), row),
            (column, row.checked_sub(1).unwrap_or(beyond)),
            (column + 1, row),
        ];
        for (side, (column, row)) in neighbours.into_iter().enumerate() {
            if self.is_open(column, row) {
                self.push_wall(corners[side], corners[(side + 1) % 4]);
            }
        }
        Ok(())
    }

    /// Each quarter of the hole is joined to the corner beside it.
    fn push_bore(
        &mut self,
        column: usize,
        row: usize,
        corners: [Place; 4],
        radius: f64,
        segments: u32,
    ) -> Result<(), SampleError> {
        let check = Check("plate");
        check.length("radius", radius)?;
        let even = || segments >= 4 && segments.is_multiple_of(4) && segments <= 100_000;
        check.that(even, "segments", f64::from(segments), "give a multiple of 4 up to 100,000")?;
        let low = DVec2::new(self.columns[column], self.rows[row]);
        let high = DVec2::new(self.columns[column + 1], self.rows[row + 1]);
        let fits = || radius < 0.5 * (high - low).min_element();
        check.that(fits, "radius", radius, "it must be less than half of the cell's edges")?;
        let centre = 0.5 * (low + high);
        let circle: Vec<Place> =
            regular_polygon(segments).map(|p| self.push_place(centre + radius * p)).collect();
        let quarter = segments as usize / 4;
        for (i, &place) in circle.iter().enumerate() {
            let next = circle[(i + 1) % circle.len()];
            let corner = corners[i / quarter];
            if i.is_multiple_of(quarter) {
                self.push_faces(corners[(i / quarter + 3) % 4], corner, place);
            }
            self.push_faces(place, corner, next);
            self.push_wall(next, place);
        }
        Ok(())
    }

    /// A triangle of the upper face, counter-clockwise, and the one below it.
    fn push_faces(&mut self, a: Place, b: Place, c: Place) {
        self.soup.triangles.extend([[a[1], b[1], c[1]], [a[0], c[0], b[0]]]);
    }

    /// The wall over an edge that has material on its left.
    fn push_wall(&mut self, from: Place, to: Place) {
        self.soup.triangles.extend([[from[0], to[0], to[1]], [from[0], to[1], from[1]]]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Mesh, MeshConfig, MeshKind};
    use PlateCell::{Bore, Full, Open};

    #[test]
    fn plates_are_solids_of_the_right_volume() {
        let hole = Bore { radius: 0.5, segments: 8 };
        // Holes of the area 0.25 * 2 sqrt 2.
        let cases: [(&[PlateCell], f64); 4] = [
            (&[Full; 6], 24.0),
            (&[hole, Full, Open, Full, hole, hole], 20.0 - 3.0 * 0.25 * 8_f64.sqrt()),
            (&[Full, Full, Full, Open, Open, Full], 16.0),
            (&[hole; 6], 24.0 - 6.0 * 0.25 * 8_f64.sqrt()),
        ];
        for (cells, area) in cases {
            let soup = plate(&[-3.0, -1.0, 1.0, 3.0], &[0.0, 2.0, 4.0], 3.0, cells).unwrap();
            let mesh = Mesh::build(&soup, &MeshConfig::default()).unwrap();
            assert_eq!(mesh.kind(), MeshKind::Solid);
            let expected = 3.0 * area;
            let volume = mesh.volume().unwrap();
            assert!((volume - expected).abs() < 1e-12 * expected, "{volume} {expected}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let lines = [0.0, 2.0];
        for (columns, cells) in [
            (&[0.0][..], &[Full][..]),
            (&[1.0, 1.0], &[Full]),
            (&[0.0, f64::NAN], &[Full]),
            (&lines, &[Full, Full]),
            (&lines, &[Bore { radius: 1.0, segments: 8 }]),
            (&lines, &[Bore { radius: 0.5, segments: 6 }]),
            (&lines, &[Bore { radius: -0.5, segments: 8 }]),
        ] {
            assert!(plate(columns, &lines, 1.0, cells).is_err());
        }
    }
}
