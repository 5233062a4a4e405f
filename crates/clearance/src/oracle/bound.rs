//! Bounds beside exact numbers: that they contain what they bound, and that their distances are lower bounds.

use super::cases::{Family, two_bodies};
use super::distance::{Square, distance_squared};
use super::dyadic::Dyadic;
use super::fixed_direction::{Region, along, pulled_back, tight_supports, times, twelvefold_closed_form};
use super::point_sets;
use super::signs::{Exact3, cross, dot, exact, minus, posed};
use crate::bound::{CompactHull, FixedDirectionHull, OrientedBox, Realignment};
use crate::math::{Pose, Random};
use crate::shape::Polytope;
use crate::witness::PosedPair;
use glam::{DMat3, DVec3};

/// One random case for a random set of directions; 26 take the exact side longest.
macro_rules! for_any_set {
    ($random:expr, $case:ident) => {
        match $random.below(8) {
            0 => $case::<6>($random),
            1 | 2 => $case::<18>($random),
            3 => $case::<26>($random),
            _ => $case::<14>($random),
        }
    };
}

/// Hulls of points, also under a pose and through a realignment, contain the exact points.
pub(super) fn containment(random: &mut Random) -> Result<(), String> {
    for_any_set!(random, contains_points)
}

/// The closed form of a realignment is the linear program for tight hulls, and its rounded value a bound for all.
pub(super) fn realignment(random: &mut Random) -> Result<(), String> {
    for_any_set!(random, realigns)
}

fn some_points(random: &mut Random) -> Vec<DVec3> {
    let count = 1 + random.below(8) as usize;
    point_sets::any(random, count)
}

fn contains_points<const K: usize>(random: &mut Random) -> Result<(), String> {
    let points = some_points(random);
    let (pose_a, pose) = (Family::any(random).pose(random), Family::any(random).pose(random));
    let hull = FixedDirectionHull::<K>::around(points.iter().copied());
    let posed_hull = FixedDirectionHull::<K>::around_posed(points.iter().copied(), &pose);
    let moved = Realignment::new(&pose).apply(&hull);
    let relative = Realignment::relative(&pose_a, &pose).apply(&hull);
    let in_box = OrientedBox::around(&points).ok_or("no box")?;
    let posed_box = in_box.posed(&pose);
    for &point in &points {
        let (plain, image) = (exact(point), posed(&pose, point));
        let checks = [
            ("around", holds(&hull, &plain)),
            ("around_posed", holds(&posed_hull, &image)),
            ("realigned", holds(&moved, &image)),
            ("relative", holds_in_frame(&relative, &pose_a, &image)),
            ("contains_point", hull.contains_point(point)),
            ("box", box_holds(&in_box, &plain)),
            ("posed box", box_holds(&posed_box, &image)),
        ];
        if let Some((what, _)) = checks.iter().find(|(_, right)| !right) {
            return Err(format!(
                "{what} with {K} directions loses {point:?} of {points:?} {pose:?} {pose_a:?}"
            ));
        }
    }
    loose_by_little(&hull, &points, &pose, &posed_hull)
}

/// Whether `d . x` is at most the support for every direction.
fn holds<const K: usize>(hull: &FixedDirectionHull<K>, point: &Exact3) -> bool {
    FixedDirectionHull::<K>::DIRECTIONS.iter().zip(hull.supports()).all(|(&d, &support)| {
        support == f64::INFINITY || !(&along(d, point) - &Dyadic::new(support)).sign().is_positive()
    })
}

/// Whether the hull contains the exact preimage of a world point under a pose: `d . x det <= support det` with Cramer's
/// numerators of `R x = p - t`; the determinant is positive.
fn holds_in_frame<const K: usize>(hull: &FixedDirectionHull<K>, pose: &Pose, point: &Exact3) -> bool {
    let columns = [0, 1, 2].map(|i| exact(pose.rotation().col(i)));
    let (preimage, determinant) = solved(&columns, &minus(point, &exact(pose.translation())));
    FixedDirectionHull::<K>::DIRECTIONS.iter().zip(hull.supports()).all(|(&d, &support)| {
        support == f64::INFINITY
            || !(&along(d, &preimage) - &(&determinant * &Dyadic::new(support))).sign().is_positive()
    })
}

