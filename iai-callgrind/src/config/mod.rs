//! What a benchmark file says about its benchmarks.
//!
//! Each type wraps the plain value of [`protocol`](crate::protocol) that it fills. Builder methods
//! take and return `&mut Self`; every place that takes a configuration takes it by value or by
//! reference.

mod library;
mod methods;
mod output_format;
mod sandbox;

pub use library::LibraryBenchmarkConfig;
pub use output_format::OutputFormat;
pub use sandbox::Sandbox;

/// `From` for the three ways in which a builder is passed: by value, `&` and `&mut`.
macro_rules! into_protocol {
    ($builder:ident => $protocol:ty) => {
        impl From<$builder> for $protocol {
            fn from(builder: $builder) -> Self {
                builder.0
            }
        }

        impl From<&$builder> for $protocol {
            fn from(builder: &$builder) -> Self {
                builder.0.clone()
            }
        }

        impl From<&mut $builder> for $protocol {
            fn from(builder: &mut $builder) -> Self {
                builder.0.clone()
            }
        }
    };
}

pub(crate) use into_protocol;
