//! Reading a file: header, description, sections, and the architecture that its size and numbers reveal.
//!
//! [`Parsed::read`] only finds where everything is and borrows it; it allocates next to nothing. No size in the file is
//! trusted: every section is cut from the bytes that are there. The format is described by YaneuraOu's
//! `source/eval/nnue` and the documents of the trainers that write it.

use super::NetError;
use super::arch::{
    Architecture, Family, PROGRESS_HASH, SFNN_NETWORK_HASH, Stacks, VERSION, VERSION_STACKS,
};
use super::buckets::{GameProgress, StackRule};
use super::description::Claims;
use super::detect;
use super::features::FeatureSet;
use super::reader::{NetworkBytes, Numbers, Reader, fillers, network};

/// The longest description that is read.
const MAX_DESCRIPTION: usize = 1 << 14;
/// The narrowest transformer: below, padding to whole registers would waste memory.
const MIN_WIDTH: usize = 32;

/// A file taken apart.
#[derive(Clone, Debug)]
pub(super) struct Parsed<'a> {
    pub version: u32,
    pub hash: u32,
    pub description: String,
    pub claims: Claims,
    pub arch: Architecture,
    pub transformer_hash: u32,
    /// Bias, then weights of the transformer, in one or several sections.
    pub numbers: Vec<Numbers<'a>>,
    /// Bias and weights of the game's progress.
    pub progress: Option<&'a [u8]>,
    pub networks: Vec<NetworkBytes<'a>>,
    /// Filler at the end.
    pub padding: usize,
    /// Everything up to the numbers.
    pub head: &'a [u8],
    /// Everything behind the numbers but the filler.
    pub behind: &'a [u8],
}

/// The beginning of a file, common to all kinds.
pub(super) struct Header {
    version: u32,
    hash: u32,
    description: String,
    /// The number of stacks that some layer-stack files state.
    stacks: Option<usize>,
    transformer_hash: u32,
    /// Bytes up to the transformer's numbers.
    length: usize,
}

impl Header {
    fn read(reader: &mut Reader<'_>) -> Result<Self, NetError> {
        let version = reader.u32("header")?;
        if version != VERSION && !VERSION_STACKS.contains(&version) {
            return Err(NetError::Version { version });
        }
        let hash = reader.u32("header")?;
        let length = reader.u32("header")? as usize;
        if length > MAX_DESCRIPTION {
            return Err(NetError::Description { length });
        }
        let description = String::from_utf8_lossy(reader.take(length, "description")?).into_owned();
        let states_stacks = version == VERSION_STACKS[1];
        let stacks = if states_stacks {
            Some(reader.u32("number of stacks")? as usize)
        } else {
            None
        };
        let transformer_hash = reader.u32("transformer hash")?;
        Ok(Self {
            version,
            hash,
            description,
            stacks,
            transformer_hash,
            length: reader.at,
        })
    }
}

impl<'a> Parsed<'a> {
    /// Takes a file apart. `rule` overrides what the file says about the choice of a layer stack.
    pub fn read(bytes: &'a [u8], rule: Option<StackRule>) -> Result<Self, NetError> {
        let mut reader = Reader { bytes, at: 0 };
        let header = Header::read(&mut reader)?;
        let mut claims = Claims::of(&header.description);
        claims.stacks = header.stacks.or(claims.stacks);
        if let Some(token) = claims.unsupported.take() {
            return Err(NetError::Unsupported { token });
        }
        if reader.compressed_mark() {
            let (width, features, numbers) = compressed_transformer(&mut reader, &claims)?;
            return Self::stacked(header, claims, reader, rule, (width, features), numbers);
        }
        if let Some(arch) = detect::classic(&reader, header.transformer_hash, &claims) {
            return Self::classic(header, claims, reader, arch);
        }
        if let Some((width, features)) = detect::plain_stacked(&reader, &claims) {
            let numbers = reader.take(2 * width * (1 + features.inputs()), "transformer")?;
            let numbers = vec![Numbers::Plain(numbers)];
            return Self::stacked(header, claims, reader, rule, (width, features), numbers);
        }
        Err(NetError::Shape {
            bytes: bytes.len(),
            claim: claims_text(&claims),
        })
    }

    fn classic(
        header: Header,
        claims: Claims,
        mut reader: Reader<'a>,
        arch: Architecture,
    ) -> Result<Self, NetError> {
        let numbers = reader.take(arch.transformer_bytes() - 4, "transformer")?;
        let behind = reader.at;
        let network = network(&mut reader, &arch)?;
        let sections = Sections {
            numbers: vec![Numbers::Plain(numbers)],
            progress: None,
            networks: vec![network],
            behind,
        };
        Self::finish(header, claims, reader, arch, sections)
    }