/// The solution of `columns x = b` times the determinant, and that.
fn solved(columns: &[Exact3; 3], b: &Exact3) -> (Exact3, Dyadic) {
    let normals = [(1, 2), (2, 0), (0, 1)].map(|(i, j)| cross(&columns[i], &columns[j]));
    (normals.each_ref().map(|n| dot(n, b)), dot(&normals[0], &columns[0]))
}

/// Whether `point = center + A t` with `|t| <= half`, exactly.
fn box_holds(bound: &OrientedBox, point: &Exact3) -> bool {
    let columns = [0, 1, 2].map(|i| exact(bound.axes().col(i)));
    let (t, determinant) = solved(&columns, &minus(point, &exact(bound.center())));
    t.iter().zip(exact(bound.half_extents())).all(|(t, half)| {
        let most = &half * &determinant;
        !(t - &most).sign().is_positive() && !(&(-t) - &most).sign().is_positive()
    })
}

/// Hulls of points are tight to the slack that they claim.
fn loose_by_little<const K: usize>(
    hull: &FixedDirectionHull<K>,
    points: &[DVec3],
    pose: &Pose,
    posed_hull: &FixedDirectionHull<K>,
) -> Result<(), String> {
    let size = points.iter().map(|p| p.abs().element_sum()).fold(0.0, f64::max);
    let far = 2.0 * size + pose.translation().abs().element_sum();
    let plain: Vec<Exact3> = points.iter().map(|&p| exact(p)).collect();
    let images: Vec<Exact3> = points.iter().map(|&p| posed(pose, p)).collect();
    let within = |hull: &FixedDirectionHull<K>, points: &[Exact3], slack: f64| {
        let tight = tight_supports::<K>(points);
        (0..K).all(|i| {
            let excess = &Dyadic::new(hull.supports()[i]) - &tight[i];
            !(&excess - &Dyadic::new(slack)).sign().is_positive()
        })
    };
    let tiny = 64.0 * f64::from_bits(1);
    if within(hull, &plain, 4.0 * f64::EPSILON * size + tiny)
        && within(posed_hull, &images, 8.0 * f64::EPSILON * far + tiny)
    {
        Ok(())
    } else {
        Err(format!("{K} directions are loose around {points:?} {pose:?}"))
    }
}

/// A linear map: a rotation, or any matrix, with a translation.
fn any_map(random: &mut Random) -> (DMat3, DVec3) {
    let translation = point_sets::in_cube(random) * 2f64.powi(random.below(40) as i32 - 20);
    let matrix = match random.below(4) {
        0 => DMat3::from_cols_array(&std::array::from_fn(|_| random.below(5) as f64 - 2.0)),
        1 => {
            let scale = 2f64.powi(random.below(200) as i32 - 100);
            DMat3::from_cols_array(&std::array::from_fn(|_| scale * random.range(-1.0, 1.0)))
        }
        _ => Family::Uniform.pose(random).rotation(),
    };
    (matrix, translation)
}

fn realigns<const K: usize>(random: &mut Random) -> Result<(), String> {
    let points = some_points(random);
    let (matrix, translation) = any_map(random);
    let realignment = Realignment::<K>::affine(matrix, translation).map_err(|e| e.to_string())?;
    let rows = [0, 1, 2].map(|i| matrix.row(i));
    let directions = FixedDirectionHull::<K>::DIRECTIONS;
    let context = || format!("{K} directions of {points:?} under {matrix:?} {translation:?}");

    let tight = tight_supports::<K>(&points.iter().map(|&p| exact(p)).collect::<Vec<_>>());
    let region = Region::exact(&tight);
    // A few directions are enough for one case, all of them for the rest.
    for d in directions.into_iter().filter(|_| random.below(4) == 0) {
        let w = pulled_back(rows, d);
        let (closed, program) = (twelvefold_closed_form(&tight, &w), region.twelvefold_support(&w));
        let program = program.ok_or_else(|| format!("an empty tight hull: {}", context()))?;
        if !(&closed - &program).sign().is_zero() {
            return Err(format!("the closed form is not the linear program along {d:?}: {}", context()));
        }
    }

    // A hull that need not be tight: as rounded, or cut by another.
    let other = FixedDirectionHull::around(some_points(random));
    let rounded = FixedDirectionHull::<K>::around(points.iter().copied());
    let hull = if random.below(2) == 0 { rounded } else { rounded.meet(&rounded.join(&other).scaled(0.75)) };
    let moved = realignment.apply(&hull);
    if moved == FixedDirectionHull::WHOLE {
        return Ok(());
    }
    let region = Region::new(&hull);
    let exact_supports = hull.supports().map(Dyadic::new);
    let size = hull.supports().iter().fold(0.0, |m: f64, s| m.max(s.abs()));
    let most = [0, 1, 2].map(|c| matrix.col(c).abs().element_sum()).into_iter().fold(0.0, f64::max);
    let slack =
        100.0 * f64::EPSILON * (most * size + translation.abs().element_sum()) + 1e-160 * size + 1e-320;
    for (i, d) in directions.into_iter().enumerate() {
        let (w, shift) = (pulled_back(rows, d), times(12, &along(d, &exact(translation))));
        let got = times(12, &Dyadic::new(moved.supports()[i]));
        if let Some(program) = region.twelvefold_support(&w)
            && (&(&program + &shift) - &got).sign().is_positive()
        {
            return Err(format!("the realigned hull is too small along {d:?}: {hull:?}, {}", context()));
        }
        let closed = &twelvefold_closed_form(&exact_supports, &w) + &shift;
        if (&(&got - &closed) - &times(12, &Dyadic::new(slack))).sign().is_positive() {
            return Err(format!("the realigned hull is too large along {d:?}: {hull:?}, {}", context()));
        }
    }
    Ok(())
}

