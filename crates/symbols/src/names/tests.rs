//! Names of all spellings.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(name: &str, expected: &str) {
    assert_eq!(canonical(name), expected, "{name}");
    assert_eq!(canonical(expected), expected, "not idempotent");
}

#[test]
fn suffixes_are_no_part_of_a_name() {
    check("fib'2", "fib");
    check("lab::fib::h0123456789abcdef", "lab::fib");
    check("lab::fib::h0123456789abcdeg", "lab::fib::h0123456789abcdeg");
    check("malloc@@GLIBC_2.2.5", "malloc");
    check("memcpy@GLIBC_2.14", "memcpy");
    check("f.llvm.1234567890", "f");
    check("f.cold", "f");
    check("f.cold.3", "f");
    check("f.isra.0.constprop.1.part.2'3", "f");
    check("f [clone .cold]", "f");
    check("f.rs", "f.rs");
    check("_ZN3lab3fib17h0123456789abcdefE.llvm.77", "lab::fib");
    check("'2", "'2");
    check("???", "???");
    check("0x0000000000012345", "0x0000000000012345");
    check("(below main)", "(below main)");
    check("", "");
}

#[test]
fn closures_and_shims_have_one_spelling() {
    check("lab::sort::{{closure}}", "lab::sort::{closure}");
    check(
        "_ZN3lab4sort28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE",
        "lab::sort::{closure}",
    );
    check("lab::sort::{closure#0}", "lab::sort::{closure}");
    check(
        "lab::sort::{closure#0}::{closure#3}",
        "lab::sort::{closure}::{closure}",
    );
    check("{closure_env#0}<lab::Record>", "{closure}");
    check("{async_fn_env#0}", "{closure}");
    check("lab::f::{{constant}}", "lab::f::{constant}");
    let expected = "<lab::main::{closure} as std::ops::function::FnOnce>::call_once::{shim}";
    check(
        "<lab::main::{closure#0} as core::ops::function::FnOnce<()>>::call_once::{shim:vtable#0}",
        expected,
    );
    check(
        "core::ops::function::FnOnce::call_once{{vtable.shim}}",
        "std::ops::function::FnOnce::call_once::{shim}",
    );
}

#[test]
fn generic_arguments_are_no_part_of_a_name() {
    check(
        "core::ptr::drop_in_place<alloc::vec::Vec<lab::Record>>",
        "std::ptr::drop_in_place",
    );
    check("lab::f::<u32, 3>", "lab::f");
    check("lab::f::<'<', {\"a\"}>::g", "lab::f::g");
    check("copy_nonoverlapping<lab::Record>", "copy_nonoverlapping");
    check(
        "core::ptr::drop_in_place<dyn core::ops::function::Fn(u8) -> u8+Output = u8>",
        "std::ptr::drop_in_place",
    );
    check(
        "<alloc::raw_vec::RawVecInner<A>>::reserve",
        "std::raw_vec::RawVecInner::reserve",
    );
    check(
        "alloc::raw_vec::RawVecInner::reserve",
        "std::raw_vec::RawVecInner::reserve",
    );
}

#[test]
fn implementations_have_one_spelling() {
    let expected = "<u32 as serde::de::Deserialize>::deserialize";
    check(
        "serde::de::impls::<impl serde::de::Deserialize for u32>::deserialize",
        expected,
    );
    check("<u32 as serde::de::Deserialize>::deserialize", expected);
    check(
        "hashbrown::rustc_entry::<impl hashbrown::map::HashMap<K,V,S,A>>::rustc_entry",
        "hashbrown::map::HashMap::rustc_entry",
    );
    check(
        "<hashbrown::map::HashMap<u8, u8>>::rustc_entry",
        "hashbrown::map::HashMap::rustc_entry",
    );
    check("alloc::str::<impl str>::to_lowercase", "str::to_lowercase");
    check("<str>::to_lowercase", "str::to_lowercase");
    check(
        "<T as core::convert::Into<U>>::into",
        "<_ as std::convert::Into>::into",
    );
    check(
        "<F as core::ops::function::Fn(A) -> B>::call",
        "<_ as std::ops::function::Fn>::call",
    );
    check(
        "<<lab::A as lab::B>::C as lab::D>::f",
        "<<lab::A as lab::B>::C as lab::D>::f",
    );
}

