//! Condition that a program waits for before it starts.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::json::described;

described! {
    /// Settings of the delay of a command.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct Delay {
        /// The condition.
        pub kind: DelayKind,
        /// Time between two looks at the condition; [`Delay::POLL`] if nothing is said. Has no
        /// meaning for [`DelayKind::DurationElapse`].
        pub poll: Option<Duration>,
        /// Without the condition after this time, the benchmark failed; [`Delay::TIMEOUT`] if
        /// nothing is said. Has no meaning for [`DelayKind::DurationElapse`].
        pub timeout: Option<Duration>,
    }
}

impl Delay {
    /// Default interval between two looks at the condition.
    pub const POLL: Duration = Duration::from_millis(10);

    /// Default timeout.
    pub const TIMEOUT: Duration = Duration::from_secs(600);

    /// Shortest timeout.
    pub const MIN_TIMEOUT: Duration = Duration::from_millis(10);
}

/// Condition that the command waits for, see [`Delay`](crate::Delay).
///
/// ```
/// use iai_callgrind::{Delay, DelayKind};
///
/// Delay::new(DelayKind::PathExists("ready".into()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum DelayKind {
    /// The time is over.
    DurationElapse(Duration),
    /// A connection to the address succeeds. It is closed at once, so a server has to accept once
    /// more.
    TcpConnect(SocketAddr),
    /// Any answer to this request, which is sent to the address again and again until there is one.
    UdpResponse(SocketAddr, Vec<u8>),
    /// A connection to one of these addresses, each `host:port`, succeeds. Names are looked up when
    /// the wait begins.
    TcpConnectAny(Vec<String>),
    /// Any answer to this request from one of these addresses, each `host:port`. Names are looked
    /// up when the wait begins.
    UdpResponseAny(Vec<String>, Vec<u8>),
    /// The path exists. A relative path lies in the sandbox or, without one, in the directory of
    /// the package.
    PathExists(#[cfg_attr(feature = "serde", serde(with = "super::path"))] PathBuf),
}

/// One minute.
impl Default for DelayKind {
    fn default() -> Self {
        Self::DurationElapse(Duration::from_secs(60))
    }
}
