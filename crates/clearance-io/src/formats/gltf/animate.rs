//! Nodes on their way: translations and rotations at common times, linear in between.

use super::write::{FLOAT, Writer};
use crate::animation::{Animation, Track};
use crate::error::WriteError;
use serde_json::{Value, json};

/// Accessors of animations lie in the buffer view behind positions and indices.
const VIEW: u32 = 2;

/// A node and the accessors of its translations and rotations.
struct Channel {
    node: usize,
    translations: usize,
    rotations: usize,
}

impl Writer {
    /// Adds the tracks of nodes, given in pairs.
    pub(super) fn animation(
        &mut self,
        animation: &Animation,
        moving: &[(usize, &Track)],
    ) -> Result<(), WriteError> {
        if moving.is_empty() || animation.seconds.is_empty() {
            return Ok(());
        }
        let seconds: Vec<f32> = animation.seconds.iter().map(|&t| t as f32).collect();
        let (first, last) = (seconds[0], seconds[seconds.len() - 1]);
        let times = self.animated_accessor("SCALAR", 1, &seconds);
        // Demanded of times, and only of them.
        self.accessors[times]["min"] = json!([first]);
        self.accessors[times]["max"] = json!([last]);
        let mut channels = Vec::with_capacity(moving.len());
        for &(node, track) in moving {
            let translations = self.translations(node, track)?;
            let rotations = self.animated_accessor("VEC4", 4, track.rotations.as_flattened());
            channels.push(Channel { node, translations, rotations });
        }
        self.animations.push(animation_of(&animation.name, times, &channels));
        Ok(())
    }

    fn translations(&mut self, node: usize, track: &Track) -> Result<usize, WriteError> {
        let mut numbers = Vec::with_capacity(3 * track.translations.len());
        for (frame, &translation) in track.translations.iter().enumerate() {
            let scaled = (translation * self.metres).as_vec3();
            if !scaled.is_finite() {
                return Err(WriteError::TooFar { node, frame, value: translation.abs().max_element() });
            }
            numbers.extend(scaled.to_array());
        }
        Ok(self.animated_accessor("VEC3", 3, &numbers))
    }

    fn animated_accessor(&mut self, shape: &str, width: usize, numbers: &[f32]) -> usize {
        let offset = self.animated.len();
        numbers.iter().for_each(|x| self.animated.extend_from_slice(&x.to_le_bytes()));
        self.accessors.push(json!({
            "bufferView": VIEW, "byteOffset": offset, "componentType": FLOAT, "type": shape,
            "count": numbers.len() / width,
        }));
        self.accessors.len() - 1
    }
}

/// Two samplers and two channels for each node.
fn animation_of(name: &str, times: usize, moving: &[Channel]) -> Value {
    let sampler = |output: usize| json!({ "input": times, "output": output, "interpolation": "LINEAR" });
    let target = |sampler: usize, node: usize, path: &str| json!({ "sampler": sampler, "target": { "node": node, "path": path } });
    let samplers: Vec<Value> =
        moving.iter().flat_map(|m| [sampler(m.translations), sampler(m.rotations)]).collect();
    let channels: Vec<Value> = (moving.iter().enumerate())
        .flat_map(|(i, m)| [target(2 * i, m.node, "translation"), target(2 * i + 1, m.node, "rotation")])
        .collect();
    json!({ "name": name, "samplers": samplers, "channels": channels })
}
