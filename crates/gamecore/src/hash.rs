//! Keys of positions.

use core::hash::Hasher;

/// A full-avalanche mix of 64 bits (the finalizer of `SplitMix64`, Steele, Lea and Flood 2014).
#[inline]
#[must_use]
pub const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The hasher behind [`Game::key`](crate::Game::key).
///
/// Fixed for good, unlike std's: keys decide what a table replaces, and so what a search reports.
#[derive(Clone, Debug, Default)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    #[inline]
    fn finish(&self) -> u64 {
        mix(self.0)
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u64(&mut self, x: u64) {
        self.0 = mix(self.0.wrapping_add(0x9E37_79B9_7F4A_7C15) ^ x);
    }

    // The defaults would go through native-endian bytes: same key on every machine instead.
    #[inline]
    fn write_u8(&mut self, x: u8) {
        self.write_u64(u64::from(x));
    }
    #[inline]
    fn write_u16(&mut self, x: u16) {
        self.write_u64(u64::from(x));
    }
    #[inline]
    fn write_u32(&mut self, x: u32) {
        self.write_u64(u64::from(x));
    }
    #[inline]
    fn write_usize(&mut self, x: usize) {
        self.write_u64(x as u64);
    }
    #[inline]
    fn write_i8(&mut self, x: i8) {
        self.write_u64(x as u64);
    }
    #[inline]
    fn write_i16(&mut self, x: i16) {
        self.write_u64(x as u64);
    }
    #[inline]
    fn write_i32(&mut self, x: i32) {
        self.write_u64(x as u64);
    }
    #[inline]
    fn write_i64(&mut self, x: i64) {
        self.write_u64(x as u64);
    }
    #[inline]
    fn write_isize(&mut self, x: isize) {
        self.write_u64(x as u64);
    }
}
