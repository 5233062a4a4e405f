//! Up to three corners in single precision, and what becomes of them when a fourth comes: a step of searches that only
//! propose.
//!
//! The fourth lies beyond the part that was nearest to zero, so the part that is nearest now has it as a corner: it is one of
//! three triangles, one of three edges, or the corner itself. All triangles are looked at at once, in the lanes of vectors.
//! Where there are fewer corners, some are there twice; a triangle with two equal corners has no area and holds nothing, so
//! that any number of corners takes the same steps.

use super::single::{cross, square_of, sum_of};
use super::subdistance::{self, Simplex, VertexPairs};
use crate::support::in_single;
use wide::f32x4;

/// The lanes that are used, as bits.
const LANES: u32 = 0b111;

/// What six times the volume of zero and three corners may err by, for corners in units as [`super::single`] gives them.
///
/// Proof, with `e = 2^-24`. Corners are at most 3.5 long and err by `d = 120e`, edges between them by `2d + 13e`. So
/// `(p - s) x (q - s) . s` errs by `2 * 7 * 3.5 (2d + 13e) + 49 d`, and by its own rounding, of three products and two sums after two
/// products and a difference, by less than `2100e`: below `20500e`, two thirds of this.
///
/// Four corners `p`, `q`, `r`, `s` whose volumes with zero have the signs of `[q, r, s]`, `[r, p, s]`, `[p, q, s]` and opposite to
/// that of `[p, q, r]` surround zero, because `[q, r, s] p + [r, p, s] q + [p, q, s] r - [p, q, r] s = 0`. The exact corners are
/// images under one matrix of positive determinant, so signs are those in the world.
const VOLUME_ERROR: f32 = 1.0 / 512.0;

const ZERO: f32x4 = f32x4::new([0.0; 4]);

/// The part of the Minkowski difference that is nearest to zero so far.
pub(super) struct Triple {
    /// In each lane a corner, and the next one: edges to a new corner are then differences, and no more.
    corners: Lanes,
    next: Lanes,
    pairs: [(u32, u32); 3],
    /// The first so many corners are different ones.
    len: usize,
    /// On which side of three corners zero is: the sign of their volume with any point beyond them.
    side: f32x4,
    nearest: Nearest,
}

/// What a new corner led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A part that is nearer to zero.
    Nearer,
    /// Zero is inside, which is proved, by more than all rounding.
    Surrounded,
    /// Zero seems to be inside.
    Close,
    /// Nothing nearer, so far as rounding tells.
    Stuck,
}

/// The point of a part that is nearest to zero.
#[derive(Clone, Copy)]
struct Nearest {
    /// The point times some positive number.
    direction: f32x4,
    /// The square of its distance, as a quotient.
    numerator: f32,
    denominator: f32,
}

impl Triple {
    /// Of one corner.
    #[inline(always)]
    pub fn new(point: f32x4, pair: (u32, u32)) -> Triple {
        let corner = Lanes::splat(point);
        Triple {
            corners: corner,
            next: corner,
            pairs: [pair; 3],
            len: 1,
            side: ZERO,
            nearest: Nearest::corner(point),
        }
    }

    /// Of one or two corners, whatever is nearest to zero; the same as going on from the first to the second, and sooner.
    #[inline(always)]
    pub fn nearest_of(first: (f32x4, (u32, u32)), second: (f32x4, (u32, u32))) -> Triple {
        let ((point, pair), (new, new_pair)) = (first, second);
        let edge = point - new;
        let (length, along) = (square_of(edge), -sum_of(edge * new));
        if along <= 0.0 {
            return Triple::new(new, new_pair);
        }
        if along >= length {
            return Triple::new(point, pair);
        }
        let moment = cross(new, edge);
        let nearest =
            Nearest { direction: cross(edge, moment), numerator: square_of(moment), denominator: length };
        let (known, new) = (Lanes::splat(point), Lanes::splat(new));
        Triple {
            corners: known.with::<1>(&new),
            next: known.with::<0>(&new),
            pairs: [pair, new_pair, pair],
            len: 2,
            side: ZERO,
            nearest,
        }
    }

