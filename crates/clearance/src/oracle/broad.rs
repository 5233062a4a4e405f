//! All pairs of boxes by comparing each with each, and random scenes that come, go, jump, grow and pile up.

use super::compare::same;
use crate::broad::{
    BroadPhase, Coherent, DynamicTree, EVERYWHERE, IdPair, Mobility, Partition, SweepAndPrune,
};
use crate::math::{Aabb, Random};
use glam::DVec3;
use std::collections::BTreeMap;

/// Bodies by id.
pub type Scene = BTreeMap<u32, (Aabb, Mobility)>;

/// All pairs whose bounds share a point and of which one moves, ascending.
pub fn brute_force(scene: &Scene) -> Vec<IdPair> {
    let mut pairs = Vec::new();
    for (&a, (bound_a, moves_a)) in scene {
        for (&b, (bound_b, moves_b)) in scene.range(a + 1..) {
            let moves = *moves_a == Mobility::Moving || *moves_b == Mobility::Moving;
            if moves && bound_a.meets(*bound_b) {
                pairs.push(IdPair::new(a, b));
            }
        }
    }
    pairs
}

/// What happens to one body.
#[derive(Clone, Copy, Debug)]
pub enum Change {
    /// It comes, or is replaced.
    Insert(Aabb, Mobility),
    /// It gets a new bound.
    Update(Aabb),
    /// It goes.
    Remove,
}

/// Applies a change to a scene.
pub fn apply(scene: &mut Scene, id: u32, change: Change) {
    match change {
        Change::Insert(bound, mobility) => drop(scene.insert(id, (bound, mobility))),
        Change::Update(bound) => {
            if let Some(body) = scene.get_mut(&id) {
                body.0 = bound;
            }
        }
        Change::Remove => drop(scene.remove(&id)),
    }
}

/// Applies a change to a search.
pub fn apply_to(broad: &mut impl BroadPhase, id: u32, change: Change) {
    match change {
        Change::Insert(bound, mobility) => broad.insert(id, bound, mobility),
        Change::Update(bound) => broad.update(id, bound),
        Change::Remove => broad.remove(id),
    }
}

/// How a scene is made up: sizes and places of its bodies.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    offset: DVec3,
    spread: f64,
    sizes: [f64; 2],
    lattice: bool,
}

impl Style {
    /// Any: near or far, crowded or sparse, alike or of very different sizes, anywhere or on a lattice.
    pub fn any(random: &mut Random) -> Style {
        let offset = [0.0, 0.0, 1e6, 1e12, 2f64.powi(290)][random.below(5) as usize];
        let sizes =
            [[1.0, 1.0], [0.5, 1.5], [2f64.powi(-20), 2f64.powi(20)], [0.0, 1.0]][random.below(4) as usize];
        Style {
            offset: DVec3::splat(offset) * DVec3::new(1.0, -1.0, 0.5),
            spread: [2.0, 6.0, 20.0, 1e4][random.below(4) as usize],
            sizes,
            lattice: random.below(3) == 0,
        }
    }

    /// A box somewhere.
    pub fn bound(&self, random: &mut Random) -> Aabb {
        if random.below(200) == 0 {
            return EVERYWHERE;
        }
        let mut place = || random.range(0.0, self.spread);
        let place = DVec3::new(place(), place(), place());
        let place = if self.lattice { place.floor() } else { place };
        let exponent = random.unit();
        let [low, high] = self.sizes;
        let size =
            if low > 0.0 { low * (high / low).powf(exponent) } else { high * (random.below(3) as f64) };
        let min = self.offset + place;
        let mut extent = || size * [1.0, 1.0, random.unit()][random.below(3) as usize];
        Aabb { min, max: min + DVec3::new(extent(), extent(), extent()) }
    }

    /// The box a frame later: it rests, moves a little or far, grows, or jumps onto another.
    pub fn next(&self, bound: Aabb, scene: &Scene, random: &mut Random) -> Aabb {
        let shift = |by: DVec3| Aabb { min: bound.min + by, max: bound.max + by };
        let mut step = || random.range(-1.0, 1.0);
        let direction = DVec3::new(step(), step(), step());
        match random.below(40) {
            0..30 if bound.max.x.is_finite() => shift(direction * 0.05 * bound.extent().max_element()),
            30 => self.bound(random),
            31 => Aabb { min: bound.min, max: bound.max + direction.abs() },
            32 => scene.values().next().map_or(bound, |body| body.0),
            33 => EVERYWHERE,
            34 => shift(direction * self.spread),
            _ => bound,
        }
    }
}

