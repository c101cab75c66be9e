//! The page that the runner writes of benchmarks that ran: the other pages are made by hand.

use std::path::PathBuf;
use std::process::Command;

use lab::fresh_crate::FreshCrate;
use lab::page::Tab;
use lab::readme;

use super::{assert_silent, chromium};

/// The runner, which `cargo suite` builds before the tests.
fn runner() -> PathBuf {
    std::env::var_os("IAI_CALLGRIND_RUNNER")
        .expect("IAI_CALLGRIND_RUNNER names the runner; `cargo suite` builds it and sets this")
        .into()
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed\n{stderr}");
}

#[test]
fn the_page_of_an_edited_function_says_so() {
    let Some(mut browser) = chromium() else {
        return;
    };
    let project = FreshCrate::new("edited", &readme::read().unwrap()).unwrap();
    let home = project.path().join("results");
    let bench = || {
        let target = concat!(env!("CARGO_TARGET_TMPDIR"), "/users");
        let mut bench = project.cargo(&["bench", "--offline", "--bench", "my_benchmark"]);
        bench.env("CARGO_TARGET_DIR", target);
        bench.env("IAI_CALLGRIND_RUNNER", runner());
        run(bench.env("IAI_CALLGRIND_HOME", &home));
    };
    bench();
    let file = project.path().join("benches/my_benchmark.rs");
    let code = std::fs::read_to_string(&file).unwrap();
    let edited = code.replace("fibonacci(n - 1)", "fibonacci(n - 1) * 3 / 3");
    assert_ne!(code, edited);
    std::fs::write(&file, edited).unwrap();
    bench();

    let page = project.path().join("page.html");
    let mut compare = Command::new(runner());
    compare.args(["compare", "--export", &format!("html={}", page.display())]);
    compare.arg("--home").arg(&home);
    run(compare.current_dir(project.path()));
    assert_eq!(
        lab::page::check(&page, None).unwrap(),
        14,
        "two benchmarks of seven parts"
    );
    match lab::page::without_firefox() {
        Some(reason) => eprintln!("{reason}"),
        None => lab::page::check_in_firefox(&page).unwrap(),
    }

    browser.open_file(&page, "").unwrap();
    browser.press("j").unwrap();
    browser.press("Enter").unwrap();
    browser
        .wait_for("document.querySelector('#tab-why')?.ariaSelected === 'true'")
        .unwrap();
    let cause = "document.querySelector('.causes tbody tr').innerText";
    assert!(browser.text(cause).unwrap().contains("fibonacci"));
    browser.press("5").unwrap();
    let source = browser
        .text("document.querySelector('#part').innerText")
        .unwrap();
    assert!(source.contains("fibonacci(n - 1) * 3 / 3"), "{source}");
    browser.press("3").unwrap();
    let line = browser
        .text("document.querySelector('#flame-line').innerText")
        .unwrap();
    assert!(line.starts_with("all new"), "{line}");
    assert_silent(&mut browser);
}
