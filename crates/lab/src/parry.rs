//! parry3d-f64 and parry3d on our bodies and poses.

use crate::contest::Candidate;
use crate::scenario::{Placement, Scene};
use clearance::support::SupportMap;
use std::hint::black_box;

/// One of the two crates.
trait Library {
    const NAME: &'static str;
    type Shape;
    type Pose;

    fn shape(map: &SupportMap) -> Self::Shape;
    fn pose(placement: &Placement) -> Self::Pose;
    /// Where B is seen from A.
    fn relative(a: &Placement, b: &Placement) -> Self::Pose;
    fn meets(relative: &Self::Pose, a: &Self::Shape, b: &Self::Shape) -> bool;
    /// Frame after frame, from the direction of the frame before if that is to be kept.
    fn series(relative: &[Self::Pose], shapes: [&Self::Shape; 2], keeps: bool, answer: &mut dyn FnMut(bool));
    /// Not a number if there is no answer.
    fn distance(poses: [&Self::Pose; 2], shapes: [&Self::Shape; 2]) -> f64;
    /// Of bodies that overlap; not a number if there is no answer.
    fn depth(poses: [&Self::Pose; 2], shapes: [&Self::Shape; 2]) -> f64;
}

macro_rules! library {
    ($name:ident, $title:literal, $parry:ident, $vector:expr, $rotation:expr) => {
        #[allow(clippy::redundant_closure_call, clippy::useless_conversion)]
        const _: () = {
            use $parry::math::Pose3;
            use $parry::query::details::{
                intersection_test_support_map_support_map,
                intersection_test_support_map_support_map_with_params,
            };
            use $parry::query::gjk::VoronoiSimplex;
            use $parry::shape::ConvexPolyhedron;

            impl Library for $name {
                const NAME: &'static str = $title;
                type Shape = ConvexPolyhedron;
                type Pose = Pose3;

                fn shape(map: &SupportMap) -> ConvexPolyhedron {
                    let points: Vec<_> = map.polytope().vertices().iter().map(|&v| $vector(v)).collect();
                    ConvexPolyhedron::from_convex_hull(&points).expect("parry builds the hull of a sample")
                }

                fn pose(placement: &Placement) -> Pose3 {
                    Pose3::from_parts($vector(placement.translation), $rotation(placement.rotation))
                }

                fn relative(a: &Placement, b: &Placement) -> Pose3 {
                    Self::pose(a).inv_mul(&Self::pose(b))
                }

                fn meets(relative: &Pose3, a: &ConvexPolyhedron, b: &ConvexPolyhedron) -> bool {
                    intersection_test_support_map_support_map(relative, a, b)
                }

                fn series(
                    relative: &[Pose3],
                    [a, b]: [&ConvexPolyhedron; 2],
                    keeps: bool,
                    answer: &mut dyn FnMut(bool),
                ) {
                    let (mut simplex, mut start) = (VoronoiSimplex::new(), None);
                    for pose in relative {
                        let (hit, direction) = intersection_test_support_map_support_map_with_params(
                            pose,
                            a,
                            b,
                            &mut simplex,
                            start,
                        );
                        start = keeps.then_some(direction);
                        answer(hit);
                    }
                }

                fn distance([p, q]: [&Pose3; 2], [a, b]: [&ConvexPolyhedron; 2]) -> f64 {
                    $parry::query::distance(p, a, q, b).map_or(f64::NAN, |found| f64::from(found.distance))
                }

                fn depth([p, q]: [&Pose3; 2], [a, b]: [&ConvexPolyhedron; 2]) -> f64 {
                    let contact = $parry::query::contact(p, a, q, b, 0.0).ok().flatten();
                    contact.map_or(f64::NAN, |contact| -f64::from(contact.dist))
                }
            }
        };
    };
}

struct Double;
struct Single;

library!(Double, "parry f64", parry3d_f64, |v: glam::DVec3| v, |q: glam::DQuat| q);
library!(Single, "parry f32", parry3d, |v: glam::DVec3| v.as_vec3(), |q: glam::DQuat| q.as_quat());

/// Bodies as both crates have them.
pub struct Shapes {
    double: Vec<<Double as Library>::Shape>,
    single: Vec<<Single as Library>::Shape>,
}

/// A length asked of two bodies where they are.
type Length<L> = fn([&<L as Library>::Pose; 2], [&<L as Library>::Shape; 2]) -> f64;

/// Whether the answer to a case, told by its number, is right.
type Right<'r, T> = &'r dyn Fn(usize, T) -> bool;

/// The bodies of a run, and where they are in each frame.
pub type Run<'r> = ((usize, usize), &'r [(Placement, Placement)]);

