//! Mixing numbers into keys.

/// Hashes a number to 64 well-mixed bits (the finaliser of SplitMix64, Steele, Lea and Flood 2014).
#[inline]
pub const fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Hashes a text, to the same number on every machine and in every version.
pub fn hash_text(text: &str) -> u64 {
    text.bytes().fold(mix(text.len() as u64), |hash, byte| mix(hash ^ u64::from(byte)))
}
