//! Where the line of motion enters `M = B - A`, so far as floats can tell.
//!
//! A *portal* is a triangle of vertices of `M` that the line passes through. The first one is found in the plane across the
//! motion; then the vertex of `M` farthest outside of its plane takes the place of one of its corners, until there is none:
//! the portal then lies in a facet. What is proposed here is proved by [`super::facet`].

use super::model::Model;
use crate::pair::{Corner, Relative, View};
use glam::{DVec2, DVec3};

/// Supports that are asked for before the case is handed on; common pairs need three, then three to six.
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

/// A search for the facet that the line enters through.
pub(super) struct PortalSearch<'a, 'b> {
    view: &'b View<'a>,
    pair: &'b Relative<'a>,
    /// How the bodies move, of unit length, in the frame of A.
    along: DVec3,
    /// How far, in units.
    travel: f64,
    across: Across,
    portal: [Seen; 3],
}

/// How well a lowest vertex is known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Precision {
    /// Up to the rounding of `f32`.
    Single,
    /// Up to that of `f64`.
    Double,
}

impl<'a, 'b> PortalSearch<'a, 'b> {
    /// `first` is a vertex of `M` to begin with, if one is known.
    #[inline]
    pub fn new(
        view: &'b View<'a>,
        pair: &'b Relative<'a>,
        model: &Model,
        travel: f64,
        first: Option<Corner>,
    ) -> PortalSearch<'a, 'b> {
        let along = model.along();
        let u = along.any_orthonormal_vector();
        let across = Across { u, v: along.cross(u) };
        let corner = first.unwrap_or_else(|| pair.lowest(model.toward_entry()));
        let portal = [Seen { corner, at: across.seen(corner.point) }; 3];
        PortalSearch { view, pair, along, travel, across, portal }
    }
}

fn unclear(seen: &[Seen]) -> Proposed {
    let mut seeds = Seeds::default();
    seen.iter().for_each(|s| seeds.push(s.corner.vertices));
    Proposed::Unclear(seeds)
}

/// How far from the entry the corners of a first portal are looked for, as a part of the size of `M`, squared: four times
/// as far as the vertices of a body of so many are from each other, or less. Counted over all shapes and sizes of
/// `lab sweep`: three to five times is as good.
fn share_squared(view: &View<'_>) -> f64 {
    let count = view.a.polytope().vertices().len() + view.b.polytope().vertices().len();
    (16.0 / count as f64).min(1.0)
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

impl PortalSearch<'_, '_> {
    /// Finds a triangle around zero in the plane across the motion, counter-clockwise: simplices that close in on zero.
    ///
    /// Any vertex beyond zero will do, so one close to where the line probably enters is tried first: it is nearer to the facet
    /// than the silhouette is. Only a direction across the motion can tell that the line misses `M`.
    #[inline]
    pub fn begin(&mut self, model: &Model) -> Result<(), Proposed> {
        let PortalSearch { pair, across, portal: simplex, .. } = self;
        let beside = model.beside([across.u, across.v], share_squared(self.view));
        let mut len = 1;
        let mut direction = simplex[0].at;
        for _ in 0..ROUNDS {
            let is_direction = direction.length_squared() > 0.0;
            if !is_direction {
                direction = DVec2::X;
            }
            let mut corner = pair.lowest(beside.toward(direction));
            let mut at = across.seen(corner.point);
            let is_known =
                |corner: &Corner| simplex[..len].iter().any(|s| s.corner.vertices == corner.vertices);
            if direction.dot(at) > 0.0 || is_known(&corner) {
                let flat = across.direction(direction);
                corner = pair.lowest(flat);
                at = across.seen(corner.point);
                if direction.dot(at) > 0.0 {
                    return Err(Proposed::Apart(pair.to_world(flat), corner.vertices));
                }
            }
            if is_known(&corner) {
                break;
            }
            simplex[len] = Seen { corner, at };
            len += 1;
            match len {
                2 => direction = toward(simplex, &mut len),
                _ => {
                    let [a, b, c] = simplex.each_ref().map(|seen| seen.at);
                    let area = (b - a).perp_dot(c - a);
                    let turns = [(a, b), (b, c), (c, a)].map(|(s, t)| s.perp_dot(t) * area.signum());
                    if area != 0.0 && turns.iter().all(|&turn| turn >= 0.0) {
                        if area < 0.0 {
                            simplex.swap(1, 2);
                        }
                        return Ok(());
                    }
                    // The newest corner stays; of its two edges the one that zero lies beyond, or beyond more.
                    if turns[1] < turns[2] {
                        simplex[0] = simplex[1];
                    }
                    simplex[1] = simplex[2];
                    len = 2;
                    direction = toward(simplex, &mut len);
                }
            }
        }
        Err(unclear(&simplex[..len]))
    }

    /// Moves the portal out to a facet.
    #[inline]
    pub fn refine(&mut self, precision: Precision) -> Proposed {
        for _ in 0..ROUNDS {
            let portal = &self.portal;
            let [p, q, r] = portal.each_ref().map(|seen| seen.corner.point);
            // Against the motion, because the portal turns counter-clockwise seen along it.
            let normal = (r - p).cross(q - p);
            let slope = -normal.dot(self.along);
            let corner = self.lowest(normal, precision);
            if normal.dot(corner.point) > self.travel * slope {
                return Proposed::Apart(self.pair.to_world(normal), corner.vertices);
            }
            // Lengths are about one in units.
            let rounding = 64.0 * f64::EPSILON * normal.abs().element_sum();
            let is_known = portal.iter().any(|seen| seen.corner.vertices == corner.vertices);
            if is_known || normal.dot(corner.point - p) >= -rounding {
                return Proposed::Facet(portal.each_ref().map(|seen| seen.corner.vertices));
            }
            let new = Seen { corner, at: self.across.seen(corner.point) };
            let turns = portal.each_ref().map(|seen| new.at.perp_dot(seen.at));
            // The new corner and two that follow each other go around zero: the third one goes. (Without a branch this takes
            // longer: the next normal then waits for which one it is.)
            match (0..3).find(|&i| turns[i] >= 0.0 && turns[(i + 1) % 3] <= 0.0) {
                Some(i) => self.portal[(i + 2) % 3] = new,
                None => return unclear(&[portal[0], portal[1], portal[2], new]),
            }
        }
        unclear(&self.portal)
    }

    #[inline(always)]
    fn lowest(&self, direction: DVec3, precision: Precision) -> Corner {
        match precision {
            Precision::Single => self.pair.lowest(direction),
            Precision::Double => {
                let hints = self.portal[0].corner.vertices;
                let support = self.view.support(self.pair.to_world(direction), hints);
                self.pair.corner((support.vertex_a, support.vertex_b))
            }
        }
    }
}
