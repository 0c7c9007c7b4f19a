//! The names of the formats of training data.

use crate::data::Format;

/// The formats of training data, as users name them.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
pub enum FormatName {
    /// 40 bytes a record
    Psv,
    /// Chains of positions, about 5 bytes each
    Sbinpack,
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::Psv => Self::Psv,
            FormatName::Sbinpack => Self::Sbinpack,
        }
    }
}
