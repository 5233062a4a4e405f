use clearance::{Pose, glam::*, shape::*};
use clearance_io::picture::*;
fn torus(n: u32, m: u32, big: f64, small: f64) -> TriangleSoup {
    let mut s = TriangleSoup::default();
    for i in 0..n {
        for j in 0..m {
            let (a, b) =
                (std::f64::consts::TAU * i as f64 / n as f64, std::f64::consts::TAU * j as f64 / m as f64);
            let r = big + small * b.cos();
            s.positions.push(DVec3::new(r * a.cos(), r * a.sin(), small * b.sin()));
            let id = |i: u32, j: u32| (i % n) * m + j % m;
            s.triangles.push([id(i, j), id(i + 1, j), id(i + 1, j + 1)]);
            s.triangles.push([id(i, j), id(i + 1, j + 1), id(i, j + 1)]);
        }
    }
    s
}
fn cube() -> TriangleSoup {
    let mut s = TriangleSoup::default();
    for k in 0..8u32 {
        s.positions.push(DVec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2 & 1) as f64));
    }
    for [a, b, c, d] in
        [[0u32, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
    {
        s.triangles.push([a, b, c]);
        s.triangles.push([a, c, d]);
    }
    s
}
fn main() {
    let t = std::time::Instant::now();
    let d = Drawing {
        title: "A look".into(),
        bodies: vec![
            Body::new("torus", torus(120, 60, 2.0, 0.7)).noted("14400 triangles"),
            Body::new("ring", torus(80, 40, 1.6, 0.25))
                .at(Pose::from_axis_angle(DVec3::X, 1.57, DVec3::new(2.0, 0., 0.)).unwrap())
                .coloured(Colour::of_index(1)),
            Body::new("cube", cube())
                .at(Pose::from_translation(DVec3::new(-4.0, -3.0, -0.5)).unwrap())
                .coloured(Colour::of_index(2)),
            Body {
                opacity: 0.4,
                ..Body::new("ghost", cube())
                    .at(Pose::from_translation(DVec3::new(2.0, -4.0, -0.5)).unwrap())
                    .coloured(Colour::of_index(3))
            },
        ],
        lines: vec![Line {
            points: vec![DVec3::new(-3., -2., 0.5), DVec3::new(2.0, -3.5, 0.)],
            colour: Colour::of_index(3),
        }],
        markers: vec![Marker { point: DVec3::new(-3., -2., 0.5), colour: Colour::of_index(3) }],
        labels: vec![Label { point: DVec3::new(-3., -2., 0.5), text: "1.25 mm".into() }],
        ..Drawing::default()
    };
    let s = d.to_svg();
    eprintln!("{} bytes {:?}", s.len(), t.elapsed());
    std::fs::write("/tmp/look.svg", s).unwrap();
}
