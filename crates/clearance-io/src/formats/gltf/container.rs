//! Where the bytes of a glTF file are: chunks of a GLB, data URIs, files beside it.

use super::json::{Buffer, Root};
use crate::error::{Position, ReadError};
use crate::fault::{Fault, Problem};
use crate::formats::Source;
use crate::read::load;
use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

/// JSON, and the binary chunk if there is one.
pub(super) struct Chunks<'a> {
    pub json: &'a [u8],
    pub binary: Option<&'a [u8]>,
    /// Bytes after the last chunk.
    pub trailing: usize,
}

const MAGIC: &[u8; 4] = b"glTF";
const JSON_CHUNK: u32 = 0x4e4f_534a;
const BINARY_CHUNK: u32 = 0x004e_4942;

/// Splits a GLB into its chunks; anything that is not a GLB is taken as JSON.
pub(super) fn chunks(bytes: &[u8]) -> Result<Chunks<'_>, Fault> {
    if !bytes.starts_with(MAGIC) {
        return Ok(Chunks { json: bytes, binary: None, trailing: 0 });
    }
    let version = word(bytes, 4)?;
    if version != 2 {
        return Err(Fault::at_byte(4, format!("glTF version {version}; only version 2 is read")));
    }
    let length = word(bytes, 8)? as usize;
    if length > bytes.len() {
        let problem = format!("the header promises {length} bytes, but the file has {}", bytes.len());
        return Err(Fault::at_byte(bytes.len(), problem));
    }
    let body = &bytes[..length];
    let (kind, json, mut offset) = chunk(body, 12)?;
    if kind != JSON_CHUNK {
        return Err(Fault::at_byte(16, "the first chunk is not JSON"));
    }
    let mut binary = None;
    while offset < length {
        let (kind, content, end) = chunk(body, offset)?;
        if kind == BINARY_CHUNK && binary.is_none() {
            binary = Some(content);
        }
        offset = end;
    }
    Ok(Chunks { json, binary, trailing: bytes.len() - length })
}

fn word(bytes: &[u8], offset: usize) -> Result<u32, Fault> {
    let four = bytes.get(offset..).and_then(|rest| rest.first_chunk());
    let four =
        four.ok_or_else(|| Fault::at_byte(bytes.len(), "the file ends in a header of 12 or 8 bytes"))?;
    Ok(u32::from_le_bytes(*four))
}

/// Kind and content of the chunk at an offset, and the offset after it.
fn chunk(bytes: &[u8], offset: usize) -> Result<(u32, &[u8], usize), Fault> {
    let length = word(bytes, offset)? as usize;
    let kind = word(bytes, offset + 4)?;
    let rest = &bytes[offset + 8..];
    let content = rest.get(..length).ok_or_else(|| {
        Fault::at_byte(offset, format!("a chunk of {length} bytes, but only {} are left", rest.len()))
    })?;
    Ok((kind, content, offset + 8 + length))
}

/// The JSON as a document; positions of errors are those in the JSON.
pub(super) fn parse(chunks: &Chunks<'_>, source: &Source<'_>) -> Result<Root, Fault> {
    serde_json::from_slice(chunks.json).map_err(|error| {
        let (line, column) = (error.line() as u64, error.column() as u64);
        let position = match source.bytes.starts_with(MAGIC) {
            true => Position::Entry { entry: "JSON chunk".into(), line, column },
            false => Position::Line { line, column },
        };
        let text = error.to_string();
        let problem = text.split(" at line ").next().unwrap_or(&text);
        Fault::malformed(position, format!("not a glTF document: {problem}"))
    })
}

/// The content of every buffer, at least as long as it promises.
pub(super) fn buffers<'a>(
    root: &Root,
    chunks: &Chunks<'a>,
    source: &Source<'a>,
) -> Result<Vec<Cow<'a, [u8]>>, Fault> {
    let mut room = source.options.max_uncompressed_bytes;
    let mut contents = Vec::new();
    for (index, buffer) in root.buffers.iter().enumerate() {
        let element = format!("buffers[{index}]");
        let content = content(index, buffer, chunks, source, room, &element)?;
        if let Cow::Owned(bytes) = &content {
            room = room.saturating_sub(bytes.len() as u64);
        }
        if (content.len() as u64) < buffer.byte_length {
            let problem = format!("{} bytes promised, {} are there", buffer.byte_length, content.len());
            return Err(Fault::element(element, problem));
        }
        contents.push(content);
    }
    Ok(contents)
}

