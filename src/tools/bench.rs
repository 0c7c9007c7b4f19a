//! `bench`: searches a fixed list of positions and counts nodes. With one thread the number is the same on every
//! machine, so it identifies how a build searches; the time shows how fast. No clock, no book; the net
//! inside the program unless another evaluation is named.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::eval::nnue::NetFile;
use crate::eval::simd::{self, Kernels};
use crate::eval::{Evaluator, internal};
use crate::search::{Limits, SearchOptions, Searcher};
use crate::settings::MATERIAL_EVAL;
use crate::shogi::Position;

use super::common::path_error::PathError;

/// What to measure, with defaults for a run of some seconds.
#[derive(Clone, Debug)]
pub struct Bench {
    /// Plies to search each position to.
    pub depth: Option<u32>,
    /// Nodes to search in each position.
    pub nodes: Option<u64>,
    /// Searching threads.
    pub threads: usize,
    /// Size of the table in MiB.
    pub hash_mib: usize,
    /// The evaluation.
    pub evaluator: Evaluator,
}

/// The depth without any limit given.
const DEFAULT_DEPTH: u32 = 10;
/// Default threads and MiB. Constants, since every start of the program reads them.
const DEFAULT_THREADS: usize = 1;
const DEFAULT_HASH: usize = 64;

impl Default for Bench {
    fn default() -> Self {
        Self {
            depth: None,
            nodes: None,
            threads: DEFAULT_THREADS,
            hash_mib: DEFAULT_HASH,
            evaluator: Evaluator::internal(),
        }
    }
}

/// The arguments of `hien bench`, also as words of one line.
#[derive(clap::Parser, Clone, Debug)]
#[command(name = "bench", no_binary_name = true)]
pub struct Arguments {
    /// Plies to search each position to; 10 without any limit
    #[arg(long, conflicts_with = "nodes")]
    depth: Option<u32>,
    /// Nodes to search in each position
    #[arg(long)]
    nodes: Option<u64>,
    /// Searching threads
    #[arg(long, default_value_t = DEFAULT_THREADS)]
    threads: usize,
    /// Size of the hash table in MiB
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_HASH)]
    hash: usize,
    /// Evaluation file, or material; the internal net without it
    #[arg(long, value_name = "FILE")]
    eval: Option<PathBuf>,
    /// CPU path for evaluating nets, such as avx2; the fastest without it
    #[arg(long, value_name = "PATH")]
    cpu: Option<simd::CpuPath>,
}

/// Why the bench cannot run as its arguments ask.
#[derive(Debug, thiserror::Error)]
pub enum ArgumentError {
    /// The kernels need another processor.
    #[error("this CPU cannot take the path {0}")]
    Cpu(simd::CpuPath),
    /// The evaluation cannot be used.
    #[error(transparent)]
    Net(#[from] PathError),
}

impl TryFrom<Arguments> for Bench {
    type Error = ArgumentError;

    fn try_from(arguments: Arguments) -> Result<Self, ArgumentError> {
        Ok(Self {
            depth: arguments.depth,
            nodes: arguments.nodes,
            threads: arguments.threads,
            hash_mib: arguments.hash,
            evaluator: arguments.evaluator()?,
        })
    }
}

impl Arguments {
    fn evaluator(&self) -> Result<Evaluator, ArgumentError> {
        let kernels = match self.cpu {
            Some(path) => Kernels::of(path).ok_or(ArgumentError::Cpu(path))?,
            None => Kernels::best(),
        };
        let (net, scale) = match &self.eval {
            None => (internal::net().clone(), internal::net().info().scale.0),
            Some(name) if name == Path::new(MATERIAL_EVAL) => return Ok(Evaluator::material()),
            Some(path) => {
                let file = NetFile::read(path, None).map_err(PathError::at(path))?;
                (Arc::new(file.net), file.scale.0)
            }
        };
        Ok(Evaluator::net(net, kernels, scale))
    }
}

impl Bench {
    /// Runs the bench and writes one line per position, then totals; the last two lines are `Nodes searched: N` and
    /// `Nodes/second: N`. Returns the number of nodes.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn run(&self, out: &mut dyn Write) -> io::Result<u64> {
        let searcher = Searcher::new();
        searcher.set_evaluator(self.evaluator.clone());
        for note in searcher.configure(self.threads, self.hash_mib, Duration::MAX) {
            writeln!(out, "{note}")?;
        }
        let depth = match (self.depth, self.nodes) {
            (None, None) => Some(DEFAULT_DEPTH),
            (depth, _) => depth,
        };
        let mut total = 0;
        let mut seconds = 0.0;
        for (i, sfen) in POSITIONS.iter().enumerate() {
            let root = Position::from_sfen(sfen).expect("the list is well formed");
            searcher.clear();
            let limits = Limits {
                depth,
                nodes: self.nodes,
                ..Limits::default()
            };
            let start = Instant::now();
            searcher.start(root, limits, SearchOptions::default(), Arc::new(()));
            searcher.wait();
            seconds += start.elapsed().as_secs_f64();
            let nodes = searcher.nodes();
            total += nodes;
            writeln!(out, "{:>2}/{} {nodes:>10} {sfen}", i + 1, POSITIONS.len())?;
        }
        let nps = total as f64 / seconds.max(1e-9);
        writeln!(out, "Time (ms): {:.0}", seconds * 1000.0)?;
        writeln!(out, "Nodes searched: {total}")?;
        writeln!(out, "Nodes/second: {nps:.0}")?;
        Ok(total)
    }
}

