//! The comparison with tsshogi, in two halves that are run by hand: see tests/README.md. `HIEN_ORACLE` is the folder
//! for the texts that go to and fro.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;

use hien::records::{self, End, Format, NodeId, ReadError, Reading, Record, Step};
use serde_json::{Value, json};

use crate::random::Random;
use crate::trees::{Ends, Headers, Shape, tree};

/// Trees for each format.
const TREES: u64 = 1000;

const FORMATS: [(Format, &str); 5] = [
    (Format::Kif, "kif"),
    (Format::Ki2, "ki2"),
    (Format::Csa, "csa"),
    (Format::Jkf, "jkf"),
    (Format::Usi, "usi"),
];

fn file(name: &str) -> PathBuf {
    let folder = std::env::var_os("HIEN_ORACLE").expect("HIEN_ORACLE names a folder");
    PathBuf::from(folder).join(name)
}

/// What both programs hold of a format.
fn shape(format: Format) -> Shape {
    let all = Shape {
        // tsshogi takes handicaps that it does not know for even games, and knows no numbers.
        rare_handicaps: matches!(format, Format::Csa | Format::Usi),
        move_numbers: false,
        ..Shape::ALL
    };
    match format {
        Format::Kif => all,
        Format::Ki2 => Shape {
            times: false,
            ends: Ends::Ki2,
            ..all
        },
        Format::Csa => Shape {
            branches: false,
            bookmarks: false,
            millis: true,
            headers: Headers::Csa,
            ends: Ends::Csa,
            ..all
        },
        Format::Jkf => Shape {
            bookmarks: false,
            ends: Ends::Jkf,
            ..all
        },
        Format::Usi | Format::Sfen => Shape {
            branches: false,
            comments: false,
            bookmarks: false,
            times: false,
            headers: Headers::None,
            // tsshogi knows `resign` only.
            ends: Ends::None,
            fouls: false,
            ..all
        },
    }
}

/// The nodes in the order of KIF files.
fn nodes(record: &Record) -> Vec<NodeId> {
    let lines = record.lines().flat_map(|first| record.line(first));
    lines.collect()
}

/// A record as plain data, as tsshogi's side dumps it. Not compared are blank lines of comments and blank headers,
/// which tsshogi drops, and all bookmarks but the last of a node, as it has one. No time is the time 0.
fn dump(record: &Record, format: Format) -> Value {
    let key = |key: &str| match (format, key) {
        // tsshogi reads $EVENT as the title.
        (Format::Csa, "棋戦") => "表題".to_owned(),
        _ => key.to_owned(),
    };
    let headers = record.headers.iter().filter(|(_, value)| !value.is_empty());
    let headers = headers.map(|(name, value)| (key(name), Value::from(value)));
    let mut numbers = HashMap::new();
    let mut node = |id: NodeId| {
        let node = &record[id];
        let number = node.parent().map_or(0, |parent| numbers[&parent] + 1);
        numbers.insert(id, number);
        let step = match node.step() {
            None => String::new(),
            Some(Step::Move(mv) | Step::Foul(mv)) => mv.to_string(),
            Some(Step::End(end)) => end.japanese().to_owned(),
        };
        let comments = node.comments.iter().filter(|line| !line.is_empty());
        json!({
            "number": number,
            "step": step,
            "time": node.time.map_or(0, |time| time.as_millis() as u64),
            "comments": comments.collect::<Vec<_>>(),
            "bookmark": node.bookmarks.last().cloned().unwrap_or_default(),
        })
    };
    let nodes: Vec<_> = nodes(record).into_iter().map(&mut node).collect();
    json!({
        "headers": Value::Object(headers.collect()),
        "sfen": record.start().sfen(),
        "nodes": nodes,
    })
}

#[test]
#[ignore = "the first half of the comparison with tsshogi"]
fn oracle_write() {
    let path = file("from-hien.jsonl");
    let mut out = BufWriter::new(File::create(&path).expect("a file"));
    for (format, name) in FORMATS {
        for seed in 0..TREES {
            let record = tree(&mut Random::new(seed), shape(format));
            let written = record.write(format);
            assert_eq!(written.losses, []);
            let line = json!({
                "format": name,
                "text": written.text,
                "tree": dump(&record, format),
            });
            writeln!(out, "{line}").expect("room on the disk");
        }
    }
    println!(
        "{} trees in {}",
        TREES * FORMATS.len() as u64,
        path.display()
    );
}

