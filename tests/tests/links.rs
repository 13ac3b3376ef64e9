//! Links in the pages of the repository lead to files and headings that exist.

use std::fs;
use std::path::{Path, PathBuf};

/// Every Markdown page below a folder, except what is built or hidden.
fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if path.is_dir() && !name.starts_with('.') && !["target", "build", "node_modules"].contains(&&*name) {
            pages(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "md") {
            found.push(path);
        }
    }
}

/// The targets of a page's links, without those of code blocks.
fn links(page: &str) -> Vec<&str> {
    let prose = page.split("```").step_by(2);
    let links = prose.flat_map(|part| part.split("](").skip(1)).filter_map(|rest| rest.split(')').next());
    links.filter(|link| !link.contains("://") && !link.contains(char::is_whitespace)).collect()
}

/// The anchor that a heading gets: lower-case, with hyphens for spaces, without punctuation.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter(|char| char.is_alphanumeric() || "-_ ".contains(*char));
    kept.map(|char| if char == ' ' { '-' } else { char }).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut all = Vec::new();
    pages(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut all);
    let mut count = 0;
    for path in &all {
        let page = fs::read_to_string(path).unwrap();
        for link in links(&page) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path.clone() } else { path.with_file_name("").join(file) };
            assert!(target.exists(), "{} links to {link}", path.display());
            if !heading.is_empty() && target.extension().is_some_and(|kind| kind == "md") {
                let text = fs::read_to_string(&target).unwrap();
                let mut headings = text.lines().filter(|line| line.starts_with('#')).map(anchor);
                assert!(headings.any(|anchor| anchor == heading), "{} links to {link}", path.display());
            }
            count += 1;
        }
    }
    assert!(all.len() > 20 && count > 100, "{count} links on {} pages", all.len());
}
