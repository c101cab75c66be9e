//! The program that the tests of binary benchmarks measure; the first argument says what it does.
//! Arguments after those it needs are ignored, so that a test can find its processes by them.

use std::fs;
use std::io::{self, Read, Write};
use std::net::{TcpStream, UdpSocket};
use std::process::{exit, Command};
use std::thread;
use std::time::Duration;

use iai_callgrind::client_requests::callgrind;
use nix::sys::signal::{raise, Signal};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |place: usize| arguments.get(place).map_or("", String::as_str);
    let number = || argument(1).parse::<usize>().expect("a number");
    match argument(0) {
        "nothing" => {}
        "exit" => {
            eprintln!("exits with {}", argument(1));
            exit(argument(1).parse().unwrap());
        }
        "signal" => raise(Signal::try_from(number() as i32).unwrap()).unwrap(),
        "panic" => panic!("on purpose"),
        "sleep" => thread::sleep(Duration::from_secs(600)),
        // Number of bytes on stdin.
        "count" => {
            let mut buffer = vec![0; 1 << 20];
            let mut count = 0;
            loop {
                match io::stdin().read(&mut buffer).unwrap() {
                    0 => break,
                    more => count += more,
                }
            }
            println!("{count} bytes");
        }
        // That many bytes on each stream, a line on the one and a line on the other.
        "print" => {
            let line = [b'x'; 1023];
            for _ in 0..number() / 1024 {
                for stream in [&mut io::stdout() as &mut dyn Write, &mut io::stderr()] {
                    stream.write_all(&line).unwrap();
                    stream.write_all(b"\n").unwrap();
                }
            }
        }
        "say" => {
            println!("to stdout");
            eprintln!("to stderr");
        }
        // Where it runs and what it sees, into a file.
        "look" => {
            let mut seen = format!("in {}\n", std::env::current_dir().unwrap().display());
            let mut entries: Vec<_> = fs::read_dir(".").unwrap().flatten().collect();
            entries.sort_by_key(fs::DirEntry::file_name);
            for entry in entries {
                seen += &format!("file {}\n", entry.file_name().to_string_lossy());
            }
            for (name, _) in std::env::vars_os() {
                seen += &format!("variable {}\n", name.to_string_lossy());
            }
            fs::write(argument(1), seen).unwrap();
        }
        "append" => {
            let path = argument(1);
            let file = fs::OpenOptions::new().create(true).append(true).open(path);
            writeln!(file.unwrap(), "{}", argument(2)).unwrap();
        }
        "read" => drop(fs::read(argument(1)).unwrap()),
        "connect" => drop(TcpStream::connect(argument(1)).unwrap()),
        "ask" => {
            let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
            socket.send_to(b"?", argument(1)).unwrap();
            socket.recv(&mut [0; 8]).unwrap();
        }
        "work" => drop(work(number() as u64)),
        "thread" => {
            let rounds = number() as u64;
            thread::spawn(move || work(rounds)).join().unwrap();
        }
        // A part of the work is left out by client requests.
        "stop" => {
            work(number() as u64);
            callgrind::stop_instrumentation();
            callgrind::start_instrumentation();
            work(1000);
        }
        "toggle" => {
            work(number() as u64);
            callgrind::toggle_collect();
            work(1000);
        }
        "spawn" => {
            let this = std::env::current_exe().unwrap();
            let status = Command::new(this).args(&arguments[1..]).status().unwrap();
            assert!(status.success());
        }
        // So many that end at once and are not waited for, and then one with these arguments.
        "leave" => leave(number(), &arguments[2..]),
        other => panic!("what is {other:?}?"),
    }
}

#[expect(clippy::zombie_processes, reason = "that is what the test is about")]
fn leave(ending: usize, arguments: &[String]) {
    for _ in 0..ending {
        Command::new("/bin/true").spawn().unwrap();
    }
    Command::new(&arguments[0])
        .args(&arguments[1..])
        .spawn()
        .unwrap();
}

/// A loop that takes the same number of instructions in every round.
#[inline(never)]
fn work(rounds: u64) -> u64 {
    (0..rounds).fold(1, |sum, round| std::hint::black_box(sum ^ round))
}
