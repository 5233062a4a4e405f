//! Which sums of supports bound the support along any other direction.
//!
//! The support of a region along `w` is a linear program over its half-spaces. By duality, whenever `w = y1 d1 + y2 d2 +
//! y3 d3` with `y >= 0`, the sum `y1 c1 + y2 c2 + y3 c3` of supports is an upper bound, and the least one over all such
//! triples, the *bases*, is the support itself. If the hull is tight, few bases are needed:
//!
//! **A basis whose cone contains a fourth direction `d = a1 d1 + a2 d2 + a3 d3`, `a >= 0`, is never needed.** Supports of
//! a set are subadditive, `c_d <= a1 c1 + a2 c2 + a3 c3`, so taking as much of `d` as `w` allows drops one of the three and
//! costs no more; the cone shrinks, and as there are finitely many it ends in a basis with an *empty* cone. The lists
//! below are all empty cones that contain `w` for `0 <= w1 <= w2 <= w3`; every `w` becomes such a one by changing
//! signs and the order of axes, which the sets of directions allow. For 14 directions there are two, the two pivots of
//! [Konecny97 §3.2], whose theorem about dual polytopes this replaces; 6 directions have one, 18 at most four, 26 at most
//! five at a time.

/// Three directions and the weights with which they sum to `w`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Basis {
    /// In the frame where `0 <= w1 <= w2 <= w3`.
    pub directions: [[i8; 3]; 3],
    /// Twice the weights as forms of `(w1, w2, w3)`.
    pub doubled_weights: [[i8; 3]; 3],
}

/// Bases that exclude each other: where one ends, the next begins with equal values.
pub(crate) type Slot = &'static [Basis];

/// Most slots of any set.
pub(crate) const MOST_SLOTS: usize = 5;

/// The slots of the set with `K` directions. The first one is never without a basis.
pub(crate) const fn slots<const K: usize>() -> &'static [Slot] {
    match K {
        6 => &[&[BOX]],
        14 => &[&[FIRST_PIVOT], &[SECOND_PIVOT]],
        18 => &[&[FACE_A], &[CORNER, TRIPLE], &[FACE_B], &[FACE_C]],
        _ => &[&[FLAG], &[LEFT, LEFT_FAR], &[CORNER, TENT], &[BACK, BACK_FAR], &[SIDE, SIDE_FAR]],
    }
}

const fn basis(directions: [[i8; 3]; 3], doubled_weights: [[i8; 3]; 3]) -> Basis {
    Basis { directions, doubled_weights }
}

const BOX: Basis = basis([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[2, 0, 0], [0, 2, 0], [0, 0, 2]]);

const FIRST_PIVOT: Basis = basis([[0, 1, 0], [0, 0, 1], [1, 1, 1]], [[-2, 2, 0], [-2, 0, 2], [2, 0, 0]]);
const SECOND_PIVOT: Basis = basis([[0, 0, 1], [1, 1, 1], [-1, 1, 1]], [[0, -2, 2], [1, 1, 0], [-1, 1, 0]]);

const FACE_A: Basis = basis([[0, 0, 1], [1, 1, 0], [0, 1, 1]], [[2, -2, 2], [2, 0, 0], [-2, 2, 0]]);
const FACE_B: Basis = basis([[0, 1, 0], [0, 1, 1], [1, 0, 1]], [[2, 2, -2], [-2, 0, 2], [2, 0, 0]]);
const FACE_C: Basis = basis([[1, 0, 0], [0, 1, 1], [1, 0, 1]], [[2, 2, -2], [0, 2, 0], [0, -2, 2]]);
/// For `w3 >= w1 + w2`; also of the set of 26.
const CORNER: Basis = basis([[0, 0, 1], [0, 1, 1], [1, 0, 1]], [[-2, -2, 2], [0, 2, 0], [2, 0, 0]]);
/// For `w3 <= w1 + w2`.
const TRIPLE: Basis = basis([[1, 1, 0], [0, 1, 1], [1, 0, 1]], [[1, 1, -1], [-1, 1, 1], [1, -1, 1]]);

const FLAG: Basis = basis([[0, 0, 1], [1, 1, 1], [0, 1, 1]], [[0, -2, 2], [2, 0, 0], [-2, 2, 0]]);
/// For `w1 + w3 >= 2 w2`.
const LEFT: Basis = basis([[0, 0, 1], [1, 1, 1], [-1, 0, 1]], [[2, -4, 2], [0, 2, 0], [-2, 2, 0]]);
/// For `w1 + w3 <= 2 w2`.
const LEFT_FAR: Basis = basis([[1, 1, 1], [0, 1, 1], [-1, 0, 1]], [[2, -2, 2], [-2, 4, -2], [0, -2, 2]]);
/// For `w3 <= w1 + w2`.
const TENT: Basis = basis([[1, 1, 1], [0, 1, 1], [1, 0, 1]], [[2, 2, -2], [-2, 0, 2], [0, -2, 2]]);
/// For `w1 + w2 <= w3 <= w1 + 2 w2`.
const BACK: Basis = basis([[-1, 1, 1], [0, 1, 1], [1, 0, 1]], [[-2, -2, 2], [2, 4, -2], [0, -2, 2]]);
/// For `w3 >= w1 + 2 w2`.
const BACK_FAR: Basis = basis([[0, 0, 1], [-1, 1, 1], [1, 0, 1]], [[-2, -4, 2], [0, 2, 0], [2, 2, 0]]);
/// For `w1 + w2 <= w3 <= 2 w1 + w2`.
const SIDE: Basis = basis([[1, -1, 1], [0, 1, 1], [1, 0, 1]], [[-2, -2, 2], [-2, 0, 2], [4, 2, -2]]);
/// For `w3 >= 2 w1 + w2`.
const SIDE_FAR: Basis = basis([[0, 0, 1], [1, -1, 1], [0, 1, 1]], [[-4, -2, 2], [2, 0, 0], [2, 2, 0]]);

