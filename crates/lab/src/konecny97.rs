//! The ways to bound a rotated body of [Konecny97 §2.3], side by side: how tight, and what it costs.

use crate::measure::{least_times, nanoseconds_each};
use crate::plot::{self, Series};
use crate::scenario::{direction, rotation};
use crate::table::Table;
use clearance::Pose;
use clearance::bound::{
    BlockRealignment, CompactHull, FixedDirectionHull, HullBlock, OrientedBox, Realignment,
};
use clearance::math::Random;
use clearance::oracle::fixed_direction::Region;
use clearance::pair::distance;
use clearance::shape::Polytope;
use clearance::shape::sample::{PolytopeKind, bumpy_sphere, random_ellipsoid_points};
use clearance::support::SupportMap;
use glam::{DQuat, DVec3};
use std::hint::black_box;

/// Bodies of a family.
const BODIES: usize = 10;

/// Pairs for each family and gap.
const PAIRS: usize = 100;

/// Gaps in units of the bodies' half-length.
const GAPS: [f64; 7] = [0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0];

/// All tables.
pub fn run() -> Vec<Table> {
    let families = families();
    let mut bounds = lower_bounds(&families);
    bounds.insert(0, volumes(&families));
    bounds.push(costs(&families[0].bodies));
    bounds
}

/// The kinds of bounds for the body that is rotated; the other one keeps its hull, in whose frame both are compared.
const KINDS: [&str; 11] = [
    "6 anew (box)",
    "14 anew",
    "18 anew",
    "26 anew",
    "6 realigned (box of the turned box)",
    "14 realigned",
    "18 realigned",
    "26 realigned",
    "14 realigned, 32-bit",
    "14 in both frames",
    "oriented box, 15 axes",
];

/// Those that the plot shows.
const SHOWN: [usize; 6] = [1, 4, 5, 7, 9, 10];

struct Family {
    name: &'static str,
    bodies: Vec<Body>,
}

/// Points and every bound of them in their own frame.
struct Body {
    points: Vec<DVec3>,
    map: SupportMap,
    hull_6: FixedDirectionHull<6>,
    hull_14: FixedDirectionHull<14>,
    hull_18: FixedDirectionHull<18>,
    hull_26: FixedDirectionHull<26>,
    compact: CompactHull,
    oriented: OrientedBox,
}

impl Body {
    fn new(points: &[DVec3]) -> Body {
        let map = SupportMap::new(Polytope::hull(points).expect("points in range"));
        let points = map.polytope().vertices().to_vec();
        let hull_14 = around(&points);
        Body {
            hull_6: around(&points),
            hull_18: around(&points),
            hull_26: around(&points),
            compact: CompactHull::from(&hull_14),
            hull_14,
            oriented: OrientedBox::around(&points).expect("finite points"),
            points,
            map,
        }
    }
}

fn around<const K: usize>(points: &[DVec3]) -> FixedDirectionHull<K> {
    FixedDirectionHull::around(points.iter().copied())
}

fn families() -> Vec<Family> {
    let mut random = Random::new(97);
    let kinds = [
        ("ellipsoid", PolytopeKind::Ellipsoid),
        ("rod", PolytopeKind::ThinRod),
        ("plate", PolytopeKind::Plate),
    ];
    let mut families: Vec<Family> = kinds
        .into_iter()
        .map(|(name, kind)| {
            let sample = |seed: usize| random_ellipsoid_points(kind, 30, seed as u64);
            Family { name, bodies: (0..BODIES).map(|i| turned(sample(i), &mut random)).collect() }
        })
        .collect();
    families.push(Family {
        name: "patch",
        bodies: patches(&mut random).into_iter().map(|p| turned(p, &mut random)).collect(),
    });
    families
}

/// In a frame of its own: no body is aligned with the fixed directions but by chance.
fn turned(points: Vec<DVec3>, random: &mut Random) -> Body {
    let turn = rotation(random);
    Body::new(&points.iter().map(|p| turn * *p).collect::<Vec<_>>())
}

