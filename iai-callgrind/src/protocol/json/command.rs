//! The form in JSON of what commands are made of.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use super::{close, displayed, field, open, variant, Json};
use crate::protocol::DelayKind;

impl Json for DelayKind {
    #[inline]
    fn write(&self, out: &mut String) {
        match self {
            Self::DurationElapse(duration) => variant("DurationElapse", duration, out),
            Self::TcpConnect(address) => variant("TcpConnect", address, out),
            Self::UdpResponse(address, request) => {
                variant("UdpResponse", &(address, request), out);
            }
            Self::TcpConnectAny(addresses) => variant("TcpConnectAny", addresses, out),
            Self::UdpResponseAny(addresses, request) => {
                variant("UdpResponseAny", &(addresses, request), out);
            }
            Self::PathExists(path) => variant("PathExists", path, out),
        }
    }
}

impl Json for PathBuf {
    #[inline]
    fn write(&self, out: &mut String) {
        self.as_os_str().to_owned().write(out);
    }
}

impl Json for SocketAddr {
    #[inline]
    fn write(&self, out: &mut String) {
        // Nothing in it needs to be escaped.
        displayed(&format_args!("\"{self}\""), out);
    }
}

impl Json for Duration {
    #[inline]
    fn write(&self, out: &mut String) {
        open('{', out);
        field("secs", &self.as_secs(), out);
        field("nanos", &self.subsec_nanos(), out);
        close('}', out);
    }
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use super::super::metrics::tests::{check, complete};
    use super::*;
    use crate::protocol::{Command, Config, Delay, Pipe, Stdin, Stdio};

    /// Everything said, and nothing left to a default: a forgotten field does not compile.
    fn command() -> Command {
        Command {
            program: "/a b/\"program\"".into(),
            args: vec!["--all".into(), "".into()],
            config: complete(),
            stdin: Stdin::Setup(Pipe::Stderr),
            stdout: Stdio::Null,
            stderr: Stdio::File("errors.txt".into()),
            delay: Some(Delay {
                kind: DelayKind::default(),
                poll: Some(Duration::from_micros(1500)),
                timeout: Some(Duration::MAX),
            }),
        }
    }

    #[test]
    fn serde_reads_what_is_written() {
        check(&command());
        check(&Command::default());
        check(&Command {
            config: Config::default(),
            delay: None,
            ..command()
        });
    }

    #[test]
    fn every_variant_reads_back() {
        let path = || PathBuf::from("a/b");
        let inputs = [
            Stdin::Setup(Pipe::Stdout),
            Stdin::Inherit,
            Stdin::Null,
            Stdin::File(path()),
            Stdin::Pipe,
        ];
        inputs.iter().for_each(check);
        [
            Stdio::Inherit,
            Stdio::Null,
            Stdio::File(path()),
            Stdio::Pipe,
        ]
        .iter()
        .for_each(check);
        let address: SocketAddr = "127.0.0.1:80".parse().unwrap();
        let kinds = [
            DelayKind::DurationElapse(Duration::from_nanos(1)),
            DelayKind::TcpConnect(address),
            DelayKind::TcpConnect("[::1]:8080".parse().unwrap()),
            DelayKind::UdpResponse(address, vec![0, 255]),
            DelayKind::UdpResponse(address, vec![]),
            DelayKind::TcpConnectAny(vec!["localhost:80".into(), "[::1]:80".into()]),
            DelayKind::UdpResponseAny(vec!["localhost:80".into()], vec![1]),
            DelayKind::PathExists(path()),
        ];
        kinds.iter().for_each(check);
    }

    #[cfg(unix)]
    #[test]
    fn programs_and_paths_need_not_be_utf_8() {
        use std::ffi::OsString;
        use std::os::unix::ffi::OsStringExt;
        let text = || OsString::from_vec(vec![b'A', 0xff]);
        check(&Command {
            program: text(),
            args: vec![text()],
            stdin: Stdin::File(text().into()),
            stdout: Stdio::File(text().into()),
            delay: Some(Delay {
                kind: DelayKind::PathExists(text().into()),
                poll: None,
                timeout: None,
            }),
            ..Command::default()
        });
    }
}
