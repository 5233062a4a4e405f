//! Planes that are likely to separate two convex bodies longest.

use super::advance::{Advance, Carrier, Moment, Plane, Step};
use super::crossing::{Crossing, Edges};
use super::plane::MovingBody;
use crate::pair::{Feature, Nearest, seemingly_nearest};
use glam::DVec3;

impl Advance<'_> {
    /// Planes of features that seem to be nearest: most often one of them is as good as any.
    pub(super) fn quickly_proposed(&self, moment: &Moment, kept: Step, horizon: f64) -> Step {
        let [at_a, at_b] = &moment.at;
        let found = seemingly_nearest(self.a.map, &at_a.pose, self.b.map, &at_b.pose);
        found.map_or(kept, |found| self.proposed(&found, moment, kept, horizon))
    }

    /// The plane that separates longest, of those that the closest features and the last step propose.
    pub(super) fn proposed(&self, found: &Nearest, moment: &Moment, kept: Step, horizon: f64) -> Step {
        let [at_a, at_b] = &moment.at;
        let between = (found.point_b - found.point_a).try_normalize();
        let mut best = kept;
        let mut offer = |plane: Plane| {
            let step = self.step(plane, moment, horizon);
            best = best.or_longer(step);
            step.hold.is_efficient()
        };
        let [vertex_a, vertex_b] = [found.feature_a, found.feature_b].map(|feature| feature.vertices()[0]);
        let face = |body: &MovingBody<'_>, feature: &Feature, carrier: Carrier, vertex: u32| match feature {
            Feature::Face(name) => face_normal(body, *name).map(|local| Plane::Carried {
                carrier,
                local,
                face: Some(*name),
                vertex,
            }),
            _ => None,
        };
        let features = match (found.feature_a, found.feature_b) {
            (Feature::Edge(a), Feature::Edge(b)) => [Some(Plane::Edges(Edges { a, b })), None],
            (a, b) => [face(&self.a, &a, Carrier::A, vertex_b), face(&self.b, &b, Carrier::B, vertex_a)],
        };
        // The first that is as good as can be expected.
        if features.into_iter().flatten().any(&mut offer) {
            return best;
        }
        if let Some(n) = between {
            let (local_a, local_b) = (at_a.pose.turn_back(n), at_b.pose.turn_back(-n));
            let is_enough =
                offer(Plane::Carried { carrier: Carrier::A, local: local_a, face: None, vertex: vertex_b });
            if !is_enough {
                offer(Plane::Carried { carrier: Carrier::B, local: local_b, face: None, vertex: vertex_a });
            }
        }
        best
    }

    /// The best of the planes of all faces around the closest features, and of all pairs of edges there.
    #[cold]
    #[inline(never)]
    pub(super) fn best_around(&self, found: &Nearest, moment: &Moment, known: Step, horizon: f64) -> Step {
        let mut best = known;
        let mut offer = |plane: Plane| {
            best = best.or_longer(self.step(plane, moment, horizon));
        };
        let [at_a, _] = &moment.at;
        for plane in self.planes_around(found) {
            offer(plane);
            if let Plane::Edges(edges) = plane {
                // Also as a plane that does not turn with B: edges may be too short to tell.
                let crossing = Crossing::new([&self.a, &self.b], moment.at.each_ref(), edges);
                if let Some(n) = crossing.normal.try_normalize() {
                    let n = if n.dot(known.direction) < 0.0 { -n } else { n };
                    let local = at_a.pose.turn_back(n);
                    offer(Plane::Carried { carrier: Carrier::A, local, face: None, vertex: edges.b[0] });
                }
            }
        }
        best
    }

    /// Planes of all faces around the closest features, and of all pairs of edges there.
    fn planes_around(&self, found: &Nearest) -> Vec<Plane> {
        let mut planes = Vec::new();
        for (body, feature, carrier) in
            [(&self.a, &found.feature_a, Carrier::A), (&self.b, &found.feature_b, Carrier::B)]
        {
            let polytope = body.map.polytope();
            for corners in polytope.faces().filter(|face| feature.vertices().iter().any(|v| face.contains(v)))
            {
                let name = [corners[0], corners[1], corners[2]];
                let plane = |local: DVec3| Plane::Carried { carrier, local, face: Some(name), vertex: 0 };
                planes.extend(face_normal(body, name).map(plane));
            }
        }
        let edges_b = edges_around(&self.b, &found.feature_b);
        for a in edges_around(&self.a, &found.feature_a) {
            planes.extend(edges_b.iter().map(|&b| Plane::Edges(Edges { a, b })));
        }
        planes
    }

    /// The direction from A to B of a contact that follows a step.
    ///
    /// Directions between closest points only propose planes, and lean. So it is that of the face or the pair of edges that keeps
    /// the bodies apart longest, if one does; between rounded bodies it is that of their cores, which are well apart.
    pub(super) fn normal(&self, last: &Step, found: &Nearest, moment: &Moment, horizon: f64) -> DVec3 {
        if self.a.radius + self.b.radius > 0.0 {
            return self.between_cores(moment).unwrap_or(last.direction);
        }
        if !matches!(last.plane, Plane::Carried { face: None, .. }) {
            return last.direction;
        }
        let steps = self.planes_around(found).into_iter().map(|plane| self.step(plane, moment, horizon));
        let longest = steps.max_by(|x, y| x.hold.time.total_cmp(&y.hold.time));
        longest.filter(|step| step.hold.time > 0.0).map_or(last.direction, |step| step.direction)
    }
}

/// The outward normal of a face, in the frame of the body.
fn face_normal(body: &MovingBody<'_>, name: [u32; 3]) -> Option<DVec3> {
    let [p, q, r] = name.map(|v| body.map.vertex(v));
    let normal = (q - p).cross(r - p).try_normalize()?;
    // Three of its vertices in any order: the body is on the other side.
    let is_inward = normal.dot(body.map.polytope().centroid() - p) > 0.0;
    Some(if is_inward { -normal } else { normal })
}

/// All edges at the vertices of a feature.
fn edges_around(body: &MovingBody<'_>, feature: &Feature) -> Vec<[u32; 2]> {
    let polytope = body.map.polytope();
    let from = |v: u32| polytope.neighbours(v as usize).iter().map(move |&w| [v, w]);
    feature.vertices().iter().flat_map(|&v| from(v)).collect()
}
