//! Which ways the normals of proper contacts may point: about straight out of a surface where it is smooth.
//!
//! Let `n` point out of a body, to the other, and let `k` be how improper a contact may be. A vertex with edges `e` allows `n` only
//! if `e . n <= k` for all of them. An edge allows what is across it and has `f . n <= k` for its faces, with `f` the way from the
//! edge into the face, at a right angle. A face allows its normal. Where edges are not sharp all of these are close to one line,
//! so two parts whose lines differ by more are not looked at: they overlap beside every contact they have.

use super::surface::{NONE, Surface};
use crate::math::{Turn, coarse_angle};
use glam::DVec3;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Cones are for contacts at most so improper, and a little more for rounding.
pub(super) const IMPROPER: f64 = 0.1;

/// Directions here are right but for less than this: triangles that are flatter allow everything.
pub(super) const ROUGH: f64 = 1e-4;

/// Triangles with a smaller sine between two sides have a normal that is rounded too much.
const FLAT: f64 = 1e-7;

/// Vertices with more edges allow everything.
const MANY: usize = 24;

/// All directions within an angle of an axis or of its opposite.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cone {
    pub axis: DVec3,
    /// Of the angle, which is at most a right one.
    pub cos: f64,
    pub sin: f64,
    angle: f64,
}

impl Cone {
    const ALL: Cone = Cone { axis: DVec3::Z, cos: 0.0, sin: 1.0, angle: FRAC_PI_2 };

    fn new(axis: DVec3, angle: f64) -> Cone {
        match angle < FRAC_PI_2 {
            true => {
                let turn = Turn::of(angle);
                Cone { axis, cos: 1.0 - turn.versine, sin: turn.sin, angle }
            }
            false => Cone::ALL,
        }
    }

    /// Around two.
    fn union(self, other: Cone) -> Cone {
        if self.angle >= FRAC_PI_2 || other.angle >= FRAC_PI_2 {
            return Cone::ALL;
        }
        let along = self.axis.dot(other.axis);
        let (other_axis, along) = if along < 0.0 { (-other.axis, -along) } else { (other.axis, along) };
        let apart = coarse_angle(self.axis.cross(other_axis).length(), along);
        if apart + other.angle <= self.angle {
            return self;
        }
        if apart + self.angle <= other.angle {
            return other;
        }
        let angle = 0.5 * (self.angle + other.angle + apart);
        // From one axis toward the other, until both are within.
        let turn = Turn::of(angle - self.angle);
        let aside = (other_axis - self.axis * along).normalize_or_zero();
        let axis = (self.axis * (1.0 - turn.versine) + aside * turn.sin).normalize_or_zero();
        Cone::new(axis, angle + 1e-9)
    }
}

/// An edge with its faces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wedge {
    /// Unit length.
    pub along: DVec3,
    /// `f x along` of two faces: across them, unit length; zero where there is none.
    pub across: [DVec3; 2],
}

/// Directions of a surface, and cones around the normals of all proper contacts of its parts.
#[derive(Clone, Debug, Default)]
pub(super) struct Normals {
    /// Of triangles, unit length; zero if they have none that is known.
    pub triangles: Vec<DVec3>,
    pub edges: Vec<Wedge>,
    pub cells: Vec<Cone>,
    pub nodes: Vec<Cone>,
}

impl Normals {
    /// `O(n)`.
    pub fn new(surface: &Surface) -> Normals {
        let triangles: Vec<DVec3> = (0..surface.triangles.len()).map(|t| triangle(surface, t)).collect();
        let edges: Vec<Wedge> = (0..surface.edges.len() as u32).map(|e| wedge(surface, e)).collect();
        let mut at_vertex = vec![DVec3::ZERO; surface.positions.len()];
        for (triangle, &normal) in surface.triangles.iter().zip(&triangles) {
            triangle.corners.iter().for_each(|&v| at_vertex[v as usize] += normal);
        }
        let mut normals = Normals { triangles, edges, cells: Vec::new(), nodes: Vec::new() };
        let parts = |cell: &super::surface::Cell| {
            let own = |part: &&u32| **part != NONE;
            let face = (cell.triangle != NONE).then(|| normals.of_triangle(cell.triangle));
            let edges = cell.edges.iter().filter(own).map(|&e| normals.of_edge(surface, e));
            let vertices = cell.vertices.iter().filter(own);
            let vertices =
                vertices.map(|&v| normals.of_vertex(surface, v, at_vertex[v as usize].normalize_or_zero()));
            face.into_iter().chain(edges).chain(vertices).reduce(Cone::union).unwrap_or(Cone::ALL)
        };
        let cells: Vec<Cone> = surface.cells.iter().map(parts).collect();
        let mut nodes = vec![Cone::ALL; surface.nodes.len()];
        // Children come after their parents.
        for (number, node) in surface.nodes.iter().enumerate().rev() {
            let first = node.first as usize;
            let parts = match node.count {
                0 => &nodes[first..first + 2],
                count => &cells[first..first + count as usize],
            };
            let all = parts.iter().copied().reduce(Cone::union).unwrap_or(Cone::ALL);
            nodes[number] = all;
        }
        (normals.cells, normals.nodes) = (cells, nodes);
        normals
    }

