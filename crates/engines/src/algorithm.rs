//! What the algorithms of all games have in common.

use core::fmt::Display;

/// For a module's `Algorithm`, by its variants and how each is written: all of them, their text, the error of one that there is
/// not, and limits that hold for it. A variant is `Mcts`.
macro_rules! named_algorithms {
    ($($variant:ident = $name:literal),+ $(,)?) => {
        impl Algorithm {
            /// All of them.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// Playouts have no depth: if that is all that was said, 10,000 of them stand for it.
            fn limited(self, limits: &search_core::Limits) -> search_core::Limits {
                let only_depth = limits.depth.is_some() && limits.nodes.is_none() && limits.time.is_none();
                if self == Self::Mcts && only_depth { limits.clone().and_nodes(10_000) } else { limits.clone() }
            }
        }

        impl core::fmt::Display for Algorithm {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(match self {
                    $(Self::$variant => $name),+
                })
            }
        }

        impl core::str::FromStr for Algorithm {
            type Err = AlgorithmError;

            fn from_str(text: &str) -> Result<Self, AlgorithmError> {
                let named = Self::ALL.into_iter().find(|algorithm| algorithm.to_string() == text.trim());
                named.ok_or_else(|| AlgorithmError { found: gamecore::text::quoted(text) })
            }
        }

        /// There is no such algorithm.
        #[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
        #[error("\"{found}\" is not an algorithm: there are {}", crate::algorithm::listed(&Algorithm::ALL))]
        pub struct AlgorithmError {
            /// What was given.
            pub found: String,
        }
    };
}

pub(crate) use named_algorithms;

/// As in "a, b and c".
pub(crate) fn listed<T: Display>(things: &[T]) -> String {
    let names: Vec<String> = things.iter().map(T::to_string).collect();
    match &names[..] {
        [first @ .., before, last] => {
            first.iter().map(|name| format!("{name}, ")).chain([format!("{before} and {last}")]).collect()
        }
        names => names.concat(),
    }
}
