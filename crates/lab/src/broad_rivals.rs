//! parry's `Bvh` as a broad phase, in f32 and f64, in each way in which it can be used.

use clearance::Aabb;
use clearance::broad::IdPair;

/// A search for all pairs of boxes, frame after frame.
pub trait Search: Send {
    /// Takes the boxes of the next frame, in its own form; not timed.
    fn prepare(&mut self, _bounds: &[Aabb]) {}

    /// Takes the boxes of all bodies and finds all pairs; `pairs` is written over, in any order.
    fn frame(&mut self, bounds: &[Aabb], pairs: &mut Vec<IdPair>);

    /// Bytes held, as far as the library tells.
    fn bytes(&self) -> usize;

    /// Boxes compared so far; `None` if that is not counted.
    fn tests(&self) -> Option<u64> {
        None
    }
}

/// How the tree is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Boxes are updated and the tree is refitted.
    Refit,
    /// The tree is improved a little in every frame before that.
    Improve,
    /// A new tree in every frame.
    Rebuild,
    /// Boxes with a margin; only those that left it are searched, pairs are kept: how rapier3d 0.36 uses the tree.
    Margin,
}

/// Whether several threads are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    One,
    All,
}

/// rapier's margin, as a part of its unit of length.
const MARGIN: f64 = 0.04;

/// rapier improves the tree when more than one of so many boxes changed.
const MANY: usize = 16;

macro_rules! rival {
    ($module:ident, $parry:ident, $real:ty, $vector:expr) => {
        pub mod $module {
            use super::*;
            use $parry::bounding_volume::{Aabb as Bound, BoundingVolume};
            use $parry::partitioning::{Bvh, BvhBuildStrategy, BvhLeafUpdateStatus, BvhWorkspace};

            /// The tree and what it needs.
            pub struct Tree {
                tree: Bvh,
                workspace: BvhWorkspace,
                usage: Use,
                threads: Threads,
                margins: Vec<Bound>,
                kept: rustc_hash::FxHashSet<IdPair>,
                updates: Vec<(Bound, u32, $real)>,
                statuses: Vec<BvhLeafUpdateStatus>,
            }

            fn bound(of: &Aabb) -> Bound {
                Bound::new($vector(of.min), $vector(of.max))
            }

            impl Tree {
                pub fn new(usage: Use, threads: Threads, bounds: &[Aabb]) -> Tree {
                    let (mut tree, mut margins) = (Bvh::new(), Vec::new());
                    if usage == Use::Margin {
                        margins = bounds.iter().map(|of| bound(of).loosened(MARGIN as $real)).collect();
                        margins.iter().enumerate().for_each(|(id, margin)| tree.insert(*margin, id as u32));
                    } else {
                        tree = Bvh::from_iter(BvhBuildStrategy::Binned, bounds.iter().map(bound).enumerate());
                    }
                    let workspace = BvhWorkspace::default();
                    let (kept, updates, statuses) = (Default::default(), Vec::new(), Vec::new());
                    Tree { tree, workspace, usage, threads, margins, kept, updates, statuses }
                }

                /// Gives the boxes to the tree; how many of them changed it.
                fn update(&mut self, bounds: &[Aabb]) -> usize {
                    let margin = if self.usage == Use::Margin { MARGIN as $real } else { 0.0 };
                    if self.threads == Threads::All {
                        self.updates.clear();
                        self.updates.extend((0..).zip(bounds).map(|(id, of)| (bound(of), id, margin)));
                        self.tree
                            .insert_or_update_batch_partially_parallel(&self.updates, &mut self.statuses);
                    } else {
                        self.statuses.clear();
                        let tree = &mut self.tree;
                        let update = |(id, of)| tree.insert_or_update_partially(bound(of), id, margin);
                        self.statuses.extend((0..).zip(bounds).map(update));
                    }
                    if self.usage != Use::Margin {
                        return bounds.len();
                    }
                    let mut changed = 0;
                    for ((status, of), wide) in self.statuses.iter().zip(bounds).zip(&mut self.margins) {
                        if *status != BvhLeafUpdateStatus::Unchanged {
                            *wide = bound(of).loosened(margin);
                            changed += 1;
                        }
                    }
                    changed
                }

                fn refit(&mut self, changed: usize) {
                    let improves = self.usage == Use::Improve
                        || self.usage == Use::Margin && changed * MANY > self.statuses.len();
                    if improves {
                        self.tree.optimize_incremental(&mut self.workspace);
                    }
                    match self.threads {
                        Threads::One => self.tree.refit(&mut self.workspace),
                        Threads::All => self.tree.refit_parallel(&mut self.workspace),
                    }
                }

                fn search<const ONLY_CHANGED: bool>(&mut self, mut found: impl FnMut(IdPair)) {
                    match self.threads {
                        Threads::One => self
                            .tree
                            .traverse_bvtt_single_tree::<ONLY_CHANGED>(&mut self.workspace, &mut |a, b| {
                                found(IdPair::new(a, b))
                            }),
                        Threads::All => {
                            let pairs = self.tree.traverse_bvtt_single_tree_parallel::<ONLY_CHANGED>();
                            pairs.into_iter().for_each(|(a, b)| found(IdPair::new(a, b)));
                        }
                    }
                }

                fn search_changed(&mut self, changed: usize, bounds: &[Aabb], pairs: &mut Vec<IdPair>) {
                    let mut kept = std::mem::take(&mut self.kept);
                    if kept.is_empty() {
                        self.search::<false>(|pair| _ = kept.insert(pair));
                    } else if changed > 0 {
                        let margins = &self.margins;
                        let meet = |pair: &IdPair| {
                            margins[pair.a() as usize].intersects(&margins[pair.b() as usize])
                        };
                        kept.retain(meet);
                        self.search::<true>(|pair| _ = kept.insert(pair));
                    }
                    let meet = |pair: &&IdPair| bounds[pair.a() as usize].meets(bounds[pair.b() as usize]);
                    pairs.extend(kept.iter().filter(meet));
                    self.kept = kept;
                }
            }

            impl Search for Tree {
                fn frame(&mut self, bounds: &[Aabb], pairs: &mut Vec<IdPair>) {
                    pairs.clear();
                    if self.usage == Use::Rebuild {
                        let boxes = bounds.iter().map(bound).enumerate();
                        self.tree = Bvh::from_iter(BvhBuildStrategy::Binned, boxes);
                        return self.search::<false>(|pair| pairs.push(pair));
                    }
                    let changed = self.update(bounds);
                    self.refit(changed);
                    match self.usage {
                        Use::Margin => self.search_changed(changed, bounds, pairs),
                        _ => self.search::<false>(|pair| pairs.push(pair)),
                    }
                }

                fn bytes(&self) -> usize {
                    self.tree.heap_memory_size()
                        + self.margins.capacity() * size_of::<Bound>()
                        + self.kept.capacity() * size_of::<IdPair>() * 8 / 7
                }
            }
        }
    };
}

rival!(single, parry3d, f32, |v: clearance::glam::DVec3| v.as_vec3());
rival!(double, parry3d_f64, f64, |v: clearance::glam::DVec3| v);
