//! Cures for the known reasons why Valgrind or the process below it ended.

use formats::log::{NO_REDIRECTION, STACK_OVERFLOW, UNHANDLED_INSTRUCTION, UNREADABLE_DEBUG_INFO};

/// Words of Valgrind about a reason that is known, and what can be done.
const CURES: [(&str, &str); 6] = [
    (
        UNHANDLED_INSTRUCTION,
        "Valgrind does not know an instruction that was executed: build without `target-cpu=native`, \
         or use a newer Valgrind",
    ),
    (
        STACK_OVERFLOW,
        "the stack is full: `--valgrind-args=--main-stacksize=67108864` gives the main thread one of \
         64 MiB, as `ulimit -s` does without Valgrind; where recursion has no end, no stack is enough",
    ),
    (
        UNREADABLE_DEBUG_INFO,
        "Valgrind cannot read the debug information of the executable: build with \
         `RUSTFLAGS=-Cdwarf-version=4`, or use a newer Valgrind",
    ),
    (
        // Where Valgrind 3.19 has skipped compressed debug information, it fails when it looks for
        // it once more.
        "m_debuginfo/",
        "Valgrind cannot read the debug information of the executable: leave \
         `--compress-debug-sections=zstd` out of the linker's arguments, or use a newer Valgrind",
    ),
    (
        "rustix::backend::vdso",
        "crate `rustix` asks the kernel for the address of the vDSO, which programs below Valgrind do \
         not have: a line `rustix = { version = \"1\", features = [\"use-libc-auxv\"] }` in \
         `[dev-dependencies]` lets it ask the C library",
    ),
    (
        NO_REDIRECTION,
        "the tool needs the symbols of the C library: install `libc6-dbg` (Debian, Ubuntu), or \
         `glibc-debuginfo` elsewhere; Callgrind, DHAT and Massif run without them",
    ),
];

/// The hint for a reason that is known. `lines`: what Valgrind's log says about the end.
#[must_use]
pub fn of(lines: &[String]) -> Option<&'static str> {
    let is_said = |words: &str| lines.iter().any(|line| line.contains(words));
    let cure = CURES.iter().find(|(words, _)| is_said(words));
    cure.map(|(_, cure)| *cure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reasons_of_valgrind_come_with_what_can_be_done() {
        let log = b"vex amd64->IR: unhandled instruction bytes: 0x62 0xF1\n\
            ==7== Process terminating with default action of signal 4 (SIGILL)\n";
        let log = formats::log::read(&log[..]).unwrap().unwrap();
        assert_eq!(of(&log.fatal), Some(CURES[0].1));
        let stack = b"==7== Stack overflow in thread #1: can't grow stack to 0x1ffe801000\n\
            ==7== Stack overflow in thread #1: can't grow stack to 0x1ffe801000\n==7== \n\
            ==7== Process terminating with default action of signal 11 (SIGSEGV)\n\
            ==7==  Access not within mapped region at address 0x1FFE801318\n\
            ==7==    at 0x11BEC0: prog::r (lib.rs:5)\n\
            ==7==  If you believe this happened as a result of a stack\n\
            ==7==  overflow in your program's main thread (unlikely but\n==7== \n\
            ==7== Events    : Ir\n==7== Collected : 1055878\n";
        let stack = formats::log::read(&stack[..]).unwrap().unwrap();
        let said = [
            "Stack overflow in thread #1: can't grow stack to 0x1ffe801000",
            "Process terminating with default action of signal 11 (SIGSEGV)",
            "Access not within mapped region at address 0x1FFE801318",
            "at 0x11BEC0: prog::r (lib.rs:5)",
        ];
        assert_eq!(stack.fatal, said);
        assert_eq!(
            (of(&stack.fatal), stack.collected),
            (Some(CURES[1].1), vec![1_055_878])
        );
        let debug_info = b"### unhandled dwarf2 abbrev form code 0x25\n\
            ==7== Valgrind: debuginfo reader: ensure_valid failed:\n\
            ==7== Valgrind:   during call to ML_(img_get)\n==7== \n\
            ==7== Valgrind: I can't recover.  Giving up.  Sorry.\n";
        let debug_info = formats::log::read(&debug_info[..]).unwrap().unwrap();
        assert_eq!(debug_info.fatal.len(), 3);
        assert_eq!(of(&debug_info.fatal), Some(CURES[2].1));
        // The words of a command are no words of Valgrind.
        let command = b"==7== Callgrind, a profiler\n==7== Command: ./x fatal error\n\
            ==7== Parent PID: 5\n==7== \n==7== Events    : Ir\n==7== Collected : 1\n";
        let command = formats::log::read(&command[..]).unwrap().unwrap();
        assert_eq!(command.fatal, [""; 0]);
        // `ud2` is known, and ends natively as well.
        assert_eq!(of(&log.fatal[1..]), None);
        // Debug talk is no part of the stack.
        let vdso = b"==7== Process terminating with default action of signal 11 (SIGSEGV)\n\
            ==7==  Access not within mapped region at address 0x7FFFF7FFD000\n\
            --7--        -> extended stack base to 0x1ffeffc000\n\
            ==7==    at 0x12BEE7: rustix::backend::param::auxv::check_elf_base (equality.rs:157)\n\
            ==7==    by 0x12B8E2: rustix::backend::vdso::init_from_sysinfo_ehdr (auxv.rs:276)\n";
        let vdso = formats::log::read(&vdso[..]).unwrap().unwrap();
        assert_eq!(vdso.fatal.len(), 4);
        assert_eq!(of(&vdso.fatal), Some(CURES[4].1));
        let redirection = b"==7== Memcheck, a memory error detector\n==7== Command: ./x\n\
            valgrind:  Fatal error at startup: a function redirection\n\
            valgrind:  which is mandatory for this platform-tool combination\n\
            valgrind:  cannot be set up.  Details of the redirection are:\n\
            valgrind:  \n\
            valgrind:  A must-be-redirected function\n";
        let redirection = formats::log::read(&redirection[..]).unwrap().unwrap();
        assert_eq!(
            redirection.fatal,
            [
                "Fatal error at startup: a function redirection",
                "which is mandatory for this platform-tool combination",
                "cannot be set up.  Details of the redirection are:",
                "A must-be-redirected function",
            ]
        );
        assert_eq!(of(&redirection.fatal), Some(CURES[5].1));
        let again = b"--7-- When reading debug info from /a/z:\n\
            --7--    Compression type is unsupported\n\nvalgrind: m_debuginfo/readelf.c:1933 \
            (vgModuleLocal_read_elf_debug_info): Assertion '!di->soname' failed.\n";
        let again = formats::log::read(&again[..]).unwrap().unwrap();
        assert_eq!(of(&again.fatal), Some(CURES[3].1));
    }
}
