//! Sends a text to a server and checks that it comes back.

use std::io::{Read, Result, Write};
use std::net::{Shutdown, TcpStream};

fn main() -> Result<()> {
    let address = std::env::args().nth(1).expect("the address of the server");
    let sent = "hello ".repeat(1000);
    let mut connection = TcpStream::connect(address)?;
    connection.write_all(sent.as_bytes())?;
    connection.shutdown(Shutdown::Write)?;
    let mut received = String::new();
    connection.read_to_string(&mut received)?;
    assert_eq!(sent, received);
    Ok(())
}
