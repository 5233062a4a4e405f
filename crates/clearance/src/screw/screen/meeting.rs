//! Brings what is drawn of both bodies together.

use super::crossing::Crossing;
use super::drawing::{Dot, FaceRun, Role, Run};
use super::hash::Table;
use super::nest::Nest;
use super::plan::Plan;
use super::scan::{Rows, Span, sweep};
use super::sight::Face;
use super::tiles::Bins;

/// How pixels of both bodies are brought together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lookup {
    /// Sorted by row and height, as in the paper.
    Sorted,
    /// As boxes in boxes, or about the axis counted into tiles of rows, columns and layers of time: cheap also for a screw in its
    /// hole.
    #[default]
    Tiled,
    /// In a hash table by row and column, the paper's alternative; slower in all we measured.
    Hashed,
}

/// Lists by place, kept from step to step.
#[derive(Clone, Debug)]
pub(super) struct Meeting {
    pub lookup: Lookup,
    pub nest: Nest,
    pub crossings: Vec<Crossing>,
    pub faces: Vec<Face>,
    bins: Bins,
    sorted_dots: Rows<Dot>,
    sorted_faces: Rows<FaceRun>,
    sorted_runs: [Rows<Run>; 2],
    table: Table,
}

impl Meeting {
    pub fn new(lookup: Lookup) -> Meeting {
        Meeting {
            lookup,
            nest: Nest::default(),
            crossings: Vec::new(),
            faces: Vec::new(),
            bins: Bins::default(),
            sorted_dots: Rows::default(),
            sorted_faces: Rows::default(),
            sorted_runs: Default::default(),
            table: Table::default(),
        }
    }

    /// Vertices of one body in the pixels of faces of the other, whose role it is.
    pub fn dots_in_faces(
        &mut self,
        dots: &[Dot],
        faces: &[FaceRun],
        plan: &Plan<'_>,
        faces_of: Role,
        visit: impl FnMut(&Dot, &FaceRun),
    ) {
        match self.lookup {
            Lookup::Tiled => {
                let reach = plan.reach(faces_of);
                self.bins.pairs((dots, faces), &plan.grid, &plan.tiles, reach, visit);
            }
            Lookup::Sorted => {
                sorted(&mut self.sorted_dots, &mut self.sorted_faces, (dots, faces), plan, visit)
            }
            Lookup::Hashed => self.table.pairs(dots, faces, plan.grid.inverse, visit),
        }
    }

    /// Edges of A, which rests, and of B.
    pub fn edges(&mut self, rests: &[Run], moves: &[Run], plan: &Plan<'_>, visit: impl FnMut(&Run, &Run)) {
        let [runs_a, runs_b] = &mut self.sorted_runs;
        match self.lookup {
            Lookup::Tiled => {
                let reach = plan.reach(Role::Moves);
                self.bins.pairs((rests, moves), &plan.grid, &plan.tiles, reach, visit);
            }
            Lookup::Sorted => sorted(runs_a, runs_b, (rests, moves), plan, visit),
            Lookup::Hashed => self.table.pairs(rests, moves, plan.grid.inverse, visit),
        }
    }
}

fn sorted<T: Span, U: Span>(
    first: &mut Rows<T>,
    second: &mut Rows<U>,
    lists: (&[T], &[U]),
    plan: &Plan<'_>,
    visit: impl FnMut(&T, &U),
) {
    first.fill(lists.0, &plan.grid);
    second.fill(lists.1, &plan.grid);
    sweep(first, second, &plan.grid, visit);
}
