//! A whole run as an animated picture.

use super::{
    Scene,
    place::{Place, across, nearest, owner_first, separating_line},
};
use crate::output::counted;
use clearance::{
    glam::DVec2,
    kinetic::{Event, EventKind, Simulation},
};
use clearance_io::picture::{Colour, PlanarAnimation, PlanarMover, PlanarSpell};
use std::{collections::BTreeMap, f64::consts::TAU};

/// How many times bodies are placed; in between they are drawn on straight lines.
const SAMPLES: u32 = 240;
const SECONDS: f64 = 12.0;
/// With more pairs than this no separating lines are drawn: nobody could tell them apart.
const MOST_PAIRS: usize = 10;

const COLLISION: Colour = Colour::new(0xc6, 0x28, 0x28);
const SEPARATION: Colour = Colour::new(0x2b, 0x34, 0x40);
const CERTIFICATE: Colour = Colour::new(0x8c, 0x9a, 0xab);

/// The run up to a time: bodies that move, each pair's separating edge for as long as its certificate lasts, a red outline
/// while bodies meet, and all events on a time line.
pub fn animate(scene: &Scene, until: f64) -> String {
    let mut recorder = Recorder::new(scene, until);
    let mut simulation = scene.begin();
    scene.pairs().for_each(|pair| recorder.renew_line(&simulation, pair));
    while let Some(event) = simulation.advance_to(until) {
        recorder.record(&simulation, &event);
    }
    recorder.finish(&simulation)
}

struct Recorder<'a> {
    scene: &'a Scene,
    animation: PlanarAnimation,
    /// Lines that last, by pair.
    lines: BTreeMap<[usize; 2], (PlanarSpell, [DVec2; 2])>,
    /// Since when pairs meet.
    meeting: BTreeMap<[usize; 2], f64>,
}

impl<'a> Recorder<'a> {
    fn new(scene: &'a Scene, until: f64) -> Recorder<'a> {
        let movers = scene.bodies.iter().enumerate().map(|(i, body)| PlanarMover {
            name: body.name.clone(),
            points: body.body.polygon().vertices().to_vec(),
            colour: Colour::of_index(i),
            track: track(|t| Place::of(&body.body, t), until),
        });
        let animation = PlanarAnimation {
            start: 0.0,
            end: until,
            movers: movers.collect(),
            seconds: SECONDS,
            ..PlanarAnimation::default()
        };
        Recorder { scene, animation, lines: BTreeMap::new(), meeting: BTreeMap::new() }
    }

    fn record(&mut self, simulation: &Simulation, event: &Event<clearance::kinetic::Contact>) {
        let pair = event.bodies().map(|id| id.number() as usize);
        let t = event.time().upper;
        let colour = match event {
            Event::Collision { .. } => {
                self.meeting.entry(pair).or_insert(t);
                Some(COLLISION)
            }
            Event::Separation { .. } => {
                self.end_meeting(pair, t);
                Some(SEPARATION)
            }
            Event::Certificate { kind, .. } => kind.is_certificate_failure().then_some(CERTIFICATE),
        };
        // What grazed is apart again at once.
        if matches!(event, Event::Certificate { .. })
            && separating_line(simulation, &self.scene.bodies, pair).is_some()
        {
            self.end_meeting(pair, t);
        }
        self.animation.marks.extend(colour.map(|colour| (t, colour)));
        self.renew_line(simulation, pair);
    }

    /// The line of a pair now, in place of the one before.
    fn renew_line(&mut self, simulation: &Simulation, pair: [usize; 2]) {
        let now = simulation.now();
        let found = separating_line(simulation, &self.scene.bodies, pair).map(|line| {
            let [owner, other] = owner_first(pair, line.owner);
            let bodies = &self.scene.bodies;
            let places = [owner, other].map(|body| Place::of(&bodies[body].body, now));
            let (point, _) = nearest(&line, places[0], places[1]);
            let length = [owner, other].map(|body| bodies[body].body.polygon().diameter());
            let spell = PlanarSpell { body: owner, from: now, until: now };
            (spell, across(&line, point, length[0] + length[1]))
        });
        let before = match found {
            Some(line) => self.lines.insert(pair, line),
            None => self.lines.remove(&pair),
        };
        self.keep_line(before, now);
    }

    fn keep_line(&mut self, line: Option<(PlanarSpell, [DVec2; 2])>, until: f64) {
        if let Some((spell, ends)) = line.filter(|(spell, _)| spell.from < until) {
            self.animation.lines.push((PlanarSpell { until, ..spell }, ends));
        }
    }

    fn end_meeting(&mut self, pair: [usize; 2], until: f64) {
        if let Some(from) = self.meeting.remove(&pair) {
            self.animation.strong.extend(pair.map(|body| PlanarSpell { body, from, until }));
        }
    }

    fn finish(mut self, simulation: &Simulation) -> String {
        let end = self.animation.end;
        let meeting: Vec<[usize; 2]> = self.meeting.keys().copied().collect();
        meeting.into_iter().for_each(|pair| self.end_meeting(pair, end));
        for line in std::mem::take(&mut self.lines).into_values() {
            self.keep_line(Some(line), end);
        }
        let has_lines = self.scene.pairs().count() <= MOST_PAIRS;
        let counts = simulation.statistics();
        let number = |kind: EventKind| usize::try_from(counts.count(kind)).unwrap_or(usize::MAX);
        let failures = usize::try_from(counts.certificate_failures()).unwrap_or(usize::MAX);
        self.animation.title = format!(
            "{}: {}, {}",
            self.scene.name,
            counted(number(EventKind::Collision), "collision"),
            counted(failures, "certificate") + " failed"
        );
        let line = if has_lines { "collision; dashed: separating edges" } else { "collision" };
        self.animation.legend = vec![
            (COLLISION, line.to_owned()),
            (SEPARATION, "apart again".to_owned()),
            (CERTIFICATE, "a certificate failed".to_owned()),
        ];
        if !has_lines {
            self.animation.lines.clear();
        }
        self.animation.to_svg()
    }
}

/// Places at equal distances of time; angles go on without jumps.
fn track(place: impl Fn(f64) -> Place, until: f64) -> Vec<(DVec2, f64)> {
    let mut last = 0.0;
    let sample = |k: u32| {
        let Place { origin, angle } = place(until * f64::from(k) / f64::from(SAMPLES));
        last = angle - TAU * ((angle - last) / TAU).round();
        (origin, last)
    };
    (0..=SAMPLES).map(sample).collect()
}
