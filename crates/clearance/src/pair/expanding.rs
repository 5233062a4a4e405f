//! A polytope inside the Minkowski difference that grows outward corner by corner.
//!
//! It is at all times the exact convex hull of its corners, split into triangles: whether a corner lies beyond a
//! triangle is decided by floats where their error allows, else by exact signs. Zero is strictly inside.

use super::minkowski::{Corner, Minkowski};
use crate::exact::{BigQuotient, BigVector, Sign};
use crate::math::round::power_of_two;
use glam::DVec3;

/// `300u`; see [`Triangle::slack`].
const SLACK: f64 = 150.0 * f64::EPSILON;

/// Above `112 / 300`, and `20u`; see [`Triangle::lower`].
const TURN: f64 = 0.4;
const SLACK_OVER_ZERO: f64 = 10.0 * f64::EPSILON;

/// `64u`: slack of a triangle whose normal is the rounded exact one.
const SLACK_REFINED: f64 = 32.0 * f64::EPSILON;

/// Corners that most depths need.
const EXPECTED_CORNERS: usize = 32;

/// Normals shorter than the root of this may have lost bits to underflow.
const SMALLEST_SQUARE: f64 = power_of_two(-900);

/// A triangle of the surface, counter-clockwise seen from outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle {
    pub corners: [u32; 3],
    /// Across the edges from each corner to the next: triangle and the number of the edge there.
    neighbours: [(u32, u8); 3],
    /// Outward, unit length.
    pub normal: DVec3,
    /// How high the plane is over zero: `normal . corner`.
    height: f64,
    /// A height over the plane, computed as `normal . p - height`, is right within this.
    ///
    /// Proof, in units of the scale, where corners have length at most 1 and err by `6u` a coordinate: edges err
    /// by `23u`, their cross product `n` by `52u L`, `L` the longer edge; so the normal turns by at most
    /// `112u L / |n|` with its own rounding. That moves heights by `224u L / |n|`. Two corners, `11u` each, two
    /// products with the normal, `3u` each, and their difference, `2u`, add `30u <= 60u L / |n|`, as `|n| <= 2 L`:
    /// together below `300u L / |n|`.
    slack: f64,
    /// Not above the distance of the plane from zero, not scaled.
    ///
    /// The height is taken at the corner `m` nearest to zero: a normal that turns by `112u L / |n|` moves it by that times
    /// `|m|`, and `m`, `11u`, the product, `3u`, and the differences, `2u`, add less than `20u`. Bodies that hardly
    /// overlap have a triangle close to zero, and bounds that are as good as it is close.
    pub lower: f64,
    /// Not below it; infinite before it was refined.
    pub upper: f64,
    is_gone: bool,
}

impl Triangle {
    /// A place that is free.
    const GONE: Triangle = Triangle {
        corners: [0; 3],
        neighbours: [(0, 0); 3],
        normal: DVec3::ZERO,
        height: 0.0,
        slack: f64::INFINITY,
        lower: f64::INFINITY,
        upper: f64::INFINITY,
        is_gone: true,
    };

    pub fn is_refined(&self) -> bool {
        self.upper < f64::INFINITY
    }
}

/// The polytope; its buffers are reused from query to query.
#[derive(Clone, Debug, Default)]
pub(super) struct Expanding {
    pub corners: Vec<Corner>,
    /// The place of one that is gone is taken by a later one.
    triangles: Vec<Triangle>,
    /// The lower bound of each triangle that waits to be looked at, infinite for the others: so few are searched faster
    /// than kept in order.
    waiting: Vec<f64>,
    free: Vec<u32>,
    /// Triangles around the corner that was added last.
    made: Vec<u32>,
    horizon: Vec<(u32, u8)>,
    walk: Vec<(u32, u8)>,
}

impl Expanding {
    /// The hull of vertex pairs that surround zero (four to six of them).
    pub fn start(&mut self, minkowski: &Minkowski<'_>, pairs: &[(u32, u32)]) {
        self.corners.clear();
        self.triangles.clear();
        self.waiting.clear();
        self.free.clear();
        self.corners.reserve(EXPECTED_CORNERS);
        self.triangles.reserve(2 * EXPECTED_CORNERS);
        self.waiting.reserve(2 * EXPECTED_CORNERS);
        self.corners.extend(pairs.iter().map(|&pair| minkowski.corner(pair)));
        let [a, b, c, d] = self.tetrahedron(minkowski);
        // Edge k of a triangle goes from corner k to the next.
        let sides = [
            ([a, b, c], [(1, 0), (3, 2), (2, 0)]),
            ([b, a, d], [(0, 0), (2, 2), (3, 0)]),
            ([a, c, d], [(0, 2), (3, 1), (1, 1)]),
            ([b, d, c], [(1, 2), (2, 1), (0, 1)]),
        ];
        for (corners, neighbours) in sides {
            let triangle = self.triangle_of(minkowski, corners, neighbours);
            self.triangles.push(triangle);
            self.waiting.push(f64::INFINITY);
        }
        for rest in (0..self.corners.len() as u32).filter(|i| ![a, b, c, d].contains(i)) {
            let live = 0..self.triangles.len() as u32;
            let seen = live.into_iter().find(|&t| {
                !self.triangles[t as usize].is_gone && self.sees(minkowski, t, &self.corners[rest as usize])
            });
            if let Some(triangle) = seen {
                self.replace(minkowski, triangle, rest);
            }
        }
        for triangle in 0..self.triangles.len() as u32 {
            self.push(triangle, f64::INFINITY);
        }
    }