    /// Of at most three corners, all of which the part nearest to zero has.
    pub fn of(simplex: &Simplex, nearest: &subdistance::Nearest) -> Triple {
        let (direction, three) = (in_single(nearest.direction), simplex.three());
        let [p, q, r] = [0, 1, 2].map(|i| in_single(simplex.points[if i < simplex.len { i } else { 0 }]));
        let height = sum_of(cross(q - p, r - p) * direction);
        let side = if simplex.len == 3 { f32x4::splat(1f32.copysign(height)) } else { ZERO };
        let (numerator, denominator) = nearest.square.parts();
        let nearest = Nearest { direction, numerator: numerator as f32, denominator: denominator as f32 };
        let corners = Lanes::transposed([p, q, r]);
        Triple { corners, next: corners.next(), pairs: three, len: simplex.len, side, nearest }
    }

    /// The point nearest to zero, times some positive number.
    #[inline(always)]
    pub fn direction(&self) -> f32x4 {
        self.nearest.direction
    }

    #[inline(always)]
    pub fn has(&self, pair: (u32, u32)) -> bool {
        self.pairs.contains(&pair)
    }

    pub fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs[..self.len]
    }

    pub fn vertices(&self) -> VertexPairs {
        self.pairs().iter().fold(VertexPairs::default(), |all, &pair| all.with(pair))
    }

    /// A point between the corners.
    #[inline(always)]
    pub fn middle(&self) -> f32x4 {
        let [p, q, r] = [0, 1, 2].map(|lane| self.corners.lane(lane));
        (p + q + r) * f32x4::splat(1.0 / 3.0)
    }

    /// Goes on to the part with a new corner that is nearest to zero.
    #[inline(always)]
    pub fn advance(&mut self, new: f32x4, pair: (u32, u32)) -> Step {
        let corner = Lanes::splat(new);
        let edges = self.corners.minus(&corner);
        let (normals, moments) = (edges.cross(&self.next.minus(&corner)), corner.cross(&edges));
        // The triangle of a lane has the edges to its corner and to the next. What parts of them lead to the foot of zero?
        let (own, next, areas) =
            (-normals.dot(&moments.next()), normals.dot(&moments), normals.dot(&normals));
        let holds = own.simd_gt(ZERO) & next.simd_gt(ZERO) & (own + next).simd_lt(areas);
        // Is zero not on the side of the corner that is left?
        let heights = normals.dot(&corner);
        let outside = (heights * self.side).simd_ge(ZERO).to_bitmask() & LANES;
        let found = holds.to_bitmask() & outside;
        // Which one it is, is guessed by the processor, rather than waited for.
        if found & 1 != 0 {
            return self.advance_to_triangle::<0, 2, 1>(&corner, pair, &normals, heights, areas);
        }
        if found & 2 != 0 {
            return self.advance_to_triangle::<1, 0, 2>(&corner, pair, &normals, heights, areas);
        }
        if found & 4 != 0 {
            return self.advance_to_triangle::<2, 1, 0>(&corner, pair, &normals, heights, areas);
        }
        if outside != 0 {
            return self.advance_to_edge(new, pair, &edges, &moments);
        }
        let is_deep =
            (heights * self.side).simd_lt(f32x4::splat(-VOLUME_ERROR)).to_bitmask() & LANES == LANES;
        let is_beyond = self.nearest.numerator > VOLUME_ERROR * VOLUME_ERROR;
        if is_deep && is_beyond { Step::Surrounded } else { Step::Close }
    }

    /// Goes on to the triangle of a lane, which leaves out the corner of another, and that before it.
    #[inline(always)]
    fn advance_to_triangle<const LANE: usize, const LEFT: usize, const BEFORE: usize>(
        &mut self,
        new: &Lanes,
        pair: (u32, u32),
        normals: &Lanes,
        heights: f32x4,
        areas: f32x4,
    ) -> Step {
        let (normal, height) = (normals.lane(LANE), heights.to_array()[LANE]);
        let is_nearer = self.go_on(Nearest {
            direction: if height < 0.0 { -normal } else { normal },
            numerator: height * height,
            denominator: areas.to_array()[LANE],
        });
        if !is_nearer {
            return Step::Stuck;
        }
        // In place of the corner that the triangle leaves out.
        (self.corners, self.next) = (self.corners.with::<LEFT>(new), self.next.with::<BEFORE>(new));
        (self.pairs[LEFT], self.len) = (pair, 3);
        self.side = f32x4::splat(1f32.copysign(height));
        Step::Nearer
    }

    /// Goes on to an edge, or to the new corner alone.
    #[inline(always)]
    fn advance_to_edge(&mut self, new: f32x4, pair: (u32, u32), edges: &Lanes, moments: &Lanes) -> Step {
        let (lengths, along) = (edges.dot(edges), -edges.dot(&Lanes::splat(new)));
        let holds = (along.simd_gt(ZERO) & along.simd_lt(lengths)).to_bitmask() & LANES;
        let (squares, lengths) = (moments.dot(moments).to_array(), lengths.to_array());
        let mut best = None;
        for lane in (0..3).filter(|lane| holds >> lane & 1 == 1) {
            let is_nearer = |&other: &usize| squares[lane] * lengths[other] < squares[other] * lengths[lane];
            if best.as_ref().is_none_or(is_nearer) {
                best = Some(lane);
            }
        }
        let Some(lane) = best else {
            if !self.go_on(Nearest::corner(new)) {
                return Step::Stuck;
            }
            let corner = Lanes::splat(new);
            (self.corners, self.next, self.pairs, self.len, self.side) = (corner, corner, [pair; 3], 1, ZERO);
            return Step::Nearer;
        };
        let is_nearer = self.go_on(Nearest {
            direction: cross(edges.lane(lane), moments.lane(lane)),
            numerator: squares[lane],
            denominator: lengths[lane],
        });
        if !is_nearer {
            return Step::Stuck;
        }
        let (known, new, other) =
            (Lanes::splat(self.corners.lane(lane)), Lanes::splat(new), self.pairs[lane]);
        (self.corners, self.next) = (known.with::<1>(&new), known.with::<0>(&new));
        (self.pairs, self.len, self.side) = ([other, pair, other], 2, ZERO);
        Step::Nearer
    }

    #[inline(always)]
    fn go_on(&mut self, to: Nearest) -> bool {
        let is_nearer = to.numerator * self.nearest.denominator < self.nearest.numerator * to.denominator;
        self.nearest = to;
        is_nearer
    }
}

