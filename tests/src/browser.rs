//! A browser with which tests look at pages: Chromium, driven over its debugging protocol.
//!
//! ```no_run
//! use leyden_tests::browser::Browser;
//!
//! let Some(browser) = Browser::start() else { return };
//! let mut page = browser.open("file:///tmp/replay.html");
//! page.key("ArrowRight");
//! assert_eq!(page.eval("location.hash"), "#r0");
//! page.assert_quiet();
//! ```
//!
//! Each browser has its own profile and ends with the value. Everything here waits for minutes rather than rely on luck.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::net::TcpStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use data_encoding::BASE64;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::client_with_config;
use tokio_tungstenite::tungstenite::protocol::{WebSocket, WebSocketConfig};

use crate::patience::Patience;

const MINUTES: Duration = Duration::from_mins(3);

/// Names under which Chromium is installed.
const PROGRAMS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

const FLAGS: [&str; 14] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--remote-debugging-port=0",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-default-apps",
    "--hide-scrollbars",
    "--mute-audio",
    "--force-color-profile=srgb",
];

/// A running Chromium.
pub struct Browser {
    child: Child,
    address: String,
    profile: TempDir,
}

impl Browser {
    /// Starts Chromium; if it is missing, reports on standard error that the test is left out.
    ///
    /// # Panics
    /// If it is installed but does not start.
    pub fn start() -> Option<Self> {
        let Some(program) = installed() else {
            let names = PROGRAMS.join(", ");
            left_out(&format!(
                "none of {names} is installed, so no page was looked at; tests/run installs one"
            ));
            return None;
        };
        let profile = tempfile::tempdir().expect("a folder for the profile");
        let child = Command::new(&program)
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .expect("chromium starts");
        let mut browser = Self { child, address: String::new(), profile };
        browser.address = browser.wait_for_address();
        Some(browser)
    }

    /// The address where it listens: it writes port and path to a file once it does.
    fn wait_for_address(&mut self) -> String {
        let file = self.profile.path().join("DevToolsActivePort");
        let mut patience = Patience::new(MINUTES);
        loop {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            if let Some((port, path)) = text.trim_end().split_once('\n') {
                return format!("ws://127.0.0.1:{port}{path}");
            }
            let ended = self.child.try_wait().expect("chromium can be waited for");
            assert!(ended.is_none(), "chromium has ended: {ended:?}");
            assert!(patience.waits(), "chromium does not say where it listens");
        }
    }

    /// An empty page of 1,280 by 900.
    pub fn page(&self) -> Page {
        let mut page = Page::connect(&self.address);
        page.size(1_280, 900);
        page
    }

    /// A page that has loaded this address.
    pub fn open(&self, url: &str) -> Page {
        let mut page = self.page();
        page.go(url);
        page
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if let Some(group) = rustix::process::Pid::from_raw(self.child.id() as i32) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

/// Reports that something was not tested, bypassing the test harness, which shows only the output of failing tests.
pub fn left_out(why: &str) {
    let _ = writeln!(std::io::stderr(), "LEFT OUT: {why}");
}

fn installed() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<_> = std::env::split_paths(&path).collect();
    let all = PROGRAMS.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    all.into_iter().find(|program| program.is_file())
}

/// The address of a file.
pub fn file_url(path: &Path) -> String {
    format!("file://{}", path.canonicalize().expect("the file is there").display())
}

/// A page of a browser.
pub struct Page {
    socket: WebSocket<TcpStream>,
    session: Option<String>,
    last_id: u64,
    events: Vec<Value>,
    width: u32,
}

/// Whether an expression has no answer because its page was left.
fn is_of_leaving(error: &Value) -> bool {
    let message = error["message"].as_str().unwrap_or_default();
    message.contains("navigated or closed") || message.contains("context")
}

impl Page {
    fn connect(address: &str) -> Self {
        let host = address.trim_start_matches("ws://").split('/').next().unwrap_or_default();
        let stream = TcpStream::connect(host).expect("chromium listens");
        stream.set_read_timeout(Some(MINUTES)).expect("a socket that waits");
        let limits = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        let (socket, _) = client_with_config(address, stream, Some(limits)).expect("chromium answers");
        let mut page = Self { socket, session: None, last_id: 0, events: Vec::new(), width: 0 };
        let target = page.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = page.call("Target.attachToTarget", attach);
        page.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page.enable", "Runtime.enable", "Log.enable", "Network.enable"] {
            page.call(domain, json!({}));
        }
        page.call("Page.setLifecycleEventsEnabled", json!({ "enabled": true }));
        page
    }

    /// Calls a method of the protocol and returns its result.
    ///
    /// # Panics
    /// If it is refused, or no answer comes for minutes.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.try_call(method, parameters).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// The same with the browser's refusal as an error.
    fn try_call(&mut self, method: &str, parameters: Value) -> Result<Value, Value> {
        self.last_id += 1;
        let id = self.last_id;
        let mut message = json!({ "id": id, "method": method });
        message["params"] = parameters;
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.socket.send(Message::text(message.to_string())).expect("chromium listens");
        loop {
            let answer = self.next_message(method);
            if answer["id"] == json!(id) {
                let refused = answer.get("error").cloned();
                return refused.map_or_else(|| Ok(answer["result"].clone()), Err);
            }
            self.events.push(answer);
        }
    }

