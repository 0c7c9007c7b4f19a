//! What was requested last, so that settings that did not change cost nothing.

/// The last request that was acted on, whether with success or not.
pub(super) struct Applied<T>(Option<T>);

impl<T: Clone + PartialEq> Applied<T> {
    /// Nothing was requested so far.
    pub fn nothing() -> Self {
        Self(None)
    }

    /// Notes a request; returns whether it differs from the last one.
    pub fn update(&mut self, requested: &T) -> bool {
        let is_new = self.0.as_ref() != Some(requested);
        if is_new {
            self.0 = Some(requested.clone());
        }
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changes_are_new() {
        let mut applied = Applied::nothing();
        assert!(applied.update(&1));
        assert!(!applied.update(&1));
        assert!(applied.update(&2));
        assert!(applied.update(&1));
    }
}
