//! Use of the page in each browser: from the keyboard, from a file, without network.

use lab::page::{Firefox, Sample, Tab};

use super::{assert_silent, chromium, Page};

const ROWS: &str = "document.querySelectorAll('#benchmarks tbody tr').length";
const FIRST: &str = "document.querySelector('#benchmarks tbody tr button').textContent";
const FRAGMENT: &str = "location.hash";
const TITLE: &str = "document.querySelector('#benchmark-title')?.textContent ?? ''";
const PART: &str = "document.querySelector('[role=tab][aria-selected=true]')?.id";

#[test]
fn chromium_shows_filters_sorts_and_opens_by_keyboard() {
    let Some(mut browser) = chromium() else {
        return;
    };
    let page = Page::of(&Sample::usual().unwrap());
    let open = |browser: &mut _, fragment: &str| {
        lab::page::Chromium::open_file(browser, &page.file, fragment).unwrap()
    };
    use_the_page(&mut browser, &open);
    assert_silent(&mut browser);
}

#[test]
fn firefox_shows_filters_sorts_and_opens_by_keyboard() {
    if let Some(reason) = lab::page::without_firefox() {
        eprintln!("{reason}");
        return;
    }
    let mut browser = Firefox::start().unwrap();
    let page = Page::of(&Sample::usual().unwrap());
    let open = |browser: &mut _, fragment: &str| {
        Firefox::open_file(browser, &page.file, fragment).unwrap()
    };
    use_the_page(&mut browser, &open);
    assert_eq!(browser.console().unwrap(), Vec::<String>::new());
    assert_eq!(
        browser
            .text("performance.getEntriesByType('resource').length")
            .unwrap(),
        "0"
    );
}

/// In one go, since the start of a browser takes longer than all of it.
fn use_the_page<T: Tab>(tab: &mut T, open: &dyn Fn(&mut T, &str)) {
    open(tab, "");
    filter(tab);
    sort(tab);
    walk(tab);
    zoom(tab);
    let fragment = go_back(tab);
    // Each address is a place: the same one, in a new tab.
    open(tab, &fragment);
    tab.wait_for(&format!("{PART} === 'tab-functions'"))
        .unwrap();
    assert!(tab.text(TITLE).unwrap().contains("records_sort"));
    links(tab);
    dialog(tab);
}

fn click(tab: &mut dyn Tab, selector: &str) {
    tab.value(&format!("document.querySelector(`{selector}`).click()"))
        .unwrap();
}

fn filter(tab: &mut dyn Tab) {
    assert_eq!(tab.text(ROWS).unwrap(), "13", "those that changed");
    tab.press("/").unwrap();
    tab.write("REGEX find").unwrap();
    assert_eq!(tab.text(ROWS).unwrap(), "1");
    assert_eq!(tab.text(FIRST).unwrap(), "regex::find::email");
    tab.wait_for("location.hash.includes('q=REGEX+find')")
        .unwrap();
    tab.write("x").unwrap();
    assert!(tab
        .text("document.querySelector('#nothing').innerText")
        .unwrap()
        .contains("REGEX findx"));
    tab.press("Escape").unwrap();
    assert_eq!(tab.text(ROWS).unwrap(), "13");
    tab.press("Escape").unwrap();
    assert_eq!(tab.text("document.activeElement.tagName").unwrap(), "BODY");
}

