use iai_callgrind::main;

fn first() {}
fn second() {}

main!(first, second);
