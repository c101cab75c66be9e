//! Waits until a program may start.

use std::io;
use std::net::{SocketAddr, TcpStream, UdpSocket};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::protocol::{Delay, DelayKind};

/// Waits for the condition. Relative paths begin at `root`. `Err`: it did not come true in time.
pub(super) fn wait(delay: &Delay, root: &Path) -> Result<(), String> {
    let mut socket = None;
    let mut look = |limit: Duration| match &delay.kind {
        DelayKind::DurationElapse(duration) => {
            thread::sleep(*duration);
            Ok(())
        }
        DelayKind::TcpConnect(address) => TcpStream::connect_timeout(address, limit).map(drop),
        DelayKind::UdpResponse(address, request) => ask(&mut socket, *address, request, limit),
        DelayKind::PathExists(path) => root.join(path).metadata().map(drop),
    };
    let poll = delay
        .poll
        .unwrap_or(Delay::POLL)
        .max(Duration::from_millis(1));
    let timeout = delay
        .timeout
        .unwrap_or(Delay::TIMEOUT)
        .max(Delay::MIN_TIMEOUT);
    let start = Instant::now();
    loop {
        let begin = Instant::now();
        let Err(error) = look(poll) else {
            return Ok(());
        };
        if start.elapsed() >= timeout {
            let what = in_vain(&delay.kind, root);
            return Err(format!(
                "its delay timed out after {timeout:?}: {what} ({error})"
            ));
        }
        thread::sleep(poll.saturating_sub(begin.elapsed()));
    }
}

/// Sends the request. The socket is kept, so that a late answer to an early request counts.
fn ask(
    socket: &mut Option<UdpSocket>,
    address: SocketAddr,
    request: &[u8],
    limit: Duration,
) -> io::Result<()> {
    let socket = match socket {
        Some(socket) => socket,
        None => {
            let any: SocketAddr = match address {
                SocketAddr::V4(_) => ([0, 0, 0, 0], 0).into(),
                SocketAddr::V6(_) => ([0; 16], 0).into(),
            };
            let new = UdpSocket::bind(any)?;
            new.connect(address)?;
            socket.insert(new)
        }
    };
    socket.set_read_timeout(Some(limit))?;
    socket.send(request)?;
    socket.recv(&mut [0; 1]).map(drop)
}

/// What did not happen.
fn in_vain(kind: &DelayKind, root: &Path) -> String {
    match kind {
        DelayKind::DurationElapse(duration) => format!("{duration:?} did not pass"),
        DelayKind::TcpConnect(address) => format!("no TCP connection to {address}"),
        DelayKind::UdpResponse(address, _) => format!("no UDP answer from {address}"),
        DelayKind::PathExists(path) => {
            format!("no file or directory `{}`", root.join(path).display())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    fn delay(kind: DelayKind, timeout: u64) -> Delay {
        Delay {
            kind,
            poll: Some(Duration::from_millis(5)),
            timeout: Some(Duration::from_millis(timeout)),
        }
    }

    #[track_caller]
    fn check(kind: DelayKind, expected: Result<(), &str>) {
        let timeout = if expected.is_ok() { 60_000 } else { 20 };
        match (wait(&delay(kind, timeout), Path::new("/")), expected) {
            (Ok(()), Ok(())) => {}
            (Err(text), Err(part)) => assert!(text.contains(part), "{text}"),
            (found, _) => panic!("{found:?}"),
        }
    }

    #[test]
    fn conditions_come_true_or_are_named() {
        check(DelayKind::DurationElapse(Duration::from_millis(1)), Ok(()));
        check(DelayKind::PathExists("".into()), Ok(()));
        let text = "timed out after 20ms: no file or directory `/no/such/file` (";
        check(DelayKind::PathExists("no/such/file".into()), Err(text));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        check(DelayKind::TcpConnect(address), Ok(()));
        drop(listener);
        check(
            DelayKind::TcpConnect(address),
            Err(&format!("no TCP connection to {address}")),
        );
    }

    #[test]
    fn requests_are_sent_until_there_is_an_answer() {
        let server = UdpSocket::bind("127.0.0.1:0").unwrap();
        let address = server.local_addr().unwrap();
        let request = || DelayKind::UdpResponse(address, b"?".to_vec());
        check(request(), Err(&format!("no UDP answer from {address}")));
        let answers = thread::spawn(move || {
            let next = || server.recv_from(&mut [0; 1]).unwrap().1;
            // Those of the first wait are still there.
            let first = next();
            while next() == first {}
            // It asks again.
            server.send_to(b"!", next()).unwrap();
        });
        check(request(), Ok(()));
        answers.join().unwrap();
    }
}
