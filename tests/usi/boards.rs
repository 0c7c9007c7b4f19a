//! Positions that tests of the protocol share, and what a `position` command leads to.

use crate::common::slow::Board;

pub const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
/// Mate in one by a gold drop.
pub const MATE1: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1";
/// The same without a king for the attacker.
pub const MATE1K: &str = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
/// The same without any piece for the defender.
pub const MATE1D: &str = "4k4/9/4P4/9/9/9/9/9/9 b G 1";
pub const MATE3: &str = "7k1/9/5+R3/6pl1/9/9/9/9/4K4 b RG 1";
pub const NOMATE: &str = "4k4/9/9/9/9/9/9/9/4K4 b P2r2b4g4s4n4l17p 1";
pub const MATED: &str = "4k4/4G4/4P4/9/9/9/9/9/4K4 w 2r2b3g4s4n4l17p 1";
/// No move, but no check either.
pub const STUCK: &str = "8k/6+R2/9/9/9/9/9/9/K8 w - 1";
/// One legal move, 1a2a.
pub const ONE: &str = "8k/9/7G1/9/9/9/9/9/K8 w - 1";
/// A declaration with more than enough points for Black.
pub const DECL: &str = "4K4/+R+RGGGGSSS/2S6/9/9/9/9/9/4k4 b 2B4N4L18P 1";
pub const DECL28: &str = "4K4/+R+RGGGGSSS/2S6/9/9/9/9/9/4k4 b B4NPb4l17p 1";
/// One point short.
pub const DECL27: &str = "4K4/+R+RGGGGSSS/2S6/9/9/9/9/9/4k4 b B4Nb4l18p 1";
/// 27 points suffice for White.
pub const DECLW: &str = "4K4/9/9/9/9/9/2s6/+r+rggggsss/4k4 w B4L18Pb4n 1";
/// Nine pieces in the camp.
pub const DECL9: &str = "4K4/+R+RGGGG1SS/2S6/9/9/9/9/9/4k4 b 2B4N4L18P 1";
/// In check.
pub const DECLX: &str = "4K3r/1+RGGGGSSS/2SP5/9/9/9/9/9/4k4 b 2B4N4L17P 1";
pub const TRY: &str = "9/4K4/9/9/9/9/9/9/4k4 b - 1";
pub const MID: &str =
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124";
pub const EMPTY: &str = "9/9/9/9/9/9/9/9/9 b - 1";
/// The set-up boards of a GUI: the defender's king with everything in its hand, and Black's king added.
pub const TSUME: &str = "4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1";
pub const TSUME_TWO_KINGS: &str = "4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s4n4l18p 1";

/// The handicaps: the first two ranks and the number of White's legal moves.
pub const HANDICAPS: [(&str, u32); 12] = [
    ("lnsgkgsn1/1r5b1", 30),
    ("1nsgkgsnl/1r5b1", 29),
    ("lnsgkgsnl/1r7", 33),
    ("lnsgkgsnl/7b1", 25),
    ("lnsgkgsn1/7b1", 25),
    ("lnsgkgsnl/9", 26),
    ("lnsgkgsn1/9", 25),
    ("1nsgkgsn1/9", 24),
    ("2sgkgsn1/9", 24),
    ("2sgkgs2/9", 24),
    ("3gkg3/9", 20),
    ("4k4/9", 14),
];

/// The full form of a handicap.
pub fn handicap(ranks: &str) -> String {
    format!("{ranks}/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1")
}

/// `sfen ...` as the `position` command wants it.
pub fn sfen(position: &str) -> String {
    format!("sfen {position}")
}

/// A position and all those before it, the root's first.
#[derive(Clone)]
pub struct Root {
    pub board: Board,
    /// Every position of the game up to this one, as text without move numbers.
    pub history: Vec<String>,
}

impl Root {
    fn new(board: Board) -> Self {
        Self {
            history: vec![board.sfen(0)],
            board,
        }
    }

    pub fn play(&mut self, text: &str) {
        if text == "0000" {
            self.board.pass();
        } else {
            self.board.play(text);
        }
        self.history.push(self.board.sfen(0));
    }

    /// Whether the position on the board has occurred before.
    pub fn is_repeated(&self) -> bool {
        let (now, before) = self.history.split_last().expect("never empty");
        before.contains(now)
    }
}

/// What the arguments of a well-formed `position` command lead to.
pub fn root(position: &str) -> Root {
    let (setup, moves) = position.split_once("moves").unwrap_or((position, ""));
    let sfen = match setup.trim() {
        "startpos" => START,
        text => text.strip_prefix("sfen ").expect("startpos or sfen"),
    };
    let mut root = Root::new(Board::from_sfen(sfen));
    for text in moves.split_whitespace() {
        root.play(text);
    }
    root
}
