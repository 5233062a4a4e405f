//! Writes small files of every format into `fuzz/corpus/TARGET`, for the fuzzer to start from.

use clearance::Pose;
use clearance::glam::{DQuat, DVec3};
use clearance::shape::{SoupPart, TriangleSoup};
use clearance_io::{Document, Encoding, Format, Placement, write_bytes};
use std::io::{Cursor, Write};
use std::path::Path;

fn main() -> std::io::Result<()> {
    let document = document();
    let written = [
        ("stl", Format::Stl, Encoding::Binary),
        ("stl", Format::Stl, Encoding::Text),
        ("obj", Format::Obj, Encoding::Text),
        ("ply", Format::Ply, Encoding::Binary),
        ("ply", Format::Ply, Encoding::Text),
        ("gltf", Format::Glb, Encoding::Binary),
    ];
    for (target, format, encoding) in written {
        let bytes = write_bytes(&document, format, encoding).map_err(std::io::Error::other)?;
        save(target, &format!("{encoding:?}"), &bytes)?;
    }
    save("off", "cube", OFF.as_bytes())?;
    save("obj", "polygons", OBJ.as_bytes())?;
    save("ply", "big_endian", PLY)?;
    save("gltf", "text", GLTF.as_bytes())?;
    for method in [zip::CompressionMethod::Stored, zip::CompressionMethod::Deflated] {
        save("threemf", &format!("{method:?}"), &package(method)?)?;
    }
    Ok(())
}

fn save(target: &str, name: &str, bytes: &[u8]) -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join(name), bytes)
}

/// A tetrahedron placed twice, with two parts.
fn document() -> Document {
    let soup = TriangleSoup {
        positions: vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z],
        triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
        parts: vec![
            SoupPart { name: "floor".into(), triangles: 0..1 },
            SoupPart { name: "walls".into(), triangles: 1..4 },
        ],
    };
    let mut document = Document::from_soup("tetrahedron", soup);
    let pose = Pose::from_quaternion(DQuat::from_rotation_z(0.5), DVec3::X).unwrap_or(Pose::IDENTITY);
    document.placements.push(Placement { name: "again".into(), geometry: 0, pose });
    document
}

fn package(method: zip::CompressionMethod) -> std::io::Result<Vec<u8>> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(method);
    for (name, text) in [("_rels/.rels", RELATIONSHIPS), ("3D/3dmodel.model", MODEL)] {
        zip.start_file(name, options).map_err(std::io::Error::other)?;
        zip.write_all(text.as_bytes())?;
    }
    Ok(zip.finish().map_err(std::io::Error::other)?.into_inner())
}

const OFF: &str = "COFF4 3 0 # glued\n0 0 0\n1 0 0 0.5\n1 1 0\n0 1 0\n4 0 1 2 3 255 0 0\n3 0 1 2\n3 0 2 3\n";
const OBJ: &str = "mtllib x\nv 0 0 0\nv 2 0 0\nv 2 2 0\nv 1 1 0\nv 0 2 0 1\no a\nf 1/1 2//1 3/1/1 \\\n 4 5\ng b c\n\
                   f -5 -4 -3\nl 1 2\n";
const PLY: &[u8] =
    b"ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty short x\nproperty char y\n\
                     property float z\nproperty list uchar char n\nelement face 1\n\
                     property list uchar ushort vertex_index\nend_header\n\
                     \0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\x01\x07\0\0\x01\0\0\0\0\0\x03\0\0\0\x01\0\x02";
const GLTF: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"children":[1],"scale":[1,2,-3]},
{"mesh":0,"rotation":[0,0,0.6,0.8],"translation":[1,2,3]}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"mode":5}]}],
"accessors":[{"bufferView":0,"componentType":5121,"normalized":true,"type":"VEC3","count":4,"sparse":{"count":1,
"indices":{"bufferView":0,"componentType":5121},"values":{"bufferView":0,"byteOffset":3}}}],
"bufferViews":[{"buffer":0,"byteLength":12,"byteStride":3}],"buffers":[{"byteLength":12,"uri":"data:;base64,AAAA/wAAAP8AAAD/"}]}"#;
const RELATIONSHIPS: &str =
    "<Relationships><Relationship Target='/3D/3dmodel.model' Type='http://x/3dmodel'/></Relationships>";
const MODEL: &str = r#"<model unit="inch"><resources><object id="1" name="a"><mesh><vertices><vertex x="0" y="0" z="0"/>
<vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/></vertices><triangles><triangle v1="0" v2="1" v3="2"/></triangles></mesh>
</object><object id="2"><components><component objectid="1" transform="2 0 0 0 1 0 0 0 1 0 0 0"/></components></object></resources>
<build><item objectid="2" transform="0 1 0 -1 0 0 0 0 1 5 6 7"/><item objectid="1"/></build></model>"#;
