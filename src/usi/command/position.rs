//! The arguments of `position`, split into a root and a list of moves. Nothing is played here.

use crate::shogi::moves::Move;

/// What a `position` line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionCommand {
    /// Where the game begins.
    pub root: Root,
    /// The moves up to the end of the list or the first unreadable word.
    pub moves: Vec<HistoryMove>,
    /// The first word that is neither a move nor the end of the list.
    pub unreadable: Option<String>,
}

/// Where a game begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// The start position of a game without handicap.
    Startpos,
    /// SFEN fields, separated by single blanks; not checked, may be empty.
    Sfen(String),
}

/// One entry of a game record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryMove {
    /// A move of a piece.
    Move(Move),
    /// The turn passes; some clients write this while editing.
    Null,
}

/// Words that end a list of moves: how the game ended, in the words of various clients.
const LIST_ENDS: [&str; 7] = [
    "resign", "win", "rep_draw", "rep_win", "rep_lose", "rep_sup", "rep_inf",
];

impl PositionCommand {
    /// Reads the words after `position`.
    pub fn parse(text: &str) -> Self {
        let mut words = text.split_ascii_whitespace();
        let root_words: Vec<_> = words.by_ref().take_while(|&word| word != "moves").collect();
        let has_moves = text.split_ascii_whitespace().any(|word| word == "moves");
        let mut command = Self {
            root: parse_root(&root_words, has_moves),
            moves: Vec::new(),
            unreadable: None,
        };
        for word in words {
            if LIST_ENDS.contains(&word) || word.starts_with('%') {
                break;
            }
            let Some(mv) = parse_move(word) else {
                command.unreadable = Some(word.to_owned());
                break;
            };
            command.moves.push(mv);
        }
        command
    }
}

/// `startpos`, or SFEN fields with or without the word `sfen`; only moves = from the start position.
fn parse_root(words: &[&str], has_moves: bool) -> Root {
    let fields = match words {
        [] if has_moves => return Root::Startpos,
        ["sfen", fields @ ..] => fields,
        fields => fields,
    };
    match fields {
        ["startpos", ..] => Root::Startpos,
        fields => Root::Sfen(sfen_text(fields)),
    }
}

/// The fields in one text, the letter of the side to move in lower case.
fn sfen_text(fields: &[&str]) -> String {
    let normal = |(i, field): (usize, &&str)| match (i, *field) {
        (1, "B" | "W") => field.to_ascii_lowercase(),
        _ => (*field).to_owned(),
    };
    let fields: Vec<_> = fields.iter().enumerate().map(normal).collect();
    fields.join(" ")
}

/// Reads a move in its canonical form or in one of the variants that clients write: `p*5e`, `P@5e`, `7g7f=`.
pub fn parse_move(word: &str) -> Option<HistoryMove> {
    if matches!(word, "0000" | "null" | "pass") {
        return Some(HistoryMove::Null);
    }
    let word = word.strip_suffix('=').unwrap_or(word);
    let mv = match word.split_once(['*', '@']) {
        Some((kind, to)) => format!("{}*{to}", kind.to_ascii_uppercase()).parse(),
        None => word.parse(),
    };
    mv.ok().map(HistoryMove::Move)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(moves: &[HistoryMove]) -> Vec<String> {
        let text = |mv: &HistoryMove| match mv {
            HistoryMove::Move(mv) => mv.to_string(),
            HistoryMove::Null => "null".to_owned(),
        };
        moves.iter().map(text).collect()
    }

    #[test]
    fn roots_in_all_spellings() {
        let sfen = |text: &str| Root::Sfen(text.to_owned());
        for (text, root) in [
            ("startpos", Root::Startpos),
            ("startpos junk moves", Root::Startpos),
            ("sfen startpos", Root::Startpos),
            ("moves 7g7f", Root::Startpos),
            ("sfen 9/9 b - 1 moves 7g7f", sfen("9/9 b - 1")),
            ("9/9   b\t- 1", sfen("9/9 b - 1")),
            ("sfen 9/9 W B", sfen("9/9 w B")),
            ("sfen", sfen("")),
            ("sfen moves 7g7f", sfen("")),
            ("", sfen("")),
        ] {
            assert_eq!(PositionCommand::parse(text).root, root, "{text:?}");
        }
    }

    #[test]
    fn moves_in_all_spellings() {
        let command =
            PositionCommand::parse("startpos moves 7g7f 8h2b+ p*5e G@4d 2h2c= 0000 null pass");
        assert_eq!(
            texts(&command.moves),
            [
                "7g7f", "8h2b+", "P*5e", "G*4d", "2h2c", "null", "null", "null"
            ]
        );
        assert_eq!(command.unreadable, None);
    }

    #[test]
    fn the_end_of_a_game_ends_the_list() {
        for word in ["resign", "win", "rep_draw", "%TORYO", "%"] {
            let command = PositionCommand::parse(&format!("startpos moves 7g7f {word} 7g7"));
            assert_eq!(texts(&command.moves), ["7g7f"]);
            assert_eq!(command.unreadable, None);
        }
    }

    #[test]
    fn unreadable_words_are_reported() {
        for word in [
            "7g", "7g7f++", "é*5e", "P*", "moves", "", "=", "K*5e", "*5e",
        ] {
            let command = PositionCommand::parse(&format!("startpos moves 7g7f {word} 3c3d"));
            if word.is_empty() {
                assert_eq!(command.moves.len(), 2);
            } else {
                assert_eq!(texts(&command.moves), ["7g7f"], "{word}");
                assert_eq!(command.unreadable.as_deref(), Some(word));
            }
        }
    }
}
