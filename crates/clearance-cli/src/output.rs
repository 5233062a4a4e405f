//! Exit codes, errors, tables, numbers and JSON: everything a run leaves on the terminal.

use anstyle::{AnsiColor, Style};
use clearance_io::{LengthUnit, ReadError, WriteError, scene::SceneError};
use comfy_table::{Cell, CellAlignment, LineStyle, Table, presets};
use serde::Serialize;
use std::{fmt, io::Write, process::ExitCode};

/// How a run ended that went to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Exit code 0.
    Fine,
    /// Something the user asked to be told of: exit code 1.
    Found,
    /// Some input was bad and has been reported, the rest was done: exit code 3.
    BadInput,
    /// Ctrl-C came, and what was done until then is kept: exit code 130.
    CutShort,
}

impl Verdict {
    pub fn exit_code(self) -> ExitCode {
        match self {
            Verdict::Fine => ExitCode::SUCCESS,
            Verdict::Found => ExitCode::from(1),
            Verdict::BadInput => ExitCode::from(3),
            Verdict::CutShort => ExitCode::from(crate::interrupt::EXIT_CODE),
        }
    }
}

/// Why a run ended early. (Usage errors end in the argument parser, with exit code 2.)
#[derive(Debug)]
pub enum Failure {
    /// Arguments that contradict each other or a shape's limits: exit code 2.
    Usage(String),
    /// A file that cannot be read, is refused or cannot be written: exit code 3.
    Input(String),
    /// Ctrl-C: exit code 130.
    Interrupted,
}

impl Failure {
    pub fn input(error: impl fmt::Display) -> Failure {
        Failure::Input(error.to_string())
    }

    pub fn exit_code(&self) -> ExitCode {
        match self {
            Failure::Usage(_) => ExitCode::from(2),
            Failure::Input(_) => ExitCode::from(3),
            Failure::Interrupted => ExitCode::from(crate::interrupt::EXIT_CODE),
        }
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        match error {
            ReadError::Cancelled { .. } => Failure::Interrupted,
            other => Failure::input(other),
        }
    }
}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Failure {
        match error {
            SceneError::Cancelled { .. } => Failure::Interrupted,
            other => Failure::input(other),
        }
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Failure {
        Failure::input(error)
    }
}

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const STRONG: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// One block on stderr; what, where, what to do are in the message.
pub fn print_error(failure: &Failure) {
    let message = match failure {
        Failure::Usage(message) | Failure::Input(message) => message.as_str(),
        Failure::Interrupted => "interrupted",
    };
    let _ = writeln!(anstream::stderr(), "{ERROR}error:{ERROR:#} {message}");
}

/// A remark on stderr.
pub fn print_warning(message: &str) {
    let _ = writeln!(anstream::stderr(), "{WARNING}note:{WARNING:#} {message}");
}

/// Writes to stdout. A reader that has gone (`| head`) is no error: the verdict still stands. A disk that is full is one: half
/// a report must not look like a whole one.
pub fn print(text: &str) {
    let mut out = anstream::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    if let Err(error) = written
        && error.kind() != std::io::ErrorKind::BrokenPipe
    {
        let failure = Failure::input(format_args!("standard output: cannot be written: {error}"));
        print_error(&failure);
        // As for a report that cannot be written to its file.
        std::process::exit(3);
    }
}

/// Writes a value as JSON, pretty, with every `f64` printed so that it reads back to the same bits.
pub fn print_json(value: &impl Serialize) {
    // Reports hold only strings, integers and finite numbers, so this cannot fail.
    print(&(serde_json::to_string_pretty(value).unwrap_or_default() + "\n"));
}

/// Text in bold on a terminal.
pub fn strong(text: impl fmt::Display) -> String {
    format!("{STRONG}{text}{STRONG:#}")
}

/// Text that steps back on a terminal.
pub fn faint(text: impl fmt::Display) -> String {
    format!("{FAINT}{text}{FAINT:#}")
}

/// Whether a column holds names or numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    Text(&'static str),
    Number(&'static str),
}

