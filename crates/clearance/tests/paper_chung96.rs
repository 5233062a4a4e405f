//! The claims of Chung96 as tests, as corrected in its errata: Lemmas 1 to 8, the examples of its figures, and its
//! step counts. Lemma 9 is tested beside the hierarchy it is about.

use clearance::Pose;
use clearance::exact::Vector;
use clearance::glam::{DQuat, DVec3};
use clearance::math::Random;
use clearance::oracle::environment::{Environment, EnvironmentConfig, StepCounts};
use clearance::pair::{
    Bisector, Hemisphere, SeparatingVectorConfig, SeparatingVectorOutcome, StepRule, distance,
    separating_vector,
};
use clearance::shape::sample::{PolytopeKind, random_direction, random_polytope};
use clearance::support::SupportMap;

/// A search of the paper written out: directions of length one and the differences `m` of the supporting vertices.
struct Trace {
    directions: Vec<DVec3>,
    differences: Vec<DVec3>,
}

struct Pair {
    a: SupportMap,
    b: SupportMap,
    pose_a: Pose,
    pose_b: Pose,
}

impl Pair {
    fn difference(&self, direction: DVec3) -> DVec3 {
        let along_a = self.pose_a.rotation().transpose() * direction;
        let along_b = self.pose_b.rotation().transpose() * -direction;
        let p = self.a.vertex(self.a.climb(along_a, self.a.start(along_a)).vertex);
        let q = self.b.vertex(self.b.climb(along_b, self.b.start(along_b)).vertex);
        self.pose_b.apply(q) - self.pose_a.apply(p)
    }

    /// Steps until a direction separates or there were thirty.
    fn trace(&self, rule: StepRule, start: DVec3) -> Trace {
        let mut trace = Trace { directions: vec![start.normalize()], differences: Vec::new() };
        while trace.differences.len() < 30 {
            let direction = *trace.directions.last().unwrap();
            let difference = self.difference(direction);
            trace.differences.push(difference);
            if direction.dot(difference) >= 0.0 {
                break;
            }
            match rule.next(direction, &trace.differences) {
                Some(next) => trace.directions.push(next.normalize()),
                None => break,
            }
        }
        trace
    }

    /// A strictly separating direction of length one: along the closest points.
    fn separating(&self) -> DVec3 {
        let found = distance(&self.a, &self.pose_a, &self.b, &self.pose_b);
        assert!(found.lower > 0.0);
        (found.point_b - found.point_a).normalize()
    }
}

/// Pairs a little apart, with a start that makes several steps likely.
fn pairs(count: usize) -> Vec<(Pair, DVec3)> {
    let mut random = Random::new(11);
    let kinds = [PolytopeKind::Ellipsoid, PolytopeKind::Plate, PolytopeKind::ThickRod];
    let mut found = Vec::new();
    while found.len() < count {
        let kind = kinds[random.below(3) as usize];
        let body = |seed| SupportMap::new(random_polytope(kind, 40, seed).unwrap());
        let (a, b) = (body(random.bits() % 20), body(random.bits() % 20));
        let turn =
            |random: &mut Random| DQuat::from_axis_angle(random_direction(random), random.range(0.0, 3.0));
        let offset = random_direction(&mut random) * random.range(0.6, 1.8);
        let pose_a = Pose::from_quaternion(turn(&mut random), DVec3::ZERO).unwrap();
        let pose_b = Pose::from_quaternion(turn(&mut random), offset).unwrap();
        let pair = Pair { a, b, pose_a, pose_b };
        if distance(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b).lower > 1e-3 {
            found.push((pair, random_direction(&mut random)));
        }
    }
    found
}

/// Lemma 1: a direction with a positive gap proves that the bodies are disjoint.
#[test]
fn lemma_1_a_positive_gap_separates() {
    for (pair, _) in pairs(100) {
        let config = SeparatingVectorConfig::default();
        let found = separating_vector(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, &config, None);
        let SeparatingVectorOutcome::Separated(witness) = found.outcome else { panic!("they are apart") };
        let posed = clearance::witness::PosedPair {
            a: pair.a.polytope(),
            pose_a: &pair.pose_a,
            b: pair.b.polytope(),
            pose_b: &pair.pose_b,
        };
        assert!(witness.check(&posed).is_ok_and(|gap| gap.is_positive()));
    }
}

