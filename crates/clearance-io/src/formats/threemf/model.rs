//! One XML model: its objects and build items.

use super::in_entry;
use crate::assembly::Assembly;
use crate::document::LengthUnit;
use crate::error::Position;
use crate::fault::{Fault, accept};
use crate::meter::Meter;
use crate::text::{name_of, shown, whole_number};
use clearance::glam::{DAffine3, DMat3, DVec3};
use clearance::shape::TriangleSoup;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use rustc_hash::FxHashMap;

/// The content of one `.model` entry.
pub(super) struct Model {
    pub unit: LengthUnit,
    pub items: Vec<Reference>,
    objects: Vec<Object>,
    by_id: FxHashMap<u32, usize>,
    entry: String,
    /// Kept for the positions of errors.
    text: Vec<u8>,
    unknown_extensions: Option<String>,
}

pub(super) struct Object {
    pub name: Option<Box<str>>,
    pub body: Body,
    mesh: TriangleSoup,
}

/// A mesh, which became a shape of the assembly, or references to other objects.
pub(super) enum Body {
    Mesh { shape: usize },
    Components(Vec<Reference>),
}

/// A component or a build item.
pub(super) struct Reference {
    pub object: u32,
    /// The archive entry of the object, if it is another one.
    pub entry: Option<String>,
    pub name: Option<Box<str>>,
    /// Where it is in the text.
    pub offset: usize,
    transform: Option<Box<DAffine3>>,
}

impl Reference {
    pub fn transform(&self) -> DAffine3 {
        self.transform.as_deref().copied().unwrap_or(DAffine3::IDENTITY)
    }
}

impl Model {
    /// Reads the text of an entry; `done` bytes of other entries were read before.
    pub fn parse(entry: &str, text: Vec<u8>, done: u64, meter: &mut Meter<'_>) -> Result<Model, Fault> {
        let mut parser = Parser::default();
        let outcome = match std::str::from_utf8(&text) {
            Ok(utf8) => parser.run(utf8, done as usize, meter),
            Err(error) => Err(Fault::at_byte(error.valid_up_to(), "not UTF-8")),
        };
        outcome.map_err(|fault| fault.in_entry(entry, &text))?;
        let Some(unit) = parser.unit else { return Err(in_entry(entry, "has no element `model`")) };
        let Parser { items, objects, by_id, unknown_extensions, .. } = parser;
        Ok(Model { unit, items, objects, by_id, entry: entry.into(), text, unknown_extensions })
    }

    pub fn object(&self, id: u32) -> Option<&Object> {
        self.by_id.get(&id).map(|&index| &self.objects[index])
    }

    pub fn object_count(&self) -> usize {
        self.objects.len()
    }

    /// A byte offset as a place in the archive.
    pub fn position(&self, offset: usize) -> Position {
        Fault::at_byte(offset, "").in_entry(&self.entry, &self.text).position
    }

    /// Entries that components or items refer to.
    pub fn other_entries(&self) -> Vec<String> {
        let components = self.objects.iter().flat_map(|object| match &object.body {
            Body::Components(components) => components.as_slice(),
            Body::Mesh { .. } => &[],
        });
        let mut entries: Vec<String> =
            components.chain(&self.items).filter_map(|r| r.entry.clone()).collect();
        entries.sort();
        entries.dedup();
        entries
    }

    pub fn notes(&self) -> Option<String> {
        self.unknown_extensions.as_ref().map(|names| format!("the required extensions `{names}` are ignored"))
    }

    /// Makes every mesh a shape of the assembly.
    pub fn hand_over_meshes(&mut self, stem: &str, assembly: &mut Assembly) {
        for object in &mut self.objects {
            if let Body::Mesh { shape } = &mut object.body {
                let name = object.name.as_deref().unwrap_or(stem).to_string();
                *shape = assembly.add_shape(name, std::mem::take(&mut object.mesh));
            }
        }
    }
}

#[derive(Default)]
struct Parser {
    unit: Option<LengthUnit>,
    /// Prefix of the core elements: those of other namespaces may have the same names.
    prefix: String,
    items: Vec<Reference>,
    objects: Vec<Object>,
    by_id: FxHashMap<u32, usize>,
    open: Option<OpenObject>,
    unknown_extensions: Option<String>,
}

struct OpenObject {
    id: u32,
    name: Option<Box<str>>,
    mesh: TriangleSoup,
    components: Vec<Reference>,
}

/// An element with its place.
struct Element<'a, 'b> {
    start: &'a BytesStart<'b>,
    offset: usize,
}

