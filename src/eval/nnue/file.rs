//! A net on disk, and the files beside it: option files that state its scale, and progress weights.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use super::arch::{VERSION, VERSION_STACKS};
use super::{GameProgress, Hints, Net, NetError, ScaleSource, StackRule, scale_in_options};

/// The largest file that is read. Nets in use have up to 0.6 GB.
const MAX_BYTES: u64 = 4 << 30;
/// Option files beside a net; the first has precedence. Both are YaneuraOu's.
const OPTION_FILES: [&str; 2] = ["eval_options.txt", "engine_options.txt"];
/// The largest option file that is read.
const MAX_OPTION_BYTES: u64 = 1 << 20;
/// Progress weights beside a net.
const PROGRESS_FILE: &str = "progress.bin";

/// Why no net can be read from a file.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system refuses.
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
    /// A folder or a device.
    #[error("it is no file")]
    NoFile,
    /// Far larger than any net.
    #[error("its {0} bytes are too many for a net")]
    TooLarge(u64),
    /// Not a usable net.
    #[error("{0}")]
    Net(#[from] NetError),
}

/// A net read from a file, and the scale to use it with.
#[derive(Clone, Debug)]
pub struct NetFile {
    /// The net.
    pub net: Net,
    /// Raw output per eval unit, and who says so.
    pub scale: (u32, ScaleSource),
}

impl NetFile {
    /// Reads a net. `rule` overrides how the file chooses its layer stacks.
    ///
    /// # Errors
    ///
    /// [`FileError`] says why the file is no usable net.
    pub fn read(path: &Path, rule: Option<StackRule>) -> Result<Self, FileError> {
        let bytes = read_bytes(path)?;
        let mut hints = Hints {
            rule,
            progress: None,
        };
        let net = match Net::from_bytes(&bytes, &hints) {
            Err(NetError::NoProgress { rule }) => {
                let weights = progress_beside(path).ok_or(NetError::NoProgress { rule })?;
                hints.progress = Some(weights);
                Net::from_bytes(&bytes, &hints)?
            }
            other => other?,
        };
        let scale = match net.info().scale.clone() {
            stated @ (_, ScaleSource::Description) => stated,
            guessed => scale_beside(path).unwrap_or(guessed),
        };
        Ok(Self { net, scale })
    }
}

/// The bytes of a file that begins like a net; of others only the first word is read.
///
/// # Errors
///
/// [`FileError`] says why the file cannot be a net.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, FileError> {
    let meta = fs::metadata(path)?;
    if !meta.is_file() {
        return Err(FileError::NoFile);
    }
    if meta.len() > MAX_BYTES {
        return Err(FileError::TooLarge(meta.len()));
    }
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    file.by_ref().take(4).read_to_end(&mut bytes)?;
    if let Some(word) = bytes.first_chunk() {
        let version = u32::from_le_bytes(*word);
        if version != VERSION && !VERSION_STACKS.contains(&version) {
            return Err(NetError::Version { version }.into());
        }
    }
    bytes.reserve_exact(usize::try_from(meta.len()).map_err(io::Error::other)?);
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The scale that an option file beside the net states.
fn scale_beside(path: &Path) -> Option<(u32, ScaleSource)> {
    OPTION_FILES.into_iter().find_map(|name| {
        let file = path.with_file_name(name);
        let meta = fs::metadata(&file).ok()?;
        if !meta.is_file() || meta.len() > MAX_OPTION_BYTES {
            return None;
        }
        let text = fs::read(&file).ok()?;
        let scale = scale_in_options(&String::from_utf8_lossy(&text))?;
        Some((scale, ScaleSource::File(name.to_owned())))
    })
}

/// The progress weights beside a net.
fn progress_beside(path: &Path) -> Option<GameProgress> {
    let file = path.with_file_name(PROGRESS_FILE);
    let meta = fs::metadata(&file).ok()?;
    if !meta.is_file() || meta.len() != 8 * GameProgress::WEIGHTS as u64 {
        return None;
    }
    GameProgress::from_doubles(&fs::read(&file).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_net_is_refused_unread() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let folder = folder.path();
        let error = |path: &Path| NetFile::read(path, None).expect_err("no net").to_string();
        assert_eq!(error(folder), "it is no file");
        assert!(error(&folder.join("none")).starts_with("it cannot be read: "));
        let text = folder.join("text");
        fs::write(&text, "hello, this is text").expect("a file for the test");
        assert!(error(&text).starts_with("this is no NNUE file"));
        fs::write(&text, "he").expect("a file for the test");
        assert!(error(&text).starts_with("the file is cut short"));
    }

    #[test]
    fn files_beside_a_net_are_found() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let folder = folder.path();
        let net = folder.join("nn.bin");
        assert_eq!(scale_beside(&net), None);
        fs::write(folder.join("engine_options.txt"), "FV_SCALE 20").expect("a file");
        let source = |name: &str| ScaleSource::File(name.to_owned());
        assert_eq!(scale_beside(&net), Some((20, source("engine_options.txt"))));
        fs::write(folder.join("eval_options.txt"), "FV_SCALE=24").expect("a file");
        assert_eq!(scale_beside(&net), Some((24, source("eval_options.txt"))));
        assert!(progress_beside(&net).is_none());
        let weights: Vec<u8> = (0..GameProgress::WEIGHTS)
            .flat_map(|i| (i as f64 / 1e6).to_le_bytes())
            .collect();
        fs::write(folder.join(PROGRESS_FILE), &weights).expect("a file");
        assert!(progress_beside(&net).is_some());
        fs::write(folder.join(PROGRESS_FILE), &weights[1..]).expect("a file");
        assert!(progress_beside(&net).is_none());
    }
}
