//! What the levels of all games have in common.

/// For a module's `Level(u8)` with its `WEAKEST` and `STRONGEST`: all of them, their text, and the error of one that is none.
macro_rules! numbered_levels {
    () => {
        impl Level {
            /// All levels, the weakest first.
            pub fn all() -> impl Iterator<Item = Self> {
                (Self::WEAKEST.0..=Self::STRONGEST.0).map(Self)
            }
        }

        impl core::fmt::Display for Level {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl core::str::FromStr for Level {
            type Err = LevelError;

            fn from_str(text: &str) -> Result<Self, LevelError> {
                let level = text.trim().parse().ok().map(Self).filter(|l| (Self::WEAKEST..=Self::STRONGEST).contains(l));
                level.ok_or_else(|| LevelError { found: gamecore::text::quoted(text) })
            }
        }

        /// There is no such level.
        #[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
        #[error("\"{found}\" is not a level: levels are {} (weakest) to {} (strongest)", Level::WEAKEST, Level::STRONGEST)]
        pub struct LevelError {
            /// What was given.
            pub found: String,
        }
    };
}

pub(crate) use numbered_levels;
