//! Requests of the headers that the library does not make, each group with its reason.

/// Is a request left out on purpose?
pub(super) fn contains(name: &str) -> bool {
    let mut groups = LEFT_OUT.iter();
    groups.any(|(_, names)| names.contains(&name))
}

const LEFT_OUT: &[(&str, &[&str])] = &[
    (
        "deprecated: they take a `va_list` by value, which some targets cannot pass",
        &["VG_USERREQ__PRINTF", "VG_USERREQ__PRINTF_BACKTRACE"],
    ),
    (
        "for a Valgrind that runs under Valgrind",
        &["VG_USERREQ__VEX_INIT_FOR_IRI", "VG_USERREQ__INNER_THREADS"],
    ),
    (
        "from the tool's own replacements of C functions to the tool",
        &[
            "_VG_USERREQ__MEMCHECK_RECORD_OVERLAP_ERROR",
            "_VG_USERREQ__MEMCHECK_VERIFY_ALIGNMENT",
            "_VG_USERREQ__DHAT_COPY",
        ],
    ),
    (
        "from Helgrind's own wrappers of pthread, C and Ada functions to Helgrind; its header has \
         no macro for them",
        &[
            "_VG_USERREQ__HG_SET_MY_PTHREAD_T",
            "_VG_USERREQ__HG_PTH_API_ERROR",
            "_VG_USERREQ__HG_PTHREAD_JOIN_POST",
            "_VG_USERREQ__HG_PTHREAD_COND_SIGNAL_PRE",
            "_VG_USERREQ__HG_PTHREAD_COND_SIGNAL_POST",
            "_VG_USERREQ__HG_PTHREAD_COND_BROADCAST_PRE",
            "_VG_USERREQ__HG_PTHREAD_COND_BROADCAST_POST",
            "_VG_USERREQ__HG_PTHREAD_COND_WAIT_PRE",
            "_VG_USERREQ__HG_PTHREAD_COND_WAIT_POST",
            "_VG_USERREQ__HG_PTHREAD_COND_INIT_POST",
            "_VG_USERREQ__HG_PTHREAD_COND_DESTROY_PRE",
            "_VG_USERREQ__HG_PTHREAD_MUTEX_LOCK_PRE",
            "_VG_USERREQ__HG_PTHREAD_MUTEX_LOCK_POST",
            "_VG_USERREQ__HG_PTHREAD_RWLOCK_LOCK_PRE",
            "_VG_USERREQ__HG_PTHREAD_RWLOCK_LOCK_POST",
            "_VG_USERREQ__HG_PTHREAD_RWLOCK_UNLOCK_PRE",
            "_VG_USERREQ__HG_PTHREAD_RWLOCK_UNLOCK_POST",
            "_VG_USERREQ__HG_PTHREAD_SPIN_INIT_OR_UNLOCK_PRE",
            "_VG_USERREQ__HG_PTHREAD_SPIN_INIT_OR_UNLOCK_POST",
            "_VG_USERREQ__HG_PTHREAD_SPIN_LOCK_PRE",
            "_VG_USERREQ__HG_PTHREAD_SPIN_LOCK_POST",
            "_VG_USERREQ__HG_PTHREAD_SPIN_DESTROY_PRE",
            "_VG_USERREQ__HG_PTHREAD_CREATE_BEGIN",
            "_VG_USERREQ__HG_PTHREAD_CREATE_END",
            "_VG_USERREQ__HG_POSIX_SEM_POST_PRE",
            "_VG_USERREQ__HG_POSIX_SEM_POST_POST",
            "_VG_USERREQ__HG_POSIX_SEM_WAIT_PRE",
            "_VG_USERREQ__HG_POSIX_SEM_WAIT_POST",
            "_VG_USERREQ__HG_RTLD_BIND_GUARD",
            "_VG_USERREQ__HG_RTLD_BIND_CLEAR",
            "_VG_USERREQ__HG_GNAT_MASTER_HOOK",
            "_VG_USERREQ__HG_GNAT_MASTER_COMPLETED_HOOK",
        ],
    ),
    (
        "reserved by Helgrind",
        &[
            "_VG_USERREQ__HG_RESERVED2",
            "_VG_USERREQ__HG_RESERVED3",
            "_VG_USERREQ__HG_RESERVED4",
        ],
    ),
    (
        "annotations that do nothing but say that they are not implemented",
        &[
            "_VG_USERREQ__HG_CLIENTREQ_UNIMP",
            "VG_USERREQ__DRD_ANNOTATION_UNIMP",
            "VG_USERREQ__HELGRIND_ANNOTATION_UNIMP",
        ],
    ),
    (
        "no macro of `drd.h` makes it",
        &["VG_USERREQ__DRD_IGNORE_MUTEX_ORDERING"],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_left_out_for_one_reason() {
        let mut all: Vec<&str> = LEFT_OUT
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
