//! The tree of hulls over the parts of a body.

use crate::mesh::TreeMesh;
use crate::shape::{Mesh, Polytope, PolytopeError, TriangleSoup};
use crate::support::SupportMap;
use glam::DVec3;
use std::sync::OnceLock;

/// A part of a compound, in the compound's frame: parts are not posed, so nothing is rounded.
#[derive(Clone, Debug)]
pub enum Part {
    /// A convex polygon or solid.
    Polytope(Box<SupportMap>),
    /// A solid or surface that is not decomposed.
    Mesh(Box<TreeMesh>),
}

/// Why parts make no compound.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CompoundError {
    /// There is nothing to unite.
    #[error("a compound needs at least one part, but none was given")]
    NoParts,
    /// A point or a segment: its relation to a mesh is not always known.
    #[error(
        "part {part} is a {}; a compound takes polygons, solids and meshes, so give it some thickness or relate it by itself",
        ["point", "segment"][*dimension]
    )]
    TooThin {
        /// Index of the part.
        part: usize,
        /// 0 or 1.
        dimension: usize,
    },
    /// A named run of triangles that is empty, or refers to triangles or positions that do not exist.
    #[error(
        "part {part} names triangles or positions that do not exist, or none; check the file it comes from"
    )]
    BadTriangles {
        /// Index of the part.
        part: usize,
    },
    /// The hull of some parts cannot be built.
    #[error("the hull of parts cannot be built: {0}")]
    Hull(#[from] PolytopeError),
}

/// The union of parts, with a tree of convex hulls over them.
///
/// Built in `O(n log n)` hull steps, `n` the vertices of all parts; the same parts give the same tree. Hulls take at most
/// 250 bytes for each of their vertices ([`Compound::hull_bytes`]).
#[derive(Clone, Debug)]
pub struct Compound {
    parts: Vec<Part>,
    /// Children before parents: the root is the last.
    nodes: Vec<Node>,
    /// Surfaces of polytopes, for pairs with meshes; made when first needed.
    surfaces: Vec<OnceLock<Box<TreeMesh>>>,
}

/// A node: a hull around the parts below it.
#[derive(Clone, Debug)]
struct Node {
    /// Of the hull; which of two nodes is opened depends on it.
    diameter: f64,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    /// Its own hull.
    Polytope(u32),
    Mesh(u32, SupportMap),
    Inner([u32; 2], SupportMap),
}

/// What is below a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Below {
    Part(u32),
    Nodes([u32; 2]),
}

impl Compound {
    /// The union of parts, which may overlap.
    ///
    /// # Errors
    /// No parts; a part that is a point or a segment; more than `2^28` vertices under one hull.
    pub fn new(parts: Vec<Part>) -> Result<Compound, CompoundError> {
        if parts.is_empty() {
            return Err(CompoundError::NoParts);
        }
        for (part, found) in parts.iter().enumerate() {
            match found {
                Part::Polytope(map) if map.polytope().dimension() < 2 => {
                    return Err(CompoundError::TooThin { part, dimension: map.polytope().dimension() });
                }
                _ => {}
            }
        }
        let surfaces = parts.iter().map(|_| OnceLock::new()).collect();
        let mut compound = Compound { nodes: Vec::with_capacity(2 * parts.len() - 1), parts, surfaces };
        let centres: Vec<DVec3> = compound.parts.iter().map(Part::centre).collect();
        let mut all: Vec<u32> = (0..centres.len() as u32).collect();
        compound.add(&mut all, &centres)?;
        Ok(compound)
    }

    /// The union of the convex hulls of the named parts of a soup, or of all its triangles if it names none: what convex
    /// decompositions are stored as.
    ///
    /// # Errors
    /// As [`Compound::new`]; an empty part, indices of nothing, coordinates that are not finite or too large.
    pub fn from_convex_parts(soup: &TriangleSoup) -> Result<Compound, CompoundError> {
        let all = 0..soup.triangles.len();
        let runs = soup.parts.iter().map(|part| part.triangles.start as usize..part.triangles.end as usize);
        let runs: Vec<_> = if soup.parts.is_empty() { vec![all] } else { runs.collect() };
        let part = |(part, run): (usize, std::ops::Range<usize>)| {
            let bad = CompoundError::BadTriangles { part };
            let triangles = soup.triangles.get(run).filter(|run| !run.is_empty()).ok_or(bad)?;
            let position = |&vertex: &u32| soup.positions.get(vertex as usize).copied().ok_or(bad);
            let points: Vec<DVec3> =
                triangles.as_flattened().iter().map(position).collect::<Result<_, _>>()?;
            Ok(Part::from(hull(&points)?))
        };
        Compound::new(runs.into_iter().enumerate().map(part).collect::<Result<_, CompoundError>>()?)
    }