    /// The next message of the browser.
    fn next_message(&mut self, awaited: &str) -> Value {
        loop {
            let message =
                self.socket.read().unwrap_or_else(|error| panic!("{awaited} does not come: {error}"));
            if let Message::Text(text) = message {
                return serde_json::from_str(&text).expect("chromium speaks JSON");
            }
        }
    }

    /// Waits until the page of a navigation is loaded, or what it goes on to, for it may reload itself before that. The page of an
    /// earlier click may still be on its way, so only what follows this page's first event counts.
    fn wait_until_loaded(&mut self, went: &Value) {
        let is_lifecycle = |event: &Value| event["method"] == "Page.lifecycleEvent";
        let is_loaded = |events: &[Value]| {
            let stages = events.iter().filter(|event| is_lifecycle(event)).map(|event| &event["params"]);
            let mut own = stages
                .filter(|stage| stage["frameId"] == went["frameId"])
                .skip_while(|stage| stage["loaderId"] != went["loaderId"]);
            own.any(|stage| stage["name"] == "load")
        };
        while !is_loaded(&self.events) {
            let event = self.next_message("Page.lifecycleEvent");
            self.events.push(event);
        }
        self.events.retain(|event| !is_lifecycle(event));
    }

    /// Loads an address and waits until it has loaded.
    pub fn go(&mut self, url: &str) {
        let mut went = self.call("Page.navigate", json!({ "url": url }));
        // A page that reloads itself may do so just now, and the browser then goes there instead.
        for _ in 0..20 {
            if went.get("errorText").is_none_or(|error| error != "net::ERR_ABORTED") {
                break;
            }
            went = self.call("Page.navigate", json!({ "url": url }));
        }
        assert!(went.get("errorText").is_none(), "{url}: {}", went["errorText"]);
        if went.get("loaderId").is_some() {
            self.wait_until_loaded(&went);
        }
    }

