//! Waits until a command may start: for a time, a server or a file. For the runner and the test
//! mode.

use std::fmt::Display;
use std::io;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs, UdpSocket};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::protocol::DelayKind;

/// Longest sleep between two calls of `watch`.
const WATCH: Duration = Duration::from_millis(20);

/// Delay of a command: a condition, and the limits of the wait for it.
#[derive(Debug, Clone, Copy)]
pub struct Wait<'a> {
    /// The condition.
    pub kind: &'a DelayKind,
    /// Interval between two polls of the condition.
    pub poll: Duration,
    /// Longest wait.
    pub timeout: Duration,
    /// Directory in which relative paths begin.
    pub root: &'a Path,
}

/// Reason why the wait ended too early.
#[derive(Debug, PartialEq, Eq)]
pub enum Stopped<E> {
    /// The condition did not come true in time, or never can; the text says which.
    Failed(String),
    /// `watch` ended the wait with this error.
    Watched(E),
}

impl Wait<'_> {
    /// Waits. `watch` is asked again and again whether to go on.
    ///
    /// # Errors
    ///
    /// The condition did not come true in time, the name of a server is not known, or `watch` says
    /// to stop.
    #[inline]
    pub fn wait<E>(self, mut watch: impl FnMut() -> Result<(), E>) -> Result<(), Stopped<E>> {
        let start = Instant::now();
        let mut condition = match self.kind {
            DelayKind::DurationElapse(duration) => {
                return pause(start, *duration, &mut watch).map_err(Stopped::Watched);
            }
            DelayKind::TcpConnect(address) => Condition::server(*address, None),
            DelayKind::UdpResponse(address, request) => Condition::server(*address, Some(request)),
            DelayKind::TcpConnectAny(names) => {
                Condition::any(names, None).map_err(Stopped::Failed)?
            }
            DelayKind::UdpResponseAny(names, request) => {
                Condition::any(names, Some(request)).map_err(Stopped::Failed)?
            }
            DelayKind::PathExists(path) => Condition::Path(self.root.join(path)),
        };
        let left = || self.timeout.saturating_sub(start.elapsed());
        let last = loop {
            let look = Instant::now();
            // A timeout of zero is refused by sockets.
            let longest = self.poll.min(left()).max(Duration::from_millis(1));
            let error = match condition.look(longest) {
                Ok(()) => return Ok(()),
                Err(error) => error,
            };
            if left().is_zero() {
                break error;
            }
            pause(look, self.poll.min(left()), &mut watch).map_err(Stopped::Watched)?;
        };
        let text = format!(
            "its delay timed out after {:?}: {} ({last})\n  \
             hint: does the setup start what is waited for? `Delay::timeout` sets another limit",
            self.timeout,
            condition.in_vain()
        );
        Err(Stopped::Failed(text))
    }
}

/// Sleeps until `duration` has passed since `start`.
#[inline]
fn pause<E>(
    start: Instant,
    duration: Duration,
    watch: &mut impl FnMut() -> Result<(), E>,
) -> Result<(), E> {
    loop {
        watch()?;
        let left = duration.saturating_sub(start.elapsed());
        if left.is_zero() {
            return Ok(());
        }
        thread::sleep(left.min(WATCH));
    }
}

/// Condition, with its state between two polls.
#[derive(Debug)]
enum Condition {
    Tcp(SocketAddr),
    Udp {
        address: SocketAddr,
        request: Vec<u8>,
        /// Kept, so that a late answer to an early request counts.
        socket: Option<UdpSocket>,
    },
    Path(PathBuf),
    /// One of several, under the names that were given.
    Any(Vec<String>, Vec<Condition>),
}

impl Condition {
    /// A server answers: by UDP, if there is a request.
    #[inline]
    fn server(address: SocketAddr, request: Option<&Vec<u8>>) -> Self {
        match request {
            None => Self::Tcp(address),
            Some(request) => Self::Udp {
                address,
                request: request.clone(),
                socket: None,
            },
        }
    }

