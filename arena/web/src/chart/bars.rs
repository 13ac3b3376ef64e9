//! A histogram.

use maud::{Markup, html};

/// The meaning of a bar, where bars differ in meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarKind {
    Bad,
    Good,
    Neither,
}

/// Bars of equal width from left to right, with a count each.
pub struct Bars<'a> {
    pub counts: &'a [(u64, BarKind)],
    /// The labels below the bars: left, middle, right.
    pub labels: [String; 3],
    /// A description of the chart for screen readers.
    pub title: &'a str,
}

/// Draws the histogram, 260 by 110 units.
pub fn bars(chart: &Bars<'_>) -> Markup {
    let most = chart.counts.iter().map(|(count, _)| *count).max().unwrap_or(0).max(1) as f64;
    let width = 260.0 / chart.counts.len().max(1) as f64;
    let round = |number: f64| (number * 10.0).round() / 10.0;
    let [left, middle, right] = &chart.labels;
    html! {
        svg class="bars" viewBox="0 0 260 110" role="img" aria-label=(chart.title) {
            @for (i, (count, side)) in chart.counts.iter().enumerate() {
                @let height = if *count == 0 { 0.0 } else { (*count as f64 / most * 86.0).max(1.0) };
                @let class = match side { BarKind::Bad => "bad", BarKind::Good => "good", BarKind::Neither => "plain" };
                rect class=(class) x=(round(i as f64 * width + 1.0)) y=(round(90.0 - height))
                    width=(round((width - 2.0).max(0.5))) height=(round(height)) rx="1.5" { title { (count) } }
            }
            path class="axis" d="M0 90.5H260" {}
            text x="2" y="105" { (left) }
            text x="130" y="105" text-anchor="middle" { (middle) }
            text x="258" y="105" text-anchor="end" { (right) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_bar_fills_height_and_empty_has_none() {
        let counts = [(0, BarKind::Bad), (5, BarKind::Good), (10, BarKind::Neither)];
        let labels = ["<a>".to_owned(), String::new(), String::new()];
        let drawn = bars(&Bars { counts: &counts, labels, title: "t" }).into_string();
        assert!(drawn.contains("height=\"86\"") && drawn.contains("height=\"43\""), "{drawn}");
        assert!(drawn.contains("height=\"0\"") && drawn.contains("&lt;a&gt;"), "{drawn}");
        let none = bars(&Bars { counts: &[], labels: Default::default(), title: "t" }).into_string();
        assert!(!none.contains("NaN") && !none.contains("inf"), "{none}");
    }
}
