//! The record with the analysis in its comments, as GUIs read them back: ShogiHome's lines `#評価値=` and the like for
//! its curve and its lines of play, and ShogiGUI's one line `*解析 ..` for each variation.

use crate::records::{Encoding, Format};
use crate::tools::games::Game;

use super::judge::Judgement;
use super::report::{GameReport, LineReport, MoveReport, PositionReport};

/// The bytes of the annotated record, in UTF-8 or Shift_JIS. What gets lost is logged.
pub fn write(game: &Game, report: &GameReport, is_shift_jis: bool) -> Vec<u8> {
    let mut record = game.record.clone();
    let root = record.root();
    let first = comment(&[], &report.positions[0], report);
    record[root].comments.extend(first);
    let ids: Vec<_> = record.main_line().collect();
    for (mv, id) in report.moves.iter().zip(ids) {
        let Some(position) = report.positions.get(mv.number) else {
            break;
        };
        let lines = comment(&judgement(mv), position, report);
        record[id].comments.extend(lines);
    }
    let encoding = if is_shift_jis {
        Encoding::ShiftJis
    } else {
        Encoding::Utf8
    };
    let (bytes, losses) = record.write(Format::Kif).encode(encoding);
    for loss in losses {
        log::warn!("the annotated record does not hold {loss}");
    }
    bytes
}

/// The judgement, and what was found in the position after the move.
fn comment(judgement: &[String], position: &PositionReport, report: &GameReport) -> Vec<String> {
    let mut lines = judgement.to_vec();
    if let Some(best) = position.lines.first() {
        lines.extend(shogihome(best, position, &report.engine));
    }
    let numbered = position.lines.iter().zip(1..);
    lines.extend(numbered.map(|(line, number)| shogigui(line, number, position)));
    lines
}

fn judgement(mv: &MoveReport) -> Vec<String> {
    match mv.judgement {
        Judgement::Best | Judgement::Good => Vec::new(),
        bad => vec![format!("【{}】", bad.japanese())],
    }
}

fn shogihome(line: &LineReport, position: &PositionReport, engine: &str) -> Vec<String> {
    let mut lines = Vec::new();
    match (line.mate, line.cp) {
        (Some(plies), _) => {
            let winner = if black_mates(plies, position) {
                "先手勝ち"
            } else {
                "後手勝ち"
            };
            lines.push(format!("#詰み={winner}:{}手", plies.abs()));
        }
        (None, Some(cp)) => {
            lines.push(situation(cp).to_owned());
            lines.push(format!("#評価値={cp}"));
        }
        (None, None) => {}
    }
    if !line.japanese.is_empty() {
        lines.push(format!("#読み筋={}", line.japanese.concat()));
    }
    lines.push(format!("#深さ={}", line.depth));
    lines.push(format!("#ノード数={}", position.nodes));
    lines.push(format!("#エンジン={engine}"));
    lines
}

/// Whether a mate is Black's; one on the board is that of the side that is not to move.
fn black_mates(plies: i32, position: &PositionReport) -> bool {
    plies > 0 || plies == 0 && position.sfen.contains(" w ")
}

fn shogigui(line: &LineReport, number: usize, position: &PositionReport) -> String {
    let seconds = position.time_ms as f64 / 1000.0;
    let (minutes, seconds) = ((seconds / 60.0) as u64, seconds % 60.0);
    let score = match (line.mate, line.cp) {
        (Some(plies), _) => {
            let sign = if black_mates(plies, position) {
                '+'
            } else {
                '-'
            };
            format!("{sign}詰 {}", plies.abs())
        }
        (None, cp) => cp.unwrap_or_default().to_string(),
    };
    format!(
        "*解析 候補{number} 時間 {minutes:02}:{seconds:04.1} 深さ {}/{} ノード数 {} 評価値 {score} 読み筋 {}",
        line.depth,
        line.seldepth,
        position.nodes,
        line.japanese.join(" "),
    )
}

/// The evaluation in words, with the bounds of ShogiHome.
fn situation(cp: i32) -> &'static str {
    match cp {
        1500.. => "先手勝勢",
        600.. => "先手優勢",
        400.. => "先手有利",
        200.. => "先手有望",
        -199.. => "互角",
        -399.. => "後手有望",
        -599.. => "後手有利",
        -1499.. => "後手優勢",
        _ => "後手勝勢",
    }
}