/// Why tsshogi reads a text otherwise. All the rest of such a text is compared, but of those that one of the two
/// refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    /// It reads `%+ILLEGAL_ACTION` as a foul by the other player than the definition says, and than it writes itself.
    FoulSign,
    /// For the same reason two ends of one position are one for it.
    FoulSignTwice,
    /// A foul was made, and 反則負け stands behind it: for Hien the player to move wins then (反則勝ち).
    FoulMade,
    /// まで49手詰: it takes 49手詰 for a word.
    MateIn,
    /// It finds no time in `(00:31 / 00:00:31)`.
    SpacedTime,
    /// It has a header that tells the handicap, where Hien has the start position.
    HandicapHeader,
    /// It refuses a handicap that it does not know, or takes it for an even game.
    Handicap,
    /// It makes branches by the numbers of moves, also of those that do not follow each other.
    MoveNumber,
    /// In USI it knows no end but `resign`.
    UsiEnd,
}

/// Handicaps that tsshogi does not know.
const NOT_IN_TSSHOGI: [&str; 5] = [
    "三枚落ち",
    "五枚落ち",
    "左五枚落ち",
    "左七枚落ち",
    "右七枚落ち",
];

/// A text as both read it.
struct Case<'a> {
    format: Format,
    text: &'a str,
    ours: &'a Result<Reading, ReadError>,
    theirs: &'a Value,
}

impl Case<'_> {
    /// Why the trees differ, or what differs without a reason.
    fn reasons(&self) -> Result<BTreeSet<Reason>, String> {
        let handicap = || {
            self.text.contains(r#""preset": "7_L""#)
                || NOT_IN_TSSHOGI.iter().any(|&name| self.text.contains(name))
        };
        let reading = match (self.ours, self.theirs["error"].as_str()) {
            (Ok(reading), None) => reading,
            (Ok(_), Some(_)) if handicap() => return Ok([Reason::Handicap].into()),
            (Err(_), Some(_)) => return Ok(BTreeSet::new()),
            (Ok(_), Some(error)) => return Err(format!("tsshogi refuses: {error}")),
            (Err(error), None) => return Err(format!("Hien refuses: {error}")),
        };
        if reading
            .warnings
            .iter()
            .any(|warning| warning.text.starts_with("move number "))
        {
            return Ok([Reason::MoveNumber].into());
        }
        let record = &reading.records[0];
        let ours = dump(record, self.format);
        let mut reasons = BTreeSet::new();
        let mut headers = self.theirs["headers"].as_object().expect("headers").clone();
        if self.format == Format::Jkf && headers.remove("手合割").is_some() {
            reasons.insert(Reason::HandicapHeader);
        }
        for (key, ours, theirs) in [
            ("headers", &ours["headers"], &Value::Object(headers)),
            ("start", &ours["sfen"], &self.theirs["sfen"]),
        ] {
            if ours != theirs {
                return match key == "start" && handicap() {
                    true => Ok([Reason::Handicap].into()),
                    false => Err(format!("{key}: {ours}, tsshogi {theirs}")),
                };
            }
        }
        let mut theirs = self.theirs["nodes"].as_array().expect("nodes").iter();
        for (id, ours) in nodes(record)
            .into_iter()
            .zip(ours["nodes"].as_array().expect("nodes"))
        {
            let fouls = self.foul_ends(record, id);
            if fouls.len() == 2 {
                reasons.insert(Reason::FoulSignTwice);
            }
            if fouls.get(1) == Some(&id) {
                continue;
            }
            if theirs.len() == 0 && self.format == Format::Usi && record[id].end().is_some() {
                reasons.insert(Reason::UsiEnd);
                continue;
            }
            let theirs = theirs.next().ok_or("fewer nodes in tsshogi")?;
            let keys: &[&str] = match fouls.len() {
                2 => &["number"],
                _ => &["number", "step", "time", "comments", "bookmark"],
            };
            for key in keys.iter().filter(|&key| ours[key] != theirs[key]) {
                let reason = self.reason(record, id, key, &ours[key], &theirs[key]);
                reasons.insert(reason.ok_or_else(|| format!("{key}: {ours}, tsshogi {theirs}"))?);
            }
        }
        match theirs.next() {
            None => Ok(reasons),
            Some(node) => Err(format!("only in tsshogi: {node}")),
        }
    }

    /// The ends at a position that tell who broke a rule, if a node is one of them and signs tell.
    fn foul_ends(&self, record: &Record, id: NodeId) -> Vec<NodeId> {
        let is_foul = |id: &NodeId| record[*id].end().is_some_and(End::is_foul);
        match record[id]
            .parent()
            .filter(|_| is_foul(&id) && self.has_signs())
        {
            None => Vec::new(),
            Some(parent) => record[parent]
                .children()
                .iter()
                .copied()
                .filter(is_foul)
                .collect(),
        }
    }

    fn has_signs(&self) -> bool {
        let formats = [Format::Csa, Format::Jkf];
        formats.contains(&self.format) && self.text.contains("ILLEGAL_ACTION")
    }

    /// Why something differs at a node.
    fn reason(
        &self,
        record: &Record,
        id: NodeId,
        key: &str,
        ours: &Value,
        theirs: &Value,
    ) -> Option<Reason> {
        let [ours, their_text] = [ours, theirs].map(|value| value.as_str().unwrap_or_default());
        let is_made = || {
            let before = record[id].parent().and_then(|parent| record[parent].step());
            matches!(before, Some(Step::Foul(_)))
        };
        match (key, ours, their_text) {
            ("step", "反則勝ち", "反則負け") if is_made() => Some(Reason::FoulMade),
            ("step", "反則勝ち", "反則負け") | ("step", "反則負け", "反則勝ち") => {
                self.has_signs().then_some(Reason::FoulSign)
            }
            ("step", "詰み", word) => {
                let is_mate = word.ends_with("手詰") && self.text.contains(&format!("まで{word}"));
                is_mate.then_some(Reason::MateIn)
            }
            ("time", ..) => {
                (theirs == 0 && self.text.contains(" / 00:")).then_some(Reason::SpacedTime)
            }
            _ => None,
        }
    }
}

