//! Hooks that are neither a path nor a closure run before the arguments are made and after the
//! result is dropped.

use std::sync::Mutex;

use iai_callgrind::library_benchmark;

static LOG: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn log(text: &str) {
    LOG.lock().unwrap().push(text.to_owned());
}

struct Value(&'static str);

impl Value {
    fn new(text: &'static str) -> Self {
        log("made");
        Self(text)
    }
}

impl Drop for Value {
    fn drop(&mut self) {
        log("dropped");
    }
}

#[library_benchmark(setup = log("before"), teardown = { log("after") })]
#[bench::inherited(Value::new("1"))]
#[bench::replaced(Value::new("2"), setup = println!("x"), teardown = log("own"))]
#[bench::unset(Value::new("3"), setup = (), teardown = ())]
#[bench::mixed(args = (), setup = || Value::new("4"))]
fn run(value: Value) -> Value {
    log(value.0);
    value
}

fn main() {
    for case in run::__FUNCTION.cases {
        (case.run.function().unwrap())(Default::default());
    }
    let expected = [
        "before", "made", "1", "dropped", "after", "made", "2", "dropped", "own", "made", "3",
        "dropped", "made", "4", "dropped", "after",
    ];
    assert_eq!(*LOG.lock().unwrap(), expected);
}
