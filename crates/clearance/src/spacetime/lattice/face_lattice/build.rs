//! The constructor that checks.

use super::{Bound, FaceId, FaceLattice, LatticeError, Rank, Sense};
use crate::exact::Sign;
use crate::spacetime::lattice::flat::{Flat, normal};
use crate::spacetime::lattice::linear::{Rational, Vector, dot, minus};
use rustc_hash::FxHashMap;

impl FaceLattice {
    /// The polytope with these vertices and faces: `faces[k - 1]` lists the faces of dimension `k`, each by the faces
    /// of dimension `k - 1` that bound it and the sense in which they do. The last list holds the polytope.
    ///
    /// An edge from `u` to `v` is bounded by `u` against and `v` along. In any face, the senses of its bounds are such
    /// that at every ridge the two faces that meet there cancel; the boundary of a polygon, for example, is a cycle.
    /// Faces of `E^D` themselves face outwards: counter-clockwise for `D = 2`, counter-clockwise seen from outside for
    /// `D = 3`, and generally such that the volume is positive.
    ///
    /// `O(I(P))` operations.
    ///
    /// # Errors
    /// What [`LatticeError`] lists, with the first culprit.
    pub fn new(vertices: Vec<Vector>, faces: Vec<Vec<Vec<Bound>>>) -> Result<FaceLattice, LatticeError> {
        check_shape(&vertices, &faces)?;
        let mut lattice = FaceLattice { vertices, ranks: Vec::new() };
        let mut corners: Vec<Vec<u32>> = (0..lattice.vertices.len() as u32).map(|v| vec![v]).collect();
        for lists in faces {
            check_bounds(&lattice, &lists)?;
            corners = lists.iter().map(|bounds| united(bounds, &corners)).collect();
            lattice.push(&lists, &corners)?;
        }
        match lattice.volume() > Rational::ZERO {
            true => Ok(lattice),
            false => Err(LatticeError::InsideOut),
        }
    }

    /// Adds the faces of the next dimension.
    fn push(&mut self, lists: &[Vec<Bound>], corners: &[Vec<u32>]) -> Result<(), LatticeError> {
        let dimension = self.ranks.len() + 1;
        let id = |index: usize| FaceId { dimension: dimension as u32, index: index as u32 };
        let mut rank = Rank {
            starts: vec![0],
            bounds: Vec::new(),
            normals: Vec::new(),
            flats: Vec::with_capacity(lists.len()),
        };
        for (index, (bounds, corners)) in lists.iter().zip(corners).enumerate() {
            let flat = Flat::through(corners, &self.vertices).filter(|flat| flat.dimension() == dimension);
            let found = || Flat::through(corners, &self.vertices).map_or(0, |flat| flat.dimension());
            let mut flat = flat.ok_or_else(|| LatticeError::NotFlat { face: id(index), found: found() })?;
            let normals = self.outward_normals(&mut flat, bounds);
            rank.normals.extend(normals.ok_or(LatticeError::NoContent { face: id(index) })?);
            rank.bounds.extend(bounds);
            rank.starts.push(rank.bounds.len() as u32);
            rank.flats.push(flat);
        }
        self.ranks.push(rank);
        Ok(())
    }

    /// The outward normals at the bounds of a face; sets the content of its flat, `None` if that is zero.
    ///
    /// The face is the sum of the cones from its origin `x` over its bounds `g`, each taken in its sense:
    /// `det[g_0 - x, span(g)] * ratio(g)` is `k!` times the signed volume of a cone. From any point inside, a cone has
    /// the sign of the whole; so outside of `g` is where the sign is the opposite.
    fn outward_normals(&self, flat: &mut Flat, bounds: &[Bound]) -> Option<Vec<Vector>> {
        let dimension = flat.dimension() as u32 - 1;
        let mut content = Rational::ZERO;
        let mut normals = Vec::with_capacity(bounds.len());
        for bound in bounds {
            let face = FaceId { dimension, index: bound.face };
            let ratio = self.flat(face).map_or(Rational::ONE, |flat| flat.ratio.clone());
            let normal = signed(normal(self.span(face), &flat.axes), bound.sense.sign());
            let way = minus(self.origin(face), &self.vertices[flat.origin as usize]);
            let way: Vector = flat.axes.iter().map(|&axis| way[axis].clone()).collect();
            content += dot(&normal, &way) * &ratio;
            normals.push(signed(normal, sign(&ratio)));
        }
        let side = sign(&content);
        flat.fill(content);
        (!side.is_zero()).then(|| normals.into_iter().map(|n| signed(n, side)).collect())
    }
}

