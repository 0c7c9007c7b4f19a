//! `book make`: the moves of game records with their counts, and scores from the engine if it is given time. Searched
//! positions are kept in a file beside the book until it is written, so that the work can be resumed.

use std::collections::HashMap;
use std::error::Error;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::book::{BookEntry, Candidate, Key, read_text, write_entry};
use crate::engine::Engine;
use crate::score::{CP_MAX, Score};
use crate::search::Limits;
use crate::shogi::{Move, Position};
use crate::tools::common::effort::Effort;
use crate::tools::common::progress;
use crate::tools::common::think::{PvLine, think};
use crate::tools::games::{self, Games};

use super::{prepare_book, write_book};

/// The arguments of `hien book make`.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// The book to write, .db or .ybb; it must not exist
    #[arg(value_name = "NEW BOOK")]
    book: PathBuf,
    /// Game records, or folders with them
    #[arg(required = true, value_name = "GAME")]
    games: Vec<PathBuf>,
    /// Last move number to take from the games
    #[arg(long, value_name = "N", default_value_t = 32)]
    moves: u32,
    /// Games in which a position must occur
    #[arg(long, value_name = "N", default_value_t = 2)]
    min_games: u64,
    /// Have the engine think over every position; without this the scores are 0
    #[command(flatten)]
    effort: Effort,
    /// Moves to look for in each position besides those of the games
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=600))]
    multipv: u32,
    /// Search threads; as in engine.toml without it
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

/// A position of the games.
struct Seen {
    position: Position,
    games: u64,
    moves: HashMap<Move, u64>,
}

impl Arguments {
    pub(super) fn run(
        &self,
        engine: &mut Engine,
        out: &mut dyn Write,
    ) -> Result<bool, Box<dyn Error>> {
        let format = prepare_book(&self.book)?;
        let (seen, are_all_read) = self.count(out)?;
        let entries = if self.effort.is_given() {
            self.think_through(engine, &seen)?
        } else {
            seen.iter().map(Seen::entry).collect()
        };
        let count = entries.len();
        write_book(&self.book, format, entries)?;
        // The book is complete; the journal is no longer needed.
        let _ = fs::remove_file(self.journal());
        writeln!(out, "{count} positions written to {}", self.book.display())?;
        Ok(are_all_read)
    }

