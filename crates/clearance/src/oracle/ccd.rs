//! First contacts of linearly moving features in rational numbers: polynomials by interpolation, roots by Sturm's theorem
//! and bisection, signs at roots by common divisors.

use super::ccd_cases::{Case, Kind, random_case};
use super::compare::same;
use crate::ccd::ContactTime;
use crate::exact::Sign;
use crate::math::Random;
use dashu::base::{Gcd, UnsignedAbs};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use std::rc::Rc;

type Point = [RBig; 3];

/// The lowest coefficient first, the highest not zero.
type Coefficients = Vec<RBig>;

fn minus(a: &Point, b: &Point) -> Point {
    [0, 1, 2].map(|i| &a[i] - &b[i])
}

fn dot(a: &Point, b: &Point) -> RBig {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn cross(a: &Point, b: &Point) -> Point {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &a[i] * &b[j] - &a[j] * &b[i])
}

fn sign(x: &RBig) -> Sign {
    match x.cmp(&RBig::ZERO) {
        std::cmp::Ordering::Less => Sign::Negative,
        std::cmp::Ordering::Equal => Sign::Zero,
        std::cmp::Ordering::Greater => Sign::Positive,
    }
}

/// The vertices at times 0 and 1, all multiplied by a power of two that makes them whole.
fn whole(case: &Case) -> [[Point; 4]; 2] {
    let exact = |x: f64| RBig::try_from(x).expect("a finite number");
    let both = [&case.start, &case.end].map(|points| points.map(|p| p.to_array().map(exact)));
    let denominators = both.iter().flatten().flatten().map(|x| x.denominator().clone());
    let scale = RBig::from(IBig::from(denominators.max().expect("numbers")));
    both.map(|points| points.map(|p| p.map(|x| x * &scale)))
}

/// What is zero if the four points lie in a plane.
fn volume([a, b, c, d]: &[Point; 4]) -> RBig {
    dot(&cross(&minus(b, a), &minus(c, a)), &minus(d, a))
}

/// If positive, the plane of the features is that of this normal's square and inner points are where all of
/// [`inner_conditions`] are not negative.
fn normal(kind: Kind, [a, b, c, d]: &[Point; 4]) -> Point {
    match kind {
        Kind::VertexFace => cross(&minus(c, b), &minus(d, b)),
        Kind::EdgeEdge => cross(&minus(b, a), &minus(d, c)),
    }
}

/// Barycentric coordinates of the vertex, or one's own and the missing share along both edges, times the square of the
/// normal.
fn inner_conditions(kind: Kind, points: &[Point; 4]) -> Vec<RBig> {
    let n = normal(kind, points);
    let [a, b, c, d] = points;
    match kind {
        Kind::VertexFace => [(b, c), (c, d), (d, b)]
            .map(|(from, to)| dot(&n, &cross(&minus(to, from), &minus(a, from))))
            .to_vec(),
        Kind::EdgeEdge => {
            let (along_a, along_b, offset) = (minus(b, a), minus(d, c), minus(c, a));
            let share_a = dot(&n, &cross(&offset, &along_b));
            let share_b = dot(&n, &cross(&offset, &along_a));
            let all = dot(&n, &n);
            vec![share_a.clone(), &all - share_a, share_b.clone(), all - share_b]
        }
    }
}

/// For every vertex and edge: a square that is zero if they lie on a line, and what is not positive if the vertex then lies
/// between the ends.
fn edge_conditions(kind: Kind, points: &[Point; 4]) -> Vec<[RBig; 2]> {
    let triples: &[[usize; 3]] = match kind {
        Kind::VertexFace => &[[0, 1, 2], [0, 2, 3], [0, 1, 3]],
        Kind::EdgeEdge => &[[0, 2, 3], [1, 2, 3], [2, 0, 1], [3, 0, 1]],
    };
    let condition = |[p, q, r]: [usize; 3]| {
        let (u, v) = (minus(&points[q], &points[p]), minus(&points[r], &points[p]));
        let c = cross(&u, &v);
        [dot(&c, &c), dot(&u, &v)]
    };
    triples.iter().map(|&triple| condition(triple)).collect()
}

/// The polynomials whose signs say whether the features share a point.
struct Conditions {
    volume: Coefficients,
    normal_squared: Coefficients,
    inner: Vec<Coefficients>,
    edges: Vec<[Coefficients; 2]>,
}

