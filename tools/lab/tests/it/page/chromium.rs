//! Tests in one browser: network traffic, window sizes, paper, colors, texts of others.

use lab::page::{Checker, Chromium, Sample, Tab};
use serde_json::json;

use super::{assert_silent, chromium, Page};

const OPEN: &str = "#b=sort%3A%3Arecords_sort%3A%3An1000";
const PARTS: &[&str] = &[
    "metrics",
    "why",
    "flame",
    "functions",
    "source",
    "asm",
    "history",
];

/// Opens a part of a benchmark.
fn open_part(browser: &mut Chromium, page: &Page, part: &str) {
    browser
        .open_file(&page.file, &format!("{OPEN}&p={part}"))
        .unwrap();
    browser
        .wait_for(&format!(
            "document.querySelector('#tab-{part}')?.ariaSelected === 'true'"
        ))
        .unwrap();
}

#[test]
fn nothing_is_wider_than_a_window() {
    let Some(mut browser) = chromium() else {
        return;
    };
    let page = Page::of(&Sample::usual().unwrap());
    let over = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    for width in [375, 800, 1440] {
        browser.resize(width, 800, 1).unwrap();
        browser.open_file(&page.file, "").unwrap();
        browser
            .value("document.querySelectorAll('#overview details').forEach(it => it.open = true)")
            .unwrap();
        assert_eq!(browser.text(over).unwrap(), "0", "the table at {width}");
        for part in PARTS {
            browser
                .value(&format!("location.hash = '{OPEN}&p={part}'"))
                .unwrap();
            browser
                .wait_for(&format!(
                    "document.querySelector('#tab-{part}')?.ariaSelected === 'true'"
                ))
                .unwrap();
            assert_eq!(browser.text(over).unwrap(), "0", "{part} at {width}");
        }
    }
    assert_silent(&mut browser);
}

#[test]
fn flamegraphs_are_sharp_and_zoom_where_the_mouse_is() {
    let Some(mut browser) = chromium() else {
        return;
    };
    let page = Page::of(&Sample::usual().unwrap());
    browser.resize(1200, 900, 2).unwrap();
    open_part(&mut browser, &page, "flame");
    let canvas = "document.querySelector('canvas')";
    assert_eq!(
        browser
            .text(&format!("{canvas}.width / {canvas}.clientWidth"))
            .unwrap(),
        "2"
    );
    // Frames are drawn: the first row is that of the root, and below the last one there is nothing.
    let painted =
        |y: &str| format!("{canvas}.getContext('2d').getImageData(100, {y}, 1, 1).data[3]");
    assert_eq!(browser.text(&painted("20")).unwrap(), "255");
    let (x, y) = (
        browser
            .value(&format!("{canvas}.getBoundingClientRect().left + 500"))
            .unwrap(),
        browser
            .value(&format!(
                "{canvas}.getBoundingClientRect().top + 2 * 19 + 9"
            ))
            .unwrap(),
    );
    let mouse = |browser: &mut Chromium, kind: &str| {
        let event = json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1});
        browser.call("Input.dispatchMouseEvent", event).unwrap();
    };
    mouse(&mut browser, "mouseMoved");
    browser
        .wait_for(
            "document.querySelector('#flame-line').innerText.startsWith('lab::sort_records ')",
        )
        .unwrap();
    mouse(&mut browser, "mousePressed");
    mouse(&mut browser, "mouseReleased");
    browser
        .wait_for("location.hash.includes('zoom=2')")
        .unwrap();
    browser.value("[...document.querySelectorAll('.crumbs button')].find(one => one.textContent === 'all').click()").unwrap();
    browser
        .wait_for("!location.hash.includes('zoom=')")
        .unwrap();
    assert_silent(&mut browser);
}

