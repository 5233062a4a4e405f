//! Every dependency must be usable under a permissive licence.

use crate::step::{cargo, output_of};
use serde_json::Value;

/// Licences that ask for no more than a notice.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Checks all packages that `cargo metadata` knows of.
pub fn run() -> Result<(), String> {
    let text = output_of(&mut cargo(&["metadata", "--format-version", "1", "--all-features", "--locked"]))?;
    let metadata: Value = serde_json::from_str(&text).map_err(|e| format!("cargo metadata: {e}"))?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata lists no packages")?;
    let refused: Vec<String> = packages.iter().filter_map(refusal).collect();
    if refused.is_empty() {
        println!("{} packages, all under permissive licences", packages.len());
        return Ok(());
    }
    Err(format!("licences that are not on the list of xtask/src/licences.rs:\n  {}", refused.join("\n  ")))
}

fn refusal(package: &Value) -> Option<String> {
    let licence = package["license"].as_str().unwrap_or("");
    let named = format!("{} {}", package["name"].as_str()?, package["version"].as_str()?);
    (!is_allowed(licence)).then(|| format!("{named}: `{licence}`"))
}

/// Whether an SPDX expression can be satisfied by allowed licences only. `/` is an old way to write `OR`.
fn is_allowed(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = &tokens[..];
    let allowed = alternatives(&mut rest);
    rest.is_empty() && allowed == Some(true)
}

/// `a OR b OR ...`; `None` if it does not parse.
fn alternatives(rest: &mut &[&str]) -> Option<bool> {
    let mut allowed = conjunction(rest)?;
    while take(rest, "OR") {
        allowed |= conjunction(rest)?;
    }
    Some(allowed)
}

/// `a AND b AND ...`.
fn conjunction(rest: &mut &[&str]) -> Option<bool> {
    let mut allowed = single(rest)?;
    while take(rest, "AND") {
        allowed &= single(rest)?;
    }
    Some(allowed)
}

/// A licence, perhaps with an exception, or an expression in parentheses.
fn single(rest: &mut &[&str]) -> Option<bool> {
    if take(rest, "(") {
        let inner = alternatives(rest)?;
        return take(rest, ")").then_some(inner);
    }
    let (licence, tail) = rest.split_first()?;
    *rest = tail;
    if take(rest, "WITH") {
        let (exception, tail) = rest.split_first()?;
        *rest = tail;
        return Some(ALLOWED.contains(&format!("{licence} WITH {exception}").as_str()));
    }
    Some(ALLOWED.contains(licence))
}

fn take(rest: &mut &[&str], token: &str) -> bool {
    let found = rest.first() == Some(&token);
    if found {
        *rest = &rest[1..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_allowed_alternative_suffices_and_every_conjunct_counts() {
        for good in [
            "MIT",
            "MIT OR Apache-2.0",
            "MIT/Apache-2.0",
            "GPL-3.0 OR MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR GPL-2.0",
            "MIT OR Apache-2.0 AND GPL-3.0",
        ] {
            assert!(is_allowed(good), "{good}");
        }
        for bad in [
            "",
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "LGPL-3.0-only",
            "(MIT",
            "MIT MIT",
            "MIT OR",
            "GPL-2.0 WITH MIT",
        ] {
            assert!(!is_allowed(bad), "{bad}");
        }
    }
}
