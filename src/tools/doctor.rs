//! `doctor`: checks an installation and prints what a bug report needs in one paste: the program, the machine, what is
//! set and loaded, and whether rules, evaluation and search work.

use std::env;
use std::fmt::Display;
use std::fs;
use std::io::{self, Write};
use std::path::{self, Path, PathBuf};
use std::thread;
use std::time::Instant;

use sysinfo::{CpuRefreshKind, System};

use crate::book::Selection;
use crate::engine::{Engine, Remark};
use crate::eval::simd::{self, Kernels};
use crate::memory;
use crate::settings::{Config, Settings, options};
use crate::shogi::Position;

use super::bench::Bench;
use super::perft;

/// Positions, depths and the number of move sequences, from tables that several programs agree on: the start, much in
/// hand, the most legal moves known, a check by a knight, mates by dropped pawns.
const PERFT: [(&str, u32, u64); 5] = [
    (
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        4,
        719_731,
    ),
    (
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
        3,
        4_809_015,
    ),
    (
        "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
        2,
        105_677,
    ),
    (
        "lr6l/3g1kg2/p2pp2s+P/2Ps1ppp1/8L/P1nP2PR1/1P3PS2/1SGK5/LN3G3 b B2N3Pb2p 1",
        3,
        103_203,
    ),
    ("7lk/9/8S/9/9/9/9/7L1/8K b P 1", 5, 3_459_265),
];

/// Nodes to search in each position of the bench.
const BENCH_NODES: u64 = 10_000;

const MIB: u64 = 1 << 20;

/// What is known of an installation before the engine is made ready.
#[derive(Clone, Debug, Default)]
pub struct Installation {
    /// The configuration file in use.
    pub config: Option<PathBuf>,
    /// What was wrong with it, in words.
    pub problems: Vec<String>,
    /// Names and values of the options that differ from the engine's own defaults.
    pub changed: Vec<(&'static str, String)>,
}

/// Examines the installation as a client would find it with this configuration, and writes the findings. Returns the
/// number of problems found.
///
/// # Errors
///
/// Those of `out`.
pub fn run(config: Option<&Path>, out: &mut dyn Write) -> io::Result<usize> {
    let config = Config::load(config);
    let (settings, remarks) = options::configured(&config);
    let installation = Installation {
        changed: options::changed(&settings),
        config: config.path(),
        problems: remarks.iter().map(ToString::to_string).collect(),
    };
    let mut engine = Engine::new();
    *engine.settings_mut() = settings;
    examine(&mut engine, &installation, out)
}

/// Examines `engine` and writes the findings. Returns the number of problems found. The engine's position stays.
///
/// # Errors
///
/// Those of `out`.
pub fn examine(
    engine: &mut Engine,
    installation: &Installation,
    out: &mut dyn Write,
) -> io::Result<usize> {
    let mut report = Findings {
        out,
        problems: installation.problems.clone(),
    };
    report.program(installation)?;
    report.machine()?;
    for remark in engine.prepare() {
        match remark {
            // A machine that gives memory slowly is no fault of the installation.
            Remark::Search(slow) if slow.is_about_time() => report.line("memory", slow)?,
            problem => report.problems.push(problem.to_string()),
        }
    }
    report.evaluation(engine)?;
    report.book(engine)?;
    report.rules()?;
    report.search(engine)?;
    report.conclusion(engine.settings())
}

/// Findings on their way out.
struct Findings<'a> {
    out: &'a mut dyn Write,
    problems: Vec<String>,
}

