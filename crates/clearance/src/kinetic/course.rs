//! A pair of bodies in motion: where one is as seen from the other, at a moment and over time.

use super::circle::real_sign;
use super::dyadic::Dyadic;
use super::feature::{LineRef, PointRef, Which};
use super::motion::Motion;
use super::motion::frame::{Frame, Relative, Term};
use super::ring::{Complex, Ring, Series};
use crate::exact::Sign;
use crate::math::{Interval, sin_cos_over};
use glam::DVec2;
use std::cell::{Cell, OnceCell};

/// A motion and the time from which it counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg<'a> {
    pub(crate) start: f64,
    pub(crate) motion: &'a Motion,
}

impl Leg<'_> {
    /// Where it is, `t` the time in any numbers.
    pub(crate) fn frame<R: Ring>(&self, t: &R) -> Frame<R> {
        let since = t.plus(&R::number(-self.start));
        Frame::of(&self.motion.steps, self.start, &since)
    }
}

/// The motions of both bodies.
pub(crate) type Legs<'a> = [Leg<'a>; 2];

/// The body that owns a point as seen from the one that owns a line.
pub(crate) fn relative<R: Ring>(legs: &Legs<'_>, line_of: Which, t: &R) -> Relative<R> {
    let frames = [legs[0].frame(t), legs[1].frame(t)];
    match line_of {
        Which::A => Relative::new(&frames[1], &frames[0]),
        Which::B => Relative::new(&frames[0], &frames[1]),
    }
}

/// The exact sign of a line's value at a point of the other body at a time.
pub(crate) fn exact_side(
    legs: &Legs<'_>,
    line_of: Which,
    line: LineRef<'_>,
    point: PointRef<'_>,
    t: f64,
) -> Sign {
    let map = relative(legs, line_of, &Dyadic::from(t));
    real_sign(&map.side(&line.exact(), &point.exact()), t)
}

/// `x -> (shift + turn x) / scale` with the sines and cosines worked in.
#[derive(Clone, Debug)]
struct Seen {
    shift: Complex<Interval>,
    turn: Complex<Interval>,
    scale: Interval,
}

impl Seen {
    fn new(map: &Relative<Interval>, t: Interval) -> Seen {
        let shift = map.shift.iter().fold(Complex::zero(), |sum, term| sum.plus(&turned(term, t)));
        Seen { shift, turn: turned(&map.turn, t), scale: map.scale }
    }

    fn side(&self, line: &[Interval; 3], point: &[Interval; 3]) -> Interval {
        let [a, b, c] = *line;
        let [x, y, w] = *point;
        let z = self.turn.product(&Complex::new(x, y)).plus(&self.shift.scaled(&w));
        a.product(&z.re).plus(&b.product(&z.im)).plus(&c.product(&self.scale).product(&w))
    }
}

/// The value of a term over a time.
fn turned(term: &Term<Interval>, t: Interval) -> Complex<Interval> {
    if term.angle.is_zero() {
        return term.factor.clone();
    }
    let angle = term.angle.constant.interval().plus(&term.angle.rate.interval().product(&t));
    let at = sin_cos_over(angle);
    term.factor.product(&Complex::new(at.cos, at.sin))
}

/// Both bodies at one time: exact signs, floats first.
#[derive(Debug)]
pub(crate) struct Moment<'a> {
    pub(crate) t: f64,
    legs: Legs<'a>,
    /// What has the line sees the other; by the owner of the line.
    seen: [Seen; 2],
    exact: [OnceCell<Relative<Dyadic>>; 2],
    asked: Cell<u64>,
    asked_exactly: Cell<u64>,
}

impl<'a> Moment<'a> {
    pub(crate) fn new(legs: Legs<'a>, t: f64) -> Moment<'a> {
        let at = Interval::point(t);
        let seen = [Which::A, Which::B].map(|owner| Seen::new(&relative(&legs, owner, &at), at));
        let exact = [OnceCell::new(), OnceCell::new()];
        Moment { t, legs, seen, exact, asked: Cell::new(0), asked_exactly: Cell::new(0) }
    }

    pub(crate) fn legs(&self) -> &Legs<'a> {
        &self.legs
    }

