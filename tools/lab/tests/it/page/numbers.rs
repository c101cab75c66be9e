//! Functions of the page's script on figures and frames, without looking at it.

use lab::page::{Sample, Tab};
use serde_json::json;

use super::{chromium, Page};

#[test]
fn figures_and_frames() {
    let Some(mut browser) = chromium() else {
        return;
    };
    browser
        .open_file(&Page::of(&Sample::usual().unwrap()).file, "")
        .unwrap();
    for (expression, value) in [
        ("figure(6110487)", "6,110,487"),
        ("figure(999)", "999"),
        ("figure(-1000)", "\u{2212}1,000"),
        ("figure(99.6451)", "99.645"),
        ("figure(12345.5)", "12,345.500"),
        ("figure(0)", "0"),
        ("figure(null)", ""),
        ("signed(5)", "+5"),
        ("signed(0)", "0"),
        ("percent(855.4)", "+855%"),
        ("percent(-16.1311)", "\u{2212}16.1%"),
        ("percent(0.04)", "+0.040%"),
        ("percent(9.21026)", "+9.21%"),
        ("percent(0.0002)", "+2e-4%"),
        ("percent(-99.98)", "\u{2212}99.9%"),
        ("percent(123456.7)", "+123,457%"),
        ("percent(0)", "0%"),
        ("percent(null)", ""),
        ("share(1, 3)", "33.3%"),
        ("String(change(0, 5))", "null"),
        ("tone(5)", "worse"),
        ("tone(5, 'higher')", "better"),
        ("tone(-5)", "better"),
        ("tone(0)", ""),
        (
            "shortened('core::slice::sort::quicksort', 40)",
            "core::slice::sort::quicksort",
        ),
        (
            "shortened('core::slice::sort::quicksort', 18)",
            "sort::quicksort",
        ),
        ("shortened('core::slice::sort::quicksort', 6)", "quick…"),
        (
            "shortened('core::sort<lab::Record, lab::by_name>', 30)",
            "sort<lab::Record, lab::by_nam…",
        ),
        ("toAddress(fromAddress())", "#"),
        (
            "['hashbrown::HashMap::entry', 'HashMap::entry', 'entry', 'MyHashMap::entry'].filter(isFunction('HashMap::entry'))",
            r#"["hashbrown::HashMap::entry","HashMap::entry","entry"]"#,
        ),
        (
            "sourceAddress('src/a b.rs', 7)",
            "https://github.com/example/lab/blob/f3ab7bb0a1b2c3d4/src/a%20b.rs#L7",
        ),
        (
            "String(sourceAddress('/rustc/library/core/src/x.rs', 7))",
            "null",
        ),
        (
            "stepLine([[0, 10], [2, 20]], 100, 50, 5).line",
            "M0 50H50V0H100",
        ),
        (
            "stepLine([[0, 10], [1, null], [2, 20]], 100, 50, 5).line",
            "M0 50H25M50 0H100",
        ),
    ] {
        assert_eq!(browser.text(expression).unwrap(), value, "{expression}");
    }
}

#[test]
fn frames_add_up_on_each_side() {
    let Some(mut browser) = chromium() else {
        return;
    };
    browser
        .open_file(&Page::of(&Sample::usual().unwrap()).file, "")
        .unwrap();
    browser.value("globalThis.frames = null, details(0).then(data => { globalThis.frames = flameTree(data.flame) })").unwrap();
    for side in ["old", "new", "diff"] {
        let overflow = format!("frames.filter(frame => frame.children.reduce((sum, child) => sum + child.{side}, 0) > frame.{side}).length");
        assert_eq!(browser.text(&overflow).unwrap(), "0", "{side}");
        let inside = format!(
            "flameBoxes(frames[0], '{side}', 1000).every(box => box.x >= 0 && box.x + box.width <= 1000.001)"
        );
        assert_eq!(browser.value(&inside).unwrap(), true, "{side}");
    }
    assert_eq!(
        browser
            .value("frames.every(frame => frame.diff >= Math.max(frame.old, frame.new))")
            .unwrap(),
        true
    );
    assert_eq!(
        browser
            .value("frames.reduce((sum, frame) => sum + frame.ownNew, 0) === frames[0].new")
            .unwrap(),
        true
    );
    // A frame inside of a marked one counts once: `malloc` calls `_int_malloc`.
    let cost = "markedCost(frames[0], 'new', 'malloc') === frames.filter(frame => frame.name === 'malloc').reduce((sum, frame) => sum + frame.new, 0)";
    assert_eq!(browser.value(cost).unwrap(), true);
    // Deep trees are walked without recursion.
    let deep = "flameTree({names: ['f'], files: [''], nodes: Array.from({length: 20000}, (_, i) => [i - 1, 0, 0, 1, 2])})";
    assert_eq!(
        browser
            .value(&format!("flameBoxes({deep}[0], 'new', 100).length"))
            .unwrap(),
        json!(20000)
    );
}
