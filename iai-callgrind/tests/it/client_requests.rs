//! Client requests without Valgrind: every function has its native result, in a build with active
//! requests and in one with definitions only.
// The expansion of the macros must not warn in the crate of a user, in neither build.
#![deny(warnings)]

use std::cell::Cell;
use std::ffi::CString;
use std::fmt::{self, Display};

use iai_callgrind::client_requests::error::ClientRequestError;
use iai_callgrind::client_requests::{
    cachegrind, callgrind, dhat, drd, helgrind, memcheck, valgrind, valgrind_print,
    valgrind_print_backtrace, MempoolFlags, ACTIVE, SUPPORTED, VALGRIND_VERSION,
};
use iai_callgrind::{
    cstring, format_cstring, valgrind_printf, valgrind_printf_backtrace,
    valgrind_printf_backtrace_unchecked, valgrind_printf_unchecked, valgrind_println,
    valgrind_println_backtrace, valgrind_println_backtrace_unchecked, valgrind_println_unchecked,
};

/// An address as requests take it.
fn address<T: ?Sized>(value: &T) -> *const () {
    (value as *const T).cast()
}

#[test]
fn requests_are_active_with_the_feature_on_a_supported_platform() {
    assert_eq!(ACTIVE, cfg!(feature = "client_requests") && SUPPORTED);
    assert_eq!(
        VALGRIND_VERSION.is_some(),
        cfg!(feature = "client_requests_cc")
    );
}

mod core {
    use super::*;

    #[test]
    fn queries() {
        assert_eq!(valgrind::running_on_valgrind(), 0);
        assert!(!valgrind::replaces_malloc());
        assert_eq!(valgrind::count_errors(), 0);
        assert_eq!(valgrind::toolname(), None);

        let mut name = *b"before";
        assert_eq!(valgrind::get_toolname(&mut name), 0);
        assert_eq!(valgrind::get_toolname(&mut []), 0);
        assert_eq!(&name, b"before");
    }

    #[test]
    fn steering() {
        valgrind::discard_translations(address(b"code"), 4);
        valgrind::clo_change(c"--leak-check=no");
        valgrind::load_pdb_debuginfo(-1, address(b"image"), 5, 0);

        assert!(valgrind::monitor_command(c"help"));
        assert_eq!(
            valgrind::try_monitor_command(c"help"),
            Err(ClientRequestError::NotUnderValgrind)
        );
    }

    #[test]
    fn strings_are_whatever_refers_to_a_string_of_c() {
        let owned = CString::new("--leak-check=no").unwrap();

        valgrind::clo_change(c"--leak-check=no");
        valgrind::clo_change(owned.as_c_str());
        valgrind::clo_change(&owned);
        valgrind::clo_change(owned);
    }

    #[test]
    fn the_place_of_code_is_unknown() {
        let mut place = [b'x'; 64];

        assert_eq!(valgrind::map_ip_to_srcloc(address(b"code"), &mut place), 0);
        // SAFETY: the array has 64 bytes.
        let result = unsafe {
            valgrind::map_ip_to_srcloc_unchecked(address(b"code"), place.as_mut_ptr().cast())
        };

        assert_eq!(result, 0);
        assert_eq!(place, [b'x'; 64]);
    }

    #[test]
    fn native_calls_do_not_call() {
        extern "C" fn f0(_: usize) -> usize {
            unreachable!("called")
        }
        extern "C" fn f1(_: usize, _: usize) -> usize {
            unreachable!("called")
        }
        extern "C" fn f2(_: usize, _: usize, _: usize) -> usize {
            unreachable!("called")
        }
        extern "C" fn f3(_: usize, _: usize, _: usize, _: usize) -> usize {
            unreachable!("called")
        }

        // SAFETY: they are not called.
        unsafe {
            assert_eq!(valgrind::non_simd_call0(f0), 0);
            assert_eq!(valgrind::non_simd_call1(f1, 1), 0);
            assert_eq!(valgrind::non_simd_call2(f2, 1, 2), 0);
            assert_eq!(valgrind::non_simd_call3(f3, 1, 2, 3), 0);
        }
    }

