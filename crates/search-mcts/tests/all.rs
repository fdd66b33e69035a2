//! One binary for all tests.

#[path = "all/faults.rs"]
mod faults;
#[path = "all/limits.rs"]
mod limits;
#[path = "all/properties.rs"]
mod properties;
#[path = "all/reuse.rs"]
mod reuse;