    /// A condition for each address that these names stand for. `Err`: a name stands for none, and
    /// waiting would not help.
    #[inline]
    fn any(names: &[String], request: Option<&Vec<u8>>) -> Result<Self, String> {
        let mut conditions = Vec::new();
        for name in names {
            let before = conditions.len();
            let found = name.to_socket_addrs();
            let error: &dyn Display = match &found {
                Ok(addresses) => {
                    for address in addresses.as_slice() {
                        conditions.push(Self::server(*address, request));
                    }
                    &"nothing has this name"
                }
                Err(error) => error,
            };
            if conditions.len() == before {
                return Err(format!(
                    "its delay cannot look up the address `{name}`: {error}\n  \
                     hint: an address is a name or number and a port, as in `localhost:8080`"
                ));
            }
        }
        match conditions.is_empty() {
            true => Err("its delay waits for a server and has no address".to_owned()),
            false => Ok(Self::Any(names.to_vec(), conditions)),
        }
    }

    /// Polls the condition once, for at most `limit`; `Err`: it does not hold yet.
    #[inline]
    fn look(&mut self, limit: Duration) -> io::Result<()> {
        match self {
            Self::Tcp(address) => TcpStream::connect_timeout(address, limit).map(drop),
            Self::Udp {
                address,
                request,
                socket,
            } => {
                let socket = match socket {
                    Some(socket) => socket,
                    None => socket.insert(connected(*address)?),
                };
                socket.set_read_timeout(Some(limit))?;
                socket.send(request)?;
                socket.recv(&mut [0; 1]).map(drop)
            }
            Self::Path(path) => path.metadata().map(drop),
            Self::Any(_, conditions) => {
                // Together they take no longer than one would: `poll` holds for all.
                let share = limit / u32::try_from(conditions.len()).unwrap_or(u32::MAX);
                let share = share.max(Duration::from_millis(1));
                let mut last = Ok(());
                for condition in conditions {
                    last = condition.look(share);
                    if last.is_ok() {
                        break;
                    }
                }
                last
            }
        }
    }

    /// Condition that was not met, for the failure.
    #[inline]
    fn in_vain(&self) -> String {
        match self {
            Self::Tcp(address) => format!("no TCP connection to {address}"),
            Self::Udp { address, .. } => format!("no UDP answer from {address}"),
            Self::Path(path) => format!("no file or directory `{}`", path.display()),
            Self::Any(names, conditions) => {
                let what = match conditions.first() {
                    Some(Self::Udp { .. }) => "UDP answer from",
                    _ => "TCP connection to",
                };
                format!("no {what} {}", names.join(" or "))
            }
        }
    }
}

