//! The 3D Manufacturing Format: a zip archive of XML models; objects, components and build items.

mod archive;
mod model;

use super::Source;
use crate::assembly::Assembly;
use crate::document::Document;
use crate::error::Position;
use crate::fault::Fault;
use crate::meter::{Budget, Meter};
use archive::Archive;
use clearance::glam::DAffine3;
use model::{Body, Model, Reference};
use rustc_hash::FxHashMap;

/// One placement per build item, or per mesh that it is composed of.
pub(crate) fn read(source: &Source<'_>, meter: &mut Meter<'_>) -> Result<Document, Fault> {
    let mut package = Package::load(source, meter)?;
    let size = package.archive.inflated() + source.bytes.len() as u64;
    let mut assembly = Assembly::new(Budget::new(source.options, size));
    assembly.document().unit = Some(package.models[0].unit);
    assembly.document().notes.append(&mut package.notes);
    for model in &mut package.models {
        model.hand_over_meshes(source.stem, &mut assembly);
    }
    package.place_items(&mut assembly)?;
    Ok(assembly.finish())
}

/// The models of a file; the first one has the build items.
struct Package<'a> {
    archive: Archive<'a>,
    models: Vec<Model>,
    /// Index of the model in each archive entry.
    by_entry: FxHashMap<String, usize>,
    notes: Vec<String>,
}

impl<'a> Package<'a> {
    fn load(source: &Source<'a>, meter: &mut Meter<'_>) -> Result<Package<'a>, Fault> {
        let archive = Archive::open(source.bytes, source.options)?;
        let mut package =
            Package { archive, models: Vec::new(), by_entry: FxHashMap::default(), notes: Vec::new() };
        let root = package.archive.root_model()?;
        let mut waiting = vec![root];
        while let Some(entry) = waiting.pop() {
            if package.by_entry.contains_key(&entry) {
                continue;
            }
            let before = package.archive.inflated();
            let text = package.archive.inflate(&entry)?;
            meter.set_total(package.archive.inflated());
            let model = Model::parse(&entry, text, before, meter)?;
            package.by_entry.insert(entry, package.models.len());
            waiting.extend(model.other_entries());
            package.notes.extend(model.notes());
            package.models.push(model);
        }
        Ok(package)
    }

    /// Walks from the build items to meshes, in order, without recursion.
    fn place_items(&self, assembly: &mut Assembly) -> Result<(), Fault> {
        let object_count: usize = self.models.iter().map(Model::object_count).sum();
        let items = &self.models[0].items;
        let mut stack: Vec<Visit<'_>> = Vec::new();
        for item in items {
            let name = item.name.as_deref();
            stack.push(Visit { model: 0, reference: item, to_world: item.transform(), name, depth: 0 });
            while let Some(visit) = stack.pop() {
                self.visit(visit, &mut stack, object_count, assembly)?;
            }
        }
        if items.is_empty() && object_count > 0 {
            let note = format!("the build is empty: none of the {object_count} objects is placed");
            assembly.document().notes.push(note);
        }
        Ok(())
    }

    fn visit<'b>(
        &'b self,
        visit: Visit<'b>,
        stack: &mut Vec<Visit<'b>>,
        object_count: usize,
        assembly: &mut Assembly,
    ) -> Result<(), Fault> {
        let Visit { model: from, reference, to_world, name, depth } = visit;
        let position = || self.models[from].position(reference.offset);
        let wrong = |problem: String| Fault::malformed(position(), problem);
        // Each visit costs, so that components of components cannot multiply without end.
        assembly.budget().spend(size_of::<Visit<'_>>() as u64, position)?;
        if depth > object_count {
            return Err(wrong(format!("object {} contains itself", reference.object)));
        }
        let model = match &reference.entry {
            None => Some(from),
            Some(entry) => self.by_entry.get(entry).copied(),
        };
        let object = model.and_then(|model| self.models[model].object(reference.object));
        let (Some(model), Some(object)) = (model, object) else {
            return Err(wrong(format!("object {} does not exist", reference.object)));
        };
        let name = name.or(object.name.as_deref());
        match &object.body {
            Body::Mesh { shape } => {
                let name = name.map_or_else(|| assembly.shape_name(*shape).to_string(), str::to_string);
                assembly.place(name, *shape, to_world, position)
            }
            Body::Components(components) => {
                stack.extend(components.iter().rev().map(|component| Visit {
                    model,
                    reference: component,
                    to_world: to_world * component.transform(),
                    name: self.component_name(model, component, name),
                    depth: depth + 1,
                }));
                Ok(())
            }
        }
    }

    /// A component goes by the name of its object; without one, by the name of what it is part of.
    fn component_name<'b>(
        &'b self,
        model: usize,
        component: &'b Reference,
        whole: Option<&'b str>,
    ) -> Option<&'b str> {
        let model =
            component.entry.as_ref().map_or(Some(model), |entry| self.by_entry.get(entry).copied())?;
        let object = self.models[model].object(component.object);
        object.and_then(|object| object.name.as_deref()).or(whole)
    }
}

/// An object to place.
struct Visit<'a> {
    /// The model with the reference.
    model: usize,
    reference: &'a Reference,
    to_world: DAffine3,
    name: Option<&'a str>,
    depth: usize,
}

/// A fault in an entry as a whole.
fn in_entry(entry: &str, problem: impl Into<String>) -> Fault {
    Fault::malformed(Position::Element(entry.into()), problem)
}
