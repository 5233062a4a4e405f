//! Envelopes moved outward, so that what is outside them stays separated for a while [Erickson99 §6].

use super::boomerang::{Corner, EdgeId, Hierarchy};
use super::envelope::{Found, Order};
use super::locate::Cell;
use crate::planar::{Line, Point, exact};
use glam::DVec2;

/// How envelopes are inflated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inflation {
    /// The offset of a layer over that of the layer outside it, in `(0, 1)`. The paper has one half.
    pub ratio: f64,
    /// Halvings of the envelopes' error below the offset: a layer takes an envelope this many levels finer than the paper's.
    pub refinement: u32,
}

impl Default for Inflation {
    fn default() -> Inflation {
        Inflation { ratio: 0.5, refinement: 0 }
    }
}

impl Inflation {
    /// After an event at distance `d` the separating line is at least `d / beta` away [Erickson99 Lemma 6.1].
    ///
    /// A point inside the next layer out is at most `offset / cos(f/2)` from that envelope, with corners that turn by at most
    /// `f = 90 / 2^refinement` degrees, and the envelope at most `offset / 2^refinement` from the polygon. The paper's
    /// `2 (1 + sqrt 2)` for one half and no refinement; toward 1 as the ratio goes to 1 and the refinement grows.
    pub fn beta(&self) -> f64 {
        let half_turn = 0.25 * std::f64::consts::PI * 0.5f64.powi(self.refinement as i32);
        (1.0 / half_turn.cos() + 0.5f64.powi(self.refinement as i32)) / self.ratio
    }

    /// The clearance of disks that a path is covered by, `2 beta + 1` [Erickson99 Theorem 6.2].
    pub fn kappa(&self) -> f64 {
        2.0 * self.beta() + 1.0
    }
}

/// An inflated envelope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer {
    /// The envelope.
    pub level: u32,
    /// How far its edges are moved outward.
    pub offset: f64,
}

/// A cell of the complex between inflated envelopes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InflatedCell {
    /// Outside the first layer, farthest beyond this edge of it.
    Outer(EdgeId),
    /// Outside this layer and inside the one before: a trapezoid or a triangle on this edge of it, bounded by lines from the ends of
    /// the edge to the vertices of the layer before.
    Between {
        /// The inner layer.
        layer: u32,
        /// Its edge.
        edge: EdgeId,
    },
    /// Inside all layers: the cell of the hierarchy itself. Here nothing is promised about the next event.
    Near(Cell),
}

/// A hierarchy with its envelopes moved outward; `O(n)` space, no breakpoints are stored.
///
/// Layers are looked for in floats near the polygon; that the edge of a cell separates the point, by the offset of its layer, is exact. So
/// a point within rounding of a cell's boundary may be given to a neighbour, never to an edge that does not separate it.
///
/// Differs from the paper: 1. Offsets are multiples of float lengths of normals, exact to rounding. 2. Outside the first layer the edge
/// farthest from the point is taken, which keeps the promise there, too. 3. Layers need not be one a level.
#[derive(Clone, Debug)]
pub struct Inflated {
    hierarchy: Hierarchy,
    inflation: Inflation,
    layers: Vec<Layer>,
    /// Where the floats have their origin: a vertex.
    anchor: Point,
    /// A point inside, seen from there.
    centre: DVec2,
    units: Vec<Unit>,
    /// The apexes of the triangles and the vertices of the polygon, seen from the anchor.
    apexes: Vec<DVec2>,
    vertices: Vec<DVec2>,
}

/// The line of an edge as `normal . x = height`, seen from the anchor.
#[derive(Clone, Copy, Debug)]
struct Unit {
    normal: DVec2,
    height: f64,
    /// The length of the exact normal, rounded.
    length: f64,
}

