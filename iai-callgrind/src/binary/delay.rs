//! Delay of a program's start.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::path::PathBuf;
use std::time::Duration;

use crate::config::into_protocol;
use crate::protocol::{self, DelayKind};

/// Time or a condition that a command waits for, see [`Command::delay`](crate::Command::delay).
///
/// The wait begins when `setup` has ended, or with `setup_parallel` when it has started. A
/// [`Duration`] stands for a delay by that time. `Delay::default()` is one minute.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use iai_callgrind::Delay;
///
/// let connects = Delay::from_tcp_socket("127.0.0.1:8080")
///     .poll(Duration::from_millis(50))
///     .timeout(Duration::from_secs(5));
/// assert_eq!(Delay::from(Duration::from_secs(60)), Delay::default());
/// # drop(connects);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Delay(protocol::Delay);

impl Delay {
    /// A delay of this kind.
    ///
    /// ```
    /// use iai_callgrind::{Delay, DelayKind};
    ///
    /// assert_eq!(
    ///     Delay::new(DelayKind::PathExists("ready".into())),
    ///     Delay::from_path("ready")
    /// );
    /// ```
    #[must_use]
    #[inline]
    pub fn new(kind: DelayKind) -> Self {
        Self(protocol::Delay {
            kind,
            ..protocol::Delay::default()
        })
    }

    /// Until the path exists. A relative path lies in the sandbox or, without one, in the directory
    /// of the package. A path that an earlier run left behind exists already.
    ///
    /// ```
    /// iai_callgrind::Delay::from_path("ready.txt");
    /// ```
    #[must_use]
    pub fn from_path<T>(path: T) -> Self
    where
        T: Into<PathBuf>,
    {
        Self::new(DelayKind::PathExists(path.into()))
    }

    /// Until a connection to the address succeeds. It is closed at once, so the server has to
    /// accept once more for the program. A name is looked up when the wait begins; where it has
    /// several addresses, one of them is enough.
    ///
    /// ```
    /// use iai_callgrind::Delay;
    ///
    /// Delay::from_tcp_socket("127.0.0.1:8080");
    /// Delay::from_tcp_socket(("localhost", 8080));
    /// Delay::from_tcp_socket(([127, 0, 0, 1], 8080));
    /// ```
    #[must_use]
    pub fn from_tcp_socket<T>(address: T) -> Self
    where
        T: DelayAddress,
    {
        Self::new(match address.addresses() {
            Addresses::Number(address) => DelayKind::TcpConnect(address),
            Addresses::Names(names) => DelayKind::TcpConnectAny(names),
        })
    }

    /// Until there is any answer to the request, which is sent again and again.
    ///
    /// ```
    /// iai_callgrind::Delay::from_udp_request("127.0.0.1:34567", vec![1]);
    /// ```
    #[must_use]
    pub fn from_udp_request<T, U>(address: T, request: U) -> Self
    where
        T: DelayAddress,
        U: Into<Vec<u8>>,
    {
        let request = request.into();
        Self::new(match address.addresses() {
            Addresses::Number(address) => DelayKind::UdpResponse(address, request),
            Addresses::Names(names) => DelayKind::UdpResponseAny(names, request),
        })
    }

    /// Sets the time between two looks at the condition. The default is 10 milliseconds. Has no
    /// effect on a delay by time.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// iai_callgrind::Delay::from_path("ready").poll(Duration::from_millis(50));
    /// ```
    #[must_use]
    pub fn poll<T>(mut self, interval: T) -> Self
    where
        T: Into<Duration>,
    {
        self.0.poll = Some(interval.into());
        self
    }

    /// Sets the time after which the benchmark failed, if the condition does not hold. The default
    /// is 10 minutes, the least are 10 milliseconds. Has no effect on a delay by time.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// iai_callgrind::Delay::from_path("ready").timeout(Duration::from_secs(5));
    /// ```
    #[must_use]
    pub fn timeout<T>(mut self, timeout: T) -> Self
    where
        T: Into<Duration>,
    {
        self.0.timeout = Some(timeout.into());
        self
    }
}

into_protocol!(Delay => protocol::Delay);

impl<T> From<T> for Delay
where
    T: Into<Duration>,
{
    fn from(duration: T) -> Self {
        Self::new(DelayKind::DurationElapse(duration.into()))
    }
}

/// Address of a server that a [`Delay`] waits for: what [`ToSocketAddrs`](std::net::ToSocketAddrs)
/// takes, and numbers with a port, such as `([127, 0, 0, 1], 8080)`.
///
/// ```
/// use iai_callgrind::Delay;
///
/// Delay::from_tcp_socket("localhost:8080");
/// Delay::from_tcp_socket(([127, 0, 0, 1], 8080));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no address of a server",
    label = "expected an address with a port, such as `\"127.0.0.1:8080\"`"
)]
pub trait DelayAddress {
    #[doc(hidden)]
    fn addresses(&self) -> Addresses;
}

/// Address of a server as it was given.
#[doc(hidden)]
#[derive(Debug)]
pub enum Addresses {
    Number(SocketAddr),
    /// Each `host:port`; one of them is enough.
    Names(Vec<String>),
}

macro_rules! numbers {
    ($($type:ty),* $(,)?) => {
        $(impl DelayAddress for $type {
            #[inline]
            fn addresses(&self) -> Addresses {
                Addresses::Number((*self).into())
            }
        })*
    };
}

numbers!(
    SocketAddr,
    SocketAddrV4,
    SocketAddrV6,
    (IpAddr, u16),
    (Ipv4Addr, u16),
    (Ipv6Addr, u16),
    ([u8; 4], u16),
    ([u8; 16], u16),
    ([u16; 8], u16),
);

impl DelayAddress for str {
    #[inline]
    fn addresses(&self) -> Addresses {
        match self.parse() {
            Ok(address) => Addresses::Number(address),
            Err(_) => Addresses::Names(vec![self.to_owned()]),
        }
    }
}

impl DelayAddress for String {
    #[inline]
    fn addresses(&self) -> Addresses {
        self.as_str().addresses()
    }
}

impl DelayAddress for (&str, u16) {
    #[inline]
    fn addresses(&self) -> Addresses {
        let (host, port) = *self;
        match host.parse::<IpAddr>() {
            Ok(ip) => (ip, port).addresses(),
            Err(_) => Addresses::Names(vec![format!("{host}:{port}")]),
        }
    }
}

impl DelayAddress for (String, u16) {
    #[inline]
    fn addresses(&self) -> Addresses {
        (self.0.as_str(), self.1).addresses()
    }
}

impl DelayAddress for [SocketAddr] {
    #[inline]
    fn addresses(&self) -> Addresses {
        Addresses::Names(self.iter().map(SocketAddr::to_string).collect())
    }
}

impl<T: DelayAddress + ?Sized> DelayAddress for &T {
    #[inline]
    fn addresses(&self) -> Addresses {
        (**self).addresses()
    }
}
