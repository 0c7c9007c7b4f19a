//! The modules of the crate and which may use which. The table below is the rule; a new edge is a decision.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Longest source file, in lines.
const MAX_LINES: usize = 900;

/// Module -> modules it may name. Modules are the folders and files directly under `src`.
const ALLOWED: [(&str, &[&str]); 20] = [
    ("main", &["cli"]),
    ("cli", &["usi", "tools"]),
    ("lib", &[]),
    (
        "usi",
        &[
            "tools", "engine", "search", "book", "eval", "mate", "shogi", "score", "settings",
            "threads",
        ],
    ),
    (
        "tools",
        &[
            "engine", "train", "relabel", "selfplay", "search", "book", "eval", "mate", "records",
            "data", "shogi", "score", "settings", "memory", "threads",
        ],
    ),
    ("train", &["eval", "data", "shogi", "score"]),
    (
        "relabel",
        &["selfplay", "search", "eval", "data", "shogi", "score"],
    ),
    ("selfplay", &["search", "eval", "data", "shogi", "score"]),
    (
        "engine",
        &[
            "search", "book", "eval", "mate", "shogi", "score", "settings", "threads",
        ],
    ),
    ("settings", &["search", "book", "eval", "shogi"]),
    (
        "search",
        &["eval", "mate", "shogi", "score", "memory", "threads"],
    ),
    ("book", &["shogi", "score"]),
    ("eval", &["shogi", "score", "memory"]),
    ("mate", &["shogi", "memory"]),
    ("records", &["shogi"]),
    ("data", &["shogi"]),
    ("score", &[]),
    ("memory", &[]),
    ("threads", &[]),
    ("shogi", &[]),
];

/// The only place that writes to standard output.
const PRINTER: &str = "usi/output.rs";

fn is_module(name: &str) -> bool {
    ALLOWED.iter().any(|(module, _)| *module == name)
}

/// A source file: its path under `src` and its text without comments.
struct Source {
    path: String,
    lines: usize,
    code: String,
}

impl Source {
    fn module(&self) -> &str {
        let first = self.path.split('/').next().expect("a path");
        first.strip_suffix(".rs").unwrap_or(first)
    }

    /// How many modules deep the file lies: `engine.rs` and `usi/mod.rs` are 1, `usi/output.rs` is 2.
    fn depth(&self) -> usize {
        self.path.split('/').count() - usize::from(self.path.ends_with("/mod.rs"))
    }

    /// The modules that the code names, by paths that start at the crate or climb up to it.
    fn named_modules(&self) -> BTreeSet<String> {
        let mut modules = BTreeSet::new();
        for root in ["crate::", "hien::"] {
            for (at, _) in self.code.match_indices(root) {
                modules.extend(first_names(&self.code[at + root.len()..]));
            }
        }
        let climb = "super::".repeat(self.depth());
        for (at, _) in self.code.match_indices(&climb) {
            modules.extend(first_names(&self.code[at + climb.len()..]));
        }
        modules.retain(|name| is_module(name));
        modules
    }
}

/// The names right after a path prefix: one, or those on the first level of a braced list.
fn first_names(rest: &str) -> Vec<String> {
    let name = |text: &str| -> String {
        text.chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
            .collect()
    };
    let Some(list) = rest.strip_prefix('{') else {
        return vec![name(rest)];
    };
    let mut names = Vec::new();
    let mut level = 0;
    let mut item = String::new();
    for c in list.chars() {
        match c {
            '{' => level += 1,
            '}' if level == 0 => break,
            '}' => level -= 1,
            ',' if level == 0 => names.push(name(std::mem::take(&mut item).trim_start())),
            _ if level == 0 => item.push(c),
            _ => {}
        }
    }
    names.push(name(item.trim_start()));
    names
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
        .into_iter()
        .map(|file| {
            let text =
                fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
            let inside = file.strip_prefix(&root).expect("under src");
            let parts: Vec<_> = inside
                .iter()
                .map(|part| part.to_str().expect("an ASCII name"))
                .collect();
            let code: Vec<_> = text
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"))
                .collect();
            Source {
                path: parts.join("/"),
                lines: text.lines().count(),
                code: code.join("\n"),
            }
        })
        .collect()
}

#[test]
fn modules_use_only_what_they_may() {
    let mut complaints = Vec::new();
    let sources = sources();
    assert!(
        sources.len() > 10,
        "the source files are not where this test looks for them"
    );
    for source in &sources {
        let Some((_, allowed)) = ALLOWED
            .iter()
            .find(|(module, _)| *module == source.module())
        else {
            complaints.push(format!(
                "src/{}: '{}' is not in the table of modules",
                source.path,
                source.module()
            ));
            continue;
        };
        for used in source.named_modules() {
            // `lib.rs` only declares the modules, and every module may name itself.
            if used != source.module() && !allowed.contains(&used.as_str()) {
                complaints.push(format!(
                    "src/{}: {} must not use {used}",
                    source.path,
                    source.module()
                ));
            }
        }
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn files_stay_readable() {
    for source in sources() {
        assert!(
            source.lines <= MAX_LINES,
            "src/{} has {} lines: find the second topic",
            source.path,
            source.lines
        );
    }
}

#[test]
fn only_one_file_prints() {
    for source in sources().iter().filter(|source| source.path != PRINTER) {
        for word in ["println!", "print!(", "stdout()", "dbg!"] {
            assert!(
                !source.code.contains(word),
                "src/{} uses {word}; {PRINTER} is where output is written",
                source.path
            );
        }
    }
}

/// The time of day jumps: when it is set, or when summer ends. Thinking times come from a clock that only goes forward.
#[test]
fn no_time_is_taken_from_the_time_of_day() {
    for source in sources() {
        for word in ["SystemTime::now", "UNIX_EPOCH"] {
            assert!(!source.code.contains(word), "src/{}: {word}", source.path);
        }
    }
}

#[test]
fn the_reader_of_paths_reads_them() {
    let source = |path: &str, code: &str| Source {
        path: path.into(),
        lines: 1,
        code: code.into(),
    };
    let modules = |path: &str, code: &str| {
        source(path, code)
            .named_modules()
            .into_iter()
            .collect::<Vec<_>>()
    };
    assert_eq!(
        modules("engine.rs", "use crate::search::{A, eval::B};"),
        ["search"]
    );
    assert_eq!(
        modules(
            "engine.rs",
            "use crate::{eval, search::{X, mate}, shogi::Y};"
        ),
        ["eval", "search", "shogi"]
    );
    assert_eq!(modules("engine.rs", "use super::usi::X;"), ["usi"]);
    assert_eq!(
        modules(
            "shogi/see.rs",
            "use super::eval; use super::super::eval::X;"
        ),
        ["eval"]
    );
    assert_eq!(modules("main.rs", "hien::usi::run()"), ["usi"]);
    assert_eq!(source("usi/mod.rs", "").depth(), 1);
    assert_eq!(source("usi/mod.rs", "").module(), "usi");
}
