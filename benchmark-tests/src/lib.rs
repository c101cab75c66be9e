//! End-to-end cases with real Valgrind.
