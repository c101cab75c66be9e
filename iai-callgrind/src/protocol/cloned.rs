//! `Clone` for the big types of the description.
//!
//! A derived one is inlined, so each of the parts in which the compiler works on the library gets a copy
//! of it, with the copies of all fields inside.

/// Writes `Clone` for a struct, as it is derived but compiled once. All of its fields have to be named.
macro_rules! cloned {
    ($name:ident { $($field:ident),+ $(,)? }) => {
        impl Clone for $name {
            #[inline(never)]
            fn clone(&self) -> Self {
                Self { $($field: self.$field.clone()),+ }
            }
        }
    };
}

pub(super) use cloned;
