//! Moving planar bodies by brute force: every time at which a vertex of one is on the line of an edge of the other, exactly.

use crate::exact::{Polynomial, Root, RootFinder, Sign};
use crate::kinetic::{
    Body, BodyId, Contact, Event, HierarchyKind, Method, Motion, Plan, Plane, Simulation, Subscription,
};
use crate::math::{Interval, Random};
use crate::pair::Relation;
use crate::planar::{Placement, Point, Polygon, Rational, exact, relation_of};
use dashu::integer::IBig;
use glam::DVec2;
use std::ops::ControlFlow;

/// A polynomial with rational coefficients, the lowest first.
#[derive(Clone)]
struct Poly(Vec<Rational>);

impl Poly {
    fn of(coefficients: &[f64]) -> Poly {
        Poly(coefficients.iter().map(|&c| exact(c)).collect())
    }

    fn number(x: i32) -> Poly {
        Poly(vec![Rational::from(x)])
    }

    fn plus(&self, other: &Poly) -> Poly {
        let zero = Rational::ZERO;
        let at = |p: &Poly, i: usize| p.0.get(i).unwrap_or(&zero).clone();
        Poly((0..self.0.len().max(other.0.len())).map(|i| at(self, i) + at(other, i)).collect())
    }

    fn times(&self, other: &Poly) -> Poly {
        let mut product = vec![Rational::ZERO; (self.0.len() + other.0.len()).saturating_sub(1)];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in other.0.iter().enumerate() {
                product[i + j] += a * b;
            }
        }
        Poly(product)
    }

    fn minus(&self, other: &Poly) -> Poly {
        self.plus(&other.times(&Poly::number(-1)))
    }

    fn at(&self, t: &Rational) -> Rational {
        self.0.iter().rev().fold(Rational::ZERO, |sum, c| sum * t + c)
    }

    /// With integer coefficients, of `x` from 0 to 1 for the times from `start` to `end`.
    fn between(&self, start: f64, end: f64) -> Polynomial {
        let map = Poly(vec![exact(start), exact(end) - exact(start)]);
        let composed =
            self.0.iter().rev().fold(Poly(Vec::new()), |sum, c| sum.times(&map).plus(&Poly(vec![c.clone()])));
        let common =
            composed.0.iter().fold(IBig::ONE, |product, c| product * IBig::from(c.denominator().clone()));
        let integers =
            composed.0.iter().map(|c| c.numerator() * &common / IBig::from(c.denominator().clone()));
        Polynomial::new(integers.collect::<Vec<_>>())
    }
}

/// A moving point in homogeneous coordinates, the last one positive.
type Moving = [Poly; 3];

/// A point of a body in rational motion; time counts from zero.
fn moving(motion: &Motion, point: DVec2) -> Moving {
    let start = [Poly::of(&[point.x]), Poly::of(&[point.y]), Poly::number(1)];
    motion.steps.iter().fold(start, |[x, y, w], step| {
        let h = Poly::of(&step.half_angle);
        let (square, double) = (h.times(&h), h.times(&Poly::number(2)));
        let (cos, scale) = (Poly::number(1).minus(&square), Poly::number(1).plus(&square));
        let turned =
            [cos.times(&x).minus(&double.times(&y)), double.times(&x).plus(&cos.times(&y)), scale.times(&w)];
        let [tx, ty] = [0, 1].map(|i| Poly::of(&step.translation[i]));
        let [x, y, w] = turned;
        [x.plus(&tx.times(&w)), y.plus(&ty.times(&w)), w]
    })
}

/// Positive multiples of `(q - p) . (r - p)` and of the determinant; `p` and `q` belong to one body.
fn dot_and_cross(p: &Moving, q: &Moving, r: &Moving) -> [Poly; 2] {
    let along = [0, 1].map(|i| trimmed(q[i].minus(&p[i])));
    let [rx, ry] = [0, 1].map(|i| trimmed(r[i].times(&p[2]).minus(&p[i].times(&r[2]))));
    [along[0].times(&rx).plus(&along[1].times(&ry)), along[0].times(&ry).minus(&along[1].times(&rx))]
}