    #[test]
    fn errors_and_their_reports() {
        valgrind::disable_error_reporting();
        valgrind::enable_error_reporting();

        assert_eq!(valgrind::without_error_reporting(|| 3), 3);
        drop(valgrind::ErrorReportingDisabled::new());
    }

    #[test]
    fn blocks_pools_and_stacks() {
        let arena = [0_u8; 64];
        let pool = address(&arena);

        valgrind::malloclike_block(pool, 32, 8, true);
        valgrind::resizeinplace_block(pool, 32, 40, 8);
        valgrind::freelike_block(pool, 8);

        valgrind::create_mempool(pool, 0, false);
        let flags = MempoolFlags::AUTOFREE | MempoolFlags::METAPOOL;
        valgrind::create_mempool_ext(pool, 0, false, flags);
        valgrind::mempool_alloc(pool, pool, 8);
        valgrind::mempool_change(pool, pool, pool, 16);
        valgrind::mempool_trim(pool, pool, 8);
        valgrind::mempool_free(pool, pool);
        valgrind::move_mempool(pool, pool);
        assert!(!valgrind::mempool_exists(pool));
        valgrind::destroy_mempool(pool);

        let stack = valgrind::stack_register(pool, pool);
        assert_eq!(stack, 0);
        valgrind::stack_change(stack, pool, pool);
        valgrind::stack_deregister(stack);
    }

    #[test]
    fn the_flags_of_pools_are_those_of_the_header() {
        assert_eq!(MempoolFlags::DEFAULT, 0);
        assert_eq!(MempoolFlags::AUTOFREE, 1);
        assert_eq!(MempoolFlags::METAPOOL, 2);
    }
}

mod profilers {
    use super::*;

    #[test]
    fn switches_do_nothing() {
        callgrind::dump_stats();
        callgrind::dump_stats_at(c"here");
        callgrind::dump_stats_named(&"long".repeat(100));
        callgrind::zero_stats();
        callgrind::toggle_collect();
        callgrind::start_instrumentation();
        callgrind::stop_instrumentation();
        cachegrind::start_instrumentation();
        cachegrind::stop_instrumentation();
        dhat::ad_hoc_event(3);
        dhat::histogram_memory(address(&[0_u8; 2048]));
    }

    #[test]
    fn what_is_wrapped_is_called_once() {
        let calls = Cell::new(0);
        let call = || {
            calls.set(calls.get() + 1);
            calls.get()
        };

        assert_eq!(callgrind::collect(call), 1);
        assert_eq!(callgrind::instrument(call), 2);
        assert_eq!(cachegrind::instrument(call), 3);
        drop(callgrind::Collecting::new());
        drop(callgrind::Instrumenting::new());
        drop(cachegrind::Instrumenting::new());
    }
}

mod memory {
    use super::*;

    #[test]
    fn memory_is_what_it_is() {
        let mut memory = [1_u8; 16];
        let addr = address(&memory);

        assert_eq!(memcheck::make_mem_noaccess(addr, 16), 0);
        assert_eq!(memcheck::make_mem_undefined(addr, 16), 0);
        assert_eq!(memcheck::make_mem_defined(addr, 16), 0);
        assert_eq!(memcheck::make_mem_defined_if_addressable(addr, 16), 0);
        assert_eq!(memcheck::check_mem_is_addressable(addr, 16), 0);
        assert_eq!(memcheck::check_mem_is_defined(addr, 16), 0);
        assert_eq!(memcheck::check_value_is_defined(&memory), 0);
        assert_eq!(memcheck::disable_addr_error_reporting_in_range(addr, 16), 0);
        assert_eq!(memcheck::enable_addr_error_reporting_in_range(addr, 16), 0);

        memcheck::make_slice_undefined(&mut memory);
        memcheck::make_slice_defined(&mut memory);
        assert_eq!(memcheck::check_slice_is_defined(&memory), None);
        assert_eq!(memory, [1; 16]);
    }

    #[test]
    fn blocks_have_no_handle() {
        let block = memcheck::create_block(address(b"block"), 5, c"name");

        assert_eq!(block, 0);
        assert_eq!(memcheck::discard(block), 0);
        assert_eq!(
            memcheck::try_create_block(address(b"block"), 5, c"name"),
            None
        );
    }

