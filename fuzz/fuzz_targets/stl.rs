#![no_main]

use clearance_io::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| clearance_fuzz::check(bytes, Format::Stl));
