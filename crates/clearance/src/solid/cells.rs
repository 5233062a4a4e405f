//! The cells into which the faces of meshes that cross each other and themselves are cut.
//!
//! Any component of what is inside both of two solids has a piece of a face on its rim with the component behind it, and the
//! winding numbers behind a face change only where it meets other triangles, those of its own mesh included. So it is enough
//! to look behind one point of each cell into which these cut the faces. A cell has a cut on its rim, unless it is a
//! whole face; going around it with the cell to the left, each piece of a cut starts where the cut ends or another one
//! meets it. There, infinitely close to the left of the piece, is looked at.
//!
//! Nothing is assumed of winding numbers, unlike in [`super::sample`]. Faces that meet nothing and share an edge with no
//! third one see the same as their neighbours: one of each patch of them is looked at.

use super::body::Body;
use super::face::{Face, Sample};
use super::point::{Computed, Point};
use super::probe::Toward;
use super::sample::{Look, OtherTriangle, Touch};
use super::search::TriangleSearch;
use crate::exact::{BigNumber, BigVector, Sign};
use crate::shape::Mesh;
use crate::triangle::closed_edges;

/// Looks at the cells of a body's faces.
pub(super) struct Cells<'s, 'a, S, T, L> {
    pub body: &'s Body<'a, S>,
    pub other: &'s Body<'a, T>,
    pub look: L,
}

/// A straight cut through the inside of a face.
struct Cut {
    ends: [Computed; 2],
    /// From the first end to the second.
    along: BigVector,
}

impl<'s, 'a, S, T, L> Cells<'s, 'a, S, T, L>
where
    S: TriangleSearch,
    T: TriangleSearch,
    L: Fn(&Sample<'a>) -> Look,
{
    /// The most that a cell shows. `touches` are all with triangles of the other mesh, `own` all of triangles of this mesh
    /// with each other that are more than common vertices and edges, each both ways.
    pub fn look_around(&self, touches: &[Touch], own: &[Touch]) -> Look {
        let mut by_face: Vec<(u32, bool, usize)> = Vec::with_capacity(touches.len() + own.len());
        for (is_own, list) in [(false, touches), (true, own)] {
            let lines = list.iter().enumerate().filter(|(_, touch)| touch.corners().len() > 1);
            by_face.extend(lines.map(|(index, touch)| (touch.face, is_own, index)));
        }
        by_face.sort_unstable();
        let mut strongest = Look::Outside;
        let mut is_done = vec![false; self.body.mesh.triangles().len()];
        for met in by_face.chunk_by(|x, y| x.0 == y.0) {
            is_done[met[0].0 as usize] = true;
            let met = met
                .iter()
                .map(|&(_, is_own, index)| (is_own, if is_own { &own[index] } else { &touches[index] }));
            strongest = strongest.max(self.look_at_face(met));
            if strongest == Look::Overlap {
                return strongest;
            }
        }
        for first in patches(self.body.mesh, is_done) {
            let face = Face::new(self.body, first);
            strongest = strongest.max(face.map_or(Look::Outside, |face| (self.look)(&face.sample_near(0))));
        }
        strongest
    }

    /// The most that the cells of a face show; it meets at least one triangle.
    pub fn look_at_face<'t>(&self, met: impl Iterator<Item = (bool, &'t Touch)>) -> Look {
        let mut met = met.peekable();
        let face = met.peek().and_then(|(_, touch)| Face::new(self.body, touch.face));
        let Some(face) = face else { return Look::Outside };
        let mut cuts = Vec::new();
        for (is_own, touch) in met {
            let other = match is_own {
                true => OtherTriangle::new(self.body, touch.other),
                false => OtherTriangle::new(self.other, touch.other),
            };
            add_cuts(&face, &other, touch, &mut cuts);
        }
        if cuts.is_empty() {
            return (self.look)(&face.sample_near(0));
        }
        let mut strongest = Look::Outside;
        for (at, along) in starts(&face, &cuts) {
            strongest = strongest
                .max((self.look)(&face.sample(Point::Computed(Box::new(at)), Toward::Computed(along))));
            if strongest == Look::Overlap {
                break;
            }
        }
        strongest
    }
}