impl Basis {
    /// The weights for `0 <= w1 <= w2 <= w3`, or `None` if one is negative.
    ///
    /// Factors are powers of two and the largest term comes first, so that two sums are all that rounds: a weight with
    /// factors `k` errs by at most `u (|k1| + |k2| + |k3|) w3`, and differences of neighbours are never negative.
    #[inline(always)]
    pub(crate) fn weights(&self, w: [f64; 3]) -> Option<[f64; 3]> {
        let weights = self.doubled_weights.map(|k| {
            let [a, b, c] = [0, 1, 2].map(|i| f64::from(k[i]) * w[i]);
            0.5 * ((c + b) + a)
        });
        weights.iter().all(|&y| y >= 0.0).then_some(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::super::directions::Directions;
    use super::*;

    fn determinant([a, b, c]: [[i32; 3]; 3]) -> i32 {
        a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
            + a[2] * (b[0] * c[1] - b[1] * c[0])
    }

    /// Twice the weights with which three independent directions sum to `w`, times their determinant's size.
    fn cramer([a, b, c]: [[i32; 3]; 3], w: [i32; 3]) -> [i32; 3] {
        let sign = determinant([a, b, c]).signum();
        [[w, b, c], [a, w, c], [a, b, w]].map(|m| sign * determinant(m))
    }

    fn integers(d: [[i8; 3]; 3]) -> [[i32; 3]; 3] {
        d.map(|d| d.map(i32::from))
    }

    /// All triples with an empty cone that contains `w` in its inside.
    fn empty_cones<const K: usize>(w: [i32; 3]) -> Vec<[[i32; 3]; 3]> {
        let all = Directions::<K>::ALL.map(|d| d.map(i32::from));
        let mut found = Vec::new();
        for i in 0..K {
            for j in 0..i {
                for k in 0..j {
                    let triple = [all[i], all[j], all[k]];
                    let inside = |d: &[i32; 3]| cramer(triple, *d).iter().all(|y| *y >= 0);
                    let others = || all.iter().filter(|d| !triple.contains(d));
                    let strictly = |w: [i32; 3]| cramer(triple, w).iter().all(|y| *y > 0);
                    if determinant(triple) != 0 && strictly(w) && !others().any(inside) {
                        found.push(triple);
                    }
                }
            }
        }
        found
    }

    /// For every generic `w` the chosen bases are exactly the empty cones that contain it.
    fn check<const K: usize>() {
        // No two of the forms that bound cones are equal at these.
        for w in [
            [1, 10, 100],
            [10, 51, 100],
            [10, 60, 100],
            [30, 66, 100],
            [45, 50, 100],
            [50, 97, 100],
            [90, 93, 100],
        ] {
            let mut want = empty_cones::<K>(w);
            let floats = w.map(f64::from);
            let chosen =
                slots::<K>().iter().filter_map(|slot| slot.iter().find(|b| b.weights(floats).is_some()));
            let mut count = 0;
            for basis in chosen {
                count += 1;
                let directions = integers(basis.directions);
                let at = want.iter().position(|t| directions.iter().all(|d| t.contains(d)));
                want.swap_remove(
                    at.unwrap_or_else(|| panic!("{directions:?} is not an empty cone of {w:?}")),
                );
            }
            assert!(want.is_empty(), "{K}: {w:?} also lies in {want:?}");
            assert!((1..=MOST_SLOTS).contains(&count));
        }
    }

    #[test]
    fn the_bases_are_all_empty_cones() {
        check::<6>();
        check::<14>();
        check::<18>();
        check::<26>();
    }

    #[test]
    fn weights_give_the_vector_back() {
        let all = [slots::<6>(), slots::<14>(), slots::<18>(), slots::<26>()];
        for basis in all.iter().flat_map(|set| set.iter()).flat_map(|slot| slot.iter()) {
            let (d, k) = (integers(basis.directions), integers(basis.doubled_weights));
            for axis in 0..3 {
                // The sum of form times direction, as a form, is twice the coordinate.
                let form = [0, 1, 2].map(|w| (0..3).map(|i| k[i][w] * d[i][axis]).sum::<i32>());
                assert_eq!(form, [0, 1, 2].map(|w| if w == axis { 2 } else { 0 }), "{basis:?}");
            }
        }
    }

    #[test]
    fn the_first_slot_always_has_a_basis() {
        let sizes = [0.0, f64::from_bits(1), 0.1, 0.1f64.next_up(), 0.3, 1.0, 1.0f64.next_up(), 1e300];
        for (i, &a) in sizes.iter().enumerate() {
            for (j, &b) in sizes.iter().enumerate().skip(i) {
                for &c in &sizes[j..] {
                    let has = |slot: Slot| slot.iter().any(|basis| basis.weights([a, b, c]).is_some());
                    assert!(has(slots::<6>()[0]) && has(slots::<14>()[0]) && has(slots::<14>()[1]));
                    assert!(has(slots::<18>()[0]) && has(slots::<26>()[0]) && has(slots::<26>()[1]));
                    // One side of each alternative is there, whatever was rounded.
                    assert!(has(slots::<18>()[1]) && has(slots::<26>()[2]), "{a:e} {b:e} {c:e}");
                }
            }
        }
    }
}
