//! Stacks of our own, far from the one of the thread.

use iai_callgrind::client_requests::valgrind;

use crate::memory::Pages;
use crate::show;

const LENGTH: usize = 64 * 1024;

/// Uses a stack that Valgrind does not know.
pub(crate) fn unknown() {
    let pages = Pages::new(LENGTH);
    use_stack(&pages);
}

/// Uses a stack that it knows.
pub(crate) fn registered() {
    let pages = Pages::new(LENGTH);
    let id = valgrind::stack_register(pages.address(0), pages.address(LENGTH - 1));
    use_stack(&pages);
    valgrind::stack_deregister(id);
}

/// Registers one stack and then moves it to where it is used.
pub(crate) fn changed() {
    let pages = [Pages::new(LENGTH), Pages::new(LENGTH)];
    let [first, second] = &pages;
    let id = valgrind::stack_register(first.address(0), first.address(LENGTH - 1));
    valgrind::stack_change(id, second.address(0), second.address(LENGTH - 1));
    use_stack(second);
    valgrind::stack_deregister(id);
}

/// Registers a stack, and forgets it before it is used.
pub(crate) fn deregistered() {
    let pages = Pages::new(LENGTH);
    let id = valgrind::stack_register(pages.address(0), pages.address(LENGTH - 1));
    valgrind::stack_deregister(id);
    use_stack(&pages);
}

/// Numbers of stacks.
pub(crate) fn numbers() {
    let pages = Pages::new(LENGTH);
    let register = |half: usize| {
        let start = half * LENGTH / 2;
        valgrind::stack_register(pages.address(start), pages.address(start + LENGTH / 2 - 1))
    };
    show("stacks", [register(0), register(1)]);
}

/// Pushes a word there.
fn use_stack(pages: &Pages) {
    let top = pages.at(LENGTH - 4096);
    // SAFETY: the stack pointer is put back, and the word is written into our own pages.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        std::arch::asm!(
            "mov {kept}, rsp",
            "mov rsp, {top}",
            "push {top}",
            "pop {top}",
            "mov rsp, {kept}",
            kept = out(reg) _,
            top = inout(reg) top => _,
        );
        #[cfg(target_arch = "aarch64")]
        std::arch::asm!(
            "mov {kept}, sp",
            "mov sp, {top}",
            "str {top}, [sp, #-16]!",
            "ldr {top}, [sp], #16",
            "mov sp, {kept}",
            kept = out(reg) _,
            top = inout(reg) top => _,
        );
        #[cfg(target_arch = "arm")]
        std::arch::asm!(
            "mov {kept}, sp",
            "mov sp, {top}",
            "str {top}, [sp, #-8]!",
            "ldr {top}, [sp], #8",
            "mov sp, {kept}",
            kept = out(reg) _,
            top = inout(reg) top => _,
        );
        #[cfg(target_arch = "riscv64")]
        std::arch::asm!(
            "mv {kept}, sp",
            "addi sp, {top}, -16",
            "sd {top}, 0(sp)",
            "ld {top}, 0(sp)",
            "mv sp, {kept}",
            kept = out(reg) _,
            top = inout(reg) top => _,
        );
    }
}
