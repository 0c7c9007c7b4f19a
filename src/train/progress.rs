//! The progress of a training run.

use serde::{Deserialize, Serialize};

/// How far a run has come.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Progress {
    /// Steps of the optimizer taken.
    pub steps: u64,
    /// Passes through the data, with the current one's share.
    pub epochs: f64,
    /// Positions trained on, counted again in each epoch.
    pub positions: u64,
    /// The learning rate of the last step.
    pub learning_rate: f32,
    /// Mean loss of the last batch.
    pub loss: f64,
}

/// The batch to do next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Cursor {
    pub epoch: usize,
    /// Which filling of the shuffle buffer in this epoch.
    pub filling: usize,
    pub batch: usize,
}

impl Cursor {
    /// The batch after this one, in epochs of `fillings` fillings, the current one of `batches` batches.
    pub fn next(self, batches: usize, fillings: usize) -> Self {
        let Self {
            epoch,
            filling,
            batch,
        } = self;
        if batch + 1 < batches {
            Self {
                batch: batch + 1,
                ..self
            }
        } else if filling + 1 < fillings {
            Self {
                epoch,
                filling: filling + 1,
                batch: 0,
            }
        } else {
            Self {
                epoch: epoch + 1,
                filling: 0,
                batch: 0,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_follow_through_fillings_and_epochs() {
        let mut cursor = Cursor::default();
        let mut visited = Vec::new();
        while cursor.epoch < 2 {
            visited.push((cursor.epoch, cursor.filling, cursor.batch));
            cursor = cursor.next(2, 3);
        }
        let all = (0..2).flat_map(|e| (0..3).flat_map(move |f| (0..2).map(move |b| (e, f, b))));
        assert_eq!(visited, all.collect::<Vec<_>>());
    }
}
