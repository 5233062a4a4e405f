//! Writing a binary glTF: placements as nodes, shared geometry shared, colours and lines on request.

use crate::animation::Track;
use crate::document::Document;
use crate::error::WriteError;
use crate::format::Format;
use crate::write::{DrawnAbout, GlbStyle, LineSet};
use clearance::Pose;
use clearance::glam::{DVec3, Vec3};
use clearance::shape::TriangleSoup;
use serde_json::{Value, json};
use std::ops::Range;

/// Codes of the format.
pub(super) const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const LINES: u32 = 1;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// A document without a unit is taken as it is; any other is scaled to metres, as glTF demands.
pub(crate) fn write(document: &Document, style: &GlbStyle) -> Result<Vec<u8>, WriteError> {
    let metres = document.unit.map_or(1.0, |unit| unit.metres());
    let mut writer = Writer { metres, ..Writer::default() };
    let shapes = writer.shapes(document)?;
    let mut moving = Vec::new();
    for (index, placement) in document.placements.iter().enumerate() {
        let colour = style.colours.get(index).copied().flatten();
        let mesh =
            shapes[placement.geometry].as_ref().map(|shape| writer.mesh(placement.geometry, shape, colour));
        let track = style.animation.as_ref().and_then(|animation| animation.tracks.get(index)?.as_ref());
        // What cannot be seen need not move.
        match track.filter(|_| mesh.is_some()) {
            Some(track) => {
                moving.push((writer.nodes.len(), track));
                writer.moving_node(&placement.name, mesh, track);
            }
            None => writer.node(&placement.name, mesh, &placement.pose),
        }
    }
    for (index, lines) in style.lines.iter().enumerate() {
        writer.lines(lines, document.geometries.len() + index)?;
    }
    if let Some(animation) = &style.animation {
        writer.animation(animation, &moving)?;
    }
    writer.finish(style.about)
}

/// What a scene says of where it lies in its world: `origin` in metres, so that a point p of the file is at origin + p / scale.
fn scene(about: Option<DrawnAbout>, metres: f64) -> Value {
    let Some(DrawnAbout { origin, scale }) = about else { return json!({}) };
    let origin = origin * metres;
    let mut name = format!("drawn about ({:?}, {:?}, {:?})", origin.x, origin.y, origin.z);
    if scale != 1.0 {
        name += &format!(", {scale:?} times as large");
    }
    json!({ "name": name, "extras": { "origin": origin.to_array(), "scale": scale } })
}

/// A geometry in the buffer.
struct Shape {
    name: String,
    positions: usize,
    /// Name and index accessor of each part.
    parts: Vec<(Option<String>, usize)>,
}

#[derive(Default)]
pub(super) struct Writer {
    pub metres: f64,
    positions: Vec<u8>,
    indices: Vec<u8>,
    /// Times, translations and rotations.
    pub animated: Vec<u8>,
    pub accessors: Vec<Value>,
    materials: Vec<Value>,
    /// Colours of the materials, as bits.
    colours: Vec<[u32; 4]>,
    meshes: Vec<Value>,
    /// Geometry and material of the meshes.
    mesh_keys: rustc_hash::FxHashMap<(usize, Option<usize>), usize>,
    nodes: Vec<Value>,
    pub animations: Vec<Value>,
}

impl Writer {
    /// Puts every geometry that is placed and has triangles into the buffer.
    fn shapes(&mut self, document: &Document) -> Result<Vec<Option<Shape>>, WriteError> {
        let mut is_placed = vec![false; document.geometries.len()];
        document.placements.iter().for_each(|placement| is_placed[placement.geometry] = true);
        let mut shapes = Vec::new();
        for (index, geometry) in document.geometries.iter().enumerate() {
            let shown = is_placed[index] && !geometry.soup.triangles.is_empty();
            shapes.push(match shown {
                true => Some(self.shape(index, &geometry.name, &geometry.soup)?),
                false => None,
            });
        }
        Ok(shapes)
    }

    fn shape(&mut self, geometry: usize, name: &str, soup: &TriangleSoup) -> Result<Shape, WriteError> {
        let positions = self.position_accessor(geometry, &soup.positions)?;
        let runs = runs(soup);
        let parts = runs.into_iter().map(|(name, run)| (name, self.index_accessor(&soup.triangles[run])));
        Ok(Shape { name: name.into(), positions, parts: parts.collect() })
    }

