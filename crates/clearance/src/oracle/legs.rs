//! Bodies that move at different times, as boxes with sides along the axes: three intervals each, in rational numbers.

use super::compare::same;
use super::first_contact::{Truth, rational, told};
use crate::body::Body;
use crate::math::{Pose, Random};
use crate::mesh::TreeMesh;
use crate::pair::{Convex, Relation};
use crate::shape::Polytope;
use crate::spacetime::{ExactTime, FirstOverlap, Leg, LegContact, TravellingBody, first_contacts_on_legs};
use dashu::rational::RBig;
use glam::DVec3;

/// A box from the origin of its frame on, where it is before it moves, and how it moves.
struct Block {
    size: DVec3,
    body: Body,
    pose: Pose,
    leg: Option<Leg>,
}

fn eighths(random: &mut Random, most: u64) -> f64 {
    (random.below(2 * most + 1) as f64 - most as f64) / 8.0
}

impl Block {
    fn draw(random: &mut Random) -> Block {
        let mut vector =
            |least: f64, most: u64| DVec3::from_array([(); 3].map(|()| least + eighths(random, most)));
        let (size, place) = (vector(1.0, 6), vector(0.0, 24));
        let corner =
            |i: usize| DVec3::from_array([0, 1, 2].map(|k| if i >> k & 1 == 0 { 0.0 } else { size[k] }));
        let hull = Polytope::hull(&(0..8).map(corner).collect::<Vec<_>>()).expect("a box");
        let speed = vector(0.0, 16);
        // From one whole number to another: places at such times are floats.
        let t0 = random.below(6) as f64 - 2.0;
        let t1 = t0 + 1.0 + random.below(4) as f64;
        let leg = (random.below(5) > 0).then(|| Leg { t0, t1, displacement: speed * (t1 - t0) });
        let body = match random.below(4) {
            0 => Body::Mesh(Box::new(TreeMesh::from_polytope(&hull).expect("a box"))),
            _ => Body::Convex(Convex::from_polytope(hull)),
        };
        Block { size, body, pose: Pose::from_translation(place).expect("a place"), leg }
    }

    /// Where its low corner is along an axis.
    fn low(&self, axis: usize, t: &RBig) -> RBig {
        let start = rational(self.pose.translation()[axis]);
        let Some(Leg { t0, t1, displacement }) = self.leg else { return start };
        let (t0, t1) = (rational(t0), rational(t1));
        let share = match (t <= &t0, t >= &t1) {
            (true, _) => RBig::ZERO,
            (_, true) => RBig::ONE,
            _ => (t - &t0) / (&t1 - &t0),
        };
        start + share * rational(displacement[axis])
    }
}

/// Floors and ceilings between which a linear function with these values at 0 and 1 is at least zero, or above it: from when to
/// when, as parts of one; `None` if never.
fn positive(at_0: RBig, at_1: RBig, strict: bool) -> Option<[RBig; 2]> {
    let zero = RBig::ZERO;
    let is_in = |x: &RBig| if strict { *x > zero } else { *x >= zero };
    match (is_in(&at_0), is_in(&at_1)) {
        (true, true) => Some([RBig::ZERO, RBig::ONE]),
        (false, false) => None,
        (before, _) => {
            let root = &at_0 / (&at_0 - &at_1);
            Some(if before { [RBig::ZERO, root] } else { [root, RBig::ONE] })
        }
    }
}

/// When two boxes share a point, or overlap, within a stretch in which both move evenly.
fn stay(a: &Block, b: &Block, [t0, t1]: &[RBig; 2], strict: bool) -> Option<[RBig; 2]> {
    let mut range = [RBig::ZERO, RBig::ONE];
    for axis in 0..3 {
        let (size_a, size_b) = (rational(a.size[axis]), rational(b.size[axis]));
        let apart = |t: &RBig| b.low(axis, t) - a.low(axis, t);
        let [first, last] = [apart(t0), apart(t1)];
        for (at_0, at_1) in [(&size_a - &first, &size_a - &last), (&size_b + &first, &size_b + &last)] {
            let [from, to] = positive(at_0, at_1, strict)?;
            range = [range[0].clone().max(from), range[1].clone().min(to)];
        }
    }
    let is_some = if strict { range[0] < range[1] } else { range[0] <= range[1] };
    is_some.then(|| range.map(|share| t0 + share * (t1 - t0)))
}