fn trimmed(mut p: Poly) -> Poly {
    while p.0.last().is_some_and(Rational::is_zero) {
        p.0.pop();
    }
    p
}

/// A time at which a vertex is on the line of an edge.
struct Candidate {
    time: Interval,
    /// Whether it is on the edge itself.
    meets: bool,
}

/// All of them between two times, for one order of the bodies.
fn candidates(
    edges_of: &(&Polygon, &Motion),
    vertices_of: &(&Polygon, &Motion),
    [start, end]: [f64; 2],
    all: &mut Vec<Candidate>,
) {
    let points = |(polygon, motion): &(&Polygon, &Motion)| -> Vec<Moving> {
        polygon.vertices().iter().map(|&v| moving(motion, v)).collect()
    };
    let (corners, vertices) = (points(edges_of), points(vertices_of));
    for (i, p) in corners.iter().enumerate() {
        let q = &corners[(i + 1) % corners.len()];
        for r in &vertices {
            let [before, cross] = dot_and_cross(p, q, r).map(|poly| poly.between(start, end));
            let [behind, _] = dot_and_cross(q, p, r).map(|poly| poly.between(start, end));
            if cross.is_zero() {
                // On the line for ever: where it comes to an end of the edge.
                for poly in [&before, &behind] {
                    push_roots(poly, &[&before, &behind], [start, end], all);
                }
            } else {
                push_roots(&cross, &[&before, &behind], [start, end], all);
            }
        }
    }
}

fn push_roots(
    poly: &Polynomial,
    conditions: &[&Polynomial],
    [start, end]: [f64; 2],
    all: &mut Vec<Candidate>,
) {
    if poly.is_zero() {
        return;
    }
    let _ = RootFinder::new(poly.clone()).visit(|root: &Root<'_>| {
        let width = Interval::point(end) - Interval::point(start);
        let time = Interval::point(start) + width * Interval::new(root.bracket.0, root.bracket.1);
        let meets = conditions.iter().all(|q| root.sign_of(q) != Sign::Negative);
        all.push(Candidate { time, meets });
        ControlFlow::<()>::Continue(())
    });
}

/// The exact placement by a rational motion at a time.
fn placement(motion: &Motion, t: &Rational) -> Placement {
    let at = |p: DVec2| {
        let [x, y, w] = moving(motion, p).map(|poly| poly.at(t));
        Point::new(x / &w, y / w)
    };
    let (origin, unit) = (at(DVec2::ZERO), at(DVec2::X));
    let turn = unit.minus(&origin);
    Placement::new(turn.x().clone(), turn.y().clone(), origin).unwrap_or_else(Placement::identity)
}

/// The exact relation of two bodies in rational motion at a time since zero.
pub fn relation_at(a: (&Polygon, &Motion), b: (&Polygon, &Motion), t: &Rational) -> Relation {
    relation_of(a.0, &placement(a.1, t), b.0, &placement(b.1, t))
}

/// When two bodies in rational motion begin to meet, from `start` to `end`: brackets of a few floats. A meeting that goes on at
/// `start` begins there.
pub fn collisions(a: (&Polygon, &Motion), b: (&Polygon, &Motion), start: f64, end: f64) -> Vec<Interval> {
    let mut all = Vec::new();
    candidates(&a, &b, [start, end], &mut all);
    candidates(&b, &a, [start, end], &mut all);
    all.sort_by(|x, y| x.time.lower().total_cmp(&y.time.lower()));
    // Candidates whose brackets meet are one.
    let mut groups: Vec<Candidate> = Vec::new();
    for candidate in all {
        match groups.last_mut() {
            Some(last) if last.time.intersection(candidate.time).is_some() => {
                last.time = last.time.hull(candidate.time);
                last.meets |= candidate.meets;
            }
            _ => groups.push(candidate),
        }
    }
    let meets_at = |t: &Rational| relation_at(a, b, t) != Relation::Disjoint;
    let mut found = Vec::new();
    let mut before = start;
    let mut met = meets_at(&exact(start));
    if met {
        found.push(Interval::point(start));
    }
    for Candidate { time, meets } in groups {
        if time.lower() > before {
            met = meets_at(&((exact(before) + exact(time.lower())) / Rational::from(2)));
        }
        let began_at_start = found.last() == Some(&Interval::point(start)) && time.contains(start);
        if !met && meets && !began_at_start {
            found.push(time);
        }
        met = meets;
        before = time.upper();
    }
    found
}

