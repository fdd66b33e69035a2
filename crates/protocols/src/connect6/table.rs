//! The board as the platform tells it.

use gamecore::text::quoted;
use gamecore::{History, Outcome, Player, Step};
use games_connect6::{Connect6, Point, letters};

/// What stands for no stone.
const NO_STONE: &str = "@@";
/// Of which shape a move is, for messages.
const SHAPE: &str = "two letters for each stone, column and row, AA (top left) to SS, as in JJKK; for a single stone JJ or JJ@@";

/// A game and who put its last stones.
#[derive(Clone, Debug)]
pub(super) struct Table {
    history: History<Connect6>,
    /// Who put the last stones.
    last: Option<Player>,
    /// The platform has ended the game.
    ended: bool,
}

impl Default for Table {
    /// The empty board.
    fn default() -> Self {
        Self { history: Connect6::default().into(), last: None, ended: false }
    }
}

fn color(player: Player) -> &'static str {
    if player == Player::One { "black" } else { "white" }
}

impl Table {
    pub(super) fn history(&self) -> &History<Connect6> {
        &self.history
    }

    pub(super) fn state(&self) -> &Connect6 {
        self.history.state()
    }

    pub(super) fn end(&mut self) {
        self.ended = true;
    }

    /// Reads the stones of a turn.
    pub(super) fn parse(&self, text: &str) -> Result<Vec<Point>, String> {
        let letters: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let wrong = || format!("\"{}\" is no move: {SHAPE}", quoted(text.trim()));
        if !matches!(letters.len(), 2 | 4) || !letters.is_ascii() {
            return Err(wrong());
        }
        let (first, second) = letters.split_at(2);
        let named = [first, second].into_iter().filter(|name| !matches!(*name, "" | NO_STONE));
        let points: Vec<Point> = named.map(|name| self.point(name).ok_or_else(wrong)).collect::<Result<_, _>>()?;
        if points.is_empty() { Err(wrong()) } else { Ok(points) }
    }

    /// A point of two letters; other names of points are none here.
    fn point(&self, name: &str) -> Option<Point> {
        let plain = name.bytes().all(|b| b.is_ascii_alphabetic());
        self.state().parse_point(name).ok().filter(|_| plain)
    }

    /// Why nobody may play, if so.
    pub(super) fn over(&self) -> Result<(), String> {
        const NEW: &str = "new black or new white begins another";
        match self.state().outcome() {
            Some(Outcome::Draw) => Err(format!("the game is over, it is drawn: {NEW}")),
            Some(Outcome::Win { player, .. }) => Err(format!("the game is over, {} has won: {NEW}", color(player))),
            None if self.ended => Err(format!("the game has been ended: {NEW}")),
            None => Ok(()),
        }
    }

    /// The points must be different and empty.
    fn check(&self, points: &[Point]) -> Result<(), String> {
        if let [first, second] = points
            && first == second
        {
            return Err(format!("both stones on {}: a turn has two different points", letters(*first)));
        }
        match points.iter().find(|&&p| !self.state().board().is_empty(p)) {
            Some(&taken) => Err(format!("a stone stands on {} already", letters(taken))),
            None => Ok(()),
        }
    }

    /// Whoever is to play has the whole turn: what was left of a turn by those who set up a position is left out.
    fn begin_turn(&mut self) {
        let state = self.state();
        if let Some(passed) = state.passed()
            && self.last == Some(state.mover())
        {
            self.history = passed.into();
        }
    }

    /// Makes the opponent's turn, whose turn it is; an error changes nothing.
    pub(super) fn play(&mut self, points: &[Point]) -> Result<(), String> {
        self.over()?;
        let mut table = self.clone();
        table.begin_turn();
        let due = usize::from(table.state().left()).min(usize::from(table.state().board().empty_count()));
        // A single stone named twice.
        let points = match *points {
            [first, second] if first == second && due == 1 => &points[..1],
            _ => points,
        };
        table.check(points)?;
        let mover = table.state().mover();
        for (&point, n) in points.iter().zip(1..) {
            if table.state().outcome().is_some() {
                // The stone before has won, and this one is no more.
                break;
            }
            if n > due {
                return Err(format!("{} stones, but {} has {due} in this turn", points.len(), color(mover)));
            }
            table.push(point);
        }
        if table.state().outcome().is_none() && points.len() < due {
            return Err(format!("{} stone, but {} has {due} in this turn: {SHAPE}", points.len(), color(mover)));
        }
        *self = table;
        Ok(())
    }

    /// Puts stones of this colour; an error changes nothing.
    pub(super) fn put(&mut self, player: Player, points: &[Point]) -> Result<(), String> {
        self.over()?;
        let points = match *points {
            [first, second] if first == second && self.state().left() == 1 => &points[..1],
            _ => points,
        };
        self.check(points)?;
        let mut table = self.clone();
        for &point in points {
            if table.state().outcome().is_some() {
                break;
            }
            if table.state().mover() == player {
                table.push(point);
            } else {
                table = self.study(player, points)?;
                break;
            }
        }
        table.last = Some(player);
        *self = table;
        Ok(())
    }

    /// A position with these stones more, the other side to move.
    fn study(&self, player: Player, points: &[Point]) -> Result<Self, String> {
        let (state, board) = (self.state(), self.state().board());
        let stones = board.points().filter_map(|p| board.stone(p).map(|owner| (p, owner)));
        let stones = stones.chain(points.iter().map(|&p| (p, player)));
        let each = state.rules().turns().each();
        let study = Connect6::study(state.rules(), stones, player.other(), each).map_err(|e| e.to_string())?;
        Ok(Self { history: study.into(), ..self.clone() })
    }

    /// Sees to it that whoever is to play has the whole turn. An error if nobody is.
    pub(super) fn prepare(&mut self) -> Result<(), String> {
        self.over()?;
        self.begin_turn();
        Ok(())
    }

    /// Puts a stone of whoever is to move, on an empty point.
    pub(super) fn push(&mut self, point: Point) {
        self.last = Some(self.state().mover());
        self.history.push(Step::Move(point));
    }
}

/// A turn as it is written.
pub(super) fn text(points: &[Point]) -> String {
    let stones: String = points.iter().map(|&p| letters(p)).collect();
    if points.len() == 1 { stones + NO_STONE } else { stones }
}
