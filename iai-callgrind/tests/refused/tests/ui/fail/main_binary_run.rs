use iai_callgrind::main;

main!(run = cmd = "echo", args = ["x"]);
