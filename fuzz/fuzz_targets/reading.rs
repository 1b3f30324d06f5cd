#![no_main]

#[path = "../../tests/properties/reading.rs"]
mod reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reading::check(bytes));
