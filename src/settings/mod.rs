//! All settings of the engine with their defaults and units. `options` is the table of what users can set, under the
//! names of USI; `config` reads `engine.toml`, which may change the defaults; `paths` says where files are looked for.

mod config;
pub mod options;
mod paths;

pub use config::{Config, ConfigFault, EntryFault};
pub use paths::{places, roots};

use crate::book;
use crate::eval::simd;
use crate::search::SearchOptions;

/// Everything a user can set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Size of the hash table in MiB; takes effect at `isready` or with the next search.
    pub hash_mib: usize,
    /// Number of search threads; takes effect at `isready` or with the next search.
    pub threads: usize,
    /// [`INTERNAL_EVAL`], [`MATERIAL_EVAL`] or the path of an evaluation file; empty = internal.
    pub eval_file: String,
    /// Folder whose `nn.bin` is used where `eval_file` names none; empty = none.
    pub eval_dir: String,
    /// Units of a net's raw output per eval unit; 0 = as the net's files say.
    pub fv_scale: u32,
    /// How nets choose their layer stacks, as text; [`AUTO`] = as the file says.
    pub layer_stack_rule: String,
    /// The kernels that evaluate nets; `None` = the fastest.
    pub cpu: Option<simd::CpuPath>,
    /// The opening book.
    pub book: book::BookOptions,
    /// Whether the moves before the root are ignored, so that repetitions of earlier positions do not count.
    pub ignore_history: bool,
    /// Depth in plies that no search exceeds; 0 = no limit.
    pub depth_limit: u32,
    /// Nodes that no search exceeds; 0 = no limit.
    pub nodes_limit: u64,
    /// File to which the protocol is logged; empty = none.
    pub debug_log_file: String,
    /// Options of the search itself.
    pub search: SearchOptions,
}

/// The net inside the program, unless `eval_dir` has one.
pub const INTERNAL_EVAL: &str = "<internal>";

/// The material evaluation.
pub const MATERIAL_EVAL: &str = "material";

/// The folder where YaneuraOu's users keep their net.
pub const DEFAULT_EVAL_DIR: &str = "eval";

/// The engine chooses.
pub const AUTO: &str = "auto";

impl Default for Settings {
    fn default() -> Self {
        Self {
            hash_mib: 256,
            threads: 1,
            eval_file: INTERNAL_EVAL.to_owned(),
            eval_dir: DEFAULT_EVAL_DIR.to_owned(),
            fv_scale: 0,
            layer_stack_rule: AUTO.to_owned(),
            cpu: None,
            book: book::BookOptions::default(),
            ignore_history: false,
            depth_limit: 0,
            nodes_limit: 0,
            debug_log_file: String::new(),
            search: SearchOptions::default(),
        }
    }
}