/// Lemma 2: a greedy step comes closer to every separating direction.
#[test]
fn lemma_2_greedy_steps_approach_every_separating_direction() {
    for (pair, start) in pairs(300) {
        let w = pair.separating();
        for rule in [StepRule::Greedy, StepRule::Mirrored] {
            let trace = pair.trace(rule, start);
            assert!(trace.directions.windows(2).all(|s| s[1].dot(w) > s[0].dot(w)), "{rule:?}");
        }
    }
}

/// Lemma 3: the same vertices twice in a row after a greedy step mean that the second direction separates.
#[test]
fn lemma_3_a_pair_that_stays_is_separated() {
    let mut stayed = 0;
    for (pair, start) in pairs(300) {
        let trace = pair.trace(StepRule::Greedy, start);
        for (i, m) in trace.differences.windows(2).enumerate() {
            if m[0] == m[1] {
                stayed += 1;
                assert!(trace.directions[i + 1].dot(m[1]) > 0.0);
            }
        }
    }
    assert!(stayed > 10, "the case occurs: {stayed}");
}

/// Lemma 4: while greedy steps fail, successive differences are farther from each other than the second from zero.
#[test]
fn lemma_4_greedy_steps_go_far() {
    for (pair, start) in pairs(300) {
        let trace = pair.trace(StepRule::Greedy, start);
        for (i, m) in trace.differences.windows(2).enumerate() {
            if trace.directions[i + 1].dot(m[1]) < 0.0 {
                assert!((m[1] - m[0]).length() > m[1].length());
            }
        }
    }
}

/// Lemmas 5 and 7: conservative and blended steps approach every separating direction that the start does not oppose.
#[test]
fn lemmas_5_and_7_blended_steps_approach_every_separating_direction() {
    let [quarter, half, most] = [0.25, 0.5, 0.75].map(StepRule::Blend);
    let rules = [StepRule::Conservative, quarter, half, most, StepRule::Adaptive];
    for (pair, start) in pairs(300) {
        let w = pair.separating();
        let start = if start.dot(w) > 0.0 { start } else { -start };
        for rule in rules {
            let trace = pair.trace(rule, start);
            // Steps that no longer turn the direction by more than rounding cannot be compared.
            let steps = trace.directions.windows(2).filter(|s| s[0].distance(s[1]) > 1e-7);
            for s in steps {
                assert!(s[1].dot(w) > s[0].dot(w), "{rule:?}");
            }
        }
    }
}

/// (3.9): the greedy and the conservative direction, both of length one, are mixed.
#[test]
fn blends_mix_directions_of_length_one() {
    let (direction, difference) = (DVec3::X, DVec3::new(-3.0, 4.0, 0.0));
    let next = |rule: StepRule| rule.next(direction, &[difference]).unwrap().normalize();
    let (greedy, conservative) = (DVec3::new(0.28, 0.96, 0.0), DVec3::new(0.8, 0.6, 0.0));
    // Adaptive: `r . S` is -0.6.
    for (rule, alpha) in [
        (StepRule::Greedy, 1.0),
        (StepRule::Conservative, 0.0),
        (StepRule::Blend(0.25), 0.25),
        (StepRule::Adaptive, 0.64),
    ] {
        let expected = (alpha * greedy + (1.0 - alpha) * conservative).normalize();
        assert!(next(rule).distance(expected) < 1e-15, "{rule:?}");
    }
}

/// Lemma 6: with conservative steps the next difference projects on the last one no farther than its length.
#[test]
fn lemma_6_conservative_steps_do_not_overshoot() {
    for (pair, start) in pairs(300) {
        let trace = pair.trace(StepRule::Conservative, start);
        for (i, m) in trace.differences.windows(2).enumerate() {
            if trace.directions[i + 1].dot(m[1]) < 0.0 {
                assert!(m[0].length_squared() * (1.0 + 1e-12) >= m[0].dot(m[1]));
            }
        }
    }
}

