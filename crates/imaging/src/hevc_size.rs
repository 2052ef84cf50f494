//! The size at which an HEVC picture is coded.

/// Type of the unit that tells the size, a sequence parameter set; six bits of the first byte of a unit.
const SEQUENCE_PARAMETER_SET: u8 = 33;
/// Bytes before what a unit says.
const HEADER_BYTES: usize = 2;
/// Bits of the general profile and level.
const PROFILE_BITS: usize = 88;
const LEVEL_BITS: usize = 8;
/// Most layers in time, for each of which there is room for two flags.
const LAYERS: u32 = 8;
/// The format of chroma whose planes may be coded apart.
const CHROMA_444: u32 = 3;

/// Pixels of the largest picture that the parameter sets allow, before anything is cut from its edges: what decoding costs. None where no set can be read.
///
/// The size that decoders tell is what is left after the cut, which may be a small corner.
pub(crate) fn largest_coded(parameter_sets: &[&[u8]]) -> Option<u64> {
    let sizes = parameter_sets
        .iter()
        .filter(|unit| {
            unit.first()
                .is_some_and(|byte| (byte >> 1) & 0x3f == SEQUENCE_PARAMETER_SET)
        })
        .map(|unit| Bits::of_unit(unit).coded_size());
    let sizes: Option<Vec<(u32, u32)>> = sizes.collect();
    sizes?
        .into_iter()
        .map(|(width, height)| u64::from(width) * u64::from(height))
        .max()
}

/// The bits of a unit, from the most significant of each byte on.
struct Bits {
    bytes: Vec<u8>,
    /// Bits read.
    place: usize,
}

impl Bits {
    /// What a unit says, without the bytes 3 that keep two zeros in it from looking like the start of the next.
    fn of_unit(unit: &[u8]) -> Self {
        let mut bytes: Vec<u8> = Vec::with_capacity(unit.len());
        let mut zeros = 0;
        for &byte in unit.iter().skip(HEADER_BYTES) {
            if zeros >= 2 && byte == 3 {
                zeros = 0;
                continue;
            }
            zeros = if byte == 0 { zeros + 1 } else { 0 };
            bytes.push(byte);
        }
        Self { bytes, place: 0 }
    }

    fn bit(&mut self) -> Option<u32> {
        let byte = self.bytes.get(self.place / 8)?;
        let bit = (byte >> (7 - self.place % 8)) & 1;
        self.place += 1;
        Some(u32::from(bit))
    }

    fn number(&mut self, bits: u32) -> Option<u32> {
        (0..bits).try_fold(0, |number, _| Some((number << 1) | self.bit()?))
    }

    /// A number after as many zeros as it has bits after the first (Exp-Golomb).
    fn long_number(&mut self) -> Option<u32> {
        let mut zeros = 0;
        while self.bit()? == 0 {
            zeros += 1;
        }
        let first = 1_u32.checked_shl(zeros)?;
        Some(first - 1 + self.number(zeros)?)
    }

    /// Width and height in pixels that a sequence parameter set tells.
    fn coded_size(mut self) -> Option<(u32, u32)> {
        self.number(4)?;
        let further_layers = self.number(3)?;
        self.number(1)?;
        self.place += PROFILE_BITS + LEVEL_BITS;
        let mut skipped = 0;
        for _ in 0..further_layers {
            skipped += PROFILE_BITS * self.number(1)? as usize;
            skipped += LEVEL_BITS * self.number(1)? as usize;
        }
        if further_layers > 0 {
            self.number(2 * (LAYERS - further_layers))?;
        }
        self.place += skipped;
        self.long_number()?;
        if self.long_number()? == CHROMA_444 {
            self.number(1)?;
        }
        Some((self.long_number()?, self.long_number()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sequence parameter set without layers whose bits from its number on are told.
    fn parameter_set(bits: &str) -> Vec<u8> {
        let mut unit = vec![0x42, 1, 1];
        // Profile and level, with a byte 3 after each two zeros.
        unit.extend([1, 0x60, 0, 0, 3, 0, 0x90, 0, 0, 3, 0, 0, 3, 0, 0x1e]);
        let bits = format!("{:0<64}", bits.replace(' ', ""));
        let byte = |place| u8::from_str_radix(&bits[place..place + 8], 2).unwrap();
        unit.extend((0..64).step_by(8).map(byte));
        unit
    }

    #[test]
    fn the_size_is_read_before_the_cut() {
        // Set 0, chroma 4:2:0, 64 x 32 pixels; then with chroma 4:4:4 in one.
        let small = parameter_set("1 010 0000001000001 00000100001");
        let other = parameter_set("1 00100 0 0000001000001 00000100001");
        // 16384 x 16384.
        let side = "00000000000000100000000000001";
        let large = parameter_set(&format!("1 010 {side} {side}"));
        let picture_set: &[u8] = &[0x44, 1, 0xc1];
        for (sets, pixels) in [
            (vec![&small[..]], Some(64 * 32)),
            (vec![&other[..]], Some(64 * 32)),
            (vec![picture_set, &small, &large], Some(1 << 28)),
            (vec![&small[..10]], None),
            (vec![&small, &small[..10]], None),
            (vec![picture_set], None),
            (vec![], None),
        ] {
            assert_eq!(largest_coded(&sets), pixels);
        }
    }
}