    /// The value of a line of one body at a point of the other, up to a positive factor that belongs to the moment.
    pub(crate) fn value(&self, line_of: Which, line: LineRef<'_>, point: PointRef<'_>) -> Interval {
        self.seen[line_of as usize].side(&line.interval(), &point.interval())
    }

    /// The distance of a point from a line, rounded; negative inside.
    pub(crate) fn distance(&self, line_of: Which, line: LineRef<'_>, point: PointRef<'_>) -> f64 {
        let [a, b, _] = line.interval();
        let [_, _, w] = point.interval();
        let unit = a.middle().hypot(b.middle()) * w.middle() * self.seen[line_of as usize].scale.middle();
        self.value(line_of, line, point).middle() / unit
    }

    /// Its exact sign: positive outside.
    pub(crate) fn side(&self, line_of: Which, line: LineRef<'_>, point: PointRef<'_>) -> Sign {
        self.asked.set(self.asked.get() + 1);
        let value = self.value(line_of, line, point);
        if value.is_positive() {
            return Sign::Positive;
        }
        if value.is_negative() {
            return Sign::Negative;
        }
        self.asked_exactly.set(self.asked_exactly.get() + 1);
        let map =
            self.exact[line_of as usize].get_or_init(|| relative(&self.legs, line_of, &Dyadic::from(self.t)));
        real_sign(&map.side(&line.exact(), &point.exact()), self.t)
    }

    /// How many signs were asked for.
    pub(crate) fn asked(&self) -> u64 {
        self.asked.get()
    }

    /// How many of them floats did not decide.
    pub(crate) fn asked_exactly(&self) -> u64 {
        self.asked_exactly.get()
    }

    /// Whether a line of one body whose value at the nearest point of the other is positive stays on its side of all points of
    /// the other, within `radius` of its origin, since an earlier time.
    ///
    /// Values change by no more than the shift, the turn and the scale do.
    pub(crate) fn survives_since(
        &self,
        earlier: f64,
        line_of: Which,
        line: LineRef<'_>,
        point: PointRef<'_>,
        radius: f64,
    ) -> bool {
        let span = Interval::new(earlier, self.t);
        let over = Seen::new(&relative(&self.legs, line_of, &span), span);
        let width = |z: &Complex<Interval>| z.re.width() + z.im.width();
        let [a, b, c] = line.interval();
        let move_of_points = width(&over.shift) + width(&over.turn) * radius;
        let change = (a.magnitude() + b.magnitude()) * move_of_points + c.magnitude() * over.scale.width();
        self.value(line_of, line, point).lower() > change * 1.001
    }
}

impl Moment<'_> {
    /// Whether two bodies, closest at a point of each, were disjoint since an earlier time: no point of theirs, within `radius` of the
    /// origins, moved by as much as they are apart.
    pub(crate) fn apart_since(&self, earlier: f64, a: DVec2, b: DVec2, radius: f64) -> bool {
        let span = Interval::new(earlier, self.t);
        let over = Seen::new(&relative(&self.legs, Which::A, &span), span);
        let width = |z: &Complex<Interval>| z.re.width() + z.im.width();
        let change = width(&over.shift) + (width(&over.turn) + over.scale.width()) * radius;
        let [a, b] = [a, b].map(|p| Complex::new(Interval::point(p.x), Interval::point(p.y)));
        let seen = &self.seen[Which::A as usize];
        let z = seen.turn.product(&b).plus(&seen.shift).plus(&a.scaled(&seen.scale).negated());
        (z.re.square() + z.im.square()).sqrt().lower() > change * 1.001
    }
}

/// Both bodies over time from a moment on, as polynomials of the time since then.
#[derive(Debug)]
pub(crate) struct Course<'a> {
    legs: Legs<'a>,
    base: f64,
    seen: [OnceCell<Relative<Series<Interval>>>; 2],
}

