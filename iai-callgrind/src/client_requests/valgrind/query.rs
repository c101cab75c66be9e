//! Questions about the Valgrind around this process.

use core::ffi::CStr;
use core::fmt::{self, Debug, Display, Formatter};

use crate::client_requests::numbers::{
    VG_USERREQ__RUNNING_ON_VALGRIND, VG_USERREQ__VALGRIND_GET_TOOLNAME,
    VG_USERREQ__VALGRIND_REPLACES_MALLOC,
};

/// Number of Valgrinds around this process: 0 natively, 1 under every tool of Valgrind, more if
/// Valgrind runs itself.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// let repetitions = if valgrind::running_on_valgrind() > 0 { 1 } else { 1000 };
/// # assert_eq!(repetitions, 1000);
/// ```
#[doc = request_doc!(VG_USERREQ__RUNNING_ON_VALGRIND)]
#[inline(always)]
#[must_use]
pub fn running_on_valgrind() -> usize {
    request!(0; VG_USERREQ__RUNNING_ON_VALGRIND)
}

/// Does the tool replace `malloc`?
///
/// `true` under Memcheck, Helgrind, DRD, DHAT and Massif, `false` under the other tools, natively,
/// and under a Valgrind that is too old to tell.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// if valgrind::replaces_malloc() {
///     println!("heap blocks have other addresses than natively");
/// }
/// ```
#[doc = request_doc!(VG_USERREQ__VALGRIND_REPLACES_MALLOC)]
#[inline(always)]
#[must_use]
pub fn replaces_malloc() -> bool {
    (request!(0; VG_USERREQ__VALGRIND_REPLACES_MALLOC)) != 0
}

/// Writes the name of the tool, cut to the buffer and ended by a NUL byte, and returns the number
/// of bytes that the whole name needs with its NUL byte.
///
/// Natively, and under a Valgrind that is too old, the result is 0 and the buffer is unchanged. An
/// empty buffer asks for the length only. [`toolname`] needs no buffer.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// let mut name = [0; 32];
/// let length = valgrind::get_toolname(&mut name); // 9 under Memcheck
/// # assert_eq!(length, 0);
/// ```
#[doc = request_doc!(VG_USERREQ__VALGRIND_GET_TOOLNAME)]
#[inline(always)]
pub fn get_toolname(buffer: &mut [u8]) -> usize {
    // A length of 0 is not enough for Valgrind to leave the memory alone, no address is.
    let address = match buffer.len() {
        0 => 0,
        _ => buffer.as_mut_ptr() as usize,
    };
    request!(0; VG_USERREQ__VALGRIND_GET_TOOLNAME, address, buffer.len())
}

/// The tool under which the program runs, as `--tool` spells it: `memcheck`, `callgrind`.
///
/// `None` natively and under a Valgrind before 3.27, which does not tell.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
///
/// if let Some(tool) = valgrind::toolname() {
///     println!("measured by {tool}");
/// }
/// ```
#[doc = request_doc!(VG_USERREQ__VALGRIND_GET_TOOLNAME)]
#[inline(always)]
#[must_use]
pub fn toolname() -> Option<ToolName> {
    let mut name = ToolName([0; ToolName::LENGTH]);
    (get_toolname(&mut name.0) != 0).then_some(name)
}

/// The name of a tool; see [`toolname`].
///
/// ```
/// use iai_callgrind::client_requests::valgrind::{self, ToolName};
///
/// fn is_memcheck(tool: &ToolName) -> bool {
///     assert_eq!(tool.as_str().as_bytes(), tool.as_c_str().to_bytes());
///     tool.as_str() == "memcheck"
/// }
/// let tool = valgrind::toolname();
/// println!("{}", tool.is_some_and(|tool| is_memcheck(&tool)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ToolName([u8; ToolName::LENGTH]);

impl ToolName {
    /// The longest name of a tool so far has ten letters.
    const LENGTH: usize = 32;

    /// The name as a string of C.
    #[must_use]
    pub fn as_c_str(&self) -> &CStr {
        CStr::from_bytes_until_nul(&self.0).unwrap_or_default()
    }

    /// The name; empty if it is not UTF-8.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.as_c_str().to_str().unwrap_or_default()
    }
}

impl Debug for ToolName {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("ToolName")
            .field(&self.as_str())
            .finish()
    }
}

impl Display for ToolName {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl PartialEq<str> for ToolName {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for ToolName {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}
