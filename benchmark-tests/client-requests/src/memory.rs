//! Memory that no allocator knows: whole pages, so that neighbours are far away.

/// Pages from the kernel, zeroed.
pub(crate) struct Pages {
    start: *mut u8,
    length: usize,
}

impl Pages {
    /// Can be read and written.
    pub(crate) fn new(length: usize) -> Self {
        Self::with(length, libc::PROT_READ | libc::PROT_WRITE)
    }

    /// Can be executed as well.
    pub(crate) fn executable(length: usize) -> Self {
        Self::with(length, libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC)
    }

    fn with(length: usize, protection: i32) -> Self {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: a new mapping at a place of the kernel's choice.
        let start = unsafe { libc::mmap(std::ptr::null_mut(), length, protection, flags, -1, 0) };
        assert_ne!(start, libc::MAP_FAILED, "there is memory");
        Self {
            start: start.cast(),
            length,
        }
    }

    /// The address of a byte.
    pub(crate) fn at(&self, offset: usize) -> *mut u8 {
        assert!(offset <= self.length);
        self.start.wrapping_add(offset)
    }

    /// The same, as most requests take it.
    pub(crate) fn address(&self, offset: usize) -> *const () {
        self.at(offset).cast_const().cast()
    }

    /// How far a result of a check is from the start; `None` is a result of 0: all is well.
    pub(crate) fn offset_of(&self, bad: usize) -> Option<usize> {
        (bad != 0).then(|| bad.wrapping_sub(self.start as usize))
    }

    /// Reads a byte in a way that no compiler leaves out.
    #[inline(never)]
    pub(crate) fn read(&self, offset: usize) -> u8 {
        assert!(offset < self.length);
        // SAFETY: inside of the mapping, which is readable whatever Memcheck was told.
        unsafe { self.at(offset).read_volatile() }
    }

    /// Writes a byte in a way that no compiler leaves out.
    #[inline(never)]
    pub(crate) fn write(&self, offset: usize, value: u8) {
        assert!(offset < self.length);
        // SAFETY: inside of the mapping, which is writable whatever Memcheck was told.
        unsafe { self.at(offset).write_volatile(value) }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and nothing refers to it any more.
        unsafe { libc::munmap(self.start.cast(), self.length) };
    }
}
