//! Estimates the remaining time of a run by the times of the last one.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::time::Duration;

use base::counted::grouped;
use records::last_times::LastTimes;

/// The benchmarks of a run, in their order.
#[derive(Debug)]
pub struct RemainingTime {
    names: Vec<String>,
    times: LastTimes,
    /// Times of the last run for the first benchmark, the first two, and so on, in seconds; `None`:
    /// it had too few of them. Computed on first use.
    sums: OnceCell<Option<Vec<f64>>>,
}

impl RemainingTime {
    /// The time of benchmarks by those that the last run took.
    #[must_use]
    pub fn new(names: Vec<String>, times: LastTimes) -> Self {
        Self {
            names,
            times,
            sums: OnceCell::new(),
        }
    }

    /// The remaining time after this number of benchmarks. They took `elapsed` in this run, which
    /// shows its speed: several may run at a time, or the machine may be busier. `None`: too little
    /// is known.
    pub fn after(&self, done: usize, elapsed: Duration) -> Option<Duration> {
        let times = self.times.get()?;
        let sums = self.sums.get_or_init(|| sums(&self.names, times));
        let sums = sums.as_ref()?;
        let all = sums.last()?;
        // Nothing tells yet how fast this run is.
        let before = sums.get(done.min(sums.len()).checked_sub(1)?)?;
        let left = elapsed.as_secs_f64() * (all - before) / before;
        // Times of 0 make this infinite or no number, and then nothing is known.
        Duration::try_from_secs_f64(left).ok()
    }
}

/// The sums of the times until each benchmark. One that is new takes the mean of the others.
fn sums(names: &[String], times: &HashMap<String, Duration>) -> Option<Vec<f64>> {
    let times = names.iter().map(|name| times.get(name));
    let times: Vec<Option<f64>> = times.map(|time| Some(time?.as_secs_f64())).collect();
    let known = || times.iter().flatten();
    let count = known().count();
    // An average over few benchmarks says nothing about the others.
    if count * 2 < times.len() {
        return None;
    }
    let mean = known().sum::<f64>() / count as f64;
    let mut sum = 0.0;
    let add = |time: &Option<f64>| {
        sum += time.unwrap_or(mean);
        sum
    };
    Some(times.iter().map(add).collect())
}

/// `12 s`, `5 min`, `2 h`; `None`: less than a second.
pub(super) fn rough(time: Duration) -> Option<String> {
    let seconds = time.as_secs();
    match seconds {
        0 => None,
        1..=99 => Some(format!("{seconds} s")),
        100..=5399 => Some(format!("{} min", (seconds + 30) / 60)),
        _ => Some(format!("{} h", grouped((seconds + 1800) / 3600))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_run_tells_how_long_the_rest_takes() {
        let times = LastTimes::from_iter([("a", 1), ("b", 3), ("c", 6)]);
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let seconds = Duration::from_secs;
        let all = RemainingTime::new(names(&["a", "b", "c"]), times.clone());
        assert_eq!(all.after(0, seconds(0)), None);
        // At the speed of the last run, and twice as fast.
        assert_eq!(all.after(1, seconds(1)), Some(seconds(9)));
        assert_eq!(all.after(2, seconds(2)), Some(seconds(3)));
        assert_eq!(all.after(3, seconds(10)), Some(seconds(0)));
        assert_eq!(all.after(9, seconds(10)), Some(seconds(0)));
        // One that is new takes the mean of the others.
        let more = RemainingTime::new(names(&["b", "new", "c"]), times.clone());
        assert_eq!(
            more.after(1, seconds(3)),
            Some(Duration::from_secs_f64(10.5))
        );
        let others = RemainingTime::new(names(&["a", "x", "y"]), times);
        assert_eq!(others.after(1, seconds(3)), None);
        let nothing = RemainingTime::new(names(&["a"]), LastTimes::from_iter([("a", 0)]));
        assert_eq!(nothing.after(1, seconds(3)), None);
    }

    #[test]
    fn nobody_reads_seconds_of_an_hour() {
        let check = |seconds, expected: Option<&str>| {
            assert_eq!(rough(Duration::from_secs(seconds)).as_deref(), expected);
        };
        check(0, None);
        check(12, Some("12 s"));
        check(100, Some("2 min"));
        check(5400, Some("2 h"));
    }
}
