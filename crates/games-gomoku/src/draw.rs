//! The board as a picture.

use gamecore::{Draw, Ink, Outcome, Picture, Player, Step, StepOf, Text};
use lines::Point;

use crate::rules::Rule;
use crate::state::Gomoku;

impl Gomoku {
    /// The board as [`Draw::picture`] shows it, with what threatens on it. An empty point is marked, in the colour of whose stone it
    /// would be,
    /// - `5` if a stone there makes a row that wins (where either seat's would, as the seat's to move),
    /// - `4` if a stone there makes an open four, or two fours at once (in caro they may be spoilt from beside),
    /// - `!` if it is forbidden to One, who plays by the rules of renju.
    ///
    /// Below, the same in words.
    #[must_use]
    pub fn picture_with_threats(&self, last: Option<StepOf<Self>>) -> Picture {
        if self.outcome().is_some() {
            return self.picture(last);
        }
        let (patterns, board) = (self.patterns(), self.board());
        let forbidden = |p: Point| patterns.is_forbidden(p, Player::One);
        let allowed = |p: &Point, player| player == Player::Two || !forbidden(*p);
        let seats = [self.mover(), self.mover().other()];
        let fives = seats.map(|player| patterns.fives(player).iter().filter(|p| allowed(p, player)).collect::<Vec<_>>());
        let fours = [0, 1].map(|i| {
            let points = patterns.double_fours(seats[i]).filter(|p| allowed(p, seats[i]));
            points.filter(|p| !fives[i].contains(p)).collect::<Vec<_>>()
        });
        let mut marks: Vec<(Point, &str, Ink)> = Vec::new();
        for (mark, lists) in [("5", &fives), ("4", &fours)] {
            for (player, points) in seats.into_iter().zip(lists) {
                marks.extend(points.iter().map(|&p| (p, mark, ink(player))));
            }
        }
        if self.rule() == Rule::Renju {
            marks.extend(board.empty_points().filter(|&p| forbidden(p)).map(|p| (p, "!", Ink::One)));
        }
        let mut picture = self.drawn(last, |p| marks.iter().find(|mark| mark.0 == p).map(|mark| (mark.1, mark.2)));
        for (what, lists) in [("five", &fives), ("open or double four", &fours)] {
            for (player, points) in seats.into_iter().zip(lists).filter(|(_, points)| !points.is_empty()) {
                picture.line();
                picture.put(seat_name(player), ink(player), false);
                let names: Vec<String> = points.iter().take(NAMED).map(|&p| self.point_name(p)).collect();
                let more = if points.len() > NAMED { " ..." } else { "" };
                picture.put(format!(": {what} at {}{more}", names.join(" ")), Ink::Board, false);
            }
        }
        picture
    }

    /// The board, with marks on empty points, and whose turn it is.
    fn drawn(&self, last: Option<StepOf<Self>>, mark: impl Fn(Point) -> Option<(&'static str, Ink)>) -> Picture {
        let board = self.board();
        let size = board.size();
        let last = last.and_then(|Step::Move(m)| Some(m).filter(|&m| board.holds(m)));
        let mut picture = Picture::default();
        let columns: String = (0..size).map(|x| format!(" {}", char::from(b'a' + x))).collect();
        picture.put(format!("   {columns}"), Ink::Board, false);
        for point in board.points() {
            let row = size - point.y();
            if point.x() == 0 {
                picture.line();
                picture.put(format!(" {row:2}"), Ink::Board, false);
            }
            let strong = last == Some(point);
            let before = last.is_some_and(|m| m.y() == point.y() && m.x() + 1 == point.x());
            let gap = if strong {
                "("
            } else if before {
                ")"
            } else {
                " "
            };
            picture.put(gap, Ink::Board, false);
            match (board.stone(point), mark(point)) {
                (Some(Player::One), _) => picture.put("X", Ink::One, strong),
                (Some(Player::Two), _) => picture.put("O", Ink::Two, strong),
                (None, Some((mark, ink))) => picture.put(mark, ink, true),
                (None, None) => picture.put(".", Ink::Board, false),
            }
            if point.x() + 1 == size {
                picture.put(format!("{}{row}", if strong { ")" } else { " " }), Ink::Board, false);
            }
        }
        picture.line();
        picture.put(format!("   {columns}"), Ink::Board, false);
        picture.line();
        let (seat, news) = match self.outcome() {
            None => (Some(self.mover()), " to move"),
            Some(Outcome::Win { player, .. }) => (Some(player), " has won with a row"),
            Some(Outcome::Draw) => (None, "Drawn: no move is left"),
        };
        if let Some(seat) = seat {
            picture.put(seat_name(seat), ink(seat), false);
        }
        picture.put(news, Ink::Board, false);
        picture
    }
}

/// So many points are named below a picture.
const NAMED: usize = 6;

const fn ink(player: Player) -> Ink {
    match player {
        Player::One => Ink::One,
        Player::Two => Ink::Two,
    }
}

const fn seat_name(player: Player) -> &'static str {
    match player {
        Player::One => "One X",
        Player::Two => "Two O",
    }
}