impl Nearest {
    #[inline(always)]
    fn corner(point: f32x4) -> Nearest {
        Nearest { direction: point, numerator: square_of(point), denominator: 1.0 }
    }
}

/// Three vectors, coordinate by coordinate.
#[derive(Clone, Copy)]
struct Lanes {
    x: f32x4,
    y: f32x4,
    z: f32x4,
}

impl Lanes {
    #[inline(always)]
    fn splat(vector: f32x4) -> Lanes {
        let [x, y, z, _] = vector.to_array().map(f32x4::splat);
        Lanes { x, y, z }
    }

    #[inline(always)]
    fn transposed(vectors: [f32x4; 3]) -> Lanes {
        let [p, q, r] = vectors.map(f32x4::to_array);
        let [x, y, z] = [0, 1, 2].map(|i| f32x4::new([p[i], q[i], r[i], r[i]]));
        Lanes { x, y, z }
    }

    /// In each lane the vector of the next.
    #[inline(always)]
    fn next(&self) -> Lanes {
        let next = |lanes: f32x4| {
            let [p, q, r, s] = lanes.to_array();
            f32x4::new([q, r, p, s])
        };
        Lanes { x: next(self.x), y: next(self.y), z: next(self.z) }
    }

    /// With one lane of others.
    #[inline(always)]
    fn with<const LANE: usize>(&self, other: &Lanes) -> Lanes {
        let with = |lanes: f32x4, other: f32x4| {
            let mut lanes = lanes.to_array();
            lanes[LANE] = other.to_array()[LANE];
            f32x4::new(lanes)
        };
        Lanes { x: with(self.x, other.x), y: with(self.y, other.y), z: with(self.z, other.z) }
    }