fn sort(tab: &mut dyn Tab) {
    let of_index = "sort::records_sort::n1000";
    assert_eq!(tab.text(FIRST).unwrap(), of_index);
    click(tab, "th[data-key=change] button");
    assert_eq!(
        tab.text(FIRST).unwrap(),
        "io::read_lines::missing_file",
        "a failure comes before all changes"
    );
    click(tab, "th[data-key=change] button");
    click(tab, "th[data-key=change] button");
    assert_eq!(
        tab.text(FIRST).unwrap(),
        of_index,
        "the third click ends it"
    );
    click(tab, "th[data-key=name] button");
    assert_eq!(tab.text(FIRST).unwrap(), "fib::recursive::n18");
    assert_eq!(
        tab.text("document.querySelector('th[data-key=name]').ariaSort")
            .unwrap(),
        "ascending"
    );
    click(tab, "th[data-key=name] button");
    assert_eq!(tab.text(FIRST).unwrap(), "sort::records_sort::n1000");
    assert_eq!(
        tab.text("document.querySelector('th[data-key=name]').ariaSort")
            .unwrap(),
        "descending"
    );
    click(tab, "th[data-key=size] button");
    assert_eq!(tab.text(FIRST).unwrap(), "sort::records_sort::n1000");
    click(tab, ".controls [data-value=all]");
    assert_eq!(tab.text(ROWS).unwrap(), "17");
    assert_eq!(
        tab.text(FIRST).unwrap(),
        "json::parse_value::n10000",
        "the largest of all"
    );
    // Another metric: figures and order are its own.
    tab.value("(select => { select.value = '7'; select.dispatchEvent(new Event('change')) })(document.querySelector('#metric'))").unwrap();
    assert_eq!(
        tab.text("document.querySelector('#benchmarks tbody tr').cells[4].textContent")
            .unwrap(),
        "10"
    );
    tab.back().unwrap();
    tab.wait_for("document.querySelector('#metric').value === ''")
        .unwrap();
    assert_eq!(tab.text(FIRST).unwrap(), "json::parse_value::n10000");
}

fn walk(tab: &mut dyn Tab) {
    for (key, name) in [
        ("j", "json::parse_value::n10000"),
        ("j", "sort::records_sort::n1000"),
        ("ArrowDown", "map::words::w2000"),
        ("k", "sort::records_sort::n1000"),
    ] {
        tab.press(key).unwrap();
        assert_eq!(
            tab.text("document.activeElement.textContent").unwrap(),
            name
        );
    }
    tab.press("Enter").unwrap();
    tab.wait_for(&format!(
        "{TITLE} === 'sort records_sort::n1000:Vec::from(lab::records(1000))'"
    ))
    .unwrap();
    assert_eq!(
        tab.text("document.activeElement.id").unwrap(),
        "benchmark-title"
    );
    assert_eq!(
        tab.text(PART).unwrap(),
        "tab-why",
        "a part that tells something"
    );
    for (key, part) in [
        "metrics",
        "why",
        "flame",
        "functions",
        "source",
        "asm",
        "history",
    ]
    .iter()
    .enumerate()
    {
        tab.press(&(key + 1).to_string()).unwrap();
        assert_eq!(tab.text(PART).unwrap(), format!("tab-{part}"));
        let text = tab
            .text("document.querySelector('#part').innerText")
            .unwrap();
        assert!(
            text.len() > 100 && !text.contains("There is no") && !text.contains("[object"),
            "{part}: {text}"
        );
    }
    tab.press("j").unwrap();
    tab.wait_for(&format!("{TITLE}.startsWith('map words')"))
        .unwrap();
    tab.press("k").unwrap();
    tab.wait_for(&format!("{TITLE}.startsWith('sort records_sort')"))
        .unwrap();
}

const LINE: &str = "document.querySelector('#flame-line').innerText";

