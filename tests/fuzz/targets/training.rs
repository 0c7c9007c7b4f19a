#![no_main]

#[allow(dead_code, unused_imports, reason = "each target runs one check")]
#[path = "../checks/mod.rs"]
mod checks;

// Panics of a library that are caught are no faults; any other one ends the run even so.
libfuzzer_sys::fuzz_target!(
    init: std::panic::set_hook(Box::new(|_| {})),
    |data: &[u8]| checks::training(data)
);
