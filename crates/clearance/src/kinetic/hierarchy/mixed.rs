//! The mixed hierarchy: cells between sums of envelopes, never built [Erickson99 §4].

use super::boomerang::{Corner, EdgeId, Hierarchy, TriangleId};
use super::envelope::{Found, Order};
use super::mixed_cell::{End, MixedCell};
use super::pair::{Body, Contact, HierarchyPair, SideOf};
use super::tiling::Tiling;
use crate::planar::{Placement, Point};

/// What a search cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MixedCount {
    /// Sums of envelopes that the placement was tested against.
    pub sums: u32,
    /// Edges that were asked where something lies.
    pub edges: u32,
    /// Supports in envelopes, each of which compares directions level by level.
    pub supports: u32,
    /// Signs that a walk asked for.
    pub signs: u32,
}

/// The mixed hierarchy of two bodies at one placement: implicit, `O(1)` space beyond the two hierarchies.
///
/// Sum `2i` is that of the envelopes of level `i`; sum `2i + 1` has `A` one level finer. Between two sums, at a step, every corner of one
/// body is cut: this adds the triangle of its own hierarchy and one parallelogram for each edge of the other body at the corner.
///
/// ```
/// use clearance::{glam::DVec2, kinetic::hierarchy::{Hierarchy, Mixed}, planar::{Placement, Point, Polygon}};
/// let points = [(0.0, 0.0), (2.0, 0.3), (1.0, 1.5)].map(|(x, y)| DVec2::new(x, y));
/// let hierarchy = Hierarchy::compass(Polygon::hull(&points)?);
/// let placement = Placement::turn(0.4, Point::from(DVec2::new(1.9, 0.9)));
/// let mixed = Mixed::new(&hierarchy, &hierarchy, placement);
/// let contact = mixed.separation(&mixed.locate()).expect("they are disjoint");
/// assert!(mixed.pair().side(&contact).is_positive());
/// # Ok::<(), clearance::planar::PolygonError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mixed<'a> {
    pair: HierarchyPair<'a>,
    /// A point in the sum of `A` and `-B`, inside if that has an inside.
    origin: Point,
    /// From there to the translation of `B`, in the frame of `A`, and turned as directions of `-B` are in its own frame.
    rays: [Point; 2],
    /// The last sum: that of the bodies themselves.
    last: u32,
}

