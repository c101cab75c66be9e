//! A benchmark may end in any method of the builder instead of `.build()`.

use std::time::Duration;

use iai_callgrind::{binary_benchmark, Command, ExitWith, Stdin, Stdio};

macro_rules! ends_in {
    ($output:ty: $($method:ident($($argument:expr),*))*) => {
        $(
            #[binary_benchmark]
            fn $method() -> $output {
                Command::new("program").$method($($argument),*)
            }
        )*

        fn all() -> Vec<$output> {
            vec![$($method()),*]
        }
    };
}

ends_in! {
    Command:
    arg("a")
    args(["a"])
    env("A", "b")
    envs([("A", "b")])
    pass_through_env("A")
    pass_through_envs(["A"])
    env_clear(false)
    current_dir("a")
    sandbox(true)
    exit_with(ExitWith::Failure)
    stdin(Stdin::Null)
    stdout(Stdio::Null)
    stderr(Stdio::Null)
    delay(Duration::from_secs(1))
    setup_parallel(true)
    build()
}

fn main() {
    let all = all();
    assert_eq!(all.len(), 16);
    let plain = Command::new("program");
    assert_eq!(all.iter().filter(|command| **command != plain).count(), 15);
}
