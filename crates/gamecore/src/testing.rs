//! placeholder
pub mod toys {}
