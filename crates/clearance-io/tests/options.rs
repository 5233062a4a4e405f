//! Paths, progress and cancelling.

use clearance_io::{Format, Progress, ReadError, ReadOptions, Stage, read, read_bytes};
use std::ops::ControlFlow;
use std::sync::Mutex;

fn large_obj() -> Vec<u8> {
    let mut text = String::from("v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    text += &"f 1 2 3\n".repeat(300_000);
    text.into_bytes()
}

#[test]
fn progress_goes_from_nothing_to_all_in_each_stage() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.obj");
    let bytes = large_obj();
    std::fs::write(&path, &bytes).unwrap();
    let seen: Mutex<Vec<Progress>> = Mutex::default();
    let report = |progress: Progress| {
        seen.lock().unwrap().push(progress);
        ControlFlow::Continue(())
    };
    read(&path, &ReadOptions { progress: Some(&report), ..ReadOptions::default() }).unwrap();
    let seen = seen.into_inner().unwrap();
    for stage in [Stage::Loading, Stage::Parsing] {
        let steps: Vec<&Progress> = seen.iter().filter(|p| p.stage == stage).collect();
        assert!(steps.len() > 3, "{steps:?}");
        assert!(steps.is_sorted_by_key(|p| p.done));
        assert!(steps.iter().all(|p| p.total == bytes.len() as u64));
        assert_eq!(steps.last().unwrap().done, bytes.len() as u64);
    }
    assert!(seen.is_sorted_by_key(|p| p.stage));
}

#[test]
fn every_report_can_cancel() {
    let bytes = large_obj();
    for stop_at in 0..5 {
        let count = Mutex::new(0);
        let report = |_: Progress| {
            let mut count = count.lock().unwrap();
            *count += 1;
            if *count > stop_at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = ReadOptions { progress: Some(&report), ..ReadOptions::default() };
        let outcome = read_bytes(&bytes, Format::Obj, "large.obj", &options);
        assert!(matches!(outcome, Err(ReadError::Cancelled { .. })), "{stop_at}");
    }
}

#[test]
fn paths_that_are_no_mesh_files_are_refused_with_advice() {
    let folder = tempfile::tempdir().unwrap();
    let options = ReadOptions::default();
    let directory = folder.path().join("folder.stl");
    std::fs::create_dir(&directory).unwrap();
    assert!(matches!(read(&directory, &options), Err(ReadError::NotAFile { .. })));
    assert!(matches!(read(folder.path(), &options), Err(ReadError::NotAFile { .. })));
    assert!(matches!(read(folder.path().join("gone.stl"), &options), Err(ReadError::Io { .. })));
    for (name, expected) in [
        ("x.step", "STEP files hold curved or parametric shapes"),
        ("x.STP", "STEP"),
        ("x.igs", "IGES"),
        ("x.ifc", "IFC"),
        ("x.docx", "unknown extension; readable are .stl, .obj"),
        ("x", "unknown extension"),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, b"ISO-10303-21;").unwrap();
        let message = read(&path, &options).unwrap_err().to_string();
        assert!(message.contains(expected) && message.contains(name), "{message}");
    }
}