impl<'a> Course<'a> {
    pub(crate) fn new(legs: Legs<'a>, base: f64) -> Course<'a> {
        Course { legs, base, seen: [OnceCell::new(), OnceCell::new()] }
    }

    /// The value of a line of one body at a point of the other as a function of time.
    pub(crate) fn function<'b>(
        &'b self,
        line_of: Which,
        line: LineRef<'b>,
        point: PointRef<'b>,
        factor: f64,
    ) -> Function<'b> {
        let map = self.seen[line_of as usize]
            .get_or_init(|| relative(&self.legs, line_of, &Series::linear(self.base, 1.0)));
        let constant = |x: Interval| Series(vec![x]);
        let (line_series, point_series) = (line.interval().map(constant), point.interval().map(constant));
        let terms = map.side(&line_series, &point_series);
        let wave = |term: Term<Series<Interval>>| Wave::new(term, factor);
        let waves = terms.into_iter().map(wave).collect();
        Function { legs: self.legs, base: self.base, line_of, line, point, factor, waves }
    }
}

/// The real part of a polynomial times `e^(i angle)`.
#[derive(Clone, Debug)]
struct Wave {
    factor: Complex<Series<Interval>>,
    slope: Complex<Series<Interval>>,
    /// Constant and rate; none if the angle is zero for ever.
    angle: Option<[Interval; 2]>,
}

impl Wave {
    fn new(term: Term<Series<Interval>>, factor: f64) -> Wave {
        let scale = Series::number(factor);
        let z = term.factor.scaled(&scale);
        let slope = Complex::new(z.re.derivative(), z.im.derivative());
        let angle =
            (!term.angle.is_zero()).then(|| [term.angle.constant.interval(), term.angle.rate.interval()]);
        Wave { factor: z, slope, angle }
    }

    /// Value and slope over a time, which is also given since the base.
    fn over(&self, t: Interval, since: Interval) -> [Interval; 2] {
        let Some([constant, rate]) = self.angle else {
            return [self.factor.re.at(&since), self.slope.re.at(&since)];
        };
        let at = sin_cos_over(constant + rate.product(&t));
        let (re, im) = (self.factor.re.at(&since), self.factor.im.at(&since));
        let (slope_re, slope_im) = (self.slope.re.at(&since), self.slope.im.at(&since));
        let value = re.product(&at.cos) - im.product(&at.sin);
        let [slope_re, slope_im] = [slope_re - rate.product(&im), slope_im + rate.product(&re)];
        [value, slope_re.product(&at.cos) - slope_im.product(&at.sin)]
    }
}

/// `factor` times the value of a line at a point, as a function of time.
#[derive(Clone, Debug)]
pub(crate) struct Function<'a> {
    legs: Legs<'a>,
    pub(super) base: f64,
    line_of: Which,
    line: LineRef<'a>,
    point: PointRef<'a>,
    factor: f64,
    waves: Vec<Wave>,
}

impl<'a> Function<'a> {
    /// Value and slope for all times of an interval.
    pub(crate) fn over(&self, t: Interval) -> [Interval; 2] {
        let plain = self.plain(t);
        if t.lower() == t.upper() {
            return plain;
        }
        // The value at a time inside and the slope: tighter where the interval is short.
        let middle = t.middle();
        let [value, _] = self.plain(Interval::point(middle));
        let tight = value + plain[1].product(&(t - Interval::point(middle)));
        [plain[0].intersection(tight).unwrap_or(plain[0]), plain[1]]
    }

    fn plain(&self, t: Interval) -> [Interval; 2] {
        let since = t - Interval::point(self.base);
        let waves = self.waves.iter().map(|wave| wave.over(t, since));
        waves.fold([Interval::ZERO; 2], |sum, wave| [sum[0] + wave[0], sum[1] + wave[1]])
    }

    /// The exact sign at a time.
    pub(crate) fn sign_at(&self, t: f64) -> Sign {
        let [value, _] = self.plain(Interval::point(t));
        if value.is_positive() {
            return Sign::Positive;
        }
        if value.is_negative() {
            return Sign::Negative;
        }
        let sign = exact_side(&self.legs, self.line_of, self.line, self.point, t);
        if self.factor < 0.0 { -sign } else { sign }
    }

    /// Whether it is a polynomial, and no sine or cosine is in it.
    pub(crate) fn is_polynomial(&self) -> bool {
        self.waves.iter().all(|wave| wave.angle.is_none())
    }

    /// The largest rate of an angle in it.
    pub(crate) fn rate(&self) -> f64 {
        self.waves
            .iter()
            .filter_map(|wave| wave.angle)
            .fold(0.0, |rate, angle| rate.max(angle[1].magnitude()))
    }

