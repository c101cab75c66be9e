//! Every request that this library makes: one row has the name in Valgrind's header, the number and
//! the first version of Valgrind that answers it.
//!
//! The numbers are part of Valgrind's interface: they are never changed, only added to. `from` is
//! the version which introduced a request. `by` is the first one which is known to have it, where
//! Valgrind's news do not mention its introduction.
//!
//! A row becomes a constant with the name of the header, an element of [`REQUESTS`] and an arm of
//! the macro `request_doc!`, which writes the last line of a function's documentation.

// The constants bear the names of the header.
#![allow(missing_docs, clippy::missing_docs_in_private_items)]

/// A request as a header of Valgrind declares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// The enumerator's name.
    pub name: &'static str,
    /// The enumerator's value.
    pub number: u32,
    /// Major and minor version of the first Valgrind that is known to answer it.
    pub since: (u32, u32),
    /// The file that declares it, below `valgrind/`.
    pub header: &'static str,
}

/// The base of a tool's numbers, `VG_USERREQ_TOOL_BASE` of `valgrind.h`.
const fn tool(first: u8, second: u8) -> u32 {
    ((first as u32) << 24) | ((second as u32) << 16)
}

const CALLGRIND: u32 = tool(b'C', b'T');
const CACHEGRIND: u32 = tool(b'C', b'G');
const MEMCHECK: u32 = tool(b'M', b'C');
const HELGRIND: u32 = tool(b'H', b'G');
const DRD: u32 = tool(b'D', b'R');
const DHAT: u32 = tool(b'D', b'H');

macro_rules! since {
    (from $major:literal $minor:literal) => {
        concat!("since Valgrind ", $major, ".", $minor)
    };
    (by $major:literal $minor:literal) => {
        concat!(
            "in Valgrind ",
            $major,
            ".",
            $minor,
            " and later, perhaps earlier"
        )
    };
}

macro_rules! requests {
    ($( $header:literal {
        $( $name:ident = $number:expr, $known:ident $major:literal $minor:literal; )+
    } )+) => {
        $( $( pub const $name: usize = $number as usize; )+ )+

        /// The table.
        pub const REQUESTS: &[Request] = &[
            $( $( Request {
                name: stringify!($name),
                number: $number,
                since: ($major, $minor),
                header: $header,
            }, )+ )+
        ];

        macro_rules! request_doc {
            $( $( ($name) => {
                concat!(
                    "\n\nRequest `", stringify!($name), "` of `", $header, "`, ",
                    since!($known $major $minor), "."
                )
            }; )+ )+
        }
    };
}

