//! Two prepared polytopes under two poses, as the float kernels see them.

use super::subdistance::{Simplex, VertexPairs};
use crate::math::Pose;
use crate::math::round::power_of_two;
use crate::support::{Extreme, Scan, SupportMap};
use crate::witness::PosedPair;
use glam::DVec3;
use wide::f64x2;

/// How much of the mean excess of shells a gap must be for them to be asked, by the sum of the coordinates of a direction,
/// which is 1 to 1.7 times its length.
const EXCESS: f64 = 0.75;

/// Directions whose largest coordinate is in this range lose nothing to underflow when they are turned, and their products with
/// lengths, which are below `2^303`, nothing to overflow.
const DIRECTIONS: std::ops::Range<f64> = power_of_two(-900)..power_of_two(600);

/// What a gap may lose to underflow: ten products, each by less than `2^-1074`.
const UNDERFLOW: f64 = f64::MIN_POSITIVE;

/// What heights of both bodies err by where all vertices are looked at, by the sizes of the bodies and the sum of the coordinates of a direction.
const SCAN_ERROR: f64 = 5.0 / (1 << 24) as f64;

/// Directions with sums of coordinates in this range lose nothing of note in single precision.
const IN_SINGLE: std::ops::Range<f64> = power_of_two(-60)..power_of_two(60);

/// Pairs smaller than this lose bits to underflow that bounds by the size of the pair do not count.
const SMALLEST_SCALE: f64 = power_of_two(-900);

/// What a kernel reads. Directions are in the world frame; they are turned into the frames of the bodies, so no
/// vertex but the two found is ever moved.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub a: &'a SupportMap,
    pub pose_a: &'a Pose,
    pub b: &'a SupportMap,
    pub pose_b: &'a Pose,
    /// The translation of B minus that of A, rounded once. Errors do not grow with the translations themselves:
    /// bodies that are far out are as good as bodies at the origin.
    offset: DVec3,
    /// Bounds every coordinate that a gap is computed from: its error is `32u |d|_1 scale`.
    scale: f64,
}

/// The vertices that support A from above and B from below along a direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Support {
    pub vertex_a: u32,
    pub vertex_b: u32,
    /// `d . (b - a)`, rounded; of no meaning where shells are the proof, and the vertices support nothing.
    pub gap: f64,
    /// Whether the exact gap is proved positive: then the bodies are disjoint, and the direction is the proof. The
    /// vertices may be tied with others that are exactly extreme.
    pub proves_disjoint: bool,
}

/// What proved that a direction separates, and is asked first in the next frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Proof {
    /// Two supporting vertices, none of whose neighbours lies beyond.
    #[default]
    Vertices,
    /// Ellipsoids around the bodies: enough for bodies that are well apart, whatever vertices support them.
    Shells,
}

/// A direction in the world and, turned back and rounded, in the frames of both bodies; in that of B negated.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Along {
    pub world: DVec3,
    pub a: DVec3,
    pub b: DVec3,
}

