//! Poses on the command line: twelve numbers in one argument or in several, or an object in braces.

use clearance::Pose;
use clearance_io::scene::{Number, PoseFile, parse_line};
use std::{ffi::OsString, iter::Peekable, path::Path};

const OPTIONS: [&str; 2] = ["--pose-a", "--pose-b"];
const ENTRIES: usize = 12;

/// The arguments of the program with each pose as one of them, so that bodies may stand behind it.
pub fn with_joined_poses(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments = arguments.peekable();
    let mut joined = Vec::new();
    while let Some(argument) = arguments.next() {
        if argument == "--" {
            joined.push(argument);
            joined.extend(arguments);
            break;
        }
        let option = OPTIONS.into_iter().find(|option| argument == *option);
        match option.zip(take_pose(option, &mut arguments)) {
            Some((option, pose)) => joined.push(format!("{option}={pose}").into()),
            None => joined.push(argument),
        }
    }
    joined
}

/// What belongs to a pose: an object, or arguments up to the one with the twelfth entry or to the next option.
fn take_pose(
    option: Option<&str>,
    arguments: &mut Peekable<impl Iterator<Item = OsString>>,
) -> Option<String> {
    option?;
    let mut pose = String::new();
    while entries(&pose).count() < ENTRIES {
        let next = arguments.next_if(|next| {
            next.to_str().is_some_and(|text| !is_option(text) && (pose.is_empty() || !is_json(text)))
        });
        let Some(next) = next else { break };
        pose = format!("{pose} {}", next.to_string_lossy());
        if is_json(&pose) {
            break;
        }
    }
    (!pose.is_empty()).then(|| pose.trim().to_owned())
}

fn is_option(text: &str) -> bool {
    text.starts_with('-') && entries(text).next().is_some_and(|entry| entry.parse::<f64>().is_err())
}

fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

fn entries(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c == ',' || c.is_whitespace()).filter(|entry| !entry.is_empty())
}

/// The pose that is the value of an option.
pub fn parse_pose(text: &str) -> Result<Pose, String> {
    let file = match is_json(text) {
        true => parse_line(text, Path::new("pose"), 1).map_err(|error| error.to_string())?,
        false => PoseFile::Rows(rows(text)?),
    };
    file.build()
}

fn rows(text: &str) -> Result<[Number; ENTRIES], String> {
    const FORM: &str = "a pose has 12 numbers, row-major 3x4: r11 r12 r13 x  r21 r22 r23 y  r31 r32 r33 z";
    let number = |(i, entry): (usize, &str)| match entry.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Number(value)),
        Ok(_) => Err(format!("entry {} is {entry}, which is not finite; {FORM}", i + 1)),
        Err(_) => Err(format!("entry {} is `{entry}`, which is no number; {FORM}", i + 1)),
    };
    let numbers = entries(text).enumerate().map(number).collect::<Result<Vec<_>, _>>()?;
    let count = numbers.len();
    numbers.try_into().map_err(|_| format!("it has {count} of 12 entries; {FORM}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(line: &str) -> Vec<String> {
        let arguments = line.split_whitespace().map(OsString::from);
        with_joined_poses(arguments).into_iter().map(|text| text.into_string().unwrap()).collect()
    }

    #[test]
    fn a_pose_ends_with_its_twelfth_entry_or_its_brace() {
        for (line, expected) in [
            ("--pose-a 1 0 0 0 0 1 0 0 0 0 1 -2 a b", "--pose-a=1 0 0 0 0 1 0 0 0 0 1 -2|a|b"),
            ("--pose-a 1,0,0,0 0,1,0,0 0,0,1,0 a b", "--pose-a=1,0,0,0 0,1,0,0 0,0,1,0|a|b"),
            ("a --pose-b {\"translation\":[1,0,0]} b", "a|--pose-b={\"translation\":[1,0,0]}|b"),
            ("--pose-a 1 2 --json", "--pose-a=1 2|--json"),
            ("--pose-a -1 nan --pose-b {} a", "--pose-a=-1 nan|--pose-b={}|a"),
            ("--pose-a --json", "--pose-a|--json"),
            ("--pose-a=1,2 -- --pose-b 3 4", "--pose-a=1,2|--|--pose-b|3|4"),
            ("--pose-a 1 2 {\"box\":[1,1,1]}", "--pose-a=1 2|{\"box\":[1,1,1]}"),
        ] {
            assert_eq!(joined(line).join("|"), expected);
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let text = |text: &str| parse_pose(text).unwrap_err();
        for (pose, message) in [
            ("1 0 0 0 0 1 0 0 0 0 1 cube.stl", "entry 12 is `cube.stl`, which is no number"),
            ("nan 0 0 0 0 1 0 0 0 0 1 0", "entry 1 is nan, which is not finite"),
            ("1 0 0", "it has 3 of 12 entries"),
            ("1 0 0 0 0 2 0 0 0 0 1 0", "the nine entries are no rotation"),
            ("{\"translaton\":[1,0,0]}", "unknown field `translaton`; did you mean \"translation\"?"),
            ("{\"quaternion_xyzw\":[0,0,0,0]}", "quaternion"),
        ] {
            assert!(text(pose).contains(message), "{pose}: {}", text(pose));
        }
        let moved = parse_pose("{\"translation\":[1,0,0],\"quaternion_xyzw\":[0,0,0,1]}").unwrap();
        assert_eq!(moved.to_rows(), [1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    }
}
