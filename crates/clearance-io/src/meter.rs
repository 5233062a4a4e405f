//! Progress reports at a steady pace, and a budget for content that unfolds.

use crate::error::Position;
use crate::fault::{Fault, Problem};
use crate::read::{Progress, ReadOptions, Stage};
use std::ops::ControlFlow;

/// Bytes between two progress reports while parsing.
const REPORT_STEP: u64 = 1 << 18;

/// Reports how many bytes are parsed; cheap enough to be told about every element.
pub(crate) struct Meter<'a> {
    options: &'a ReadOptions<'a>,
    total: u64,
    next: u64,
}

impl<'a> Meter<'a> {
    pub fn new(options: &'a ReadOptions<'_>, total: u64) -> Meter<'a> {
        let next = if options.progress.is_some() { 0 } else { u64::MAX };
        Meter { options, total, next }
    }

    /// Calls the callback, if any.
    pub fn report(options: &ReadOptions<'_>, stage: Stage, done: u64, total: u64) -> ControlFlow<()> {
        options.progress.map_or(ControlFlow::Continue(()), |report| report(Progress { stage, done, total }))
    }

    /// Says that `done` bytes are parsed.
    #[inline]
    pub fn at(&mut self, done: usize) -> Result<(), Fault> {
        if (done as u64) < self.next { Ok(()) } else { self.tell(done as u64) }
    }

    /// Says that more bytes have turned up than the file has, such as inflated ones.
    pub fn set_total(&mut self, total: u64) {
        self.total = total;
    }

    /// Says that all bytes are parsed.
    pub fn finish(&mut self) -> Result<(), Fault> {
        if self.options.progress.is_some() { self.tell(self.total) } else { Ok(()) }
    }

    #[cold]
    fn tell(&mut self, done: u64) -> Result<(), Fault> {
        self.next = done.saturating_add(REPORT_STEP);
        match Meter::report(self.options, Stage::Parsing, done.min(self.total), self.total) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Fault { position: Position::File, problem: Problem::Cancelled }),
        }
    }
}

/// Memory that copies of shared shapes may take: a few kilobytes of glTF or 3MF can ask for any amount.
pub(crate) struct Budget {
    limit: u64,
    spent: u64,
}

/// Copies may take this many times the uncompressed size of the file,
const COPY_FACTOR: u64 = 64;
/// and this much more, so that small files with many scaled instances pass.
const COPY_GRANT: u64 = 16 << 20;

impl Budget {
    /// For a file of that uncompressed size.
    pub fn new(options: &ReadOptions<'_>, uncompressed: u64) -> Budget {
        let grant = uncompressed.saturating_mul(COPY_FACTOR).saturating_add(COPY_GRANT);
        Budget { limit: grant.min(options.max_uncompressed_bytes), spent: 0 }
    }

    /// Takes bytes out of the budget before they are allocated.
    pub fn spend(&mut self, bytes: u64, position: impl FnOnce() -> Position) -> Result<(), Fault> {
        self.spent = self.spent.saturating_add(bytes);
        if self.spent <= self.limit {
            return Ok(());
        }
        Err(Fault { position: position(), problem: Problem::TooLarge { limit: self.limit } })
    }
}
