//! Wins that begin with a turn after which a win by double threats cannot be stopped.

use std::collections::VecDeque;

use gamecore::{Game, Player};
use games_connect6::{Connect6, Forced, Narrowed, Point, Urgent, Vcdt};
use search_core::Watch;

/// Turns and nodes of the searches for double threats.
const VCDT: (u8, u64) = (20, 500);
/// At most so many turns are tried first.
const KILLERS: usize = 8;

/// Looks for a turn after which the defender has none that leaves the attacker without a win by double threats
/// ([`Vcdt`]). In the words of lambda search (Thomsen, *Lambda-search in game trees - with application to Go*, 2000) it is a win of the
/// second order, where those by double threats are of the first.
///
/// The attacker's turns are those of the short list ([`Narrowed`]); the defender's are too, with the points of the win that is threatened on
/// it. As no others are tried, what is found is no proof: the defender may have one that holds.
#[derive(Clone, Debug)]
pub(super) struct SecondOrder {
    vcdt: Vcdt,
    /// Turns that won in positions like this one, the latest first.
    killers: VecDeque<[Point; 2]>,
}

/// The search was told to stop.
struct Stopped;

/// A win of the second order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Win {
    /// How it begins.
    pub(super) turn: [Point; 2],
    /// Points that what follows runs over: where a defence might be.
    pub(super) points: Vec<Point>,
}

impl SecondOrder {
    pub(super) fn new() -> Self {
        let vcdt = Vcdt::default().with_turns(VCDT.0).with_nodes(VCDT.1).with_conservative_defence(true);
        Self { vcdt, killers: VecDeque::new() }
    }

    /// Another position: the turns that won in the last one are no longer tried first.
    pub(super) fn begin(&mut self) {
        self.killers.clear();
    }

    /// A win of the mover's, who begins a turn of two stones. The watch counts the nodes of the searches for double threats; when it says stop
    /// none is found, nor where rows that are a turn away decide.
    pub(super) fn win(&mut self, game: &Narrowed, watch: &mut Watch) -> Option<Win> {
        if game.winner().is_some() {
            return None;
        }
        let (mut tried, firsts) = (Vec::new(), list(game));
        for turn in self.killers.clone() {
            // Elsewhere its points may be taken, or be no defence.
            let fits = |&[a, b]: &[Point; 2]| firsts.contains(&a) && list(&game.after(a)).contains(&b);
            if [turn, [turn[1], turn[0]]].iter().any(fits)
                && let Some(win) = self.win_with(game, turn, &mut tried, watch).ok()?
            {
                return Some(win);
            }
        }
        for a in firsts {
            for b in list(&game.after(a)) {
                if let Some(win) = self.win_with(game, [a, b], &mut tried, watch).ok()? {
                    self.killers.push_front(win.turn);
                    self.killers.truncate(KILLERS);
                    return Some(win);
                }
            }
        }
        None
    }

    /// The win that begins with these two stones, unless it was tried.
    fn win_with(
        &mut self,
        game: &Narrowed,
        turn: [Point; 2],
        tried: &mut Vec<[Point; 2]>,
        watch: &mut Watch,
    ) -> Result<Option<Win>, Stopped> {
        if !is_new(tried, turn) {
            return Ok(None);
        }
        let attacker = game.game().mover();
        let next = game.after(turn[0]).after(turn[1]);
        if next.game().outcome().is_some() {
            return Ok(None);
        }
        Ok(self.unstoppable(&next, attacker, watch)?.map(|points| Win { turn, points }))
    }

    /// The points of the attacker's win, if all that the defender, who begins a turn, can do loses to double threats.
    fn unstoppable(&mut self, game: &Narrowed, attacker: Player, watch: &mut Watch) -> Result<Option<Vec<Point>>, Stopped> {
        if let Some(winner) = game.winner() {
            return Ok((winner == attacker).then(Vec::new));
        }
        let forced = game.is_forced();
        let mut points = Vec::new();
        if !forced {
            // What would the attacker do if nothing was done?
            let Some(line) = self.first_order(game, attacker, watch)? else { return Ok(None) };
            points = line;
        }
        let mut tried = Vec::new();
        for x in list(&game.clone().with_points(points.iter().copied())) {
            let mut half = game.after(x).with_points(points.iter().copied());
            if forced && half.urgent() == Urgent::Nothing {
                // One stone stops what there is to stop, and the other is free.
                let Some(line) = self.first_order(&half, attacker, watch)? else { return Ok(None) };
                half = half.with_points(line.iter().copied());
                points = line;
            }
            for y in list(&half) {
                if !is_new(&mut tried, [x, y]) {
                    continue;
                }
                let next = half.after(y);
                let loses = next.game().outcome().is_none()
                    && (next.winner() == Some(attacker) || self.first_order(&next, attacker, watch)?.is_some());
                if !loses {
                    return Ok(None);
                }
            }
        }
        Ok(Some(points))
    }

    /// The attacker's win by double threats, were it to begin a turn.
    fn first_order(&mut self, game: &Narrowed, attacker: Player, watch: &mut Watch) -> Result<Option<Vec<Point>>, Stopped> {
        let mut stopped = false;
        let found = self.vcdt.win_while(game.windows(), attacker, 2, || {
            stopped = watch.count(1);
            !stopped
        });
        // Also where no node was needed time passes.
        if stopped || watch.count(1) {
            return Err(Stopped);
        }
        Ok(match found {
            Forced::Win(line) => Some(line),
            Forced::No | Forced::Unknown => None,
        })
    }
}

/// Whether a turn was not tried before, in either order; it is then.
fn is_new(tried: &mut Vec<[Point; 2]>, [a, b]: [Point; 2]) -> bool {
    let turn = if a < b { [a, b] } else { [b, a] };
    let new = !tried.contains(&turn);
    if new {
        tried.push(turn);
    }
    new
}

/// The short list.
fn list(game: &Narrowed) -> <Connect6 as Game>::Moves {
    let mut moves = <Connect6 as Game>::Moves::default();
    game.moves(&mut moves);
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::Limits;

    /// A quiet turn that wins: two stones that threaten nothing yet, and no two stones hold it.
    #[test]
    fn quiet_turns_that_win_are_found() {
        let points = [[9, 9], [11, 9], [8, 7], [10, 10], [11, 11], [8, 8], [9, 8]];
        let mut game = Connect6::default();
        for [x, y] in points {
            game.play(Point::new(x, y).unwrap());
        }
        let game = Narrowed::from(game);
        let mut search = SecondOrder::new();
        let mut first = Vcdt::default().with_turns(20);
        assert!(!matches!(first.win(game.windows(), game.game().mover(), 2), Forced::Win(_)));
        let win = search.win(&game, &mut Watch::start(&Limits::default())).expect("there is one");
        // Whatever is tried against it on the short list loses.
        let next = game.after(win.turn[0]).after(win.turn[1]);
        for x in list(&next) {
            for y in list(&next.after(x)) {
                let end = next.after(x).after(y);
                let wins = matches!(first.win(end.windows(), end.game().mover(), 2), Forced::Win(_));
                assert!(wins, "{x:?} {y:?} holds {end:?}");
            }
        }
        // Told to stop it finds nothing.
        assert_eq!(SecondOrder::new().win(&game, &mut Watch::start(&Limits::nodes(1))), None);
        // Without the stones that it rests on there is none.
        assert_eq!(
            search.win(
                &Narrowed::from(Connect6::default().after(Point::new(9, 9).unwrap())),
                &mut Watch::start(&Limits::default())
            ),
            None
        );
    }
}
