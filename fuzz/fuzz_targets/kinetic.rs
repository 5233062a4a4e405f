//! A simulation under any plans: at every time every proof holds, and a pair that meets was told so.
#![no_main]

use clearance::glam::DVec2;
use clearance::kinetic::{
    Body, BodyId, Event, HierarchyKind, Method, Motion, Plan, Plane, Simulation, Subscription,
};
use clearance_fuzz::numbers::Numbers;
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeSet;

/// More make more pairs, and nothing new.
const MOST: usize = 4;

/// A storm of events would be longer: there are few bodies, few operations and slow turns.
const MOST_EVENTS: u64 = 100_000;

fuzz_target!(|data: &[u8]| {
    let mut numbers = Numbers::new(data);
    let method = Method::ALL[numbers.byte() as usize % Method::ALL.len()];
    let hierarchy = if numbers.byte() % 2 == 0 { HierarchyKind::Compass } else { HierarchyKind::Dudley };
    let mut simulation = Simulation::in_space(Plane { method, hierarchy }, 0.0);
    simulation.subscribe(Subscription::Contacts);
    let mut ids: Vec<BodyId> = Vec::new();
    let mut met = BTreeSet::new();
    for _ in 0..24 {
        if numbers.is_empty() {
            break;
        }
        let (operation, which) = (numbers.byte() % 6, numbers.byte() as usize);
        let some = (!ids.is_empty()).then(|| which % ids.len());
        match (operation, some) {
            (0 | 1, _) if ids.len() < MOST => {
                let points: Vec<DVec2> = (0..1 + which % 7).map(|_| point(&mut numbers)).collect();
                let Some(plan) = plan(&mut numbers, simulation.now()) else { continue };
                let Ok(body) = Body::hull_of(&points, plan) else { continue };
                ids.push(simulation.add(body));
            }
            (2, Some(at)) => {
                let id = ids.remove(at);
                assert!(simulation.remove(id).is_ok() && simulation.remove(id).is_err());
                met.retain(|&(a, b)| a != id && b != id);
            }
            (3, Some(at)) => {
                let Some(plan) = plan(&mut numbers, simulation.now()) else { continue };
                simulation.set_plan(ids[at], plan).expect("a body that is there");
            }
            _ => {}
        }
        let until = simulation.now() + f64::from(numbers.byte()) / 64.0;
        for event in simulation.run_until(until) {
            let [a, b] = event.bodies();
            match event {
                Event::Collision { .. } => drop(met.insert((a, b))),
                Event::Separation { .. } => assert!(met.remove(&(a, b)), "separation without collision"),
                Event::Certificate { .. } => panic!("not subscribed"),
            }
        }
        check(&simulation, &ids, &met);
        assert!(simulation.statistics().events.iter().sum::<u64>() < MOST_EVENTS);
    }
});

fn check(simulation: &Simulation, ids: &[BodyId], met: &BTreeSet<(BodyId, BodyId)>) {
    for (i, &a) in ids.iter().enumerate() {
        for &b in &ids[i + 1..] {
            assert_eq!(simulation.proof_holds(a, b), Some(true));
            if simulation.meet(a, b) == Some(true) {
                assert!(met.contains(&(a.min(b), a.max(b))), "meets and was not told");
            }
        }
    }
}

fn point(numbers: &mut Numbers<'_>) -> DVec2 {
    DVec2::new(numbers.number(), numbers.number())
}

/// One or two pieces of any kind; turns are slow, since fast ones take as many events as they have turns.
fn plan(numbers: &mut Numbers<'_>, now: f64) -> Option<Plan> {
    let pieces = 1 + numbers.byte() % 2;
    let pieces = (0..pieces).map(|i| {
        let kind = numbers.byte();
        let mut polynomial = || -> Vec<f64> { (0..1 + kind % 3).map(|_| numbers.number()).collect() };
        let (x, y) = (polynomial(), polynomial());
        let motion = Motion::translation(&x, &y).ok()?;
        let small = |byte: u8| (f64::from(byte) - 128.0) / 64.0;
        let motion = match kind / 3 % 4 {
            0 | 1 => motion,
            2 => motion.turning(&[small(numbers.byte()), small(numbers.byte())]).ok()?,
            _ => motion.spinning(small(numbers.byte()), small(numbers.byte())).ok()?,
        };
        Some((now + f64::from(i) / 2.0, motion))
    });
    Plan::from_pieces(pieces.collect::<Option<Vec<_>>>()?).ok()
}
