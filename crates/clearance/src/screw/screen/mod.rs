//! The collision screen: all contacts of a step read off a drawing [Buss04 §6-10].
//!
//! Both bodies are projected along the screw onto a curved screen, what moves forward of one and what rests of the other. Points
//! on one pixel are on one helix: they meet after the difference of the times at which they come to the screen. Vertices in
//! faces and crossings of edges are found from boxes around them; cost and error are a choice.

mod bounds;
mod clip;
mod compare;
mod coordinates;
mod crossing;
mod curvature;
mod doppel;
mod drawing;
mod early;
mod edges;
mod engine;
mod extent;
mod faces;
mod facets;
mod filter;
mod hash;
mod hierarchy;
mod join;
mod meeting;
mod nest;
mod newton;
mod pick;
mod place;
mod plan;
mod ranges;
mod raster;
mod resolution;
mod scan;
mod select;
mod settle;
mod sight;
mod spot;
mod strokes;
mod tiles;
mod turn;
mod whole;

pub(super) use facets::Facets;

pub use engine::{Engine, contacts_after_screen, contacts_by};
pub use meeting::Lookup;
pub use resolution::{Resolution, ResolutionError};
pub use strokes::Stroke;

use super::contacts::in_order;
use super::primitive::Moving;
use super::record::{ContactKind, ContactsConfig, Kept, ScrewContact};
use super::resolve::{Candidate, resolved};
use super::surface::Surface;
use crate::math::{Pose, Screw};
use coordinates::Chart;
use drawing::{Drawing, Role};
use hierarchy::Hierarchy;
use meeting::Meeting;
use plan::Plan;

/// What was drawn and compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScreenStats {
    /// Straight pieces of edges.
    pub chords: u64,
    /// Boxes of edges, faces and vertices, or runs of pixels about the axis: `n` of the cost `n log n + m`.
    pub pixels: u64,
    /// Pairs of them that share a place: `m`.
    pub pairs: u64,
    /// Pairs whose times agree, too: vertices and faces that are solved, edges that cross.
    pub candidates: u64,
}

/// A collision screen, kept from step to step so that nothing is allocated anew.
///
/// ```
/// use clearance::{Pose, body::Body, glam::DVec3, math::Screw, shape::{Mesh, MeshConfig, Shape, sample}};
/// use clearance::screw::{ContactKind, ContactsConfig, Moving, Resolution, Screen, Surface};
/// let cube = Mesh::build(&sample::cube(1.0).to_soup(), &MeshConfig::default())?;
/// let cube = Surface::new(&Body::try_from(&Shape::from(cube))?).expect("it is a mesh");
/// let turned = Pose::from_axis_angle(DVec3::new(1.0, 0.7, 0.2), 0.8, DVec3::new(0.1, 0.0, 3.0))?;
/// let fall = Screw::new(-DVec3::Z, DVec3::ZERO, 0.5, 2.0)?;
/// let fine = Resolution::per_short_edge(Resolution::HIGH, [&cube, &cube], &cube, &turned, &fall)?;
/// let mut screen = Screen::default();
/// let config = ContactsConfig::default();
/// let found = screen.contacts(&cube, &Pose::IDENTITY, &cube, &turned, &fall, Moving::Second, &config, fine);
/// assert_eq!(found[0].kind, ContactKind::FaceVertex);
/// assert!(found[0].properness > 0.0 && (found[0].lower..=found[0].upper).contains(&0.83033656604458));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Screen {
    drawings: [Drawing; 2],
    hierarchy: Hierarchy,
    meeting: Meeting,
    candidates: Vec<Candidate>,
    chart: Option<Chart>,
    stats: ScreenStats,
}

impl Default for Screen {
    fn default() -> Screen {
        Screen::new(Lookup::default())
    }
}

impl Screen {
    /// An empty one.
    pub fn new(lookup: Lookup) -> Screen {
        Screen {
            drawings: [Drawing::new(Role::Rests), Drawing::new(Role::Moves)],
            hierarchy: Hierarchy::default(),
            meeting: Meeting::new(lookup),
            candidates: Vec::new(),
            chart: None,
            stats: ScreenStats::default(),
        }
    }

    /// Contacts of two bodies while one of them moves on a screw through the other, to within a resolution.
    ///
    /// The same records as those of [`contacts`](super::contacts), none of them proved: each reaches from one resolution of
    /// time before to one after the time found. Contacts that leave are not told, whatever is asked for: what faces away is not
    /// drawn. Neither are edges between coplanar triangles of a solid, which are sides of nothing. Contacts that miss each other
    /// by a part of a pixel may be told, and grazing ones missed. Nothing is told of a motion that moves nothing, or of bodies a
    /// million million pixels away from its axis.
    #[expect(
        clippy::too_many_arguments,
        reason = "two bodies, two poses, a motion, what is asked and how finely"
    )]
    pub fn contacts(
        &mut self,
        a: &Surface,
        pose_a: &Pose,
        b: &Surface,
        pose_b: &Pose,
        screw: &Screw,
        moving: Moving,
        config: &ContactsConfig,
        resolution: Resolution,
    ) -> Vec<ScrewContact> {
        let found = match moving {
            Moving::Second => self.of_moving_b([a, b], [pose_a, pose_b], screw, config, resolution),
            Moving::First => self.of_moving_b([b, a], [pose_b, pose_a], screw, config, resolution),
        };
        in_order(found, moving)
    }

    /// What the last step took.
    pub fn stats(&self) -> ScreenStats {
        self.stats
    }

    fn of_moving_b(
        &mut self,
        surfaces: [&Surface; 2],
        poses: [&Pose; 2],
        screw: &Screw,
        config: &ContactsConfig,
        resolution: Resolution,
    ) -> Vec<ScrewContact> {
        self.stats = ScreenStats::default();
        self.candidates.clear();
        let chart = Plan::chart(surfaces, poses, screw, resolution);
        let plan = chart.as_ref().and_then(|chart| {
            let (drawings, hierarchy) = (&mut self.drawings, &mut self.hierarchy);
            let lookup = self.meeting.lookup;
            Plan::draw(chart, drawings, hierarchy, lookup, surfaces, poses, config, resolution)
        });
        let Some(plan) = &plan else {
            self.drawings.iter_mut().for_each(|drawing| drawing.chords.clear());
            self.chart = None;
            return Vec::new();
        };
        self.compare(surfaces, plan, config);
        self.chart = chart;
        let is_kept = |contact: &ScrewContact| match config.kept {
            Kept::All => true,
            Kept::Entering => contact.is_entering && contact.properness >= config.min_properness,
        };
        // Near an end of an edge, not on it, a face may be improper that would be right there.
        let prefer =
            |contact: &ScrewContact| contact.kind != ContactKind::EdgeEdge && contact.properness >= 0.0;
        let mut found = resolved(&mut self.candidates, prefer);
        found.retain(is_kept);
        found
    }
}
