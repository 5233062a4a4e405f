//! The internal structure of a mesh, checked from the definitions.

use super::draft::runs_forward;
use super::topology::directed_edge;
use super::{Mesh, MeshDefect, MeshKind, degenerate};
use crate::Aabb;
use crate::tolerance::COORDINATE_LIMIT;

type Checked = Result<(), MeshDefect>;

fn check(holds: bool, item: &'static str, index: usize, reason: &'static str) -> Checked {
    if holds { Ok(()) } else { Err(MeshDefect { item, index, reason }) }
}

impl Mesh {
    /// Checks everything the type promises, in `O(n log n)`; never fails for a mesh that was built.
    pub fn validate(&self) -> Result<(), MeshDefect> {
        self.check_vertices()?;
        self.check_triangles()?;
        self.check_edges()?;
        self.check_components()?;
        self.check_parts()?;
        self.check_report()
    }

    fn check_vertices(&self) -> Checked {
        check(
            self.source_vertices.len() == self.positions.len(),
            "vertex",
            0,
            "as many sources as vertices",
        )?;
        for (v, p) in self.positions.iter().enumerate() {
            check(
                p.abs().max_element() <= COORDINATE_LIMIT,
                "vertex",
                v,
                "coordinates are finite and in range",
            )?;
            let negative_zero = p.to_array().iter().any(|x| *x == 0.0 && x.is_sign_negative());
            check(!negative_zero, "vertex", v, "no coordinate is a negative zero")?;
        }
        let increasing = self.source_vertices.windows(2).position(|pair| pair[0] >= pair[1]);
        check(increasing.is_none(), "vertex", increasing.unwrap_or(0), "sources increase")?;
        let mut sorted: Vec<_> = self.positions.iter().map(|p| p.to_array().map(f64::to_bits)).collect();
        sorted.sort_unstable();
        let repeated = sorted.windows(2).position(|pair| pair[0] == pair[1]);
        check(repeated.is_none(), "vertex", 0, "positions are distinct")?;
        let bounds = Aabb::around(self.positions.iter().copied());
        check(bounds == Some(self.bounds), "vertex", 0, "the bounds are those of the vertices")
    }

    fn check_triangles(&self) -> Checked {
        check(!self.triangles.is_empty(), "triangle", 0, "there is one")?;
        check(
            self.source_triangles.len() == self.triangles.len(),
            "triangle",
            0,
            "as many sources as triangles",
        )?;
        let mut used = vec![false; self.positions.len()];
        for (t, corners) in self.triangles.iter().enumerate() {
            for &v in corners {
                check((v as usize) < self.positions.len(), "triangle", t, "its vertices exist")?;
                used[v as usize] = true;
            }
            check(!degenerate::collinear(self.triangle(t)), "triangle", t, "it has area")?;
            let in_order = t == 0 || self.source_triangles[t - 1] <= self.source_triangles[t];
            check(in_order, "triangle", t, "sources do not decrease")?;
        }
        let unused = used.iter().position(|used| !used);
        check(unused.is_none(), "vertex", unused.unwrap_or(0), "a triangle uses it")
    }

    fn check_edges(&self) -> Checked {
        let topology = &self.topology;
        check(topology.edge_start.len() == self.edge_count() + 1, "edge", 0, "each has a start")?;
        check(topology.triangle_edges.len() == self.triangles.len(), "triangle", 0, "each has edges")?;
        check(topology.edge_triangles.len() == 3 * self.triangles.len(), "edge", 0, "three per triangle")?;
        for (e, &[low, high]) in topology.edges.iter().enumerate() {
            check(low < high, "edge", e, "the smaller vertex comes first")?;
            check(e == 0 || topology.edges[e - 1] < [low, high], "edge", e, "edges increase")?;
            let triangles = self.edge_triangles(e);
            check(!triangles.is_empty(), "edge", e, "it has a triangle")?;
            check(triangles.windows(2).all(|pair| pair[0] < pair[1]), "edge", e, "its triangles increase")?;
            let known = |&t: &u32| topology.triangle_edges[t as usize].contains(&(e as u32));
            check(triangles.iter().all(known), "edge", e, "its triangles know it")?;
            let step = |&t: &u32| if runs_forward(self.triangles[t as usize], [low, high]) { 1 } else { -1 };
            let balance: i32 = triangles.iter().map(step).sum();
            check(topology.balance[e] == balance, "edge", e, "its balance is that of its triangles")?;
        }
        for (t, &corners) in self.triangles.iter().enumerate() {
            for k in 0..3 {
                let mut ends = directed_edge(corners, k);
                ends.sort_unstable();
                let edge = topology.triangle_edges[t][k] as usize;
                check(topology.edges.get(edge) == Some(&ends), "triangle", t, "its edges join its corners")?;
            }
        }
        Ok(())
    }

