//! glTF and 3MF: trees, transforms and containers that go wrong.

use clearance::glam::DVec3;
use clearance_io::{Document, Format, LengthUnit, Position, ReadError, ReadOptions, read, read_bytes};
use serde_json::{Value, json};
use std::io::Write;

fn read_value(value: &Value) -> Result<Document, ReadError> {
    read_bytes(value.to_string().as_bytes(), Format::Gltf, "part", &ReadOptions::default())
}

fn error(value: &Value) -> String {
    read_value(value).expect_err("must be refused").to_string()
}

fn base64(bytes: &[u8]) -> String {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0u32, |bits, &b| bits << 8 | u32::from(b)) << (8 * (3 - group.len()));
        for i in 0..4 {
            let letter = letters[(bits >> (18 - 6 * i)) as usize & 63] as char;
            text.push(if i <= group.len() { letter } else { '=' });
        }
    }
    text
}

/// A tetrahedron's corners in `f32`, then the indices of two triangles in `u16`.
fn buffer() -> Vec<u8> {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0f32]];
    let mut bytes: Vec<u8> = corners.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
    bytes.extend([0u16, 1, 2, 0, 2, 3].iter().flat_map(|i| i.to_le_bytes()));
    bytes
}

fn document_of(nodes: Value) -> Value {
    json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": 60, "uri": format!("data:application/octet-stream;base64,{}", base64(&buffer())) }],
        "bufferViews": [
            { "buffer": 0, "byteLength": 48 },
            { "buffer": 0, "byteOffset": 48, "byteLength": 12 },
        ],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 4 },
            { "bufferView": 1, "componentType": 5123, "type": "SCALAR", "count": 6 },
        ],
        "meshes": [{ "name": "shape", "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "nodes": nodes,
    })
}

fn one_node() -> Value {
    document_of(json!([{ "mesh": 0 }]))
}

#[test]
fn rotations_share_the_shape_and_become_poses() {
    let half = 0.5f64.sqrt();
    let document = read_value(&document_of(json!([
        { "mesh": 0, "translation": [1, 2, 3] },
        { "mesh": 0, "rotation": [0, 0, half as f32, half as f32], "children": [2] },
        { "mesh": 0, "name": "inner", "translation": [5, 0, 0] },
        { "mesh": 0, "matrix": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1] },
    ])))
    .unwrap();
    assert_eq!((document.geometries.len(), document.unit), (1, Some(LengthUnit::Metre)));
    let names: Vec<&str> = document.placements.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["shape", "shape", "inner", "shape"]);
    let place = |i: usize, p: DVec3| document.placements[i].pose.apply(p);
    assert_eq!(place(0, DVec3::X), DVec3::new(2.0, 2.0, 3.0));
    assert!((place(2, DVec3::X) - DVec3::new(0.0, 6.0, 0.0)).length() < 1e-7);
    assert_eq!(place(3, DVec3::X), DVec3::new(7.0, 9.0, 9.0));
    assert_eq!(document.notes, Vec::<String>::new());
}

#[test]
fn scales_go_into_the_vertices_and_equal_ones_share_them() {
    let document = read_value(&document_of(json!([
        { "mesh": 0, "scale": [2, 2, 2] },
        { "mesh": 0, "scale": [2, 2, 2], "rotation": [0.6, 0, 0, 0.8], "translation": [1, 0, 0] },
        { "mesh": 0, "scale": [1, 2, 3] },
        { "mesh": 0, "scale": [1, 2, 3], "translation": [0, 0, 5] },
    ])))
    .unwrap();
    let geometries: Vec<usize> = document.placements.iter().map(|p| p.geometry).collect();
    assert_eq!(geometries, [0, 0, 1, 1]);
    assert_eq!(document.geometries[0].soup.positions[1], DVec3::new(2.0, 0.0, 0.0));
    assert_eq!(document.geometries[1].soup.positions[3], DVec3::new(0.0, 0.0, 3.0));
    assert_eq!(document.placements[3].pose.translation(), DVec3::new(0.0, 0.0, 5.0));
    assert_eq!(document.notes, ["2 copies of shapes hold a scale, shear or mirroring in their vertices"]);
}