#[test]
fn colours_follow_the_system_and_the_switch() {
    let Some(mut browser) = chromium() else {
        return;
    };
    let page = Page::of(&Sample::usual().unwrap());
    let paper = "getComputedStyle(document.body).backgroundColor";
    let (light, dark) = ("rgb(255, 255, 255)", "rgb(20, 23, 27)");
    browser.prefer("light").unwrap();
    browser.open_file(&page.file, "").unwrap();
    assert_eq!(browser.text(paper).unwrap(), light);
    browser.prefer("dark").unwrap();
    assert_eq!(browser.text(paper).unwrap(), dark);
    let switch = "document.querySelector('#theme').click()";
    browser.value(switch).unwrap();
    assert_eq!(browser.text(paper).unwrap(), light, "the switch says light");
    browser.open_file(&page.file, "").unwrap();
    assert_eq!(browser.text(paper).unwrap(), light, "and it stays");
    browser.value(switch).unwrap();
    browser.prefer("light").unwrap();
    assert_eq!(browser.text(paper).unwrap(), dark, "the switch says dark");
    // A colour is never alone: a sign stands beside it.
    let signs = "[...document.querySelectorAll('#benchmarks td.worse, #benchmarks td.better')].every(cell => /^[+\u{2212}-]/.test(cell.textContent))";
    assert_eq!(browser.value(signs).unwrap(), true);
}

