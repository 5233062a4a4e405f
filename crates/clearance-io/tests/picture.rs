//! Pictures: well-formed, deterministic, small, and calm about odd input.

use clearance::{
    Aabb, Pose,
    glam::DVec3,
    shape::{TriangleSoup, sample},
};
use clearance_io::{
    Format, LengthUnit, ReadOptions,
    picture::{Body, Camera, Colour, Drawing, Label, Legend, Line, Marker},
    read_bytes,
};
use quick_xml::{Reader, events::Event};

/// Reads the whole text as XML; the names of its elements.
fn elements(svg: &str) -> Vec<String> {
    let mut reader = Reader::from_str(svg);
    let mut found = Vec::new();
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{error} in {svg}")) {
            Event::Eof => return found,
            Event::Start(tag) | Event::Empty(tag) => {
                tag.attributes().for_each(|attribute| drop(attribute.unwrap()));
                found.push(tag.name().as_ref().to_owned());
            }
            _ => {}
        }
    }
}

fn of_soup(soup: TriangleSoup) -> Drawing {
    Drawing { bodies: vec![Body::new("body", soup)], ..Drawing::default() }
}

fn triangle(corners: [DVec3; 3]) -> TriangleSoup {
    TriangleSoup { positions: corners.to_vec(), triangles: vec![[0, 1, 2]], parts: vec![] }
}

#[test]
fn a_cube_shows_three_faces_and_nine_edges() {
    let svg = of_soup(sample::cube(1.0).to_soup()).to_svg();
    let faces = svg.lines().filter(|line| line.starts_with("<path class=\"s\"")).count();
    assert_eq!(faces, 3, "{svg}");
    let edges = svg.lines().find(|line| line.starts_with("<path class=\"e\"")).unwrap();
    assert_eq!(edges.matches('M').count(), 9, "{edges}");
}

#[test]
fn the_same_drawing_gives_the_same_bytes() {
    let drawing = of_soup(sample::bumpy_sphere(1.0, 0.2, 5, 20).unwrap());
    assert_eq!(drawing.to_svg(), drawing.to_svg());
    assert_eq!(drawing.to_glb().unwrap(), drawing.to_glb().unwrap());
}

#[test]
fn dense_meshes_stay_small() {
    for (name, soup, limit) in [
        ("bumpy sphere of 20480 triangles", sample::bumpy_sphere(1.0, 0.2, 9, 32).unwrap(), 800_000),
        ("torus of 80000 triangles", sample::torus(2.0, 1.0, 200, 200).unwrap(), 800_000),
        ("bumpy sphere of 320000 triangles", sample::bumpy_sphere(1.0, 0.2, 9, 126).unwrap(), 4_000_000),
    ] {
        let svg = of_soup(soup).to_svg();
        assert!(svg.len() < limit, "{name}: {} bytes", svg.len());
    }
}

#[test]
fn hostile_texts_stay_text() {
    let nasty = "</text><script>alert(1)</script> & \"q\" \u{1} \u{ffff} é";
    let mut drawing = of_soup(sample::cube(1.0).to_soup());
    drawing.title = nasty.into();
    drawing.bodies[0].name = nasty.into();
    drawing.bodies[0].note = nasty.into();
    drawing.labels.push(Label { point: DVec3::ZERO, text: nasty.into() });
    let svg = drawing.to_svg();
    assert!(!elements(&svg).contains(&"script".to_owned()));
    assert!(!svg.contains('\u{1}') && !svg.contains('\u{ffff}'));
}