#[test]
fn mirrored_triangles_are_turned_around() {
    for scale in [[-1.0, 1.0, 1.0], [-2.0, -2.0, -2.0], [1.0, 1.0, -3.0]] {
        let document = read_value(&document_of(json!([{ "mesh": 0, "scale": scale }]))).unwrap();
        assert_eq!(document.geometries[0].soup.triangles, [[0, 2, 1], [0, 3, 2]], "{scale:?}");
    }
    let turned = read_value(&document_of(json!([{ "mesh": 0, "scale": [-1, -1, 1] }]))).unwrap();
    assert_eq!(turned.geometries[0].soup.triangles, [[0, 1, 2], [0, 2, 3]], "a half turn, not a mirror");
}

#[test]
fn a_rotation_in_single_precision_is_still_a_rotation() {
    let (s, c) = (0.3f64.sin() as f32, 0.3f64.cos() as f32);
    let node = json!({ "mesh": 0, "matrix": [c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] });
    let document = read_value(&document_of(json!([node]))).unwrap();
    assert_eq!(document.geometries[0].soup.positions[1], DVec3::X, "nothing is baked");
    assert!(
        (document.placements[0].pose.apply(DVec3::X) - DVec3::new(0.3f64.cos(), 0.3f64.sin(), 0.0)).length()
            < 1e-7
    );
    assert_eq!(
        document.notes,
        ["1 rotations in single precision were replaced by the nearest true rotation"]
    );
}