    fn of_triangle(&self, triangle: u32) -> Cone {
        match self.triangles[triangle as usize] {
            DVec3::ZERO => Cone::ALL,
            normal => Cone::new(normal, ROUGH),
        }
    }

    /// In the plane across the edge, from the line between the normals of its two faces.
    fn of_edge(&self, surface: &Surface, edge: u32) -> Cone {
        let &[first, second] = surface.triangles_at_edge.of(edge) else { return Cone::ALL };
        let Wedge { along, across } = self.edges[edge as usize];
        let axis = (self.triangles[first as usize] + self.triangles[second as usize]).normalize_or_zero();
        let into = across.map(|across| along.cross(across));
        let beside = along.cross(axis);
        let sides = into.map(|f| f.dot(beside));
        if sides[0] * sides[1] >= 0.0 {
            return Cone::ALL;
        }
        let high = into[0].dot(axis).abs().max(into[1].dot(axis).abs());
        around(axis, sides[0].abs().min(sides[1].abs()), high)
    }

    fn of_vertex(&self, surface: &Surface, vertex: u32, axis: DVec3) -> Cone {
        let edges = surface.edges_at_vertex.of(vertex);
        if edges.len() < 3 || edges.len() > MANY || axis == DVec3::ZERO {
            return Cone::ALL;
        }
        let (x_axis, y_axis) = axis.any_orthonormal_pair();
        // Of each edge the way around the axis, and its length there.
        let mut ways = [(0.0, DVec3::ZERO, 0.0); MANY];
        let mut high = 0.0f64;
        for (way, &edge) in ways.iter_mut().zip(edges) {
            let is_first = surface.edges[edge as usize][0] == vertex;
            let along = self.edges[edge as usize].along;
            let along = if is_first { along } else { -along };
            let height = along.dot(axis);
            let level = along - axis * height;
            let length = level.length();
            high = high.max(height.abs());
            *way = (coarse_angle(level.dot(y_axis), level.dot(x_axis)), level / length, length);
        }
        let ways = &mut ways[..edges.len()];
        ways.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut least = f64::INFINITY;
        for (k, &(angle, from, reach)) in ways.iter().enumerate() {
            let (next, to, other) = ways[(k + 1) % ways.len()];
            let gap = if k + 1 < ways.len() { next - angle } else { next - angle + TAU };
            if gap.is_nan() || gap > PI - ROUGH {
                return Cone::ALL;
            }
            // The nearer of the two is at most half of the gap away.
            let half = ((1.0 + from.dot(to)) * 0.5).max(0.0).sqrt();
            least = least.min(reach.min(other) * half);
        }
        around(axis, least, high)
    }
}

/// Normals at a place where, whichever way is taken from the axis, an edge or a face leads at least `level` that way and at most
/// `high` along the axis.
///
/// At an angle `x` from the axis it meets a normal by `level sin x - high cos x` at least, which grows with the angle; so normals
/// are allowed up to where that is [`IMPROPER`].
fn around(axis: DVec3, level: f64, high: f64) -> Cone {
    let most = IMPROPER + ROUGH;
    let length = (level * level + high * high).sqrt();
    let ratio = most / length;
    if axis == DVec3::ZERO || !(level > 0.0 && ratio < 1.0) {
        return Cone::ALL;
    }
    let angle = coarse_angle(high, level) + coarse_angle(ratio, (1.0 - ratio * ratio).sqrt());
    Cone::new(axis, angle + ROUGH)
}

/// The unit normal of a triangle, if rounding leaves one.
fn triangle(surface: &Surface, triangle: usize) -> DVec3 {
    let [a, b, c] = surface.triangles[triangle].corners.map(|v| surface.positions[v as usize]);
    let normal = (b - a).normalize_or_zero().cross((c - a).normalize_or_zero());
    let sine = normal.length();
    if sine > FLAT { normal / sine } else { DVec3::ZERO }
}

