//! The browser's client: what every other test of pages relies on.

use std::fs;
use std::net::TcpListener;

use leyden_tests::browser::{Browser, file_url};

const PAGE: &str = r#"<!doctype html><title>A page</title><style>p { width: 300px; color: rgb(1, 2, 3) }
@media (prefers-color-scheme: dark) { p { color: rgb(4, 5, 6) } }</style>
<p>nothing</p><button>Press</button><script>
document.onkeydown = event => document.querySelector("p").textContent = event.key;
document.querySelector("button").onclick = event => document.querySelector("p").textContent = "pressed " + event.isTrusted;
</script>"#;

#[test]
fn page_is_seen_pressed_and_listened_to() {
    let Some(browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    fs::write(&file, PAGE).unwrap();
    let mut page = browser.open(&file_url(&file));
    assert_eq!(page.eval("document.title"), "A page");
    for key in ["ArrowRight", "Home", "End", " ", "[", "?", "c"] {
        page.key(key);
        assert_eq!(page.text("document.querySelector('p').textContent"), key);
    }
    page.click("button");
    assert_eq!(page.text_of("p"), "pressed true");
    let colour = "getComputedStyle(document.querySelector('p')).color";
    page.media("screen", &[("prefers-color-scheme", "dark")]);
    assert_eq!(page.eval(colour), "rgb(4, 5, 6)");
    page.size(290, 600);
    assert!(page.is_too_wide());
    page.size(1_000, 600);
    assert!(!page.is_too_wide());
    let picture = folder.path().join("page.png");
    page.screenshot(&picture);
    assert!(fs::read(picture).unwrap().starts_with(b"\x89PNG"));
    page.assert_quiet();
    assert_eq!(page.requests().len(), 1);
    page.eval("console.error('no'); new Image().src = 'http://127.0.0.1:1/x'; null");
    page.wait_until("document.images.length === 0");
    assert!(page.complaints()[0].contains("no"));
    assert!(page.requests()[1].ends_with("/x"), "{:?}", page.requests());
}

#[test]
fn browser_waits_for_a_self_reloading_page() {
    let Some(browser) = Browser::start() else { return };
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let picture = format!("http://{}/", silent.local_addr().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    // The picture never comes, so the page loads only after it has reloaded itself.
    let script =
        format!("if (!name) {{ name = 'again'; new Image().src = '{picture}'; location.reload(); }}");
    fs::write(&file, format!("<!doctype html><script>{script}</script><p>read</p>")).unwrap();
    let mut page = browser.open(&file_url(&file));
    assert_eq!(page.text_of("p"), "read");
}
