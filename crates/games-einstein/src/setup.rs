//! Set-up: layouts of the home squares, and any position from its squares.

use arrayvec::ArrayVec;
use gamecore::Player;
use gamecore::random::below;
use rand::Rng;

use crate::lanes::{self, WIDTH, living, occupied, with};
use crate::rules::Rules;
use crate::state::{DRAWN, Einstein, ROLL, UNLIMITED, WON};

/// Which stone starts on which home square.
///
/// Written as the numbers on One's home squares in reading order, `615243` for
/// ```text
/// 6 1 5
/// 2 4
/// 3
/// ```
/// in the standard game. For Two the same text means the same picture seen from its side of the board: a half-turn in
/// the standard game, upside down in the variants. Giving both seats one layout mirrors them.
///
/// # Examples
/// ```
/// use games_einstein::{Layout, Rules};
///
/// let layout: Layout = "615243".parse()?;
/// assert_eq!(layout.to_string(), "615243");
/// assert_eq!(Layout::natural(Rules::STANDARD).to_string(), "123456");
/// # Ok::<(), games_einstein::SetupError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Layout {
    /// A permutation of 1 to 6 or 1 to 9.
    numbers: ArrayVec<u8, 9>,
}

impl Layout {
    /// The layout of the reference positions: 1, 2, 3, ... in reading order; on 4x4 with the front row's 5 and 6 first.
    #[must_use]
    pub fn natural(rules: Rules) -> Self {
        if rules.size() == 4 {
            return Self { numbers: ArrayVec::from_iter([5, 6, 1, 2, 3, 4]) };
        }
        Self { numbers: (1..=rules.stones()).collect() }
    }

    /// A layout drawn from all, each with the same probability.
    #[must_use]
    pub fn random<R: Rng + ?Sized>(rules: Rules, rng: &mut R) -> Self {
        let mut layout = Self::natural(rules);
        for i in (1..layout.numbers.len()).rev() {
            layout.numbers.swap(i, below(rng, i + 1));
        }
        layout
    }

    /// The numbers on the home squares in reading order.
    #[must_use]
    pub fn numbers(&self) -> &[u8] {
        &self.numbers
    }
}

impl core::fmt::Display for Layout {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.numbers.iter().try_for_each(|n| write!(f, "{n}"))
    }
}

impl core::str::FromStr for Layout {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Self, SetupError> {
        let text = text.trim();
        let refused = || SetupError::Layout { found: gamecore::text::quoted(text) };
        let mut numbers = ArrayVec::<u8, 9>::new();
        for c in text.chars() {
            let n = c.to_digit(10).ok_or_else(refused)? as u8;
            if numbers.contains(&n) || numbers.try_push(n).is_err() {
                return Err(refused());
            }
        }
        let most = numbers.len() as u8;
        if !matches!(most, 6 | 9) || numbers.iter().any(|n| !(1..=most).contains(n)) {
            return Err(refused());
        }
        Ok(Self { numbers })
    }
}

impl Einstein {
    /// The game's first position with [natural](Layout::natural) layouts; One starts.
    #[must_use]
    pub fn start(rules: Rules) -> Self {
        let layout = Layout::natural(rules);
        Self::new(rules, [&layout, &layout], Player::One).expect("the natural layout fits")
    }

    /// A first position with each seat's layout. Either seat may start.
    ///
    /// # Errors
    /// If a layout has not as many stones as the rules.
    pub fn new(rules: Rules, layouts: [&Layout; 2], starter: Player) -> Result<Self, SetupError> {
        let t = rules.tables();
        let mut squares = [[-1; 9]; 2];
        for seat in Player::BOTH {
            let numbers = layouts[seat].numbers();
            if numbers.len() != usize::from(t.stones) {
                return Err(SetupError::LayoutLength { found: numbers.len(), stones: t.stones });
            }
            for (&number, &home) in numbers.iter().zip(&t.homes[seat]) {
                squares[seat][usize::from(number) - 1] = home as i8;
            }
        }
        let n = usize::from(t.stones);
        Self::from_squares(rules, [&squares[0][..n], &squares[1][..n]], starter, None)
    }

