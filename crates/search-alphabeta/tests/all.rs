//! Everything the crate promises, on trees and toys of all kinds.

mod all {
    mod answers;
    mod limits;
    mod soundness;
    pub(crate) mod variants;
}
