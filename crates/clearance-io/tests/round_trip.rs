//! What is written is read back, bit for bit where the format can hold it.

use clearance::Pose;
use clearance::glam::{DQuat, DVec3};
use clearance::shape::{SoupPart, TriangleSoup};
use clearance_io::{
    Document, Encoding, Format, GlbStyle, LengthUnit, LineSet, Placement, ReadOptions, WriteError, read,
    read_bytes, write, write_bytes, write_glb_bytes,
};

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 ^ self.0 >> 29
    }

    /// Any finite size up to 2^60, either sign, now and then a zero of either sign.
    fn coordinate(&mut self) -> f64 {
        match self.next() % 16 {
            0 => 0.0,
            1 => -0.0,
            _ => {
                let exponent = 1023 - 60 + self.next() % 120;
                f64::from_bits(self.next() & (1 << 63 | ((1 << 52) - 1)) | exponent << 52)
            }
        }
    }

    fn soup(&mut self, vertices: u32, triangles: usize) -> TriangleSoup {
        let positions =
            (0..vertices).map(|_| DVec3::from_array([(); 3].map(|()| self.coordinate()))).collect();
        // Every position is used, since GLB may leave out others.
        let mut corner =
            |i: usize| if i < vertices as usize { i as u32 } else { self.next() as u32 % vertices };
        let triangles =
            (0..triangles).map(|t| [corner(3 * t), corner(3 * t + 1), corner(3 * t + 2)]).collect();
        TriangleSoup { positions, triangles, parts: Vec::new() }
    }
}

fn in_f32(soup: &TriangleSoup) -> TriangleSoup {
    let positions = soup.positions.iter().map(|p| p.as_vec3().as_dvec3()).collect();
    TriangleSoup { positions, ..soup.clone() }
}

