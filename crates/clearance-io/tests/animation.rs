//! Animated GLB files, taken apart by a reader of this test only.

use clearance::{
    Pose,
    glam::{DQuat, DVec3, Vec3},
    shape::sample,
};
use clearance_io::{
    Animation, Document, Format, GlbStyle, LengthUnit, Placement, ReadOptions, Track, WriteError, read_bytes,
    write_glb_bytes,
};
use serde_json::Value;

/// JSON and binary chunk of a GLB whose lengths are all right.
fn chunks(glb: &[u8]) -> (Value, &[u8]) {
    let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&glb[..4], word(4), word(8)), (&b"glTF"[..], 2, glb.len()));
    let json = word(12);
    assert_eq!((&glb[16..20], json % 4), (&b"JSON"[..], 0));
    let (start, length) = (28 + json, word(20 + json));
    assert_eq!((&glb[start - 4..start], start + length), (&b"BIN\0"[..], glb.len()));
    (serde_json::from_slice(&glb[20..20 + json]).unwrap(), &glb[start..])
}

/// The numbers of an accessor of floats, in rows.
fn floats(root: &Value, binary: &[u8], accessor: &Value) -> Vec<Vec<f32>> {
    let accessor = &root["accessors"][accessor.as_u64().unwrap() as usize];
    let view = &root["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
    let width = match accessor["type"].as_str().unwrap() {
        "SCALAR" => 1,
        "VEC3" => 3,
        "VEC4" => 4,
        other => panic!("{other}"),
    };
    assert_eq!(accessor["componentType"], 5126);
    assert!(view.get("target").is_none(), "a view of an animation feeds no vertices");
    let size = 4 * width * number(&accessor["count"]);
    assert!(number(&accessor["byteOffset"]) + size <= number(&view["byteLength"]));
    let start = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
    let numbers = binary[start..start + size].chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap()));
    numbers.collect::<Vec<f32>>().chunks(width).map(<[f32]>::to_vec).collect()
}

/// Where the placements are in a frame: the first stands still.
fn pose(placement: usize, frame: usize) -> Pose {
    let (turn, way) = (0.7 * frame as f64, DVec3::new(frame as f64, placement as f64, -2.5));
    let axis = [DVec3::X, DVec3::ONE, DVec3::NEG_Z][placement].normalize();
    if placement == 0 {
        return Pose::from_translation(DVec3::Z).unwrap();
    }
    Pose::from_quaternion(DQuat::from_axis_angle(axis, turn), way).unwrap()
}

const FRAMES: usize = 30;

/// Two shapes in three places, two of which move.
fn scene() -> (Document, Animation) {
    let mut document = Document { unit: Some(LengthUnit::Millimetre), ..Document::default() };
    document.place("ground", sample::cube(2.0).to_soup(), pose(0, 0));
    let shape = document.place("one", sample::car().to_soup(), pose(1, 0));
    document.placements.push(Placement { name: "two".into(), geometry: shape, pose: pose(2, 0) });
    let track = |placement: usize| {
        let mut track = Track::default();
        (0..FRAMES).for_each(|frame| track.push(&pose(placement, frame)));
        Some(track)
    };
    let seconds = (0..FRAMES).map(|frame| frame as f64 / 25.0).collect();
    (document, Animation { name: "frames".into(), seconds, tracks: vec![None, track(1), track(2)] })
}

fn written(document: &Document, animation: Animation) -> Result<Vec<u8>, WriteError> {
    write_glb_bytes(document, &GlbStyle { animation: Some(animation), ..GlbStyle::default() })
}