#[test]
fn accessors_longer_than_their_buffers_are_refused() {
    let mut value = one_node();
    value["accessors"][0]["count"] = json!(5);
    assert!(error(&value).contains("(accessors[0]): 5 elements every 12 bytes"));
    for huge in [1u64 << 31, u64::MAX] {
        value["accessors"][0]["count"] = json!(huge);
        assert!(error(&value).contains("accessors[0]"));
    }
    let mut value = one_node();
    value["accessors"][1]["byteOffset"] = json!(u64::MAX);
    assert!(error(&value).contains("accessors[1]"));
    let mut value = one_node();
    value["bufferViews"][0]["byteLength"] = json!(61);
    assert!(error(&value).contains("reaches beyond its buffer of 60 bytes"));
    let mut value = one_node();
    value["buffers"][0]["byteLength"] = json!(61);
    assert!(error(&value).contains("(buffers[0]): 61 bytes promised, 60 are there"));
    let mut value = one_node();
    value["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    assert!(error(&value).contains("has no data; compressed meshes are not read"));
}

#[test]
fn references_to_nothing_are_refused() {
    let cases = [
        ("/meshes/0/primitives/0/indices", json!(9), "accessors[9]"),
        ("/meshes/0/primitives/0/attributes/POSITION", json!(1), "has type SCALAR, VEC3 is needed"),
        ("/meshes/0/primitives/0/indices", json!(0), "has type VEC3, SCALAR is needed"),
        ("/nodes/0/mesh", json!(1), "meshes[1]"),
        ("/accessors/0/bufferView", json!(7), "bufferViews[7] does not exist"),
        ("/bufferViews/0/buffer", json!(7), "buffer that does not exist"),
        ("/accessors/1/componentType", json!(5122), "indices must be unsigned integers"),
        ("/accessors/0/componentType", json!(17), "unknown component type 17"),
        ("/asset/version", json!("1.0"), "only version 2 is read"),
        ("/buffers/0/uri", json!("data:;base64,?"), "not base64"),
        ("/buffers/0/uri", json!("x.bin"), "refers to another file"),
    ];
    for (pointer, value, expected) in cases {
        let mut document = one_node();
        *document.pointer_mut(pointer).unwrap() = value;
        assert!(error(&document).contains(expected), "{pointer}: {}", error(&document));
    }
    let mut extended = one_node();
    extended["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
    assert!(error(&extended).contains("export the file without compression"));
    let mut extended = one_node();
    extended["scene"] = json!(3);
    assert!(error(&extended).contains("scenes[3] does not exist"));
}

#[test]
fn an_index_without_a_vertex_and_a_bad_vertex_are_refused() {
    let with = |bytes: Vec<u8>| {
        let mut value = one_node();
        value["buffers"][0]["uri"] = json!(format!("data:;base64,{}", base64(&bytes)));
        value
    };
    let mut bytes = buffer();
    bytes[48] = 4;
    assert!(error(&with(bytes)).contains("a triangle refers to vertex 4, but there are 4"));
    let mut bytes = buffer();
    bytes[16..20].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(matches!(read_value(&with(bytes)), Err(ReadError::Coordinate { vertex: 1, axis: 'y', .. })));
}

#[test]
fn circles_and_shared_nodes_are_refused() {
    let circle = document_of(json!([{ "children": [1] }, { "children": [0] }]));
    let mut circle_with_scene = circle.clone();
    circle_with_scene["scenes"] = json!([{ "nodes": [0] }]);
    assert!(error(&circle_with_scene).contains("is reached twice"));
    assert_eq!(read_value(&circle).unwrap().placements.len(), 0, "no root leads into it");
    let shared = document_of(json!([{ "children": [1, 1] }, { "mesh": 0 }]));
    assert!(error(&shared).contains("nodes[1]): is reached twice"));
    let missing = document_of(json!([{ "children": [7] }]));
    assert!(error(&missing).contains("nodes[7]): does not exist"));
}

#[test]
fn a_tree_a_hundred_thousand_deep_is_walked() {
    let depth = 100_000;
    let mut nodes: Vec<Value> = (1..depth).map(|child| json!({ "children": [child] })).collect();
    nodes.push(json!({ "mesh": 0 }));
    assert_eq!(read_value(&document_of(json!(nodes))).unwrap().placements.len(), 1);
}

#[test]
fn transforms_that_lead_nowhere_are_refused() {
    for node in [
        json!({ "mesh": 0, "scale": [1e200, 1e200, 1e200] }),
        json!({ "mesh": 0, "rotation": [0, 0, 0, 0] }),
        json!({ "mesh": 0, "translation": [1e100, 0, 0] }),
        json!({ "mesh": 0, "matrix": [1, 0, 0, 0.5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] }),
    ] {
        assert!(read_value(&document_of(json!([node]))).is_err(), "{node}");
    }
}

#[test]
fn strips_fans_and_lines() {
    let with_mode = |mode: u32| {
        let mut value = one_node();
        value["meshes"][0]["primitives"] = json!([{ "attributes": { "POSITION": 0 }, "mode": mode }]);
        read_value(&value).unwrap()
    };
    assert_eq!(with_mode(5).geometries[0].soup.triangles, [[0, 1, 2], [2, 1, 3]]);
    assert_eq!(with_mode(6).geometries[0].soup.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(with_mode(4).geometries[0].soup.triangles, [[0, 1, 2]]);
    assert_eq!(
        with_mode(1).notes[0],
        "1 primitive of points or lines, or without positions, was skipped (of mesh `shape`)"
    );
}

/// Found by fuzzing: a primitive without triangles left an empty part behind.
#[test]
fn primitives_without_whole_triangles_leave_no_part() {
    let mut value = one_node();
    value["accessors"][1]["count"] = json!(5);
    let accessors = value["accessors"].as_array_mut().unwrap();
    accessors.push(json!({ "bufferView": 1, "componentType": 5123, "type": "SCALAR", "count": 0 }));
    let primitive = |indices: usize| json!({ "attributes": { "POSITION": 0 }, "indices": indices });
    value["meshes"][0]["primitives"] = json!([primitive(2), primitive(1), primitive(2)]);
    let document = read_value(&value).unwrap();
    let parts: Vec<usize> =
        document.geometries[0].soup.parts.iter().map(|part| part.triangles.len()).collect();
    assert_eq!(parts, [1]);
    assert_eq!(document.notes, ["2 corners after the last whole triangle were ignored"]);
}

#[test]
fn sparse_accessors_replace_vertices() {
    let mut value = one_node();
    value["accessors"][0]["sparse"] = json!({
        "count": 1,
        "indices": { "bufferView": 1, "byteOffset": 10, "componentType": 5123 },
        "values": { "bufferView": 0, "byteOffset": 12 },
    });
    // Index 3 (the last of the indices) becomes a copy of vertex 1.
    assert_eq!(read_value(&value).unwrap().geometries[0].soup.positions[3], DVec3::X);
    value["accessors"][0]["sparse"]["count"] = json!(1u64 << 40);
    assert!(error(&value).contains("do not fit"));
    value["accessors"][0]["count"] = json!(3);
    value["accessors"][0]["sparse"]["count"] = json!(1);
    assert!(error(&value).contains("sparse indices"));
}

#[test]
fn a_mesh_takes_only_its_share_of_a_large_accessor() {
    let mut value = one_node();
    value["accessors"][1]["count"] = json!(3);
    let soup = &read_value(&value).unwrap().geometries[0].soup;
    assert_eq!((soup.positions.len(), soup.triangles.as_slice()), (3, &[[0, 1, 2]][..]));
}

#[test]
fn files_beside_a_gltf_are_opened_only_below_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    std::fs::create_dir_all(inner.join("data")).unwrap();
    for path in [folder.path().join("secret.bin"), inner.join("data/my part.bin")] {
        std::fs::write(path, buffer()).unwrap();
    }
    let with_uri = |uri: &str| {
        let mut value = one_node();
        value["buffers"][0]["uri"] = json!(uri);
        let path = inner.join("part.gltf");
        std::fs::write(&path, value.to_string()).unwrap();
        read(&path, &ReadOptions::default())
    };
    assert_eq!(with_uri("data/my%20part.bin").unwrap().placed_triangle_count(), 2);
    for uri in ["../secret.bin", "%2e%2e/secret.bin", "data/../../secret.bin", "/etc/hostname"] {
        assert!(with_uri(uri).unwrap_err().to_string().contains("not below the folder"), "{uri}");
    }
    assert!(with_uri("gone.bin").unwrap_err().to_string().contains("cannot be read"));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path().join("secret.bin"), inner.join("link.bin")).unwrap();
        assert!(with_uri("link.bin").unwrap_err().to_string().contains("not below the folder"));
    }
}

