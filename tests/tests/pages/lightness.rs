//! Nothing on a table is shown by colour alone: what must be distinguished differs in lightness, or in shape.

use leyden_tests::browser::{Browser, file_url};
use serde_json::json;

use crate::replays::{Written, picture, played};

/// The contrasts (WCAG 2, 1 to 21) of what must be distinguished. The felt is darker at its edge: the smaller contrast
/// counts.
const CONTRASTS: &str = "(() => {
    const colours = (text) => [...text.matchAll(/rgba?\\(([^)]*)\\)/g)].map((found) => found[1].split(/[, ]+/).map(Number));
    const lightness = (colour) => {
        const [r, g, b] = colour.slice(0, 3).map((part) => part / 255)
            .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const style = (selector, name) => getComputedStyle(document.querySelector(selector))[name];
    const contrast = (one, others) => Math.min(...others.map((other) => {
        const [dark, light] = [lightness(one), lightness(other)].sort((a, b) => a - b);
        return (light + 0.05) / (dark + 0.05);
    }));
    const colour = (selector, name) => colours(style(selector, name))[0];
    const through = (selector, name, behind) => {
        const opacity = Number(style(selector, 'opacity'));
        return colour(selector, name).slice(0, 3).map((part, i) => part * opacity + behind[i] * (1 - opacity));
    };
    const felt = colours(style('.felt', 'backgroundImage'));
    const tile = colour('#table .tile .body', 'fill');
    const surface = [colour('.hand', 'backgroundColor')];
    return {
        'a tile on the felt': Math.max(contrast(tile, felt), contrast(colour('#table .tile .body', 'stroke'), felt)),
        'pips on a tile': contrast(colour('.pips', 'fill'), [tile]),
        'the edge of a matador': contrast(colour('.tile.wild .edge', 'stroke'), [tile]),
        'the tile that was laid last': contrast(colour('#table .tile.last .body', 'stroke'), felt),
        'an open end': contrast(colour('#table .mark-of-end circle', 'stroke'), felt),
        'the round that is shown': contrast(colour('#deals [aria-current]', 'borderTopColor'), surface),
        'the hand that is to act': contrast(colour('.hand.to-act', 'borderTopColor'), surface),
        'a thinking time': contrast(through('#bars i[class*=seat-]:not(.odd)', 'backgroundColor', surface[0]), surface),
    };
})()";

#[test]
fn distinctions_keep_their_contrast_without_colours() {
    let Some(browser) = Browser::start() else { return };
    let written = Written::by_leyden(&played("leyden", 2, 6), &[]);
    let mut page = browser.open(&format!("{}#r1.t12", file_url(&written.page())));
    page.size(1_500, 990);
    page.call("Emulation.setEmulatedVisionDeficiency", json!({ "type": "achromatopsia" }));
    for (medium, scheme) in [("screen", "light"), ("screen", "dark"), ("print", "light")] {
        page.media(medium, &[("prefers-color-scheme", scheme)]);
        page.screenshot(&picture(&format!("grey-{medium}-{scheme}")));
        let found = page.eval(CONTRASTS);
        let found = found.as_object().expect("contrasts");
        let faint: Vec<_> = found
            .iter()
            .filter(|(what, contrast)| {
                contrast
                    .as_f64()
                    .is_none_or(|contrast| contrast < if *what == "pips on a tile" { 4.5 } else { 3.0 })
            })
            .collect();
        assert!(faint.is_empty(), "{medium}, {scheme}: {faint:?} of {found:?}");
    }
}

#[test]
fn seats_and_choices_are_distinguished_by_shape() {
    let Some(browser) = Browser::start() else { return };
    let written = Written::by_leyden(&played("matador", 8, 12), &[]);
    let mut page = browser.open(&format!("{}#r1.t12", file_url(&written.page())));
    let marks = page.eval(
        "(() => {
            const uses = [...document.querySelectorAll('.hand .mark use')];
            return uses.map((use) => document.querySelector(use.getAttribute('href')).getAttribute('d'));
        })()",
    );
    let marks: Vec<&str> = marks.as_array().unwrap().iter().map(|mark| mark.as_str().unwrap()).collect();
    let mut shapes = marks.clone();
    shapes.sort_unstable();
    shapes.dedup();
    assert_eq!((marks.len(), shapes.len()), (8, 8), "{marks:?}");
    // With only one legal action, the bot was not asked.
    for _ in 0..40 {
        if page.eval("document.querySelectorAll('#messages .legal li').length > 1") == json!(true) {
            break;
        }
        page.key("ArrowRight");
    }
    let ticked = page.eval("[...document.querySelectorAll('#messages .legal li')].filter((one) => one.textContent.startsWith('✓')).length");
    assert_eq!(ticked, json!(1));
    let striped =
        "getComputedStyle(document.querySelector('#bars i.odd')).backgroundImage.includes('gradient')";
    assert_eq!(page.eval(striped), json!(true));
    page.assert_quiet();
}
