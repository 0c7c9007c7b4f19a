//! Text encodings of records: from bytes to text and back.

use encoding_rs::{EUC_JP, SHIFT_JIS, UTF_16BE, UTF_16LE};

use super::error::Warning;

/// Stands for what Shift_JIS has no character for (the geta of printers).
const SUBSTITUTE: char = '〓';

/// How a text is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark.
    #[default]
    Utf8,
    /// Shift_JIS as Windows has it (code page 932).
    ShiftJis,
    /// EUC-JP, of old Unix programs.
    EucJp,
    /// UTF-16 with a byte order mark.
    Utf16,
}

impl Encoding {
    /// The usual name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::ShiftJis => "Shift_JIS",
            Self::EucJp => "EUC-JP",
            Self::Utf16 => "UTF-16",
        }
    }
}

/// Decodes a text: UTF-16 and UTF-8 by their byte order marks, UTF-8 if it is valid, else EUC-JP if only that has the
/// words of a record, else Shift_JIS. Warns of an unusual encoding and of bytes that mean nothing. Also for lists of
/// problems and other text files that people keep.
///
/// ```
/// use hien::records::{Encoding, decode};
///
/// let (text, encoding, warnings) = decode(b"\xef\xbb\xbfsfen");
/// assert_eq!((text.as_str(), encoding), ("sfen", Encoding::Utf8));
/// assert!(warnings.is_empty());
/// ```
pub fn decode(bytes: &[u8]) -> (String, Encoding, Vec<Warning>) {
    let (encoding, decoder) = match bytes {
        [0xff, 0xfe, ..] => (Encoding::Utf16, UTF_16LE),
        [0xfe, 0xff, ..] => (Encoding::Utf16, UTF_16BE),
        _ => {
            let plain = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            if let Ok(text) = std::str::from_utf8(plain) {
                return (text.to_owned(), Encoding::Utf8, Vec::new());
            }
            match is_euc_jp(bytes) {
                true => (Encoding::EucJp, EUC_JP),
                false => (Encoding::ShiftJis, SHIFT_JIS),
            }
        }
    };
    let (text, _, is_damaged) = decoder.decode(bytes);
    let mut warnings = Vec::new();
    let mut warn = |line: usize, text: String| warnings.push(Warning { line, text });
    if encoding != Encoding::ShiftJis {
        warn(1, format!("the file is {}", encoding.name()));
    }
    if is_damaged {
        let before = text.split('\u{fffd}').next().unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        warn(line, format!("bytes that are no {}", encoding.name()));
    }
    (text.into_owned(), encoding, warnings)
}

/// Whether a text makes sense only as EUC-JP: most EUC-JP texts are valid Shift_JIS too, but nonsense.
fn is_euc_jp(bytes: &[u8]) -> bool {
    const WORDS: [&str; 8] = ["先手", "後手", "上手", "下手", "手数", "手合", "▲", "△"];
    let has_words = |text: &str| WORDS.iter().any(|word| text.contains(word));
    let (text, _, is_damaged) = EUC_JP.decode(bytes);
    !is_damaged && has_words(&text) && !has_words(&SHIFT_JIS.decode(bytes).0)
}

/// A text as Shift_JIS, and the characters that Shift_JIS lacks; 〓 stands in their place.
pub(super) fn to_shift_jis(text: &str) -> (Vec<u8>, Vec<char>) {
    let mut missing = Vec::new();
    let mut keep = |c: char| {
        if is_shift_jis(c) {
            return c;
        }
        if !missing.contains(&c) {
            missing.push(c);
        }
        SUBSTITUTE
    };
    let text: String = text.chars().map(&mut keep).collect();
    (SHIFT_JIS.encode(&text).0.into_owned(), missing)
}

/// Whether a character comes back from Shift_JIS as it was: ¥ and ‾ become ASCII there.
fn is_shift_jis(c: char) -> bool {
    if c.is_ascii() {
        return true;
    }
    let mut buffer = [0; 4];
    let text: &str = c.encode_utf8(&mut buffer);
    let (bytes, _, is_missing) = SHIFT_JIS.encode(text);
    !is_missing && SHIFT_JIS.decode(&bytes).0 == text
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "手合割：平手\n先手：飛車\n▲７六歩\n";

    #[test]
    fn encodings_are_told_apart() {
        let utf16: Vec<u8> = "\u{feff}手合割：平手"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        for (bytes, encoding) in [
            (TEXT.as_bytes().to_vec(), Encoding::Utf8),
            (format!("\u{feff}{TEXT}").into_bytes(), Encoding::Utf8),
            (SHIFT_JIS.encode(TEXT).0.into_owned(), Encoding::ShiftJis),
            (EUC_JP.encode(TEXT).0.into_owned(), Encoding::EucJp),
            (utf16, Encoding::Utf16),
        ] {
            let (text, found, warnings) = decode(&bytes);
            assert_eq!(found, encoding);
            assert!(text.starts_with("手合割：平手"), "{text}");
            let is_usual = matches!(encoding, Encoding::Utf8 | Encoding::ShiftJis);
            assert_eq!(warnings.is_empty(), is_usual);
        }
    }

    #[test]
    fn damage_is_named_with_its_line() {
        let mut bytes = SHIFT_JIS.encode(TEXT).0.into_owned();
        bytes.extend(b"*\x81");
        assert_eq!(
            decode(&bytes).2[0].to_string(),
            "line 4: bytes that are no Shift_JIS"
        );
    }

    #[test]
    fn missing_characters_are_replaced_and_named() {
        let (bytes, missing) = to_shift_jis("先手：☗¥é☗～");
        assert_eq!(missing, ['☗', '¥', 'é']);
        assert_eq!(SHIFT_JIS.decode(&bytes).0, "先手：〓〓〓〓～");
    }
}