/// A table with a ruled header; number columns are set flush right.
pub fn table(columns: &[Column], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING.header_separator(LineStyle::none().fill('─').junction('─')));
    let title = |column: &Column| match column {
        Column::Text(title) => Cell::new(title),
        Column::Number(title) => Cell::new(title).set_alignment(CellAlignment::Right),
    };
    table.set_header(columns.iter().map(title));
    for row in rows {
        // Names may hold anything; a row stays a row.
        let plain = |text: String| match text.contains(char::is_control) {
            true => {
                text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
            }
            false => text,
        };
        let cell = |(column, text): (&Column, String)| match column {
            Column::Text(_) => Cell::new(plain(text)),
            Column::Number(_) => Cell::new(text).set_alignment(CellAlignment::Right),
        };
        table.add_row(columns.iter().zip(row).map(cell));
    }
    table.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// One number if both look the same.
pub fn between(lower: f64, upper: f64) -> String {
    let [lower, upper] = [lower, upper].map(short);
    if lower == upper { lower } else { format!("{lower} to {upper}") }
}

/// Both ends of a bracket, with the digits it takes to tell them apart.
pub fn bracketed(lower: f64, upper: f64) -> String {
    let width = upper - lower;
    if width.is_nan() || width <= 0.0 || width.is_infinite() {
        return between(lower, upper);
    }
    let decimals = (2.0 - width.log10().floor()).clamp(6.0, 17.0) as usize;
    let [lower, upper] = [lower, upper].map(|t| trimmed(&format!("{t:.decimals$}")).to_owned());
    format!("{lower} to {upper}")
}

/// A number for people: six significant digits. JSON has all of them.
pub fn short(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let size = value.abs();
    if !(1e-4..1e9).contains(&size) {
        let text = format!("{value:.5e}");
        return match text.split_once('e') {
            Some((digits, exponent)) => format!("{}e{exponent}", trimmed(digits)),
            None => text,
        };
    }
    let decimals = (5 - size.log10().floor() as i32).clamp(0, 9) as usize;
    trimmed(&format!("{value:.decimals$}")).to_owned()
}

fn trimmed(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

/// A whole number with thin groups of three digits.
pub fn count(value: usize) -> String {
    let digits = value.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) && digits.len() > 4 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `1 part`, `2 parts`.
pub fn counted(value: usize, what: &str) -> String {
    format!("{} {what}{}", count(value), if value == 1 { "" } else { "s" })
}

/// A number that has few digits as it is, any other like [`short`].
pub fn plain(value: f64) -> String {
    let all = full(value);
    if all.trim_start_matches('-').len() <= 10 { all } else { short(value) }
}

/// All digits of a number.
pub fn full(value: f64) -> String {
    if value == 0.0 || (1e-4..1e15).contains(&value.abs()) {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

/// A number with its unit, `1 unit` if nobody stated one.
pub fn with_unit(number: &str, unit: Option<LengthUnit>) -> String {
    match unit {
        None if number == "1" => "1 unit".into(),
        _ => format!("{number} {}", unit_name(unit)),
    }
}

/// The unit as it stands behind a length, and behind a volume.
pub fn unit_name(unit: Option<LengthUnit>) -> &'static str {
    unit.map_or("units", LengthUnit::symbol)
}

/// A volume with its unit.
pub fn volume(value: f64, unit: Option<LengthUnit>) -> String {
    format!("{} {}³", short(value), unit_name(unit))
}

/// Three lengths with their unit.
pub fn extents(value: [f64; 3], unit: Option<LengthUnit>) -> String {
    let [x, y, z] = value.map(short);
    format!("{x} x {y} x {z} {}", unit_name(unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_keep_their_size() {
        let cases = [
            (0.0, "0"),
            (1.0, "1"),
            (-2.5, "-2.5"),
            (123456.7, "123457"),
            (1234567.8, "1234568"),
            (0.001234567, "0.00123457"),
            (1e-9, "1e-9"),
            (1.5e12, "1.5e12"),
            (999999.99, "1000000"),
        ];
        for (value, text) in cases {
            assert_eq!(short(value), text);
        }
    }

    #[test]
    fn long_counts_are_grouped() {
        assert_eq!([0, 999, 1234, 12345, 1234567].map(count), ["0", "999", "1234", "12,345", "1,234,567"]);
        assert_eq!(counted(1, "part") + &counted(2, "part"), "1 part2 parts");
    }
}
