//! Small files with the traps that readers fall into, one by one.

use clearance_io::{Document, Format, Position, ReadError, ReadOptions, read_bytes};

fn read(format: Format, bytes: impl AsRef<[u8]>) -> Result<Document, ReadError> {
    read_bytes(bytes.as_ref(), format, "part", &ReadOptions::default())
}

fn triangles(format: Format, bytes: impl AsRef<[u8]>) -> usize {
    read(format, bytes).unwrap_or_else(|error| panic!("{error}")).placed_triangle_count()
}

fn error(format: Format, bytes: impl AsRef<[u8]>) -> String {
    read(format, bytes).expect_err("must be refused").to_string()
}

/// A binary STL with a header, a claimed count and triangles that are there.
fn binary_stl(header: &str, claimed: u32, present: usize) -> Vec<u8> {
    let mut bytes = header.as_bytes().to_vec();
    bytes.resize(80, 0);
    bytes.extend_from_slice(&claimed.to_le_bytes());
    for i in 0..present {
        let corners = [[0.0, 0.0, 1.0f32], [i as f32, 0.0, 0.0], [i as f32 + 1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        corners.as_flattened().iter().for_each(|x| bytes.extend_from_slice(&x.to_le_bytes()));
        bytes.extend_from_slice(&[0, 0]);
    }
    bytes
}

const FACET: &str =
    "facet normal 0 0 1\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n vertex 0 1 0\n endloop\n endfacet\n";

#[test]
fn stl_text_keeps_every_solid_and_its_name() {
    let text = format!("solid first one\n{FACET}endsolid first one\nsolid\n{FACET}{FACET}endsolid\n");
    let document = read(Format::Stl, text).unwrap();
    let found: Vec<(&str, usize)> =
        document.geometries.iter().map(|g| (g.name.as_str(), g.soup.triangles.len())).collect();
    assert_eq!(found, [("first one", 1), ("part", 2)]);
}

#[test]
fn stl_text_in_upper_case_with_crlf_or_on_few_lines() {
    let text = format!("SOLID A\n{}ENDSOLID A\n", FACET.to_uppercase());
    assert_eq!(triangles(Format::Stl, &text), 1);
    assert_eq!(triangles(Format::Stl, text.replace('\n', "\r\n")), 1);
    assert_eq!(triangles(Format::Stl, format!("solid\n{}endsolid", FACET.replace('\n', " "))), 1);
}

#[test]
fn stl_text_keeps_all_digits() {
    let text = format!("solid\n{}endsolid", FACET.replace("vertex 1 0 0", "vertex 0.1 0 0"));
    assert_eq!(read(Format::Stl, text).unwrap().geometries[0].soup.positions[1].x, 0.1);
}

#[test]
fn stl_text_errors_name_line_and_column() {
    assert_eq!(
        error(Format::Stl, "solid\nfacet normal 0 0 1\nouter loop\n  vertex 0 zero 0"),
        "part:4:12: `zero` is not a number"
    );
    let nan = format!("solid\n{}endsolid", FACET.replace("vertex 1 0 0", "vertex 1 nan 0"));
    assert_eq!(
        error(Format::Stl, nan),
        "part:5:2: coordinate y of vertex 1 is NaN; coordinates must be finite and at most 2^300 in size"
    );
    assert!(error(Format::Stl, format!("solid x\n{FACET}")).contains("the file ends where"));
    assert!(
        error(Format::Stl, format!("solid x\n{FACET}endsolid\njunk")).contains("`solid` is expected here")
    );
    let normal = format!("solid\n{}endsolid", FACET.replace("normal 0 0 1", "normal nan nan nan"));
    assert_eq!(triangles(Format::Stl, normal), 1, "normals are not used");
}

#[test]
fn binary_stl_may_begin_with_solid() {
    assert_eq!(triangles(Format::Stl, binary_stl("solid made by some program", 2, 2)), 2);
    assert_eq!(triangles(Format::Stl, binary_stl("solid", 0, 0)), 0);
}

#[test]
fn binary_stl_that_promises_too_much_is_refused_with_counts() {
    for claimed in [2, 4_000_000_000] {
        let message = error(Format::Stl, binary_stl("x", claimed, 1));
        assert_eq!(
            message,
            format!("part at byte 134: the header promises {claimed} triangles, but the file ends after 1")
        );
    }
    let mut truncated = binary_stl("solid x", 2, 2);
    truncated.truncate(180);
    assert!(error(Format::Stl, truncated).contains("promises 2 triangles, but the file ends after 1"));
}

#[test]
fn bytes_after_a_binary_stl_are_noted() {
    let mut bytes = binary_stl("x", 1, 1);
    bytes.extend_from_slice(b"bye");
    let document = read(Format::Stl, bytes).unwrap();
    assert_eq!(document.placed_triangle_count(), 1);
    assert_eq!(document.notes, ["3 bytes after the last of 1 triangles were ignored"]);
}

#[test]
fn binary_stl_with_nan_or_infinity_is_refused_with_the_vertex() {
    for value in [f32::NAN, f32::INFINITY] {
        let mut bytes = binary_stl("x", 2, 2);
        bytes[84 + 50 + 24 + 8..][..4].copy_from_slice(&value.to_le_bytes());
        match read(Format::Stl, bytes) {
            Err(ReadError::Coordinate { vertex: 4, axis: 'z', position: Position::Byte(158), .. }) => {}
            other => panic!("{other:?}"),
        }
    }
}

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

#[test]
fn obj_corners_of_every_form() {
    for corners in ["1 2 3", "1/1 2/2 3/3", "1//1 2//1 3//1", "1/1/1 2/2/1 3/3/1", "-4 -3 -2", "1// 2// 3//"]
    {
        let document = read(Format::Obj, format!("{SQUARE}f {corners}\n")).unwrap();
        assert_eq!(document.geometries[0].soup.triangles, [[0, 1, 2]], "{corners}");
    }
}

#[test]
fn obj_faces_may_come_before_their_vertices() {
    assert_eq!(triangles(Format::Obj, format!("f 1 2 3 4\n{SQUARE}")), 2);
}

#[test]
fn obj_lines_continue_after_a_backslash() {
    assert_eq!(triangles(Format::Obj, format!("{SQUARE}f 1 2 \\\n 3 4")), 2);
    assert_eq!(triangles(Format::Obj, format!("{SQUARE}f 1 2\\\n 3 4").replace('\n', "\r\n")), 2);
    assert_eq!(triangles(Format::Obj, format!("vt 0 \\\n 0\n{SQUARE}f 1 2 3")), 1);
}

#[test]
fn obj_objects_and_groups_are_parts() {
    let text =
        format!("{SQUARE}f 1 2 3\no box\nf 1 2 3 4\ng lid front\nf 1 3 4\ng\nf 1 2 4\no\ng only\nf 2 3 4\n");
    let parts: Vec<(String, std::ops::Range<u32>)> = read(Format::Obj, text).unwrap().geometries[0]
        .soup
        .parts
        .iter()
        .map(|part| (part.name.clone(), part.triangles.clone()))
        .collect();
    let expected = [("", 0..1), ("box", 1..3), ("box/lid front", 3..4), ("box", 4..5), ("only", 5..6)];
    assert_eq!(parts, expected.map(|(name, range)| (name.to_string(), range)));
    assert!(read(Format::Obj, format!("{SQUARE}f 1 2 3")).unwrap().geometries[0].soup.parts.is_empty());
}

#[test]
fn obj_parts_without_faces_leave_no_trace() {
    let text = format!("{SQUARE}o a\no b\nf 1 2\no c\nf 1 2 3\no d\nf 1 2\n");
    let document = read(Format::Obj, text).unwrap();
    let parts: Vec<&str> = document.geometries[0].soup.parts.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(parts, ["c"]);
    assert_eq!(document.notes, ["2 faces with fewer than three corners were skipped"]);
}

#[test]
fn obj_polygons_without_area_are_noted_and_triangles_are_left_to_the_mesh() {
    let document = read(Format::Obj, format!("{SQUARE}f 1 2 3\nf 1 1 2 2\nf 1 1 2\n")).unwrap();
    assert_eq!(document.geometries[0].soup.triangles, [[0, 1, 2], [0, 0, 1]]);
    assert_eq!(document.notes, ["1 polygons with fewer than three different corners were skipped"]);
}

#[test]
fn obj_polygons_with_too_many_corners_are_refused() {
    let message = error(Format::Obj, format!("{SQUARE}f{}", " 1 2 3 4".repeat(20_000)));
    assert!(message.starts_with("part:5:1: a polygon has 80000 corners, the limit is 65536"), "{message}");
}

#[test]
fn obj_tolerates_what_it_does_not_need() {
    let text =
        format!("mtllib gone.mtl\nusemtl none\ns off\nvn 0 0 1\nvt 0 0\nl 1 2\nweird 1\n{SQUARE}f 1 2 3\n");
    let document = read(Format::Obj, text).unwrap();
    assert_eq!(
        document.notes,
        [
            "1 points, lines and free-form shapes were skipped",
            "1 unknown statements were skipped, first `weird` in line 7"
        ]
    );
    assert_eq!(triangles(Format::Obj, "\u{feff}v 0 0 0 1 0.5 0.5\nv 1 0 0\nv 0 1 0\nf 1 2 3"), 1);
}

#[test]
fn obj_errors_name_line_and_column() {
    let message = |tail: &str| error(Format::Obj, format!("{SQUARE}{tail}"));
    assert_eq!(message("f 1 2 9"), "part:5:7: vertex 9 does not exist; the file has 4");
    assert_eq!(message("f 1 0 2"), "part:5:5: corner `0` refers to vertex 0; vertices count from 1");
    assert_eq!(message("f 1 -5 2"), "part:5:5: corner `-5` goes back further than the 4 vertices so far");
    assert_eq!(message("f 1 a 2"), "part:5:5: corner `a` has no vertex number");
    assert_eq!(message("v 1 2"), "part:5:1: a vertex with 2 coordinates");
    assert!(message("v 1 2 nan").contains("part:5:1: coordinate z of vertex 4 is NaN"));
    assert!(message("v 1 1e400 0").contains("coordinate y of vertex 4 is inf"));
    assert!(message("v 1e91 0 0").contains("coordinate x of vertex 4 is 1e91"));
    assert!(message("<html>").contains("is not an OBJ statement"));
    assert!(error(Format::Obj, "v\0 0\0").contains("is not an OBJ statement"), "UTF-16");
    assert_eq!(message("f 1 2 99999999999"), "part:5:7: corner `99999999999` is beyond 2^32 vertices");
}

const PLY: &str = "ply\nformat ascii 1.0\ncomment c\nelement vertex 3\nproperty float x\nproperty double y\n\
                   property float z\nproperty uchar red\nelement face 1\nproperty list uchar int vertex_indices\n\
                   end_header\n0 0 0 255\n1 0.1 0 255\n0 1 0 255\n3 0 1 2\n";

#[test]
fn ply_text() {
    assert_eq!(triangles(Format::Ply, PLY), 1);
    assert_eq!(triangles(Format::Ply, PLY.replace('\n', "\r\n")), 1);
    assert_eq!(triangles(Format::Ply, PLY.replace("vertex_indices", "vertex_index")), 1);
    assert_eq!(read(Format::Ply, PLY).unwrap().geometries[0].soup.positions[1].y, 0.1);
    let document = read(Format::Ply, format!("{PLY}junk")).unwrap();
    assert_eq!(document.notes, ["4 bytes after the last element were ignored"]);
}

#[test]
fn ply_errors_name_line_and_column() {
    let changed = |from: &str, to: &str| error(Format::Ply, PLY.replace(from, to));
    assert!(changed("element vertex 3", "element vertex 1000000000000000000").contains(
        "part:4:1: the header promises 1000000000000000000 elements `vertex` of at least 4 bytes each, but only"
    ));
    assert!(changed("element face 1", "element face 999999999").contains("part:9:1: the header promises"));
    assert_eq!(changed("1 0.1 0 255", "1 0.1 0"), "part:13:8: the row ends before all its values");
    assert!(changed("1 0.1 0 255", "1 0.1 0 255 7").contains("part:13:13: `7` is one value more"));
    assert_eq!(changed("3 0 1 2", "3 0 1 3"), "part:15:7: vertex 3 does not exist; the file has 3");
    assert_eq!(changed("3 0 1 2", "3 0 1 -1"), "part:15:7: -1 is not a vertex index");
    assert!(changed("3 0 1 2", "4000000000 0 1 2").contains("a list of 4000000000 values"));
    assert!(changed("1 0.1 0 255", "1 nan 0 255").contains("coordinate y of vertex 1 is NaN"));
    assert!(changed("ascii", "binary_middle_endian").contains("part:2:8"));
    assert!(changed("float x", "float w").contains("element `vertex` has no property `x`"));
    assert!(changed("property float x", "property complex x").contains("`complex` is not a PLY number type"));
    assert!(error(Format::Ply, "ply\nformat ascii 1.0\n").contains("before `end_header`"));
    assert!(error(Format::Ply, "").contains("begins with `ply`"));
    assert!(error(Format::Ply, "ply\nend_header\n").contains("no `format`"));
}

fn binary_ply(big_endian: bool, claimed: &str) -> Vec<u8> {
    let name = if big_endian { "binary_big_endian" } else { "binary_little_endian" };
    let mut bytes = format!(
        "ply\nformat {name} 1.0\nelement vertex 3\nproperty double x\nproperty double y\nproperty double z\n\
         property list uchar short extra\nelement face {claimed}\nproperty list uchar uint vertex_indices\nend_header\n"
    )
    .into_bytes();
    let order = |little: &[u8]| -> Vec<u8> {
        if big_endian { little.iter().rev().copied().collect() } else { little.to_vec() }
    };
    for point in [[0.1, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0f64]] {
        point.iter().for_each(|x| bytes.extend(order(&x.to_le_bytes())));
        bytes.push(2);
        bytes.extend_from_slice(&[1, 2, 3, 4]);
    }
    bytes.push(3);
    [0u32, 1, 2].iter().for_each(|i| bytes.extend(order(&i.to_le_bytes())));
    bytes
}

#[test]
fn ply_in_both_byte_orders_keeps_every_bit() {
    for big_endian in [false, true] {
        let document = read(Format::Ply, binary_ply(big_endian, "1")).unwrap();
        let soup = &document.geometries[0].soup;
        assert_eq!((soup.positions[0].x, soup.triangles.as_slice()), (0.1, &[[0, 1, 2]][..]));
    }
}

#[test]
fn binary_ply_that_lies_is_refused() {
    assert!(error(Format::Ply, binary_ply(false, "1000000000000000000")).contains("bytes are left"));
    assert!(error(Format::Ply, binary_ply(false, "2")).contains("the file ends in the middle of its data"));
    let header = binary_ply(false, "1");
    let wrong_order = String::from_utf8_lossy(&header).find("little").unwrap();
    let mut swapped = header.clone();
    swapped.splice(wrong_order..wrong_order + 6, *b"big");
    assert!(read(Format::Ply, swapped).is_err(), "wrong byte order");
    for length in 0..header.len() {
        assert!(read(Format::Ply, &header[..length]).is_err(), "cut after {length} bytes");
    }
}

const OFF: &str = "OFF\n# a comment\n4 2 0\n\n0 0 0\n1 0 0 # here\n1 1 0\n0 1 0\n3 0 1 2 255 0 0\n3 0 2 3\n";

#[test]
fn off_with_comments_colours_and_glued_counts() {
    assert_eq!(triangles(Format::Off, OFF), 2);
    assert_eq!(triangles(Format::Off, OFF.replace("OFF\n# a comment\n4", "  \t OFF4")), 2);
    assert_eq!(triangles(Format::Off, OFF.replace("OFF", "COFF").replace("0 1 0\n", "0 1 0 1 1 1 1\n")), 2);
    assert_eq!(triangles(Format::Off, OFF.replace("4 2 0", "4 2")), 2);
}

#[test]
fn off_errors_name_line_and_column() {
    let changed = |from: &str, to: &str| error(Format::Off, OFF.replace(from, to));
    assert!(changed("4 2 0", "4000000000000 2 0").contains("do not fit into"));
    assert!(changed("4 2 0", "4 20 0").contains("the header promises 20 faces, but the file ends after 2"));
    assert_eq!(changed("3 0 2 3", "3 0 2 4"), "part:10:7: vertex 4 does not exist; there are 4");
    assert_eq!(changed("3 0 2 3", "3 0 2 -1"), "part:10:7: vertex -1 does not exist; there are 4");
    assert_eq!(changed("1 1 0", "1 1"), "part:7:4: the line ends before all its numbers");
    assert!(changed("1 1 0", "1 inf 0").contains("coordinate y of vertex 2 is inf"));
    assert!(changed("OFF", "4OFF").contains("only three-dimensional OFF"));
    assert!(changed("OFF", "OFF BINARY").contains("binary OFF is not read"));
    assert!(error(Format::Off, "").contains("the file is empty"));
    assert!(error(Format::Off, "off 1 2 3").contains("begins with `OFF`"));
}

#[test]
fn an_empty_file_is_an_error_in_every_format() {
    for format in Format::ALL {
        if format != Format::Obj {
            assert!(read(format, "").is_err(), "{format}");
        }
    }
    assert_eq!(read(Format::Obj, "").unwrap().notes, ["the file has no triangles"]);
}
