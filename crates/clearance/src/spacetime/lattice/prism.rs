//! Prisms: the space-time that a translating polytope occupies [Joseph87 §2].

use super::face_lattice::{Bound, FaceId, FaceLattice, LatticeError, Sense};
use super::linear::{Rational, Vector, along, number};
use glam::DVec3;
use std::ops::Range;

/// A straight translation over an interval of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// The displacement in a unit of time.
    pub velocity: Vector,
    /// When it starts.
    pub start: Rational,
    /// When it ends; later than the start.
    pub end: Rational,
}

impl Motion {
    /// The motion with this velocity over an interval of time, exactly; `None` if a number is not finite or the
    /// interval is empty.
    pub fn new(velocity: DVec3, times: Range<f64>) -> Option<Motion> {
        let is_finite = velocity.is_finite() && times.start.is_finite() && times.end.is_finite();
        (is_finite && times.start < times.end).then(|| Motion {
            velocity: velocity.to_array().map(number).to_vec(),
            start: number(times.start),
            end: number(times.end),
        })
    }

    /// The displacement from start to end, with the time as last coordinate.
    pub(super) fn way(&self) -> Vector {
        let duration = &self.end - &self.start;
        self.velocity.iter().map(|v| v * &duration).chain([duration.clone()]).collect()
    }
}

/// The prism over a polytope of dimension `d`: its Minkowski sum with a segment, in dimension `d + 1`.
///
/// Vertices get a last coordinate `start`; the end copy is displaced by `way`, of `d + 1` coordinates, of which
/// the last must be positive. Faces of dimension `k` are, in this order: those of the start copy, those of the end
/// copy, and one over each face of dimension `k - 1`. So there are 3 times as many faces (counting the polytope
/// and the prism as faces of themselves), and over a polyhedron 8 times as many incidences.
///
/// Differs from the paper, which gives the factor 3 only: its bounds are in incidences, for which the factor is
/// `2 (d + 1)` over a polytope of dimension `d`.
///
/// # Errors
/// The way has the wrong number of coordinates, or does not lead into the future.
pub fn prism(base: &FaceLattice, start: &Rational, way: &[Rational]) -> Result<FaceLattice, LatticeError> {
    let dimension = base.dimension();
    let at_start: Vec<Vector> =
        base.vertices().iter().map(|v| v.iter().cloned().chain([start.clone()]).collect()).collect();
    let at_end = at_start.iter().map(|v| along(v, &Rational::ONE, way)).collect();
    let mut faces: Vec<Vec<Vec<Bound>>> = Vec::new();
    for k in 1..=dimension + 1 {
        let copies = [0, base.count(k - 1) as u32].map(|offset| {
            base.faces(k)
                .map(move |face| base.bounds(face).iter().map(move |b| Bound { face: b.face + offset, ..*b }))
        });
        let copies = copies.into_iter().flatten().map(Iterator::collect);
        let over = base.faces(k - 1).map(|face| swept(base, face));
        faces.push(copies.chain(over).collect());
    }
    FaceLattice::new([at_start, at_end].concat(), faces)
}

/// The prism of a moving polytope; time is its last coordinate.
///
/// ```
/// use clearance::{Pose, glam::DVec3, shape::{Polytope, sample::cube}};
/// use clearance::spacetime::lattice::{FaceLattice, Motion, prism_of_motion};
/// let cube = FaceLattice::from_polytope(&Polytope::hull(&cube(1.0).positions)?, &Pose::IDENTITY)?;
/// let motion = Motion::new(DVec3::X, 0.0..2.0).ok_or("a motion")?;
/// let tesseract_on_the_slant = prism_of_motion(&cube, &motion)?;
/// assert_eq!(tesseract_on_the_slant.face_count(), 81);
/// assert_eq!(tesseract_on_the_slant.incidence_count(), 384);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The velocity has another number of coordinates than the polytope, or the motion ends before it starts.
pub fn prism_of_motion(base: &FaceLattice, motion: &Motion) -> Result<FaceLattice, LatticeError> {
    prism(base, &motion.start, &motion.way())
}

/// The boundary of the prism over a face `f`: the prisms over the bounds of `f`, and `(-1)^k` times the end copy of
/// `f` minus its start copy. With these senses the boundary of the boundary cancels.
fn swept(base: &FaceLattice, face: FaceId) -> Vec<Bound> {
    let k = face.dimension as usize;
    let count = base.count(k) as u32;
    let (first, second) =
        if k.is_multiple_of(2) { (Sense::Against, Sense::Along) } else { (Sense::Along, Sense::Against) };
    let sides = base.bounds(face).iter().map(|b| Bound { face: 2 * count + b.face, ..*b });
    let ends = [Bound { face: face.index, sense: first }, Bound { face: count + face.index, sense: second }];
    sides.chain(ends).collect()
}

/// Where a face of a prism comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrismPart {
    /// A face of the polytope at the start.
    Start(FaceId),
    /// A face of the polytope at the end.
    End(FaceId),
    /// The face in between, of one dimension more.
    Swept(FaceId),
}

impl PrismPart {
    /// The face of the polytope.
    pub fn face(self) -> FaceId {
        match self {
            PrismPart::Start(face) | PrismPart::End(face) | PrismPart::Swept(face) => face,
        }
    }
}

/// Which face of `base` a face of the prism over it is a copy of, or over which it stands.
pub fn prism_part(base: &FaceLattice, face: FaceId) -> PrismPart {
    let FaceId { dimension, index } = face;
    let count = base.count(dimension as usize) as u32;
    if index < count {
        PrismPart::Start(face)
    } else if index < 2 * count {
        PrismPart::End(FaceId { dimension, index: index - count })
    } else {
        PrismPart::Swept(FaceId { dimension: dimension - 1, index: index - 2 * count })
    }
}
