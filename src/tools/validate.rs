//! `validate`: whether positions are possible, and all that is wrong with those that are not. For GUIs, bots and
//! editors.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

use crate::records::decode;
use crate::shogi::Position;

/// The arguments of `hien validate`.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Positions as SFEN, files with one a line (# begins a remark), or - for standard input
    #[arg(required = true, value_name = "SFEN|FILE|-")]
    positions: Vec<String>,
}

impl Arguments {
    /// Writes a line for each position: `ok` and the position in its usual form, or `bad` and every reason. Returns
    /// whether all are good.
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
    let sfen = line.strip_prefix("position ").unwrap_or(line);
    let sfen = sfen.strip_prefix("sfen ").unwrap_or(sfen);
    match Position::validate(sfen) {
        Ok(position) => writeln!(out, "ok {}", position.sfen())?,
        Err(faults) => {
            let faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
            writeln!(out, "bad {sfen}: {}", faults.join("; "))?;
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
