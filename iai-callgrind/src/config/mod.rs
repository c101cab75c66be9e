//! Configurations of benchmarks in a benchmark file.
//!
//! Each type wraps the plain value of [`protocol`](crate::protocol) that it fills. Builder methods
//! take and return `&mut Self`; every place that takes a configuration takes it by value or by
//! reference.

mod binary;
mod library;
mod methods;
mod output_format;
mod sandbox;

pub use binary::{AnyConfig, BinaryBenchmarkConfig, BinaryConfig};
pub use library::LibraryBenchmarkConfig;
pub use output_format::OutputFormat;
pub use sandbox::Sandbox;

/// `From` for the three ways in which a builder is passed: by value, `&` and `&mut`.
macro_rules! into_protocol {
    ($builder:ty => $protocol:ty) => {
        impl From<$builder> for $protocol {
            fn from(builder: $builder) -> Self {
                builder.0.into()
            }
        }

        impl From<&$builder> for $protocol {
            #[inline]
            fn from(builder: &$builder) -> Self {
                builder.0.clone().into()
            }
        }

        impl From<&mut $builder> for $protocol {
            #[inline]
            fn from(builder: &mut $builder) -> Self {
                builder.0.clone().into()
            }
        }
    };
}

pub(crate) use into_protocol;
