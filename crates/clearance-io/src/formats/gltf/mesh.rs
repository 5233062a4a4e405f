//! Meshes of a glTF file as soups; one part per primitive when there are several.

use super::accessor::{Buffers, View};
use super::json::{Extras, Primitive};
use crate::assembly::Assembly;
use crate::document::Document;
use crate::error::Position;
use crate::fault::{Fault, accept};
use crate::meter::Meter;
use crate::text::name_of;
use clearance::shape::{SoupPart, TriangleSoup};
use rustc_hash::FxHashMap;

/// Turns each mesh into a shape when it is first placed.
pub(super) struct Meshes<'a> {
    buffers: &'a Buffers<'a>,
    stem: &'a str,
    /// Shape of each mesh that was placed.
    shapes: Vec<Option<usize>>,
    /// Meshes with equal accessors are one shape (they differ in material).
    by_content: FxHashMap<Vec<Content>, usize>,
    skipped: u64,
    /// The name of the first mesh of which something was skipped.
    first_skipped: String,
    /// Corners after the last whole triangle.
    left_over: u64,
    /// Progress in bytes: accessors have no order in the file, so shares of it are counted.
    done: u64,
    size: u64,
}

/// Accessors and mode of a primitive.
type Content = (usize, Option<usize>, Mode);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Mode {
    Triangles,
    Strip,
    Fan,
}

impl<'a> Meshes<'a> {
    pub fn new(buffers: &'a Buffers<'a>, stem: &'a str, size: u64) -> Meshes<'a> {
        let shapes = vec![None; buffers.root.meshes.len()];
        Meshes {
            buffers,
            stem,
            shapes,
            by_content: FxHashMap::default(),
            skipped: 0,
            first_skipped: String::new(),
            left_over: 0,
            done: 0,
            size,
        }
    }

    /// The shape of `meshes[index]`.
    pub fn shape(
        &mut self,
        index: usize,
        assembly: &mut Assembly,
        meter: &mut Meter<'_>,
    ) -> Result<usize, Fault> {
        let missing = || Fault::element(format!("meshes[{index}]"), "does not exist");
        let mesh = self.buffers.root.meshes.get(index).ok_or_else(missing)?;
        if let Some(shape) = self.shapes[index] {
            return Ok(shape);
        }
        let primitives: Vec<(&Primitive, Content)> =
            mesh.primitives.iter().filter_map(|primitive| Some((primitive, content(primitive)?))).collect();
        let skipped = (mesh.primitives.len() - primitives.len()) as u64;
        if skipped > 0 && self.skipped == 0 {
            self.first_skipped = name_of(mesh.name.as_deref().unwrap_or_default().as_bytes());
        }
        self.skipped += skipped;
        let contents: Vec<Content> = primitives.iter().map(|(_, content)| *content).collect();
        let known = self.by_content.get(&contents).copied();
        let shape = match known {
            Some(shape) => shape,
            None => {
                let soup = self.soup(&primitives, index, assembly)?;
                self.done += 12 * (soup.positions.len() + soup.triangles.len()) as u64;
                meter.at(self.done.min(self.size) as usize)?;
                let name = mesh.name.as_deref().filter(|name| !name.is_empty()).unwrap_or(self.stem);
                assembly.add_shape(name_of(name.as_bytes()), soup)
            }
        };
        self.by_content.insert(contents, shape);
        self.shapes[index] = Some(shape);
        Ok(shape)
    }

    /// Notes about what was not read.
    pub fn tell(&self, document: &mut Document) {
        if self.skipped > 0 {
            let (count, first) = (self.skipped, &self.first_skipped);
            let (primitives, were, some) =
                if count == 1 { ("primitive", "was", "of") } else { ("primitives", "were", "the first of") };
            let place = if first.is_empty() { String::new() } else { format!(" ({some} mesh `{first}`)") };
            document.notes.push(format!(
                "{count} {primitives} of points or lines, or without positions, {were} skipped{place}"
            ));
        }
        if self.left_over > 0 {
            let count = self.left_over;
            document.notes.push(format!("{count} corners after the last whole triangle were ignored"));
        }
        let unplaced = self.shapes.iter().filter(|shape| shape.is_none()).count();
        if unplaced > 0 {
            document.notes.push(format!("{unplaced} meshes are not in the scene and were left out"));
        }
    }

    fn soup(
        &mut self,
        primitives: &[(&Primitive, Content)],
        mesh: usize,
        assembly: &mut Assembly,
    ) -> Result<TriangleSoup, Fault> {
        let mut soup = TriangleSoup::default();
        let mut vertices: FxHashMap<usize, Vertices> = FxHashMap::default();
        let uses = self.corner_uses(primitives)?;
        for (primitive, (position, indices, mode)) in primitives {
            let start = soup.triangles.len() as u32;
            let positions = self.buffers.view(*position, "VEC3")?;
            let corners = match indices {
                None => Corners::All(positions.count),
                Some(indices) => Corners::Indexed(self.index_view(*indices)?),
            };
            let bytes = 12 * corners.triangle_count(*mode) as u64 + 64;
            assembly.budget().spend(bytes, || Position::Element(format!("meshes[{mesh}]")))?;
            let vertices = match vertices.entry(*position) {
                std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
                std::collections::hash_map::Entry::Vacant(entry) => {
                    let uses = uses.get(position).copied().unwrap_or(usize::MAX);
                    let vertices = Vertices::new(&positions, *position, uses, &mut soup, assembly)?;
                    entry.insert(vertices)
                }
            };
            for triangle in 0..corners.triangle_count(*mode) {
                let mut corner = |i: usize| {
                    let index = corners.index(i);
                    vertices.corner(index, &positions, *position, &mut soup)
                };
                let [a, b, c] = mode.corners(triangle);
                let triangle = [corner(a)?, corner(b)?, corner(c)?];
                soup.triangles.push(triangle);
            }
            if *mode == Mode::Triangles {
                self.left_over += (corners.count() % 3) as u64;
            }
            let run = start..soup.triangles.len() as u32;
            if primitives.len() > 1 && !run.is_empty() {
                soup.parts.push(SoupPart { name: self.part_name(primitive), triangles: run });
            }
        }
        Ok(soup)
    }

    fn index_view(&self, accessor: usize) -> Result<View<'a>, Fault> {
        let view = self.buffers.view(accessor, "SCALAR")?;
        if view.is_unsigned() {
            return Ok(view);
        }
        Err(Fault::element(format!("accessors[{accessor}]"), "indices must be unsigned integers"))
    }

