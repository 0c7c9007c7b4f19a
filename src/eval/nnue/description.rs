//! What the description in a file's header claims. Descriptions are often wrong: everything here is a hint, checked
//! against sizes.

use super::arch::{FirstActivation, Shards};
use super::buckets::{StackRule, long_names_cut};
use super::features::FeatureSet;
use crate::eval::simd::Product;

/// What was understood of a description.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Claims {
    pub features: Option<FeatureSet>,
    /// Outputs of the transformer per perspective.
    pub width: Option<usize>,
    /// Outputs of the hidden layers.
    pub hidden: Option<[usize; 2]>,
    /// Number of layer stacks.
    pub stacks: Option<usize>,
    /// How a stack is chosen, if the name says so.
    pub rule: Option<StackRule>,
    pub shards: Option<Shards>,
    /// Activation of a classic net.
    pub activation: FirstActivation,
    /// Raw output per eval unit.
    pub fv_scale: Option<u32>,
    /// A part of the architecture that is not supported.
    pub unsupported: Option<String>,
}

impl Claims {
    pub fn of(description: &str) -> Self {
        let mut claims = Self {
            features: after(description, "Features=").and_then(|text| feature_name(text, "([,{")),
            width: after(description, "->")
                .map(digits)
                .and_then(|digits| digits.parse().ok()),
            hidden: affine_layers(description),
            stacks: after(description, "LayerStack=")
                .map(digits)
                .and_then(|digits| digits.parse().ok()),
            fv_scale: after(description, "fv_scale=")
                .map(digits)
                .and_then(|digits| digits.parse().ok()),
            ..Self::default()
        };
        claims.fv_scale = claims.fv_scale.filter(|scale| (1..=128).contains(scale));
        claims.read_network_name(description);
        claims.read_activation(description);
        for token in ["PSQT=", "Threat=", "EffectBucket="] {
            let value = after(description, token).map(|text| until(text, ",;}) "));
            if let Some(value) =
                value.filter(|value| !matches!(*value, "0" | "false" | "none" | "off"))
            {
                claims.unsupported = Some(format!("{token}{value}"));
            }
        }
        claims
    }

    /// Architecture names such as `SFNN_HALFKA2_1024_7_64_C128_S64X8_K3K3`, and `SFNN-1536`.
    fn read_network_name(&mut self, description: &str) {
        let Some(name) = after(description, "Network=SFNN").map(|text| until(text, "{,;")) else {
            return;
        };
        if name == "-1536" {
            (self.hidden, self.rule) = (Some([15, 32]), Some(StackRule::K3K3));
            return;
        }
        let name = long_names_cut(name);
        let words: Vec<&str> = name.trim_start_matches('_').split('_').collect();
        let number = |word: &&str| word.parse::<usize>().ok();
        let sizes = words.windows(3).enumerate().find_map(|(at, three)| {
            Some((
                at,
                number(&three[0])?,
                number(&three[1])?,
                number(&three[2])?,
            ))
        });
        let Some((at, width, first, second)) = sizes else {
            return;
        };
        self.features = FeatureSet::from_name(&words[..at].join("_")).or(self.features);
        (self.width, self.hidden) = (Some(width), Some([first, second]));
        let (rule, unknown) = StackRule::from_words(words[at + 3..].iter().copied());
        self.rule = Some(rule);
        match shards(&unknown) {
            Some(shards) => self.shards = Some(shards),
            None if unknown.is_empty() => {}
            None => self.unsupported = Some(unknown.join("_")),
        }
    }

    fn read_activation(&mut self, description: &str) {
        let qa = after(description, "qa=").map(digits);
        let product = |default| match qa {
            Some("127") => Product::Limit127,
            Some("255") => Product::Limit255,
            _ => default,
        };
        let classic = !description.contains("LayerStack") && !description.contains("SFNN");
        self.activation = if !classic {
            FirstActivation::Clip
        } else if description.contains("Pairwise") {
            FirstActivation::Pair(product(Product::Limit127))
        } else if description.contains("SCReLU") || description.contains("SqrClippedReLU") {
            FirstActivation::Square(product(Product::Limit255))
        } else {
            FirstActivation::Clip
        };
        let known = match self.activation {
            FirstActivation::Clip => qa.is_none_or(|qa| qa == "127"),
            _ => qa.is_none_or(|qa| qa == "127" || qa == "255"),
        };
        if classic && !known {
            self.unsupported = Some(format!("qa={}", qa.unwrap_or_default()));
        }
    }
}