/// What leaves of a tree hold: the 16 triangles nearest to one of a bumpy sphere, scaled to the size of the others.
fn patches(random: &mut Random) -> Vec<Vec<DVec3>> {
    let soup = bumpy_sphere(1.0, 0.3, 4, 20).expect("a sample");
    let middle = |t: &[u32; 3]| t.iter().map(|&v| soup.positions[v as usize]).sum::<DVec3>() / 3.0;
    (0..BODIES)
        .map(|_| {
            let start = middle(&soup.triangles[random.below(soup.triangles.len() as u64) as usize]);
            let mut order: Vec<&[u32; 3]> = soup.triangles.iter().collect();
            order.sort_by(|s, t| middle(s).distance(start).total_cmp(&middle(t).distance(start)));
            let corners = order[..16].iter().flat_map(|t| t.map(|v| soup.positions[v as usize] - start));
            let corners: Vec<DVec3> = corners.collect();
            let size = corners.iter().map(|p| p.length()).fold(0.0, f64::max);
            corners.iter().map(|p| *p / size).collect()
        })
        .collect()
}

/// The volume of every kind of bound over that of the convex hull, after a rotation: geometric mean over bodies.
fn volumes(families: &[Family]) -> Table {
    let names: Vec<&str> = families.iter().map(|f| f.name).collect();
    let mut table = Table::new(
        "Volume of the bound over that of the convex hull, after a random rotation (geometric mean)",
        &[&["bound"], &names[..]].concat(),
    );
    let logs: Vec<[f64; KINDS.len()]> = families.iter().map(mean_logs).collect();
    // Two hulls in two frames are no third one.
    for kind in (0..KINDS.len()).filter(|k| KINDS[*k] != "14 in both frames") {
        let cells = logs.iter().map(|l| format!("{:.2}", l[kind].exp()));
        table.row([KINDS[kind].to_string()].into_iter().chain(cells));
    }
    table
}

fn mean_logs(family: &Family) -> [f64; KINDS.len()] {
    let mut random = Random::new(5);
    let mut sums = [0.0; KINDS.len()];
    for body in &family.bodies {
        let pose = Pose::from_quaternion(rotation(&mut random), DVec3::ZERO).expect("a rotation");
        let posed = |p: &[DVec3]| p.iter().map(|&p| pose.apply(p)).collect::<Vec<_>>();
        let points = posed(&body.points);
        let compact = CompactHull::from(&Realignment::new(&pose).apply(&body.compact.hull())).hull();
        let volumes = [
            volume(&around::<6>(&points)),
            volume(&around::<14>(&points)),
            volume(&around::<18>(&points)),
            volume(&around::<26>(&points)),
            volume(&Realignment::new(&pose).apply(&body.hull_6)),
            volume(&Realignment::new(&pose).apply(&body.hull_14)),
            volume(&Realignment::new(&pose).apply(&body.hull_18)),
            volume(&Realignment::new(&pose).apply(&body.hull_26)),
            volume(&compact),
            1.0,
            8.0 * body.oriented.posed(&pose).half_extents().element_product(),
        ];
        let truth = body.map.polytope().volume();
        sums.iter_mut().zip(volumes).for_each(|(sum, v)| *sum += (v / truth).ln());
    }
    sums.map(|sum| sum / family.bodies.len() as f64)
}

fn volume<const K: usize>(hull: &FixedDirectionHull<K>) -> f64 {
    Polytope::hull(&Region::new(hull).rounded_corners()).map_or(0.0, |p| p.volume())
}

