//! The state and how it changes.

use core::fmt;

use arrayvec::ArrayVec;
use gamecore::{Game, Never, Outcome, Player, Turn, mix};
use lines::{Board, Goal, LARGEST, Point, RandomEnd, stone_key};
use rand::Rng;

use crate::rules::{Rules, SetupError};

/// No position has more moves.
pub(crate) const MOST_MOVES: usize = LARGEST as usize * LARGEST as usize;

/// A position of Connect6: stones, seat to move, stones left in its turn, rules.
///
/// A move is one stone; whoever has another in the same turn moves again. Both orders of a turn's stones lead to equal states
/// with equal keys. A row of six or more wins as soon as its last stone is put, be there stones left or not.
///
/// About 700 bytes, without heap. Make one with [`start`](Self::start), [`from_stones`](Self::from_stones),
/// [`study`](Self::study) or from text ([`Text`](gamecore::Text), [`FromStr`](core::str::FromStr)).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Connect6 {
    board: Board,
    /// Of the stones alone.
    key: u64,
    rules: Rules,
    mover: Player,
    left: u8,
    outcome: Option<Outcome>,
}

impl Default for Connect6 {
    /// The empty board of 19x19.
    fn default() -> Self {
        Self::start(Rules::CONNECT6)
    }
}

impl Connect6 {
    /// An empty board, One to move.
    #[must_use]
    pub fn start(rules: Rules) -> Self {
        let board = Board::new(rules.size()).unwrap_or_else(|| panic!("{rules} have a board"));
        Self { board, key: 0, rules, mover: Player::One, left: rules.turns().first(), outcome: None }
    }

    /// A position with as many stones of each seat as a game has, over or not: they say who is to move.
    ///
    /// # Errors
    /// If a stone is outside the board or on another, if both seats have a winning row, or if the numbers of stones are none of a
    /// game.
    pub fn from_stones(rules: Rules, stones: impl IntoIterator<Item = (Point, Player)>) -> Result<Self, SetupError> {
        let game = Self::start(rules).with_stones(stones)?;
        let (stones, counts) = (game.board.count(), game.counts());
        let expected = rules.counts(stones);
        if counts != expected {
            return Err(SetupError::Counts { counts, expected });
        }
        Ok(Self { mover: rules.turns().mover(stones), left: rules.turns().left(stones), ..game })
    }

    /// Any position, over or not: how many stones each seat has, who is to move and how many stones are `left` in the turn is
    /// free, for studies and for stones given as a handicap.
    ///
    /// # Errors
    /// If a stone is outside the board or on another, if both seats have a winning row, or if a turn has no so many stones.
    pub fn study(
        rules: Rules,
        stones: impl IntoIterator<Item = (Point, Player)>,
        mover: Player,
        left: u8,
    ) -> Result<Self, SetupError> {
        let most = rules.turns().each().max(rules.turns().first());
        if !(1..=most).contains(&left) {
            return Err(SetupError::Left { left, most });
        }
        Ok(Self { mover, left, ..Self::start(rules).with_stones(stones)? })
    }

    /// Puts stones on the board, and sees whether the game is over.
    fn with_stones(mut self, stones: impl IntoIterator<Item = (Point, Player)>) -> Result<Self, SetupError> {
        for (point, player) in stones {
            let (x, y) = (point.x(), point.y());
            if !self.board.holds(point) {
                return Err(SetupError::Outside { x, y, size: self.rules.size() });
            }
            if !self.board.is_empty(point) {
                return Err(SetupError::Twice { x, y });
            }
            self.board.place(point, player);
            self.key ^= stone_key(point, player);
        }
        self.outcome = match Player::BOTH.map(|player| self.board.has_row(player, self.rules.goal())) {
            [true, true] => return Err(SetupError::BothWon),
            [true, false] => Some(Outcome::win(Player::One)),
            [false, true] => Some(Outcome::win(Player::Two)),
            [false, false] => (self.board.empty_count() == 0).then_some(Outcome::Draw),
        };
        Ok(self)
    }

