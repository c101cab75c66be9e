//! The messages of perf: the end of the program, reasons why it was not run, and hints for users.

use crate::plan::Job;

/// The signal that ended the program. perf prints its name in the words of the C library behind the name
/// of the program; its exit code does not tell.
pub(super) fn signal(job: &Job, said: &str) -> Option<i32> {
    signal_of(&job.target.program.to_string_lossy(), said)
}

fn signal_of(program: &str, said: &str) -> Option<i32> {
    let last = said.lines().rev().find(|line| !line.trim().is_empty())?;
    let text = last.strip_prefix(program)?.strip_prefix(": ")?;
    (1..=64).find(|number| {
        // SAFETY: returns a text that ends with a NUL. perf's jobs run one at a time, so no other thread
        // calls it.
        let known = unsafe {
            let text = libc::strsignal(*number);
            (!text.is_null()).then(|| std::ffi::CStr::from_ptr(text).to_bytes())
        };
        known == Some(text.trim_end().as_bytes())
    })
}

/// Message for a benchmark that perf did not run: the end of perf (`how`), its output, and a hint.
pub(super) fn not_started(how: &str, said: &str) -> String {
    let mut text = format!("{how}{}", indented(said));
    if said.contains("perf_event_paranoid")
        || said.contains("Permission")
        || said.contains("permission")
    {
        text += "\n  hint: the kernel allows more with `sudo sysctl kernel.perf_event_paranoid=1`, and \
                 in containers with the capability CAP_PERFMON; events with `:u` need least";
    }
    if said.contains("event syntax error") || said.contains("perf list") {
        text += "\n  hint: `perf list` names the events of this machine";
    }
    text
}

/// The lines of perf's output for a message.
pub(super) fn indented(said: &str) -> String {
    let said = spoken(said);
    let lines = said.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| format!("\n  {line}")).collect()
}

/// Output of perf without the lines that it prints whenever its counters are switched.
pub(super) fn spoken(said: &str) -> String {
    let lines = said.lines();
    let lines = lines.filter(|line| !matches!(*line, "Events disabled" | "Events enabled"));
    lines.map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_are_known_by_what_perf_says() {
        for (program, said, expected) in [
            (
                "/bin/sh",
                "Events disabled\n/bin/sh: Segmentation fault\n",
                Some(11),
            ),
            ("/a: b/c", "/a: b/c: Killed", Some(9)),
            ("/bin/sh", "/bin/sh: Terminated\n\n", Some(15)),
            ("/bin/sh", "other: Killed", None),
            ("/bin/sh", "/bin/sh: no signal", None),
            ("/bin/sh", "", None),
        ] {
            assert_eq!(signal_of(program, said), expected, "{said}");
        }
    }

    #[test]
    fn what_perf_said_is_shown_with_what_to_do() {
        let said = "Events disabled\nError:\nAccess is limited. perf_event_paranoid is 4\n";
        let text = not_started("it ended unexpectedly (exit status: 255)", said);
        assert!(text.starts_with("it ended unexpectedly (exit status: 255)\n  Error:\n  Access "));
        assert!(text.contains("hint: the kernel allows more"), "{text}");
    }
}
