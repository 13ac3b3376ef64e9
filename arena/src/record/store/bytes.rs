//! Numbers in as few bytes as they need: seven bits a byte, low ones first, the top bit set when more follow (LEB128).

/// The bytes end too early, or encode an impossible number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the bytes are cut off or damaged")]
pub struct TruncatedError;

pub(super) fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

pub(super) fn take_number(bytes: &mut &[u8]) -> Result<u64, TruncatedError> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = take_byte(bytes)?;
        let bits = u64::from(byte & 0x7f);
        if shift == 63 && bits > 1 {
            return Err(TruncatedError);
        }
        number |= bits << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(TruncatedError)
}

pub(super) fn take_byte(bytes: &mut &[u8]) -> Result<u8, TruncatedError> {
    let (&byte, rest) = bytes.split_first().ok_or(TruncatedError)?;
    *bytes = rest;
    Ok(byte)
}

pub(super) fn take_bytes<'a>(bytes: &mut &'a [u8], count: usize) -> Result<&'a [u8], TruncatedError> {
    let (taken, rest) = bytes.split_at_checked(count).ok_or(TruncatedError)?;
    *bytes = rest;
    Ok(taken)
}

/// A length of something whose elements take at least a byte each: never more than the bytes that are left.
pub(super) fn take_count(bytes: &mut &[u8]) -> Result<usize, TruncatedError> {
    let count = usize::try_from(take_number(bytes)?).map_err(|_| TruncatedError)?;
    if count > bytes.len() { Err(TruncatedError) } else { Ok(count) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn number_is_read_back_as_written(number: u64) {
            let mut bytes = Vec::new();
            push_number(&mut bytes, number);
            let mut rest = &*bytes;
            prop_assert_eq!(take_number(&mut rest), Ok(number));
            prop_assert!(rest.is_empty());
            prop_assert_eq!(take_number(&mut &bytes[..bytes.len() - 1]), Err(TruncatedError));
        }
    }

    #[test]
    fn too_large_a_number_is_refused() {
        assert_eq!(take_number(&mut &[0xff; 9][..]), Err(TruncatedError));
        assert_eq!(take_number(&mut &[0xff; 12][..]), Err(TruncatedError));
        assert_eq!(take_count(&mut &[9, 0][..]), Err(TruncatedError));
    }
}
