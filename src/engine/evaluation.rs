//! Which evaluation the settings ask for: found, loaded when it changes, and described.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::book::list;
use crate::eval::nnue::{FileError, Net, NetFile, ParseStackRuleError, ScaleSource, StackRule};
use crate::eval::simd::{CpuPath, Kernels};
use crate::eval::{Evaluator, internal};
use crate::settings::{AUTO, DEFAULT_EVAL_DIR, INTERNAL_EVAL, MATERIAL_EVAL, Settings, places};

use super::applied::Applied;

/// The name of a net in an evaluation folder.
const NET_NAME: &str = "nn.bin";

/// Why an evaluation cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EvaluationError {
    /// There is none.
    #[error(transparent)]
    NotFound(#[from] NetNotFound),
    /// The rule of the layer stacks cannot be read.
    #[error("LayerStackRule: {0}")]
    Rule(#[from] ParseStackRuleError),
    /// The file holds no net that can be used.
    #[error("{}: {reason}", path.display())]
    Net {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: FileError,
    },
}

/// There is no net where the settings say.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{option} {name}: no {}; tried {}", if *option == "EvalDir" { NET_NAME } else { "such file" }, list(tried))]
pub struct NetNotFound {
    /// The option that names it.
    pub option: &'static str,
    /// Its value.
    pub name: String,
    /// Where it was looked for.
    pub tried: Vec<PathBuf>,
}

/// The net in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetInUse {
    /// Feature set, layers and layer stacks, in words.
    pub architecture: String,
    /// Units of the net's raw output per eval unit.
    pub scale: u32,
    /// Where the scale comes from.
    pub scale_source: ScaleSource,
    /// The kernels that evaluate.
    pub path: CpuPath,
    /// Its file; `None` if it is the net inside the program.
    pub file: Option<PathBuf>,
    /// The size of the file.
    pub bytes: usize,
    /// The hash that the file states.
    pub hash: u32,
    /// Whether that is the hash of the architecture.
    pub has_usual_hash: bool,
}

impl fmt::Display for NetInUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match &self.file {
            Some(path) => path.display().to_string(),
            None => INTERNAL_EVAL.to_owned(),
        };
        let unusual = if self.has_usual_hash { "" } else { ", unusual" };
        write!(
            f,
            "{}, FV_SCALE {} ({}), CPU path {}, {place} ({} bytes, hash {:08x}{unusual})",
            self.architecture, self.scale, self.scale_source, self.path, self.bytes, self.hash,
        )
    }
}

/// Loads the evaluation that the settings request; if that fails, the one in use stays.
pub(super) struct Loader {
    applied: Applied<Requested>,
    evaluator: Evaluator,
    /// The net of the evaluator and of what it was read.
    loaded: Option<Loaded>,
}

/// Everything that decides which evaluation is used.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Requested {
    source: Result<Source, NetNotFound>,
    rule: String,
    fv_scale: u32,
    cpu: Option<CpuPath>,
}

/// Where an evaluation comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    Material,
    /// The net inside the program.
    Internal,
    /// A file, its size, and when it was changed.
    Net(PathBuf, u64, Option<SystemTime>),
}

/// A net in memory.
struct Loaded {
    source: Source,
    rule: String,
    net: Arc<Net>,
    scale: (u32, ScaleSource),
}

impl Loader {
    pub fn new() -> Self {
        Self {
            applied: Applied::nothing(),
            evaluator: Evaluator::internal(),
            loaded: None,
        }
    }

    /// The evaluation in use.
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    /// Loads another evaluation if the settings request one. Returns whether it changed; errors are returned once.
    pub fn sync(&mut self, settings: &Settings) -> Result<bool, EvaluationError> {
        let requested = Requested {
            source: find(settings),
            rule: settings.layer_stack_rule.clone(),
            fv_scale: settings.fv_scale,
            cpu: settings.cpu,
        };
        if !self.applied.update(&requested) {
            return Ok(false);
        }
        self.load(requested.source.clone()?, &requested)
    }