#[test]
fn paper_has_all_changed_benchmarks_without_switches() {
    let Some(mut browser) = chromium() else {
        return;
    };
    let page = Page::of(&Sample::usual().unwrap());
    browser.prefer("dark").unwrap();
    browser.open_file(&page.file, "").unwrap();
    browser.wait_for("ready.size === toPrint().length").unwrap();
    // Sends the events of printing without printing, so that the page can be examined.
    browser
        .value("dispatchEvent(new Event('beforeprint'))")
        .unwrap();
    browser
        .call("Emulation.setEmulatedMedia", json!({"media": "print"}))
        .unwrap();
    assert_eq!(
        browser
            .text("document.querySelectorAll('#printed h2').length")
            .unwrap(),
        "13"
    );
    assert_eq!(
        browser
            .text("document.querySelectorAll('#printed canvas').length")
            .unwrap(),
        "0"
    );
    let seen = "[...document.querySelectorAll('header .tools, form.controls, #benchmark')].filter(one => one.offsetParent).length";
    assert_eq!(browser.text(seen).unwrap(), "0");
    let text = browser
        .text("document.querySelector('#printed').innerText")
        .unwrap();
    for part in [
        "Causes",
        "src/lib.rs:26",
        "a.name.to_lowercase()",
        "call str::to_lowercase",
        "Valgrind 3.24.0",
        "No such file or directory",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert_eq!(
        browser
            .text("getComputedStyle(document.body).backgroundColor")
            .unwrap(),
        "rgb(255, 255, 255)",
        "paper is light"
    );
    browser
        .value("dispatchEvent(new Event('afterprint'))")
        .unwrap();
    assert_eq!(
        browser
            .text("document.querySelectorAll('#printed h2').length")
            .unwrap(),
        "0"
    );
    let pdf = browser.pdf().unwrap();
    let pages = pdf
        .windows(11)
        .filter(|bytes| bytes == b"/Type /Page")
        .count();
    assert!(pdf.starts_with(b"%PDF-") && pages > 5, "{pages} pages");
    assert_silent(&mut browser);
}

#[test]
fn names_of_others_are_text() {
    let Some(mut browser) = chromium() else {
        return;
    };
    let sample = Sample::hostile().unwrap();
    let page = Page::of(&sample);
    browser.resize(375, 800, 1).unwrap();
    browser.open_file(&page.file, "").unwrap();
    browser
        .value("document.querySelector('.controls [data-value=all]').click()")
        .unwrap();
    let names = browser.value("[...document.querySelectorAll('#benchmarks tbody tr')].sort((a, b) => a.dataset.i - b.dataset.i).map(row => row.cells[0].textContent)");
    assert_eq!(names.unwrap(), json!(sample.names()));
    let made = "document.querySelectorAll('img, #benchmarks script, #benchmark script').length";
    for part in PARTS {
        let fragment = format!("`#p={part}&b=${{encodeURIComponent(BENCHMARKS[0].name)}}`");
        browser
            .value(&format!("location.hash = {fragment}"))
            .unwrap();
        browser
            .wait_for(&format!(
                "document.querySelector('#tab-{part}')?.ariaSelected === 'true'"
            ))
            .unwrap();
        assert_eq!(browser.text(made).unwrap(), "0", "{part}");
        let shown = browser
            .text("document.querySelector('#benchmark').textContent")
            .unwrap();
        assert!(shown.contains(Sample::HOSTILE), "{part}: {shown}");
        assert_eq!(
            browser
                .text("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                .unwrap(),
            "0",
            "{part}"
        );
    }
    browser
        .value("location.hash = `#b=${encodeURIComponent(BENCHMARKS[1].name)}`")
        .unwrap();
    browser
        .wait_for("document.querySelector('#benchmark-title')?.textContent.includes('map words')")
        .unwrap();
    assert_ne!(browser.text("document.title").unwrap(), "broken");
    assert_silent(&mut browser);
}

#[test]
fn the_table_stands_without_script() {
    let Some(mut browser) = chromium() else {
        return;
    };
    let page = Page::of(&Sample::usual().unwrap());
    browser
        .call(
            "Emulation.setScriptExecutionDisabled",
            json!({"value": true}),
        )
        .unwrap();
    browser.open_file(&page.file, "").unwrap();
    let shown = browser.text("document.body.innerText").unwrap();
    for text in [
        "lab 71c4753",
        "sort::records_sort::n1000",
        "+855.50%",
        "6110487",
        "Scripts are off",
        "lab::fib: own code, 84001",
    ] {
        assert!(shown.contains(text), "`{text}` is not in\n{shown}");
    }
    for text in ["Filter", "Theme", "Keys"] {
        assert!(!shown.contains(text), "`{text}` does nothing here\n{shown}");
    }
}

#[test]
fn what_is_missing_is_said() {
    let Some(mut browser) = chromium() else {
        return;
    };
    let page = Page::of(&Sample::usual().unwrap());
    let shown = |browser: &mut Chromium, key: &str| {
        browser
            .value(&format!("location.hash = '#b={key}'"))
            .unwrap();
        browser
            .wait_for("document.querySelector('#benchmark .empty, #part')")
            .unwrap();
        browser
            .text("document.querySelector('#benchmark').innerText")
            .unwrap()
    };
    browser.open_file(&page.file, "").unwrap();
    assert!(shown(&mut browser, "numeric::dot::f64_1024").contains("no details of this benchmark"));
    browser.open_file(&page.file, "").unwrap();
    assert!(shown(&mut browser, "io::read_lines::missing_file")
        .contains("hint: rerun with `--nocapture`"));
    browser.value("location.hash = '#b=nobody'").unwrap();
    browser
        .wait_for("!document.querySelector('#overview').hidden")
        .unwrap();
    assert_silent(&mut browser);

    let old = json!({"source": "delete globalThis.DecompressionStream"});
    browser
        .call("Page.addScriptToEvaluateOnNewDocument", old)
        .unwrap();
    browser.open_file(&page.file, "").unwrap();
    assert!(shown(&mut browser, "map::words::w2000").contains("this browser cannot inflate"));
    assert_silent(&mut browser);

    let page = Page::of(&Sample::empty().unwrap());
    browser.open_file(&page.file, "").unwrap();
    assert!(browser
        .text("document.body.innerText")
        .unwrap()
        .contains("There is no benchmark."));
    assert_silent(&mut browser);
}

#[test]
fn a_checker_of_accessibility_finds_nothing() {
    let Some(mut browser) = chromium() else {
        return;
    };
    let checker = match Checker::find() {
        Ok(checker) => checker,
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "{error:#}");
            eprintln!("accessibility is not checked: {error:#}");
            return;
        }
    };
    let page = Page::of(&Sample::usual().unwrap());
    for scheme in ["light", "dark"] {
        browser.prefer(scheme).unwrap();
        browser.open_file(&page.file, "").unwrap();
        browser
            .value("document.querySelectorAll('#overview details').forEach(it => it.open = true)")
            .unwrap();
        let none: &[String] = &[];
        assert_eq!(
            checker.check(&mut browser).unwrap(),
            none,
            "the table, {scheme}"
        );
        browser
            .value("document.querySelector('#help').click()")
            .unwrap();
        assert_eq!(
            checker.check(&mut browser).unwrap(),
            none,
            "the dialog, {scheme}"
        );
        browser
            .value("document.querySelector('dialog').close()")
            .unwrap();
        for part in PARTS {
            browser
                .value(&format!("location.hash = '{OPEN}&p={part}'"))
                .unwrap();
            browser
                .wait_for(&format!(
                    "document.querySelector('#tab-{part}')?.ariaSelected === 'true'"
                ))
                .unwrap();
            assert_eq!(
                checker.check(&mut browser).unwrap(),
                none,
                "{part}, {scheme}"
            );
        }
    }
}
