//! Witnesses as JSON: what a stranger needs to check an answer with exact arithmetic.
//!
//! All vertices are indices into the `points` of the bodies beside the witness, from 0. A point `p` of a body is at
//! `R p + t` in the world, exactly, with the twelve numbers of its pose. A body is the hull of its points.

use clearance::{
    exact::Axis,
    glam::DVec3,
    pair::Witness,
    shape::Polytope,
    witness::{CommonPoint, Direction, Overlap, Separation, Side},
};
use clearance_io::scene::Number;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The proof of a relation: `separation` with a positive gap proves disjoint; `separation` and `common_point`
/// prove touching; `overlap` proves overlapping.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WitnessFile {
    /// A direction d with d . (b - a) >= 0 for all points a of A and b of B.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub separation: Option<SeparationFile>,
    /// At most 4 pairs [vertex of A, vertex of B] with zero in the hull of the differences b - a.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub common_point: Option<Vec<[u32; 2]>>,
    /// At most 6 pairs [vertex of A, vertex of B] with zero strictly inside the hull of the differences b - a.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlap: Option<Vec<[u32; 2]>>,
}

/// A direction, and the vertices that support the bodies along it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeparationFile {
    /// From A to B.
    pub direction: DirectionFile,
    /// A highest vertex of A along the direction.
    pub vertex_a: u32,
    /// A lowest vertex of B along the direction.
    pub vertex_b: u32,
}

/// A direction in the world, exact: given by numbers or by the vertices that span it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum DirectionFile {
    /// Three numbers as they are.
    Vector([Number; 3]),
    /// The normal (v1 - v0) x (v2 - v0) of three vertices of one body.
    FaceNormal {
        /// Whose vertices.
        of: SideName,
        /// The three.
        vertices: [u32; 3],
    },
    /// (a1 - a0) x (b1 - b0).
    EdgeCross {
        /// Two vertices of A.
        a: [u32; 2],
        /// Two vertices of B.
        b: [u32; 2],
    },
    /// (v1 - v0) x axis.
    EdgeAxis {
        /// Whose vertices.
        of: SideName,
        /// The two.
        vertices: [u32; 2],
        /// The coordinate axis.
        axis: AxisName,
    },
    /// b - a.
    Difference {
        /// A vertex of A.
        a: u32,
        /// A vertex of B.
        b: u32,
    },
}

/// One of the two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SideName {
    /// Body A.
    A,
    /// Body B.
    B,
}

/// A coordinate axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AxisName {
    /// (1, 0, 0).
    X,
    /// (0, 1, 0).
    Y,
    /// (0, 0, 1).
    Z,
}

impl From<Side> for SideName {
    fn from(side: Side) -> SideName {
        match side {
            Side::A => SideName::A,
            Side::B => SideName::B,
        }
    }
}

impl From<&Witness> for WitnessFile {
    fn from(witness: &Witness) -> WitnessFile {
        let pairs = |pairs: &[(u32, u32)]| Some(pairs.iter().map(|&(a, b)| [a, b]).collect());
        let none = WitnessFile::default();
        match witness {
            Witness::Disjoint(separation) => WitnessFile { separation: Some(separation.into()), ..none },
            Witness::Touching(separation, point) => {
                WitnessFile { separation: Some(separation.into()), common_point: pairs(&point.pairs), ..none }
            }
            Witness::Overlapping(overlap) => WitnessFile { overlap: pairs(&overlap.pairs), ..none },
        }
    }
}

impl From<&Separation> for SeparationFile {
    fn from(separation: &Separation) -> SeparationFile {
        let direction = match separation.direction {
            Direction::Vector(v) => DirectionFile::Vector(v.to_array().map(Number)),
            Direction::FaceNormal(side, vertices) => DirectionFile::FaceNormal { of: side.into(), vertices },
            Direction::EdgeCross(a, b) => DirectionFile::EdgeCross { a, b },
            Direction::EdgeAxis(side, vertices, axis) => {
                let axis = match axis {
                    Axis::X => AxisName::X,
                    Axis::Y => AxisName::Y,
                    Axis::Z => AxisName::Z,
                };
                DirectionFile::EdgeAxis { of: side.into(), vertices, axis }
            }
            Direction::Difference(a, b) => DirectionFile::Difference { a, b },
        };
        SeparationFile { direction, vertex_a: separation.vertex_a, vertex_b: separation.vertex_b }
    }
}

/// From indices into the points of a file to vertices of their hull.
pub struct Numbering {
    vertex_of_point: Vec<Option<u32>>,
    name: &'static str,
}

impl Numbering {
    /// For a hull that was built from the points of a file.
    pub fn new(name: &'static str, hull: &Polytope) -> Numbering {
        let count = (0..hull.vertices().len()).map(|v| hull.original_index(v) + 1).max().unwrap_or(0);
        let mut vertex_of_point = vec![None; count];
        for vertex in 0..hull.vertices().len() {
            vertex_of_point[hull.original_index(vertex)] = Some(vertex as u32);
        }
        Numbering { vertex_of_point, name }
    }

    fn vertex(&self, point: u32) -> Result<u32, String> {
        let found = self.vertex_of_point.get(point as usize).copied().flatten();
        found.ok_or_else(|| format!("point {point} of {} is not a corner of the body", self.name))
    }

