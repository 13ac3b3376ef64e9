//! Arithmetic with the same results on every machine; a system's mathematics library does not promise that.

/// e to the power of `x`, to about six digits, by additions and multiplications alone.
pub fn exp(x: f32) -> f32 {
    let powers = (x.clamp(-80.0, 80.0)) * std::f32::consts::LOG2_E;
    let whole = powers.round();
    let rest = (powers - whole) * std::f32::consts::LN_2;
    // The Taylor series of the exponential, for at most half of ln 2 in either direction.
    let series = 1.0 + rest * (1.0 + rest * (0.5 + rest * (1.0 / 6.0 + rest * (1.0 / 24.0 + rest / 120.0))));
    series * f32::from_bits(((whole as i32 + 127) as u32) << 23)
}

/// The natural logarithm of a positive number, to about six digits.
pub fn ln(x: f32) -> f32 {
    let bits = x.max(f32::MIN_POSITIVE).to_bits();
    let mut exponent = (bits >> 23) as i32 - 127;
    let mut part = f32::from_bits((bits & 0x007f_ffff) | 0x3f80_0000);
    if part > std::f32::consts::SQRT_2 {
        part *= 0.5;
        exponent += 1;
    }
    // The series of artanh; twice that is the logarithm.
    let t = (part - 1.0) / (part + 1.0);
    let square = t * t;
    let series =
        2.0 * t * (1.0 + square * (1.0 / 3.0 + square * (0.2 + square * (1.0 / 7.0 + square / 9.0))));
    series + exponent as f32 * std::f32::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_and_ln_are_near_the_standard_ones() {
        for step in -700..700 {
            let x = step as f32 / 10.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 2e-5, "{x}");
            assert!((ln(exp(x)) - x).abs() < 1e-4, "{x}");
        }
        assert_eq!((exp(0.0), ln(1.0)), (1.0, 0.0));
    }
}
