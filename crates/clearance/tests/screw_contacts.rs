//! All contacts of meshes on a screw: the same as those of every single pair of features, and the same for any number of threads.

use clearance::Pose;
use clearance::body::Body;
use clearance::glam::DVec3;
use clearance::math::{Random, Screw};
use clearance::oracle::compare::assert_agreement;
use clearance::pair::Feature;
use clearance::screw::{
    ContactKind, ContactTime, ContactsConfig, EdgeProperness, Kept, Moving, ScrewContact, ScrewStats,
    Surface, contacts, contacts_with, edge_edge_times, vertex_face_times,
};
use clearance::shape::{Mesh, MeshConfig, Shape, TriangleSoup, sample};

fn mesh(soup: &TriangleSoup) -> Mesh {
    Mesh::build(soup, &MeshConfig::default()).expect("a mesh")
}

fn surface(mesh: &Mesh) -> Surface {
    Surface::new(&Body::try_from(&Shape::from(mesh.clone())).expect("a mesh")).expect("triangles")
}

fn vector(random: &mut Random) -> DVec3 {
    DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0))
}

/// Contacts of every vertex with every triangle and every edge with every edge, one by one, that are proved; B moves.
fn one_by_one(
    a: &Mesh,
    b: &Mesh,
    pose_b: &Pose,
    screw: &Screw,
) -> Vec<(ContactKind, Feature, Feature, ContactTime)> {
    let moved: Vec<DVec3> = b.positions().iter().map(|&p| pose_b.apply(p)).collect();
    let mut found = Vec::new();
    let mut add = |kind, x, y, times: Vec<ContactTime>| {
        found.extend(times.into_iter().filter(|time| time.is_proved).map(|time| (kind, x, y, time)));
    };
    for (v, &p) in moved.iter().enumerate() {
        for &t in a.triangles() {
            let face = t.map(|k| a.positions()[k as usize]);
            let times = vertex_face_times(p, face, screw, Moving::First).expect("in range");
            add(ContactKind::FaceVertex, Feature::Face(t), Feature::Vertex(v as u32), times);
        }
    }
    for (v, &p) in a.positions().iter().enumerate() {
        for &t in b.triangles() {
            let face = t.map(|k| moved[k as usize]);
            let times = vertex_face_times(p, face, screw, Moving::Second).expect("in range");
            add(ContactKind::VertexFace, Feature::Vertex(v as u32), Feature::Face(t), times);
        }
    }
    for e in (0..a.edge_count()).map(|e| a.edge(e)) {
        for f in (0..b.edge_count()).map(|f| b.edge(f)) {
            let (rests, moves) = (e.map(|k| a.positions()[k as usize]), f.map(|k| moved[k as usize]));
            let times = edge_edge_times(rests, moves, screw, Moving::Second).expect("in range");
            add(ContactKind::EdgeEdge, Feature::Edge(e), Feature::Edge(f), times);
        }
    }
    found
}

