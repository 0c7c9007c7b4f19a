//! How late the engine is on this machine: measured durations, and the time to keep back so that all but one in a
//! thousand of them fit in.

use std::time::Duration;

/// What is kept back before anything was measured.
const UNKNOWN: Duration = Duration::from_millis(1);
/// Durations are counted in classes, this many for each doubling.
const PER_DOUBLING: u32 = 4;
/// Classes from one microsecond to a second; longer durations count as a second.
const CLASSES: usize = 20 * PER_DOUBLING as usize + 1;
/// Beyond this many counts old ones fade, so that the reserve follows a machine that changes.
const MOST: u32 = 1 << 17;

/// Durations of one kind: the pauses between two looks at the clock, or the delays of answers to the host.
#[derive(Clone, Debug)]
pub(in crate::search) struct Lateness {
    counts: [u32; CLASSES],
    total: u32,
}

impl Lateness {
    /// Nothing measured yet.
    pub fn new() -> Self {
        Self {
            counts: [0; CLASSES],
            total: 0,
        }
    }

    /// Notes a duration.
    pub fn add(&mut self, duration: Duration) {
        let micros = duration.as_micros().clamp(1, 1 << 20) as f64;
        let class = (micros.log2() * f64::from(PER_DOUBLING)).ceil() as usize;
        self.counts[class] += 1;
        self.total += 1;
        if self.total > MOST {
            self.counts.iter_mut().for_each(|count| *count /= 2);
            self.total = self.counts.iter().sum();
        }
    }

    /// A duration that all but one in a thousand do not exceed.
    pub fn reserve(&self) -> Duration {
        let mut beyond = self.total / 1000;
        for (class, &count) in self.counts.iter().enumerate().rev() {
            if count > beyond {
                let micros = (class as f64 / f64::from(PER_DOUBLING)).exp2();
                return Duration::from_micros(micros.ceil() as u64);
            }
            beyond -= count;
        }
        UNKNOWN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_in_a_thousand_may_be_later() {
        let mut lateness = Lateness::new();
        assert_eq!(lateness.reserve(), UNKNOWN);
        for i in 0..100_000 {
            let is_rare = i % 2000 == 7;
            let micros = if is_rare { 50_000 } else { 100 + i % 100 };
            lateness.add(Duration::from_micros(micros));
            if i == 8 {
                // The longest of few.
                assert!(lateness.reserve() >= Duration::from_micros(50_000));
            }
        }
        let reserve = lateness.reserve().as_micros();
        assert!((199..=240).contains(&reserve), "{reserve}");
    }

    #[test]
    fn what_has_changed_is_forgotten() {
        let mut lateness = Lateness::new();
        for _ in 0..MOST {
            lateness.add(Duration::from_millis(20));
        }
        for _ in 0..16 * MOST {
            lateness.add(Duration::from_micros(30));
        }
        assert!(lateness.reserve() < Duration::from_micros(40));
    }

    #[test]
    fn extremes_are_counted_as_well() {
        let mut lateness = Lateness::new();
        lateness.add(Duration::ZERO);
        assert_eq!(lateness.reserve(), Duration::from_micros(1));
        lateness.add(Duration::MAX);
        assert_eq!(lateness.reserve(), Duration::from_micros(1 << 20));
    }
}
