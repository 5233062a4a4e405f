//! What a case is called: any JSON value, repeated as it is written.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, value::RawValue};
use std::{borrow::Cow, fmt};

/// Any JSON value by its text: a number of twenty digits comes back with all of them.
#[derive(Clone, Debug)]
pub struct CaseId(Box<RawValue>);

impl CaseId {
    /// Whether it is null, as for a case without an id.
    pub fn is_null(&self) -> bool {
        self.0.get() == "null"
    }

    /// Its JSON text.
    pub fn text(&self) -> &str {
        self.0.get()
    }
}

impl Default for CaseId {
    fn default() -> CaseId {
        CaseId(RawValue::NULL.to_owned())
    }
}

impl fmt::Display for CaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// The same value, though other programs may have spaced its text or escaped its letters in another way.
impl PartialEq for CaseId {
    fn eq(&self, other: &CaseId) -> bool {
        let value = |id: &CaseId| serde_json::from_str::<Value>(id.text()).ok();
        self.text() == other.text()
            || (value(self) == value(other) && long_numbers(self.text()).eq(long_numbers(other.text())))
    }
}

/// The numbers in a JSON text that a float may not tell from others.
fn long_numbers(text: &str) -> impl Iterator<Item = &str> {
    const KEPT_DIGITS: usize = 15;
    let is_of_number = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E');
    outside_of_strings(text)
        .flat_map(move |part| part.split(move |c| !is_of_number(c)))
        .filter(|word| word.bytes().filter(u8::is_ascii_digit).count() > KEPT_DIGITS)
}

fn outside_of_strings(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let (part, string) = match rest?.split_once('"') {
            Some((part, string)) => (part, Some(string)),
            None => (rest?, None),
        };
        rest = string.map(after_string);
        Some(part)
    })
}

/// What follows the closing quote of a string that has begun.
fn after_string(text: &str) -> &str {
    let mut is_escaped = false;
    let end = text.find(|c| {
        let closes = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        closes
    });
    end.map_or("", |end| &text[end + 1..])
}

impl Serialize for CaseId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for CaseId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CaseId, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(CaseId)
    }
}

impl JsonSchema for CaseId {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "CaseId".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Value::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> CaseId {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn ids_keep_every_digit() {
        for text in ["12345678901234567890123", "1.50", "[1, 2.000]", r#"{"b":1,"a":"é"}"#, "null"] {
            assert_eq!(serde_json::to_string(&id(text)).unwrap(), text);
        }
        assert!(CaseId::default().is_null() && id(" null ").is_null());
    }

    #[test]
    fn ids_are_equal_as_values_with_all_digits() {
        for (a, b, are_equal) in [
            ("[1,2]", "[1, 2]", true),
            (r#""\u00e9""#, r#""é""#, true),
            ("1e3", "1000.0", true),
            ("1", "1.0", false),
            ("12345678901234567890123", "12345678901234567890124", false),
            (r#"["\"",12345678901234567890123]"#, r#"["\"", 12345678901234567890124]"#, false),
            (r#""12345678901234567890123""#, r#""12345678901234567890123" "#, true),
        ] {
            assert_eq!(id(a) == id(b), are_equal, "{a} {b}");
        }
    }
}