impl<'a> View<'a> {
    pub fn new(a: &'a SupportMap, pose_a: &'a Pose, b: &'a SupportMap, pose_b: &'a Pose) -> View<'a> {
        let offset = pose_b.translation() - pose_a.translation();
        let scale = a.reach() + b.reach() + offset.abs().max_element();
        View { a, pose_a, b, pose_b, offset, scale }
    }

    /// From the origin of A's frame to that of B's.
    #[inline]
    pub fn offset(&self) -> DVec3 {
        self.offset
    }

    /// A power of two that makes the pair about one in size.
    #[inline]
    pub fn unit(&self) -> f64 {
        let exponent = (self.scale.to_bits() >> 52).clamp(1, 2045);
        f64::from_bits((2046 - exponent) << 52)
    }

    pub fn pair(&self) -> PosedPair<'a> {
        PosedPair { a: self.a.polytope(), pose_a: self.pose_a, b: self.b.polytope(), pose_b: self.pose_b }
    }

    /// From the centroid of A to that of B: the first direction to try [Chung96 §3.4].
    pub fn between_centroids(&self) -> DVec3 {
        let (from, to) = (self.a.polytope().centroid(), self.b.polytope().centroid());
        self.pose_b.apply(to) - self.pose_a.apply(from)
    }

    /// From the centre of A's box to that of B's.
    pub fn between_boxes(&self) -> DVec3 {
        let (from, to) = (self.a.polytope().bounds().center(), self.b.polytope().bounds().center());
        self.pose_b.apply(to) - self.pose_a.apply(from)
    }

    /// The coordinate axis, towards B, along which the posed bodies overlap least or are farthest apart.
    pub fn least_overlap_axis(&self) -> DVec3 {
        let signed = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
        let gap = |axis: &DVec3| self.support(*axis, self.starts(*axis)).gap;
        signed.max_by(|x, y| gap(x).total_cmp(&gap(y))).unwrap_or(DVec3::X)
    }

    /// Whether both vertices exist: what is remembered may come from other bodies.
    pub fn has_vertices(&self, (vertex_a, vertex_b): (u32, u32)) -> bool {
        let count = |map: &SupportMap| map.polytope().vertices().len();
        (vertex_a as usize) < count(self.a) && (vertex_b as usize) < count(self.b)
    }

    /// Table vertices for a direction: where to start when nothing is remembered.
    #[inline]
    pub fn starts(&self, direction: DVec3) -> (u32, u32) {
        (self.a.start(self.along_a(direction)), self.b.start(-self.along_b(direction)))
    }

    #[inline]
    fn along_a(&self, direction: DVec3) -> DVec3 {
        self.pose_a.turn_back(direction)
    }

    #[inline]
    fn along_b(&self, direction: DVec3) -> DVec3 {
        self.pose_b.turn_back(direction)
    }

    /// A direction in all frames.
    #[inline]
    pub fn along(&self, direction: DVec3) -> Along {
        Along { world: direction, a: self.along_a(direction), b: -self.along_b(direction) }
    }

    /// The same, if ellipsoids around the bodies prove that the direction separates them, and by how much at least.
    ///
    /// Both bodies take the same operations, side by side: a frame takes 18 ns instead of 22.
    #[inline(always)]
    pub fn along_if_shells_apart(&self, direction: DVec3) -> Option<(Along, f64)> {
        let lanes = direction.to_array().map(|d| f64x2::new([d, -d]));
        let turned = self.pose_a.turn_back_beside(self.pose_b, &lanes);
        let lane = |i: usize| DVec3::from_array(turned.map(|lanes| lanes.to_array()[i]));
        let gap = self.gap_of_shells(direction, &turned);
        is_positive(gap).then(|| (Along { world: direction, a: lane(0), b: lane(1) }, gap))
    }

    /// By how much at least ellipsoids around the bodies prove that a direction, given also in the frame of A beside the opposite
    /// one in the frame of B, separates them: positive and finite if they do.
    ///
    /// Their gap is not more than that of the bodies. With `D = |d|_1`: heights in shells err by `400u` of the reach and the sum of the
    /// sizes of the turned direction, at most `1.74 D`, the rest as in [`View::support`]: below `780u D scale`. Shells that are known
    /// are large enough along the direction for underflow to be of no account; an overflow leaves a gap that is not finite.
    #[inline(always)]
    fn gap_of_shells(&self, direction: DVec3, turned: &[f64x2; 3]) -> f64 {
        let heights = self.a.heights_in_shells(self.b, turned);
        direction.dot(self.offset) - heights - 26.0 * self.error(direction)
    }

    /// All vertices of both bodies, if they have few.
    #[inline(always)]
    pub fn scans(&self) -> Option<(&'a Scan, &'a Scan)> {
        Some((self.a.as_small()?, self.b.as_small()?))
    }

    /// A gap by which a direction is proved to separate bodies of few vertices, if it does: all of them are looked at.
    ///
    /// Where supporting vertices change often this is faster than to walk to them, since it has one branch only. With `e = 2^-24` and
    /// `D` as in [`View::support`]: heights err by `2.6e` of the turned direction, whose sum is at most `1.74 D`, in the size of each
    /// body; the rest is below what is said there.
    #[inline(always)]
    pub fn gap_of_scans(&self, (scan_a, scan_b): (&Scan, &Scan), along: &Along) -> Option<f64> {
        let height = |map: &SupportMap, scan: &Scan, direction: DVec3| {
            direction.dot(map.middle()) + map.size() * f64::from(scan.height(direction))
        };
        let heights = height(self.a, scan_a, along.a) + height(self.b, scan_b, along.b);
        let sum = along.world.abs().element_sum();
        let slack = SCAN_ERROR * sum * (self.a.size() + self.b.size()) + self.error(along.world);
        let gap = along.world.dot(self.offset) - heights - slack;
        (gap > 0.0 && IN_SINGLE.contains(&sum)).then_some(gap)
    }

    /// The supporting vertices along a direction, walking from hints.
    ///
    /// Proof of the error of the gap, with `D = |d|_1` and `u = 2^-53`: a direction turned into a body's frame
    /// moves `d . v` by at most `3.1u D reach`, the product itself by `3.1u D reach`; the offset's part errs by
    /// `4.1u D |t_b - t_a|`, and two sums by `2.1u` of everything: below `10u D scale`. Where vertices are tied up
    /// to rounding, an exact extreme may lie `22u D reach` beyond the one found: `32u D scale` covers both. So for directions
    /// of a size in [`DIRECTIONS`]; products may lose [`UNDERFLOW`] in all beside that.
    #[inline]
    pub fn support(&self, direction: DVec3, hints: (u32, u32)) -> Support {
        self.support_along(&self.along(direction), hints)
    }

    /// `d . (b - a)` of two vertices.
    #[inline]
    pub fn gap(&self, along: &Along, (vertex_a, vertex_b): (u32, u32)) -> f64 {
        let (height_a, height_b) =
            (along.a.dot(self.a.vertex(vertex_a)), along.b.dot(self.b.vertex(vertex_b)));
        along.world.dot(self.offset) - height_b - height_a
    }

    /// Not more than the distance of the bodies, and not negative: by how much a direction with its two supporting
    /// vertices separates them.
    #[inline]
    pub fn separation_lower_bound(&self, along: &Along, vertices: (u32, u32)) -> f64 {
        /// Squares in this range have lost nothing below the normal numbers.
        const SAFE: std::ops::Range<f64> = 1e-200..1e200;
        let gap = self.gap(along, vertices) - self.error(along.world);
        let square = along.world.length_squared();
        if !(gap > 0.0 && SAFE.contains(&square)) {
            return 0.0;
        }
        // The subtraction, the square, its root, the division and the product err by less than `8u` together.
        gap / square.sqrt() * (1.0 - 4.0 * f64::EPSILON)
    }

    /// Bounds the error of a gap along a direction of a size in [`DIRECTIONS`]; see [`View::support`].
    #[inline]
    pub fn error(&self, direction: DVec3) -> f64 {
        16.0 * f64::EPSILON * direction.abs().element_sum() * self.scale + UNDERFLOW
    }

    /// [`View::support`] of a direction that was turned already.
    #[inline]
    pub fn support_along(&self, along: &Along, hints: (u32, u32)) -> Support {
        self.support_at(along, self.a.climb(along.a, hints.0), self.b.climb(along.b, hints.1))
    }

    #[inline(always)]
    fn support_at(&self, along: &Along, top: Extreme, bottom: Extreme) -> Support {
        let gap = self.gap(along, (top.vertex, bottom.vertex));
        let proves_disjoint = gap > self.error(along.world)
            && DIRECTIONS.contains(&along.world.abs().max_element())
            && (top.proved || self.a.is_top_of_plateau(along.a, top.vertex))
            && (bottom.proved || self.b.is_top_of_plateau(along.b, bottom.vertex));
        Support { vertex_a: top.vertex, vertex_b: bottom.vertex, gap, proves_disjoint }
    }

    /// [`View::support_along`] for a direction that is asked about only to prove the bodies disjoint: where hints overlap
    /// already it does not, and no walk is made. With a proof given that is not by shells, these are asked before a walk; where
    /// they prove it the support has the hints. `walked` is raised by the vertices that a walk goes on to.
    ///
    /// Blocks prove nothing along directions anywhere near the ends of [`DIRECTIONS`].
    #[inline(always)]
    pub fn support_if_apart(
        &self,
        along: &Along,
        hints: (u32, u32),
        proof: Option<&mut Proof>,
        walked: &mut u64,
    ) -> Support {
        let gap = self.gap(along, hints);
        let proved = (self.a.is_proved(along.a, hints.0), self.b.is_proved(along.b, hints.1));
        let proves_disjoint = proved == (true, true) && gap > self.error(along.world);
        let is_settled = proves_disjoint || gap <= 0.0;
        let beside = || [0, 1, 2].map(|i| f64x2::new([along.a[i], along.b[i]]));
        let by_shells = !is_settled
            && proof.as_deref() == Some(&Proof::Vertices)
            && self.is_wide(along, gap)
            && is_positive(self.gap_of_shells(along.world, &beside()));
        if let Some(proof) = proof {
            *proof = if by_shells { Proof::Shells } else { Proof::Vertices };
        }
        if is_settled || by_shells {
            let (vertex_a, vertex_b) = hints;
            return Support { vertex_a, vertex_b, gap, proves_disjoint: proves_disjoint || by_shells };
        }
        self.support_walking(along.world, along.a, along.b, hints, proved, walked)
    }

    /// Whether shells are likely to be apart along a direction with this gap between two vertices.
    #[inline(always)]
    fn is_wide(&self, along: &Along, gap: f64) -> bool {
        gap > EXCESS * along.world.abs().element_sum() * (self.a.shell_excess() + self.b.shell_excess())
    }

    /// What is worth being asked first about a direction that two vertices proved to separate by a gap.
    #[inline]
    pub fn likely_proof(&self, along: &Along, gap: f64) -> Proof {
        if self.is_wide(along, gap) { Proof::Shells } else { Proof::Vertices }
    }

    /// [`View::support_along`] where it is known which hints blocks prove; out of line, with numbers passed and no address of a
    /// direction taken, see [`SupportMap::climb`].
    #[inline(never)]
    fn support_walking(
        &self,
        world: DVec3,
        a: DVec3,
        b: DVec3,
        hints: (u32, u32),
        proved: (bool, bool),
        walked: &mut u64,
    ) -> Support {
        let extreme = |map: &SupportMap, direction, hint, proved| match proved {
            true => Extreme { vertex: hint, proved, walked: 0 },
            false => map.climb_on(direction, hint),
        };
        let top = extreme(self.a, a, hints.0, proved.0);
        let bottom = extreme(self.b, b, hints.1, proved.1);
        *walked += u64::from(top.walked) + u64::from(bottom.walked);
        self.support_at(&Along { world, a, b }, top, bottom)
    }

    /// Whether floats prove that four vertices of `B - A` surround zero.
    ///
    /// In units corners are at most 3.5 long; they err by up to `10u` in a coordinate and by `11u` in length, as the gap's parts do.
    /// Volumes of them with zero then err by less than `20000u`, by the proof at [`super::triple`]: below `2^-38`.
    #[inline(never)]
    pub fn is_surrounded_by(&self, corners: &VertexPairs) -> bool {
        let (unit, mut simplex) = (self.unit(), Simplex::EMPTY);
        for &(vertex_a, vertex_b) in corners.as_slice() {
            let (a, b) = (self.a.vertex(vertex_a), self.b.vertex(vertex_b));
            let rotated = self.pose_b.apply_vector(b) - self.pose_a.apply_vector(a);
            simplex.push((rotated + self.offset) * unit, (vertex_a, vertex_b));
        }
        const VOLUME_ERROR: f64 = 1.0 / (1u64 << 38) as f64;
        self.scale > SMALLEST_SCALE && simplex.len == 4 && simplex.nearest().surrounds_by(VOLUME_ERROR)
    }

    /// The difference `b - a` of two vertices in the world, rounded.
    #[inline]
    pub fn difference(&self, vertex_a: u32, vertex_b: u32) -> DVec3 {
        self.pose_b.apply(self.b.vertex(vertex_b)) - self.pose_a.apply(self.a.vertex(vertex_a))
    }
}

