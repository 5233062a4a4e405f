//! Typed views of buffers, checked against the bytes that are there.

use super::json::{Accessor, Root};
use crate::fault::Fault;
use clearance::glam::DVec3;
use std::borrow::Cow;

/// Elements of one accessor, read in place.
pub(super) struct View<'a> {
    pub count: usize,
    component: Component,
    normalized: bool,
    /// Bytes and distance of the elements; none: all zero.
    dense: Option<Strided<'a>>,
    sparse: Option<Overlay<'a>>,
}

struct Strided<'a> {
    bytes: &'a [u8],
    stride: usize,
}

/// Replaced elements, by increasing index.
struct Overlay<'a> {
    indices: Vec<u32>,
    values: Strided<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn from_code(code: u32) -> Option<Component> {
        Some(match code {
            5120 => Component::I8,
            5121 => Component::U8,
            5122 => Component::I16,
            5123 => Component::U16,
            5125 => Component::U32,
            5126 => Component::F32,
            _ => return None,
        })
    }

    const fn size(self) -> usize {
        match self {
            Component::I8 | Component::U8 => 1,
            Component::I16 | Component::U16 => 2,
            Component::U32 | Component::F32 => 4,
        }
    }

    /// The value at the start of the bytes, with the largest value of its type (for normalized integers).
    fn value(self, bytes: &[u8]) -> (f64, f64) {
        let two = || bytes.first_chunk().copied().unwrap_or_default();
        let four = || bytes.first_chunk().copied().unwrap_or_default();
        let one = bytes.first().copied().unwrap_or_default();
        match self {
            Component::I8 => (f64::from(one as i8), 127.0),
            Component::U8 => (f64::from(one), 255.0),
            Component::I16 => (f64::from(i16::from_le_bytes(two())), 32767.0),
            Component::U16 => (f64::from(u16::from_le_bytes(two())), 65535.0),
            Component::U32 => (f64::from(u32::from_le_bytes(four())), f64::from(u32::MAX)),
            Component::F32 => (f64::from(f32::from_le_bytes(four())), 1.0),
        }
    }
}

/// The document and its buffers.
pub(super) struct Buffers<'a> {
    pub root: &'a Root,
    pub contents: &'a [Cow<'a, [u8]>],
}