/// Every way to certify pairs.
pub fn planes() -> impl Iterator<Item = Plane> {
    let with = |hierarchy| move |&method: &Method| Plane { method, hierarchy };
    let with_a_choice = [Method::ActiveTriangle, Method::ActiveCell, Method::Lazy];
    let dudley = Method::ALL.iter().filter(move |method| with_a_choice.contains(method));
    let dudley = dudley.map(with(HierarchyKind::Dudley));
    Method::ALL.iter().map(with(HierarchyKind::Compass)).chain(dudley)
}

fn polygon(random: &mut Random) -> Polygon {
    let count = [1, 2, 3, 4, 4, 6, 14][random.below(7) as usize];
    if count == 14 {
        // On a circle, rounded: no hull of random points has so many vertices.
        let size = random.range(0.5, 3.0);
        let at = |i: i32| DVec2::from_angle(f64::from(i) * std::f64::consts::TAU / 14.0) * size;
        return Polygon::hull(&(0..14).map(at).collect::<Vec<_>>()).expect("finite points");
    }
    let is_coarse = random.below(2) == 0;
    let mut number = || match is_coarse {
        true => random.below(7) as f64 - 3.0,
        false => random.range(-3.0, 3.0),
    };
    let points: Vec<DVec2> = (0..count).map(|_| DVec2::new(number(), number())).collect();
    Polygon::hull(&points).expect("finite points")
}

fn motion(random: &mut Random) -> Motion {
    let kind = random.below(6);
    let is_coarse = random.below(2) == 0;
    let mut number = |size: f64| match is_coarse {
        true => (random.range(-size, size) * 2.0).round() / 2.0,
        false => random.range(-size, size),
    };
    let translation = match kind {
        0 => Motion::still(),
        1 => Motion::translation(&[number(6.0)], &[number(6.0)]).expect("finite"),
        2 | 4 => Motion::linear(DVec2::new(number(8.0), number(8.0)), DVec2::new(number(2.0), number(2.0)))
            .expect("finite"),
        _ => {
            let [x, y] = [0, 1].map(|_| [number(8.0), number(4.0), number(1.0)]);
            Motion::translation(&x, &y).expect("finite")
        }
    };
    match kind {
        4 | 5 => translation.turning(&[number(1.0), number(1.0)]).expect("finite"),
        _ => translation,
    }
}

/// Two bodies in rational motion: all methods find the collisions that all roots say, and at random times in between
/// proofs hold and the relation is the exact one.
pub fn compare(random: &mut Random) -> Result<(), String> {
    let end = 8.0;
    let [(p, f), (q, g)] = [0, 1].map(|_| (polygon(random), motion(random)));
    let expected = collisions((&p, &f), (&q, &g), 0.0, end);
    let case = || format!("{:?} moving {f:?}\n{:?} moving {g:?}", p.vertices(), q.vertices());
    for plane in planes() {
        let method = (plane.method, plane.hierarchy);
        let body = |polygon: &Polygon, motion: &Motion| {
            Body::new(polygon.clone(), Plan::from_motion(0.0, motion.clone()).expect("a plan"))
        };
        let mut simulation = Simulation::in_space(plane, 0.0);
        simulation.subscribe(Subscription::Contacts);
        let ids = [simulation.add(body(&p, &f)), simulation.add(body(&q, &g))];
        let mut found = Vec::new();
        let mut now = 0.0;
        while now < end {
            let next = random.range(now, now + 3.0).min(end).max(now + 1e-3);
            for event in simulation.run_until(next.min(end)) {
                if let Event::Collision { time, .. } = event {
                    found.push(Interval::new(time.lower, time.upper));
                }
            }
            now = next;
            if now < end {
                let t = exact(now);
                let truth = relation_at((&p, &f), (&q, &g), &t) != Relation::Disjoint;
                check_now(&simulation, ids, truth)
                    .map_err(|error| format!("{method:?} at {now}: {error}\n{}", case()))?;
            }
        }
        let agree = found.len() == expected.len()
            && found.iter().zip(&expected).all(|(found, truth)| near(*found, *truth));
        if !agree {
            return Err(format!("{method:?}: {found:?} for {expected:?}\n{}", case()));
        }
        let events: u64 = simulation.statistics().events.iter().sum();
        if events > 600 {
            return Err(format!("{method:?}: {events} events\n{}", case()));
        }
    }
    Ok(())
}

