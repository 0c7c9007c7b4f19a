//! Handicaps (手合割) that have a name.

use crate::shogi::Position;
use crate::shogi::sfen::STARTPOS;

/// A handicap: which pieces White (上手) does without. White moves first, but not in an even game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Handicap {
    /// The name in KIF files.
    pub name: &'static str,
    /// The name in JKF files.
    pub preset: &'static str,
    /// White's first two ranks in SFEN.
    pieces: &'static str,
}

/// All of them: the names are those of the KIF definition, the presets those of JKF 1.0.
const HANDICAPS: [Handicap; 16] = [
    Handicap::new("平手", "HIRATE", "lnsgkgsnl/1r5b1"),
    Handicap::new("香落ち", "KY", "lnsgkgsn1/1r5b1"),
    Handicap::new("右香落ち", "KY_R", "1nsgkgsnl/1r5b1"),
    Handicap::new("角落ち", "KA", "lnsgkgsnl/1r7"),
    Handicap::new("飛車落ち", "HI", "lnsgkgsnl/7b1"),
    Handicap::new("飛香落ち", "HIKY", "lnsgkgsn1/7b1"),
    Handicap::new("二枚落ち", "2", "lnsgkgsnl/9"),
    Handicap::new("三枚落ち", "3", "lnsgkgsn1/9"),
    Handicap::new("四枚落ち", "4", "1nsgkgsn1/9"),
    Handicap::new("五枚落ち", "5", "2sgkgsn1/9"),
    Handicap::new("左五枚落ち", "5_L", "1nsgkgs2/9"),
    Handicap::new("六枚落ち", "6", "2sgkgs2/9"),
    Handicap::new("左七枚落ち", "7_L", "2sgkg3/9"),
    Handicap::new("右七枚落ち", "7_R", "3gkgs2/9"),
    Handicap::new("八枚落ち", "8", "3gkg3/9"),
    Handicap::new("十枚落ち", "10", "4k4/9"),
];

impl Handicap {
    const fn new(name: &'static str, preset: &'static str, pieces: &'static str) -> Self {
        Self {
            name,
            preset,
            pieces,
        }
    }

    /// By the name in a KIF file. 飛落ち, 飛車落 and 2枚落ち are understood as well.
    pub fn from_name(name: &str) -> Option<Self> {
        let plain = |name: &str| -> String {
            let digits = name.trim().chars().map(|c| match c {
                '2' | '２' => '二',
                '3' | '３' => '三',
                '4' | '４' => '四',
                '5' | '５' => '五',
                '6' | '６' => '六',
                '7' | '７' => '七',
                '8' | '８' => '八',
                _ => c,
            });
            let digits: String = digits.filter(|&c| c != 'ち' && c != '車').collect();
            digits.replace("10", "十").replace("１０", "十")
        };
        let name = plain(name);
        HANDICAPS
            .into_iter()
            .find(|known| plain(known.name) == name)
    }

    /// By the name in a JKF file.
    pub fn from_preset(preset: &str) -> Option<Self> {
        HANDICAPS.into_iter().find(|known| known.preset == preset)
    }

    /// The handicap that begins with a position.
    pub fn of(position: &Position) -> Option<Self> {
        let sfen = position.sfen();
        HANDICAPS.into_iter().find(|known| known.sfen() == sfen)
    }

    /// Whether it is an even game (平手).
    pub fn is_even(self) -> bool {
        self == HANDICAPS[0]
    }

    /// Where the game begins.
    pub fn position(self) -> Position {
        Position::from_sfen(&self.sfen()).expect("the positions of all handicaps are well formed")
    }

    fn sfen(self) -> String {
        let even = HANDICAPS[0].pieces;
        let sfen = STARTPOS.replacen(even, self.pieces, 1);
        match self.is_even() {
            true => sfen,
            false => sfen.replace(" b ", " w "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::Color;

    #[test]
    fn every_handicap_is_found_by_its_names_and_its_position() {
        for handicap in HANDICAPS {
            assert_eq!(Handicap::from_name(handicap.name), Some(handicap));
            assert_eq!(Handicap::from_preset(handicap.preset), Some(handicap));
            let position = handicap.position();
            assert_eq!(Handicap::of(&position), Some(handicap));
            let is_white_first = position.side_to_move() == Color::White;
            assert_eq!(is_white_first, !handicap.is_even());
        }
    }

    #[test]
    fn names_are_written_in_several_ways() {
        for (name, known) in [
            ("左七枚落ち　　", Some("左七枚落ち")),
            ("２枚落ち", Some("二枚落ち")),
            ("10枚落ち", Some("十枚落ち")),
            ("飛車落", Some("飛車落ち")),
            ("飛落ち", Some("飛車落ち")),
            ("その他", None),
            ("十九枚落ち", None),
        ] {
            let found = Handicap::from_name(name).map(|handicap| handicap.name);
            assert_eq!(found, known, "{name}");
        }
    }
}