impl Conditions {
    fn new(case: &Case) -> Conditions {
        let [start, end] = whole(case);
        // Points at five times determine polynomials of the fourth degree.
        let at = |t: i32| -> [Point; 4] {
            let t = RBig::from(t);
            std::array::from_fn(|i| [0, 1, 2].map(|k| &start[i][k] + &t * (&end[i][k] - &start[i][k])))
        };
        let kind = case.kind;
        // All values at once, in the order of the fields.
        let values = [0, 1, 2, 3, 4].map(|t| {
            let points = at(t);
            let n = normal(kind, &points);
            let inner = inner_conditions(kind, &points);
            let counts = inner.len();
            let edges = edge_conditions(kind, &points).into_iter().flatten();
            let all: Vec<RBig> =
                [volume(&points), dot(&n, &n)].into_iter().chain(inner).chain(edges).collect();
            (all, counts)
        });
        let fit = |i: usize| interpolated(values.each_ref().map(|(all, _)| all[i].clone()));
        let (all, inner_count) = (values[0].0.len(), values[0].1);
        Conditions {
            volume: fit(0),
            normal_squared: fit(1),
            inner: (2..2 + inner_count).map(fit).collect(),
            edges: (2 + inner_count..all).step_by(2).map(|i| [fit(i), fit(i + 1)]).collect(),
        }
    }

    fn hold_at(&self, time: &mut Algebraic) -> bool {
        time.sign_of(&self.volume).is_zero()
            && (self.edges.iter().any(|[on_line, between]| {
                time.sign_of(on_line).is_zero() && !time.sign_of(between).is_positive()
            }) || time.sign_of(&self.normal_squared).is_positive()
                && self.inner.iter().all(|inner| !time.sign_of(inner).is_negative()))
    }

    /// Times from 0 to 1 among which is the first contact, if there is one.
    fn candidates(&self) -> Vec<Algebraic> {
        if !self.volume.is_empty() {
            return roots(&self.volume);
        }
        // The answer changes only where some sign does.
        let edges = self.edges.iter().flatten();
        let all = self.inner.iter().chain(edges).chain([&self.normal_squared]);
        let at_zero = vec![RBig::ZERO, RBig::ONE];
        all.chain([&at_zero]).filter(|p| !p.is_empty()).flat_map(roots).collect()
    }
}

/// The polynomial through values at 0, 1, 2, 3 and 4 (Newton).
fn interpolated(values: [RBig; 5]) -> Coefficients {
    let mut differences = values;
    for order in 1..5 {
        for i in (order..5).rev() {
            differences[i] = (&differences[i] - &differences[i - 1]) / RBig::from(order);
        }
    }
    let mut sum: Coefficients = Vec::new();
    for i in (0..5).rev() {
        // sum * (t - i) + difference
        let mut next = vec![RBig::ZERO; sum.len() + 1];
        for (k, c) in sum.iter().enumerate() {
            next[k + 1] += c;
            next[k] -= c * RBig::from(i as i32);
        }
        next[0] += &differences[i];
        sum = next;
    }
    trimmed(sum)
}

fn trimmed(mut p: Coefficients) -> Coefficients {
    while p.last().is_some_and(|c| *c == RBig::ZERO) {
        p.pop();
    }
    p
}

fn value(p: &Coefficients, t: &RBig) -> RBig {
    p.iter().rev().fold(RBig::ZERO, |sum, c| sum * t + c)
}

fn derivative(p: &Coefficients) -> Coefficients {
    p.iter().enumerate().skip(1).map(|(i, c)| c * RBig::from(i as i32)).collect()
}

/// Quotient and remainder.
fn divided(p: &Coefficients, by: &Coefficients) -> (Coefficients, Coefficients) {
    let (mut rest, mut quotient) = (p.clone(), vec![RBig::ZERO; p.len()]);
    while rest.len() >= by.len() {
        let factor = &rest[rest.len() - 1] / &by[by.len() - 1];
        let offset = rest.len() - by.len();
        for (i, c) in by.iter().enumerate() {
            rest[offset + i] -= c * &factor;
        }
        quotient[offset] = factor;
        rest = trimmed(rest);
    }
    (trimmed(quotient), rest)
}

/// The same times a positive number that makes the coefficients whole and without a common divisor: they stay small.
fn simplified(p: Coefficients) -> Coefficients {
    let multiple = p.iter().fold(UBig::ONE, |all, c| {
        let divisor = (&all).gcd(c.denominator());
        all / divisor * c.denominator()
    });
    let multiple = RBig::from(IBig::from(multiple));
    let whole: Coefficients = p.into_iter().map(|c| c * &multiple).collect();
    let divisor = whole.iter().fold(UBig::ZERO, |all, c| match c.numerator().is_zero() {
        true => all,
        false => all.gcd(c.numerator().unsigned_abs()),
    });
    let divisor = RBig::from(IBig::from(divisor));
    whole.into_iter().map(|c| c / &divisor).collect()
}

fn common_divisor(p: &Coefficients, q: &Coefficients) -> Coefficients {
    if q.is_empty() { p.clone() } else { common_divisor(q, &simplified(divided(p, q).1)) }
}

/// A polynomial without multiple roots and, up to positive factors, its derivative and negated remainders.
struct Sturm(Vec<Coefficients>);

