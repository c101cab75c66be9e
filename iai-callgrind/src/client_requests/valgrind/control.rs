//! Requests that steer Valgrind or use what it knows about the program's code.

use core::ffi::CStr;

use super::RawFd;
use crate::client_requests::error::ClientRequestError;
use crate::client_requests::numbers::{
    VG_USERREQ__CLO_CHANGE, VG_USERREQ__DISCARD_TRANSLATIONS, VG_USERREQ__GDB_MONITOR_COMMAND,
    VG_USERREQ__LOAD_PDB_DEBUGINFO, VG_USERREQ__MAP_IP_TO_SRCLOC,
};

/// Makes Valgrind forget its translation of the `len` bytes of code at `addr`.
///
/// Needed by programs that generate code and write over it. Nothing happens natively.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// # let code = [0xc3_u8];
/// valgrind::discard_translations(code.as_ptr().cast(), code.len());
/// ```
#[doc = request_doc!(VG_USERREQ__DISCARD_TRANSLATIONS)]
#[inline(always)]
pub fn discard_translations(addr: *const (), len: usize) {
    request!(0; VG_USERREQ__DISCARD_TRANSLATIONS, addr as usize, len);
}

/// Executes a monitor command of Valgrind's core or the tool, as `vgdb` would.
///
/// `false` if Valgrind does not know the command. **`true` natively**, where nothing was executed:
/// [`try_monitor_command`] tells these cases apart. Output goes to the log. Cachegrind 3.24 and
/// later warn about an unknown request and execute the command all the same.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// valgrind::monitor_command(c"v.info scheduler");
/// ```
#[doc = request_doc!(VG_USERREQ__GDB_MONITOR_COMMAND)]
#[inline(always)]
pub fn monitor_command<T: AsRef<CStr>>(cmd: T) -> bool {
    (request!(0; VG_USERREQ__GDB_MONITOR_COMMAND, cmd.as_ref().as_ptr() as usize)) != 1
}

/// Executes a monitor command as [`monitor_command`] does, and says whether it was executed.
///
/// # Errors
///
/// [`NotUnderValgrind`](ClientRequestError::NotUnderValgrind) natively and without active requests,
/// [`UnknownMonitorCommand`](ClientRequestError::UnknownMonitorCommand) if Valgrind does not know
/// the command.
///
/// ```
/// use iai_callgrind::client_requests::error::ClientRequestError;
/// use iai_callgrind::client_requests::valgrind;
///
/// let executed = valgrind::try_monitor_command(c"v.info scheduler");
/// assert_eq!(executed, Err(ClientRequestError::NotUnderValgrind));
/// ```
#[doc = request_doc!(VG_USERREQ__GDB_MONITOR_COMMAND)]
#[inline(always)]
pub fn try_monitor_command<T: AsRef<CStr>>(cmd: T) -> Result<(), ClientRequestError> {
    // Valgrind answers 0 or 1, so any other default shows that nobody answered.
    let unanswered = usize::MAX;
    let answer = request!(
        unanswered;
        VG_USERREQ__GDB_MONITOR_COMMAND,
        cmd.as_ref().as_ptr() as usize
    );
    match answer {
        0 => Ok(()),
        1 => Err(ClientRequestError::UnknownMonitorCommand),
        _ => Err(ClientRequestError::NotUnderValgrind),
    }
}

/// Changes an option of the running Valgrind, written as on its command line.
///
/// Only options that `valgrind --help-dyn-options` lists; another one is a warning in the log.
/// Nothing happens natively.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// valgrind::clo_change(c"--leak-check=no");
/// ```
#[doc = request_doc!(VG_USERREQ__CLO_CHANGE)]
#[inline(always)]
pub fn clo_change<T: AsRef<CStr>>(opt: T) {
    request!(0; VG_USERREQ__CLO_CHANGE, opt.as_ref().as_ptr() as usize);
}

/// Loads the debug information of a Windows image that Wine has mapped at `ptr`.
///
/// `fd` is the open image, `total_size` the size of its mapping, `delta` the distance between the
/// address that the image was linked for and `ptr`. A negative `fd` is passed on as it is. Nothing
/// happens natively.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// # let (fd, image, size) = (3, [0_u8; 4], 4);
/// valgrind::load_pdb_debuginfo(fd, image.as_ptr().cast(), size, 0);
/// ```
#[doc = request_doc!(VG_USERREQ__LOAD_PDB_DEBUGINFO)]
#[inline(always)]
pub fn load_pdb_debuginfo(fd: RawFd, ptr: *const (), total_size: usize, delta: usize) {
    request!(
        0;
        VG_USERREQ__LOAD_PDB_DEBUGINFO,
        fd as usize,
        ptr as usize,
        total_size,
        delta
    );
}

/// Writes file and line of the code at `addr`, as in `demo.rs:2`, ended by a NUL byte; the result
/// is always 0.
///
/// The first byte is 0 if Valgrind does not know the place. Natively the buffer is unchanged. A
/// long file name is cut.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// fn here() {}
///
/// let mut place = [0; 64];
/// valgrind::map_ip_to_srcloc(here as *const (), &mut place);
/// # assert_eq!(place, [0; 64]);
/// ```
#[doc = request_doc!(VG_USERREQ__MAP_IP_TO_SRCLOC)]
#[inline(always)]
pub fn map_ip_to_srcloc(addr: *const (), buf64: &mut [u8; 64]) -> usize {
    let buffer = buf64.as_mut_ptr() as usize;
    request!(0; VG_USERREQ__MAP_IP_TO_SRCLOC, addr as usize, buffer)
}

/// [`map_ip_to_srcloc`] for a buffer that is no array.
///
/// # Safety
///
/// `buf64` must be good for writing 64 bytes to it.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// let mut place = vec![0_u8; 64];
/// // SAFETY: the vector has 64 bytes.
/// unsafe { valgrind::map_ip_to_srcloc_unchecked(main as *const (), place.as_mut_ptr().cast()) };
/// ```
#[doc = request_doc!(VG_USERREQ__MAP_IP_TO_SRCLOC)]
#[inline(always)]
pub unsafe fn map_ip_to_srcloc_unchecked(addr: *const (), buf64: *mut ()) -> usize {
    request!(0; VG_USERREQ__MAP_IP_TO_SRCLOC, addr as usize, buf64 as usize)
}
