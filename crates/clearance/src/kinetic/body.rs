//! Bodies of a planar simulation.

use super::motion::Plan;
use super::outline::Outline;
use crate::planar::{Polygon, PolygonError};
use glam::DVec2;

/// A point, a segment or a convex polygon with its motion plan.
///
/// A body that is not convex takes part through its convex hull ([`Body::hull_of`]): at middle distance, where hulls do not
/// meet, nothing is lost. What is reported is then a collision of hulls, which the bodies themselves may survive; examine
/// them there by other means.
#[derive(Clone, Debug)]
pub struct Body {
    polygon: Polygon,
    outline: Outline,
    plan: Plan,
}

impl Body {
    /// A convex polygon in its own coordinates.
    pub fn new(polygon: Polygon, plan: Plan) -> Body {
        Body { outline: Outline::new(&polygon), polygon, plan }
    }

    /// The convex hull of points: a point, a segment, a polygon, or what stands for a body that is not convex.
    pub fn hull_of(points: &[DVec2], plan: Plan) -> Result<Body, PolygonError> {
        Ok(Body::new(Polygon::hull(points)?, plan))
    }

    /// The polygon, in its own coordinates.
    pub fn polygon(&self) -> &Polygon {
        &self.polygon
    }

    /// What it does.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    pub(crate) fn set_plan(&mut self, plan: Plan) {
        self.plan = plan;
    }

    pub(crate) fn outline(&self) -> &Outline {
        &self.outline
    }
}
