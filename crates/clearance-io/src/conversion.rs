//! How to make a mesh file of one that holds curved shapes: two lines for a shell, tested with the versions they name.

use std::path::Path;

/// The lines that convert the file to GLB, each indented on a line of its own; empty where no short recipe is known.
pub fn recipe(file: &Path) -> String {
    let extension = file.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    let (install, program) = match extension.as_str() {
        "step" | "stp" | "p21" => {
            ("pip install cascadio", "import sys, cascadio; sys.exit(cascadio.step_to_glb(*sys.argv[1:]))")
        }
        "ifc" => (
            "pip install \"ifcopenshell>=0.9\"",
            "import sys, ifcopenshell as i, ifcopenshell.geom as g; f = i.open(sys.argv[1]); s = g.settings(); \
             s.set('use-element-names', True); w = g.serializers.gltf(sys.argv[2], s); w.setFile(f); \
             w.writeHeader(); [w.write(e) for e in g.iterate(s, f)]; w.finalize()",
        ),
        _ => return String::new(),
    };
    let [from, to] = [file.to_path_buf(), file.with_extension("glb")].map(|file| quoted(&file));
    format!(":\n  {install}\n  python -c \"{program}\" {from} {to}")
}

/// A path as a shell takes it.
fn quoted(file: &Path) -> String {
    let text = file.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "._-/\\:+=,@".contains(c);
    if text.chars().all(is_plain) { text } else { format!("\"{}\"", text.replace('"', "\\\"")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_spaces_are_quoted_and_rare_kinds_have_no_recipe() {
        assert!(recipe(Path::new("a b.STEP")).ends_with("\" \"a b.STEP\" \"a b.glb\""));
        assert!(recipe(Path::new("x/house.ifc")).ends_with("\" x/house.ifc x/house.glb"));
        assert_eq!(recipe(Path::new("old.igs")), "");
    }
}
