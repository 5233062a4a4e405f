//! Modules use only modules before them: the order that ARCHITECTURE.md draws.

use std::path::{Path, PathBuf};

/// Each rank may use the ranks before it and itself; two modules of one rank do not know each other.
const RANKS: &[&[&str]] = &[
    &["tolerance", "stats"],
    &["math"],
    &["exact"],
    &["ccd"],
    &["shape"],
    &["support"],
    &["witness"],
    &["bound"],
    &["tree"],
    &["broad"],
    &["pair"],
    &["triangle"],
    &["solid"],
    &["mesh"],
    &["compound"],
    &["body"],
    &["spacetime", "screw"],
    &["planar"],
    &["kinetic"],
    &["world"],
    &["oracle"],
];

fn rank(module: &str) -> Option<usize> {
    RANKS.iter().position(|rank| rank.contains(&module))
}

/// Whether a module may name another.
fn may_use(user: &str, used: &str) -> bool {
    user == used || rank(used) < rank(user)
}

/// The modules that a source text names through `crate::`.
fn named_modules(text: &str) -> Vec<&str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let tails =
        code.flat_map(|line| line.match_indices("crate::").map(|(at, found)| &line[at + found.len()..]));
    tails.flat_map(heads).filter(|name| rank(name).is_some()).collect()
}

/// First path segments behind `crate::`, also of a group such as `{math::Pose, tolerance}`.
fn heads(tail: &str) -> Vec<&str> {
    let parts: Vec<&str> = match tail.strip_prefix('{') {
        Some(group) => group.split(',').collect(),
        None => vec![tail],
    };
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    parts.into_iter().map(|p| p.trim_start().split(|c| !is_name(c)).next().unwrap_or("")).collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a source folder").map(|e| e.expect("an entry").path()) {
        if entry.is_dir() {
            sources(&entry, found);
        } else if entry.extension().is_some_and(|e| e == "rs") {
            found.push(entry);
        }
    }
}

#[test]
fn no_module_uses_a_later_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut offences = Vec::new();
    for file in files {
        let inner = file.strip_prefix(&root).expect("below src");
        let first = inner.iter().next().expect("a name").to_string_lossy().into_owned();
        let module = first.trim_end_matches(".rs");
        if module == "lib" {
            continue;
        }
        assert!(rank(module).is_some(), "module `{module}` has no rank in tests/layers.rs");
        let text = std::fs::read_to_string(&file).expect("a source file");
        let used = named_modules(&text);
        offences
            .extend(used.iter().filter(|u| !may_use(module, u)).map(|u| format!("{}: {u}", inner.display())));
    }
    assert!(offences.is_empty(), "modules that use a later one:\n{}", offences.join("\n"));
}

#[test]
fn the_check_sees_groups_and_refuses_what_it_should() {
    assert_eq!(
        named_modules("use crate::{math::Pose, exact};\nlet x = crate::shape::Mesh;"),
        ["math", "exact", "shape"]
    );
    assert!(named_modules("// see crate::world").is_empty());
    assert!(may_use("shape", "exact") && may_use("shape", "shape"));
    assert!(!may_use("exact", "shape") && !may_use("screw", "spacetime"));
}