/// Whether a bracket of the simulation and one of the oracle, each of a few floats, hold the same time.
fn near(found: Interval, truth: Interval) -> bool {
    let slack = 16.0 * f64::EPSILON * (1.0 + truth.magnitude());
    found.lower() <= truth.upper() + slack && truth.lower() - slack <= found.upper() && found.width() <= slack
}

/// Whether the simulation's answer about a pair is the true one, and its proof holds.
fn check_now(simulation: &Simulation, [a, b]: [BodyId; 2], truth: bool) -> Result<(), String> {
    let meets = simulation.meet(a, b).ok_or("no pair")?;
    if meets != truth {
        return Err(format!("meets: {meets}, truly {truth}"));
    }
    match simulation.proof_holds(a, b) {
        Some(true) => Ok(()),
        _ => Err("the proof does not hold".into()),
    }
}

/// A motion of any kind.
fn any_motion(random: &mut Random) -> Motion {
    let rational = motion(random);
    let mut number = |size: f64| random.range(-size, size);
    let spin = [number(3.0), number(3.0)];
    match random.below(4) {
        0 => rational,
        1 => rational.spinning(spin[0], spin[1]).expect("finite"),
        2 => Motion::spin(spin[0], spin[1]).expect("finite").carried_by(&rational).expect("few steps"),
        _ => {
            let orbit = Motion::spin(0.0, spin[1]).expect("finite");
            let moon = Motion::linear(DVec2::new(2.0, 0.0), DVec2::ZERO).expect("finite");
            moon.spinning(0.0, 2.0).expect("finite").carried_by(&orbit).expect("few steps")
        }
    }
}

fn any_plan(random: &mut Random, start: f64) -> Plan {
    let pieces = 1 + random.below(3);
    let pieces =
        (0..pieces).map(|i| (start + i as f64 * random.range(0.5, 2.0).max(0.5), any_motion(random)));
    let mut pieces: Vec<_> = pieces.collect();
    pieces.sort_by(|a, b| a.0.total_cmp(&b.0));
    pieces.dedup_by(|a, b| a.0 == b.0);
    Plan::from_pieces(pieces).expect("ascending")
}

/// The largest rounded gap of a line along an edge of one of two vertex sets; negative where they overlap. For sets that lie apart along
/// no edge, as points do, their distance.
fn rounded_gap(a: &[DVec2], b: &[DVec2]) -> f64 {
    let one = |p: &[DVec2], q: &[DVec2]| {
        let mut best = f64::NEG_INFINITY;
        for i in 0..p.len() {
            let along = p[(i + 1) % p.len()] - p[i];
            let directions = [-along.perp(), along, -along, DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y];
            for n in directions.into_iter().filter_map(DVec2::try_normalize) {
                let top = p.iter().map(|v| n.dot(*v)).fold(f64::NEG_INFINITY, f64::max);
                let low = q.iter().map(|v| n.dot(*v)).fold(f64::INFINITY, f64::min);
                best = best.max(low - top);
            }
        }
        best
    };
    one(a, b).max(one(b, a))
}

