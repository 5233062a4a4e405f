//! Where the line of motion enters `M = B - A`, so far as floats can tell.
//!
//! A *portal* is a triangle of vertices of `M` that the line passes through. The first one is found in the plane across the
//! motion; then the vertex of `M` farthest outside of its plane takes the place of one of its corners, until there is none:
//! the portal then lies in a facet. What is proposed here is proved by [`super::facet`].

use crate::pair::{Corner, Relative, View};
use glam::{DVec2, DVec3};

/// Supports that are asked for before the case is handed on; common pairs need three, then four to eight.
const ROUNDS: usize = 48;

/// Vertex pairs: at most four.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seeds {
    pairs: [(u32, u32); 4],
    len: usize,
}

impl Seeds {
    pub fn as_slice(&self) -> &[(u32, u32)] {
        &self.pairs[..self.len]
    }

    pub fn of(pairs: &[(u32, u32)]) -> Seeds {
        let mut seeds = Seeds::default();
        pairs.iter().for_each(|&pair| seeds.push(pair));
        seeds
    }

    fn push(&mut self, pair: (u32, u32)) {
        if self.len < 4 && !self.as_slice().contains(&pair) {
            self.pairs[self.len] = pair;
            self.len += 1;
        }
    }
}

/// What floats propose.
pub(super) enum Proposed {
    /// A direction of the world that seems to separate the bodies during the whole motion.
    Apart(DVec3, (u32, u32)),
    /// A portal that seems to be part of a facet.
    Facet([(u32, u32); 3]),
    /// Nothing.
    Unclear(Seeds),
}

/// The plane across the motion, in the frame of A.
struct Across {
    u: DVec3,
    v: DVec3,
    along: DVec3,
}

impl Across {
    fn seen(&self, point: DVec3) -> DVec2 {
        DVec2::new(self.u.dot(point), self.v.dot(point))
    }

    fn direction(&self, d: DVec2) -> DVec3 {
        self.u * d.x + self.v * d.y
    }
}

/// A corner and where it is seen along the motion.
#[derive(Clone, Copy)]
struct Seen {
    corner: Corner,
    at: DVec2,
}

/// Searches along a unit direction of motion in the frame of A; `travel` is how far the motion goes, in units.
///
/// `first` is a vertex of `M` to begin with, best one on the side of zero.
pub(super) fn propose(
    view: &View<'_>,
    pair: &Relative<'_>,
    along: DVec3,
    travel: f64,
    first: Corner,
) -> Proposed {
    let u = along.any_orthonormal_vector();
    let across = Across { u, v: along.cross(u), along };
    match first_portal(pair, &across, first) {
        Ok(portal) => refine(view, pair, &across, along, travel, portal),
        Err(other) => other.in_world(pair),
    }
}

impl Proposed {
    fn in_world(self, pair: &Relative<'_>) -> Proposed {
        match self {
            Proposed::Apart(direction, vertices) => Proposed::Apart(pair.to_world(direction), vertices),
            other => other,
        }
    }
}

fn unclear(seen: &[Seen]) -> Proposed {
    let mut seeds = Seeds::default();
    seen.iter().for_each(|s| seeds.push(s.corner.vertices));
    Proposed::Unclear(seeds)
}