fn zoom(tab: &mut dyn Tab) {
    tab.press("3").unwrap();
    tab.value("document.querySelector('canvas').focus()")
        .unwrap();
    assert!(tab.text(LINE).unwrap().starts_with("all new"));
    tab.press("ArrowDown").unwrap();
    tab.press("ArrowDown").unwrap();
    assert!(tab.text(LINE).unwrap().starts_with("lab::sort_records new"));
    tab.press("Enter").unwrap();
    assert!(tab.text(FRAGMENT).unwrap().contains("zoom=2"));
    assert_eq!(
        tab.text("document.querySelector('.crumbs [aria-current]').innerText")
            .unwrap(),
        "lab::sort_records"
    );
    tab.press("Backspace").unwrap();
    assert!(tab.text(FRAGMENT).unwrap().contains("zoom=1"));
    tab.press("Escape").unwrap();
    assert!(!tab.text(FRAGMENT).unwrap().contains("zoom="));
    click(tab, "#part [data-value=old]");
    assert!(!tab.text(LINE).unwrap().contains("new"));
    tab.press("/").unwrap();
    tab.write("malloc").unwrap();
    assert_eq!(
        tab.text("document.querySelector('#part output').textContent")
            .unwrap(),
        "0.0% marked",
        "before, nothing allocated"
    );
    click(tab, "#part [data-value=new]");
    let marked = tab
        .text("document.querySelector('#part output').textContent")
        .unwrap();
    assert!(
        marked.ends_with("% marked") && marked != "0.0% marked",
        "{marked}"
    );
    // The same text selects functions.
    tab.press("Escape").unwrap();
    tab.press("Escape").unwrap();
}

/// Goes to the functions, and through all that was open before. Returns an address on the way.
fn go_back(tab: &mut dyn Tab) -> String {
    tab.press("4").unwrap();
    tab.wait_for(&format!("{PART} === 'tab-functions'"))
        .unwrap();
    let fragment = tab.text(FRAGMENT).unwrap();
    tab.press("Escape").unwrap();
    tab.wait_for(&format!("{FRAGMENT}.includes('b=') === false"))
        .unwrap();
    assert_eq!(
        tab.text("document.activeElement.textContent").unwrap(),
        "sort::records_sort::n1000",
        "the focus is where it was"
    );
    tab.back().unwrap();
    tab.wait_for(&format!(
        "document.querySelector('#part') && {PART} === 'tab-functions'"
    ))
    .unwrap();
    fragment
}

/// From a function to its frames, its lines, its machine code, and from a cause to its line.
fn links(tab: &mut dyn Tab) {
    let closure = "[...document.querySelectorAll('#part tbody tr')].find(row => row.cells[0].innerText.startsWith('lab::sort_records::{closure}'))";
    let link = |tab: &mut dyn Tab, text: &str| {
        tab.press("4").unwrap();
        tab.value(&format!("[...{closure}.querySelectorAll('button')].find(one => one.textContent === '{text}').click()")).unwrap();
    };
    link(tab, "source");
    assert_eq!(tab.text(PART).unwrap(), "tab-source");
    assert!(tab
        .text("document.querySelector('.looked-at').innerText")
        .unwrap()
        .starts_with("lab::sort_records::{closure}"));
    link(tab, "asm");
    assert_eq!(tab.text(PART).unwrap(), "tab-asm");
    assert!(tab
        .text("document.querySelector('#part').innerText")
        .unwrap()
        .contains("call str::to_lowercase"));
    link(tab, "flame");
    assert_eq!(tab.text(PART).unwrap(), "tab-flame");
    assert!(!tab
        .text("document.querySelector('#part output').textContent")
        .unwrap()
        .starts_with("0.0%"));
    tab.press("4").unwrap();
    let left = "[...document.querySelectorAll('#part tbody tr')].filter(row => !row.hidden).length";
    assert_eq!(
        tab.text(left).unwrap(),
        "2",
        "what was marked there selects here: the function, and one that has its name"
    );
    tab.press("2").unwrap();
    click(tab, ".causes .place");
    assert_eq!(tab.text(PART).unwrap(), "tab-source");
    assert!(tab
        .text("document.querySelector('.looked-at').innerText")
        .unwrap()
        .contains("a.name.to_lowercase()"));
}

fn dialog(tab: &mut dyn Tab) {
    let open = "document.querySelector('dialog').open";
    tab.press("?").unwrap();
    assert_eq!(tab.value(open).unwrap(), true);
    tab.press("Escape").unwrap();
    tab.wait_for("!document.querySelector('dialog').open")
        .unwrap();
    assert!(
        tab.text(FRAGMENT).unwrap().contains("b=sort"),
        "the key was for the dialog alone"
    );
}