impl Shapes {
    pub fn new<'a>(bodies: impl IntoIterator<Item = &'a SupportMap>) -> Shapes {
        let (double, single) = bodies.into_iter().map(|map| (Double::shape(map), Single::shape(map))).unzip();
        Shapes { double, single }
    }

    /// Whether pairs meet, from nothing.
    pub fn meet<'a>(&'a self, scenes: &'a [Scene], is_right: Right<'_, bool>) -> Vec<Candidate<'a>> {
        vec![meet::<Double>(&self.double, scenes, is_right), meet::<Single>(&self.single, scenes, is_right)]
    }

    /// How far pairs are apart.
    pub fn distances<'a>(&'a self, scenes: &'a [Scene], is_right: Right<'_, f64>) -> Vec<Candidate<'a>> {
        vec![
            lengths::<Double>(&self.double, scenes, Double::distance, is_right),
            lengths::<Single>(&self.single, scenes, Single::distance, is_right),
        ]
    }

    /// How far pairs overlap.
    pub fn depths<'a>(&'a self, scenes: &'a [Scene], is_right: Right<'_, f64>) -> Vec<Candidate<'a>> {
        vec![
            lengths::<Double>(&self.double, scenes, Double::depth, is_right),
            lengths::<Single>(&self.single, scenes, Single::depth, is_right),
        ]
    }

    /// Whether the bodies of runs meet, frame after frame: without and with the direction of the frame before.
    pub fn runs<'a>(&'a self, runs: &[Run<'_>], truth: &[bool]) -> Vec<Candidate<'a>> {
        let keeps = [false, true];
        let double = keeps.map(|keeps| series::<Double>(&self.double, runs, keeps, truth));
        double
            .into_iter()
            .chain(keeps.map(|keeps| series::<Single>(&self.single, runs, keeps, truth)))
            .collect()
    }

    /// How far a pair is apart for parry3d-f64.
    pub fn distance(&self, scene: &Scene) -> f64 {
        let (a, b) = scene.bodies;
        let poses = [pose(&scene.a), pose(&scene.b)];
        Double::distance(poses.each_ref(), [&self.double[a], &self.double[b]])
    }
}

fn meet<'a, L: Library>(
    shapes: &'a [L::Shape],
    scenes: &'a [Scene],
    is_right: Right<'_, bool>,
) -> Candidate<'a>
where
    L::Pose: 'a,
{
    let relative: Vec<L::Pose> = scenes.iter().map(|s| L::relative(&s.a, &s.b)).collect();
    let ask = move |i: usize| {
        let (a, b) = scenes[i].bodies;
        L::meets(&relative[i], &shapes[a], &shapes[b])
    };
    Candidate::new(L::NAME, scenes.len(), ask, is_right)
}

fn lengths<'a, L: Library>(
    shapes: &'a [L::Shape],
    scenes: &'a [Scene],
    ask: Length<L>,
    is_right: Right<'_, f64>,
) -> Candidate<'a>
where
    L::Pose: 'a,
{
    let poses: Vec<[L::Pose; 2]> = scenes.iter().map(|s| [L::pose(&s.a), L::pose(&s.b)]).collect();
    let ask = move |i: usize| {
        let (a, b) = scenes[i].bodies;
        ask(poses[i].each_ref(), [&shapes[a], &shapes[b]])
    };
    Candidate::new(L::NAME, scenes.len(), ask, is_right)
}

fn series<'a, L: Library>(
    shapes: &'a [L::Shape],
    runs: &[Run<'_>],
    keeps: bool,
    truth: &[bool],
) -> Candidate<'a>
where
    L::Pose: 'a,
{
    let relative = |run: &Run<'_>| -> Vec<L::Pose> { run.1.iter().map(|(a, b)| L::relative(a, b)).collect() };
    let runs: Vec<_> = runs.iter().map(|run| (run.0, relative(run))).collect();
    let all = move |answer: &mut dyn FnMut(bool)| {
        for ((a, b), poses) in &runs {
            L::series(poses, [&shapes[*a], &shapes[*b]], keeps, answer);
        }
    };
    let mut answers = Vec::new();
    all(&mut |hit| answers.push(hit));
    let wrong = answers.iter().zip(truth).filter(|(answer, truth)| answer != truth).count();
    let name = format!("{}{}", L::NAME, if keeps { " cached" } else { "" });
    Candidate { name, wrong, pass: Box::new(move || all(&mut |hit| _ = black_box(hit))), counts: true }
}

/// As parry3d-f64 has it.
pub fn pose(placement: &Placement) -> parry3d_f64::math::Pose3 {
    Double::pose(placement)
}

/// Where B is seen from A, for parry3d-f64.
pub fn relative(a: &Placement, b: &Placement) -> parry3d_f64::math::Pose3 {
    Double::relative(a, b)
}

/// A body for parry3d-f64.
pub fn shape(map: &SupportMap) -> parry3d_f64::shape::ConvexPolyhedron {
    Double::shape(map)
}