/// A triangle around zero in the plane across the motion, counter-clockwise: simplices that close in on zero.
///
/// Any vertex beyond zero will do, so those that also lie where the line comes in are tried first: they are nearer to the
/// facet than the silhouette is. Only a direction across the motion can tell that the line misses `M`.
fn first_portal(pair: &Relative<'_>, across: &Across, first: Corner) -> Result<[Seen; 3], Proposed> {
    let first = Seen { corner: first, at: across.seen(first.point) };
    let (mut simplex, mut len) = ([first; 3], 1);
    let mut direction = first.at;
    for _ in 0..ROUNDS {
        let is_direction = direction.length_squared() > 0.0;
        if !is_direction {
            direction = DVec2::X;
        }
        let flat = across.direction(direction);
        let mut corner = pair.lowest(flat - across.along * direction.length());
        let mut at = across.seen(corner.point);
        let is_known = |corner: &Corner| simplex[..len].iter().any(|s| s.corner.vertices == corner.vertices);
        if direction.dot(at) > 0.0 || is_known(&corner) {
            corner = pair.lowest(flat);
            at = across.seen(corner.point);
            if direction.dot(at) > 0.0 {
                return Err(Proposed::Apart(flat, corner.vertices));
            }
        }
        if is_known(&corner) {
            break;
        }
        simplex[len] = Seen { corner, at };
        len += 1;
        match len {
            1 => direction = at,
            2 => direction = toward(&mut simplex, &mut len),
            _ => {
                let [a, b, c] = simplex;
                let area = (b.at - a.at).perp_dot(c.at - a.at);
                let turns = [(a, b), (b, c), (c, a)].map(|(s, t)| s.at.perp_dot(t.at) * area.signum());
                if area != 0.0 && turns.iter().all(|&turn| turn >= 0.0) {
                    return Ok(if area > 0.0 { [a, b, c] } else { [a, c, b] });
                }
                // The newest corner stays; of its two edges the one that zero lies beyond, or beyond more.
                simplex = if turns[1] < turns[2] { [b, c, c] } else { [a, c, c] };
                len = 2;
                direction = toward(&mut simplex, &mut len);
            }
        }
    }
    Err(unclear(&simplex[..len]))
}

/// From zero to the nearest point of the segment of the first two, of which only the nearest corner is kept if it is one.
fn toward(simplex: &mut [Seen; 3], len: &mut usize) -> DVec2 {
    let [a, b, _] = *simplex;
    let along = b.at - a.at;
    let place = -a.at.dot(along);
    if place <= 0.0 {
        *len = 1;
        return a.at;
    }
    if place >= along.length_squared() {
        simplex[0] = b;
        *len = 1;
        return b.at;
    }
    let side = along.perp();
    if side.dot(a.at) < 0.0 { -side } else { side }
}

/// Moves the portal out to a facet.
fn refine(
    view: &View<'_>,
    pair: &Relative<'_>,
    across: &Across,
    along: DVec3,
    travel: f64,
    mut portal: [Seen; 3],
) -> Proposed {
    for _ in 0..ROUNDS {
        let [p, q, r] = portal.map(|seen| seen.corner.point);
        // Against the motion, because the portal turns counter-clockwise seen along it.
        let normal = (r - p).cross(q - p);
        let slope = -normal.dot(along);
        let mut corner = pair.lowest(normal);
        // Lengths are about one in units.
        let rounding = 64.0 * f64::EPSILON * normal.abs().element_sum();
        let is_known = |corner: &Corner| portal.iter().any(|seen| seen.corner.vertices == corner.vertices);
        let is_final = |corner: &Corner| is_known(corner) || normal.dot(corner.point - p) >= -rounding;
        if normal.dot(corner.point) > travel * slope {
            return Proposed::Apart(pair.to_world(normal), corner.vertices);
        }
        if is_final(&corner) {
            // What is lowest up to the rounding of `f32` need not be so in `f64`.
            let support = view.support(pair.to_world(normal), corner.vertices);
            corner = pair.corner((support.vertex_a, support.vertex_b));
            if is_final(&corner) {
                return Proposed::Facet(portal.map(|seen| seen.corner.vertices));
            }
        }
        let new = Seen { corner, at: across.seen(corner.point) };
        let holds_zero = |i: usize| {
            let (from, to) = (portal[i].at, portal[(i + 1) % 3].at);
            new.at.perp_dot(from) >= 0.0 && to.perp_dot(new.at) >= 0.0
        };
        match (0..3).find(|&i| holds_zero(i)) {
            Some(i) => portal = [new, portal[i], portal[(i + 1) % 3]],
            None => return unclear(&[portal[0], portal[1], portal[2], new]),
        }
    }
    unclear(&portal)
}