fn sign(x: &Rational) -> Sign {
    if x.is_zero() {
        Sign::Zero
    } else if *x > Rational::ZERO {
        Sign::Positive
    } else {
        Sign::Negative
    }
}

fn signed(vector: Vector, sign: Sign) -> Vector {
    if sign.is_negative() { vector.into_iter().map(|x| -x).collect() } else { vector }
}

/// The corners of all bounds, ascending.
fn united(bounds: &[Bound], corners: &[Vec<u32>]) -> Vec<u32> {
    let mut all: Vec<u32> = bounds.iter().flat_map(|b| corners[b.face as usize].iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// One polytope, vertices with as many coordinates as there are lists.
fn check_shape(vertices: &[Vector], faces: &[Vec<Vec<Bound>>]) -> Result<(), LatticeError> {
    let count = faces.last().map_or(0, Vec::len);
    if count != 1 {
        return Err(LatticeError::NotOneWhole { count });
    }
    let dimension = faces.len();
    match vertices.iter().position(|v| v.len() != dimension) {
        Some(vertex) => {
            Err(LatticeError::CoordinateCount { vertex, found: vertices[vertex].len(), dimension })
        }
        None => Ok(()),
    }
}

/// The lists of the next dimension name faces that exist, leave none out, and have closed boundaries.
fn check_bounds(lattice: &FaceLattice, lists: &[Vec<Bound>]) -> Result<(), LatticeError> {
    let below = lattice.ranks.len();
    let mut used = vec![false; lattice.count(below)];
    for (index, bounds) in lists.iter().enumerate() {
        let face = FaceId { dimension: below as u32 + 1, index: index as u32 };
        check_names(face, bounds, used.len())?;
        bounds.iter().for_each(|b| used[b.face as usize] = true);
        match below {
            0 => check_edge(index as u32, bounds)?,
            _ => check_ridges(lattice, face, bounds)?,
        }
    }
    match used.iter().position(|used| !used) {
        Some(index) => {
            Err(LatticeError::Unused { face: FaceId { dimension: below as u32, index: index as u32 } })
        }
        None => Ok(()),
    }
}

fn check_names(face: FaceId, bounds: &[Bound], count: usize) -> Result<(), LatticeError> {
    let mut names: Vec<u32> = bounds.iter().map(|b| b.face).collect();
    names.sort_unstable();
    let missing = names.last().copied().filter(|&last| last as usize >= count);
    let twice = names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
    match missing.or(twice) {
        Some(bound) => Err(LatticeError::BadBound { face, bound }),
        None => Ok(()),
    }
}

fn check_edge(edge: u32, bounds: &[Bound]) -> Result<(), LatticeError> {
    match bounds {
        [u, v] if u.sense != v.sense => Ok(()),
        _ => Err(LatticeError::NotAnEdge { edge }),
    }
}

/// The boundary of the boundary is nothing: at each ridge two facets meet, one along and one against.
fn check_ridges(lattice: &FaceLattice, face: FaceId, bounds: &[Bound]) -> Result<(), LatticeError> {
    let dimension = face.dimension - 1;
    let mut met: FxHashMap<u32, (u32, u32)> = FxHashMap::default();
    let mut order = Vec::new();
    for bound in bounds {
        for ridge in lattice.bounds(FaceId { dimension, index: bound.face }) {
            let (along, against) = met.entry(ridge.face).or_insert_with(|| {
                order.push(ridge.face);
                (0, 0)
            });
            *(if ridge.sense == bound.sense { along } else { against }) += 1;
        }
    }
    match order.into_iter().find(|ridge| met[ridge] != (1, 1)) {
        Some(index) => {
            Err(LatticeError::RidgeNotShared { face, ridge: FaceId { dimension: dimension - 1, index } })
        }
        None => Ok(()),
    }
}

/// The bounds of an edge.
pub(in crate::spacetime) fn edge(from: u32, to: u32) -> Vec<Bound> {
    vec![Bound { face: from, sense: Sense::Against }, Bound { face: to, sense: Sense::Along }]
}