#[test]
#[ignore = "the second half of the comparison with tsshogi"]
fn oracle_read() {
    let file = BufReader::new(File::open(file("for-hien.jsonl")).expect("a file of tsshogi.mjs"));
    // By who wrote the text and its format: all, and those that differ for a reason.
    let mut counts: BTreeMap<_, (usize, BTreeMap<Reason, usize>)> = BTreeMap::new();
    let mut unexplained = 0;
    for line in file.lines() {
        let line: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        let [from, name, text] =
            ["from", "format", "text"].map(|key| line[key].as_str().expect("a text"));
        let format = FORMATS.iter().find(|(_, known)| *known == name);
        let (format, _) = *format.expect("a format of ours");
        let ours = records::read(text.as_bytes(), Some(format));
        if from == "Hien" {
            let ours = ours
                .as_ref()
                .map(|reading| dump(&reading.records[0], format));
            assert_eq!(ours.as_ref(), Ok(&line["written"]), "{text}");
        }
        let theirs = &line["tree"];
        let case = Case {
            format,
            text,
            ours: &ours,
            theirs,
        };
        let who = if ["Hien", "tsshogi"].contains(&from) {
            from
        } else {
            "others"
        };
        let (texts, reasons) = counts.entry((who.to_owned(), name.to_owned())).or_default();
        *texts += 1;
        match case.reasons() {
            Ok(found) => found
                .into_iter()
                .for_each(|reason| *reasons.entry(reason).or_default() += 1),
            Err(difference) => {
                unexplained += 1;
                if unexplained <= 5 {
                    println!("{from}, {name}: {difference}\n{text}\n");
                }
            }
        }
    }
    for ((who, format), (texts, reasons)) in &counts {
        println!("{who}, {format}: {texts} texts, read otherwise: {reasons:?}");
    }
    assert_eq!(unexplained, 0);
}
