//! How long commands search a position: the options `--time`, `--nodes` and `--depth`.

use crate::search::Limits;

/// Time for a position if nothing is asked for, in milliseconds.
const DEFAULT_TIME: u64 = 1000;

/// How long to search a position: one of three measures.
#[derive(clap::Args, Clone, Copy, Debug)]
#[group(multiple = false)]
pub struct Effort {
    /// Time for each position in ms
    #[arg(long, value_name = "MS")]
    time: Option<u64>,
    /// Nodes for each position
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Depth for each position in plies
    #[arg(long, value_name = "D")]
    depth: Option<u32>,
}

impl Effort {
    /// Whether anything was asked for.
    pub fn is_given(&self) -> bool {
        self.time.is_some() || self.nodes.is_some() || self.depth.is_some()
    }

    /// The limits of a search that begins now.
    pub fn limits(&self) -> Limits {
        let time = self.time.or((!self.is_given()).then_some(DEFAULT_TIME));
        Limits {
            movetime: time,
            nodes: self.nodes,
            depth: self.depth,
            ..Limits::default()
        }
    }

    /// The measure in words.
    pub fn describe(&self) -> String {
        match (self.nodes, self.depth) {
            (Some(nodes), _) => format!("{nodes} nodes"),
            (_, Some(depth)) => format!("depth {depth}"),
            _ => format!("{} ms", self.time.unwrap_or(DEFAULT_TIME)),
        }
    }
}