fn again(document: &Document, format: Format, encoding: Encoding) -> Document {
    let bytes = write_bytes(document, format, encoding).unwrap();
    read_bytes(&bytes, format, "part", &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn bits(soup: &TriangleSoup) -> Vec<[u64; 3]> {
    soup.positions.iter().map(|p| p.to_array().map(f64::to_bits)).collect()
}

/// Corner positions in order: what formats without indices can keep.
fn corners(soup: &TriangleSoup) -> Vec<[u64; 3]> {
    let all = bits(soup);
    soup.triangles.iter().flatten().map(|&i| all[i as usize]).collect()
}

#[test]
fn formats_with_indices_keep_every_bit_of_f64() {
    let mut random = Random(1);
    for _ in 0..20 {
        let soup = random.soup(50, 80);
        let document = Document::from_soup("part", soup.clone());
        for (format, encoding) in
            [(Format::Ply, Encoding::Binary), (Format::Ply, Encoding::Text), (Format::Obj, Encoding::Text)]
        {
            let back = again(&document, format, encoding);
            assert_eq!(back.geometries.len(), 1);
            assert_eq!(bits(&back.geometries[0].soup), bits(&soup), "{format}");
            assert_eq!(back.geometries[0].soup.triangles, soup.triangles, "{format}");
        }
    }
}

#[test]
fn stl_keeps_every_corner_in_f32_and_its_text_in_f64() {
    let mut random = Random(2);
    let soup = random.soup(50, 80);
    let document = Document::from_soup("a part", soup.clone());
    let text = again(&document, Format::Stl, Encoding::Text);
    assert_eq!(corners(&text.geometries[0].soup), corners(&soup));
    assert_eq!(text.geometries[0].name, "a part");
    let binary = again(&document, Format::Stl, Encoding::Binary);
    assert_eq!(corners(&binary.geometries[0].soup), corners(&in_f32(&soup)));
    // Once in single precision, a file is reproduced byte for byte.
    let bytes = write_bytes(&binary, Format::Stl, Encoding::Binary).unwrap();
    assert!(bytes == write_bytes(&document, Format::Stl, Encoding::Binary).unwrap(), "bytes differ");
}

fn assembly() -> Document {
    let mut random = Random(3);
    let mut document = Document { unit: Some(LengthUnit::Metre), ..Document::default() };
    let turn = Pose::from_quaternion(DQuat::from_rotation_z(0.3), DVec3::new(1e6, 0.1, -3.0)).unwrap();
    document.place("first", in_f32(&random.soup(30, 40)), Pose::IDENTITY);
    let mut soup = in_f32(&random.soup(30, 40));
    soup.parts = vec![
        SoupPart { name: "left".into(), triangles: 0..15 },
        SoupPart { name: "right side".into(), triangles: 15..40 },
    ];
    document.place("second", soup, turn);
    document.placements.push(Placement { name: "second again".into(), geometry: 1, pose: turn.inverse() });
    document
}

#[test]
fn glb_keeps_names_parts_sharing_and_poses_bit_for_bit() {
    let document = assembly();
    let back = again(&document, Format::Glb, Encoding::Binary);
    assert_eq!(back, document);
}

#[test]
fn glb_colours_and_lines_do_not_disturb_the_shapes() {
    let document = assembly();
    let style = GlbStyle {
        colours: vec![None, Some([1.0, 0.0, 0.0, 1.0]), Some([0.0, 1.0, 0.0, 0.5])],
        lines: vec![LineSet {
            name: "gap".into(),
            segments: vec![[DVec3::ZERO, DVec3::ONE]],
            colour: [0.0, 0.0, 1.0, 1.0],
        }],
        ..GlbStyle::default()
    };
    let bytes = write_glb_bytes(&document, &style).unwrap();
    let mut back = read_bytes(&bytes, Format::Glb, "part", &ReadOptions::default()).unwrap();
    assert_eq!(
        back.notes,
        ["1 primitive of points or lines, or without positions, was skipped (of mesh `gap`)"]
    );
    back.notes.clear();
    assert_eq!(back, document, "two colours of a shape still share it");
}

#[test]
fn glb_is_in_metres() {
    let mut document = assembly();
    document.unit = Some(LengthUnit::Inch);
    let back = again(&document, Format::Glb, Encoding::Binary);
    let (old, new) = (document.geometries[0].soup.positions[7].x, back.geometries[0].soup.positions[7].x);
    assert_eq!(new, f64::from((old * 0.0254) as f32));
    assert_eq!(back.placements[1].pose.translation().x, 1e6 * 0.0254);
}

#[test]
fn formats_without_placements_get_posed_vertices() {
    let document = assembly();
    let placed = document.to_soup();
    let names: Vec<&str> = placed.parts.iter().map(|p| p.name.as_str()).collect();
    let expected =
        ["first", "second/left", "second/right side", "second again/left", "second again/right side"];
    assert_eq!(names, expected);
    let pose = document.placements[1].pose;
    assert_eq!(placed.positions[30], pose.apply(document.geometries[1].soup.positions[0]));

    let obj = again(&document, Format::Obj, Encoding::Text);
    assert_eq!(obj.geometries[0].soup, placed);
    let ply = again(&document, Format::Ply, Encoding::Binary);
    assert_eq!(bits(&ply.geometries[0].soup), bits(&placed));
    let stl = again(&document, Format::Stl, Encoding::Text);
    let names: Vec<&str> = stl.placements.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["first", "second", "second again"]);
}

#[test]
fn obj_parts_of_one_shape_keep_their_names() {
    let mut document = assembly();
    document.placements.remove(0);
    document.placements.truncate(1);
    document.placements[0].pose = Pose::IDENTITY;
    let back = again(&document, Format::Obj, Encoding::Text);
    assert_eq!(back.geometries[0].soup, document.geometries[1].soup);
}

#[test]
fn an_empty_document_is_written_and_read() {
    for format in Format::ALL.into_iter().filter(|format| format.is_writable()) {
        for encoding in [Encoding::Binary, Encoding::Text] {
            let back = again(&Document::default(), format, encoding);
            assert_eq!((back.geometries.len(), back.placements.len()), (0, 0), "{format}");
        }
    }
}

#[test]
fn names_cannot_break_a_text_file() {
    let soup = Random(4).soup(3, 1);
    for name in ["a\nf 9 9 9", "x\\", "# c", "endsolid\r\nsolid", " \t "] {
        let mut document = Document::from_soup(name, soup.clone());
        let mut named = soup.clone();
        named.parts.push(SoupPart { name: name.into(), triangles: 0..1 });
        document.place(name, named, Pose::IDENTITY);
        for format in [Format::Stl, Format::Obj] {
            assert_eq!(
                again(&document, format, Encoding::Text).placed_triangle_count(),
                2,
                "{name:?} {format}"
            );
        }
    }
}

#[test]
fn bad_documents_are_refused_before_anything_is_written() {
    let mut soup = Random(5).soup(3, 1);
    soup.triangles[0][1] = 3;
    let document = Document::from_soup("x", soup.clone());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.ply");
    assert!(matches!(
        write(&path, &document),
        Err(WriteError::BadIndex { triangle: 0, index: 3, count: 3, .. })
    ));
    assert!(!path.exists());

    let mut document = Document::default();
    document.placements.push(Placement { name: String::new(), geometry: 0, pose: Pose::IDENTITY });
    assert!(matches!(write(&path, &document), Err(WriteError::BadPlacement { .. })));

    soup.triangles[0][1] = 1;
    soup.positions[2].y = 1e39;
    let document = Document::from_soup("x", soup);
    for extension in ["stl", "glb"] {
        let error = write(folder.path().join(format!("x.{extension}")), &document).unwrap_err();
        assert!(matches!(error, WriteError::Coordinate { vertex: 2, value: 1e39, .. }), "{error}");
    }
    assert!(matches!(
        write(folder.path().join("x.step"), &document),
        Err(WriteError::UnknownExtension { .. })
    ));
    assert!(matches!(write(folder.path().join("no/x.ply"), &document), Err(WriteError::Io { .. })));
}

#[test]
fn files_go_through_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let document = assembly();
    let path = folder.path().join("thing.GLB");
    write(&path, &document).unwrap();
    assert_eq!(read(&path, &ReadOptions::default()).unwrap(), document);
}
