#![no_main]

#[allow(dead_code, unused_imports, reason = "each target runs one check")]
#[path = "../checks/mod.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::record(data));
