//! Counterpart of a delay in tests: `<kind> <address or file> <milliseconds> <how often>`. It meets
//! the condition of the delay only after that time, so often, and then ends; with `forever` it goes
//! on.

use std::net::{TcpListener, UdpSocket};
use std::thread;
use std::time::Duration;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kind, place, late, times, ..] = arguments.as_slice() else {
        panic!("four arguments");
    };
    thread::sleep(Duration::from_millis(late.parse().unwrap()));
    let times = match times.as_str() {
        "forever" => usize::MAX,
        times => times.parse().unwrap(),
    };
    match kind.as_str() {
        "tcp" => {
            let listener = TcpListener::bind(place).unwrap();
            for _ in 0..times {
                drop(listener.accept().unwrap());
            }
        }
        "udp" => {
            let socket = UdpSocket::bind(place).unwrap();
            for _ in 0..times {
                let (_, from) = socket.recv_from(&mut [0; 8]).unwrap();
                socket.send_to(b"!", from).unwrap();
            }
        }
        "file" => std::fs::write(place, "late").unwrap(),
        other => panic!("what is {other:?}?"),
    }
}