/// Every search finds the pairs of brute force in every frame of a random run.
pub(super) fn compare(random: &mut Random) -> Result<(), String> {
    let style = Style::any(random);
    let (count, frames) = (2 + random.below(60) as u32, 12);
    let mut scene = Scene::new();
    let (mut sweep, mut partition) = (SweepAndPrune::default(), Partition::default());
    let (mut tree, mut coherent) = (DynamicTree::default(), Coherent::default());
    let busy = random.below(4);
    for frame in 0..frames {
        // Sometimes all that move are told at once.
        let together = random.below(2) == 0;
        for id in 0..count {
            let change = match (frame, random.below(if frame == 0 { 4 } else { 60 })) {
                (0, 0) => continue,
                (0, _) | (_, 0) => {
                    let mobility = [Mobility::Moving, Mobility::Static][usize::from(random.below(4) == 0)];
                    Change::Insert(style.bound(random), mobility)
                }
                (_, 1) => Change::Remove,
                _ if random.below(4) < busy => continue,
                _ => match scene.get(&id) {
                    Some(&(bound, _)) => Change::Update(style.next(bound, &scene, random)),
                    None => continue,
                },
            };
            apply(&mut scene, id, change);
            apply_to(&mut sweep, id, change);
            apply_to(&mut partition, id, change);
            apply_to(&mut tree, id, change);
            if !(together && matches!(change, Change::Update(_))) {
                apply_to(&mut coherent, id, change);
            }
        }
        if together {
            let bounds: Vec<Aabb> =
                (0..count).map(|id| scene.get(&id).map_or(EVERYWHERE, |body| body.0)).collect();
            coherent.update_many(&bounds);
        }
        let want = brute_force(&scene);
        let mut got = Vec::new();
        let told = |name: &str| format!("{name}, frame {frame} of {style:?}, {scene:?}");
        sweep.pairs(&mut got);
        same(&got, &want, || told("sweep and prune"))?;
        partition.pairs(&mut got);
        same(&got, &want, || told("partition"))?;
        tree.pairs(&mut got);
        same(&got, &want, || told("tree"))?;
        tree.validate()?;
        coherent.tree().validate()?;
        compare_queries(coherent.tree(), &scene, &style, random)?;
        coherent.pairs(&mut got);
        same(&got, &want, || told("coherent"))?;
        coherent.tree().validate()?;
        compare_queries(coherent.tree(), &scene, &style, random)?;
    }
    Ok(())
}

/// Regions, rays and neighbours are those of looking at every body.
fn compare_queries(
    tree: &DynamicTree,
    scene: &Scene,
    style: &Style,
    random: &mut Random,
) -> Result<(), String> {
    let region = style.bound(random);
    let mut got = Vec::new();
    tree.visit(&region, |id| got.push(id));
    got.sort_unstable();
    let want: Vec<u32> = scene.iter().filter(|(_, body)| body.0.meets(region)).map(|(&id, _)| id).collect();
    same(&got, &want, || format!("region {region:?} of {scene:?}"))?;
    // A ray to a corner of every body that has one.
    let origin = style.bound(random).min;
    if let Some((&id, (bound, _))) = scene.iter().nth(random.below(1 + scene.len() as u64) as usize)
        && origin.is_finite()
        && bound.max.is_finite()
        && origin != bound.max
    {
        let mut hit = false;
        tree.visit_along(origin, bound.max - origin, f64::INFINITY, |found, _| {
            hit |= found == id;
            f64::INFINITY
        });
        // The difference is rounded, so the ray may miss what is smaller than that.
        let slack = 1e-12 * (origin.abs().max_element() + bound.max.abs().max_element());
        if !hit && bound.extent().min_element() > slack {
            return Err(format!("the ray from {origin} to {} misses {id} of {scene:?}", bound.max));
        }
    }
    let mut last = 0.0;
    let mut seen = Vec::new();
    tree.visit_near(&region, f64::INFINITY, |id, gap| {
        seen.push((id, gap));
        f64::INFINITY
    });
    for (id, gap) in seen {
        let far = (scene[&id].0.min - region.max).max(region.min - scene[&id].0.max).max(DVec3::ZERO);
        let ordered = gap >= last && gap <= far.length().max(far.max_element());
        last = gap;
        if !ordered {
            return Err(format!("{id} is visited at {gap} after {last}, but is {far} away"));
        }
    }
    same(tree.nearest(&region, 3).len(), scene.len().min(3), || format!("nearest of {scene:?}"))
}
