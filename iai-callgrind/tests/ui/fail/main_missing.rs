iai_callgrind::main!();
