//! `book`: describing opening books, looking positions up, converting, and making one (`make`).

mod make;

use std::error::Error;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::book::{
    Book, BookEntry, BookError, BookFile, BookOptions, Candidate, write_text, write_ybb,
};
use crate::engine::Engine;
use crate::settings::roots;
use crate::shogi::Position;

use super::common::path_error::PathError;
use super::common::position_line::PositionLine;
use super::common::target::prepare_new_file;

/// The arguments of `hien book`.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(clap::Subcommand, Clone, Debug)]
enum BookCommand {
    /// Tell what a book holds
    Info {
        /// The book
        #[arg(value_name = "BOOK")]
        file: PathBuf,
    },
    /// Show a book's moves in a position, and what the options leave of them
    Lookup {
        /// The book, looked for as by the engine; that of engine.toml without it
        #[arg(long, value_name = "BOOK")]
        book: Option<String>,
        /// The position: an SFEN, or "startpos moves 7g7f .."
        #[arg(required = true, value_name = "SFEN")]
        position: Vec<String>,
    },
    /// Rewrite a book: .db, .ybb and .sbk are read, .db and .ybb written, sorted
    Convert {
        /// The book to read
        #[arg(value_name = "BOOK")]
        from: PathBuf,
        /// The book to write; it must not exist
        #[arg(value_name = "NEW BOOK")]
        to: PathBuf,
    },
    /// Make a book from game records, with scores if time is given
    Make(make::Arguments),
}

impl Arguments {
    /// Does what is asked for and writes to `out`. The settings of `engine` are the defaults of the options about
    /// books, and it does the thinking. Returns whether all went well.
    ///
    /// # Errors
    ///
    /// What is wrong with the files; those of `out`.
    pub fn run(self, engine: &mut Engine, out: &mut dyn Write) -> Result<bool, Box<dyn Error>> {
        match self.command {
            BookCommand::Info { file } => info(&file, out)?,
            BookCommand::Lookup { book, position } => {
                let mut options = engine.settings().book.clone();
                options.file = book.unwrap_or(options.file);
                return lookup(&options, &position.join(" "), out);
            }
            BookCommand::Convert { from, to } => convert(&from, &to, out)?,
            BookCommand::Make(make) => return make.run(engine, out),
        }
        Ok(true)
    }
}

fn info(path: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let mut file = BookFile::open(path, false).map_err(PathError::at(path))?;
    writeln!(out, "book       {}", file.facts())?;
    let mut sums = Sums::default();
    file.for_each(|entry| {
        sums.add(&entry);
        Ok(())
    })
    .map_err(PathError::at(path))?;
    sums.write(out)?;
    Ok(())
}

/// What there is in a book.
#[derive(Default)]
struct Sums {
    positions: u64,
    white_to_move: u64,
    moves: u64,
    most_moves: usize,
    illegal: u64,
    games: u64,
    plies: Option<(u32, u32)>,
    without_ply: u64,
    values: Option<(i32, i32)>,
    depths: Option<(u32, u32)>,
}

impl Sums {
    fn add(&mut self, entry: &BookEntry) {
        fn widen<T: Copy + Ord>(range: &mut Option<(T, T)>, value: T) {
            let (least, most) = range.unwrap_or((value, value));
            *range = Some((least.min(value), most.max(value)));
        }
        self.positions += 1;
        match entry.ply {
            Some(ply) => widen(&mut self.plies, ply),
            None => self.without_ply += 1,
        }
        self.moves += entry.moves.len() as u64;
        self.most_moves = self.most_moves.max(entry.moves.len());
        let position = Position::from_sfen_tolerant(entry.key.as_str()).ok();
        self.white_to_move += u64::from(entry.key.as_str().contains(" w "));
        for candidate in &entry.moves {
            let is_legal = position
                .as_ref()
                .is_some_and(|(position, _)| position.is_legal(candidate.mv));
            self.illegal += u64::from(!is_legal);
            self.games = self.games.saturating_add(candidate.count);
            widen(&mut self.values, candidate.value);
            widen(&mut self.depths, candidate.depth);
        }
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let white = self.white_to_move;
        writeln!(
            out,
            "positions  {}, White to move in {white}",
            self.positions
        )?;
        writeln!(
            out,
            "moves      {}, at most {} in a position, {} not legal",
            self.moves, self.most_moves, self.illegal
        )?;
        writeln!(out, "counts     {} in all", self.games)?;
        if let Some((least, most)) = self.values {
            writeln!(out, "scores     {least} to {most}")?;
        }
        if let Some((least, most)) = self.depths {
            writeln!(out, "depths     {least} to {most}")?;
        }
        if let Some((least, most)) = self.plies {
            writeln!(out, "move no.   {least} to {most}")?;
        }
        if self.without_ply > 0 {
            writeln!(out, "           {} positions without", self.without_ply)?;
        }
        Ok(())
    }
}