    #[test]
    fn there_are_no_leaks() {
        memcheck::do_leak_check();
        memcheck::do_added_leak_check();
        memcheck::do_changed_leak_check();
        memcheck::do_new_leak_check();
        memcheck::do_quick_leak_check();

        assert_eq!(memcheck::count_leaks(), memcheck::LeakCounts::default());
        assert_eq!(
            memcheck::count_leak_blocks(),
            memcheck::LeakCounts::default()
        );
    }

    #[test]
    fn bits_are_unchanged() {
        let mut bits = [7_u8; 4];

        assert_eq!(memcheck::get_vbits(address(b"word"), &mut bits, 4), 0);
        assert_eq!(memcheck::set_vbits(address(b"word"), &bits, 4), 0);
        assert_eq!(bits, [7; 4]);
    }
}

mod threads {
    use super::*;

    #[test]
    fn helgrind_is_not_there() {
        let object = address(b"lock");

        helgrind::annotate_happens_before(object);
        helgrind::annotate_happens_after(object);
        helgrind::annotate_happens_before_forget_all(object);
        helgrind::annotate_new_memory(object, 4);
        helgrind::annotate_rwlock_create(object);
        helgrind::annotate_rwlock_acquired(object, true);
        helgrind::annotate_rwlock_released(object, true);
        helgrind::annotate_rwlock_destroy(object);
        helgrind::mutex_init_post(object, false);
        helgrind::mutex_lock_pre(object, false);
        helgrind::mutex_lock_post(object);
        helgrind::mutex_unlock_pre(object);
        helgrind::mutex_unlock_post(object);
        helgrind::mutex_destroy_pre(object);
        helgrind::sem_init_post(object, 1);
        helgrind::sem_wait_post(object);
        helgrind::sem_post_pre(object);
        helgrind::sem_destroy_pre(object);
        helgrind::barrier_init_pre(object, 2, true);
        helgrind::barrier_wait_pre(object);
        helgrind::barrier_resize_pre(object, 3);
        helgrind::barrier_destroy_pre(object);
        helgrind::clean_memory(object, 4);
        helgrind::clean_ref(&4_u32);
        helgrind::disable_checking(object, 4);
        helgrind::enable_checking(object, 4);
        helgrind::gnat_dependent_master_join(object, object);

        assert_eq!(helgrind::clean_memory_heapblock(object), -2);
        let mut bits = [7_u8; 4];
        assert_eq!(helgrind::get_abits(object, &mut bits, 4), -2);
        assert_eq!(helgrind::get_abits(object, &mut [], 4), -2);
        assert_eq!(bits, [7; 4]);
    }

    #[test]
    fn drd_is_not_there() {
        let object = address(b"lock");

        assert_eq!(drd::get_valgrind_threadid(), 0);
        assert_eq!(drd::get_drd_threadid(), 0);
        drd::annotate_thread_name(c"main");
        drd::ignore_var(&1);
        drd::stop_ignoring_var(&1);
        drop(drd::IgnoringVar::new(&1));
        drd::trace_var(&1);
        drd::stop_tracing_var(&1);
        drop(drd::TracingVar::new(&1));
        drd::annotate_trace_memory(object);
        drd::annotate_benign_race(&1);
        drd::annotate_benign_race_sized(object, 4);
        drd::annotate_ignore_reads_begin();
        drd::annotate_ignore_reads_end();
        drd::annotate_ignore_writes_begin();
        drd::annotate_ignore_writes_end();
        drd::annotate_ignore_reads_and_writes_begin();
        drd::annotate_ignore_reads_and_writes_end();
        drd::annotate_sem_init_pre(object, 1);
        drd::annotate_sem_wait_pre(object);
        drd::annotate_sem_wait_post(object);
        drd::annotate_sem_post_pre(object);
        drd::annotate_sem_destroy_post(object);
        drd::annotate_happens_before(object);
        drd::annotate_happens_after(object);
        drd::annotate_new_memory(object, 4);
        drd::annotate_rwlock_create(object);
        drd::annotate_rwlock_acquired(object, false);
        drd::annotate_rwlock_released(object, false);
        drd::annotate_rwlock_destroy(object);
    }
}

