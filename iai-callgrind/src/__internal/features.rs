//! The features of the processor, which the standard library finds out once for each process.
//!
//! It does so where a program first asks by `is_x86_feature_detected!`: some 300 instructions, which would
//! belong to the first benchmark of a process, or be in the count of each one that is in a process of
//! its own. So this process asks before any benchmark. On x86 that is a function of instructions
//! (`cpuid`) that writes three words; it neither allocates nor looks at the environment. Crates that keep
//! an answer of their own, such as `cpufeatures`, still ask the processor themselves.

/// Makes the standard library detect the features.
pub(super) fn detect() {
    // For a feature that the compiler may use everywhere, nothing is asked. No processor has both.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    std::hint::black_box(
        std::is_x86_feature_detected!("tbm") | std::is_x86_feature_detected!("avx512f"),
    );
}