    /// The parts, as they were given.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The convex hull of all parts.
    pub fn hull(&self) -> &SupportMap {
        self.hull_at(self.root())
    }

    /// Bytes that the hulls take which are no parts.
    pub fn hull_bytes(&self) -> usize {
        let bytes = |node: &Node| match &node.content {
            Content::Polytope(_) => 0,
            Content::Mesh(_, hull) | Content::Inner(_, hull) => hull.bytes(),
        };
        self.nodes.iter().map(bytes).sum()
    }

    /// Adds the tree over some parts, split in the middle along the axis on which their centres differ most.
    fn add(&mut self, parts: &mut [u32], centres: &[DVec3]) -> Result<u32, CompoundError> {
        let content = match *parts {
            [part] => match &self.parts[part as usize] {
                Part::Polytope(_) => Content::Polytope(part),
                Part::Mesh(mesh) => Content::Mesh(part, hull(mesh.mesh().positions())?),
            },
            _ => {
                let axis = widest_axis(parts, centres);
                let along = |part: &u32| centres[*part as usize][axis];
                parts.sort_unstable_by(|p, q| along(p).total_cmp(&along(q)).then(p.cmp(q)));
                let (low, high) = parts.split_at_mut(parts.len() / 2);
                let children = [self.add(low, centres)?, self.add(high, centres)?];
                let vertices = children.map(|child| self.hull_at(child).polytope().vertices());
                Content::Inner(children, hull(&vertices.concat())?)
            }
        };
        self.nodes.push(Node { diameter: 0.0, content });
        let node = self.root();
        self.nodes[node as usize].diameter = self.hull_at(node).polytope().bounds().extent().length();
        Ok(node)
    }

    /// The node that was added last.
    pub(super) fn root(&self) -> u32 {
        self.nodes.len() as u32 - 1
    }

    pub(super) fn has(&self, node: u32) -> bool {
        (node as usize) < self.nodes.len()
    }

    pub(super) fn hull_at(&self, node: u32) -> &SupportMap {
        match &self.nodes[node as usize].content {
            Content::Mesh(_, hull) | Content::Inner(_, hull) => hull,
            Content::Polytope(part) => match &self.parts[*part as usize] {
                Part::Polytope(map) => map,
                Part::Mesh(_) => unreachable!("nodes are made from parts of their kind"),
            },
        }
    }

    pub(super) fn diameter(&self, node: u32) -> f64 {
        self.nodes[node as usize].diameter
    }

    pub(super) fn below(&self, node: u32) -> Below {
        match self.nodes[node as usize].content {
            Content::Polytope(part) | Content::Mesh(part, _) => Below::Part(part),
            Content::Inner(children, _) => Below::Nodes(children),
        }
    }

    /// A part as a mesh.
    pub(crate) fn surface(&self, part: usize) -> &TreeMesh {
        match &self.parts[part] {
            Part::Mesh(mesh) => mesh,
            Part::Polytope(map) => self.surfaces[part].get_or_init(|| {
                let surface = TreeMesh::from_polytope(map.polytope());
                Box::new(surface.expect("faces are strictly convex, so their triangles have area"))
            }),
        }
    }
}

impl Part {
    fn centre(&self) -> DVec3 {
        match self {
            Part::Polytope(map) => map.polytope().bounds().center(),
            Part::Mesh(mesh) => mesh.mesh().bounds().center(),
        }
    }
}

fn hull(points: &[DVec3]) -> Result<SupportMap, PolytopeError> {
    Ok(SupportMap::new(Polytope::hull(points)?))
}

fn widest_axis(parts: &[u32], centres: &[DVec3]) -> usize {
    let at = |part: &u32| centres[*part as usize];
    let low = parts.iter().map(at).fold(DVec3::INFINITY, DVec3::min);
    let high = parts.iter().map(at).fold(DVec3::NEG_INFINITY, DVec3::max);
    (high - low).max_position()
}

impl From<SupportMap> for Part {
    fn from(map: SupportMap) -> Part {
        Part::Polytope(Box::new(map))
    }
}

impl From<Polytope> for Part {
    fn from(polytope: Polytope) -> Part {
        SupportMap::new(polytope).into()
    }
}

impl From<TreeMesh> for Part {
    fn from(mesh: TreeMesh) -> Part {
        Part::Mesh(Box::new(mesh))
    }
}

impl From<Mesh> for Part {
    fn from(mesh: Mesh) -> Part {
        TreeMesh::new(mesh).into()
    }
}
