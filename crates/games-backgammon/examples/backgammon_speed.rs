//! How fast rules and random games are, on one thread:
//! ```text
//! cargo run --release -p games-backgammon --example backgammon_speed -- [GAMES]
//! ```
//! Games of random plays from the standard position: all plays of every roll listed and one chosen; the same with every
//! play also made, or valued by the baseline; and with plays drawn without a list. Seconds are of processor time.

use std::error::Error;
use std::hint::black_box;

use cpu_time::ThreadTime;
use gamecore::{Evaluator, Game, playout, random, uniform};
use games_backgammon::{Backgammon, Setup, eval::Baseline};

#[derive(Clone, Copy, PartialEq, Debug)]
enum Work {
    Listed,
    ListedAndMade,
    ListedAndValued,
    Drawn,
}

fn main() -> Result<(), Box<dyn Error>> {
    let games: u32 = std::env::args().nth(1).map_or(Ok(20_000), |n| n.parse())?;
    let start = Backgammon::start(Setup::Standard);
    let mut buf = <Backgammon as Game>::Moves::default();
    let mut values = Vec::new();
    for work in [Work::Listed, Work::ListedAndMade, Work::ListedAndValued, Work::Drawn] {
        let (mut rng, mut turns, mut plays, mut most) = (random::generator(1), 0u64, 0u64, 0);
        let clock = ThreadTime::now();
        for _ in 0..games {
            playout(start, &mut rng, &mut |game: &Backgammon, rng: &mut _| {
                turns += 1;
                if work == Work::Drawn {
                    return uniform(game, rng);
                }
                buf.clear();
                game.moves(&mut buf);
                plays += buf.len() as u64;
                most = most.max(buf.len());
                match work {
                    Work::ListedAndMade => buf.iter().for_each(|&m| _ = black_box(game.after(m))),
                    Work::ListedAndValued => {
                        values.clear();
                        Baseline.after_all(game, &buf, black_box(&mut values));
                    }
                    Work::Listed | Work::Drawn => {}
                }
                buf[random::below(rng, buf.len())]
            });
        }
        let seconds = clock.elapsed().as_secs_f64();
        let rate = |n: u64| n as f64 / seconds;
        print!("{work:?}: {:.0} games/s, {:.0} turns/s", rate(games.into()), rate(turns));
        if plays > 0 {
            print!(", {:.1} M distinct results/s ({:.1} a turn, {most} at most)", rate(plays) / 1e6, plays as f64 / turns as f64);
        }
        println!();
    }
    Ok(())
}
