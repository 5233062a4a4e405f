//! A whole step with parry: its tree for pairs of boxes, then each pair, in f32 and f64.

use crate::broad_rivals::{Search, Threads, Use};
use clearance::Aabb;
use clearance::broad::IdPair;
use clearance::glam::{DQuat, DVec3};
use clearance::support::SupportMap;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// What a step found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    pub pairs: usize,
    pub meeting: usize,
    pub began: usize,
}

/// Where a body is.
pub type Place = (DQuat, DVec3);

/// A world that can be stepped.
pub trait Step: Send {
    /// Takes the places of all bodies, in its own form; not timed.
    fn prepare(&mut self, places: &[Place]);

    /// Moves all bodies there and finds all contacts. `bound` gives the box of a body at its new place.
    fn step(&mut self, bound: &(dyn Fn(usize) -> Aabb + Sync)) -> Found;
}

/// What is computed for a pair of boxes that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Narrow {
    /// Whether they meet, from the direction of the frame before; a contact only when a collision begins.
    Events,
    /// A contact in every frame, from nothing.
    Contact,
    /// A manifold that is kept from frame to frame: how rapier3d 0.36 does it.
    Manifold,
}

macro_rules! rival {
    ($module:ident, $parry:ident, $real:ty, $vector:expr, $quaternion:expr) => {
        pub mod $module {
            use super::*;
            use crate::broad_rivals::$module::Tree;
            use $parry::math::{Pose3, Vec3};
            use $parry::query::ContactManifold;
            use $parry::query::details::{
                contact_manifold_pfm_pfm, contact_support_map_support_map,
                intersection_test_support_map_support_map_with_params,
            };
            use $parry::query::gjk::VoronoiSimplex;
            use $parry::shape::ConvexPolyhedron;

            #[derive(Default)]
            struct Memory {
                direction: Option<Vec3>,
                meets: bool,
                has_begun: bool,
                /// The frame in which it was last needed.
                frame: u64,
                manifold: Option<Box<ContactManifold<(), ()>>>,
            }

            /// Bodies, their tree, and what is kept of pairs.
            pub struct World {
                shapes: Vec<ConvexPolyhedron>,
                tree: Tree,
                narrow: Narrow,
                threads: Threads,
                poses: Vec<Pose3>,
                bounds: Vec<Aabb>,
                pairs: Vec<IdPair>,
                memories: FxHashMap<IdPair, Memory>,
                work: Vec<(IdPair, Memory)>,
                frame: u64,
            }

            /// Frames after which pairs that are no more are forgotten.
            const FORGET: u64 = 16;

            /// The shape as parry builds it; `None` if it does not.
            pub fn shape(map: &SupportMap) -> Option<ConvexPolyhedron> {
                let points: Vec<Vec3> = map.polytope().vertices().iter().map(|&v| $vector(v)).collect();
                ConvexPolyhedron::from_convex_hull(&points)
            }

            impl World {
                /// Body `i` has shape `i` modulo their number.
                pub fn new(
                    shapes: Vec<ConvexPolyhedron>,
                    usage: Use,
                    narrow: Narrow,
                    threads: Threads,
                    bounds: Vec<Aabb>,
                ) -> World {
                    let tree = Tree::new(usage, threads, &bounds);
                    let (poses, pairs, work) = (Vec::new(), Vec::new(), Vec::new());
                    World {
                        shapes,
                        tree,
                        narrow,
                        threads,
                        poses,
                        bounds,
                        pairs,
                        memories: FxHashMap::default(),
                        work,
                        frame: 0,
                    }
                }

                fn relate(&self, pair: IdPair, memory: &mut Memory) {
                    let (a, b) = (pair.a() as usize, pair.b() as usize);
                    let relative = self.poses[a].inv_mul(&self.poses[b]);
                    let shape = |body: usize| &self.shapes[body % self.shapes.len()];
                    let (shape_a, shape_b) = (shape(a), shape(b));
                    let met = memory.meets;
                    match self.narrow {
                        Narrow::Events => {
                            let (meets, direction) = intersection_test_support_map_support_map_with_params(
                                &relative,
                                shape_a,
                                shape_b,
                                &mut VoronoiSimplex::new(),
                                memory.direction,
                            );
                            (memory.meets, memory.direction) = (meets, Some(direction));
                            if meets && !met {
                                let contact =
                                    contact_support_map_support_map(&relative, shape_a, shape_b, 0.0);
                                std::hint::black_box(contact);
                            }
                        }
                        Narrow::Contact => {
                            let contact = contact_support_map_support_map(&relative, shape_a, shape_b, 0.0);
                            memory.meets = std::hint::black_box(contact).is_some_and(|c| c.dist <= 0.0);
                        }
                        Narrow::Manifold => {
                            let manifold = memory.manifold.get_or_insert_default();
                            contact_manifold_pfm_pfm(
                                &relative, shape_a, 0.0, None, shape_b, 0.0, None, 0.0, manifold,
                            );
                            memory.meets = manifold.points.iter().any(|point| point.dist <= 0.0);
                        }
                    }
                    memory.has_begun = memory.meets && !met;
                }
            }

            impl Step for World {
                fn prepare(&mut self, places: &[Place]) {
                    let pose = |&(rotation, translation): &Place| {
                        Pose3::from_parts($vector(translation), $quaternion(rotation))
                    };
                    self.poses.clear();
                    self.poses.extend(places.iter().map(pose));
                }

                fn step(&mut self, bound: &(dyn Fn(usize) -> Aabb + Sync)) -> Found {
                    for (body, place) in self.bounds.iter_mut().enumerate() {
                        *place = bound(body);
                    }
                    let mut pairs = std::mem::take(&mut self.pairs);
                    self.tree.frame(&self.bounds, &mut pairs);
                    self.frame += 1;
                    let found = match self.threads {
                        Threads::One => self.relate_in_place(&pairs),
                        Threads::All => self.relate_in_parallel(&pairs),
                    };
                    self.pairs = pairs;
                    found
                }
            }

            impl World {
                fn relate_in_place(&mut self, pairs: &[IdPair]) -> Found {
                    let (mut memories, frame) = (std::mem::take(&mut self.memories), self.frame);
                    let mut found = Found { pairs: pairs.len(), ..Found::default() };
                    for &pair in pairs {
                        let memory = memories.entry(pair).or_default();
                        if memory.frame + 1 != frame {
                            *memory = Memory::default();
                        }
                        memory.frame = frame;
                        self.relate(pair, memory);
                        found.meeting += usize::from(memory.meets);
                        found.began += usize::from(memory.has_begun);
                    }
                    if frame.is_multiple_of(FORGET) {
                        memories.retain(|_, memory| memory.frame == frame);
                    }
                    self.memories = memories;
                    found
                }

                fn relate_in_parallel(&mut self, pairs: &[IdPair]) -> Found {
                    let mut work = std::mem::take(&mut self.work);
                    work.clear();
                    work.extend(
                        pairs.iter().map(|pair| (*pair, self.memories.remove(pair).unwrap_or_default())),
                    );
                    work.par_iter_mut()
                        .with_min_len(64)
                        .for_each(|(pair, memory)| self.relate(*pair, memory));
                    let found = Found {
                        pairs: work.len(),
                        meeting: work.iter().filter(|(_, memory)| memory.meets).count(),
                        began: work.iter().filter(|(_, memory)| memory.has_begun).count(),
                    };
                    self.memories.clear();
                    self.memories.extend(work.drain(..));
                    self.work = work;
                    found
                }
            }
        }
    };
}

rival!(single, parry3d, f32, |v: DVec3| v.as_vec3(), |q: DQuat| q.as_quat());
rival!(double, parry3d_f64, f64, |v: DVec3| v, |q: DQuat| q);
