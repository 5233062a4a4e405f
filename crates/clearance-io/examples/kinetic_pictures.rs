//! Draws hierarchies for the page on certificates and events: run this with the folder to write into.

use clearance::{
    glam::DVec2,
    kinetic::hierarchy::{Hierarchy, Inflated, Inflation, Mixed, MixedCell},
    math::Random,
    planar::{Placement, Point, Polygon},
};
use clearance_io::picture::{PlanarDrawing, draw_hierarchy, draw_inflated, draw_mixed, draw_separation};
use std::{error::Error, path::PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("name the folder to write into")?);
    std::fs::create_dir_all(&folder)?;
    for (name, drawing) in drawings()? {
        let file = folder.join(format!("{name}.svg"));
        std::fs::write(&file, drawing.to_svg())?;
        println!("{}", file.display());
    }
    Ok(())
}

/// Points on an ellipse that lies askew, unevenly spaced.
fn egg(n: usize, seed: u64) -> Result<Polygon, Box<dyn Error>> {
    let mut random = Random::new(seed);
    let turn = DVec2::from_angle(0.5);
    let point = |angle: f64| turn.rotate(DVec2::new(1.5 * angle.cos(), angle.sin()));
    let points: Vec<DVec2> = (0..n).map(|_| point(random.range(0.0, std::f64::consts::TAU))).collect();
    Ok(Polygon::hull(&points)?)
}

fn drawings() -> Result<Vec<(&'static str, PlanarDrawing)>, Box<dyn Error>> {
    let polygon = egg(11, 5)?;
    let point = Point::from(DVec2::new(1.32, 0.22));
    let compass = Hierarchy::compass(polygon.clone());
    let dudley = Hierarchy::dudley(polygon.clone());
    let inflated = Inflated::new(compass.clone(), 0.0, Inflation::default());
    let (a, b) = (Hierarchy::compass(egg(9, 2)?), Hierarchy::compass(egg(6, 9)?));
    let placement =
        within_a_parallelogram(&Mixed::new(&a, &b, Placement::turn(1.1, Point::from(DVec2::ZERO))));
    let mixed = Mixed::new(&a, &b, placement);
    Ok(vec![
        (
            "kinetic-compass",
            draw_hierarchy(
                "Compass hierarchy: cuts in regular directions, then edges",
                &compass,
                Some(&point),
            ),
        ),
        (
            "kinetic-dudley",
            draw_hierarchy("Dudley hierarchy: cuts toward points of a far circle", &dudley, Some(&point)),
        ),
        (
            "kinetic-mixed",
            draw_mixed("Mixed hierarchy: translations of one polygon around the other", &mixed),
        ),
        (
            "kinetic-separation",
            draw_separation(
                "The same placement: envelopes of the active cell and what separates them",
                &mixed,
            ),
        ),
        (
            "kinetic-inflated",
            draw_inflated(
                "Inflated hierarchy: envelopes moved outward, and the cells between",
                &inflated,
                Some(&point),
            ),
        ),
    ])
}

/// The middle of the largest parallelogram of the second level or below.
fn within_a_parallelogram(mixed: &Mixed<'_>) -> Placement {
    let cells = mixed
        .cells()
        .into_iter()
        .filter(|cell| matches!(cell, MixedCell::Parallelogram { .. }) && mixed.step_of(cell) >= 2);
    let area = |outline: &[DVec2]| (outline[1] - outline[0]).perp_dot(outline[3] - outline[0]).abs();
    let outlines = cells.map(|cell| mixed.outline(&cell).iter().map(Point::near).collect::<Vec<DVec2>>());
    let largest = outlines.max_by(|p, q| area(p).total_cmp(&area(q)));
    let middle = largest.map_or(DVec2::ZERO, |outline| outline.iter().sum::<DVec2>() / outline.len() as f64);
    let here = mixed.pair().b_to_a();
    let moved = Placement::new(here.cos().clone(), here.sin().clone(), Point::from(middle));
    moved.unwrap_or_else(Placement::identity)
}