impl Inflated {
    /// Inflates a compass hierarchy. Offsets start at half of `scale`, or of the diameter if that is larger: for a pair of bodies give
    /// the larger diameter. They end where the regular directions do.
    ///
    /// A ratio outside `(0, 1)` or not finite is taken as one half.
    pub fn new(hierarchy: Hierarchy, scale: f64, inflation: Inflation) -> Inflated {
        let is_usable = inflation.ratio > 0.0 && inflation.ratio < 1.0;
        let inflation = if is_usable { inflation } else { Inflation { ratio: 0.5, ..inflation } };
        let layers = layers(&hierarchy, scale.max(hierarchy.diameter()), &inflation);
        let anchor = hierarchy.polygon().points()[0].clone();
        let units = hierarchy.edges().iter().map(|edge| unit(edge.line(), &anchor)).collect();
        let seen = |p: &Point| p.minus(&anchor).near();
        let centre = seen(&hierarchy.inner_point());
        let apexes = hierarchy.triangles().iter().map(|triangle| seen(triangle.apex())).collect();
        let vertices = hierarchy.polygon().points().iter().map(seen).collect();
        Inflated { hierarchy, inflation, layers, anchor, centre, units, apexes, vertices }
    }

    /// The hierarchy.
    pub fn hierarchy(&self) -> &Hierarchy {
        &self.hierarchy
    }

    /// How it is inflated.
    pub fn inflation(&self) -> &Inflation {
        &self.inflation
    }

    /// The layers, from the outside in.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The constant of [`Inflation::beta`] that this polygon's layers have: larger where it has too few regular levels for the
    /// refinement asked for, never larger than without refinement.
    pub fn beta(&self) -> f64 {
        let regular = self.hierarchy.lattice_levels();
        let of_layer = |layer: &Layer| {
            let turn = 0.5 * std::f64::consts::PI * 0.5f64.powi(layer.level.min(regular) as i32);
            let error =
                if layer.level < self.hierarchy.depth() { error(&self.hierarchy, layer.level) } else { 0.0 };
            let relative = if layer.offset > 0.0 { error / layer.offset } else { 0.0 };
            (1.0 / (0.5 * turn).cos() + relative) / self.inflation.ratio
        };
        self.layers.iter().map(of_layer).fold(1.0, f64::max)
    }

    /// The line of an edge, moved outward by the offset of a layer.
    pub fn line(&self, layer: u32, edge: EdgeId) -> Line {
        let amount = exact(self.layers[layer as usize].offset) * exact(self.units[edge.0 as usize].length);
        self.hierarchy.line(edge).shifted(&amount)
    }

    /// The cell that holds a point. `O(log layers)` layers are tried, each in `O(level)`.
    pub fn locate(&self, p: &Point) -> InflatedCell {
        let near = p.minus(&self.anchor).near();
        if let Some(edge) = self.farthest(p, near) {
            return InflatedCell::Outer(edge);
        }
        // Outside layer `high`, inside layer `low`.
        let (mut low, mut high, mut edge) = (0, self.layers.len() as u32, None);
        while high - low > 1 {
            let middle = low.midpoint(high);
            match self.exit_edge(middle, p, near) {
                Some(found) => (high, edge) = (middle, Some(found)),
                None => low = middle,
            }
        }
        match edge {
            Some(edge) => InflatedCell::Between { layer: high, edge: self.beside(high, edge, p, near) },
            None => InflatedCell::Near(self.hierarchy.locate(p)),
        }
    }

    /// The edge of an envelope that separates the points of a cell from the polygon.
    pub fn separating_edge(&self, cell: InflatedCell) -> Option<EdgeId> {
        match cell {
            InflatedCell::Outer(edge) | InflatedCell::Between { edge, .. } => Some(edge),
            InflatedCell::Near(cell) => self.hierarchy.separating_edge(cell),
        }
    }

