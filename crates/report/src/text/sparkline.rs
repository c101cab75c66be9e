//! A series of values in a line of small bars, such as `▁▁▃▃┊█`, for terminals.

use base::variables::EnvironmentVariables;

/// The look of bars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sparklines {
    /// Columns of the terminal.
    pub width: usize,
    /// Characters that every terminal has.
    pub is_ascii: bool,
}

/// A value of a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bar {
    /// Height of the bar. A value that is not finite is drawn as the lowest one.
    pub value: f64,
    /// Was it made by other programs than the value before?
    pub(super) is_marked: bool,
}

const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const ASCII: [char; 8] = ['_', '.', '-', '~', '=', '+', '*', '#'];

/// Most columns of bars: of a longer series several values become one.
const MOST: usize = 60;

/// The least span between the lowest and the highest bar, as a part of the value: a change of 0.1 %
/// is not shown as large.
const LEAST_SPAN: f64 = 0.05;

impl Sparklines {
    /// The look in the locale of a process.
    pub fn new(width: usize, environment: &EnvironmentVariables) -> Self {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"];
        // The first that is set decides, as in the C library.
        let locale = locale.iter().find_map(|name| environment.get(name));
        let locale = locale.map(|locale| locale.to_string_lossy().to_lowercase());
        let is_unicode = |locale: String| locale.contains("utf-8") || locale.contains("utf8");
        Self {
            width,
            is_ascii: !locale.is_some_and(is_unicode),
        }
    }

    /// The character before a value that other programs made.
    pub fn mark(self) -> char {
        if self.is_ascii {
            '|'
        } else {
            '┊'
        }
    }

    /// The bars of values.
    pub fn bars(self, values: &[Bar]) -> String {
        let columns = self.width.saturating_sub(4).clamp(8, MOST);
        let marks = values.iter().filter(|bar| bar.is_marked).count();
        // A mark takes a column as well. Where all have one, that is half of the columns.
        let bars = condensed(values, columns.saturating_sub(marks).max(columns / 2));
        let finite = || bars.iter().map(|bar| bar.value).filter(|it| it.is_finite());
        let lowest = finite().fold(f64::INFINITY, f64::min);
        let highest = finite().fold(f64::NEG_INFINITY, f64::max);
        let span = (highest - lowest).max(highest.abs() * LEAST_SPAN);
        // Where the values differ by less than the span, they are in the middle of it.
        let base = (lowest + highest - span) / 2.0;
        let characters = if self.is_ascii { ASCII } else { BLOCKS };
        let mut text = String::new();
        for (index, bar) in bars.iter().enumerate() {
            if bar.is_marked && index > 0 {
                text.push(self.mark());
            }
            // All are 0, or not finite.
            let height = Some((bar.value - base) / span).filter(|height| height.is_finite());
            // Half of the span is the upper one of the two in the middle, however it was rounded.
            let height = height.unwrap_or(0.0) * characters.len() as f64 + 1e-6;
            text.push(characters[(height as usize).min(characters.len() - 1)]);
        }
        text
    }
}

/// At most this many bars, of which each is the one of its values that differs most from the bar
/// before: a peak between two commits is what is looked for.
fn condensed(values: &[Bar], most: usize) -> Vec<Bar> {
    let each = values.len().div_ceil(most.max(1)).max(1);
    let mut bars: Vec<Bar> = Vec::new();
    for chunk in values.chunks(each) {
        let before = bars.last().or(chunk.first()).map_or(0.0, |bar| bar.value);
        let distance = |bar: &&Bar| (bar.value - before).abs();
        let farthest = chunk
            .iter()
            .max_by(|one, other| distance(one).total_cmp(&distance(other)));
        bars.extend(farthest.map(|farthest| Bar {
            is_marked: chunk.iter().any(|bar| bar.is_marked),
            ..*farthest
        }));
    }
    bars
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASCII: Sparklines = Sparklines {
        width: 80,
        is_ascii: true,
    };

    fn values(values: &[f64]) -> Vec<Bar> {
        let bars = values.iter().map(|value| Bar {
            value: *value,
            is_marked: false,
        });
        bars.collect()
    }

    #[track_caller]
    fn check(series: &[f64], blocks: &str, ascii: &str) {
        let unicode = Sparklines {
            is_ascii: false,
            ..ASCII
        };
        assert_eq!(unicode.bars(&values(series)), blocks);
        assert_eq!(ASCII.bars(&values(series)), ascii);
    }

    #[test]
    fn bars_are_as_high_as_values() {
        check(&[100.0, 100.0, 150.0, 200.0], "▁▁▅█", "__=#");
        // Nothing changes, or very little.
        check(&[7.0, 7.0, 7.0], "▅▅▅", "===");
        check(&[0.0, 0.0], "▁▁", "__");
        check(&[1000.0, 1001.0], "▄▅", "~=");
        check(&[0.0, 5.0], "▁█", "_#");
        check(&[], "", "");
        check(&[f64::NAN, f64::INFINITY, 3.0, 4.0], "▁▁▁█", "___#");
    }

    #[test]
    fn marks_stand_before_values_of_other_programs() {
        let mut bars = values(&[1.0, 1.0, 2.0]);
        for bar in [0, 2] {
            bars[bar].is_marked = true;
        }
        assert_eq!(ASCII.bars(&bars), "__|#");
    }

    #[test]
    fn a_long_series_fits_in_the_terminal() {
        let mut bars = values(&(0..10_000).map(f64::from).collect::<Vec<_>>());
        for width in [0, 10, 40, 80, 1000] {
            for every in [1, 100, 20_000] {
                for (index, bar) in bars.iter_mut().enumerate() {
                    bar.is_marked = index % every == 0;
                }
                let text = Sparklines { width, ..ASCII }.bars(&bars);
                let most = width.saturating_sub(4).clamp(8, MOST);
                assert!(text.len() <= most, "{width} {every} {text}");
                assert!(text.starts_with('_') && text.ends_with('#'), "{text}");
            }
        }
    }

    #[test]
    fn a_peak_of_a_long_series_is_seen() {
        let mut series = vec![100.0; 200];
        series[101] = 200.0;
        let text = ASCII.bars(&values(&series));
        assert_eq!(text.matches('#').count(), 1, "{text}");
        assert!(text.len() <= MOST, "{text}");
    }

    #[test]
    fn the_locale_decides_on_characters() {
        #[track_caller]
        fn check(variables: &[(&str, &str)], is_ascii: bool) {
            let environment: EnvironmentVariables = variables.iter().copied().collect();
            let found = Sparklines::new(80, &environment).is_ascii;
            assert_eq!(found, is_ascii, "{variables:?}");
        }
        check(&[], true);
        check(&[("LANG", "de_DE.UTF-8")], false);
        check(&[("LANG", "C.utf8")], false);
        check(&[("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")], true);
        check(&[("LC_ALL", ""), ("LC_CTYPE", "en_US.UTF-8")], false);
    }
}
