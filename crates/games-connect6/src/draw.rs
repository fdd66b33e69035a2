//! The board as a picture.

use gamecore::{Draw, Ink, Outcome, Picture, Player, Step, StepOf};
use lines::Point;

use crate::state::Connect6;
use crate::text::{letters, turn_text};
use crate::threats::{Threats, winning};

/// So many points or pairs are named below a picture.
const NAMED: usize = 4;

impl Connect6 {
    /// The board as [`Draw::picture_after`] shows it, with what threatens on it: the empty points that a row lacks which one turn of
    /// two stones could complete, `x` where it is One's, `o` where it is Two's, `*` where both have one. Below, the same in words:
    /// what wins at once if the mover can, else each seat's threats, how many stones it takes to stop them, and where.
    ///
    /// In a game whose turns have not two stones it is the board alone.
    #[must_use]
    pub fn picture_with_threats(&self, steps: &[StepOf<Self>]) -> Picture {
        if self.outcome().is_some() || self.rules().turns().each() != 2 {
            return self.picture_after(steps);
        }
        let windows = self.windows();
        let threats = Player::BOTH.map(|player| Threats::of(&windows, player));
        let lacks = |player: Player, p: Point| threats[player].rows().iter().any(|row| row.contains(p));
        let mut picture = self.drawn(steps, |p| match (lacks(Player::One, p), lacks(Player::Two, p)) {
            (true, true) => Some(("*", Ink::Board)),
            (true, false) => Some(("x", Ink::One)),
            (false, true) => Some(("o", Ink::Two)),
            (false, false) => None,
        });
        for player in [self.mover(), self.mover().other()] {
            let threats = &threats[player];
            let own = if player == self.mover() { winning(&windows, player, self.left()) } else { Default::default() };
            let news = match threats.level() {
                _ if !own.is_empty() => {
                    let turns = own.points.iter().map(|&p| letters(p)).chain(own.pairs.iter().map(|pair| turn_text(pair)));
                    format!(" wins now: {}", named(turns))
                }
                0 => continue,
                1 => {
                    let points = threats.blocking_points();
                    format!(", single threat: {} stops it", named(points.into_iter().map(letters)))
                }
                2 => {
                    let pairs = threats.blocking_pairs();
                    format!(", double threat: stop by {}", named(pairs.iter().map(|pair| turn_text(pair))))
                }
                _ => ", triple threat: two stones do not stop it".into(),
            };
            picture.line();
            let (text, ink) = seat(player);
            picture.put(text, ink, false);
            picture.put(news, Ink::Board, false);
        }
        picture
    }

    /// The board, with marks on empty points, and whose turn it is.
    fn drawn(&self, steps: &[StepOf<Self>], mark: impl Fn(Point) -> Option<(&'static str, Ink)>) -> Picture {
        let board = self.board();
        let size = board.size();
        let is_last = |point: Point| steps.contains(&Step::Move(point));
        let mut picture = Picture::default();
        let columns: String = (0..size).map(|x| format!(" {}", char::from(b'A' + x))).collect();
        picture.put(format!("  {columns}"), Ink::Board, false);
        for point in board.points() {
            if point.x() == 0 {
                picture.line();
                picture.put(format!(" {}", char::from(b'A' + point.y())), Ink::Board, false);
            }
            let strong = is_last(point);
            let before = point.x().checked_sub(1).and_then(|x| Point::new(x, point.y())).is_some_and(is_last);
            let gap = match (before, strong) {
                (_, true) => "(",
                (true, false) => ")",
                (false, false) => " ",
            };
            picture.put(gap, Ink::Board, false);
            match (board.stone(point), mark(point)) {
                (Some(Player::One), _) => picture.put("X", Ink::One, strong),
                (Some(Player::Two), _) => picture.put("O", Ink::Two, strong),
                (None, Some((mark, ink))) => picture.put(mark, ink, true),
                (None, None) => picture.put(".", Ink::Board, false),
            }
            if point.x() + 1 == size {
                picture.put(format!("{}{}", if strong { ")" } else { " " }, size - point.y()), Ink::Board, false);
            }
        }
        picture.line();
        picture.put(format!("  {columns}"), Ink::Board, false);
        picture.line();
        let left = match self.left() {
            1 => "1 stone".into(),
            n => format!("{n} stones"),
        };
        let (who, news) = match self.outcome() {
            None => (Some(self.mover()), format!(" to move, {left}")),
            Some(Outcome::Win { player, .. }) => (Some(player), " has won with a row".into()),
            Some(Outcome::Draw) => (None, "Drawn: the board is full".into()),
        };
        if let Some(player) = who {
            let (text, ink) = seat(player);
            picture.put(text, ink, false);
        }
        picture.put(news, Ink::Board, false);
        picture
    }
}

const fn seat(player: Player) -> (&'static str, Ink) {
    match player {
        Player::One => ("One X", Ink::One),
        Player::Two => ("Two O", Ink::Two),
    }
}

/// The first few of these, and whether there are more.
fn named(turns: impl Iterator<Item = String>) -> String {
    let mut turns: Vec<String> = turns.take(NAMED + 1).collect();
    if turns.len() > NAMED {
        turns[NAMED] = "...".into();
    }
    turns.join(" ")
}

impl Draw for Connect6 {
    fn picture(&self, last: Option<StepOf<Self>>) -> Picture {
        self.picture_after(last.as_slice())
    }

