//! Finding a book's files: where a name is looked for, and the numbered files beside it that take precedence.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::file::INTERNAL_TEXT;
use super::options::INTERNAL;

/// A file as it was when it was found; a change makes it another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub path: PathBuf,
    /// Its size in bytes.
    pub size: u64,
    modified: Option<SystemTime>,
}

impl Place {
    fn of(path: PathBuf) -> Option<Self> {
        let meta = fs::metadata(&path).ok()?;
        meta.is_file().then(|| Self {
            path,
            size: meta.len(),
            modified: meta.modified().ok(),
        })
    }
}

/// The files of a book: those numbered `NAME-000`, `NAME-001` .. first, then the book itself. It is looked for as
/// `dir/name` and as `name` in each of `roots`, unless the name is absolute; a `.ybb` stands in for a missing `.db`.
/// The embedded book is in no folder.
///
/// # Errors
///
/// The places that were tried.
pub fn find(name: &str, dir: &str, roots: &[PathBuf]) -> Result<Vec<Place>, Vec<PathBuf>> {
    if name == INTERNAL {
        return Ok(vec![Place {
            path: PathBuf::from(INTERNAL),
            size: INTERNAL_TEXT.len() as u64,
            modified: None,
        }]);
    }
    let mut tried = Vec::new();
    // Joining with an absolute path is that path.
    for path in [Path::new(dir).join(name), PathBuf::from(name)] {
        for root in roots {
            let path = root.join(&path);
            let mut places = numbered(&path);
            places.extend(with_stand_in(&path));
            if !places.is_empty() {
                return Ok(places);
            }
            if !tried.contains(&path) {
                tried.push(path);
            }
        }
    }
    Err(tried)
}

/// The file, or its binary form.
fn with_stand_in(path: &Path) -> Option<Place> {
    let is_text = path.extension().is_some_and(|ext| ext == "db");
    let other = is_text.then(|| path.with_extension("ybb"));
    Place::of(path.to_owned()).or_else(|| Place::of(other?))
}

/// The books `NAME-000`, `NAME-001` .. up to the first gap.
fn numbered(path: &Path) -> Vec<Place> {
    let (Some(stem), Some(ext)) = (path.file_stem(), path.extension()) else {
        return Vec::new();
    };
    let (stem, ext) = (stem.to_string_lossy(), ext.to_string_lossy());
    (0..1000)
        .map_while(|number| {
            with_stand_in(&path.with_file_name(format!("{stem}-{number:03}.{ext}")))
        })
        .collect()
}