    /// The positions that occur often enough, the most frequent first, and whether all files could be read.
    fn count(&self, out: &mut dyn Write) -> Result<(Vec<Seen>, bool), Box<dyn Error>> {
        let files = games::find(&self.games)?;
        let bar = progress::bar(Some(files.len() as u64), progress::COUNTED);
        let mut seen: HashMap<Key, Seen> = HashMap::new();
        let (mut games, mut are_all_read) = (0, true);
        for path in &files {
            let found = games::read(path).unwrap_or_else(|error| Games {
                games: Vec::new(),
                errors: vec![error],
            });
            games += found.games.len();
            found
                .games
                .iter()
                .for_each(|game| self.add(game, &mut seen));
            are_all_read &= found.errors.is_empty();
            for error in found.errors {
                bar.suspend(|| writeln!(out, "{error}"))?;
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        let mut seen: Vec<_> = seen
            .into_iter()
            .filter(|(_, seen)| seen.games >= self.min_games)
            .collect();
        seen.sort_by(|(a, first), (b, second)| second.games.cmp(&first.games).then(a.cmp(b)));
        writeln!(
            out,
            "{games} games in {} files, {} positions in at least {} games",
            files.len(),
            seen.len(),
            self.min_games
        )?;
        Ok((
            seen.into_iter().map(|(_, seen)| seen).collect(),
            are_all_read,
        ))
    }

    fn add(&self, game: &games::Game, seen: &mut HashMap<Key, Seen>) {
        let mut position = game.start.clone();
        for &mv in &game.moves {
            if position.ply() > self.moves {
                return;
            }
            // Such moves may have been played, but a book should not advise them.
            if !position.declines_promotion(mv) {
                let known = seen.entry(Key::of(&position)).or_insert_with(|| {
                    let mut position = position.clone();
                    position.forget_history();
                    Seen {
                        position,
                        games: 0,
                        moves: HashMap::new(),
                    }
                });
                known.games += 1;
                *known.moves.entry(mv).or_default() += 1;
            }
            position.do_move(mv);
        }
    }

    /// Searches the positions that are not in the journal.
    fn think_through(
        &self,
        engine: &mut Engine,
        seen: &[Seen],
    ) -> Result<Vec<BookEntry>, Box<dyn Error>> {
        let settings = engine.settings_mut();
        settings.book.own_book = false;
        settings.threads = self.threads.unwrap_or(settings.threads);
        let (mut done, mut file) = open_journal(&self.journal())?;
        let bar = progress::bar(Some(seen.len() as u64), progress::COUNTED);
        let mut entries = Vec::new();
        for known in seen {
            let entry = match done.remove(&Key::of(&known.position)) {
                Some(entry) => entry,
                None => {
                    let entry = self.think_over(engine, known);
                    keep(&mut file, &entry)?;
                    entry
                }
            };
            entries.push(entry);
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(entries)
    }

    /// The entry of a position with scores: the engine's best moves, and those of the games that are not among them.
    fn think_over(&self, engine: &mut Engine, known: &Seen) -> BookEntry {
        let mut search = |searchmoves: Vec<Move>, lines: u32| {
            engine.settings_mut().search.multi_pv = lines;
            let limits = Limits {
                searchmoves,
                ..self.effort.limits()
            };
            think(engine, &known.position, limits).lines
        };
        let mut lines = search(Vec::new(), self.multipv);
        let is_found =
            |lines: &[PvLine], mv: &Move| lines.iter().any(|line| line.pv.first() == Some(mv));
        let mut rest: Vec<_> = known.moves.keys().copied().collect();
        rest.retain(|mv| !is_found(&lines, mv));
        rest.sort_unstable();
        if !rest.is_empty() {
            let count = rest.len() as u32;
            lines.extend(search(rest, count));
        }
        let candidate = |line: &PvLine| {
            let mv = *line.pv.first()?;
            Some(Candidate {
                mv,
                ponder: line.pv.get(1).copied(),
                value: match line.score {
                    Score::Cp(cp) => cp,
                    Score::Mate(plies) => plies.signum() * (CP_MAX - plies.abs()),
                },
                depth: line.depth,
                count: known.moves.get(&mv).copied().unwrap_or(0),
            })
        };
        BookEntry {
            moves: lines.iter().filter_map(candidate).collect(),
            ..known.entry()
        }
    }

    fn journal(&self) -> PathBuf {
        let mut name = self.book.clone().into_os_string();
        name.push(".partial");
        name.into()
    }
}

impl Seen {
    /// The moves of the games with their counts, the most frequent first.
    fn entry(&self) -> BookEntry {
        let mut moves: Vec<_> = self
            .moves
            .iter()
            .map(|(&mv, &count)| Candidate {
                count,
                ..Candidate::new(mv)
            })
            .collect();
        moves.sort_by(|a, b| b.count.cmp(&a.count).then(a.mv.cmp(&b.mv)));
        BookEntry {
            key: Key::of(&self.position),
            ply: Some(self.position.ply()),
            moves,
        }
    }
}

/// The journal holds an entry a line: DB2016 text with this between its lines.
const SEPARATOR: &str = "|";

/// The entries of the journal, and the file to append to. A truncated last line is dropped.
fn open_journal(path: &Path) -> Result<(HashMap<Key, BookEntry>, File), Box<dyn Error>> {
    let in_journal = |error: io::Error| format!("{}: {error}", path.display());
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    let mut file = options.open(path).map_err(in_journal)?;
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(in_journal)?;
    let end = text.rfind('\n').map_or(0, |at| at + 1);
    file.set_len(end as u64).map_err(in_journal)?;
    let entries = read_text(text[..end].replace(SEPARATOR, "\n").as_bytes())?;
    let entries = entries.into_iter().map(|entry| (entry.key.clone(), entry));
    Ok((entries.collect(), file))
}

fn keep(file: &mut File, entry: &BookEntry) -> io::Result<()> {
    let mut text = Vec::new();
    write_entry(&mut text, entry)?;
    let text = String::from_utf8_lossy(&text);
    let line = text.trim_end().replace('\n', SEPARATOR) + "\n";
    file.write_all(line.as_bytes())
}