    /// The stones.
    #[inline]
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The rules.
    #[inline]
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Who puts the next stone; in a finished game who would.
    #[inline]
    #[must_use]
    pub const fn mover(&self) -> Player {
        self.mover
    }

    /// How many stones are left in the turn, the next one included; at least 1. In a finished game how many would be.
    #[inline]
    #[must_use]
    pub const fn left(&self) -> u8 {
        self.left
    }

    /// How the game ended, if it has.
    #[inline]
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// How many stones each seat has.
    #[must_use]
    pub fn counts(&self) -> [u16; 2] {
        let ones = self.board.points().filter(|&p| self.board.stone(p) == Some(Player::One)).count() as u16;
        [ones, self.board.count() - ones]
    }

    /// The same position with the other seat to move and a whole turn before it, as if the mover had left the rest of the turn
    /// out, which the rules do not allow: to see what is threatened. `None` if the game is over.
    #[must_use]
    pub fn passed(&self) -> Option<Self> {
        let game = Self { mover: self.mover.other(), left: self.rules.turns().each(), ..self.clone() };
        self.outcome.is_none().then_some(game)
    }

    /// The outcome of a game that goes on from here with uniformly random moves. Several times as fast as
    /// [`gamecore::playout`], which makes the moves one by one ([`RandomEnd`]); other moves come of the same seed.
    #[inline]
    pub fn random_outcome<R: Rng + ?Sized>(&self, rng: &mut R) -> Outcome {
        if let Some(outcome) = self.outcome {
            return outcome;
        }
        let end = RandomEnd::draw(&self.board, self.rules.turns(), self.mover, self.left, self.rules.goal(), rng);
        end.winner.map_or(Outcome::Draw, Outcome::win)
    }
}

impl fmt::Debug for Connect6 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Connect6({self})")
    }
}

impl Game for Connect6 {
    type Move = Point;
    type Moves = ArrayVec<Point, MOST_MOVES>;
    type Chance = Never;

    #[inline(always)]
    fn turn(&self) -> Turn<Never> {
        match self.outcome {
            None => Turn::Decide(self.mover),
            Some(outcome) => Turn::Over(outcome),
        }
    }

    /// All empty points, row by row.
    #[inline]
    fn moves(&self, out: &mut Self::Moves) {
        out.extend(self.board.empty_points());
    }

    #[inline(always)]
    fn play(&mut self, m: Point) {
        debug_assert!(self.outcome.is_none(), "the game is over");
        let player = self.mover;
        self.board.place(m, player);
        self.key ^= stone_key(m, player);
        self.left -= 1;
        if self.left == 0 {
            self.mover = player.other();
            self.left = self.rules.turns().each();
        }
        // A goal that the compiler knows takes half the time of one that it does not.
        let won = match self.rules.goal() {
            Goal::SIX_OR_MORE => self.board.wins_at(m, player, Goal::SIX_OR_MORE),
            goal => self.board.wins_at(m, player, goal),
        };
        if won {
            self.outcome = Some(Outcome::win(player));
        } else if self.board.empty_count() == 0 {
            self.outcome = Some(Outcome::Draw);
        }
    }

    fn resolve(&mut self, event: Never) {
        match event {}
    }

    /// Stones, seat to move, stones left in the turn, rules.
    #[inline]
    fn key(&self) -> u64 {
        let turns = self.rules.turns();
        let numbers = [self.mover as u8, self.left, self.rules.size(), self.rules.length(), turns.each(), turns.first(), 0xC6, 0];
        self.key ^ mix(u64::from_le_bytes(numbers))
    }

    #[inline(always)]
    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R) -> Point {
        // A state that waits for a move has an empty point.
        self.board.random_empty(rng).unwrap_or_else(|| panic!("no move to draw: {self:?} is over"))
    }
}