requests! {
    "valgrind.h" {
        VG_USERREQ__RUNNING_ON_VALGRIND = crate::valgrind_request::RUNNING_ON_VALGRIND, by 3 0;
        VG_USERREQ__DISCARD_TRANSLATIONS = 0x1002, by 3 0;
        VG_USERREQ__VALGRIND_REPLACES_MALLOC = 0x1003, from 3 27;
        VG_USERREQ__VALGRIND_GET_TOOLNAME = 0x1004, from 3 27;
        VG_USERREQ__CLIENT_CALL0 = 0x1101, by 3 0;
        VG_USERREQ__CLIENT_CALL1 = 0x1102, by 3 0;
        VG_USERREQ__CLIENT_CALL2 = 0x1103, by 3 0;
        VG_USERREQ__CLIENT_CALL3 = 0x1104, by 3 0;
        VG_USERREQ__COUNT_ERRORS = 0x1201, by 3 0;
        VG_USERREQ__GDB_MONITOR_COMMAND = 0x1202, from 3 9;
        VG_USERREQ__CLO_CHANGE = 0x1203, from 3 16;
        VG_USERREQ__MALLOCLIKE_BLOCK = 0x1301, by 3 0;
        VG_USERREQ__RESIZEINPLACE_BLOCK = 0x130b, from 3 7;
        VG_USERREQ__FREELIKE_BLOCK = 0x1302, by 3 0;
        VG_USERREQ__CREATE_MEMPOOL = 0x1303, by 3 0;
        VG_USERREQ__DESTROY_MEMPOOL = 0x1304, by 3 0;
        VG_USERREQ__MEMPOOL_ALLOC = 0x1305, by 3 0;
        VG_USERREQ__MEMPOOL_FREE = 0x1306, by 3 0;
        VG_USERREQ__MEMPOOL_TRIM = 0x1307, by 3 5;
        VG_USERREQ__MOVE_MEMPOOL = 0x1308, by 3 5;
        VG_USERREQ__MEMPOOL_CHANGE = 0x1309, by 3 5;
        VG_USERREQ__MEMPOOL_EXISTS = 0x130a, by 3 5;
        VG_USERREQ__PRINTF_VALIST_BY_REF = 0x1403, by 3 6;
        VG_USERREQ__PRINTF_BACKTRACE_VALIST_BY_REF = 0x1404, by 3 6;
        VG_USERREQ__STACK_REGISTER = 0x1501, by 3 5;
        VG_USERREQ__STACK_DEREGISTER = 0x1502, by 3 5;
        VG_USERREQ__STACK_CHANGE = 0x1503, by 3 5;
        VG_USERREQ__LOAD_PDB_DEBUGINFO = 0x1601, by 3 6;
        VG_USERREQ__MAP_IP_TO_SRCLOC = 0x1701, by 3 6;
        VG_USERREQ__CHANGE_ERR_DISABLEMENT = 0x1801, from 3 7;
    }
    "callgrind.h" {
        VG_USERREQ__DUMP_STATS = CALLGRIND, by 3 2;
        VG_USERREQ__ZERO_STATS = CALLGRIND + 1, by 3 2;
        VG_USERREQ__TOGGLE_COLLECT = CALLGRIND + 2, by 3 2;
        VG_USERREQ__DUMP_STATS_AT = CALLGRIND + 3, by 3 2;
        VG_USERREQ__START_INSTRUMENTATION = CALLGRIND + 4, by 3 2;
        VG_USERREQ__STOP_INSTRUMENTATION = CALLGRIND + 5, by 3 2;
    }
    "cachegrind.h" {
        VG_USERREQ__CG_START_INSTRUMENTATION = CACHEGRIND, from 3 22;
        VG_USERREQ__CG_STOP_INSTRUMENTATION = CACHEGRIND + 1, from 3 22;
    }
    "memcheck.h" {
        VG_USERREQ__MAKE_MEM_NOACCESS = MEMCHECK, by 3 2;
        VG_USERREQ__MAKE_MEM_UNDEFINED = MEMCHECK + 1, by 3 2;
        VG_USERREQ__MAKE_MEM_DEFINED = MEMCHECK + 2, by 3 2;
        VG_USERREQ__DISCARD = MEMCHECK + 3, by 3 5;
        VG_USERREQ__CHECK_MEM_IS_ADDRESSABLE = MEMCHECK + 4, by 3 2;
        VG_USERREQ__CHECK_MEM_IS_DEFINED = MEMCHECK + 5, by 3 2;
        VG_USERREQ__DO_LEAK_CHECK = MEMCHECK + 6, by 3 5;
        VG_USERREQ__COUNT_LEAKS = MEMCHECK + 7, by 3 0;
        VG_USERREQ__GET_VBITS = MEMCHECK + 8, by 3 2;
        VG_USERREQ__SET_VBITS = MEMCHECK + 9, by 3 2;
        VG_USERREQ__CREATE_BLOCK = MEMCHECK + 10, by 3 5;
        VG_USERREQ__MAKE_MEM_DEFINED_IF_ADDRESSABLE = MEMCHECK + 11, by 3 2;
        VG_USERREQ__COUNT_LEAK_BLOCKS = MEMCHECK + 12, from 3 5;
        VG_USERREQ__ENABLE_ADDR_ERROR_REPORTING_IN_RANGE = MEMCHECK + 13, from 3 10;
        VG_USERREQ__DISABLE_ADDR_ERROR_REPORTING_IN_RANGE = MEMCHECK + 14, from 3 10;
    }
    "helgrind.h" {
        VG_USERREQ__HG_CLEAN_MEMORY = HELGRIND, by 3 5;
        _VG_USERREQ__HG_PTHREAD_MUTEX_INIT_POST = HELGRIND + 256 + 3, by 3 19;
        _VG_USERREQ__HG_PTHREAD_MUTEX_DESTROY_PRE = HELGRIND + 256 + 4, by 3 19;
        _VG_USERREQ__HG_PTHREAD_MUTEX_UNLOCK_PRE = HELGRIND + 256 + 5, by 3 19;
        _VG_USERREQ__HG_PTHREAD_MUTEX_UNLOCK_POST = HELGRIND + 256 + 6, by 3 19;
        _VG_USERREQ__HG_PTHREAD_MUTEX_ACQUIRE_PRE = HELGRIND + 256 + 7, by 3 19;
        _VG_USERREQ__HG_PTHREAD_MUTEX_ACQUIRE_POST = HELGRIND + 256 + 8, by 3 19;
        _VG_USERREQ__HG_PTHREAD_RWLOCK_INIT_POST = HELGRIND + 256 + 14, by 3 19;
        _VG_USERREQ__HG_PTHREAD_RWLOCK_DESTROY_PRE = HELGRIND + 256 + 15, by 3 19;
        _VG_USERREQ__HG_PTHREAD_RWLOCK_ACQUIRED = HELGRIND + 256 + 17, by 3 19;
        _VG_USERREQ__HG_PTHREAD_RWLOCK_RELEASED = HELGRIND + 256 + 18, by 3 19;
        _VG_USERREQ__HG_POSIX_SEM_INIT_POST = HELGRIND + 256 + 20, by 3 19;
        _VG_USERREQ__HG_POSIX_SEM_DESTROY_PRE = HELGRIND + 256 + 21, by 3 19;
        _VG_USERREQ__HG_POSIX_SEM_RELEASED = HELGRIND + 256 + 22, by 3 19;
        _VG_USERREQ__HG_POSIX_SEM_ACQUIRED = HELGRIND + 256 + 23, by 3 19;
        _VG_USERREQ__HG_PTHREAD_BARRIER_INIT_PRE = HELGRIND + 256 + 24, by 3 19;
        _VG_USERREQ__HG_PTHREAD_BARRIER_WAIT_PRE = HELGRIND + 256 + 25, by 3 19;
        _VG_USERREQ__HG_PTHREAD_BARRIER_DESTROY_PRE = HELGRIND + 256 + 26, by 3 19;
        _VG_USERREQ__HG_USERSO_SEND_PRE = HELGRIND + 256 + 33, from 3 6;
        _VG_USERREQ__HG_USERSO_RECV_POST = HELGRIND + 256 + 34, from 3 6;
        _VG_USERREQ__HG_USERSO_FORGET_ALL = HELGRIND + 256 + 35, from 3 7;
        _VG_USERREQ__HG_ARANGE_MAKE_UNTRACKED = HELGRIND + 256 + 39, by 3 19;
        _VG_USERREQ__HG_ARANGE_MAKE_TRACKED = HELGRIND + 256 + 40, by 3 19;
        _VG_USERREQ__HG_PTHREAD_BARRIER_RESIZE_PRE = HELGRIND + 256 + 41, by 3 19;
        _VG_USERREQ__HG_CLEAN_MEMORY_HEAPBLOCK = HELGRIND + 256 + 42, by 3 19;
        _VG_USERREQ__HG_GET_ABITS = HELGRIND + 256 + 46, by 3 19;
        _VG_USERREQ__HG_GNAT_DEPENDENT_MASTER_JOIN = HELGRIND + 256 + 61, from 3 13;
    }
    "drd.h" {
        VG_USERREQ__DRD_CLEAN_MEMORY = HELGRIND, by 3 19;
        VG_USERREQ__DRD_GET_VALGRIND_THREAD_ID = DRD, by 3 19;
        VG_USERREQ__DRD_GET_DRD_THREAD_ID = DRD + 1, by 3 19;
        VG_USERREQ__DRD_START_SUPPRESSION = DRD + 2, by 3 19;
        VG_USERREQ__DRD_FINISH_SUPPRESSION = DRD + 3, by 3 19;
        VG_USERREQ__DRD_START_TRACE_ADDR = DRD + 4, by 3 19;
        VG_USERREQ__DRD_STOP_TRACE_ADDR = DRD + 5, from 3 8;
        VG_USERREQ__DRD_RECORD_LOADS = DRD + 6, by 3 19;
        VG_USERREQ__DRD_RECORD_STORES = DRD + 7, by 3 19;
        VG_USERREQ__DRD_SET_THREAD_NAME = DRD + 8, by 3 19;
        VG_USERREQ__DRD_ANNOTATE_SEM_INIT_PRE = DRD + 10, by 3 19;
        VG_USERREQ__DRD_ANNOTATE_SEM_DESTROY_POST = DRD + 11, by 3 19;
        VG_USERREQ__DRD_ANNOTATE_SEM_WAIT_PRE = DRD + 12, by 3 19;
        VG_USERREQ__DRD_ANNOTATE_SEM_WAIT_POST = DRD + 13, by 3 19;
        VG_USERREQ__DRD_ANNOTATE_SEM_POST_PRE = DRD + 14, by 3 19;
        VG_USERREQ__DRD_ANNOTATE_RWLOCK_CREATE = HELGRIND + 256 + 14, by 3 19;
        VG_USERREQ__DRD_ANNOTATE_RWLOCK_DESTROY = HELGRIND + 256 + 15, by 3 19;
        VG_USERREQ__DRD_ANNOTATE_RWLOCK_ACQUIRED = HELGRIND + 256 + 17, by 3 19;
        VG_USERREQ__DRD_ANNOTATE_RWLOCK_RELEASED = HELGRIND + 256 + 18, by 3 19;
        VG_USERREQ__DRD_ANNOTATE_HAPPENS_BEFORE = HELGRIND + 256 + 33, by 3 19;
        VG_USERREQ__DRD_ANNOTATE_HAPPENS_AFTER = HELGRIND + 256 + 34, by 3 19;
    }
    "dhat.h" {
        VG_USERREQ__DHAT_AD_HOC_EVENT = DHAT, from 3 17;
        VG_USERREQ__DHAT_HISTOGRAM_MEMORY = DHAT + 1, from 3 21;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_occurs_once() {
        for (index, request) in REQUESTS.iter().enumerate() {
            let same = REQUESTS[index + 1..]
                .iter()
                .find(|other| other.name == request.name);
            assert_eq!(same, None);
        }
    }

    #[test]
    fn a_header_uses_a_number_once() {
        for (index, request) in REQUESTS.iter().enumerate() {
            let same = REQUESTS[index + 1..]
                .iter()
                .find(|other| other.header == request.header && other.number == request.number);
            assert_eq!(same, None, "{request:?}");
        }
    }

    #[test]
    fn the_bases_are_two_letters() {
        assert_eq!(CALLGRIND, 0x4354_0000);
        assert_eq!(CACHEGRIND, 0x4347_0000);
        assert_eq!(MEMCHECK, 0x4d43_0000);
        assert_eq!(HELGRIND, 0x4847_0000);
        assert_eq!(DRD, 0x4452_0000);
        assert_eq!(DHAT, 0x4448_0000);
    }

    #[test]
    fn a_row_is_constant_and_table_at_once() {
        let row = REQUESTS
            .iter()
            .find(|request| request.name == "VG_USERREQ__DUMP_STATS_AT");

        assert_eq!(
            row,
            Some(&Request {
                name: "VG_USERREQ__DUMP_STATS_AT",
                number: 0x4354_0003,
                since: (3, 2),
                header: "callgrind.h",
            })
        );
        assert_eq!(VG_USERREQ__DUMP_STATS_AT, 0x4354_0003);
        assert_eq!(
            request_doc!(VG_USERREQ__DHAT_HISTOGRAM_MEMORY),
            "\n\nRequest `VG_USERREQ__DHAT_HISTOGRAM_MEMORY` of `dhat.h`, since Valgrind 3.21."
        );
    }
}
