use iai_callgrind::main;

fn first() {}

main!(callgrind_args = "toggle-collect=x", "--y"; functions = first);