impl Findings<'_> {
    fn line(&mut self, label: &str, text: impl Display) -> io::Result<()> {
        writeln!(self.out, "{label:<13} {text}")
    }

    fn program(&mut self, installation: &Installation) -> io::Result<()> {
        let (system, arch) = (env::consts::OS, env::consts::ARCH);
        let version = env!("CARGO_PKG_VERSION");
        self.line("program", format_args!("Hien {version}, {system} {arch}"))?;
        let path = env::current_exe();
        let bytes = path.as_ref().ok().and_then(|path| fs::metadata(path).ok());
        match (path, bytes) {
            (Ok(path), Some(meta)) => self.line(
                "file",
                format_args!("{} ({} bytes)", path.display(), meta.len()),
            )?,
            _ => self.line("file", "unknown")?,
        }
        match &installation.config {
            Some(path) => {
                let path = path::absolute(path).unwrap_or_else(|_| path.clone());
                self.line("configuration", path.display())?;
            }
            None => self.line("configuration", "none, all defaults")?,
        }
        for (name, value) in &installation.changed {
            self.line("option", format_args!("{name} = {value}"))?;
        }
        Ok(())
    }

    fn machine(&mut self) -> io::Result<()> {
        let mut system = System::new().ok();
        if let Ok(name) = System::long_os_version() {
            let kernel = System::kernel_version().unwrap_or_default();
            self.line("system", format_args!("{name}, kernel {kernel}"))?;
        }
        let brand = system.as_mut().and_then(|system| {
            system.refresh_cpu_list(CpuRefreshKind::nothing());
            Some(system.cpus().first()?.brand().trim().to_owned())
        });
        let brand = brand.filter(|brand| !brand.is_empty());
        let brand = brand.as_deref().unwrap_or("unknown");
        self.line("processor", format_args!("{brand}, {} threads", cores()))?;
        let paths: Vec<_> = simd::CpuPath::available()
            .map(simd::CpuPath::name)
            .collect();
        let best = Kernels::best().path();
        let paths = paths.join(", ");
        self.line("CPU paths", format_args!("{paths}; the fastest is {best}"))?;
        let total = system.map_or(0, |mut system| {
            system.refresh_memory();
            system.total_memory()
        });
        let free = memory::available().map_or("unknown".to_owned(), |free| {
            let free = free / MIB;
            let advised = (free / 4 * 3).checked_ilog2().map_or(1, |log| 1 << log);
            format!("{free} MiB available, enough for USI_Hash {advised}")
        });
        self.line("memory", format_args!("{} MiB, {free}", total / MIB))?;
        if let Some(pages) = large_pages() {
            self.line("large pages", pages)?;
        }
        Ok(())
    }

    fn evaluation(&mut self, engine: &Engine) -> io::Result<()> {
        match engine.net_in_use() {
            Some(net) => self.line("evaluation", net)?,
            None => self.line("evaluation", "material, no net")?,
        }
        let Some((net, ..)) = engine.evaluator().as_net() else {
            return Ok(());
        };
        for path in simd::CpuPath::available() {
            let disagrees = |sfen: &&str| {
                let position = position(sfen);
                let value = Kernels::of(path).and_then(|kernels| net.evaluate(kernels, &position));
                value != net.evaluate(Kernels::best(), &position)
            };
            if let Some(sfen) = PERFT.iter().map(|(sfen, ..)| *sfen).find(disagrees) {
                let problem = format!("the CPU path {path} evaluates {sfen} differently");
                self.problems.push(problem);
            }
        }
        Ok(())
    }

    fn book(&mut self, engine: &mut Engine) -> io::Result<()> {
        let files = engine.book_in_use();
        if files.is_empty() {
            self.line("book", "none")?;
        }
        for file in files {
            self.line("book", file)?;
        }
        if let Some(found) = engine.look_up(&Position::startpos()) {
            let found = match found {
                Ok(Selection { playable, .. }) => {
                    let moves: Vec<_> = playable.iter().map(|known| known.mv.to_string()).collect();
                    moves.join(" ")
                }
                Err(miss) => miss.to_string(),
            };
            self.line("book", format_args!("in the start position: {found}"))?;
        }
        Ok(())
    }

    fn rules(&mut self) -> io::Result<()> {
        let mut total = 0;
        let start = Instant::now();
        for (sfen, depth, expected) in PERFT {
            let nodes = perft::run(&position(sfen), depth, 1).nodes;
            total += nodes;
            if nodes != expected {
                let problem = format!("perft {depth} of {sfen} is {nodes}, not {expected}");
                self.problems.push(problem);
            }
        }
        let speed = total as f64 / start.elapsed().as_secs_f64().max(1e-9) / 1e6;
        let count = PERFT.len();
        self.line(
            "rules",
            format_args!("perft of {count} positions, {speed:.0} million moves/s"),
        )
    }

    fn search(&mut self, engine: &Engine) -> io::Result<()> {
        let threads = engine.settings().threads;
        let mut counts = vec![1, threads];
        counts.dedup();
        for threads in counts {
            let bench = Bench {
                nodes: Some(BENCH_NODES),
                threads,
                hash_mib: 16,
                evaluator: engine.evaluator().clone(),
                ..Bench::default()
            };
            let start = Instant::now();
            let nodes = bench.run(&mut io::sink())?;
            let speed = nodes as f64 / start.elapsed().as_secs_f64().max(1e-9);
            let plural = if threads == 1 { "" } else { "s" };
            self.line(
                "search",
                format_args!("{speed:.0} nodes/s with {threads} thread{plural}"),
            )?;
        }
        Ok(())
    }

    fn conclusion(&mut self, settings: &Settings) -> io::Result<usize> {
        for advice in advice(settings) {
            self.line("advice", advice)?;
        }
        let problems = std::mem::take(&mut self.problems);
        for problem in &problems {
            self.line("PROBLEM", problem)?;
        }
        match problems.len() {
            0 => self.line("conclusion", "no problems found")?,
            1 => self.line("conclusion", "1 problem found")?,
            count => self.line("conclusion", format_args!("{count} problems found"))?,
        }
        Ok(problems.len())
    }
}

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).expect("the list is well formed")
}

