//! The fixed directions: coordinate axes, diagonals of the cube, diagonals of its faces.
//!
//! All entries are -1, 0 or 1, so extents along them are sums of coordinates and everything stays rational; the paper
//! normalises its directions instead [Konecny97 §2]. Lengths 1, `sqrt 2` and `sqrt 3` enter only where a Euclidean
//! bound is asked for.

use glam::DVec3;

/// One direction of each opposite pair: three axes, four diagonals of the cube, six diagonals of faces.
const HALF: [[i8; 3]; 13] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 1, 1],
    [-1, 1, 1],
    [1, -1, 1],
    [1, 1, -1],
    [1, 1, 0],
    [1, -1, 0],
    [1, 0, 1],
    [1, 0, -1],
    [0, 1, 1],
    [0, 1, -1],
];

/// The products of a point with [`HALF`], rounded to nearest after each sum.
#[inline(always)]
fn products(p: DVec3) -> [f64; 13] {
    let DVec3 { x, y, z } = p;
    [x, y, z, (x + y) + z, (y - x) + z, (x - y) + z, (x + y) - z, x + y, x - y, x + z, x - z, y + z, y - z]
}

/// The set of `K` directions; `K` is 6, 14, 18 or 26, anything else does not compile.
pub(super) struct Directions<const K: usize>;

impl<const K: usize> Directions<K> {
    /// Opposite pairs.
    pub(super) const PAIRS: usize = K / 2;

    /// Where in [`HALF`] each direction, or its opposite, stands.
    const MEMBERS: [usize; K] = members();

    /// The directions; number `i + K / 2` is minus number `i`.
    pub(super) const ALL: [[i8; 3]; K] = directions();

    /// The square of the length of each: 1, 2 or 3.
    pub(super) const LENGTH_SQUARED: [usize; K] = lengths_squared(&Self::ALL);

    /// The number of each direction `[x, y, z]`, at `13 + 9x + 3y + z`; 255 where the set has none.
    pub(super) const NUMBERS: [u8; 27] = numbers(&Self::ALL);

    /// The number of the opposite direction.
    #[inline(always)]
    pub(super) const fn opposite(direction: usize) -> usize {
        if direction < K / 2 { direction + K / 2 } else { direction - K / 2 }
    }

    /// The products of a point with all directions: exact along axes, otherwise within `2.01u |p|_1`, `u = 2^-53`.
    #[inline(always)]
    pub(super) fn heights(p: DVec3) -> [f64; K] {
        let all = products(p);
        std::array::from_fn(|i| {
            let height = all[Self::MEMBERS[i]];
            if i < Self::PAIRS { height } else { -height }
        })
    }
}

const fn members<const K: usize>() -> [usize; K] {
    assert!(matches!(K, 6 | 14 | 18 | 26), "fixed-direction hulls have 6, 14, 18 or 26 directions");
    let mut found = [0; K];
    let mut i = 0;
    while i < K {
        let pair = i % (K / 2);
        // 18 directions are the axes and the diagonals of faces, without those of the cube.
        found[i] = if K == 18 && pair >= 3 { pair + 4 } else { pair };
        i += 1;
    }
    found
}

const fn directions<const K: usize>() -> [[i8; 3]; K] {
    let members = members::<K>();
    let mut all = [[0; 3]; K];
    let mut i = 0;
    while i < K {
        let [x, y, z] = HALF[members[i]];
        all[i] = if i < K / 2 { [x, y, z] } else { [-x, -y, -z] };
        i += 1;
    }
    all
}

const fn lengths_squared<const K: usize>(all: &[[i8; 3]; K]) -> [usize; K] {
    let mut squares = [0; K];
    let mut i = 0;
    while i < K {
        let [x, y, z] = all[i];
        squares[i] = (x * x + y * y + z * z) as usize;
        i += 1;
    }
    squares
}

const fn numbers<const K: usize>(all: &[[i8; 3]; K]) -> [u8; 27] {
    let mut numbers = [u8::MAX; 27];
    let mut i = 0;
    while i < K {
        numbers[digits(all[i])] = i as u8;
        i += 1;
    }
    numbers
}

const fn digits([x, y, z]: [i8; 3]) -> usize {
    (13 + 9 * x + 3 * y + z) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const K: usize>() {
        let all = Directions::<K>::ALL;
        for (i, d) in all.iter().enumerate() {
            assert_eq!(all[Directions::<K>::opposite(i)], d.map(|x| -x));
            assert_eq!(Directions::<K>::NUMBERS[digits(*d)] as usize, i);
            assert!(all[..i].iter().all(|other| other != d), "{d:?} twice");
        }
        let p = DVec3::new(100.0, 10.0, 1.0);
        let vector = |d: [i8; 3]| DVec3::from_array(d.map(f64::from));
        let want = all.map(|d| vector(d).dot(p));
        assert_eq!(Directions::<K>::heights(p), want);
    }

    #[test]
    fn sets_are_what_they_are_called() {
        check::<6>();
        check::<14>();
        check::<18>();
        check::<26>();
        let squares = |all: &[usize]| [1, 2, 3].map(|s| all.iter().filter(|x| **x == s).count());
        assert_eq!(squares(&Directions::<6>::LENGTH_SQUARED), [6, 0, 0]);
        assert_eq!(squares(&Directions::<14>::LENGTH_SQUARED), [6, 0, 8]);
        assert_eq!(squares(&Directions::<18>::LENGTH_SQUARED), [6, 12, 0]);
        assert_eq!(squares(&Directions::<26>::LENGTH_SQUARED), [6, 12, 8]);
    }
}
