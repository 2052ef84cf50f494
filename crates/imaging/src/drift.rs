//! How rules fall from strip to strip, told before any rule is followed.
//!
//! Rules that are followed from a wrong start lead into writing and printed numbers. But most peaks of a strip have their like in the
//! strips after it, all shifted alike: the shift that most pairs of peaks have is the fall of the rules there.

use crate::rules::Peaks;

/// Strips from one peak to the other of a pair.
const LAG: usize = 3;
/// Largest shift between them, in pixels: rows are higher than that and a half.
const MOST_SHIFT: usize = 10;
/// Bands across the rules, each with a fall of its own: in perspective rules are not parallel.
const BANDS: usize = 4;
/// Strength up to which a peak counts: a rule is not more than one rule.
const MOST_STRENGTH: f32 = 20.0;

/// How often each shift was seen, in steps of a pixel.
type Shifts = [f32; 2 * MOST_SHIFT + 1];

/// The usual change of a rule's offset from a strip to the next one, by place.
#[derive(Debug, Clone)]
pub(crate) struct Drift {
    /// By strip, in the middle of each band.
    falls: Vec<[f32; BANDS]>,
    /// Width of a band, in pixels.
    band: f32,
}

impl Drift {
    /// The drift of the peaks of successive strips; `size` is the length of a strip across the rules.
    pub(crate) fn of(peaks: &Peaks, size: f32) -> Self {
        /// Strips on each side whose pairs count for a strip, and the part that those of the whole band and of the whole page count.
        const NEAR: usize = 6;
        const BAND_PART: f32 = 0.1;
        const PAGE_PART: f32 = 0.03;
        let band = (size / BANDS as f32).max(1.0);
        let pairs: Vec<[Shifts; BANDS]> = (0..peaks.len())
            .map(|strip| match peaks.get(strip + LAG) {
                Some(after) => pair_shifts(&peaks[strip], after, band),
                None => [Shifts::default(); BANDS],
            })
            .collect();
        let whole = sum(&pairs);
        let page = whole.iter().fold(Shifts::default(), |mut page, shifts| {
            add(&mut page, shifts, 1.0);
            page
        });
        let falls = (0..peaks.len())
            .map(|strip| {
                let near = strip.saturating_sub(NEAR + LAG / 2)..(strip + NEAR).min(pairs.len());
                let mut here = sum(&pairs[near]);
                for (here, whole) in here.iter_mut().zip(&whole) {
                    add(here, whole, BAND_PART);
                    add(here, &page, PAGE_PART);
                }
                here.map(|shifts| likeliest(&shifts) / LAG as f32)
            })
            .collect();
        Self { falls, band }
    }

    /// Offset change per strip at an offset in a strip.
    pub(crate) fn at(&self, strip: usize, offset: f32) -> f32 {
        let Some(falls) = self.falls.get(strip) else {
            return 0.0;
        };
        let place = (offset / self.band - 0.5).clamp(0.0, (BANDS - 1) as f32);
        let (first, part) = (place as usize, place.fract());
        let next = (first + 1).min(BANDS - 1);
        falls[first] * (1.0 - part) + falls[next] * part
    }
}

/// The shifts of all pairs of peaks, by the band of the first.
fn pair_shifts(peaks: &[(f32, f32)], after: &[(f32, f32)], band: f32) -> [Shifts; BANDS] {
    const MOST: f32 = MOST_SHIFT as f32;
    let mut pairs = [Shifts::default(); BANDS];
    for &(offset, strength) in peaks {
        let shifts = &mut pairs[((offset / band) as usize).min(BANDS - 1)];
        let first = after.partition_point(|peak| peak.0 <= offset - MOST);
        for &(other, other_strength) in &after[first..] {
            let shift = other - offset + MOST;
            if shift >= 2.0 * MOST {
                break;
            }
            let weight = strength.min(other_strength).min(MOST_STRENGTH);
            let (step, part) = (shift as usize, shift.fract());
            shifts[step] += weight * (1.0 - part);
            shifts[step + 1] += weight * part;
        }
    }
    pairs
}

fn sum(pairs: &[[Shifts; BANDS]]) -> [Shifts; BANDS] {
    let mut all = [Shifts::default(); BANDS];
    for here in pairs {
        for (all, shifts) in all.iter_mut().zip(here) {
            add(all, shifts, 1.0);
        }
    }
    all
}

fn add(sum: &mut Shifts, shifts: &Shifts, weight: f32) {
    for (sum, shift) in sum.iter_mut().zip(shifts) {
        *sum += weight * shift;
    }
}

/// The shift seen most, between the steps; the smaller of equals.
fn likeliest(shifts: &Shifts) -> f32 {
    let about = |step: usize| shifts[step - 1] + shifts[step] + shifts[step + 1];
    let away = |step: usize| step.abs_diff(MOST_SHIFT);
    let best = (1..shifts.len() - 1)
        .max_by(|&a, &b| about(a).total_cmp(&about(b)).then(away(b).cmp(&away(a))));
    let Some(best) = best.filter(|&best| about(best) > 0.0) else {
        return 0.0;
    };
    let middle = (shifts[best + 1] - shifts[best - 1]) / about(best);
    best as f32 - MOST_SHIFT as f32 + middle
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Peaks of rules at these offsets in the first strip, that fall by `fall` pixels a strip for each pixel of offset and `base` more.
    fn rules(offsets: &[f32], base: f32, fall: f32) -> Peaks {
        (0..30)
            .map(|strip| {
                let at = |offset: &f32| (offset + (base + fall * offset) * strip as f32, 30.0);
                offsets.iter().map(at).collect()
            })
            .collect()
    }

    #[test]
    fn rules_tell_their_fall() {
        let offsets: Vec<f32> = (1..30).map(|row| 40.0 * row as f32).collect();
        for (base, fall) in [(0.0, 0.0), (1.5, 0.0), (-2.4, 0.0), (-1.0, 0.002)] {
            let drift = Drift::of(&rules(&offsets, base, fall), 1200.0);
            for (strip, offset) in [(0, 200.0), (10, 600.0), (20, 1000.0)] {
                let expected = base + fall * offset / (1.0 + fall * strip as f32);
                let found = drift.at(strip, offset);
                assert!(
                    (found - expected).abs() < 0.3,
                    "{base} {fall} at {strip}, {offset}: {found}"
                );
            }
        }
    }

    #[test]
    fn where_nothing_is_seen_nothing_falls() {
        let drift = Drift::of(&vec![Vec::new(); 5], 1000.0);
        assert_eq!(drift.at(2, 500.0), 0.0);
        assert_eq!(Drift::of(&Vec::new(), 0.0).at(7, 3.0), 0.0);
    }
}