/// Openings, middlegames, endgames, checks, entering kings, handicaps and mates.
const POSITIONS: &[&str] = &[
    // The start position, and a handicap of rook and bishop.
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    // Opening and middlegame.
    "ln3g2l/1r2g1sk1/1pp1ppn2/p2ps1ppp/1PP6/2GP4P/P1N1PPPP1/1R2S1SK1/L4G1NL w Bb 44",
    "l2g2B1l/1r2k2g1/p1nsppnp1/2pp4p/9/1pPS2s1P/P2PPPN1B/1PG6/LN2KG2L w S2Prp 66",
    "lr6l/4g1pkp/2ns1s3/4pp1SP/PPBP2Pp1/2gpPP3/2B2S3/2K6/L6RL b 4P2g3np 1",
    "l5snl/3k5/1pnsg1b2/p1ppp1g1p/5pp2/PPP1P4/2SP5/K1GB5/LNG4+r1 w 2Prsnl3p 78",
    "ln2sgsn1/1r3gkbl/2pppppp1/pp7/7Rp/PPP3P2/B1NPPPN1P/3SKS3/L2G1G2L b P 31",
    "4sgsn1/5gkbl/l1nppppp1/p4r2p/1P7/3GP1PRP/P1BP1P2N/L1KS5/1NSG4L b 3Pp 53",
    "ln3gsnl/6kb1/1psrgpppp/p1p1p4/3p3P1/PPP2B2P/L1NPPPP1N/3SK2R1/3GSG2L b - 31",
    "ln3gsn1/1r3g1k1/p1p2ppp1/1p1ppb3/P5s1R/1PPP5/2NSPPPP1/1B3GK2/L4GSN1 b LPlp 53",
    // Complicated middlegames with much in hand.
    "4sgs2/5gkbr/l2pppp1n/pp5p1/1Pp4Nl/3GP1PN1/P1PP1PR1+p/L1KS5/BNSG4L b 2p 79",
    "5gs1b/2r3k1l/1pp2pn2/3ppl1pp/1n4P2/2P2P1PP/2BPP4/2G1KS2L/1S2SG1R1 b GNPnl3p 79",
    "1+B3gs1l/5sk2/+R4p1g1/pp1p2p2/2p1p2n1/PPPP4S/L3PPP2/4G3K/2+r1SG1P1 b N2L2Pb2np 79",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    "ln1gkg1nl/6+P2/2sppps1p/2p3p2/p8/P1P1P3P/2NP1PP2/3s1KSR1/L1+b2G1NL w R2Pbgp 42",
    // Endgames.
    "1k1g1r1+B+L/gs1s1p3/pp1p5/L1p1p4/+R2P1P3/2P1P1pP1/1+l+n4N1/+p4SKS1/9 b BG2N2Pgl3p 131",
    "3+P3g1/+R4g3/2ppspkp1/+B4n3/4+r4/p1P6/1+p1PPP2+l/P2SKS3/L1G2G3 b N2Pbs2n2l4p 131",
    // In check.
    "9/5g1s1/8k/6+R2/9/6R1S/5B3/9/9 w b3g2s4n4l18p 1",
    "1+R6l/g2g2+P2/1s2s4/2np2ppp/1pPkN2+b1/P2NS+b3/1P1+s2P1P/4PK+R2/3g3+lL w N5Pglp 3",
    // Entering kings.
    "4K4/+R+RGGGGSSS/2S6/9/9/9/9/9/4k4 w 2B4N4L18P 1",
    "K+N5+L1/G+L+P+B1+R+P2/3+P2G2/9/2+p+n5/3s2+ss1/3+p+p1+s1+r/7g+n/6g+nk w 2L8Pb4p 1",
    // Attacks and mates.
    "2+P5+N/5P1B1/p2sg2p+P/2p2s1P1/8R/5KP1s/P3+BNN1g/1S4+p1g/+p1R1Lk2+l b NL4Pgl3p 1",
    "l5p1k/3+R1p3/3p1g+N2/p1S1p2S1/1p5Kp/5PP2/PP2P1sPP/2P2GG2/L5+r1L b L2P2bgs3np 1",
    "ln3kp1+R/3grp3/3p1sGSp/p1N1p1bp1/9/PP2L2K1/1s+pS1P2P/3b1+n3/L+p5NL w 2g5p 112",
];
