//! A stand-in for Linux perf where no kernel of ours can do what a test needs: counters of the
//! processor, counters that take turns, a kernel that refuses. It is not perf: it counts nothing
//! and prints figures that it is told.
//!
//! It takes the arguments that the runner gives perf, speaks perf's control protocol with the
//! measured process and insists on it, repeats with `-r 0` until SIGTERM, and writes lines of the
//! form that perf 6.1 writes. The process is told what to do by `--fake=<word>`, several of them.
//! With `--fake=pause=<ms>` it waits before each repetition, which bounds the number of samples
//! however fast the machine is.

use std::ffi::CStr;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::fd::{FromRawFd, RawFd};
use std::os::unix::process::ExitStatusExt;
use std::process::{exit, Command};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Number of times that the counters were switched on in the current process.
static SWITCHED_ON: AtomicU64 = AtomicU64::new(0);

/// Parsed command line.
#[derive(Default)]
struct Asked {
    record: bool,
    events: Vec<String>,
    output: String,
    control: Option<[RawFd; 2]>,
    starts_off: bool,
    forever: bool,
    fakes: Vec<String>,
    command: Vec<String>,
}

impl Asked {
    fn parse() -> Self {
        let mut asked = Self::default();
        let mut words = std::env::args().skip(1);
        match words.next().as_deref() {
            Some("stat") => {}
            Some("record") => asked.record = true,
            other => usage(&format!("what is {other:?}?")),
        }
        while let Some(word) = words.next() {
            let value = |key: &str| word.strip_prefix(key).map(str::to_owned);
            if let Some(list) = value("--event=") {
                asked.events = list.split(',').map(str::to_owned).collect();
            } else if let Some(path) = value("--output=") {
                asked.output = path;
            } else if let Some(numbers) = value("--control=fd:") {
                let mut numbers = numbers.split(',').map(|number| number.parse().unwrap());
                asked.control = Some([numbers.next().unwrap(), numbers.next().unwrap()]);
            } else if let Some(fake) = value("--fake=") {
                asked.fakes.push(fake);
            } else if word == "--delay=-1" {
                asked.starts_off = true;
            } else if word == "-r" {
                assert_eq!(words.next().as_deref(), Some("0"), "repeats for ever");
                asked.forever = true;
            } else if word == "-j" || word == "--no-big-num" {
            } else if word.starts_with('-') {
                usage(&format!("unknown option {word}"));
            } else {
                asked.command = [word].into_iter().chain(words).collect();
                break;
            }
        }
        asked
    }

    fn fakes(&self, word: &str) -> bool {
        self.fakes.iter().any(|fake| fake == word)
    }

    /// Rest of the `--fake` word that begins with this one.
    fn fake(&self, word: &str) -> Option<&str> {
        self.fakes.iter().find_map(|fake| fake.strip_prefix(word))
    }
}

fn usage(reason: &str) -> ! {
    eprintln!("{reason}\n Usage: perf stat [<options>] [<command>]");
    exit(129)
}

fn main() {
    let asked = Asked::parse();
    if asked.fakes("paranoid") {
        // The message of perf 6.1.
        eprintln!(
            "Error:\nAccess to performance monitoring and observability operations is limited.\n\
             Consider adjusting /proc/sys/kernel/perf_event_paranoid setting to open\n\
             access to performance monitoring and observability operations for processes\n\
             without CAP_PERFMON, CAP_SYS_PTRACE or CAP_SYS_ADMIN Linux capability."
        );
        exit(255);
    }
    let control = asked.control.expect("the runner passes two pipes");
    let begins_on = !asked.starts_off;
    thread::spawn(move || answer(control, begins_on));
    let alone = asked.fake("alone=").map(Alone::new);
    let pause = asked.fake("pause=").map_or(0, |text| text.parse().unwrap());
    let pause = Duration::from_millis(pause);
    let output = Arc::new(File::create(&asked.output).unwrap());
    (&*output).write_all(b"# started on a day\n\n").unwrap();
    let mut run = 0;
    loop {
        SWITCHED_ON.store(0, Ordering::SeqCst);
        if asked.starts_off {
            eprintln!("Events disabled");
        }
        let (program, arguments) = asked.command.split_first().unwrap();
        let status = Command::new(program).args(arguments).status();
        let status = status.unwrap_or_else(|_| {
            eprintln!("Workload failed: No such file or directory");
            exit(255)
        });
        let text = if asked.record {
            "PERFILE2".to_owned()
        } else {
            counted(&asked, run)
        };
        (&*output).write_all(text.as_bytes()).unwrap();
        if let Some(signal) = status.signal() {
            // SAFETY: returns a text that ends with a NUL.
            let text = unsafe { CStr::from_ptr(strsignal(signal)) };
            eprintln!("{program}: {}", text.to_str().unwrap());
        }
        run += 1;
        if !asked.forever {
            drop(alone);
            // Perf loses the signal of its child as well, and exits with 0.
            exit(status.code().unwrap_or(0));
        }
        thread::sleep(pause);
    }
}