    fn position_accessor(&mut self, geometry: usize, positions: &[DVec3]) -> Result<usize, WriteError> {
        let offset = self.positions.len();
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        self.positions.reserve(12 * positions.len());
        for (vertex, &position) in positions.iter().enumerate() {
            let p = (position * self.metres).as_vec3();
            if !p.is_finite() {
                let value = position.abs().max_element();
                return Err(WriteError::Coordinate { geometry, vertex, value, format: Format::Glb });
            }
            (low, high) = (low.min(p), high.max(p));
            p.to_array().iter().for_each(|x| self.positions.extend_from_slice(&x.to_le_bytes()));
        }
        self.accessors.push(json!({
            "bufferView": 0, "byteOffset": offset, "componentType": FLOAT, "type": "VEC3",
            "count": positions.len(), "min": low.to_array(), "max": high.to_array(),
        }));
        Ok(self.accessors.len() - 1)
    }

    fn index_accessor(&mut self, triangles: &[[u32; 3]]) -> usize {
        let offset = self.indices.len();
        triangles.iter().flatten().for_each(|index| self.indices.extend_from_slice(&index.to_le_bytes()));
        self.accessors.push(json!({
            "bufferView": 1, "byteOffset": offset, "componentType": UNSIGNED_INT, "type": "SCALAR",
            "count": 3 * triangles.len(),
        }));
        self.accessors.len() - 1
    }

    fn material(&mut self, colour: [f32; 4]) -> usize {
        let bits = colour.map(f32::to_bits);
        if let Some(known) = self.colours.iter().position(|known| *known == bits) {
            return known;
        }
        // Not-a-number has no place in JSON; out of range is not a colour.
        let channel = |x: f32| if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) };
        let colour = colour.map(channel);
        let alpha_mode = if colour[3] < 1.0 { "BLEND" } else { "OPAQUE" };
        self.materials.push(json!({
            "pbrMetallicRoughness": { "baseColorFactor": colour, "metallicFactor": 0, "roughnessFactor": 0.8 },
            "alphaMode": alpha_mode, "doubleSided": true,
        }));
        self.colours.push(bits);
        self.colours.len() - 1
    }

    /// A material belongs to a mesh, so that a shape in two colours is two meshes over the same accessors.
    fn mesh(&mut self, geometry: usize, shape: &Shape, colour: Option<[f32; 4]>) -> usize {
        let material = colour.map(|colour| self.material(colour));
        if let Some(&known) = self.mesh_keys.get(&(geometry, material)) {
            return known;
        }
        let primitive = |(name, indices): &(Option<String>, usize)| {
            let mut primitive = json!({ "attributes": { "POSITION": shape.positions }, "indices": indices });
            if let Some(material) = material {
                primitive["material"] = json!(material);
            }
            if let Some(name) = name {
                primitive["extras"] = json!({ "name": name });
            }
            primitive
        };
        let primitives: Vec<Value> = shape.parts.iter().map(primitive).collect();
        self.meshes.push(json!({ "name": shape.name, "primitives": primitives }));
        self.mesh_keys.insert((geometry, material), self.meshes.len() - 1);
        self.meshes.len() - 1
    }

    /// The matrix is written in all digits: rotation and translation survive in `f64`.
    fn node(&mut self, name: &str, mesh: Option<usize>, pose: &Pose) {
        let mut node = json!({ "name": name });
        if let Some(mesh) = mesh {
            node["mesh"] = json!(mesh);
        }
        if *pose != Pose::IDENTITY {
            let [x, y, z] = [pose.rotation().x_axis, pose.rotation().y_axis, pose.rotation().z_axis];
            let t = pose.translation() * self.metres;
            node["matrix"] =
                json!([x.x, x.y, x.z, 0.0, y.x, y.y, y.z, 0.0, z.x, z.y, z.z, 0.0, t.x, t.y, t.z, 1.0]);
        }
        self.nodes.push(node);
    }

    /// A node that an animation moves may not have a matrix.
    fn moving_node(&mut self, name: &str, mesh: Option<usize>, track: &Track) {
        let mut node = json!({ "name": name, "mesh": mesh });
        if let (Some(&translation), Some(rotation)) = (track.translations.first(), track.rotations.first()) {
            node["translation"] = json!((translation * self.metres).to_array());
            node["rotation"] = json!(rotation);
        }
        self.nodes.push(node);
    }

    fn lines(&mut self, lines: &LineSet, geometry: usize) -> Result<(), WriteError> {
        if lines.segments.is_empty() {
            return Ok(());
        }
        let positions = self.position_accessor(geometry, lines.segments.as_flattened())?;
        let material = self.material(lines.colour);
        let primitive =
            json!({ "attributes": { "POSITION": positions }, "mode": LINES, "material": material });
        self.meshes.push(json!({ "name": lines.name, "primitives": [primitive] }));
        self.node(&lines.name, Some(self.meshes.len() - 1), &Pose::IDENTITY);
        Ok(())
    }

    fn finish(self, about: Option<DrawnAbout>) -> Result<Vec<u8>, WriteError> {
        let [positions, indices, animated] =
            [&self.positions, &self.indices, &self.animated].map(|part| part.len());
        let mut root = json!({ "asset": { "version": "2.0", "generator": "clearance" }, "scene": 0 });
        let node_indices: Vec<usize> = (0..self.nodes.len()).collect();
        let mut scene = scene(about, self.metres);
        // Empty arrays are not allowed.
        if !node_indices.is_empty() {
            scene["nodes"] = json!(node_indices);
        }
        root["scenes"] = json!([scene]);
        if positions > 0 {
            // Several accessors share the view: then its stride has to be said.
            let mut views = vec![
                json!({ "buffer": 0, "byteLength": positions, "byteStride": 12, "target": ARRAY_BUFFER }),
            ];
            if indices > 0 {
                views.push(json!({
                    "buffer": 0, "byteOffset": positions, "byteLength": indices, "target": ELEMENT_ARRAY_BUFFER,
                }));
            }
            if animated > 0 {
                let offset = positions + indices;
                views.push(json!({ "buffer": 0, "byteOffset": offset, "byteLength": animated }));
            }
            root["bufferViews"] = Value::Array(views);
            root["buffers"] = json!([{ "byteLength": positions + indices + animated }]);
        }
        let lists = [
            ("nodes", self.nodes),
            ("meshes", self.meshes),
            ("materials", self.materials),
            ("accessors", self.accessors),
            ("animations", self.animations),
        ];
        for (key, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            root[key] = Value::Array(list);
        }
        container(&root, &[&self.positions, &self.indices, &self.animated])
    }
}