    /// Any position: for each seat the squares of its stones 1, 2, 3, ..., -1 for a captured one; the seat to move; the
    /// die, if it has been rolled. All turns of the rules are left, see [`with_turns_left`](Einstein::with_turns_left).
    /// The game may be over already.
    ///
    /// # Errors
    /// If a square does not exist or is taken, if neither side has a stone, if both have won, or if a die is given that
    /// is none or comes after the end.
    pub fn from_squares(rules: Rules, squares: [&[i8]; 2], mover: Player, die: Option<u8>) -> Result<Self, SetupError> {
        let t = rules.tables();
        let mut sides = [lanes::NONE; 2];
        let mut taken = 0u64;
        for seat in Player::BOTH {
            if squares[seat].len() != usize::from(t.stones) {
                return Err(SetupError::StoneCount { seat, found: squares[seat].len(), stones: t.stones });
            }
            for (i, &square) in (0u32..).zip(squares[seat]) {
                match u8::try_from(square) {
                    Err(_) if square == -1 => continue,
                    Ok(s) if usize::from(s) < t.squares() && taken >> s & 1 == 0 => taken |= 1 << s,
                    Ok(s) if usize::from(s) < t.squares() => return Err(SetupError::Taken { square: rules.square_name(s) }),
                    _ => return Err(SetupError::NoSquare { square, squares: t.squares() as u8 }),
                }
                sides[seat] = with(sides[seat], i * WIDTH, square as u32);
            }
        }
        let [one, two] = sides;
        if living(one) == 0 && living(two) == 0 {
            return Err(SetupError::NoStones);
        }
        let wins = |seat: Player| {
            let other = sides[seat.other()];
            occupied(sides[seat]) as u32 & t.goal[seat] != 0 || other == t.lost
        };
        let phase = match (wins(Player::One), wins(Player::Two)) {
            (true, true) => return Err(SetupError::BothWon),
            (true, false) => WON,
            (false, true) => WON + 1,
            (false, false) => ROLL,
        };
        let phase = match die {
            None => phase,
            Some(face) if !(1..=6).contains(&face) => return Err(SetupError::NoFace { face }),
            Some(_) if phase != ROLL => return Err(SetupError::DieAfterEnd),
            Some(face) => face,
        };
        let (own, opponent) = if mover == Player::One { (one, two) } else { (two, one) };
        let limit = rules.turn_limit();
        Ok(Self {
            own,
            opponent,
            tables: crate::tables::TablesRef(t),
            left: limit.unwrap_or(UNLIMITED),
            limit: limit.unwrap_or(0),
            phase,
            mover,
        })
    }

    /// This position with so many turns left until the draw. With none left the game is drawn, unless it is won.
    ///
    /// # Errors
    /// If the rules have no limit or a lower one, or if none are left although the die has been rolled.
    pub fn with_turns_left(mut self, turns: u16) -> Result<Self, SetupError> {
        if self.limit == 0 {
            return Err(SetupError::NoLimit { rules: self.rules().to_string() });
        }
        if turns > self.limit {
            return Err(SetupError::TurnsLeft { turns, limit: self.limit });
        }
        if self.phase == DRAWN {
            self.phase = ROLL;
        }
        if turns == 0 {
            match self.phase {
                ROLL => self.phase = DRAWN,
                1..=6 => return Err(SetupError::DieAfterEnd),
                _ => {}
            }
        }
        self.left = turns;
        Ok(self)
    }
}

