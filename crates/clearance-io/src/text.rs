//! Words and lines of a text file, without copying any.

use crate::fault::Fault;

/// What a text format allows besides words and blanks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Nothing.
    Plain,
    /// `#` begins a comment that runs to the end of the line.
    Comments,
    /// Comments, and `\` at the end of a line continues it.
    CommentsAndContinuations,
}

/// Walks through a text word by word; LF, CRLF and CR end a line.
pub(crate) struct Scanner<'a> {
    bytes: &'a [u8],
    offset: usize,
    dialect: Dialect,
}

/// A word and where it begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'a> {
    pub offset: usize,
    pub bytes: &'a [u8],
}

const fn ends_line(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c)
}

impl<'a> Scanner<'a> {
    /// Starts at the beginning, after a byte order mark if there is one.
    pub fn new(bytes: &'a [u8], dialect: Dialect) -> Scanner<'a> {
        let offset = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Scanner { bytes, offset, dialect }
    }

    /// Starts somewhere in the text.
    pub fn at(bytes: &'a [u8], offset: usize, dialect: Dialect) -> Scanner<'a> {
        Scanner { bytes, offset, dialect }
    }

    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Where the next word of this line begins.
    pub fn offset_after_blanks(&self) -> usize {
        let rest = &self.bytes[self.offset..];
        self.offset + rest.iter().take_while(|&&b| is_blank(b)).count()
    }

    /// Goes back to an offset that it has been at.
    pub fn rewind(&mut self, offset: usize) {
        self.offset = offset;
    }

    /// The next word of this line.
    #[inline]
    pub fn word_in_line(&mut self) -> Option<Word<'a>> {
        loop {
            let byte = *self.bytes.get(self.offset)?;
            if is_blank(byte) {
                self.offset += 1;
            } else if ends_line(byte) {
                return None;
            } else if byte == b'#' && self.dialect != Dialect::Plain {
                self.skip_to_line_end();
                return None;
            } else if byte == b'\\' && self.continues() {
                self.skip_continuation();
            } else {
                break;
            }
        }
        let start = self.offset;
        let rest = &self.bytes[start..];
        let length = rest.iter().position(|&b| is_blank(b) || ends_line(b)).unwrap_or(rest.len());
        self.offset += length;
        if rest[length - 1] == b'\\' && length > 1 {
            self.offset -= 1;
            if !self.continues() {
                self.offset += 1;
            }
        }
        Some(Word { offset: start, bytes: &self.bytes[start..self.offset] })
    }

    /// The next word, on this line or a later one.
    #[inline]
    pub fn word(&mut self) -> Option<Word<'a>> {
        loop {
            if let Some(word) = self.word_in_line() {
                return Some(word);
            }
            if !self.next_line() {
                return None;
            }
        }
    }

    /// Goes past the end of this line, whatever is left of it; false at the end of the text.
    pub fn next_line(&mut self) -> bool {
        self.skip_to_line_end();
        match &self.bytes[self.offset..] {
            [] => return false,
            [b'\r', b'\n', ..] => self.offset += 2,
            _ => self.offset += 1,
        }
        true
    }

    /// What is left of this line, without blanks at both ends and without continuation.
    pub fn rest_of_line(&mut self) -> &'a [u8] {
        let length = self.rest_of_line_length();
        let rest = &self.bytes[self.offset..self.offset + length];
        self.offset += length;
        rest.trim_ascii()
    }

    /// Bytes to the end of this line.
    pub fn rest_of_line_length(&self) -> usize {
        let rest = &self.bytes[self.offset..];
        rest.iter().position(|&b| ends_line(b)).unwrap_or(rest.len())
    }

    /// Whether the backslash here is the last byte of its line.
    fn continues(&self) -> bool {
        self.dialect == Dialect::CommentsAndContinuations
            && self.bytes.get(self.offset) == Some(&b'\\')
            && self.bytes.get(self.offset + 1).is_some_and(|&b| ends_line(b))
    }

    fn skip_continuation(&mut self) {
        let crlf = self.bytes[self.offset + 1..].starts_with(b"\r\n");
        self.offset += if crlf { 3 } else { 2 };
    }

    fn skip_to_line_end(&mut self) {
        loop {
            let rest = &self.bytes[self.offset..];
            let length = rest.iter().position(|&b| ends_line(b)).unwrap_or(rest.len());
            self.offset += length;
            if length == 0 || rest[length - 1] != b'\\' {
                return;
            }
            self.offset -= 1;
            if !self.continues() {
                self.offset += 1;
                return;
            }
            self.skip_continuation();
        }
    }
}