    fn stacked(
        header: Header,
        claims: Claims,
        mut reader: Reader<'a>,
        rule: Option<StackRule>,
        (width, features): (usize, FeatureSet),
        numbers: Vec<Numbers<'a>>,
    ) -> Result<Self, NetError> {
        let behind = reader.at;
        let progress = progress(&mut reader, &claims)?;
        let stacks = Stacks {
            rule: StackRule::default(),
            shards: claims.shards,
            progress: progress.is_some(),
        };
        let mut arch = Architecture {
            features,
            width,
            hidden: [0; 2],
            family: Family::Stacks(stacks),
        };
        let count = detect::stacks(&reader, &mut arch, &claims)?;
        let rule = choose_rule(rule, &claims, count)?;
        arch.family = Family::Stacks(Stacks { rule, ..stacks });
        let [(inputs, outputs), ..] = arch.layers();
        if let Some(shards) = claims.shards.filter(|shards| !shards.fit(inputs, outputs)) {
            return Err(NetError::Shards {
                shards,
                inputs,
                outputs,
            });
        }
        let networks = (0..count)
            .map(|_| network(&mut reader, &arch))
            .collect::<Result<Vec<_>, _>>()?;
        Self::finish(
            header,
            claims,
            reader,
            arch,
            Sections {
                numbers,
                progress,
                networks,
                behind,
            },
        )
    }

    fn finish(
        header: Header,
        claims: Claims,
        reader: Reader<'a>,
        arch: Architecture,
        sections: Sections<'a>,
    ) -> Result<Self, NetError> {
        let padding = reader.rest().len();
        if !fillers(reader.rest()).any(|length| length == padding) {
            return Err(NetError::Surplus {
                bytes: padding,
                at: reader.at,
            });
        }
        Ok(Self {
            version: header.version,
            hash: header.hash,
            description: header.description,
            claims,
            arch,
            transformer_hash: header.transformer_hash,
            numbers: sections.numbers,
            progress: sections.progress,
            networks: sections.networks,
            padding,
            head: &reader.bytes[..header.length],
            behind: &reader.bytes[sections.behind..reader.at],
        })
    }
}

/// The sections behind the header.
struct Sections<'a> {
    numbers: Vec<Numbers<'a>>,
    progress: Option<&'a [u8]>,
    networks: Vec<NetworkBytes<'a>>,
    /// Where what follows the numbers begins.
    behind: usize,
}

/// The progress section, if there is one: its hash says so, or the claimed rule where hashes are missing.
fn progress<'a>(reader: &mut Reader<'a>, claims: &Claims) -> Result<Option<&'a [u8]>, NetError> {
    let claimed = claims.rule.is_some_and(|rule| rule.progress.is_some());
    let word = reader.peek();
    if word != Some(PROGRESS_HASH) && (!claimed || word == Some(SFNN_NETWORK_HASH)) {
        return Ok(None);
    }
    reader.u32("progress hash")?;
    reader
        .take(4 * (1 + GameProgress::WEIGHTS), "progress weights")
        .map(Some)
}

/// Width, features and sections of a compressed transformer; the first mark has been read.
fn compressed_transformer<'a>(
    reader: &mut Reader<'a>,
    claims: &Claims,
) -> Result<(usize, FeatureSet, Vec<Numbers<'a>>), NetError> {
    let first = reader.compressed("transformer bias")?;
    let (numbers, width, total) = if reader.compressed_mark() {
        let second = reader.compressed("transformer weights")?;
        let width = first.count();
        (
            vec![first, second],
            Some(width),
            width.saturating_add(second.count()),
        )
    } else {
        (vec![first], claims.width, first.count())
    };
    let fits = |&(width, features): &(usize, FeatureSet)| {
        width >= 2 * MIN_WIDTH
            && width.is_multiple_of(2)
            && width.checked_mul(1 + features.inputs()) == Some(total)
    };
    let shapes = FeatureSet::ALL
        .into_iter()
        .map(|set| (width.unwrap_or(total / (1 + set.inputs())), set));
    let found = shapes.into_iter().find(fits);
    let (width, features) = found.ok_or(NetError::Transformer {
        numbers: total,
        width,
    })?;
    Ok((width, features, numbers))
}

/// How a stack is chosen: as the user says, as the file says, or as usual for the number of stacks.
fn choose_rule(
    user: Option<StackRule>,
    claims: &Claims,
    stacks: usize,
) -> Result<StackRule, NetError> {
    if let Some(rule) = user {
        // Some published nets have more stacks than their engine uses.
        return if rule.stacks() <= stacks {
            Ok(rule)
        } else {
            Err(NetError::Rule { rule, stacks })
        };
    }
    match (claims.rule, stacks) {
        (Some(rule), _) if rule.stacks() == stacks => Ok(rule),
        (_, 1) => Ok(StackRule::default()),
        (Some(rule), _) if rule != StackRule::default() => Err(NetError::Rule { rule, stacks }),
        (_, 9) => Ok(StackRule::K3K3),
        _ => Err(NetError::NoRule { stacks }),
    }
}

/// The claimed shape, for the message about a file of no known shape.
fn claims_text(claims: &Claims) -> String {
    let mut text = String::new();
    if let (Some(features), Some(width)) = (claims.features, claims.width) {
        text = format!("; its description says {} {width}", features.name());
        if let Some([first, second]) = claims.hidden {
            text += &format!("-{first}-{second}");
        }
    }
    text
}
