//! Rewriting a net between the plain and the compressed form. Only layer-stack files may be compressed.

use super::NetError;
use super::buckets::StackRule;
use super::format::Parsed;
use super::reader::COMPRESSED;
use super::{leb128, transformer};

/// The forms of a transformer in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// 16-bit numbers.
    Plain,
    /// LEB128, as YaneuraOu reads it.
    Compressed,
}

/// Why a net cannot be rewritten.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConvertError {
    /// It cannot be read in the first place.
    #[error(transparent)]
    Net(#[from] NetError),
    /// Classic files have only the plain form.
    #[error("files of classic nets have no compressed form")]
    Classic,
}

/// The same net in another form. Filler and marks of other trainers are dropped; description and hashes stay.
///
/// # Errors
/// [`ConvertError`] if the file is no net or the format does not allow the form.
pub fn convert(bytes: &[u8], form: Form) -> Result<Vec<u8>, ConvertError> {
    // How a stack is chosen does not matter here, so any rule will do.
    let parsed = Parsed::read(bytes, Some(StackRule::default()))?;
    if !parsed.arch.is_stacked() && form == Form::Compressed {
        return Err(ConvertError::Classic);
    }
    let values = transformer::decode(&parsed)?;
    let mut to = Vec::with_capacity(bytes.len());
    to.extend_from_slice(parsed.head);
    match form {
        Form::Plain => to.extend(values.iter().flat_map(|value| value.to_le_bytes())),
        Form::Compressed => {
            let (bias, weights) = values.split_at(parsed.arch.width);
            push_compressed(bias, &mut to);
            push_compressed(weights, &mut to);
        }
    }
    to.extend_from_slice(parsed.behind);
    Ok(to)
}

/// Appends a compressed section with its mark and length.
fn push_compressed(values: &[i16], to: &mut Vec<u8>) {
    let mut bytes = Vec::with_capacity(values.len());
    leb128::encode(values.iter().copied(), &mut bytes);
    to.extend_from_slice(COMPRESSED);
    to.extend_from_slice(
        &u32::try_from(bytes.len())
            .expect("a section of a net that was read")
            .to_le_bytes(),
    );
    to.append(&mut bytes);
}
