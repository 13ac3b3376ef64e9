//! A number with its interval, on a scale that all rows of a table share.

use leyden_language::{Language, numbers::plus_minus};
use maud::{Markup, html};

/// The width of the drawing, in its own units.
const WIDTH: f64 = 200.0;
/// Room for marks at both ends.
const INSET: f64 = 6.0;

/// The range of the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    pub low: f64,
    pub high: f64,
}

impl Scale {
    /// Returns a scale with round ends that contains all intervals; `None` if there are none.
    pub fn from_intervals(intervals: impl Iterator<Item = (f64, f64)>) -> Option<Self> {
        let (low, high) = intervals
            .filter(|(low, high)| low.is_finite() && high.is_finite())
            .fold((f64::MAX, f64::MIN), |(low, high), (from, to)| (low.min(from), high.max(to)));
        let step = match high - low {
            spread if spread < 0.0 => return None,
            spread if spread <= 100.0 => 10.0,
            spread if spread <= 600.0 => 20.0,
            _ => 100.0,
        };
        Some(Self { low: (low / step).floor() * step, high: (high / step).ceil() * step })
    }

    fn x(self, value: f64) -> f64 {
        let span = (self.high - self.low).max(1e-9);
        let share = ((value - self.low) / span).clamp(0.0, 1.0);
        ((INSET + share * (WIDTH - 2.0 * INSET)) * 10.0).round() / 10.0
    }
}

/// Draws one row: a point, and the interval `value ± half_width` if it is known.
pub fn whiskers(scale: Scale, value: f64, half_width: Option<f64>, language: Language) -> Markup {
    let (left, right) = (scale.x(scale.low), scale.x(scale.high));
    let label = plus_minus(language.signed(value, 0), half_width.map(|half| language.decimal(half, 0)));
    html! {
        svg class="whiskers" viewBox="0 0 200 20" role="img" aria-label=(label) {
            path class="axis" d={ "M" (left) " 10H" (right) } {}
            @if scale.low < 0.0 && scale.high > 0.0 { path class="zero" d={ "M" (scale.x(0.0)) " 4V16" } {} }
            @if let Some(half) = half_width {
                @let (from, to) = (scale.x(value - half), scale.x(value + half));
                path class="interval" d={ "M" (from) " 10H" (to) "M" (from) " 5V15M" (to) " 5V15" } {}
            }
            circle class="point" cx=(scale.x(value)) cy="10" r="4" {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_has_room_for_every_interval() {
        let scale = Scale::from_intervals([(-41.0, -3.0), (12.0, 55.5)].into_iter()).unwrap();
        assert_eq!(scale, Scale { low: -50.0, high: 60.0 });
        assert_eq!(Scale::from_intervals(std::iter::empty()), None);
        assert_eq!(Scale::from_intervals([(f64::INFINITY, 1.0)].into_iter()), None);
        let drawn = whiskers(scale, 12.0, Some(4.0), Language::English).into_string();
        assert!(drawn.contains("aria-label=\"+12 ± 4\"") && drawn.contains("interval"), "{drawn}");
        let point = whiskers(Scale { low: 0.0, high: 0.0 }, -0.4, None, Language::English).into_string();
        assert!(!point.contains("NaN") && !point.contains("interval"), "{point}");
        assert!(point.contains("aria-label=\"0\""), "{point}");
    }
}