/// UDP socket that receives from this address only, and also learns that nobody listens there.
#[inline]
fn connected(address: SocketAddr) -> io::Result<UdpSocket> {
    let any: SocketAddr = match address {
        SocketAddr::V4(_) => ([0, 0, 0, 0], 0).into(),
        SocketAddr::V6(_) => ([0; 16], 0).into(),
    };
    let socket = UdpSocket::bind(any)?;
    socket.connect(address)?;
    Ok(socket)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::slice;

    use super::*;

    const fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    fn wait(kind: &DelayKind, root: &str, timeout: u64) -> Result<(), Stopped<()>> {
        let wait = Wait {
            kind,
            poll: ms(5),
            timeout: ms(timeout),
            root: Path::new(root),
        };
        wait.wait(|| Ok(()))
    }

    #[track_caller]
    fn text_of(result: Result<(), Stopped<()>>) -> String {
        match result {
            Err(Stopped::Failed(text)) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_duration_passes() {
        let start = Instant::now();
        let duration = DelayKind::DurationElapse(ms(50));
        assert_eq!(wait(&duration, "/", 1), Ok(()));
        assert!(start.elapsed() >= ms(50));
    }

    #[test]
    fn files_are_looked_for_below_the_root() {
        let path = |name: &str| DelayKind::PathExists(name.into());
        assert_eq!(
            wait(&path("src/lib.rs"), env!("CARGO_MANIFEST_DIR"), 60_000),
            Ok(())
        );
        let text = text_of(wait(&path("absent"), "/", 30));
        let start = "its delay timed out after 30ms: no file or directory `/absent` (";
        assert!(text.starts_with(start), "{text}");
    }

    #[test]
    fn servers_are_waited_for_and_what_is_missing_is_named() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let tcp = DelayKind::TcpConnect(address);
        assert_eq!(wait(&tcp, "/", 60_000), Ok(()));
        drop(listener);
        let text = text_of(wait(&tcp, "/", 30));
        let expected = format!("no TCP connection to {address} (Connection refused");
        assert!(text.contains(&expected), "{text}");
    }

    #[test]
    fn names_are_looked_up_and_all_their_addresses_are_tried() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let tcp = |names: &[String]| DelayKind::TcpConnectAny(names.to_owned());
        // The first of these may stand for `::1`, where nobody listens.
        let localhost = format!("localhost:{port}");
        assert_eq!(wait(&tcp(slice::from_ref(&localhost)), "/", 60_000), Ok(()));
        let both = [format!("[::1]:{port}"), format!("127.0.0.1:{port}")];
        assert_eq!(wait(&tcp(&both), "/", 60_000), Ok(()));
        drop(listener);
        let text = text_of(wait(&tcp(slice::from_ref(&localhost)), "/", 30));
        assert!(
            text.contains(&format!("no TCP connection to {localhost} (")),
            "{text}"
        );

        // At once, and not after the time limit.
        let udp = |name: &str| DelayKind::UdpResponseAny(vec![name.to_owned()], b"?".to_vec());
        let minutes = 600_000;
        let text = text_of(wait(&udp("no port"), "/", minutes));
        assert!(
            text.starts_with("its delay cannot look up the address `no port`: "),
            "{text}"
        );
        text_of(wait(&tcp(&[]), "/", minutes));

        let server = UdpSocket::bind("127.0.0.1:0").unwrap();
        let address = server.local_addr().unwrap();
        let answers = thread::spawn(move || {
            let (_, from) = server.recv_from(&mut [0; 16]).unwrap();
            server.send_to(b"yes", from).unwrap();
        });
        let waited = wait(&udp(&format!("localhost:{}", address.port())), "/", 60_000);
        assert_eq!(waited, Ok(()));
        answers.join().unwrap();
    }

    #[test]
    fn datagrams_are_sent_until_there_is_an_answer() {
        let server = UdpSocket::bind("127.0.0.1:0").unwrap();
        let address = server.local_addr().unwrap();
        let udp = DelayKind::UdpResponse(address, b"ready?".to_vec());
        let text = text_of(wait(&udp, "/", 30));
        assert!(
            text.contains(&format!("no UDP answer from {address}")),
            "{text}"
        );
        let answers = thread::spawn(move || {
            let mut request = [0; 16];
            let mut next = || server.recv_from(&mut request).unwrap();
            // Requests of the first wait are still queued.
            let (length, first) = next();
            assert_eq!(length, b"ready?".len());
            let second = loop {
                let (_, from) = next();
                if from != first {
                    break from;
                }
            };
            assert_eq!(next().1, second, "it asks again");
            server.send_to(b"yes", second).unwrap();
        });
        assert_eq!(wait(&udp, "/", 60_000), Ok(()));
        answers.join().unwrap();
    }

    #[test]
    fn a_wait_in_vain_can_be_stopped() {
        let forever = Wait {
            kind: &DelayKind::DurationElapse(Duration::MAX),
            poll: ms(5),
            timeout: ms(1),
            root: Path::new("/"),
        };
        let stopped = forever.wait(|| Err("enough"));
        assert_eq!(stopped, Err(Stopped::Watched("enough")));
    }
}