/// What every kind says of a distance over the true one, by family, and a plot of it against the gap.
fn lower_bounds(families: &[Family]) -> Vec<Table> {
    let mut tables = Vec::new();
    let mut by_gap = vec![[0.0; KINDS.len()]; GAPS.len()];
    let names: Vec<&str> = families.iter().map(|f| f.name).collect();
    for (title, gaps) in [("Near (gap 0.1 or less)", 0..3), ("Farther (gap 0.2 to 1)", 3..GAPS.len())] {
        let title = format!("{title}: lower bound over true distance, mean (share of pairs proved apart)");
        let mut table = Table::new(&title, &[&["bound"], &names[..]].concat());
        let mut cells = vec![Vec::new(); KINDS.len()];
        for family in families {
            let (mut ratios, mut apart) = ([0.0; KINDS.len()], [0.0; KINDS.len()]);
            for (gap, mean) in gaps.clone().zip(&mut by_gap[gaps.clone()]) {
                let (ratio, share) = at_gap(family, GAPS[gap]);
                for kind in 0..KINDS.len() {
                    ratios[kind] += ratio[kind] / gaps.len() as f64;
                    apart[kind] += share[kind] / gaps.len() as f64;
                    mean[kind] += ratio[kind] / families.len() as f64;
                }
            }
            for kind in 0..KINDS.len() {
                cells[kind].push(format!("{:.3} ({:.0} %)", ratios[kind], 100.0 * apart[kind]));
            }
        }
        for (kind, row) in KINDS.iter().zip(cells) {
            table.row([kind.to_string()].into_iter().chain(row));
        }
        tables.push(table);
    }
    tables[0].attach("konecny97-lower-bounds.svg", drawn(&by_gap));
    tables
}

fn drawn(by_gap: &[[f64; KINDS.len()]]) -> String {
    let series = |kind: usize| Series {
        name: KINDS[kind].to_string(),
        points: GAPS.iter().zip(by_gap).map(|(gap, means)| (100.0 * gap, means[kind])).collect(),
    };
    plot::lines(
        "Lower bound over true distance, all families",
        "gap, percent of the half-length of a body",
        "lower bound / distance",
        &SHOWN.map(series),
    )
}

/// Mean ratio and share of positive bounds over random pairs with that gap.
fn at_gap(family: &Family, gap: f64) -> ([f64; KINDS.len()], [f64; KINDS.len()]) {
    // The same pairs at every gap.
    let mut random = Random::new(11);
    let (mut ratios, mut apart) = ([0.0; KINDS.len()], [0.0; KINDS.len()]);
    for _ in 0..PAIRS {
        let [a, b] = [(); 2].map(|()| &family.bodies[random.below(BODIES as u64) as usize]);
        let turn = rotation(&mut random);
        let pose = apart_by(gap, a, b, turn, direction(&mut random));
        let truth = distance(&a.map, &Pose::IDENTITY, &b.map, &pose).upper;
        for (kind, bound) in bounds_of(a, b, &pose).into_iter().enumerate() {
            ratios[kind] += bound / truth / PAIRS as f64;
            apart[kind] += f64::from(u8::from(bound > 0.0)) / PAIRS as f64;
        }
    }
    (ratios, apart)
}

/// The pose of B at which the distance is the gap: along the closest points it shrinks by what B moves.
fn apart_by(gap: f64, a: &Body, b: &Body, turn: DQuat, along: DVec3) -> Pose {
    let pose = |place: DVec3| Pose::from_quaternion(turn, place).expect("a pose");
    let far = 3.0 * along;
    let start = distance(&a.map, &Pose::IDENTITY, &b.map, &pose(far));
    pose(far + (start.point_a - start.point_b) * (1.0 - gap / start.upper))
}

