//! The rules of shogi (将棋), exact and complete. Knows nothing of evaluation, search, protocols or files.
//!
//! Read [`position`] first, then [`movegen`]. The other files by topic:
//!
//! | file | about |
//! | --- | --- |
//! | `color`, `square`, `piece`, `hand`, `moves` | the vocabulary: small exact types and their text forms |
//! | `bitboard` | sets of squares |
//! | `attacks`, `magic`, `lines` | attacks of pieces, magic bitboards |
//! | `position`, `make`, `zobrist` | a position, making and unmaking moves, Zobrist keys |
//! | `movegen`, `legality` | all legal moves, and questions about single moves |
//! | `see`, `piece_value` | static exchange evaluation (SEE) and piece values |
//! | `repetition`, `declaration` | sennichite and entering king: how games end besides mate |
//! | `sfen`, `perft` | text form, counting the move tree |
//! | `splitmix` | random numbers for keys and tables |
//!
//! Glossary: *hand* (持ち駒) the captured pieces a player can drop; *nifu* (二歩) two unpromoted pawns of one
//! side on a file; *uchifuzume* (打ち歩詰め) mate by a pawn drop, which is illegal; *sennichite* (千日手)
//! fourfold repetition; *zone* (敵陣) the three far ranks, where pieces promote.

pub mod attacks;
pub mod bitboard;
pub mod color;
pub mod declaration;
pub mod hand;
pub mod legality;
mod lines;
mod magic;
pub mod make;
pub mod movegen;
pub mod moves;
pub mod perft;
pub mod piece;
pub mod piece_value;
pub mod position;
pub mod repetition;
mod see;
pub mod sfen;
mod splitmix;
pub mod square;
mod zobrist;

pub use bitboard::Bitboard;
pub use color::Color;
pub use declaration::{Declaration, EnteringKingRule};
pub use hand::{Hand, HandPiece};
pub use legality::CheckInfo;
pub use make::IllegalMove;
pub use movegen::{MoveSink, Promotions};
pub use moves::{Move, MoveKind, MoveList};
pub use piece::{Piece, PieceType};
pub use position::{Diff, Position};
pub use repetition::{Cycle, Repetition};
pub use sfen::SfenError;
pub use splitmix::{SplitMix64, scale_down};
pub use square::{File, Rank, Square};
pub use zobrist::PartKeys;
