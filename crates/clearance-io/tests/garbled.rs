//! Good files with damage: whatever comes of it, no panic, and what is accepted is sound.

use clearance::Pose;
use clearance::glam::DVec3;
use clearance::shape::{SoupPart, TriangleSoup};
use clearance::tolerance::COORDINATE_LIMIT;
use clearance_io::{Document, Encoding, Format, ReadOptions, read_bytes, write_bytes};
use std::io::Write;

/// Rounds of damage for each file, times the environment variable `CLEARANCE_CASES`.
const ROUNDS: u64 = 3000;

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

fn files() -> Vec<(Format, Vec<u8>)> {
    let soup = TriangleSoup {
        positions: vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z],
        triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
        parts: vec![SoupPart { name: "walls".into(), triangles: 1..4 }],
    };
    let mut document = Document::from_soup("tetrahedron", soup.clone());
    document.place("again", soup, Pose::from_translation(DVec3::ONE).unwrap());
    let mut files = Vec::new();
    for format in Format::ALL.into_iter().filter(|format| format.is_writable()) {
        for encoding in [Encoding::Binary, Encoding::Text] {
            files.push((format, write_bytes(&document, format, encoding).unwrap()));
        }
    }
    files.push((Format::Off, b"OFF 4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n3 0 1 2\n".to_vec()));
    files.push((
        Format::Obj,
        b"v 0 0 0\nv 2 0 0\nv 2 2 0\nv 1 1 0\nv 0 2 0\no a\nf 1 2//1 3/1/1 \\\n 4 5\n".to_vec(),
    ));
    files.push((Format::ThreeMf, package()));
    files
}

/// Stored, so that damage reaches the model.
fn package() -> Vec<u8> {
    let model = r#"<model unit="inch"><resources><object id="1"><mesh><vertices><vertex x="0" y="0" z="0"/>
        <vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/></vertices><triangles><triangle v1="0" v2="1" v3="2"/>
        </triangles></mesh></object><object id="2"><components><component objectid="1"/></components></object></resources>
        <build><item objectid="2" transform="2 0 0 0 1 0 0 0 1 5 6 7"/><item objectid="1"/></build></model>"#;
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.start_file("3D/3dmodel.model", stored).unwrap();
    zip.write_all(model.as_bytes()).unwrap();
    zip.finish().unwrap().into_inner()
}

fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    const WORDS: [&[u8]; 8] =
        [b"-1", b"nan", b"4294967295", b"1e999", b"\0", b"\xff\xff\xff\xff", b"\n", b"\""];
    let at = random.below(bytes.len());
    match random.below(6) {
        0 => bytes.truncate(at),
        1 => bytes[at] ^= 1 << random.below(8),
        2 => bytes[at] = random.below(256) as u8,
        3 => drop(bytes.splice(at..at, WORDS[random.below(8)].iter().copied())),
        4 => {
            let word = WORDS[random.below(8)];
            let end = bytes.len().min(at + word.len());
            drop(bytes.splice(at..end, word.iter().copied()));
        }
        _ => {
            let end = bytes.len().min(at + random.below(40));
            let copy = bytes[at..end].to_vec();
            let to = random.below(bytes.len());
            drop(bytes.splice(to..to, copy));
        }
    }
    if bytes.is_empty() {
        bytes.push(b'x');
    }
}

fn check_sound(document: &Document) {
    assert!(document.placements.iter().all(|placement| placement.geometry < document.geometries.len()));
    for geometry in &document.geometries {
        let soup = &geometry.soup;
        assert!(!soup.triangles.is_empty());
        assert!(soup.positions.iter().all(|p| p.is_finite() && p.abs().max_element() <= COORDINATE_LIMIT));
        assert!(soup.triangles.as_flattened().iter().all(|&i| (i as usize) < soup.positions.len()));
        assert!(soup.parts.iter().all(|part| part.triangles.end as usize <= soup.triangles.len()));
    }
}

#[test]
fn damaged_files_are_refused_or_sound() {
    let cases = std::env::var("CLEARANCE_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(1u64);
    let options = ReadOptions { max_uncompressed_bytes: 1 << 24, ..ReadOptions::default() };
    let mut random = Random(2);
    for (format, file) in files() {
        let mut accepted = 0;
        for _ in 0..ROUNDS * cases {
            let mut bytes = file.clone();
            for _ in 0..=random.below(3) {
                damage(&mut bytes, &mut random);
            }
            if let Ok(document) = read_bytes(&bytes, format, "garbled", &options) {
                check_sound(&document);
                accepted += 1;
            }
        }
        assert!(accepted > 0 && accepted < ROUNDS * cases, "{format}: {accepted} accepted");
    }
}