    /// The coefficients of a polynomial since the base, rounded; none of another function.
    pub(super) fn coefficients(&self) -> Option<Vec<Interval>> {
        match &self.waves[..] {
            [] => Some(Vec::new()),
            [wave] if wave.angle.is_none() => Some(wave.factor.re.0.clone()),
            _ => None,
        }
    }

    /// As exact polynomials of `x` with the time `start + x width`, one for each angle.
    pub(super) fn exact_terms(&self, start: f64, width: Dyadic) -> Vec<Term<Series<Dyadic>>> {
        let t = Series(vec![Dyadic::from(start), width]);
        let map = relative(&self.legs, self.line_of, &t);
        let constant = |x: Dyadic| Series(vec![x]);
        let sum = map.side(&self.line.exact().map(constant), &self.point.exact().map(constant));
        let factor = Series::number(self.factor);
        sum.into_iter().map(|term| term.scaled(&factor)).collect()
    }

    /// The same function with every coefficient computed exactly and then rounded: what cancels is gone.
    pub(crate) fn sharpened(&self) -> Function<'a> {
        Function { waves: rounded(self.exact_terms(self.base, Dyadic::from(1.0))), ..self.clone() }
    }

    /// Until when the function does not fall below its value at a time, if that can be proved where floats do not know its slope: its first
    /// derivatives are not negative at the time, exactly, and the next one is not negative from there on.
    pub(crate) fn rises_until(&self, from: f64, until: f64, least: f64) -> Option<f64> {
        let mut terms = self.exact_terms(from, Dyadic::from(1.0));
        for _ in 0..MOST_DERIVATIVES {
            terms = terms.iter().map(derivative).collect();
            let constant = |series: &Series<Dyadic>| series.0.first().cloned().unwrap_or(Dyadic::from(0.0));
            let now: Vec<Term<Dyadic>> = terms
                .iter()
                .map(|Term { factor, angle }| Term {
                    factor: Complex::new(constant(&factor.re), constant(&factor.im)),
                    angle: angle.clone(),
                })
                .collect();
            if real_sign(&now, from).is_negative() {
                return None;
            }
            let slope = Function { base: from, waves: rounded(terms.clone()), ..self.clone() };
            let ends = (0..64).map(|k| from + (until - from) * 0.5f64.powi(k));
            let mut ends = ends.take_while(|&end| end - from > least);
            if let Some(end) = ends.find(|&end| slope.plain(Interval::new(from, end))[0].lower() >= 0.0) {
                return Some(end);
            }
        }
        None
    }

    /// Whether it is zero at all times, because every coefficient is.
    pub(crate) fn is_zero_for_ever(&self) -> bool {
        let is_zero = |series: &Series<Dyadic>| series.0.iter().all(Dyadic::is_zero);
        self.exact_terms(0.0, Dyadic::from(1.0))
            .iter()
            .all(|term| is_zero(&term.factor.re) && (term.angle.is_zero() || is_zero(&term.factor.im)))
    }
}

/// Derivatives that are looked at where a function is zero: of motions of low degree the second is not zero as a rule.
const MOST_DERIVATIVES: usize = 8;

/// The derivative of `factor e^(i angle)`.
fn derivative(Term { factor, angle }: &Term<Series<Dyadic>>) -> Term<Series<Dyadic>> {
    let rate = Series(vec![angle.rate.clone()]);
    let turned = Complex::new(factor.im.product(&rate).negated(), factor.re.product(&rate));
    let grown = Complex::new(factor.re.derivative(), factor.im.derivative());
    Term { factor: grown.plus(&turned), angle: angle.clone() }
}

fn rounded(terms: Vec<Term<Series<Dyadic>>>) -> Vec<Wave> {
    let series = |series: &Series<Dyadic>| Series(series.0.iter().map(Dyadic::interval).collect());
    let wave = |Term { factor, angle }: Term<Series<Dyadic>>| {
        Wave::new(Term { factor: Complex::new(series(&factor.re), series(&factor.im)), angle }, 1.0)
    };
    terms.into_iter().map(wave).collect()
}
