//! The zip archive around a 3MF model, inflated under a cap.

use super::in_entry;
use crate::error::Position;
use crate::fault::{Fault, Problem};
use crate::read::ReadOptions;
use quick_xml::Reader;
use quick_xml::events::Event;
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// An archive that counts what it inflates.
pub(super) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    limit: u64,
    inflated: u64,
}

const RELATIONSHIPS: &str = "_rels/.rels";
const USUAL_MODEL: &str = "3D/3dmodel.model";

impl<'a> Archive<'a> {
    pub fn open(bytes: &'a [u8], options: &ReadOptions<'_>) -> Result<Archive<'a>, Fault> {
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| {
            Fault::malformed(Position::File, format!("not a 3MF file (a zip archive): {error}"))
        })?;
        Ok(Archive { zip, limit: options.max_uncompressed_bytes, inflated: 0 })
    }

    /// Bytes inflated so far.
    pub fn inflated(&self) -> u64 {
        self.inflated
    }

    /// The content of an entry; what it claims to be long is not believed.
    pub fn inflate(&mut self, entry: &str) -> Result<Vec<u8>, Fault> {
        let Some(index) = self.find(entry) else {
            return Err(in_entry(entry, "is not in the archive"));
        };
        let limit = self.limit;
        let room = limit - self.inflated;
        let unreadable =
            |error: &dyn std::fmt::Display| in_entry(entry, format!("cannot be inflated: {error}"));
        let file = self.zip.by_index(index).map_err(|error| unreadable(&error))?;
        let mut bytes = Vec::new();
        file.take(room.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
        if bytes.len() as u64 > room {
            let position = Position::Element(entry.into());
            return Err(Fault { position, problem: Problem::TooLarge { limit } });
        }
        self.inflated += bytes.len() as u64;
        Ok(bytes)
    }

    /// Names in a package do not distinguish upper and lower case.
    fn find(&self, entry: &str) -> Option<usize> {
        let same = |name: &str| name.trim_start_matches('/').eq_ignore_ascii_case(entry);
        let mut names = self.zip.file_names();
        self.zip.index_for_name(entry).or_else(|| names.position(|name| name.is_ok_and(|name| same(&name))))
    }

    /// The entry that the package names as its model, else the usual one.
    pub fn root_model(&mut self) -> Result<String, Fault> {
        if self.find(RELATIONSHIPS).is_none() {
            return Ok(USUAL_MODEL.into());
        }
        let bytes = self.inflate(RELATIONSHIPS)?;
        let text = std::str::from_utf8(&bytes).map_err(|error| {
            Fault::at_byte(error.valid_up_to(), "not UTF-8").in_entry(RELATIONSHIPS, &bytes)
        })?;
        let target = model_target(text).map_err(|fault| fault.in_entry(RELATIONSHIPS, &bytes))?;
        Ok(target.unwrap_or_else(|| USUAL_MODEL.into()))
    }
}

fn model_target(text: &str) -> Result<Option<String>, Fault> {
    let mut reader = Reader::from_str(text);
    loop {
        let event = reader.read_event();
        let offset = reader.error_position() as usize;
        match event.map_err(|error| Fault::at_byte(offset, error.to_string()))? {
            Event::Start(element) | Event::Empty(element)
                if element.local_name().as_ref() == "Relationship" =>
            {
                let value = |name: &str| {
                    let attribute = element.try_get_attribute(name).ok().flatten()?;
                    Some(attribute.value.into_owned())
                };
                if value("Type").is_some_and(|kind| kind.ends_with("/3dmodel")) {
                    return Ok(value("Target").map(|target| target.trim_start_matches('/').to_string()));
                }
            }
            Event::Eof => return Ok(None),
            _ => {}
        }
    }
}