#[test]
fn channels_hold_the_poses_of_all_frames() {
    let (document, animation) = scene();
    let bytes = written(&document, animation).unwrap();
    let (root, binary) = chunks(&bytes);
    assert_eq!(root["buffers"][0]["byteLength"], binary.len());
    let [animation] = root["animations"].as_array().unwrap().as_slice() else { panic!("one animation") };
    let channels = animation["channels"].as_array().unwrap();
    assert_eq!((channels.len(), animation["samplers"].as_array().unwrap().len()), (4, 4));
    for (i, channel) in channels.iter().enumerate() {
        let (node, path) = (1 + i / 2, ["translation", "rotation"][i % 2]);
        assert_eq!((&channel["target"]["node"], &channel["target"]["path"]), (&node.into(), &path.into()));
        let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
        assert_eq!(sampler["interpolation"], "LINEAR");
        let times = floats(&root, binary, &sampler["input"]).concat();
        assert!(times.len() == FRAMES && times[0] == 0.0 && times.windows(2).all(|t| t[0] < t[1]));
        let stated = &root["accessors"][sampler["input"].as_u64().unwrap() as usize];
        assert_eq!(stated["max"][0].as_f64().unwrap() as f32, times[FRAMES - 1]);
        assert_eq!(stated["min"][0].as_f64().unwrap(), 0.0);
        let values = floats(&root, binary, &sampler["output"]);
        assert_eq!(values.len(), FRAMES);
        for (frame, value) in values.iter().enumerate() {
            let expected = pose(node, frame);
            match value.as_slice() {
                [x, y, z] => {
                    let metres = (0.001 * expected.translation()).as_vec3();
                    assert_eq!(Vec3::new(*x, *y, *z), metres, "rounded once, frame {frame}");
                }
                [x, y, z, w] => {
                    let turned = DQuat::from_array([x, y, z, w].map(|&c| f64::from(c)));
                    let same = Pose::from_quaternion(turned, DVec3::ZERO).unwrap();
                    let difference = same.rotation() - expected.rotation();
                    assert!(difference.to_cols_array().iter().all(|e| e.abs() < 1e-6), "{frame}");
                }
                other => panic!("{other:?}"),
            }
        }
        if path == "rotation" {
            let near = |q: &[Vec<f32>]| q[0].iter().zip(&q[1]).map(|(x, y)| x * y).sum::<f32>() > 0.0;
            assert!(values.windows(2).all(near), "neighbours lie on one side");
        }
    }
}

#[test]
fn what_moves_has_no_matrix_and_starts_where_it_is() {
    let (document, animation) = scene();
    let bytes = written(&document, animation).unwrap();
    let (root, _) = chunks(&bytes);
    let nodes = root["nodes"].as_array().unwrap();
    assert!(nodes[0].get("matrix").is_some() && nodes[1..].iter().all(|node| node.get("matrix").is_none()));
    assert_eq!(root["meshes"].as_array().unwrap().len(), 2, "shapes stay shared");
    let back = read_bytes(&bytes, Format::Glb, "part", &ReadOptions::default()).unwrap();
    for (placement, read) in document.placements.iter().zip(&back.placements) {
        let metres = placement.pose.translation() * 0.001;
        assert_eq!((&placement.name, placement.geometry), (&read.name, read.geometry));
        assert!(read.pose.translation().abs_diff_eq(metres, 1e-12));
    }
}

#[test]
fn animations_that_cannot_be_written_are_refused() {
    let (document, animation) = scene();
    let refused = |change: &dyn Fn(&mut Animation)| {
        let mut changed = animation.clone();
        change(&mut changed);
        written(&document, changed).unwrap_err()
    };
    let huge = Pose::from_translation(DVec3::new(1e60, 0.0, 0.0)).unwrap();
    assert!(matches!(refused(&|a| a.seconds[3] = a.seconds[2]), WriteError::BadTimes));
    assert!(matches!(refused(&|a| a.seconds[3] = f64::NAN), WriteError::BadTimes));
    assert!(matches!(refused(&|a| a.seconds[0] = -1.0), WriteError::BadTimes));
    assert!(matches!(refused(&|a| a.seconds.iter_mut().for_each(|t| *t += 1e9)), WriteError::BadTimes));
    assert!(matches!(
        refused(&|a| a.tracks[2] = Some(Track::default())),
        WriteError::BadTrack { placement: 2, .. }
    ));
    let far = refused(&|a| {
        let mut track = Track::default();
        (0..FRAMES).for_each(|_| track.push(&huge));
        a.tracks[1] = Some(track);
    });
    assert!(matches!(far, WriteError::TooFar { node: 1, frame: 0, .. }), "{far}");
}

/// Nothing moves: the file is the same as without the animation.
#[test]
fn an_animation_without_tracks_leaves_no_trace() {
    let (document, animation) = scene();
    let still = written(&document, Animation { tracks: vec![], ..animation }).unwrap();
    assert_eq!(still, write_glb_bytes(&document, &GlbStyle::default()).unwrap());
}
