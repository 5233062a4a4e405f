//! `clearance simulate`: many bodies fly, and every collision is told.

use crate::{
    args::SimulateArguments,
    bodies::{PictureFormat, expect_writable, picture_format, write_picture},
    interrupt, kinetic,
    output::{self, Failure, Verdict, count, faint, strong},
    simulate::{
        Recorder, Setup, SimulateLine, Summary, Tally, event_lines, json_lines, last_frame, summary_table,
    },
};
use clearance_io::LengthUnit;
use std::time::Instant;

pub fn run(arguments: &SimulateArguments) -> Result<Verdict, Failure> {
    if arguments.kinetic.kinetic {
        return kinetic::run(arguments);
    }
    arguments.kinetic.expect_none()?;
    if let Some(picture) = &arguments.picture {
        picture_format(picture)?;
    }
    if let Some(file) = &arguments.animation
        && !matches!(picture_format(file), Ok(PictureFormat::Glb))
    {
        let name = file.display();
        return Err(Failure::Usage(format!("{name}: animations are written as .glb; use this extension")));
    }
    for file in [&arguments.picture, &arguments.animation].into_iter().flatten() {
        expect_writable(file)?;
    }
    let mut setup = Setup::new(arguments)?;
    let mut recorder = match arguments.animation {
        Some(_) => Some(Recorder::new(&setup.environment, arguments.frames)?),
        None => None,
    };
    let mut summary = begun(&setup, arguments);
    interrupt::end_in_order();
    if !arguments.json {
        print_heading(&summary, &setup);
    }
    let tally = fly(&mut setup, recorder.as_mut(), arguments)?;
    summary.count(&setup.environment, &tally);
    summary.interrupted = tally.frames() < arguments.frames as usize;
    if let Some(file) = &arguments.picture {
        write_picture(&last_frame(&setup.environment, &tally, setup.unit), file)?;
        summary.written.push(file.display().to_string());
    }
    if let (Some(file), Some(recorder)) = (&arguments.animation, recorder) {
        recorder.write(&setup.environment, setup.unit, f64::from(arguments.fps), file)?;
        summary.written.push(file.display().to_string());
    }
    Ok(conclude(summary, &tally, arguments))
}

/// What is known before the first frame.
fn begun(setup: &Setup, arguments: &SimulateArguments) -> Summary {
    let mut summary = Summary {
        scene: arguments.scene.clone(),
        unit: setup.unit.map(LengthUnit::symbol),
        seed: setup.seed,
        notes: setup.notes.clone(),
        ..Summary::default()
    };
    summary.count(&setup.environment, &Tally::default());
    summary
}

fn print_heading(summary: &Summary, setup: &Setup) {
    let extents = output::extents(summary.extents, setup.unit);
    let bodies = output::counted(summary.bodies, "body").replace("bodys", "bodies");
    let mut text = format!("{}  {bodies} in a box of {extents}\n", strong(&summary.scene));
    summary.notes.iter().for_each(|note| text += &(faint(format_args!("  {note}")) + "\n"));
    output::print(&text);
}

/// Runs all frames, or those until Ctrl-C, and prints events as they come.
fn fly(
    setup: &mut Setup,
    mut recorder: Option<&mut Recorder>,
    arguments: &SimulateArguments,
) -> Result<Tally, Failure> {
    let mut tally = Tally::default();
    let bar = interrupt::step_bar(u64::from(arguments.frames), "frames");
    let digits = arguments.frames.to_string().len();
    for frame in 0..=arguments.frames as usize {
        if interrupt::requested() {
            break;
        }
        let start = Instant::now();
        let found = setup.environment.step()?;
        tally.add(&found, start.elapsed());
        let events = if arguments.quiet { Vec::new() } else { found.events.to_vec() };
        let text = match arguments.json {
            true => json_lines(&events, frame, &setup.environment),
            false => event_lines(&events, frame, digits, &setup.environment, setup.unit),
        };
        if !text.is_empty() {
            bar.suspend(|| output::print(&text));
        }
        if let Some(recorder) = &mut recorder {
            recorder.record(&setup.environment);
        }
        bar.set_position(frame as u64);
    }
    bar.finish_and_clear();
    Ok(tally)
}

fn conclude(summary: Summary, tally: &Tally, arguments: &SimulateArguments) -> Verdict {
    let interrupted = summary.interrupted;
    let done = format!("{} of {} frames", count(summary.frames), count(arguments.frames as usize));
    let undecided = summary.undecided_pairs.first().cloned().zip(tally.refused.values().next());
    let others = summary.undecided_pairs.len().saturating_sub(1);
    if arguments.json {
        let line = serde_json::to_string(&SimulateLine::Summary(summary)).unwrap_or_default();
        output::print(&(line + "\n"));
    } else {
        let written = summary.written.iter().map(|file| format!("{file} written\n"));
        let separator = if tally.began > 0 && !arguments.quiet { "\n" } else { "" };
        output::print(&(separator.to_owned() + &summary_table(&summary) + &written.collect::<String>()));
    }
    if interrupted {
        output::print_warning(&format!("interrupted after {done}; what was done until then is kept"));
        return Verdict::CutShort;
    }
    if let Some(([a, b], error)) = undecided {
        let more = if others > 0 { format!(" (and {others} more such pairs)") } else { String::new() };
        output::print_warning(&format!("`{a}` and `{b}` have no events: {error}{more}"));
        return Verdict::BadInput;
    }
    Verdict::Fine
}