    /// How many corners of the mesh refer to each position accessor; all of them without indices.
    fn corner_uses(&self, primitives: &[(&Primitive, Content)]) -> Result<FxHashMap<usize, usize>, Fault> {
        let mut uses: FxHashMap<usize, usize> = FxHashMap::default();
        for (_, (position, indices, _)) in primitives {
            let count = match indices {
                None => usize::MAX,
                Some(indices) => self.index_view(*indices)?.count,
            };
            let uses = uses.entry(*position).or_default();
            *uses = uses.saturating_add(count);
        }
        Ok(uses)
    }

    fn part_name(&self, primitive: &Primitive) -> String {
        if let Some(Extras::Named { name }) = &primitive.extras {
            return name_of(name.as_bytes());
        }
        let material = primitive.material.and_then(|material| self.buffers.root.materials.get(material));
        material
            .and_then(|material| material.name.as_deref())
            .map(|name| name_of(name.as_bytes()))
            .unwrap_or_default()
    }
}

fn content(primitive: &Primitive) -> Option<Content> {
    let mode = match primitive.mode.unwrap_or(4) {
        4 => Mode::Triangles,
        5 => Mode::Strip,
        6 => Mode::Fan,
        _ => return None,
    };
    Some((primitive.attributes.position?, primitive.indices, mode))
}

impl Mode {
    /// Corners of a triangle, counter-clockwise.
    fn corners(self, triangle: usize) -> [usize; 3] {
        match self {
            Mode::Triangles => [3 * triangle, 3 * triangle + 1, 3 * triangle + 2],
            Mode::Strip if triangle % 2 == 1 => [triangle + 1, triangle, triangle + 2],
            Mode::Strip => [triangle, triangle + 1, triangle + 2],
            Mode::Fan => [0, triangle + 1, triangle + 2],
        }
    }
}

/// Corners of a primitive in order.
enum Corners<'a> {
    All(usize),
    Indexed(View<'a>),
}

impl Corners<'_> {
    fn count(&self) -> usize {
        match self {
            Corners::All(count) => *count,
            Corners::Indexed(view) => view.count,
        }
    }

    fn triangle_count(&self, mode: Mode) -> usize {
        match mode {
            Mode::Triangles => self.count() / 3,
            Mode::Strip | Mode::Fan => self.count().saturating_sub(2),
        }
    }

    #[inline]
    fn index(&self, corner: usize) -> u32 {
        match self {
            Corners::All(_) => corner as u32,
            Corners::Indexed(view) => view.index(corner),
        }
    }
}

/// Where the positions of an accessor are in the soup.
///
/// Exporters put the vertices of many meshes into one accessor; such a mesh gets only the ones it uses.
enum Vertices {
    All { first: u32 },
    Used(FxHashMap<u32, u32>),
}

impl Vertices {
    fn new(
        positions: &View<'_>,
        accessor: usize,
        uses: usize,
        soup: &mut TriangleSoup,
        assembly: &mut Assembly,
    ) -> Result<Vertices, Fault> {
        let element = || Position::Element(format!("accessors[{accessor}]"));
        assembly.budget().spend(24 * positions.count.min(uses) as u64, element)?;
        if uses < positions.count {
            return Ok(Vertices::Used(FxHashMap::default()));
        }
        let first = soup.positions.len() as u32;
        soup.positions.reserve_exact(positions.count);
        for i in 0..positions.count {
            soup.positions.push(accept(positions.vector(i), i, element)?);
        }
        too_many(soup, accessor)?;
        Ok(Vertices::All { first })
    }

    #[inline]
    fn corner(
        &mut self,
        index: u32,
        positions: &View<'_>,
        accessor: usize,
        soup: &mut TriangleSoup,
    ) -> Result<u32, Fault> {
        if index as usize >= positions.count {
            let problem = format!("a triangle refers to vertex {index}, but there are {}", positions.count);
            return Err(Fault::element(format!("accessors[{accessor}]"), problem));
        }
        match self {
            Vertices::All { first } => Ok(*first + index),
            Vertices::Used(places) => {
                if let Some(&place) = places.get(&index) {
                    return Ok(place);
                }
                let place = soup.positions.len() as u32;
                let element = || Position::Element(format!("accessors[{accessor}]"));
                soup.positions.push(accept(positions.vector(index as usize), index as usize, element)?);
                too_many(soup, accessor)?;
                places.insert(index, place);
                Ok(place)
            }
        }
    }
}

fn too_many(soup: &TriangleSoup, accessor: usize) -> Result<(), Fault> {
    match u32::try_from(soup.positions.len()) {
        Ok(_) => Ok(()),
        Err(_) => {
            Err(Fault::element(format!("accessors[{accessor}]"), "more than 2^32 positions in one mesh"))
        }
    }
}
