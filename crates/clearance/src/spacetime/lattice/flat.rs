//! The affine hulls of faces.

use super::linear::{Echelon, Rational, Vector, determinant, dot, minus, solve};

/// `Aff(f)` of a face `f` of dimension `k`: a vertex and `k` vectors, and the axes on which it can be seen.
#[derive(Clone, Debug)]
pub(super) struct Flat {
    /// A vertex of the face.
    pub origin: u32,
    /// `k` independent differences of vertices.
    pub span: Vec<Vector>,
    /// `k` axes on which the span is still independent: the flat projects onto them one to one.
    pub axes: Vec<usize>,
    /// `k!` times the volume of the face as seen on the axes, negative if it is oriented against them.
    pub content: Rational,
    /// The same in units of the parallelepiped of the span: does not depend on the axes.
    pub ratio: Rational,
}

impl Flat {
    /// The flat through the corners of a face; its content is set later. `None` if there are no corners.
    pub fn through(corners: &[u32], vertices: &[Vector]) -> Option<Flat> {
        let (&origin, others) = corners.split_first()?;
        let mut echelon = Echelon::default();
        let mut span = Vec::new();
        for &corner in others {
            let vector = minus(&vertices[corner as usize], &vertices[origin as usize]);
            if echelon.extend(&vector) {
                span.push(vector);
            }
        }
        let axes = echelon.axes();
        Some(Flat { origin, span, axes, content: Rational::ZERO, ratio: Rational::ZERO })
    }

    /// The dimension of the flat.
    pub fn dimension(&self) -> usize {
        self.span.len()
    }

    /// Stores the content and its ratio.
    pub fn fill(&mut self, content: Rational) {
        self.ratio = &content / determinant(&seen(&self.span, &self.axes));
        self.content = content;
    }
}

/// Vectors as seen on some axes.
fn seen(vectors: &[Vector], axes: &[usize]) -> Vec<Vector> {
    vectors.iter().map(|v| axes.iter().map(|&axis| v[axis].clone()).collect()).collect()
}

/// The normal `n` on `k` axes with `n . y = det[y, span]` for the `k - 1` vectors of a span.
pub(super) fn normal(span: &[Vector], axes: &[usize]) -> Vector {
    let cofactor = |skip: usize| {
        let others: Vec<usize> =
            axes.iter().copied().enumerate().filter(|(i, _)| *i != skip).map(|(_, axis)| axis).collect();
        let minor = determinant(&seen(span, &others));
        if skip.is_multiple_of(2) { minor } else { -minor }
    };
    (0..axes.len()).map(cofactor).collect()
}

/// The weights with which vectors come closest to a target; `None` if the vectors are not independent.
///
/// As many vectors as dimensions reach it. Else what is left is perpendicular to all of them: the normal equations.
pub(super) fn combination(vectors: &[&Vector], target: &Vector) -> Option<Vector> {
    let is_square = vectors.len() == target.len();
    let direct =
        |axis: usize| vectors.iter().map(|v| v[axis].clone()).chain([target[axis].clone()]).collect();
    let against = |v: &&Vector| vectors.iter().map(|w| dot(v, w)).chain([dot(v, target)]).collect();
    let equations: Vec<Vector> = if is_square {
        (0..target.len()).map(direct).collect()
    } else {
        vectors.iter().map(against).collect()
    };
    solve(&equations)
}