/// What every bound says of a distance is at most the exact one.
pub(super) fn lower_bounds(random: &mut Random) -> Result<(), String> {
    let family = Family::any(random);
    let ((a, pose_a), (b, pose_b)) = two_bodies(family, 6, random);
    let truth = distance_squared(&PosedPair { a: &a, pose_a: &pose_a, b: &b, pose_b: &pose_b });
    let bodies = [(&a, &pose_a), (&b, &pose_b)];
    let [box_a, box_b] =
        bodies.map(|(body, pose)| OrientedBox::around(body.vertices()).map(|b| b.posed(pose)));
    let (box_a, box_b) = (box_a.ok_or("no box")?, box_b.ok_or("no box")?);
    let mut bounds = vec![("oriented boxes", box_a.distance_lower_bound(&box_b), box_a.meets(&box_b))];
    bounds.extend(bounds_of::<6>(bodies));
    bounds.extend(bounds_of::<14>(bodies));
    bounds.extend(bounds_of::<18>(bodies));
    bounds.extend(bounds_of::<26>(bodies));
    let [small_a, small_b] = bodies.map(|(body, pose)| {
        CompactHull::from(&FixedDirectionHull::around_posed(body.vertices().iter().copied(), pose))
    });
    bounds.push(("compact", f64::from(small_a.distance_lower_bound(&small_b)), small_a.meets(&small_b)));
    for (what, bound, meets) in bounds {
        if !is_right(&truth, bound, meets) {
            return Err(format!("{what}: {bound:e} {meets} for {a:?} {pose_a:?} {b:?} {pose_b:?}"));
        }
    }
    Ok(())
}

fn is_right(truth: &Square, bound: f64, meets: bool) -> bool {
    bound >= 0.0
        && !truth.compare(bound).is_positive()
        && (meets || !truth.is_zero())
        && (!meets || bound == 0.0)
}

type Bounds = Vec<(&'static str, f64, bool)>;

fn bounds_of<const K: usize>([(a, pose_a), (b, pose_b)]: [(&Polytope, &Pose); 2]) -> Bounds {
    let around = |body: &Polytope| FixedDirectionHull::<K>::around(body.vertices().iter().copied());
    let refit =
        |body: &Polytope, pose| FixedDirectionHull::<K>::around_posed(body.vertices().iter().copied(), pose);
    let pairs = [
        ("refit", refit(a, pose_a), refit(b, pose_b), 1.0),
        (
            "realigned",
            Realignment::new(pose_a).apply(&around(a)),
            Realignment::new(pose_b).apply(&around(b)),
            1.0,
        ),
    ];
    let relative = Realignment::relative(pose_a, pose_b);
    let in_frame = ("relative", around(a), relative.apply(&around(b)), relative.length_ratio());
    let all = pairs.into_iter().chain([in_frame]);
    all.map(|(what, a, b, ratio)| {
        (what, a.distance_lower_bound(&b) * ratio * (1.0 - f64::EPSILON), a.meets(&b))
    })
    .collect()
}