fn wedge(surface: &Surface, edge: u32) -> Wedge {
    let ends = surface.edges[edge as usize];
    let [from, to] = ends.map(|v| surface.positions[v as usize]);
    let along = (to - from).normalize_or_zero();
    let mut across = [DVec3::ZERO; 2];
    for (across, &t) in across.iter_mut().zip(surface.triangles_at_edge.of(edge)) {
        let third = surface.triangles[t as usize].corners.into_iter().find(|v| !ends.contains(v));
        let into = third.map_or(DVec3::ZERO, |v| (surface.positions[v as usize] - from).normalize_or_zero());
        let normal = into.cross(along);
        let sine = normal.length();
        *across = if sine > FLAT { normal / sine } else { DVec3::ZERO };
    }
    Wedge { along, across }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::math::Random;
    use crate::shape::sample::{self, PolytopeKind, random_direction, random_polytope};
    use crate::shape::{Mesh, MeshConfig, Shape, TriangleSoup};

    fn surfaces() -> Vec<Surface> {
        let mesh = |soup: TriangleSoup| Shape::from(Mesh::build(&soup, &MeshConfig::default()).unwrap());
        let mut open = sample::torus(2.0, 0.6, 20, 12).unwrap();
        open.triangles.truncate(300);
        let shapes = [
            mesh(sample::torus(2.0, 0.6, 40, 25).unwrap()),
            mesh(open),
            mesh(sample::car().to_soup()),
            mesh(sample::cube(1.0).to_soup()),
            random_polytope(PolytopeKind::Ellipsoid, 200, 3).unwrap().into(),
            mesh(sample::icosphere(1.0, 8).unwrap()),
        ];
        shapes.iter().map(|shape| Surface::new(&Body::try_from(shape).unwrap()).unwrap()).collect()
    }

    fn holds(cone: &Cone, n: DVec3) -> bool {
        n.dot(cone.axis).abs() >= cone.cos - 1e-12
    }

    /// All normals that a vertex or an edge allows, by what they are, are in the cones of its cell and of all nodes above.
    #[test]
    fn cones_hold_all_normals_of_proper_contacts() {
        let (mut random, mut allowed, mut narrow) = (Random::new(1), 0, 0);
        for surface in surfaces() {
            let normals = &surface.normals;
            let mut check = |cell: usize, n: DVec3| {
                allowed += 1;
                assert!(holds(&normals.cells[cell], n));
                let mut node = 0;
                while surface.nodes[node].count == 0 {
                    assert!(holds(&normals.nodes[node], n));
                    let [first, second] = [0, 1].map(|k| surface.nodes[node].first as usize + k);
                    // Cells of a node are those of its children, one after the other.
                    let mut leaf = second;
                    while surface.nodes[leaf].count == 0 {
                        leaf = surface.nodes[leaf].first as usize;
                    }
                    node = if cell < surface.nodes[leaf].first as usize { first } else { second };
                }
                assert!(holds(&normals.nodes[node], n));
            };
            for (number, cell) in surface.cells.iter().enumerate() {
                narrow += usize::from(normals.cells[number].angle < 0.5);
                let about = normals.cells[number].axis;
                for _ in 0..20 {
                    let wide = [0.1, 0.5, 3.0][random.below(3) as usize];
                    let sign = if random.unit() < 0.5 { -1.0 } else { 1.0 };
                    let n = (about + random_direction(&mut random) * wide).normalize() * sign;
                    let own = |part: &&u32| **part != NONE;
                    for &v in cell.vertices.iter().filter(own) {
                        let at = surface.positions[v as usize];
                        let is_allowed = |&e: &u32| {
                            let [p, q] = surface.edges[e as usize];
                            let other = surface.positions[if p == v { q } else { p } as usize];
                            (other - at).normalize().dot(n) <= IMPROPER
                        };
                        if surface.edges_at_vertex.of(v).iter().all(is_allowed) {
                            check(number, n);
                        }
                    }
                    for &e in cell.edges.iter().filter(own) {
                        let [p, q] = surface.edges[e as usize].map(|v| surface.positions[v as usize]);
                        let along = (q - p).normalize();
                        let n = (n - along * n.dot(along)).normalize();
                        let is_allowed = |&t: &u32| {
                            let corners = surface.triangles[t as usize].corners;
                            let third = corners.into_iter().find(|v| !surface.edges[e as usize].contains(v));
                            let into = surface.positions[third.unwrap() as usize] - p;
                            (into - along * into.dot(along)).normalize().dot(n) <= IMPROPER
                        };
                        if surface.triangles_at_edge.of(e).iter().all(is_allowed) {
                            check(number, n);
                        }
                    }
                }
            }
        }
        assert!(allowed > 10_000 && narrow > 2_000, "{allowed} {narrow}");
    }
}
