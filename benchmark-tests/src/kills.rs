//! Random moments for tests that kill runs again and again.
//!
//! `KILL_ROUNDS` sets how often, `SUITE_SEED` takes another sequence.

use crate::sample;

/// Rounds of a test, and the random numbers that decide about their moments.
pub struct Kills {
    /// The number of runs to kill.
    pub rounds: u64,
    /// State of a xorshift generator: enough for delays.
    state: u64,
}

impl Kills {
    /// Reads the environment; `rounds` is the default. Prints the choice, for the case of a
    /// failure.
    pub fn of_environment(rounds: u64) -> Self {
        let rounds = number("KILL_ROUNDS").unwrap_or(rounds);
        let seed = sample::seed();
        println!("KILL_ROUNDS={rounds} SUITE_SEED={seed}");
        Self {
            rounds,
            // Seeds that follow each other are far from each other then, and none is zero.
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        }
    }

    /// The next random number, from 0 to below 1.
    pub fn fraction(&mut self) -> f64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{variable} is a number")),
    )
}