fn lookup(options: &BookOptions, text: &str, out: &mut dyn Write) -> Result<bool, Box<dyn Error>> {
    if !options.wants_book() {
        return Err("no book: name one with --book, or set BookFile in engine.toml".into());
    }
    let position = read_position(text)?;
    let places = Book::find(options, &roots())?;
    let (mut book, unusable) = Book::open(&places, options.on_the_fly)?;
    for file in book.facts() {
        writeln!(out, "{file}")?;
    }
    for file in unusable {
        writeln!(out, "{file}")?;
    }
    writeln!(out, "{}", position.sfen())?;
    // Everything that is there, then what the options leave.
    let all = BookOptions {
        narrow: false,
        depth_limit: 0,
        eval_diff: i32::MAX,
        eval_black_limit: i32::MIN,
        eval_white_limit: i32::MIN,
        ..options.clone()
    };
    let selection = match book.select(&position, &all) {
        Ok(selection) => selection,
        Err(miss) => {
            writeln!(out, "{miss}")?;
            return Ok(false);
        }
    };
    let playable = match book.select(&position, options) {
        Ok(selection) => selection.playable,
        Err(miss) => {
            writeln!(out, "{miss}")?;
            Vec::new()
        }
    };
    writeln!(
        out,
        "{:<6} {:<6} {:>7} {:>6} {:>9}",
        "move", "reply", "score", "depth", "count"
    )?;
    for known in &selection.legal {
        let is_playable = playable.iter().any(|other| other.mv == known.mv);
        write_candidate(known, is_playable, out)?;
    }
    Ok(!playable.is_empty())
}

fn write_candidate(known: &Candidate, is_playable: bool, out: &mut dyn Write) -> io::Result<()> {
    let reply = known.ponder.map_or("-".to_owned(), |mv| mv.to_string());
    let mark = if is_playable { "" } else { "  filtered out" };
    let Candidate {
        mv,
        value,
        depth,
        count,
        ..
    } = known;
    let mv = mv.to_string();
    writeln!(
        out,
        "{mv:<6} {reply:<6} {value:>7} {depth:>6} {count:>9}{mark}"
    )
}

/// A position as SFEN, or with moves as in USI.
fn read_position(text: &str) -> Result<Position, Box<dyn Error>> {
    let line = PositionLine::new(text);
    let (mut position, _) = Position::from_sfen_tolerant(line.sfen)?;
    for mv in line.moves {
        position.try_move(mv.parse()?)?;
    }
    Ok(position)
}

fn convert(from: &Path, to: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let format = prepare_book(to)?;
    let mut file = BookFile::open(from, false).map_err(PathError::at(from))?;
    let mut entries = Vec::new();
    file.for_each(|entry| {
        entries.push(entry);
        Ok(())
    })
    .map_err(PathError::at(from))?;
    let count = entries.len();
    write_book(to, format, entries)?;
    writeln!(out, "{count} positions written to {}", to.display())?;
    Ok(())
}

/// The formats that books are written in.
#[derive(Clone, Copy, Debug)]
enum TargetFormat {
    Text,
    Ybb,
}

/// Makes sure that a new book of this name can be written, and tells its format.
fn prepare_book(path: &Path) -> Result<TargetFormat, Box<dyn Error>> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let format = match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("db") => TargetFormat::Text,
        Some("ybb") => TargetFormat::Ybb,
        _ => return Err(PathError::at(path)("only .db and .ybb are written").into()),
    };
    prepare_new_file(path)?;
    Ok(format)
}

/// Writes a new book.
fn write_book(
    path: &Path,
    format: TargetFormat,
    entries: Vec<BookEntry>,
) -> Result<(), Box<dyn Error>> {
    let mut moves = entries.iter().flat_map(|entry| &entry.moves);
    if matches!(format, TargetFormat::Ybb)
        && moves.any(|known| known.ponder.is_some() || known.count != 1)
    {
        log::warn!(
            "{}: YBB has no place for replies and counts; they are left out",
            path.display()
        );
    }
    let file = File::create_new(path).map_err(PathError::at(path))?;
    let mut file = BufWriter::new(file);
    let written = match format {
        TargetFormat::Text => write_text(&mut file, entries).map_err(BookError::from),
        TargetFormat::Ybb => write_ybb(&mut file, entries),
    };
    let written = written.and_then(|()| Ok(file.flush()?));
    written.map_err(|error| {
        // Half a book is worse than none.
        let _ = fs::remove_file(path);
        PathError::at(path)(error).into()
    })
}
