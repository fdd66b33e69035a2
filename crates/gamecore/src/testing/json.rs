//! Values of reference data taken apart: each function panics, and names what it found, if a value is of another kind.
//!
//! # Examples
//! ```
//! use gamecore::testing::json;
//!
//! let case = serde_json::json!({"id": "A1", "moves": [3, 4], "value": 0.25, "to_move": "o"});
//! assert_eq!(json::string(&case["id"]), "A1");
//! assert_eq!(json::list(&case["moves"]).iter().map(json::unsigned).sum::<u64>(), 7);
//! assert_eq!(json::float(&case["value"]), 0.25);
//! assert_eq!(json::seat(&case["to_move"]), gamecore::Player::Two);
//! ```

use serde_json::Value;

use crate::Player;

/// A text.
///
/// # Panics
/// If it is none.
#[must_use]
pub fn string(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("a text, not {value}"))
}

/// A list.
///
/// # Panics
/// If it is none.
#[must_use]
pub fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("a list, not {value}"))
}

/// A whole number from 0.
///
/// # Panics
/// If it is none.
#[must_use]
pub fn unsigned(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("a whole number from 0, not {value}"))
}

/// A whole number.
///
/// # Panics
/// If it is none.
#[must_use]
pub fn integer(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| panic!("a whole number, not {value}"))
}

/// A number.
///
/// # Panics
/// If it is none.
#[must_use]
pub fn float(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("a number, not {value}"))
}

/// A seat by its stones: `x` is [`Player::One`], who moves first, `o` [`Player::Two`].
///
/// # Panics
/// If it is neither.
#[must_use]
pub fn seat(value: &Value) -> Player {
    match string(value) {
        "x" => Player::One,
        "o" => Player::Two,
        other => panic!("x or o, not {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    #[test]
    fn values_of_another_kind_are_named() {
        let value = serde_json::json!(["y", -1, 0.5]);
        type Kind = (fn(&Value), &'static [usize], &'static str);
        let kinds: [Kind; 5] = [
            (|v| _ = string(v), &[1, 2], "a text, not"),
            (|v| _ = list(v), &[0, 1, 2], "a list, not"),
            (|v| _ = unsigned(v), &[0, 1, 2], "a whole number from 0, not"),
            (|v| _ = integer(v), &[0, 2], "a whole number, not"),
            (|v| _ = float(v), &[0], "a number, not"),
        ];
        for (read, wrong, words) in kinds {
            for &i in wrong {
                let found = catch_unwind(|| read(&value[i])).unwrap_err();
                assert!(found.downcast_ref::<String>().is_some_and(|text| text.starts_with(words)), "{words} {}", value[i]);
            }
        }
        assert!(catch_unwind(|| seat(&value[0])).is_err());
        assert_eq!((integer(&value[1]), float(&value[1])), (-1, -1.0));
    }
}
