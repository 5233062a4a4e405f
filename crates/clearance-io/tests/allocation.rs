//! What a file claims does not decide how much memory it gets.

#[path = "../../clearance/tests/counting/mod.rs"]
mod counting;

use clearance_io::{Format, ReadOptions, read_bytes};
use counting::{LIVE, PEAK};
use std::io::Write;
use std::sync::atomic::Ordering;

/// Bytes allocated at once while a file is read, beyond the file itself.
fn peak_of(bytes: &[u8], format: Format, options: &ReadOptions<'_>) -> usize {
    let before = LIVE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let outcome = read_bytes(bytes, format, "part", options);
    let peak = PEAK.load(Ordering::Relaxed) - before;
    drop(outcome);
    peak
}

fn zipped(text: &[u8]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.start_file("3D/3dmodel.model", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(text).unwrap();
    zip.finish().unwrap().into_inner()
}

/// A 3MF whose directory claims other sizes than its data has.
fn lying_zip(text: &[u8], claimed: u32) -> Vec<u8> {
    let mut bytes = zipped(text);
    let real = (text.len() as u32).to_le_bytes();
    for i in 0..bytes.len() - 3 {
        if bytes[i..i + 4] == real {
            bytes[i..i + 4].copy_from_slice(&claimed.to_le_bytes());
        }
    }
    bytes
}

fn gltf(accessor: &str, nodes: &str) -> Vec<u8> {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":36,"uri":"data:;base64,{}"}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}}],"accessors":[{accessor}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],"nodes":[{nodes}]}}"#,
        "A".repeat(48)
    )
    .into_bytes()
}

/// One test in this file, since the counters are the program's.
#[test]
fn peak_memory_is_a_small_multiple_of_the_file() {
    let defaults = ReadOptions::default();
    let small = 64 << 10;

    let mut stl = vec![b'x'; 80];
    stl.extend_from_slice(&4_000_000_000u32.to_le_bytes());
    stl.extend_from_slice(&[0; 50]);
    assert!(peak_of(&stl, Format::Stl, &defaults) < small);

    for encoding in ["ascii", "binary_little_endian"] {
        let ply = format!(
            "ply\nformat {encoding} 1.0\nelement vertex 1000000000000000000\nproperty float x\nproperty float y\n\
             property float z\nelement nothing 1000000000000000000\nend_header\n"
        );
        assert!(peak_of(ply.as_bytes(), Format::Ply, &defaults) < small);
    }
    let list =
        b"ply\nformat binary_little_endian 1.0\nelement face 1\nproperty list uint int vertex_indices\n\
                 end_header\n\xff\xff\xff\xff\0\0\0\0";
    assert!(peak_of(list, Format::Ply, &defaults) < small);

    assert!(peak_of(b"OFF 4000000000 4000000000 0\n", Format::Off, &defaults) < small);

    let counts = ["2147483648", "4294967295", "18446744073709551615"];
    for count in counts {
        let plain = format!(r#"{{"bufferView":0,"componentType":5126,"type":"VEC3","count":{count}}}"#);
        assert!(peak_of(&gltf(&plain, r#"{"mesh":0}"#), Format::Gltf, &defaults) < small);
        // Without a buffer view, an accessor is as many zeros as it likes.
        let zeros = format!(
            r#"{{"componentType":5126,"type":"VEC3","count":{count},"sparse":{{"count":0,
            "indices":{{"bufferView":0,"componentType":5125}},"values":{{"bufferView":0}}}}}}"#
        );
        assert!(peak_of(&gltf(&zeros, r#"{"mesh":0}"#), Format::Gltf, &defaults) < small);
    }
    let nodes = gltf("", &vec!["{}"; 300_000].join(","));
    assert!(peak_of(&nodes, Format::Gltf, &defaults) < 96 * nodes.len());

    // A shape that is copied for each of many different scales: the budget ends it.
    let triangle = r#"{"bufferView":0,"componentType":5126,"type":"VEC3","count":3}"#;
    let scaled: Vec<String> = (1..50_000).map(|i| format!(r#"{{"mesh":0,"scale":[{i},1,1]}}"#)).collect();
    let copies = gltf(triangle, &scaled.join(","));
    assert!(peak_of(&copies, Format::Gltf, &defaults) < 64 * copies.len() + (16 << 20));

    let blank = vec![b' '; 64 << 20];
    let bomb = zipped(&blank);
    let capped = ReadOptions { max_uncompressed_bytes: 1 << 20, ..defaults };
    assert!(peak_of(&bomb, Format::ThreeMf, &capped) < 4 << 20);
    let lying = lying_zip(&blank, 1000);
    assert!(peak_of(&lying, Format::ThreeMf, &capped) < 4 << 20);
    let boasting = lying_zip(&[b' '; 12_345], 0xf000_0000);
    assert!(peak_of(&boasting, Format::ThreeMf, &defaults) < 1 << 20);

    // Text that is dense in triangles, parts or polygons.
    let mut obj = String::from("v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    obj += &format!("o {}\n", "n".repeat(100_000));
    obj += &"g\nf 1 2 3\n".repeat(50_000);
    assert!(peak_of(obj.as_bytes(), Format::Obj, &defaults) < 64 * obj.len());
    let polygon = format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nf{}\n", " 1 2 3".repeat(20_000));
    assert!(peak_of(polygon.as_bytes(), Format::Obj, &defaults) < 64 * polygon.len());
    let solids = "solid\nendsolid\n".repeat(50_000);
    assert!(peak_of(solids.as_bytes(), Format::Stl, &defaults) < solids.len());
}
