//! Ctrl-C, and progress of long reads.

use clearance_io::{Progress, ReadOptions, Stage};
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use std::{
    io::IsTerminal,
    ops::ControlFlow,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// Whether the run itself sees to its end.
static IN_ORDER: AtomicBool = AtomicBool::new(false);

/// The exit code of an interrupted run.
pub const EXIT_CODE: u8 = 130;
/// How long a run may take to stop by itself; past that the process ends where it is.
const PATIENCE: Duration = Duration::from_millis(400);
/// Files smaller than this are read before a progress bar could be seen.
const WORTH_A_BAR: u64 = 20 << 20;

/// Takes note of Ctrl-C from here on.
pub fn listen() {
    // Without a handler Ctrl-C still ends the process, only less tidily: no reason to fail.
    let _ = ctrlc::set_handler(|| {
        let again = INTERRUPTED.swap(true, Ordering::SeqCst);
        if IN_ORDER.load(Ordering::SeqCst) && !again {
            return;
        }
        std::thread::sleep(PATIENCE);
        std::process::exit(i32::from(EXIT_CODE));
    });
}

/// Whether Ctrl-C was pressed.
pub fn requested() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// From here on the first Ctrl-C only asks, however long the run takes to keep what is done; the second ends it.
pub fn end_in_order() {
    IN_ORDER.store(true, Ordering::SeqCst);
}

/// A bar on a terminal for this many steps; elsewhere one that nobody sees.
pub fn step_bar(steps: u64, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix} [{bar:30}] {human_pos}/{human_len} {eta}").ok();
    match style.filter(|_| std::io::stderr().is_terminal()) {
        // Also cleared where a failure ends the steps.
        Some(style) => {
            ProgressBar::new(steps).with_style(style).with_prefix(what).with_finish(ProgressFinish::AndClear)
        }
        None => ProgressBar::hidden(),
    }
}

/// Reads with a progress bar on a terminal; stops when Ctrl-C was pressed.
pub fn with_progress<T>(file: &Path, read: impl FnOnce(ReadOptions<'_>) -> T) -> T {
    let bar = bar_for(file);
    let report = |progress: Progress| {
        if let Some(bar) = &bar {
            bar.set_length(progress.total);
            bar.set_position(progress.done);
            bar.set_prefix(match progress.stage {
                Stage::Loading => "loading",
                Stage::Parsing => "parsing",
            });
        }
        if requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let result = read(ReadOptions { progress: Some(&report), ..ReadOptions::default() });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    result
}

fn bar_for(file: &Path) -> Option<ProgressBar> {
    let size = std::fs::metadata(file).map_or(0, |metadata| metadata.len());
    if size < WORTH_A_BAR || !std::io::stderr().is_terminal() {
        return None;
    }
    let style = ProgressStyle::with_template("{prefix} {msg} [{bar:30}] {bytes}/{total_bytes} {eta}").ok()?;
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
    Some(ProgressBar::new(size).with_style(style).with_message(name))
}