impl Parser {
    fn run(&mut self, text: &str, done: usize, meter: &mut Meter<'_>) -> Result<(), Fault> {
        let mut reader = Reader::from_str(text);
        let mut depth = 0u64;
        loop {
            let offset = reader.buffer_position() as usize;
            let event = reader.read_event();
            meter.at(done + offset)?;
            match event {
                Err(error) => {
                    return Err(Fault::at_byte(reader.error_position() as usize, error.to_string()));
                }
                Ok(Event::Start(start)) => {
                    depth += 1;
                    self.begin(&Element { start: &start, offset })?;
                }
                Ok(Event::Empty(start)) => {
                    self.begin(&Element { start: &start, offset })?;
                    self.end(start.name().as_ref(), offset)?;
                }
                Ok(Event::End(end)) => {
                    depth = depth.saturating_sub(1);
                    self.end(end.name().as_ref(), offset)?;
                }
                Ok(Event::Eof) => break,
                Ok(_) => {}
            }
        }
        match depth {
            0 => Ok(()),
            _ => Err(Fault::at_byte(text.len(), format!("the text ends inside of {depth} elements"))),
        }
    }

    /// The name of a core element without its prefix.
    fn core_name<'n>(&self, name: &'n str) -> Option<&'n str> {
        name.strip_prefix(self.prefix.as_str()).filter(|name| !name.contains(':'))
    }

    fn begin(&mut self, element: &Element<'_, '_>) -> Result<(), Fault> {
        let name = element.start.name();
        let name = name.as_ref();
        if self.unit.is_none() {
            return self.begin_model(element);
        }
        match self.core_name(name) {
            Some("object") => self.begin_object(element),
            Some("vertex") => self.vertex(element),
            Some("triangle") => self.triangle(element),
            Some("component") => {
                let component = element.reference()?;
                self.open_object(element)?.components.push(component);
                Ok(())
            }
            Some("item") => {
                self.items.push(element.reference()?);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn begin_model(&mut self, element: &Element<'_, '_>) -> Result<(), Fault> {
        let name = element.start.name();
        if element.start.local_name().as_ref() != "model" {
            return Err(
                element.wrong(format!("`{}` is expected to be `model`", shown(name.as_ref().as_bytes())))
            );
        }
        self.prefix = name.as_ref().strip_suffix("model").unwrap_or_default().to_string();
        let unit = element.attribute("unit")?;
        self.unit = Some(match unit.as_deref().unwrap_or("millimeter") {
            "micron" => LengthUnit::Micrometre,
            "millimeter" => LengthUnit::Millimetre,
            "centimeter" => LengthUnit::Centimetre,
            "inch" => LengthUnit::Inch,
            "foot" => LengthUnit::Foot,
            "meter" => LengthUnit::Metre,
            other => return Err(element.wrong(format!("unknown unit `{}`", shown(other.as_bytes())))),
        });
        // Production is read; materials say nothing about shape.
        let unknown = |name: &&str| !matches!(*name, "p" | "m");
        let required = element.attribute("requiredextensions")?.unwrap_or_default();
        let unknown: Vec<&str> = required.split_ascii_whitespace().filter(unknown).collect();
        self.unknown_extensions = (!unknown.is_empty()).then(|| name_of(unknown.join(" ").as_bytes()));
        Ok(())
    }

    fn begin_object(&mut self, element: &Element<'_, '_>) -> Result<(), Fault> {
        if self.open.is_some() {
            return Err(element.wrong("an object inside an object"));
        }
        let id = element.id("id")?;
        let name = element.name("name")?;
        self.open = Some(OpenObject { id, name, mesh: TriangleSoup::default(), components: Vec::new() });
        Ok(())
    }

    fn open_object(&mut self, element: &Element<'_, '_>) -> Result<&mut OpenObject, Fault> {
        self.open.as_mut().ok_or_else(|| element.wrong("is not inside an object"))
    }

    fn vertex(&mut self, element: &Element<'_, '_>) -> Result<(), Fault> {
        let [x, y, z] = element.numbers(["x", "y", "z"])?;
        let positions = &mut self.open_object(element)?.mesh.positions;
        let at = || Position::Byte(element.offset as u64);
        positions.push(accept(DVec3::new(x, y, z), positions.len(), at)?);
        Ok(())
    }

    fn triangle(&mut self, element: &Element<'_, '_>) -> Result<(), Fault> {
        let corners = element.integers(["v1", "v2", "v3"])?;
        let mesh = &mut self.open_object(element)?.mesh;
        let count = mesh.positions.len();
        let mut triangle = [0; 3];
        for (corner, index) in triangle.iter_mut().zip(corners) {
            let there = usize::try_from(index).is_ok_and(|index| index < count);
            *corner = u32::try_from(index).ok().filter(|_| there).ok_or_else(|| {
                element.wrong(format!("a triangle refers to vertex {index}, but the object has {count}"))
            })?;
        }
        mesh.triangles.push(triangle);
        Ok(())
    }

    fn end(&mut self, name: &str, offset: usize) -> Result<(), Fault> {
        if self.core_name(name) != Some("object") {
            return Ok(());
        }
        let Some(OpenObject { id, name, mesh, components }) = self.open.take() else { return Ok(()) };
        if !components.is_empty() && !mesh.triangles.is_empty() {
            return Err(Fault::at_byte(offset, format!("object {id} has both a mesh and components")));
        }
        if self.by_id.insert(id, self.objects.len()).is_some() {
            return Err(Fault::at_byte(offset, format!("object {id} is defined twice")));
        }
        let body = if components.is_empty() { Body::Mesh { shape: 0 } } else { Body::Components(components) };
        self.objects.push(Object { name, body, mesh });
        Ok(())
    }
}

impl Element<'_, '_> {
    fn wrong(&self, problem: impl Into<String>) -> Fault {
        Fault::at_byte(self.offset, problem)
    }

    /// Calls back with every attribute's name (with its prefix) and raw value.
    fn each(&self, mut take: impl FnMut(&str, &str) -> Result<(), Fault>) -> Result<(), Fault> {
        let mut attributes = self.start.attributes();
        attributes.with_checks(false);
        for attribute in attributes {
            let attribute = attribute.map_err(|error| self.wrong(format!("a wrong attribute: {error}")))?;
            take(attribute.key.as_ref(), &attribute.value)?;
        }
        Ok(())
    }

    /// The values of three attributes that must all be there.
    fn three<T: Copy>(
        &self,
        names: [&str; 3],
        parse: impl Fn(&str) -> Option<T>,
        what: &str,
    ) -> Result<[T; 3], Fault> {
        let mut values = [None; 3];
        self.each(|key, value| {
            if let Some(i) = names.iter().position(|name| *name == key) {
                let wrong =
                    || self.wrong(format!("{} is `{}`, not {what}", names[i], shown(value.as_bytes())));
                values[i] = Some(parse(value.trim_ascii()).ok_or_else(wrong)?);
            }
            Ok(())
        })?;
        let missing = |i: usize| self.wrong(format!("the attribute `{}` is missing", names[i]));
        Ok([
            values[0].ok_or_else(|| missing(0))?,
            values[1].ok_or_else(|| missing(1))?,
            values[2].ok_or_else(|| missing(2))?,
        ])
    }

    fn numbers(&self, names: [&str; 3]) -> Result<[f64; 3], Fault> {
        self.three(names, |text| text.parse().ok(), "a number")
    }

    fn integers(&self, names: [&str; 3]) -> Result<[i64; 3], Fault> {
        self.three(names, |text| whole_number(text.as_bytes()), "a whole number")
    }

    /// The text of an attribute; `path` belongs to the production extension and has its prefix.
    fn attribute(&self, name: &str) -> Result<Option<String>, Fault> {
        let mut found = None;
        self.each(|key, value| {
            if key == name || name == "path" && key.ends_with(":path") {
                let text = quick_xml::escape::unescape(value)
                    .map_err(|error| self.wrong(format!("the attribute `{name}` is wrong: {error}")))?;
                found = Some(text.into_owned());
            }
            Ok(())
        })?;
        Ok(found)
    }

    fn name(&self, attribute: &str) -> Result<Option<Box<str>>, Fault> {
        let name = self.attribute(attribute)?.filter(|name| !name.is_empty());
        Ok(name.map(|name| name_of(name.as_bytes()).into()))
    }

    fn id(&self, name: &str) -> Result<u32, Fault> {
        let text =
            self.attribute(name)?.ok_or_else(|| self.wrong(format!("the attribute `{name}` is missing")))?;
        let id = whole_number(text.trim().as_bytes()).and_then(|id| u32::try_from(id).ok());
        id.ok_or_else(|| self.wrong(format!("{name} is `{}`, not a whole number", shown(text.as_bytes()))))
    }

    fn reference(&self) -> Result<Reference, Fault> {
        let object = self.id("objectid")?;
        let entry = self.attribute("path")?.map(|path| path.trim_start_matches('/').to_string());
        let transform = match self.attribute("transform")? {
            Some(text) => Some(Box::new(transform(&text).ok_or_else(|| {
                self.wrong(format!("the transform `{}` is not twelve numbers", shown(text.as_bytes())))
            })?)),
            None => None,
        };
        Ok(Reference { object, entry, name: self.name("partnumber")?, offset: self.offset, transform })
    }
}

/// Twelve numbers: the images of the axes, then the translation (the format multiplies rows from the left).
fn transform(text: &str) -> Option<DAffine3> {
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<f64>().ok());
    let mut entries = [0.0; 12];
    for entry in &mut entries {
        *entry = numbers.next()??;
    }
    if numbers.next().is_some() || !entries.iter().all(|entry| entry.is_finite()) {
        return None;
    }
    let [a, b, c, d, e, f, g, h, i, x, y, z] = entries;
    Some(DAffine3::from_mat3_translation(
        DMat3::from_cols_array(&[a, b, c, d, e, f, g, h, i]),
        DVec3::new(x, y, z),
    ))
}
