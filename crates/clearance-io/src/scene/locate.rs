//! From a path into a JSON text to the line and column where the value stands.

/// One step into a JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The member of an object with this key.
    Key(String),
    /// The element of an array.
    Index(usize),
}

impl From<&str> for Step {
    fn from(key: &str) -> Step {
        Step::Key(key.to_owned())
    }
}

impl From<usize> for Step {
    fn from(index: usize) -> Step {
        Step::Index(index)
    }
}

/// A place in a text: line and column from 1, columns counted in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPosition {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
}

/// Where the value at the end of the path begins; as far as the path leads if it leads nowhere.
///
/// The text has been parsed before, so the scanner only has to find its way through valid JSON; on
/// anything else it stops where it is. `O(length)`.
pub fn locate(text: &str, path: &[Step]) -> TextPosition {
    let mut scanner = Scanner { text: text.as_bytes(), at: 0 };
    scanner.skip_space();
    for step in path {
        let before = scanner.at;
        if scanner.enter(step).is_none() {
            scanner.at = before;
            break;
        }
    }
    position_of(text, scanner.at)
}

/// Line and column of a byte offset.
pub fn position_of(text: &str, offset: usize) -> TextPosition {
    let before = &text.as_bytes()[..offset.min(text.len())];
    let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
    // Bytes that continue a character are not columns.
    let column = before[line_start..].iter().filter(|&&b| b & 0xC0 != 0x80).count();
    TextPosition { line: before.iter().filter(|&&b| b == b'\n').count() + 1, column: column + 1 }
}

/// Where the token begins that ends at a line and a column in bytes, both from 1: serde_json points at ends.
pub fn token_at(text: &str, line: usize, column: usize) -> TextPosition {
    let bytes = text.as_bytes();
    let mut line_ends = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(i, _)| i + 1);
    let line_start = if line <= 1 { 0 } else { line_ends.nth(line - 2).unwrap_or(bytes.len()) };
    let mut start = (line_start + column.saturating_sub(1)).min(bytes.len());
    if bytes.get(start) == Some(&b'"') {
        let is_quote = |i: &usize| bytes[*i] == b'"' && (*i == 0 || bytes[*i - 1] != b'\\');
        start = (line_start..start).rev().find(is_quote).unwrap_or(start);
    } else {
        let in_word =
            |i: &usize| matches!(bytes[*i], b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'.' | b'+' | b'-');
        while start > line_start && in_word(&start.min(bytes.len() - 1)) && in_word(&(start - 1)) {
            start -= 1;
        }
    }
    position_of(text, start)
}

struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|b| b.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Consumes the byte, after space, if it comes next.
    fn take(&mut self, byte: u8) -> Option<()> {
        self.skip_space();
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// Moves from the start of a value to the start of the value one step inside.
    fn enter(&mut self, step: &Step) -> Option<()> {
        match step {
            Step::Key(key) => self.enter_key(key),
            Step::Index(index) => self.enter_index(*index),
        }
    }

    fn enter_key(&mut self, key: &str) -> Option<()> {
        self.take(b'{')?;
        loop {
            self.skip_space();
            let start = self.at;
            self.skip_string()?;
            let found: String = serde_json::from_slice(&self.text[start..self.at]).ok()?;
            self.take(b':')?;
            self.skip_space();
            if found == key {
                return Some(());
            }
            self.skip_value()?;
            self.take(b',')?;
        }
    }

    fn enter_index(&mut self, index: usize) -> Option<()> {
        self.take(b'[')?;
        for _ in 0..index {
            self.skip_value()?;
            self.take(b',')?;
        }
        self.skip_space();
        (self.peek()? != b']').then_some(())
    }

    fn skip_string(&mut self) -> Option<()> {
        self.take(b'"')?;
        loop {
            match self.peek()? {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        Some(())
    }

    /// Skips one value; brackets are counted, not matched by kind, since the text is valid.
    fn skip_value(&mut self) -> Option<()> {
        self.skip_space();
        let mut depth = 0usize;
        loop {
            match self.peek()? {
                b'"' => self.skip_string()?,
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' if depth == 0 => return Some(()),
                b'}' | b']' => {
                    depth -= 1;
                    self.at += 1;
                }
                b',' if depth == 0 => return Some(()),
                _ => self.at += 1,
            }
            if depth == 0 && matches!(self.text.get(self.at - 1), Some(b'"' | b'}' | b']')) {
                return Some(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "{\n  \"a]\\\"{\": [1, {\"x\": \"}],\"}, [[], 3]],\n  \"é\": {\"deep\": [true, null]}\n}\n";

    fn at(path: &[Step]) -> (usize, usize) {
        let position = locate(TEXT, path);
        (position.line, position.column)
    }

    #[test]
    fn values_are_found_past_brackets_in_strings_and_escapes() {
        assert_eq!(at(&[]), (1, 1));
        assert_eq!(at(&["a]\"{".into()]), (2, 12));
        assert_eq!(at(&["a]\"{".into(), 1.into(), "x".into()]), (2, 22));
        assert_eq!(at(&["a]\"{".into(), 2.into(), 1.into()]), (2, 35));
        assert_eq!(at(&["é".into(), "deep".into(), 1.into()]), (3, 24));
    }

    #[test]
    fn a_path_that_leads_nowhere_ends_at_the_last_value_found() {
        assert_eq!(at(&["é".into(), "missing".into()]), at(&["é".into()]));
        assert_eq!(at(&["a]\"{".into(), 3.into()]), at(&["a]\"{".into()]));
        assert_eq!(at(&[2.into()]), (1, 1));
    }

    #[test]
    fn texts_that_are_not_json_do_not_panic() {
        for text in ["", "{", "{\"a\":", "[1,", "\"\\", "{\"a\" 1}", "[\"\\"] {
            for path in [vec![Step::from("a")], vec![Step::from(1)], vec![0.into(), "a".into()]] {
                locate(text, &path);
            }
        }
    }

    /// Oracle: every leaf's located text starts with what serde_json prints for the leaf.
    #[test]
    fn every_value_of_a_document_is_found() {
        let value: serde_json::Value = serde_json::from_str(TEXT).unwrap();
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        let mut seen = 0;
        visit(&value, &mut Vec::new(), &mut |path, leaf| {
            let position = locate(&pretty, path);
            let line = pretty.lines().nth(position.line - 1).unwrap();
            let rest: String = line.chars().skip(position.column - 1).collect();
            let first = leaf.to_string().chars().next().unwrap();
            assert!(rest.starts_with(first), "{path:?} in {rest:?}");
            seen += 1;
        });
        assert_eq!(seen, 12);
    }

    fn visit(
        value: &serde_json::Value,
        path: &mut Vec<Step>,
        found: &mut dyn FnMut(&[Step], &serde_json::Value),
    ) {
        found(path, value);
        let inner: Vec<(Step, &serde_json::Value)> = match value {
            serde_json::Value::Array(items) => items.iter().enumerate().map(|(i, v)| (i.into(), v)).collect(),
            serde_json::Value::Object(map) => map.iter().map(|(k, v)| (k.as_str().into(), v)).collect(),
            _ => return,
        };
        for (step, child) in inner {
            path.push(step);
            visit(child, path, found);
            path.pop();
        }
    }
}
