//! Numbers of a scene file: a JSON number, or a hexadecimal float in a string.

use super::parse_hex_float;
use clearance::glam::DVec3;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{borrow::Cow, fmt};

/// A finite number, written as JSON number; also read from a string such as `"0x1.8p3"`.
///
/// Writing and reading back gives the same bits (serde_json prints the shortest decimal that reads
/// back exactly and is built with `float_roundtrip`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Number(pub f64);

/// Three numbers as a JSON array.
pub type Vector = [Number; 3];

/// The numbers as a vector.
pub fn to_vector(numbers: Vector) -> DVec3 {
    DVec3::from_array(numbers.map(|n| n.0))
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !self.0.is_finite() {
            // serde_json would write `null`, which no reader takes for a number.
            return Err(serde::ser::Error::custom("a scene cannot hold a number that is not finite"));
        }
        serializer.serialize_f64(self.0)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Number, D::Error> {
        deserializer.deserialize_any(NumberVisitor)
    }
}

struct NumberVisitor;

impl de::Visitor<'_> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, or a hexadecimal float in a string such as \"0x1.8p3\"")
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Number, E> {
        Ok(Number(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Number, E> {
        Ok(Number(value as f64))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Number, E> {
        Ok(Number(value as f64))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Number, E> {
        parse_hex_float(text).map(Number).map_err(|error| E::custom(format_args!("\"{text}\": {error}")))
    }
}

impl JsonSchema for Number {
    fn schema_name() -> Cow<'static, str> {
        "Number".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number, or a hexadecimal float in a string such as \"0x1.8p3\" (read exactly).",
            "anyOf": [
                { "type": "number" },
                { "type": "string", "pattern": "^[-+]?0[xX]([0-9a-fA-F]+\\.?[0-9a-fA-F]*|\\.[0-9a-fA-F]+)([pP][-+]?[0-9]+)?$" }
            ]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The claim of the brief: a million random bit patterns survive our JSON.
    #[test]
    fn a_million_random_floats_survive_a_round_trip() {
        let mut state = 0x9E37_79B9_7F4A_7C15u64;
        let mut batch = Vec::with_capacity(1000);
        let mut count = 0;
        while count < 1_000_000 {
            batch.clear();
            while batch.len() < 1000 {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                if f64::from_bits(state).is_finite() {
                    batch.push(Number(f64::from_bits(state)));
                }
            }
            let text = serde_json::to_string(&batch).unwrap();
            let back: Vec<Number> = serde_json::from_str(&text).unwrap();
            for (before, after) in batch.iter().zip(&back) {
                assert_eq!(before.0.to_bits(), after.0.to_bits(), "{before:?}");
            }
            count += batch.len();
        }
    }

    #[test]
    fn integers_and_hexadecimal_strings_are_numbers() {
        let numbers: Vec<Number> = serde_json::from_str(r#"[3, -4, 0.5, "0x1.8p3", 1e22]"#).unwrap();
        assert_eq!(numbers, [3.0, -4.0, 0.5, 12.0, 1e22].map(Number));
        for bad in ["true", "null", "\"12\"", "[1]", "1e400"] {
            assert!(serde_json::from_str::<Number>(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_json_cannot_say_is_not_written() {
        assert!(serde_json::to_string(&Number(f64::NAN)).is_err());
        assert!(serde_json::to_string(&Number(f64::INFINITY)).is_err());
    }
}