/// Whether a gap is one, and no overflow.
#[inline(always)]
fn is_positive(gap: f64) -> bool {
    gap > 0.0 && gap < f64::INFINITY
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::shape::Polytope;
    use crate::shape::sample::{PolytopeKind, random_direction, random_polytope};

    /// `d . (b - a)` of the two nearest vertices of all.
    fn least_gap(view: &View<'_>, along: &Along) -> f64 {
        let count = |map: &SupportMap| map.polytope().vertices().len() as u32;
        let gaps = |a: u32| (0..count(view.b)).map(move |b| view.gap(along, (a, b)));
        (0..count(view.a)).flat_map(gaps).fold(f64::INFINITY, f64::min)
    }

    /// Random bodies, far out and of unlike sizes, under skew poses, along directions of any length: B is moved to a gap of a few times what
    /// single precision needs.
    #[test]
    fn gaps_of_scans_are_not_larger_than_gaps_and_hardly_smaller() {
        let mut random = Random::new(21);
        let (mut proved, mut passed) = (0, 0);
        for round in 0..4000 {
            let (scale, shift) = [(1.0, 0.0), (1e-6, 1.0), (1e6, -1e6), (1e-100, 1e-99)][round % 4];
            let body = |random: &mut Random, scale: f64| {
                let kind = [PolytopeKind::Ellipsoid, PolytopeKind::ThinRod, PolytopeKind::Plate][round % 3];
                let sample =
                    random_polytope(kind, 4 + round as u32 % 29, random.below(100)).expect("a sample");
                let points = sample.vertices().iter().map(|v| *v * scale + shift);
                SupportMap::new(Polytope::hull(&points.collect::<Vec<_>>()).expect("a hull"))
            };
            let (a, b) = (body(&mut random, scale), body(&mut random, scale * [1.0, 0.01][round / 7 % 2]));
            let unit = random_direction(&mut random);
            let direction = unit * [1.0, 1e-9, 1e9][round % 3];
            let pose_a = Pose::skew(&mut random, DVec3::splat(shift));
            let turn_b = Pose::skew(&mut random, DVec3::splat(shift)).rotation();
            let at = |offset: DVec3| Pose::new(turn_b, DVec3::splat(shift) + offset).expect("a pose");
            let zero = at(DVec3::ZERO);
            let view = View::new(&a, &pose_a, &b, &zero);
            let start = least_gap(&view, &view.along(direction)) / direction.length();
            let sizes = a.size() + b.size();
            let wanted = sizes * SCAN_ERROR * random.range(-1.0, 5.0);
            let pose_b = at(unit * (wanted - start));
            let view = View::new(&a, &pose_a, &b, &pose_b);
            let along = view.along(direction);
            let (least, sum) = (least_gap(&view, &along), direction.abs().element_sum());
            let scans = view.scans().expect("few vertices");
            match view.gap_of_scans(scans, &along) {
                Some(gap) => {
                    proved += 1;
                    assert!(gap < least, "round {round}: {gap} of {least}");
                    assert!(gap > least - 2.0 * SCAN_ERROR * sum * sizes - 2.0 * view.error(direction));
                }
                None => {
                    passed += 1;
                    let most = 2.0 * SCAN_ERROR * sum * sizes + 2.0 * view.error(direction);
                    assert!(least < most, "round {round}: {least}, and {most} is enough");
                }
            }
        }
        assert!(proved > 1000 && passed > 500, "{proved} proved, {passed} not");
    }

    #[test]
    fn directions_beyond_single_precision_are_not_scanned() {
        let body = SupportMap::new(random_polytope(PolytopeKind::Ellipsoid, 20, 1).expect("a sample"));
        let far = Pose::from_translation(DVec3::X * 9.0).expect("a pose");
        let view = View::new(&body, &Pose::IDENTITY, &body, &far);
        let scans = view.scans().expect("few vertices");
        for (length, is_asked) in [(1.0, true), (1e-17, true), (1e17, true), (1e-40, false), (1e40, false)] {
            let along = view.along(DVec3::X * length);
            assert_eq!(view.gap_of_scans(scans, &along).is_some(), is_asked, "{length}");
        }
        let along = Along { world: DVec3::NAN, ..view.along(DVec3::X) };
        assert_eq!(view.gap_of_scans(scans, &along), None);
    }
}