impl<'a> Mixed<'a> {
    /// The mixed hierarchy for `B` at a placement in the frame of `A`.
    pub fn new(a: &'a Hierarchy, b: &'a Hierarchy, b_to_a: Placement) -> Mixed<'a> {
        let origin = a.inner_point().minus(&b_to_a.rotated(&b.inner_point()));
        let ray = b_to_a.shift().minus(&origin);
        let turned = b_to_a.rotated_back(&ray).negated();
        let last = 2 * a.depth().max(b.depth());
        Mixed { pair: HierarchyPair::new(a, b, b_to_a), origin, rays: [ray, turned], last }
    }

    /// The two hierarchies and where they are.
    pub fn pair(&self) -> &HierarchyPair<'a> {
        &self.pair
    }

    /// The number of steps from the sum of the rectangles to that of the bodies.
    pub fn steps(&self) -> u32 {
        self.last
    }

    /// The cell that holds the placement. Exact; `O(log steps)` sums are tested, each with `O(level)` edges of both bodies.
    pub fn locate(&self) -> MixedCell {
        self.locate_from(0, &mut MixedCount::default())
    }

    /// The same, from a step near that of the cell: steps at growing distances are tried until the cell is between two.
    ///
    /// `O(log n)` edges are asked for each sum that is tested, and each edge of `A` takes a support in `B`: `O(log^2 n)` comparisons of
    /// directions. For a neighbour there is [`walk_from`](Mixed::walk_from).
    pub fn locate_from(&self, step: u32, count: &mut MixedCount) -> MixedCell {
        // Outside sum `high` and in sum `low`, once both are known.
        let (mut low, mut high, mut stride) = (step.min(self.last), step.min(self.last), 1);
        match self.outside(low, count) {
            Some(mut contact) => loop {
                if high == 0 {
                    return MixedCell::Outer(contact);
                }
                low = high.saturating_sub(stride);
                match self.outside(low, count) {
                    Some(found) => (high, contact) = (low, found),
                    None => break,
                }
                stride *= 2;
            },
            None => loop {
                if low == self.last {
                    return MixedCell::Inside;
                }
                high = (low + stride).min(self.last);
                if self.outside(high, count).is_some() {
                    break;
                }
                (low, stride) = (high, 2 * stride);
            },
        }
        while high - low > 1 {
            let middle = low.midpoint(high);
            if self.outside(middle, count).is_some() { high = middle } else { low = middle }
        }
        self.cell_of_step(low, count)
    }

    /// The step of a cell: a start for the next search.
    pub fn step_of(&self, cell: &MixedCell) -> u32 {
        self.tiling().step_of(cell)
    }

    pub(super) fn tiling(&self) -> Tiling<'a> {
        Tiling { hierarchies: [Body::A, Body::B].map(|body| self.pair.hierarchy(body)) }
    }

    /// The level of a body's envelope in a sum.
    pub(super) fn level(&self, body: Body, sum: u32) -> u32 {
        self.tiling().level(body, sum)
    }

    /// An edge of a sum and the vertex that supports it, with the placement outside; none if the placement lies in the sum.
    fn outside(&self, sum: u32, count: &mut MixedCount) -> Option<Contact> {
        self.exit(sum, count).filter(|contact| self.pair.side(contact).is_positive())
    }

    /// Where the ray leaves a sum of envelopes. Along the edges whose normals are less than a quarter turn away from the ray,
    /// vertices go from right of the ray to left of it. None if the ray has no length.
    fn exit(&self, sum: u32, count: &mut MixedCount) -> Option<Contact> {
        count.sums += 1;
        if self.rays[0].x().is_zero() && self.rays[0].y().is_zero() {
            return None;
        }
        let (a, level) = (self.pair.hierarchy(Body::A), self.level(Body::A, sum));
        let level_b = self.level(Body::B, sum);
        let found = a.search(level, |edge| {
            count.edges += 1;
            let side = SideOf { body: Body::A, edge };
            self.order_of_normal(side).unwrap_or_else(|| {
                count.supports += 1;
                let corner = self.pair.support(level_b, side);
                let contact = Contact { body: Body::A, edge, corner };
                self.order_of_edge(level, &contact)
            })
        });
        let corner = match found {
            Found::Edge(edge) => {
                count.supports += 1;
                let corner = self.pair.support(level_b, SideOf { body: Body::A, edge });
                return Some(Contact { body: Body::A, edge, corner });
            }
            Found::Corner(corner) => corner,
        };
        let found = self.pair.hierarchy(Body::B).search(level_b, |edge| {
            count.edges += 1;
            let side = SideOf { body: Body::B, edge };
            self.order_of_normal(side)
                .or_else(|| self.order_of_cone(side, &corner))
                .unwrap_or_else(|| self.order_of_edge(level_b, &Contact { body: Body::B, edge, corner }))
        });
        match found {
            Found::Edge(edge) => Some(Contact { body: Body::B, edge, corner }),
            // The ray runs along an edge, or the sum is flat: it ends where the last edge near the ray does.
            Found::Corner(other) => {
                let [first, last] = [corner.left, other.left];
                let is_later = self
                    .pair
                    .is_before(SideOf { body: Body::A, edge: first }, SideOf { body: Body::B, edge: last });
                if is_later {
                    return Some(Contact { body: Body::B, edge: last, corner });
                }
                count.supports += 1;
                let corner = self.pair.support(level_b, SideOf { body: Body::A, edge: first });
                Some(Contact { body: Body::A, edge: first, corner })
            }
        }
    }

    /// Where the exit lies if an edge's normal is a quarter turn or more away from the ray.
    fn order_of_normal(&self, side: SideOf) -> Option<Order> {
        if self.is_near(side) {
            return None;
        }
        let line = self.pair.hierarchy(side.body).line(side.edge);
        let is_left = line.turn_to(&self.rays[side.body as usize]).is_negative();
        Some(if is_left { Order::Before } else { Order::After })
    }

    /// Whether an edge's normal is less than a quarter turn away from the ray.
    fn is_near(&self, side: SideOf) -> bool {
        let line = self.pair.hierarchy(side.body).line(side.edge);
        line.along(&self.rays[side.body as usize]).is_positive()
    }

    /// Where the exit lies if an edge of `B`, its normal near the ray, does not stand at the corner of `A` where the exit is.
    fn order_of_cone(&self, side: SideOf, corner: &Corner) -> Option<Order> {
        let [left, right] = [corner.left, corner.right].map(|edge| SideOf { body: Body::A, edge });
        if self.pair.is_before(left, side) && self.pair.is_before(side, right) {
            return None;
        }
        // One edge of the corner has its normal near the ray, too: less than a half turn from this one.
        let is_after_exit = if self.is_near(left) {
            !self.pair.is_before(side, left)
        } else {
            self.pair.is_before(right, side)
        };
        Some(if is_after_exit { Order::Before } else { Order::After })
    }

    /// Where the exit lies as seen from an edge of the sum whose normal is near the ray.
    fn order_of_edge(&self, level: u32, contact: &Contact) -> Order {
        let hierarchy = self.pair.hierarchy(contact.body);
        let other = self.pair.hierarchy(contact.body.other()).vertex(&contact.corner);
        let is_left = |corner: Corner| {
            let vertex = hierarchy.vertex(&corner);
            let (of_a, of_b) = if contact.body == Body::A { (vertex, other) } else { (other, vertex) };
            self.pair.difference_turn(&self.rays[0], of_a, of_b, &self.origin).is_positive()
        };
        if is_left(hierarchy.corner_before(contact.edge, level)) {
            Order::Before
        } else if is_left(hierarchy.corner_after(contact.edge, level)) {
            Order::Here
        } else {
            Order::After
        }
    }

    /// The cell of a step that holds the placement, which lies in the sum before the step and not in the one after it.
    fn cell_of_step(&self, step: u32, count: &mut MixedCount) -> MixedCell {
        let body = if step.is_multiple_of(2) { Body::A } else { Body::B };
        let level = step / 2;
        let hierarchy = self.pair.hierarchy(body);
        let Some(contact) = self.exit(step + 1, count) else { return MixedCell::Inside };
        // The edge through which the ray leaves the finer sum stands at the corner that is cut, or is the cut.
        let triangle = if contact.body == body {
            hierarchy.edge(contact.edge).owner()
        } else {
            hierarchy.coarser(&contact.corner, level + 1).below
        };
        triangle.map_or(MixedCell::Inside, |triangle| self.cell_at(step, body, triangle, count))
    }

    /// Which of the cells that one cut adds holds the placement.
    fn cell_at(&self, step: u32, body: Body, triangle: TriangleId, count: &mut MixedCount) -> MixedCell {
        let cut = self.pair.hierarchy(body).triangle(triangle);
        let level = self.level(body.other(), step);
        let side = |edge: EdgeId| SideOf { body, edge };
        count.supports += 1;
        let corner = self.pair.support(level, side(cut.cut()));
        let is_outside =
            |edge: EdgeId, corner: Corner| self.pair.side(&Contact { body, edge, corner }).is_positive();
        let (end, along) = if is_outside(cut.left(), corner) {
            (End::First, cut.left())
        } else if is_outside(cut.right(), corner) {
            (End::Last, cut.right())
        } else {
            return MixedCell::Triangle { body, triangle, corner };
        };
        let [from, to] = match end {
            End::First => [side(cut.left()), side(cut.cut())],
            End::Last => [side(cut.cut()), side(cut.right())],
        };
        let other = self.pair.hierarchy(body.other());
        let found = other.search(level, |edge| {
            count.edges += 1;
            let this = SideOf { body: body.other(), edge };
            if !self.pair.is_before(from, this) {
                return Order::After;
            }
            if !self.pair.is_before(this, to) {
                return Order::Before;
            }
            // Toward the cut the vertices go outside the edge that the corner slides along.
            let outside = [other.corner_before(edge, level), other.corner_after(edge, level)]
                .map(|c| is_outside(along, c));
            match (end, outside) {
                (_, [false, true]) | (_, [true, false]) => Order::Here,
                (End::First, [true, true]) | (End::Last, [false, false]) => Order::Before,
                (End::First, [false, false]) | (End::Last, [true, true]) => Order::After,
            }
        });
        match found {
            Found::Edge(edge) => MixedCell::Parallelogram { body, triangle, end, edge },
            Found::Corner(corner) => MixedCell::Triangle { body, triangle, corner },
        }
    }
}
