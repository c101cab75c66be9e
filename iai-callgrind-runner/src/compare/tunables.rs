//! The settings of the C library, then and now.

use crate::store::Slot;

/// What is said if they are not the same.
pub(crate) fn other_tunables(
    slot: &Slot,
    theirs: Option<&str>,
    ours: Option<&str>,
) -> Option<String> {
    let how = match (theirs, ours) {
        (theirs, ours) if theirs == ours => return None,
        (Some(theirs), None) => format!("with `GLIBC_TUNABLES={theirs}`, this one without"),
        (None, Some(ours)) => format!("without `GLIBC_TUNABLES={ours}`, which this one has"),
        (theirs, ours) => format!(
            "with `GLIBC_TUNABLES={}` instead of `{}`",
            theirs.unwrap_or_default(),
            ours.unwrap_or_default()
        ),
    };
    Some(format!(
        "{slot} was made {how}; copies and fills of large buffers may count otherwise"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_compared_as_they_were_given() {
        let check = |theirs, ours, expected: Option<&str>| {
            let said = other_tunables(&Slot::Last, theirs, ours);
            assert_eq!(said.as_deref(), expected);
        };
        check(None, None, None);
        check(Some("a=1"), Some("a=1"), None);
        check(
            None,
            Some("a=1"),
            Some(
                "the last run was made without `GLIBC_TUNABLES=a=1`, which this one has; copies \
                 and fills of large buffers may count otherwise",
            ),
        );
        check(
            Some("a=1"),
            None,
            Some(
                "the last run was made with `GLIBC_TUNABLES=a=1`, this one without; copies and \
                 fills of large buffers may count otherwise",
            ),
        );
        check(
            Some("a=1"),
            Some("a=2"),
            Some(
                "the last run was made with `GLIBC_TUNABLES=a=1` instead of `a=2`; copies and \
                 fills of large buffers may count otherwise",
            ),
        );
    }
}
