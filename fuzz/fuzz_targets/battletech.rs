#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| rival_tests::fuzz::battletech(data));
