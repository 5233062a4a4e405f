//! glTF 2.0: the node tree as placed parts, in metres.

mod accessor;
mod animate;
mod container;
mod json;
mod mesh;
mod write;

pub(crate) use write::write;

use super::Source;
use crate::assembly::Assembly;
use crate::document::{Document, LengthUnit};
use crate::error::Position;
use crate::fault::Fault;
use crate::meter::{Budget, Meter};
use crate::text::name_of;
use accessor::Buffers;
use clearance::glam::{DAffine3, DMat4, DQuat, DVec3};
use json::{Node, Root};

/// Extensions without which there are no triangles, or not where they belong.
const UNREADABLE: &[&str] = &[
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "EXT_mesh_gpu_instancing",
];

/// One placement per node that has a mesh, in the order of the tree of the default scene.
pub(crate) fn read(source: &Source<'_>, meter: &mut Meter<'_>) -> Result<Document, Fault> {
    let chunks = container::chunks(source.bytes)?;
    let root = container::parse(&chunks, source)?;
    check_version(&root)?;
    let contents = container::buffers(&root, &chunks, source)?;
    let size = source.bytes.len() as u64 + contents.iter().map(|content| content.len() as u64).sum::<u64>();
    let mut assembly = Assembly::new(Budget::new(source.options, size));
    assembly.document().unit = Some(LengthUnit::Metre);
    if chunks.trailing > 0 {
        assembly
            .document()
            .notes
            .push(format!("{} bytes after the last chunk were ignored", chunks.trailing));
    }
    let buffers = Buffers { root: &root, contents: &contents };
    let mut meshes = mesh::Meshes::new(&buffers, source.stem, size);
    let mut tree = Tree { root: &root, seen: vec![false; root.nodes.len()] };
    let mut stack = tree.roots()?;
    while let Some((index, parent_to_world)) = stack.pop() {
        let node = tree.enter(index)?;
        let to_world = parent_to_world * local_transform(node, index)?;
        if let Some(mesh) = node.mesh {
            let shape = meshes.shape(mesh, &mut assembly, meter)?;
            let name = node.name.as_deref().filter(|name| !name.is_empty());
            let name =
                name.map_or_else(|| assembly.shape_name(shape).into(), |name| name_of(name.as_bytes()));
            assembly.place(name, shape, to_world, || Position::Element(format!("nodes[{index}]")))?;
        }
        stack.extend(node.children.iter().rev().map(|&child| (child, to_world)));
    }
    meshes.tell(assembly.document());
    let ignored =
        root.extensions_required.iter().map(|name| format!("the required extension `{name}` is ignored"));
    assembly.document().notes.extend(ignored);
    Ok(assembly.finish())
}

fn check_version(root: &Root) -> Result<(), Fault> {
    if !root.asset.version.starts_with("2.") {
        let problem = format!("version {}; only version 2 is read", name_of(root.asset.version.as_bytes()));
        return Err(Fault::element("asset", problem));
    }
    match root.extensions_required.iter().find(|name| UNREADABLE.contains(&name.as_str())) {
        Some(name) => Err(Fault::element(
            "extensionsRequired",
            format!("`{name}` is not read; export the file without compression and instancing extensions"),
        )),
        None => Ok(()),
    }
}

/// The nodes; each may be entered once, which rules out circles and shared subtrees.
struct Tree<'a> {
    root: &'a Root,
    seen: Vec<bool>,
}

impl<'a> Tree<'a> {
    /// Roots of the default scene, else of the first, else all nodes that are nobody's child; last one first.
    fn roots(&self) -> Result<Vec<(usize, DAffine3)>, Fault> {
        let root = self.root;
        let indices = match (root.scene, root.scenes.first()) {
            (Some(scene), _) => match root.scenes.get(scene) {
                Some(scene) => scene.nodes.clone(),
                None => return Err(Fault::element("scene", format!("scenes[{scene}] does not exist"))),
            },
            (None, Some(scene)) => scene.nodes.clone(),
            (None, None) => {
                let mut is_child = vec![false; root.nodes.len()];
                for &child in root.nodes.iter().flat_map(|node| &node.children) {
                    if let Some(is_child) = is_child.get_mut(child) {
                        *is_child = true;
                    }
                }
                (0..root.nodes.len()).filter(|&node| !is_child[node]).collect()
            }
        };
        Ok(indices.into_iter().rev().map(|node| (node, DAffine3::IDENTITY)).collect())
    }

    fn enter(&mut self, index: usize) -> Result<&'a Node, Fault> {
        let wrong = |problem: &str| Fault::element(format!("nodes[{index}]"), problem);
        let node = self.root.nodes.get(index).ok_or_else(|| wrong("does not exist"))?;
        if std::mem::replace(&mut self.seen[index], true) {
            return Err(wrong("is reached twice; a node has one parent, and not itself"));
        }
        Ok(node)
    }
}

fn local_transform(node: &Node, index: usize) -> Result<DAffine3, Fault> {
    let wrong = |problem: &str| Fault::element(format!("nodes[{index}]"), problem);
    if let Some(matrix) = node.matrix.as_deref() {
        let matrix = DMat4::from_cols_array(matrix);
        if matrix.row(3).to_array() != [0.0, 0.0, 0.0, 1.0] {
            return Err(wrong("the last row of its matrix is not 0 0 0 1"));
        }
        return Ok(DAffine3::from_mat4(matrix));
    }
    // Single precision leaves the quaternion off unit length, which would scale the part.
    let quaternion = DQuat::from_array(node.rotation.as_deref().copied().unwrap_or([0.0, 0.0, 0.0, 1.0]));
    let length = quaternion.length();
    if !(0.9..=1.1).contains(&length) {
        return Err(wrong(&format!("its rotation is a quaternion of length {length}, not 1")));
    }
    let scale = DVec3::from_array(node.scale.as_deref().copied().unwrap_or([1.0; 3]));
    let translation = DVec3::from_array(node.translation.as_deref().copied().unwrap_or([0.0; 3]));
    Ok(DAffine3::from_scale_rotation_translation(scale, quaternion * length.recip(), translation))
}