#[test]
fn glb_containers_cut_or_garbled_are_refused() {
    let text = one_node().to_string();
    let mut json_chunk = text.into_bytes();
    json_chunk.resize(json_chunk.len().next_multiple_of(4), b' ');
    let mut glb = b"glTF\x02\0\0\0".to_vec();
    glb.extend_from_slice(&(20 + json_chunk.len() as u32).to_le_bytes());
    glb.extend_from_slice(&(json_chunk.len() as u32).to_le_bytes());
    glb.extend_from_slice(b"JSON");
    glb.extend_from_slice(&json_chunk);
    let read_glb = |bytes: &[u8]| read_bytes(bytes, Format::Glb, "part", &ReadOptions::default());
    assert_eq!(read_glb(&glb).unwrap().placed_triangle_count(), 2);
    for length in 0..glb.len() {
        assert!(read_glb(&glb[..length]).is_err(), "cut after {length} bytes");
    }
    let mut wrong = glb.clone();
    wrong[4] = 1;
    assert!(read_glb(&wrong).unwrap_err().to_string().contains("glTF version 1"));
    let mut wrong = glb.clone();
    wrong[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(read_glb(&wrong).unwrap_err().to_string().contains("at byte 12: a chunk of 4294967295 bytes"));
    let mut wrong = glb.clone();
    wrong[20] = b'[';
    assert!(matches!(
        read_glb(&wrong),
        Err(ReadError::Malformed { position: Position::Entry { line: 1, .. }, .. })
    ));
    glb.extend_from_slice(b"more");
    assert_eq!(read_glb(&glb).unwrap().notes, ["4 bytes after the last chunk were ignored"]);
}

/// A 3MF with these entries.
fn package(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in entries {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn read_package(entries: &[(&str, &str)]) -> Result<Document, ReadError> {
    read_bytes(&package(entries), Format::ThreeMf, "part", &ReadOptions::default())
}

fn read_model(model: &str) -> Result<Document, ReadError> {
    read_package(&[("3D/3dmodel.model", model)])
}

const MESH: &str = r#"<mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/>
</vertices><triangles><triangle v1="0" v2="1" v3="2"/></triangles></mesh>"#;

fn model(resources: &str, build: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<model unit=\"inch\"><resources>{resources}</resources><build>{build}</build></model>"
    )
}

#[test]
fn three_mf_transforms_multiply_rows_from_the_left() {
    let text = model(
        &format!("<object id='1' name='a &amp; b'>{MESH}</object>"),
        "<item objectid='1' transform='0 1 0 -1 0 0 0 0 1 5 6 7'/><item objectid='1' transform='2 0 0 0 1 0 0 0 1 0 0 0'/>",
    );
    let document = read_model(&text).unwrap();
    assert_eq!(document.unit, Some(LengthUnit::Inch));
    assert_eq!(document.placements[0].name, "a & b");
    assert_eq!(document.placements[0].pose.apply(DVec3::X), DVec3::new(5.0, 7.0, 7.0));
    assert_eq!(document.geometries[1].soup.positions[1], DVec3::new(2.0, 0.0, 0.0));
}

#[test]
fn three_mf_with_prefixes_relations_and_other_models() {
    let root = "<c:model xmlns:c='core' xmlns:p='production' requiredextensions='p'><c:resources><c:object id='2'>\
        <c:components><c:component objectid='1' p:path='/3D/other.model' transform='1 0 0 0 1 0 0 0 1 3 0 0'/></c:components>\
        </c:object><s:vertex x='1' y='1'/></c:resources><c:build><c:item objectid='2'/></c:build></c:model>";
    let other = model(&format!("<object id='1' name='lid'>{MESH}</object>"), "");
    let relations =
        "<Relationships><Relationship Target='/3d/Root.model' Type='http://x/3dmodel'/></Relationships>";
    let entries = [("_rels/.rels", relations), ("3D/root.model", root), ("3D/other.model", &other)];
    let document = read_package(&entries).unwrap();
    assert_eq!((document.unit, document.placements.len()), (Some(LengthUnit::Millimetre), 1));
    assert_eq!(document.placements[0].name, "lid");
    assert_eq!(document.placements[0].pose.translation().x, 3.0);
    assert!(
        read_package(&entries[..2]).unwrap_err().to_string().contains("other.model): is not in the archive")
    );
}

#[test]
fn three_mf_errors_name_entry_line_and_column() {
    let object = format!("<object id='1'>{MESH}</object>");
    let message = |text: &str| read_model(text).expect_err("must be refused").to_string();
    let text = model(&object.replace("v3=\"2\"", "v3=\"3\""), "");
    assert_eq!(
        message(&text),
        "part (3D/3dmodel.model:3:23): a triangle refers to vertex 3, but the object has 3"
    );
    assert!(
        message(&model(&object.replace("x=\"1\"", "x=\"one\""), "")).contains("x is `one`, not a number")
    );
    assert!(
        message(&model(&object.replace("x=\"1\"", "x=\"nan\""), ""))
            .contains("coordinate x of vertex 1 is NaN")
    );
    let flat = object.replace("y=\"1\" z=\"0\"", "y=\"1\"");
    assert!(message(&model(&flat, "")).contains("the attribute `z` is missing"));
    assert!(message(&model(&object, "<item objectid='2'/>")).contains("object 2 does not exist"));
    assert!(
        message(&model(&object, "<item objectid='1' transform='1 2 3'/>")).contains("is not twelve numbers")
    );
    assert!(message(&model(&format!("{object}{object}"), "")).contains("object 1 is defined twice"));
    assert!(message(&text.replace("inch", "ell")).contains("unknown unit `ell`"));
    let whole = model(&object, "<item objectid='1'/>");
    for length in (0..whole.len()).filter(|&length| whole.is_char_boundary(length)) {
        assert!(read_model(&whole[..length]).is_err(), "cut after {length} bytes");
    }
    assert!(read_bytes(b"PK\x03\x04", Format::ThreeMf, "part", &ReadOptions::default()).is_err());
    assert!(
        read_package(&[("x", "y")])
            .unwrap_err()
            .to_string()
            .contains("(3D/3dmodel.model): is not in the archive")
    );
}

#[test]
fn three_mf_components_cannot_contain_themselves_or_multiply_without_end() {
    let circle = model(
        "<object id='1'><components><component objectid='1'/></components></object>",
        "<item objectid='1'/>",
    );
    assert!(read_model(&circle).unwrap_err().to_string().contains("object 1 contains itself"));
    let mut objects = format!("<object id='1'>{MESH}</object>");
    for id in 2..60 {
        let inside = format!("<component objectid='{}'/>", id - 1).repeat(2);
        objects += &format!("<object id='{id}'><components>{inside}</components></object>");
    }
    let laughs = model(&objects, "<item objectid='59'/>");
    assert!(matches!(read_model(&laughs), Err(ReadError::TooLarge { .. })));
}

#[test]
fn a_zip_bomb_stops_at_the_cap() {
    let bomb = package(&[("3D/3dmodel.model", &" ".repeat(50_000_000))]);
    assert!(bomb.len() < 100_000);
    let options = ReadOptions { max_uncompressed_bytes: 1_000_000, ..ReadOptions::default() };
    match read_bytes(&bomb, Format::ThreeMf, "part", &options) {
        Err(ReadError::TooLarge { limit: 1_000_000, .. }) => {}
        other => panic!("{other:?}"),
    }
}