/// The text behind the first `mark`.
fn after<'a>(text: &'a str, mark: &str) -> Option<&'a str> {
    text.split_once(mark).map(|(_, rest)| rest)
}

/// The text before any of the characters in `ends`.
fn until<'a>(text: &'a str, ends: &str) -> &'a str {
    text.split(|c| ends.contains(c)).next().unwrap_or(text)
}

/// The digits at the start.
fn digits(text: &str) -> &str {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    &text[..end]
}

/// A feature set's name at the start of `text`, perhaps with the suffix of an activation.
fn feature_name(text: &str, ends: &str) -> Option<FeatureSet> {
    let name = until(text, ends);
    let stem = name
        .trim_end_matches("-SCReLU")
        .trim_end_matches("-Pairwise")
        .trim_end_matches("-CReLU");
    FeatureSet::from_name(stem)
}

/// The outputs of the hidden layers of a nested text `..[1<-H2](..[H2<-H1](..[H1<-inputs](..`.
fn affine_layers(description: &str) -> Option<[usize; 2]> {
    let mut outputs = Vec::new();
    for part in description.split("AffineTransform").skip(1) {
        let size = part.trim_start_matches("SparseInput").strip_prefix('[')?;
        outputs.push(digits(size).parse().ok()?);
    }
    match outputs[..] {
        [1, second, first] => Some([first, second]),
        _ => None,
    }
}

/// `["c128", "s64x8"]`.
fn shards(words: &[&str]) -> Option<Shards> {
    let &[common, shard] = words else {
        return None;
    };
    let (width, count) = shard.strip_prefix('s')?.split_once('x')?;
    Some(Shards {
        common: common.strip_prefix('c')?.parse().ok()?,
        width: width.parse().ok()?,
        count: count.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classic_descriptions_give_the_shape() {
        let claims = Claims::of(
            "Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-64](ClippedReLU[64](AffineTransform\
             [64<-8](ClippedReLU[8](AffineTransformSparseInput[8<-512](InputSlice[512(0:512)])))))",
        );
        assert_eq!(claims.features, Some(FeatureSet::HalfKp));
        assert_eq!((claims.width, claims.hidden), (Some(256), Some([8, 64])));
        assert_eq!(
            (claims.activation, claims.unsupported),
            (FirstActivation::Clip, None)
        );
    }

    #[test]
    fn network_names_give_shape_and_rule() {
        let claims = Claims::of(
            "ModelType=SFNNWithoutPsqt;Features=K+A2[1791->640x2],\
             Network=SFNN_KA2_640_7_64_C128_S64X8_K9K9Z{LayerStack=81}",
        );
        assert_eq!(claims.features, Some(FeatureSet::Ka2));
        assert_eq!(
            (claims.width, claims.hidden, claims.stacks),
            (Some(640), Some([7, 64]), Some(81))
        );
        assert_eq!(claims.rule, "k9k9z".parse().ok());
        assert_eq!(
            claims.shards,
            Some(Shards {
                common: 128,
                width: 64,
                count: 8
            })
        );
        let claims = Claims::of(
            "Network=SFNN_HALFKA_HM2_1024_15_64_king3_by_king3_HAND16_PROGRESS4{LayerStack=576}",
        );
        assert_eq!(claims.features, Some(FeatureSet::HalfKaHm2));
        assert_eq!(claims.rule, "hand16_k3k3_progress4".parse().ok());
        let claims = Claims::of("Network=SFNN_HALFKA2_1024_7_64_MOON7{LayerStack=9}");
        assert_eq!(claims.unsupported.as_deref(), Some("moon7"));
    }

    #[test]
    fn other_trainers_tokens_are_read() {
        let claims = Claims::of("Features=HalfKaSplit-SCReLU[138510->256x2],fv_scale=20,qa=127");
        assert_eq!(claims.features, Some(FeatureSet::HalfKa1));
        assert_eq!(
            claims.activation,
            FirstActivation::Square(Product::Limit127)
        );
        assert_eq!(claims.fv_scale, Some(20));
        assert!(
            Claims::of("Features=HalfKaHmMerged,PSQT=8")
                .unsupported
                .is_some()
        );
        assert!(
            Claims::of("Features=HalfKP(Friend),qa=181")
                .unsupported
                .is_some()
        );
        let claims = Claims::of("Features=HalfKP-Pairwise[125388->512x2],qa=255");
        assert_eq!(claims.activation, FirstActivation::Pair(Product::Limit255));
        assert_eq!(Claims::of("any text at all").features, None);
    }
}