impl Word<'_> {
    /// Whether it is this keyword, in upper or lower case.
    pub fn is(&self, keyword: &str) -> bool {
        self.bytes.eq_ignore_ascii_case(keyword.as_bytes())
    }

    /// As text, with anything that is not UTF-8 replaced, and not longer than a message should be.
    pub fn shown(&self) -> String {
        shown(self.bytes)
    }

    /// A decimal number; infinite and not-a-number are accepted here and refused as coordinates.
    #[inline]
    pub fn number(&self) -> Result<f64, Fault> {
        let number = std::str::from_utf8(self.bytes).ok().and_then(|text| text.parse().ok());
        number.ok_or_else(|| Fault::at_byte(self.offset, format!("`{}` is not a number", self.shown())))
    }

    /// A whole number with an optional sign.
    #[inline]
    pub fn integer(&self) -> Result<i64, Fault> {
        whole_number(self.bytes)
            .ok_or_else(|| Fault::at_byte(self.offset, format!("`{}` is not a whole number", self.shown())))
    }
}

/// Decimal digits with an optional sign.
#[inline]
pub(crate) fn whole_number(bytes: &[u8]) -> Option<i64> {
    let (negative, digits) = match bytes {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    // Eighteen digits cannot overflow.
    if digits.is_empty() || digits.len() > 18 {
        return std::str::from_utf8(bytes).ok()?.parse().ok();
    }
    let mut value = 0i64;
    for &digit in digits {
        let digit = digit.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + i64::from(digit);
    }
    Some(if negative { -value } else { value })
}

/// Bytes as text for a message: at most 40 characters.
pub(crate) fn shown(bytes: &[u8]) -> String {
    let short = &bytes[..bytes.len().min(160)];
    let text = String::from_utf8_lossy(short);
    let mut shown: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    if text.chars().count() > 40 || short.len() < bytes.len() {
        shown.push_str("...");
    }
    shown
}

/// The most bytes of a name. Names are copied into parts and placements, so that one long name could
/// otherwise be multiplied by a short statement.
pub(crate) const NAME_LIMIT: usize = 255;

/// Bytes as a name; what is not UTF-8 is replaced, what is too long is cut.
pub(crate) fn name_of(bytes: &[u8]) -> String {
    let mut cut = &bytes[..bytes.len().min(NAME_LIMIT)];
    if cut.len() < bytes.len() {
        // Not in the middle of a character.
        while let [head @ .., _] = cut
            && bytes[cut.len()] & 0xc0 == 0x80
        {
            cut = head;
        }
    }
    String::from_utf8_lossy(cut).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, dialect: Dialect) -> Vec<Vec<String>> {
        let mut scanner = Scanner::new(text.as_bytes(), dialect);
        let mut lines = Vec::new();
        loop {
            let mut line = Vec::new();
            while let Some(word) = scanner.word_in_line() {
                line.push(name_of(word.bytes));
            }
            lines.push(line);
            if !scanner.next_line() {
                return lines;
            }
        }
    }

    #[test]
    fn every_kind_of_line_end_ends_a_line() {
        let expected = vec![vec!["a", "b"], vec!["c"], vec!["d"], vec![]];
        assert_eq!(lines("a b\nc\r\nd\r", Dialect::Plain), expected);
    }

    #[test]
    fn a_backslash_continues_a_line_with_and_without_a_blank() {
        let expected = vec![vec!["f", "1", "2", "3", "4"], vec!["v"]];
        let dialect = Dialect::CommentsAndContinuations;
        assert_eq!(lines("f 1 \\\n2\\\r\n 3 4\nv", dialect), expected);
        assert_eq!(lines("a\\b \\ c", dialect), [vec!["a\\b", "\\", "c"]]);
        assert_eq!(lines("a \\\nb", Dialect::Comments), [vec!["a", "\\"], vec!["b"]]);
    }

    #[test]
    fn a_skipped_line_takes_its_continuation_along() {
        let mut scanner = Scanner::new(b"vt 1 \\\n2\nv", Dialect::CommentsAndContinuations);
        assert!(scanner.next_line());
        assert_eq!(scanner.word_in_line().unwrap().bytes, b"v");
    }

    #[test]
    fn whole_numbers_are_digits_only() {
        assert_eq!(whole_number(b"-12"), Some(-12));
        assert_eq!(whole_number(b"+7"), Some(7));
        for bad in ["", "-", "1.0", "0x1", "9999999999999999999"] {
            assert_eq!(whole_number(bad.as_bytes()), None, "{bad}");
        }
    }

    #[test]
    fn names_are_cut_between_characters() {
        assert_eq!(name_of("é".repeat(200).as_bytes()), "é".repeat(127));
        assert_eq!(name_of(&[b'x'; 300]).len(), NAME_LIMIT);
        assert_eq!(name_of(&[0x80; 300]), "");
        assert_eq!(name_of("ok".as_bytes()), "ok");
    }

    #[test]
    fn long_or_binary_words_are_shortened_in_messages() {
        assert_eq!(shown(&[b'x'; 1000]).len(), 43);
        assert_eq!(shown(b"a\0b"), "a\\0b");
    }
}
