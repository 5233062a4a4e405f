//! Two ellipsoids in place of two bodies: where the line of motion probably runs.
//!
//! The vertices of the bodies are taken to lie all around on ellipsoids with their spreads `P` and `Q`. `M = B - A` is then a
//! sum of two ellipsoids, which lies in the ellipsoid of `2 (P + Q)`. Only the first directions of a search come from here:
//! they change speed, never the answer. (Tighter ellipsoids for plates were tried: half a support less for 60 ns.)

use crate::pair::{Relative, View};
use glam::{DMat3, DVec2, DVec3};

/// The ellipsoid around `M` and the line of motion, in the frame of A and in units.
pub(super) struct Model {
    of_a: DMat3,
    of_b: DMat3,
    /// From the start of the motion to the centre.
    between: DVec3,
    along: DVec3,
    around: Ellipsoid,
}

/// An ellipsoid `x . inverse x <= size`, and a line.
struct Ellipsoid {
    /// The adjugate of its shape: the inverse up to a factor, so that flat bodies are no special case.
    inverse: DMat3,
    size: f64,
    /// `inverse` times the direction of the line, and times the way from its start to the centre.
    line: DVec3,
    centre: DVec3,
    /// How far along the line the centre is passed.
    nearest: f64,
    /// How far along the line it enters, or is nearest.
    entry: f64,
}

/// How many spreads the square of a radius is, for vertices that lie all around on an ellipsoid.
const SPREADS: f64 = 3.0;

impl Model {
    /// For the way from centroid to centroid and a unit direction of motion.
    #[inline]
    pub fn new(view: &View<'_>, pair: &Relative<'_>, between: DVec3, along: DVec3) -> Model {
        let (turn, scale) = (pair.turn(), SPREADS * view.unit() * view.unit());
        let of_a = view.a.spread() * scale;
        let of_b = turn * (view.b.spread() * scale) * turn.transpose();
        let around = Ellipsoid::new((of_a + of_b) * 2.0, between, along);
        Model { of_a, of_b, between, along, around }
    }

    /// The direction of the motion.
    pub fn along(&self) -> DVec3 {
        self.along
    }

    /// The direction that separates best where the bodies come closest during a motion of some length, if the ellipsoids
    /// are apart along it.
    #[inline]
    pub fn closest_if_apart(&self, travel: f64) -> Option<DVec3> {
        let Ellipsoid { nearest, size, .. } = self.around;
        let way = nearest.clamp(0.0, travel);
        let direction = self.around.toward(way);
        let square = direction.dot(self.between + self.along * way);
        // The sum of the ellipsoids has at least half the size of the one around it.
        if square < 0.5 * size {
            return None;
        }
        let [radius_a, radius_b] = self.radii(direction);
        (square > radius_a + radius_b).then_some(direction)
    }

    #[inline]
    fn radii(&self, direction: DVec3) -> [f64; 2] {
        [self.of_a, self.of_b].map(|shape| direction.dot(shape * direction).sqrt())
    }

    /// Along it the ellipsoid is lowest where the line enters.
    #[inline]
    pub fn toward_entry(&self) -> DVec3 {
        self.around.toward(self.around.entry)
    }

    /// Where the ellipsoid is lowest beside the entry, for two directions across the motion.
    #[inline]
    pub fn beside(&self, across: [DVec3; 2], share_squared: f64) -> Beside {
        let toward = self.toward_entry();
        let flatter = toward.dot(self.along).recip();
        let reach = share_squared * self.around.size;
        let steps = across.map(|across| {
            // Back onto the surface.
            let tangent = across - self.along * (toward.dot(across) * flatter);
            let shift = self.around.inverse * tangent;
            shift * (reach / shift.dot(tangent)).sqrt()
        });
        // Flat along the motion: no telling.
        let is_known = steps.iter().all(|step| step.is_finite());
        Beside { toward, steps: if is_known { steps } else { [DVec3::ZERO; 2] } }
    }
}

/// Directions along which the ellipsoid is lowest beside the entry.
pub(super) struct Beside {
    toward: DVec3,
    /// For each direction across the motion, what leads a share of the size away.
    steps: [DVec3; 2],
}

impl Beside {
    /// Along a direction across the motion, given by its two parts: near the diamond through the ends of the steps.
    #[inline]
    pub fn toward(&self, across: DVec2) -> DVec3 {
        let part = across / (across.x.abs() + across.y.abs());
        self.toward + (self.steps[0] * part.x + self.steps[1] * part.y)
    }
}

impl Ellipsoid {
    #[inline]
    fn new(shape: DMat3, between: DVec3, along: DVec3) -> Ellipsoid {
        let DMat3 { x_axis, y_axis, z_axis } = shape;
        let inverse = DMat3::from_cols(y_axis.cross(z_axis), z_axis.cross(x_axis), x_axis.cross(y_axis));
        let (line, centre, size) = (inverse * along, inverse * between, x_axis.dot(inverse.x_axis));
        let curve = line.dot(along).recip();
        let fall = line.dot(between);
        let nearest = -fall * curve;
        let least = between.dot(centre) + fall * nearest;
        let entry = nearest - ((size - least) * curve).max(0.0).sqrt();
        // Flat along the motion: no telling.
        let (nearest, entry) = if entry.is_finite() { (nearest, entry) } else { (0.0, 0.0) };
        Ellipsoid { inverse, size, line, centre, nearest, entry }
    }

    /// `inverse` times the way from a point of the line to the centre.
    #[inline]
    fn toward(&self, way: f64) -> DVec3 {
        self.centre + self.line * way
    }
}
