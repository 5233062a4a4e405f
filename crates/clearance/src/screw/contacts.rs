//! All contacts of a step: every vertex with every face and every edge with every edge, as far as their boxes may meet.

use super::blocks::{Block, Workspace};
use super::finder::Finder;
use super::pairs::Pairs;
use super::primitive::Moving;
use super::record::{ContactKind, ContactsConfig, Kept, ScrewContact, ScrewStats};
use super::resolve::{Candidate, resolved, resolved_beside};
use super::surface::Surface;
use crate::math::{Pose, Screw};
use rayon::prelude::*;

pub(super) use super::names::{edge_name, on_triangle, part_of};

/// Fewer blocks are left to one thread.
const PARALLEL: usize = 64;

/// Blocks that one thread takes at once.
const CHUNK: usize = 4;

/// All contacts of two bodies while one of them moves on a screw through the other, as if nothing stopped it [Buss04 §3-5].
///
/// Every time at which two features meet is in a record: none is missed. Sorted by `lower`; ties in the order of
/// [`ScrewContact`], so the same input gives the same list, and exchanged bodies the same list exchanged. A vertex that meets an
/// edge or a vertex is told once, with the face that makes it most proper; of faces that do so alike, as those of one plane, with
/// the first by kind, part and vertices.
/// Points and segments have no faces: between two of them only edges are told. `O(n log n + m)` for `m` pairs of triangles
/// whose boxes may meet, on all threads of the current `rayon` pool if that is much; the answer does not depend on their
/// number. A thread keeps the memory of its last question for the next one, up to 64 MB for each body.
///
/// Differs from the paper: no screen is drawn; zeros of functions of time are bracketed instead, so the times are proved.
///
/// ```
/// use clearance::{Pose, body::Body, glam::DVec3, math::Screw, pair::Convex, shape::Polytope};
/// use clearance::screw::{ContactKind, ContactsConfig, Moving, Surface, contacts};
/// let corners = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) - 0.5);
/// let cube = Body::Convex(Convex::from_polytope(Polytope::hull(&corners.collect::<Vec<_>>())?));
/// let cube = Surface::new(&cube).expect("it is a polytope");
/// // One cube falls onto a corner of the other, which is turned.
/// let turned = Pose::from_axis_angle(DVec3::new(1.0, 0.7, 0.2), 0.8, DVec3::new(0.1, 0.0, 3.0))?;
/// let fall = Screw::new(-DVec3::Z, DVec3::ZERO, 0.0, 2.0)?;
/// let found = contacts(&cube, &Pose::IDENTITY, &cube, &turned, &fall, Moving::Second, &ContactsConfig::default());
/// assert_eq!(found[0].kind, ContactKind::FaceVertex);
/// assert_eq!(found[0].normal, DVec3::Z);
/// assert!(found[0].is_proved && found[0].properness > 0.0 && found[0].upper - found[0].lower < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contacts(
    a: &Surface,
    pose_a: &Pose,
    b: &Surface,
    pose_b: &Pose,
    screw: &Screw,
    moving: Moving,
    config: &ContactsConfig,
) -> Vec<ScrewContact> {
    contacts_with(a, pose_a, b, pose_b, screw, moving, config, &mut ScrewStats::default())
}

/// As [`contacts`], counting what was looked at.
#[expect(
    clippy::too_many_arguments,
    reason = "two bodies, two poses, a motion, what is asked and what is counted"
)]
pub fn contacts_with(
    a: &Surface,
    pose_a: &Pose,
    b: &Surface,
    pose_b: &Pose,
    screw: &Screw,
    moving: Moving,
    config: &ContactsConfig,
    stats: &mut ScrewStats,
) -> Vec<ScrewContact> {
    contacts_among(None, a, pose_a, b, pose_b, screw, moving, config, stats)
}

/// The same among some cells of the body at rest and of the one that moves, all if none are given.
#[expect(
    clippy::too_many_arguments,
    reason = "two bodies, two poses, a motion, what is asked and what is counted"
)]
pub(super) fn contacts_among(
    alive: Option<[Vec<bool>; 2]>,
    a: &Surface,
    pose_a: &Pose,
    b: &Surface,
    pose_b: &Pose,
    screw: &Screw,
    moving: Moving,
    config: &ContactsConfig,
    stats: &mut ScrewStats,
) -> Vec<ScrewContact> {
    let pairs = match moving {
        Moving::Second => Pairs::new(a, pose_a, b, pose_b, screw),
        Moving::First => Pairs::new(b, pose_b, a, pose_a, screw),
    };
    in_order(of_moving_b(pairs.among(alive).asked(config), config, stats), moving)
}

/// Contacts of a body at rest with one that moves, sorted by time and by kind and features in that order, told of A and B.
pub(super) fn in_order(mut found: Vec<ScrewContact>, moving: Moving) -> Vec<ScrewContact> {
    found.sort_by(|x, y| x.lower.total_cmp(&y.lower).then_with(|| x.cmp_names(y)));
    if moving == Moving::First {
        found.iter_mut().for_each(|contact| *contact = contact.swapped());
    }
    found
}

/// Blocks of the search on all threads of the current pool; their contacts in the order of the blocks.
fn of_moving_b(mut pairs: Pairs<'_>, config: &ContactsConfig, stats: &mut ScrewStats) -> Vec<ScrewContact> {
    let blocks = pairs.blocks();
    let pairs = &pairs;
    let search = |blocks: &[Block]| {
        let (mut finder, mut stats) = (Finder::new(pairs, config), ScrewStats::default());
        let mut space = Workspace::default();
        for block in blocks {
            pairs.visit(block, &mut stats, &mut space, |pair| finder.cells(pair));
        }
        (stats.features, stats.open) = (finder.features, finder.open);
        (finder.candidates, stats)
    };
    let found: Vec<(Vec<Candidate>, ScrewStats)> = match blocks.len() < PARALLEL {
        true => vec![search(&blocks)],
        false => blocks.par_chunks(CHUNK).map(search).collect(),
    };
    *stats += pairs.stats;
    found.iter().for_each(|(_, own)| *stats += *own);
    let mut candidates: Vec<Candidate> = found.into_iter().flat_map(|(own, _)| own).collect();
    let is_asked =
        |contact: &ScrewContact| contact.is_entering && contact.properness >= config.min_properness;
    // Edges only if there is nothing else.
    let has_face = |contact: &ScrewContact| contact.kind != ContactKind::EdgeEdge;
    match config.kept {
        Kept::Entering => {
            candidates.retain(|candidate| is_asked(&candidate.contact));
            resolved(&mut candidates, has_face)
        }
        Kept::All => resolved_beside(candidates, is_asked, has_face),
    }
}
