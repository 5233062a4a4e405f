//! What a proof of separation looks like, rounded: for pictures.

use super::body::Body;
use super::certificate::Certificate;
use super::course::Moment;
use super::feature::Which;
use super::plane::{PairState, Plane, legs};
use glam::DVec2;

/// The line by which a certificate separates two bodies, rounded: for pictures, nothing is proved by it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeparatingLine {
    /// Whose line it is.
    pub owner: Which,
    /// Outer normal, in the owner's own coordinates, of any length.
    pub normal: DVec2,
    /// `normal . p + offset` is zero on the line and positive at the other body.
    pub offset: f64,
    /// The point of the other body, or of its envelope, that is nearest to the line, or beside the nearest with a margin for turns; in that
    /// body's own coordinates.
    pub point: DVec2,
    /// The levels of the envelopes of both bodies that are apart; none for certificates that look at the polygons themselves.
    pub levels: Option<[u32; 2]>,
}

impl Plane {
    /// The line by which the certificate of two bodies separates them at a time at which it holds.
    ///
    /// None where they meet, and where the certificate has no line of its own: two closest vertices.
    pub fn separating_line(&self, bodies: [&Body; 2], state: &PairState, t: f64) -> Option<SeparatingLine> {
        let pair = self.certified(bodies);
        let moment = Moment::new(legs(&pair, t), t);
        let certificate = state.certificate()?;
        let separator = certificate.separator(&moment, &pair)?;
        let [a, b, c] = separator.line.interval().map(|x| x.middle());
        let [x, y, _] = separator.point.interval().map(|x| x.middle());
        Some(SeparatingLine {
            owner: separator.owner,
            normal: DVec2::new(a, b),
            offset: c,
            point: DVec2::new(x, y),
            levels: match certificate {
                Certificate::Lazy(edge) => Some([edge.level; 2]),
                Certificate::Cell(cell) => Some(pair.cell_pair().levels(cell)),
                Certificate::Triangle(cell) => Some([cell.level(&pair.point_pair(cell.owner)); 2]),
                _ => None,
            },
        })
    }
}
