//! Which evaluation the settings ask for: found, loaded when it changes, and described.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::eval::nnue::{Net, NetFile, ScaleSource, StackRule};
use crate::eval::simd::{self, Kernels};
use crate::eval::{Evaluator, internal};
use crate::settings::{AUTO, DEFAULT_EVAL_DIR, INTERNAL_EVAL, MATERIAL_EVAL, Settings, places};

use super::applied::Applied;

/// The name of a net in an evaluation folder.
const NET_NAME: &str = "nn.bin";

/// Loads what the settings request; keeps the evaluation in use where that cannot be had.
pub(super) struct Loader {
    applied: Applied<Requested>,
    evaluator: Evaluator,
    /// The net of the evaluator and of what it was read.
    loaded: Option<Loaded>,
}

/// Everything that decides which evaluation is used.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Requested {
    source: Result<Source, String>,
    rule: String,
    fv_scale: u32,
    cpu: Option<simd::CpuPath>,
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

    /// Loads another evaluation if the settings request one. Returns whether it changed; the error is a remark for
    /// people, made once.
    pub fn sync(&mut self, settings: &Settings) -> Result<bool, String> {
        let requested = Requested {
            source: find(settings),
            rule: settings.layer_stack_rule.clone(),
            fv_scale: settings.fv_scale,
            cpu: settings.cpu,
        };
        if !self.applied.update(&requested) {
            return Ok(false);
        }
        let source = requested.source.clone();
        let loaded = source.and_then(|source| self.load(source, &requested));
        loaded.map_err(|reason| format!("{reason}. Playing with the evaluation in use."))
    }

    fn load(&mut self, source: Source, requested: &Requested) -> Result<bool, String> {
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

    /// Whether the net in use was read from a file.
    pub fn uses_file(&self) -> bool {
        let source = self.loaded.as_ref().map(|loaded| &loaded.source);
        matches!(source, Some(Source::Net(..)))
    }

    /// What net is in use, from which file, and how; `None` without a net.
    pub fn describe(&self) -> Option<String> {
        let (net, kernels, scale) = self.evaluator.as_net()?;
        let loaded = self.loaded.as_ref()?;
        let place = match &loaded.source {
            Source::Material => return None,
            Source::Internal => INTERNAL_EVAL.to_owned(),
            Source::Net(path, ..) => path.display().to_string(),
        };
        let source = match scale {
            _ if scale == loaded.scale.0 => &loaded.scale.1,
            _ => &ScaleSource::Option,
        };
        let [hash, _] = net.info().file_hash;
        let remark = match net.info().hashes_agree() {
            true => "",
            false => ", unusual",
        };
        Some(format!(
            "evaluation: {}, FV_SCALE {scale} ({source}), CPU path {}, {place} ({} bytes, hash {hash:08x}{remark})",
            net.architecture(),
            kernels.path(),
            net.info().bytes,
        ))
    }
}

/// The net of a source and its scale; `None` if it has none.
type FoundNet = Option<(Arc<Net>, (u32, ScaleSource))>;

/// Reads the net of a source. The error is a remark for the user.
fn read(source: &Source, rule: &str) -> Result<FoundNet, String> {
    match source {
        Source::Material => Ok(None),
        Source::Internal => {
            let net = internal::net();
            Ok(Some((net.clone(), net.info().scale.clone())))
        }
        Source::Net(path, ..) => {
            let file = NetFile::read(path, read_rule(rule)?);
            let file = file.map_err(|error| format!("{}: {error}", path.display()))?;
            Ok(Some((Arc::new(file.net), file.scale)))
        }
    }
}

/// The rule of the setting, `None` if the file is to decide.
fn read_rule(text: &str) -> Result<Option<StackRule>, String> {
    match text {
        "" => Ok(None),
        _ if text.eq_ignore_ascii_case(AUTO) => Ok(None),
        _ => text
            .parse()
            .map(Some)
            .map_err(|error| format!("LayerStackRule: {error}")),
    }
}

/// The evaluation that the settings name: a file, else the net in a folder, else the internal one. The error is a
/// remark for the user.
fn find(settings: &Settings) -> Result<Source, String> {
    let (file, folder) = (settings.eval_file.as_str(), settings.eval_dir.as_str());
    match file {
        MATERIAL_EVAL => Ok(Source::Material),
        "" | INTERNAL_EVAL => match folder {
            "" => Ok(Source::Internal),
            _ => match find_net(folder) {
                Ok(source) => Ok(source),
                // Nobody asked for this one.
                Err(_) if folder == DEFAULT_EVAL_DIR => Ok(Source::Internal),
                Err(tried) => Err(format!("EvalDir {folder}: no {NET_NAME}; tried {tried}")),
            },
        },
        _ => {
            find_net(file).map_err(|tried| format!("EvalFile {file}: no such file; tried {tried}"))
        }
    }
}

/// Looks for a net, or a folder with one. The error names what was tried.
fn find_net(name: &str) -> Result<Source, String> {
    let places = places(name);
    let found = places.iter().find_map(|path| net_at(path));
    found.ok_or_else(|| {
        let names: Vec<_> = places
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        names.join(", ")
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
