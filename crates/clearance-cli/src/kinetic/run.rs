//! A run from the scene to the summary.

use super::{
    animation::animate,
    arguments::typed,
    picture::draw,
    report::{KineticLine, Summary, line_of, summary_table, words},
};
use crate::{
    args::SimulateArguments,
    bodies::expect_writable,
    interrupt,
    output::{self, Failure, Verdict, counted, faint, short, strong},
};
use clearance::kinetic::{Plane, Simulation, Subscription};
use clearance_io::scene::{PlanarBody, load_planar};
use std::path::Path;

/// The bodies of a scene, and how their pairs are certified.
#[derive(Clone, Debug)]
pub struct Scene {
    /// For headings of pictures.
    pub name: String,
    pub bodies: Vec<PlanarBody>,
    pub plane: Plane,
}

impl Scene {
    /// All bodies at time zero; everything is told.
    pub fn begin(&self) -> Simulation {
        let mut simulation = Simulation::in_space(self.plane, 0.0);
        simulation.subscribe(Subscription::Certificates);
        for body in &self.bodies {
            simulation.add(body.body.clone());
        }
        simulation
    }

    /// All pairs, by the numbers of their bodies.
    pub fn pairs(&self) -> impl Iterator<Item = [usize; 2]> + use<> {
        let count = self.bodies.len();
        (0..count).flat_map(move |a| (a + 1..count).map(move |b| [a, b]))
    }
}

pub fn run(arguments: &SimulateArguments) -> Result<Verdict, Failure> {
    let kinetic = &arguments.kinetic;
    let until = kinetic.until.unwrap_or_default();
    let at = kinetic.at.unwrap_or(until);
    for file in [&arguments.picture, &arguments.animation].into_iter().flatten() {
        expect_svg(file)?;
        expect_writable(file)?;
    }
    if at > until {
        return Err(Failure::Usage(format!("--at {at} is after --until {until}: make one of them other")));
    }
    let (method, hierarchy) = (kinetic.method.unwrap_or_default(), kinetic.hierarchy.unwrap_or_default());
    let scene = Scene {
        name: Path::new(&arguments.scene)
            .file_name()
            .map_or_else(String::new, |name| name.display().to_string()),
        bodies: load_planar(&arguments.scene)?,
        plane: Plane { method: method.into(), hierarchy: hierarchy.into() },
    };
    let mut summary = Summary {
        scene: arguments.scene.clone(),
        method: typed(method),
        hierarchy: typed(hierarchy),
        bodies: scene.bodies.len(),
        pairs: scene.pairs().count(),
        ..Summary::default()
    };
    interrupt::end_in_order();
    if !arguments.json {
        print_heading(&summary, until);
    }
    follow(&scene, until, arguments, &mut summary);
    if !summary.interrupted {
        if let Some(file) = &arguments.picture {
            write(file, &draw(&scene, at), &mut summary)?;
        }
        if let Some(file) = &arguments.animation {
            write(file, &animate(&scene, until), &mut summary)?;
        }
    }
    Ok(conclude(summary, until, arguments))
}

fn expect_svg(file: &Path) -> Result<(), Failure> {
    let is_svg = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
    let name = file.display();
    let problem =
        || format!("{name}: kinetic pictures and animations are written as .svg; use this extension");
    if is_svg { Ok(()) } else { Err(Failure::Usage(problem())) }
}

fn write(file: &Path, text: &str, summary: &mut Summary) -> Result<(), Failure> {
    let name = file.display();
    let refused = |error| Failure::input(format_args!("{name}: cannot be written: {error}"));
    std::fs::write(file, text).map_err(refused)?;
    summary.written.push(name.to_string());
    Ok(())
}

fn print_heading(summary: &Summary, until: f64) {
    let bodies = counted(summary.bodies, "body").replace("bodys", "bodies");
    let how = format!("  certificates: {}, {} hierarchies", summary.method, summary.hierarchy);
    output::print(&format!(
        "{}  {bodies} in the plane until t = {}\n{}\n",
        strong(&summary.scene),
        short(until),
        faint(how)
    ));
}

/// Goes from event to event, and prints those that were asked for as they come.
fn follow(scene: &Scene, until: f64, arguments: &SimulateArguments, summary: &mut Summary) {
    let mut simulation = scene.begin();
    while let Some(event) = simulation.advance_to(until) {
        let line = line_of(&event, &scene.bodies);
        let asked = !matches!(line, KineticLine::Certificate { .. }) || arguments.kinetic.certificates;
        if asked && !arguments.quiet {
            match arguments.json {
                true => output::print(&(serde_json::to_string(&line).unwrap_or_default() + "\n")),
                false => output::print(&words(&event, &scene.bodies)),
            }
        }
        if interrupt::requested() {
            summary.interrupted = true;
            break;
        }
    }
    summary.until = simulation.now();
    summary.count(simulation.statistics());
    let ids: Vec<_> = simulation.bodies().map(|(id, _)| id).collect();
    let meet = |[a, b]: &[usize; 2]| simulation.meet(ids[*a], ids[*b]) == Some(true);
    summary.meeting = scene.pairs().filter(meet).count();
}

fn conclude(summary: Summary, until: f64, arguments: &SimulateArguments) -> Verdict {
    let (interrupted, reached) = (summary.interrupted, summary.until);
    if arguments.json {
        let line = serde_json::to_string(&KineticLine::Summary(summary)).unwrap_or_default();
        output::print(&(line + "\n"));
    } else {
        let written: String = summary.written.iter().map(|file| format!("{file} written\n")).collect();
        output::print(&("\n".to_owned() + &summary_table(&summary) + &written));
    }
    if interrupted {
        let (reached, until) = (short(reached), short(until));
        output::print_warning(&format!("interrupted at t = {reached} of {until}; all until then was told"));
        return Verdict::CutShort;
    }
    Verdict::Fine
}