    /// Four corners that span a tetrahedron, ordered so that the first three are counter-clockwise seen from
    /// outside. Of pairs with zero strictly inside their hull some four do.
    fn tetrahedron(&self, minkowski: &Minkowski<'_>) -> [u32; 4] {
        let count = self.corners.len() as u32;
        let fours = (0..count).flat_map(|d| {
            (0..d).flat_map(move |c| (0..c).flat_map(move |b| (0..b).map(move |a| [a, b, c, d])))
        });
        for [a, b, c, d] in fours {
            let at = |i: u32| &self.corners[i as usize];
            match minkowski.filtered_orientation([at(a), at(b), at(c), at(d)]) {
                Sign::Negative => return [a, b, c, d],
                Sign::Positive => return [b, a, c, d],
                Sign::Zero => {}
            }
        }
        unreachable!("the hull of an overlap witness has an interior")
    }

    pub fn triangle(&self, triangle: u32) -> &Triangle {
        &self.triangles[triangle as usize]
    }

    /// All triangles of the surface.
    pub fn live(&self) -> impl Iterator<Item = &Triangle> {
        self.triangles.iter().filter(|t| !t.is_gone)
    }

    /// Numbers of all triangles of the surface.
    #[cfg(test)]
    pub fn live_numbers(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.triangles).filter(|(_, t)| !t.is_gone).map(|(number, _)| number)
    }

    /// The waiting triangle nearest to zero, which waits no longer.
    pub fn pop(&mut self) -> Option<u32> {
        let least = least(&self.waiting);
        if least == f64::INFINITY {
            return None;
        }
        let triangle = self.waiting.iter().position(|&lower| lower == least)?;
        self.waiting[triangle] = f64::INFINITY;
        Some(triangle as u32)
    }

    /// Lets a triangle wait, unless it is too far from zero to matter.
    pub fn push(&mut self, triangle: u32, upper: f64) {
        let Triangle { lower, is_gone, .. } = self.triangles[triangle as usize];
        let matters = !is_gone && lower < upper;
        self.waiting[triangle as usize] = if matters { lower } else { f64::INFINITY };
    }

    /// Whether a corner lies strictly beyond a triangle, exactly.
    #[inline]
    pub fn sees(&self, minkowski: &Minkowski<'_>, triangle: u32, corner: &Corner) -> bool {
        let Triangle { corners, normal, height, slack, .. } = &self.triangles[triangle as usize];
        let above = normal.dot(corner.point) - height;
        if above.abs() > *slack {
            return above > 0.0;
        }
        let [a, b, c] = corners.map(|i| &self.corners[i as usize]);
        minkowski.orientation([a, b, c, corner]).is_positive()
    }

    /// Adds a corner that sees a triangle: all it sees give way to triangles between their rim and the corner.
    pub fn expand(&mut self, minkowski: &Minkowski<'_>, seen: u32, corner: Corner, upper: f64) {
        let apex = self.corners.len() as u32;
        self.corners.push(corner);
        self.replace(minkowski, seen, apex);
        for i in 0..self.made.len() {
            self.push(self.made[i], upper);
        }
    }

    /// The triangles that a corner sees form a disc, because the hull is convex and the signs are exact.
    fn replace(&mut self, minkowski: &Minkowski<'_>, seen: u32, apex: u32) {
        self.find_horizon(minkowski, seen, apex);
        let count = self.horizon.len();
        self.take_places(count);
        for i in 0..count {
            let (hidden, edge) = self.horizon[i];
            let rim = &mut self.triangles[hidden as usize];
            let (to, from) = (rim.corners[edge as usize], rim.corners[(edge as usize + 1) % 3]);
            rim.neighbours[edge as usize] = (self.made[i], 0);
            let before = self.made[if i == 0 { count - 1 } else { i - 1 }];
            let after = self.made[if i + 1 == count { 0 } else { i + 1 }];
            let triangle =
                self.triangle_of(minkowski, [from, to, apex], [(hidden, edge), (after, 2), (before, 1)]);
            self.triangles[self.made[i] as usize] = triangle;
        }
    }

    /// Places for new triangles; what is there is gone.
    fn take_places(&mut self, count: usize) {
        self.made.clear();
        for _ in 0..count {
            let place = self.free.pop().unwrap_or_else(|| {
                self.triangles.push(Triangle::GONE);
                self.waiting.push(f64::INFINITY);
                self.triangles.len() as u32 - 1
            });
            self.made.push(place);
        }
    }

    fn remove(&mut self, triangle: u32) {
        self.triangles[triangle as usize].is_gone = true;
        self.waiting[triangle as usize] = f64::INFINITY;
        self.free.push(triangle);
    }

    /// Walks over what the apex sees, depth first and always counter-clockwise, so that the rim comes in order.
    fn find_horizon(&mut self, minkowski: &Minkowski<'_>, seen: u32, apex: u32) {
        let apex = self.corners[apex as usize];
        self.horizon.clear();
        self.walk.clear();
        self.remove(seen);
        let [first, second, third] = self.triangles[seen as usize].neighbours;
        self.walk.extend([third, second, first]);
        while let Some((at, edge)) = self.walk.pop() {
            if self.triangles[at as usize].is_gone {
                continue;
            }
            if self.sees(minkowski, at, &apex) {
                self.remove(at);
                let triangle = &self.triangles[at as usize];
                let across = |k: u8| triangle.neighbours[(edge as usize + k as usize) % 3];
                self.walk.extend([across(2), across(1)]);
            } else {
                self.horizon.push((at, edge));
            }
        }
    }

    #[inline(always)]
    fn triangle_of(
        &self,
        minkowski: &Minkowski<'_>,
        corners: [u32; 3],
        neighbours: [(u32, u8); 3],
    ) -> Triangle {
        let [a, b, c] = corners.map(|i| self.corners[i as usize].point);
        let (ab, ac) = (b - a, c - a);
        let cross = ab.cross(ac);
        let square = cross.length_squared();
        // The sum of coordinates is not below the length, and needs no root.
        let longer = ab.abs().element_sum().max(ac.abs().element_sum());
        let is_sound = minkowski.trusted & (square > SMALLEST_SQUARE);
        let inverse = 1.0 / square.sqrt();
        let normal = cross * inverse;
        let slack = if is_sound { SLACK * longer * inverse } else { f64::INFINITY };
        let (near, length) = nearest([a, b, c]);
        let height = normal.dot(near);
        let slack_over_zero = TURN * slack * length + SLACK_OVER_ZERO;
        let lower = if is_sound { (height - slack_over_zero) * minkowski.size } else { f64::NEG_INFINITY };
        let upper = f64::INFINITY;
        Triangle { corners, neighbours, normal, height, slack, lower, upper, is_gone: false }
    }

    /// The outward normal of a triangle and its first corner, exactly and not scaled.
    pub fn exact_plane(&self, minkowski: &Minkowski<'_>, triangle: u32) -> (BigVector, BigVector) {
        let corners = self.triangles[triangle as usize].corners;
        let [a, b, c] = corners.map(|i| minkowski.exact(&self.corners[i as usize]));
        (b.minus(&a).cross(&c.minus(&a)), a)
    }

    /// Replaces the float plane of a triangle by the rounded exact one.
    #[cold]
    pub fn refine(&mut self, minkowski: &Minkowski<'_>, triangle: u32) {
        let (normal, corner) = self.exact_plane(minkowski, triangle);
        // Zero is strictly inside, so the height is positive.
        let numerator = normal.dot(&corner).squared();
        let distance_squared = BigQuotient { numerator, denominator: normal.dot(&normal) };
        let refined = &mut self.triangles[triangle as usize];
        (refined.lower, refined.upper) = distance_squared.root_bracket();
        refined.normal = normal.direction().normalize();
        refined.height = refined.normal.dot(self.corners[refined.corners[0] as usize].point);
        refined.slack = if minkowski.trusted { SLACK_REFINED } else { f64::INFINITY };
    }
}

/// The point nearest to zero by the sum of its coordinates, which is not below its length, and that sum.
#[inline(always)]
fn nearest(points: [DVec3; 3]) -> (DVec3, f64) {
    let [first, second, third] = points.map(|point| (point, point.abs().element_sum()));
    let nearer = |p: (DVec3, f64), q: (DVec3, f64)| if q.1 < p.1 { q } else { p };
    nearer(nearer(first, second), third)
}

/// The least of some numbers, infinite if there are none; four at a time.
fn least(numbers: &[f64]) -> f64 {
    let smaller = |a: f64, b: f64| if b < a { b } else { a };
    let (fours, rest) = numbers.as_chunks::<4>();
    let each = fours
        .iter()
        .fold([f64::INFINITY; 4], |least, four| std::array::from_fn(|lane| smaller(least[lane], four[lane])));
    each.iter().chain(rest).copied().fold(f64::INFINITY, smaller)
}
