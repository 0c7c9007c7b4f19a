//! Atomic replacement of a file.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Writes a file so that the old one stays until the new one is whole and on the disk, whatever happens in between.
///
/// # Errors
///
/// If the file cannot be written.
pub fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".new");
    let mut file = File::create(&unfinished)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&unfinished, path)
}
