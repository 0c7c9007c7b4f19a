//! `validate`: whether positions are possible, and all that is wrong with those that are not. For GUIs, bots and
//! editors.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

use crate::records::{Foul, decode};
use crate::shogi::{Move, Position};

use super::common::position_line::PositionLine;

/// The arguments of `hien validate`.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Positions as SFEN or as GUIs send them (startpos moves 7g7f ..), files with one a line (# begins a remark), or -
    /// for standard input
    #[arg(required = true, value_name = "SFEN|FILE|-")]
    positions: Vec<String>,
}

impl Arguments {
    /// Writes a line for each position: `ok` and the position after its moves in the usual form, or `bad` and every
    /// reason. Returns whether all are good.
    ///
    /// # Errors
    ///
    /// Those of reading files and of `out`.
    pub fn run(&self, out: &mut dyn Write) -> io::Result<bool> {
        let mut are_good = true;
        for text in &self.positions {
            let text = match text.as_str() {
                "-" => {
                    let mut input = Vec::new();
                    io::stdin().read_to_end(&mut input)?;
                    decode(&input).0
                }
                path if Path::new(path).is_file() => decode(&fs::read(path)?).0,
                sfen => sfen.to_owned(),
            };
            let lines = text.lines().map(str::trim);
            for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
                are_good &= report(line, out)?;
            }
        }
        Ok(are_good)
    }
}

fn report(line: &str, out: &mut dyn Write) -> io::Result<bool> {
    match check(line) {
        Ok(position) => writeln!(out, "ok {}", position.sfen())?,
        Err(faults) => {
            writeln!(out, "bad {line}: {}", faults.join("; "))?;
            return Ok(false);
        }
    }
    Ok(true)
}

/// The position that a line leads to, or all that is wrong with the one it begins with, or with the first wrong move.
fn check(line: &str) -> Result<Position, Vec<String>> {
    let line = PositionLine::new(line);
    let position = Position::validate(line.sfen);
    let mut position =
        position.map_err(|faults| faults.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    for word in line.moves {
        let mv = word.parse::<Move>();
        let mv = mv.map_err(|error| vec![error.to_string()])?;
        if let Some(foul) = Foul::of(&position, mv) {
            return Err(vec![format!("{mv}: {foul}")]);
        }
        position.do_move(mv);
    }
    Ok(position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::sfen::STARTPOS;

    #[test]
    fn every_reason_is_given() {
        let check = |positions: &[&str]| {
            let positions = positions.iter().map(|&text| text.to_owned()).collect();
            let mut out = Vec::new();
            let are_good = Arguments { positions }.run(&mut out).unwrap();
            (are_good, String::from_utf8(out).unwrap())
        };
        let good = "4k4/9/9/9/9/9/9/9/4K4 b 2PR 3";
        assert_eq!(
            check(&[&format!("position sfen {good}")]),
            (true, "ok 4k4/9/9/9/9/9/9/9/4K4 b R2P 3\n".to_owned())
        );
        let bad = "4k4/4P4/4P4/9/9/9/9/9/4K4 b 17P2r 1";
        assert_eq!(
            check(&[good, bad]).1.lines().nth(1).unwrap(),
            format!(
                "bad {bad}: more than 18 of piece P; two pawns of one side on file 5; the side not to move is in check"
            )
        );
        let odd = "4k4/9/9/9/K8/9/9/9/4K3p b 3r2b5g 1";
        assert_eq!(
            check(&[odd]),
            (
                false,
                format!(
                    "bad {odd}: two kings of one side; more than 2 of piece R; more than 4 of piece G; a piece on 1i that can never move\n"
                )
            )
        );
        assert_eq!(
            check(&["9/9 b -"]),
            (false, "bad 9/9 b -: 2 ranks instead of 9\n".to_owned())
        );
    }

    #[test]
    fn commands_are_understood_and_their_moves_checked() {
        let answer = |line: &str| {
            let positions = vec![line.to_owned()];
            let mut out = Vec::new();
            Arguments { positions }.run(&mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(answer("startpos"), format!("ok {STARTPOS}\n"));
        let after = "ok lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n";
        for line in [
            "position startpos moves 7g7f".to_owned(),
            "startpos moves 7g7f".to_owned(),
            format!("sfen {STARTPOS} moves 7g7f"),
            format!("position sfen {STARTPOS} moves 7g7f"),
        ] {
            assert_eq!(answer(&line), after, "{line}");
        }
        for (moves, reason) in [
            ("7g7f 7f7e", "7f7e: the other player is to move"),
            ("7g7e", "7g7e: no piece can move like that"),
            (
                "7g7f 3c3d 8h2b+ 3a2b B*3c 9c9d",
                "9c9d: the king is left in check",
            ),
        ] {
            let line = format!("startpos moves {moves}");
            assert_eq!(answer(&line), format!("bad {line}: {reason}\n"));
        }
        assert!(
            answer("startpos moves 7g7f resign").starts_with("bad startpos moves 7g7f resign: ")
        );
    }
}