/// Small and large turns, axes through the bodies and far away, at scales from `2^-20` to `2^20`.
#[test]
fn contacts_are_those_of_every_single_pair_of_features() {
    let (mut random, mut count) = (Random::new(8), 0);
    for case in 0..14 {
        let scale = [1.0, 2f64.powi(-20), 2f64.powi(20)][case % 3];
        let soup = |radius: f64| {
            let mut soup = sample::torus(2.0, radius, 6, 4).expect("a torus");
            soup.positions.iter_mut().for_each(|p| *p *= scale);
            mesh(&soup)
        };
        let (a, b) = (soup(0.6), soup(0.7));
        let angle: f64 = [0.0, 1e-9, 1e-3, 0.3, 1.0, -2.5, 8.0][case % 7];
        let far =
            if angle.abs() > 0.0 && angle.abs() < 0.1 { 3.0 / angle.abs() } else { [0.0, 2.0][case / 7 % 2] };
        // From some way off toward the other.
        let from = vector(&mut random).normalize();
        let pose_b = Pose::from_axis_angle(vector(&mut random), 1.0, from * 4.5 * scale).unwrap();
        let (axis, center) =
            (0.2 * vector(&mut random) - from, (vector(&mut random) * far + 0.3 * from) * scale);
        let screw = Screw::new(axis, center, angle, 3.0 * scale).unwrap();
        let config = ContactsConfig { kept: Kept::All, ..ContactsConfig::default() };
        let told =
            contacts(&surface(&a), &Pose::IDENTITY, &surface(&b), &pose_b, &screw, Moving::Second, &config);
        let truth = one_by_one(&a, &b, &pose_b, &screw);
        let is_same =
            |contact: &ScrewContact, (kind, x, y, time): &(ContactKind, Feature, Feature, ContactTime)| {
                (contact.kind, contact.feature_a, contact.feature_b) == (*kind, *x, *y)
                    && contact.lower <= time.until + 1e-9
                    && time.lower <= contact.until + 1e-9
            };
        for one in &truth {
            assert!(told.iter().any(|contact| is_same(contact, one)), "case {case}: {one:?} is not told");
        }
        let proved = || told.iter().filter(|contact| contact.is_proved);
        for contact in proved() {
            assert!(truth.iter().any(|one| is_same(contact, one)), "case {case}: {contact:?} is invented");
        }
        assert!(proved().all(|contact| contact.upper - contact.lower <= 1e-9));
        count += truth.len();
    }
    assert!(count > 100, "{count}");
}

/// Solids with smooth and sharp edges, hollows and thin parts, a surface with a border, and polytopes.
fn bodies() -> Vec<Surface> {
    let mut open = sample::torus(2.0, 0.6, 12, 8).expect("a torus");
    open.triangles.truncate(130);
    let solids = [
        sample::torus(2.0, 0.6, 16, 10).expect("a torus"),
        open,
        sample::car().to_soup(),
        sample::cube(2.0).to_soup(),
        sample::icosphere(1.5, 4).expect("a ball"),
        sample::bumpy_sphere(1.5, 0.3, 4, 5).expect("a ball"),
    ];
    let hulls = [(8, 1), (40, 2)].map(|(count, seed)| {
        let hull = sample::random_polytope(sample::PolytopeKind::Plate, count, seed).expect("a polytope");
        Surface::new(&Body::try_from(&Shape::from(hull)).expect("a polytope")).expect("triangles")
    });
    solids.iter().map(|soup| surface(&mesh(soup))).chain(hulls).collect()
}

/// What is not told is left out because it leaves or is not proper: nothing else is.
#[test]
fn contacts_that_enter_are_those_of_all_that_do() {
    let (mut random, mut count) = (Random::new(9), 0);
    let bodies = bodies();
    let pick = |random: &mut Random| random.below(bodies.len() as u64) as usize;
    for case in 0..200 {
        let (a, b) = if case < 40 { (0, 0) } else { (pick(&mut random), pick(&mut random)) };
        let (a, b) = (&bodies[a], &bodies[b]);
        let from = vector(&mut random).normalize();
        let pose_b = Pose::from_axis_angle(vector(&mut random), 1.0, from * 4.5).unwrap();
        let angle = [0.0, 0.2, 1.0, -3.0][case % 4];
        let axis = 0.2 * vector(&mut random) - from;
        let screw = Screw::new(axis, 0.3 * vector(&mut random), angle, 3.5).unwrap();
        let min_properness = [-0.1, -0.5, 0.0, 0.2, -0.02][case / 4 % 5];
        let edges = [EdgeProperness::Seven, EdgeProperness::Six][case / 20 % 2];
        let ask = |kept: Kept| {
            let config = ContactsConfig { kept, min_properness, edges };
            contacts(a, &Pose::IDENTITY, b, &pose_b, &screw, Moving::Second, &config)
        };
        let (entering, mut all) = (ask(Kept::Entering), ask(Kept::All));
        all.retain(|contact| contact.is_entering && contact.properness >= min_properness);
        assert_eq!(entering, all, "case {case}");
        count += entering.len();
    }
    assert!(count > 2_000, "{count}");
}