/// Parts of a soup as runs of triangles without gaps; one nameless run when it has none.
fn runs(soup: &TriangleSoup) -> Vec<(Option<String>, Range<usize>)> {
    let count = soup.triangles.len();
    let mut runs = Vec::new();
    let mut end = 0;
    for part in &soup.parts {
        let run = part.triangles.start as usize..part.triangles.end as usize;
        if run.start < end || run.end > count || run.is_empty() {
            continue;
        }
        if run.start > end {
            runs.push((None, end..run.start));
        }
        end = run.end;
        runs.push((Some(part.name.clone()), run));
    }
    if end < count {
        runs.push((None, end..count));
    }
    runs
}

fn container(root: &Value, parts: &[&[u8]]) -> Result<Vec<u8>, WriteError> {
    let mut json = root.to_string().into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    // Elements have four bytes, so that the binary chunk needs no padding.
    let binary: usize = parts.iter().map(|part| part.len()).sum();
    let total = 12 + 8 + json.len() + if binary > 0 { 8 + binary } else { 0 };
    let limit = u64::from(u32::MAX);
    let length = |size: usize| {
        u32::try_from(size).map_err(|_| WriteError::TooMany { what: "bytes", limit, format: Format::Glb })
    };
    let mut bytes = Vec::with_capacity(total);
    bytes.extend_from_slice(b"glTF");
    bytes.extend_from_slice(&2u32.to_le_bytes());
    bytes.extend_from_slice(&length(total)?.to_le_bytes());
    bytes.extend_from_slice(&length(json.len())?.to_le_bytes());
    bytes.extend_from_slice(b"JSON");
    bytes.extend_from_slice(&json);
    if binary > 0 {
        bytes.extend_from_slice(&length(binary)?.to_le_bytes());
        bytes.extend_from_slice(b"BIN\0");
        parts.iter().for_each(|part| bytes.extend_from_slice(part));
    }
    Ok(bytes)
}
