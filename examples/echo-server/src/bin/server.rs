//! Sends back what it gets, until it is killed.

use std::io::{copy, Result};
use std::net::TcpListener;

fn main() -> Result<()> {
    let address = std::env::args().nth(1).expect("the address to listen at");
    for connection in TcpListener::bind(address)?.incoming() {
        let mut connection = connection?;
        let mut answer = connection.try_clone()?;
        // Whoever hangs up early is no reason to stop.
        let _ = copy(&mut connection, &mut answer);
    }
    Ok(())
}
