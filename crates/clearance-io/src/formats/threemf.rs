//! placeholder
use super::Source;
use crate::document::Document;
use crate::error::{Position, WriteError};
use crate::fault::Fault;
use crate::meter::Meter;

pub(crate) fn read(_source: &Source<'_>, _meter: &mut Meter<'_>) -> Result<Document, Fault> {
    Err(Fault::malformed(Position::File, "not yet read"))
}
