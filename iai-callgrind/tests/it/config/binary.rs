//! `BinaryBenchmarkConfig`, `Command` and what it takes: every method, and the types that benchmark
//! files pass.

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use iai_callgrind::__internal::{AnyConfig, BinaryConfig};
use iai_callgrind::protocol::{self, Config, EnvVar};
use iai_callgrind::{
    BinaryBenchmarkConfig, Callgrind, Command, Delay, DelayKind, EntryPoint, ExitWith, Pipe,
    Sandbox, Stdin, Stdio, Tool,
};

/// The description of a configuration.
fn config(config: impl Into<BinaryConfig>) -> Config {
    config.into().0
}

/// A configuration in which this was said and nothing else.
#[track_caller]
fn check(said: &mut BinaryBenchmarkConfig, expected: impl FnOnce(&mut Config)) {
    let mut plain = Config::default();
    expected(&mut plain);
    assert_eq!(config(said), plain);
}

/// A command of which this was said and nothing else.
#[track_caller]
fn command(said: &mut Command, expected: impl FnOnce(&mut protocol::Command)) {
    let mut plain = protocol::Command {
        program: "program".into(),
        ..protocol::Command::default()
    };
    expected(&mut plain);
    assert_eq!(protocol::Command::from(said), plain);
}

fn variable(name: &str, value: Option<&str>) -> EnvVar {
    EnvVar {
        name: name.into(),
        value: value.map(Into::into),
    }
}

#[test]
fn every_method_of_the_configuration_sets_its_field() {
    let new = BinaryBenchmarkConfig::default;
    check(&mut new(), |_| {});
    check(new().default_tool(Tool::Massif), |c| {
        c.default_tool = Some(Tool::Massif);
    });
    check(new().valgrind_args(["a", "--b"]), |c| {
        c.valgrind_args = vec!["a".into(), "--b".into()];
    });
    check(new().env_clear(false), |c| c.env_clear = Some(false));
    check(new().env("A", "1").pass_through_env("B"), |c| {
        c.envs = vec![variable("A", Some("1")), variable("B", None)];
    });
    check(new().current_dir(Path::new("a")), |c| {
        c.current_dir = Some("a".into());
    });
    check(new().exit_with(ExitWith::Failure), |c| {
        c.exit_with = Some(ExitWith::Failure);
    });
    check(new().check_determinism(2), |c| {
        c.check_determinism = Some(2);
    });
    check(new().setup_parallel(true), |c| {
        c.setup_parallel = Some(true);
    });
    check(new().sandbox(true), |c| {
        c.sandbox = Some(Sandbox::new(true).into());
    });
    check(new().tool(Callgrind::with_args(["a"])), |c| {
        c.tools = vec![Callgrind::with_args(["a"]).into()];
    });
}

#[test]
fn a_configuration_is_taken_by_value_and_by_reference() {
    let mut said = BinaryBenchmarkConfig::default().env("A", "1").build();
    let expected = config(said.clone());
    assert_eq!(config(&said), expected);
    assert_eq!(config(&mut said), expected);
    // Where the kind of the benchmarks is not known, both kinds are.
    assert_eq!(AnyConfig::from(&said).0, expected);
    let library = iai_callgrind::LibraryBenchmarkConfig::default()
        .env("A", "1")
        .build();
    assert_eq!(AnyConfig::from(&library).0, expected);
}

#[test]
fn names_of_earlier_versions_say_the_same() {
    let entry_point = EntryPoint::Custom("main".to_owned());
    let expected = config(
        BinaryBenchmarkConfig::default().tool(Callgrind::default().entry_point(entry_point)),
    );
    #[expect(deprecated)]
    let old = config(BinaryBenchmarkConfig::default().entry_point("main"));
    assert_eq!(old, expected);
    let expected =
        config(BinaryBenchmarkConfig::default().tool(Callgrind::with_args(["--branch-sim=yes"])));
    #[expect(deprecated)]
    let old = config(BinaryBenchmarkConfig::default().raw_callgrind_args(["--branch-sim=yes"]));
    assert_eq!(old, expected);
    #[expect(deprecated)]
    let old = config(BinaryBenchmarkConfig::with_callgrind_args([
        "--branch-sim=yes",
    ]));
    assert_eq!(old, expected);
}

