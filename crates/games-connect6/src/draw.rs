//! The board as a picture.

use gamecore::{Draw, Ink, Outcome, Picture, Player, Step, StepOf};
use lines::Point;

use crate::state::Connect6;

impl Draw for Connect6 {
    fn picture(&self, last: Option<StepOf<Self>>) -> Picture {
        self.picture_after(last.as_slice())
    }

    /// One's stones as `X`, Two's as `O`. Columns and rows have the letters of which a move consists, the column's first; at the
    /// right are the rows' numbers, as records have them. The stones of the last turn stand in brackets.
    fn picture_after(&self, steps: &[StepOf<Self>]) -> Picture {
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
            match board.stone(point) {
                Some(Player::One) => picture.put("X", Ink::One, strong),
                Some(Player::Two) => picture.put("O", Ink::Two, strong),
                None => picture.put(".", Ink::Board, false),
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
        let (seat, news) = match self.outcome() {
            None => (Some(self.mover()), format!(" to move, {left}")),
            Some(Outcome::Win { player, .. }) => (Some(player), " has won with a row".into()),
            Some(Outcome::Draw) => (None, "Drawn: the board is full".into()),
        };
        if let Some(seat) = seat {
            let (text, ink) = if seat == Player::One { ("One X", Ink::One) } else { ("Two O", Ink::Two) };
            picture.put(text, ink, false);
        }
        picture.put(news, Ink::Board, false);
        picture
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
    fn the_rules_are_those_of_the_game() {
        let text = Connect6::default().rules_text();
        assert!(text.contains("19x19") && text.contains("begins with one stone; after that a turn has 2 stones"), "{text}");
        let other = Connect6::start(Rules::new(9, 4, 1, 3).unwrap()).rules_text();
        assert!(other.contains("9x9") && other.contains("begins with 3 stones; after that a turn has one stone"), "{other}");
        assert!(other.contains("4 or more"), "{other}");
    }
}
