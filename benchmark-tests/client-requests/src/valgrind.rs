//! Requests to the core.

use std::ffi::CStr;
use std::hint::black_box;

use iai_callgrind::client_requests::valgrind;
use iai_callgrind::client_requests::valgrind::ThreadId;

use crate::memory::Pages;
use crate::show;

/// Is this a real processor, and if not, which tool is it?
pub(crate) fn tool() {
    show("running_on_valgrind", valgrind::running_on_valgrind());
    show("replaces_malloc", valgrind::replaces_malloc());
    show("toolname", valgrind::toolname());
    let mut short = [b'x'; 4];
    let length = valgrind::get_toolname(&mut short);
    show("get_toolname", (length, CStr::from_bytes_until_nul(&short)));
    show("get_toolname_length", valgrind::get_toolname(&mut []));
}

/// Debug information of Windows, as Wine announces it.
pub(crate) fn pdb() {
    valgrind::load_pdb_debuginfo(-1, std::ptr::without_provenance(0x1000), 77, 5);
}

extern "C" fn none(thread: ThreadId) -> usize {
    1000 + thread
}

extern "C" fn one(thread: ThreadId, a: usize) -> usize {
    2000 + thread + a
}

extern "C" fn two(thread: ThreadId, a: usize, b: usize) -> usize {
    3000 + thread + a * b
}

extern "C" fn three(thread: ThreadId, a: usize, b: usize, c: usize) -> usize {
    4000 + thread + a * b - c
}

/// Functions that run on the real processor get the thread and their arguments.
pub(crate) fn non_simd() {
    // SAFETY: the functions touch nothing but their arguments.
    let results = unsafe {
        [
            valgrind::non_simd_call0(none),
            valgrind::non_simd_call1(one, 10),
            valgrind::non_simd_call2(two, 10, 20),
            valgrind::non_simd_call3(three, 10, 20, 30),
        ]
    };
    show("results", results);
}

/// Commands of the monitor.
pub(crate) fn monitor() {
    show("known", valgrind::monitor_command(c"v.info n_errs_found"));
    show("unknown", valgrind::monitor_command(c"no such command"));
    show(
        "try_known",
        valgrind::try_monitor_command(c"v.info n_errs_found"),
    );
    show(
        "try_unknown",
        valgrind::try_monitor_command(c"no such command"),
    );
}

/// File and line of a function, and of nothing.
pub(crate) fn srcloc() {
    let text = |address: *const ()| {
        let mut buffer = [b'x'; 64];
        valgrind::map_ip_to_srcloc(address, &mut buffer);
        let text = CStr::from_bytes_until_nul(&buffer);
        text.map(CStr::to_owned).ok()
    };
    show("function", text(own_line as *const ()));
    show("nothing", text(std::ptr::null()));
    show("line", own_line());
}

/// The line of its first instruction is the one that it returns, or the one above.
#[inline(never)]
extern "C" fn own_line() -> u32 {
    line!()
}

/// From here on leaks are reported one by one, of which there is one of 77 bytes.
pub(crate) fn option() {
    valgrind::clo_change(c"--leak-check=full");
    valgrind::clo_change(c"--no-such-option=1");
    black_box(Box::leak(vec![1_u8; 77].into_boxed_slice()));
}

/// Changes code that Valgrind has translated; with `--smc-check=none` only the request tells it.
pub(crate) fn discard() {
    let pages = Pages::executable(4096);
    let write = |value: u8| {
        #[cfg(target_arch = "x86_64")]
        // `mov eax, value; ret`
        let code = [0xb8, value, 0, 0, 0, 0xc3];
        #[cfg(target_arch = "aarch64")]
        // `mov w0, #value; ret`
        let code = {
            let [a, b, c, d] = (0x5280_0000_u32 | u32::from(value) << 5).to_le_bytes();
            [a, b, c, d, 0xc0, 0x03, 0x5f, 0xd6]
        };
        #[cfg(target_arch = "arm")]
        // `mov r0, #value; bx lr`
        let code = [value, 0x00, 0xa0, 0xe3, 0x1e, 0xff, 0x2f, 0xe1];
        #[cfg(target_arch = "riscv64")]
        // `li a0, value; ret`
        let code = {
            let [a, b, c, d] = (0x0000_0513_u32 | u32::from(value) << 20).to_le_bytes();
            [a, b, c, d, 0x67, 0x80, 0x00, 0x00]
        };
        for (offset, byte) in code.into_iter().enumerate() {
            pages.write(offset, byte);
        }
    };
    // SAFETY: what was written is a function without arguments that returns a number.
    let function: extern "C" fn() -> u32 = unsafe { std::mem::transmute(pages.at(0)) };
    write(1);
    show("first", black_box(function)());
    write(2);
    show("changed", black_box(function)());
    valgrind::discard_translations(pages.address(0), 4096);
    show("discarded", black_box(function)());
}
