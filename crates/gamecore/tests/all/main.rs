//! Tests of `gamecore` from outside: the toys under the suite, the suite under broken games, and the traits in the
//! shapes that games, searches and networks give them.

mod faults;
mod records;
mod shapes;
mod toys;
