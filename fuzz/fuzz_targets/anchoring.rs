#![no_main]

#[path = "../../tests/properties/anchoring.rs"]
mod anchoring;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| anchoring::check(bytes));
