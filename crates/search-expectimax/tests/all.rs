//! Everything the crate promises, on trees and toys of all kinds and on EinStein.

mod all {
    mod answers;
    mod einstein;
    mod limits;
    mod soundness;
    pub(crate) mod variants;
}
