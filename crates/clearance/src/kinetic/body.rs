//! Bodies of a planar simulation.

use super::hierarchy::{Hierarchy, Inflated, Inflation};
use super::motion::Plan;
use super::outline::Outline;
use crate::planar::{Polygon, PolygonError};
use glam::DVec2;
use std::sync::{Arc, OnceLock};

/// A convex polygon with what certificates need of it, made when it is first needed: `O(n)` space however many pairs it is in.
#[derive(Clone, Debug)]
pub struct Shape {
    polygon: Polygon,
    outline: Outline,
    compass: OnceLock<Hierarchy>,
    dudley: OnceLock<Hierarchy>,
    inflated: OnceLock<Inflated>,
}

/// Which hierarchy of envelopes a method uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HierarchyKind {
    /// Directions of a regular lattice: few events on straight and convex paths.
    #[default]
    Compass,
    /// Dudley's construction: few events on all others.
    Dudley,
}

impl Shape {
    /// A convex polygon in its own coordinates.
    pub fn new(polygon: Polygon) -> Shape {
        let outline = Outline::new(&polygon);
        let (compass, dudley, inflated) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Shape { polygon, outline, compass, dudley, inflated }
    }

    /// The polygon, in its own coordinates.
    pub fn polygon(&self) -> &Polygon {
        &self.polygon
    }

    /// Its hierarchy of envelopes.
    pub fn hierarchy(&self, kind: HierarchyKind) -> &Hierarchy {
        match kind {
            HierarchyKind::Compass => self.compass.get_or_init(|| Hierarchy::compass(self.polygon.clone())),
            HierarchyKind::Dudley => self.dudley.get_or_init(|| Hierarchy::dudley(self.polygon.clone())),
        }
    }

    /// Its compass hierarchy with the paper's inflation.
    pub fn inflated(&self) -> &Inflated {
        self.inflated.get_or_init(|| {
            let compass = self.hierarchy(HierarchyKind::Compass).clone();
            Inflated::new(compass, self.polygon.diameter(), Inflation::default())
        })
    }

    pub(crate) fn outline(&self) -> &Outline {
        &self.outline
    }
}

/// A point, a segment or a convex polygon with its motion plan.
///
/// A body that is not convex takes part through its convex hull ([`Body::hull_of`]): at middle distance, where hulls do not
/// meet, nothing is lost. What is reported is then a collision of hulls, which the bodies themselves may survive; examine
/// them there by other means.
#[derive(Clone, Debug)]
pub struct Body {
    shape: Arc<Shape>,
    plan: Plan,
}

impl Body {
    /// A convex polygon in its own coordinates.
    pub fn new(polygon: Polygon, plan: Plan) -> Body {
        Body::of_shape(Arc::new(Shape::new(polygon)), plan)
    }

    /// A body of a shape that others may have, too.
    pub fn of_shape(shape: Arc<Shape>, plan: Plan) -> Body {
        Body { shape, plan }
    }

    /// The convex hull of points: a point, a segment, a polygon, or what stands for a body that is not convex.
    pub fn hull_of(points: &[DVec2], plan: Plan) -> Result<Body, PolygonError> {
        Ok(Body::new(Polygon::hull(points)?, plan))
    }

    /// The shape.
    pub fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }

    /// The polygon, in its own coordinates.
    pub fn polygon(&self) -> &Polygon {
        self.shape.polygon()
    }

    /// What it does.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    pub(crate) fn set_plan(&mut self, plan: Plan) {
        self.plan = plan;
    }

    pub(crate) fn outline(&self) -> &Outline {
        self.shape.outline()
    }
}