fn content<'a>(
    index: usize,
    buffer: &Buffer,
    chunks: &Chunks<'a>,
    source: &Source<'a>,
    room: u64,
    element: &str,
) -> Result<Cow<'a, [u8]>, Fault> {
    let Some(uri) = buffer.uri.as_deref() else {
        let binary = chunks.binary.filter(|_| index == 0);
        let missing = || Fault::element(element, "no `uri`, and it is not the binary chunk of a GLB");
        return Ok(Cow::Borrowed(binary.ok_or_else(missing)?));
    };
    if let Some(data) = uri.strip_prefix("data:") {
        let decoded = data.split_once(";base64,").and_then(|(_, text)| decode_base64(text));
        let wrong = || Fault::element(element, "the data URI is not base64");
        return Ok(Cow::Owned(decoded.ok_or_else(wrong)?));
    }
    let path = beside(source.folder, uri).map_err(|problem| Fault::element(element, problem))?;
    let size = std::fs::metadata(&path).map(|metadata| metadata.len()).unwrap_or(0);
    if size > room {
        let limit = source.options.max_uncompressed_bytes;
        return Err(Fault {
            position: Position::Element(element.into()),
            problem: Problem::TooLarge { limit },
        });
    }
    load(&path, source.options).map(Cow::Owned).map_err(|error| match error {
        ReadError::Io { file, source } => {
            Fault { position: Position::Element(element.into()), problem: Problem::Io { file, source } }
        }
        ReadError::Cancelled { .. } => Fault { position: Position::File, problem: Problem::Cancelled },
        other => Fault::element(element, other.to_string()),
    })
}

/// The file that a URI names, if it lies below the folder; links may not lead out of it.
fn beside(folder: Option<&Path>, uri: &str) -> Result<PathBuf, String> {
    let folder = folder.ok_or("refers to another file, which a document in memory cannot")?;
    let outside = || format!("`{uri}` is not below the folder of the file; only such files are opened");
    let relative = percent_decoded(uri).ok_or_else(outside)?;
    let plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if relative.is_empty() || relative.contains([':', '\\']) || !Path::new(&relative).components().all(plain)
    {
        return Err(outside());
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let path = folder.join(&relative);
    let unreadable = |error: std::io::Error| format!("{}: cannot be read: {error}", path.display());
    let real = path.canonicalize().map_err(unreadable)?;
    let real_folder = folder.canonicalize().map_err(unreadable)?;
    if real.starts_with(real_folder) { Ok(path) } else { Err(outside()) }
}

fn percent_decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, tail) = tail.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
        rest = tail;
    }
    String::from_utf8(bytes).ok()
}

/// Standard or URL-safe alphabet, with or without padding.
fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_ascii().trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 3);
    for group in text.chunks(4) {
        let mut bits = 0u32;
        for &letter in group {
            bits = bits << 6 | sextet(letter)?;
        }
        match group.len() {
            4 => bytes.extend_from_slice(&bits.to_be_bytes()[1..]),
            3 => bytes.extend_from_slice(&(bits << 6).to_be_bytes()[1..3]),
            2 => bytes.push((bits << 12).to_be_bytes()[1]),
            _ => return None,
        }
    }
    Some(bytes)
}

fn sextet(letter: u8) -> Option<u32> {
    Some(u32::from(match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_every_length() {
        for (text, bytes) in [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg", "foob")] {
            assert_eq!(decode_base64(text).unwrap(), bytes.as_bytes());
        }
        assert_eq!(decode_base64("Zm9v!"), None);
        assert_eq!(decode_base64("Zm9vY"), None);
    }

    #[test]
    fn only_files_below_the_folder_are_named() {
        let folder = Some(Path::new("/tmp"));
        for uri in
            ["../x.bin", "/etc/passwd", "a/../../x", "file:///etc/passwd", "%2e%2e/x", "c:\\x", "", "%2"]
        {
            assert!(beside(folder, uri).unwrap_err().contains("not below"), "{uri}");
        }
        assert!(beside(None, "x.bin").is_err());
    }
}
