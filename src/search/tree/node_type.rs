//! The types of nodes.

/// The type of a node, known at compile time.
pub trait NodeType {
    /// Whether the node lies on the principal variation, with an open window.
    const PV: bool;
    /// Whether the node is the root.
    const ROOT: bool = false;
}

/// The root: on the principal variation, with its own list of moves.
pub struct Root;
/// A node on the principal variation.
pub struct Pv;
/// A node with a null window.
pub struct NonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeType for Pv {
    const PV: bool = true;
}

impl NodeType for NonPv {
    const PV: bool = false;
}