/// Threads that run at the same time on this machine.
fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// How the system provides large pages: transparent ones, and reserved ones (hugetlbfs). `None` if it does not tell.
#[cfg(target_os = "linux")]
fn large_pages() -> Option<String> {
    let modes = fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").ok()?;
    let transparent = match modes.split(['[', ']']).nth(1)? {
        "never" => "off (never): the system does not give any".to_owned(),
        mode => format!("on ({mode})"),
    };
    let set_aside = match memory::kernel_number("/proc/meminfo", "HugePages_Free:") {
        None | Some(0) => "none".to_owned(),
        Some(pages) => format!("{} MiB", pages * memory::LARGE_PAGE as u64 / MIB),
    };
    Some(format!(
        "{transparent}; set aside (vm.nr_hugepages): {set_aside}"
    ))
}

/// The system does not tell.
#[cfg(not(target_os = "linux"))]
fn large_pages() -> Option<String> {
    None
}

/// Settings that are allowed but seldom intended.
fn advice(settings: &Settings) -> Vec<String> {
    let mut advice = Vec::new();
    let (cores, threads) = (cores(), settings.threads);
    if threads > cores {
        advice.push(format!("Threads {threads} on {cores} processor threads: more are no faster, and clocks are read late"));
    }
    let hash = settings.hash_mib as u64;
    if memory::available().is_some_and(|free| hash * MIB > free / 4 * 3) {
        advice.push(format!(
            "USI_Hash {hash} takes most of the available memory"
        ));
    }
    if hash < 16 {
        advice.push(format!(
            "USI_Hash {hash} is small: analysis will forget much"
        ));
    }
    if let Some(path) = settings.cpu
        && path != Kernels::best().path()
    {
        advice.push(format!(
            "CPU {path} is not the fastest path of this machine"
        ));
    }
    if settings.depth_limit > 0 || settings.nodes_limit > 0 {
        advice.push("DepthLimit or NodesLimit is set: every search ends there".to_owned());
    }
    if settings.search.resign_value < 500 {
        let value = settings.search.resign_value;
        advice.push(format!(
            "ResignValue {value} gives up games that can be saved"
        ));
    }
    if !settings.debug_log_file.is_empty() {
        advice.push("DebugLogFile is set: the protocol is written to a file".to_owned());
    }
    advice
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_settings_need_no_advice_and_odd_ones_do() {
        let usual = Settings {
            hash_mib: 16,
            ..Settings::default()
        };
        assert_eq!(advice(&usual), Vec::<String>::new());
        let mut odd = Settings {
            hash_mib: 1 << 20,
            threads: cores() + 1,
            cpu: Some(simd::CpuPath::Scalar),
            nodes_limit: 5,
            debug_log_file: "log".to_owned(),
            ..usual
        };
        odd.search.resign_value = 100;
        let advice = advice(&odd);
        for (text, word) in advice.iter().zip([
            "Threads",
            "USI_Hash",
            "CPU",
            "NodesLimit",
            "ResignValue",
            "DebugLogFile",
        ]) {
            assert!(text.contains(word), "{text}");
        }
        assert_eq!(advice.len(), 6, "{advice:?}");
    }

    #[test]
    fn a_fault_is_a_problem() {
        let mut engine = Engine::new();
        engine.settings_mut().hash_mib = 1;
        engine.settings_mut().eval_file = "/no/such file".to_owned();
        let installation = Installation {
            problems: vec!["engine.toml: odd".to_owned()],
            ..Installation::default()
        };
        let mut out = Vec::new();
        assert_eq!(examine(&mut engine, &installation, &mut out).unwrap(), 2);
        let text = String::from_utf8(out).unwrap();
        let problems: Vec<_> = text
            .lines()
            .filter(|line| line.starts_with("PROBLEM"))
            .collect();
        assert!(problems[0].ends_with("engine.toml: odd"), "{text}");
        assert!(
            problems[1].contains("/no/such file: no such file"),
            "{text}"
        );
        assert!(text.ends_with("2 problems found\n"), "{text}");
    }
}