#[test]
fn types_without_a_path_have_no_insides() {
    check("core::slice::<impl [T]>::split_at", "[_]::split_at");
    check("<[lab::Record]>::split_at", "[_]::split_at");
    check("core::array::<impl [T; N]>::map", "[_; _]::map");
    check("core::ptr::mut_ptr::<impl *mut T>::add", "*mut _::add");
    check("<*const u8>::add", "*const _::add");
    check(
        "<&T as core::fmt::Debug>::fmt",
        "<&_ as std::fmt::Debug>::fmt",
    );
    check(
        "<&str as core::fmt::Debug>::fmt",
        "<&_ as std::fmt::Debug>::fmt",
    );
    check(
        "<(A,B) as core::fmt::Debug>::fmt",
        "<(_) as std::fmt::Debug>::fmt",
    );
    check(
        "<() as core::fmt::Debug>::fmt",
        "<() as std::fmt::Debug>::fmt",
    );
    check(
        "<dyn core::any::Any + core::marker::Send as core::fmt::Debug>::fmt",
        "<dyn std::any::Any as std::fmt::Debug>::fmt",
    );
    check(
        "<dyn core::any::Any+core::marker::Send as core::fmt::Debug>::fmt",
        "<dyn std::any::Any as std::fmt::Debug>::fmt",
    );
    check(
        "core::any::<impl dyn core::any::Any>::is",
        "dyn std::any::Any::is",
    );
    check(
        "<unsafe extern \"C\" fn(u8) -> u8 as lab::Tr>::f",
        "<fn(_) as lab::Tr>::f",
    );
}

#[test]
fn conversions_are_functions_of_the_crate_of_the_other_type() {
    let expected = "<std::string::String as std::convert::From<lab::Record>>::from";
    check(
        "<alloc::string::String as core::convert::From<lab::Record<u8>>>::from",
        expected,
    );
    check(
        "lab::<impl core::convert::From<lab::Record> for alloc::string::String>::from",
        expected,
    );
    check(
        "<alloc::string::String as core::convert::From<&lab::Record>>::from",
        "<std::string::String as std::convert::From<&lab::Record>>::from",
    );
    // These are functions of the standard library, for any type.
    check(
        "<alloc::vec::Vec<lab::Record> as core::iter::Extend<lab::Record>>::extend",
        "<std::vec::Vec as std::iter::Extend>::extend",
    );
    check(
        "<alloc::vec::Vec<T> as core::iter::Extend<T>>::extend",
        "<std::vec::Vec as std::iter::Extend>::extend",
    );
    check(
        "<lab::Record as core::convert::From<lab::Other>>::from",
        "<lab::Record as std::convert::From>::from",
    );
}

#[test]
fn functions_of_two_crates_stay_two() {
    let names = [
        "<alloc::string::String as core::convert::From<a::Record>>::from",
        "<alloc::string::String as core::convert::From<b::Record>>::from",
        "<a::Record as core::clone::Clone>::clone",
        "<b::Record as core::clone::Clone>::clone",
        "<&mut a::Writer<W> as serde::ser::Serializer>::serialize_str",
        "<&mut b::Writer<W> as serde::ser::Serializer>::serialize_str",
        "a::Record::new",
        "b::Record::new",
        "<u32 as a::Tr>::f",
        "<u32 as b::Tr>::f",
    ];
    let canonical = names.map(canonical);
    let different = std::collections::HashSet::from(canonical.clone());
    assert_eq!(different.len(), names.len(), "{canonical:?}");
    assert_eq!(
        canonical[4],
        "<&mut a::Writer as serde::ser::Serializer>::serialize_str"
    );
}

#[test]
fn names_of_other_languages_stay() {
    check("operator<<", "operator<<");
    check(
        "std::vector<int>::push_back(int&&)",
        "std::vector<int>::push_back(int&&)",
    );
    check("foo(int)", "foo(int)");
    check("_ZN3foo3barEv", "_ZN3foo3barEv");
}

#[test]
fn what_no_name_has_is_replaced() {
    check("a\u{1b}[31mb\0", "a\u{fffd}[31mb\u{fffd}");
    check("lab::f$uf6$r", "lab::för");
    check("a$u1b$b", "a\u{fffd}b");
    check("price$", "price$");
    check("$u110000$", "$u110000$");
    check("$u24$u24$$", "$$");
    let long = format!("lab::{}", "x".repeat(10_000));
    let name = canonical(&long);
    assert_eq!((name.len(), canonical(&name)), (983 + 16, name.clone()));
    assert_ne!(canonical(&format!("{long}y")), name);
    let nested = format!("lab::f::{}u8{}", "a::B<".repeat(3000), ">".repeat(3000));
    assert!(canonical(&nested).len() <= 1000);
    let deep = format!("{}u8{}", "<&".repeat(5000), " as a::B>::c".repeat(5000));
    assert_eq!(canonical(&canonical(&deep)), canonical(&deep));
}

proptest! {
    #[test]
    fn a_plain_name_is_canonical(text in "(_ZN|_R|h)?[a-zA-Z0-9_]{1,20}") {
        if is_plain(&text) {
            prop_assert_eq!(step(&text), text);
        }
    }

    #[test]
    fn any_text_has_a_name_that_stays(text in "([<>{}()\\[\\]&*;:,'@.$#_ ]|::|core|alloc|std|impl |for | as |dyn |fn|mut |closure|shim|u8|T|lab|_ZN|_R|17h|E|\\PC){0,40}") {
        let name = canonical(&text);
        prop_assert_eq!(canonical(&name), name.clone());
        prop_assert!(name.len() <= 1000);
    }
}
