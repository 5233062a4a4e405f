//! Lengths as people write them: `2mm`, `0.1in`, `1e-3 m`, or a bare number in the unit of the parts.
//!
//! A length stays the decimal number that was written until the unit of the parts is known, and is rounded once then:
//! `2mm` among parts in metres is the float next to 0.002, `0.1in` in millimetres the one next to 2.54.

use clearance_io::LengthUnit;
use std::{fmt, str::FromStr};

/// A length that is not negative, with the unit that was written beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Length {
    /// As it was written, for errors.
    text: String,
    /// Decimal digits, the first not zero, and the power of ten they are multiplied by.
    digits: Vec<u8>,
    exponent: i64,
    unit: Option<LengthUnit>,
}

/// A quotient is written out this far: longer than any decimal number half way between two floats, so that the
/// parser of floats rounds it as it would round the quotient.
const QUOTIENT_DIGITS: usize = 800;
/// More digits than anybody needs, few enough to be read at once.
const LONGEST_TEXT: usize = 100;

impl Length {
    /// The same length, a bare number being in this unit.
    pub fn or_unit(mut self, unit: Option<LengthUnit>) -> Length {
        self.unit = self.unit.or(unit);
        self
    }

    /// The float nearest to the length in the unit of the parts; `Err` says what to do.
    pub fn in_unit(&self, parts: Option<LengthUnit>) -> Result<f64, String> {
        let (times, over) = match (self.unit, parts) {
            // No unit is needed to compare with nothing.
            _ if self.digits.is_empty() => return Ok(0.0),
            (None, _) => (1, 1),
            (Some(from), Some(to)) => (micrometres(from), micrometres(to)),
            (Some(unit), None) => {
                return Err(format!(
                    "the length `{}` has a unit, but no file states the unit of the parts; add --unit {unit}, or \
                     whichever unit they are in",
                    self.text
                ));
            }
        };
        let value = rounded_quotient(&self.digits, self.exponent, times, over);
        match value.is_finite() {
            true => Ok(value),
            false => Err(format!("the length `{}` is too large; give one below 1e300", self.text)),
        }
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Length {
    type Err = String;

    fn from_str(text: &str) -> Result<Length, String> {
        let advice =
            || format!("`{}` is no length; write 2mm, 0.1in, 1e-3 m or a bare number", shortened(text));
        let trimmed = text.trim();
        let number_end = end_of_number(trimmed);
        let (number, unit) = (&trimmed[..number_end], trimmed[number_end..].trim_start());
        if number.is_empty() || trimmed.len() > LONGEST_TEXT {
            return Err(advice());
        }
        if number.starts_with('-') {
            return Err(format!("`{trimmed}` is negative; lengths are 0 or more"));
        }
        let (digits, exponent) = decimal(number).ok_or_else(advice)?;
        let unit = (!unit.is_empty()).then(|| unit_of(unit)).transpose()?;
        Ok(Length { text: trimmed.into(), digits, exponent, unit })
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.into(),
    }
}

/// The unit of a symbol, also with the micro sign.
fn unit_of(symbol: &str) -> Result<LengthUnit, String> {
    let plain = symbol.replace(['µ', 'μ'], "u");
    LengthUnit::from_symbol(&plain).ok_or_else(|| {
        let known = LengthUnit::ALL.map(LengthUnit::symbol).join(", ");
        format!("`{}` is no unit of length; use one of {known}", shortened(symbol))
    })
}

/// Where the number ends and the unit begins. An `e` belongs to the number only if digits follow.
fn end_of_number(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| from + bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let sign = |at: usize| at + usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
    let mut end = digits(sign(0));
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let first = sign(end + 1);
        let last = digits(first);
        if last > first {
            end = last;
        }
    }
    end
}

/// The digits of a decimal number without zeros in front, and the power of ten of the last one.
fn decimal(number: &str) -> Option<(Vec<u8>, i64)> {
    let (mantissa, exponent) = match number.split_once(['e', 'E']) {
        // Six digits lead beyond all floats; more could lead beyond all integers.
        Some((mantissa, exponent)) if exponent.len() <= 7 => (mantissa, exponent.parse::<i64>().ok()?),
        Some(_) => return None,
        None => (number, 0),
    };
    let mantissa = mantissa.trim_start_matches('+');
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let digits = whole.bytes().chain(fraction.bytes()).map(|b| b.wrapping_sub(b'0'));
    let digits: Vec<u8> = digits.skip_while(|&digit| digit == 0).collect();
    let all_are = digits.iter().all(|&digit| digit < 10);
    all_are.then_some((digits, exponent - fraction.len() as i64))
}

/// All units are whole numbers of micrometres.
fn micrometres(unit: LengthUnit) -> u64 {
    (unit.metres() * 1e6).round() as u64
}

/// The float nearest to `digits * 10^exponent * times / over`.
///
/// Long division in decimal, with a digit 1 at the end if something is left: the quotient then lies on the right side
/// of every number with fewer digits, in particular of all that are half way between floats.
fn rounded_quotient(digits: &[u8], exponent: i64, times: u64, over: u64) -> f64 {
    let mut text = String::with_capacity(QUOTIENT_DIGITS + 40);
    let mut rest = 0u128;
    let product = multiplied(digits, times);
    let zeros = std::iter::repeat_n(0u8, QUOTIENT_DIGITS);
    for digit in product.iter().copied().chain(zeros) {
        rest = rest * 10 + u128::from(digit);
        text.push(char::from(b'0' + (rest / u128::from(over)) as u8));
        rest %= u128::from(over);
    }
    let mut exponent = exponent - QUOTIENT_DIGITS as i64;
    if rest > 0 {
        text.push('1');
        exponent -= 1;
    }
    // A number of digits with an exponent is a float's text; infinite where it is too large.
    format!("{text}e{exponent}").parse().unwrap_or(f64::INFINITY)
}

fn multiplied(digits: &[u8], times: u64) -> Vec<u8> {
    let mut product = Vec::with_capacity(digits.len() + 20);
    let mut carry = 0u128;
    for &digit in digits.iter().rev() {
        carry += u128::from(digit) * u128::from(times);
        product.push((carry % 10) as u8);
        carry /= 10;
    }
    while carry > 0 {
        product.push((carry % 10) as u8);
        carry /= 10;
    }
    product.reverse();
    product
}

#[cfg(test)]
mod tests {
    use super::*;
    use LengthUnit::{Centimetre, Foot, Inch, Metre, Micrometre, Millimetre};

