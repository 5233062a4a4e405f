//! Coordinates in which a screw is a turn about the third axis: boxes around places that are no floats.

use crate::math::{Interval, Interval3, Pose, Screw, SinCos, sin_cos_of_products};
use glam::{DMat3, DVec3};

/// Axes across and along that of a screw, at an origin near the bodies.
///
/// The origin is not on the axis, which may be far away: only what the motion *adds* to a place is multiplied by the distance
/// from the axis, so a small turn about a far axis is known as well as a translation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    axes: [Interval3; 3],
    origin: DVec3,
    /// From the axis to the origin, along the first two axes.
    pub arm: [Interval; 2],
    pub angle: f64,
    pub shift: f64,
    /// One over the angle and the shift, rounded; infinite for zero.
    pub inverse_angle: f64,
    pub inverse_shift: f64,
}

impl Frame {
    pub fn new(screw: &Screw, origin: DVec3) -> Frame {
        let along = screw.unit_axis();
        let v = screw.axis();
        let least = (0..3).min_by(|&i, &j| v[i].abs().total_cmp(&v[j].abs())).unwrap_or(0);
        // Exact: each entry is one of the axis, its negative, or zero.
        let across = Interval3::point(v.cross(DVec3::AXES[least]));
        let length = across.length_squared().sqrt();
        let first = Interval3(across.0.map(|x| x.over(length).unwrap_or(Interval::ZERO)));
        let axes = [first, along.cross(&first), along];
        let arm = Interval3::point(origin) - Interval3::point(screw.center());
        Frame {
            axes,
            origin,
            arm: [axes[0].dot(&arm), axes[1].dot(&arm)],
            angle: screw.angle(),
            shift: screw.shift(),
            inverse_angle: screw.angle().recip(),
            inverse_shift: screw.shift().recip(),
        }
    }

    /// As seen by what moves: the rest moves the other way.
    pub fn inverse(&self) -> Frame {
        Frame {
            angle: -self.angle,
            shift: -self.shift,
            inverse_angle: -self.inverse_angle,
            inverse_shift: -self.inverse_shift,
            ..*self
        }
    }

    /// A point of a body under a pose, `R p + t`, at the start.
    pub fn place(&self, pose: &Pose, point: DVec3) -> Interval3 {
        let rotation = pose.rotation().transpose();
        let rows = [rotation.x_axis, rotation.y_axis, rotation.z_axis].map(Interval3::point);
        let point = Interval3::point(point);
        let from_origin = Interval3::point(pose.translation()) - Interval3::point(self.origin);
        self.local(&(Interval3(rows.map(|row| row.dot(&point))) + from_origin))
    }

    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// The axes as rows of a matrix, rounded.
    pub fn rows(&self) -> DMat3 {
        let [e, f, g] = self.axes.map(|axis| axis.middle());
        DMat3::from_cols(e, f, g).transpose()
    }

    /// A vector of the world.
    pub fn local(&self, vector: &Interval3) -> Interval3 {
        Interval3(self.axes.map(|axis| axis.dot(vector)))
    }

    /// A place here, in the world; rounded.
    pub fn world(&self, place: &Interval3) -> DVec3 {
        self.world_place(place.middle())
    }

    /// A rounded place here, in the world.
    pub fn world_place(&self, place: DVec3) -> DVec3 {
        self.origin + self.world_vector(place)
    }

    /// A vector here, in the world; rounded.
    pub fn world_vector(&self, v: DVec3) -> DVec3 {
        let [e, f, g] = self.axes.map(|axis| axis.middle());
        e * v.x + f * v.y + g * v.z
    }

    /// The turn at a time.
    pub fn turn(&self, t: Interval) -> SinCos {
        match self.angle == 0.0 {
            true => SinCos { sin: Interval::ZERO, cos: Interval::ONE, versine: Interval::ZERO },
            false => sin_cos_of_products(self.angle, t),
        }
    }

    /// From the axis to a place, across it.
    pub fn arm_of(&self, place: &Interval3) -> [Interval; 2] {
        [place.0[0] + self.arm[0], place.0[1] + self.arm[1]]
    }

    /// Where a place of the start is at a time.
    pub fn moved(&self, place: &Interval3, turn: &SinCos, t: Interval) -> Interval3 {
        *place + self.change(place, turn, t)
    }

    /// What the motion adds to a place of the start until a time.
    pub fn change(&self, place: &Interval3, turn: &SinCos, t: Interval) -> Interval3 {
        let along = t.times(self.shift);
        if self.angle == 0.0 {
            return Interval3([Interval::ZERO, Interval::ZERO, along]);
        }
        let [x, y] = self.arm_of(place);
        Interval3([-(turn.versine * x + turn.sin * y), turn.sin * x - turn.versine * y, along])
    }

    /// A vector of the moving body at a time.
    pub fn turned(&self, vector: &Interval3, turn: &SinCos) -> Interval3 {
        if self.angle == 0.0 {
            return *vector;
        }
        let [x, y, z] = vector.0;
        Interval3([x - (turn.versine * x + turn.sin * y), y + (turn.sin * x - turn.versine * y), z])
    }

    /// The velocity of what is at a place: the same for the moving body at any time.
    pub fn velocity(&self, place: &Interval3) -> Interval3 {
        let [x, y] = self.arm_of(place);
        Interval3([-y.times(self.angle), x.times(self.angle), Interval::point(self.shift)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Random, SteadyMotion};

    #[test]
    fn places_move_as_poses_do() {
        let mut random = Random::new(1);
        for case in 0..500 {
            let mut vector =
                || DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0));
            let (axis, p) = (if case % 3 == 0 { DVec3::AXES[case % 9 / 3] } else { vector() }, vector());
            let angle = [1e-9, 2.0, 40.0][case % 3];
            let center = vector() * [1.0 / angle, 100.0, 1.0][case % 3];
            let pose = Pose::from_axis_angle(vector(), 1.0, vector()).unwrap();
            let screw = Screw::new(axis, center, angle, random.range(-3.0, 3.0)).unwrap();
            let frame = Frame::new(&screw, pose.translation());
            let t = Interval::point(random.unit());
            let place = frame.place(&pose, p);
            let moved = frame.moved(&place, &frame.turn(t), t);
            let truth = SteadyMotion::from(screw).enclosed_pose(t, &pose).apply(&Interval3::point(p));
            assert!((frame.world(&moved) - truth.middle()).length() < 1e-12 * (1.0 + angle), "{screw:?}");
            assert!(moved.0.iter().all(|x| x.width() < 1e-12), "{moved:?}");
            // Back again.
            let back = frame.inverse();
            let returned = back.moved(&moved, &back.turn(t), t);
            assert!((0..3).all(|i| returned.0[i].intersection(place.0[i]).is_some()));
        }
    }
}
