#![no_main]

#[path = "../../tests/acting/mod.rs"]
mod acting;
#[path = "../../tests/properties/neutralising.rs"]
mod neutralising;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| neutralising::check(bytes));