    /// Labels agree across edges, and each component is reached from its first triangle.
    fn check_components(&self) -> Checked {
        for e in 0..self.edge_count() {
            let mut labels = self.edge_triangles(e).iter().map(|&t| self.component_of(t as usize));
            let first = labels.next();
            check(labels.all(|label| Some(label) == first), "edge", e, "its triangles are in one component")?;
        }
        let mut reached = vec![false; self.triangles.len()];
        let mut listed = 0;
        for (c, triangles) in self.components().enumerate() {
            check(!triangles.is_empty(), "component", c, "it has a triangle")?;
            check(
                triangles.windows(2).all(|pair| pair[0] < pair[1]),
                "component",
                c,
                "its triangles increase",
            )?;
            self.reach(triangles[0] as usize, &mut reached);
            let whole =
                triangles.iter().all(|&t| reached[t as usize] && self.component_of(t as usize) == c as u32);
            check(whole, "component", c, "it is connected and labelled")?;
            listed += triangles.len();
        }
        check(listed == self.triangles.len(), "component", 0, "every triangle is in one")
    }

    fn reach(&self, seed: usize, reached: &mut [bool]) {
        let mut pending = vec![seed];
        reached[seed] = true;
        while let Some(here) = pending.pop() {
            for edge in self.triangle_edges(here) {
                for &next in self.edge_triangles(edge as usize) {
                    if !std::mem::replace(&mut reached[next as usize], true) {
                        pending.push(next as usize);
                    }
                }
            }
        }
    }

    fn check_parts(&self) -> Checked {
        let mut end = 0;
        for (p, part) in self.parts.iter().enumerate() {
            let in_order = end <= part.triangles.start && part.triangles.start <= part.triangles.end;
            check(in_order, "part", p, "parts follow one another")?;
            end = part.triangles.end;
        }
        check(end as usize <= self.triangles.len(), "part", self.parts.len(), "parts end with the triangles")
    }

    fn check_report(&self) -> Checked {
        let odd = (0..self.edge_count()).filter(|&e| self.edge_triangles(e).len() % 2 == 1).count();
        let crowded = (0..self.edge_count()).filter(|&e| self.edge_triangles(e).len() > 2).count();
        let balance = |e: usize| self.topology.balance[e];
        let inconsistent = (0..self.edge_count()).filter(|&e| balance(e).abs() > 1).count();
        let report = &self.report;
        check(report.open_edges.count == odd && report.closed == (odd == 0), "report", 0, "open edges")?;
        check(report.non_manifold_edges.count == crowded, "report", 0, "non-manifold edges")?;
        check(report.inconsistent_edges_left.count == inconsistent, "report", 0, "inconsistent edges")?;
        check(report.consistently_oriented == (inconsistent == 0), "report", 0, "orientation")?;
        check(report.components == self.component_count(), "report", 0, "components")?;
        check(report.kind == self.kind, "report", 0, "kind")?;
        let unbalanced = (0..self.edge_count()).find(|&e| balance(e) != 0);
        let may_be_solid = self.kind == MeshKind::Surface || unbalanced.is_none();
        check(may_be_solid, "edge", unbalanced.unwrap_or(0), "a solid is closed and consistently oriented")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{MeshConfig, TriangleSoup};
    use glam::DVec3;

    fn tetrahedron() -> Mesh {
        let soup = TriangleSoup {
            positions: vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z],
            triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
            parts: vec![],
        };
        Mesh::build(&soup, &MeshConfig::default()).expect("a tetrahedron")
    }

    #[test]
    fn every_kind_of_damage_is_found() {
        let damages: &[fn(&mut Mesh)] = &[
            |mesh| mesh.positions[1].x = f64::NAN,
            |mesh| mesh.positions[1].y = -0.0,
            |mesh| mesh.positions[1] = DVec3::ZERO,
            |mesh| mesh.positions[1].x = 2.0,
            |mesh| mesh.positions.push(DVec3::splat(0.5)),
            |mesh| mesh.source_vertices.swap(0, 1),
            |mesh| mesh.source_triangles.swap(0, 1),
            |mesh| mesh.triangles[0][0] = 7,
            |mesh| mesh.triangles[0].swap(0, 1),
            |mesh| mesh.triangles[0] = [1, 1, 2],
            |mesh| mesh.topology.edges.swap(0, 1),
            |mesh| mesh.topology.edges[0].swap(0, 1),
            |mesh| mesh.topology.edge_triangles.swap(0, 1),
            |mesh| mesh.topology.edge_triangles[1] = 3,
            |mesh| mesh.topology.triangle_edges[2].swap(0, 1),
            |mesh| mesh.topology.balance[3] = 2,
            |mesh| mesh.topology.component_of[3] = 1,
            |mesh| mesh.topology.component_triangles.swap(0, 1),
            |mesh| mesh.topology.component_start[1] = 3,
            |mesh| mesh.report.closed = false,
            |mesh| mesh.report.components = 2,
            |mesh| mesh.kind = MeshKind::Surface,
            |mesh| mesh.parts.push(crate::shape::SoupPart { name: String::new(), triangles: 3..5 }),
        ];
        assert_eq!(tetrahedron().validate(), Ok(()));
        for (number, damage) in damages.iter().enumerate() {
            let mut mesh = tetrahedron();
            damage(&mut mesh);
            assert!(mesh.validate().is_err(), "damage {number} was not found");
        }
    }
}
