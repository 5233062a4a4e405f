//! Any text as a scene file: an error with a position, or a scene; nothing panics. Files it names are not opened.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = clearance_io::scene::parse(text, std::path::Path::new("fuzz.json"));
});