#[test]
fn odd_input_is_drawn_or_left_out_but_never_panics() {
    let (tiny, huge) = (2f64.powi(-500), 2f64.powi(300));
    let mut broken = triangle([DVec3::ZERO, DVec3::X, DVec3::Y]);
    broken.triangles.push([0, 1, 9]);
    let soups = [
        TriangleSoup::default(),
        broken,
        triangle([DVec3::ZERO; 3]),
        triangle([DVec3::NAN, DVec3::X, DVec3::Y]),
        triangle([DVec3::INFINITY, DVec3::X, DVec3::Y]),
        triangle([DVec3::X * huge, DVec3::Y * huge, DVec3::NEG_Z * huge]),
        triangle([DVec3::X * tiny, DVec3::Y * tiny, DVec3::Z * tiny]),
        triangle([DVec3::X, DVec3::Y, DVec3::Z * huge]),
        triangle([DVec3::new(1e6, 0.0, 0.0), DVec3::new(1e6, 1e-9, 0.0), DVec3::new(1e6, 0.0, 1e-9)]),
    ];
    for (i, soup) in soups.into_iter().enumerate() {
        let svg = of_soup(soup).to_svg();
        assert_eq!(elements(&svg)[0], "svg", "soup {i}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "soup {i}: {svg}");
    }
    assert_eq!(elements(&Drawing::default().to_svg())[0], "svg");
}

#[test]
fn lines_markers_and_labels_are_drawn_over_bodies() {
    let drawing = Drawing {
        title: "title".into(),
        bodies: vec![
            Body::new("cube", sample::cube(1.0).to_soup()).coloured(Colour::of_index(2)).noted("note"),
        ],
        lines: vec![
            Line { points: vec![DVec3::ZERO, DVec3::X], colour: Colour::new(1, 2, 3) },
            Line { points: vec![], colour: Colour::new(1, 2, 3) },
            Line { points: vec![DVec3::NAN, DVec3::X], colour: Colour::new(1, 2, 3) },
        ],
        markers: vec![Marker { point: DVec3::X, colour: Colour::new(9, 9, 9) }],
        labels: vec![Label { point: DVec3::Y, text: "here".into() }],
        camera: Camera::looking(DVec3::NEG_Z, DVec3::Y),
        ..Drawing::default()
    };
    let svg = drawing.to_svg();
    let names = elements(&svg);
    assert_eq!(names.iter().filter(|name| *name == "circle").count(), 1);
    let at = |needle: &str| svg.find(needle).unwrap_or_else(|| panic!("no {needle} in {svg}"));
    assert!(at("class=\"s\"") < at("color=\"#010203\"") && at("color=\"#010203\"") < at("<circle"));
    assert!(at("<circle") < at(">here<") && at(">cube<") > at(">here<"));
    let hidden = Drawing { legend: Legend::Hidden, ..drawing }.to_svg();
    assert!(!hidden.contains(">cube<"));
}

#[test]
fn what_is_behind_an_opaque_body_is_not_written() {
    let wall = sample::prism(4, 10.0, 1.0).unwrap();
    let behind = Pose::from_translation(DVec3::new(0.0, 0.0, -5.0)).unwrap();
    let hidden = Body::new("hidden", sample::cube(1.0).to_soup()).at(behind).coloured(Colour::of_index(1));
    let mut drawing = of_soup(wall);
    drawing.camera = Camera::looking(DVec3::NEG_Z, DVec3::Y);
    drawing.legend = Legend::Hidden;
    let alone = drawing.to_svg();
    drawing.bodies.push(hidden);
    assert_eq!(drawing.to_svg(), alone);
    // Seen through a translucent wall it is there.
    drawing.bodies[0].opacity = 0.5;
    assert!(drawing.to_svg().contains("class=\"s\""));
}

#[test]
fn a_long_legend_is_cut() {
    let bodies = (0..100).map(|i| Body::new(format!("body {i}"), sample::cube(1.0).to_soup()));
    let svg = Drawing { bodies: bodies.collect(), ..Drawing::default() }.to_svg();
    assert!(svg.contains(">body 23<") && !svg.contains(">body 24<") && svg.contains("and 76 more"), "{svg}");
}

#[test]
fn the_glb_holds_the_same_bodies_in_metres() {
    let pose = Pose::from_translation(DVec3::new(1000.0, 0.0, 0.0)).unwrap();
    let mut drawing = of_soup(sample::cube(1000.0).to_soup());
    drawing.bodies.push(Body::new("gear", sample::gear(&sample::GearConfig::default()).unwrap()).at(pose));
    drawing.markers.push(Marker { point: DVec3::X, colour: Colour::of_index(3) });
    drawing.lines.push(Line { points: vec![DVec3::ZERO, DVec3::X], colour: Colour::of_index(3) });
    drawing.unit = Some(LengthUnit::Millimetre);
    let glb = drawing.to_glb().unwrap();
    let document = read_bytes(&glb, Format::Glb, "drawing.glb", &ReadOptions::default()).unwrap();
    assert_eq!(document.unit, Some(LengthUnit::Metre));
    let names: Vec<&str> = document.placements.iter().map(|placement| placement.name.as_str()).collect();
    assert_eq!(names, ["body", "gear", "marker 1"]);
    let triangles = 12 + drawing.bodies[1].soup.triangles.len() + 8;
    assert_eq!(document.placed_triangle_count(), triangles);
    let corner = document.to_soup().positions[0];
    assert!((corner.abs() - DVec3::splat(0.5)).length() < 1e-6, "{corner}");
}

/// Far from the origin, or of a size that `f32` does not know, everything keeps its place in the picture.
#[test]
fn a_glb_is_drawn_about_its_middle_where_floats_would_spoil_it() {
    let cube = || sample::cube(1.0).to_soup();
    for (centre, size, is_moved) in [
        (DVec3::ZERO, 1.0, false),
        (DVec3::new(3.0, 0.0, 0.0), 1.0, false),
        (DVec3::new(1e8, 1e8, 0.0), 1.0, true),
        (DVec3::ZERO, 1e-140, true),
        (DVec3::new(1e-131, 0.0, 0.0), 1e-140, true),
        (DVec3::new(0.0, 0.0, 2f64.powi(299)), 2f64.powi(270), true),
    ] {
        let scaled = |soup: TriangleSoup, at: DVec3| TriangleSoup {
            positions: soup.positions.iter().map(|&p| at + size * p).collect(),
            ..soup
        };
        let mut drawing = of_soup(scaled(cube(), centre));
        let pose = Pose::from_translation(centre + 3.0 * size * DVec3::X).unwrap();
        drawing.bodies.push(Body::new("placed", scaled(cube(), DVec3::ZERO)).at(pose));
        let middle = centre + 1.5 * size * DVec3::X;
        drawing.markers.push(Marker { point: middle, colour: Colour::of_index(3) });
        drawing
            .lines
            .push(Line { points: vec![middle, middle + size * DVec3::Y], colour: Colour::of_index(3) });
        let glb = drawing.to_glb().unwrap();
        let document = read_bytes(&glb, Format::Glb, "drawing.glb", &ReadOptions::default()).unwrap();
        let seen: Vec<Aabb> = (0..3)
            .map(|i| {
                let placement = &document.placements[i];
                let soup = &document.geometries[placement.geometry].soup;
                Aabb::around(soup.positions.iter().map(|&p| placement.pose.apply(p))).unwrap()
            })
            .collect();
        let unit = seen[0].extent().x;
        assert!((1e-6..1e6).contains(&unit) && (unit == 1.0 || is_moved), "{size:e} is drawn as {unit:e}");
        // The bodies are three edges apart, and the marker is half way between them.
        for (i, edges) in [(1, 3.0), (2, 1.5)] {
            let apart = (seen[i].center() - seen[0].center()) / unit;
            assert!((apart - edges * DVec3::X).length() < 1e-5, "{centre} {size:e}: {apart}");
        }
        let text = String::from_utf8_lossy(&glb).into_owned();
        assert_eq!(text.contains("drawn about ("), is_moved, "{centre} {size:e}");
        assert_eq!(text.contains("\"extras\":{\"origin\":"), is_moved, "{centre} {size:e}");
    }
}
