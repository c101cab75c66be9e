//! Chromium, by the protocol of its developer tools: JSON messages that end with a zero, on two
//! pipes.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{channel, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{bail, ensure, Context, Result};
use serde_json::{json, Value};
use tempfile::TempDir;

use super::browser::{address, program, Tab, PATIENCE};

/// A browser with one tab.
pub struct Chromium {
    process: Child,
    commands: ChildStdin,
    messages: Receiver<Value>,
    /// Events of the tab since it was last asked for them.
    events: Vec<Value>,
    session: Option<String>,
    next: u64,
    /// The profile; it goes with us.
    _profile: TempDir,
}

impl Chromium {
    /// Names of the program, the most usual first.
    pub const NAMES: &[&str] = &[
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
    ];

    /// Starts the browser with a profile of its own and an empty tab.
    pub fn start() -> Result<Self> {
        let program = program(Self::NAMES).context("Chromium is not installed")?;
        let profile = tempfile::Builder::new()
            .prefix("page-chromium-")
            .tempdir()?;
        // The pipes are descriptors 3 and 4. `--no-sandbox`: root, as in CI, has none.
        let mut process = Command::new("sh")
            .args([
                "-c",
                "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1",
                "sh",
            ])
            .arg(program)
            .arg("--remote-debugging-pipe")
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-dev-shm-usage",
            ])
            .args([
                "--disable-background-networking",
                "--disable-extensions",
                "--disable-component-update",
                "about:blank",
            ])
            .env("HOME", profile.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("could not start Chromium")?;
        let commands = process
            .stdin
            .take()
            .context("Chromium has no pipe for commands")?;
        let answers = process
            .stdout
            .take()
            .context("Chromium has no pipe for answers")?;
        let (sender, messages) = channel();
        // Ends with the browser, whose end closes the pipe.
        thread::spawn(move || {
            for message in BufReader::new(answers).split(0).map_while(Result::ok) {
                let Ok(message) = serde_json::from_slice(&message) else {
                    continue;
                };
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut browser = Self {
            process,
            commands,
            messages,
            events: Vec::new(),
            session: None,
            next: 0,
            _profile: profile,
        };
        browser.attach()?;
        Ok(browser)
    }

    fn attach(&mut self) -> Result<()> {
        let target = self.call("Target.createTarget", json!({"url": "about:blank"}))?;
        let attached = self.call(
            "Target.attachToTarget",
            json!({"targetId": target["targetId"], "flatten": true}),
        )?;
        self.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Network", "Log"] {
            self.call(&format!("{domain}.enable"), json!({}))?;
        }
        Ok(())
    }

    /// Calls a method and returns its result.
    pub fn call(&mut self, method: &str, parameters: Value) -> Result<Value> {
        self.next += 1;
        let id = self.next;
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.commands.write_all(format!("{message}\0").as_bytes())?;
        self.commands.flush()?;
        let start = Instant::now();
        loop {
            let message = self.message(method, start)?;
            if message["id"] == id {
                ensure!(
                    message.get("error").is_none(),
                    "`{method}` failed: {}",
                    message["error"]
                );
                return Ok(message["result"].clone());
            }
            self.events.push(message);
        }
    }

    fn message(&mut self, waiting: &str, start: Instant) -> Result<Value> {
        let left = PATIENCE.saturating_sub(start.elapsed());
        let message = self.messages.recv_timeout(left);
        message.with_context(|| format!("Chromium did not answer `{waiting}`"))
    }

    /// Events of these kinds since the last call; all others are forgotten.
    pub fn events(&mut self, kinds: &[&str]) -> Vec<Value> {
        self.events.extend(self.messages.try_iter());
        let mut events = std::mem::take(&mut self.events);
        events.retain(|event| kinds.iter().any(|kind| event["method"] == *kind));
        events
    }

    /// Shows windows of this size, in CSS pixels, with this many pixels of the screen to each.
    pub fn resize(&mut self, width: u32, height: u32, sharp: u32) -> Result<()> {
        let metrics =
            json!({"width": width, "height": height, "deviceScaleFactor": sharp, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", metrics)
            .map(drop)
    }

    /// Prefers dark or light colours, as a setting of the system would.
    pub fn prefer(&mut self, scheme: &str) -> Result<()> {
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.call("Emulation.setEmulatedMedia", features).map(drop)
    }

    /// Writes a picture of the window.
    pub fn screenshot(&mut self, file: &Path) -> Result<()> {
        let picture = self.call(
            "Page.captureScreenshot",
            json!({"format": "png", "optimizeForSpeed": false}),
        )?;
        fs::write(file, base64(&picture["data"])?)
            .with_context(|| format!("cannot write `{}`", file.display()))
    }

    /// The page on paper.
    pub fn pdf(&mut self) -> Result<Vec<u8>> {
        base64(&self.call("Page.printToPDF", json!({"printBackground": false}))?["data"])
    }

    /// Opens a file.
    pub fn open_file(&mut self, file: &Path, fragment: &str) -> Result<()> {
        self.open(&format!("{}{fragment}", address(file)))
    }
}

impl Tab for Chromium {
    fn open(&mut self, address: &str) -> Result<()> {
        // Another fragment alone would load nothing.
        for step in ["about:blank", address] {
            self.events.clear();
            let answer = self.call("Page.navigate", json!({"url": step}))?;
            ensure!(
                answer.get("errorText").is_none(),
                "cannot open `{step}`: {}",
                answer["errorText"]
            );
            let start = Instant::now();
            while !self
                .events
                .iter()
                .any(|event| event["method"] == "Page.loadEventFired")
            {
                let event = self.message("Page.navigate", start)?;
                self.events.push(event);
            }
        }
        Ok(())
    }

    fn value(&mut self, expression: &str) -> Result<Value> {
        let call = json!({"expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true});
        let answer = self.call("Runtime.evaluate", call)?;
        if let Some(trouble) = answer.get("exceptionDetails") {
            bail!(
                "`{expression}` failed: {}",
                trouble["exception"]["description"]
            );
        }
        Ok(answer["result"]
            .get("value")
            .cloned()
            .unwrap_or(Value::Null))
    }

    fn press(&mut self, key: &str) -> Result<()> {
        let (text, code) = match key {
            "Enter" => ("\r", 13),
            "Escape" => ("", 27),
            "Backspace" => ("", 8),
            "Tab" => ("", 9),
            "ArrowLeft" => ("", 37),
            "ArrowUp" => ("", 38),
            "ArrowRight" => ("", 39),
            "ArrowDown" => ("", 40),
            letter => (letter, 0),
        };
        for (kind, text) in [("keyDown", text), ("keyUp", "")] {
            let event =
                json!({"type": kind, "key": key, "text": text, "windowsVirtualKeyCode": code});
            self.call("Input.dispatchKeyEvent", event)?;
        }
        Ok(())
    }

    fn back(&mut self) -> Result<()> {
        self.value("history.back()").map(drop)
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // It ends its processes itself; one that does not is killed.
        self.session = None;
        let message = json!({"id": 0, "method": "Browser.close"});
        let asked = self.commands.write_all(format!("{message}\0").as_bytes());
        let start = Instant::now();
        while asked.is_ok() && start.elapsed() < Duration::from_secs(5) {
            if matches!(self.process.try_wait(), Ok(Some(_))) {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Bytes of a text in base64.
fn base64(text: &Value) -> Result<Vec<u8>> {
    let text = text.as_str().context("the answer has no data")?;
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    let mut bits = 0_u32;
    for (i, letter) in text.bytes().filter(|letter| *letter != b'=').enumerate() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => bail!("the answer has data with `{}`", char::from(letter)),
        };
        bits = bits << 6 | u32::from(value);
        match i % 4 {
            0 => {}
            place => bytes.push((bits >> (6 - 2 * place)) as u8),
        }
    }
    Ok(bytes)
}
