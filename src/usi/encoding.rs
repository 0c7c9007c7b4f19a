//! The encoding of text beyond ASCII: UTF-8 or, with old Windows programs, Shift_JIS. What the client sends shows which
//! it understands.

use std::borrow::Cow;

use encoding_rs::SHIFT_JIS;

/// An encoding of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// What is written unless the client shows that it speaks otherwise.
    #[default]
    Utf8,
    /// Code page 932.
    ShiftJis,
}

impl Encoding {
    /// The text that `bytes` are, and their encoding; `None` for it if they are ASCII, which both have in common.
    ///
    /// # Errors
    ///
    /// If they are neither; in words.
    pub fn decode(bytes: &[u8]) -> Result<(String, Option<Self>), &'static str> {
        if let Ok(text) = std::str::from_utf8(bytes) {
            let encoding = (!text.is_ascii()).then_some(Self::Utf8);
            return Ok((text.to_owned(), encoding));
        }
        SHIFT_JIS
            .decode_without_bom_handling_and_without_replacement(bytes)
            .map(|text| (text.into_owned(), Some(Self::ShiftJis)))
            .ok_or("it is neither UTF-8 nor Shift_JIS")
    }

    /// The bytes of a text. A character that Shift_JIS lacks becomes its number, as `&#1234;`.
    pub fn encode(self, text: &str) -> Cow<'_, [u8]> {
        match self {
            Self::Utf8 => Cow::Borrowed(text.as_bytes()),
            Self::ShiftJis => SHIFT_JIS.encode(text).0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHOGI: &[u8] = b"C:\\\x8f\xab\x8a\xfb";

    #[test]
    fn both_encodings_are_read_and_told_apart() {
        let text = |text: &str| text.to_owned();
        let utf8 = Some(Encoding::Utf8);
        assert_eq!(
            Encoding::decode("C:\\将棋".as_bytes()),
            Ok((text("C:\\将棋"), utf8))
        );
        let shift_jis = Some(Encoding::ShiftJis);
        assert_eq!(Encoding::decode(SHOGI), Ok((text("C:\\将棋"), shift_jis)));
        assert_eq!(Encoding::decode(b"usi"), Ok((text("usi"), None)));
        assert!(Encoding::decode(b"\xff\xfe").is_err());
    }

    #[test]
    fn nothing_is_lost_on_the_way_back() {
        assert_eq!(*Encoding::Utf8.encode("C:\\将棋"), *"C:\\将棋".as_bytes());
        assert_eq!(*Encoding::ShiftJis.encode("C:\\将棋"), *SHOGI);
        assert_eq!(*Encoding::ShiftJis.encode("\u{e9}"), *b"&#233;");
    }
}