/// Three bodies whose plans change at random times, in every kind of motion: at random times every proof holds exactly, and says what
/// floats say where these are sure; between two of them a pair that came to meet was told so once for each time it came to.
pub fn compare_plans(random: &mut Random) -> Result<(), String> {
    let polygons = [0; 3].map(|_| polygon(random));
    let mut plans = [0; 3].map(|_| any_plan(random, 0.0));
    let times: Vec<f64> = (0..24)
        .scan(0.0, |t, _| {
            *t += random.range(0.0, 0.5);
            Some(*t)
        })
        .collect();
    let changes: Vec<Option<(usize, Plan)>> = times
        .iter()
        .map(|&t| (random.below(4) == 0).then(|| (random.below(3) as usize, any_plan(random, t - 1.0))))
        .collect();
    let first_plans = plans.clone();
    for plane in planes() {
        plans = first_plans.clone();
        let mut simulation = Simulation::in_space(plane, 0.0);
        simulation.subscribe(Subscription::Contacts);
        let ids = [0, 1, 2].map(|i| simulation.add(Body::new(polygons[i].clone(), plans[i].clone())));
        let mut met = [[false; 3]; 3];
        for (t, change) in times.iter().zip(&changes) {
            let events = simulation.run_until(*t);
            follow(&events, ids, &mut met)
                .map_err(|error| format!("{plane:?} until {t}: {error}\n{polygons:?}\n{plans:?}"))?;
            check_all(&simulation, &polygons, &plans, ids, *t, &met)
                .map_err(|error| format!("{plane:?} at {t}: {error}\n{polygons:?}\n{plans:?}"))?;
            if let Some((which, plan)) = change {
                plans[*which] = plan.clone();
                simulation.set_plan(ids[*which], plan.clone()).map_err(|error| error.to_string())?;
            }
        }
        let total: u64 = simulation.statistics().events.iter().sum();
        if total > 6_000 {
            return Err(format!("{plane:?}: {total} events\n{polygons:?}\n{first_plans:?}"));
        }
    }
    Ok(())
}

/// Collisions and separations of a pair come in turns; a collision that was over within its bracket has no separation.
fn follow(events: &[Event<Contact>], ids: [BodyId; 3], met: &mut [[bool; 3]; 3]) -> Result<(), String> {
    for event in events {
        let [i, j] = event.bodies().map(|id| ids.iter().position(|&other| other == id).unwrap_or(0));
        match event {
            Event::Collision { .. } => met[i][j] = true,
            Event::Separation { .. } if !met[i][j] => {
                return Err(format!("separation without collision: {event:?}"));
            }
            Event::Separation { .. } => met[i][j] = false,
            Event::Certificate { .. } => return Err("told what was not asked for".into()),
        }
    }
    Ok(())
}

fn check_all(
    simulation: &Simulation,
    polygons: &[Polygon; 3],
    plans: &[Plan; 3],
    ids: [BodyId; 3],
    t: f64,
    met: &[[bool; 3]; 3],
) -> Result<(), String> {
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        let places = [i, j].map(|k| -> Vec<DVec2> {
            polygons[k].vertices().iter().map(|&v| plans[k].position_near(v, t)).collect()
        });
        let gap = rounded_gap(&places[0], &places[1]);
        let meets = simulation.meet(ids[i], ids[j]).ok_or("no pair")?;
        let size = places.iter().flatten().fold(1.0, |size: f64, v| size.max(v.length()));
        if gap.abs() > 1e-9 * size && meets != (gap < 0.0) {
            return Err(format!("pair {i} {j} meets: {meets}, gap {gap}"));
        }
        if meets && !met[i][j] {
            return Err(format!("pair {i} {j} meets and was not told"));
        }
        if simulation.proof_holds(ids[i], ids[j]) != Some(true) {
            return Err(format!("the proof of pair {i} {j} does not hold, meets: {meets}, gap {gap}"));
        }
    }
    Ok(())
}