    fn converted(text: &str, unit: LengthUnit) -> f64 {
        text.parse::<Length>().unwrap().in_unit(Some(unit)).unwrap()
    }

    #[test]
    fn what_is_written_is_what_is_meant_to_the_last_bit() {
        for (text, unit, expected) in [
            ("2mm", Millimetre, 2.0),
            ("2mm", Metre, 0.002),
            ("0.1in", Millimetre, 2.54),
            ("0.1 in", Metre, 0.00254),
            ("1e-3 m", Millimetre, 1.0),
            ("1e-3m", Millimetre, 1.0),
            ("0.07mm", Metre, 7e-5),
            ("50um", Millimetre, 0.05),
            ("50 µm", Millimetre, 0.05),
            ("1ft", Inch, 12.0),
            ("25.4mm", Inch, 1.0),
            ("0.3mm", Micrometre, 300.0),
            ("+.5e1cm", Metre, 0.05),
            ("0.1", Inch, 0.1),
            ("1.", Inch, 1.0),
            ("0e5mm", Inch, 0.0),
            ("1e-400mm", Inch, 0.0),
        ] {
            assert_eq!(converted(text, unit).to_bits(), f64::to_bits(expected), "{text} in {unit}");
        }
    }

    /// Oracle: the quotient in rationals of 128 bits, compared with the float and its neighbours.
    #[test]
    fn quotients_that_do_not_end_are_rounded_to_the_nearest() {
        for (number, from, to) in
            [(1u128, Millimetre, Inch), (7, Centimetre, Foot), (123_457, Millimetre, Foot)]
        {
            let value = converted(&format!("{number}{from}"), to);
            let (times, over) = (u128::from(micrometres(from)), u128::from(micrometres(to)));
            // |value - q| against the neighbours, all times over * 2^k, exactly.
            let scale = 1u128 << 70;
            let error = |candidate: f64| {
                let mantissa = (candidate * scale as f64) as u128;
                (mantissa * over).abs_diff(number * times * scale)
            };
            assert!(error(value) <= error(value.next_up()) && error(value) <= error(value.next_down()));
        }
    }

    #[test]
    fn what_is_no_length_is_refused_with_advice() {
        for (text, message) in [
            ("", "is no length"),
            ("mm", "is no length"),
            ("two mm", "is no length"),
            (".mm", "is no length"),
            ("1e99999999mm", "is no length"),
            ("-2mm", "is negative"),
            ("2 parsec", "`parsec` is no unit of length; use one of um, mm"),
            ("2MM", "`MM` is no unit of length"),
            ("2mm3", "`mm3` is no unit"),
            ("nan", "is no length"),
            ("inf", "is no length"),
            ("2e", "`e` is no unit"),
        ] {
            let error = text.parse::<Length>().unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
        let length: Length = "2mm".parse().unwrap();
        assert!(length.in_unit(None).unwrap_err().contains("--unit mm"));
        assert!(
            "1e999 mm".parse::<Length>().unwrap().in_unit(Some(Metre)).unwrap_err().contains("too large")
        );
        assert_eq!("0mm".parse::<Length>().unwrap().in_unit(None), Ok(0.0));
        assert_eq!(
            "3".parse::<Length>().unwrap().or_unit(Some(Centimetre)).in_unit(Some(Millimetre)),
            Ok(30.0)
        );
    }
}
