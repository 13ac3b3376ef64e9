//! The documents of all pages but the table's and the replay's: the head of one that loads its style and scripts, and one that is a
//! single file without scripts.

use leyden_language::Language;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::LOOK;

/// Builds the head of a document, which loads the look that all pages share, a style sheet and scripts from `assets` below `root`.
pub(crate) fn head(title: &str, root: &str, style: &str, scripts: &[&str], more: &Markup) -> Markup {
    html! {
        head {
            (metas())
            title { (title) " · Leyden Arena" }
            link rel="icon" type="image/svg+xml" href={ (root) "assets/icon.svg" };
            link rel="stylesheet" href={ (root) "assets/look.css" };
            link rel="stylesheet" href={ (root) "assets/" (style) };
            @for script in scripts { script src={ (root) "assets/" (script) } defer {} }
            (more)
        }
    }
}

/// Builds a document that needs no other file and runs no script, with a style sheet beside the look that all pages share.
pub(crate) fn single_file(title: &str, style: &str, body: &Markup, language: Language) -> String {
    let page = html! {
        (DOCTYPE)
        html lang=(language) {
            head {
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'";
                (metas())
                title { (title) " · Leyden Arena" }
                style { (PreEscaped(LOOK)) (PreEscaped(style)) }
            }
            body { main { (body) } }
        }
    };
    page.into_string()
}

fn metas() -> Markup {
    html! {
        meta charset="utf-8";
        meta name="viewport" content="width=device-width, initial-scale=1";
        meta name="color-scheme" content="light dark";
    }
}