    #[inline(always)]
    fn minus(&self, other: &Lanes) -> Lanes {
        Lanes { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }

    #[inline(always)]
    fn lane(&self, lane: usize) -> f32x4 {
        let [x, y, z] = [self.x, self.y, self.z].map(|lanes| lanes.to_array()[lane]);
        f32x4::new([x, y, z, 0.0])
    }

    #[inline(always)]
    fn cross(&self, other: &Lanes) -> Lanes {
        Lanes {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    #[inline(always)]
    fn dot(&self, other: &Lanes) -> f32x4 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use glam::DVec3;

    fn in_double(point: f32x4) -> DVec3 {
        let [x, y, z, _] = point.to_array().map(f64::from);
        DVec3::new(x, y, z)
    }

    /// The distance of zero from the corners of a triple, by signed volumes in `f64`.
    fn distance(points: &[f32x4]) -> f64 {
        let mut simplex = Simplex::EMPTY;
        points.iter().enumerate().for_each(|(i, &p)| simplex.push(in_double(p), (i as u32, 0)));
        simplex.nearest().point().length()
    }

    fn points(triple: &Triple) -> Vec<f32x4> {
        (0..triple.len).map(|lane| triple.corners.lane(lane)).collect()
    }

    fn random_point(random: &mut Random, flatness: f64) -> f32x4 {
        let [x, y, z] = [1.0, 1.0, flatness].map(|size| random.range(-size, size) as f32);
        f32x4::new([x, y, z + 0.5, 0.0])
    }

    #[test]
    fn each_step_keeps_the_part_nearest_to_zero() {
        let mut random = Random::new(1);
        let (mut steps, mut surrounded) = (0, 0);
        for round in 0..20_000 {
            let flatness = [1.0, 0.1, 1e-2][round % 3];
            let point = random_point(&mut random, flatness);
            let mut triple = Triple::new(point, (0, 0));
            for number in 1..8 {
                let new = random_point(&mut random, flatness);
                // Only corners beyond the nearest part come to a search.
                let (at, direction) = (triple.corners.lane(0), in_double(triple.direction()).normalize());
                if direction.dot(in_double(new)) > direction.dot(in_double(at)) - 0.05 {
                    continue;
                }
                let mut corners = points(&triple);
                corners.push(new);
                let best = distance(&corners);
                if triple.advance(new, (number, 0)) != Step::Nearer {
                    surrounded += u32::from(best == 0.0);
                    assert!(best < 0.01, "{best} is not surrounded");
                    break;
                }
                steps += 1;
                let kept = distance(&points(&triple));
                assert!(kept - best < 1e-5, "{kept} {best}");
                assert!(triple.has((number, 0)));
                let length = in_double(triple.direction()).length();
                let height = in_double(triple.direction()).dot(in_double(triple.corners.lane(0))) / length;
                assert!((height - kept).abs() < 1e-4, "{height} along the direction, {kept}");
            }
        }
        println!("{steps} steps, zero surrounded {surrounded} times");
        assert!(steps > 10_000 && surrounded > 100);
    }

    #[test]
    fn two_corners_at_once_are_two_steps() {
        let mut random = Random::new(2);
        for _ in 0..2000 {
            let (first, second) = (random_point(&mut random, 1.0), random_point(&mut random, 1.0));
            let found = Triple::nearest_of((first, (0, 0)), (second, (1, 1)));
            let best = distance(&[first, second]);
            assert!((distance(&points(&found)) - best).abs() < 1e-5);
        }
    }
}