impl Draw for Gomoku {
    /// One's stones as `X`, Two's as `O`; points are named as in moves. The last stone stands in brackets.
    fn picture(&self, last: Option<StepOf<Self>>) -> Picture {
        self.drawn(last, |_| None)
    }

    fn rules_text(&self) -> String {
        let size = self.board().size();
        let rows = match self.rule() {
            Rule::Freestyle => "Five or more of your stones in a row win: across, down or along a diagonal.",
            Rule::Standard => {
                "Exactly five of your stones in a row win: across, down or along a diagonal. Six or more are worth nothing."
            }
            Rule::Renju => {
                "One wins with exactly five in a row, Two with five or more: across, down or along a diagonal.\n\
                 One may not make six in a row, two fours at once, or two open threes at once, unless that makes five."
            }
            Rule::Caro => {
                "Exactly five of your stones in a row win: across, down or along a diagonal. Six or more are worth nothing.\n\
                 A five with enemy stones at both ends is worth nothing either; the edge of the board closes no end."
            }
        };
        format!(
            "You play {} by the rules {}.\nOne X and Two O take turns to put a stone on an empty point of {size}x{size}; stones stay.\n\
             {rows}\nIf nobody can move any more, the game is drawn.",
            Self::NAME,
            self.rule()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::Game;

    #[test]
    fn a_picture_shows_points_seats_and_the_last_move() {
        let game: Gomoku = "5/1x3/2o2/5/5 one".parse().unwrap();
        let picture = |name: &str| {
            let m = game.parse_move(name).unwrap();
            game.after(m).picture(Some(Step::Move(m)))
        };
        let expected = "    a b c d e
  5 . . . . . 5
  4 . X(X). . 4
  3 . . O . . 3
  2 . . . . . 2
  1 . . . . . 1
    a b c d e
Two O to move
";
        assert_eq!(picture("c4").to_string(), expected);
        assert!(picture("e2").to_string().contains(". .(X)2"));
        let strong: Vec<_> = picture("c4").lines.into_iter().flatten().filter(|s| s.strong).collect();
        assert_eq!((strong.len(), strong[0].ink), (1, Ink::One));
    }

    #[test]
    fn threats_are_marked_and_named() {
        let game: Gomoku = "9/9/1xooo4/9/3x5/3x5/3x5/9/9 one".parse().unwrap();
        // On d6 it would be closed at one end.
        let expected = "    a b c d e f g h i
  9 . . . . . . . . . 9
  8 . . . . . . . . . 8
  7 . X O O O . . . . 7
  6 . . . . . . . . . 6
  5 . . . X . . . . . 5
  4 . . . X . . . . . 4
  3 . . . X . . . . . 3
  2 . . . 4 . . . . . 2
  1 . . . . . . . . . 1
    a b c d e f g h i
One X to move
One X: open or double four at d2
";
        assert_eq!(game.picture_with_threats(None).to_string(), expected);
        // The mover's five comes first, and the opponent's is named too.
        let game: Gomoku = "xxxx5/9/ooo.oo3/9/9/9/9/9/9 two".parse().unwrap();
        let picture = game.picture_with_threats(None);
        let marks: Vec<_> = picture.lines.iter().flatten().filter(|s| s.strong).map(|s| (s.text.clone(), s.ink)).collect();
        assert_eq!(marks, [("5".into(), Ink::One), ("5".into(), Ink::Two)]);
        assert!(picture.to_string().ends_with("Two O to move\nTwo O: five at d7\nOne X: five at e9\n"));
        let game: Gomoku = "xxx.xx.../9/9/9/9/9/9/9/9 one renju".parse().unwrap();
        assert!(game.picture_with_threats(None).to_string().contains("9 X X X ! X X . . . 9"));
        let over: Gomoku = "xxxxx/5/5/5/5 two".parse().unwrap();
        assert_eq!(over.picture_with_threats(None), over.picture(None));
    }

    #[test]
    fn a_picture_tells_how_the_game_ended() {
        for (position, words) in [
            ("xxxxx/5/5/5/5 two", "One X has won with a row"),
            ("5/ooooo/5/5/5 one", "Two O has won with a row"),
            ("xoxox/xoxox/oxoxo/oxoxo/xoxox two", "Drawn"),
        ] {
            let picture = position.parse::<Gomoku>().unwrap().picture(None).to_string();
            assert!(picture.contains(words), "{picture}");
        }
    }

    #[test]
    fn the_rules_are_those_of_the_rule_set() {
        for (rule, words) in [
            (Rule::Freestyle, "Five or more of your"),
            (Rule::Standard, "Exactly five"),
            (Rule::Renju, "two open threes"),
            (Rule::Caro, "enemy stones at both ends"),
        ] {
            let text = Gomoku::start(rule, 19).unwrap().rules_text();
            assert!(text.contains(words) && text.contains("19x19") && text.contains(&rule.to_string()), "{text}");
        }
    }
}