    /// One's stones as `X`, Two's as `O`. Columns and rows have the letters of which a move consists, the column's first; at the
    /// right are the rows' numbers, as records have them. The stones of the last turn stand in brackets.
    fn picture_after(&self, steps: &[StepOf<Self>]) -> Picture {
        self.drawn(steps, |_| None)
    }

    fn rules_text(&self) -> String {
        let rules = self.rules();
        let (size, length, turns) = (rules.size(), rules.length(), rules.turns());
        let stones = |n: u8| if n == 1 { "one stone".into() } else { format!("{n} stones") };
        format!(
            "One X and Two O take turns to put stones on empty points of {size}x{size}; stones stay.\n\
             One begins with {}; after that a turn has {}, each put by itself.\n\
             {length} or more of your stones in a row win at once: across, down or along a diagonal.\n\
             If the board is full, the game is drawn.",
            stones(turns.first()),
            stones(turns.each()),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;
    use gamecore::{Game, Text};

    #[test]
    fn a_picture_shows_points_seats_and_the_last_turn() {
        let game: Connect6 = "6/1x4/2o3/6/6/6".parse().unwrap();
        let second = game.parse_move("CB").unwrap();
        let first = game.parse_point("CC").unwrap();
        let expected = "   A B C D E F
 A . . . . . . 6
 B . X(O). . . 5
 C . .(O). . . 4
 D . . . . . . 3
 E . . . . . . 2
 F . . . . . . 1
   A B C D E F
One X to move, 2 stones
";
        let picture = game.after(second).picture_after(&[Step::Move(first), Step::Move(second)]);
        assert_eq!(picture.to_string(), expected);
        let strong: Vec<_> = picture.lines.into_iter().flatten().filter(|s| s.strong).collect();
        assert!(strong.len() == 2 && strong.iter().all(|s| s.ink == Ink::Two));
        let edge = game.parse_move("FE").unwrap();
        assert!(game.after(edge).picture(Some(Step::Move(edge))).to_string().contains(". .(O)2"));
        assert!(game.picture(None).to_string().contains("Two O to move, 1 stone\n"));
    }

    #[test]
    fn a_picture_tells_how_the_game_ended() {
        for (position, words) in [
            ("xxxxxx/6/oooo2/6/6/6 two 1", "One X has won with a row"),
            ("oooooo/6/xxxx2/x5/6/6 one 1", "Two O has won with a row"),
            ("xoxoxo/xoxoxo/oxoxox/oxoxox/xoxoxo/xoxoxo one 1", "Drawn"),
        ] {
            let picture = position.parse::<Connect6>().unwrap().picture(None).to_string();
            assert!(picture.contains(words), "{picture}");
        }
    }

    #[test]
    fn threats_are_marked_and_told() {
        let picture = |text: &str| text.parse::<Connect6>().unwrap().picture_with_threats(&[]).to_string();
        // An open four of One's: double, and each end counts.
        let open = picture("9/9/9/9/2xxxx3/9/9/9/9 two 2");
        assert!(open.contains(" E x x X X X X x x . 5"), "{open}");
        assert!(open.ends_with("Two O to move, 2 stones\nOne X, double threat: stop by BEGE BEHE AEGE"), "{open}");
        // Closed at one end: single. Both sides' rows cross.
        let closed = picture("9/9/9/9/oxxxx3o/5o3/5o3/5o3/5o3 two 1");
        assert!(closed.contains(" E O X X X X * x . O 5"), "{closed}");
        assert!(closed.contains("One X, single threat: FE GE stops it"), "{closed}");
        assert!(
            closed.contains("Two O, single threat: FE FD stops it") || closed.contains("Two O, single threat: FD FE stops it"),
            "{closed}"
        );
        // Whoever can win has no need of words.
        assert!(picture("9/9/9/9/2xxxx3/9/9/9/9 one 2").contains("One X wins now: AEBE BEGE GEHE"));
        assert!(picture("9/9/9/9/2xxxxx2/9/9/9/9 one 1").contains("One X wins now: BE HE"));
        assert!(picture("9/9/9/9/2xxxx3/9/9/9/9 one 1").contains("One X, double threat"));
        let triple = "4x4/4x4/2x1x4/3xx4/9/3xxxx2/9/9/9";
        assert!(picture(&format!("{triple} two 2")).contains("triple threat"), "{}", picture(&format!("{triple} two 2")));
        // Nothing threatens, the game is over, or its turns are others: the board alone.
        for text in ["9/9/9/9/2xxx4/9/9/9/9 two 2", "9/9/9/9/1xxxxxx2/9/9/9/9 two 2", "9/9/9/9/2xxx4/9/9/9/9 two 1 4,1,1"] {
            let game: Connect6 = text.parse().unwrap();
            assert_eq!(game.picture_with_threats(&[]).to_string(), game.picture(None).to_string());
        }
    }

    #[test]
    fn the_rules_are_those_of_the_game() {
        let text = Connect6::default().rules_text();
        assert!(text.contains("19x19") && text.contains("begins with one stone; after that a turn has 2 stones"), "{text}");
        let other = Connect6::start(Rules::new(9, 4, 1, 3).unwrap()).rules_text();
        assert!(other.contains("9x9") && other.contains("begins with 3 stones; after that a turn has one stone"), "{other}");
        assert!(other.contains("4 or more"), "{other}");
    }
}
