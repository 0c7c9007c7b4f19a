//! FV_SCALE: how many units of raw output make one eval unit. Files seldom state it; users set it per net.

use std::fmt;

use super::arch::{Family, FirstActivation};
use super::buckets::StackRule;
use super::features::FeatureSet;
use super::format::Parsed;

/// The usual scale.
const DEFAULT: u32 = 16;

/// Where a scale comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScaleSource {
    /// The option FV_SCALE.
    Option,
    /// The file's description.
    Description,
    /// An option file beside the net, by name.
    File(String),
    /// The table of published nets: the net's name.
    Known(&'static str),
    /// Nothing said otherwise.
    Default,
}

impl fmt::Display for ScaleSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option => f.write_str("as set"),
            Self::Description => f.write_str("from the description"),
            Self::File(name) => write!(f, "from {name}"),
            Self::Known(net) => write!(f, "as for {net}"),
            Self::Default => f.write_str("default"),
        }
    }
}

/// Published nets recognised by their networks: name, fingerprint of the networks' bytes, scale in use.
const KNOWN_NETS: [(&str, u64, u32); 2] = [
    ("K-P-256-32-32 of 2019", 0xCAEF_4638_55B0_0477, 16),
    ("SuishoPetite", 0x8817_BC3C_2287_40A2, 24),
];

/// The scale that the file itself suggests.
pub(super) fn of(parsed: &Parsed<'_>) -> (u32, ScaleSource) {
    if let Some(scale) = parsed.claims.fv_scale {
        return (scale, ScaleSource::Description);
    }
    let fingerprint = fingerprint(parsed);
    if let Some(&(name, _, scale)) = KNOWN_NETS
        .iter()
        .find(|&&(_, known, _)| known == fingerprint)
    {
        return (scale, ScaleSource::Known(name));
    }
    match known_shape(parsed) {
        Some((name, scale)) => (scale, ScaleSource::Known(name)),
        None => (DEFAULT, ScaleSource::Default),
    }
}

/// The scale of published nets that are nearly the only ones of their shape (their release pages).
fn known_shape(parsed: &Parsed<'_>) -> Option<(&'static str, u32)> {
    let arch = &parsed.arch;
    match (arch.features, arch.width, arch.hidden, arch.family) {
        (FeatureSet::HalfKp, 1024, [8, 32], Family::Classic(FirstActivation::Clip)) => {
            Some(("Li", 20))
        }
        (FeatureSet::HalfKaHm2, 1536, [15, 32], Family::Stacks(stacks))
            if stacks.rule == StackRule::K3K3 =>
        {
            Some(("Suisho 11 beta", 28))
        }
        (FeatureSet::HalfKaHm2, 1024, [15, 64], Family::Stacks(_))
            if parsed.networks.len() == 9 =>
        {
            Some(("NAGISA", 28))
        }
        _ => None,
    }
}

/// FNV-1a over all biases and weights behind the transformer.
fn fingerprint(parsed: &Parsed<'_>) -> u64 {
    let layers = parsed.networks.iter().flat_map(|network| network.layers);
    let bytes = layers.flat_map(|layer| layer.bias.iter().chain(layer.weights));
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

/// The value of FV_SCALE in the text of an option file (`eval_options.txt`), the last one if it is set twice: lines
/// such as `FV_SCALE 24`, `FV_SCALE=24`, or `option name FV_SCALE type spin default 24 ..`.
pub fn scale_in_options(text: &str) -> Option<u32> {
    let value = |line: &str| {
        let mut words = line
            .split(|c: char| c.is_whitespace() || c == '=')
            .filter(|word| !word.is_empty());
        let word = match words.next()? {
            "FV_SCALE" => words.next()?,
            "option" if words.next() == Some("name") && words.next() == Some("FV_SCALE") => {
                words.find(|&word| word == "default")?;
                words.next()?
            }
            _ => return None,
        };
        word.parse().ok().filter(|scale| (1..=128).contains(scale))
    };
    text.lines().rev().find_map(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_files_are_read_in_all_their_forms() {
        assert_eq!(scale_in_options("Threads 4\nFV_SCALE 24\n"), Some(24));
        assert_eq!(scale_in_options("FV_SCALE=36\r\n"), Some(36));
        assert_eq!(
            scale_in_options("option name FV_SCALE type spin default 20 min 1 max 128"),
            Some(20)
        );
        assert_eq!(scale_in_options("FV_SCALE 24\n  FV_SCALE = 28"), Some(28));
        assert_eq!(
            scale_in_options("FV_SCALE 0\nFV_SCALE -3\nFV_SCALE x\n// FV_SCALE 5\nMY_FV_SCALE 7"),
            None
        );
    }
}
