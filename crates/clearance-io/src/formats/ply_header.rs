//! The header of a Stanford polygon file.

use crate::fault::Fault;
use crate::text::{Dialect, Scanner, Word, name_of};

/// What the header says.
pub(super) struct Header {
    pub encoding: Encoding,
    pub elements: Vec<Element>,
    /// Bytes up to the data.
    pub length: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// A table of rows with the same properties.
pub(super) struct Element {
    pub name: String,
    pub count: u64,
    pub properties: Vec<Property>,
    /// Where it is declared.
    pub offset: usize,
}

pub(super) enum Property {
    Scalar { name: String, kind: Scalar },
    List { name: String, count: Scalar, item: Scalar },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    pub fn size(self) -> u64 {
        match self {
            Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::F64 => 8,
        }
    }

    fn from_word(word: Word<'_>) -> Result<Scalar, Fault> {
        Ok(match word.bytes {
            b"char" | b"int8" => Scalar::I8,
            b"uchar" | b"uint8" => Scalar::U8,
            b"short" | b"int16" => Scalar::I16,
            b"ushort" | b"uint16" => Scalar::U16,
            b"int" | b"int32" => Scalar::I32,
            b"uint" | b"uint32" => Scalar::U32,
            b"float" | b"float32" => Scalar::F32,
            b"double" | b"float64" => Scalar::F64,
            _ => {
                let problem = format!("`{}` is not a PLY number type", word.shown());
                return Err(Fault::at_byte(word.offset, problem));
            }
        })
    }
}

impl Header {
    pub fn read(bytes: &[u8]) -> Result<Header, Fault> {
        let mut scanner = Scanner::at(bytes, 0, Dialect::Plain);
        if scanner.word_in_line().is_none_or(|word| word.bytes != b"ply") {
            return Err(Fault::at_byte(0, "a PLY file begins with `ply`"));
        }
        let mut encoding = None;
        let mut elements = Vec::new();
        loop {
            if !scanner.next_line() {
                return Err(Fault::at_byte(bytes.len(), "the file ends in its header, before `end_header`"));
            }
            let Some(keyword) = scanner.word_in_line() else { continue };
            match keyword.bytes {
                b"comment" | b"obj_info" => {}
                b"format" => encoding = Some(read_encoding(&mut scanner)?),
                b"element" => elements.push(read_element(keyword, &mut scanner)?),
                b"property" => read_property(keyword, &mut scanner, &mut elements)?,
                b"end_header" => break,
                _ => {
                    let problem = format!("`{}` is not a PLY header statement", keyword.shown());
                    return Err(Fault::at_byte(keyword.offset, problem));
                }
            }
        }
        let Some(encoding) = encoding else {
            return Err(Fault::at_byte(scanner.offset(), "the header has no `format`"));
        };
        Ok(Header { encoding, elements, length: data_start(bytes, &mut scanner) })
    }
}

/// Data begins after one line end of the kind that the first line has: with lone CR as line end, an LF after
/// it is data.
fn data_start(bytes: &[u8], scanner: &mut Scanner<'_>) -> usize {
    let end = scanner.offset() + scanner.rest_of_line_length();
    let first_line_end = bytes.iter().position(|&b| b == b'\n' || b == b'\r').unwrap_or(0);
    let length = match bytes.get(first_line_end..first_line_end + 2) {
        Some(b"\r\n") if bytes[end..].starts_with(b"\r\n") => 2,
        _ => 1,
    };
    bytes.len().min(end + length)
}

fn word<'a>(scanner: &mut Scanner<'a>, what: &str) -> Result<Word<'a>, Fault> {
    let word = scanner.word_in_line();
    word.ok_or_else(|| Fault::at_byte(scanner.offset(), format!("the line ends before {what}")))
}

fn read_encoding(scanner: &mut Scanner<'_>) -> Result<Encoding, Fault> {
    let name = word(scanner, "the name of the encoding")?;
    match name.bytes {
        b"ascii" => Ok(Encoding::Text),
        b"binary_little_endian" => Ok(Encoding::LittleEndian),
        b"binary_big_endian" => Ok(Encoding::BigEndian),
        _ => Err(Fault::at_byte(
            name.offset,
            format!("`{}` is not `ascii`, `binary_little_endian` or `binary_big_endian`", name.shown()),
        )),
    }
}

fn read_element(keyword: Word<'_>, scanner: &mut Scanner<'_>) -> Result<Element, Fault> {
    let name = name_of(word(scanner, "the name of the element")?.bytes);
    let count = word(scanner, "the count")?;
    let number = u64::try_from(count.integer()?);
    let number = number.map_err(|_| Fault::at_byte(count.offset, "a count cannot be negative"))?;
    Ok(Element { name, count: number, properties: Vec::new(), offset: keyword.offset })
}

fn read_property(
    keyword: Word<'_>,
    scanner: &mut Scanner<'_>,
    elements: &mut [Element],
) -> Result<(), Fault> {
    let Some(element) = elements.last_mut() else {
        return Err(Fault::at_byte(keyword.offset, "a property before the first element"));
    };
    let kind = word(scanner, "the type")?;
    let property = if kind.bytes == b"list" {
        let count = Scalar::from_word(word(scanner, "the type of the count")?)?;
        let item = Scalar::from_word(word(scanner, "the type of the items")?)?;
        Property::List { name: name_of(word(scanner, "the name")?.bytes), count, item }
    } else {
        let kind = Scalar::from_word(kind)?;
        Property::Scalar { name: name_of(word(scanner, "the name")?.bytes), kind }
    };
    element.properties.push(property);
    Ok(())
}
