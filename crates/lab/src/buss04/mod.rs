//! The collision screen of [Buss04 §9.1] beside the paper's table and the analytic engine: cost, error and growth.

mod costs;
mod errors;
mod growth;
mod scene;

use crate::table::Table;
use clearance::math::Random;
use clearance::screw::{Resolution, Screen};
use scene::{Sample, Stride, on_screen, resolution, step};

/// Pixels of a short edge at the paper's three resolutions.
const PIXELS: [f64; 3] = [Resolution::LOW, Resolution::MEDIUM, Resolution::HIGH];

/// Steps with a contact, of each pair of bodies.
const STEPS: usize = 24;

/// All tables.
pub fn run() -> Vec<Table> {
    let bodies = scene::bodies();
    let mut tables = Vec::new();
    for stride in [Stride::THROUGH, Stride::GAME] {
        eprintln!("buss04: costs of steps {}", stride.name);
        tables.push(costs::costs(&bodies, &stride));
    }
    tables[0].attach("buss04-screen.svg", picture(&bodies[2]));
    eprintln!("buss04: what is found, and how far off");
    tables.extend(errors::errors(&bodies));
    eprintln!("buss04: growth");
    tables.extend(growth::growth());
    eprintln!("buss04: a bolt in its nut, and the screen as a filter");
    tables.extend([growth::threads(), growth::filter(&bodies)]);
    tables
}

/// Tori on the screen, as in Figure 14: a step with three proper contacts.
fn picture(tori: &Sample) -> String {
    let mut screen = Screen::default();
    let mut random = Random::new(4);
    loop {
        let step = step(&mut random, tori.radius, &Stride::THROUGH);
        let fine = resolution(&tori.surface, &step, Resolution::MEDIUM);
        let mut told = on_screen(&mut screen, &tori.surface, &step, fine);
        told.retain(|contact| contact.properness >= 0.0);
        if told.len() == 3 {
            return crate::screen_picture::svg(&screen, &told);
        }
    }
}