extern "C" {
    fn strsignal(signal: std::ffi::c_int) -> *const std::ffi::c_char;
}

/// Answers to commands, as perf does with all of its five bytes.
fn answer([control, answer]: [RawFd; 2], mut is_on: bool) {
    // SAFETY: the runner passes them on for this.
    let (mut control, mut answer) =
        unsafe { (File::from_raw_fd(control), File::from_raw_fd(answer)) };
    let mut command = Vec::new();
    let mut byte = [0];
    while control.read(&mut byte).unwrap() == 1 {
        command.push(byte[0]);
        if byte[0] != b'\n' {
            continue;
        }
        let switches_on = match command.as_slice() {
            b"enable\n" => true,
            b"disable\n" => false,
            other => panic!("perf does not know {:?}", other.escape_ascii().to_string()),
        };
        assert_ne!(is_on, switches_on, "switched twice");
        is_on = switches_on;
        SWITCHED_ON.fetch_add(u64::from(is_on), Ordering::SeqCst);
        eprintln!("Events {}", if is_on { "enabled" } else { "disabled" });
        command.clear();
        answer.write_all(b"ack\n\0").unwrap();
    }
}

/// A number, or the path of a file with one: then the arguments stay the same.
fn number(text: &str) -> f64 {
    let text = match text.starts_with('/') {
        true => std::fs::read_to_string(text).unwrap(),
        false => text.to_owned(),
    };
    text.parse().unwrap()
}

/// The lines of one run.
fn counted(asked: &Asked, run: u64) -> String {
    let is_calibration = asked.output.contains("calibration");
    let line = |event: &String| {
        let (value, unit, running) = match event.as_str() {
            // Number of times that the counters were switched on.
            "switched" => (SWITCHED_ON.load(Ordering::SeqCst) as f64, "", 100.0),
            "instructions:u" if is_calibration => (130.0, "", 100.0),
            "instructions:u" => {
                let base = asked.fake("instructions=").map_or(1000.0, number);
                // The first one warms up; the others differ a little, always in the same way.
                let noise =
                    [900.0, 0.0, 2.0, -2.0, 1.0, -1.0][(run as usize).min(1 + run as usize % 5)];
                (base + if asked.forever { noise } else { 0.0 }, "", 100.0)
            }
            "cycles:u" => (
                2000.0,
                "",
                if asked.fakes("multiplexed") {
                    43.21
                } else {
                    100.0
                },
            ),
            "task-clock" => (0.5, "msec", 100.0),
            "power/energy-pkg/" => (1.25, "Joules", 100.0),
            _ => return not_supported(event),
        };
        format!(
            "{{\"counter-value\" : \"{value:.6}\", \"unit\" : \"{unit}\", \"event\" : \"{event}\", \
             \"event-runtime\" : 500000, \"pcnt-running\" : {running:.2}, \"metric-value\" : 0.000000, \
             \"metric-unit\" : \"\"}}\n"
        )
    };
    asked.events.iter().map(line).collect()
}

fn not_supported(event: &str) -> String {
    format!(
        "{{\"counter-value\" : \"<not supported>\", \"unit\" : \"\", \"event\" : \"{event}\", \
         \"event-runtime\" : 0, \"pcnt-running\" : 100.00, \"metric-value\" : 0.000000, \"metric-unit\" : \"\"}}\n"
    )
}

/// A file that exists while this program runs, and must not exist before.
struct Alone(String);

impl Alone {
    fn new(path: &str) -> Self {
        let file = OpenOptions::new().write(true).create_new(true).open(path);
        if file.is_err() {
            usage("another one runs at the same time");
        }
        thread::sleep(Duration::from_millis(50));
        Self(path.to_owned())
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        std::fs::remove_file(&self.0).unwrap();
    }
}