mod printing {
    use super::*;

    /// Counts how often it is formatted.
    struct Counted<'a>(&'a Cell<u32>);

    impl Display for Counted<'_> {
        fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.set(self.0.get() + 1);
            formatter.write_str("counted")
        }
    }

    struct Failing;

    impl Display for Failing {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            Err(fmt::Error)
        }
    }

    #[test]
    fn arguments_are_those_of_format() -> Result<(), ClientRequestError> {
        let inline = "text";

        valgrind_printf!("literal")?;
        valgrind_printf!("{} {:>4} {named} {inline} {{}}", 1, 2, named = 3)?;
        valgrind_println!()?;
        valgrind_println!("{inline:?}",)?;
        valgrind_printf_backtrace!("{inline}")?;
        valgrind_println_backtrace!()?;
        valgrind_println_backtrace!("100% {}", 1)
    }

    #[test]
    fn unchecked_forms_have_no_result() {
        let inline = "text";

        // SAFETY: no text has a NUL byte.
        unsafe {
            valgrind_printf_unchecked!("{inline}");
            valgrind_println_unchecked!();
            valgrind_println_unchecked!("{}", inline);
            valgrind_printf_backtrace_unchecked!("{named}", named = inline);
            valgrind_println_backtrace_unchecked!();
            let () = valgrind_println_backtrace_unchecked!("{inline}");
        }
    }

    #[test]
    fn arguments_are_evaluated_and_formatted_once_if_requests_are_active() {
        let evaluated = Cell::new(0);
        let formatted = Cell::new(0);

        valgrind_println!("{}", {
            evaluated.set(evaluated.get() + 1);
            Counted(&formatted)
        })
        .unwrap();

        let times = u32::from(ACTIVE);
        assert_eq!((evaluated.get(), formatted.get()), (times, times));
    }

    /// With definitions only nothing is formatted, so there is nothing to report.
    fn expected(error: &str) -> Result<(), String> {
        if ACTIVE {
            Err(error.to_owned())
        } else {
            Ok(())
        }
    }

    #[test]
    fn a_nul_byte_is_reported() {
        let with_nul = "a%\0b";

        let printed = [
            valgrind_printf!("1{with_nul}"),
            valgrind_println!("1{with_nul}"),
            valgrind_printf_backtrace!("1{with_nul}"),
            valgrind_println_backtrace!("1{with_nul}"),
        ];

        for result in printed {
            if let Err(ClientRequestError::ValgrindPrintError(error)) = &result {
                assert_eq!(error.position(), 3);
            }
            assert_eq!(
                result.map_err(|error| error.to_string()),
                expected("text for Valgrind's log was cut: it has a NUL byte at position 3")
            );
        }
    }

    #[test]
    fn a_value_that_cannot_be_formatted_is_reported() {
        assert_eq!(
            valgrind_println!("{}", Failing).map_err(|error| error.to_string()),
            expected("text for Valgrind's log was cut: the `Display` or `Debug` of a value failed")
        );
    }

    #[test]
    fn texts_are_as_long_as_they_are() {
        let long = "0123456789%".repeat(1000);

        assert_eq!(valgrind_println!("{long}"), Ok(()));
    }

    #[test]
    fn strings_of_c_are_printed_as_they_are() {
        valgrind_print(c"100% of %s\n");
        valgrind_print_backtrace(c"100% of %s\n");
    }

    #[test]
    fn macros_need_no_names_in_scope() {
        // A user's crate may define names of the prelude itself.
        #[allow(non_snake_case, dead_code)]
        fn Ok() {}

        let result = iai_callgrind::client_requests::valgrind_println!("text");
        assert!(result.is_ok());
    }

    #[test]
    fn strings_of_c_are_made_in_both_builds() {
        // SAFETY: no text has a NUL byte.
        let (literal, formatted) = unsafe { (cstring!("literal"), format_cstring!("{}%", 100)) };

        assert_eq!(literal.as_c_str(), c"literal");
        assert_eq!(formatted.as_c_str(), c"100%");
    }
}
