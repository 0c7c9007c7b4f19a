//! Proof and disproof numbers, and lengths of mates.

use crate::shogi::Hand;

/// The number of what is impossible to prove or disprove.
pub(super) const INFINITE: u32 = u32::MAX >> 2;

/// The greatest number of what is open.
pub(super) const GREATEST: u32 = INFINITE - 1;

/// A depth that is deeper than all.
pub(super) const NEVER: u16 = u16::MAX;

/// A number of plies, or no bound at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Len(u16);

impl Len {
    /// Any length.
    pub const UNBOUNDED: Self = Self(u16::MAX - 1);
    /// Mated now.
    pub const ZERO: Self = Self(0);

    pub fn new(plies: usize) -> Self {
        Self((plies as u16).min(Self::UNBOUNDED.0 - 1))
    }

    /// The number of plies; `None` if there is no bound.
    pub fn plies(self) -> Option<usize> {
        (self != Self::UNBOUNDED).then_some(usize::from(self.0))
    }

    /// One ply less, none being left of none.
    #[inline]
    pub fn shorter(self) -> Self {
        match self {
            Self::UNBOUNDED => self,
            Self(plies) => Self(plies.saturating_sub(1)),
        }
    }

    /// One ply more.
    #[inline]
    pub fn longer(self) -> Self {
        match self {
            Self::UNBOUNDED => self,
            Self(plies) => Self((plies + 1).min(Self::UNBOUNDED.0 - 1)),
        }
    }

    #[inline]
    pub fn pack(len: Option<Self>) -> u16 {
        len.map_or(0, |len| len.0 + 1)
    }

    #[inline]
    pub fn unpack(bits: u16) -> Option<Self> {
        bits.checked_sub(1).map(Self)
    }
}

/// What is known of a position.
///
/// Open as long as both numbers are positive. With `pn == 0` the attacker mates in at most `len` with any hand that
/// contains `hand`; with `dn == 0` there is no mate within `len` with any hand that `hand` contains.
#[derive(Clone, Copy, Debug)]
pub(super) struct PnValue {
    pub pn: u32,
    pub dn: u32,
    pub len: Len,
    pub hand: Hand,
    /// A disproof holds only as long as the positions of the current path from this depth on are not changed:
    /// returning to them counts as failure. [`NEVER`] if it holds anywhere.
    pub since: u16,
}

impl PnValue {
    #[inline]
    pub fn open(pn: u32, dn: u32) -> Self {
        Self {
            pn,
            dn,
            len: Len::ZERO,
            hand: Hand::EMPTY,
            since: NEVER,
        }
    }

    #[inline]
    pub fn proof(len: Len, hand: Hand) -> Self {
        Self {
            pn: 0,
            dn: INFINITE,
            len,
            hand,
            since: NEVER,
        }
    }

    #[inline]
    pub fn disproof(len: Len, hand: Hand) -> Self {
        Self {
            pn: INFINITE,
            dn: 0,
            len,
            hand,
            since: NEVER,
        }
    }

    /// The value if decided, else one with numbers that are not less than these.
    #[inline]
    pub fn at_least(self, pn: u32, dn: u32) -> Self {
        if self.is_open() {
            Self::open(self.pn.max(pn), self.dn.max(dn))
        } else {
            self
        }
    }

    #[inline]
    pub fn is_open(&self) -> bool {
        self.pn != 0 && self.dn != 0
    }
}