    /// The value of an expression; promises are awaited.
    ///
    /// # Panics
    /// If it throws.
    pub fn eval(&mut self, expression: &str) -> Value {
        self.try_eval(expression).unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// The same with the browser's refusal as an error, for example if the page was left.
    fn try_eval(&mut self, expression: &str) -> Result<Value, Value> {
        let parameters = json!({
            "expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true
        });
        let result = self.try_call("Runtime.evaluate", parameters)?;
        let thrown = result.get("exceptionDetails");
        assert!(thrown.is_none(), "{expression}: {}", result["exceptionDetails"]);
        Ok(result["result"]["value"].clone())
    }

    /// The text of an expression's value; empty if it has none.
    pub fn text(&mut self, expression: &str) -> String {
        self.eval(expression).as_str().unwrap_or_default().to_owned()
    }

    /// The text of the first element that matches a selector.
    pub fn text_of(&mut self, selector: &str) -> String {
        self.text(&format!("document.querySelector({}).innerText", json!(selector)))
    }

    /// Waits until an expression is true.
    ///
    /// # Panics
    /// If it does not become true for minutes.
    pub fn wait_until(&mut self, expression: &str) {
        let mut patience = Patience::new(MINUTES);
        loop {
            match self.try_eval(expression) {
                Ok(Value::Bool(true)) => return,
                Ok(_) => {}
                // A link was followed: the next page is asked.
                Err(error) if is_of_leaving(&error) => {}
                Err(error) => panic!("{expression}: {error}"),
            }
            assert!(patience.waits(), "never true: {expression}");
        }
    }

    /// Presses and releases a key, named as in a `KeyboardEvent`: `ArrowRight`, `Home`, `f`, `?`, ` `.
    pub fn key(&mut self, key: &str) {
        let is_text = key.chars().count() == 1;
        let code = match key {
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            "Home" => 36,
            "End" => 35,
            "Escape" => 27,
            "Enter" => 13,
            "Tab" => 9,
            _ => key.to_uppercase().bytes().next().map_or(0, i64::from),
        };
        let text = if key == "Enter" {
            "\r"
        } else if is_text {
            key
        } else {
            ""
        };
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({ "type": kind, "key": key, "windowsVirtualKeyCode": code });
            if !text.is_empty() && kind == "keyDown" {
                event["text"] = json!(text);
            }
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Scrolls the first element that matches a selector into view and clicks its middle.
    ///
    /// # Panics
    /// If there is none, or it has no size.
    pub fn click(&mut self, selector: &str) {
        let middle = self.eval(&format!(
            "(() => {{ const e = document.querySelector({}); if (!e) return null;
               e.scrollIntoView({{ block: 'center', behavior: 'instant' }});
               const r = e.getBoundingClientRect();
               return r.width && r.height ? [r.x + r.width / 2, r.y + r.height / 2] : null; }})()",
            json!(selector)
        ));
        assert!(middle.is_array(), "nothing to click at {selector}");
        for kind in ["mousePressed", "mouseReleased"] {
            let event =
                json!({ "type": kind, "x": middle[0], "y": middle[1], "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Sets the size of the window in pixels; below 600 it is that of a phone.
    pub fn size(&mut self, width: u32, height: u32) {
        self.width = width;
        let metrics =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// Sets media features such as `("prefers-color-scheme", "dark")`, and the medium: "screen" or "print".
    pub fn media(&mut self, medium: &str, features: &[(&str, &str)]) {
        let features: Vec<Value> =
            features.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
        self.call("Emulation.setEmulatedMedia", json!({ "media": medium, "features": features }));
    }

    /// Writes a picture of the window as PNG, or as WebP, which is smaller, if the file's name ends in it.
    pub fn screenshot(&mut self, path: &Path) {
        let is_webp = path.extension().is_some_and(|extension| extension == "webp");
        let format =
            if is_webp { json!({ "format": "webp", "quality": 85 }) } else { json!({ "format": "png" }) };
        let taken = self.call("Page.captureScreenshot", format);
        let bytes = BASE64.decode(taken["data"].as_str().expect("a picture").as_bytes()).expect("base64");
        std::fs::write(path, bytes).expect("the picture can be written");
    }

    /// Serious accessibility violations found by axe-core; `None`, with a report, if it is not installed.
    ///
    /// # Panics
    /// If the page does not answer.
    pub fn violations(&mut self) -> Option<Vec<String>> {
        let axe =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/axe/node_modules/axe-core/axe.min.js");
        let Ok(axe) = std::fs::read_to_string(&axe) else {
            left_out("axe-core is not installed, so nothing was checked with it; tests/run installs it");
            return None;
        };
        self.eval(&format!("{axe}; null"));
        let found = self.eval(
            "axe.run(document, { resultTypes: ['violations'], preload: false }).then(({ violations }) => violations
                .filter(({ impact }) => impact === 'serious' || impact === 'critical')
                .map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => html.slice(0, 200) + failureSummary)}`))",
        );
        Some(found.as_array().expect("a list").iter().map(ToString::to_string).collect())
    }

    /// Requests pages in these languages, as `Accept-Language` lists them.
    pub fn speak(&mut self, languages: &str) {
        self.call("Network.setExtraHTTPHeaders", json!({ "headers": { "Accept-Language": languages } }));
    }

    /// Every text with a word on the page, shown now or later, and every label and title; but not code, keys and names of bots.
    pub fn texts(&mut self) -> BTreeSet<String> {
        let texts = self.eval(
            "(() => {
                const texts = [document.title];
                const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
                while (walker.nextNode()) {
                    const { parentElement, data } = walker.currentNode;
                    if (!parentElement.closest('script, style, code, kbd, bdi, pre, .mono')) texts.push(data);
                }
                for (const element of document.querySelectorAll('[aria-label], [title]')) {
                    texts.push(element.getAttribute('aria-label') ?? '', element.getAttribute('title') ?? '');
                }
                return texts.map((text) => text.trim().replace(/\\s+/g, ' ')).filter((text) => /\\p{L}{2}/u.test(text));
            })()",
        );
        serde_json::from_value(texts).expect("a list of texts")
    }

    /// Whether something reaches beyond the window's width, so that the page scrolls sideways.
    pub fn is_too_wide(&mut self) -> bool {
        let width = self.width;
        self.eval(&format!("document.documentElement.scrollWidth > {width}")) == json!(true)
    }

    /// Every address that the page has requested so far.
    pub fn requests(&mut self) -> Vec<String> {
        self.eval("1"); // what was under way has arrived with the answer
        let sent = self.events.iter().filter(|event| event["method"] == "Network.requestWillBeSent");
        sent.filter_map(|event| event["params"]["request"]["url"].as_str().map(str::to_owned)).collect()
    }

    /// Errors and warnings of the console, and uncaught exceptions.
    pub fn complaints(&mut self) -> Vec<String> {
        self.eval("1");
        let complaint = |event: &Value| {
            let parameters = &event["params"];
            let is_bad = |level: &Value| matches!(level.as_str(), Some("error" | "warning" | "assert"));
            match event["method"].as_str()? {
                "Runtime.exceptionThrown" => Some(parameters["exceptionDetails"].to_string()),
                "Runtime.consoleAPICalled" if is_bad(&parameters["type"]) => Some(parameters.to_string()),
                "Log.entryAdded" if is_bad(&parameters["entry"]["level"]) => Some(parameters.to_string()),
                "Page.javascriptDialogOpening" => Some(format!("a dialog: {}", parameters["message"])),
                _ => None,
            }
        };
        self.events.iter().filter_map(complaint).collect()
    }

    /// # Panics
    /// If the console holds an error or a warning, or a dialog was opened.
    pub fn assert_quiet(&mut self) {
        let complaints = self.complaints();
        assert!(complaints.is_empty(), "{complaints:#?}");
    }
}
