//! Hexadecimal floating-point numbers such as `0x1.8p3`, read exactly or not at all.

use thiserror::Error;

/// Why a text is not a hexadecimal float that an `f64` holds exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum HexFloatError {
    /// Not of the form `[-]0x<hex digits>[.<hex digits>][p<exponent>]`.
    #[error("not a hexadecimal float: write it like \"0x1.8p3\" (that is 1.5 * 2^3 = 12)")]
    Syntax,
    /// Larger than every finite `f64`.
    #[error("hexadecimal float out of range: the largest number is 0x1.fffffffffffffp1023")]
    TooLarge,
    /// More bits than an `f64` has at that size; rounding would defeat the purpose of the notation.
    #[error("hexadecimal float with more bits than a 64-bit float holds: give at most 53 significant bits")]
    TooManyBits,
}

/// The number that the text denotes, exactly; a text that would need rounding is refused.
///
/// Signs, upper case, a missing fraction and a missing exponent are accepted, as in C. `O(length)`.
///
/// ```
/// use clearance_io::scene::parse_hex_float;
/// assert_eq!(parse_hex_float("0x1.8p3"), Ok(12.0));
/// assert_eq!(parse_hex_float("-0x0.1p-1070"), Ok(-f64::from_bits(1)));
/// assert!(parse_hex_float("0x1.00000000000001p0").is_err());
/// ```
pub fn parse_hex_float(text: &str) -> Result<f64, HexFloatError> {
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let body = rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X")).ok_or(HexFloatError::Syntax)?;
    let (digits, exponent) = match body.split_once(['p', 'P']) {
        Some((digits, exponent)) => (digits, parse_exponent(exponent)?),
        None => (body, 0),
    };
    let (mantissa, scale) = parse_digits(digits)?;
    let magnitude = assemble(mantissa, scale.saturating_add(exponent))?;
    Ok(if negative { -magnitude } else { magnitude })
}

/// Decimal exponent digits; absurdly long ones saturate, which the range check then refuses.
fn parse_exponent(text: &str) -> Result<i64, HexFloatError> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() {
        return Err(HexFloatError::Syntax);
    }
    let mut value = 0i64;
    for byte in digits.bytes() {
        let digit = (byte as char).to_digit(10).ok_or(HexFloatError::Syntax)?;
        value = value.saturating_mul(10).saturating_add(i64::from(digit));
    }
    // Halved, so that adding the digits' own scale cannot overflow.
    Ok(sign * value.min(i64::MAX / 2))
}

/// `(m, e)` with the digits denoting exactly `m * 2^e`.
fn parse_digits(text: &str) -> Result<(u64, i64), HexFloatError> {
    let (mut mantissa, mut scale) = (0u64, 0i64);
    let (mut in_fraction, mut seen_digit) = (false, false);
    for byte in text.bytes() {
        if byte == b'.' && !in_fraction {
            in_fraction = true;
            continue;
        }
        let digit = u64::from((byte as char).to_digit(16).ok_or(HexFloatError::Syntax)?);
        seen_digit = true;
        if mantissa >> 60 == 0 {
            mantissa = mantissa << 4 | digit;
            scale -= if in_fraction { 4 } else { 0 };
        } else if digit != 0 {
            return Err(HexFloatError::TooManyBits);
        } else {
            scale += if in_fraction { 0 } else { 4 };
        }
    }
    if seen_digit { Ok((mantissa, scale)) } else { Err(HexFloatError::Syntax) }
}

/// The float `mantissa * 2^scale`, if there is one.
fn assemble(mantissa: u64, scale: i64) -> Result<f64, HexFloatError> {
    if mantissa == 0 {
        return Ok(0.0);
    }
    let odd = mantissa >> mantissa.trailing_zeros();
    let low = scale.saturating_add(i64::from(mantissa.trailing_zeros()));
    let bits = 64 - odd.leading_zeros();
    let high = low.saturating_add(i64::from(bits) - 1);
    if high > 1023 {
        return Err(HexFloatError::TooLarge);
    }
    if bits > 53 || low < -1074 {
        return Err(HexFloatError::TooManyBits);
    }
    // Both conversions are exact: `odd` has at most 53 bits and every bit lies in the range checked above.
    Ok(if high >= -1022 {
        let fraction = (odd << (53 - bits)) & ((1 << 52) - 1);
        f64::from_bits(((high + 1023) as u64) << 52 | fraction)
    } else {
        f64::from_bits(odd << (low + 1074))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The obvious notation of a float's bits.
    fn print(value: f64) -> String {
        let bits = value.to_bits();
        let (sign, fraction) = (if bits >> 63 == 1 { "-" } else { "" }, bits & ((1 << 52) - 1));
        match bits >> 52 & 0x7ff {
            0 => format!("{sign}0x0.{fraction:013x}p-1022"),
            biased => format!("{sign}0x1.{fraction:013x}p{}", biased as i64 - 1023),
        }
    }

    #[test]
    fn every_finite_float_reads_back_bit_for_bit() {
        let mut state = 7u64;
        for case in 0..100_000u64 {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            // Every fourth case is subnormal or zero.
            let bits = if case % 4 == 0 { state & 0x800f_ffff_ffff_ffff } else { state ^ state >> 29 };
            let value = f64::from_bits(bits);
            if value.is_finite() {
                assert_eq!(parse_hex_float(&print(value)).map(f64::to_bits), Ok(bits), "{}", print(value));
            }
        }
    }

    #[test]
    fn spellings_of_the_same_number_agree() {
        for text in ["0xc", "0XC.", "0x.cp4", "+0x1.8p3", "0x1.8P+3", "0x00000000000000000000000cp0", "0x3p2"]
        {
            assert_eq!(parse_hex_float(text), Ok(12.0), "{text}");
        }
        assert_eq!(parse_hex_float("0xc0000000000000000000000p-88"), Ok(12.0));
        assert_eq!(parse_hex_float("-0x0p0").map(f64::to_bits), Ok((-0.0f64).to_bits()));
    }

    #[test]
    fn the_ends_of_the_range_are_exact() {
        assert_eq!(parse_hex_float("0x1.fffffffffffffp1023"), Ok(f64::MAX));
        assert_eq!(parse_hex_float("0x1p-1074"), Ok(f64::from_bits(1)));
        assert_eq!(parse_hex_float("0x1p1024"), Err(HexFloatError::TooLarge));
        assert_eq!(parse_hex_float("0x1p-1075"), Err(HexFloatError::TooManyBits));
        assert_eq!(parse_hex_float("0x1.fffffffffffff8p0"), Err(HexFloatError::TooManyBits));
        assert_eq!(parse_hex_float("0x1p99999999999999999999999"), Err(HexFloatError::TooLarge));
        assert_eq!(parse_hex_float("0x1p-99999999999999999999999"), Err(HexFloatError::TooManyBits));
        assert_eq!(parse_hex_float("0x0p99999999999999999999999"), Ok(0.0));
    }

    #[test]
    fn other_texts_are_refused() {
        for text in
            ["", "1.5", "0x", "0x.", "0x1p", "0x1.2.3", "0xg", "0x1p3.0", "0x1p+", " 0x1", "--0x1", "nan"]
        {
            assert_eq!(parse_hex_float(text), Err(HexFloatError::Syntax), "{text:?}");
        }
    }
}