impl<'a> Buffers<'a> {
    /// The elements of `accessors[index]`, which must have this type ("VEC3" or "SCALAR").
    pub fn view(&self, index: usize, shape: &str) -> Result<View<'a>, Fault> {
        let name = format!("accessors[{index}]");
        let wrong = |problem: String| Fault::element(name.clone(), problem);
        let accessor = self.root.accessors.get(index);
        let accessor = accessor.ok_or_else(|| wrong("does not exist".into()))?;
        if &*accessor.shape != shape {
            return Err(wrong(format!("has type {}, {shape} is needed", accessor.shape)));
        }
        let component = Component::from_code(accessor.component_type);
        let component =
            component.ok_or_else(|| wrong(format!("unknown component type {}", accessor.component_type)))?;
        let width = component.size() * if shape == "VEC3" { 3 } else { 1 };
        let count = u32::try_from(accessor.count).map_err(|_| wrong("more than 2^32 elements".into()))?;
        let dense = match accessor.buffer_view {
            Some(view) => Some(self.elements(view, accessor.byte_offset, accessor.count, width, &name)?),
            None if accessor.sparse.is_some() => None,
            None => return Err(wrong("has no data; compressed meshes are not read".into())),
        };
        let sparse = self.overlay(accessor, width, &name)?;
        Ok(View { count: count as usize, component, normalized: accessor.normalized, dense, sparse })
    }

    /// `count` elements of `width` bytes: refused unless all of them lie in the view and its buffer.
    fn elements(
        &self,
        view: usize,
        offset: u64,
        count: u64,
        width: usize,
        name: &str,
    ) -> Result<Strided<'a>, Fault> {
        let wrong = |problem: String| Fault::element(name, problem);
        let index = view;
        let view = self.root.buffer_views.get(view);
        let view = view.ok_or_else(|| wrong(format!("bufferViews[{index}] does not exist")))?;
        let buffer: &'a [u8] = self
            .contents
            .get(view.buffer)
            .ok_or_else(|| wrong(format!("bufferViews[{index}] is in a buffer that does not exist")))?;
        let range = |start: u64, length: u64, bytes: &'a [u8]| {
            let start = usize::try_from(start).ok()?;
            bytes.get(start..start.checked_add(usize::try_from(length).ok()?)?)
        };
        let whole = range(view.byte_offset, view.byte_length, buffer).ok_or_else(|| {
            wrong(format!("bufferViews[{index}] reaches beyond its buffer of {} bytes", buffer.len()))
        })?;
        let stride = view.byte_stride.unwrap_or(width as u64).max(1);
        let needed = match count {
            0 => Some(0),
            count => stride.checked_mul(count - 1).and_then(|bytes| bytes.checked_add(width as u64)),
        };
        let bytes = needed.and_then(|needed| range(offset, needed, whole)).ok_or_else(|| {
            wrong(format!(
                "{count} elements every {stride} bytes from byte {offset} do not fit into bufferViews[{index}] \
                 of {} bytes",
                whole.len()
            ))
        })?;
        let stride = usize::try_from(stride).map_err(|_| wrong("a stride beyond memory".into()))?;
        Ok(Strided { bytes, stride })
    }

    fn overlay(&self, accessor: &Accessor, width: usize, name: &str) -> Result<Option<Overlay<'a>>, Fault> {
        let Some(sparse) = accessor.sparse.as_deref() else { return Ok(None) };
        let wrong = |problem: &str| Fault::element(name, problem);
        let kind = match Component::from_code(sparse.indices.component_type) {
            Some(kind @ (Component::U8 | Component::U16 | Component::U32)) => kind,
            _ => return Err(wrong("sparse indices are not unsigned integers")),
        };
        let (at, values) = (&sparse.indices, &sparse.values);
        let indices = self.elements(at.buffer_view, at.byte_offset, sparse.count, kind.size(), name)?;
        let values = self.elements(values.buffer_view, values.byte_offset, sparse.count, width, name)?;
        // The elements are there, so there are no more of them than bytes.
        let indices: Vec<u32> =
            (0..sparse.count as usize).map(|i| kind.value(indices.element(i)).0 as u32).collect();
        if !indices.is_sorted_by(|a, b| a < b)
            || indices.last().is_some_and(|&i| u64::from(i) >= accessor.count)
        {
            return Err(wrong("sparse indices do not increase, or leave the accessor"));
        }
        Ok(Some(Overlay { indices, values }))
    }
}

impl<'a> Strided<'a> {
    fn element(&self, index: usize) -> &'a [u8] {
        self.bytes.get(index * self.stride..).unwrap_or_default()
    }
}

impl<'a> View<'a> {
    /// Whether it holds unsigned integers, as indices must.
    pub fn is_unsigned(&self) -> bool {
        matches!(self.component, Component::U8 | Component::U16 | Component::U32)
    }

    fn element(&self, index: usize) -> &'a [u8] {
        if let Some(overlay) = &self.sparse
            && let Ok(replaced) = overlay.indices.binary_search(&(index as u32))
        {
            return overlay.values.element(replaced);
        }
        self.dense.as_ref().map_or(&[], |dense| dense.element(index))
    }

    /// An element of a scalar view of unsigned integers.
    #[inline]
    pub fn index(&self, index: usize) -> u32 {
        self.component.value(self.element(index)).0 as u32
    }

    /// An element of a VEC3 view.
    #[inline]
    pub fn vector(&self, index: usize) -> DVec3 {
        let bytes = self.element(index);
        let coordinate = |i: usize| {
            let (value, largest) =
                self.component.value(bytes.get(i * self.component.size()..).unwrap_or_default());
            if self.normalized { (value / largest).max(-1.0) } else { value }
        };
        DVec3::new(coordinate(0), coordinate(1), coordinate(2))
    }
}
