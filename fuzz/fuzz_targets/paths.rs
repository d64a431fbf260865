#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| biela_fuzz::paths(bytes));