#[test]
fn every_method_of_the_command_sets_its_field() {
    let new = || Command::new("program");
    command(&mut new(), |c| {
        assert_eq!((&c.stdin, &c.stdout), (&Stdin::Pipe, &Stdio::Pipe));
    });
    command(new().arg("a").args(["b", "c"]), |c| {
        c.args = vec!["a".into(), "b".into(), "c".into()];
    });
    command(
        new()
            .env("A", "1")
            .pass_through_envs(["B"])
            .envs([("C", "3")])
            .pass_through_env("D"),
        |c| {
            c.config.envs = vec![
                variable("A", Some("1")),
                variable("B", None),
                variable("C", Some("3")),
                variable("D", None),
            ];
        },
    );
    command(new().env_clear(false), |c| c.config.env_clear = Some(false));
    command(
        new().current_dir("a").current_dir(PathBuf::from("b")),
        |c| {
            c.config.current_dir = Some("b".into());
        },
    );
    command(new().exit_with(ExitWith::Signal(9)), |c| {
        c.config.exit_with = Some(ExitWith::Signal(9));
    });
    command(new().setup_parallel(false), |c| {
        c.config.setup_parallel = Some(false);
    });
    command(
        new()
            .sandbox(Sandbox::new(true).fixtures(["a"]))
            .sandbox(Sandbox::default().fixtures(["b"])),
        |c| c.config.sandbox = Some(Sandbox::new(true).fixtures(["a", "b"]).into()),
    );
    command(new().delay(Duration::from_secs(1)), |c| {
        c.delay = Some(Delay::from(Duration::from_secs(1)).into());
    });
    assert_eq!(Command::from(new().arg("a")), new().arg("a").build());
    assert_eq!(Command::from(&new()), new());
}

#[test]
fn streams_are_taken_as_values_and_as_paths() {
    let new = || Command::new("program");
    let path = PathBuf::from("a");
    let file = || Stdin::File("a".into());
    for said in [
        new().stdin(Stdin::File(path.clone())),
        new().stdin(Stdio::File(path.clone())),
        new().stdin(path.clone()),
        new().stdin(&path),
        new().stdin(path.as_path()),
    ] {
        command(said, |c| c.stdin = file());
    }
    command(new().stdin(Stdin::Setup(Pipe::Stderr)), |c| {
        c.stdin = Stdin::Setup(Pipe::Stderr);
    });
    command(new().stdin(Stdio::Inherit), |c| c.stdin = Stdin::Inherit);
    command(new().stdin(Stdio::Null), |c| c.stdin = Stdin::Null);
    command(new().stdin(Stdio::Pipe), |c| c.stdin = Stdin::Pipe);
    command(new().stdout(Stdio::Null).stderr(&path), |c| {
        c.stdout = Stdio::Null;
        c.stderr = Stdio::File("a".into());
    });
    command(new().stdout(path.clone()).stderr(Stdio::Inherit), |c| {
        c.stdout = Stdio::File("a".into());
        c.stderr = Stdio::Inherit;
    });
}

#[test]
fn delays_have_a_kind_and_times() {
    let plain = |delay: Delay| protocol::Delay::from(delay);
    let address = SocketAddr::from(([127, 0, 0, 1], 80));
    let minute = DelayKind::DurationElapse(Duration::from_secs(60));
    assert_eq!(Delay::default(), Delay::new(minute));
    assert_eq!(
        plain(Delay::from_tcp_socket((IpAddr::from([127, 0, 0, 1]), 80))).kind,
        DelayKind::TcpConnect(address)
    );
    let tcp = |delay: Delay| plain(delay).kind;
    for delay in [
        Delay::from_tcp_socket("127.0.0.1:80"),
        Delay::from_tcp_socket("127.0.0.1:80".to_owned()),
        Delay::from_tcp_socket(("127.0.0.1", 80)),
        Delay::from_tcp_socket(("127.0.0.1".to_owned(), 80)),
        Delay::from_tcp_socket(([127, 0, 0, 1], 80)),
        Delay::from_tcp_socket(address),
    ] {
        assert_eq!(tcp(delay), DelayKind::TcpConnect(address));
    }
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(
        tcp(Delay::from_tcp_socket("localhost:80")),
        DelayKind::TcpConnectAny(names(&["localhost:80"]))
    );
    assert_eq!(
        tcp(Delay::from_tcp_socket(&[address, ([0; 16], 1).into()][..])),
        DelayKind::TcpConnectAny(names(&["127.0.0.1:80", "[::]:1"]))
    );
    assert_eq!(
        tcp(Delay::from_udp_request(("localhost", 80), b"x")),
        DelayKind::UdpResponseAny(names(&["localhost:80"]), vec![b'x'])
    );
    assert_eq!(
        plain(Delay::from_udp_request(address, b"x")).kind,
        DelayKind::UdpResponse(address, vec![b'x'])
    );
    assert_eq!(
        plain(Delay::from_path("a")).kind,
        DelayKind::PathExists("a".into())
    );
    let times = plain(
        Delay::from_path("a")
            .poll(Duration::from_millis(5))
            .timeout(Duration::from_secs(2)),
    );
    assert_eq!(times.poll, Some(Duration::from_millis(5)));
    assert_eq!(times.timeout, Some(Duration::from_secs(2)));
}