    /// The level of the envelope of a cell's edge.
    pub fn level(&self, cell: InflatedCell) -> Option<u32> {
        match cell {
            InflatedCell::Outer(_) => self.layers.first().map(|layer| layer.level),
            InflatedCell::Between { layer, .. } => Some(self.layers[layer as usize].level),
            InflatedCell::Near(cell) => {
                self.hierarchy.separating_edge(cell).map(|edge| self.hierarchy.edge(edge).birth())
            }
        }
    }

    /// The vertices of a cell between two layers, counter-clockwise: four of a trapezoid, three of a triangle.
    pub fn outline(&self, layer: u32, edge: EdgeId) -> Vec<DVec2> {
        let at = |point: DVec2| point + self.anchor.near();
        let [start, end] = self.ends(layer, edge);
        let [from, to] = [start, end].map(|corner| self.corner(&corner, self.layers[layer as usize].offset));
        let [outer_start, outer_end] = [start, end].map(|corner| self.outer_corner(layer, &corner));
        let offset = self.layers[layer as usize - 1].offset;
        let mut outline = vec![at(from), at(self.corner(&outer_start, offset))];
        if outer_end != outer_start {
            outline.push(at(self.corner(&outer_end, offset)));
        }
        outline.push(at(to));
        outline
    }

    /// The vertices of a layer, counter-clockwise.
    pub fn layer_outline(&self, layer: u32) -> Vec<DVec2> {
        let Layer { level, offset } = self.layers[layer as usize];
        let edges = self.hierarchy.envelope(level);
        let vertex = |edge: EdgeId| self.corner(&self.hierarchy.corner_after(edge, level), offset);
        edges.into_iter().map(|edge| vertex(edge) + self.anchor.near()).collect()
    }

    /// Whether a point is outside the moved line of an edge, exactly.
    fn is_outside(&self, layer: u32, edge: EdgeId, p: &Point) -> bool {
        self.line(layer, edge).side(p).is_positive()
    }

    /// The edge of the first layer's envelope that a point outside that layer is farthest from.
    fn farthest(&self, p: &Point, near: DVec2) -> Option<EdgeId> {
        let edges = self.hierarchy.envelope(self.layers.first()?.level);
        let beyond = |edge: &EdgeId| {
            let unit = &self.units[edge.0 as usize];
            unit.normal.dot(near) - unit.height
        };
        let farthest = edges.into_iter().max_by(|e, f| beyond(e).total_cmp(&beyond(f)))?;
        self.is_outside(0, farthest, p).then_some(farthest)
    }

    /// The edge through which the ray from the centre to a point leaves a layer, if the point is outside that edge.
    fn exit_edge(&self, layer: u32, p: &Point, near: DVec2) -> Option<EdgeId> {
        let Layer { level, offset } = self.layers[layer as usize];
        let ray = near - self.centre;
        let is_left = |corner: Corner| ray.perp_dot(self.corner(&corner, offset) - self.centre) > 0.0;
        let found = self.hierarchy.search(level, |edge| {
            let normal = self.units[edge.0 as usize].normal;
            if normal.dot(ray) <= 0.0 {
                return if ray.perp_dot(normal) > 0.0 { Order::Before } else { Order::After };
            }
            if is_left(self.hierarchy.corner_before(edge, level)) {
                Order::Before
            } else if is_left(self.hierarchy.corner_after(edge, level)) {
                Order::Here
            } else {
                Order::After
            }
        });
        let candidates = match found {
            Found::Edge(edge) => [edge; 2],
            Found::Corner(corner) => [corner.left, corner.right],
        };
        candidates.into_iter().find(|&edge| self.is_outside(layer, edge, p))
    }

