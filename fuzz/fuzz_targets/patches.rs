#![no_main]

#[path = "../../tests/properties/patches.rs"]
mod patches;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| patches::check(bytes));