/// Lemma 8: the hemisphere's normal is not negative on any difference so far, so a recurrence would separate.
#[test]
fn lemma_8_the_normal_holds_all_differences() {
    for (pair, start) in pairs(300) {
        let trace = pair.trace(StepRule::Greedy, start);
        let mut hemisphere = Bisector::default();
        for (i, m) in trace.differences.iter().enumerate() {
            let w = hemisphere.add(Vector::Literal(*m)).expect("bodies apart leave a half-space");
            assert!(trace.differences[..=i].iter().all(|m| w.dot(m.normalize()) >= -1e-14));
        }
    }
}

/// What Lemma 8 says of the hemisphere's normal is true of every mirrored direction, so that each step finds a new difference.
#[test]
fn mirrored_directions_hold_all_differences() {
    let mut mirrored_further = 0;
    for (pair, start) in pairs(300) {
        let trace = pair.trace(StepRule::Mirrored, start);
        for (i, direction) in trace.directions.iter().enumerate().skip(1) {
            let seen = &trace.differences[..i];
            assert!(seen.iter().all(|m| direction.dot(*m) >= 0.0));
            let greedy = StepRule::Greedy.next(trace.directions[i - 1], seen).unwrap();
            mirrored_further += usize::from(seen.iter().any(|m| greedy.dot(*m) < 0.0));
        }
        let mut differences = trace.differences.clone();
        // The last one may have been seen before: its direction separates.
        differences.pop();
        let new = |i: usize| !differences[..i].contains(&differences[i]);
        assert!((0..differences.len()).all(new));
    }
    assert!(mirrored_further > 20, "greedy steps go back: {mirrored_further}");
}

/// §3.2 and Figure 3.2: spheres and discs are separated after one greedy step from any direction.
#[test]
fn spheres_separate_after_one_step() {
    let mut random = Random::new(5);
    for _ in 0..2_000 {
        let (radius_a, radius_b) = (random.range(0.1, 2.0), random.range(0.1, 2.0));
        let centre_b = random_direction(&mut random) * (radius_a + radius_b) * random.range(1.001, 3.0);
        let difference = |s: DVec3| centre_b - s * radius_b - s * radius_a;
        let start = random_direction(&mut random);
        if start.dot(difference(start)) < 0.0 {
            let next = StepRule::Greedy.next(start, &[difference(start)]).unwrap();
            assert!(next.dot(difference(next.normalize())) > 0.0);
        }
    }
}

/// Figures 3.6 and 3.7: for a long thin strip and a point, conservative steps need two, greedy ones more.
#[test]
fn strip_and_point_favour_conservative_steps() {
    let hull = |points: &[DVec3]| SupportMap::new(clearance::shape::Polytope::hull(points).unwrap());
    let corners = [(-10.0, -0.5), (10.0, -0.5), (10.0, 0.5), (-10.0, 0.5)];
    let strip = hull(&corners.map(|(x, y)| DVec3::new(x, y, 0.0)));
    let point = hull(&[DVec3::ZERO]);
    let pose_b = Pose::from_translation(DVec3::new(6.0, 1.0, 0.0)).unwrap();
    let pair = Pair { a: strip, b: point, pose_a: Pose::IDENTITY, pose_b };
    let start = DVec3::new(6.0, 1.0, 0.0);
    let steps = |rule| pair.trace(rule, start).differences.len() - 1;
    assert_eq!(steps(StepRule::Conservative), 2);
    assert!(steps(StepRule::Greedy) > 2, "{}", steps(StepRule::Greedy));
}

/// Searches of 500 bodies at 5 % of the radius and 10 degrees a frame, as in §6.2.1, in several rooms: a reversed body goes
/// back the way it came, so that frames of one room say less and less.
fn counts(kind: PolytopeKind, vertices: u32, rooms: u64, config: &SeparatingVectorConfig) -> StepCounts {
    let mut counts = StepCounts::default();
    for seed in 0..rooms {
        let room =
            EnvironmentConfig { kind, vertices, bodies: 500, density: 0.3, speed: 0.05, degrees: 10.0, seed };
        let mut environment = Environment::new(&room).unwrap();
        counts += environment.count_steps(80, config);
    }
    counts
}