fn bounds_of(a: &Body, b: &Body, pose: &Pose) -> [f64; KINDS.len()] {
    let back = Realignment::relative(pose, &Pose::IDENTITY);
    let in_frame_of_a = a.hull_14.distance_lower_bound(&Realignment::new(pose).apply(&b.hull_14));
    let in_frame_of_b = b.hull_14.distance_lower_bound(&back.apply(&a.hull_14)) * back.length_ratio();
    let compact = CompactHull::from(&Realignment::new(pose).apply(&b.compact.hull()));
    [
        a.hull_6.distance_lower_bound(&posed(b, pose)),
        a.hull_14.distance_lower_bound(&posed(b, pose)),
        a.hull_18.distance_lower_bound(&posed(b, pose)),
        a.hull_26.distance_lower_bound(&posed(b, pose)),
        a.hull_6.distance_lower_bound(&Realignment::new(pose).apply(&b.hull_6)),
        in_frame_of_a,
        a.hull_18.distance_lower_bound(&Realignment::new(pose).apply(&b.hull_18)),
        a.hull_26.distance_lower_bound(&Realignment::new(pose).apply(&b.hull_26)),
        f64::from(a.compact.distance_lower_bound(&compact)),
        in_frame_of_a.max(in_frame_of_b),
        a.oriented.distance_lower_bound(&b.oriented.posed(pose)),
    ]
}

fn posed<const K: usize>(body: &Body, pose: &Pose) -> FixedDirectionHull<K> {
    FixedDirectionHull::around_posed(body.points.iter().copied(), pose)
}

/// Nodes that a cost is measured on; they fit into the second cache.
const NODES: usize = 512;

/// Nanoseconds to carry a node along a rotation, to ask whether two meet, and for their lower bound.
fn costs(bodies: &[Body]) -> Table {
    let columns =
        ["bound", "bytes", "per rotation", "carried along", "meets?", "lower bound", "carried + lower bound"];
    let vertices = bodies[0].points.len();
    let title = format!("Cost in ns per node; anew from {vertices} vertices (least of several passes)");
    let mut table = Table::new(&title, &columns);
    let mut random = Random::new(3);
    let pose = Pose::from_quaternion(rotation(&mut random), DVec3::new(1.4, 0.2, 0.1)).expect("a pose");
    let spread: Vec<DVec3> = (0..NODES).map(|_| 0.3 * direction(&mut random)).collect();
    hull_costs::<6>(&mut table, bodies, &pose, &spread);
    hull_costs::<14>(&mut table, bodies, &pose, &spread);
    hull_costs::<18>(&mut table, bodies, &pose, &spread);
    hull_costs::<26>(&mut table, bodies, &pose, &spread);
    compact_costs(&mut table, bodies, &pose, &spread);
    box_costs(&mut table, bodies, &pose, &spread);
    table
}

fn hull_costs<const K: usize>(table: &mut Table, bodies: &[Body], pose: &Pose, spread: &[DVec3]) {
    let own: Vec<FixedDirectionHull<K>> = spread
        .iter()
        .zip(bodies.iter().cycle())
        .map(|(at, b)| around::<K>(&b.points).translated(*at))
        .collect();
    let realignment = Realignment::<K>::new(pose);
    let moved: Vec<FixedDirectionHull<K>> = own.iter().map(|h| realignment.apply(h)).collect();
    let [anew] = ns([&mut || {
        for body in bodies.iter().cycle().take(NODES) {
            black_box(posed::<K>(body, pose));
        }
    }]);
    let [setup, carried, meets, lower] = ns([
        &mut || (0..NODES).for_each(|_| _ = black_box(Realignment::<K>::new(black_box(pose)))),
        &mut || own.iter().for_each(|h| _ = black_box(realignment.apply(h))),
        &mut || own.iter().zip(&moved).for_each(|(a, b)| _ = black_box(a.meets(b))),
        &mut || own.iter().zip(&moved).for_each(|(a, b)| _ = black_box(a.distance_lower_bound(b))),
    ]);
    let bytes = size_of::<FixedDirectionHull<K>>();
    cost_row(table, &format!("{K} anew"), bytes, None, [anew, meets, lower]);
    cost_row(table, &format!("{K} realigned"), bytes, Some(setup), [carried, meets, lower]);
}