/// Adds the cuts that a triangle makes: the segment in which it crosses the face, or the rim of what they share of a plane.
/// What runs along the rim of the face cuts nothing.
fn add_cuts<'a>(face: &Face<'a>, other: &OtherTriangle<'a>, touch: &Touch, cuts: &mut Vec<Cut>) {
    let corners = touch.corners();
    let sides = if corners.len() == 2 { 1 } else { corners.len() };
    for side in 0..sides {
        let places = [corners[side], corners[(side + 1) % corners.len()]];
        if closed_edges(places[0].0) & closed_edges(places[1].0) != 0 {
            continue;
        }
        let [Some(from), Some(to)] = places.map(|(place, of_other)| other.point(face, place, of_other))
        else {
            continue;
        };
        let ends = [from.computed(), to.computed()];
        let along = difference(&ends[1], &ends[0]);
        cuts.push(Cut { ends, along });
    }
}

/// Where pieces of cuts start, and where they lead.
fn starts(face: &Face<'_>, cuts: &[Cut]) -> Vec<(Computed, BigVector)> {
    let mut starts = Vec::new();
    for (index, cut) in cuts.iter().enumerate() {
        let [from, to] = &cut.ends;
        starts.extend([(from.clone(), cut.along.clone()), (to.clone(), cut.along.negated())]);
        for other in cuts.iter().enumerate().filter(|&(k, _)| k != index).map(|(_, other)| other) {
            if let Some(at) = cut.met_by(other, face.axis_index()) {
                starts.extend([(at.clone(), cut.along.clone()), (at, cut.along.negated())]);
            }
        }
    }
    starts
}

impl Cut {
    /// The point strictly inside this cut at which another one, not parallel to it, meets it; both seen along an axis.
    fn met_by(&self, other: &Cut, axis: usize) -> Option<Computed> {
        let side = |of: &Cut, point: &Computed| area(axis, &of.along, &difference(point, &of.ends[0])).sign();
        let [from, to] = [0, 1].map(|k| side(other, &self.ends[k]));
        let [other_from, other_to] = [0, 1].map(|k| side(self, &other.ends[k]));
        let meets =
            from * to == Sign::Negative && other_from != other_to && other_from * other_to != Sign::Positive;
        if !meets {
            return None;
        }
        // With `p = n / d`, `q = m / e` and directions `u`, `v`: `p + u [q - p, v] / [u, v]`.
        let (start, origin) = (&self.ends[0], &other.ends[0]);
        let turn = area(axis, &self.along, &other.along);
        let height = area(axis, &difference(origin, start), &other.along);
        let whole = origin.denominator.times(&turn);
        let numerator = start.numerator.times(&whole).minus(&self.along.times(&height).negated());
        Some(Computed::new(numerator, start.denominator.times(&whole)))
    }
}

/// The difference of two points times both denominators.
fn difference(to: &Computed, from: &Computed) -> BigVector {
    to.numerator.times(&from.denominator).minus(&from.numerator.times(&to.denominator))
}

/// A coordinate of the vector product.
fn area(axis: usize, u: &BigVector, v: &BigVector) -> BigNumber {
    u.cross(v).coordinate(axis)
}

/// The first triangle of each set of triangles that are connected by edges of two, of those that are not done.
fn patches(mesh: &Mesh, mut is_done: Vec<bool>) -> Vec<u32> {
    let (mut first, mut open) = (Vec::new(), Vec::new());
    for seed in 0..is_done.len() {
        if std::mem::replace(&mut is_done[seed], true) {
            continue;
        }
        first.push(seed as u32);
        open.push(seed as u32);
        while let Some(triangle) = open.pop() {
            for edge in mesh.triangle_edges(triangle as usize) {
                let near = mesh.edge_triangles(edge as usize);
                for &next in near.iter().filter(|_| near.len() == 2) {
                    if !std::mem::replace(&mut is_done[next as usize], true) {
                        open.push(next);
                    }
                }
            }
        }
    }
    first
}
