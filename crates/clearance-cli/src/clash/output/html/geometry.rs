//! The geometry of a page: one buffer of floats and indices, packed, and where in it what is.

use crate::clash::{
    drawn::soup_of,
    parts::Assembly,
    report::{Reported, Segment},
};
use clearance::{body::Body, glam::DVec3, shape::TriangleSoup};
use flate2::{Compression, GzBuilder};
use serde::Serialize;
use std::{collections::HashMap, io::Write, sync::Arc};

/// What the page draws.
#[derive(Debug)]
pub struct Scene {
    pub file: SceneFile,
    buffer: Vec<u8>,
}

/// Where everything is in the buffer.
#[derive(Debug, Serialize)]
pub struct SceneFile {
    version: u32,
    geometries: Vec<GeometryEntry>,
    parts: Vec<PartEntry>,
    curves: Vec<CurveEntry>,
    /// Whether some parts are drawn as boxes to save size.
    simplified: bool,
}

#[derive(Debug, Serialize)]
struct GeometryEntry {
    offset: usize,
    vertices: usize,
    triangles: usize,
    center: [f64; 3],
}

#[derive(Clone, Debug, Serialize)]
struct PartEntry {
    geometry: Option<usize>,
    pose: [f64; 12],
    bounds: Option<[[f64; 3]; 2]>,
}

#[derive(Debug, Serialize)]
struct CurveEntry {
    finding: usize,
    offset: usize,
    segments: usize,
    center: [f64; 3],
}

/// Base64 makes four bytes of three; packing saves some, but how much is not known beforehand.
const PER_BYTE: f64 = 4.0 / 3.0;
/// Findings whose surroundings are drawn in full first.
const NEIGHBOURHOODS: usize = 100;

impl Scene {
    /// Takes geometry until the page would grow by more than `size` bytes.
    pub fn new(reported: &Reported, assembly: &Assembly, size: u64) -> Scene {
        let mut budget = (size as f64 / PER_BYTE) as usize;
        let part = |i: usize| PartEntry {
            geometry: None,
            pose: assembly.parts[i].pose.to_rows(),
            bounds: reported.report.parts[i].bounds,
        };
        let file = SceneFile {
            version: 1,
            geometries: Vec::new(),
            parts: (0..assembly.parts.len()).map(part).collect(),
            curves: Vec::new(),
            simplified: false,
        };
        let mut scene = Scene { file, buffer: Vec::new() };
        let mut shared: HashMap<*const Body, Option<usize>> = HashMap::new();
        let (with_findings, others) = by_importance(reported);
        scene.add_parts(&with_findings, assembly, &mut shared, &mut budget);
        for (finding, curve) in reported.curves.iter().enumerate().filter(|(_, curve)| !curve.is_empty()) {
            if let Some(rest) = budget.checked_sub(24 * curve.len()) {
                budget = rest;
                scene.add_curve(finding, curve);
            }
        }
        scene.add_parts(&others, assembly, &mut shared, &mut budget);
        scene
    }

    fn add_parts(
        &mut self,
        parts: &[usize],
        assembly: &Assembly,
        shared: &mut HashMap<*const Body, Option<usize>>,
        budget: &mut usize,
    ) {
        for &i in parts {
            let part = &assembly.parts[i];
            let geometry = *shared.entry(Arc::as_ptr(&part.body)).or_insert_with(|| {
                let soup = soup_of(part)?;
                let bytes = 12 * (soup.positions.len() + soup.triangles.len());
                self.file.simplified |= bytes > *budget;
                *budget = budget.checked_sub(bytes)?;
                Some(self.add_geometry(&soup))
            });
            self.file.parts[i].geometry = geometry;
        }
    }

    fn add_geometry(&mut self, soup: &TriangleSoup) -> usize {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for &point in &soup.positions {
            (low, high) = (low.min(point), high.max(point));
        }
        let center = 0.5 * low + 0.5 * high;
        self.file.geometries.push(GeometryEntry {
            offset: self.buffer.len(),
            vertices: soup.positions.len(),
            triangles: soup.triangles.len(),
            center: center.to_array(),
        });
        soup.positions.iter().for_each(|&point| self.add_point(point - center));
        for index in soup.triangles.iter().flatten() {
            self.buffer.extend(index.to_le_bytes());
        }
        self.file.geometries.len() - 1
    }

    fn add_curve(&mut self, finding: usize, curve: &[Segment]) {
        let center = DVec3::from_array(curve[0][0]);
        self.file.curves.push(CurveEntry {
            finding,
            offset: self.buffer.len(),
            segments: curve.len(),
            center: center.to_array(),
        });
        curve.iter().flatten().for_each(|point| self.add_point(DVec3::from_array(*point) - center));
    }

    fn add_point(&mut self, point: DVec3) {
        for coordinate in point.to_array() {
            self.buffer.extend((coordinate as f32).to_le_bytes());
        }
    }

    /// The buffer, packed, as text. No name and no time are in it: the same geometry is the same text.
    pub fn base64(&self) -> String {
        let mut packer = GzBuilder::new().write(Vec::new(), Compression::default());
        // Writing into memory does not fail.
        let packed = packer.write_all(&self.buffer).and_then(|()| packer.finish()).unwrap_or_default();
        base64(&packed)
    }
}

/// Parts with findings, the gravest first; and the others, those first that are nearest to one of the first findings.
fn by_importance(reported: &Reported) -> (Vec<usize>, Vec<usize>) {
    let report = &reported.report;
    let mut with_findings = Vec::new();
    let mut taken = vec![false; report.parts.len()];
    for part in report.findings.iter().flat_map(|finding| finding.parts) {
        if !std::mem::replace(&mut taken[part], true) {
            with_findings.push(part);
        }
    }
    let places: Vec<[f64; 3]> =
        report.findings.iter().filter_map(super::super::table::place).take(NEIGHBOURHOODS).collect();
    let distance = |part: usize| match report.parts[part].bounds {
        Some(bounds) => places.iter().map(|&place| away(bounds, place)).fold(f64::INFINITY, f64::min),
        None => f64::INFINITY,
    };
    let rest = (0..report.parts.len()).filter(|&part| !taken[part]);
    let mut rest: Vec<(f64, usize)> = rest.map(|part| (distance(part), part)).collect();
    rest.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    (with_findings, rest.into_iter().map(|(_, part)| part).collect())
}

/// The square of the distance of a point from a box, roughly.
fn away([low, high]: [[f64; 3]; 2], point: [f64; 3]) -> f64 {
    let across = |axis: usize| (low[axis] - point[axis]).max(point[axis] - high[axis]).max(0.0);
    (0..3).map(|axis| across(axis).powi(2)).sum()
}

/// RFC 4648, with padding.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| chunk.get(i).map_or(0, |&byte| u32::from(byte));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            match digit <= chunk.len() {
                true => text.push(char::from(DIGITS[(bits >> (18 - 6 * digit) & 63) as usize])),
                false => text.push('='),
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test vectors of RFC 4648.
    #[test]
    fn base64_is_the_published_one() {
        let cases = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (plain, text) in cases {
            assert_eq!(base64(plain.as_bytes()), text);
        }
        assert_eq!(base64(&[0xff, 0xef, 0xfe]), "/+/+");
    }
}
