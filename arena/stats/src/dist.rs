//! Two distributions: the normal distribution and Student's t.

use statrs::distribution::{Continuous, ContinuousCDF, StudentsT};
use statrs::function::erf;

/// The two-sided 95 % quantile of the normal distribution.
pub(crate) const Z_95: f64 = 1.959_963_984_540_054;

/// Φ, the distribution function of the standard normal.
pub(crate) fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

/// P(|Z| > x) of a standard normal, for x >= 0.
pub(crate) fn normal_two_sided(x: f64) -> f64 {
    libm::erfc(x / std::f64::consts::SQRT_2)
}

/// From this many degrees of freedom on, the expansion alone is accurate to ten digits.
const MANY_DEGREES: u64 = 10_000;

/// The two-sided quantile of Student's t: the c with P(|T| > c) = `tail`, for 0 < `tail` < 1 and at least one
/// degree of freedom.
///
/// The expansion in 1/degrees (Abramowitz and Stegun 26.7.5) is the starting point and, for many degrees, the result.
/// Otherwise Newton's method refines it on the logarithms of tail and quantile, where the tail is nearly a line. (The inverse
/// in statrs 0.19 does not return at 10⁹ degrees.)
pub(crate) fn t_two_sided(tail: f64, degrees: u64) -> f64 {
    let degrees = degrees.max(1);
    let (z, n) = (std::f64::consts::SQRT_2 * erf::erfc_inv(tail), degrees as f64);
    let z3 = z * z * z;
    let mut c = z + (z3 + z) / (4.0 * n) + (5.0 * z * z * z3 + 16.0 * z3 + 3.0 * z) / (96.0 * n * n);
    if degrees >= MANY_DEGREES {
        return c;
    }
    let Ok(student) = StudentsT::new(0.0, 1.0, n) else { return f64::INFINITY };
    for _ in 0..50 {
        let above = student.cdf(-c);
        let step = libm::log(2.0 * above / tail) * above / (c * student.pdf(c));
        if !step.is_finite() {
            break;
        }
        c *= libm::exp(step);
        if step.abs() < 1e-14 {
            break;
        }
    }
    c
}

/// The distribution function of Student's t at `degrees` (at least one) degrees of freedom.
///
/// For many degrees it uses the normal approximation of Abramowitz and Stegun 26.7.8, accurate to ten digits there.
pub(crate) fn t_cdf(x: f64, degrees: u64) -> f64 {
    let n = degrees.max(1) as f64;
    if x == 0.0 || x.is_infinite() {
        return if x == 0.0 { 0.5 } else { f64::from(u8::from(x > 0.0)) };
    }
    match StudentsT::new(0.0, 1.0, n) {
        Ok(student) if degrees < MANY_DEGREES => student.cdf(x),
        _ => normal_cdf(x * (1.0 - 1.0 / (4.0 * n)) / (1.0 + x * x / (2.0 * n)).sqrt()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quantile and distribution function are inverse to each other, also where the approximation starts.
    #[test]
    fn students_distribution_is_the_inverse_of_its_quantile() {
        for degrees in [1, 2, 9, 99, 9_999, 10_000, 1_000_000] {
            for tail in [0.5, 0.05, 1e-3] {
                let c = t_two_sided(tail, degrees);
                assert!((t_cdf(c, degrees) - (1.0 - tail / 2.0)).abs() < 1e-8, "{degrees} {tail}");
                assert!((t_cdf(-c, degrees) - tail / 2.0).abs() < 1e-8, "{degrees} {tail}");
            }
            for (x, expected) in [(f64::NEG_INFINITY, 0.0), (0.0, 0.5), (f64::INFINITY, 1.0)] {
                assert!((t_cdf(x, degrees) - expected).abs() < 1e-15, "{degrees} {x}");
            }
        }
    }

    /// Quantiles from R's `qt(1 - tail/2, df)`, and those that the rating vectors use.
    #[test]
    fn quantiles_agree_with_those_of_r() {
        for (tail, degrees, expected) in [
            (0.05, 1, 12.706_204_736_432_1),
            (0.05, 2, 4.302_652_729_911_28),
            (0.05, 3, 3.182_446_305_283_71),
            (0.05, 4, 2.776_445_105_197_79),
            (0.05, 5, 2.570_581_835_636_31),
            (0.05, 7, 2.364_624_251_592_78),
            (0.05, 9, 2.262_157_162_740_99),
            (0.05, 99, 1.984_216_951_508_68),
            (0.01, 9, 3.249_835_544_015_52),
            (0.05, 1_000_000_000, Z_95),
        ] {
            let got = t_two_sided(tail, degrees);
            assert!((got - expected).abs() < 1e-8, "t({tail}, {degrees}) = {got}, not {expected}");
        }
    }

    #[test]
    fn far_tails_invert_the_distribution_function() {
        for degrees in [1, 3, 9, 99, 4_999] {
            for tail in [0.05, 1e-3, 0.05 / 999.0, 0.05 / 499_500.0] {
                let c = t_two_sided(tail, degrees);
                let student = StudentsT::new(0.0, 1.0, degrees as f64).expect("sane parameters");
                let back = 2.0 * student.cdf(-c);
                assert!((back / tail - 1.0).abs() < 1e-9, "{degrees} {tail} {c} {back}");
            }
        }
    }

    /// There is no jump where the expansion takes over.
    #[test]
    fn expansion_meets_the_iteration() {
        for tail in [0.05, 1e-7] {
            let (below, above) = (t_two_sided(tail, MANY_DEGREES - 1), t_two_sided(tail, MANY_DEGREES));
            assert!(above < below && below - above < 1e-6, "{below} {above}");
        }
    }

    #[test]
    fn normal_is_symmetric_and_known() {
        assert!((normal_cdf(Z_95) - 0.975).abs() < 1e-15);
        assert!((normal_cdf(1.0) + normal_cdf(-1.0) - 1.0).abs() < 1e-15);
    }
}