fn compact_costs(table: &mut Table, bodies: &[Body], pose: &Pose, spread: &[DVec3]) {
    let own: Vec<CompactHull> = spread
        .iter()
        .zip(bodies.iter().cycle())
        .map(|(at, body)| CompactHull::from(&body.hull_14.translated(*at)))
        .collect();
    let realignment = Realignment::<14>::new(pose);
    let carry = |h: &CompactHull| CompactHull::from(&realignment.apply(&h.hull()));
    let moved: Vec<CompactHull> = own.iter().map(carry).collect();
    let [carried, meets, lower] = ns([
        &mut || own.iter().for_each(|h| _ = black_box(carry(h))),
        &mut || own.iter().zip(&moved).for_each(|(a, b)| _ = black_box(a.meets(b))),
        &mut || own.iter().zip(&moved).for_each(|(a, b)| _ = black_box(a.distance_lower_bound(b))),
    ]);
    cost_row(table, "14 realigned, 32-bit", size_of::<CompactHull>(), None, [carried, meets, lower]);
    block_costs(table, &own, &realignment);
}

/// Eight hulls at a time; each node of a block against one hull of the other body.
fn block_costs(table: &mut Table, own: &[CompactHull], realignment: &Realignment<14>) {
    let blocks: Vec<HullBlock> = own.chunks(8).map(HullBlock::new).collect();
    let in_blocks = BlockRealignment::from(realignment);
    let moved: Vec<HullBlock> = blocks.iter().map(|b| in_blocks.apply(b)).collect();
    let other = own[3];
    let [setup, carried, meets, lower] = ns([
        &mut || (0..NODES).for_each(|_| _ = black_box(BlockRealignment::from(black_box(realignment)))),
        &mut || blocks.iter().for_each(|b| _ = black_box(in_blocks.apply(b))),
        &mut || moved.iter().for_each(|b| _ = black_box(b.meets(black_box(&other)))),
        &mut || moved.iter().for_each(|b| _ = black_box(b.distance_lower_bounds(black_box(&other)))),
    ]);
    cost_row(
        table,
        "14 realigned, 32-bit, blocks of 8",
        size_of::<HullBlock>() / 8,
        Some(setup),
        [carried, meets, lower],
    );
}

fn box_costs(table: &mut Table, bodies: &[Body], pose: &Pose, spread: &[DVec3]) {
    let place = |at: &DVec3| Pose::from_translation(*at).expect("a place");
    let own: Vec<OrientedBox> =
        spread.iter().zip(bodies.iter().cycle()).map(|(at, body)| body.oriented.posed(&place(at))).collect();
    let moved: Vec<OrientedBox> = own.iter().map(|h| h.posed(pose)).collect();
    let [carried, meets, lower] = ns([
        &mut || own.iter().for_each(|h| _ = black_box(h.posed(pose))),
        &mut || own.iter().zip(&moved).for_each(|(a, b)| _ = black_box(a.meets(b))),
        &mut || own.iter().zip(&moved).for_each(|(a, b)| _ = black_box(a.distance_lower_bound(b))),
    ]);
    cost_row(table, "oriented box, 15 axes", size_of::<OrientedBox>(), None, [carried, meets, lower]);
}

fn cost_row(
    table: &mut Table,
    name: &str,
    bytes: usize,
    setup: Option<f64>,
    [carried, meets, lower]: [f64; 3],
) {
    let setup = setup.map_or(String::from("-"), |ns| format!("{ns:.0}"));
    let times = [carried, meets, lower, carried + lower].map(|ns| format!("{ns:.1}"));
    table.row([name.to_string(), bytes.to_string(), setup].into_iter().chain(times));
}

/// Nanoseconds for one node each.
fn ns<const N: usize>(candidates: [&mut dyn FnMut(); N]) -> [f64; N] {
    least_times(400, candidates).map(|time| nanoseconds_each(time, NODES))
}
