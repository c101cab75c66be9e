//! Tests of the runner as a whole: one executable, so that an edit links it once.
//!
//! Most replay recorded files in place of Valgrind. What only Valgrind can show is tested in
//! `benchmark-tests`.

mod accepted_counts;
mod action;
mod against;
mod backends;
mod carried_digests;
mod circles;
mod command_line;
mod documented_errors;
mod documented_metrics;
mod documented_options;
mod generated;
mod history;
#[path = "replayed/in_turn.rs"]
mod in_turn;
mod names;
mod one_verdict;
mod output;
mod panics;
mod parsers_never_panic;
mod partitions;
mod perf_files;
mod precedence;
#[path = "replayed/recorded.rs"]
mod recorded;
mod replay;
mod replay_ahead;
mod replay_comparisons;
mod replay_determinism;
mod replay_inputs;
mod replay_json;
mod replay_json_v6;
mod replay_limits;
mod replay_parallel;
mod replay_planted;
mod replay_tools;
mod replayed;
mod report;
mod results_commands;
mod silent_valgrind;
mod sources;
mod summary;