/// The paper's search, and ours.
fn searches() -> [SeparatingVectorConfig; 2] {
    [SeparatingVectorConfig::CHUNG, SeparatingVectorConfig::default()]
}

fn print(kind: PolytopeKind, vertices: u32, step: StepRule, counts: &StepCounts) {
    let [one, three, four] = [1, 3, 4].map(|k| 100.0 * StepCounts::share_within(&counts.apart, k));
    let all = 100.0 * StepCounts::share_within(&counts.all(), 3);
    println!(
        "{kind:?}, n = {vertices}, {step:?}: {} apart, within 1 {one:.2} %, 3 {three:.2} %, 4 {four:.2} %; all within 3 {all:.2} %; \
         recurrences {:.3} %; most {}",
        counts.apart.iter().sum::<usize>(),
        100.0 * counts.recurrence_share(),
        counts.most()
    );
}

/// §6.2.1, 500 vertices. The paper gives neither density, which matters little, nor start: the share of *all* tests depends on
/// bodies being placed free of each other (about half when they may start overlapped).
#[test]
fn most_pairs_apart_are_settled_within_three_steps() {
    for kind in PolytopeKind::ALL {
        for config in searches() {
            let counts = counts(kind, 500, 4, &config);
            print(kind, 500, config.step, &counts);
            let apart = |k| StepCounts::share_within(&counts.apart, k);
            // Erratum 9: with the paper's steps thin rods are at the limit of what the text claims for "all three shapes".
            let is_at_limit = kind == PolytopeKind::ThinRod && config == SeparatingVectorConfig::CHUNG;
            let least = if is_at_limit { 0.94 } else { 0.95 };
            assert!(apart(3) > least && StepCounts::share_within(&counts.all(), 3) > 0.80, "{kind:?}");
            if kind == PolytopeKind::Ellipsoid {
                assert!(apart(4) > 0.99);
            }
        }
    }
}

/// §6.2.1: vertices come back in fewer than 0.1 % of the searches for pairs apart: in none of these with mirrored steps.
#[test]
fn recurrences_are_rare() {
    for kind in PolytopeKind::ALL {
        for vertices in [20, 100, 500, 1000] {
            let config = SeparatingVectorConfig::default();
            let counts = counts(kind, vertices, 2, &config);
            print(kind, vertices, config.step, &counts);
            assert!(counts.apart.iter().sum::<usize>() > 10_000);
            assert!(counts.recurrence_share() < 0.001);
        }
    }
}

/// With the steps that the paper has, their number of vertices decides (docs/papers.md), which the text does not give: facets are
/// flatter by as much as there are more of them, and so are the gaps in which it happens.
#[test]
fn recurrences_of_greedy_steps_fall_with_the_number_of_vertices() {
    for (vertices, rooms) in [(20, 4), (100, 4), (500, 6), (1000, 4)] {
        let [ellipsoids, plates] = [PolytopeKind::Ellipsoid, PolytopeKind::Plate].map(|kind| {
            let config = SeparatingVectorConfig::CHUNG;
            let counts = counts(kind, vertices, rooms, &config);
            print(kind, vertices, config.step, &counts);
            assert!(counts.apart.iter().sum::<usize>() > 50_000);
            counts.recurrence_share()
        });
        let n = f64::from(vertices);
        assert!(ellipsoids < 0.75 / n && plates < 1.6 / n, "{vertices}: {ellipsoids} {plates}");
        assert!(vertices < 1000 || ellipsoids < 0.001);
    }
}

/// Figure 6.5: the largest number of steps stays small as polytopes grow.
#[test]
fn the_largest_number_of_steps_is_small() {
    for config in searches() {
        for vertices in [10, 100, 1000] {
            let most = |kind| counts(kind, vertices, 1, &config).most();
            let (ellipsoids, plates) = (most(PolytopeKind::Ellipsoid), most(PolytopeKind::Plate));
            let rods = (most(PolytopeKind::ThickRod), most(PolytopeKind::ThinRod));
            println!(
                "n = {vertices}, {:?}: ellipsoids {ellipsoids}, plates {plates}, thick and thin rods {rods:?}",
                config.step
            );
            assert!(ellipsoids <= 30 && plates <= 60);
        }
    }
}