    /// The edge of the cell that holds a point between two layers, walking from an edge nearby. The lines between the layers do not
    /// cross, so the walk goes one way; where rounding or the exact side disagrees it stays with the last edge that separates.
    fn beside(&self, layer: u32, from: EdgeId, p: &Point, near: DVec2) -> EdgeId {
        let (mut edge, mut last_step) = (from, Order::Here);
        for _ in 0..self.units.len() {
            let [start, end] = self.ends(layer, edge);
            let step = if self.turn(layer, &start, near) < 0.0 {
                Order::Before
            } else if self.turn(layer, &end, near) > 0.0 {
                Order::After
            } else {
                break;
            };
            let next = if step == Order::Before { start.left } else { end.right };
            let is_back = last_step != Order::Here && step != last_step;
            if is_back || !self.is_outside(layer, next, p) {
                break;
            }
            (edge, last_step) = (next, step);
        }
        edge
    }

    /// The corners at the ends of an edge of a layer.
    fn ends(&self, layer: u32, edge: EdgeId) -> [Corner; 2] {
        let level = self.layers[layer as usize].level;
        [self.hierarchy.corner_before(edge, level), self.hierarchy.corner_after(edge, level)]
    }

    /// On which side of the line from a corner of a layer to that of the layer before a point lies: positive to the left.
    fn turn(&self, layer: u32, corner: &Corner, p: DVec2) -> f64 {
        let inner = self.corner(corner, self.layers[layer as usize].offset);
        let outer = self.corner(&self.outer_corner(layer, corner), self.layers[layer as usize - 1].offset);
        (outer - inner).perp_dot(p - inner)
    }

    /// The corner of the layer before that a corner of a layer was cut from.
    fn outer_corner(&self, layer: u32, corner: &Corner) -> Corner {
        let [inner, outer] = [layer, layer - 1].map(|layer| self.layers[layer as usize].level);
        let mut found = *corner;
        for level in (outer + 1..=inner).rev() {
            found = self.hierarchy.coarser(&found, level);
        }
        found
    }

    /// Where the edges of a corner meet when both are moved outward; seen from the anchor.
    fn corner(&self, corner: &Corner, offset: f64) -> DVec2 {
        let [l, r] = [corner.left, corner.right].map(|edge| self.units[edge.0 as usize]);
        // From the vertex, both lines are `offset` away: the shift is along the sum of the normals.
        let vertex = match corner.below {
            Some(id) => self.apexes[id.0 as usize],
            None => self.vertices[self.hierarchy.edge(corner.left).contact()[1]],
        };
        vertex + (l.normal + r.normal) * (offset / (1.0 + l.normal.dot(r.normal)))
    }
}

/// The layers from half the scale down to what the last regular envelope errs by on that scale.
fn layers(hierarchy: &Hierarchy, scale: f64, inflation: &Inflation) -> Vec<Layer> {
    let regular = hierarchy.lattice_levels();
    let allowed = 0.5f64.powi(inflation.refinement as i32);
    let least = 0.5f64.powi((regular + 1) as i32) * scale;
    let mut layers = Vec::new();
    let mut offset = 0.5 * scale;
    loop {
        // Where no regular envelope is near enough, the polygon itself is, and its corners turn no more.
        let level = (0..=regular)
            .find(|&level| error(hierarchy, level) <= allowed * offset)
            .unwrap_or(hierarchy.depth());
        // Of a coarse start, corners must turn little, too.
        let level = level.max(inflation.refinement.min(regular));
        layers.push(Layer { level, offset });
        offset *= inflation.ratio;
        if offset < least || offset == 0.0 {
            return layers;
        }
    }
}

/// How far the envelope of a regular level is from the polygon at most (Lemma 3.3a).
fn error(hierarchy: &Hierarchy, level: u32) -> f64 {
    0.5f64.powi((level + 1) as i32) * hierarchy.diameter()
}

fn unit(line: &Line, anchor: &Point) -> Unit {
    let normal = line.normal();
    // Scaled, so that squares neither overflow nor vanish.
    let largest = normal.abs().max_element();
    let scaled = normal / largest;
    let length = largest * scaled.length();
    let height = -(line.value(anchor).to_f64().value() / length);
    Unit { normal: scaled / scaled.length(), height, length }
}