impl Sturm {
    /// Has the roots of a polynomial, each once.
    fn new(p: &Coefficients) -> Sturm {
        let simple = simplified(divided(p, &common_divisor(p, &derivative(p))).0);
        let mut chain = vec![simple.clone(), derivative(&simple)];
        while let [.., before, last] = &chain[..]
            && !last.is_empty()
        {
            let next = divided(before, last).1.into_iter().map(|c| -c).collect();
            chain.push(simplified(next));
        }
        Sturm(chain)
    }

    /// How many roots lie above one number and up to another.
    fn count(&self, above: &RBig, up_to: &RBig) -> usize {
        let variations = |t: &RBig| {
            let signs = self.0.iter().map(|p| sign(&value(p, t))).filter(|s| !s.is_zero());
            let signs: Vec<Sign> = signs.collect();
            signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
        };
        variations(above) - variations(up_to)
    }
}

/// The roots from 0 to 1.
fn roots(p: &Coefficients) -> Vec<Algebraic> {
    let sturm = Rc::new(Sturm::new(p));
    let mut open = vec![(RBig::from(-1), RBig::ONE)];
    let mut found = Vec::new();
    while let Some((above, up_to)) = open.pop() {
        match sturm.count(&above, &up_to) {
            0 => {}
            1 => found.push(Algebraic { of: Rc::clone(&sturm), above, up_to }),
            _ => {
                let middle = (&above + &up_to) / RBig::from(2);
                open.push((above, middle.clone()));
                open.push((middle, up_to));
            }
        }
    }
    found.retain(|root| !root.compare(0.0).is_negative());
    found
}

/// The only root of a polynomial above a number and up to another.
struct Algebraic {
    of: Rc<Sturm>,
    above: RBig,
    up_to: RBig,
}

impl Algebraic {
    /// The sign of a polynomial at the root.
    fn sign_of(&mut self, q: &Coefficients) -> Sign {
        if q.len() <= 1 {
            return q.first().map_or(Sign::Zero, sign);
        }
        let common = common_divisor(&self.of.0[0], q);
        if common.len() > 1 && Sturm::new(&common).count(&self.above, &self.up_to) > 0 {
            return Sign::Zero;
        }
        let roots_of_q = Sturm::new(q);
        // Ends: `q` is not zero at the root.
        while roots_of_q.count(&self.above, &self.up_to) > 0 {
            let middle = (&self.above + &self.up_to) / RBig::from(2);
            if self.of.count(&self.above, &middle) == 1 {
                self.up_to = middle;
            } else {
                self.above = middle;
            }
        }
        // No root above one end and up to the other: the sign is that of the upper one.
        sign(&value(q, &self.up_to))
    }

    /// The sign of the root minus a number.
    fn compare(&self, x: f64) -> Sign {
        let x = RBig::try_from(x).expect("a finite number");
        if x <= self.above {
            Sign::Positive
        } else if x > self.up_to || self.of.count(&self.above, &x) == 1 {
            let is_root = x <= self.up_to && sign(&value(&self.of.0[0], &x)).is_zero();
            if is_root { Sign::Zero } else { Sign::Negative }
        } else {
            Sign::Positive
        }
    }
}

/// Whether an answer is the first contact, with the only bracket it may have.
pub fn check(case: &Case, answer: Option<ContactTime>) -> Result<(), String> {
    let conditions = Conditions::new(case);
    let mut contacts = conditions.candidates();
    contacts.retain_mut(|time| conditions.hold_at(time));
    let told = || format!("{answer:?}, {case:?}");
    same(answer.is_some(), !contacts.is_empty(), told)?;
    let Some(ContactTime { lower, upper }) = answer else { return Ok(()) };
    same(lower == upper || lower.next_up() == upper, true, told)?;
    same((0.0..=1.0).contains(&lower) && (0.0..=1.0).contains(&upper), true, told)?;
    let (mut before, mut inside) = (0, 0);
    for time in &contacts {
        // At a float the bracket is that float twice.
        let (from, to) = (time.compare(lower), time.compare(upper));
        before += usize::from(from.is_negative() || (from.is_zero() && lower < upper));
        inside +=
            usize::from(if lower == upper { from.is_zero() } else { from.is_positive() && to.is_negative() });
    }
    same((before, inside > 0), (0, true), told)
}

/// The first contact of a random case, often degenerate, is the one that rational numbers find.
pub fn compare(random: &mut Random) -> Result<(), String> {
    let case = random_case(random);
    check(&case, case.ask())
}

/// Renaming vertices changes nothing, running time backwards not whether there is a contact.
pub fn compare_symmetries(random: &mut Random) -> Result<(), String> {
    let case = random_case(random);
    let answer = case.ask();
    for other in case.renamed() {
        same(other.ask(), answer, || format!("{other:?}, first {case:?}"))?;
    }
    let back = case.backwards();
    same(back.ask().is_some(), answer.is_some(), || format!("{case:?} backwards"))
}