/// Trees differ then, and windows of time in which features are looked at, but not what is found, to the last bit; also where
/// vertices meet edges between faces of one plane.
#[test]
fn the_order_of_triangles_does_not_matter() {
    let mut random = Random::new(10);
    let mut shuffled = |soup: &TriangleSoup| {
        let mut soup = soup.clone();
        let triangles = &mut soup.triangles;
        (1..triangles.len()).rev().for_each(|k| triangles.swap(k, random.below(k as u64 + 1) as usize));
        surface(&mesh(&soup))
    };
    let height = |soup: &TriangleSoup| soup.positions.iter().map(|p| p.z).fold(0.0, f64::max);
    let above = |soup: &TriangleSoup| DVec3::new(0.15, 0.1, 2.0 * height(soup) + 0.25);
    let tilted = |soup: &TriangleSoup| Pose::from_axis_angle(DVec3::X, 0.05, above(soup)).unwrap();
    let sinking = |soup: &TriangleSoup, angle: f64| {
        Screw::new(DVec3::new(0.02, 0.01, -1.0), DVec3::ZERO, angle, height(soup) + 0.25).unwrap()
    };
    let torus = sample::torus(2.0, 0.6, 24, 15).expect("a torus");
    let rectangles = sample::rectangle_torus().to_soup();
    // A corner above the diagonal of a square.
    let square = sample::cube(2.0).to_soup();
    let on_corner = Pose::from_axis_angle(DVec3::new(1.0, -1.0, 0.0), 0.7, DVec3::Z * 3.5).unwrap();
    let down = Screw::new(-DVec3::Z, DVec3::ZERO, 0.0, 2.0).unwrap();
    for (soup, pose_b, screw, least) in [
        (&torus, tilted(&torus), sinking(&torus, 0.3), 20),
        (&torus, tilted(&torus), sinking(&torus, 0.0), 20),
        (&rectangles, tilted(&rectangles), sinking(&rectangles, 0.3), 20),
        (&rectangles, tilted(&rectangles), sinking(&rectangles, 0.0), 20),
        (&square, on_corner, down, 1),
    ] {
        for kept in [Kept::Entering, Kept::All] {
            let mut ask = || {
                let (a, b) = (shuffled(soup), shuffled(soup));
                let config = ContactsConfig { kept, ..ContactsConfig::default() };
                contacts(&a, &Pose::IDENTITY, &b, &pose_b, &screw, Moving::Second, &config)
            };
            let found = ask();
            assert!(found.len() >= least, "{}", found.len());
            assert!(ask() == found && ask() == found, "{} contacts", found.len());
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let torus = surface(&mesh(&sample::torus(2.0, 0.6, 48, 30).expect("a torus")));
    let pose_b = Pose::from_axis_angle(DVec3::X, 0.05, DVec3::new(0.15, 0.1, 1.5)).unwrap();
    let screw = Screw::new(DVec3::new(0.02, 0.01, -1.0), DVec3::ZERO, 0.3, 0.8).unwrap();
    let ask = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (mut stats, config) = (ScrewStats::default(), ContactsConfig::default());
        let (a, pose_a) = (&torus, &Pose::IDENTITY);
        let search =
            || contacts_with(a, pose_a, &torus, &pose_b, &screw, Moving::Second, &config, &mut stats);
        (pool.install(search), stats)
    };
    let alone = ask(1);
    assert!(alone.0.len() > 100, "{}", alone.0.len());
    // Floats decide nearly everything.
    assert!(alone.1.features > 300 && alone.1.open * 20 < alone.1.features, "{:?}", alone.1);
    assert_eq!(ask(2), alone);
    assert_eq!(ask(5), alone);
}

/// Grazing cases in which a zero beside the window that was looked at was once taken for a contact.
#[test]
fn a_zero_beside_a_window_is_no_contact() {
    for (name, seed, case) in
        [("bodies on screws first meet", 82, 35_228), ("contacts on screws are those", 7, 14_199)]
    {
        assert_agreement(name, seed, case..case + 1);
    }
}
