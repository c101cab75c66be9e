//! Firefox, by Marionette: JSON messages on a socket of this machine, each after its length.

use std::fs;
use std::io::{BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{bail, ensure, Context, Result};
use serde_json::{json, Value};
use tempfile::TempDir;

use super::browser::{address, program, Tab, PATIENCE};

/// Preferences: any free port, and nothing that asks the network or the user.
const PREFERENCES: &str = r#"user_pref("marionette.port", 0);
user_pref("browser.startup.page", 0);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);
user_pref("app.update.enabled", false);
user_pref("app.normandy.enabled", false);
user_pref("extensions.update.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", "data:,");
"#;

/// A browser with one tab.
pub struct Firefox {
    process: Child,
    socket: BufReader<TcpStream>,
    next: u64,
    /// The profile; it goes with us.
    _profile: TempDir,
}

impl Firefox {
    /// Names of the program, the most usual first.
    pub const NAMES: &[&str] = &["firefox-esr", "firefox"];

    /// Starts the browser with a profile of its own.
    pub fn start() -> Result<Self> {
        let program = program(Self::NAMES).context("Firefox is not installed")?;
        let profile = tempfile::Builder::new().prefix("page-firefox-").tempdir()?;
        fs::write(profile.path().join("user.js"), PREFERENCES)?;
        // Firefox would outlive us; the shell ends it when the pipe closes, however we end.
        let mut process = Command::new("sh")
            .args([
                "-c",
                "\"$@\" & firefox=$!; read -r _; kill $firefox; wait $firefox",
                "sh",
            ])
            .arg(program)
            // Messages of the console are asked for in the context of the browser.
            .args(["--headless", "--marionette", "--remote-allow-system-access"])
            .args(["--no-remote", "--profile"])
            .arg(profile.path())
            .env("HOME", profile.path())
            .env("MOZ_CRASHREPORTER_DISABLE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("could not start Firefox")?;
        let socket = match connect(profile.path()) {
            Ok(socket) => socket,
            Err(error) => {
                end(&mut process);
                return Err(error);
            }
        };
        let mut browser = Self {
            process,
            socket: BufReader::new(socket),
            next: 0,
            _profile: profile,
        };
        browser.message().context("Firefox did not greet")?;
        browser.call(
            "WebDriver:NewSession",
            json!({"pageLoadStrategy": "normal"}),
        )?;
        Ok(browser)
    }

    /// Opens a file.
    pub fn open_file(&mut self, file: &Path, fragment: &str) -> Result<()> {
        self.open(&format!("{}{fragment}", address(file)))
    }

    /// Calls a command and returns its result.
    fn call(&mut self, command: &str, parameters: Value) -> Result<Value> {
        self.next += 1;
        let message = json!([0, self.next, command, parameters]).to_string();
        write!(self.socket.get_mut(), "{}:{message}", message.len())?;
        loop {
            let answer = self
                .message()
                .with_context(|| format!("Firefox did not answer `{command}`"))?;
            if answer[1] != self.next {
                continue;
            }
            ensure!(
                answer[2].is_null(),
                "`{command}` failed: {}",
                answer[2]["message"]
            );
            return Ok(answer[3].clone());
        }
    }

    fn message(&mut self) -> Result<Value> {
        let mut length = 0_usize;
        loop {
            let mut byte = [0];
            self.socket.read_exact(&mut byte)?;
            match byte[0] {
                b':' => break,
                digit @ b'0'..=b'9' => length = 10 * length + usize::from(digit - b'0'),
                other => bail!("a message begins with the byte {other}"),
            }
            ensure!(length < 1 << 28, "a message of {length} bytes");
        }
        let mut text = vec![0; length];
        self.socket.read_exact(&mut text)?;
        Ok(serde_json::from_slice(&text)?)
    }

    /// Messages of the console about pages of files, in words.
    pub fn console(&mut self) -> Result<Vec<String>> {
        self.call("Marionette:SetContext", json!({"value": "chrome"}))?;
        let script = "return Services.console.getMessageArray().filter(one => one instanceof Ci.nsIScriptError)
            .filter(one => one.sourceName.startsWith('file:')).map(one => `${one.errorMessage} (line ${one.lineNumber})`)";
        let found = self.call(
            "WebDriver:ExecuteScript",
            json!({"script": script, "args": [], "sandbox": "system"}),
        );
        self.call("Marionette:SetContext", json!({"value": "content"}))?;
        Ok(serde_json::from_value(found?["value"].clone())?)
    }
}

impl Tab for Firefox {
    fn open(&mut self, address: &str) -> Result<()> {
        for step in ["about:blank", address] {
            self.call("WebDriver:Navigate", json!({"url": step}))?;
        }
        Ok(())
    }

    fn value(&mut self, expression: &str) -> Result<Value> {
        // A sandbox sees the document, but no top-level declarations of the page's script.
        let script = format!("return {expression}");
        let answer = self.call(
            "WebDriver:ExecuteScript",
            json!({"script": script, "args": [], "newSandbox": true}),
        )?;
        Ok(answer["value"].clone())
    }

    fn press(&mut self, key: &str) -> Result<()> {
        let code = match key {
            "Enter" => "\u{e007}",
            "Escape" => "\u{e00c}",
            "Backspace" => "\u{e003}",
            "Tab" => "\u{e004}",
            "ArrowLeft" => "\u{e012}",
            "ArrowUp" => "\u{e013}",
            "ArrowRight" => "\u{e014}",
            "ArrowDown" => "\u{e015}",
            letter => letter,
        };
        let steps = ["keyDown", "keyUp"].map(|kind| json!({"type": kind, "value": code}));
        let keyboard = json!({"type": "key", "id": "keyboard", "actions": steps});
        self.call("WebDriver:PerformActions", json!({"actions": [keyboard]}))
            .map(drop)
    }

    fn back(&mut self) -> Result<()> {
        self.call("WebDriver:Back", json!({})).map(drop)
    }
}

impl Drop for Firefox {
    fn drop(&mut self) {
        let _ = self.call("Marionette:Quit", json!({"flags": ["eForceQuit"]}));
        end(&mut self.process);
    }
}

/// Closes the pipe, and waits for the shell to end the browser.
fn end(process: &mut Child) {
    drop(process.stdin.take());
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(10) {
        if matches!(process.try_wait(), Ok(Some(_))) {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    let _ = process.kill();
    let _ = process.wait();
}

/// Waits for the port, which Firefox writes into its profile, and connects.
fn connect(profile: &Path) -> Result<TcpStream> {
    let start = Instant::now();
    loop {
        let port = fs::read_to_string(profile.join("MarionetteActivePort")).ok();
        if let Some(port) = port.and_then(|text| text.trim().parse::<u16>().ok()) {
            if let Ok(socket) = TcpStream::connect(("127.0.0.1", port)) {
                socket.set_read_timeout(Some(PATIENCE))?;
                return Ok(socket);
            }
        }
        ensure!(start.elapsed() < PATIENCE, "Firefox did not open its port");
        thread::sleep(Duration::from_millis(20));
    }
}