    fn load(&mut self, source: Source, requested: &Requested) -> Result<bool, EvaluationError> {
        let is_loaded = |loaded: &Loaded| loaded.source == source && loaded.rule == requested.rule;
        if !self.loaded.as_ref().is_some_and(is_loaded) {
            let Some((net, scale)) = read(&source, &requested.rule)? else {
                let was_material = self.evaluator.as_net().is_none();
                (self.evaluator, self.loaded) = (Evaluator::material(), None);
                return Ok(!was_material);
            };
            self.loaded = Some(Loaded {
                net,
                scale,
                source,
                rule: requested.rule.clone(),
            });
        }
        if let Some(loaded) = &mut self.loaded {
            let kernels = requested
                .cpu
                .and_then(Kernels::of)
                .unwrap_or_else(Kernels::best);
            let scale = match requested.fv_scale {
                0 => loaded.scale.0,
                scale => scale,
            };
            self.evaluator = Evaluator::net(loaded.net.clone(), kernels, scale);
        }
        Ok(true)
    }

    /// The net in use; `None` without one.
    pub fn net_in_use(&self) -> Option<NetInUse> {
        let (net, kernels, scale) = self.evaluator.as_net()?;
        let loaded = self.loaded.as_ref()?;
        let scale_source = match scale {
            _ if scale == loaded.scale.0 => loaded.scale.1.clone(),
            _ => ScaleSource::Option,
        };
        let [hash, _] = net.info().file_hash;
        Some(NetInUse {
            architecture: net.architecture().to_string(),
            scale,
            scale_source,
            path: kernels.path(),
            file: match &loaded.source {
                Source::Net(path, ..) => Some(path.clone()),
                Source::Material | Source::Internal => None,
            },
            bytes: net.info().bytes,
            hash,
            has_usual_hash: net.info().hashes_agree(),
        })
    }
}

/// The net of a source and its scale; `None` if it has none.
type FoundNet = Option<(Arc<Net>, (u32, ScaleSource))>;

/// Reads the net of a source.
fn read(source: &Source, rule: &str) -> Result<FoundNet, EvaluationError> {
    match source {
        Source::Material => Ok(None),
        Source::Internal => {
            let net = internal::net();
            Ok(Some((net.clone(), net.info().scale.clone())))
        }
        Source::Net(path, ..) => {
            let file = NetFile::read(path, read_rule(rule)?);
            let file = file.map_err(|reason| EvaluationError::Net {
                path: path.clone(),
                reason,
            })?;
            Ok(Some((Arc::new(file.net), file.scale)))
        }
    }
}

/// The rule of the setting, `None` if the file is to decide.
fn read_rule(text: &str) -> Result<Option<StackRule>, ParseStackRuleError> {
    match text {
        "" => Ok(None),
        _ if text.eq_ignore_ascii_case(AUTO) => Ok(None),
        _ => text.parse().map(Some),
    }
}

/// The evaluation that the settings name: a file, else the net in a folder, else the internal one.
fn find(settings: &Settings) -> Result<Source, NetNotFound> {
    let (file, folder) = (settings.eval_file.as_str(), settings.eval_dir.as_str());
    match file {
        MATERIAL_EVAL => Ok(Source::Material),
        "" | INTERNAL_EVAL => match folder {
            "" => Ok(Source::Internal),
            // The default folder: the user did not ask for it, so a missing net is no error.
            DEFAULT_EVAL_DIR => Ok(find_net("EvalDir", folder).unwrap_or(Source::Internal)),
            _ => find_net("EvalDir", folder),
        },
        _ => find_net("EvalFile", file),
    }
}

/// Looks for a net, or a folder with one, of the name that an option has.
fn find_net(option: &'static str, name: &str) -> Result<Source, NetNotFound> {
    let tried = places(name);
    let found = tried.iter().find_map(|path| net_at(path));
    found.ok_or_else(|| NetNotFound {
        option,
        name: name.to_owned(),
        tried,
    })
}

/// The file of this path, or the net in the folder of this path.
fn net_at(path: &Path) -> Option<Source> {
    let path = if path.is_dir() {
        path.join(NET_NAME)
    } else {
        path.to_owned()
    };
    let meta = fs::metadata(&path).ok()?;
    meta.is_file()
        .then(|| Source::Net(path, meta.len(), meta.modified().ok()))
}
