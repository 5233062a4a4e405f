//! What shares a pixel becomes contacts; here those of vertices with faces: times, places, normals and properness [Buss04 §5, §9].

use super::coordinates::Chart;
use super::drawing::Drawing;
use super::facets::Facets;
use super::raster::SLACK;
use super::turn::Turn;
use crate::pair::Feature;
use crate::screw::contacts::{on_triangle, part_of};
use crate::screw::primitive::Containment;
use crate::screw::properness;
use crate::screw::record::{ContactKind, ContactsConfig, ScrewContact};
use crate::screw::resolve::{Candidate, Entity};
use crate::screw::surface::Surface;
use glam::DVec3;

/// Makes records of what may have met.
pub(super) struct Settler<'a> {
    pub chart: &'a Chart,
    pub surfaces: [&'a Surface; 2],
    pub facets: [&'a Facets; 2],
    pub drawings: [&'a Drawing; 2],
    pub config: &'a ContactsConfig,
    /// The resolution in time: records reach so far before and after what was found.
    pub time: f64,
    pub found: &'a mut Vec<Candidate>,
}

/// What passes a test, which may change it, at the front; how many do.
#[inline(always)]
pub(super) fn keep<T: Copy>(items: &mut [T], mut test: impl FnMut(T) -> (T, bool)) -> usize {
    let mut count = 0;
    for at in 0..items.len() {
        let (item, is_kept) = test(items[at]);
        items[count] = item;
        count += usize::from(is_kept);
    }
    count
}

impl Settler<'_> {
    /// From a little before the step to a little after it.
    #[inline(always)]
    pub(super) fn step(&self) -> [f64; 2] {
        [-0.5 * self.time, 1.0 + 0.5 * self.time]
    }

    #[inline(always)]
    pub(super) fn turn(&self, t: f64) -> Turn {
        Turn::by(self.chart.angle * t)
    }

    pub(super) fn record(
        &self,
        kind: ContactKind,
        t: f64,
        entities: [Entity; 2],
        rest: ScrewContact,
    ) -> Candidate {
        let t = t.clamp(0.0, 1.0);
        let (lower, upper) = ((t - self.time).max(0.0), (t + self.time).min(1.0));
        Candidate {
            entities,
            contact: ScrewContact { kind, lower, upper, until: upper, is_proved: false, ..rest },
        }
    }

    /// A vertex that comes down to the plane of a triangle at a time: a contact if it is in the triangle there.
    pub(super) fn vertex_on_plane<const FACE_IS_A: bool>(
        &mut self,
        vertex: u32,
        triangle: u32,
        corners: [DVec3; 3],
        normal: DVec3,
        side: f64,
        t: f64,
    ) {
        let (of_face, of_vertex) = if FACE_IS_A { (0, 1) } else { (1, 0) };
        let own = self.drawings[of_vertex].spots[vertex as usize].p;
        let turn = self.turn(t);
        let shift = DVec3::Z * self.chart.shift * t;
        let at = if FACE_IS_A { turn.apply(own) + shift } else { turn.back().apply(own) - shift };
        let mut open = [false; 4];
        for k in 0..3 {
            let along = corners[(k + 1) % 3] - corners[k];
            // Times the length of the side.
            let inside = (normal * side).cross(along).dot(at - corners[k]);
            let is_near = inside * inside <= SLACK * SLACK * along.length_squared();
            if inside < 0.0 && !is_near {
                return;
            }
            open[k] = is_near;
        }
        let (faces, vertices) = (self.surfaces[of_face], self.surfaces[of_vertex]);
        let matrix = &self.drawings[of_vertex].matrix;
        // Where the vertex's body is at the start, and where the face's body is then.
        let (seen, outward) = match FACE_IS_A {
            true => (turn.back().apply(normal), normal),
            false => (turn.apply(normal), turn.apply(normal)),
        };
        let properness = properness::of_vertex(vertices, matrix, vertex, seen);
        let face = &faces.triangles[triangle as usize];
        let entity = on_triangle(faces, triangle, Containment::Border(open));
        let (face_feature, vertex_feature) =
            (Feature::Face(face.name), Feature::Vertex(vertices.vertex_names[vertex as usize].1));
        let parts = [part_of(faces, face.corners[0]), part_of(vertices, vertex)];
        let rest = ScrewContact {
            kind: ContactKind::FaceVertex,
            feature_a: if FACE_IS_A { face_feature } else { vertex_feature },
            feature_b: if FACE_IS_A { vertex_feature } else { face_feature },
            parts: if FACE_IS_A { parts } else { [parts[1], parts[0]] },
            lower: t,
            upper: t,
            until: t,
            is_proved: false,
            is_entering: true,
            point: self.chart.world(if FACE_IS_A { at } else { own }),
            normal: self.chart.world_vector(if FACE_IS_A { outward } else { -outward }),
            properness,
        };
        let (kind, entities) = match FACE_IS_A {
            true => (ContactKind::FaceVertex, [entity, Entity::Vertex(vertex)]),
            false => (ContactKind::VertexFace, [Entity::Vertex(vertex), entity]),
        };
        self.found.push(self.record(kind, t, entities, rest));
    }
}
