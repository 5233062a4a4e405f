//! A world under any operations: what it tells, answers and refuses is what relating all pairs in every step says.
#![no_main]

use clearance::oracle::world::live;
use clearance_fuzz::numbers::Numbers;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Err(difference) = live(&mut Numbers::new(data)) {
        panic!("{difference}");
    }
});