/// Why there is no such position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// The text is no layout.
    #[error("\"{found}\" is not a layout: write each number 1 to 6 once (1 to 9 with nine stones), such as 615243")]
    Layout {
        /// What was given.
        found: String,
    },
    /// A layout for other rules.
    #[error("a layout of {found} stones, but these rules have {stones} a side")]
    LayoutLength {
        /// Numbers in the layout.
        found: usize,
        /// Stones that a side has.
        stones: u8,
    },
    /// The list of a seat's squares is too short or too long.
    #[error("{found} squares for {seat:?}, but a side has {stones} stones (-1 for a captured one)")]
    StoneCount {
        /// Whose squares.
        seat: Player,
        /// How many were given.
        found: usize,
        /// Stones that a side has.
        stones: u8,
    },
    /// The board has no such square.
    #[error("there is no square {square}: squares are 0 to {}, and -1 for a captured stone", squares - 1)]
    NoSquare {
        /// What was given.
        square: i8,
        /// How many squares the board has.
        squares: u8,
    },
    /// Two stones on one square.
    #[error("two stones on {square}")]
    Taken {
        /// The square's name.
        square: String,
    },
    /// An empty board.
    #[error("neither side has a stone")]
    NoStones,
    /// Stones of both sides have reached their goals.
    #[error("both sides have won: only one can have a stone on its goal")]
    BothWon,
    /// A die that is none.
    #[error("a die shows 1 to 6, not {face}")]
    NoFace {
        /// What was given.
        face: u8,
    },
    /// A die in a finished game.
    #[error("the game is over in this position, no die is rolled")]
    DieAfterEnd,
    /// More turns left than the rules give.
    #[error("{turns} turns left, but the rules give {limit} to the whole game")]
    TurnsLeft {
        /// What was given.
        turns: u16,
        /// The rules' limit.
        limit: u16,
    },
    /// Turns left under rules without a limit.
    #[error("the rules {rules} have no turn limit, so no turns left")]
    NoLimit {
        /// The rules.
        rules: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::{Text, random::generator};

    #[test]
    fn layouts_are_placed_as_seen_from_each_side() {
        let l: Layout = "615243".parse().unwrap();
        let g = Einstein::new(Rules::STANDARD, [&l, &l], Player::Two).unwrap();
        assert_eq!(g.position_text(), "615../24.../3...c/...db/..eaf two - standard");
        assert_eq!(Einstein::start("4x4".parse().unwrap()).position_text(), "abcd/ef../56../1234 one - 4x4");
        let nine = Einstein::start("5x5x9".parse().unwrap());
        assert_eq!(nine.position_text(), "fghi./abcde/...../12345/6789. one - 5x5x9@200 200");
    }

    #[test]
    fn bad_layouts_are_refused() {
        for text in ["", "12345", "1234567", "123455", "123457", "023456", "12345a", "1234567890"] {
            assert!(text.parse::<Layout>().is_err(), "{text}");
        }
        let nine: Layout = "123456789".parse().unwrap();
        let error = Einstein::new(Rules::STANDARD, [&nine, &nine], Player::One).unwrap_err();
        assert_eq!(error.to_string(), "a layout of 9 stones, but these rules have 6 a side");
    }

    #[test]
    fn random_layouts_are_permutations_and_all_come() {
        let mut rng = generator(3);
        let mut seen = std::collections::HashSet::new();
        for _ in 0..8000 {
            let l = Layout::random(Rules::STANDARD, &mut rng);
            assert_eq!(l.to_string().parse(), Ok(l.clone()));
            seen.insert(l);
        }
        assert_eq!(seen.len(), 720);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let rules = Rules::STANDARD;
        let at = |a: [i8; 6], b: [i8; 6], die| Einstein::from_squares(rules, [&a, &b], Player::One, die);
        let (none, one) = ([-1; 6], [3, -1, -1, -1, -1, -1]);
        assert_eq!(at(none, none, None), Err(SetupError::NoStones));
        assert_eq!(at(one, one, None), Err(SetupError::Taken { square: "D5".into() }));
        assert_eq!(at([25; 6], one, None), Err(SetupError::NoSquare { square: 25, squares: 25 }));
        assert_eq!(at([-2; 6], one, None), Err(SetupError::NoSquare { square: -2, squares: 25 }));
        let (home, goal) = ([24, -1, -1, -1, -1, -1], [0, -1, -1, -1, -1, -1]);
        assert_eq!(at(home, goal, None), Err(SetupError::BothWon));
        assert_eq!(at(home, one, Some(1)), Err(SetupError::DieAfterEnd));
        assert_eq!(at([4, 5, -1, -1, -1, -1], one, Some(0)), Err(SetupError::NoFace { face: 0 }));
        assert!(at(home, one, None).unwrap().outcome().is_some());
        assert!(at(one, none, None).unwrap().outcome().is_some());
        assert!(matches!(Einstein::start(rules).with_turns_left(3), Err(SetupError::NoLimit { .. })));
    }
}
