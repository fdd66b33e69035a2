//! The state and how it changes.

use core::fmt;

use arrayvec::ArrayVec;
use gamecore::random::below;
use gamecore::{Game, Never, Outcome, Player, Turn, mix};
use lines::renju::{Forbidden, forbidden};
use lines::{Board, Goal, LARGEST, Patterns, Point, stone_key};
use rand::Rng;

use crate::rules::{Rule, SMALLEST, SetupError};

/// No position has more moves.
pub(crate) const MOST_MOVES: usize = LARGEST as usize * LARGEST as usize;

/// Tells the seats to move apart in keys.
const TWO_TO_MOVE: u64 = mix(0x0067_6F6D_6F6B_7500);

/// A position of gomoku: stones, seat to move, rules.
///
/// About 700 bytes, without heap. Make one with [`start`](Self::start), [`from_stones`](Self::from_stones) or from text
/// ([`Text`](gamecore::Text), [`FromStr`](core::str::FromStr)).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Gomoku {
    board: Board,
    key: u64,
    rule: Rule,
    mover: Player,
    outcome: Option<Outcome>,
}

impl Gomoku {
    /// An empty board, One to move.
    ///
    /// # Errors
    /// Unless `size` is 5 to 20.
    pub fn start(rule: Rule, size: u8) -> Result<Self, SetupError> {
        let board = Board::new(size).filter(|_| size >= SMALLEST).ok_or(SetupError::Size { size: size.into() })?;
        let key = mix(u64::from(size) << 8 | rule as u64);
        Ok(Self { board, key, rule, mover: Player::One, outcome: None })
    }

    /// Any position, over or not: how many stones each seat has and who is to move is free, for studies and for stones given as
    /// a handicap.
    ///
    /// # Errors
    /// If a stone is outside the board or on another, or if both seats have a winning row.
    pub fn from_stones(
        rule: Rule,
        size: u8,
        stones: impl IntoIterator<Item = (Point, Player)>,
        mover: Player,
    ) -> Result<Self, SetupError> {
        let mut game = Self::start(rule, size)?;
        for (point, player) in stones {
            let (x, y) = (point.x(), point.y());
            if !game.board.holds(point) {
                return Err(SetupError::Outside { x, y, size });
            }
            if !game.board.is_empty(point) {
                return Err(SetupError::Twice { x, y });
            }
            game.board.place(point, player);
            game.key ^= stone_key(point, player);
        }
        if mover == Player::Two {
            game.pass_turn();
        }
        let goals = rule.goals();
        game.outcome = match Player::BOTH.map(|player| game.board.has_row(player, goals[player])) {
            [true, true] => return Err(SetupError::BothWon),
            [true, false] => Some(Outcome::win(Player::One)),
            [false, true] => Some(Outcome::win(Player::Two)),
            [false, false] => game.is_drawn().then_some(Outcome::Draw),
        };
        Ok(game)
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
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// Who moves; in a finished game who would.
    #[inline]
    #[must_use]
    pub const fn mover(&self) -> Player {
        self.mover
    }

    /// How the game ended, if it has.
    #[inline]
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Why the mover may not put a stone on an empty point; only ever Player One in renju.
    #[inline]
    #[must_use]
    pub fn forbidden(&self, point: Point) -> Option<Forbidden> {
        if self.restricts() { forbidden(&self.board, point) } else { None }
    }

    /// The same position with the other seat to move, as if the mover had passed, which the rules do not allow: for searches
    /// and to see what is threatened. `None` if the game is over.
    #[must_use]
    pub fn passed(&self) -> Option<Self> {
        let mut game = self.clone();
        game.pass_turn();
        if game.is_drawn() {
            game.outcome = Some(Outcome::Draw);
        }
        self.outcome.is_none().then_some(game)
    }

    /// What every empty point makes, from scratch.
    #[must_use]
    pub fn patterns(&self) -> Patterns {
        match self.rule {
            Rule::Renju => Patterns::of_renju(&self.board),
            rule => Patterns::new(&self.board, rule.goals()),
        }
    }

    fn pass_turn(&mut self) {
        self.mover = self.mover.other();
        self.key ^= TWO_TO_MOVE;
    }

    /// Whether some points may be forbidden to the mover.
    #[inline(always)]
    fn restricts(&self) -> bool {
        self.rule == Rule::Renju && self.mover == Player::One
    }

    /// Whether the mover, against whom no row stands, has nothing to play.
    #[inline(always)]
    fn is_drawn(&self) -> bool {
        self.board.empty_count() == 0
            || self.restricts() && self.board.empty_points().all(|p| forbidden(&self.board, p).is_some())
    }
}

impl fmt::Debug for Gomoku {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Gomoku({self})")
    }
}

impl Game for Gomoku {
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

    /// All empty points that are not forbidden, row by row.
    #[inline]
    fn moves(&self, out: &mut Self::Moves) {
        out.extend(self.board.empty_points().filter(|&p| self.forbidden(p).is_none()));
    }

    #[inline(always)]
    fn play(&mut self, m: Point) {
        debug_assert!(self.outcome.is_none(), "the game is over");
        let player = self.mover;
        self.board.place(m, player);
        self.key ^= stone_key(m, player);
        self.pass_turn();
        // Each arm with a goal that the compiler knows: half the time of one for all.
        let won = match (self.rule, player) {
            (Rule::Freestyle, _) | (Rule::Renju, Player::Two) => self.board.wins_at(m, player, Goal::FIVE_OR_MORE),
            (Rule::Standard, _) | (Rule::Renju, Player::One) => self.board.wins_at(m, player, Goal::EXACTLY_FIVE),
            (Rule::Caro, _) => self.board.wins_at(m, player, Goal::UNCLOSED_FIVE),
        };
        if won {
            self.outcome = Some(Outcome::win(player));
        } else if self.is_drawn() {
            self.outcome = Some(Outcome::Draw);
        }
    }

    fn resolve(&mut self, event: Never) {
        match event {}
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline(always)]
    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R) -> Point {
        if self.restricts() {
            return self.random_allowed(rng);
        }
        // A state that waits for a move has an empty point.
        self.board.random_empty(rng).unwrap_or_else(|| panic!("no move to draw: {self:?} is over"))
    }
}

impl Gomoku {
    /// Points drawn until one is allowed, or, if there are few, one of a list.
    #[inline(never)]
    fn random_allowed<R: Rng + ?Sized>(&self, rng: &mut R) -> Point {
        for _ in 0..64 {
            if let Some(point) = self.board.random_empty(rng).filter(|&p| self.forbidden(p).is_none()) {
                return point;
            }
        }
        let mut moves = <Self as Game>::Moves::default();
        self.moves(&mut moves);
        moves[below(rng, moves.len())]
    }
}

impl gamecore::Track<Gomoku> for Patterns {
    fn of(game: &Gomoku) -> Self {
        game.patterns()
    }

    #[inline]
    fn played(&mut self, before: &Gomoku, m: Point) {
        self.place(m, before.mover);
    }

    fn resolved(&mut self, _: &Gomoku, event: Never) {
        match event {}
    }
}