    fn all<const N: usize>(&self, points: [u32; N]) -> Result<[u32; N], String> {
        let mut vertices = points;
        for vertex in &mut vertices {
            *vertex = self.vertex(*vertex)?;
        }
        Ok(vertices)
    }
}

impl WitnessFile {
    /// The witness it spells; an error says why it is none.
    pub fn to_witness(&self, a: &Numbering, b: &Numbering) -> Result<Witness, String> {
        let pairs = |pairs: &[[u32; 2]]| -> Result<Vec<(u32, u32)>, String> {
            pairs.iter().map(|&[p, q]| Ok((a.vertex(p)?, b.vertex(q)?))).collect()
        };
        match (&self.separation, &self.common_point, &self.overlap) {
            (Some(separation), None, None) => Ok(Witness::Disjoint(separation.to_separation(a, b)?)),
            (Some(separation), Some(point), None) => {
                let point = CommonPoint { pairs: pairs(point)? };
                Ok(Witness::Touching(separation.to_separation(a, b)?, point))
            }
            (None, None, Some(overlap)) => Ok(Witness::Overlapping(Overlap { pairs: pairs(overlap)? })),
            _ => Err("a witness is a separation, a separation with a common point, or an overlap".into()),
        }
    }
}

impl SeparationFile {
    fn to_separation(&self, a: &Numbering, b: &Numbering) -> Result<Separation, String> {
        let of = |side: SideName| match side {
            SideName::A => (Side::A, a),
            SideName::B => (Side::B, b),
        };
        let direction = match &self.direction {
            DirectionFile::Vector(v) => Direction::Vector(DVec3::from_array(v.map(|n| n.0))),
            DirectionFile::FaceNormal { of: side, vertices } => {
                let (side, numbering) = of(*side);
                Direction::FaceNormal(side, numbering.all(*vertices)?)
            }
            DirectionFile::EdgeCross { a: edge_a, b: edge_b } => {
                Direction::EdgeCross(a.all(*edge_a)?, b.all(*edge_b)?)
            }
            DirectionFile::EdgeAxis { of: side, vertices, axis } => {
                let (side, numbering) = of(*side);
                let axis = match axis {
                    AxisName::X => Axis::X,
                    AxisName::Y => Axis::Y,
                    AxisName::Z => Axis::Z,
                };
                Direction::EdgeAxis(side, numbering.all(*vertices)?, axis)
            }
            DirectionFile::Difference { a: p, b: q } => Direction::Difference(a.vertex(*p)?, b.vertex(*q)?),
        };
        Ok(Separation { direction, vertex_a: a.vertex(self.vertex_a)?, vertex_b: b.vertex(self.vertex_b)? })
    }
}

impl WitnessFile {
    /// The proof in a sentence or two.
    pub fn in_words(&self) -> String {
        let list =
            |pairs: &[[u32; 2]]| pairs.iter().map(|[a, b]| format!("{a}-{b}")).collect::<Vec<_>>().join(", ");
        match (&self.separation, &self.common_point, &self.overlap) {
            (Some(separation), None, _) => {
                format!("{}, and the gap is positive", separation.in_words())
            }
            (Some(separation), Some(point), _) => format!(
                "{}, and the gap is exactly zero; zero is in the hull of the differences of the vertex pairs {}",
                separation.in_words(),
                list(point)
            ),
            (None, _, Some(overlap)) => format!(
                "zero is strictly inside the hull of the differences of the vertex pairs {}",
                list(overlap)
            ),
            (None, _, None) => "none".into(),
        }
    }
}

/// The same direction as long as one: searches scale theirs as it suits them.
fn unit_vector(vector: [f64; 3]) -> [f64; 3] {
    let vector = DVec3::from_array(vector);
    (vector / vector.abs().max_element()).normalize_or_zero().to_array()
}

impl SeparationFile {
    fn in_words(&self) -> String {
        let side = |side: SideName| match side {
            SideName::A => "A",
            SideName::B => "B",
        };
        let joined = |vertices: &[u32]| vertices.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        let direction = match &self.direction {
            DirectionFile::Vector([x, y, z]) => {
                let [x, y, z] = unit_vector([x, y, z].map(|n| n.0)).map(crate::output::short);
                format!("the direction ({x}, {y}, {z})")
            }
            DirectionFile::FaceNormal { of, vertices } => {
                format!("the normal of vertices {} of {}", joined(vertices), side(*of))
            }
            DirectionFile::EdgeCross { a, b } => {
                format!("the cross product of edge {}-{} of A and edge {}-{} of B", a[0], a[1], b[0], b[1])
            }
            DirectionFile::EdgeAxis { of, vertices: [from, to], axis } => {
                let axis = format!("{axis:?}").to_lowercase();
                format!("the cross product of edge {from}-{to} of {} and the {axis} axis", side(*of))
            }
            DirectionFile::Difference { a, b } => {
                format!("the vector from vertex {a} of A to vertex {b} of B")
            }
        };
        format!(
            "along {direction} vertex {} of A is highest, vertex {} of B lowest",
            self.vertex_a, self.vertex_b
        )
    }
}
