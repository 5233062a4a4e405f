//! Fits a drawing into its picture: from world coordinates to hundredths of a pixel.

use super::{Camera, Drawing, card::WIDTH};
use clearance::{
    Aabb,
    glam::{DVec2, DVec3},
};

/// Space between the picture's border and its contents.
pub const MARGIN: f64 = 36.0;
/// Least and greatest height of the area that bodies are fitted into.
const HEIGHTS: (f64, f64) = (220.0, 600.0);

/// A point of the picture in hundredths of a pixel, `y` down: what is written is what is compared.
pub type Pixel = [i32; 2];

/// The fitted view: where a point of the world lands in the picture.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    camera: Camera,
    /// World to a cube of size about one, so that no coordinate size over- or underflows later.
    center: DVec3,
    shrink: f64,
    /// Pixels per unit of the shrunk world, and where its origin lands.
    scale: f64,
    origin: DVec2,
    /// Height of the fitted area in pixels.
    pub height: f64,
}

impl Frame {
    /// Fits everything in the drawing below `top` pixels of heading; points that are not finite are left out.
    pub fn fit(drawing: &Drawing, top: f64) -> Frame {
        let bounds = Aabb::around(points_of(drawing)).unwrap_or(Aabb { min: DVec3::ZERO, max: DVec3::ONE });
        let extent = bounds.extent().max_element();
        let mut frame = Frame {
            camera: drawing.camera,
            center: bounds.center(),
            shrink: if extent > 0.0 { extent.recip() } else { 1.0 },
            scale: 1.0,
            origin: DVec2::ZERO,
            height: 0.0,
        };
        let (mut min, mut max) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for point in points_of(drawing) {
            let seen = frame.camera.project(frame.shrunk(point)).0;
            (min, max) = (min.min(seen), max.max(seen));
        }
        if !min.is_finite() {
            (min, max) = (DVec2::ZERO, DVec2::ONE);
        }
        frame.place(min, max, top);
        frame
    }

    fn place(&mut self, min: DVec2, max: DVec2, top: f64) {
        // A lone point has no size; any positive one will do.
        let size = (max - min).max(DVec2::splat(1e-9));
        let width = WIDTH - 2.0 * MARGIN;
        self.scale = (width / size.x).min(HEIGHTS.1 / size.y);
        self.height = (self.scale * size.y).max(HEIGHTS.0);
        let middle = DVec2::new(WIDTH / 2.0, top + MARGIN + self.height / 2.0);
        let seen = (min + max) / 2.0;
        self.origin = DVec2::new(middle.x - self.scale * seen.x, middle.y + self.scale * seen.y);
    }

    /// The point in the cube of size about one that everything is drawn in.
    pub fn shrunk(&self, point: DVec3) -> DVec3 {
        // Halves first: the difference of two accepted coordinates may not be representable otherwise.
        (0.5 * point - 0.5 * self.center) * (2.0 * self.shrink)
    }

    /// Where a shrunk point lands, and its nearness to the viewer in pixels.
    pub fn pixel(&self, shrunk: DVec3) -> (Pixel, f64) {
        let (seen, nearness) = self.camera.project(shrunk);
        let x = 100.0 * (self.origin.x + self.scale * seen.x);
        let y = 100.0 * (self.origin.y - self.scale * seen.y);
        ([x.round() as i32, y.round() as i32], self.scale * nearness)
    }

    /// Where a point of the world lands.
    pub fn pixel_of_world(&self, point: DVec3) -> Pixel {
        self.pixel(self.shrunk(point)).0
    }
}

/// Every finite point that is drawn, in world coordinates.
fn points_of(drawing: &Drawing) -> impl Iterator<Item = DVec3> {
    let of_bodies =
        drawing.bodies.iter().flat_map(|b| b.soup.positions.iter().map(move |&p| b.pose.apply(p)));
    let of_lines = drawing.lines.iter().flat_map(|l| l.points.iter().copied());
    let of_markers = drawing.markers.iter().map(|m| m.point);
    let of_labels = drawing.labels.iter().map(|l| l.point);
    of_bodies.chain(of_lines).chain(of_markers).chain(of_labels).filter(|p| p.is_finite())
}