fn truth(a: &Block, b: &Block) -> Truth {
    let ends = times(a, b);
    let all = |strict: bool| {
        ends.windows(2).filter_map(move |ends| stay(a, b, &[ends[0].clone(), ends[1].clone()], strict))
    };
    // A point in time is no stretch.
    let now = |strict: bool| {
        (0..3).all(|axis| {
            let apart = b.low(axis, &ends[0]) - a.low(axis, &ends[0]);
            let (above, below) = (rational(a.size[axis]) - &apart, rational(b.size[axis]) + &apart);
            if strict {
                above > RBig::ZERO && below > RBig::ZERO
            } else {
                above >= RBig::ZERO && below >= RBig::ZERO
            }
        })
    };
    let at_start = match (now(true), now(false)) {
        (true, _) => Relation::Overlapping,
        (_, true) => Relation::Touching,
        _ => Relation::Disjoint,
    };
    let first =
        |strict: bool| all(strict).map(|[from, _]| from).min().map(|time| ExactTime::from_quotient(&time));
    let time = first(false).filter(|_| at_start == Relation::Disjoint);
    Truth { at_start, time, first_overlap: first(true).map_or(FirstOverlap::Never, FirstOverlap::From) }
}

/// All times at which one of both starts or stops, ascending.
fn times(a: &Block, b: &Block) -> Vec<RBig> {
    let mut times: Vec<f64> = [a.leg, b.leg].iter().flatten().flat_map(|leg| [leg.t0, leg.t1]).collect();
    if times.is_empty() {
        times = vec![0.0, 1.0];
    }
    times.sort_by(f64::total_cmp);
    times.dedup();
    times.into_iter().map(rational).collect()
}

fn distance(a: &Block, b: &Block, t: &RBig) -> f64 {
    let gap = |axis: usize| {
        let apart = b.low(axis, t) - a.low(axis, t);
        let (above, below) = (&apart - rational(a.size[axis]), -apart - rational(b.size[axis]));
        above.max(below).max(RBig::ZERO).to_f64().value()
    };
    DVec3::new(gap(0), gap(1), gap(2)).length()
}

/// How close they come against many times, if they do not meet.
fn check_approach(a: &Block, b: &Block, found: &LegContact) -> Result<(), String> {
    let Some(near) = found.approach else { return Ok(()) };
    for ends in times(a, b).windows(2) {
        for k in 0..=16_u32 {
            let t = &ends[0] + (&ends[1] - &ends[0]) * RBig::from(k) / RBig::from(16_u32);
            if distance(a, b, &t) * (1.0 + 1e-12) < near.distance.lower {
                return Err(format!("closer than {near:?} at {t}"));
            }
        }
    }
    let then = distance(a, b, &rational(near.time));
    let slack = 1e-9 * (1.0 + then);
    if then > near.distance.upper + slack || then < near.distance.lower - slack {
        return Err(format!("{then} apart, not {near:?}"));
    }
    Ok(())
}

/// A few boxes on legs: pairs, times, overlaps and closest approaches.
pub fn compare(random: &mut Random) -> Result<(), String> {
    let blocks: Vec<Block> = (0..2 + random.below(3)).map(|_| Block::draw(random)).collect();
    let travelling: Vec<TravellingBody<'_>> =
        blocks.iter().map(|x| TravellingBody { body: &x.body, pose: &x.pose, leg: x.leg }).collect();
    let found = first_contacts_on_legs(&travelling).map_err(|e| e.to_string())?;
    let tell =
        |i: usize| format!("{:?} at {:?}, {:?}", blocks[i].size, blocks[i].pose.translation(), blocks[i].leg);
    let mut listed = found.iter().peekable();
    for i in 0..blocks.len() {
        for j in i + 1..blocks.len() {
            let (a, b) = (&blocks[i], &blocks[j]);
            let (want, both) = (truth(a, b), || format!("{} and {}", tell(i), tell(j)));
            let Some(contact) = listed.next_if(|contact| contact.bodies == [i, j]) else {
                let never =
                    Truth { at_start: Relation::Disjoint, time: None, first_overlap: FirstOverlap::Never };
                same(want, never, both)?;
                continue;
            };
            let answer = contact.found.as_ref().map_err(|e| e.to_string())?;
            // Solids whose triangles only touch may leave open when they overlap.
            let open = answer.first_overlap == FirstOverlap::Undecided;
            let want = if open { Truth { first_overlap: FirstOverlap::Undecided, ..want } } else { want };
            let is_mesh = |x: &Block| matches!(x.body, Body::Mesh(_));
            same(open && !is_mesh(a) && !is_mesh(b), false, both)?;
            same(told(answer), want.clone(), both)?;
            same(contact.places_are_exact, true, both)?;
            let meets = want.time.is_some() || want.at_start != Relation::Disjoint;
            same(contact.approach.is_some(), !meets, both)?;
            check_approach(a, b, contact).map_err(|what| format!("{what} for {}", both()))?;
        }
    }
    same(listed.next().is_none(), true, || "pairs are not in order".into())
}
